/* One step of recurrent cells for one row of a batch, compiled for each ISA level (engine/level/rnn_kernels.c). f32 and f64; h is the number of
 * hidden units, everything lies without gaps. */
#ifndef WN_ENGINE_RNN_KERNELS_H
#define WN_ENGINE_RNN_KERNELS_H
#include <stdint.h>

typedef struct wn__rnn_type {
    /* x = tanh(x), or max(x, 0); back: d = dh * slope at y */
    void (*plain)(int64_t h, void *x, int relu);
    void (*plain_back)(int64_t h, const void *y, const void *dh, void *d, int relu);
    /* x, hidden [4h]: what the input and the hidden state contribute to i f g o; saved [5h]: these behind their functions, then
     * c = f * before + i * g; y = o * tanh(c) */
    void (*lstm)(int64_t h, const void *x, const void *hidden, const void *before, void *saved, void *y);
    /* dc: of c in, of the cell before out; d [4h]: of the gates; y: o * tanh(c) again, where not NULL */
    void (*lstm_back)(int64_t h, const void *gates, const void *before, const void *c, const void *dh, void *dc, void *d, void *y);
    /* saved [4h]: r z n from the input before their functions and after, then hidden's part of n; hidden [3h]: the hidden state's part;
     * y = n + z * (before - n) */
    void (*gru)(int64_t h, void *saved, const void *hidden, const void *before, void *y);
    /* dx, dhid [3h]: of the input's and the hidden state's part; direct: of the state before, where it enters y itself */
    void (*gru_back)(int64_t h, const void *saved, const void *before, const void *dh, void *dx, void *dhid, void *direct);
    void (*add)(int64_t n, void *to, const void *from); /* to += from */
} wn__rnn_type;

typedef struct wn__rnn_kernels {
    wn__rnn_type f32, f64;
} wn__rnn_kernels;
const wn__rnn_kernels *wn__rnn_now(void);
#endif
