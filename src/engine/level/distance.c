/* Loops over the differences of two rows. */
#include <string.h>
#include "engine/distance.h"
#include "engine/level/this_level.h"
#include "engine/level/vectors.h"
#include "engine/math/math.h"

enum { LANES = 16, ROWS = 128 };

#include "base/as_f32.h"
#include "engine/level/distance_of.h"
#include "base/as_f64.h"
#include "engine/level/distance_of.h"
#include "base/as_none.h"

extern const wn__distance_kernels WN_AT_LEVEL(wn__distance_kernels);
const wn__distance_kernels WN_AT_LEVEL(wn__distance_kernels) = {{from_row_f32, slopes_f32}, {from_row_f64, slopes_f64}};
