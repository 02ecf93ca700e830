/* Folds inside programs: the tree of engine/reduction.h, over values that are never stored. */
#include "engine/program_impl.h"
#include <math.h>

enum { SHORT_ROW = 48, SHORT_ROWS = 16 }; /* shorter rows are folded several at once, if there are as many */

/* What one worker keeps of one fold. */
struct wn__folder {
    wn__reduction r;
    wn__rplan p;
    wn__rcounter counter;
    int64_t part; /* number of the next part */
    int64_t held; /* ALL: elements in `carry` that wait for a full run; COLUMN: rows of the run so far */
    char *out;    /* ROW: a block's results, as dtype */
    char *work;   /* ROW: buffer for short rows, for the column kernels */
    char *lanes, *slots; /* COLUMN: 16 rows of accumulators; slots of the counter */
    uint64_t runs;
    char carry[WN__RUN * 8] __attribute__((aligned(64)));
};

/* ------------------------------------------------------------------ along rows */

static bool short_rows(const wn__prepared *pp, const wn__fold_plan *f) {
    return f->in->space == WN__ROW && pp->walk == WN__TILES && f->shape == WN__RS_FOLD && pp->row < SHORT_ROW && pp->tile >= SHORT_ROWS;
}

/* Folds short rows side by side, as columns of their transpose. */
static void fold_short_rows(wn__folder *f, const wn__prepared *pp, const char *x, int64_t rows) {
    static const uint8_t dtype[WN__ELEMS] = {WN_F32, WN_F64, WN_I8, WN_I16, WN_I32, WN_I64, WN_U8};
    const char *at[SHORT_ROW];
    char acc[WN__COL_MAX * 8] __attribute__((aligned(64)));
    const size_t size = wn__elem_size(f->p.elem);
    for (int64_t first = 0; first < rows; first += WN__COL_MAX) {
        wn__cols c = {.rows = at, .n = pp->row, .width = rows - first < WN__COL_MAX ? rows - first : WN__COL_MAX, .stride = pp->row};
        c.dtype = (wn_dtype)dtype[f->p.elem];
        for (int64_t i = 0; i < pp->row; i++) at[i] = x + (size_t)(first * pp->row + i) * size;
        pp->rk->col[f->p.fold][f->p.elem](&c, f->p.fold == WN__FOLD_POW ? &f->p.param : NULL, acc, f->work);
        wn__rstates_put(&f->p, &f->r, first, 1, c.width, acc, pp->row);
    }
}

/* Folds rows one after the other, as many as there is room for results. */
static void fold_plain_rows(wn__folder *f, const wn__prepared *pp, const char *x, int64_t rows) {
    char acc[64 * 8] __attribute__((aligned(64)));
    const wn__rows_fn fold = pp->rk->rows[f->p.fold][f->p.elem];
    const size_t size = (size_t)pp->row * wn__elem_size(f->p.elem);
    for (int64_t first = 0; first < rows; first += 64) {
        int64_t n = rows - first < 64 ? rows - first : 64;
        fold(x + (size_t)first * size, pp->row, n, pp->row, &f->p.param, acc);
        wn__rstates_put(&f->p, &f->r, first, 1, n, acc, pp->row);
    }
}

static void push_runs(wn__folder *f, const char *x, int64_t n) {
    const int64_t size = (int64_t)wn__elem_size(f->p.elem);
    for (int64_t i = 0; i < n; i += WN__RUN) {
        wn__rstate s;
        wn__rstate_of_run(&f->p, x + i * size, n - i < WN__RUN ? n - i : WN__RUN, 0, &s);
        wn__rcounter_push(&f->p, &f->counter, &s);
    }
}

static void fold_row(wn__folder *f, const char *x, int64_t n, wn__rstate *s) {
    if (n <= WN__RUN) {
        wn__rstate_of_run(&f->p, x, n, 0, s);
        return;
    }
    f->counter.runs = 0;
    push_runs(f, x, n);
    wn__rcounter_end(&f->p, &f->counter, s);
}

/* Where results are put as dtype, from which results_end fills the register. */
static char *results_begin(wn__folder *f, const wn__step *s, char *reg) {
    bool direct = wn__is_register_form((int)f->r.out_dtype, (wn__ct)s->ct);
    return f->r.out = direct ? reg : f->out;
}
static void results_end(wn__worker *w, wn__folder *f, const wn__step *s, int64_t n) {
    if (f->r.out == w->reg[s->dst]) return;
    w->pp->k->load[s->ct][f->r.out_dtype](n, w->reg[s->dst], f->out, (int64_t)wn__dtype_size((int)f->r.out_dtype));
}

static void fold_rows(wn__worker *w, wn__folder *f, const wn__step *s) {
    const wn__prepared *pp = w->pp;
    const char *x = w->reg[s->src[0]];
    results_begin(f, s, w->reg[s->dst]);
    if (f->work) {
        fold_short_rows(f, pp, x, w->nrows);
    } else if (f->p.shape == WN__RS_FOLD && pp->rk->rows[f->p.fold][f->p.elem]) {
        fold_plain_rows(f, pp, x, w->nrows);
    } else {
        const int64_t step = pp->row * (int64_t)wn__elem_size(f->p.elem);
        for (int64_t i = 0; i < w->nrows; i++, x += step) {
            wn__rstate state;
            fold_row(f, x, pp->row, &state);
            wn__rstate_put(&f->p, &f->r, i, &state, pp->row, 0);
        }
    }
    results_end(w, f, s, w->nrows);
}

static void fold_end(wn__worker *w, wn__folder *f, const wn__step *s) {
    wn__rstate state;
    wn__rcounter_end(&f->p, &f->counter, &state);
    f->counter.runs = 0;
    results_begin(f, s, w->reg[s->dst]);
    wn__rstate_put(&f->p, &f->r, 0, &state, w->pp->row, 0);
    results_end(w, f, s, 1);
}

/* ------------------------------------------------------------------ over all elements */

static void push_all(wn__folder *f, const wn__fold_plan *plan, const char *x, int64_t n) {
    wn__rstate s;
    wn__rstate_of_run(&f->p, x, n, 0, &s);
    wn__rcounter_push(&f->p, &f->counter, &s);
    if (f->counter.runs < (uint64_t)plan->chunk) return;
    wn__rcounter_end(&f->p, &f->counter, wn__part_of(plan, f->part++));
    f->counter.runs = 0;
}

static void fold_all(wn__folder *f, const wn__fold_plan *plan, const char *x, int64_t n) {
    const int64_t size = (int64_t)wn__elem_size(f->p.elem);
    while (n > 0) {
        if (f->held == 0 && n >= WN__RUN) {
            push_all(f, plan, x, WN__RUN);
            x += WN__RUN * size;
            n -= WN__RUN;
            continue;
        }
        int64_t m = WN__RUN - f->held < n ? WN__RUN - f->held : n;
        memcpy(f->carry + f->held * size, x, (size_t)(m * size));
        x += m * size;
        n -= m;
        if ((f->held += m) < WN__RUN) return;
        f->held = 0;
        push_all(f, plan, f->carry, WN__RUN);
    }
}

static void end_all(wn__folder *f, const wn__fold_plan *plan) {
    if (f->held) push_all(f, plan, f->carry, f->held);
    f->held = 0;
    if (f->counter.runs) wn__rcounter_end(&f->p, &f->counter, wn__part_of(plan, f->part++));
    f->counter.runs = 0;
}

/* ------------------------------------------------------------------ over the rows, one result a column */

static void fill_lanes(const wn__folder *f, int64_t n) {
    const wn__fold fold = f->p.fold;
    bool largest = fold == WN__FOLD_MAX;
    if (fold != WN__FOLD_PROD && fold != WN__FOLD_MIN && fold != WN__FOLD_MAX) {
        memset(f->lanes, 0, (size_t)n * (f->p.elem == WN__E_F32 && fold != WN__FOLD_NONZERO ? 4 : 8));
    } else if (f->p.elem == WN__E_F32) {
        float *a = (float *)(void *)f->lanes, v = fold == WN__FOLD_PROD ? 1 : largest ? -INFINITY : INFINITY;
        for (int64_t i = 0; i < n; i++) a[i] = v;
    } else if (f->p.elem == WN__E_F64) {
        double *a = (double *)(void *)f->lanes, v = fold == WN__FOLD_PROD ? 1 : largest ? -(double)INFINITY : (double)INFINITY;
        for (int64_t i = 0; i < n; i++) a[i] = v;
    } else {
        int64_t *a = (int64_t *)(void *)f->lanes, v = fold == WN__FOLD_PROD ? 1 : largest ? INT64_MIN : INT64_MAX;
        for (int64_t i = 0; i < n; i++) a[i] = v;
    }
}

static void count_nonzero(wn__elem e, int64_t n, const char *x, int64_t *y) {
    if (e == WN__E_F32)
        for (int64_t i = 0; i < n; i++) y[i] = ((const float *)(const void *)x)[i] != 0;
    else if (e == WN__E_F64)
        for (int64_t i = 0; i < n; i++) y[i] = ((const double *)(const void *)x)[i] != 0;
    else if (e == WN__E_I32)
        for (int64_t i = 0; i < n; i++) y[i] = ((const int32_t *)(const void *)x)[i] != 0;
    else if (e == WN__E_I64)
        for (int64_t i = 0; i < n; i++) y[i] = ((const int64_t *)(const void *)x)[i] != 0;
    else
        for (int64_t i = 0; i < n; i++) y[i] = ((const uint8_t *)(const void *)x)[i] != 0;
}

/* Adds n elements to the accumulators from number `at` on. Integers and counts are summed as int64_t. */
static void accumulate(wn__folder *f, const wn__fold_plan *plan, int64_t at, const char *x, int64_t n) {
    const wn__reduce_kernels *k = f->p.k;
    char *acc = f->lanes + (size_t)at * plan->acc;
    if (wn__elem_float(f->p.elem) && f->p.fold != WN__FOLD_NONZERO) {
        k->merge[f->p.fold][f->p.elem](acc, x, n);
        return;
    }
    const size_t size = wn__elem_size(f->p.elem);
    static const uint8_t dtype[WN__ELEMS] = {WN_F32, WN_F64, WN_I8, WN_I16, WN_I32, WN_I64, WN_U8};
    for (int64_t i = 0; i < n; i += WN__RUN) {
        int64_t m = n - i < WN__RUN ? n - i : WN__RUN;
        if (f->p.fold == WN__FOLD_NONZERO) count_nonzero(f->p.elem, m, x + (size_t)i * size, (int64_t *)(void *)f->carry);
        else k->load((wn_dtype)dtype[f->p.elem], WN__E_I64, x + (size_t)i * size, 1, m, f->carry);
        k->merge[f->p.fold][f->p.elem](acc + (size_t)i * 8, f->carry, m);
    }
}

/* Joins the lanes by halves and pushes the result as one run. */
static void end_run(const wn__prepared *pp, wn__folder *f, const wn__fold_plan *plan) {
    const size_t step = (size_t)pp->row * plan->acc;
    int64_t lanes = f->held < WN__LANES ? f->held : WN__LANES;
    for (int64_t h = WN__LANES / 2; h; h /= 2) {
        int64_t pairs = lanes - h < h ? lanes - h : h;
        if (pairs > 0) f->p.k->merge[f->p.fold][f->p.elem](f->lanes, f->lanes + (size_t)h * step, pairs * pp->row);
    }
    char *value = f->lanes;
    int i = 0;
    for (; f->runs >> i & 1; i++) {
        char *slot = f->slots + (size_t)i * step;
        f->p.k->merge[f->p.fold][f->p.elem](slot, value, pp->row);
        value = slot;
    }
    memcpy(f->slots + (size_t)i * step, value, step);
    f->runs++;
    f->held = 0;
}

/* Folds a block of whole rows, or a part of one. Consecutive rows go to consecutive lanes. */
static void fold_columns(const wn__worker *w, wn__folder *f, const wn__fold_plan *plan, const char *x) {
    const wn__prepared *pp = w->pp;
    const int64_t size = (int64_t)wn__elem_size(f->p.elem);
    if (pp->walk == WN__STAGED) {
        int64_t in_row = w->begin - w->row0 * pp->row;
        if (f->held == 0 && in_row == 0) fill_lanes(f, WN__LANES * pp->row);
        accumulate(f, plan, f->held % WN__LANES * pp->row + in_row, x, w->n);
        if (in_row + w->n == pp->row && ++f->held == WN__RUN) end_run(pp, f, plan);
        return;
    }
    for (int64_t rows = w->nrows; rows > 0;) {
        if (f->held == 0) fill_lanes(f, WN__LANES * pp->row);
        int64_t lane = f->held % WN__LANES, m = WN__LANES - lane < rows ? WN__LANES - lane : rows;
        accumulate(f, plan, lane * pp->row, x, m * pp->row);
        x += m * pp->row * size;
        rows -= m;
        if ((f->held += m) == WN__RUN) end_run(pp, f, plan);
    }
}

static void end_columns(const wn__prepared *pp, wn__folder *f, const wn__fold_plan *plan) {
    const size_t step = (size_t)pp->row * plan->acc;
    char *last = NULL;
    if (f->held) end_run(pp, f, plan);
    for (int i = 0; f->runs >> i; i++) {
        if (!(f->runs >> i & 1)) continue;
        char *slot = f->slots + (size_t)i * step;
        if (last) f->p.k->merge[f->p.fold][f->p.elem](slot, last, pp->row);
        last = slot;
    }
    if (last) memcpy(plan->parts + (size_t)f->part * step, last, step);
    f->runs = 0;
}

/* ------------------------------------------------------------------ a worker's folds */

void wn__fold_step(wn__worker *w, const wn__step *s) {
    wn__folder *f = &w->folder[s->index];
    const wn__fold_plan *plan = &w->pp->folds[s->index];
    const char *x = w->reg[s->src[0]];
    switch ((wn__op_code)s->op) {
    case WN__OP_FOLD_ROW: fold_rows(w, f, s); break;
    case WN__OP_FOLD_PART: push_runs(f, x, w->n); break;
    case WN__OP_FOLD_END: fold_end(w, f, s); break;
    case WN__OP_FOLD_COLUMN: fold_columns(w, f, plan, x); break;
    default: fold_all(f, plan, x, w->n); break;
    }
}

static size_t room_of(const wn__prepared *pp, const wn__fold_plan *f) {
    if (f->in->space == WN__COLUMN) return (size_t)(WN__LANES + f->levels) * (((size_t)pp->row * f->acc + 63) & ~(size_t)63);
    if (f->in->space == WN__ALL) return 0;
    return (((size_t)pp->tile * 8 + 63) & ~(size_t)63) + (short_rows(pp, f) ? WN__COL_WORK : 0);
}

size_t wn__folds_bytes(const wn__prepared *pp) {
    size_t bytes = (size_t)pp->nfolds * sizeof(wn__folder);
    for (int i = 0; i < pp->nfolds; i++) bytes += room_of(pp, &pp->folds[i]);
    return bytes;
}

void wn__folds_start(wn__worker *w, char *room) {
    const wn__prepared *pp = w->pp;
    w->folder = (wn__folder *)(void *)room;
    room += (size_t)pp->nfolds * sizeof(wn__folder);
    for (int i = 0; i < pp->nfolds; i++) {
        const wn__fold_plan *plan = &pp->folds[i];
        wn__folder *f = &w->folder[i];
        wn__fold_describe(pp, plan, &f->r, &f->p);
        f->counter.runs = 0;
        f->held = 0;
        f->runs = 0;
        f->out = f->lanes = room;
        f->slots = room + WN__LANES * (size_t)pp->row * plan->acc;
        f->work = short_rows(pp, plan) ? room + (((size_t)pp->tile * 8 + 63) & ~(size_t)63) : NULL;
        room += room_of(pp, plan);
    }
}

void wn__folds_unit(wn__worker *w, int64_t begin) {
    const wn__prepared *pp = w->pp;
    for (int i = 0; i < pp->nfolds; i++) {
        const wn__fold_plan *plan = &pp->folds[i];
        if (plan->in->space == WN__ROW) continue;
        int64_t at = plan->in->space == WN__COLUMN ? begin / pp->row : begin;
        w->folder[i].part = at / (plan->in->space == WN__COLUMN ? plan->chunk : plan->chunk * WN__RUN);
    }
}

void wn__folds_unit_end(wn__worker *w) {
    const wn__prepared *pp = w->pp;
    for (int i = 0; i < pp->nfolds; i++) {
        if (pp->folds[i].in->space == WN__ALL) end_all(&w->folder[i], &pp->folds[i]);
        if (pp->folds[i].in->space == WN__COLUMN) end_columns(pp, &w->folder[i], &pp->folds[i]);
    }
}
