/* One register of elements of each type, as a value and as it lies in memory. */
#ifndef WN_ENGINE_LEVEL_VECTORS_H
#define WN_ENGINE_LEVEL_VECTORS_H
#include <stdint.h>
#include <string.h>
#include "base/inline.h"
#include "engine/level/this_level.h"

typedef float v_f32 __attribute__((vector_size(VB)));
typedef double v_f64 __attribute__((vector_size(VB)));
typedef int32_t m_f32 __attribute__((vector_size(VB))); /* of each element all bits, or none */
typedef int64_t m_f64 __attribute__((vector_size(VB)));

INLINE v_f32 load_f32(const float *at) {
    v_f32 v;
    memcpy(&v, at, sizeof v);
    return v;
}
INLINE v_f64 load_f64(const double *at) {
    v_f64 v;
    memcpy(&v, at, sizeof v);
    return v;
}
INLINE void store_f32(float *at, v_f32 v) { memcpy(at, &v, sizeof v); }
INLINE void store_f64(double *at, v_f64 v) { memcpy(at, &v, sizeof v); }

INLINE v_f32 splat_f32(float x) { return x - (v_f32){0}; }
INLINE v_f64 splat_f64(double x) { return x - (v_f64){0}; }
/* a where m is set, otherwise b. */
INLINE v_f32 pick_f32(m_f32 m, v_f32 a, v_f32 b) { return (v_f32)((m & (m_f32)a) | (~m & (m_f32)b)); }
INLINE v_f64 pick_f64(m_f64 m, v_f64 a, v_f64 b) { return (v_f64)((m & (m_f64)a) | (~m & (m_f64)b)); }
#endif
