/* Functions of two arguments: hypot, logaddexp, logaddexp2, xlogy, xlog1py, f32 and f64. All vectorise. */
#ifndef WN_MATH_PAIR_H
#define WN_MATH_PAIR_H
#include "engine/math/base.h"
#include "engine/math/exp.h"
#include "engine/math/log.h"

/* An infinite argument wins even over NaN (C99 F.9.4.3). */
WN__MATH float wn__hypot_f32(float x, float y) {
    double a = (double)x, b = (double)y;
    float r = (float)__builtin_sqrt(a * a + b * b);
    r = wn__abs_f32(x) == WN__INF_F32 ? WN__INF_F32 : r;
    return wn__abs_f32(y) == WN__INF_F32 ? WN__INF_F32 : r;
}
/* Scaled by a power of two near 1 / max, so that squares neither overflow nor vanish; the sum of squares in two words. */
WN__MATH double wn__hypot_f64(double x, double y) {
    double a = wn__abs_f64(x), b = wn__abs_f64(y), m = a > b ? a : b, n = a > b ? b : a;
    double s = wn__sel_f64(m < 0x1p-400, 0x1p600, 1.0), u = wn__sel_f64(m < 0x1p-400, 0x1p-600, 1.0);
    s = wn__sel_f64(m > 0x1p500, 0x1p-600, s);
    u = wn__sel_f64(m > 0x1p500, 0x1p600, u);
    m *= s;
    n *= s;
    wn__dd p = wn__2prod(m, m), q = wn__2prod(n, n), v = wn__fast2sum(p.hi, q.hi);
    double r = __builtin_sqrt(v.hi), z = r > 0.0 ? r : 1.0;
    wn__dd w = wn__2prod(r, r);
    double c = (((v.hi - w.hi) - w.lo) + (v.lo + p.lo + q.lo)) * (0.5 / z);
    r = (r + c) * u;
    r = wn__sel_f64(x == x, r, x);
    r = wn__sel_f64(y == y, r, y);
    r = wn__sel_f64(a == WN__INF_F64, a, r);
    return wn__sel_f64(b == WN__INF_F64, b, r);
}

/* max + log(1 + e^-|x - y|). Equal infinities: themselves. Where the sum of the two passes through 0 the relative error
 * grows (absolute errors stay below 2 ulp of 1). */
WN__MATH float wn__logaddexp_f32(float x, float y) {
    float m = x > y ? x : y, n = x > y ? y : x, d = x == y ? 0.0f : n - m;
    return m + wn__log1p_unit_f32(wn__exp_f32(d));
}
WN__MATH double wn__logaddexp_f64(double x, double y) {
    double m = x > y ? x : y, n = x > y ? y : x, d = n - m;
    double r = m + wn__log1p_f64(wn__exp_f64(d));
    r = x == y ? x + 0.6931471805599453 : r;
    r = x == x ? r : x;
    return y == y ? r : y;
}
WN__MATH float wn__logaddexp2_f32(float x, float y) {
    float m = x > y ? x : y, n = x > y ? y : x;
    float r = wn__fma_f32(wn__log1p_unit_f32(wn__exp2_f32(n - m)), (float)WN__LOG2E_F64, m);
    return x == y ? x + 1.0f : r;
}
WN__MATH double wn__logaddexp2_f64(double x, double y) {
    double m = x > y ? x : y, n = x > y ? y : x, d = n - m;
    double r = m + wn__log1p_f64(wn__exp2_f64(d)) * 1.4426950408889634;
    r = x == y ? x + 1.0 : r;
    r = x == x ? r : x;
    return y == y ? r : y;
}

/* x log(y), 0 where x = 0 (unless y is NaN). */
WN__MATH float wn__xlogy_f32(float x, float y) {
    double v = (double)y, l = wn__log_lite(v);
    l = v < WN__INF_F64 ? l : v;
    l = v < 0.0 ? WN__NAN_F64 : l;
    l = v == 0.0 ? -WN__INF_F64 : l;
    return ((x == 0.0f) & (y == y)) ? 0.0f : (float)((double)x * l);
}
/* log(y) in two words: its rounding error would add to the product's. */
WN__MATH double wn__xlogy_f64(double x, double y) {
    double e, h, f = wn__split_any_f64(y, &e) - 1.0, t = wn__log_tail_f64(f, &h);
    wn__dd a = wn__2sum(e * WN__LN2HI_F64, f), b = wn__2sum(a.hi, -h);
    double l = wn__fma_f64(e, WN__LN2LO_F64, t) + a.lo + b.lo, g = b.hi + l, gl = l - (g - b.hi);
    double r = x * g;
    r = wn__abs_f64(r) < WN__INF_F64 ? wn__fma_f64(x, gl, r) : r;
    r = ((y > 0.0) & (y < WN__INF_F64)) ? r : x * wn__log_edges_f64(g, y);
    return ((x == 0.0) & (y == y)) ? 0.0 : r;
}
WN__MATH float wn__xlog1py_f32(float x, float y) {
    double v = (double)y, l = wn__log1p_lite(v);
    l = v < WN__INF_F64 ? l : v;
    l = v < -1.0 ? WN__NAN_F64 : l;
    l = v == -1.0 ? -WN__INF_F64 : l;
    l = y == 0.0f ? v : l; /* -0 */
    return ((x == 0.0f) & (y == y)) ? 0.0f : (float)((double)x * l);
}
WN__MATH double wn__xlog1py_f64(double x, double y) {
    double u = 1.0 + y, m = y > 1.0 ? y : 1.0, n = y > 1.0 ? 1.0 : y, c = (n - (u - m)) / u;
    double e, h, f = wn__split_f64(u, &e) - 1.0, t = wn__log_tail_f64(f, &h);
    wn__dd a = wn__2sum(e * WN__LN2HI_F64, f), b = wn__2sum(a.hi, c - h);
    double l = wn__fma_f64(e, WN__LN2LO_F64, t) + a.lo + b.lo, g = b.hi + l, gl = l - (g - b.hi);
    double r = x * g;
    r = wn__abs_f64(r) < WN__INF_F64 ? wn__fma_f64(x, gl, r) : r;
    r = ((u > 0.0) & (y < WN__INF_F64)) ? r : x * wn__log_edges_f64(g, u);
    r = y == 0.0 ? x * y : r;
    return ((x == 0.0) & (y == y)) ? 0.0 : r;
}
#endif
