/* Statistics that are compositions: their gradients are those of the rows they are made of. */
#include <math.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "base/threads.h"
#include "engine/reduce_kernels.h"
#include "defer/value.h"
#include "ops/reduce/reduce.h"

static wn_status no_bool(wn__call *c, const wn_tensor *t, const char *text) {
    return t->dtype == WN_BOOL ? wn__fail_op(c, WN_E_RUNTIME, "%s", text) : WN_OK;
}

/* ------------------------------------------------------------------ over what is not NaN */

/* NaN as 0: a condition that the sum reads in the same pass. Where no gradient is asked for there is a fold of its own. */
static wn_tensor *nan_as_zero(wn_tensor *x) { return wn__is_float(x->dtype) ? wn_where(wn_eq(x, x), x, 0) : x; }

wn_status wn__op_nansum(wn__call *c, wn_tensor *x, const wn_dims *dims, bool keepdim, wn_dtype dtype) {
    const wn_dtype own = (wn_dtype)x->dtype;
    if (wn__is_float(x->dtype) && (dtype == WN_DTYPE_DEFAULT || dtype == own) && !wn_needs_grad(x) && !wn__pending(x->storage)) {
        uint32_t set;
        wn_status st = wn__reduce_dims(c->op->name, dims, x->ndim, &set);
        if (!st) st = wn__reduce_infer(c, WN__R_NANSUM, x, set, keepdim, NULL, own, WN_DTYPE_DEFAULT, WN_DTYPE_DEFAULT, 0);
        return st ? st : wn__run_reduction(c);
    }
    return wn__give(c, 0, wn_sum(nan_as_zero(x), .dims = *dims, .keepdim = keepdim, .dtype = dtype));
}
wn_status wn__op_nanmean(wn__call *c, wn_tensor *self, const wn_dims *dims, bool keepdim, wn_dtype dtype) {
    if (!wn__is_float(self->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "%s(): expected input to have floating point or complex dtype but got %s", c->op->name,
                           wn__dtype_word(self->dtype));
    wn_dtype out = dtype ? dtype : (wn_dtype)self->dtype, wide = out == WN_F16 || out == WN_BF16 ? WN_F32 : out;
    wn_tensor *n = wn_sum(wn_eq(self, self), .dims = *dims, .keepdim = keepdim); /* int64 */
    wn_tensor *r = wn_div(wn_sum(nan_as_zero(self), .dims = *dims, .keepdim = keepdim, .dtype = wide), n);
    return wn__give(c, 0, wide == out ? r : wn_to(r, out));
}

/* Both extremes of all elements in one pass over memory, where no gradient is asked for: blocks, then the blocks' extremes. */
enum { EXTREMES_BLOCK = 32 * WN__RUN, EXTREMES_PIECE = 8 * WN__RUN /* stays in L1 for the second of them */ };
typedef union extreme {
    float f;
    double d;
    int64_t i;
} extreme;
typedef struct extremes {
    const wn__reduce_kernels *k;
    wn__elem elem;
    const char *x;
    int64_t n, size;
    extreme (*parts)[2];
} extremes;

static void extremes_task(void *ctx, int64_t begin, int64_t end) {
    const extremes *e = ctx;
    static const wn__fold folds[2] = {WN__FOLD_MIN, WN__FOLD_MAX};
    for (int64_t b = begin; b < end; b++) {
        const int64_t first = b * EXTREMES_BLOCK, last = e->n - first < EXTREMES_BLOCK ? e->n : first + EXTREMES_BLOCK;
        if (e->k->run_ends[e->elem]) {
            e->k->run_ends[e->elem](e->x + first * e->size, last - first, &e->parts[b][0].i);
            continue;
        }
        for (int64_t i = first; i < last; i += EXTREMES_PIECE)
            for (int f = 0; f < 2; f++) {
                extreme own;
                e->k->rows[folds[f]][e->elem](e->x + i * e->size, 0, 1, last - i < EXTREMES_PIECE ? last - i : EXTREMES_PIECE, NULL, &own);
                if (i == first) e->parts[b][f] = own;
                else e->k->merge[folds[f]][e->elem](&e->parts[b][f], &own, 1);
            }
    }
}

static bool in_one_pass(const wn_aminmax_args *a) {
    const wn_tensor *x = a->self;
    return a->dim.kind == WN_VAL_NONE && x->contiguous && x->numel >= EXTREMES_BLOCK && wn__elem_is((wn_dtype)x->dtype, wn__elem_of((wn_dtype)x->dtype)) &&
           x->dtype != WN_BOOL && !wn_needs_grad(x) && !wn__pending(x->storage);
}
static wn_status both_extremes(wn__call *c, const wn_aminmax_args *a) {
    const wn_tensor *x = a->self;
    const int64_t blocks = (x->numel + EXTREMES_BLOCK - 1) / EXTREMES_BLOCK;
    extremes e = {.k = wn__reduce_kernels_now(), .elem = wn__elem_of((wn_dtype)x->dtype), .x = wn__ptr(x), .n = x->numel, .size = (int64_t)wn__dtype_size(x->dtype)};
    int64_t ones[WN_MAX_DIMS];
    for (int d = 0; d < x->ndim; d++) ones[d] = 1;
    for (int f = 0; f < 2; f++) c->out[f] = wn__tensor_new((wn_dtype)x->dtype, a->keepdim ? x->ndim : 0, ones, NULL);
    e.parts = wn__calloc((size_t)blocks, sizeof *e.parts);
    if (!e.x || !e.parts || !c->out[0] || !c->out[1]) {
        wn__free(e.parts);
        return wn__fail_memory(c->op->name);
    }
    wn__parallel(blocks, 1, extremes_task, &e);
    for (int f = 0; f < 2; f++) {
        for (int64_t b = 1; b < blocks; b++) e.k->merge[f ? WN__FOLD_MAX : WN__FOLD_MIN][e.elem](&e.parts[0][f], &e.parts[b][f], 1);
        e.k->store(wn__elem_float(e.elem) ? e.elem : WN__E_I64, (wn_dtype)x->dtype, &e.parts[0][f], 1, wn__ptr(c->out[f]), 1);
    }
    wn__free(e.parts);
    wn__count(2 * x->numel);
    return WN_OK;
}

wn_status wn__op_aminmax(wn__call *c) {
    const wn_aminmax_args *a = c->args;
    if (in_one_pass(a)) return both_extremes(c, a);
    wn_dims dims = WN_UNSET;
    if (a->dim.kind == WN_VAL_NONE) {
        if (a->self->numel == 0)
            return wn__fail_op(c, WN_E_RUNTIME, "cannot compute aminmax over an empty dimension as the operation has no identity.");
    } else {
        dims.n = 1;
        dims.v[0] = wn__val_i64(a->dim);
    }
    wn_status st = wn__give(c, 0, wn_amin(a->self, .dims = dims, .keepdim = a->keepdim));
    return st ? st : wn__give(c, 1, wn_amax(a->self, .dims = dims, .keepdim = a->keepdim));
}

/* ------------------------------------------------------------------ differences */

/* self or what is put beside it: same dimensions but for dim. */
static wn_status fits_beside(wn__call *c, const wn_tensor *x, const wn_tensor *t, int dim) {
    if (!t) return WN_OK;
    if (t->ndim != x->ndim) return wn__fail_op(c, WN_E_RUNTIME, "diff expects prepend or append to be the same dimension as input");
    for (int d = 0; d < x->ndim; d++)
        if (d != dim && t->shape[d] != x->shape[d])
            return wn__fail_op(c, WN_E_RUNTIME, "diff expects the shape of tensor to prepend or append to match that of input except along the differencing dimension; "
                               "input.size(%d) = %lld, but got tensor.size(%d) = %lld", d, (long long)x->shape[d], d, (long long)t->shape[d]);
    return WN_OK;
}
wn_status wn__op_diff(wn__call *c, wn_tensor *x, int64_t n, int64_t dim_given, wn_tensor *prepend, wn_tensor *append) {
    wn_tensor *parts[3];
    int64_t count = 0;
    if (x->ndim == 0) return wn__fail_op(c, WN_E_RUNTIME, "diff expects input to be at least one-dimensional");
    if (n < 0) return wn__fail_op(c, WN_E_RUNTIME, "order must be non-negative but got %lld", (long long)n);
    int dim = wn__wrap_dim(c->op->name, dim_given, x->ndim);
    wn_status st = dim < 0 ? c->th->error : fits_beside(c, x, prepend, dim);
    if (!st) st = fits_beside(c, x, append, dim);
    if (st) return st;
    if (n == 0) return wn__give(c, 0, wn_clone(x));
    if (prepend) parts[count++] = prepend;
    parts[count++] = x;
    if (append) parts[count++] = append;
    if (count > 1) x = wn_cat(((wn_list){.n = count, .v = parts}), .dim = WN_VAL(dim));
    if (!wn_ok(x)) return c->th->error;
    int64_t size = x->shape[dim];
    if (size <= n) return wn__give(c, 0, wn_contiguous_copy(wn_narrow(x, dim, 0, 0)));
    for (; n > 0; n--, size--) {
        wn_tensor *right = wn_narrow(x, dim, 1, size - 1), *left = wn_narrow(x, dim, 0, size - 1);
        x = wn_dtype_of(x) == WN_BOOL ? wn_ne(right, left) : wn_sub(right, left);
        if (!wn_ok(x)) break;
    }
    return wn__give(c, 0, x);
}

/* ------------------------------------------------------------------ covariance */

static wn_status check_weights(wn__call *c, const wn_tensor *w, int64_t observations, const char *name, bool integral) {
    if (w->ndim > 1) return wn__fail_op(c, WN_E_RUNTIME, "expected %s to have one or fewer dimensions but got %s with %d dimensions", name, name, w->ndim);
    if (integral ? !wn__is_integer(w->dtype) : !wn__is_float(w->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "expected %s to have %s dtype but got %s with %s dtype", name, integral ? "integral" : "floating point", name, wn__dtype_word(w->dtype));
    if (w->numel != observations)
        return wn__fail_op(c, WN_E_RUNTIME, "expected %s to have the same numel as there are observations in the input but got %lld != %lld", name, (long long)w->numel, (long long)observations);
    return WN_OK;
}
/* Is no element of w negative? */
static wn_status not_negative(wn__call *c, wn_tensor *w, const char *name) {
    if (c->meta) return WN_OK;
    wn_tensor *bad = wn_any(wn_lt(w, 0));
    if (!wn_ok(bad)) return c->th->error;
    return wn_item_i64(bad) ? wn__fail_op(c, WN_E_RUNTIME, "%s cannot be negative", name) : WN_OK;
}
static wn_status weights_of(wn__call *c, const wn_cov_args *a, int64_t observations, wn_tensor **w) {
    wn_tensor *f = a->fweights, *w2 = a->aweights;
    wn_status st = f ? check_weights(c, f, observations, "fweights", true) : WN_OK;
    if (!st && f) st = not_negative(c, f, "fweights");
    if (!st && w2) st = check_weights(c, w2, observations, "aweights", false);
    if (!st && w2) st = not_negative(c, w2, "aweights");
    if (st) return st;
    *w = f && w2 ? wn_mul(f, w2) : f ? f : w2;
    return WN_OK;
}
static void warn_of_freedom(const wn__call *c) {
    wn__warn(c->op->name, false, "%s(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.", c->op->name);
}
wn_status wn__op_cov(wn__call *c) {
    const wn_cov_args *a = c->args;
    wn_tensor *x = a->self, *w = NULL;
    int64_t correction = wn__i64_or(a->correction, 1);
    if (x->ndim > 2) return wn__fail_op(c, WN_E_RUNTIME, "expected input to have two or fewer dimensions but got an input with %d dimensions", x->ndim);
    wn_status st = no_bool(c, x, "bool dtype is not supported for input");
    if (st) return st;
    if (x->ndim < 2) x = wn_reshape(x, WN_DIMS(1, x->numel));
    int64_t n = wn_size(x, 1);
    if ((st = weights_of(c, a, n, &w))) return st;
    wn_val total = wn_val_of_int(n), by = wn_val_of_float((double)n - (double)correction);
    if (w) {
        wn_tensor *sum = wn_sum(w);
        total = wn_val_of_tensor(sum);
        if (!wn_ok(sum)) return c->th->error;
        if (n && !c->meta && wn_item_f64(sum) == 0) return wn__fail_op(c, WN_E_RUNTIME, "weights sum to zero, can't be normalized");
        by = wn_val_of_tensor(a->aweights && correction ? wn_sub(sum, wn_div(wn_mul(wn_sum(wn_mul(w, a->aweights)), correction), sum)) : wn_sub(sum, correction));
        if (!wn_ok(by.u.t)) return c->th->error;
        if (!c->meta && wn_item_f64(by.u.t) <= 0) warn_of_freedom(c);
        by = wn_val_of_tensor(wn_clamp_min(by.u.t, 0));
    } else if (by.u.f <= 0) {
        warn_of_freedom(c);
        by.u.f = 0;
    }
    wn_tensor *mean = wn_div(wn_sum(w ? wn_mul(x, w) : x, .dims = WN_DIMS(1), .keepdim = true), total);
    x = wn_sub(x, mean);
    wn_tensor *r = wn_div(wn_matmul(x, wn_t(w ? wn_to(wn_mul(x, w), wn_dtype_of(x)) : x)), by);
    if (wn_ok(r) && wn_size(r, 0) == 1) r = wn_reshape(r, WN_0D);
    return wn__give(c, 0, r);
}
wn_status wn__op_corrcoef(wn__call *c, wn_tensor *self) {
    if (self->ndim > 2) return wn__fail_op(c, WN_E_RUNTIME, "expected input to have two or fewer dimensions but got an input with %d dimensions", self->ndim);
    wn_tensor *r = wn_cov(self);
    if (!wn_ok(r)) return c->th->error;
    if (wn_ndim(r) == 0) return wn__give(c, 0, wn_div(r, r));
    wn_tensor *deviation = wn_sqrt(wn_diagonal(r));
    r = wn_div(wn_div(r, wn_unsqueeze(deviation, 1)), deviation);
    return wn__give(c, 0, wn_clamp(r, -1, 1));
}

/* ------------------------------------------------------------------ norms */

wn_status wn__op_renorm(wn__call *c, wn_tensor *x, wn_val p_given, int64_t dim_given, wn_val maxnorm) {
    double p = wn__val_f64(p_given), most = wn__val_f64(maxnorm);
    if (!(p > 0)) return wn__fail_op(c, WN_E_RUNTIME, "non-positive-norm not supported");
    if (!(most >= 0)) return wn__fail_op(c, WN_E_RUNTIME, "expected maxnorm to be >= 0 but got %g", most);
    if (x->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "input needs at least 2 dimensions, got %d dimensions", x->ndim);
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "expected a floating point tensor as input, got %s", wn__desc(x));
    int dim = wn__wrap_dim(c->op->name, dim_given, x->ndim);
    if (dim < 0) return c->th->error;
    wn_dims others = WN_UNSET;
    for (int d = 0; d < x->ndim; d++)
        if (d != dim) others.v[others.n++] = d;
    wn_tensor *norm = wn_vector_norm(x, .ord = wn_val_of_float(p), .dims = others, .keepdim = true, .dtype = x->dtype == WN_F64 ? WN_F64 : WN_F32);
    wn_tensor *above = wn_gt(norm, most), *factor = wn_where(above, wn_div(wn_full_like(norm, most), wn_add(norm, 1e-7)), 1);
    return wn__give(c, 0, wn_mul(x, wn_to(factor, (wn_dtype)x->dtype)));
}

/* ------------------------------------------------------------------ positions */

wn_status wn__op_nonzero_static(wn__call *c, wn_tensor *self, int64_t size, int64_t fill_value) {
    if (size < 0) return wn__fail_op(c, WN_E_RUNTIME, "'size' must be an non-negative integer");
    wn_tensor *found = wn_nonzero(self);
    if (!wn_ok(found)) return c->th->error;
    int64_t n = wn_size(found, 0);
    if (n > size) return wn__give(c, 0, wn_clone(wn_narrow(found, 0, 0, size)));
    if (n == size) return wn__give(c, 0, found);
    wn_tensor *rest = wn_full(WN_DIMS(size - n, self->ndim), fill_value, .dtype = WN_I64);
    return wn__give(c, 0, wn_cat(WN_LIST(found, rest)));
}
