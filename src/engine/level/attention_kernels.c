/* Loops over rows of scores, in whole groups of LANES columns: what lies behind a row is room. Sums and maxima run over LANES partial
 * ones in a fixed order. */
#include <math.h>
#include <stdbool.h>
#include "base/inline.h"
#include "engine/attention.h"
#include "engine/level/this_level.h"
#include "engine/math/math.h"

enum { LANES = WN__ATTENTION_ROOM };

#define UNIT_f32 WN__LOG2E_F64
#define UNIT_f64 1.0
/* A bias that is a number stays one as an exponent; this one, as a row's maximum, survives the way into logarithms and back. */
#define LEAST_f32 (-0x1p127f * (float)UNIT_f32)
#define LEAST_f64 (-INFINITY)

#include "base/as_f32.h"
#include "engine/level/attention_of.h"
#ifndef __AVX2__
#include "engine/level/attention_plain_of.h"
#endif
#include "base/as_f64.h"
#include "engine/level/attention_of.h"
#include "engine/level/attention_plain_of.h"
#include "base/as_none.h"
#ifdef __AVX2__
#include "engine/level/attention_vec.h"
#endif

#define TABLE(name, soften, back)                                                                                         \
    { causal_##name, mask_##name, bias_##name, soften, finish_##name, back, dots_##name, times_##name, nan_##name, UNIT_##name }
#ifdef __AVX512F__
static const wn__attention_type bf16_type = TABLE(f32, soften_bf16, back_bf16);
#endif
extern const wn__attention_kernels WN_AT_LEVEL(wn__attention_kernels);
const wn__attention_kernels WN_AT_LEVEL(wn__attention_kernels) = {
    TABLE(f32, soften_f32, back_f32),
    TABLE(f64, soften_f64, back_f64),
#ifdef __AVX512F__
    &bf16_type,
#else
    NULL,
#endif
};
