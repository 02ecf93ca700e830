/* A leaf's complete gradient. If .grad is empty it takes over the gradient's memory, or gets a copy if others know that
 * memory or it is laid out otherwise than the leaf; else the gradient is added to it. */
#include "tensor/events.h"
#include "defer/value.h"
#include "grad/engine.h"
#include "defer/copy.h"
#include "tensor/strides.h"

/* As in torch, .grad has its leaf's strides if those are dense. Returns them, or NULL for row-major. */
static const int64_t *strides_of_grad(const wn_tensor *leaf, int64_t *strides) {
    if (leaf->contiguous) return NULL;
    wn__preserved_strides(leaf, strides);
    return memcmp(strides, leaf->strides, (size_t)leaf->ndim * sizeof *strides) == 0 ? strides : NULL;
}

/* A copy with these strides, made at once if x has others: a pending copy keeps its source's. */
static wn_tensor *own_copy(const wn_tensor *x, const int64_t *strides) {
    return wn__lies_so(x, strides) ? wn__clone_later(x) : wn__restrided_raw(x, (wn_dtype)x->dtype, strides);
}

/* Does only x know its memory? Then a leaf may take it over. */
static bool sole(const wn_tensor *x) {
    wn__storage *s = x->storage;
    if (atomic_load_explicit(&x->refs, memory_order_relaxed) != WN__REF_REAL) return false;
    if (atomic_load_explicit(&s->refs, memory_order_relaxed) == 1) return true;
    if (!wn__watched(s)) return false;
    wn__defer_lock(); /* a READY value that pending ones read has a reference, which does no harm */
    bool sole = atomic_load_explicit(&s->refs, memory_order_relaxed) == 1 + (s->reads != NULL);
    wn__defer_unlock();
    return sole;
}

/* Makes the total dense and passes it through hooks, in a scope of its own: temporaries must leave no references. */
static wn_status settle(const wn__grad_meta *m, wn__cotangent *x, bool accumulates) {
    WN_SCOPE(s);
    wn_tensor *g = wn__cotangent_dense(x);
    if (wn_ok(g)) g = wn__hooks_grad(m->hooks, 0, g);
    if (wn_ok(g) && accumulates) g = wn__hooks_accumulate(m->hooks, g);
    if (!wn_ok(g)) return wn_error();
    wn__retain(g);
    wn__cotangent_drop(x);
    x->value = g;
    return WN_OK;
}

static wn_status accumulate(const wn__task *t, wn__grad_meta *m, wn_tensor *g) {
    if (!t->create && !wn__needs_grad(m->grad) && wn__same_shape(m->grad, g)) return wn_ok(wn_add_(m->grad, g)) ? WN_OK : wn_error();
    WN_SCOPE(s);
    wn_tensor *sum = wn_add(m->grad, g), *old = m->grad;
    if (!wn_ok(sum)) return wn_error();
    m->grad = wn__retain(sum);
    wn__release(old);
    return WN_OK;
}

static wn_status finish(const wn__task *t, wn__reached *e) {
    wn_tensor *leaf = e->leaf;
    wn__grad_meta *m = leaf->grad;
    wn__cotangent *x = e->g;
    const bool fresh = !m->grad;
    wn_status st = m->hooks || x->support ? settle(m, x, !t->results) : WN_OK;
    if (!st && t->results) {
        for (int i = 0; i < t->ninputs; i++)
            if (t->inputs[i] == leaf) t->results[i] = wn__retain(x->value);
    } else if (!st && m->grad) {
        st = accumulate(t, m, x->value);
    } else if (!st) {
        int64_t room[WN_MAX_DIMS];
        const int64_t *strides = strides_of_grad(leaf, room);
        bool whole = t->create || (wn__lies_so(x->value, strides) && sole(x->value));
        if (t->create && x->value->grad && x->value->grad->base) { /* a view: programs change and detach_() .grad */
            WN_SCOPE(s);
            wn_tensor *own = wn_clone(x->value);
            if (wn_ok(own)) m->grad = wn__retain(own);
            else st = wn_error();
        } else if (t->create || (whole && !x->value->grad && !(x->value->flags & ~WN__T_INFERENCE))) {
            m->grad = x->value;
            x->value = NULL;
        } else {
            m->grad = whole ? wn__tensor_alias(x->value) : own_copy(x->value, strides);
            if (!m->grad) st = wn__fail_memory("backward");
        }
    }
    wn__cotangents_drop(e);
    if (st || t->results) return st;
    e->fresh = fresh && !m->hooks;
    if (!t->create) {
        wn__defer_follow(m->grad);
        e->queued = wn__pending(m->grad->storage) != NULL;
    }
    if (!m->hooks) return WN_OK;
    WN_SCOPE(s);
    return wn__hooks_leaf(m->hooks, leaf);
}

wn_status wn__leaf_finish(const wn__task *t, wn__reached *e) {
    if (!e->g || !e->leaf->grad) return WN_OK;
    const int64_t turn = t->results ? WN__NO_EVENT : wn__event_node(NULL, true), own = t->results ? WN__NO_EVENT : wn__event_node(NULL, false);
    const wn_status st = finish(t, e);
    wn__event_node_end(own);
    wn__event_node_end(turn);
    return st;
}

wn_status wn__leaf_offer(wn__reached *e) {
    e->queued = false;
    wn_tensor *g = e->leaf->grad ? e->leaf->grad->grad : NULL;
    if (!g) return WN_OK;
    return wn__defer_leaf(g) ? WN_OK : wn_error();
}
