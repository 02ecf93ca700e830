/* addmm: bias + A B in one call, the workhorse of every dense layer. beta and alpha scale the two parts:
 * wn_addmm(bias, a, b, .beta = WN_VAL(0.5), .alpha = WN_VAL(2.0)) is 0.5 bias + 2 A B. */
#include "timing.h"

enum { M = 256, K = 512, N = 256 };

typedef struct task {
    float *a, *b, *bias, *y;
    wn_tensor *ta, *tb, *tbias;
} task;

/* The textbook's three loops. */
static void naive(void *data) {
    task *t = data;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++) sum += t->a[i * K + k] * t->b[k * N + j];
            t->y[i * N + j] = t->bias[j] + sum;
        }
}

static wn_tensor *layer(const task *t) { return wn_addmm(t->tbias, t->ta, t->tb); }

static void winnow(void *data) {
    WN_SCOPE(s);
    wn_data(layer(data));
}

int main(void) {
    wn_set_error_hook(wn_fatal);
    WN_SCOPE(s);
    wn_manual_seed(0);
    task t = {normal(M * K), normal(K * N), normal(N), floats(M * N), NULL, NULL, NULL};
    t.ta = wn_from_data(t.a, WN_DIMS(M, K), WN_F32);
    t.tb = wn_from_data(t.b, WN_DIMS(K, N), WN_F32);
    t.tbias = wn_from_data(t.bias, WN_DIMS(N), WN_F32); /* broadcasts to [M, N] */

    wn_tensor *y = layer(&t);
    printf("bias + a b, a corner of [256, 256]:\n");
    wn_print(wn_slice(wn_slice(y, 0, 0, 3), 1, 0, 5));

    /* Transposed operands are views: nothing is copied to multiply with them. */
    wn_tensor *back = wn_t(wn_matmul(wn_t(t.tb), wn_t(t.ta))); /* (B^T A^T)^T = A B */
    double off = wn_item_f64(wn_amax(wn_abs(wn_sub(wn_add(back, t.tbias), y))));
    printf("(b^T a^T)^T differs from a b by at most %.1e\n", off);

    naive(&t);
    agree(wn_data(y), t.y, M * N, 1e-4); /* 512 products added in another order */
    race("addmm, 256 x 512 x 256", naive, winnow, &t);
    free(t.a), free(t.b), free(t.bias), free(t.y);
}
