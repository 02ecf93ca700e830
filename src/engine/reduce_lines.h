/* Kernels over lines: softmax and normalisation of one row in memory, and the same for neighbouring columns. Sums follow the
 * tree of engine/reduce_kernels.h, so a row gives the same bits however it is stored. */
#ifndef WN_ENGINE_REDUCE_LINES_H
#define WN_ENGINE_REDUCE_LINES_H
#include "base/level.h"
#include "engine/reduce_kernels.h"

enum { WN__MOMENT_LINES = 8 };

/* T is float or double: index WN__E_F32 or WN__E_F64. Pointers are to T; y may be x. Scalars come as double. */
typedef struct wn__line_kernels {
    /* y = exp(x - max) / sum, or x - max - log(sum). */
    void (*softmax)(void *y, const void *x, int64_t n, bool log);
    /* dx = y * (g - sum(g * y)), or g - exp(y) * sum(g). */
    void (*softmax_grad)(void *dx, const void *g, const void *y, int64_t n, bool log);
    /* columns: y[i] = exp(x[i] - m[i]); y[i] = x[i] * m[i]; y[i] = x[i] - m[i] */
    void (*exp_minus)(void *y, const void *x, const void *m, int64_t n);
    void (*times)(void *y, const void *x, const void *m, int64_t n);
    void (*minus)(void *y, const void *x, const void *m, int64_t n);
    void (*logs)(void *y, const void *x, int64_t n);
    /* of each of count (at most WN__MOMENT_LINES) lines: the mean, and the mean of squared deviations */
    void (*moments)(const void *const *lines, int64_t count, int64_t n, double *mean, double *var);
    /* y = (x - mean) * rstd * w + b; w and b may be NULL */
    void (*normalise)(void *y, const void *x, int64_t n, double mean, double rstd, const void *w, const void *b);
    /* gradient of that by x (dx may be NULL), and what it adds to those by w and b (arrays of n, may be NULL) */
    void (*normalise_grad)(void *dx, const void *g, const void *x, int64_t n, double mean, double rstd, const void *w, void *dw,
                           void *db);
    void (*affine)(void *y, const void *x, int64_t n, double a, double b);              /* y = x * a + b */
    void (*affine_each)(void *y, const void *x, int64_t n, const void *a, const void *b);
    void (*centred_sums)(const void *g, const void *x, int64_t n, double mean, double *sum, double *dot); /* sum g, sum g (x - mean) */
    void (*centred_sums_each)(const void *g, const void *x, int64_t n, const void *mean, void *sum, void *dot); /* added to */
    void (*combine)(void *y, const void *g, const void *x, int64_t n, double a, double b, double c);    /* y = g * a + x * b + c */
    void (*combine_each)(void *y, const void *g, const void *x, int64_t n, const void *a, const void *b, const void *c);
    /* affine and combine of f16 ([0]) and bf16 ([1]) in memory, T being float; y is neither of the others. NULL for double. */
    void (*affine_half[2])(void *y, const void *x, int64_t n, double a, double b);
    void (*combine_half[2])(void *y, const void *g, const void *x, int64_t n, double a, double b, double c);
} wn__line_kernels;

typedef wn__line_kernels wn__line_tables[2]; /* for f32 and for f64 */
WN__DECLARE_LEVELS(wn__line_tables, wn__line_kernels);
static inline const wn__line_kernels *wn__line_kernels_now(wn__elem e) { return &(*WN__OF_LEVEL(wn__line_kernels))[e]; }
#endif
