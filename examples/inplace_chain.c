/* In-place operations end in an underscore: they write into their first argument and return it, so they chain, and no memory
 * is allocated. wn_relu_(wn_add_(wn_mul_(x, 0.9), 0.05)) is x = max(x * 0.9 + 0.05, 0). */
#include "timing.h"

enum { N = 1000000 };

typedef struct task {
    float *x;      /* the loop's array */
    wn_tensor *tx; /* winnow's, with the same contents at first */
} task;

static void naive(void *data) {
    task *t = data;
    for (int i = 0; i < N; i++) {
        float v = t->x[i] * 0.9f + 0.05f;
        t->x[i] = v < 0 ? 0 : v;
    }
}

static wn_tensor *chain(wn_tensor *x) { return wn_relu_(wn_add_(wn_mul_(x, 0.9), 0.05)); }

static void winnow(void *data) {
    WN_SCOPE(s);
    wn_data(chain(((task *)data)->tx));
}

int main(void) {
    wn_set_error_hook(wn_fatal);
    WN_SCOPE(s);
    wn_manual_seed(0);
    task t = {.x = normal(N)};
    t.tx = wn_from_data(t.x, WN_DIMS(N), WN_F32); /* copies */

    printf("before:\n");
    wn_print(wn_slice(t.tx, 0, 0, 6));
    wn_stats before = wn_get_stats();
    const void *address = wn_data(t.tx);
    wn_tensor *y = chain(t.tx);
    bool same = wn_data(y) == address;
    long long fresh = wn_get_stats().allocations - before.allocations;
    printf("after, %s, %lld blocks of memory allocated:\n", same ? "at the same address" : "ELSEWHERE", fresh);
    wn_print(wn_slice(t.tx, 0, 0, 6));

    naive(&t);
    agree(wn_data(t.tx), t.x, N, 1e-6);
    race("x = relu(x * 0.9 + 0.05)", naive, winnow, &t);

    /* A view shares its storage: what is written into every second element is seen in the whole. */
    wn_fill_(wn_slice(t.tx, 0, 0, N, .step = WN_VAL(2)), 7);
    printf("every second element set through a view:\n");
    wn_print(wn_slice(t.tx, 0, 0, 6));
    free(t.x);
    return !same;
}
