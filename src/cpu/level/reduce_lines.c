/* Softmax and normalisation kernels at one instruction set level; the bodies are in cpu/reduce_lines_float.h. */
#include "cpu/level/level.h"
#include "cpu/math/math.h"
#include "cpu/reduce_lines.h"
#include "cpu/reduce_parts.h"

#define T float
#define E WN__E_F32
#define NAME(x) x##_f32
#include "cpu/reduce_lines_float.h"
#undef T
#undef E
#undef NAME

#define T double
#define E WN__E_F64
#define NAME(x) x##_f64
#include "cpu/reduce_lines_float.h"

#define KERNELS(s)                                                                                                     \
    {                                                                                                                  \
        .softmax = softmax_##s, .softmax_grad = softmax_grad_##s, .exp_minus = exp_minus_##s, .times = times_##s,      \
        .minus = minus_##s, .logs = logs_##s, .moments = moments_##s, .normalise = normalise_##s, .normalise_grad = normalise_grad_##s,  \
        .affine = affine_##s, .affine_each = affine_each_##s, .centred_sums = centred_sums_##s,                        \
        .centred_sums_each = centred_sums_each_##s, .combine = combine_##s, .combine_each = combine_each_##s,          \
    }
const wn__line_kernels WN_AT_LEVEL(wn__line_kernels)[2] = {KERNELS(f32), KERNELS(f64)};
