/* Masks are tensors: they combine with and, or, not, they can be counted, they select. Readings of a sensor with gaps (NaN) and
 * outliers: which are valid, how many, what is their mean, and what is the series without the bad ones? */
#include "timing.h"

enum { N = 1000000 };

typedef struct task {
    const float *x;
    int64_t count;
    double mean;
    wn_tensor *tx;
} task;

static void naive(void *data) {
    task *t = data;
    double sum = 0;
    t->count = 0;
    for (int i = 0; i < N; i++) {
        float v = t->x[i];
        if (!isnan(v) && v > -2 && v < 2) sum += v, t->count++;
    }
    t->mean = sum / (double)t->count;
}

static wn_tensor *valid(wn_tensor *x) {
    wn_tensor *inside = wn_logical_and(wn_gt(x, -2), wn_lt(x, 2));
    return wn_logical_and(inside, wn_logical_not(wn_isnan(x)));
}

static void winnow(void *data) {
    task *t = data;
    WN_SCOPE(s);
    wn_tensor *m = valid(t->tx);
    t->count = wn_item_i64(wn_sum(m)); /* true counts as 1 */
    t->mean = wn_item_f64(wn_mean(t->tx, .where = m));
}

int main(void) {
    wn_set_error_hook(wn_fatal);
    WN_SCOPE(s);
    wn_manual_seed(0);
    float *x = normal(N);
    for (int i = 0; i < N; i += 10) x[i] = i % 3 ? NAN : 1e6f; /* gaps and outliers */
    task t = {.x = x, .tx = wn_from_data(x, WN_DIMS(N), WN_F32)};

    wn_tensor *m = valid(t.tx);
    printf("readings, and which are valid:\n");
    wn_print(wn_slice(t.tx, 0, 0, 6));
    wn_print(wn_slice(m, 0, 0, 6));
    printf("the valid ones alone (x[mask], %lld elements):\n", (long long)wn_numel(wn_masked_select(t.tx, m)));
    wn_print(wn_slice(wn_masked_select(t.tx, m), 0, 0, 6));

    winnow(&t);
    int64_t count = t.count;
    double mean = t.mean;
    naive(&t);
    bool good = count == t.count && fabs(mean - t.mean) < 1e-6;
    printf("winnow: %lld valid, mean %.6f; naive loop: %lld valid, mean %.6f: %s\n", (long long)count, mean,
           (long long)t.count, t.mean, good ? "they agree" : "THEY DIFFER");
    race("mean of the valid readings", naive, winnow, &t);
    free(x);
    return !good;
}
