/* Recording: from the operands of a call to a pending value. */
#include "base/interrupt.h"
#include "defer/value.h"
#include "defer/copy.h"
#include "tensor/strides.h"

/* Exposed operands (docs/deferred.md) are copied if the result is at least this many times larger. */
enum { FOREIGN_SHARE = 4 };

/* ------------------------------------------------------------------ layouts */

/* The layout in which readers will see a result: dense; `order` has its dimensions, the outermost in memory first. */
typedef struct result {
    int ndim;
    const int64_t *shape, *strides; /* elements; NULL: row-major */
    int64_t numel;
    bool plain; /* row-major */
    int order[WN_MAX_DIMS];
} result;

static bool describe(result *r, int ndim, const int64_t *shape, const int64_t *strides) {
    r->ndim = ndim;
    r->shape = shape;
    r->strides = strides;
    bool over;
    r->numel = wn__numel_of(ndim, shape, &over);
    if (over || r->numel > WN__MOST_ELEMENTS) return false; /* the immediate way reports the error */
    r->plain = !strides || wn__contiguous(ndim, shape, strides);
    if (r->plain) return true;
    for (int d = 0; d < ndim; d++) {
        int k = d;
        for (; k > 0 && strides[r->order[k - 1]] < strides[d]; k--) r->order[k] = r->order[k - 1];
        r->order[k] = d;
    }
    int64_t step = 1; /* is it dense? */
    for (int k = ndim - 1; k >= 0; k--) {
        int d = r->order[k];
        if (shape[d] == 1) continue;
        if (strides[d] != step) return false;
        step *= shape[d];
    }
    return true;
}

/* Does t cover its whole storage? Compares offset and size only. */
static bool whole(const wn_tensor *t) {
    return t->offset == 0 && (size_t)t->numel * wn__dtype_size(t->dtype) == t->storage->bytes;
}

/* Do the elements of t and of the result have the same order in memory? */
static bool same_order(const wn_tensor *t, const result *r) {
    if (t->ndim != r->ndim) return false;
    for (int d = 0; d < r->ndim; d++)
        if (t->shape[d] != r->shape[d]) return false;
    return wn__lies_so(t, r->plain ? NULL : r->strides);
}

/* Does t repeat along dimension d? */
static bool repeats(const wn_tensor *t, int d) { return d < 0 || t->shape[d] == 1 || t->strides[d] == 0; }

/* If t (perhaps expanded) has one value for each row of the result and covers its whole storage, the length of the
 * rows; else 0. */
static int64_t row_length(const wn_tensor *t, const result *r) {
    if (!r->plain || t->offset) return 0;
    int shift = r->ndim - t->ndim, d = r->ndim - 1;
    int64_t row = 1, step = 1;
    for (; d >= 0 && repeats(t, d - shift); d--) row *= r->shape[d];
    for (; d >= 0; d--) {
        if (r->shape[d] == 1) continue;
        if (d < shift || t->shape[d - shift] != r->shape[d] || t->strides[d - shift] != step) return 0;
        step *= r->shape[d];
    }
    return row > 1 && row <= WN__MAX_ROW && (size_t)step * wn__dtype_size(t->dtype) == t->storage->bytes ? row : 0;
}

static bool single(const wn_tensor *t) {
    for (int d = 0; d < t->ndim; d++)
        if (!repeats(t, d)) return false;
    return true;
}

/* How the result reads what is pending on t. *row: for ROW, the length of the rows. */
static wn__ukind link_kind(const wn_tensor *t, const result *r, int64_t *row) {
    if (whole(t) && t->numel == r->numel && same_order(t, r)) return WN__U_SAME;
    return !single(t) && (*row = row_length(t, r)) ? WN__U_ROW : WN__U_VIEW;
}

/* May a result of few elements wait for what is pending on t? Only as part of a pass over many (as statistics of rows
 * are). Otherwise, say for an element of a large tensor, t runs and the result is computed at once: no chain grows. */
static bool small_joins(const wn_tensor *t, const result *r) {
    int64_t row;
    if (link_kind(t, r, &row) == WN__U_VIEW) return false;
    wn__defer_lock();
    const wn__value *v = wn__pending(t->storage);
    const bool wide = v && v->wide;
    wn__defer_unlock();
    return wide;
}

/* Lays out t's elements along the result's flat order. False: it takes too many dimensions. */
static bool lay_out(wn__use *u, const wn_tensor *t, const result *r) {
    int64_t size = (int64_t)wn__dtype_size(t->dtype);
    u->offset = t->offset * size;
    if (same_order(t, r)) {
        u->ndim = 1;
        u->shape[0] = r->numel;
        u->strides[0] = size;
        return true;
    }
    wn__leaf l;
    int64_t strides[WN_MAX_DIMS];
    wn__broadcast_strides(t, r->ndim, r->shape, strides);
    wn__leaf_layout(&l, r->ndim, r->shape, strides, r->plain ? NULL : r->order);
    if (l.ndim > WN__USE_DIMS) return false;
    u->ndim = (uint8_t)l.ndim;
    memcpy(u->shape, l.shape, (size_t)l.ndim * sizeof *l.shape);
    memcpy(u->strides, l.strides, (size_t)l.ndim * sizeof *l.strides);
    return true;
}

/* ------------------------------------------------------------------ uses */

static void number_of(wn__use *u, wn_val v) {
    u->kind = WN__U_NUMBER;
    u->number = 0;
    wn__store_val(wn__form_of(u->ct), &u->number, v);
}

/* Makes use i of v read t. False: no memory (*refused stays false), or a layout that cannot be deferred. */
static bool use_tensor(wn__value *v, int i, wn_tensor *t, wn__ct ct, const result *r, bool *refused) {
    wn__use *u = &v->uses[i];
    u->ct = (uint8_t)ct;
    u->dtype = t->dtype;
    bool pending = wn__pending(t->storage) != NULL;
    if (!pending && single(t)) { /* it is a number by now: nothing to keep alive or to load */
        u->kind = WN__U_NUMBER;
        u->number = 0;
        wn__kernels_now()->load[ct][t->dtype](1, &u->number, wn__ptr(t), (int64_t)wn__dtype_size(t->dtype));
        return true;
    }
    int64_t row;
    u->kind = (uint8_t)(pending ? link_kind(t, r, &row) : WN__U_VIEW);
    if (u->kind == WN__U_ROW) {
        u->ndim = 2;
        u->offset = 0;
        u->shape[1] = row;
        u->shape[0] = r->numel / row;
        u->strides[0] = (int64_t)wn__dtype_size(t->dtype);
        u->strides[1] = 0;
    }
    if (u->kind == WN__U_VIEW && !lay_out(u, t, r)) {
        *refused = true;
        return false;
    }
    wn__value *src = wn__value_of(t->storage);
    if (!src) return false;
    wn__value_link(v, i, src);
    wn__value_unref(src);
    return true;
}

/* Computes v's upper bounds (cone, leaves, work ...) from its own cost and those of its pending sources. */
static void sum_up(wn__value *v, double cost) {
    int cone = 1, leaves = 0, depth = 0;
    bool wide = (v->kind == WN__V_FOLD ? v->walked : v->numel) >= wn__defer_threshold();
    double work = cost * (double)v->numel;
    for (int i = 0; i < v->nuses; i++) {
        const wn__use *u = &v->uses[i];
        const wn__value *s = u->src;
        if (u->kind == WN__U_NUMBER) continue;
        if (s->state != WN__V_PENDING) {
            leaves++;
            continue;
        }
        work += s->work;
        bool fused = u->kind != WN__U_VIEW;
        if (s->depth + !fused > depth) depth = s->depth + !fused;
        wide |= fused && s->wide;
        cone += fused ? s->cone : 0;
        leaves += fused ? s->leaves : 1;
    }
    v->cone = (uint16_t)(cone < 65535 ? cone : 65535);
    v->leaves = (uint16_t)(leaves < 65535 ? leaves : 65535);
    v->depth = (uint8_t)(depth < 255 ? depth : 255);
    v->work = work;
    v->wide = wide;
}

/* Runs sources until v's cone fits into a program. False: that failed. */
static bool within_limits(wn__value *v, double cost) {
    sum_up(v, cost);
    if (v->cone <= WN__CONE_MOST && v->leaves <= WN__LEAVES_MOST && v->depth <= WN__DEPTH_MOST) return true;
    if (!wn__limit_cone(v)) return false;
    int cone = v->cone, leaves = v->leaves; /* exact now */
    sum_up(v, cost);
    v->cone = (uint16_t)cone;
    v->leaves = (uint16_t)leaves;
    return true;
}

static wn__deferral give_up(wn__value *v, const char *op, bool refused) {
    wn__value_unlink_all(v);
    wn__value_unref(v);
    wn__defer_unlock();
    if (refused) return WN__NOT_DEFERRED;
    wn__fail_memory(op);
    return WN__DEFER_FAILED;
}

/* ------------------------------------------------------------------ pointwise rows */

/* May an in-place change of t stay pending? */
static bool target_waits(const wn_tensor *t, const result *r, wn_dtype dtype) {
    return !wn__in_hook() && t->dtype == dtype && wn__may_defer(t) && whole(t) && same_order(t, r) && t->storage->bytes > sizeof t->storage->inline_data;
}

/* What to do with operands in exposed memory, which must not be read after the call. */
typedef enum foreign {
    NO_FOREIGN, /* there are no such operands */
    COPIED,     /* they are small beside the result: record, and read copies of them */
    AT_ONCE,    /* record, and run within the call with what is pending behind it */
    IMMEDIATE   /* do not record: nothing would be gained */
} foreign;

static bool is_foreign(const wn__operand *x) { return x->t && wn__exposed(x->t) && !single(x->t); }

static foreign foreign_operands(const wn__operand *x, int n, const result *r, wn_dtype dtype, bool inplace) {
    int64_t bytes = 0, row;
    bool any = false, fused = false;
    for (int i = 0; i < n; i++) {
        if (!x[i].t) continue;
        if (!is_foreign(&x[i])) {
            fused |= wn__pending(x[i].t->storage) && link_kind(x[i].t, r, &row) != WN__U_VIEW;
            continue;
        }
        any = true;
        bytes += x[i].t->numel * (int64_t)wn__dtype_size(x[i].t->dtype);
    }
    if (!any) return NO_FOREIGN;
    if (bytes * FOREIGN_SHARE <= r->numel * (int64_t)wn__dtype_size(dtype)) return COPIED;
    return fused && !inplace ? AT_ONCE : IMMEDIATE; /* in place, a failure must leave the target as it was */
}

/* Makes use i of v read the operand, or a copy of it. */
static bool use_operand(wn__value *v, int i, const wn__operand *x, const result *r, bool copy, bool *refused) {
    if (!copy || !is_foreign(x)) return use_tensor(v, i, x->t, (wn__ct)x->ct, r, refused);
    wn_tensor *own = wn__clone_raw(x->t);
    bool ok = own && use_tensor(v, i, own, (wn__ct)x->ct, r, refused);
    wn__release(own);
    return ok;
}

wn__deferral wn__defer_pointwise(wn__call *c, wn__kernel fn, wn_dtype dtype, wn__ct ct, const wn__operand *x, int n, int ndim,
                                 const int64_t *shape, const int64_t *strides) {
    int64_t from = wn__defer_threshold();
    if (from == INT64_MAX || n > WN__MAX_USES || (c->op->flags & WN__F_MAY_RAISE && !wn__is_float((int)dtype))) return WN__NOT_DEFERRED;
    result r;
    wn_tensor *target = c->target;
    if (target && !c->inplace) return WN__NOT_DEFERRED;
    if (!describe(&r, ndim, shape, target ? target->strides : strides) || r.numel == 0) return WN__NOT_DEFERRED;
    const bool large = r.numel >= from;
    bool wanted = large, exposed = false;
    for (int i = 0; i < n; i++) {
        if (!x[i].t) continue;
        if (wn__pending(x[i].t->storage) == &wn__bad_value) return WN__NOT_DEFERRED;
        exposed |= wn__exposed(x[i].t);
        if (large || !wn__pending(x[i].t->storage)) continue;
        if (!small_joins(x[i].t, &r)) return WN__NOT_DEFERRED;
        wanted = true;
    }
    if (!wanted || (exposed && !large) || (target && !target_waits(target, &r, dtype))) return WN__NOT_DEFERRED;
    const foreign outside = exposed ? foreign_operands(x, n, &r, dtype, target != NULL) : NO_FOREIGN;
    if (outside == IMMEDIATE) return WN__NOT_DEFERRED;

    wn__defer_lock();
    wn__value *v = wn__value_new(WN__V_ROW, dtype, r.numel);
    if (!v) {
        wn__defer_unlock();
        return wn__fail_memory(c->op->name), WN__DEFER_FAILED;
    }
    v->op = c->op;
    v->fn = fn;
    v->ct = (uint8_t)ct;
    for (int i = 0; i < n; i++) {
        bool refused = false;
        v->uses[i].src = NULL;
        v->nuses++;
        v->uses[i].ct = x[i].ct;
        if (!x[i].t) number_of(&v->uses[i], x[i].v);
        else if (!use_operand(v, i, &x[i], &r, outside == COPIED, &refused)) return give_up(v, c->op->name, refused);
    }
    if (!within_limits(v, c->op->cost)) return give_up(v, c->op->name, false);
    wn_tensor *t = target ? wn__retain(target) : wn__tensor_unfilled(dtype, ndim, shape, strides);
    if (!t) return give_up(v, c->op->name, false);
    v->at_once = outside == AT_ONCE;
    wn__value_publish(v, t);
    const bool ok = outside != AT_ONCE || wn__value_run(v);
    if (ok) c->out[0] = t;
    else wn__release(t);
    wn__value_unref(v);
    wn__defer_unlock();
    return ok ? WN__DEFERRED : WN__DEFER_FAILED;
}

/* ------------------------------------------------------------------ copies and conversions */

/* A pending value: t in `dtype`, which may be its own, laid out as r. NULL: no memory, or it cannot be deferred. */
static wn__value *conversion(const wn_op *op, wn_tensor *t, wn_dtype dtype, const result *r) {
    bool refused = false;
    wn__value *v = wn__value_new(WN__V_CONVERT, dtype, r->numel);
    if (!v) return NULL;
    v->op = op;
    v->nuses = 1;
    v->uses[0].src = NULL;
    const wn__ct ct = wn__cast_type(t->dtype, dtype);
    if (wn__is_register_form(dtype, ct)) v->ct = (uint8_t)ct;
    if (use_tensor(v, 0, t, ct, r, &refused) && within_limits(v, 1)) return v;
    wn__value_unref(v);
    return NULL;
}

static bool copy_waits(const wn_tensor *from, const result *r) {
    const int64_t least = wn__defer_threshold();
    if (least == INT64_MAX || !wn__may_defer(from) || r->numel == 0) return false;
    return r->numel >= least || (wn__pending(from->storage) && small_joins(from, r));
}

bool wn__defer_copy(const wn_op *op, wn_tensor *y, const wn_tensor *t) {
    result r;
    if (!describe(&r, y->ndim, y->shape, y->strides) || !copy_waits(t, &r)) return false;
    wn__defer_lock();
    wn__value *v = conversion(op, (wn_tensor *)(uintptr_t)t, (wn_dtype)y->dtype, &r);
    if (v) {
        wn__value_publish(v, y);
        wn__value_unref(v);
    }
    wn__defer_unlock();
    return v != NULL; /* if memory was short, the immediate way reports it */
}

bool wn__defer_overwrite(const wn_op *op, wn_tensor *dst, wn_tensor *src) {
    result r;
    if (src->storage == dst->storage || !describe(&r, dst->ndim, dst->shape, dst->strides) || !copy_waits(src, &r) ||
        !target_waits(dst, &r, (wn_dtype)dst->dtype))
        return false;
    wn__defer_lock();
    wn__value *v = conversion(op, src, (wn_dtype)dst->dtype, &r);
    if (v) {
        wn__value_publish(v, dst);
        wn__value_unref(v);
    }
    wn__defer_unlock();
    return v != NULL;
}

/* ------------------------------------------------------------------ draws */

wn__deferral wn__defer_random(wn__call *c, wn_generator *g, bool normal, double a, double b) {
    wn_tensor *t = c->out[0];
    const wn_dtype dtype = (wn_dtype)t->dtype;
    const int64_t n = t->numel;
    if (n == 0 || n > WN__MOST_ELEMENTS || n < wn__defer_threshold() || !wn__draws_can_wait(g, dtype)) return WN__NOT_DEFERRED;
    wn__defer_lock();
    wn__value *v = wn__value_new(WN__V_RANDOM, dtype, n);
    if (v) v->draws = wn__draws_new(g, dtype, n, normal, a, b); /* last: a failed call takes nothing of the stream */
    bool ok = v && v->draws;
    if (ok) {
        v->op = c->op;
        sum_up(v, wn__draws_cost(v->draws));
        wn__value_publish(v, t);
    }
    if (v) wn__value_unref(v);
    wn__defer_unlock();
    if (ok) return WN__DEFERRED;
    wn__fail_memory(c->op->name);
    return WN__DEFER_FAILED;
}

/* ------------------------------------------------------------------ reductions */

/* The product of the sizes in `set`, if those are the last (first) dimensions but for sizes of 1; else 0. */
static int64_t trailing(const wn_tensor *t, uint32_t set) {
    int64_t n = 1;
    int d = t->ndim - 1;
    for (; d >= 0 && (set >> d & 1 || t->shape[d] == 1); d--) n *= t->shape[d];
    for (; d >= 0; d--)
        if (set >> d & 1 && t->shape[d] != 1) return 0;
    return n;
}
static int64_t leading(const wn_tensor *t, uint32_t set) {
    int64_t n = 1;
    int d = 0;
    for (; d < t->ndim && (set >> d & 1 || t->shape[d] == 1); d++) n *= t->shape[d];
    for (; d < t->ndim; d++)
        if (set >> d & 1 && t->shape[d] != 1) return 0;
    return n;
}

/* How t is folded over `set`: the space of the result, and in *row the length of a row or the number of columns. */
static bool fold_form(const wn_tensor *t, uint32_t set, wn__space *space, int64_t *row) {
    int64_t n = trailing(t, set);
    if (n == t->numel) {
        *space = WN__ALL;
        *row = n;
        return true;
    }
    if (n > 1 && n <= WN__MAX_ROW) {
        *space = WN__ROW;
        *row = n;
        return true;
    }
    n = leading(t, set);
    *space = WN__COLUMN;
    *row = n ? t->numel / n : 0;
    return n > 1 && *row <= WN__MAX_ROW;
}

wn__deferral wn__defer_fold(wn__call *c, wn__reduce_kind kind, wn_tensor *t, uint32_t set, wn_dtype out, double p) {
    WN_ASSERT(t->magic == WN__MAGIC && !(set >> t->ndim));
    int64_t from = wn__defer_threshold(), row;
    wn__space space;
    result r;
    bool pending = wn__pending(t->storage) != NULL;
    if (from == INT64_MAX || c->target || t->numel == 0 || !wn__may_defer(t) || !describe(&r, t->ndim, t->shape, t->strides) || !fold_form(t, set, &space, &row))
        return WN__NOT_DEFERRED;
    if (!r.plain && space != WN__ALL) return WN__NOT_DEFERRED; /* a fold of all elements takes them as they lie */
    if (pending ? !whole(t) || (t->numel < from && !small_joins(t, &r)) : t->numel < from || space != WN__ROW) return WN__NOT_DEFERRED;
    if (!wn__program_can_fold(kind, (wn__space)space, (wn_dtype)t->dtype, row)) return WN__NOT_DEFERRED;
    wn_tensor *y = c->out[0];
    wn__defer_lock();
    bool refused = false;
    wn__value *v = wn__value_new(WN__V_FOLD, out, y->numel);
    if (v) {
        v->op = c->op;
        v->fold_space = (uint8_t)space;
        v->fold_kind = (uint8_t)kind;
        v->row = row;
        v->walked = t->numel;
        v->p = p;
        v->nuses = 1;
        v->uses[0].src = NULL;
    }
    bool ok = v && use_tensor(v, 0, t, wn__compute_type(t->dtype), &r, &refused);
    double cost = (double)t->numel / (double)y->numel;
    if (ok && (ok = within_limits(v, cost))) {
        wn__value_publish(v, y);
        wn__value_unref(v);
        wn__defer_unlock();
        return WN__DEFERRED;
    }
    if (v) wn__value_unref(v);
    wn__defer_unlock();
    if (refused) return WN__NOT_DEFERRED;
    wn__fail_memory(c->op->name);
    return WN__DEFER_FAILED;
}
