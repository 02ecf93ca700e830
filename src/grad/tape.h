/* The define-by-run tape: nodes, edges, and what a handle knows about its history. docs/autograd.md explains the whole. */
#ifndef WN_GRAD_TAPE_H
#define WN_GRAD_TAPE_H
#include "grad/builder.h"
#include "grad/hooks.h"
#include "table/call.h"
#include "tensor/events.h"
#include "tensor/scope.h"

/* Where the gradient of an input goes: to a node's result, or into a leaf's .grad. Both NULL: nowhere. */
typedef struct wn__edge {
    struct wn_node *node;
    wn_tensor *leaf;
    uint32_t out_nr;
    uint8_t dtype, ndim;     /* of the input, to which its gradient is summed and cast */
    const int64_t *shape;    /* in the node's memory */
} wn__edge;

typedef struct wn_node wn__node;

struct wn__cotangent;
/* The functions of a node that belongs to no row: custom functions, in-place operations on views. */
typedef struct wn__node_class {
    /* Fills gin from g; each is borrowed from a scope of the engine, or NULL. */
    wn_status (*apply)(wn__node *n, wn_tensor **g, wn_tensor **gin);
    /* The same with supports (grad/support.h), if `passes` says that the node uses them: to[i], zeroed, gets value and
     * zero, borrowed, and support, owned. NULL: cotangents are made dense. */
    bool (*passes)(const wn__node *n);
    wn_status (*gradients)(wn__node *n, const struct wn__cotangent *x, struct wn__cotangent *to, uint64_t need);
    void (*forget)(wn__node *n);  /* drops what it has saved: backward will not come again; or NULL */
    void (*destroy)(wn__node *n); /* frees what only the class knows; or NULL */
    const char *title;            /* as torch prints it; NULL: made from the node's name */
    bool verbatim;                /* the node's name is a class's, and stays as it is */
} wn__node_class;

struct wn_node {
    _Atomic int32_t refs;
    bool released;      /* what it saved is gone */
    bool in_slab;
    bool any_saved;
    bool unpacked;      /* what hooks packed is unpacked now (wn__saved_open) */
    int32_t nout, nin, nsaved;
    uint16_t titled;    /* 1 + id of the composite row that named it (TITLED), or 0 */
    uint64_t seq;       /* order of recording; backward runs the largest first */
    const char *name;
    const wn_op *op;    /* NULL: it has a class */
    const wn__node_class *cls;
    void *extra;        /* cls's own; or what hooks packed of a row's tensors (grad/saved.h) */
    wn__node *within;   /* for an operation on a view: the base's node, which owns this one */
    wn__edge *edges;    /* nin */
    void *args;         /* copy of the call's args; its tensor fields hold the saved tensors */
    wn_tensor **saved;  /* [nin + nout]: inputs, then results without history; NULL: not saved */
    uint32_t *versions; /* [nsaved] */
    wn_tensor **list;   /* storage for the tensors of list arguments */
    wn__hook *hooks;
    wn__node *next_free; /* in the queue of nodes to release */
};

bool wn__needs_grad_of_base(const wn_tensor *t);
static inline __attribute__((always_inline)) bool wn__needs_grad(const wn_tensor *t) {
    const wn__grad_meta *m = t->grad;
    if (!m) return false;
    return m->node || t->flags & WN__T_REQUIRES_GRAD || (m->base && wn__needs_grad_of_base(t));
}
void wn__grad_meta_free(wn_tensor *t);
static inline wn__grad_meta *wn__grad_meta_of(wn_tensor *t) { /* never NULL */
    if (!t->grad) {
        t->grad = &t->grad_state;
        t->grad_state = (wn__grad_meta){.free = wn__grad_meta_free};
    }
    return t->grad;
}

/* Where t's gradient goes: *leaf, or *node (both borrowed) and its result. Views whose base changed get a new node. */
wn_status wn__gradient_edge(wn_tensor *t, wn__node **node, uint32_t *out_nr, wn_tensor **leaf);

wn__node *wn__node_new(const char *name, int nin, int nout, size_t args_size, wn_tensor *const *in);
void wn__saved_drop(wn__node *n);
void wn__node_release(wn__node *n); /* without recursion, however long the chain */
wn_status wn__node_connect(wn__node *n, int i, wn_tensor *t); /* leads edge i to t's history */
bool wn__set_history(wn_tensor *t, wn__node *n, uint32_t out_nr); /* takes a reference to n; false: no memory */
static inline wn__node *wn__node_retain(wn__node *n) {
    WN_ASSERT(atomic_load_explicit(&n->refs, memory_order_relaxed) > 0);
    atomic_fetch_add_explicit(&n->refs, 1, memory_order_relaxed);
    return n;
}

/* Nodes up to this size come from a slab. */
enum { WN__NODE_SLAB_BYTES = 1024, WN__SMALL_ARGS = 256 };
extern _Atomic uint64_t wn__node_seq __attribute__((visibility("hidden"))); /* the last `seq` given */
static inline uint64_t wn__next_seq(void) { return atomic_fetch_add_explicit(&wn__node_seq, 1, memory_order_relaxed); }
/* For call/small.c: in[0..op->small_n) have out's shape; out is fresh. Bit i of need: in[i] needs a gradient. */
wn_status wn__record_small(const wn_op *op, const void *args, wn_tensor *const *in, wn_tensor *out, uint32_t need);

/* For dispatch. */
void wn__title_results(wn__call *c, uint64_t begin); /* names nodes of c's results, made since `begin`, after c */
bool wn__saves_target(const wn__call *c); /* in place: does the gradient read what is overwritten? */
wn_status wn__record(wn__call *c);
/* For in-place calls. All that can fail is done before the target is written, and only then does its history change. */
typedef struct wn__inplace {
    wn__node *node;     /* the operation's node */
    wn__node *slices;   /* views: the base's new history (CopySlices) */
    wn__node *strided;  /* views: the view's new history, which leads to it */
    bool packs_out;     /* hooks must pack the result once it is there */
} wn__inplace;
wn_status wn__record_prepare(wn__call *c, wn_tensor *self_copy, wn__inplace *r);
wn_status wn__record_commit(wn__call *c, wn__inplace *r); /* fails only in a hook that packs the result */
void wn__record_discard(wn__inplace *r);
/* The history of an operation's result on a view: for reading that result while its own gradient is recorded. */
wn__node *wn__part_history(wn__node *inner);
wn_status wn__check_inplace(const char *op, wn_tensor *t, bool recording);
wn_status wn__refuse_inference(const char *op, const wn_tensor *t);      /* to change it outside that mode */
wn_status wn__refuse_inference_saved(const char *op, const wn_tensor *t); /* to save one for backward */
/* Is t a view, made in inference mode, of a base that needs a gradient? Results then need one; it ends here. */
static inline bool wn__view_over_inference(const wn_tensor *t) {
    return t && t->grad && t->grad->base && t->grad->view_of == WN__VIEW_INFERENCE && wn__needs_grad_of_base(t);
}
wn_tensor *wn__view_base(const wn_tensor *t); /* borrowed; NULL: none, or either got another storage */
/* The base's node for an operation whose input `at` is its view t. NULL and an error record: it cannot be made. */
wn__node *wn__slices_node(wn_tensor *t, int at, wn__node *inner);
int wn__slices_at(const wn__node *n); /* for a CopySlices node: the operation's input that is the part */
bool wn__view_is_stale(const wn_tensor *t); /* has its base changed, so that its history must be made anew? */
void wn__forget_base(wn_tensor *t);             /* when t gets another storage */
void wn__note_view(wn_tensor *view, wn_tensor *source, bool multi); /* for every view, recorded or not */
wn_status wn__rebase_prepare(wn_tensor *t, int at, wn__inplace *r); /* new histories of t and its base */
void wn__rebase_commit(wn_tensor *t, const wn__inplace *r);

void wn__grad_fn_name(const wn_tensor *t, char *buf, size_t cap); /* of a tensor that is no leaf; makes no node */

/* For the engine. */
wn_status wn__check_saved(const wn__node *n); /* an error if saved tensors are gone or changed */
void wn__node_forget(wn__node *n);            /* drops what n saved: it will not run again */
/* wn__run_builder, or for a node of a class the same by its function. */
wn_status wn__node_gradients(wn__node *n, wn_tensor **g, wn_tensor **gin, uint64_t need, struct wn__given *given);
/* Runs a row's gradient builder. gin[i] is borrowed from the current scope, or NULL. given: gets the builder's
 * conditions on gradients (grad/support.h); NULL: gradients must be dense. */
wn_status wn__run_builder(wn__node *n, wn_tensor **g, wn_tensor **gin, uint64_t need, struct wn__given *given);
/* Unpacks what hooks packed, once for all that runs the builder until wn__saved_close. *mine: the caller must close. */
wn_status wn__saved_open(wn__node *n, bool *mine);
void wn__saved_close(wn__node *n, bool mine);
/* wn__run_builder with other args, after wn__saved_open. lines: as in wn__gradctx. */
wn_status wn__run_builder_on(wn__node *n, const void *args, wn_tensor **g, wn_tensor **gin, uint64_t need, struct wn__given *given, wn_tensor *lines);
/* results NULL: gradients go into .grad, or, with inputs given, only into theirs (inputs that are not leaves retain it
 * by a hook). Otherwise results[i] gets the gradient of inputs[i], owned, or NULL. */
typedef struct wn__backward {
    wn_tensor **roots, **grads;
    int nroots;
    wn_tensor **inputs, **results;
    int ninputs;
    bool retain, create, allow_unused;
} wn__backward;
wn_status wn__run_backward(const wn__backward *b);

/* Begins an event for profilers: a turn of backward, or the gradients in it, of a node or (NULL) a leaf.
 * wn__event_node_end ends it, at no cost if nobody notes events. */
int64_t wn__event_of_node(const wn__node *n, bool whole_turn);
static inline int64_t wn__event_node(const wn__node *n, bool whole_turn) { return wn__noting() ? wn__event_of_node(n, whole_turn) : WN__NO_EVENT; }
static inline void wn__event_node_end(int64_t number) {
    if (number != WN__NO_EVENT) wn__event_end(number);
}
#endif
