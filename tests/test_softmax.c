/* softmax, log_softmax, layer_norm, batch_norm and relatives: against plain loops, masked cases, layouts, threads, gradients. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "random.h"
#include "winnow.h"

static int passed, failed;
static void check(bool ok, const char *what, const char *more) {
    if (ok) {
        passed++;
    } else if (failed++ < 40) {
        printf("FAILED: %s %s\n", what, more);
    }
}
static wn_tensor *values(wn_dims shape, wn_dtype dtype) {
    int64_t n = 1;
    for (int d = 0; d < shape.n; d++) n *= shape.v[d];
    double *v = malloc((size_t)(n + 1) * sizeof *v);
    for (int64_t i = 0; i < n; i++) v[i] = uniform() * 8 - 4;
    wn_tensor *t = wn_to(wn_from_data(v, shape, WN_F64), dtype);
    free(v);
    return t;
}
static wn_tensor *random_mask(wn_dims shape) { return wn_gt(values(shape, WN_F64), 0.5); }
static wn_tensor *transposed(wn_tensor *t) { /* the same values, last dimension slow */
    int last = wn_ndim(t) - 1;
    return wn_transpose(wn_contiguous(wn_transpose(t, 0, last)), 0, last);
}
static double *numbers(wn_tensor *t) {
    double *v = malloc((size_t)(wn_numel(t) + 1) * 8);
    if (wn_to_memory(t, v, (size_t)wn_numel(t) * 8, WN_F64) != WN_OK) memset(v, 0, 8);
    return v;
}
static bool close_to(double got, double want, double tol) {
    return want != want ? got != got : got == want || fabs(got - want) <= tol * (1 + fabs(want));
}
static bool same(wn_tensor *a, wn_tensor *b, double tol) {
    if (!wn_ok(a) || !wn_ok(b) || wn_numel(a) != wn_numel(b)) return false;
    double *p = numbers(a), *q = numbers(b);
    bool ok = true;
    for (int64_t i = 0; i < wn_numel(a) && ok; i++) ok = close_to(p[i], q[i], tol);
    free(p), free(q);
    return ok;
}
static bool is(wn_tensor *t, int n, const double *want) {
    if (!wn_ok(t) || wn_numel(t) != n) return false;
    double *got = numbers(t);
    bool ok = true;
    for (int i = 0; i < n && ok; i++) ok = close_to(got[i], want[i], 1e-4);
    free(got);
    return ok;
}
#define IS(what, t, ...) check(is((t), (int)(sizeof((double[]){__VA_ARGS__}) / 8), (double[]){__VA_ARGS__}), what, wn_error_message())
#define F(...) ((float[]){__VA_ARGS__})
#define B(...) ((uint8_t[]){__VA_ARGS__})
#define INF_ ((double)INFINITY)
#define NAN_ ((double)NAN)

static double tolerance(wn_dtype d) { return d == WN_F64 ? 1e-12 : d == WN_F32 ? 4e-6 : d == WN_F16 ? 2e-3 : 1.6e-2; }

/* softmax of x along dim in double, by definition. */
static bool softmax_agrees(wn_tensor *x, wn_tensor *y, wn_tensor *m, int dim, bool log, double tol) {
    double *xv = numbers(x), *yv = numbers(y), *mv = m ? numbers(wn_expand(m, wn_shape(x))) : NULL;
    int64_t n = wn_size(x, dim), inner = 1, numel = wn_numel(x);
    for (int d = dim + 1; d < wn_ndim(x); d++) inner *= wn_size(x, d);
    bool ok = true;
    for (int64_t i = 0; i < numel; i++) {
        if (i / inner % n) continue;
        double sum = 0;
        for (int64_t k = 0; k < n; k++)
            if (!m || mv[i + k * inner] != 0) sum += exp(xv[i + k * inner]);
        for (int64_t k = 0; k < n; k++) {
            bool in = !m || mv[i + k * inner] != 0;
            double want = log ? (in ? xv[i + k * inner] - __builtin_log(sum) : -INF_) : in ? exp(xv[i + k * inner]) / sum : 0;
            ok &= close_to(yv[i + k * inner], want, tol);
        }
    }
    free(xv), free(yv), free(mv);
    return ok;
}

static void softmax(void) {
    static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16};
    static const struct { int64_t v[3]; } shapes[] = {{{4, 5, 70}}, {{40, 700, 3}}, {{3, 20, 1500}}};
    for (int s = 0; s < 3; s++)
        for (int t = 0; t < 4; t++)
            for (int dim = 0; dim < 3; dim++)
                for (int masked = 0; masked < 2; masked++)
                    for (int log = 0; log < 2; log++) {
                        WN_SCOPE(scope);
                        wn_dims shape = {.n = 3, .v = {shapes[s].v[0], shapes[s].v[1], shapes[s].v[2]}};
                        wn_tensor *x = values(shape, dtypes[t]), *m = masked ? random_mask(shape) : NULL, *g = values(shape, dtypes[t]);
                        wn_set_num_threads(1);
                        wn_tensor *y = log ? wn_log_softmax(x, dim, .where = m) : wn_softmax(x, dim, .where = m);
                        char more[120];
                        snprintf(more, sizeof more, "shape %d dtype %d dim %d mask %d log %d: %.60s", s, t, dim, masked, log, wn_error_message());
                        check(softmax_agrees(x, y, m, dim, log, tolerance(dtypes[t])), "softmax", more);
                        wn_set_num_threads(3);
                        wn_tensor *xt = transposed(x), *mt = m ? transposed(m) : NULL;
                        check(same(y, log ? wn_log_softmax(xt, dim, .where = mt) : wn_softmax(xt, dim, .where = mt), 0), "layouts and threads", more);
                        if (dtypes[t] > WN_F64) continue;
                        wn_tensor *gm = m ? wn_where(m, g, 0) : g, *want, *over = wn_sum(log ? gm : wn_mul(gm, y), .dims = WN_DIMS(dim), .keepdim = true);
                        want = log ? wn_sub(gm, wn_mul(wn_exp(y), over)) : wn_mul(y, wn_sub(gm, over));
                        wn_tensor *got = log ? wn_log_softmax_backward(transposed(g), y, dim, .where = m) : wn_softmax_backward(transposed(g), y, dim, .where = m);
                        check(same(got, m ? wn_where(m, want, 0) : want, tolerance(dtypes[t]) * 30), "backward", more);
                    }
    wn_set_num_threads(2);
    wn_tensor *x = wn_from_data(F(-3, -2, -1, 0, 1, 2), WN_DIMS(2, 3), WN_F32), *m = wn_from_data(B(1, 0, 1, 0, 0, 0), WN_DIMS(2, 3), WN_BOOL);
    IS("S13 softmax", wn_softmax(x, 1, .where = m), .119203, 0, .880797, 0, 0, 0);
    IS("S13 log_softmax", wn_log_softmax(x, -1, .where = m), -2.126928, -INF_, -.126928, -INF_, -INF_, -INF_);
    IS("S22", wn_softmax(wn_from_data(F(-INFINITY, -INFINITY), WN_DIMS(2), WN_F32), 0), NAN_, NAN_);
    IS("0-d", wn_softmax(wn_scalar_tensor(WN_VAL(3.0)), 0), 1);
    wn_tensor *p = wn_requires_grad(wn_from_data(F(1, NAN, 2, NAN, NAN, NAN), WN_DIMS(2, 3), WN_F32), true);
    wn_tensor *w = wn_from_data(F(1, NAN, 3, NAN, 5, 6), WN_DIMS(2, 3), WN_F32);
    check(wn_backward(wn_sum(wn_mul(wn_softmax(p, 1, .where = m), wn_where(m, w, 0)))) == WN_OK, "backward", wn_error_message());
    IS("NaN behind the mask", wn_grad_of(p), -.393224, 0, .393224, 0, 0, 0);
    check(!wn_ok(wn_softmax(wn_ones(WN_DIMS(2), .dtype = WN_I64), 0)) && wn_error() == WN_E_RUNTIME, "softmax of integers", "");
    wn_clear();
    check(wn_dtype_of(wn_softmax(wn_ones(WN_DIMS(2), .dtype = WN_I64), 0, .dtype = WN_F32)) == WN_F32, "softmax with dtype", wn_error_message());
}

/* ------------------------------------------------------------------ norms */

/* (x - mean) / sqrt(var + eps) * w + b, composed. */
static wn_tensor *normalised(wn_tensor *x, wn_dims over, wn_tensor *w, wn_tensor *b, wn_tensor *m, double eps) {
    wn_tensor *c = wn_sub(m ? wn_where(m, x, 0) : x, wn_mean(x, .dims = over, .keepdim = true, .where = m));
    wn_tensor *v = wn_mean(wn_mul(c, c), .dims = over, .keepdim = true, .where = m);
    wn_tensor *y = wn_add(wn_mul(wn_div(c, wn_sqrt(wn_add(v, eps))), w), b);
    return m ? wn_where(m, y, 0) : y;
}

static void layer_norm(void) {
    static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16};
    for (int t = 0; t < 4; t++)
        for (int masked = 0; masked < 2; masked++) {
            WN_SCOPE(s);
            wn_dims shape = WN_DIMS(70, 3, 300), two = WN_DIMS(3, 300);
            wn_tensor *x = values(shape, dtypes[t]), *w = values(two, dtypes[t]), *b = values(two, dtypes[t]), *m = masked ? random_mask(shape) : NULL;
            wn_tensor *xd = wn_to(x, WN_F64), *wd = wn_to(w, WN_F64), *bd = wn_to(b, WN_F64);
            wn_set_num_threads(1);
            wn_tensor *y = wn_layer_norm(x, two, w, b, .where = m);
            check(same(y, normalised(xd, WN_DIMS(1, 2), wd, bd, m, 1e-5), tolerance(dtypes[t]) * 4), "layer_norm", wn_error_message());
            wn_set_num_threads(3);
            check(same(y, wn_layer_norm(transposed(x), two, w, b, .where = m), 0), "layer_norm: layouts and threads", wn_error_message());
        }
    WN_SCOPE(s);
    wn_tensor *x = values(WN_DIMS(4, 6, 5), WN_F64);
    wn_tensor *g = wn_reshape(wn_layer_norm(wn_reshape(x, WN_DIMS(4, 2, 15)), WN_DIMS(15)), WN_DIMS(4, 6, 5));
    check(same(wn_group_norm(x, 2), g, 1e-12), "group_norm", wn_error_message());
    wn_tensor *r = wn_div(x, wn_sqrt(wn_add(wn_mean(wn_mul(x, x), .dims = WN_DIMS(2), .keepdim = true), 1e-6)));
    check(same(wn_rms_norm(x, WN_DIMS(5), .eps = WN_VAL(1e-6)), r, 1e-12), "rms_norm", wn_error_message());
    wn_tensor *padded = wn_from_data(F(1, 2, 3, 4, 5, NAN, NAN), WN_DIMS(1, 7), WN_F32), *pm = wn_from_data(B(1, 1, 1, 1, 1, 0, 0), WN_DIMS(1, 7), WN_BOOL);
    IS("S17", wn_layer_norm(padded, WN_DIMS(7), .where = pm), -1.41421, -.707105, 0, .707105, 1.41421, 0, 0);
    check(!wn_ok(wn_layer_norm(x, WN_DIMS(4))) && wn_error() == WN_E_RUNTIME, "wrong normalized_shape", "");
    wn_clear();
}

static void batch_norm(void) {
    static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16};
    for (int t = 0; t < 4; t++)
        for (int flat = 0; flat < 2; flat++)
            for (int masked = 0; masked < 2; masked++) {
                WN_SCOPE(s);
                wn_dims shape = flat ? WN_DIMS(200, 17) : WN_DIMS(6, 5, 9, 13), ch = WN_DIMS(shape.v[1]), each = WN_DIMS(1, shape.v[1], 1, 1);
                wn_dims over = flat ? WN_DIMS(0) : WN_DIMS(0, 2, 3);
                if (flat) each.n = 2;
                wn_tensor *x = values(shape, dtypes[t]), *w = values(ch, dtypes[t]), *b = values(ch, dtypes[t]), *m = masked ? random_mask(shape) : NULL;
                wn_tensor *rm = wn_zeros(ch), *rv = wn_ones(ch), *xd = wn_to(x, WN_F64);
                wn_tensor *wd = wn_reshape(wn_to(w, WN_F64), each), *bd = wn_reshape(wn_to(b, WN_F64), each);
                wn_set_num_threads(1);
                wn_tensor *y = wn_batch_norm(x, w, b, rm, rv, true, .where = m);
                check(same(y, normalised(xd, over, wd, bd, m, 1e-5), tolerance(dtypes[t]) * 4), "batch_norm", wn_error_message());
                check(same(rm, wn_mul(wn_mean(xd, .dims = over, .where = m), .1), 1e-2 * (t > 1) + 1e-5), "running_mean", wn_error_message());
                check(same(rv, wn_add(wn_mul(wn_var(xd, .dims = over, .where = m), .1), .9), 1e-2 * (t > 1) + 1e-5), "running_var", wn_error_message());
                /* without a mask statistics take the elements in the order of memory */
                wn_tensor *across = transposed(x), *y1 = wn_batch_norm(across, w, b, .training = true, .where = m);
                check(same(y, y1, m ? 0 : tolerance(dtypes[t]) * 4), "batch_norm: layouts", wn_error_message());
                wn_set_num_threads(3);
                check(same(y1, wn_batch_norm(across, w, b, .training = true, .where = m), 0), "batch_norm: threads", wn_error_message());
                wn_tensor *mean = wn_reshape(wn_to(rm, WN_F64), each), *var = wn_reshape(wn_to(rv, WN_F64), each);
                char more[40];
                snprintf(more, sizeof more, "dtype %d flat %d mask %d", t, flat, masked);
                wn_tensor *e = wn_add(wn_mul(wn_div(wn_sub(xd, mean), wn_sqrt(wn_add(var, 1e-5))), wd), bd);
                check(same(wn_batch_norm(x, w, b, rm, rv, .where = m), m ? wn_where(m, e, 0) : e, tolerance(dtypes[t]) * 8), "evaluation", more);
            }
    wn_tensor *x = wn_from_data(F(1, NAN, 3, NAN), WN_DIMS(2, 2), WN_F32), *m = wn_from_data(B(1, 0, 1, 0), WN_DIMS(2, 2), WN_BOOL);
    wn_tensor *rm = wn_full(WN_DIMS(2), 7.f), *rv = wn_full(WN_DIMS(2), 5.f);
    IS("S17 empty channel", wn_batch_norm(x, NULL, NULL, rm, rv, true, .where = m), -1, 0, 1, 0);
    IS("S17 running_mean", rm, 6.5, 7);
    IS("S17 running_var", rv, 4.7, 5);
    check(!wn_ok(wn_batch_norm(wn_ones(WN_DIMS(1, 3)), .training = true)) && wn_error() == WN_E_VALUE, "one value per channel", "");
    wn_clear();
}

/* ------------------------------------------------------------------ gradients */

struct check_case {
    int kind;
    wn_tensor *mask;
};
static wn_tensor *fn(void *ctx, wn_list in) {
    const struct check_case *c = ctx;
    wn_tensor *x = in.v[0], *w = in.v[1], *b = in.v[2], *m = c->mask;
    wn_tensor *rm = wn_ones(WN_DIMS(4), .dtype = WN_F64), *rv = wn_full(WN_DIMS(4), 2.0, .dtype = WN_F64);
    switch (c->kind) {
    case 0: return wn_softmax(x, 1, .where = m);
    case 1: return m ? wn_where(m, wn_log_softmax(x, 0, .where = m), 0) : wn_log_softmax(x, 0);
    case 2: return wn_layer_norm(x, WN_DIMS(4), w, b, .where = m);
    case 3: return wn_batch_norm(x, w, b, .training = true, .where = m);
    case 4: return wn_batch_norm(x, w, b, rm, rv, .where = m);
    case 5: return wn_batch_norm(wn_reshape(x, WN_DIMS(3, 2, 2)), .training = true);
    default: return wn_group_norm(x, 2, w, b);
    }
}
static void gradients(void) {
    for (int kind = 0; kind < 7; kind++)
        for (int masked = 0; masked < 2; masked++) {
            WN_SCOPE(s);
            wn_tensor *x = wn_requires_grad(values(WN_DIMS(3, 4), WN_F64), true), *w = wn_requires_grad(values(WN_DIMS(4), WN_F64), true);
            wn_tensor *b = wn_requires_grad(values(WN_DIMS(4), WN_F64), true);
            struct check_case c = {kind, masked ? wn_from_data(B(1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1), WN_DIMS(3, 4), WN_BOOL) : NULL};
            wn_status st = wn_gradcheck(fn, &c, WN_LIST(x, w, b), 1e-6, 1e-5, 1e-4, true);
            char more[200];
            snprintf(more, sizeof more, "kind %d masked %d: %.150s", kind, masked, wn_error_message());
            check(st == WN_OK, "gradcheck", more);
            wn_clear();
        }
}

int main(void) {
    wn_set_error_hook(NULL);
    WN_SCOPE(s);
    softmax();
    layer_norm();
    batch_norm();
    gradients();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
