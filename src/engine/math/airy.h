/* Airy's function Ai, f32 and f64; the f32 form rounds the f64 one. Vectorises.
 *
 * With zeta = 2/3 |x|^(3/2): -5 < x < 2 a polynomial (error 2^-48); above exp(-zeta) / (2 sqrt(pi) x^(1/4)) times a polynomial in 1 / zeta;
 * below (P cos(t) + Q sin(t)) / (sqrt(pi) |x|^(1/4)), t = zeta - pi/4, polynomials in 1 / zeta^2. */
#ifndef WN_MATH_AIRY_H
#define WN_MATH_AIRY_H
#include "engine/math/base.h"
#include "engine/math/bessel_i.h"
#include "engine/math/exp.h"
#include "engine/math/trig.h"

WN__MATH double wn__ai_mid_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.0daff233d3093p-17, -0x1.ceba52a4134c2p-17, -0x1.47bf4b623a484p-14, 0x1.e5aa8539f0bb4p-13,
        0x1.2000ea796e621p-13, -0x1.96477769ad8bbp-10, 0x1.221226277a69cp-9, 0x1.c2360345bda00p-9, -0x1.1fa4574c8921ep-6, 0x1.264b147719ec2p-6,
        0x1.66ae97234e628p-5, -0x1.38cad791bbce2p-3, 0x1.82a51d059d4d2p-4, 0x1.8ecbcd01e3f43p-2, -0x1.d8d03e5c2e221p-1, 0x1.a01b38bd2bb69p-3,
        0x1.2233a29fb2047p+1, -0x1.c6961e4fc0053p+1, -0x1.51b946f629394p-1, 0x1.fddae5cec366dp+2, -0x1.e143089db6f09p+2, -0x1.3a9021edbc8ddp+2,
        0x1.d3b7edffba1d6p+3, -0x1.974817c4da8b5p+2, -0x1.24b41b2cbfeeap+3, 0x1.4cba9459808eap+3, 0x1.bdf30ae061f1dp-9, -0x1.10fb9d37f9badp+2,
        0x1.150811ddb1768p+0, 0x1.db661389897d7p-2);
}
WN__MATH double wn__ai_right_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, -0x1.cbc734691b96dp-36, 0x1.7e7c201a7a6cfp-35, 0x1.a9a5244211186p-34, -0x1.5c4f3789dc292p-33,
        -0x1.f317434470562p-33, 0x1.9ec0b502845cep-32, 0x1.92f4cd9ac97cep-33, -0x1.33b8a7912170ep-32, -0x1.fc373aa9783a5p-32, 0x1.d72934f6e18d2p-31,
        -0x1.10bcdd3ca0a7cp-30, 0x1.27a0d1bedbea6p-29, -0x1.5e164d2787d28p-28, 0x1.885d91c072b6fp-27, -0x1.c5d5b564667b7p-26, 0x1.12d0f95f6f946p-24,
        -0x1.5ca51bc8ee62ap-23, 0x1.d2d5410a3aa8dp-22, -0x1.4d66e21871a5ap-20, 0x1.01a1ba8bd2d5dp-18, -0x1.b79da99f217dcp-17, 0x1.ab03b2f80bdecp-15,
        -0x1.f0b918f5d133ap-13, 0x1.7cbbdbc133b56p-10, -0x1.e5df8667de315p-7, 0x1.f781f27728e50p-1);
}
WN__MATH double wn__ai_p_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, -0x1.6731288888616p-43, 0x1.22b166622053cp-41, -0x1.7eafd57f65405p-40, 0x1.971e46fdad3a0p-38,
        -0x1.f89b8aa80e4d5p-36, 0x1.681015959ee00p-33, -0x1.40060778b66ffp-30, 0x1.7d19a6c94bec5p-27, -0x1.55472b2f767f1p-23, 0x1.1ae8c6cef7543p-18,
        -0x1.58ef3c69f8dd1p-12, 0x1.ffd44ee3f3bc6p-1);
}
WN__MATH double wn__ai_q_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, -0x1.504c50b9bb1d0p-40, 0x1.001ea3d5445d9p-38, -0x1.2b1e938349c00p-37, 0x1.2742fe7f0af31p-35,
        -0x1.5140febb48745p-33, 0x1.ae822485b8decp-31, -0x1.4d23258c94782p-28, 0x1.4be96764e6931p-25, -0x1.d216beabf60b4p-22, 0x1.0cf1c2e4a325fp-17,
        -0x1.5829b2b93f910p-12, 0x1.1b10b565efe70p-4);
}

WN__MATH double wn__airy_ai_f64(double x) {
    double m = x > -5.0 ? x : -5.0, mid = wn__ai_mid_f64(((m < 2.0 ? m : 2.0) + 1.5) * (1.0 / 3.5));
    double r = x > 2.0 ? x : 2.0, root = __builtin_sqrt(r < 200.0 ? r : 200.0), zeta = root * (r < 200.0 ? r : 200.0) * 0.66666666666666667;
    double right = wn__exp_f64(-zeta) * 0.28209479177387814 / __builtin_sqrt(root) * wn__ai_right_f64(2.0 / (0.54 * zeta) - 1.0);
    double l = x < -5.0 ? -x : 5.0, lroot = __builtin_sqrt(l), lz = lroot * l * 0.66666666666666667, i = 1.0 / lz, v = 2.0 * i * i / 0.0182 - 1.0;
    double s, c;
    wn__sincos_f64(lz, &s, &c); /* cos(t) = (c + s) / sqrt 2, sin(t) = (s - c) / sqrt 2 */
    double left = 0.39894228040143268 / __builtin_sqrt(lroot) * ((c + s) * wn__ai_p_f64(v) + (s - c) * i * wn__ai_q_f64(v));
    double y = wn__sel_f64(x < -5.0, left, wn__sel_f64(x < 2.0, mid, right));
    return wn__sel_f64(x == x, y, x);
}
WN__ROUNDED(airy_ai)
#endif
