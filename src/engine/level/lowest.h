/* What is below all values of a type: where the largest value of some is looked for. */
#ifndef WN_ENGINE_LEVEL_LOWEST_H
#define WN_ENGINE_LEVEL_LOWEST_H
#include <math.h>
#include <stdint.h>

#define LOWEST_f32 (-INFINITY)
#define LOWEST_f64 (-(double)INFINITY)
#define LOWEST_i32 INT32_MIN
#define LOWEST_i64 INT64_MIN
#endif
