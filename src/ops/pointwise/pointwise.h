/* What other classes share with the pointwise class. */
#ifndef WN_OPS_POINTWISE_H
#define WN_OPS_POINTWISE_H
#include <stdio.h>
#include "call/dispatch.h"
#include "call/number.h"
#include "engine/program.h"
#include "tensor/strides.h"

/* A factory's dtype: as given, or out='s, or `other`. DEFAULT + error record when the first two differ or it is no dtype. */
wn_dtype wn__factory_dtype(wn__call *c, wn_dtype given, wn_dtype other);
/* The error for a size of which one dimension is negative. */
wn_status wn__fail_negative(wn__call *c, const wn_dims *size);
/* The errors for what does not expand to size: t has more dimensions; size's dimension d is neither t's nor does t have 1 there (ops/view/view.c). */
wn_status wn__fail_expand_dims(wn__call *c, const wn_tensor *t, int ndim, const int64_t *size);
wn_status wn__fail_expand(wn__call *c, const wn_tensor *t, int ndim, const int64_t *size, int d);
/* Sets all of a fresh, dense tensor (ops/create/create.c). */
wn_status wn__fill_raw(wn_tensor *t, wn_val v);
#endif
