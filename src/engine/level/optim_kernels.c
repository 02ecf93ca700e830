/* Optimiser loops, compiled once for each ISA level. buf / vmax NULL: the variant without them. Without decay an infinite parameter
 * must not reach the gradient (0 * inf is NaN), hence WN_DECAY. */
#include "engine/optim_kernels.h"
#include "engine/level/this_level.h"
#include "engine/math/math.h"

#define WN_DECAY(x) (wd != 0 ? wd * (x) : 0)

#define WN_SGD(T, s)                                                                                                       \
    static void sgd_##s(const wn__sgd *o, int64_t n, T *restrict p, const T *restrict g, T *restrict buf) {                 \
        const T lr = (T)o->lr, mu = (T)o->momentum, keep = (T)(1 - o->dampening), wd = (T)o->weight_decay;                 \
        const T sign = o->maximize ? (T)-1 : (T)1;                                                                          \
        if (!buf) {                                                                                                         \
            for (int64_t i = 0; i < n; i++) p[i] -= lr * (sign * g[i] + WN_DECAY(p[i]));                                    \
        } else if (o->first) {                                                                                              \
            for (int64_t i = 0; i < n; i++) {                                                                               \
                T d = sign * g[i] + WN_DECAY(p[i]);                                                                         \
                buf[i] = d;                                                                                                 \
                p[i] -= lr * (o->nesterov ? d + mu * d : d);                                                                \
            }                                                                                                               \
        } else {                                                                                                            \
            for (int64_t i = 0; i < n; i++) {                                                                               \
                T d = sign * g[i] + WN_DECAY(p[i]), b = mu * buf[i] + keep * d;                                             \
                buf[i] = b;                                                                                                 \
                p[i] -= lr * (o->nesterov ? d + mu * b : b);                                                                \
            }                                                                                                               \
        }                                                                                                                   \
    }
WN_SGD(float, f32)
WN_SGD(double, f64)

#define WN_ADAM(T, s)                                                                                                      \
    static void adam_##s(const wn__adam *o, int64_t n, T *restrict p, const T *restrict g, T *restrict m, T *restrict v,   \
                         T *restrict vmax) {                                                                                \
        const T b1 = (T)(1 - o->beta1), b2 = (T)o->beta2, c2 = (T)(1 - o->beta2), eps = (T)o->eps;                         \
        const T shrink = o->decoupled ? (T)(1 - o->lr * o->weight_decay) : (T)1, wd = o->decoupled ? (T)0 : (T)o->weight_decay; \
        const T size = (T)o->step_size, root = (T)o->root_correction2, sign = o->maximize ? (T)-1 : (T)1;                  \
        for (int64_t i = 0; i < n; i++) {                                                                                   \
            T x = p[i] * shrink, d = sign * g[i] + WN_DECAY(x);                                                             \
            T a = m[i] + b1 * (d - m[i]), b = b2 * v[i] + c2 * d * d, top = b;                                              \
            m[i] = a;                                                                                                       \
            v[i] = b;                                                                                                       \
            if (vmax) vmax[i] = top = b > vmax[i] ? b : vmax[i];                                                            \
            p[i] = x - size * a / (wn__sqrt_##s(top) / root + eps);                                                         \
        }                                                                                                                   \
    }
WN_ADAM(float, f32)
WN_ADAM(double, f64)

const wn__optim_kernels WN_AT_LEVEL(wn__optim_kernels) = {sgd_f32, sgd_f64, adam_f32, adam_f64};
