/* Calls with results on the meta device: which those are, and which are errors. Dispatch only infers their results. */
#include "call/meta.h"

/* May t be combined with tensors on any device? One-element numbers in main memory may. */
static bool goes_along(const wn_tensor *t) { return !t || wn__is_meta(t) || t->ndim == 0; }

static wn_status check_operands(wn__call *c) {
    const bool mixes = c->th->modes & WN__MODE_MIXES || c->op->flags & WN__F_MIXES;
    if (c->inplace && c->nin && c->in[0] && !wn__is_meta(c->in[0]))
        return mixes ? wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "Cannot copy out of meta tensor; no data!")
                     : wn__fail_op(c, WN_E_RUNTIME, "Attempting to copy from device meta to device cpu, but cross-device copies are not allowed!");
    if (mixes) return WN_OK;
    for (int i = 0; i < c->nin; i++) {
        if (goes_along(c->in[i])) continue;
        const bool first = i == 0; /* torch expects the other tensors on the device of the first */
        return wn__fail_op(c, WN_E_RUNTIME, "Tensor on device %s is not on the expected device %s! (operand %s)", first ? "meta" : "cpu",
                           first ? "cpu" : "meta", wn__desc(c->in[i]));
    }
    return WN_OK;
}

/* Refuses a call whose results cannot be declared without values. */
static wn_status refuse(wn__call *c) {
    if (c->op->cls == WN__KERNEL && !c->op->infer) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "not implemented on the meta device");
    if (!(c->op->flags & WN__F_DATA_DEPENDENT) || c->op->flags & WN__F_SOMETIMES) return WN_OK;
    return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "aten::%s: attempted to run this operator with Meta tensors, but its results depend on values, which those do not have",
                       c->op->name);
}

wn_status wn__find_device(wn__call *c) {
    const wn_op *op = c->op;
    if (op->device_offset) {
        const wn_device given = *(const wn_device *)(const void *)((const char *)c->args + op->device_offset);
        if (given > WN_META || (int)given < 0) return wn__fail_op(c, WN_E_VALUE, "%d is no device", (int)given);
        if (given) c->meta = given == WN_META;
        else if (!(op->flags & WN__F_LIKE) && c->th->modes & WN__MODE_META) c->meta = true;
    } else if (c->meta) {
        const wn_status st = check_operands(c);
        if (st) return st;
    }
    return c->meta ? refuse(c) : WN_OK;
}
