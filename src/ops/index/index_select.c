/* Rows whose index is one-dimensional: index_select, index_add, index_copy. */
#include "ops/index/index.h"

/* One dimension or none, of a known dtype. */
static wn_status check_vector(wn__call *c, const wn_tensor *index, bool narrow) {
    wn_status st = wn__ix_dtype(c, index, narrow);
    if (!st && index->ndim > 1) st = wn__fail_op(c, WN_E_INDEX, "index is supposed to be a vector, but got %s", wn__desc(index));
    return st;
}

/* The index space of a table and a vector: the table's shape with the index's length along dim. */
static void space(wn__ix *x, const wn_tensor *table, int dim, const wn_tensor *index) {
    x->ndim = wn__ndim1(table);
    x->along = dim;
    for (int d = 0; d < x->ndim; d++) {
        x->shape[d] = d == dim ? index->numel : wn__size1(table, d);
        x->index[d] = d == dim && index->ndim ? index->strides[0] : 0;
    }
    x->index_base = (const int64_t *)(const void *)wn__ptr(index);
}

wn_status wn__infer_index_select(wn__call *c, wn_tensor *t, int64_t dim_given, wn_tensor *index) {
    wn_status st = check_vector(c, index, true);
    if (st) return st;
    int dim = wn__wrap_dim(c->op->name, dim_given, t->ndim);
    if (dim < 0) return c->th->error;
    if (t->ndim == 0 && index->numel != 1)
        return wn__fail_op(c, WN_E_RUNTIME, "index to scalar can have only 1 value, got %lld value(s)", (long long)index->numel);
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, t->shape, sizeof shape);
    if (t->ndim) shape[dim] = index->numel;
    return wn__result(c, 0, (wn_dtype)t->dtype, t->ndim, shape, NULL);
}
wn_status wn__run_index_select(wn__call *c, wn_tensor *t, int64_t dim_given, wn_tensor *index_given) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, t->ndim);
    WN__OWNED wn_tensor *index = wn__ix_read(c, index_given);
    if (!index) return c->th->error;
    /* A fresh result may be half written when a bad index turns up; out= may not. An empty one would never look. */
    wn_status st = c->target || t->numel == 0 ? wn__ix_check(c, WN_E_INDEX, index, t, dim, wn__size1(t, dim)) : WN_OK;
    if (!st) {
        wn__ix x = {.mode = WN__IX_GATHER};
        space(&x, t, dim, index);
        wn__ix_set(&x, t, c->out[0], NULL, dim);
        if (!wn__ix_run(&x)) st = wn__ix_check(c, WN_E_INDEX, index, t, dim, wn__size1(t, dim));
    }
    return st;
}

/* ------------------------------------------------------------------ index_add */

/* Do self and source agree outside dim? */
static bool slices_agree(const wn_tensor *self, const wn_tensor *source, int dim) {
    if (self->ndim != source->ndim) return false;
    for (int d = 0; d < self->ndim; d++)
        if (d != dim && self->shape[d] != source->shape[d]) return false;
    return true;
}

wn_status wn__infer_index_add(wn__call *c, wn_tensor *self, int64_t dim_given, wn_tensor *index, wn_tensor *source,
                              wn_val alpha) {
    wn_status st = check_vector(c, index, true);
    if (st) return st;
    if (self->dtype != source->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "self (%s) and source (%s) must have the same scalar type", wn__desc(self), wn__desc(source));
    int dim = wn__wrap_dim(c->op->name, dim_given, self->ndim);
    if (dim < 0) return c->th->error;
    if (!slices_agree(self, source, dim))
        return wn__fail_op(c, WN_E_RUNTIME, "source tensor shape must match self tensor shape, excluding the specified dimension. Got self = %s, "
                           "source = %s", wn__desc(self), wn__desc(source));
    if (index->numel != wn__size1(source, dim))
        return wn__fail_op(c, WN_E_RUNTIME, "number of indices (%lld) should be equal to source.size(dim) (%lld), for dim: %d", (long long)index->numel,
                           (long long)wn__size1(source, dim), dim);
    return alpha.kind == WN_VAL_TENSOR ? wn__fail_op(c, WN_E_TYPE, "alpha must be a number") : wn__ix_infer(c, self);
}
wn_status wn__run_index_add(wn__call *c, wn_tensor *self, int64_t dim_given, wn_tensor *index_given, wn_tensor *source,
                            wn_val alpha) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, self->ndim);
    const bool scatters = self->ndim > 1 && index_given->dtype == WN_I64 && wn__f64_or(alpha, 1) == 1; /* in torch, whose error that decides */
    const wn_status outside = scatters ? WN_E_RUNTIME : WN_E_INDEX;
    WN__OWNED wn_tensor *index = wn__ix_read(c, index_given);
    WN__OWNED wn_tensor *from = index ? wn__ix_source(c, source) : NULL;
    wn_status st = from ? wn__ix_check(c, outside, index, self, dim, wn__size1(self, dim)) : c->th->error;
    wn_tensor *r = st ? NULL : wn__ix_result(c, self);
    if (r) {
        wn__ix x = {.alpha = alpha};
        space(&x, self, dim, index);
        st = wn__ix_add(c, &x, r, from, NULL);
    } else if (!st) {
        st = c->th->error;
    }
    return st;
}

/* ------------------------------------------------------------------ index_copy */

static wn_status check_copy(wn__call *c, const wn_tensor *self, const wn_tensor *index, const wn_tensor *source, int dim) {
    if (source->ndim == 0 && index->numel != 1)
        return wn__fail_op(c, WN_E_INDEX, "when source is scalar, index should have one element (got %lld)", (long long)index->numel);
    if (source->ndim && self->ndim && source->ndim != self->ndim)
        return wn__fail_op(c, WN_E_INDEX, "when source and destination are not scalars, their dimensionality must match: %s and %s", wn__desc(source),
                           wn__desc(self));
    if (self->dtype != source->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "self and source expected to have the same dtype, but got %s and %s", wn__desc(self), wn__desc(source));
    bool agree = source->ndim <= 1 && self->ndim <= 1;
    if (!agree) agree = slices_agree(self, source, dim);
    if (!agree)
        return wn__fail_op(c, WN_E_RUNTIME, "source/destination tensor must have same slice shapes outside dimension %d: %s and %s", dim, wn__desc(source),
                           wn__desc(self));
    if (source->ndim && index->numel != source->shape[dim])
        return wn__fail_op(c, WN_E_INDEX, "number of indices (%lld) should be equal to source.size(dim) (%lld)", (long long)index->numel,
                           (long long)source->shape[dim]);
    return WN_OK;
}

wn_status wn__infer_index_copy(wn__call *c, wn_tensor *self, int64_t dim_given, wn_tensor *index, wn_tensor *source) {
    wn_status st = check_vector(c, index, false);
    if (st) return st;
    int dim = wn__wrap_dim(c->op->name, dim_given, self->ndim);
    if (dim < 0) return c->th->error;
    st = check_copy(c, self, index, source, dim);
    return st ? st : wn__ix_infer(c, self);
}
wn_status wn__run_index_copy(wn__call *c, wn_tensor *self, int64_t dim_given, wn_tensor *index_given,
                             wn_tensor *source) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, self->ndim);
    WN__OWNED wn_tensor *index = wn__ix_read(c, index_given);
    WN__OWNED wn_tensor *from = index ? wn__ix_source(c, source) : NULL;
    wn_status st = from ? wn__ix_check(c, WN_E_INDEX, index, self, dim, wn__size1(self, dim)) : c->th->error;
    wn_tensor *r = st ? NULL : wn__ix_result(c, self);
    if (r) {
        wn__ix x = {.mode = WN__IX_SCATTER};
        space(&x, self, dim, index);
        wn__ix_set(&x, r, from, NULL, dim);
        wn__ix_run(&x);
    } else if (!st) {
        st = c->th->error;
    }
    return st;
}

/* ------------------------------------------------------------------ index_fill */

/* A copy of the value, a 0-d tensor, for every element of the slices; negative positions count from the end. */
static wn_status fill(wn__call *c, wn_tensor *self, int64_t dim_given, wn_tensor *index, wn_tensor *value) {
    wn_status st = check_vector(c, index, false);
    int dim = st ? -1 : wn__wrap_dim(c->op->name, dim_given, self->ndim);
    if (dim < 0) return c->th->error;
    const int64_t size = wn__size1(self, dim);
    wn_dims shape = wn_shape(self);
    if (self->ndim) shape.v[dim] = index->numel;
    else shape = WN_DIMS(index->numel);
    wn_tensor *at = index->numel ? wn_where(wn_lt(index, 0), wn_add(index, size), index) : index;
    return wn__give(c, 0, wn_index_copy(self, dim, at, wn_expand(value, shape)));
}
wn_status wn__op_index_fill(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_val value) {
    if (wn__check_number(c, (wn_dtype)self->dtype, value)) return c->th->error;
    return fill(c, self, dim, index, wn_full(WN_0D, value, .dtype = (wn_dtype)self->dtype));
}
wn_status wn__op_index_fill_tensor(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *value) {
    if (value->ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "index_fill_ only supports a 0-dimensional value tensor, but got tensor with %d dimension(s).", value->ndim);
    return fill(c, self, dim, index, wn_to(value, (wn_dtype)self->dtype));
}

/* ------------------------------------------------------------------ its gradient */

/* Which positions of the index wrote last: the others' values are gone, and so are their gradients. (PyTorch sends the gradient
 * to all of them.) A bool vector, or NULL when no position repeats. */
wn_tensor *wn__last_writers(wn_tensor *index, int64_t size) {
    wn_tensor *position = wn_arange(wn_numel(index));
    wn_tensor *flat = wn_reshape(index, WN_DIMS(wn_numel(index)));
    wn_tensor *writer = wn_index_copy(wn_zeros(WN_DIMS(size), .dtype = WN_I64), 0, flat, position);
    wn_tensor *last = wn_eq(wn_index_select(writer, 0, flat), position);
    const uint8_t *p = wn_data(last);
    if (!p) return wn_ok(last) ? NULL : last;
    for (int64_t i = 0; i < wn_numel(last); i++)
        if (!p[i]) return last;
    return NULL;
}

void wn__vjp_index_copy(wn__gradctx *c, int64_t dim_given, wn_tensor *index) {
    wn_dims from = wn__input_shape(c, 2), self = wn__input_shape(c, 0);
    int n = self.n > 0 ? self.n : 1, dim = (int)(dim_given < 0 ? dim_given + n : dim_given);
    if (c->need & 1 && c->g[0]->contiguous)
        c->gin[0] = wn_index_copy(c->g[0], dim_given, index, wn_zeros(from.n ? from : WN_0D, .dtype = wn_dtype_of(c->g[0])));
    else if (c->need & 1)
        c->gin[0] = wn_index_fill(c->g[0], dim_given, index, 0); /* the same, but it lies as g does */
    if (!(c->need >> 2 & 1)) return;
    wn_tensor *last = wn__last_writers(index, self.n > 0 ? self.v[dim] : 1), *g = c->g[0];
    if (self.n <= 0) g = wn_reshape(g, WN_DIMS(1));
    g = wn_index_select(g, dim, index);
    if (last) {
        wn_dims beside = {.n = n};
        for (int d = 0; d < n; d++) beside.v[d] = d == dim ? wn_numel(index) : 1;
        g = wn_where(wn_reshape(last, beside), g, 0);
    }
    c->gin[2] = wn_reshape(g, from.n ? from : WN_0D);
}
