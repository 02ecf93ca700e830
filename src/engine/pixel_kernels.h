/* Loops over images that lie channels last, compiled for each instruction set level (engine/level/pixel_kernels.c). A
 * pixel is n consecutive values, one for each channel; windows take pixels instead of elements of planes. */
#ifndef WN_ENGINE_PIXEL_KERNELS_H
#define WN_ENGINE_PIXEL_KERNELS_H
#include "engine/kernels.h"

/* A window of an image: pixel (r, c) lies at x + r * row + c * pixel and is number first + r * by_row + c * by_col. */
typedef struct wn__pixel_box {
    const void *x;
    int64_t rows, cols;
    int64_t row, pixel; /* in elements */
    int64_t first, by_row, by_col;
    int64_t none;       /* the number for a window without pixels */
} wn__pixel_box;

/* Integers have only mean, most and narrow. */
typedef struct wn__pixel_kernels {
    /* y = the sum of a window, row by row from 0 on, divided by a * b in the compute type */
    void (*mean)(int64_t n, const wn__pixel_box *b, int64_t by_a, int64_t by_b, void *y);
    /* x of `count` pixels += g / (a * b); tmp: room for a pixel */
    void (*share)(int64_t n, const void *g, int64_t by_a, int64_t by_b, int64_t count, void *tmp, void *x);
    /* The maxima of a window and their numbers, integers as wide as the compute type. NaN wins; of equals the first. */
    void (*most)(int64_t n, const wn__pixel_box *b, void *best, void *at);
    /* Converts numbers to integers of 1, 4 or 8 bytes. */
    void (*narrow)(int64_t n, const void *at, int bytes, void *to);
    /* x += g where `at` is `number`. widen makes such `at` from numbers of 1 or 4 bytes. */
    void (*pick)(int64_t n, const void *g, const void *at, int64_t number, void *x);
    void (*widen)(int64_t n, const void *from, int bytes, void *at);
    /* n pixels of `each` values: output i is the weighted sum of `taps` (1, 2 or 4) pixels from x[at[i]]. As in
     * wn__taps_kernels' combine_few, pixels that are not in keep count as `nothing`, a pixel of zeros. */
    void (*mix)(int64_t n, int64_t each, int taps, const int64_t *at, const void *weight, const void *keep, const void *nothing, const void *x, void *y);
    /* y = a * weight_a + b * weight_b */
    void (*pair)(int64_t n, const void *a, const void *b, double weight_a, double weight_b, void *y);
} wn__pixel_kernels;
typedef struct wn__pixel_table {
    wn__pixel_kernels of[4]; /* by compute type: f32, f64, i32, i64 */
} wn__pixel_table;
const wn__pixel_table *wn__pixels_now(void);
#endif
