/* Channels last, and the rules of rows' .layout. */
#include "call/layout.h"
#include "base/alloc.h"
#include "call/number.h"
#include "tensor/strides.h"

static const int last_order[2][5] = {{1, 3, 2, 0}, {1, 4, 3, 2, 0}}; /* dimensions, innermost first */

static bool lies_last(int ndim, const int64_t *shape, const int64_t *strides) {
    const int *order = last_order[ndim == 5];
    int64_t least = 0;
    if (strides[1] == 0) return false;
    for (int i = 0; i < ndim; i++) {
        const int d = order[i];
        if (shape[d] == 0 || strides[d] < least || (d == 0 && least == strides[1])) return false;
        least = shape[d] > 1 ? wn__mul_sat(strides[d], shape[d]) : strides[d];
    }
    return true;
}
bool wn__channels_last(const wn_tensor *t) { return (t->ndim == 4 || t->ndim == 5) && lies_last(t->ndim, t->shape, t->strides); }
/* Does [N, C, L] lie channels last, seen as planes [N, C, 1, L]? */
static bool lines_last(const wn_tensor *t) {
    if (t->ndim != 3) return false;
    const int64_t shape[4] = {t->shape[0], t->shape[1], 1, t->shape[2]};
    const int64_t strides[4] = {t->strides[0], t->strides[1], wn__mul_sat(t->shape[2], t->strides[2]), t->strides[2]};
    return lies_last(4, shape, strides);
}

void wn__channels_last_strides(int ndim, const int64_t *shape, int64_t *strides) {
    WN_ASSERT(ndim >= 0 && ndim <= WN_MAX_DIMS);
    const int *order = last_order[ndim == 5];
    int64_t step = 1;
    for (int i = 0; i < ndim; i++) {
        strides[order[i]] = step;
        step = wn__mul_sat(step, shape[order[i]] ? shape[order[i]] : 1);
    }
}

wn_tensor *wn__planes_of(const wn_tensor *t) { return wn__channels_last(t) ? wn__contiguous_raw(t) : wn__retain((wn_tensor *)(uintptr_t)t); }
bool wn__dense_last(const wn_tensor *t) {
    int64_t strides[5];
    if (t->contiguous || (t->ndim != 4 && t->ndim != 5)) return false;
    wn__channels_last_strides(t->ndim, t->shape, strides);
    return wn__lies_so(t, strides) || wn__channels_last(t);
}

static bool named(const wn_op *op, int i) { return op->layout_of >> i & 1; }

/* Do the row's results have to lie channels last? */
static bool last_wanted(const wn__call *c) {
    const int rule = c->op->layout;
    if (rule == WN__LAYOUT_FORMATS) return wn__all_channels_last(c);
    if (rule != WN__LAYOUT_FORMAT && rule != WN__LAYOUT_DENSE) return false;
    for (int i = 0; i < c->op->ntensors; i++)
        if (named(c->op, i) && c->in[i] && (rule == WN__LAYOUT_DENSE ? wn__dense_last(c->in[i]) : wn__channels_last(c->in[i]))) return true;
    return false;
}
bool wn__all_channels_last(const wn__call *c) {
    int n = 0;
    for (int i = 0; i < c->nin; i++) {
        if (!c->in[i] || (c->in[i]->ndim == 1 && c->in[i]->numel == 0)) continue; /* torch's cat passes these over */
        if (!wn__channels_last(c->in[i])) return false;
        n++;
    }
    return n > 0;
}
static const wn_tensor *example(const wn__call *c) {
    for (int i = 0; i < c->op->ntensors; i++)
        if (named(c->op, i)) return c->in[i];
    return NULL;
}

/* The strides that the result y should have; false: it keeps its own. */
static bool wanted(const wn__call *c, const wn_tensor *y, bool last, int64_t *strides) {
    const wn_tensor *like;
    switch (c->op->layout) {
    case WN__LAYOUT_PLAIN: wn__row_major(y->ndim, y->shape, strides); return !y->contiguous;
    case WN__LAYOUT_FORMAT:
    case WN__LAYOUT_DENSE:
    case WN__LAYOUT_FORMATS:
        if (!last || (y->ndim != 4 && y->ndim != 5)) return false;
        wn__channels_last_strides(y->ndim, y->shape, strides);
        return true;
    case WN__LAYOUT_KEPT:
        like = example(c);
        if (!like || !wn__same_shape(like, y) || y->numel == 0) return false;
        wn__preserved_strides(like, strides);
        return true;
    case WN__LAYOUT_LINES:
        like = example(c);
        if (!like || y->ndim != 3 || !lines_last(like)) return false;
        strides[1] = 1, strides[2] = y->shape[1], strides[0] = wn__mul_sat(y->shape[1], y->shape[2]);
        return true;
    case WN__LAYOUT_COLUMNS:
        if (y->ndim < 2) return false;
        wn__column_major(y->ndim, y->shape, strides);
        return true;
    default: return false;
    }
}

bool wn__laid_last(const wn__call *c, int i) { return !c->target && !c->row_major && c->op->laid_out >> i & 1 && last_wanted(c); }
wn_status wn__result_laid(wn__call *c, int i, wn_dtype dtype, const wn_dims *size, bool last) {
    int64_t strides[WN_MAX_DIMS];
    if (last) wn__channels_last_strides(size->n, size->v, strides);
    return wn__result(c, i, dtype, size->n, size->v, last ? strides : NULL);
}

static wn_status restride(wn__call *c, int i, const int64_t *strides) {
    wn_tensor *y = c->out[i], *r = wn__restrided(y, strides);
    if (!r) return wn__fail_memory(c->op->name);
    wn__release(y);
    c->out[i] = r;
    return WN_OK;
}
/* The same for a composite row, whose results have a history. */
static wn_status restride_recorded(wn__call *c, int i, const int64_t *strides) {
    wn_tensor *y = c->out[i];
    wn_dims s = {.n = y->ndim};
    memcpy(s.v, strides, (size_t)y->ndim * sizeof *strides);
    WN_SCOPE(scope);
    wn_tensor *r = wn_with_strides(y, s);
    if (!wn_ok(r)) return wn_error();
    c->out[i] = wn__retain(r);
    wn__release(y);
    return WN_OK;
}

wn_status wn__lay_out(wn__call *c) {
    const wn_op *op = c->op;
    if (c->target || c->nlist || c->row_major) return WN_OK;
    const bool last = last_wanted(c);
    wn_status st = WN_OK;
    for (int i = 0; i < op->nresults && !st; i++) {
        int64_t strides[WN_MAX_DIMS];
        const wn_tensor *y = c->out[i];
        if (!y || !(op->laid_out >> i & 1) || !wanted(c, y, last, strides)) continue;
        if (!memcmp(y->strides, strides, (size_t)y->ndim * sizeof *strides)) continue;
        st = op->cls == WN__COMPOSITE ? restride_recorded(c, i, strides) : restride(c, i, strides);
    }
    return st;
}
