/* fill_ and zero_ on a tensor that overlaps itself (an expanded view, overlapping windows). Since every write is of the
 * same value, that is harmless. */
#include "base/alloc.h"
#include "call/number.h"
#include "tensor/strides.h"

/* Converts the value to an element of the target's dtype; an error if it does not fit. */
static wn_status element(wn__call *c, void *to) {
    const wn_dtype d = (wn_dtype)c->target->dtype;
    const bool zero = c->op->nfields == 1; /* zero_ has no number */
    const wn_val v = zero ? wn_val_of_int(0) : ((const wn_fill_args *)c->args)->value;
    if (v.kind == WN_VAL_TENSOR) return wn__fail_op(c, WN_E_TYPE, "value must be a number");
    wn_status st = wn__check_number(c, d, v);
    if (!st) wn__store_val(d, to, v);
    return st;
}

/* One thread only: elements of windows may still coincide. */
static void write_all(const wn_tensor *t, const void *value) {
    const size_t size = wn__dtype_size(t->dtype);
    char *p = wn__ptr(t);
    for (int64_t i = 0; i < t->numel; i++) {
        int64_t rest = i, at = 0;
        for (int d = t->ndim - 1; d >= 0; d--) {
            at += rest % t->shape[d] * t->strides[d];
            rest /= t->shape[d];
        }
        memcpy(p + at * (int64_t)size, value, size);
    }
}

wn_status wn__fill_overlapping(wn__call *c) {
    wn_tensor *t = c->target;
    int64_t value, shape[WN_MAX_DIMS];
    wn_status st = element(c, &value);
    if (st) return st;
    if (!wn__before_write(t)) return c->th->error;
    c->out[0] = wn__retain(t);
    for (int d = 0; d < t->ndim; d++) shape[d] = t->strides[d] ? t->shape[d] : 1; /* repetitions are written once */
    WN__OWNED wn_tensor *once = wn__tensor_view(t, t->ndim, shape, t->strides, t->offset);
    WN__OWNED wn_tensor *one = once ? wn__tensor_new((wn_dtype)t->dtype, 0, shape, NULL) : NULL;
    if (!one) return wn__fail_memory(c->op->name);
    memcpy(wn__ptr(one), &value, wn__dtype_size(t->dtype));
    if (wn__overlaps_itself(once)) write_all(once, &value);
    else st = wn__copy(once, one);
    return st;
}
