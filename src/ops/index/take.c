/* take, put: elements by their position in the flattened tensor. */
#include "base/alloc.h"
#include "base/counters.h"
#include "base/inline.h"
#include "base/threads.h"
#include "ops/index/index.h"

enum { PART = 1 << 13 };

/* ------------------------------------------------------------------ positions */

typedef struct positions {
    const int64_t *index; /* n of them */
    int64_t *places;      /* NULL: take */
    const wn_tensor *t;
    char *to;             /* take: the result */
    size_t size;
    _Atomic bool missed;
} positions;

/* Element offset of position v (in [0, numel)). */
static inline int64_t place_of(const wn_tensor *t, int64_t v) {
    if (t->contiguous) return v;
    int64_t at = 0;
    for (int d = t->ndim - 1; d >= 0; d--) {
        at += v % t->shape[d] * t->strides[d];
        v /= t->shape[d];
    }
    return at;
}

static void resolve(void *ctx, int64_t begin, int64_t end) {
    positions *x = ctx;
    const int64_t n = x->t->numel;
    for (int64_t i = begin; i < end; i++) x->places[i] = place_of(x->t, x->index[i] < 0 ? x->index[i] + n : x->index[i]);
}

/* False: an index was out of range. */
INLINE bool take_each(const positions *x, const char *from, int64_t begin, int64_t end, const size_t size) {
    const wn_tensor *const t = x->t;
    const int64_t n = t->numel, *const index = x->index;
    char *const to = x->to;
    bool all = true;
    for (int64_t i = begin; i < end; i++) {
        int64_t v = index[i];
        if (v < 0) v += n;
        if ((uint64_t)v >= (uint64_t)n) all = false;
        else wn__copy_element(to + i * (int64_t)size, from + place_of(t, v) * (int64_t)size, size);
    }
    return all;
}
static void take_part(void *ctx, int64_t begin, int64_t end) {
    positions *x = ctx;
    const char *from = wn__ptr(x->t);
    const bool all = WITH_SIZE(x->size, take_each, x, from, begin, end);
    if (!all) atomic_store_explicit(&x->missed, true, memory_order_relaxed);
}

static wn_status out_of_range(wn__call *c, const int64_t *index, int64_t n, int64_t numel) {
    for (int64_t i = 0; i < n; i++)
        if (index[i] < -numel || index[i] >= numel)
            return wn__fail_op(c, WN_E_INDEX, "out of range: tried to access index %lld on a tensor of %lld elements.", (long long)index[i], (long long)numel);
    return WN_OK;
}

static wn_status check_index(wn__call *c, const wn_tensor *self, const wn_tensor *index) {
    if (index->dtype != WN_I64) return wn__fail_op(c, WN_E_RUNTIME, "Expected a long tensor for index, but got %s", wn__desc(index));
    if (self->numel == 0 && index->numel) return wn__fail_op(c, WN_E_INDEX, "tried to %s an empty tensor", c->inplace ? "put elements into" : "take from");
    return WN_OK;
}

wn_status wn__infer_take(wn__call *c, wn_tensor *self, wn_tensor *index) {
    const wn_status st = check_index(c, self, index);
    return st ? st : wn__result(c, 0, (wn_dtype)self->dtype, index->ndim, index->shape, NULL);
}
wn_status wn__run_take(wn__call *c, wn_tensor *self, wn_tensor *index_given) {
    wn_tensor *index = wn__contiguous_raw(index_given), *r = c->out[0];
    if (!index) return wn__fail_memory(c->op->name);
    const int64_t *p = (const int64_t *)(const void *)wn__ptr(index);
    /* a fresh result may be half written when one out of range turns up */
    wn_status st = c->target ? out_of_range(c, p, index->numel, self->numel) : WN_OK;
    if (!st && r->numel) {
        positions x = {.index = p, .t = self, .to = wn__ptr(r), .size = wn__dtype_size(r->dtype)};
        atomic_init(&x.missed, false);
        wn__parallel(r->numel, PART, take_part, &x);
        wn__count(r->numel);
        if (atomic_load(&x.missed)) st = out_of_range(c, p, index->numel, self->numel);
    }
    wn__release(index);
    return st;
}

/* ------------------------------------------------------------------ put */

/* Places as element offsets in t, for positions that have been found in range; owned, NULL when memory is short. */
static wn_tensor *places_in(const wn_tensor *t, wn_tensor *index, bool plain) {
    if (plain && t->contiguous) return wn__retain(index);
    wn_tensor *places = wn__tensor_new(WN_I64, 1, &index->numel, NULL);
    if (!places) return NULL;
    positions x = {.index = (const int64_t *)(const void *)wn__ptr(index), .places = (int64_t *)(void *)wn__ptr(places), .t = t};
    wn__parallel(index->numel, PART, resolve, &x);
    return places;
}

/* One line of places: the walk of scatter and index_add. */
static void write_line(const wn_tensor *t, const wn_tensor *places, const wn_tensor *source, bool accumulate) {
    const int64_t size = (int64_t)wn__dtype_size(t->dtype);
    int64_t span = 1;
    for (int d = 0; d < t->ndim; d++) span += (t->shape[d] - 1) * t->strides[d];
    wn__ix x = {.mode = accumulate ? WN__IX_ADD : WN__IX_SCATTER, .dtype = (wn_dtype)t->dtype, .ndim = 1, .along = 0, .step = size, .limit = span,
                .table_base = wn__ptr(t), .slices_base = wn__ptr(source), .index_base = (const int64_t *)(const void *)wn__ptr(places)};
    x.shape[0] = places->numel;
    x.slices[0] = size;
    x.index[0] = 1;
    wn__ix_run(&x);
}

/* Sums of narrow floats go through f32 and are rounded once, as in index_add. */
static wn_status put(wn__call *c, wn_tensor *self, wn_tensor *index, wn_tensor *source, bool accumulate) {
    const bool narrow = accumulate && (self->dtype == WN_F16 || self->dtype == WN_BF16);
    const int64_t *at = (const int64_t *)(const void *)wn__ptr(index);
    const bool plain = wn__ix_first_outside(at, 1, index->numel, self->numel) == index->numel; /* none counted from the end */
    wn_status st = plain ? WN_OK : out_of_range(c, at, index->numel, self->numel);
    wn_tensor *r = st ? NULL : wn__ix_result(c, self);
    if (!r) return st ? st : c->th->error;
    WN__OWNED wn_tensor *table = narrow ? wn__to_dtype_raw(r, WN_F32) : wn__retain(r), *same = narrow ? wn__to_dtype_raw(source, WN_F32) : wn__retain(source);
    WN__OWNED wn_tensor *from = same ? wn__contiguous_raw(same) : NULL;
    WN__OWNED wn_tensor *places = table ? places_in(table, index, plain) : NULL;
    if (from && places) write_line(table, places, from, accumulate);
    else st = wn__fail_memory(c->op->name);
    if (!st && narrow) st = wn__copy(r, table);
    return st;
}

wn_status wn__infer_put(wn__call *c, wn_tensor *self, wn_tensor *index, wn_tensor *source) {
    wn_status st = check_index(c, self, index);
    if (st) return st;
    if (self->dtype != source->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "self and source expected to have the same dtype, but got self.dtype = %s and source.dtype = %s", wn_dtype_name((wn_dtype)self->dtype),
                           wn_dtype_name((wn_dtype)source->dtype));
    if (source->numel != index->numel)
        return wn__fail_op(c, WN_E_INDEX, "Expected source and index to have the same number of elements, but got source.numel() = %lld, index.numel() = %lld",
                           (long long)source->numel, (long long)index->numel);
    return wn__ix_infer(c, self);
}
wn_status wn__run_put(wn__call *c, wn_tensor *self, wn_tensor *index_given, wn_tensor *source_given, bool accumulate) {
    if (index_given->numel == 0) return wn__ix_result(c, self) ? WN_OK : c->th->error;
    WN__OWNED wn_tensor *safe = wn__ix_read(c, index_given), *index = safe ? wn__contiguous_raw(safe) : NULL;
    WN__OWNED wn_tensor *source = index ? wn__ix_source(c, source_given) : NULL;
    return source ? put(c, self, index, source, accumulate) : c->th->error ? c->th->error : wn__fail_memory(c->op->name);
}

/* Of several sources of one place only the last is still there, so only it gets the gradient. (PyTorch gives it to all.) */
void wn__vjp_put(wn__gradctx *c, wn_tensor *index, bool accumulate) {
    wn_tensor *g = c->g[0];
    if (c->need & 1) c->gin[0] = accumulate ? g : wn_put(g, index, wn_zeros(wn_shape(index), .dtype = wn_dtype_of(g)));
    if (!(c->need >> 2 & 1)) return;
    wn_dims shape = wn__input_shape(c, 2);
    wn_tensor *got = wn_take(g, index);
    if (!accumulate && wn_numel(index)) {
        wn_tensor *last = wn__last_writers(wn_where(wn_lt(index, 0), wn_add(index, wn_numel(g)), index), wn_numel(g));
        if (last) got = wn_where(wn_reshape(last, wn_shape(index)), got, 0);
    }
    c->gin[2] = wn_reshape(got, shape.n ? shape : WN_0D);
}

/* ------------------------------------------------------------------ take_along_dim, argwhere */

wn_status wn__op_take_along_dim(wn__call *c, wn_tensor *self, wn_tensor *index, wn_val dim_given) {
    if (index->dtype != WN_I64) return wn__fail_op(c, WN_E_RUNTIME, "dtype of indices should be Long but got %s", wn__desc(index));
    int dim = 0;
    if (dim_given.kind == WN_VAL_NONE) {
        self = wn_reshape(self, WN_DIMS(-1));
        index = wn_reshape(index, WN_DIMS(-1));
        if (!wn_ok(self) || !wn_ok(index)) return c->th->error;
    } else if (self->ndim == 0 && index->ndim == 0) {
        return wn__fail_op(c, WN_E_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)wn__val_i64(dim_given));
    } else if (self->ndim != index->ndim) {
        return wn__fail_op(c, WN_E_RUNTIME, "input and indices should have the same number of dimensions, but got %d dimensions for input, and %d dimensions for indices",
                           self->ndim, index->ndim);
    } else if ((dim = wn__wrap_dim(c->op->name, wn__val_i64(dim_given), self->ndim)) < 0) {
        return c->th->error;
    }
    wn_dims wide = wn_shape(self), want = wn_shape(index);
    for (int d = 0; d < wn_ndim(self); d++) {
        if (d == dim) continue;
        const int64_t n = self->shape[d], m = index->shape[d];
        if (n != m && n != 1 && m != 1)
            return wn__fail_op(c, WN_E_RUNTIME, "The size of tensor a (%lld) must match the size of tensor b (%lld) at non-singleton dimension %d", (long long)n, (long long)m, d);
        wide.v[d] = want.v[d] = n == 1 ? m : n;
    }
    const int64_t size = wn__size1(self, dim);
    if (wn_numel(index)) index = wn_where(wn_lt(index, 0), wn_add(index, size), index);
    return wn__give(c, 0, wn_gather(wn_expand(self, wide), dim, wn_expand(index, want)));
}

/* self as fill_ may have it: its elements do not matter, its history does. */
static wn_tensor *to_fill(wn_tensor *self) { return wn_grad_enabled() && wn_needs_grad(self) ? wn_clone(self) : wn_empty_like(self); }

wn_status wn__op_filled(wn__call *c, wn_tensor *self, wn_val value) {
    if (wn__check_number(c, (wn_dtype)self->dtype, value)) return c->th->error;
    return wn__give(c, 0, wn_fill_(to_fill(self), value));
}
wn_status wn__op_filled_tensor(wn__call *c, wn_tensor *self, wn_tensor *value) {
    if (value->ndim) return wn__fail_op(c, WN_E_RUNTIME, "fill only supports 0-dimension value tensor but got tensor with %d dimensions.", value->ndim);
    return wn__give(c, 0, wn_fill_tensor_(to_fill(self), value));
}
