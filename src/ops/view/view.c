/* Views: geometry only. */
#include "base/alloc.h"
#include "grad/tape.h"
#include "ops/pointwise/pointwise.h"
#include "ops/view/view.h"

static wn_status give_view(wn__call *c, const wn_tensor *base, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset) {
    c->out[0] = wn__tensor_view(base, ndim, shape, strides, offset);
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}

int wn__other_dims(const wn_tensor *t, uint32_t set, int64_t *shape, int64_t *strides) {
    int n = 0;
    for (int d = 0; d < t->ndim; d++) {
        if (set >> d & 1) continue;
        shape[n] = t->shape[d];
        strides[n++] = t->strides[d];
    }
    return n;
}
wn_tensor *wn__piece(const wn_tensor *t, int dim, int64_t start, int64_t length) {
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, t->shape, sizeof shape);
    shape[dim] = length;
    return wn__tensor_view(t, t->ndim, shape, t->strides, wn__offset_at(t, dim, start));
}

/* Fills in one -1 and checks the number of elements. */
static wn_status infer_size(wn__call *c, const wn_tensor *t, const wn_dims *size, int *ndim, int64_t *shape) {
    *ndim = size->n > 0 ? size->n : 0;
    int open = -1;
    int64_t known = 1;
    bool none = false;
    for (int i = 0; i < *ndim; i++) {
        shape[i] = size->v[i];
        if (shape[i] == -1 && open < 0) {
            open = i;
        } else if (shape[i] < 0) {
            if (shape[i] == -1) return wn__fail_op(c, WN_E_RUNTIME, "only one dimension can be inferred, but the shape is %s", wn__dims_text(size->v, *ndim));
            return wn__fail_op(c, WN_E_RUNTIME, "invalid shape dimension %lld in %s", (long long)shape[i], wn__dims_text(size->v, *ndim));
        } else {
            none |= shape[i] == 0;
            known = wn__mul_sat(known, shape[i] ? shape[i] : 1); /* what does not fit is no tensor's number of elements */
        }
    }
    if (none) known = 0;
    if (open >= 0) {
        if (known == 0)
            return wn__fail_op(c, WN_E_RUNTIME, "cannot reshape tensor of %lld elements into shape %s because the unspecified dimension "
                               "size -1 can be any value and is ambiguous", (long long)t->numel, wn__dims_text(size->v, *ndim));
        shape[open] = t->numel / known;
        known *= shape[open];
    }
    if (known != t->numel)
        return wn__fail_op(c, WN_E_RUNTIME, "shape '%s' is invalid for input of size %lld (%s)", wn__dims_text(size->v, *ndim),
                           (long long)t->numel, wn__desc(t));
    return WN_OK;
}

/* torch's computeStride: strides of the new shape on the old memory, or false when there are none. */
static bool view_strides(const wn_tensor *t, int ndim, const int64_t *shape, int64_t *strides) {
    if (t->numel == 0) {
        wn__row_major(ndim, shape, strides);
        return true;
    }
    int at = ndim - 1;
    int64_t chunk = t->ndim ? t->strides[t->ndim - 1] : 1, have = 1, want = 1;
    if (t->ndim == 0) {
        for (int i = 0; i < ndim; i++) strides[i] = 1;
        return true;
    }
    for (int d = t->ndim - 1; d >= 0; d--) {
        have *= t->shape[d];
        if (d == 0 || (t->shape[d - 1] != 1 && t->strides[d - 1] != have * chunk)) {
            while (at >= 0 && (want < have || shape[at] == 1)) {
                strides[at] = want * chunk;
                want *= shape[at--];
            }
            if (want != have) return false;
            if (d > 0) {
                chunk = t->strides[d - 1];
                have = want = 1;
            }
        }
    }
    return at == -1;
}

wn_status wn__infer_view(wn__call *c) {
    const wn_view_args *a = c->args;
    int ndim;
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    wn_status st = infer_size(c, a->self, &a->size, &ndim, shape);
    if (st) return st;
    if (!view_strides(a->self, ndim, shape, strides))
        return wn__fail_op(c, WN_E_RUNTIME, "view size is not compatible with input tensor's size and stride (%s, %s): at least one dimension "
                           "spans across two contiguous subspaces. Use reshape instead", wn__dims_text(a->self->shape, a->self->ndim),
                           wn__dims_text(a->self->strides, a->self->ndim));
    return give_view(c, a->self, ndim, shape, strides, a->self->offset);
}

wn_status wn__op_reshape(wn__call *c, wn_tensor *self, const wn_dims *shape) {
    wn_dims size = WN_UNSET;
    int64_t strides[WN_MAX_DIMS];
    wn_status st = infer_size(c, self, shape, &size.n, size.v);
    if (st) return st;
    bool fits = view_strides(self, size.n, size.v, strides);
    if (size.n == 0) size.n = -1;
    wn_tensor *r = wn_view(fits ? self : wn_contiguous_copy(self), size);
    if (!fits && wn_ok(r)) wn__forget_base(r); /* nobody else has the copy: to the outside r is no view */
    return wn__give(c, 0, r);
}

wn_status wn__op_flatten(wn__call *c, wn_tensor *t, int64_t start_dim, int64_t end_dim) {
    int start = wn__wrap_dim(c->op->name, start_dim, t->ndim);
    int end = start < 0 ? -1 : wn__wrap_dim(c->op->name, end_dim, t->ndim);
    if (start < 0 || end < 0) return c->th->error;
    if (start > end) return wn__fail_op(c, WN_E_RUNTIME, "start_dim %d comes after end_dim %d", start, end);
    if (t->ndim == 0) return wn__give(c, 0, wn_reshape(t, WN_DIMS(1)));
    if (start == end) return wn__give(c, 0, t);
    wn_dims size = WN_UNSET;
    for (int d = 0; d < start; d++) size.v[size.n++] = t->shape[d];
    int64_t merged = 1;
    bool none = false;
    for (int d = start; d <= end; d++) {
        none |= t->shape[d] == 0;
        if (t->shape[d]) merged *= t->shape[d];
    }
    if (none) merged = 0;
    size.v[size.n++] = merged;
    for (int d = end + 1; d < t->ndim; d++) size.v[size.n++] = t->shape[d];
    return wn__give(c, 0, wn_reshape(t, size));
}

wn_status wn__op_unflatten(wn__call *c, wn_tensor *t, int64_t dim_given, const wn_dims *sizes) {
    int dim = wn__wrap_dim(c->op->name, dim_given, t->ndim);
    if (dim < 0) return c->th->error;
    if (sizes->n < 1 || t->ndim + sizes->n - 1 > WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "sizes must have 1 to %d entries", WN_MAX_DIMS);
    int64_t known = 1;
    int open = -1;
    bool bad = false; /* a product that does not fit is no size of t */
    for (int i = 0; i < sizes->n; i++) {
        if (sizes->v[i] == -1 && open < 0) open = i;
        else known = wn__mul(known, sizes->v[i], &bad);
    }
    wn_dims size = WN_UNSET;
    for (int d = 0; d < dim; d++) size.v[size.n++] = t->shape[d];
    for (int i = 0; i < sizes->n; i++) size.v[size.n++] = i == open && known > 0 && t->ndim ? t->shape[dim] / known : sizes->v[i];
    for (int d = dim + 1; d < t->ndim; d++) size.v[size.n++] = t->shape[d];
    if (open >= 0 && known > 0 && t->ndim) known *= t->shape[dim] / known;
    if (bad || known != (t->ndim ? t->shape[dim] : 1))
        return wn__fail_op(c, WN_E_RUNTIME, "sizes %s do not multiply up to the size of dim %d in %s", wn__dims_text(sizes->v, sizes->n), dim, wn__desc(t));
    return wn__give(c, 0, wn_view(t, size));
}

static wn_status permuted(wn__call *c, const wn_tensor *t, const int *order) {
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    for (int i = 0; i < t->ndim; i++) {
        shape[i] = t->shape[order[i]];
        strides[i] = t->strides[order[i]];
    }
    return give_view(c, t, t->ndim, shape, strides, t->offset);
}

static wn_status read_order(wn__call *c, const wn_tensor *t, const wn_dims *dims, int *order) {
    int n = dims->n > 0 ? dims->n : 0;
    if (n != t->ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "number of dimensions in the tensor input (%d, %s) does not match the length of the desired "
                           "ordering of dimensions (%d)", t->ndim, wn__desc(t), n);
    uint32_t seen = 0;
    for (int i = 0; i < n; i++) {
        order[i] = wn__wrap_dim(c->op->name, dims->v[i], t->ndim);
        if (order[i] < 0) return c->th->error;
        if (seen >> order[i] & 1) return wn__fail_op(c, WN_E_RUNTIME, "duplicate dims are not allowed: %s", wn__dims_text(dims->v, n));
        seen |= 1u << order[i];
    }
    return WN_OK;
}
wn_status wn__infer_permute(wn__call *c) {
    const wn_permute_args *a = c->args;
    int order[WN_MAX_DIMS];
    wn_status st = read_order(c, a->self, &a->dims, order);
    return st ? st : permuted(c, a->self, order);
}

static wn_status exchanged(wn__call *c, const wn_tensor *t, int d0, int d1) {
    int order[WN_MAX_DIMS];
    for (int i = 0; i < t->ndim; i++) order[i] = i;
    if (t->ndim) {
        order[d0] = d1;
        order[d1] = d0;
    }
    return permuted(c, t, order);
}
wn_status wn__infer_transpose(wn__call *c) {
    const wn_transpose_args *a = c->args;
    int d0 = wn__wrap_dim(c->op->name, a->dim0, a->self->ndim), d1 = d0 < 0 ? -1 : wn__wrap_dim(c->op->name, a->dim1, a->self->ndim);
    return d1 < 0 ? c->th->error : exchanged(c, a->self, d0, d1);
}
wn_status wn__infer_t(wn__call *c) {
    const wn_t_args *a = c->args;
    if (a->self->ndim > 2) return wn__fail_op(c, WN_E_RUNTIME, "t() expects a tensor with <= 2 dimensions, but self is %dD", a->self->ndim);
    return a->self->ndim < 2 ? give_view(c, a->self, a->self->ndim, a->self->shape, a->self->strides, a->self->offset) : exchanged(c, a->self, 0, 1);
}
wn_status wn__infer_mt(wn__call *c) {
    const wn_mT_args *a = c->args;
    if (a->self->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "needs at least 2 dimensions, got %s", wn__desc(a->self));
    return exchanged(c, a->self, a->self->ndim - 2, a->self->ndim - 1);
}
wn_status wn__infer_movedim(wn__call *c, wn_tensor *t, const wn_dims *source, const wn_dims *destination) {
    const int n = source->n > 0 ? source->n : 0, m = destination->n > 0 ? destination->n : 0;
    if (n != m)
        return wn__fail_op(c, WN_E_RUNTIME, "Invalid source or destination dims: source (%s dims) should contain the same number of dims as destination (%s dims)",
                           wn__dims_text(source->v, n), wn__dims_text(destination->v, m));
    int order[WN_MAX_DIMS], at = 0;
    uint32_t gone = 0, taken = 0;
    for (int i = 0; i < n; i++) {
        const int from = wn__wrap_dim(c->op->name, source->v[i], t->ndim), to = from < 0 ? -1 : wn__wrap_dim(c->op->name, destination->v[i], t->ndim);
        if (to < 0) return c->th->error;
        if (gone >> from & 1) return wn__fail_op(c, WN_E_RUNTIME, "repeated dim in `source` (%s)", wn__dims_text(source->v, n));
        if (taken >> to & 1) return wn__fail_op(c, WN_E_RUNTIME, "repeated dim in `destination` (%s)", wn__dims_text(destination->v, n));
        gone |= 1u << from;
        taken |= 1u << to;
        order[to] = from;
    }
    for (int d = 0; d < t->ndim; d++) {
        if (taken >> d & 1) continue;
        while (gone >> at & 1) at++;
        order[d] = at++;
    }
    return permuted(c, t, order);
}

wn_status wn__fail_expand_dims(wn__call *c, const wn_tensor *t, int ndim, const int64_t *size) {
    return wn__fail_op(c, WN_E_RUNTIME, "expand(torch.%sTensor{%s}, size=%s): the number of sizes provided (%d) must be greater or equal to the number of "
                       "dimensions in the tensor (%d)", wn__dtype_word(t->dtype), wn__dims_text(t->shape, t->ndim), wn__dims_text(size, ndim), ndim, t->ndim);
}
wn_status wn__fail_expand(wn__call *c, const wn_tensor *t, int ndim, const int64_t *size, int d) {
    const int shift = ndim - t->ndim;
    return wn__fail_op(c, WN_E_RUNTIME, "The expanded size of the tensor (%lld) must match the existing size (%lld) at non-singleton dimension %d.  "
                       "Target sizes: %s.  Tensor sizes: %s", (long long)size[d], d < shift ? 1 : (long long)t->shape[d - shift], d, wn__dims_text(size, ndim),
                       wn__dims_text(t->shape, t->ndim));
}
/* Of a new dimension of size 1, what unsqueeze gives it. */
static int64_t leading_stride(int64_t size, int64_t stride) {
    bool over = false;
    const int64_t r = wn__mul(size, stride, &over);
    return over ? 0 : r;
}
wn_status wn__infer_expand(wn__call *c) {
    const wn_expand_args *a = c->args;
    const wn_tensor *t = a->self;
    int ndim = a->size.n > 0 ? a->size.n : 0, shift = ndim - t->ndim;
    if (shift < 0) return wn__fail_expand_dims(c, t, ndim, a->size.v);
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    for (int d = ndim - 1; d >= 0; d--) { /* the last that does not fit is the one torch names */
        int64_t want = a->size.v[d], have = d < shift ? 1 : t->shape[d - shift];
        if (want == -1 && d >= shift) want = have;
        if (want == -1)
            return wn__fail_op(c, WN_E_RUNTIME, "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension %d", d);
        if (want < 0 || (have != 1 && have != want)) return wn__fail_expand(c, t, ndim, a->size.v, d);
        shape[d] = want;
        if (d >= shift) strides[d] = have == 1 && want != 1 ? 0 : t->strides[d - shift];
        else strides[d] = want == 1 && t->ndim ? leading_stride(shape[d + 1], strides[d + 1]) : 0;
    }
    return give_view(c, t, ndim, shape, strides, t->offset);
}

/* Without the dimensions of the set that have size 1. */
static wn_status without_ones(wn__call *c, const wn_tensor *t, uint32_t set) {
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    for (int d = 0; d < t->ndim; d++)
        if (t->shape[d] != 1) set &= ~(1u << d);
    const int n = wn__other_dims(t, set, shape, strides);
    return give_view(c, t, n, shape, strides, t->offset);
}
wn_status wn__infer_squeeze(wn__call *c) { return without_ones(c, ((const wn_squeeze_args *)c->args)->self, UINT32_MAX); }
wn_status wn__infer_squeeze_dim(wn__call *c) {
    const wn_squeeze_dim_args *a = c->args;
    int dim = wn__wrap_dim(c->op->name, a->dim, a->self->ndim);
    return dim < 0 ? c->th->error : without_ones(c, a->self, 1u << dim);
}
wn_status wn__infer_squeeze_dims(wn__call *c) {
    const wn_squeeze_dims_args *a = c->args;
    uint32_t set = 0;
    for (int i = 0; i < a->dims.n; i++) {
        int dim = wn__wrap_dim(c->op->name, a->dims.v[i], a->self->ndim);
        if (dim < 0) return c->th->error;
        if (set >> dim & 1) return wn__fail_op(c, WN_E_RUNTIME, "dim %d appears multiple times in the list of dims", dim);
        set |= 1u << dim;
    }
    return without_ones(c, a->self, set);
}
wn_status wn__infer_unsqueeze(wn__call *c) {
    const wn_unsqueeze_args *a = c->args;
    const wn_tensor *t = a->self;
    int dim = wn__wrap_dim(c->op->name, a->dim, t->ndim + 1);
    if (dim < 0) return c->th->error;
    if (t->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS);
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    for (int d = 0; d <= t->ndim; d++) {
        int from = d < dim ? d : d - 1;
        shape[d] = d == dim ? 1 : t->shape[from];
        strides[d] = d != dim ? t->strides[from] : dim < t->ndim ? wn__mul_sat(t->shape[dim], t->strides[dim]) : 1;
    }
    return give_view(c, t, t->ndim + 1, shape, strides, t->offset);
}

wn_status wn__infer_select(wn__call *c) {
    const wn_select_args *a = c->args;
    const wn_tensor *t = a->self;
    if (t->ndim == 0) return wn__fail_op(c, WN_E_INDEX, "cannot be applied to a 0-dim tensor");
    int dim = wn__wrap_dim(c->op->name, a->dim, t->ndim);
    if (dim < 0) return c->th->error;
    if (a->index < -t->shape[dim] || a->index >= t->shape[dim])
        return wn__fail_op(c, WN_E_INDEX, "index %lld out of range for %s at dimension %d with size %lld", (long long)a->index, wn__desc(t), dim, (long long)t->shape[dim]);
    int64_t index = a->index < 0 ? a->index + t->shape[dim] : a->index, shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    const int n = wn__other_dims(t, 1u << dim, shape, strides);
    return give_view(c, t, n, shape, strides, wn__offset_at(t, dim, index));
}

/* A slice in Python's sense: *start and the length. */
static wn_status slice_bounds(wn__call *c, int64_t size, wn_val start, wn_val end, wn_val step, int64_t *begin, int64_t *length, int64_t *by) {
    *by = wn__i64_or(step, 1);
    if (*by <= 0) return wn__fail_op(c, WN_E_RUNTIME, "slice step must be positive, got %lld", (long long)*by);
    int64_t b = wn__i64_or(start, 0), e = wn__i64_or(end, INT64_MAX);
    if (b < 0) b += size;
    if (e < 0) e += size;
    b = b < 0 ? 0 : b > size ? size : b;
    e = e < b ? b : e > size ? size : e;
    *begin = b;
    *length = wn__ceil_div(e - b, *by);
    return WN_OK;
}
wn_status wn__infer_slice(wn__call *c) {
    const wn_slice_args *a = c->args;
    const wn_tensor *t = a->self;
    if (t->ndim == 0) return wn__fail_op(c, WN_E_RUNTIME, "cannot be applied to a 0-dim tensor");
    int dim = wn__wrap_dim(c->op->name, a->dim, t->ndim);
    int64_t begin = 0, length = 0, by = 1, shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    if (dim < 0) return c->th->error;
    wn_status st = slice_bounds(c, t->shape[dim], a->start, a->end, a->step, &begin, &length, &by);
    if (st) return st;
    memcpy(shape, t->shape, sizeof shape);
    memcpy(strides, t->strides, sizeof strides);
    shape[dim] = length;
    strides[dim] = wn__mul_sat(strides[dim], by); /* no number: then there is one element at most */
    return give_view(c, t, t->ndim, shape, strides, wn__offset_at(t, dim, begin));
}
wn_status wn__op_narrow(wn__call *c, wn_tensor *t, int64_t dim_given, int64_t start_given, int64_t length) {
    if (t->ndim == 0) return wn__fail_op(c, WN_E_RUNTIME, "cannot be applied to a 0-dim tensor");
    int dim = wn__wrap_dim(c->op->name, dim_given, t->ndim);
    if (dim < 0) return c->th->error;
    if (length < 0) return wn__fail_op(c, WN_E_RUNTIME, "length must be non-negative, got %lld", (long long)length);
    if (start_given < -t->shape[dim] || start_given > t->shape[dim])
        return wn__fail_op(c, WN_E_INDEX, "start out of range (expected to be in range of [%lld, %lld], but got %lld)", (long long)-t->shape[dim],
                           (long long)t->shape[dim], (long long)start_given);
    int64_t start = start_given < 0 ? start_given + t->shape[dim] : start_given;
    if (start > t->shape[dim] - length)
        return wn__fail_op(c, WN_E_RUNTIME, "start (%lld) + length (%lld) exceeds dimension size (%lld) of %s", (long long)start_given, (long long)length, (long long)t->shape[dim], wn__desc(t));
    return wn__give(c, 0, wn_slice(t, dim, start, start + length));
}

wn_status wn__op_narrow_tensor(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *start, int64_t length) {
    if (start->ndim || !wn__is_integer(start->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "start must be an 0-dim integral Tensor, but it is %s", wn__desc(start));
    return wn__give(c, 0, wn_narrow(self, dim, wn_item_i64(start), length));
}

wn_status wn__infer_diagonal(wn__call *c) {
    const wn_diagonal_args *a = c->args;
    const wn_tensor *t = a->self;
    int d1 = wn__wrap_dim(c->op->name, wn__i64_or(a->dim1, 0), t->ndim), d2 = d1 < 0 ? -1 : wn__wrap_dim(c->op->name, wn__i64_or(a->dim2, 1), t->ndim);
    if (d2 < 0) return c->th->error;
    if (d1 == d2) return wn__fail_op(c, WN_E_RUNTIME, "diagonal dimensions cannot be identical %d, %d", d1, d2);
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS], offset = t->offset, length;
    int n = wn__other_dims(t, 1u << d1 | 1u << d2, shape, strides);
    const int64_t up = a->offset > 0 ? a->offset : 0, down = a->offset < 0 ? wn__sub_sat(0, a->offset) : 0;
    const int64_t rows = t->shape[d1] - down, cols = t->shape[d2] - up;
    length = rows < cols ? rows : cols;
    if (length < 0) length = 0;
    if (length && t->numel) offset += up * t->strides[d2] + down * t->strides[d1];
    shape[n] = length;
    strides[n++] = wn__add_sat(t->strides[d1], t->strides[d2]); /* without elements they may be anything */
    return give_view(c, t, n, shape, strides, offset);
}

/* Does this geometry stay within t's storage? */
static wn_status check_geometry(wn__call *c, const wn_tensor *t, const wn_dims *size, const wn_dims *stride, int64_t offset) {
    const int ndim = size->n > 0 ? size->n : 0, ns = stride->n > 0 ? stride->n : 0;
    if (ndim != ns) return wn__fail_op(c, WN_E_RUNTIME, "mismatch in length of strides and shape: %d and %d", ns, ndim);
    const int64_t room = (int64_t)(t->storage->bytes / wn__dtype_size(t->dtype));
    int64_t far = offset;
    bool bad = offset < 0, empty = false, over = false;
    for (int d = 0; d < ndim; d++) {
        empty |= size->v[d] == 0;
        bad |= size->v[d] < 0;
        if (stride->v[d] < 0)
            return wn__fail_op(c, WN_E_RUNTIME, "Negative strides are not supported at the moment, got strides: %s", wn__dims_text(stride->v, ndim));
        far = wn__add(far, wn__mul(wn__sub_sat(size->v[d], 1), stride->v[d], &over), &over);
    }
    if (bad || (!empty && (over || far >= room)))
        return wn__fail_op(c, WN_E_RUNTIME, "size %s, stride %s, storage offset %lld are out of bounds for storage of size %zu bytes",
                           wn__dims_text(size->v, ndim), wn__dims_text(stride->v, ndim), (long long)offset, t->storage->bytes);
    return WN_OK;
}
wn_status wn__op_as_strided(wn__call *c, wn_tensor *t, const wn_dims *size, const wn_dims *stride,
                            wn_val storage_offset) {
    const int64_t offset = storage_offset.kind == WN_VAL_NONE ? t->offset : wn__val_i64(storage_offset);
    wn_status st = check_geometry(c, t, size, stride, offset);
    if (st) return st;
    return wn__give(c, 0, wn_as_strided_view(t, *size, *stride, offset, wn_strides(t), t->offset));
}
wn_status wn__infer_as_strided_view(wn__call *c) {
    const wn_as_strided_view_args *a = c->args;
    wn_status st = check_geometry(c, a->self, &a->size, &a->stride, a->storage_offset);
    if (st) return st;
    return give_view(c, a->self, a->size.n > 0 ? a->size.n : 0, a->size.v, a->stride.v, a->storage_offset);
}

wn_status wn__infer_detach(wn__call *c) {
    const wn_detach_args *a = c->args;
    c->out[0] = wn__tensor_alias(a->self);
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}

wn_status wn__op_sum_to_size(wn__call *c, wn_tensor *t, const wn_dims *size) {
    int ndim = size->n > 0 ? size->n : 0, shift = t->ndim - ndim;
    wn_dims dims = WN_UNSET, lead = WN_UNSET;
    bool fits = shift >= 0;
    for (int d = 0; fits && d < t->ndim; d++) {
        int64_t want = d < shift ? 1 : size->v[d - shift];
        if (d < shift) lead.v[lead.n++] = 0;
        if (d < shift || (want == 1 && t->shape[d] != 1)) dims.v[dims.n++] = d;
        else fits = want == t->shape[d];
    }
    if (!fits) return wn__fail_op(c, WN_E_RUNTIME, "size %s is not expandable to %s", wn__dims_text(size->v, ndim), wn__desc(t));
    if (!ndim) return wn__give(c, 0, wn_sum(t)); /* integers become int64 even when there is nothing to sum, as in torch */
    if (!dims.n) return wn__give(c, 0, t);
    wn_tensor *y = wn_sum(t, .dims = dims, .keepdim = true);
    if (shift) y = wn_view(y, *size);
    return wn__give(c, 0, y);
}
