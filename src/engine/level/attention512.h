/* Attention with AVX-512: f32, and rows of bf16 for products of pairs (avx512_bf16). Included by attention_vec.h. */

/* Two vectors of a row's weights. */
struct weights {
    V low, high;
};
INLINE struct weights weights_of(const float *x, V by, V shift) {
    const V low = weight(_mm512_fmsub_ps(_mm512_loadu_ps(x), by, shift));
    return (struct weights){low, weight(_mm512_fmsub_ps(_mm512_loadu_ps(x + VECTOR), by, shift))};
}
static void soften_f32(int64_t rows, int64_t cols, void *s, int64_t ld, double by, void *max, void *sum, void *acc,
                       int64_t width) {
    float shift[LANES];
    const V f = _mm512_set1_ps((float)by);
    shifts_f32(rows, cols, s, ld, (float)by, max, sum, acc, width, shift);
    for (int64_t i = 0; i < rows; i++) {
        float *x = (float *)s + i * ld;
        const V z = _mm512_set1_ps(shift[i]);
        V a = _mm512_setzero_ps(), b = a;
        for (int64_t j = 0; j < cols; j += 2 * VECTOR) {
            const struct weights w = weights_of(x + j, f, z);
            a = _mm512_add_ps(a, w.low), b = _mm512_add_ps(b, w.high);
            _mm512_storeu_ps(x + j, w.low), _mm512_storeu_ps(x + j + VECTOR, w.high);
        }
        ((float *)sum)[i] += total(_mm512_add_ps(a, b));
    }
}

/* Weights and gradients of 16 scores: of columns that are there, of a row in which something counted. */
typedef struct line {
    float *s, *ds;
    __m512 z, of;
    bool none;
} line;
static inline line line_of(float *s, float *ds, const float *lse, const float *delta) {
    return (line){s, ds, _mm512_set1_ps(*lse * (float)UNIT_f32), _mm512_set1_ps(*delta), *lse == -INFINITY};
}
static inline void slopes(const line *w, int64_t j, int64_t cols, __m512 by, __m512 scale, __m512 *p, __m512 *ds) {
    const int64_t n = w->none ? 0 : cols - j;
    const __mmask16 there = (__mmask16)(n <= 0 ? 0 : n >= 16 ? 0xffff : (1 << n) - 1);
    *p = _mm512_maskz_mov_ps(there, weight(_mm512_fmsub_ps(_mm512_loadu_ps(w->s + j), by, w->z)));
    *ds = _mm512_maskz_mul_ps(there, _mm512_mul_ps(*p, _mm512_sub_ps(_mm512_loadu_ps(w->ds + j), w->of)), scale);
}

static void back_f32(int64_t rows, int64_t cols, int64_t fill, void *s, void *ds, int64_t ld, double by,
                     const void *lse, const void *delta, double scale, struct wn__attention_pairs pairs) {
    const __m512 f = _mm512_set1_ps((float)by), k = _mm512_set1_ps((float)scale);
    (void)pairs;
    for (int64_t i = 0; i < rows; i++) {
        const line w = line_of((float *)s + i * ld, (float *)ds + i * ld, (const float *)lse + i, (const float *)delta + i);
        for (int64_t j = 0; j < fill; j += 16) {
            __m512 p, d;
            slopes(&w, j, cols, f, k, &p, &d);
            _mm512_storeu_ps(w.s + j, p), _mm512_storeu_ps(w.ds + j, d);
        }
    }
}

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512bf16"))), apply_to = function)
#else
#pragma GCC push_options
#ifndef WN_EMULATED_AVX512 /* tests/emulate */
#pragma GCC target("avx512bf16")
#endif
#endif

/* As soften_f32, but rows of bf16 take the places of the scores. */
static void soften_bf16(int64_t rows, int64_t cols, void *s, int64_t ld, double by, void *max, void *sum, void *acc,
                        int64_t width) {
    float shift[LANES];
    const V f = _mm512_set1_ps((float)by);
    shifts_f32(rows, cols, s, ld, (float)by, max, sum, acc, width, shift);
    for (int64_t i = 0; i < rows; i++) {
        float *x = (float *)s + i * ld;
        const V z = _mm512_set1_ps(shift[i]);
        V a = _mm512_setzero_ps(), b = a;
        for (int64_t j = 0; j < cols; j += 2 * VECTOR) {
            const struct weights w = weights_of(x + j, f, z);
            a = _mm512_add_ps(a, w.low), b = _mm512_add_ps(b, w.high);
            _mm512_storeu_si512((uint16_t *)(void *)x + j, (__m512i)_mm512_cvtne2ps_pbh(w.high, w.low));
        }
        ((float *)sum)[i] += total(_mm512_add_ps(a, b));
    }
}

/* Both rows of a pair, zipped. */
static inline __m512i zipped(__m512i rows) {
    const __m512i order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    return _mm512_permutexvar_epi16(order, rows);
}
static void back_bf16(int64_t rows, int64_t cols, int64_t fill, void *s, void *ds, int64_t ld, double by,
                      const void *lse, const void *delta, double scale, struct wn__attention_pairs pairs) {
    const __m512 f = _mm512_set1_ps((float)by), k = _mm512_set1_ps((float)scale);
    for (int64_t i = 0; i < rows; i += 2, pairs.p += ld, pairs.ds += ld) {
        float *x = (float *)s + i * ld, *y = (float *)ds + i * ld;
        const float *z = (const float *)lse + i, *of = (const float *)delta + i;
        const bool two = i + 1 < rows;
        const line low = line_of(x, y, z, of);
        line high = two ? line_of(x + ld, y + ld, z + 1, of + 1) : low;
        high.none |= !two;
        for (int64_t j = 0; j < fill; j += 16) {
            __m512 p0, p1, d0, d1;
            slopes(&low, j, cols, f, k, &p0, &d0);
            slopes(&high, j, cols, f, k, &p1, &d1);
            const __m512i p = (__m512i)_mm512_cvtne2ps_pbh(p1, p0), d = (__m512i)_mm512_cvtne2ps_pbh(d1, d0);
            _mm512_storeu_si512(pairs.p + j, zipped(p));
            _mm512_storeu_si512(pairs.ds + j, zipped(d));
            _mm256_storeu_si256((__m256i *)(void *)((uint16_t *)(void *)low.ds + j), _mm512_castsi512_si256(d));
            if (two) _mm256_storeu_si256((__m256i *)(void *)((uint16_t *)(void *)high.ds + j), _mm512_extracti64x4_epi64(d, 1));
        }
    }
}
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
