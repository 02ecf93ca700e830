/* TODO: first versions through libm, replaced family by family. */
#ifndef WN_CPU_MATH_STUB_H
#define WN_CPU_MATH_STUB_H
#include "base.h"
#include <math.h>
#define WN__S1(name, e32, e64)                                                                                         \
    static inline float wn__##name##_f32(float x) { return (float)(e32); }                                             \
    static inline double wn__##name##_f64(double x) { return (e64); }
#define WN__S2(name, e32, e64)                                                                                         \
    static inline float wn__##name##_f32(float x, float y) { return (float)(e32); }                                    \
    static inline double wn__##name##_f64(double x, double y) { return (e64); }
#define WN__D1(name, fn) WN__S1(name, fn((double)x), fn(x))
#define WN__D2(name, fn) WN__S2(name, fn((double)x, (double)y), fn(x, y))
#ifndef WN_MATH_EXP_H
WN__D1(exp, exp)
WN__D1(exp2, exp2)
WN__D1(expm1, expm1)
#endif
#ifndef WN_MATH_LOG_H
WN__D1(log, log)
WN__D1(log2, log2)
WN__D1(log10, log10)
WN__D1(log1p, log1p)
#endif
#ifndef WN_MATH_TRIG_H
WN__D1(sin, sin)
WN__D1(cos, cos)
WN__D1(tan, tan)
WN__S1(sinc, x == 0 ? 1 : sin(3.14159265358979323846 * (double)x) / (3.14159265358979323846 * (double)x),
       x == 0 ? 1 : sin(3.14159265358979323846 * x) / (3.14159265358979323846 * x))
#endif
#ifndef WN_MATH_ATRIG_H
WN__D1(asin, asin)
WN__D1(acos, acos)
WN__D1(atan, atan)
WN__D2(atan2, atan2)
#endif
#ifndef WN_MATH_HYPER_H
WN__D1(sinh, sinh)
WN__D1(cosh, cosh)
WN__D1(tanh, tanh)
WN__D1(asinh, asinh)
WN__D1(acosh, acosh)
WN__D1(atanh, atanh)
#endif
#ifndef WN_MATH_ERF_H
WN__D1(erf, erf)
WN__D1(erfc, erfc)
#endif
#ifndef WN_MATH_ERFINV_H
static inline double wn__stub_erfinv(double y) {
    if (!(y > -1 && y < 1)) return y == 1 ? INFINITY : y == -1 ? -INFINITY : NAN;
    double w = -log((1 - y) * (1 + y)), a = fabs(y);
    double x = w < 5 ? y * 0.886 : copysign(sqrt(w), y);
    for (int i = 0; i < 30 && a > 0; i++) {
        double d = (a < 0.5 ? erf(x) - y : (1 - y) - erfc(x)) / (1.1283791670955126 * exp(-x * x));
        x -= d / (1 + x * d);
    }
    return x;
}
WN__D1(erfinv, wn__stub_erfinv)
#endif
#ifndef WN_MATH_POW_H
WN__D2(pow, pow)
#endif
#ifndef WN_MATH_ACT_H
WN__S1(sigmoid, 1 / (1 + exp(-(double)x)), 1 / (1 + exp(-x)))
WN__S1(softplus, fmax((double)x, 0) + log1p(exp(-fabs((double)x))), fmax(x, 0) + log1p(exp(-fabs(x))))
WN__S1(log_sigmoid, fmin((double)x, 0) - log1p(exp(-fabs((double)x))), fmin(x, 0) - log1p(exp(-fabs(x))))
WN__S1(gelu, 0.5 * (double)x * erfc(-0.70710678118654752 * (double)x), 0.5 * x * erfc(-0.70710678118654752 * x))
WN__S1(gelu_tanh, 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))),
       0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))))
WN__S1(silu, (double)x / (1 + exp(-(double)x)), x / (1 + exp(-x)))
WN__S1(mish, (double)x * tanh(fmax((double)x, 0) + log1p(exp(-fabs((double)x)))),
       x * tanh(fmax(x, 0) + log1p(exp(-fabs(x)))))
#endif
#ifndef WN_MATH_GAMMA_H
WN__D1(lgamma, lgamma)
static inline double wn__stub_digamma(double x) {
    double r = 0;
    if (x <= 0) {
        if (x == floor(x)) return x == 0 ? copysign(INFINITY, -x) : NAN;
        return wn__stub_digamma(1 - x) - 3.14159265358979323846 / tan(3.14159265358979323846 * x);
    }
    while (x < 12) { r -= 1 / x; x += 1; }
    double z = 1 / (x * x);
    return r + log(x) - 0.5 / x - z * (1. / 12 - z * (1. / 120 - z * (1. / 252 - z * (1. / 240 - z * (1. / 132)))));
}
WN__D1(digamma, wn__stub_digamma)
#endif
#ifndef WN_MATH_ROUND_H
WN__S1(sqrt, sqrtf(x), sqrt(x))
WN__S1(rsqrt, 1 / sqrt((double)x), 1 / sqrt(x))
WN__D1(floor, floor)
WN__D1(ceil, ceil)
WN__D1(trunc, trunc)
WN__D1(round, nearbyint)
WN__S1(frac, x - truncf(x), x - trunc(x))
WN__S2(copysign, copysignf(x, y), copysign(x, y))
#endif
#ifndef WN_MATH_FMOD_H
WN__D2(fmod, fmod)
WN__S2(remainder, (x = (float)fmod((double)x, (double)y), x != 0 && (x < 0) != (y < 0) ? x + y : x),
       (x = fmod(x, y), x != 0 && (x < 0) != (y < 0) ? x + y : x))
#endif
#ifndef WN_MATH_PAIR_H
WN__D2(hypot, hypot)
WN__S2(logaddexp, x == y ? x + 0.6931471805599453 : fmax((double)x, (double)y) + log1p(exp(-fabs((double)x - (double)y))),
       x == y ? x + 0.6931471805599453 : fmax(x, y) + log1p(exp(-fabs(x - y))))
WN__S2(logaddexp2, x == y ? x + 1 : fmax((double)x, (double)y) + 1.4426950408889634 * log1p(exp2(-fabs((double)x - (double)y))),
       x == y ? x + 1 : fmax(x, y) + 1.4426950408889634 * log1p(exp2(-fabs(x - y))))
WN__S2(xlogy, y != y ? y : x == 0 ? 0 : (double)x * log((double)y), y != y ? y : x == 0 ? 0 : x * log(y))
WN__S2(xlog1py, y != y ? y : x == 0 ? 0 : (double)x * log1p((double)y), y != y ? y : x == 0 ? 0 : x * log1p(y))
#endif
#endif
