/* Modified Bessel functions I0, I1, K0, K1 and their scaled forms exp(-|x|) I and exp(x) K; spherical j0. f32 and f64.
 * All vectorise; the f32 forms round the f64 ones, except i0e and i1e.
 *
 * |x| < 8: a polynomial in x^2 / 4 (K: |x| <= 2, beside log(x/2) I). Above: exp(+-x) / sqrt(x) times a polynomial in 16 / x - 1
 * (K: 4 / x - 1), the exponential with its power of two apart, so that nothing overflows early. */
#ifndef WN_MATH_BESSEL_I_H
#define WN_MATH_BESSEL_I_H
#include "engine/math/base.h"
#include "engine/math/exp.h"
#include "engine/math/log.h"
#include "engine/math/trig.h"

WN__MATH double wn__i0_small_f64(double t) {
    return WN__HORNER(wn__fma_f64, t, 0x1.f2ba28a423f36p-97, 0x1.38c9bb9def199p-89, 0x1.71eed78904823p-81, 0x1.3d45e4ad1d75dp-73,
        0x1.e7477a048e22cp-66, 0x1.4195b658aa38cp-58, 0x1.69cac787efc6fp-51, 0x1.5601859c1e784p-44, 0x1.0b3132ac6604fp-37, 0x1.522a43f3c5cffp-31,
        0x1.522a43f678544p-25, 0x1.02e85c08974c5p-19, 0x1.23456789abe20p-14, 0x1.c71c71c71c705p-10, 0x1.c71c71c71c71dp-6, 0x1.0000000000000p-2,
        0x1.0000000000000p+0, 0x1.0000000000000p+0);
}
WN__MATH double wn__i1_small_f64(double t) {
    return WN__HORNER(wn__fma_f64, t, 0x1.b1484aa39d158p-101, 0x1.2bdd01e7485efp-93, 0x1.70913f872a3cbp-85, 0x1.52a178808478cp-77,
        0x1.166c99e45cc07p-69, 0x1.8bccbd18b3186p-62, 0x1.e2639f21e548ep-55, 0x1.f176958771dcap-48, 0x1.ab81ea929f530p-41, 0x1.2c9758d9e75d3p-34,
        0x1.522a43f663502p-28, 0x1.27e4fb7789600p-22, 0x1.845c8a0ce51aep-17, 0x1.6c16c16c16c12p-12, 0x1.c71c71c71c71dp-8, 0x1.5555555555555p-4,
        0x1.0000000000000p-1, 0x1.0000000000000p+0);
}
WN__MATH double wn__i0_large_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.6e48b56608f90p-36, -0x1.03b4aa8a9e407p-34, -0x1.4b4eae130efc2p-33, 0x1.ec7656d43152ap-32,
        0x1.1998ba2c8ef47p-31, -0x1.b5e3e7f99d058p-30, -0x1.3ab3b1c19a518p-30, 0x1.ee943d682b9f4p-29, 0x1.2159f0c508719p-29, -0x1.9683a45b51615p-28,
        -0x1.0c5d8b2e86f47p-28, 0x1.fcf3dd682ab36p-28, 0x1.09d8aa3fc68b0p-27, -0x1.72b4495699537p-28, -0x1.ceb2c3f3c2085p-27, -0x1.cfe4f8bebe7e4p-28,
        0x1.03fa571f405c2p-27, 0x1.723509510cd4ap-26, 0x1.51cb3832a6046p-25, 0x1.7d0f0727d6a9dp-24, 0x1.3f49af1ca6576p-22, 0x1.8e513a7ddffecp-20,
        0x1.75e5ee6fabb85p-17, 0x1.1daa72b5e22b2p-13, 0x1.b87969bb93bd2p-9, 0x1.9bd428ad249a5p-2);
}
WN__MATH double wn__i1_large_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, -0x1.5a29b473f1663p-36, 0x1.0ddc7620a9205p-34, 0x1.37bea5c8dbcccp-33, -0x1.fff33f3b3e75ap-32,
        -0x1.07d06c81c1d24p-31, 0x1.c7aed1ee533f7p-30, 0x1.268bd450a314cp-30, -0x1.01ef463d9c576p-28, -0x1.11c9f66d690fcp-29, 0x1.aa440cf09ce30p-28,
        0x1.05656ba38c1b6p-28, -0x1.0e2bb88351649p-27, -0x1.0c96c7afcb02cp-27, 0x1.99d190fe908dap-28, 0x1.e413f0678e137p-27, 0x1.ceff3cea7c3a4p-28,
        -0x1.21f47a4eb566bp-27, -0x1.9191ff33370adp-26, -0x1.727702ec186d3p-25, -0x1.ad8d43e5d60bep-24, -0x1.7613865ea6e9ap-22,
        -0x1.ec8e107bd7eaap-20, -0x1.f89c230446f74p-17, -0x1.cbc54df1e894cp-13, -0x1.3f796198ee63fp-7, 0x1.8ebe783a84030p-2);
}
WN__MATH double wn__k0_small_f64(double t) {
    return WN__HORNER(wn__fma_f64, t, 0x1.a593500907644p-43, 0x1.2c765d4b19a66p-36, 0x1.69f3e7fe4edfbp-30, 0x1.54cf488d6b077p-24,
        0x1.e4e0d1c683631p-19, 0x1.f0f15a9de5e90p-14, 0x1.56b9b69e15885p-9, 0x1.1dd628653174dp-5, 0x1.d8773039049e7p-3, 0x1.b0ee6072093cep-2,
        -0x1.2788cfc6fb619p-1);
}
WN__MATH double wn__k1_small_f64(double t) {
    return WN__HORNER(wn__fma_f64, t, -0x1.01eaa194234ecp-40, -0x1.49ae26c17782dp-34, -0x1.5f6282ff397a7p-28, -0x1.1fa40db66daccp-22,
        -0x1.5b7a17923d9edp-17, -0x1.2462822a1c9b2p-12, -0x1.3a47ef81a3a0dp-8, -0x1.73ddae5ee6a19p-5, -0x1.58773039049e7p-3, 0x1.3c467e37db0c8p-5);
}
WN__MATH double wn__k0_large_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, -0x1.0ff41fc912929p-34, 0x1.db4402bef9fbfp-34, 0x1.8b570a6d67ae6p-33, -0x1.4fc7b3ae23129p-32,
        -0x1.ef83da2d2bc75p-32, 0x1.b69822eef5efep-31, 0x1.1c6a742feab3ep-35, 0x1.2cb1fc997278cp-34, -0x1.eef767697b461p-30, 0x1.04875e0c1b76dp-28,
        -0x1.f9e6a39f36461p-28, 0x1.25080c5964993p-26, -0x1.62daff92890fap-25, 0x1.ba2c0bae9c666p-24, -0x1.20be67877928ap-22, 0x1.8ec7037ab30e7p-21,
        -0x1.2618428e461ffp-19, 0x1.d5e9a9ac51f91p-18, -0x1.9efce51fd9926p-16, 0x1.a19652e3f86b2p-14, -0x1.f7130688edbb9p-12, 0x1.8d86f6465e4c8p-9,
        -0x1.fd1328181db4cp-6, 0x1.37f5dd35f91a9p+0);
}
WN__MATH double wn__k1_large_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.284db29eee347p-34, -0x1.0382cca794a5cp-33, -0x1.ac84f8d9343e0p-33, 0x1.6c87fbd9a0186p-32,
        0x1.0e92e9c9919a8p-31, -0x1.e07cd59b7bac4p-31, -0x1.72246c5d62b2dp-36, -0x1.d182173c81dc9p-34, 0x1.17a2e62f2b798p-29, -0x1.286902e910821p-28,
        0x1.23c0e2bae1d57p-27, -0x1.54a21513c73c2p-26, 0x1.a004c3a1d81eep-25, -0x1.060de022c2804p-23, 0x1.5ace77ebb0e2fp-22, -0x1.e6c933a3792d7p-21,
        0x1.6e6b788bee7edp-19, -0x1.2cb02f3fd4efap-17, 0x1.1383aa178ad1fp-15, -0x1.24bdedb140ccep-13, 0x1.81bb39793a048p-11, -0x1.6cd23ac7d4781p-8,
        0x1.a7520dfb3f9a2p-4, 0x1.5cf785b4a0203p+0);
}

/* For a = |x|: small + large * exp(a) / sqrt(a), or both terms times exp(-a). */
WN__MATH double wn__bessel_grow(double a, double small, double large) {
    double t;
    wn__dd p = wn__exp_dd(a > 720.0 ? 720.0 : a, 0.0, &t);
    double b = a < 720.0 ? a : 720.0, far = wn__scale_f64(large / __builtin_sqrt(b > 8.0 ? b : 8.0) * (p.hi + p.lo), t);
    return wn__sel_f64(a < 8.0, small, far);
}
WN__MATH double wn__bessel_scaled(double a, double small, double large) {
    double y = wn__sel_f64(a < 8.0, small * wn__exp_f64(-a), large / __builtin_sqrt(a > 8.0 ? a : 8.0));
    return wn__sel_f64(a == a, y, a);
}
WN__MATH double wn__over(double a, double from, double c) { return c / (a > from ? a : from) - 1.0; }

WN__MATH double wn__i0_f64(double x) {
    double a = wn__abs_f64(x), b = a < 8.0 ? a : 8.0;
    return wn__bessel_grow(a, wn__i0_small_f64(0.25 * b * b), wn__i0_large_f64(wn__over(a, 8.0, 16.0)));
}
WN__MATH double wn__i0e_f64(double x) {
    double a = wn__abs_f64(x), b = a < 8.0 ? a : 8.0;
    return wn__bessel_scaled(a, wn__i0_small_f64(0.25 * b * b), wn__i0_large_f64(wn__over(a, 8.0, 16.0)));
}
WN__MATH double wn__i1_f64(double x) {
    double a = wn__abs_f64(x), b = a < 8.0 ? a : 8.0;
    return wn__sign_f64(wn__bessel_grow(a, 0.5 * b * wn__i1_small_f64(0.25 * b * b), wn__i1_large_f64(wn__over(a, 8.0, 16.0))), x);
}
WN__MATH double wn__i1e_f64(double x) {
    double a = wn__abs_f64(x), b = a < 8.0 ? a : 8.0;
    return wn__sign_f64(wn__bessel_scaled(a, 0.5 * b * wn__i1_small_f64(0.25 * b * b), wn__i1_large_f64(wn__over(a, 8.0, 16.0))), x);
}

/* x <= 0: infinite at 0, NaN below. */
WN__MATH double wn__bessel_k_edges(double y, double x) {
    y = wn__sel_f64(x == 0.0, WN__INF_F64, y);
    y = wn__sel_f64(x < 0.0, WN__NAN_F64, y);
    return wn__sel_f64(x == x, y, x);
}
WN__MATH double wn__k0_near(double b) { return wn__k0_small_f64(0.25 * b * b) - wn__log_f64(0.5 * b) * wn__i0_small_f64(0.25 * b * b); }
WN__MATH double wn__k1_near(double b) {
    double t = 0.25 * b * b;
    return 1.0 / b + b * (wn__k1_small_f64(t) + 0.5 * wn__log_f64(0.5 * b) * wn__i1_small_f64(t));
}
WN__MATH double wn__scaled_modified_bessel_k0_f64(double x) {
    double b = x < 2.0 ? x : 2.0, far = wn__k0_large_f64(wn__over(x, 2.0, 4.0)) / __builtin_sqrt(x);
    return wn__bessel_k_edges(wn__sel_f64(x <= 2.0, wn__k0_near(b) * wn__exp_f64(b), far), x);
}
WN__MATH double wn__scaled_modified_bessel_k1_f64(double x) {
    double b = x < 2.0 ? x : 2.0, far = wn__k1_large_f64(wn__over(x, 2.0, 4.0)) / __builtin_sqrt(x);
    return wn__bessel_k_edges(wn__sel_f64(x <= 2.0, wn__k1_near(b) * wn__exp_f64(b), far), x);
}
WN__MATH double wn__modified_bessel_k0_f64(double x) {
    double b = x < 2.0 ? x : 2.0, far = wn__exp_f64(-x) * (wn__k0_large_f64(wn__over(x, 2.0, 4.0)) / __builtin_sqrt(x));
    return wn__bessel_k_edges(wn__sel_f64(x <= 2.0, wn__k0_near(b), far), x);
}
WN__MATH double wn__modified_bessel_k1_f64(double x) {
    double b = x < 2.0 ? x : 2.0, far = wn__exp_f64(-x) * (wn__k1_large_f64(wn__over(x, 2.0, 4.0)) / __builtin_sqrt(x));
    return wn__bessel_k_edges(wn__sel_f64(x <= 2.0, wn__k1_near(b), far), x);
}

/* The scaled ones in f32. For a = |x| < 6: 1 / (1 + a (1 + Q(a))) and a / (2 + a (2 + a (3/4 + Q(a)))) with small
 * quotients Q. Above: (1 + P(6 / a)) / sqrt(2 pi a). Q and P are small, so floats do; the rest is double. */
WN__MATH float wn__i0e_n_f32(float a) {
    return WN__HORNER(wn__fma_f32, a, -0x1.a460e6p-9f, 0x1.5bfa02p-7f, -0x1.2159c2p-4f, 0x1.0000e8p-2f, -0x1.934674p-22f);
}
WN__MATH float wn__i0e_d_f32(float a) {
    return WN__HORNER(wn__fma_f32, a, -0x1.87ce30p-15f, 0x1.6d46cep-8f, 0x1.1e51e6p-7f, 0x1.a45528p-3f, 0x1.a02196p-5f, 0x1.000000p+0f);
}
WN__MATH float wn__i0e_large_f32(float v) {
    return WN__HORNER(wn__fma_f32, v, -0x1.d74152p-14f, 0x1.decc8cp-12f, -0x1.1cad3ep-11f, 0x1.c8bd70p-12f, 0x1.e6ab84p-13f, 0x1.0206aep-9f,
        0x1.5551d8p-6f, 0x1.6ca872p-26f);
}
WN__MATH float wn__i1e_n_f32(float a) {
    return WN__HORNER(wn__fma_f32, a, -0x1.9f6786p-12f, 0x1.fcdda8p-11f, -0x1.bce0ecp-7f, 0x1.557654p-4f, -0x1.3be834p-18f);
}
WN__MATH float wn__i1e_d_f32(float a) {
    return WN__HORNER(wn__fma_f32, a, 0x1.ab1bfap-11f, 0x1.84d978p-8f, 0x1.51f090p-4f, 0x1.688100p-4f, 0x1.000000p+0f);
}
WN__MATH float wn__i1e_large_f32(float v) {
    return WN__HORNER(wn__fma_f32, v, 0x1.ec010ap-14f, -0x1.01266ap-11f, 0x1.32352ep-11f, -0x1.025ba4p-11f, -0x1.76066ap-12f, -0x1.acec18p-9f,
        -0x1.fffe0ap-5f, 0x1.7f5d2ap-28f);
}
WN__MATH float wn__i0e_f32(float x) {
    float a = wn__abs_f32(x), b = a < 6.0f ? a : 6.0f, c = a > 6.0f ? a : 6.0f;
    float q = a < 6.0f ? wn__i0e_n_f32(b) / wn__i0e_d_f32(b) : wn__i0e_large_f32(6.0f / c);
    double v = (double)a, p = 1.0 + (double)q, root = __builtin_sqrt(v * 0x1.921fb54442d18p+2);
    return (float)(wn__sel_f64(v < 6.0, 1.0, p) / wn__sel_f64(v < 6.0, wn__fma_f64(v, p, 1.0), root));
}
WN__MATH float wn__i1e_f32(float x) {
    float a = wn__abs_f32(x), b = a < 6.0f ? a : 6.0f, c = a > 6.0f ? a : 6.0f;
    float q = a < 6.0f ? wn__i1e_n_f32(b) / wn__i1e_d_f32(b) : wn__i1e_large_f32(6.0f / c);
    double v = (double)a, p = (double)q, root = __builtin_sqrt(v * 0x1.921fb54442d18p+2);
    double d = wn__fma_f64(v, wn__fma_f64(v, 0.75 + p, 2.0), 2.0);
    return wn__sign_f32((float)(wn__sel_f64(v < 6.0, v, 1.0 + p) / wn__sel_f64(v < 6.0, d, root)), x);
}

#define WN__ROUNDED(f) \
    WN__MATH float wn__##f##_f32(float x) { return (float)wn__##f##_f64((double)x); }
WN__ROUNDED(i0)
WN__ROUNDED(i1)
WN__ROUNDED(scaled_modified_bessel_k0)
WN__ROUNDED(scaled_modified_bessel_k1)
WN__ROUNDED(modified_bessel_k0)
WN__ROUNDED(modified_bessel_k1)

/* sin(x) / x; 0 at infinities */
WN__MATH double wn__spherical_bessel_j0_f64(double x) {
    double y = wn__sel_f64(x == 0.0, 1.0, wn__sin_f64(x) / x);
    return wn__sel_f64(wn__abs_f64(x) == WN__INF_F64, 0.0, y);
}
WN__ROUNDED(spherical_bessel_j0)
#endif
