/* logit, f32 and f64. Both vectorise. */
#ifndef WN_MATH_LOGIT_H
#define WN_MATH_LOGIT_H
#include "engine/math/base.h"
#include "engine/math/log.h"

/* x / (1 - x) = 2^e m with m in (0.666, 1.502) and e from the difference of the bits of x and 1 - x. log m = 2
 * atanh(s), s = (m - 1) / (m + 1) = (x 2^-e - (1 - x)) / (x 2^-e + (1 - x)): one division, before which s is exact
 * around 1/2. What 1 - x loses is subtracted from the numerator. */
WN__MATH float wn__logit_f32(float x) {
    float q = 1.0f - x, lost = (1.0f - q) - x;
    float v = x < 0x1p-126f ? x * 0x1p23f : x, less = x < 0x1p-126f ? 23.0f : 0.0f;
    uint32_t u = wn__bits_f32(v) - wn__bits_f32(q) + 0x400000u;
    float e = (float)((int32_t)u >> 23), w = v * wn__from_f32(0x3f800000u - (u & 0xff800000u)); /* x 2^-e */
    float s = ((w - q) - lost) / (w + q), z = s * s, p = 0x1.376bb0p-2f;
    e -= less;
    p = wn__fma_f32(p, z, 0x1.9924acp-2f);
    p = wn__fma_f32(p, z, 0x1.5555bcp-1f);
    float y = wn__fma_f32(2.0f, s, wn__fma_f32(e, WN__LN2LO_F32, s * z * p));
    y = wn__fma_f32(e, WN__LN2HI_F32, y);
    y = ((x > 0.0f) & (x < 1.0f)) ? y : WN__NAN_F32;
    y = x == 0.0f ? -WN__INF_F32 : y;
    return x == 1.0f ? WN__INF_F32 : y;
}
WN__MATH double wn__logit_f64(double x) {
    double q = 1.0 - x, lost = (1.0 - q) - x;
    double v = x < 0x1p-1022 ? x * 0x1p54 : x, less = x < 0x1p-1022 ? 1077.0 : 1023.0;
    uint64_t u = wn__bits_f64(v) - wn__bits_f64(q) + 0x3ff8000000000000u;
    double e = wn__from_f64((u >> 52) | 0x4330000000000000u) - (0x1p52 + less);
    double w = v * wn__from_f64(0x7fe0000000000000u - (u & 0xfff0000000000000u));
    double s = ((w - q) - lost) / (w + q), z = s * s, h = z * z, a = 0x1.3ba69e9058103p-3, b = 0x1.3834ad9d65d00p-3;
    a = WN__HORNER(wn__fma_f64, h, a, 0x1.7476682fc5b68p-3, 0x1.249249c150b19p-2, 0x1.55555555557c9p-1);
    b = WN__HORNER(wn__fma_f64, h, b, 0x1.c71bf7cb71a35p-3, 0x1.99999998dae58p-2);
    double y = wn__fma_f64(2.0, s, wn__fma_f64(e, WN__LN2LO_F64, s * z * wn__fma_f64(b, z, a)));
    y = wn__fma_f64(e, WN__LN2HI_F64, y);
    y = wn__sel_f64((x > 0.0) & (x < 1.0), y, WN__NAN_F64);
    y = wn__sel_f64(x == 0.0, -WN__INF_F64, y);
    return wn__sel_f64(x == 1.0, WN__INF_F64, y);
}
#endif
