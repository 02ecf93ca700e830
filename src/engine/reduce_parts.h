/* What the level files of the reductions share. */
#ifndef WN_ENGINE_REDUCE_PARTS_H
#define WN_ENGINE_REDUCE_PARTS_H
#include <string.h>
#include "base/inline.h"
#include "engine/level/this_level.h"
#include "engine/reduce_kernels.h"

int64_t WN_AT_LEVEL(wn__reduce_compact)(size_t size, const void *x, int64_t stride, const uint8_t *mask, int64_t mstride,
                                        int64_t n, void *buf);
int64_t WN_AT_LEVEL(wn__reduce_count)(const uint8_t *mask, int64_t mstride, int64_t n);

/* Before a loop that vectorises: more registers in turn. An exit every few hundred elements is not foreseen otherwise. */
#ifdef __clang__
#define WN__UNROLL _Pragma("clang loop interleave_count(4)")
#else
#define WN__UNROLL _Pragma("GCC unroll 4")
#endif

static inline size_t wn__dtype_bytes(wn_dtype d) {
    static const uint8_t size[] = {4, 4, 8, 2, 2, 1, 2, 4, 8, 1, 1};
    return size[d];
}

/* Do rows shorter than a few registers follow each other in memory? Then 16 of them are one row of 16 lanes. */
static inline bool wn__rows_flat(const wn__cols *c) { return c->stride == 1 && c->step == c->width * (int64_t)wn__dtype_bytes(c->dtype); }
#endif
