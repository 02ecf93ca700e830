/* Compaction on x86-64: vectors are compacted in a register and written in full; the place moves on by as many as count. No
 * branches, so the cost does not depend on the mask. Not in engine/level: it needs instructions that no C expression becomes. */
#include "base/inline.h"
#include "base/level.h"
#include "ops/index/index.h"
typedef int wn__compact_x86_unit; /* a file must not be empty on other processors */
#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,popcnt")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))

#define ARGS const char *src, const uint64_t *bits, int64_t at, int64_t n, char *dst, const char *room, int64_t *done
enum { FEW = 4 }; /* elements of a word that go one by one */

/* ------------------------------------------------------------------ AVX2: four elements at a time */

/* Which elements of four come first, for each of the 16 masks. */
#define ORDERS(X)                                                                                                      \
    X(0, 0, 0, 0) X(0, 0, 0, 0) X(1, 0, 0, 0) X(0, 1, 0, 0) X(2, 0, 0, 0) X(0, 2, 0, 0) X(1, 2, 0, 0) X(0, 1, 2, 0)    \
    X(3, 0, 0, 0) X(0, 3, 0, 0) X(1, 3, 0, 0) X(0, 1, 3, 0) X(2, 3, 0, 0) X(0, 2, 3, 0) X(1, 2, 3, 0) X(0, 1, 2, 3)
#define BYTES1(a, b, c, d) {a, b, c, d},
#define BYTES2(a, b, c, d) {2 * a, 2 * a + 1, 2 * b, 2 * b + 1, 2 * c, 2 * c + 1, 2 * d, 2 * d + 1},
#define BYTES4_(a) 4 * a, 4 * a + 1, 4 * a + 2, 4 * a + 3
#define BYTES4(a, b, c, d) {BYTES4_(a), BYTES4_(b), BYTES4_(c), BYTES4_(d)},
#define HALVES8(a, b, c, d) {2 * a, 2 * a + 1, 2 * b, 2 * b + 1, 2 * c, 2 * c + 1, 2 * d, 2 * d + 1},
static const uint8_t order1[16][4] = {ORDERS(BYTES1)};
static const uint8_t order2[16][8] = {ORDERS(BYTES2)};
static const uint8_t order4[16][16] = {ORDERS(BYTES4)};
static const uint32_t order8[16][8] = {ORDERS(HALVES8)};

static inline __m128i load4(const void *p) {
    int v;
    memcpy(&v, p, 4);
    return _mm_cvtsi32_si128(v);
}
static inline void store4(void *p, __m128i x) {
    int v = _mm_cvtsi128_si32(x);
    memcpy(p, &v, 4);
}
static inline __m128i load8(const void *p) { return _mm_loadl_epi64((const __m128i *)p); }
static inline __m128i load16(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
AVX2 static inline __m256i load32(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }

/* The elements of four whose bit in m is set, and others behind them. */
AVX2 static inline void four_i8(const int8_t *x, unsigned m, int8_t *out) { store4(out, _mm_shuffle_epi8(load4(x), load4(order1[m]))); }
AVX2 static inline void four_i16(const int16_t *x, unsigned m, int16_t *out) {
    _mm_storel_epi64((__m128i *)(void *)out, _mm_shuffle_epi8(load8(x), load8(order2[m])));
}
AVX2 static inline void four_i32(const int32_t *x, unsigned m, int32_t *out) {
    _mm_storeu_si128((__m128i *)(void *)out, _mm_shuffle_epi8(load16(x), load16(order4[m])));
}
AVX2 static inline void four_i64(const int64_t *x, unsigned m, int64_t *out) {
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_permutevar8x32_epi32(load32(x), load32(order8[m])));
}

/* The number of marks up to each of four is a product of their bytes, where they are is a compaction of places. */
AVX2 int64_t wn__runs_x86(const uint8_t *fresh, int64_t i, int64_t n, int64_t group, int64_t *inverse, int64_t *at) {
    int64_t begun = 0;
    __m256i places = _mm256_add_epi64(_mm256_set1_epi64x(i), _mm256_setr_epi64x(0, 1, 2, 3));
    for (int64_t e = 0; e < n; e += 4) {
        uint32_t four;
        memcpy(&four, fresh + e, 4);
        const uint32_t upto = four * 0x01010101u, m = (four * 0x01020408u) >> 24;
        _mm256_storeu_si256((__m256i *)(void *)(inverse + e), _mm256_add_epi64(_mm256_set1_epi64x(group + begun), _mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)upto))));
        _mm256_storeu_si256((__m256i *)(void *)(at + begun), _mm256_permutevar8x32_epi32(places, load32(order8[m])));
        places = _mm256_add_epi64(places, _mm256_set1_epi64x(4));
        begun += upto >> 24;
    }
    return begun;
}

/* ------------------------------------------------------------------ AVX-512: sixteen (eight wide ones) at a time */

/* The elements whose bit in m is set, and others behind them; bytes and halves as 32-bit lanes: compressing them as they are takes VBMI2. */
AVX512 static inline void some_i8(const int8_t *x, __mmask16 m, int8_t *out) {
    _mm_storeu_si128((__m128i *)(void *)out, _mm512_cvtepi32_epi8(_mm512_maskz_compress_epi32(m, _mm512_cvtepu8_epi32(load16(x)))));
}
AVX512 static inline void some_i16(const int16_t *x, __mmask16 m, int16_t *out) {
    _mm256_storeu_si256((__m256i *)(void *)out, _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(m, _mm512_cvtepu16_epi32(load32(x)))));
}
AVX512 static inline void some_i32(const int32_t *x, __mmask16 m, int32_t *out) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(m, _mm512_loadu_si512(x)));
}
AVX512 static inline void some_i64(const int64_t *x, __mmask16 m, int64_t *out) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64((__mmask8)m, _mm512_loadu_si512(x)));
}

#define BODY "ops/index/index_compact_x86_of.h"
#include "base/for_sizes.h"

char *wn__compact_x86(size_t size, const char *src, const uint64_t *bits, int64_t at, int64_t n, char *dst, const char *room, int64_t *done) {
    static char *(*const by[2][4])(ARGS) = {{compact_i8, compact_i16, compact_i32, compact_i64},
                                            {compact_wide_i8, compact_wide_i16, compact_wide_i32, compact_wide_i64}};
    return by[wn__cpu_level() >= WN__LEVEL_AVX512][size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3](src, bits, at, n, dst, room, done);
}
#endif
