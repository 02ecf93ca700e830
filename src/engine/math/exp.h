/* exp, exp2, expm1, f32 and f64. All vectorise.
 *
 * x = n ln2 + r with |r| <= ln2 / 2, exp(x) = 2^n (1 + r + r^2 Q(r)), Q a minimax polynomial. ln2 is split so that n * hi is
 * exact. Arguments are clamped to where the result has overflowed or vanished; the comparisons are written so that NaN
 * passes through them. */
#ifndef WN_MATH_EXP_H
#define WN_MATH_EXP_H
#include "engine/math/base.h"

#define WN__LOG2E_F64 0x1.71547652b82fep+0
#define WN__LN2HI_F32 0x1.62e4p-1f /* 15 bits */
#define WN__LN2LO_F32 0x1.7f7d1cp-20f
#define WN__LN2HI_F64 0x1.62e42fefa4p-1 /* 41 bits: times |n| < 2048 exact */
#define WN__LN2LO_F64 -0x1.8432a1b0e2634p-43

WN__MATH float wn__exp_q_f32(float r) {
    return WN__HORNER(wn__fma_f32, r, 0x1.6a23e6p-10f, 0x1.123a1ep-7f, 0x1.5558f2p-5f, 0x1.555492p-3f, 0x1.fffffcp-2f);
}
/* The same for e^r - 1, whose relative error is another. */
WN__MATH float wn__expm1_q_f32(float r) {
    return WN__HORNER(wn__fma_f32, r, 0x1.9e7d64p-13f, 0x1.6d3aap-10f, 0x1.1112d4p-7f, 0x1.5554f8p-5f, 0x1.555554p-3f, 0x1p-1f);
}
WN__MATH float wn__exp2_q_f32(float r) {
    return WN__HORNER(wn__fma_f32, r, 0x1.c049b2p-17f, 0x1.444036p-13f, 0x1.5dc06ep-10f, 0x1.3b2a1cp-7f, 0x1.c6b054p-5f, 0x1.ebfbep-3f,
        0x1.62e43p-1f);
}
WN__MATH double wn__exp_q_f64(double r) {
    double w = r * r, a = 0x1.28ad9b9828b91p-22, b = 0x1.ad7f0356851afp-26;
    a = WN__HORNER(wn__fma_f64, w, a, 0x1.a01999e263a8bp-16, 0x1.6c16c18438a6p-10, 0x1.555555555083fp-5, 0x1.000000000000ap-1);
    b = WN__HORNER(wn__fma_f64, w, b, 0x1.71df25da29fd7p-19, 0x1.a01a0129fd31ep-13, 0x1.1111111127d44p-7, 0x1.55555555554f9p-3);
    return wn__fma_f64(b, r, a);
}
WN__MATH double wn__exp2_q_f64(double r) {
    double w = r * r, a = 0x1.ea14cdb2c64e5p-32, b = 0x1.c6db0ea019947p-36;
    a = WN__HORNER(wn__fma_f64, w, a, 0x1.b524d07a1ab6dp-24, 0x1.ffcbfc7af8a5bp-17, 0x1.5d87fe78a125fp-10, 0x1.c6b08d704a0d6p-5,
        0x1.62e42fefa39efp-1);
    b = WN__HORNER(wn__fma_f64, w, b, 0x1.e4cd9bda55ad2p-28, 0x1.62c0229af2752p-20, 0x1.430912f8596f5p-13, 0x1.3b2ab6fba4ea8p-7,
        0x1.ebfbdff82c58fp-3);
    return wn__fma_f64(b, r, a);
}
WN__MATH double wn__exp_lite_q_f64(double r) {
    double w = r * r, a = 0x1.a1c7c9847444bp-13, b = 0x1.a428a785824dfp-16;
    a = WN__HORNER(wn__fma_f64, w, a, 0x1.11106a4e7dae4p-7, 0x1.555555b552de4p-3, 0x1.ffffffffc4633p-1);
    b = WN__HORNER(wn__fma_f64, w, b, 0x1.6c14227f7ce6ap-10, 0x1.55555662e4503p-5, 0x1.ffffffff94aa6p-2);
    return wn__fma_f64(b, r, a);
}

/* min(max(x, lo), hi), lo < 0 < hi, NaN stays. */
WN__MATH float wn__clamp_f32(float x, float lo, float hi) {
    float y = wn__limit_f32(x, lo, hi);
    return x == x ? y : x;
}
WN__MATH double wn__clamp_f64(double x, double lo, double hi) {
    double y = wn__limit_f64(x, lo, hi);
    return x == x ? y : x;
}

WN__MATH float wn__exp_f32(float x) {
    x = wn__clamp_f32(x, -104.0f, 89.0f);
    float t = wn__fma_f32(x, (float)WN__LOG2E_F64, WN__RND_F32), n = t - WN__RND_F32;
    float r = wn__fma_f32(-n, WN__LN2LO_F32, wn__fma_f32(-n, WN__LN2HI_F32, x));
    float p = 1.0f + wn__fma_f32(r * r, wn__exp_q_f32(r), r);
    return wn__scale_f32(p, t);
}

/* The weight that attention gives a score: 2^x in f32 and e^x in f64, for x below 127, and 0 below 2^-125; off by
 * 1.3e-7 at most. The low bits of t become an exponent: one product instead of careful scaling. NaN stays NaN. */
WN__MATH float wn__weight_f32(float x) {
    float t = x + (WN__RND_F32 + 127.0f), r = x - (t - (WN__RND_F32 + 127.0f));
    float p = WN__HORNER(wn__fma_f32, r, 0x1.5bba14p-10f, 0x1.3cea88p-7f, 0x1.c6b752p-5f, 0x1.ebf9bcp-3f, 0x1.62e42ap-1f, 1.0f);
    p *= wn__from_f32(wn__bits_f32(t) << 23);
    return x < -125.0f ? 0.0f : p;
}
WN__MATH double wn__exp_f64(double x);
WN__MATH double wn__weight_f64(double x) { return wn__exp_f64(x); }

WN__MATH float wn__exp2_f32(float x) {
    x = wn__clamp_f32(x, -151.0f, 129.0f);
    float t = x + WN__RND_F32, r = x - (t - WN__RND_F32);
    return wn__scale_f32(wn__fma_f32(r, wn__exp2_q_f32(r), 1.0f), t);
}

/* ln2 of which a multiple can be taken off exactly, and the rest: 24 bits where a product is not rounded, else 15. */
#if WN__HAS_FMA
#define WN__LN2TOP_F32 0x1.62e43p-1f
#define WN__LN2REST_F32 -0x1.05c61p-29f
#else
#define WN__LN2TOP_F32 WN__LN2HI_F32
#define WN__LN2REST_F32 WN__LN2LO_F32
#endif

/* 2^n (e^r - 1) + (2^n - 1), halved until the end so that n = 128 does not overflow early. r = h + l. s h + (s - 1/2)
 * is computed first, and exactly, because around h = -ln2 / 2 with n = 1 its parts cancel. `lost` is what rounding s -
 * 1/2 loses (from 2^24 on). Terms are subtracted, not added, so that -0 gives -0. */
WN__MATH float wn__expm1_f32(float x) {
    const float shift = WN__RND_F32 + 126.0f; /* t ends in the exponent of 2^(n - 1) */
    float c = wn__clamp_f32(x, -25.0f, 89.0f), t = wn__fma_f32(c, (float)WN__LOG2E_F64, shift), n = t - shift;
    float h = wn__fma_f32(-n, WN__LN2TOP_F32, c), l = n * -WN__LN2REST_F32, r = h + l;
#if WN__HAS_FMA
    float q = wn__fma_f32(r * r, wn__expm1_q_f32(r), l);
#else
    float q = (float)((double)r * (double)r * (double)wn__expm1_q_f32(r) + (double)l);
#endif
    float s = wn__from_f32(wn__bits_f32(t) << 23), m = 0.5f - s, lost = (s + m) - 0.5f;
    float a = wn__fma_f32(s, h, -m), w = wn__fma_f32(-s, h, (a + m) - lost); /* s h - m is a - w */
    return 2.0f * (a - wn__fma_f32(-s, q, w));
}
/* For x <= 0, where nothing cancels and neither l nor `lost` counts: two thirds of the work. */
WN__MATH float wn__expm1_below_f32(float x) {
    const float shift = WN__RND_F32 + 127.0f;
    float c = x == x ? wn__at_least_f32(x, -25.0f) : x, t = wn__fma_f32(c, (float)WN__LOG2E_F64, shift), n = t - shift;
    float r = wn__fma_f32(-n, WN__LN2TOP_F32, c);
#if !WN__HAS_FMA
    r -= n * WN__LN2REST_F32;
#endif
    float s = wn__from_f32(wn__bits_f32(t) << 23), p = wn__fma_f32(r * r, wn__expm1_q_f32(r), r);
    return wn__sign_f32(wn__fma_f32(s, p, s - 1.0f), x);
}

/* exp(x + xl) = (hi + lo) 2^n, hi = fl(1 + r), lo all the rest (up to 0.07), hi + lo in [0.7, 1.42], good to about 2^-57;
 * *shifted is n + WN__RND. x must be clamped already; |xl| < 2^-40. */
WN__MATH wn__dd wn__exp_dd(double x, double xl, double *shifted) {
    double t = wn__fma_f64(x, WN__LOG2E_F64, WN__RND_F64), n = t - WN__RND_F64;
    double h = wn__fma_f64(-n, WN__LN2HI_F64, x), l = wn__fma_f64(-n, WN__LN2LO_F64, xl);
    double r = h + l, rl = (h - r) + l;
    double q = r * r * wn__exp_q_f64(r) + rl;
    wn__dd a = wn__fast2sum(1.0, r);
    *shifted = t;
    a.lo += q;
    return a;
}

WN__MATH double wn__exp_f64(double x) {
    double t;
    wn__dd p = wn__exp_dd(wn__clamp_f64(x, -746.0, 710.0), 0.0, &t);
    return wn__scale_f64(p.hi + p.lo, t);
}

WN__MATH double wn__exp2_f64(double x) {
    x = wn__clamp_f64(x, -1076.0, 1025.0);
    double t = x + WN__RND_F64, r = x - (t - WN__RND_F64);
    return wn__scale_f64(wn__fma_f64(r, wn__exp2_q_f64(r), 1.0), t);
}

WN__MATH double wn__expm1_f64(double x) {
    double c = wn__clamp_f64(x, -40.0, 710.0);
    double t = wn__fma_f64(c, WN__LOG2E_F64, WN__RND_F64), n = t - WN__RND_F64;
    double h = wn__fma_f64(-n, WN__LN2HI_F64, c), l = -n * WN__LN2LO_F64, r = h + l, rl = (h - r) + l;
    double q = wn__fma_f64(r * r, wn__exp_q_f64(r), rl), s = wn__pow2_f64(t - 1.0);
    /* s r + (s - 1/2) first, exactly: s is a power of two. */
    wn__dd a = wn__2sum(s - 0.5, s * r);
    double y = 2.0 * (a.hi + wn__fma_f64(s, q, a.lo));
    y = x > 709.9 ? WN__INF_F64 : y; /* 2sum of what overflows is NaN */
    return wn__sign_f64(y, x);
}
WN__MATH double wn__expm1_below_f64(double x) { return wn__expm1_f64(x); }

/* exp(x) to about 2^-42, |x| < 700: for f32 functions that work in double. */
WN__MATH double wn__exp_lite(double x) {
    double t = wn__fma_f64(x, WN__LOG2E_F64, WN__RND_F64), n = t - WN__RND_F64;
    double r = wn__fma_f64(-n, WN__LN2LO_F64, wn__fma_f64(-n, WN__LN2HI_F64, x));
    return wn__fma_f64(r, wn__exp_lite_q_f64(r), 1.0) * wn__pow2_f64(t);
}
#endif
