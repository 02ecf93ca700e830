/* The normal distribution: ndtr and its logarithm; and erfcx = exp(x^2) erfc(x). f32 and f64. All vectorise; the f32 form of erfcx rounds
 * the f64 one. */
#ifndef WN_MATH_NORMAL_H
#define WN_MATH_NORMAL_H
#include "engine/math/act.h"
#include "engine/math/base.h"
#include "engine/math/erf.h"
#include "engine/math/exp.h"
#include "engine/math/log.h"

/* Phi(-a) = e y 2^n (act.h) from 0.7 on, 1/2 + x P(x^2) below. */
WN__MATH double wn__ndtr_f64(double x) {
    double a = wn__abs_f64(x), b = a > 39.0 ? 39.0 : a, t;
    wn__dd p, y = wn__gelu_r_f64(b, &p, &t), r = wn__2prod(p.hi, y.hi);
    double tail = wn__scale_f64(r.hi + (r.lo + wn__fma_f64(p.hi, y.lo, p.lo * y.hi)), t);
    double small = wn__fma_f64(x, wn__gelu_p_f64(x * x), 0.5);
    return a < 0.7 ? small : x < 0.0 ? tail : 1.0 - tail;
}
WN__MATH float wn__ndtr_f32(float x) {
    double v = (double)x, a = wn__abs_f64(v), b = a > 15.0 ? 15.0 : a, c = 0.5 * wn__erfc_lite(b * 0.70710678118654752, 0.5 * b * b);
    return (float)(v < 0.0 ? c : 1.0 - c);
}

/* From 0.5 to 28 erfc's factor beside its exponential, above the asymptotic series, below 2 exp(x^2) - erfcx(-x). */
WN__MATH double wn__erfcx_tail_f64(double a) { /* a >= 0.5 */
    double b = a < 28.0 ? a : 28.0, w = 6.0 / (b + 3.0), mid = w * wn__fma_f64(w, wn__erfc_h_f64(w), 0x1.812746b02bebfp-4);
    double c = a > 28.0 ? a : 28.0, i = 1.0 / c, z = 0.5 * i * i;
    double far = 0x1.20dd750429b6dp-1 * i * (1.0 - z * (1.0 - z * (3.0 - z * (15.0 - z * (105.0 - z * 945.0)))));
    return wn__sel_f64(a < 28.0, mid, far);
}
WN__MATH double wn__erfcx_f64(double x) {
    double a = wn__abs_f64(x), t, tail = wn__erfcx_tail_f64(a > 0.5 ? a : 0.5), b = a < 27.0 ? a : 27.0;
    wn__dd s = wn__2prod(b, b), p = wn__exp_dd(s.hi, s.lo, &t);
    double e = wn__scale_f64(2.0 * (p.hi + p.lo), t), near = 0.5 * e * (1.0 - wn__erf_small_f64(x));
    double y = wn__sel_f64(a < 0.5, near, wn__sel_f64(x < 0.0, e - tail, tail));
    return wn__sel_f64(x == x, y, x);
}
WN__MATH float wn__erfcx_f32(float x) { return (float)wn__erfcx_f64((double)x); }

/* log Phi(x): below -1 from erfcx, so that nothing underflows; above, log1p(-Phi(-x)). */
WN__MATH double wn__log_ndtr_f64(double x) {
    double b = x < -1.0 ? x : -1.0, far = wn__log_f64(0.5 * wn__erfcx_tail_f64(-b * 0.70710678118654752)) - 0.5 * b * b;
    return wn__sel_f64(x < -1.0, far, wn__log1p_f64(-wn__ndtr_f64(-x)));
}
WN__MATH float wn__log_ndtr_f32(float x) { return (float)wn__log_ndtr_f64((double)x); }
#endif
