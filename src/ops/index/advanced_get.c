/* x[i, j, mask ...]: the row index, and its gradient. */
#include "call/layout.h"
#include "grad/support.h"
#include "ops/index/advanced.h"
#include "ops/pointwise/pointwise.h"

/* The result lies as TensorIterator has it, for which an operand does not move where it has no dimension: torch's index. */
static bool lies_otherwise(const wn__choice *x, const wn_tensor *self, int64_t *strides) {
    bool plain = self->contiguous;
    for (int i = 0; i < x->npickers; i++) plain &= x->pickers[i].is_mask || x->pickers[i].index->contiguous;
    if (plain || x->npickers > 7) return false;
    wn_tensor views[8] = {{0}}, *in[8];
    int n = 0;
    for (; n <= x->npickers; n++) {
        wn_tensor *v = in[n] = &views[n];
        v->ndim = x->ndim, v->dtype = self->dtype;
        memcpy(v->shape, x->shape, sizeof v->shape);
    }
    for (int r = 0; r < x->nrest; r++) views[0].strides[r < x->at ? r : r + x->width] = self->strides[x->rest[r]];
    for (int i = 0; i < x->npickers; i++) {
        const wn_tensor *index = x->pickers[i].index;
        const int skip = x->width - (x->pickers[i].is_mask ? 1 : index->ndim);
        if (x->pickers[i].is_mask) views[i + 1].strides[x->at + skip] = 1;
        for (int d = 0; d < index->ndim && !x->pickers[i].is_mask; d++)
            if (index->shape[d] != 1) views[i + 1].strides[x->at + skip + d] = index->strides[d];
    }
    wn__result_strides(in, n, x->ndim, x->shape, strides);
    int64_t rows[WN_MAX_DIMS];
    wn__row_major(x->ndim, x->shape, rows);
    return memcmp(rows, strides, (size_t)x->ndim * sizeof *rows) != 0;
}

/* A fresh result may be half written when a bad index turns up; out= may not. */
static wn_status gather(wn__choice *x, wn__call *c, const wn_tensor *self) {
    if (!wn__choice_aim(x, self)) return wn__fail_memory(c->op->name);
    wn_status st = c->target ? wn__choice_check(x, c) : WN_OK;
    if (st || (st = wn__fill_results(c))) return st;
    wn_tensor *r = c->out[0], *rows = r->contiguous ? wn__retain(r) : wn__tensor_new((wn_dtype)r->dtype, r->ndim, r->shape, NULL); /* the walk goes row by row */
    if (!rows) return wn__fail_memory(c->op->name);
    int64_t strides[WN_MAX_DIMS]; /* the result's own may be anything where a size is 1 */
    wn__row_major(x->ndim, x->shape, strides);
    if (!wn__choice_walk(x, WN__IX_GATHER, self, rows, strides)) st = wn__choice_check(x, c);
    if (!st && rows != r) st = wn__copy(r, rows);
    wn__release(rows);
    return st;
}
static wn_status by_mask(wn__call *c, const wn_tensor *self, const wn__mask *m) {
    const wn_status st = wn__fill_results(c);
    if (!st) wn__mask_select(c->out[0], self, self->ndim, self->shape, m);
    return st;
}

/* The choice is the plan. What index tensors choose, their shapes say; masks' bits belong to the choice, which a plan may not own: what they choose
 * is taken here, and nothing is left to choose for .run. */
wn_status wn__infer_index(wn__call *c, wn_tensor *self, wn_list indices) {
    wn__choice *x = wn__choice_room(c, &indices);
    if (!x) return c->th->error;
    int64_t strides[WN_MAX_DIMS];
    wn_status st = wn__choice_read(x, c, self, &indices);
    if (!st) st = wn__result(c, 0, (wn_dtype)self->dtype, x->ndim, x->shape, !c->target && lies_otherwise(x, self, strides) ? strides : NULL);
    bool masks = false;
    for (int i = 0; i < x->npickers; i++) masks |= x->pickers[i].is_mask;
    if (!st && !masks) return WN_OK;
    if (!st && c->meta) {
        wn__choice_drop(x);
        return WN_OK;
    }
    const wn__picker *only = wn__only_mask(x);
    if (!st) st = only && x->nrest == 0 ? by_mask(c, self, &only->mask) : gather(x, c, self);
    wn__choice_drop(x);
    return st;
}
wn_status wn__run_index(wn__call *c, wn_tensor *self) {
    wn__choice *x = c->plan;
    return x->npickers ? gather(x, c, self) : WN_OK;
}

/* ------------------------------------------------------------------ gradient */

/* The only index of a list, if it is a mask that takes dimensions. */
static wn_tensor *only_mask(const wn_list *indices) {
    wn_tensor *found = NULL;
    for (int64_t i = 0; i < indices->n; i++) {
        wn_tensor *t = indices->v[i];
        if (!t) continue;
        if (found || (t->dtype != WN_BOOL && t->dtype != WN_U8) || t->ndim == 0) return NULL;
        found = t;
    }
    return found;
}

wn_tensor *wn__mask_of_indices(const wn_list *indices, int ndim) {
    wn_tensor *mask = only_mask(indices);
    if (!mask) return NULL;
    wn_dims d = WN_UNSET;
    int64_t before = 0;
    while (!indices->v[before]) before++;
    for (int i = 0; i < mask->ndim; i++) d.v[d.n++] = mask->shape[i];
    while (d.n + before < ndim) d.v[d.n++] = 1;
    return wn_reshape(mask->dtype == WN_BOOL ? mask : wn_ne(mask, 0), d);
}

wn_status wn__op_index_backward(wn__call *c, wn_tensor *grad, const wn_dims *self_sizes, wn_list indices) {
    wn_tensor *zeros = wn_zeros(self_sizes->n ? *self_sizes : WN_0D, .dtype = wn_dtype_of(grad));
    /* a mask's places are all different: nothing to add up */
    return wn__give(c, 0, wn_index_put_(zeros, indices, grad, .accumulate = !only_mask(&indices)));
}

/* What a mask leaves out was not read: as masked_select's, the gradient does not exist there. */
void wn__vjp_index(wn__gradctx *c, wn_list indices) {
    if (!(c->need & 1)) return;
    wn_dims shape = wn__input_shape(c, 0);
    wn_tensor *g = wn_index_backward(c->g[0], shape, indices), *mask = wn__mask_of_indices(&indices, shape.n);
    c->gin[0] = wn__grad_support(c, 0, WN__IF_TRUE | WN__CLEAN, mask, g, wn_val_none());
}
