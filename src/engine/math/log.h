/* log, log2, log10, log1p, f32 and f64. All vectorise.
 *
 * x = 2^e m with m in [sqrt(1/2), sqrt(2)), f = m - 1. f32: log m = f - f^2/2 + f^3 P(f). f64: s = f / (2 + f),
 * log m = f - (h - s (h + R(s^2))) with h = f^2/2, which keeps f itself exact. */
#ifndef WN_MATH_LOG_H
#define WN_MATH_LOG_H
#include "engine/math/base.h"
#include "engine/math/exp.h"

WN__MATH float wn__log_p_f32(float f) {
    return WN__HORNER(wn__fma_f32, f, 0x1.14578p-4f, -0x1.de3bdep-4f, 0x1.e6f052p-4f, -0x1.fc220ap-4f, 0x1.23376ap-3f, -0x1.555c4ep-3f,
        0x1.99a4b6p-3f, -0x1.000006p-2f, 0x1.555548p-2f);
}
WN__MATH double wn__log_r_f64(double z) {
    double w = z * z, a = 0x1.2f070aeed304ep-3, b = 0x1.39a192a90afccp-3;
    a = WN__HORNER(wn__fma_f64, w, a, 0x1.74664061c3d5cp-3, 0x1.24924941f901bp-2, 0x1.5555555555592p-1);
    b = WN__HORNER(wn__fma_f64, w, b, 0x1.c71c520292835p-3, 0x1.999999997fd32p-2);
    return wn__fma_f64(b, z, a);
}
WN__MATH double wn__log_lite_r_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.91166461f25afp-3, 0x1.c62b06c4a80aap-3, 0x1.249412158722fp-2, 0x1.999996a8f3cd9p-2, 0x1.555555561e5ffp-1);
}

/* x = 2^e m for normal x > 0; for others the result means nothing. */
WN__MATH float wn__split_f32(float x, float *e) {
    uint32_t u = wn__bits_f32(x) - 0x3f3504f3u;
    *e = (float)((int32_t)u >> 23);
    return wn__from_f32((u & 0x007fffffu) + 0x3f3504f3u);
}
WN__MATH double wn__split_f64(double x, double *e) {
    uint64_t u = wn__bits_f64(x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    *e = wn__from_f64((u >> 52) | 0x4330000000000000u) - (0x1p52 + 1023.0);
    return wn__from_f64((u & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
}
/* The same, also for subnormal x. */
WN__MATH float wn__split_any_f32(float x, float *e) {
    float up = x < 0x1p-126f ? 0x1p23f : 1.0f, d = x < 0x1p-126f ? 23.0f : 0.0f, k, m = wn__split_f32(x * up, &k);
    *e = k - d;
    return m;
}
WN__MATH double wn__split_any_f64(double x, double *e) {
    double up = x < 0x1p-1022 ? 0x1p54 : 1.0, d = x < 0x1p-1022 ? 54.0 : 0.0, k, m = wn__split_f64(x * up, &k);
    *e = k - d;
    return m;
}
/* Puts the special cases of log into y: log(+-0) = -inf, log(x < 0) = NaN, log(inf) = inf, NaN. */
WN__MATH float wn__log_edges_f32(float y, float x) {
    y = x < WN__INF_F32 ? y : x;
    y = x < 0.0f ? WN__NAN_F32 : y;
    return x == 0.0f ? -WN__INF_F32 : y;
}
WN__MATH double wn__log_edges_f64(double y, double x) {
    y = x < WN__INF_F64 ? y : x;
    y = x < 0.0 ? WN__NAN_F64 : y;
    return x == 0.0 ? -WN__INF_F64 : y;
}

/* log(1 + f) - f */
WN__MATH float wn__log_tail_f32(float f) {
    float z = f * f;
    return wn__fma_f32(z, -0.5f, z * f * wn__log_p_f32(f));
}

WN__MATH float wn__log_f32(float x) {
    float e, f = wn__split_any_f32(x, &e) - 1.0f;
    float y = f + wn__fma_f32(e, WN__LN2LO_F32, wn__log_tail_f32(f));
    return wn__log_edges_f32(wn__fma_f32(e, WN__LN2HI_F32, y), x);
}
/* base log(1 + f) + add, base = high + rest: f (1 + g), and f high is not rounded by itself. */
WN__MATH float wn__log_base_f32(float f, float high, float rest, double base, float add) {
    float g = wn__fma_f32(f * f, wn__log_p_f32(f), -0.5f * f);
#if WN__HAS_FMA
    (void)base;
    return wn__fma_f32(f, high, wn__fma_f32(f, wn__fma_f32(g, high, rest), add));
#else
    (void)high, (void)rest;
    return (float)((double)f * base * (1.0 + (double)g) + (double)add);
#endif
}
WN__MATH float wn__log2_f32(float x) {
    float e, f = wn__split_any_f32(x, &e) - 1.0f;
    float y = wn__log_base_f32(f, 0x1.715476p+0f, 0x1.4ae0cp-26f, 1.4426950408889634, 0.0f);
    return wn__log_edges_f32(e + y, x);
}
/* log10(2) = 14 bits + rest */
WN__MATH float wn__log10_f32(float x) {
    float e, f = wn__split_any_f32(x, &e) - 1.0f;
    float y = wn__log_base_f32(f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0.43429448190325183, e * 0x1.3509f8p-18f);
    return wn__log_edges_f32(wn__fma_f32(e, 0x1.344p-2f, y), x);
}
/* u = fl(1 + x), c what that lost: log(u) + c / u. */
WN__MATH float wn__log1p_f32(float x) {
    float u = 1.0f + x, a = x > 1.0f ? x : 1.0f, b = x > 1.0f ? 1.0f : x, c = b - (u - a);
    float e, f = wn__split_f32(u, &e) - 1.0f;
    float y = f + (c / u + wn__fma_f32(e, WN__LN2LO_F32, wn__log_tail_f32(f)));
    y = wn__fma_f32(e, WN__LN2HI_F32, y);
    y = x == 0.0f ? x : y; /* -0 */
    return wn__log_edges_f32(y, u);
}

/* log(1 + x) for 0 <= x <= 1, at half the cost of log1p. */
WN__MATH float wn__log1p_unit_f32(float x) {
    float p = WN__HORNER(wn__fma_f32, x, -0x1.b2f542p-9f, 0x1.4b07fp-6f, -0x1.d862bap-5f, 0x1.b5796ep-4f, -0x1.3a7a5ap-3f, 0x1.935c8cp-3f,
        -0x1.ff26dcp-3f, 0x1.554dfp-2f, -0x1.ffffd2p-2f);
#if WN__HAS_FMA
    return __builtin_fmaf(x * x, p, x);
#else
    return (float)((double)x + (double)x * (double)x * (double)p);
#endif
}

/* log(1 + f) = f - (*h - result), *h = f^2 / 2. */
WN__MATH double wn__log_tail_f64(double f, double *h) {
    double s = f / (2.0 + f), z = s * s;
    *h = 0.5 * f * f;
    return s * wn__fma_f64(z, wn__log_r_f64(z), *h);
}

WN__MATH double wn__log_f64(double x) {
    double e, h, f = wn__split_any_f64(x, &e) - 1.0, t = wn__log_tail_f64(f, &h);
    double y = f - (h - wn__fma_f64(e, WN__LN2LO_F64, t));
    return wn__log_edges_f64(wn__fma_f64(e, WN__LN2HI_F64, y), x);
}
WN__MATH double wn__log1p_f64(double x) {
    double u = 1.0 + x, a = x > 1.0 ? x : 1.0, b = x > 1.0 ? 1.0 : x, c = (b - (u - a)) / u;
    double e, h, f = wn__split_f64(u, &e) - 1.0, t = wn__log_tail_f64(f, &h);
    double y = f - (h - (c + wn__fma_f64(e, WN__LN2LO_F64, t)));
    y = wn__fma_f64(e, WN__LN2HI_F64, y);
    y = x == 0.0 ? x : y;
    return wn__log_edges_f64(y, u);
}
/* y = e * k + log(1 + f) * (hi + lo) in about 2^-58: f - f^2/2 is split so that its upper part times hi is exact. */
WN__MATH double wn__log_base_f64(double f, double hi, double lo, double ekh, double ekl) {
    double h, t = wn__log_tail_f64(f, &h), a = wn__top_f64(f - h), b = ((f - a) - h) + t;
    double v = a * hi, vl = wn__fma_f64(a + b, lo, b * hi) + ekl;
    wn__dd s = wn__2sum(ekh, v);
    return s.hi + (s.lo + vl);
}
WN__MATH double wn__log2_f64(double x) {
    double e, f = wn__split_any_f64(x, &e) - 1.0;
    return wn__log_edges_f64(wn__log_base_f64(f, 0x1.7154768p0, -0x1.6a3e80f444178p-27, e, 0.0), x);
}
WN__MATH double wn__log10_f64(double x) {
    double e, f = wn__split_any_f64(x, &e) - 1.0;
    double y = wn__log_base_f64(f, 0x1.bcb7b18p-2, -0x1.6c8d78e6acaa4p-29, e * 0x1.34413509f8p-2, e * -0x1.80433b83b532ap-44);
    return wn__log_edges_f64(y, x);
}

/* log(x) to about 2^-38 relative, x > 0 normal and finite: for f32 functions that work in double. */
WN__MATH double wn__log_lite(double x) {
    double e, f = wn__split_f64(x, &e) - 1.0, s = f / (2.0 + f), z = s * s;
    return wn__fma_f64(e, 0x1.62e42fefa39efp-1, s * wn__fma_f64(z, wn__log_lite_r_f64(z), 2.0));
}
/* log(1 + x) likewise, for any double x > -1. */
WN__MATH double wn__log1p_lite(double x) {
    double u = 1.0 + x, e, m = wn__split_f64(u, &e), f = m - 1.0;
    f = e == 0.0 ? x : f; /* what 1 + x loses counts only here */
    double s = f / (2.0 + f), z = s * s;
    return wn__fma_f64(e, 0x1.62e42fefa39efp-1, s * wn__fma_f64(z, wn__log_lite_r_f64(z), 2.0));
}
#endif
