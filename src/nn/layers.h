/* What the layers share. */
#ifndef WN_NN_LAYERS_H
#define WN_NN_LAYERS_H
#include "core/tensor.h"

/* A number of an args struct: 0 is "left out", WN_NO_RATE is 0. */
static inline double wn__number_or(double given, double fallback) { return given == 0 ? fallback : given == WN_NO_RATE ? 0 : given; }

/* PyTorch's default for linear layers and convolutions: adds weight of `shape` and bias [biases], both U(-b, b) with
 * b = 1/sqrt(fan in of weight). biases < 0: no bias. A failure is in m->status. */
void wn__add_weight_and_bias(wn_module *m, wn_dims shape, int64_t biases, wn_dtype dtype, wn_tensor **weight, wn_tensor **bias);
#endif
