/* Supports, and the cotangents that have them. */
#include "grad/support.h"
#include "base/slab.h"
#include "grad/tape.h"

/* ------------------------------------------------------------------ conditions */

wn_tensor *wn__given_dense(const wn__given *c, wn_tensor *x) {
    switch (c->kind & ~WN__OWN) {
    case WN__IF_TRUE: return wn_where(c->t, x, 0);
    case WN__IF_FALSE: return wn_masked_fill(x, c->t, 0);
    case WN__IF_ABOVE: return wn_threshold_backward(x, c->t, c->number);
    }
    return x;
}

wn_tensor *wn__grad_support(wn__gradctx *c, int i, int kind, wn_tensor *cond, wn_tensor *x, wn_val number) {
    WN_ASSERT(i >= 0 && i < c->nin);
    if (!cond || !wn_ok(x)) return x;
    if (!wn_ok(cond)) return cond;
    if (wn__is_meta(cond) || wn__is_meta(x)) return wn__given_dense(&(wn__given){.kind = kind, .t = cond, .number = number}, x); /* no mask on meta */
    wn__given given = {.kind = kind, .t = cond, .number = number};
    if (!c->given) return wn__given_dense(&given, x);
    c->given[i] = given;
    return x;
}

static bool same_tensor(const wn_tensor *a, const wn_tensor *b) {
    return a == b || (a->storage == b->storage && a->offset == b->offset && a->dtype == b->dtype && wn__same_shape(a, b) &&
                      !memcmp(a->strides, b->strides, (size_t)a->ndim * sizeof *a->strides));
}
static bool same_condition(const wn__support *a, int kind, const wn_tensor *t, wn_val number, uint32_t version) {
    if (a->kind != kind || a->version != version || !same_tensor(a->t, t)) return false;
    return kind != WN__IF_ABOVE || (a->number.kind == number.kind && a->number.kind != WN_VAL_TENSOR && a->number.u.i == number.u.i);
}

wn__support *wn__support_push(const wn__given *c, wn__support *next) {
    int kind = c->kind & ~(WN__CLEAN | WN__OWN);
    bool mask = wn__by_mask(c);
    uint32_t version = wn__changes(c->t);
    for (wn__support *s = next; s; s = s->next)
        if (same_condition(s, kind, c->t, c->number, version)) return wn__support_retain(next);
    wn__support *s = wn__slab_take(WN__SLAB_NODE, WN__NODE_SLAB_BYTES); /* more than it needs, but fast */
    if (!s) return NULL;
    *s = (wn__support){.next = wn__support_retain(next), .refs = 1, .kind = kind, .masks = mask || (next && next->masks), .version = version, .t = wn__retain(c->t), .number = c->number};
    return s;
}

void wn__support_release(wn__support *s) {
    while (s && --s->refs == 0) {
        wn__support *next = s->next;
        wn__release(s->t);
        wn__slab_give(WN__SLAB_NODE, s);
        s = next;
    }
}

static bool same(const wn__support *a, const wn__support *b) {
    for (; a != b; a = a->next, b = b->next)
        if (!a || !b || !same_condition(a, b->kind, b->t, b->number, b->version)) return false;
    return true;
}
/* Are the conditions opposites, inside equal outer conditions? */
static bool opposite(const wn__support *a, const wn__support *b) {
    return a->kind + b->kind == WN__IF_TRUE + WN__IF_FALSE && same_condition(a, a->kind, b->t, b->number, b->version) && same(a->next, b->next);
}

/* Is the condition's tensor unchanged? The node that set it has checked, but hooks may have run since. */
static bool unchanged(const wn__support *s) {
    if (wn__changes(s->t) == s->version) return true;
    wn__fail(WN_E_RUNTIME, "backward", "one of the masks needed for gradient computation has been modified by an inplace operation: %s, taken at "
             "version %u, is at version %u; it was last changed by %s", wn__desc(s->t), s->version, wn__changes(s->t),
             s->t->storage->last_mutator ? s->t->storage->last_mutator : "?");
    return false;
}

wn_tensor *wn__support_dense(const wn__support *s, wn_tensor *x) {
    for (; s && wn_ok(x); s = s->next) {
        if (!unchanged(s)) return &wn__bad_tensor;
        x = wn__given_dense(&(wn__given){.kind = s->kind, .t = s->t, .number = s->number}, x);
    }
    return x;
}

wn_tensor *wn__support_mask(const wn__support *s, const wn_tensor *like) {
    wn_scope scope = wn_begin_modes((wn_modes){.grad = WN_OFF});
    wn_tensor *all = NULL;
    for (; s; s = s->next) {
        wn_tensor *m = !unchanged(s) ? &wn__bad_tensor : s->kind == WN__IF_ABOVE ? wn_le(s->t, s->number) : s->t;
        if (s->kind != WN__IF_TRUE) m = wn_logical_not(m);
        all = all ? wn_logical_and(all, m) : m;
    }
    if (!all) all = wn_ones(WN_0D, .dtype = WN_BOOL);
    if (wn_ok(all) && all->dtype != WN_BOOL) all = wn_to(all, WN_BOOL);
    if (wn_ok(all) && !wn__same_shape(all, like)) all = wn_expand(all, wn_shape(like));
    return wn_leave(&scope, all);
}

bool wn__true_everywhere(wn_tensor *mask, wn_status *st) {
    wn_tensor *all = wn_all(mask);
    int64_t errors = wn_error_count();
    bool yes = wn_ok(all) && wn_item_i64(all) != 0;
    if (!wn_ok(all) || wn__failed_since(errors)) *st = wn_error();
    return yes;
}

/* Do all conditions broadcast to exactly x's shape? */
static bool fits(const wn__support *s, const wn_tensor *x) {
    for (; s; s = s->next) {
        int shift = x->ndim - s->t->ndim;
        if (shift < 0) return false;
        for (int d = 0; d < s->t->ndim; d++)
            if (s->t->shape[d] != 1 && s->t->shape[d] != x->shape[d + shift]) return false;
    }
    return true;
}

wn_status wn__given_fit(wn__given *c, wn_tensor *x) {
    if (!(c->kind & WN__CLEAN) || fits(&(wn__support){.t = c->t}, x)) return WN_OK;
    wn_tensor *all = wn_logical_and(c->t, wn_ones_like(x, .dtype = WN_BOOL)); /* broadcast to both shapes */
    c->t = wn_ne(wn_sum_to_size(all, wn_shape(x)), 0);
    return wn_ok(c->t) ? WN_OK : wn_error();
}

/* ------------------------------------------------------------------ cotangents */

wn_tensor *wn__cotangent_dense(wn__cotangent *x) {
    if (!x->support || x->dense) return x->dense ? x->dense : x->value;
    wn_tensor *dense = wn__support_dense(x->support, x->value);
    if (wn_ok(dense)) x->dense = wn__retain(dense);
    return dense;
}

/* Fills x; takes the support (owned), the rest is borrowed. */
static wn_status set(wn__cotangent *x, wn_tensor *value, wn__support *support, wn_tensor *zero, wn_tensor *dense, bool own) {
    wn__cotangent old = *x;
    *x = (wn__cotangent){.own = own};
    bool ok = wn_ok(value) && (!dense || wn_ok(dense));
    if (ok) {
        x->value = wn__retain(value);
        x->support = support;
        x->zero = support && zero ? wn__retain(zero) : NULL;
        x->dense = support && dense ? wn__retain(dense) : NULL;
    } else {
        wn__support_release(support);
    }
    wn__cotangent_drop(&old);
    return ok ? WN_OK : wn_error();
}

/* Adds cotangents that exist at the same elements. */
static wn_status add_values(wn__cotangent *sum, const wn__cotangent *x, bool create) {
    bool clean = sum->dense == sum->value && x->dense == x->value;
    if (sum->own && !create && wn__same_shape(sum->value, x->value) && sum->value->dtype == x->value->dtype) {
        if (!wn_ok(wn_add_(sum->value, x->value))) return wn_error();
        if (!clean) {
            wn__release(sum->dense);
            sum->dense = NULL;
        }
        return WN_OK;
    }
    wn_tensor *value = wn_add(sum->value, x->value);
    return set(sum, value, wn__support_retain(sum->support), NULL, clean ? value : NULL, true);
}

wn_tensor *wn__exists(const wn__cotangent *x, const wn_tensor *like, wn_tensor **zero) {
    wn_tensor *on = wn__support_mask(x->support, like);
    *zero = NULL;
    if (!x->zero || !wn_ok(on)) return on;
    *zero = wn_logical_and(on, x->zero);
    return wn_logical_and(on, wn_logical_not(x->zero));
}

/* Adds dense. A sum exists where a term does and is zero where both are zero; absent and zero elements add nothing. */
static wn_status add_dense(wn__cotangent *sum, const wn__cotangent *x, bool keep) {
    wn_tensor *a = wn__cotangent_dense(sum), *b = x->dense ? x->dense : wn__support_dense(x->support, x->value), *zero_a, *zero_b;
    wn_tensor *value = wn_add(a, b);
    if (!keep || !sum->support || !x->support || !wn_ok(value)) return set(sum, value, NULL, NULL, NULL, true);
    wn_tensor *either = wn_logical_or(wn__exists(sum, value, &zero_a), wn__exists(x, value, &zero_b)), *zero = NULL;
    if (zero_a && zero_b) either = wn_logical_or(either, zero = wn_logical_and(zero_a, zero_b));
    if (!wn_ok(either)) return wn_error();
    wn__support *support = wn__support_where(either, sum->support->masks || x->support->masks);
    return support ? set(sum, value, support, zero, value, true) : wn__fail_memory("backward");
}

static wn_status add_supported(wn__cotangent *sum, const wn__cotangent *x, bool keep, bool create) {
    if (sum->zero || x->zero) return add_dense(sum, x, keep);
    if (same(sum->support, x->support)) return add_values(sum, x, create);
    if (sum->support && x->support && opposite(sum->support, x->support)) {
        bool first = sum->support->kind == WN__IF_TRUE;
        if (!unchanged(x->support)) return wn_error();
        wn_tensor *value = wn_where(x->support->t, first ? sum->value : x->value, first ? x->value : sum->value);
        return set(sum, value, wn__support_retain(x->support->next), NULL, NULL, true);
    }
    return add_dense(sum, x, keep);
}

/* Gives x, which has none, a support that says which elements nobody reads. support is owned, zero borrowed. */
static wn_status tell_reads(wn__cotangent *x, const wn__reads *reads) {
    wn_tensor *zero = wn__reads_none(reads), *all = wn_ones(WN_0D, .dtype = WN_BOOL);
    if (!wn_ok(zero) || !wn_ok(all)) return wn_error();
    x->support = wn__support_where(all, false);
    x->zero = zero;
    x->dense = x->value;
    return x->support ? WN_OK : wn__fail_memory("backward");
}

wn_status wn__cotangent_add(wn__cotangent *sum, wn__cotangent *x, bool keep, bool create) {
    if (!sum->value) return set(sum, x->value, wn__support_retain(x->support), x->zero, x->dense, false);
    wn__reads *reads = sum->reads;
    sum->reads = NULL;
    wn_status st = WN_OK;
    if (!sum->support && !x->support) {
        st = add_values(sum, x, create);
        if (!st && reads && x->reads) {
            x->reads->next = reads;
            sum->reads = x->reads;
            x->reads = reads = NULL;
        }
    } else if (keep && reads) {
        wn__cotangent told = *sum;
        st = tell_reads(&told, reads);
        if (!st) st = set(sum, told.value, told.support, told.zero, told.value, told.own);
        if (!st) st = add_supported(sum, x, keep, create);
    } else if (keep && x->reads) {
        wn__cotangent told = *x;
        st = tell_reads(&told, x->reads);
        if (!st) st = add_supported(sum, &told, keep, create);
        wn__support_release(told.support);
    } else {
        st = add_supported(sum, x, keep, create);
    }
    wn__reads_drop(reads);
    return st;
}

/* ------------------------------------------------------------------ at inputs */

static inline bool same_shape(const wn__edge *e, const wn_tensor *g) {
    if (g->ndim != e->ndim) return false;
    for (int d = 0; d < e->ndim; d++)
        if (g->shape[d] != e->shape[d]) return false;
    return true;
}
/* Makes g fit its input: sums broadcast dimensions and casts to the input's dtype. g is borrowed. */
wn_tensor *wn__fit(const wn__edge *e, wn_tensor *g) {
    if (!same_shape(e, g)) g = wn_sum_to_size(g, wn__edge_dims(e));
    if (g->dtype != e->dtype && wn_ok(g)) g = wn_to(g, (wn_dtype)e->dtype);
    return g;
}

bool wn__support_stays(const wn__edge *e, const wn__support *s, const wn_tensor *value) {
    return same_shape(e, value) && fits(s, value);
}

/* The same for x, which has a support. That goes through a cast, and through a sum over broadcast dimensions: a sum
 * exists if any of its terms does, else it is absent if any is. x's parts are borrowed; new ones come from the scope,
 * the support is owned. */
wn_status wn__fit_support(const wn__edge *e, wn__cotangent *x) {
    if (wn__support_stays(e, x->support, x->value)) {
        wn__support_retain(x->support);
        if (x->value->dtype == e->dtype) return WN_OK;
        bool clean = x->dense == x->value;
        x->value = wn_to(x->value, (wn_dtype)e->dtype);
        x->dense = clean ? x->value : NULL;
    } else {
        wn_tensor *dense = x->dense ? x->dense : wn__support_dense(x->support, x->value), *zero = NULL;
        wn_tensor *mask = wn_ok(dense) ? wn__exists(x, dense, &zero) : dense;
        if (wn_ok(mask)) mask = wn_ne(wn_sum_to_size(mask, wn__edge_dims(e)), 0);
        if (zero && wn_ok(mask)) {
            wn_tensor *absent = wn_logical_not(wn__support_mask(x->support, dense));
            zero = wn_logical_not(wn_logical_or(mask, wn_ne(wn_sum_to_size(absent, wn__edge_dims(e)), 0)));
            mask = wn_logical_or(mask, zero);
        }
        x->zero = zero;
        x->support = wn_ok(mask) ? wn__support_where(mask, x->support->masks) : NULL;
        if (!x->support) return wn_ok(mask) ? wn__fail_memory("backward") : wn_error();
        x->value = x->dense = wn__fit(e, dense);
    }
    if (wn_ok(x->value)) return WN_OK;
    wn__support_release(x->support);
    return wn_error();
}
