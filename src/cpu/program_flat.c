/* Programs of one instruction on operands that lie flat, as its result does, for which one loop over memory does better than blocks: rows on
 * f16 or bf16 (and numbers), whose floats then never leave the registers, and folds, which the kernels of immediate reductions read in place, four rows at a
 * time. The bits are those of the program that loads, computes and stores block by block. */
#include "cpu/program_impl.h"
#include "cpu/pool.h"
#include "cpu/reduce.h"

static bool lies_flat(const wn__program *p, const wn__leaf *l) {
    return !l->constant && l->base && l->space == WN__FULL && l->ndim == 1 && l->shape[0] == p->numel && l->strides[0] == (int64_t)wn__dtype_size((wn_dtype)l->dtype);
}

static bool flat(const wn__program *p, const wn__leaf *l, int dtype) { return l->dtype == dtype && l->ct == WN__CT_F32 && lies_flat(p, l); }

/* The tensors among the operands when all that is behind them are numbers; 0: it is not so, or they do not lie flat. */
static int flat_tensors(const wn__program *p, const wn__instr *in, int dtype) {
    int n = in->nsrc;
    while (n > 0 && in->src[n - 1] < p->nleaves && p->leaves[in->src[n - 1]].constant) n--;
    for (int k = 0; k < n; k++)
        if (in->src[k] >= p->nleaves || !flat(p, &p->leaves[in->src[k]], dtype)) return 0;
    return n <= WN__HALF_MOST ? n : 0;
}

wn__kernel wn__flat_kernel(const wn__program *p) {
    if (p->ninstrs != 1 || p->noutputs != 1 || p->nguards || p->row) return NULL;
    const wn__instr *in = &p->instrs[0];
    const int dtype = p->outputs[0].to.dtype;
    if (in->what != WN__DO_KERNEL || in->ct != WN__CT_F32 || (dtype != WN_F16 && dtype != WN_BF16)) return NULL;
    const int n = flat_tensors(p, in, dtype);
    if (!n || p->outputs[0].src != p->nleaves || !flat(p, &p->outputs[0].to, dtype)) return NULL;
    const wn__kernels *k = wn__kernels_now();
    for (int r = 0; r < k->nrows; r++)
        if (k->rows[r][WN__CT_F32] == in->fn) return dtype == WN_BF16 ? k->halves[r].bf16[n] : k->halves[r].f16[n];
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
    for (int k = 0; k < in->nsrc; k++) {
        const wn__leaf *l = &j->p->leaves[in->src[k]];
        src[k] = l->base + (l->constant ? 0 : 2 * begin);
    }
    j->fn(end - begin, j->p->outputs[0].to.base + 2 * begin, src);
}

void wn__flat_run(const wn__program *p, wn__kernel fn) {
    enum { ENOUGH = WN__BLOCK * 64 }; /* for some 5 us */
    job j = {p, fn};
    wn__parallel(p->numel, ENOUGH, part, &j);
    wn__program_count(p->numel);
}

bool wn__flat_fold(const wn__program *p, wn__reduction *r) {
    const wn__instr *in = &p->instrs[0];
    if (p->ninstrs != 1 || in->what != WN__DO_FOLD || in->space == WN__COLUMN || p->nleaves != 1 || p->noutputs != 1 || !p->numel) return false;
    const wn__leaf *x = &p->leaves[0], *to = &p->outputs[0].to;
    if (x->dtype != in->from || !lies_flat(p, x) || to->space != in->space || to->dtype != in->dtype) return false;
    const int64_t row = in->space == WN__ALL ? p->numel : p->row;
    *r = (wn__reduction){.kind = (wn__reduce_kind)in->kind, .dtype = (wn_dtype)in->from, .x = x->base, .ndim = 2,
                         .dim = {{p->numel / row, row, 0, 1}, {row, 1, 0, 0}}, .reduced = 2, .out = to->base, .out_dtype = (wn_dtype)to->dtype, .p = in->p};
    return true;
}
