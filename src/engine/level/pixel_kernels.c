/* The loops over images that lie channels last, for each type (pixels_of.h). */
#include <string.h>
#include "base/inline.h"
#include "engine/level/lowest.h"
#include "engine/level/this_level.h"
#include "engine/pixel_kernels.h"

#include "base/as_f32.h"
#include "engine/level/pixels_of.h"
#include "base/as_f64.h"
#include "engine/level/pixels_of.h"
#include "base/as_i32.h"
#include "engine/level/pixels_of.h"
#include "base/as_i64.h"
#include "engine/level/pixels_of.h"
#include "base/as_none.h"

extern const wn__pixel_table WN_AT_LEVEL(wn__pixel_table);
const wn__pixel_table WN_AT_LEVEL(wn__pixel_table) = {{{mean_f32, share_f32, most_f32, narrow_f32, pick_f32, widen_f32, mix_f32, pair_f32},
                                                       {mean_f64, share_f64, most_f64, narrow_f64, pick_f64, widen_f64, mix_f64, pair_f64},
                                                       {.mean = mean_i32, .most = most_i32, .narrow = narrow_i32},
                                                       {.mean = mean_i64, .most = most_i64, .narrow = narrow_i64}}};
