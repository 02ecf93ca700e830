/* Broadcast strides, those of results, and those that torch.preserve_format keeps. */
#include "tensor/strides.h"

void wn__broadcast_strides(const wn_tensor *t, int ndim, const int64_t *shape, int64_t *strides) {
    int shift = ndim - t->ndim;
    WN_ASSERT(shift >= 0 && ndim <= WN_MAX_DIMS);
    int64_t size = (int64_t)wn__dtype_size(t->dtype);
    for (int d = shift; d < ndim; d++) WN_ASSERT(t->shape[d - shift] == shape[d] || t->shape[d - shift] == 1);
    for (int d = 0; d < ndim; d++)
        strides[d] = d < shift || (t->shape[d - shift] == 1 && shape[d] != 1) ? 0 : (int64_t)((uint64_t)t->strides[d - shift] * (uint64_t)size); /* wraps only if there are no elements */
}

/* PyTorch's TensorIterator: dimensions are ordered by strides; the first operand whose strides differ decides. */
static int64_t order_of(int a, int b, const int64_t (*strides)[WN_MAX_DIMS], int n, const int64_t *shape) {
    for (int i = 0; i < n; i++) {
        int64_t sa = strides[i][a], sb = strides[i][b];
        if (sa == 0 || sb == 0) continue;
        if (sa != sb) return sa < sb ? -1 : 1;
        if (shape[a] > shape[b]) return 1;
    }
    return 0;
}

void wn__result_strides(wn_tensor *const *in, int n, int ndim, const int64_t *shape, int64_t *out) {
    int64_t strides[8][WN_MAX_DIMS];
    int order[WN_MAX_DIMS], used = 0; /* order[0]: innermost */
    WN_ASSERT(n >= 0 && ndim >= 0 && ndim <= WN_MAX_DIMS);
    for (int i = 0; i < n && used < 8; i++)
        if (in[i]) wn__broadcast_strides(in[i], ndim, shape, strides[used++]);
    for (int d = 0; d < ndim; d++) order[d] = ndim - 1 - d;
    for (int i = 1; i < ndim; i++) {
        int at = i;
        for (int k = i - 1; k >= 0; k--) {
            int64_t cmp = order_of(order[k], order[at], (const int64_t(*)[WN_MAX_DIMS])strides, used, shape);
            if (cmp > 0) {
                int swap = order[k];
                order[k] = order[at];
                order[at] = swap;
                at = k;
            } else if (cmp < 0) {
                break;
            }
        }
    }
    uint64_t step = 1; /* an overflow wraps: making the handle is refused then */
    for (int d = 0; d < ndim; d++) {
        out[order[d]] = (int64_t)step;
        step *= (uint64_t)shape[order[d]];
    }
    /* Sizes of 0: torch keeps strides of at least the row-major form */
    bool empty = false;
    for (int d = 0; d < ndim; d++) empty |= shape[d] == 0;
    if (empty) wn__row_major(ndim, shape, out);
}

bool wn__dense_strides(int ndim, const int64_t *shape, const int64_t *strides) {
    WN_ASSERT(ndim >= 0 && ndim <= WN_MAX_DIMS);
    int order[WN_MAX_DIMS], n = 0;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 1) continue;
        int k = n++;
        for (; k > 0 && strides[order[k - 1]] > strides[i]; k--) order[k] = order[k - 1];
        order[k] = i;
    }
    int64_t step = 1;
    for (int k = 0; k < n; k++) {
        if (strides[order[k]] != step) return false;
        step = wn__mul_sat(step, shape[order[k]]);
    }
    return true;
}
static bool dense(const wn_tensor *t) { return wn__dense_strides(t->ndim, t->shape, t->strides); }

void wn__preserved_strides(const wn_tensor *t, int64_t *strides) {
    WN_ASSERT(t->magic == WN__MAGIC);
    wn_tensor *in = (wn_tensor *)(uintptr_t)t;
    if (dense(t)) memcpy(strides, t->strides, (size_t)t->ndim * sizeof *strides);
    else wn__result_strides(&in, 1, t->ndim, t->shape, strides);
}
