/* What other classes share with the pointwise class. */
#ifndef WN_OPS_POINTWISE_H
#define WN_OPS_POINTWISE_H
#include <stdio.h>
#include "call/dispatch.h"
#include "engine/program.h"

/* t's byte strides when broadcast to shape. */
void wn__broadcast_strides(const wn_tensor *t, int ndim, const int64_t *shape, int64_t *strides);
/* Element strides of a fresh result of `shape` as PyTorch's TensorIterator gives them for the inputs in[0..n), NULLs skipped. */
void wn__result_strides(wn_tensor *const *in, int n, int ndim, const int64_t *shape, int64_t *out);
/* torch.preserve_format: t's own strides where it is dense, TensorIterator's otherwise (ops/create/copy.c). */
void wn__preserved_strides(const wn_tensor *t, int64_t *strides);
/* A factory's dtype: as given, or out='s, or `other`. DEFAULT + error record when the first two differ or it is no dtype. */
wn_dtype wn__factory_dtype(wn__call *c, wn_dtype given, wn_dtype other);
/* The error for a size of which one dimension is negative. */
wn_status wn__fail_negative(wn__call *c, const wn_dims *size);
/* The errors for what does not expand to size: t has more dimensions; size's dimension d is neither t's nor does t have 1 there (ops/view/view.c). */
wn_status wn__fail_expand_dims(wn__call *c, const wn_tensor *t, int ndim, const int64_t *size);
wn_status wn__fail_expand(wn__call *c, const wn_tensor *t, int ndim, const int64_t *size, int d);
/* Can the number be an element of dtype d? torch refuses what is out of range (ops/number.c). */
wn_status wn__check_number(wn__call *c, wn_dtype d, wn_val v);
/* The kernel that computes pow with this exponent from self alone; -1: none does (ops/arith.c). */
int wn__kernel_of_exponent(wn_val exponent);
/* The number as an element of d where d is an integer dtype: modulo its range. Otherwise as it is. */
wn_val wn__wrapped(wn_dtype d, wn_val v);
static inline bool wn__is_narrow_integer(wn_dtype d) { return d == WN_I8 || d == WN_I16 || d == WN_U8; }
/* Sets all of a fresh, dense tensor (ops/create.c). */
wn_status wn__fill_raw(wn_tensor *t, wn_val v);
#endif
