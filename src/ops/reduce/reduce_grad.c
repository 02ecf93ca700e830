/* Gradients of the reductions, composed of rows so that they differentiate again. Elements that a mask leaves out get
 * exactly 0: the last step of each is a `where`, as a support (grad/support.h), which lets nothing through from the other side. */
#include <float.h>
#include <math.h>
#include "grad/support.h"
#include "grad/tape.h"
#include "ops/reduce/reduce.h"

/* ------------------------------------------------------------------ shapes */

static wn_dims kept_shape(wn_dims shape, const wn_dims *dims) {
    int n = wn__ndim_of(shape);
    for (int d = 0; d < n && dims->n <= 0; d++) shape.v[d] = 1;
    for (int i = 0; i < dims->n && n; i++) shape.v[dims->v[i] < 0 ? dims->v[i] + n : dims->v[i]] = 1;
    return shape;
}
/* A reduced tensor with the reduced dimensions put back as 1. */
static wn_tensor *kept(wn_tensor *g, wn_dims shape, const wn_dims *dims, bool keepdim) {
    return keepdim || wn__ndim_of(shape) == 0 ? g : wn_reshape(g, kept_shape(shape, dims));
}
wn_tensor *wn__keep(wn_tensor *x, wn_tensor *mask) { return mask ? wn_where(mask, x, 0) : x; }

/* Number of elements that count for each result, with all dimensions kept: a number, or a tensor under a mask. */
static wn_val counted(wn_dims shape, const wn_dims *dims, wn_tensor *mask, wn_dtype dtype) {
    if (mask) {
        wn_dtype wide = dtype == WN_F64 ? WN_F64 : WN_F32; /* f16 cannot count beyond 2048 */
        wn_tensor *n = wn_sum(wn_expand(mask, shape), .dims = *dims, .keepdim = true, .dtype = wide);
        return wn_val_of_tensor(wide == dtype ? n : wn_to(n, dtype));
    }
    wn_dims one = kept_shape(shape, dims);
    int64_t n = 1;
    for (int d = 0; d < wn__ndim_of(shape); d++)
        if (one.v[d] != shape.v[d]) n *= shape.v[d];
    return wn_val_of_int(n);
}

/* ------------------------------------------------------------------ sums */

void wn__vjp_sum(wn__gradctx *c, const wn_dims *dims, bool keepdim, wn_tensor *where) {
    const wn_dims shape = wn__input_shape(c, 0);
    c->gin[0] = wn__grad_keep(c, 0, where, wn_expand(kept(c->g[0], shape, dims, keepdim), shape));
}
static wn_tensor *grad_of_mean(wn_tensor *g, wn_dims shape, const wn_dims *dims, bool keepdim, wn_tensor *mask) {
    wn_val n = counted(shape, dims, mask, wn_dtype_of(g));
    return wn_div(wn_expand(kept(g, shape, dims, keepdim), shape), n); /* dense, as torch's: programs take views of it */
}
void wn__vjp_mean(wn__gradctx *c, const wn_dims *dims, bool keepdim, wn_tensor *where) {
    c->gin[0] = wn__grad_keep(c, 0, where, grad_of_mean(c->g[0], wn__input_shape(c, 0), dims, keepdim, where));
}

/* d prod / d x_i is the product of the others: y / x_i where no product is 0 or beyond the numbers (then x_i is neither), else what is left
 * of i times what is right of it: no division, no case for zeros. */
static bool all_divisible(wn_tensor *y) {
    const wn_dtype t = wn_dtype_of(y);
    const double least = t == WN_F64 ? DBL_MIN : t == WN_F16 ? 0x1p-14 : FLT_MIN, most = t == WN_F64 ? DBL_MAX : t == WN_F16 ? 65504 : FLT_MAX;
    wn_tensor *size = wn_abs(y);
    return wn_item_i64(wn_all(wn_logical_and(wn_ge(size, least), wn_le(size, most))));
}
static wn_tensor *product_of_others(wn_tensor *x, int dim) {
    int64_t n = wn_size(x, dim);
    wn_tensor *one = wn_ones_like(wn_narrow(x, dim, 0, 1));
    wn_tensor *left_of[2] = {one, wn_narrow(x, dim, 0, n - 1)}, *right_of[2] = {wn_narrow(x, dim, 1, n - 1), one};
    wn_tensor *left = wn_cumprod(wn_cat(((wn_list){.n = 2, .v = left_of}), .dim = WN_VAL(dim)), dim);
    wn_tensor *right = wn_cumprod(wn_flip(wn_cat(((wn_list){.n = 2, .v = right_of}), .dim = WN_VAL(dim)), WN_DIMS(dim)), dim);
    return wn_mul(left, wn_flip(right, WN_DIMS(dim)));
}
/* Over several dimensions: they become one, the last. */
static wn_tensor *product_of_others_over(wn_tensor *x, const wn_dims *dims) {
    const wn_dims shape = wn_shape(x), one = kept_shape(shape, dims);
    const int n = wn__ndim_of(shape);
    if (dims->n == 1) return product_of_others(x, (int)(dims->v[0] < 0 ? dims->v[0] + n : dims->v[0]));
    wn_dims flat = {.n = 1}, order = {.n = n}, back = {.n = n};
    int at = 0;
    flat.v[0] = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int d = 0; d < n; d++)
            if ((one.v[d] != shape.v[d]) == pass) {
                back.v[d] = at;
                order.v[at++] = d;
                if (pass) flat.v[flat.n - 1] *= shape.v[d];
                else flat.v[flat.n - 1] = shape.v[d], flat.v[flat.n++] = 1;
            }
    x = wn_permute(x, order);
    return wn_permute(wn_reshape(product_of_others(wn_reshape(x, flat), flat.n - 1), wn_shape(x)), back);
}
void wn__vjp_prod(wn__gradctx *c, wn_tensor *self, const wn_dims *dims, bool keepdim, wn_tensor *where) {
    const wn_dims shape = wn__input_shape(c, 0);
    wn_tensor *x = where ? wn_where(where, self, 1) : self;
    wn_tensor *g = kept(c->g[0], shape, dims, keepdim), *y = kept(c->y[0], shape, dims, keepdim);
    if (wn_numel(x) == 0) c->gin[0] = wn_zeros_like(x);
    else if (wn__ndim_of(shape) == 0) c->gin[0] = wn__grad_keep(c, 0, where, g);
    else if (wn_dtype_of(x) == wn_dtype_of(g) && all_divisible(y)) c->gin[0] = wn__grad_keep(c, 0, where, wn_mul(g, wn_div(y, x)));
    else c->gin[0] = wn__grad_keep(c, 0, where, wn_mul(g, product_of_others_over(x, dims)));
}

/* ------------------------------------------------------------------ extremes */

/* The elements that are the extreme (all NaN ones, if it is NaN) share g evenly. */
static wn_tensor *share(wn_tensor *x, wn_tensor *y, wn_tensor *g, const wn_dims *dims, wn_tensor *mask, wn_tensor **where) {
    wn_tensor *hit = wn_logical_or(wn_eq(x, y), wn_ne(x, x));
    if (mask) hit = wn_logical_and(hit, mask);
    wn_dtype wide = wn_dtype_of(g) == WN_F64 ? WN_F64 : WN_F32;
    wn_tensor *n = wn_sum(hit, .dims = *dims, .keepdim = true, .dtype = wide);
    *where = hit;
    return wn_div(g, wide == wn_dtype_of(g) ? n : wn_to(n, wn_dtype_of(g)));
}
void wn__vjp_extreme(wn__gradctx *c, wn_tensor *x, const wn_dims *dims, bool keepdim, wn_tensor *mask) {
    wn_dims shape = wn__input_shape(c, 0);
    wn_tensor *hit, *g = share(x, kept(c->y[0], shape, dims, keepdim), kept(c->g[0], shape, dims, keepdim), dims, mask, &hit);
    c->gin[0] = wn__grad_won(c, 0, hit, wn_expand(g, shape));
}

/* Of a row with results (values, indices) that takes one element of each line along dim: g goes to that one. */
void wn__grad_chosen(wn__gradctx *c, int64_t dim, bool keepdim) {
    wn_dims shape = wn__input_shape(c, 0);
    wn_tensor *g = c->g[0], *at = c->y[1];
    if (!g) return;
    if (wn__ndim_of(shape) == 0) {
        c->gin[0] = g;
        return;
    }
    if (!keepdim) {
        if (dim < 0) dim += shape.n;
        g = wn_unsqueeze(g, dim);
        at = wn_unsqueeze(at, dim);
    }
    c->gin[0] = wn_gather_backward(g, shape, dim, at);
}

/* ------------------------------------------------------------------ variance */

/* g * 2 (x - mean) / max(0, n - correction); g has its dimensions kept. */
static wn_tensor *grad_of_var(wn_tensor *g, wn_tensor *x, const wn_dims *dims, double minus, wn_tensor *mask) {
    wn_dims shape = wn_shape(x);
    wn_dtype dtype = wn_dtype_of(x);
    wn_tensor *mean = wn_mean(x, .dims = *dims, .keepdim = true, .where = mask);
    wn_val n = counted(shape, dims, mask, dtype);
    wn_tensor *scaled;
    if (n.kind == WN_VAL_TENSOR) {
        scaled = wn_div(wn_mul(g, 2), wn_clamp_min(wn_sub(n.u.t, minus), 0));
    } else {
        double d = (double)n.u.i - minus;
        scaled = wn_mul(g, 2 / (d > 0 ? d : 0));
    }
    return wn_mul(scaled, wn_sub(wn__keep(x, mask), mean));
}
/* g / y, and 0 where y is 0. y is replaced before the division, so that its gradient is finite there, too. */
static wn_tensor *over(wn_tensor *g, wn_tensor *y) {
    wn_tensor *zero = wn_eq(y, 0);
    return wn_where(zero, 0, wn_div(g, wn_where(zero, 1, y)));
}

static void add_to(wn_tensor **sum, wn_tensor *x) { *sum = *sum ? wn_add(*sum, x) : x; }

/* Of the variance, or its root, and in results 1 the mean. */
void wn__vjp_variance(wn__gradctx *c, wn_tensor *x, const wn_dims *dims, wn_val unbiased, wn_val correction,
                      bool keepdim, wn_tensor *mask) {
    const wn_dims shape = wn__input_shape(c, 0);
    wn_tensor *g_mean = wn__grad_results(c) > 1 ? c->g[1] : NULL;
    if (c->g[0]) {
        wn_tensor *g = kept(c->g[0], shape, dims, keepdim);
        if (c->node->op->which == WN__R_STD) g = over(wn_mul(g, .5), kept(c->y[0], shape, dims, keepdim)); /* d std = d var / (2 std) */
        add_to(&c->gin[0], grad_of_var(g, x, dims, wn__correction(unbiased, correction), mask));
    }
    if (g_mean) add_to(&c->gin[0], grad_of_mean(g_mean, shape, dims, keepdim, mask));
    if (c->gin[0]) c->gin[0] = wn__grad_keep(c, 0, mask, c->gin[0]);
}

/* ------------------------------------------------------------------ norms, logsumexp */

void wn__vjp_vector_norm(wn__gradctx *c) {
    const wn_vector_norm_args *a = c->args;
    wn_dims shape = wn__input_shape(c, 0);
    double p = a->ord.kind == WN_VAL_NONE ? 2 : a->ord.kind == WN_VAL_FLOAT ? a->ord.u.f : (double)a->ord.u.i;
    wn_tensor *x = wn__keep(a->self, a->where), *gx;
    wn_tensor *g = kept(c->g[0], shape, &a->dims, a->keepdim), *y = kept(c->y[0], shape, &a->dims, a->keepdim);
    if (p == 0) {
        c->gin[0] = wn_zeros_like(x);
        return;
    }
    if (p == 1) {
        gx = wn_mul(wn_sign(x), g);
    } else if (p == 2) {
        gx = wn_mul(over(g, y), x); /* in this order for the result's layout, as in torch */
    } else if (isinf(p)) {
        wn_tensor *hit, *part = share(wn_abs(x), y, g, &a->dims, a->where, &hit);
        gx = wn_mul(wn_sign(x), wn_where(hit, part, 0));
    } else { /* sign(x) |x|^(p-1) g / y^(p-1) */
        wn_tensor *zero = wn_eq(x, 0), *power = wn_mul(wn_sign(x), wn_pow(wn_where(zero, 1, wn_abs(x)), p - 1));
        gx = wn_mul(wn_where(zero, 0, power), over(g, wn_pow(wn_where(wn_eq(y, 0), p > 1 ? 0 : (double)INFINITY, y), p - 1)));
    }
    c->gin[0] = wn__grad_keep(c, 0, a->where, gx);
}

/* exp(x - y), with the infinities taken as limits: an infinite x that is the result gets all of g, a row of -inf nothing. */
void wn__vjp_logsumexp(wn__gradctx *c, wn_tensor *self, const wn_dims *dims, bool keepdim, wn_tensor *where) {
    wn_dims shape = wn__input_shape(c, 0);
    wn_tensor *y = kept(c->y[0], shape, dims, keepdim), *x = wn__keep(self, where);
    wn_tensor *limit = wn_isinf(y), *e = wn_exp(wn_sub(wn_where(limit, 0, x), wn_where(limit, 0, y)));
    e = wn_where(limit, wn_where(wn_logical_and(wn_eq(x, y), wn_gt(y, 0)), 1, wn_zeros_like(x)), e);
    c->gin[0] = wn__grad_keep(c, 0, where, wn_mul(e, kept(c->g[0], shape, dims, keepdim)));
}
