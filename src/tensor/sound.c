/* The invariants of a handle; they may be broken only inside the function that makes or changes it. */
#include "tensor/tensor.h"

#if defined(WN_CHECKED) && WN_CHECKED
/* Do the bytes of all elements of t lie in its storage? */
static bool inside(const wn_tensor *t) {
    int64_t low = t->offset, high = t->offset;
    for (int i = 0; i < t->ndim; i++) {
        const int64_t span = wn__mul_sat(t->shape[i] - 1, t->strides[i]);
        if (span < 0) low = wn__add_sat(low, span);
        else high = wn__add_sat(high, span);
    }
    const int64_t end = wn__mul_sat(wn__add_sat(high, 1), (int64_t)wn__dtype_size(t->dtype));
    return low >= 0 && (uint64_t)end <= t->storage->bytes;
}

void wn__tensor_assert(const wn_tensor *t) {
    bool over;
    WN_ASSERT(t->magic == WN__MAGIC);
    if (wn__is_bad(t)) return;
    WN_ASSERT(wn__dtype_valid(t->dtype));
    WN_ASSERT(t->ndim <= WN_MAX_DIMS);
    WN_ASSERT(t->storage && atomic_load_explicit(&t->storage->refs, memory_order_relaxed) > 0);
    for (int i = 0; i < t->ndim; i++) WN_ASSERT(t->shape[i] >= 0);
    WN_ASSERT(t->numel == wn__numel_of(t->ndim, t->shape, &over));
    WN_ASSERT(t->contiguous == wn__contiguous(t->ndim, t->shape, t->strides) << (t->storage->device != 0));
    WN_ASSERT(t->offset >= 0);
    WN_ASSERT(t->numel == 0 || inside(t));
    WN_ASSERT(!(t->flags & WN__T_UNCOUNTED) || t->flags & WN__T_SHIFTED);
}
#endif
