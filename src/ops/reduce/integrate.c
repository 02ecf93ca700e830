/* Integrals and derivatives of samples: trapezoid, cumulative_trapezoid and the parts of torch.gradient. */
#include "ops/reduce/reduce.h"

/* x[from : from + n] along dim */
static wn_tensor *piece(wn_tensor *x, int dim, int64_t from, int64_t n) { return wn_narrow(x, dim, from, n); }

static int check_samples(wn__call *c, const wn_tensor *y, const wn_tensor *x, int64_t dim) {
    if (y->dtype == WN_BOOL || (x && x->dtype == WN_BOOL)) {
        wn__fail_op(c, WN_E_RUNTIME, "received a bool input for `%s`, but bool is not supported", x && x->dtype == WN_BOOL ? "x" : "y");
        return -1;
    }
    if (y->ndim == 0) {
        wn__fail_op(c, WN_E_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)dim);
        return -1;
    }
    return wn__wrap_dim(c->op->name, dim, y->ndim);
}

/* The distances of neighbouring points along y's dimension dim. NULL: an error, or nothing to integrate. */
static wn_tensor *distances(wn__call *c, const wn_tensor *y, wn_tensor *x, int dim) {
    if (x->ndim == 1) {
        if (x->shape[0] != y->shape[dim]) {
            wn__fail_op(c, WN_E_RUNTIME, "There must be one `x` value for each sample point");
            return NULL;
        }
        wn_dims shape = {.n = y->ndim};
        for (int d = 0; d < y->ndim; d++) shape.v[d] = d == dim ? x->shape[0] : 1;
        x = wn_reshape(x, shape);
    } else if (x->ndim < y->ndim) {
        wn_dims shape = {.n = y->ndim};
        for (int d = 0; d < y->ndim; d++) shape.v[d] = d < y->ndim - x->ndim ? 1 : x->shape[d - (y->ndim - x->ndim)];
        x = wn_reshape(x, shape);
    }
    dim -= y->ndim; /* x may have more dimensions */
    int64_t n = wn_size(x, dim);
    return n > 0 ? wn_sub(piece(x, dim, 1, n - 1), piece(x, dim, 0, n - 1)) : x;
}

/* The sums of neighbours. */
static wn_tensor *pairs(wn_tensor *y, int dim) {
    int64_t n = wn_size(y, dim);
    return wn_add(piece(y, dim, 1, n - 1), piece(y, dim, 0, n - 1));
}
static wn_dims without(const wn_tensor *y, int dim) {
    wn_dims shape = {.n = -1};
    int n = 0;
    for (int d = 0; d < y->ndim; d++)
        if (d != dim) shape.v[n++] = y->shape[d];
    if (n) shape.n = n;
    return shape;
}

/* At the places x; or, below, at places dx apart. */
wn_status wn__op_trapezoid_at(wn__call *c, wn_tensor *y, wn_tensor *x, int64_t along, bool cumulative) {
    const int dim = check_samples(c, y, x, along);
    if (dim < 0) return c->th->error;
    const wn_dtype d = wn_dtype_of(y);
    if (y->shape[dim] == 0) return wn__give(c, 0, cumulative ? wn_clone(y) : wn_zeros(without(y, dim), .dtype = d));
    wn_tensor *dx = distances(c, y, x, dim);
    if (!wn_ok(dx)) return c->th->error;
    wn_tensor *twice = wn_mul(dx, pairs(y, dim));
    const int last = dim - y->ndim;
    return wn__give(c, 0, wn_div(cumulative ? wn_cumsum(twice, last) : wn_sum(twice, .dims = WN_DIMS(last)), 2));
}
wn_status wn__op_trapezoid(wn__call *c, wn_tensor *y, wn_val dx, int64_t along) {
    const int dim = check_samples(c, y, NULL, along);
    if (dim < 0) return c->th->error;
    if (y->shape[dim] == 0) return wn__give(c, 0, wn_zeros(without(y, dim), .dtype = (wn_dtype)y->dtype));
    wn_tensor *ends = wn_add(wn_select(y, dim, 0), wn_select(y, dim, -1));
    return wn__give(c, 0, wn_mul(wn_sub(wn_sum(y, .dims = WN_DIMS(dim)), wn_mul(ends, .5)), dx));
}
wn_status wn__op_cumulative_trapezoid(wn__call *c, wn_tensor *y, wn_val dx, int64_t along) {
    const int dim = check_samples(c, y, NULL, along);
    if (dim < 0) return c->th->error;
    if (y->shape[dim] == 0) return wn__give(c, 0, wn_clone(y));
    return wn__give(c, 0, wn_cumsum(wn_mul(pairs(y, dim), wn__val_f64(dx) / 2), dim));
}

/* ------------------------------------------------------------------ derivatives */

static int check_gradient(wn__call *c, const wn_tensor *x, int64_t dim_given, int64_t order) {
    if (x->dtype == WN_U8) {
        wn__fail_op(c, WN_E_RUNTIME, "torch.gradient does not support uint8 input.");
        return -1;
    }
    if (order != 1 && order != 2) {
        wn__fail_op(c, WN_E_RUNTIME, "torch.gradient only supports edge_order=1 and edge_order=2.");
        return -1;
    }
    int dim = wn__wrap_dim(c->op->name, dim_given, x->ndim);
    if (dim < 0) return -1;
    if (x->ndim == 0 || x->shape[dim] < order + 1) {
        wn__fail_op(c, WN_E_RUNTIME, "torch.gradient expected each dimension size to be at least edge_order+1");
        return -1;
    }
    return dim;
}

wn_status wn__op_gradient_along(wn__call *c, wn_tensor *x, int64_t dim_given, wn_val h, int64_t order) {
    int dim = check_gradient(c, x, dim_given, order);
    if (dim < 0) return c->th->error;
    int64_t n = x->shape[dim];
    wn_tensor *first, *last, *middle = wn_div(wn_div(wn_sub(piece(x, dim, n > 2 ? 2 : 0, n - 2), piece(x, dim, 0, n - 2)), h), 2);
    if (order == 1) {
        first = wn_sub(piece(x, dim, 1, 1), piece(x, dim, 0, 1));
        last = wn_sub(piece(x, dim, n - 1, 1), piece(x, dim, n - 2, 1));
    } else {
        first = wn_sub(wn_add(wn_mul(piece(x, dim, 0, 1), -1.5), wn_mul(piece(x, dim, 1, 1), 2)), wn_mul(piece(x, dim, 2, 1), .5));
        last = wn_add(wn_sub(wn_mul(piece(x, dim, n - 3, 1), .5), wn_mul(piece(x, dim, n - 2, 1), 2)), wn_mul(piece(x, dim, n - 1, 1), 1.5));
    }
    return wn__give(c, 0, wn_cat(WN_LIST(wn_div(first, h), middle, wn_div(last, h)), .dim = WN_VAL(dim)));
}

wn_status wn__op_gradient_at(wn__call *c, wn_tensor *x, int64_t dim_given, wn_tensor *points, int64_t order) {
    int dim = check_gradient(c, x, dim_given, order);
    if (dim < 0) return c->th->error;
    int64_t n = x->shape[dim];
    if (points->ndim != 1 || points->shape[0] != n)
        return wn__fail_op(c, WN_E_RUNTIME, "torch.gradient expected each element of 'spacing' to have one coordinate for each element along its dimension, got %s for %lld",
                           wn__desc(points), (long long)n);
    wn_dims shape = {.n = x->ndim};
    for (int d = 0; d < x->ndim; d++) shape.v[d] = d == dim ? n - 1 : 1;
    wn_dtype as = wn__promote((wn_dtype)x->dtype, (wn_dtype)points->dtype);
    if (as == WN_F16 || as == WN_BF16) { /* rounded once */
        x = wn_to(x, WN_F32);
        points = wn_to(points, WN_F32);
        if (!wn_ok(x)) return c->th->error;
    }
    wn_tensor *h = wn_reshape(wn_sub(wn_narrow(points, 0, 1, n - 1), wn_narrow(points, 0, 0, n - 1)), shape);
    wn_tensor *slope = wn_div(wn_sub(piece(x, dim, 1, n - 1), piece(x, dim, 0, n - 1)), h); /* of each gap */
    wn_tensor *first = piece(slope, dim, 0, 1), *last = piece(slope, dim, n - 2, 1), *middle = piece(slope, dim, 0, 0);
    if (n > 2) { /* between two gaps: their slopes, each weighed by the other's length */
        wn_tensor *before = piece(h, dim, 0, n - 2), *after = piece(h, dim, 1, n - 2), *both = wn_add(before, after);
        middle = wn_add(wn_mul(wn_div(after, both), piece(slope, dim, 0, n - 2)), wn_mul(wn_div(before, both), piece(slope, dim, 1, n - 2)));
    }
    if (order == 2) { /* the parabola through three points, at its end */
        wn_tensor *h0 = piece(h, dim, 0, 1), *h1 = piece(h, dim, 1, 1), *k0 = piece(h, dim, n - 2, 1), *k1 = piece(h, dim, n - 3, 1);
        first = wn_add(first, wn_mul(wn_div(h0, wn_add(h0, h1)), wn_sub(first, piece(slope, dim, 1, 1))));
        last = wn_add(last, wn_mul(wn_div(k0, wn_add(k0, k1)), wn_sub(last, piece(slope, dim, n - 3, 1))));
    }
    wn_tensor *r = wn_cat(WN_LIST(first, middle, last), .dim = WN_VAL(dim));
    return wn__give(c, 0, as == WN_F16 || as == WN_BF16 ? wn_to(r, as) : r);
}
