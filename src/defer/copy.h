/* Copies and conversions of whole tensors, without recording. */
#ifndef WN_DEFER_COPY_H
#define WN_DEFER_COPY_H
#include "table/op.h"
#include "tensor/tensor.h"

/* dst[...] = src[...] with conversion; src broadcasts. No checks beyond shapes, no recording. */
wn_status wn__copy(wn_tensor *dst, const wn_tensor *src);
/* A copy with these strides (NULL: row by row), owned; NULL when memory is short. */
wn_tensor *wn__restrided_raw(const wn_tensor *t, wn_dtype dtype, const int64_t *strides);
/* y, which has no memory yet, becomes t, pending where that is possible; op: by whose name it is known. */
wn_status wn__copy_later(const wn_op *op, wn_tensor *y, const wn_tensor *t);
wn_tensor *wn__restrided(const wn_tensor *t, const int64_t *strides); /* ... of t's dtype, pending where that is possible */
wn_tensor *wn__clone_raw(const wn_tensor *t); /* owned, same strides where dense, no history; NULL when memory is short */
wn_tensor *wn__clone_later(const wn_tensor *t); /* the same, possibly pending */
wn_tensor *wn__to_dtype_raw(const wn_tensor *t, wn_dtype dtype); /* owned; t itself when it has the dtype */
wn_tensor *wn__contiguous_raw(const wn_tensor *t); /* owned; t itself when it is row-major */
wn_tensor *wn__plain_raw(const wn_tensor *t, wn_dtype dtype); /* owned, row-major and of that dtype */

#define wn__fail_op(c, code, ...) wn__fail((code), (c)->op->name, __VA_ARGS__)
#endif
