/* What the random rows share. */
#ifndef WN_OPS_RANDOM_H
#define WN_OPS_RANDOM_H
#include "call/dispatch.h"
#include "tensor/rng.h"
#include "tensor/tensor.h"

/* n normals of mean a and deviation b, into p. With PyTorch's streams drawn one by one, as torch does for fewer than 16 numbers, and for
 * any number where its tensor is not contiguous or the normal is only the first step. */
void wn__normals_one_by_one(wn_generator *g, wn_dtype d, void *p, int64_t n, double a, double b);
/* Where draws for t are written one after the other: t itself, or a dense tensor from which wn__draws_arrive, which releases it, brings them
 * to t. Element i in row-major order gets draw i, whatever the strides, but with PyTorch's streams element i in the order in which
 * TensorIterator visits t. NULL: no memory. */
wn_tensor *wn__place_of_draws(const wn_tensor *t, const wn_generator *g);
wn_status wn__draws_arrive(wn_tensor *t, wn_tensor *place);
/* rrelu's slopes: of self's shape, uniform in [low, high); f32 for the half types. NULL: an error is recorded. */
wn_tensor *wn__rrelu_slopes(wn__call *c, wn_tensor *self, double low, double high, wn_generator *g);
#endif
