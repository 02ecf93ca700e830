/* Distances of all pairs of rows, and their gradient. */
#include <math.h>
#include "base/alloc.h"
#include "engine/distance.h"
#include "base/threads.h"
#include "ops/loss/loss.h"
#include "ops/norm/norm.h"

typedef struct pairs {
    int64_t n, m, size; /* rows, their length, bytes of an element */
    double p;
    const char *x, *g, *d; /* rows; backward: cotangents and distances of the pairs */
    char *out;
    atomic_bool no_memory;
} pairs;
static const wn__distance_type *loops(const pairs *j) { return wn__distance_now(j->size == 8); }

/* Where the pairs (i, i+1), (i, i+2) ... begin. */
static int64_t first_pair(int64_t n, int64_t i) { return i * n - i * (i + 1) / 2; }

/* All of them; of more than there are numbers, more than any tensor has. */
static int64_t all_pairs(int64_t n) { return n % 2 ? wn__mul_sat(n, (n - 1) / 2) : wn__mul_sat(n / 2, n - 1); }

static void forward(void *ctx, int64_t begin, int64_t end) {
    const pairs *j = ctx;
    const int64_t row = j->m * j->size;
    for (int64_t i = begin; i < end; i++)
        loops(j)->from_row(wn__metric_of(j->p), j->p, j->x + i * row, j->x + (i + 1) * row, j->m, j->n - i - 1, j->m, j->out + first_pair(j->n, i) * j->size);
}

/* Each row's gradient by itself, from all pairs it is in: nothing is shared between threads. Pairs with rows before it lie apart. */
static void backward(void *ctx, int64_t begin, int64_t end) {
    pairs *j = ctx;
    const wn__metric metric = wn__metric_of(j->p);
    const int64_t size = j->size, row = j->m * size;
    char *g = wn__scratch_array(1, j->n, 2 * (size_t)size), *d = g + j->n * size;
    if (!g) {
        atomic_store(&j->no_memory, true);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        const char *x = j->x + i * row;
        char *to = j->out + i * row;
        for (int64_t o = 0; o < i; o++) {
            const int64_t pair = first_pair(j->n, o) + i - o - 1;
            memcpy(g + o * size, j->g + pair * size, (size_t)size);
            memcpy(d + o * size, j->d + pair * size, (size_t)size);
        }
        const int64_t behind = first_pair(j->n, i) * size;
        memset(to, 0, (size_t)row);
        loops(j)->slopes(metric, j->p, x, j->x, j->m, i, j->m, g, 1, d, 1, to);
        loops(j)->slopes(metric, j->p, x, x + row, j->m, j->n - i - 1, j->m, j->g + behind, 1, j->d + behind, 1, to);
    }
}

static wn_status check_pdist(wn__call *c, const wn_tensor *x, double p) {
    if (x->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "pdist only supports 2D tensors, got: %dD", x->ndim);
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "pdist only supports floating-point dtypes, got %s", wn__desc(x));
    if (!(p >= 0)) return wn__fail_op(c, WN_E_RUNTIME, "pdist only supports non-negative p values");
    return WN_OK;
}

wn_status wn__infer_pdist(wn__call *c, wn_tensor *self, double p) {
    const wn_status st = check_pdist(c, self, p);
    return st ? st : wn__result(c, 0, (wn_dtype)self->dtype, 1, (int64_t[]){all_pairs(self->shape[0])}, NULL);
}

wn_status wn__run_pdist(wn__call *c, wn_tensor *self, double p) {
    wn_status st = WN_OK;
    const wn_dtype wide = wn__wide_dtype(self);
    pairs j = {.n = self->shape[0], .m = self->shape[1], .p = p, .size = wide == WN_F64 ? 8 : 4};
    WN__OWNED wn_tensor *x = wn__plain_raw(self, wide), *y = wn__work_of(c->out[0], wide);
    if (!x || !y || (x->numel && !wn__ptr(x))) {
        st = wn__fail_memory(c->op->name);
    } else {
        j.x = wn__ptr(x), j.out = wn__ptr(y);
        if (y->numel) wn__parallel(j.n, 1 + 16384 / (j.n * (j.m + 1)), forward, &j);
        if (y != c->out[0]) st = wn__copy(c->out[0], y);
    }
    return st;
}

wn_status wn__infer_pdist_backward(wn__call *c, wn_tensor *grad, wn_tensor *self, double p, wn_tensor *pdist) {
    wn_status st = check_pdist(c, self, p);
    if (st) return st;
    const int64_t count = all_pairs(self->shape[0]);
    if (grad->numel != count || pdist->numel != count || !wn__is_float(grad->dtype) || !wn__is_float(pdist->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s and pdist %s are not those of %s", wn__desc(grad), wn__desc(pdist), wn__desc(self));
    return wn__result(c, 0, (wn_dtype)self->dtype, 2, self->shape, NULL);
}

wn_status wn__run_pdist_backward(wn__call *c, wn_tensor *grad, wn_tensor *self, double p, wn_tensor *pdist) {
    wn_status st = WN_OK;
    const wn_dtype wide = wn__wide_dtype(self);
    pairs j = {.n = self->shape[0], .m = self->shape[1], .p = p, .size = wide == WN_F64 ? 8 : 4};
    wn_tensor *x = wn__plain_raw(self, wide), *g = wn__plain_raw(grad, wide), *d = wn__plain_raw(pdist, wide);
    wn_tensor *y = wn__work_of(c->out[0], wide);
    if (!x || !g || !d || !y || (x->numel && !wn__ptr(x)) || (g->numel && (!wn__ptr(g) || !wn__ptr(d)))) {
        st = wn__fail_memory(c->op->name);
    } else {
        j.x = wn__ptr(x), j.g = wn__ptr(g), j.d = wn__ptr(d), j.out = wn__ptr(y);
        if (y->numel) wn__parallel(j.n, 1 + 16384 / (j.n * (j.m + 1)), backward, &j);
        if (atomic_load(&j.no_memory)) st = wn__fail_memory(c->op->name);
        else if (y != c->out[0]) st = wn__copy(c->out[0], y);
    }
    wn__release(x), wn__release(g), wn__release(d), wn__release(y);
    return st;
}
