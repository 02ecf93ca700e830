/* Floating point as integers and back, WN_HALF_RUN elements at a time, where the level has no instruction that a loop over single ones would be
 * made of. AVX2 converts no int64 at all: between -2^51 and 2^51, which a run is looked at for, they are the low bits of a double to which
 * 1.5 * 2^52 is added (math/divide.h). Out of range, floats become what cvttss2si gives: the smallest number. */
#ifndef WN_ENGINE_LEVEL_INT_VEC_H
#define WN_ENGINE_LEVEL_INT_VEC_H
#include <stdbool.h>
#include "base/checked.h"
#include "engine/level/half_vec.h"
#include "engine/math/divide.h"

static inline int32_t wn__to_i32(double x) { return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN; }
/* The same of a float, so that a vector of them need not become doubles. */
static inline int32_t wn__float_to_i32(float x) { return x >= -2147483648.0f && x < 2147483648.0f ? (int32_t)x : INT32_MIN; }

#if defined(__AVX2__) && !defined(__AVX512DQ__)
enum { WN_LOOK_NEAR = 1 };
#else
enum { WN_LOOK_NEAR = 0 };
#endif

/* The instruction, which says by itself what is out of range: as C, each vector costs two comparisons and a choice more. Whole vectors are
 * written, so that who narrows them need not wait for two stores. */
#if defined(__AVX512F__)
enum { WN_INTS = 16 };
#define WN_INTS_OF_f32(to, x) _mm512_storeu_si512(to, _mm512_cvttps_epi32(_mm512_loadu_ps(x)))
#define WN_INTS_OF_f64(to, x) \
    _mm512_storeu_si512(to, _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvttpd_epi32(_mm512_loadu_pd(x))), _mm512_cvttpd_epi32(_mm512_loadu_pd((x) + 8)), 1))
#elif defined(__AVX2__)
enum { WN_INTS = 8 };
#define WN_INTS_OF_f32(to, x) _mm256_storeu_si256((__m256i *)(void *)(to), _mm256_cvttps_epi32(_mm256_loadu_ps(x)))
#define WN_INTS_OF_f64(to, x) \
    _mm256_storeu_si256((__m256i *)(void *)(to), _mm256_set_m128i(_mm256_cvttpd_epi32(_mm256_loadu_pd((x) + 4)), _mm256_cvttpd_epi32(_mm256_loadu_pd(x))))
#else
enum { WN_INTS = 1 };
#define WN_INTS_OF_f32(to, x) (*(to) = wn__float_to_i32(*(x)))
#define WN_INTS_OF_f64(to, x) (*(to) = wn__to_i32(*(x)))
#endif
#include "base/as_f32.h"
#include "engine/level/int_runs_of.h"
#include "base/as_f64.h"
#include "engine/level/int_runs_of.h"
#include "base/as_none.h"

/* 32 eight-byte elements as bytes 1 where they are not 0: gcc narrows such masks one step of the width at a time, in 56 instructions. */
#if defined(__AVX2__) && !defined(__AVX512F__)
INLINE __m256d wn__four_are_0(const bool floating, const double *x) {
    const __m256d v = _mm256_loadu_pd(x);
    if (floating) return _mm256_cmp_pd(v, _mm256_setzero_pd(), _CMP_EQ_OQ);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_castpd_si256(v), _mm256_setzero_si256()));
}
INLINE __m256i wn__are_0(const bool floating, const double *x) { /* eight, as int32: 0 1 4 5 2 3 6 7 */
    const __m256d a = wn__four_are_0(floating, x), b = wn__four_are_0(floating, x + 4);
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(a), _mm256_castpd_ps(b), 0x88));
}
INLINE void wn__truth_of(const bool floating, uint8_t *to, const void *from) {
    const double *x = from;
    const __m256i low = _mm256_packs_epi32(wn__are_0(floating, x), wn__are_0(floating, x + 8));
    const __m256i high = _mm256_packs_epi32(wn__are_0(floating, x + 16), wn__are_0(floating, x + 24));
    const __m256i is = _mm256_andnot_si256(_mm256_packs_epi16(low, high), _mm256_set1_epi8(1));
    const __m128i even = _mm256_castsi256_si128(is), odd = _mm256_extracti128_si256(is, 1); /* pairs of elements */
    _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi16(even, odd));
    _mm_storeu_si128((__m128i *)(void *)(to + 16), _mm_unpackhi_epi16(even, odd));
}
INLINE void wn__truth_of_f64(uint8_t *to, const double *x) { wn__truth_of(true, to, x); }
INLINE void wn__truth_of_i64(uint8_t *to, const int64_t *x) { wn__truth_of(false, to, x); }
#define WN_HAS_TRUTH_RUNS
#endif
#endif
