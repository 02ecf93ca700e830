/* What the files of linear maps along dimensions share: axes.c computes plane after plane, axes_last.c images that lie channels last. */
#ifndef WN_OPS_AXES_H
#define WN_OPS_AXES_H
#include "engine/taps.h"
#include "ops/spatial/spatial.h"

enum { WN__AXES_BLOCK = 8192 }; /* elements of an output row done at a time */

typedef struct wn__axes_job {
    wn__axis axes[3];  /* z, y, x */
    char *weight[3];   /* of the compute type */
    int few;           /* x has runs of at most so many elements (1, 2 or 4), and tables for combine_few; 0: longer ones */
    int64_t *at;
    char *few_weight, *few_keep; /* NULL: all 1, of all */
    const wn_tensor *x;
    wn_tensor *y;
    int lead;          /* dimensions before them */
    int64_t step[3];   /* of x, in elements */
    int64_t blocks;    /* of an output row */
    int64_t channels;  /* of images that lie channels last ... */
    int64_t reach;     /* ... the most columns of the input that a block of theirs needs, ... */
    bool moves;        /* ... and whether their pixels are but moved */
    double divisor;
    wn__ct ct;
    wn__taps_kernels k;
    const char *from;
    char *to;
    _Atomic bool failed;
} wn__axes_job;

/* Behind the last input of output i. */
static inline int64_t wn__axis_end(const wn__axis *a, int64_t i) { return a->first[i] + a->start[i + 1] - a->start[i]; }

/* The runs of output i of an axis: first input, their number, where their weights are. */
static inline int64_t wn__axes_run_of(const wn__axes_job *j, int axis, int64_t i, int64_t *first, const char **weight) {
    const wn__axis *a = &j->axes[axis];
    *weight = NULL;
    *first = a->first ? a->first[i] : i;
    if (!a->first) return 1;
    if (j->weight[axis]) *weight = j->weight[axis] + (size_t)a->start[i] * wn__ct_size(j->ct);
    return a->start[i + 1] - a->start[i];
}
static inline double wn__axes_number(wn__ct ct, const char *p, int64_t k) {
    return !p ? 1 : ct == WN__CT_F32 ? (double)((const float *)(const void *)p)[k] : ((const double *)(const void *)p)[k];
}
static inline bool wn__axes_divides(const wn__axes_job *j) {
    return j->divisor != 0 || j->axes[0].extent || j->axes[1].extent || j->axes[2].extent;
}

/* Of images: fills channels, blocks, reach and moves; and the task over all blocks of all rows of the result, which lies channels last, too. */
void wn__axes_last_plan(wn__axes_job *j);
void wn__axes_last_task(void *ctx, int64_t begin, int64_t end);
#endif
