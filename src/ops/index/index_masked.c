/* Rows of masks: masked_select, masked_scatter, nonzero. Each makes the mask's bits and counts in one pass over the mask; the second
 * pass looks only at what counts, every thread knowing where its chunk's elements belong. */
#include "base/threads.h"
#include "base/counters.h"
#include "grad/support.h"
#include "ops/index/index.h"

static wn_status check_mask(wn__call *c, const wn_tensor *mask) {
    return mask->dtype == WN_BOOL ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "expected BoolTensor for mask, but got %s", wn__desc(mask));
}

static wn_status broadcast(wn__call *c, const wn_tensor *a, const wn_tensor *b, int *ndim, int64_t *shape) {
    *ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
    for (int d = *ndim - 1; d >= 0; d--) {
        int da = d - (*ndim - a->ndim), db = d - (*ndim - b->ndim);
        int64_t sa = da < 0 ? 1 : a->shape[da], sb = db < 0 ? 1 : b->shape[db];
        if (sa != sb && sa != 1 && sb != 1)
            return wn__fail_op(c, WN_E_RUNTIME, "The size of tensor a (%lld) must match the size of tensor b (%lld) at non-singleton dimension %d (%s and %s)",
                               (long long)sa, (long long)sb, d, wn__desc(a), wn__desc(b));
        shape[d] = sa == 1 ? sb : sa;
    }
    bool over;
    int64_t n = wn__numel_of(*ndim, shape, &over);
    return over || n > INT64_MAX / 16 ? wn__fail_op(c, WN_E_MEMORY, "%s and %s broadcast to too many elements", wn__desc(a), wn__desc(b)) : WN_OK;
}

/* Elements in row-major order as runs of even stride. */
typedef struct runs {
    int ndim;
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS]; /* bytes */
    char *base;
} runs;

static void runs_of(runs *r, const wn_tensor *t, int ndim, const int64_t *shape) {
    int64_t strides[WN_MAX_DIMS];
    wn__broadcast_strides(t, ndim, shape, strides);
    r->base = wn__ptr(t);
    r->ndim = 0;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 1) continue;
        int last = r->ndim - 1;
        if (last >= 0 && r->strides[last] == strides[d] * shape[d]) {
            r->shape[last] *= shape[d];
            r->strides[last] = strides[d];
        } else {
            r->shape[r->ndim] = shape[d];
            r->strides[r->ndim++] = strides[d];
        }
    }
    if (r->ndim == 0) {
        r->ndim = 1;
        r->shape[0] = 1;
        r->strides[0] = (int64_t)wn__dtype_size(t->dtype);
    }
}

/* The run that begins with element `at`: its address; *n gets its length, at most `most`. */
static char *run_at(const runs *r, int64_t at, int64_t most, int64_t *n) {
    char *p = r->base;
    int last = r->ndim - 1;
    int64_t inner = at % r->shape[last], left = r->shape[last] - inner, rest = at / r->shape[last];
    p += inner * r->strides[last];
    for (int d = last - 1; d >= 0; d--) {
        p += rest % r->shape[d] * r->strides[d];
        rest /= r->shape[d];
    }
    *n = left < most ? left : most;
    return p;
}

typedef struct moving {
    const wn__mask *m;
    runs r;
    size_t size;
    char *packed;
} moving;

static void select_chunks(void *ctx, int64_t begin, int64_t end) {
    const moving *k = ctx;
    const wn__mask *m = k->m;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t at = chunk * WN__MASK_CHUNK, stop = m->n - at < WN__MASK_CHUNK ? m->n : at + WN__MASK_CHUNK, n;
        char *dst = k->packed + (size_t)m->before[chunk] * k->size;
        const char *room = k->packed + (size_t)m->before[chunk + 1] * k->size;
        for (; at < stop && dst < room; at += n) {
            const char *p = run_at(&k->r, at, stop - at, &n);
            dst = wn__compact(k->size, p, k->r.strides[k->r.ndim - 1], m->bits, at, n, dst, room);
        }
    }
}

void wn__mask_select(const wn_tensor *r, const wn_tensor *t, int ndim, const int64_t *shape, const wn__mask *m) {
    if (!m->count) return;
    moving k = {.m = m, .size = wn__dtype_size(t->dtype), .packed = wn__ptr(r)};
    runs_of(&k.r, t, ndim, shape);
    wn__parallel(m->chunks, 1, select_chunks, &k);
    wn__count(m->count);
}

wn_status wn__infer_masked_select(wn__call *c, wn_tensor *self, wn_tensor *mask) {
    int ndim;
    int64_t shape[WN_MAX_DIMS];
    wn_status st = check_mask(c, mask);
    if (!st) st = broadcast(c, self, mask, &ndim, shape);
    const wn__mask *m = st ? NULL : wn__mask_plan(c, mask, ndim, shape);
    return m ? wn__result(c, 0, (wn_dtype)self->dtype, 1, &m->count, NULL) : c->th->error;
}
wn_status wn__run_masked_select(wn__call *c, wn_tensor *self, wn_tensor *mask) {
    int ndim;
    int64_t shape[WN_MAX_DIMS];
    const wn_status st = broadcast(c, self, mask, &ndim, shape);
    if (!st) wn__mask_select(c->out[0], self, ndim, shape, c->plan);
    return st;
}

/* ------------------------------------------------------------------ masked_scatter */

static void scatter_chunks(void *ctx, int64_t begin, int64_t end) {
    const moving *k = ctx;
    const wn__mask *m = k->m;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t at = chunk * WN__MASK_CHUNK, stop = m->n - at < WN__MASK_CHUNK ? m->n : at + WN__MASK_CHUNK, n;
        const char *src = k->packed + (size_t)m->before[chunk] * k->size;
        if (m->before[chunk] == m->before[chunk + 1]) continue;
        for (; at < stop; at += n) {
            char *p = run_at(&k->r, at, stop - at, &n);
            src = wn__spread(k->size, p, k->r.strides[k->r.ndim - 1], m->bits, at, n, src);
        }
    }
}

void wn__mask_scatter(const wn_tensor *to, int ndim, const int64_t *shape, const wn__mask *m, char *packed) {
    if (!m->count) return;
    moving k = {.m = m, .size = wn__dtype_size(to->dtype), .packed = packed};
    runs_of(&k.r, to, ndim, shape);
    wn__parallel(m->chunks, 1, scatter_chunks, &k);
    wn__count(m->count);
}

wn_status wn__infer_masked_scatter(wn__call *c, wn_tensor *self, wn_tensor *mask, wn_tensor *source) {
    int ndim;
    int64_t shape[WN_MAX_DIMS];
    wn_status st = check_mask(c, mask);
    if (st) return st;
    if (self->dtype != source->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "expected self and source to have same dtypes but got %s and %s", wn__desc(self), wn__desc(source));
    st = broadcast(c, self, mask, &ndim, shape);
    if (st) return st;
    if (c->inplace && (ndim != self->ndim || memcmp(shape, self->shape, (size_t)ndim * sizeof *shape)))
        return wn__fail_op(c, WN_E_RUNTIME, "the mask %s does not broadcast to %s", wn__desc(mask), wn__desc(self));
    return c->inplace ? wn__ix_infer(c, self) : wn__result(c, 0, (wn_dtype)self->dtype, ndim, shape, NULL);
}
wn_status wn__run_masked_scatter(wn__call *c, wn_tensor *self, wn_tensor *mask, wn_tensor *source) {
    wn_tensor *own = NULL, *flat = NULL, *r = c->out[0];
    wn_status st = WN_OK;
    wn__mask m;
    if (!wn__mask_make(&m, mask, r->ndim, r->shape)) return wn__fail_memory(c->op->name);
    if (m.count > source->numel) {
        st = wn__fail_op(c, WN_E_RUNTIME, "number of elements of source %s < number of ones in mask (%lld)", wn__desc(source), (long long)m.count);
    } else if ((own = wn__ix_source(c, source))) {
        flat = wn__contiguous_raw(own);
        if (!flat) st = wn__fail_memory(c->op->name);
    } else {
        st = c->th->error;
    }
    if (!st && !c->inplace) st = wn__copy(r, self);
    if (!st) wn__mask_scatter(r, r->ndim, r->shape, &m, wn__ptr(flat));
    wn__release(own);
    wn__release(flat);
    wn__mask_drop(&m);
    return st;
}

void wn__vjp_masked_scatter(wn__gradctx *c, wn_tensor *mask) {
    if (c->need & 1) c->gin[0] = wn__grad_support(c, 0, WN__IF_FALSE, mask, c->g[0], wn_val_none());
    if (!(c->need >> 2 & 1)) return;
    wn_dims shape = wn__input_shape(c, 2);
    int64_t numel = 1;
    for (int d = 0; d < shape.n; d++) numel = wn__mul_sat(numel, shape.v[d]);
    wn_tensor *g = wn_masked_select(c->g[0], mask); /* the source's first elements; the others were not used */
    if (wn_ok(g) && wn_numel(g) != numel) g = wn_slice_backward(g, WN_DIMS(numel), 0, 0, wn_numel(g), 1);
    c->gin[2] = wn_reshape(g, shape.n ? shape : WN_0D);
}

/* ------------------------------------------------------------------ nonzero */

typedef struct places {
    const wn__mask *m;
    const wn_tensor *t;
    int64_t *to, column, step; /* result strides: between dimensions, between elements */
} places;

static void place_chunks(void *ctx, int64_t begin, int64_t end) {
    const places *k = ctx;
    const wn__mask *m = k->m;
    const wn_tensor *t = k->t;
    const int last = t->ndim - 1;
    const int64_t step = k->step, column = k->column, width = t->shape[last]; /* of its own: what is written might be k, for all the compiler knows */
    int64_t coord[WN_MAX_DIMS];
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t *to = k->to + m->before[chunk] * step, row = -1, first = 0; /* the row known, its first element */
        for (int64_t i = chunk * (WN__MASK_CHUNK / 64), stop = i + WN__MASK_CHUNK / 64; i < stop && i * 64 < m->n; i++) {
            for (uint64_t w = m->bits[i]; w; w &= w - 1, to += step) {
                int64_t at = i * 64 + __builtin_ctzll(w);
                if (row < 0 || at - first >= width) {
                    int64_t rest = row = at / width;
                    first = row * width;
                    for (int d = last - 1; d >= 0; d--) {
                        coord[d] = rest % t->shape[d];
                        rest /= t->shape[d];
                    }
                }
                for (int d = 0; d < last; d++) to[d * column] = coord[d];
                to[last * column] = at - first;
            }
        }
    }
}

wn_status wn__infer_nonzero(wn__call *c, wn_tensor *t) {
    if (c->target && c->target->dtype != WN_I64)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected out tensor to have scalar type Long but got scalar type%s", wn__dtype_word(c->target->dtype));
    const wn__mask *m = wn__mask_plan(c, t, t->ndim, t->shape);
    if (!m) return c->th->error;
    const int64_t shape[2] = {m->count, t->ndim}, strides[2] = {1, m->count}; /* a column for each dimension, as torch's */
    return wn__result(c, 0, WN_I64, 2, shape, strides);
}
wn_status wn__run_nonzero(wn__call *c) {
    const wn_tensor *t = ((const wn_nonzero_args *)c->args)->self, *r = c->out[0];
    const wn__mask *m = c->plan;
    if (!r->numel) return WN_OK;
    places k = {m, t, (int64_t *)(void *)wn__ptr(r), r->strides[1], r->strides[0]};
    wn__parallel(m->chunks, 1, place_chunks, &k);
    wn__count(m->count);
    return WN_OK;
}
