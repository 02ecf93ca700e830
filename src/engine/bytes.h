/* Loops that interpolate bytes, compiled for each instruction set level (engine/level/bytes.c): weighted sums in 32
 * bits, which are rounded, shifted and limited to a byte. */
#ifndef WN_ENGINE_BYTES_H
#define WN_ENGINE_BYTES_H
#include "engine/kernels.h"

typedef struct wn__bytes_table {
    /* n pixels of `each` bytes: y[i] = sum of weight[k] * x[first[i] + k - start[i]], start[i] <= k < start[i + 1] */
    void (*along)(int64_t n, int64_t each, const int64_t *first, const int64_t *start, const int16_t *weight, int shift, const uint8_t *x, uint8_t *y);
    /* y[i] = the sum of weight[k] * x[k * step + i], k < taps, i < n */
    void (*down)(int64_t n, int64_t taps, int64_t step, const int16_t *weight, int shift, const uint8_t *x, uint8_t *y);
} wn__bytes_table;
const wn__bytes_table *wn__bytes_now(void);
#endif
