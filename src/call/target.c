/* Targets: the tensor that an in-place or out= call writes. */
#include "call/target.h"
#include "base/words.h"
#include "defer/value.h"
#include "grad/tape.h"

wn_status wn__resize_out(wn__call *c, wn_tensor *out, int ndim, const int64_t *shape) {
    const wn_dtype d = (wn_dtype)out->dtype;
    WN__OWNED wn_tensor *fresh = (wn__is_meta(out) ? wn__tensor_meta : wn__tensor_new)(d, ndim, shape, NULL);
    if (!fresh) return wn__fail_memory(c->op->name);
    wn__tensor_assign(out, fresh, true);
    return WN_OK;
}

/* The error in the words of torch's linear algebra, and in those of its other operations: programs look for either. */
static wn_status cannot_cast(wn__call *c, int from, int to) {
    const char *f = wn__dtype_word(from), *t = wn__dtype_word(to);
    return wn__fail_op(c, WN_E_RUNTIME, "result type %s can't be cast to the desired output type %s (Expected result to be safely castable from %s dtype, but got result with dtype %s)", f, t, f, t);
}
wn_status wn__check_landing(wn__call *c, const wn_tensor *r) {
    const wn_tensor *t = c->target;
    if (c->op->flags & WN__F_OUT_EXACT && !c->inplace && r->dtype != t->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected out tensor to have dtype %s, but got %s instead", wn__dtype_cxx(r->dtype),
                           wn__dtype_cxx(t->dtype));
    if (!wn__can_cast((wn_dtype)r->dtype, (wn_dtype)t->dtype)) return cannot_cast(c, r->dtype, t->dtype);
    if (c->inplace && !wn__same_shape(r, t))
        return wn__fail_op(c, WN_E_RUNTIME, "the result %s does not fit the tensor changed in place, %s", wn__desc(r), wn__desc(t));
    return WN_OK;
}
wn_status wn__land(wn__call *c) {
    wn_tensor *t = c->target, *r = c->out[0];
    if (r == t) return WN_OK;
    wn_status st = wn__check_landing(c, r);
    if (!st && !wn__same_shape(r, t)) st = wn__resize_out(c, t, r->ndim, r->shape);
    if (st) return st;
    if (!wn__before_write(t)) return c->th->error;
    /* Autograd recorded the operations of a composite, not the composite: copying its result must be recorded, too. */
    if (c->op->cls == WN__COMPOSITE && c->inplace) {
        if (!wn_ok(wn_copy_(t, r))) st = c->th->error;
    } else {
        st = wn__copy(t, r);
    }
    if (st) return st;
    wn__release(r);
    c->out[0] = wn__retain(t);
    return WN_OK;
}

bool wn__target_fits(const wn__call *c, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides) {
    const wn_tensor *t = c->target;
    if (!t || t->dtype != dtype || t->ndim != ndim || memcmp(t->shape, shape, (size_t)ndim * sizeof *shape) ||
        (strides ? memcmp(t->strides, strides, (size_t)ndim * sizeof *strides) != 0 : !t->contiguous))
        return false;
    for (int k = 0; k < c->nin; k++)
        if (c->in[k] && wn__overlap(t, c->in[k])) return false;
    return true;
}

wn_status wn__find_target(wn__call *c, bool recording) {
    const wn_op *op = c->op;
    if (__builtin_expect(c->inplace, 1)) {
        c->target = c->nin ? c->in[0] : NULL;
        if (!c->target) return wn__fail_op(c, WN_E_TYPE, "the in-place form needs a tensor to change");
    } else if (op->out_offset) {
        c->target = *(wn_tensor **)((char *)(uintptr_t)c->args + op->out_offset);
        if (!c->target) return WN_OK;
        if (c->target == &wn__bad_tensor || c->target->magic != WN__MAGIC) return wn__bad_operand(c, c->target);
        if (wn__is_meta(c->target) != c->meta)
            return wn__fail_op(c, WN_E_RUNTIME, "Attempting to copy from device %s to device %s, but cross-device copies are not allowed!",
                               c->meta ? "meta" : "cpu", c->meta ? "cpu" : "meta");
        if (recording)
            return wn__fail_op(c, WN_E_RUNTIME, "functions with out=... arguments don't support automatic differentiation, but one "
                                                "of the arguments requires grad");
    }
    return WN_OK;
}

wn_status wn__check_shared(wn__call *c) {
    wn_tensor *t = c->target;
    for (int i = 0; i < c->nin && t; i++)
        if (c->in[i] && c->in[i] != t && wn__overlap(t, c->in[i]) == 1)
            return wn__fail_op(c, WN_E_RUNTIME, "unsupported operation: the written-to tensor %s and the input %s share some memory; "
                               "clone() one of them first", wn__desc(t), wn__desc(c->in[i]));
    return WN_OK;
}

wn_status wn__check_target(wn__call *c, bool recording) {
    wn_tensor *t = c->target;
    if (!(c->op->flags & WN__F_ONE_VALUE) && wn__overlaps_itself(t))
        return wn__fail_op(c, WN_E_RUNTIME, "unsupported operation: more than one element of the written-to tensor %s (strides %s) "
                           "refers to a single memory location; clone() it first", wn__desc(t), wn__dims_text(t->strides, t->ndim));
    wn_status st = c->op->flags & WN__F_SHARES ? WN_OK : wn__check_shared(c);
    if (st) return st;
    if (c->inplace) return wn__check_inplace(c->op->name, t, recording);
    return t->flags & WN__T_INFERENCE && !(c->th->modes & WN__MODE_INFERENCE) ? wn__refuse_inference(c->op->name, t) : WN_OK;
}
