/* What the rows of the reductions, softmax, norms, scans and sorting share. */
#ifndef WN_OPS_REDUCE_H
#define WN_OPS_REDUCE_H
#include "engine/reduction.h"
#include "call/dispatch.h"

/* dim= as a set of dimensions: bit i for dimension i; no list, or an empty one, means all. */
wn_status wn__reduce_dims(const char *op, const wn_dims *dims, int ndim, uint32_t *set);
/* Is where= a bool tensor that broadcasts to t? NULL is. */
wn_status wn__check_mask(const char *op, const wn_tensor *t, const wn_tensor *where);
/* Stride (in elements) of a mask that broadcasts to t, along t's dimension d. */
static inline int64_t wn__mask_stride(const wn_tensor *t, const wn_tensor *mask, int d) {
    int m = d - (t->ndim - mask->ndim);
    return m < 0 || mask->shape[m] == 1 ? 0 : mask->strides[m];
}

/* What var and std divide by less: correction, or 0 or 1 by unbiased. */
static inline double wn__correction(wn_val unbiased, wn_val correction) {
    if (correction.kind == WN_VAL_FLOAT) return correction.u.f;
    return correction.kind != WN_VAL_NONE ? (double)correction.u.i : unbiased.kind != WN_VAL_NONE ? (double)unbiased.u.i : 1;
}

/* Says what a reduction of `self` over `set` gives: result 0 (dtype `out`, 0: none) and, where `also` is given, one more of that dtype. */
wn_status wn__reduce_infer(wn__call *c, wn__reduce_kind kind, wn_tensor *self, uint32_t set, bool keepdim, wn_tensor *where,
                           wn_dtype out, wn_dtype also, wn_dtype compute, double p);
wn_status wn__run_reduction(wn__call *c); /* computes what was said, or leaves it waiting */

/* x where mask (NULL: everywhere), 0 elsewhere. */
wn_tensor *wn__keep(wn_tensor *x, wn_tensor *mask);
static inline int wn__ndim_of(wn_dims d) { return d.n > 0 ? d.n : 0; }
#endif
