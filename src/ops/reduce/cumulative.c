/* cummax, cummin, logcumsumexp: running results along one dimension, of single lines or of neighbouring lines side by side, each
 * line by one thread in its order. */
#include <math.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "base/inline.h"
#include "base/threads.h"
#include "engine/reduce_kernels.h"
#include "ops/order/order.h"
#include "ops/reduce/reduce.h"
#include "ops/which.h"

typedef struct run_job {
    const wn__reduce_kernels *k;
    wn__running kind;
    wn__elem elem; /* F64 or I64 */
    wn_tensor *x, *y;
    const char *xp;
    char *yp;
    int64_t *ip; /* y's strides */
    int dim, col; /* col: the dimension along which lines lie side by side; -1: none */
    int64_t n, width, blocks;
} run_job;

typedef union run_value {
    double d;
    int64_t i;
} run_value;

enum { WIDTH = 256 };

/* What a line has come to: an extreme and its place, or the largest exponent and the sum of the others relative to it. */
typedef struct run_state {
    run_value best;
    double sum;
    int64_t at;
} run_state;

static inline void step_extreme(const run_job *j, run_state *s, run_value *v, int64_t i) {
    bool take;
    if (j->elem == WN__E_I64) take = j->kind == WN__RUN_MAX ? v->i >= s->best.i : v->i <= s->best.i;
    else take = v->d != v->d || (s->best.d == s->best.d && (j->kind == WN__RUN_MAX ? v->d >= s->best.d : v->d <= s->best.d));
    if (take || i == 0) {
        s->best = *v;
        s->at = i;
    }
    *v = s->best;
}
static inline void step_lse(run_state *s, run_value *v, int64_t i) {
    double x = v->d;
    if (i == 0) {
        s->best.d = x;
        s->sum = 1;
        return; /* exactly the first element */
    }
    if (s->best.d != s->best.d) {
        v->d = s->best.d;
        return;
    }
    if (x <= s->best.d) {
        s->sum += x == s->best.d ? 1 : exp(x - s->best.d); /* equal infinities, too */
    } else if (x == x) {
        s->sum = s->best.d == -(double)INFINITY ? 1 : s->sum * exp(s->best.d - x) + 1;
        s->best.d = x;
    } else {
        s->best.d = s->sum = x;
    }
    v->d = isinf(s->best.d) ? s->best.d : s->best.d + log(s->sum);
}
static void step(const run_job *j, run_state *s, run_value *v, int64_t i) {
    if (j->kind == WN__RUN_LSE) step_lse(s, v, i);
    else step_extreme(j, s, v, i);
}

#define BODY "ops/reduce/cumulative_of.h"
#include "base/for_numbers.h"
typedef void (*extremes)(const run_job *j, const char *xp, char *yp, int64_t *at, int64_t w, int64_t xs, int64_t ys, int64_t xn, int64_t yn);
static const extremes extremes_of[WN__DTYPES] = {BY_NUMBER(extremes), [WN_BOOL] = extremes_u8};

/* One line of f16 or bf16: the same loop on floats, a piece at a time. */
static __attribute__((aligned(64))) void extremes_half(const run_job *j, const char *xp, char *yp, int64_t *at, int64_t xn, int64_t yn) {
    enum { PIECE = 4 * WIDTH };
    const bool max = j->kind == WN__RUN_MAX;
    const wn_dtype half = (wn_dtype)j->x->dtype;
    float v[PIECE], best = max ? -INFINITY : INFINITY;
    for (int64_t first = 0, where = 0; first < j->n; first += PIECE) {
        const int64_t n = j->n - first < PIECE ? j->n - first : PIECE;
        j->k->load(half, WN__E_F32, xp + first * xn * 2, xn, n, v);
        for (int64_t i = 0; i < n; i++) {
            const bool past = max ? v[i] < best : v[i] > best;
            if (__builtin_expect(!past && (v[i] == v[i] ? best == best : true), 0)) best = v[i], where = first + i;
            v[i] = best;
            at[(first + i) * yn] = where;
        }
        j->k->store(WN__E_F32, half, v, n, yp + first * yn * 2, yn);
    }
}

static void run_columns(const run_job *j, int64_t xo, int64_t yo, int64_t w) {
    run_state state[WIDTH];
    run_value v[WIDTH];
    wn_tensor *x = j->x, *y = j->y;
    int64_t size = (int64_t)wn__dtype_size(x->dtype);
    for (int64_t i = 0; i < j->n; i++, xo += x->strides[j->dim], yo += y->strides[j->dim]) {
        j->k->load((wn_dtype)x->dtype, j->elem, j->xp + xo * size, x->strides[j->col], w, v);
        for (int64_t q = 0; q < w; q++) step(j, &state[q], &v[q], i);
        j->k->store(j->elem, (wn_dtype)y->dtype, v, w, j->yp + yo * size, y->strides[j->col]);
        if (j->ip)
            for (int64_t q = 0; q < w; q++) j->ip[yo + q * y->strides[j->col]] = state[q].at;
    }
}

static void run_line(const run_job *j, int64_t xo, int64_t yo) {
    run_state state = {{0}, 0, 0};
    run_value v[WIDTH];
    wn_tensor *x = j->x, *y = j->y;
    int64_t size = (int64_t)wn__dtype_size(x->dtype), xs = x->ndim ? x->strides[j->dim] : 1, ys = x->ndim ? y->strides[j->dim] : 1;
    for (int64_t i = 0; i < j->n; i += WIDTH) {
        int64_t w = j->n - i < WIDTH ? j->n - i : WIDTH;
        j->k->load((wn_dtype)x->dtype, j->elem, j->xp + (xo + i * xs) * size, xs, w, v);
        for (int64_t q = 0; q < w; q++) {
            step(j, &state, &v[q], i + q);
            if (j->ip) j->ip[yo + (i + q) * ys] = state.at;
        }
        j->k->store(j->elem, (wn_dtype)y->dtype, v, w, j->yp + (yo + i * ys) * size, ys);
    }
}

static void run_task(void *ctx, int64_t begin, int64_t end) {
    const run_job *j = ctx;
    for (int64_t t = begin; t < end; t++) {
        int64_t rest = t / j->blocks, first = t % j->blocks * j->width, xo = 0, yo = 0;
        for (int d = j->x->ndim - 1; d >= 0; d--) {
            if (d == j->dim) continue;
            int64_t i = d == j->col ? first : rest % j->x->shape[d];
            if (d != j->col) rest /= j->x->shape[d];
            xo += i * j->x->strides[d];
            yo += i * j->y->strides[d];
        }
        int64_t left = j->col < 0 ? 0 : j->x->shape[j->col] - first, size = (int64_t)wn__dtype_size(j->x->dtype);
        extremes fast = j->ip && j->x->ndim ? extremes_of[j->x->dtype] : NULL;
        if (fast)
            fast(j, j->xp + xo * size, j->yp + yo * size, j->ip + yo, j->col < 0 ? 1 : left < j->width ? left : j->width, j->col < 0 ? 1 : j->x->strides[j->col],
                 j->col < 0 ? 1 : j->y->strides[j->col], j->x->strides[j->dim], j->y->strides[j->dim]);
        else if (j->col < 0 && j->ip && j->x->ndim && size == 2)
            extremes_half(j, j->xp + xo * size, j->yp + yo * size, j->ip + yo, j->x->strides[j->dim], j->y->strides[j->dim]);
        else if (j->col < 0) run_line(j, xo, yo);
        else run_columns(j, xo, yo, left < j->width ? left : j->width);
    }
}

wn_status wn__infer_running(wn__call *c, wn_tensor *x, int64_t dim) {
    const bool lse = c->op->which == WN__RUN_LSE;
    if (lse && !wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"logcumsumexp_out_cpu\" not implemented for '%s'", wn__dtype_word(x->dtype));
    int *wrapped = wn__plan(c, sizeof *wrapped);
    if (!wrapped || (*wrapped = wn__wrap_dim(c->op->name, dim, x->ndim)) < 0) return c->th->error;
    const wn_status st = wn__result(c, 0, (wn_dtype)x->dtype, x->ndim, x->shape, NULL);
    return st || lse ? st : wn__result(c, 1, WN_I64, x->ndim, x->shape, NULL);
}
wn_status wn__run_running(wn__call *c) {
    const int dim = *(const int *)c->plan;
    wn_tensor *x = c->in[0], *y = c->out[0], *at = c->out[1];
    if (x->numel == 0) return WN_OK;
    run_job j = {.k = wn__reduce_kernels_now(), .kind = c->op->which, .elem = wn__is_float(x->dtype) ? WN__E_F64 : WN__E_I64, .x = x, .y = y, .xp = wn__ptr(x),
                 .yp = wn__ptr(y), .ip = at ? (int64_t *)(void *)wn__ptr(at) : NULL, .dim = dim, .col = -1, .n = x->ndim ? x->shape[dim] : 1, .blocks = 1};
    if (!j.xp || !j.yp || (at && !j.ip)) return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    for (int d = 0; d < x->ndim; d++)
        if (d != dim && x->shape[d] >= 8 && (j.col < 0 || x->strides[d] < x->strides[j.col])) j.col = d;
    if (j.col >= 0 && x->strides[dim] <= x->strides[j.col]) j.col = -1;
    int64_t lines = x->numel / j.n;
    if (j.col >= 0) {
        int64_t size = x->shape[j.col];
        lines /= size;
        j.blocks = (size + WIDTH - 1) / WIDTH;
        j.width = (size + j.blocks - 1) / j.blocks;
        j.blocks = (size + j.width - 1) / j.width;
    }
    wn__parallel(lines * j.blocks, 4096 / (x->numel / (lines * j.blocks) + 1) + 1, run_task, &j);
    wn__count(x->numel);
    return WN_OK;
}

/* ------------------------------------------------------------------ gradients */

void wn__vjp_cummax(wn__gradctx *c, int64_t dim) {
    if (c->g[0]) c->gin[0] = wn__ndim_of(wn__input_shape(c, 0)) ? wn_gather_backward(c->g[0], wn__input_shape(c, 0), dim, c->y[1]) : c->g[0];
}

/* g_x[k] = sum over i >= k of g[i] exp(x[k] - y[i]) = exp(x[k] - y[k]) R[k], where R[k] = g[k] + exp(y[k] - y[k+1]) R[k+1]: y never
 * falls, so no factor is above 1. Equal infinities differ by nothing. */
static wn_tensor *ratio(wn_tensor *a, wn_tensor *b) {
    wn_tensor *same = wn_eq(a, b);
    return wn_where(same, 1, wn_exp(wn_sub(wn_where(same, 0, a), wn_where(same, 0, b))));
}
void wn__vjp_logcumsumexp(wn__gradctx *c, wn_tensor *x, int64_t dim) {
    wn_tensor *y = c->y[0], *g = c->g[0];
    if (wn_ndim(x) && wn_numel(x)) {
        int64_t n = wn_size(x, (int)dim);
        wn_tensor *decay = ratio(wn_narrow(y, dim, 0, n - 1), wn_narrow(y, dim, 1, n - 1)), *end = wn_zeros_like(wn_narrow(y, dim, 0, 1));
        g = wn_linear_scan(wn_cat(WN_LIST(decay, end), .dim = WN_VAL(dim)), g, dim, .reverse = true);
    }
    c->gin[0] = wn_mul(g, ratio(x, y));
}
