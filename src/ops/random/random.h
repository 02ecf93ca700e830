/* What the random rows share. */
#ifndef WN_OPS_RANDOM_H
#define WN_OPS_RANDOM_H
#include "core/rng.h"
#include "core/tensor.h"

/* Draws go to the elements of t in the order of its memory: contiguous tensors and, with PyTorch's streams, whatever is contiguous after
 * a permutation of its dimensions. Otherwise element i in row-major order gets draw i, whatever the strides. */
/* n normals of mean a and deviation b, into p. With PyTorch's streams drawn one by one, as torch does for fewer than 16 numbers, and for
 * any number where its tensor is not contiguous or the normal is only the first step. */
bool wn__normals_one_by_one(wn_generator *g, wn_dtype d, void *p, int64_t n, double a, double b);
bool wn__draws_along_memory(const wn_tensor *t, const wn_generator *g);
#endif
