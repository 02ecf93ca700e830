/* Times kernel programs: program [threads]
 * The chain t = a * b + c; t = where(t > .5, 2 * t, t); t * t + 3 * t against the same arithmetic in one hand-written loop; a
 * layer norm as a row program; a guarded branch; what preparing costs; a piece of an epilogue. */
#include "base/alloc.h"
#include "call/dispatch.h"
#include "engine/program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(wn_num_threads() == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + 1e-3 * (double)t.tv_nsec;
}
static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
enum { TIMES = 25 };
/* Microseconds, the median of some runs of about a millisecond each. */
#define MEDIAN(us, what)                                                \
    do {                                                                \
        double t_[TIMES], t0_ = now();                                  \
        int n_ = 0;                                                     \
        do {                                                            \
            what;                                                       \
            n_++;                                                       \
        } while (now() - t0_ < 2000);                                   \
        for (int k_ = 0; k_ < TIMES; k_++) {                            \
            t0_ = now();                                                \
            for (int i_ = 0; i_ < n_; i_++) { what; }                   \
            t_[k_] = (now() - t0_) / n_;                                \
        }                                                               \
        qsort(t_, TIMES, sizeof *t_, by_value);                         \
        us = t_[TIMES / 2];                                             \
    } while (0)

static wn__kernel kernel(const char *name, bool unit, int ct) {
    const wn_op *op = wn_op_find(name);
    return wn__kernels_now()->rows[unit ? op->unit_kernel : op->kernel][ct];
}
static float *floats(int64_t n, double scale) {
    float *p = aligned_alloc(64, (size_t)(n * 4 + 63) / 64 * 64);
    for (int64_t i = 0; i < n; i++) p[i] = (float)(((double)(i * 7919 % 1000) / 1000 - .3) * scale);
    return p;
}
static void leaf(wn__leaf *l, const void *base, int64_t n) {
    *l = (wn__leaf){.base = (char *)(uintptr_t)base, .dtype = WN_F32, .ct = WN__CT_F32, .ndim = 1, .shape = {n}, .strides = {4}};
}
static void constant(wn__leaf *l, const float *v) {
    *l = (wn__leaf){.base = (char *)(uintptr_t)v, .dtype = WN_F32, .ct = WN__CT_F32, .constant = true};
}
static int instr(wn__program *p, wn__kernel fn, int ct, int space, int n, int a, int b, int c) {
    wn__instr *in = &p->instrs[p->ninstrs++];
    *in = (wn__instr){.fn = fn, .what = WN__DO_KERNEL, .space = (uint8_t)space, .nsrc = (uint8_t)n, .ct = (uint8_t)ct, .cost = 1};
    in->dtype = (uint8_t)(ct == WN__CT_B8 ? WN_BOOL : WN_F32);
    in->src[0] = (uint8_t)a, in->src[1] = (uint8_t)b, in->src[2] = (uint8_t)c;
    return p->nleaves + p->ninstrs - 1;
}
static void output(wn__program *p, float *to, int64_t n, int reg) {
    wn__output *o = &p->outputs[p->noutputs++];
    leaf(&o->to, to, n);
    o->src = (uint8_t)reg;
    o->in_place = false;
}

#if defined(__x86_64__)
__attribute__((noinline, target("avx2,fma")))
#endif
static void by_hand(int64_t n, const float *a, const float *b, const float *c, float *y) {
    for (int64_t i = 0; i < n; i++) {
        float t = a[i] * b[i] + c[i];
        t = t > .5f ? 2 * t : t;
        y[i] = t * t + 3 * t;
    }
}

static const float two = 2, three = 3, half = .5f;
static void chain(wn__program *p, int64_t n, float *a, float *b, float *c, float *y) {
    memset(p, 0, sizeof *p);
    p->nleaves = 6;
    p->numel = n;
    leaf(&p->leaves[0], a, n), leaf(&p->leaves[1], b, n), leaf(&p->leaves[2], c, n);
    constant(&p->leaves[3], &half), constant(&p->leaves[4], &two), constant(&p->leaves[5], &three);
    wn__kernel mul = kernel("mul.Tensor", false, 0), add = kernel("add.Tensor", true, 0), gt = kernel("gt", false, 0), where = kernel("where.self", false, 0);
    int ab = instr(p, mul, 0, WN__FULL, 2, 0, 1, 0), t = instr(p, add, 0, WN__FULL, 2, ab, 2, 0);
    int m = instr(p, gt, WN__CT_B8, WN__FULL, 2, t, 3, 0), d = instr(p, mul, 0, WN__FULL, 2, t, 4, 0);
    int w = instr(p, where, 0, WN__FULL, 3, m, d, t), s = instr(p, mul, 0, WN__FULL, 2, w, w, 0);
    int r = instr(p, mul, 0, WN__FULL, 2, w, 5, 0);
    output(p, y, n, instr(p, add, 0, WN__FULL, 2, s, r, 0));
}

static void time_chain(int64_t n) {
    float *a = floats(n, 2), *b = floats(n, 1.5), *c = floats(n, 1), *y = floats(n, 1), *z = floats(n, 1);
    wn__program p;
    double us, hand;
    chain(&p, n, a, b, c, y);
    MEDIAN(us, wn__program_run(&p));
    MEDIAN(hand, by_hand(n, a, b, c, z));
    printf("chain of 8, %9lld elements: %9.2f us, one loop %9.2f us%s\n", (long long)n, us, hand, memcmp(y, z, (size_t)n * 4) ? "  DIFFERENT" : "");
    free(a), free(b), free(c), free(y), free(z);
}

static const float eps = 1e-5f;
static void norm(wn__program *p, int64_t rows, int64_t row, float *x, float *gamma, float *beta, float *y) {
    memset(p, 0, sizeof *p);
    p->nleaves = 4;
    p->numel = rows * row;
    p->row = row;
    leaf(&p->leaves[0], x, p->numel);
    constant(&p->leaves[1], &eps);
    for (int i = 2; i < 4; i++)
        p->leaves[i] = (wn__leaf){.base = (char *)(i == 2 ? gamma : beta), .dtype = WN_F32, .ct = WN__CT_F32, .ndim = 2, .shape = {rows, row}, .strides = {0, 4}};
    wn__kernel mul = kernel("mul.Tensor", false, 0), add = kernel("add.Tensor", true, 0), sub = kernel("sub.Tensor", true, 0);
    int mean = instr(p, NULL, 0, WN__ROW, 1, 0, 0, 0), d = instr(p, sub, 0, WN__FULL, 2, 0, mean, 0);
    int sq = instr(p, kernel("square", false, 0), 0, WN__FULL, 1, d, 0, 0), var = instr(p, NULL, 0, WN__ROW, 1, sq, 0, 0);
    for (int i = 0; i < 4; i += 3) p->instrs[i].what = WN__DO_FOLD, p->instrs[i].kind = WN__R_MEAN, p->instrs[i].from = WN_F32;
    int e = instr(p, add, 0, WN__ROW, 2, var, 1, 0), r = instr(p, kernel("rsqrt", false, 0), 0, WN__ROW, 1, e, 0, 0);
    int v = instr(p, mul, 0, WN__FULL, 2, d, r, 0), g = instr(p, mul, 0, WN__FULL, 2, v, 2, 0);
    output(p, y, p->numel, instr(p, add, 0, WN__FULL, 2, g, 3, 0));
}

static void time_norm(int64_t rows, int64_t row) {
    int64_t n = rows * row;
    float *x = floats(n, 2), *gamma = floats(row, 1), *beta = floats(row, 1), *y = floats(n, 1);
    wn__program p;
    double us, copy;
    norm(&p, rows, row, x, gamma, beta, y);
    MEDIAN(us, wn__program_run(&p));
    MEDIAN(copy, memcpy(y, x, (size_t)n * 4); __asm__ volatile("" ::"r"(y) : "memory"));
    printf("layer norm %lldx%lld: %9.1f us (%.2f ns an element), a copy %9.1f us\n", (long long)rows, (long long)row, us, us * 1e3 / (double)n, copy);
    free(x), free(gamma), free(beta), free(y);
}

static void time_guard(int64_t n, int percent) {
    float *x = floats(n, 1), *y = floats(n, 1);
    uint8_t *mask = malloc((size_t)n);
    for (int64_t i = 0; i < n; i++) mask[i] = i * 7919 % 100 < percent;
    wn__program p;
    double us[2];
    for (int guarded = 0; guarded < 2; guarded++) {
        memset(&p, 0, sizeof p);
        p.nleaves = 2;
        p.numel = n;
        leaf(&p.leaves[0], x, n), leaf(&p.leaves[1], mask, n);
        p.leaves[1].dtype = WN_BOOL, p.leaves[1].ct = WN__CT_B8, p.leaves[1].strides[0] = 1;
        int t = 0;
        const char *names[] = {"exp", "log1p", "tanh"};
        for (int k = 0; k < 3; k++) t = instr(&p, kernel(names[k], false, 0), 0, WN__FULL, 1, t, 0, 0);
        for (int k = 0; k < 3; k++) p.instrs[k].cost = 8, p.instrs[k].guard = (uint8_t)guarded;
        int w = instr(&p, kernel("where.self", false, 0), 0, WN__FULL, 3, 1, t, 0);
        p.instrs[3].what = WN__DO_SELECT;
        p.nguards = guarded;
        p.guards[0] = (wn__guard){.mask = 1, .polarity = true};
        output(&p, y, n, w);
        MEDIAN(us[guarded], wn__program_run(&p));
    }
    printf("where(m, tanh(log1p(exp x)), x), %3d%% of %lld: %9.1f us, without guards %9.1f us\n", percent, (long long)n, us[1], us[0]);
    free(x), free(y), free(mask);
}

static void nothing(int64_t n, void *out, const void *const *in) { (void)n, (void)out, (void)in; }

static void time_overhead(void) {
    enum { N = 8192 };
    float *a = floats(N, 2), *b = floats(N, 1.5), *c = floats(N, 1), *y = floats(N, 1);
    wn__program p;
    double all, empty, one;
    chain(&p, N, a, b, c, y);
    MEDIAN(all, wn__program_run(&p));
    for (int i = 0; i < p.ninstrs; i++) p.instrs[i].fn = nothing;
    MEDIAN(empty, wn__program_run(&p));
    p.numel = 16;
    MEDIAN(one, wn__program_run(&p));
    printf("chain of 8, 8192 elements: %.3f us; kernels that do nothing: %.3f us, of which %.3f to prepare\n", all, empty, one);
    p.ninstrs = 0;
    p.nleaves = 1;
    p.outputs[0].src = 0;
    MEDIAN(one, wn__program_run(&p));
    printf("a copy of 16 elements: %.3f us\n", one);
}

static void time_pieces(void) {
    enum { M = 512, N = 256 };
    float *bias = floats(N, 1), *data = floats(N, 1), zero = 0;
    wn__program p;
    memset(&p, 0, sizeof p);
    p.nleaves = 3;
    p.numel = M * N;
    leaf(&p.leaves[0], NULL, M * N);
    p.leaves[1] = (wn__leaf){.base = (char *)bias, .dtype = WN_F32, .ct = WN__CT_F32, .ndim = 2, .shape = {M, N}, .strides = {0, 4}};
    constant(&p.leaves[2], &zero);
    int t = instr(&p, kernel("add.Tensor", true, 0), 0, WN__FULL, 2, 0, 1, 0);
    output(&p, NULL, M * N, instr(&p, kernel("maximum", false, 0), 0, WN__FULL, 2, t, 2, 0));
    wn__pieces *r = wn__pieces_new(&p);
    double us, fresh;
    MEDIAN(us, for (int i = 0; i < M; i++) wn__program_piece(r, i * N, 64, data, 2));
    wn__pieces_free(r);
    MEDIAN(fresh, r = wn__pieces_new(&p); wn__pieces_free(r));
    printf("bias and relu on a piece of 64: %.1f ns; preparing pieces %.2f us\n", us * 1e3 / M, fresh);
}

int main(int argc, char **argv) {
    wn_set_num_threads(argc > 1 ? atoi(argv[1]) : 1);
    printf("%s, %d threads\n", wn_level(), wn_num_threads());
    for (int64_t n = 1000; n <= 10000000; n *= 10) time_chain(n);
    time_norm(4096, 768);
    time_norm(40000, 64);
    time_norm(100000, 10);
    time_norm(400, 5000);
    for (int percent = 0; percent <= 100; percent += percent < 2 ? 1 : percent < 50 ? 24 : 50) time_guard(1000000, percent);
    time_overhead();
    time_pieces();
    return 0;
}
