/* sin, cos, tan, sinc, f32 and f64, right for all arguments. All vectorise; f64 by gathering 4 numbers of a 1 KB table.
 *
 * Everything is reduced to quarter turns: x 2/pi = k + r, |r| <= 1/2, and only k mod 4 matters. Terms that are whole
 * multiples of four quarters drop out by themselves, so this is right for large arguments too. sin, cos and tan have a shorter
 * way (near): x - k pi/2 with pi/2 in pieces. Which way an argument goes depends on it alone: kernels that find only near
 * ones in a run leave the long way out (WN_NEAR in level/pointwise.c). */
#ifndef WN_MATH_TRIG_H
#define WN_MATH_TRIG_H
#include "engine/math/base.h"
#include "engine/math/round.h"
#include "engine/math/trig_table.h"

#define WN__PI_HI 0x1.921fb54442d18p1
#define WN__PI_LO 0x1.1a62633145c07p-53

WN__MATH float wn__sin_p_f32(float z) {
    return WN__HORNER(wn__fma_f32, z, 0x1.6cd0a8p-19f, -0x1.a00f7ap-13f, 0x1.111108p-7f, -0x1.555556p-3f);
}
WN__MATH float wn__cos_p_f32(float z) {
    float p = 0x1.99ea04p-16f;
    p = wn__fma_f32(p, z, -0x1.6c0c2ep-10f);
    p = wn__fma_f32(p, z, 0x1.55554ap-5f);
    return p;
}
WN__MATH double wn__sin_lite_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.6cd0a838fc2b2p-19, -0x1.a00f79c3f0931p-13, 0x1.11110863b3c2fp-7, -0x1.5555554c68a4dp-3);
}
WN__MATH double wn__cos_lite_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, -0x1.23c86dc39bae5p-22, 0x1.a00eb3cf67fb8p-16, -0x1.6c16b33da78fbp-10, 0x1.55555545b4c45p-5,
        -0x1.ffffffffe96d7p-2);
}
WN__MATH double wn__sinpi_lite_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, -0x1.cc3208db92b1ap-8, 0x1.500fe2995b323p-4, -0x1.32d11179226fp-1, 0x1.466bbfbf8cd51p1, -0x1.4abbce4f104ap2,
        0x1.921fb5441e335p1);
}
WN__MATH double wn__sin_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.5d8ee748d2b68p-33, -0x1.ae5e5780525bbp-26, 0x1.71de356408206p-19, -0x1.a01a019bf9b67p-13,
        0x1.111111110f7bp-7, -0x1.5555555555548p-3);
}
WN__MATH double wn__cos_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, -0x1.8fa3951251bb4p-37, 0x1.1ee9d5c84869ep-29, -0x1.27e4f7e8016bap-22, 0x1.a01a019c80955p-16,
        -0x1.6c16c16c14f6cp-10, 0x1.555555555554bp-5);
}
WN__MATH double wn__sinpi_p_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, -0x1.7ec5b91e86146p-26, 0x1.aabb659ab6b71p-21, -0x1.6fad46ded2f22p-16, 0x1.e8f4338841c51p-12,
        -0x1.e3074fdc47985p-8, 0x1.50783487ec116p-4, -0x1.32d2cce62bd57p-1, 0x1.466bc6775aae2p1, -0x1.4abbce625be53p2);
}

WN__MATH double wn__rest_f64(double t) { return t - wn__round_f64(t); }
/* f32: 1 / (2 pi) is cut into pieces of 29 bits, so that a float times a piece is exact in double, and so is what remains of
 * it modulo whole turns (the last product is small: it needs neither). The pieces are added twice: first to find k; then, k
 * taken off, from the largest down, where every cancellation is exact. Returns r in turns, |r| <= 1/8; *shifted = k +
 * WN__RND. */
WN__MATH double wn__turns_f32(double x, double *shifted) {
    double a = wn__rest_f64(x * 0x1.45f306ep-3), b = wn__rest_f64(x * -0x1.b1bbeadp-34);
    double c = wn__rest_f64(x * -0x1.80f62a1p-64), d = wn__rest_f64(x * 0x1.1f534dep-94);
    double e = wn__rest_f64(x * -0x1.f924eb5p-125), f = x * -0x1.9b0ef1bef806cp-156;
    double t = wn__fma_f64((((a + b) + (c + d)) + (e + f)), 4.0, WN__RND_F64), k = t - WN__RND_F64;
    *shifted = t;
    return ((((wn__fma_f64(k, -0.25, a) + b) + c) + d) + e) + f;
}
/* sin of k quarter turns plus y + l; k: low bits of quarters; l: below an ulp of y (y alone would cost 1.5 ulp). */
WN__MATH float wn__sin_quarters_f32(float y, float l, uint32_t k) {
#if WN__HAS_FMA
    float z = wn__fma_f32(y, y, y * (l + l));
    float c = wn__fma_f32(z, wn__fma_f32(z, wn__cos_p_f32(z), -0.5f), 1.0f);
#else
    float z = y * y, h = 0.5f * z, w = 1.0f - h;
    float c = w + (((1.0f - w) - h) + (z * z * wn__cos_p_f32(z) - y * l));
#endif
    float s = y + wn__fma_f32(y * z, wn__sin_p_f32(z), l);
    return wn__from_f32(wn__bits_f32(k & 1u ? c : s) ^ (k << 30 & 0x80000000u));
}
/* The same of r turns, k = shifted - WN__RND. */
WN__MATH float wn__sin_turned_f32(double r, double shifted) {
    double d = r * 6.283185307179586;
    float y = (float)d;
    /* k is small, and 0 for NaN; through float it gets where the lanes are 32 bits wide */
    const float turns = (float)(shifted - WN__RND_F64);
    return wn__sin_quarters_f32(y, (float)(d - (double)y), (uint32_t)(int32_t)(turns == turns ? turns : 0));
}
/* Near: x minus k times the first piece of pi/2 is exact. So is that minus a multiple of 2^-24 near k times the second;
 * *low is the rest. */
WN__MATH int wn__sin_is_near_f32(float x) { return wn__abs_f32(x) < 0x1p17f; }
WN__MATH int wn__cos_is_near_f32(float x) { return wn__sin_is_near_f32(x); }
WN__MATH float wn__angle_near_f32(float x, float *low, float *shifted) {
#if WN__HAS_FMA
    float t = wn__fma_f32(x, 0x1.45f306p-1f, WN__RND_F32), k = t - WN__RND_F32;
    float b = wn__fma_f32(k, -0x1.777a5cp-25f, 0.75f) - 0.75f, y = wn__fma_f32(-k, 0x1.921fb6p+0f, x) - b;
    *low = wn__fma_f32(-k, -0x1.ee59dap-50f, wn__fma_f32(-k, -0x1.777a5cp-25f, b));
#else
    float t = x * 0x1.45f306p-1f + WN__RND_F32, k = t - WN__RND_F32;
    double d = (double)x - (double)k * 0x1.921fb544p+0; /* 31 bits and 18: exact */
    d -= (double)k * 0x1.0b4611a626331p-34;
    float y = (float)d;
    *low = (float)(d - (double)y);
#endif
    *shifted = t;
    return y;
}
WN__MATH float wn__sin_near_f32(float x) {
    float t, l, r = wn__angle_near_f32(x, &l, &t), y = wn__sin_quarters_f32(r, l, wn__bits_f32(t));
    return x == 0.0f ? x : y; /* -0 */
}
WN__MATH float wn__cos_near_f32(float x) {
    float t, l, r = wn__angle_near_f32(x, &l, &t);
    return wn__sin_quarters_f32(r, l, wn__bits_f32(t) + 1u);
}
WN__MATH float wn__sin_f32(float x) {
    double t, r = wn__turns_f32((double)x, &t);
    float y = wn__sin_turned_f32(r, t), near = wn__sin_near_f32(x);
    return wn__sin_is_near_f32(x) ? near : y;
}
WN__MATH float wn__cos_f32(float x) {
    double t, r = wn__turns_f32((double)x, &t);
    float y = wn__sin_turned_f32(r, t + 1.0), near = wn__cos_near_f32(x);
    return wn__cos_is_near_f32(x) ? near : y;
}
/* Near (with fma): the angle in two words, tan y or -1 / tan y in two. */
WN__MATH float wn__tan_p_f32(float z) {
    return WN__HORNER(wn__fma_f32, z, 0x1.33e212p-7f, 0x1.96a89ap-9f, 0x1.90700ap-6f, 0x1.b58570p-5f, 0x1.112de8p-3f, 0x1.5554dep-2f);
}
WN__MATH int wn__tan_is_near_f32(float x) { return WN__HAS_FMA ? wn__sin_is_near_f32(x) : 0; }
WN__MATH float wn__tan_near_f32(float x) {
    float t = wn__fma_f32(x, 0x1.45f306p-1f, WN__RND_F32), k = t - WN__RND_F32, a = wn__fma_f32(-k, 0x1.921fb6p+0f, x);
    float y = wn__fma_f32(-k, -0x1.777a5cp-25f, a), d = a - y, l = wn__fma_f32(-k, -0x1.777a5cp-25f, d) + ((a - d) - y);
    l = wn__fma_f32(-k, -0x1.ee59dap-50f, l);
    float z = y * y, w = wn__fma_f32(y * z, wn__tan_p_f32(z), wn__fma_f32(l, z, l)), v = y + w, vl = (y - v) + w;
    float q = -1.0f / v, r = wn__fma_f32(q, wn__fma_f32(q, vl, wn__fma_f32(q, v, 1.0f)), q);
    v = wn__bits_f32(t) & 1u ? r : v;
    return wn__abs_f32(x) < 0x1p-12f ? x : v; /* also keeps -0 */
}
WN__MATH float wn__tan_f32(float x) {
    double t, r = wn__turns_f32((double)x, &t), y = r * 6.283185307179586, z = y * y;
    double s = wn__fma_f64(y * z, wn__sin_lite_p_f64(z), y), c = wn__fma_f64(z, wn__cos_lite_p_f64(z), 1.0);
    uint64_t odd = 0u - (wn__bits_f64(t) & 1u), d = (wn__bits_f64(s) ^ wn__bits_f64(c)) & odd;
    double n = wn__from_f64(wn__bits_f64(s) ^ d), q = wn__from_f64((wn__bits_f64(c) ^ d) ^ (odd & 0x8000000000000000u));
    float v = (float)(n / q), near = wn__tan_near_f32(x);
    v = wn__abs_f32(x) < 0x1p-12f ? x : v;
    return wn__tan_is_near_f32(x) ? near : v;
}
/* sin(pi x) / (pi x); x is reduced modulo 1 exactly. */
WN__MATH float wn__sinc_f32(float x) {
    float n = wn__round_f32(x), r = x - n, h = 0.5f * n;
    double v = (double)r, s = v * wn__sinpi_lite_p_f64(v * v), y = s / (3.141592653589793 * (double)x);
    y = wn__round_f32(h) != h ? -y : y;
    y = wn__abs_f32(x) < WN__INF_F32 ? y : x == x ? 0.0 : y;
    return x == 0.0f ? 1.0f : (float)(y + 0.0); /* no -0 */
}

/* f64: row i of the table holds 2/pi 2^(32 i) modulo 2^55 in four words, i = exponent / 32; what the modulus drops are
 * multiples of four quarters. r = hi + lo, good to a relative 2^-64 or so for every double. */
WN__MATH wn__dd wn__quarters_f64(double x, double *shifted) {
    double a = wn__abs_f64(x), b = a + 1.0; /* its exponent is that of a, or 0, or one more */
    uint64_t i = (wn__bits_f64(b) - 0x3ff0000000000000u) >> 57;
    double m = wn__from_f64(wn__bits_f64(a) - (i << 57));
    /* indexed just so: through a pointer, or with a choice of i, gcc 12 does not gather */
    wn__dd p0 = wn__2prod(m, wn__two_over_pi[4 * i]), p1 = wn__2prod(m, wn__two_over_pi[4 * i + 1]);
    wn__dd p2 = wn__2prod(m, wn__two_over_pi[4 * i + 2]);
    double p3 = m * wn__two_over_pi[4 * i + 3];
    /* the three that can have whole parts, modulo 4 */
    double g0 = p0.hi - 4.0 * wn__round_f64(0.25 * p0.hi), g1 = p0.lo - 4.0 * wn__round_f64(0.25 * p0.lo);
    double g2 = p1.hi - 4.0 * wn__round_f64(0.25 * p1.hi);
    wn__dd s1 = wn__2sum(g0, g1), s2 = wn__2sum(s1.hi, g2);
    double t = s2.hi + WN__RND_F64, h = s2.hi - (t - WN__RND_F64);
    wn__dd t1 = wn__2sum(p1.lo, p2.hi), t2 = wn__2sum(s1.lo, s2.lo);
    wn__dd r = wn__2sum(h, t1.hi), q = wn__2sum(t2.hi, t1.lo), v = wn__2sum(r.lo, q.hi), w = wn__2sum(r.hi, v.hi);
    r = wn__fast2sum(w.hi, w.lo + (v.lo + q.lo + t2.lo + (p2.lo + p3)));
    *shifted = t;
    r.hi = wn__flip_f64(r.hi, x);
    r.lo = wn__flip_f64(r.lo, x);
    return r;
}
/* r quarters as an angle */
WN__MATH wn__dd wn__angle_f64(wn__dd r) {
    wn__dd y = wn__2prod(r.hi, 0.5 * WN__PI_HI);
    y.lo += wn__fma_f64(r.hi, 0.5 * WN__PI_LO, r.lo * (0.5 * WN__PI_HI));
    return wn__fast2sum(y.hi, y.lo);
}
/* sin and cos of y in two words (lo may be more than an ulp of hi). */
WN__MATH wn__dd wn__sin_dd(wn__dd y) {
    double z = y.hi * y.hi;
    wn__dd s = {y.hi, wn__fma_f64(y.hi * z, wn__sin_p_f64(z), y.lo * wn__fma_f64(z, -0.5, 1.0))};
    return s;
}
WN__MATH wn__dd wn__cos_dd(wn__dd y) {
    double z = y.hi * y.hi, h = 0.5 * z, w = 1.0 - h;
    wn__dd zz = wn__2prod(y.hi, y.hi), c = {w, 0};
    c.lo = ((1.0 - w) - h) + wn__fma_f64(z * z, wn__cos_p_f64(z), -wn__fma_f64(y.hi, y.lo, 0.5 * zz.lo));
    return c;
}
/* sin(k quarters + r) for k = shifted - WN__RND. */
WN__MATH wn__dd wn__sin_quarters_f64(wn__dd r, double shifted) {
    wn__dd y = wn__angle_f64(r), s = wn__sin_dd(y), c = wn__cos_dd(y);
    uint64_t k = wn__bits_f64(shifted), odd = 0u - (k & 1u), sign = (k & 2u) << 62;
    s.hi = wn__from_f64(((wn__bits_f64(s.hi) & ~odd) | (wn__bits_f64(c.hi) & odd)) ^ sign);
    s.lo = wn__from_f64(((wn__bits_f64(s.lo) & ~odd) | (wn__bits_f64(c.lo) & odd)) ^ sign);
    return s;
}
/* Near: as for f32. */
WN__MATH int wn__sin_is_near_f64(double x) { return WN__HAS_FMA ? wn__abs_f64(x) < 0x1p20 : 0; }
WN__MATH int wn__cos_is_near_f64(double x) { return wn__sin_is_near_f64(x); }
WN__MATH double wn__angle_near_f64(double x, double *shifted) {
    double t = wn__fma_f64(x, 0x1.45f306dc9c883p-1, WN__RND_F64), k = t - WN__RND_F64;
    double r = wn__fma_f64(-k, 0x1.921fb54442d18p+0, x);
    r = wn__fma_f64(-k, 0x1.1a62633145c07p-54, r);
    r = wn__fma_f64(-k, -0x1.f1976b7ed8fbcp-110, r);
    *shifted = t;
    return r;
}
WN__MATH double wn__sin_near_of_f64(double y, double shifted) {
    double z = y * y;
    double s = wn__fma_f64(y * z, wn__sin_p_f64(z), y);
    double c = wn__fma_f64(z, wn__fma_f64(z, wn__cos_p_f64(z), -0.5), 1.0);
    uint64_t k = wn__bits_f64(shifted), odd = 0u - (k & 1u);
    return wn__from_f64(((wn__bits_f64(s) & ~odd) | (wn__bits_f64(c) & odd)) ^ ((k & 2u) << 62));
}
WN__MATH double wn__sin_near_f64(double x) {
    double t, r = wn__angle_near_f64(x, &t), y = wn__sin_near_of_f64(r, t);
    return wn__abs_f64(x) < 0x1p-27 ? x : y; /* also keeps -0 */
}
WN__MATH double wn__cos_near_f64(double x) {
    double t, r = wn__angle_near_f64(x, &t);
    return wn__sin_near_of_f64(r, t + 1.0);
}
WN__MATH void wn__sincos_near_f64(double x, double *s, double *c) {
    double t, r = wn__angle_near_f64(x, &t);
    *s = wn__sin_near_of_f64(r, t);
    *c = wn__sin_near_of_f64(r, t + 1.0);
}
WN__MATH double wn__sin_f64(double x) {
    double t;
    wn__dd r = wn__quarters_f64(wn__abs_f64(x), &t), s = wn__sin_quarters_f64(r, t);
    double y = wn__flip_f64(s.hi + s.lo, x), near = wn__sin_near_f64(x);
    y = wn__abs_f64(x) < 0x1p-27 ? x : y;
    y = wn__abs_f64(x) < WN__INF_F64 ? y : WN__NAN_F64;
    return wn__sel_f64(wn__sin_is_near_f64(x), near, y);
}
WN__MATH double wn__cos_f64(double x) {
    double t;
    wn__dd r = wn__quarters_f64(wn__abs_f64(x), &t), c = wn__sin_quarters_f64(r, t + 1.0);
    double y = wn__abs_f64(x) < WN__INF_F64 ? c.hi + c.lo : WN__NAN_F64, near = wn__cos_near_f64(x);
    return wn__sel_f64(wn__cos_is_near_f64(x), near, y);
}
/* Both at once, x finite. */
WN__MATH void wn__sincos_f64(double x, double *s, double *c) {
    double t;
    wn__dd r = wn__quarters_f64(wn__abs_f64(x), &t), a = wn__sin_quarters_f64(r, t), b = wn__sin_quarters_f64(r, t + 1.0);
    *s = wn__flip_f64(a.hi + a.lo, x);
    *c = b.hi + b.lo;
}
/* tan of k quarters and the angle y, k the low bits of quarters */
WN__MATH double wn__tan_of_f64(wn__dd y, double quarters) {
    wn__dd s = wn__sin_dd(y), c = wn__cos_dd(y), n, d;
    uint64_t odd = 0u - (wn__bits_f64(quarters) & 1u), sign = odd & 0x8000000000000000u;
    s = wn__fast2sum(s.hi, s.lo);
    c = wn__fast2sum(c.hi, c.lo);
    uint64_t h = (wn__bits_f64(s.hi) ^ wn__bits_f64(c.hi)) & odd, l = (wn__bits_f64(s.lo) ^ wn__bits_f64(c.lo)) & odd;
    n.hi = wn__from_f64(wn__bits_f64(s.hi) ^ h);
    n.lo = wn__from_f64(wn__bits_f64(s.lo) ^ l);
    d.hi = wn__from_f64(wn__bits_f64(c.hi) ^ h ^ sign);
    d.lo = wn__from_f64(wn__bits_f64(c.lo) ^ l ^ sign);
    double i = 1.0 / d.hi, q = n.hi * i;
    return q + wn__quot_rest(n, d, q, i);
}
WN__MATH int wn__tan_is_near_f64(double x) { return wn__sin_is_near_f64(x); }
WN__MATH double wn__tan_near_f64(double x) {
    double t = wn__fma_f64(x, 0x1.45f306dc9c883p-1, WN__RND_F64), k = t - WN__RND_F64, a = wn__fma_f64(-k, 0x1.921fb54442d18p+0, x);
    wn__dd y = {wn__fma_f64(-k, 0x1.1a62633145c07p-54, a), 0};
    double d = a - y.hi, l = wn__fma_f64(-k, 0x1.1a62633145c07p-54, d) + ((a - d) - y.hi);
    y.lo = wn__fma_f64(-k, -0x1.f1976b7ed8fbcp-110, l);
    double v = wn__tan_of_f64(y, t);
    return wn__abs_f64(x) < 0x1p-27 ? x : v; /* also keeps -0 */
}
WN__MATH double wn__tan_f64(double x) {
    double t;
    wn__dd y = wn__angle_f64(wn__quarters_f64(x, &t));
    double v = wn__tan_of_f64(y, t), near = wn__tan_near_f64(x);
    v = wn__abs_f64(x) < 0x1p-27 ? x : v;
    v = wn__abs_f64(x) < WN__INF_F64 ? v : WN__NAN_F64;
    return wn__sel_f64(wn__tan_is_near_f64(x), near, v);
}
/* pi x = 2 x quarters, so nothing is lost on the way to sin. */
WN__MATH double wn__sinc_f64(double x) {
    double a = wn__abs_f64(x), b = wn__sel_f64(a > 0x1p60, 0x1p60, a), u = 2.0 * b, k = wn__round_f64(u);
    wn__dd r = {u - k, 0.0}, s = wn__sin_quarters_f64(r, (k - 4.0 * wn__round_f64(0.25 * k)) + WN__RND_F64);
    wn__dd d = wn__2prod(b, WN__PI_HI);
    s = wn__fast2sum(s.hi, s.lo);
    d.lo += b * WN__PI_LO;
    double i = 1.0 / d.hi, q = s.hi * i;
    q += wn__quot_rest(s, d, q, i);
    q = wn__sel_f64(a < 0x1p-30, 1.0, q);
    return wn__sel_f64(a > 0x1p53, 0.0, q + 0.0); /* no -0 */
}
#endif
