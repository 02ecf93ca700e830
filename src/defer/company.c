/* Company: values that a program could compute in the same pass, because they read what its members read. Gradients
 * that were asked for come along, since somebody will read them. Values that somebody merely holds may never be read:
 * they come along if that costs no more than it saves, or if they were read in an earlier round of the same program. */
#include "defer/plan.h"

/* Tenths of ns: starting a program, and storing bytes (without loading them again, which store.c counts as well). */
enum { PROGRAM_COST = 10000, BYTE_LARGE_X16 = 20, BYTE_CACHED_X16 = 7 };

enum { ROUNDS = 1024, TOLD_MOST = 64 };
/* Names of values that were left out and then read; a name says the value's place in its program, and the root's. */
static uint64_t read_before[ROUNDS];

/* A hash of what v computes. Numbers and operands are not in it: they differ from round to round. */
static uint64_t told(const wn__value *v, uint64_t h, int *left) {
    h = wn__hash_with(h, (uint64_t)(uintptr_t)v->op);
    h = wn__hash_with(h, (uint64_t)v->kind | (uint64_t)v->dtype << 8 | (uint64_t)v->fold_kind << 16 | (uint64_t)v->fold_space << 24 | (uint64_t)v->nuses << 32);
    h = wn__hash_with(h, (uint64_t)v->numel);
    if (--*left < 0) return h;
    for (int i = 0; i < v->nuses; i++) {
        const wn__use *u = &v->uses[i];
        if (u->kind == WN__U_NUMBER) h = wn__hash_with(h, WN__U_NUMBER); /* a number has no dtype */
        else h = wn__fusable(u) ? told(u->src, h, left) : wn__hash_with(h, (uint64_t)u->kind << 8 | u->dtype);
    }
    return h;
}

static uint64_t name_of(const wn__value *v, uint64_t h) {
    int left = TOLD_MOST;
    h = told(v, h, &left);
    return h ? h : 1;
}

void wn__company_was_read(wn__value *v) {
    read_before[v->left_as % ROUNDS] = v->left_as;
    v->left_as = 0;
}

static bool wanted(const wn__value *v) { return v->state == WN__V_PENDING && (v->asked || wn__value_kept(v)); }

/* May v come along? All that is pending behind it must be able to run. *shares: the program reads what it reads. */
static bool related(const wn__plan *p, wn__value *v, uint32_t pass, bool *shares) {
    if (v->seen == pass) return true;
    v->seen = pass;
    for (int i = 0; i < v->nuses; i++) {
        const wn__use *u = &v->uses[i];
        if (u->kind == WN__U_NUMBER) continue;
        if (u->src->state == WN__V_PENDING) {
            if (u->kind == WN__U_VIEW || u->src->kind == WN__V_PRODUCT) return false;
            if (wn__in_plan(p, u->src)) *shares = true;
            else if (!related(p, u->src, pass, shares)) return false;
        } else if (u->src->mark == p->mark) { /* the program reads this memory (mark_leaves) */
            *shares = true;
        }
    }
    return true;
}

static void mark_leaves(wn__plan *p, int from) {
    for (int i = from; i < p->n; i++)
        for (int k = 0; k < p->m[i].v->nuses; k++) {
            wn__use *u = &p->m[i].v->uses[k];
            if (u->kind != WN__U_NUMBER && u->src->state == WN__V_READY && u->src->store->bytes > 65536) {
                u->src->mark = p->mark;
                u->src->index = UINT16_MAX;
            }
        }
}

/* The cost of loading what the program does not load anyhow, by store.c's measure. */
static double loads(const wn__plan *p, const wn__value *m) {
    double sum = 0;
    for (int i = 0; i < m->nuses; i++) {
        const wn__use *u = &m->uses[i];
        if (u->kind == WN__U_NUMBER || wn__fusable(u) || u->src->mark == p->mark) continue;
        sum += wn__load_cost(u) * (double)m->numel;
    }
    return sum;
}

/* adds: the cost of v and the members behind it, which came to the `before` members of the program. saves: what v would
 * cost by itself beyond that: loading what both read, computing again what is not stored, starting a program. */
static void weigh(const wn__plan *p, int before, wn__value *v, double *adds, double *saves) {
    double own = 0, stored = 0;
    for (int i = before; i < p->n; i++) {
        const wn__value *m = p->m[i].v;
        own += (double)(m->kind == WN__V_FOLD ? m->walked : m->numel) * wn__value_cost(m) + loads(p, m);
        const double bytes = (double)m->numel * (double)wn__dtype_size(m->dtype);
        if (m == v || wn__value_kept(m)) stored += bytes * (bytes > WN__LARGE_BYTES ? BYTE_LARGE_X16 : BYTE_CACHED_X16) / 16;
    }
    *adds = own + stored;
    *saves = wn__cost_again(v) - own + PROGRAM_COST;
}

static wn__along reason(const wn__plan *p, int before, wn__value *v, uint64_t root, wn__left *left) {
    if (v->asked) return WN__ALONG_ASKED;
    left->v = v;
    weigh(p, before, v, &left->adds, &left->saves);
    if (left->adds <= left->saves) return WN__ALONG_CHEAP;
    v->left_by = root;
    v->left_as = name_of(v, root);
    return read_before[v->left_as % ROUNDS] == v->left_as ? WN__ALONG_READ : WN__ALONE;
}

static bool add(wn__plan *p, const wn__plan *before, wn__value *v) {
    if (!wn__plan_visit(p, v)) return false;
    return wn__plan_fits(p) && p->numel == before->numel && (!before->row || p->row == before->row);
}

void wn__plan_join(wn__plan *p) {
    for (int i = 0; i < p->n; i++)
        if (p->m[i].v->kind == WN__V_PRODUCT) return;
    mark_leaves(p, 0);
    uint64_t root = 0;
    int looked = 0;
    for (wn__value *v = wn__deferred.newest; v && looked < 64 && p->n < WN__CONE_MOST; v = v->prev, looked++) {
        bool shares = false;
        if (wn__in_plan(p, v) || !wanted(v) || (v->home && v->home->data) || v->kind == WN__V_PRODUCT) continue;
        if (!v->asked && !root) root = name_of(p->root, 0);
        if (!v->asked && v->left_by == root && !wn__tracing()) continue; /* such a program left it out before */
        if (!related(p, v, wn__new_mark(), &shares) || !shares) continue;
        wn__plan before = *p;
        wn__left left = {0};
        const wn__along why = add(p, &before, v) ? reason(p, before.n, v, root, &left) : WN__ALONE;
        if (why == WN__ALONE) {
            *p = before; /* removed members keep the mark, but wn__in_plan compares their index as well */
            if (left.v && p->nleft < WN__LEFT_MOST) p->left[p->nleft++] = left;
            continue;
        }
        p->m[v->index].store = true;
        p->m[v->index].along = why;
        mark_leaves(p, before.n);
    }
}
