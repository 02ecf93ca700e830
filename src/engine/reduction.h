/* Reductions of strided memory: any set of dimensions, any dtype, under an optional mask.
 *
 * The result is defined on the sequence of elements that count: runs of 512 are folded over 16 lanes (engine/reduce_kernels.h), runs are
 * merged like a binary counter. Under a mask the sequence is what the mask selects, in row-major order of the reduced dimensions, as it is
 * where an index is the result; otherwise all elements in the order of their addresses (the reduced dimension with the largest stride
 * outermost; row-major where strides are equal or one is 0). So the bits do not depend on threads nor on how a mask is stored. The strides
 * of a tensor are known at the call, so a pending one gives the same bits. Elements that do not count are never looked at. */
#ifndef WN_ENGINE_REDUCTION_H
#define WN_ENGINE_REDUCTION_H
#include "base/api.h"

typedef enum wn__reduce_kind {
    WN__R_SUM,
    WN__R_PROD,
    WN__R_MIN, /* NaN wins; over nothing: +inf, integers: WN__REDUCE_EMPTY */
    WN__R_MAX,
    WN__R_ARGMIN, /* `out` the values (may be NULL), `also` the indices (int64_t): first one, NaN wins */
    WN__R_ARGMAX,
    WN__R_ANY,
    WN__R_ALL,
    WN__R_NONZERO, /* how many are not 0 */
    WN__R_COUNT,   /* how many count; x is not read */
    WN__R_MEAN,    /* floating compute type; so are those below */
    WN__R_VAR,     /* sum of squared deviations / max(0, n - p); `also` gets the mean (both may be NULL) */
    WN__R_STD,
    WN__R_LSE,     /* log(sum(exp(x))) */
    WN__R_NANSUM,  /* floating types */
    WN__R_NORM     /* p-norm, p = 0 and +-inf included; over nothing: 0 */
} wn__reduce_kind;

typedef struct wn__reduce_dim {
    int64_t size;
    int64_t x, m, o; /* strides of input, mask (0 where it broadcasts) and results, in elements; o only where kept */
} wn__reduce_dim;

typedef struct wn__reduction {
    wn__reduce_kind kind;
    wn_dtype dtype;   /* of x */
    wn_dtype compute; /* 0, or F32, F64, I64: what elements are converted to first */
    const void *x;
    const uint8_t *mask; /* NULL: everything counts */
    int ndim;
    wn__reduce_dim dim[WN_MAX_DIMS];
    uint32_t reduced; /* bit i: dimension i goes away */
    void *out, *also; /* results; both walk with the strides o */
    wn_dtype out_dtype, also_dtype;
    int64_t *count; /* how many counted, strides o; may be NULL */
    double p;       /* order of the norm; correction of the variance */
} wn__reduction;

typedef enum wn__reduce_status { WN__REDUCE_OK, WN__REDUCE_NO_MEMORY, WN__REDUCE_EMPTY } wn__reduce_status;

wn__reduce_status wn__reduce(const wn__reduction *r);
#endif
