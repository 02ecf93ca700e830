/* The tape's semantics against PyTorch's rules. The numbers S.. refer to the cases in the project's notes on masks and zeros. */
#include <pthread.h>
#include "tensor/tensor.h"
#include "check.h"

static bool holds(wn_tensor *t, int n, const double *v, double tol) {
    double *have = malloc(sizeof *have * (size_t)(n + 1));
    bool ok = wn_ok(t) && wn_numel(t) == n && wn_to_memory(t, have, (size_t)n * 8, WN_F64) == WN_OK;
    for (int i = 0; i < n && ok; i++) ok = (isnan(v[i]) && isnan(have[i])) || fabs(have[i] - v[i]) <= tol * (1 + fabs(v[i])) || have[i] == v[i];
    for (int i = 0; i < n && i < 8 && !ok && wn_ok(t) && wn_numel(t) == n; i++) printf("    element %d is %.9g, expected %.9g\n", i, have[i], v[i]);
    free(have);
    return ok;
}
static bool back(wn_tensor *y) { return wn_backward(wn_sum(y)) == WN_OK; }
static wn_tensor *grad1(wn_tensor *y, wn_tensor *x) { return wn_at(wn_grad(WN_LIST(wn_sum(y)), WN_LIST(x), .create_graph = true), 0); }

/* ------------------------------------------------------------------ accumulation, retaining, second backwards */

static void test_backward(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 2, 3);
    CHECK(wn_grad_of(x) == NULL && wn_is_leaf(x) && wn_needs_grad(x));
    CHECK(back(wn_square(x)));
    IS(wn_grad_of(x), 2, 4, 6);
    CHECK(back(wn_mul(x, 3))); /* adds up */
    IS(wn_grad_of(x), 5, 7, 9);
    CHECK(wn_set_grad(x, NULL) == WN_OK && wn_grad_of(x) == NULL);
    CHECK(back(wn_add(wn_mul(x, x), wn_mul(x, x)))); /* shared inputs */
    IS(wn_grad_of(x), 4, 8, 12);
    FAILS(wn_set_grad(x, VEC(1, 2)) == WN_OK, "does not fit");

    wn_tensor *y = wn_sum(wn_exp(x));
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    CHECK(wn_backward(y, .retain_graph = true) == WN_OK);
    CHECK(wn_backward(y) == WN_OK);
    IS(wn_grad_of(x), 2 * exp(1), 2 * exp(2), 2 * exp(3));
    FAILS(wn_backward(y) == WN_OK, "second time");

    FAILS(wn_backward(wn_square(x)) == WN_OK, "scalar outputs", "f64[3]");
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    CHECK(wn_backward(wn_square(x), .gradient = VEC(1, 0, 2)) == WN_OK);
    IS(wn_grad_of(x), 2, 0, 12);
    FAILS(wn_backward(wn_square(x), .gradient = VEC(1, 0)) == WN_OK, "Mismatch");
    FAILS(wn_backward(wn_sum(VEC(1, 2))) == WN_OK, "does not require grad");
    FAILS(wn_backward(NULL) == WN_OK, "absent");
    wn_tensor *bad = wn_add(x, VEC(1, 2));
    CHECK(!wn_ok(bad));
    wn_clear();
    FAILS(wn_backward(bad) == WN_OK, "bad");
    /* a leaf as the root */
    wn_tensor *one = PARAM(5);
    CHECK(wn_backward(one) == WN_OK);
    IS(wn_grad_of(one), 1);
    /* integers cannot require gradients, non-leaves cannot be switched off */
    FAILS(wn_ok(wn_requires_grad(wn_arange(3), true)), "floating");
    FAILS(wn_ok(wn_requires_grad(wn_square(x), false)), "leaf");
    /* the gradient has the leaf's dtype and shape, through broadcasting and conversion */
    wn_tensor *w = wn_requires_grad(wn_ones(WN_DIMS(3, 1), .dtype = WN_F32), true);
    CHECK(back(wn_mul(w, VEC(1, 2, 3, 4))));
    CHECK(wn_dtype_of(wn_grad_of(w)) == WN_F32 && wn_size(wn_grad_of(w), 1) == 1);
    IS(wn_reshape(wn_grad_of(w), WN_DIMS(3)), 10, 10, 10);
    wn_tensor *h = wn_requires_grad(wn_ones(WN_DIMS(2), .dtype = WN_BF16), true);
    CHECK(back(wn_to(h, WN_F64)) && wn_dtype_of(wn_grad_of(h)) == WN_BF16);
    CHECK(!strcmp(wn_grad_fn(wn_exp(x)), "exp") && wn_grad_fn(x) == NULL);
}

/* ------------------------------------------------------------------ in place */

static void test_inplace(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 2, 3);
    FAILS(wn_ok(wn_add_(x, 1)), "leaf Variable", "add");
    FAILS(wn_ok(wn_mul_(wn_slice(x, 0, 0, 2), 2)), "view of a leaf");
    IS(wn_detach(x), 1, 2, 3);
    {
        WN_NO_GRAD();
        CHECK(wn_ok(wn_add_(x, 1)));
        CHECK(wn_ok(wn_sub_(x, 1)));
    }
    wn_tensor *y = wn_mul(x, 2);
    CHECK(wn_ok(wn_mul_(y, y)) && !strcmp(wn_grad_fn(y), "mul")); /* both operands are the target */
    CHECK(back(y));
    IS(wn_grad_of(x), 8, 16, 24);

    /* saved tensors and their versions: the message names who saved and who changed */
    wn_tensor *a = PARAM(0.5, 1), *out = wn_sigmoid(a);
    CHECK(wn_ok(wn_zero_(wn_detach(out)))); /* S41 */
    FAILS(back(out), "sigmoid", "zero_");
    wn_tensor *b = wn_mul(a, 2), *c = wn_mul(b, b);
    CHECK(wn_ok(wn_add_(b, 1)));
    FAILS(back(c), "mul", "add", "version");
    b = wn_mul(a, 2);
    c = wn_add(b, 1); /* saves nothing: changing b is fine */
    CHECK(wn_ok(wn_add_(b, 1)) && back(c));
    IS(wn_grad_of(a), 2, 2);
    /* overwriting forgets: zero_, fill_, copy_ */
    CHECK(wn_set_grad(a, NULL) == WN_OK);
    b = wn_mul(a, 2);
    wn_tensor *kept = wn_add(b, 1);
    CHECK(wn_ok(wn_fill_(kept, 3)) && back(kept));
    IS(wn_grad_of(a), 0, 0);
    kept = wn_exp(b); /* as in torch: exp runs, with a cotangent of zeros, and finds its result changed */
    CHECK(wn_ok(wn_fill_(kept, 3)));
    FAILS(back(kept), "exp", "fill");
    wn_tensor *dst = wn_zeros(WN_DIMS(2, 2), .dtype = WN_F64);
    CHECK(wn_ok(wn_copy_(dst, wn_mul(a, 5))) && wn_needs_grad(dst) && back(dst));
    IS(wn_grad_of(a), 10, 10);

    /* memory that overlaps itself or another operand (S40) */
    wn_tensor *e = wn_expand(VEC(1), WN_DIMS(3));
    FAILS(wn_ok(wn_cos_(e)), "more than one element");
    FAILS(wn_ok(wn_masked_fill_(wn_expand(VEC(1), WN_DIMS(2, 4)), wn_ones(WN_DIMS(2, 4), .dtype = WN_BOOL), 2)), "more than one element");
    wn_tensor *base = wn_clone(VEC(1, 2, 3, 4));
    FAILS(wn_ok(wn_add_(wn_slice(base, 0, 1, WN_NONE), wn_slice(base, 0, 0, 3))), "share some memory");
    IS(base, 1, 2, 3, 4);
    CHECK(wn_ok(wn_add_(wn_slice(base, 0, 0, WN_NONE, .step = WN_VAL(2)), wn_slice(base, 0, 1, WN_NONE, .step = WN_VAL(2)))));
    IS(base, 3, 2, 7, 4);
}

/* A number where a row of the gradient wants a tensor: the gradient of fmax asks isnan of it. */
static void test_numbers(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 3, NAN), *unlike[] = {wn_fmax(x, 2), wn_fmin(x, 2), wn_fmax(x, NAN)};
    const double want[][3] = {{0, 1, 0}, {1, 0, 0}, {1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        CHECK(wn_set_grad(x, NULL) == WN_OK && back(unlike[i]));
        IS(wn_grad_of(x), want[i][0], want[i][1], want[i][2]);
    }
}

static void test_views(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 2, 3, 4);
    /* a view changed in place: the base's history, and other views', go through it (CopySlices) */
    wn_tensor *base = wn_mul(x, 1), *v = wn_slice(base, 0, 1, 3);
    CHECK(wn_ok(wn_mul_(v, 10)));
    CHECK(back(wn_mul(base, VEC(1, 2, 3, 4))));
    IS(wn_grad_of(x), 1, 20, 30, 4);
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    /* a view of a view */
    base = wn_mul(x, 1);
    v = wn_select(wn_view(base, WN_DIMS(2, 2)), 0, 1);
    CHECK(wn_ok(wn_mul_(v, v)));
    CHECK(back(base));
    IS(wn_grad_of(x), 1, 1, 6, 8);
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    /* the base changes, then an older view is used: its history is made anew */
    base = wn_mul(x, 1);
    v = wn_slice(base, 0, 0, 2);
    CHECK(wn_ok(wn_mul_(base, 3)));
    CHECK(back(wn_mul(v, VEC(1, 5))));
    IS(wn_grad_of(x), 3, 15, 0, 0);
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    /* a tensor without history is changed through a view by one that has one */
    wn_tensor *buffer = wn_zeros(WN_DIMS(3, 2), .dtype = WN_F64), *row = wn_select(buffer, 0, 1);
    CHECK(wn_ok(wn_copy_(row, wn_slice(x, 0, 0, 2))) && wn_needs_grad(buffer) && wn_needs_grad(row));
    CHECK(back(wn_square(buffer)));
    IS(wn_grad_of(x), 2, 4, 0, 0);
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    /* transposed and strided bases */
    base = wn_t(wn_view(wn_mul(x, 1), WN_DIMS(2, 2)));
    v = wn_select(base, 0, 1); /* elements 1 and 3 */
    CHECK(wn_ok(wn_exp_(v)));
    CHECK(back(base));
    IS(wn_grad_of(x), 1, exp(2), 1, exp(4));
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    /* broadcasting into a view, with a second operand that has a history */
    wn_tensor *w = PARAM(2);
    base = wn_mul(x, 1);
    CHECK(wn_ok(wn_mul_(wn_slice(base, 0, 2, WN_NONE), w)) && back(base));
    IS(wn_grad_of(x), 1, 1, 2, 2);
    IS(wn_grad_of(w), 7);
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    /* several views by one call: in place is an error (S42), unless a view of one is made safely by clone */
    base = wn_mul(x, 1);
    wn_list parts = wn_split(base, 2);
    FAILS(wn_ok(wn_mul_(wn_at(parts, 0), 2)), "the output of a function that returns multiple views", "Output 0 of SplitBackward0");
    wn_list rows = wn_unbind(wn_view(base, WN_DIMS(2, 2)));
    FAILS(wn_ok(wn_add_(wn_at(rows, 0), 1)), "the output of a function that returns multiple views");
    FAILS(wn_ok(wn_mul_(wn_slice(wn_at(rows, 0), 0, 0, 1), 3)), "the output of a function that returns multiple views");
    /* after the base has changed, pieces made before are used (reading is fine) */
    base = wn_mul(x, 1);
    parts = wn_split(base, 2);
    CHECK(wn_ok(wn_mul_(base, 2)) && back(wn_at(parts, 1)));
    IS(wn_grad_of(x), 0, 0, 2, 2);
    /* a view made without recording may not be changed while recording */
    base = wn_mul(x, 1);
    wn_tensor *quiet;
    {
        wn_scope q = wn_begin_modes((wn_modes){.grad = WN_OFF});
        quiet = wn_leave(&q, wn_slice(base, 0, 0, 2));
    }
    FAILS(wn_ok(wn_mul_(quiet, 2)), "no_grad");
    /* a view of a leaf, made before the leaf began to need a gradient */
    wn_tensor *leaf = wn_clone(VEC(1, 2)), *early = wn_slice(leaf, 0, 0, 1);
    wn_requires_grad(leaf, true);
    CHECK(wn_is_leaf(leaf));
    FAILS(wn_ok(wn_mul_(early, 2)), "leaf");
}

/* ------------------------------------------------------------------ modes, detaching */

static void test_modes(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 2), *y;
    CHECK(wn_grad_enabled());
    {
        WN_NO_GRAD();
        CHECK(!wn_grad_enabled());
        y = wn_mul(x, 2);
        CHECK(!wn_needs_grad(y) && wn_is_leaf(y));
        WN_MODE(.grad = WN_ON);
        CHECK(wn_needs_grad(wn_mul(x, 2)));
    }
    CHECK(wn_grad_enabled());
    wn_tensor *d = wn_detach(wn_mul(x, 3));
    CHECK(!wn_needs_grad(d) && wn_is_leaf(d));
    CHECK(back(wn_mul(x, d)));
    IS(wn_grad_of(x), 3, 6);
    CHECK(wn_same_storage(x, wn_detach(x)));
    wn_tensor *kept;
    {
        wn_scope q = wn_begin_modes((wn_modes){.grad = WN_OFF, .inference = WN_ON});
        CHECK(wn_inference_enabled() && !wn_grad_enabled());
        kept = wn_leave(&q, wn_mul(VEC(1, 2), 2));
    }
    FAILS(wn_ok(wn_add_(kept, 1)), "inference");
    FAILS(wn_ok(wn_mul(x, kept)) && back(wn_mul(x, kept)), "nference"); /* it cannot be saved for backward */
    CHECK(wn_ok(wn_mul(x, wn_clone(kept))));
    wn_set_grad_enabled(false);
    CHECK(!wn_needs_grad(wn_mul(x, 2)));
    wn_set_grad_enabled(true);
    /* comparisons, integer results and rounding take no part, or have zero gradients */
    CHECK(!wn_needs_grad(wn_gt(x, 0)) && !wn_needs_grad(wn_to(x, WN_I64)));
    CHECK(wn_set_grad(x, NULL) == WN_OK && back(wn_floor(x)));
    IS(wn_grad_of(x), 0, 0);
}

/* ------------------------------------------------------------------ hooks, retained gradients */

typedef struct seen {
    int calls;
    double last;
    wn_tensor *give;
} seen;
static wn_tensor *look(void *ctx, wn_tensor *g) {
    seen *x = ctx;
    x->calls++;
    x->last = wn_item_f64(wn_sum(g));
    return x->give;
}
static wn_tensor *doubled(void *ctx, wn_tensor *g) {
    (void)ctx;
    return wn_mul(g, 2);
}

static void test_hooks(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 2), *y = wn_mul(x, 3), *z = wn_mul(y, y);
    seen a = {0}, b = {0};
    int64_t ida = wn_register_hook(y, look, &a), idb = wn_register_hook(x, look, &b);
    CHECK(ida > 0 && idb > 0 && ida != idb);
    CHECK(wn_retain_grad(y) == y && wn_backward(wn_sum(z), .retain_graph = true) == WN_OK);
    CHECK(a.calls == 1 && a.last == 18 && b.calls == 1 && b.last == 54);
    IS(wn_grad_of(y), 6, 12);
    IS(wn_grad_of(x), 18, 36);
    wn_remove_hook(y, ida);
    b.give = VEC(7, 8); /* replaces the gradient that reaches the leaf */
    CHECK(wn_set_grad(x, NULL) == WN_OK && wn_backward(wn_sum(z)) == WN_OK && a.calls == 1 && b.calls == 2);
    IS(wn_grad_of(x), 7, 8);
    wn_remove_hook(x, idb);
    /* hooks run in order, on the sum of what arrives */
    wn_tensor *p = PARAM(1), *q = wn_mul(p, 2);
    seen c = {0};
    CHECK(wn_register_hook(q, doubled, NULL) && wn_register_hook(q, look, &c));
    CHECK(back(wn_add(wn_mul(q, 3), q)) && c.calls == 1 && c.last == 8);
    IS(wn_grad_of(p), 16);
    FAILS(wn_register_hook(VEC(1), look, &c) != 0, "doesn't require");
    FAILS(wn_ok(wn_retain_grad(VEC(1))), "requires_grad=False");
    /* hooks see gradients of wn_grad too; .grad is not touched by it */
    wn_tensor *r = PARAM(2);
    seen d = {0};
    CHECK(wn_register_hook(r, look, &d));
    IS(wn_at(wn_grad(WN_LIST(wn_square(r)), WN_LIST(r)), 0), 4);
    CHECK(d.calls == 1 && wn_grad_of(r) == NULL);
}

/* ------------------------------------------------------------------ wn_grad */

static void test_grad(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 2), *y = PARAM(3, 4), *unused = PARAM(1), *mid = wn_mul(x, y), *z = wn_sum(wn_mul(mid, mid));
    wn_list g = wn_grad(WN_LIST(z), WN_LIST(x, mid, y), .retain_graph = true);
    CHECK(g.n == 3);
    IS(wn_at(g, 0), 18, 64);
    IS(wn_at(g, 1), 6, 16);
    IS(wn_at(g, 2), 6, 32);
    CHECK(wn_grad_of(x) == NULL && wn_grad_of(y) == NULL);
    g = wn_grad(WN_LIST(z), WN_LIST(x, x), .retain_graph = true); /* the same input twice */
    IS(wn_at(g, 0), 18, 64);
    IS(wn_at(g, 1), 18, 64);
    FAILS(wn_grad(WN_LIST(z), WN_LIST(x, unused), .retain_graph = true).n == 2, "not have been used", "input 1");
    g = wn_grad(WN_LIST(z), WN_LIST(unused, y), .allow_unused = true, .retain_graph = true);
    CHECK(g.n == 2 && g.v[0] == NULL);
    IS(g.v[1], 6, 32);
    FAILS(wn_grad(WN_LIST(z), WN_LIST(VEC(1))).n == 1, "does not require");
    FAILS(wn_grad(WN_LIST(mid), WN_LIST(x)).n == 1, "scalar outputs");
    g = wn_grad(WN_LIST(mid, z), WN_LIST(x), .gradients = WN_LIST(VEC(1, 1), wn_ones(WN_0D, .dtype = WN_F64)), .retain_graph = true);
    IS(wn_at(g, 0), 21, 68);
    FAILS(wn_grad(WN_LIST(mid, z), WN_LIST(x), .gradients = WN_LIST(VEC(1, 1))).n == 1, "one gradient for each");
    /* an output that is an input */
    g = wn_grad(WN_LIST(wn_sum(x)), WN_LIST(x));
    IS(wn_at(g, 0), 1, 1);
    wn_tensor *scalar = PARAM(4);
    IS(wn_at(wn_grad(WN_LIST(scalar), WN_LIST(scalar)), 0), 1);
    /* only what leads to the inputs runs: a released branch elsewhere does not matter */
    wn_tensor *branch = wn_exp(x), *used = wn_exp(y);
    CHECK(back(branch));
    IS(wn_at(wn_grad(WN_LIST(wn_add(wn_sum(branch), wn_sum(used))), WN_LIST(y)), 0), exp(3), exp(4));
    CHECK(wn_set_grad(x, NULL) == WN_OK);
}

/* ------------------------------------------------------------------ derivatives of derivatives */

static void test_double(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 2), *y = wn_sum(wn_mul(wn_mul(x, x), x));
    wn_tensor *g = wn_at(wn_grad(WN_LIST(y), WN_LIST(x), .create_graph = true), 0);
    IS(wn_detach(g), 3, 12);
    CHECK(wn_needs_grad(g) && back(g));
    IS(wn_grad_of(x), 6, 12);
    wn_tensor *third = grad1(grad1(grad1(wn_pow(x, 4), x), x), x);
    IS(wn_detach(third), 24, 48);
    wn_tensor *p = PARAM(0.3), *t = wn_tanh(p); /* reads its own result */
    double v = tanh(0.3);
    IS(wn_detach(grad1(grad1(t, p), p)), -2 * v * (1 - v * v));
    /* backward with create_graph: .grad has a history */
    wn_tensor *q = PARAM(3);
    CHECK(wn_backward(wn_sum(wn_mul(wn_mul(q, q), q)), .create_graph = true) == WN_OK);
    wn_tensor *gq = wn_grad_of(q);
    CHECK(wn_needs_grad(gq));
    IS(wn_at(wn_grad(WN_LIST(wn_sum(gq)), WN_LIST(q)), 0), 18);
    CHECK(wn_set_grad(q, NULL) == WN_OK);
    /* through views */
    wn_tensor *a = PARAM(1, 2, 3, 4), *m = wn_t(wn_view(a, WN_DIMS(2, 2)));
    IS(wn_detach(grad1(wn_square(grad1(wn_exp(wn_select(m, 0, 1)), a)), a)), 0, 2 * exp(4), 0, 2 * exp(8));
    /* through in-place operations, whole and on a view, that read their operand or their result */
    wn_tensor *b = wn_mul(a, 1);
    wn_mul_(b, b);
    IS(wn_detach(grad1(wn_mul(grad1(wn_mul(b, a), a), VEC(1, 1, 1, 1)), a)), 6, 12, 18, 24);
    b = wn_mul(a, 1);
    wn_exp_(b);
    IS(wn_detach(grad1(grad1(b, a), a)), exp(1), exp(2), exp(3), exp(4));
    b = wn_mul(a, 1);
    wn_tensor *part = wn_slice(b, 0, 1, 3);
    wn_mul_(part, part);
    IS(wn_detach(grad1(grad1(wn_mul(b, b), a), a)), 2, 48, 108, 2);
    b = wn_mul(a, 1);
    wn_exp_(wn_slice(b, 0, 1, 3));
    IS(wn_detach(grad1(grad1(b, a), a)), 0, exp(2), exp(3), 0);
}

static wn_tensor *cube(void *ctx, wn_list in) {
    (void)ctx;
    return wn_mul(wn_mul(in.v[0], in.v[0]), in.v[1]);
}
static wn_tensor *wrong(void *ctx, wn_list in) { /* d/dx of detach(x) * x is half of what it should be */
    (void)ctx;
    return wn_mul(wn_detach(in.v[0]), in.v[0]);
}
static wn_tensor *wrong_twice(void *ctx, wn_list in);

static void test_gradcheck(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(0.5, -1.5), *y = PARAM(2, 0.25);
    CHECK(wn_gradcheck(cube, NULL, WN_LIST(x, y), 1e-6, 1e-6, 1e-5, true) == WN_OK);
    CHECK(wn_grad_of(x) == NULL);
    IS(wn_detach(x), 0.5, -1.5);
    FAILS(wn_gradcheck(wrong, NULL, WN_LIST(x), 1e-6, 1e-6, 1e-5, false) == WN_OK, "input 0", "element 0", "numerically", "analytically");
    FAILS(wn_gradcheck(wrong_twice, NULL, WN_LIST(x), 1e-6, 1e-6, 1e-5, true) == WN_OK, "gradient of the gradient");
    CHECK(wn_gradcheck(wrong_twice, NULL, WN_LIST(x), 1e-6, 1e-6, 1e-5, false) == WN_OK);
    FAILS(wn_gradcheck(cube, NULL, WN_LIST(VEC(1), VEC(2)), 1e-6, 1e-6, 1e-5, false) == WN_OK, "require grad");
    FAILS(wn_gradcheck(NULL, NULL, WN_LIST(x), 1e-6, 1e-6, 1e-5, false) == WN_OK, "absent");
}

/* ------------------------------------------------------------------ custom functions */

static wn_tensor *sq_forward(wn_fctx *c, wn_list in) {
    wn_stash(c, in.v[0]);
    CHECK(!wn_grad_enabled());
    return wn_mul(in.v[0], in.v[0]);
}
static void sq_backward(wn_fctx *c, wn_list gout, wn_tensor **gin) { gin[0] = wn_mul(gout.v[0], wn_mul(wn_stashed(c, 0), 2)); }
static const wn_function square_fn = {"my_square", sq_forward, sq_backward};
static void lost_backward(wn_fctx *c, wn_list gout, wn_tensor **gin) { /* the right gradient, without its history */
    gin[0] = wn_mul(gout.v[0], wn_detach(wn_mul(wn_stashed(c, 0), 2)));
}
static const wn_function lost_fn = {"lost", sq_forward, lost_backward};
static wn_tensor *wrong_twice(void *ctx, wn_list in) {
    (void)ctx;
    return wn_apply(&lost_fn, in.v[0]);
}
static wn_tensor *same_forward(wn_fctx *c, wn_list in) {
    (void)c;
    return in.v[0];
}
static void same_backward(wn_fctx *c, wn_list gout, wn_tensor **gin) {
    (void)c;
    gin[0] = wn_neg(gout.v[0]);
    gin[1] = NULL;
}
static const wn_function reverse_fn = {"reverse", same_forward, same_backward};
static void bad_backward(wn_fctx *c, wn_list gout, wn_tensor **gin) {
    (void)c;
    gin[0] = wn_add(gout.v[0], wn_ones(WN_DIMS(17)));
}
static const wn_function bad_fn = {"bad", sq_forward, bad_backward};

static void test_custom(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1, 3), *y = wn_apply(&square_fn, x);
    IS(wn_detach(y), 1, 9);
    CHECK(!strcmp(wn_grad_fn(y), "my_square") && wn_backward(wn_sum(y), .retain_graph = true) == WN_OK);
    IS(wn_grad_of(x), 2, 6);
    IS(wn_detach(grad1(grad1(wn_apply(&square_fn, x), x), x)), 2, 2);
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    wn_tensor *other = PARAM(1), *r = wn_apply(&reverse_fn, x, other);
    CHECK(r != x && wn_same_storage(r, x) && back(r));
    IS(wn_grad_of(x), -1, -1);
    CHECK(wn_grad_of(other) == NULL);
    CHECK(!wn_needs_grad(wn_apply(&square_fn, VEC(1, 2))));
    FAILS(back(wn_apply(&bad_fn, x)), "add");
    FAILS(wn_ok(wn_apply(&square_fn, NULL)), "absent");
}

/* ------------------------------------------------------------------ absent cotangents, long chains */

static void test_absent(void) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(3, 1, 2), *other = PARAM(1, 1, 1);
    wn_list parts = wn_unbind(wn_exp(x));
    CHECK(back(wn_at(parts, 1))); /* the other pieces' cotangents are absent */
    IS(wn_grad_of(x), 0, exp(1), 0);
    /* a branch that the root does not depend on is not run: its node could not (it was changed) */
    wn_tensor *a = wn_exp(other), *two[2];
    wn_zero_(wn_detach(a));
    wn_list both = wn_split(wn_cat(WN_LIST(x, other)), 3);
    two[0] = wn_at(both, 0);
    two[1] = wn_at(both, 1);
    CHECK(back(two[0]) && wn_ok(two[1]));
    FAILS(back(a), "exp");
}

static void chain(int64_t n) {
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1), *y = wn_keep(wn_mul(x, 1));
    for (int64_t i = 0; i < n; i++) {
        wn_scope in = wn_begin();
        wn_tensor *next = wn_keep(i % 2 ? wn_mul(y, 1.0) : wn_add(y, 0.0));
        wn_drop(y);
        y = next;
        wn_end(&in);
    }
    CHECK(wn_backward(wn_sum(y), .retain_graph = true) == WN_OK);
    IS(wn_grad_of(x), 1);
    wn_drop(y); /* the whole chain is released here */
}
static void *long_chain(void *arg) {
    (void)arg;
    chain(1000);
    chain(100000);
    return NULL;
}
static void test_chain(void) {
    pthread_attr_t attr;
    pthread_t t;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 256 * 1024);
    CHECK(pthread_create(&t, &attr, long_chain, NULL) == 0 && pthread_join(t, NULL) == 0);
    pthread_attr_destroy(&attr);
    /* a chain dropped without a backward, by the end of its scope */
    WN_SCOPE(s);
    wn_tensor *y = PARAM(1);
    for (int i = 0; i < 30000; i++) y = wn_neg(y);
    CHECK(wn_needs_grad(y));
}

/* ------------------------------------------------------------------ supports: what is not taken reaches no gradient */

/* A case is a function of x whose sum is differentiated once and twice; NULL: no expectation. It is run on the given elements
 * and on as many copies of them as make 20,000: large tensors take other ways. */
typedef struct where_case {
    const char *name;
    wn_tensor *(*f)(wn_tensor *x);
    int n;
    double x[6], first[6];
    bool twice;
    double second[6];
} where_case;

static wn_tensor *tiled(int n, const double *v, int64_t total) {
    double *all = malloc(sizeof *all * (size_t)total);
    for (int64_t i = 0; i < total; i++) all[i] = v[i % n];
    wn_tensor *t = wn_from_data(all, WN_DIMS(total), WN_F64);
    free(all);
    return t;
}
static bool repeats(wn_tensor *t, int n, const double *v, int64_t total) {
    double *all = malloc(sizeof *all * (size_t)total);
    for (int64_t i = 0; i < total; i++) all[i] = v[i % n];
    bool ok = holds(t, (int)total, all, 1e-6);
    free(all);
    return ok;
}
static void run_case(const where_case *c, int64_t total) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(tiled(c->n, c->x, total), true);
    bool ok = back(c->f(x)) && repeats(wn_grad_of(x), c->n, c->first, total);
    if (!ok) printf("%s, %lld elements: the gradient\n", c->name, (long long)total);
    check_(ok, c->name, __LINE__);
    wn_tensor *g = grad1(c->f(x), x);
    ok = wn_ok(g) && repeats(wn_detach(g), c->n, c->first, total);
    if (!ok) printf("%s, %lld elements: the gradient with create_graph\n", c->name, (long long)total);
    check_(ok, c->name, __LINE__);
    if (!c->twice || !ok) return;
    wn_tensor *gg = grad1(g, x);
    ok = wn_ok(gg) && repeats(wn_detach(gg), c->n, c->second, total);
    if (!ok) printf("%s, %lld elements: the second gradient\n", c->name, (long long)total);
    check_(ok, c->name, __LINE__);
}

static wn_tensor *s1(wn_tensor *x) { return wn_where(wn_gt(x, 2), wn_log2(x), wn_mul(x, 2)); }
static wn_tensor *s2(wn_tensor *x) { return wn_where(wn_eq(x, 0), wn_div(x, 2), wn_add(wn_sqrt(x), 1)); }
static wn_tensor *s3(wn_tensor *x) { return wn_where(wn_lt(x, 1), wn_cos(x), 0); }
static wn_tensor *s4(wn_tensor *x) { return wn_where(wn_le(x, 10), wn_exp(x), 1); }
static wn_tensor *s5(wn_tensor *x) { return wn_where(wn_zeros_like(x, .dtype = WN_BOOL), wn_div(x, wn_zeros_like(x)), 1); }
static wn_tensor *s6(wn_tensor *x) { return wn_where(wn_eq(x, 0), 0, wn_mul(x, wn_sqrt(x))); }
static wn_tensor *s7(wn_tensor *x) { return wn_where(wn_gt(x, 0), 0, wn_mul(x, INFINITY)); }
static wn_tensor *s8(wn_tensor *x) {
    wn_tensor *norm = wn_sqrt(wn_sum(wn_square(wn_view(x, WN_DIMS(-1, 2))), .dims = WN_DIMS(1)));
    return wn_where(wn_gt(norm, 0.5), norm, 1);
}
static wn_tensor *s9(wn_tensor *x) { return wn_mul(wn_sqrt(x), wn_sqrt(x)); }
static wn_tensor *s10(wn_tensor *x) { return wn_where(wn_gt(x, 1), wn_mul(x, 2), wn_mul(x, 3)); }
static wn_tensor *s10_power(wn_tensor *x) { return wn_where(wn_gt(x, 0), wn_pow(x, 1.5), 0); }
static wn_tensor *s10_inner(wn_tensor *x) {
    wn_tensor *u = wn_log(x);
    return wn_where(wn_gt(x, 1), wn_mul(u, 2), wn_exp(u));
}
static wn_tensor *root(wn_tensor *x) { return wn_where(wn_gt(x, 0), wn_sqrt(x), 0); }
static wn_tensor *inverse(wn_tensor *x) { return wn_where(wn_ne(x, 0), wn_reciprocal(x), 0); }
static wn_tensor *sinc_of_root(wn_tensor *x) { return wn_sinc(wn_sqrt(x)); } /* the text's condition is inside a product */
static wn_tensor *logarithm(wn_tensor *x) { return wn_where(wn_le(x, 0), 0, wn_log(x)); }
static wn_tensor *long_branch(wn_tensor *x) { return wn_where(wn_gt(x, 0), wn_tanh(wn_add(wn_neg(wn_log(wn_sqrt(x))), 1)), x); }
static wn_tensor *zero_times_inf(wn_tensor *x) { return wn_where(wn_gt(x, 0), x, wn_mul(wn_mul(x, INFINITY), x)); }
static wn_tensor *nested(wn_tensor *x) { return wn_where(wn_gt(x, 0), wn_where(wn_lt(x, 10), wn_log(x), wn_sqrt(wn_sub(x, 20))), wn_mul(x, 7)); }
static wn_tensor *nested_deep(wn_tensor *x) { /* each condition keeps the next function's argument where it is defined */
    wn_tensor *inner = wn_where(wn_gt(x, 1), wn_sqrt(wn_log(x)), 5);
    return wn_where(wn_gt(x, 0), wn_where(wn_lt(x, 4), inner, wn_log(wn_sub(4, x))), 0);
}
static wn_tensor *double_where(wn_tensor *x) { /* the remedy of old still works */
    wn_tensor *m = wn_gt(x, 0);
    return wn_where(m, wn_log(wn_where(m, x, 1)), 0);
}
static wn_tensor *shared_mask(wn_tensor *x) {
    wn_tensor *m = wn_gt(x, 0), *u = wn_log(x);
    return wn_add(wn_where(m, u, 0), wn_where(m, wn_mul(u, u), 1));
}
static wn_tensor *two_masks(wn_tensor *x) { /* what two branches share exists where either is taken */
    wn_tensor *u = wn_log(x);
    return wn_add(wn_where(wn_gt(x, 1), u, 0), wn_where(wn_gt(x, 0), u, 0));
}
static wn_tensor *taken_too(wn_tensor *x) { /* inside where and outside: taken everywhere */
    wn_tensor *u = wn_sqrt(x);
    return wn_add(wn_where(wn_gt(x, 1), u, 0), u);
}
static wn_tensor *filled(wn_tensor *x) { return wn_masked_fill(wn_log(x), wn_le(x, 0), 0); }
static wn_tensor *filled_in_place(wn_tensor *x) {
    wn_tensor *u = wn_log(x);
    return wn_masked_fill_(u, wn_le(x, 0), 0);
}
static wn_tensor *filled_part(wn_tensor *x) { /* as a change of a view: the base gets its gradient dense */
    wn_tensor *u = wn_mul(x, 1), *part = wn_masked_fill_(wn_view(u, WN_DIMS(-1, 2)), wn_gt(wn_view(x, WN_DIMS(-1, 2)), 2), 0);
    return wn_ok(part) ? wn_square(u) : part;
}
static wn_tensor *log_relu(wn_tensor *x) { return wn_relu(wn_log(x)); }
static wn_tensor *log_relu_in_place(wn_tensor *x) { return wn_relu_(wn_log(x)); }
static wn_tensor *relu_sum(wn_tensor *x) { return wn_relu(wn_add(wn_log(x), wn_sub(x, 1))); }
static wn_tensor *log_clamp_min(wn_tensor *x) { return wn_clamp_min(wn_log(x), 0.0); }
static wn_tensor *log_clamp(wn_tensor *x) { return wn_clamp(wn_log(x), -1, 3); }
static wn_tensor *log_clamp_max(wn_tensor *x) { return wn_clamp_max(wn_neg(wn_log(x)), 5.0); }
static wn_tensor *log_maximum(wn_tensor *x) { return wn_maximum(wn_log(x), wn_zeros_like(x)); }
static wn_tensor *log_minimum(wn_tensor *x) { return wn_minimum(wn_zeros_like(x), wn_neg(wn_log(x))); }
static wn_tensor *selected(wn_tensor *x) { return wn_masked_select(wn_log(x), wn_gt(x, 0)); }
static wn_tensor *selected_rows(wn_tensor *x) { return wn_masked_select(wn_view(wn_log(x), WN_DIMS(-1, 1)), wn_gt(wn_view(x, WN_DIMS(-1, 1)), 0)); }
static wn_tensor *leaky(wn_tensor *x) { return wn_where(wn_gt(x, 0), wn_leaky_relu(wn_log(x)), 0); }
static wn_tensor *elu_soft(wn_tensor *x) { return wn_where(wn_gt(x, 0), wn_add(wn_elu(wn_log(x)), wn_softplus(wn_log(x))), 0); }
static wn_tensor *masked_sum(wn_tensor *x) { return wn_sum(wn_log(x), .where = wn_gt(x, 0)); }
static wn_tensor *masked_mean(wn_tensor *x) {
    wn_tensor *u = wn_view(x, WN_DIMS(-1, 3));
    return wn_mean(wn_log(u), .dims = WN_DIMS(1), .where = wn_gt(u, 0));
}
static wn_tensor *masked_logsumexp(wn_tensor *x) {
    wn_tensor *u = wn_view(x, WN_DIMS(-1, 3));
    return wn_logsumexp(wn_log(u), WN_DIMS(1), .where = wn_gt(u, 0));
}
static wn_tensor *masked_softmax(wn_tensor *x) {
    wn_tensor *u = wn_view(x, WN_DIMS(-1, 3)), *m = wn_gt(u, 0);
    return wn_square(wn_softmax(wn_log(u), 1, .where = m));
}
static wn_tensor *masked_var(wn_tensor *x) {
    wn_tensor *u = wn_view(x, WN_DIMS(-1, 3)), *m = wn_gt(u, 0);
    return wn_var(wn_log(u), .dims = WN_DIMS(1), .where = m, .correction = WN_VAL(0));
}
static wn_tensor *largest(wn_tensor *x) { return wn_amax(wn_log(wn_view(x, WN_DIMS(-1, 2))), .dims = WN_DIMS(1)); }
static wn_tensor *viewed(wn_tensor *x) {
    wn_tensor *u = wn_t(wn_view(wn_log(x), WN_DIMS(-1, 2)));
    return wn_where(wn_gt(wn_t(wn_view(x, WN_DIMS(-1, 2))), 0), u, 0);
}
static wn_tensor *reshaped(wn_tensor *x) { /* through copies, too */
    wn_tensor *u = wn_reshape(wn_t(wn_view(wn_log(x), WN_DIMS(-1, 2))), WN_DIMS(-1)), *v = wn_reshape(wn_t(wn_view(x, WN_DIMS(-1, 2))), WN_DIMS(-1));
    return wn_where(wn_gt(v, 0), wn_clone(u), 0);
}
static wn_tensor *sliced(wn_tensor *x) {
    wn_tensor *all = wn_view(x, WN_DIMS(-1, 3)), *u = wn_slice(wn_log(all), 1, 1, 3), *v = wn_select(wn_sqrt(all), 1, 0);
    return wn_add(wn_where(wn_gt(wn_slice(all, 1, 1, 3), 0), u, 0), wn_unsqueeze(wn_where(wn_gt(wn_select(all, 1, 0), 0), v, 0), 1));
}
static wn_tensor *sliced_far(wn_tensor *x) { /* each slice has its own function: what another slice reads is nobody's zero */
    wn_tensor *all = wn_view(x, WN_DIMS(-1, 3)), *mask = wn_gt(all, 0), *u = wn_log(wn_slice(all, 1, 1, 3)), *v = wn_sqrt(wn_select(all, 1, 0));
    return wn_add(wn_where(wn_slice(mask, 1, 1, 3), u, 0), wn_unsqueeze(wn_where(wn_select(mask, 1, 0), v, 0), 1));
}
static wn_tensor *parts(wn_tensor *x) { /* all of u is read, in parts, each under its mask */
    wn_tensor *u = wn_log(wn_view(x, WN_DIMS(-1, 3))), *mask = wn_gt(wn_view(x, WN_DIMS(-1, 3)), 0), *sum = wn_where(wn_select(mask, 1, 0), wn_select(u, 1, 0), 0);
    return wn_add(wn_unsqueeze(sum, 1), wn_where(wn_slice(mask, 1, 1, 3), wn_slice(u, 1, 1, 3), 0));
}
static wn_tensor *joined(wn_tensor *x) {
    wn_tensor *u = wn_cat(WN_LIST(wn_log(x), wn_sqrt(x)));
    return wn_where(wn_gt(wn_cat(WN_LIST(x, x)), 0), u, 0);
}
static wn_tensor *row_sums(wn_tensor *x) {
    wn_tensor *u = wn_view(x, WN_DIMS(-1, 2));
    return wn_where(wn_gt(wn_select(u, 1, 0), 0), wn_add(wn_sum(wn_sqrt(u), .dims = WN_DIMS(1)), wn_mean(wn_sqrt(u), .dims = WN_DIMS(1))), 0);
}
static wn_tensor *cast(wn_tensor *x) {
    wn_tensor *narrow = wn_to(x, WN_F32);
    return wn_where(wn_gt(x, 0), wn_to(wn_log(narrow), WN_F64), 0);
}
static wn_tensor *mixed(wn_tensor *x) { return wn_where(wn_gt(x, 0), wn_log(wn_to(x, WN_F32)), wn_mul(x, 2)); }
static wn_tensor *copied(wn_tensor *x) {
    wn_tensor *to = wn_zeros_like(x);
    return wn_where(wn_gt(x, 0), wn_copy_(to, wn_log(x)), 0);
}
static wn_tensor *triangle(wn_tensor *x) {
    wn_tensor *m = wn_view(x, WN_DIMS(-1, 2, 2));
    return wn_where(wn_gt(m, 0), wn_tril(wn_log(m)), 0);
}
static wn_tensor *then_matmul(wn_tensor *x) {
    wn_tensor *u = wn_where(wn_gt(x, 0), wn_log(x), 0);
    return wn_matmul(wn_view(u, WN_DIMS(-1, 2)), wn_view(VEC(1, 2, 3, 4), WN_DIMS(2, 2)));
}
static wn_tensor *of_matmul(wn_tensor *x) { /* the product itself gets zeros */
    wn_tensor *u = wn_matmul(wn_view(x, WN_DIMS(-1, 2)), wn_view(VEC(1, 0, 0, 1), WN_DIMS(2, 2)));
    return wn_where(wn_gt(u, 0), wn_log(u), 0);
}
static wn_tensor *relu_net(wn_tensor *x) {
    wn_tensor *h = wn_relu(wn_add(wn_matmul(wn_view(x, WN_DIMS(-1, 2)), wn_view(VEC(1, 2, -1, 1), WN_DIMS(2, 2))), VEC(0.5, -0.5)));
    return wn_square(wn_matmul(h, wn_view(VEC(1, -1, 1, 1), WN_DIMS(2, 2))));
}

static const where_case cases[] = {
    {"S1", s1, 3, {0, 2, 3}, {2, 2, 0.480898346962988}, false, {0}},
    {"S2", s2, 2, {16, 0}, {0.125, 0.5}, true, {-1. / 256, 0}},
    {"S3", s3, 2, {0, INFINITY}, {0, 0}, true, {-1, 0}},
    {"S4", s4, 3, {1, NAN, 1e10}, {2.718281828459045, 0, 0}, true, {2.718281828459045, 0, 0}},
    {"S5", s5, 1, {1}, {0}, false, {0}},
    {"S6", s6, 2, {0, 4}, {0, 3}, true, {0, 0.375}},
    {"S7", s7, 1, {1}, {0}, false, {0}},
    {"S8", s8, 6, {1, 2, 3, 4, 0, 0}, {0.447213595499958, 0.894427190999916, 0.6, 0.8, 0, 0}, false, {0}},
    {"S9", s9, 2, {0, 4}, {NAN, 1}, false, {0}}, /* a zero that comes from numbers is not structural */
    {"S10", s10, 2, {2, 1}, {2, 3}, false, {0}},
    {"S10, second order", s10_power, 2, {0, 4}, {0, 3}, true, {0, 0.375}},
    {"both branches of one value", s10_inner, 3, {4, 0.5, 1}, {0.5, 1, 1}, true, {-0.125, 0, 0}},
    {"sqrt", root, 2, {0, 4}, {0, 0.25}, true, {0, -1. / 32}},
    {"reciprocal", inverse, 2, {0, 2}, {0, -0.25}, true, {0, 0.25}},
    {"log", logarithm, 3, {-1, 0, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"a long branch", long_branch, 3, {-1, 0, 1}, {1, 1, -0.5 * 0.41997434161402607}, false, {0}},
    {"0 * inf", zero_times_inf, 2, {1, 2}, {1, 1}, true, {0, 0}},
    {"nested", nested, 4, {0, 2, 24, -1}, {7, 0.5, 0.25, 7}, true, {0, -0.25, -1. / 32, 0}},
    {"nested deep", nested_deep, 5, {-1, 0.5, 1, 2.718281828459045, 0}, {0, 0, 0, 0.5 / 2.718281828459045, 0}, false, {0}},
    {"double where", double_where, 2, {0, 2}, {0, 0.5}, true, {0, -0.25}},
    {"a shared mask", shared_mask, 3, {0, 1, -2}, {0, 1, 0}, true, {0, 1, 0}},
    {"two masks", two_masks, 3, {0, 0.5, 2}, {0, 2, 1}, true, {0, -4, -0.5}},
    {"taken outside too", taken_too, 3, {0, 0.25, 4}, {INFINITY, 1, 0.5}, false, {0}},
    {"masked_fill", filled, 3, {-1, 0, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"masked_fill_", filled_in_place, 3, {-1, 0, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"masked_fill_ of a view", filled_part, 4, {1, 2, 3, 4}, {2, 4, 0, 0}, true, {2, 2, 0, 0}},
    {"relu of log", log_relu, 3, {0, 0.5, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"relu_ of log", log_relu_in_place, 3, {0, 0.5, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"relu of a sum", relu_sum, 2, {0, 2}, {0, 1.5}, true, {0, -0.25}},
    {"clamp_min", log_clamp_min, 3, {0, 0.5, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"clamp_max", log_clamp_max, 2, {0, 2}, {0, -0.5}, true, {0, 0.25}},
    {"clamp", log_clamp, 3, {0, 100, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"maximum", log_maximum, 3, {0, 1, 2}, {0, 0.5, 0.5}, true, {0, -0.5, -0.25}},
    {"minimum", log_minimum, 3, {0, 1, 2}, {0, -0.5, -0.5}, true, {0, 0.5, 0.25}},
    {"masked_select", selected, 3, {-1, 0, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"masked_select of a view", selected_rows, 3, {-1, 0, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"leaky_relu", leaky, 3, {0, 0.5, 2}, {0, 0.02, 0.5}, true, {0, -0.04, -0.25}},
    {"elu, softplus", elu_soft, 2, {0, 2}, {0, 0.5 + 1. / 3}, true, {0, -0.25 - 1. / 9}},
    {"sum with where=", masked_sum, 3, {-1, 0, 2}, {0, 0, 0.5}, true, {0, 0, -0.25}},
    {"mean with where=", masked_mean, 3, {1, 0, 2}, {0.5, 0, 0.25}, true, {-0.5, 0, -0.125}},
    {"logsumexp with where=", masked_logsumexp, 3, {1, 0, 3}, {0.25, 0, 0.25}, false, {0}},
    {"softmax with where=", masked_softmax, 3, {1, 0, 3}, {-0.1875, 0, 0.0625}, false, {0}},
    {"var with where=", masked_var, 3, {1, 0, 2.718281828459045}, {-0.5, 0, 0.5 / 2.718281828459045}, false, {0}},
    {"amax", largest, 4, {0, 2, 4, 1}, {0, 0.5, 0.25, 0}, true, {0, -0.25, -1. / 16, 0}},
    {"views", viewed, 4, {0, 2, 4, -1}, {0, 0.5, 0.25, 0}, true, {0, -0.25, -1. / 16, 0}},
    {"copies", reshaped, 4, {0, 2, 4, -1}, {0, 0.5, 0.25, 0}, true, {0, -0.25, -1. / 16, 0}},
    {"slices", sliced, 3, {0, 2, 0}, {NAN, 0.5, NAN}, false, {0}}, /* not read by log, or by sqrt: a zero, times infinity, as in torch */
    {"slices of the leaf", sliced_far, 3, {0, 2, 0}, {0, 0.5, 0}, true, {0, -0.25, 0}},
    {"slices that meet", parts, 3, {0, 2, 0}, {0, 0.5, 0}, true, {0, -0.25, 0}},
    {"cat", joined, 2, {0, 4}, {0, 0.5}, true, {0, -1. / 16 - 1. / 32}},
    {"sums of rows", row_sums, 4, {0, 4, 4, 1}, {0, 0, 0.375, 0.75}, true, {0, 0, -3. / 64, -0.375}},
    {"cast", cast, 3, {0, 2, -1}, {0, 0.5, 0}, true, {0, -0.25, 0}},
    {"mixed dtypes", mixed, 3, {0, 2, -1}, {2, 0.5, 2}, true, {0, -0.25, 0}},
    {"copy_", copied, 3, {0, 2, -1}, {0, 0.5, 0}, true, {0, -0.25, 0}},
    {"tril", triangle, 4, {0, 2, 4, -1}, {0, 0, 0.25, 0}, true, {0, 0, -1. / 16, 0}},
    {"sinc of a root", sinc_of_root, 2, {0, 1}, {0, -0.5}, false, {0}},
    {"matmul of where", then_matmul, 2, {0, 2}, {0, 3.5}, true, {0, -1.75}},
    {"where of matmul", of_matmul, 2, {0, 2}, {0, 0.5}, true, {0, -0.25}},
    {"a small network", relu_net, 2, {1, 2}, {28, 14}, false, {0}},
};

static void test_where(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int copies = cases[i].f == s8 ? 1 : 2; /* a little more than the case itself, and large */
        run_case(&cases[i], cases[i].n * copies);
        run_case(&cases[i], 20000 / cases[i].n * cases[i].n);
    }
    WN_SCOPE(s);
    wn_tensor *x = PARAM(16, 0), *y = s2(x);
    IS(wn_detach(y), 5, 0);
    x = PARAM(1, NAN, 1e10);
    IS(wn_detach(s4(x)), exp(1), 1, 1);
    wn_tensor *m = wn_gt(VEC(1, 0), 0.5);
    x = PARAM(0, 1, 0); /* what sinc's text leaves out at 0 is absent, not 0 times the cotangent */
    CHECK(back(wn_mul(wn_sinc(x), VEC(INFINITY, 2, NAN))));
    IS(wn_grad_of(x), 0, -2, 0);
    x = PARAM(1, 1); /* S10, with a mask of its own */
    CHECK(back(wn_where(m, wn_mul(x, 2), wn_mul(x, 3))));
    IS(wn_grad_of(x), 2, 3);
    /* S11: bits are copied: payloads and -0.0 survive */
    uint64_t bits[2] = {0x7ff8000000000123u, 0x8000000000000000u}, got[2] = {0};
    wn_tensor *odd = wn_from_data(bits, WN_DIMS(2), WN_F64);
    y = wn_where(wn_ones(WN_DIMS(2), .dtype = WN_BOOL), odd, 5.0);
    CHECK(wn_to_memory(y, got, sizeof got, WN_F64) == WN_OK && got[0] == bits[0] && got[1] == bits[1]);
}

static wn_tensor *spoil(void *ctx, wn_tensor *g) { /* changes a mask while backward runs */
    (void)g;
    wn_zero_(ctx);
    return NULL;
}

static void test_supports(void) {
    for (int64_t k = 4; k <= 10000; k += 9996) {
        WN_SCOPE(s);
        /* broadcast: [k, 2] of [2]; the first column is never taken, the second in half of the rows */
        wn_tensor *a = PARAM(0, 2), *col = wn_reshape(wn_remainder(wn_arange(k), 2), WN_DIMS(k, 1)), *row = wn_reshape(VEC(0, 1), WN_DIMS(1, 2));
        wn_tensor *m = wn_gt(wn_mul(col, row), 0);
        CHECK(back(wn_where(m, wn_log(a), 0)));
        IS(wn_grad_of(a), 0, 0.25 * (double)k);
        wn_tensor *g = grad1(wn_where(m, wn_sqrt(a), 0), a);
        IS(wn_detach(g), 0, 0.25 * (double)k / sqrt(2));
        IS(wn_detach(grad1(g, a)), 0, -0.0625 * (double)k / sqrt(2));
        /* a mask that is smaller, and one that is larger than what it selects from */
        wn_tensor *rows = wn_requires_grad(wn_mul(wn_ones(WN_DIMS(k, 2), .dtype = WN_F64), row), true);
        CHECK(back(wn_where(wn_gt(row, 0), wn_log(rows), 0)));
        IS(wn_sum(wn_grad_of(rows), .dims = WN_DIMS(0)), 0, (double)k);
        wn_tensor *one = PARAM(0, 3);
        CHECK(back(wn_masked_select(wn_log(one), m)));
        IS(wn_grad_of(one), 0, (double)(k / 2) / 3);

        /* hooks, retained gradients and wn_grad see zeros where nothing exists */
        wn_tensor *x = wn_requires_grad(tiled(2, (double[]){0, 2}, k), true), *u = wn_log(x), *v = wn_mul(u, 3);
        seen hx = {0}, hu = {0};
        CHECK(wn_register_hook(x, look, &hx) && wn_register_hook(u, look, &hu) && wn_retain_grad(v) == v);
        CHECK(wn_backward(wn_sum(wn_where(wn_gt(x, 0), v, 0)), .retain_graph = true) == WN_OK);
        CHECK(hu.calls == 1 && hu.last == 1.5 * (double)k && hx.calls == 1 && hx.last == 0.75 * (double)k);
        CHECK(repeats(wn_grad_of(v), 2, (double[]){0, 1}, k) && repeats(wn_grad_of(x), 2, (double[]){0, 1.5}, k));
        wn_list gs = wn_grad(WN_LIST(wn_sum(wn_where(wn_gt(x, 0), v, 0))), WN_LIST(u, x, v), .retain_graph = true);
        CHECK(gs.n == 3 && repeats(gs.v[0], 2, (double[]){0, 3}, k) && repeats(gs.v[1], 2, (double[]){0, 1.5}, k) && repeats(gs.v[2], 2, (double[]){0, 1}, k));
        CHECK(wn_register_hook(v, doubled, NULL)); /* what a hook gives exists everywhere: 0 / 0 */
        CHECK(wn_set_grad(x, NULL) == WN_OK && back(wn_where(wn_gt(x, 0), v, 0)) && repeats(wn_grad_of(x), 2, (double[]){NAN, 3}, k));

        /* dropped elements are not read, and pass no gradient */
        wn_tensor *z = wn_requires_grad(wn_zeros(WN_DIMS(k), .dtype = WN_F64), true), *d = wn_dropout(wn_log(z), 0.5, true);
        CHECK(back(d));
        double *in = malloc(sizeof *in * (size_t)k), *out = malloc(sizeof *out * (size_t)k);
        CHECK(wn_to_memory(d, out, (size_t)k * 8, WN_F64) == WN_OK && wn_to_memory(wn_grad_of(z), in, (size_t)k * 8, WN_F64) == WN_OK);
        bool ok = true;
        for (int64_t i = 0; i < k; i++) ok = ok && (out[i] == 0 ? in[i] == 0 : isinf(out[i]) && isinf(in[i]));
        CHECK(ok);
        free(in);
        free(out);

        /* a mask changed before the backward, and during it */
        wn_tensor *mask = wn_gt(x, 0), *w = wn_where(mask, wn_log(x), 0);
        wn_zero_(mask);
        FAILS(back(w), "where", "zero_", "version");
        mask = wn_gt(x, 0);
        u = wn_mul(x, 2);
        w = wn_where(mask, wn_log(u), 0);
        CHECK(wn_register_hook(u, spoil, mask));
        FAILS(back(w), "mask", "zero_", "version");
    }
    /* memory that is short anywhere on the way is an error, and nothing is left behind (main counts); what is deferred fails
     * when it runs: tests/test_defer_hard.c */
    const int64_t from = wn_set_defer_from(-1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool done = false;
        for (int64_t n = 0; !done && n < 3000; n++) {
            WN_SCOPE(in);
            wn_tensor *x = wn_requires_grad(tiled(cases[i].n, cases[i].x, cases[i].n), true);
            wn_fail_allocation(n);
            wn_tensor *g = cases[i].twice ? grad1(cases[i].f(x), x) : NULL;
            bool ok = cases[i].twice ? wn_ok(g = grad1(g, x)) : back(cases[i].f(x));
            done = !wn_fail_allocation_hit();
            wn_fail_allocation(-1);
            if (ok != (wn_error() == WN_OK) || (!ok && wn_error() != WN_E_MEMORY)) break;
            if (ok && !repeats(g ? wn_detach(g) : wn_grad_of(x), cases[i].n, g ? cases[i].second : cases[i].first, cases[i].n)) break;
            wn_clear();
        }
        if (!done) printf("%s: short of memory\n", cases[i].name);
        CHECK(done);
        wn_clear();
    }
    wn_set_defer_from(from);
    /* a leaf takes over memory only when no other cotangent lives in it */
    WN_SCOPE(s);
    wn_tensor *x = PARAM(1), *u = wn_mul(x, 3), *w = wn_mul(x, 2), *y = wn_add(x, u), *q = wn_mul(w, 1);
    CHECK(back(wn_mul(wn_add(y, q), 5)));
    IS(wn_grad_of(x), 30);
}

/* ------------------------------------------------------------------ products under a mask */

/* The backward of y's sum; how many operands it looked through, and summed apart. */
static bool counted(wn_tensor *y, int64_t checked, int64_t apart) {
    wn_stats before = wn_get_stats();
    if (!back(y)) return false;
    wn_stats after = wn_get_stats();
    return after.products_checked - before.products_checked == checked && after.products_apart - before.products_apart == apart;
}

static void test_products(void) {
    WN_SCOPE(s);
    wn_tensor *m = wn_reshape(wn_gt(VEC(1, 0, 0, 0, 1, 1), 0), WN_DIMS(3, 2)), *w = wn_requires_grad(wn_view(VEC(1, 2, 3, 4), WN_DIMS(2, 2)), true);
    wn_tensor *a = wn_requires_grad(wn_view(VEC(1, 2, 3, 4, 5, 6), WN_DIMS(3, 2)), true);
    /* numbers: both operands are looked through, and nothing more; no mask, or relu's own condition: not even that */
    CHECK(counted(wn_where(m, wn_matmul(a, w), 0), 2, 0) && counted(wn_matmul(a, w), 0, 0) && counted(wn_relu(wn_matmul(a, w)), 0, 0));
    CHECK(counted(wn_clamp(wn_matmul(a, w), 0, 10), 0, 0) && counted(wn_relu(wn_view(wn_matmul(a, w), WN_DIMS(6))), 0, 0));
    CHECK(wn_set_grad(a, NULL) == WN_OK && wn_set_grad(w, NULL) == WN_OK);
    /* a row that is no number, and is left out */
    wn_tensor *bad = wn_requires_grad(wn_view(VEC(1, 2, INFINITY, NAN, 5, 6), WN_DIMS(3, 2)), true);
    CHECK(counted(wn_where(m, wn_matmul(bad, w), 0), 2, 1));
    IS(wn_reshape(wn_grad_of(w), WN_DIMS(4)), 6, 5, 8, 6);
    IS(wn_reshape(wn_grad_of(bad), WN_DIMS(6)), 1, 3, 0, 0, 3, 7);
    CHECK(wn_set_grad(w, NULL) == WN_OK && counted(wn_where(m, wn_linear(bad, wn_t(w)), 0), 2, 1));
    IS(wn_reshape(wn_grad_of(w), WN_DIMS(4)), 6, 5, 8, 6);
    /* terms that exist are what they are: inf - inf, 0 * inf */
    wn_tensor *odd = wn_view(VEC(1, INFINITY, 3, 4, 5, -INFINITY), WN_DIMS(3, 2));
    CHECK(wn_set_grad(w, NULL) == WN_OK && counted(wn_where(m, wn_matmul(odd, w), 0), 1, 1));
    IS(wn_reshape(wn_grad_of(w), WN_DIMS(4)), 6, 5, NAN, -INFINITY);
    CHECK(wn_set_grad(w, NULL) == WN_OK && counted(wn_mul(wn_where(m, wn_matmul(odd, w), 0), wn_reshape(VEC(1, 0), WN_DIMS(2))), 1, 1));
    IS(wn_reshape(wn_grad_of(w), WN_DIMS(4)), 6, 0, NAN, NAN);
    /* half precision; the second derivative */
    wn_tensor *half = wn_requires_grad(wn_to(wn_detach(w), WN_F16), true);
    CHECK(counted(wn_where(m, wn_matmul(wn_to(wn_detach(bad), WN_F16), half), 0), 1, 1));
    IS(wn_to(wn_reshape(wn_grad_of(half), WN_DIMS(4)), WN_F64), 6, 5, 8, 6);
    wn_tensor *y = wn_where(m, wn_matmul(bad, w), 0), *g = grad1(wn_mul(y, y), w), *gg = grad1(g, w);
    IS(wn_reshape(wn_detach(gg), WN_DIMS(4)), 2 * (1 + 25 + 2 + 30), 2 * (25 + 30), 2 * (2 + 30 + 4 + 36), 2 * (30 + 36));
}

/* ------------------------------------------------------------------ leaves: one total, hooks once, supports */

static wn_tensor *plus_one_in_place(void *ctx, wn_tensor *g) {
    (void)ctx;
    wn_add_(g, 1);
    return NULL;
}
static wn_tensor *both_sides(wn_tensor *x, int which) { /* x where not m, a function of it where m; seven ways to get there */
    wn_tensor *m = wn_gt(x, 0);
    switch (which) {
    case 0: return wn_where(m, wn_log(x), x);
    case 1: return wn_where(wn_le(x, 0), x, wn_log(x));
    case 2: return wn_where(m, wn_add(wn_log(x), x), x);
    case 3: return wn_add(wn_where(m, wn_log(x), x), wn_where(m, x, 0));
    case 4: return wn_add(wn_where(m, x, 0), wn_where(m, wn_log(x), x));
    case 5: return wn_where(m, wn_where(wn_lt(x, 4), wn_log(x), x), x);
    default: return wn_where(m, x, x);
    }
}
static const double sides[7][4] = { /* gradients at 0, 2, 5, -1 */
    {1, 0.5, 0.2, 1}, {1, 0.5, 0.2, 1}, {1, 1.5, 1.2, 1}, {1, 1.5, 1.2, 1}, {1, 1.5, 1.2, 1}, {1, 0.5, 1, 1}, {1, 1, 1, 1},
};

static void test_leaves(void) {
    static const int64_t sizes[] = {4, 20000};
    for (int size = 0; size < 2; size++) {
        const int64_t k = sizes[size];
        const double n = (double)k;
        WN_SCOPE(s);
        wn_tensor *x = wn_requires_grad(tiled(4, (double[]){0, 2, 5, -1}, k), true);
        /* hooks of a leaf see the sum of one backward, once; .grad adds up over several */
        seen a = {0};
        int64_t id = wn_register_hook(x, look, &a);
        for (int round = 1; round <= 3; round++) {
            CHECK(back(wn_add(wn_add(wn_mul(x, 3), wn_mul(x, 4)), x)) && a.calls == round && a.last == 8 * n);
            CHECK(repeats(wn_grad_of(x), 1, (double[]){8 * round}, k));
        }
        CHECK(back(wn_mul(x, x)) && a.calls == 4 && a.last == 3 * n); /* both operands of one node */
        wn_remove_hook(x, id);
        CHECK(wn_set_grad(x, NULL) == WN_OK && (id = wn_register_hook(x, doubled, NULL)) && wn_register_hook(x, look, &a));
        CHECK(back(wn_add(wn_mul(x, 3), x)) && a.calls == 5 && a.last == 8 * n && repeats(wn_grad_of(x), 1, (double[]){8}, k));
        wn_remove_hook(x, id);
        id = wn_register_hook(x, plus_one_in_place, NULL);
        CHECK(wn_set_grad(x, NULL) == WN_OK && back(wn_add(wn_mul(x, 3), wn_mul(x, 2))) && repeats(wn_grad_of(x), 1, (double[]){6}, k));
        wn_remove_hook(x, id);
        /* a hook's own tensor, and the gradient that the caller gave, stay theirs */
        seen b = {.give = wn_full(WN_DIMS(k), 7, .dtype = WN_F64)};
        id = wn_register_hook(x, look, &b);
        CHECK(wn_set_grad(x, NULL) == WN_OK && back(wn_mul(x, 2)) && b.calls == 1);
        wn_zero_(b.give);
        CHECK(repeats(wn_grad_of(x), 1, (double[]){7}, k));
        wn_remove_hook(x, id);
        wn_tensor *given = wn_full(WN_DIMS(k), 3, .dtype = WN_F64);
        for (int way = 0; way < 3; way++) { /* straight into the leaf, through a node, through two */
            CHECK(wn_set_grad(x, NULL) == WN_OK);
            wn_tensor *y = way == 0 ? x : way == 1 ? wn_add(x, 1) : wn_add(wn_add(x, 1), wn_mul(x, 0));
            CHECK(wn_backward(y, .gradient = given) == WN_OK && repeats(wn_grad_of(x), 1, (double[]){3}, k));
            wn_mul_(wn_grad_of(x), 5);
            CHECK(repeats(given, 1, (double[]){3}, k));
        }
        /* two leaves of one cotangent, and one that is still on its way elsewhere, do not share memory */
        wn_tensor *p = wn_requires_grad(wn_ones_like(x), true), *q = wn_requires_grad(wn_ones_like(x), true);
        CHECK(back(wn_mul(wn_add(wn_add(p, q), wn_exp(wn_mul(p, 0))), 2)));
        wn_zero_(wn_grad_of(p));
        CHECK(repeats(wn_grad_of(q), 1, (double[]){2}, k));
        wn_zero_(wn_grad_of(q));
        CHECK(wn_set_grad(p, NULL) == WN_OK && wn_set_grad(q, NULL) == WN_OK);
        CHECK(back(wn_mul(wn_add(p, wn_sqrt(wn_mul(q, 4))), 2)));
        wn_add_(wn_grad_of(p), 1);
        CHECK(repeats(wn_grad_of(p), 1, (double[]){3}, k) && repeats(wn_grad_of(q), 1, (double[]){2}, k));

        /* the sides of a mask meet at the leaf: log has its pole at 0, where it is not taken */
        for (int i = 0; i < 7; i++) {
            CHECK(wn_set_grad(x, NULL) == WN_OK && back(both_sides(x, i)));
            CHECK(repeats(wn_grad_of(x), 4, sides[i], k));
            wn_tensor *g = grad1(both_sides(x, i), x);
            CHECK(repeats(wn_detach(g), 4, sides[i], k));
            if (i < 5) CHECK(repeats(wn_detach(grad1(g, x)), 4, (double[]){0, -0.25, -0.04, 0}, k));
            wn_list gs = wn_grad(WN_LIST(wn_sum(both_sides(x, i))), WN_LIST(x, x));
            CHECK(gs.n == 2 && repeats(gs.v[0], 4, sides[i], k) && repeats(gs.v[1], 4, sides[i], k));
        }
        CHECK(wn_set_grad(x, NULL) == WN_OK);
        seen c = {0};
        id = wn_register_hook(x, look, &c);
        CHECK(back(both_sides(x, 0)) && c.calls == 1 && fabs(c.last - 2.7 * n / 4) < 1e-9 * n);
        CHECK(back(both_sides(x, 0)) && repeats(wn_grad_of(x), 4, (double[]){2, 1, 0.4, 2}, k)); /* added to what is there */
        wn_remove_hook(x, id);

        /* double use with broadcasting: [k, 2] of [2], whole and as it is */
        wn_tensor *w = PARAM(0, 2), *wide = wn_ones(WN_DIMS(k, 2), .dtype = WN_F64), *m = wn_gt(wn_mul(wide, w), 0);
        seen d = {0};
        CHECK(wn_register_hook(w, look, &d));
        CHECK(back(wn_where(wn_detach(m), wn_log(w), w)) && d.calls == 1);
        IS(wn_grad_of(w), n, n / 2);
        CHECK(wn_set_grad(w, NULL) == WN_OK && back(wn_add(wn_mul(wide, w), wn_where(wn_gt(w, 0), wn_log(w), w))) && d.calls == 2);
        IS(wn_grad_of(w), 2 * n, 1.5 * n);
        wn_tensor *narrow = wn_requires_grad(wn_ones(WN_DIMS(k), .dtype = WN_F32), true); /* and with conversion */
        CHECK(back(wn_add(wn_where(wn_gt(narrow, 0), wn_to(narrow, WN_F64), 0), wn_where(wn_gt(narrow, 0), 0, wn_mul(wn_to(narrow, WN_F64), NAN)))));
        CHECK(wn_dtype_of(wn_grad_of(narrow)) == WN_F32 && wn_item_f64(wn_sum(wn_grad_of(narrow))) == n);

        /* wn_grad: repeated inputs, leaves and results between, and leaves that were not asked for keep quiet */
        wn_tensor *u = wn_requires_grad(wn_full(WN_DIMS(k), 2, .dtype = WN_F64), true), *v = wn_requires_grad(wn_full(WN_DIMS(k), 3, .dtype = WN_F64), true);
        seen hu = {0}, hv = {0};
        CHECK(wn_register_hook(u, look, &hu) && wn_register_hook(v, look, &hv));
        wn_tensor *mid = wn_mul(u, v), *out = wn_sum(wn_add(wn_mul(mid, u), wn_mul(u, 5)));
        wn_list g = wn_grad(WN_LIST(out), WN_LIST(u, mid, u), .retain_graph = true);
        CHECK(g.n == 3 && repeats(g.v[0], 1, (double[]){17}, k) && repeats(g.v[1], 1, (double[]){2}, k) && repeats(g.v[2], 1, (double[]){17}, k));
        CHECK(hu.calls == 1 && hu.last == 17 * n && hv.calls == 0);
        g = wn_grad(WN_LIST(out), WN_LIST(v, u), .retain_graph = true);
        CHECK(g.n == 2 && repeats(g.v[0], 1, (double[]){4}, k) && repeats(g.v[1], 1, (double[]){17}, k) && hu.calls == 2 && hv.calls == 1);
        g = wn_grad(WN_LIST(out, u, u), WN_LIST(u), .gradients = WN_LIST(wn_ones(WN_0D, .dtype = WN_F64), given, given), .retain_graph = true);
        CHECK(g.n == 1 && repeats(g.v[0], 1, (double[]){23}, k) && hu.calls == 3);
        CHECK(wn_grad_of(u) == NULL && wn_grad_of(v) == NULL);
        /* paths that carry nothing (absent: zero) count as well */
        wn_tensor *dead = wn_zero_(wn_mul(u, 2));
        CHECK(back(wn_add(wn_add(wn_floor(u), dead), wn_mul(u, 3))) && hu.calls == 4 && repeats(wn_grad_of(u), 1, (double[]){3}, k));
        CHECK(wn_backward(out) == WN_OK && hu.calls == 5 && hv.calls == 2 && repeats(wn_grad_of(u), 1, (double[]){20}, k));
        /* recorded */
        CHECK(wn_set_grad(u, NULL) == WN_OK && wn_backward(wn_sum(wn_mul(wn_mul(u, u), u)), .create_graph = true) == WN_OK && hu.calls == 6);
        wn_tensor *first = wn_grad_of(u);
        CHECK(wn_needs_grad(first) && repeats(wn_detach(first), 1, (double[]){12}, k));
        CHECK(wn_set_grad(u, NULL) == WN_OK && back(first) && hu.calls == 7 && repeats(wn_grad_of(u), 1, (double[]){12}, k));
    }
    /* many leaves and many uses of one: the table grows */
    WN_SCOPE(s);
    wn_tensor *many[100], *sum = PARAM(0), *one = PARAM(1);
    seen a = {0};
    CHECK(wn_register_hook(one, look, &a));
    for (int i = 0; i < 100; i++) {
        many[i] = PARAM(i);
        sum = wn_add(sum, wn_mul(wn_mul(many[i], 2), one));
    }
    CHECK(back(sum) && a.calls == 1 && a.last == 9900);
    for (int i = 0; i < 100; i++) IS(wn_grad_of(many[i]), 2);
    /* short of memory: nothing half done is left behind, and .grad is the total or what it was */
    for (int way = 0; way < 4; way++) {
        bool done = false;
        for (int64_t n = 0; !done && n < 3000; n++) {
            WN_SCOPE(in);
            wn_tensor *x = PARAM(0, 2, 5, -1);
            if (way & 1) CHECK(wn_register_hook(x, doubled, NULL));
            if (way & 2) CHECK(wn_set_grad(x, VEC(10, 10, 10, 10)) == WN_OK);
            wn_fail_allocation(n);
            bool ok = back(wn_add(both_sides(x, 2), wn_mul(x, 3)));
            done = !wn_fail_allocation_hit();
            wn_fail_allocation(-1);
            if (ok != (wn_error() == WN_OK) || (!ok && wn_error() != WN_E_MEMORY)) break;
            wn_clear();
            const double more = way & 2 ? 10 : 0, by = way & 1 ? 2 : 1;
            if (ok && !holds(wn_grad_of(x), 4, (double[]){4 * by + more, 4.5 * by + more, 4.2 * by + more, 4 * by + more}, 1e-6)) break;
            if (!ok && (way & 2) && !holds(wn_grad_of(x), 4, (double[]){10, 10, 10, 10}, 0)) break;
        }
        CHECK(done);
        wn_clear();
    }
}

/* A change in place counts once, also where the operation is made of others. */
static void test_versions_once(void) {
    WN_SCOPE(s);
    wn_tensor *x = VEC(1, 2, 3), *i = wn_zeros(WN_DIMS(1), .dtype = WN_I64);
    uint32_t n = wn_version(x);
    CHECK(wn_ok(wn_clamp_(x, 0, WN_NONE)) && wn_version(x) == ++n);
    CHECK(wn_ok(wn_index_fill_(x, 0, i, 5)) && wn_version(x) == ++n);
    CHECK(wn_ok(wn_div_mode_(x, 2, .rounding_mode = "floor")) && wn_version(x) == ++n);
    CHECK(wn_ok(wn_nan_to_num_(x)) && wn_version(x) == ++n);
    wn_tensor *w = wn_mul(PARAM(1, -2), 2), *sq = wn_sum(wn_mul(w, w));
    CHECK(wn_ok(wn_clamp_(w, 0, WN_NONE)) && wn_version(w) == 1);
    FAILS(wn_backward(sq) == WN_OK, "version 1", "clamp");
}

/* The strings of a call are the caller's; a gradient that is made later does not read them. */
static void test_texts(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(wn_ones(WN_DIMS(1, 4)), true);
    char how[] = "reflect";
    wn_tensor *y = wn_pad(x, WN_DIMS(1, 1), .mode = how);
    memset(how, 'x', sizeof how - 1);
    CHECK(back(y));
    IS(wn_grad_of(x), 1, 2, 2, 1);
}

int main(void) {
    tolerance = 1e-6;
    wn_set_error_hook(NULL);
    wn_stats before = wn_get_stats();
    static void (*const tests[])(void) = {test_backward, test_inplace, test_numbers, test_views, test_modes, test_hooks, test_grad, test_double, test_gradcheck,
                                          test_custom, test_absent, test_chain, test_where, test_supports, test_products, test_leaves, test_versions_once, test_texts};
    static const char *const names[] = {"backward", "in place", "numbers", "views", "modes", "hooks", "grad", "double", "gradcheck", "custom", "absent", "chain", "where", "supports", "products", "leaves", "versions", "texts"};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        wn_clear();
        tests[i]();
        wn_stats now = wn_get_stats();
        if (now.handles != before.handles || now.storages != before.storages) printf("after %s: %lld handles are left\n", names[i], (long long)(now.handles - before.handles));
        CHECK(now.handles == before.handles && now.storages == before.storages && now.allocated == before.allocated);
        if (wn_error()) printf("%s leaves an error: %s\n", names[i], wn_error_message());
        CHECK(wn_error() == WN_OK);
    }
    return report();
}
