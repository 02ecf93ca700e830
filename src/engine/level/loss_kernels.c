/* Log-softmax loops, for each type (loss_of.h). */
#include <math.h>
#include "base/inline.h"
#include "engine/level/this_level.h"
#include "engine/loss_kernels.h"
#include "engine/math/math.h"

enum { LANES = 32, BLOCK = 512 };

#include "base/as_f32.h"
#include "engine/level/loss_of.h"
#include "base/as_f64.h"
#include "engine/level/loss_of.h"
#include "base/as_none.h"

extern const wn__loss_kernels WN_AT_LEVEL(wn__loss_kernels);
const wn__loss_kernels WN_AT_LEVEL(wn__loss_kernels) = {{rows_f32, columns_f32, rows_back_f32, columns_back_f32},
                                                        {rows_f64, columns_f64, rows_back_f64, columns_back_f64}};
