/* Activation functions, f32 and f64: sigmoid, softplus, log_sigmoid, gelu and its derivative, gelu_tanh, silu, mish.
 * All vectorise.
 *
 * Every one is accurate in its negative tail too, down to subnormal results, and has its limit at -inf (-0 for the ones that
 * multiply by x; torch's formulas give NaN there). */
#ifndef WN_MATH_ACT_H
#define WN_MATH_ACT_H
#include "engine/math/base.h"
#include "engine/math/erf.h"
#include "engine/math/exp.h"
#include "engine/math/gelu_table.h"
#include "engine/math/log.h"

WN__MATH double wn__gelu_h_f64(double w) {
    return WN__HORNER(wn__fma_f64, w, 0x1.09263e5015d3ep-31, -0x1.67650d86254bap-27, 0x1.bee6e514679fcp-24, -0x1.507342032e77fp-21,
        0x1.5565addf3526dp-19, -0x1.edbee583c4391p-18, 0x1.08a4afe38a16cp-16, -0x1.b53a8860cb859p-16, 0x1.1fd8795b7d32p-15, -0x1.2d2fdb8c6873bp-15,
        0x1.f5b8ec5f686d1p-16, -0x1.8a4cec6091d25p-16, 0x1.16f3551053ee9p-17, -0x1.41241e56cfd82p-20, 0x1.c3bda58e1646p-15, 0x1.d3bc6277f669ep-13,
        0x1.7aab742cf4ad1p-11, 0x1.044cd5ad95ecdp-9, 0x1.40a0999b2a8dfp-8, 0x1.6b33353f7d258p-7, 0x1.807c8a983115ap-6);
}
WN__MATH double wn__gelu_dh_f64(double w) {
    return WN__HORNER(wn__fma_f64, w, 0x1.4b777083f6ab1p-7, -0x1.996cada5e0717p-11, 0x1.42f73a6129e58p-6, 0x1.56c613f3d16f4p-6, 0x1.822dec464434fp-6);
}
WN__MATH double wn__gelu_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.15ccf0fba34c5p-29, -0x1.60036158c5908p-25, 0x1.6577c5726e509p-21, -0x1.3ce89bedc6ba2p-17,
        0x1.e42b0b00d7ce1p-14, -0x1.37403f675dc6dp-10, 0x1.46d04297609d8p-7, -0x1.1058377e2ce65p-4, 0x1.9884533d4365p-2);
}

WN__MATH float wn__prod_rest_f32(float a, float b, float p) { /* a * b - p for p = fl(a * b), exact */
#if WN__HAS_FMA
    return __builtin_fmaf(a, b, -p);
#else
    float ah = wn__from_f32(wn__bits_f32(a) & 0xfffff000u), al = a - ah;
    float bh = wn__from_f32(wn__bits_f32(b) & 0xfffff000u), bl = b - bh;
    return (((ah * bh - p) + ah * bl) + al * bh) + al * bl;
#endif
}
/* v sigmoid(x) = (y + c) 2^k with k = 0 for x >= 0, else that of e^x, so that the result is rounded only once where it is
 * subnormal; c is below an ulp of y. e = e^-|x| = p 2^n is given: y = v / (1 + e) or v e / (1 + e), c is what the sum and the
 * product lost, over 1 + e (a linear stand-in is good enough). *shifted = k + WN__RND. */
WN__MATH wn__dd wn__sigmoid_core_f64(wn__dd p, double v, double x, double *shifted) {
    p = wn__fast2sum(p.hi, p.lo);
    double e = wn__scale_f64(p.hi, *shifted), d = 1.0 + e, dl = e - (d - 1.0);
    wn__dd w = wn__2prod(v, p.hi), s = {(x < 0.0 ? w.hi : v) / d, x < 0.0 ? wn__fma_f64(v, p.lo, w.lo) : 0.0};
    s.lo = wn__fma_f64(-s.hi, dl, s.lo) * wn__fma_f64(d, -0.5, 1.457);
    *shifted = x < 0.0 ? *shifted : WN__RND_F64;
    return s;
}
/* (1 + e^-x) 2^-64 (2^-128), -105 <= x <= 40 (-746, 40): so that 2^-64 over it is rounded once where it is subnormal. e^-x =
 * s (1 + q), s a power of two: the larger of 1 and s is added last, which leaves 2 ulp to quotients by the sum. */
WN__MATH float wn__sigmoid_divisor_f32(float x) {
    float t = wn__fma_f32(-x, (float)WN__LOG2E_F64, WN__RND_F32), n = t - WN__RND_F32;
    float r = wn__fma_f32(-n, WN__LN2LO_F32, wn__fma_f32(-n, WN__LN2HI_F32, -x));
    float q = wn__fma_f32(r * r, wn__exp_q_f32(r), r);
    uint32_t one = wn__bits_f32(0x1p-64f), s = (wn__bits_f32(t) + (127u - 64u)) << 23, less = s < one ? s : one, more = s < one ? one : s;
    return wn__from_f32(more) + wn__fma_f32(q, wn__from_f32(s), wn__from_f32(less));
}
WN__MATH double wn__sigmoid_divisor_f64(double x) {
    double t = wn__fma_f64(-x, WN__LOG2E_F64, WN__RND_F64), n = t - WN__RND_F64;
    double r = wn__fma_f64(-n, WN__LN2LO_F64, wn__fma_f64(-n, WN__LN2HI_F64, -x));
    double q = wn__fma_f64(r * r, wn__exp_q_f64(r), r), one = 0x1p-128;
    double s = wn__from_f64((wn__bits_f64(t) + (1023u - 128u)) << 52), less = s < one ? s : one, more = s < one ? one : s;
    return more + wn__fma_f64(q, s, less);
}
WN__MATH float wn__sigmoid_f32(float x) {
    float y = 0x1p-64f / wn__sigmoid_divisor_f32(wn__limit_f32(x, -105.0f, 40.0f));
    return x == x ? y : x;
}
WN__MATH double wn__sigmoid_f64(double x) {
    double y = 0x1p-128 / wn__sigmoid_divisor_f64(wn__limit_f64(x, -746.0, 40.0));
    return x == x ? y : x;
}

/* log(1 + e^x) */
WN__MATH float wn__softplus_f32(float x) {
    float l = wn__log1p_unit_f32(wn__exp_f32(-wn__abs_f32(x)));
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
    float v = wn__at_least_f32(x, -110.0f), d = wn__sigmoid_divisor_f32(wn__limit_f32(x, -110.0f, 40.0f));
    float y = v * 0x1p-64f / d, small = 0.5f * x;
    return wn__abs_f32(x) >= 0x1p-25f ? y : small; /* NaN, too */
}
WN__MATH double wn__silu_f64(double x) {
    double v = wn__at_least_f64(x, -760.0), d = wn__sigmoid_divisor_f64(wn__limit_f64(x, -760.0, 40.0));
    double y = v * 0x1p-128 / d, small = 0.5 * x;
    return wn__abs_f64(x) >= 0x1p-54 ? y : small;
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

/* gelu and its derivative in f32. With Phi the normal distribution function, phi its density and, for a = |x|,
 * R(a) = Phi(-a) / exp(-a^2 / 2) (smooth, falling from 1/2 like 1 / (sqrt(2 pi) a)):
 *   gelu(x) = x Phi(x) = max(x, 0) - a R(a) exp(-a^2 / 2)
 *   gelu'(x) = Phi(x) + x phi(x) = 1 + D(a) exp(-a^2 / 2), for x < 0 that without the 1 negated; D(a) = a / sqrt(2 pi) - R(a)
 * The fits have the form dominant term + correction, so that the rounding errors of the corrections count little where the
 * dominant term is large, that is in the tail.
 *
 * Where time goes on AVX-512: products and fma compete for one unit, additions, integers and min/max run beside it. */

/* min(a, cap) for a >= 0 by way of integers: never a comparison of floats, which takes the multiplier's place. NaN gives cap. */
WN__MATH float wn__cap_f32(float a, float cap) {
    int32_t i = (int32_t)wn__bits_f32(a), c = (int32_t)wn__bits_f32(cap);
    return wn__from_f32((uint32_t)(i < c ? i : c));
}
/* exp(-a^2 / 2) = (1 + y) 2^n but for a factor up to 1 - 3e-7 that the fits of R and D make good: it comes from 2 ln2 in 24
 * bits. y is returned; s = a * a; *shifted = n + 64 + WN__RND. */
#define WN__GELU_RND_F32 (WN__RND_F32 + 64.0f)
WN__MATH float wn__gauss_y_f32(float a, float s, float *shifted) {
    float t = wn__fma_f32(s, (float)(-0.5 * WN__LOG2E_F64), WN__GELU_RND_F32), n = t - WN__GELU_RND_F32;
#if WN__HAS_FMA
    float r = __builtin_fmaf(n, 0x1.62e43p0f, s) + __builtin_fmaf(a, a, -s);
#else
    float r = (s + n * 0x1.62e4p0f) + (wn__prod_rest_f32(a, a, s) + n * 0x1.8p-19f);
#endif
    float p = 0x1.6a6038p-16f; /* a^2 + 2 ln2 n = r, |r| <= ln2; y = exp(-r / 2) - 1 */
    p = WN__HORNER(wn__fma_f32, r, p, -0x1.123d4p-12f, 0x1.555892p-9f, -0x1.555488p-6f, 0x1.fffffcp-4f);
    *shifted = t;
    return r * wn__fma_f32(p, r, -0.5f);
}
/* Results are kept times 2^64 until the last operation, so that a subnormal one is rounded once. */
#if defined(__AVX512F__)
/* a R(a) = q + what its rounding lost, from a table that lies in eight registers (level/gelu_row.h): no division. At most 2 ulp. */
WN__MATH float wn__gelu_z_f32(float a) {
    const float(*c)[16] = wn__gelu_table, s = a * a;
    float t, y = wn__gauss_y_f32(a, s, &t);
    const unsigned i = wn__bits_f32(s + WN__GELU_FROM) >> 22 & 15;
    const float d = a - c[0][i];
    float p = c[7][i];
    WN__WRITE_OUT for (int j = 6; j > 1; j--) p = wn__fma_f32(p, d, c[j][i]);
    const float q = wn__fma_f32(p, d, c[1][i]), lost = wn__fma_f32(p, d, -(q - c[1][i]));
    return (wn__fma_f32(q, y, lost) + q) * wn__pow2_f32(t);
}
#else
/* R(a) = 1 / q, q = sqrt(2 pi) a + (2 - a N(a) / D(a)): the quotient of a (1 + y) and q in two words, of both what rounding lost. At most 2 ulp. */
WN__MATH float wn__gelu_z_f32(float a) {
    float s = a * a, d = wn__fma_f32(s, 0x1.2fedfcp-7f, wn__fma_f32(a, 0x1.698468p-4f, 0x1.8c729cp-2f));
    float n = wn__fma_f32(s, wn__fma_f32(a, 0x1.2fde94p-6f, 0x1.3a31fp-3f), wn__fma_f32(a, 0x1.19e2eep-1f, 0x1.d25bfap-1f));
    float w = n / wn__fma_f32(s, d, wn__fma_f32(a, 0x1.cf0e04p-1f, 1.0f)); /* first: what follows runs beside the division */
    float t, y = wn__gauss_y_f32(a, s, &t), b = a * wn__pow2_f32(t), p = wn__fma_f32(-a, w, 2.0f);
#if WN__HAS_FMA
    float q = __builtin_fmaf(a, 0x1.40d932p+1f, p), ql = __builtin_fmaf(a, 0x1.40d932p+1f, -q) + p;
    float v = __builtin_fmaf(b, y, b), vl = __builtin_fmaf(b, y, b - v), i = 1.0f / q, g = v * i;
    return __builtin_fmaf(__builtin_fmaf(-g, q, v) + __builtin_fmaf(-g, ql, vl), i, g);
#else
    double v = (double)b;
    return (float)((v + v * (double)y) / ((double)a * 0x1.40d932p+1 + (double)p));
#endif
}
#endif
WN__MATH float wn__gelu_f32(float x) {
    float z = wn__gelu_z_f32(wn__cap_f32(wn__abs_f32(x), 14.5f)), m = x < 0.0f ? 0.0f : x;
#if WN__HAS_FMA
    return __builtin_fmaf(z, -0x1p-64f, m); /* -0 and -inf give -0 */
#else
    return wn__sign_f32(m - z * 0x1p-64f, x);
#endif
}
/* D(a) = (a - c) (0.3989 + N(a) / Q(a)), c its zero in two words: both factors and their product in two words, so that the zero's neighbours and
 * what is left of it for x < 0 stay within 2 ulp. */
WN__MATH float wn__gelu_grad_f32(float x) {
    float b = wn__abs_f32(x), a = b > 14.75f ? 14.75f : b, t, y = wn__gauss_y_f32(a, a * a, &t), q = 0x1.b89bcep-6f, n = 0x1.0837fap-7f;
    q = WN__HORNER(wn__fma_f32, a, q, 0x1.caddfp-3f, 0x1.9a6d3ep-1f, 0x1.67d872p0f, 1.0f);
    n = WN__HORNER(wn__fma_f32, a, n, 0x1.0056cp-4f, 0x1.945a8ap-3f, 0x1.108598p-2f);
    float k = x < 0.0f ? -0x1p-64f : 0x1p-64f, scale = wn__pow2_f32(t); /* 2^(n + 64) */
#if WN__HAS_FMA
    float w = n / q, p = 0x1.98849cp-2f + w, pl = ((0x1.98849cp-2f - p) + w) * scale;
    float d = a - 0x1.80ead2p-1f, back = d - a, dl = ((a - (d - back)) + (-0x1.80ead2p-1f - back)) + 0x1.a03fd4p-27f;
    p *= scale;
    float g = d * p, gl = __builtin_fmaf(dl, p, __builtin_fmaf(d, pl, __builtin_fmaf(d, p, -g)));
    float z = g + __builtin_fmaf(g, y, __builtin_fmaf(gl, y, gl));
    return __builtin_fmaf(z, k, x < 0.0f ? 0.0f : 1.0f);
#else
    double g = ((double)a - (0x1.80ead2p-1 - 0x1.a03fd4p-27)) * ((0x1.98849cp-2 + (double)n / (double)q) * (double)scale);
    float z = (float)(g + g * (double)y);
    return x < 0.0f ? z * k : z * k + 1.0f;
#endif
}
/* f64: R for 0.7 <= a <= 39 in two words. H for a / sqrt2 is fitted for itself (halved), so the argument is not rounded;
 * a^2 / 2 is exact in two words. exp(-a^2 / 2) = *e 2^n, *shifted = n + WN__RND. */
WN__MATH wn__dd wn__gelu_r_f64(double a, wn__dd *e, double *shifted) {
    wn__dd s = wn__2prod(a, a), p = wn__exp_dd(-0.5 * s.hi, -0.5 * s.lo, shifted), d = wn__2sum(a, 4.25), n = {8.5, 0.0};
    double q = 1.0 / d.hi, w = 8.5 * q, wl = wn__quot_rest(n, d, w, q);
    wn__dd g = wn__2prod(wn__gelu_h_f64(w), w), h = wn__2sum(g.hi, 0x1.807c8a93f588dp-5);
    h.lo += g.lo;
    wn__dd y = wn__2prod(h.hi, w); /* as in erfc */
    y.lo = wn__fma_f64(wl, wn__fma_f64(w, wn__gelu_dh_f64(w), h.hi), wn__fma_f64(h.lo, w, y.lo));
    *e = wn__fast2sum(p.hi, p.lo);
    return y;
}
/* As in f32, a R(a) = v / (2 + sqrt(2 pi) v + a N(a)), v = a + a^2 V(a) = a + (-a^2 / 2) d; v, the divisor and the quotient g in two words, and
 * exp(-a^2 / 2) = (1 + r + y) 2^n. Kept times 2^512 until the last operation. */
WN__MATH double wn__gelu_f64(double x) {
    const double rnd = WN__RND_F64 + 512.0, root = 0x1.40d931ff62706p+1;
    double f = wn__abs_f64(x), a = f > 39.0 ? 39.0 : f;
    wn__dd h = wn__2prod(-0.5 * a, a);
    double t = wn__fma_f64(h.hi, WN__LOG2E_F64, rnd), e = t - rnd;
    wn__dd r = wn__2sum(wn__fma_f64(-e, WN__LN2HI_F64, h.hi), wn__fma_f64(-e, WN__LN2LO_F64, h.lo));
    double y = wn__fma_f64(r.hi * r.hi, wn__exp_q_f64(r.hi), r.lo);
    double d = -0x1.342667ba596b6p-20, n = 0x1.823572651a0d9p-20;
    d = WN__HORNER(wn__fma_f64, a, d, -0x1.20e353ba8cc61p-15, -0x1.0b705ff8572a1p-11, -0x1.3d5c59edfa483p-8, -0x1.092440afbbb1ep-5,
        -0x1.4472bf313002bp-3, -0x1.25f00aef6bbd0p-1, -0x1.85b182243f3f4p+0, -0x1.6b3c30a6daa39p+1, -0x1.b19847b996b1bp+1);
    n = WN__HORNER(wn__fma_f64, a, n, 0x1.6a1141c9f66c1p-15, 0x1.4dad28f00fe37p-11, 0x1.88186d1179d3dp-8, 0x1.41f2f3be0944fp-5, 0x1.7ea8ff33c8bbfp-3,
        0x1.4a136ec9e207dp-1, 0x1.9179c92440a7ep+0, 0x1.3d013f58d5f40p+1);
    wn__dd v = wn__2sum(a, d * h.hi), w = wn__2prod(n, a), c = wn__2prod(v.hi, root), u = wn__2sum(c.hi, w.hi), q = wn__2sum(2.0, u.hi);
    q.lo += u.lo + (wn__fma_f64(v.hi, -0x1.a6a0d6f8p-53, c.lo) + wn__fma_f64(v.lo, root, w.lo));
    double i = 1.0 / q.hi, g = v.hi * i;
    wn__dd p = wn__2prod(g, q.hi);
    double s = ((v.hi - p.hi) - p.lo) + wn__fma_f64(-g, q.lo, v.lo); /* g + i s is the quotient */
    double z = g + wn__fma_f64(g, r.hi, wn__fma_f64(g, y, i * wn__fma_f64(s, r.hi, s)));
    return wn__sign_f64(wn__fma_f64(z * wn__pow2_f64(t), -0x1p-512, x < 0.0 ? 0.0 : x), x); /* -0 and -inf give -0 (clang 14 gives -0 for 0, too, where x < 0 adds -0) */
}
/* Near 0: 1/2 + x (P(x^2) + phi(x)); towards -0.75, where the derivative is 0, the absolute error stays (2^-53). */
WN__MATH double wn__gelu_grad_f64(double x) {
    double a = wn__abs_f64(x), b = a > 39.0 ? 39.0 : a, t;
    wn__dd p, y = wn__gelu_r_f64(b, &p, &t), c = wn__2prod(b, 0x1.9884533d43651p-2);
    wn__dd d = wn__2sum(c.hi, -y.hi);
    d.lo += wn__fma_f64(b, -0x1.cbc0d30ebfd15p-56, c.lo) - y.lo;
    wn__dd r = wn__2prod(d.hi, p.hi);
    double z = r.hi + (r.lo + wn__fma_f64(d.lo, p.hi, d.hi * p.lo));
    z = wn__scale_f64(a < 0.7 ? p.hi : z, t);
    double small = wn__fma_f64(x, wn__fma_f64(z, 0x1.9884533d43651p-2, wn__gelu_p_f64(x * x)), 0.5);
    return a < 0.7 ? small : x < 0.0 ? -z : 1.0 + z;
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
