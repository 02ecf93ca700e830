/* Loops over rows of scores, in whole groups of LANES columns: what lies behind a row is room. Sums and maxima run over LANES partial
 * ones in a fixed order. */
#include <math.h>
#include <stdbool.h>
#include "engine/attention.h"
#include "engine/level/this_level.h"
#include "engine/math/math.h"

enum { LANES = WN__ATTENTION_ROOM };

#define UNIT_f32 WN__LOG2E_F64
#define UNIT_f64 1.0
/* A bias that is a number stays one as an exponent; this one, as a row's maximum, survives the way into logarithms and back. */
#define LEAST_f32 (-0x1p127f * (float)UNIT_f32)
#define LEAST_f64 (-INFINITY)

#define WN_LANES(T, name)                                                                                                 \
    static inline T max_##name(int64_t n, const T *x) {                                                                   \
        T lane[LANES];                                                                                                    \
        for (int l = 0; l < LANES; l++) lane[l] = -(T)INFINITY;                                                           \
        for (int64_t i = 0; i < n; i += LANES)                                                                            \
            for (int l = 0; l < LANES; l++) lane[l] = x[i + l] > lane[l] ? x[i + l] : lane[l];                            \
        for (int h = LANES / 2; h > 0; h /= 2)                                                                            \
            for (int l = 0; l < h; l++) lane[l] = lane[l + h] > lane[l] ? lane[l + h] : lane[l];                          \
        return lane[0];                                                                                                   \
    }                                                                                                                     \
    static inline T fold_##name(T *lane) {                                                                                \
        for (int h = LANES / 2; h > 0; h /= 2)                                                                            \
            for (int l = 0; l < h; l++) lane[l] += lane[l + h];                                                           \
        return lane[0];                                                                                                   \
    }
#define WN_ATTENTION(T, name)                                                                                             \
    static void times_##name(int64_t n, void *x, double by) {                                                             \
        for (int64_t i = 0; i < n; i++) ((T *)x)[i] *= (T)by;                                                             \
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
    static inline T exponent_##name(T bias) {                                                                             \
        const T t = bias * (T)UNIT_##name;                                                                                \
        return t < (T)LEAST_##name && bias > -(T)INFINITY ? (T)LEAST_##name : t;                                          \
    }                                                                                                                     \
    static void bias_##name(int64_t rows, int64_t cols, void *s, int64_t ld, double by, const void *bias, int64_t rs, int64_t cs) { \
        const T f = (T)by;                                                                                                \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            T *restrict x = (T *)s + i * ld;                                                                              \
            const T *restrict b = (const T *)bias + i * rs;                                                               \
            if (cs == 1)                                                                                                  \
                for (int64_t j = 0; j < cols; j++) x[j] = x[j] * f + exponent_##name(b[j]);                               \
            else                                                                                                          \
                for (int64_t j = 0; j < cols; j++) x[j] = x[j] * f + exponent_##name(b[j * cs]);                          \
        }                                                                                                                 \
    }                                                                                                                     \
    /* The rows' new maxima, and by how much the old sums shrink; what lies behind a row is -inf then. The maxima of all rows first: chains overlap. */ \
    static inline void shifts_##name(int64_t rows, int64_t cols, T *s, int64_t ld, T by, T *m, T *l, T *acc, int64_t width, T *shift) { \
        T now[LANES];                                                                                                     \
        const int64_t whole = (cols + LANES - 1) / LANES * LANES;                                                         \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            T *x = s + i * ld;                                                                                            \
            for (int64_t k = cols; k < whole; k++) x[k] = -(T)INFINITY;                                                   \
            const T top = by * max_##name(whole, x);                                                                      \
            now[i] = top > m[i] ? top : m[i];                                                                             \
        }                                                                                                                 \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            shift[i] = now[i] == -(T)INFINITY ? 0 : now[i];                                                               \
            if (m[i] != now[i] && m[i] != -(T)INFINITY) {                                                                 \
                T *restrict a = acc + i * width;                                                                          \
                const T down = wn__weight_##name(m[i] - shift[i]);                                                        \
                l[i] *= down;                                                                                             \
                for (int64_t k = 0; k < width; k++) a[k] *= down;                                                         \
            }                                                                                                             \
            m[i] = now[i];                                                                                                \
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
            m[i] = l[i] == 0 ? -(T)INFINITY : m[i] / (T)UNIT_##name + wn__log_##name(l[i]);                               \
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
    }                                                                                                                     \
    static bool nan_##name(int64_t n, const void *p) {                                                                    \
        const T *x = p;                                                                                                   \
        T lane[LANES] = {0};                                                                                              \
        int64_t k = 0;                                                                                                    \
        for (; k + LANES <= n; k += LANES)                                                                                \
            for (int l = 0; l < LANES; l++) lane[l] += x[k + l];                                                          \
        T s = fold_##name(lane);                                                                                          \
        for (; k < n; k++) s += x[k];                                                                                     \
        return s != s;                                                                                                    \
    }
#ifdef __AVX2__
#include "engine/level/attention_vec.h"
#else
WN_LANES(float, f32)
#endif
WN_LANES(double, f64)
WN_ATTENTION(float, f32)
WN_ATTENTION(double, f64)

/* Scores to weights in plain C: f64, and f32 where no header does it. */
#define WN_SOFTEN(T, name)                                                                                                \
    static void soften_##name(int64_t rows, int64_t cols, void *s, int64_t ld, double by, void *max, void *sum, void *acc, int64_t width) { \
        T shift[LANES];                                                                                                   \
        const T f = (T)by;                                                                                                \
        shifts_##name(rows, cols, s, ld, f, max, sum, acc, width, shift);                                                 \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            T lane[LANES] = {0}, *restrict x = (T *)s + i * ld;                                                           \
            for (int64_t j = 0; j < cols; j += LANES)                                                                     \
                for (int l = 0; l < LANES; l++) {                                                                         \
                    x[j + l] = wn__weight_##name(x[j + l] * f - shift[i]);                                                \
                    lane[l] += x[j + l];                                                                                  \
                }                                                                                                         \
            ((T *)sum)[i] += fold_##name(lane);                                                                           \
        }                                                                                                                 \
    }
#define WN_BACK(T, name)                                                                                                  \
    static void back_##name(int64_t rows, int64_t cols, int64_t fill, void *s, void *ds, int64_t ld, double by, const void *lse, \
                            const void *delta, double scale, struct wn__attention_pairs pairs) {                          \
        const T k = (T)scale, f = (T)by;                                                                                  \
        const int64_t whole = (cols + LANES - 1) / LANES * LANES;                                                         \
        (void)pairs;                                                                                                      \
        for (int64_t i = 0; i < rows; i++) {                                                                              \
            T *restrict p = (T *)s + i * ld, *restrict d = (T *)ds + i * ld;                                              \
            const T z = ((const T *)lse)[i] * (T)UNIT_##name, of = ((const T *)delta)[i];                                 \
            const bool none = z == -(T)INFINITY; /* nothing counted */                                                    \
            for (int64_t j = 0; j < whole && !none; j++) {                                                                \
                p[j] = wn__weight_##name(p[j] * f - z);                                                                   \
                d[j] = p[j] * (d[j] - of) * k;                                                                            \
            }                                                                                                             \
            for (int64_t j = none ? 0 : cols; j < fill; j++) p[j] = d[j] = 0;                                             \
        }                                                                                                                 \
    }
#ifdef __AVX512F__
SOFTEN(f32, STORE_F32)
#include "engine/level/attention512.h"
#elif defined(__AVX2__)
#include "engine/level/attention256.h"
#else
WN_SOFTEN(float, f32)
WN_BACK(float, f32)
#endif
WN_SOFTEN(double, f64)
WN_BACK(double, f64)

#define TABLE(name, soften, back)                                                                                         \
    { causal_##name, mask_##name, bias_##name, soften, finish_##name, back, dots_##name, times_##name, nan_##name, UNIT_##name }
#ifdef __AVX512F__
static const wn__attention_type bf16_type = TABLE(f32, soften_bf16, back_bf16);
#endif
extern const wn__attention_kernels WN_AT_LEVEL(wn__attention_kernels);
const wn__attention_kernels WN_AT_LEVEL(wn__attention_kernels) = {
    TABLE(f32, soften_f32, back_f32),
    TABLE(f64, soften_f64, back_f64),
#ifdef __AVX512F__
    &bf16_type,
#else
    NULL,
#endif
};
