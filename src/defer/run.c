/* Runs what is pending: plan, memory for results, the program, and what becomes of its members. */
#include <stdio.h>
#include "base/later.h"
#include "defer/plan.h"
#include "base/alloc.h"
#include "tensor/events.h"
#include "base/interrupt.h"
#include "base/counters.h"

/* ------------------------------------------------------------------ memory */

/* Gives member m's result memory. */
static bool place(wn__member *m) {
    wn__storage *s = m->v->home;
    if (!s) {
        if (!(s = wn__storage_unfilled((size_t)m->v->numel * wn__dtype_size(m->v->dtype)))) return false;
        if (!wn__storage_fill(s)) {
            wn__storage_free(s);
            return false;
        }
        m->fresh = s;
    } else {
        m->filled = !s->data;
        if (!wn__storage_fill(s)) return false;
    }
    m->place = s->data;
    return true;
}

/* Gives all results memory; optional ones and company are given up first. False: there is none for the root itself. */
static bool place_all(wn__plan *p) {
    for (int i = 0; i < p->n; i++) {
        wn__member *m = &p->m[i];
        m->fresh = NULL;
        m->filled = false;
        if (!m->store || place(m)) continue;
        if (m->v == p->root || !m->optional) return false;
        m->store = false;
    }
    return true;
}

static void drop_fresh(wn__plan *p) {
    for (int i = 0; i < p->n; i++) {
        if (p->m[i].fresh) wn__storage_free(p->m[i].fresh);
        if (p->m[i].filled) wn__storage_unfill(p->m[i].v->home);
        p->m[i].fresh = NULL;
        p->m[i].filled = false;
    }
}

/* ------------------------------------------------------------------ the program */

typedef enum outcome { DONE, CUT, NO_MEMORY, STOPPED } outcome;

static outcome gave_up(wn_status st) { return st == WN_E_INTERRUPTED || wn__stopped() ? STOPPED : NO_MEMORY; }

/* Are all results in memory that was made for them? Then the program may be interrupted. */
static bool writes_fresh(const wn__plan *p) {
    for (int i = 0; i < p->n; i++)
        if (p->m[i].store && !p->m[i].fresh && !p->m[i].filled) return false;
    return true;
}

/* ------------------------------------------------------------------ products */

static wn__member *product_of(wn__plan *p) {
    for (int i = 0; i < p->n; i++)
        if (p->m[i].v->kind == WN__V_PRODUCT) return &p->m[i];
    return NULL;
}

/* Can all that follows the product be computed on its pieces while they are in cache? Draws cannot: they are made in
 * blocks, and pieces may be much shorter. */
static bool follows(const wn__plan *p, const wn__member *product) {
    bool same_type = false;
    for (int i = 0; i < p->n; i++) {
        const wn__member *m = &p->m[i];
        if (m != product && m->v->kind == WN__V_PRODUCT) return false;
        if (m->space != WN__FULL || m->guard || m->v->kind == WN__V_RANDOM) return false;
        if (!m->store) continue;
        same_type |= m->v->dtype == product->v->dtype;
        if (m->v->home && m->v->home->data) return false; /* in place: partial sums would overwrite operands */
    }
    return same_type;
}

_Atomic int64_t wn__short_pieces;

typedef struct epilogue {
    wn__sink sink;
    wn__pieces *pieces;
    bool failed;
} epilogue;

static void piece(wn__sink *s, int64_t begin, int64_t n, void *acc) {
    epilogue *e = (epilogue *)s;
    if (n < WN__PIECE_LEAST) atomic_fetch_add_explicit(&wn__short_pieces, 1, memory_order_relaxed);
    if (!wn__program_piece(e->pieces, begin, n, acc, 2)) __atomic_store_n(&e->failed, true, __ATOMIC_RELAXED);
}

static outcome run_product(wn__plan *p, const wn__program *g, const wn__member *product) {
    if (p->n == 1) {
        const wn_status st = wn__product_run(product->v, product->place, NULL);
        return st ? gave_up(st) : DONE;
    }
    epilogue e = {.sink = {piece}, .pieces = wn__pieces_new(g)};
    if (!e.pieces) return NO_MEMORY;
    wn_status st = wn__product_run(product->v, g->outputs[0].to.base, &e.sink);
    wn__pieces_free(e.pieces);
    return st || e.failed ? gave_up(st) : DONE;
}

static outcome run_program(wn__plan *p, wn__program *g, const wn__member *product) {
    return product ? run_product(p, g, product) : wn__program_run(g) ? DONE : gave_up(WN_OK);
}

static __attribute__((noinline)) outcome run_reported(wn__plan *p, wn__program *g, const wn__member *product) {
    wn__meter *meter = wn__new(wn__meter, 1), *outer = wn__meter_now;
    wn__stretch s;
    wn__stretch_begin(&s, product ? product->v->site : 0);
    wn__meter_now = meter;
    const outcome o = run_program(p, g, product);
    wn__meter_now = outer;
    wn__event_end(p->event);
    const int64_t ns = wn__stretch_end(&s);
    if (meter && o == DONE) wn__account(p, g, meter, product, ns);
    wn__free(meter);
    return o;
}

/* A function of its own, because a program is large and runs may nest: its stack is free again. */
static __attribute__((noinline)) outcome execute(wn__plan *p) {
    wn__program g;
    int64_t numbers[WN__MAX_LEAVES];
    const wn__use *uses[WN__MAX_LEAVES];
    if (!wn__plan_build(p, &g, numbers, uses)) {
        drop_fresh(p);
        return CUT;
    }
    if (wn__tracing()) wn__trace(p, &g);
    const wn__member *product = product_of(p);
    if (!product) wn__cache_keep(p, &g, uses);
    const outcome o = wn__reporting() ? run_reported(p, &g, product) : run_program(p, &g, product);
    if (o != DONE) drop_fresh(p);
    return o;
}

/* The interrupt hook may release handles: this keeps the program's values and the storages of results until let_go. */
static void hold(wn__plan *p) {
    p->held = true;
    for (int i = 0; i < p->n; i++) {
        wn__member *m = &p->m[i];
        m->v->refs++;
        m->held = m->store ? m->v->home : NULL;
        if (m->held) atomic_fetch_add_explicit(&m->held->refs, 1, memory_order_relaxed);
    }
}
static void let_go(wn__plan *p) {
    for (int i = 0; i < p->n; i++) {
        if (p->m[i].held) wn__storage_release(p->m[i].held);
        wn__value_unref(p->m[i].v);
    }
}

static outcome execute_cached(wn__plan *p, wn__cached *c) {
    p->held = false;
    p->event = wn__event_program(); /* begins here, so that its bytes include the results' memory */
    if (!place_all(p)) {
        drop_fresh(p);
        return NO_MEMORY;
    }
    const wn__way way = wn__way_enter(writes_fresh(p) ? WN__WAY_OPEN : WN__WAY_WHOLE);
    outcome o = DONE;
    if (wn__way_now > 0 && wn__hooked()) hold(p);
    if (!c || !wn__cache_program(c, p)) {
        o = execute(p);
    } else if (!wn__cache_run(c)) {
        drop_fresh(p);
        o = gave_up(WN_OK);
    }
    wn__way_leave(way);
    return o;
}

static void finish(wn__plan *p) {
    for (int i = 0; i < p->n; i++) p->m[i].v->refs++;
    for (int i = p->n - 1; i >= 0; i--) { /* readers first, so that what only they read ends before its turn */
        wn__member *m = &p->m[i];
        wn__deferred.recomputed += m->v->runs > 0;
        if (m->v->left_as && m->gathered < p->alone) wn__company_was_read(m->v);
        if (m->store) {
            wn__deferred.stored++;
            WN_ASSERT(m->place == (m->fresh ? m->fresh : m->v->home)->data);
            wn__value_ready(m->v, m->fresh ? m->fresh : m->v->home);
        } else if (m->v->runs < 255) {
            m->v->runs++;
        }
    }
    for (int i = 0; i < p->n; i++) wn__value_unref(p->m[i].v);
}

/* Before results are stored in place: serves readers of the old contents outside the program. *settled: plan again. */
static bool settle(wn__plan *p, bool *settled) {
    for (int i = 0; i < p->n; i++) {
        wn__storage *s = p->m[i].store ? p->m[i].v->home : NULL;
        if (!s || !s->data || !wn__disturbs(s, p)) continue;
        *settled = true;
        return wn__settle_readers(s, p);
    }
    return true;
}

/* Makes the root BAD, unless the failure was an interruption: then it stays pending. */
static void spoil(wn__value *root) {
    if (!wn__deferred.stopped) wn__value_bad(root);
}

static void failed(const wn__plan *p, outcome o) {
    char chain[512];
    wn__chain_text(p, chain, sizeof chain);
    wn__deferred.stopped |= o == STOPPED;
    if (o != STOPPED) wn__fail(WN_E_MEMORY, "deferred", "out of memory while computing %s", chain);
    else if (wn__stopped()) wn__fail(WN_E_MEMORY, "deferred", "interrupted while computing %s", chain);
    spoil(p->root);
}

static bool run_run(wn__value *root) {
    wn__plan p;
    bool company = true;
    for (;;) {
        bool settled = false;
        if (!wn__plan_gather(&p, root)) { /* a source failed */
            spoil(root);
            return false;
        }
        if (root->state != WN__V_PENDING) return root->state == WN__V_READY; /* running a source computed it as well */
        if (company) wn__plan_join(&p);
        wn__cached *cached = wn__cache_find(&p);
        if (!cached) wn__plan_stores(&p);
        wn__member *product = product_of(&p);
        if (product && p.n > 1 && !follows(&p, product)) { /* run the product first, by itself */
            if (wn__run_held(product->v)) continue;
            spoil(root);
            return false;
        }
        if (!settle(&p, &settled)) {
            failed(&p, wn__deferred.stopped ? STOPPED : NO_MEMORY);
            return false;
        }
        if (settled) continue;
        const outcome o = execute_cached(&p, cached);
        bool over = true;
        if (o == DONE) finish(&p);
        else if (company && o != STOPPED) company = over = false; /* try again without company */
        else if (o == CUT && wn__run_sources(root)) over = false;
        else failed(&p, o == CUT && wn__deferred.stopped ? STOPPED : o);
        if (p.held) let_go(&p);
        if (over) return o == DONE;
    }
}

bool wn__value_run(wn__value *root) {
    wn__defer_state *d = &wn__deferred;
    if (root->state != WN__V_PENDING) return root->state == WN__V_READY;
    if (wn__in_hook() && d->depth) return wn__fail(WN_E_RUNTIME, "deferred", "a signal's handler cannot read a pending tensor while others are computed"), false;
    if (!d->depth++) d->stopped = false;
    WN_ASSERT(wn__locks_held > 0 && root->refs > 0);
    root->refs++;
    const bool ok = run_run(root);
    wn__value_unref(root);
    d->depth--;
    return ok;
}
