/* Orthogonal polynomials of degree n (a number, cut to an integer) at x, by recurrences in vectors; f32 computes in
 * f64. A negative degree gives 0. */
#ifndef WN_MATH_POLYNOMIAL_H
#define WN_MATH_POLYNOMIAL_H
#include "engine/math/atrig.h"
#include "engine/math/base.h"
#include "engine/math/hyper.h"
#include "engine/math/lanes.h"
#include "engine/math/round.h"
#include "engine/math/trig.h"

/* p_0 = 1, p_1, and the recurrence from p_k-1 = p and p_k = q to p_k+1. */
enum { WN__CHEBYSHEV, WN__HERMITE_H, WN__HERMITE_HE, WN__LAGUERRE, WN__LEGENDRE };
WN__MATH wn__lanes wn__polynomial_first(int kind, wn__lanes x) {
    if (kind == WN__HERMITE_H) return x + x;
    if (kind == WN__LAGUERRE) return 1.0 - x;
    return x;
}
WN__MATH wn__lanes wn__polynomial_step(int kind, double k, wn__lanes x, wn__lanes p, wn__lanes q) {
    switch (kind) {
    case WN__CHEBYSHEV: return 2.0 * x * q - p;
    case WN__HERMITE_H: return 2.0 * (x * q - k * p);
    case WN__HERMITE_HE: return x * q - k * p;
    case WN__LAGUERRE: return (((2.0 * k + 1.0) - x) * q - k * p) / (k + 1.0);
    default: return ((2.0 * k + 1.0) * x * q - k * p) / (k + 1.0);
    }
}
/* A group of elements with degrees n, at most `most`. *q: p_1 before, p_n after. */
WN__MATH void wn__polynomial_group(int kind, const double *x, const double *n, double most, wn__lanes *q) {
    wn__lanes p[WN__GROUP_VECTORS], v[WN__GROUP_VECTORS];
    double least = most, last = 0.0;
    for (int i = 0; i < WN__GROUP; i++) {
        least = n[i] < least ? n[i] : least;
        last = n[i] > last ? n[i] : last;
    }
    WN__EACH_VECTOR(i) v[i] = wn__lanes_at(x + i * WN__IN_VECTOR), p[i] = wn__lanes_of(1.0);
    double k = 1.0;
    for (; k < least; k += 1.0)
        WN__EACH_VECTOR(i) {
            const wn__lanes r = wn__polynomial_step(kind, k, v[i], p[i], q[i]);
            p[i] = q[i];
            q[i] = r;
        }
    for (; k < last; k += 1.0)
        WN__EACH_VECTOR(i) {
            const wn__lanes r = wn__polynomial_step(kind, k, v[i], p[i], q[i]);
            const wn__mask on = wn__lanes_at(n + i * WN__IN_VECTOR) > k;
            p[i] = wn__lanes_sel(on, q[i], p[i]);
            q[i] = wn__lanes_sel(on, r, q[i]);
        }
}
/* Results that need no recurrence: for a degree that is NaN, negative or 0. */
WN__MATH double wn__polynomial_edges(double y, double x, double n) {
    y = wn__sel_f64(n < 1.0, 1.0, y);
    y = wn__sel_f64(n < 0.0, 0.0, y);
    return wn__sel_f64((x == x) & (n == n), y, x + n);
}

/* Chebyshev's four kinds by angles, for degrees above 64: x = cos t, or cosh t. For x < 0 they are those of -x times
 * (-1)^n, with V and W exchanged. */
typedef struct wn__chebyshev {
    double slope, offset; /* of p_1 */
    double add, half;     /* cos((n + add) t) / cos(half t), or sines */
    double right, left;   /* cosines (1) or sines (-1)? x > 0, x < 0 */
} wn__chebyshev;
static void wn__chebyshev_angles(const wn__chebyshev *c, int count, double *restrict out, const double *restrict x, const double *restrict n) {
    const wn__chebyshev k = *c;
    double s[WN__MANY_MOST], d[WN__MANY_MOST];
    bool inside = false, outside = false;
    for (int i = 0; i < count; i++) {
        inside |= n[i] > 64.0 && wn__abs_f64(x[i]) < 1.0;
        outside |= n[i] > 64.0 && wn__abs_f64(x[i]) > 1.0;
    }
    if (inside) {
        for (int i = 0; i < count; i++) {
            const double a = wn__abs_f64(x[i]);
            s[i] = wn__acos_f64(wn__sel_f64(a < 1.0, a, 0.5));
        }
        for (int i = 0; i < count; i++) {
            double sine, cosine;
            wn__sincos_f64(k.half * s[i], &sine, &cosine);
            d[i] = wn__sel_f64((x[i] < 0.0 ? k.left : k.right) > 0.0, cosine, sine);
        }
        for (int i = 0; i < count; i++) {
            double sine, cosine;
            wn__sincos_f64(wn__sel_f64(n[i] < 0x1p1000, n[i] + k.add, 1.0) * s[i], &sine, &cosine);
            const double y = wn__sel_f64((x[i] < 0.0 ? k.left : k.right) > 0.0, cosine, sine) / d[i];
            out[i] = wn__sel_f64((n[i] > 64.0) & (wn__abs_f64(x[i]) < 1.0), wn__sel_f64(n[i] < 0x1p1000, y, WN__NAN_F64), out[i]);
        }
    }
    if (outside) {
        for (int i = 0; i < count; i++) {
            const double a = wn__abs_f64(x[i]);
            s[i] = wn__acosh_f64(wn__sel_f64(a > 1.0, a, 2.0));
        }
        for (int i = 0; i < count; i++) {
            const double t = k.half * s[i];
            d[i] = wn__sel_f64((x[i] < 0.0 ? k.left : k.right) > 0.0, wn__cosh_f64(t), wn__sinh_f64(t));
        }
        for (int i = 0; i < count; i++) {
            const double t = (n[i] + k.add) * s[i];
            const double y = wn__sel_f64((x[i] < 0.0 ? k.left : k.right) > 0.0, wn__cosh_f64(t), wn__sinh_f64(t)) / d[i];
            out[i] = wn__sel_f64((n[i] > 64.0) & (wn__abs_f64(x[i]) > 1.0), y, out[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        const double y = wn__sel_f64((x[i] < 0.0 ? k.left : k.right) > 0.0, 1.0, (n[i] + k.add) / k.half);
        out[i] = wn__sel_f64((n[i] > 64.0) & (wn__abs_f64(x[i]) == 1.0), y, out[i]);
    }
}
static __attribute__((noinline)) void wn__chebyshev_many(const wn__chebyshev *c, int count, double *restrict out, const double *restrict x, const double *restrict degree) {
    double a[WN__MANY_MOST], n[WN__MANY_MOST], short_n[WN__MANY_MOST];
    bool any = false;
    for (int i = 0; i < count; i++) {
        a[i] = wn__abs_f64(x[i]);
        n[i] = wn__trunc_f64(degree[i]);
        short_n[i] = n[i] <= 64.0 ? n[i] : 0.0;
        any |= n[i] > 64.0;
    }
    for (int at = 0; at < count; at += WN__GROUP) {
        wn__lanes q[WN__GROUP_VECTORS];
        WN__EACH_VECTOR(i) {
            const wn__lanes v = wn__lanes_at(a + at + i * WN__IN_VECTOR), sides = c->right == c->left ? wn__lanes_of(0.0) : wn__lanes_at(x + at + i * WN__IN_VECTOR);
            q[i] = c->slope * v + wn__lanes_sel(sides < 0.0, wn__lanes_of(-c->offset), wn__lanes_of(c->offset));
        }
        wn__polynomial_group(WN__CHEBYSHEV, a + at, short_n + at, 64.0, q);
        WN__EACH_VECTOR(i) wn__lanes_to(out + at + i * WN__IN_VECTOR, q[i]);
    }
    if (any) wn__chebyshev_angles(c, count, out, x, n);
    for (int i = 0; i < count; i++) {
        const double half = 0.5 * n[i], y = wn__sel_f64((x[i] < 0.0) & (half != wn__floor_f64(half)), -out[i], out[i]);
        out[i] = wn__polynomial_edges(y, x[i], n[i]);
    }
}
static void wn__shifted_chebyshev_many(const wn__chebyshev *c, int n, double *restrict out, const double *restrict x, const double *restrict degree) {
    double y[WN__MANY_MOST];
    for (int i = 0; i < n; i++) y[i] = x[i] + x[i] - 1.0;
    wn__chebyshev_many(c, n, out, y, degree);
}
static const wn__chebyshev wn__chebyshev_t = {1.0, 0.0, 0.0, 0.0, 1.0, 1.0}, wn__chebyshev_u = {2.0, 0.0, 1.0, 1.0, -1.0, -1.0};
static const wn__chebyshev wn__chebyshev_v = {2.0, -1.0, 0.5, 0.5, 1.0, -1.0}, wn__chebyshev_w = {2.0, 1.0, 0.5, 0.5, -1.0, 1.0};
#define WN__CHEBYSHEVS(form, kind) \
    static void wn__##form##_polynomial_##kind##_many(int n, double *restrict out, const double *restrict x, const double *restrict degree, bool single) { \
        (void)single, wn__##form##_many(&wn__chebyshev_##kind, n, out, x, degree); }
WN__CHEBYSHEVS(chebyshev, t)
WN__CHEBYSHEVS(shifted_chebyshev, t)
WN__CHEBYSHEVS(chebyshev, u)
WN__CHEBYSHEVS(shifted_chebyshev, u)
WN__CHEBYSHEVS(chebyshev, v)
WN__CHEBYSHEVS(shifted_chebyshev, v)
WN__CHEBYSHEVS(chebyshev, w)
WN__CHEBYSHEVS(shifted_chebyshev, w)

/* The other polynomials: NaN above degree `most`. */
WN__MATH void wn__recurrence_many(int kind, double most, int count, double *restrict out, const double *restrict x, const double *restrict degree) {
    double n[WN__MANY_MOST], short_n[WN__MANY_MOST];
    for (int i = 0; i < count; i++) {
        n[i] = wn__trunc_f64(degree[i]);
        short_n[i] = n[i] <= most ? n[i] : 0.0;
    }
    for (int at = 0; at < count; at += WN__GROUP) {
        wn__lanes q[WN__GROUP_VECTORS];
        WN__EACH_VECTOR(i) q[i] = wn__polynomial_first(kind, wn__lanes_at(x + at + i * WN__IN_VECTOR));
        wn__polynomial_group(kind, x + at, short_n + at, most, q);
        WN__EACH_VECTOR(i) wn__lanes_to(out + at + i * WN__IN_VECTOR, q[i]);
    }
    for (int i = 0; i < count; i++) {
        double y = wn__sel_f64(n[i] > most, WN__NAN_F64, out[i]), half = 0.5 * n[i];
        if (kind == WN__LAGUERRE) y = wn__sel_f64(x[i] == 0.0, 1.0, y);
        if (kind == WN__LEGENDRE) y = wn__sel_f64(wn__abs_f64(x[i]) == 1.0, wn__sel_f64((x[i] < 0.0) & (half != wn__floor_f64(half)), -1.0, 1.0), y);
        out[i] = wn__polynomial_edges(y, x[i], n[i]);
    }
}
#define WN__RECURRENCE(name, kind, most32, most64) \
    static void wn__##name##_many(int n, double *restrict out, const double *restrict x, const double *restrict degree, bool single) { \
        wn__recurrence_many(kind, single ? most32 : most64, n, out, x, degree); }
WN__RECURRENCE(hermite_polynomial_h, WN__HERMITE_H, 128.0, 512.0)
WN__RECURRENCE(hermite_polynomial_he, WN__HERMITE_HE, 128.0, 512.0)
WN__RECURRENCE(laguerre_polynomial_l, WN__LAGUERRE, 1e6, 1e6)
WN__RECURRENCE(legendre_polynomial_p, WN__LEGENDRE, 1e6, 1e6)
#endif
