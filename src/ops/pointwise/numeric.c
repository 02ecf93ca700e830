/* numeric.def: rows that are no formula, or choose among formulas: numbers beside NaN, neighbours, exponents, logspace. */
#include <float.h>
#include <math.h>
#include "engine/math/base.h"
#include "base/threads.h"
#include "ops/pointwise/pointwise.h"

wn_status wn__check_heaviside(wn__call *c) {
    const wn_heaviside_args *a = c->args;
    if (a->self.kind == WN_VAL_TENSOR && a->values.kind == WN_VAL_TENSOR && a->self.u.t->dtype != a->values.u.t->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "heaviside is not yet implemented for tensors with different dtypes.");
    return WN_OK;
}

/* ------------------------------------------------------------------ nan_to_num */

/* The number that replaces: as given (f32 takes none between its largest and infinity), or the dtype's own. */
static wn_val replacement(wn_val given, wn_dtype d, double otherwise) {
    double x = wn__f64_or(given, otherwise);
    if (d != WN_F64) x = (double)(float)x;
    return wn_val_of_float(x);
}
wn_status wn__op_nan_to_num(wn__call *c, wn_tensor *self, wn_val nan_given, wn_val posinf, wn_val neginf) {
    const wn_dtype d = (wn_dtype)self->dtype;
    if (!wn__is_float((int)d)) return wn__give(c, 0, c->inplace || c->target ? self : wn_clone(self));
    const wn_val nan = replacement(nan_given, d, 0), up = replacement(posinf, d, wn__largest(d)), down = replacement(neginf, d, -wn__largest(d));
    return wn__give(c, 0, c->inplace ? wn_nan_to_num_values_(self, nan, up, down) : wn_nan_to_num_values(self, nan, up, down));
}

/* ------------------------------------------------------------------ neighbours */

/* float16 and bfloat16 have neighbours of their own, not those of the float32 that they are computed in: their bits are
 * stepped as integers. */
static wn_tensor *half_neighbour(wn_tensor *x, wn_tensor *to) {
    wn_tensor *nan = wn_logical_or(wn_isnan(x), wn_isnan(to));
    wn_tensor *bits = wn_nextafter_half(wn_view_dtype(x, WN_I16), wn_view_dtype(to, WN_I16));
    return wn_where(nan, NAN, wn_view_dtype(bits, wn_dtype_of(x)));
}
/* As the pointwise row of wide numbers says its own, which is asked as if it were on the meta device: there it does no more. */
wn_status wn__infer_nextafter(wn__call *c) {
    const wn_nextafter_args *a = c->args;
    const wn_nextafter_wide_args wide = {.size_ = sizeof wide, .self = wn_val_of_tensor(a->self), .other = wn_val_of_tensor(a->other)};
    wn__call asked = {.op = &wn__ops[WN__OP_nextafter_wide], .th = c->th, .args = &wide, .meta = true, .in = c->in, .nin = c->nin};
    wn_status st = wn__pointwise(&asked);
    const wn_tensor *said = asked.out[0];
    c->may_wait = true;
    if (!st) st = wn__result(c, 0, (wn_dtype)said->dtype, said->ndim, said->shape, said->contiguous ? NULL : said->strides);
    wn__release(asked.out[0]);
    return st;
}
wn_status wn__run_nextafter(wn__call *c) {
    const wn_nextafter_args *a = c->args;
    const wn_dtype d = (wn_dtype)c->out[0]->dtype;
    WN_NO_GRAD();
    if (d != WN_F16 && d != WN_BF16) return wn__give(c, 0, wn_nextafter_wide(a->self, a->other));
    return wn__give(c, 0, half_neighbour(wn_to(a->self, d), wn_to(a->other, d)));
}

/* ------------------------------------------------------------------ exponents */

/* Mantissa and exponent by their bits, without branches, so that the loops vectorise; subnormal numbers are made normal first. Zeros, infinities and
 * NaN are their own mantissa. */
static inline void frexp_f32(float x, float *mantissa, int32_t *exponent) {
    const bool small = fabsf(x) < FLT_MIN, odd = (x == 0.0f) | !(fabsf(x) < INFINITY);
    const uint32_t u = wn__bits_f32(small ? x * 0x1p24f : x);
    *mantissa = odd ? x : wn__from_f32((u & 0x807fffffu) | 0x3f000000u);
    *exponent = odd ? 0 : (int32_t)(u >> 23 & 0xff) - (small ? 126 + 24 : 126);
}
static inline void frexp_f64(double x, double *mantissa, int32_t *exponent) {
    const bool small = fabs(x) < DBL_MIN, odd = (x == 0.0) | !(fabs(x) < (double)INFINITY);
    const uint64_t u = wn__bits_f64(small ? x * 0x1p54 : x);
    *mantissa = odd ? x : wn__from_f64((u & 0x800fffffffffffffu) | 0x3fe0000000000000u);
    *exponent = (int32_t)(odd ? 0 : (u >> 52 & 0x7ff) - (small ? 1022 + 54 : 1022));
}
static inline void frexp_f16(uint16_t x, uint16_t *mantissa, int32_t *exponent) {
    const uint32_t a = x & 0x7fffu;
    const bool small = a < 0x400, odd = (a == 0) | (a >= 0x7c00);
    const uint32_t up = wn__bits_f32((float)(int32_t)a); /* the fraction of a subnormal, normal */
    *mantissa = (uint16_t)(odd ? x : (x & 0x8000u) | 0x3800u | ((small ? up >> 13 : a) & 0x3ffu));
    *exponent = odd ? 0 : small ? (int32_t)(up >> 23) - 127 - 23 : (int32_t)(a >> 10) - 14;
}
static inline void frexp_bf16(uint16_t x, uint16_t *mantissa, int32_t *exponent) {
    float m;
    frexp_f32(wn__from_f32((uint32_t)x << 16), &m, exponent);
    *mantissa = (uint16_t)(wn__bits_f32(m) >> 16);
}
#include "base/as_f32.h"
#include "ops/pointwise/frexp_of.h"
#include "base/as_f64.h"
#include "ops/pointwise/frexp_of.h"
#include "base/as_f16.h"
#include "ops/pointwise/frexp_of.h"
#include "base/as_bf16.h"
#include "ops/pointwise/frexp_of.h"
#include "base/as_none.h"

typedef struct frexp_job {
    int dtype;
    const char *from;
    char *mantissa;
    int32_t *exponent;
} frexp_job;
static void frexp_part(void *ctx, int64_t begin, int64_t end) {
    const frexp_job *j = ctx;
    const size_t at = (size_t)begin * wn__dtype_size(j->dtype);
    const void *from = j->from + at;
    void *mantissa = j->mantissa + at;
    int32_t *exponent = j->exponent + begin;
    const int64_t n = end - begin;
    if (j->dtype == WN_F32) frexp_loop_f32(n, from, mantissa, exponent);
    else if (j->dtype == WN_F64) frexp_loop_f64(n, from, mantissa, exponent);
    else if (j->dtype == WN_F16) frexp_loop_f16(n, from, mantissa, exponent);
    else frexp_loop_bf16(n, from, mantissa, exponent);
}
wn_status wn__infer_frexp(wn__call *c) {
    const wn_tensor *x = ((const wn_frexp_args *)c->args)->self;
    const wn_dtype d = (wn_dtype)x->dtype;
    if (!wn__is_float((int)d)) return wn__fail_op(c, WN_E_RUNTIME, "torch.frexp() only supports floating-point dtypes, got %s", wn_dtype_name(d));
    const wn_status st = wn__result(c, 0, d, x->ndim, x->shape, NULL);
    return st ? st : wn__result(c, 1, WN_I32, x->ndim, x->shape, NULL);
}
wn_status wn__run_frexp(wn__call *c) {
    WN__OWNED wn_tensor *x = wn__contiguous_raw(((const wn_frexp_args *)c->args)->self);
    if (!x) return wn__fail_memory(c->op->name);
    frexp_job j = {x->dtype, wn__ptr(x), wn__ptr(c->out[0]), (int32_t *)(void *)wn__ptr(c->out[1])};
    if (x->numel) wn__parallel(x->numel, 8192, frexp_part, &j);
    return WN_OK;
}
void wn__vjp_frexp(wn__gradctx *c) { /* mantissa = self / 2^exponent */
    if (!c->g[0]) return;
    wn_tensor *e = wn_dtype_of(c->g[0]) == WN_F64 ? wn_to(c->y[1], WN_F64) : c->y[1];
    c->gin[0] = wn_div(c->g[0], wn_exp2(e));
}

static wn_val wide(wn_val v) {
    return v.kind == WN_VAL_TENSOR ? wn_val_of_tensor(wn_to(v.u.t, WN_F64)) : wn_val_of_float(wn__val_f64(v));
}
wn_status wn__op_float_power(wn__call *c, wn_val self, wn_val exponent) {
    return wn__give(c, 0, wn_pow(wide(self), wide(exponent)));
}

/* ------------------------------------------------------------------ logspace */

/* base to numbers evenly spaced from start to end. The ends and their difference are rounded to the dtype, integers truncated; the rest is in f64, as in torch. */
static void powers(wn_tensor *t, double base, double start, double end, int64_t steps) {
    const wn_dtype d = (wn_dtype)t->dtype;
    if (wn__is_meta(t)) return;
    if (steps > 1) start = wn__as_element(d, start), end = wn__as_element(d, end);
    const double between = wn__is_float((int)d) ? wn__as_element(d, end - start) : end - start, step = steps > 1 ? between / (double)(steps - 1) : 0;
    char *p = wn__ptr(t);
    for (int64_t i = 0; i < steps; i++) {
        const double far = step * (double)(i < steps / 2 ? i : steps - 1 - i), x = steps == 1 || i < steps / 2 ? start + far : end - far;
        wn__store_val(d, p + (size_t)i * wn__dtype_size((int)d), wn_val_of_float(pow(base, x)));
    }
}
wn_status wn__op_logspace(wn__call *c, wn_val start, wn_val end, int64_t steps, double base, wn_dtype dtype) {
    const wn_dtype d = wn__factory_dtype(c, dtype, wn_default_dtype());
    if (!d) return c->th->error;
    if (d == WN_BOOL) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"logspace_cpu\" not implemented for 'Bool'");
    if (steps < 0) return wn__fail_op(c, WN_E_RUNTIME, "number of steps must be non-negative, got %lld", (long long)steps);
    const bool as_out = c->target && c->target->numel == steps; /* which then keeps its shape */
    wn_tensor *t = wn_empty(as_out ? wn_shape(c->target) : WN_DIMS(steps), .dtype = d);
    if (!wn_ok(t)) return c->th->error;
    powers(t, base, wn__val_f64(start), wn__val_f64(end), steps);
    return wn__give(c, 0, t);
}
wn_status wn__op_logspace_tensor(wn__call *c) {
    const wn_logspace_tensor_args *a = c->args;
    wn_val ends[2] = {a->start, a->end};
    for (int i = 0; i < 2; i++) {
        if (ends[i].kind != WN_VAL_TENSOR) continue;
        const wn_tensor *t = ends[i].u.t;
        if (t->ndim)
            return wn__fail_op(c, WN_E_RUNTIME, "logspace only supports 0-dimensional start and end tensors, but got %s with %d dimension(s).", i ? "end" : "start", t->ndim);
        ends[i] = wn__is_float(t->dtype) ? wn_val_of_float(wn_item_f64(ends[i].u.t)) : wn_val_of_int(wn_item_i64(ends[i].u.t));
    }
    if (c->th->error) return c->th->error;
    const wn_dtype d = wn__factory_dtype(c, a->dtype, wn_default_dtype());
    return d ? wn__give(c, 0, wn_logspace(ends[0], ends[1], a->steps, .base = a->base, .dtype = d)) : c->th->error;
}
