/* The regularised incomplete gamma functions P(a, x) and Q = 1 - P, f32 and f64. Scalar: as many terms as they need.
 *
 * x < a: the series of P; x >= a: the continued fraction of Q; a >= 10^4 around x = a: Temme's uniform expansion, whose number of
 * terms does not grow. What both have in front, x^a exp(-x) / Gamma(a + 1), is formed without cancelling exponents. */
#ifndef WN_MATH_IGAMMA_H
#define WN_MATH_IGAMMA_H
#include "base.h"
#include "erf.h"
#include "exp.h"
#include "gamma.h"
#include "log.h"

/* Not inlined: it is large, and igamma is scalar. */
static __attribute__((noinline, unused)) double wn__lgamma_call(double x) { return wn__lgamma_f64(x); }

/* m - log(1 + m), m > -1 */
static inline double wn__log_rest(double m) {
    if (m > 0.02 || m < -0.02) return m - wn__log1p_f64(m);
    double s = 1.0 / 11.0;
    for (int k = 10; k >= 2; k--) s = 1.0 / (double)k - m * s;
    return m * m * s;
}
/* x^a exp(-x) / Gamma(a + 1), a > 0 */
static inline double wn__igamma_front(double a, double x) {
    if (a < 10.0) return wn__exp_f64(a * wn__log_f64(x) - x - wn__lgamma_call(a + 1.0));
    const double i = 1.0 / a, z = i * i, s = i * (1.0 / 12.0 + z * wn__stirling_f64(z));
    return wn__exp_f64(-a * wn__log_rest((x - a) / a) - s) / __builtin_sqrt(6.2831853071795865 * a);
}
static inline double wn__igamma_series(double a, double x) { /* P */
    double term = 1.0, sum = 1.0;
    for (double n = a + 1.0; term > sum * 0x1p-54; n += 1.0) {
        term *= x / n;
        sum += term;
    }
    return sum * wn__igamma_front(a, x);
}
static inline double wn__igamma_fraction(double a, double x) { /* Q, by Lentz' method */
    double b = x + 1.0 - a, c = 0x1p1000, d = 1.0 / b, h = d;
    for (double i = 1.0; i < 20000.0; i += 1.0) {
        const double n = i * (a - i);
        b += 2.0;
        d = n * d + b;
        d = 1.0 / (d == 0.0 ? 0x1p-1000 : d);
        c = b + n / c;
        c = c == 0.0 ? 0x1p-1000 : c;
        const double step = c * d;
        h *= step;
        if (wn__abs_f64(step - 1.0) < 0x1p-52) break;
    }
    return h * a * wn__igamma_front(a, x);
}
/* Q for x <= 1 and a <= 1, where it is small: 1 - x^a / Gamma(a + 1), less the rest of P's series. */
static inline double wn__igammac_small(double a, double x) {
    const double l = a * wn__log_f64(x) - wn__lgamma_call(a + 1.0);
    double term = 1.0, sum = 0.0;
    for (double n = 1.0; n < 40.0; n += 1.0) {
        term *= -x / n;
        sum += term / (a + n);
    }
    return -wn__expm1_f64(l) - wn__exp_f64(l) * a * sum;
}
/* Large a: Q = erfc(eta sqrt(a/2)) / 2 + exp(-a eta^2 / 2) / sqrt(2 pi a) * sum of C_k(eta) a^-k, eta^2 / 2 = m - log(1 + m). */
static inline double wn__igamma_uniform(double a, double x, int upper) {
    static const double table[4][18] = {
        {-0x1.5555555555555p-2, 0x1.5555555555555p-4, -0x1.e573ac901e574p-7, 0x1.2f684bda12f68p-10,
         0x1.71de3a556c734p-12, -0x1.76e06fec7273bp-13, 0x1.48c5892f7cd83p-15, -0x1.255370652afc1p-19,
         -0x1.f1b22f594c6b5p-20, 0x1.bd6d21e4b4109p-21, -0x1.7b5f9a2d0465cp-23, 0x1.ccf5ceb7f0d9fp-28,
         0x1.6097d55c37c1cp-27, -0x1.2d2197c7a2faap-28, 0x1.f6e66d24d5c8ap-31, -0x1.c0d9b6edf2b0bp-36,
         -0x1.0070a87340428p-34, 0x1.ac9475c463659p-36},
        {-0x1.e573ac901e574p-10, -0x1.c71c71c71c71cp-9, 0x1.5ac056b015ac0p-9, -0x1.0394f6f09e723p-10,
         0x1.af83440e53dbcp-13, -0x1.af83440e53dbcp-22, -0x1.2fa4ae89e5af0p-16, 0x1.00a9cabd6b83ep-17,
         -0x1.b0bdfcc629cbap-20, 0x1.3f59230a8357cp-28, 0x1.280f2cde3f847p-23, -0x1.ee23d0cba8aeep-25,
         0x1.9aa7a30de114cp-27, -0x1.349fbca3a377bp-36},
        {0x1.0ee643b990ee6p-8, -0x1.5f7268edab4c8p-9, 0x1.948b0fcd6e9e0p-11, 0x1.0db20a88f4696p-19,
         -0x1.c253efaa1a932p-14, 0x1.bbf43daf4fe53p-15, -0x1.ac2d05890f2c3p-17, 0x1.26154ae39151dp-25,
         0x1.7058929663937p-20, -0x1.522cb05171911p-21},
        {0x1.547d93b34e2b6p-11, 0x1.e13ce465fa859p-13, -0x1.ebfb188b7ca00p-12, 0x1.18b9b5bf2d984p-12,
         -0x1.3d2a3a29b5d9dp-14, -0x1.0152a1871f27ap-22},
    };
    static const int terms[4] = {18, 14, 10, 6};
    const double m = (x - a) / a, half = wn__log_rest(m), eta = wn__sign_f64(__builtin_sqrt(2.0 * half), m), i = 1.0 / a;
    if (a * half > 745.0) return (m > 0.0) == (upper != 0) ? 0.0 : 1.0;
    double sum = 0.0;
    for (int k = 3; k >= 0; k--) {
        double p = 0.0;
        for (int n = terms[k] - 1; n >= 0; n--) p = p * eta + table[k][n];
        sum = sum * i + p;
    }
    const double rest = wn__exp_f64(-a * half) / __builtin_sqrt(6.2831853071795865 * a) * sum, z = eta * __builtin_sqrt(0.5 * a);
    return upper ? 0.5 * wn__erfc_f64(z) + rest : 0.5 * wn__erfc_f64(-z) - rest;
}
static inline double wn__igamma_either(double a, double x, int upper) {
    const double zero = upper ? 1.0 : 0.0, one = upper ? 0.0 : 1.0; /* where P is 0, 1 */
    if (!(a >= 0.0) || !(x >= 0.0)) return WN__NAN_F64;
    if (a == 0.0) return x > 0.0 ? one : WN__NAN_F64;
    if (x == 0.0) return zero;
    if (a == WN__INF_F64) return x == WN__INF_F64 ? WN__NAN_F64 : zero;
    if (x == WN__INF_F64) return one;
    if (a >= 1e4) return wn__igamma_uniform(a, x, upper);
    if (x <= 1.0 && a <= 1.0 && upper) return wn__igammac_small(a, x);
    if (x < a || x <= 1.0) return upper ? 1.0 - wn__igamma_series(a, x) : wn__igamma_series(a, x);
    return upper ? wn__igamma_fraction(a, x) : 1.0 - wn__igamma_fraction(a, x);
}
static inline double wn__igamma_f64(double a, double x) { return wn__igamma_either(a, x, 0); }
static inline double wn__igammac_f64(double a, double x) { return wn__igamma_either(a, x, 1); }
static inline float wn__igamma_f32(float a, float x) { return (float)wn__igamma_either((double)a, (double)x, 0); }
static inline float wn__igammac_f32(float a, float x) { return (float)wn__igamma_either((double)a, (double)x, 1); }
#endif
