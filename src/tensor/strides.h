/* Strides: how the elements of results lie in memory. */
#ifndef WN_TENSOR_STRIDES_H
#define WN_TENSOR_STRIDES_H
#include "tensor/tensor.h"

/* t's byte strides when broadcast to shape. */
void wn__broadcast_strides(const wn_tensor *t, int ndim, const int64_t *shape, int64_t *strides);
/* Element strides of a fresh result of `shape` as PyTorch's TensorIterator gives them for the inputs in[0..n), NULLs skipped. */
void wn__result_strides(wn_tensor *const *in, int n, int ndim, const int64_t *shape, int64_t *out);
/* torch.preserve_format: t's own strides where it is dense, TensorIterator's otherwise. */
void wn__preserved_strides(const wn_tensor *t, int64_t *strides);
/* Neither gaps nor overlap: in order of strides, each dimension steps over exactly what the smaller ones span. */
bool wn__dense_strides(int ndim, const int64_t *shape, const int64_t *strides);
#endif
