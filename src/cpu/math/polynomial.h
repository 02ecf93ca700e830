/* Orthogonal polynomials of degree n (a number, cut to an integer) at x, f32 and f64. Scalar: recurrences; the f32 forms round the f64
 * ones. A negative degree gives 0. */
#ifndef WN_MATH_POLYNOMIAL_H
#define WN_MATH_POLYNOMIAL_H
#include "atrig.h"
#include "base.h"
#include "hyper.h"
#include "round.h"
#include "trig.h"

enum { WN__CHEBYSHEV_T, WN__CHEBYSHEV_U, WN__CHEBYSHEV_V, WN__CHEBYSHEV_W };
/* Chebyshev's four, x >= 0: p_k+1 = 2x p_k - p_k-1 up to degree 64, above in angles (x = cos t, or cosh t). */
static inline double wn__chebyshev_right(int kind, double x, double n) {
    if (x == 1.0) return kind == WN__CHEBYSHEV_U ? n + 1.0 : kind == WN__CHEBYSHEV_W ? 2.0 * n + 1.0 : 1.0;
    if (n > 64.0) {
        const double m = kind == WN__CHEBYSHEV_T ? n : kind == WN__CHEBYSHEV_U ? n + 1.0 : n + 0.5;
        if (x < 1.0) {
            const double t = wn__acos_f64(x);
            if (kind == WN__CHEBYSHEV_T) return wn__cos_f64(m * t);
            if (kind == WN__CHEBYSHEV_U) return wn__sin_f64(m * t) / wn__sin_f64(t);
            return kind == WN__CHEBYSHEV_V ? wn__cos_f64(m * t) / wn__cos_f64(0.5 * t) : wn__sin_f64(m * t) / wn__sin_f64(0.5 * t);
        }
        const double t = wn__acosh_f64(x);
        if (kind == WN__CHEBYSHEV_T) return wn__cosh_f64(m * t);
        if (kind == WN__CHEBYSHEV_U) return wn__sinh_f64(m * t) / wn__sinh_f64(t);
        return kind == WN__CHEBYSHEV_V ? wn__cosh_f64(m * t) / wn__cosh_f64(0.5 * t) : wn__sinh_f64(m * t) / wn__sinh_f64(0.5 * t);
    }
    double p = 1.0, q = kind == WN__CHEBYSHEV_T ? x : 2.0 * x + (kind == WN__CHEBYSHEV_V ? -1.0 : kind == WN__CHEBYSHEV_W ? 1.0 : 0.0);
    if (n < 1.0) return p;
    for (double k = 1.0; k < n; k += 1.0) {
        const double r = 2.0 * x * q - p;
        p = q;
        q = r;
    }
    return q;
}
/* On the left they are the same, V and W changed for each other, with (-1)^n. */
static inline double wn__chebyshev(int kind, double x, double n) {
    n = wn__trunc_f64(n);
    if (n != n || x != x) return n + x;
    if (n < 0.0) return 0.0;
    if (x >= 0.0) return wn__chebyshev_right(kind, x, n);
    const int other = kind == WN__CHEBYSHEV_V ? WN__CHEBYSHEV_W : kind == WN__CHEBYSHEV_W ? WN__CHEBYSHEV_V : kind;
    const double y = wn__chebyshev_right(other, -x, n), half = 0.5 * n;
    return half == wn__floor_f64(half) ? y : -y;
}
/* p_k+1 = (a x + b) p_k - c p_k-1 from p_0 = 1 and p_1 = q; NaN above degree `most`. */
enum { WN__HERMITE_H, WN__HERMITE_HE, WN__LAGUERRE, WN__LEGENDRE };
static inline double wn__recurrence(int kind, double x, double n, double most) {
    n = wn__trunc_f64(n);
    if (n != n || x != x) return n + x;
    if (n < 0.0) return 0.0;
    if (n < 1.0 || (kind == WN__LAGUERRE && x == 0.0)) return 1.0;
    if (kind == WN__LEGENDRE && wn__abs_f64(x) == 1.0) return x > 0.0 || 0.5 * n == wn__floor_f64(0.5 * n) ? 1.0 : -1.0;
    if (n > most) return WN__NAN_F64;
    double p = 1.0, q = kind == WN__HERMITE_H ? 2.0 * x : kind == WN__LAGUERRE ? 1.0 - x : x;
    for (double k = 1.0; k < n && q == q; k += 1.0) {
        double r;
        switch (kind) {
        case WN__HERMITE_H: r = 2.0 * (x * q - k * p); break;
        case WN__HERMITE_HE: r = x * q - k * p; break;
        case WN__LAGUERRE: r = ((2.0 * k + 1.0 - x) * q - k * p) / (k + 1.0); break;
        default: r = ((2.0 * k + 1.0) * x * q - k * p) / (k + 1.0);
        }
        p = q;
        q = r;
    }
    return q;
}

#define WN__CHEBYSHEV(name, kind)                                                                                                                  \
    static inline double wn__chebyshev_polynomial_##name##_f64(double x, double n) { return wn__chebyshev(kind, x, n); }                            \
    static inline float wn__chebyshev_polynomial_##name##_f32(float x, float n) { return (float)wn__chebyshev(kind, (double)x, (double)n); }        \
    static inline double wn__shifted_chebyshev_polynomial_##name##_f64(double x, double n) { return wn__chebyshev(kind, x + x - 1.0, n); }          \
    static inline float wn__shifted_chebyshev_polynomial_##name##_f32(float x, float n) { return (float)wn__chebyshev(kind, 2.0 * (double)x - 1.0, (double)n); }
WN__CHEBYSHEV(t, WN__CHEBYSHEV_T)
WN__CHEBYSHEV(u, WN__CHEBYSHEV_U)
WN__CHEBYSHEV(v, WN__CHEBYSHEV_V)
WN__CHEBYSHEV(w, WN__CHEBYSHEV_W)
#define WN__RECURRENCE(name, kind, most32, most64)                                                                                                 \
    static inline double wn__##name##_f64(double x, double n) { return wn__recurrence(kind, x, n, most64); }                                        \
    static inline float wn__##name##_f32(float x, float n) { return (float)wn__recurrence(kind, (double)x, (double)n, most32); }
WN__RECURRENCE(hermite_polynomial_h, WN__HERMITE_H, 128.0, 512.0)
WN__RECURRENCE(hermite_polynomial_he, WN__HERMITE_HE, 128.0, 512.0)
WN__RECURRENCE(laguerre_polynomial_l, WN__LAGUERRE, 1e6, 1e6)
WN__RECURRENCE(legendre_polynomial_p, WN__LEGENDRE, 1e6, 1e6)
#endif
