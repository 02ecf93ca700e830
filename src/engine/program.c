/* Running a program: how it is walked and shared among threads. program_prepare.c, program_steps.c, program_place.c and
 * program_guard.c make it ready. program_block.c runs a block, with program_layout.c and program_fold.c;
 * program_parts.c joins what workers have folded. Special programs: program_flat.c (single rows), program_chain.c
 * (several on halves), program_copy.c (copies), program_pieces.c (epilogues of contractions). */
#include "engine/program_impl.h"
#include "base/alloc.h"
#include "base/counters.h"
#include "base/threads.h"

_Atomic int64_t wn__instr_elements, wn__instr_elements_skipped;
__thread wn__meter *wn__meter_now;

/* ------------------------------------------------------------------ blocks */

static void run_blocks(wn__worker *w, int64_t begin, int64_t end) {
    const wn__prepared *pp = w->pp;
    const wn__step *steps = pp->steps, *last = steps + pp->nsteps;
    for (; begin < end; begin += w->n) {
        w->begin = begin;
        w->n = end - begin < pp->block ? end - begin : pp->block;
        wn__block_move(w, 0);
        wn__block_run(w, steps, last);
    }
}

static void run_tiles(wn__worker *w, int64_t begin, int64_t end) {
    const wn__prepared *pp = w->pp;
    const wn__step *steps = pp->steps, *last = steps + pp->nsteps;
    for (; begin < end; begin += w->nrows) {
        w->row0 = begin;
        w->nrows = end - begin < pp->tile ? end - begin : pp->tile;
        w->begin = begin * pp->row;
        w->n = w->nrows * pp->row;
        wn__block_move(w, 0);
        wn__block_run(w, steps, last);
    }
}

/* One long row, stage by stage: first what has one value for the row, then block by block. */
static void run_row(wn__worker *w, int64_t row) {
    const wn__prepared *pp = w->pp;
    w->row0 = row;
    w->nrows = 1;
    for (int stage = 0; stage < pp->nstages; stage++) {
        const wn__step *once = pp->steps + pp->stage_at[2 * stage], *blocks = pp->steps + pp->stage_at[2 * stage + 1];
        const wn__step *end = pp->steps + pp->stage_at[2 * stage + 2];
        w->begin = row * pp->row;
        w->n = pp->block;
        if (once < blocks) {
            wn__block_move(w, 0);
            wn__block_run(w, once, blocks);
        }
        for (int64_t at = 0; blocks < end && at < pp->row; at += w->n) {
            w->begin = row * pp->row + at;
            w->n = pp->row - at < pp->block ? pp->row - at : pp->block;
            wn__block_move(w, at);
            wn__block_run(w, blocks, end);
        }
    }
}

static void run_unit(wn__worker *w, int64_t begin, int64_t end) {
    const wn__prepared *pp = w->pp;
    if (pp->nfolds) wn__folds_unit(w, begin);
    if (pp->walk == WN__BLOCKS) {
        run_blocks(w, begin, end);
    } else if (pp->walk == WN__TILES) {
        run_tiles(w, begin / pp->row, end / pp->row);
    } else {
        for (int64_t row = begin / pp->row; row < end / pp->row; row++) run_row(w, row);
    }
    if (pp->nfolds) wn__folds_unit_end(w);
}

/* ------------------------------------------------------------------ counting what was done */

/* Counts guarded instructions, by how many of this worker's elements their guards wanted. */
static void count_guarded(const wn__worker *w, int64_t elements) {
    const wn__prepared *pp = w->pp;
    int64_t ran = 0, skipped = 0;
    for (int g = 1; g <= pp->p->nguards; g++) {
        ran += pp->guard_instrs[g] * w->ran[g];
        skipped += pp->guard_instrs[g] * (elements - w->ran[g]);
    }
    atomic_fetch_add_explicit(&wn__instr_elements, ran, memory_order_relaxed);
    atomic_fetch_add_explicit(&wn__instr_elements_skipped, skipped, memory_order_relaxed);
    atomic_fetch_add_explicit(&wn__elements_computed, ran, memory_order_relaxed);
    for (int i = 0; pp->meter && i < pp->p->ninstrs; i++) {
        const int g = pp->level[pp->p->nleaves + i];
        if (!g) continue;
        wn__meter_add(&pp->meter->ran[i], w->ran[g]);
        wn__meter_add(&pp->meter->skipped[i], elements - w->ran[g]);
    }
}

static void count(int64_t n) {
    atomic_fetch_add_explicit(&wn__instr_elements, n, memory_order_relaxed);
    atomic_fetch_add_explicit(&wn__programs_run, 1, memory_order_relaxed);
    if (wn__meter_now) atomic_fetch_add_explicit(&wn__elements_computed, n, memory_order_relaxed);
    else wn__count(n);
}

void wn__program_count(int64_t n, int ninstrs) {
    count(n);
    for (int i = 0; wn__meter_now && i < ninstrs; i++) wn__meter_add(&wn__meter_now->ran[i], n / ninstrs);
}

void wn__programs_joined(int64_t n) { atomic_fetch_sub_explicit(&wn__programs_run, n - 1, memory_order_relaxed); }

static void count_program(const wn__prepared *pp) {
    const wn__program *p = pp->p;
    int64_t n = 0;
    for (int i = 0; i < p->ninstrs; i++) {
        if (pp->level[p->nleaves + i]) continue;
        const int64_t all = pp->decided ? pp->looked_at : p->numel;
        const int64_t each = p->instrs[i].space == WN__ROW && p->instrs[i].what != WN__DO_FOLD ? pp->rows : all;
        if (pp->meter) wn__meter_add(&pp->meter->ran[i], each);
        n += each;
    }
    count(n);
}

/* ------------------------------------------------------------------ threads */

static void program_task(void *ctx, int64_t begin, int64_t end) {
    wn__prepared *pp = ctx;
    wn__worker w;
    char *folds = NULL;
    if (!wn__worker_start(&w, pp, 0) || (pp->nfolds && !(folds = wn__scratch(1, pp->fold_bytes)))) {
        __atomic_store_n(&pp->failed, true, __ATOMIC_RELAXED);
        return;
    }
    wn__load_once(pp, w.scratch);
    if (folds) wn__folds_start(&w, folds);
    const int64_t numel = pp->p->numel, first = begin * pp->unit, last = numel - first < (end - begin) * pp->unit ? numel : end * pp->unit;
    const bool decidable = pp->nfolds && wn__folds_decidable(pp);
    int64_t at = first;
    for (; at < last && !(decidable && __atomic_load_n(&pp->decided, __ATOMIC_RELAXED)); at += pp->unit) {
        const int64_t end_of_unit = last - at < pp->unit ? last : at + pp->unit;
        run_unit(&w, at, end_of_unit);
        if (decidable && wn__folds_decided(pp, at, end_of_unit - at)) __atomic_store_n(&pp->decided, true, __ATOMIC_RELAXED);
    }
    if (decidable) atomic_fetch_add_explicit(&pp->looked_at, (at < last ? at : last) - first, memory_order_relaxed);
    if (pp->guarded) count_guarded(&w, (at < last ? at : last) - first);
}

/* How many elements give a worker some 20 us of work. */
static int64_t enough(const wn__prepared *pp) {
    const wn__program *p = pp->p;
    int64_t cost = 2 + p->nleaves + 2 * p->noutputs;
    for (int i = 0; i < p->ninstrs; i++) cost += p->instrs[i].space == WN__ROW && p->instrs[i].what != WN__DO_FOLD ? 0 : p->instrs[i].cost;
    return 200000 / cost;
}

static bool run_prepared(wn__prepared *pp) {
    bool ok = wn__folds_cut(pp, enough(pp));
    pp->decided = false;
    atomic_init(&pp->looked_at, 0);
    /* Scratch memory is asked for here first, so that most failures show before anything is written. */
    ok = ok && wn__scratch(0, pp->bytes) && (!pp->nfolds || wn__scratch(1, pp->fold_bytes));
    ok = ok && (!pp->p->numel || wn__parallel_fresh((pp->p->numel + pp->unit - 1) / pp->unit, 1, program_task, pp)) && !pp->failed;
    if (ok) wn__folds_finish(pp);
    wn__folds_free(pp);
    if (ok) count_program(pp);
    return ok;
}

static bool run_straight(wn__program *p) {
    wn__flat flat;
    if (wn__flat_of(p, &flat)) return wn__flat_run(p, &flat);
    wn__chain chain;
    if (wn__chain_of(p, &chain)) return wn__chain_run(p, &chain);
    wn__reduction fold;
    if (wn__flat_fold(p, &fold)) {
        if (wn__reduce(&fold) != WN__REDUCE_OK) return false;
        wn__program_count(p->numel, p->ninstrs);
        return true;
    }
    wn__prepared pp;
    wn__fold_plan folds[WN__MAX_INSTRS];
    wn__prepare(&pp, p, false, folds);
    return run_prepared(&pp);
}

bool wn__program_run(wn__program *p) {
    WN_ASSERT_ALL(wn__program_assert(p));
    bool ok;
    if (wn__copy_run(p, &ok)) return ok;
    if (!wn__has_across(p)) return run_straight(p);
    if (wn__banded_run(p, run_straight, &ok)) return ok;
    wn__straightened s;
    if (!wn__straighten(p, &s)) return false;
    ok = run_straight(p);
    wn__straightened_end(p, &s);
    return ok;
}

/* ------------------------------------------------------------------ kept ready */

struct wn__ready {
    wn__program p;
    wn__flat flat; /* if it has no fn: */
    wn__chain chain; /* if this is empty, too: pp is prepared */
    wn__prepared pp;
};

wn__ready *wn__ready_new(const wn__program *p) {
    WN_ASSERT_ALL(wn__program_assert(p));
    for (int i = 0; i < p->ninstrs; i++)
        if (p->instrs[i].what == WN__DO_FOLD || p->instrs[i].what == WN__DO_RANDOM) return NULL;
    if (wn__has_across(p)) return NULL;
    wn__ready *r = wn__realloc(NULL, 1, sizeof *r); /* not zeroed: it is large, and much of it stays unused */
    if (!r) return NULL;
    r->p = *p;
    if (!wn__flat_of(p, &r->flat) && !wn__chain_of(p, &r->chain)) wn__prepare(&r->pp, &r->p, false, NULL);
    return r;
}

wn__program *wn__ready_program(wn__ready *r) { return &r->p; }

bool wn__ready_run(wn__ready *r) {
    WN_ASSERT_ALL(wn__program_assert(&r->p));
    wn__prepared *pp = &r->pp;
    bool ok;
    if (wn__copy_run(&r->p, &ok)) return ok;
    if (r->flat.fn) return wn__flat_run(&r->p, &r->flat);
    if (r->chain.n) return wn__chain_run(&r->p, &r->chain);
    for (int i = 0; i < pp->nmoving; i++)
        if (pp->moving[i].leaf) pp->moving[i].base = pp->moving[i].leaf->base;
    pp->failed = false;
    return run_prepared(pp);
}

void wn__ready_free(wn__ready *r) { wn__free(r); }
