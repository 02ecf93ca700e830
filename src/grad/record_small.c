/* Recording for dispatch's short form (call/small.c): at most four tensor operands of one shape, and a fresh result.
 * The node is the one that wn__record would make. */
#include "base/slab.h"
#include "grad/tape.h"

typedef struct small_node {
    wn__node node;
    wn__edge edges[4];
    wn_tensor *saved[5];
    uint32_t versions[5];
    int64_t shape[WN_MAX_DIMS]; /* of all operands */
} small_node;
_Static_assert(sizeof(small_node) + WN__SMALL_ARGS <= WN__NODE_SLAB_BYTES, "a small node must fit its slab");

static inline __attribute__((always_inline)) wn_status connect(wn__node *n, int i, wn_tensor *t, bool *view) {
    wn__grad_meta *m = t->grad;
    if (m->base) {
        *view = true;
        return wn__node_connect(n, i, t);
    }
    wn__edge *e = &n->edges[i];
    if (m->node) {
        atomic_fetch_add_explicit(&m->node->refs, 1, memory_order_relaxed);
        e->node = m->node;
        e->out_nr = m->out_nr;
    } else {
        e->leaf = wn__retain(t);
    }
    return WN_OK;
}

/* Removes the node if no input leads anywhere, as views do whose base began to need a gradient later. */
static __attribute__((noinline)) void forget_unless_connected(wn__node *n, wn_tensor *const *in, wn_tensor *out, int nin) {
    for (int i = 0; i < nin; i++)
        if (n->edges[i].node || n->edges[i].leaf || wn__view_over_inference(in[i])) return;
    out->grad = NULL;
    wn__node_release(n);
}

static inline __attribute__((always_inline)) wn_status save(wn__node *n, int slot, wn_tensor *t) {
    if (!t) return WN_E_MEMORY;
    n->saved[slot] = t;
    n->versions[slot] = wn__version(t);
    return WN_OK;
}

static inline __attribute__((always_inline)) wn_status record(const wn_op *op, const void *args, wn_tensor *const *in, wn_tensor *out,
                                                              uint32_t need, const int nin) {
    small_node *s = wn__slab_take(WN__SLAB_NODE, WN__NODE_SLAB_BYTES);
    if (!s) return wn__fail_memory(op->name);
    wn__node *n = &s->node;
    *n = (wn__node){.refs = 1, .in_slab = true, .nout = 1, .nin = nin, .nsaved = nin + 1, .seq = wn__next_seq(), .name = op->name, .op = op,
                    .edges = s->edges, .args = s + 1, .saved = s->saved, .versions = s->versions};
    wn__grad_meta_of(out)->node = n; /* owns the reference */
    memcpy(n->args, args, op->args_size);
    wn__copy_dims(s->shape, out->shape, out->ndim);
    uint32_t save_in = 0, save_out = 0;
    for (int i = 0; i < nin; i++) {
        if (!(need >> i & 1)) continue;
        save_in |= op->save_in[i];
        save_out |= op->save_out[i];
    }
    wn_status st = WN_OK;
    int inference = 0;
    bool view = false;
    for (int i = 0; i < nin; i++) {
        wn_tensor *t = in[i];
        s->edges[i] = (wn__edge){.dtype = t->dtype, .ndim = t->ndim, .shape = s->shape};
        if (need >> i & 1 && !st) st = connect(n, i, t, &view);
        s->saved[i] = NULL;
        wn_tensor *kept = NULL;
        if (save_in >> i & 1) {
            st |= save(n, i, kept = wn__retain(t));
            inference |= t->flags & WN__T_INFERENCE;
        }
        char *field = (char *)n->args + op->small_offset[i];
        if (op->small_values >> i & 1) *(wn_val *)(void *)field = wn_val_of_tensor(kept);
        else *(wn_tensor **)(void *)field = kept;
    }
    s->saved[nin] = NULL;
    n->any_saved = save_in | save_out;
    if (!st && inference) return wn__refuse_inference_saved(op->name, out);
    if (!st && save_out) st = save(n, nin, wn__tensor_alias(out));
    if (view && !st) forget_unless_connected(n, in, out, nin);
    return st == WN_E_MEMORY ? wn__fail_memory(op->name) : st;
}

wn_status wn__record_small(const wn_op *op, const void *args, wn_tensor *const *in, wn_tensor *out, uint32_t need) {
    WN_ASSERT(need && out && !wn__is_bad(out));
    switch (op->small_n) {
    case 1: return record(op, args, in, out, need, 1);
    case 2: return record(op, args, in, out, need, 2);
    default: return record(op, args, in, out, need, op->small_n);
    }
}
