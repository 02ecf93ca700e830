/* From a plan to the program that the block interpreter runs. While it is made, registers have preliminary numbers:
 * leaves from 0, results of instructions from WN__RESULT on. */
#include "defer/plan.h"

enum { NONE = 255 };

typedef struct builder {
    wn__plan *p;
    wn__program *g;
    const wn__use *leaf_use[WN__MAX_LEAVES]; /* the use that a leaf was made for */
    int64_t numbers[WN__MAX_LEAVES];         /* the number in a leaf that is one */
    bool full;                               /* no room is left: the plan must be cut */
} builder;

/* ------------------------------------------------------------------ leaves */

static void flat(wn__leaf *l, int64_t n, int64_t size) {
    l->ndim = 1;
    l->shape[0] = n;
    l->strides[0] = size;
}

/* A layout that repeats along rows has one value for each row. */
static bool repeats_along_rows(const wn__use *u, int64_t row) {
    return row && u->ndim >= 2 && u->shape[u->ndim - 1] == row && u->strides[u->ndim - 1] == 0;
}

static bool same_layout(const wn__use *a, const wn__use *b) {
    if ((a->kind == WN__U_SAME) != (b->kind == WN__U_SAME) || a->dtype != b->dtype) return false;
    if (a->kind == WN__U_SAME) return true;
    if (a->offset != b->offset || a->ndim != b->ndim) return false;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != b->shape[d] || a->strides[d] != b->strides[d]) return false;
    return true;
}

static int leaf_for(builder *b, const wn__use *u, int reader_space) {
    wn__program *g = b->g;
    for (int i = 0; i < g->nleaves; i++) {
        const wn__use *have = b->leaf_use[i];
        if (g->leaves[i].ct != u->ct || (have->kind == WN__U_NUMBER) != (u->kind == WN__U_NUMBER)) continue;
        if (u->kind == WN__U_NUMBER ? b->numbers[i] == u->number && g->leaves[i].space == reader_space : have->src == u->src && same_layout(have, u)) return i;
    }
    if (g->nleaves == WN__MAX_LEAVES) {
        b->full = true;
        return 0;
    }
    int i = g->nleaves++;
    wn__leaf *l = &g->leaves[i];
    b->leaf_use[i] = u;
    l->ct = u->ct;
    l->space = (uint8_t)reader_space;
    l->constant = u->kind == WN__U_NUMBER;
    l->ndim = 0;
    if (l->constant) {
        b->numbers[i] = u->number;
        l->base = (char *)&b->numbers[i]; /* the caller moves it to memory that stays */
        l->dtype = (uint8_t)wn__form_of(u->ct);
        return i;
    }
    int64_t size = (int64_t)wn__dtype_size(u->dtype);
    WN_ASSERT(u->src->state == WN__V_READY && u->src->store && u->src->store->data); /* its memory exists */
    l->base = u->src->store->data;
    l->dtype = u->dtype;
    if (u->kind == WN__U_SAME) {
        flat(l, reader_space == WN__ROW ? b->p->numel / b->p->row : b->p->numel, size);
    } else {
        l->base += u->offset;
        l->ndim = u->ndim;
        memcpy(l->shape, u->shape, (size_t)u->ndim * sizeof *u->shape);
        memcpy(l->strides, u->strides, (size_t)u->ndim * sizeof *u->strides);
        if (reader_space == WN__FULL && repeats_along_rows(u, b->p->row)) {
            l->space = WN__ROW;
            l->ndim--;
        }
    }
    return i;
}

/* ------------------------------------------------------------------ instructions */

static wn__instr *add(builder *b, const wn__member *m, wn__what what, int ct, int dtype) {
    static wn__instr spill;
    wn__program *g = b->g;
    if (g->ninstrs == WN__MAX_INSTRS) {
        b->full = true;
        return &spill;
    }
    wn__instr *in = &g->instrs[g->ninstrs++];
    *in = (wn__instr){.what = (uint8_t)what, .space = m->space, .ct = (uint8_t)ct, .dtype = (uint8_t)dtype, .guard = m->guard, .cost = 1};
    return in;
}
static uint8_t last(const builder *b) { return (uint8_t)(WN__RESULT + b->g->ninstrs - 1); }

/* Returns the last instruction, or an equal one before it. (Gradients and their forward parts compute much twice.) */
static uint8_t once(builder *b) {
    wn__program *g = b->g;
    if (b->full || g->ninstrs == 0) return WN__RESULT;
    const wn__instr *in = &g->instrs[g->ninstrs - 1];
    for (int i = 0; i < g->ninstrs - 1; i++) {
        const wn__instr *o = &g->instrs[i];
        if (o->fn != in->fn || o->what != in->what || o->space != in->space || o->nsrc != in->nsrc || o->ct != in->ct || o->dtype != in->dtype ||
            (o->guard && o->guard != in->guard) || memcmp(o->src, in->src, in->nsrc) || o->kind != in->kind || o->from != in->from ||
            memcmp(&o->p, &in->p, sizeof o->p))
            continue;
        g->ninstrs--;
        return (uint8_t)(WN__RESULT + i);
    }
    return last(b);
}

/* Converts reg from compute type `have` to ct, in the space and under the guard in which reg is computed. */
static uint8_t converted(builder *b, uint8_t reg, int space, int guard, int have, int ct) {
    if (have == ct) return reg;
    wn__program *g = b->g;
    for (int i = 0; i < g->ninstrs; i++) {
        const wn__instr *in = &g->instrs[i];
        if (in->what == WN__DO_CONVERT && in->src[0] == reg && in->ct == ct && in->dtype == wn__form_of(ct) && in->guard == guard)
            return (uint8_t)(WN__RESULT + i);
    }
    wn__member as = {.space = (uint8_t)space, .guard = (uint8_t)guard};
    wn__instr *in = add(b, &as, WN__DO_CONVERT, ct, wn__form_of(ct));
    in->nsrc = 1;
    in->src[0] = reg;
    return last(b);
}

/* The space of m's sources; those of a fold are elements. */
static int source_space(const wn__member *m) { return m->v->kind == WN__V_FOLD ? WN__FULL : m->space; }

static uint8_t source(builder *b, const wn__member *m, int k) {
    const wn__use *u = &m->v->uses[k];
    if (!wn__fusable(u)) return (uint8_t)leaf_for(b, u, source_space(m));
    const wn__member *s = &b->p->m[u->src->index];
    return converted(b, s->reg, s->space, s->guard, s->v->ct, u->ct);
}

/* ------------------------------------------------------------------ two rows in one instruction
 *
 * The instructions that this replaces stay where they are; sweep removes them if nobody else reads them. */

static bool only_reader(const builder *b, const wn__value *v, const wn__value *reader) {
    const wn__use *u = v->readers;
    return u && !u->next && u->reader == reader && !b->p->m[v->index].store;
}

/* The instruction of u's source, if it is a row in m's space and guard that nobody else reads; NULL: it is not. */
static const wn__instr *maker(const builder *b, const wn__member *m, const wn__use *u) {
    if (!wn__fusable(u) || u->kind != WN__U_SAME || u->src->kind != WN__V_ROW || !only_reader(b, u->src, m->v)) return NULL;
    const wn__member *s = &b->p->m[u->src->index];
    if (s->reg < WN__RESULT || s->guard != m->guard || s->space != m->space) return NULL;
    return &b->g->instrs[s->reg - WN__RESULT];
}

/* add(a, mul(b, c)) and sub(a, mul(b, c)) become the row's own a + b * alpha: no fma is made of it, so no bits
 * change. */
static bool emit_multiply_add(builder *b, wn__member *m) {
    const wn__value *v = m->v;
    const bool plus = v->op->fuse == WN__FUSE_ADD;
    if ((!plus && v->op->fuse != WN__FUSE_SUBTRACT) || v->nuses != 2 || (v->dtype != WN_F32 && v->dtype != WN_F64)) return false;
    for (int k = plus ? 0 : 1; k < 2; k++) {
        const wn__use *u = &v->uses[k];
        const wn__instr *mul = maker(b, m, u);
        if (!mul || u->src->op->fuse != WN__FUSE_MULTIPLY || u->src->dtype != v->dtype || mul->nsrc != 2) continue;
        const uint8_t x = mul->src[0], y = mul->src[1], other = source(b, m, 1 - k);
        wn__instr *in = add(b, m, WN__DO_KERNEL, v->ct, v->dtype);
        in->fn = wn__kernels_now()->rows[v->op->kernel][v->ct];
        in->nsrc = 3;
        in->src[0] = other;
        in->src[1] = x;
        in->src[2] = y;
        m->reg = once(b);
        return true;
    }
    return false;
}

/* where(a OP b, c, d), and other rows that select by a comparison, without the mask in between. */
static bool emit_choice(builder *b, wn__member *m) {
    const wn__value *v = m->v;
    int mask, on, off;
    if (!wn__selection(v, &mask, &on, &off) || v->uses[mask].kind == WN__U_NUMBER) return false;
    const wn__use *by = &v->uses[mask];
    const wn__instr *compare = maker(b, m, by);
    const int which = compare ? by->src->op->fuse - WN__FUSE_EQ : -1; /* in the order of WN__CHOOSE_EQ ... */
    _Static_assert(WN__FUSE_GE - WN__FUSE_EQ == WN__CHOOSE_GE, "one order of comparisons");
    if (which < 0 || compare->nsrc != 2 || by->src->uses[0].ct != v->ct || by->src->uses[1].ct != v->ct) return false;
    wn__kernel fn = wn__kernels_now()->choose[which][v->ct];
    if (!fn) return false;
    const uint8_t x = compare->src[0], y = compare->src[1], yes = source(b, m, on), no = source(b, m, off);
    wn__instr *in = add(b, m, WN__DO_KERNEL, v->ct, v->dtype);
    in->fn = fn;
    in->nsrc = 4;
    in->src[0] = x;
    in->src[1] = y;
    in->src[2] = yes;
    in->src[3] = no;
    m->reg = once(b);
    return true;
}

static void emit_row(builder *b, wn__member *m) {
    const wn__value *v = m->v;
    uint8_t src[WN__MAX_USES];
    int mask, yes, no;
    if (emit_multiply_add(b, m) || (!b->p->nguards && emit_choice(b, m))) return;
    for (int k = 0; k < v->nuses; k++) src[k] = source(b, m, k);
    bool select = b->p->nguards && m->space == WN__FULL && wn__selection(v, &mask, &yes, &no);
    wn__instr *in = add(b, m, select ? WN__DO_SELECT : WN__DO_KERNEL, v->ct, v->dtype);
    in->fn = v->fn;
    in->nsrc = v->nuses;
    in->cost = v->op->cost;
    memcpy(in->src, src, v->nuses);
    if (select) {
        in->fn = wn__kernels_now()->rows[wn__selecting_kernel][v->ct];
        in->src[0] = src[mask];
        in->src[1] = src[yes];
        in->src[2] = src[no];
    }
    m->reg = once(b);
}

static void emit_convert(builder *b, wn__member *m) {
    const wn__value *v = m->v;
    const wn__use *u = &v->uses[0];
    uint8_t src = source(b, m, 0);
    if (u->dtype == v->dtype || (u->ct == v->ct && wn__is_register_form(v->dtype, (wn__ct)v->ct))) { /* in loading */
        m->reg = src;
        return;
    }
    /* Floating numbers become u8 by way of i64, as when they are stored. */
    if (v->dtype == WN_U8 && wn__is_float(u->dtype)) src = converted(b, src, m->space, m->guard, u->ct, WN__CT_I64);
    wn__instr *in = add(b, m, WN__DO_CONVERT, v->ct, v->dtype);
    in->nsrc = 1;
    in->src[0] = src;
    m->reg = last(b);
}

static void emit_fold(builder *b, wn__member *m) {
    const wn__value *v = m->v;
    uint8_t src = source(b, m, 0);
    wn__instr *in = add(b, m, WN__DO_FOLD, v->ct, v->dtype);
    in->nsrc = 1;
    in->src[0] = src;
    in->guard = 0;
    in->kind = v->fold_kind;
    in->from = v->uses[0].dtype;
    in->p = v->p;
    m->reg = once(b);
}

static void emit_random(builder *b, wn__member *m) {
    wn__instr *in = add(b, m, WN__DO_RANDOM, m->v->ct, m->v->dtype);
    in->make = wn__draws_part;
    in->ctx = m->v->draws;
    in->cost = (uint16_t)wn__value_cost(m->v);
    m->reg = last(b); /* not once(): each value is a draw of its own */
}

/* The product's elements come from the engine, piece by piece. */
static void emit_product(builder *b, wn__member *m) {
    static const wn__use none = {.kind = WN__U_VIEW};
    wn__leaf *l = &b->g->leaves[b->g->nleaves];
    b->leaf_use[b->g->nleaves] = &none;
    l->base = NULL;
    l->dtype = m->v->dtype;
    l->ct = m->v->ct;
    l->space = WN__FULL;
    l->constant = false;
    flat(l, m->v->numel, (int64_t)wn__dtype_size(m->v->dtype));
    m->reg = (uint8_t)b->g->nleaves++;
}

/* ------------------------------------------------------------------ outputs and guards */

/* The engine itself stores one result of a product's pieces: the one that is first. */
static void first_output(wn__program *g, const wn__plan *p) {
    const wn__value *product = NULL;
    for (int i = 0; i < p->n; i++)
        if (p->m[i].v->kind == WN__V_PRODUCT) product = p->m[i].v;
    for (int i = 0; product && i < g->noutputs; i++) {
        if (g->outputs[i].to.dtype != product->dtype) continue;
        wn__output first = g->outputs[i];
        g->outputs[i] = g->outputs[0];
        g->outputs[0] = first;
        g->outputs[0].in_place = true; /* it is stored over the product's elements */
        return;
    }
}

static void outputs(builder *b) {
    wn__program *g = b->g;
    for (int i = 0; i < b->p->n; i++) {
        const wn__member *m = &b->p->m[i];
        if (!m->store) continue;
        if (g->noutputs == WN__MAX_OUTPUTS) {
            b->full = true;
            return;
        }
        wn__output *o = &g->outputs[g->noutputs++];
        o->src = m->reg;
        o->to.base = m->place;
        o->to.dtype = m->v->dtype;
        o->to.ct = m->v->ct;
        o->to.space = m->space;
        o->to.constant = false;
        flat(&o->to, m->v->numel, (int64_t)wn__dtype_size(m->v->dtype));
        o->in_place = false;
        for (int l = 0; l < g->nleaves; l++) o->in_place |= !g->leaves[l].constant && g->leaves[l].base == m->place;
    }
}

static uint8_t final_reg(const wn__program *g, uint8_t reg) { return reg >= WN__RESULT ? (uint8_t)(g->nleaves + reg - WN__RESULT) : reg; }

/* The guards that instructions have, numbered anew, parents first. */
static void guards(builder *b) {
    uint8_t to[WN__MAX_GUARDS + 1] = {0};
    bool used[WN__MAX_GUARDS + 1] = {false};
    wn__program *g = b->g;
    for (int i = 0; i < g->ninstrs; i++)
        for (int k = g->instrs[i].guard; k; k = b->p->guards[k].parent) used[k] = true;
    for (int k = 1; k <= b->p->nguards; k++) {
        if (!used[k]) continue;
        const wn__plan_guard *pg = &b->p->guards[k];
        to[k] = (uint8_t)++g->nguards;
        wn__guard *out = &g->guards[g->nguards - 1];
        uint8_t reg;
        if (wn__fusable(pg->mask)) {
            reg = b->p->m[pg->mask->src->index].reg;
        } else {
            reg = (uint8_t)leaf_for(b, pg->mask, WN__FULL);
        }
        *out = (wn__guard){.mask = reg, .parent = to[pg->parent], .polarity = pg->polarity};
    }
    for (int i = 0; i < g->ninstrs; i++) g->instrs[i].guard = to[g->instrs[i].guard];
}

/* Removes instructions whose results nobody reads. */
static void sweep(builder *b) {
    wn__program *g = b->g;
    bool read[WN__MAX_INSTRS] = {false};
    uint8_t to[WN__MAX_INSTRS];
    int n = 0;
    for (int i = 0; i < g->noutputs; i++)
        if (g->outputs[i].src >= WN__RESULT) read[g->outputs[i].src - WN__RESULT] = true;
    for (int i = 0; i < g->nguards; i++)
        if (g->guards[i].mask >= WN__RESULT) read[g->guards[i].mask - WN__RESULT] = true;
    for (int i = g->ninstrs - 1; i >= 0; i--)
        for (int k = 0; k < g->instrs[i].nsrc && read[i]; k++)
            if (g->instrs[i].src[k] >= WN__RESULT) read[g->instrs[i].src[k] - WN__RESULT] = true;
    for (int i = 0; i < g->ninstrs; i++) {
        to[i] = NONE;
        if (!read[i]) continue;
        to[i] = (uint8_t)(WN__RESULT + n);
        g->instrs[n] = g->instrs[i];
        for (int k = 0; k < g->instrs[n].nsrc; k++)
            if (g->instrs[n].src[k] >= WN__RESULT) g->instrs[n].src[k] = to[g->instrs[n].src[k] - WN__RESULT];
        n++;
    }
    if (n == g->ninstrs) return;
    g->ninstrs = n;
    for (int i = 0; i < g->noutputs; i++)
        if (g->outputs[i].src >= WN__RESULT) g->outputs[i].src = to[g->outputs[i].src - WN__RESULT];
    for (int i = 0; i < g->nguards; i++)
        if (g->guards[i].mask >= WN__RESULT) g->guards[i].mask = to[g->guards[i].mask - WN__RESULT];
    for (int i = 0; i < b->p->n; i++)
        if (b->p->m[i].reg >= WN__RESULT) b->p->m[i].reg = to[b->p->m[i].reg - WN__RESULT];
}

bool wn__plan_build(wn__plan *p, wn__program *g, int64_t *numbers, const wn__use **uses) {
    WN_ASSERT(p->n > 0 && p->n <= WN__PLAN_MOST && p->nguards >= 0 && p->nguards <= WN__MAX_GUARDS);
    builder b;
    b.p = p;
    b.g = g;
    b.full = false;
    g->nleaves = g->ninstrs = g->noutputs = g->nguards = 0;
    g->numel = p->numel;
    g->row = p->row;
    for (int i = 0; i < p->n && !b.full; i++) {
        wn__member *m = &p->m[i];
        if (m->v->kind == WN__V_PRODUCT) emit_product(&b, m);
        else if (m->v->kind == WN__V_ROW) emit_row(&b, m);
        else if (m->v->kind == WN__V_CONVERT) emit_convert(&b, m);
        else if (m->v->kind == WN__V_RANDOM) emit_random(&b, m);
        else emit_fold(&b, m);
    }
    if (b.full) return false;
    guards(&b);
    outputs(&b);
    if (b.full) return false;
    sweep(&b);
    first_output(g, p);
    for (int i = 0; i < g->nleaves; i++) {
        uses[i] = b.leaf_use[i];
        numbers[i] = b.numbers[i];
        if (g->leaves[i].constant) g->leaves[i].base = (char *)&numbers[i];
    }
    for (int i = 0; i < g->ninstrs; i++)
        for (int k = 0; k < g->instrs[i].nsrc; k++) g->instrs[i].src[k] = final_reg(g, g->instrs[i].src[k]);
    for (int i = 0; i < g->noutputs; i++) g->outputs[i].src = final_reg(g, g->outputs[i].src);
    for (int i = 0; i < g->nguards; i++) g->guards[i].mask = final_reg(g, g->guards[i].mask);
    return true;
}
