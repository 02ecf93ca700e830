/* A list of index tensors read into a choice: what each picks, how they broadcast, where the result's dimensions stand. */
#include "ops/index/advanced.h"
#include "base/alloc.h"
#include "base/threads.h"

/* ------------------------------------------------------------------ reading */

static bool is_mask(const wn_tensor *t) { return t->dtype == WN_BOOL || t->dtype == WN_U8; }

static wn_status read_mask(wn__choice *x, wn__call *c, const wn_tensor *self, wn_tensor *t, int dim) {
    for (int j = 0; j < t->ndim; j++) {
        if (wn__wrap_dim(c->op->name, dim + j, self->ndim) < 0) return c->th->error;
        if (t->shape[j] != self->shape[dim + j])
            return wn__fail_op(c, WN_E_INDEX, "The shape of the mask %s at index %d does not match the shape of the indexed tensor %s at index %d",
                               wn__dims_text(t->shape, t->ndim), j, wn__dims_text(self->shape, self->ndim), dim + j);
    }
    if (t->ndim == 0) return WN_OK; /* takes no dimension, and has no say, as in torch (whose x[True] makes a dimension for it first) */
    if (wn__is_meta(t)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "how many elements the mask %s on the meta device takes depends on its values, which it does not have", wn__desc(t));
    wn__picker *k = &x->pickers[x->npickers];
    k->offsets = NULL;
    if (!wn__mask_make(&k->mask, t, t->ndim, t->shape)) return wn__fail_memory(c->op->name);
    x->npickers++;
    k->index = t;
    k->is_mask = true;
    k->dim = dim;
    k->taken = t->ndim;
    k->ndim = 1;
    k->shape[0] = k->mask.count;
    return WN_OK;
}

static wn_status read_index(wn__choice *x, wn__call *c, const wn_tensor *self, wn_tensor *t, int dim) {
    if (wn__wrap_dim(c->op->name, dim, self->ndim) < 0) return c->th->error;
    wn__picker *k = &x->pickers[x->npickers++];
    k->offsets = NULL;
    k->index = t;
    k->base = c->meta ? NULL : wn__ptr(t);
    k->is_mask = false;
    k->dim = dim;
    k->taken = 1;
    k->size = self->shape[dim];
    k->ndim = t->ndim;
    memcpy(k->shape, t->shape, (size_t)t->ndim * sizeof *t->shape);
    return WN_OK;
}

static wn_status read_list(wn__choice *x, wn__call *c, const wn_tensor *self, const wn_list *indices) {
    x->npickers = 0;
    if (indices->n == 0) return wn__fail_op(c, WN_E_INDEX, "at least one index must be provided");
    if (indices->n > self->ndim)
        return wn__fail_op(c, WN_E_INDEX, "too many indices for tensor of dimension %d (got %lld)", self->ndim, (long long)indices->n);
    for (int64_t i = 0; i < indices->n; i++) {
        const wn_tensor *t = indices->v[i];
        if (t && !is_mask(t) && t->dtype != WN_I64 && t->dtype != WN_I32)
            return wn__fail_op(c, WN_E_INDEX, "tensors used as indices must be long, int, byte or bool tensors, but number %lld is %s", (long long)i,
                               wn__desc(t));
    }
    for (int64_t i = 0, dim = 0; i < indices->n; i++) {
        wn_tensor *t = indices->v[i];
        if (!t) {
            if (wn__wrap_dim(c->op->name, dim++, self->ndim) < 0) return c->th->error;
            continue;
        }
        wn_status st = is_mask(t) ? read_mask(x, c, self, t, (int)dim) : read_index(x, c, self, t, (int)dim);
        if (st) return st;
        dim += is_mask(t) ? t->ndim : 1;
    }
    return x->npickers ? WN_OK : wn__fail_op(c, WN_E_INDEX, "at least one index must be a tensor with a dimension to take");
}

/* ------------------------------------------------------------------ shapes */

static wn_status mismatch(const wn__choice *x, wn__call *c) {
    char text[400];
    size_t at = 0;
    text[0] = 0;
    for (int i = 0; i < x->npickers && at < sizeof text; i++)
        for (int j = 0; j < x->pickers[i].taken && at < sizeof text; j++) /* a mask is as many indices as it has dimensions */
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at ? ", " : "", wn__dims_text(x->pickers[i].shape, x->pickers[i].ndim));
    return wn__fail_op(c, WN_E_INDEX, "shape mismatch: indexing tensors could not be broadcast together with shapes %s", text);
}

/* The shape that all indices have together. */
static wn_status broadcast(wn__choice *x, wn__call *c, int64_t *shape) {
    x->width = 0;
    for (int i = 0; i < x->npickers; i++) x->width = x->pickers[i].ndim > x->width ? x->pickers[i].ndim : x->width;
    for (int d = 0; d < x->width; d++) {
        shape[d] = 1;
        for (int i = 0; i < x->npickers; i++) {
            const wn__picker *k = &x->pickers[i];
            int own = d - (x->width - k->ndim);
            if (own < 0 || k->shape[own] == 1) continue;
            if (shape[d] != 1 && shape[d] != k->shape[own]) return mismatch(x, c);
            shape[d] = k->shape[own];
        }
    }
    for (int i = 0; i < x->npickers; i++) {
        wn__picker *k = &x->pickers[i];
        for (int d = 0; d < x->width; d++) {
            int own = d - (x->width - k->ndim);
            k->strides[d] = own < 0 || k->shape[own] == 1 ? 0 : k->is_mask ? 1 : k->index->strides[own];
        }
    }
    return WN_OK;
}

/* Neighbouring dimensions of the positions become one where all indices allow it; those of size 1 go. */
static void merge_runs(wn__choice *x, const int64_t *shape) {
    x->nruns = 0;
    for (int d = 0; d < x->width; d++) {
        if (shape[d] == 1) continue;
        int last = x->nruns - 1;
        bool merge = last >= 0;
        for (int i = 0; i < x->npickers && merge; i++) merge = x->pickers[i].strides[last] == x->pickers[i].strides[d] * shape[d];
        int to = merge ? last : x->nruns++;
        x->runs[to] = merge ? x->runs[to] * shape[d] : shape[d];
        for (int i = 0; i < x->npickers; i++) x->pickers[i].strides[to] = x->pickers[i].strides[d];
    }
    if (x->nruns) return;
    x->nruns = 1;
    x->runs[0] = 1;
    for (int i = 0; i < x->npickers; i++) x->pickers[i].strides[0] = 0;
}

wn__choice *wn__choice_room(wn__call *c, const wn_list *indices) {
    wn__choice *x;
    const size_t n = (size_t)(indices->n < WN_MAX_DIMS ? indices->n : WN_MAX_DIMS);
    return wn__plan_room(c, sizeof *x + n * sizeof *x->pickers);
}

wn_status wn__choice_read(wn__choice *x, wn__call *c, const wn_tensor *self, const wn_list *indices) {
    int64_t shape[WN_MAX_DIMS];
    wn_status st = read_list(x, c, self, indices);
    if (!st) st = broadcast(x, c, shape);
    if (st) return st;
    bool taken[WN_MAX_DIMS] = {false}, together = true, nothing = false;
    for (int i = 0; i < x->npickers; i++) {
        const wn__picker *k = &x->pickers[i];
        if (i) together &= k->dim == k[-1].dim + k[-1].taken;
        for (int j = 0; j < k->taken; j++) {
            taken[k->dim + j] = true;
            nothing |= self->shape[k->dim + j] == 0;
        }
    }
    x->nrest = 0;
    for (int d = 0; d < self->ndim; d++)
        if (!taken[d]) x->rest[x->nrest++] = d;
    x->at = 0;
    while (together && x->at < x->nrest && x->rest[x->at] < x->pickers[0].dim) x->at++;
    x->ndim = x->nrest + x->width;
    if (x->ndim > WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "the result would have %d dimensions, at most %d are supported", x->ndim, WN_MAX_DIMS);
    for (int i = 0; i < x->nrest; i++) x->shape[i < x->at ? i : i + x->width] = self->shape[x->rest[i]];
    memcpy(x->shape + x->at, shape, (size_t)x->width * sizeof *shape);
    bool over, over_n;
    x->n = wn__numel_of(x->width, shape, &over_n);
    x->numel = wn__numel_of(x->ndim, x->shape, &over);
    if (over || over_n || x->numel > INT64_MAX / 16) return wn__fail_op(c, WN_E_MEMORY, "a result of shape %s is too large", wn__dims_text(x->shape, x->ndim));
    if (nothing && x->n) return wn__fail_op(c, WN_E_INDEX, "index is out of bounds for dimension with size 0");
    merge_runs(x, shape);
    return WN_OK;
}

void wn__choice_drop(wn__choice *x) {
    for (int i = 0; i < x->npickers; i++) {
        wn__picker *k = &x->pickers[i];
        if (k->is_mask) wn__mask_drop(&k->mask);
        if (k->offsets) wn__data_free(k->offsets, k->capacity);
    }
    x->npickers = 0;
}

/* ------------------------------------------------------------------ range */

typedef struct checking {
    const wn__choice *x;
    _Atomic bool missed;
} checking;

enum { PIECE = 1024 }; /* offsets made at a time */

static void check_part(void *ctx, int64_t begin, int64_t end) {
    checking *k = ctx;
    int64_t ignored[PIECE];
    bool ok = true;
    for (int64_t at = begin; at < end && ok; at += PIECE) wn__choice_offsets(k->x, at, end - at < PIECE ? end - at : PIECE, ignored, &ok);
    if (!ok) atomic_store_explicit(&k->missed, true, memory_order_relaxed);
}

/* Element number i of an index tensor. */
static int64_t index_at(const wn_tensor *t, int64_t i) {
    int64_t offset = 0;
    for (int d = t->ndim - 1; d >= 0; d--) {
        offset += i % t->shape[d] * t->strides[d];
        i /= t->shape[d];
    }
    return wn__load_i64((wn_dtype)t->dtype, wn__ptr(t) + offset * (int64_t)wn__dtype_size(t->dtype));
}

wn_status wn__choice_check(const wn__choice *x, wn__call *c) {
    if (x->numel == 0) return WN_OK;
    checking k = {.x = x};
    atomic_init(&k.missed, false);
    wn__parallel(x->n, 1 << 15, check_part, &k);
    if (!atomic_load(&k.missed)) return WN_OK;
    for (int i = 0; i < x->npickers; i++) {
        const wn__picker *p = &x->pickers[i];
        for (int64_t j = 0; j < p->index->numel && !p->is_mask; j++) {
            int64_t v = index_at(p->index, j);
            if (v >= -p->size && v < p->size) continue;
            return wn__fail_op(c, WN_E_INDEX, "index %lld is out of bounds for dimension %d with size %lld", (long long)v, p->dim, (long long)p->size);
        }
    }
    return wn__fail_op(c, WN_E_INDEX, "an index was changed while it was read");
}
