/* Guards: members that only one side of a selection reads are needed only where its mask takes that side. */
#include "defer/plan.h"

bool wn__selection(const wn__value *v, int *mask, int *yes, int *no) {
    if (v->kind != WN__V_ROW || !v->op->selecting) return false;
    *mask = v->op->selects[0], *yes = v->op->selects[1], *no = v->op->selects[2];
    return true;
}

enum { UNSEEN = 255 };

static int depth_of(const wn__plan *p, int g) {
    int n = 0;
    for (; g; g = p->guards[g].parent) n++;
    return n;
}
static int common(const wn__plan *p, int a, int b) {
    int da = depth_of(p, a), db = depth_of(p, b);
    for (; da > db; da--) a = p->guards[a].parent;
    for (; db > da; db--) b = p->guards[b].parent;
    while (a != b) a = p->guards[a].parent, b = p->guards[b].parent;
    return a;
}

static bool same_mask(const wn__use *a, const wn__use *b) { return a->src == b->src && a->kind == b->kind && (a->kind == WN__U_SAME || a->offset == b->offset); }

/* The guard (mask, polarity) inside `parent`, made if need be; `parent` if that implies it, or if there is no room. */
static int guard_for(wn__plan *p, const wn__use *mask, bool polarity, int parent) {
    for (int g = parent; g; g = p->guards[g].parent)
        if (same_mask(p->guards[g].mask, mask)) return parent;
    for (int g = 1; g <= p->nguards; g++)
        if (same_mask(p->guards[g].mask, mask) && p->guards[g].polarity == polarity && p->guards[g].parent == parent) return g;
    if (p->nguards == WN__MAX_GUARDS) return parent;
    p->guards[++p->nguards] = (wn__plan_guard){.mask = mask, .polarity = polarity, .parent = (uint8_t)parent};
    return p->nguards;
}

static void need(wn__plan *p, const wn__use *u, int guard) {
    if (!wn__fusable(u)) return;
    wn__member *m = &p->m[u->src->index];
    m->guard = (uint8_t)(m->guard == UNSEEN ? guard : common(p, m->guard, guard));
}

/* Does the use read a bool for each element, pending or from memory? */
static bool mask_of_elements(const wn__use *u) {
    return u->dtype == WN_BOOL && (u->kind == WN__U_SAME || (u->kind == WN__U_VIEW && u->ndim == 1 && u->strides[0] == 1));
}

/* Notes that m's sources are needed wherever m is, except the two sides of a selection. */
static void ask(wn__plan *p, const wn__member *m) {
    wn__value *v = m->v;
    int mask = 0, yes = -1, no = -1, g = m->guard;
    bool sel = m->space == WN__FULL && wn__selection(v, &mask, &yes, &no) && mask_of_elements(&v->uses[mask]);
    for (int k = 0; k < v->nuses; k++) {
        int at = g;
        if (sel && (k == yes || k == no) && v->uses[k].kind == WN__U_SAME) at = guard_for(p, &v->uses[mask], k == yes, g);
        need(p, &v->uses[k], at);
    }
}

/* Drops guards over so little work that counting their mask would cost more. */
static void drop_cheap(wn__plan *p) {
    for (int i = 0; i < p->n; i++)
        for (int g = p->m[i].guard; g; g = p->guards[g].parent) p->guards[g].cost += wn__value_cost(p->m[i].v);
    for (int i = 0; i < p->n; i++)
        while (p->m[i].guard && p->guards[p->m[i].guard].cost < 3) p->m[i].guard = p->guards[p->m[i].guard].parent;
}

typedef struct sorting {
    const wn__plan *p;
    wn__member out[WN__PLAN_MOST];
    uint16_t place[WN__PLAN_MOST];
    bool done[WN__PLAN_MOST];
    int n;
} sorting;

static void put(sorting *s, int i) {
    if (s->done[i]) return;
    s->done[i] = true;
    const wn__member *m = &s->p->m[i];
    for (int g = m->guard; g; g = s->p->guards[g].parent)
        if (wn__fusable(s->p->guards[g].mask)) put(s, s->p->guards[g].mask->src->index);
    for (int k = 0; k < m->v->nuses; k++)
        if (wn__fusable(&m->v->uses[k])) put(s, m->v->uses[k].src->index);
    s->place[s->n] = (uint16_t)i;
    s->out[s->n++] = *m;
}

void wn__plan_guards(wn__plan *p) {
    bool any = false;
    for (int i = 0; i < p->n; i++) {
        int a, b, c;
        p->m[i].guard = p->m[i].store ? 0 : UNSEEN;
        any |= wn__selection(p->m[i].v, &a, &b, &c);
    }
    p->nguards = 0;
    if (!any) {
        for (int i = 0; i < p->n; i++) p->m[i].guard = 0;
        return;
    }
    for (int i = p->n - 1; i >= 0; i--) { /* readers before what they read */
        wn__member *m = &p->m[i];
        if (m->guard == UNSEEN) m->guard = 0;
        if (m->space != WN__FULL || m->v->kind == WN__V_RANDOM) m->guard = 0; /* not compacted: made in order */
        ask(p, m);
    }
    drop_cheap(p);
    bool used = false;
    for (int i = 0; i < p->n; i++) used |= p->m[i].guard != 0;
    if (!used) {
        p->nguards = 0;
        return;
    }
    sorting s = {.p = p};
    for (int i = 0; i < p->n; i++) put(&s, i);
    memcpy(p->m, s.out, (size_t)p->n * sizeof *p->m);
    for (int i = 0; i < p->n; i++) p->m[i].v->index = (uint16_t)i;
}
