/* unique and unique_consecutive, of elements and of slices. In some order of the n things (sorted, or as they lie) those that
 * differ from the one before are marked; from the marks follow, piece by piece on several threads, the first thing of each group,
 * the group of each thing and the size of each group. */
#include "base/alloc.h"
#include "base/counters.h"
#include "base/level.h"
#include "base/threads.h"
#include "ops/index/index.h"
#include "ops/order/order.h"

enum { PIECE = 1 << 14, SOME = 256 };

typedef struct groups {
    const wn__order *order; /* NULL: things as they lie, or by `at` */
    const int64_t *at;      /* the order of slices; NULL */
    uint8_t *fresh;         /* fresh[i]: thing i of the order differs from the one before */
    int64_t n, *before;     /* before[p]: groups that begin before piece p */
    wn_dtype dtype;
    int64_t *first, *inverse, *counts; /* any may be NULL; counts gets beginnings first */
} groups;

static int64_t thing(const groups *g, int64_t i) { return g->order ? wn__order_index(g->order, i) : g->at ? g->at[i] : i; }

static void mark_sorted(void *ctx, int64_t begin, int64_t end) {
    groups *g = ctx;
    const wn__order *o = g->order;
    bool real = wn__is_float((int)g->dtype);
    uint64_t nan = wn__key_most(g->dtype);
    for (int64_t p = begin; p < end; p++) {
        int64_t last = (p + 1) * PIECE < g->n ? (p + 1) * PIECE : g->n, count = 0;
        for (int64_t i = p * PIECE; i < last; i++) {
            bool fresh = !i || wn__order_key(o, i) != wn__order_key(o, i - 1) || (real && wn__order_key(o, i) == nan);
            count += g->fresh[i] = fresh;
        }
        g->before[p + 1] = count;
    }
}
static void count_marks(void *ctx, int64_t begin, int64_t end) {
    groups *g = ctx;
    for (int64_t p = begin; p < end; p++) {
        int64_t last = (p + 1) * PIECE < g->n ? (p + 1) * PIECE : g->n, count = 0;
        for (int64_t i = p * PIECE; i < last; i++) count += g->fresh[i];
        g->before[p + 1] = count;
    }
}
static void write_groups(void *ctx, int64_t begin, int64_t end) {
    const groups *g = ctx;
    for (int64_t p = begin; p < end; p++) {
        int64_t last = (p + 1) * PIECE < g->n ? (p + 1) * PIECE : g->n, group = g->before[p] - 1;
        for (int64_t i = p * PIECE; i < last; i++) {
            if (g->fresh[i]) {
                group++;
                g->first[group] = thing(g, i);
                if (g->counts) g->counts[group] = i;
            }
            if (g->inverse) g->inverse[thing(g, i)] = group;
        }
    }
}

/* The results of the three rows, from marks: values = self's things `first` along dim (-1: of the flattened tensor). */
static wn_status finish(wn__call *c, groups *g, wn_tensor *x, int dim, const wn_dims *inverse_shape, bool inverse, bool counts) {
    int64_t pieces = (g->n + PIECE - 1) / PIECE, none = 0;
    wn__parallel(pieces, 1, g->order ? mark_sorted : count_marks, g);
    for (int64_t p = 0; p < pieces; p++) g->before[p + 1] += g->before[p];
    int64_t total = g->before[pieces];
    int ndim = inverse_shape->n > 0 ? inverse_shape->n : 0;
    WN__OWNED wn_tensor *first = wn__tensor_new(WN_I64, 1, &total, NULL);
    wn_tensor *inv = wn__out(c, 1, WN_I64, inverse ? ndim : 1, inverse ? inverse_shape->v : &none, NULL);
    wn_tensor *num = inv ? wn__out(c, 2, WN_I64, 1, counts ? &total : &none, NULL) : NULL;
    wn_status st = !first ? wn__fail_memory(c->op->name) : !num ? c->th->error : WN_OK;
    if (!st) {
        g->first = (int64_t *)(void *)wn__ptr(first);
        g->inverse = inverse ? (int64_t *)(void *)wn__ptr(inv) : NULL;
        g->counts = counts ? (int64_t *)(void *)wn__ptr(num) : NULL;
        wn__parallel(pieces, 1, write_groups, g);
        for (int64_t k = 0; counts && k < total; k++) g->counts[k] = (k + 1 < total ? g->counts[k + 1] : g->n) - g->counts[k];
        WN_NO_GRAD();
        wn_tensor *from = dim < 0 ? wn_reshape(x, WN_DIMS(-1)) : x;
        st = wn__give(c, 0, dim >= 0 && total == x->shape[dim] && !g->order && !g->at ? wn_clone(x) : wn_index_select(from, dim < 0 ? 0 : dim, first));
    }
    return st;
}

/* Memory for marks and the pieces' counts. */
static bool marks_new(groups *g) {
    int64_t pieces = (g->n + PIECE - 1) / PIECE;
    g->fresh = wn__calloc((size_t)g->n + 1, 1);
    g->before = wn__calloc((size_t)pieces + 1, sizeof *g->before);
    return g->fresh && g->before;
}
static void marks_free(groups *g) {
    wn__free(g->fresh);
    wn__free(g->before);
}

/* No things: everything is empty. */
static wn_status nothing(wn__call *c, wn_tensor *x, int dim, const wn_dims *inverse_shape, bool inverse) {
    int64_t none = 0;
    int ndim = inverse_shape->n > 0 ? inverse_shape->n : 0;
    wn_tensor *v = dim < 0 ? wn__out(c, 0, (wn_dtype)x->dtype, 1, &none, NULL) : wn__out(c, 0, (wn_dtype)x->dtype, x->ndim, x->shape, NULL);
    wn_tensor *inv = v ? wn__out(c, 1, WN_I64, inverse ? ndim : 1, inverse ? inverse_shape->v : &none, NULL) : NULL;
    return inv && wn__out(c, 2, WN_I64, 1, &none, NULL) ? WN_OK : c->th->error;
}

/* ------------------------------------------------------------------ elements */

typedef struct numbering {
    const uint8_t *x;
    const int64_t *number; /* of each byte */
    int64_t *to;
} numbering;
static void write_numbers(void *ctx, int64_t begin, int64_t end) {
    const numbering *m = ctx;
    for (int64_t i = begin; i < end; i++) m->to[i] = m->number[m->x[i]];
}

/* Elements of one byte (row-major) need only be counted. */
static wn_status of_bytes(wn__call *c, const wn_tensor *x, const wn_dims *shape, bool inverse, bool counts) {
    enum { VALUES = 256 };
    const uint8_t *p = (const uint8_t *)wn__ptr(x), flip = x->dtype == WN_I8 ? 0x80 : 0; /* in order of value ^ flip */
    int64_t count[VALUES], number[VALUES], total = 0, none = 0;
    if (!p) return c->th->error;
    wn__count_bytes(p, x->numel, count);
    for (int k = 0; k < VALUES; k++) number[k ^ flip] = count[k ^ flip] ? total++ : 0;
    wn_tensor *values = wn__out(c, 0, (wn_dtype)x->dtype, 1, &total, NULL);
    wn_tensor *inv = values ? wn__out(c, 1, WN_I64, inverse ? shape->n > 0 ? shape->n : 0 : 1, inverse ? shape->v : &none, NULL) : NULL;
    wn_tensor *num = inv ? wn__out(c, 2, WN_I64, 1, counts ? &total : &none, NULL) : NULL;
    if (!num) return c->th->error;
    for (int k = 0; k < VALUES; k++) {
        if (!count[k]) continue;
        ((uint8_t *)wn__ptr(values))[number[k]] = (uint8_t)k;
        if (counts) ((int64_t *)(void *)wn__ptr(num))[number[k]] = count[k];
    }
    if (inverse) wn__parallel(x->numel, PIECE, write_numbers, &(numbering){p, number, (int64_t *)(void *)wn__ptr(inv)});
    wn__count(x->numel);
    return WN_OK;
}

wn_status wn__infer_unique(wn__call *c, wn_tensor *self, bool return_inverse, bool return_counts) {
    wn_dims shape = wn_shape(self);
    if (self->numel == 0) return nothing(c, self, -1, &shape, return_inverse);
    WN__OWNED wn_tensor *x = wn__contiguous_raw(self);
    if (!x) return wn__fail_memory(c->op->name);
    if (wn__dtype_size(x->dtype) == 1) {
        const wn_status counted = of_bytes(c, x, &shape, return_inverse, return_counts);
        return counted;
    }
    wn__line l = {(wn_dtype)x->dtype, wn__ptr(x), 1, x->numel};
    wn__order o = {0};
    groups g = {.order = &o, .n = l.n, .dtype = l.dtype};
    wn_status st = !l.p ? c->th->error : WN_OK;
    if (!st && (!wn__order_line(&l, false, &o) || !marks_new(&g))) st = wn__fail_memory(c->op->name);
    if (!st) st = finish(c, &g, x, -1, &shape, return_inverse, return_counts);
    marks_free(&g);
    wn__order_free(&o);
    return st;
}

/* Where the group that goes on into piece p > 0 begins. */
static int64_t running_since(const groups *g, int64_t p) {
    while (g->before[p - 1] == g->before[p]) p--;
    int64_t i = (p * PIECE < g->n ? p * PIECE : g->n) - 1;
    while (!g->fresh[i]) i--;
    return i;
}

/* The groups of things i .. i + n - 1, the first of which follows one of `group`, and where those that begin here do, without a branch:
 * what is noted behind the last is written over. Returns how many begin. */
static int64_t runs(const uint8_t *fresh, int64_t i, int64_t n, int64_t group, int64_t *restrict inverse, int64_t *restrict at) {
    int64_t begun = 0, e = 0;
#if defined(__x86_64__)
    if (wn__cpu_level() >= WN__LEVEL_AVX2) begun = wn__runs_x86(fresh, i, e = n & ~(int64_t)3, group, inverse, at);
#endif
    for (; e < n; e++) {
        at[begun] = i + e;
        begun += fresh[e];
        inverse[e] = group + begun;
    }
    return begun;
}
static void write_runs(void *ctx, int64_t begin, int64_t end) {
    const groups *g = ctx;
    int64_t at[SOME + 4], nowhere[SOME];
    for (int64_t p = begin; p < end; p++) {
        const int64_t last = (p + 1) * PIECE < g->n ? (p + 1) * PIECE : g->n;
        int64_t group = g->before[p] - 1, since = p && g->counts ? running_since(g, p) : 0;
        for (int64_t i = p * PIECE, n, begun; i < last; i += n, group += begun) {
            n = last - i < SOME ? last - i : SOME;
            begun = runs(g->fresh + i, i, n, group, g->inverse ? g->inverse + i : nowhere, at);
            if (!g->counts || !begun) continue;
            if (i) g->counts[group] = at[0] - since; /* nothing ends where the first group begins */
            for (int64_t k = 1; k < begun; k++) g->counts[group + k] = at[k] - at[k - 1];
            since = at[begun - 1];
        }
    }
}

/* By rows of the table: which elements differ from the one before is a comparison, those elements are a selection. */
static wn_status of_neighbours(wn__call *c, wn_tensor *self, bool inverse, bool counts) {
    WN_SCOPE(s);
    WN_NO_GRAD();
    const int64_t n = self->numel, none = 0, pieces = (n + PIECE - 1) / PIECE;
    const wn_dims shape = wn_shape(self);
    wn_tensor *x = wn_reshape(self, WN_DIMS(-1)), *fresh = wn_empty(WN_DIMS(n), .dtype = WN_BOOL);
    wn_copy_(wn_slice(fresh, 0, 1, n), wn_ne(wn_slice(x, 0, 1, n), wn_slice(x, 0, 0, n - 1)));
    char *first = wn_ok(fresh) ? wn__ptr(fresh) : NULL;
    if (!first || c->th->error) return c->th->error;
    *first = 1;
    wn_status st = wn__give(c, 0, wn_masked_select(x, fresh));
    if (st) return st;
    const int64_t total = c->out[0]->numel;
    wn_tensor *inv = wn__out(c, 1, WN_I64, inverse ? shape.n > 0 ? shape.n : 0 : 1, inverse ? shape.v : &none, NULL);
    wn_tensor *num = inv ? wn__out(c, 2, WN_I64, 1, counts ? &total : &none, NULL) : NULL;
    if (!num) return c->th->error;
    if (!inverse && !counts) return WN_OK;
    groups g = {.fresh = (uint8_t *)first, .n = n, .inverse = inverse ? (int64_t *)(void *)wn__ptr(inv) : NULL,
                .counts = counts ? (int64_t *)(void *)wn__ptr(num) : NULL, .before = wn__calloc((size_t)pieces + 1, sizeof *g.before)};
    if (!g.before) return wn__fail_memory(c->op->name);
    wn__parallel(pieces, 1, count_marks, &g);
    for (int64_t p = 0; p < pieces; p++) g.before[p + 1] += g.before[p];
    wn__parallel(pieces, 1, write_runs, &g);
    if (counts) g.counts[total - 1] = n - running_since(&g, pieces);
    wn__free(g.before);
    return WN_OK;
}

/* ------------------------------------------------------------------ slices */

/* Keys of all slices along dim, one slice after the other: n slices of m. NULL: no memory. */
static uint64_t *slice_keys(wn_tensor *x, int dim, int64_t n, int64_t m, size_t *capacity) {
    uint64_t *key = wn__data_array(x->numel, sizeof *key, capacity);
    if (!key) return NULL;
    size_t size = wn__dtype_size(x->dtype);
    uint64_t some[SOME];
    for (int64_t t = 0; t < m; t++) {
        wn__line l = {(wn_dtype)x->dtype, (const char *)wn__ptr(x) + wn__line_offset(x, x->strides, dim, t) * (int64_t)size, x->strides[dim], n};
        for (int64_t i = 0; i < n; i += SOME) {
            int64_t k = n - i < SOME ? n - i : SOME;
            wn__keys64(&l, i, k, some);
            for (int64_t q = 0; q < k; q++) key[(i + q) * m + t] = some[q];
        }
    }
    return key;
}

static int compare(const uint64_t *a, const uint64_t *b, int64_t m) {
    for (int64_t i = 0; i < m; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}
/* Slices that agree in all keys, none of which stands for NaN. */
static bool equal(const uint64_t *a, const uint64_t *b, int64_t m, uint64_t nan) {
    for (int64_t i = 0; i < m; i++)
        if (a[i] != b[i] || a[i] == nan) return false;
    return true;
}

/* Stable: by merging. The result is in at; room has the same size. */
static void sort_slices(const uint64_t *key, int64_t m, int64_t n, int64_t *at, int64_t *room) {
    int64_t *from = at, *to = room;
    for (int64_t i = 0; i < n; i++) at[i] = i;
    for (int64_t half = 1; half < n; half *= 2) {
        for (int64_t i = 0; i < n; i += 2 * half) {
            int64_t l = i, mid = i + half < n ? i + half : n, r = mid, end = mid + half < n ? mid + half : n;
            for (int64_t o = i; o < end; o++) {
                bool right = l == mid || (r < end && compare(key + from[r] * m, key + from[l] * m, m) < 0);
                to[o] = right ? from[r++] : from[l++];
            }
        }
        int64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != at) memcpy(at, from, (size_t)n * sizeof *at);
}

wn_status wn__infer_unique_slices(wn__call *c, wn_tensor *x, int64_t along, bool sorted, bool inverse, bool counts) {
    if (x->ndim == 0) return wn__fail_op(c, WN_E_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)along);
    int dim = wn__wrap_dim(c->op->name, along, x->ndim);
    if (dim < 0) return c->th->error;
    int64_t n = x->shape[dim], m = n ? x->numel / n : 0;
    wn_dims shape = {.n = 1, .v = {n}};
    for (int d = 0; d < x->ndim; d++)
        if (x->shape[d] == 0 && d != dim)
            return wn__fail_op(c, WN_E_RUNTIME, "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
    if (n == 0) return nothing(c, x, dim, &shape, inverse);
    size_t capacity = 0;
    if (!wn__ptr(x)) return c->th->error;
    uint64_t *key = slice_keys(x, dim, n, m, &capacity), nan = wn__is_float(x->dtype) ? wn__key_most((wn_dtype)x->dtype) : 0;
    bool real = wn__is_float(x->dtype);
    int64_t *at = wn__calloc(2 * (size_t)n, sizeof *at);
    groups g = {.at = sorted ? at : NULL, .n = n, .dtype = (wn_dtype)x->dtype};
    wn_status st = key && at && marks_new(&g) ? WN_OK : wn__fail_memory(c->op->name);
    if (!st) {
        if (sorted) sort_slices(key, m, n, at, at + n);
        g.fresh[0] = 1;
        for (int64_t i = 1; i < n; i++) {
            const uint64_t *a = key + thing(&g, i) * m, *b = key + thing(&g, i - 1) * m;
            g.fresh[i] = real ? !equal(a, b, m, nan) : compare(a, b, m) != 0;
        }
        st = finish(c, &g, x, dim, &shape, inverse, counts);
    }
    marks_free(&g);
    wn__free(at);
    if (key) wn__data_free(key, capacity);
    return st;
}

wn_status wn__infer_unique_consecutive(wn__call *c) {
    const wn_unique_consecutive_args *a = c->args;
    if (a->dim.kind != WN_VAL_NONE) return wn__infer_unique_slices(c, a->self, wn__val_i64(a->dim), false, a->return_inverse, a->return_counts);
    wn_dims shape = wn_shape(a->self);
    if (a->self->numel == 0) return nothing(c, a->self, -1, &shape, a->return_inverse);
    return of_neighbours(c, a->self, a->return_inverse, a->return_counts);
}
