/* Building blocks of the mathematics headers: bit casts, selects, explicit fma, double-word sums, scaling by 2^k.
 *
 * Everything here is written so that gcc and clang turn a loop over it into vector code on every ISA level:
 *  - casts go through memcpy (both compilers make a register move of it),
 *  - selects are plain ?: on values that are already computed, so they become blends,
 *  - f64 code never compares or converts 64-bit integers (SSE2 and AVX2 have no such instructions): it compares doubles,
 *    and moves between doubles and integers by adding a large constant and reading the low bits. */
#ifndef WN_ENGINE_MATH_BASE_H
#define WN_ENGINE_MATH_BASE_H
#include <stdint.h>
#include <string.h>
#include "engine/math/horner.h"

/* Before a loop of a few steps within a function of one element: it is written out, else the loop over elements is none of vectors. */
#define WN__WRITE_OUT _Pragma("GCC unroll 16")

/* Large functions too must be inlined for loops over them to vectorise. */
#define WN__MATH static inline __attribute__((always_inline))

WN__MATH uint32_t wn__bits_f32(float x) {
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}
WN__MATH float wn__from_f32(uint32_t u) {
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}
WN__MATH uint64_t wn__bits_f64(double x) {
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}
WN__MATH double wn__from_f64(uint64_t u) {
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

#define WN__INF_F32 (__builtin_inff())
#define WN__INF_F64 (__builtin_inf())
#define WN__NAN_F32 (__builtin_nanf(""))
#define WN__NAN_F64 (__builtin_nan(""))

/* a * b + c: one rounding where the ISA has fma (always on aarch64), else two. Code must be right with either. */
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define WN__HAS_FMA 1
#define wn__fma_f32(a, b, c) __builtin_fmaf(a, b, c)
#define wn__fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define WN__HAS_FMA 0
#define wn__fma_f32(a, b, c) ((a) * (b) + (c))
#define wn__fma_f64(a, b, c) ((a) * (b) + (c))
#endif

WN__MATH float wn__abs_f32(float x) { return wn__from_f32(wn__bits_f32(x) & 0x7fffffffu); }
WN__MATH double wn__abs_f64(double x) { return wn__from_f64(wn__bits_f64(x) & 0x7fffffffffffffffu); }
/* The magnitude of m with the sign of s. */
WN__MATH float wn__sign_f32(float m, float s) {
    return wn__from_f32((wn__bits_f32(m) & 0x7fffffffu) | (wn__bits_f32(s) & 0x80000000u));
}
WN__MATH double wn__sign_f64(double m, double s) {
    return wn__from_f64((wn__bits_f64(m) & 0x7fffffffffffffffu) | (wn__bits_f64(s) & 0x8000000000000000u));
}
/* x with its sign flipped where s is negative. */
WN__MATH float wn__flip_f32(float x, float s) {
    return wn__from_f32(wn__bits_f32(x) ^ (wn__bits_f32(s) & 0x80000000u));
}
WN__MATH double wn__flip_f64(double x, double s) {
    return wn__from_f64(wn__bits_f64(x) ^ (wn__bits_f64(s) & 0x8000000000000000u));
}

/* c ? a : b on values that are both computed already: keeps gcc 12 from making branches of a chain of ?: on related
 * conditions, which it cannot always join again. */
WN__MATH double wn__sel_f64(int c, double a, double b) { return c ? a : b; }
WN__MATH float wn__sel_f32(int c, float a, float b) { return c ? a : b; }

/* max(x, lo) for lo < 0 and min of that and hi > 0; a NaN is lost. Bits of negative floats grow away from zero, and as signed
 * integers they are below all positive ones: one instruction each where floats take a comparison and a blend. */
WN__MATH float wn__at_least_f32(float x, float lo) {
    uint32_t u = wn__bits_f32(x), l = wn__bits_f32(lo);
    return wn__from_f32(u < l ? u : l);
}
WN__MATH float wn__limit_f32(float x, float lo, float hi) {
    int32_t i = (int32_t)wn__bits_f32(x), h = (int32_t)wn__bits_f32(hi);
    return wn__at_least_f32(wn__from_f32((uint32_t)(i < h ? i : h)), lo);
}
#if defined(__AVX512F__)
WN__MATH double wn__at_least_f64(double x, double lo) {
    uint64_t u = wn__bits_f64(x), l = wn__bits_f64(lo);
    return wn__from_f64(u < l ? u : l);
}
WN__MATH double wn__limit_f64(double x, double lo, double hi) {
    int64_t i = (int64_t)wn__bits_f64(x), h = (int64_t)wn__bits_f64(hi);
    return wn__at_least_f64(wn__from_f64((uint64_t)(i < h ? i : h)), lo);
}
#else
WN__MATH double wn__at_least_f64(double x, double lo) { return wn__sel_f64(x < lo, lo, x); }
WN__MATH double wn__limit_f64(double x, double lo, double hi) { return wn__at_least_f64(wn__sel_f64(x > hi, hi, x), lo); }
#endif

/* Adding this and subtracting it again rounds to an integer, half to even, while |x| < 2^22 (2^51). Before the subtraction
 * the low bits of the sum are that integer in two's complement. */
#define WN__RND_F32 0x1.8p23f
#define WN__RND_F64 0x1.8p52

/* p * 2^n in two steps, so that results that overflow or become subnormal are rounded once and correctly. shifted is
 * n + WN__RND; |n| <= 250 (2000). */
WN__MATH float wn__scale_f32(float p, float shifted) {
    int32_t n = (int32_t)(wn__bits_f32(shifted) - 0x4b400000u), h = n >> 1;
    return p * wn__from_f32((uint32_t)(h + 127) << 23) * wn__from_f32((uint32_t)(n - h + 127) << 23);
}
/* The bits above the exponent are shifted out, so only the low 12 bits of each half have to be right. The halves are
 * n >> 1 (a logical shift serves: what it brings in from above ends beyond bit 11) and the rest. */
WN__MATH double wn__scale_f64(double p, double shifted) {
    uint64_t n = wn__bits_f64(shifted), h = (n + 2048) >> 1; /* (n + 2048) / 2: = n/2 + 1024, positive */
    h = (h & 2047) - 1024;
    return p * wn__from_f64((h + 1023) << 52) * wn__from_f64(((n & 4095) - h + 1023) << 52);
}
/* 2^n for -1022 <= n <= 1023, n + WN__RND given. */
WN__MATH float wn__pow2_f32(float shifted) { return wn__from_f32((wn__bits_f32(shifted) + 127) << 23); }
WN__MATH double wn__pow2_f64(double shifted) { return wn__from_f64((wn__bits_f64(shifted) + 1023) << 52); }

/* Double words (hi + lo, lo below half an ulp of hi). */
typedef struct wn__dd {
    double hi, lo;
} wn__dd;
/* Exact a + b, |a| >= |b| or a = 0. */
WN__MATH wn__dd wn__fast2sum(double a, double b) {
    wn__dd r = {a + b, 0};
    r.lo = b - (r.hi - a);
    return r;
}
/* Exact a + b. */
WN__MATH wn__dd wn__2sum(double a, double b) {
    wn__dd r = {a + b, 0};
    double t = r.hi - a;
    r.lo = (a - (r.hi - t)) + (b - t);
    return r;
}
/* a rounded to 26 bits, so that products of two such are exact, and of what they leave. */
WN__MATH double wn__top_f64(double a) {
    return wn__from_f64((wn__bits_f64(a) + 0x4000000u) & 0xfffffffff8000000u);
}
/* Exact a * b (no overflow or underflow on the way). */
WN__MATH wn__dd wn__2prod(double a, double b) {
    wn__dd r = {a * b, 0};
#if WN__HAS_FMA
    r.lo = __builtin_fma(a, b, -r.hi);
#else
    double ah = wn__top_f64(a), al = a - ah, bh = wn__top_f64(b), bl = b - bh;
    r.lo = (((ah * bh - r.hi) + ah * bl) + al * bh) + al * bl; /* in this order every sum is exact */
#endif
    return r;
}
/* n / d - t, where t is about n / d and q about 1 / d. */
WN__MATH double wn__quot_rest(wn__dd n, wn__dd d, double t, double q) {
    wn__dd r = wn__2prod(t, d.hi);
    return (((n.hi - r.hi) - r.lo) + (n.lo - t * d.lo)) * q;
}
#endif
