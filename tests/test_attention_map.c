/* Attention with masks of which whole tiles are empty or full: results and gradients have the bits of attention that computes every tile. */
#include "check.h"
#include "random.h"
#include "support/fact.h"

typedef struct results {
    wn_tensor *y, *dq, *dk, *dv;
} results;
static results run(wn_tensor *q, wn_tensor *k, wn_tensor *v, wn_tensor *mask, bool causal, wn_tensor *g, bool map) {
    wn__use_facts(map);
    wn_tensor *in[3] = {wn_requires_grad(wn_detach(q), true), wn_requires_grad(wn_detach(k), true), wn_requires_grad(wn_detach(v), true)};
    wn_tensor *y = wn_scaled_dot_product_attention(in[0], in[1], in[2], .attn_mask = mask, .is_causal = causal);
    (void)wn_data(y);
    CHECK(wn_backward(y, .gradient = g) == WN_OK);
    results r = {wn_detach(y), wn_grad_of(in[0]), wn_grad_of(in[1]), wn_grad_of(in[2])};
    (void)wn_data(r.dq), (void)wn_data(r.dk), (void)wn_data(r.dv);
    return r;
}

/* Masks as programs have them: lengths, documents, windows, causal ones, blocks, single holes; shared by heads or not. */
static wn_tensor *mask_of(int kind, int64_t b, int64_t h, int64_t m, int64_t n) {
    wn_tensor *i = wn_unsqueeze(wn_arange(m), -1), *j = wn_arange(n);
    switch (kind) {
    case 0: return wn_reshape(wn_lt(j, wn_unsqueeze(wn_randint(n + 1, WN_DIMS(b)), -1)), WN_DIMS(b, 1, 1, n));
    case 1: return wn_eq(wn_floor_divide(i, 100), wn_floor_divide(j, 100));
    case 2: return wn_lt(wn_abs(wn_sub(i, j)), 40);
    case 3: return wn_le(j, i);
    case 4: return wn_reshape(wn_lt(wn_rand(WN_DIMS(b * h * m * n)), 0.02), WN_DIMS(b, h, m, n));
    case 5: return wn_logical_and(wn_lt(i, m / 2), wn_ge(j, n / 2));
    case 6: return wn_zeros(WN_DIMS(m, n), .dtype = WN_BOOL);
    case 7: return wn_ones(WN_DIMS(1, n), .dtype = WN_BOOL);
    default: return wn_expand(wn_lt(wn_rand(WN_DIMS(m, 1)), 0.5), WN_DIMS(m, n));
    }
}

static void compare(void) {
    static const wn_dtype dtypes[] = {WN_F32, WN_F32, WN_F64, WN_BF16, WN_F16};
    WN_SCOPE(s);
    const wn_dtype d = dtypes[below(5)];
    const int64_t b = 1 + below(2), h = 1 + below(3), m = 1 + below(400), n = 1 + below(1400), w = 1 + below(80), vw = below(2) ? w : 1 + below(80);
    const int kind = (int)below(9);
    const bool causal = below(4) == 0, biases = below(3) == 0;
    wn_tensor *q = wn_to(wn_randn(WN_DIMS(b, h, m, w)), d), *k = wn_to(wn_randn(WN_DIMS(b, h, n, w)), d), *v = wn_to(wn_randn(WN_DIMS(b, h, n, vw)), d);
    wn_tensor *mask = mask_of(kind, b, h, m, n), *g = wn_to(wn_randn(WN_DIMS(b, h, m, vw)), d);
    if (below(3) == 0) { /* what is left out holds anything */
        wn_fill_(wn_select(k, 2, below(n)), (double)NAN);
        wn_fill_(wn_select(v, 2, below(n)), INFINITY);
        wn_fill_(wn_select(q, 2, below(m)), (double)NAN);
    }
    if (biases) mask = wn_to(wn_where(mask, wn_randn(WN_DIMS(m, n)), wn_full(WN_0D, -INFINITY)), d);
    const results x = run(q, k, v, mask, causal && !mask, g, true), y = run(q, k, v, mask, causal && !mask, g, false);
    const bool ok = same_values(x.y, y.y, "result") && same_values(x.dq, y.dq, "dq") && same_values(x.dk, y.dk, "dk") && same_values(x.dv, y.dv, "dv");
    if (!ok) printf("    %s mask %d%s of %lld x %lld queries %lld keys %lld width %lld, %lld\n", wn_dtype_name(d), kind, biases ? " as biases" : "", (long long)b, (long long)h,
                    (long long)m, (long long)n, (long long)w, (long long)vw);
    CHECK(ok);
}

/* What is left out of 8 documents of 256, a window, lengths. */
static void test_counts(void) {
    WN_SCOPE(s);
    const int64_t n = 1024;
    wn_tensor *q = wn_randn(WN_DIMS(1, 2, n, 32)), *i = wn_unsqueeze(wn_arange(n), -1), *j = wn_arange(n);
    wn_tensor *masks[3] = {wn_eq(wn_floor_divide(i, 128), wn_floor_divide(j, 128)), wn_lt(wn_abs(wn_sub(i, j)), 32), wn_lt(j, 100)};
    const double most[3] = {0.16, 0.16, 0.13};
    wn__use_facts(true);
    for (int k = 0; k < 3; k++) {
        const wn_stats before = wn_get_stats();
        (void)wn_data(wn_scaled_dot_product_attention(q, q, q, .attn_mask = masks[k]));
        const wn_stats after = wn_get_stats();
        const double done = (double)(after.terms_done - before.terms_done), all = done + (double)(after.terms_skipped - before.terms_skipped);
        CHECK(all == 2.0 * (double)(n * n) * 64 && done <= most[k] * all && done > 0);
    }
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 80;
    wn_set_error_hook(NULL);
    wn_manual_seed(7);
    test_counts();
    for (int i = 0; i < rounds; i++) {
        wn_set_num_threads(1 + i % 2 * 2);
        compare();
    }
    return report();
}
