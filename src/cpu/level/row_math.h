/* Small functions that single rows need and that are no mathematics of their own. */
#ifndef WN_CPU_LEVEL_ROW_MATH_H
#define WN_CPU_LEVEL_ROW_MATH_H
#include "cpu/math/math.h"

/* floor(a / b) as Python and torch define it: from the exact remainder, so that 1.0 // 0.1 is 9. */
#define WN_FLOOR_DIVIDE(T, s)                                              \
    static inline T wn__floor_divide_##s(T a, T b) {                        \
        T mod = wn__fmod_##s(a, b), div = (a - mod) / b;                    \
        div -= (T)((mod != 0) & ((b < 0) != (mod < 0)));                    \
        T down = wn__floor_##s(div);                                        \
        T near = div - down > (T)0.5 ? down + 1 : down;                     \
        T zero = wn__copysign_##s((T)0, a / b);                             \
        return b == 0 ? a / b : div == 0 ? zero : near;                     \
    }
WN_FLOOR_DIVIDE(float, f32)
WN_FLOOR_DIVIDE(double, f64)

/* a^b by squaring, wrapping; a negative exponent gives 0 unless a is 1 or -1 (torch). */
static inline int64_t wn__ipow(int64_t a, int64_t b) {
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
    int64_t r = 1;
    for (; b; b >>= 1, a *= a)
        if (b & 1) r *= a;
    return r;
}
#endif
