/* Softmax and normalisation kernels at one instruction set level; the bodies are in engine/reduce_lines_of.h. */
#include "engine/level/half_vec.h"
#include "engine/level/this_level.h"
#include "engine/math/math.h"
#include "engine/reduce_lines.h"
#include "engine/reduce_parts.h"

#define T float
#define E WN__E_F32
#define NAME(x) x##_f32
#include "engine/reduce_lines_of.h"
#undef T
#undef E
#undef NAME

#define T double
#define E WN__E_F64
#define NAME(x) x##_f64
#include "engine/reduce_lines_of.h"

/* Halves are floats only in registers. The last run is padded, and what the padding gives dropped. */
#define HALF_LOOP(name, half, nin, args, from, number, made)                                                           \
    static void name##_##half args {                                                                                   \
        enum { R = WN_HALF_RUN };                                                                                      \
        const float number;                                                                                            \
        const uint16_t *const in[nin] = from;                                                                          \
        for (int64_t i = 0; i < n; i += R) {                                                                           \
            uint16_t room[nin + 1][R], *y = (uint16_t *)to + i;                                                        \
            const size_t rest = n - i < R ? (size_t)(n - i) * sizeof *y : 0;                                           \
            float v[nin][R], r[R];                                                                                     \
            for (int q = 0; q < nin; q++)                                                                              \
                wn__apart_of_##half(v[q], rest ? memcpy(memset(room[q], 0, sizeof room[q]), in[q] + i, rest) : in[q] + i); \
            for (int k = 0; k < R; k++) r[k] = made;                                                                   \
            wn__apart_to_##half(rest ? room[nin] : y, r);                                                              \
            if (rest) memcpy(y, room[nin], rest);                                                                      \
        }                                                                                                              \
    }
#define LIST(...) __VA_ARGS__
#define HALF_LOOPS(half)                                                                                               \
    HALF_LOOP(affine, half, 1, LIST((void *to, const void *x, int64_t n, double ad, double bd)), {x}, LIST(a = (float)ad, b = (float)bd), \
              v[0][k] * a + b)                                                                                         \
    HALF_LOOP(combine, half, 2, LIST((void *to, const void *g, const void *x, int64_t n, double ad, double bd, double cd)), LIST({g, x}), \
              LIST(a = (float)ad, b = (float)bd, c = (float)cd), v[0][k] * a + v[1][k] * b + c)
HALF_LOOPS(f16)
HALF_LOOPS(bf16)

#define KERNELS(s, halves)                                                                                                     \
    {                                                                                                                  \
        .softmax = softmax_##s, .softmax_grad = softmax_grad_##s, .exp_minus = exp_minus_##s, .times = times_##s,      \
        .minus = minus_##s, .logs = logs_##s, .moments = moments_##s, .normalise = normalise_##s, .normalise_grad = normalise_grad_##s,  \
        .affine = affine_##s, .affine_each = affine_each_##s, .centred_sums = centred_sums_##s,                        \
        .centred_sums_each = centred_sums_each_##s, .combine = combine_##s, .combine_each = combine_each_##s,          \
        halves                                                                                                         \
    }
const wn__line_kernels WN_AT_LEVEL(wn__line_kernels)[2] = {KERNELS(f32, LIST(.affine_half = {affine_f16, affine_bf16}, .combine_half = {combine_f16, combine_bf16})), KERNELS(f64, )};
