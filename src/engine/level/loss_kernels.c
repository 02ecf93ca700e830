/* Log-softmax loops. Short rows are taken many at a time, so that exp runs over full vectors whatever the number of classes;
 * sums of long rows run over LANES partial sums in a fixed order. */
#include <math.h>
#include "engine/level/this_level.h"
#include "engine/loss_kernels.h"
#include "engine/math/math.h"

#if defined(__clang__)
#define WN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define WN_INDEPENDENT _Pragma("GCC ivdep")
#endif

enum { LANES = 32, BLOCK = 512 };

#define WN_LOSS(T, name)                                                                               \
    static void exp_##name(int64_t n, T *restrict x) {                                                 \
        for (int64_t i = 0; i < n; i++) x[i] = wn__exp_##name(x[i]);                                   \
    }                                                                                                  \
    static T max_##name(int64_t n, const T *x) {                                                       \
        T lane[LANES], m = -(T)INFINITY;                                                               \
        int64_t i = 0;                                                                                 \
        for (int l = 0; l < LANES; l++) lane[l] = m;                                                   \
        for (; i + LANES <= n; i += LANES)                                                             \
            for (int l = 0; l < LANES; l++) lane[l] = x[i + l] > lane[l] ? x[i + l] : lane[l];         \
        if (i)                                                                                         \
            for (int l = 0; l < LANES; l++) m = lane[l] > m ? lane[l] : m;                             \
        for (; i < n; i++) m = x[i] > m ? x[i] : m;                                                    \
        return m;                                                                                      \
    }                                                                                                  \
    static T sum_##name(int64_t n, const T *x) {                                                       \
        T lane[LANES] = {0}, s = 0;                                                                    \
        int64_t i = 0;                                                                                 \
        for (; i + LANES <= n; i += LANES)                                                             \
            for (int l = 0; l < LANES; l++) lane[l] += x[i + l];                                       \
        if (i)                                                                                         \
            for (int w = LANES / 2; w; w /= 2)                                                         \
                for (int l = 0; l < w; l++) lane[l] += lane[l + w];                                    \
        s = lane[0];                                                                                   \
        for (; i < n; i++) s += x[i];                                                                  \
        return s;                                                                                      \
    }                                                                                                  \
    static void log_##name(int64_t n, T *restrict y, const T *restrict m) {                            \
        for (int64_t i = 0; i < n; i++) y[i] = m[i] + wn__log_##name(y[i]);                            \
    }                                                                                                  \
    static void long_row_##name(int64_t classes, const T *x, T *lse) {                                 \
        T e[BLOCK];                                                                                    \
        const T m = max_##name(classes, x);                                                            \
        T s = 0;                                                                                       \
        for (int64_t i = 0; i < classes; i += BLOCK) {                                                 \
            const int64_t n = classes - i < BLOCK ? classes - i : BLOCK;                               \
            for (int64_t l = 0; l < n; l++) e[l] = x[i + l] - m;                                       \
            exp_##name(n, e);                                                                          \
            s += sum_##name(n, e);                                                                     \
        }                                                                                              \
        *lse = m + wn__log_##name(s);                                                                  \
    }                                                                                                  \
    static void rows_##name(int64_t rows, int64_t classes, const void *from, void *to) {               \
        const T *x = from;                                                                             \
        T *lse = to, e[BLOCK], m[BLOCK];                                                               \
        if (classes > BLOCK / 2) {                                                                     \
            for (int64_t r = 0; r < rows; r++) long_row_##name(classes, x + r * classes, lse + r);     \
            return;                                                                                    \
        }                                                                                              \
        const int64_t many = classes ? BLOCK / classes : BLOCK;                                        \
        for (int64_t r0 = 0; r0 < rows; r0 += many, x += many * classes, lse += many) {                \
            const int64_t n = rows - r0 < many ? rows - r0 : many;                                     \
            for (int64_t r = 0; r < n; r++) {                                                          \
                const T top = m[r] = max_##name(classes, x + r * classes);                             \
                for (int64_t c = 0; c < classes; c++) e[r * classes + c] = x[r * classes + c] - top;   \
            }                                                                                          \
            exp_##name(n * classes, e);                                                                \
            for (int64_t r = 0; r < n; r++) lse[r] = sum_##name(classes, e + r * classes);             \
            log_##name(n, lse, m);                                                                     \
        }                                                                                              \
    }                                                                                                  \
    static void columns_##name(int64_t n, int64_t classes, const void *from, int64_t ld, void *to) {   \
        const T *x = from;                                                                             \
        T *restrict lse = to, m[WN__LOSS_COLUMNS];                                                     \
        for (int64_t i = 0; i < n; i++) m[i] = -(T)INFINITY, lse[i] = 0;                               \
        for (int64_t c = 0; c < classes; c++)                                                          \
            for (int64_t i = 0; i < n; i++) m[i] = x[c * ld + i] > m[i] ? x[c * ld + i] : m[i];        \
        for (int64_t c = 0; c < classes; c++)                                                          \
            for (int64_t i = 0; i < n; i++) lse[i] += wn__exp_##name(x[c * ld + i] - m[i]);            \
        log_##name(n, lse, m);                                                                         \
    }                                                                                                  \
    static void rows_back_##name(int64_t rows, int64_t classes, const void *from, const void *sums, const void *factors, void *to) { \
        const T *x = from, *lse = sums, *k = factors;                                                  \
        T *out = to, e[BLOCK];                                                                         \
        if (classes > BLOCK / 2) {                                                                     \
            for (int64_t r = 0; r < rows; r++)                                                         \
                WN_INDEPENDENT for (int64_t i = 0; i < classes; i++)                                   \
                    out[r * classes + i] = k[r] * wn__exp_##name(x[r * classes + i] - lse[r]);         \
            return;                                                                                    \
        }                                                                                              \
        const int64_t many = classes ? BLOCK / classes : BLOCK;                                        \
        for (int64_t r0 = 0; r0 < rows; r0 += many, x += many * classes, out += many * classes) {      \
            const int64_t n = rows - r0 < many ? rows - r0 : many;                                     \
            for (int64_t r = 0; r < n; r++)                                                            \
                for (int64_t c = 0; c < classes; c++) e[r * classes + c] = x[r * classes + c] - lse[r0 + r]; \
            exp_##name(n * classes, e);                                                                \
            for (int64_t r = 0; r < n; r++)                                                            \
                for (int64_t c = 0; c < classes; c++) out[r * classes + c] = k[r0 + r] * e[r * classes + c]; \
        }                                                                                              \
    }                                                                                                  \
    static void columns_back_##name(int64_t n, int64_t classes, const void *from, int64_t ld, const void *sums, const void *factors, void *to, \
                                    int64_t ldo) {                                                     \
        const T *x = from, *restrict lse = sums, *restrict k = factors;                                \
        T *out = to;                                                                                   \
        for (int64_t c = 0; c < classes; c++)                                                          \
            WN_INDEPENDENT for (int64_t i = 0; i < n; i++) out[c * ldo + i] = k[i] * wn__exp_##name(x[c * ld + i] - lse[i]); \
    }
WN_LOSS(float, f32)
WN_LOSS(double, f64)

extern const wn__loss_kernels WN_AT_LEVEL(wn__loss_kernels);
const wn__loss_kernels WN_AT_LEVEL(wn__loss_kernels) = {{rows_f32, columns_f32, rows_back_f32, columns_back_f32},
                                                        {rows_f64, columns_f64, rows_back_f64, columns_back_f64}};
