/* Running sums and products, and the linear recurrence that their gradients are made of. Floats are computed in double, as
 * in torch; integers wrap. */
#include "base/alloc.h"
#include "base/counters.h"
#include "base/inline.h"
#include "base/threads.h"
#include "engine/reduce_kernels.h"
#include "engine/scan.h"
#include "grad/support.h"
#include "ops/reduce/reduce.h"
#include "ops/which.h"

typedef union scan_value {
    double d;
    int64_t i;
} scan_value;

typedef struct scan_job {
    const wn__reduce_kernels *k;
    wn__scanning kind;
    wn__elem elem; /* F64 or I64 */
    bool reverse;
    wn_tensor *x, *a, *mask, *y; /* a: decay; mask: may be NULL */
    const char *xp, *ap;
    const uint8_t *mp;
    char *yp;
    int dim, col; /* col: the dimension along the vectors, -1: none */
    int64_t n, width, blocks;
    const wn__scan_loops *loops; /* of dtypes that need no conversion; NULL */
    int64_t items, pieces;       /* of lines, and how many a line has */
    scan_value *start;           /* what the pieces begin with; NULL: the neutral element */
} scan_job;

#define WIDTH 256
/* acc[i] goes through one step for each of w neighbouring lines; v holds the inputs and gets the results. */
INLINE void step_as(const wn__scanning kind, const bool real, scan_value *acc, scan_value *v, const scan_value *a, const uint8_t *m, int64_t ms, int64_t w) {
    for (int64_t i = 0; i < w; i++) {
        if (!m || m[i * ms]) {
            if (kind == WN__SCAN_LINEAR) acc[i].d = a[i].d * acc[i].d + v[i].d;
            else if (kind == WN__SCAN_SUM && real) acc[i].d += v[i].d;
            else if (kind == WN__SCAN_SUM) acc[i].i += v[i].i;
            else if (real) acc[i].d *= v[i].d;
            else acc[i].i *= v[i].i;
        }
        v[i] = acc[i];
    }
}
static void step(const scan_job *j, scan_value *acc, scan_value *v, const scan_value *a, const uint8_t *m, int64_t ms, int64_t w) {
    const bool real = j->elem == WN__E_F64;
    if (j->kind == WN__SCAN_LINEAR) step_as(WN__SCAN_LINEAR, true, acc, v, a, m, ms, w);
    else if (j->kind == WN__SCAN_SUM && real) step_as(WN__SCAN_SUM, true, acc, v, a, m, ms, w);
    else if (j->kind == WN__SCAN_SUM) step_as(WN__SCAN_SUM, false, acc, v, a, m, ms, w);
    else if (real) step_as(WN__SCAN_PROD, true, acc, v, a, m, ms, w);
    else step_as(WN__SCAN_PROD, false, acc, v, a, m, ms, w);
}

static void begin_acc(const scan_job *j, scan_value *acc, int64_t w) {
    for (int64_t i = 0; i < w; i++) {
        if (j->elem == WN__E_F64) acc[i].d = j->kind == WN__SCAN_PROD;
        else acc[i].i = j->kind == WN__SCAN_PROD;
    }
}

static void scan_columns(const scan_job *j, const int64_t *at, int64_t w) {
    scan_value acc[WIDTH], v[WIDTH], a[WIDTH];
    wn_tensor *x = j->x;
    size_t xs = wn__dtype_size(x->dtype), ys = wn__dtype_size(j->y->dtype);
    begin_acc(j, acc, w);
    for (int64_t s = 0; s < j->n; s++) {
        int64_t i = j->reverse ? j->n - 1 - s : s;
        j->k->load((wn_dtype)x->dtype, j->elem, j->xp + (at[0] + i * x->strides[j->dim]) * (int64_t)xs, x->strides[j->col], w, v);
        if (j->a)
            j->k->load((wn_dtype)x->dtype, j->elem, j->ap + (at[1] + i * j->a->strides[j->dim]) * (int64_t)xs, j->a->strides[j->col], w, a);
        const uint8_t *m = j->mask ? j->mp + at[2] + i * wn__mask_stride(x, j->mask, j->dim) : NULL;
        step(j, acc, v, a, m, j->mask ? wn__mask_stride(x, j->mask, j->col) : 0, w);
        j->k->store(j->elem, (wn_dtype)j->y->dtype, v, w, j->yp + (at[3] + i * j->y->strides[j->dim]) * (int64_t)ys, j->y->strides[j->col]);
    }
}

/* For the type that everything is computed in. */
static const wn__scan_loops *wide_loops(const scan_job *j) {
    const wn__scan_kernels *k = wn__scan_kernels_now();
    return &(j->kind == WN__SCAN_SUM ? k->sum : k->prod)[j->elem == WN__E_F64 ? WN_F64 : WN_I64];
}

/* The recurrence along pieces of `lines` lines side by side: each waits for its own last value only. */
static inline void linear(int64_t w, int lines, scan_value (*a)[WIDTH], scan_value (*v)[WIDTH], scan_value *acc) {
    for (int64_t q = 0; q < w; q++)
        for (int l = 0; l < lines; l++) v[l][q].d = acc[l].d = a[l][q].d * acc[l].d + v[l][q].d;
}

/* One line, a piece at a time. */
static void scan_line(const scan_job *j, const int64_t *at) {
    scan_value acc, v[WIDTH], a[WIDTH];
    wn_tensor *x = j->x;
    int64_t xs = (int64_t)wn__dtype_size(x->dtype), ys = (int64_t)wn__dtype_size(j->y->dtype), d = j->dim, sign = j->reverse ? -1 : 1;
    begin_acc(j, &acc, 1);
    for (int64_t s = 0; s < j->n; s += WIDTH) {
        int64_t w = j->n - s < WIDTH ? j->n - s : WIDTH, i = j->reverse ? j->n - 1 - s : s;
        j->k->load((wn_dtype)x->dtype, j->elem, j->xp + (at[0] + i * x->strides[d]) * xs, sign * x->strides[d], w, v);
        if (j->a) j->k->load((wn_dtype)x->dtype, j->elem, j->ap + (at[1] + i * j->a->strides[d]) * xs, sign * j->a->strides[d], w, a);
        int64_t ms = j->mask ? wn__mask_stride(x, j->mask, (int)d) : 0;
        const uint8_t *m = j->mask ? j->mp + at[2] + i * ms : NULL;
        if (j->kind == WN__SCAN_LINEAR) linear(w, 1, &a, &v, &acc);
        else if (!m) wide_loops(j)->line(w, v, 1, v, &acc);
        else
            for (int64_t q = 0; q < w; q++) step(j, &acc, v + q, NULL, m + q * sign * ms, 0, 1);
        j->k->store(j->elem, (wn_dtype)j->y->dtype, v, w, j->yp + (at[3] + i * j->y->strides[d]) * ys, sign * j->y->strides[d]);
    }
}

/* WN__SCAN_CHAINS lines of which all counts, a piece of each at a time, as far as the type that they are computed in goes through memory. */
static void scan_lines(const scan_job *j, int64_t (*at)[4]) {
    const int64_t xs = (int64_t)wn__dtype_size(j->x->dtype), ys = (int64_t)wn__dtype_size(j->y->dtype), sign = j->reverse ? -1 : 1;
    const int64_t xn = j->x->strides[j->dim], yn = j->y->strides[j->dim], an = j->a ? j->a->strides[j->dim] : 0;
    scan_value acc[WN__SCAN_CHAINS], v[WN__SCAN_CHAINS][WIDTH], a[WN__SCAN_CHAINS][WIDTH];
    const void *from[WN__SCAN_CHAINS];
    void *to[WN__SCAN_CHAINS];
    begin_acc(j, acc, WN__SCAN_CHAINS);
    for (int l = 0; l < WN__SCAN_CHAINS; l++) from[l] = to[l] = v[l];
    for (int64_t s = 0, w; s < j->n; s += w) {
        const int64_t i = j->reverse ? j->n - 1 - s : s;
        w = j->n - s < WIDTH ? j->n - s : WIDTH;
        for (int l = 0; l < WN__SCAN_CHAINS; l++) {
            j->k->load((wn_dtype)j->x->dtype, j->elem, j->xp + (at[l][0] + i * xn) * xs, sign * xn, w, v[l]);
            if (j->a) j->k->load((wn_dtype)j->x->dtype, j->elem, j->ap + (at[l][1] + i * an) * xs, sign * an, w, a[l]);
        }
        if (j->a) linear(w, WN__SCAN_CHAINS, a, v, acc);
        else wide_loops(j)->chains(w, from, 1, to, acc);
        for (int l = 0; l < WN__SCAN_CHAINS; l++) j->k->store(j->elem, (wn_dtype)j->y->dtype, v[l], w, j->yp + (at[l][3] + i * yn) * ys, sign * yn);
    }
}

/* Where the lines of number `rest` begin, whose first column is `first`: in x, a, mask, y. */
static void places(const scan_job *j, int64_t rest, int64_t first, int64_t at[4]) {
    at[0] = at[1] = at[2] = at[3] = 0;
    for (int d = j->x->ndim - 1; d >= 0; d--) {
        if (d == j->dim) continue;
        int64_t i = d == j->col ? first : rest % j->x->shape[d];
        if (d != j->col) rest /= j->x->shape[d];
        at[0] += i * j->x->strides[d];
        if (j->a) at[1] += i * j->a->strides[d];
        if (j->mask) at[2] += i * wn__mask_stride(j->x, j->mask, d);
        at[3] += i * j->y->strides[d];
    }
}

static void scan_task(void *ctx, int64_t begin, int64_t end) {
    const scan_job *j = ctx;
    const bool together = j->col < 0 && !j->mask;
    for (int64_t t = begin; t < end; t++) {
        int64_t first = t % j->blocks * j->width, at[4], lines[WN__SCAN_CHAINS][4];
        if (together && end - t >= WN__SCAN_CHAINS) {
            for (int k = 0; k < WN__SCAN_CHAINS; k++) places(j, t + k, 0, lines[k]);
            scan_lines(j, lines);
            t += WN__SCAN_CHAINS - 1;
            continue;
        }
        places(j, t / j->blocks, first, at);
        int64_t left = j->col < 0 ? 0 : j->x->shape[j->col] - first, w = left < j->width ? left : j->width;
        if (j->col < 0) {
            scan_line(j, at);
        } else if (j->loops) {
            scan_value acc[WIDTH];
            begin_acc(j, acc, w);
            j->loops->columns(j->n, w, j->xp + at[0] * (int64_t)wn__dtype_size(j->x->dtype), j->x->strides[j->dim],
                              j->yp + at[3] * (int64_t)wn__dtype_size(j->y->dtype), j->y->strides[j->dim], acc);
        } else {
            scan_columns(j, at, w);
        }
    }
}

/* ------------------------------------------------------------------ lines without conversion */

/* A long line of sums is cut into pieces: their totals first, from which each one's beginning follows; then all pieces run at once. A
 * line of f64 is not, nor are products: what overflows within a piece need not overflow from its beginning on. */
enum { PIECE = 4096, LONG = 8 * PIECE };

typedef struct item {
    const char *x;
    char *y;
    int64_t n;
} item;
static item item_of(const scan_job *j, int64_t k) {
    int64_t at[4], first = k % j->pieces * PIECE, left = j->n - first;
    places(j, k / j->pieces, 0, at);
    return (item){j->xp + (at[0] + first * j->x->strides[j->dim]) * (int64_t)wn__dtype_size(j->x->dtype),
                  j->yp + (at[3] + first) * (int64_t)wn__dtype_size(j->y->dtype), j->pieces > 1 && left > PIECE ? PIECE : left};
}

static void totals_task(void *ctx, int64_t begin, int64_t end) {
    const scan_job *j = ctx;
    for (int64_t k = begin; k < end; k++) {
        const item t = item_of(j, k);
        j->loops->total(t.n, t.x, j->x->strides[j->dim], &j->start[k]);
    }
}

/* WN__SCAN_CHAINS items at a time: as far as the shortest goes together, what is left of the others one by one. */
static void items_task(void *ctx, int64_t begin, int64_t end) {
    const scan_job *j = ctx;
    const int64_t xs = (int64_t)wn__dtype_size(j->x->dtype), ys = (int64_t)wn__dtype_size(j->y->dtype), step = j->x->strides[j->dim];
    for (int64_t g = begin; g < end; g++) {
        item t[WN__SCAN_CHAINS];
        const void *x[WN__SCAN_CHAINS];
        void *y[WN__SCAN_CHAINS];
        scan_value acc[WN__SCAN_CHAINS];
        const int64_t first = g * WN__SCAN_CHAINS, n = j->items - first < WN__SCAN_CHAINS ? j->items - first : WN__SCAN_CHAINS;
        int64_t together = n < WN__SCAN_CHAINS ? 0 : INT64_MAX;
        begin_acc(j, acc, n);
        for (int64_t k = 0; k < n; k++) {
            t[k] = item_of(j, first + k);
            x[k] = t[k].x;
            y[k] = t[k].y;
            if (j->start) acc[k] = j->start[first + k];
            if (t[k].n < together) together = t[k].n;
        }
        if (together) j->loops->chains(together, x, step, y, acc);
        for (int64_t k = 0; k < n; k++)
            if (t[k].n > together) j->loops->line(t[k].n - together, t[k].x + together * step * xs, step, t[k].y + together * ys, &acc[k]);
    }
}

static wn_status scan_items(wn__call *c, scan_job *j, int64_t lines) {
    const bool cut = j->kind == WN__SCAN_SUM && j->x->dtype != WN_F64 && j->n >= LONG;
    j->pieces = cut ? (j->n + PIECE - 1) / PIECE : 1;
    j->items = lines * j->pieces;
    if (cut) {
        if (!(j->start = wn__calloc((size_t)j->items, sizeof *j->start))) return wn__fail_memory(c->op->name);
        wn__parallel(j->items, 4, totals_task, j);
        for (int64_t k = 0; k < j->items; k += j->pieces) { /* what comes before each */
            scan_value sum;
            begin_acc(j, &sum, 1);
            for (int64_t p = 0; p < j->pieces; p++) {
                const scan_value own = j->start[k + p];
                j->start[k + p] = sum;
                if (j->elem == WN__E_F64) sum.d += own.d;
                else sum.i = (int64_t)((uint64_t)sum.i + (uint64_t)own.i);
            }
        }
    }
    const int64_t cost = WN__SCAN_CHAINS * (cut ? PIECE : j->n);
    wn__parallel((j->items + WN__SCAN_CHAINS - 1) / WN__SCAN_CHAINS, 16384 / (cost + 1) + 1, items_task, j);
    wn__free(j->start);
    return WN_OK;
}

/* Short lines one behind the other, a block of them at a time; of other types in the one that they are computed in. */
enum { SHORT = 32, LINES = 64 };
static bool are_rows(const scan_job *j) {
    return j->n > 1 && j->n <= SHORT && j->kind != WN__SCAN_LINEAR && !j->mask && j->dim == j->x->ndim - 1 && wn_is_contiguous(j->x) && wn_is_contiguous(j->y);
}
static void rows_task(void *ctx, int64_t begin, int64_t end) {
    const scan_job *j = ctx;
    const wn__scan_loops *wide = wide_loops(j);
    const size_t xs = wn__dtype_size(j->x->dtype), ys = wn__dtype_size(j->y->dtype);
    scan_value v[SHORT * LINES];
    for (int64_t b = begin; b < end; b++) {
        const int64_t first = b * LINES, lines = j->items - first < LINES ? j->items - first : LINES, n = lines * j->n;
        const char *x = j->xp + (size_t)(first * j->n) * xs;
        char *y = j->yp + (size_t)(first * j->n) * ys;
        if (j->loops) {
            j->loops->rows(lines, j->n, x, y);
            continue;
        }
        j->k->load((wn_dtype)j->x->dtype, j->elem, x, 1, n, v);
        wide->rows(lines, j->n, v, v);
        j->k->store(j->elem, (wn_dtype)j->y->dtype, v, n, y, 1);
    }
}
static wn_status scan_rows(scan_job *j, int64_t lines) {
    j->items = lines;
    wn__parallel((lines + LINES - 1) / LINES, 1 + 16384 / (LINES * j->n), rows_task, j);
    return WN_OK;
}

/* Loops for what lies in memory as it is computed with; NULL: none. */
static const wn__scan_loops *loops_of(const scan_job *j) {
    const wn__scan_kernels *k = wn__scan_kernels_now();
    const wn__scan_loops *l = j->kind == WN__SCAN_SUM ? &k->sum[j->x->dtype] : &k->prod[j->x->dtype];
    const wn_dtype result = wn__is_float(j->x->dtype) ? (wn_dtype)j->x->dtype : WN_I64;
    const bool plain = j->kind != WN__SCAN_LINEAR && !j->mask && l->line && j->y->dtype == result;
    if (!plain) return NULL;
    return j->y->strides[j->col < 0 ? j->dim : j->col] == 1 && (j->col < 0 || j->x->strides[j->col] == 1) ? l : NULL;
}

wn_status wn__infer_scan(wn__call *c, wn_tensor *x, int64_t dim, wn_dtype dtype, wn_tensor *mask) {
    if (wn__wrap_dim(c->op->name, dim, x->ndim) < 0) return c->th->error;
    if (dtype && !wn__dtype_valid((int)dtype)) return wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)dtype);
    wn_status st = wn__check_mask(c->op->name, x, mask);
    if (st) return st;
    if (!dtype && c->target && !c->inplace && wn__can_cast((wn_dtype)x->dtype, (wn_dtype)c->target->dtype)) dtype = (wn_dtype)c->target->dtype; /* out= says it */
    if (dtype == WN_BOOL) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for bool results", c->op->name);
    return wn__result(c, 0, dtype ? dtype : wn__is_float(x->dtype) ? (wn_dtype)x->dtype : WN_I64, x->ndim, x->shape, NULL);
}

wn_status wn__run_scan(wn__call *c, wn_tensor *x, wn_tensor *a, int64_t dim_given, wn_tensor *mask, bool reverse) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, x->ndim);
    wn_tensor *y = c->out[0];
    const wn_dtype out = (wn_dtype)y->dtype;
    if (x->numel == 0) return WN_OK;
    scan_job j = {.k = wn__reduce_kernels_now(), .kind = c->op->which, .elem = wn__is_float((int)out) ? WN__E_F64 : WN__E_I64, .reverse = reverse,
                  .x = x, .a = a, .mask = mask, .y = y, .xp = wn__ptr(x), .ap = a ? wn__ptr(a) : NULL,
                  .mp = mask ? (const uint8_t *)wn__ptr(mask) : NULL, .yp = wn__ptr(y), .dim = dim, .col = -1, .blocks = 1};
    if (!j.xp || !j.yp || (a && !j.ap) || (mask && !j.mp)) return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    int64_t scalar_strides[1] = {1};
    if (x->ndim == 0) { /* as a line of one */
        j.n = 1;
        scan_value acc, v, av;
        begin_acc(&j, &acc, 1);
        j.k->load((wn_dtype)x->dtype, j.elem, j.xp, scalar_strides[0], 1, &v);
        if (a) j.k->load((wn_dtype)x->dtype, j.elem, j.ap, 1, 1, &av);
        step(&j, &acc, &v, &av, j.mp, 0, 1);
        j.k->store(j.elem, out, &v, 1, j.yp, 1);
        return WN_OK;
    }
    j.n = x->shape[dim];
    for (int d = 0; d < x->ndim; d++)
        if (d != dim && x->shape[d] >= 8 && (j.col < 0 || x->strides[d] < x->strides[j.col])) j.col = d;
    if (j.col >= 0 && x->strides[dim] <= x->strides[j.col]) j.col = -1;
    int64_t lines = x->numel / j.n;
    j.loops = loops_of(&j);
    if (!j.loops && j.col >= 0 && y->strides[j.col] != 1) { /* the result lies along the lines: they can go there by themselves */
        const int col = j.col;
        j.col = -1;
        if (!(j.loops = loops_of(&j))) j.col = col;
    }
    if (j.col < 0 && (j.loops || are_rows(&j))) {
        wn__count(x->numel);
        return are_rows(&j) ? scan_rows(&j, lines) : scan_items(c, &j, lines);
    }
    if (j.col >= 0) {
        int64_t size = x->shape[j.col];
        lines /= size;
        j.blocks = (size + WIDTH - 1) / WIDTH;
        j.width = (size + j.blocks - 1) / j.blocks;
        j.blocks = (size + j.width - 1) / j.width;
    }
    int64_t cost = x->numel / (lines * j.blocks);
    wn__parallel(lines * j.blocks, 16384 / (cost + 1) + 1, scan_task, &j);
    wn__count(x->numel);
    return WN_OK;
}

wn_status wn__infer_linear_scan(wn__call *c, wn_tensor *decay, wn_tensor *x, int64_t dim) {
    if (!wn__is_float(x->dtype) || x->dtype != decay->dtype || !wn__same_shape(x, decay))
        return wn__fail_op(c, WN_E_RUNTIME, "decay %s and input %s must have one shape and one floating dtype", wn__desc(decay), wn__desc(x));
    return wn__infer_scan(c, x, dim, (wn_dtype)x->dtype, NULL);
}

/* ------------------------------------------------------------------ gradients */

void wn__vjp_cumsum(wn__gradctx *c, int64_t dim, wn_tensor *where) {
    wn_tensor *g = c->g[0];
    if (wn_ndim(g) > 0) g = wn_flip(wn_cumsum(wn_flip(g, WN_DIMS(dim)), dim), WN_DIMS(dim));
    c->gin[0] = wn__grad_keep(c, 0, where, g);
}

/* x moved by one along dim: the first (or last) element goes, `fill` comes in at the other end. */
static wn_tensor *moved(wn_tensor *x, int64_t dim, bool from_left, double fill) {
    int64_t n = wn_size(x, (int)dim);
    wn_tensor *end = wn_mul(wn_ones_like(wn_narrow(x, dim, 0, 1)), fill), *body = wn_narrow(x, dim, from_left ? 0 : 1, n - 1);
    wn_tensor *parts[2] = {from_left ? end : body, from_left ? body : end};
    return wn_cat(((wn_list){.n = 2, .v = parts}), .dim = WN_VAL(dim));
}

/* y[i] = x[0] ... x[i]: d/dx[k] = y[k-1] * R[k] with R[k] = g[k] + x[k+1] R[k+1]. No division, so zeros need no care. */
void wn__vjp_cumprod(wn__gradctx *c, wn_tensor *self, int64_t dim, wn_tensor *where) {
    wn_tensor *x = where ? wn_where(where, self, 1) : self, *g = c->g[0];
    if (wn_dtype_of(x) != wn_dtype_of(g)) x = wn_to(x, wn_dtype_of(g));
    if (wn_ndim(x) > 0 && wn_numel(x) > 0)
        g = wn_mul(moved(c->y[0], dim, true, 1), wn_linear_scan(moved(x, dim, false, 0), g, dim, .reverse = true));
    c->gin[0] = wn__grad_keep(c, 0, where, g);
}

void wn__vjp_linear_scan(wn__gradctx *c, wn_tensor *decay, int64_t dim, bool reverse) {
    wn_tensor *g = c->g[0], *y = c->y[0];
    if (wn_ndim(g) == 0 || wn_numel(g) == 0) {
        if (c->need >> 0 & 1) c->gin[0] = wn_mul(g, 0);
        c->gin[1] = g;
        return;
    }
    wn_tensor *back = wn_linear_scan(moved(decay, dim, reverse, 0), g, dim, .reverse = !reverse);
    if (c->need >> 0 & 1) c->gin[0] = wn_mul(back, moved(y, dim, !reverse, 0));
    if (c->need >> 1 & 1) c->gin[1] = back;
}
