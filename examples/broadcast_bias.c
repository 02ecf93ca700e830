/* Broadcasting: one row of biases is added to every row of a matrix. Shapes are compared from the right; a dimension that one
 * operand lacks, or has with size 1, is repeated without being copied: [4096, 512] + [512] -> [4096, 512]. */
#include "timing.h"

enum { ROWS = 4096, COLUMNS = 512 };

typedef struct task {
    const float *x, *bias; /* C memory, for the loop */
    float *y;
    wn_tensor *tx, *tbias; /* copies of it, as tensors */
} task;

static void naive(void *data) {
    task *t = data;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) t->y[i * COLUMNS + j] = t->x[i * COLUMNS + j] + t->bias[j];
}

static wn_tensor *add_bias(const task *t) { return wn_add(t->tx, t->tbias); }

static void winnow(void *data) {
    WN_SCOPE(s);
    wn_data(add_bias(data)); /* evaluation may be deferred: looking at the data makes it happen */
}

int main(void) {
    wn_set_error_hook(wn_fatal);
    WN_SCOPE(s);
    wn_manual_seed(0);
    float *x = normal(ROWS * COLUMNS), *bias = normal(COLUMNS);
    task t = {.x = x, .bias = bias, .y = floats(ROWS * COLUMNS)};
    t.tx = wn_from_data(x, WN_DIMS(ROWS, COLUMNS), WN_F32);
    t.tbias = wn_from_data(bias, WN_DIMS(COLUMNS), WN_F32);

    wn_tensor *y = add_bias(&t);
    printf("x + bias, the first 2 rows and 5 columns:\n");
    wn_print(wn_slice(wn_slice(y, 0, 0, 2), 1, 0, 5));

    /* A column broadcasts too once it has a second dimension: [4096, 1]. Here each row is centred on its own mean. */
    wn_tensor *centred = wn_sub(y, wn_mean(y, .dims = WN_DIMS(1), .keepdim = true));
    printf("largest row mean after centring: %.1e\n", wn_item_f64(wn_amax(wn_abs(wn_mean(centred, .dims = WN_DIMS(1))))));

    naive(&t);
    agree(wn_data(y), t.y, ROWS * COLUMNS, 0);
    race("x + bias", naive, winnow, &t);
    free(x), free(bias), free(t.y);
}
