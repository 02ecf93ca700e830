/* What files of views share. */
#ifndef WN_OPS_VIEW_H
#define WN_OPS_VIEW_H
#include "tensor/tensor.h"

/* Sizes and strides of t's dimensions that are not in the set of bits; returns how many there are (ops/view/view.c). */
int wn__other_dims(const wn_tensor *t, uint32_t set, int64_t *shape, int64_t *strides);
/* A view of part of t: length elements from start along dim; owned, NULL: no memory. */
wn_tensor *wn__piece(const wn_tensor *t, int dim, int64_t start, int64_t length);
#endif
