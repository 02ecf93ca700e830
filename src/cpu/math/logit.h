/* logit, f32 and f64. Both vectorise. */
#ifndef WN_MATH_LOGIT_H
#define WN_MATH_LOGIT_H
#include "base.h"
#include "log.h"

/* log(x / (1 - x)); around 1/2, where that is small, log1p((2x - 1) / (1 - x)), whose numerator is exact. */
WN__MATH double wn__logit_f64(double x) {
    double r = 1.0 - x, far = wn__log_f64(x / r), d = 2.0 * x - 1.0, near = wn__log1p_f64(d / r);
    return wn__sel_f64(wn__abs_f64(d) < 0.5, near, far);
}
WN__MATH float wn__logit_f32(float x) {
    double v = (double)x, u = ((v > 0.0) & (v < 1.0)) ? v : 0.5, y = wn__log_lite(u / (1.0 - u));
    y = v == 0.0 ? -WN__INF_F64 : y;
    y = v == 1.0 ? WN__INF_F64 : y;
    return (float)(((v >= 0.0) & (v <= 1.0)) ? y : WN__NAN_F64);
}
#endif
