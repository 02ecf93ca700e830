/* erf, erfc, f32 and f64. All vectorise.
 *
 * erfc(x) = exp(-x^2) H(t) / (x + K) for x >= 0, where t = (x - K) / (x + K) maps [0, inf) to [-1, 1) and H is smooth and
 * nearly constant. The f32 forms work in double, where x^2 is exact. Near 0 erf is an odd polynomial. */
#ifndef WN_MATH_ERF_H
#define WN_MATH_ERF_H
#include "engine/math/base.h"
#include "engine/math/exp.h"

WN__MATH double wn__erfc_lite_h_f64(double t) {
    double w = t * t, a = -0x1.3c4a8a6074896p-20, b = 0x1.345ae9c75921p-15;
    a = WN__HORNER(wn__fma_f64, w, a, 0x1.8da38b62da3bep-14, -0x1.1d7ace24dd42bp-11, -0x1.3df600be24318p-10, 0x1.e995f9dfd9b4ap-4,
        0x1.2e32693c4fcbcp-1, 0x1.12f21dddaa8a1p0);
    b = WN__HORNER(wn__fma_f64, w, b, -0x1.2b6a7775339b8p-12, 0x1.8e22acfb0a5fp-9, -0x1.b78c09f5b995cp-6, -0x1.3deb1e8797015p-2,
        -0x1.c44c472264f1p-1);
    return wn__fma_f64(b, t, a);
}
WN__MATH float wn__erf_p_f32(float z) {
    return WN__HORNER(wn__fma_f32, z, -0x1.3dfde2p-11f, 0x1.482894p-8f, -0x1.b6b252p-6f, 0x1.ce1d02p-4f, -0x1.8126f4p-2f, 0x1.06eba6p-3f);
}
WN__MATH float wn__erf_q_f32(float x) {
    return WN__HORNER(wn__fma_f32, x, 0x1.2bf2d6p-12f, -0x1.21e952p-8f, 0x1.07c80ep-5f, -0x1.33a62cp-3f, -0x1.d67f8ap-1f, -0x1.a0886cp0f,
        -0x1.ef692p-13f);
}
WN__MATH double wn__erfc_h_f64(double w) {
    return WN__HORNER(wn__fma_f64, w, 0x1.0305ed807cf9bp-30, -0x1.5f66966e376abp-26, 0x1.b4a206e0339bfp-23, -0x1.47f41cd833f67p-20,
        0x1.4b79fe3dd1518p-18, -0x1.dcc890c1dcacfp-17, 0x1.fba74c8075325p-16, -0x1.a04af25644a2ep-15, 0x1.1015fe9b50447p-14, -0x1.1a4dd570bc0ccp-14,
        0x1.d1facf8afe0f7p-15, -0x1.6f0006c4dc2f3p-15, 0x1.e37a967e5518p-17, -0x1.089dc884d4994p-19, 0x1.bcb3cbceced4cp-14, 0x1.d1ad19d8b1176p-12,
        0x1.7a157ee625687p-10, 0x1.04551a758bd41p-8, 0x1.40f61bce6525fp-7, 0x1.6bc1895bcbeccp-6, 0x1.812746b3d1866p-5);
}
WN__MATH double wn__erfc_dh_f64(double w) {
    return WN__HORNER(wn__fma_f64, w, 0x1.4958e5c0d2629p-6, -0x1.9ea7f932c78dfp-10, 0x1.4583ac876190fp-5, 0x1.55af4aa1988a1p-5, 0x1.8324e7d53860ap-5);
}
WN__MATH double wn__erf_p_f64(double z) {
    double w = z * z, a = 0x1.e20c81a5c0ba7p-27, b = -0x1.d02cde248855cp-31;
    a = WN__HORNER(wn__fma_f64, w, a, 0x1.b9b5291a0aaf5p-20, 0x1.f9a303c772158p-14, 0x1.565bcd09c6a4dp-8, 0x1.ce2f21a04276p-4, 0x1.06eba8214db69p-3);
    b = WN__HORNER(wn__fma_f64, w, b, -0x1.5d727aa94c479p-23, -0x1.f4cf2b6e65ad9p-17, -0x1.c02db2ffd04dp-11, -0x1.b82ce3126f49cp-6,
        -0x1.812746b0379e2p-2);
    return wn__fma_f64(b, z, a);
}

/* erfc(a) for 0 <= a <= 11 to about 2^-33; s = a^2 (or better). */
WN__MATH double wn__erfc_lite(double a, double s) {
    double q = 1.0 / (a + 3.0), t = (a - 3.0) * q;
    return wn__exp_lite(-s) * (q * wn__erfc_lite_h_f64(t));
}
WN__MATH float wn__erfc_f32(float x) {
    double a = (double)wn__abs_f32(x);
    a = a > 11.0 ? 11.0 : a;
    double c = wn__erfc_lite(a, a * a);
    return (float)(x < 0.0f ? 2.0 - c : c);
}
/* In f32 throughout: |x| < 0.9 the polynomial, else 1 - 2^q(|x|) with q = log2(erfc), where errors of erfc count little. */
WN__MATH float wn__erf_f32(float x) {
    float a = wn__abs_f32(x), z = a * a, small = wn__fma_f32(a, wn__erf_p_f32(z), a);
    a = a > 4.0f ? 4.0f : a;
    float q = wn__erf_q_f32(a), t = q + WN__RND_F32, r = q - (t - WN__RND_F32);
    float big = 1.0f - wn__fma_f32(r, wn__exp2_q_f32(r), 1.0f) * wn__pow2_f32(t);
    return wn__sign_f32(a < 0.9f ? small : big, x);
}

/* erfc(a) for 0.5 <= a < 28 as p 2^n, *shifted = n + WN__RND, exp(-a^2) = *gauss 2^n (from 0 on). With w = 6 / (a + 3): exp(-a^2) w H(w); seen from w = 0
 * nearly all coefficients are positive, so H loses nothing to cancellation. */
WN__MATH double wn__erfc_core_f64(double a, double *gauss, double *shifted) {
    wn__dd s = wn__2prod(a, a), e = wn__exp_dd(-s.hi, -s.lo, shifted), d = wn__2sum(a, 3.0), n = {6.0, 0.0};
    double q = 1.0 / d.hi, w = 6.0 * q, wl = wn__quot_rest(n, d, w, q);
    wn__dd p = wn__fast2sum(e.hi, e.lo), g = wn__2prod(wn__erfc_h_f64(w), w), h = wn__2sum(g.hi, 0x1.812746b02bebfp-4);
    h.lo += g.lo;
    wn__dd y = wn__2prod(h.hi, w);
    double c = wn__fma_f64(wl, wn__fma_f64(w, wn__erfc_dh_f64(w), h.hi), wn__fma_f64(h.lo, w, y.lo));
    wn__dd r = wn__2prod(p.hi, y.hi);
    *gauss = p.hi;
    return r.hi + (r.lo + wn__fma_f64(p.hi, c, p.lo * y.hi));
}
/* erf(x) for |x| < 0.9 */
WN__MATH double wn__erf_small_f64(double x) { return wn__fma_f64(x, wn__erf_p_f64(x * x), x); }

WN__MATH double wn__erfc_f64(double x) {
    double a = wn__abs_f64(x), t, e, small = 1.0 - wn__erf_small_f64(x);
    a = a > 27.5 ? 27.5 : a;
    double r = wn__erfc_core_f64(a, &e, &t), c = wn__scale_f64(r, t);
    c = x < 0.0 ? 2.0 - c : c;
    return a < 0.6 ? small : c; /* for x < 0 too */
}
/* From 0.9 on erfc is below 0.21, so a few ulp of it do not show: single words serve. */
WN__MATH double wn__erf_f64(double x) {
    double a = wn__abs_f64(x), small = wn__erf_small_f64(a);
    a = a > 6.5 ? 6.5 : a;
    double s = a * a, t = wn__fma_f64(s, -WN__LOG2E_F64, WN__RND_F64), n = t - WN__RND_F64, w = 6.0 / (a + 3.0);
    double r = wn__fma_f64(-n, WN__LN2LO_F64, wn__fma_f64(-n, WN__LN2HI_F64, -s)), e = 1.0 + wn__fma_f64(r * r, wn__exp_q_f64(r), r);
    double h = wn__fma_f64(wn__erfc_h_f64(w), w, 0x1.812746b02bebfp-4) * w, big = wn__fma_f64(-e * h, wn__pow2_f64(t), 1.0);
    return wn__sign_f64(a < 0.9 ? small : big, x);
}
#endif
