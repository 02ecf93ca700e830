/* Times matrix products: GFLOP/s and the share of what the register tile reaches when everything lies in L1.
 *   gemm [threads] [m n k [flags]]   flags: a, b = that operand transposed; h = bf16; d = f64
 * Without sizes: the products of docs/history/contraction.md. */
#include "engine/contraction.h"
#include "engine/gemm_kernels.h"
#include "base/threads.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One thread: processor time, which a busy machine disturbs less. */
static double now(void) {
    if (wn_num_threads() == 1) return (double)clock() / CLOCKS_PER_SEC;
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *zeros(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 255) / 64 * 64);
    memset(p, 0, bytes);
    return p;
}

enum { DEPTH = 128, TIMES = 20000 };

static void spin(void *ctx, int64_t begin, int64_t end) {
    const wn__gemm_type *t = ctx;
    char a[8 * WN__GEMM_MAX_MR * DEPTH] __attribute__((aligned(64))) = {0}, b[8 * WN__GEMM_MAX_NR * DEPTH] __attribute__((aligned(64))) = {0};
    char c[8 * WN__GEMM_MAX_MR * WN__GEMM_MAX_NR] __attribute__((aligned(64)));
    for (int64_t i = begin; i < end; i++)
        for (int n = 0; n < TIMES; n++) t->tile(t->mr, t->nr, DEPTH, a, b, t->nr, c, t->nr, 1, 0);
}

static double peak(const wn__gemm_type *t, int threads) {
    double best = 0;
    for (int i = 0; i < 3; i++) {
        const double t0 = now();
        wn__parallel(threads, 1, spin, (void *)t);
        const double g = 2e-9 * threads * TIMES * DEPTH * t->mr * t->nr / (now() - t0);
        if (g > best) best = g;
    }
    return best;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void time_one(int64_t m, int64_t n, int64_t k, const char *flags) {
    const wn_dtype type = strchr(flags, 'h') ? WN_BF16 : strchr(flags, 'd') ? WN_F64 : WN_F32;
    const bool ta = strchr(flags, 'a'), tb = strchr(flags, 'b');
    const size_t size = wn_dtype_size(type);
    wn__contraction c = {.dtype = type, .out_dtype = type, .nm = 1, .nn = 1, .nk = 1, .alpha = 1};
    void *pa = zeros((size_t)(m * k) * size), *pb = zeros((size_t)(n * k) * size);
    c.a = pa, c.b = pb, c.c = zeros((size_t)(m * n) * size);
    c.m[0] = (wn__axis){m, ta ? 1 : k, 0, n};
    c.n[0] = (wn__axis){n, 0, tb ? k : 1, 1};
    c.k[0] = (wn__axis){k, ta ? m : 1, tb ? 1 : n, 0};
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    const wn__gemm_type *t = type == WN_F64 ? kernels->f64 : kernels->f32;
    const double top = peak(t, wn_num_threads());
    const double flops = 2.0 * (double)m * (double)n * (double)k;
    const int inner = flops > 4e6 ? 1 : (int)(4e6 / flops) + 1;
    double times[31], t0;
    int rounds = flops > 1e10 ? 5 : 31;
    wn__contract(&c);
    for (int r = 0; r < rounds; r++) {
        t0 = now();
        for (int i = 0; i < inner; i++) wn__contract(&c);
        times[r] = (now() - t0) / inner;
    }
    qsort(times, (size_t)rounds, sizeof *times, compare);
    printf("%5ld %5ld %5ld %-3s %10.1f us  %7.1f GFLOP/s  %3.0f%% of tile %.0f   (best %.1f)\n", (long)m, (long)n, (long)k, flags,
           times[rounds / 2] * 1e6, flops * 1e-9 / times[rounds / 2], 100 * flops * 1e-9 / times[rounds / 2] / top, top,
           flops * 1e-9 / times[0]);
    free(pa), free(pb), free(c.c);
}

int main(int argc, char **argv) {
    wn_set_num_threads(argc > 1 ? atoi(argv[1]) : 2);
    if (argc > 4) {
        time_one(atol(argv[2]), atol(argv[3]), atol(argv[4]), argc > 5 ? argv[5] : "");
        return 0;
    }
    static const struct {
        int64_t m, n, k;
        const char *flags;
    } table[] = {{16, 16, 16, ""},      {32, 32, 32, ""},       {64, 64, 64, ""},       {128, 128, 128, ""},  {256, 256, 256, ""},
                 {512, 512, 512, ""},   {1024, 1024, 1024, ""}, {1024, 1024, 1024, "b"}, {1024, 1024, 1024, "a"}, {2048, 2048, 2048, ""},
                 {64, 128, 784, "b"},   {64, 10, 128, "b"},     {784, 128, 64, "a"},    {1, 1024, 1024, ""},  {1, 1024, 1024, "b"},
                 {1024, 1, 1024, ""},   {4, 1024, 1024, "b"},   {4, 4096, 4096, "b"},   {16, 4096, 1024, ""}, {60000, 10, 128, "b"},
                 {1, 4096, 4096, ""},   {1, 4096, 4096, "b"},   {128, 128, 60000, "a"}, {1024, 1024, 1024, "d"}, {1024, 1024, 1024, "h"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) time_one(table[i].m, table[i].n, table[i].k, table[i].flags);
    return 0;
}
