/* Rows that are further forms of another one (rounding modes, bounds, padding by name, reduce= ...), and what factories and numbers
 * refuse. The expected values are PyTorch 2.13's. */
#include <stdio.h>
#include <stdlib.h>
#include "winnow.h"

static int passed, failed;
static void check(bool ok, const char *what) {
    if (ok) {
        passed++;
    } else {
        failed++;
        printf("FAILED %s: %s\n", what, wn_error_message());
    }
    wn_clear();
}

/* Has t these elements (row-major), to a relative 1e-6? */
static void is(const char *what, wn_tensor *t, int n, const double *want) {
    double *have = calloc((size_t)n + 1, sizeof *have);
    bool ok = have && wn_ok(t) && wn_numel(t) == n && wn_to_memory(t, have, (size_t)n * sizeof *have, WN_F64) == WN_OK;
    for (int i = 0; ok && i < n; i++) {
        double off = have[i] - want[i], near = 1e-6 * (want[i] < 0 ? -want[i] : want[i]) + 1e-12;
        ok = off <= near && -off <= near;
    }
    check(ok, what);
    free(have);
}
#define IS(what, t, ...) is(what, t, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__})
#define FAILS(code, t) check(!wn_ok(t) && wn_error() == WN_E_##code, #t)

static wn_tensor *floats(int n, const float *v) { return wn_from_data(v, WN_DIMS(n), WN_F32); }
static wn_tensor *ints(int n, const int64_t *v) { return wn_from_data(v, WN_DIMS(n), WN_I64); }
#define F(...) floats((int)(sizeof((float[]){__VA_ARGS__}) / sizeof(float)), (float[]){__VA_ARGS__})
#define I(...) ints((int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})
static wn_tensor *row(wn_tensor *t) { return wn_reshape(t, WN_DIMS(1, 1, -1)); } /* [1, 1, n] */

static void arithmetic(void) {
    WN_SCOPE(s);
    wn_tensor *x = F(-7.5f, -2, 0, 3.25f, 8), *i = I(-7, -2, 0, 3, 8);
    IS("div floor", wn_div_mode(x, 2.5, .rounding_mode = "floor"), -3, -1, 0, 1, 3);
    IS("div trunc", wn_div_mode(x, 2.5, .rounding_mode = "trunc"), -3, 0, 0, 1, 3);
    IS("div floor, integers", wn_div_mode(i, 3, .rounding_mode = "floor"), -3, -1, 0, 1, 2);
    IS("div trunc, integers", wn_div_mode(i, 3, .rounding_mode = "trunc"), -2, 0, 0, 1, 2);
    IS("div by no mode", wn_div_mode(i, 4), -1.75, -.5, 0, .75, 2);
    FAILS(RUNTIME, wn_div_mode(i, 0, .rounding_mode = "trunc"));
    FAILS(RUNTIME, wn_div_mode(i, 3, .rounding_mode = "up"));
    wn_tensor *d = wn_from_data((double[]){1.2345, -2.5, 1234.5678, 0.15}, WN_DIMS(4), WN_F64);
    IS("round to 2 digits", wn_round_decimals(d, .decimals = 2), 1.23, -2.5, 1234.57, .15);
    IS("round to hundreds", wn_round_decimals(d, .decimals = -2), 0, 0, 1200, 0);
    IS("round to 0 digits", wn_round_decimals(d, .decimals = 0), 1, -2, 1235, 0);
    wn_tensor *g = wn_from_data((double[]){-2, -.5, 0, 1, 3}, WN_DIMS(5), WN_F64);
    IS("gelu tanh", wn_gelu_approximate(g, .approximate = "tanh"), -0.04540230591222494, -0.15428599017485606, 0, 0.8411919906082768, 2.996362607918227);
    FAILS(RUNTIME, wn_gelu_approximate(g, .approximate = "erf"));
    IS("clamp by tensors", wn_clamp_tensor(x, F(-1, -3, 1, 1, 1), wn_full(WN_0D, 5)), -1, -2, 1, 3.25, 5);
    FAILS(RUNTIME, wn_clamp_tensor(x, NULL, NULL));
    IS("max of two", wn_max_other(x, F(0, -5, 1, 4, 7)), 0, -2, 1, 4, 8);
    IS("min of two", wn_min_other(x, F(0, -5, 1, 4, 7)), -7.5, -5, 0, 3.25, 7);
    IS("masked_fill by a tensor", wn_masked_fill_tensor(i, wn_lt(i, 0), wn_full(WN_0D, 5)), 5, 5, 0, 3, 8);
    FAILS(RUNTIME, wn_masked_fill_tensor(i, wn_lt(i, 0), i));
    wn_tensor *f = wn_fill_tensor_(wn_zeros(WN_DIMS(2)), wn_full(WN_0D, 3));
    IS("fill_ by a tensor", f, 3, 3);
    wn_tensor *b = wn_square(wn_ones(WN_DIMS(2), .dtype = WN_BOOL));
    check(wn_dtype_of(b) == WN_I64, "the square of bool is int64");
}

static void reductions_and_views(void) {
    WN_SCOPE(s);
    wn_tensor *m = wn_reshape(F(1, 2, 4, 3, 3, 3), WN_DIMS(2, 3));
    IS("var, not unbiased", wn_var(m, .dims = WN_DIMS(1), .unbiased = WN_FALSE), 14.0 / 9, 0);
    IS("std of all, not unbiased", wn_std_unbiased(m, false), 0.9428090453147888);
    wn_var_mean_unbiased_out v = wn_var_mean_unbiased(m, true);
    IS("var_mean of all: var", v.var, 1.0666666666666667);
    IS("var_mean of all: mean", v.mean, 2.6666666666666667);
    FAILS(TYPE, wn_var(m, .unbiased = WN_TRUE, .correction = wn_val_of_int(1)));
    wn_dims d = wn_shape(wn_movedim_list(wn_zeros(WN_DIMS(2, 3, 4, 5)), WN_DIMS(0, -1), WN_DIMS(2, 0)));
    check(d.n == 4 && d.v[0] == 5 && d.v[1] == 3 && d.v[2] == 2 && d.v[3] == 4, "movedim of two");
    FAILS(RUNTIME, wn_movedim_list(m, WN_DIMS(0, 0), WN_DIMS(0, 1)));
    d = wn_shape(wn_squeeze_dims(wn_zeros(WN_DIMS(1, 2, 1, 3, 1)), WN_DIMS(0, 2)));
    check(d.n == 3 && d.v[0] == 2 && d.v[1] == 3 && d.v[2] == 1, "squeeze of two");
    FAILS(RUNTIME, wn_squeeze_dims(m, WN_DIMS(0, -2)));
    IS("narrow from a tensor", wn_narrow_tensor(m, 1, wn_full(WN_0D, 2), 1), 4, 3);
    FAILS(RUNTIME, wn_narrow_tensor(m, 1, I(1), 1));
    check(wn_dtype_of(wn_sum_to_size(wn_ones(WN_DIMS(2), .dtype = WN_I8), WN_0D)) == WN_I64, "sum_to_size of integers");
}

static void indexing(void) {
    WN_SCOPE(s);
    wn_tensor *t = wn_reshape(wn_arange(6, .dtype = WN_F32), WN_DIMS(2, 3)), *at = wn_reshape(I(0, 1, 0), WN_DIMS(1, 3));
    IS("scatter of a number", wn_scatter_value(t, 0, at, 9), 9, 1, 9, 3, 9, 5);
    IS("scatter, added", wn_scatter_reducing(t, 0, at, wn_full(WN_DIMS(1, 3), 2.0), .reduce = "add"), 2, 1, 4, 3, 6, 5);
    IS("scatter, multiplied", wn_scatter_value_reducing(t, 0, at, 3, .reduce = "multiply"), 0, 1, 6, 3, 12, 5);
    FAILS(RUNTIME, wn_scatter_value_reducing(t, 0, at, 3, .reduce = "max"));
    FAILS(NOT_IMPLEMENTED, wn_scatter_value_reducing(wn_requires_grad(wn_clone(t), true), 0, at, 3, .reduce = "multiply"));
    IS("index_fill", wn_index_fill(t, 1, I(0, -1), 7), 7, 1, 7, 7, 4, 7);
    IS("index_fill by a tensor", wn_index_fill_tensor(t, 0, I(1), wn_full(WN_0D, 7)), 0, 1, 2, 7, 7, 7);
    FAILS(INDEX, wn_index_fill(t, 1, I(3), 7));
    wn_tensor *w = wn_reshape(F(3, 4, .3f, .4f, 6, 8), WN_DIMS(3, 2));
    IS("embedding_renorm_", wn_embedding_renorm_(w, I(0, 1, 0), 1, 2), .6, .8, .3, .4, 6, 8);
    wn_tensor *table = wn_requires_grad(wn_ones(WN_DIMS(3, 2)), true), *g = wn_reshape(F(1, 2, 3, 4, 5, 6, 9, 10), WN_DIMS(4, 2));
    check(wn_backward(wn_embedding(table, I(0, 2, 0, 0), .scale_grad_by_freq = true), .gradient = g) == WN_OK, "embedding, backward");
    IS("embedding, gradient by frequency", wn_grad_of(table), 5, 6, 0, 0, 3, 4);
    check(wn_numel(wn_gather(t, 0, wn_zeros(WN_DIMS(0, 3), .dtype = WN_U8))) == 0, "gather by an empty index of another dtype");
    FAILS(RUNTIME, wn_gather(t, 0, at, .out = wn_zeros(WN_DIMS(1, 3), .dtype = WN_F64)));
}

static void convolutions(void) {
    WN_SCOPE(s);
    wn_tensor *a = row(wn_arange_from(1, 6, .dtype = WN_F32)), *k = row(F(1, 2));
    IS("conv, same", wn_conv1d_padding(a, k, .padding = "same"), 5, 8, 11, 14, 5);
    IS("conv, valid", wn_conv1d_padding(a, k, .padding = "valid", .stride = WN_DIMS(2)), 5, 11);
    IS("conv, same, even kernel", wn_conv1d_padding(a, row(F(1, 0, 2, 0)), .padding = "same"), 4, 7, 10, 13, 4);
    FAILS(RUNTIME, wn_conv1d_padding(a, k, .padding = "same", .stride = WN_DIMS(2)));
    FAILS(RUNTIME, wn_conv1d_padding(a, k, .padding = "full"));
    wn_tensor *ia = row(wn_arange_from(1, 7)), *ik = row(I(1, -2, 3));
    IS("conv of integers", wn_conv1d(ia, ik, .bias = I(10), .stride = WN_DIMS(2), .padding = WN_DIMS(1)), 14, 18, 22);
    IS("conv_transpose of integers",
       wn_conv_transpose1d(row(I(1, 2, 3)), ik, .stride = WN_DIMS(2), .padding = WN_DIMS(1), .output_padding = WN_DIMS(1)), -2, 5, -4, 9, -6, 9);
    IS("conv_transpose, output_padding beyond the stride",
       wn_conv_transpose1d(row(F(1, 2, 3)), row(F(1, 10, 100)), .stride = WN_DIMS(2), .padding = WN_DIMS(2), .output_padding = WN_DIMS(2), .dilation = WN_DIMS(3)),
       2, 10, 3, 20, 100, 30, 200, 0, 300);
    wn_tensor *image = wn_reshape(wn_arange(16), WN_DIMS(1, 4, 4));
    IS("avg_pool2d of integers", wn_avg_pool2d(image, WN_DIMS(3), .stride = WN_DIMS(2), .padding = WN_DIMS(1)), 1, 2, 5, 10);
}

static void factories(void) {
    WN_SCOPE(s);
    IS("arange, int8 from fractions", wn_arange_from(-0.9, 2.1, .step = wn_val_of_float(2), .dtype = WN_I8), 0, 2);
    IS("arange, int64 from fractions", wn_arange_from(-0.9, 2.1, .step = wn_val_of_float(2), .dtype = WN_I64), 0);
    FAILS(VALUE, wn_arange_from(0, 64, .step = wn_val_of_float(0.5), .dtype = WN_I64));
    FAILS(RUNTIME, wn_arange_from(0, 64, .step = wn_val_of_int(0)));
    wn_tensor *out = wn_empty(WN_DIMS(0), .dtype = WN_F64), *r = wn_arange(3, .out = out);
    check(r == out && wn_numel(out) == 3 && wn_dtype_of(out) == WN_F64, "arange takes out='s dtype");
    FAILS(RUNTIME, wn_zeros(WN_DIMS(2), .dtype = WN_F32, .out = out));
    IS("linspace between tensors", wn_linspace_tensor(wn_full(WN_0D, 1), 2.0, 3), 1, 1.5, 2);
    FAILS(RUNTIME, wn_linspace_tensor(wn_ones(WN_DIMS(1)), 2.0, 3));
    FAILS(RUNTIME, wn_full(WN_DIMS(1), 300, .dtype = WN_I8));
    FAILS(RUNTIME, wn_full(WN_DIMS(1), 1e300, .dtype = WN_F32));
    IS("-1 as uint8", wn_full(WN_DIMS(1), -1, .dtype = WN_U8), 255);
    IS("a fraction into integers", wn_fill_(wn_zeros(WN_DIMS(1), .dtype = WN_I32), 2.7), 2);
    FAILS(RUNTIME, wn_masked_fill(wn_zeros(WN_DIMS(1), .dtype = WN_F16), wn_ones(WN_DIMS(1), .dtype = WN_BOOL), 1e10));
    FAILS(RUNTIME, wn_add(I(1), I(1), .alpha = wn_val_of_float(2.5)));
    wn_tensor *n = wn_randint_below(2, WN_DIMS(1000)), *u = wn_random_all_(wn_empty(WN_DIMS(1000), .dtype = WN_I8));
    IS("randint below 2", wn_amax(n), 1);
    check(wn_item_i64(wn_amin(u)) >= 0 && wn_item_i64(wn_amax(u)) > 100, "random_ fills the dtype's range");
    wn_tensor *p = wn_bernoulli_each_(wn_empty(WN_DIMS(2, 100), .dtype = WN_I32), wn_reshape(F(0, 1), WN_DIMS(2, 1)));
    IS("bernoulli_ by probabilities", wn_sum(p, .dims = WN_DIMS(1)), 0, 100);
    IS("bernoulli with p", wn_bernoulli_like(wn_zeros(WN_DIMS(2)), 1), 1, 1);
}

int main(void) {
    wn_set_error_hook(NULL);
    arithmetic();
    reductions_and_views();
    indexing();
    convolutions();
    factories();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
