/* sort, argsort, topk: lines of keys (ops/order.h) are sorted by radix; the first of many are collected. */
#include "core/alloc.h"
#include "cpu/pool.h"
#include "ops/order/order.h"
#include "ops/reduce/reduce.h"

typedef struct sort_job {
    wn_tensor *x, *values, *indices; /* values may be NULL */
    const char *xp;
    char *vp;
    int64_t *ip;
    int dim;
    int64_t n, k; /* elements of a line; how many are wanted */
    bool descending;
    atomic_bool no_memory;
} sort_job;

#define KEYS 256
#define FEW 32
/* The k first of a line in order: candidates are collected while they are below the k-th best so far, and cut back to k when
 * there are twice as many. The sort is stable and later elements come later, so of equal ones the first stay. */
static int64_t best(const sort_job *j, const wn__line *l, wn__item64 *a, wn__item64 *b) {
    int64_t have = 0, limit = 2 * j->k + 64;
    uint64_t bar = UINT64_MAX, key[KEYS], flip = j->descending ? wn__key_most(l->dtype) : 0;
    bool barred = false;
    if (j->k == 0) return 0;
    for (int64_t i = 0, n; i < j->n; i += n) {
        n = j->n - i < KEYS ? j->n - i : KEYS;
        wn__keys64(l, i, n, key);
        for (int64_t q = 0; q < n; q++) {
            uint64_t v = key[q] ^ flip;
            if (barred && v >= bar) continue;
            if (j->k <= FEW) { /* kept in order: the last one leaves */
                int64_t p = have < j->k ? have++ : j->k - 1;
                for (; p > 0 && a[p - 1].key > v; p--) a[p] = a[p - 1];
                a[p] = (wn__item64){v, i + q};
                barred = have == j->k;
                bar = a[have - 1].key;
                continue;
            }
            a[have++] = (wn__item64){v, i + q};
            if (have < limit) continue;
            wn__sort_items64(a, b, have);
            have = j->k;
            barred = have > 0;
            if (barred) bar = a[have - 1].key;
        }
    }
    if (j->k > FEW) wn__sort_items64(a, b, have);
    return have;
}

/* What a line of sorted items becomes: places, and the elements from there. */
typedef struct writing {
    const wn__order *o;
    const wn__line *l;
    int64_t *at;
    char *values; /* may be NULL */
    int64_t stride;
} writing;
#define MOVE(T)                                                                                                        \
    do {                                                                                                               \
        const T *x = (const T *)(const void *)w->l->p;                                                                 \
        T *y = (T *)(void *)w->values;                                                                                 \
        for (int64_t i = begin; i < end; i++) y[i * w->stride] = x[wn__order_index(w->o, i) * w->l->stride];           \
    } while (0)
static void write_items(void *ctx, int64_t begin, int64_t end, int worker) {
    const writing *w = ctx;
    (void)worker;
    for (int64_t i = begin; i < end; i++) w->at[i * w->stride] = wn__order_index(w->o, i);
    if (!w->values) return;
    switch (wn__dtype_size(w->l->dtype)) {
    case 1: MOVE(uint8_t); break;
    case 2: MOVE(uint16_t); break;
    case 4: MOVE(uint32_t); break;
    default: MOVE(uint64_t); break;
    }
}

static bool sort_line(const sort_job *j, const wn__line *l, int64_t *at, char *values, int64_t stride) {
    wn__order o = {.n = j->k};
    writing w = {&o, l, at, values, stride};
    if (j->k < j->n) {
        int64_t limit = 2 * j->k + 64;
        wn__item64 *a = wn__scratch(2, 2 * (size_t)limit * sizeof *a);
        if (!a) return false;
        best(j, l, a, a + limit);
        o.wide = a;
    } else if (!wn__order_line(l, j->descending, &o)) {
        return false;
    }
    if (j->k < 1 << 16) write_items(&w, 0, j->k, 0);
    else wn__parallel(j->k, 1 << 14, write_items, &w);
    wn__order_free(&o);
    return true;
}

static void sort_lines(void *ctx, int64_t begin, int64_t end, int worker) {
    sort_job *j = ctx;
    (void)worker;
    int64_t size = (int64_t)wn__dtype_size(j->x->dtype), xs = j->x->ndim ? j->x->strides[j->dim] : 1, ys = j->x->ndim ? j->indices->strides[j->dim] : 1;
    for (int64_t t = begin; t < end; t++) {
        int64_t yo = wn__line_offset(j->x, j->indices->strides, j->dim, t);
        wn__line l = {(wn_dtype)j->x->dtype, j->xp + wn__line_offset(j->x, j->x->strides, j->dim, t) * size, xs, j->n};
        if (!sort_line(j, &l, j->ip + yo, j->vp ? j->vp + yo * size : NULL, ys)) {
            atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
            return;
        }
    }
}

static wn_status order(wn__call *c, wn_tensor *x, wn_val dim_given, bool descending, const int64_t *k, bool values) {
    int dim = wn__wrap_dim(c->op->name, wn__i64_or(dim_given, -1), x->ndim);
    if (dim < 0) return c->th->error;
    sort_job j = {.x = x, .dim = dim, .n = x->ndim ? x->shape[dim] : 1, .descending = descending};
    j.k = k ? *k : j.n;
    if (j.k < 0 || j.k > j.n) return wn__fail_op(c, WN_E_RUNTIME, "selected index k out of range");
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, x->shape, sizeof shape);
    if (x->ndim) shape[dim] = j.k;
    int slot = 0;
    if (values && !(j.values = wn__out(c, slot++, (wn_dtype)x->dtype, x->ndim, shape, NULL))) return c->th->error;
    if (!(j.indices = wn__out(c, slot, WN_I64, x->ndim, shape, NULL))) return c->th->error;
    if (j.indices->numel == 0) return WN_OK;
    j.xp = wn__ptr(x);
    j.vp = values ? wn__ptr(j.values) : NULL;
    j.ip = (int64_t *)(void *)wn__ptr(j.indices);
    if (!j.xp || !j.ip || (values && !j.vp)) return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    atomic_init(&j.no_memory, false);
    if (x->ndim == 0 && j.k < 1) return WN_OK;
    wn__parallel(x->numel / j.n, 2048 / (j.n + 1) + 1, sort_lines, &j);
    atomic_fetch_add_explicit(&wn__elements_computed, x->numel, memory_order_relaxed);
    return atomic_load(&j.no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}

wn_status wn__op_sort(wn__call *c) {
    const wn_sort_args *a = c->args;
    return order(c, a->self, a->dim, a->descending, NULL, true);
}
wn_status wn__op_argsort(wn__call *c) {
    const wn_argsort_args *a = c->args;
    return order(c, a->self, a->dim, a->descending, NULL, false);
}
wn_status wn__op_topk(wn__call *c) {
    const wn_topk_args *a = c->args;
    return order(c, a->self, a->dim, a->largest != WN_OFF, &a->k, true);
}

/* To the places that the elements came from. */
static void vjp_order(wn__gradctx *c, wn_val dim) {
    wn_dims shape = wn__input_shape(c, 0);
    if (!c->g[0]) return;
    if (wn__ndim_of(shape) == 0) c->gin[0] = c->g[0];
    else c->gin[0] = wn_gather_backward(c->g[0], shape, wn__i64_or(dim, -1), c->y[1]);
}
void wn__vjp_sort(wn__gradctx *c) {
    const wn_sort_args *a = c->args;
    vjp_order(c, a->dim);
}
void wn__vjp_topk(wn__gradctx *c) {
    const wn_topk_args *a = c->args;
    vjp_order(c, a->dim);
}
