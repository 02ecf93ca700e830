/* Diagonals, windows, turns and repetitions. */
#include "base/alloc.h"
#include "ops/pointwise/pointwise.h"
#include "ops/view/view.h"

/* ------------------------------------------------------------------ diagonals */

wn_status wn__op_diag_embed(wn__call *c, wn_tensor *t, int64_t offset_given, int64_t dim1, int64_t dim2) {
    if (t->ndim == 0) return wn__fail_op(c, WN_E_INDEX, "Dimension specified as -1 but tensor has no dimensions");
    if (t->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS);
    const int n = t->ndim + 1, d1 = wn__wrap_dim(c->op->name, dim1, n), d2 = d1 < 0 ? -1 : wn__wrap_dim(c->op->name, dim2, n);
    if (d2 < 0) return c->th->error;
    if (d1 == d2) return wn__fail_op(c, WN_E_RUNTIME, "diagonal dimensions cannot be identical %d, %d", d1, d2);
    int64_t side = offset_given < 0 ? -(offset_given + 1) : offset_given; /* |offset|, or one less */
    bool over = false;
    side = wn__add(wn__add(side, t->shape[t->ndim - 1], &over), offset_given < 0, &over);
    if (over) return wn__fail_op(c, WN_E_MEMORY, "offset %lld is too large", (long long)offset_given);
    wn_dims to = {.n = n};
    for (int d = 0, from = 0; d < n; d++) to.v[d] = d == d1 || d == d2 ? side : t->shape[from++];
    return wn__give(c, 0, wn_diagonal_backward(t, to, offset_given, d1, d2));
}

/* ------------------------------------------------------------------ views */

wn_status wn__infer_unfold(wn__call *c) {
    const wn_unfold_args *a = c->args;
    const wn_tensor *t = a->self;
    const int d = wn__wrap_dim(c->op->name, a->dimension, t->ndim);
    if (d < 0) return c->th->error;
    const int64_t n = t->ndim ? t->shape[d] : 1;
    if (t->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS);
    if (a->size < 0) return wn__fail_op(c, WN_E_RUNTIME, "size is %lld but must be >= 0", (long long)a->size);
    if (a->size > n) return wn__fail_op(c, WN_E_RUNTIME, "maximum size for tensor at dimension %d is %lld but size is %lld", d, (long long)n, (long long)a->size);
    if (a->step <= 0) return wn__fail_op(c, WN_E_RUNTIME, "step is %lld but must be > 0", (long long)a->step);
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS], far;
    memcpy(shape, t->shape, sizeof shape);
    memcpy(strides, t->strides, sizeof strides);
    shape[t->ndim] = a->size;
    strides[t->ndim] = t->ndim ? t->strides[d] : 1;
    if (t->ndim) {
        shape[d] = wn__add_sat((n - a->size) / a->step, 1);
        if (__builtin_mul_overflow(strides[d], a->step, &far)) far = 0; /* then there is one window */
        strides[d] = far;
    }
    c->out[0] = wn__tensor_view(t, t->ndim + 1, shape, strides, t->offset);
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}

wn_status wn__infer_unfold_backward(wn__call *c, wn_tensor *g, const wn_dims *input_sizes, int64_t dim, int64_t size,
                                    int64_t step) {
    const int n = input_sizes->n > 0 ? input_sizes->n : 0, d = wn__wrap_dim(c->op->name, dim, n);
    if (d < 0) return c->th->error;
    const int64_t windows = n && g->ndim == n + 1 ? g->shape[d] : 1;
    bool fits = g->ndim == n + 1 && size >= 0 && step > 0 && g->shape[n] == size && size <= (n ? input_sizes->v[d] : 1);
    for (int k = 0; k < n && fits; k++) fits = k == d ? windows == (input_sizes->v[d] - size) / step + 1 : g->shape[k] == input_sizes->v[k];
    if (!fits) return wn__fail_op(c, WN_E_RUNTIME, "%s are no windows of a tensor of shape %s", wn__desc(g), wn__dims_text(input_sizes->v, n));
    return wn__result(c, 0, (wn_dtype)g->dtype, n, input_sizes->v, NULL);
}
/* The k-th elements of all windows are a slice: one addition for each k, so sums come in the same order whatever the threads do. */
wn_status wn__run_unfold_backward(wn__call *c, wn_tensor *g, int64_t dim, int64_t size, int64_t step) {
    wn_tensor *y = c->out[0];
    const int n = y->ndim, d = wn__wrap_dim(c->op->name, dim, n);
    const int64_t windows = n ? g->shape[d] : 1;
    WN_NO_GRAD(); /* the row itself is recorded */
    const bool narrow = (g->dtype == WN_F16 || g->dtype == WN_BF16) && step < size;
    wn_tensor *r = narrow ? wn_zeros(wn_shape(y), .dtype = WN_F32) : y, *done = r;
    if (!narrow && wn__fill_raw(y, wn_val_of_int(0))) return c->th->error;
    if (!n && size) done = wn_copy_(r, wn_reshape(g, WN_0D));
    if (n && step >= size) done = wn_copy_(wn_unfold(r, d, size, step), g);
    for (int64_t k = 0; n && step < size && k < size && wn_ok(done); k++) {
        wn_tensor *part = wn_slice(r, d, k, k + (windows - 1) * step + 1, .step = wn_val_of_int(step));
        done = wn_add_(part, wn_select(g, n, k));
    }
    return !wn_ok(done) ? c->th->error : r == y ? WN_OK : wn__copy(y, r);
}

/* ------------------------------------------------------------------ turns */

wn_status wn__op_rot90(wn__call *c, wn_tensor *t, int64_t k, const wn_dims *dims_given) {
    wn_dims dims = dims_given->n ? *dims_given : WN_DIMS(0, 1);
    if (dims.n != 2) return wn__fail_op(c, WN_E_RUNTIME, "expected total rotation dims == 2, but got dims = %d", dims.n > 0 ? dims.n : 0);
    if (t->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "expected total dims >= 2, but got total dims = %d", t->ndim);
    const int d0 = wn__wrap_dim(c->op->name, dims.v[0], t->ndim), d1 = d0 < 0 ? -1 : wn__wrap_dim(c->op->name, dims.v[1], t->ndim);
    if (d1 < 0) return c->th->error;
    if (d0 == d1) return wn__fail_op(c, WN_E_RUNTIME, "expected rotation dims to be different, but got dim0 = %lld and dim1 = %lld", (long long)dims.v[0], (long long)dims.v[1]);
    switch ((k % 4 + 4) % 4) {
    case 0: return wn__give(c, 0, wn_contiguous_copy(t));
    case 1: return wn__give(c, 0, wn_transpose(wn_flip(t, WN_DIMS(d1)), d0, d1));
    case 2: return wn__give(c, 0, wn_flip(t, WN_DIMS(d0, d1)));
    default: return wn__give(c, 0, wn_transpose(wn_flip(t, WN_DIMS(d0)), d0, d1));
    }
}

/* to = from moved by shift[d] along each dimension: the two pieces of the first that moves, each moved along the others. */
static wn_status move(wn__call *c, wn_tensor *to, const wn_tensor *from, const int64_t *shift, int d) {
    while (d < to->ndim && shift[d] == 0) d++;
    if (d == to->ndim) return wn__copy(to, from);
    const int64_t n = to->shape[d], by = shift[d];
    wn_status st = WN_OK;
    for (int half = 0; half < 2 && !st; half++) {
        WN__OWNED wn_tensor *x = wn__piece(to, d, half ? 0 : by, half ? by : n - by), *y = wn__piece(from, d, half ? n - by : 0, half ? by : n - by);
        st = x && y ? move(c, x, y, shift, d + 1) : wn__fail_memory(c->op->name);
    }
    return st;
}

/* How far elements move along each dimension. */
static wn_status shifts_of(wn__call *c, const wn_roll_args *a, int64_t *shift) {
    const wn_tensor *t = a->self;
    const int n = a->shifts.n > 0 ? a->shifts.n : 0, m = a->dims.n > 0 ? a->dims.n : 0;
    memset(shift, 0, WN_MAX_DIMS * sizeof *shift);
    if (n == 0) return wn__fail_op(c, WN_E_RUNTIME, "`shifts` required");
    if (n != m && !(m == 0 && n == 1)) return wn__fail_op(c, WN_E_RUNTIME, "shifts and dimensions must align. shifts: %d, dims:%d", n, m);
    for (int i = 0; i < m; i++) {
        if (t->ndim == 0) return wn__fail_op(c, WN_E_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)a->dims.v[i]);
        const int d = wn__wrap_dim(c->op->name, a->dims.v[i], t->ndim);
        if (d < 0) return c->th->error;
        const int64_t size = t->shape[d];
        if (size) shift[d] = ((a->shifts.v[i] % size + shift[d]) % size + size) % size;
    }
    return WN_OK;
}
wn_status wn__infer_roll(wn__call *c) {
    const wn_roll_args *a = c->args;
    const wn_tensor *t = a->self;
    int64_t shift[WN_MAX_DIMS];
    const wn_status st = shifts_of(c, a, shift);
    bool moves = false;
    for (int d = 0; d < t->ndim; d++) moves |= shift[d] != 0;
    c->row_major = a->dims.n != 1 || !moves; /* torch has a way of its own for one dimension */
    return st ? st : wn__result(c, 0, (wn_dtype)t->dtype, t->ndim, t->shape, NULL);
}
wn_status wn__run_roll(wn__call *c) {
    const wn_roll_args *a = c->args;
    const wn_tensor *t = a->self;
    wn_tensor *r = c->out[0];
    int64_t shift[WN_MAX_DIMS];
    wn_status st = shifts_of(c, a, shift);
    if (st || t->numel == 0) return st;
    if (a->dims.n > 0) return move(c, r, t, shift, 0);
    wn_tensor *line = wn__contiguous_raw(t); /* the flattened tensor */
    const int64_t strides[1] = {1};
    WN__OWNED wn_tensor *from = line ? wn__tensor_view(line, 1, &t->numel, strides, line->offset) : NULL;
    WN__OWNED wn_tensor *row = r->contiguous ? wn__retain(r) : wn__tensor_new(wn_dtype_of(t), t->ndim, t->shape, NULL);
    WN__OWNED wn_tensor *to = row ? wn__tensor_view(row, 1, &t->numel, strides, row->offset) : NULL;
    shift[0] = (a->shifts.v[0] % t->numel + t->numel) % t->numel;
    st = from && to ? move(c, to, from, shift, 0) : wn__fail_memory(c->op->name);
    if (!st && row != r) st = wn__copy(r, row);
    wn__release(line);
    return st;
}
void wn__vjp_roll(wn__gradctx *c, const wn_dims *shifts, const wn_dims *dims) {
    wn_dims back = *shifts;
    for (int i = 0; i < back.n; i++) back.v[i] = back.v[i] == INT64_MIN ? INT64_MIN : -back.v[i];
    c->gin[0] = wn_roll(c->g[0], back, .dims = *dims);
}

/* ------------------------------------------------------------------ repetitions */

/* Every dimension that repeats becomes two, the outer one expanded; then one copy. */
wn_status wn__op_repeat(wn__call *c, wn_tensor *t, const wn_dims *repeats) {
    const int n = repeats->n > 0 ? repeats->n : 0, lead = n - t->ndim;
    if (lead < 0) return wn__fail_op(c, WN_E_RUNTIME, "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
    if (n > WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS);
    wn_dims spaced = WN_UNSET, wide = WN_UNSET, to = {.n = n};
    for (int d = 0; d < n; d++) {
        const int64_t size = d < lead ? 1 : t->shape[d - lead], times = repeats->v[d];
        if (times < 0) return wn__fail_op(c, WN_E_RUNTIME, "Trying to create tensor with negative dimension %lld", (long long)times);
        if (__builtin_mul_overflow(size, times, &to.v[d])) return wn__fail_op(c, WN_E_MEMORY, "%lld copies are too many", (long long)times);
        const bool both = times != 1 && size != 1;
        if (wide.n + 1 + both > WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "too many dimensions that repeat: at most %d with the copies", WN_MAX_DIMS);
        if (times != 1) spaced.v[spaced.n++] = 1, wide.v[wide.n++] = times;
        if (times == 1 || size != 1) spaced.v[spaced.n++] = size, wide.v[wide.n++] = size;
    }
    if (!n) return wn__give(c, 0, wn_contiguous_copy(t));
    return wn__give(c, 0, wn_view(wn_contiguous_copy(wn_expand(wn_reshape(t, spaced), wide)), to));
}
wn_status wn__op_tile(wn__call *c, wn_tensor *self, const wn_dims *dims) {
    const int n = dims->n > 0 ? dims->n : 0, lead = self->ndim - n;
    wn_dims repeats = *dims;
    for (int d = 0; lead > 0 && d < self->ndim; d++) repeats.v[d] = d < lead ? 1 : dims->v[d - lead];
    if (lead > 0) repeats.n = self->ndim;
    return wn__give(c, 0, wn_repeat(self, repeats.n ? repeats : WN_0D));
}

wn_status wn__op_empty_permuted(wn__call *c, const wn_dims *size, const wn_dims *physical_layout, wn_dtype dtype) {
    const int n = size->n > 0 ? size->n : 0, m = physical_layout->n > 0 ? physical_layout->n : 0;
    if (n != m)
        return wn__fail_op(c, WN_E_RUNTIME, "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = %d is not equal to len(physical_layout) = %d", n, m);
    wn_dims stride = {.n = n ? n : -1};
    uint32_t seen = 0;
    int64_t step = 1;
    for (int i = n - 1; i >= 0; i--) {
        const int64_t d = physical_layout->v[i];
        if (d < 0 || d >= n) return wn__fail_op(c, WN_E_RUNTIME, "Dimension out of range (expected to be between 0 and %d, but got %lld at index %d)", n - 1, (long long)d, i);
        if (seen >> d & 1) return wn__fail_op(c, WN_E_RUNTIME, "Duplicate dim not allowed: %lld", (long long)d);
        seen |= 1u << d;
        stride.v[d] = step;
        if (size->v[d] < 0 || __builtin_mul_overflow(step, size->v[d] ? size->v[d] : 1, &step)) return wn__fail_op(c, WN_E_RUNTIME, "size %s is not possible", wn__dims_text(size->v, n));
    }
    return wn__give(c, 0, wn_empty_strided(n ? *size : WN_0D, stride, .dtype = dtype));
}
