/* affine_grid: the places of a regular grid after an affine map of each batch. It is linear in the map, so that its gradient reads nothing but
 * the cotangent. */
#include "ops/spatial/spatial.h"

/* The places of n elements' centres in [-1, 1]. */
static wn_tensor *centres(int64_t n, wn_dtype type, bool align) {
    if (n <= 1) return wn_zeros(WN_DIMS(n), .dtype = type);
    wn_tensor *t = wn_linspace(-1, 1, n, .dtype = type);
    return align ? t : wn_mul(t, (double)(n - 1) / (double)n);
}
/* [places, nd + 1]: (x, y, (z,) 1) of every element of a picture of these sizes. */
static wn_tensor *base(const wn_dims *size, wn_dtype type, bool align) {
    const int nd = size->n - 2;
    wn_dims spatial = {.n = nd};
    for (int d = 0; d < nd; d++) spatial.v[d] = size->v[2 + d];
    wn_tensor *parts[4];
    for (int d = 0; d < nd; d++) { /* x first: the last dimension */
        wn_dims shape = {.n = nd};
        for (int k = 0; k < nd; k++) shape.v[k] = k == nd - 1 - d ? spatial.v[k] : 1;
        parts[d] = wn_expand(wn_reshape(centres(shape.v[nd - 1 - d], type, align), shape), spatial);
    }
    parts[nd] = wn_ones(spatial, .dtype = type);
    return wn_reshape(wn_stack(((wn_list){.n = nd + 1, .v = parts}), .dim = WN_VAL(nd)), WN_DIMS(-1, nd + 1));
}

static wn_status check_size(wn__call *c, const wn_dims *s, const wn_tensor *t) {
    if (s->n != 4 && s->n != 5)
        return wn__fail_op(c, WN_E_RUNTIME, "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) size, but got %s", wn__dims_text(s->v, s->n > 0 ? s->n : 0));
    for (int d = 2; d < s->n; d++)
        if (s->v[d] < 0) return wn__fail_op(c, WN_E_RUNTIME, "negative size: %s", wn__dims_text(s->v, s->n));
    if (!wn__is_float(t->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "not implemented for '%s'", wn__dtype_word(t->dtype));
    return WN_OK;
}

/* [N, (D,) H, W, 2 or 3] */
static wn_dims grid_of(const wn_dims *s) {
    wn_dims grid = {.n = s->n};
    grid.v[0] = s->v[0];
    for (int d = 2; d < s->n; d++) grid.v[d - 1] = s->v[d];
    grid.v[s->n - 1] = s->n - 2;
    return grid;
}

wn_status wn__infer_affine_grid_generator(wn__call *c, wn_tensor *theta, const wn_dims *size) {
    const wn_dims *s = size;
    const int nd = s->n - 2;
    const wn_status st = check_size(c, s, theta);
    if (st) return st;
    if (theta->ndim != 3 || theta->shape[0] != s->v[0] || theta->shape[1] != nd || theta->shape[2] != nd + 1)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected a batch of affine matrices of shape [%lld, %d, %d] for size %s, but got %s", (long long)s->v[0], nd, nd + 1,
                           wn__dims_text(s->v, s->n), wn__desc(theta));
    const wn_dims grid = grid_of(s);
    c->may_wait = true;
    return wn__result(c, 0, (wn_dtype)theta->dtype, grid.n, grid.v, NULL);
}
wn_status wn__run_affine_grid_generator(wn__call *c, wn_tensor *theta, const wn_dims *size, bool align_corners) {
    WN_SCOPE(scope);
    wn_tensor *map = wn_transpose(wn_detach(theta), 1, 2);
    return wn__give(c, 0, wn_reshape(wn_matmul(base(size, wn_dtype_of(theta), align_corners), map), grid_of(size)));
}

wn_status wn__infer_affine_grid_generator_backward(wn__call *c, wn_tensor *g, const wn_dims *size) {
    const wn_dims *s = size;
    const int nd = s->n - 2;
    const wn_status st = check_size(c, s, g);
    if (st) return st;
    bool fits = g->ndim == s->n && g->shape[0] == s->v[0] && g->shape[1 + nd] == nd;
    for (int d = 0; fits && d < nd; d++) fits = g->shape[1 + d] == s->v[2 + d];
    if (!fits) return wn__fail_op(c, WN_E_RUNTIME, "gradient %s does not fit size %s", wn__desc(g), wn__dims_text(s->v, s->n));
    c->may_wait = true;
    return wn__result(c, 0, (wn_dtype)g->dtype, 3, (const int64_t[]){s->v[0], nd, nd + 1}, NULL);
}
wn_status wn__run_affine_grid_generator_backward(wn__call *c) {
    const wn_affine_grid_generator_backward_args *a = c->args;
    const wn_dims *s = &a->size;
    const int nd = s->n - 2;
    int64_t places = 1;
    for (int d = 0; d < nd; d++) places *= s->v[2 + d]; /* of a tensor that there is */
    WN_SCOPE(scope);
    wn_tensor *rows = wn_reshape(wn_detach(a->grad), WN_DIMS(s->v[0], places, nd)); /* [N, places, nd] */
    return wn__give(c, 0, wn_matmul(wn_transpose(rows, 1, 2), base(s, wn_dtype_of(a->grad), a->align_corners)));
}
