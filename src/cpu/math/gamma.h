/* lgamma and digamma. The f32 forms work in double and vectorise; the f64 forms are scalar and carry double words through
 * the recurrence and the asymptotic series.
 *
 * Below 0 both functions have a zero between any two poles. Close to such a zero (distance under 2^-9 or so) the f64
 * forms lose relative accuracy: there the error is about 2^-60 absolute. */
#ifndef WN_MATH_GAMMA_H
#define WN_MATH_GAMMA_H
#include "base.h"
#include "log.h"
#include "pow.h"
#include "round.h"
#include "trig.h"

WN__MATH double wn__lgamma_lite_k_f64(double u) {
    double p = 0x1.74ab2dfda035cp-15;
    p = wn__fma_f64(p, u, -0x1.25d209537098p-14);
    p = wn__fma_f64(p, u, -0x1.ba63edb7057ebp-16);
    p = wn__fma_f64(p, u, 0x1.b419bfd95b4c4p-16);
    p = wn__fma_f64(p, u, 0x1.4715142a7c109p-13);
    p = wn__fma_f64(p, u, -0x1.03b4183bb92eep-12);
    p = wn__fma_f64(p, u, 0x1.2f4d6c400faa7p-12);
    p = wn__fma_f64(p, u, -0x1.155b73b6bbbc9p-11);
    p = wn__fma_f64(p, u, 0x1.07e609793cd31p-10);
    p = wn__fma_f64(p, u, -0x1.db9ef8487fc7dp-10);
    p = wn__fma_f64(p, u, 0x1.b2a612f58f108p-9);
    p = wn__fma_f64(p, u, -0x1.97465e65cb9a4p-8);
    p = wn__fma_f64(p, u, 0x1.88f43e7ad866ep-7);
    p = wn__fma_f64(p, u, -0x1.8c670af611f38p-6);
    p = wn__fma_f64(p, u, 0x1.aebb0b0c9ff81p-5);
    p = wn__fma_f64(p, u, -0x1.0d79492575a22p-3);
    p = wn__fma_f64(p, u, 0x1.dcfd339ac2a57p-2);
    return p;
}
/* series: 1/12 - z/360 + z^2/1260 - ... */
WN__MATH double wn__stirling_lite_f64(double z) {
    double p = 0x1.b951e2b18ff23p-11;
    p = wn__fma_f64(p, z, -0x1.3813813813814p-11);
    p = wn__fma_f64(p, z, 0x1.a01a01a01a01ap-11);
    p = wn__fma_f64(p, z, -0x1.6c16c16c16c17p-9);
    p = wn__fma_f64(p, z, 0x1.5555555555555p-4);
    return p;
}
WN__MATH double wn__lgamma_k_f64(double u) {
    double p = -0x1.a489337b62898p-26;
    p = wn__fma_f64(p, u, 0x1.41bca5fce19ep-25);
    p = wn__fma_f64(p, u, 0x1.a7fa03dcdfe43p-24);
    p = wn__fma_f64(p, u, -0x1.334f404d4479dp-23);
    p = wn__fma_f64(p, u, -0x1.07680faa2d36bp-22);
    p = wn__fma_f64(p, u, 0x1.74946a073f7c5p-22);
    p = wn__fma_f64(p, u, 0x1.3fae5125fadccp-22);
    p = wn__fma_f64(p, u, -0x1.a01038f501e8fp-22);
    p = wn__fma_f64(p, u, -0x1.c78eaaac7f0fcp-22);
    p = wn__fma_f64(p, u, 0x1.38b29c9b13a2ep-21);
    p = wn__fma_f64(p, u, -0x1.8f0aa0aa3be37p-25);
    p = wn__fma_f64(p, u, 0x1.96a0130eaa0ep-23);
    p = wn__fma_f64(p, u, -0x1.ed6f47c4906ap-21);
    p = wn__fma_f64(p, u, 0x1.90cd329c1a0b8p-20);
    p = wn__fma_f64(p, u, -0x1.2ebee2cc74cd7p-19);
    p = wn__fma_f64(p, u, 0x1.041628ca57e59p-18);
    p = wn__fma_f64(p, u, -0x1.c3430449aec5p-18);
    p = wn__fma_f64(p, u, 0x1.824e5efeab17ap-17);
    p = wn__fma_f64(p, u, -0x1.4b8a5058ababcp-16);
    p = wn__fma_f64(p, u, 0x1.1dea158869ea5p-15);
    p = wn__fma_f64(p, u, -0x1.ef0d07fb884b3p-15);
    p = wn__fma_f64(p, u, 0x1.ae72660106708p-14);
    p = wn__fma_f64(p, u, -0x1.7835c39be6d35p-13);
    p = wn__fma_f64(p, u, 0x1.4ad1e140687eep-12);
    p = wn__fma_f64(p, u, -0x1.250cf25dcd1cep-11);
    p = wn__fma_f64(p, u, 0x1.05f40f31058fep-10);
    p = wn__fma_f64(p, u, -0x1.d9b6038e94b44p-10);
    p = wn__fma_f64(p, u, 0x1.b2cd23b53437dp-9);
    p = wn__fma_f64(p, u, -0x1.9755f4418c5bap-8);
    p = wn__fma_f64(p, u, 0x1.88f37b6d03d66p-7);
    p = wn__fma_f64(p, u, -0x1.8c66d24dc2b73p-6);
    p = wn__fma_f64(p, u, 0x1.aebb0c81e5093p-5);
    p = wn__fma_f64(p, u, -0x1.0d79494357498p-3);
    p = wn__fma_f64(p, u, 0x1.dcfd339a88006p-2);
    return p;
}
WN__MATH double wn__sinpi_tail_f64(double z) {
    double p = -0x1.761b41316381ap-75;
    p = wn__fma_f64(p, z, 0x1.71b8ef6dcf572p-66);
    p = wn__fma_f64(p, z, -0x1.2f49b46814157p-57);
    p = wn__fma_f64(p, z, 0x1.952c77030ad4ap-49);
    p = wn__fma_f64(p, z, -0x1.ae7f3e733b81fp-41);
    p = wn__fma_f64(p, z, 0x1.6124613a86d09p-33);
    p = wn__fma_f64(p, z, -0x1.ae64567f544e4p-26);
    p = wn__fma_f64(p, z, 0x1.71de3a556c734p-19);
    p = wn__fma_f64(p, z, -0x1.a01a01a01a01ap-13);
    p = wn__fma_f64(p, z, 0x1.1111111111111p-7);
    return p;
}
WN__MATH double wn__cospi_tail_f64(double z) {
    double p = 0x1.f2cf01972f578p-80;
    p = wn__fma_f64(p, z, -0x1.0ce396db7f853p-70);
    p = wn__fma_f64(p, z, 0x1.e542ba4020225p-62);
    p = wn__fma_f64(p, z, -0x1.6827863b97d97p-53);
    p = wn__fma_f64(p, z, 0x1.ae7f3e733b81fp-45);
    p = wn__fma_f64(p, z, -0x1.93974a8c07c9dp-37);
    p = wn__fma_f64(p, z, 0x1.1eed8eff8d898p-29);
    p = wn__fma_f64(p, z, -0x1.27e4fb7789f5cp-22);
    p = wn__fma_f64(p, z, 0x1.a01a01a01a01ap-16);
    p = wn__fma_f64(p, z, -0x1.6c16c16c16c17p-10);
    return p;
}
/* the series after 1/12: -1/360 + z/1260 - ... */
WN__MATH double wn__stirling_f64(double z) {
    double p = -0x1.6476701181f3ap0;
    p = wn__fma_f64(p, z, 0x1.6fe96381e068p-3);
    p = wn__fma_f64(p, z, -0x1.e4286cb0f5398p-6);
    p = wn__fma_f64(p, z, 0x1.a41a41a41a41ap-8);
    p = wn__fma_f64(p, z, -0x1.f6ab0d9993c7dp-10);
    p = wn__fma_f64(p, z, 0x1.b951e2b18ff23p-11);
    p = wn__fma_f64(p, z, -0x1.3813813813814p-11);
    p = wn__fma_f64(p, z, 0x1.a01a01a01a01ap-11);
    p = wn__fma_f64(p, z, -0x1.6c16c16c16c17p-9);
    return p;
}
/* psi(x) = log(x) - 1/2x - z (1/12 - z/120 + ...) */
WN__MATH double wn__psi_lite_f64(double z) {
    double p = -0x1.5995995995996p-6;
    p = wn__fma_f64(p, z, 0x1.f07c1f07c1f08p-8);
    p = wn__fma_f64(p, z, -0x1.1111111111111p-8);
    p = wn__fma_f64(p, z, 0x1.041041041041p-8);
    p = wn__fma_f64(p, z, -0x1.1111111111111p-7);
    p = wn__fma_f64(p, z, 0x1.5555555555555p-4);
    return p;
}
WN__MATH double wn__psi_f64(double z) {
    double p = -0x1.a74ca514ca515p4;
    p = wn__fma_f64(p, z, 0x1.86e7f9b9fe6e8p1);
    p = wn__fma_f64(p, z, -0x1.c5e5e5e5e5e5ep-2);
    p = wn__fma_f64(p, z, 0x1.5555555555555p-4);
    p = wn__fma_f64(p, z, -0x1.5995995995996p-6);
    p = wn__fma_f64(p, z, 0x1.f07c1f07c1f08p-8);
    p = wn__fma_f64(p, z, -0x1.1111111111111p-8);
    p = wn__fma_f64(p, z, 0x1.041041041041p-8);
    p = wn__fma_f64(p, z, -0x1.1111111111111p-7);
    p = wn__fma_f64(p, z, 0x1.5555555555555p-4);
    return p;
}
WN__MATH double wn__psi_root_f64(double u) {
    double p = -0x1.1549f099416ebp-11;
    p = wn__fma_f64(p, u, 0x1.9dfd5466f0455p-11);
    p = wn__fma_f64(p, u, -0x1.0ee3d01fac11cp-10);
    p = wn__fma_f64(p, u, 0x1.96a52c12c9665p-10);
    p = wn__fma_f64(p, u, -0x1.336688a4c7945p-9);
    p = wn__fma_f64(p, u, 0x1.cd3b1ddacec49p-9);
    p = wn__fma_f64(p, u, -0x1.5a078bdb4083fp-8);
    p = wn__fma_f64(p, u, 0x1.03c069bf9ccf7p-7);
    p = wn__fma_f64(p, u, -0x1.86355aec5bc8bp-7);
    p = wn__fma_f64(p, u, 0x1.25647246632fep-6);
    p = wn__fma_f64(p, u, -0x1.b9f8b14b586d4p-6);
    p = wn__fma_f64(p, u, 0x1.4de9aa160f4edp-5);
    p = wn__fma_f64(p, u, -0x1.fb442029a0588p-5);
    p = wn__fma_f64(p, u, 0x1.8512e5903a4a9p-4);
    p = wn__fma_f64(p, u, -0x1.2feeeb98a7e02p-3);
    p = wn__fma_f64(p, u, 0x1.eca189b8e6f67p-3);
    p = wn__fma_f64(p, u, -0x1.b1cb63005ee96p-2);
    return p;
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
WN__MATH float wn__lgamma_f32(float x) {
    double v = (double)x, a = wn__abs_f64(v), b = wn__sel_f64(a < 8.0, a, 1.0), X = wn__sel_f64(a < 8.0, a + 8.0, a);
    double p = b * (b + 7.0), i, near, far, y, sn;
    p *= (p + 6.0) * (p + 10.0) * (p + 12.0); /* b^2 + 7b + {0, 6, 10, 12} */
    p = wn__sel_f64(a < 8.0, p, 1.0);
    p = wn__sel_f64(p > 0x1p-200, p, 0x1p-200);
    X = wn__sel_f64(X < 0x1p200, X, 0x1p200);
    i = 1.0 / X;
    near = (a - 1.0) * (a - 2.0) * wn__lgamma_lite_k_f64(a - 1.625) + 0.0; /* no -0 */
    far = (X - 0.5) * wn__log_f64(X) - X + 0.91893853320467274 + i * wn__stirling_lite_f64(i * i) - wn__log_f64(p);
    near = wn__sel_f64(a < 2.5, near, far);
    y = wn__sel_f64(a > 0.75, near, far);
    wn__dd s, c;
    wn__sincospi(wn__sel_f64(a < 0x1p60, a, 0.0), &s, &c);
    sn = wn__abs_f64(s.hi + s.lo) * a;
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

/* sin and cos of pi x in two words, to about 2^-64: their first terms are summed in two words. */
static inline void wn__sincospi_dd(double x, wn__dd *s, wn__dd *c) {
    double u = x + x, k = wn__round_f64(u), t = k - 4.0 * wn__round_f64(0.25 * k);
    wn__dd r = {u - k, 0.0}, y = wn__angle_f64(r), z = wn__dd_mul(y, y), p, one = {1.0, 0.0}, half = {-0.5, 0.0}, a, b;
    wn__dd sixth = {-0x1.5555555555555p-3, -0x1.5555555555555p-57}, c4 = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
    wn__dd h = {z.hi * wn__sinpi_tail_f64(z.hi), 0.0};
    p = wn__dd_mul(wn__dd_add(sixth, h), z);
    a = wn__dd_add(y, wn__dd_mul(y, p));
    h.hi = z.hi * wn__cospi_tail_f64(z.hi);
    p = wn__dd_mul(wn__dd_add(c4, h), z);
    b = wn__dd_add(one, wn__dd_mul(wn__dd_add(half, p), z));
    p = wn__dd_neg(a);
    *s = t == 0.0 ? a : t == 1.0 ? b : t == -1.0 ? wn__dd_neg(b) : p; /* +-2: p */
    *c = t == 0.0 ? b : t == 1.0 ? p : t == -1.0 ? a : wn__dd_neg(b);
}

/* lgamma(a), 0 < a < 2^900, away from 1 and 2. */
static inline wn__dd wn__lgamma_dd(double a) {
    wn__dd x = {a, 0.0}, p = {1.0, 0.0}, one = {1.0, 0.0}, half = {-0.5, 0.0};
    wn__dd c = {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
    while (x.hi < 16.0) {
        p = wn__dd_mul(p, x);
        x = wn__dd_add(x, one);
    }
    double i = 1.0 / x.hi;
    wn__dd r = wn__dd_div(one, x), z = {i * wn__stirling_f64(i * i) * (i * i), 0.0};
    wn__dd t = {0x1.5555555555555p-4, 0x1.5555555555555p-58};
    z = wn__dd_add(wn__dd_mul(t, r), z);
    r = wn__dd_add(wn__dd_mul(wn__dd_add(x, half), wn__log_dd(x)), wn__dd_neg(x));
    r = wn__dd_add(wn__dd_add(r, c), z);
    return a < 16.0 ? wn__dd_add(r, wn__dd_neg(wn__log_dd(p))) : r;
}
static inline double wn__lgamma_f64(double x) {
    double a = wn__abs_f64(x);
    wn__dd y, s, c, pi = {0x1.250d048e7a1bdp0, 0x1.7abf2ad8d5088p-57};
    if (!(a < WN__INF_F64)) return x * x;
    if (a == 0.0) return WN__INF_F64;
    if (a < 0x1p-70) return -wn__log_f64(a);
    if (a > 0x1p70 && x < 0.0) return WN__INF_F64;
    if (a > 0x1p900) return a * (wn__log_f64(a) - 1.0);
    if (a > 0.75 && a < 2.5) {
        wn__dd k = {wn__lgamma_k_f64(a - 1.625), 0.0};
        y = wn__dd_mul(wn__dd_mul(wn__2sum(a, -1.0), wn__2sum(a, -2.0)), k);
    } else
        y = wn__lgamma_dd(a);
    if (x > 0.0) return y.hi + y.lo;
    if (a > 0.75 && a < 2.5) y = wn__lgamma_dd(a); /* to two words, for the difference */
    wn__sincospi_dd(a, &s, &c);
    if (s.hi == 0.0) return WN__INF_F64;
    wn__dd av = {a, 0.0}, m = wn__dd_mul(s.hi < 0.0 ? wn__dd_neg(s) : s, av);
    y = wn__dd_add(wn__dd_add(pi, wn__dd_neg(wn__log_dd(m))), wn__dd_neg(y));
    return y.hi + y.lo;
}

/* x < 0: psi(1 - x) - pi / tan(pi x). Else the asymptotic series at x + 8, less the sum of 1 / (x + i), which is p' / p for
 * the product p. */
WN__MATH float wn__digamma_f32(float x) {
    double v = (double)x, a = wn__sel_f64(v < 0.0, 1.0 - v, v), b = wn__sel_f64(a < 8.0, a, 1.0);
    double X = wn__sel_f64(a < 8.0, a + 8.0, a), p = b, d = 1.0;
    for (int i = 1; i < 8; i++) {
        double f = b + (double)i;
        d = wn__fma_f64(d, f, p);
        p *= f;
    }
    d = wn__sel_f64(a < 8.0, d / p, 0.0);
    double i = 1.0 / X, z = i * i, y = wn__log_f64(X) - 0.5 * i - z * wn__psi_lite_f64(z) - d;
    wn__dd s, c;
    wn__sincospi(wn__sel_f64(v < 0.0, v, 0.25), &s, &c);
    double cot = 3.1415926535897932 * (c.hi + c.lo) / (s.hi + s.lo);
    cot = wn__sel_f64(v == wn__round_f64(v), WN__NAN_F64, cot);
    y = wn__sel_f64(v < 0.0, y - cot, y);
    y = wn__sel_f64(v == 0.0, wn__sign_f64(WN__INF_F64, -v), y);
    y = wn__sel_f64(v == WN__INF_F64, v, y);
    return (float)y;
}
/* psi(a), a > 0, in two words. */
static inline wn__dd wn__digamma_dd(wn__dd x) {
    wn__dd one = {1.0, 0.0}, d = {0.0, 0.0}, half = {0.5, 0.0};
    while (x.hi < 16.0) {
        d = wn__dd_add(d, wn__dd_div(one, x));
        x = wn__dd_add(x, one);
    }
    double i = 1.0 / x.hi, z = i * i;
    wn__dd r = wn__dd_div(half, x), s = {z * wn__psi_f64(z), 0.0};
    r = wn__dd_add(wn__log_dd(x), wn__dd_neg(wn__dd_add(r, s)));
    return wn__dd_add(r, wn__dd_neg(d));
}
static inline double wn__digamma_f64(double x) {
    if (!(x - x == 0.0)) return x > 0.0 ? x : WN__NAN_F64;
    if (x == 0.0) return wn__sign_f64(WN__INF_F64, -x);
    wn__dd y, s, c, pi = {WN__PI_HI, WN__PI_LO};
    if (x > 0.0) {
        if (x > 1.25 && x < 1.75) {
            wn__dd g = wn__2sum(0x1.e6f0cbb873616p-1, (x - 1.5) * wn__psi_root_f64(x - 1.5));
            y = wn__dd_mul(wn__fast2sum(x - 0x1.762d86356be3fp0, -0x1.b86a722197829p-54), g);
            return y.hi + y.lo;
        }
        if (x > 0x1p60) return wn__log_f64(x);
        if (x < 0x1p-60) return -1.0 / x;
        y.hi = x, y.lo = 0.0;
        y = wn__digamma_dd(y);
        return y.hi + y.lo;
    }
    if (x == wn__round_f64(x)) return WN__NAN_F64;
    if (x > -0x1p-60) return -1.0 / x;
    y = wn__digamma_dd(wn__2sum(1.0, -x));
    wn__sincospi_dd(x, &s, &c);
    y = wn__dd_add(y, wn__dd_neg(wn__dd_mul(pi, wn__dd_div(c, s))));
    return y.hi + y.lo;
}
#endif
