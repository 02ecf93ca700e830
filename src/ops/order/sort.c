/* sort, argsort, topk: lines of keys (ops/order/order.h) are sorted by radix; the first of many are collected. */
#include "base/alloc.h"
#include "base/counters.h"
#include "base/inline.h"
#include "engine/keys.h"
#include "base/threads.h"
#include "ops/order/order.h"
#include "ops/reduce/reduce.h"

typedef struct sort_job {
    wn_tensor *x, *values, *indices; /* values may be NULL */
    const char *xp;
    char *vp;
    int64_t *ip;
    int dim;
    int64_t n, k; /* elements of a line; how many are wanted */
    bool descending, rows; /* rows: lines go side by side */
    atomic_bool no_memory;
} sort_job;

#define KEYS 256
#define FEW 32
/* The first of a line in order, as items in a[0..have); k are wanted, at most `limit` fit. */
typedef struct collection {
    wn__item64 *a, *b;
    int64_t k, have, limit;
    uint64_t bar; /* while barred: the k-th best key so far, or more; only keys below it matter */
    bool barred;
} collection;

static void collect(collection *c, uint64_t key, int64_t at) {
    if (c->barred && key >= c->bar) return;
    wn__item64 *a = c->a;
    if (c->k <= FEW) { /* kept in order: the last one leaves */
        int64_t p = c->have < c->k ? c->have++ : c->k - 1;
        for (; p > 0 && a[p - 1].key > key; p--) a[p] = a[p - 1];
        a[p] = (wn__item64){key, at};
        c->barred = c->have == c->k;
        c->bar = a[c->have - 1].key;
        return;
    }
    a[c->have++] = (wn__item64){key, at};
    if (c->have < c->limit) return;
    wn__sort_items64(a, c->b, c->have);
    c->have = c->k;
    c->barred = c->have > 0;
    if (c->barred) c->bar = a[c->have - 1].key;
}

/* Candidates are collected while they are below the bar, and cut back to k when there are twice as many. The sort is stable and later
 * elements come later, so of equal ones the first stay. */
static void best(const sort_job *j, const wn__line *l, collection *c) {
    const uint64_t flip = j->descending ? wn__key_most(l->dtype) : 0;
    const wn__key_kernels *kernels = wn__key_kernels_now();
    const bool narrow = wn__keys_narrow(l->dtype);
    uint32_t key[KEYS];
    uint64_t wide[KEYS];
    uint16_t at[KEYS];
    for (int64_t i = 0, n; i < j->n && j->k; i += n) {
        n = j->n - i < KEYS ? j->n - i : KEYS;
        const bool sifted = c->barred;
        int found = (int)n;
        if (narrow) {
            wn__keys32(l, i, n, key);
            if (sifted) found = kernels->below32(key, (int)n, (uint32_t)flip, (uint32_t)c->bar, at);
        } else {
            wn__keys64(l, i, n, wide);
            if (sifted) found = kernels->below64(wide, (int)n, flip, c->bar, at);
        }
        for (int q = 0; q < found; q++) {
            const int p = sifted ? at[q] : q;
            collect(c, narrow ? key[p] ^ (uint32_t)flip : wide[p] ^ flip, i + p);
        }
    }
    if (j->k > FEW) wn__sort_items64(c->a, c->b, c->have);
}

/* What a line of sorted items becomes: places, and the elements from there. */
typedef struct writing {
    const wn__order *o;
    const wn__line *l;
    int64_t *at;
    char *values; /* may be NULL */
    int64_t stride;
} writing;
#define BODY "ops/order/sort_of.h"
#include "base/for_sizes.h"

/* Elements come back from their keys, which lie in order, where they would be fetched from all over the line. (Of a float that is
 * zero or NaN the key does not tell which.) */
static inline uint32_t f32_of_key(uint32_t key, const wn__line *l, uint32_t at) {
    enum { ZERO = INT32_MIN };
    if (__builtin_expect(key == (uint32_t)ZERO || key == UINT32_MAX, 0)) return ((const uint32_t *)(const void *)l->p)[at * l->stride];
    return key >> 31 ? key ^ (uint32_t)ZERO : ~key;
}
INLINE bool write_as(const writing *w, int64_t begin, int64_t end, const wn_dtype d) {
    const wn__order *o = w->o;
    uint32_t *four = (uint32_t *)(void *)w->values;
    uint64_t *eight = (uint64_t *)(void *)w->values;
    for (int64_t i = begin; i < end; i++) {
        const uint32_t key = o->narrow[i].key ^ o->flip;
        if (d == WN_F32) four[i * w->stride] = f32_of_key(key, w->l, o->narrow[i].index);
        else if (d == WN_I32) four[i * w->stride] = key ^ (uint32_t)1 << 31;
        else eight[i * w->stride] = (key + o->least) ^ (uint64_t)1 << 63;
    }
    return true;
}
static bool write_from_keys(const writing *w, int64_t begin, int64_t end) {
    if (!w->o->narrow) return false;
    switch (w->l->dtype) {
    case WN_F32: return write_as(w, begin, end, WN_F32);
    case WN_I32: return write_as(w, begin, end, WN_I32);
    case WN_I64: return write_as(w, begin, end, WN_I64);
    default: return false;
    }
}

static void write_items(void *ctx, int64_t begin, int64_t end) {
    const writing *w = ctx;
    for (int64_t i = begin; i < end; i++) w->at[i * w->stride] = wn__order_index(w->o, i);
    if (!w->values || write_from_keys(w, begin, end)) return;
    BY_SIZE(wn__dtype_size(w->l->dtype), write_elements, w, begin, end);
}

enum { ROWS_FROM = 64 }; /* longer lines of which FEW are wanted are sifted */
enum { BYTES_FROM = 256 }; /* elements of a byte that are worth counting */

static bool sort_line(const sort_job *j, const wn__line *l, int64_t *at, char *values, int64_t stride) {
    if (j->k == j->n && j->n >= BYTES_FROM && wn__dtype_size(l->dtype) == 1) {
        wn__sort_bytes(l, j->descending, at, values, stride);
        return true;
    }
    wn__order o = {.n = j->k};
    writing w = {&o, l, at, values, stride};
    if (j->k < j->n) {
        int64_t limit = 2 * j->k + 64;
        wn__item64 *a = wn__scratch_array(2, limit, 2 * sizeof *a);
        if (!a) return false;
        best(j, l, &(collection){.a = a, .b = a + limit, .k = j->k, .limit = limit});
        o.wide = a;
    } else if (!wn__order_line(l, j->descending, &o)) {
        return false;
    }
    bool done = true;
    if (j->k < 1 << 16) write_items(&w, 0, j->k);
    else done = wn__parallel_fresh(j->k, 1 << 14, write_items, &w);
    wn__order_free(&o);
    return done;
}

/* What a group of sorted lines becomes, line by line, or, where the results of a line lie apart, place by place. at[l][i * stride] is result
 * i of line l. */
INLINE void write_places(const sort_job *j, const wn__rows *r, int64_t *const *at, int64_t stride, const enum wn__rows_kind kind) {
    const int64_t k = j->k;
    if (stride == 1)
        for (int l = 0; l < r->lines; l++)
            for (int64_t i = 0; i < k; i++) at[l][i * stride] = wn__rows_place_of(kind, r, i, l);
    else
        for (int64_t i = 0; i < k; i++)
            for (int l = 0; l < r->lines; l++) at[l][i * stride] = wn__rows_place_of(kind, r, i, l);
}
static void write_rows(const sort_job *j, const wn__rows *r, int64_t *const *at, int64_t stride) {
    if (r->kind == WN__ROWS_HALF) write_places(j, r, at, stride, WN__ROWS_HALF);
    else if (r->kind == WN__ROWS_ONE) write_places(j, r, at, stride, WN__ROWS_ONE);
    else write_places(j, r, at, stride, WN__ROWS_PAIRS);
    if (!j->vp) return;
    BY_SIZE(wn__dtype_size(r->dtype), write_rows, j, r, at, stride);
}

static void sort_lines(void *ctx, int64_t begin, int64_t end) {
    sort_job *j = ctx;
    const wn_dtype dtype = (wn_dtype)j->x->dtype;
    int64_t size = (int64_t)wn__dtype_size(dtype), xs = j->x->ndim ? j->x->strides[j->dim] : 1, ys = j->x->ndim ? j->indices->strides[j->dim] : 1;
    for (int64_t t = begin; t < end;) {
        int64_t *at[WN__ROW_LINES];
        wn__rows r;
        r.dtype = dtype, r.stride = xs, r.n = j->n, r.lines = 0, r.descending = j->descending, r.places_only = true;
        do {
            r.line[r.lines] = j->xp + wn__line_offset(j->x, j->x->strides, j->dim, t) * size;
            at[r.lines++] = j->ip + wn__line_offset(j->x, j->indices->strides, j->dim, t++);
        } while (j->rows && r.lines < wn__rows_lanes(dtype) && t < end);
        wn__line l = {dtype, r.line[0], xs, j->n};
        const bool done = j->rows ? wn__order_rows(&r) : sort_line(j, &l, at[0], j->vp ? j->vp + (at[0] - j->ip) * size : NULL, ys);
        if (!done) {
            atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
            return;
        }
        if (j->rows) write_rows(j, &r, at, ys);
    }
}

/* The first k elements in order of the lines along a dimension, or, where not `some`, all, and their places: indices alone, or behind the
 * values. */
wn_status wn__infer_order(wn__call *c, wn_tensor *x, int64_t dim_given, bool some, int64_t k, bool values) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, x->ndim);
    if (dim < 0) return c->th->error;
    const int64_t n = x->ndim ? x->shape[dim] : 1;
    if (some && (k < 0 || k > n)) return wn__fail_op(c, WN_E_RUNTIME, "selected index k out of range");
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, x->shape, sizeof shape);
    if (x->ndim && some) shape[dim] = k;
    wn_status st = values ? wn__result(c, 0, (wn_dtype)x->dtype, x->ndim, shape, NULL) : WN_OK;
    return st ? st : wn__result(c, values, WN_I64, x->ndim, shape, NULL);
}

wn_status wn__run_order(wn__call *c, wn_tensor *x, int64_t along, bool descending, bool some, int64_t k, bool values) {
    const int dim = wn__wrap_dim(c->op->name, along, x->ndim);
    sort_job j = {.x = x, .dim = dim, .n = x->ndim ? x->shape[dim] : 1, .descending = descending, .values = values ? c->out[0] : NULL, .indices = c->out[values]};
    j.k = some ? k : j.n;
    if (j.indices->numel == 0) return WN_OK;
    j.xp = wn__ptr(x);
    j.vp = values ? wn__ptr(j.values) : NULL;
    j.ip = (int64_t *)(void *)wn__ptr(j.indices);
    if (!j.xp || !j.ip || (values && !j.vp)) return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    atomic_init(&j.no_memory, false);
    if (x->ndim == 0 && j.k < 1) return WN_OK;
    const int64_t lines = x->numel / j.n;
    j.rows = wn__rows_fit((wn_dtype)x->dtype, j.n, lines) && (j.k > FEW || j.n <= ROWS_FROM);
    const bool done = wn__parallel_fresh(lines, j.rows ? (2048 / (WN__ROW_LINES * j.n) + 1) * WN__ROW_LINES : 2048 / (j.n + 1) + 1, sort_lines, &j);
    wn__count(x->numel);
    return !done || atomic_load(&j.no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}
