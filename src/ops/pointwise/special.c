/* special.def: the rows that are more than one formula. */
#include "ops/pointwise/pointwise.h"

wn_status wn__op_logit(wn__call *c) {
    const wn_logit_args *a = c->args;
    const double eps = wn__f64_or(a->eps, -1);
    WN_SCOPE(s);
    return wn__give(c, 0, c->inplace ? wn_logit_eps_(a->self, eps) : wn_logit_eps(a->self, eps));
}

wn_status wn__op_polygamma(wn__call *c) {
    const wn_polygamma_args *a = c->args;
    if (a->n < 0) return wn__fail_op(c, WN_E_RUNTIME, "polygamma(n, x) does not support negative n.");
    WN_SCOPE(s);
    return wn__give(c, 0, a->n == 0 ? wn_digamma(a->self) : wn_polygamma_of(a->self, (double)a->n));
}
void wn__vjp_polygamma(wn__gradctx *c) {
    const wn_polygamma_of_args *a = c->args;
    c->gin[0] = wn_mul(c->g[0], wn_polygamma_of(a->self, a->n + 1));
}

wn_status wn__op_mvlgamma(wn__call *c) {
    const wn_mvlgamma_args *a = c->args;
    if (a->p < 1) return wn__fail_op(c, WN_E_RUNTIME, "p has to be greater than or equal to 1");
    if (a->p > INT64_C(1) << 24) return wn__fail_op(c, WN_E_RUNTIME, "p = %lld terms are too many", (long long)a->p);
    WN_SCOPE(s);
    const double p = (double)a->p;
    const bool half = a->self->dtype == WN_F16 || a->self->dtype == WN_BF16; /* in f32: lgamma changes much where self - i / 2 is rounded to an integer */
    wn_tensor *self = half ? wn_to(a->self, WN_F32) : a->self, *y;
    if (a->p <= 64) {
        y = wn_lgamma(self);
        for (int64_t i = 1; i < a->p && wn_ok(y); i++) y = wn_add(y, wn_lgamma(wn_sub(self, 0.5 * (double)i)));
    } else { /* all terms at once */
        wn_tensor *steps = wn_mul(wn_arange(a->p, .dtype = WN_F64), -0.5);
        wn_tensor *terms = wn_lgamma(wn_add(wn_unsqueeze(self, -1), wn_to(steps, wn__is_float(self->dtype) ? (wn_dtype)self->dtype : wn_default_dtype())));
        y = wn_sum(terms, .dims = WN_DIMS(-1));
    }
    if (a->p > 1) y = wn_add(y, p * (p - 1) * 0.25 * 1.1447298858494001741);
    return wn__give(c, 0, half ? wn_to(y, (wn_dtype)a->self->dtype) : y);
}
