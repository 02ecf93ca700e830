/* erfinv, f32 and f64, and the quantile of the normal distribution's tail. All vectorise.
 *
 * f64: |x| <= 0.8: x (sqrt(pi) / 2 + x^2 R(x^2)). Beyond, with r = sqrt(-log p) for the probability p = (1 - |x|) / 2 of the tail: the quantile over
 * sqrt(2) is r - 7/16 + S(r), with an S up to r = 5 and one above. R and S are quotients. */
#ifndef WN_MATH_ERFINV_H
#define WN_MATH_ERFINV_H
#include "engine/math/base.h"
#include "engine/math/gamma.h"
#include "engine/math/log.h"

/* of u = 0x1.72p-1 - x^2, so that all terms have one sign */
WN__MATH double wn__erfinv_n_f64(double u) {
    return WN__HORNER(wn__fma_f64, u, -0x1.e43b27a50a717p-12, 0x1.fa0cad9f7d515p-7, 0x1.bf98bfa41e4b9p+0, 0x1.8b4a88b2771c1p+3, 0x1.dd311b97bae12p+4,
        0x1.0365ecb92166ep+5, 0x1.150f70289703cp+4, 0x1.1b1a38698390ep+2, 0x1.b9513b3c0797ep-2);
}
WN__MATH double wn__erfinv_d_f64(double u) {
    return WN__HORNER(wn__fma_f64, u, 0x1.6e0d2dd498832p+1, 0x1.d8c953511ed90p+4, 0x1.94f07ea5fa53ep+6, 0x1.3d09348b1e658p+7, 0x1.ff30989c852f0p+6,
        0x1.b58ad1a86cef6p+5, 0x1.78a90c780830cp+3, 0x1.0000000000000p+0);
}
/* of r - 1.5, r <= 5, and of r - 5 */
WN__MATH double wn__quantile_n_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.37ab88823a926p-16, 0x1.6688794153293p-11, 0x1.04a2c8629d180p-7, 0x1.56b6006735bd3p-5, 0x1.a1da014467e2fp-4,
        0x1.ea01246bcdeb7p-5, -0x1.3352ee89f1079p-3, -0x1.6bd1846660de7p-3);
}
WN__MATH double wn__quantile_d_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, -0x1.1cd7948e13e54p-28, 0x1.69bf5d931ab24p-15, 0x1.e4e30fd42d288p-10, 0x1.bc30572e2d2eap-6,
        0x1.91694fadc704bp-3, 0x1.9551174c3e9a9p-1, 0x1.cc1d924a92e6cp+0, 0x1.0f21690beac16p+1, 0x1.0000000000000p+0);
}
WN__MATH double wn__quantile_far_n_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.00ef461eb547ap-31, 0x1.1f7c4195bcd04p-23, 0x1.6c2c06226a0aep-17, 0x1.74df7df9ee585p-12,
        0x1.61688fb55b11cp-8, 0x1.415ac858351a5p-5, 0x1.07c56dbac5785p-3, 0x1.29ad0298d880cp-3);
}
WN__MATH double wn__quantile_far_d_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, -0x1.2c3e1f8c7ff19p-50, 0x1.2632e68d8db57p-30, 0x1.52d8c62bd4362p-22, 0x1.c5400715693ebp-16,
        0x1.fa2d868392556p-11, 0x1.109b2804816f6p-6, 0x1.2915bfd5d5e39p-3, 0x1.3a557d8848d52p-1, 0x1.0000000000000p+0);
}

/* S, 1.5 <= r <= 5 and 5 <= r <= 27.5. */
WN__MATH double wn__quantile_rest(double r) { return wn__quantile_n_f64(r - 1.5) / wn__quantile_d_f64(r - 1.5); }
WN__MATH double wn__quantile_far_rest(double r) { return wn__quantile_far_n_f64(r - 5.0) / wn__quantile_far_d_f64(r - 5.0); }
/* r, in two words, of a probability 0 < p <= 1/9 */
WN__MATH wn__dd wn__quantile_root(double p) {
    wn__dd v = {p, 0.0}, w = wn__log_dd(v), r = {__builtin_sqrt(-w.hi), 0.0}, s = wn__2prod(r.hi, r.hi);
    r.lo = (((-w.hi - s.hi) - s.lo) - w.lo) * (0.5 / r.hi);
    return r;
}
/* The tail's quantile over sqrt(2). */
WN__MATH double wn__quantile(double r, double low, double rest) {
    const double hi = r - 0.4375;
    return hi + (rest + (low + ((r - hi) - 0.4375)));
}

/* |x| <= 0.8 */
WN__MATH double wn__erfinv_small_f64(double x) {
    double t = x * x, u = 0x1.72p-1 - t, q = wn__erfinv_n_f64(u) / wn__erfinv_d_f64(u);
    wn__dd y = wn__2prod(0x1.c5bf891b4ef6bp-1, x);
    return y.hi + wn__fma_f64(x * t, q, wn__fma_f64(-0x1.618f13eb7ca89p-55, x, y.lo));
}
WN__MATH double wn__erfinv_edges(double y, double x) {
    double a = wn__abs_f64(x);
    y = wn__sel_f64(a <= 1.0, y, WN__NAN_F64);
    return wn__sign_f64(wn__sel_f64(a == 1.0, WN__INF_F64, y), x);
}
WN__MATH double wn__erfinv_f64(double x) {
    double a = wn__abs_f64(x), near = wn__erfinv_small_f64(a < 0.8 ? a : 0.8);
    wn__dd r = wn__quantile_root(((a > 0.8) & (a < 1.0)) ? 0.5 * (1.0 - a) : 0.1);
    double far = wn__quantile_far_rest(r.hi > 5.0 ? r.hi : 5.0), rest = wn__quantile_rest(r.hi < 5.0 ? r.hi : 5.0);
    far = wn__quantile(r.hi, r.lo, wn__sel_f64(r.hi > 5.0, far, rest));
    return wn__erfinv_edges(wn__sel_f64(a > 0.8, far, near), x);
}
/* f32: with w = -log(1 - x^2), x + x P(w - 2.4) in the middle (w < 6), x + x Q(sqrt(w) - 3.2) towards +-1. The
 * logarithm's argument is rounded once; P and Q change so little with w that this hardly shows. */
WN__MATH float wn__erfinv_mid_f32(float u) {
    return WN__HORNER(wn__fma_f32, u, 0x1.57e238p-31f, -0x1.3baf2ap-27f, 0x1.65faa2p-26f, 0x1.e38be0p-22f, -0x1.f1ae3ap-19f, -0x1.8b4704p-19f,
        0x1.cd898ap-13f, -0x1.5df560p-10f, -0x1.f3d4a4p-9f, 0x1.faa780p-3f, 0x1.e9baacp-2f);
}
WN__MATH float wn__erfinv_tail_f32(float u) {
    return WN__HORNER(wn__fma_f32, u, -0x1.a01e22p-15f, -0x1.cef28ap-13f, 0x1.198c26p-10f, -0x1.0b4802p-9f, 0x1.7f0a2cp-9f, -0x1.163bb4p-8f,
        0x1.84ced6p-8f, 0x1.0135ecp+0f, 0x1.04b516p+1f);
}
WN__MATH float wn__erfinv_f32(float x) {
    float a = wn__abs_f32(x), e;
#if WN__HAS_FMA
    float v = __builtin_fmaf(-a, a, 1.0f);
#else
    float v = (float)(1.0 - (double)a * (double)a);
#endif
    float f = wn__split_f32(v, &e) - 1.0f, w = -wn__fma_f32(e, WN__LN2HI_F32, f + wn__fma_f32(e, WN__LN2LO_F32, wn__log_tail_f32(f)));
    float mid = wn__erfinv_mid_f32(w - 2.40625f), tail = wn__erfinv_tail_f32(__builtin_sqrtf(w < 6.0f ? 6.0f : w) - 3.203125f);
    float g = w < 6.0f ? mid : tail;
#if WN__HAS_FMA
    float y = __builtin_fmaf(a, g, a);
#else
    float y = (float)((double)a + (double)a * (double)g);
#endif
    y = a < 1.0f ? y : WN__NAN_F32;
    y = a == 1.0f ? WN__INF_F32 : y;
    return wn__sign_f32(y, x);
}
#endif
