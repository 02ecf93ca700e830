/* sinh, cosh, tanh, asinh, acosh, atanh, f32 and f64. All vectorise.
 *
 * The f32 forms of all but tanh work in double, where plain formulas are good enough; the f64 forms carry a second word
 * through the steps that would lose bits. */
#ifndef WN_MATH_HYPER_H
#define WN_MATH_HYPER_H
#include "engine/math/base.h"
#include "engine/math/exp.h"
#include "engine/math/log.h"

WN__MATH float wn__tanh_p_f32(float z) {
    return WN__HORNER(wn__fma_f32, z, -0x1.ba7b26p-12f, 0x1.46a736p-9f, -0x1.0bb15ep-7f, 0x1.6221fcp-6f, -0x1.b9af62p-5f, 0x1.110e6cp-3f,
        -0x1.55554ap-2f);
}
WN__MATH double wn__sinh_lite_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.7a2ad02aa3057p-19, 0x1.9ffe0565a7d1ap-13, 0x1.1111361113f71p-7, 0x1.55555518e2f87p-3);
}
WN__MATH double wn__sinh_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.b4d775f0c23cap-41, 0x1.611a227fcd91ep-33, 0x1.ae64679b8c913p-26, 0x1.71de3a45bf2d2p-19,
        0x1.a01a01a029575p-13, 0x1.11111111110ap-7, 0x1.5555555555556p-3);
}

/* Small |x|: an odd polynomial. Else 1 - 2 / (e^2|x| + 1), which is 1 from |x| = 10 on. That quotient is so small that
 * its three roundings leave the result within an ulp. */
WN__MATH float wn__tanh_f32(float x) {
    float a = wn__abs_f32(x), z = x * x, p = wn__tanh_p_f32(z);
#if WN__HAS_FMA
    float small = wn__fma_f32(x * z, p, x);
#else
    float small = (float)((double)x + (double)x * (double)z * (double)p);
#endif
    float b = a > 10.0f ? 10.0f : a, t = wn__fma_f32(b, 2.0f * (float)WN__LOG2E_F64, WN__RND_F32), n = t - WN__RND_F32;
    b += b;
    float r = wn__fma_f32(-n, WN__LN2LO_F32, wn__fma_f32(-n, WN__LN2HI_F32, b)), s = wn__pow2_f32(t);
    float d = wn__fma_f32(s, wn__fma_f32(r * r, wn__exp_q_f32(r), r), s + 1.0f); /* e^b + 1 */
    return wn__sign_f32(a < 0.93f ? small : 1.0f - 2.0f / d, x);
}

/* e^x - 1 as a double word, |x| < 700, good to about 2^-56 of the result. */
WN__MATH wn__dd wn__expm1_dd(double x) {
    double t = wn__fma_f64(x, WN__LOG2E_F64, WN__RND_F64), n = t - WN__RND_F64, s = wn__pow2_f64(t);
    double h = wn__fma_f64(-n, WN__LN2HI_F64, x), l = -n * WN__LN2LO_F64, r = h + l, rl = (h - r) + l;
    wn__dd a = wn__2sum(s - 1.0, s * r);
    return wn__fast2sum(a.hi, wn__fma_f64(s, wn__fma_f64(r * r, wn__exp_q_f64(r), rl), a.lo));
}
/* m / (m + 2) with m = e^2|x| - 1; the quotient is corrected by its remainder. */
WN__MATH double wn__tanh_f64(double x) {
    double a = wn__abs_f64(x);
    a = a > 20.0 ? 20.0 : a;
    wn__dd m = wn__expm1_dd(a + a), d = wn__2sum(m.hi, 2.0);
    d.lo += m.lo;
    double i = 1.0 / d.hi, q = m.hi * i;
    wn__dd p = wn__2prod(q, d.hi);
    q += (((m.hi - p.hi) - p.lo) + (m.lo - q * d.lo)) * i;
    q = x == 0.0 ? 0.0 : q;
    return wn__sign_f64(q, x);
}

WN__MATH float wn__sinh_f32(float x) {
    double a = (double)wn__abs_f32(x), b = a > 100.0 ? 100.0 : a, e = wn__exp_lite(b), z = b * b;
    double big = 0.5 * e - 0.5 / e, small = wn__fma_f64(b * z, wn__sinh_lite_p_f64(z), b);
    return wn__sign_f32((float)(a < 1.0 ? small : big), x);
}
WN__MATH float wn__cosh_f32(float x) {
    double a = (double)wn__abs_f32(x), e = wn__exp_lite(a > 100.0 ? 100.0 : a);
    return (float)(0.5 * e + 0.5 / e);
}
/* E = e^|x| / 2 is taken straight, so that it overflows where the result does: E -+ 1 / (4 E). */
WN__MATH double wn__sinh_f64(double x) {
    double a = wn__abs_f64(x), z = a * a, t;
    double small = wn__fma_f64(a * z, wn__sinh_p_f64(z), a);
    wn__dd e = wn__exp_dd(a > 711.0 ? 711.0 : a, 0.0, &t);
    double n = t - WN__RND_F64, m = n > 60.0 ? 60.0 : n; /* e^-|x| = 2^-2n / e of the 2^n */
    double c = wn__pow2_f64(WN__RND_F64 - (m + m)) / (e.hi + e.lo);
    double big = wn__scale_f64(e.hi + (e.lo - c), t - 1.0);
    return wn__sign_f64(a < 1.0 ? small : big, x);
}
WN__MATH double wn__cosh_f64(double x) {
    double a = wn__abs_f64(x), t;
    wn__dd e = wn__exp_dd(a > 711.0 ? 711.0 : a, 0.0, &t);
    double n = t - WN__RND_F64, m = n > 60.0 ? 60.0 : n; /* e^-|x| = 2^-2n / e of the 2^n */
    double c = wn__pow2_f64(WN__RND_F64 - (m + m)) / (e.hi + e.lo);
    return wn__scale_f64(e.hi + (e.lo + c), t - 1.0);
}

WN__MATH float wn__asinh_f32(float x) {
    double a = (double)wn__abs_f32(x), z = a * a, y = wn__log1p_lite(a + z / (1.0 + __builtin_sqrt(1.0 + z)));
    return a < WN__INF_F64 ? wn__sign_f32((float)y, x) : x;
}
WN__MATH float wn__acosh_f32(float x) {
    double a = (double)x, s = a - 1.0, y = wn__log1p_lite(s + __builtin_sqrt(s * (a + 1.0)));
    y = a >= 1.0 ? y : WN__NAN_F64;
    return x < WN__INF_F32 ? (float)y : x - (x < 0.0f ? x : 0.0f);
}
WN__MATH float wn__atanh_f32(float x) {
    double a = (double)wn__abs_f32(x), y = 0.5 * wn__log1p_lite((a + a) / (1.0 - a));
    y = a < 1.0 ? y : WN__NAN_F64;
    y = a == 1.0 ? WN__INF_F64 : y;
    return wn__sign_f32((float)y, x);
}

/* log(1 + hi + lo) + e0 ln2 for hi >= 0 and lo small beside hi. */
WN__MATH double wn__log1p_sum_f64(double hi, double lo, double e0) {
    double u = 1.0 + hi, a = hi > 1.0 ? hi : 1.0, b = hi > 1.0 ? 1.0 : hi, c = ((b - (u - a)) + lo) / u;
    double e, h, f = wn__split_f64(u, &e) - 1.0, t = wn__log_tail_f64(f, &h);
    e += e0;
    double y = f - (h - (c + wn__fma_f64(e, WN__LN2LO_F64, t)));
    return wn__fma_f64(e, WN__LN2HI_F64, y);
}
/* sqrt of the double word v as a double word; 0 for v = 0. */
WN__MATH wn__dd wn__sqrt_dd(wn__dd v) {
    double y = __builtin_sqrt(v.hi);
    wn__dd p = wn__2prod(y, y), r = {y, 0};
    r.lo = (((v.hi - p.hi) - p.lo) + v.lo) * (0.5 / (y > 0.0 ? y : 1.0));
    return r;
}
/* log(1 + a + a^2 / (1 + sqrt(1 + a^2))); above 2^30 log(2 a). */
WN__MATH double wn__asinh_f64(double x) {
    double a = wn__abs_f64(x), b = a > 0x1p30 ? 0.0 : a, z = b * b, w = z / (1.0 + __builtin_sqrt(1.0 + z));
    wn__dd s = wn__fast2sum(a, a > 0x1p30 ? -1.0 : w);
    double y = wn__log1p_sum_f64(s.hi, s.lo, a > 0x1p30 ? 1.0 : 0.0);
    y = a < WN__INF_F64 ? y : a;
    return wn__sign_f64(x == 0.0 ? 0.0 : y, x);
}
/* log(1 + (x - 1) + sqrt(x^2 - 1)); above 2^30 log(2 x). */
WN__MATH double wn__acosh_f64(double x) {
    double b = x > 0x1p30 ? 1.0 : x;
    wn__dd z = wn__2prod(b, b), v = wn__fast2sum(z.hi, -1.0);
    v.lo += z.lo;
    v = wn__fast2sum(v.hi, v.lo);
    wn__dd q = wn__sqrt_dd(v), s = wn__2sum(x - 1.0, q.hi);
    double y = wn__log1p_sum_f64(s.hi, s.lo + q.lo, x > 0x1p30 ? 1.0 : 0.0);
    y = x == 1.0 ? 0.0 : y;
    y = x < WN__INF_F64 ? y : x;
    return x < 1.0 ? WN__NAN_F64 : y;
}
/* log(1 + 2 a / (1 - a)) / 2 with the quotient's remainder. */
WN__MATH double wn__atanh_f64(double x) {
    double a = wn__abs_f64(x), d = 1.0 - a, dl = (1.0 - d) - a, i = 1.0 / d, q = (a + a) * i;
    wn__dd p = wn__2prod(q, d);
    double ql = (((a + a) - p.hi - p.lo) - q * dl) * i;
    double y = 0.5 * wn__log1p_sum_f64(q, ql, 0.0);
    y = wn__sel_f64(a < 0x1p-60, a, y); /* the products above underflow */
    y = wn__sel_f64(a < 1.0, y, WN__NAN_F64);
    y = wn__sel_f64(a == 1.0, WN__INF_F64, y);
    return wn__sign_f64(y, x);
}
#endif
