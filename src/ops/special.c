/* special.def: the rows that are more than one formula. */
#include "ops/pointwise.h"

wn_status wn__op_logit(wn__call *c) {
    const wn_logit_args *a = c->args;
    const double eps = a->eps.kind == WN_VAL_NONE ? -1 : wn__val_f64(a->eps);
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
