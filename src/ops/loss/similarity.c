/* Norms along a dimension, and what divides by them. */
#include "ops/loss/loss.h"

/* The shape to which both broadcast; where there is none, expand says so. */
static wn_dims common_shape(const wn_tensor *x, const wn_tensor *y) {
    const int n = x->ndim > y->ndim ? x->ndim : y->ndim;
    wn_dims r = {.n = n ? n : -1};
    for (int i = 1; i <= n; i++) {
        const int64_t a = i <= x->ndim ? x->shape[x->ndim - i] : 1, b = i <= y->ndim ? y->shape[y->ndim - i] : 1;
        r.v[n - i] = a == 1 ? b : a;
    }
    return r;
}

wn_status wn__op_cosine_similarity(wn__call *c, wn_tensor *x1, wn_tensor *x2, int64_t dim, double eps) {
    wn_dtype d = wn__promote((wn_dtype)x1->dtype, (wn_dtype)x2->dtype);
    if (!wn__is_float(d))
        return wn__fail_op(c, WN_E_RUNTIME, "expected common dtype to be floating point, yet common dtype is %s", wn__dtype_word(d));
    const int64_t most = x1->ndim > x2->ndim ? x1->ndim : x2->ndim;
    if (wn__wrap_dim(c->op->name, dim, (int)most) < 0) return c->th->error;
    wn_tensor *x = wn_to(x1, d), *y = wn_to(x2, d);
    if (x->ndim < most || y->ndim < most || !wn__same_shape(x, y)) { /* dim counts in the common shape */
        wn_dims common = common_shape(x, y);
        x = wn_expand(x, common);
        y = wn_expand(y, common);
    }
    /* The norms before the product: it must not overflow. */
    wn_tensor *nx = wn__raised(wn_vector_norm(x, .dims = WN_DIMS(dim), .keepdim = true), eps);
    wn_tensor *ny = wn__raised(wn_vector_norm(y, .dims = WN_DIMS(dim), .keepdim = true), eps);
    return wn__give(c, 0, wn_sum(wn_mul(wn_div(x, nx), wn_div(y, ny)), .dims = WN_DIMS(dim)));
}
