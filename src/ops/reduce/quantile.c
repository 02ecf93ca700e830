/* quantile and nanquantile: a sort along the dimension (by radix), two gathers, an interpolation; each has its gradient. */
#include "ops/reduce/reduce.h"

typedef struct quantiles {
    wn_tensor *self, *q;
    wn_val dim;
    bool keepdim, ignore_nan;
    const char *interpolation;
} quantiles;

typedef enum between { LINEAR, LOWER, HIGHER, MIDPOINT, NEAREST } between;

static wn_status check_quantile(wn__call *c, const quantiles *a, between *how) {
    static const char *const names[] = {"linear", "lower", "higher", "midpoint", "nearest"};
    int i = 0;
    wn_tensor *x = a->self, *q = a->q;
    if (x->numel == 0) return wn__fail_op(c, WN_E_RUNTIME, "%s() input tensor must be non-empty", c->op->name);
    if (q->ndim > 1) return wn__fail_op(c, WN_E_RUNTIME, "%s() q must be a scalar or 1D tensor, got %s", c->op->name, wn__desc(q));
    if (x->dtype != WN_F32 && x->dtype != WN_F64) return wn__fail_op(c, WN_E_RUNTIME, "%s() input tensor must be either float or double dtype", c->op->name);
    if (x->dtype != q->dtype) return wn__fail_op(c, WN_E_RUNTIME, "%s() q tensor must be same dtype as the input tensor", c->op->name);
    while (a->interpolation && i < 5 && strcmp(a->interpolation, names[i])) i++;
    if (i == 5) return wn__fail_op(c, WN_E_RUNTIME, "%s() interpolation must be one of linear, lower, higher, midpoint or nearest, but got %s", c->op->name, a->interpolation);
    *how = (between)i;
    if (c->meta) return WN_OK;
    wn_tensor *good = wn_logical_and(wn_ge(q, 0), wn_le(q, 1));
    if (!wn_item_i64(wn_all(good))) return c->th->error ? c->th->error : wn__fail_op(c, WN_E_RUNTIME, "%s() q values must be in the range [0, 1]", c->op->name);
    return WN_OK;
}

/* Ranks of the quantiles in each line, as floats: [..., q]. */
static wn_tensor *ranks_of(const quantiles *a, wn_tensor *sorted, wn_tensor *q) {
    int64_t last = wn_size(sorted, -1) - 1;
    if (a->ignore_nan) {
        wn_tensor *n = wn_sum(wn_eq(sorted, sorted), .dims = WN_DIMS(-1), .keepdim = true);
        return wn_clamp_min(wn_mul(q, wn_sub(wn_to(n, wn_dtype_of(sorted)), 1)), 0);
    }
    wn_tensor *top = wn_narrow(sorted, -1, last, 1); /* NaN, if there is one */
    return wn_where(wn_isnan(top), (double)last, wn_mul(q, (double)last));
}

static wn_tensor *between_ranks(wn_tensor *sorted, wn_tensor *ranks, between how) {
    if (how == LOWER) ranks = wn_floor(ranks);
    if (how == HIGHER) ranks = wn_ceil(ranks);
    if (how == NEAREST) ranks = wn_round(ranks);
    wn_tensor *below = wn_to(ranks, WN_I64), *values = wn_gather(sorted, -1, below);
    if (how != LINEAR && how != MIDPOINT) return values;
    wn_tensor *above = wn_gather(sorted, -1, wn_to(wn_ceil(ranks), WN_I64));
    wn_tensor *weights = how == MIDPOINT ? wn_full_like(ranks, .5) : wn_sub(ranks, wn_to(below, wn_dtype_of(ranks)));
    return wn_lerp(values, above, weights);
}

wn_status wn__op_quantile(wn__call *c, wn_tensor *x, wn_tensor *q, wn_val dim_given, bool keepdim,
                          const char *interpolation, bool ignore_nan) {
    const quantiles a = {x, q, dim_given, keepdim, ignore_nan, interpolation};
    between how = LINEAR;
    bool all = a.dim.kind == WN_VAL_NONE;
    int dim = all ? 0 : wn__wrap_dim(c->op->name, wn__val_i64(a.dim), x->ndim);
    if (dim < 0) return c->th->error;
    wn_status st = check_quantile(c, &a, &how);
    if (st) return st;
    wn_tensor *sorted = all ? wn_flatten(x) : x->ndim ? wn_movedim(x, dim, -1) : wn_reshape(x, WN_DIMS(1));
    sorted = wn_sort(sorted).values;
    wn_tensor *r = between_ranks(sorted, ranks_of(&a, sorted, a.q->ndim ? a.q : wn_reshape(a.q, WN_DIMS(1))), how);
    /* the last dimension holds the quantiles: it goes to the front, and a 0-d q has none */
    if (a.q->ndim) r = wn_movedim(r, -1, 0);
    else r = wn_select(r, -1, 0);
    if (a.keepdim) {
        int first = a.q->ndim;
        if (all)
            for (int d = 0; d < x->ndim; d++) r = wn_unsqueeze(r, first);
        else if (x->ndim) r = wn_unsqueeze(r, first + dim);
    }
    return wn__give(c, 0, r);
}

wn_status wn__op_quantile_at(wn__call *c, wn_tensor *self, double at, wn_val dim, bool keepdim,
                             const char *interpolation, bool ignore_nan) {
    wn_tensor *q = wn_full(WN_0D, at, .dtype = wn__is_float(self->dtype) ? (wn_dtype)self->dtype : WN_F32);
    return wn_ok(q) ? wn__op_quantile(c, self, q, dim, keepdim, interpolation, ignore_nan) : c->th->error;
}
