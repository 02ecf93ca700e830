/* Contractions and convolutions against the reference loops: random descriptors, all dtypes, all levels of this machine,
 * the same bits for 1, 2 and 5 threads. */
#include "base/alloc.h"
#include "base/half.h"
#include "engine/contraction.h"
#include "engine/contract_ref.h"
#include "base/level.h"
#include "random.h"
#include "winnow.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;
static const wn_dtype floats[] = {WN_F32, WN_F64, WN_F16, WN_BF16};
static const wn_dtype ints[] = {WN_I8, WN_I16, WN_I32, WN_I64, WN_U8};

static bool maybe(int one_in) { return below(one_in) == 0; }

static void check(bool ok, const char *what, const char *detail) {
    if (ok) {
        passed++;
        return;
    }
    failed++;
    if (failed < 40) printf("FAILED %s: %s (level %d)\n", what, detail, wn__cpu_level());
}

/* ------------------------------------------------------------------------------------------------ buffers */

static void fill(void *p, wn_dtype t, int64_t n) {
    if (t >= WN_I8) {
        unsigned char *c = p;
        for (size_t i = 0; i < (size_t)n * wn_dtype_size(t); i++) c[i] = (unsigned char)random_bits();
        return;
    }
    for (int64_t i = 0; i < n; i++) wn__ref_put(p, t, i, (double)below(2001) / 1000.0 - 1.0);
}

static double tolerance(wn_dtype t, wn_dtype out, int64_t k) {
    const double sum = (t == WN_F64 ? 2.3e-16 : 1.2e-7) * (4 + 2 * sqrt((double)k) + 0.5 * (double)k); /* stride 0: biased */
    const double store = out == WN_F16 ? 1e-3 : out == WN_BF16 ? 8e-3 : 0;
    return sum + store;
}

/* Compares whole buffers, gaps included: nothing outside C may change. Values are of size about sqrt(k). */
static bool same(const void *got, const void *want, wn_dtype t, int64_t n, double tol, double size) {
    if (t >= WN_I8) return memcmp(got, want, (size_t)n * wn_dtype_size(t)) == 0;
    for (int64_t i = 0; i < n; i++) {
        const double g = wn__ref_get(got, t, i), w = wn__ref_get(want, t, i);
        if (isnan(g) && isnan(w)) continue;
        if (g == w) continue;
        if (!(fabs(g - w) <= tol * (size + fabs(w)))) {
            if (failed < 5) printf("  element %ld: %.9g instead of %.9g\n", (long)i, g, w);
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ contractions */

/* Deals memory to axes: each operand gets strides in a random order of the labels it carries, with gaps, some negative. */
typedef struct layout {
    int64_t *stride[4 * WN_MAX_DIMS];
    int64_t size[4 * WN_MAX_DIMS];
    int n;
} layout;

static void carry(layout *l, int64_t size, int64_t *stride) {
    l->size[l->n] = size;
    l->stride[l->n++] = stride;
}

/* Returns the elements the operand needs; *origin is the offset of its first element. */
static int64_t deal(layout *l, bool broadcast, int64_t *origin) {
    int64_t step = maybe(4) ? 1 + below(3) : 1;
    *origin = 0;
    bool shuffled = maybe(2);
    while (l->n) {
        const int at = shuffled ? (int)below(l->n) : l->n - 1;
        if (broadcast && maybe(6)) {
            *l->stride[at] = 0;
        } else {
            const bool negative = maybe(6);
            *l->stride[at] = negative ? -step : step;
            if (negative && l->size[at] > 0) *origin += step * (l->size[at] - 1);
            step *= l->size[at] > 0 ? l->size[at] : 1;
            if (maybe(8)) step += below(5);
        }
        l->n--;
        l->size[at] = l->size[l->n];
        l->stride[at] = l->stride[l->n];
    }
    return step + 8;
}

static int64_t random_size(int limit) {
    static const int64_t special[] = {0, 1, 1, 2, 3, 7, 8, 13, 14, 15, 16, 17, 31, 32, 33};
    if (maybe(3)) {
        const int64_t s = special[below(15)];
        if (s <= limit && (s || maybe(4))) return s;
    }
    return 1 + below(limit);
}

static int labels(wn__axis *x, int most, int limit) {
    const int n = (int)below(most + 1);
    for (int d = 0; d < n; d++) x[d] = (wn__axis){random_size(n == 1 ? limit : n == 2 ? limit / 5 + 1 : limit / 20 + 1), 0, 0, 0};
    return n;
}

static int64_t total(const wn__axis *x, int n) {
    int64_t t = 1;
    for (int d = 0; d < n; d++) t *= x[d].size;
    return t;
}

static void bias_relu(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n) {
    const bool f64 = *(const bool *)ctx;
    for (int64_t l = 0; l < n; l++) {
        const double add = 0.25 * (double)((b + 3 * i + 5 * (j + l)) % 7) - 0.5;
        if (f64) ((double *)acc)[l] = fmax(((double *)acc)[l] + add, -1);
        else ((float *)acc)[l] = fmaxf(((float *)acc)[l] + (float)add, -1);
    }
}

typedef struct trial {
    wn__contraction c;
    int64_t na, nb, nc, oa, ob, oc;
    bool f64;
    wn__epilogue e;
} trial;

static void random_contraction(trial *t, int limit) {
    wn__contraction *c = &t->c;
    memset(t, 0, sizeof *t);
    const int kind = (int)below(10);
    c->dtype = kind < 4 ? WN_F32 : kind < 8 ? floats[below(4)] : ints[below(5)];
    c->out_dtype = (c->dtype == WN_F16 || c->dtype == WN_BF16) && maybe(2) ? WN_F32 : c->dtype;
    c->nbatch = maybe(2) ? 0 : labels(c->batch, 2, 6);
    c->nm = labels(c->m, 3, maybe(8) ? 4 : limit);
    c->nn = labels(c->n, 3, maybe(8) ? 4 : limit);
    c->nk = labels(c->k, 3, maybe(6) ? 5 * limit : limit);
    c->alpha = maybe(3) ? (c->dtype >= WN_I8 ? -3 : 0.75) : 1;
    c->beta = maybe(3) ? (c->dtype >= WN_I8 ? 5 : -0.5) : maybe(5) ? 1 : 0;
    layout l = {.n = 0};
    for (int d = 0; d < c->nbatch; d++) carry(&l, c->batch[d].size, &c->batch[d].a);
    for (int d = 0; d < c->nm; d++) carry(&l, c->m[d].size, &c->m[d].a);
    for (int d = 0; d < c->nk; d++) carry(&l, c->k[d].size, &c->k[d].a);
    t->na = deal(&l, true, &t->oa);
    for (int d = 0; d < c->nbatch; d++) carry(&l, c->batch[d].size, &c->batch[d].b);
    for (int d = 0; d < c->nk; d++) carry(&l, c->k[d].size, &c->k[d].b);
    for (int d = 0; d < c->nn; d++) carry(&l, c->n[d].size, &c->n[d].b);
    t->nb = deal(&l, true, &t->ob);
    for (int d = 0; d < c->nbatch; d++) carry(&l, c->batch[d].size, &c->batch[d].c);
    for (int d = 0; d < c->nm; d++) carry(&l, c->m[d].size, &c->m[d].c);
    for (int d = 0; d < c->nn; d++) carry(&l, c->n[d].size, &c->n[d].c);
    t->nc = deal(&l, false, &t->oc);
    t->f64 = c->dtype == WN_F64;
    t->e = (wn__epilogue){.run = bias_relu, .ctx = &t->f64};
    if (c->dtype < WN_I8 && maybe(3)) c->epilogue = &t->e;
}

static void describe(const wn__contraction *c, char *s, size_t cap) {
    size_t n = (size_t)snprintf(s, cap, "%s->%s alpha %g beta %g%s", wn_dtype_name(c->dtype), wn_dtype_name(c->out_dtype),
                                c->alpha, c->beta, c->epilogue ? " epilogue" : "");
    const wn__axis *x[] = {c->batch, c->m, c->n, c->k};
    const int count[] = {c->nbatch, c->nm, c->nn, c->nk};
    for (int g = 0; g < 4; g++) {
        n += (size_t)snprintf(s + n, cap - n, " %c", "bmnk"[g]);
        for (int d = 0; d < count[g] && n < cap - 80; d++)
            n += (size_t)snprintf(s + n, cap - n, "[%ld: %ld %ld %ld]", (long)x[g][d].size, (long)x[g][d].a, (long)x[g][d].b,
                                  (long)x[g][d].c);
    }
}

static void run_trial(trial *t) {
    static const int threads[] = {1, 2, 5};
    wn__contraction *c = &t->c;
    const size_t in = wn_dtype_size(c->dtype), out = wn_dtype_size(c->out_dtype), bytes = (size_t)t->nc * out;
    char *a = malloc((size_t)t->na * in), *b = malloc((size_t)t->nb * in);
    char *start = malloc(bytes), *want = malloc(bytes), *got = malloc(bytes), *first = malloc(bytes), text[2000];
    fill(a, c->dtype, t->na);
    fill(b, c->dtype, t->nb);
    fill(start, c->out_dtype, t->nc);
    describe(c, text, sizeof text);
    const int64_t k = total(c->k, c->nk);
    c->a = a + (size_t)t->oa * in;
    c->b = b + (size_t)t->ob * in;
    memcpy(want, start, bytes);
    c->c = want + (size_t)t->oc * out;
    wn__contract_ref(c);
    for (int i = 0; i < 3; i++) {
        memcpy(got, start, bytes);
        c->c = got + (size_t)t->oc * out;
        wn_set_num_threads(threads[i]);
        check(wn__contract(c), "memory", text);
        if (i == 0) {
            memcpy(first, got, bytes);
            check(same(got, want, c->out_dtype, t->nc, tolerance(c->dtype, c->out_dtype, k), 0.3 * sqrt((double)k) + 0.1),
                  "contract", text);
        } else {
            check(memcmp(first, got, bytes) == 0, "contract, bits by threads", text);
        }
    }
    free(a), free(b), free(start), free(want), free(got), free(first);
}

static void contractions(int count, int limit) {
    trial t;
    for (int i = 0; i < count; i++) {
        do random_contraction(&t, limit);
        while (total(t.c.m, t.c.nm) * total(t.c.n, t.c.nn) * total(t.c.k, t.c.nk) * total(t.c.batch, t.c.nbatch) > 12000000 ||
               t.na + t.nb + t.nc > 4000000);
        run_trial(&t);
    }
}

/* A plain row-major product, for shapes that random descriptors seldom hit. */
static void plain(wn_dtype type, int64_t m, int64_t n, int64_t k, bool ta, bool tb) {
    trial t;
    memset(&t, 0, sizeof t);
    wn__contraction *c = &t.c;
    c->dtype = c->out_dtype = type;
    c->nm = c->nn = c->nk = 1;
    c->m[0] = (wn__axis){m, ta ? 1 : k, 0, n};
    c->n[0] = (wn__axis){n, 0, tb ? k : 1, 1};
    c->k[0] = (wn__axis){k, ta ? m : 1, tb ? 1 : n, 0};
    c->alpha = 1;
    t.na = m * k, t.nb = k * n, t.nc = m * n;
    run_trial(&t);
}

static void special_values(void) {
    float a[64], b[64], c[64];
    for (int i = 0; i < 64; i++) a[i] = 1, b[i] = 1, c[i] = NAN;
    a[0] = 0, b[0] = INFINITY; /* row 0 of A meets column 0 of B */
    wn__contraction t = {.dtype = WN_F32, .out_dtype = WN_F32, .a = a, .b = b, .c = c, .nm = 1, .nn = 1, .nk = 1, .alpha = 1};
    t.m[0] = (wn__axis){8, 8, 0, 8};
    t.n[0] = (wn__axis){8, 0, 1, 1};
    t.k[0] = (wn__axis){8, 1, 8, 0};
    check(wn__contract(&t) && isnan(c[0]) && isinf(c[8]) && c[1] == 7 && c[9] == 8, "special values", "0 * inf, beta = 0");
    for (int i = 0; i < 64; i++) c[i] = NAN;
    t.k[0].size = 0;
    check(wn__contract(&t) && c[0] == 0 && c[63] == 0, "special values", "empty k");
    for (int i = 0; i < 64; i++) c[i] = 2;
    t.beta = 0.5;
    check(wn__contract(&t) && c[0] == 1 && c[63] == 1, "special values", "empty k, beta");
}

/* A NaN among a product's bf16 results is torch's NaN, and its neighbours and the gap behind the row are what they are without it. */
static void special_halves(void) {
    enum { M = 29, N = 45, K = 17, LD = 50 };
    uint16_t a[M * K], b[K * N], c[M * LD];
    for (int i = 0; i < M * K; i++) a[i] = 0x3f80; /* 1 */
    for (int i = 0; i < K * N; i++) b[i] = 0x3f80;
    for (int i = 0; i < M * LD; i++) c[i] = 0x1234;
    a[3 * K + 16] = 0x7f80, b[16 * N + 40] = 0;       /* inf * 0 at (3, 40), inf in the rest of the row */
    wn__contraction t = {.dtype = WN_BF16, .out_dtype = WN_BF16, .a = a, .b = b, .c = c, .nm = 1, .nn = 1, .nk = 1, .alpha = 1};
    t.m[0] = (wn__axis){M, K, 0, LD};
    t.n[0] = (wn__axis){N, 0, 1, 1};
    t.k[0] = (wn__axis){K, 1, N, 0};
    bool ok = wn__contract(&t);
    for (int i = 0; i < M * LD; i++) {
        const int r = i / LD, j = i % LD;
        const uint16_t want = j >= N ? 0x1234 : r == 3 ? (j == 40 ? 0x7fc0 : 0x7f80) : j == 40 ? 0x4180 : 0x4188;
        ok &= (c[i] & (want == 0x7fc0 ? 0x7fff : 0xffff)) == want;
    }
    check(ok, "special values", "NaN in bf16");
}

/* ------------------------------------------------------------------------------------------------ convolutions */

typedef struct image_buffers {
    int64_t nx, nw, ny, ox, ow, oy;
} image_buffers;

/* MANY: enough small images and channels for vectors along output channels. DEEP: few small images, many channels, 1x1 kernels among them.
 * PLANES: depthwise, small, the result as large as the image. DIRECT: depthwise, 3x3, in place where rows are.
 * PATCHES: windows side by side. */
enum kind { ANY, MANY, DEEP, PLANES, DIRECT, PATCHES };
static void tile(wn__conv *d) {
    for (int i = 0; i < d->nd; i++) {
        d->padding[i] = 0;
        d->dilation[i] = 1;
        d->stride[i] = d->kernel[i] = 1 + below(6);
        d->in[i] = d->kernel[i] * (1 + below(5)) + (maybe(9) ? below(2) : 0);
        d->out[i] = d->in[i] / d->kernel[i];
    }
}
static void split(wn__conv *d) {
    d->nd = 1 + (int)below(2);
    d->batch = 1 + below(4);
    d->groups = 2 + below(30);
    d->in_channels = d->groups;
    d->out_channels = d->groups * (1 + below(maybe(3) ? 4 : 1));
    for (int i = 0; i < d->nd; i++) {
        d->in[i] = d->out[i] = 1 + below(17);
        d->stride[i] = 1;
        d->dilation[i] = 1 + below(2);
        d->padding[i] = d->dilation[i] * below(4);
        d->kernel[i] = 2 * d->padding[i] / d->dilation[i] + 1;
    }
}
static void widen(wn__conv *d) {
    d->nd = 2;
    d->batch = 1 + below(3);
    d->groups = 2 + below(7);
    d->in_channels = d->groups;
    d->out_channels = d->groups * (1 + below(maybe(3) ? 4 : 1));
    d->stride[0] = d->stride[1] = 1 + below(2);
    for (int i = 0; i < 2; i++) {
        d->in[i] = 1 + below(i ? 45 : 15);
        d->dilation[i] = 1;
        d->kernel[i] = 3;
        d->padding[i] = (d->in[i] < 3) + below(3);
        d->out[i] = (d->in[i] + 2 * d->padding[i] - 3) / d->stride[i] + 1;
    }
}
static void deepen(wn__conv *d) {
    const bool point = maybe(2);
    d->nd = 2;
    d->batch = 1 + below(4);
    d->groups = maybe(4) ? 2 : 1;
    d->in_channels = d->groups * (point ? 128 + below(30) : 32 + below(20));
    d->out_channels = d->groups * (point ? 128 + below(30) : 32 + below(20));
    for (int i = 0; i < 2; i++) {
        d->in[i] = 1 + below(point ? 14 : 8);
        d->stride[i] = point || maybe(2) ? 1 : 2;
        d->dilation[i] = 1;
        d->kernel[i] = point ? 1 : 1 + below(3);
        d->padding[i] = point ? 0 : below(3);
        if (d->kernel[i] > d->in[i] + 2 * d->padding[i]) d->kernel[i] = 1;
        d->out[i] = (d->in[i] + 2 * d->padding[i] - d->kernel[i]) / d->stride[i] + 1;
    }
}
static void random_conv(wn__conv *d, image_buffers *n, enum kind kind) {
    const bool many = kind == MANY;
    memset(d, 0, sizeof *d);
    d->nd = 1 + (int)below(many ? 2 : 3);
    d->dtype = maybe(2) ? WN_F32 : floats[below(4)];
    d->batch = maybe(20) ? 0 : 1 + below(3);
    d->groups = maybe(3) ? 1 + below(4) : 1;
    d->in_channels = d->groups * (1 + below(maybe(4) ? 60 : 5));
    d->out_channels = d->groups * (1 + below(maybe(4) ? 70 : 5));
    if (many) {
        d->batch = 2 + below(40);
        d->groups = maybe(4) ? 2 : 1;
        d->in_channels = d->groups * (8 + below(maybe(3) ? 90 : 9));
        d->out_channels = d->groups * (8 + below(maybe(3) ? 60 : 9));
    }
    for (int i = 0; i < d->nd; i++) {
        do {
            d->in[i] = 1 + below(many ? 7 : d->nd == 1 ? 80 : d->nd == 2 ? 20 : 9);
            d->kernel[i] = 1 + below(maybe(5) ? 7 : 3);
            d->stride[i] = maybe(2) ? 1 : 1 + below(4);
            d->padding[i] = below(4);
            d->dilation[i] = maybe(3) ? 1 + below(4) : 1;
            d->out[i] = d->in[i] + 2 * d->padding[i] - d->dilation[i] * (d->kernel[i] - 1) - 1;
        } while (d->out[i] < 0);
        d->out[i] = d->out[i] / d->stride[i] + 1;
    }
    if (kind == DEEP) deepen(d);
    if (kind == PLANES) split(d);
    if (kind == DIRECT) widen(d);
    if (kind == PATCHES) tile(d);
    layout l = {.n = 0};
    carry(&l, d->batch, &d->xs[0]), carry(&l, d->in_channels, &d->xs[1]);
    for (int i = 0; i < d->nd; i++) carry(&l, d->in[i], &d->xs[2 + i]);
    n->nx = deal(&l, false, &n->ox);
    carry(&l, d->out_channels, &d->ws[0]), carry(&l, d->in_channels / d->groups, &d->ws[1]);
    for (int i = 0; i < d->nd; i++) carry(&l, d->kernel[i], &d->ws[2 + i]);
    n->nw = deal(&l, false, &n->ow);
    carry(&l, d->batch, &d->ys[0]), carry(&l, d->out_channels, &d->ys[1]);
    for (int i = 0; i < d->nd; i++) carry(&l, d->out[i], &d->ys[2 + i]);
    n->ny = deal(&l, false, &n->oy);
}

/* The same without gaps, the last dimension fastest: what copies serve with whole vectors. */
static void make_dense(wn__conv *d, image_buffers *n) {
    n->nx = n->nw = n->ny = 1;
    n->ox = n->ow = n->oy = 0;
    for (int i = d->nd + 1; i >= 0; i--) {
        d->xs[i] = n->nx, d->ws[i] = n->nw, d->ys[i] = n->ny;
        n->nx *= i > 1 ? d->in[i - 2] : i ? d->in_channels : d->batch;
        n->nw *= i > 1 ? d->kernel[i - 2] : i ? d->in_channels / d->groups : d->out_channels;
        n->ny *= i > 1 ? d->out[i - 2] : i ? d->out_channels : d->batch;
    }
}

/* One of the three at one thread count into a copy of `start`. */
static void one_conv(const wn__conv *d, int which, bool reference, const char *p, const char *q, const char *bias, char *to,
                     const wn__epilogue *e, const char *text) {
    if (reference) {
        if (which == 0) wn__conv_forward_ref(d, p, q, bias, to, e);
        else if (which == 1) wn__conv_grad_input_ref(d, p, q, to);
        else wn__conv_grad_weight_ref(d, p, q, to);
        return;
    }
    check(which == 0 ? wn__conv_forward(d, p, q, bias, to, e) : which == 1 ? wn__conv_grad_input(d, p, q, to) : wn__conv_grad_weight(d, p, q, to),
          "memory", text);
}

static void conv_case(const wn__conv *d, const image_buffers *n, bool extras) {
    static const char *const names[] = {"conv forward", "conv grad input", "conv grad weight"};
    static const int threads[] = {1, 2, 5};
    const int64_t size = (int64_t)wn_dtype_size(d->dtype);
    char *x = malloc((size_t)(n->nx * size)), *w = malloc((size_t)(n->nw * size)), *y = malloc((size_t)(n->ny * size));
    char *bias = malloc((size_t)(d->out_channels * size)), text[600];
    fill(x, d->dtype, n->nx), fill(w, d->dtype, n->nw), fill(y, d->dtype, n->ny), fill(bias, d->dtype, d->out_channels);
    int len = snprintf(text, sizeof text, "%s batch %ld channels %ld -> %ld groups %ld", wn_dtype_name(d->dtype), (long)d->batch,
                       (long)d->in_channels, (long)d->out_channels, (long)d->groups);
    int64_t terms = d->in_channels / d->groups, outputs = d->batch, taps = d->out_channels / d->groups;
    for (int i = 0; i < d->nd; i++) {
        len += snprintf(text + len, sizeof text - (size_t)len, " [in %ld kernel %ld stride %ld pad %ld dil %ld]", (long)d->in[i],
                        (long)d->kernel[i], (long)d->stride[i], (long)d->padding[i], (long)d->dilation[i]);
        terms *= d->kernel[i], taps *= d->kernel[i], outputs *= d->out[i];
    }
    bool f64 = d->dtype == WN_F64;
    const wn__epilogue e = {.run = bias_relu, .ctx = &f64};
    char *const source[3] = {y, x, w};
    const int64_t count[3] = {n->ny, n->nx, n->nw}, origin[3] = {n->oy, n->ox, n->ow}, k[3] = {terms, taps, outputs};
    for (int which = 0; which < 3; which++) {
        const size_t bytes = (size_t)(count[which] * size);
        char *want = malloc(bytes), *got = malloc(bytes), *first = malloc(bytes);
        const char *p = which == 1 ? y + n->oy * size : x + n->ox * size, *q = which == 2 ? y + n->oy * size : w + n->ow * size;
        memcpy(want, source[which], bytes);
        one_conv(d, which, true, p, q, extras ? bias : NULL, want + origin[which] * size, extras ? &e : NULL, text);
        for (int i = 0; i < 3; i++) {
            wn_set_num_threads(threads[i]);
            memcpy(got, source[which], bytes);
            one_conv(d, which, false, p, q, extras ? bias : NULL, got + origin[which] * size, extras ? &e : NULL, text);
            if (i == 0) {
                memcpy(first, got, bytes);
                check(same(got, want, d->dtype, count[which], tolerance(d->dtype, d->dtype, k[which]),
                           0.3 * sqrt((double)k[which]) + 0.1),
                      names[which], text);
            } else {
                check(memcmp(first, got, bytes) == 0, "conv, bits by threads", text);
            }
        }
        free(want), free(got), free(first);
    }
    free(x), free(w), free(y), free(bias);
}

static void convolutions(int times, enum kind kind) {
    wn__conv d;
    image_buffers n;
    for (int i = 0; i < times; i++) {
        double work;
        do {
            random_conv(&d, &n, kind);
            work = (double)d.batch * (double)d.out_channels * (double)d.in_channels / (double)d.groups;
            for (int s = 0; s < d.nd; s++) work *= (double)(d.out[s] * d.kernel[s] * (maybe(2) ? d.in[s] : 1));
            if (maybe(2)) make_dense(&d, &n);
        } while (work > (kind == ANY ? 1e6 : 1e7));
        conv_case(&d, &n, maybe(3));
    }
}

/* Tall in the first of three dimensions, which then changes places with the second; not below an epilogue. */
static void tall_kernels(void) {
    wn__conv d = {.nd = 3, .batch = 2, .in_channels = 4, .out_channels = 6, .groups = 2, .in = {60, 5, 6}, .out = {13, 5, 5}, .kernel = {41, 3, 2},
                  .stride = {2, 1, 1}, .padding = {3, 1, 0}, .dilation = {1, 1, 1}};
    image_buffers n;
    for (int i = 0; i < 4; i++) {
        d.dtype = i < 2 ? WN_F32 : WN_F64;
        make_dense(&d, &n);
        conv_case(&d, &n, i % 2);
    }
}

/* A kernel with far more taps than there are positions, which the gradient in the input exchanges with dy: of one image with groups, of many
 * images without, with inf and NaN in either. */
static void kernels_beyond_the_image(void) {
    wn__conv d = {.nd = 2, .batch = 1, .in_channels = 6, .out_channels = 4, .groups = 2, .in = {40, 33}, .out = {3, 2}, .kernel = {31, 12},
                  .stride = {5, 3}, .padding = {2, 1}, .dilation = {1, 2}};
    image_buffers n;
    for (int i = 0; i < 8; i++) {
        d.dtype = floats[i / 2];
        d.batch = i % 2 ? 3 : 1, d.groups = i % 2 ? 1 : 2;
        make_dense(&d, &n);
        conv_case(&d, &n, i % 3);
    }
    d = (wn__conv){.nd = 1, .dtype = WN_F32, .batch = 2, .in_channels = 3, .out_channels = 2, .groups = 1, .in = {44}, .out = {2}, .kernel = {40},
                   .stride = {3}, .padding = {0}, .dilation = {1}, .xs = {132, 44, 1}, .ws = {120, 40, 1}, .ys = {4, 2, 1}};
    float dy[8], w[240], got[264], want[264];
    fill(dy, WN_F32, 8), fill(w, WN_F32, 240);
    dy[1] = INFINITY, dy[7] = NAN, w[50] = -INFINITY, w[201] = NAN;
    check(wn__conv_grad_input(&d, dy, w, got), "memory", "kernel beyond the image");
    wn__conv_grad_input_ref(&d, dy, w, want);
    bool ok = same(got, want, WN_F32, 264, 1e-5, 1);
    for (int i = 0; i < 264; i++) ok &= isnan(got[i]) == isnan(want[i]);
    check(ok, "conv grad input", "inf and NaN, kernel beyond the image");
}

/* inf in a weight reaches exactly the elements it multiplies: no NaN from places where dy has no element. */
static void conv_special(void) {
    wn__conv d = {.nd = 2, .dtype = WN_F32, .batch = 2, .in_channels = 3, .out_channels = 4, .groups = 1, .in = {6, 7}, .out = {3, 4},
                  .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}, .dilation = {1, 1}, .xs = {126, 42, 7, 1},
                  .ws = {27, 9, 3, 1}, .ys = {48, 12, 4, 1}};
    float dy[96], w[108], got[252], want[252];
    fill(dy, WN_F32, 96), fill(w, WN_F32, 108);
    w[0] = INFINITY, w[50] = -INFINITY, w[77] = NAN;
    check(wn__conv_grad_input(&d, dy, w, got), "memory", "special");
    wn__conv_grad_input_ref(&d, dy, w, want);
    bool ok = same(got, want, WN_F32, 252, 1e-5, 1);
    for (int i = 0; i < 252; i++) ok &= isnan(got[i]) == isnan(want[i]);
    check(ok, "conv grad input", "inf and NaN in w");
}

/* Whatever allocation fails, the calls come back and say so. */
static void short_of_memory(void) {
    static float a[100 * 100], b[100 * 100], c[100 * 100];
    wn__contraction t = {.dtype = WN_F32, .out_dtype = WN_F32, .a = a, .b = b, .c = c, .nm = 1, .nn = 1, .nk = 1, .alpha = 1};
    t.m[0] = (wn__axis){100, 100, 0, 1}; /* C transposed, both ways of accumulating */
    t.n[0] = (wn__axis){100, 0, 1, 100};
    t.k[0] = (wn__axis){100, 1, 100, 0};
    wn__conv d = {.nd = 1, .dtype = WN_F32, .batch = 2, .in_channels = 5, .out_channels = 5, .groups = 1, .in = {100}, .out = {98},
                  .kernel = {3}, .stride = {1}, .dilation = {1}, .xs = {500, 100, 1}, .ws = {15, 3, 1}, .ys = {490, 98, 1}};
    wn_set_num_threads(2);
    for (int call = 0; call < 4; call++) {
        bool ok = false;
        for (int n = 0; n < 20 && !ok; n++) {
            wn__scratch_release();
            wn_fail_allocation(n);
            ok = call == 0 ? wn__contract(&t) : call == 1 ? wn__conv_forward(&d, a, b, NULL, c, NULL) : call == 2 ? wn__conv_grad_input(&d, c, b, a) : wn__conv_grad_weight(&d, a, c, b);
            wn_fail_allocation(-1);
        }
        check(ok, "allocation failures", "recovers");
    }
}

static void at_level(int level) {
    wn__cpu_level_set(level);
    special_values();
    special_halves();
    conv_special();
    tall_kernels();
    kernels_beyond_the_image();
    short_of_memory();
    contractions(800, 60);
    contractions(600, 9); /* batches of tiny ones among them */
    contractions(30, 300);
    static const int64_t sizes[][3] = {{1, 1, 1},    {1, 3000, 700}, {3000, 1, 700}, {1, 50, 5000}, {2, 500, 600}, {500, 2, 600},
                                       {64, 64, 64}, {65, 97, 129},  {100, 10, 784}, {10, 784, 100}, {130, 150, 1500}};
    for (int i = 0; i < 11; i++)
        for (int v = 0; v < 4; v++) plain(floats[v == 3 ? 1 : 0], sizes[i][0], sizes[i][1], sizes[i][2], v & 1, v & 2);
    plain(WN_BF16, 65, 97, 2500, false, true);
    plain(WN_F16, 65, 97, 2500, true, false);
    plain(WN_BF16, 70, 70, 33, false, false);
    plain(WN_BF16, 300, 260, 900, false, false);
    plain(WN_F16, 300, 260, 300, false, true);
    plain(WN_F32, 40, 30, 9000, false, false);
    convolutions(200, ANY);
    convolutions(60, MANY);
    convolutions(60, DEEP);
    convolutions(60, PLANES);
    convolutions(60, DIRECT);
    convolutions(60, PATCHES);
}

int main(void) {
    for (int level = 0; level <= wn__cpu_level_max(); level++) at_level(level);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
