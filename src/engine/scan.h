/* Loops of running sums and products (ops/reduce/scan.c), compiled for each instruction set level
 * (engine/level/scan_kernels.c). An accumulator is a double, or a uint64_t for integers. */
#ifndef WN_ENGINE_SCAN_H
#define WN_ENGINE_SCAN_H
#include "base/level.h"
#include "base/api.h"

enum { WN__SCAN_CHAINS = 4 }; /* lines that run side by side, to hide the latency of additions */

typedef struct wn__scan_loops {
    /* WN__SCAN_CHAINS lines of n elements, `step` apart, each to consecutive ones; acc: values before, then after. */
    void (*chains)(int64_t n, const void *const *x, int64_t step, void *const *y, void *acc);
    void (*line)(int64_t n, const void *x, int64_t step, void *y, void *acc); /* y may be x */
    /* n rows of w neighbouring lines; rows are xn and yn elements apart. w <= 256. */
    void (*columns)(int64_t n, int64_t w, const void *x, int64_t xn, void *y, int64_t yn, void *acc);
    /* Dense lines of n elements, one behind the other, each with a sum of its own; y may be x. */
    void (*rows)(int64_t lines, int64_t n, const void *x, void *y);
    /* All n elements, combined in an order that differs from the others'. */
    void (*total)(int64_t n, const void *x, int64_t step, void *acc);
} wn__scan_loops;
typedef struct wn__scan_kernels {
    wn__scan_loops sum[11], prod[11]; /* by dtype; NULL: none. Floats give their own type, others int64 */
} wn__scan_kernels;
WN__DECLARE_LEVELS(wn__scan_kernels, wn__scan_kernels);
static inline const wn__scan_kernels *wn__scan_kernels_now(void) { return WN__OF_LEVEL(wn__scan_kernels); }
#endif
