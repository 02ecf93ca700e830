/* Loops over the differences of two rows. A sum runs over LANES partial sums, so that every level adds in the same order. */
#include "cpu/distance.h"
#include "cpu/level/level.h"
#include "cpu/math/math.h"
#include <string.h>

enum { LANES = 16, ROWS = 128 };

#define WN_DISTANCE(T, name, ABS, POW, SQRT)                                                                            \
    static inline __attribute__((always_inline)) T lanes_##name(const wn__metric m, const T *a, const T *b, int64_t n, T p) { /* all but WN__METRIC_MOST */ \
        T lane[LANES] = {0}, s = 0;                                                                                     \
        int64_t k = 0;                                                                                                  \
        for (; m == WN__METRIC_SUM && k + LANES <= n; k += LANES)                                                       \
            for (int l = 0; l < LANES; l++) lane[l] += ABS(a[k + l] - b[k + l]);                                        \
        for (; m == WN__METRIC_EUCLID && k + LANES <= n; k += LANES)                                                    \
            for (int l = 0; l < LANES; l++) lane[l] += (a[k + l] - b[k + l]) * (a[k + l] - b[k + l]);                   \
        for (; m == WN__METRIC_COUNT && k + LANES <= n; k += LANES)                                                     \
            for (int l = 0; l < LANES; l++) lane[l] += a[k + l] == b[k + l] ? 0 : 1;                                    \
        for (; k < n; k++) {                                                                                            \
            const T d = ABS(a[k] - b[k]);                                                                               \
            lane[k % LANES] += m == WN__METRIC_SUM ? d : m == WN__METRIC_EUCLID ? d * d : m == WN__METRIC_COUNT ? (T)(d != 0) : (T)POW(d, p); \
        }                                                                                                               \
        for (int l = 0; l < 8; l++) lane[l] += lane[l + 8]; /* halves by number: a loop over them would go by way of memory */ \
        for (int l = 0; l < 4; l++) lane[l] += lane[l + 4];                                                             \
        s = (lane[0] + lane[2]) + (lane[1] + lane[3]);                                                                  \
        return m == WN__METRIC_EUCLID ? SQRT(s) : m == WN__METRIC_P ? (T)POW(s, 1 / p) : s;                             \
    }                                                                                                                   \
    static T most_##name(const T *a, const T *b, int64_t n) {                                                           \
        T lane[LANES] = {0}, most = 0;                                                                                  \
        for (int64_t k = 0; k < n; k++) {                                                                               \
            const T d = ABS(a[k] - b[k]), so_far = lane[k % LANES];                                                     \
            lane[k % LANES] = d > so_far || d != d ? d : so_far;                                                        \
        }                                                                                                               \
        for (int l = 0; l < LANES; l++) most = lane[l] > most || lane[l] != lane[l] ? lane[l] : most;                   \
        return most;                                                                                                    \
    }                                                                                                                   \
    static void from_row_##name(wn__metric m, double p, const void *ap, const void *bp, int64_t ldb, int64_t rows, int64_t n, void *out) { \
        const T *a = ap, *b = bp;                                                                                       \
        T *y = out;                                                                                                     \
        switch (m) {                                                                                                    \
        case WN__METRIC_EUCLID: for (int64_t r = 0; r < rows; r++, b += ldb) y[r] = lanes_##name(WN__METRIC_EUCLID, a, b, n, 2); break; \
        case WN__METRIC_SUM: for (int64_t r = 0; r < rows; r++, b += ldb) y[r] = lanes_##name(WN__METRIC_SUM, a, b, n, 1); break; \
        case WN__METRIC_MOST: for (int64_t r = 0; r < rows; r++, b += ldb) y[r] = most_##name(a, b, n); break;          \
        default: for (int64_t r = 0; r < rows; r++, b += ldb) y[r] = lanes_##name(m, a, b, n, (T)p);                    \
        }                                                                                                               \
    }                                                                                                                   \
    /* Of euclidean distances, two registers of columns at a time for all rows: what a column adds up stays there. */   \
    typedef T V_##name __attribute__((vector_size(VB)));                                                                \
    static void euclid_slopes_##name(const T *a, const T *b, int64_t ldb, int64_t rows, int64_t n, const T *g, int64_t gs, const T *y, int64_t ds, T *to) { \
        enum { VN = VB / sizeof(T) };                                                                                   \
        T up[ROWS];                                                                                                     \
        for (int64_t r0 = 0; r0 < rows; r0 += ROWS, b += ROWS * ldb) {                                                  \
            const int64_t some = rows - r0 < ROWS ? rows - r0 : ROWS;                                                   \
            int64_t k = 0;                                                                                              \
            for (int64_t r = 0; r < some; r++) up[r] = y[(r0 + r) * ds] == 0 ? 0 : g[(r0 + r) * gs] / y[(r0 + r) * ds]; \
            for (; k + 2 * VN <= n; k += 2 * VN) {                                                                      \
                V_##name s0 = {0}, s1 = {0}, a0, a1, b0, b1;                                                            \
                memcpy(&a0, a + k, VB), memcpy(&a1, a + k + VN, VB);                                                    \
                for (int64_t r = 0; r < some; r++) {                                                                    \
                    memcpy(&b0, b + r * ldb + k, VB), memcpy(&b1, b + r * ldb + k + VN, VB);                            \
                    s0 += (a0 - b0) * up[r], s1 += (a1 - b1) * up[r];                                                   \
                }                                                                                                       \
                memcpy(&b0, to + k, VB), memcpy(&b1, to + k + VN, VB);                                                  \
                b0 += s0, b1 += s1;                                                                                     \
                memcpy(to + k, &b0, VB), memcpy(to + k + VN, &b1, VB);                                                  \
            }                                                                                                           \
            for (int64_t r = 0; r < some; r++)                                                                          \
                for (int64_t l = k; l < n; l++) to[l] += (a[l] - b[r * ldb + l]) * up[r];                               \
        }                                                                                                               \
    }                                                                                                                   \
    static void slopes_##name(wn__metric m, double p, const void *ap, const void *bp, int64_t ldb, int64_t rows, int64_t n, const void *gp, int64_t gs, \
                              const void *dp, int64_t ds, void *top) {                                                  \
        const T *a = ap, *b = bp, *g = gp, *distance = dp, e = (T)p - 1;                                                \
        T *to = top;                                                                                                    \
        if (m == WN__METRIC_EUCLID) euclid_slopes_##name(a, b, ldb, rows, n, g, gs, distance, ds, to);                  \
        for (int64_t r = 0; r < rows && m != WN__METRIC_COUNT && m != WN__METRIC_EUCLID; r++, b += ldb, g += gs, distance += ds) { \
            const T y = *distance, up = *g, down = -up;                                                                 \
            if (y == 0) continue;                                                                                       \
            if (m == WN__METRIC_SUM) { /* NaN keeps its own */                                                          \
                for (int64_t k = 0; k < n; k++) {                                                                       \
                    const T d = a[k] - b[k], at_0 = d == 0 ? 0 : d;                                                     \
                    to[k] += d > 0 ? up : d < 0 ? down : at_0;                                                          \
                }                                                                                                       \
            } else if (m == WN__METRIC_MOST) {                                                                          \
                for (int64_t k = 0; k < n; k++) {                                                                       \
                    const T d = a[k] - b[k];                                                                            \
                    to[k] += d == y ? up : d == -y ? down : 0;                                                          \
                }                                                                                                       \
            } else {                                                                                                    \
                for (int64_t k = 0; k < n; k++) {                                                                       \
                    const T d = a[k] - b[k];                                                                            \
                    if (d != 0) to[k] += (T)POW(ABS(d) / y, e) * (d < 0 ? down : up);                                   \
                }                                                                                                       \
            }                                                                                                           \
        }                                                                                                               \
    }
WN_DISTANCE(float, f32, fabsf, powf, sqrtf)
WN_DISTANCE(double, f64, fabs, pow, sqrt)

extern const wn__distance_kernels WN_AT_LEVEL(wn__distance_kernels);
const wn__distance_kernels WN_AT_LEVEL(wn__distance_kernels) = {{from_row_f32, slopes_f32}, {from_row_f64, slopes_f64}};
