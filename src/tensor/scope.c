/* Scopes: the thread's handle stack, and the modes that each scope restores. */
#include <stdlib.h>
#include "base/alloc.h"
#include "tensor/scope.h"

static void release_scope_entry(uintptr_t entry) {
    if (entry & 1) {
        wn__free((void *)(entry & ~(uintptr_t)1));
        return;
    }
    wn_tensor *t = (wn_tensor *)entry;
    WN_ASSERT(t->magic == WN__MAGIC && t->refs >= WN__REF_SCOPE);
    if (atomic_fetch_sub_explicit(&t->refs, WN__REF_SCOPE, memory_order_acq_rel) == WN__REF_SCOPE) wn__tensor_free(t);
}

static void pop_to(wn__thread *th, uint32_t mark) {
    WN_ASSERT(th->height <= th->capacity && mark <= th->height);
    while (th->height > mark) release_scope_entry(th->stack[--th->height]);
}

static void give_handles(wn__thread *th) {
    pop_to(th, 0);
    free(th->stack);
    free(th->open);
}

static bool grow(wn__thread *th) {
    if (th->shared || wn__fail_now()) return false;
    uint32_t capacity = th->capacity ? th->capacity * 2 : 256;
    uintptr_t *stack = capacity > th->capacity ? realloc(th->stack, capacity * sizeof *stack) : NULL;
    if (!stack) return false;
    th->stack = stack;
    th->capacity = capacity;
    th->give_back[WN__GIVES_HANDLES] = give_handles;
    return true;
}

wn_tensor *wn__lend(wn__thread *th, wn_tensor *owned) {
    if (!owned || wn__is_bad(owned)) return owned;
    WN_ASSERT_ALL(wn__tensor_assert(owned)); /* every result comes by here */
    WN_ASSERT(wn__real_refs(owned) > 0);
    if (__builtin_expect(th->height == th->capacity, 0) && !grow(th)) {
        wn__release(owned);
        return wn__bad_memory("scope");
    }
    atomic_fetch_add_explicit(&owned->refs, WN__REF_SCOPE - WN__REF_REAL, memory_order_relaxed);
    th->stack[th->height++] = (uintptr_t)owned;
    return owned;
}

wn_tensor **wn__lend_array(wn__thread *th, int64_t n) {
    WN_ASSERT(n >= 0);
    if (th->height == th->capacity && !grow(th)) return NULL;
    wn_tensor **v = wn__new(wn_tensor *, (size_t)(n > 0 ? n : 1));
    if (v) th->stack[th->height++] = (uintptr_t)v | 1;
    return v;
}

wn_scope wn_begin(void) {
    wn__thread *th = wn__self();
    wn_scope s = {0};
    if (th->scopes == th->open_capacity) {
        uint32_t capacity = th->open_capacity ? th->open_capacity * 2 : 32;
        struct wn__open *open = th->shared || wn__fail_now() ? NULL : realloc(th->open, capacity * sizeof *open);
        if (!open) { /* results go to the enclosing scope: they are only freed later */
            wn__fail_memory("scope");
            return s;
        }
        th->open = open;
        th->open_capacity = capacity;
        th->give_back[WN__GIVES_HANDLES] = give_handles;
    }
    if (++th->next_serial == 0) th->next_serial = 1;
    s.mark = th->height;
    s.serial = th->next_serial;
    s.modes = th->modes;
    s.depth = th->scopes;
    th->open[th->scopes++] = (struct wn__open){s.serial, s.mark, s.modes};
    return s;
}

static void create_on(wn__thread *th, wn_device device) {
    th->modes = device == WN_META ? th->modes | WN__MODE_META : th->modes & ~(uint32_t)WN__MODE_META;
}

wn_scope wn_begin_modes(wn_modes m) {
    wn_scope s = wn_begin();
    wn__thread *th = wn__self();
    if (s.serial == 0) return s; /* the scope did not open: nobody would restore the modes */
    if (!wn_is_on(m.grad, true)) th->modes |= WN__MODE_NO_GRAD;
    if (wn_is_on(m.grad, false)) th->modes &= ~(uint32_t)WN__MODE_NO_GRAD;
    if (wn_is_on(m.inference, false)) th->modes |= WN__MODE_INFERENCE | WN__MODE_NO_GRAD;
    if (m.device) create_on(th, m.device);
    if (!wn_is_on(m.inference, true)) th->modes &= ~(uint32_t)WN__MODE_INFERENCE;
    if (m.autocast.state) wn_set_autocast(wn_is_on(m.autocast, false), m.autocast_dtype ? m.autocast_dtype : WN_BF16);
    return s;
}

void wn_end(wn_scope *s) {
    if (!s || s->serial == 0) return;
    wn__thread *th = wn__self();
    if (s->depth >= th->scopes || th->open[s->depth].serial != s->serial) {
        s->serial = 0;
        wn__fail(WN_E_RUNTIME, "scope", "this scope has already ended, or belongs to another thread");
        return;
    }
    struct wn__open open = th->open[s->depth];
    th->scopes = s->depth;
    const bool casts_end = th->casts && th->modes & WN__MODE_AUTOCAST && !(open.modes & WN__MODE_AUTOCAST);
    th->modes = open.modes ^ ((open.modes ^ th->modes) & WN__MODE_SAVED_HOOKS);
    s->serial = 0;
    pop_to(th, open.mark);
    if (casts_end) th->give_back[WN__GIVES_CASTS](th);
}

wn_tensor *wn_leave(wn_scope *s, wn_tensor *t) {
    if (!wn_ok(t)) {
        wn_end(s);
        return t;
    }
    wn__retain(t); /* survives the end of s, whoever owned it */
    wn_end(s);
    return wn__lend(wn__self(), t);
}

wn_tensor *wn_escape(wn_tensor *t) {
    wn__thread *th = wn__self();
    if (!wn_ok(t) || th->scopes == 0) return t;
    wn__retain(t);
    if (wn__lend(th, t) != t) return &wn__bad_tensor;
    /* Put the new entry below the innermost scope's mark and lift the mark over it. */
    struct wn__open *open = &th->open[th->scopes - 1];
    uintptr_t entry = th->stack[th->height - 1];
    th->stack[th->height - 1] = th->stack[open->mark];
    th->stack[open->mark++] = entry;
    return t;
}

void wn_done(wn_tensor *t) {
    if (!t || wn__is_bad(t)) return;
    wn__thread *th = wn__self();
    uint32_t mark = th->scopes ? th->open[th->scopes - 1].mark : 0;
    for (uint32_t i = th->height; i-- > mark;)
        if (th->stack[i] == (uintptr_t)t) {
            th->stack[i] = th->stack[--th->height];
            release_scope_entry((uintptr_t)t);
            return;
        }
}

wn_tensor *wn_keep(wn_tensor *t) { return wn_ok(t) ? wn__retain(t) : t; }
void wn_drop(wn_tensor *t) {
    if (wn_ok(t)) wn__release(t);
}

wn_tensor *wn_at(wn_list l, int64_t i) {
    int64_t k = i < 0 ? i + l.n : i;
    if (k < 0 || k >= l.n)
        return wn__bad(WN_E_INDEX, "at", "list index %lld is out of range for a list of %lld", (long long)i, (long long)l.n);
    return l.v[k];
}

bool wn_grad_enabled(void) { return wn__recording(wn__self()); }
wn_device wn_default_device(void) { return wn__self()->modes & WN__MODE_META ? WN_META : WN_CPU; }
wn_status wn_set_default_device(wn_device device) {
    if ((int)device < 0 || device > WN_META) return wn__fail(WN_E_VALUE, "set_default_device", "%d is no device", (int)device);
    create_on(wn__self(), device);
    return WN_OK;
}

bool wn_inference_enabled(void) { return (wn__self()->modes & WN__MODE_INFERENCE) != 0; }
void wn_set_grad_enabled(bool on) {
    wn__thread *th = wn__self();
    th->modes = on ? th->modes & ~(uint32_t)WN__MODE_NO_GRAD : th->modes | WN__MODE_NO_GRAD;
}
void wn_set_inference_enabled(bool on) {
    wn__thread *th = wn__self();
    th->modes = on ? th->modes | WN__MODE_INFERENCE : th->modes & ~(uint32_t)WN__MODE_INFERENCE;
}
wn_status wn_set_autocast(bool on, wn_dtype dtype) {
    wn__thread *th = wn__self();
    if (dtype != WN_BF16 && dtype != WN_F16 && dtype != WN_F32)
        return wn__fail(WN_E_TYPE, "autocast", "the dtype must be bfloat16, float16 or float32, not %s", wn_dtype_name(dtype));
    th->modes &= ~(WN__MODE_AUTOCAST | 15u << WN__MODE_AUTOCAST_SHIFT);
    th->modes |= wn__autocast_mode(dtype) & (on ? ~0u : ~(uint32_t)WN__MODE_AUTOCAST);
    return WN_OK;
}
bool wn_autocast_enabled(void) { return (wn__self()->modes & WN__MODE_AUTOCAST) != 0; }
wn_dtype wn_autocast_dtype(void) {
    wn_dtype d = wn__autocast_dtype(wn__self());
    return d ? d : WN_BF16;
}
void wn_set_autocast_cache(bool on) {
    wn__thread *th = wn__self();
    th->modes = on ? th->modes & ~(uint32_t)WN__MODE_AUTOCAST_FRESH : th->modes | WN__MODE_AUTOCAST_FRESH;
}
bool wn_autocast_cache_enabled(void) { return !(wn__self()->modes & WN__MODE_AUTOCAST_FRESH); }
int wn_abi_version(void) { return WN_ABI_VERSION; }
const char *wn_library_version(void) { return WN_VERSION; }
