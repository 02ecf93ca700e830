/* asin, acos, atan, atan2, f32 and f64. All vectorise.
 *
 * asin x = x + x^3 R(x^2) for |x| <= 1/2; beyond, asin x = pi/2 - 2 asin(sqrt((1 - x) / 2)).
 * atan t = t + t^3 P(t^2) for |t| <= 1; beyond, pi/2 - atan(1 / t). */
#ifndef WN_MATH_ATRIG_H
#define WN_MATH_ATRIG_H
#include "engine/math/base.h"

#define WN__PIO2_HI_F32 0x1.921fb6p0f
#define WN__PIO2_LO_F32 -0x1.777a5cp-25f
#define WN__PIO2_HI_F64 0x1.921fb54442d18p0
#define WN__PIO2_LO_F64 0x1.1a62633145c07p-54

WN__MATH float wn__asin_r_f32(float z) {
    return WN__HORNER(wn__fma_f32, z, 0x1.598632p-5f, 0x1.8c0caap-6f, 0x1.7480ep-5f, 0x1.3301ccp-4f, 0x1.5555c8p-3f);
}
WN__MATH float wn__atan_p_f32(float z) {
    return WN__HORNER(wn__fma_f32, z, -0x1.d63182p-10f, 0x1.65a75p-7f, -0x1.fed25ap-6f, 0x1.daca6ep-5f, -0x1.5834bep-4f, 0x1.c09a1p-4f,
        -0x1.2421b8p-3f, 0x1.9991fep-3f, -0x1.55553ep-2f);
}
WN__MATH double wn__asin_r_f64(double z) {
    double w = z * z, a = 0x1.0b801b62c99b7p-5, b = -0x1.58b17302e0309p-6;
    a = WN__HORNER(wn__fma_f64, w, a, 0x1.64192762cc795p-6, 0x1.6156a24771dc1p-7, 0x1.ca20197c4e189p-7, 0x1.6e8bdf30b4ff5p-6, 0x1.6db6db7219ea7p-5,
        0x1.5555555555577p-3);
    b = WN__HORNER(wn__fma_f64, w, b, 0x1.e46383645137dp-9, 0x1.7580f98186e9bp-7, 0x1.1c49eaa06ca6ap-6, 0x1.f1c71a9220406p-6, 0x1.333333332e08dp-4);
    return wn__fma_f64(b, z, a);
}
WN__MATH double wn__atan_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, -0x1.22622d9787fbp-17, 0x1.b3aa52af0020dp-14, -0x1.36d7eece3ce86p-11, 0x1.1a029d1dc8beap-9,
        -0x1.6fcf70e56d1c1p-8, 0x1.72daada26e067p-7, -0x1.30f933c4a14c5p-6, 0x1.ac77a784ad554p-6, -0x1.0c93e2d0b7f06p-5, 0x1.39043b281bc4ep-5,
        -0x1.5f2418a9e37a8p-5, 0x1.84b44ccb12f86p-5, -0x1.aeda5139b3daep-5, 0x1.e1d486f5de0a6p-5, -0x1.11103266653a2p-4, 0x1.3b139bce68959p-4,
        -0x1.745d15d02e195p-4, 0x1.c71c71b628ebcp-4, -0x1.2492492456aacp-3, 0x1.9999999998c27p-3, -0x1.555555555554dp-2);
}

WN__MATH float wn__asin_f32(float x) {
    float a = wn__abs_f32(x), z = a < 0.5f ? x * x : 0.5f - 0.5f * a;
    float s = a < 0.5f ? a : __builtin_sqrtf(z), r = s * z * wn__asin_r_f32(z);
    float u = 2.0f * s, h = WN__PIO2_HI_F32 - u, b = h + (((WN__PIO2_HI_F32 - h) - u) - (2.0f * r - WN__PIO2_LO_F32));
    return wn__sign_f32(a < 0.5f ? s + r : b, x);
}
/* x < -1/2: pi - 2y; |x| <= 1/2: pi/2 -+ y; x > 1/2: 2y. */
WN__MATH float wn__acos_f32(float x) {
    float a = wn__abs_f32(x), z = a < 0.5f ? x * x : 0.5f - 0.5f * a;
    float s = a < 0.5f ? a : __builtin_sqrtf(z), y = wn__fma_f32(s * z, wn__asin_r_f32(z), s);
    float mid = WN__PIO2_HI_F32 - (wn__flip_f32(y, x) - WN__PIO2_LO_F32), top = y + y;
    float low = 2.0f * WN__PIO2_HI_F32 - (top - 2.0f * WN__PIO2_LO_F32);
    return a < 0.5f ? mid : x < 0.0f ? low : top;
}
WN__MATH float wn__atan_f32(float x) {
    float a = wn__abs_f32(x), t = a > 1.0f ? 1.0f / a : a, z = t * t, y = wn__fma_f32(t * z, wn__atan_p_f32(z), t);
    return wn__sign_f32(a > 1.0f ? WN__PIO2_HI_F32 - (y - WN__PIO2_LO_F32) : y, x);
}
/* The angle of (min, max) in the first octant, then mirrored into place. Equal arguments, infinite too, make
 * t = 1; 0 / 0 is 0. */
WN__MATH float wn__atan2_f32(float y, float x) {
    float a = wn__abs_f32(x), b = wn__abs_f32(y), n = a < b ? a : b, d = a < b ? b : a, t = n / d;
    t = a == b ? 1.0f : t;
    t = d == 0.0f ? 0.0f : t;
    float z = t * t, v = wn__fma_f32(t * z, wn__atan_p_f32(z), t);
    uint32_t left = wn__bits_f32(x) >> 31, neg = left ^ (a < b ? 1u : 0u);
    v = wn__from_f32(wn__bits_f32(v) ^ (neg << 31));
    float hi = left ? 2.0f * WN__PIO2_HI_F32 : 0.0f, lo = left ? 2.0f * WN__PIO2_LO_F32 : 0.0f;
    hi = a < b ? WN__PIO2_HI_F32 : hi;
    lo = a < b ? WN__PIO2_LO_F32 : lo;
    v = hi + (v + lo);
    v = x == x ? v : x;
    v = y == y ? v : y;
    return wn__sign_f32(v, y);
}

/* s + lo = asin(s) for s = |x| or sqrt((1 - |x|) / 2) in two words. */
WN__MATH wn__dd wn__asin_core_f64(double a) {
    double z = a < 0.5 ? a * a : 0.5 - 0.5 * a, q = __builtin_sqrt(z), i = 0.5 / (z > 0.0 ? q : 1.0);
    wn__dd p = wn__2prod(q, q), s = {a < 0.5 ? a : q, 0};
    double ql = ((z - p.hi) - p.lo) * i;
    s.lo = wn__fma_f64(s.hi * z, wn__asin_r_f64(z), a < 0.5 ? 0.0 : ql);
    return s;
}
WN__MATH double wn__asin_f64(double x) {
    double a = wn__abs_f64(x);
    wn__dd s = wn__asin_core_f64(a), w = wn__2sum(WN__PIO2_HI_F64, -2.0 * s.hi);
    double b = w.hi + (w.lo + (WN__PIO2_LO_F64 - 2.0 * s.lo));
    return wn__sign_f64(a < 0.5 ? s.hi + s.lo : b, x);
}
WN__MATH double wn__acos_f64(double x) {
    double a = wn__abs_f64(x);
    wn__dd s = wn__asin_core_f64(a), w, v;
    w = wn__fast2sum(WN__PIO2_HI_F64, -wn__flip_f64(s.hi, x));
    v = wn__fast2sum(2.0 * WN__PIO2_HI_F64, -2.0 * s.hi);
    double mid = w.hi + (w.lo + (WN__PIO2_LO_F64 - wn__flip_f64(s.lo, x)));
    double low = v.hi + (v.lo + 2.0 * (WN__PIO2_LO_F64 - s.lo)), top = 2.0 * (s.hi + s.lo);
    return a < 0.5 ? mid : x < 0.0 ? low : top;
}
WN__MATH double wn__atan_f64(double x) {
    double a = wn__abs_f64(x), q = 1.0 / a, t = a > 1.0 ? q : a, z = t * t;
    wn__dd p = wn__2prod(q, a);
    double r = ((1.0 - p.hi) - p.lo) * q, v = t * z * wn__atan_p_f64(z);
    r = ((a > 1.0) & (a < 0x1p100)) ? r : 0.0;
    v += r * (1.0 - z);
    wn__dd w = wn__fast2sum(WN__PIO2_HI_F64, -t);
    return wn__sign_f64(a > 1.0 ? w.hi + (w.lo + (WN__PIO2_LO_F64 - v)) : t + v, x);
}
WN__MATH double wn__atan2_f64(double y, double x) {
    double a = wn__abs_f64(x), b = wn__abs_f64(y), n = a < b ? a : b, d = a < b ? b : a, t = n / d;
    t = a == b ? 1.0 : t;
    t = d == 0.0 ? 0.0 : t;
    /* what the division lost, where it matters and nothing overflows */
    wn__dd p = wn__2prod(t, d);
    double z = t * t, r = ((n - p.hi) - p.lo) / d, v = t * z * wn__atan_p_f64(z);
    r = t > 0x1p-400 ? r : 0.0;
    r = d > 0x1p-400 ? r : 0.0;
    r = d < 0x1p900 ? r : 0.0;
    v += r * (1.0 - z);
    double left = wn__sign_f64(1.0, x), s = a < b ? -left : left; /* the sign of t in the sum */
    double hi = left < 0.0 ? 2.0 * WN__PIO2_HI_F64 : 0.0, lo = left < 0.0 ? 2.0 * WN__PIO2_LO_F64 : 0.0;
    hi = a < b ? WN__PIO2_HI_F64 : hi;
    lo = a < b ? WN__PIO2_LO_F64 : lo;
    wn__dd w = wn__2sum(hi, s * t);
    v = w.hi + (w.lo + wn__fma_f64(s, v, lo));
    v = x == x ? v : x;
    v = y == y ? v : y;
    return wn__sign_f64(v, y);
}
#endif
