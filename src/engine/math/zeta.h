/* Hurwitz' zeta function and the derivatives of digamma, f32 (computed in f64) and f64: sums with as many terms as they
 * need, by blocks of elements (lanes.h). */
#ifndef WN_MATH_ZETA_H
#define WN_MATH_ZETA_H
#include "engine/math/base.h"
#include "engine/math/gamma.h"
#include "engine/math/lanes.h"
#include "engine/math/pow.h"
#include "engine/math/round.h"

/* t = q^-s: for whole s from 2 to 7 by products in two words, else as pow does, for f32 results by a shorter method. */
WN__MATH int wn__few_factors(double q, double s) { return (s == wn__round_f64(s)) & (s >= 2.0) & (s < 8.0) & (q > 0x1p-100) & (q < 0x1p100); }
WN__MATH double wn__short_power(double q, double s) {
    const double odd = wn__sel_f64(s - 2.0 * wn__floor_f64(0.5 * s) > 0.0, q, 1.0), half = s >= 4.0 ? s - 4.0 : s;
    wn__dd p = wn__2prod(q, q), r = {odd, 0.0}, one = {1.0, 0.0};
    r = wn__dd_sel(half >= 2.0, wn__dd_mul(p, r), r);
    r = wn__dd_sel(s >= 4.0, wn__dd_mul(wn__dd_mul(p, p), r), r);
    const double i = 1.0 / r.hi;
    return i + wn__quot_rest(one, r, i, i);
}
WN__MATH double wn__lite_power(double q, double s) {
    double e, f = wn__split_f64(q, &e) - 1.0, r = f / (2.0 + f), y = s * wn__fma_f64(r, wn__log2_lite_f64(r * r), e), p = wn__clamp_f64(y, -1020.0, 1020.0);
    const double t = p + WN__RND_F64, v = wn__exp2_lite_f64(p - (t - WN__RND_F64)) * wn__pow2_f64(t);
    return wn__sel_f64(y == p, v, y < p ? 0.0 : WN__INF_F64);
}
static void wn__zeta_powers(int n, double *restrict t, const double *restrict q, const double *restrict s, bool single) {
    int few = 0;
    for (int i = 0; i < n; i++) few += wn__few_factors(q[i], s[i]);
    if (few < n && single)
        for (int i = 0; i < n; i++) t[i] = wn__lite_power(q[i], -s[i]);
    else if (few < n)
        for (int i = 0; i < n; i++) t[i] = wn__pow_f64(q[i], -s[i]);
    if (few)
        for (int i = 0; i < n; i++) {
            const double y = wn__short_power(wn__few_factors(q[i], s[i]) ? q[i] : 1.0, s[i]);
            t[i] = wn__few_factors(q[i], s[i]) ? y : t[i];
        }
}

/* Sum of (q + k)^-s, s > 1, q > 0: the terms below q + k = 10 + s (or until they no longer count), the rest by Euler and Maclaurin. */
static void wn__zeta_positive(int n, double *restrict sum, const double *restrict s, const double *restrict first, bool single) {
    static const double b[] = {0x1.5555555555555p-4,   -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15,  -0x1.bbd779334ef0bp-21,
                               0x1.66a8f2bf70ebep-26,  -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37,  -0x1.7da4e1f79955cp-42,
                               0x1.355871d652e9ep-47,  -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58,  -0x1.497d9033a2b5cp-63}; /* B_2k / (2k)! */
    double q[WN__MANY_MOST] = {0}, t[WN__MANY_MOST], end[WN__MANY_MOST], more = 1.0; /* end: where terms stop; below 0: nothing follows them */
    for (int i = 0; i < n; i++) q[i] = first[i], sum[i] = 0.0, end[i] = 10.0 + s[i];
    while (more > 0.0) {
        more = 0.0;
        wn__zeta_powers(n, t, q, s, single);
        for (int i = 0; i < n; i++) {
            const double on = wn__sel_f64(q[i] < end[i], 1.0, 0.0), y = wn__sel_f64(on > 0.0, sum[i] + t[i], sum[i]);
            sum[i] = y;
            q[i] += on;
            end[i] = wn__sel_f64((on > 0.0) & !(t[i] > y * 0x1p-60), -1.0, end[i]); /* infinite, too */
        }
        for (int i = 0; i < n; i++) more += wn__sel_f64(q[i] < end[i], 1.0, 0.0);
    }
    wn__zeta_powers(n, t, q, s, single);
    for (int at = 0; at < n; at += WN__IN_VECTOR) {
        const wn__lanes v = wn__lanes_at(s + at), u = wn__lanes_at(q + at), y = wn__lanes_at(sum + at), r = 1.0 / (u * u);
        wn__lanes f = v / u, tail = u / (v - 1.0) + 0.5;
        for (int k = 0; k < 12; k++) {
            tail += b[k] * f;
            f *= (v + (2.0 * k + 1.0)) * (v + (2.0 * k + 2.0)) * r;
        }
        wn__lanes_to(sum + at, wn__lanes_sel(wn__lanes_at(end + at) < 0.0, y, y + wn__lanes_at(t + at) * tail));
    }
}
/* q < 0 for whole s: the terms on either side of 0. Poles are infinite. */
static void wn__zeta_many(int n, double *restrict out, const double *restrict s, const double *restrict q, bool single) {
    double v[WN__MANY_MOST] = {0}, u[WN__MANY_MOST] = {0}, w[WN__MANY_MOST];
    bool below = false;
    for (int i = 0; i < n; i++) {
        const double f = q[i] - wn__floor_f64(q[i]);
        v[i] = wn__sel_f64(s[i] > 1.0, s[i], 2.0);
        u[i] = wn__sel_f64(q[i] > 0.0, q[i], f > 0.0 ? f : 1.0);
        u[i] = wn__sel_f64(wn__abs_f64(q[i]) < WN__INF_F64, u[i], 1.0);
        below |= q[i] < 0.0 && s[i] > 1.0;
    }
    wn__zeta_positive(n, out, v, u, single);
    if (below) {
        double near[WN__MANY_MOST];
        for (int i = 0; i < n; i++) u[i] = q[i] < 0.0 && u[i] < 1.0 ? 1.0 - u[i] : 1.0;
        wn__zeta_positive(n, near, v, u, single);
        for (int i = 0; i < n; i++) u[i] = ((q[i] < 0.0) & (q[i] > -WN__INF_F64)) ? 1.0 - q[i] : 1.0;
        wn__zeta_positive(n, w, v, u, single);
        for (int i = 0; i < n; i++) {
            const double odd = v[i] - 2.0 * wn__floor_f64(0.5 * v[i]), y = near[i] - w[i];
            out[i] = q[i] < 0.0 ? out[i] + (odd == 0.0 ? y : -y) : out[i];
        }
    }
    for (int i = 0; i < n; i++) {
        double y = q[i] == WN__INF_F64 ? 0.0 : out[i], left = s[i] != wn__round_f64(s[i]) ? WN__NAN_F64 : y;
        left = q[i] == wn__round_f64(q[i]) ? WN__INF_F64 : left;
        y = q[i] > 0.0 ? y : left;
        y = s[i] < 1.0 ? WN__NAN_F64 : y;
        y = s[i] == 1.0 ? WN__INF_F64 : y;
        out[i] = ((s[i] == s[i]) & (q[i] == q[i])) ? y : s[i] + q[i];
    }
}

/* psi'(x) = 1/x + 1/2x^2 + z/x (1/6 - z/30 + ...), z = 1/x^2 <= 1/64 */
WN__MATH double wn__trigamma_series_f64(double z) {
    return WN__HORNER(wn__fma_f64, z, 0x1.b7a5f47721ecbp-1, -0x1.f9d9c7216c73ap-3, 0x1.360bc3ac05fb3p-4, -0x1.11105c888595ep-5, 0x1.86186098270b1p-6,
        -0x1.11111110f37eep-5, 0x1.5555555555551p-3);
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
/* psi'(x): left of 0 (pi / sin(pi x))^2 - psi'(1 - x) */
WN__MATH double wn__trigamma_f64(double x) {
    double y = wn__trigamma_right(wn__sel_f64(x > 0.0, x, 1.0 - x)), r = wn__sel_f64(wn__abs_f64(x) < 0x1p60, x - wn__round_f64(x), 0.0);
    double t = r * 3.1415926535897932, z = t * t, c = wn__fma_f64(z, wn__sinpi_tail_f64(z), -0x1.5555555555555p-3);
    double s = wn__fma_f64(t * z, c, t), q = 3.1415926535897932 / s;
    return wn__sel_f64(x > 0.0, y, q * q - y);
}
/* n = 1: psi'; above (-1)^(n + 1) n! zeta(n + 1, x) */
static void wn__polygamma_many(int count, double *restrict out, const double *restrict x, const double *restrict n, bool single) {
    double s[WN__MANY_MOST], factor[WN__MANY_MOST], known = 0.0, product = 1.0;
    int higher = 0;
    for (int i = 0; i < count; i++) higher += n[i] != 1.0;
    if (higher) {
        for (int i = 0; i < count; i++) s[i] = n[i] + 1.0;
        wn__zeta_many(count, out, s, x, single);
    }
    for (int i = 0; i < count; i++) {
        if (n[i] != known) {
            const double odd = n[i] - 2.0 * wn__floor_f64(0.5 * n[i]);
            known = n[i], product = n[i] > 170.0 ? WN__INF_F64 : 1.0;
            for (double k = 2.0; k <= n[i] && k < 172.0; k += 1.0) product *= k;
            product = odd == 0.0 ? -product : product;
        }
        factor[i] = product;
    }
    if (higher)
        for (int i = 0; i < count; i++) s[i] = out[i] * factor[i];
    if (higher < count)
        for (int i = 0; i < count; i++) out[i] = wn__trigamma_f64(x[i]);
    if (higher)
        for (int i = 0; i < count; i++) out[i] = ((n[i] == 1.0) & (x[i] == x[i])) ? out[i] : s[i];
}
#endif
