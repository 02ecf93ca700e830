/* Inference without a graph. Parameters that require gradients make every operation save what a backward pass would need.
 * Inside WN_NO_GRAD() nothing is recorded: the intermediate results are freed as soon as their scope ends. */
#include "timing.h"

enum { BATCH = 256, IN = 256, HIDDEN = 256, OUT = 10 };

typedef struct task {
    float *x, *w1, *b1, *w2, *b2, *h, *y; /* C memory, for the loop */
    wn_tensor *tx, *tw1, *tb1, *tw2, *tb2;
} task;

/* y = x w^T + b, w: [out, in] */
static void dense(const float *x, const float *w, const float *b, float *y, int in, int out, bool relu) {
    for (int i = 0; i < BATCH; i++)
        for (int o = 0; o < out; o++) {
            float sum = b[o];
            for (int k = 0; k < in; k++) sum += x[i * in + k] * w[o * in + k];
            y[i * out + o] = relu && sum < 0 ? 0 : sum;
        }
}

static void naive(void *data) {
    task *t = data;
    dense(t->x, t->w1, t->b1, t->h, IN, HIDDEN, true);
    dense(t->h, t->w2, t->b2, t->y, HIDDEN, OUT, false);
}

static wn_tensor *network(const task *t) {
    WN_SCOPE(s); /* the hidden layer ends here, unless a graph holds it */
    wn_tensor *hidden = wn_relu(wn_linear(t->tx, t->tw1, .bias = t->tb1));
    return wn_leave(&s, wn_linear(hidden, t->tw2, .bias = t->tb2));
}

static void winnow(void *data) {
    WN_NO_GRAD(); /* until the closing brace; also a scope */
    wn_data(network(data));
}

static wn_tensor *parameter(float *p, wn_dims shape) {
    return wn_requires_grad(wn_from_data(p, shape, WN_F32), true);
}

int main(void) {
    wn_set_error_hook(wn_fatal);
    WN_SCOPE(s);
    wn_manual_seed(0);
    task t = {normal(BATCH * IN), normal(HIDDEN * IN), normal(HIDDEN), normal(OUT * HIDDEN), normal(OUT),
              floats(BATCH * HIDDEN), floats(BATCH * OUT), NULL, NULL, NULL, NULL, NULL};
    t.tx = wn_from_data(t.x, WN_DIMS(BATCH, IN), WN_F32);
    t.tw1 = parameter(t.w1, WN_DIMS(HIDDEN, IN)), t.tb1 = parameter(t.b1, WN_DIMS(HIDDEN));
    t.tw2 = parameter(t.w2, WN_DIMS(OUT, HIDDEN)), t.tb2 = parameter(t.b2, WN_DIMS(OUT));

    long long start = wn_get_stats().allocated;
    wn_tensor *y = network(&t);
    wn_data(y);
    printf("with a graph: made by %s, %lld bytes held\n", wn_grad_fn(y), (long long)wn_get_stats().allocated - start);
    wn_done(y);
    start = wn_get_stats().allocated;
    {
        WN_NO_GRAD();
        y = wn_keep(network(&t)); /* kept, to be read after the brace */
        wn_data(y);
    }
    printf("without:      made by %s, %lld bytes held\n", wn_grad_fn(y) ? wn_grad_fn(y) : "nobody",
           (long long)wn_get_stats().allocated - start);
    printf("scores of the first sample:\n");
    wn_print(wn_select(y, 0, 0));

    naive(&t);
    agree(wn_data(y), t.y, BATCH * OUT, 1e-4); /* sums of 256 products in another order */
    race("two layers, 256 samples", naive, winnow, &t);
    wn_drop(y);
    free(t.x), free(t.w1), free(t.b1), free(t.w2), free(t.b2), free(t.h), free(t.y);
}
