/* Attention: what its masks leave out is not there, in results, gradients and their gradients; and the errors of its arguments and of their
 * relatives. Each operand is taken twice, with numbers and with NaN in the places that do not count: the bits must be the same. */
#include "check.h"

enum { HEADS = 2, QUERIES = 21, KEYS = 37, WIDTH = 8 };

static bool equal(wn_tensor *a, wn_tensor *b) { return wn_ok(a) && wn_ok(b) && wn_item_i64(wn_all(wn_eq(a, b))) != 0; }
static bool is_nan(wn_tensor *t) { return wn_ok(t) && wn_item_i64(wn_any(wn_isnan(t))) != 0; }

/* Random heads; rows where `out` is true hold NaN when bad. */
static wn_tensor *operand(int64_t rows, wn_dtype dtype, wn_tensor *out, bool bad) {
    wn_tensor *t = wn_to(wn_randn(WN_DIMS(HEADS, rows, WIDTH)), dtype);
    if (bad && out) t = wn_masked_fill(t, wn_unsqueeze(out, -1), NAN);
    return wn_requires_grad(wn_detach(t), true);
}
/* Every third key does not count, and no key of query 2 does. */
static wn_tensor *left_out(void) { return wn_eq(wn_remainder(wn_arange(KEYS), 3), 1); }
static wn_tensor *kept(void) {
    return wn_logical_and(wn_logical_not(left_out()), wn_unsqueeze(wn_ne(wn_arange(QUERIES), 2), -1));
}

typedef struct result {
    wn_tensor *y, *g[3], *again[3];
} result;

static result run(wn_dtype dtype, wn_tensor *mask, double dropout, bool causal, bool second, bool bad) {
    wn_manual_seed(1);
    wn_tensor *out = causal ? wn_gt(wn_arange(KEYS), QUERIES - 1) : left_out();
    wn_tensor *q = operand(QUERIES, dtype, NULL, false), *k = operand(KEYS, dtype, out, bad), *v = operand(KEYS, dtype, out, bad);
    result r = {.y = wn_scaled_dot_product_attention(q, k, v, .attn_mask = mask, .dropout_p = dropout, .is_causal = causal)};
    wn_list g = wn_grad(WN_LIST(wn_sum(wn_square(r.y))), WN_LIST(q, k, v), .create_graph = second);
    for (int i = 0; i < 3; i++) r.g[i] = wn_at(g, i);
    if (!second) return r;
    g = wn_grad(WN_LIST(wn_add(wn_add(wn_sum(wn_square(r.g[0])), wn_sum(wn_square(r.g[1]))), wn_sum(wn_square(r.g[2])))), WN_LIST(q, k, v));
    for (int i = 0; i < 3; i++) r.again[i] = wn_at(g, i);
    return r;
}
static void same(wn_dtype dtype, wn_tensor *mask, double dropout, bool causal, bool second) {
    const result want = run(dtype, mask, dropout, causal, second, false), have = run(dtype, mask, dropout, causal, second, true);
    CHECK(!is_nan(want.y) && equal(want.y, have.y));
    for (int i = 0; i < 3; i++) {
        CHECK(!is_nan(want.g[i]) && equal(want.g[i], have.g[i]));
        if (second) CHECK(!is_nan(want.again[i]) && equal(want.again[i], have.again[i]));
    }
}
static void test_absent(void) {
    WN_SCOPE(s);
    static const wn_dtype dtypes[] = {WN_F64, WN_F32, WN_F16, WN_BF16};
    for (int i = 0; i < 4; i++) {
        const wn_dtype number = dtypes[i];
        wn_tensor *bias = wn_masked_fill(wn_zeros(WN_DIMS(QUERIES, KEYS), .dtype = number), wn_logical_not(kept()), -INFINITY);
        same(number, kept(), 0, false, false);
        same(number, wn_logical_not(left_out()), 0, false, false);
        same(number, bias, 0, false, false);
        same(number, NULL, 0, true, false);
        same(number, kept(), 0.25, false, false);
        same(number, NULL, 0.25, true, false);
    }
    same(WN_F64, kept(), 0, false, true);
    same(WN_F64, NULL, 0, true, true);
}

/* What leads to keys that do not count has no gradient either. */
static void test_behind(void) {
    WN_SCOPE(s);
    for (int composed = 0; composed < 2; composed++) {
        wn_tensor *q = wn_ones(WN_DIMS(1, 2, 2)), *x = wn_from_data((float[]){1, 2, -1, -1, 3, 4}, WN_DIMS(1, 3, 2), WN_F32);
        x = wn_requires_grad(x, true);
        wn_tensor *keep = wn_to(wn_from_data((float[]){1, 0, 1}, WN_DIMS(3), WN_F32), WN_BOOL);
        wn_tensor *y = wn_scaled_dot_product_attention(q, wn_log(x), wn_sqrt(x), .attn_mask = keep, .dropout_p = composed ? 1e-9 : 0);
        wn_tensor *g = wn_at(wn_grad(WN_LIST(wn_sum(y)), WN_LIST(x)), 0);
        CHECK(!is_nan(y) && !is_nan(g));
        IS(wn_select(wn_select(g, 0, 0), 0, 1), 0, 0);
    }
}

/* ------------------------------------------------------------------ products of what counts */

static void test_products(void) {
    WN_SCOPE(s);
    const double inf = INFINITY;
    wn_tensor *a = wn_from_data((double[]){1, -2, 0, 3}, WN_DIMS(2, 2), WN_F64), *b = wn_from_data((double[]){inf, 1, NAN, 2}, WN_DIMS(2, 2), WN_F64);
    wn_tensor *first = wn_to(wn_from_data((double[]){1, 0, 1, 0}, WN_DIMS(2, 2), WN_F64), WN_BOOL), *all = wn_ones(WN_DIMS(2, 2), .dtype = WN_BOOL);
    IS(wn_product_where(a, b, first), inf, 1, NAN, 0); /* 1 * inf, 1 * 1; 0 * inf, 0 * 1 */
    IS(wn_product_where(wn_neg(a), b, first), -inf, -1, NAN, 0);
    IS(wn_product_where(a, b, all), NAN, -3, NAN, 6);
    IS(wn_product_where(a, b, wn_logical_not(all)), 0, 0, 0, 0);
    IS(wn_scores_where(a, b, first), inf + -2.0, 0, NAN, 0);
    FAILS(wn_ok(wn_product_where(a, b, wn_ones(WN_DIMS(3, 2), .dtype = WN_BOOL))), "product_where", "do not fit together");
    FAILS(wn_ok(wn_scores_where(a, b, a)), "scores_where", "do not fit together");
}

/* ------------------------------------------------------------------ the layer */

static void test_layer(void) {
    WN_SCOPE(s);
    wn_nn_multihead_attention l = {0};
    CHECK(wn_nn_multihead_attention_init(&l, 8, 2, .batch_first = true) == WN_OK);
    wn_tensor *padding = wn_to(wn_from_data((float[]){1, 1, 1, 0, 0, 1}, WN_DIMS(2, 3), WN_F32), WN_BOOL), *x = wn_randn(WN_DIMS(2, 3, 8));
    wn_tensor *bad = wn_masked_fill(x, wn_unsqueeze(padding, -1), NAN);
    for (int causal = 0; causal < 2; causal++) {
        wn_nn_attention_out with = wn_nn_multihead_attention_forward(&l, x, .key = bad, .key_padding_mask = padding, .need_weights = true, .is_causal = causal);
        wn_nn_attention_out without = wn_nn_multihead_attention_forward(&l, x, .key = bad, .key_padding_mask = padding, .is_causal = causal);
        CHECK(wn_ok(with.output) && wn_ok(without.output) && !is_nan(with.weights));
        CHECK(wn_item_f64(wn_amax(wn_abs(wn_sub(with.output, without.output)))) < 1e-5);
        CHECK(wn_item_f64(wn_amax(wn_abs(wn_select(with.weights, 0, 0)))) == 0);
        CHECK(equal(wn_select(without.output, 0, 0), wn_expand(l.out_proj.bias, WN_DIMS(3, 8))));
    }
    wn_module_free(&l.module);
}

/* ------------------------------------------------------------------ errors */

static void test_errors(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(2, 3)), *d = wn_to(x, WN_F64), *i = wn_to(x, WN_I64), *b = wn_to(x, WN_BOOL);
    FAILS(wn_ok(wn_scaled_dot_product_attention(x, x, x, .attn_mask = wn_ones(WN_DIMS(2, 2), .dtype = WN_BOOL), .is_causal = true)), "scaled_dot_product_attention",
          "Explicit attn_mask should not be set when is_causal=True");
    FAILS(wn_ok(wn_linspace(0, 1, 3, .dtype = WN_BOOL)), "\"linspace_cpu\" not implemented for 'Bool'");
    FAILS(wn_ok(wn_logspace(0, 1, 3, .dtype = WN_BOOL)), "\"logspace_cpu\" not implemented for 'Bool'");
    FAILS(wn_ok(wn_randperm(2, .dtype = WN_BOOL)), "\"randperm\" not implemented for 'Bool'");
    FAILS(wn_ok(wn_add(x, x, .alpha = WN_VAL((bool)true))), "Boolean alpha only supported for Boolean results.");
    FAILS(wn_ok(wn_sub(i, i, .alpha = WN_VAL((bool)true))), "Boolean alpha only supported for Boolean results.");
    CHECK(equal(wn_add(b, b, .alpha = WN_VAL((bool)true)), b));
    FAILS(wn_ok(wn_addcdiv(x, i, i)), "Integer division with addcdiv is no longer supported");
    FAILS(wn_ok(wn_addcdiv(i, b, i)), "Integer division with addcdiv is no longer supported");
    FAILS(wn_ok(wn_addcmul(b, b, b)), "\"addcmul_cpu_out\" not implemented for 'Bool'");
    FAILS(wn_ok(wn_pow(b, b)), "\"pow\" not implemented for 'Bool'");
    FAILS(wn_ok(wn_lerp(x, d, 0.5)), "expected dtype float for `end` but got dtype double");
    FAILS(wn_ok(wn_lerp(x, x, d)), "expected dtype float for `weight` but got dtype double");
    FAILS(wn_ok(wn_lerp_(x, i, 0.5)), "expected dtype float for `end` but got dtype long int");
    FAILS(wn_ok(wn_lerp(i, i, 0.5)), "\"lerp_kernel_scalar\" not implemented for 'Long'");
    CHECK(equal(x, wn_ones(WN_DIMS(2, 3))));
}

int main(void) {
    wn_set_error_hook(NULL);
    test_absent();
    test_behind();
    test_products();
    test_layer();
    test_errors();
    return report();
}
