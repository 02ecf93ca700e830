/* Copies with conversion: the engine behind copy_, clone, contiguous, to. */
#include "base/alloc.h"
#include "defer/value.h"
#include "ops/pointwise/pointwise.h"

/* A program without instructions: one leaf, one output. */
wn_status wn__copy(wn_tensor *dst, const wn_tensor *src) {
    if (dst->numel == 0) return WN_OK;
    if (!wn__ptr(src) || !wn__ptr(dst)) return wn_error() ? wn_error() : wn__fail_memory("copy_");
    if (src->dtype == dst->dtype && src->contiguous && dst->contiguous && src->numel == dst->numel &&
        src->numel * (int64_t)wn__dtype_size(src->dtype) < 1 << 16) {
        memmove(wn__ptr(dst), wn__ptr(src), (size_t)src->numel * wn__dtype_size(src->dtype));
        return WN_OK;
    }
    wn__program p;
    int64_t to[WN_MAX_DIMS], from[WN_MAX_DIMS];
    const int64_t *views[2] = {to, from};
    int order[WN_MAX_DIMS];
    wn__broadcast_strides(dst, dst->ndim, dst->shape, to);
    wn__broadcast_strides(src, dst->ndim, dst->shape, from);
    wn__program_order(dst->ndim, dst->shape, views, 2, order);
    p.numel = dst->numel;
    p.nleaves = p.noutputs = 1;
    p.ninstrs = p.nguards = 0;
    p.row = 0;
    wn__leaf *l = &p.leaves[0], *o = &p.outputs[0].to;
    l->base = wn__ptr(src);
    o->base = wn__ptr(dst);
    l->dtype = src->dtype;
    o->dtype = dst->dtype;
    /* bits of one dtype to the same dtype travel unchanged */
    wn__ct ct = wn__cast_type(src->dtype, dst->dtype);
    if (src->dtype == dst->dtype && wn__dtype_size(src->dtype) == 2) { /* f16/bf16 copies are bit copies */
        l->dtype = o->dtype = WN_I16;
        ct = WN__CT_I32;
    }
    l->ct = o->ct = (uint8_t)ct;
    l->constant = o->constant = false;
    l->space = o->space = WN__FULL;
    wn__leaf_layout(l, dst->ndim, dst->shape, from, order);
    wn__leaf_layout(o, dst->ndim, dst->shape, to, order);
    p.outputs[0].src = 0;
    p.outputs[0].in_place = src->storage == dst->storage;
    return wn__program_run(&p) ? WN_OK : wn__fail_memory("copy_");
}

/* No gaps and no overlap: sorted by stride, each dimension steps over exactly what the smaller ones span. */
static bool dense_strides(int ndim, const int64_t *shape, const int64_t *strides) {
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
static bool dense(const wn_tensor *t) { return dense_strides(t->ndim, t->shape, t->strides); }

void wn__preserved_strides(const wn_tensor *t, int64_t *strides) {
    wn_tensor *in = (wn_tensor *)(uintptr_t)t;
    if (dense(t)) memcpy(strides, t->strides, (size_t)t->ndim * sizeof *strides);
    else wn__result_strides(&in, 1, t->ndim, t->shape, strides);
}

wn_tensor *wn__restrided_raw(const wn_tensor *t, wn_dtype dtype, const int64_t *strides) {
    wn_tensor *r = wn__tensor_new(dtype, t->ndim, t->shape, strides);
    if (r && wn__copy(r, t)) {
        wn__release(r);
        return NULL;
    }
    return r;
}

/* The same, pending where that is allowed; op: by whose name it is known. */
static wn_tensor *copied_later(const wn_op *op, const wn_tensor *t, wn_dtype dtype, const int64_t *strides) {
    wn_tensor *r = wn__defer_copy(op, t, dtype, strides);
    return r ? r : wn__restrided_raw(t, dtype, strides);
}

wn_tensor *wn__restrided(const wn_tensor *t, const int64_t *strides) {
    return copied_later(&wn__ops[WN__OP_with_strides], t, (wn_dtype)t->dtype, strides);
}
wn_tensor *wn__clone_raw(const wn_tensor *t) {
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(t, strides);
    return wn__restrided_raw(t, (wn_dtype)t->dtype, strides);
}
wn_tensor *wn__clone_later(const wn_tensor *t) {
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(t, strides);
    return copied_later(&wn__ops[WN__OP_clone], t, (wn_dtype)t->dtype, strides);
}
wn_tensor *wn__to_dtype_raw(const wn_tensor *t, wn_dtype dtype) {
    if (t->dtype == dtype) return wn__retain((wn_tensor *)(uintptr_t)t);
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(t, strides);
    return wn__restrided_raw(t, dtype, strides);
}
wn_tensor *wn__contiguous_raw(const wn_tensor *t) {
    return t->contiguous ? wn__retain((wn_tensor *)(uintptr_t)t) : wn__restrided_raw(t, (wn_dtype)t->dtype, NULL);
}

/* ------------------------------------------------------------------ rows */

wn_status wn__op_fill_tensor(wn__call *c) {
    const wn_fill_tensor_args *a = c->args;
    if (a->value->ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "fill_ only supports 0-dimension value tensor but got tensor with %d dimensions.", a->value->ndim);
    WN_SCOPE(s);
    return wn__give(c, 0, wn_expand(wn_to(a->value, (wn_dtype)c->target->dtype), wn_shape(c->target)));
}

wn_status wn__op_copy(wn__call *c) {
    const wn_copy_args *a = c->args;
    wn_tensor *dst = c->target, *src = a->src;
    int shift = dst->ndim - src->ndim;
    bool fits = shift >= 0;
    for (int d = 0; fits && d < src->ndim; d++) fits = src->shape[d] == 1 || src->shape[d] == dst->shape[d + shift];
    if (!fits)
        return wn__fail_op(c, WN_E_RUNTIME, "%s does not broadcast to %s", wn__desc(src), wn__desc(dst));
    c->out[0] = wn__retain(dst);
    if (wn__defer_overwrite(c->op, dst, src)) return WN_OK;
    return wn__before_write(dst) ? wn__copy(dst, src) : c->th->error;
}

wn_status wn__op_clone(wn__call *c) {
    const wn_clone_args *a = c->args;
    c->out[0] = wn__clone_later(a->self);
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}

wn_status wn__op_contiguous(wn__call *c) {
    const wn_contiguous_args *a = c->args;
    return wn__give(c, 0, a->self->contiguous ? a->self : wn_contiguous_copy(a->self));
}
wn_status wn__op_contiguous_copy(wn__call *c) {
    const wn_contiguous_copy_args *a = c->args;
    c->out[0] = copied_later(c->op, a->self, (wn_dtype)a->self->dtype, NULL);
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}

wn_status wn__op_with_strides(wn__call *c) {
    const wn_with_strides_args *a = c->args;
    const int n = a->stride.n > 0 ? a->stride.n : 0;
    if (n != a->self->ndim || (a->self->numel && !dense_strides(n, a->self->shape, a->stride.v)))
        return wn__fail_op(c, WN_E_RUNTIME, "strides %s are not those of a dense tensor like %s", wn__dims_text(a->stride.v, n), wn__desc(a->self));
    c->out[0] = wn__restrided(a->self, a->stride.v);
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}

wn_status wn__op_to(wn__call *c) {
    const wn_to_args *a = c->args;
    if (!wn__dtype_valid((int)a->dtype)) return wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)a->dtype);
    if (a->self->dtype == a->dtype && !a->copy) return wn__give(c, 0, a->self);
    WN_SCOPE(s);
    return wn__give(c, 0, wn_cast(a->self, a->dtype));
}
wn_status wn__op_cast(wn__call *c) {
    const wn_cast_args *a = c->args;
    if (!wn__dtype_valid((int)a->dtype)) return wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)a->dtype);
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(a->self, strides);
    c->out[0] = copied_later(c->op, a->self, a->dtype, strides);
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}
