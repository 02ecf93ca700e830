/* The normal distribution: ndtr, its logarithm and its inverse; and erfcx = exp(x^2) erfc(x). f32 and f64. All vectorise; the f32
 * forms of ndtri and erfcx round the f64 ones. */
#ifndef WN_MATH_NORMAL_H
#define WN_MATH_NORMAL_H
#include "act.h"
#include "base.h"
#include "erf.h"
#include "erfinv.h"
#include "exp.h"
#include "log.h"

WN__MATH double wn__ndtri_near_f64(double v) {
    double p = 0x1.1d4fe7486cb1cp-21;
    p = wn__fma_f64(p, v, -0x1.844a7480aa6f9p-20);
    p = wn__fma_f64(p, v, 0x1.1a920fe268270p-19);
    p = wn__fma_f64(p, v, -0x1.8beadf010a97fp-18);
    p = wn__fma_f64(p, v, 0x1.43aa97f436ce3p-16);
    p = wn__fma_f64(p, v, -0x1.ce77390786c1bp-15);
    p = wn__fma_f64(p, v, 0x1.4c52e5627d2d7p-13);
    p = wn__fma_f64(p, v, -0x1.ed31124f147c2p-12);
    p = wn__fma_f64(p, v, 0x1.7727f401a821bp-10);
    p = wn__fma_f64(p, v, -0x1.25aaef4014436p-8);
    p = wn__fma_f64(p, v, 0x1.dc6d34e6a3517p-7);
    p = wn__fma_f64(p, v, -0x1.95220b22f4f98p-5);
    p = wn__fma_f64(p, v, 0x1.2e6e8484e1d6ep+0);
    p = wn__fma_f64(p, v, 0x1.b4ebafd0356dap+0);
    return p;
}
WN__MATH double wn__ndtri_far_f64(double v) {
    double p = -0x1.6b6b132587f2ep-10;
    p = wn__fma_f64(p, v, 0x1.e32dfd1b52c11p-10);
    p = wn__fma_f64(p, v, 0x1.38338c2bade85p-9);
    p = wn__fma_f64(p, v, -0x1.97824169ea075p-9);
    p = wn__fma_f64(p, v, -0x1.54b561fdd60ccp-9);
    p = wn__fma_f64(p, v, 0x1.cd79f9c437f8ep-9);
    p = wn__fma_f64(p, v, -0x1.3d0ffdf95fb2bp-12);
    p = wn__fma_f64(p, v, 0x1.a4c2208ed17abp-11);
    p = wn__fma_f64(p, v, -0x1.ced8fa6afd694p-9);
    p = wn__fma_f64(p, v, 0x1.c1e65bbcc4eddp-8);
    p = wn__fma_f64(p, v, -0x1.fe5797747e508p-7);
    p = wn__fma_f64(p, v, 0x1.91a99e2d1b381p-5);
    p = wn__fma_f64(p, v, -0x1.0119743ce1c85p-2);
    p = wn__fma_f64(p, v, -0x1.cb6c9422dae47p-2);
    return p;
}

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

/* exp(x^2) erfc(x): from 0.5 to 28 what erfc has beside its exponential, above the asymptotic series, below 2 exp(x^2) less that of -x. */
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

/* log Phi(x): below -1 from erfcx, so that nothing underflows; above log1p of what is missing to 1. */
WN__MATH double wn__log_ndtr_f64(double x) {
    double b = x < -1.0 ? x : -1.0, far = wn__log_f64(0.5 * wn__erfcx_tail_f64(-b * 0.70710678118654752)) - 0.5 * b * b;
    return wn__sel_f64(x < -1.0, far, wn__log1p_f64(-wn__ndtr_f64(-x)));
}
WN__MATH float wn__log_ndtr_f32(float x) { return (float)wn__log_ndtr_f64((double)x); }

/* -x for Phi(x) = p, 0 < p <= 0.24: polynomials in r = sqrt(-2 log p) to 2^-20 and better, then a Halley step whose residual is
 * relative to Phi, which has its power of two apart. */
WN__MATH double wn__ndtri_tail(double p) {
    double r = __builtin_sqrt(-2.0 * wn__log_f64(p)), a = r < 3.5 ? r : 3.5, i = 1.0 / (r > 3.4 ? r : 3.4), t;
    double near = wn__ndtri_near_f64(a - 2.5), far = r + wn__ndtri_far_f64((i - 0x1.476ed1476ed15p-3) * 0x1.dcc398730e61dp+2);
    double x = r < 3.45 ? near : far;
    wn__dd e, y = wn__gelu_r_f64(x, &e, &t);
    double ratio = wn__scale_f64(p / (e.hi * y.hi + wn__fma_f64(e.hi, y.lo, e.lo * y.hi)), 2.0 * WN__RND_F64 - t);
    double u = (1.0 - ratio) * (y.hi * 0x1.40d931ff62705p+1); /* (Phi - p) / phi */
    return x + u / (1.0 - 0.5 * x * u);
}
WN__MATH double wn__ndtri_f64(double p) {
    double q = p > 0.5 ? 1.0 - p : p, far = wn__ndtri_tail(((q > 0.0) & (q < 0.24)) ? q : 0.25);
    double mid = 1.4142135623730950 * wn__erfinv_small_f64(2.0 * p - 1.0), y = wn__sel_f64(q < 0.24, p > 0.5 ? far : -far, mid);
    y = wn__sel_f64(p == 0.0, -WN__INF_F64, y);
    y = wn__sel_f64(p == 1.0, WN__INF_F64, y);
    return wn__sel_f64((p >= 0.0) & (p <= 1.0), y, WN__NAN_F64);
}
WN__MATH float wn__ndtri_f32(float p) { return (float)wn__ndtri_f64((double)p); }
#endif
