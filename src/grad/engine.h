/* One backward at work: discover.c finds nodes and leaves, engine.c runs the nodes, builder.c makes a node's gradients,
 * and leaf.c finishes those of leaves. */
#ifndef WN_GRAD_ENGINE_H
#define WN_GRAD_ENGINE_H
#include "grad/support.h"
#include "grad/tape.h"

typedef struct wn__reached {
    union {
        const void *key; /* NULL: empty slot */
        wn__node *node;
        wn_tensor *leaf; /* kept alive by the edges that lead to it */
    };
    wn__cotangent *g;   /* cotangents of the node's results, or of the leaf; NULL: none yet */
    wn__cotangent only; /* memory for g if it is one; entries do not move once discovery is over */
    int pending;        /* number of edges from nodes that have not run yet */
    bool is_leaf;
    bool needed;        /* leads to an input that was asked for; always true if none was */
    bool fresh;         /* leaf: it had no .grad before, and hooks have not seen it */
    bool queued;        /* node: ready to run; leaf: its .grad is new, for wn__leaf_offer */
} wn__reached;

enum { WN__REACHED_FEW = 32 };

typedef struct wn__task {
    wn__reached *table; /* open addressing by node or leaf */
    size_t capacity, count;
    size_t *heap; /* ready nodes by seq, largest first: indices into table */
    size_t heap_n;
    wn_tensor **inputs, **results; /* wn__backward's */
    int ninputs;
    bool retain, create;
    bool reads; /* what the running node saved is still wanted: do not drop it */
    struct wn__reached_few *few; /* memory for a small table and heap; not initialised */
} wn__task;
struct wn__reached_few {
    wn__reached table[WN__REACHED_FEW];
    size_t heap[WN__REACHED_FEW];
};

static inline size_t wn__reached_hash(const void *p) {
    uint64_t x = (uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u;
    return (size_t)(x >> 20);
}
static inline wn__reached *wn__reached_find(wn__task *t, const void *key) {
    for (size_t i = wn__reached_hash(key) & (t->capacity - 1);; i = (i + 1) & (t->capacity - 1)) {
        if (t->table[i].key == key) return &t->table[i];
        if (!t->table[i].key) return NULL;
    }
}
static inline const void *wn__edge_to(const wn__edge *e) { return e->node ? (const void *)e->node : e->leaf; } /* NULL: nowhere */

/* Finds all that the roots reach and counts the edges into each. wn__discover_end must follow, whatever the result. */
wn_status wn__discover(wn__task *t, wn_tensor **roots, int nroots);
void wn__discover_end(wn__task *t);
bool wn__backward_stops(uint32_t *turn); /* was an interruption asked for? Called between two nodes */
/* When all cotangents of a leaf have arrived, and the scopes in which they were made are closed: hooks see the sum,
 * then it goes into .grad, or to the results of wn_grad. */
wn_status wn__leaf_finish(const wn__task *t, wn__reached *e);
/* Called after that for all leaves that one node has completed, so that their gradients may run in one program. */
wn_status wn__leaf_offer(wn__reached *e);
bool wn__is_input(const wn__task *t, const wn__edge *e);
void wn__cotangents_drop(wn__reached *e);
/* The ready nodes. */
void wn__ready_push(wn__task *t, wn__reached *e);
wn__reached *wn__ready_pop(wn__task *t);
#endif
