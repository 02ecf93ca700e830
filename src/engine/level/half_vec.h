/* f16 and bf16 in memory as floats and back, rounded to nearest even, WN_HALF_RUN elements at a time: with instructions
 * where the level has them, else the branch-free forms of base/half.h. NaNs come out of the store as bf16 0x7fc0 with their
 * sign, of f16 as the instruction gives them; bits of bf16 are the same everywhere. wn__of_*: n is a constant, whole vectors. */
#ifndef WN_ENGINE_LEVEL_HALF_VEC_H
#define WN_ENGINE_LEVEL_HALF_VEC_H
#include "base/half.h"
#include "base/inline.h"
#if defined(__F16C__)
#include <immintrin.h>
#endif

enum { WN_HALF_RUN = 32 };

#if defined(__AVX512BW__)
INLINE void wn__of_f16(float *to, const uint16_t *x, int n) {
    for (int k = 0; k < n; k += 16) _mm512_storeu_ps(to + k, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)(x + k))));
}
INLINE void wn__of_bf16(float *to, const uint16_t *x, int n) {
    for (int k = 0; k < n; k += 16) {
        const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(x + k)));
        _mm512_storeu_ps(to + k, _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16)));
    }
}
INLINE void wn__run_to_f16(uint16_t *to, const float *x) {
    for (int k = 0; k < WN_HALF_RUN; k += 16)
        _mm256_storeu_si256((__m256i *)(void *)(to + k), _mm512_cvtps_ph(_mm512_loadu_ps(x + k), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
/* The upper halves of 32 floats, one more where the lower half is above 0x8000, or 0x8000 and the upper half odd. */
INLINE void wn__run_to_bf16(uint16_t *to, const float *x) {
    static const uint16_t odd[32] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
    const __m512 a = _mm512_loadu_ps(x), b = _mm512_loadu_ps(x + 16);
    const __m512i u = _mm512_castps_si512(a), v = _mm512_castps_si512(b), at = _mm512_loadu_si512(odd), one = _mm512_set1_epi16(1);
    const __m512i hi = _mm512_permutex2var_epi16(u, at, v), lo = _mm512_permutex2var_epi16(u, _mm512_sub_epi16(at, one), v);
    const __m512i half = _mm512_sub_epi16(_mm512_set1_epi16(-0x8000), _mm512_and_si512(hi, one));
    __m512i r = _mm512_mask_add_epi16(hi, _mm512_cmpgt_epu16_mask(lo, half), hi, one);
    const __mmask32 nan = _mm512_kunpackw(_mm512_cmp_ps_mask(b, b, _CMP_UNORD_Q), _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q));
    if (__builtin_expect(nan != 0, 0))
        r = _mm512_mask_mov_epi16(r, nan, _mm512_or_si512(_mm512_and_si512(hi, _mm512_set1_epi16(-0x8000)), _mm512_set1_epi16(0x7fc0)));
    _mm512_storeu_si512(to, r);
}
/* For loops that do the same with each element of a run: the even ones, then the odd ones, so that nothing crosses lanes. One more is added where the
 * lower half and 0x7fff, and 1 where the upper half is odd, carry; their sum's half (avg adds 1) has the carry as its sign. */
INLINE void wn__apart_of_bf16(float *to, const uint16_t *x) {
    const __m512i v = _mm512_loadu_si512(x);
    _mm512_storeu_ps(to, _mm512_castsi512_ps(_mm512_slli_epi32(v, 16)));
    _mm512_storeu_ps(to + 16, _mm512_castsi512_ps(_mm512_and_si512(v, _mm512_set1_epi32(-0x10000))));
}
INLINE void wn__apart_to_bf16(uint16_t *to, const float *x) {
    const __m512 a = _mm512_loadu_ps(x), b = _mm512_loadu_ps(x + 16);
    const __m512i u = _mm512_castps_si512(a), v = _mm512_castps_si512(b), one = _mm512_set1_epi16(1);
    const __m512i hi = _mm512_mask_mov_epi16(_mm512_srli_epi32(u, 16), 0xaaaaaaaa, v), lo = _mm512_mask_mov_epi16(u, 0xaaaaaaaa, _mm512_slli_epi32(v, 16));
    const __m512i add = _mm512_or_si512(_mm512_and_si512(hi, one), _mm512_set1_epi16(0x7ffe));
    __m512i r = _mm512_sub_epi16(hi, _mm512_srai_epi16(_mm512_avg_epu16(lo, add), 15));
    if (__builtin_expect(_mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q) != 0, 0)) { /* above infinity, of which what is left of lo counts as 1 more */
        const __m512i size = _mm512_and_si512(hi, _mm512_set1_epi16(0x7fff)), sign = _mm512_and_si512(hi, _mm512_set1_epi16(-0x8000));
        const __m512i least = _mm512_mask_mov_epi16(_mm512_set1_epi16(0x7f80), _mm512_cmpgt_epu16_mask(lo, _mm512_setzero_si512()), _mm512_set1_epi16(0x7f7f));
        r = _mm512_mask_mov_epi16(r, _mm512_cmpgt_epu16_mask(size, least), _mm512_or_si512(sign, _mm512_set1_epi16(0x7fc0)));
    }
    _mm512_storeu_si512(to, r);
}
#define WN_HALVES_APART
#elif defined(__AVX2__) && defined(__F16C__)
INLINE void wn__of_f16(float *to, const uint16_t *x, int n) {
    for (int k = 0; k < n; k += 8) _mm256_storeu_ps(to + k, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(x + k))));
}
INLINE void wn__of_bf16(float *to, const uint16_t *x, int n) {
    for (int k = 0; k < n; k += 8) {
        const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(x + k)));
        _mm256_storeu_ps(to + k, _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16)));
    }
}
INLINE void wn__run_to_f16(uint16_t *to, const float *x) {
    for (int k = 0; k < WN_HALF_RUN; k += 8)
        _mm_storeu_si128((__m128i *)(void *)(to + k), _mm256_cvtps_ph(_mm256_loadu_ps(x + k), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
/* bf16 of 16 floats, none of them NaN: the upper halves, one more where the lower half is above 0x8000, or 0x8000 and the upper half odd. */
INLINE void wn__store_bf16(uint16_t *to, __m256 x, __m256 y) {
    const __m256i u = _mm256_castps_si256(x), v = _mm256_castps_si256(y), word = _mm256_set1_epi32(0xffff);
    const __m256i hi = _mm256_packus_epi32(_mm256_srli_epi32(u, 16), _mm256_srli_epi32(v, 16));
    const __m256i lo = _mm256_packus_epi32(_mm256_and_si256(u, word), _mm256_and_si256(v, word)), biased = _mm256_xor_si256(lo, _mm256_set1_epi16(-0x8000));
    const __m256i odd = _mm256_and_si256(hi, _mm256_set1_epi16(1)), up = _mm256_cmpgt_epi16(biased, _mm256_sub_epi16(_mm256_setzero_si256(), odd));
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute4x64_epi64(_mm256_sub_epi16(hi, up), 0xd8));
}
INLINE void wn__run_to_bf16(uint16_t *to, const float *x) {
    const __m256 a = _mm256_loadu_ps(x), b = _mm256_loadu_ps(x + 8), c = _mm256_loadu_ps(x + 16), d = _mm256_loadu_ps(x + 24);
    if (__builtin_expect(_mm256_movemask_ps(_mm256_or_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q), _mm256_cmp_ps(c, d, _CMP_UNORD_Q))), 0)) {
        for (int k = 0; k < WN_HALF_RUN; k++) to[k] = wn__f32_to_bf16(x[k]);
        return;
    }
    wn__store_bf16(to, a, b);
    wn__store_bf16(to + 16, c, d);
}
/* For loops that do the same with each element of a run: of every 16 the even ones, then the odd ones, so that nothing crosses lanes. One more is added
 * where the lower half and 0x7fff, and 1 where the upper half is odd, carry; their sum's half (avg adds 1) has the carry as its sign. */
INLINE void wn__apart_of_bf16(float *to, const uint16_t *x) {
    for (int k = 0; k < WN_HALF_RUN; k += 16) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(x + k));
        _mm256_storeu_ps(to + k, _mm256_castsi256_ps(_mm256_slli_epi32(v, 16)));
        _mm256_storeu_ps(to + k + 8, _mm256_castsi256_ps(_mm256_and_si256(v, _mm256_set1_epi32(-0x10000))));
    }
}
INLINE __m256i wn__bf16_of_apart(__m256 even, __m256 odd) {
    const __m256i u = _mm256_castps_si256(even), v = _mm256_castps_si256(odd);
    const __m256i hi = _mm256_blend_epi16(_mm256_srli_epi32(u, 16), v, 0xaa), lo = _mm256_blend_epi16(u, _mm256_slli_epi32(v, 16), 0xaa);
    const __m256i add = _mm256_or_si256(_mm256_and_si256(hi, _mm256_set1_epi16(1)), _mm256_set1_epi16(0x7ffe));
    return _mm256_sub_epi16(hi, _mm256_srai_epi16(_mm256_avg_epu16(lo, add), 15));
}
INLINE __m256i wn__bf16_nan_apart(__m256i r, __m256 even, __m256 odd) {
    const __m256 a = _mm256_cmp_ps(even, even, _CMP_UNORD_Q), b = _mm256_cmp_ps(odd, odd, _CMP_UNORD_Q);
    const __m256i hi = _mm256_blend_epi16(_mm256_srli_epi32(_mm256_castps_si256(even), 16), _mm256_castps_si256(odd), 0xaa);
    const __m256i nan = _mm256_or_si256(_mm256_and_si256(hi, _mm256_set1_epi16(-0x8000)), _mm256_set1_epi16(0x7fc0));
    return _mm256_blendv_epi8(r, nan, _mm256_blend_epi16(_mm256_castps_si256(a), _mm256_castps_si256(b), 0xaa));
}
INLINE void wn__apart_to_bf16(uint16_t *to, const float *x) {
    const __m256 a = _mm256_loadu_ps(x), b = _mm256_loadu_ps(x + 8), c = _mm256_loadu_ps(x + 16), d = _mm256_loadu_ps(x + 24);
    __m256i r = wn__bf16_of_apart(a, b), s = wn__bf16_of_apart(c, d);
    if (__builtin_expect(_mm256_movemask_ps(_mm256_or_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q), _mm256_cmp_ps(c, d, _CMP_UNORD_Q))), 0)) {
        r = wn__bf16_nan_apart(r, a, b);
        s = wn__bf16_nan_apart(s, c, d);
    }
    _mm256_storeu_si256((__m256i *)(void *)to, r);
    _mm256_storeu_si256((__m256i *)(void *)(to + 16), s);
}
#define WN_HALVES_APART
INLINE void wn__run_of_ints_to_bf16(uint16_t *to, const int32_t *x) {
    const __m256i *v = (const __m256i *)(const void *)x;
    for (int k = 0; k < WN_HALF_RUN / 16; k++)
        wn__store_bf16(to + 16 * k, _mm256_cvtepi32_ps(_mm256_loadu_si256(v + 2 * k)), _mm256_cvtepi32_ps(_mm256_loadu_si256(v + 2 * k + 1)));
}
#define WN_INTS_TO_BF16 wn__run_of_ints_to_bf16
#else
INLINE void wn__of_f16(float *to, const uint16_t *x, int n) {
    for (int k = 0; k < n; k++) to[k] = wn__f16_to_f32(x[k]);
}
INLINE void wn__of_bf16(float *to, const uint16_t *x, int n) {
    for (int k = 0; k < n; k++) to[k] = wn__bf16_to_f32(x[k]);
}
INLINE void wn__run_to_f16(uint16_t *to, const float *x) {
    for (int k = 0; k < WN_HALF_RUN; k++) to[k] = wn__f32_to_f16(x[k]);
}
INLINE void wn__run_to_bf16(uint16_t *to, const float *x) {
    for (int k = 0; k < WN_HALF_RUN; k++) to[k] = wn__f32_to_bf16(x[k]);
}
#endif
INLINE void wn__run_of_f16(float *to, const uint16_t *x) { wn__of_f16(to, x, WN_HALF_RUN); }
INLINE void wn__run_of_bf16(float *to, const uint16_t *x) { wn__of_bf16(to, x, WN_HALF_RUN); }
INLINE void wn__apart_of_f16(float *to, const uint16_t *x) { wn__run_of_f16(to, x); }
INLINE void wn__apart_to_f16(uint16_t *to, const float *x) { wn__run_to_f16(to, x); }
#ifndef WN_HALVES_APART
INLINE void wn__apart_of_bf16(float *to, const uint16_t *x) { wn__run_of_bf16(to, x); }
INLINE void wn__apart_to_bf16(uint16_t *to, const float *x) { wn__run_to_bf16(to, x); }
#endif
#endif
