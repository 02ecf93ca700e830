/* Loops over the differences of two rows. A sum runs over LANES partial sums, so that every level adds in the same order. Of the rare
 * metrics the functions are `cold`: small instead of fast. */
#include "engine/distance.h"
#include "engine/level/this_level.h"
#include "engine/math/math.h"
#include <string.h>

enum { LANES = 16, ROWS = 128 };

#define WN_DISTANCE(T, name, ABS, POW, SQRT)                                                                            \
    static inline T fold_##name(T *lane) { /* halves by number: a loop over them would go by way of memory */           \
        for (int l = 0; l < 8; l++) lane[l] += lane[l + 8];                                                             \
        for (int l = 0; l < 4; l++) lane[l] += lane[l + 4];                                                             \
        return (lane[0] + lane[2]) + (lane[1] + lane[3]);                                                               \
    }                                                                                                                   \
    static __attribute__((cold)) void rest_##name(wn__metric m, const T *a, const T *b, int64_t n, T p, T *lane) {      \
        for (int64_t k = 0; k < n; k++) {                                                                               \
            const T d = ABS(a[k] - b[k]);                                                                               \
            lane[k % LANES] += m == WN__METRIC_SUM ? d : m == WN__METRIC_EUCLID ? d * d : m == WN__METRIC_COUNT ? (T)(d != 0) : (T)POW(d, p); \
        }                                                                                                               \
    }                                                                                                                   \
    static T sum_##name(const T *a, const T *b, int64_t n) {                                                            \
        T lane[LANES] = {0};                                                                                            \
        int64_t k = 0;                                                                                                  \
        for (; k + LANES <= n; k += LANES)                                                                              \
            for (int l = 0; l < LANES; l++) lane[l] += ABS(a[k + l] - b[k + l]);                                        \
        if (k < n) rest_##name(WN__METRIC_SUM, a + k, b + k, n - k, 1, lane);                                           \
        return fold_##name(lane);                                                                                       \
    }                                                                                                                   \
    static T squares_##name(const T *a, const T *b, int64_t n) {                                                        \
        T lane[LANES] = {0};                                                                                            \
        int64_t k = 0;                                                                                                  \
        for (; k + LANES <= n; k += LANES)                                                                              \
            for (int l = 0; l < LANES; l++) lane[l] += (a[k + l] - b[k + l]) * (a[k + l] - b[k + l]);                   \
        if (k < n) rest_##name(WN__METRIC_EUCLID, a + k, b + k, n - k, 2, lane);                                        \
        return fold_##name(lane);                                                                                       \
    }                                                                                                                   \
    static __attribute__((cold)) T rare_##name(wn__metric m, const T *a, const T *b, int64_t n, T p) {                  \
        T lane[LANES] = {0}, most = 0;                                                                                  \
        if (m != WN__METRIC_MOST) {                                                                                     \
            rest_##name(m, a, b, n, p, lane);                                                                           \
            return m == WN__METRIC_COUNT ? fold_##name(lane) : (T)POW(fold_##name(lane), 1 / p);                        \
        }                                                                                                               \
        for (int64_t k = 0; k < n; k++) {                                                                               \
            const T d = ABS(a[k] - b[k]);                                                                               \
            most = d > most || d != d ? d : most;                                                                       \
        }                                                                                                               \
        return most;                                                                                                    \
    }                                                                                                                   \
    static void from_row_##name(wn__metric m, double p, const void *ap, const void *bp, int64_t ldb, int64_t rows, int64_t n, void *out) { \
        const T *a = ap, *b = bp;                                                                                       \
        T *y = out;                                                                                                     \
        for (int64_t r = 0; r < rows; r++, b += ldb)                                                                    \
            y[r] = m == WN__METRIC_EUCLID ? SQRT(squares_##name(a, b, n)) : m == WN__METRIC_SUM ? sum_##name(a, b, n) : rare_##name(m, a, b, n, (T)p); \
    }                                                                                                                   \
    /* Two registers of columns at a time for all rows: what a column adds up stays there. */                           \
    typedef T V_##name __attribute__((vector_size(VB)));                                                                \
    static __attribute__((cold)) void scales_##name(int64_t rows, const T *g, int64_t gs, const T *y, int64_t ds, T *up) { \
        for (int64_t r = 0; r < rows; r++) up[r] = y[r * ds] == 0 ? 0 : g[r * gs] / y[r * ds];                          \
    }                                                                                                                   \
    static __attribute__((cold)) void euclid_rest_##name(const T *a, const T *b, int64_t ldb, int64_t rows, int64_t k, int64_t n, const T *up, T *to) { \
        for (; k < n; k++) {                                                                                            \
            T s = 0;                                                                                                    \
            for (int64_t r = 0; r < rows; r++) s += (a[k] - b[r * ldb + k]) * up[r];                                    \
            to[k] += s;                                                                                                 \
        }                                                                                                               \
    }                                                                                                                   \
    static void euclid_slopes_##name(const T *a, const T *b, int64_t ldb, int64_t rows, int64_t n, const T *g, int64_t gs, const T *y, int64_t ds, T *to) { \
        enum { VN = VB / sizeof(T) };                                                                                   \
        T up[ROWS];                                                                                                     \
        for (int64_t r0 = 0; r0 < rows; r0 += ROWS, b += ROWS * ldb) {                                                  \
            const int64_t some = rows - r0 < ROWS ? rows - r0 : ROWS;                                                   \
            int64_t k = 0;                                                                                              \
            scales_##name(some, g + r0 * gs, gs, y + r0 * ds, ds, up);                                                  \
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
            if (k < n) euclid_rest_##name(a, b, ldb, some, k, n, up, to);                                               \
        }                                                                                                               \
    }                                                                                                                   \
    static void sum_slope_##name(const T *a, const T *b, int64_t n, T up, T *restrict to) { /* NaN keeps its own */     \
        for (int64_t k = 0; k < n; k++) {                                                                               \
            const T d = a[k] - b[k], at_0 = d == 0 ? 0 : d;                                                             \
            to[k] += d > 0 ? up : d < 0 ? -up : at_0;                                                                   \
        }                                                                                                               \
    }                                                                                                                   \
    static __attribute__((cold)) void rare_slope_##name(wn__metric m, T p, const T *a, const T *b, int64_t n, T y, T up, T *to) { \
        for (int64_t k = 0; k < n; k++) {                                                                               \
            const T d = a[k] - b[k], signed_up = d < 0 ? -up : up;                                                      \
            if (m == WN__METRIC_MOST ? ABS(d) == y : d != 0) to[k] += m == WN__METRIC_MOST ? signed_up : (T)POW(ABS(d) / y, p - 1) * signed_up; \
        }                                                                                                               \
    }                                                                                                                   \
    static void slopes_##name(wn__metric m, double p, const void *ap, const void *bp, int64_t ldb, int64_t rows, int64_t n, const void *gp, int64_t gs, \
                              const void *dp, int64_t ds, void *to) {                                                   \
        const T *a = ap, *b = bp, *g = gp, *distance = dp;                                                              \
        if (m == WN__METRIC_EUCLID) euclid_slopes_##name(a, b, ldb, rows, n, g, gs, distance, ds, to);                  \
        if (m == WN__METRIC_EUCLID || m == WN__METRIC_COUNT) return;                                                    \
        for (int64_t r = 0; r < rows; r++, b += ldb, g += gs, distance += ds) {                                         \
            if (*distance == 0) continue;                                                                               \
            if (m == WN__METRIC_SUM) sum_slope_##name(a, b, n, *g, to);                                                 \
            else rare_slope_##name(m, (T)p, a, b, n, *distance, *g, to);                                                \
        }                                                                                                               \
    }
WN_DISTANCE(float, f32, fabsf, powf, sqrtf)
WN_DISTANCE(double, f64, fabs, pow, sqrt)

extern const wn__distance_kernels WN_AT_LEVEL(wn__distance_kernels);
const wn__distance_kernels WN_AT_LEVEL(wn__distance_kernels) = {{from_row_f32, slopes_f32}, {from_row_f64, slopes_f64}};
