/* Promotion over tensors and numbers. */
#include "tensor/tiers.h"
#include "tensor/tensor.h"

void wn__tiers_add(wn__tiers *t, const wn_tensor *x) {
    if (x->flags & WN__T_WEAK) t->weak = wn__promote(t->weak, (wn_dtype)x->dtype);
    else if (x->ndim) t->dim = wn__promote(t->dim, (wn_dtype)x->dtype);
    else t->zero = wn__promote(t->zero, (wn_dtype)x->dtype);
}

void wn__tiers_add_val(wn__tiers *t, wn_val v) {
    switch ((wn_val_kind)v.kind) {
    case WN_VAL_TENSOR: wn__tiers_add(t, v.u.t); break;
    case WN_VAL_BOOL: t->weak = wn__promote(t->weak, WN_BOOL); break;
    case WN_VAL_INT: t->weak = wn__promote(t->weak, WN_I64); break;
    case WN_VAL_FLOAT: t->weak = wn__promote(t->weak, wn_default_dtype()); break;
    case WN_VAL_NONE: break;
    }
}

static wn_dtype higher_wn__category(wn_dtype high, wn_dtype low) {
    return wn__category(high) < wn__category(low) ? wn__promote(high, low) : high != WN_DTYPE_DEFAULT ? high : low;
}

wn_dtype wn__tiers_result(const wn__tiers *t) {
    return higher_wn__category(t->dim, higher_wn__category(t->zero, t->weak));
}
