/* What the examples share: a race between a naive C loop and winnow, and a check that both say the same. */
#ifndef EXAMPLES_TIMING_H
#define EXAMPLES_TIMING_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "winnow.h"

typedef void (*job)(void *data);
enum { WARM_UP = 3, RUNS = 31 };

static inline double milliseconds(job f, void *data) {
    job volatile opaque = f; /* so that the compiler cannot see that nobody reads the first results */
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    opaque(data);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) * 1e-6;
}

static inline int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Runs both jobs in turn, so that a busy machine slows both, and prints the medians. */
static inline void race(const char *what, job naive, job winnow, void *data) {
    double n[RUNS], w[RUNS];
    for (int i = -WARM_UP; i < RUNS; i++) {
        double a = milliseconds(naive, data), b = milliseconds(winnow, data);
        if (i >= 0) n[i] = a, w[i] = b;
    }
    qsort(n, RUNS, sizeof *n, ascending);
    qsort(w, RUNS, sizeof *w, ascending);
    printf("%s: naive loop %.3f ms, winnow %.3f ms, gain %.2fx (%d threads, %s)\n", what, n[RUNS / 2], w[RUNS / 2],
           n[RUNS / 2] / w[RUNS / 2], wn_num_threads(), wn_level());
}

/* Ends the program unless got and want agree to a relative tolerance; NaN agrees with NaN. */
static inline void agree(const float *got, const float *want, int64_t n, double tolerance) {
    double worst = 0;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(got[i]) && isnan(want[i])) continue;
        double off = fabs((double)got[i] - (double)want[i]) / (1 + fabs((double)want[i]));
        if (!(off <= tolerance)) {
            printf("element %lld: winnow says %.9g, the loop %.9g\n", (long long)i, (double)got[i], (double)want[i]);
            exit(1);
        }
        if (off > worst) worst = off;
    }
    printf("%lld elements agree with the naive loop (largest difference %.1e)\n", (long long)n, worst);
}

static inline float *floats(int64_t n) {
    float *p = malloc((size_t)n * sizeof *p);
    if (!p) perror("malloc"), exit(1);
    return p;
}

/* n numbers from a normal distribution, the same in every run: as C memory that a loop can read. */
static inline float *normal(int64_t n) {
    float *p = floats(n);
    WN_SCOPE(s);
    if (wn_to_memory(wn_randn(WN_DIMS(n)), p, (size_t)n * sizeof *p, WN_F32) != WN_OK) exit(1);
    return p;
}
#endif
