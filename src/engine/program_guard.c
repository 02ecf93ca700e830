/* Finds which guards a run can follow. A guard that is given up counts as the one around it: its instructions run on
 * more elements than needed, which is always right. */
#include "engine/program_impl.h"

typedef struct checking {
    wn__prepared *pp;
    const uint8_t *stage; /* the stage in which each instruction runs */
    bool off[WN__MAX_GUARDS + 1];
    bool changed;
} checking;

static int kept(const checking *c, int g) {
    while (g && c->off[g]) g = c->pp->p->guards[g - 1].parent;
    return g;
}
static int around(const checking *c, int g) { return kept(c, c->pp->p->guards[g - 1].parent); }
static bool inside(const checking *c, int g, int outer) {
    for (; g != outer; g = around(c, g))
        if (!g) return false;
    return true;
}
static void give_up(checking *c, int g) {
    c->off[g] = true;
    c->changed = true;
}

static int level_of_instr(const checking *c, int i) {
    const wn__instr *in = &c->pp->p->instrs[i];
    return in->what == WN__DO_FOLD || in->what == WN__DO_RANDOM || in->space != WN__FULL ? 0 : kept(c, in->guard);
}
static int level_of(const checking *c, int reg) {
    int i = reg - c->pp->p->nleaves;
    return i < 0 ? 0 : level_of_instr(c, i);
}

/* May an instruction on `level` read reg? Not from a guard further inside; a selection's sides may, by one level. */
static void check_use(checking *c, int level, int reg, const wn__instr *select, int k) {
    int g = level_of(c, reg);
    if (inside(c, level, g)) return;
    const wn__guard *guard = &c->pp->p->guards[g - 1];
    if (select && select->what == WN__DO_SELECT && k > 0 && around(c, g) == level && guard->mask == select->src[0] &&
        guard->polarity == (k == 1))
        return;
    give_up(c, g);
}

/* The masks that guard instruction i must be computed before it, in the same stage or an earlier one. */
static void check_masks(checking *c, int i) {
    const wn__program *p = c->pp->p;
    for (int g = level_of_instr(c, i); g; g = around(c, g)) {
        int mask = p->guards[g - 1].mask, at = mask - p->nleaves;
        if (c->pp->ct[mask] != WN__CT_B8 || at >= i || (at >= 0 && c->stage[at] > c->stage[i])) give_up(c, g);
        if (c->off[g]) return;
    }
}

/* A guard can be followed only if all under it is in one stage. */
static void check_stages(checking *c) {
    const wn__program *p = c->pp->p;
    for (int g = 1; g <= p->nguards; g++) {
        int stage = -1;
        for (int i = 0; i < p->ninstrs && !c->off[g]; i++) {
            bool concerns = level_of_instr(c, i) && inside(c, level_of_instr(c, i), g);
            for (int k = 0; k < p->instrs[i].nsrc; k++) concerns |= level_of(c, p->instrs[i].src[k]) == g;
            if (concerns && stage >= 0 && c->stage[i] != stage) give_up(c, g);
            if (concerns) stage = c->stage[i];
        }
    }
}

static void check_program_guard(checking *c) {
    const wn__program *p = c->pp->p;
    for (int i = 0; i < p->ninstrs; i++) {
        check_masks(c, i);
        for (int k = 0; k < p->instrs[i].nsrc; k++) check_use(c, level_of_instr(c, i), p->instrs[i].src[k], &p->instrs[i], k);
    }
    for (int g = 1; g <= p->nguards; g++)
        if (!c->off[g]) check_use(c, around(c, g), p->guards[g - 1].mask, NULL, 0);
    for (int o = 0; o < p->noutputs; o++) check_use(c, 0, p->outputs[o].src, NULL, 0);
    check_stages(c);
}

void wn__guards_off(wn__prepared *pp) {
    pp->guarded = false;
    memset(pp->guard_of, 0, sizeof pp->guard_of);
    memset(pp->parent, 0, sizeof pp->parent);
}

void wn__prepare_guards(wn__prepared *pp, const uint8_t *stage) {
    const wn__program *p = pp->p;
    checking c = {.pp = pp, .stage = stage};
    do {
        c.changed = false;
        check_program_guard(&c);
    } while (c.changed);
    wn__guards_off(pp);
    memset(pp->guard_cost, 0, sizeof pp->guard_cost);
    memset(pp->guard_instrs, 0, sizeof pp->guard_instrs);
    for (int g = 1; g <= p->nguards; g++) {
        pp->guard_of[g] = (uint8_t)kept(&c, g);
        pp->parent[g] = (uint8_t)around(&c, g);
    }
    for (int i = 0; i < p->ninstrs; i++) {
        int g = level_of_instr(&c, i);
        if (!g) continue;
        pp->guarded = true;
        pp->guard_instrs[g]++;
        for (; g; g = pp->parent[g]) pp->guard_cost[g] += p->instrs[i].cost ? p->instrs[i].cost : 1;
    }
}
