/* Running what is pending: plan, memory for the results, the program, and what becomes of its members. */
#include <stdio.h>
#include "defer/plan.h"
#include "core/alloc.h"

/* ------------------------------------------------------------------ memory */

/* Gives member m's result its place. */
static bool place(wn__member *m) {
    wn__storage *s = m->v->home;
    if (!s) {
        if (!(s = wn__storage_unfilled((size_t)m->v->numel * wn__dtype_size(m->v->dtype)))) return false;
        if (!wn__storage_fill(s)) {
            wn__storage_free(s);
            return false;
        }
        m->fresh = s;
    } else if (!wn__storage_fill(s)) {
        return false;
    }
    m->place = s->data;
    return true;
}

/* What can be done without is given up first; false: the root itself has no memory. */
static bool place_all(wn__plan *p) {
    for (int i = 0; i < p->n; i++) {
        wn__member *m = &p->m[i];
        m->fresh = NULL;
        if (!m->store || place(m)) continue;
        if (m->v == p->root || !m->optional) return false;
        m->store = false;
    }
    return true;
}

static void drop_fresh(wn__plan *p) {
    for (int i = 0; i < p->n; i++) {
        if (p->m[i].fresh) wn__storage_free(p->m[i].fresh);
        p->m[i].fresh = NULL;
    }
}

/* ------------------------------------------------------------------ the program */

typedef enum outcome { DONE, CUT, NO_MEMORY } outcome;

/* ------------------------------------------------------------------ products */

static wn__member *product_of(wn__plan *p) {
    for (int i = 0; i < p->n; i++)
        if (p->m[i].v->kind == WN__V_PRODUCT) return &p->m[i];
    return NULL;
}

/* Can all that follows the product be done on its elements while they are there? Not where draws are among it: pieces may be
 * much shorter than the blocks in which those are made. */
static bool follows(const wn__plan *p, const wn__member *product) {
    bool same_type = false;
    for (int i = 0; i < p->n; i++) {
        const wn__member *m = &p->m[i];
        if (m != product && m->v->kind == WN__V_PRODUCT) return false;
        if (m->space != WN__FULL || m->guard || m->v->kind == WN__V_RANDOM) return false;
        if (!m->store) continue;
        same_type |= m->v->dtype == product->v->dtype;
        if (m->v->home && m->v->home->data) return false; /* in place: partial sums would overwrite what is still to be read */
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
    if (p->n == 1) return wn__product_run(product->v, product->place, NULL) ? NO_MEMORY : DONE;
    epilogue e = {.sink = {piece}, .pieces = wn__pieces_new(g)};
    if (!e.pieces) return NO_MEMORY;
    wn_status st = wn__product_run(product->v, g->outputs[0].to.base, &e.sink);
    wn__pieces_free(e.pieces);
    return st || e.failed ? NO_MEMORY : DONE;
}

/* Apart from what calls it, because a program is large and running may nest. */
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
    if (product ? run_product(p, &g, product) == DONE : wn__program_run(&g)) return DONE;
    drop_fresh(p);
    return NO_MEMORY;
}

static outcome execute_cached(wn__plan *p, wn__cached *c) {
    if (!place_all(p)) {
        drop_fresh(p);
        return NO_MEMORY;
    }
    if (!c || !wn__cache_program(c, p)) return execute(p);
    if (wn__cache_run(c)) return DONE;
    drop_fresh(p);
    return NO_MEMORY;
}

static void finish(wn__plan *p) {
    for (int i = 0; i < p->n; i++) p->m[i].v->refs++;
    for (int i = p->n - 1; i >= 0; i--) { /* readers first: what only they wanted is gone when its turn comes */
        wn__member *m = &p->m[i];
        wn__deferred.recomputed += m->v->runs > 0;
        if (m->store) {
            wn__deferred.stored++;
            wn__value_ready(m->v, m->fresh ? m->fresh : m->v->home);
        } else if (m->v->runs < 255) {
            m->v->runs++;
        }
    }
    for (int i = 0; i < p->n; i++) wn__value_unref(p->m[i].v);
}

/* In place: readers of the old contents outside the program must have been served. *settled: plan anew. */
static bool settle(wn__plan *p, bool *settled) {
    for (int i = 0; i < p->n; i++) {
        wn__storage *s = p->m[i].store ? p->m[i].v->home : NULL;
        if (!s || !s->data || !wn__disturbs(s, p)) continue;
        *settled = true;
        return wn__settle_readers(s, p);
    }
    return true;
}

static void failed(const wn__plan *p) {
    char chain[512];
    wn__chain_text(p, chain, sizeof chain);
    wn__fail(WN_E_MEMORY, "deferred", "out of memory while computing %s", chain);
    wn__value_bad(p->root);
}

bool wn__value_run(wn__value *root) {
    if (root->state != WN__V_PENDING) return root->state == WN__V_READY;
    wn__plan p;
    bool company = true;
    root->refs++;
    bool ok = false;
    for (;;) {
        bool settled = false;
        if (!wn__plan_gather(&p, root)) { /* a source failed */
            wn__value_bad(root);
            break;
        }
        if (root->state != WN__V_PENDING) { /* running a source took it along */
            ok = root->state == WN__V_READY;
            break;
        }
        if (company) wn__plan_join(&p);
        wn__cached *cached = wn__cache_find(&p);
        if (!cached) wn__plan_stores(&p);
        wn__member *product = product_of(&p);
        if (product && p.n > 1 && !follows(&p, product)) { /* the product first, by itself */
            if (wn__run_held(product->v)) continue;
            wn__value_bad(root);
            break;
        }
        if (!settle(&p, &settled)) {
            failed(&p);
            break;
        }
        if (settled) continue;
        outcome o = execute_cached(&p, cached);
        if (o == DONE) {
            finish(&p);
            ok = true;
            break;
        }
        if (company) { /* once more, alone */
            company = false;
        } else if (o == NO_MEMORY || !wn__run_sources(root)) {
            failed(&p);
            break;
        }
    }
    wn__value_unref(root);
    return ok;
}
