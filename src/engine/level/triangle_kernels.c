/* Triangles and panels of linear algebra at one instruction set level: the template triangle_tile.h for f32 and f64. Products and sums may
 * contract to fma, as in the contraction kernels. */
#if defined(__clang__)
#pragma clang fp contract(fast)
#else
#pragma GCC optimize("fp-contract=fast")
#endif
#include "base/inline.h"
#include "engine/triangle.h"
#include "engine/level/this_level.h"
#include <math.h>

/* ROWS * VECS sums, VECS vectors and a factor must fit the register file. */
#if VB == 64 || defined(__aarch64__)
enum { ROWS = 8, VECS = 3 };
#else
enum { ROWS = 4, VECS = 2 };
#endif

#define T float
#define NAME(x) x##_f32
#define LANES (VB / 4)
#define MAGNITUDE fabsf
#include "engine/level/triangle_tile.h"
#undef T
#undef NAME
#undef LANES
#undef MAGNITUDE

#define T double
#define NAME(x) x##_f64
#define LANES (VB / 8)
#define MAGNITUDE fabs
#include "engine/level/triangle_tile.h"

extern const wn__triangle_table WN_AT_LEVEL(wn__triangle_table);
const wn__triangle_table WN_AT_LEVEL(wn__triangle_table) = {{solve_f32, lu_f32}, {solve_f64, lu_f64}};
