/* Shapes and strides, as plain numbers. */
#ifndef WN_BASE_GEOMETRY_H
#define WN_BASE_GEOMETRY_H
#include <string.h>
#include "base/api.h"

/* Both arrays have WN_MAX_DIMS elements. For one or two dimensions, the usual case, calling memcpy would cost more. */
static inline void wn__copy_dims(int64_t *to, const int64_t *from, int n) {
    to[0] = from[0];
    to[1] = from[1];
    if (n > 2) memcpy(to + 2, from + 2, (size_t)(n - 2) * sizeof *to);
}
int64_t wn__numel_of(int ndim, const int64_t *shape, bool *overflow);
void wn__row_major(int ndim, const int64_t *shape, int64_t *strides);
void wn__column_major(int ndim, const int64_t *shape, int64_t *strides); /* each matrix column by column, batches row by row */
bool wn__contiguous(int ndim, const int64_t *shape, const int64_t *strides);
/* Maps dim in [-ndim, ndim) to [0, ndim), ndim 0 counting as 1; else records an error of `op` and returns -1. */
int wn__wrap_dim(const char *op, int64_t dim, int ndim);
#endif
