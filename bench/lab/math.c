/* Nanoseconds per element of every mathematics function, data in L1, for the ISA level this file is compiled at:
 *   gcc -std=c11 -O3 -march=x86-64-v3 -ffp-contract=off -fno-math-errno -fno-trapping-math -Isrc bench/lab/math.c -lm
 * Arguments: names to run (none: all). Compile with -fopt-info-vec-missed or -Rpass-missed=loop-vectorize to see which
 * loops stay scalar. Best of 7 runs. */
#define _POSIX_C_SOURCE 199309L
#include "engine/math/math.h"
#include "engine/math/names.h"
#include <stdio.h>
#include <time.h>

enum { N = 1024 };
static float f32_in[2][N], f32_out[N];
static double f64_in[2][N], f64_out[N];

#define LOOP1(name)                                                                                                    \
    static void name##_f32(void) {                                                                                     \
        for (int i = 0; i < N; i++) f32_out[i] = wn__##name##_f32(f32_in[0][i]);                                       \
    }                                                                                                                  \
    static void name##_f64(void) {                                                                                     \
        for (int i = 0; i < N; i++) f64_out[i] = wn__##name##_f64(f64_in[0][i]);                                       \
    }
#define LOOP2(name)                                                                                                    \
    static void name##_f32(void) {                                                                                     \
        for (int i = 0; i < N; i++) f32_out[i] = wn__##name##_f32(f32_in[0][i], f32_in[1][i]);                         \
    }                                                                                                                  \
    static void name##_f64(void) {                                                                                     \
        for (int i = 0; i < N; i++) f64_out[i] = wn__##name##_f64(f64_in[0][i], f64_in[1][i]);                         \
    }
WN__MATH_1(LOOP1)
WN__MATH_2(LOOP2)

typedef void run_fn(void);
typedef struct row {
    const char *name;
    run_fn *f32, *f64;
} row;
#define ROW(name) {#name, name##_f32, name##_f64},
static const row rows[] = {WN__MATH_1(ROW) WN__MATH_2(ROW)};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
static double best(run_fn *f) {
    double b = 1e30;
    for (int r = 0; r < 7; r++) {
        int reps = 200;
        double t = now();
        for (int i = 0; i < reps; i++) {
            f();
            __asm__ volatile("" ::"r"(f32_out), "r"(f64_out), "r"(f32_in), "r"(f64_in) : "memory");
        }
        t = (now() - t) / reps / N;
        b = t < b ? t : b;
    }
    return b;
}

int main(int argc, char **argv) {
    printf("%-12s %8s %8s   ns/element\n", "", "f32", "f64");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int run = argc == 1;
        for (int a = 1; a < argc; a++) run |= !strcmp(argv[a], rows[i].name);
        if (!run) continue;
        /* (0, 1) for the inverse functions and what needs a positive base, else (-5, 5) */
        int unit = !strcmp(rows[i].name, "asin") || !strcmp(rows[i].name, "acos") || !strcmp(rows[i].name, "atanh") ||
                   !strcmp(rows[i].name, "erfinv");
        int pos = !strncmp(rows[i].name, "log", 3) || !strcmp(rows[i].name, "pow") || !strcmp(rows[i].name, "sqrt") ||
                  !strcmp(rows[i].name, "rsqrt") || !strcmp(rows[i].name, "acosh");
        uint64_t s = 12345;
        for (int k = 0; k < 2 * N; k++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            double u = (double)(s >> 11) * 0x1p-53, v = unit ? 2 * u - 1 : pos || k >= N ? 0.1 + 5 * u : 10 * u - 5;
            f64_in[k / N][k % N] = v;
            f32_in[k / N][k % N] = (float)v;
        }
        printf("%-12s %8.3f %8.3f\n", rows[i].name, best(rows[i].f32), best(rows[i].f64));
    }
    return 0;
}
