/* What the Python front uses of the graph besides winnow.h (or base/api.h), which must be included before: nodes as
 * torch's Python shows them. */
#ifndef WN_GRAD_FRONT_H
#define WN_GRAD_FRONT_H

/* Adds hooks to AccumulateGrad, the end of the graph at a leaf that requires grad; wn_grad does not call them. A
 * prehook sees the gradient after the leaf's own hooks, the other is called after those of wn_register_accumulate_hook.
 * Arguments as in winnow.h. */
int64_t wn__accumulate_register_prehook(wn_tensor *leaf, wn_grad_hook hook, void *ctx, void (*release)(void *ctx));
int64_t wn__accumulate_register_hook(wn_tensor *leaf, wn_leaf_hook hook, void *ctx, void (*release)(void *ctx));

/* May t be changed in place by something that is no operation and is not recorded? */
wn_status wn__may_change(const char *op, wn_tensor *t);

/* Calls `made` for each new node, which has no operation and no edges yet, on the thread that records it; it may add
 * hooks. NULL ends that. Meanwhile small calls take the long way. */
void wn__show_nodes(void (*made)(wn_node *));

/* What a node has saved. A slot is a tensor argument by its name in the row's signature ("self", "other"), or "result"
 * ("result0", "result1" ... of several); -1: the node has no such slot. The tensor has its history and is lent to the
 * scope. NULL: it was not saved, or (with an error record) is gone. */
int wn__node_saved_slot(const wn_node *n, const char *name);
wn_tensor *wn__node_saved(wn_node *n, int slot);
#endif
