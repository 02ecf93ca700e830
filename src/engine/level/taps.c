/* The loops of linear maps along dimensions: rows are combined whole (contiguous, vector loops), then elements of one row. */
#include <string.h>
#include "base/inline.h"
#include "engine/level/this_level.h"
#include "engine/level/half_vec.h"
#include "engine/level/keep.h"
#include "engine/level/vectors.h"
#include "engine/taps.h"

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
INLINE int64_t whole_f64(int64_t n, int taps, const int64_t *at, const double *w, const int64_t *keep, const double *x, double *y) {
    return (void)n, (void)taps, (void)at, (void)w, (void)keep, (void)x, (void)y, 0;
}

enum { ROWS_AHEAD = 16 };
/* By numbers: an index that comes later may be of no row, and is not read then. */
INLINE void fetch(uintptr_t from, size_t bytes) {
    _Pragma("GCC unroll 8") for (size_t k = 0; k < bytes; k += 64) __builtin_prefetch((const void *)(from + k));
}
INLINE v_f32 load_f16(const uint16_t *x) {
    v_f32 v;
    wn__of_f16((float *)&v, x, VB / 4);
    return v;
}
INLINE v_f32 load_bf16(const uint16_t *x) {
    v_f32 v;
    wn__of_bf16((float *)&v, x, VB / 4);
    return v;
}
#define one_f32(x) (x)
#define one_f64(x) (x)
#define one_f16(x) wn__f16_to_f32(x)
#define one_bf16(x) wn__bf16_to_f32(x)

#define S T
#define K(name) OF(name)
#include "base/as_f64.h"
#include "engine/level/taps_of.h"
#include "engine/level/add_rows_of.h"
#include "base/as_f32.h"
#include "engine/level/taps_of.h"
#include "engine/level/add_rows_of.h"
#undef S
#undef K
#define S uint16_t
#define K(name) name##_f16
#include "engine/level/add_rows_of.h"
#undef K
#define K(name) name##_bf16
#include "engine/level/add_rows_of.h"
#include "base/as_u64.h"
#include "engine/level/taps_of.h"
#include "base/as_none.h"

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
                                                     [WN__CT_I64] = {add_u64, combine_u64, NULL, divide_i64}},
                                                    {[WN_F32] = add_rows_f32, [WN_F64] = add_rows_f64, [WN_F16] = add_rows_f16, [WN_BF16] = add_rows_bf16}};
