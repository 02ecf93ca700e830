/* bincount, histc, histogram and the cells of histogramdd. */
#include <math.h>
#include "base/alloc.h"
#include "base/half.h"
#include "base/counters.h"
#include "base/threads.h"
#include "engine/reduce_kernels.h"
#include "ops/order/order.h"

enum { MOST_PARTS = 16, PART = 1 << 15, BLOCK = 256, FEW = 512 };

/* n things fall into cells: parts of them are added up apart, as integers or doubles, and then together. */
typedef struct tally {
    int64_t n, cells, parts;
    void *sums; /* int64_t or double [parts][cells] */
    size_t capacity;
    const void *weights; /* NULL: counts */
    wn_dtype weight_dtype;
} tally;

/* As many parts as the additions at the end are worth: of weights a function of the sizes only, of counts as many as threads share. */
static bool tally_new(tally *t) {
    int64_t most = t->n / (4 * t->cells > PART ? 4 * t->cells : PART), threads = wn_num_threads(), shared = threads > 1 ? 4 * threads : 1;
    if (!t->weights && most > shared) most = shared;
    t->parts = most < 1 ? 1 : most > MOST_PARTS ? MOST_PARTS : most;
    if ((uint64_t)t->cells > SIZE_MAX / 8 / (uint64_t)t->parts) return false;
    size_t bytes = (size_t)t->cells * (size_t)t->parts * 8;
    t->sums = wn__data_alloc(bytes, &t->capacity);
    if (t->sums) memset(t->sums, 0, bytes);
    return t->sums != NULL;
}
static void tally_part(const tally *t, int64_t part, int64_t *from, int64_t *to) {
    int64_t size = (t->n + t->parts - 1) / t->parts;
    *from = part * size < t->n ? part * size : t->n;
    *to = *from + size < t->n ? *from + size : t->n;
}
static inline void tally_add(const tally *t, int64_t part, int64_t i, int64_t cell) {
    if (t->weights) {
        double w = t->weight_dtype == WN_F32 ? ((const float *)t->weights)[i] : ((const double *)t->weights)[i];
        ((double *)t->sums)[part * t->cells + cell] += w;
    } else {
        ((int64_t *)t->sums)[part * t->cells + cell]++;
    }
}
/* Into y: float dtypes or int64, row-major. */
static void tally_finish(tally *t, wn_dtype d, void *y) {
    const int64_t *counts = t->sums;
    const bool plain = !t->weights && d == WN_I64;
    if (plain && t->cells) memcpy(y, counts, (size_t)t->cells * sizeof *counts);
    for (int64_t p = 1; p < t->parts && plain; p++)
        for (int64_t k = 0; k < t->cells; k++) ((int64_t *)y)[k] += counts[p * t->cells + k];
    for (int64_t k = 0; k < t->cells && !plain; k++) {
        double sum = 0;
        int64_t count = 0;
        for (int64_t p = 0; p < t->parts; p++)
            if (t->weights) sum += ((const double *)t->sums)[p * t->cells + k];
            else count += counts[p * t->cells + k];
        wn__store_val(d, (char *)y + (size_t)k * wn__dtype_size(d), t->weights ? wn_val_of_float(sum) : wn_val_of_int(count));
    }
    wn__data_free(t->sums, t->capacity);
}

static wn_status short_of_memory(wn__call *c) { return c->th->error ? c->th->error : wn__fail_memory(c->op->name); }

/* ------------------------------------------------------------------ bincount */

typedef struct bincounting {
    tally t;
    const int64_t *x;
    _Atomic int64_t most; /* more than the largest number, at least 0 */
    _Atomic bool negative;
} bincounting;
static void range_part(void *ctx, int64_t begin, int64_t end) {
    bincounting *b = ctx;
    const wn__reduce_kernels *k = wn__reduce_kernels_now();
    int64_t most = -1, least = 0;
    for (int64_t i = begin; i < end; i += WN__RUN) {
        const int64_t n = end - i < WN__RUN ? end - i : WN__RUN;
        int64_t low, high;
        k->run[WN__FOLD_MIN][WN__E_I64](b->x + i, n, NULL, &low);
        k->run[WN__FOLD_MAX][WN__E_I64](b->x + i, n, NULL, &high);
        least = low < least ? low : least;
        most = high > most ? high : most;
    }
    if (least < 0) b->negative = true;
    if (most == INT64_MAX) most--; /* refused anyway */
    int64_t seen = b->most;
    while (seen <= most && !atomic_compare_exchange_weak(&b->most, &seen, most + 1)) {}
}
/* Few cells are hit again before the last hit is stored: four tables, in turn. */
static void count_few(const int64_t *x, int64_t n, int64_t cells, int64_t *counts) {
    int64_t turn[4][FEW], i = 0;
    for (int k = 0; k < 4; k++) memset(turn[k], 0, (size_t)cells * sizeof(int64_t));
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) turn[k][x[i + k]]++;
    for (; i < n; i++) turn[0][x[i]]++;
    for (int64_t v = 0; v < cells; v++) counts[v] += (turn[0][v] + turn[1][v]) + (turn[2][v] + turn[3][v]);
}
static void bincount_part(void *ctx, int64_t begin, int64_t end) {
    const bincounting *b = ctx;
    for (int64_t p = begin; p < end; p++) {
        const int64_t *x = b->x;
        int64_t i, to, *restrict counts = (int64_t *)b->t.sums + p * b->t.cells;
        tally_part(&b->t, p, &i, &to);
        if (b->t.weights)
            for (; i < to; i++) tally_add(&b->t, p, i, x[i]);
        else if (b->t.cells <= FEW && to - i > 4 * FEW)
            count_few(x + i, to - i, b->t.cells, counts);
        else
            for (; i < to; i++) counts[x[i]]++;
    }
}

/* Of bytes, without weights. */
static wn_status bincount_bytes(wn__call *c, wn_tensor *x, int64_t least) {
    int64_t count[256], cells = 256;
    wn_tensor *flat = wn__contiguous_raw(x);
    if (!flat || !wn__ptr(flat)) {
        wn__release(flat);
        return short_of_memory(c);
    }
    wn__count_bytes(wn__ptr(flat), x->numel, count);
    wn__release(flat);
    while (cells && !count[cells - 1]) cells--;
    const int64_t used = cells;
    if (cells < least) cells = least;
    wn_tensor *y = wn__out(c, 0, WN_I64, 1, &cells, NULL);
    char *to = y ? wn__ptr(y) : NULL;
    if (!to) return short_of_memory(c);
    memcpy(to, count, (size_t)used * sizeof *count);
    memset(to + (size_t)used * sizeof *count, 0, (size_t)(cells - used) * sizeof *count);
    wn__count(x->numel);
    return WN_OK;
}

wn_status wn__infer_bincount(wn__call *c, wn_tensor *x, wn_tensor *w, int64_t minlength) {
    if (!wn__is_integer(x->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"bincount_cpu\" not implemented for '%s'", wn__dtype_word(x->dtype));
    if (minlength < 0) return wn__fail_op(c, WN_E_RUNTIME, "minlength should be >= 0");
    bool nothing = x->ndim == 1 && x->numel == 0;
    if (x->ndim != 1) return wn__fail_op(c, WN_E_RUNTIME, "bincount only supports 1-d non-negative integral inputs.");
    if (w && (w->ndim != 1 || w->numel != x->numel)) return wn__fail_op(c, WN_E_RUNTIME, "weights should be 1-d and have the same length as input");
    if (x->dtype == WN_U8 && !w && !nothing && minlength < INT64_MAX / 16) return bincount_bytes(c, x, minlength);
    wn_dtype wd = w && w->dtype == WN_F32 ? WN_F32 : WN_F64, out = w && !nothing ? wd : WN_I64;
    wn_tensor *flat = wn__plain_raw(x, WN_I64), *weights = w ? wn__plain_raw(w, wd) : NULL, *y = NULL;
    bincounting b = {.t = {.n = x->numel, .cells = minlength, .weight_dtype = wd}};
    wn_status st = flat && (weights || !w) ? WN_OK : wn__fail_memory(c->op->name);
    if (!st && !nothing) {
        b.x = (const int64_t *)(const void *)wn__ptr(flat);
        b.t.weights = w ? wn__ptr(weights) : NULL;
        if (!b.x || (w && !b.t.weights)) st = short_of_memory(c);
        if (!st) wn__parallel(x->numel, PART, range_part, &b);
        const int64_t most = b.most - 1, least = b.negative ? -1 : 0;
        if (!st && least < 0) st = wn__fail_op(c, WN_E_RUNTIME, "bincount only supports 1-d non-negative integral inputs.");
        if (!st && most >= INT64_MAX / 16) st = wn__fail_op(c, WN_E_MEMORY, "the number %lld is too large", (long long)most);
        if (!st && most >= b.t.cells) b.t.cells = most + 1;
    }
    if (!st && b.t.cells >= INT64_MAX / 16) st = wn__fail_op(c, WN_E_MEMORY, "minlength is too large");
    if (!st && (!(y = wn__out(c, 0, out, 1, &b.t.cells, NULL)) || (b.t.cells && !wn__ptr(y)))) st = short_of_memory(c);
    if (!st && !tally_new(&b.t)) st = wn__fail_memory(c->op->name);
    if (!st) {
        wn__parallel(b.t.parts, 1, bincount_part, &b);
        tally_finish(&b.t, out, wn__ptr(y));
        wn__count(x->numel);
    }
    wn__release(flat);
    wn__release(weights);
    return st;
}

/* ------------------------------------------------------------------ edges */

typedef enum find_how { BY_SEARCH, BY_STEP, BY_STEP_CHECKED } find_how;

/* Edges of one dimension. As in torch a bin is found in the elements' own precision. */
typedef struct axis {
    const void *edge; /* ascending, of the elements' dtype (f32 or f64); may be NULL for BY_STEP */
    int64_t bins;
    double low, high;
} axis;

typedef struct extremes {
    const void *p; /* f32 or f64 */
    wn_dtype dtype;
    double low, high; /* NaN wins */
} extremes;

#define BODY "ops/order/histogram_of.h"
#include "base/for_floats.h"

typedef struct celling {
    tally t;
    const axis *axes;
    int dims;
    find_how how;
    wn_dtype dtype;
    const char *x; /* [n][dims], row-major */
} celling;
static void cell_part(void *ctx, int64_t begin, int64_t end) {
    const celling *h = ctx;
    for (int64_t p = begin; p < end; p++) {
        int64_t i, to;
        tally_part(&h->t, p, &i, &to);
        if (h->dims == 1 && h->how == BY_STEP && !h->t.weights && h->t.cells < INT32_MAX / 2) {
            int64_t *counts = (int64_t *)h->t.sums + p * h->t.cells;
            if (h->dtype == WN_F64) count_steps_f64(h->axes, (const double *)(const void *)h->x + i, to - i, counts);
            else count_steps_f32(h->axes, (const float *)(const void *)h->x + i, to - i, counts);
            continue;
        }
        for (; i < to; i++) {
            int64_t cell = 0;
            for (int d = 0; d < h->dims && cell >= 0; d++) {
                const axis *x = &h->axes[d];
                int64_t q = i * h->dims + d, at;
                if (h->dtype == WN_F64) at = find_f64(x, h->how, ((const double *)(const void *)h->x)[q]);
                else at = find_f32(x, h->how, ((const float *)(const void *)h->x)[q]);
                cell = at < 0 ? -1 : cell * x->bins + at;
            }
            if (cell >= 0) tally_add(&h->t, p, i, cell);
        }
    }
}

/* Counts x (f32 or f64, row-major, [n][dims]) into y (of its own dtype). */
static wn_status count_cells(wn__call *c, celling *h, wn_tensor *x, wn_tensor *weight, wn_tensor *y) {
    WN__OWNED wn_tensor *w = weight ? wn__plain_raw(weight, h->dtype) : NULL;
    wn_status st = w || !weight ? WN_OK : wn__fail_memory(c->op->name);
    h->x = wn__ptr(x);
    h->t.weights = w ? wn__ptr(w) : NULL;
    h->t.weight_dtype = h->dtype;
    h->t.cells = y->numel;
    if (!st && ((x->numel && !h->x) || (w && w->numel && !h->t.weights) || (y->numel && !wn__ptr(y)))) st = short_of_memory(c);
    if (!st && !tally_new(&h->t)) st = wn__fail_memory(c->op->name);
    if (!st) {
        wn__parallel(h->t.parts, 1, cell_part, h);
        tally_finish(&h->t, (wn_dtype)y->dtype, wn__ptr(y));
        wn__count(x->numel);
    }
    return st;
}

static void extremes_of(extremes *e, int64_t n) {
    const wn__reduce_kernels *k = wn__reduce_kernels_now();
    (e->dtype == WN_F32 ? widen_f32 : widen_f64)(e, k, n);
}

/* What the elements (f32 or f64) span, when it is not given; `widen` on both sides of a single point. An error if that is not finite. */
static wn_status span(wn__call *c, const wn_tensor *x, const char *of, bool given, double widen, double *low, double *high) {
    if (!given && x->numel) {
        extremes e = {.p = wn__ptr(x), .dtype = (wn_dtype)x->dtype, .low = (double)INFINITY, .high = -(double)INFINITY};
        extremes_of(&e, x->numel);
        *low = e.low;
        *high = e.high;
    }
    if (!isfinite(*low) || !isfinite(*high)) return wn__fail_op(c, WN_E_RUNTIME, "%s [%g, %g] is not finite", of, *low, *high);
    if (*low > *high) return wn__fail_op(c, WN_E_RUNTIME, "max must be larger than min: got [%g, %g]", *low, *high);
    if (*low == *high) {
        *low -= widen;
        *high += widen;
    }
    return WN_OK;
}

wn_status wn__infer_histc(wn__call *c, wn_tensor *self, int64_t bins, wn_val min, wn_val max) {
    double low = wn__f64_or(min, 0), high = wn__f64_or(max, 0);
    if (bins <= 0) return wn__fail_op(c, WN_E_RUNTIME, "bins must be > 0, but got %lld", (long long)bins);
    if (low > high) return wn__fail_op(c, WN_E_RUNTIME, "max must be larger than min: got [%g, %g]", low, high);
    if (!wn__is_float(self->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"histogram_cpu\" not implemented for '%s'", wn__dtype_word(self->dtype));
    return wn__result(c, 0, (wn_dtype)self->dtype, 1, &bins, NULL);
}
wn_status wn__run_histc(wn__call *c, wn_tensor *self, int64_t bins, wn_val min, wn_val max) {
    double low = wn__f64_or(min, 0), high = wn__f64_or(max, 0);
    wn_dtype d = self->dtype == WN_F64 ? WN_F64 : WN_F32;
    WN__OWNED wn_tensor *x = wn__plain_raw(self, d);
    wn_status st = x && (!x->numel || wn__ptr(x)) ? WN_OK : short_of_memory(c);
    bool given = low != high;
    if (!st) st = span(c, x, "range of", given || x->numel == 0, 1, &low, &high);
    if (!st) {
        axis e = {.bins = bins, .low = low, .high = high};
        celling h = {.t = {.n = x->numel}, .axes = &e, .dims = 1, .how = BY_STEP, .dtype = d};
        st = count_cells(c, &h, x, NULL, c->out[0]);
    }
    return st;
}

/* ------------------------------------------------------------------ histogram */

static wn_status check_kind(wn__call *c, const wn_tensor *x, const wn_tensor *weight, int drop) {
    if (x->dtype != WN_F32 && x->dtype != WN_F64) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"histogramdd\" not implemented for '%s'", wn__dtype_word(x->dtype));
    if (!weight) return WN_OK;
    if (weight->dtype != x->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input %s, and weight %s", wn__desc(x), wn__desc(weight));
    bool fits = weight->ndim == x->ndim - drop && !memcmp(weight->shape, x->shape, (size_t)weight->ndim * sizeof *x->shape);
    if (fits) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, "
                       "but got input %s, and weight %s", wn__desc(x), wn__desc(weight));
}

/* hist / sum(hist) / widths: as doubles. */
static void to_density(wn_tensor *hist, const wn_tensor *edges) {
    wn_dtype d = (wn_dtype)hist->dtype;
    char *h = wn__ptr(hist);
    const char *e = wn__ptr(edges);
    size_t size = wn__dtype_size(d);
    double sum = 0;
    for (int64_t i = 0; i < hist->numel; i++) sum += wn__load_f64(d, h + (size_t)i * size);
    for (int64_t i = 0; i < hist->numel; i++) {
        double width = wn__load_f64(d, e + (size_t)(i + 1) * size) - wn__load_f64(d, e + (size_t)i * size);
        wn__store_val(d, h + (size_t)i * size, wn_val_of_float(wn__load_f64(d, h + (size_t)i * size) / sum / width));
    }
}

/* Counts, and the edges between which they are. */
static wn_status infer_histogram(wn__call *c, wn_dtype d, int64_t bins) {
    const wn_status st = wn__result(c, 0, d, 1, &bins, NULL);
    return st ? st : wn__result(c, 1, d, 1, &(int64_t){bins + 1}, NULL);
}
/* The row's first result, when the second one has been filled. */
static wn_status histogram(wn__call *c, wn_tensor *self, wn_tensor *weight, bool density, find_how how) {
    wn_dtype d = (wn_dtype)self->dtype;
    wn_tensor *x = wn__contiguous_raw(self), *y = c->out[0], *edges = c->out[1];
    const int64_t bins = y->numel;
    const char *e = wn__ptr(edges);
    wn_status st = x ? WN_OK : short_of_memory(c);
    if (!st) {
        size_t size = wn__dtype_size(d);
        axis one = {.edge = e, .bins = bins, .low = wn__load_f64(d, e), .high = wn__load_f64(d, e + (size_t)bins * size)};
        celling h = {.t = {.n = x->numel}, .axes = &one, .dims = 1, .how = how, .dtype = d};
        st = count_cells(c, &h, x, weight, y);
    }
    if (!st && density) to_density(y, edges);
    wn__release(x);
    return st;
}

wn_status wn__infer_histogram(wn__call *c, wn_tensor *self, wn_tensor *b, wn_tensor *weight) {
    wn_status st = check_kind(c, self, weight, 0);
    if (st) return st;
    if (b->dtype != self->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "input tensor and bins tensors should have the same dtype, but got input %s and bins %s", wn__desc(self), wn__desc(b));
    if (b->ndim != 1) return wn__fail_op(c, WN_E_RUNTIME, "bins tensor should have one dimension, but got %d dimensions in the bins tensor for dimension 0", b->ndim);
    if (b->numel == 0) return wn__fail_op(c, WN_E_RUNTIME, "bins tensor should have at least 1 element, but got 0 elements in the bins tensor for dimension 0");
    if (b->numel < 2) return wn__fail_op(c, WN_E_RUNTIME, "bins tensor should have at least 2 elements, but got %lld", (long long)b->numel);
    return infer_histogram(c, (wn_dtype)b->dtype, b->numel - 1);
}
wn_status wn__run_histogram(wn__call *c, wn_tensor *self, wn_tensor *bins, wn_tensor *weight, bool density) {
    const wn_status st = wn__copy(c->out[1], bins);
    return st ? st : histogram(c, self, weight, density, BY_SEARCH);
}

/* bins + 1 equally spaced numbers, as linspace makes them. */
static wn_status equal_edges(wn__call *c, wn_tensor *edges, double low, double high) {
    WN_NO_GRAD();
    WN_SCOPE(s);
    wn_tensor *t = wn_linspace(low, high, edges->numel, .dtype = (wn_dtype)edges->dtype);
    return wn_ok(t) ? wn__copy(edges, t) : c->th->error;
}

wn_status wn__infer_histogram_count(wn__call *c, wn_tensor *self, int64_t bins, wn_tensor *weight) {
    wn_status st = check_kind(c, self, weight, 0);
    if (!st && bins <= 0) st = wn__fail_op(c, WN_E_RUNTIME, "bins must be > 0, but got %lld for dimension 0", (long long)bins);
    if (!st && bins >= INT64_MAX / 16) st = wn__fail_op(c, WN_E_MEMORY, "too many bins: %lld", (long long)bins);
    return st ? st : infer_histogram(c, (wn_dtype)self->dtype, bins);
}
wn_status wn__run_histogram_count(wn__call *c) {
    const wn_histogram_count_args *a = c->args;
    const bool given = a->low.kind != WN_VAL_NONE && a->high.kind != WN_VAL_NONE;
    double low = given ? wn__val_f64(a->low) : 0, high = given ? wn__val_f64(a->high) : 1;
    WN__OWNED wn_tensor *x = wn__contiguous_raw(a->self);
    if (!x) return wn__fail_memory(c->op->name);
    wn_status st = x->numel && !wn__ptr(x) ? short_of_memory(c) : span(c, x, "dimension 0's range", given, .5, &low, &high);
    if (!st) st = equal_edges(c, c->out[1], low, high);
    if (!st) st = histogram(c, x, a->weight, a->density, BY_STEP_CHECKED);
    return st;
}

/* ------------------------------------------------------------------ several dimensions */

wn_status wn__infer_histogram_cells(wn__call *c, wn_tensor *self, wn_list bins, wn_tensor *weight) {
    wn_status st = check_kind(c, self, weight, 1);
    if (st) return st;
    const wn_dtype d = (wn_dtype)self->dtype;
    int64_t dims = self->ndim ? self->shape[self->ndim - 1] : 0, shape[WN_MAX_DIMS];
    if (self->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "input tensor should have at least 2 dimensions, but got %d", self->ndim);
    if (bins.n != dims || dims < 1 || dims > WN_MAX_DIMS)
        return wn__fail_op(c, WN_E_RUNTIME, "expected %lld sequences of bin edges for a %lld-dimensional histogram but got %lld", (long long)dims, (long long)dims, (long long)bins.n);
    for (int64_t k = 0; k < dims; k++) {
        const wn_tensor *b = bins.v[k];
        if (b->ndim != 1 || b->numel < 2 || b->dtype != d) return wn__fail_op(c, WN_E_RUNTIME, "bins must be 1-d, of input's dtype, with at least 2 elements, but got %s", wn__desc(b));
        shape[k] = b->numel - 1;
    }
    bool over = false;
    wn__numel_of((int)dims, shape, &over);
    return over ? wn__fail_op(c, WN_E_MEMORY, "too many cells") : wn__result(c, 0, d, (int)dims, shape, NULL);
}
wn_status wn__run_histogram_cells(wn__call *c, wn_tensor *self, wn_list bins, wn_tensor *weight, bool equal) {
    const wn_dtype d = (wn_dtype)self->dtype;
    wn_tensor *edge[WN_MAX_DIMS] = {NULL}, *x = wn__contiguous_raw(self), *y = c->out[0];
    const int64_t dims = y->ndim;
    axis axes[WN_MAX_DIMS];
    wn_status st = x ? WN_OK : short_of_memory(c);
    for (int64_t k = 0; k < dims && !st; k++) {
        if (!(edge[k] = wn__contiguous_raw(bins.v[k])) || !wn__ptr(edge[k])) st = short_of_memory(c);
        if (st) break;
        const char *e = wn__ptr(edge[k]);
        axes[k] = (axis){.edge = e, .bins = y->shape[k], .low = wn__load_f64(d, e), .high = wn__load_f64(d, e + (size_t)y->shape[k] * wn__dtype_size(d))};
    }
    if (!st) {
        celling h = {.t = {.n = x->numel / dims}, .axes = axes, .dims = (int)dims, .how = equal ? BY_STEP_CHECKED : BY_SEARCH, .dtype = d};
        st = count_cells(c, &h, x, weight, y);
    }
    for (int64_t k = 0; k < dims; k++) wn__release(edge[k]);
    wn__release(x);
    return st;
}
