/* What the files of average pooling over two dimensions share: avgpool.c computes plane after plane, avgpool_last.c what lies channels last. */
#ifndef WN_OPS_AVGPOOL_H
#define WN_OPS_AVGPOOL_H
#include "ops/spatial/pool.h"

/* For output row (column) i: the elements [start, end) that it sums, and the extent it is divided by. */
typedef struct wn__avgpool_span {
    int32_t start, end, extent;
} wn__avgpool_span;

typedef struct wn__avgpool_job {
    int64_t h, w, oh, ow;
    wn__avgpool_span *ys, *xs;
    int64_t divisor; /* 0: the product of the extents */
    const wn_tensor *in;
    char *out;
    wn_dtype dtype;
    wn__ct ct;
    _Atomic bool failed;
} wn__avgpool_job;

/* All of it, of images that lie channels last as the result will: the same sums in the same order. */
void wn__avgpool_last(wn__avgpool_job *j, bool back);
#endif
