/* What a mask left out of a row's result is left out of its inputs' gradients, by every row that moves elements, by
 * products, and by rows that compute with lines (test_masks_lines.py leaves out whole ones). */
#include "table.h"
#include <math.h>

/* The gradient of the sum of w times the result where mask is true, in the inputs as they are made from `from`. */
static wn_list gradients(subject *x, wn_tensor *const *in, wn_tensor *const *from, bool left_out, int64_t *numel) {
    wn_tensor *y = call_row(x, (wn_list){.n = x->n, .v = (wn_tensor **)in});
    *numel = wn_numel(y);
    wn_tensor *at = wn_reshape(wn_arange(wn_numel(y)), wn_shape(y)), *mask = wn_lt(wn_remainder(wn_mul(at, 7), 5), 3);
    wn_tensor *w = wn_add(wn_mul(wn_sin(wn_mul(wn_to(at, WN_F64), 37)), 0.3), 1);
    wn_tensor *kept = wn_where(left_out ? wn_logical_not(mask) : mask, wn_mul(y, w), 0);
    return wn_grad(WN_LIST(wn_sum(kept)), (wn_list){.n = x->n, .v = (wn_tensor **)from}, .allow_unused = true);
}

/* An input is a + sqrt(s) at s = 0, where sqrt's derivative is infinite: the gradient of s is infinite where the input's is a
 * number, NaN where that is a zero, and 0 only where it is absent. Two runs without poles tell what to expect: what the mask
 * takes, and what its opposite would. */
void check_masked(subject *x) {
    WN_SCOPE(scope);
    wn_tensor *zeros[MAX_MADE], *in[MAX_MADE], *plain[MAX_MADE];
    for (int i = 0; i < x->n; i++) {
        plain[i] = wn_requires_grad(wn_clone(x->inputs[i]), true);
        zeros[i] = wn_requires_grad(wn_zeros(wn_shape(x->inputs[i]), .dtype = WN_F64), true);
        in[i] = wn_add(x->inputs[i], wn_sqrt(zeros[i]));
    }
    wn_clear();
    int64_t numel;
    wn_list taken = gradients(x, plain, plain, false, &numel), other = gradients(x, plain, plain, true, &numel), got = gradients(x, in, zeros, false, &numel);
    if (!check(C_MASKED, got.n == x->n && taken.n == x->n && other.n == x->n, x->s, "result %lld: %s", (long long)x->result, wn_error_message())) return;
    for (int i = 0; i < x->n; i++) {
        if (!got.v[i] || !taken.v[i] || !other.v[i]) continue;
        int64_t wrong = -1;
        double g = 0;
        for (int64_t k = 0; k < wn_numel(x->inputs[i]) && wrong < 0; k++) {
            const double takes = get_f(taken.v[i], k), leaves = get_f(other.v[i], k);
            if (!isfinite(takes) || !isfinite(leaves)) continue;
            g = get_f(got.v[i], k);
            /* of a line it takes some of, an element may exist and get nothing; one that is broadcast may be taken, times zero, and left */
            bool absent = leaves != 0 && x->s->op->moves != WN__MOVES_LINES && (x->s->op->cls != WN__POINTWISE || wn_numel(x->inputs[i]) == numel);
            bool ok = takes != 0 ? isinf(g) : absent ? g == 0 : g == 0 || isnan(g);
            if (!ok) wrong = k;
        }
        check(C_MASKED, wrong < 0, x->s, "result %lld, gradient of input %d: element %lld is %g, where the mask takes %g and leaves %g", (long long)x->result, i,
              (long long)wrong, g, wrong < 0 ? 0 : get_f(taken.v[i], wrong), wrong < 0 ? 0 : get_f(other.v[i], wrong));
    }
}
