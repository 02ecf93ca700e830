/* Maximum pooling of planes of type T, whose number within a window is an I: included by maxpool_kernels.c behind an
 * as_ file. A row of the result is made tap by tap: one vector loop over the row for each element of the window, the
 * running maxima and their numbers staying in L1. Windows of 2 x 2 and 1 x 2 side by side have loops of their own. */

/* ------------------------------------------------------------------ 2 x 2 */

#if FLOATING
#define LANES 16
#define K(name) OF(name##_16)
#include "engine/level/pool2x2_of.h"
#define LANES 8
#define K(name) OF(name##_8)
#include "engine/level/pool2x2_of.h"
#define LANES 4
#define K(name) OF(name##_4)
#include "engine/level/pool2x2_of.h"
#endif
static void OF(four)(int64_t n, const T *x, const T *y, T *best, uint8_t *at) {
#if FLOATING
    if (OF(fours_16)(n, x, y, best, at) || OF(fours_8)(n, x, y, best, at) || OF(fours_4)(n, x, y, best, at)) return;
#endif
    for (int64_t o = 0; o < n; o++) {
        const T v[4] = {x[2 * o], x[2 * o + 1], y[2 * o], y[2 * o + 1]};
        int k = 0;
        for (int i = 1; i < 4; i++)
            if (v[i] > v[k] || IS_NAN(v[i])) k = i;
        best[o] = v[k];
        at[o] = (uint8_t)k;
    }
}

static void OF(two)(int64_t n, const T *x, T *best, uint8_t *at) {
#if FLOATING
    if (OF(twos_16)(n, x, best, at) || OF(twos_8)(n, x, best, at) || OF(twos_4)(n, x, best, at)) return;
#endif
    for (int64_t o = 0; o < n; o++) {
        const int k = x[2 * o + 1] > x[2 * o] || IS_NAN(x[2 * o + 1]);
        best[o] = x[2 * o + k];
        at[o] = (uint8_t)k;
    }
}

/* ------------------------------------------------------------------ any window */

/* One element of each window of a row, `step` apart: a NaN always wins, as in PyTorch. */
INLINE void OF(tap_by)(int64_t n, const T *x, const int64_t step, T *restrict best, I *restrict at, I tap) {
    WN__IVDEP for (int64_t o = 0; o < n; o++) {
        const T v = x[o * step];
        const int take = (v > best[o]) | IS_NAN(v);
        best[o] = take ? v : best[o];
        at[o] = take ? tap : at[o];
    }
}
static void OF(tap)(int64_t n, const T *x, int64_t step, T *restrict best, I *restrict at, I tap) {
    if (step == 1) OF(tap_by)(n, x, 1, best, at, tap);
    else if (step == 2) OF(tap_by)(n, x, 2, best, at, tap);
    else OF(tap_by)(n, x, step, best, at, tap);
}

static void OF(row)(const wn__window *g, int64_t oy, const T *x, int64_t ld, T *best, I *at) {
    int64_t y0, y1;
    wn__window_part(oy, g->kh, g->sh, g->ph, g->dh, g->h, &y0, &y1);
    const I usual = (I)(y0 < y1 ? y0 * g->kw : g->kh * g->kw); /* where the window's first column is in the plane */
    const int64_t in = (g->w + g->pw - 1) / g->sw + 1; /* as many windows begin before the plane's end */
    for (int64_t o = 0; o < g->ow; o++) best[o] = OF(LOWEST), at[o] = usual;
    for (int64_t o = 0; o < g->ow; o++) {
        int64_t x0, x1;
        if (o * g->sw >= g->pw && o < in) o = in < g->ow ? in : g->ow;
        if (o == g->ow) break;
        wn__window_part(o, g->kw, g->sw, g->pw, g->dw, g->w, &x0, &x1);
        at[o] = (I)(y0 < y1 && x0 < x1 ? y0 * g->kw + x0 : g->kh * g->kw);
    }
    for (int64_t ky = y0; ky < y1; ky++) {
        const T *r = x + (oy * g->sh - g->ph + ky * g->dh) * ld;
        for (int64_t kx = 0; kx < g->kw; kx++) {
            const int64_t shift = kx * g->dw - g->pw; /* o * sw + shift must be in [0, w) */
            const int64_t o0 = shift < 0 ? (-shift + g->sw - 1) / g->sw : 0;
            int64_t o1 = shift < g->w ? (g->w - 1 - shift) / g->sw + 1 : 0;
            if (o1 > g->ow) o1 = g->ow;
            if (o1 > o0) OF(tap)(o1 - o0, r + o0 * g->sw + shift, g->sw, best + o0, at + o0, (I)(ky * g->kw + kx));
        }
    }
}

static void OF(plane)(const wn__window *g, const void *plane, int64_t ld, void *result, void *places, int bytes,
                      void *tmp) {
    const T *x = plane;
    T *best = result;
    I *at = tmp;
    if (bytes == 1 && wn__window_is_pairs(g)) {
        for (int64_t oy = 0; oy < g->oh; oy++)
            if (g->kh == 1) OF(two)(g->ow, x + oy * ld, best + oy * g->ow, (uint8_t *)places + oy * g->ow);
            else OF(four)(g->ow, x + 2 * oy * ld, x + (2 * oy + 1) * ld, best + oy * g->ow,
                          (uint8_t *)places + oy * g->ow);
        return;
    }
    for (int64_t oy = 0; oy < g->oh; oy++) {
        OF(row)(g, oy, x, ld, best + oy * g->ow, at);
        uint8_t *to = (uint8_t *)places + oy * g->ow * bytes;
        if (bytes == 1)
            for (int64_t o = 0; o < g->ow; o++) to[o] = (uint8_t)at[o];
        else if (bytes == 4)
            for (int64_t o = 0; o < g->ow; o++) ((int32_t *)(void *)to)[o] = (int32_t)at[o];
        else
            for (int64_t o = 0; o < g->ow; o++) ((int64_t *)(void *)to)[o] = wn__window_place(g, oy, o, (int32_t)at[o]);
    }
}

#if FLOATING
/* One row of the windows, whose numbers are first and first + 1. */
static void OF(spread)(int64_t n, const T *g, const uint8_t *at, int first, T *x) {
    if (OF(spreads_16)(n, g, at, first, x) || OF(spreads_8)(n, g, at, first, x)) return;
    if (OF(spreads_4)(n, g, at, first, x)) return;
    for (int64_t o = 0; o < n; o++)
        for (int i = 0; i < 2; i++) x[2 * o + i] = at[o] == first + i ? g[o] : 0;
}

/* Windows may overlap: sums run in the order of the outputs, one plane being one thread's. */
static void OF(scatter)(const wn__window *w, const void *grad, const void *places, int bytes, void *gx) {
    const T *g = grad;
    T *x = gx;
    const bool simple = bytes == 1 && wn__window_is_pairs(w);
    if (!simple || w->kh * w->oh != w->h || 2 * w->ow != w->w) memset(x, 0, (size_t)(w->h * w->w) * sizeof *x);
    for (int64_t oy = 0, i = 0; oy < w->oh; oy++) {
        if (simple) {
            for (int64_t ky = 0; ky < w->kh; ky++)
                OF(spread)(w->ow, g + oy * w->ow, (const uint8_t *)places + oy * w->ow, (int)(2 * ky),
                           x + (w->kh * oy + ky) * w->w);
            continue;
        }
        for (int64_t ox = 0; ox < w->ow; ox++, i++) {
            const int64_t at = wn__maxpool_place(w, oy, ox, places, bytes, i);
            if (at >= 0) x[at] += g[i];
        }
    }
}
#endif
