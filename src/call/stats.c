/* The statistics of section 7: what the allocator and the kernels counted, in one struct. */
#include "base/alloc_impl.h"
#include "call/report.h"
#include "call/events.h"
#include "base/thread.h"
#include "defer/value.h"

_Atomic int64_t wn__elements_computed, wn__programs_run;

/* Under the lock: bytes of small blocks that threads have taken since they last held the lock. */
static int64_t heap_deltas(void) {
    int64_t n = 0;
    for (wn__heap *h = wn__memory.heaps; h; h = h->next) n += WN__RELAXED_GET(h->delta);
    return n;
}

int64_t wn__bytes_in_use(void) {
    pthread_mutex_lock(&wn__memory.lock);
    wn__heap_settle(wn__my_heap);
    const int64_t n = wn__memory.allocated + heap_deltas();
    pthread_mutex_unlock(&wn__memory.lock);
    return n;
}

wn_stats wn_get_stats(void) {
    wn__mem *m = &wn__memory;
    wn_stats s = {0};
    pthread_mutex_lock(&m->lock);
    wn__heap_settle(wn__my_heap);
    s.allocated = m->allocated + heap_deltas();
    s.allocated_peak = m->peak > s.allocated ? m->peak : s.allocated;
    s.reserved = m->reserved;
    s.reserved_peak = m->reserved_peak;
    s.allocations = m->allocations;
    s.frees = m->frees;
    for (wn__heap *h = m->heaps; h; h = h->next) {
        s.allocations += WN__RELAXED_GET(h->allocations);
        s.frees += WN__RELAXED_GET(h->frees);
    }
    s.system_allocations = m->system_allocations;
    pthread_mutex_unlock(&m->lock);
    s.handles = wn__slab_live(WN__SLAB_TENSOR);
    s.storages = wn__slab_live(WN__SLAB_STORAGE);
    s.elements = WN__RELAXED_GET(wn__elements_computed) + wn__self()->elements;
    s.programs = WN__RELAXED_GET(wn__programs_run);
    s.instr_elements = WN__RELAXED_GET(wn__instr_elements);
    s.skipped = WN__RELAXED_GET(wn__instr_elements_skipped);
    s.products_checked = WN__RELAXED_GET(wn__products_checked);
    s.products_apart = WN__RELAXED_GET(wn__products_apart);
    s.short_pieces = WN__RELAXED_GET(wn__short_pieces);
    wn__defer_lock();
    s.stored = wn__deferred.stored;
    s.recomputed = wn__deferred.recomputed;
    s.dropped = wn__deferred.dropped;
    s.pending = wn__deferred.count;
    s.pinned = wn__deferred.pinned;
    s.pinned_peak = wn__deferred.pinned_peak;
    wn__defer_unlock();
    return s;
}

/* A thread that allocates at this very moment may bring its old high mark back; nobody can tell the order. */
void wn_reset_peaks(void) {
    wn__mem *m = &wn__memory;
    pthread_mutex_lock(&m->lock);
    wn__heap_settle(wn__my_heap);
    for (wn__heap *h = m->heaps; h; h = h->next) {
        int64_t d = WN__RELAXED_GET(h->delta);
        WN__RELAXED_SET(h->high, d > 0 ? d : 0);
    }
    m->peak = m->allocated + heap_deltas();
    m->reserved_peak = m->reserved;
    pthread_mutex_unlock(&m->lock);
    wn__defer_lock();
    wn__deferred.pinned_peak = wn__deferred.pinned;
    wn__defer_unlock();
    WN__RELAXED_SET(wn__elements_computed, 0);
    wn__self()->elements = 0;
}
