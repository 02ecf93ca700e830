/* Saved-tensor hooks: the thread's stack of pairs, packing, unpacking. */
#include "grad/saved.h"
#include "base/alloc.h"
#include "base/later.h"

struct wn__saved_hooks {
    wn__later later;
    _Atomic int32_t refs;   /* held by the stack and by what was packed */
    wn_saved_hooks h;
    wn__saved_hooks *below; /* on the thread's stack */
};

struct wn__packed {
    wn__later later;
    wn__saved_hooks *hooks; /* owned */
    void *p;
    uint8_t dtype, ndim;    /* of the tensor that was packed */
    int64_t shape[WN_MAX_DIMS];
};

static wn__packed **slots(const wn__node *n) { return n->extra; }

static void end_hooks(wn__later *x) {
    wn_saved_hooks h = ((wn__saved_hooks *)(void *)x)->h;
    wn__free(x);
    if (h.free) h.free(h.ctx);
}
static void unref(wn__saved_hooks *s) {
    if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) == 1) wn__do_later(&s->later, end_hooks);
}

static void clear(wn__thread *th) { /* the thread ends */
    while (th->saved_hooks) wn_pop_saved_hooks();
}

wn_status wn_push_saved_hooks(const wn_saved_hooks *hooks) {
    static const char op[] = "push_saved_hooks";
    wn__thread *th = wn__self();
    if (!hooks || !hooks->pack || !hooks->unpack) return wn__fail(WN_E_TYPE, op, "pack or unpack is absent (NULL)");
    wn__saved_hooks *s = wn__new(wn__saved_hooks, 1);
    if (!s) return wn__fail_memory(op);
    atomic_store_explicit(&s->refs, 1, memory_order_relaxed);
    s->h = *hooks;
    s->below = th->saved_hooks;
    th->saved_hooks = s;
    th->give_back[WN__GIVES_HOOKS] = clear;
    th->modes |= WN__MODE_SAVED_HOOKS;
    return WN_OK;
}

void wn_pop_saved_hooks(void) {
    wn__thread *th = wn__self();
    wn__saved_hooks *s = th->saved_hooks;
    if (!s) return;
    th->saved_hooks = s->below;
    if (!s->below) th->modes &= ~(uint32_t)WN__MODE_SAVED_HOOKS;
    unref(s);
}

static void end_packed(wn__later *x) {
    wn__packed k = *(wn__packed *)(void *)x;
    wn__free(x);
    if (k.hooks->h.drop) k.hooks->h.drop(k.hooks->h.ctx, k.p);
    unref(k.hooks);
}

void wn__packed_end(wn__packed *k) { wn__do_later(&k->later, end_packed); }

void wn__packed_drop(wn__node *n) {
    wn__packed **v = slots(n);
    n->extra = NULL;
    for (int i = 0; v && i < n->nsaved; i++)
        if (v[i]) wn__packed_end(v[i]);
    wn__free(v);
}

static wn_status call_pack(wn__saved_hooks *s, const char *op, const wn_tensor *t, void **p) {
    wn_scope scope = wn_begin_modes((wn_modes){.grad = WN_OFF});
    wn_tensor *own = wn__tensor_alias(t); /* without history */
    if (!own) {
        wn_end(&scope);
        return wn__fail_memory(op);
    }
    wn_status st = WN_OK;
    int64_t errors = wn_error_count();
    uint32_t version = wn_version(t);
    own = wn__lend(wn__self(), own);
    *p = wn_ok(own) ? s->h.pack(s->h.ctx, own) : NULL;
    if (wn__failed_since(errors)) st = wn_error();
    else if (!*p) st = wn__fail(WN_E_RUNTIME, op, "a saved tensor pack hook failed");
    else if (wn_version(t) != version)
        st = wn__fail(WN_E_RUNTIME, op, "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook can not be "
                      "modified by in-place operations as this can lead to unexpected side-effects.");
    if (st && *p && s->h.drop) s->h.drop(s->h.ctx, *p);
    wn_end(&scope);
    return st;
}

wn__packed *wn__packed_new(wn__saved_hooks *s, const char *op, const wn_tensor *t) {
    wn__packed *k = wn__new(wn__packed, 1);
    if (!k) return wn__fail_memory(op), NULL;
    atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed); /* pack may pop the pair */
    if (call_pack(s, op, t, &k->p)) {
        unref(s);
        wn__free(k);
        return NULL;
    }
    k->hooks = s;
    k->dtype = t->dtype;
    k->ndim = t->ndim;
    wn__copy_dims(k->shape, t->shape, t->ndim);
    return k;
}

wn_status wn__save_packed(wn__saved_hooks *s, wn__node *n, int slot, const wn_tensor *t) {
    if (!n->extra && !(n->extra = wn__new(wn__packed *, (size_t)n->nsaved))) return wn__fail_memory(n->name);
    n->any_saved = true;
    slots(n)[slot] = wn__packed_new(s, n->name, t);
    return slots(n)[slot] ? WN_OK : wn_error();
}

static wn_status pass(wn__node *n, wn_tensor **g, wn_tensor **gin) {
    (void)n;
    gin[0] = g[0];
    return WN_OK;
}
static const wn__node_class alias_class = {.apply = pass};

/* Gives u, which stands for input i, its place in the graph; leaves get a node between. Owned; NULL: no memory. */
static wn_tensor *rejoin(wn_tensor *u, const wn__edge *e) {
    wn_tensor *own = wn__tensor_alias(u);
    if (!own) return NULL;
    wn__node *n = e->node ? wn__node_retain(e->node) : wn__node_new("alias", 1, 1, 0, &u);
    if (n && e->leaf) {
        n->cls = &alias_class;
        n->edges[0].leaf = wn__retain(e->leaf);
    }
    if (n && wn__set_history(own, n, e->node ? e->out_nr : 0)) {
        wn__node_release(n);
        return own;
    }
    if (n) wn__node_release(n);
    wn__release(own);
    return NULL;
}

wn_tensor *wn__unpack_one(const wn__packed *k, const char *op) {
    int64_t errors = wn_error_count();
    wn_tensor *u = k->hooks->h.unpack(k->hooks->h.ctx, k->p);
    if (wn__failed_since(errors)) return NULL;
    if (!wn_ok(u)) return wn__fail(WN_E_RUNTIME, op, "a saved tensor unpack hook gave no tensor"), NULL;
    bool fits = u->dtype == k->dtype && u->ndim == k->ndim;
    for (int d = 0; fits && d < k->ndim; d++) fits = u->shape[d] == k->shape[d];
    if (fits) return u;
    wn__fail(WN_E_RUNTIME, op, "a saved tensor unpack hook gave %s for what was %s%s", wn__desc(u), wn_dtype_name((wn_dtype)k->dtype),
             wn__dims_text(k->shape, k->ndim));
    return NULL;
}

static wn_status unpack_slot(wn__node *n, int slot, bool create) {
    wn_tensor *u = wn__unpack_one(slots(n)[slot], n->name);
    if (!u) return wn_error();
    n->saved[slot] = u;
    if (slot >= n->nin || !create) return WN_OK;
    const wn__edge *e = &n->edges[slot];
    if (n->within && !e->node && !e->leaf) { /* the edges moved to the base's node; the part has no history any more */
        e = &n->within->edges[slot];
        if (slot == wn__slices_at(n->within))
            return wn__fail(WN_E_NOT_IMPLEMENTED, n->name, "create_graph through an in-place operation on a view whose saved tensors were packed by hooks");
    }
    if (!e->node && !e->leaf) return WN_OK;
    wn_tensor *own = rejoin(u, e);
    if (!own) return wn__fail_memory(n->name);
    n->saved[slot] = wn__lend(wn__self(), own);
    return wn_ok(n->saved[slot]) ? WN_OK : WN_E_MEMORY;
}

wn_status wn__unpack(wn__node *n) {
    bool create = wn__recording(wn__self());
    wn_status st = WN_OK;
    for (int i = 0; i < n->nsaved && !st; i++)
        if (slots(n)[i]) st = unpack_slot(n, i, create);
    if (!st && wn__patch_args(n)) st = wn__fail_memory(n->name);
    return st;
}

void wn__unpack_end(wn__node *n) {
    for (int i = 0; i < n->nsaved; i++) n->saved[i] = NULL;
}
