/* AVX-512 intrinsics on a processor that has only AVX2, for tests (-DWINNOW_EMULATE=ON, `make emulate`): included in front of
 * every file of the level avx512, which is then compiled for AVX2. What is written in C with vectors the compiler splits itself; what
 * calls an intrinsic finds it here, with what Intel's manual says of it lane by lane. Slow, and exact to the bit except
 * dpbf16_ps, whose order of the two additions a lane Intel leaves to the processor. An intrinsic that is missing here
 * does not compile ("target specific option mismatch"): add it. */
#ifndef WN_EMULATE_AVX512_H
#define WN_EMULATE_AVX512_H
#pragma GCC system_header /* no warnings where the compiler's headers make an intrinsic a macro */
#include <immintrin.h> /* before the macros below: what they announce must not reach the compiler's own headers */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define WN_EMULATED_AVX512 1
#define __AVX512F__ 1
#define __AVX512BW__ 1
#define __AVX512DQ__ 1
#define __AVX512VL__ 1
#define target(names) /* __attribute__((target("avx512..."))): whole files are compiled for AVX2 */

typedef float wn_e_f32 __attribute__((vector_size(64)));
typedef double wn_e_f64 __attribute__((vector_size(64)));
typedef int8_t wn_e_i8 __attribute__((vector_size(64)));
typedef int16_t wn_e_i16 __attribute__((vector_size(64)));
typedef int32_t wn_e_i32 __attribute__((vector_size(64)));
typedef int64_t wn_e_i64 __attribute__((vector_size(64)));
typedef uint16_t wn_e_u16 __attribute__((vector_size(64)));
typedef uint32_t wn_e_u32 __attribute__((vector_size(64)));
typedef uint64_t wn_e_u64 __attribute__((vector_size(64)));

#define WN_E static inline __attribute__((always_inline, unused))
/* A function of lanes: `r` is the result, `i` the lane. */
#define WN_E_LANES(R, name, args, V, expression)                                                                       \
    WN_E R wn_e_##name args {                                                                                          \
        V r = {0};                                                                                                     \
        for (unsigned i = 0; i < sizeof(V) / sizeof r[0]; i++) r[i] = (expression);                                    \
        return (R)r;                                                                                                   \
    }
#define WN_E_AT(V, x) (((V)(x))[i])

/* ------------------------------------------------------------------ halves */
WN_E __m256i wn_e_half(__m512i x, int k) {
    __m256i h[2];
    memcpy(h, &x, 64);
    return h[k];
}
WN_E __m512i wn_e_join(__m256i low, __m256i high) {
    const __m256i h[2] = {low, high};
    __m512i r;
    memcpy(&r, h, 64);
    return r;
}
#define WN_E_HALF_PS(x, k) ((__m256)wn_e_half((__m512i)(x), k))
#define WN_E_HALF_PD(x, k) ((__m256d)wn_e_half((__m512i)(x), k))
#define WN_E_BOTH_PS(name) /* x86's own semantics, which C's operators do not have (min, max, fused) */                \
    WN_E __m512 wn_e_##name(__m512 a, __m512 b) {                                                                      \
        return (__m512)wn_e_join((__m256i)_mm256_##name(WN_E_HALF_PS(a, 0), WN_E_HALF_PS(b, 0)), (__m256i)_mm256_##name(WN_E_HALF_PS(a, 1), WN_E_HALF_PS(b, 1))); \
    }
#define WN_E_BOTH_PD(name)                                                                                             \
    WN_E __m512d wn_e_##name(__m512d a, __m512d b) {                                                                   \
        return (__m512d)wn_e_join((__m256i)_mm256_##name(WN_E_HALF_PD(a, 0), WN_E_HALF_PD(b, 0)), (__m256i)_mm256_##name(WN_E_HALF_PD(a, 1), WN_E_HALF_PD(b, 1))); \
    }
WN_E_BOTH_PS(max_ps)
WN_E_BOTH_PS(min_ps)
WN_E_BOTH_PD(max_pd)
WN_E_BOTH_PD(min_pd)
WN_E __m512i wn_e_max_epu32(__m512i a, __m512i b) { return wn_e_join(_mm256_max_epu32(wn_e_half(a, 0), wn_e_half(b, 0)), _mm256_max_epu32(wn_e_half(a, 1), wn_e_half(b, 1))); }
WN_E __m512i wn_e_min_epu32(__m512i a, __m512i b) { return wn_e_join(_mm256_min_epu32(wn_e_half(a, 0), wn_e_half(b, 0)), _mm256_min_epu32(wn_e_half(a, 1), wn_e_half(b, 1))); }
#define wn_e_cmp_ps_mask(a, b, p)                                                                                      \
    ((__mmask16)(_mm256_movemask_ps(_mm256_cmp_ps(WN_E_HALF_PS(a, 0), WN_E_HALF_PS(b, 0), p)) |                        \
                 _mm256_movemask_ps(_mm256_cmp_ps(WN_E_HALF_PS(a, 1), WN_E_HALF_PS(b, 1), p)) << 8))
#define wn_e_cmp_pd_mask(a, b, p)                                                                                      \
    ((__mmask8)(_mm256_movemask_pd(_mm256_cmp_pd(WN_E_HALF_PD(a, 0), WN_E_HALF_PD(b, 0), p)) |                         \
                _mm256_movemask_pd(_mm256_cmp_pd(WN_E_HALF_PD(a, 1), WN_E_HALF_PD(b, 1), p)) << 4))

/* ------------------------------------------------------------------ memory: a lane that is masked out is not touched */
#define WN_E_LOAD(R, name, mask, T, V)                                                                                 \
    WN_E R wn_e_maskz_loadu_##name(mask m, const void *p) {                                                            \
        V r = {0};                                                                                                     \
        for (unsigned i = 0; i < sizeof(V) / sizeof(T); i++)                                                           \
            if (m >> i & 1) {                                                                                          \
                T x;                                                                                                   \
                memcpy(&x, (const char *)p + i * sizeof(T), sizeof(T));                                                \
                r[i] = x;                                                                                              \
            }                                                                                                          \
        return (R)r;                                                                                                   \
    }
#define WN_E_STORE(R, name, mask, T, V)                                                                                \
    WN_E void wn_e_mask_storeu_##name(void *p, mask m, R v) {                                                          \
        for (unsigned i = 0; i < sizeof(V) / sizeof(T); i++) {                                                         \
            const T x = WN_E_AT(V, v);                                                                                 \
            if (m >> i & 1) memcpy((char *)p + i * sizeof(T), &x, sizeof(T));                                          \
        }                                                                                                              \
    }
WN_E_LOAD(__m512, ps, __mmask16, float, wn_e_f32)
WN_E_LOAD(__m512d, pd, __mmask8, double, wn_e_f64)
WN_E_LOAD(__m512i, epi16, __mmask32, int16_t, wn_e_i16)
WN_E_LOAD(__m512i, epi32, __mmask16, int32_t, wn_e_i32)
WN_E_LOAD(__m512i, epi64, __mmask8, int64_t, wn_e_i64)
WN_E_STORE(__m512, ps, __mmask16, float, wn_e_f32)
WN_E_STORE(__m512d, pd, __mmask8, double, wn_e_f64)
WN_E_STORE(__m512i, epi16, __mmask32, int16_t, wn_e_i16)
WN_E_STORE(__m512i, epi32, __mmask16, int32_t, wn_e_i32)
WN_E_STORE(__m512i, epi64, __mmask8, int64_t, wn_e_i64)
WN_E __m256i wn_e_maskz_loadu_epi16_256(__mmask16 m, const void *p) { return wn_e_half(wn_e_maskz_loadu_epi16(m, p), 0); }
#define WN_E_WHOLE(R, suffix)                                                                                          \
    WN_E R wn_e_loadu_##suffix(const void *p) {                                                                        \
        R r;                                                                                                           \
        memcpy(&r, p, 64);                                                                                             \
        return r;                                                                                                      \
    }                                                                                                                  \
    WN_E void wn_e_storeu_##suffix(void *p, R x) { memcpy(p, &x, 64); }
WN_E_WHOLE(__m512, ps)
WN_E_WHOLE(__m512d, pd)
WN_E_WHOLE(__m512i, si512)

/* ------------------------------------------------------------------ numbers */
WN_E_LANES(__m512, set1_ps, (float x), wn_e_f32, x)
WN_E_LANES(__m512d, set1_pd, (double x), wn_e_f64, x)
WN_E_LANES(__m512i, set1_epi16, (int x), wn_e_i16, (int16_t)x)
WN_E_LANES(__m512i, set1_epi64, (int64_t x), wn_e_i64, x)
WN_E_LANES(__m512i, setr_epi64, (int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h), wn_e_i64, ((const int64_t[]){a, b, c, d, e, f, g, h})[i])
#define wn_e_set_epi16(...) wn_e_reversed_epi16((const int16_t[32]){__VA_ARGS__})
WN_E_LANES(__m512i, reversed_epi16, (const int16_t *x), wn_e_i16, x[31 - i])
WN_E_LANES(__m512, fmadd_ps, (__m512 a, __m512 b, __m512 c), wn_e_f32, __builtin_fmaf(a[i], b[i], c[i]))
WN_E_LANES(__m512, fmsub_ps, (__m512 a, __m512 b, __m512 c), wn_e_f32, __builtin_fmaf(a[i], b[i], -c[i]))
WN_E_LANES(__m512i, avg_epu16, (__m512i a, __m512i b), wn_e_u16, (uint16_t)((WN_E_AT(wn_e_u16, a) + WN_E_AT(wn_e_u16, b) + 1) >> 1))
WN_E __m512 wn_e_range_ps(__m512 a, __m512 b, int how) { /* 10: the smaller absolute value, positive; that of the other where one is NaN */
    wn_e_f32 r = {0};
    for (unsigned i = 0; i < 16 && how == 10; i++) r[i] = fminf(fabsf(a[i]), fabsf(b[i]));
    return (__m512)r;
}
WN_E_LANES(__m512, maskz_mov_ps, (__mmask16 m, __m512 x), wn_e_f32, m >> i & 1 ? x[i] : 0)
WN_E_LANES(__m512d, maskz_mov_pd, (__mmask8 m, __m512d x), wn_e_f64, m >> i & 1 ? x[i] : 0)
WN_E_LANES(__m512, mask_mov_ps, (__m512 o, __mmask16 m, __m512 x), wn_e_f32, m >> i & 1 ? x[i] : o[i])
WN_E_LANES(__m512d, mask_mov_pd, (__m512d o, __mmask8 m, __m512d x), wn_e_f64, m >> i & 1 ? x[i] : o[i])
WN_E_LANES(__m512i, mask_mov_epi16, (__m512i o, __mmask32 m, __m512i x), wn_e_i16, m >> i & 1 ? WN_E_AT(wn_e_i16, x) : WN_E_AT(wn_e_i16, o))
WN_E_LANES(__m512i, mask_add_epi16, (__m512i o, __mmask32 m, __m512i x, __m512i y), wn_e_u16,
           (uint16_t)(m >> i & 1 ? WN_E_AT(wn_e_u16, x) + WN_E_AT(wn_e_u16, y) : WN_E_AT(wn_e_u16, o)))
WN_E_LANES(__m512, maskz_mul_ps, (__mmask16 m, __m512 x, __m512 y), wn_e_f32, m >> i & 1 ? x[i] * y[i] : 0)
WN_E_LANES(__m512i, mul_epu32, (__m512i x, __m512i y), wn_e_u64, (WN_E_AT(wn_e_u64, x) & 0xffffffffu) * (WN_E_AT(wn_e_u64, y) & 0xffffffffu))
WN_E float wn_e_reduce_add_ps(__m512 x) { /* as gcc's: 16 -> 8 -> 4 -> 2 -> 1 */
    for (unsigned n = 8; n; n /= 2)
        for (unsigned i = 0; i < n; i++) x[i] += x[i + n];
    return x[0];
}
WN_E float wn_e_reduce_max_ps(__m512 x) {
    for (unsigned n = 8; n; n /= 2)
        for (unsigned i = 0; i < n; i++) x[i] = x[i] > x[i + n] ? x[i] : x[i + n];
    return x[0];
}
/* of a power: x - floor(x), which is 0 for an infinite x, and p * 2^floor(x) */
#define wn_e_reduce_ps(x, rounding) wn_e_fraction(x)
WN_E_LANES(__m512, fraction, (__m512 x), wn_e_f32, isinf(x[i]) ? 0 : x[i] - floorf(x[i]))
WN_E float wn_e_scale(float p, float x) {
    if (isnan(x)) return x;
    return scalbnf(p, x > 1000 ? 1000 : x < -1000 ? -1000 : (int)floorf(x));
}
WN_E_LANES(__m512, scalef_ps, (__m512 p, __m512 x), wn_e_f32, wn_e_scale(p[i], x[i]))
WN_E __mmask16 wn_e_fpclass_ps_mask(__m512 x, int classes) { /* quiet and signaling NaN and subnormal, as asked for */
    __mmask16 m = 0;
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t u = WN_E_AT(wn_e_u32, x) & 0x7fffffff;
        const int c = u > 0x7f800000 ? (u & 0x400000 ? 0x01 : 0x80) : u && u < 0x800000 ? 0x20 : 0;
        m = (__mmask16)(m | (c & classes ? 1 : 0) << i);
    }
    return m;
}

/* ------------------------------------------------------------------ conversions */
WN_E_LANES(__m512i, cvttps_epi32, (__m512 x), wn_e_i32, _mm_cvttss_si32(_mm_set_ss(x[i])))
WN_E __m256i wn_e_cvttpd_epi32(__m512d x) {
    int32_t r[8];
    for (unsigned i = 0; i < 8; i++) r[i] = _mm_cvttsd_si32(_mm_set_sd(x[i]));
    return _mm256_loadu_si256((const __m256i *)(const void *)r);
}
WN_E __m512 wn_e_cvtph_ps(__m256i x) {
    return (__m512)wn_e_join((__m256i)_mm256_cvtph_ps(_mm256_castsi256_si128(x)), (__m256i)_mm256_cvtph_ps(_mm256_extracti128_si256(x, 1)));
}
#define wn_e_cvtps_ph(x, rounding) _mm256_set_m128i(_mm256_cvtps_ph(WN_E_HALF_PS(x, 1), rounding), _mm256_cvtps_ph(WN_E_HALF_PS(x, 0), rounding))
WN_E __m512i wn_e_cvtepu16_epi32(__m256i x) {
    return wn_e_join(_mm256_cvtepu16_epi32(_mm256_castsi256_si128(x)), _mm256_cvtepu16_epi32(_mm256_extracti128_si256(x, 1)));
}
WN_E __m512i wn_e_cvtepu8_epi32(__m128i x) { return wn_e_join(_mm256_cvtepu8_epi32(x), _mm256_cvtepu8_epi32(_mm_srli_si128(x, 8))); }
WN_E __m128i wn_e_cvtepi32_epi8(__m512i x) {
    int8_t r[16];
    for (unsigned i = 0; i < 16; i++) r[i] = (int8_t)WN_E_AT(wn_e_i32, x);
    return _mm_loadu_si128((const __m128i *)(const void *)r);
}
WN_E __m256i wn_e_cvtepi32_epi16(__m512i x) {
    int16_t r[16];
    for (unsigned i = 0; i < 16; i++) r[i] = (int16_t)WN_E_AT(wn_e_i32, x);
    return _mm256_loadu_si256((const __m256i *)(const void *)r);
}

/* ------------------------------------------------------------------ permutations */
WN_E_LANES(__m512, permutexvar_ps, (__m512i at, __m512 x), wn_e_f32, x[WN_E_AT(wn_e_i32, at) & 15])
WN_E_LANES(__m512i, permutexvar_epi16, (__m512i at, __m512i x), wn_e_i16, ((wn_e_i16)x)[WN_E_AT(wn_e_i16, at) & 31])
WN_E_LANES(__m512i, permutex2var_epi16, (__m512i a, __m512i at, __m512i b), wn_e_i16,
           WN_E_AT(wn_e_i16, at) & 32 ? ((wn_e_i16)b)[WN_E_AT(wn_e_i16, at) & 31] : ((wn_e_i16)a)[WN_E_AT(wn_e_i16, at) & 31])
#define WN_E_PACK(name, mask, V)                                                                                       \
    WN_E __m512i wn_e_maskz_compress_##name(mask m, __m512i x) {                                                       \
        V r = {0};                                                                                                     \
        for (unsigned i = 0, k = 0; i < sizeof(V) / sizeof r[0]; i++)                                                  \
            if (m >> i & 1) r[k++] = WN_E_AT(V, x);                                                                    \
        return (__m512i)r;                                                                                             \
    }                                                                                                                  \
    WN_E __m512i wn_e_maskz_expand_##name(mask m, __m512i x) {                                                         \
        V r = {0};                                                                                                     \
        for (unsigned i = 0, k = 0; i < sizeof(V) / sizeof r[0]; i++)                                                  \
            if (m >> i & 1) r[i] = ((V)x)[k++];                                                                        \
        return (__m512i)r;                                                                                             \
    }
WN_E_PACK(epi32, __mmask16, wn_e_i32)
WN_E_PACK(epi64, __mmask8, wn_e_i64)

/* ------------------------------------------------------------------ masks of lanes */
#define WN_E_MASK(R, name, args, V, condition)                                                                         \
    WN_E R wn_e_##name args {                                                                                          \
        R m = 0;                                                                                                       \
        for (unsigned i = 0; i < sizeof(V) / sizeof ((V){0})[0]; i++) m = (R)(m | (R)((R)((condition) ? 1 : 0) << i)); \
        return m;                                                                                                      \
    }
WN_E_MASK(__mmask64, test_epi8_mask, (__m512i x, __m512i y), wn_e_i8, WN_E_AT(wn_e_i8, x) & WN_E_AT(wn_e_i8, y))
WN_E_MASK(__mmask8, cmplt_epu64_mask, (__m512i x, __m512i y), wn_e_u64, WN_E_AT(wn_e_u64, x) < WN_E_AT(wn_e_u64, y))
WN_E_MASK(__mmask32, cmpgt_epu16_mask, (__m512i x, __m512i y), wn_e_u16, WN_E_AT(wn_e_u16, x) > WN_E_AT(wn_e_u16, y))
WN_E_MASK(__mmask16, movepi32_mask, (__m512i x), wn_e_i32, WN_E_AT(wn_e_i32, x) < 0)
WN_E_MASK(__mmask8, movepi64_mask, (__m512i x), wn_e_i64, WN_E_AT(wn_e_i64, x) < 0)

/* ------------------------------------------------------------------ bf16: subnormal numbers count as zero */
WN_E float wn_e_daz(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x; }
WN_E uint16_t wn_e_bf16(float x) {
    uint32_t u;
    x = wn_e_daz(x);
    memcpy(&u, &x, 4);
    if (isnan(x)) return (uint16_t)(u >> 16 | 0x40);
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
WN_E_LANES(__m512bh, cvtne2ps_pbh, (__m512 high, __m512 low), wn_e_u16, wn_e_bf16(i < 16 ? low[i] : high[i - 16]))
WN_E float wn_e_of_bf16(uint32_t bits) {
    float x;
    bits <<= 16;
    memcpy(&x, &bits, 4);
    return wn_e_daz(x);
}
#define WN_E_BF16(x, k) wn_e_of_bf16(((wn_e_u16)(x))[2 * i + (k)])
WN_E_LANES(__m512, dpbf16_ps, (__m512 c, __m512bh a, __m512bh b), wn_e_f32,
           wn_e_daz(__builtin_fmaf(WN_E_BF16(a, 1), WN_E_BF16(b, 1), wn_e_daz(__builtin_fmaf(WN_E_BF16(a, 0), WN_E_BF16(b, 0), wn_e_daz(c[i]))))))

/* ------------------------------------------------------------------ their names */
#define _mm512_max_ps wn_e_max_ps
#define _mm512_min_ps wn_e_min_ps
#define _mm512_max_pd wn_e_max_pd
#define _mm512_min_pd wn_e_min_pd
#define _mm512_max_epu32 wn_e_max_epu32
#define _mm512_min_epu32 wn_e_min_epu32
#define _mm512_cmp_ps_mask wn_e_cmp_ps_mask
#define _mm512_cmp_pd_mask wn_e_cmp_pd_mask
#define _kor_mask16(a, b) ((__mmask16)((a) | (b)))
#define _kor_mask8(a, b) ((__mmask8)((a) | (b)))
#define _mm512_kunpackw(high, low) ((__mmask32)((__mmask32)(high) << 16 | (low)))
#define _mm512_maskz_loadu_ps wn_e_maskz_loadu_ps
#define _mm512_maskz_loadu_pd wn_e_maskz_loadu_pd
#define _mm512_maskz_loadu_epi16 wn_e_maskz_loadu_epi16
#define _mm512_maskz_loadu_epi32 wn_e_maskz_loadu_epi32
#define _mm512_maskz_loadu_epi64 wn_e_maskz_loadu_epi64
#define _mm256_maskz_loadu_epi16 wn_e_maskz_loadu_epi16_256
#define _mm512_mask_storeu_ps wn_e_mask_storeu_ps
#define _mm512_mask_storeu_pd wn_e_mask_storeu_pd
#define _mm512_mask_storeu_epi16 wn_e_mask_storeu_epi16
#define _mm512_mask_storeu_epi32 wn_e_mask_storeu_epi32
#define _mm512_mask_storeu_epi64 wn_e_mask_storeu_epi64
#define _mm512_loadu_ps wn_e_loadu_ps
#define _mm512_loadu_pd wn_e_loadu_pd
#define _mm512_loadu_si512 wn_e_loadu_si512
#define _mm512_load_si512 wn_e_loadu_si512
#define _mm512_storeu_ps wn_e_storeu_ps
#define _mm512_storeu_si512 wn_e_storeu_si512
#define _mm512_set1_ps wn_e_set1_ps
#define _mm512_set1_pd wn_e_set1_pd
#define _mm512_set1_epi16(x) wn_e_set1_epi16(x)
#define _mm512_set1_epi64(x) wn_e_set1_epi64(x)
#define _mm512_setr_epi64 wn_e_setr_epi64
#define _mm512_set_epi16 wn_e_set_epi16
#define _mm512_setzero_ps() ((__m512){0})
#define _mm512_setzero_si512() ((__m512i){0})
#define _mm512_add_ps(a, b) ((__m512)(a) + (__m512)(b))
#define _mm512_sub_ps(a, b) ((__m512)(a) - (__m512)(b))
#define _mm512_mul_ps(a, b) ((__m512)(a) * (__m512)(b))
#define _mm512_fmadd_ps wn_e_fmadd_ps
#define _mm512_fmsub_ps wn_e_fmsub_ps
#define _mm512_maskz_mov_ps wn_e_maskz_mov_ps
#define _mm512_maskz_mov_pd wn_e_maskz_mov_pd
#define _mm512_mask_mov_ps wn_e_mask_mov_ps
#define _mm512_mask_mov_pd wn_e_mask_mov_pd
#define _mm512_mask_mov_epi16 wn_e_mask_mov_epi16
#define _mm512_mask_add_epi16 wn_e_mask_add_epi16
#define _mm512_maskz_mul_ps wn_e_maskz_mul_ps
#define _mm512_mul_epu32 wn_e_mul_epu32
#define _mm512_reduce_add_ps wn_e_reduce_add_ps
#define _mm512_reduce_max_ps wn_e_reduce_max_ps
#define _mm512_reduce_ps wn_e_reduce_ps
#define _mm512_scalef_ps wn_e_scalef_ps
#define _mm512_fpclass_ps_mask wn_e_fpclass_ps_mask
#define _mm512_cvttps_epi32 wn_e_cvttps_epi32
#define _mm512_cvttpd_epi32 wn_e_cvttpd_epi32
#define _mm512_cvtph_ps wn_e_cvtph_ps
#define _mm512_cvtps_ph wn_e_cvtps_ph
#define _mm512_cvtepu16_epi32 wn_e_cvtepu16_epi32
#define _mm512_cvtepu8_epi32 wn_e_cvtepu8_epi32
#define _mm512_cvtepi32_epi8 wn_e_cvtepi32_epi8
#define _mm512_cvtepi32_epi16 wn_e_cvtepi32_epi16
#define _mm512_castps_si512(x) ((__m512i)(x))
#define _mm512_castsi512_ps(x) ((__m512)(x))
#define _mm512_castsi512_si256(x) wn_e_half(x, 0)
#define _mm512_castsi256_si512(x) wn_e_join(x, _mm256_setzero_si256())
#define _mm512_inserti64x4(x, y, k) wn_e_join((k) ? wn_e_half(x, 0) : (y), (k) ? (y) : wn_e_half(x, 1))
#define _mm512_extracti64x4_epi64(x, k) wn_e_half(x, k)
#define _mm512_slli_epi32(x, n) ((__m512i)((wn_e_u32)(x) << (n)))
#define _mm512_srli_epi32(x, n) ((__m512i)((wn_e_u32)(x) >> (n)))
#define _mm512_srai_epi16(x, n) ((__m512i)((wn_e_i16)(x) >> (n)))
#define _mm512_set1_epi32(x) ((__m512i)((wn_e_u32){0} + (uint32_t)(x)))
#define _mm512_add_epi32(a, b) ((__m512i)((wn_e_u32)(a) + (wn_e_u32)(b)))
#define _mm512_avg_epu16 wn_e_avg_epu16
#define _mm512_range_ps wn_e_range_ps
#define _mm512_permutexvar_ps wn_e_permutexvar_ps
#define _mm512_load_ps wn_e_loadu_ps
#define _mm512_sub_epi16(a, b) ((__m512i)((wn_e_u16)(a) - (wn_e_u16)(b)))
#define _mm512_add_epi64(a, b) ((__m512i)((wn_e_u64)(a) + (wn_e_u64)(b)))
#define _mm512_sub_epi64(a, b) ((__m512i)((wn_e_u64)(a) - (wn_e_u64)(b)))
#define _mm512_and_si512(a, b) ((__m512i)((wn_e_u64)(a) & (wn_e_u64)(b)))
#define _mm512_or_si512(a, b) ((__m512i)((wn_e_u64)(a) | (wn_e_u64)(b)))
#define _mm512_permutexvar_epi16 wn_e_permutexvar_epi16
#define _mm512_permutex2var_epi16 wn_e_permutex2var_epi16
#define _mm512_maskz_compress_epi32 wn_e_maskz_compress_epi32
#define _mm512_maskz_compress_epi64 wn_e_maskz_compress_epi64
#define _mm512_maskz_expand_epi32 wn_e_maskz_expand_epi32
#define _mm512_maskz_expand_epi64 wn_e_maskz_expand_epi64
#define _mm512_test_epi8_mask wn_e_test_epi8_mask
#define _mm512_cmplt_epu64_mask wn_e_cmplt_epu64_mask
#define _mm512_cmpgt_epu16_mask wn_e_cmpgt_epu16_mask
#define _mm512_movepi32_mask wn_e_movepi32_mask
#define _mm512_movepi64_mask wn_e_movepi64_mask
#define _mm512_cvtne2ps_pbh wn_e_cvtne2ps_pbh
#define _mm512_dpbf16_ps wn_e_dpbf16_ps
#endif
