/* Rows whose index has the table's number of dimensions: gather, scatter, scatter_add. */
#include "ops/index/index.h"

/* The index may be smaller than t in every dimension but dim, where it is free. */
static bool no_larger(const wn_tensor *index, const wn_tensor *t, int except) {
    for (int d = 0; d < wn__ndim1(index); d++)
        if (d != except && wn__size1(index, d) > wn__size1(t, d)) return false;
    return true;
}

static void space(wn__ix *x, const wn_tensor *index, int dim) {
    x->ndim = wn__ndim1(index);
    x->along = dim;
    for (int d = 0; d < x->ndim; d++) x->shape[d] = wn__size1(index, d);
}

wn_status wn__infer_gather(wn__call *c, wn_tensor *t, int64_t dim_given, wn_tensor *index_given) {
    int dim = wn__wrap_dim(c->op->name, dim_given, t->ndim);
    if (dim < 0) return c->th->error;
    wn_status st = index_given->numel ? wn__ix_dtype(c, index_given, true) : WN_OK; /* torch lets an empty index be of any dtype */
    if (st) return st;
    if (index_given->numel) {
        if (wn__ndim1(t) != wn__ndim1(index_given))
            return wn__fail_op(c, WN_E_RUNTIME, "index tensor must have the same number of dimensions as input tensor: %s and %s", wn__desc(index_given),
                               wn__desc(t));
        if (!no_larger(index_given, t, dim))
            return wn__fail_op(c, WN_E_RUNTIME, "size does not match: expected index %s to be no larger than self %s apart from dimension %d",
                               wn__desc(index_given), wn__desc(t), dim);
    }
    return wn__result(c, 0, (wn_dtype)t->dtype, index_given->ndim, index_given->shape, NULL);
}
wn_status wn__run_gather(wn__call *c, wn_tensor *t, int64_t dim_given, wn_tensor *index_given) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, t->ndim);
    wn_tensor *index = wn__ix_read(c, index_given), *r = c->out[0];
    if (!index) return c->th->error;
    wn_status st = c->target ? wn__ix_check(c, WN_E_RUNTIME, index, t, dim, wn__size1(t, dim)) : WN_OK;
    if (!st && r->numel) {
        wn__ix x = {.mode = WN__IX_GATHER};
        space(&x, index, dim);
        wn__ix_set(&x, t, r, index, dim);
        if (!wn__ix_run(&x)) st = wn__ix_check(c, WN_E_RUNTIME, index, t, dim, wn__size1(t, dim));
    }
    wn__release(index);
    return st;
}

/* ------------------------------------------------------------------ scatter, scatter_add: their args are alike */

static wn_status check_scatter(wn__call *c, const wn_tensor *self, const wn_tensor *index, const wn_tensor *src, int dim) {
    wn_status st = index->numel ? wn__ix_dtype(c, index, true) : WN_OK; /* as in gather */
    if (st) return st;
    if (self->dtype != src->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "expected self.dtype to be equal to src.dtype, but got %s and %s", wn__desc(self), wn__desc(src));
    if (index->numel == 0) return WN_OK;
    if (wn__ndim1(self) != wn__ndim1(index) || wn__ndim1(src) != wn__ndim1(index))
        return wn__fail_op(c, WN_E_RUNTIME, "index tensor must have the same number of dimensions as self and src: %s, %s and %s", wn__desc(index),
                           wn__desc(self), wn__desc(src));
    if (!no_larger(index, self, dim) || !no_larger(index, src, -1))
        return wn__fail_op(c, WN_E_RUNTIME, "expected index %s to be no larger than self %s apart from dimension %d and to be no larger size than src %s",
                           wn__desc(index), wn__desc(self), dim, wn__desc(src));
    return WN_OK;
}

wn_status wn__infer_scatter(wn__call *c, wn_tensor *self, int64_t dim_given, wn_tensor *index, wn_tensor *src) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, self->ndim);
    return dim < 0 || check_scatter(c, self, index, src, dim) ? c->th->error : wn__ix_infer(c, self);
}

wn_status wn__run_scatter(wn__call *c, wn_tensor *self, int64_t dim_given, wn_tensor *places, wn_tensor *src, bool add) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, self->ndim);
    WN__OWNED wn_tensor *index = wn__ix_read(c, places);
    if (!index) return c->th->error;
    WN__OWNED wn_tensor *from = wn__ix_source(c, src);
    const bool narrow = add && (self->dtype == WN_F16 || self->dtype == WN_BF16), checks = !narrow && wn__ix_walk_checks(c, index);
    wn_status st = !from ? c->th->error : checks ? WN_OK : wn__ix_check(c, WN_E_RUNTIME, index, self, dim, wn__size1(self, dim));
    wn__ix x = {.mode = add ? WN__IX_ADD : WN__IX_SCATTER};
    space(&x, index, dim);
    wn_tensor *r = st ? NULL : narrow ? wn__ix_result(c, self) : wn__ix_begin(c, &x, self, from, index, dim);
    if (!r && !st) st = c->th->error;
    if (r && index->numel) {
        if (narrow) st = wn__ix_add(c, &x, r, from, index);
        else if (!wn__ix_run(&x) && checks) st = wn__ix_check(c, WN_E_RUNTIME, index, self, dim, wn__size1(self, dim));
    }
    return st;
}

/* ------------------------------------------------------------------ gradients */

wn_tensor *wn__ix_in_corner(wn_tensor *g, wn_dims src) {
    int n = src.n > 0 ? src.n : 0;
    if (wn_ndim(g) != n) return wn_numel(g) == 0 ? wn_zeros(n ? src : WN_0D, .dtype = wn_dtype_of(g)) : wn_reshape(g, n ? src : WN_0D);
    for (int d = n - 1; d >= 0; d--) {
        wn_dims wider = wn_shape(g);
        int64_t length = wn_size(g, d);
        wider.v[d] = src.v[d];
        if (length != src.v[d]) g = wn_slice_backward(g, wider, d, 0, length, 1);
    }
    return g;
}

void wn__vjp_scatter_add(wn__gradctx *c, int64_t dim, wn_tensor *index) {
    if (c->need & 1) c->gin[0] = c->g[0];
    if (c->need >> 2 & 1) c->gin[2] = wn__ix_in_corner(wn_gather(c->g[0], dim, index), wn__input_shape(c, 2));
}

/* Of several sources of one place only the last is still there, so only it gets the gradient. (PyTorch gives it to all.) */
void wn__vjp_scatter(wn__gradctx *c, int64_t dim_given, wn_tensor *index) {
    wn_tensor *g = c->g[0];
    wn_dims shape = wn_shape(index), self = wn__input_shape(c, 0);
    if (c->need & 1) c->gin[0] = wn_scatter(g, dim_given, index, wn_expand(wn_zeros(WN_0D, .dtype = wn_dtype_of(g)), shape));
    if (!(c->need >> 2 & 1)) return;
    wn_tensor *got = wn_gather(g, dim_given, index);
    if (wn_numel(index)) {
        wn_dims line = {.n = shape.n}; /* the writers of a place differ along dim only */
        const int nd = wn_ndim(index);
        const int64_t dim = dim_given < 0 ? dim_given + nd : dim_given, n = nd ? wn_size(index, (int)dim) : 1;
        for (int d = 0; d < nd; d++) line.v[d] = d == dim ? n : 1;
        const wn_dtype type = n > INT32_MAX ? WN_I64 : WN_I32;
        wn_tensor *position = wn_expand(wn_reshape(wn_arange(n, .dtype = type), line), shape);
        wn_tensor *writer = wn_scatter(wn_zeros(self.n ? self : WN_0D, .dtype = type), dim_given, index, position);
        got = wn_where(wn_eq(wn_gather(writer, dim_given, index), position), got, 0);
    }
    c->gin[2] = wn__ix_in_corner(got, wn__input_shape(c, 2));
}
