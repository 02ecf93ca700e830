/* view(dtype): the same memory read as another dtype. */
#include <stdio.h>
#include "ops/pointwise/pointwise.h"

/* Pending values know their storage by one dtype. So a storage that is seen as two is exposed for good: operations that read or
 * write it run at once. */
static bool settle(wn_tensor *t) { return wn_expose(t) == WN_OK; }

/* torch's texts: what is wrong, of which number (NULL: none). */
static wn_status unfit(wn__call *c, const wn_tensor *t, wn_dtype to, const char *what, const int64_t *got) {
    char number[40] = "";
    if (got) snprintf(number, sizeof number, ", but got %lld", (long long)*got);
    return wn__fail_op(c, WN_E_RUNTIME, "%s to view %s as %s (different element sizes)%s", what, wn__dtype_word(t->dtype), wn__dtype_word(to), number);
}
/* d: -1 the last size, OFFSET the storage offset, else a stride. */
enum { OFFSET = -2 };
static wn_status indivisible(wn__call *c, const wn_tensor *t, wn_dtype to, int d, int64_t many) {
    char what[80];
    if (d < 0) snprintf(what, sizeof what, "self.%s must be divisible by %lld", d == OFFSET ? "storage_offset()" : "size(-1)", (long long)many);
    else snprintf(what, sizeof what, "self.stride(%d) must be divisible by %lld", d, (long long)many);
    return unfit(c, t, to, what, d == OFFSET ? &t->offset : d < 0 ? &t->shape[t->ndim - 1] : &t->strides[d]);
}

wn_status wn__infer_view_dtype(wn__call *c) {
    const wn_view_dtype_args *a = c->args;
    wn_tensor *t = a->self;
    if (!wn__dtype_valid((int)a->dtype)) return wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)a->dtype);
    int64_t from = (int64_t)wn__dtype_size(t->dtype), to = (int64_t)wn__dtype_size(a->dtype);
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS], offset = t->offset;
    memcpy(shape, t->shape, sizeof shape);
    memcpy(strides, t->strides, sizeof strides);
    int last = t->ndim - 1;
    if (from != to) {
        if (last < 0) return unfit(c, t, a->dtype, "self.dim() cannot be 0", NULL);
        if (t->strides[last] != 1) return unfit(c, t, a->dtype, "self.stride(-1) must be 1", &t->strides[last]);
        const int64_t many = to > from ? to / from : 1; /* old elements in a new one ... */
        const int64_t each = to > from ? 1 : from / to; /* ... and new ones in an old */
        if (shape[last] % many || offset % many) return indivisible(c, t, a->dtype, shape[last] % many ? -1 : OFFSET, many);
        bool over = false; /* a tensor without elements may have any sizes and strides */
        shape[last] = wn__mul(shape[last] / many, each, &over);
        offset = wn__mul(offset / many, each, &over);
        for (int d = 0; d < last; d++) {
            if (strides[d] % many) return indivisible(c, t, a->dtype, d, many);
            strides[d] = wn__mul(strides[d] / many, each, &over);
        }
        if (over) return wn__fail_op(c, WN_E_RUNTIME, "Stride calculation overflowed: %s cannot be viewed as %s", wn__desc(t), wn_dtype_name(a->dtype));
    }
    if (t->dtype != a->dtype && !settle(t)) return c->th->error;
    c->out[0] = wn__tensor_view_as(t, a->dtype, t->ndim, shape, strides, offset);
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}
