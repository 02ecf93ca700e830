/* Optimiser loops, compiled once for each ISA level. buf / vmax NULL: the variant without them. Without decay an infinite parameter
 * must not reach the gradient (0 * inf is NaN), hence WN_DECAY. */
#include "engine/optim_kernels.h"
#include "engine/level/this_level.h"
#include "engine/math/math.h"

#define WN_DECAY(x) (wd != 0 ? wd * (x) : 0)

#include "base/as_f32.h"
#include "engine/level/optim_of.h"
#include "base/as_f64.h"
#include "engine/level/optim_of.h"
#include "base/as_none.h"

const wn__optim_kernels WN_AT_LEVEL(wn__optim_kernels) = {sgd_f32, sgd_f64, adam_f32, adam_f64};
