/* Functions whose number of steps depends on their arguments (recurrences, series, fractions). They run over blocks of
 * up to WN__MANY_MOST elements, in vectors whose elements step together. A result depends on its element alone.
 *
 * Such a function is a wn__many: n elements (a multiple of WN__GROUP) of doubles, none of them the output's memory; f32 operands are
 * widened and results rounded. */
#ifndef WN_MATH_LANES_H
#define WN_MATH_LANES_H
#include "engine/math/base.h"
#include <stdbool.h>

#if defined(__AVX512F__)
enum { WN__IN_VECTOR = 8 };
#elif defined(__AVX__)
enum { WN__IN_VECTOR = 4 };
#else
enum { WN__IN_VECTOR = 2 };
#endif
/* A group has several vectors, so that their chains of steps overlap. */
enum { WN__GROUP = 16, WN__GROUP_VECTORS = WN__GROUP / WN__IN_VECTOR, WN__MANY_MOST = 128 };
typedef double wn__lanes __attribute__((vector_size(WN__IN_VECTOR * 8), may_alias));
typedef int64_t wn__mask __attribute__((vector_size(WN__IN_VECTOR * 8), may_alias));
#define WN__EACH_VECTOR(v) for (int v = 0; v < WN__GROUP_VECTORS; v++)

typedef void wn__many(int n, double *restrict out, const double *restrict a, const double *restrict b, bool single);

WN__MATH wn__lanes wn__lanes_of(double x) {
    wn__lanes v;
    for (int k = 0; k < WN__IN_VECTOR; k++) v[k] = x;
    return v;
}
WN__MATH wn__lanes wn__lanes_at(const double *x) {
    wn__lanes v;
    memcpy(&v, x, sizeof v);
    return v;
}
WN__MATH void wn__lanes_to(double *x, wn__lanes v) { memcpy(x, &v, sizeof v); }
WN__MATH wn__lanes wn__lanes_sel(wn__mask m, wn__lanes a, wn__lanes b) { return (wn__lanes)((m & (wn__mask)a) | (~m & (wn__mask)b)); }
WN__MATH bool wn__any(wn__mask m) {
    int64_t any = 0;
    for (int k = 0; k < WN__IN_VECTOR; k++) any |= m[k];
    return any != 0;
}

/* The loop over a row's elements, which are double or float. */
WN__MATH void wn__run_many(const bool wide, int64_t n, void *out, const void *a, const void *b, wn__many *f) {
    double x[WN__MANY_MOST], y[WN__MANY_MOST], z[WN__MANY_MOST];
    for (int64_t at = 0; at < n; at += WN__MANY_MOST) {
        const int m = (int)(n - at < WN__MANY_MOST ? n - at : WN__MANY_MOST), whole = (m + WN__GROUP - 1) & -WN__GROUP;
        for (int i = 0; i < m; i++) {
            x[i] = wide ? ((const double *)a)[at + i] : (double)((const float *)a)[at + i];
            y[i] = wide ? ((const double *)b)[at + i] : (double)((const float *)b)[at + i];
        }
        for (int i = m; i < whole; i++) x[i] = x[m - 1], y[i] = y[m - 1];
        f(whole, z, x, y, !wide);
        for (int i = 0; i < m; i++) {
            if (wide) ((double *)out)[at + i] = z[i];
            else ((float *)out)[at + i] = (float)z[i];
        }
    }
}
#define WN__RUN_MANY static __attribute__((noinline, unused)) void
WN__RUN_MANY wn__run_many_f32(int64_t n, void *out, const void *a, const void *b, wn__many *f) { wn__run_many(false, n, out, a, b, f); }
WN__RUN_MANY wn__run_many_f64(int64_t n, void *out, const void *a, const void *b, wn__many *f) { wn__run_many(true, n, out, a, b, f); }
#endif
