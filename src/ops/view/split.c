/* Views in several pieces, and the rows that put pieces together. */
#include "base/alloc.h"
#include "call/layout.h"
#include "ops/pointwise/pointwise.h"
#include "ops/view/view.h"
#include "ops/which.h"
#include "support/fact.h"

static int splittable(wn__call *c, const wn_tensor *t, int64_t dim) {
    if (t->ndim == 0) {
        wn__fail_op(c, WN_E_RUNTIME, "%s expects at least a 1-dimensional tensor", c->op->name);
        return -1;
    }
    return wn__wrap_dim(c->op->name, dim, t->ndim);
}

static wn_status split_evenly(wn__call *c, const wn_tensor *t, int dim, int64_t size) {
    int64_t total = t->shape[dim], n = size ? wn__ceil_div(total, size) : 1;
    if (n == 0) n = 1;
    wn_status st = wn__give_list(c, n);
    for (int64_t i = 0; i < n && !st; i++) {
        int64_t start = i * size, length = size < total - start ? size : total - start;
        if (!(c->list[i] = wn__piece(t, dim, start, length))) st = wn__fail_memory(c->op->name);
    }
    return st;
}
wn_status wn__infer_split(wn__call *c) {
    const wn_split_args *a = c->args;
    int dim = splittable(c, a->self, wn__i64_or(a->dim, 0));
    if (dim < 0) return c->th->error;
    if (a->split_size < 0) return wn__fail_op(c, WN_E_RUNTIME, "split expects split_size be non-negative, but got split_size=%lld", (long long)a->split_size);
    if (a->split_size == 0 && a->self->shape[dim] != 0)
        return wn__fail_op(c, WN_E_RUNTIME, "split_size can only be 0 if dimension size is 0, but got dimension size of %lld", (long long)a->self->shape[dim]);
    return split_evenly(c, a->self, dim, a->split_size);
}
wn_status wn__infer_chunk(wn__call *c) {
    const wn_chunk_args *a = c->args;
    int dim = splittable(c, a->self, wn__i64_or(a->dim, 0));
    if (dim < 0) return c->th->error;
    if (a->chunks < 1) return wn__fail_op(c, WN_E_RUNTIME, "chunk expects `chunks` to be greater than 0, got: %lld", (long long)a->chunks);
    int64_t total = a->self->shape[dim], size = wn__ceil_div(total, a->chunks);
    if (size) return split_evenly(c, a->self, dim, size);
    wn_status st = wn__give_list(c, a->chunks); /* nothing to share out: torch gives `chunks` empty pieces */
    for (int64_t i = 0; i < a->chunks && !st; i++)
        if (!(c->list[i] = wn__piece(a->self, dim, 0, 0))) st = wn__fail_memory(c->op->name);
    return st;
}
wn_status wn__infer_split_with_sizes(wn__call *c) {
    const wn_split_with_sizes_args *a = c->args;
    int dim = splittable(c, a->self, wn__i64_or(a->dim, 0)), n = a->split_sizes.n > 0 ? a->split_sizes.n : 0;
    if (dim < 0) return c->th->error;
    int64_t sum = 0;
    bool over = false;
    for (int i = 0; i < n; i++) {
        if (a->split_sizes.v[i] < 0) return wn__fail_op(c, WN_E_RUNTIME, "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=%s", wn__dims_text(a->split_sizes.v, n));
        sum = wn__add(sum, a->split_sizes.v[i], &over);
    }
    if (over || sum != a->self->shape[dim])
        return wn__fail_op(c, WN_E_RUNTIME, "split_with_sizes expects split_sizes to sum exactly to %lld (input tensor's size at dimension %d), but got split_sizes=%s",
                           (long long)a->self->shape[dim], dim, wn__dims_text(a->split_sizes.v, n));
    wn_status st = wn__give_list(c, n);
    int64_t start = 0;
    for (int i = 0; i < n && !st; start += a->split_sizes.v[i++])
        if (!(c->list[i] = wn__piece(a->self, dim, start, a->split_sizes.v[i]))) st = wn__fail_memory(c->op->name);
    return st;
}
wn_status wn__infer_unbind(wn__call *c) {
    const wn_unbind_args *a = c->args;
    const wn_tensor *t = a->self;
    if (t->ndim == 0) return wn__fail_op(c, WN_E_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)wn__i64_or(a->dim, 0));
    int dim = wn__wrap_dim(c->op->name, wn__i64_or(a->dim, 0), t->ndim);
    if (dim < 0) return c->th->error;
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    const int n = wn__other_dims(t, 1u << dim, shape, strides);
    wn_status st = wn__give_list(c, t->shape[dim]);
    for (int64_t i = 0; i < c->nlist && !st; i++)
        if (!(c->list[i] = wn__tensor_view(t, n, shape, strides, wn__offset_at(t, dim, i)))) st = wn__fail_memory(c->op->name);
    return st;
}

/* Gradient of all of them: zeros, with each present cotangent written to its place. lengths NULL: pieces of size `size`. */
void wn__vjp_split(wn__gradctx *c, int64_t dim, int64_t size, const wn_dims *lengths) {
    wn_dims shape = wn__input_shape(c, 0);
    const int n = wn__grad_results(c);
    int d = (int)(dim < 0 ? dim + shape.n : dim);
    wn_tensor **all = wn__new(wn_tensor *, (size_t)(n ? n : 1));
    if (!all) {
        wn__fail_memory("split");
        c->gin[0] = &wn__bad_tensor;
        return;
    }
    int64_t total = shape.v[d];
    for (int64_t i = 0; i < n; i++) {
        const bool listed = lengths->n > 0;
        const int64_t rest = listed ? 0 : wn__sub_sat(total, wn__mul_sat(i, size)), length = listed ? lengths->v[i] : size < rest ? size : rest;
        wn_dims part = shape;
        part.v[d] = length < 0 ? 0 : length;
        all[i] = c->g[i] ? c->g[i] : wn_zeros(part, .dtype = wn__input_dtype(c, 0));
    }
    c->gin[0] = wn_cat(((wn_list){.n = n, .v = all}), .dim = WN_VAL(d));
    wn__free(all);
}
void wn__vjp_chunk(wn__gradctx *c, int64_t chunks, int64_t dim) {
    const wn_dims shape = wn__input_shape(c, 0);
    wn__vjp_split(c, dim, wn__ceil_div(shape.v[dim < 0 ? dim + shape.n : dim], chunks), &(wn_dims){.n = 0});
}
void wn__vjp_unbind(wn__gradctx *c, int64_t dim) {
    wn_dims shape = wn__input_shape(c, 0), part = WN_UNSET;
    int d = (int)(dim < 0 ? dim + shape.n : dim), n = wn__grad_results(c);
    for (int i = 0; i < shape.n; i++)
        if (i != d) part.v[part.n++] = shape.v[i];
    if (!part.n) part.n = -1;
    wn_tensor **all = wn__new(wn_tensor *, (size_t)(n ? n : 1));
    if (!all) {
        wn__fail_memory("unbind");
        c->gin[0] = &wn__bad_tensor;
        return;
    }
    for (int i = 0; i < n; i++) all[i] = c->g[i] ? c->g[i] : wn_zeros(part, .dtype = wn__input_dtype(c, 0));
    c->gin[0] = wn_stack(((wn_list){.n = n, .v = all}), .dim = WN_VAL(d));
    wn__free(all);
}

/* ------------------------------------------------------------------ joining */

static wn_dtype list_type(const wn_list *l) {
    wn__tiers tiers = {0};
    for (int64_t i = 0; i < l->n; i++) wn__tiers_add(&tiers, l->v[i]);
    return wn__tiers_result(&tiers);
}
static bool skipped(const wn_tensor *t) { return t->ndim == 1 && t->shape[0] == 0; }

/* TypeError, unlike everywhere else. */
static wn_status check_out(wn__call *c, wn_dtype d) {
    if (!c->target || wn__can_cast(d, (wn_dtype)c->target->dtype)) return WN_OK;
    return wn__fail_op(c, WN_E_TYPE, "input types can't be cast to the desired output type %s", wn__dtype_word(c->target->dtype));
}

/* The first of them that is not passed over; where there is none, the first. */
static const wn_tensor *first_of(const wn_list *l) {
    for (int64_t i = 0; i < l->n; i++)
        if (!skipped(l->v[i])) return l->v[i];
    return l->v[0];
}
/* As torch has it, where there is nothing but tensors of shape [0] any dimension will do. */
static int cat_dim(wn__call *c, const wn_tensor *first, wn_val dim) { return skipped(first) ? 0 : wn__wrap_dim(c->op->name, wn__i64_or(dim, 0), first->ndim); }

wn_status wn__infer_cat(wn__call *c) {
    const wn_cat_args *a = c->args;
    const wn_list l = a->tensors;
    if (l.n < 1) return wn__fail_op(c, WN_E_VALUE, "expected a non-empty list of Tensors");
    const wn_tensor *first = first_of(&l);
    if (first->ndim == 0) return wn__fail_op(c, WN_E_RUNTIME, "zero-dimensional tensor (at position 0) cannot be concatenated");
    const int dim = cat_dim(c, first, a->dim);
    if (dim < 0) return c->th->error;
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS], total = 0;
    const bool last = !c->target && wn__all_channels_last(c); /* channels last, as the row's layout will ask: written so at once */
    memcpy(shape, first->shape, sizeof shape);
    for (int64_t i = 0; i < l.n; i++) {
        const wn_tensor *t = l.v[i];
        if (skipped(t)) continue;
        bool fits = t->ndim == first->ndim;
        for (int d = 0; fits && d < t->ndim; d++) fits = d == dim || t->shape[d] == shape[d];
        if (t->ndim != first->ndim)
            return wn__fail_op(c, WN_E_RUNTIME, "Tensors must have same number of dimensions: got %s and, as number %lld of the list, %s", wn__desc(first), (long long)i, wn__desc(t));
        if (!fits)
            return wn__fail_op(c, WN_E_RUNTIME, "Sizes of tensors must match except in dimension %d. Expected %s but got %s for tensor number %lld in the list", dim,
                               wn__desc(first), wn__desc(t), (long long)i);
        total = wn__add_sat(total, t->shape[dim]);
    }
    shape[dim] = total;
    if (last) wn__channels_last_strides(first->ndim, shape, strides);
    if (check_out(c, list_type(&l))) return c->th->error;
    return wn__result(c, 0, list_type(&l), first->ndim, shape, last ? strides : NULL);
}
wn_status wn__run_cat(wn__call *c) {
    const wn_cat_args *a = c->args;
    const wn_list l = a->tensors;
    const int dim = cat_dim(c, first_of(&l), a->dim);
    int64_t start = 0;
    wn_status st = WN_OK;
    for (int64_t i = 0; i < l.n && !st; i++) {
        if (skipped(l.v[i])) continue;
        wn_tensor *part = wn__piece(c->out[0], dim, start, l.v[i]->shape[dim]);
        st = part ? wn__copy(part, l.v[i]) : wn__fail_memory(c->op->name);
        wn__release(part);
        start += l.v[i]->shape[dim];
    }
    return st;
}
/* The parts' supports side by side; of a part with a band, or of which nothing is known, all of it. */
static void add_part(wn_support *s, int *n, const wn_tensor *part, const wn_support *own, int dim, int64_t start) {
    const wn__box all = {.last = {0}}, *boxes = own && own->kind == WN_SUPPORT_BLOCKS ? own->boxes : &all;
    const int count = boxes != &all ? own->nboxes : !own || own->kind != WN_SUPPORT_NONE;
    for (int i = 0; i < count; i++, ++*n) {
        if (!s) continue;
        wn__box *b = &s->boxes[*n];
        *b = boxes[i];
        for (int d = 0; boxes == &all && d < part->ndim; d++) b->last[d] = part->shape[d];
        b->first[dim] += start;
        b->last[dim] += start;
    }
}
static int add_parts(wn_support *s, const wn_list *l, int dim) {
    int n = 0;
    int64_t start = 0;
    for (int64_t i = 0; i < l->n; i++) {
        if (skipped(l->v[i])) continue;
        wn_support *own = wn__fact_image(l->v[i]);
        if (n < WN__BOXES_MOST) add_part(s, &n, l->v[i], own, dim, start);
        start += l->v[i]->shape[dim];
        wn__free(own);
    }
    return n;
}
wn_support *wn__zeros_of_cat(const wn__call *c) {
    const wn_cat_args *a = c->args;
    const wn_dims shape = wn_shape(c->out[0]);
    bool some = false;
    for (int64_t i = 0; i < a->tensors.n && i < WN__BOXES_MOST; i++) some |= wn__storage_marked(a->tensors.v[i]->storage, WN__MARK_FACT);
    if (!some || a->tensors.n > WN__BOXES_MOST) return NULL;
    const int64_t along = wn__i64_or(a->dim, 0);
    const int dim = (int)(along < 0 ? along + shape.n : along), n = add_parts(NULL, &a->tensors, dim);
    wn_support *s = wn__support_blocks(&shape, n);
    if (s) add_parts(s, &a->tensors, dim);
    return s;
}
/* In front of the others, torch's stack is a view of cat: channels last if all are. */
static bool stack_as_cat(const wn__call *c, int dim, const wn_tensor *first, int64_t *strides) {
    if (dim || c->target || !wn__all_channels_last(c)) return false;
    strides[0] = first->numel;
    wn__channels_last_strides(first->ndim, first->shape, strides + 1);
    return true;
}
wn_status wn__infer_stack(wn__call *c, wn_list l, int64_t dim_given) {
    if (l.n < 1) return wn__fail_op(c, WN_E_RUNTIME, "expects a non-empty TensorList");
    const wn_tensor *first = l.v[0];
    if (first->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS);
    int dim = wn__wrap_dim(c->op->name, dim_given, first->ndim + 1);
    if (dim < 0) return c->th->error;
    for (int64_t i = 1; i < l.n; i++)
        if (!wn__same_shape(first, l.v[i]))
            return wn__fail_op(c, WN_E_RUNTIME, "each tensor is expected to be equal size, but got %s at entry 0 and %s at entry %lld", wn__dims_text(first->shape, first->ndim), wn__dims_text(l.v[i]->shape, l.v[i]->ndim), (long long)i);
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    for (int d = 0; d <= first->ndim; d++) shape[d] = d == dim ? l.n : first->shape[d < dim ? d : d - 1];
    if (check_out(c, list_type(&l))) return c->th->error;
    return wn__result(c, 0, list_type(&l), first->ndim + 1, shape, stack_as_cat(c, dim, first, strides) ? strides : NULL);
}
wn_status wn__run_stack(wn__call *c, wn_list l, int64_t dim_given) {
    const wn_tensor *first = l.v[0], *r = c->out[0];
    const int dim = wn__wrap_dim(c->op->name, dim_given, r->ndim);
    int64_t part_strides[WN_MAX_DIMS];
    for (int d = 0, n = 0; d <= first->ndim; d++)
        if (d != dim) part_strides[n++] = r->strides[d];
    wn_status st = WN_OK;
    for (int64_t i = 0; i < l.n && !st; i++) {
        const int64_t at = r->offset + i * r->strides[dim];
        WN__OWNED wn_tensor *part = wn__tensor_view(r, first->ndim, first->shape, part_strides, at);
        st = part ? wn__copy(part, l.v[i]) : wn__fail_memory(c->op->name);
    }
    return st;
}
void wn__vjp_cat(wn__gradctx *c, int64_t dim) {
    int64_t start = 0;
    for (int i = 0; i < c->nin; i++) {
        wn_dims shape = wn__input_shape(c, i);
        if (shape.n == 1 && shape.v[0] == 0) continue;
        int d = (int)(dim < 0 ? dim + c->g[0]->ndim : dim);
        int64_t end = start + shape.v[d];
        if (wn__grad_wanted(c, i)) c->gin[i] = wn_slice(c->g[0], d, start, end);
        start = end;
    }
}
void wn__vjp_stack(wn__gradctx *c, int64_t dim) {
    for (int i = 0; i < c->nin; i++)
        if (wn__grad_wanted(c, i)) c->gin[i] = wn_select(c->g[0], dim, i);
}

/* t's geometry backwards along dims: strides and the first element. */
static wn_status backwards(wn__call *c, const wn_tensor *t, const wn_dims *dims, int64_t *strides, int64_t *offset) {
    uint32_t seen = 0;
    *offset = t->offset;
    memcpy(strides, t->strides, sizeof t->strides);
    for (int i = 0; i < dims->n; i++) {
        int d = wn__wrap_dim(c->op->name, dims->v[i], t->ndim);
        if (d < 0) return c->th->error;
        if (seen >> d & 1) return wn__fail_op(c, WN_E_RUNTIME, "dim %d appears multiple times in the list of dims", d);
        seen |= 1u << d;
        if (t->ndim && t->shape[d]) {
            if (t->numel) *offset += (t->shape[d] - 1) * strides[d];
            strides[d] = -strides[d];
        }
    }
    return WN_OK;
}
wn_status wn__infer_flip(wn__call *c, wn_tensor *t, const wn_dims *dims) {
    int64_t strides[WN_MAX_DIMS], offset;
    const wn_status st = backwards(c, t, dims, strides, &offset);
    wn__preserved_strides(t, strides);
    return st ? st : wn__result(c, 0, (wn_dtype)t->dtype, t->ndim, t->shape, strides);
}
wn_status wn__run_flip(wn__call *c, wn_tensor *t, const wn_dims *dims) {
    int64_t strides[WN_MAX_DIMS], offset;
    wn_status st = backwards(c, t, dims, strides, &offset);
    WN__OWNED wn_tensor *reversed = st ? NULL : wn__tensor_view(t, t->ndim, t->shape, strides, offset);
    if (!st) st = reversed ? wn__copy(c->out[0], reversed) : wn__fail_memory(c->op->name);
    return st;
}

/* ------------------------------------------------------------------ gradients of views */

void wn__vjp_permute(wn__gradctx *c, const wn_dims *dims) {
    int n = dims->n > 0 ? dims->n : 0;
    wn_dims back = {.n = n ? n : -1};
    for (int i = 0; i < n; i++) back.v[dims->v[i] < 0 ? dims->v[i] + n : dims->v[i]] = i;
    c->gin[0] = wn_permute(c->g[0], back);
}

static wn_tensor *take_select(wn_tensor *t, const void *args) {
    const wn_select_backward_args *a = args;
    return wn_select(t, a->dim, a->index);
}
static wn_tensor *take_slice(wn_tensor *t, const void *args) {
    const wn_slice_backward_args *a = args;
    return wn_slice(t, a->dim, a->start, a->end, .step = a->step);
}
static wn_tensor *take_diagonal(wn_tensor *t, const void *args) {
    const wn_diagonal_backward_args *a = args;
    return wn_diagonal(t, .offset = a->offset, .dim1 = wn_val_of_int(a->dim1), .dim2 = a->dim2);
}
static wn_tensor *(*const takers[])(wn_tensor *, const void *) = {[WN__TAKE_SELECT] = take_select, [WN__TAKE_SLICE] = take_slice, [WN__TAKE_DIAGONAL] = take_diagonal};

/* Zeros of `sizes` with grad copied into the view of them that the row takes. What is wrong, zeros and copy_ say. */
wn_status wn__infer_scatter_view(wn__call *c, const wn_dims *sizes) {
    WN_NO_GRAD(); /* the row itself is recorded */
    wn_tensor *grad = c->in[0];
    const wn_dtype dtype = (wn_dtype)grad->dtype;
    const int n = sizes->n > 0 ? sizes->n : 0;
    bool good = true;
    wn__call other;
    for (int d = 0; d < n && good; d++) good = sizes->v[d] >= 0;
    if (!good && wn__infer(&wn__ops[WN__OP_zeros], &(wn_zeros_args){.size = *sizes, .dtype = dtype}, &other)) return other.status;
    wn_tensor *part = wn__result(c, 0, dtype, n, sizes->v, NULL) ? NULL : takers[c->op->which](c->out[0], c->args);
    if (!part || !wn_ok(part)) return c->th->error;
    if (wn__same_shape(part, grad)) return WN_OK;
    if (!wn__infer(&wn__ops[WN__OP_copy], &(wn_copy_args){.self = part, .src = grad}, &other)) wn__release(other.out[0]);
    return other.status;
}
wn_status wn__run_scatter_view(wn__call *c) {
    WN_NO_GRAD();
    const wn_status st = wn__fill_raw(c->out[0], wn_val_of_int(0));
    wn_tensor *part = st ? NULL : takers[c->op->which](c->out[0], c->args);
    return st ? st : wn_ok(part) ? wn__copy(part, c->in[0]) : c->th->error;
}

/* All but what the row's view takes. */
wn_support *wn__zeros_of_scatter_view(const wn__call *c) {
    wn_tensor *y = c->out[0];
    const wn_dims shape = wn_shape(y);
    if (c->op->which == WN__TAKE_DIAGONAL) {
        const wn_diagonal_backward_args *a = c->args;
        const int64_t i = a->dim1, j = wn__i64_or(a->dim2, 1);
        return wn__support_band(&shape, (int)(i < 0 ? i + shape.n : i), (int)(j < 0 ? j + shape.n : j), a->offset, a->offset);
    }
    const bool slice = c->op->which == WN__TAKE_SLICE;
    const int64_t dim = slice ? ((const wn_slice_backward_args *)c->args)->dim : ((const wn_select_backward_args *)c->args)->dim;
    const int d = (int)(dim < 0 ? dim + shape.n : dim);
    WN_NO_GRAD();
    const wn_tensor *part = takers[c->op->which](y, c->args);
    wn_support *s = wn_ok(part) ? wn__support_blocks(&shape, part->numel > 0) : NULL;
    if (!s || !s->nboxes) return s;
    memcpy(s->boxes[0].last, y->shape, sizeof y->shape);
    const int64_t first = (part->offset - y->offset) / y->strides[d], step = slice ? part->strides[d] / y->strides[d] : 1;
    s->boxes[0].first[d] = first;
    s->boxes[0].last[d] = first + (slice ? (part->shape[d] - 1) * step : 0) + 1;
    return s;
}

/* Where the elements of a tensor of this geometry lie, in row-major order: [numel], int64. */
static wn_tensor *places_of(const wn_dims *size, const wn_dims *stride, int64_t first) {
    const int n = size->n > 0 ? size->n : 0;
    wn_tensor *where = wn_zeros(WN_0D, .dtype = WN_I64);
    for (int d = 0; d < n; d++) {
        wn_dims one = {.n = n};
        for (int k = 0; k < n; k++) one.v[k] = k == d ? size->v[d] : 1;
        where = wn_add(where, wn_reshape(wn_mul(wn_arange(size->v[d]), stride->v[d]), one));
    }
    return wn_add(wn_reshape(where, WN_DIMS(-1)), first);
}
/* Do elements of flat, seen so, lie at one place? *ok: was there memory to look? */
static bool meets_itself(wn_tensor *flat, const wn_dims *size, const wn_dims *stride, int64_t first, bool *ok) {
    wn_tensor *part = wn__lend(wn__self(), wn__tensor_view(flat, size->n > 0 ? size->n : 0, size->v, stride->v, first));
    *ok &= part != NULL;
    return part && wn__overlaps_itself(part);
}

/* The cotangent of a storage: zeros as large as both geometries reach, the result's cotangent added at its elements (which may
 * meet), then read back with the input's geometry. */
void wn__vjp_as_strided_view(wn__gradctx *c) {
    const wn_as_strided_view_args *a = c->args;
    wn_dims in = wn__input_shape(c, 0);
    int nin = in.n > 0 ? in.n : 0, nout = a->size.n > 0 ? a->size.n : 0;
    const int64_t base = a->self_offset < a->storage_offset ? a->self_offset : a->storage_offset, out_numel = c->g[0]->numel;
    int64_t in_far = a->self_offset, out_far = a->storage_offset;
    bool none = c->g[0]->numel == 0, over = false; /* of a result without elements the strides may be anything */
    for (int d = 0; d < nin; d++) in_far = wn__add(in_far, wn__mul(in.v[d] > 0 ? in.v[d] - 1 : 0, a->self_stride.v[d], &over), &over);
    for (int d = 0; d < nout && !none; d++) out_far = wn__add(out_far, wn__mul(a->size.v[d] - 1, a->stride.v[d], &over), &over);
    const int64_t span = wn__add(wn__sub(in_far > out_far ? in_far : out_far, base, &over), 1, &over);
    if (none || over) { /* no element of the input was read (or reaches anywhere: it has none) */
        c->gin[0] = wn_zeros(in.n ? in : WN_0D, .dtype = wn__input_dtype(c, 0));
        return;
    }
    wn_tensor *flat = wn_zeros(WN_DIMS(span), .dtype = wn__input_dtype(c, 0));
    bool ok = wn_ok(flat);
    const bool out_meets = ok && meets_itself(flat, &a->size, &a->stride, a->storage_offset - base, &ok);
    const bool in_meets = ok && meets_itself(flat, &in, &a->self_stride, a->self_offset - base, &ok);
    if (!ok) {
        c->gin[0] = wn_ok(flat) ? wn__bad_memory("as_strided") : flat;
        return;
    }
    if (!out_meets)
        wn_copy_(wn_as_strided(flat, a->size, a->stride, .storage_offset = wn_val_of_int(a->storage_offset - base)), c->g[0]);
    else /* elements that meet are summed */
        flat = wn_index_add(flat, 0, places_of(&a->size, &a->stride, a->storage_offset - base), wn_reshape(c->g[0], WN_DIMS(out_numel)));
    if (in_meets) { /* the input's elements that meet share what came there */
        wn_tensor *where = places_of(&in, &a->self_stride, a->self_offset - base), *zeros = wn_zeros_like(flat);
        flat = wn_div(flat, wn_index_add(zeros, 0, where, wn_ones(wn_shape(where), .dtype = wn__input_dtype(c, 0))));
    }
    c->gin[0] = wn_as_strided(flat, in.n ? in : WN_0D, a->self_stride, .storage_offset = wn_val_of_int(a->self_offset - base));
}
