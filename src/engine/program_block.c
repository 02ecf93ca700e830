/* Running the steps of a program on one block. */
#include "base/level.h"
#include "engine/program_impl.h"
#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/counters.h"

WN__DECLARE_LEVELS(wn__block_kernels, wn__block_kernels);
const wn__block_kernels *wn__block_now(void) { return WN__OF_LEVEL(wn__block_kernels); }

/* ------------------------------------------------------------------ a worker */

void wn__load_once(const wn__prepared *pp, char *scratch) {
    for (int i = 0; i < pp->nonce; i++) {
        int r = pp->once[i];
        const wn__view *v = &pp->leaf[r];
        wn__ct ct = (wn__ct)pp->ct[r];
        size_t offset = pp->offset[r];
        for (int k = 0; k < pp->nmoving; k++)
            if (pp->moving[k].reg == r) offset = pp->moving[k].offset;
        char *to = scratch + offset;
        if (v->l->constant) pp->bk->splat(wn__ct_size(ct), 1, pp->block, to, v->l->base);
        else if (v->reach == WN__FLAT) pp->k->load[ct][v->l->dtype](pp->block, to, v->l->base, 0);
        else wn__view_load(pp, v, ct, 0, pp->walk == WN__STAGED ? pp->row : pp->block, to);
    }
}

bool wn__worker_start(wn__worker *w, const wn__prepared *pp, int slot) {
    WN_ASSERT(pp->nregs >= 0 && pp->nregs <= WN__MAX_REGS);
    w->pp = pp;
    w->turn = 0;
    w->scratch = pp->bytes ? wn__scratch(slot, pp->bytes) : NULL;
    if (!w->scratch) return false;
    for (int r = 0; r < pp->nregs; r++)
        if (pp->offset[r] != WN__NOWHERE) w->reg[r] = w->scratch + pp->offset[r];
    if (pp->guarded) memset(w->ran, 0, sizeof w->ran);
    return true;
}

/* Prefetches the next block but one into L2 while this one is computed: many streams in turn, half a page each, are
 * more than the hardware predicts. */
static inline void fetch(const char *p, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(p + i, 0, 2);
}

/* Sets the places of moving registers for the block that begins at element `in_row` of its row. */
void wn__block_move(wn__worker *w, int64_t in_row) {
    const wn__prepared *pp = w->pp;
    for (const wn__moving *m = pp->moving, *end = m + pp->nmoving; m < end; m++) {
        char *base = m->base ? m->base : w->scratch + m->offset;
        int64_t left;
        switch ((wn__motion)m->motion) {
        case WN__BY_ELEMENT:
            w->reg[m->reg] = base + w->begin * m->step;
            if (pp->fetch) fetch(base + (w->begin + 2 * w->n) * m->step, w->n * m->step);
            break;
        case WN__BY_ROW: w->reg[m->reg] = base + w->row0 * m->step; break;
        case WN__IN_ROW: w->reg[m->reg] = base + in_row * m->step; break;
        case WN__BY_SEEK: w->reg[m->reg] = wn__view_seek(m->view, w->begin, &left); break;
        }
    }
}

/* ------------------------------------------------------------------ conversions */

/* Rounds values as if they had been stored in a narrower dtype and loaded again. */
static void round_to(const wn__worker *w, int dtype, int from_ct, int ct, int64_t n, char *dst, const char *src) {
    const wn__prepared *pp = w->pp;
    const wn__store store = pp->k->store[from_ct][dtype];
    const wn__load load = pp->k->load[ct][dtype];
    const int64_t size = (int64_t)wn__dtype_size(dtype), in = (int64_t)wn__ct_size((wn__ct)from_ct), out = (int64_t)wn__ct_size((wn__ct)ct);
    char *room = w->scratch + pp->round_at;
    for (int64_t i = 0; i < n; i += WN__BLOCK) {
        int64_t m = n - i < WN__BLOCK ? n - i : WN__BLOCK;
        store(m, room, size, src + i * in);
        load(m, dst + i * out, room, size);
    }
}

static void convert(const wn__worker *w, const wn__step *s, int64_t n) {
    int from = w->pp->ct[s->src[0]];
    if (s->round) round_to(w, s->round, from, s->ct, n, w->reg[s->dst], w->reg[s->src[0]]);
    else w->pp->k->load[s->ct][wn__form_of(from)](n, w->reg[s->dst], w->reg[s->src[0]], (int64_t)wn__ct_size((wn__ct)from));
}

static void load(wn__worker *w, const wn__step *s) {
    const wn__prepared *pp = w->pp;
    const wn__view *v = &pp->leaf[s->index];
    int64_t begin = s->rows ? w->row0 : w->begin, n = s->rows ? w->nrows : w->n;
    if (v->ready && v->reach == WN__PIECES && !s->src[0]) { /* perhaps it can be read in place */
        int64_t left;
        char *at = wn__view_seek(v, begin, &left);
        w->reg[s->dst] = left >= n ? at : w->scratch + pp->offset[s->dst];
        if (left >= n) return;
    }
    wn__view_load(pp, v, (wn__ct)s->ct, begin, n, w->reg[s->dst]);
}

static void store(wn__worker *w, const wn__step *s) {
    const wn__prepared *pp = w->pp;
    const char *from = w->reg[s->src[0]];
    if (pp->walk == WN__PIECEWISE && s->index == 0) {
        if (from != w->data) memmove(w->data, from, (size_t)w->n * wn__ct_size((wn__ct)s->ct));
        return;
    }
    wn__view_store(pp, &pp->out[s->index], (wn__ct)s->ct, s->rows ? w->row0 : w->begin, s->rows ? w->nrows : w->n, from);
}

static void splat(wn__worker *w, const wn__step *s) {
    const wn__prepared *pp = w->pp;
    size_t size = wn__ct_size((wn__ct)s->ct);
    if (pp->walk == WN__TILES) pp->bk->splat(size, w->nrows, pp->row, w->reg[s->dst], w->reg[s->src[0]]);
    else pp->bk->splat(size, 1, pp->walk == WN__STAGED ? pp->block : w->n, w->reg[s->dst], w->reg[s->src[0]]);
}

/* ------------------------------------------------------------------ guards */

static uint64_t *bits_of(const wn__worker *w, int guard) {
    return (uint64_t *)(void *)(w->scratch + w->pp->bits_at + (size_t)guard * w->pp->bits_step);
}

/* What compacting costs in tenths of ns, for each element that counts and each block. Hostile builds always compact. */
#if defined(WN_HOSTILE) && WN_HOSTILE
enum { COMPACT_ELEMENT = 0, COMPACT_BLOCK = -1 };
#else
enum { COMPACT_ELEMENT = 30, COMPACT_BLOCK = 1500 };
#endif
static void scan(wn__worker *w, const wn__step *s) {
    const wn__prepared *pp = w->pp;
    int g = s->index;
    int64_t n = w->n_at[s->level];
    int64_t c = pp->bk->scan((const uint8_t *)w->reg[s->src[0]], n, pp->p->guards[g - 1].polarity, bits_of(w, g));
    if (c == 0) {
        w->state[g] = WN__G_NONE;
    } else if (c < n && pp->guard_cost[g] * (n - c) > COMPACT_ELEMENT * c + COMPACT_BLOCK) {
        w->state[g] = WN__G_COMPACT;
    } else {
        w->state[g] = WN__G_STRAIGHT;
        c = n;
    }
    w->n_at[g] = c;
    w->ran[g] += c;
}

static void gather(wn__worker *w, const wn__step *s) {
    if (w->state[s->index] == WN__G_STRAIGHT) {
        w->reg[s->dst] = w->reg[s->src[0]];
        return;
    }
    w->reg[s->dst] = w->scratch + w->pp->offset[s->dst];
    w->pp->bk->gather(wn__ct_size((wn__ct)s->ct), w->n_at[w->pp->parent[s->index]], bits_of(w, s->index), w->reg[s->dst], w->reg[s->src[0]]);
}

static void select_sides(wn__worker *w, const wn__step *s, int64_t n) {
    enum { HERE = WN__G_STRAIGHT };
    size_t size = wn__ct_size((wn__ct)s->ct);
    char *dst = w->reg[s->dst];
    const void *src[3] = {w->reg[s->src[0]], w->reg[s->src[1]], w->reg[s->src[2]]};
    int yes = s->src[3] ? w->state[s->src[3]] : HERE, no = s->src[4] ? w->state[s->src[4]] : HERE;
    if (yes == HERE && no == HERE) {
        s->fn(n, dst, src);
        return;
    }
    const void *dense = yes == HERE && no != HERE ? src[1] : no == HERE ? src[2] : NULL;
    if (dense && dense != dst) memcpy(dst, dense, (size_t)n * size);
    if (yes == WN__G_COMPACT) w->pp->bk->scatter(size, n, bits_of(w, s->src[3]), dst, src[1]);
    if (no == WN__G_COMPACT) w->pp->bk->scatter(size, n, bits_of(w, s->src[4]), dst, src[2]);
}

/* ------------------------------------------------------------------ the steps of a block */

static inline void kernel(const wn__worker *w, const wn__step *s, int64_t n) {
    const void *src[WN__MAX_SRC] = {w->reg[s->src[0]], w->reg[s->src[1]], w->reg[s->src[2]]};
    for (int k = 3; k < s->nsrc; k++) src[k] = w->reg[s->src[k]];
    s->fn(n, w->reg[s->dst], src);
}

static void make(const wn__worker *w, const wn__step *s) {
    const wn__instr *in = &w->pp->p->instrs[s->index];
    in->make(in->ctx, w->begin, w->n, w->reg[s->dst]);
}

static void other(wn__worker *w, const wn__step *s, int64_t n) {
    switch ((wn__op_code)s->op) {
    case WN__OP_KERNEL: kernel(w, s, n); break;
    case WN__OP_CONVERT: convert(w, s, n); return;
    case WN__OP_LOAD: load(w, s); return;
    case WN__OP_STORE: store(w, s); return;
    case WN__OP_SPLAT: splat(w, s); return;
    case WN__OP_SCAN: scan(w, s); return;
    case WN__OP_GATHER: gather(w, s); return;
    case WN__OP_SELECT: select_sides(w, s, n); break;
    case WN__OP_RANDOM: make(w, s); return;
    default: wn__fold_step(w, s); return;
    }
    if (s->round) round_to(w, s->round, s->ct, s->ct, n, w->reg[s->dst], w->reg[s->dst]);
}

static void start_guards(wn__worker *w) {
    memset(w->state, WN__G_NONE, sizeof w->state);
    w->state[0] = WN__G_STRAIGHT;
    w->n_at[0] = w->n;
}

static void run_guarded(wn__worker *w, const wn__step *s, const wn__step *end) {
    start_guards(w);
    for (; s < end; s++)
        if (w->state[s->when] != WN__G_NONE) other(w, s, s->rows ? w->nrows : w->n_at[s->level]);
}

/* The instruction that a step computes, or -1. */
static int instr_of(const wn__prepared *pp, const wn__step *s) {
    const bool fold = s->op >= WN__OP_FOLD_ROW;
    if (!fold && s->op != WN__OP_KERNEL && s->op != WN__OP_CONVERT && s->op != WN__OP_SELECT && s->op != WN__OP_RANDOM) return -1;
    const int i = (fold ? pp->folds[s->index].reg : s->dst) - pp->p->nleaves;
    return i >= 0 && i < pp->p->ninstrs ? i : -1;
}

/* Times some blocks. Loads, and steps that bring a register into another form, count for the instruction that
 * follows. */
static void run_metered(wn__worker *w, const wn__step *s, const wn__step *end) {
    enum { EVERY = 8 };
    wn__meter *m = w->pp->meter;
    const bool timed = w->turn++ % EVERY == 0;
    int64_t last = timed ? wn__now_ns() : 0;
    start_guards(w);
    for (; s < end; s++) {
        if (w->state[s->when] == WN__G_NONE) continue;
        other(w, s, s->rows ? w->nrows : w->n_at[s->level]);
        const int i = timed ? instr_of(w->pp, s) : -1;
        if (i < 0) continue;
        const int64_t now = wn__now_ns();
        wn__meter_add(&m->ns[i], now - last);
        last = now;
    }
    wn__meter_add(&m->blocks, 1);
    wn__meter_add(&m->timed, timed);
}

void wn__block_run(wn__worker *w, const wn__step *s, const wn__step *end) {
    if (__builtin_expect(w->pp->meter != NULL, 0)) {
        run_metered(w, s, end);
        return;
    }
    if (w->pp->guarded) {
        run_guarded(w, s, end);
        return;
    }
    for (; s < end; s++) {
        int64_t n = s->rows ? w->nrows : w->n;
        if (s->op == WN__OP_KERNEL && !s->round) kernel(w, s, n);
        else other(w, s, n);
    }
}
