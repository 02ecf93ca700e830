/* Places of registers: slots of scratch memory, which registers share if their lives do not overlap, and places that
 * move with the block. */
#include "engine/program_make.h"

enum {
#if defined(WN_HOSTILE) && WN_HOSTILE
    BLOCK_MOST = 112,
    STAGED_MOST = WN__RUN,
#else
    BLOCK_MOST = 2048,
    STAGED_MOST = 2048, /* for parts of a row, as folds along it take whole runs at a time */
#endif
    L1_ROOM = 30 << 10,  /* bytes for slots and constants; a smaller part of L1 is slower */
    MANY_INSTRS = 4,
    NEAR_ROOM = 16 << 20, /* bytes that an outer cache delivers fast enough */
    SLOT_PAD = 128,
    ROUND_ROOM = 512 * 8
};

static void move(wn__prepared *pp, int reg, int motion, const wn__leaf *l, size_t offset, int64_t step, const wn__view *v) {
    pp->offset[reg] = WN__NOWHERE;
    pp->moving[pp->nmoving++] = (wn__moving){l ? l->base : NULL, offset, step, v, l, (uint16_t)reg, (uint8_t)motion};
}

static void moving_registers(wn__maker *m) {
    wn__prepared *pp = m->pp;
    for (int r = 0; r < m->p->nleaves; r++) {
        const wn__view *v = &pp->leaf[r];
        if (!wn__used_in_place(v) || !v->l->base) continue;
        move(pp, r, v->rows ? WN__BY_ROW : v->reach == WN__FLAT ? WN__BY_ELEMENT : WN__IN_ROW, v->l, 0, v->step, NULL);
    }
    for (int o = 0; o < m->p->noutputs; o++) {
        int r = m->out_src[o];
        const wn__view *v = &pp->out[o];
        if (wn__folded_away(m, r) || m->direct[r] != o || (pp->walk == WN__PIECEWISE && o == 0)) continue;
        move(pp, r, v->rows ? WN__BY_ROW : v->reach == WN__FLAT ? WN__BY_ELEMENT : WN__BY_SEEK, v->l, 0, v->step, v);
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
        /* If nothing is gathered, the result is its source by another name. */
        if (s->op == WN__OP_GATHER && at->last_use[s->dst] > at->last_use[s->src[0]]) at->last_use[s->src[0]] = at->last_use[s->dst];
    }
}

/* May the result replace source k, which is not used any more? Kernels read an element before they write it. */
static bool may_replace(const wn__prepared *pp, const wn__step *s, int k) {
    if (wn__ct_size((wn__ct)pp->ct[s->src[k]]) != wn__ct_size((wn__ct)s->ct)) return false;
    if (s->op == WN__OP_KERNEL) return true;
    return s->op == WN__OP_SELECT && ((k == 2 && s->src[3] && !s->src[4]) || (k == 1 && s->src[4] && !s->src[3]));
}

static void release(places *at, int r, int i) {
    if (at->last_use[r] != i || at->slot[r] >= MOVES) return;
    for (int k = 0; k < at->nfree; k++)
        if (at->free[k] == at->slot[r]) return; /* a step may read it twice */
    at->free[at->nfree++] = at->slot[r];
}

static void assign_slots(wn__maker *m, places *at) {
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
                at->slot[from] = FIXED; /* s->dst has its slot now */
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

static void choose_block(wn__maker *m, int nslots, size_t size) {
    wn__prepared *pp = m->pp;
    for (int r = 0; r < m->p->nleaves; r++) nslots += pp->leaf[r].once;
    if (pp->walk == WN__TILES) {
        pp->block = pp->tile * pp->row;
    } else if (pp->walk == WN__PIECEWISE) {
        pp->block = WN__BLOCK;
    } else {
        pp->block = pp->walk == WN__STAGED ? STAGED_MOST : BLOCK_MOST;
        while (pp->block > (pp->walk == WN__STAGED ? WN__RUN : WN__BLOCK) && (size_t)pp->block * size * (size_t)nslots > L1_ROOM) pp->block /= 2;
        int64_t n = pp->walk == WN__STAGED ? pp->row : m->p->numel;
        if (pp->block > n) pp->block = n > 0 ? n : 1;
        WN_ASSERT(pp->walk != WN__STAGED || pp->block == n || pp->block % WN__RUN == 0);
    }
}

/* Lays out scratch memory: constants, slots, registers of values of rows, rows kept between stages, masks as bits. */
static void lay_out(wn__maker *m, places *at) {
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
        if (r < m->p->nleaves && (pp->leaf[r].once || wn__used_in_place(&pp->leaf[r]))) continue;
        if (at->slot[r] == MOVES) {
            if (!m->wide[r] || m->direct[r] != WN__NO_OUTPUT) continue;
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

void wn__place_registers(wn__maker *m) {
    wn__prepared *pp = m->pp;
    places at;
    pp->nmoving = pp->nonce = 0;
    for (int r = 0; r < pp->nregs; r++) {
        bool leaf = r < m->p->nleaves;
        bool moves = m->direct[r] != WN__NO_OUTPUT || m->wide[r];
        bool own = pp->is_rows[r] || (leaf && (pp->leaf[r].once || wn__used_in_place(&pp->leaf[r])));
        at.slot[r] = moves ? MOVES : own ? FIXED : UNPLACED;
        pp->offset[r] = WN__NOWHERE;
    }
    moving_registers(m);
    int64_t bytes = 0;
    for (int i = 0; i < pp->nmoving; i++)
        if (pp->moving[i].motion == WN__BY_ELEMENT) bytes += m->p->numel * pp->moving[i].step;
    const bool many = m->p->ninstrs >= MANY_INSTRS; /* with few, the hardware does well, but for rows in turn */
    pp->fetch = bytes > NEAR_ROOM && (pp->walk == WN__TILES || (many && pp->walk == WN__BLOCKS));
    assign_slots(m, &at);
    lay_out(m, &at);
}
