/* Losses that are expressions of other rows. */
#include "ops/loss/loss.h"

/* ------------------------------------------------------------------ classification */

/* Targets are a distribution over the classes: -sum(w * t * log_softmax(x)), mean over the positions. */
static wn_status probabilities(wn__call *c, const wn_cross_entropy_args *a, int reduction, int64_t ignore_index) {
    const wn_tensor *x = a->input, *t = a->target;
    if (!wn__is_float(t->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "Expected floating point type for target with class probabilities, got %s (input %s)", wn__desc(t), wn__desc(x));
    if (ignore_index >= 0) return wn__fail_op(c, WN_E_RUNTIME, "ignore_index is not supported for floating point target");
    if (x->ndim == 0) return wn__fail_op(c, WN_E_RUNTIME, "input tensor should be 1D or more, but it is %s", wn__desc(x));
    const int64_t dim = x->ndim == 1 ? 0 : 1, classes = x->shape[dim];
    if (a->weight && (a->weight->ndim != 1 || a->weight->shape[0] != classes))
        return wn__fail_op(c, WN_E_RUNTIME, "weight tensor should be defined either for all %lld classes or no classes but got weight tensor %s",
                           (long long)classes, wn__desc(a->weight));
    if (!(a->label_smoothing >= 0 && a->label_smoothing <= 1))
        return wn__fail_op(c, WN_E_RUNTIME, "label_smoothing must be between 0.0 and 1.0. Got: %g", a->label_smoothing);
    WN_SCOPE(s);
    wn_tensor *q = a->target, *l = wn_log_softmax(a->input, dim);
    if (a->label_smoothing != 0) q = wn_add(wn_mul(q, 1 - a->label_smoothing), a->label_smoothing / (double)classes);
    if (a->weight) {
        wn_dims column = {.n = x->ndim - (int)dim, .v = {classes}};
        for (int d = 1; d < column.n; d++) column.v[d] = 1;
        l = wn_mul(l, wn_reshape(a->weight, column));
    }
    wn_tensor *loss = wn_neg(wn_mul(l, q));
    if (reduction == WN__REDUCE_NONE) loss = wn_sum(loss, .dims = WN_DIMS(dim));
    else loss = wn_sum(loss);
    if (reduction == WN__REDUCE_MEAN) loss = wn_div(loss, (double)x->numel / (double)classes);
    return wn__give(c, 0, loss);
}

static int64_t ignored(wn_val v) { return wn__i64_or(v, -100); }

wn_status wn__op_cross_entropy(wn__call *c) {
    const wn_cross_entropy_args *a = c->args;
    const int reduction = wn__reduction_of(c, a->reduction);
    if (reduction < 0) return c->th->error;
    if (wn__same_shape(a->input, a->target)) return probabilities(c, a, reduction, ignored(a->ignore_index));
    return wn__give(c, 0, wn_cross_entropy_forward(a->input, a->target, a->weight, reduction, ignored(a->ignore_index), a->label_smoothing).result);
}

wn_status wn__op_nll_loss(wn__call *c) {
    const wn_nll_loss_args *a = c->args;
    const int reduction = wn__reduction_of(c, a->reduction);
    if (reduction < 0) return c->th->error;
    return wn__give(c, 0, wn_nll_loss_forward(a->input, a->target, a->weight, reduction, ignored(a->ignore_index)).result);
}

/* ------------------------------------------------------------------ regression */

wn_status wn__check_mse_loss(wn__call *c, wn_tensor *input, wn_tensor *target) {
    if (wn__is_float(input->dtype) || wn__is_float(target->dtype)) return WN_OK;
    return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"mse_loss\" not implemented for %s and %s", wn__desc(input), wn__desc(target));
}
