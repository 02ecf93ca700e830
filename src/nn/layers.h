/* What the layers share. */
#ifndef WN_NN_LAYERS_H
#define WN_NN_LAYERS_H
#include "base/dtype.h"
#include "tensor/tensor.h"

/* PyTorch's default for linear layers and convolutions: adds weight of `shape` and bias [biases], both U(-b, b) with
 * b = 1/sqrt(fan in of weight). biases < 0: no bias. A failure is in m->status. */
void wn__add_weight_and_bias(wn_module *m, wn_dims shape, int64_t biases, wn_dtype dtype, wn_tensor **weight, wn_tensor **bias);
wn_status wn__no_layer(void); /* the error of an init function without a layer */
#endif
