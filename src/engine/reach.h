/* Which terms of a product's sums can differ from zero, by what one operand knows of itself: for each row of A (column
 * of B) a range of k. Outside it the operand holds zeros, and the caller promises that the other operand is finite
 * there. Such terms add +0 or -0 to a sum that starts from +0, which changes no bit. So they may be left out while the
 * others keep their order. */
#ifndef WN_ENGINE_REACH_H
#define WN_ENGINE_REACH_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/assert.h"

/* Rows row0 <= i < row1 have terms at k0 <= k < k1. */
typedef struct wn__reach_box {
    int64_t row0, row1, k0, k1;
} wn__reach_box;

typedef struct wn__reach {
    int64_t period;  /* row i of the group is row i % period of a matrix; i / period says of which */
    bool band;       /* row i has terms at i + lower <= k <= i + upper; if false, boxes say */
    int64_t lower, upper;
    int nboxes;      /* if not a band: row i has the terms of the boxes that it is in */
    const wn__reach_box *boxes;
} wn__reach;

/* Some indices of a label, ascending: at[0] < at[1] < ... < at[n - 1]. The others have no terms. */
typedef struct wn__kept {
    int64_t n;
    const int64_t *at;
} wn__kept;

static inline int64_t wn__least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t wn__reach_max(int64_t a, int64_t b) { return a > b ? a : b; }

/* The range *from <= k < *to outside of which rows first .. last - 1 have no terms; empty: *from = *to. */
static inline void wn__reach_range(const wn__reach *r, int64_t first, int64_t last, int64_t k, int64_t *from, int64_t *to) {
    WN_ASSERT(r->period > 0 && first >= 0 && first < last);
    int64_t a = first % r->period, b = a + (last - first), lo = k, hi = 0;
    if (b > r->period) a = 0, b = r->period;
    if (r->band) {
        lo = wn__reach_max(0, a + r->lower);
        hi = wn__least(k, b + r->upper);
    }
    for (int i = 0; i < r->nboxes; i++) {
        const wn__reach_box *x = &r->boxes[i];
        if (x->row1 <= a || x->row0 >= b) continue;
        lo = wn__least(lo, x->k0);
        hi = wn__reach_max(hi, x->k1);
    }
    *from = wn__least(lo, k);
    *to = wn__reach_max(*from, wn__least(hi, k));
}

/* The range *from <= k < *to as steps of a chunk of `len` that begins at `start`, cut to it; empty: *from = *to. */
static inline void wn__reach_cut(int64_t start, int64_t len, int64_t *from, int64_t *to) {
    *from = wn__least(wn__reach_max(*from - start, 0), len);
    *to = wn__reach_max(*from, wn__least(*to - start, len));
}

/* Counts multiply-adds of products with such ranges: those that tiles did and those that they left out. */
extern _Atomic int64_t wn__terms_done, wn__terms_skipped;
static inline void wn__count_terms(int64_t done, int64_t skipped) {
    atomic_fetch_add_explicit(&wn__terms_done, done, memory_order_relaxed);
    atomic_fetch_add_explicit(&wn__terms_skipped, skipped, memory_order_relaxed);
}
#endif
