/* Losses that are one expression for each element, and their reduction. What follows the expression is deferred: loss and mean are
 * one pass over large tensors. */
#include <math.h>
#include "ops/loss/loss.h"

wn_tensor *wn__loss_reduced(wn__call *c, wn_tensor *loss, const char *reduction) {
    const int how = wn__reduction_of(c, reduction);
    if (how < 0) return &wn__bad_tensor;
    return how == WN__REDUCE_MEAN ? wn_mean(loss) : how == WN__REDUCE_SUM ? wn_sum(loss) : loss;
}

/* ------------------------------------------------------------------ distances from a target */

/* ------------------------------------------------------------------ probabilities */

/* Are all elements in [0, 1]? NaN is not. Blocks of a row-major tensor in its compute type, so that the loop vectorises. */
static bool block_in_unit(wn__ct ct, const void *p, int64_t n) {
    int outside = 0;
    if (ct == WN__CT_F64)
        for (int64_t i = 0; i < n; i++) outside |= !(((const double *)p)[i] >= 0) | !(((const double *)p)[i] <= 1);
    else
        for (int64_t i = 0; i < n; i++) outside |= !(((const float *)p)[i] >= 0) | !(((const float *)p)[i] <= 1);
    return !outside;
}
wn_status wn__check_probabilities(wn__call *c) {
    const wn_binary_cross_entropy_each_args *a = c->args;
    if (a->self.kind != WN_VAL_TENSOR || c->meta) return WN_OK;
    WN__OWNED wn_tensor *t = wn__contiguous_raw(a->self.u.t);
    if (!t || (!wn__ptr(t) && t->numel)) return wn__fail_memory(c->op->name);
    const wn__ct ct = wn__compute_type(t->dtype);
    const int64_t size = (int64_t)wn__dtype_size(t->dtype);
    const char *p = wn__ptr(t);
    bool ok = true;
    for (int64_t i = 0; i < t->numel && ok && wn__is_float(t->dtype); i += 512) {
        double room[512];
        const int64_t n = t->numel - i < 512 ? t->numel - i : 512;
        const void *block = p + i * size;
        if (!wn__is_register_form(t->dtype, ct)) {
            wn__kernels_now()->load[ct][t->dtype](n, room, p + i * size, size);
            block = room;
        }
        ok = block_in_unit(ct, block, n);
    }
    return ok ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "all elements of input should be between 0 and 1");
}

wn_status wn__op_binary_cross_entropy(wn__call *c, wn_tensor *input, wn_tensor *target, wn_tensor *weight,
                                      const char *reduction) {
    if (!wn__same_shape(input, target))
        return wn__fail_op(c, WN_E_VALUE, "Using a target size %s that is different to the input size %s is deprecated. Please ensure they have the same size.",
                           wn__dims_text(target->shape, target->ndim), wn__dims_text(input->shape, input->ndim));
    if (input->dtype != target->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "Found dtype %s but expected %s", wn__dtype_word(target->dtype), wn__dtype_word(input->dtype));
    const bool narrow = weight && (input->dtype == WN_F16 || input->dtype == WN_BF16); /* weighted sums may cancel: rounded once */
    wn_tensor *loss = wn_binary_cross_entropy_each(narrow ? wn_to(input, WN_F32) : input, narrow ? wn_to(target, WN_F32) : target);
    if (narrow) return wn__give(c, 0, wn_to(wn__loss_reduced(c, wn_mul(loss, wn_to(weight, WN_F32)), reduction), (wn_dtype)input->dtype));
    if (weight) {
        loss = wn_mul(loss, weight);
        if (loss->dtype != input->dtype && !wn__is_bad(loss)) loss = wn_to(loss, (wn_dtype)input->dtype);
    }
    return wn__give(c, 0, wn__loss_reduced(c, loss, reduction));
}

/* ------------------------------------------------------------------ likelihoods */

/* var with the shape in which it broadcasts to input; NULL and an error record when it has none. */
static wn_tensor *variance(wn__call *c, const wn_tensor *input, wn_tensor *var) {
    if (wn__same_shape(var, input)) return var;
    int same = 0, ones = 0;
    for (int d = 0; d < input->ndim && d < var->ndim; d++) {
        same += var->shape[d] == input->shape[d];
        ones += var->shape[d] != input->shape[d] && var->shape[d] == 1;
    }
    if (var->ndim == input->ndim - 1 && same == var->ndim) return wn_unsqueeze(var, -1);
    if (var->ndim == input->ndim && ones == 1 && same == var->ndim - 1) return var;
    wn__fail_op(c, WN_E_VALUE, "var is of incorrect size: %s for an input %s", wn__desc(var), wn__desc(input));
    return NULL;
}
/* max(t, least) whose gradient is t's. */
wn_tensor *wn__raised(wn_tensor *t, double least) {
    wn_tensor *r = wn_clone(t);
    wn_scope off = wn_begin_modes((wn_modes){.grad = WN_OFF});
    wn_clamp_min_(r, least);
    wn_end(&off);
    return r;
}
wn_status wn__op_gaussian_nll_loss(wn__call *c, wn_tensor *input, wn_tensor *target, wn_tensor *var_given, bool full,
                                   double eps, const char *reduction) {
    if (var_given->numel && !c->meta && wn_item_i64(wn_any(wn_lt(var_given, 0))))
        return wn__fail_op(c, WN_E_VALUE, "var has negative entry/entries");
    wn_tensor *var = variance(c, input, var_given);
    if (!var) return c->th->error;
    var = wn__raised(var, eps);
    wn_tensor *loss = wn_mul(wn_add(wn_log(var), wn_div(wn_square(wn_sub(input, target)), var)), 0.5);
    if (full) loss = wn_add(loss, 0.5 * log(2 * 3.14159265358979323846));
    return wn__give(c, 0, wn__loss_reduced(c, loss, reduction));
}
