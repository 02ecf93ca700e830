/* The loops over images that lie channels last, for each type (pixels_of.h). */
#include <math.h>
#include <string.h>
#include "engine/level/this_level.h"
#include "engine/pixel_kernels.h"

#define FLOATING 1
#define NO_NUMBER(x) ((x) != (x))
#define QUOTIENT(a, d) ((a) / (d))
#define T float
#define I int32_t
#define LOWEST (-INFINITY)
#define NAME(x) x##_f32
#include "engine/level/pixels_of.h"
#define T double
#define I int64_t
#define LOWEST (-(double)INFINITY)
#define NAME(x) x##_f64
#include "engine/level/pixels_of.h"
#undef QUOTIENT
#undef FLOATING
#undef NO_NUMBER
#define FLOATING 0
#define NO_NUMBER(x) 0
#define QUOTIENT(a, d) ((d) == -1 ? -(a) : (a) / (d)) /* the smallest by -1 would trap */
#define T int32_t
#define I int32_t
#define LOWEST INT32_MIN
#define NAME(x) x##_i32
#include "engine/level/pixels_of.h"
#define T int64_t
#define I int64_t
#define LOWEST INT64_MIN
#define NAME(x) x##_i64
#include "engine/level/pixels_of.h"

extern const wn__pixel_table WN_AT_LEVEL(wn__pixel_table);
const wn__pixel_table WN_AT_LEVEL(wn__pixel_table) = {{{mean_f32, share_f32, most_f32, narrow_f32, pick_f32, widen_f32, mix_f32, pair_f32},
                                                       {mean_f64, share_f64, most_f64, narrow_f64, pick_f64, widen_f64, mix_f64, pair_f64},
                                                       {.mean = mean_i32, .most = most_i32, .narrow = narrow_i32},
                                                       {.mean = mean_i64, .most = most_i64, .narrow = narrow_i64}}};
