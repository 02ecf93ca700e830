/* pow, f32 and f64, with the special cases of C. Both vectorise.
 *
 * |x|^y = 2^(y log2 |x|). f32 works in double. f64 needs log2 to about 2^-66: its leading terms and the product with y are
 * carried in double words. */
#ifndef WN_MATH_POW_H
#define WN_MATH_POW_H
#include "engine/math/base.h"
#include "engine/math/exp.h"
#include "engine/math/log.h"
#include "engine/math/round.h"

WN__MATH double wn__log2_lite_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.21b17bb6a8e3bp-2, 0x1.47954c97f6257p-2, 0x1.a61a2f01f531p-2, 0x1.2776c292fd2ecp-1, 0x1.ec709dc53c99bp-1,
        0x1.71547652b8251p1);
}
WN__MATH double wn__exp2_lite_f64(double r) {
    double w = r * r, a = 0x1.446ad556bba61p-13, b = 0x1.fe16b5c93073ep-17;
    a = WN__HORNER(wn__fma_f64, w, a, 0x1.3b29db604830fp-7, 0x1.ebfbe0a5c6e77p-3, 0x1.ffffffffab159p-1);
    b = WN__HORNER(wn__fma_f64, w, b, 0x1.5d8a72fd9f9eep-10, 0x1.c6b08aaafce7fp-5, 0x1.62e42ff11915ep-1);
    return wn__fma_f64(b, r, a);
}
WN__MATH double wn__pow_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.85e8cea435414p-3, 0x1.87b0ca677b2cdp-3, 0x1.c69f8bb5388eep-3, 0x1.0c9a63d7d6e23p-2, 0x1.484b142195ce1p-2,
        0x1.a61762a75988ep-2, 0x1.2776c50ef9d24p-1);
}

/* Makes x^y of r = |x|^y: sign, pow(x, 0) = pow(1, y) = 1, NaN for a finite negative base and a fraction. */
WN__MATH float wn__pow_edges_f32(float r, float x, float y) {
    float h = 0.5f * y;
    uint32_t part = wn__round_f32(y) == y ? 0u : 0xffffffffu, even = wn__round_f32(h) == h ? 0xffffffffu : 0u;
    uint32_t base = x < 0.0f ? 0xffffffffu : 0u; /* negative and finite */
    base = x == -WN__INF_F32 ? 0u : base;
    uint32_t bits = wn__bits_f32(r) ^ (~(part | even) & wn__bits_f32(x) & 0x80000000u);
    r = wn__from_f32(bits | (base & part & 0x7fc00000u)); /* all exponent bits set: NaN */
    r = y == y ? r : y;
    r = x == 1.0f ? 1.0f : r;
    return y == 0.0f ? 1.0f : r;
}
/* The same without 64-bit integer masks, which gcc cannot make on SSE2. */
WN__MATH double wn__pow_edges_f64(double r, double x, double y) {
    double h = 0.5 * y, odd = wn__flip_f64(r, x), part = x < 0.0 ? WN__NAN_F64 : r;
    part = x == -WN__INF_F64 ? r : part;
    odd = wn__round_f64(h) == h ? r : odd;
    r = wn__round_f64(y) == y ? odd : part;
    r = y == y ? r : y;
    r = x == 1.0 ? 1.0 : r;
    return y == 0.0 ? 1.0 : r;
}

/* Zero, infinite and unit |x| are put right at the end in f32: there a condition costs no widening. */
WN__MATH float wn__pow_f32(float x, float y) {
    float a = wn__abs_f32(x);
    double e, f = wn__split_f64((double)a, &e) - 1.0, s = f / (2.0 + f), z = s * s;
    double p = wn__clamp_f64((double)y * wn__fma_f64(s, wn__log2_lite_f64(z), e), -160.0, 140.0);
    double t = p + WN__RND_F64, q = p - (t - WN__RND_F64);
    float r = (float)(wn__exp2_lite_f64(q) * wn__pow2_f64(t)), up = a > 1.0f ? y : -y, edge = up > 0.0f ? WN__INF_F32 : 0.0f;
    r = a > 0.0f ? r : edge;
    r = a < WN__INF_F32 ? r : edge;
    r = a == 1.0f ? 1.0f : r;
    r = a == a ? r : a;
    return wn__pow_edges_f32(r, x, y);
}

/* log2(x) in two words, x > 0 finite, to about 2^-66 relative. */
WN__MATH wn__dd wn__log2_dd(double x) {
    double e, f = wn__split_any_f64(x, &e) - 1.0, d = 2.0 + f, dl = f - (d - 2.0), i = 1.0 / d;
    wn__dd s = {f * i, 0}, n = {f, 0}, z, c, l, w;
    {
        wn__dd p = wn__2prod(s.hi, d);
        s.lo = (((n.hi - p.hi) - p.lo) - s.hi * dl) * i;
    }
    z = wn__2prod(s.hi, s.hi);
    z.lo = wn__fma_f64(2.0 * s.hi, s.lo, z.lo);
    /* log2(m) = s (c0 + c1 z + z^2 P(z)), c0 and c1 in two words */
    c = wn__2prod(z.hi, 0x1.ec709dc3a03fdp-1);
    c.lo += wn__fma_f64(z.lo, 0x1.ec709dc3a03fdp-1, z.hi * 0x1.d27f05548af0cp-55) + z.hi * z.hi * wn__pow_p_f64(z.hi);
    w = wn__fast2sum(0x1.71547652b82fep1, c.hi);
    w.lo += c.lo + 0x1.777d0ffda0d24p-55;
    l = wn__2prod(s.hi, w.hi);
    l.lo += wn__fma_f64(s.hi, w.lo, s.lo * w.hi);
    w = wn__fast2sum(e, l.hi); /* |e| >= 1 > |l| or e = 0 */
    w.lo += l.lo;
    return wn__fast2sum(w.hi, w.lo);
}
WN__MATH double wn__pow_f64(double x, double y) {
    double a = wn__abs_f64(x);
    wn__dd l = wn__log2_dd(a), p; /* for 0, inf and NaN something finite, not used */
    /* beyond 2^64 the result has long overflowed or vanished, or is 1; this keeps the products finite */
    double b = wn__clamp_f64(y, -0x1p70, 0x1p70);
    p = wn__2prod(b, l.hi);
    p.lo = wn__fma_f64(b, l.lo, p.lo);
    double q = wn__clamp_f64(p.hi, -1080.0, 1030.0);
    double t = q + WN__RND_F64, r = (q - (t - WN__RND_F64));
    double u = p.hi == q ? p.lo : 0.0;
    wn__dd rr = wn__fast2sum(r, u);
    /* 2^r = 1 + r ln2 + ..., r ln2 in two words is not needed: |r ln2| < 0.35 */
    double g = wn__exp2_q_f64(rr.hi) * rr.hi, dg = wn__fma_f64(g, 0.6931471805599453, 0.6931471805599453);
    double v = wn__scale_f64(1.0 + wn__fma_f64(rr.lo, dg, g), t);
    /* 0 and inf: by the signs of y and of log|x| */
    double up = a > 1.0 ? y : -y, edge = up > 0.0 ? WN__INF_F64 : 0.0;
    v = a > 0.0 ? v : edge;
    v = a < WN__INF_F64 ? v : edge;
    v = a == a ? v : a;
    return wn__pow_edges_f64(v, x, y);
}
#endif
