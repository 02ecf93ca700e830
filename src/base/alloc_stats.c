/* What is in use: the totals and what threads have not added to them yet. */
#include "base/alloc_impl.h"

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

void wn__memory_stats(wn_stats *s) {
    wn__mem *m = &wn__memory;
    pthread_mutex_lock(&m->lock);
    wn__heap_settle(wn__my_heap);
    s->allocated = m->allocated + heap_deltas();
    s->allocated_peak = m->peak > s->allocated ? m->peak : s->allocated;
    s->reserved = m->reserved;
    s->reserved_peak = m->reserved_peak;
    s->allocations = m->allocations;
    s->frees = m->frees;
    for (wn__heap *h = m->heaps; h; h = h->next) {
        s->allocations += WN__RELAXED_GET(h->allocations);
        s->frees += WN__RELAXED_GET(h->frees);
    }
    s->system_allocations = m->system_allocations;
    pthread_mutex_unlock(&m->lock);
}

/* A thread that allocates at this very moment may bring its old high mark back; nobody can tell the order. */
void wn__memory_reset_peaks(void) {
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
}
