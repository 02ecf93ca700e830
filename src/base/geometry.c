/* Shapes and strides. */
#include "base/geometry.h"
#include "base/assert.h"
#include "base/error.h"

int64_t wn__numel_of(int ndim, const int64_t *shape, bool *overflow) {
    WN_ASSERT(ndim >= 0 && ndim <= WN_MAX_DIMS);
    int64_t n = 1;
    bool over = false, zero = false;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 0) zero = true;
        else if (shape[i] < 0 || __builtin_mul_overflow(n, shape[i], &n)) over = true;
    }
    if (overflow) *overflow = over;
    return zero ? 0 : n;
}

/* A product that overflows wraps: no handle with such a shape can be made, so nobody uses the strides. */
void wn__row_major(int ndim, const int64_t *shape, int64_t *strides) {
    WN_ASSERT(ndim >= 0 && ndim <= WN_MAX_DIMS);
    uint64_t step = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        strides[i] = (int64_t)step;
        step *= shape[i] > 1 ? (uint64_t)shape[i] : 1;
    }
}

void wn__column_major(int ndim, const int64_t *shape, int64_t *strides) {
    WN_ASSERT(ndim >= 0 && ndim <= WN_MAX_DIMS);
    wn__row_major(ndim, shape, strides);
    if (ndim < 2) return;
    strides[ndim - 2] = 1;
    strides[ndim - 1] = shape[ndim - 2] ? shape[ndim - 2] : 1;
}

bool wn__contiguous(int ndim, const int64_t *shape, const int64_t *strides) {
    WN_ASSERT(ndim >= 0 && ndim <= WN_MAX_DIMS);
    uint64_t step = 1;
    bool ok = true;
    for (int i = ndim - 1; i >= 0; i--) {
        if (shape[i] == 0) return true;
        if (shape[i] != 1) {
            ok &= strides[i] == (int64_t)step;
            step *= (uint64_t)shape[i];
        }
    }
    return ok;
}

int wn__wrap_dim(const char *op, int64_t dim, int ndim) {
    WN_ASSERT(ndim >= 0);
    int64_t n = ndim ? ndim : 1;
    if (dim < -n || dim >= n) {
        wn__fail(WN_E_INDEX, op, "Dimension out of range (expected to be in range of [%lld, %lld], but got %lld)",
                 (long long)-n, (long long)(n - 1), (long long)dim);
        return -1;
    }
    return (int)(dim < 0 ? dim + n : dim);
}
