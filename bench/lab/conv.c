/* Times convolutions (forward, gradient in the input, gradient in the weights): conv [threads] [index of the shape].
 * GFLOP/s count the products of the definition, padding included. One thread: processor time. */
#include "engine/contraction.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    if (wn_num_threads() == 1) return (double)clock() / CLOCKS_PER_SEC;
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float *ones(int64_t n) {
    float *p = aligned_alloc(64, ((size_t)n * 4 + 127) / 64 * 64);
    for (int64_t i = 0; i < n; i++) p[i] = 1.0f + (float)(i % 7);
    return p;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct shape {
    int64_t batch, channels, out, groups, size, kernel, stride, padding;
} shape;

static void time_one(const shape *s) {
    const int64_t o = (s->size + 2 * s->padding - s->kernel) / s->stride + 1, in = s->size * s->size, on = o * o, kk = s->kernel * s->kernel;
    const int64_t cg = s->channels / s->groups;
    wn__conv d = {.nd = 2, .dtype = WN_F32, .batch = s->batch, .in_channels = s->channels, .out_channels = s->out, .groups = s->groups,
                  .in = {s->size, s->size}, .out = {o, o}, .kernel = {s->kernel, s->kernel}, .stride = {s->stride, s->stride},
                  .padding = {s->padding, s->padding}, .dilation = {1, 1}, .xs = {s->channels * in, in, s->size, 1},
                  .ws = {cg * kk, kk, s->kernel, 1}, .ys = {s->out * on, on, o, 1}};
    float *x = ones(s->batch * s->channels * in), *w = ones(s->out * cg * kk), *y = ones(s->batch * s->out * on), *b = ones(s->out);
    const double flops = 2.0 * (double)(s->batch * s->out * on) * (double)(cg * kk);
    printf("%3ld x %3ld -> %3ld g %3ld, %3ld^2 k %ld s %ld p %ld ", (long)s->batch, (long)s->channels, (long)s->out, (long)s->groups,
           (long)s->size, (long)s->kernel, (long)s->stride, (long)s->padding);
    for (int which = 0; which < 3; which++) {
        double t[15];
        for (int r = -1; r < 15; r++) {
            const double t0 = now();
            if (which == 0) wn__conv_forward(&d, x, w, b, y, NULL);
            else if (which == 1) wn__conv_grad_input(&d, y, w, x);
            else wn__conv_grad_weight(&d, x, y, w);
            if (r >= 0) t[r] = now() - t0;
        }
        qsort(t, 15, sizeof *t, compare);
        printf(" | %8.0f us %6.1f (%6.1f)", t[7] * 1e6, flops * 1e-9 / t[7], flops * 1e-9 / t[0]);
    }
    printf("\n");
    free(x), free(w), free(y), free(b);
}

int main(int argc, char **argv) {
    static const shape table[] = {{64, 1, 32, 1, 28, 3, 1, 1},  {64, 32, 64, 1, 14, 3, 1, 1},   {64, 64, 64, 1, 32, 3, 1, 1},
                                  {64, 64, 128, 1, 32, 3, 2, 1}, {16, 256, 256, 1, 14, 1, 1, 0}, {64, 3, 64, 1, 32, 7, 2, 3},
                                  {4, 512, 512, 1, 7, 3, 1, 1},  {16, 64, 64, 64, 32, 3, 1, 1},  {1, 64, 64, 1, 56, 3, 1, 1}};
    wn_set_num_threads(argc > 1 ? atoi(argv[1]) : 2);
    printf("us, GFLOP/s (best) of: forward | grad input | grad weight, %d threads\n", wn_num_threads());
    for (int i = 0; i < (int)(sizeof table / sizeof *table); i++)
        if (argc < 3 || atoi(argv[2]) == i) time_one(&table[i]);
    return 0;
}
