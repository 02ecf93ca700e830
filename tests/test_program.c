/* Kernel programs against the same instructions run one by one over whole arrays: random programs with all sorts of leaves,
 * dtypes, rows, folds, guards and outputs, on any number of threads and at every level of the machine, must give the same
 * bits. The piecewise runner, and what happens when memory is short. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "call/dispatch.h"
#include "base/counters.h"
#include "base/level.h"
#include "engine/program.h"
#include "engine/reduction.h"
#include "engine/stream.h"
#include "random.h"

static int passed, failed;
static uint64_t seed_now;
static void check(bool ok, const char *what, int which) {
    if (ok) passed++;
    else if (failed++ < 20) printf("FAILED: %s %d (seed %llu)\n", what, which, (unsigned long long)seed_now);
}

static bool chance(int percent) { return below(100) < percent; }

static void *room(int64_t bytes) {
    void *p = malloc((size_t)bytes + 64);
    if (!p) exit(2);
    memset(p, 0x5a, (size_t)bytes + 64);
    return p;
}

static const wn_dtype form_of[WN__CTS] = {WN_F32, WN_F64, WN_I32, WN_I64, WN_BOOL};

/* ------------------------------------------------------------------ the world of one program */

enum { MOST_REGS = WN__MAX_LEAVES + WN__MAX_INSTRS };

typedef struct noise { /* what a RANDOM instruction is given */
    int ct;
    uint64_t salt;
} noise;

typedef struct world {
    wn__program p;
    int64_t rows, row, numel; /* the flat order as rows, whether the program knows about them or not */
    int regs, leaves_made;
    int ct[MOST_REGS], dtype[MOST_REGS], space[MOST_REGS];
    char *memory[WN__MAX_LEAVES], *pristine[WN__MAX_LEAVES]; /* what a leaf's base points into, and its contents before */
    int64_t bytes[WN__MAX_LEAVES];
    bool shared[WN__MAX_LEAVES];
    char *value[MOST_REGS]; /* the reference: whole arrays in register form */
    char *out[WN__MAX_OUTPUTS], *expected[WN__MAX_OUTPUTS];
    int64_t out_bytes[WN__MAX_OUTPUTS];
    int64_t constants[WN__MAX_LEAVES];
    noise noises[WN__MAX_INSTRS];
    bool pieces;
} world;

static int64_t elements(const world *w, int reg) {
    return w->space[reg] == WN__FULL ? w->numel : w->space[reg] == WN__ROW ? w->rows : w->space[reg] == WN__COLUMN ? w->row : 1;
}

static void fill_values(wn_dtype d, int64_t n, char *p, int mask_kind) {
    int64_t size = (int64_t)wn__dtype_size((int)d);
    for (int64_t i = 0; i < n; i++) {
        double v = d >= WN_I8 ? (double)(below(23) - 9) : uniform() * 6 - 2.5;
        if (d < WN_I8 && chance(1)) v = chance(50) ? -0.0 : 1e30;
        if (d == WN_BOOL) {
            switch (mask_kind) {
            case 0: v = 0; break;
            case 1: v = 1; break;
            case 2: v = below(100) == 0; break;
            case 3: v = i / 700 % 3 == 1; break;
            case 4: v = below(100) != 0; break;
            default: v = below(2); break;
            }
        }
        wn__store_val(d, p + i * size, d >= WN_I8 ? wn_val_of_int((int64_t)v) : wn_val_of_float(v));
    }
}

/* Layouts of a leaf over [rows, row] (or [rows]); *cells gets the elements of memory needed, *first where the leaf begins. */
static void random_layout(world *w, wn__leaf *l, int64_t *cells, int64_t *first) {
    int64_t size = (int64_t)wn__dtype_size(l->dtype), R = w->rows, C = w->row;
    int64_t shape[3] = {R, C, 1}, strides[3] = {C * size, size, 0};
    int n = 2;
    *first = 0;
    *cells = R * C;
    if (l->space == WN__ROW) {
        shape[1] = 1;
        *cells = R;
        strides[0] = size;
        if (chance(30)) strides[0] = 3 * size, *cells = 3 * R;
        if (chance(10)) strides[0] = 0, *cells = 1;
        if (R % 6 == 0 && chance(20)) { /* [2, R / 2], the outer part repeated */
            shape[0] = 2, shape[1] = R / 2, shape[2] = 1, strides[0] = 0, strides[1] = size;
            *cells = R / 2;
        }
    } else {
        switch (below(12)) {
        case 0: strides[0] = 0, *cells = C; break;                               /* the same in every row */
        case 1: strides[1] = 0, strides[0] = size, *cells = R; break;            /* one value a row */
        case 2: strides[0] = strides[1] = 0, *cells = 1; break;                  /* one value */
        case 3: strides[0] = size, strides[1] = R * size; break;                 /* transposed */
        case 4: strides[0] = (C + 3) * size, *cells = R * (C + 3); break;        /* sliced rows */
        case 5: strides[1] = 2 * size, strides[0] = 2 * C * size, *cells = 2 * R * C; break;
        case 6: strides[1] = -size, *first = C - 1; break;                       /* backwards */
        case 7:
            if (C % 2 == 0) { /* [R, 2, C / 2], the middle repeated */
                n = 3;
                shape[1] = 2, shape[2] = C / 2;
                strides[0] = C / 2 * size, strides[1] = 0, strides[2] = size;
                *cells = R * C / 2;
            }
            break;
        default: break; /* as it is walked */
        }
    }
    wn__leaf_layout(l, n, shape, strides, NULL);
}

static int add_leaf(world *w, int dtype, int ct, int space, int mask_kind) {
    if (w->p.nleaves == WN__MAX_LEAVES) return -1;
    int i = w->p.nleaves++;
    wn__leaf *l = &w->p.leaves[i];
    int64_t first = 0, cells = 1;
    l->dtype = (uint8_t)dtype;
    l->ct = (uint8_t)ct;
    l->space = (uint8_t)space;
    l->constant = dtype != WN_BOOL && chance(12);
    w->shared[i] = false;
    if (l->constant) {
        wn_dtype form = form_of[ct];
        fill_values(form, 1, (char *)&w->constants[i], 5);
        w->memory[i] = NULL;
        l->base = (char *)&w->constants[i];
        l->dtype = (uint8_t)form;
    } else {
        random_layout(w, l, &cells, &first);
        w->bytes[i] = cells * (int64_t)wn__dtype_size(dtype);
        w->memory[i] = room(w->bytes[i]);
        w->pristine[i] = room(w->bytes[i]);
        fill_values((wn_dtype)dtype, cells, w->pristine[i], mask_kind);
        l->base = w->memory[i] + first * (int64_t)wn__dtype_size(dtype);
    }
    w->ct[i] = ct;
    w->dtype[i] = l->dtype;
    w->space[i] = space;
    return i;
}

/* ------------------------------------------------------------------ the reference */

static char *cell(const wn__leaf *l, int64_t i) {
    char *at = l->base;
    for (int d = l->ndim - 1; d >= 0; d--) {
        at += i % l->shape[d] * l->strides[d];
        i /= l->shape[d];
    }
    return at;
}

static void reset(world *w) {
    for (int o = 0; o < w->p.noutputs; o++) memset(w->out[o], 0x5a, (size_t)w->out_bytes[o]);
    for (int i = 0; i < w->p.nleaves; i++)
        if (w->memory[i]) memcpy(w->memory[i], w->pristine[i], (size_t)w->bytes[i]);
}

static void reference_leaf(world *w, int i) {
    const wn__leaf *l = &w->p.leaves[i];
    int64_t n = l->constant ? w->numel : elements(w, i), size = (int64_t)wn__ct_size((wn__ct)l->ct);
    w->value[i] = room(n * size);
    for (int64_t k = 0; k < n; k++) {
        if (l->constant) memcpy(w->value[i] + k * size, l->base, (size_t)size);
        else wn__kernels_now()->load[l->ct][l->dtype](1, w->value[i] + k * size, cell(l, k), 0);
    }
}

/* Register r as an instruction of `space` sees it: repeated along the rows if need be. */
static char *seen(const world *w, int r, int space) {
    int64_t size = (int64_t)wn__ct_size((wn__ct)w->ct[r]), n = space == WN__FULL ? w->numel : w->rows;
    char *v = room(n * size);
    for (int64_t k = 0; k < n; k++)
        memcpy(v + k * size, w->value[r] + (w->space[r] == space || (r < w->p.nleaves && w->p.leaves[r].constant) ? k : k / w->row) * size, (size_t)size);
    return v;
}

static void through_memory(int64_t n, int ct, int dtype, int to_ct, const char *from, char *to) {
    const wn__kernels *k = wn__kernels_now();
    int64_t size = (int64_t)wn__dtype_size(dtype);
    char *m = room(n * size);
    k->store[ct][dtype](n, m, size, from);
    k->load[to_ct][dtype](n, to, m, size);
    free(m);
}

static void reference_fold(world *w, const wn__instr *in, int r) {
    int s = in->src[0];
    int64_t n = w->numel, out = elements(w, r);
    char *m = room(out * 8), *x = seen(w, s, WN__FULL);
    wn__reduction red = {.kind = (wn__reduce_kind)in->kind, .dtype = form_of[w->ct[s]], .x = x, .out = m, .out_dtype = (wn_dtype)in->dtype, .p = in->p};
    if (in->space == WN__ALL) {
        red.ndim = 1;
        red.dim[0] = (wn__reduce_dim){.size = n, .x = 1};
        red.reduced = 1;
    } else {
        red.ndim = 2;
        red.dim[0] = (wn__reduce_dim){.size = w->rows, .x = w->row, .o = 1};
        red.dim[1] = (wn__reduce_dim){.size = w->row, .x = 1, .o = 1};
        red.reduced = in->space == WN__ROW ? 2 : 1;
    }
    if (wn__reduce(&red)) exit(3);
    w->value[r] = room(out * 8);
    wn__kernels_now()->load[in->ct][in->dtype](out, w->value[r], m, (int64_t)wn__dtype_size(in->dtype));
    free(m);
    free(x);
}

static void reference_instr(world *w, int i) {
    const wn__instr *in = &w->p.instrs[i];
    int r = w->p.nleaves + i;
    if (in->what == WN__DO_FOLD) {
        reference_fold(w, in, r);
        return;
    }
    int64_t n = elements(w, r);
    char *src[WN__MAX_SRC], *v = room(n * 8);
    for (int k = 0; k < in->nsrc; k++) src[k] = seen(w, in->src[k], in->space);
    w->value[r] = room(n * 8);
    if (in->what == WN__DO_RANDOM) {
        for (int64_t k = 0; k < n; k++) in->make(in->ctx, k, 1, w->value[r] + k * (int64_t)wn__ct_size((wn__ct)in->ct));
    } else if (in->what == WN__DO_CONVERT) {
        through_memory(n, w->ct[in->src[0]], in->dtype, in->ct, src[0], w->value[r]);
    } else {
        in->fn(n, v, (const void *const *)src);
        through_memory(n, in->ct, in->dtype, in->ct, v, w->value[r]);
    }
    for (int k = 0; k < in->nsrc; k++) free(src[k]);
    free(v);
}

static void reference_output(world *w, int o) {
    const wn__output *out = &w->p.outputs[o];
    int64_t n = out->to.space == WN__FULL ? w->numel : out->to.space == WN__ROW ? w->rows : elements(w, out->src);
    int64_t size = (int64_t)wn__ct_size((wn__ct)out->to.ct);
    char *v = out->to.space == WN__FULL || out->to.space == WN__ROW ? seen(w, out->src, out->to.space) : NULL;
    for (int64_t k = 0; k < n; k++)
        wn__kernels_now()->store[out->to.ct][out->to.dtype](1, cell(&out->to, k), (int64_t)wn__dtype_size(out->to.dtype), (v ? v : w->value[out->src]) + k * size);
    free(v);
    memcpy(w->expected[o], w->out[o], (size_t)w->out_bytes[o]);
}

static void reference(world *w) {
    reset(w);
    for (int i = 0; i < w->p.nleaves; i++) reference_leaf(w, i);
    for (int i = 0; i < w->p.ninstrs; i++) reference_instr(w, i);
    for (int o = 0; o < w->p.noutputs; o++) reference_output(w, o);
}

/* NaNs may differ in sign and payload. */
static bool same(wn_dtype d, const char *a, const char *b, int64_t bytes) {
    if (!memcmp(a, b, (size_t)bytes)) return true;
    if (d >= WN_I8) return false;
    int64_t size = (int64_t)wn__dtype_size((int)d);
    for (int64_t i = 0; i + size <= bytes; i += size) {
        double x = wn__load_f64(d, a + i), y = wn__load_f64(d, b + i);
        if (memcmp(a + i, b + i, (size_t)size) && (x == x || y == y)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------ random instructions */

static wn__kernel kernel(const char *name, bool unit, int ct) {
    const wn_op *op = wn_op_find(name);
    if (!op) exit(4);
    return wn__kernels_now()->rows[unit ? op->unit_kernel : op->kernel][ct];
}

static int pick(world *w, int ct, int space) {
    int found = -1, seen_so_far = 0, n = w->p.nleaves + w->p.ninstrs;
    for (int r = 0; r < n; r++) {
        bool constant = r < w->p.nleaves && w->p.leaves[r].constant;
        if (w->ct[r] != ct || w->space[r] > WN__ROW) continue;
        if (space == WN__ROW && w->space[r] != WN__ROW && !constant) continue;
        int weight = r + 6 > n ? 4 : 1;
        seen_so_far += weight;
        if (below(seen_so_far) < weight) found = r;
    }
    return found;
}

static int add_instr(world *w, wn__instr in) {
    if (w->p.ninstrs == WN__MAX_INSTRS) return -1;
    int r = w->p.nleaves + w->p.ninstrs;
    in.cost = (uint16_t)(1 + (chance(50) ? below(8) : below(300)));
    in.guard = 0;
    w->p.instrs[w->p.ninstrs++] = in;
    w->ct[r] = in.ct;
    w->dtype[r] = in.dtype;
    w->space[r] = in.space;
    return r;
}

static int narrow_of(int ct) {
    static const wn_dtype floats[] = {WN_F32, WN_F32, WN_F32, WN_F16, WN_BF16}, ints[] = {WN_I32, WN_I32, WN_I8, WN_I16, WN_U8};
    return (int)(ct == WN__CT_F32 ? floats[below(5)] : ct == WN__CT_I32 ? ints[below(5)] : form_of[ct]);
}

static const struct choice {
    const char *name;
    bool unit;
    int n;
    bool floats, ints, bools, compare;
} choices[] = {
    {"add.Tensor", true, 2, true, true, false, false}, {"sub.Tensor", true, 2, true, true, false, false},
    {"mul.Tensor", false, 2, true, true, false, false}, {"add.Tensor", false, 3, true, true, false, false},
    {"div.Tensor", false, 2, true, false, false, false}, {"maximum", false, 2, true, true, false, false},
    {"neg", false, 1, true, true, false, false}, {"exp", false, 1, true, false, false, false},
    {"tanh", false, 1, true, false, false, false}, {"rsqrt", false, 1, true, false, false, false},
    {"square", false, 1, true, true, false, false}, {"gt.Tensor", false, 2, true, true, false, true},
    {"le.Tensor", false, 2, true, true, false, true}, {"logical_and", false, 2, false, false, true, false},
    {"logical_not", false, 1, false, false, true, false}, {"maximum", false, 2, true, true, false, false}};

static int random_kernel(world *w, int space) {
    for (int tries = 0; tries < 20; tries++) {
        const struct choice *c = &choices[below((int64_t)(sizeof choices / sizeof *choices))];
        int ct = (int)below(WN__CTS);
        if (chance(60)) ct = WN__CT_F32;
        if (!(ct <= WN__CT_F64 ? c->floats : ct == WN__CT_B8 ? c->bools : c->ints)) continue;
        wn__instr in = {.what = WN__DO_KERNEL, .space = (uint8_t)space, .nsrc = (uint8_t)c->n};
        char name[32];
        strcpy(name, c->name);
        if (!wn_op_find(name)) *strchr(name, '.') = 0;
        in.fn = kernel(name, c->unit, ct);
        in.ct = (uint8_t)(c->compare ? WN__CT_B8 : ct);
        in.dtype = (uint8_t)(c->compare ? WN_BOOL : narrow_of(ct));
        bool ok = in.fn != NULL;
        for (int k = 0; k < c->n; k++) {
            int r = pick(w, ct, space);
            ok &= r >= 0;
            in.src[k] = (uint8_t)r;
        }
        if (ok) return add_instr(w, in);
    }
    return -1;
}

static int random_convert(world *w, int space) {
    for (int tries = 0; tries < 10; tries++) {
        int r = pick(w, (int)below(WN__CTS), space), to = (int)below(WN__CTS);
        if (r < 0) continue;
        wn__instr in = {.what = WN__DO_CONVERT, .space = (uint8_t)space, .nsrc = 1, .ct = (uint8_t)to, .src = {(uint8_t)r}};
        in.dtype = (uint8_t)narrow_of(to);
        return add_instr(w, in);
    }
    return -1;
}

static void make_noise(const void *ctx, int64_t begin, int64_t n, void *out) {
    const noise *x = ctx;
    for (int64_t i = 0; i < n; i++) {
        uint64_t h = ((uint64_t)(begin + i) ^ x->salt) * 0x9e3779b97f4a7c15u;
        int32_t v = (int32_t)(h >> 60) - 8;
        if (x->ct == WN__CT_F32) ((float *)out)[i] = (float)v * 0.25f;
        else ((double *)out)[i] = (double)v * 0.25;
    }
}
static int random_noise(world *w) {
    if (w->p.ninstrs == WN__MAX_INSTRS) return -1;
    noise *x = &w->noises[w->p.ninstrs];
    *x = (noise){chance(70) ? WN__CT_F32 : WN__CT_F64, random_bits()};
    return add_instr(w, (wn__instr){.what = WN__DO_RANDOM, .space = WN__FULL, .ct = (uint8_t)x->ct, .dtype = (uint8_t)form_of[x->ct], .make = make_noise, .ctx = x});
}

static int random_fold(world *w, int space) {
    static const wn__reduce_kind floats[] = {WN__R_SUM, WN__R_SUM, WN__R_MEAN, WN__R_MAX, WN__R_MIN, WN__R_PROD, WN__R_VAR, WN__R_STD, WN__R_LSE, WN__R_NORM, WN__R_NONZERO, WN__R_ANY};
    static const wn__reduce_kind ints[] = {WN__R_SUM, WN__R_MAX, WN__R_MIN, WN__R_PROD, WN__R_ANY, WN__R_ALL, WN__R_NONZERO};
    static const double orders[] = {0, 1, 2, 3, 1.0 / 0.0, -1.0 / 0.0};
    int r = pick(w, chance(70) ? WN__CT_F32 : (int)below(WN__CTS), WN__FULL);
    if (r < 0 || (r < w->p.nleaves && w->p.leaves[r].constant)) return -1;
    bool float_in = w->ct[r] <= WN__CT_F64;
    wn__reduce_kind kind = float_in ? floats[below(12)] : ints[below(7)];
    if (!wn__program_can_fold(kind, (wn__space)space, form_of[w->ct[r]], w->row)) return -1;
    wn__instr in = {.what = WN__DO_FOLD, .space = (uint8_t)space, .nsrc = 1, .src = {(uint8_t)r}, .kind = (uint8_t)kind, .from = (uint8_t)w->dtype[r]};
    in.p = kind == WN__R_NORM ? orders[below(6)] : (double)below(2);
    bool logical = kind == WN__R_ANY || kind == WN__R_ALL, extreme = kind == WN__R_MIN || kind == WN__R_MAX;
    in.ct = (uint8_t)(logical ? WN__CT_B8 : kind == WN__R_NONZERO || (!float_in && !extreme) ? WN__CT_I64 : w->ct[r]);
    in.dtype = (uint8_t)(in.ct == w->ct[r] && !logical && kind != WN__R_NONZERO ? narrow_of(in.ct) : (int)form_of[in.ct]);
    if (extreme && w->ct[r] == WN__CT_B8) in.dtype = WN_BOOL;
    return add_instr(w, in);
}

/* A few instructions, then a selection of the last of them; nested selections inside. */
static int random_select(world *w, int space, int depth) {
    int mask = pick(w, WN__CT_B8, space);
    if (mask < 0) return -1;
    int side[2] = {-1, -1}, ct = -1;
    for (int k = 0; k < 2; k++) {
        for (int i = (int)below(4); i >= 0; i--) {
            int r = space == WN__FULL && chance(6) ? random_noise(w) : depth < 2 && chance(15) ? random_select(w, space, depth + 1) : chance(12) ? random_convert(w, space) : random_kernel(w, space);
            if (r >= 0 && (ct < 0 || w->ct[r] == ct)) side[k] = r;
        }
        if (side[k] < 0 || chance(40)) side[k] = ct >= 0 ? pick(w, ct, space) : side[k];
        if (side[k] >= 0) ct = w->ct[side[k]];
    }
    if (side[0] < 0 || side[1] < 0) return -1;
    if (chance(50)) {
        int swap = side[0];
        side[0] = side[1], side[1] = swap;
    }
    wn__instr in = {.what = WN__DO_SELECT, .space = (uint8_t)space, .nsrc = 3, .ct = (uint8_t)ct, .src = {(uint8_t)mask, (uint8_t)side[0], (uint8_t)side[1]}};
    in.fn = kernel("where.self", false, ct);
    in.dtype = (uint8_t)(ct == WN__CT_B8 ? WN_BOOL : narrow_of(ct));
    return in.fn ? add_instr(w, in) : -1;
}

/* ------------------------------------------------------------------ guards, as a planner finds them */

static int common(const wn__program *p, int a, int b) {
    for (; a; a = p->guards[a - 1].parent)
        for (int k = b; k; k = p->guards[k - 1].parent)
            if (k == a) return a;
    return 0;
}

static int guard_for(wn__program *p, int mask, bool polarity, int parent) {
    for (int g = 1; g <= p->nguards; g++)
        if (p->guards[g - 1].mask == mask && p->guards[g - 1].polarity == polarity && p->guards[g - 1].parent == parent) return g;
    if (p->nguards == WN__MAX_GUARDS) return parent;
    p->guards[p->nguards++] = (wn__guard){.mask = (uint8_t)mask, .parent = (uint8_t)parent, .polarity = polarity};
    return p->nguards;
}

static void find_guards(world *w, bool honest) {
    wn__program *p = &w->p;
    int need[MOST_REGS];
    for (int r = 0; r < MOST_REGS; r++) need[r] = -1;
    for (int o = 0; o < p->noutputs; o++) need[p->outputs[o].src] = 0;
    for (int i = p->ninstrs - 1; i >= 0; i--) {
        wn__instr *in = &p->instrs[i];
        int level = need[p->nleaves + i] > 0 && in->space == WN__FULL && in->what != WN__DO_FOLD ? need[p->nleaves + i] : 0;
        in->guard = (uint8_t)level;
        for (int k = 0; k < in->nsrc; k++) {
            int at = level, r = in->src[k];
            if (in->what == WN__DO_SELECT && k > 0 && in->space == WN__FULL && w->space[in->src[0]] == WN__FULL) at = guard_for(p, in->src[0], k == 1, level);
            need[r] = need[r] < 0 ? at : common(p, need[r], at);
        }
    }
    /* Anything a planner might get wrong costs time, not results. */
    if (!honest)
        for (int i = 0; i < p->ninstrs && p->nguards; i++)
            if (chance(20)) p->instrs[i].guard = (uint8_t)below(p->nguards + 1);
}

/* ------------------------------------------------------------------ outputs */

static bool dtype_matches(const world *w, int r, int leaf) {
    const wn__leaf *l = &w->p.leaves[leaf];
    return w->space[r] == l->space && w->dtype[r] == l->dtype && w->ct[r] == l->ct;
}

/* An output where a leaf lies, element for element. */
static bool in_place_output(world *w, int r) {
    for (int i = 0; i < w->p.nleaves; i++) {
        const wn__leaf *l = &w->p.leaves[i];
        if (l->constant || w->shared[i] || !dtype_matches(w, r, i)) continue;
        if (w->pieces && l->space == WN__ROW) continue; /* a later piece of the row would see the result */
        bool repeats = false;
        for (int d = 0; d < l->ndim; d++) repeats |= l->strides[d] == 0;
        if (repeats || (l->ndim == 0 && elements(w, i) != 1)) continue;
        int o = w->p.noutputs++;
        w->p.outputs[o] = (wn__output){.to = *l, .src = (uint8_t)r, .in_place = true};
        w->shared[i] = true;
        w->out[o] = w->memory[i];
        w->out_bytes[o] = w->bytes[i];
        w->expected[o] = room(w->bytes[i]);
        return true;
    }
    return false;
}

static void add_output(world *w, int r) {
    if (w->p.noutputs == WN__MAX_OUTPUTS) return;
    if (w->space[r] <= WN__ROW && chance(30) && in_place_output(w, r)) return;
    int o = w->p.noutputs++;
    wn__output *out = &w->p.outputs[o];
    int64_t cells, first = 0;
    out->src = (uint8_t)r;
    out->in_place = chance(5);
    out->to.space = (uint8_t)(w->space[r] == WN__ROW && chance(20) ? WN__FULL : w->space[r]);
    out->to.dtype = (uint8_t)(chance(90) ? w->dtype[r] : narrow_of(w->ct[r]));
    out->to.ct = (uint8_t)w->ct[r];
    out->to.constant = false;
    int64_t size = (int64_t)wn__dtype_size(out->to.dtype);
    if (out->to.space == WN__ALL || out->to.space == WN__COLUMN) {
        int64_t n = elements(w, r), step = chance(30) ? 2 * size : size;
        wn__leaf_layout(&out->to, 1, &n, &step, NULL);
        cells = n * 2;
    } else {
        bool again;
        do {
            random_layout(w, &out->to, &cells, &first);
            again = out->to.ndim == 0 && (out->to.space == WN__FULL ? w->numel : w->rows) != 1;
            for (int d = 0; d < out->to.ndim; d++) again |= out->to.strides[d] == 0;
        } while (again);
    }
    w->out_bytes[o] = cells * size;
    w->out[o] = room(w->out_bytes[o]);
    w->expected[o] = room(w->out_bytes[o]);
    out->to.base = w->out[o] + first * size;
}

/* ------------------------------------------------------------------ whole programs */

static void random_leaves(world *w) {
    static const wn_dtype dtypes[] = {WN_F32, WN_F32, WN_F32, WN_F32, WN_F64, WN_F16, WN_BF16, WN_I8, WN_I16, WN_I32, WN_I64, WN_U8, WN_BOOL, WN_BOOL};
    int n = 3 + (int)below(8);
    for (int i = 0; i < n; i++) {
        int d = (int)dtypes[below(14)], ct = d == WN_BOOL ? WN__CT_B8 : (int)wn__compute_type(d);
        if (i < 2) d = WN_F32, ct = WN__CT_F32;
        if (chance(10)) ct = (int)below(WN__CTS);
        int space = w->p.row && chance(20) ? WN__ROW : WN__FULL;
        add_leaf(w, d, ct, space, (int)below(7));
    }
}

static void random_instrs(world *w) {
    int n = (int)below(chance(20) ? 50 : 14);
    for (int i = 0; i < n && w->p.ninstrs < WN__MAX_INSTRS - 24; i++) {
        int space = w->p.row && chance(25) ? WN__ROW : WN__FULL;
        if (!w->pieces && w->p.row && chance(20)) random_fold(w, chance(70) ? WN__ROW : WN__COLUMN);
        else if (!w->pieces && chance(6)) random_fold(w, WN__ALL);
        else if (chance(12)) random_convert(w, space);
        else if (chance(8)) random_noise(w);
        else if (chance(30)) random_select(w, space, 0);
        else random_kernel(w, space);
    }
}

static world *random_world(bool pieces) {
    static const int64_t lengths[] = {1, 2, 3, 10, 31, 64, 100, 257, 512, 768, 1000, 1024, 2048, 5000};
    world *w = calloc(1, sizeof *w);
    if (!w) exit(2);
    w->pieces = pieces;
    w->row = lengths[below(14)];
    int64_t most = chance(10) ? 100000 : chance(50) ? 12000 : 1500;
    w->rows = 1 + below(most / w->row + 1);
    w->numel = w->rows * w->row;
    w->p.numel = w->numel;
    w->p.row = chance(60) ? w->row : 0;
    if (pieces) {
        add_leaf(w, WN_F32, WN__CT_F32, WN__FULL, 0);
        wn__leaf *l = &w->p.leaves[0];
        l->constant = false;
        if (!w->memory[0]) w->memory[0] = room(8), w->pristine[0] = room(8);
        free(w->memory[0]);
        free(w->pristine[0]);
        w->bytes[0] = w->numel * 8;
        w->memory[0] = room(w->bytes[0]);
        w->pristine[0] = room(w->bytes[0]);
        fill_values(WN_F32, w->numel, w->pristine[0], 0);
        l->dtype = WN_F32;
        l->ndim = 1;
        l->shape[0] = w->numel;
        l->strides[0] = 4;
        l->base = w->memory[0];
        w->dtype[0] = WN_F32;
        w->shared[0] = true;
    }
    random_leaves(w);
    random_instrs(w);
    int regs = w->p.nleaves + w->p.ninstrs, outs = 1 + (int)below(5);
    if (!pieces || w->p.ninstrs)
        for (int i = 0; i < outs; i++) {
            int r = i == 0 ? regs - 1 : (int)below(regs);
            if (pieces && i == 0 && w->space[r] != WN__FULL) r = 0;
            add_output(w, r);
        }
    else add_output(w, 0);
    for (int r = w->p.nleaves; r < regs; r++)
        if (w->space[r] > WN__ROW) add_output(w, r);
    if (!pieces && chance(80)) find_guards(w, chance(85));
    return w;
}

static void free_world(world *w) {
    for (int i = 0; i < w->p.nleaves; i++) free(w->memory[i]), free(w->pristine[i]);
    for (int r = 0; r < MOST_REGS; r++) free(w->value[r]);
    for (int o = 0; o < w->p.noutputs; o++) {
        bool leaf = false;
        for (int i = 0; i < w->p.nleaves; i++) leaf |= w->memory[i] == w->out[o];
        if (!leaf) free(w->out[o]);
        free(w->expected[o]);
    }
    free(w);
}

static bool right(const world *w, int from) {
    bool ok = true;
    for (int o = from; o < w->p.noutputs; o++) ok &= same((wn_dtype)w->p.outputs[o].to.dtype, w->out[o], w->expected[o], w->out_bytes[o]);
    return ok;
}

/* test_program 1 <seed>: what the program of that number is, and which outputs are wrong. */
static bool show;
static void describe(const world *w) {
    const wn__program *p = &w->p;
    printf("numel %lld row %lld (program's %lld)\n", (long long)w->numel, (long long)w->row, (long long)p->row);
    for (int i = 0; i < p->nleaves + p->noutputs; i++) {
        const wn__leaf *l = i < p->nleaves ? &p->leaves[i] : &p->outputs[i - p->nleaves].to;
        if (i < p->nleaves) printf("r%d leaf", i);
        else printf("output %d of r%d%s%s", i - p->nleaves, p->outputs[i - p->nleaves].src, p->outputs[i - p->nleaves].in_place ? " in place" : "",
                    same(l->dtype, w->out[i - p->nleaves], w->expected[i - p->nleaves], w->out_bytes[i - p->nleaves]) ? "" : " WRONG");
        printf(" %s ct %d space %d%s at %p:", wn_dtype_name((wn_dtype)l->dtype), l->ct, l->space, l->constant ? " constant" : "", (void *)l->base);
        for (int d = 0; !l->constant && d < l->ndim; d++) printf(" %lld/%lld", (long long)l->shape[d], (long long)l->strides[d]);
        printf("\n");
    }
    for (int i = 0; i < p->ninstrs; i++) {
        const wn__instr *in = &p->instrs[i];
        printf("r%d what %d ct %d %s space %d guard %d cost %d kind %d:", p->nleaves + i, in->what, in->ct, wn_dtype_name((wn_dtype)in->dtype), in->space, in->guard, in->cost, in->kind);
        for (int k = 0; k < in->nsrc; k++) printf(" r%d", in->src[k]);
        printf("\n");
    }
    for (int g = 0; g < p->nguards; g++) printf("guard %d: r%d %d inside %d\n", g + 1, p->guards[g].mask, p->guards[g].polarity, p->guards[g].parent);
}

static void test_random(int which) {
    static const int threads[] = {1, 2, 5};
    wn__cpu_level_set((int)below(4));
    wn_set_num_threads(1);
    world *w = random_world(false);
    reference(w);
    for (int t = 0; t < 3; t++) {
        wn_set_num_threads(threads[t]);
        reset(w);
        check(wn__program_run(&w->p) && right(w, 0), "random program", which);
        if (show) describe(w);
    }
    if (which % 8 == 0) {
        wn_set_num_threads(1);
        for (int n = 0;; n++) {
            reset(w);
            wn_fail_allocation(n);
            bool ok = wn__program_run(&w->p), hit = wn_fail_allocation_hit();
            wn_fail_allocation(-1);
            check(ok == !hit, "a failed allocation is reported", which);
            if (!hit) break;
        }
        check(right(w, 0), "after failed allocations", which);
    }
    free_world(w);
}

static void test_pieces(int which) {
    wn__cpu_level_set((int)below(4));
    wn_set_num_threads(1);
    world *w = random_world(true);
    reference(w);
    reset(w);
    const wn__output *first = &w->p.outputs[0];
    int64_t in = 4, out = (int64_t)wn__ct_size((wn__ct)w->ct[first->src]), most = chance(20) ? 2000 : 300;
    char *data = room(w->numel * 8), *want = room(w->numel * 8);
    through_memory(w->numel, w->ct[first->src], first->to.dtype, w->ct[first->src], w->value[first->src], want);
    w->p.leaves[0].base = NULL;
    w->p.outputs[0].to.base = NULL;
    w->p.outputs[0].to.dtype = (uint8_t)w->dtype[first->src];
    wn__pieces *r = wn__pieces_new(&w->p);
    bool ok = r != NULL;
    for (int64_t at = 0; ok && at < w->numel;) {
        int64_t n = 1 + below(most);
        if (n > w->numel - at) n = w->numel - at;
        memcpy(data, w->pristine[0] + at * in, (size_t)(n * in));
        ok &= wn__program_piece(r, at, n, data, 2);
        ok &= same(form_of[w->ct[first->src]], data, w->value[first->src] + at * out, n * out);
        at += n;
    }
    check(ok && right(w, 1), "pieces", which);
    if (show) describe(w);
    wn__pieces_free(r);
    wn_fail_allocation(0);
    check(wn__pieces_new(&w->p) == NULL, "no memory for pieces", which);
    wn_fail_allocation(-1);
    free(data);
    free(want);
    free_world(w);
}

/* ------------------------------------------------------------------ a few exact ones */

static void test_counts(void) {
    enum { N = 100000 };
    static float x[N], y[N];
    static uint8_t m[N];
    for (int i = 0; i < N; i++) x[i] = (float)i, m[i] = 0;
    wn_set_num_threads(2);
    wn__program p = {.nleaves = 2, .ninstrs = 2, .noutputs = 1, .nguards = 1, .numel = N};
    p.leaves[0] = (wn__leaf){.base = (char *)x, .dtype = WN_F32, .ct = WN__CT_F32, .ndim = 1, .shape = {N}, .strides = {4}};
    p.leaves[1] = (wn__leaf){.base = (char *)m, .dtype = WN_BOOL, .ct = WN__CT_B8, .ndim = 1, .shape = {N}, .strides = {1}};
    p.guards[0] = (wn__guard){.mask = 1, .polarity = true};
    p.instrs[0] = (wn__instr){.fn = kernel("exp", false, WN__CT_F32), .what = WN__DO_KERNEL, .nsrc = 1, .ct = WN__CT_F32, .dtype = WN_F32, .guard = 1, .cost = 8};
    p.instrs[1] = (wn__instr){.fn = kernel("where.self", false, WN__CT_F32), .what = WN__DO_SELECT, .nsrc = 3, .ct = WN__CT_F32, .dtype = WN_F32, .cost = 1, .src = {1, 2, 0}};
    p.outputs[0] = (wn__output){.to = {.base = (char *)y, .dtype = WN_F32, .ct = WN__CT_F32, .ndim = 1, .shape = {N}, .strides = {4}}, .src = 3};
    int64_t ran = wn__instr_elements, skipped = wn__instr_elements_skipped;
    check(wn__program_run(&p) && !memcmp(x, y, sizeof x), "an empty mask", 0);
    check(wn__instr_elements - ran == N && wn__instr_elements_skipped - skipped == N, "what an empty mask saves", 0);
    memset(m, 1, N);
    ran = wn__instr_elements, skipped = wn__instr_elements_skipped;
    check(wn__program_run(&p) && wn__instr_elements - ran == 2 * N && wn__instr_elements_skipped == skipped, "a full mask saves nothing", 0);
    memset(m, 0, N);
    for (int i = 0; i < N; i += 1000) m[i] = 1;
    ran = wn__instr_elements, skipped = wn__instr_elements_skipped;
    check(wn__program_run(&p) && wn__instr_elements - ran == N + N / 1000 && wn__instr_elements_skipped - skipped == N - N / 1000, "a sparse mask", 0);
}

/* Large operands that lie across are put in order band by band: the last band is short, a line beside them repeats, the result replaces an operand. */
static void test_bands(int64_t batch, int64_t rows, int64_t row) {
    const int64_t n = batch * rows * row, size = sizeof(double);
    double *x = malloc((size_t)(n * size)), *y = malloc((size_t)(n * size)), *line = malloc((size_t)(row * size));
    for (int64_t i = 0; i < n; i++) x[i] = (double)(i % 1009), y[i] = (double)(i % 2003);
    for (int64_t i = 0; i < row; i++) line[i] = (double)i / 8;
    const wn__leaf flat = {.base = (char *)x, .dtype = WN_F64, .ct = WN__CT_F64, .ndim = 1, .shape = {n}, .strides = {size}};
    wn__program p = {.nleaves = 3, .ninstrs = 2, .noutputs = 1, .numel = n};
    p.leaves[0] = flat;
    p.leaves[1] = (wn__leaf){.base = (char *)y, .dtype = WN_F64, .ct = WN__CT_F64};
    wn__leaf_layout(&p.leaves[1], 3, (int64_t[]){batch, rows, row}, (int64_t[]){rows * row * size, size, rows * size}, NULL);
    p.leaves[2] = (wn__leaf){.base = (char *)line, .dtype = WN_F64, .ct = WN__CT_F64, .ndim = 2, .shape = {batch * rows, row}, .strides = {0, size}};
    p.instrs[0] = (wn__instr){.fn = kernel("mul.Tensor", false, WN__CT_F64), .what = WN__DO_KERNEL, .nsrc = 2, .ct = WN__CT_F64, .dtype = WN_F64, .cost = 1, .src = {1, 2}};
    p.instrs[1] = (wn__instr){.fn = kernel("mul.Tensor", false, WN__CT_F64), .what = WN__DO_KERNEL, .nsrc = 2, .ct = WN__CT_F64, .dtype = WN_F64, .cost = 1, .src = {0, 3}};
    p.outputs[0] = (wn__output){.to = flat, .src = 4, .in_place = true};
    const int64_t programs = wn__programs_run, ran = wn__instr_elements;
    bool ok = wn__program_run(&p) && wn__programs_run - programs == 1 && wn__instr_elements - ran == 2 * n;
    for (int64_t i = 0; i < n && ok; i++) {
        const int64_t b = i / (rows * row), r = i / row % rows, c = i % row;
        ok = x[i] == (double)(i % 1009) * (y[(b * row + c) * rows + r] * line[c]);
    }
    check(ok, "operands across, in bands", 0);
    free(x), free(y), free(line);
}

static bool equal(wn_tensor *a, wn_tensor *b) { return wn_item_i64(wn_all(wn_eq(a, b))); }

/* Long rows of three operands, one of them a value a row, give what its repetition gives. */
static void test_spread(wn_dtype d) {
    WN_SCOPE(scope);
    enum { ROWS = 9, ROW = 1300 };
    wn_tensor *x = wn_rand(WN_DIMS(ROWS, ROW), .dtype = d), *row = wn_rand(WN_DIMS(ROW), .dtype = d), *column = wn_rand(WN_DIMS(ROWS, 1), .dtype = d);
    wn_tensor *mask = wn_gt(column, 0.5), *all = wn_contiguous(wn_expand(column, WN_DIMS(ROWS, ROW))), *masks = wn_contiguous(wn_expand(mask, WN_DIMS(ROWS, ROW)));
    check(equal(wn_addcmul(x, column, row), wn_addcmul(x, all, row)), "addcmul with a column", 0);
    check(equal(wn_addcmul(column, row, x, .value = WN_VAL(0.5)), wn_addcmul(all, row, x, .value = WN_VAL(0.5))), "addcmul of a column", 0);
    check(equal(wn_lerp(x, row, column), wn_lerp(x, row, all)), "lerp by a column", 0);
    check(equal(wn_where(mask, x, row), wn_where(masks, x, row)), "where of a column", 0);
}

/* Short rows that repeat, or have a value each, give what their repetition gives, also where they end within a chunk and where the result replaces one. */
static void test_short_rows(wn_dtype d, int64_t rows, int64_t row) {
    WN_SCOPE(scope);
    wn_tensor *x = wn_to(wn_reshape(wn_arange(rows * row), WN_DIMS(rows, row)), d), *line = wn_add(wn_to(wn_arange(row), d), 3), *column = wn_to(wn_arange(rows), d);
    column = wn_reshape(column, WN_DIMS(rows, 1));
    wn_tensor *lines = wn_contiguous(wn_expand(line, WN_DIMS(rows, row))), *columns = wn_contiguous(wn_expand(column, WN_DIMS(rows, row)));
    check(equal(wn_sub(x, line), wn_sub(x, lines)) && equal(wn_sub(line, x), wn_sub(lines, x)), "a line again and again", 0);
    check(equal(wn_sub(x, column), wn_sub(x, columns)) && equal(wn_sub(column, x), wn_sub(columns, x)), "a value a row", 0);
    check(equal(wn_mul(column, line), wn_mul(columns, lines)), "a line by a column", 0);
    check(equal(wn_gt(x, line), wn_gt(x, lines)) && equal(wn_where(wn_gt(column, 7), x, line), wn_where(wn_gt(columns, 7), x, lines)), "masks of short rows", 0);
    check(equal(wn_addcmul(x, line, x), wn_addcmul(x, lines, x)) && equal(wn_add(wn_expand(line, WN_DIMS(rows, row)), 2), wn_add(lines, 2)), "short rows, numbers", 0);
    wn_tensor *y = wn_clone(x);
    check(equal(wn_add_(y, line), wn_add(x, lines)), "short rows in place", 0);
}

/* All pairs of two matrices' rows, of several such: what repeats changes from one period to the next. */
static void test_pairs(wn_dtype d, int64_t batch, int64_t n, int64_t m, int64_t row) {
    WN_SCOPE(scope);
    wn_tensor *x = wn_to(wn_reshape(wn_arange(batch * n * row), WN_DIMS(batch, n, 1, row)), d), *y = wn_to(wn_reshape(wn_arange(batch * m * row), WN_DIMS(batch, 1, m, row)), d);
    wn_tensor *xs = wn_contiguous(wn_expand(x, WN_DIMS(batch, n, m, row))), *ys = wn_contiguous(wn_expand(y, WN_DIMS(batch, n, m, row)));
    check(equal(wn_sub(x, y), wn_sub(xs, ys)) && equal(wn_mul(y, x), wn_mul(ys, xs)) && equal(wn_lt(x, y), wn_lt(xs, ys)), "pairs of rows", 0);
    check(equal(wn_addcmul(xs, x, y), wn_addcmul(xs, xs, ys)), "pairs of rows, three operands", 0);
}

/* Copies that go past the caches (engine/stream.h), from places and to places that are no lines: every element is its number. */
static bool counts_from(wn_tensor *t, int64_t first, int64_t n) {
    const int64_t *x = wn_data(t);
    int64_t i = 0;
    if (!x || wn_numel(t) != n) return false;
    while (i < n && x[i] == first + i) i++;
    return i == n;
}
static void test_streams(void) {
    WN_SCOPE(s);
    const int64_t n = WN__STREAM_LEAST / 8 + 1237;
    wn_tensor *x = wn_arange(n), *part = wn_narrow(x, 0, 3, n - 5), *y = wn_empty(WN_DIMS(n), .dtype = WN_I64);
    check(counts_from(wn_clone(x), 0, n) && counts_from(wn_clone(part), 3, n - 5), "copies past the caches", 0);
    wn_tensor *middle = wn_narrow(y, 0, 1, n - 5);
    check(wn_ok(wn_copy_(middle, part)) && counts_from(middle, 3, n - 5), "to the middle of a line", 0);
    wn_tensor *rows = wn_reshape(wn_narrow(x, 0, 0, n / 1000 * 1000), WN_DIMS(-1, 1000)), *cut = wn_contiguous(wn_narrow(rows, 1, 1, 999)), *want = wn_add(wn_narrow(rows, 1, 1, 999), 0);
    check(equal(cut, want), "rows past the caches", 0);
}

/* Folds over nothing have their neutral value. */
static void test_nothing(void) {
    float sum = 7, x = 1;
    wn__program p = {.nleaves = 1, .ninstrs = 1, .noutputs = 1, .numel = 0};
    p.leaves[0] = (wn__leaf){.base = (char *)&x, .dtype = WN_F32, .ct = WN__CT_F32, .ndim = 1, .shape = {0}, .strides = {4}};
    p.instrs[0] = (wn__instr){.what = WN__DO_FOLD, .space = WN__ALL, .nsrc = 1, .ct = WN__CT_F32, .dtype = WN_F32, .kind = WN__R_SUM, .from = WN_F32};
    p.outputs[0] = (wn__output){.to = {.base = (char *)&sum, .dtype = WN_F32, .ct = WN__CT_F32, .space = WN__ALL}, .src = 1};
    check(wn__program_run(&p) && sum == 0, "a sum of nothing", 0);
}

int main(int argc, char **argv) {
    int programs = argc > 1 ? atoi(argv[1]) : 1000, first = argc > 2 ? atoi(argv[2]) : 0;
    show = programs == 1;
    for (int i = first; i < first + programs; i++) {
        seed_now = (uint64_t)i;
        random_state = 88172645463325252u ^ ((uint64_t)(i + 1) * 0x9e3779b97f4a7c15u);
        for (int k = 0; k < 8; k++) random_bits();
        if (i % 5 == 4) test_pieces(i);
        else test_random(i);
    }
    wn__cpu_level_set(WN__LEVELS);
    test_counts();
    test_nothing();
    test_streams();
    test_spread(WN_F32), test_spread(WN_F64);
    for (int d = WN_DTYPE_DEFAULT + 1; d < WN__DTYPES; d++)
        if (d != WN_BOOL)
            for (int64_t row = 2; row < 1100; row += row / 2 + 5) {
                test_short_rows((wn_dtype)d, 40001 / row, row);
                test_pairs((wn_dtype)d, 1, 31, 4001 / row + 1, row);
                test_pairs((wn_dtype)d, 3, 7, 4001 / row + 1, row);
            }
    test_bands(1, 700, 300), test_bands(5, 203, 190), test_bands(700, 16, 30), test_bands(1, 20, 30000);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
