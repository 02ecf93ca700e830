/* Maxima over windows of volumes, for each type (windows_of.h). */
#include "base/inline.h"
#include "engine/level/lowest.h"
#include "engine/level/this_level.h"
#include "engine/maxpool_kernels.h"
#include "engine/windows.h"

#include "base/as_f32.h"
#include "engine/level/windows_of.h"
#include "base/as_f64.h"
#include "engine/level/windows_of.h"
#include "base/as_i32.h"
#include "engine/level/windows_of.h"
#include "base/as_i64.h"
#include "engine/level/windows_of.h"
#include "base/as_none.h"

extern const wn__windows_table WN_AT_LEVEL(wn__windows_table);
const wn__windows_table WN_AT_LEVEL(wn__windows_table) = {{{row_f32, box_f32}, {row_f64, box_f64}, {row_i32, box_i32}, {row_i64, box_i64}}};
