/* One register of elements of each type, as a value and as it lies in memory. */
#ifndef WN_ENGINE_LEVEL_VECTORS_H
#define WN_ENGINE_LEVEL_VECTORS_H
#include <stdint.h>
#include <string.h>
#include "base/inline.h"
#include "engine/level/this_level.h"

typedef float v_f32 __attribute__((vector_size(VB)));
typedef double v_f64 __attribute__((vector_size(VB)));

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
#endif
