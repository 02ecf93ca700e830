/* Copies and conversions of whole tensors, which autograd does not record. */
#ifndef WN_DEFER_COPY_H
#define WN_DEFER_COPY_H
#include "table/op.h"
#include "tensor/tensor.h"

/* dst[...] = src[...] with conversion; src is broadcast. Only shapes are checked. */
wn_status wn__copy(wn_tensor *dst, const wn_tensor *src);
/* A copy in `dtype` with these strides (NULL: row-major), owned; NULL when memory is short. */
wn_tensor *wn__restrided_raw(const wn_tensor *t, wn_dtype dtype, const int64_t *strides);
/* Makes y, which has no memory yet, a copy of t, pending where possible. op: the operation named in messages. */
wn_status wn__copy_later(const wn_op *op, wn_tensor *y, const wn_tensor *t);
wn_tensor *wn__restrided(const wn_tensor *t, const int64_t *strides); /* a copy in t's dtype, pending where possible */
wn_tensor *wn__clone_raw(const wn_tensor *t); /* owned, with t's strides if dense; NULL when memory is short */
wn_tensor *wn__clone_later(const wn_tensor *t); /* the same, possibly pending */
wn_tensor *wn__to_dtype_raw(const wn_tensor *t, wn_dtype dtype); /* owned; t itself when it has the dtype */
wn_tensor *wn__contiguous_raw(const wn_tensor *t); /* owned; t itself when it is row-major */
wn_tensor *wn__plain_raw(const wn_tensor *t, wn_dtype dtype); /* owned, row-major and of that dtype */

#define wn__fail_op(c, code, ...) wn__fail((code), (c)->op->name, __VA_ARGS__)
#endif
