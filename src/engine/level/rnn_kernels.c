/* Recurrent cells, one row at a time. */
#include "engine/level/this_level.h"
#include "engine/math/math.h"
#include "engine/rnn_kernels.h"

#if defined(__clang__)
#define WN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define WN_INDEPENDENT _Pragma("GCC ivdep")
#endif

#define WN_RNN(T, name)                                                                                                        \
    static void plain_##name(int64_t h, void *x, int relu) {                                                                   \
        T *p = x;                                                                                                              \
        if (relu)                                                                                                              \
            WN_INDEPENDENT for (int64_t j = 0; j < h; j++) p[j] = p[j] < 0 ? 0 : p[j];                                         \
        else                                                                                                                   \
            WN_INDEPENDENT for (int64_t j = 0; j < h; j++) p[j] = wn__tanh_##name(p[j]);                                       \
    }                                                                                                                          \
    static void plain_back_##name(int64_t h, const void *y, const void *dh, void *d, int relu) {                               \
        const T *p = y, *g = dh;                                                                                               \
        T *to = d;                                                                                                             \
        if (relu)                                                                                                              \
            WN_INDEPENDENT for (int64_t j = 0; j < h; j++) to[j] = p[j] <= 0 ? 0 : g[j];                                       \
        else                                                                                                                   \
            WN_INDEPENDENT for (int64_t j = 0; j < h; j++) to[j] = g[j] * (1 - p[j] * p[j]);                                   \
    }                                                                                                                          \
    static void lstm_##name(int64_t h, const void *input, const void *hidden, const void *before, void *saved, void *out) {    \
        T *i = saved, *f = i + h, *g = f + h, *o = g + h, *c = o + h, *y = out;                                                \
        const T *x = input, *p = hidden, *b = before;                                                                          \
        WN_INDEPENDENT for (int64_t j = 0; j < 2 * h; j++) i[j] = wn__sigmoid_##name(x[j] + p[j]);                             \
        x += 2 * h, p += 2 * h;                                                                                                \
        WN_INDEPENDENT for (int64_t j = 0; j < h; j++) g[j] = wn__tanh_##name(x[j] + p[j]);                                    \
        x += h, p += h;                                                                                                        \
        WN_INDEPENDENT for (int64_t j = 0; j < h; j++) {                                                                       \
            o[j] = wn__sigmoid_##name(x[j] + p[j]);                                                                            \
            c[j] = f[j] * b[j] + i[j] * g[j];                                                                                  \
        }                                                                                                                      \
        WN_INDEPENDENT for (int64_t j = 0; j < h; j++) y[j] = o[j] * wn__tanh_##name(c[j]);                                    \
    }                                                                                                                          \
    static void lstm_back_##name(int64_t h, const void *gates, const void *before, const void *cell, const void *dh, void *dc, void *d, void *out) { \
        const T *i = gates, *f = i + h, *g = f + h, *o = g + h, *b = before, *c = cell, *dy = dh;                              \
        T *di = d, *df = di + h, *dg = df + h, *dout = dg + h, *z = dc, *y = out;                                              \
        WN_INDEPENDENT for (int64_t j = 0; j < h; j++) {                                                                       \
            const T t = wn__tanh_##name(c[j]), w = z[j] + dy[j] * o[j] * (1 - t * t);                                          \
            dout[j] = dy[j] * t * o[j] * (1 - o[j]);                                                                           \
            di[j] = w * g[j] * i[j] * (1 - i[j]);                                                                              \
            df[j] = w * b[j] * f[j] * (1 - f[j]);                                                                              \
            dg[j] = w * i[j] * (1 - g[j] * g[j]);                                                                              \
            z[j] = w * f[j];                                                                                                   \
        }                                                                                                                      \
        if (y)                                                                                                                 \
            WN_INDEPENDENT for (int64_t j = 0; j < h; j++) y[j] = o[j] * wn__tanh_##name(c[j]);                                \
    }                                                                                                                          \
    static void gru_##name(int64_t h, void *saved, const void *hidden, const void *before, void *out) {                        \
        T *r = saved, *n = r + 2 * h, *hn = n + h, *y = out;                                                                   \
        const T *p = hidden, *pn = p + 2 * h, *b = before, *z = r + h;                                                         \
        WN_INDEPENDENT for (int64_t j = 0; j < 2 * h; j++) r[j] = wn__sigmoid_##name(r[j] + p[j]);                             \
        WN_INDEPENDENT for (int64_t j = 0; j < h; j++) {                                                                       \
            hn[j] = pn[j];                                                                                                     \
            n[j] = wn__tanh_##name(n[j] + r[j] * pn[j]);                                                                       \
            y[j] = n[j] + z[j] * (b[j] - n[j]);                                                                                \
        }                                                                                                                      \
    }                                                                                                                          \
    static void gru_back_##name(int64_t h, const void *saved, const void *before, const void *dh, void *dx, void *dhid, void *direct) { \
        const T *r = saved, *z = r + h, *n = z + h, *hn = n + h, *b = before, *dy = dh;                                        \
        T *dr = dx, *dz = dr + h, *dn = dz + h, *er = dhid, *ez = er + h, *en = ez + h, *u = direct;                           \
        WN_INDEPENDENT for (int64_t j = 0; j < h; j++) {                                                                       \
            const T g = dy[j], m = g * (1 - z[j]) * (1 - n[j] * n[j]);                                                         \
            dn[j] = m;                                                                                                         \
            en[j] = m * r[j];                                                                                                  \
            dr[j] = er[j] = m * hn[j] * r[j] * (1 - r[j]);                                                                     \
            dz[j] = ez[j] = g * (b[j] - n[j]) * z[j] * (1 - z[j]);                                                             \
            u[j] = g * z[j];                                                                                                   \
        }                                                                                                                      \
    }                                                                                                                          \
    static void add_##name(int64_t n, void *to, const void *from) {                                                            \
        T *p = to;                                                                                                             \
        const T *q = from;                                                                                                     \
        WN_INDEPENDENT for (int64_t j = 0; j < n; j++) p[j] += q[j];                                                           \
    }
WN_RNN(float, f32)
WN_RNN(double, f64)

extern const wn__rnn_kernels WN_AT_LEVEL(wn__rnn_kernels);
const wn__rnn_kernels WN_AT_LEVEL(wn__rnn_kernels) = {{plain_f32, plain_back_f32, lstm_f32, lstm_back_f32, gru_f32, gru_back_f32, add_f32},
                                                      {plain_f64, plain_back_f64, lstm_f64, lstm_back_f64, gru_f64, gru_back_f64, add_f64}};
