/* Small functions that single rows need and that are no mathematics of their own. */
#ifndef WN_CPU_LEVEL_ROW_MATH_H
#define WN_CPU_LEVEL_ROW_MATH_H
#include "cpu/math/math.h"

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
