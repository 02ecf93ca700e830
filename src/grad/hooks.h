/* Hooks of leaves and nodes, each of which has a list. Removing only marks a hook, so that hooks may remove themselves
 * or others while the list is walked. A hook's release is called without any lock (base/later.h). */
#ifndef WN_GRAD_HOOKS_H
#define WN_GRAD_HOOKS_H
#include "tensor/tensor.h"

typedef enum wn__hook_kind {
    WN__HOOK_GRAD = 1,   /* of a tensor: sees the gradient that reaches it */
    WN__HOOK_RETAIN = 2, /* wn_retain_grad: the last of those */
    WN__HOOK_LEAF = 4,   /* of a leaf: called when .grad has its gradient */
    WN__HOOK_PRE = 8,    /* of a node: before it runs */
    WN__HOOK_POST = 16,  /* of a node: after it ran */
    WN__HOOK_LEAF_PRE = 32, /* of AccumulateGrad: sees the gradient after the leaf's own hooks */
    WN__HOOK_LEAF_POST = 64 /* of AccumulateGrad: after the leaf's LEAF hooks */
} wn__hook_kind;

typedef struct wn__hook wn__hook;
typedef struct wn__hook_spec {
    wn__hook_kind kind;
    uint32_t out_nr; /* GRAD, RETAIN: number of the node's result */
    union {
        wn_grad_hook grad;
        wn_leaf_hook leaf;
        wn_node_prehook pre;
        wn_node_hook post;
        wn_tensor *retains; /* not owned: when it ends, the hook is removed */
    } fn;
    void *ctx;
    void (*release)(void *ctx); /* called when ctx is not needed any more, or NULL */
} wn__hook_spec;

int64_t wn__hook_add(wn__hook **list, const char *op, const wn__hook_spec *spec); /* returns its id; 0: no memory */
void wn__hooks_free(wn__hook *list);
bool wn__hooks_have(const wn__hook *list, unsigned kinds);
bool wn__hooks_wait_for(const wn__hook *list, uint32_t out_nr); /* does a hook want the gradient of result out_nr? */

/* Removes the retaining hook of t, if it is in the list. */
void wn__hook_forget(wn__hook **list, const wn_tensor *t);
void wn__hook_move(wn__hook **from, wn__hook **to, const wn_tensor *t, uint32_t out_nr); /* moves it to t's new history */

/* Runs hooks of a tensor on g. Returns what they make of it (borrowed), or the bad tensor and an error record. */
wn_tensor *wn__hooks_grad(const wn__hook *list, uint32_t out_nr, wn_tensor *g);
wn_tensor *wn__hooks_accumulate(const wn__hook *list, wn_tensor *g); /* the same, then AccumulateGrad's */
wn_status wn__hooks_leaf(const wn__hook *list, wn_tensor *leaf);
/* Hooks may replace elements of g or gin by others, borrowed. */
wn_status wn__hooks_pre(const wn__hook *list, int n, wn_tensor **g);
wn_status wn__hooks_post(const wn__hook *list, int nin, wn_tensor **gin, int n, wn_tensor **g);
#endif
