/* Small functions that single rows need and that are no mathematics of their own. */
#ifndef WN_ENGINE_LEVEL_ROW_MATH_H
#define WN_ENGINE_LEVEL_ROW_MATH_H
#include "engine/math/math.h"

/* floor(a / b) as Python and torch define it: from the exact remainder, so that 1.0 // 0.1 is 9. */
#define WN_FLOOR_DIVIDE(T, s)                                              \
    static inline T wn__floor_quotient_##s(T a, T b, T mod) {               \
        T div = (a - mod) / b;                                              \
        div -= (T)((mod != 0) & ((b < 0) != (mod < 0)));                    \
        T down = wn__floor_##s(div);                                        \
        T near = div - down > (T)0.5 ? down + 1 : down;                     \
        T zero = wn__copysign_##s((T)0, a / b);                             \
        return b == 0 ? a / b : div == 0 ? zero : near;                     \
    }                                                                       \
    static inline T wn__floor_divide_##s(T a, T b) { return wn__floor_quotient_##s(a, b, wn__fmod_##s(a, b)); } \
    static inline T wn__floor_divide_near_##s(T a, T b) { return wn__floor_quotient_##s(a, b, wn__fmod_near_##s(a, b)); } \
    static inline int wn__floor_divide_is_near_##s(T a, T b) { return wn__fmod_is_near_##s(a, b); }
WN_FLOOR_DIVIDE(float, f32)
WN_FLOOR_DIVIDE(double, f64)

/* min(max(x, lo), hi), NaN where any of them is; apart, so that no selection waits for a branch of another */
#define WN_CLAMP_RANGE(T, s)                                               \
    static inline T wn__clamp_range_##s(T x, T lo, T hi) {                  \
        T y = x < lo ? lo : x, z = y > hi ? hi : y, nan = lo + hi;          \
        return __builtin_isunordered(lo, hi) ? nan : z;                     \
    }
WN_CLAMP_RANGE(float, f32)
WN_CLAMP_RANGE(double, f64)

/* Bits that leave the type are lost, and so are all, but the sign's, where b is negative or not below its width. */
#define WN_SHIFTS(T, s)                                                                                            \
    static inline T wn__shift_left_##s(T a, T b) { return b < 0 || b >= (T)(8 * sizeof(T)) ? 0 : a << b; }           \
    static inline T wn__shift_right_##s(T a, T b) { return a >> (b < 0 || b >= (T)(8 * sizeof(T)) ? (T)(8 * sizeof(T) - 1) : b); }
WN_SHIFTS(int32_t, i32)
WN_SHIFTS(int64_t, i64)
/* No level shifts bytes by as many bits as others say: by 4, 2 and 1, or not. */
#define WN_BYTE_SHIFT(T, name, OP, by, result)                                                                     \
    static inline T wn__shift_##name(T a, T b) {                                                                    \
        const uint8_t n = (by);                                                                                     \
        T x = n & 4 ? (T)(a OP 4) : a;                                                                              \
        x = n & 2 ? (T)(x OP 2) : x;                                                                                \
        x = n & 1 ? (T)(x OP 1) : x;                                                                                \
        return result;                                                                                              \
    }
WN_BYTE_SHIFT(int8_t, left_i8, <<, (uint8_t)b, n > 7 ? 0 : x)
WN_BYTE_SHIFT(uint8_t, left_u8, <<, b, n > 7 ? 0 : x)
WN_BYTE_SHIFT(int8_t, right_i8, >>, (uint8_t)b < 7 ? (uint8_t)b : 7, x)
WN_BYTE_SHIFT(uint8_t, right_u8, >>, b, n > 7 ? 0 : x)
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
