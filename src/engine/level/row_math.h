/* Small functions that single rows need and that are no mathematics of their own. */
#ifndef WN_ENGINE_LEVEL_ROW_MATH_H
#define WN_ENGINE_LEVEL_ROW_MATH_H
#include <stdbool.h>
#include "base/inline.h"
#include "engine/math/math.h"

#include "base/as_f32.h"
#include "engine/level/row_math_of.h"
#include "base/as_f64.h"
#include "engine/level/row_math_of.h"
#include "base/as_none.h"

/* Bits that leave the type are lost, and so are all, but the sign's, where b is negative or not below its width. */
#define WN_SHIFTS(T, s)                                                                                            \
    static inline T wn__shift_left_##s(T a, T b) { return b < 0 || b >= (T)(8 * sizeof(T)) ? 0 : a << b; }           \
    static inline T wn__shift_right_##s(T a, T b) { return a >> (b < 0 || b >= (T)(8 * sizeof(T)) ? (T)(8 * sizeof(T) - 1) : b); }
WN_SHIFTS(int32_t, i32)
WN_SHIFTS(int64_t, i64)
/* No level shifts bytes by as many bits as others say: by 4, 2 and 1, or not. */
INLINE int8_t wn__shift_signed(const bool left, int8_t a, uint8_t n) {
    int8_t x = n & 4 ? (int8_t)(left ? a << 4 : a >> 4) : a;
    x = n & 2 ? (int8_t)(left ? x << 2 : x >> 2) : x;
    x = n & 1 ? (int8_t)(left ? x << 1 : x >> 1) : x;
    return n > 7 ? 0 : x;
}
INLINE uint8_t wn__shift_unsigned(const bool left, uint8_t a, uint8_t n) {
    uint8_t x = n & 4 ? (uint8_t)(left ? a << 4 : a >> 4) : a;
    x = n & 2 ? (uint8_t)(left ? x << 2 : x >> 2) : x;
    x = n & 1 ? (uint8_t)(left ? x << 1 : x >> 1) : x;
    return n > 7 ? 0 : x;
}
static inline int8_t wn__shift_left_i8(int8_t a, int8_t b) { return wn__shift_signed(true, a, (uint8_t)b); }
static inline uint8_t wn__shift_left_u8(uint8_t a, uint8_t b) { return wn__shift_unsigned(true, a, b); }
static inline int8_t wn__shift_right_i8(int8_t a, int8_t b) {
    const uint8_t n = (uint8_t)b;
    return wn__shift_signed(false, a, n < 7 ? n : 7);
}
static inline uint8_t wn__shift_right_u8(uint8_t a, uint8_t b) { return wn__shift_unsigned(false, a, b); }
/* int16 as int32, by at most 31: with a branch in its place AVX2 loops do not vectorise. */
static inline unsigned wn__shift_most(int32_t b) { return (unsigned)b < 31 ? (unsigned)b : 31; }
static inline int16_t wn__shift_left_i16(int16_t a, int16_t b) { return (int16_t)((int32_t)a << wn__shift_most(b)); }
static inline int16_t wn__shift_right_i16(int16_t a, int16_t b) { return (int16_t)((int32_t)a >> wn__shift_most(b)); }
#define wn__shift_left_narrow(a, b) _Generic((a), int8_t: wn__shift_left_i8, uint8_t: wn__shift_left_u8, int16_t: wn__shift_left_i16)(a, b)
#define wn__shift_right_narrow(a, b) _Generic((a), int8_t: wn__shift_right_i8, uint8_t: wn__shift_right_u8, int16_t: wn__shift_right_i16)(a, b)

/* a^b by squaring, wrapping; a negative exponent gives 0 unless a is 1 or -1 (torch). */
static inline int64_t wn__ipow(int64_t a, int64_t b) {
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
    int64_t r = 1;
    for (; b; b >>= 1, a *= a)
        if (b & 1) r *= a;
    return r;
}

/* Euclid's. Of the smallest number, whose magnitude is no int64, the result wraps. */
static inline int64_t wn__gcd(int64_t x, int64_t y) {
    uint64_t a = x < 0 ? -(uint64_t)x : (uint64_t)x, b = y < 0 ? -(uint64_t)y : (uint64_t)y;
    while (a) {
        const uint64_t rest = b % a;
        b = a;
        a = rest;
    }
    return (int64_t)b;
}
static inline int64_t wn__lcm(int64_t x, int64_t y) {
    const int64_t g = wn__gcd(x, y);
    if (g == 0) return 0;
    const uint64_t m = (uint64_t)(g == -1 ? -(uint64_t)x : (uint64_t)(x / g)) * (uint64_t)y;
    return (int64_t)m < 0 ? (int64_t)-m : (int64_t)m;
}

/* The bits of a float16 or bfloat16 (no NaN) one step nearer to those of y: bits in the order of values, 0 and -0 alike. */
static inline int32_t wn__half_step(uint16_t x, uint16_t y) {
    const int32_t a = x & 0x8000 ? -(x & 0x7fff) : x, b = y & 0x8000 ? -(y & 0x7fff) : y, c = b > a ? a + 1 : a - 1;
    if (a == b) return y;
    return c < 0 || (c == 0 && a < 0) ? 0x8000 | -c : c;
}
#endif
