/* What the Python front, which contains the engine, asks of the graph beside winnow.h (or base/api.h), which is included before: nodes as torch's
 * Python shows them. */
#ifndef WN_GRAD_FRONT_H
#define WN_GRAD_FRONT_H

/* Hooks of AccumulateGrad, the end of the graph at a leaf that requires grad; not called by wn_grad. The first sees the gradient after the leaf's own
 * hooks, the second is called after those of wn_register_accumulate_hook. As winnow.h's otherwise. */
int64_t wn__accumulate_register_prehook(wn_tensor *leaf, wn_grad_hook hook, void *ctx, void (*release)(void *ctx));
int64_t wn__accumulate_register_hook(wn_tensor *leaf, wn_leaf_hook hook, void *ctx, void (*release)(void *ctx));

/* May t be changed in place, by something that is no operation and not recorded? */
wn_status wn__may_change(const char *op, wn_tensor *t);

/* Shows each node to `made` as it begins (no operation and no edges yet), on the thread that records it, which may hook something onto it; NULL ends that.
 * Meanwhile small calls take the long way. */
void wn__show_nodes(void (*made)(wn_node *));

/* What an operation keeps for its backward. A slot is a tensor argument by its name in the row's signature ("self", "other"), or "result" ("result0",
 * "result1", where there are several); -1: the node has none of that name. The tensor has its history, and is lent to the scope; NULL: it is not kept,
 * or (with an error record) not any more. */
int wn__node_saved_slot(const wn_node *n, const char *name);
wn_tensor *wn__node_saved(wn_node *n, int slot);
#endif
