/* Products, minima and maxima at the places of an index: the innermost loops of scatter_reduce. */
#include "base/inline.h"
#include "ops/index/index.h"

#define BODY "ops/index/index_fold_of.h"
#include "base/for_numbers.h"

#define KERNELS(N) {{mul_each_##N, mul_rows_##N}, {min_each_##N, min_rows_##N}, {max_each_##N, max_rows_##N}}
wn__ix_kernel wn__ix_fold_kernel(wn__ix_mode mode, wn_dtype dtype, bool rows) {
    static const wn__ix_kernel of[WN__DTYPES][3][2] = {[WN_F32] = KERNELS(f32), [WN_F64] = KERNELS(f64), [WN_I8] = KERNELS(i8),   [WN_U8] = KERNELS(u8),
                                                       [WN_I16] = KERNELS(i16), [WN_I32] = KERNELS(i32), [WN_I64] = KERNELS(i64), [WN_BOOL] = KERNELS(u8)};
    const bool both = dtype == WN_BOOL && mode == WN__IX_MUL; /* its elements are 0 or 1, so "and" is the smaller one, too */
    return of[dtype][(both ? WN__IX_MIN : mode) - WN__IX_MUL][rows];
}
