/* Loops of the interpolation of bytes, compiled for each ISA level (engine/level/bytes.c): weighted sums in 32 bits, rounded, shifted and limited to a
 * byte. */
#ifndef WN_ENGINE_BYTES_H
#define WN_ENGINE_BYTES_H
#include "engine/kernels.h"

typedef struct wn__bytes_table {
    /* n pixels of `each` bytes: y's pixel i is the sum of weight[k] times x's pixel first[i] + k - start[i], k from start[i] to start[i + 1] */
    void (*along)(int64_t n, int64_t each, const int64_t *first, const int64_t *start, const int16_t *weight, int shift, const uint8_t *x, uint8_t *y);
    /* y[i] = the sum of weight[k] * x[k * step + i], k < taps, i < n */
    void (*down)(int64_t n, int64_t taps, int64_t step, const int16_t *weight, int shift, const uint8_t *x, uint8_t *y);
} wn__bytes_table;
const wn__bytes_table *wn__bytes_now(void);
#endif
