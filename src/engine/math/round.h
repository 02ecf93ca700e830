/* sqrt, 1/sqrt, rounding to integers, sign and neighbour functions, f32 and f64. All vectorise, on plain SSE2 too. */
#ifndef WN_MATH_ROUND_H
#define WN_MATH_ROUND_H
#include "engine/math/base.h"

WN__MATH float wn__sqrt_f32(float x) { return __builtin_sqrtf(x); }
WN__MATH double wn__sqrt_f64(double x) { return __builtin_sqrt(x); }
WN__MATH float wn__rsqrt_f32(float x) { return 1.0f / __builtin_sqrtf(x); }
WN__MATH double wn__rsqrt_f64(double x) { return 1.0 / __builtin_sqrt(x); }

#if defined(__SSE4_1__) || defined(__aarch64__)
/* One instruction each. (rint rounds half to even as long as nobody changes the rounding mode.) */
WN__MATH float wn__round_f32(float x) { return __builtin_rintf(x); }
WN__MATH double wn__round_f64(double x) { return __builtin_rint(x); }
WN__MATH float wn__floor_f32(float x) { return __builtin_floorf(x); }
WN__MATH double wn__floor_f64(double x) { return __builtin_floor(x); }
WN__MATH float wn__ceil_f32(float x) { return __builtin_ceilf(x); }
WN__MATH double wn__ceil_f64(double x) { return __builtin_ceil(x); }
WN__MATH float wn__trunc_f32(float x) { return __builtin_truncf(x); }
WN__MATH double wn__trunc_f64(double x) { return __builtin_trunc(x); }
#else
/* Adding 2^23 (2^52) to |x| leaves no room for a fraction. From there on x is an integer already, or NaN. */
WN__MATH float wn__round_f32(float x) {
    float a = wn__abs_f32(x), r = (a + 0x1p23f) - 0x1p23f;
    return a < 0x1p23f ? wn__sign_f32(r, x) : x;
}
WN__MATH double wn__round_f64(double x) {
    double a = wn__abs_f64(x), r = (a + 0x1p52) - 0x1p52;
    return a < 0x1p52 ? wn__sign_f64(r, x) : x;
}
WN__MATH float wn__floor_f32(float x) {
    float r = wn__round_f32(x), d = r > x ? 1.0f : 0.0f;
    return r - d; /* -0 - 0 = -0 */
}
WN__MATH double wn__floor_f64(double x) {
    double r = wn__round_f64(x), d = r > x ? 1.0 : 0.0;
    return r - d;
}
WN__MATH float wn__ceil_f32(float x) {
    float r = wn__round_f32(x), d = r < x ? 1.0f : 0.0f;
    return wn__sign_f32(r + d, x); /* ceil(-0.5) = -0 */
}
WN__MATH double wn__ceil_f64(double x) {
    double r = wn__round_f64(x), d = r < x ? 1.0 : 0.0;
    return wn__sign_f64(r + d, x);
}
WN__MATH float wn__trunc_f32(float x) { return wn__sign_f32(wn__floor_f32(wn__abs_f32(x)), x); }
WN__MATH double wn__trunc_f64(double x) { return wn__sign_f64(wn__floor_f64(wn__abs_f64(x)), x); }
#endif

/* x - trunc(x): sign of x, as in torch. */
WN__MATH float wn__frac_f32(float x) { return x - wn__trunc_f32(x); }
WN__MATH double wn__frac_f64(double x) { return x - wn__trunc_f64(x); }

WN__MATH float wn__copysign_f32(float x, float y) { return wn__sign_f32(x, y); }
WN__MATH double wn__copysign_f64(double x, double y) { return wn__sign_f64(x, y); }

/* Bit patterns of one sign are ordered as their values: one step up or down, away from zero if y lies there. */
WN__MATH float wn__nextafter_f32(float x, float y) {
    uint32_t up = x < y ? 1u : 0xffffffffu, u = wn__bits_f32(x) + (x > 0.0f ? up : 0u - up);
    float r = wn__from_f32(u);
    r = x == 0.0f ? wn__sign_f32(0x1p-149f, y) : r;
    r = x == y ? y : r;
    r = x != x ? x : r;
    return y != y ? y : r;
}
/* (f64 without integer selects, which SSE2 lacks: the step is +-1 as the low bits of a double) */
WN__MATH double wn__nextafter_f64(double x, double y) {
    double up = wn__sel_f64(x < y, 1.0, -1.0), step = wn__flip_f64(up, x);
    double r = wn__from_f64(wn__bits_f64(x) + (wn__bits_f64(step + WN__RND_F64) - wn__bits_f64(WN__RND_F64)));
    r = wn__sel_f64(x == 0.0, wn__sign_f64(0x1p-1074, y), r);
    r = wn__sel_f64(x == y, y, r);
    r = wn__sel_f64(x == x, r, x);
    return wn__sel_f64(y == y, r, y);
}
#endif
