/* Bringing elements to the reduction kernels and back: the conversions are those of pointwise kernels. */
#include "base/inline.h"
#include "engine/kernels.h"
#include "engine/reduce_plan.h"

INLINE void gather(const size_t size, const char *x, int64_t stride, int64_t n, char *buf) {
    for (int64_t i = 0; i < n; i++) memcpy(buf + i * (int64_t)size, x + i * stride * (int64_t)size, size);
}
void wn__reduce_gather(size_t size, const void *x, int64_t stride, int64_t n, void *buf) {
    if (stride == 1) memcpy(buf, x, (size_t)n * size);
    else if (size == 1) gather(1, x, stride, n, buf);
    else if (size == 2) gather(2, x, stride, n, buf);
    else if (size == 4) gather(4, x, stride, n, buf);
    else gather(8, x, stride, n, buf);
}

static wn__ct compute_type(wn__elem e) { return e == WN__E_F32 ? WN__CT_F32 : e == WN__E_F64 ? WN__CT_F64 : WN__CT_I64; }

void wn__reduce_load(wn_dtype from, wn__elem to, const void *x, int64_t stride, int64_t n, void *buf) {
    if (wn__elem_is(from, to)) wn__reduce_gather(wn__elem_size(to), x, stride, n, buf);
    else wn__kernels_now()->load[compute_type(to)][from](n, buf, x, stride * (int64_t)wn__dtype_size((int)from));
}
void wn__reduce_store(wn__elem from, wn_dtype to, const void *buf, int64_t n, void *y, int64_t stride) {
    wn__kernels_now()->store[compute_type(from)][to](n, y, stride * (int64_t)wn__dtype_size((int)to), buf);
}
