/* Copies with conversion: the engine of copy_, clone, contiguous and to. */
#include "defer/copy.h"
#include "base/alloc.h"
#include "defer/value.h"
#include "tensor/strides.h"

/* A program without instructions: one leaf, one output. */
wn_status wn__copy(wn_tensor *dst, const wn_tensor *src) {
    if (dst->numel == 0 || wn__is_meta(dst)) return WN_OK;
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
    /* Elements of one dtype are copied bit by bit. */
    wn__ct ct = wn__cast_type(src->dtype, dst->dtype);
    if (src->dtype == dst->dtype && wn__dtype_size(src->dtype) == 2) { /* f16 and bf16 as they are stored */
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

wn_tensor *wn__restrided_raw(const wn_tensor *t, wn_dtype dtype, const int64_t *strides) {
    WN_ASSERT(t->magic == WN__MAGIC && wn__dtype_valid((int)dtype));
    if (wn__is_meta(t)) return wn__tensor_meta(dtype, t->ndim, t->shape, strides);
    wn_tensor *r = wn__tensor_new(dtype, t->ndim, t->shape, strides);
    if (r && wn__copy(r, t)) {
        wn__release(r);
        return NULL;
    }
    return r;
}

wn_status wn__copy_later(const wn_op *op, wn_tensor *y, const wn_tensor *t) {
    if (wn__defer_copy(op, y, t)) return WN_OK;
    return wn__storage_fill(y->storage) ? wn__copy(y, t) : wn__fail_memory(op->name);
}
static wn_tensor *copied_later(const wn_op *op, const wn_tensor *t, const int64_t *strides) {
    if (wn__is_meta(t)) return wn__tensor_meta((wn_dtype)t->dtype, t->ndim, t->shape, strides);
    wn_tensor *r = wn__tensor_unfilled((wn_dtype)t->dtype, t->ndim, t->shape, strides);
    if (!r || !wn__copy_later(op, r, t)) return r;
    wn__release(r);
    return NULL;
}

wn_tensor *wn__restrided(const wn_tensor *t, const int64_t *strides) {
    return copied_later(&wn__ops[WN__OP_with_strides], t, strides);
}
wn_tensor *wn__clone_raw(const wn_tensor *t) {
    WN_ASSERT(t->magic == WN__MAGIC);
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(t, strides);
    return wn__restrided_raw(t, (wn_dtype)t->dtype, strides);
}
wn_tensor *wn__clone_later(const wn_tensor *t) {
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(t, strides);
    return copied_later(&wn__ops[WN__OP_clone], t, strides);
}
wn_tensor *wn__to_dtype_raw(const wn_tensor *t, wn_dtype dtype) {
    WN_ASSERT(t->magic == WN__MAGIC && wn__dtype_valid((int)dtype));
    if (t->dtype == dtype) return wn__retain((wn_tensor *)(uintptr_t)t);
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(t, strides);
    return wn__restrided_raw(t, dtype, strides);
}
wn_tensor *wn__contiguous_raw(const wn_tensor *t) {
    return t->contiguous ? wn__retain((wn_tensor *)(uintptr_t)t) : wn__restrided_raw(t, (wn_dtype)t->dtype, NULL);
}
wn_tensor *wn__plain_raw(const wn_tensor *t, wn_dtype dtype) {
    wn_tensor *same = wn__to_dtype_raw(t, dtype), *r = same ? wn__contiguous_raw(same) : NULL;
    wn__release(same);
    return r;
}
