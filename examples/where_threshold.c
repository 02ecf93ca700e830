/* where(condition, a, b): an if for every element. Below a threshold signals are damped to a tenth, above it they pass. A loop
 * over random data mispredicts its branch time and again, where the compiler leaves it one; a mask has no branch. */
#include "timing.h"

enum { N = 1000000 };

typedef struct task {
    const float *x;
    float *y;
    wn_tensor *tx;
} task;

static void naive(void *data) {
    task *t = data;
    for (int i = 0; i < N; i++) {
        if (t->x[i] > 0.5f) t->y[i] = t->x[i];
        else t->y[i] = t->x[i] * 0.1f;
    }
}

static wn_tensor *damp(wn_tensor *x) {
    wn_tensor *loud = wn_gt(x, 0.5); /* a bool tensor: the mask */
    return wn_where(loud, x, wn_mul(x, 0.1));
}

static void winnow(void *data) {
    WN_SCOPE(s);
    wn_data(damp(((task *)data)->tx));
}

int main(void) {
    wn_set_error_hook(wn_fatal);
    WN_SCOPE(s);
    wn_manual_seed(0);
    float *x = normal(N);
    task t = {.x = x, .y = floats(N), .tx = wn_from_data(x, WN_DIMS(N), WN_F32)};

    wn_tensor *y = damp(t.tx);
    printf("before and after:\n");
    wn_print(wn_stack(WN_LIST(wn_slice(t.tx, 0, 0, 6), wn_slice(y, 0, 0, 6))));

    /* The gradient follows the branch taken; the other one never touches it, not even with a NaN: log(x) of a negative x. */
    wn_tensor *leaf = wn_requires_grad(wn_from_data((float[]){-1, 2}, WN_DIMS(2), WN_F32), true);
    if (wn_backward(wn_sum(wn_where(wn_gt(leaf, 0), wn_log(leaf), leaf))) != WN_OK) return 1;
    printf("gradient of where(x > 0, log(x), x) at (-1, 2):\n");
    wn_print(wn_grad_of(leaf));

    naive(&t);
    agree(wn_data(y), t.y, N, 1e-7);
    race("where(x > 0.5, x, x / 10)", naive, winnow, &t);
    free(x), free(t.y);
}
