/* einsum names the dimensions and says what is summed. Attention scores: for every batch b and head h the product of each query
 * with each key, summed over their d features; then softmax over the keys and a weighted sum of the values.
 *     scores[b,h,q,k] = sum_d query[b,h,q,d] key[b,h,k,d] / sqrt(D) */
#include <string.h>
#include "timing.h"

enum { B = 2, H = 4, L = 128, D = 64 };

typedef struct task {
    float *q, *k, *v, *p, *y; /* p: the weights */
    wn_tensor *tq, *tk, *tv;
} task;

static void naive(void *data) {
    task *t = data;
    for (int bh = 0; bh < B * H; bh++)
        for (int i = 0; i < L; i++) {
            const float *q = t->q + (bh * L + i) * D;
            float *p = t->p + (bh * L + i) * L, *y = t->y + (bh * L + i) * D, top = -INFINITY, sum = 0;
            for (int j = 0; j < L; j++) {
                p[j] = 0;
                for (int d = 0; d < D; d++) p[j] += q[d] * t->k[(bh * L + j) * D + d];
                p[j] /= sqrtf(D);
                if (p[j] > top) top = p[j];
            }
            for (int j = 0; j < L; j++) sum += p[j] = expf(p[j] - top);
            memset(y, 0, D * sizeof *y);
            for (int j = 0; j < L; j++)
                for (int d = 0; d < D; d++) y[d] += p[j] / sum * t->v[(bh * L + j) * D + d];
        }
}

static wn_tensor *scores(const task *t) { return wn_div(wn_einsum("bhqd,bhkd->bhqk", t->tq, t->tk), sqrt(D)); }
static wn_tensor *attention(const task *t) { return wn_einsum("bhqk,bhkd->bhqd", wn_softmax(scores(t), -1), t->tv); }

static void winnow(void *data) {
    WN_SCOPE(s);
    wn_data(attention(data));
}

int main(void) {
    wn_set_error_hook(wn_fatal);
    WN_SCOPE(s);
    wn_manual_seed(0);
    int n = B * H * L * D;
    task t = {normal(n), normal(n), normal(n), floats(B * H * L * L), floats(n), NULL, NULL, NULL};
    wn_dims shape = WN_DIMS(B, H, L, D);
    t.tq = wn_from_data(t.q, shape, WN_F32);
    t.tk = wn_from_data(t.k, shape, WN_F32);
    t.tv = wn_from_data(t.v, shape, WN_F32);

    wn_tensor *head = wn_select(wn_select(scores(&t), 0, 0), 0, 0); /* batch 0, head 0: [L, L] */
    printf("scores of the first queries and keys:\n");
    wn_print(wn_slice(wn_slice(head, 0, 0, 3), 1, 0, 5));

    /* Causal attention: a query sees no later key. where= is a mask, true = keep; what it leaves out costs no exp. */
    wn_tensor *causal = wn_softmax(head, -1, .where = wn_tril(wn_ones(WN_DIMS(L, L), .dtype = WN_BOOL)));
    printf("causal weights of the first queries:\n");
    wn_print(wn_slice(wn_slice(causal, 0, 0, 3), 1, 0, 5));

    naive(&t);
    agree(wn_data(attention(&t)), t.y, n, 1e-5);
    race("attention, 2 x 4 heads of 128 x 64", naive, winnow, &t);
    free(t.q), free(t.k), free(t.v), free(t.p), free(t.y);
}
