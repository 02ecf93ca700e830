/* The statistics of section 7: what the allocator and the kernels counted, in one struct. */
#include "base/alloc_impl.h"
#include "base/counters.h"
#include "base/thread.h"
#include "defer/value.h"
#include "engine/reach.h"
#include "grad/support.h"

wn_stats wn_get_stats(void) {
    wn_stats s = {0};
    wn__memory_stats(&s);
    s.handles = wn__slab_live(WN__SLAB_TENSOR);
    s.storages = wn__slab_live(WN__SLAB_STORAGE);
    s.elements = WN__RELAXED_GET(wn__elements_computed) + wn__self()->elements;
    s.programs = WN__RELAXED_GET(wn__programs_run);
    s.instr_elements = WN__RELAXED_GET(wn__instr_elements);
    s.skipped = WN__RELAXED_GET(wn__instr_elements_skipped);
    s.products_checked = WN__RELAXED_GET(wn__products_checked);
    s.products_apart = WN__RELAXED_GET(wn__products_apart);
    s.short_pieces = WN__RELAXED_GET(wn__short_pieces);
    s.terms_done = WN__RELAXED_GET(wn__terms_done);
    s.terms_skipped = WN__RELAXED_GET(wn__terms_skipped);
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

void wn_reset_peaks(void) {
    wn__memory_reset_peaks();
    wn__defer_lock();
    wn__deferred.pinned_peak = wn__deferred.pinned;
    wn__defer_unlock();
    WN__RELAXED_SET(wn__elements_computed, 0);
    wn__self()->elements = 0;
}
