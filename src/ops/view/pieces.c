/* tensor_split and its like, and the rows that put a piece back: select_scatter, slice_scatter ... */
#include "base/alloc.h"
#include "ops/pointwise/pointwise.h"
#include "ops/which.h"

/* ------------------------------------------------------------------ splits */

static int split_dim(wn__call *c, const wn_tensor *t, int64_t dim) {
    if (t->ndim) return wn__wrap_dim(c->op->name, dim, t->ndim);
    wn__fail_op(c, WN_E_RUNTIME, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
    return -1;
}

static wn_status keep_piece(wn__call *c, int64_t i, wn_tensor *piece) {
    if (!wn_ok(piece)) return c->th->error;
    c->list[i] = wn__retain(piece);
    return WN_OK;
}

static wn_status sections(wn__call *c, wn_tensor *t, int64_t n, int dim) {
    if (n <= 0) return wn__fail_op(c, WN_E_RUNTIME, "number of sections must be larger than 0, got %lld", (long long)n);
    const int64_t each = t->shape[dim] / n, larger = t->shape[dim] % n;
    wn_status st = wn__give_list(c, n);
    int64_t start = 0;
    for (int64_t i = 0; i < n && !st; i++) {
        const int64_t length = each + (i < larger);
        st = keep_piece(c, i, wn_slice(t, dim, start, start + length));
        start += length;
    }
    return st;
}

/* The i-th of n cuts: v[i], or element i of a 1-d int64 tensor. */
static wn_status cuts(wn__call *c, wn_tensor *t, int64_t n, const int64_t *v, int64_t step, int dim) {
    wn_status st = wn__give_list(c, wn__add_sat(n, 1));
    int64_t start = 0;
    for (int64_t i = 0; i <= n && !st; i++) {
        const wn_val end = i < n ? wn_val_of_int(v[i * step]) : wn_val_none();
        st = keep_piece(c, i, wn_slice(t, dim, start, end));
        if (i < n) start = v[i * step];
    }
    return st;
}
static wn_status cuts_of(wn__call *c, wn_tensor *t, const wn_dims *at, int dim) { return cuts(c, t, at->n > 0 ? at->n : 0, at->v, 1, dim); }

wn_status wn__op_tensor_split(wn__call *c, wn_tensor *self, int64_t sections_given, int64_t dim_given) {
    const int dim = split_dim(c, self, dim_given);
    return dim < 0 ? c->th->error : sections(c, self, sections_given, dim);
}
wn_status wn__op_tensor_split_at(wn__call *c, wn_tensor *self, const wn_dims *indices, int64_t dim_given) {
    const int dim = split_dim(c, self, dim_given);
    return dim < 0 ? c->th->error : cuts_of(c, self, indices, dim);
}
wn_status wn__op_tensor_split_tensor(wn__call *c, wn_tensor *self, wn_tensor *at, int64_t dim_given) {
    const int dim = split_dim(c, self, dim_given);
    if (dim < 0) return c->th->error;
    if (at->dtype != WN_I64) return wn__fail_op(c, WN_E_RUNTIME, "tensor_split expected tensor_indices_or_sections to have dtype of long, but got %s", wn__dtype_word(at->dtype));
    if (at->ndim > 1)
        return wn__fail_op(c, WN_E_RUNTIME, "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with %d dims", at->ndim);
    if (at->ndim == 0) return sections(c, self, wn_item_i64(at), dim);
    const int64_t *v = at->numel ? wn_data(at) : &at->numel;
    return v ? cuts(c, self, at->numel, v, at->strides[0], dim) : c->th->error;
}

/* hsplit, vsplit, dsplit, which have the args of hsplit: how many dimensions they need, and which they split (of a vector its only one). */
typedef struct direction {
    char letter;
    int least, dim;
} direction;
static const direction directions[] = {[WN__SPLIT_H] = {'h', 1, 1}, [WN__SPLIT_V] = {'v', 2, 0}, [WN__SPLIT_D] = {'d', 3, 2}};

static int named_dim(wn__call *c, const wn_tensor *t) {
    const direction to = directions[c->op->which];
    if (t->ndim >= to.least) return t->ndim > 1 ? to.dim : 0;
    wn__fail_op(c, WN_E_RUNTIME, "torch.%csplit requires a tensor with at least %d dimension, but got a tensor with %d dimensions!", to.letter, to.least, t->ndim);
    return -1;
}
wn_status wn__op_hsplit(wn__call *c, wn_tensor *t, int64_t n) {
    const int dim = named_dim(c, t);
    if (dim < 0) return c->th->error;
    if (n == 0 || t->shape[dim] % n)
        return wn__fail_op(c, WN_E_RUNTIME, "torch.%s attempted to split along dimension %d, but the size of the dimension %lld is not divisible by the split_size %lld!", c->op->name, dim,
                           (long long)t->shape[dim], (long long)n);
    return sections(c, t, n, dim);
}
wn_status wn__op_hsplit_at(wn__call *c, wn_tensor *self, const wn_dims *indices) {
    const int dim = named_dim(c, self);
    return dim < 0 ? c->th->error : cuts_of(c, self, indices, dim);
}

/* ------------------------------------------------------------------ a part from elsewhere */

static wn_tensor *take_select(wn_tensor *t, const void *args) {
    const wn_select_scatter_args *a = args;
    return wn_select(t, a->dim, a->index);
}
static wn_tensor *take_slice(wn_tensor *t, const void *args) {
    const wn_slice_scatter_args *a = args;
    return wn_slice(t, wn__i64_or(a->dim, 0), a->start, a->end, .step = a->step);
}
static wn_tensor *take_diagonal(wn_tensor *t, const void *args) {
    const wn_diagonal_scatter_args *a = args;
    return wn_diagonal(t, .offset = a->offset, .dim1 = a->dim1, .dim2 = a->dim2);
}

static wn_tensor *(*const takers[])(wn_tensor *, const void *) = {[WN__TAKE_SELECT] = take_select, [WN__TAKE_SLICE] = take_slice, [WN__TAKE_DIAGONAL] = take_diagonal};

static wn_status check_part(wn__call *c, const wn_tensor *part, const wn_tensor *src) {
    if (!wn_ok(part)) return c->th->error;
    if (wn__same_shape(part, src)) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "expected src to have a size equal to the slice of self. src size = %s, slice size = %s", wn__dims_text(src->shape, src->ndim),
                       wn__dims_text(part->shape, part->ndim));
}

/* A copy of self, src copied into the view of it that the row takes. */
wn_status wn__infer_embed(wn__call *c) {
    WN_NO_GRAD(); /* the row itself is recorded */
    wn_tensor *self = c->in[0];
    const wn_status st = check_part(c, takers[c->op->which](self, c->args), c->in[1]);
    int64_t strides[WN_MAX_DIMS];
    wn__preserved_strides(self, strides);
    return st ? st : wn__result(c, 0, (wn_dtype)self->dtype, self->ndim, self->shape, strides);
}
wn_status wn__run_embed(wn__call *c) {
    WN_NO_GRAD();
    const wn_status st = wn__copy(c->out[0], c->in[0]);
    wn_tensor *part = st ? NULL : takers[c->op->which](c->out[0], c->args);
    return st ? st : wn_ok(part) ? wn__copy(part, c->in[1]) : c->th->error;
}

/* The whole storage is copied, so that the new geometry finds in the copy what it would find in self. */
wn_status wn__op_as_strided_scatter(wn__call *c, wn_tensor *self, wn_tensor *src, const wn_dims *size_given,
                                    const wn_dims *stride_given, wn_val storage_offset) {
    const wn_dims size = size_given->n ? *size_given : WN_0D, stride = stride_given->n ? *stride_given : WN_0D;
    const wn_val offset = storage_offset.kind == WN_VAL_NONE ? wn_val_of_int(self->offset) : storage_offset;
    wn_status st = check_part(c, wn_as_strided(self, size, stride, .storage_offset = offset), src);
    if (st) return st;
    const int64_t all = (int64_t)(self->storage->bytes / wn__dtype_size(self->dtype));
    wn_tensor *whole = wn_clone(wn_as_strided(self, WN_DIMS(all), WN_DIMS(1), .storage_offset = wn_val_of_int(0)));
    wn_tensor *r = wn_as_strided(whole, wn_shape(self), wn_strides(self), .storage_offset = wn_val_of_int(self->offset));
    wn_tensor *done = wn_copy_(wn_as_strided(r, size, stride, .storage_offset = offset), src);
    return wn_ok(done) ? wn__give(c, 0, r) : c->th->error;
}
