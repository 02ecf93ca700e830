/* Store or recompute: which results of a program go to memory besides the one that was asked for. */
#include "defer/plan.h"

/* Tenths of ns for storing and loading again; the larger number is for results that leave the cache. */
enum { BYTE_LARGE_X16 = 40, BYTE_CACHED_X16 = 14, GUARDED_RUNS = 4 };

static bool read_outside(const wn__plan *p, const wn__value *v) {
    for (const wn__use *u = v->readers; u; u = u->next)
        if (!wn__in_plan(p, u->reader)) return true;
    return false;
}

double wn__load_cost(const wn__use *u) { return u->src->store && u->src->store->bytes > WN__LARGE_BYTES ? 3 : 0.5; }

/* The cost of computing v again from memory, in tenths of ns for all elements. What was seen in this pass is free. */
static double again(wn__value *v, uint32_t pass) {
    if (v->seen == pass) return 0;
    v->seen = pass;
    if (v->kind == WN__V_PRODUCT) return v->work;
    double n = v->kind == WN__V_FOLD ? (double)v->numel * (double)v->row : (double)v->numel;
    double sum = n * wn__value_cost(v);
    for (int i = 0; i < v->nuses; i++) {
        const wn__use *u = &v->uses[i];
        if (u->kind == WN__U_NUMBER) continue;
        if (wn__fusable(u)) sum += again(u->src, pass);
        else sum += n * wn__load_cost(u);
    }
    return sum;
}

double wn__cost_again(wn__value *v) { return again(v, wn__new_mark()); }

static bool storing_pays(const wn__member *m) {
    wn__value *v = m->v;
    if (v->kind == WN__V_PRODUCT || v->kind == WN__V_FOLD || m->space != WN__FULL || v->runs >= 2) return true;
    double bytes = (double)v->numel * (double)wn__dtype_size(v->dtype);
    double cost = bytes * (bytes > WN__LARGE_BYTES ? BYTE_LARGE_X16 : BYTE_CACHED_X16) / 16;
    return v->work > cost && wn__cost_again(v) > cost; /* work is an upper bound, and cheap to test first */
}

/* Will a stored member overwrite what u reads? */
static bool overwritten(const wn__plan *p, const wn__use *u) {
    if (u->kind == WN__U_NUMBER || u->src->state != WN__V_READY) return false;
    for (int i = 0; i < p->n; i++)
        if (p->m[i].store && p->m[i].v->home && p->m[i].v->home->data && u->src->store == p->m[i].v->home) return true;
    return false;
}

/* Memory that is changed in place cannot be read again: stores those members that outlive the program and need it. */
static void store_survivors(wn__plan *p) {
    bool lost[WN__PLAN_MOST], again;
    do {
        again = false;
        for (int i = 0; i < p->n; i++) {
            wn__member *m = &p->m[i];
            lost[i] = false;
            for (int k = 0; k < m->v->nuses && !m->store; k++) {
                const wn__use *u = &m->v->uses[k];
                lost[i] |= wn__fusable(u) ? lost[u->src->index] : overwritten(p, u);
            }
            if (!lost[i] || (!m->v->home && !read_outside(p, m->v))) continue;
            lost[i] = false;
            again = m->store = true;
        }
    } while (again);
}

/* Is v a product that somebody could still ask for, much smaller than its operands? It costs next to nothing to store,
 * and that saves a copy of its weights when the optimiser changes them. */
static bool small_product(const wn__value *v) {
    size_t most = 0;
    for (int i = 0; i < v->nuses && v->kind == WN__V_PRODUCT && v->home; i++)
        if (v->uses[i].src->store && v->uses[i].src->store->bytes > most) most = v->uses[i].src->store->bytes;
    return (size_t)v->numel * wn__dtype_size(v->dtype) * 16 <= most;
}

unsigned wn__plan_wants(const wn__plan *p, const wn__member *m) {
    const wn__value *v = m->v;
    return (unsigned)(v->asked || wn__value_kept(v)) | (unsigned)wn__value_taped(v) << 1 | (unsigned)read_outside(p, v) << 2 |
           (unsigned)(v->home != NULL) << 3 | (unsigned)(v->home && v->home->data) << 4 | (unsigned)m->store << 5;
}

/* Within a call even temporaries are held, by Python's stack: for that alone no guarded member is stored. */
static void store_kept(wn__plan *p, bool within_call) {
    for (int i = 0; i < p->n; i++) p->m[i].store |= wn__value_kept(p->m[i].v) && (!within_call || !p->m[i].guard);
}

void wn__plan_stores(wn__plan *p) {
    const bool within_call = p->root->at_once;
    for (int i = 0; i < p->n; i++) {
        wn__member *m = &p->m[i];
        if (m->v == p->root || m->v->asked || m->space == WN__ALL || m->space == WN__COLUMN) m->store = true;
    }
    if (!within_call) store_kept(p, false);
    store_survivors(p);
    wn__plan_guards(p); /* before store_kept: being held is no reason to compute guarded members everywhere */
    if (within_call) store_kept(p, true);
    for (int i = 0; i < p->n; i++) {
        wn__member *m = &p->m[i];
        if (m->store || (m->guard && m->v->runs < GUARDED_RUNS)) continue;
        if (m->v->home && m->v->home->data) continue; /* memory is changed in place only where it has to be */
        int often = m->v->kind == WN__V_PRODUCT ? 1 : 2;
        bool wanted = small_product(m->v) || wn__value_taped(m->v) || read_outside(p, m->v) || (m->v->runs >= often && m->v->home);
        if (!wanted || !storing_pays(m)) continue;
        m->store = m->optional = true;
    }
}
