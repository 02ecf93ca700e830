/* Programs of one row on f16 or bf16 operands that all lie flat, as its result does: one loop over memory, whose floats never
 * leave the registers. The bits are those of the program that loads, computes and stores block by block. */
#include "cpu/program_impl.h"
#include "cpu/pool.h"

static bool flat(const wn__program *p, const wn__leaf *l, int dtype) {
    return l->dtype == dtype && l->ct == WN__CT_F32 && !l->constant && l->base && l->space == WN__FULL && l->ndim == 1 && l->shape[0] == p->numel && l->strides[0] == 2;
}

wn__kernel wn__flat_kernel(const wn__program *p) {
    if (p->ninstrs != 1 || p->noutputs != 1 || p->nguards || p->row) return NULL;
    const wn__instr *in = &p->instrs[0];
    const int dtype = p->outputs[0].to.dtype;
    if (in->what != WN__DO_KERNEL || (dtype != WN_F16 && dtype != WN_BF16) || p->outputs[0].src != p->nleaves || !flat(p, &p->outputs[0].to, dtype)) return NULL;
    for (int i = 0; i < p->nleaves; i++)
        if (!flat(p, &p->leaves[i], dtype)) return NULL;
    const wn__kernels *k = wn__kernels_now();
    for (int r = 0; r < k->nrows; r++)
        if (k->rows[r][WN__CT_F32] == in->fn) return k->halves[r][dtype == WN_BF16];
    return NULL;
}

typedef struct job {
    const wn__program *p;
    wn__kernel fn;
} job;

static void part(void *ctx, int64_t begin, int64_t end, int worker) {
    (void)worker;
    const job *j = ctx;
    const wn__instr *in = &j->p->instrs[0];
    const void *src[WN__MAX_SRC];
    for (int k = 0; k < in->nsrc; k++) src[k] = j->p->leaves[in->src[k]].base + 2 * begin;
    j->fn(end - begin, j->p->outputs[0].to.base + 2 * begin, src);
}

void wn__flat_run(const wn__program *p, wn__kernel fn) {
    enum { ENOUGH = WN__BLOCK * 64 }; /* for some 5 us */
    job j = {p, fn};
    wn__parallel(p->numel, ENOUGH, part, &j);
    wn__program_count(p->numel);
}
