/* Vectorising: whole tensors instead of a loop over elements. The density of the normal distribution at a million points:
 * the formula is written once, as mathematics, and runs on vector instructions and all threads. */
#include "timing.h"

enum { N = 1000000 };

typedef struct task {
    const float *x;
    float *y;
    wn_tensor *tx;
} task;

static void naive(void *data) {
    task *t = data;
    for (int i = 0; i < N; i++) t->y[i] = 0.39894228f * expf(-0.5f * t->x[i] * t->x[i]);
}

static wn_tensor *density(wn_tensor *x) { return wn_mul(wn_exp(wn_mul(wn_square(x), -0.5)), 0.39894228); }

static void winnow(void *data) {
    WN_SCOPE(s);
    wn_data(density(((task *)data)->tx)); /* look at the result: evaluation may be deferred */
}

int main(void) {
    wn_set_error_hook(wn_fatal);
    WN_SCOPE(s);
    wn_manual_seed(0);
    float *x = normal(N);
    task t = {.x = x, .y = floats(N), .tx = wn_from_data(x, WN_DIMS(N), WN_F32)};

    wn_tensor *y = density(t.tx);
    printf("density of the first points:\n");
    wn_print(wn_slice(y, 0, 0, 6));
    printf("mean density %.5f (1 / sqrt(4 pi) = 0.28209)\n", wn_item_f64(wn_mean(y)));

    naive(&t);
    agree(wn_data(y), t.y, N, 1e-6);
    race("normal density", naive, winnow, &t);
    free(x), free(t.y);
}
