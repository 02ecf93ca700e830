/* One step of a recurrent cell for one row of a batch, compiled for each instruction set level
 * (engine/level/rnn_kernels.c). f32 and f64; h is the number of hidden units; nothing has gaps. */
#ifndef WN_ENGINE_RNN_KERNELS_H
#define WN_ENGINE_RNN_KERNELS_H
#include <stdint.h>

typedef struct wn__rnn_type {
    /* x = tanh(x), or max(x, 0) (relu). back: d = dh * slope, from the result y. */
    void (*plain)(int64_t h, void *x, int relu);
    void (*plain_back)(int64_t h, const void *y, const void *dh, void *d, int relu);
    /* x, hidden [4h]: what input and hidden state contribute to the gates i f g o. saved [5h]: the gates, then c = f *
     * before + i * g. y = o * tanh(c). */
    void (*lstm)(int64_t h, const void *x, const void *hidden, const void *before, void *saved, void *y);
    /* dc: gradient of c on entry, of `before` on return. d [4h]: of the gates. y: o * tanh(c) again, unless NULL. */
    void (*lstm_back)(int64_t h, const void *gates, const void *before, const void *c, const void *dh, void *dc, void *d, void *y);
    /* saved [4h]: on entry the input's part of r z n, on return the gates, then hidden's part of n. hidden [3h]: the
     * hidden state's part. y = n + z * (before - n). */
    void (*gru)(int64_t h, void *saved, const void *hidden, const void *before, void *y);
    /* dx, dhid [3h]: gradients of the input's and the hidden state's part. direct: of `before` as a term of y. */
    void (*gru_back)(int64_t h, const void *saved, const void *before, const void *dh, void *dx, void *dhid, void *direct);
    void (*add)(int64_t n, void *to, const void *from); /* to += from */
} wn__rnn_type;

typedef struct wn__rnn_kernels {
    wn__rnn_type f32, f64;
} wn__rnn_kernels;
const wn__rnn_kernels *wn__rnn_now(void);
#endif
