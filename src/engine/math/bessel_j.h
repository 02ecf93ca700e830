/* Bessel functions J0, J1, Y0, Y1, f32 and f64, of blocks of elements (lanes.h): only what some element needs is
 * computed. The f32 forms round the f64 ones.
 *
 * x < 8: a polynomial in x^2 (Y: beside 2/pi log(x) J). Above: sqrt(2 / (pi x)) (P cos(t) - Q sin(t)), t = x - pi/4 (J1: - 3 pi/4), with
 * P and Q polynomials in 1 / x^2. Next to a zero the absolute error stays (2^-53). */
#ifndef WN_MATH_BESSEL_J_H
#define WN_MATH_BESSEL_J_H
#include "engine/math/base.h"
#include "engine/math/lanes.h"
#include "engine/math/log.h"
#include "engine/math/trig.h"

WN__MATH double wn__j0_small_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.4bc7d504c4779p-52, -0x1.9a167d13eff04p-47, 0x1.c1535dd2da30cp-42, -0x1.b3bee53f459bep-37,
        0x1.71d150fb8ef66p-32, -0x1.0ff8a9ab93ae9p-27, 0x1.56a7a2d8f3018p-23, -0x1.6cc5264a684c2p-19, 0x1.42bc903372622p-15, -0x1.d11773b361daap-12,
        0x1.09f3448afe526p-8, -0x1.d27f3cd0c2e4dp-6, 0x1.2afc33916d953p-3, -0x1.03d2da095b4e5p-1, 0x1.09d33c82734c7p+0, -0x1.9dbdd0f268edep-1,
        -0x1.4c042a76a3d9ap-1, 0x1.dc5071f1209f4p-1, 0x1.776fc5f84e280p-5);
}
WN__MATH double wn__j1_small_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.1d7653b863c36p-57, -0x1.755817e3d32fdp-52, 0x1.b28898084cbe5p-47, -0x1.c153468aa31f1p-42,
        0x1.98837cb9fa303p-37, -0x1.439726e5a9b2cp-32, 0x1.b9f4137764ee4p-28, -0x1.00fdba22b21ddp-23, 0x1.f58f14a67249dp-20, -0x1.936bb4404efecp-16,
        0x1.059d3114e6ffcp-12, -0x1.09f3448afe526p-9, 0x1.982f5536aa884p-7, -0x1.c07a4d5a245fdp-5, 0x1.44c7908bb221ep-3, -0x1.09d33c82734c7p-2,
        0x1.364e5cb5ceb27p-3, 0x1.4c042a76a3d9ap-4, -0x1.dc5071f1209f4p-5);
}
WN__MATH double wn__y0_small_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.16c03d2ce4d53p-56, -0x1.7b03068b6398dp-51, 0x1.cb85baf4f7736p-46, -0x1.effd0dae1942ep-41,
        0x1.d7cb2da6a2b9ap-36, -0x1.88011abf8ccbdp-31, 0x1.1998aaae8ab26p-26, -0x1.5995ab1ecb8ebp-22, 0x1.651b8eda1e007p-18, -0x1.31537c5ccd79bp-14,
        0x1.a6a8c6c983768p-11, -0x1.cc706012361fbp-8, 0x1.7bd6bf2ce921bp-5, -0x1.c06cc647f6aa5p-3, 0x1.5827981135a27p-1, -0x1.13da2b14a486ep+0,
        0x1.272bb3b608b42p-3, 0x1.a5a81d661f788p+0, -0x1.a828bfbfdc936p-1, -0x1.876cb72f1c7ebp-2);
}
WN__MATH double wn__y1_small_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.ca0b26272d4b7p-62, -0x1.48a4bceda3603p-56, 0x1.a60175d505701p-51, -0x1.e4119f610e165p-46,
        0x1.eb63f14e86202p-41, -0x1.b5d40eabfc57ap-36, 0x1.532f684842176p-31, -0x1.c3f1d8ed7edacp-27, 0x1.ff34fc773196bp-23, -0x1.e35169de5c789p-19,
        0x1.76c164b855154p-15, -0x1.d1604f9ccacf4p-12, 0x1.c097bb98fdbc5p-9, -0x1.4198f92a31f2bp-6, 0x1.41bb6917b15dbp-4, -0x1.923952d7c42a6p-3,
        0x1.e16d7a1d07b70p-3, 0x1.7edab31507d03p-6, -0x1.f26fddceafd0ep-3, 0x1.21d516f81acf6p-4);
}
WN__MATH double wn__bessel_p0_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, -0x1.c069f735e546bp-44, 0x1.84af4636361c8p-42, -0x1.202eebd60118fp-40, 0x1.48f9107204609p-38,
        -0x1.b61b041673af4p-36, 0x1.54fcfbe0d21d2p-33, -0x1.4d2ee46242c16p-30, 0x1.b7eef544a532bp-27, -0x1.b8d2d704d2b18p-23, 0x1.9be00162243f2p-18,
        -0x1.193600c1deaf5p-11, 0x1.ffb8dd328503dp-1);
}
WN__MATH double wn__bessel_q0_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.af40b7d730be9p-41, -0x1.5f47b71b67defp-39, 0x1.d0fb049111529p-38, -0x1.eb3e6f499fb4fp-36,
        0x1.2bfa269d9fc7ap-33, -0x1.a0bf5fd26cba0p-31, 0x1.61a4b894c2564p-28, -0x1.858ce1d180eecp-25, 0x1.3135a8bb033e2p-21, -0x1.8c84352d4cb32p-17,
        0x1.1e9a6138feca3p-11, -0x1.fdb5c0b2f3d52p-4);
}
WN__MATH double wn__bessel_p1_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, 0x1.dde5dde7cb9e7p-44, -0x1.9ff0a24f0037cp-42, 0x1.36c270d92edadp-40, -0x1.64ed30aee0da2p-38,
        0x1.def6f85bc84aap-36, -0x1.78d9f27272be1p-33, 0x1.75eaa5af5f996p-30, -0x1.f9615293f7a4dp-27, 0x1.07762648d93e0p-22, -0x1.0b1541c06b6b1p-17,
        0x1.d73b8ea3c1206p-11, 0x1.003b716033732p+0);
}
WN__MATH double wn__bessel_q1_f64(double v) {
    return WN__HORNER(wn__fma_f64, v, -0x1.ca7047853929ap-41, 0x1.76cd068f18c8dp-39, -0x1.f3bcd622a61f6p-38, 0x1.0967ea5aea313p-35,
        -0x1.463c54c8436e6p-33, 0x1.c96dfccab4bf5p-31, -0x1.8922313823955p-28, 0x1.b92fed357017bp-25, -0x1.642312972b49dp-21, 0x1.e8e009cfdf9b0p-17,
        -0x1.938da0a0a67e3p-11, 0x1.7f323705062f9p-2);
}

/* sin and cos where 8 <= a; elsewhere the results mean nothing. */
static void wn__bessel_sincos(int n, double *restrict s, double *restrict c, const double *restrict a, bool huge) {
    for (int i = 0; i < n && WN__HAS_FMA; i++) wn__sincos_near_f64((a[i] >= 8.0) & wn__sin_is_near_f64(a[i]) ? a[i] : 8.0, &s[i], &c[i]);
    if (huge || !WN__HAS_FMA)
        for (int i = 0; i < n; i++) {
            double fs, fc;
            wn__sincos_f64(((a[i] >= 8.0) & (a[i] < WN__INF_F64)) ? a[i] : 8.0, &fs, &fc);
            s[i] = WN__HAS_FMA ? wn__sel_f64(wn__sin_is_near_f64(a[i]), s[i], fs) : fs;
            c[i] = WN__HAS_FMA ? wn__sel_f64(wn__sin_is_near_f64(a[i]), c[i], fc) : fc;
        }
}
/* b = |x|, at most 8 */
WN__MATH double wn__bessel_small(int order, bool second, double b) {
    const double v = b * b * 0.03125 - 1.0, j = order ? wn__j1_small_f64(v) : wn__j0_small_f64(v);
    if (!second) return order ? b * j : j;
    const double l = 0.63661977236758134 * wn__log_f64(b) * j;
    return order ? b * (wn__y1_small_f64(v) + l) - 0.63661977236758134 / b : wn__y0_small_f64(v) + l;
}
/* b >= 8, s and c its sine and cosine: those of b - pi/4 (b - 3 pi/4) are sums of them, over sqrt 2. */
WN__MATH double wn__bessel_wave(int order, bool second, double b, double s, double c) {
    const double z = 8.0 / b, v = 2.0 * z * z - 1.0, p = order ? wn__bessel_p1_f64(v) : wn__bessel_p0_f64(v);
    const double q = (order ? wn__bessel_q1_f64(v) : wn__bessel_q0_f64(v)) / b, u = order ? s - c : c + s, w = order ? -s - c : s - c;
    return 0.56418958354775629 / __builtin_sqrt(b) * (second ? p * w + q * u : p * u - q * w);
}
WN__MATH void wn__bessel(int order, bool second, int n, double *restrict out, const double *restrict x) {
    double a[WN__MANY_MOST], s[WN__MANY_MOST], c[WN__MANY_MOST];
    bool small = false, large = false, huge = false;
    for (int i = 0; i < n; i++) {
        a[i] = second ? x[i] : wn__abs_f64(x[i]);
        out[i] = 0.0;
        small |= a[i] < 8.0;
        large |= a[i] >= 8.0;
        huge |= !wn__sin_is_near_f64(a[i]);
    }
    if (small)
        for (int i = 0; i < n; i++) out[i] = wn__bessel_small(order, second, a[i] < 8.0 ? a[i] : 8.0);
    if (large) {
        wn__bessel_sincos(n, s, c, a, huge);
        for (int i = 0; i < n; i++) {
            const double y = wn__bessel_wave(order, second, a[i] > 8.0 ? a[i] : 8.0, s[i], c[i]);
            out[i] = wn__sel_f64(a[i] < 8.0, out[i], y);
        }
    }
    for (int i = 0; i < n; i++) {
        double y = wn__sel_f64(a[i] == WN__INF_F64, 0.0, out[i]);
        if (second) { /* x <= 0: -infinity at 0, NaN below */
            y = wn__sel_f64(x[i] == 0.0, -WN__INF_F64, y);
            y = wn__sel_f64(x[i] < 0.0, WN__NAN_F64, y);
        } else if (order) {
            y = wn__flip_f64(y, x[i]);
        }
        out[i] = wn__sel_f64(x[i] == x[i], y, x[i]);
    }
}
#define WN__BESSEL(name, order, second) \
    static void wn__bessel_##name##_many(int n, double *restrict out, const double *restrict x, const double *restrict same, bool single) { \
        (void)same, (void)single, wn__bessel(order, second, n, out, x); }
WN__BESSEL(j0, 0, false)
WN__BESSEL(j1, 1, false)
WN__BESSEL(y0, 0, true)
WN__BESSEL(y1, 1, true)
#endif
