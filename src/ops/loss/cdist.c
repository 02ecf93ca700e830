/* Distances between the rows of two batches of matrices. One pass over both, nothing of size [P, R, M] in between; many euclidean
 * distances come from one product of matrices, |a - b|^2 = |a|^2 + |b|^2 - 2 ab. */
#include <math.h>
#include "engine/distance.h"
#include "base/counters.h"
#include "base/inline.h"
#include "base/level.h"
#include "base/threads.h"
#include "ops/product/contract.h"
#include "ops/linalg/linalg.h"

enum { FEW = 25 };

WN__DECLARE_LEVELS(wn__distance_kernels, wn__distance_kernels);
const wn__distance_type *wn__distance_now(int wide) { return wide ? &WN__OF_LEVEL(wn__distance_kernels)->f64 : &WN__OF_LEVEL(wn__distance_kernels)->f32; }

typedef struct cdist_job {
    wn__mats a, b, g, d, to; /* rows of a and b are consecutive */
    const wn__distance_type *loops;
    wn__metric metric;
    double p;
    char *norms_a, *norms_b; /* by products: squares, one for each row of the run */
} cdist_job;

static void distances(void *ctx, int64_t begin, int64_t end) {
    const cdist_job *j = ctx;
    for (int64_t t = begin; t < end; t++) {
        const int64_t batch = t / j->a.rows, row = t % j->a.rows, size = (int64_t)j->a.size;
        const char *a = wn__mat_at(&j->a, batch) + row * j->a.rs * size, *b = wn__mat_at(&j->b, batch);
        char *to = wn__mat_at(&j->to, batch) + row * j->to.rs * size;
        j->loops->from_row(j->metric, j->p, a, b, j->b.rs, j->b.rows, j->a.cols, to);
    }
}

static void slopes(void *ctx, int64_t begin, int64_t end) {
    const cdist_job *j = ctx;
    for (int64_t t = begin; t < end; t++) {
        const int64_t batch = t / j->a.rows, row = t % j->a.rows, size = (int64_t)j->a.size, n = j->a.cols;
        const char *a = wn__mat_at(&j->a, batch) + row * j->a.rs * size, *b = wn__mat_at(&j->b, batch);
        const char *g = wn__mat_at(&j->g, batch) + row * j->g.rs * size, *d = wn__mat_at(&j->d, batch) + row * j->d.rs * size;
        char *to = wn__mat_at(&j->to, batch) + row * j->to.rs * size;
        memset(to, 0, (size_t)(n * size));
        j->loops->slopes(j->metric, j->p, a, b, j->b.rs, j->b.rows, n, g, j->g.cs, d, j->d.cs, to);
    }
}

/* ------------------------------------------------------------------ euclidean distances by a product */

/* Eight sums side by side: each waits for its own addition only. */
INLINE double element(const void *x, int64_t k, const bool wide) { return wide ? ((const double *)x)[k] : (double)((const float *)x)[k]; }
INLINE double squares_of(const void *x, int64_t n, const bool wide) {
    double sum[8] = {0};
    int64_t k = 0;
    for (; k + 8 <= n; k += 8)
        for (int q = 0; q < 8; q++) sum[q] += element(x, k + q, wide) * element(x, k + q, wide);
    for (; k < n; k++) sum[k % 8] += element(x, k, wide) * element(x, k, wide);
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}
static void squares(const wn__mats *m, int64_t batch, char *to) {
    for (int64_t t = 0; t < batch * m->rows; t++) {
        const char *x = wn__mat_at(m, t / m->rows) + t % m->rows * m->rs * (int64_t)m->size;
        if (m->size == 8) ((double *)(void *)to)[t] = squares_of(x, m->cols, true);
        else ((float *)(void *)to)[t] = (float)squares_of(x, m->cols, false);
    }
}
static void finish(void *ctx, void *acc, int64_t b, int64_t i, int64_t k, int64_t n) {
    const cdist_job *j = ctx;
    if (j->a.size == 8) {
        const double mine = ((const double *)(const void *)j->norms_a)[b * j->a.rows + i], *theirs = (const double *)(const void *)j->norms_b + b * j->b.rows + k;
        double *y = acc;
        for (int64_t l = 0; l < n; l++) {
            const double v = mine + theirs[l] + y[l];
            y[l] = v < 0 ? 0 : v;
        }
        for (int64_t l = 0; l < n; l++) y[l] = sqrt(y[l]);
    } else {
        const float mine = ((const float *)(const void *)j->norms_a)[b * j->a.rows + i], *theirs = (const float *)(const void *)j->norms_b + b * j->b.rows + k;
        float *y = acc;
        for (int64_t l = 0; l < n; l++) {
            const float v = mine + theirs[l] + y[l];
            y[l] = v < 0 ? 0 : v;
        }
        for (int64_t l = 0; l < n; l++) y[l] = sqrtf(y[l]);
    }
}
static wn_status by_product(wn__call *c, cdist_job *j, const wn_tensor *x1, const wn_tensor *x2, wn_tensor *out, int64_t batch) {
    enum { M = 64, K = 65, N = 66 };
    j->norms_a = wn__calloc((size_t)(batch * j->a.rows), j->a.size);
    j->norms_b = wn__calloc((size_t)(batch * j->b.rows), j->b.size);
    wn_status st = j->norms_a && j->norms_b ? WN_OK : wn__fail_memory(c->op->name);
    if (!st) {
        squares(&j->a, batch, j->norms_a);
        squares(&j->b, batch, j->norms_b);
        wn__labels la = {.n = out->ndim}, lb = la, lo = la;
        const int nb = out->ndim - 2;
        for (int d = 0; d < nb; d++) la.v[d] = lb.v[d] = lo.v[d] = (uint8_t)d;
        la.v[nb] = lo.v[nb] = M;
        lb.v[nb] = lo.v[nb + 1] = N;
        la.v[nb + 1] = lb.v[nb + 1] = K;
        wn__epilogue e = {.run = finish, .ctx = j};
        st = wn__contract_labelled(c, x1, &la, x2, &lb, out, &lo, -2, 0, &e);
    }
    wn__free(j->norms_a);
    wn__free(j->norms_b);
    return st;
}

/* ------------------------------------------------------------------ rows */

static wn_status check_cdist(const wn_tensor *a, const wn_tensor *b, double p) {
    const char *name = "cdist";
    const wn_tensor *t[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (!wn__is_float(t[i]->dtype)) return wn__fail(WN_E_RUNTIME, name, "cdist only supports floating-point dtypes, X%d got: %s", i + 1, wn__dtype_word(t[i]->dtype));
        if (t[i]->ndim < 2) return wn__fail(WN_E_RUNTIME, name, "cdist only supports at least 2D tensors, X%d got: %dD", i + 1, t[i]->ndim);
    }
    if (a->shape[a->ndim - 1] != b->shape[b->ndim - 1])
        return wn__fail(WN_E_RUNTIME, name, "X1 and X2 must have the same number of columns. X1: %lld X2: %lld", (long long)a->shape[a->ndim - 1], (long long)b->shape[b->ndim - 1]);
    if (!(p >= 0)) return wn__fail(WN_E_RUNTIME, name, "cdist only supports non-negative p values");
    if (a->dtype != b->dtype) return wn__fail(WN_E_RUNTIME, name, "X1 and X2 must have the same dtype, but they are %s and %s", wn__desc(a), wn__desc(b));
    if (a->dtype != WN_F32 && a->dtype != WN_F64) return wn__fail(WN_E_NOT_IMPLEMENTED, name, "\"cdist\" not implemented for '%s'", wn__dtype_word(a->dtype));
    return WN_OK;
}

wn_status wn__op_cdist(wn__call *c, wn_tensor *x1, wn_tensor *x2, double p, wn_val compute_mode) {
    const int64_t mode = wn__i64_or(compute_mode, 0);
    wn_status st = check_cdist(x1, x2, p);
    if (!st && (mode < 0 || mode > 2)) st = wn__fail_op(c, WN_E_RUNTIME, "possible modes: 0, 1, 2, but was: %lld", (long long)mode);
    int64_t shape[WN_MAX_DIMS];
    const int nb = st ? -1 : wn__linalg_batch("cdist", x1, 2, x2, 2, shape);
    if (nb < 0) return c->th->error;
    wn_tensor *t[2] = {x1, x2};
    for (int i = 0; i < 2; i++) {
        wn_dims full = {.n = nb + 2};
        for (int d = 0; d < nb; d++) full.v[d] = shape[d];
        full.v[nb] = t[i]->shape[t[i]->ndim - 2];
        full.v[nb + 1] = t[i]->shape[t[i]->ndim - 1];
        t[i] = wn_expand(t[i], full);
        if (!wn_ok(t[i])) return c->th->error;
    }
    const bool many = wn_size(t[0], -2) > FEW || wn_size(t[1], -2) > FEW;
    return wn__give(c, 0, wn_cdist_forward(t[0], t[1], p, p == 2 && (mode == 1 || (mode == 0 && many))));
}

/* Rows consecutive: t itself, or a row-major copy. Owned. */
static wn_tensor *with_rows(wn_tensor *t) {
    return t->shape[t->ndim - 1] <= 1 || t->strides[t->ndim - 1] == 1 ? wn__retain(t) : wn__contiguous_raw(t);
}
static bool same_batch(const wn_tensor *a, const wn_tensor *b) {
    bool same = a->ndim == b->ndim;
    for (int d = 0; same && d < a->ndim - 2; d++) same = a->shape[d] == b->shape[d];
    return same;
}

wn_status wn__infer_cdist_forward(wn__call *c, wn_tensor *x1, wn_tensor *x2, double p, bool by_product) {
    wn_status st = check_cdist(x1, x2, p);
    if (!st && !same_batch(x1, x2)) st = wn__fail_op(c, WN_E_RUNTIME, "the batches must have one shape, but they are %s and %s", wn__desc(x1), wn__desc(x2));
    if (!st && by_product && p != 2) st = wn__fail_op(c, WN_E_RUNTIME, "only euclidean distances come from a product, not p = %g", p);
    if (st) return st;
    const int n = x1->ndim;
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, x1->shape, sizeof shape);
    shape[n - 1] = x2->shape[n - 2];
    return wn__result(c, 0, (wn_dtype)x1->dtype, n, shape, NULL);
}

wn_status wn__run_cdist_forward(wn__call *c) {
    const wn_cdist_forward_args *a = c->args;
    wn_tensor *out = c->out[0];
    const int nb = out->ndim - 2;
    const int64_t *shape = out->shape;
    if (out->numel == 0) return WN_OK;
    wn_status st = WN_OK;
    WN__OWNED wn_tensor *x1 = with_rows(a->x1), *x2 = with_rows(a->x2);
    if (!x1 || !x2) {
        st = wn__fail_memory(c->op->name);
    } else {
        const int64_t batch = out->numel / (shape[nb] * shape[nb + 1]);
        cdist_job j = {.a = wn__mats_of(x1, 2, nb, shape), .b = wn__mats_of(x2, 2, nb, shape), .to = wn__mats_of(out, 2, nb, shape),
                       .loops = wn__distance_now(x1->dtype == WN_F64), .metric = wn__metric_of(a->p), .p = a->p};
        if (a->by_product && j.a.cols) st = by_product(c, &j, x1, x2, out, batch);
        else if (!wn__parallel_fresh(batch * j.a.rows, 16384 / (j.b.rows * j.a.cols + 1) + 1, distances, &j)) st = wn__fail_memory(c->op->name);
        wn__count(out->numel);
    }
    return st;
}

wn_status wn__infer_cdist_backward(wn__call *c) {
    const wn_cdist_backward_args *a = c->args;
    wn_status st = check_cdist(a->x1, a->x2, a->p);
    const int nb = a->x1->ndim - 2;
    bool fits = !st && same_batch(a->x1, a->x2) && same_batch(a->grad, a->x1) && wn__same_shape(a->grad, a->cdist) && a->grad->dtype == a->x1->dtype &&
                a->cdist->dtype == a->x1->dtype && a->grad->shape[nb] == a->x1->shape[nb] && a->grad->shape[nb + 1] == a->x2->shape[nb];
    if (!st && !fits) st = wn__fail_op(c, WN_E_RUNTIME, "the arguments are not those of a cdist: %s, %s, %s, %s", wn__desc(a->grad), wn__desc(a->x1), wn__desc(a->x2), wn__desc(a->cdist));
    return st ? st : wn__result(c, 0, (wn_dtype)a->x1->dtype, nb + 2, a->x1->shape, NULL);
}

wn_status wn__run_cdist_backward(wn__call *c) {
    const wn_cdist_backward_args *a = c->args;
    wn_tensor *out = c->out[0];
    const int nb = out->ndim - 2;
    if (out->numel == 0) return WN_OK;
    wn_status st = WN_OK;
    WN__OWNED wn_tensor *x1 = with_rows(a->x1), *x2 = with_rows(a->x2);
    if (!x1 || !x2) {
        st = wn__fail_memory(c->op->name);
    } else {
        const int64_t *shape = out->shape;
        cdist_job j = {.a = wn__mats_of(x1, 2, nb, shape), .b = wn__mats_of(x2, 2, nb, shape), .g = wn__mats_of(a->grad, 2, nb, shape),
                       .d = wn__mats_of(a->cdist, 2, nb, shape), .to = wn__mats_of(out, 2, nb, shape),
                       .loops = wn__distance_now(x1->dtype == WN_F64), .metric = wn__metric_of(a->p), .p = a->p};
        if (!wn__parallel_fresh(out->numel / j.a.cols, 16384 / (j.b.rows * j.a.cols + 1) + 1, slopes, &j)) st = wn__fail_memory(c->op->name);
    }
    return st;
}

/* ------------------------------------------------------------------ gradients */

/* g / y^e where y is not 0, 0 elsewhere; y is replaced first, so that the derivative is finite there, too. */
static wn_tensor *over(wn_tensor *g, wn_tensor *y, double e) {
    wn_tensor *zero = wn_eq(y, 0), *safe = wn_masked_fill(y, zero, 1);
    return wn_masked_fill(wn_div(g, e == 1 ? safe : wn_pow(safe, e)), zero, 0);
}

/* The slopes of every pair in rows, [..., P, R, M]: for second derivatives. */
static wn_tensor *all_slopes(wn_tensor *g, wn_tensor *y, wn_tensor *x1, wn_tensor *x2, double p) {
    wn_tensor *d = wn_sub(wn_unsqueeze(x1, -2), wn_unsqueeze(x2, -3)), *sign = wn_sign(d);
    if (p == 0) return wn_mul(d, 0);
    if (p == 1) return wn_mul(sign, wn_unsqueeze(g, -1));
    if (isinf(p)) return wn_mul(wn_where(wn_eq(wn_abs(d), wn_unsqueeze(y, -1)), sign, 0), wn_unsqueeze(g, -1));
    wn_tensor *zero = wn_eq(d, 0), *size = wn_abs(wn_masked_fill(d, zero, 1));
    wn_tensor *power = wn_masked_fill(wn_mul(sign, wn_pow(size, p - 1)), zero, 0);
    return wn_mul(power, wn_unsqueeze(over(g, y, p - 1), -1));
}

void wn__vjp_cdist_forward(wn__gradctx *c, wn_tensor *x1, wn_tensor *x2, double p, bool by_product) {
    wn_tensor *g = c->g[0], *y = c->y[0];
    if (p == 2 && (by_product || wn_grad_enabled())) {
        wn_tensor *ratio = over(g, y, 1);
        if (c->need & 1) c->gin[0] = wn_sub(wn_mul(x1, wn_sum(ratio, .dims = WN_DIMS(-1), .keepdim = true)), wn_matmul(ratio, x2));
        if (c->need & 2) c->gin[1] = wn_sub(wn_mul(x2, wn_unsqueeze(wn_sum(ratio, .dims = WN_DIMS(-2)), -1)), wn_matmul(wn_mT(ratio), x1));
    } else if (wn_grad_enabled()) {
        wn_tensor *all = all_slopes(g, y, x1, x2, p);
        if (c->need & 1) c->gin[0] = wn_sum(all, .dims = WN_DIMS(-2));
        if (c->need & 2) c->gin[1] = wn_neg(wn_sum(all, .dims = WN_DIMS(-3)));
    } else {
        if (c->need & 1) c->gin[0] = wn_cdist_backward(g, x1, x2, p, y);
        if (c->need & 2) c->gin[1] = wn_cdist_backward(wn_mT(g), x2, x1, p, wn_mT(y)); /* a distance is the same from both ends */
    }
}
