/* special.def: the rows that are more than one formula. */
#include "ops/pointwise/pointwise.h"

wn_status wn__op_logit(wn__call *c, wn_tensor *self, wn_val eps_given) {
    const double eps = wn__f64_or(eps_given, -1);
    return wn__give(c, 0, c->inplace ? wn_logit_eps_(self, eps) : wn_logit_eps(self, eps));
}

void wn__vjp_polygamma(wn__gradctx *c, wn_tensor *self, double n) {
    c->gin[0] = wn_mul(c->g[0], wn_polygamma_of(self, n + 1));
}

wn_status wn__op_mvlgamma(wn__call *c, wn_tensor *self_given, int64_t order) {
    if (order < 1) return wn__fail_op(c, WN_E_RUNTIME, "p has to be greater than or equal to 1");
    if (order > INT64_C(1) << 24) return wn__fail_op(c, WN_E_RUNTIME, "p = %lld terms are too many", (long long)order);
    const double p = (double)order;
    const bool half = self_given->dtype == WN_F16 || self_given->dtype == WN_BF16; /* in f32: lgamma changes much where self - i / 2 is rounded to an integer */
    wn_tensor *self = half ? wn_to(self_given, WN_F32) : self_given, *y;
    if (order <= 64) {
        y = wn_lgamma(self);
        for (int64_t i = 1; i < order && wn_ok(y); i++) y = wn_add(y, wn_lgamma(wn_sub(self, 0.5 * (double)i)));
    } else { /* all terms at once */
        wn_tensor *steps = wn_mul(wn_arange(order, .dtype = WN_F64), -0.5);
        wn_tensor *terms = wn_lgamma(wn_add(wn_unsqueeze(self, -1), wn_to(steps, wn__is_float(self->dtype) ? (wn_dtype)self->dtype : wn_default_dtype())));
        y = wn_sum(terms, .dims = WN_DIMS(-1));
    }
    if (order > 1) y = wn_add(y, p * (p - 1) * 0.25 * 1.1447298858494001741);
    return wn__give(c, 0, half ? wn_to(y, (wn_dtype)self_given->dtype) : y);
}
