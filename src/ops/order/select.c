/* median, nanmedian, kthvalue, mode. The k-th element of a line is found digit by digit of the keys (ops/order/order.h), the highest
 * first: count, keep the elements that have the k-th one's digit, go on with them. That is linear for any input. */
#include <math.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "base/threads.h"
#include "grad/support.h"
#include "ops/order/order.h"
#include "ops/reduce/reduce.h"
#include "ops/which.h"

typedef struct select_job {
    wn__selecting kind;
    wn_tensor *x;
    const char *xp;
    char *vp;
    int64_t *ip; /* NULL: values only */
    int dim;
    int64_t n, k;
    bool rows; /* lines are sorted side by side */
    atomic_bool no_memory;
} select_job;

enum { SOME = 256, FEW = 24, ROWS_TO = 256 };

#include "base/as_u32.h"
#include "ops/order/select_of.h"
#include "base/as_u64.h"
#include "ops/order/select_of.h"
#include "base/as_none.h"

/* Where the line's element with that key is, after `skip` others; -1: nowhere. */
static int64_t find_key(const wn__line *l, uint64_t key, int64_t skip) {
    uint64_t some[SOME];
    for (int64_t i = 0, n; i < l->n; i += n) {
        n = l->n - i < SOME ? l->n - i : SOME;
        wn__keys64(l, i, n, some);
        for (int64_t k = 0; k < n; k++)
            if (some[k] == key && skip-- == 0) return i + k;
    }
    return -1;
}

/* The place of the wanted element; -1: no memory. */
static int64_t select_line(const select_job *j, const wn__line *l) {
    bool narrow = wn__keys_narrow(l->dtype), real = wn__is_float((int)l->dtype);
    uint64_t nan = wn__key_most(l->dtype), key;
    int64_t n = l->n, k = j->k, before, nans = 0;
    uint32_t *narrow_keys = wn__scratch_array(2, n, narrow ? 4 : 8);
    uint64_t *wide_keys = (uint64_t *)(void *)narrow_keys;
    if (!narrow_keys) return -1;
    if (narrow) wn__keys32(l, 0, n, narrow_keys);
    else wn__keys64(l, 0, n, wide_keys);
    if (real && j->kind != WN__KTH) {
        if (narrow)
            for (int64_t i = 0; i < n; i++) nans += narrow_keys[i] == (uint32_t)nan;
        else
            for (int64_t i = 0; i < n; i++) nans += wide_keys[i] == nan;
        if (nans == n || (nans && j->kind == WN__MEDIAN)) return find_key(l, nan, 0);
    }
    if (j->kind != WN__KTH) k = (n - nans - 1) / 2;
    if (narrow) key = select_u32(narrow_keys, n, k, wn__key_bits(l->dtype), &before);
    else key = select_u64(wide_keys, n, k, 64, &before);
    return find_key(l, key, k - before);
}

/* The last place of the longest run in ascending order, the first such run; no two NaNs are equal. -1: no memory. */
static int64_t most_frequent(const wn__line *l) {
    wn__order o;
    if (!wn__order_line(l, false, &o)) return -1;
    uint64_t nan = wn__is_float((int)l->dtype) ? wn__key_most(l->dtype) : UINT64_MAX;
    bool nans = wn__is_float((int)l->dtype);
    int64_t most = 0, at = 0, run = 0;
    for (int64_t i = 0; i < o.n; i++) {
        uint64_t key = wn__order_key(&o, i);
        run = i && key == wn__order_key(&o, i - 1) && !(nans && key == nan) ? run + 1 : 1;
        if (run <= most) continue;
        most = run;
        at = wn__order_index(&o, i);
    }
    wn__order_free(&o);
    return at;
}

/* The same of line l of sorted ones. */
static int64_t sorted_place(const select_job *j, const wn__rows *r, int l) {
    const bool real = wn__is_float((int)r->dtype);
    const uint64_t nan = wn__rows_nan(r);
    const int64_t n = r->n;
    if (j->kind == WN__MODE) {
        int64_t most = 0, at = 0, run = 0;
        for (int64_t i = 0; i < n; i++) {
            const uint64_t key = wn__rows_key(r, i, l);
            run = i && key == wn__rows_key(r, i - 1, l) && !(real && key == nan) ? run + 1 : 1;
            if (run <= most) continue;
            most = run;
            at = i;
        }
        return wn__rows_place(r, at, l);
    }
    int64_t k = j->k, numbers = n;
    while (j->kind != WN__KTH && real && numbers && wn__rows_key(r, numbers - 1, l) == nan) numbers--;
    if (j->kind != WN__KTH) k = numbers == 0 || (j->kind == WN__MEDIAN && numbers < n) ? numbers : (numbers - 1) / 2;
    return wn__rows_place(r, k, l);
}

static wn__line line_at(const select_job *j, int64_t t) {
    const wn_tensor *x = j->x;
    wn__line l = {(wn_dtype)x->dtype, j->xp, 1, j->n};
    if (j->dim >= 0 && x->ndim) {
        l.p += wn__line_offset(x, x->strides, j->dim, t) * (int64_t)wn__dtype_size(x->dtype);
        l.stride = x->strides[j->dim];
    }
    return l;
}

static void select_lines(void *ctx, int64_t begin, int64_t end) {
    select_job *j = ctx;
    const wn_dtype dtype = (wn_dtype)j->x->dtype;
    const size_t size = wn__dtype_size(dtype);
    for (int64_t first = begin, t = begin; first < end; first = t) {
        int64_t at[WN__ROW_LINES] = {-1};
        wn__line l[WN__ROW_LINES];
        wn__rows r;
        r.dtype = dtype, r.n = j->n, r.lines = 0, r.descending = false, r.places_only = j->kind == WN__KTH;
        do {
            l[r.lines] = line_at(j, t++);
            r.line[r.lines] = l[r.lines].p;
            r.lines++;
        } while (j->rows && t < end && r.lines < wn__rows_lanes(dtype));
        r.stride = l[0].stride;
        if (!j->rows) at[0] = j->kind == WN__MODE ? most_frequent(l) : select_line(j, l);
        else if (wn__order_rows(&r))
            for (int k = 0; k < r.lines; k++) at[k] = sorted_place(j, &r, k);
        if (at[0] < 0) {
            atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
            return;
        }
        for (int k = 0; k < r.lines; k++) {
            memcpy(j->vp + (size_t)(first + k) * size, wn__line_at(&l[k], at[k]), size);
            if (j->ip) j->ip[first + k] = at[k];
        }
    }
}

static wn_status run_lines(wn__call *c, select_job *j, int64_t lines) {
    atomic_init(&j->no_memory, false);
    if (!j->xp || !j->vp) return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    j->rows = wn__rows_fit((wn_dtype)j->x->dtype, j->n, lines) && (j->kind == WN__MODE || j->n <= ROWS_TO);
    wn__parallel(lines, j->rows ? (4096 / (WN__ROW_LINES * j->n) + 1) * WN__ROW_LINES : 4096 / (j->n + 1) + 1, select_lines, j);
    wn__count(lines * j->n);
    return atomic_load(&j->no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}

static wn_status no_bool(wn__call *c, const wn_tensor *x) {
    if (x->dtype != WN_BOOL) return WN_OK;
    return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for Bool", c->op->name);
}

/* Values and indices along a dimension; of kthvalue the k-th. */
wn_status wn__infer_along(wn__call *c, wn_tensor *x, int64_t dim_given, int64_t k, bool keepdim) {
    const wn__selecting kind = c->op->which;
    wn_status st = kind == WN__MODE ? WN_OK : no_bool(c, x);
    int dim = st ? -1 : wn__wrap_dim(c->op->name, dim_given, x->ndim);
    if (dim < 0) return st ? st : c->th->error;
    const int64_t n = x->ndim ? x->shape[dim] : 1;
    if (n == 0) return wn__fail_op(c, WN_E_INDEX, "Expected reduction dim %d to have non-zero size.", dim);
    if (kind == WN__KTH && (k < 1 || k > n)) return wn__fail_op(c, WN_E_RUNTIME, "selected number k out of range for dimension %d", dim);
    int64_t shape[WN_MAX_DIMS];
    int ndim = 0;
    for (int d = 0; d < x->ndim; d++)
        if (d != dim || keepdim) shape[ndim++] = d == dim ? 1 : x->shape[d];
    st = wn__result(c, 0, (wn_dtype)x->dtype, ndim, shape, NULL);
    return st ? st : wn__result(c, 1, WN_I64, ndim, shape, NULL);
}
wn_status wn__run_along(wn__call *c, wn_tensor *x, int64_t dim_given, int64_t k) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, x->ndim);
    select_job j = {.kind = c->op->which, .x = x, .dim = dim, .n = x->ndim ? x->shape[dim] : 1, .k = k - 1};
    if (c->out[0]->numel == 0) return WN_OK;
    j.xp = wn__ptr(x);
    j.vp = wn__ptr(c->out[0]);
    j.ip = (int64_t *)(void *)wn__ptr(c->out[1]);
    return run_lines(c, &j, c->out[0]->numel);
}

/* Of all elements; over nothing NaN, or the smallest int64 converted, as in torch. */
wn_status wn__infer_median(wn__call *c, wn_tensor *x) {
    const wn_status st = no_bool(c, x);
    return st ? st : wn__result(c, 0, (wn_dtype)x->dtype, 0, x->shape, NULL);
}
wn_status wn__run_median(wn__call *c, wn_tensor *x) {
    select_job j = {.kind = c->op->which, .dim = -1, .n = x->numel, .vp = wn__ptr(c->out[0])};
    if (x->numel == 0) {
        wn__store_val((wn_dtype)x->dtype, j.vp, wn__is_float(x->dtype) ? wn_val_of_float((double)NAN) : wn_val_of_int(INT64_MIN));
        return WN_OK;
    }
    WN__OWNED wn_tensor *flat = wn__contiguous_raw(x);
    if (!flat) return wn__fail_memory(c->op->name);
    j.x = flat;
    j.xp = wn__ptr(flat);
    return run_lines(c, &j, 1);
}

/* ------------------------------------------------------------------ gradients */

/* Elements that are the median (the NaNs, if it is one) share g evenly. */
void wn__vjp_median(wn__gradctx *c, wn_tensor *x) {
    wn_tensor *y = c->y[0], *hit = wn_where(wn_isnan(y), wn_isnan(x), wn_eq(x, y));
    wn_tensor *n = wn_sum(hit, .dtype = wn_dtype_of(y) == WN_F64 ? WN_F64 : WN_F32);
    c->gin[0] = wn__grad_won(c, 0, hit, wn_expand(wn_to(wn_div(c->g[0], n), wn_dtype_of(y)), wn_shape(x)));
}
