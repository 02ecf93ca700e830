/* Which keys count for which queries: the mask of attention, read once, in tiles of a panel of queries and as many keys as a panel of packed
 * ones has. Tiles in which nothing counts are not computed, tiles in which all counts need no mask. A row's sums have the same bits: what is
 * left out are weights of 0, in whole groups of WN__ATTENTION_ROOM keys from the block's first one on. */
#ifndef WN_OPS_ATTENTION_MAP_H
#define WN_OPS_ATTENTION_MAP_H
#include "ops/sequence/attention_blocks.h"

/* Makes j's map where j has a mask whose tiles are worth it; without one, or without memory, every tile is computed. */
void wn__map_make(wn__attention *j);
void wn__map_free(wn__attention *j);

/* Some of a block's keys, counted from the block's first one; none: first = last. */
typedef struct wn__span {
    int64_t first, last;
    bool all; /* every query counts every one of them, as far as the mask goes */
} wn__span;
/* Counts what was computed and left out of some pairs, `widths` multiply-adds each (wn_stats.terms_done). */
static inline void wn__map_count(const wn__attention *j, int64_t pairs, int64_t computed, int64_t widths) {
    if (j->map && !j->careful) wn__count_terms(computed * widths, (pairs - computed) * widths);
}
/* Of keys k0 .. k0 + nk - 1 those that some query of panels p0 .. p1 - 1 of batch b counts, and what lies between. */
wn__span wn__map_keys(const wn__attention *j, int64_t b, int64_t p0, int64_t p1, int64_t k0, int64_t nk);
#endif
