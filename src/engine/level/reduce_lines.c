/* Softmax and normalisation kernels at one instruction set level; the bodies are in engine/reduce_lines_of.h. */
#include "engine/level/half_vec.h"
#include "engine/level/this_level.h"
#include "engine/level/vectors.h"
#include "engine/math/math.h"
#include "engine/reduce_lines.h"
#include "engine/reduce_parts.h"

/* How many elements the run has that begins with element i of n. */
INLINE int64_t run_at(int64_t i, int64_t n) { return n - i < WN__RUN ? n - i : WN__RUN; }

#include "base/as_f32.h"
#define E WN__E_F32
#include "engine/reduce_lines_of.h"
#undef E
#include "base/as_f64.h"
#define E WN__E_F64
#include "engine/reduce_lines_of.h"
#undef E
#include "base/as_none.h"

/* ---- halves are floats only in registers: y = x a + c, or g a + x b + c where g is there, with or without b x */

INLINE void of_half(const bool brain, float *y, const uint16_t *x) {
    if (brain) wn__apart_of_bf16(y, x);
    else wn__apart_of_f16(y, x);
}
/* The last run is padded, and what the padding gives dropped. */
INLINE void half_loop(const bool brain, uint16_t *to, const uint16_t *g, const uint16_t *x, int64_t n, const float a, const float b, const float c) {
    enum { R = WN_HALF_RUN };
    for (int64_t i = 0; i < n; i += R) {
        uint16_t room[3][R], *y = to + i;
        const uint16_t *in[2] = {x + i, g ? g + i : NULL};
        const size_t rest = n - i < R ? (size_t)(n - i) * sizeof *y : 0;
        float v[R], u[R], r[R];
        for (int q = 0; q < 2 && rest; q++)
            if (in[q]) in[q] = memcpy(memset(room[q], 0, sizeof room[q]), in[q], rest);
        of_half(brain, v, in[0]);
        if (g) of_half(brain, u, in[1]);
        for (int k = 0; k < R; k++) r[k] = g ? u[k] * a + v[k] * b + c : v[k] * a + b;
        if (brain) wn__apart_to_bf16(rest ? room[2] : y, r);
        else wn__apart_to_f16(rest ? room[2] : y, r);
        if (rest) memcpy(y, room[2], rest);
    }
}
static void affine_f16(void *to, const void *x, int64_t n, double a, double b) { half_loop(false, to, NULL, x, n, (float)a, (float)b, 0); }
static void affine_bf16(void *to, const void *x, int64_t n, double a, double b) { half_loop(true, to, NULL, x, n, (float)a, (float)b, 0); }
static void combine_f16(void *to, const void *g, const void *x, int64_t n, double a, double b, double c) {
    half_loop(false, to, g, x, n, (float)a, (float)b, (float)c);
}
static void combine_bf16(void *to, const void *g, const void *x, int64_t n, double a, double b, double c) {
    half_loop(true, to, g, x, n, (float)a, (float)b, (float)c);
}

#define ONES(s) .softmax = softmax_##s, .softmax_grad = softmax_grad_##s, .exp_minus = exp_minus_##s, .times = times_##s, .minus = minus_##s
#define NORMS(s) .logs = logs_##s, .moments = moments_##s, .normalise = normalise_##s, .normalise_grad = normalise_grad_##s
#define AFFINE(s) .affine = affine_##s, .affine_each = affine_each_##s, .combine = combine_##s, .combine_each = combine_each_##s
#define CENTRED(s) .centred_sums = centred_sums_##s, .centred_sums_each = centred_sums_each_##s
#define ROW(s) ONES(s), NORMS(s), AFFINE(s), CENTRED(s)
const wn__line_kernels WN_AT_LEVEL(wn__line_kernels)[2] = {
    {ROW(f32), .affine_half = {affine_f16, affine_bf16}, .combine_half = {combine_f16, combine_bf16}}, {ROW(f64)}};
