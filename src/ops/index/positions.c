/* Rows that make positions: triangles, repetitions, flat positions taken apart. */
#include "base/alloc.h"
#include "base/inline.h"
#include "base/threads.h"
#include "ops/index/index.h"
#include "ops/which.h"

/* ------------------------------------------------------------------ triangles */

typedef struct triangle {
    int64_t rows, cols, offset;
    int64_t first; /* the first row that has elements */
    bool lower, narrow;
    void *out;
    int64_t total;
} triangle;

/* Columns that row r has in the lower triangle: min(max(r + offset + 1, 0), cols). */
static int64_t lower_width(const triangle *t, int64_t r) {
    const int64_t w = r + t->offset + 1;
    return w < 0 ? 0 : w > t->cols ? t->cols : w;
}
static int64_t width_of(const triangle *t, int64_t r) { return t->lower ? lower_width(t, r) : t->cols - lower_width(t, r - 1); }

/* Elements of the lower triangle in rows 0 .. r - 1: a ramp between rows that have none and rows that have all columns. */
static int64_t lower_before(const triangle *t, int64_t r) {
    int64_t first = -t->offset, full = t->cols - t->offset; /* the first row with one column, the first after the last with fewer than all and one */
    first = first < 0 ? 0 : first > r ? r : first;
    full = full < first ? first : full > r ? r : full;
    const int64_t n = full - first, a = first + t->offset + 1, low = a < 0 ? 0 : a > t->cols ? t->cols : a;
    return n * low + n * (n - 1) / 2 + (r - full) * t->cols;
}
static int64_t before(const triangle *t, int64_t r) {
    if (t->lower) return lower_before(t, r);
    triangle shifted = *t; /* above the diagonal is what is not below the one under it */
    shifted.offset--;
    return r * t->cols - lower_before(&shifted, r);
}

static void fill_rows(void *ctx, int64_t begin, int64_t end) {
    const triangle *t = ctx;
    int64_t at = before(t, t->first + begin);
    for (int64_t r = t->first + begin; r < t->first + end; r++) {
        const int64_t n = width_of(t, r), first = t->lower ? 0 : t->cols - n;
        if (t->narrow) {
            int32_t *p = (int32_t *)t->out + at, *q = p + t->total;
            for (int64_t i = 0; i < n; i++) p[i] = (int32_t)r, q[i] = (int32_t)(first + i);
        } else {
            int64_t *p = (int64_t *)t->out + at, *q = p + t->total;
            for (int64_t i = 0; i < n; i++) p[i] = r, q[i] = first + i;
        }
        at += n;
    }
}

wn_status wn__infer_triangle_indices(wn__call *c, int64_t rows, int64_t cols, int64_t offset_given, wn_dtype dtype) {
    const bool lower = c->op->which == WN__LOWER;
    if (rows < 0 || cols < 0) return wn__fail_op(c, WN_E_RUNTIME, "%s must be non-negative, got %lld", rows < 0 ? "row" : "col", (long long)(rows < 0 ? rows : cols));
    const wn_dtype d = dtype ? dtype : WN_I64;
    if (d != WN_I64 && d != WN_I32) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for %s", c->op->name, wn__dtype_valid((int)d) ? wn__dtype_word((int)d) : "this dtype");
    int64_t area, bytes;
    if (__builtin_mul_overflow(rows, cols, &area) || __builtin_mul_overflow(area, (int64_t)16, &bytes)) return wn__fail_op(c, WN_E_MEMORY, "%lld x %lld elements are too many", (long long)rows, (long long)cols);
    if (area == 0) rows = cols = 0;
    const int64_t offset = offset_given < -rows - 1 ? -rows - 1 : offset_given > cols + 1 ? cols + 1 : offset_given; /* beyond that nothing changes */
    triangle *t = wn__plan(c, sizeof *t);
    if (!t) return c->th->error;
    *t = (triangle){.rows = rows, .cols = cols, .offset = offset, .first = lower && offset < 0 ? -offset : 0, .lower = lower, .narrow = d == WN_I32};
    t->total = before(t, rows);
    return wn__result(c, 0, d, 2, (int64_t[]){2, t->total}, NULL);
}
wn_status wn__run_triangle_indices(wn__call *c) {
    triangle *t = c->plan;
    t->out = wn__ptr(c->out[0]);
    const int64_t last = t->lower || t->cols - t->offset > t->rows ? t->rows : t->cols - t->offset; /* behind the last one */
    if (t->total) wn__parallel(last - t->first, t->cols < 1 << 13 ? (1 << 13) / t->cols : 1, fill_rows, t);
    return WN_OK;
}

/* ------------------------------------------------------------------ unravel_index */

wn_status wn__op_unravel_index(wn__call *c, wn_tensor *indices, const wn_dims *shape) {
    const int n = shape->n > 0 ? shape->n : 0;
    if (!wn__is_integer(indices->dtype))
        return wn__fail_op(c, WN_E_TYPE, "expected 'indices' to be integer dtype, but got %s", wn_dtype_name((wn_dtype)indices->dtype));
    for (int d = 0; d < n; d++)
        if (shape->v[d] < 0) return wn__fail_op(c, WN_E_VALUE, "'shape' cannot have negative values, but got %s", wn__dims_text(shape->v, n));
    wn_status st = wn__give_list(c, n);
    if (st) return st;
    wn_tensor *flat = wn_to(indices, WN_I64);
    int64_t step = 1;
    for (int d = n - 1; d >= 0; d--) {
        const int64_t size = shape->v[d];
        wn_tensor *whole = step == 1 ? flat : wn_floor_divide(flat, step);
        wn_tensor *x = wn_remainder(whole, size);
        if (!wn_ok(x)) return c->th->error;
        c->list[d] = wn__retain(x);
        if (d && __builtin_mul_overflow(step, size, &step)) return wn__fail_op(c, WN_E_VALUE, "shape %s is too large", wn__dims_text(shape->v, n));
    }
    return WN_OK;
}

/* ------------------------------------------------------------------ repeat_interleave */

typedef struct runs {
    const int64_t *ends; /* where the copies of i end */
    int64_t *out;
} runs;
static void fill_runs(void *ctx, int64_t begin, int64_t end) {
    enum { AHEAD = 4 };
    const runs *x = ctx;
    const int64_t last = x->ends[end - 1];
    int64_t k = begin ? x->ends[begin - 1] : 0;
    for (int64_t i = begin; i < end; i++) {
        const int64_t to = x->ends[i];
        /* How often a loop of a few rounds goes is not foreseen: what is written behind the copies of i is written over after. */
        for (; k + AHEAD <= last; k += AHEAD) {
            for (int e = 0; e < AHEAD; e++) x->out[k + e] = i;
            if (k + AHEAD < to) continue;
            k = to;
            break;
        }
        for (; k < to; k++) x->out[k] = i;
    }
}

/* Where each of n runs of the lengths p[0], p[step] .. ends; false: some are negative. *too_many: their sum does not fit. */
INLINE bool ends_of(const void *p, const bool wide, int64_t step, int64_t n, int64_t *ends, bool *too_many) {
    int64_t total = 0;
    int64_t least = 0;
    bool over = false;
    for (int64_t i = 0; i < n; i++) {
        const int64_t v = wide ? ((const int64_t *)p)[i * step] : ((const int32_t *)p)[i * step];
        least = v < least ? v : least;
        over |= __builtin_add_overflow(total, v, &total);
        ends[i] = total;
    }
    *too_many = over;
    return least >= 0;
}

wn_status wn__infer_repeat_interleave_positions(wn__call *c, wn_tensor *t, wn_val output_size) {
    if (t->ndim != 1) return wn__fail_op(c, WN_E_RUNTIME, "repeat_interleave only accept 1D vector as repeat, but got %s", wn__desc(t));
    if (t->dtype != WN_I64 && t->dtype != WN_I32)
        return wn__fail_op(c, wn__is_integer(t->dtype) ? WN_E_RUNTIME : WN_E_NOT_IMPLEMENTED, "not implemented for %s: repeats has to be Long or Int tensor", wn__desc(t));
    const int64_t n = t->numel;
    size_t capacity;
    int64_t *ends = wn__data_array(n ? n : 1, sizeof *ends, &capacity);
    if (!ends) return wn__fail_memory(c->op->name);
    const void *p = wn__ptr(t);
    const int64_t step = n ? t->strides[0] : 0;
    bool too_many = false;
    const bool good = t->dtype == WN_I64 ? ends_of(p, true, step, n, ends, &too_many) : ends_of(p, false, step, n, ends, &too_many);
    const int64_t total = n ? ends[n - 1] : 0;
    wn_status st = !good ? wn__fail_op(c, WN_E_RUNTIME, "repeats can not be negative") : WN_OK;
    if (!st && too_many) st = wn__fail_op(c, WN_E_MEMORY, "the repeats add up to too many");
    if (!st && output_size.kind != WN_VAL_NONE && wn__val_i64(output_size) != total) st = wn__fail_op(c, WN_E_RUNTIME, "allocated size does not match required size");
    wn_tensor *r = st ? NULL : wn__out(c, 0, t->dtype == WN_I32 ? WN_I32 : WN_I64, 1, &total, NULL);
    if (!r && !st) st = c->th->error;
    if (r && total && r->dtype == WN_I64) {
        runs x = {ends, (int64_t *)(void *)wn__ptr(r)};
        wn__parallel(n, total / n < 1 << 13 ? (1 << 13) / (total / n + 1) + 1 : 1, fill_runs, &x);
    } else if (r && total) {
        int32_t *out = (int32_t *)(void *)wn__ptr(r);
        for (int64_t i = 0, k = 0; i < n; i++)
            for (; k < ends[i]; k++) out[k] = (int32_t)i;
    }
    wn__data_free(ends, capacity);
    return st;
}

/* self as it is repeated: flattened without dim. */
static wn_tensor *to_repeat(wn__call *c, wn_tensor *self, wn_val dim_given, int *dim) {
    if (dim_given.kind == WN_VAL_NONE) {
        self = wn_reshape(self, WN_DIMS(-1));
    } else if (wn_ndim(self) == 0) {
        wn__fail_op(c, WN_E_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)wn__val_i64(dim_given));
        *dim = -1;
        return &wn__bad_tensor;
    }
    *dim = wn__wrap_dim(c->op->name, wn__i64_or(dim_given, 0), wn_ok(self) ? wn_ndim(self) : 0);
    return self;
}

wn_status wn__op_repeat_interleave_each(wn__call *c, wn_tensor *self_given, wn_tensor *repeats, wn_val dim_given,
                                        wn_val output_size) {
    int dim;
    wn_tensor *self = to_repeat(c, self_given, dim_given, &dim);
    if (!wn_ok(self) || dim < 0) return c->th->error;
    if (repeats->ndim > 1) return wn__fail_op(c, WN_E_RUNTIME, "repeats must be 0-dim or 1-dim tensor");
    const int64_t n = self->shape[dim];
    if (repeats->ndim == 0 || repeats->numel == 1) repeats = wn_expand(wn_reshape(repeats, WN_DIMS(1)), WN_DIMS(n));
    if (!wn_ok(repeats)) return c->th->error;
    if (repeats->numel != n)
        return wn__fail_op(c, WN_E_RUNTIME, "repeats must have the same size as input along dim, but got repeats.size(0) = %lld and input.size(%d) = %lld", (long long)repeats->numel, dim,
                           (long long)n);
    return wn__give(c, 0, wn_index_select(self, dim, wn_repeat_interleave_positions(repeats, .output_size = output_size)));
}

wn_status wn__op_repeat_interleave(wn__call *c, wn_tensor *self_given, int64_t repeats, wn_val dim_given,
                                   wn_val output_size) {
    int dim;
    int64_t size;
    wn_tensor *self = to_repeat(c, self_given, dim_given, &dim);
    if (!wn_ok(self) || dim < 0) return c->th->error;
    if (repeats < 0) return wn__fail_op(c, WN_E_RUNTIME, "Repeats must be non-negative");
    if (self->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS);
    if (__builtin_mul_overflow(self->shape[dim], repeats, &size)) return wn__fail_op(c, WN_E_MEMORY, "%lld repetitions are too many", (long long)repeats);
    if (output_size.kind != WN_VAL_NONE && wn__val_i64(output_size) != size)
        return wn__fail_op(c, WN_E_RUNTIME, "Invalid output_size, expected %lld but got %lld", (long long)size, (long long)wn__val_i64(output_size));
    wn_dims wide = {.n = self->ndim + 1}, to = wn_shape(self);
    for (int d = 0; d < wide.n; d++) wide.v[d] = d <= dim ? self->shape[d] : d == dim + 1 ? repeats : self->shape[d - 1];
    to.v[dim] = size;
    return wn__give(c, 0, wn_view(wn_contiguous_copy(wn_expand(wn_unsqueeze(self, dim + 1), wide)), to));
}
