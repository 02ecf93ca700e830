/* Loops of linear maps along dimensions (ops/view/axes.c), compiled for each instruction set level
 * (engine/level/taps.c). */
#ifndef WN_ENGINE_TAPS_H
#define WN_ENGINE_TAPS_H
#include "engine/kernels.h"

typedef struct wn__taps_kernels {
    /* acc[i] = (fresh) or += weight * x[i], i < n. weight: a number of the compute type; NULL: 1. */
    void (*add)(int64_t n, void *acc, const void *x, const void *weight, bool fresh);
    /* y[i] = sum of weight[k] * x[first[i] - origin + k - start[i]], start[i] <= k < start[i + 1]; weight NULL: 1 */
    void (*combine)(int64_t n, const int64_t *first, const int64_t *start, const void *weight, int64_t origin, const void *x, void *y);
    /* The same for short runs: `taps` (1, 2 or 4) elements from x[at[i]], with weights weight[i * taps + k]; bits of
     * element k outside keep[i * taps + k] are cleared. weight NULL: 1. NULL for i64. */
    void (*combine_few)(int64_t n, int taps, const int64_t *at, const void *weight, const void *keep, const void *x, void *y);
    /* y[i] /= common * extent[i]; extent NULL: 1 */
    void (*divide)(int64_t n, void *y, double common, const double *extent);
} wn__taps_kernels;
/* acc[i] = sum over k < count of weight[k] * table[index[k] * step + i], where index[k] != skip; weight NULL: 1. acc
 * and weight have the compute type. Returns the number of rows that counted. */
typedef int64_t (*wn__add_rows)(int64_t n, void *acc, const void *table, int64_t step, const int64_t *index, int64_t count, int64_t known, int64_t skip, const void *weight);
typedef struct wn__taps_table {
    wn__taps_kernels of[WN__CTS];         /* f32, f64, i64 */
    wn__add_rows add_rows[WN__DTYPES];    /* by the table's dtype: f32, f64, f16, bf16 */
} wn__taps_table;
const wn__taps_table *wn__taps_now(void);
#endif
