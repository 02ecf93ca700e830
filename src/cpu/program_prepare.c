/* From a program to steps: what is loaded when, which forms of a register are needed, where registers lie. */
#include "cpu/program_impl.h"

enum {
    TILE_AIM = 1024,   /* elements of a block of short rows */
    TILE_MOST = 2048,  /* longer rows go in parts */
    BLOCK_MOST = 2048,
    L1_ROOM = 30 << 10, /* for slots; operands in place and results pass through what is left */
    ONCE_MOST = WN__MAX_ROW, /* longest row that is converted once for all rows */
    SLOT_PAD = 128,
    ROUND_ROOM = 512 * 8,
    NO_OUTPUT = 255,
    NEAR_ROOM = 3 << 20, /* bytes that an outer cache has ready fast enough */
    UNSEEN = 255
};

typedef struct maker {
    wn__prepared *pp;
    const wn__program *p;
    bool overflow, staged;
    int last_stage;
    uint8_t order[WN__MAX_INSTRS], stage[WN__MAX_INSTRS]; /* instructions; the stage each runs in */
    uint16_t out_src[WN__MAX_OUTPUTS];
    uint8_t next_out[WN__MAX_OUTPUTS];
    uint8_t loaded[WN__MAX_LEAVES], load_when[WN__MAX_LEAVES];
    bool scanned[WN__MAX_GUARDS + 1];
    /* by register */
    uint8_t from[WN__MAX_REGS]; /* stage from which on it is there */
    uint8_t first_out[WN__MAX_REGS], direct[WN__MAX_REGS]; /* outputs */
    bool wide[WN__MAX_REGS], read[WN__MAX_REGS];
    uint16_t splat[WN__MAX_REGS], gathered[WN__MAX_GUARDS + 1][WN__MAX_REGS]; /* its other forms */
} maker;

/* ------------------------------------------------------------------ walking */

/* Does anything know about rows? */
static bool needs_rows(const wn__program *p) {
    if (!p->row) return false;
    for (int i = 0; i < p->ninstrs; i++)
        if (p->instrs[i].space == WN__ROW || p->instrs[i].space == WN__COLUMN) return true;
    for (int i = 0; i < p->nleaves; i++)
        if (p->leaves[i].space == WN__ROW && !p->leaves[i].constant) return true;
    for (int i = 0; i < p->noutputs; i++)
        if (p->outputs[i].to.space == WN__ROW) return true;
    return false;
}

/* Nothing does, but an operand that is not flat is best walked in rows of its innermost dimension. */
static int64_t rows_of_operands(const wn__program *p) {
    int64_t row = 0;
    for (int i = 0; i < p->nleaves + p->noutputs; i++) {
        const wn__leaf *l = i < p->nleaves ? &p->leaves[i] : &p->outputs[i - p->nleaves].to;
        if (l->constant || l->ndim < 2 || (l->space != WN__FULL && i >= p->nleaves)) continue;
        if (!row || l->shape[l->ndim - 1] < row) row = l->shape[l->ndim - 1];
    }
    return row;
}

static void choose_walk(wn__prepared *pp, bool pieces) {
    const wn__program *p = pp->p;
    pp->tile = 1;
    pp->nstages = 1;
    pp->keeps_rows = needs_rows(p);
    pp->row = pp->keeps_rows ? p->row : pieces ? 0 : rows_of_operands(p);
    pp->rows = pp->row ? p->numel / pp->row : 0;
    if (pieces) {
        pp->walk = WN__PIECEWISE;
    } else if (!pp->row) {
        pp->walk = WN__BLOCKS;
    } else if (pp->row > TILE_MOST) {
        pp->walk = WN__STAGED;
    } else {
        pp->walk = WN__TILES;
        if (pp->row < TILE_AIM) pp->tile = TILE_AIM / pp->row;
        if (pp->tile > pp->rows) pp->tile = pp->rows > 0 ? pp->rows : 1;
    }
}

/* ------------------------------------------------------------------ operands */

static bool column_like(const wn__prepared *pp, const wn__view *v) {
    const wn__leaf *l = v->l;
    if (v->reach != WN__PIECES || v->rows || !pp->row || pp->walk == WN__PIECEWISE || l->strides[0] != 0) return false;
    int64_t period = pp->p->numel / l->shape[0];
    if (pp->row % period) return false;
    bool in_place = v->ready && l->ndim == 2 && period == pp->row && pp->tile == 1;
    return in_place || pp->row <= ONCE_MOST;
}

static void look_at(const wn__prepared *pp, wn__view *v, const wn__leaf *l, bool output) {
    v->l = l;
    v->ndim = l->constant ? 0 : l->ndim;
    v->rows = l->space == WN__ROW;
    v->size = (uint8_t)wn__dtype_size(l->dtype);
    int last = v->ndim - 1;
    if (pp->row && !output && !v->rows && last >= 0 && l->strides[last] == 0 && l->shape[last] == pp->row) {
        v->rows = true;
        v->ndim = last--;
    }
    v->step = last >= 0 ? l->strides[last] : 0;
    v->reach = v->ndim <= 1 ? WN__FLAT : WN__PIECES;
    v->ready = wn__is_register_form(l->dtype, (wn__ct)l->ct) && (last < 0 || v->step == v->size);
    v->once = !output && (l->constant || (v->reach == WN__FLAT && v->step == 0));
    if (!output && !l->base) { /* handed in, consecutive and in register form */
        v->reach = WN__FLAT;
        v->ready = true;
        v->once = false;
    }
    if (output || v->once || !column_like(pp, v)) return;
    v->reach = WN__COLUMN_LIKE;
    v->once = !(v->ready && l->ndim == 2 && l->shape[1] == pp->row && pp->tile == 1);
}

/* Used where it lies, at a place known without looking at the block. */
static bool in_place(const wn__view *v) { return v->ready && !v->once && v->reach != WN__PIECES; }

static void operands(maker *m) {
    wn__prepared *pp = m->pp;
    const wn__program *p = m->p;
    for (int i = 0; i < p->nleaves; i++) {
        look_at(pp, &pp->leaf[i], &p->leaves[i], false);
        pp->ct[i] = p->leaves[i].ct;
        if (!p->leaves[i].base) pp->data_leaf = i;
        pp->is_rows[i] = pp->leaf[i].rows && !pp->leaf[i].once;
        pp->keeps_rows |= pp->is_rows[i];
        pp->level[i] = 0;
        m->from[i] = 0;
        m->loaded[i] = 0;
        m->load_when[i] = 0;
        m->read[i] = m->wide[i] = false;
        m->first_out[i] = m->direct[i] = NO_OUTPUT;
    }
    for (int i = 0; i < p->ninstrs; i++) {
        int r = p->nleaves + i;
        pp->ct[r] = p->instrs[i].ct;
        pp->is_rows[r] = p->instrs[i].space == WN__ROW;
        m->from[r] = 0;
        m->read[r] = m->wide[r] = false;
        m->first_out[r] = m->direct[r] = NO_OUTPUT;
        m->order[i] = (uint8_t)i;
        m->stage[i] = 0;
    }
    pp->nregs = p->nleaves + p->ninstrs;
    for (int i = 0; i < p->ninstrs; i++)
        for (int k = 0; k < p->instrs[i].nsrc; k++) m->read[p->instrs[i].src[k]] = true;
    for (int o = 0; o < p->noutputs; o++) look_at(pp, &pp->out[o], &p->outputs[o].to, true);
}

/* ------------------------------------------------------------------ stages */

/* Long rows: a fold's result is there one stage after what it folds. */
static void stages(maker *m) {
    const wn__program *p = m->p;
    int n = 0;
    for (int i = 0; i < p->ninstrs; i++) {
        const wn__instr *in = &p->instrs[i];
        int s = 0;
        for (int k = 0; k < in->nsrc; k++)
            if (m->from[in->src[k]] > s) s = m->from[in->src[k]];
        m->stage[i] = (uint8_t)s;
        if (in->what == WN__DO_FOLD && in->space == WN__ROW) s++;
        m->from[p->nleaves + i] = (uint8_t)s;
        if (s > m->last_stage) m->last_stage = s;
    }
    for (int key = 0; key <= 2 * m->last_stage + 1; key++)
        for (int i = 0; i < p->ninstrs; i++) {
            bool rows = p->instrs[i].space == WN__ROW && p->instrs[i].what != WN__DO_FOLD;
            if (2 * m->stage[i] + !rows == key) m->order[n++] = (uint8_t)i;
        }
    m->pp->nstages = m->last_stage + 1;
}

/* ------------------------------------------------------------------ guards */

static int common(const wn__prepared *pp, int a, int b) {
    for (; a; a = pp->parent[a])
        for (int k = b;; k = pp->parent[k]) {
            if (k == a) return a;
            if (!k) break;
        }
    return 0;
}

static int level_of(const wn__prepared *pp, const wn__instr *in) {
    return in->what == WN__DO_FOLD || in->space != WN__FULL ? 0 : pp->guard_of[in->guard];
}

/* A leaf that only guarded instructions read is not loaded where their guard wants nothing. */
static void need_leaf(maker *m, int reg, int level) {
    if (reg >= m->p->nleaves) return;
    uint8_t *w = &m->load_when[reg];
    *w = (uint8_t)(*w == UNSEEN ? level : common(m->pp, *w, level));
}

static void guards(maker *m) {
    wn__prepared *pp = m->pp;
    const wn__program *p = m->p;
    if (p->nguards) wn__prepare_guards(pp, m->stage);
    else wn__guards_off(pp);
    for (int i = 0; i < p->ninstrs; i++) pp->level[p->nleaves + i] = pp->guarded ? (uint8_t)level_of(pp, &p->instrs[i]) : 0;
    if (!pp->guarded) return;
    for (int g = 1; g <= p->nguards; g++) memset(m->gathered[g], 0xff, (size_t)pp->nregs * sizeof **m->gathered);
    memset(m->scanned, 0, sizeof m->scanned);
    memset(m->load_when, UNSEEN, sizeof m->load_when);
    for (int i = 0; i < p->ninstrs; i++)
        for (int k = 0; k < p->instrs[i].nsrc; k++) need_leaf(m, p->instrs[i].src[k], pp->level[p->nleaves + i]);
    for (int g = 1; g <= p->nguards; g++)
        if (pp->guard_of[g] == g) need_leaf(m, p->guards[g - 1].mask, pp->parent[g]);
    for (int o = 0; o < p->noutputs; o++) need_leaf(m, p->outputs[o].src, 0);
}

/* ------------------------------------------------------------------ steps */

static wn__step *add(maker *m, int op, int index, int dst, int stage, bool rows, int level) {
    wn__step *s = &m->pp->steps[m->pp->nsteps++];
    s->op = (uint8_t)op;
    s->index = (uint8_t)index;
    s->dst = (uint16_t)dst;
    s->ct = dst == WN__NO_REG ? 0 : m->pp->ct[dst];
    s->level = s->when = (uint8_t)level;
    s->rows = rows;
    s->key = (uint8_t)(2 * stage + !rows);
    s->nsrc = s->round = 0;
    memset(s->src, 0, sizeof s->src);
    return s;
}

static int new_reg(maker *m, int ct, bool rows, int level, int from) {
    wn__prepared *pp = m->pp;
    if (pp->nregs == WN__MAX_REGS) {
        m->overflow = true;
        return 0;
    }
    int r = pp->nregs++;
    pp->ct[r] = (uint8_t)ct;
    pp->is_rows[r] = rows;
    pp->level[r] = (uint8_t)level;
    m->from[r] = (uint8_t)from;
    m->wide[r] = m->read[r] = false;
    m->direct[r] = m->first_out[r] = NO_OUTPUT;
    if (pp->keeps_rows) m->splat[r] = WN__NO_REG;
    for (int g = 1; pp->guarded && g <= m->p->nguards; g++) m->gathered[g][r] = WN__NO_REG;
    return r;
}

/* Long rows are loaded in every stage that reads them, the rest when it is first read. */
static void load(maker *m, int r, int stage) {
    const wn__view *v = &m->pp->leaf[r];
    if (in_place(v) || v->once || m->loaded[r] == stage + 1 || (m->loaded[r] && v->rows)) return;
    m->loaded[r] = (uint8_t)(stage + 1);
    wn__step *s = add(m, WN__OP_LOAD, r, r, stage, v->rows, 0);
    s->when = v->rows ? 0 : m->load_when[r];
    s->src[0] = m->direct[r] != NO_OUTPUT;
}

static int splatted(maker *m, int r, int stage) {
    if (m->splat[r] != WN__NO_REG) return m->splat[r];
    int to = new_reg(m, m->pp->ct[r], false, 0, stage);
    wn__step *s = add(m, WN__OP_SPLAT, 0, to, stage, m->staged, 0); /* long rows: once a row, one block of it */
    s->nsrc = 1;
    s->src[0] = (uint16_t)r;
    return m->splat[r] = (uint16_t)to;
}

static int gathered(maker *m, int r, int level, int stage) {
    uint16_t *have = &m->gathered[level][r];
    if (*have != WN__NO_REG) return *have;
    int outer = m->pp->parent[level], from = m->pp->level[r] == outer ? r : gathered(m, r, outer, stage);
    int to = new_reg(m, m->pp->ct[r], false, level, stage);
    wn__step *s = add(m, WN__OP_GATHER, level, to, stage, false, level);
    s->nsrc = 1;
    s->src[0] = (uint16_t)from;
    return *have = (uint16_t)to;
}

/* Register r as an instruction reads it. */
static uint16_t source(maker *m, int r, bool rows, int level, int stage) {
    wn__prepared *pp = m->pp;
    if (r < m->p->nleaves) {
        if (pp->leaf[r].once && pp->leaf[r].reach != WN__COLUMN_LIKE) return (uint16_t)r; /* one value: fits everywhere */
        load(m, r, stage);
    } else if (stage > m->from[r] && !pp->is_rows[r]) {
        m->wide[r] = true;
    }
    if (pp->is_rows[r] && !rows) r = splatted(m, r, stage);
    if (pp->level[r] != level) r = gathered(m, r, level, stage);
    return (uint16_t)r;
}

static void scan(maker *m, int g, int stage) {
    if (!g || m->scanned[g]) return;
    m->scanned[g] = true;
    int outer = m->pp->parent[g];
    scan(m, outer, stage);
    uint16_t mask = source(m, m->p->guards[g - 1].mask, false, outer, stage);
    wn__step *s = add(m, WN__OP_SCAN, g, WN__NO_REG, stage, false, outer);
    s->nsrc = 1;
    s->src[0] = mask;
}

static void store(maker *m, int o, int stage) {
    const wn__program *p = m->p;
    bool rows = p->outputs[o].to.space == WN__ROW;
    uint16_t src = source(m, m->out_src[o], rows, 0, stage);
    wn__step *s = add(m, WN__OP_STORE, o, WN__NO_REG, stage, rows, 0);
    s->ct = m->pp->ct[src];
    s->nsrc = 1;
    s->src[0] = src;
}

/* The outputs that take r, but for those in place, which wait until nothing is read any more. */
static void stores_of(maker *m, int r, int stage) {
    for (int o = m->first_out[r]; o != NO_OUTPUT; o = m->next_out[o])
        if (!m->p->outputs[o].in_place && m->direct[r] != o) store(m, o, stage);
}

/* Is a narrower dtype to be seen? Not where values only go to memory as that dtype. */
static int rounding(const maker *m, const wn__instr *in, int r) {
    if (wn__is_register_form(in->dtype, (wn__ct)in->ct)) return 0;
    if (m->read[r]) return in->dtype;
    for (int o = m->first_out[r]; o != NO_OUTPUT; o = m->next_out[o])
        if (m->p->outputs[o].to.dtype != in->dtype || (m->pp->walk == WN__PIECEWISE && o == 0)) return in->dtype;
    return 0;
}

static void fold_steps(maker *m, const wn__instr *in, int r, int stage) {
    wn__prepared *pp = m->pp;
    int f = pp->nfolds++, end = r;
    int x = in->src[0] - m->p->nleaves;
    bool of_rows = in->space == WN__ALL && (x < 0 ? m->p->leaves[in->src[0]].space : m->p->instrs[x].space) == WN__ROW;
    uint16_t src = source(m, in->src[0], of_rows, 0, stage);
    wn__fold_plan_of(&pp->folds[f], in, (wn__ct)pp->ct[src]);
    pp->folds[f].reg = (uint16_t)r;
    pp->folds[f].rows = of_rows;
    int op = in->space == WN__ALL ? WN__OP_FOLD_ALL : in->space == WN__COLUMN ? WN__OP_FOLD_COLUMN : m->staged ? WN__OP_FOLD_PART : WN__OP_FOLD_ROW;
    if (op != WN__OP_FOLD_ROW) end = WN__NO_REG;
    wn__step *s = add(m, op, f, end, stage, of_rows, 0);
    s->nsrc = 1;
    s->src[0] = src;
    if (op == WN__OP_FOLD_PART) add(m, WN__OP_FOLD_END, f, r, stage + 1, true, 0);
    if (in->space == WN__ROW) stores_of(m, r, stage + m->staged);
}

/* The guard that one side of a selection waits for; 0: it is there wherever the selection runs. */
static uint8_t side(const maker *m, int reg, int level) {
    int g = m->pp->level[reg];
    return (uint8_t)(g && g != level && m->pp->parent[g] == level ? g : 0);
}

static void instruction(maker *m, int i) {
    wn__prepared *pp = m->pp;
    const wn__instr *in = &m->p->instrs[i];
    int r = m->p->nleaves + i, stage = m->stage[i], level = pp->level[r];
    bool rows = in->space == WN__ROW;
    if (in->what == WN__DO_FOLD) {
        fold_steps(m, in, r, stage);
        return;
    }
    if (pp->guarded) scan(m, level, stage);
    uint16_t src[WN__MAX_SRC];
    uint8_t under[2] = {0, 0};
    for (int k = 0; k < in->nsrc; k++) {
        uint8_t waits = in->what == WN__DO_SELECT && k > 0 && pp->guarded ? side(m, in->src[k], level) : 0;
        src[k] = waits ? in->src[k] : source(m, in->src[k], rows, level, stage);
        if (waits) under[k - 1] = waits;
    }
    int op = in->what == WN__DO_CONVERT ? WN__OP_CONVERT : under[0] || under[1] ? WN__OP_SELECT : WN__OP_KERNEL;
    wn__step *s = add(m, op, 0, r, stage, rows, level);
    s->fn = in->fn;
    s->nsrc = in->nsrc;
    for (int k = 0; k < in->nsrc; k++) s->src[k] = src[k];
    s->round = (uint8_t)rounding(m, in, r);
    if (op == WN__OP_SELECT) s->src[3] = under[0], s->src[4] = under[1];
    if (op == WN__OP_CONVERT && !wn__is_register_form(in->dtype, (wn__ct)in->ct)) s->round = in->dtype; /* is how it converts */
    stores_of(m, r, stage);
}

/* ------------------------------------------------------------------ outputs */

/* Can r be computed where output o is to lie? final: the register that the last instruction computes. */
static bool can_be_direct(const maker *m, int o, int r, int final) {
    const wn__prepared *pp = m->pp;
    const wn__view *v = &pp->out[o];
    const wn__program *p = m->p;
    if (m->direct[r] != NO_OUTPUT || pp->level[r] || v->rows != pp->is_rows[r] || pp->ct[r] != v->l->ct) return false;
    if (p->outputs[o].in_place && r != final) return false;
    if (r < p->nleaves) {
        if (pp->leaf[r].once || in_place(&pp->leaf[r]) || p->outputs[o].in_place) return false;
    } else if (p->instrs[r - p->nleaves].what == WN__DO_FOLD && p->instrs[r - p->nleaves].space != WN__ROW) {
        return false;
    }
    if (pp->walk == WN__PIECEWISE && o == 0) return r == final && wn__ct_size((wn__ct)pp->ct[r]) == wn__ct_size((wn__ct)pp->ct[pp->data_leaf]);
    if (!v->ready) return false;
    if (v->reach == WN__FLAT) return true;
    return !v->rows && pp->row && pp->tile == 1 && pp->walk != WN__PIECEWISE && v->l->shape[v->ndim - 1] % pp->row == 0;
}

static bool folded_away(const maker *m, int r) {
    int i = r - m->p->nleaves;
    return i >= 0 && i < m->p->ninstrs && m->p->instrs[i].what == WN__DO_FOLD && m->p->instrs[i].space != WN__ROW;
}

static void outputs(maker *m) {
    const wn__program *p = m->p;
    int final = p->ninstrs ? p->nleaves + m->order[p->ninstrs - 1] : -1;
    if (final >= 0 && p->instrs[final - p->nleaves].what == WN__DO_FOLD) final = -1;
    for (int o = p->noutputs - 1; o >= 0; o--) {
        int r = m->out_src[o] = p->outputs[o].src;
        if (folded_away(m, r)) continue;
        m->next_out[o] = m->first_out[r];
        m->first_out[r] = (uint8_t)o;
        if (can_be_direct(m, o, r, final)) m->direct[r] = (uint8_t)o;
    }
}

/* Leaves that go to memory as they are. In place: a copy is taken while all operands are still as they were. */
static void copies(maker *m) {
    const wn__program *p = m->p;
    for (int o = 0; o < p->noutputs; o++) {
        int r = m->out_src[o];
        if (r >= p->nleaves) continue;
        bool rows = p->outputs[o].to.space == WN__ROW;
        if (p->outputs[o].in_place) {
            int to = new_reg(m, m->pp->ct[r], rows, 0, 0);
            uint16_t src = source(m, r, rows, 0, 0);
            wn__step *s = add(m, WN__OP_CONVERT, 0, to, 0, rows, 0);
            s->nsrc = 1;
            s->src[0] = src;
            m->out_src[o] = (uint16_t)to;
        } else if (m->direct[r] == o) {
            load(m, r, 0);
        } else {
            store(m, o, 0);
        }
    }
}

/* ------------------------------------------------------------------ places */

static void move(wn__prepared *pp, int reg, int motion, char *base, size_t offset, int64_t step, const wn__view *v) {
    pp->offset[reg] = WN__NOWHERE;
    pp->moving[pp->nmoving++] = (wn__moving){base, offset, step, v, (uint16_t)reg, (uint8_t)motion};
}

static void moving_registers(maker *m) {
    wn__prepared *pp = m->pp;
    for (int r = 0; r < m->p->nleaves; r++) {
        const wn__view *v = &pp->leaf[r];
        if (!in_place(v) || !v->l->base) continue;
        move(pp, r, v->rows ? WN__BY_ROW : v->reach == WN__FLAT ? WN__BY_ELEMENT : WN__IN_ROW, v->l->base, 0, v->step, NULL);
    }
    for (int o = 0; o < m->p->noutputs; o++) {
        int r = m->out_src[o];
        const wn__view *v = &pp->out[o];
        if (folded_away(m, r) || m->direct[r] != o || (pp->walk == WN__PIECEWISE && o == 0)) continue;
        move(pp, r, v->rows ? WN__BY_ROW : v->reach == WN__FLAT ? WN__BY_ELEMENT : WN__BY_SEEK, v->l->base, 0, v->step, v);
    }
    pp->data_direct = pp->walk == WN__PIECEWISE && m->direct[m->out_src[0]] == 0;
    if (pp->data_direct) pp->offset[m->out_src[0]] = WN__NOWHERE;
}

enum { UNPLACED = 0xffff, FIXED = 0xfffe, MOVES = 0xfffd }; /* instead of a slot's number */

typedef struct places {
    uint16_t slot[WN__MAX_REGS], last_use[WN__MAX_REGS], free[WN__MAX_REGS];
    int nfree, nslots;
} places;

static void last_uses(const wn__prepared *pp, places *at) {
    for (int r = 0; r < pp->nregs; r++) at->last_use[r] = 0;
    for (int i = pp->nsteps - 1; i >= 0; i--) {
        const wn__step *s = &pp->steps[i];
        for (int k = 0; k < s->nsrc; k++)
            if (!at->last_use[s->src[k]]) at->last_use[s->src[k]] = (uint16_t)i;
        /* Where nothing is gathered the result is its source by another name. */
        if (s->op == WN__OP_GATHER && at->last_use[s->dst] > at->last_use[s->src[0]]) at->last_use[s->src[0]] = at->last_use[s->dst];
    }
}

/* May the result take the place of source k, whose last use this is? Kernels read an element before they write it. */
static bool may_replace(const wn__prepared *pp, const wn__step *s, int k) {
    if (wn__ct_size((wn__ct)pp->ct[s->src[k]]) != wn__ct_size((wn__ct)s->ct)) return false;
    if (s->op == WN__OP_KERNEL) return true;
    return s->op == WN__OP_SELECT && ((k == 2 && s->src[3] && !s->src[4]) || (k == 1 && s->src[4] && !s->src[3]));
}

static void release(places *at, int r, int i) {
    if (at->last_use[r] != i || at->slot[r] >= MOVES) return;
    for (int k = 0; k < at->nfree; k++)
        if (at->free[k] == at->slot[r]) return; /* read twice by one step */
    at->free[at->nfree++] = at->slot[r];
}

static void assign_slots(maker *m, places *at) {
    wn__prepared *pp = m->pp;
    last_uses(pp, at);
    at->nfree = at->nslots = 0;
    for (int i = 0; i < pp->nsteps; i++) {
        const wn__step *s = &pp->steps[i];
        if (s->dst != WN__NO_REG && at->slot[s->dst] == UNPLACED) {
            int from = -1;
            for (int k = 0; k < s->nsrc && from < 0; k++)
                if (at->last_use[s->src[k]] == i && at->slot[s->src[k]] < MOVES && may_replace(pp, s, k)) from = s->src[k];
            bool stays = m->staged && s->op == WN__OP_SPLAT;
            if (from >= 0) {
                at->slot[s->dst] = at->slot[from];
                at->slot[from] = FIXED; /* given away; its place is known already */
                pp->offset[from] = at->slot[s->dst];
            } else {
                at->slot[s->dst] = (uint16_t)(at->nfree ? at->free[--at->nfree] : at->nslots++);
            }
            pp->offset[s->dst] = at->slot[s->dst];
            if (stays) at->slot[s->dst] = FIXED;
            else if (!at->last_use[s->dst]) at->last_use[s->dst] = (uint16_t)i; /* nobody reads it */
            release(at, s->dst, i);
        }
        for (int k = 0; k < s->nsrc; k++) release(at, s->src[k], i);
    }
}

static size_t line(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

static void choose_block(maker *m, int nslots, size_t size) {
    wn__prepared *pp = m->pp;
    for (int r = 0; r < m->p->nleaves; r++) nslots += pp->leaf[r].once;
    if (pp->walk == WN__TILES) {
        pp->block = pp->tile * pp->row;
    } else if (pp->walk == WN__PIECEWISE) {
        pp->block = WN__BLOCK;
    } else {
        pp->block = BLOCK_MOST;
        while (pp->block > WN__BLOCK && (size_t)pp->block * size * (size_t)nslots > L1_ROOM) pp->block /= 2;
        int64_t n = pp->walk == WN__STAGED ? pp->row : m->p->numel;
        if (pp->block > n) pp->block = n > 0 ? n : 1;
    }
}

/* The scratch memory: what is loaded once, slots, registers of one value a row, rows kept between stages, masks as bits. */
static void lay_out(maker *m, places *at) {
    wn__prepared *pp = m->pp;
    size_t size = 1, bytes = 0;
    for (int r = 0; r < pp->nregs; r++)
        if (wn__ct_size((wn__ct)pp->ct[r]) > size) size = wn__ct_size((wn__ct)pp->ct[r]);
    choose_block(m, at->nslots, size);
    size_t slot = line((size_t)pp->block * size) + SLOT_PAD;
    for (int r = 0; r < m->p->nleaves; r++) {
        const wn__view *v = &pp->leaf[r];
        if (!v->once) continue;
        pp->once[pp->nonce++] = (uint8_t)r;
        bool row_long = v->reach == WN__COLUMN_LIKE && pp->walk == WN__STAGED;
        pp->offset[r] = bytes;
        if (row_long) move(pp, r, WN__IN_ROW, NULL, bytes, (int64_t)wn__ct_size((wn__ct)pp->ct[r]), NULL);
        bytes += (row_long ? line((size_t)pp->row * wn__ct_size((wn__ct)pp->ct[r])) : line((size_t)pp->block * size)) + SLOT_PAD;
    }
    size_t slots_at = bytes;
    bytes += slot * (size_t)at->nslots;
    for (int r = 0; r < pp->nregs; r++) {
        if (r < m->p->nleaves && (pp->leaf[r].once || in_place(&pp->leaf[r]))) continue;
        if (at->slot[r] == MOVES) {
            if (!m->wide[r] || m->direct[r] != NO_OUTPUT) continue;
            move(pp, r, WN__IN_ROW, NULL, bytes, (int64_t)wn__ct_size((wn__ct)pp->ct[r]), NULL);
            bytes += line((size_t)pp->row * size) + SLOT_PAD;
        } else if (pp->is_rows[r]) {
            pp->offset[r] = bytes;
            bytes += line((size_t)pp->tile * size) + SLOT_PAD;
        } else if (pp->offset[r] != WN__NOWHERE) {
            pp->offset[r] = slots_at + pp->offset[r] * slot;
        }
    }
    pp->round_at = bytes;
    bytes += ROUND_ROOM;
    pp->bits_at = bytes;
    pp->bits_step = line((size_t)(pp->block + 63) / 8);
    pp->bytes = bytes + (pp->guarded ? pp->bits_step * (WN__MAX_GUARDS + 1) : 0);
}

static void place_registers(maker *m) {
    wn__prepared *pp = m->pp;
    places at;
    pp->nmoving = pp->nonce = 0;
    for (int r = 0; r < pp->nregs; r++) {
        bool leaf = r < m->p->nleaves;
        bool moves = m->direct[r] != NO_OUTPUT || m->wide[r];
        bool own = pp->is_rows[r] || (leaf && (pp->leaf[r].once || in_place(&pp->leaf[r])));
        at.slot[r] = moves ? MOVES : own ? FIXED : UNPLACED;
        pp->offset[r] = WN__NOWHERE;
    }
    moving_registers(m);
    int64_t bytes = 0;
    for (int i = 0; i < pp->nmoving; i++)
        if (pp->moving[i].motion == WN__BY_ELEMENT) bytes += m->p->numel * pp->moving[i].step;
    pp->fetch = bytes > NEAR_ROOM && (pp->walk == WN__BLOCKS || pp->walk == WN__TILES);
    assign_slots(m, &at);
    lay_out(m, &at);
}

/* ------------------------------------------------------------------ all of it */

static void sort_steps(wn__prepared *pp) {
    wn__step sorted[WN__MAX_STEPS];
    int n = 0, keys = 2 * pp->nstages;
    for (int key = 0; key < keys; key++) {
        pp->stage_at[key] = (uint16_t)n;
        for (int i = 0; i < pp->nsteps; i++)
            if (pp->steps[i].key == key) sorted[n++] = pp->steps[i];
    }
    pp->stage_at[keys] = (uint16_t)n;
    memcpy(pp->steps, sorted, (size_t)n * sizeof *sorted);
}

static void make_steps(maker *m) {
    wn__prepared *pp = m->pp;
    const wn__program *p = m->p;
    pp->nsteps = pp->nfolds = 0;
    if (pp->keeps_rows) memset(m->splat, 0xff, (size_t)pp->nregs * sizeof *m->splat);
    outputs(m);
    copies(m);
    for (int i = 0; i < p->ninstrs; i++) instruction(m, m->order[i]);
    for (int o = 0; o < p->noutputs; o++) {
        int r = m->out_src[o];
        bool own = pp->walk == WN__PIECEWISE && o == 0; /* goes back to the data */
        if ((p->outputs[o].in_place || own) && !folded_away(m, r) && m->direct[r] != o) store(m, o, m->last_stage);
    }
    if (m->staged) sort_steps(pp);
}

void wn__prepare(wn__prepared *pp, const wn__program *p, bool pieces, wn__fold_plan *folds) {
    maker m;
    pp->p = p;
    pp->k = wn__kernels_now();
    pp->bk = wn__block_now();
    pp->folds = folds;
    pp->failed = false;
    pp->data_leaf = 0;
    m.pp = pp;
    m.p = p;
    m.overflow = false;
    m.last_stage = 0;
    choose_walk(pp, pieces);
    m.staged = pp->walk == WN__STAGED;
    operands(&m);
    if (m.staged) stages(&m);
    guards(&m);
    make_steps(&m);
    if (m.overflow) { /* too many compacted registers: without guards there are none */
        operands(&m);
        wn__guards_off(pp);
        if (m.staged) {
            m.last_stage = 0;
            stages(&m);
        }
        memset(pp->level, 0, sizeof pp->level);
        make_steps(&m);
    }
    place_registers(&m);
}
