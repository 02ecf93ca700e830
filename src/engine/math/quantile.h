/* erfinv in f64 and ndtri, the inverse of ndtr, by blocks (lanes.h): elements in tails, which need logs, are
 * gathered */
#ifndef WN_MATH_QUANTILE_H
#define WN_MATH_QUANTILE_H
#include "engine/math/base.h"
#include "engine/math/erfinv.h"
#include "engine/math/lanes.h"

/* The quantiles over sqrt(2) of probabilities p of tails. */
static void wn__quantile_tails(int n, double *restrict z, const double *restrict p) {
    double r[WN__MANY_MOST], low[WN__MANY_MOST], rest[WN__MANY_MOST], most = 0.0;
    for (int i = 0; i < n; i++) {
        const wn__dd root = wn__quantile_root(p[i]);
        r[i] = root.hi, low[i] = root.lo;
    }
    for (int i = 0; i < n; i++) rest[i] = wn__quantile_rest(r[i] < 5.0 ? r[i] : 5.0);
    for (int i = 0; i < n; i++) most = r[i] > most ? r[i] : most;
    if (most > 5.0)
        for (int i = 0; i < n; i++) {
            const double far = wn__quantile_far_rest(r[i] > 5.0 ? r[i] : 5.0);
            rest[i] = wn__sel_f64(r[i] > 5.0, far, rest[i]);
        }
    for (int i = 0; i < n; i++) z[i] = wn__quantile(r[i], low[i], rest[i]);
}
/* Puts these quantiles into out, where 0 < p < most. */
static void wn__quantile_spread(int n, double *restrict out, const double *restrict p, double most) {
    double tail[WN__MANY_MOST], z[WN__MANY_MOST];
    uint8_t place[WN__MANY_MOST];
    int m = 0;
    for (int i = 0; i < n; i++) {
        place[m] = (uint8_t)i;
        m += (p[i] < most) & (p[i] > 0.0);
    }
    if (!m) return;
    for (int i = 0; i < m; i++) tail[i] = p[place[i]];
    const int whole = (m + WN__GROUP - 1) & -WN__GROUP;
    for (int i = m; i < whole; i++) tail[i] = tail[0];
    wn__quantile_tails(whole, z, tail);
    for (int i = 0; i < m; i++) out[place[i]] = z[i];
}
static void wn__erfinv_many(int n, double *restrict out, const double *restrict x, const double *restrict same, bool single) {
    double p[WN__MANY_MOST] = {0};
    (void)same, (void)single;
    for (int i = 0; i < n; i++) {
        const double a = wn__abs_f64(x[i]);
        out[i] = wn__erfinv_small_f64(a < 0.8 ? a : 0.8);
        p[i] = wn__sel_f64(a > 0.8, 0.5 * (1.0 - a), 1.0);
    }
    wn__quantile_spread(n, out, p, 0.5);
    for (int i = 0; i < n; i++) out[i] = wn__erfinv_edges(out[i], x[i]);
}
static void wn__ndtri_many(int n, double *restrict out, const double *restrict x, const double *restrict same, bool single) {
    double p[WN__MANY_MOST] = {0};
    (void)same, (void)single;
    for (int i = 0; i < n; i++) {
        const double q = 2.0 * x[i] - 1.0, a = wn__abs_f64(q);
        out[i] = wn__erfinv_small_f64(a < 0.8 ? a : 0.8);
        p[i] = x[i] > 0.5 ? 1.0 - x[i] : x[i];
    }
    wn__quantile_spread(n, out, p, 0.1);
    for (int i = 0; i < n; i++) {
        double y = 0x1.6a09e667f3bcdp0 * wn__flip_f64(out[i], x[i] - 0.5);
        y = wn__sel_f64(x[i] == 0.0, -WN__INF_F64, y);
        y = wn__sel_f64(x[i] == 1.0, WN__INF_F64, y);
        out[i] = wn__sel_f64((x[i] >= 0.0) & (x[i] <= 1.0), y, WN__NAN_F64);
    }
}
#endif
