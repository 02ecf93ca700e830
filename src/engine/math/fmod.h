/* fmod and remainder (the sign of the divisor, as Python's % and torch.remainder), f32 and f64, exact.
 *
 * Near: quotients small enough that x - q y, q = trunc(x / y) as rounded (at most one too large), is exact in one fma or
 * two. That vectorises; kernels use it where it does for a whole run of elements (WN_NEAR in level/pointwise.c), with the
 * same results. Larger quotients take libm's fmod, which is exact too. */
#ifndef WN_MATH_FMOD_H
#define WN_MATH_FMOD_H
#include "engine/math/base.h"
#include "engine/math/round.h"
#include <math.h>

WN__MATH int wn__fmod_is_near_f32(float x, float y) {
    float a = wn__abs_f32(x), b = wn__abs_f32(y);
    return (a < b * 0x1p23f) & (b < 0x1p100f);
}
WN__MATH float wn__fmod_near_f32(float x, float y) {
    float a = wn__abs_f32(x), b = wn__abs_f32(y);
#if WN__HAS_FMA
    float r = wn__fma_f32(-wn__trunc_f32(a / b), b, a);
#else
    float r = (float)((double)a - (double)wn__trunc_f32(a / b) * (double)b);
#endif
    r = r < 0.0f ? r + b : r;
    return wn__sign_f32(r, x);
}
WN__MATH int wn__fmod_is_near_f64(double x, double y) {
    double a = wn__abs_f64(x), b = wn__abs_f64(y);
    return (a < b * 0x1p50) & (b < 0x1p900) & (b > 0x1p-900);
}
WN__MATH double wn__fmod_near_f64(double x, double y) {
    double a = wn__abs_f64(x), b = wn__abs_f64(y);
    wn__dd p = wn__2prod(wn__trunc_f64(a / b), b);
    double r = (a - p.hi) - p.lo;
    r = r < 0.0 ? r + b : r;
    return wn__sign_f64(r, x);
}
/* r = fmod(x, y) with the sign of y */
WN__MATH float wn__modulo_f32(float r, float y) { return ((r != 0.0f) & ((r < 0.0f) != (y < 0.0f))) ? r + y : r; }
WN__MATH double wn__modulo_f64(double r, double y) { return ((r != 0.0) & ((r < 0.0) != (y < 0.0))) ? r + y : r; }

WN__MATH float wn__fmod_f32(float x, float y) {
    if (wn__fmod_is_near_f32(x, y)) return wn__fmod_near_f32(x, y);
    return wn__abs_f32(x) < wn__abs_f32(y) ? x : (float)fmod((double)x, (double)y);
}
WN__MATH double wn__fmod_f64(double x, double y) {
    if (wn__fmod_is_near_f64(x, y)) return wn__fmod_near_f64(x, y);
    return wn__abs_f64(x) < wn__abs_f64(y) ? x : fmod(x, y);
}
WN__MATH float wn__remainder_f32(float x, float y) { return wn__modulo_f32(wn__fmod_f32(x, y), y); }
WN__MATH double wn__remainder_f64(double x, double y) { return wn__modulo_f64(wn__fmod_f64(x, y), y); }
WN__MATH int wn__remainder_is_near_f32(float x, float y) { return wn__fmod_is_near_f32(x, y); }
WN__MATH int wn__remainder_is_near_f64(double x, double y) { return wn__fmod_is_near_f64(x, y); }
WN__MATH float wn__remainder_near_f32(float x, float y) { return wn__modulo_f32(wn__fmod_near_f32(x, y), y); }
WN__MATH double wn__remainder_near_f64(double x, double y) { return wn__modulo_f64(wn__fmod_near_f64(x, y), y); }
#endif
