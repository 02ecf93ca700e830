/* What layer_norm and batch_norm share. */
#ifndef WN_OPS_NORM_H
#define WN_OPS_NORM_H
#include "cpu/reduce_kernels.h"
#include "ops/reduce.h"

wn_tensor *wn__float_line(wn_tensor *t, wn_dtype d); /* owned: contiguous, of dtype d */
double wn__eps_of(wn_val v);                         /* 1e-5 unless given */
/* parts[0] += parts[1] + ...: blocks of n elements, pairwise. */
void wn__add_blocks(const wn__reduce_kernels *k, wn__elem e, char *parts, int64_t blocks, int64_t n);
#endif
