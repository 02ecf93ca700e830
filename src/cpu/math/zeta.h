/* Hurwitz' zeta function and the derivatives of digamma, f32 and f64. Scalar: their sums have as many terms as they need;
 * but psi' vectorises. */
#ifndef WN_MATH_ZETA_H
#define WN_MATH_ZETA_H
#include "base.h"
#include "gamma.h"
#include "pow.h"
#include "round.h"

/* Sum of (q + k)^-s, s > 1, q > 0: the terms below q + k = 10 + s (or until they no longer count), the rest by Euler and Maclaurin. */
static inline double wn__zeta_positive(double s, double q) {
    static const double b[] = {0x1.5555555555555p-4,   -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15,  -0x1.bbd779334ef0bp-21,
                               0x1.66a8f2bf70ebep-26,  -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37,  -0x1.7da4e1f79955cp-42,
                               0x1.355871d652e9ep-47,  -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58,  -0x1.497d9033a2b5cp-63}; /* B_2k / (2k)! */
    const double from = 10.0 + s;
    double sum = 0.0;
    while (q < from) {
        const double t = wn__pow_f64(q, -s);
        sum += t;
        q += 1.0;
        if (!(t > sum * 0x1p-60)) return sum; /* infinite, too */
    }
    const double last = wn__pow_f64(q, -s), r = 1.0 / (q * q);
    double f = s / q, tail = q / (s - 1.0) + 0.5;
    for (int k = 0; k < 12; k++) {
        const double t = b[k] * f;
        tail += t;
        if (wn__abs_f64(t) < tail * 0x1p-58) break;
        f *= (s + (2 * k + 1)) * (s + (2 * k + 2)) * r;
    }
    return sum + last * tail;
}
/* q < 0 for whole s: the terms on either side of 0. Poles are infinite. */
static inline double wn__zeta_f64(double s, double q) {
    if (s != s || q != q) return s + q;
    if (s == 1.0) return WN__INF_F64;
    if (s < 1.0) return WN__NAN_F64;
    if (q > 0.0) return q == WN__INF_F64 ? 0.0 : wn__zeta_positive(s, q);
    if (q == wn__round_f64(q)) return WN__INF_F64;
    if (s != wn__round_f64(s)) return WN__NAN_F64;
    const double f = q - wn__floor_f64(q), odd = s - 2.0 * wn__floor_f64(0.5 * s);
    const double below = wn__zeta_positive(s, 1.0 - f) - wn__zeta_positive(s, 1.0 - q);
    return wn__zeta_positive(s, f) + (odd == 0.0 ? below : -below);
}
static inline float wn__zeta_f32(float s, float q) { return (float)wn__zeta_f64((double)s, (double)q); }

/* psi'(x) = 1/x + 1/2x^2 + z/x (1/6 - z/30 + ...), z = 1/x^2 <= 1/64 */
WN__MATH double wn__trigamma_series_f64(double z) {
    double p = 0x1.b7a5f47721ecbp-1;
    p = wn__fma_f64(p, z, -0x1.f9d9c7216c73ap-3);
    p = wn__fma_f64(p, z, 0x1.360bc3ac05fb3p-4);
    p = wn__fma_f64(p, z, -0x1.11105c888595ep-5);
    p = wn__fma_f64(p, z, 0x1.86186098270b1p-6);
    p = wn__fma_f64(p, z, -0x1.11111110f37eep-5);
    p = wn__fma_f64(p, z, 0x1.5555555555551p-3);
    return p;
}
WN__MATH double wn__two_squares(double a, double b) { return (a * a + b * b) / (a * a * (b * b)); } /* 1/a^2 + 1/b^2 */
/* x > 0. Below 8 the series at x + 8, and the sum of 1 / (x + i)^2. */
WN__MATH double wn__trigamma_right(double x) {
    double b = wn__sel_f64(x < 8.0, x, 1.0), i = 1.0 / (x + wn__sel_f64(x < 8.0, 8.0, 0.0)), z = i * i;
    double sum = (wn__two_squares(b + 6.0, b + 7.0) + wn__two_squares(b + 4.0, b + 5.0)) + wn__two_squares(b + 2.0, b + 3.0);
    sum = wn__sel_f64(x < 8.0, sum, 0.0) + (wn__fma_f64(i * z, wn__trigamma_series_f64(z), 0.5 * z) + i);
    sum += wn__sel_f64(x < 8.0, 1.0 / ((b + 1.0) * (b + 1.0)), 0.0);
    return sum + wn__sel_f64(x < 8.0, 1.0 / (b * b), 0.0);
}
/* The short way of polygamma: n = 1. Left of 0 (pi / sin(pi x))^2 - psi'(1 - x). */
WN__MATH int wn__polygamma_is_near_f64(double x, double n) { return (n == 1.0) & (x == x); }
WN__MATH double wn__polygamma_near_f64(double x, double n) {
    double y = wn__trigamma_right(wn__sel_f64(x > 0.0, x, 1.0 - x)), r = wn__sel_f64(wn__abs_f64(x) < 0x1p60, x - wn__round_f64(x), 0.0);
    double t = r * 3.1415926535897932, z = t * t, c = wn__fma_f64(z, wn__sinpi_tail_f64(z), -0x1.5555555555555p-3);
    double s = wn__fma_f64(t * z, c, t), q = 3.1415926535897932 / s;
    (void)n;
    return wn__sel_f64(x > 0.0, y, q * q - y);
}
WN__MATH int wn__polygamma_is_near_f32(float x, float n) { return (n == 1.0f) & (x == x); }
WN__MATH float wn__polygamma_near_f32(float x, float n) { return (float)wn__polygamma_near_f64((double)x, (double)n); }
/* (-1)^(n + 1) n! zeta(n + 1, x), n >= 1 */
static inline double wn__polygamma_f64(double x, double n) {
    double factorial = 1.0;
    if (wn__polygamma_is_near_f64(x, n)) return wn__polygamma_near_f64(x, n);
    for (double k = 2.0; k <= n && k < 172.0; k += 1.0) factorial *= k;
    const double odd = n - 2.0 * wn__floor_f64(0.5 * n), y = (n > 170.0 ? WN__INF_F64 : factorial) * wn__zeta_f64(n + 1.0, x);
    return odd == 0.0 ? -y : y;
}
static inline float wn__polygamma_f32(float x, float n) { return (float)wn__polygamma_f64((double)x, (double)n); }
#endif
