/* erfinv, f32 and f64. Both vectorise.
 *
 * With w = -log(1 - y^2): y P(w) in the middle (w < 5), y Q(sqrt(w)) towards +-1. That is enough for f32; f64 takes it as the
 * start of one Halley step, whose residual is formed without cancellation. */
#ifndef WN_MATH_ERFINV_H
#define WN_MATH_ERFINV_H
#include "base.h"
#include "erf.h"
#include "log.h"

WN__MATH double wn__erfinv_mid_f64(double w) {
    double p = 0x1.70f1c7d58154ap-32;
    p = wn__fma_f64(p, w, -0x1.26d58791d5874p-26);
    p = wn__fma_f64(p, w, 0x1.4ca4d56232e82p-22);
    p = wn__fma_f64(p, w, -0x1.4f42aaefc63f8p-19);
    p = wn__fma_f64(p, w, 0x1.879f0e1f6ee7ep-18);
    p = wn__fma_f64(p, w, 0x1.53a0eef66ae7p-15);
    p = wn__fma_f64(p, w, -0x1.ffb790fc4e0d3p-14);
    p = wn__fma_f64(p, w, -0x1.3284649c701e1p-9);
    p = wn__fma_f64(p, w, 0x1.7a7b3c66308c8p-7);
    p = wn__fma_f64(p, w, 0x1.db29ec5b018a9p-3);
    p = wn__fma_f64(p, w, 0x1.c5bf892c7a2a9p-1);
    return p;
}
WN__MATH double wn__erfinv_tail_f64(double s) {
    double p = -0x1.190f19d019a02p-21;
    p = wn__fma_f64(p, s, 0x1.c34e3a4b580e6p-16);
    p = wn__fma_f64(p, s, -0x1.4921b2e3e8943p-11);
    p = wn__fma_f64(p, s, 0x1.20201a762059ap-7);
    p = wn__fma_f64(p, s, -0x1.50eb00e7bee4p-4);
    p = wn__fma_f64(p, s, 0x1.14e18b7b21ee3p-1);
    p = wn__fma_f64(p, s, -0x1.47686e5023a2dp1);
    p = wn__fma_f64(p, s, 0x1.17f7ffba4f5fdp3);
    p = wn__fma_f64(p, s, -0x1.565ed7b818d5fp4);
    p = wn__fma_f64(p, s, 0x1.22377f4058f33p5);
    p = wn__fma_f64(p, s, -0x1.40524dc4382b2p5);
    p = wn__fma_f64(p, s, 0x1.a4dd45b2dfbecp4);
    p = wn__fma_f64(p, s, -0x1.b1928bbb95d89p2);
    return p;
}

/* erfinv(a) / a to about 2^-27, 0 <= a < 1. */
WN__MATH double wn__erfinv_lite(double a) {
    double v = (1.0 - a) * (1.0 + a), w = -wn__log_lite(v > 0x1p-60 ? v : 0x1p-60), s = __builtin_sqrt(w > 5.0 ? w : 5.0);
    return w < 5.0 ? wn__erfinv_mid_f64(w < 5.0 ? w : 5.0) : wn__erfinv_tail_f64(s);
}
WN__MATH float wn__erfinv_f32(float x) {
    double a = (double)wn__abs_f32(x), y = a * wn__erfinv_lite(a);
    y = a < 1.0 ? y : WN__NAN_F64;
    y = a == 1.0 ? WN__INF_F64 : y;
    return wn__sign_f32((float)y, x);
}
/* |x| <= 0.55: the residual is that of erf. */
WN__MATH double wn__erfinv_small_f64(double x) {
    double a = wn__abs_f64(x), b = wn__sel_f64(a < 0.6, a, 0.6), u = b * wn__erfinv_mid_f64(-wn__log_lite((1.0 - b) * (1.0 + b)));
    double d = 0.88622692545275801 * ((u - b) + u * wn__erf_p_f64(u * u)); /* u - b is exact */
    double y = u - d / wn__fma_f64(u, d, wn__exp_lite(-u * u));
    return wn__sign_f64(y, x);
}
WN__MATH double wn__erfinv_f64(double x) {
    double a = wn__abs_f64(x), b = wn__sel_f64(a < 1.0, a, 0.5), u = b * wn__erfinv_lite(b), t, e;
    double c = wn__erfc_core_f64(u, &e, &t), far = (1.0 - b) - c * wn__pow2_f64(t); /* 1 - b is exact here */
    double near = (u - b) + u * wn__erf_p_f64(u * u); /* u - b too */
    double d = 0.88622692545275801 * (u < 0.8 ? near : far); /* times exp(u^2): over erf'(u) */
    double y = u - d / wn__fma_f64(u, d, e * wn__pow2_f64(t));
    y = a < 0x1p-300 ? u - (near * 0.88622692545275801) : y; /* u^2 underflows */
    y = wn__sel_f64(a < 1.0, y, WN__NAN_F64);
    y = wn__sel_f64(a == 1.0, WN__INF_F64, y);
    return wn__sign_f64(y, x);
}
#endif
