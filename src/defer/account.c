/* Reports on a program that has run: each member's elements, as the runner counted them, and its share of the time. */
#include <string.h>
#include "tensor/events.h"
#include "base/counters.h"
#include "defer/plan.h"

enum { NONE = -1 };

/* The instruction that computed m. NONE: loading did it, another instruction includes it, or m is a product. */
static int instr_of(const wn__program *g, const wn__member *m) {
    const int i = m->reg - WN__RESULT;
    return m->v->kind != WN__V_PRODUCT && i >= 0 && i < g->ninstrs ? i : NONE;
}

/* The member that instruction i belongs to: the first of those that share it; for a conversion, the one it serves. */
static int member_of(const wn__plan *p, const wn__program *g, int i) {
    for (; i < g->ninstrs; i++)
        for (int k = 0; k < p->n; k++)
            if (instr_of(g, &p->m[k]) == i) return k;
    return NONE;
}

/* For a member without an instruction: takes the counts of another one under the same guard. */
static void note_within_others(const wn__plan *p, const wn__program *g, const wn__meter *t, const wn__member *m) {
    int64_t ran = m->v->numel, skipped = 0;
    for (int k = 0; k < p->n && m->guard; k++) {
        const int i = p->m[k].guard == m->guard ? instr_of(g, &p->m[k]) : NONE;
        if (i == NONE) continue;
        ran = t->ran[i];
        skipped = t->skipped[i];
        break;
    }
    wn__note(m->v->site, WN__N_ELEMENTS, ran);
    wn__note(m->v->site, WN__N_SKIPPED, skipped);
}

static void note_elements(const wn__plan *p, const wn__program *g, const wn__meter *t) {
    for (int k = 0; k < p->n; k++) {
        const wn__member *m = &p->m[k];
        const int i = instr_of(g, m);
        wn__note(m->v->site, m->v->runs ? WN__N_AGAIN : WN__N_RUN, 1);
        if (m->v->kind == WN__V_PRODUCT) continue; /* its kernel counts for itself */
        if (i == NONE) note_within_others(p, g, t, m);
        else if (member_of(p, g, i) == k) wn__note(m->v->site, WN__N_ELEMENTS, t->ran[i]), wn__note(m->v->site, WN__N_SKIPPED, t->skipped[i]);
    }
}

/* The relative time of instruction i: as measured or, if nothing was, estimated from its elements and its cost. */
static double weight(const wn__program *g, const wn__meter *t, bool timed, int i) {
    return timed ? (double)t->ns[i] : (double)(t->ran[i] + 1) * (g->instrs[i].cost + 1);
}

/* Gives each member of the plan its share of ns. */
static void share_time(const wn__plan *p, const wn__program *g, const wn__meter *t, const wn__member *product, double ns, int64_t *of) {
    double sum = 0;
    bool timed = false;
    memset(of, 0, sizeof *of * (size_t)p->n);
    for (int i = 0; i < g->ninstrs; i++) timed |= t->ns[i] != 0;
    for (int i = 0; i < g->ninstrs; i++) sum += weight(g, t, timed, i);
    if (product) { /* what follows a product was timed on all threads, but only in some blocks */
        double after = timed ? sum * (double)t->blocks / (double)t->timed / wn_num_threads() : 0;
        if (after > ns) after = ns;
        of[product - p->m] += (int64_t)(ns - after);
        ns = after;
    }
    for (int i = 0; i < g->ninstrs && sum > 0; i++) {
        const int k = member_of(p, g, i);
        if (k != NONE) of[k] += (int64_t)(ns * weight(g, t, timed, i) / sum);
    }
    for (int k = 0; k < p->n && !g->ninstrs && !product; k++)
        if (p->m[k].v == p->root) of[k] += (int64_t)ns; /* the program is a plain copy */
}

void wn__account(const wn__plan *p, const wn__program *g, const wn__meter *t, const wn__member *product, int64_t ns) {
    int64_t of[WN__PLAN_MOST], after = 0;
    note_elements(p, g, t);
    share_time(p, g, t, product, (double)ns, of);
    for (int k = 0; k < p->n; k++) {
        const wn__value *v = p->m[k].v;
        wn__note(v->site, WN__N_NS, of[k]);
        wn__event_part(p->event, v->site ? v->event : WN__NO_EVENT, wn__value_name(v), after, of[k]);
        after += of[k];
    }
}
