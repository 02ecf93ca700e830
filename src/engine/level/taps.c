/* The loops of linear maps along dimensions: rows are combined whole (contiguous, vector loops), then elements of one row. */
#include <string.h>
#include "engine/level/this_level.h"
#include "engine/level/half_vec.h"
#include "engine/level/keep.h"
#include "engine/taps.h"

enum { WN_ROWS_AHEAD = 16 };
/* By numbers: an index that comes later may be of no row, and is not read then. */
static inline void fetch(uintptr_t from, size_t bytes) {
    _Pragma("GCC unroll 8") for (size_t k = 0; k < bytes; k += 64) __builtin_prefetch((const void *)(from + k));
}
/* Rows of a table (of S, computed as T) added up in registers, in the order of their indices: N vectors of each row. */
#define WN_ROWS_LOOP(name, N, BY)                                                                                             \
    for (int64_t k = 0; k < count; k++) {                                                                                     \
        if (k + WN_ROWS_AHEAD < known)                                                                                        \
            fetch((uintptr_t)table + (uintptr_t)index[k + WN_ROWS_AHEAD] * (uintptr_t)step * sizeof *table, N * (VB / sizeof *acc) * sizeof *table); \
        if (index[k] == skip) continue;                                                                                       \
        const __typeof__(*table) *row = table + index[k] * step;                                                              \
        _Pragma("GCC unroll 8") for (int i = 0; i < N; i++) sum[i] = sum[i] + load_##name(row + i * (int)(VB / sizeof *acc)) BY; \
    }
#define WN_ROWS(S, T, name, N)                                                                                                \
    static inline void rows_##name##_##N(T *acc, const S *table, int64_t step, const int64_t *index, int64_t count, int64_t known, \
                                         int64_t skip, const T *weight) {                                                     \
        name##_vec sum[N];                                                                                                    \
        _Pragma("GCC unroll 8") for (int i = 0; i < N; i++) sum[i] = (name##_vec){0};                                         \
        if (weight) WN_ROWS_LOOP(name, N, * weight[k])                                                                        \
        else WN_ROWS_LOOP(name, N, )                                                                                          \
        _Pragma("GCC unroll 8") for (int i = 0; i < N; i++) memcpy(acc + i * (int)(VB / sizeof(T)), &sum[i], VB);             \
    }
/* The last columns are a vector that overlaps the one before it; of rows shorter than a vector each element is added by itself. */
#define WN_ADD_ROWS(S, T, name)                                                                                               \
    WN_ROWS(S, T, name, 8) WN_ROWS(S, T, name, 4) WN_ROWS(S, T, name, 2) WN_ROWS(S, T, name, 1)                               \
    static int64_t add_rows_##name(int64_t n, void *acc, const void *table, int64_t step, const int64_t *index, int64_t count, int64_t known, \
                                   int64_t skip, const void *weight) {                                                        \
        enum { LANES = VB / sizeof(T) };                                                                                      \
        T *a = acc;                                                                                                           \
        const S *from = table;                                                                                                \
        int64_t i = 0, counted = count;                                                                                       \
        for (; i + 8 * LANES <= n; i += 8 * LANES) rows_##name##_8(a + i, from + i, step, index, count, known, skip, weight); \
        for (; i + 4 * LANES <= n; i += 4 * LANES) rows_##name##_4(a + i, from + i, step, index, count, known, skip, weight); \
        for (; i + 2 * LANES <= n; i += 2 * LANES) rows_##name##_2(a + i, from + i, step, index, count, known, skip, weight); \
        for (; i < n && n >= LANES; i += LANES) {                                                                             \
            if (i + LANES > n) i = n - LANES;                                                                                 \
            rows_##name##_1(a + i, from + i, step, index, count, known, skip, weight);                                        \
        }                                                                                                                     \
        for (; i < n; i++) {                                                                                                  \
            T sum = 0;                                                                                                        \
            for (int64_t k = 0; k < count; k++)                                                                               \
                if (index[k] != skip) sum = sum + one_##name(from[index[k] * step + i]) * (weight ? ((const T *)weight)[k] : 1); \
            a[i] = sum;                                                                                                       \
        }                                                                                                                     \
        if (skip >= 0)                                                                                                        \
            for (int64_t k = 0; k < count; k++) counted -= index[k] == skip;                                                  \
        return counted;                                                                                                       \
    }
typedef float f32_vec __attribute__((vector_size(VB))), f16_vec __attribute__((vector_size(VB))), bf16_vec __attribute__((vector_size(VB)));
typedef double f64_vec __attribute__((vector_size(VB)));
static inline f32_vec load_f32(const float *x) {
    f32_vec v;
    memcpy(&v, x, sizeof v);
    return v;
}
static inline f64_vec load_f64(const double *x) {
    f64_vec v;
    memcpy(&v, x, sizeof v);
    return v;
}
static inline f16_vec load_f16(const uint16_t *x) {
    f16_vec v;
    wn__of_f16((float *)&v, x, VB / 4);
    return v;
}
static inline bf16_vec load_bf16(const uint16_t *x) {
    bf16_vec v;
    wn__of_bf16((float *)&v, x, VB / 4);
    return v;
}
#define one_f32(x) (x)
#define one_f64(x) (x)
#define one_f16(x) wn__f16_to_f32(x)
#define one_bf16(x) wn__bf16_to_f32(x)
WN_ADD_ROWS(float, float, f32)
WN_ADD_ROWS(double, double, f64)
WN_ADD_ROWS(uint16_t, float, f16)
WN_ADD_ROWS(uint16_t, float, bf16)

#define WN_TAPS(T, name)                                                                                                      \
    static void add_##name(int64_t n, void *restrict acc, const void *restrict x, const void *weight, bool fresh) {           \
        T *restrict a = acc;                                                                                                  \
        const T *restrict b = x;                                                                                              \
        if (!weight) {                                                                                                        \
            if (fresh)                                                                                                        \
                for (int64_t i = 0; i < n; i++) a[i] = b[i];                                                                  \
            else                                                                                                              \
                for (int64_t i = 0; i < n; i++) a[i] = (T)(a[i] + b[i]);                                                      \
            return;                                                                                                           \
        }                                                                                                                     \
        const T w = *(const T *)weight;                                                                                       \
        if (fresh)                                                                                                            \
            for (int64_t i = 0; i < n; i++) a[i] = (T)(w * b[i]);                                                             \
        else                                                                                                                  \
            for (int64_t i = 0; i < n; i++) a[i] = (T)(a[i] + w * b[i]);                                                      \
    }                                                                                                                         \
    static void combine_##name(int64_t n, const int64_t *first, const int64_t *start, const void *weight, int64_t origin,     \
                               const void *restrict x, void *restrict y) {                                                    \
        const T *restrict b = (const T *)x, *w = weight;                                                                      \
        T *restrict to = y;                                                                                                   \
        if (!w && start[n] - start[0] == n) { /* one element each, unless some have none */                                   \
            for (int64_t i = 0; i < n; i++) to[i] = start[i + 1] > start[i] ? b[first[i] - origin] : 0;                       \
            if (start[n] - start[0] == n) {                                                                                   \
                bool single = true;                                                                                           \
                for (int64_t i = 0; i < n; i++) single &= start[i + 1] - start[i] == 1;                                       \
                if (single) return;                                                                                           \
            }                                                                                                                 \
        }                                                                                                                     \
        for (int64_t i = 0; i < n; i++) {                                                                                     \
            const int64_t taps = start[i + 1] - start[i];                                                                     \
            const T *at = b + (first[i] - origin);                                                                            \
            T sum = 0;                                                                                                        \
            if (w) {                                                                                                          \
                const T *by = w + start[i];                                                                                   \
                if (taps == 2) sum = (T)(by[0] * at[0] + by[1] * at[1]);                                                      \
                else                                                                                                          \
                    for (int64_t k = 0; k < taps; k++) sum = (T)(sum + by[k] * at[k]);                                        \
            } else {                                                                                                          \
                for (int64_t k = 0; k < taps; k++) sum = (T)(sum + at[k]);                                                    \
            }                                                                                                                 \
            to[i] = sum;                                                                                                      \
        }                                                                                                                     \
    }
WN_TAPS(float, f32)
WN_TAPS(double, f64)
WN_TAPS(uint64_t, i64) /* sums wrap */

/* Whole vectors of a row of short runs, weighted; returns how many outputs. The products of a vector's outputs are added across. */
#ifdef __AVX2__
#include <immintrin.h>
static inline __m256 kept(__m256 v, const float *weight, const int32_t *keep) {
    return _mm256_mul_ps(_mm256_and_ps(v, _mm256_loadu_ps((const float *)keep)), _mm256_loadu_ps(weight));
}
static inline __m256 pairs(const float *x, const int64_t *at, const float *weight, const int32_t *keep) { /* of four outputs */
    const __m128 zero = _mm_setzero_ps();
    const __m128 a = _mm_loadh_pi(_mm_loadl_pi(zero, (const __m64 *)(x + at[0])), (const __m64 *)(x + at[1]));
    const __m128 b = _mm_loadh_pi(_mm_loadl_pi(zero, (const __m64 *)(x + at[2])), (const __m64 *)(x + at[3]));
    return kept(_mm256_set_m128(b, a), weight, keep);
}
static inline __m256 fours(const float *x, const int64_t *at, const float *weight, const int32_t *keep) { /* of two outputs */
    return kept(_mm256_loadu2_m128(x + at[1], x + at[0]), weight, keep);
}
static int64_t whole_f32(int64_t n, int taps, const int64_t *at, const float *w, const int32_t *keep, const float *x, float *y) {
    int64_t i = 0;
    for (; taps == 1 && i + 8 <= n; i += 8, at += 8)
        _mm256_storeu_ps(y + i, kept(_mm256_setr_ps(x[at[0]], x[at[1]], x[at[2]], x[at[3]], x[at[4]], x[at[5]], x[at[6]], x[at[7]]), w + i, keep + i));
    for (; taps == 2 && i + 8 <= n; i += 8, at += 8) {
        const __m256 sum = _mm256_hadd_ps(pairs(x, at, w + 2 * i, keep + 2 * i), pairs(x, at + 4, w + 2 * i + 8, keep + 2 * i + 8));
        _mm256_storeu_ps(y + i, _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(sum), 0xd8)));
    }
    for (; taps == 4 && i + 8 <= n; i += 8, at += 8) {
        __m256 part[4];
        for (int k = 0; k < 4; k++) part[k] = fours(x, at + 2 * k, w + 4 * i + 8 * k, keep + 4 * i + 8 * k);
        const __m256 sum = _mm256_hadd_ps(_mm256_hadd_ps(part[0], part[1]), _mm256_hadd_ps(part[2], part[3]));
        _mm256_storeu_ps(y + i, _mm256_permutevar8x32_ps(sum, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
    }
    return i;
}
#else
static int64_t whole_f32(int64_t n, int taps, const int64_t *at, const float *w, const int32_t *keep, const float *x, float *y) {
    return (void)n, (void)taps, (void)at, (void)w, (void)keep, (void)x, (void)y, 0;
}
#endif
#define whole_f64(n, taps, at, w, keep, x, y) 0

/* In the order of the vectors: a result does not depend on where its row is cut. */
#define WN_FEW(T, I, name)                                                                                                    \
    static void combine_few_##name(int64_t n, int taps, const int64_t *at, const void *weight, const void *keep, const void *restrict from, void *restrict to) { \
        const T *x = from, *w = weight;                                                                                       \
        const I *in = keep;                                                                                                   \
        T *y = to;                                                                                                            \
        int64_t i = w ? whole_##name(n, taps, at, w, in, x, y) : 0;                                                           \
        if (w) {                                                                                                              \
            for (; i < n && taps == 1; i++) y[i] = keep_##name(x[at[i]], in[i]) * w[i];                                       \
            for (; i < n && taps == 2; i++) {                                                                                 \
                const T *v = x + at[i];                                                                                       \
                y[i] = keep_##name(v[0], in[2 * i]) * w[2 * i] + keep_##name(v[1], in[2 * i + 1]) * w[2 * i + 1];             \
            }                                                                                                                 \
            for (; i < n; i++) {                                                                                              \
                const T *v = x + at[i], *u = w + 4 * i;                                                                       \
                const I *k = in + 4 * i;                                                                                      \
                y[i] = (keep_##name(v[0], k[0]) * u[0] + keep_##name(v[1], k[1]) * u[1]) + (keep_##name(v[2], k[2]) * u[2] + keep_##name(v[3], k[3]) * u[3]); \
            }                                                                                                                 \
        } else {                                                                                                              \
            for (; i < n && taps == 1; i++) y[i] = x[at[i]];                                                                  \
            for (; i < n && taps == 2; i++) y[i] = x[at[i]] + x[at[i] + 1];                                                   \
            for (; i < n; i++) y[i] = (x[at[i]] + x[at[i] + 1]) + (x[at[i] + 2] + x[at[i] + 3]);                              \
        }                                                                                                                     \
    }
WN_FEW(float, int32_t, f32)
WN_FEW(double, int64_t, f64)

static void divide_f32(int64_t n, void *y, double common, const double *extent) {
    float *a = y;
    if (extent)
        for (int64_t i = 0; i < n; i++) a[i] /= (float)common * (float)extent[i];
    else
        for (int64_t i = 0; i < n; i++) a[i] /= (float)common;
}
static void divide_f64(int64_t n, void *y, double common, const double *extent) {
    double *a = y;
    for (int64_t i = 0; i < n; i++) a[i] /= extent ? common * extent[i] : common;
}
static void divide_i64(int64_t n, void *y, double common, const double *extent) {
    int64_t *a = y;
    for (int64_t i = 0; i < n; i++) {
        const double v = extent ? common * extent[i] : common;
        const int64_t by = v >= 0x1p63 ? INT64_MAX : v < -0x1p63 ? INT64_MIN : (int64_t)v;
        a[i] = by == -1 ? (int64_t)(0 - (uint64_t)a[i]) : by ? a[i] / by : 0;
    }
}

extern const wn__taps_table WN_AT_LEVEL(wn__taps_table);
const wn__taps_table WN_AT_LEVEL(wn__taps_table) = {{[WN__CT_F32] = {add_f32, combine_f32, combine_few_f32, divide_f32},
                                                     [WN__CT_F64] = {add_f64, combine_f64, combine_few_f64, divide_f64},
                                                     [WN__CT_I64] = {add_i64, combine_i64, NULL, divide_i64}},
                                                    {[WN_F32] = add_rows_f32, [WN_F64] = add_rows_f64, [WN_F16] = add_rows_f16, [WN_BF16] = add_rows_bf16}};
