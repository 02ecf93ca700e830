/* Chooses the kernels of triangles and panels for the instruction set level in use. */
#include "engine/triangle.h"
#include "base/level.h"

WN__DECLARE_LEVELS(wn__triangle_table, wn__triangle_table);

const wn__triangle_kernels *wn__triangle_now(wn_dtype dtype) {
    const wn__triangle_table *t = WN__OF_LEVEL(wn__triangle_table);
    return dtype == WN_F64 ? &t->f64 : &t->f32;
}
