/* What layer_norm and batch_norm share. */
#ifndef WN_OPS_NORM_H
#define WN_OPS_NORM_H
#include "engine/reduce_kernels.h"
#include "ops/reduce/reduce.h"

wn_tensor *wn__work_of(wn_tensor *out, wn_dtype d);  /* owned: a result itself, or, where it is of another dtype than d, what wn__copy is to move to it */
static inline wn_dtype wn__wide_dtype(const wn_tensor *t) { return t->dtype == WN_F64 ? WN_F64 : WN_F32; } /* of statistics and sums */
/* f16 and bf16 as f32, for composed rows (recorded). */
static inline wn_tensor *wn__wide(wn_tensor *t) { return t->dtype == WN_F16 || t->dtype == WN_BF16 ? wn_to(t, WN_F32) : t; }
/* For .infer: a result that has no elements where it is not needed. */
static inline wn_status wn__result_if(wn__call *c, int i, bool needed, wn_dtype dtype, int ndim, const int64_t *shape) {
    return needed ? wn__result(c, i, dtype, ndim, shape, NULL) : wn__result(c, i, dtype, 1, (int64_t[]){0}, NULL);
}
wn_tensor *wn__by_channel(wn_tensor *t, int ndim); /* [C] as [1, C, 1, ...], of ndim dimensions */
double wn__eps_of(wn_val v);                         /* 1e-5 unless given */
/* Element i of numbers of the compute type e: statistics and factors. */
static inline double wn__stat(wn__elem e, const char *p, int64_t i) {
    return e == WN__E_F32 ? (double)((const float *)(const void *)p)[i] : ((const double *)(const void *)p)[i];
}
static inline void wn__set_stat(wn__elem e, char *p, int64_t i, double v) {
    if (e == WN__E_F32) ((float *)(void *)p)[i] = (float)v;
    else ((double *)(void *)p)[i] = v;
}
/* Elements at, at + 1, ..., at + n - 1 of p as the compute type e: in place, or converted into buf. */
static inline const void *wn__piece(const wn__reduce_kernels *k, wn_dtype io, wn__elem e, const char *p, int64_t at, int64_t n, char *buf) {
    p += at * (int64_t)wn__dtype_size((int)io);
    if (wn__elem_is(io, e)) return p;
    k->load(io, e, p, 1, n, buf);
    return buf;
}
/* parts[0] += parts[1] + ...: blocks of n elements, pairwise. */
void wn__add_blocks(const wn__reduce_kernels *k, wn__elem e, char *parts, int64_t blocks, int64_t n);
#endif
