/* The names of the functions, for tables made from them: X(name) gives wn__<name>_f32 and wn__<name>_f64. */
#ifndef WN_MATH_NAMES_H
#define WN_MATH_NAMES_H
/* One argument. */
#define WN__MATH_1(X)                                                                                                  \
    X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(logit) X(sin) X(cos) X(tan) X(sinc) X(asin) X(acos) X(atan)      \
    X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(erfinv) X(sigmoid) X(softplus)                 \
    X(log_sigmoid) X(gelu) X(gelu_grad) X(gelu_tanh) X(silu) X(mish) X(lgamma) X(digamma) X(sqrt) X(rsqrt) X(floor)    \
    X(ceil) X(trunc) X(round) X(frac)
/* Two arguments. */
#define WN__MATH_2(X)                                                                                                  \
    X(pow) X(atan2) X(hypot) X(fmod) X(remainder) X(copysign) X(nextafter) X(logaddexp) X(logaddexp2) X(xlogy)         \
    X(xlog1py)
#endif
