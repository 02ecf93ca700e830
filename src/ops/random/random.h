/* What the random rows share. */
#ifndef WN_OPS_RANDOM_H
#define WN_OPS_RANDOM_H
#include "core/rng.h"
#include "core/tensor.h"

/* Draws go to the elements of t in the order of its memory: contiguous tensors and, with PyTorch's streams, whatever is contiguous after
 * a permutation of its dimensions. Otherwise element i in row-major order gets draw i, whatever the strides. */
bool wn__draws_along_memory(const wn_tensor *t, const wn_generator *g);
#endif
