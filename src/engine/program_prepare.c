/* Makes a program ready to run: how it is walked, how its operands are reached, what runs in which stage. */
#include "engine/program_make.h"

enum {
#if defined(WN_HOSTILE) && WN_HOSTILE
    TILE_AIM = 40,
    TILE_MOST = 72,
#else
    TILE_AIM = 1024,  /* elements of a block of short rows */
    TILE_MOST = 2048, /* longer rows are taken in parts */
#endif
    ONCE_MOST = WN__MAX_ROW, /* the longest row that is converted once for all rows */
    UNSEEN = 255
};

/* ------------------------------------------------------------------ walking */

/* Do rows matter to the program? */
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

/* If not, an operand that is not flat is best walked in rows of its innermost dimension. */
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
    if (!output && !l->base) { /* passed with each piece, side by side in register form */
        v->reach = WN__FLAT;
        v->ready = true;
        v->once = false;
    }
    if (output || v->once || !column_like(pp, v)) return;
    v->reach = WN__COLUMN_LIKE;
    v->once = !(v->ready && l->ndim == 2 && l->shape[1] == pp->row && pp->tile == 1);
}

static void operands(wn__maker *m) {
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
        m->first_out[i] = m->direct[i] = WN__NO_OUTPUT;
    }
    for (int i = 0; i < p->ninstrs; i++) {
        int r = p->nleaves + i;
        pp->ct[r] = p->instrs[i].ct;
        pp->is_rows[r] = p->instrs[i].space == WN__ROW;
        m->from[r] = 0;
        m->read[r] = m->wide[r] = false;
        m->first_out[r] = m->direct[r] = WN__NO_OUTPUT;
        m->order[i] = (uint8_t)i;
        m->stage[i] = 0;
    }
    pp->nregs = p->nleaves + p->ninstrs;
    for (int i = 0; i < p->ninstrs; i++)
        for (int k = 0; k < p->instrs[i].nsrc; k++) m->read[p->instrs[i].src[k]] = true;
    for (int o = 0; o < p->noutputs; o++) look_at(pp, &pp->out[o], &p->outputs[o].to, true);
}

/* ------------------------------------------------------------------ stages */

/* Long rows: a fold's result is available one stage after its source. */
static void stages(wn__maker *m) {
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
    return in->what == WN__DO_FOLD || in->what == WN__DO_RANDOM || in->space != WN__FULL ? 0 : pp->guard_of[in->guard];
}

/* A leaf that only guarded instructions read is not loaded if their guard wants nothing. */
static void need_leaf(wn__maker *m, int reg, int level) {
    if (reg >= m->p->nleaves) return;
    uint8_t *w = &m->load_when[reg];
    *w = (uint8_t)(*w == UNSEEN ? level : common(m->pp, *w, level));
}

static void guards(wn__maker *m) {
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

/* ------------------------------------------------------------------ all of it */

void wn__prepare(wn__prepared *pp, const wn__program *p, bool pieces, wn__fold_plan *folds) {
    wn__maker m;
    pp->p = p;
    pp->k = wn__kernels_now();
    pp->bk = wn__block_now();
    pp->folds = folds;
    pp->failed = false;
    pp->data_leaf = 0;
    pp->meter = wn__meter_now;
    m.pp = pp;
    m.p = p;
    m.overflow = false;
    m.last_stage = 0;
    choose_walk(pp, pieces);
    m.staged = pp->walk == WN__STAGED;
    operands(&m);
    if (m.staged) stages(&m);
    guards(&m);
    wn__make_steps(&m);
    if (m.overflow) { /* too many compacted registers: without guards there are none */
        operands(&m);
        wn__guards_off(pp);
        if (m.staged) {
            m.last_stage = 0;
            stages(&m);
        }
        memset(pp->level, 0, sizeof pp->level);
        wn__make_steps(&m);
    }
    wn__place_registers(&m);
}
