/* The regularised incomplete gamma functions P(a, x) and Q = 1 - P, f32 (in f64) and f64: as many terms as they need, in vectors of elements
 * that go the same way (lanes.h).
 *
 * x < a: the series of P; x >= a: the continued fraction of Q; a >= 10^4 around x = a: Temme's uniform expansion, whose number of
 * terms does not grow. What both have in front, x^a exp(-x) / Gamma(a + 1), is formed without cancelling exponents. */
#ifndef WN_MATH_IGAMMA_H
#define WN_MATH_IGAMMA_H
#include "engine/math/base.h"
#include "engine/math/erf.h"
#include "engine/math/exp.h"
#include "engine/math/gamma.h"
#include "engine/math/lanes.h"
#include "engine/math/log.h"

/* m - log(1 + m), m > -1 */
WN__MATH double wn__log_rest(double m) {
    double s = 1.0 / 11.0;
    WN__WRITE_OUT for (int k = 10; k >= 2; k--) s = 1.0 / (double)k - m * s;
    return wn__sel_f64(wn__abs_f64(m) > 0.02, m - wn__log1p_f64(m), m * m * s);
}
/* out: a log(x) - log Gamma(a + 1), 0 < a < 10 */
static void wn__igamma_power(int n, double *restrict out, const double *restrict a, const double *restrict x) {
    for (int i = 0; i < n; i++) out[i] = wn__lgamma_near_f64(wn__sel_f64(a[i] < 10.0, a[i], 1.0) + 1.0);
    for (int i = 0; i < n; i++) out[i] = a[i] * wn__log_f64(x[i]) - out[i];
}
/* y times x^a exp(-x) / Gamma(a + 1), a > 0 */
static void wn__igamma_front(int n, double *restrict y, const double *restrict a, const double *restrict x) {
    double e[WN__MANY_MOST], least = 10.0, most = 0.0;
    for (int i = 0; i < n; i++) {
        least = a[i] < least ? a[i] : least;
        most = a[i] > most ? a[i] : most;
    }
    if (least < 10.0) {
        wn__igamma_power(n, e, a, x);
        for (int i = 0; i < n; i++) e[i] -= x[i];
    }
    if (most >= 10.0)
        for (int i = 0; i < n; i++) {
            const double v = 1.0 / a[i], z = v * v, s = v * (1.0 / 12.0 + z * wn__stirling_f64(z)), far = -a[i] * wn__log_rest((x[i] - a[i]) / a[i]) - s;
            e[i] = wn__sel_f64(a[i] < 10.0, e[i], far);
            y[i] *= wn__sel_f64(a[i] < 10.0, 1.0, 1.0 / __builtin_sqrt(6.2831853071795865 * a[i]));
        }
    for (int i = 0; i < n; i++) y[i] *= wn__exp_f64(e[i]);
}
/* P. Terms below half an ulp of a sum do not change it: elements that are done wait for the others. */
static void wn__igamma_series(int n, double *restrict out, const double *restrict a, const double *restrict x) {
    for (int at = 0; at < n; at += WN__GROUP) {
        wn__lanes term[WN__GROUP_VECTORS], sum[WN__GROUP_VECTORS], k[WN__GROUP_VECTORS], v[WN__GROUP_VECTORS];
        wn__mask more;
        WN__EACH_VECTOR(i) {
            v[i] = wn__lanes_at(x + at + i * WN__IN_VECTOR);
            k[i] = wn__lanes_at(a + at + i * WN__IN_VECTOR);
            term[i] = sum[i] = wn__lanes_of(1.0);
        }
        do {
            more = (wn__mask){0};
            WN__EACH_VECTOR(i) {
                k[i] += 1.0;
                term[i] *= v[i] / k[i];
                sum[i] += term[i];
                more |= term[i] > sum[i] * 0x1p-54;
            }
        } while (wn__any(more));
        WN__EACH_VECTOR(i) wn__lanes_to(out + at + i * WN__IN_VECTOR, sum[i]);
    }
    wn__igamma_front(n, out, a, x);
}
/* Q, x <= 10^5: the fraction's numerators and denominators, brought back from large numbers. An element is done where four steps made no
 * difference. */
static void wn__igamma_fraction(int n, double *restrict out, const double *restrict a, const double *restrict x) {
    for (int at = 0; at < n; at += WN__GROUP) {
        wn__lanes p[WN__GROUP_VECTORS], q[WN__GROUP_VECTORS], p0[WN__GROUP_VECTORS], q0[WN__GROUP_VECTORS], b[WN__GROUP_VECTORS], h[WN__GROUP_VECTORS];
        wn__mask more[WN__GROUP_VECTORS], any;
        WN__EACH_VECTOR(i) {
            b[i] = wn__lanes_at(x + at + i * WN__IN_VECTOR) + 1.0 - wn__lanes_at(a + at + i * WN__IN_VECTOR);
            p0[i] = wn__lanes_of(0.0), q0[i] = p[i] = wn__lanes_of(1.0), q[i] = b[i], h[i] = 1.0 / b[i];
            more[i] = b[i] == b[i];
        }
        double step = 1.0;
        do {
            any = (wn__mask){0};
            WN__EACH_VECTOR(i) {
                const wn__lanes va = wn__lanes_at(a + at + i * WN__IN_VECTOR);
                for (int j = 0; j < 4; j++) {
                    const wn__lanes k = (step + j) * (va - (step + j));
                    b[i] += 2.0;
                    const wn__lanes r = b[i] * p[i] + k * p0[i], s = b[i] * q[i] + k * q0[i];
                    p0[i] = p[i], q0[i] = q[i], p[i] = r, q[i] = s;
                }
                const wn__lanes down = wn__lanes_sel(q[i] > 0x1p400, wn__lanes_of(0x1p-400), wn__lanes_of(1.0)), y = p[i] / q[i], d = y - h[i];
                p0[i] *= down, q0[i] *= down, p[i] *= down, q[i] *= down;
                h[i] = wn__lanes_sel(more[i], y, h[i]);
                more[i] &= (d > y * 0x1p-52) | (-d > y * 0x1p-52);
                any |= more[i];
            }
            step += 4.0;
        } while (wn__any(any) && step < 20000.0);
        WN__EACH_VECTOR(i) wn__lanes_to(out + at + i * WN__IN_VECTOR, h[i] * wn__lanes_at(a + at + i * WN__IN_VECTOR));
    }
    wn__igamma_front(n, out, a, x);
}
/* Q for x <= 1 and a <= 1, where it is small: 1 - x^a / Gamma(a + 1), less the rest of P's series. */
static void wn__igammac_small(int n, double *restrict out, const double *restrict a, const double *restrict x) {
    double l[WN__MANY_MOST];
    for (int at = 0; at < n; at += WN__IN_VECTOR) {
        const wn__lanes va = wn__lanes_at(a + at), vx = wn__lanes_at(x + at);
        wn__lanes term = wn__lanes_of(1.0), sum = wn__lanes_of(0.0);
        for (double k = 1.0; k < 21.0; k += 1.0) {
            term *= -vx * (1.0 / k);
            sum += term / (va + k);
        }
        wn__lanes_to(out + at, va * sum);
    }
    wn__igamma_power(n, l, a, x);
    for (int i = 0; i < n; i++) out[i] = -wn__expm1_f64(l[i]) - wn__exp_f64(l[i]) * out[i];
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
/* What needs no terms: at the ends and outside of the domain. */
static inline double wn__igamma_edge(double a, double x, double zero, double one) { /* zero, one: where P is 0, 1 */
    if (!(a >= 0.0) || !(x >= 0.0)) return WN__NAN_F64;
    if (a == 0.0) return x > 0.0 ? one : WN__NAN_F64;
    if (x == 0.0) return zero;
    if (a == WN__INF_F64) return x == WN__INF_F64 ? WN__NAN_F64 : zero;
    return one;
}
/* Elements that go the same way are brought together. */
static void wn__igamma_either(int n, double *restrict out, const double *restrict a, const double *restrict x, bool upper) {
    enum { SERIES, FRACTION, SMALL, WAYS };
    uint8_t which[WAYS][WN__MANY_MOST];
    int count[WAYS] = {0};
    for (int i = 0; i < n; i++) {
        const bool inner = (a[i] > 0.0) & (a[i] < WN__INF_F64) & (x[i] > 0.0) & (x[i] < WN__INF_F64);
        if (!inner || (a[i] < 1e4 && x[i] > 1e5)) {
            out[i] = wn__igamma_edge(a[i], x[i], upper ? 1.0 : 0.0, upper ? 0.0 : 1.0);
        } else if (a[i] >= 1e4) {
            out[i] = wn__igamma_uniform(a[i], x[i], upper);
        } else {
            const int way = (upper & (x[i] <= 1.0) & (a[i] <= 1.0)) ? SMALL : ((x[i] < a[i]) | (x[i] <= 1.0)) ? SERIES : FRACTION;
            which[way][count[way]++] = (uint8_t)i;
        }
    }
    for (int way = 0; way < WAYS; way++) {
        double va[WN__MANY_MOST], vx[WN__MANY_MOST], y[WN__MANY_MOST];
        const int m = count[way], whole = (m + WN__GROUP - 1) & -WN__GROUP;
        if (!m) continue;
        for (int i = 0; i < m; i++) va[i] = a[which[way][i]], vx[i] = x[which[way][i]];
        for (int i = m; i < whole; i++) va[i] = va[m - 1], vx[i] = vx[m - 1];
        if (way == SERIES) wn__igamma_series(whole, y, va, vx);
        else if (way == FRACTION) wn__igamma_fraction(whole, y, va, vx);
        else wn__igammac_small(whole, y, va, vx);
        const bool other = way != SMALL && (way == SERIES) == upper;
        for (int i = 0; i < m; i++) out[which[way][i]] = other ? 1.0 - y[i] : y[i];
    }
}
static void wn__igamma_many(int n, double *restrict out, const double *restrict a, const double *restrict x, bool single) {
    (void)single;
    wn__igamma_either(n, out, a, x, false);
}
static void wn__igammac_many(int n, double *restrict out, const double *restrict a, const double *restrict x, bool single) {
    (void)single;
    wn__igamma_either(n, out, a, x, true);
}
#endif
