/* A program while it is made ready; shared by program_prepare.c, program_steps.c and program_place.c. */
#ifndef WN_ENGINE_PROGRAM_MAKE_H
#define WN_ENGINE_PROGRAM_MAKE_H
#include "engine/program_impl.h"

enum { WN__NO_OUTPUT = 255 };

typedef struct wn__maker {
    wn__prepared *pp;
    const wn__program *p;
    bool overflow, staged;
    int last_stage;
    uint8_t order[WN__MAX_INSTRS], stage[WN__MAX_INSTRS]; /* instructions in order; the stage of each */
    uint16_t out_src[WN__MAX_OUTPUTS];
    uint8_t next_out[WN__MAX_OUTPUTS];
    uint8_t loaded[WN__MAX_LEAVES], load_when[WN__MAX_LEAVES];
    bool scanned[WN__MAX_GUARDS + 1];
    /* by register */
    uint8_t from[WN__MAX_REGS]; /* the first stage in which it is computed */
    uint8_t first_out[WN__MAX_REGS], direct[WN__MAX_REGS]; /* outputs that take it; the one it is computed in */
    bool wide[WN__MAX_REGS], read[WN__MAX_REGS];
    uint16_t splat[WN__MAX_REGS], gathered[WN__MAX_GUARDS + 1][WN__MAX_REGS]; /* registers that are its other forms */
} wn__maker;

/* Is the leaf read in place, at an address that follows from the block's alone? */
static inline bool wn__used_in_place(const wn__view *v) { return v->ready && !v->once && v->reach != WN__PIECES; }
/* Is r the result of a fold that no instruction reads? It is stored when all blocks are done. */
static inline bool wn__folded_away(const wn__maker *m, int r) {
    int i = r - m->p->nleaves;
    return i >= 0 && i < m->p->ninstrs && m->p->instrs[i].what == WN__DO_FOLD && m->p->instrs[i].space != WN__ROW;
}

void wn__make_steps(wn__maker *m);     /* program_steps.c */
void wn__place_registers(wn__maker *m); /* program_place.c */
#endif
