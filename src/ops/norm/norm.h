/* What layer_norm and batch_norm share. */
#ifndef WN_OPS_NORM_H
#define WN_OPS_NORM_H
#include "cpu/reduce_kernels.h"
#include "ops/reduce/reduce.h"

wn_tensor *wn__float_line(wn_tensor *t, wn_dtype d); /* owned: contiguous, of dtype d */
/* f16 and bf16 as f32, for composed rows (recorded). */
static inline wn_tensor *wn__wide(wn_tensor *t) { return t->dtype == WN_F16 || t->dtype == WN_BF16 ? wn_to(t, WN_F32) : t; }
double wn__eps_of(wn_val v);                         /* 1e-5 unless given */
/* parts[0] += parts[1] + ...: blocks of n elements, pairwise. */
void wn__add_blocks(const wn__reduce_kernels *k, wn__elem e, char *parts, int64_t blocks, int64_t n);
#endif
