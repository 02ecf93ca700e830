/* Steps of the random programs that are several operations: long chains, nested masks, compositions of rows.
 * SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

static void keep_result(machine *m, wn_tensor *t) {
    if (!wn_ok(t) || wn_numel(t) > MOST) return;
    note(m, " -> s%d", put(m, wn_keep(t)));
    describe(m, t);
}

static bool floating_of(machine *m, const wn_tensor *t, const void *with) {
    const wn_dims a = wn_shape(t), *b = with;
    if (!is_float(m, t, NULL) || a.n != b->n) return false;
    for (int i = 0; i < a.n; i++)
        if (a.v[i] != b->v[i]) return false;
    return true;
}

/* More operations than a program holds: nobody reads what lies between. */
void accumulate(machine *m) {
    const int i = pick(m, is_float, NULL);
    if (i < 0) return;
    wn_tensor *x = m->pool[i].t, *y = x;
    const wn_dims shape = wn_shape(x);
    const int j = pick(m, floating_of, &shape), times = 3 + (int)below(m, 70), kind = (int)below(m, 4);
    wn_tensor *z = m->pool[j].t;
    note(m, "chain of %d, kind %d, s%d, s%d", times, kind, i, j);
    for (int k = 0; k < times; k++) switch (kind) {
        case 0: y = wn_add(wn_mul(y, 0.5), z); break;
        case 1: y = k % 7 ? wn_sub(y, 0.25) : wn_tanh(y); break;
        case 2: /* in place, on a clone first, so that no leaf is hurt */
            if (!k) y = wn_clone(y);
            y = k % 3 ? wn_add_(y, z, .alpha = WN_VAL(0.5)) : wn_mul_(y, 0.5);
            break;
        default: y = wn_where(wn_gt(y, 0), wn_mul(y, 0.75), wn_add(y, z));
        }
    keep_result(m, y);
}

static wn_tensor *costly(machine *m, wn_tensor *x) {
    switch (below(m, 6)) {
    case 0: return wn_tanh(wn_log1p(wn_exp(x)));
    case 1: return wn_sqrt(x);                                 /* NaN where x < 0 */
    case 2: return wn_reciprocal(x);                           /* infinite at 0 */
    case 3: return wn_mul(wn_log(x), wn_sin(x));
    case 4: return wn_sub(wn_mul(x, x), x);                    /* cheap */
    default: return wn_gelu(wn_exp(wn_mul(x, 0.5)));
    }
}

/* where in where, with masks that are shared, or comparisons, or tensors; sums over it; masked_select. */
void masked(machine *m) {
    const int i = pick(m, is_float, NULL);
    if (i < 0) return;
    wn_tensor *x = m->pool[i].t;
    const wn_dims shape = wn_shape(x);
    const int k = pick(m, is_bool, &shape), j = pick(m, floating_of, &shape);
    wn_tensor *m1 = k >= 0 && chance(m, 60) ? m->pool[k].t : wn_gt(x, uniform(m, -2, 2));
    wn_tensor *m2 = chance(m, 50) ? wn_lt(x, 0.5) : wn_logical_not(m1);
    wn_tensor *a = costly(m, x), *b = m->pool[j].t;
    note(m, "masked: s%d, mask s%d, s%d", i, k, j);
    if (chance(m, 50)) a = wn_where(m2, costly(m, a), chance(m, 50) ? a : b);
    if (chance(m, 30)) b = costly(m, b);
    wn_tensor *y = chance(m, 70) ? wn_where(m1, a, b) : wn_masked_fill(a, m1, 0.5);
    if (chance(m, 30)) y = wn_add(y, wn_where(m1, b, wn_square(a)));
    switch (below(m, 5)) {
    case 0: y = wn_sum(y); break;
    case 1: y = wn_sum(y, .where = m1); break;
    case 2: y = wn_sum(wn_masked_select(a, m1)); break;
    default: break;
    }
    keep_result(m, y);
}

/* Norms and softmax written out, as people write them. */
void compose(machine *m) {
    const int one = 1, i = pick(m, has_dims, &one);
    if (i < 0) return;
    wn_tensor *x = m->pool[i].t, *y, *t;
    const wn_dims last = WN_DIMS(-1);
    const int kind = (int)below(m, 6);
    note(m, "composition %d of s%d", kind, i);
    if (!is_float(m, x, NULL)) x = wn_to(x, WN_F32);
    switch (kind) {
    case 0: /* layer norm */
        t = wn_sub(x, wn_mean(x, .dims = last, .keepdim = true));
        y = wn_mul(t, wn_rsqrt(wn_add(wn_mean(wn_square(t), .dims = last, .keepdim = true), 1e-5)));
        break;
    case 1: /* softmax */
        t = wn_exp(wn_sub(x, wn_amax(x, .dims = last, .keepdim = true)));
        y = wn_div(t, wn_sum(t, .dims = last, .keepdim = true));
        break;
    case 2: y = wn_mul(x, wn_rsqrt(wn_add(wn_mean(wn_square(x), .dims = last, .keepdim = true), 1e-6))); break;
    case 3: y = wn_sub(x, wn_logsumexp(x, WN_DIMS(-1), .keepdim = true)); break;
    case 4: y = wn_gelu(wn_mul(wn_sub(x, wn_mean(x, .dims = last, .keepdim = true)), 2)); break;
    default: /* statistics over the rows, used in all of them: batch norm */
        t = wn_sub(x, wn_mean(x, .dims = WN_DIMS(0), .keepdim = true));
        y = wn_div(t, wn_sqrt(wn_add(wn_var(x, .dims = WN_DIMS(0), .keepdim = true), 1e-5)));
    }
    if (chance(m, 40)) y = wn_sum(wn_mul(y, y));
    keep_result(m, y);
}
