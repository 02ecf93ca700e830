/* fmod and remainder (the sign of the divisor, as Python's % and torch.remainder), f32 and f64, exact.
 *
 * These do not vectorise: quotients below 2^29 (2^50) take the short way, a division and an exact remainder, larger ones
 * libm's fmod, which is exact too. */
#ifndef WN_MATH_FMOD_H
#define WN_MATH_FMOD_H
#include "base.h"
#include "round.h"
#include <math.h>

WN__MATH float wn__fmod_f32(float x, float y) {
    double a = (double)wn__abs_f32(x), b = (double)wn__abs_f32(y);
    if (!(a < b * 0x1p29) || b > 0x1p200) return a < b ? x : (float)fmod((double)x, (double)y);
    double r = a - wn__trunc_f64(a / b) * b; /* the product has at most 53 bits; the quotient may be one too large */
    r = r < 0.0 ? r + b : r;
    return wn__sign_f32((float)r, x);
}
WN__MATH double wn__fmod_f64(double x, double y) {
    double a = wn__abs_f64(x), b = wn__abs_f64(y);
    if (!(a < b * 0x1p50) || b > 0x1p900 || b < 0x1p-900) return a < b ? x : fmod(x, y);
    wn__dd p = wn__2prod(wn__trunc_f64(a / b), b);
    double r = (a - p.hi) - p.lo;
    r = r < 0.0 ? r + b : r;
    return wn__sign_f64(r, x);
}
WN__MATH float wn__remainder_f32(float x, float y) {
    float r = wn__fmod_f32(x, y);
    return ((r != 0.0f) & ((r < 0.0f) != (y < 0.0f))) ? r + y : r;
}
WN__MATH double wn__remainder_f64(double x, double y) {
    double r = wn__fmod_f64(x, y);
    return ((r != 0.0) & ((r < 0.0) != (y < 0.0))) ? r + y : r;
}
#endif
