/* Programs of several rows on f16 or bf16 alone, side by side in memory, if each row has a loop on that type. Loop
 * follows loop over blocks that stay in L1 as halves; every value is rounded between rows anyhow. The alternative,
 * floats in registers of the program, would cost each row a load and a store as well. */
#include "base/threads.h"
#include "engine/program_impl.h"

enum { BLOCK = 1024 };

static bool is_half(int dtype) { return dtype == WN_F16 || dtype == WN_BF16; }

static bool lies_flat(const wn__program *p, const wn__leaf *l, int dtype) {
    return !l->constant && l->base && l->dtype == dtype && l->space == WN__FULL && l->ndim == 1 && l->shape[0] == p->numel && l->strides[0] == 2;
}

bool wn__chain_of(const wn__program *p, wn__chain *c) {
    c->n = 0;
    const int dtype = p->ninstrs ? p->instrs[0].dtype : 0;
    if (!is_half(dtype) || p->ninstrs < 2 || p->ninstrs > WN__CHAIN_MOST || p->nguards || !p->noutputs || !p->numel) return false;
    for (int i = 0; i < p->nleaves; i++)
        if (!(p->leaves[i].constant && p->leaves[i].ct == WN__CT_F32) && !lies_flat(p, &p->leaves[i], dtype)) return false;
    for (int i = 0; i < p->ninstrs; i++) c->out[i] = -1;
    for (int o = 0; o < p->noutputs; o++) {
        const int i = p->outputs[o].src - p->nleaves;
        if (i < 0 || c->out[i] >= 0 || !lies_flat(p, &p->outputs[o].to, dtype) || (p->outputs[o].in_place && i < p->ninstrs - 1)) return false;
        c->out[i] = (int8_t)o;
    }
    for (int i = 0; i < p->ninstrs; i++) {
        const wn__instr *in = &p->instrs[i];
        if (in->what != WN__DO_KERNEL || in->space != WN__FULL || in->ct != WN__CT_F32 || in->dtype != dtype) return false;
        int n = in->nsrc;
        while (n > 0 && in->src[n - 1] < p->nleaves && p->leaves[in->src[n - 1]].constant) n--;
        for (int k = 0; k < n; k++)
            if (in->src[k] < p->nleaves && p->leaves[in->src[k]].constant) return false;
        c->fn[i] = n ? wn__half_kernel(in->fn, dtype, n) : NULL;
        if (!c->fn[i]) return false;
    }
    c->n = p->ninstrs;
    return true;
}

typedef struct program_chain_job {
    const wn__program *p;
    const wn__chain *c;
} program_chain_job;

static void part(void *ctx, int64_t begin, int64_t end) {
    const program_chain_job *j = ctx;
    const wn__program *p = j->p;
    uint16_t room[WN__CHAIN_MOST][BLOCK];
    for (; begin < end; begin += BLOCK) {
        const int64_t n = end - begin < BLOCK ? end - begin : BLOCK;
        char *made[WN__CHAIN_MOST];
        for (int i = 0; i < p->ninstrs; i++) {
            const wn__instr *in = &p->instrs[i];
            const void *src[WN__MAX_SRC];
            for (int k = 0; k < in->nsrc; k++) {
                const int r = in->src[k];
                src[k] = r >= p->nleaves ? made[r - p->nleaves] : p->leaves[r].constant ? p->leaves[r].base : p->leaves[r].base + begin * 2;
            }
            made[i] = j->c->out[i] < 0 ? (char *)room[i] : p->outputs[j->c->out[i]].to.base + begin * 2;
            j->c->fn[i](n, made[i], src);
        }
    }
}

bool wn__chain_run(const wn__program *p, const wn__chain *c) {
    program_chain_job j = {.p = p, .c = c};
    if (!wn__parallel_fresh(p->numel, WN__BLOCK * 64, part, &j)) return false;
    wn__program_count(p->numel * p->ninstrs, p->ninstrs);
    return true;
}
