/* softmax, log_softmax and their gradients. Lines along dim are taken one by one where dim is the fast dimension or a mask is
 * given, side by side otherwise; both give the same bits. */
#include <math.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "base/inline.h"
#include "engine/block.h"
#include "base/threads.h"
#include "engine/reduce_lines.h"
#include "grad/tape.h"
#include "grad/support.h"
#include "ops/reduce/reduce.h"
#include "ops/which.h"

typedef struct soft_job {
    const char *op;
    const wn__reduce_kernels *k;
    const wn__line_kernels *lk;
    wn__elem e;       /* what is computed in */
    bool log, grad;
    wn_tensor *x, *g, *mask, *y; /* grad: x is the forward's result, g the cotangent */
    const char *xp, *gp;
    const uint8_t *mp;
    char *yp;
    int dim, col;
    int64_t n, width, blocks;
    atomic_bool no_memory;
} soft_job;

typedef struct soft_place { /* of the first element of a line */
    int64_t x, g, m, y;
} soft_place;

static soft_place place(const soft_job *j, int64_t line, int64_t first) {
    soft_place at = {0, 0, 0, 0};
    for (int d = j->x->ndim - 1; d >= 0; d--) {
        if (d == j->dim) continue;
        int64_t i = d == j->col ? first : line % j->x->shape[d];
        if (d != j->col) line /= j->x->shape[d];
        at.x += i * j->x->strides[d];
        at.y += i * j->y->strides[d];
        if (j->g) at.g += i * j->g->strides[d];
        if (j->mask) at.m += i * wn__mask_stride(j->x, j->mask, d);
    }
    return at;
}
static int64_t stride(const wn_tensor *t, int d) { return t->ndim ? t->strides[d] : 1; }

/* A line as consecutive elements of the compute type: where it lies, or loaded into buf; under a mask only what counts. */
static const void *fetch(const soft_job *j, const wn_tensor *t, const char *p, int64_t at, const uint8_t *m, char *buf, int64_t *n) {
    int64_t s = stride(t, j->dim);
    p += at * (int64_t)wn__dtype_size(t->dtype);
    *n = j->n;
    if (!m && s == 1 && wn__elem_is((wn_dtype)t->dtype, j->e)) return p;
    j->k->load((wn_dtype)t->dtype, j->e, p, s, j->n, buf);
    if (m) *n = j->k->compact(wn__elem_size(j->e), buf, 1, m, wn__mask_stride(j->x, j->mask, j->dim), j->n, buf);
    return buf;
}

/* Puts the counting elements back in their places, `fill` into the others. Backwards, so that it works in place, and without
 * a branch on the mask. */
INLINE void scatter_back(void *buf, int64_t n, int64_t count, const uint8_t *m, int64_t ms, double fill, const bool wide) {
    float *v = buf;
    double *w = buf;
    for (int64_t i = n - 1; i >= 0; i--) {
        const bool set = m[i * ms] != 0;
        count -= set;
        if (wide) w[i] = (double[]){fill, w[count]}[set];
        else v[i] = (float[]){(float)fill, v[count]}[set];
    }
}
static void scatter(const soft_job *j, char *buf, int64_t count, const uint8_t *m, double fill) {
    const int64_t ms = wn__mask_stride(j->x, j->mask, j->dim);
    if (j->e == WN__E_F32) scatter_back(buf, j->n, count, m, ms, fill, false);
    else scatter_back(buf, j->n, count, m, ms, fill, true);
}

static void lines(soft_job *j, int64_t begin, int64_t end) {
    size_t bytes = ((size_t)j->n * wn__elem_size(j->e) + 63) / 64 * 64;
    bool lands = stride(j->y, j->dim) == 1 && wn__elem_is((wn_dtype)j->y->dtype, j->e);
    char *room = wn__scratch(2, 3 * bytes + 64);
    if (!room) {
        atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
        return;
    }
    for (int64_t t = begin; t < end; t++) {
        soft_place at = place(j, t, 0);
        const uint8_t *m = j->mask ? j->mp + at.m : NULL;
        int64_t n;
        const void *g = j->grad ? fetch(j, j->g, j->gp, at.g, m, room + bytes, &n) : NULL;
        const void *x = fetch(j, j->x, j->xp, at.x, m, room, &n);
        char *to = j->yp + at.y * (int64_t)wn__dtype_size(j->y->dtype), *y = lands ? to : room + 2 * bytes;
        if (n == 0) { /* nothing counts (or there is nothing) */
        } else if (j->grad) {
            j->lk->softmax_grad(y, g, x, n, j->log);
        } else {
            j->lk->softmax(y, x, n, j->log);
        }
        if (m) scatter(j, y, n, m, j->log && !j->grad ? -(double)INFINITY : 0);
        if (!lands) j->k->store(j->e, (wn_dtype)j->y->dtype, y, j->n, to, stride(j->y, j->dim));
    }
}

/* ------------------------------------------------------------------ side by side */

#define WIDTH 128
/* Sums of n rows of w elements (rows `step` elements apart) by columns, with the tree of a line. */
static void column_sums(const soft_job *j, const char *rows, int64_t w, char *sums, char *work) {
    size_t size = wn__elem_size(j->e);
    const char *row[WN__RUN];
    char slots[48][WIDTH * 8];
    uint64_t runs = 0;
    for (int64_t i = 0; i < j->n; i += WN__RUN) {
        int64_t len = j->n - i < WN__RUN ? j->n - i : WN__RUN;
        for (int64_t r = 0; r < len; r++) row[r] = rows + (size_t)((i + r) * w) * size;
        wn__cols c = {.rows = row, .n = len, .width = w, .stride = 1, .dtype = j->e == WN__E_F32 ? WN_F32 : WN_F64};
        char *v = sums;
        j->k->col[WN__FOLD_SUM][j->e](&c, NULL, v, work);
        int s = 0;
        for (; runs >> s & 1; s++) {
            j->k->merge[WN__FOLD_SUM][j->e](slots[s], v, w);
            v = slots[s];
        }
        memcpy(slots[s], v, (size_t)w * size);
        runs++;
    }
    char *last = NULL;
    for (int s = 0; runs >> s; s++) {
        if (!(runs >> s & 1)) continue;
        if (last) j->k->merge[WN__FOLD_SUM][j->e](slots[s], last, w);
        last = slots[s];
    }
    memcpy(sums, last, (size_t)w * size);
}

/* Do short lines lie one behind the other? */
static bool lines_flat(const soft_job *j, const wn_tensor *t) { return t->strides[j->dim] == 1 && t->strides[j->col] == j->n; }

/* The block of w columns at `at` as rows of the compute type, one after the other. spare: room for such a block. */
static void load_block(const soft_job *j, const wn_tensor *t, const char *p, int64_t at, int64_t w, char *to, char *spare) {
    size_t size = wn__elem_size(j->e);
    if (lines_flat(j, t)) {
        const char *from = p + at * (int64_t)wn__dtype_size(t->dtype);
        if (!wn__elem_is((wn_dtype)t->dtype, j->e)) {
            j->k->load((wn_dtype)t->dtype, j->e, from, 1, w * j->n, spare);
            from = spare;
        }
        wn__block_now()->transpose(size, j->n, w, to, w, from, j->n);
        return;
    }
    for (int64_t i = 0; i < j->n; i++)
        j->k->load((wn_dtype)t->dtype, j->e, p + (at + i * t->strides[j->dim]) * (int64_t)wn__dtype_size(t->dtype),
                   t->strides[j->col], w, to + (size_t)(i * w) * size);
}

/* The reverse; spare as above. */
static void store_block(const soft_job *j, const char *x, int64_t w, char *to, char *spare) {
    const wn_tensor *t = j->y;
    const int64_t row = w * (int64_t)wn__elem_size(j->e), step = t->strides[j->dim] * (int64_t)wn__dtype_size(t->dtype);
    if (lines_flat(j, t)) {
        const bool as_is = wn__elem_is((wn_dtype)t->dtype, j->e);
        wn__block_now()->transpose(wn__elem_size(j->e), w, j->n, as_is ? to : spare, j->n, x, w);
        if (!as_is) j->k->store(j->e, (wn_dtype)t->dtype, spare, w * j->n, to, 1);
        return;
    }
    for (int64_t i = 0; i < j->n; i++) j->k->store(j->e, (wn_dtype)t->dtype, x + i * row, w, to + i * step, t->strides[j->col]);
}

static void each_of(const soft_job *j, char *v, int64_t w, double (*f)(double)) {
    for (int64_t i = 0; i < w; i++) {
        if (j->e == WN__E_F32) ((float *)(void *)v)[i] = (float)f((double)((float *)(void *)v)[i]);
        else ((double *)(void *)v)[i] = f(((double *)(void *)v)[i]);
    }
}
static double inverse(double v) { return 1 / v; }

static void forward_block(const soft_job *j, char *x, char *e, int64_t w, char *top, char *sums, char *work) {
    size_t row = (size_t)w * wn__elem_size(j->e);
    memcpy(top, x, row);
    for (int64_t i = 1; i < j->n; i++) j->k->merge[WN__FOLD_MAX][j->e](top, x + (size_t)i * row, w);
    char *to = j->log ? e : x;
    for (int64_t i = 0; i < j->n; i++) j->lk->exp_minus(to + (size_t)i * row, x + (size_t)i * row, top, w);
    column_sums(j, to, w, sums, work);
    if (j->log) j->lk->logs(sums, sums, w);
    else each_of(j, sums, w, inverse);
    for (int64_t i = 0; i < j->n; i++) {
        char *at = x + (size_t)i * row;
        if (j->log) {
            j->lk->minus(at, at, top, w);
            j->lk->minus(at, at, sums, w);
        } else {
            j->lk->times(at, at, sums, w);
        }
    }
}

static void backward_block(const soft_job *j, char *y, char *g, char *t, int64_t w, char *sums, char *work) {
    size_t row = (size_t)w * wn__elem_size(j->e);
    char *zero = work; /* column_sums is done with it by then */
    for (int64_t i = 0; i < j->n && !j->log; i++) j->lk->times(t + (size_t)i * row, g + (size_t)i * row, y + (size_t)i * row, w);
    column_sums(j, j->log ? g : t, w, sums, work);
    memset(zero, 0, row);
    for (int64_t i = 0; i < j->n; i++) {
        char *yi = y + (size_t)i * row, *gi = g + (size_t)i * row, *ti = t + (size_t)i * row;
        if (j->log) {
            j->lk->exp_minus(ti, yi, zero, w);
            j->lk->times(ti, ti, sums, w);
            j->lk->minus(yi, gi, ti, w);
        } else {
            j->lk->minus(ti, gi, sums, w);
            j->lk->times(yi, yi, ti, w);
        }
    }
}

static void columns(soft_job *j, int64_t begin, int64_t end) {
    size_t size = wn__elem_size(j->e), block = ((size_t)(j->n * j->width) * size + 63) / 64 * 64;
    char *room = wn__scratch(2, 3 * block + WN__COL_WORK + 2 * WIDTH * 8 + 64);
    if (!room) {
        atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
        return;
    }
    char *x = room, *g = x + block, *t = g + block, *work = t + block, *top = work + WN__COL_WORK, *sums = top + WIDTH * 8;
    for (int64_t task = begin; task < end; task++) {
        int64_t first = task % j->blocks * j->width, left = j->x->shape[j->col] - first, w = left < j->width ? left : j->width;
        soft_place at = place(j, task / j->blocks, first);
        load_block(j, j->x, j->xp, at.x, w, x, t);
        if (j->grad) {
            load_block(j, j->g, j->gp, at.g, w, g, t);
            backward_block(j, x, g, t, w, sums, work);
        } else {
            forward_block(j, x, t, w, top, sums, work);
        }
        store_block(j, x, w, j->yp + at.y * (int64_t)wn__dtype_size(j->y->dtype), t);
    }
}

/* ------------------------------------------------------------------ rows */

static void softmax_task(void *ctx, int64_t begin, int64_t end) {
    soft_job *j = ctx;
    if (j->col < 0) lines(j, begin, end);
    else columns(j, begin, end);
}

/* Side by side when another dimension is faster and a block of lines fits into the cache, or where lines are short: each one by itself
 * would cost more than its elements. */
enum { SHORT = 32 };
static void choose_columns(soft_job *j) {
    const wn_tensor *x = j->x;
    j->col = -1;
    j->blocks = 1;
    if (j->mask || x->ndim < 2) return;
    for (int d = 0; d < x->ndim; d++)
        if (d != j->dim && x->shape[d] >= 8 && (j->col < 0 || x->strides[d] < x->strides[j->col])) j->col = d;
    if (j->col < 0) return;
    const bool many_short = j->n <= SHORT && x->shape[j->col] >= 16 && lines_flat(j, x);
    if ((x->strides[j->dim] <= x->strides[j->col] && !many_short) || j->n > 32768) {
        j->col = -1;
        return;
    }
    int64_t size = x->shape[j->col], most = 262144 / j->n < 16 ? 16 : 262144 / j->n;
    if (most > WIDTH) most = WIDTH;
    j->width = size < most ? size : most / 16 * 16;
    j->blocks = (size + j->width - 1) / j->width;
}

/* Of x, or with g the gradient of what gave x. */
wn_status wn__infer_soft(wn__call *c, wn_tensor *x, wn_tensor *g, int64_t dim, wn_dtype dtype, wn_tensor *mask) {
    if (wn__wrap_dim(c->op->name, dim, x->ndim) < 0) return c->th->error;
    wn_dtype out = dtype ? dtype : (wn_dtype)x->dtype;
    if (!wn__is_float((int)out))
        return wn__fail_op(c, WN_E_RUNTIME, "\"%s\" not implemented for '%s'", c->op->name, wn__dtype_word((int)out));
    if (g && (!wn__is_float(g->dtype) || !wn__same_shape(g, x)))
        return wn__fail_op(c, WN_E_RUNTIME, "grad_output %s does not fit output %s", wn__desc(g), wn__desc(x));
    wn_status st = wn__check_mask(c->op->name, x, mask);
    return st ? st : wn__result(c, 0, out, x->ndim, x->shape, NULL);
}

wn_status wn__run_soft(wn__call *c, wn_tensor *x, wn_tensor *g, int64_t dim, wn_tensor *mask) {
    const int d = wn__wrap_dim(c->op->name, dim, x->ndim);
    wn_tensor *y = c->out[0];
    if (x->numel == 0) return WN_OK;
    wn__elem e = y->dtype == WN_F64 || x->dtype == WN_F64 ? WN__E_F64 : WN__E_F32;
    soft_job j = {.op = c->op->name, .k = wn__reduce_kernels_now(), .lk = wn__line_kernels_now(e), .e = e, .log = c->op->which == WN__SOFTMAX_LOG, .grad = g != NULL,
                  .x = x, .g = g, .mask = mask, .y = y, .xp = wn__ptr(x), .gp = g ? wn__ptr(g) : NULL,
                  .mp = mask ? (const uint8_t *)wn__ptr(mask) : NULL, .yp = wn__ptr(y), .dim = d, .n = x->ndim ? x->shape[d] : 1};
    if (!j.xp || !j.yp || (g && !j.gp) || (mask && !j.mp)) return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    atomic_init(&j.no_memory, false);
    choose_columns(&j);
    int64_t tasks = x->numel / j.n;
    if (j.col >= 0) tasks = tasks / x->shape[j.col] * j.blocks;
    wn__parallel(tasks, 8192 / (x->numel / tasks + 1) + 1, softmax_task, &j);
    wn__count(x->numel);
    return atomic_load(&j.no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}

/* ------------------------------------------------------------------ gradients */

/* Recording is on in a backward pass only with create_graph: then rows with derivatives do the work. */
void wn__vjp_softmax(wn__gradctx *c, int64_t dim, wn_tensor *where) {
    const bool log = c->node->op->which == WN__SOFTMAX_LOG;
    wn_tensor *g = c->g[0], *y = c->y[0];
    if (!wn_grad_enabled() || wn_ndim(y) == 0) {
        wn_tensor *x = log ? wn_log_softmax_backward(g, y, dim, .where = where) : wn_softmax_backward(g, y, dim, .where = where);
        c->gin[0] = wn__grad_support(c, 0, WN__IF_TRUE | WN__CLEAN, where, x, wn_val_none());
        return;
    }
    g = wn__keep(g, where);
    wn_tensor *sum = wn_sum(log ? g : wn_mul(g, y), .dims = WN_DIMS(dim), .keepdim = true);
    c->gin[0] = wn__grad_keep(c, 0, where, log ? wn_sub(g, wn_mul(wn_exp(y), sum)) : wn_mul(y, wn_sub(g, sum)));
}
