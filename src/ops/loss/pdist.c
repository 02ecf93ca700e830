/* Distances of all pairs of rows, and their gradient. Rows are read as f32 or f64; each distance adds up in double. */
#include <math.h>
#include "core/alloc.h"
#include "cpu/pool.h"
#include "ops/loss/losses.h"
#include "ops/norm/norm.h"

typedef struct pairs {
    int64_t n, m; /* rows, their length */
    double p;
    bool wide;
    const char *x, *g, *d; /* rows; backward: cotangents and distances of the pairs */
    char *out;
} pairs;

static double get(const pairs *j, const char *p, int64_t i) { return j->wide ? ((const double *)(const void *)p)[i] : (double)((const float *)(const void *)p)[i]; }
static void put(const pairs *j, char *p, int64_t i, double v) {
    if (j->wide) ((double *)(void *)p)[i] = v;
    else ((float *)(void *)p)[i] = (float)v;
}
/* Where the pairs (i, i+1), (i, i+2) ... begin. */
static int64_t first_pair(int64_t n, int64_t i) { return i * n - i * (i + 1) / 2; }

static double distance(const pairs *j, int64_t a, int64_t b) {
    double s = 0;
    for (int64_t k = 0; k < j->m; k++) {
        const double z = fabs(get(j, j->x, a * j->m + k) - get(j, j->x, b * j->m + k));
        if (j->p == 2) s += z * z;
        else if (j->p == 1) s += z;
        else if (j->p == 0) s += z != 0;
        else if (isinf(j->p)) s = z > s || z != z ? z : s;
        else s += pow(z, j->p);
    }
    return j->p == 2 ? sqrt(s) : j->p == 1 || j->p == 0 || isinf(j->p) ? s : pow(s, 1 / j->p);
}
static void forward(void *ctx, int64_t begin, int64_t end, int worker) {
    const pairs *j = ctx;
    (void)worker;
    for (int64_t i = begin; i < end; i++)
        for (int64_t k = i + 1; k < j->n; k++) put(j, j->out, first_pair(j->n, i) + k - i - 1, distance(j, i, k));
}

/* d distance / d z, z the difference of one coordinate; 0 where the distance is 0. */
static double slope(double z, double p, double d) {
    const double sign = (z > 0) - (z < 0), z1 = fabs(z);
    if (p == 0 || d == 0) return 0;
    if (p == 1) return sign;
    if (p == 2) return z / d;
    if (isinf(p)) return z1 == d ? sign : 0;
    if (p < 1 && z == 0) return 0;
    return p < 2 ? sign * pow(z1 / d, p - 1) : z * pow(z1, p - 2) / pow(d, p - 1);
}
/* Each row's gradient by itself, from all pairs it is in: nothing is shared between threads. */
static void backward(void *ctx, int64_t begin, int64_t end, int worker) {
    const pairs *j = ctx;
    (void)worker;
    for (int64_t i = begin; i < end; i++)
        for (int64_t k = 0; k < j->m; k++) {
            const double mine = get(j, j->x, i * j->m + k);
            double s = 0;
            for (int64_t o = 0; o < j->n; o++) {
                if (o == i) continue;
                const int64_t pair = o > i ? first_pair(j->n, i) + o - i - 1 : first_pair(j->n, o) + i - o - 1;
                s += get(j, j->g, pair) * slope(mine - get(j, j->x, o * j->m + k), j->p, get(j, j->d, pair));
            }
            put(j, j->out, i * j->m + k, s);
        }
}

static wn_status check(wn__call *c, const wn_tensor *x, double p) {
    if (x->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "pdist only supports 2D tensors, got: %dD", x->ndim);
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "pdist only supports floating-point dtypes, got %s", wn__desc(x));
    if (!(p >= 0)) return wn__fail_op(c, WN_E_RUNTIME, "pdist only supports non-negative p values");
    return WN_OK;
}
/* The result in the dtype that was asked for: `work` itself, or converted. */
static wn_status land(wn__call *c, wn_tensor *work, wn_dtype d) {
    wn_tensor *out = wn__out(c, 0, d, work->ndim, work->shape, NULL);
    return out ? wn__copy(out, work) : c->th->error;
}

wn_status wn__op_pdist(wn__call *c) {
    const wn_pdist_args *a = c->args;
    const double p = wn__f64_or(a->p, 2);
    wn_status st = check(c, a->self, p);
    if (st) return st;
    const wn_dtype io = (wn_dtype)a->self->dtype, wide = io == WN_F64 ? WN_F64 : WN_F32;
    pairs j = {.n = a->self->shape[0], .m = a->self->shape[1], .p = p, .wide = io == WN_F64};
    const int64_t count[1] = {j.n < 2 ? 0 : first_pair(j.n, j.n - 1)};
    wn_tensor *x = wn__float_line(a->self, wide), *y = wn__tensor_new(wide, 1, count, NULL);
    if (!x || !y || (x->numel && !wn__ptr(x))) {
        st = wn__fail_memory(c->op->name);
    } else {
        j.x = wn__ptr(x), j.out = wn__ptr(y);
        if (count[0]) wn__parallel(j.n, 1 + 16384 / (j.n * (j.m + 1)), forward, &j);
        st = land(c, y, io);
    }
    wn__release(x);
    wn__release(y);
    return st;
}

wn_status wn__op_pdist_backward(wn__call *c) {
    const wn_pdist_backward_args *a = c->args;
    wn_status st = check(c, a->self, a->p);
    if (st) return st;
    const wn_dtype io = (wn_dtype)a->self->dtype, wide = io == WN_F64 ? WN_F64 : WN_F32;
    pairs j = {.n = a->self->shape[0], .m = a->self->shape[1], .p = a->p, .wide = io == WN_F64};
    const int64_t count = j.n < 2 ? 0 : first_pair(j.n, j.n - 1);
    if (a->grad->numel != count || a->pdist->numel != count || !wn__is_float(a->grad->dtype) || !wn__is_float(a->pdist->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s and pdist %s are not those of %s", wn__desc(a->grad), wn__desc(a->pdist), wn__desc(a->self));
    wn_tensor *x = wn__float_line(a->self, wide), *g = wn__float_line(a->grad, wide), *d = wn__float_line(a->pdist, wide);
    wn_tensor *y = wn__tensor_new(wide, 2, a->self->shape, NULL);
    if (!x || !g || !d || !y || (x->numel && !wn__ptr(x)) || (count && (!wn__ptr(g) || !wn__ptr(d)))) {
        st = wn__fail_memory(c->op->name);
    } else {
        j.x = wn__ptr(x), j.g = wn__ptr(g), j.d = wn__ptr(d), j.out = wn__ptr(y);
        if (y->numel) wn__parallel(j.n, 1 + 16384 / (j.n * (j.m + 1)), backward, &j);
        st = land(c, y, io);
    }
    wn__release(x), wn__release(g), wn__release(d), wn__release(y);
    return st;
}
void wn__vjp_pdist(wn__gradctx *c) {
    const wn_pdist_args *a = c->args;
    if (c->g[0]) c->gin[0] = wn_pdist_backward(c->g[0], a->self, wn__f64_or(a->p, 2), c->y[0]);
}
