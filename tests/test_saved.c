/* Saved-tensor hooks: what is packed when, that gradients (and theirs) come out the same, failures, and who frees what. */
#include <pthread.h>
#include "base/alloc.h"
#include "tensor/tensor.h"
#include "check.h"

typedef struct books {
    int packs, unpacks, drops, frees;
    enum { PLAIN, COPIES, TENFOLD, REFUSES, WRITES, LEAVES, NO_UNPACK, BAD_UNPACK, WRONG_SHAPE, WRONG_DTYPE } mode;
} books;

static void *pack(void *ctx, wn_tensor *t) {
    books *b = ctx;
    b->packs++;
    CHECK(wn_ok(t) && !wn_needs_grad(t) && !wn_grad_enabled());
    if (b->mode == REFUSES) return wn_raise(WN_E_VALUE, "pack", "no room"), NULL;
    if (b->mode == LEAVES) return NULL;
    if (b->mode == WRITES) (void)wn_add_(t, 1);
    return wn_keep(b->mode == COPIES ? wn_clone(t) : t);
}
static wn_tensor *unpack(void *ctx, void *packed) {
    books *b = ctx;
    wn_tensor *t = packed;
    b->unpacks++;
    switch (b->mode) {
    case TENFOLD: return wn_mul(t, 10);
    case NO_UNPACK: return NULL;
    case BAD_UNPACK: return wn_add(t, VEC(1, 2, 3, 4, 5));
    case WRONG_SHAPE: return wn_unsqueeze(t, 0);
    case WRONG_DTYPE: return wn_to(t, WN_F32);
    default: return t;
    }
}
static void drop(void *ctx, void *packed) {
    ((books *)ctx)->drops++;
    wn_drop(packed);
}
static void end(void *ctx) { ((books *)ctx)->frees++; }
static bool push(books *b) {
    return wn_push_saved_hooks(&(wn_saved_hooks){.pack = pack, .unpack = unpack, .drop = drop, .free = end, .ctx = b}) == WN_OK;
}

/* ------------------------------------------------------------------ what is packed, and who frees it */

static void test_counts(void) {
    books b = {0}, c = {0};
    {
        WN_SCOPE(s);
        wn_tensor *x = PARAM(1, 2), *k = VEC(5, 6);
        wn_tensor *before = wn_exp(x);
        CHECK(push(&b));
        wn_tensor *e = wn_exp(x); /* its result */
        CHECK(b.packs == 1);
        wn_tensor *m = wn_mul(e, k); /* for e's gradient: k */
        CHECK(b.packs == 2);
        wn_tensor *sq = wn_mul(m, m);
        CHECK(b.packs == 4);
        wn_tensor *sum = wn_sum(wn_add(sq, 1)); /* nothing */
        CHECK(b.packs == 4);
        {
            WN_NO_GRAD();
            (void)wn_mul(x, x);
        }
        (void)wn_mul(k, k);
        CHECK(b.packs == 4);
        /* only the innermost pair; it outlives its place on the stack */
        CHECK(push(&c));
        wn_tensor *inner = wn_exp(x);
        CHECK(b.packs == 4 && c.packs == 1);
        wn_pop_saved_hooks();
        CHECK(c.frees == 0);
        (void)wn_exp(x);
        CHECK(b.packs == 5 && c.packs == 1);
        wn_pop_saved_hooks();
        wn_pop_saved_hooks(); /* one too many */
        (void)wn_exp(x);
        CHECK(b.packs == 5 && b.unpacks == 0 && b.drops == 0 && b.frees == 0);
        CHECK(wn_backward(sum, .retain_graph = true) == WN_OK && b.unpacks == 4 && b.drops == 0);
        double w0 = 2 * 25 * exp(2), w1 = 2 * 36 * exp(4);
        IS(wn_grad_of(x), w0, w1);
        CHECK(wn_backward(sum) == WN_OK && b.unpacks == 8 && b.drops == 4);
        IS(wn_grad_of(x), 2 * w0, 2 * w1);
        FAILS(wn_backward(wn_sum(e)) == WN_OK, "second time");
        CHECK(wn_backward(wn_sum(inner)) == WN_OK && c.unpacks == 1 && c.drops == 1 && c.frees == 1 && wn_backward(wn_sum(before)) == WN_OK);
    }
    CHECK(b.drops == 5 && b.frees == 1 && b.packs == 5); /* one graph was never used */
    /* a scope that began before them does not switch them off, nor on */
    {
        WN_SCOPE(s);
        b = (books){0};
        wn_tensor *x = PARAM(1);
        wn_scope t = wn_begin_modes((wn_modes){.grad = WN_ON});
        CHECK(push(&b));
        wn_scope u = wn_begin_modes((wn_modes){.grad = WN_OFF});
        wn_end(&u);
        wn_end(&t);
        (void)wn_exp(x);
        CHECK(b.packs == 1);
        t = wn_begin();
        wn_pop_saved_hooks();
        wn_end(&t);
        (void)wn_exp(x);
        CHECK(b.packs == 1 && wn_grad_enabled());
    }
    CHECK(b.frees == 1);
    FAILS(wn_push_saved_hooks(NULL) == WN_OK, "absent");
    FAILS(wn_push_saved_hooks(&(wn_saved_hooks){.pack = pack}) == WN_OK, "absent");
}

static void *leaves_them(void *ctx) { /* a thread that ends with hooks in force */
    CHECK(push(ctx) && push(ctx));
    WN_SCOPE(s);
    (void)wn_exp(PARAM(1));
    return NULL;
}
static void test_thread(void) {
    books b = {0};
    pthread_t t;
    CHECK(!pthread_create(&t, NULL, leaves_them, &b) && !pthread_join(t, NULL));
    CHECK(b.packs == 1 && b.drops == 1 && b.frees == 2);
}

/* ------------------------------------------------------------------ what unpack gives is what counts */

static void test_values(void) {
    WN_SCOPE(s);
    books b = {.mode = TENFOLD};
    CHECK(push(&b));
    wn_tensor *x = PARAM(1, 2), *y = wn_mul(x, x);
    CHECK(wn_backward(wn_sum(y)) == WN_OK);
    IS(wn_grad_of(x), 20, 40); /* as torch's own test has it */
    wn_tensor *p = PARAM(1, 2), *e = wn_exp(p);
    CHECK(wn_backward(wn_sum(e)) == WN_OK);
    IS(wn_grad_of(p), 10 * exp(1), 10 * exp(2));
    /* copies are what counts, not what became of the original */
    b.mode = COPIES;
    wn_tensor *a = PARAM(3, 4), *h = wn_mul(a, 1), *sq = wn_mul(h, h);
    CHECK(wn_ok(wn_zero_(wn_detach(h))) && wn_backward(wn_sum(sq)) == WN_OK);
    IS(wn_grad_of(a), 6, 8);
    wn_pop_saved_hooks();
}

/* ------------------------------------------------------------------ in place */

static void test_inplace(void) {
    for (int with = 0; with < 2; with++) {
        WN_SCOPE(s);
        books b = {0};
        if (with) CHECK(push(&b));
        wn_tensor *x = PARAM(0.5, 1), *y = wn_mul(x, 2);
        CHECK(wn_ok(wn_mul_(y, y)) && wn_ok(wn_sigmoid_(y))); /* what was overwritten; the result */
        CHECK(wn_backward(wn_sum(y), .retain_graph = true) == WN_OK);
        double s0 = 1 / (1 + exp(-1)), s1 = 1 / (1 + exp(-4));
        IS(wn_grad_of(x), s0 * (1 - s0) * 4, s1 * (1 - s1) * 8);
        wn_tensor *g = wn_at(wn_grad(WN_LIST(wn_sum(y)), WN_LIST(x), .create_graph = true), 0);
        wn_tensor *gg = wn_at(wn_grad(WN_LIST(wn_sum(g)), WN_LIST(x)), 0);
        /* z = 4 x^2: s' z'' + s'' z'^2 */
        double d0 = s0 * (1 - s0), d1 = s1 * (1 - s1);
        IS(gg, d0 * 8 + d0 * (1 - 2 * s0) * 16, d1 * 8 + d1 * (1 - 2 * s1) * 64);
        /* on a view */
        wn_tensor *z = PARAM(1, 2, 3), *base = wn_mul(z, 1), *part = wn_slice(base, 0, 1, 3);
        CHECK(wn_ok(wn_mul_(part, part)) && wn_ok(wn_exp_(part)));
        wn_tensor *sum = wn_sum(base);
        CHECK(wn_backward(sum, .retain_graph = true) == WN_OK);
        IS(wn_grad_of(z), 1, 4 * exp(4), 6 * exp(9));
        wn_list second = wn_grad(WN_LIST(sum), WN_LIST(z), .create_graph = true);
        if (with) FAILS(second.n == 1, "view", "packed by hooks");
        else CHECK(second.n == 1);
        if (with) wn_pop_saved_hooks();
        CHECK(!with || b.packs > 5);
    }
    WN_SCOPE(s);
    books b = {.mode = REFUSES};
    wn_tensor *x = PARAM(1, 2), *y = wn_mul(x, 2);
    CHECK(push(&b));
    FAILS(wn_ok(wn_exp_(y)), "no room"); /* it was done, but has no gradient */
    wn_pop_saved_hooks();
    FAILS(wn_backward(wn_sum(y)) == WN_OK, "second time");
}

/* ------------------------------------------------------------------ failures */

static void test_failures(void) {
    WN_SCOPE(s);
    books b = {.mode = REFUSES};
    wn_tensor *x = PARAM(1, 2);
    CHECK(push(&b));
    FAILS(wn_ok(wn_exp(x)), "pack: no room");
    b.mode = LEAVES;
    FAILS(wn_ok(wn_mul(x, x)), "pack hook failed");
    b.mode = WRITES;
    FAILS(wn_ok(wn_exp(x)), "A saved tensor pack hook is modifying its input in place.");
    CHECK(b.drops == 1);
    const char *words[] = {"gave no tensor", "add", "gave f64[1,2] for what was float64[2]", "gave f32[2] for what was float64[2]"};
    for (int i = 0; i < 4; i++) {
        b.mode = PLAIN;
        wn_tensor *y = wn_exp(x), *m = wn_mul(x, x);
        b.mode = NO_UNPACK + i;
        FAILS(wn_backward(wn_sum(y), .retain_graph = true) == WN_OK, words[i]);
        FAILS(wn_backward(wn_sum(m), .retain_graph = true) == WN_OK, words[i]);
        CHECK(wn_grad_of(x) == NULL);
        b.mode = PLAIN;
        CHECK(wn_backward(wn_sum(wn_add(y, m))) == WN_OK);
        IS(wn_grad_of(x), exp(1) + 2, exp(2) + 4);
        CHECK(wn_set_grad(x, NULL) == WN_OK);
    }
    wn_pop_saved_hooks();
}

/* ------------------------------------------------------------------ the same gradients as without */

static wn_tensor *f_pointwise(void *ctx, wn_list in) {
    (void)ctx;
    wn_tensor *a = in.v[0], *b = in.v[1];
    wn_tensor *t = wn_where(wn_gt(a, b), wn_mul(wn_tanh(a), b), wn_div(wn_exp(b), wn_add(wn_square(a), 1)));
    return wn_add(t, wn_pow(wn_add(wn_square(a), 1), b));
}
static wn_tensor *f_products(void *ctx, wn_list in) {
    (void)ctx;
    wn_tensor *a = wn_reshape(in.v[0], WN_DIMS(2, 3)), *b = wn_reshape(in.v[1], WN_DIMS(3, 2));
    return wn_matmul(wn_linear(a, wn_t(b), wn_ones(WN_DIMS(2), .dtype = WN_F64)), wn_matmul(wn_t(b), wn_t(a)));
}
static wn_tensor *f_lists(void *ctx, wn_list in) {
    (void)ctx;
    wn_list parts = wn_unbind(wn_reshape(in.v[0], WN_DIMS(2, 3)));
    wn_tensor *c = wn_cat(WN_LIST(wn_mul(parts.v[0], parts.v[1]), in.v[1])), *st = wn_stack(WN_LIST(in.v[0], wn_sin(in.v[1])));
    return wn_add(wn_sum(wn_cumprod(c, 0)), wn_prod(wn_add(st, 2), .dims = WN_DIMS(0)));
}
static wn_tensor *f_reductions(void *ctx, wn_list in) {
    (void)ctx;
    wn_tensor *a = wn_reshape(in.v[0], WN_DIMS(2, 3));
    wn_tensor *n = wn_layer_norm(a, WN_DIMS(3), wn_slice(in.v[1], 0, 0, 3), wn_slice(in.v[1], 0, 3, 6));
    wn_tensor *m = wn_softmax(wn_mul(a, wn_reshape(in.v[1], WN_DIMS(2, 3))), 1);
    return wn_add(wn_add(wn_var(n, .dims = WN_DIMS(1)), wn_logsumexp(m, WN_DIMS(1))), wn_max_dim(a, 1).values);
}
static wn_tensor *f_inplace(void *ctx, wn_list in) {
    (void)ctx;
    wn_tensor *y = wn_mul(in.v[0], in.v[1]);
    wn_mul_(y, y);
    wn_sigmoid_(y);
    return wn_add(y, wn_exp(in.v[1]));
}
static wn_tensor *f_conv(void *ctx, wn_list in) {
    (void)ctx;
    wn_tensor *img = wn_reshape(wn_cat(WN_LIST(in.v[0], in.v[0], in.v[1], in.v[1], in.v[0], in.v[1])), WN_DIMS(1, 1, 6, 6));
    wn_tensor *w = wn_reshape(wn_slice(in.v[1], 0, 0, 4), WN_DIMS(1, 1, 2, 2));
    return wn_max_pool2d(wn_tanh(wn_conv2d(img, w)), WN_DIMS(2, 2));
}
static wn_tensor *f_index(void *ctx, wn_list in) {
    (void)ctx;
    wn_tensor *i = wn_from_data((int64_t[]){4, 0, 4, 2}, WN_DIMS(4), WN_I64);
    wn_tensor *picked = wn_index_select(in.v[0], 0, i), *kept = wn_masked_select(wn_square(in.v[1]), wn_gt(in.v[1], 0));
    return wn_add(wn_sum(wn_square(picked)), wn_mul(wn_sum(kept), wn_sum(wn_gather(in.v[1], 0, i))));
}

static void test_same(void) {
    static const wn_fn fns[] = {f_pointwise, f_products, f_lists, f_reductions, f_inplace, f_conv, f_index};
    for (size_t i = 0; i < sizeof fns / sizeof *fns; i++)
        for (int mode = PLAIN; mode <= COPIES; mode++) {
            WN_SCOPE(s);
            books b = {.mode = mode};
            wn_tensor *x = PARAM(0.3, -0.7, 1.1, 0.9, -1.3, 0.2), *y = PARAM(0.8, 0.4, -0.6, 1.2, 0.5, -0.9);
            CHECK(push(&b));
            wn_status st = wn_gradcheck(fns[i], NULL, WN_LIST(x, y), 1e-6, 1e-5, 1e-4, true);
            wn_pop_saved_hooks();
            if (st) printf("    function %zu: %s\n", i, wn_error_message());
            CHECK(st == WN_OK && b.packs > 10 && b.unpacks > 10);
            wn_clear();
            wn_end(&s);
            CHECK(b.drops == b.packs && b.frees == 1);
        }
}

/* Large tensors, whose operations are deferred. */
static void test_large(void) {
    WN_SCOPE(s);
    books b = {0};
    wn_tensor *x = wn_requires_grad(wn_linspace(0, 1, 20000, .dtype = WN_F64), true);
    for (int with = 0; with < 2; with++) {
        if (with) CHECK(push(&b));
        wn_tensor *y = wn_sum(wn_mul(wn_exp(wn_mul(x, x)), wn_tanh(x)));
        CHECK(wn_backward(y) == WN_OK);
        if (with) wn_pop_saved_hooks();
    }
    wn_tensor *g = wn_grad_of(x), *h = wn_div(g, 2);
    CHECK(wn_set_grad(x, NULL) == WN_OK && wn_backward(wn_sum(wn_mul(wn_exp(wn_mul(x, x)), wn_tanh(x)))) == WN_OK);
    CHECK(wn_item_f64(wn_max(wn_abs(wn_sub(h, wn_grad_of(x))))) < 1e-12 && b.packs == 6);
}

/* ------------------------------------------------------------------ memory that runs short */

static void everything(void) {
    WN_SCOPE(s);
    books b = {0};
    bool pushed = push(&b);
    wn_tensor *x = PARAM(0.3, 0.7, 1.1, 0.9, 1.3, 0.2), *y = PARAM(0.8, 0.4, 0.6, 1.2, 0.5, 0.9);
    if (wn_ok(x) && wn_ok(y)) {
        wn_list g = wn_grad(WN_LIST(wn_sum(f_pointwise(NULL, WN_LIST(x, y)))), WN_LIST(x, y), .create_graph = true);
        if (g.n) g = wn_grad(WN_LIST(wn_sum(g.v[0])), WN_LIST(x));
        g = wn_grad(WN_LIST(wn_sum(f_inplace(NULL, WN_LIST(x, y)))), WN_LIST(x, y));
    }
    if (pushed) wn_pop_saved_hooks();
    wn_end(&s);
    CHECK(b.drops <= b.packs && b.frees == pushed);
}

static void test_memory(void) {
    for (int64_t n = 0;; n++) {
        wn_fail_allocation(n);
        everything();
        bool hit = wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        wn_clear();
        wn_stats st = wn_get_stats();
        if (st.handles || st.storages || wn__slab_live(WN__SLAB_NODE)) {
            CHECK(!"something is left after a failed allocation");
            break;
        }
        if (!hit) break;
        if (n == 20000) {
            CHECK(!"the sweep ends");
            break;
        }
    }
}

/* ------------------------------------------------------------------ builders that run on masks, too, unpack once */

static void test_once(void) {
    books b = {0};
    WN_SCOPE(s);
    CHECK(push(&b));
    wn_tensor *w = wn_requires_grad(wn_view(VEC(1, 2, 3, 4), WN_DIMS(2, 2)), true), *a = wn_view(VEC(1, 2, INFINITY, NAN, 5, 6), WN_DIMS(3, 2));
    wn_tensor *m = wn_gt(wn_view(VEC(1, 0, 1), WN_DIMS(3, 1)), 0), *y = wn_where(m, wn_matmul(a, w), 0);
    int before = b.unpacks;
    CHECK(wn_backward(wn_sum(y)) == WN_OK && b.unpacks == before + 2); /* the mask, and a */
    IS(wn_view(wn_grad_of(w), WN_DIMS(4)), 6, 6, 8, 8);
    wn_tensor *x = PARAM(0, 2, 3), *at = wn_to(VEC(2, 0, 1), WN_I64);
    y = wn_where(wn_gt(VEC(1, 0, 1), 0), wn_index_select(wn_log(x), 0, at), 0);
    before = b.unpacks;
    CHECK(wn_backward(wn_sum(y)) == WN_OK && b.unpacks == before + 3); /* the mask, at, and log's x */
    IS(wn_grad_of(x), 0, 0.5, 1. / 3);
    wn_pop_saved_hooks();
}

int main(void) {
    wn_set_error_hook(NULL);
    test_counts();
    test_thread();
    test_values();
    test_inplace();
    test_failures();
    test_same();
    test_large();
    test_once();
    CHECK(wn_error() == WN_OK);
    test_memory();
    wn_stats st = wn_get_stats();
    if (st.handles || st.storages) printf("%lld handles and %lld storages are left\n", (long long)st.handles, (long long)st.storages);
    CHECK(st.handles == 0 && st.storages == 0 && wn__slab_live(WN__SLAB_NODE) == 0);
    return report();
}
