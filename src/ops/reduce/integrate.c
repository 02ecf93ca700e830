/* Integrals and derivatives of samples: trapezoid, cumulative_trapezoid and the parts of torch.gradient. */
#include "ops/reduce/reduce.h"


/* x[from : from + n] along dim */
static wn_tensor *piece(wn_tensor *x, int dim, int64_t from, int64_t n) { return wn_narrow(x, dim, from, n); }

static int check_samples(wn__call *c, const wn_tensor *y, const wn_tensor *x, wn_val dim_given) {
    if (y->dtype == WN_BOOL || (x && x->dtype == WN_BOOL)) {
        wn__fail_op(c, WN_E_RUNTIME, "received a bool input for `%s`, but bool is not supported", x && x->dtype == WN_BOOL ? "x" : "y");
        return -1;
    }
    if (y->ndim == 0) {
        wn__fail_op(c, WN_E_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)wn__i64_or(dim_given, -1));
        return -1;
    }
    return wn__wrap_dim(c->op->name, wn__i64_or(dim_given, -1), y->ndim);
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

wn_status wn__op_trapezoid_at(wn__call *c) {
    const wn_trapezoid_at_args *a = c->args;
    int dim = check_samples(c, a->y, a->x, a->dim);
    if (dim < 0) return c->th->error;
    WN_SCOPE(s);
    if (a->y->shape[dim] == 0) return wn__give(c, 0, wn_zeros(without(a->y, dim), .dtype = (wn_dtype)a->y->dtype));
    wn_tensor *dx = distances(c, a->y, a->x, dim);
    if (!wn_ok(dx)) return c->th->error;
    return wn__give(c, 0, wn_div(wn_sum(wn_mul(dx, pairs(a->y, dim)), .dims = WN_DIMS(dim - a->y->ndim)), 2));
}
wn_status wn__op_trapezoid(wn__call *c) {
    const wn_trapezoid_args *a = c->args;
    wn_tensor *y = a->y;
    wn_val dx = a->dx.kind == WN_VAL_NONE ? wn_val_of_int(1) : a->dx;
    int dim = check_samples(c, y, NULL, a->dim);
    if (dim < 0) return c->th->error;
    WN_SCOPE(s);
    if (y->shape[dim] == 0) return wn__give(c, 0, wn_zeros(without(y, dim), .dtype = (wn_dtype)y->dtype));
    wn_tensor *ends = wn_add(wn_select(y, dim, 0), wn_select(y, dim, -1));
    return wn__give(c, 0, wn_mul(wn_sub(wn_sum(y, .dims = WN_DIMS(dim)), wn_mul(ends, .5)), dx));
}
wn_status wn__op_cumulative_trapezoid_at(wn__call *c) {
    const wn_cumulative_trapezoid_at_args *a = c->args;
    int dim = check_samples(c, a->y, a->x, a->dim);
    if (dim < 0) return c->th->error;
    WN_SCOPE(s);
    if (a->y->shape[dim] == 0) return wn__give(c, 0, wn_clone(a->y));
    wn_tensor *dx = distances(c, a->y, a->x, dim);
    if (!wn_ok(dx)) return c->th->error;
    return wn__give(c, 0, wn_div(wn_cumsum(wn_mul(dx, pairs(a->y, dim)), dim - a->y->ndim), 2));
}
wn_status wn__op_cumulative_trapezoid(wn__call *c) {
    const wn_cumulative_trapezoid_args *a = c->args;
    double dx = wn__f64_or(a->dx, 1);
    int dim = check_samples(c, a->y, NULL, a->dim);
    if (dim < 0) return c->th->error;
    WN_SCOPE(s);
    if (a->y->shape[dim] == 0) return wn__give(c, 0, wn_clone(a->y));
    return wn__give(c, 0, wn_cumsum(wn_mul(pairs(a->y, dim), dx / 2), dim));
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

wn_status wn__op_gradient_along(wn__call *c) {
    const wn_gradient_along_args *a = c->args;
    int64_t order = wn__i64_or(a->edge_order, 1);
    wn_tensor *x = a->self;
    wn_val h = a->spacing.kind == WN_VAL_NONE ? wn_val_of_int(1) : a->spacing;
    int dim = check_gradient(c, x, a->dim, order);
    if (dim < 0) return c->th->error;
    int64_t n = x->shape[dim];
    WN_SCOPE(s);
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

wn_status wn__op_gradient_at(wn__call *c) {
    const wn_gradient_at_args *a = c->args;
    int64_t order = wn__i64_or(a->edge_order, 1);
    wn_tensor *x = a->self;
    int dim = check_gradient(c, x, a->dim, order);
    if (dim < 0) return c->th->error;
    int64_t n = x->shape[dim];
    if (a->points->ndim != 1 || a->points->shape[0] != n)
        return wn__fail_op(c, WN_E_RUNTIME, "torch.gradient expected each element of 'spacing' to have one coordinate for each element along its dimension, got %s for %lld",
                           wn__desc(a->points), (long long)n);
    WN_SCOPE(s);
    wn_dims shape = {.n = x->ndim};
    for (int d = 0; d < x->ndim; d++) shape.v[d] = d == dim ? n - 1 : 1;
    wn_dtype as = wn__promote((wn_dtype)x->dtype, (wn_dtype)a->points->dtype);
    wn_tensor *points = a->points;
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
