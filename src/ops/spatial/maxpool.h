/* What the files of maximum pooling over two dimensions share: pool.c computes plane after plane, maxpool_last.c what lies channels last. */
#ifndef WN_OPS_MAXPOOL_H
#define WN_OPS_MAXPOOL_H
#include "ops/spatial/pool.h"

typedef struct wn__maxpool_job {
    wn__window w;
    const wn_tensor *x, *g; /* input, or places and cotangent */
    const char *places;
    char *out, *at;
    wn_dtype dtype;         /* of out */
    wn__ct ct;
    int at_bytes;           /* 1, 4: number in the window; 8: index in the plane */
    _Atomic bool failed;
} wn__maxpool_job;

/* Do images of x lie channels last, and is every number of j->w's as wide as an element? */
bool wn__maxpool_lies_last(const wn__maxpool_job *j, const wn_tensor *x);
/* The maxima of x, which lies so, into out and at, which will lie so. False: no memory. */
bool wn__maxpool_last(wn__maxpool_job *j, const wn_tensor *x);
/* Into out, which will lie so: g, in any strides, at places, dense in that order and of 1 or 4 bytes. */
bool wn__maxpool_last_backward(wn__maxpool_job *j, const wn_tensor *g, const wn_tensor *places);
#endif
