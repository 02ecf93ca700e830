/* scatter_reduce and index_reduce: walks over an index space (index.h) that add, multiply or compare.
 *
 * Without include_self a place that is hit first gets what changes nothing (0, 1, the largest number ...), then the sources come
 * as always. A mean also counts, and divides once at the end. */
#include <math.h>
#include "base/alloc.h"
#include "base/inline.h"
#include "base/threads.h"
#include "ops/index/index.h"

/* What changes nothing: of a sum, a product, a minimum, a maximum. */
static wn_val neutral(wn__ix_mode mode, wn_dtype d) {
    static const int64_t most[WN__DTYPES] = {[WN_I8] = INT8_MAX, [WN_I16] = INT16_MAX, [WN_I32] = INT32_MAX, [WN_I64] = INT64_MAX, [WN_U8] = UINT8_MAX, [WN_BOOL] = 1};
    const bool low = mode == WN__IX_MAX;
    if (mode == WN__IX_ADD || mode == WN__IX_MUL) return wn_val_of_int(mode == WN__IX_MUL);
    if (wn__is_float((int)d)) return wn_val_of_float(low ? -INFINITY : INFINITY);
    return wn_val_of_int(!low ? most[d] : d == WN_U8 || d == WN_BOOL ? 0 : -most[d] - 1);
}

/* A 0-d tensor; NULL when memory is short. */
static wn_tensor *number(wn_dtype d, wn_val value) {
    wn_tensor *one = wn__tensor_new(d, 0, &(int64_t){1}, NULL);
    if (one) wn__store_val(d, wn__ptr(one), value);
    return one;
}

/* What falls on the table from src; its dimensions beyond its own count as repetitions, so that a number falls everywhere. False: an
 * index is out of range. `start`: what the table begins from (x of wn__ix_begin), or NULL. */
static bool walk(wn__ix_mode mode, const wn_tensor *table, const wn_tensor *src, const wn_tensor *index, int dim, const char *start) {
    wn__ix x = {.mode = mode, .ndim = wn__ndim1(index), .along = dim, .start = start};
    for (int d = 0; d < x.ndim; d++) x.shape[d] = wn__size1(index, d);
    wn__ix_set(&x, table, src, index, dim);
    return wn__ix_run(&x);
}

/* ------------------------------------------------------------------ means */

typedef struct division {
    const wn_tensor *t, *counts; /* row-major */
    int64_t more;
} division;

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); } /* b > 0 */

#define BODY "ops/index/scatter_reduce_of.h"
#include "base/for_numbers.h"

INLINE void divide_row(wn_dtype dtype, char *row, int64_t step, int64_t width, const void *counts, const bool narrow, int64_t more) {
    switch (dtype) {
    case WN_F32: divide_f32(row, step, width, counts, narrow, more); break;
    case WN_F64: divide_f64(row, step, width, counts, narrow, more); break;
    case WN_I8: divide_i8(row, step, width, counts, narrow, more); break;
    case WN_U8: divide_u8(row, step, width, counts, narrow, more); break;
    case WN_I16: divide_i16(row, step, width, counts, narrow, more); break;
    case WN_I32: divide_i32(row, step, width, counts, narrow, more); break;
    default: divide_i64(row, step, width, counts, narrow, more);
    }
}

static void divide_rows(void *ctx, int64_t begin, int64_t end) {
    const division *x = ctx;
    const wn_tensor *t = x->t;
    const int last = t->ndim - 1;
    const int64_t size = (int64_t)wn__dtype_size(t->dtype), width = t->ndim ? t->shape[last] : 1, step = t->ndim ? t->strides[last] * size : 0;
    for (int64_t r = begin; r < end; r++) {
        int64_t rest = r, at = 0;
        for (int d = last - 1; d >= 0; d--) {
            at += rest % t->shape[d] * t->strides[d];
            rest /= t->shape[d];
        }
        char *row = (char *)wn__ptr(t) + at * size;
        const void *counts = wn__ptr(x->counts);
        if (x->counts->dtype == WN_I32) divide_row((wn_dtype)t->dtype, row, step, width, (const int32_t *)counts + r * width, true, x->more);
        else divide_row((wn_dtype)t->dtype, row, step, width, (const int64_t *)counts + r * width, false, x->more);
    }
}

static void clear_bytes(void *ctx, int64_t begin, int64_t end) {
    memset((char *)ctx + begin, 0, (size_t)(end - begin));
}

/* Each element of t divided by how many went into it. */
static void divide(const wn_tensor *t, const wn_tensor *counts, bool include_self) {
    const int64_t width = t->ndim ? t->shape[t->ndim - 1] : 1;
    division x = {t, counts, include_self};
    if (t->numel) wn__parallel(t->numel / width, width < 1 << 13 ? (1 << 13) / width : 1, divide_rows, &x);
}

/* ------------------------------------------------------------------ the walk */

/* table (not f16, bf16) takes in what falls on it. All memory is there before it is changed. *missed: an index is out of range. */
static wn_status take_in(wn__call *c, wn__ix_mode mode, bool mean, bool include_self, const wn_tensor *table, const wn_tensor *src, const wn_tensor *index, int dim,
                         const char *begin, bool *missed) {
    const wn_dtype d = (wn_dtype)table->dtype;
    WN__OWNED wn_tensor *start = include_self ? NULL : number(d, neutral(mode, d));
    const wn_dtype count = index->numel < INT32_MAX ? WN_I32 : WN_I64;
    WN__OWNED wn_tensor *one = mean ? number(count, wn_val_of_int(1)) : NULL, *counts = mean ? wn__tensor_new(count, table->ndim, table->shape, NULL) : NULL;
    wn_status st = (include_self || start) && (!mean || (one && counts)) ? WN_OK : wn__fail_memory(c->op->name);
    if (!st) {
        if (start) *missed = !walk(WN__IX_SCATTER, table, start, index, dim, begin);
        *missed |= !walk(mode, table, src, index, dim, start ? NULL : begin);
    }
    if (!st && mean) {
        wn__parallel(counts->numel * (int64_t)wn__dtype_size(counts->dtype), 1 << 18, clear_bytes, wn__ptr(counts));
        walk(WN__IX_ADD, counts, one, index, dim, NULL);
        divide(table, counts, include_self);
    }
    return st;
}

/* Narrow floats go through f32 and are rounded once, as in index_add. */
static wn_status take_in_narrow(wn__call *c, wn__ix_mode mode, bool mean, bool include_self, wn_tensor *table, const wn_tensor *src, const wn_tensor *index, int dim) {
    WN__OWNED wn_tensor *wide = wn__to_dtype_raw(table, WN_F32), *from = wn__to_dtype_raw(src, WN_F32);
    bool missed = false; /* indices have been checked */
    wn_status st = wide && from ? take_in(c, mode, mean, include_self, wide, from, index, dim, NULL, &missed) : wn__fail_memory(c->op->name);
    if (!st) st = wn__copy(table, wide);
    return st;
}

static wn_status scatter_with(wn__call *c, const wn_scatter_sum_args *a, wn__ix_mode mode, bool mean, bool include_self) {
    wn_tensor *self = a->self;
    const int dim = wn__wrap_dim(c->op->name, a->dim, self->ndim);
    WN__OWNED wn_tensor *index = wn__ix_read(c, a->index);
    if (!index) return c->th->error;
    WN__OWNED wn_tensor *from = wn__ix_source(c, a->src);
    const bool narrow = self->dtype == WN_F16 || self->dtype == WN_BF16, checks = !narrow && wn__ix_walk_checks(c, index);
    wn_status st = !from ? c->th->error : checks ? WN_OK : wn__ix_check(c, WN_E_RUNTIME, index, self, dim, wn__size1(self, dim));
    wn__ix x = {0};
    x.ndim = wn__ndim1(index);
    wn_tensor *r = st ? NULL : narrow ? wn__ix_result(c, self) : wn__ix_begin(c, &x, self, from, index, dim);
    bool missed = false;
    if (!r && !st) st = c->th->error;
    if (r && index->numel) st = (narrow ? take_in_narrow(c, mode, mean, include_self, r, from, index, dim)
                                        : take_in(c, mode, mean, include_self, r, from, index, dim, x.start, &missed));
    if (!st && missed && checks) st = wn__ix_check(c, WN_E_RUNTIME, index, self, dim, wn__size1(self, dim));
    return st;
}

wn_status wn__infer_scatter_sum(wn__call *c) {
    const wn_scatter_sum_args *a = c->args;
    const wn_status st = wn__infer_scatter(c, a->self, a->dim, a->index, a->src);
    return !st && a->mean && a->self->dtype == WN_BOOL ? wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"mean\" not implemented for 'Bool'") : st;
}
wn_status wn__run_scatter_sum(wn__call *c) {
    const wn_scatter_sum_args *a = c->args;
    return scatter_with(c, a, WN__IX_ADD, a->mean, a->include_self);
}
_Static_assert(offsetof(wn_scatter_sum_args, src) == offsetof(wn_scatter_fold_args, src), "scatter_sum and scatter_fold begin with the same arguments");
wn_status wn__infer_scatter_fold(wn__call *c) {
    const wn_scatter_fold_args *a = c->args;
    const char *how = a->reduce ? a->reduce : "";
    if (strcmp(how, "prod") && strcmp(how, "amin") && strcmp(how, "amax")) return wn__fail_op(c, WN_E_RUNTIME, "reduce argument must be prod, amin or amax, got %s", how);
    return wn__infer_scatter(c, a->self, a->dim, a->index, a->src);
}
wn_status wn__run_scatter_fold(wn__call *c, const char *reduce, bool include_self) {
    return scatter_with(c, c->args, !strcmp(reduce, "prod") ? WN__IX_MUL : !strcmp(reduce, "amin") ? WN__IX_MIN : WN__IX_MAX, false, include_self);
}

/* In place when the call is and nobody has put a copy in self's stead (composite_on_copy in dispatch.c). */
static wn_status reduce(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const char *how, bool include_self) {
    const bool sum = !strcmp(how, "sum"), mean = !strcmp(how, "mean"), inplace = c->inplace && self == c->target;
    if (sum || mean)
        return wn__give(c, 0, inplace ? wn_scatter_sum_(self, dim, index, src, mean, include_self) : wn_scatter_sum(self, dim, index, src, mean, include_self));
    return wn__give(c, 0, inplace ? wn_scatter_fold_(self, dim, index, src, how, include_self) : wn_scatter_fold(self, dim, index, src, how, include_self));
}

static bool known(const char *how, bool sum) {
    return (sum && !strcmp(how, "sum")) || !strcmp(how, "prod") || !strcmp(how, "mean") || !strcmp(how, "amin") || !strcmp(how, "amax");
}

wn_status wn__op_scatter_reduce(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src,
                                const char *reduce_given, bool include_self) {
    const char *how = reduce_given ? reduce_given : "";
    if (!known(how, true)) return wn__fail_op(c, WN_E_RUNTIME, "reduce argument must be either sum, prod, mean, amax or amin, got %s", how);
    return reduce(c, self, dim, index, src, how, include_self);
}

/* ------------------------------------------------------------------ index_reduce */

static wn_status check_vector(wn__call *c, const wn_index_reduce_args *a, int dim) {
    const wn_tensor *self = a->self, *source = a->source;
    wn_status st = wn__ix_dtype(c, a->index, true);
    if (st) return st;
    if (a->index->ndim > 1) return wn__fail_op(c, WN_E_INDEX, "Index is supposed to be a vector, but got dim: %d", a->index->ndim);
    if (self->dtype != source->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "self and source expected to have the same dtype, but got %s and %s", wn__desc(self), wn__desc(source));
    bool agree = self->ndim == source->ndim;
    for (int d = 0; agree && d < self->ndim; d++) agree = d == dim || self->shape[d] == source->shape[d];
    if (!agree)
        return wn__fail_op(c, WN_E_RUNTIME, "source tensor shape must match self tensor shape, excluding the specified dimension. Got self = %s, source = %s", wn__desc(self),
                           wn__desc(source));
    if (a->index->numel != wn__size1(source, dim))
        return wn__fail_op(c, WN_E_RUNTIME, "Number of indices (%lld) should be equal to source.size(dim): (%lld), for dim: %d", (long long)a->index->numel,
                           (long long)wn__size1(source, dim), dim);
    return WN_OK;
}

wn_status wn__op_index_reduce(wn__call *c) {
    const wn_index_reduce_args *a = c->args;
    const char *how = a->reduce ? a->reduce : "";
    if (!known(how, false)) return wn__fail_op(c, WN_E_RUNTIME, "Expected reduce to be one of prod, mean, amax or amin but got %s.", how);
    const int dim = wn__wrap_dim(c->op->name, a->dim, a->self->ndim);
    if (dim < 0) return c->th->error;
    wn_status st = check_vector(c, a, dim);
    if (st) return st;
    wn_tensor *index = wn_to(a->index, WN_I64);
    if (wn_ok(index) && wn_numel(index) && !c->meta && !wn_data(index)) return c->th->error; /* what is pending runs */
    st = wn_ok(index) ? wn__ix_check(c, WN_E_INDEX, index, a->self, dim, wn__size1(a->self, dim)) : c->th->error;
    if (st) return st;
    if (a->self->ndim) { /* every line of a slice has the same index */
        wn_dims beside = {.n = a->self->ndim};
        for (int d = 0; d < beside.n; d++) beside.v[d] = d == dim ? wn_numel(index) : 1;
        index = wn_expand(wn_reshape(index, beside), wn_shape(a->source));
    } else {
        index = wn_reshape(index, WN_0D);
    }
    return reduce(c, a->self, dim, index, a->source, how, wn_is_on(a->include_self, true));
}

/* ------------------------------------------------------------------ gradients */

static wn_dims given(wn_dims d) { return d.n ? d : WN_0D; }

/* g without what the index names: what self gets that did not take part where sources fell. */
static wn_tensor *beside_index(wn_tensor *g, int64_t dim, wn_tensor *index, bool include_self) {
    if (include_self || wn_numel(index) == 0) return g;
    return wn_scatter(g, dim, index, wn_zeros(wn_shape(index), .dtype = wn_dtype_of(g)));
}
/* How many sources fall on each place, of those where `which` (of index's shape; NULL: all) is 1. */
static wn_tensor *counted(wn_tensor *start, int64_t dim, wn_tensor *index, wn_tensor *which) {
    if (wn_numel(index) == 0) return start;
    if (!which) which = wn_expand(wn_ones(WN_0D, .dtype = wn_dtype_of(start)), wn_shape(index));
    return wn_scatter_add(start, dim, index, which);
}
static wn_dtype counting(const wn_tensor *g) { return wn_dtype_of(g) == WN_F64 ? WN_F64 : WN_F32; }

void wn__vjp_scatter_sum(wn__gradctx *c, int64_t dim, wn_tensor *index, bool mean, bool include_self) {
    wn_tensor *g = c->g[0];
    wn_dims self = given(wn__input_shape(c, 0));
    if (mean) {
        wn_tensor *start = include_self ? wn_ones(self, .dtype = counting(g)) : wn_zeros(self, .dtype = counting(g));
        g = wn_to(wn_div(g, wn_clamp_min(counted(start, dim, index, NULL), 1)), wn_dtype_of(g));
    }
    if (c->need & 1) c->gin[0] = beside_index(g, dim, index, include_self);
    if (c->need >> 2 & 1) c->gin[2] = wn__ix_in_corner(wn_gather(g, dim, index), wn__input_shape(c, 2));
}

/* The part of a source that an index smaller than it reaches. */
static wn_tensor *reached(wn_tensor *src, const wn_tensor *index) {
    for (int d = 0; d < wn_ndim(src) && wn_ndim(src) == wn_ndim(index); d++)
        if (wn_size(src, d) != wn_size(index, d)) src = wn_slice(src, d, 0, wn_size(index, d));
    return wn_ndim(src) == wn_ndim(index) ? src : wn_reshape(src, given(wn_shape(index)));
}

/* The derivative by one factor is the product of the others: y / factor where that is not 0; where it is the only 0 of its place, the
 * product with 1 in its stead; 0 where there are several. */
wn_tensor *wn__ix_product_grad(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, wn_tensor *y, wn_tensor *g, bool include_self) {
    wn_tensor *zero = wn_eq(src, 0);
    wn_tensor *zeros = wn_gather(counted(wn_zeros(wn_shape(self), .dtype = counting(g)), dim, index, wn_to(zero, counting(g))), dim, index);
    wn_tensor *single = wn_logical_and(zero, wn_eq(zeros, 1));
    wn_tensor *without = wn_scatter_fold(self, dim, index, wn_where(single, 1, src), "prod", include_self);
    wn_tensor *gs = wn_where(single, wn_gather(wn_mul(g, without), dim, index), wn_div(wn_gather(wn_mul(g, y), dim, index), wn_where(zero, 1, src)));
    /* of two zeros that meet, the second derivative is not 0: that is not in these terms */
    if (wn_grad_enabled() && wn_item_i64(wn_any(wn_gt(wn_where(zero, zeros, 0), 1)))) gs = wn_no_second_derivative(gs);
    return gs;
}

static void of_product(wn__gradctx *c, const wn_scatter_fold_args *a, wn_tensor *g) {
    const int64_t dim = a->dim;
    wn_tensor *index = a->index, *src = reached(a->src, index);
    if (c->need & 1) {
        wn_tensor *self = wn_where(wn_eq(a->self, 0), 1, a->self);
        wn_tensor *others = wn_div(wn_scatter_fold(self, dim, index, src, "prod", a->include_self), self);
        c->gin[0] = beside_index(wn_mul(g, others), dim, index, a->include_self);
    }
    if (c->need >> 2 & 1) c->gin[2] = wn__ix_in_corner(wn__ix_product_grad(a->self, dim, index, src, c->y[0], g, a->include_self), wn__input_shape(c, 2));
}

/* All that equal the result share its gradient evenly. */
static void of_extreme(wn__gradctx *c, const wn_scatter_fold_args *a, wn_tensor *g) {
    const int64_t dim = a->dim;
    const wn_dtype d = counting(g);
    wn_tensor *index = a->index, *y = c->y[0];
    wn_tensor *from_self = beside_index(wn_to(wn_eq(a->self, y), d), dim, index, a->include_self);
    wn_tensor *from_src = wn_to(wn_eq(reached(a->src, index), wn_gather(y, dim, index)), d);
    wn_tensor *share = wn_div(g, counted(from_self, dim, index, from_src));
    if (c->need & 1) c->gin[0] = wn_mul(share, from_self);
    if (c->need >> 2 & 1) c->gin[2] = wn__ix_in_corner(wn_mul(wn_gather(share, dim, index), from_src), wn__input_shape(c, 2));
}

void wn__vjp_scatter_fold(wn__gradctx *c) {
    const wn_scatter_fold_args *a = c->args;
    wn_tensor *g = c->g[0];
    if (wn_numel(a->index) == 0) { /* nothing fell anywhere */
        wn_dims src = wn__input_shape(c, 2);
        if (c->need & 1) c->gin[0] = g;
        if (c->need >> 2 & 1) c->gin[2] = wn_zeros(given(src), .dtype = wn_dtype_of(g));
    } else if (!strcmp(a->reduce, "prod")) {
        of_product(c, a, g);
    } else {
        of_extreme(c, a, g);
    }
}

wn_status wn__infer_no_second_derivative(wn__call *c, wn_tensor *self) {
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(self, strides);
    return wn__result(c, 0, (wn_dtype)self->dtype, self->ndim, self->shape, strides);
}
wn_status wn__run_no_second_derivative(wn__call *c) { return wn__copy(c->out[0], ((const wn_no_second_derivative_args *)c->args)->self); }
void wn__vjp_no_second_derivative(wn__gradctx *c) {
    c->gin[0] = wn__bad(WN_E_RUNTIME, "scatter_reduce", "Double backward is unsupported for src when several zeros in src are scattered to the same position in self");
}
