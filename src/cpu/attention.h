/* Rows of scores of attention, compiled for each ISA level (cpu/level/attention.c). f32 and f64; s is [rows, cols] with ld between
 * rows, everything else row-major without gaps. */
#ifndef WN_CPU_ATTENTION_H
#define WN_CPU_ATTENTION_H
#include <stdint.h>

enum { WN__ATTENTION_ROOM = 32 }; /* columns of s are written in whole groups of so many; most rows in one call of soften */

typedef struct wn__attention_type {
    /* Columns beyond first + i of row i become -inf. */
    void (*causal)(int64_t rows, int64_t cols, void *s, int64_t ld, int64_t first);
    /* s = -inf where the mask (bytes; steps in elements) is 0. */
    void (*mask)(int64_t rows, int64_t cols, void *s, int64_t ld, const uint8_t *mask, int64_t row_step, int64_t col_step);
    void (*bias)(int64_t rows, int64_t cols, void *s, int64_t ld, const void *bias, int64_t row_step, int64_t col_step);
    /* One more block of keys: s becomes exp(s - max), with max[i] the largest score of row i so far; sum[i] and the row
     * acc[i * width ..] are scaled down when max grows, and sum gets the row's new terms. acc need not be set while max is -inf. */
    void (*soften)(int64_t rows, int64_t cols, void *s, int64_t ld, void *max, void *sum, void *acc, int64_t width);
    /* acc /= sum, 0 where nothing counted; max becomes log(sum(exp(scores))). */
    void (*finish)(int64_t rows, void *max, const void *sum, void *acc, int64_t width);
    /* s becomes p = exp(s - lse), ds becomes p * (ds - delta[i]) * scale; both become 0 from cols to fill. */
    void (*back)(int64_t rows, int64_t cols, int64_t fill, void *s, void *ds, int64_t ld, const void *lse, const void *delta, double scale);
    /* delta[i] = sum over k of a[i, k] * b[i, k] */
    void (*dots)(int64_t rows, int64_t width, const void *a, const void *b, void *delta);
    void (*times)(int64_t n, void *x, double by);
} wn__attention_type;

typedef struct wn__attention_kernels {
    wn__attention_type f32, f64;
} wn__attention_kernels;
const wn__attention_kernels *wn__attention_now(void);
#endif
