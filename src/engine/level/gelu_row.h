/* gelu of f32: the loop of its row. Elsewhere gcc makes it of wn__gelu_f32. AVX2 takes two vectors side by side: each is a chain of 14 steps with two
 * divisions, and the schedulers of a Zen 3 hold the steps of a vector and a half, so that chains one after the other hardly overlap
 * (0.98 -> 0.81 ns an element). AVX-512 takes four, whose coefficients come from a table in registers (Zen 5: 0.28 -> 0.23 ns).
 * The operations are wn__gelu_f32's (engine/math/act.h tells what they mean), and so are the bits. */
#ifndef WN_ENGINE_LEVEL_GELU_ROW_H
#define WN_ENGINE_LEVEL_GELU_ROW_H
#include "engine/math/act.h"

#if defined(__AVX512F__)
#include <immintrin.h>
enum { WN_GELU_RUN = 64, WN_GELU_LEAST = 16 };

#define FOUR _Pragma("GCC unroll 4") for (int k = 0; k < vectors; k++)
#define ALL(x) _mm512_set1_ps(x)
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define BITS(x) _mm512_castps_si512(x)
#define FLOATS(x) _mm512_castsi512_ps(x)
#define TABLE(row) _mm512_permutexvar_ps(at[k], _mm512_load_ps(wn__gelu_table[row]))
static inline __attribute__((always_inline)) void wn__gelu_vectors(const int vectors, const float *from, float *to) {
    __m512 x[4], a[4], s[4], d[4], t[4], p[4], r[4], e[4], y[4], c[4], q[4], z[4];
    __m512i at[4];
    FOUR x[k] = _mm512_loadu_ps(from + 16 * k);
    FOUR a[k] = _mm512_range_ps(x[k], ALL(14.5f), 10); /* min(|x|, 14.5), which a NaN gives, too */
    FOUR s[k] = _mm512_mul_ps(a[k], a[k]);
    FOUR t[k] = FMA(s[k], ALL((float)(-0.5 * WN__LOG2E_F64)), ALL(WN__GELU_RND_F32));
    FOUR at[k] = _mm512_srli_epi32(BITS(_mm512_add_ps(s[k], ALL(WN__GELU_FROM))), 22);
    FOUR r[k] = FMA(_mm512_sub_ps(t[k], ALL(WN__GELU_RND_F32)), ALL(0x1.62e43p0f), s[k]);
    FOUR r[k] = _mm512_add_ps(r[k], _mm512_fmsub_ps(a[k], a[k], s[k]));
    FOUR d[k] = _mm512_sub_ps(a[k], TABLE(0));
    FOUR e[k] = FMA(ALL(0x1.6a6038p-16f), r[k], ALL(-0x1.123d4p-12f));
    FOUR p[k] = FMA(TABLE(7), d[k], TABLE(6));
    FOUR e[k] = FMA(e[k], r[k], ALL(0x1.555892p-9f));
    FOUR p[k] = FMA(p[k], d[k], TABLE(5));
    FOUR e[k] = FMA(e[k], r[k], ALL(-0x1.555488p-6f));
    FOUR p[k] = FMA(p[k], d[k], TABLE(4));
    FOUR e[k] = FMA(e[k], r[k], ALL(0x1.fffffcp-4f));
    FOUR p[k] = FMA(p[k], d[k], TABLE(3));
    FOUR y[k] = _mm512_mul_ps(r[k], FMA(e[k], r[k], ALL(-0.5f)));
    FOUR p[k] = FMA(p[k], d[k], TABLE(2));
    FOUR c[k] = TABLE(1);
    FOUR q[k] = FMA(p[k], d[k], c[k]);
    FOUR c[k] = _mm512_fmsub_ps(p[k], d[k], _mm512_sub_ps(q[k], c[k]));
    FOUR z[k] = _mm512_add_ps(FMA(q[k], y[k], c[k]), q[k]);
    FOUR z[k] = _mm512_mul_ps(z[k], FLOATS(_mm512_add_epi32(_mm512_slli_epi32(BITS(t[k]), 23), BITS(ALL(1.0f)))));
    FOUR x[k] = _mm512_max_ps(ALL(0.0f), x[k]); /* NaN stays, as the second operand */
    FOUR _mm512_storeu_ps(to + 16 * k, FMA(z[k], ALL(-0x1p-64f), x[k]));
}
#undef FOUR
#undef ALL
#undef FMA
#undef BITS
#undef FLOATS
#undef TABLE
INLINE void wn__gelu_run(const float *from, float *to) { wn__gelu_vectors(4, from, to); }
static void wn__gelu_least(const float *from, float *to) { wn__gelu_vectors(1, from, to); }
#elif defined(__AVX2__)
#include <immintrin.h>
enum { WN_GELU_RUN = 16, WN_GELU_LEAST = 16 };

/* Two vectors of operands at a time; BOTH is one operation on each. */
#define BOTH for (int k = 0; k < 2; k++)
#define ALL(x) _mm256_set1_ps(x)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define BITS(x) _mm256_castps_si256(x)
#define FLOATS(x) _mm256_castsi256_ps(x)
INLINE void wn__gelu_run(const float *from, float *to) {
    __m256 x[2], a[2], s[2], d[2], n[2], w[2], t[2], m[2], r[2], p[2], q[2], ql[2], y[2], b[2], v[2], vl[2], i[2], g[2];
    BOTH x[k] = _mm256_loadu_ps(from + 8 * k);
    BOTH a[k] = _mm256_andnot_ps(ALL(-0.0f), x[k]);
    BOTH a[k] = FLOATS(_mm256_min_epi32(BITS(a[k]), BITS(ALL(14.5f))));
    BOTH s[k] = _mm256_mul_ps(a[k], a[k]);
    BOTH d[k] = FMA(s[k], ALL(0x1.2fedfcp-7f), FMA(a[k], ALL(0x1.698468p-4f), ALL(0x1.8c729cp-2f)));
    BOTH n[k] = FMA(a[k], ALL(0x1.2fde94p-6f), ALL(0x1.3a31fp-3f));
    BOTH n[k] = FMA(s[k], n[k], FMA(a[k], ALL(0x1.19e2eep-1f), ALL(0x1.d25bfap-1f)));
    BOTH d[k] = FMA(s[k], d[k], FMA(a[k], ALL(0x1.cf0e04p-1f), ALL(1.0f)));
    BOTH w[k] = _mm256_div_ps(n[k], d[k]);
    BOTH t[k] = FMA(s[k], ALL((float)(-0.5 * WN__LOG2E_F64)), ALL(WN__GELU_RND_F32));
    BOTH m[k] = _mm256_sub_ps(t[k], ALL(WN__GELU_RND_F32));
    BOTH r[k] = _mm256_add_ps(FMA(m[k], ALL(0x1.62e43p0f), s[k]), _mm256_fmsub_ps(a[k], a[k], s[k]));
    BOTH p[k] = FMA(ALL(0x1.6a6038p-16f), r[k], ALL(-0x1.123d4p-12f));
    BOTH p[k] = FMA(p[k], r[k], ALL(0x1.555892p-9f));
    BOTH p[k] = FMA(p[k], r[k], ALL(-0x1.555488p-6f));
    BOTH p[k] = FMA(p[k], r[k], ALL(0x1.fffffcp-4f));
    BOTH p[k] = FMA(p[k], r[k], ALL(-0.5f));
    BOTH y[k] = _mm256_mul_ps(r[k], p[k]);
    BOTH b[k] = _mm256_mul_ps(a[k], FLOATS(_mm256_add_epi32(_mm256_slli_epi32(BITS(t[k]), 23), BITS(ALL(1.0f)))));
    BOTH p[k] = _mm256_fnmadd_ps(a[k], w[k], ALL(2.0f));
    BOTH q[k] = FMA(a[k], ALL(0x1.40d932p+1f), p[k]);
    BOTH i[k] = _mm256_div_ps(ALL(1.0f), q[k]);
    BOTH ql[k] = _mm256_add_ps(_mm256_fmsub_ps(a[k], ALL(0x1.40d932p+1f), q[k]), p[k]);
    BOTH v[k] = FMA(b[k], y[k], b[k]);
    BOTH vl[k] = FMA(b[k], y[k], _mm256_sub_ps(b[k], v[k]));
    BOTH g[k] = _mm256_mul_ps(v[k], i[k]);
    BOTH r[k] = _mm256_add_ps(_mm256_fnmadd_ps(g[k], q[k], v[k]), _mm256_fnmadd_ps(g[k], ql[k], vl[k]));
    BOTH g[k] = FMA(r[k], i[k], g[k]);
    BOTH x[k] = _mm256_max_ps(ALL(0.0f), x[k]); /* NaN stays, as the second operand */
    BOTH _mm256_storeu_ps(to + 8 * k, FMA(g[k], ALL(-0x1p-64f), x[k]));
}
#undef BOTH
#undef ALL
#undef FMA
#undef BITS
#undef FLOATS
static void wn__gelu_least(const float *from, float *to) { wn__gelu_run(from, to); }
#endif

#if defined(__AVX2__)
INLINE void wn__gelu_halves(int n, const float *from, float *to) {
    for (int k = 0; k < n; k += WN_GELU_RUN) wn__gelu_run(from + k, to + k);
}
static void wn__gelu_row(int64_t n, float *out, const float *a) {
    int64_t i = 0;
    for (; i + WN_GELU_RUN <= n; i += WN_GELU_RUN) wn__gelu_run(a + i, out + i);
    for (; i + WN_GELU_LEAST <= n; i += WN_GELU_LEAST) wn__gelu_least(a + i, out + i);
    if (i == n) return;
    float rest[WN_GELU_LEAST] = {0};
    memcpy(rest, a + i, (size_t)(n - i) * sizeof *a);
    wn__gelu_least(rest, rest);
    memcpy(out + i, rest, (size_t)(n - i) * sizeof *out);
}
#else
INLINE void wn__gelu_halves(int n, const float *from, float *to) {
    for (int k = 0; k < n; k++) to[k] = wn__gelu_f32(from[k]);
}
static void wn__gelu_row(int64_t n, float *out, const float *a) {
    WN__IVDEP for (int64_t i = 0; i < n; i++) out[i] = wn__gelu_f32(a[i]);
}
#endif
#endif
