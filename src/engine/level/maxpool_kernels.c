/* The loops of maximum pooling. A row of the result is made tap by tap: one vector loop over the row for each element of the
 * window, the running maxima and their numbers staying in L1. Windows of 2 x 2 and 1 x 2 side by side have loops of their own. */
#include <math.h>
#include <string.h>
#include "engine/level/this_level.h"
#include "engine/maxpool_kernels.h"

#if defined(__clang__)
#define WN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define WN_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* ------------------------------------------------------------------ 2 x 2 */

#define T float
#define I int32_t
#if VB >= 64
#define NAME(x) x##_f32_16
#define LANES 16
#include "engine/level/pool2x2.h"
#endif
#define NAME(x) x##_f32_8
#define LANES 8
#include "engine/level/pool2x2.h"
#define NAME(x) x##_f32_4
#define LANES 4
#include "engine/level/pool2x2.h"
#undef T
#undef I
#define T double
#define I int64_t
#define NAME(x) x##_f64_8
#define LANES 8
#include "engine/level/pool2x2.h"
#define NAME(x) x##_f64_4
#define LANES 4
#include "engine/level/pool2x2.h"
#undef T
#undef I

/* Rows are often short (7, 14, 28): the last block overlaps the one before it, doing some outputs twice. */
#define WN_BLOCKS(n, lanes, block)                                              \
    if ((n) >= (lanes)) {                                                       \
        for (int64_t o = 0; o < (n); o += (lanes)) {                            \
            if (o + (lanes) > (n)) o = (n) - (lanes);                           \
            block;                                                              \
        }                                                                       \
        return;                                                                 \
    }
/* Not wider than the level's vectors: of wider ones GCC makes elements. */
#if VB >= 64
#define WN_F32(block) block(f32, 16) block(f32, 8) block(f32, 4)
#define WN_F64(block) block(f64, 8) block(f64, 4)
#elif VB == 32
#define WN_F32(block) block(f32, 8) block(f32, 4)
#define WN_F64(block) block(f64, 4)
#else
#define WN_F32(block) block(f32, 4)
#define WN_F64(block)
#endif
#define WN_ROWS_2X2(T, name, FOUR, TWO)                                               \
    static void four_##name(int64_t n, const T *x, const T *y, T *best, uint8_t *at) { \
        FOUR                                                                    \
        for (int64_t o = 0; o < n; o++) {                                       \
            const T v[4] = {x[2 * o], x[2 * o + 1], y[2 * o], y[2 * o + 1]};    \
            int k = 0;                                                          \
            for (int i = 1; i < 4; i++)                                         \
                if (v[i] > v[k] || v[i] != v[i]) k = i;                         \
            best[o] = v[k];                                                     \
            at[o] = (uint8_t)k;                                                 \
        }                                                                       \
    }                                                                           \
    static void two_##name(int64_t n, const T *x, T *best, uint8_t *at) {       \
        TWO                                                                     \
        for (int64_t o = 0; o < n; o++) {                                       \
            const int k = x[2 * o + 1] > x[2 * o] || x[2 * o + 1] != x[2 * o + 1]; \
            best[o] = x[2 * o + k];                                             \
            at[o] = (uint8_t)k;                                                 \
        }                                                                       \
    }
#define WN_FOUR(T, lanes) WN_BLOCKS(n, lanes, four_##T##_##lanes(x + 2 * o, y + 2 * o, best + o, at + o))
#define WN_TWO(T, lanes) WN_BLOCKS(n, lanes, two_##T##_##lanes(x + 2 * o, best + o, at + o))
WN_ROWS_2X2(float, f32, WN_F32(WN_FOUR), WN_F32(WN_TWO))
WN_ROWS_2X2(double, f64, WN_F64(WN_FOUR), WN_F64(WN_TWO))
WN_ROWS_2X2(int32_t, i32, , )
WN_ROWS_2X2(int64_t, i64, , )

/* One row of the windows, whose numbers are first and first + 1. */
#define WN_SPREAD_2X2(T, name, ...)                                             \
    static void spread_##name(int64_t n, const T *g, const uint8_t *at, int first, T *x) { \
        __VA_ARGS__                                                             \
        for (int64_t o = 0; o < n; o++)                                         \
            for (int i = 0; i < 2; i++) x[2 * o + i] = at[o] == first + i ? g[o] : 0; \
    }
#define WN_SPREAD(T, lanes) WN_BLOCKS(n, lanes, spread_##T##_##lanes(g + o, at + o, first, x + 2 * o))
WN_SPREAD_2X2(float, f32, WN_F32(WN_SPREAD))
WN_SPREAD_2X2(double, f64, WN_F64(WN_SPREAD))

/* ------------------------------------------------------------------ any window */

/* A NaN always wins, as in PyTorch. I: an integer as wide as T. */
#define WN_TAP(T, I, step)                                                                                             \
    WN_INDEPENDENT for (int64_t o = 0; o < n; o++) {                                                                   \
        const T v = x[o * (step)];                                                                                     \
        const int take = (v > best[o]) | (v != v);                                                                     \
        best[o] = take ? v : best[o];                                                                                  \
        at[o] = take ? tap : at[o];                                                                                    \
    }
#define WN_POOL(T, I, name, LOWEST)                                                                                    \
    static void tap_##name(int64_t n, const T *x, int64_t step, T *restrict best, I *restrict at, I tap) {             \
        if (step == 1) {                                                                                               \
            WN_TAP(T, I, 1)                                                                                            \
        } else if (step == 2) {                                                                                        \
            WN_TAP(T, I, 2)                                                                                            \
        } else {                                                                                                       \
            WN_TAP(T, I, step)                                                                                         \
        }                                                                                                              \
    }                                                                                                                  \
    static void row_##name(const wn__window *g, int64_t oy, const T *x, int64_t ld, T *best, I *at) {                  \
        int64_t y0, y1;                                                                                                \
        wn__window_part(oy, g->kh, g->sh, g->ph, g->dh, g->h, &y0, &y1);                                               \
        const I usual = (I)(y0 < y1 ? y0 * g->kw : g->kh * g->kw); /* where the window's first column is in the plane */ \
        const int64_t in = (g->w + g->pw - 1) / g->sw + 1; /* as many windows begin before the plane's end */          \
        for (int64_t o = 0; o < g->ow; o++) best[o] = LOWEST, at[o] = usual;                                           \
        for (int64_t o = 0; o < g->ow; o++) {                                                                          \
            int64_t x0, x1;                                                                                            \
            if (o * g->sw >= g->pw && o < in) o = in < g->ow ? in : g->ow;                                             \
            if (o == g->ow) break;                                                                                     \
            wn__window_part(o, g->kw, g->sw, g->pw, g->dw, g->w, &x0, &x1);                                            \
            at[o] = (I)(y0 < y1 && x0 < x1 ? y0 * g->kw + x0 : g->kh * g->kw);                                         \
        }                                                                                                              \
        for (int64_t ky = y0; ky < y1; ky++) {                                                                         \
            const T *r = x + (oy * g->sh - g->ph + ky * g->dh) * ld;                                                   \
            for (int64_t kx = 0; kx < g->kw; kx++) {                                                                   \
                const int64_t shift = kx * g->dw - g->pw; /* o * sw + shift must be in [0, w) */                       \
                const int64_t o0 = shift < 0 ? (-shift + g->sw - 1) / g->sw : 0;                                       \
                int64_t o1 = shift < g->w ? (g->w - 1 - shift) / g->sw + 1 : 0;                                        \
                if (o1 > g->ow) o1 = g->ow;                                                                            \
                if (o1 > o0) tap_##name(o1 - o0, r + o0 * g->sw + shift, g->sw, best + o0, at + o0, (I)(ky * g->kw + kx)); \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void plane_##name(const wn__window *g, const void *plane, int64_t ld, void *result, void *places, int bytes, void *tmp) { \
        const T *x = plane;                                                                                            \
        T *best = result;                                                                                              \
        I *at = tmp;                                                                                                   \
        if (bytes == 1 && wn__window_is_pairs(g)) {                                                                    \
            for (int64_t oy = 0; oy < g->oh; oy++)                                                                     \
                if (g->kh == 1) two_##name(g->ow, x + oy * ld, best + oy * g->ow, (uint8_t *)places + oy * g->ow);     \
                else four_##name(g->ow, x + 2 * oy * ld, x + (2 * oy + 1) * ld, best + oy * g->ow, (uint8_t *)places + oy * g->ow); \
            return;                                                                                                    \
        }                                                                                                              \
        for (int64_t oy = 0; oy < g->oh; oy++) {                                                                       \
            row_##name(g, oy, x, ld, best + oy * g->ow, at);                                                           \
            uint8_t *to = (uint8_t *)places + oy * g->ow * bytes;                                                      \
            if (bytes == 1)                                                                                            \
                for (int64_t o = 0; o < g->ow; o++) to[o] = (uint8_t)at[o];                                            \
            else if (bytes == 4)                                                                                       \
                for (int64_t o = 0; o < g->ow; o++) ((int32_t *)(void *)to)[o] = (int32_t)at[o];                       \
            else                                                                                                       \
                for (int64_t o = 0; o < g->ow; o++) ((int64_t *)(void *)to)[o] = wn__window_place(g, oy, o, (int32_t)at[o]); \
        }                                                                                                              \
    }
WN_POOL(float, int32_t, f32, -INFINITY)
WN_POOL(double, int64_t, f64, -(double)INFINITY)
WN_POOL(int32_t, int32_t, i32, INT32_MIN)
WN_POOL(int64_t, int64_t, i64, INT64_MIN)

/* Windows may overlap: sums run in the order of the outputs, one plane being one thread's. */
#define WN_SCATTER(T, name)                                                                                            \
    static void scatter_##name(const wn__window *w, const void *grad, const void *places, int bytes, void *gx) {       \
        const T *g = grad;                                                                                             \
        T *x = gx;                                                                                                     \
        const bool simple = bytes == 1 && wn__window_is_pairs(w);                                                      \
        if (!simple || w->kh * w->oh != w->h || 2 * w->ow != w->w) memset(x, 0, (size_t)(w->h * w->w) * sizeof *x);        \
        for (int64_t oy = 0, i = 0; oy < w->oh; oy++) {                                                                \
            if (simple) {                                                                                              \
                for (int64_t ky = 0; ky < w->kh; ky++)                                                                 \
                    spread_##name(w->ow, g + oy * w->ow, (const uint8_t *)places + oy * w->ow, (int)(2 * ky), x + (w->kh * oy + ky) * w->w); \
                continue;                                                                                              \
            }                                                                                                          \
            for (int64_t ox = 0; ox < w->ow; ox++, i++) {                                                              \
                const int64_t at = wn__maxpool_place(w, oy, ox, places, bytes, i);                                     \
                if (at >= 0) x[at] += g[i];                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
WN_SCATTER(float, f32)
WN_SCATTER(double, f64)

extern const wn__maxpool_kernels WN_AT_LEVEL(wn__maxpool_kernels);
const wn__maxpool_kernels WN_AT_LEVEL(wn__maxpool_kernels) = {{plane_f32, plane_f64, plane_i32, plane_i64}, {scatter_f32, scatter_f64}};
