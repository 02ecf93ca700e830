/* hstack and its like, block_diag, meshgrid, combinations. */
#include "base/alloc.h"
#include "ops/pointwise/pointwise.h"
#include "ops/which.h"
#include "support/supports.h"

/* ------------------------------------------------------------------ at least so many dimensions */

static wn_tensor *at_least_1(wn_tensor *t) { return wn_ndim(t) ? t : wn_reshape(t, WN_DIMS(1)); }
static wn_tensor *at_least_2(wn_tensor *t) { return wn_ndim(t) > 1 ? t : wn_ndim(t) ? wn_unsqueeze(t, 0) : wn_reshape(t, WN_DIMS(1, 1)); }
static wn_tensor *at_least_3(wn_tensor *t) {
    if (wn_ndim(t) == 0) return wn_reshape(t, WN_DIMS(1, 1, 1));
    if (wn_ndim(t) == 1) return wn_unsqueeze(wn_unsqueeze(t, 0), -1);
    return wn_ndim(t) == 2 ? wn_unsqueeze(t, -1) : t;
}
static wn_tensor *as_column(wn_tensor *t) { return wn_ndim(t) > 1 ? t : wn_reshape(t, WN_DIMS(wn_numel(t), 1)); }


typedef struct lifting {
    wn_tensor *(*lift)(wn_tensor *);
    int join; /* stacks join along this dimension; -1: 0 or 1, as the first tensor has dimensions */
} lifting;
static const lifting liftings[] = {[WN__AT_LEAST_1] = {at_least_1, -1}, [WN__AT_LEAST_2] = {at_least_2, 0}, [WN__AT_LEAST_3] = {at_least_3, 2}, [WN__AS_COLUMN] = {as_column, 1}};

wn_status wn__op_atleast_1d(wn__call *c, wn_tensor *self) {
    return wn__give(c, 0, liftings[c->op->which].lift(self));
}
wn_status wn__op_atleast_1d_list(wn__call *c) {
    const wn_list l = ((const wn_atleast_1d_list_args *)c->args)->tensors;
    wn_status st = wn__give_list(c, l.n);
    for (int64_t i = 0; i < l.n && !st; i++) {
        wn_tensor *x = liftings[c->op->which].lift(l.v[i]);
        if (!wn_ok(x)) st = c->th->error;
        else c->list[i] = wn__retain(x);
    }
    return st;
}

/* ------------------------------------------------------------------ stacks */

wn_status wn__op_hstack(wn__call *c) {
    const wn_list l = ((const wn_hstack_args *)c->args)->tensors;
    const lifting *how = &liftings[c->op->which];
    if (l.n < 1) return wn__fail_op(c, WN_E_RUNTIME, "expects a non-empty TensorList");
    wn_tensor **all = wn__new(wn_tensor *, (size_t)l.n);
    if (!all) return wn__fail_memory(c->op->name);
    for (int64_t i = 0; i < l.n; i++) all[i] = how->lift(l.v[i]);
    const int dim = how->join < 0 ? wn_ok(all[0]) && wn_ndim(all[0]) > 1 : how->join;
    wn_tensor *r = wn_cat(((wn_list){.n = l.n, .v = all}), .dim = WN_VAL(dim));
    wn__free(all);
    if (wn_ok(r) && c->target && !wn__can_cast((wn_dtype)r->dtype, (wn_dtype)c->target->dtype)) /* TypeError, as in cat */
        return wn__fail_op(c, WN_E_TYPE, "input types can't be cast to the desired output type %s", wn__dtype_word(c->target->dtype));
    return wn__give(c, 0, r);
}

/* ------------------------------------------------------------------ block_diag */

static int64_t height(const wn_tensor *t) { return t->ndim == 2 ? t->shape[0] : 1; }
static int64_t width(const wn_tensor *t) { return t->ndim ? t->shape[t->ndim - 1] : 1; }

wn_status wn__infer_block_diag(wn__call *c, wn_list l) {
    wn__tiers tiers = {0};
    int64_t shape[2] = {0, 0};
    for (int64_t i = 0; i < l.n; i++) {
        if (l.v[i]->ndim > 2)
            return wn__fail_op(c, WN_E_RUNTIME, "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input %lld has %d dimensions", (long long)i, l.v[i]->ndim);
        shape[0] = wn__add_sat(shape[0], height(l.v[i]));
        shape[1] = wn__add_sat(shape[1], width(l.v[i]));
        wn__tiers_add(&tiers, l.v[i]);
    }
    if (l.n == 0) shape[0] = 1; /* as torch has it */
    return wn__result(c, 0, l.n ? wn__tiers_result(&tiers) : wn_default_dtype(), 2, shape, NULL);
}
wn_status wn__run_block_diag(wn__call *c) {
    const wn_list l = ((const wn_block_diag_args *)c->args)->tensors;
    wn_tensor *r = c->out[0];
    wn_status st = wn__fill_raw(r, wn_val_of_int(0));
    int64_t row = 0, col = 0;
    for (int64_t i = 0; i < l.n && !st; i++) {
        const wn_tensor *t = l.v[i];
        const int64_t block[2] = {height(t), width(t)};
        wn_tensor *part = wn__tensor_view(r, 2, block, r->strides, r->offset + row * r->strides[0] + col * r->strides[1]);
        st = part ? wn__copy(part, t) : wn__fail_memory(c->op->name);
        wn__release(part);
        row += block[0];
        col += block[1];
    }
    return st;
}
wn_support *wn__zeros_of_block_diag(const wn__call *c) {
    const wn_list l = ((const wn_block_diag_args *)c->args)->tensors;
    const wn_dims shape = wn_shape(c->out[0]);
    wn_support *s = wn__support_blocks(&shape, l.n);
    int64_t row = 0, col = 0;
    for (int i = 0; s && i < s->nboxes; i++) {
        s->boxes[i] = (wn__box){.first = {row, col}, .last = {row + height(l.v[i]), col + width(l.v[i])}};
        row = s->boxes[i].last[0], col = s->boxes[i].last[1];
    }
    return s;
}
void wn__vjp_block_diag(wn__gradctx *c) {
    int64_t row = 0, col = 0;
    for (int i = 0; i < c->nin; i++) {
        const wn_dims d = wn__input_shape(c, i);
        const int n = d.n > 0 ? d.n : 0;
        const int64_t h = n == 2 ? d.v[0] : 1, w = n ? d.v[n - 1] : 1;
        if (wn__grad_wanted(c, i)) c->gin[i] = wn_reshape(wn_slice(wn_slice(c->g[0], 0, row, row + h), 1, col, col + w), n ? d : WN_0D);
        row += h;
        col += w;
    }
}

/* ------------------------------------------------------------------ meshgrid, products, combinations */

wn_status wn__op_meshgrid(wn__call *c, wn_list l, const char *indexing) {
    const char *how = indexing ? indexing : "ij";
    wn_dims shape = {.n = (int)l.n};
    if (l.n < 1) return wn__fail_op(c, WN_E_RUNTIME, "meshgrid expects a non-empty TensorList");
    if (l.n > WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS);
    if (strcmp(how, "ij") && strcmp(how, "xy")) return wn__fail_op(c, WN_E_RUNTIME, "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: %s", how);
    const bool swap = how[0] == 'x' && l.n > 1;
    for (int i = 0; i < shape.n; i++) {
        if (l.v[i]->ndim > 1) return wn__fail_op(c, WN_E_RUNTIME, "Expected 0D or 1D tensor in the tensor list but got: %s", wn__desc(l.v[i]));
        if (l.v[i]->dtype != l.v[0]->dtype) return wn__fail_op(c, WN_E_RUNTIME, "meshgrid expects all tensors to have the same dtype");
        shape.v[swap && i < 2 ? 1 - i : i] = l.v[i]->numel;
    }
    wn_status st = wn__give_list(c, l.n);
    for (int i = 0; i < shape.n && !st; i++) {
        wn_dims line = {.n = shape.n};
        for (int d = 0; d < shape.n; d++) line.v[d] = 1;
        line.v[swap && i < 2 ? 1 - i : i] = l.v[i]->numel;
        wn_tensor *x = wn_expand(wn_view(l.v[i], line), shape);
        if (!wn_ok(x)) st = c->th->error;
        else c->list[i] = wn__retain(x);
    }
    return st;
}

wn_status wn__op_cartesian_prod(wn__call *c, wn_list l) {
    for (int64_t i = 0; i < l.n; i++)
        if (l.v[i]->ndim != 1) return wn__fail_op(c, WN_E_RUNTIME, "Expect a 1D vector, but got shape %s", wn__dims_text(l.v[i]->shape, l.v[i]->ndim));
    if (l.n == 1) return wn__give(c, 0, l.v[0]);
    wn_list grids = wn_meshgrid(l);
    if (grids.n != l.n || l.n == 0) return c->th->error ? c->th->error : wn__fail_op(c, WN_E_RUNTIME, "meshgrid expects a non-empty TensorList");
    return wn__give(c, 0, wn_reshape(wn_stack(grids, .dim = WN_VAL(-1)), WN_DIMS(grids.v[0]->numel, l.n)));
}

/* Positions in lexicographic order, then one index_select. */
wn_status wn__op_combinations(wn__call *c, wn_tensor *t, int64_t r, bool with_replacement) {
    const int64_t n = t->numel, apart = !with_replacement;
    if (t->ndim != 1) return wn__fail_op(c, WN_E_RUNTIME, "Expect a 1D vector, but got shape %s", wn__dims_text(t->shape, t->ndim));
    if (r < 0) return wn__fail_op(c, WN_E_RUNTIME, "Expect a non-negative number, but got %lld", (long long)r);
    if (r == 0) return wn__give(c, 0, wn_empty(WN_DIMS(0), .dtype = (wn_dtype)t->dtype));
    int64_t count = n > 0 && !(apart && r > n); /* (n over r), or (n + r - 1 over r) */
    const int64_t rest = apart ? n - r : n - 1, few = r < rest ? r : rest, many = r < rest ? rest : r;
    for (int64_t k = 1; k <= few && count; k++) {
        int64_t factor, next;
        if (__builtin_add_overflow(many, k, &factor) || __builtin_mul_overflow(count, factor, &next)) return wn__fail_op(c, WN_E_MEMORY, "there are too many combinations");
        count = next / k;
    }
    if (count > INT64_MAX / 16 / r) return wn__fail_op(c, WN_E_MEMORY, "there are too many combinations");
    wn_tensor *at = wn_empty(WN_DIMS(count, r), .dtype = WN_I64, .device = WN_CPU);
    int64_t *p = count ? wn_data_mut(at) : NULL;
    if (count && !p) return c->th->error;
    for (int64_t i = 0; i < count; i++, p += r) {
        int64_t k = r - 1;
        if (i) {
            memcpy(p, p - r, (size_t)r * sizeof *p);
            while (p[k] == n - 1 - (apart ? r - 1 - k : 0)) k--;
            p[k]++;
        } else {
            k = 0;
            p[0] = 0;
        }
        for (k++; k < r; k++) p[k] = p[k - 1] + apart;
    }
    return wn__give(c, 0, wn_reshape(wn_index_select(t, 0, wn_reshape(at, WN_DIMS(count * r))), WN_DIMS(count, r)));
}
