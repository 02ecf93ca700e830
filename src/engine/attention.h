/* Attention's work on rows of scores, compiled for each instruction set level (engine/level/attention_kernels.c), in
 * f32 and f64. s is [rows, cols] with ld between rows; all else is row-major without gaps. A weight is 2^exponent
 * (e^exponent in f64), and an exponent is a score times `by`: at most scale * unit. */
#ifndef WN_ENGINE_ATTENTION_H
#define WN_ENGINE_ATTENTION_H
#include <stdbool.h>
#include <stdint.h>

enum { WN__ATTENTION_ROOM = 32 }; /* s is written in groups of so many columns; soften takes at most so many rows */

/* For bf16's back: p and ds by pairs of rows. Element [i][j], i < rows / 2, has row 2i below, row 2i + 1 above. */
struct wn__attention_pairs {
    uint32_t *p, *ds;
};

typedef struct wn__attention_type {
    /* Columns beyond first + i of row i become -inf. */
    void (*causal)(int64_t rows, int64_t cols, void *s, int64_t ld, int64_t first);
    /* s = -inf where the mask (bytes; steps in elements) is 0. */
    void (*mask)(int64_t rows, int64_t cols, void *s, int64_t ld, const uint8_t *mask, int64_t row_step, int64_t col_step);
    /* s = s * by + bias, as exponents. A finite bias gives a finite exponent. */
    void (*bias)(int64_t rows, int64_t cols, void *s, int64_t ld, double by, const void *bias, int64_t row_step, int64_t col_step);
    /* Takes in one more block of keys. s becomes weight(s * by - max), where max[i] is the largest exponent of row i so
     * far (by > 0). When max grows, sum[i] and the row acc[i * width ..] are scaled down; then sum gets the row's new
     * terms. acc need not be set while max is -inf. */
    void (*soften)(int64_t rows, int64_t cols, void *s, int64_t ld, double by, void *max, void *sum, void *acc, int64_t width);
    /* acc /= sum, and 0 in rows without terms; max becomes the natural log(sum(exp(scores))). */
    void (*finish)(int64_t rows, void *max, const void *sum, void *acc, int64_t width);
    /* s becomes p = weight(s * by - lse), ds becomes p * (ds - delta[i]) * scale; both are 0 from cols to fill. */
    void (*back)(int64_t rows, int64_t cols, int64_t fill, void *s, void *ds, int64_t ld, double by, const void *lse, const void *delta, double scale,
                 struct wn__attention_pairs pairs);
    /* delta[i] = sum over k of a[i, k] * b[i, k] */
    void (*dots)(int64_t rows, int64_t width, const void *a, const void *b, void *delta);
    void (*times)(int64_t n, void *x, double by);
    /* Is there a NaN? Also true of infinities of both signs. */
    bool (*nan)(int64_t n, const void *x);
    double unit; /* log2(e), or 1 */
} wn__attention_type;

/* bf16 works as f32, but soften and back leave their rows as bf16, at the beginning of each row of s (soften) or ds. */
typedef struct wn__attention_kernels {
    wn__attention_type f32, f64;
    const wn__attention_type *bf16; /* NULL: this level has none. Ask wn__cpu_has_bf16() first */
} wn__attention_kernels;
const wn__attention_kernels *wn__attention_now(void);
#endif
