/* Reductions of strided memory: any set of dimensions, any dtype, under an optional mask.
 *
 * The result is defined on the sequence of elements that count: runs of 512 are folded over 16 lanes
 * (engine/reduce_kernels.h), and runs are merged like a binary counter. With a mask the sequence is what the mask
 * selects, in row-major order of the reduced dimensions; that order also holds where an index is the result. Otherwise
 * it is all elements in order of their addresses (the reduced dimension with the largest stride outermost; row-major if
 * strides are equal or one is 0). So the bits depend neither on threads nor on how a mask is stored; strides are known
 * at the call, so a pending tensor gives the same. Elements that do not count are never read. */
#ifndef WN_ENGINE_REDUCTION_H
#define WN_ENGINE_REDUCTION_H
#include "base/api.h"

typedef enum wn__reduce_kind {
    WN__R_SUM,
    WN__R_PROD,
    WN__R_MIN, /* NaN wins; of nothing: +inf, for integers WN__REDUCE_EMPTY */
    WN__R_MAX,
    WN__R_ARGMIN, /* out: the values (or NULL), also: the indices (int64_t) of the first; NaN wins */
    WN__R_ARGMAX,
    WN__R_ANY,
    WN__R_ALL,
    WN__R_NONZERO, /* how many elements are not 0 */
    WN__R_COUNT,   /* how many elements count; x is not read */
    WN__R_MEAN,    /* this and the next ones: in a floating compute type */
    WN__R_VAR,     /* sum of squared deviations / max(0, n - p); also: the mean (both may be NULL) */
    WN__R_STD,
    WN__R_LSE,     /* log(sum(exp(x))) */
    WN__R_NANSUM,  /* floating types */
    WN__R_NORM     /* p-norm, also p = 0 and +-inf; of nothing: 0 */
} wn__reduce_kind;

typedef struct wn__reduce_dim {
    int64_t size;
    int64_t x, m, o; /* strides in elements of input, mask (0 if it broadcasts) and results (o; kept dimensions only) */
} wn__reduce_dim;

typedef struct wn__reduction {
    wn__reduce_kind kind;
    wn_dtype dtype;   /* of x */
    wn_dtype compute; /* 0, or F32, F64, I64: elements are first converted to it */
    const void *x;
    const uint8_t *mask; /* NULL: everything counts */
    int ndim;
    wn__reduce_dim dim[WN_MAX_DIMS];
    uint32_t reduced; /* bit i: dimension i is reduced */
    void *out, *also; /* results; both have the strides o */
    wn_dtype out_dtype, also_dtype;
    int64_t *count; /* how many elements counted, with strides o; or NULL */
    double p;       /* order of the norm; correction of the variance */
} wn__reduction;

typedef enum wn__reduce_status { WN__REDUCE_OK, WN__REDUCE_NO_MEMORY, WN__REDUCE_EMPTY } wn__reduce_status;

wn__reduce_status wn__reduce(const wn__reduction *r);
#endif
