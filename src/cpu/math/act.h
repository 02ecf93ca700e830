/* Activation functions, f32 and f64: sigmoid, softplus, log_sigmoid, gelu, gelu_tanh, silu, mish. All vectorise.
 *
 * Every one is accurate in its negative tail too, down to subnormal results, and has its limit at -inf (-0 for the ones that
 * multiply by x; torch's formulas give NaN there). */
#ifndef WN_MATH_ACT_H
#define WN_MATH_ACT_H
#include "base.h"
#include "erf.h"
#include "exp.h"
#include "log.h"

WN__MATH double wn__gelu_h_f64(double w) {
    double p = 0x1.09263e5015d3ep-31;
    p = wn__fma_f64(p, w, -0x1.67650d86254bap-27);
    p = wn__fma_f64(p, w, 0x1.bee6e514679fcp-24);
    p = wn__fma_f64(p, w, -0x1.507342032e77fp-21);
    p = wn__fma_f64(p, w, 0x1.5565addf3526dp-19);
    p = wn__fma_f64(p, w, -0x1.edbee583c4391p-18);
    p = wn__fma_f64(p, w, 0x1.08a4afe38a16cp-16);
    p = wn__fma_f64(p, w, -0x1.b53a8860cb859p-16);
    p = wn__fma_f64(p, w, 0x1.1fd8795b7d32p-15);
    p = wn__fma_f64(p, w, -0x1.2d2fdb8c6873bp-15);
    p = wn__fma_f64(p, w, 0x1.f5b8ec5f686d1p-16);
    p = wn__fma_f64(p, w, -0x1.8a4cec6091d25p-16);
    p = wn__fma_f64(p, w, 0x1.16f3551053ee9p-17);
    p = wn__fma_f64(p, w, -0x1.41241e56cfd82p-20);
    p = wn__fma_f64(p, w, 0x1.c3bda58e1646p-15);
    p = wn__fma_f64(p, w, 0x1.d3bc6277f669ep-13);
    p = wn__fma_f64(p, w, 0x1.7aab742cf4ad1p-11);
    p = wn__fma_f64(p, w, 0x1.044cd5ad95ecdp-9);
    p = wn__fma_f64(p, w, 0x1.40a0999b2a8dfp-8);
    p = wn__fma_f64(p, w, 0x1.6b33353f7d258p-7);
    p = wn__fma_f64(p, w, 0x1.807c8a983115ap-6);
    return p;
}
WN__MATH double wn__gelu_dh_f64(double w) {
    double p = 0x1.4b777083f6ab1p-7;
    p = wn__fma_f64(p, w, -0x1.996cada5e0717p-11);
    p = wn__fma_f64(p, w, 0x1.42f73a6129e58p-6);
    p = wn__fma_f64(p, w, 0x1.56c613f3d16f4p-6);
    p = wn__fma_f64(p, w, 0x1.822dec464434fp-6);
    return p;
}
WN__MATH double wn__gelu_p_f64(double z) {
    double p = 0x1.15ccf0fba34c5p-29;
    p = wn__fma_f64(p, z, -0x1.60036158c5908p-25);
    p = wn__fma_f64(p, z, 0x1.6577c5726e509p-21);
    p = wn__fma_f64(p, z, -0x1.3ce89bedc6ba2p-17);
    p = wn__fma_f64(p, z, 0x1.e42b0b00d7ce1p-14);
    p = wn__fma_f64(p, z, -0x1.37403f675dc6dp-10);
    p = wn__fma_f64(p, z, 0x1.46d04297609d8p-7);
    p = wn__fma_f64(p, z, -0x1.1058377e2ce65p-4);
    p = wn__fma_f64(p, z, 0x1.9884533d4365p-2);
    return p;
}

/* v sigmoid(x) = (y + c) 2^k with k = 0 for x >= 0, else that of e^x, so that the result is rounded only once where it is
 * subnormal; c is below an ulp of y. With e = e^-|x|: y = v / (1 + e) or v e / (1 + e), c is what the sum and the product
 * lost, over 1 + e (a linear stand-in is good enough). *shifted = k + WN__RND. a = |x|, clamped. */
typedef struct wn__yc_f32 {
    float y, c;
} wn__yc_f32;
WN__MATH float wn__prod_rest_f32(float a, float b, float p) { /* a * b - p for p = fl(a * b), exact */
#if WN__HAS_FMA
    return __builtin_fmaf(a, b, -p);
#else
    float ah = wn__from_f32(wn__bits_f32(a) & 0xfffff000u), al = a - ah;
    float bh = wn__from_f32(wn__bits_f32(b) & 0xfffff000u), bl = b - bh;
    return (((ah * bh - p) + ah * bl) + al * bh) + al * bl;
#endif
}
WN__MATH wn__yc_f32 wn__sigmoid_core_f32(float a, float v, float x, float *shifted) {
    float t = wn__fma_f32(-a, (float)WN__LOG2E_F64, WN__RND_F32), n = t - WN__RND_F32;
    float r = wn__fma_f32(-n, WN__LN2LO_F32, wn__fma_f32(-n, WN__LN2HI_F32, -a));
    float q = wn__fma_f32(r * r, wn__exp_q_f32(r), r), p = 1.0f + q, pl = q - (p - 1.0f);
    float e = wn__scale_f32(p, t), d = 1.0f + e, dl = e - (d - 1.0f), w = v * p;
    float wl = wn__prod_rest_f32(v, p, w) + v * pl;
    wn__yc_f32 s = {(x < 0.0f ? w : v) / d, x < 0.0f ? wl : 0.0f};
    s.c = wn__fma_f32(-s.y, dl, s.c) * wn__fma_f32(d, -0.5f, 1.457f);
    *shifted = x < 0.0f ? t : WN__RND_F32;
    return s;
}
/* The same with e^-|x| = p 2^n given. */
WN__MATH wn__dd wn__sigmoid_core_f64(wn__dd p, double v, double x, double *shifted) {
    p = wn__fast2sum(p.hi, p.lo);
    double e = wn__scale_f64(p.hi, *shifted), d = 1.0 + e, dl = e - (d - 1.0);
    wn__dd w = wn__2prod(v, p.hi), s = {(x < 0.0 ? w.hi : v) / d, x < 0.0 ? wn__fma_f64(v, p.lo, w.lo) : 0.0};
    s.lo = wn__fma_f64(-s.hi, dl, s.lo) * wn__fma_f64(d, -0.5, 1.457);
    *shifted = x < 0.0 ? *shifted : WN__RND_F64;
    return s;
}
WN__MATH float wn__sigmoid_f32(float x) {
    float a = wn__abs_f32(x), t;
    wn__yc_f32 s = wn__sigmoid_core_f32(a > 104.0f ? 104.0f : a, 1.0f, x, &t);
    return wn__scale_f32(s.y + s.c, t);
}
WN__MATH double wn__sigmoid_f64(double x) {
    double a = wn__abs_f64(x), t;
    wn__dd p = wn__exp_dd(a > 746.0 ? -746.0 : -a, 0.0, &t), s = wn__sigmoid_core_f64(p, 1.0, x, &t);
    return wn__scale_f64(s.hi + s.lo, t);
}

/* log(1 + e^x) */
WN__MATH float wn__softplus_f32(float x) {
    float l = wn__log1p_f32(wn__exp_f32(-wn__abs_f32(x)));
    return (x < 0.0f ? 0.0f : x) + l;
}
WN__MATH double wn__softplus_f64(double x) {
    double l = wn__log1p_f64(wn__exp_f64(-wn__abs_f64(x)));
    return (x < 0.0 ? 0.0 : x) + l;
}
WN__MATH float wn__log_sigmoid_f32(float x) { return -wn__softplus_f32(-x); }
WN__MATH double wn__log_sigmoid_f64(double x) { return -wn__softplus_f64(-x); }

/* x sigmoid(x) */
WN__MATH float wn__silu_f32(float x) {
    float a = wn__abs_f32(x), t, b = a > 110.0f ? 110.0f : a;
    wn__yc_f32 s = wn__sigmoid_core_f32(b, x < 0.0f ? -b : x, x, &t);
    float y = x < WN__INF_F32 ? s.y + s.c : x;
    return wn__sign_f32(wn__scale_f32(y, t), x); /* -0 */
}
WN__MATH double wn__silu_f64(double x) {
    double a = wn__abs_f64(x), t, b = a > 760.0 ? 760.0 : a;
    wn__dd p = wn__exp_dd(-b, 0.0, &t), s = wn__sigmoid_core_f64(p, x < 0.0 ? -b : x, x, &t);
    double y = x < WN__INF_F64 ? s.hi + s.lo : x;
    return wn__sign_f64(wn__scale_f64(y, t), x);
}

/* x tanh(log(1 + e^x)). With e = e^-|x|: x > 0: x (1 + 2e) / (1 + 2e + 2e^2); else x e (2 + e) / (2 + 2e + e^2). */
WN__MATH float wn__mish_f32(float x) {
    double a = (double)wn__abs_f32(x), b = a > 120.0 ? 120.0 : a, e = wn__exp_lite(-b), v = (double)x;
    double w = v < -120.0 ? -120.0 : v, s = e * e;
    double n = v < 0.0 ? e * (2.0 + e) : 1.0 + 2.0 * e, d = v < 0.0 ? 2.0 + 2.0 * e + s : 1.0 + 2.0 * e + 2.0 * s;
    return (float)(w * n / d);
}
/* The quotient in two words; for x < 0 one factor e is left out and its power of two multiplied in at the end. */
WN__MATH double wn__mish_f64(double x) {
    double a = wn__abs_f64(x), b = a > 760.0 ? 760.0 : a, t;
    wn__dd p = wn__exp_dd(-b, 0.0, &t);
    p = wn__fast2sum(p.hi, p.lo);
    double e = wn__scale_f64(p.hi, t), el = wn__scale_f64(p.lo, t);
    wn__dd s = wn__2prod(e, e), n, d, w;
    s.lo = wn__fma_f64(2.0 * e, el, s.lo);
    /* x < 0: (2 + e) / (2 + 2e + e^2); else (1 + 2e) / (1 + 2e + 2e^2) */
    double f = x < 0.0 ? 1.0 : 2.0;
    n = wn__fast2sum(x < 0.0 ? 2.0 : 1.0, f * e);
    n.lo = wn__fma_f64(f, el, n.lo);
    d = wn__2sum(n.hi, x < 0.0 ? e + s.hi : 2.0 * s.hi);
    d.lo += n.lo + (x < 0.0 ? ((e - (e + s.hi)) + s.hi) + el + s.lo : 2.0 * s.lo);
    double i = 1.0 / d.hi, q = n.hi * i;
    wn__dd r = wn__2prod(q, d.hi);
    double ql = (((n.hi - r.hi) - r.lo) + (n.lo - q * d.lo)) * i;
    double v = x < 0.0 ? -b : x, m = x < 0.0 ? p.hi : 1.0, ml = x < 0.0 ? p.lo : 0.0;
    w = wn__2prod(q, m);
    double y = v * w.hi, c = w.lo + wn__fma_f64(ql, m, q * ml);
    y = x < WN__INF_F64 ? wn__fma_f64(v, c, y) : x;
    return wn__sign_f64(wn__scale_f64(y, x < 0.0 ? t : WN__RND_F64), x);
}

/* x erfc(-x / sqrt2) / 2 = max(x, 0) - |x| erfc(|x| / sqrt2) / 2. */
WN__MATH float wn__gelu_f32(float x) {
    double a = (double)wn__abs_f32(x), b = a > 15.0 ? 15.0 : a;
    double t = 0.5 * b * wn__erfc_lite(b * 0.70710678118654752, 0.5 * b * b);
    return wn__sign_f32((float)((x < 0.0f ? 0.0 : (double)x) - t), x);
}
/* H for a / sqrt2 is fitted for itself (halved), so the argument is not rounded; a^2 / 2 is exact in two words.
 * Near 0: x (1/2 + x P(x^2)). */
WN__MATH double wn__gelu_f64(double x) {
    double a = wn__abs_f64(x), b = a > 39.0 ? 39.0 : a, t;
    wn__dd s = wn__2prod(b, b), e = wn__exp_dd(-0.5 * s.hi, -0.5 * s.lo, &t), d = wn__2sum(b, 4.25), n = {8.5, 0.0};
    double q = 1.0 / d.hi, w = 8.5 * q, wl = wn__quot_rest(n, d, w, q);
    wn__dd p = wn__fast2sum(e.hi, e.lo), u = wn__2prod(b, p.hi), g = wn__2prod(wn__gelu_h_f64(w), w);
    wn__dd h = wn__2sum(g.hi, 0x1.807c8a93f588dp-5);
    h.lo += g.lo;
    wn__dd y = wn__2prod(h.hi, w); /* as in erfc */
    double c = wn__fma_f64(wl, wn__fma_f64(w, wn__gelu_dh_f64(w), h.hi), wn__fma_f64(h.lo, w, y.lo));
    double ul = wn__fma_f64(b, p.lo, u.lo);
    wn__dd r = wn__2prod(u.hi, y.hi);
    double tail = wn__scale_f64(r.hi + (r.lo + wn__fma_f64(u.hi, c, ul * y.hi)), t);
    double small = x * wn__fma_f64(x, wn__gelu_p_f64(x * x), 0.5);
    return a < 0.7 ? small : wn__sign_f64((x < 0.0 ? 0.0 : x) - tail, x);
}

/* x (1 + tanh(u)) / 2 = x sigmoid(2u), u = sqrt(2 / pi) (x + 0.044715 x^3). */
WN__MATH float wn__gelu_tanh_f32(float x) {
    double a = (double)wn__abs_f32(x), b = a > 16.0 ? 16.0 : a;
    double e = wn__exp_lite(-b * wn__fma_f64(b * b, 0x1.2444f2a4d8b4bp-4, 0x1.9884533d43651p0));
    return (float)((x < 0.0f ? -b * e : (double)x) / (1.0 + e));
}
/* The exponent in two words. */
WN__MATH double wn__gelu_tanh_f64(double x) {
    double a = wn__abs_f64(x), b = a > 22.5 ? 22.5 : a, t;
    wn__dd z = wn__2prod(b, b), w = wn__2prod(z.hi, 0x1.2444f2a4d8b4bp-4), v, u;
    w.lo += wn__fma_f64(z.hi, -0x1.6c843a29d1c7p-61, z.lo * 0x1.2444f2a4d8b4bp-4);
    v = wn__2sum(0x1.9884533d43651p0, w.hi);
    v.lo += w.lo + -0x1.cbc0d30ebfd15p-54;
    u = wn__2prod(b, v.hi);
    u.lo = wn__fma_f64(b, v.lo, u.lo);
    wn__dd p = wn__exp_dd(-u.hi, -u.lo, &t);
    p = wn__sigmoid_core_f64(p, x < 0.0 ? -b : x, x, &t);
    double y = x < WN__INF_F64 ? p.hi + p.lo : x;
    return wn__sign_f64(wn__scale_f64(y, t), x);
}
#endif
