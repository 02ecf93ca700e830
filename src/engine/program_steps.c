/* Makes the steps of a program: what is loaded when, and which forms of registers are needed. */
#include "engine/program_make.h"

/* ------------------------------------------------------------------ steps */

static wn__step *add(wn__maker *m, int op, int index, int dst, int stage, bool rows, int level) {
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

static int new_reg(wn__maker *m, int ct, bool rows, int level, int from) {
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
    m->direct[r] = m->first_out[r] = WN__NO_OUTPUT;
    if (pp->keeps_rows) m->splat[r] = WN__NO_REG;
    for (int g = 1; pp->guarded && g <= m->p->nguards; g++) m->gathered[g][r] = WN__NO_REG;
    return r;
}

/* Leaves in long rows are loaded in every stage that reads them, others when they are first read. */
static void load(wn__maker *m, int r, int stage) {
    const wn__view *v = &m->pp->leaf[r];
    if (wn__used_in_place(v) || v->once || m->loaded[r] == stage + 1 || (m->loaded[r] && v->rows)) return;
    m->loaded[r] = (uint8_t)(stage + 1);
    wn__step *s = add(m, WN__OP_LOAD, r, r, stage, v->rows, 0);
    s->when = v->rows ? 0 : m->load_when[r];
    s->src[0] = m->direct[r] != WN__NO_OUTPUT;
}

static int splatted(wn__maker *m, int r, int stage) {
    if (m->splat[r] != WN__NO_REG) return m->splat[r];
    int to = new_reg(m, m->pp->ct[r], false, 0, stage);
    wn__step *s = add(m, WN__OP_SPLAT, 0, to, stage, m->staged, 0); /* long rows: once a row, one block of it */
    s->nsrc = 1;
    s->src[0] = (uint16_t)r;
    return m->splat[r] = (uint16_t)to;
}

static int gathered(wn__maker *m, int r, int level, int stage) {
    uint16_t *have = &m->gathered[level][r];
    if (*have != WN__NO_REG) return *have;
    int outer = m->pp->parent[level], from = m->pp->level[r] == outer ? r : gathered(m, r, outer, stage);
    int to = new_reg(m, m->pp->ct[r], false, level, stage);
    wn__step *s = add(m, WN__OP_GATHER, level, to, stage, false, level);
    s->nsrc = 1;
    s->src[0] = (uint16_t)from;
    return *have = (uint16_t)to;
}

/* The form of register r that an instruction reads. */
static uint16_t source(wn__maker *m, int r, bool rows, int level, int stage) {
    wn__prepared *pp = m->pp;
    if (r < m->p->nleaves) {
        if (pp->leaf[r].once && pp->leaf[r].reach != WN__COLUMN_LIKE) return (uint16_t)r; /* one value fits all */
        load(m, r, stage);
    } else if (stage > m->from[r] && !pp->is_rows[r]) {
        m->wide[r] = true;
    }
    if (pp->is_rows[r] && !rows) r = splatted(m, r, stage);
    if (pp->level[r] != level) r = gathered(m, r, level, stage);
    return (uint16_t)r;
}

static void scan(wn__maker *m, int g, int stage) {
    if (!g || m->scanned[g]) return;
    m->scanned[g] = true;
    int outer = m->pp->parent[g];
    scan(m, outer, stage);
    uint16_t mask = source(m, m->p->guards[g - 1].mask, false, outer, stage);
    wn__step *s = add(m, WN__OP_SCAN, g, WN__NO_REG, stage, false, outer);
    s->nsrc = 1;
    s->src[0] = mask;
}

static void store(wn__maker *m, int o, int stage) {
    const wn__program *p = m->p;
    bool rows = p->outputs[o].to.space == WN__ROW;
    uint16_t src = source(m, m->out_src[o], rows, 0, stage);
    wn__step *s = add(m, WN__OP_STORE, o, WN__NO_REG, stage, rows, 0);
    s->ct = m->pp->ct[src];
    s->nsrc = 1;
    s->src[0] = src;
}

/* Stores r into its outputs, except those in place, which wait until nothing is read any more. */
static void stores_of(wn__maker *m, int r, int stage) {
    for (int o = m->first_out[r]; o != WN__NO_OUTPUT; o = m->next_out[o])
        if (!m->p->outputs[o].in_place && m->direct[r] != o) store(m, o, stage);
}

/* The narrower dtype that values must be rounded to; 0 if they only go to memory as that dtype. */
static int rounding(const wn__maker *m, const wn__instr *in, int r) {
    if (wn__is_register_form(in->dtype, (wn__ct)in->ct)) return 0;
    if (m->read[r]) return in->dtype;
    for (int o = m->first_out[r]; o != WN__NO_OUTPUT; o = m->next_out[o])
        if (m->p->outputs[o].to.dtype != in->dtype || (m->pp->walk == WN__PIECEWISE && o == 0)) return in->dtype;
    return 0;
}

static void fold_steps(wn__maker *m, const wn__instr *in, int r, int stage) {
    wn__prepared *pp = m->pp;
    int f = pp->nfolds++, end = r;
    uint16_t src = source(m, in->src[0], false, 0, stage);
    wn__fold_plan_of(&pp->folds[f], in, (wn__ct)pp->ct[src]);
    pp->folds[f].reg = (uint16_t)r;
    int op = in->space == WN__ALL ? WN__OP_FOLD_ALL : in->space == WN__COLUMN ? WN__OP_FOLD_COLUMN : m->staged ? WN__OP_FOLD_PART : WN__OP_FOLD_ROW;
    if (op != WN__OP_FOLD_ROW) end = WN__NO_REG;
    wn__step *s = add(m, op, f, end, stage, false, 0);
    s->nsrc = 1;
    s->src[0] = src;
    if (op == WN__OP_FOLD_PART) add(m, WN__OP_FOLD_END, f, r, stage + 1, true, 0);
    if (in->space == WN__ROW) stores_of(m, r, stage + m->staged);
}

/* The guard that a side of a selection is computed under; 0: it is there wherever the selection runs. */
static uint8_t side(const wn__maker *m, int reg, int level) {
    int g = m->pp->level[reg];
    return (uint8_t)(g && g != level && m->pp->parent[g] == level ? g : 0);
}

/* Is instruction i a conversion that nobody reads any more (unconverted)? */
static bool left_out(const wn__maker *m, int i) {
    const wn__program *p = m->p;
    const int r = p->nleaves + i;
    if (m->read[r] || p->instrs[i].what != WN__DO_CONVERT || m->first_out[r] != WN__NO_OUTPUT) return false;
    for (int o = 0; o < p->noutputs; o++)
        if (m->out_src[o] == r) return false;
    return true;
}

/* Has register r one value for all of a block? */
static bool is_single(const wn__maker *m, int r) {
    const wn__prepared *pp = m->pp;
    return (r < m->p->nleaves && m->p->leaves[r].constant) || (pp->is_rows[r] && !pp->level[r] && pp->row && (pp->tile == 1 || m->staged) && pp->walk != WN__PIECEWISE);
}

wn__kernel wn__single_of(wn__kernel fn, bool exchanged) {
    const wn__kernels *k = wn__kernels_now();
    for (int r = 0; r < k->nrows; r++)
        for (int ct = 0; ct < WN__CTS; ct++)
            if (k->rows[r][ct] == fn) {
                const int row = exchanged ? k->singles[r].mirror : r;
                return row < 0 ? NULL : k->singles[row].of[ct];
            }
    return NULL;
}

/* A kernel for an instruction whose sources, except the first, are single: it need not have them repeated. NULL: there
 * is none, or they are not. src: the sources in the kernel's order. */
static wn__kernel single_kernel(const wn__maker *m, const wn__instr *in, int level, uint8_t *src) {
    enum { ENOUGH = 2048 }; /* elements from which it pays to look */
    if (in->what != WN__DO_KERNEL || in->space != WN__FULL || in->nsrc < 2 || level || m->p->numel < ENOUGH) return NULL;
    memcpy(src, in->src, in->nsrc);
    const bool swap = in->nsrc == 2 && is_single(m, src[0]) && !is_single(m, src[1]);
    if (swap) src[0] = in->src[1], src[1] = in->src[0];
    if (is_single(m, src[0])) return NULL;
    for (int i = 1; i < in->nsrc; i++)
        if (!is_single(m, src[i])) return NULL;
    return wn__single_of(in->fn, swap);
}

static void instruction(wn__maker *m, int i) {
    wn__prepared *pp = m->pp;
    const wn__instr *in = &m->p->instrs[i];
    int r = m->p->nleaves + i, stage = m->stage[i], level = pp->level[r];
    bool rows = in->space == WN__ROW;
    if (in->what == WN__DO_FOLD) {
        fold_steps(m, in, r, stage);
        return;
    }
    if (left_out(m, i)) return;
    if (in->what == WN__DO_RANDOM) {
        add(m, WN__OP_RANDOM, i, r, stage, false, 0);
        stores_of(m, r, stage);
        return;
    }
    if (pp->guarded) scan(m, level, stage);
    uint16_t src[WN__MAX_SRC];
    uint8_t under[2] = {0, 0}, order[WN__MAX_SRC];
    const wn__kernel single = rows ? NULL : single_kernel(m, in, level, order);
    for (int k = 0; single && k < in->nsrc; k++) src[k] = source(m, order[k], k > 0, 0, stage);
    for (int k = 0; !single && k < in->nsrc; k++) {
        uint8_t waits = in->what == WN__DO_SELECT && k > 0 && pp->guarded ? side(m, in->src[k], level) : 0;
        src[k] = waits ? in->src[k] : source(m, in->src[k], rows, level, stage);
        if (waits) under[k - 1] = waits;
    }
    int op = in->what == WN__DO_CONVERT ? WN__OP_CONVERT : under[0] || under[1] ? WN__OP_SELECT : WN__OP_KERNEL;
    wn__step *s = add(m, op, 0, r, stage, rows, level);
    s->fn = single ? single : in->fn;
    s->nsrc = in->nsrc;
    for (int k = 0; k < in->nsrc; k++) s->src[k] = src[k];
    s->round = (uint8_t)rounding(m, in, r);
    if (op == WN__OP_SELECT) s->src[3] = under[0], s->src[4] = under[1];
    if (op == WN__OP_CONVERT && !wn__is_register_form(in->dtype, (wn__ct)in->ct)) s->round = in->dtype; /* it rounds by itself */
    stores_of(m, r, stage);
}

/* ------------------------------------------------------------------ outputs */

/* Can r be computed in the memory of output o? final: the register of the last instruction. */
static bool can_be_direct(const wn__maker *m, int o, int r, int final) {
    const wn__prepared *pp = m->pp;
    const wn__view *v = &pp->out[o];
    const wn__program *p = m->p;
    if (m->direct[r] != WN__NO_OUTPUT || pp->level[r] || v->rows != pp->is_rows[r] || pp->ct[r] != v->l->ct) return false;
    if (p->outputs[o].in_place && r != final) return false;
    if (r < p->nleaves) {
        if (pp->leaf[r].once || wn__used_in_place(&pp->leaf[r]) || p->outputs[o].in_place) return false;
    } else if (p->instrs[r - p->nleaves].what == WN__DO_FOLD && p->instrs[r - p->nleaves].space != WN__ROW) {
        return false;
    }
    if (pp->walk == WN__PIECEWISE && o == 0) return r == final && wn__ct_size((wn__ct)pp->ct[r]) == wn__ct_size((wn__ct)pp->ct[pp->data_leaf]);
    if (!v->ready) return false;
    if (v->reach == WN__FLAT) return true;
    return !v->rows && pp->row && pp->tile == 1 && pp->walk != WN__PIECEWISE && v->l->shape[v->ndim - 1] % pp->row == 0;
}

/* If r is a conversion to a narrow dtype and is only stored as that dtype, storing its source will do. Returns the
 * register to store; the conversion is left out if all its outputs are like that. */
static int unconverted(wn__maker *m, int o, int r) {
    const wn__program *p = m->p;
    const int i = r - p->nleaves;
    if (i < 0 || m->read[r] || (m->pp->walk == WN__PIECEWISE && o == 0)) return r;
    const wn__instr *in = &p->instrs[i];
    if (in->what != WN__DO_CONVERT || p->outputs[o].in_place || p->outputs[o].to.dtype != in->dtype || wn__is_register_form(in->dtype, (wn__ct)in->ct) ||
        m->pp->level[r] || m->pp->level[in->src[0]])
        return r;
    return in->src[0];
}

static void outputs(wn__maker *m) {
    const wn__program *p = m->p;
    int final = p->ninstrs ? p->nleaves + m->order[p->ninstrs - 1] : -1;
    if (final >= 0 && p->instrs[final - p->nleaves].what == WN__DO_FOLD) final = -1;
    for (int o = p->noutputs - 1; o >= 0; o--) {
        int r = m->out_src[o] = (uint16_t)unconverted(m, o, p->outputs[o].src);
        if (wn__folded_away(m, r)) continue;
        m->next_out[o] = m->first_out[r];
        m->first_out[r] = (uint8_t)o;
        if (can_be_direct(m, o, r, final)) m->direct[r] = (uint8_t)o;
    }
}

/* Leaves that are stored unchanged. In place: a copy is taken before any operand changes. */
static void copies(wn__maker *m) {
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

/* ------------------------------------------------------------------ all steps */

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

void wn__make_steps(wn__maker *m) {
    wn__prepared *pp = m->pp;
    const wn__program *p = m->p;
    pp->nsteps = pp->nfolds = 0;
    if (pp->keeps_rows) memset(m->splat, 0xff, (size_t)pp->nregs * sizeof *m->splat);
    outputs(m);
    copies(m);
    for (int i = 0; i < p->ninstrs; i++) instruction(m, m->order[i]);
    for (int o = 0; o < p->noutputs; o++) {
        int r = m->out_src[o];
        bool own = pp->walk == WN__PIECEWISE && o == 0; /* it goes back into the piece */
        if ((p->outputs[o].in_place || own) && !wn__folded_away(m, r) && m->direct[r] != o) store(m, o, m->last_stage);
    }
    if (m->staged) sort_steps(pp);
}
