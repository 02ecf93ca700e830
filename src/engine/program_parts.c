/* Folds inside programs, before and after the blocks: their kinds, cutting the work so that their runs stay whole, and
 * joining what workers have folded. */
#include "base/alloc.h"
#include "engine/program_impl.h"

void wn__fold_plan_of(wn__fold_plan *f, const wn__instr *in, wn__ct from) {
    f->in = in;
    f->elem = wn__elem_of(wn__form_of(from));
    f->shape = wn__choose_fold((wn__reduce_kind)in->kind, in->p, f->elem, &f->fold, &f->param);
    f->parts = NULL;
    f->nparts = 0;
    f->acc = f->elem == WN__E_F32 && f->fold != WN__FOLD_NONZERO ? 4 : 8;
}

bool wn__program_can_fold(wn__reduce_kind kind, wn__space space, wn_dtype from, int64_t row) {
    WN_ASSERT(row >= 0 && wn__dtype_valid((int)from));
    bool floats = wn__is_float((int)from);
    if (row > WN__MAX_ROW && space != WN__ALL) return false;
    switch (kind) {
    case WN__R_ARGMIN:
    case WN__R_ARGMAX:
    case WN__R_COUNT: return false;
    case WN__R_MEAN: return floats;
    case WN__R_PROD: return floats || from == WN_I64;
    case WN__R_VAR:
    case WN__R_STD:
    case WN__R_LSE:
    case WN__R_NANSUM:
    case WN__R_NORM: return floats && space != WN__COLUMN;
    default: return true;
    }
}

void wn__fold_describe(const wn__prepared *pp, const wn__fold_plan *f, wn__reduction *r, wn__rplan *p) {
    r->kind = (wn__reduce_kind)f->in->kind;
    r->out_dtype = (wn_dtype)f->in->dtype;
    r->out = r->also = NULL;
    r->count = NULL;
    r->p = f->in->p;
    p->k = pp->rk;
    p->elem = f->elem;
    p->fold = f->fold;
    p->shape = f->shape;
    p->param = f->param;
    atomic_init(&p->no_memory, false);
    atomic_init(&p->empty, false);
}

static int64_t power_of_two(int64_t most) { /* the largest that is at most `most` */
    int64_t v = 1;
    while (v * 2 <= most) v *= 2;
    return v;
}

static int64_t power_of_two_in(int64_t v, int64_t most) { /* the largest, up to `most`, that divides v */
    return (v & -v) < most ? v & -v : most;
}

/* The rows of a unit: runs of all folds must end where it ends. */
static int64_t unit_rows(const wn__prepared *pp, int64_t want) {
    int64_t rows = 1;
    for (int i = 0; i < pp->nfolds; i++) {
        const wn__fold_plan *f = &pp->folds[i];
        int64_t need = 1;
        if (f->in->space == WN__COLUMN) need = WN__RUN;
        else if (f->in->space == WN__ALL) need = WN__RUN / power_of_two_in(pp->row, WN__RUN);
        if (need > rows) rows = need;
    }
    if (rows == 1 && want / pp->row > 1) return (want / pp->row + pp->tile - 1) / pp->tile * pp->tile;
    return rows == 1 ? pp->tile : rows * power_of_two(want / (rows * pp->row));
}

static void cut(wn__prepared *pp, wn__fold_plan *f) {
    const int64_t numel = pp->p->numel, rows = pp->row ? pp->unit / pp->row : 0;
    f->levels = 0;
    if (f->in->space == WN__ROW) return;
    if (f->in->space == WN__COLUMN) {
        f->chunk = rows;
        for (int64_t runs = (rows < pp->rows ? rows : pp->rows) / WN__RUN + 1; runs >> f->levels;) f->levels++;
        f->nparts = (pp->rows + rows - 1) / rows;
        return;
    }
    int64_t runs = pp->unit / WN__RUN;
    f->chunk = runs & -runs;
    f->nparts = (numel + f->chunk * WN__RUN - 1) / (f->chunk * WN__RUN);
}

bool wn__folds_cut(wn__prepared *pp, int64_t want) {
    bool all = false;
    for (int i = 0; i < pp->nfolds; i++) all |= pp->folds[i].in->space == WN__ALL;
    if (want < pp->block) want = pp->block;
    if (pp->row) {
        pp->unit = unit_rows(pp, want) * pp->row;
    } else {
        pp->unit = (want + pp->block - 1) / pp->block * pp->block;
        if (all) pp->unit = WN__RUN * power_of_two((want + WN__RUN - 1) / WN__RUN);
    }
    pp->rk = pp->nfolds ? wn__reduce_kernels_now() : NULL;
    for (int i = 0; i < pp->nfolds; i++) {
        wn__fold_plan *f = &pp->folds[i];
        cut(pp, f);
        if (f->in->space == WN__ROW) continue;
        /* Behind the parts of columns: room for results, as dtype and as a register. */
        size_t size = f->in->space == WN__ALL ? sizeof(wn__rstate) : (size_t)pp->row * f->acc;
        size_t extra = f->in->space == WN__ALL ? 0 : ((size_t)pp->row * 16 + size) / size + 1;
        f->parts = wn__calloc((size_t)f->nparts + extra + 1, size);
        if (!f->parts) return false;
    }
    pp->fold_bytes = wn__folds_bytes(pp);
    return true;
}

bool wn__folds_decidable(const wn__prepared *pp) {
    const wn__fold_plan *f = &pp->folds[0];
    return pp->nfolds == 1 && f->in->space == WN__ALL && (f->in->kind == WN__R_ANY || f->in->kind == WN__R_ALL) && pp->p->noutputs == 1 && pp->p->outputs[0].src == f->reg;
}
/* Parts count elements that are true; missing parts count as none. Some suffice for any, a missing one for not all. */
bool wn__folds_decided(const wn__prepared *pp, int64_t begin, int64_t n) {
    const wn__fold_plan *f = &pp->folds[0];
    int64_t hold = 0;
    for (int64_t i = begin / (f->chunk * WN__RUN); i * f->chunk * WN__RUN < begin + n; i++) hold += wn__part_of(f, i)->v.i;
    return f->in->kind == WN__R_ANY ? hold > 0 : hold < n;
}

void wn__folds_free(wn__prepared *pp) {
    for (int i = 0; i < pp->nfolds; i++) wn__free(pp->folds[i].parts);
}

static void store_results(const wn__prepared *pp, const wn__fold_plan *f, int64_t n, const char *as_dtype, char *as_register) {
    const wn__program *p = pp->p;
    wn__ct ct = (wn__ct)f->in->ct;
    pp->k->load[ct][f->in->dtype](n, as_register, as_dtype, (int64_t)wn__dtype_size(f->in->dtype));
    for (int o = 0; o < p->noutputs; o++)
        if (p->outputs[o].src == f->reg) wn__view_store(pp, &pp->out[o], ct, 0, n, as_register);
}

static void finish_all(const wn__prepared *pp, const wn__fold_plan *f) {
    wn__reduction r;
    wn__rplan p;
    wn__rcounter counter;
    wn__rstate s = {.n = 0};
    int64_t result, as_register;
    wn__fold_describe(pp, f, &r, &p);
    counter.runs = 0;
    for (int64_t i = 0; i < f->nparts; i++) wn__rcounter_push(&p, &counter, wn__part_of(f, i));
    wn__rcounter_end(&p, &counter, &s);
    r.out = &result;
    wn__rstate_put(&p, &r, 0, &s, pp->p->numel, 0);
    store_results(pp, f, 1, (char *)&result, (char *)&as_register);
}

static void finish_columns(const wn__prepared *pp, const wn__fold_plan *f) {
    wn__reduction r;
    wn__rplan p;
    const size_t step = (size_t)pp->row * f->acc;
    char *slot[64], *last = NULL;
    uint64_t runs = 0;
    wn__fold_describe(pp, f, &r, &p);
    for (int64_t i = 0; i < f->nparts; i++, runs++) {
        char *value = f->parts + (size_t)i * step;
        int k = 0;
        for (; runs >> k & 1; k++) {
            p.k->merge[f->fold][f->elem](slot[k], value, pp->row);
            value = slot[k];
        }
        slot[k] = value;
    }
    for (int k = 0; runs >> k; k++) {
        if (!(runs >> k & 1)) continue;
        if (last) p.k->merge[f->fold][f->elem](slot[k], last, pp->row);
        last = slot[k];
    }
    char *as_dtype = f->parts + (size_t)f->nparts * step, *as_register = as_dtype + (size_t)pp->row * 8;
    r.out = as_dtype;
    const bool as_is = r.kind == WN__R_SUM || r.kind == WN__R_PROD || r.kind == WN__R_MIN || r.kind == WN__R_MAX;
    if (as_is && last) {
        p.k->store(wn__elem_float(f->elem) ? f->elem : WN__E_I64, r.out_dtype, last, pp->row, as_dtype, 1);
    } else {
        for (int64_t i = 0; i < pp->row; i++) {
            wn__rstate s = {.n = 0};
            if (last) memcpy(&s.v, last + (size_t)i * f->acc, f->acc);
            wn__rstate_put(&p, &r, i, &s, pp->rows, 0);
        }
    }
    store_results(pp, f, pp->row, as_dtype, as_register);
}

void wn__folds_finish(const wn__prepared *pp) {
    for (int i = 0; i < pp->nfolds; i++) {
        if (pp->folds[i].in->space == WN__ALL) finish_all(pp, &pp->folds[i]);
        if (pp->folds[i].in->space == WN__COLUMN) finish_columns(pp, &pp->folds[i]);
    }
}
