/* Planned failures, plain objects and scratch memory. */
#include "base/alloc_impl.h"
#include "base/api.h"
#include <stdlib.h>

_Atomic int64_t wn__fail_countdown = -1;
static _Atomic bool fail_hit;

/* The countdown runs through 0 exactly once, so exactly one allocation fails however many threads allocate: whoever takes
 * the 0. Threads that pass the inline test at the same moment only push it further below. */
bool wn__fail_slow(void) {
    int64_t before = atomic_fetch_sub_explicit(&wn__fail_countdown, 1, memory_order_relaxed);
    if (before != 0) return false;
    atomic_store_explicit(&fail_hit, true, memory_order_relaxed);
    return true;
}

void wn_fail_allocation(int64_t n) {
    atomic_store_explicit(&fail_hit, false, memory_order_relaxed);
    atomic_store_explicit(&wn__fail_countdown, n < 0 ? -1 : n, memory_order_relaxed);
}

bool wn_fail_allocation_hit(void) { return atomic_load_explicit(&fail_hit, memory_order_relaxed); }

/* Sizes from 0 (one byte is taken, so that NULL always means failure) to PTRDIFF_MAX; false beyond. */
static bool array_bytes(size_t n, size_t size, size_t *bytes) {
    if (__builtin_mul_overflow(n, size, bytes) || *bytes > (size_t)PTRDIFF_MAX) return false;
    if (*bytes == 0) *bytes = 1;
    return true;
}

/* Cached tensor data is the first thing to give up when the system refuses. */
static void give_back(void) {
    wn__heap_flush(wn__my_heap);
    wn__cache_trim(0);
}

void *wn__calloc(size_t n, size_t size) {
    size_t bytes;
    if (wn__fail_now() || !array_bytes(n, size, &bytes)) return NULL;
    void *p = calloc(1, bytes);
    if (!p) {
        give_back();
        p = calloc(1, bytes);
    }
    return p;
}

void *wn__realloc(void *p, size_t n, size_t size) {
    size_t bytes;
    if (wn__fail_now() || !array_bytes(n, size, &bytes)) return NULL;
    void *q = realloc(p, bytes);
    if (!q) {
        give_back();
        q = realloc(p, bytes);
    }
    return q;
}

void wn__free(void *p) { free(p); }

void *wn__scratch(int slot, size_t bytes) {
    if (wn__fail_now() || slot < 0 || slot >= WN__SCRATCH_SLOTS) return NULL;
    wn__heap *h = wn__my_heap ? wn__my_heap : wn__heap_make();
    if (!h) return NULL;
    if (WN__LIKELY(h->scratch[slot].p && h->scratch[slot].capacity >= bytes)) return h->scratch[slot].p;
    /* The old block goes first: its contents are not wanted, and the two need not exist together. */
    if (h->scratch[slot].p) wn__block_put(h->scratch[slot].p, h->scratch[slot].capacity, false);
    h->scratch[slot].capacity = 0;
    h->scratch[slot].p = wn__block_get(bytes, &h->scratch[slot].capacity, false);
    if (h->scratch[slot].p) WN__SPOIL(h->scratch[slot].p, h->scratch[slot].capacity);
    return h->scratch[slot].p;
}

void wn__scratch_release(void) {
    wn__heap *h = wn__my_heap;
    if (!h) return;
    for (int i = 0; i < WN__SCRATCH_SLOTS; i++) {
        if (h->scratch[i].p) wn__block_put(h->scratch[i].p, h->scratch[i].capacity, false);
        h->scratch[i].p = NULL;
        h->scratch[i].capacity = 0;
    }
}

_Static_assert(WN__SCRATCH_SLOTS <= sizeof((wn__scratch_kept *)0)->slot / sizeof *((wn__scratch_kept *)0)->slot, "room for every slot");

void wn__scratch_set_aside(wn__scratch_kept *k) {
    wn__heap *h = wn__my_heap;
    for (int i = 0; i < WN__SCRATCH_SLOTS; i++) {
        k->slot[i].p = h ? h->scratch[i].p : NULL;
        k->slot[i].capacity = h ? h->scratch[i].capacity : 0;
        if (h) h->scratch[i].p = NULL, h->scratch[i].capacity = 0;
    }
}

void wn__scratch_take_back(const wn__scratch_kept *k) {
    wn__heap *h = wn__my_heap;
    wn__scratch_release();
    for (int i = 0; i < WN__SCRATCH_SLOTS && h; i++) {
        h->scratch[i].p = k->slot[i].p;
        h->scratch[i].capacity = k->slot[i].capacity;
    }
}
