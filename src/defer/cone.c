/* Gathers a program's members: the pending values behind a root that can be computed in one pass over its elements. */
#include "base/later.h"
#include "defer/plan.h"

/* How many elements the program must visit for v. */
static int64_t walked(const wn__value *v) { return v->kind == WN__V_FOLD ? v->walked : v->numel; }

/* Appends v and what is pending behind it, sources first. False: they are too many. */
bool wn__plan_visit(wn__plan *p, wn__value *v) {
    if (wn__in_plan(p, v)) return true;
    WN_ASSERT(wn__locks_held > 0 && v->state == WN__V_PENDING && p->n >= 0 && p->n <= WN__PLAN_MOST);
    for (int i = 0; i < v->nuses; i++)
        if (wn__fusable(&v->uses[i]) && !wn__plan_visit(p, v->uses[i].src)) return false;
    if (p->n == WN__PLAN_MOST) return false;
    v->mark = p->mark;
    v->index = (uint16_t)p->n;
    p->m[p->n++] = (wn__member){.v = v};
    return true;
}

/* The length of rows that an edge or a fold needs; 0: any. */
static int64_t row_of(const wn__value *v, const wn__use *u) {
    if (v->kind == WN__V_FOLD && v->fold_space == WN__ROW) return v->row;
    if (u->kind == WN__U_ROW && wn__fusable(u)) return v->numel / u->src->numel;
    return 0;
}

static void measure(wn__plan *p) {
    p->numel = p->row = 0;
    for (int i = 0; i < p->n; i++) {
        int64_t n = walked(p->m[i].v);
        if (n > p->numel) p->numel = n;
    }
    for (int i = 0; i < p->n && !p->row; i++) {
        const wn__value *v = p->m[i].v;
        for (int k = 0; k < v->nuses && !p->row && walked(v) == p->numel; k++) p->row = row_of(v, &v->uses[k]);
    }
    for (int i = 0; i < p->n && !p->row; i++) {
        const wn__value *v = p->m[i].v;
        if (v->kind == WN__V_FOLD && v->fold_space == WN__COLUMN) p->row = v->row;
    }
}

/* Gives every member its space. Returns a source that this program cannot compute, or NULL. */
static wn__value *misfit(wn__plan *p) {
    int64_t rows = p->row ? p->numel / p->row : -1;
    for (int i = 0; i < p->n; i++) {
        wn__member *m = &p->m[i];
        wn__value *v = m->v;
        bool fold = v->kind == WN__V_FOLD;
        if (fold) m->space = v->fold_space;
        else if (v->numel == p->numel) m->space = WN__FULL;
        else if (v->numel == rows && v->kind != WN__V_RANDOM) m->space = WN__ROW;
        else return v;
        if (fold && (walked(v) != p->numel || (v->fold_space != WN__ALL && v->row != p->row))) return v;
        for (int k = 0; k < v->nuses; k++) {
            const wn__use *u = &v->uses[k];
            if (!wn__fusable(u)) continue;
            const wn__member *s = &p->m[u->src->index];
            if (s->space == WN__ALL || s->space == WN__COLUMN) return u->src;
            if (fold ? s->space != WN__FULL : u->kind == WN__U_ROW ? s->space != WN__ROW || m->space != WN__FULL : s->space != m->space) return u->src;
            if (u->kind == WN__U_ROW && v->numel / u->src->numel != p->row) return u->src;
        }
    }
    return NULL;
}

/* Does a member read a value that could not be computed (since it was recorded: calls on bad values fail)? */
static bool reads_bad(const wn__plan *p) {
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->m[i].v->nuses; k++) {
            const wn__use *u = &p->m[i].v->uses[k];
            if (u->kind != WN__U_NUMBER && u->src->state == WN__V_BAD) return true;
        }
    return false;
}

bool wn__plan_fits(wn__plan *p) {
    measure(p);
    return !misfit(p) && !reads_bad(p);
}

bool wn__run_held(wn__value *v) {
    v->refs++;
    bool ok = wn__value_run(v);
    wn__value_unref(v);
    return ok;
}

bool wn__run_sources(wn__value *v) {
    for (int i = 0; i < v->nuses; i++)
        if (wn__waits(&v->uses[i]) && !wn__run_held(v->uses[i].src)) return false;
    return true;
}

/* Runs sources that must lie in memory before the program does. *ran: something has changed, gather again. */
static bool run_barriers(wn__plan *p, bool *ran) {
    for (int i = 0; i < p->n; i++) {
        wn__value *v = p->m[i].v;
        for (int k = 0; k < v->nuses; k++) {
            if (v->uses[k].kind != WN__U_VIEW || !wn__waits(&v->uses[k])) continue;
            *ran = true;
            return wn__run_held(v->uses[k].src);
        }
    }
    return true;
}

bool wn__plan_gather(wn__plan *p, wn__value *root) {
    while (root->state == WN__V_PENDING) { /* running a source may compute the root as well */
        p->mark = wn__new_mark();
        p->n = p->nguards = p->nleft = 0;
        p->root = root;
        bool ran = false;
        if (!wn__plan_visit(p, root)) {
            if (!wn__run_sources(root)) return false;
            continue;
        }
        if (!run_barriers(p, &ran)) return false;
        if (ran) continue;
        if (reads_bad(p)) {
            wn__fail(WN_E_RUNTIME, "deferred", "what a tensor is computed from could not be computed (see the first error)");
            return false;
        }
        measure(p);
        wn__value *bad = misfit(p);
        p->alone = p->n;
        if (!bad) return true;
        if (bad == root ? !wn__run_sources(root) : !wn__run_held(bad)) return false;
    }
    return true;
}
