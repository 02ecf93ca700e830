/* Rows that copy: copy_, clone, contiguous, to. */
#include "call/dispatch.h"
#include "defer/value.h"
#include "tensor/strides.h"

wn_status wn__op_fill_tensor(wn__call *c, wn_tensor *value) {
    if (value->ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "fill_ only supports 0-dimension value tensor but got tensor with %d dimensions.", value->ndim);
    return wn__give(c, 0, wn_expand(wn_to(value, (wn_dtype)c->target->dtype), wn_shape(c->target)));
}

wn_status wn__infer_copy(wn__call *c, wn_tensor *src) {
    const wn_tensor *dst = c->target;
    int shift = dst->ndim - src->ndim;
    bool fits = shift >= 0;
    for (int d = 0; fits && d < src->ndim; d++) fits = src->shape[d] == 1 || src->shape[d] == dst->shape[d + shift];
    if (!fits)
        return wn__fail_op(c, WN_E_RUNTIME, "%s does not broadcast to %s", wn__desc(src), wn__desc(dst));
    c->out[0] = wn__retain(c->target);
    return WN_OK;
}
wn_status wn__run_copy(wn__call *c, wn_tensor *src) {
    if (wn__defer_overwrite(c->op, c->target, src)) return WN_OK;
    return wn__before_write(c->target) ? wn__copy(c->target, src) : c->th->error;
}

/* Copies may wait for their readers. */
static wn_status infer_duplicate(wn__call *c, wn_dtype dtype, const int64_t *strides) {
    c->may_wait = true;
    return wn__result(c, 0, dtype, c->in[0]->ndim, c->in[0]->shape, strides);
}
/* Dense tensors keep their strides. */
static wn_status infer_alike(wn__call *c, wn_dtype dtype) {
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(c->in[0], strides);
    return infer_duplicate(c, dtype, strides);
}
wn_status wn__run_duplicate(wn__call *c) { return wn__copy_later(c->op, c->out[0], c->in[0]); }

wn_status wn__infer_clone(wn__call *c) { return infer_alike(c, (wn_dtype)c->in[0]->dtype); }

wn_status wn__op_to_device(wn__call *c, wn_tensor *self, wn_device device) {
    return wn__give(c, 0, device == WN_DEVICE_DEFAULT || device == wn_device_of(self) ? self : wn_copy_to_device(self, device));
}

wn_status wn__op_contiguous(wn__call *c) {
    const wn_contiguous_args *a = c->args;
    return wn__give(c, 0, a->self->contiguous ? a->self : wn_contiguous_copy(a->self));
}
wn_status wn__infer_contiguous_copy(wn__call *c) { return infer_duplicate(c, (wn_dtype)c->in[0]->dtype, NULL); }

wn_status wn__infer_with_strides(wn__call *c, wn_tensor *self, const wn_dims *stride) {
    const int n = stride->n > 0 ? stride->n : 0;
    if (n != self->ndim || (self->numel && !wn__dense_strides(n, self->shape, stride->v)))
        return wn__fail_op(c, WN_E_RUNTIME, "strides %s are not those of a dense tensor like %s", wn__dims_text(stride->v, n), wn__desc(self));
    return infer_duplicate(c, (wn_dtype)self->dtype, stride->v);
}

wn_status wn__op_to(wn__call *c) {
    const wn_to_args *a = c->args;
    if (!wn__dtype_valid((int)a->dtype)) return wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)a->dtype);
    if (a->self->dtype == a->dtype && !a->copy) return wn__give(c, 0, a->self);
    WN_SCOPE(s);
    return wn__give(c, 0, wn_cast(a->self, a->dtype));
}
wn_status wn__infer_cast(wn__call *c, wn_dtype dtype) {
    if (!wn__dtype_valid((int)dtype)) return wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)dtype);
    return infer_alike(c, dtype);
}
