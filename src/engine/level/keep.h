/* Elements under a mask of bits: what is left out is 0, even inf and NaN. */
#ifndef WN_ENGINE_LEVEL_KEEP_H
#define WN_ENGINE_LEVEL_KEEP_H
#include <stdint.h>
#include <string.h>

static inline float keep_f32(float x, int32_t in) {
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    u &= (uint32_t)in;
    memcpy(&x, &u, sizeof u);
    return x;
}
static inline double keep_f64(double x, int64_t in) {
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    u &= (uint64_t)in;
    memcpy(&x, &u, sizeof u);
    return x;
}
#endif
