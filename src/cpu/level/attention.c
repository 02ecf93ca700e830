/* Loops over rows of scores. Sums and maxima run over LANES partial ones in a fixed order. */
#include <math.h>
#include "cpu/attention.h"
#include "cpu/level/level.h"
#include "cpu/math/math.h"

enum { LANES = 32 };

#define WN_ATTENTION(T, name)                                                                                             \
    static T max_##name(int64_t n, const T *x) {                                                                          \
        T lane[LANES], m = -(T)INFINITY;                                                                                  \
        int64_t i = 0;                                                                                                    \
        for (int l = 0; l < LANES; l++) lane[l] = m;                                                                      \
        for (; i + LANES <= n; i += LANES)                                                                                \
            for (int l = 0; l < LANES; l++) lane[l] = x[i + l] > lane[l] ? x[i + l] : lane[l];                            \
        if (i)                                                                                                            \
            for (int l = 0; l < LANES; l++) m = lane[l] > m ? lane[l] : m;                                                \
        for (; i < n; i++) m = x[i] > m ? x[i] : m;                                                                       \
        return m;                                                                                                         \
    }                                                                                                                     \
    static T fold_##name(T *lane) {                                                                                       \
        for (int w = LANES / 2; w; w /= 2)                                                                                \
            for (int l = 0; l < w; l++) lane[l] += lane[l + w];                                                           \
        return lane[0];                                                                                                   \
    }                                                                                                                     \
    /* x = exp(x - m), and their sum */                                                                                   \
    static T exps_##name(int64_t n, T *restrict x, T m) {                                                                 \
        T lane[LANES] = {0};                                                                                              \
        int64_t i = 0;                                                                                                    \
        for (; i + LANES <= n; i += LANES)                                                                                \
            for (int l = 0; l < LANES; l++) {                                                                             \
                x[i + l] = wn__exp_##name(x[i + l] - m);                                                                  \
                lane[l] += x[i + l];                                                                                      \
            }                                                                                                             \
        T s = fold_##name(lane);                                                                                          \
        for (; i < n; i++) s += x[i] = wn__exp_##name(x[i] - m);                                                          \
        return s;                                                                                                         \
    }                                                                                                                     \
    static void causal_##name(int64_t rows, int64_t cols, void *s, int64_t ld, int64_t first) {                           \
        for (int64_t i = 0; i < rows; i++)                                                                                \
            for (int64_t j = first + i + 1 > 0 ? first + i + 1 : 0; j < cols; j++) ((T *)s)[i * ld + j] = -(T)INFINITY;   \
    }                                                                                                                     \
    static void mask_##name(int64_t rows, int64_t cols, void *s, int64_t ld, const uint8_t *mask, int64_t rs, int64_t cs) { \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            T *restrict x = (T *)s + i * ld;                                                                              \
            const uint8_t *restrict m = mask + i * rs;                                                                    \
            if (cs == 1)                                                                                                  \
                for (int64_t j = 0; j < cols; j++) x[j] = m[j] ? x[j] : -(T)INFINITY;                                     \
            else                                                                                                          \
                for (int64_t j = 0; j < cols; j++) x[j] = m[j * cs] ? x[j] : -(T)INFINITY;                                \
        }                                                                                                                 \
    }                                                                                                                     \
    static void bias_##name(int64_t rows, int64_t cols, void *s, int64_t ld, const void *bias, int64_t rs, int64_t cs) {  \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            T *restrict x = (T *)s + i * ld;                                                                              \
            const T *restrict b = (const T *)bias + i * rs;                                                               \
            if (cs == 1)                                                                                                  \
                for (int64_t j = 0; j < cols; j++) x[j] += b[j];                                                          \
            else                                                                                                          \
                for (int64_t j = 0; j < cols; j++) x[j] += b[j * cs];                                                     \
        }                                                                                                                 \
    }                                                                                                                     \
    static void soften_##name(int64_t rows, int64_t cols, void *s, int64_t ld, void *max, void *sum, void *acc, int64_t width) { \
        T *m = max, *l = sum;                                                                                             \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            T *x = (T *)s + i * ld, *restrict a = (T *)acc + i * width;                                                   \
            const T top = max_##name(cols, x), now = top > m[i] ? top : m[i];                                             \
            const T shift = now == -(T)INFINITY ? 0 : now, down = m[i] == now ? 1 : wn__exp_##name(m[i] - shift);         \
            l[i] = l[i] * down + exps_##name(cols, x, shift);                                                             \
            if (down != 1)                                                                                                \
                for (int64_t k = 0; k < width; k++) a[k] *= down;                                                         \
            m[i] = now;                                                                                                   \
        }                                                                                                                 \
    }                                                                                                                     \
    static void finish_##name(int64_t rows, void *max, const void *sum, void *acc, int64_t width) {                       \
        T *m = max;                                                                                                       \
        const T *l = sum;                                                                                                 \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            T *restrict a = (T *)acc + i * width;                                                                         \
            const T r = l[i] == 0 ? 0 : 1 / l[i];                                                                         \
            for (int64_t k = 0; k < width; k++) a[k] *= r;                                                                \
            if (l[i] == 0)                                                                                                \
                for (int64_t k = 0; k < width; k++) a[k] = 0;                                                             \
            m[i] = l[i] == 0 ? -(T)INFINITY : m[i] + wn__log_##name(l[i]);                                                \
        }                                                                                                                 \
    }                                                                                                                     \
    static void back_##name(int64_t rows, int64_t cols, void *s, void *ds, int64_t ld, const void *lse, const void *delta, double scale) { \
        const T k = (T)scale;                                                                                             \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            T *restrict p = (T *)s + i * ld, *restrict d = (T *)ds + i * ld;                                              \
            const T z = ((const T *)lse)[i], of = ((const T *)delta)[i];                                                  \
            if (z == -(T)INFINITY) { /* nothing counted */                                                                \
                for (int64_t j = 0; j < cols; j++) p[j] = d[j] = 0;                                                       \
                continue;                                                                                                 \
            }                                                                                                             \
            for (int64_t j = 0; j < cols; j++) {                                                                          \
                p[j] = wn__exp_##name(p[j] - z);                                                                          \
                d[j] = p[j] * (d[j] - of) * k;                                                                            \
            }                                                                                                             \
        }                                                                                                                 \
    }                                                                                                                     \
    static void dots_##name(int64_t rows, int64_t width, const void *a, const void *b, void *delta) {                     \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            const T *x = (const T *)a + i * width, *y = (const T *)b + i * width;                                         \
            T lane[LANES] = {0};                                                                                          \
            int64_t k = 0;                                                                                                \
            for (; k + LANES <= width; k += LANES)                                                                        \
                for (int l = 0; l < LANES; l++) lane[l] += x[k + l] * y[k + l];                                           \
            T s = fold_##name(lane);                                                                                      \
            for (; k < width; k++) s += x[k] * y[k];                                                                      \
            ((T *)delta)[i] = s;                                                                                          \
        }                                                                                                                 \
    }
WN_ATTENTION(float, f32)
WN_ATTENTION(double, f64)

extern const wn__attention_kernels WN_AT_LEVEL(wn__attention_kernels);
const wn__attention_kernels WN_AT_LEVEL(wn__attention_kernels) = {
    {causal_f32, mask_f32, bias_f32, soften_f32, finish_f32, back_f32, dots_f32},
    {causal_f64, mask_f64, bias_f64, soften_f64, finish_f64, back_f64, dots_f64}};
