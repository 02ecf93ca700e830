/* lgamma and digamma. The f32 forms work in double, the f64 forms carry double words through the recurrence and the asymptotic
 * series. All vectorise; positive arguments have a short way.
 *
 * Below 0 both functions have a zero between any two poles. Close to such a zero (distance under 2^-9 or so) the f64
 * forms lose relative accuracy: there the error is about 2^-60 absolute. */
#ifndef WN_MATH_GAMMA_H
#define WN_MATH_GAMMA_H
#include "engine/math/base.h"
#include "engine/math/log.h"
#include "engine/math/pow.h"
#include "engine/math/round.h"
#include "engine/math/trig.h"

WN__MATH double wn__lgamma_lite_k_f64(double u) {
    return WN__HORNER(wn__fma_f64, u, 0x1.74ab2dfda035cp-15, -0x1.25d209537098p-14, -0x1.ba63edb7057ebp-16, 0x1.b419bfd95b4c4p-16,
        0x1.4715142a7c109p-13, -0x1.03b4183bb92eep-12, 0x1.2f4d6c400faa7p-12, -0x1.155b73b6bbbc9p-11, 0x1.07e609793cd31p-10, -0x1.db9ef8487fc7dp-10,
        0x1.b2a612f58f108p-9, -0x1.97465e65cb9a4p-8, 0x1.88f43e7ad866ep-7, -0x1.8c670af611f38p-6, 0x1.aebb0b0c9ff81p-5, -0x1.0d79492575a22p-3,
        0x1.dcfd339ac2a57p-2);
}
/* series: 1/12 - z/360 + z^2/1260 - ... */
WN__MATH double wn__stirling_lite_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.b951e2b18ff23p-11, -0x1.3813813813814p-11, 0x1.a01a01a01a01ap-11, -0x1.6c16c16c16c17p-9,
        0x1.5555555555555p-4);
}
/* K(u) less its constant */
WN__MATH double wn__lgamma_k_f64(double u) {
    double p = WN__HORNER(wn__fma_f64, u, -0x1.a489337b62898p-26, 0x1.41bca5fce19ep-25, 0x1.a7fa03dcdfe43p-24, -0x1.334f404d4479dp-23,
        -0x1.07680faa2d36bp-22, 0x1.74946a073f7c5p-22, 0x1.3fae5125fadccp-22, -0x1.a01038f501e8fp-22, -0x1.c78eaaac7f0fcp-22, 0x1.38b29c9b13a2ep-21,
        -0x1.8f0aa0aa3be37p-25, 0x1.96a0130eaa0ep-23, -0x1.ed6f47c4906ap-21, 0x1.90cd329c1a0b8p-20, -0x1.2ebee2cc74cd7p-19, 0x1.041628ca57e59p-18,
        -0x1.c3430449aec5p-18, 0x1.824e5efeab17ap-17, -0x1.4b8a5058ababcp-16, 0x1.1dea158869ea5p-15, -0x1.ef0d07fb884b3p-15, 0x1.ae72660106708p-14,
        -0x1.7835c39be6d35p-13, 0x1.4ad1e140687eep-12, -0x1.250cf25dcd1cep-11, 0x1.05f40f31058fep-10, -0x1.d9b6038e94b44p-10, 0x1.b2cd23b53437dp-9,
        -0x1.9755f4418c5bap-8, 0x1.88f37b6d03d66p-7, -0x1.8c66d24dc2b73p-6, 0x1.aebb0c81e5093p-5, -0x1.0d79494357498p-3);
    return p * u;
}
WN__MATH double wn__sinpi_rest_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, -0x1.761b41316381ap-75, 0x1.71b8ef6dcf572p-66, -0x1.2f49b46814157p-57, 0x1.952c77030ad4ap-49,
        -0x1.ae7f3e733b81fp-41, 0x1.6124613a86d09p-33, -0x1.ae64567f544e4p-26, 0x1.71de3a556c734p-19, -0x1.a01a01a01a01ap-13);
}
WN__MATH double wn__sinpi_tail_f64(double z) { return wn__fma_f64(wn__sinpi_rest_f64(z), z, 0x1.1111111111111p-7); }
WN__MATH double wn__cospi_tail_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.f2cf01972f578p-80, -0x1.0ce396db7f853p-70, 0x1.e542ba4020225p-62, -0x1.6827863b97d97p-53,
        0x1.ae7f3e733b81fp-45, -0x1.93974a8c07c9dp-37, 0x1.1eed8eff8d898p-29, -0x1.27e4fb7789f5cp-22, 0x1.a01a01a01a01ap-16, -0x1.6c16c16c16c17p-10);
}
/* the series after 1/12: -1/360 + z/1260 - ..., z <= 1/64 */
WN__MATH double wn__stirling_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, -0x1.872d444076b71p-1, 0x1.4f548ff4a02efp-3, -0x1.e0529994ed369p-6, 0x1.a3f786c1cc553p-8,
        -0x1.f6aa51f7ff7c4p-10, 0x1.b951e1923ee4bp-11, -0x1.38138137a4a34p-11, 0x1.a01a01a019f11p-11, -0x1.6c16c16c16c17p-9);
}
/* psi(x) = log(x) - 1/2x - z (1/12 - z/120 + ...) */
WN__MATH double wn__psi_lite_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, -0x1.5995995995996p-6, 0x1.f07c1f07c1f08p-8, -0x1.1111111111111p-8, 0x1.041041041041p-8, -0x1.1111111111111p-7,
        0x1.5555555555555p-4);
}
/* z <= 1/64 */
WN__MATH double wn__psi_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, -0x1.991ac88127b9ap3, 0x1.56227f90f7bc3p1, -0x1.bf50e479b5526p-2, 0x1.550e0d839d145p-4, -0x1.5993b2b56e1dcp-6,
        0x1.f07c170b95ac6p-8, -0x1.1111110c379c6p-8, 0x1.041041040ec04p-8, -0x1.111111111111p-7, 0x1.5555555555555p-4);
}
WN__MATH double wn__psi_root_f64(double u) {
    return WN__HORNER(wn__fma_f64, u, -0x1.1549f099416ebp-11, 0x1.9dfd5466f0455p-11, -0x1.0ee3d01fac11cp-10, 0x1.96a52c12c9665p-10,
        -0x1.336688a4c7945p-9, 0x1.cd3b1ddacec49p-9, -0x1.5a078bdb4083fp-8, 0x1.03c069bf9ccf7p-7, -0x1.86355aec5bc8bp-7, 0x1.25647246632fep-6,
        -0x1.b9f8b14b586d4p-6, 0x1.4de9aa160f4edp-5, -0x1.fb442029a0588p-5, 0x1.8512e5903a4a9p-4, -0x1.2feeeb98a7e02p-3, 0x1.eca189b8e6f67p-3,
        -0x1.b1cb63005ee96p-2);
}

/* sin and cos of pi x, x reduced exactly; good to about 2^-57. */
WN__MATH void wn__sincospi(double x, wn__dd *s, wn__dd *c) {
    double u = x + x, k = wn__round_f64(u), t = (k - 4.0 * wn__round_f64(0.25 * k)) + WN__RND_F64;
    wn__dd r = {u - k, 0.0};
    *s = wn__sin_quarters_f64(r, t);
    *c = wn__sin_quarters_f64(r, t + 1.0);
}

/* a = |x|; x < 0: log(pi / |x sin(pi x)|) - lgamma(a). Near 1 and 2: (a - 1)(a - 2) K(a). Else Stirling at a + 8, less the
 * logarithm of a (a + 1) ... (a + 7), for a < 8. */
WN__MATH double wn__lgamma_lite(double a) {
    double b = wn__sel_f64(a < 8.0, a, 1.0), X = wn__sel_f64(a < 8.0, a + 8.0, a);
    double p = b * (b + 7.0), i, near, far;
    p *= (p + 6.0) * (p + 10.0) * (p + 12.0); /* b^2 + 7b + {0, 6, 10, 12} */
    p = wn__sel_f64(a < 8.0, p, 1.0);
    p = wn__sel_f64(p > 0x1p-200, p, 0x1p-200);
    X = wn__sel_f64(X < 0x1p200, X, 0x1p200);
    i = 1.0 / X;
    near = (a - 1.0) * (a - 2.0) * wn__lgamma_lite_k_f64(a - 1.625) + 0.0; /* no -0 */
    far = (X - 0.5) * wn__log_f64(X) - X + 0.91893853320467274 + i * wn__stirling_lite_f64(i * i) - wn__log_f64(p);
    near = wn__sel_f64(a < 2.5, near, far);
    return wn__sel_f64(a > 0.75, near, far);
}
WN__MATH int wn__lgamma_is_near_f32(float x) { return x > 0.0f; }
WN__MATH float wn__lgamma_near_f32(float x) {
    double a = (double)x, y = wn__lgamma_lite(a);
    return (float)wn__sel_f64(a < WN__INF_F64, y, a);
}
WN__MATH float wn__lgamma_f32(float x) {
    double v = (double)x, a = wn__abs_f64(v), y = wn__lgamma_lite(a), r = wn__sel_f64(a < 0x1p60, a - wn__round_f64(a), 0.0);
    double t = wn__abs_f64(r) * 3.1415926535897932, z = t * t; /* the series of the sine is good up to half a turn */
    double sn = a * wn__fma_f64(t * z, wn__fma_f64(z, wn__sinpi_tail_f64(z), -0x1.5555555555555p-3), t);
    double refl = 1.1447298858494002 - wn__log_f64(sn) - y;
    refl = wn__sel_f64(sn == 0.0, WN__INF_F64, refl);
    y = wn__sel_f64(v < 0.0, refl, y);
    y = wn__sel_f64(a == 0.0, WN__INF_F64, y);
    y = wn__sel_f64(a < WN__INF_F64, y, a);
    return (float)y;
}
/* log of a positive double word, to about 2^-64 relative (2^-65 absolute near 1). */
WN__MATH wn__dd wn__log_dd(wn__dd x) {
    wn__dd l = wn__log2_dd(x.hi), y = wn__2prod(l.hi, 0x1.62e42fefa39efp-1);
    y.lo += wn__fma_f64(l.hi, 0x1.abc9e3b39803fp-56, l.lo * 0x1.62e42fefa39efp-1) + x.lo / x.hi;
    return wn__fast2sum(y.hi, y.lo);
}
WN__MATH wn__dd wn__dd_add(wn__dd a, wn__dd b) {
    wn__dd s = wn__2sum(a.hi, b.hi);
    return wn__fast2sum(s.hi, s.lo + (a.lo + b.lo));
}
WN__MATH wn__dd wn__dd_mul(wn__dd a, wn__dd b) {
    wn__dd p = wn__2prod(a.hi, b.hi);
    return wn__fast2sum(p.hi, p.lo + wn__fma_f64(a.hi, b.lo, a.lo * b.hi));
}
WN__MATH wn__dd wn__dd_div(wn__dd a, wn__dd b) {
    double i = 1.0 / b.hi, q = a.hi * i;
    return wn__fast2sum(q, wn__quot_rest(a, b, q, i));
}
WN__MATH wn__dd wn__dd_neg(wn__dd a) {
    wn__dd r = {-a.hi, -a.lo};
    return r;
}

WN__MATH wn__dd wn__dd_plus(wn__dd a, double c) {
    wn__dd s = wn__2sum(a.hi, c);
    return wn__fast2sum(s.hi, s.lo + a.lo);
}
WN__MATH wn__dd wn__dd_recip(wn__dd a) {
    double i = 1.0 / a.hi;
    wn__dd one = {1.0, 0.0};
    return wn__fast2sum(i, wn__quot_rest(one, a, i, i));
}
WN__MATH wn__dd wn__dd_sel(int c, wn__dd a, wn__dd b) {
    wn__dd r = {wn__sel_f64(c, a.hi, b.hi), wn__sel_f64(c, a.lo, b.lo)};
    return r;
}

/* sin and cos of pi r in two words, |r| <= 1/4, to about 2^-64: their first terms are summed in two words. */
WN__MATH void wn__sincospi_dd(double r, wn__dd *s, wn__dd *c) {
    wn__dd x = {r + r, 0.0}, y = wn__angle_f64(x), z = wn__dd_mul(y, y), one = {1.0, 0.0}, half = {-0.5, 0.0};
    wn__dd sixth = {-0x1.5555555555555p-3, -0x1.5555555555555p-57}, c4 = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
    *s = wn__dd_mul(wn__dd_plus(sixth, z.hi * wn__sinpi_tail_f64(z.hi)), z);
    *s = wn__dd_add(y, wn__dd_mul(y, *s));
    *c = wn__dd_mul(wn__dd_plus(c4, z.hi * wn__cospi_tail_f64(z.hi)), z);
    *c = wn__dd_add(one, wn__dd_mul(wn__dd_add(half, *c), z));
}
/* |sin(pi x)| and |cos(pi x)|; x reduced exactly. */
WN__MATH void wn__abs_sincospi_dd(double x, wn__dd *s, wn__dd *c) {
    double r = wn__abs_f64(x - wn__round_f64(x)), q = r > 0.25 ? 0.5 - r : r;
    wn__dd a, b;
    wn__sincospi_dd(q, &a, &b);
    *s = wn__dd_sel(r > 0.25, b, a);
    *c = wn__dd_sel(r > 0.25, a, b);
}

/* |sin(pi x)| alone, the same way: its series is good up to half a turn. */
WN__MATH wn__dd wn__abs_sinpi_dd(double x) {
    double r = wn__abs_f64(x - wn__round_f64(x));
    wn__dd q = {r + r, 0.0}, y = wn__angle_f64(q), z = wn__dd_mul(y, y);
    wn__dd c3 = {-0x1.5555555555555p-3, -0x1.5555555555555p-57}, c5 = {0x1.1111111111111p-7, 0x1.1111111111111p-63};
    q = wn__dd_mul(wn__dd_plus(c5, z.hi * wn__sinpi_rest_f64(z.hi)), z);
    q = wn__dd_mul(wn__dd_mul(wn__dd_add(c3, q), z), y);
    return wn__dd_add(y, q);
}

/* a > 0. Up to 8.5 b + 1 = a - k in [0.75, 2.5] (a + 1 below 0.75), lgamma(b + 1) = b (b - 1) K(b), and the logarithm of
 * (a - 1) ... (a - k) more (of a less). Above Stirling, the logarithm in two words. */
WN__MATH int wn__lgamma_is_near_f64(double x) { return x > 0.0; }
WN__MATH double wn__lgamma_near_f64(double a) {
    double b = a, p = 1.0, e, h;
    WN__WRITE_OUT for (int k = 0; k < 6; k++) {
        double f = b - 1.0, q = p * f;
        p = wn__sel_f64(b > 2.5, q, p);
        b = wn__sel_f64(b > 2.5, f, b);
    }
    b = wn__sel_f64(a < 0.75, a, b - 1.0);
    wn__dd u = wn__2sum(b, -1.0), v = wn__2prod(b, u.hi), k = wn__fast2sum(0x1.dcfd339a88006p-2, wn__lgamma_k_f64(b - 0.625));
    v.lo = wn__fma_f64(b, u.lo, v.lo);
    double kv = wn__fma_f64(v.hi, k.hi, wn__fma_f64(v.hi, k.lo, v.lo * k.hi));
    p = wn__sel_f64(a < 0.75, a, p);
    p = wn__sel_f64(a < 8.5, p, a);
    /* log(p) = g + gl, as in xlogy */
    double f = wn__split_any_f64(p, &e) - 1.0, t = wn__log_tail_f64(f, &h);
    wn__dd c = wn__2sum(e * WN__LN2HI_F64, f), d = wn__2sum(c.hi, -h);
    double l = wn__fma_f64(e, WN__LN2LO_F64, t) + c.lo + d.lo, g = d.hi + l, gl = l - (g - d.hi);
    wn__dd s = wn__2sum(kv, wn__sel_f64(a < 0.75, -g, g));
    double near = s.hi + (s.lo + wn__sel_f64(a < 0.75, -gl, gl));
    double i = 1.0 / a, z = i * i, m = a - 0.5;
    wn__dd y = wn__2prod(m, g), w = wn__2sum(y.hi, -a);
    double far = w.hi + (w.lo + (wn__fma_f64(m, gl, y.lo) + wn__fma_f64(i, wn__fma_f64(z, wn__stirling_f64(z), 0x1.5555555555555p-4), 0.91893853320467274)));
    far = wn__sel_f64(a < 0x1p900, far, a * (g - 1.0));
    near = wn__sel_f64(a < 8.5, near, far);
    return wn__sel_f64(a < WN__INF_F64, near, a);
}
/* lgamma(-a), a > 2^-70: log(pi / (a |sin(pi a)|)) - lgamma(a), the latter by Stirling at X = a + 8 less the logarithm of
 * a (a + 1) ... (a + 7) for a < 8; all in two words, as the difference passes through 0. */
WN__MATH double wn__lgamma_below_f64(double a) {
    wn__dd s = wn__abs_sinpi_dd(a), one = {1.0, 0.0}, half = {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55}, w = {0x1.5555555555555p-4, 0x1.5555555555555p-58};
    wn__dd n = {WN__PI_HI, WN__PI_LO}, m = {wn__sel_f64(a < 8.0, 1.0, a), 0.0};
    double b = wn__sel_f64(a < 8.0, a, 1.0);
    wn__dd x = wn__2sum(a, wn__sel_f64(a < 8.0, 8.0, 0.0)), t = wn__2sum(b, 8.0), p = wn__2prod(b, t.hi);
    p = wn__fast2sum(p.hi, wn__fma_f64(b, t.lo, p.lo)); /* b^2 + 8b, so that + 7, 12, 15: (b + 1)(b + 7) and so on */
    p = wn__dd_mul(wn__dd_mul(wn__2sum(b, 4.0), wn__dd_plus(p, 7.0)), wn__dd_mul(wn__dd_plus(p, 12.0), wn__dd_plus(p, 15.0)));
    double pole = s.hi;
    s = wn__dd_sel(pole > 0.0, wn__dd_mul(s, m), one);
    n = wn__dd_mul(n, wn__dd_sel(a < 8.0, p, one));
    wn__dd i = wn__dd_recip(x), r = wn__dd_mul(wn__dd_plus(x, -0.5), wn__log_dd(x));
    double z = i.hi * i.hi;
    w = wn__dd_plus(wn__dd_mul(w, i), i.hi * z * wn__stirling_f64(z));
    r = wn__dd_add(wn__dd_add(wn__dd_add(r, wn__dd_neg(x)), half), w);
    r = wn__dd_add(wn__log_dd(wn__dd_div(n, s)), wn__dd_neg(r));
    return wn__sel_f64(pole > 0.0, r.hi + r.lo, WN__INF_F64);
}
WN__MATH double wn__lgamma_f64(double x) {
    double a = wn__abs_f64(x), y = wn__lgamma_near_f64(a), below = wn__sel_f64(a > 0x1p-70, a, 0.5);
    below = wn__lgamma_below_f64(wn__sel_f64(below < 0x1p60, below, 0x1p60)); /* an integer from 2^52 on */
    below = wn__sel_f64(a > 0x1p-70, below, y);
    y = wn__sel_f64(x < 0.0, below, y);
    y = wn__sel_f64(a > 0.0, y, WN__INF_F64);
    return wn__sel_f64(a < WN__INF_F64, y, a);
}

/* x < 0: psi(1 - x) - pi / tan(pi x). Else the asymptotic series at x + 8, less the sum of 1 / (x + i), which is p' / p for
 * the product p. */
WN__MATH double wn__digamma_lite(double a) { /* a > 0 */
    double b = wn__sel_f64(a < 8.0, a, 1.0), X = wn__sel_f64(a < 8.0, a + 8.0, a), p = b, d = 1.0;
    WN__WRITE_OUT for (int i = 1; i < 8; i++) {
        double f = b + (double)i;
        d = wn__fma_f64(d, f, p);
        p *= f;
    }
    d = wn__sel_f64(a < 8.0, d / p, 0.0);
    double i = 1.0 / X, z = i * i;
    return wn__log_f64(X) - 0.5 * i - z * wn__psi_lite_f64(z) - d;
}
WN__MATH int wn__digamma_is_near_f32(float x) { return x > 0.0f; }
WN__MATH float wn__digamma_near_f32(float x) {
    double v = (double)x, y = wn__digamma_lite(v);
    return (float)wn__sel_f64(v < WN__INF_F64, y, v);
}
WN__MATH float wn__digamma_f32(float x) {
    double v = (double)x, y = wn__digamma_lite(wn__sel_f64(v < 0.0, 1.0 - v, v));
    wn__dd s, c;
    wn__sincospi(wn__sel_f64(v < 0.0, v, 0.25), &s, &c);
    double cot = 3.1415926535897932 * (c.hi + c.lo) / (s.hi + s.lo);
    cot = wn__sel_f64(v == wn__round_f64(v), WN__NAN_F64, cot);
    y = wn__sel_f64(v < 0.0, y - cot, y);
    y = wn__sel_f64(v == 0.0, wn__sign_f64(WN__INF_F64, -v), y);
    y = wn__sel_f64(v == WN__INF_F64, v, y);
    return (float)y;
}
/* psi(x), x > 0, in two words: the asymptotic series at X = x + 8, less the sum of 1 / (x + i), for x < 8. Two of its terms at a
 * time are (2x + 7) / (x^2 + 7x + {0, 6, 10, 12}). */
WN__MATH wn__dd wn__digamma_dd(wn__dd x) {
    wn__dd one = {1.0, 0.0}, none = {0.0, 0.0};
    int small = x.hi < 8.0;
    wn__dd b = wn__dd_sel(small, x, one), t = wn__dd_plus(b, 7.0), q = wn__dd_mul(b, t);
    wn__dd d = wn__dd_add(wn__dd_recip(q), wn__dd_recip(wn__dd_plus(q, 12.0)));
    d = wn__dd_add(d, wn__dd_add(wn__dd_recip(wn__dd_plus(q, 6.0)), wn__dd_recip(wn__dd_plus(q, 10.0))));
    d = wn__dd_sel(small, wn__dd_mul(d, wn__dd_add(b, t)), none);
    x = wn__dd_plus(x, wn__sel_f64(small, 8.0, 0.0));
    wn__dd r = x;
    r.hi = wn__sel_f64(x.hi < 0x1p900, x.hi, 0x1p900);
    r = wn__dd_recip(r);
    double z = r.hi * r.hi;
    r.hi *= 0.5;
    r.lo = wn__fma_f64(z, wn__psi_f64(z), 0.5 * r.lo);
    r = wn__dd_add(wn__log_dd(x), wn__dd_neg(r));
    return wn__dd_add(r, wn__dd_neg(d));
}
/* x > 0; y: psi(x). Near its zero (x - zero) P(x), near 0 -1 / x. */
WN__MATH double wn__digamma_of_f64(double x, wn__dd y) {
    double b = wn__sel_f64(x < 2.0, x, 2.0), far = y.hi + y.lo;
    wn__dd g = wn__2sum(0x1.e6f0cbb873616p-1, (b - 1.5) * wn__psi_root_f64(b - 1.5)), f = wn__fast2sum(b - 0x1.762d86356be3fp0, -0x1.b86a722197829p-54);
    g = wn__dd_mul(f, g);
    double near = g.hi + g.lo;
    near = wn__sel_f64(x < 1.75, near, far);
    near = wn__sel_f64(x > 1.25, near, far);
    near = wn__sel_f64(x > 0x1p-60, near, -1.0 / x);
    return wn__sel_f64(x < WN__INF_F64, near, x);
}
WN__MATH int wn__digamma_is_near_f64(double x) { return x > 0.0; }
WN__MATH double wn__digamma_near_f64(double x) {
    wn__dd v = {x, 0.0};
    return wn__digamma_of_f64(x, wn__digamma_dd(v));
}
/* x < 0: psi(1 - x) - pi / tan(pi x) */
WN__MATH double wn__digamma_f64(double x) {
    wn__dd v = {x, 0.0}, s, c, pi = {WN__PI_HI, WN__PI_LO};
    double a = wn__sel_f64(wn__abs_f64(x) < WN__INF_F64, x, 0.5), m = wn__sel_f64(a < 0.0, a, 0.25);
    v = wn__dd_sel(x < 0.0, wn__2sum(1.0, -m), v);
    wn__dd y = wn__digamma_dd(v);
    double n = wn__round_f64(m), r = wn__sel_f64(m == n, 0.25, m - n), above = wn__digamma_of_f64(x, y);
    wn__abs_sincospi_dd(r, &s, &c);
    s.hi = wn__flip_f64(s.hi, r);
    s.lo = wn__flip_f64(s.lo, r);
    y = wn__dd_add(y, wn__dd_neg(wn__dd_mul(pi, wn__dd_div(c, s))));
    double below = y.hi + y.lo;
    below = wn__sel_f64(m == n, WN__NAN_F64, below);
    below = wn__sel_f64(x > -0x1p-60, -1.0 / x, below);
    below = wn__sel_f64(x > -WN__INF_F64, below, WN__NAN_F64);
    above = wn__sel_f64(x < 0.0, below, above);
    above = wn__sel_f64(x == 0.0, wn__sign_f64(WN__INF_F64, -x), above);
    return wn__sel_f64(x == x, above, x);
}
#endif
