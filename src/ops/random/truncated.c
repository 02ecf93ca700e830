/* The row of the truncated normal. */
#include <math.h>
#include "call/dispatch.h"

typedef struct truncated {
    double mean, std, low, high;
    bool uniform;   /* little of the normal is inside: uniform candidates, of which a part is taken */
    double highest; /* the logarithm of the normal's density where it is largest inside, without its constant */
    wn_generator *g;
} truncated;

static wn_tensor *draw(wn_tensor *t, const truncated *x) {
    return x->uniform ? wn_uniform_(t, x->low, x->high, .generator = x->g) : wn_normal_(t, x->mean, x->std, .generator = x->g);
}
/* Which of the candidates are not taken. The limits are compared as the tensor's dtype has them. */
static wn_tensor *rejected(wn_tensor *t, const truncated *x) {
    if (!x->uniform)
        return wn_logical_or(wn_lt(t, wn_full(WN_0D, x->low, .dtype = t->dtype)), wn_gt(t, wn_full(WN_0D, x->high, .dtype = t->dtype)));
    wn_tensor *density = wn_sub(wn_mul(wn_pow(wn_div(wn_sub(t, x->mean), x->std), 2), -0.5), x->highest);
    return wn_gt(wn_log(wn_uniform_(wn_empty_like(t), 0, 1, .generator = x->g)), density);
}
static double below(double x) { return (1 + erf(x / sqrt(2))) / 2; }

/* Where hardly a candidate in a thousand would be taken, they come from the part of the interval in which the density is not negligible
 * (e^-45 of what it is at most). */
static void narrow(truncated *x, double inside, double mode) {
    const double z = (mode - x->mean) / x->std, reach = x->std * sqrt(z * z + 90);
    const double taken = inside * sqrt(2 * acos(-1)) * x->std / ((x->high - x->low) * exp(x->highest));
    if (taken > 1e-3) return;
    x->low = fmax(x->low, x->mean - reach);
    x->high = fmin(x->high, x->mean + reach);
}

enum { ROUNDS = 1000 }; /* by then what is left was rejected because of rounding alone: far out the density's logarithm has no digits */

/* Draws again, a whole tensor each time, until every element has been taken once: PyTorch's way, and so its stream. */
wn_status wn__op_trunc_normal(wn__call *c, wn_tensor *t, double mean, double std, double low, double high,
                              wn_generator *generator) {
    if (!(std > 0) || !(low <= high) || mean != mean)
        return wn__fail_op(c, WN_E_VALUE, "std %g must be positive and the interval [%g, %g] not empty (mean %g)", std, low, high, mean);
    truncated x = {mean, std, low, high, false, 0, generator};
    const double inside = below((x.high - x.mean) / x.std) - below((x.low - x.mean) / x.std), mode = fmax(x.low, fmin(x.mean, x.high));
    x.uniform = !(inside > 0.3);
    x.highest = -0.5 * ((mode - x.mean) / x.std) * ((mode - x.mean) / x.std);
    if (x.uniform) narrow(&x, inside, mode);
    wn_tensor *waiting = wn_ok(draw(t, &x)) ? rejected(t, &x) : &wn__bad_tensor;
    for (int round = 0; round < ROUNDS; round++) {
        wn_tensor *any = wn_any(waiting);
        if (!wn_ok(any)) return c->th->error;
        if (!wn_item_i64(any)) return wn__give(c, 0, t);
        WN_SCOPE(s);
        wn_tensor *candidates = draw(wn_empty_like(t), &x);
        if (!wn_ok(wn_copy_(t, wn_where(waiting, candidates, t)))) return c->th->error;
        waiting = wn_leave(&s, wn_logical_and(waiting, rejected(candidates, &x)));
    }
    return wn__give(c, 0, wn_clamp_(t, WN_VAL(x.low), WN_VAL(x.high)));
}
