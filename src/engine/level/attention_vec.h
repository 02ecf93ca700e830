/* Rows of f32 scores in vectors of AVX2 and AVX-512: maxima, sums, and scores to weights. Included by
 * attention_kernels.c behind the plain loops. */
#include <immintrin.h>

#ifdef __AVX512F__
#define V __m512
#define OP(name) _mm512_##name
static inline float total(V x) { return _mm512_reduce_add_ps(x); }
static inline float largest(V x) { return _mm512_reduce_max_ps(x); }

/* wn__weight_f32 with 2^x = 2^floor(x) 2^(x - floor(x)): infinities and NaN need no care. */
static inline V weight(V x) {
    const V r = _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF);
    V p = _mm512_set1_ps(0x1.e974fcp-10f);
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0x1.277854p-7f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0x1.c91ce6p-5f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0x1.ebdb56p-3f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0x1.62e4bap-1f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1));
    return _mm512_scalef_ps(p, x);
}
#else
#define V __m256
#define OP(name) _mm256_##name
INLINE __m128 both(const bool sum, __m128 a, __m128 b) { return sum ? _mm_add_ps(a, b) : _mm_max_ps(a, b); }
INLINE float by_halves(const bool sum, V x) {
    __m128 y = both(sum, _mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = both(sum, y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(both(sum, y, _mm_movehdup_ps(y)));
}
static inline float total(V x) { return by_halves(true, x); }
static inline float largest(V x) { return by_halves(false, x); }

/* Four vectors at a time: a weight is a chain of 45 cycles, of which the schedulers alone would overlap too few. */
enum { BLOCK = 4 };
#define EACH _Pragma("GCC unroll 4") for (int u = 0; u < BLOCK; u++)
#define EACH_FMA(c) EACH p[u] = _mm256_fmadd_ps(p[u], x[u], _mm256_set1_ps(c));

/* x becomes wn__weight_f32 of x. Below -126.5 the power of two is the bits of 0; NaN stays. */
INLINE void weights(V *x) {
    const V bias = _mm256_set1_ps(WN__RND_F32 + 127.0f);
    V t[BLOCK], p[BLOCK];
    EACH x[u] = _mm256_max_ps(_mm256_set1_ps(-127), x[u]);
    EACH t[u] = _mm256_add_ps(x[u], bias);
    EACH x[u] = _mm256_sub_ps(x[u], _mm256_sub_ps(t[u], bias));
    EACH p[u] = _mm256_fmadd_ps(_mm256_set1_ps(0x1.5bba14p-10f), x[u], _mm256_set1_ps(0x1.3cea88p-7f));
    EACH_FMA(0x1.c6b752p-5f)
    EACH_FMA(0x1.ebf9bcp-3f)
    EACH_FMA(0x1.62e42ap-1f)
    EACH_FMA(1)
    EACH x[u] = _mm256_mul_ps(p[u], _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(t[u]), 23)));
}
#endif
enum { VECTOR = sizeof(V) / sizeof(float) };

#ifdef __AVX512F__
static inline float max_f32(int64_t n, const float *x) {
    V a = OP(set1_ps)(-INFINITY), b = a;
    for (int64_t i = 0; i < n; i += 2 * VECTOR) { /* in this order NaN is passed over */
        a = OP(max_ps)(OP(loadu_ps)(x + i), a);
        b = OP(max_ps)(OP(loadu_ps)(x + i + VECTOR), b);
    }
    return largest(OP(max_ps)(a, b));
}
#else
static inline float max_f32(int64_t n, const float *x) {
    V a[BLOCK];
    EACH a[u] = _mm256_set1_ps(-INFINITY);
    for (int64_t i = 0; i < n; i += BLOCK * VECTOR) EACH a[u] = _mm256_max_ps(_mm256_loadu_ps(x + i + u * VECTOR), a[u]);
    return largest(_mm256_max_ps(_mm256_max_ps(a[0], a[1]), _mm256_max_ps(a[2], a[3])));
}
#endif
static inline float fold_f32(float *lane) {
    V a = OP(add_ps)(OP(loadu_ps)(lane), OP(loadu_ps)(lane + LANES / 2));
    if (2 * VECTOR < LANES) a = OP(add_ps)(a, OP(add_ps)(OP(loadu_ps)(lane + VECTOR), OP(loadu_ps)(lane + LANES / 2 + VECTOR)));
    return total(a);
}


#ifdef __AVX512F__
#include "engine/level/attention512.h"
#else
#include "engine/level/attention256.h"
#endif
