/* Converts index tensors to offsets; a table for each instruction set level (engine/level/offsets.c). */
#ifndef WN_ENGINE_OFFSETS_H
#define WN_ENGINE_OFFSETS_H
#include "base/dtype.h"

/* to[j] = (set) or += (add) wrapped(p[j * stride]) * step + add: negative indices count from the end of `size`. False:
 * some index is not in [-size, size), and its offset is meaningless. */
typedef bool (*wn__offsets_fn)(const void *p, int64_t stride, int64_t n, int64_t size, int64_t step, int64_t add, int64_t *to);
enum { WN__OFFSETS_SLACK = 8 }; /* elements that may be written behind the last one */
typedef struct wn__offset_kernels {
    wn__offsets_fn set[2], add[2]; /* for int64, for int32 */
    bool (*in_range)(const int64_t *p, int64_t stride, int64_t n, int64_t size); /* are all in [0, size)? */
    /* Lists indices in [lo, lo + span) in v, their positions in `at`; returns how many. Room: n + WN__OFFSETS_SLACK. */
    int64_t (*in_band)(const int64_t *p, int64_t stride, int64_t n, int64_t lo, int64_t span, int64_t *v, int64_t *at);
    bool fast_bands; /* is in_band fast? */
} wn__offset_kernels;
const wn__offset_kernels *wn__offset_kernels_now(void); /* of the level in use */
#endif
