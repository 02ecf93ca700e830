/* x[i, j, mask ...] = v: the row index_put, and its gradient. */
#include "base/alloc.h"
#include "grad/support.h"
#include "ops/index/advanced.h"

/* ------------------------------------------------------------------ values */

static wn_status check_values(const wn__choice *x, wn__call *c, const wn_tensor *values) {
    int shift = x->ndim - values->ndim;
    bool fits = shift >= 0;
    for (int d = 0; fits && d < values->ndim; d++) fits = values->shape[d] == 1 || values->shape[d] == x->shape[d + shift];
    return fits ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result of shape %s",
                                      wn__dims_text(values->shape, values->ndim), wn__dims_text(x->shape, x->ndim));
}

/* The values' element strides over the result's shape. */
static void spread(const wn__choice *x, const wn_tensor *values, int64_t *strides) {
    wn__broadcast_strides(values, x->ndim, x->shape, strides);
    for (int d = 0; d < x->ndim; d++) strides[d] /= (int64_t)wn__dtype_size(values->dtype);
}

/* Do the positions follow one another in the values with one stride? */
static bool in_line(const wn__choice *x, const int64_t *strides, int64_t *step) {
    int inner = -1;
    *step = 0;
    for (int d = x->at + x->width - 1; d >= x->at; d--) {
        if (x->shape[d] == 1) continue;
        if (inner < 0) *step = strides[d];
        else if (strides[d] != strides[inner] * x->shape[inner]) return false;
        inner = d;
    }
    return true;
}

/* The values written out in the result's shape; owned, NULL when memory is short. */
static wn_tensor *write_out(const wn__choice *x, const wn_tensor *values) {
    int64_t strides[WN_MAX_DIMS];
    spread(x, values, strides);
    WN__OWNED wn_tensor *wide = wn__tensor_view(values, x->ndim, x->shape, strides, values->offset);
    wn_tensor *r = wide ? wn__tensor_new((wn_dtype)values->dtype, x->ndim, x->shape, NULL) : NULL;
    if (r && wn__copy(r, wide)) {
        wn__release(r);
        r = NULL;
    }
    return r;
}

/* ------------------------------------------------------------------ one mask */

/* x[mask] = v with one element v is masked_fill, which is fused with what comes before and after. Autograd has seen to the call
 * already. */
static wn_status fill(const wn__choice *x, wn__call *c, const wn_index_put_args *a) {
    const wn_tensor *v = a->values;
    wn_dtype from = (wn_dtype)v->dtype, to = (wn_dtype)a->self->dtype;
    const char *p = wn__ptr(v);
    wn_val value = wn__is_float(from) ? wn_val_of_float(wn__load_f64(from, p)) : wn_val_of_int(wn__load_i64(from, p));
    wn_status st = wn__check_number(c, to, value);
    if (st) return st;
    if (!wn__is_float(to) && value.kind == WN_VAL_FLOAT) value = wn_val_of_int(to == WN_BOOL ? value.u.f != 0 : (int64_t)value.u.f);
    const wn_tensor *mask = x->pickers[0].index;
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    int n = a->self->ndim - x->at; /* behind the mask's dimensions the mask is 1 wide */
    for (int d = 0; d < n; d++) {
        shape[d] = d < mask->ndim ? mask->shape[d] : 1;
        strides[d] = d < mask->ndim ? mask->strides[d] : 0;
    }
    wn_tensor *wide = wn__tensor_view(mask, n, shape, strides, mask->offset);
    if (!wide) return wn__fail_memory(c->op->name);
    WN_NO_GRAD();
    wn_tensor *r = c->inplace ? wn_masked_fill_(c->target, wide, value) : wn_masked_fill(a->self, wide, value);
    wn__release(wide);
    if (c->inplace) return wn_ok(r) ? WN_OK : c->th->error; /* it is c->out[0] already, and may wait */
    return wn__give(c, 0, r);
}

/* ------------------------------------------------------------------ any indices */

static wn_status write(wn__choice *x, wn__call *c, wn_tensor *table, const wn_tensor *values, bool accumulate);

/* Narrow floats: a long sum would stop growing, so it is kept in f32 and rounded once. */
static wn_status add_narrow(wn__choice *x, wn__call *c, wn_tensor *table, const wn_tensor *values) {
    WN__OWNED wn_tensor *sum = wn__to_dtype_raw(table, WN_F32), *wide = wn__to_dtype_raw(values, WN_F32);
    wn_status st = sum && wide ? write(x, c, sum, wide, true) : wn__fail_memory(c->op->name);
    if (!st) st = wn__copy(table, sum);
    return st;
}

/* Places may repeat, so the order counts: the walk of index_add and scatter, over offsets. strides: of the values. */
static void write_in_order(const wn__choice *x, const wn_tensor *table, const wn_tensor *values, const int64_t *strides, int64_t step, bool accumulate,
                           const int64_t *offsets, int64_t offset_stride) {
    const int64_t size = (int64_t)wn__dtype_size(table->dtype);
    wn__ix y = {.mode = accumulate ? WN__IX_ADD : WN__IX_SCATTER, .dtype = (wn_dtype)table->dtype, .ndim = x->nrest + 1, .along = x->at,
                .step = x->unit * size, .limit = x->span, .table_base = wn__ptr(table) + x->low * size, .slices_base = wn__ptr(values),
                .index_base = offsets};
    for (int i = 0; i <= x->nrest; i++) {
        if (i == x->at) {
            y.shape[i] = x->n;
            y.slices[i] = step * size;
            y.index[i] = offset_stride;
            continue;
        }
        int r = i < x->at ? i : i - 1, d = x->rest[r], at = r < x->at ? r : r + x->width;
        y.shape[i] = table->shape[d];
        y.table[i] = table->strides[d] * size;
        y.slices[i] = strides[at] * size;
    }
    wn__ix_run(&y);
}

/* Nothing is written before all indices have been found in range. */
static wn_status write_anywhere(wn__choice *x, wn__call *c, const wn_tensor *table, const wn_tensor *values, const int64_t *strides, int64_t step,
                                bool accumulate) {
    int64_t stride;
    const int64_t *plain = wn__choice_plain(x, &stride);
    if (plain && !wn__overlap(x->pickers[0].index, table) && wn__choice_plain_in_range(x)) {
        write_in_order(x, table, values, strides, step, accumulate, plain, stride);
        return WN_OK;
    }
    size_t capacity;
    int64_t *offsets = wn__data_array(x->n, sizeof *offsets, &capacity);
    if (!offsets) return wn__fail_memory(c->op->name);
    bool ok = wn__choice_all_offsets(x, offsets);
    if (ok) write_in_order(x, table, values, strides, step, accumulate, offsets, 1);
    wn__data_free(offsets, capacity);
    return ok ? WN_OK : wn__choice_check(x, c);
}

static wn_status write(wn__choice *x, wn__call *c, wn_tensor *table, const wn_tensor *values, bool accumulate) {
    if (x->numel == 0) return WN_OK;
    if (accumulate && (table->dtype == WN_F16 || table->dtype == WN_BF16)) return add_narrow(x, c, table, values);
    const wn__picker *mask = wn__only_mask(x);
    if (mask && x->nrest == 0 && !accumulate && values->contiguous && values->numel == x->numel) {
        wn__mask_scatter(table, table->ndim, table->shape, &mask->mask, wn__ptr(values));
        return WN_OK;
    }
    if (!wn__choice_aim(x, table)) return wn__fail_memory(c->op->name);
    int64_t strides[WN_MAX_DIMS], step;
    spread(x, values, strides);
    if (mask) {
        wn__choice_walk(x, accumulate ? WN__IX_ADD : WN__IX_SCATTER, table, values, strides);
        return WN_OK;
    }
    wn_tensor *wide = NULL;
    if (!in_line(x, strides, &step)) {
        wide = write_out(x, values);
        if (!wide) return wn__fail_memory(c->op->name);
        spread(x, wide, strides);
        in_line(x, strides, &step);
    }
    wn_status st = write_anywhere(x, c, table, wide ? wide : values, strides, step, accumulate);
    wn__release(wide);
    return st;
}

static wn_status put(wn__choice *x, wn__call *c, const wn_index_put_args *a) {
    const wn__picker *mask = wn__only_mask(x);
    if (mask && mask->index->dtype == WN_BOOL && !a->accumulate && a->values->numel == 1) return fill(x, c, a); /* x[mask] = x[0] */
    wn_status st = wn__check_shared(c);
    if (!st) st = check_values(x, c, a->values);
    if (st) return st;
    if (a->self->dtype != a->values->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "Index put requires the source and destination dtypes match, got %s for the destination and %s for the source.",
                           wn_dtype_name((wn_dtype)a->self->dtype), wn_dtype_name((wn_dtype)a->values->dtype));
    if (c->target && !c->inplace) { /* out= would be half written when a bad index turns up */
        if (!wn__choice_aim(x, a->self)) return wn__fail_memory(c->op->name);
        if ((st = wn__choice_check(x, c))) return st;
    }
    wn_tensor *values = wn__ix_source(c, a->values), *self = a->self, *r = NULL;
    if (values && !wn__fill_results(c)) r = wn__ix_result(c, self);
    st = r ? write(x, c, r, values, a->accumulate) : c->th->error;
    wn__release(values);
    return st;
}

/* What masks choose is for .run to find: the result is self's like. One element under a mask is masked_fill's, which may wait. */
wn_status wn__infer_index_put(wn__call *c, wn_tensor *self, wn_list indices) {
    if (indices.n == 0) return wn__fail_op(c, WN_E_RUNTIME, "at least one index must be provided");
    c->may_wait = true;
    return wn__ix_infer(c, self);
}
wn_status wn__run_index_put(wn__call *c) {
    const wn_index_put_args *a = c->args;
    wn__choice *x = wn__choice_room(c, &a->indices);
    if (!x) return c->th->error;
    wn_status st = wn__choice_read(x, c, a->self, &a->indices);
    if (!st) st = put(x, c, a);
    wn__choice_drop(x);
    return st;
}

/* ------------------------------------------------------------------ gradient */

/* Which positions wrote last, in a shape that broadcasts with the result's (of ndim dimensions); NULL: no place repeats. */
static wn_tensor *last_writers(const wn_list *indices, wn_dims self, int ndim) {
    wn_tensor *given[WN_MAX_DIMS];
    wn_dims taken = WN_UNSET;
    int64_t total = 1;
    int n = 0, before = 0;
    bool together = true, gap = false;
    for (int64_t i = 0, dim = 0; i < indices->n; i++) {
        wn_tensor *t = indices->v[i];
        int64_t width = !t || (t->dtype != WN_BOOL && t->dtype != WN_U8) ? 1 : t->ndim;
        for (int64_t j = 0; t && j < width; j++) total *= taken.v[taken.n++] = self.v[dim + j];
        dim += width;
        if (!t && !n) before++;
        if (!t && n) gap = true;
        if (!t || width == 0) continue; /* a 0-d mask has no say */
        if (gap) together = false;
        given[n++] = t;
    }
    /* every position's place as one number */
    wn_tensor *places = wn_index(wn_reshape(wn_arange(total), taken), ((wn_list){.n = n, .v = given}));
    if (!wn_ok(places)) return places;
    wn_tensor *last = wn__last_writers(places, total);
    if (!last || !wn_ok(last)) return last;
    wn_dims shape = wn_shape(places);
    if (shape.n < 0) shape.n = 0;
    while (shape.n + (together ? before : 0) < ndim) shape.v[shape.n++] = 1;
    return wn_reshape(last, shape.n ? shape : WN_0D);
}

/* Of several values for one place only the last is still there, so only it gets the gradient. (PyTorch gives it to all.) */
static wn_tensor *of_values(const wn_index_put_args *a, wn_tensor *g, wn_tensor *mask, wn_dims self, wn_dims values) {
    wn_tensor *got = wn_index(g, a->indices);
    if (!a->accumulate && !mask && wn_ok(got) && wn_numel(got)) {
        wn_tensor *last = last_writers(&a->indices, self, wn_ndim(got));
        if (last) got = wn_where(last, got, 0);
    }
    if (values.n > wn_ndim(got)) got = wn_reshape(wn_sum(got), values); /* a fill's value may have dimensions of size 1 too many */
    return got;
}

void wn__vjp_index_put(wn__gradctx *c) {
    const wn_index_put_args *a = c->args;
    int values = 1 + (int)a->indices.n;
    wn_tensor *g = c->g[0], *mask = wn__mask_of_indices(&a->indices, wn_ndim(g));
    if (c->need & 1) {
        if (a->accumulate) c->gin[0] = g;
        else if (mask) c->gin[0] = wn__grad_support(c, 0, WN__IF_FALSE, mask, g, wn_val_none());
        else c->gin[0] = wn_index_put(g, a->indices, wn_zeros(WN_0D, .dtype = wn_dtype_of(g)));
    }
    if (wn__grad_wanted(c, values)) c->gin[values] = of_values(a, g, mask, wn__input_shape(c, 0), wn__input_shape(c, values));
}
