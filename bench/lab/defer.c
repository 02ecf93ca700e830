/* What deferring itself costs: recording and dropping one operation, and a flush of eight instructions on so few elements
 * that the kernels hardly count.   bench/lab/defer [elements] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "winnow.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double best_record(wn_tensor *a, wn_tensor *b, int n) {
    double best = 1e30;
    for (int rep = 0; rep < 200; rep++) {
        WN_SCOPE(s);
        double t = now();
        for (int i = 0; i < n; i++) wn_mul(a, b); /* dropped at the scope's end, which is part of the time */
        wn_end(&s);
        t = (now() - t) / n;
        if (t < best) best = t;
    }
    return best;
}

/* t = a*b+c; t = where(t > .5, 2t, t); t*t + 3t */
static wn_tensor *chain(wn_tensor *a, wn_tensor *b, wn_tensor *c) {
    wn_tensor *t = wn_add(wn_mul(a, b), c);
    t = wn_where(wn_gt(t, 0.5), wn_mul(t, 2), t);
    return wn_add(wn_mul(t, t), wn_mul(t, 3));
}

static void flush(wn_tensor *a, wn_tensor *b, wn_tensor *c, double *record, double *run) {
    *record = *run = 1e30;
    for (int rep = 0; rep < 2000; rep++) {
        WN_SCOPE(s);
        double t0 = now();
        wn_tensor *y = chain(a, b, c);
        double t1 = now();
        (void)wn_data(y);
        double t2 = now();
        if (t1 - t0 < *record) *record = t1 - t0;
        if (t2 - t1 < *run) *run = t2 - t1;
    }
}

int main(int argc, char **argv) {
    int64_t n = argc > 1 ? atoll(argv[1]) : 64;
    wn_set_num_threads(1);
    wn_set_defer_from(1);
    WN_SCOPE(s);
    wn_tensor *a = wn_randn(WN_DIMS(n)), *b = wn_randn(WN_DIMS(n)), *c = wn_randn(WN_DIMS(n));
    double record, run;
    flush(a, b, c, &record, &run);
    printf("%lld elements: record and drop one operation %.0f ns; record 8: %.0f ns (%.0f each); run the 8: %.0f ns\n", (long long)n,
           best_record(a, b, 50), record, record / 8, run);
    return 0;
}
