/* What the files of the recurrent layers share. */
#ifndef WN_OPS_RNN_H
#define WN_OPS_RNN_H
#include "ops/loss/loss.h"
#include "ops/which.h"

static inline int64_t wn__rnn_gates(int64_t kind) { return kind == WN__RNN_LSTM ? 4 : kind == WN__RNN_GRU ? 3 : 1; }

/* The steps of a batch: `rows` rows of step t lie from row `at` on. */
typedef struct wn__steps {
    int64_t n, total, batch;
    int64_t *rows, *at;
} wn__steps;
/* From batch_sizes (i64, not increasing), or, where NULL, steps of `batch` rows each. Error record when they do not fit. */
wn_status wn__steps_read(const char *op, const wn_tensor *batch_sizes, int64_t total, int64_t batch, wn__steps *s);
void wn__steps_free(wn__steps *s);

void wn__rnn_composed_grad(wn__gradctx *c, const wn__steps *s);
#endif
