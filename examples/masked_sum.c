/* Reductions under a mask: sum(x, where=m) and prod(x, where=m) count only the elements where m is true. The others are not
 * multiplied by zero but left out: whatever stands there, a NaN included, cannot reach the result. */
#include "timing.h"

enum { N = 1000000 };

typedef struct task {
    const float *x;
    const bool *m;
    double sum, product;
    wn_tensor *tx, *tm;
} task;

static void naive(void *data) {
    task *t = data;
    t->sum = 0, t->product = 1;
    for (int i = 0; i < N; i++) {
        if (!t->m[i]) continue;
        t->sum += t->x[i];
        t->product *= t->x[i];
    }
}

static void winnow(void *data) {
    task *t = data;
    WN_SCOPE(s);
    t->sum = wn_item_f64(wn_sum(t->tx, .where = t->tm));
    t->product = wn_item_f64(wn_prod(t->tx, .where = t->tm, .dtype = WN_F64)); /* half a million factors: in double */
}

int main(void) {
    wn_set_error_hook(wn_fatal);
    WN_SCOPE(s);
    wn_manual_seed(0);
    float *x = normal(N);
    bool *m = malloc(N);
    if (!m) return 1;
    for (int i = 0; i < N; i++) {
        m[i] = x[i] > 0;
        x[i] = m[i] ? 1 + x[i] * 1e-6f : NAN; /* what is masked out is garbage */
    }
    task t = {.x = x, .m = m};
    t.tx = wn_from_data(x, WN_DIMS(N), WN_F32);
    t.tm = wn_from_data(m, WN_DIMS(N), WN_BOOL);

    printf("without the mask: sum %g\n", wn_item_f64(wn_sum(t.tx)));
    winnow(&t);
    double sum = t.sum, product = t.product;
    printf("with it: %lld elements, sum %.2f, product %.6f\n", (long long)wn_item_i64(wn_sum(t.tm)), sum, product);

    naive(&t);
    bool good = fabs(sum - t.sum) <= 1e-6 * t.sum && fabs(product - t.product) <= 1e-6 * t.product;
    printf("the naive loop in double says %.2f and %.6f: %s\n", t.sum, t.product, good ? "they agree" : "THEY DIFFER");
    race("masked sum and product", naive, winnow, &t);
    free(x), free(m);
    return !good;
}
