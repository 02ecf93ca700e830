/* Programs of one instruction that are better done by loops over memory than by blocks. First, rows of the table, if in
 * rows of memory each operand and the result lie side by side or are one value: f16, bf16 and narrow integers have
 * kernels of their own, whose wider numbers never leave the registers. Second, folds of flat memory, which the kernels
 * of immediate reductions read in place, four rows at a time. The bits are the blocks'. */
#include "base/odometer.h"
#include "engine/program_impl.h"
#include "base/threads.h"
#include "engine/reduction.h"

/* ------------------------------------------------------------------ rows of elements */

/* The kernel of fn's row for the narrow type `dtype`; n: how many of the first operands are tensors. */
static wn__kernel narrow_kernel(wn__kernel fn, int dtype, int n) {
    const int type = dtype == WN_I8 ? 0 : dtype == WN_I16 ? 1 : dtype == WN_U8 ? 2 : -1;
    const wn__kernels *k = wn__kernels_now();
    for (int r = 0; type >= 0 && n <= WN__NARROW_MOST && r < k->nnarrows; r++)
        if (k->narrows[r].fn == fn) return k->narrows[r].of[type][n - 1];
    return NULL;
}

wn__kernel wn__half_kernel(wn__kernel fn, int dtype, int n) {
    const wn__kernels *k = wn__kernels_now();
    for (int r = 0; n <= WN__HALF_MOST && r < k->nrows; r++)
        if (k->rows[r][WN__CT_F32] == fn) return dtype == WN_BF16 ? k->halves[r].bf16[n] : k->halves[r].f16[n];
    return NULL;
}

static bool reads_nothing(wn__kernel fn) {
    const wn__kernels *k = wn__kernels_now();
    for (int i = 0; i < k->nconstants; i++)
        if (k->constants[i] == fn) return true;
    return false;
}

/* Can fn load its operands in its own type? Unoptimised, it loads even those that it makes nothing of. */
static bool wide_enough(const wn__program *p, const wn__flat *f) {
    for (int i = 0; i < f->nsrc; i++) {
        const wn__leaf *l = &p->leaves[f->src[i].leaf];
        if (wn__dtype_size(l->dtype) < wn__ct_size((wn__ct)l->ct)) return false;
    }
    return true;
}

/* The length of rows in which the result and each operand lie side by side or have one value; 0: there are none. */
static int64_t row_of(const wn__program *p) {
    const wn__leaf *to = &p->outputs[0].to;
    int64_t row = p->numel;
    bool values = false; /* there are values for whole rows of the program */
    for (int i = 0; i <= p->nleaves; i++) {
        const wn__leaf *l = i < p->nleaves ? &p->leaves[i] : to;
        if (l->constant) continue;
        if (!l->base || (l->space != WN__FULL && (l == to || l->space != WN__ROW))) return 0;
        values |= l->space == WN__ROW;
        const int64_t size = l->space == WN__ROW ? p->row : l->ndim ? l->shape[l->ndim - 1] : 1;
        if (size < row) row = size;
    }
    for (int i = 0; i <= p->nleaves; i++) {
        const wn__leaf *l = i < p->nleaves ? &p->leaves[i] : to;
        if (!l->constant && l->space == WN__FULL && (l->ndim ? l->shape[l->ndim - 1] : 1) % row) return 0;
    }
    return values && row != p->row ? 0 : row;
}

/* Finds which sources lie side by side and which are single. False: some are neither. */
static bool sources(const wn__program *p, const wn__instr *in, wn__flat *f) {
    const wn__kernels *k = wn__kernels_now();
    f->nsrc = in->nsrc;
    for (int i = 0; i < in->nsrc; i++) {
        if (in->src[i] >= p->nleaves) return false;
        const wn__leaf *l = &p->leaves[in->src[i]];
        struct wn__flat_source *s = &f->src[i];
        *s = (struct wn__flat_source){.leaf = in->src[i], .size = (uint8_t)wn__dtype_size((wn_dtype)l->dtype)};
        s->single = l->constant || l->space == WN__ROW || l->ndim == 0 || l->strides[l->ndim - 1] == 0;
        if (!s->single && l->strides[l->ndim - 1] != s->size) return false;
        if (s->single && !l->constant && !wn__is_register_form(l->dtype, (wn__ct)l->ct)) s->load = k->load[l->ct][l->dtype];
    }
    return true;
}

/* Blocks do shorter rows together, unless they must copy an operand for that, or rows are whole vectors. */
static bool long_enough(const wn__program *p, const wn__flat *f) {
    enum { LEAST = 16, LEAST_BYTES = 256, VECTOR = 64 };
    const int64_t bytes = f->row * (int64_t)wn__ct_size((wn__ct)p->leaves[f->src[0].leaf].ct);
    if (f->row == p->numel || bytes >= LEAST_BYTES) return true;
    bool pieces = false;
    for (int i = 0; i < f->nsrc; i++) {
        const wn__leaf *l = &p->leaves[f->src[i].leaf];
        pieces |= !f->src[i].single && l->ndim > 1 && l->strides[0] != 0;
    }
    return f->row >= LEAST && (pieces || bytes % VECTOR == 0);
}

/* Does a single operand fit the narrow dtype? In place it may be wider: uint8.fmod_(int8[1]) computes in int16. */
static bool fits(const wn__leaf *l, int dtype) {
    return l->constant || l->dtype == dtype || l->dtype == WN_BOOL || (dtype == WN_I16 && (l->dtype == WN_I8 || l->dtype == WN_U8));
}

/* With three or more operands, one a value for each row, and no kernel for that: may it be repeated in a buffer? */
static bool spreads(const wn__program *p, const wn__instr *in, const wn__flat *f, int n) {
    enum { LEAST = 512 }; /* shorter rows are better done in blocks, several at a time */
    bool values = false;
    if (f->nsrc < 3 || n < 2 || f->row < LEAST || f->row == p->numel) return false;
    if (!wn__is_register_form(p->outputs[0].to.dtype, (wn__ct)in->ct)) return false;
    for (int i = 0; i < f->nsrc; i++) {
        const wn__leaf *l = &p->leaves[f->src[i].leaf];
        if (!f->src[i].single && !wn__is_register_form(l->dtype, (wn__ct)l->ct)) return false;
        values |= f->src[i].single && !l->constant;
    }
    return values;
}

/* The kernel for the sources, which may reorder them. */
static wn__kernel kernel_of(const wn__program *p, const wn__instr *in, wn__flat *f) {
    int n = f->nsrc, dtype = -1;
    while (n > 0 && f->src[n - 1].single) n--;
    if (spreads(p, in, f, n)) {
        f->spread = true;
        return in->fn;
    }
    const bool exchanged = n == 2 && f->nsrc == 2 && f->src[0].single;
    bool plain = wn__is_register_form(p->outputs[0].to.dtype, (wn__ct)in->ct);
    for (int i = 0; i < n; i++) {
        const wn__leaf *l = &p->leaves[f->src[i].leaf];
        if (f->src[i].single && !exchanged) return NULL;
        plain &= f->src[i].single || wn__is_register_form(l->dtype, (wn__ct)l->ct);
        if (f->src[i].single || (l->ct == WN__CT_B8 && l->dtype == WN_BOOL)) continue; /* masks fit every kernel */
        if (dtype >= 0 && dtype != l->dtype) dtype = WN__DTYPES;
        else dtype = l->dtype;
    }
    if (n == 0) return NULL;
    if (exchanged) {
        const struct wn__flat_source swap = f->src[0];
        f->src[0] = f->src[1], f->src[1] = swap;
    }
    if (!plain && n == f->nsrc && wide_enough(p, f) && reads_nothing(in->fn)) return in->fn;
    if (plain) return n == f->nsrc && !exchanged ? in->fn : n == 1 || exchanged ? wn__single_of(in->fn, exchanged) : NULL;
    const int to = p->outputs[0].to.dtype;
    if (exchanged || dtype < 0 || (to != dtype && to != WN_BOOL)) return NULL;
    if (dtype == WN_F16 || dtype == WN_BF16) return in->ct == WN__CT_F32 ? wn__half_kernel(in->fn, dtype, n) : NULL;
    for (int i = n; i < f->nsrc; i++)
        if (!fits(&p->leaves[f->src[i].leaf], dtype)) return NULL;
    f->run = WN__NARROW_RUN;
    return narrow_kernel(in->fn, dtype, n);
}

/* Short rows that an operand repeats, or has a value for, are joined to a *chunk* for the kernel; the operand is read
 * from a buffer in which it is repeated. In a *period* every operand is one such row or lies side by side. */
/* Bytes: of a chunk; of a short row, twice as much if it is not whole vectors; of a short row of narrow integers. */
enum { CHUNK = 4096, SHORT = 256, SHORT_NARROW = 2048, VECTOR = 32 };
static int64_t period_of(const wn__program *p, wn__flat *f) {
    int64_t period = p->numel;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < f->nsrc; k++) {
            struct wn__flat_source *s = &f->src[k];
            const wn__leaf *l = &p->leaves[s->leaf];
            const int last = l->ndim - 1;
            if (l->constant) continue;
            if (l->space != WN__FULL || last < 0) return 0;
            s->column = last == 1 && l->strides[1] == 0 && l->strides[0] == s->size && l->shape[1] == f->row;
            s->again = last > 0 && l->strides[last] == s->size && l->strides[last - 1] == 0 && l->shape[last] == f->row;
            if (s->column) continue;
            if (l->strides[last] != s->size) return 0;
            const int64_t same = s->again ? l->shape[last - 1] * f->row : l->shape[last];
            if (same < period) period = same;
            if (same % period) return 0;
        }
    return period;
}

static bool in_chunks(const wn__program *p, wn__flat *f) {
    enum { LEAST = 256 }; /* bytes */
    int64_t most = 1;
    bool again = false, column = false;
    if (p->outputs[0].to.ndim != 1 || f->nsrc < 2 || !(f->period = period_of(p, f))) return false;
    for (int k = 0; k < f->nsrc; k++) {
        struct wn__flat_source *s = &f->src[k];
        if (p->leaves[s->leaf].constant) continue;
        if (s->column) s->single = false, s->load = NULL;
        again |= s->again;
        column |= s->column;
        if (s->size > most) most = s->size;
    }
    const int64_t part = f->period * most / (f->period < p->numel ? 4 : 8), room = (part < CHUNK ? part : CHUNK) / most;
    f->chunk = room - room % f->row;
    const bool narrow = most < 4, is_short = f->row * most < (narrow ? SHORT_NARROW >> column : f->row * most % VECTOR || f->period < p->numel ? 2 * SHORT : SHORT);
    return is_short && f->chunk >= 2 * f->row && (f->period == p->numel || f->chunk * most >= LEAST) && (narrow ? again || column : again && !column);
}

bool wn__flat_of(const wn__program *p, wn__flat *f) {
    *f = (wn__flat){.fn = NULL};
    if (p->ninstrs != 1 || p->noutputs != 1 || p->nguards || !p->numel) return false;
    const wn__instr *in = &p->instrs[0];
    const wn__leaf *to = &p->outputs[0].to;
    if (in->what != WN__DO_KERNEL || in->space != WN__FULL || p->outputs[0].src != p->nleaves || in->dtype != to->dtype) return false;
    if (!to->ndim || to->strides[to->ndim - 1] != (int64_t)wn__dtype_size((wn_dtype)to->dtype)) return false;
    f->row = row_of(p);
    if (!f->row || !sources(p, in, f)) return false;
    if (in_chunks(p, f) && (f->fn = kernel_of(p, in, f))) return true;
    f->chunk = f->run = 0;
    if (!sources(p, in, f) || !long_enough(p, f)) return false;
    f->fn = kernel_of(p, in, f);
    if (f->run && f->row < 4 * f->run && f->row != p->numel) f->fn = NULL;
    return f->fn;
}

/* ------------------------------------------------------------------ running */

/* A walk over an operand's rows. */
typedef struct cursor {
    char *at;
    int64_t bytes, left; /* distance to the next row; rows left in the dimension that they lie along */
    const wn__leaf *l;
    int64_t rows, index[WN_MAX_DIMS]; /* rows in that dimension; position in the outer ones */
    int around;                       /* the first of the outer ones */
} cursor;

static void seek(cursor *c, const wn__leaf *l, int64_t row, int64_t number) {
    int last = l->constant ? -1 : l->ndim - 1;
    *c = (cursor){.at = l->base, .l = l, .left = INT64_MAX};
    if (last < 0) return;
    const int64_t step = l->space == WN__ROW ? 1 : row;
    c->rows = l->shape[last] / step;
    c->bytes = step * l->strides[last];
    if (c->rows == 1 && last > 0) {
        c->rows = l->shape[--last];
        c->bytes = l->strides[last];
    }
    c->around = last - 1;
    c->left = c->rows - number % c->rows;
    c->at += number % c->rows * c->bytes;
    number /= c->rows;
    for (int d = last - 1; d >= 0; d--) {
        c->index[d] = number % l->shape[d];
        c->at += c->index[d] * l->strides[d];
        number /= l->shape[d];
    }
}

static void next_line(cursor *c) {
    const wn__leaf *l = c->l;
    c->left = c->rows;
    c->at -= c->rows * c->bytes;
    c->at += wn__odometer_step(c->around, l->shape, l->strides, c->index);
}

static inline void advance(cursor *c, int64_t rows) { /* not beyond the dimension's end */
    c->at += rows * c->bytes;
    if ((c->left -= rows) == 0) next_line(c);
}

/* n elements by a kernel that takes whole runs. The last ones are computed again together with some before them, or, if
 * those are overwritten or too few, in buffers of a run's length. */
static void run_whole(const wn__flat *f, int64_t n, char *out, int out_size, const void *const *in) {
    const int64_t rest = n % f->run, whole = n - rest;
    const void *last[WN__MAX_SRC];
    bool again = whole > 0;
    f->fn(whole, out, in);
    if (!rest) return;
    for (int k = 0; k < f->nsrc; k++) again &= in[k] != out;
    for (int k = 0; k < f->nsrc; k++) last[k] = f->src[k].single ? in[k] : (const char *)in[k] + (again ? n - f->run : whole) * f->src[k].size;
    if (again) {
        f->fn(f->run, out + (n - f->run) * out_size, last);
        return;
    }
    char room[WN__NARROW_MOST + 1][WN__NARROW_RUN * sizeof(int16_t)];
    for (int k = 0; k < f->nsrc; k++)
        if (!f->src[k].single) last[k] = memcpy(memset(room[k], 0, sizeof room[k]), last[k], (size_t)rest * f->src[k].size);
    f->fn(f->run, room[WN__NARROW_MOST], last);
    memcpy(out + whole * out_size, room[WN__NARROW_MOST], (size_t)(rest * out_size));
}

typedef struct program_flat_job {
    const wn__program *p;
    const wn__flat *f;
    int out_size;
} program_flat_job;

/* Computes n elements of a row, from its element `at` on. */
static void in_row(const program_flat_job *j, const cursor *from, const cursor *into, int64_t at, int64_t n) {
    const wn__flat *f = j->f;
    const void *in[WN__MAX_SRC];
    int64_t value[WN__MAX_SRC];
    for (int k = 0; k < f->nsrc; k++) {
        in[k] = f->src[k].single ? from[k].at : from[k].at + at * f->src[k].size;
        if (!f->src[k].load) continue;
        f->src[k].load(1, &value[k], from[k].at, 0);
        in[k] = &value[k];
    }
    char *out = into->at + at * j->out_size;
    if (f->run) run_whole(f, n, out, j->out_size, in);
    else f->fn(n, out, in);
}

enum { SPREAD = 512 }; /* how many times a value is repeated */
typedef struct spread_room {
    const char *from[WN__MAX_SRC]; /* the address of the value that is repeated there */
    int64_t value[WN__MAX_SRC][SPREAD];
} spread_room;

static void in_row_spread(const program_flat_job *j, const cursor *from, const cursor *into, int64_t at, int64_t n, spread_room *room) {
    const wn__flat *f = j->f;
    const wn__block_kernels *kernels = wn__block_now();
    for (int k = 0; k < f->nsrc; k++) {
        if (!f->src[k].single || room->from[k] == from[k].at) continue;
        int64_t value;
        if (f->src[k].load) f->src[k].load(1, &value, from[k].at, 0);
        kernels->splat(wn__ct_size((wn__ct)from[k].l->ct), 1, f->row < SPREAD ? f->row : SPREAD, room->value[k], f->src[k].load ? (const void *)&value : from[k].at);
        room->from[k] = from[k].at;
    }
    for (int64_t end = at + n, m; at < end; at += m) {
        const void *in[WN__MAX_SRC];
        m = end - at < SPREAD ? end - at : SPREAD;
        for (int k = 0; k < f->nsrc; k++) in[k] = f->src[k].single ? (const char *)room->value[k] : from[k].at + at * f->src[k].size;
        f->fn(m, into->at + at * j->out_size, in);
    }
}

/* Computes whole rows that all cursors reach by their steps. */
static void whole_rows(const program_flat_job *j, const cursor *from, const cursor *into, int64_t rows) {
    const wn__flat *f = j->f;
    const int nsrc = f->nsrc;
    const void *in[WN__MAX_SRC];
    char *out = into->at;
    for (int k = 0; k < nsrc; k++) in[k] = from[k].at;
    for (int64_t r = 0; r < rows; r++, out += into->bytes) {
        if (f->run) run_whole(f, f->row, out, j->out_size, in);
        else f->fn(f->row, out, in);
        for (int k = 0; k < nsrc; k++) in[k] = (const char *)in[k] + from[k].bytes;
    }
}

static void part(void *ctx, int64_t begin, int64_t end) {
    const program_flat_job *j = ctx;
    const wn__flat *f = j->f;
    cursor from[WN__MAX_SRC], into;
    bool plain = !f->spread;
    spread_room room;
    memset(room.from, 0, sizeof room.from);
    seek(&into, &j->p->outputs[0].to, f->row, begin / f->row);
    for (int k = 0; k < f->nsrc; k++) {
        seek(&from[k], &j->p->leaves[f->src[k].leaf], f->row, begin / f->row);
        plain &= !f->src[k].load;
    }
    for (int64_t at = begin % f->row; begin < end;) {
        int64_t rows = 1;
        if (plain && at == 0 && end - begin >= f->row) {
            rows = (end - begin) / f->row < into.left ? (end - begin) / f->row : into.left;
            for (int k = 0; k < f->nsrc; k++) rows = from[k].left < rows ? from[k].left : rows;
            whole_rows(j, from, &into, rows);
            begin += rows * f->row;
        } else {
            const int64_t n = end - begin < f->row - at ? end - begin : f->row - at;
            if (f->spread) in_row_spread(j, from, &into, at, n, &room);
            else in_row(j, from, &into, at, n);
            begin += n;
            if ((at += n) < f->row) continue;
            at = 0;
        }
        if (begin >= end) break;
        advance(&into, rows);
        for (int k = 0; k < f->nsrc; k++) advance(&from[k], rows);
    }
}

static const char *element_of(const wn__leaf *l, int64_t i) {
    const char *at = l->base;
    for (int d = l->ndim - 1; d >= 0; i /= l->shape[d--]) at += i % l->shape[d] * l->strides[d];
    return at;
}

static void repeat(char *to, const char *row, size_t bytes, size_t total) {
    memcpy(to, row, bytes);
    for (size_t have = bytes, m; have < total; have += m) memcpy(to + have, to, m = have < total - have ? have : total - have);
}

static int64_t chunks_of_period(const wn__flat *f) { return (f->period + f->chunk - 1) / f->chunk; }

static void part_in_chunks(void *ctx, int64_t begin, int64_t end) {
    const program_flat_job *j = ctx;
    const wn__flat *f = j->f;
    const wn__block_kernels *kernels = wn__block_now();
    const int64_t pieces = chunks_of_period(f);
    char room[WN__MAX_SRC][CHUNK + 64]; /* copies of a value may reach behind a chunk */
    const char *start[WN__MAX_SRC] = {NULL}; /* beginnings of the period */
    const void *in[WN__MAX_SRC];
    for (int64_t i = begin, now = -1; i < end; i++) {
        const int64_t first = i % pieces * f->chunk, at = i / pieces * f->period + first, n = f->period - first < f->chunk ? f->period - first : f->chunk;
        for (int k = 0; k < f->nsrc; k++) {
            const struct wn__flat_source *s = &f->src[k];
            const wn__leaf *l = &j->p->leaves[s->leaf];
            if (i / pieces != now && !s->column) {
                const char *was = start[k];
                start[k] = l->constant ? l->base : element_of(l, at - first);
                if (s->again && start[k] != was) repeat(room[k], start[k], (size_t)(f->row * s->size), (size_t)(f->chunk * s->size));
            }
            if (s->column) kernels->splat(s->size, n / f->row, f->row, room[k], l->base + at / f->row * s->size);
            in[k] = s->again || s->column ? room[k] : s->single ? start[k] : start[k] + first * s->size;
        }
        now = i / pieces;
        char *out = j->p->outputs[0].to.base + at * j->out_size;
        if (f->run) run_whole(f, n, out, j->out_size, in);
        else f->fn(n, out, in);
    }
}

bool wn__flat_run(const wn__program *p, const wn__flat *f) {
    enum { ENOUGH = WN__BLOCK * 64 }; /* elements of cheap kernels: about 5 us */
    program_flat_job j = {.p = p, .f = f, .out_size = (int)wn__dtype_size((wn_dtype)p->outputs[0].to.dtype)};
    const int64_t enough = p->instrs[0].cost > 5 ? ENOUGH / 8 : ENOUGH;
    const bool done = f->chunk ? wn__parallel_fresh(p->numel / f->period * chunks_of_period(f), enough / f->chunk + 1, part_in_chunks, &j)
                               : wn__parallel_fresh(p->numel, enough, part, &j);
    if (done) wn__program_count(p->numel, p->ninstrs);
    return done;
}

/* ------------------------------------------------------------------ folds */

static bool lies_flat(const wn__program *p, const wn__leaf *l) {
    return !l->constant && l->base && l->space == WN__FULL && l->ndim == 1 && l->shape[0] == p->numel && l->strides[0] == (int64_t)wn__dtype_size((wn_dtype)l->dtype);
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
