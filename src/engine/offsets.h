/* Index tensors to offsets, one table for each ISA level (engine/level/offsets.c). */
#ifndef WN_ENGINE_OFFSETS_H
#define WN_ENGINE_OFFSETS_H
#include "base/dtype.h"

/* to[j] = (or +=) wrapped(p[j * stride]) * step + add: negative indices count from the end of `size`. False: some index is not in
 * [-size, size); its offset is nonsense. */
typedef bool (*wn__offsets_fn)(const void *p, int64_t stride, int64_t n, int64_t size, int64_t step, int64_t add, int64_t *to);
enum { WN__OFFSETS_SLACK = 8 }; /* written behind the last element that counts */
typedef struct wn__offset_kernels {
    wn__offsets_fn set[2], add[2]; /* of int64, of int32 */
    bool (*in_range)(const int64_t *p, int64_t stride, int64_t n, int64_t size); /* are all in [0, size)? */
    /* The indices in [lo, lo + span) and where they are (j): in order to v and at; returns how many. Room for n + WN__OFFSETS_SLACK. */
    int64_t (*in_band)(const int64_t *p, int64_t stride, int64_t n, int64_t lo, int64_t span, int64_t *v, int64_t *at);
    bool fast_bands; /* is that fast? */
} wn__offset_kernels;
const wn__offset_kernels *wn__offset_kernels_now(void); /* of the level in use */
#endif
