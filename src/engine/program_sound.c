/* The invariants (program.h) of programs that are given to the runner. */
#include "base/checked.h"
#include "engine/program.h"

#if defined(WN_CHECKED) && WN_CHECKED
/* A leaf must have an element for each of its space; repeated ones have strides of 0, not fewer sizes. */
static void leaf_assert(const wn__program *p, const wn__leaf *l, bool output) {
    WN_ASSERT(wn__dtype_valid(l->dtype) && l->ct < WN__CTS);
    WN_ASSERT(output ? l->space <= WN__ALL : l->space == WN__FULL || l->space == WN__ROW);
    WN_ASSERT(!output || !l->constant);
    if (l->constant) return;
    WN_ASSERT(l->ndim >= 0 && l->ndim <= WN_MAX_DIMS);
    WN_ASSERT(l->space != WN__ROW || p->row > 0);
    int64_t n = 1;
    for (int d = 0; d < l->ndim; d++) {
        WN_ASSERT(l->shape[d] >= 0);
        n = wn__mul_sat(n, l->shape[d]);
    }
    WN_ASSERT(n == (l->space == WN__FULL ? p->numel : l->space == WN__ROW ? p->numel / p->row : l->space == WN__COLUMN ? p->row : 1));
}

static void instr_assert(const wn__program *p, int i) {
    const wn__instr *in = &p->instrs[i];
    WN_ASSERT(in->what <= WN__DO_RANDOM && in->space <= WN__ALL && in->ct < WN__CTS);
    WN_ASSERT(in->nsrc <= WN__MAX_SRC && in->guard <= p->nguards);
    for (int k = 0; k < in->nsrc; k++) WN_ASSERT(in->src[k] < p->nleaves + i); /* sources come first */
    WN_ASSERT(in->what != WN__DO_FOLD || in->kind <= WN__R_NORM);
    WN_ASSERT(in->what != WN__DO_RANDOM || (in->make && in->space == WN__FULL));
}

void wn__program_assert(const wn__program *p) {
    WN_ASSERT(p->nleaves >= 0 && p->nleaves <= WN__MAX_LEAVES);
    WN_ASSERT(p->ninstrs >= 0 && p->ninstrs <= WN__MAX_INSTRS);
    WN_ASSERT(p->noutputs >= 0 && p->noutputs <= WN__MAX_OUTPUTS);
    WN_ASSERT(p->nguards >= 0 && p->nguards <= WN__MAX_GUARDS);
    WN_ASSERT(p->numel >= 0);
    WN_ASSERT(p->row >= 0 && p->row <= WN__MAX_ROW && (!p->row || p->numel % p->row == 0));
    for (int i = 0; i < p->nleaves; i++) leaf_assert(p, &p->leaves[i], false);
    for (int i = 0; i < p->ninstrs; i++) instr_assert(p, i);
    for (int o = 0; o < p->noutputs; o++) {
        leaf_assert(p, &p->outputs[o].to, true);
        WN_ASSERT(p->outputs[o].src < p->nleaves + p->ninstrs);
    }
    for (int g = 0; g < p->nguards; g++) WN_ASSERT(p->guards[g].parent <= g && p->guards[g].mask < p->nleaves + p->ninstrs);
}
#endif
