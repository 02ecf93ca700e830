/* Deferral is invisible. Each script below runs with deferral off, then on (large tensors, small ones with a threshold of 1, two
 * threads): everything it shows must be the same, bit for bit. test_defer_counts.c counts what deferral computes,
 * test_defer_hard.c has threads, fork, and memory that runs out. SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tensor/tensor.h" /* wn__tensor_assign: what .data= will be */
#include "winnow.h"

static int passed, failed;
static bool check_(bool ok, int line, const char *what) {
    if (ok) passed++;
    else failed++, printf("FAILED %s:%d: %s (record: %s)\n", __FILE__, line, what, wn_error_message());
    return ok;
}
#define CHECK(x) check_((x), __LINE__, #x)

/* ------------------------------------------------------------------ what a script shows */

static int64_t N; /* elements of its vectors; its matrices are 8 x N/8 */
typedef struct sink {
    unsigned char *bytes;
    size_t n, room;
    size_t ends[1200];
    int lines[1200], items;
} sink;
static sink *sink_now;

static void show_raw(const void *p, size_t n, int line) {
    sink *s = sink_now;
    if (s->n + n > s->room) {
        s->room = 2 * (s->n + n);
        s->bytes = realloc(s->bytes, s->room);
        if (!s->bytes) abort();
    }
    memcpy(s->bytes + s->n, p, n);
    s->n += n;
    if (s->items == 1200) abort();
    s->ends[s->items] = s->n, s->lines[s->items++] = line;
}
static void show_(wn_tensor *t, int line) {
    const uint32_t version = wn_ok(t) ? wn_version(t) : 12345;
    const int64_t n = wn_ok(t) ? wn_numel(t) : 0;
    double *d = malloc((size_t)(n + 1) * sizeof *d);
    if (!d || wn_to_memory(t, d, (size_t)n * sizeof *d, WN_F64) != WN_OK) check_(false, line, "what is shown can be read");
    else {
        for (int64_t i = 0; i < n; i++)
            if (isnan(d[i])) d[i] = 0x1.234p99;
        show_raw(d, (size_t)n * sizeof *d, line);
        show_raw(&version, sizeof version, line);
    }
    free(d);
}
#define SHOW(t) show_((t), __LINE__)

static wn_tensor *values(int seed, int64_t n) { /* -1 .. 1, with some zeros */
    float *v = malloc((size_t)(n + 1) * sizeof *v);
    if (!v) abort();
    uint32_t h = (uint32_t)seed * 2654435761u + 12345;
    for (int64_t i = 0; i < n; i++) {
        h = h * 1664525u + 1013904223u;
        v[i] = h >> 28 ? (float)(int32_t)h * 0x1p-31f : 0;
    }
    wn_tensor *t = wn_from_data(v, WN_DIMS(n), WN_F32);
    free(v);
    return t;
}
static wn_tensor *vec(int seed) { return values(seed, N); }
static wn_tensor *mat(int seed) { return wn_view(values(seed, N), WN_DIMS(8, N / 8)); }
static wn_tensor *leaf(int seed) { return wn_requires_grad(vec(seed), true); }

/* ------------------------------------------------------------------ mutation after a pending read */

enum { ROUTES = 22 };
/* Changes x, or the storage of x, in every way there is. */
static void change(wn_tensor *x, int route) {
    float *p;
    wn_tensor *y;
    switch (route) {
    case 0: wn_add_(x, 1); break;
    case 1: wn_mul_(wn_slice(x, 0, N / 4, N / 2), 3); break;
    case 2: wn_copy_(x, vec(40)); break;
    case 3: wn_zero_(x); break;
    case 4: wn_fill_(x, 7); break;
    case 5: wn_add_x(&(wn_add_args){.size_ = sizeof(wn_add_args), .self = wn_val_of_tensor(vec(41)), .other = wn_val_of_int(2), .out = x}); break;
    case 6:
        p = wn_data_mut(x);
        for (int64_t i = 0; p && i < wn_numel(x); i++) p[i] = (float)(i % 10);
        break;
    case 7: wn_copy_(wn_select(wn_view(x, WN_DIMS(8, N / 8)), 0, 3), values(42, N / 8)); break;
    case 8: wn_masked_fill_(x, wn_gt(x, 0), 5); break;
    case 9: wn_relu_(wn_detach(x)); break;
    case 10: wn_zero_(wn_slice(x, 0, 0, WN_NONE, .step = WN_VAL(3))); break;
    case 11: wn_sub_(x, x); break;
    case 12: wn_mul_(x, wn_sum(x)); break;
    case 13: wn_manual_seed(3), wn_uniform_(x, 0, 1); break;
    case 14: wn_copy_(x, wn_mul(x, 2)); break;
    case 15: wn__tensor_assign(x, vec(43), true); break;
    case 16: wn_add_(x, wn_flip(x, WN_DIMS(0)), .alpha = WN_VAL(0.5)); break;
    case 17: wn_copy_(wn_t(wn_view(x, WN_DIMS(8, N / 8))), wn_view(vec(44), WN_DIMS(N / 8, 8))); break;
    case 18: wn_clamp_(x, -0.5, 0.5); break;
    case 19: /* expanded source */ wn_copy_(wn_view(x, WN_DIMS(8, N / 8)), values(45, N / 8)); break;
    case 20: /* twice, with a read between that nobody looks at */
        y = wn_exp(wn_add_(x, 1));
        wn_mul_(x, 2);
        (void)y;
        break;
    case 21: wn_masked_scatter_(x, wn_lt(x, 0), vec(46)); break;
    default: break;
    }
}

enum { READERS = 9 };
static wn_tensor *reader(wn_tensor *x, int kind) {
    switch (kind) {
    case 0: return wn_mul(x, 2);
    case 1: return wn_sum(wn_square(x));
    case 2: return wn_add(wn_slice(x, 0, 1, WN_NONE), wn_slice(x, 0, 0, -1));
    case 3: return wn_where(wn_gt(x, 0), wn_exp(x), wn_neg(x));
    case 4: return wn_amax(wn_add(wn_view(x, WN_DIMS(8, N / 8)), 1), .dims = WN_DIMS(1));
    case 5: return wn_to(x, WN_F64);
    case 6: return wn_clone(wn_t(wn_view(x, WN_DIMS(8, N / 8))));
    case 7: return wn_tanh(wn_add(wn_mul(x, 3), wn_flip(x, WN_DIMS(0))));
    default: return wn_softmax(wn_view(x, WN_DIMS(8, N / 8)), 1);
    }
}

/* Readers that are pending when x changes have the old values; x may be in memory or pending itself. */
static void script_mutation(void) {
    for (int route = 0; route < ROUTES; route++)
        for (int kind = route % 2; kind < READERS; kind += 2) {
            WN_SCOPE(s);
            wn_tensor *x = vec(1);
            if ((route + kind) % 3 == 0) x = wn_add(wn_mul(x, 2), 1);
            wn_tensor *before = reader(x, kind);
            change(x, route);
            wn_tensor *after = reader(x, kind);
            if (route % 2) SHOW(x);
            SHOW(before);
            SHOW(after);
            SHOW(x);
        }
}

static void script_pending_inplace(void) {
    WN_SCOPE(s);
    wn_tensor *x = vec(1), *t = wn_add(x, 1), *u = wn_mul(t, 2);
    wn_mul_(t, 3); /* u has the old t */
    wn_tensor *v = wn_add(t, u);
    wn_sub_(t, v);
    wn_add_(t, t);
    SHOW(v), SHOW(u), SHOW(t);
    /* the target's own history in the expression */
    wn_tensor *m = vec(2), *g = vec(3);
    for (int i = 0; i < 5; i++) wn_copy_(m, wn_add(wn_mul(m, 0.9), g)), wn_mul_(g, m);
    SHOW(g), SHOW(m);
    wn_tensor *part = wn_mul(m, 0.9), *whole = wn_add(part, g); /* part outlives the expression that mutates m */
    wn_copy_(m, whole);
    SHOW(part), SHOW(m);
    /* zero_ forgets what was pending; a reader of before does not */
    t = wn_exp(x), u = wn_add(t, 1);
    wn_zero_(t);
    SHOW(u), SHOW(t);
    /* other dtypes */
    wn_tensor *h = wn_to(x, WN_BF16), *h2 = wn_mul(h, 3);
    wn_add_(h, h2);
    SHOW(h2), SHOW(h), SHOW(wn_to(wn_add(h, 0.125), WN_F32));
    wn_tensor *k = wn_to(wn_mul(x, 100), WN_I8), *k2 = wn_add(k, 100);
    wn_mul_(k, k2);
    SHOW(k), SHOW(k2);
    wn_tensor *b = wn_gt(x, 0), *nb = wn_logical_not(b);
    wn_logical_and_(b, wn_lt(x, 0.5));
    SHOW(b), SHOW(nb);
}

/* Rows on halves alone, which run as halves (engine/program_chain.c): values that are read in the middle, in place, numbers, gradients. */
static void script_halves(void) {
    static const wn_dtype halves[] = {WN_F16, WN_BF16};
    for (int d = 0; d < 2; d++) {
        WN_SCOPE(s);
        wn_tensor *x = wn_to(vec(1), halves[d]), *y = wn_to(wn_mul(vec(2), 300), halves[d]), *bad = wn_to(wn_log(wn_sub(vec(3), 0.5)), halves[d]);
        SHOW(x), SHOW(y), SHOW(bad); /* they are in memory now */
        wn_tensor *dif = wn_sub(x, y), *sq = wn_square(dif), *z = wn_abs(wn_sub(wn_mul(sq, 0.3), wn_neg(y)));
        SHOW(z), SHOW(dif);
        wn_tensor *t = wn_mul(x, 3);
        wn_add_(x, t), wn_mul_(x, y), wn_sub_(t, x);
        SHOW(x), SHOW(t);
        SHOW(wn_clamp(wn_add(wn_mul(bad, y), x), -2, 2)), SHOW(wn_maximum(wn_sub(bad, 1), wn_mul(y, y)));
        SHOW(wn_relu(wn_sub(wn_slice(y, 0, 1, 60), wn_slice(x, 0, 0, 59))));
        wn_tensor *p = wn_requires_grad(wn_to(vec(5), halves[d]), true);
        SHOW(p);
        CHECK(wn_backward(wn_sum(wn_abs(wn_sub(wn_mul(p, y), wn_mul(p, 0.1))))) == WN_OK);
        SHOW(wn_grad_of(p));
    }
}

/* Changes and gradients that nobody reads, and handles that go while others wait: nothing stays behind. */
static void script_unread(void) {
    WN_SCOPE(s);
    wn_tensor *x = vec(1), *y = vec(2), *p = leaf(3);
    wn_exp_(x); /* in memory, changed, never read */
    wn_tensor *z = wn_mul(y, 2);
    wn_add_(y, 1), wn_mul_(y, z);
    wn_tensor *views = wn_slice(wn_tanh(y), 0, 1, 50);
    wn_add_(views, 1);
    CHECK(wn_backward(wn_cat(WN_LIST(p, p)), .gradient = wn_ones(WN_DIMS(2 * N)), .retain_graph = true) == WN_OK);
    CHECK(wn_backward(p, .gradient = z) == WN_OK && wn_backward(p, .gradient = p) == WN_OK);
    {
        WN_SCOPE(inner);
        wn_tensor *gone = vec(4);
        z = wn_leave(&inner, wn_add(wn_relu_(gone), wn_square(gone)));
    }
    SHOW(wn_slice(z, 0, 0, 10));
    wn_fill_(z, 3);
    wn_tensor *base = wn_tanh(wn_fill_(vec(5), 0.5)), *parts = wn_slice(base, 0, 0, 20), *square = wn_mul(base, base);
    wn_lt_(parts, 1); /* square has the old values */
    SHOW(square);
    wn_tensor *chain = wn_clone(vec(6));
    for (int i = 0; i < 36; i++) (void)(i % 3 ? wn_add_(chain, vec(7), .alpha = WN_VAL(0.5)) : wn_mul_(chain, 0.5));
    wn_tensor *sum = wn_add(chain, wn_to(vec(8), WN_F64));
    wn_exp_(chain);
    SHOW(sum);
}

static void script_views(void) {
    WN_SCOPE(s);
    wn_tensor *x = mat(1), *t = wn_add(x, 1), *r = wn_select(t, 0, 2), *c = wn_slice(t, 1, 1, -1), *tt = wn_t(t), *d = wn_detach(t);
    wn_tensor *old = wn_mul(r, 2);
    wn_mul_(t, 2); /* all views see it */
    wn_tensor *now = wn_mul(r, 2);
    wn_zero_(r);
    wn_add_(c, 1);
    wn_add_(d, 0.5);
    wn_copy_(wn_select(tt, 0, 5), wn_full(WN_DIMS(8), 9.0));
    SHOW(now), SHOW(old), SHOW(r), SHOW(tt), SHOW(c), SHOW(d), SHOW(t);
    /* views of pending storages as operands: transposed, expanded, strided, flipped */
    wn_tensor *y = wn_exp(mat(2));
    SHOW(wn_add(wn_t(y), wn_reshape(wn_t(mat(3)), WN_DIMS(N / 8, 8))));
    SHOW(wn_mul(y, wn_expand(wn_slice(y, 0, 0, 1), WN_DIMS(8, N / 8))));
    SHOW(wn_add(wn_slice(y, 1, 0, WN_NONE, .step = WN_VAL(2)), 1));
    SHOW(wn_reshape(wn_t(y), WN_DIMS(N)));
    SHOW(wn_sum(wn_t(wn_mul(y, 2)), .dims = WN_DIMS(1)));
    /* one element read out of a pending tensor */
    const double item = wn_item_f64(wn_select(wn_select(wn_mul(y, 3), 0, 1), 0, 2));
    show_raw(&item, sizeof item, __LINE__);
    char text[4000];
    wn_repr(wn_slice(wn_mul(y, 3), 1, 0, 5), text, sizeof text);
    show_raw(text, strlen(text), __LINE__);
    /* a pointer, then a change, then the pointer asked for again */
    wn_tensor *p = wn_mul(y, 2);
    const float first = ((const float *)wn_data(p))[3];
    wn_add_(p, 1);
    const float second = ((const float *)wn_data(p))[3];
    show_raw(&first, sizeof first, __LINE__), show_raw(&second, sizeof second, __LINE__);
}

static void script_limits(void) {
    WN_SCOPE(s);
    wn_tensor *x = vec(1), *t = x, *many = vec(2), *kept[40];
    for (int i = 0; i < 500; i++) t = wn_add(wn_mul(t, 0.5), x);
    SHOW(t);
    for (int i = 0; i < 60; i++) many = wn_add(many, vec(100 + i)); /* more operands than a program takes */
    SHOW(many);
    for (int i = 0; i < 40; i++) kept[i] = wn_keep(wn_add(i ? kept[i - 1] : x, wn_mul(x, i)));
    SHOW(wn_sum(kept[39]));
    for (int i = 39; i >= 0; i--) {
        if (i % 7 == 0) SHOW(kept[i]);
        wn_drop(kept[i]);
    }
    t = x; /* every value read twice: 2^40 paths */
    for (int i = 0; i < 40; i++) t = wn_mul(wn_add(t, wn_tanh(t)), 0.5);
    SHOW(t);
    for (int i = 0; i < 30; i++) t = wn_where(wn_gt(t, 0.01 * i), wn_sub(t, 0.25), wn_add(wn_exp(t), 0.1)); /* nested masks */
    SHOW(t);
}

static void script_rows(void) {
    WN_SCOPE(s);
    wn_tensor *x = mat(1), *mu = wn_mean(x, .dims = WN_DIMS(1), .keepdim = true), *c = wn_sub(x, mu);
    wn_tensor *v = wn_mean(wn_square(c), .dims = WN_DIMS(1), .keepdim = true);
    SHOW(wn_mul(c, wn_rsqrt(wn_add(v, 1e-5))));
    SHOW(v);
    wn_tensor *e = wn_exp(wn_sub(x, wn_amax(x, .dims = WN_DIMS(1), .keepdim = true)));
    SHOW(wn_div(e, wn_sum(e, .dims = WN_DIMS(1), .keepdim = true)));
    SHOW(wn_sub(x, wn_logsumexp(x, WN_DIMS(1), .keepdim = true)));
    SHOW(wn_div(wn_sub(x, wn_mean(x, .dims = WN_DIMS(0))), wn_std(x, .dims = WN_DIMS(0))));
    SHOW(wn_sum(wn_mul(x, 2)));
    SHOW(wn_var(wn_mul(x, x)));
    SHOW(wn_sum(wn_relu(x), .where = wn_gt(x, 0.25)));
    SHOW(wn_sum(wn_masked_select(wn_exp(x), wn_gt(x, 0.25))));
    SHOW(wn_cumsum(wn_mul(x, 2), 1));
    wn_tensor *w = wn_view(values(5, N / 8 * 4), WN_DIMS(4, N / 8)), *b = values(6, 4);
    SHOW(wn_relu(wn_linear(wn_tanh(x), w, .bias = b)));
    SHOW(wn_mul(wn_add(wn_matmul(x, wn_t(w)), b), 2));
    SHOW(wn_gelu(wn_layer_norm(x, WN_DIMS(N / 8))));
    wn_manual_seed(11);
    wn_tensor *r1 = wn_rand_like(x), *drop = wn_dropout(x, 0.5, true), *r2 = wn_add(r1, drop);
    wn_manual_seed(12); /* later seeds do not change what was asked for before */
    SHOW(r2), SHOW(drop), SHOW(wn_rand_like(x));
}

static void script_gradients(void) {
    WN_SCOPE(s);
    wn_tensor *x = leaf(1), *w = leaf(2), *h = wn_mul(wn_tanh(wn_mul(x, w)), wn_sigmoid(w)), *loss = wn_mean(wn_square(wn_sub(h, 0.5)));
    CHECK(wn_backward(loss, .retain_graph = true) == WN_OK);
    wn_tensor *g1 = wn_clone(wn_grad_of(x));
    CHECK(wn_backward(loss) == WN_OK); /* adds up */
    SHOW(g1), SHOW(wn_grad_of(x)), SHOW(wn_grad_of(w)), SHOW(loss);
    { /* the step, with what was read before it */
        WN_NO_GRAD();
        wn_tensor *old = wn_mul(x, 2);
        wn_add_(x, wn_grad_of(x), .alpha = WN_VAL(-0.1));
        SHOW(old), SHOW(x);
    }
    /* where: exact zeros on the side not taken */
    wn_tensor *z = leaf(3), *m = wn_gt(z, 0);
    wn_tensor *y = wn_add(wn_where(m, wn_sqrt(z), wn_mul(z, 0)), wn_where(m, wn_log(z), wn_where(wn_lt(z, 0), wn_reciprocal(z), 0)));
    CHECK(wn_backward(wn_sum(y)) == WN_OK);
    SHOW(y), SHOW(wn_grad_of(z));
    SHOW(wn_sum(wn_isnan(wn_grad_of(z))));
    /* saved and changed: the error comes at backward, with or without deferral */
    wn_tensor *a = wn_mul(x, 2), *c = wn_mul(a, a);
    wn_add_(a, 1);
    CHECK(wn_backward(wn_sum(c)) != WN_OK && strstr(wn_error_message(), "version"));
    wn_clear();
    /* through views and changes of pending tensors */
    CHECK(wn_set_grad(x, NULL) == WN_OK);
    wn_tensor *base = wn_view(wn_mul(x, 1), WN_DIMS(8, N / 8)), *row = wn_select(base, 0, 3);
    wn_mul_(row, 5);
    wn_add_(wn_slice(base, 1, 0, 4), 2);
    CHECK(wn_backward(wn_sum(wn_mul(base, mat(7)))) == WN_OK);
    SHOW(wn_grad_of(x)), SHOW(base);
    /* a gradient of a gradient */
    wn_tensor *q = leaf(8), *gq = wn_at(wn_grad(WN_LIST(wn_sum(wn_mul(wn_exp(q), q))), WN_LIST(q), .create_graph = true), 0);
    SHOW(wn_at(wn_grad(WN_LIST(wn_sum(wn_square(gq))), WN_LIST(q)), 0));
    SHOW(gq);
}

static void script_optimisers(void) {
    WN_SCOPE(s);
    for (int kind = 0; kind < 3; kind++) {
        wn_tensor *p = leaf(1 + kind), *x = vec(5);
        wn_optim *o = kind == 0   ? wn_sgd_new(WN_LIST(p), .lr = 0.1, .momentum = 0.9)
                      : kind == 1 ? wn_adam_new(WN_LIST(p), .lr = 0.01)
                                  : wn_adamw_new(WN_LIST(p), .lr = 0.01);
        for (int i = 0; i < 4; i++) {
            wn_optim_zero_grad(o);
            wn_tensor *old = wn_mul(wn_detach(p), 2), *loss = wn_mean(wn_square(wn_sub(wn_tanh(p), x)));
            CHECK(wn_backward(loss) == WN_OK && wn_step(o) == WN_OK);
            if (i % 2) SHOW(loss);
            SHOW(old);
        }
        SHOW(p);
        wn_optim_free(o);
    }
    /* running statistics that somebody is about to read */
    wn_tensor *mean = vec(20), *var = wn_add(wn_square(vec(21)), 1), *x = wn_view(values(22, 4 * N), WN_DIMS(4, N));
    for (int i = 0; i < 3; i++) {
        wn_tensor *before = wn_add(mean, var), *y = wn_batch_norm(wn_mul(x, 1 + i), .running_mean = mean, .running_var = var, .training = true);
        SHOW(before), SHOW(y);
    }
    SHOW(mean), SHOW(var);
}

/* Memory outside: operations on it run at once. */
static void script_exposed(void) {
    WN_SCOPE(s);
    float *memory = malloc((size_t)N * sizeof *memory);
    if (!memory) abort();
    for (int64_t i = 0; i < N; i++) memory[i] = (float)(i % 17);
    wn_tensor *x = wn_from_memory(memory, WN_DIMS(N), WN_UNSET, WN_F32, NULL, NULL), *y = wn_mul(x, 2), *z = wn_sum(wn_exp(y));
    for (int64_t i = 0; i < N; i++) memory[i] = 1;
    SHOW(y), SHOW(z), SHOW(wn_add(x, 1));
    wn_tensor *p = wn_tanh(vec(1));
    wn_copy_(x, p); /* there at once */
    show_raw(memory, (size_t)N * sizeof *memory, __LINE__);
    wn_add_(x, y);
    show_raw(memory, (size_t)N * sizeof *memory, __LINE__);
    wn_add_x(&(wn_add_args){.size_ = sizeof(wn_add_args), .self = wn_val_of_tensor(p), .other = wn_val_of_int(1), .out = x});
    show_raw(memory, (size_t)N * sizeof *memory, __LINE__);
    free(memory); /* x is not read any more */
}

static bool any_time(void *ctx) { return *(const bool *)ctx; }
static void let_go(void *ctx) { (void)ctx; }

/* Memory outside beside values that wait: it is read before the call returns, whatever is written to it then. */
static void script_exposed_beside(void) {
    WN_SCOPE(s);
    bool alone = false;
    const size_t bytes = (size_t)(4 * N) * sizeof(float);
    float *memory = malloc(bytes), *row = malloc(bytes);
    unsigned char *bits = malloc(bytes);
    if (!memory || !row || !bits) abort();
    for (int64_t i = 0; i < 4 * N; i++) memory[i] = (float)(i % 23) - 11, bits[i] = (unsigned char)(i % 29 == 0 ? 1 + i % 3 : 0), row[i % N] = (float)(i % 7);
    wn_tensor *x = wn_from_memory(memory, WN_DIMS(4, N), WN_UNSET, WN_F32, NULL, NULL), *r = wn_from_memory(row, WN_DIMS(N), WN_UNSET, WN_F32, NULL, NULL);
    wn_tensor *m = wn_from_memory(bits, WN_DIMS(4, N), WN_UNSET, WN_BOOL, let_go, &alone), *h = wn_mul(wn_view(values(30, 4 * N), WN_DIMS(4, N)), 2);
    wn_exposed_until(m, any_time);
    wn_tensor *a = wn_where(m, wn_tanh(wn_log1p(wn_exp(wn_clamp(x, -5, 5)))), x), *b = wn_add(wn_exp(h), r), *c = wn_sub(h, x), *d = wn_where(m, h, 0);
    wn_tensor *e = wn_add(wn_mul(wn_t(x), 2), wn_t(h)), *f = wn_keep(wn_mul(h, 3)), *g = wn_sum(wn_mul(f, x)), *k = wn_copy_(wn_add(h, 1), x);
    wn_mul_(f, x);
    wn_add_(f, r);
    wn_where_x(&(wn_where_args){.size_ = sizeof(wn_where_args), .condition = m, .self = wn_val_of_tensor(h), .other = wn_val_of_int(1), .out = x});
    show_raw(memory, bytes, __LINE__);
    for (int64_t i = 0; i < 4 * N; i++) memory[i] = 1, bits[i] = i % 2 == 0, row[i % N] = 100;
    SHOW(a), SHOW(b), SHOW(c), SHOW(d), SHOW(e), SHOW(f), SHOW(g), SHOW(k);
    alone = true; /* m is like our own from now on */
    d = wn_where(m, h, x);
    e = wn_where(m, wn_exp(h), 0);
    wn_logical_not_(m);
    SHOW(d), SHOW(e), SHOW(m);
    CHECK(wn_expose(m) == WN_OK); /* exported again */
    d = wn_where(m, h, 2);
    memset(bits, 0, (size_t)(4 * N));
    SHOW(d), SHOW(wn_where(m, h, 2));
    wn_unexpose(m);
    wn_drop(f);
    free(memory), free(row), free(bits); /* nothing of them is read any more */
}

/* Files, loaders, lists, errors. */
static void script_outside(void) {
    WN_SCOPE(s);
    char path[64];
    snprintf(path, sizeof path, "defer-%d.npy", (int)getpid());
    wn_tensor *x = mat(1), *y = wn_exp(x);
    CHECK(wn_save_npy(wn_mul(y, 2), path) == WN_OK);
    SHOW(wn_load_npy(path));
    unlink(path);
    wn_dataset *data = wn_tensor_dataset(WN_LIST(wn_add(x, 1), wn_t(wn_view(wn_mul(vec(3), 2), WN_DIMS(N / 8, 8)))));
    wn_loader *loader = wn_loader_new(data, 2, .workers = 2, .seed = 5, .shuffle = true);
    wn_batch b;
    while (wn_next(loader, &b)) SHOW(wn_add(wn_mul(b.x, 2), b.y));
    wn_loader_free(loader);
    wn_dataset_free(data);
    wn_list parts = wn_split(wn_mul(y, 2), 3);
    for (int64_t i = 0; i < parts.n; i++) SHOW(wn_add(parts.v[i], 1));
    SHOW(wn_cat(WN_LIST(y, wn_neg(y))));
    wn_clear();
    wn_tensor *bad = wn_add(y, values(1, 3)); /* known at the call */
    CHECK(!wn_ok(bad) && wn_error() == WN_E_RUNTIME && wn_error_count() == 1);
    wn_clear();
    wn_tensor *k = wn_to(x, WN_I32);
    CHECK(!wn_ok(wn_floor_divide(wn_add(k, 1), wn_mul(k, 0))) && wn_error() != WN_OK); /* values: also at the call */
    wn_clear();
}

static void show_state(void) { /* how far the streams are */
    SHOW(wn_rand(WN_DIMS(3)));
}

/* Draws: when they are taken, made, made again, given away unread. */
static void script_random(void) {
    WN_SCOPE(s);
    static const int64_t around[] = {-255, -32, -31, -1, 0, 1, 31, 33, 255, 256, 257, 511};
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        const int64_t n = N + around[i];
        if (n <= 0) continue;
        wn_tensor *u = wn_rand(WN_DIMS(n)), *v = wn_randn(WN_DIMS(n)), *d = wn_rand(WN_DIMS(n), .dtype = WN_F64), *e = wn_randn(WN_DIMS(n), .dtype = WN_F64);
        SHOW(wn_add(u, wn_mul(v, 2)));
        SHOW(wn_sub(d, e));
        SHOW(u), SHOW(v), SHOW(d), SHOW(e), SHOW(u), SHOW(wn_mul(v, u));
        SHOW(wn_sum(wn_rand(WN_DIMS(n)))), SHOW(wn_slice(wn_randn(WN_DIMS(n)), 0, 1, 40));
    }
    static const int64_t rows[] = {3, 7, 31, 97, 100, 255, 257, 1001, 2049, 5003};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const wn_dims shape = WN_DIMS(N / rows[i] + 1, rows[i]), one = WN_DIMS(N / rows[i] + 1, 1);
        wn_tensor *r = wn_rand(shape), *z = wn_randn(shape), *c = wn_sub(z, wn_mean(r, .dims = WN_DIMS(1), .keepdim = true));
        SHOW(wn_mul(c, wn_rsqrt(wn_var(c, .dims = WN_DIMS(1), .keepdim = true))));
        SHOW(wn_sum(wn_mul(r, z), .dims = WN_DIMS(0)));
        SHOW(wn_mul(wn_rand(one), r)), SHOW(wn_add(wn_t(z), 1)), SHOW(wn_add(wn_flip(r, WN_DIMS(1)), r));
        SHOW(wn_sub(wn_rand(WN_DIMS(rows[i])), z));
        SHOW(wn_add(wn_slice(r, 1, 1, WN_NONE), wn_slice(r, 1, 0, -1)));
    }
    wn_tensor *x = vec(1), *y = wn_mul(x, 3), *m = wn_ge(wn_rand_like(x), 0.5);
    for (int route = 0; route < ROUTES; route++) { /* changed after it was read */
        wn_tensor *r = route & 1 ? wn_randn_like(x) : wn_rand_like(x), *read = wn_add(r, 1), *kept = wn_sum(r);
        change(r, route);
        SHOW(read), SHOW(r), SHOW(kept);
    }
    SHOW(wn_where(m, wn_tanh(wn_exp(wn_mul(wn_randn_like(x), x))), x)); /* needed only under a mask */
    SHOW(wn_where(wn_gt(x, 0.99), wn_log1p(wn_exp(wn_mul(wn_rand_like(x), wn_randn_like(y)))), wn_rand_like(x)));
    SHOW(m), SHOW(y);
    wn_tensor *a = wn_rand_like(x), *b = wn_rand_like(x); /* two draws are two */
    SHOW(wn_sub(a, b)), CHECK(wn_item_f64(wn_sum(wn_eq(a, b))) < 0.1 * (double)N);
    (void)wn_rand_like(x), (void)wn_randn(WN_DIMS(N + 17), .dtype = WN_F64), (void)wn_tanh(wn_rand(WN_DIMS(N, 2))); /* dropped unread */
    show_state();
    {
        WN_SCOPE(inner);
        (void)wn_randn_like(x);
        y = wn_leave(&inner, wn_mul(wn_rand_like(x), 2));
    }
    show_state();
    wn_manual_seed(5);
    a = wn_rand_like(x), (void)wn_randn_like(x), b = wn_randn_like(x);
    wn_manual_seed(6); /* of no concern to what was asked for before */
    wn_tensor *c = wn_rand_like(x);
    SHOW(wn_add(c, y)), SHOW(wn_mul(b, c)), SHOW(a), SHOW(b), SHOW(wn_square(a));
    wn_manual_seed(5);
    CHECK(wn_item_i64(wn_all(wn_eq(a, wn_rand_like(x)))) == 1);
    wn_generator *g = wn_generator_new(3);
    a = wn_randn_like(x, .generator = g), b = wn_rand(WN_DIMS(N), .generator = g);
    wn_generator_free(g); /* nor is a generator that has gone */
    SHOW(wn_div(b, a)), SHOW(wn_rand_like(x, .dtype = WN_F16)), SHOW(wn_randint(0, 9, WN_DIMS(N)));
    wn_tensor *in = mat(3), *w = wn_requires_grad(wn_randn(WN_DIMS(N / 8, N / 8 > 200 ? 50 : 5)), true), *h = wn_matmul(in, w);
    h = wn_mul(wn_relu(h), wn_ge(wn_rand_like(h), 0.3)); /* what follows a product */
    SHOW(h);
    wn_tensor *p = leaf(4), *drop = wn_ge(wn_rand_like(p), 0.25), *out = wn_mul(wn_tanh(p), drop);
    CHECK(wn_backward(wn_add(wn_sum(h), wn_sum(wn_mul(out, wn_randn_like(out))))) == WN_OK);
    SHOW(wn_grad_of(p)), SHOW(wn_grad_of(w)), SHOW(out), SHOW(w);
    wn_tensor *acc = wn_rand_like(x);
    for (int i = 0; i < 70; i++) acc = i % 7 == 3 ? wn_mul(acc, 0.5) : wn_add(acc, wn_rand_like(x)); /* more than a program can hold */
    SHOW(acc);
    show_state();
}

static const struct {
    const char *name;
    void (*run)(void);
} scripts[] = {{"mutation", script_mutation}, {"in place on pending", script_pending_inplace}, {"unread", script_unread}, {"views", script_views}, {"limits", script_limits},
               {"rows", script_rows},         {"gradients", script_gradients},                  {"optimisers", script_optimisers}, {"exposed", script_exposed}, {"exposed beside", script_exposed_beside},
               {"outside", script_outside},   {"random", script_random}, {"halves", script_halves}};

static void run_script(int i, sink *to, int64_t n, int64_t from, int threads) {
    N = n;
    sink_now = to;
    to->n = 0, to->items = 0;
    wn_clear();
    wn_set_num_threads(threads);
    wn_set_defer_from(from);
    wn_manual_seed(1);
    const wn_stats before = wn_get_stats();
    scripts[i].run();
    const wn_stats after = wn_get_stats();
    check_(before.handles == after.handles && before.storages == after.storages, __LINE__, scripts[i].name);
    wn_clear();
}

static void test_invisible(void) {
    static const struct {
        int64_t n, from;
        int threads;
    } ways[] = {{16000, 8192, 1}, {16000, 8192, 2}, {16000, 8192, 5}, {16000, 1, 1}, {96, 1, 1}, {1040, 16, 1}};
    static sink off, on;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            run_script((int)i, &off, ways[w].n, -1, 1);
            run_script((int)i, &on, ways[w].n, ways[w].from, ways[w].threads);
            int at = -1;
            for (int k = 0; k < off.items && at < 0; k++) {
                const size_t start = k ? off.ends[k - 1] : 0;
                if (k >= on.items || on.ends[k] != off.ends[k] || memcmp(off.bytes + start, on.bytes + start, off.ends[k] - start)) at = k;
            }
            if (at < 0 && on.items != off.items) at = off.items - 1;
            if (at >= 0)
                printf("FAILED: %s, %lld elements, threshold %lld, %d threads: what line %d shows differs (item %d)\n", scripts[i].name, (long long)ways[w].n,
                       (long long)ways[w].from, ways[w].threads, off.lines[at], at);
            at < 0 ? passed++ : failed++;
        }
    free(off.bytes), free(on.bytes);
    wn_set_num_threads(1);
}

int main(void) {
    wn_set_error_hook(NULL);
    const int64_t before = wn_set_defer_from(1234);
    CHECK(wn_set_defer_from(-1) == 1234);
    CHECK(wn_set_defer_from(8192) < 0);
    const char *off = getenv("WINNOW_DEFER");
    CHECK(!off || strcmp(off, "0") ? before != 0 : before < 0);
    test_invisible();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
