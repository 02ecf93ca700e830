/* Facts: tensors that are known to be zero somewhere. Products with them have the bits of products with copies, of which nothing is known;
 * what they leave out is counted; a fact ends with the contents that it speaks of. */
#include "check.h"
#include "random.h"
#include "base/alloc.h"
#include "support/fact.h"

/* A copy of which nothing is known. */
static wn_tensor *plain(wn_tensor *t) { return wn_add(t, 0); }
static bool deferred(void) {
    const char *text = getenv("WINNOW_DEFER");
    return !text || strcmp(text, "0") != 0;
}
static bool same(wn_tensor *a, wn_tensor *b) { return same_values(a, b, "result"); }
static int64_t skipped(void) { return wn_get_stats().terms_skipped; }
static int64_t done(void) { return wn_get_stats().terms_done; }
static wn_support_kind kind(wn_tensor *t) { return wn_kind_of_support(wn_support_of(t)); }

/* Is t zero where its fact says so, in its own dimensions? */
static bool inside(const wn_support *s, const int64_t *at) {
    for (int64_t i = 0; i < s->nrows; i++)
        if (s->rows[i] == at[s->row]) return true;
    if (s->kind == WN_SUPPORT_BAND) return at[s->column] - at[s->row] >= s->lower && at[s->column] - at[s->row] <= s->upper;
    for (int i = 0; i < s->nboxes; i++) {
        bool in = true;
        for (int d = 0; d < s->ndim; d++) in &= at[d] >= s->boxes[i].first[d] && at[d] < s->boxes[i].last[d];
        if (in) return true;
    }
    return false;
}
static bool holds(wn_tensor *t, bool wanted) {
    wn_support *s = wn__fact_image(t);
    if (!s) return !wanted;
    const double *p = wn_data(wn_to(wn_contiguous(plain(t)), WN_F64));
    bool ok = p && s->ndim == t->ndim;
    int64_t at[WN_MAX_DIMS] = {0};
    for (int64_t i = 0; ok && i < t->numel; i++) {
        int64_t rest = i;
        for (int d = t->ndim - 1; d >= 0; d--) at[d] = rest % t->shape[d], rest /= t->shape[d];
        ok = p[i] == 0 || inside(s, at);
    }
    if (!ok) printf("    kind %d, shape %lld x %lld\n", s->kind, (long long)t->shape[0], (long long)t->shape[1]);
    wn__free(s);
    return ok;
}

/* ------------------------------------------------------------------ random products */

static wn_tensor *read_now(wn_tensor *t) {
    (void)wn_data(t);
    return t;
}
static wn_tensor *with_zeros(int which, int64_t m, int64_t k, wn_dtype d) {
    wn_tensor *x = wn_to(wn_randn(WN_DIMS(m, k)), d);
    const int64_t diagonal = (int)below(5) ? 0 : (int)below(2 * 300) - 300;
    switch (which) {
    case 0: return wn_tril(x, .diagonal = diagonal);
    case 1: return wn_triu(x, .diagonal = diagonal);
    case 2: return wn_triu(wn_tril(x, .diagonal = 20), .diagonal = -20);
    case 3: {
        wn_tensor *parts[3] = {wn_narrow(wn_narrow(x, 0, 0, m / 3), 1, 0, k / 3), wn_narrow(wn_narrow(x, 0, 0, m / 3), 1, 0, k / 3),
                               wn_narrow(wn_narrow(x, 0, 0, m - 2 * (m / 3)), 1, 0, k - 2 * (k / 3))};
        return wn_block_diag((wn_list){.n = 3, .v = parts});
    }
    case 4: return wn_pad(wn_narrow(wn_narrow(x, 0, 0, m - m / 4), 1, 0, k - k / 2), WN_DIMS(k / 4, k / 2 - k / 4, m / 8, m / 4 - m / 8));
    case 5: return wn_eye(m, .m = WN_VAL(k), .dtype = d);
    case 6: return wn_where(read_now(wn_lt(wn_rand(WN_DIMS(m, 1)), 0.3)), x, 0);
    case 7: return wn_masked_fill(x, read_now(wn_lt(wn_rand(WN_DIMS(k)), 0.8)), 0);
    case 8: (void)wn_data(x); return wn_mul(x, read_now(wn_lt(wn_rand(WN_DIMS(m, 1)), 0.1)));
    default: return wn_zeros(WN_DIMS(m, k), .dtype = d);
    }
}

/* A view of such a tensor: whole, a slice, or turned. */
static wn_tensor *operand(int64_t m, int64_t k, wn_dtype d, int *view) {
    const int which = (int)below(10);
    *view = (int)below(4);
    switch (*view) {
    case 0: return with_zeros(which, m, k, d);
    case 1: return wn_mT(with_zeros(which, k, m, d));
    case 2: return wn_narrow(wn_narrow(with_zeros(which, m + 40, k + 90, d), 0, (int)below(40), m), 1, (int)below(90), k);
    default: return wn_expand(with_zeros(which, m, k, d), WN_DIMS(2, m, k));
    }
}

static void random_product(void) {
    static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F32, WN_BF16, WN_F16};
    const wn_dtype d = dtypes[(int)below(5)];
    const int64_t m = 1 + (int)below(500), k = 300 + (int)below(800), n = (int)below(3) ? 1 + (int)below(300) : 1 + (int)below(9);
    int view_a = -1, view_b = -1;
    const int sides = (int)below(3); /* which operands have facts */
    WN_SCOPE(s);
    wn_tensor *a = sides != 1 ? operand(m, k, d, &view_a) : wn_to(wn_randn(WN_DIMS(m, k)), d);
    wn_tensor *b = sides != 0 ? wn_mT(operand(n, k, d, &view_b)) : wn_to(wn_randn(WN_DIMS(k, n)), d);
    if (sides == 0 && (int)below(4) == 0) wn_fill_(wn_select(wn_select(b, 0, below(k)), 0, below(n)), (int)below(2) ? (double)INFINITY : (double)NAN);
    CHECK(holds(a, false) && holds(b, false) && holds(wn_mul(wn_clone(a), -3), false));
    wn_tensor *a2 = plain(a), *b2 = plain(b);
    const char *what = "matmul";
    wn_tensor *y, *z;
    switch ((int)below(4)) {
    case 0: y = wn_matmul(a, b), z = wn_matmul(a2, b2); break;
    case 1: y = wn_relu(wn_matmul(a, b)), z = wn_relu(wn_matmul(a2, b2)), what = "relu(matmul)"; break;
    case 2: y = wn_linear(a, wn_mT(wn_ndim(b) == 3 ? wn_select(b, 0, 0) : b)), z = wn_linear(a2, wn_mT(wn_ndim(b2) == 3 ? wn_select(b2, 0, 0) : b2)), what = "linear"; break;
    default: {
        wn_tensor *c = wn_to(wn_randn(WN_DIMS(m, n)), d), *p = wn_ndim(a) == 3 ? wn_select(a, 0, 1) : a, *q = wn_ndim(b) == 3 ? wn_select(b, 0, 1) : b;
        y = wn_addmm(c, p, q, .alpha = WN_VAL(-2), .beta = WN_VAL(0.5)), z = wn_addmm(c, plain(p), plain(q), .alpha = WN_VAL(-2), .beta = WN_VAL(0.5));
        what = "addmm";
    }
    }
    const bool ok = same(y, z);
    if (!ok) printf("    %s of %s %lld x %lld by %lld, views %d %d\n", what, wn_dtype_name(d), (long long)m, (long long)k, (long long)n, view_a, view_b);
    CHECK(ok);
}

/* ------------------------------------------------------------------ what is left out */

static void test_counts(void) {
    WN_SCOPE(s);
    wn_tensor *a = wn_tril(wn_randn(WN_DIMS(1024, 1024))), *b = wn_randn(WN_DIMS(1024, 256));
    CHECK(kind(a) == WN_SUPPORT_BAND && kind(b) == WN_SUPPORT_ALL);
    int64_t before = done();
    CHECK(same(wn_matmul(a, b), wn_matmul(plain(a), b)));
    const double whole = 1024.0 * 1024 * 256;
    CHECK((double)(done() - before) <= 0.57 * whole && (double)(done() - before) >= 0.5 * whole);
    before = done();
    wn_tensor *parts[8];
    for (int i = 0; i < 8; i++) parts[i] = wn_randn(WN_DIMS(128, 128));
    wn_tensor *blocks = wn_block_diag((wn_list){.n = 8, .v = parts});
    CHECK(kind(blocks) == WN_SUPPORT_BLOCKS && same(wn_matmul(blocks, b), wn_matmul(plain(blocks), b)));
    CHECK((double)(done() - before) <= 0.16 * whole && done() > before);
    before = done();
    wn_tensor *zeros = wn_zeros(WN_DIMS(1024, 1024));
    CHECK(kind(zeros) == WN_SUPPORT_NONE && same(wn_matmul(zeros, b), wn_zeros(WN_DIMS(1024, 256))));
    CHECK(done() == before);
}

/* A tenth of the rows, of x and of the gradient behind it. */
static void test_rows(void) {
    WN_SCOPE(s);
    wn_tensor *x = read_now(wn_requires_grad(wn_randn(WN_DIMS(2048, 512)), true)), *w = read_now(wn_requires_grad(wn_randn(WN_DIMS(512, 512)), true));
    wn_tensor *m = read_now(wn_lt(wn_rand(WN_DIMS(2048, 1)), 0.1)), *some = wn_to(m, WN_F32);
    const double whole = 2048.0 * 512 * 512;
    int64_t before = done();
    wn_tensor *y = wn_matmul(wn_mul(wn_detach(x), m), wn_detach(w));
    CHECK(kind(wn_mul(wn_detach(x), m)) == (deferred() ? WN_SUPPORT_ROWS : WN_SUPPORT_ALL) && same(y, wn_matmul(wn_mul(wn_detach(x), some), wn_detach(w))));
    CHECK((double)(done() - before) < 0.13 * whole && (done() > before || !deferred()));
    wn_tensor *inf = read_now(wn_full(WN_DIMS(2048, 512), INFINITY)), *xm = wn_mul(inf, m);
    CHECK(kind(xm) == WN_SUPPORT_ALL && wn_item_i64(wn_any(wn_isnan(wn_matmul(xm, wn_detach(w))))) == 1);
    xm = wn_mul(wn_detach(x), m); /* once it is computed, nobody knows */
    (void)wn_data(xm);
    (void)kind(xm);
    CHECK(same(wn_matmul(xm, wn_detach(w)), y));
    CHECK(kind(wn_mul(wn_tril(wn_randn(WN_DIMS(128, 128))), 1e300)) == WN_SUPPORT_ALL && kind(wn_div(wn_tril(wn_randn(WN_DIMS(128, 128))), 1e-300)) == WN_SUPPORT_ALL);
    before = done();
    wn_tensor *g = wn_randn(WN_DIMS(2048, 512));
    CHECK(wn_backward(wn_sum(wn_mul(wn_where(m, wn_matmul(x, w), 0), g))) == WN_OK);
    wn_tensor *gw = wn_clone(wn_grad_of(w)), *gx = wn_clone(wn_grad_of(x));
    (void)wn_data(gw), (void)wn_data(gx);
    CHECK((double)(done() - before) < 2 * 0.13 * whole && done() > before);
    zero_grad(w);
    zero_grad(x);
    CHECK(wn_backward(wn_sum(wn_mul(wn_mul(wn_matmul(x, w), some), g))) == WN_OK);
    CHECK(same(gw, wn_grad_of(w)) && same(gx, wn_grad_of(x)));
}

/* Backward of a loss whose targets are mostly ignored: the head's gradients are those of the rows that count. */
static void test_ignored(void) {
    WN_SCOPE(s);
    const int64_t n = 1024, classes = 1000;
    wn_tensor *h = read_now(wn_requires_grad(wn_randn(WN_DIMS(n, 256)), true)), *w = read_now(wn_requires_grad(wn_randn(WN_DIMS(classes, 256)), true));
    wn_tensor *t = wn_randint(classes, WN_DIMS(n)), *kept = read_now(wn_lt(wn_rand(WN_DIMS(n)), 0.1));
    wn_tensor *target = read_now(wn_where(kept, t, -100));
    const int64_t before = done();
    CHECK(wn_backward(wn_cross_entropy(wn_linear(h, w), target)) == WN_OK);
    wn_tensor *gw = wn_clone(wn_grad_of(w)), *gh = wn_clone(wn_grad_of(h));
    (void)wn_data(gw), (void)wn_data(gh);
    CHECK(done() > before && (double)(done() - before) < 0.3 * (double)(n * classes) * 256);
    zero_grad(w);
    zero_grad(h);
    wn_tensor *rows = wn_reshape(wn_nonzero(kept), WN_DIMS(-1)); /* the same with the rows taken out by hand; the mean is over as many */
    CHECK(wn_backward(wn_cross_entropy(wn_linear(wn_index_select(h, 0, rows), w), wn_index_select(t, 0, rows))) == WN_OK);
    CHECK(wn_item_f64(wn_amax(wn_abs(wn_sub(gw, wn_grad_of(w))))) < 1e-5 && wn_item_f64(wn_amax(wn_abs(wn_sub(gh, wn_grad_of(h))))) < 1e-5);
}

/* Terms with inf or NaN are no zeros. */
static void test_not_finite(void) {
    WN_SCOPE(s);
    wn_tensor *a = wn_tril(wn_randn(WN_DIMS(256, 256))), *b = wn_randn(WN_DIMS(256, 128));
    wn_fill_(wn_select(b, 0, 200), INFINITY);
    const int64_t before = skipped();
    wn_tensor *y = wn_matmul(a, b);
    CHECK(wn_item_i64(wn_isnan(wn_select(wn_select(y, 0, 3), 0, 0))) == 1);
    CHECK(skipped() == before);
    wn_fill_(wn_select(b, 0, 200), 1); /* now it is finite, which has to be seen again */
    CHECK(same(wn_matmul(a, b), wn_matmul(plain(a), b)) && skipped() > before);
    wn_fill_(wn_select(b, 0, 200), (double)NAN); /* and no more */
    CHECK(wn_item_i64(wn_isnan(wn_select(wn_select(wn_matmul(a, b), 0, 3), 0, 0))) == 1);
    const float inf = INFINITY;
    float *p = wn_data_mut(b);
    for (int i = 0; i < 256 * 128; i++) p[i] = 1;
    CHECK(wn_item_f64(wn_amax(wn_matmul(a, b))) < 1e4);
    p[255 * 128] = inf; /* by an address that was given out before */
    CHECK(wn_item_i64(wn_isnan(wn_select(wn_select(wn_matmul(a, b), 0, 3), 0, 0))) == 1);
}

/* ------------------------------------------------------------------ the end of a fact */

static void test_changes(void) {
    WN_SCOPE(s);
    wn_tensor *b = wn_randn(WN_DIMS(128, 64)), *a = wn_tril(wn_randn(WN_DIMS(128, 128)));
    CHECK(kind(a) == WN_SUPPORT_BAND && kind(wn_mT(a)) == WN_SUPPORT_BAND);
    wn_add_(wn_select(a, 0, 0), 1); /* through a view */
    CHECK(kind(a) == WN_SUPPORT_ALL && same(wn_matmul(a, b), wn_matmul(plain(a), b)));
    wn_tril_(a);
    CHECK(kind(a) == WN_SUPPORT_BAND);
    wn_copy_(a, wn_randn(WN_DIMS(128, 128)));
    CHECK(kind(a) == WN_SUPPORT_ALL);
    wn_tensor *out = wn_empty(WN_DIMS(128, 128));
    wn_triu(wn_randn(WN_DIMS(128, 128)), .out = out);
    CHECK(kind(out) == WN_SUPPORT_BAND);
    ((float *)wn_data_mut(out))[128 * 127] = 7;
    CHECK(kind(out) == WN_SUPPORT_ALL && same(wn_matmul(out, b), wn_matmul(plain(out), b)));
    wn_tensor *z = wn_zeros(WN_DIMS(128, 128));
    CHECK(wn_expose(z) == WN_OK && kind(z) == WN_SUPPORT_ALL);
    wn_unexpose(z);
    CHECK(kind(z) == WN_SUPPORT_ALL);
    wn_tensor *small = wn_zeros(WN_DIMS(8, 8));
    CHECK(kind(small) == WN_SUPPORT_ALL);
    CHECK(wn_support_of(NULL) == NULL && wn_kind_of_support(NULL) == WN_SUPPORT_ALL);
}

/* Facts go on to copies, casts, multiples and what maps zeros to zeros; joins and gradients of views have their own. */
static void test_passed_on(void) {
    WN_SCOPE(s);
    wn_tensor *a = wn_tril(wn_randn(WN_DIMS(128, 128))), *x = wn_randn(WN_DIMS(128, 128)), *b = wn_randn(WN_DIMS(128, 256));
    CHECK(kind(wn_clone(a)) == WN_SUPPORT_BAND && kind(wn_clone(wn_mT(a))) == WN_SUPPORT_BAND && kind(wn_to(a, WN_F64)) == WN_SUPPORT_BAND);
    CHECK(kind(wn_mul(a, 3)) == WN_SUPPORT_BAND && kind(wn_div(a, 3)) == WN_SUPPORT_BAND && kind(wn_tanh(wn_neg(a))) == WN_SUPPORT_BAND);
    CHECK(kind(wn_mul(a, INFINITY)) == WN_SUPPORT_ALL && kind(wn_div(a, 0)) == WN_SUPPORT_ALL && kind(wn_add(a, 1)) == WN_SUPPORT_ALL);
    CHECK(kind(wn_mul(a, x)) == WN_SUPPORT_ALL && kind(wn_exp(a)) == WN_SUPPORT_ALL && kind(wn_div(x, a)) == WN_SUPPORT_ALL);
    wn_tensor *parts[2] = {wn_zeros(WN_DIMS(256, 256)), wn_randn(WN_DIMS(256, 256))};
    wn_tensor *joined = wn_cat((wn_list){.n = 2, .v = parts}, .dim = WN_VAL(-1));
    wn_tensor *three[3] = {wn_tril(x), wn_zeros(WN_DIMS(128, 40)), wn_block_diag(WN_LIST(wn_narrow(x, 0, 0, 100), wn_narrow(wn_narrow(x, 0, 0, 28), 1, 0, 5)))};
    CHECK(holds(wn_cat((wn_list){.n = 3, .v = three}, .dim = WN_VAL(1)), true) && holds(joined, true));
    CHECK(holds(wn_diag_embed(wn_randn(WN_DIMS(3, 70)), .offset = -4), true) && holds(wn_diag_embed(wn_randn(WN_DIMS(70, 3)), .offset = 5, .dim1 = WN_VAL(2), .dim2 = WN_VAL(0)), true));
    CHECK(holds(wn_slice_backward(wn_randn(WN_DIMS(128, 9)), WN_DIMS(128, 64), 1, 3, 30, 3), true) && holds(wn_select_backward(x, WN_DIMS(128, 7, 128), -2, -3), true));
    CHECK(holds(wn_select(a, 0, 77), true) && holds(wn_narrow(wn_mT(a), 0, 3, 20), true) && holds(wn_select(wn_expand(a, WN_DIMS(3, 128, 128)), 0, 1), true));
    CHECK(holds(wn_unfold(a, 0, 3, 2), false) && holds(wn_reshape(a, WN_DIMS(64, 256)), false) && holds(wn_slice(a, 0, 0, 128, .step = WN_VAL(3)), false));
    CHECK(kind(joined) == WN_SUPPORT_BLOCKS && kind(wn_diag_embed(wn_randn(WN_DIMS(128)))) == WN_SUPPORT_BAND);
    int64_t before = done();
    CHECK(same(wn_matmul(joined, wn_clone(wn_mT(joined))), wn_matmul(plain(joined), plain(wn_mT(joined)))));
    CHECK(done() - before == 256 * 256 * 256);
    before = done();
    wn_tensor *d = wn_diag_embed(wn_randn(WN_DIMS(128)));
    CHECK(same(wn_matmul(d, b), wn_matmul(plain(d), b)) && done() - before <= 128 * 256 * 16);
    CHECK(same(wn_matmul(wn_mul(wn_clone(wn_mT(a)), -2), b), wn_matmul(plain(wn_mul(wn_mT(a), -2)), b)));
}

/* Backward of what was read in part: products run for that part. */
static void test_backward(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_randn(WN_DIMS(1024, 256)), *w = wn_requires_grad(wn_randn(WN_DIMS(256, 512)), true), *v = wn_requires_grad(wn_randn(WN_DIMS(512, 128)), true);
    const int64_t before = skipped(), ran = done();
    CHECK(wn_backward(wn_sum(wn_narrow(wn_matmul(wn_relu(wn_matmul(x, w)), v), 0, 0, 8))) == WN_OK);
    wn_tensor *gw = wn_clone(wn_grad_of(w)), *gv = wn_clone(wn_grad_of(v));
    CHECK(skipped() - before > 5 * (int64_t)1024 * 512 * 128 / 2 && done() > ran && done() - ran < 1024 * 512 * 128 / 8);
    zero_grad(w);
    zero_grad(v);
    wn_tensor *m = wn_to(wn_lt(wn_unsqueeze(wn_arange(1024), -1), 8), WN_F32);
    CHECK(wn_backward(wn_sum(wn_mul(wn_matmul(wn_relu(wn_matmul(x, w)), v), m))) == WN_OK);
    CHECK(same(gw, wn_grad_of(w)) && same(gv, wn_grad_of(v)));
}

/* A product that waits sees its operand as it was. */
static void test_waiting(void) {
    WN_SCOPE(s);
    wn_tensor *a = wn_tril(wn_randn(WN_DIMS(256, 256))), *b = wn_randn(WN_DIMS(256, 256)), *copy = plain(a), *all = wn_randn(WN_DIMS(256, 256));
    wn_tensor *y = wn_matmul(a, b);
    wn_copy_(a, all);
    CHECK(same(y, wn_matmul(copy, b)));
    y = wn_matmul(a, b);
    wn_tril_(a);
    CHECK(same(y, wn_matmul(all, b)));
}

/* any and all end where they are decided. */
static int64_t looked_at(bool all, int64_t odd, bool *result) {
    WN_SCOPE(s);
    enum { N = 1 << 22 };
    wn_tensor *x = wn_full(WN_DIMS(N), all ? 1.0 : 0.0, .dtype = WN_F32);
    if (odd >= 0) wn_fill_(wn_select(x, 0, odd), all ? 0 : 1);
    (void)wn_data(x);
    const int64_t before = wn_get_stats().instr_elements;
    wn_tensor *m = wn_gt(x, 0.5), *r = all ? wn_all(m) : wn_any(m);
    *result = wn_item_i64(r);
    return wn_get_stats().instr_elements - before;
}
static void test_early(void) {
    const int64_t n = 1 << 22, somewhere[] = {0, 5000, n / 2, n - 1, -1};
    for (int threads = 1; threads <= 3; threads += 2) {
        wn_set_num_threads(threads);
        for (int i = 0; i < 5; i++) {
            for (int all = 0; all < 2; all++) {
                bool r;
                const int64_t looked = looked_at(all, somewhere[i], &r);
                CHECK(r == (all ? somewhere[i] < 0 : somewhere[i] >= 0));
                if (threads == 1 && deferred() && somewhere[i] >= 0 && somewhere[i] <= 5000) CHECK(looked < n / 2);
                else if (somewhere[i] < 0) CHECK(looked >= n);
            }
        }
    }
}

int main(void) {
    wn_set_error_hook(NULL);
    test_counts();
    test_rows();
    test_ignored();
    test_not_finite();
    test_changes();
    test_passed_on();
    test_backward();
    test_waiting();
    test_early();
    for (int threads = 1; threads <= 3; threads += 2) {
        wn_set_num_threads(threads);
        for (int i = 0; i < 150; i++) random_product();
    }
    CHECK(wn_get_stats().terms_skipped > 0);
    return report();
}
