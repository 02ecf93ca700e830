/* The loops of maximum pooling, for each type (maxpool_of.h). */
#include <string.h>
#include "base/inline.h"
#include "engine/level/lowest.h"
#include "engine/level/this_level.h"
#include "engine/maxpool_kernels.h"

#include "base/as_f32.h"
#include "engine/level/maxpool_of.h"
#include "base/as_f64.h"
#include "engine/level/maxpool_of.h"
#include "base/as_i32.h"
#include "engine/level/maxpool_of.h"
#include "base/as_i64.h"
#include "engine/level/maxpool_of.h"
#include "base/as_none.h"

extern const wn__maxpool_kernels WN_AT_LEVEL(wn__maxpool_kernels);
const wn__maxpool_kernels WN_AT_LEVEL(wn__maxpool_kernels) = {{plane_f32, plane_f64, plane_i32, plane_i64}, {scatter_f32, scatter_f64}};
