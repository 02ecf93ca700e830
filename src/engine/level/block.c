/* Moving elements inside a block (engine/block.h), compiled once for each ISA level. */
#include "engine/block.h"
#include "base/inline.h"
#include "engine/level/this_level.h"
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

static inline int64_t ones(uint64_t b) { return (int64_t)__builtin_popcountll(b); }
static inline uint64_t low_bits(int64_t n) { return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1; }

/* ------------------------------------------------------------------ scan */

/* One bit for each of 64 mask bytes that is not 0. */
static inline uint64_t bits_of(const uint8_t *m) {
#if defined(__AVX512BW__)
    const __m512i v = _mm512_loadu_si512(m);
    return _mm512_test_epi8_mask(v, v);
#elif defined(__AVX2__)
    const __m256i zero = _mm256_setzero_si256();
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)m), b = _mm256_loadu_si256((const __m256i *)(const void *)(m + 32));
    const uint32_t lo = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, zero));
    const uint32_t hi = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, zero));
    return ~((uint64_t)hi << 32 | lo);
#elif defined(__SSE2__)
    uint64_t none = 0;
    for (int k = 0; k < 4; k++) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(m + 16 * k));
        none |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) << (16 * k);
    }
    return ~none;
#else
    uint64_t bits = 0;
    for (int k = 0; k < 64; k++) bits |= (uint64_t)(m[k] != 0) << k;
    return bits;
#endif
}

static int64_t scan(const uint8_t *mask, int64_t n, bool polarity, uint64_t *bits) {
    const uint64_t flip = polarity ? 0 : ~(uint64_t)0;
    int64_t count = 0, i = 0;
    for (; i + 64 <= n; i += 64) {
        *bits = bits_of(mask + i) ^ flip;
        count += ones(*bits++);
    }
    if (i < n) {
        uint8_t tail[64] = {0};
        memcpy(tail, mask + i, (size_t)(n - i));
        *bits = (bits_of(tail) ^ flip) & low_bits(n - i);
        count += ones(*bits);
    }
    return count;
}

/* ------------------------------------------------------------------ gather and scatter */

/* Words with few bits set are walked bit by bit; the others, where the machine can do it, a register at a time. */
enum { FEW = 8 };

#if defined(__AVX512F__)
static inline uint32_t *gather_word_u32(uint64_t b, uint32_t *dst, const uint32_t *src) {
    for (int k = 0; k < 4; k++, b >>= 16, src += 16) {
        const __mmask16 m = (__mmask16)b;
        _mm512_storeu_si512(dst, _mm512_maskz_compress_epi32(m, _mm512_maskz_loadu_epi32(m, src)));
        dst += ones(m);
    }
    return dst;
}
static inline uint64_t *gather_word_u64(uint64_t b, uint64_t *dst, const uint64_t *src) {
    for (int k = 0; k < 8; k++, b >>= 8, src += 8) {
        const __mmask8 m = (__mmask8)b;
        _mm512_storeu_si512(dst, _mm512_maskz_compress_epi64(m, _mm512_maskz_loadu_epi64(m, src)));
        dst += ones(m);
    }
    return dst;
}
static inline const uint32_t *scatter_word_u32(uint64_t b, uint32_t *dst, const uint32_t *src) {
    for (int k = 0; k < 4; k++, b >>= 16, dst += 16) {
        const __mmask16 m = (__mmask16)b;
        _mm512_mask_storeu_epi32(dst, m, _mm512_maskz_expand_epi32(m, _mm512_loadu_si512(src)));
        src += ones(m);
    }
    return src;
}
static inline const uint64_t *scatter_word_u64(uint64_t b, uint64_t *dst, const uint64_t *src) {
    for (int k = 0; k < 8; k++, b >>= 8, dst += 8) {
        const __mmask8 m = (__mmask8)b;
        _mm512_mask_storeu_epi64(dst, m, _mm512_maskz_expand_epi64(m, _mm512_loadu_si512(src)));
        src += ones(m);
    }
    return src;
}
#else
#define gather_word_u32 gather_bits_u32
#define gather_word_u64 gather_bits_u64
#define scatter_word_u32 scatter_bits_u32
#define scatter_word_u64 scatter_bits_u64
#endif

#define gather_word_u16 gather_bits_u16
#define scatter_word_u16 scatter_bits_u16

/* Bytes: 64 of one word at once where all count, else one by one (compressing bytes is no part of these levels). */
static inline uint8_t *gather_bits_u8(uint64_t b, uint8_t *dst, const uint8_t *src);
static inline const uint8_t *scatter_bits_u8(uint64_t b, uint8_t *dst, const uint8_t *src);
static inline uint8_t *gather_word_u8(uint64_t b, uint8_t *dst, const uint8_t *src) {
    if (~b) return gather_bits_u8(b, dst, src);
    memcpy(dst, src, 64);
    return dst + 64;
}
static inline const uint8_t *scatter_word_u8(uint64_t b, uint8_t *dst, const uint8_t *src) {
    if (~b) return scatter_bits_u8(b, dst, src);
    memcpy(dst, src, 64);
    return src + 64;
}

#include "base/as_u8.h"
#include "engine/level/block_of.h"
#include "base/as_u16.h"
#include "engine/level/block_of.h"
#include "base/as_u32.h"
#include "engine/level/block_of.h"
#include "base/as_u64.h"
#include "engine/level/block_of.h"
#include "base/as_none.h"

static void gather(size_t size, int64_t n, const uint64_t *bits, void *dst, const void *src) {
    const int64_t words = (n + 63) / 64;
    if (size == 4) gather_u32(words, bits, dst, src);
    else if (size == 8) gather_u64(words, bits, dst, src);
    else gather_u8(words, bits, dst, src);
}
static void scatter(size_t size, int64_t n, const uint64_t *bits, void *dst, const void *src) {
    const int64_t words = (n + 63) / 64;
    if (size == 4) scatter_u32(words, bits, dst, src);
    else if (size == 8) scatter_u64(words, bits, dst, src);
    else scatter_u8(words, bits, dst, src);
}

static void splat(size_t size, int64_t rows, int64_t row, void *dst, const void *src) {
    if (size == 4) splat_u32(rows, row, dst, src);
    else if (size == 8) splat_u64(rows, row, dst, src);
    else if (size == 2) splat_u16(rows, row, dst, src);
    else splat_u8(rows, row, dst, src);
}

/* ------------------------------------------------------------------ rows */

typedef uint8_t wide_bytes __attribute__((vector_size(VB), aligned(1), may_alias));
typedef uint8_t half_bytes __attribute__((vector_size(16), aligned(1), may_alias));
#define MOVE(T, at) (*(T *)(void *)(d + (at)) = *(const T *)(const void *)(s + (at)))
enum { CACHE_LINE = 64 }; /* bytes */

/* Read before it is written: where the two lie alike within their pages, a load waits for the store before it. */
static inline void move_line(char *d, const char *s) {
    wide_bytes v[CACHE_LINE / VB];
    for (int k = 0; k < CACHE_LINE / VB; k++) v[k] = ((const wide_bytes *)(const void *)s)[k];
    for (int k = 0; k < CACHE_LINE / VB; k++) ((wide_bytes *)(void *)d)[k] = v[k];
}

/* A row of `size` to 2 * size bytes: its beginning and its end, which may overlap. */
INLINE void move_ends(const size_t size, size_t n, char *d, const char *s) {
    char first[8], last[8];
    memcpy(first, s, size);
    memcpy(last, s + n - size, size);
    memcpy(d, first, size);
    memcpy(d + n - size, last, size);
}
/* Not memcpy: rows are short for a call, and its long ones are slow where the two are not aligned alike. The last vector overlaps the one
 * before it; in long rows, so does the first line, and those between are whole lines of the destination, which leave the store buffer in one. */
static inline void move_row(size_t n, char *d, const char *s) {
    if (n >= VB) {
        size_t i = 0;
        if (n >= 4 * CACHE_LINE) {
            move_line(d, s);
            for (i = CACHE_LINE - ((uintptr_t)d & (CACHE_LINE - 1)); i + CACHE_LINE <= n; i += CACHE_LINE) move_line(d + i, s + i);
        }
        for (; i + VB <= n; i += VB) MOVE(wide_bytes, i);
        MOVE(wide_bytes, n - VB);
    } else if (n >= 16) {
        size_t i = 0;
        for (; i + 16 <= n; i += 16) MOVE(half_bytes, i);
        MOVE(half_bytes, n - 16);
    } else if (n >= 8) {
        move_ends(8, n, d, s);
    } else if (n >= 4) {
        move_ends(4, n, d, s);
    } else if (n >= 2) {
        move_ends(2, n, d, s);
    } else {
        *d = *s;
    }
}
static void move(int64_t rows, size_t n, void *dst, int64_t to, const void *src, int64_t from) {
    char *d = dst;
    const char *s = src;
    for (int64_t r = 0; r < rows; r++, d += to, s += from) move_row(n, d, s);
}

#undef MOVE

static void reverse(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, const void *src, int64_t from) {
    switch (size) {
    case 1: reverse_u8(rows, n, dst, to, src, from); break;
    case 2: reverse_u16(rows, n, dst, to, src, from); break;
    case 4: reverse_u32(rows, n, dst, to, src, from); break;
    default: reverse_u64(rows, n, dst, to, src, from); break;
    }
}

INLINE void elements_of(const size_t size, int64_t rows, int64_t n, void *dst, int64_t to, int64_t step_to,
                        const void *src, int64_t from, int64_t step_from) {
    for (int64_t r = 0; r < rows; r++) {
        const char *s = (const char *)src + r * from;
        char *d = (char *)dst + r * to;
        _Pragma("GCC unroll 4") for (int64_t i = 0; i < n; i++, s += step_from, d += step_to) memcpy(d, s, size);
    }
}
static void elements(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, int64_t step_to, const void *src,
                     int64_t from, int64_t step_from) {
    switch (size) {
    case 1: elements_of(1, rows, n, dst, to, step_to, src, from, step_from); break;
    case 2: elements_of(2, rows, n, dst, to, step_to, src, from, step_from); break;
    case 4: elements_of(4, rows, n, dst, to, step_to, src, from, step_from); break;
    default: elements_of(8, rows, n, dst, to, step_to, src, from, step_from); break;
    }
}

#include "engine/level/transpose.h"

extern const wn__block_kernels WN_AT_LEVEL(wn__block_kernels);
const wn__block_kernels WN_AT_LEVEL(wn__block_kernels) = {scan, gather, scatter, splat, move, reverse, transpose, elements};
