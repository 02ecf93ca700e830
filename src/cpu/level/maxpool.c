/* The loops of maximum pooling. A row of the result is made tap by tap: one vector loop over the row for each element of the
 * window, the running maxima and their numbers staying in L1. */
#include <math.h>
#include "cpu/level/level.h"
#include "cpu/maxpool.h"

#if defined(__clang__)
#define WN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define WN_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* best, at = the larger of (best, at) and (row[o * step], tap); a NaN always wins, as in PyTorch. I: an integer as wide as T. */
#define WN_TAP(T, I, step)                                                                             \
    WN_INDEPENDENT for (int64_t o = 0; o < n; o++) {                                                   \
        const T v = x[o * (step)];                                                                     \
        const int take = (v > best[o]) | (v != v);                                                     \
        best[o] = take ? v : best[o];                                                                  \
        at[o] = take ? tap : at[o];                                                                    \
    }

#define WN_POOL(T, I, name, LOWEST)                                                                    \
    static void tap_##name(int64_t n, const T *x, int64_t step, T *restrict best, I *restrict at, I tap) { \
        if (step == 1) {                                                                               \
            WN_TAP(T, I, 1)                                                                            \
        } else if (step == 2) {                                                                        \
            WN_TAP(T, I, 2)                                                                            \
        } else {                                                                                       \
            WN_TAP(T, I, step)                                                                         \
        }                                                                                              \
    }                                                                                                  \
    /* windows of 2 x 2, side by side, inside the plane: the usual case in one pass */                 \
    static void pairs_##name(int64_t n, const T *x, const T *y, T *restrict best, I *restrict at) {    \
        WN_INDEPENDENT for (int64_t o = 0; o < n; o++) {                                               \
            const T a = x[2 * o], b = x[2 * o + 1], c = y[2 * o], d = y[2 * o + 1];                    \
            const int tb = (b > a) | (b != b), td = (d > c) | (d != d);                                \
            const T top = tb ? b : a, low = td ? d : c;                                                \
            const I ti = tb ? 1 : 0, li = td ? 3 : 2;                                                  \
            const int take = (low > top) | (low != low);                                               \
            best[o] = take ? low : top;                                                                \
            at[o] = take ? li : ti;                                                                    \
        }                                                                                              \
    }                                                                                                  \
    static void row_##name(const wn__window *g, int64_t oy, const void *plane, int64_t ld, void *result, int32_t *number, void *tmp) { \
        const T *x = plane;                                                                            \
        T *best = result;                                                                              \
        I *at = tmp;                                                                                   \
        const int64_t ow = g->ow;                                                                      \
        if (g->kh == 2 && g->kw == 2 && g->sh == 2 && g->sw == 2 && (g->ph | g->pw) == 0 && g->dh == 1 && g->dw == 1 && \
            2 * g->oh <= g->h && 2 * ow <= g->w) {                                                     \
            pairs_##name(ow, x + 2 * oy * ld, x + (2 * oy + 1) * ld, best, at);                        \
        } else {                                                                                       \
            int64_t y0, y1;                                                                            \
            wn__window_part(oy, g->kh, g->sh, g->ph, g->dh, g->h, &y0, &y1);                           \
            for (int64_t o = 0; o < ow; o++) {                                                         \
                int64_t x0, x1;                                                                        \
                wn__window_part(o, g->kw, g->sw, g->pw, g->dw, g->w, &x0, &x1);                        \
                best[o] = LOWEST;                                                                      \
                at[o] = (I)(y0 < y1 && x0 < x1 ? y0 * g->kw + x0 : g->kh * g->kw);                     \
            }                                                                                          \
            for (int64_t ky = y0; ky < y1; ky++) {                                                     \
                const T *r = x + (oy * g->sh - g->ph + ky * g->dh) * ld;                               \
                for (int64_t kx = 0; kx < g->kw; kx++) {                                               \
                    const int64_t shift = kx * g->dw - g->pw; /* o * sw + shift must be in [0, w) */   \
                    const int64_t o0 = shift < 0 ? (-shift + g->sw - 1) / g->sw : 0;                   \
                    int64_t o1 = shift < g->w ? (g->w - 1 - shift) / g->sw + 1 : 0;                    \
                    if (o1 > ow) o1 = ow;                                                              \
                    if (o1 > o0) tap_##name(o1 - o0, r + o0 * g->sw + shift, g->sw, best + o0, at + o0, (I)(ky * g->kw + kx)); \
                }                                                                                      \
            }                                                                                          \
        }                                                                                              \
        for (int64_t o = 0; o < ow; o++) number[o] = (int32_t)at[o];                                   \
    }
WN_POOL(float, int32_t, f32, -INFINITY)
WN_POOL(double, int64_t, f64, -(double)INFINITY)
WN_POOL(int32_t, int32_t, i32, INT32_MIN)
WN_POOL(int64_t, int64_t, i64, INT64_MIN)

/* Windows may overlap: sums run in the order of the outputs, one plane being one thread's. */
#define WN_SCATTER(T, I, name)                                                                         \
    static void pairs_back_##name(int64_t n, const T *restrict g, const uint8_t *restrict at, T *restrict x, T *restrict y) { \
        WN_INDEPENDENT for (int64_t o = 0; o < n; o++) {                                               \
            const T v = g[o];                                                                          \
            const I k = at[o];                                                                         \
            x[2 * o] = k == 0 ? v : 0;                                                                 \
            x[2 * o + 1] = k == 1 ? v : 0;                                                             \
            y[2 * o] = k == 2 ? v : 0;                                                                 \
            y[2 * o + 1] = k == 3 ? v : 0;                                                             \
        }                                                                                              \
    }                                                                                                  \
    static void scatter_##name(const wn__window *w, const void *grad, const void *places, int bytes, void *gx) { \
        const T *g = grad;                                                                             \
        T *x = gx;                                                                                     \
        if (bytes == 1 && w->kh == 2 && w->kw == 2 && w->sh == 2 && w->sw == 2 && (w->ph | w->pw) == 0 && w->dh == 1 && w->dw == 1 && \
            2 * w->oh <= w->h && 2 * w->ow <= w->w) {                                                  \
            for (int64_t oy = 0; oy < w->oh; oy++)                                                     \
                pairs_back_##name(w->ow, g + oy * w->ow, (const uint8_t *)places + oy * w->ow, x + 2 * oy * w->w, x + (2 * oy + 1) * w->w); \
            return;                                                                                    \
        }                                                                                              \
        for (int64_t oy = 0, i = 0; oy < w->oh; oy++) {                                                \
            for (int64_t ox = 0; ox < w->ow; ox++, i++) {                                              \
                const int64_t at = wn__maxpool_place(w, oy, ox, places, bytes, i);                     \
                if (at >= 0) x[at] += g[i];                                                            \
            }                                                                                          \
        }                                                                                              \
    }
WN_SCATTER(float, int32_t, f32)
WN_SCATTER(double, int64_t, f64)

extern const wn__maxpool_kernels WN_AT_LEVEL(wn__maxpool_kernels);
const wn__maxpool_kernels WN_AT_LEVEL(wn__maxpool_kernels) = {{row_f32, row_f64, row_i32, row_i64}, {scatter_f32, scatter_f64}};
