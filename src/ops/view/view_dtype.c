/* view(dtype): the same memory read as another dtype. */
#include "ops/pointwise/pointwise.h"

/* Pending values know their storage by one dtype. So a storage that is seen as two is exposed for good: operations that read or
 * write it run at once. */
static bool settle(wn_tensor *t) { return wn_expose(t) == WN_OK; }

wn_status wn__op_view_dtype(wn__call *c) {
    const wn_view_dtype_args *a = c->args;
    wn_tensor *t = a->self;
    if (!wn__dtype_valid((int)a->dtype)) return wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)a->dtype);
    int64_t from = (int64_t)wn__dtype_size(t->dtype), to = (int64_t)wn__dtype_size(a->dtype);
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS], offset = t->offset;
    memcpy(shape, t->shape, sizeof shape);
    memcpy(strides, t->strides, sizeof strides);
    int last = t->ndim - 1;
    if (from != to) {
        if (last < 0) return wn__fail_op(c, WN_E_RUNTIME, "self.dim() cannot be 0 to view %s as %s (different element sizes)", wn_dtype_name((wn_dtype)t->dtype), wn_dtype_name(a->dtype));
        if (t->strides[last] != 1)
            return wn__fail_op(c, WN_E_RUNTIME, "self.stride(-1) must be 1 to view %s as %s (different element sizes), but got %lld", wn_dtype_name((wn_dtype)t->dtype), wn_dtype_name(a->dtype),
                               (long long)t->strides[last]);
        const int64_t many = to > from ? to / from : 1; /* old elements in a new one ... */
        const int64_t each = to > from ? 1 : from / to; /* ... and new ones in an old */
        if (shape[last] % many || offset % many)
            return wn__fail_op(c, WN_E_RUNTIME, "self.size(-1) and self.storage_offset() must be divisible by %lld to view %s as %s, but got %lld and %lld", (long long)many,
                               wn_dtype_name((wn_dtype)t->dtype), wn_dtype_name(a->dtype), (long long)shape[last], (long long)offset);
        bool over = false; /* a tensor without elements may have any sizes and strides */
        shape[last] = wn__mul(shape[last] / many, each, &over);
        offset = wn__mul(offset / many, each, &over);
        for (int d = 0; d < last; d++) {
            if (strides[d] % many)
                return wn__fail_op(c, WN_E_RUNTIME, "self.stride(%d) must be divisible by %lld to view %s as %s, but got %lld", d, (long long)many, wn_dtype_name((wn_dtype)t->dtype),
                                   wn_dtype_name(a->dtype), (long long)strides[d]);
            strides[d] = wn__mul(strides[d] / many, each, &over);
        }
        if (over) return wn__fail_op(c, WN_E_RUNTIME, "Stride calculation overflowed: %s cannot be viewed as %s", wn__desc(t), wn_dtype_name(a->dtype));
    }
    if (t->dtype != a->dtype && !settle(t)) return c->th->error;
    c->out[0] = wn__tensor_view_as(t, a->dtype, t->ndim, shape, strides, offset);
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}
