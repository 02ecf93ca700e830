/* What some pointwise rows need beside their expression: checks of integer operands, pow's gradient; and forms of a row that choose
 * among others: clamp, rounding modes, approximations. */
#include <math.h>
#include "base/alloc.h"
#include "base/words.h"
#include "engine/reduction.h"
#include "ops/pointwise/pointwise.h"

static bool integer_operand(const wn_val *v) {
    if (v->kind == WN_VAL_TENSOR) return !wn__is_float(v->u.t->dtype);
    return v->kind == WN_VAL_INT || v->kind == WN_VAL_BOOL;
}

/* 1: an element of an integer tensor is 0; 0: none is; -1: no memory to find out. */
static int has_zero(const wn_tensor *t) {
    if (t->numel == 0 || wn__is_meta(t)) return 0;
    uint8_t all;
    wn__reduction r = {.kind = WN__R_ALL, .dtype = (wn_dtype)t->dtype, .x = wn__ptr(t), .ndim = t->ndim, .reduced = (1u << t->ndim) - 1, .out = &all, .out_dtype = WN_BOOL};
    for (int d = 0; d < t->ndim; d++) r.dim[d] = (wn__reduce_dim){.size = t->shape[d], .x = t->strides[d]};
    return wn__reduce(&r) == WN__REDUCE_OK ? !all : -1;
}

/* Is a number, or a 0-d tensor, 0 as an element of the integer tensor beside it (256 is, of uint8)? */
static bool wraps_to_zero(const wn_val *v, const wn_val *beside) {
    if (beside->kind != WN_VAL_TENSOR || !wn__is_integer(beside->u.t->dtype)) return false;
    if (v->kind != WN_VAL_TENSOR) return wn__val_i64(wn__wrapped((wn_dtype)beside->u.t->dtype, *v)) == 0;
    const wn_tensor *t = v->u.t;
    if (t->ndim || !beside->u.t->ndim || wn__is_meta(t)) return false;
    return wn__val_i64(wn__wrapped((wn_dtype)beside->u.t->dtype, wn_val_of_int(wn__load_i64((wn_dtype)t->dtype, wn__ptr(t))))) == 0;
}

/* floor_divide, remainder, fmod: their args begin alike. */
wn_status wn__check_divisor(wn__call *c) {
    const wn_remainder_args *a = c->args;
    if (!integer_operand(&a->self) || !integer_operand(&a->other)) return WN_OK;
    const int zero = a->other.kind == WN_VAL_TENSOR ? has_zero(a->other.u.t) : wn__val_i64(a->other) == 0;
    if (zero < 0) return wn__fail_memory(c->op->name);
    if (zero || wraps_to_zero(&a->other, &a->self)) return wn__fail_op(c, WN_E_RUNTIME, "ZeroDivisionError: integer division by zero");
    return WN_OK;
}

static bool is_bool(const wn_val *v) { return v->kind == WN_VAL_TENSOR ? v->u.t->dtype == WN_BOOL : v->kind == WN_VAL_BOOL; }
wn_status wn__check_exponent(wn__call *c) {
    const wn_pow_args *a = c->args;
    if (is_bool(&a->self) && is_bool(&a->exponent)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"pow\" not implemented for 'Bool'");
    if (integer_operand(&a->self) && a->exponent.kind != WN_VAL_TENSOR && integer_operand(&a->exponent) && wn__val_i64(a->exponent) < 0)
        return wn__fail_op(c, WN_E_RUNTIME, "Integers to negative integer powers are not allowed.");
    if (a->self.kind == WN_VAL_TENSOR && wn__is_integer(a->self.u.t->dtype) && a->exponent.kind != WN_VAL_TENSOR && integer_operand(&a->exponent))
        return wn__check_number(c, (wn_dtype)a->self.u.t->dtype, a->exponent);
    return WN_OK;
}

wn_status wn__check_addcmul(wn__call *c) {
    const wn_addcmul_args *a = c->args;
    if (!is_bool(&a->self) || !is_bool(&a->tensor1) || !is_bool(&a->tensor2)) return WN_OK;
    return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"addcmul_cpu_out\" not implemented for 'Bool'");
}
/* Of tensors of integers a quotient would have been cut off once, and is an error since. */
wn_status wn__check_addcdiv(wn__call *c) {
    const wn_addcdiv_args *a = c->args;
    if (!integer_operand(&a->tensor1) || !integer_operand(&a->tensor2)) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of "
                       "tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) "
                       "for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter "
                       "implementation: (input + value * tensor1 / tensor2), for all dtypes.");
}

wn_status wn__check_lerp(wn__call *c) {
    const wn_lerp_args *a = c->args;
    if (a->self.kind != WN_VAL_TENSOR || a->end.kind != WN_VAL_TENSOR) return WN_OK;
    const int d = a->self.u.t->dtype, end = a->end.u.t->dtype;
    const wn_tensor *w = a->weight.kind == WN_VAL_TENSOR && a->weight.u.t->ndim ? a->weight.u.t : NULL; /* a single number is of any type */
    if (end != d || (w && w->dtype != d))
        return wn__fail_op(c, WN_E_RUNTIME, "expected dtype %s for `%s` but got dtype %s", wn__dtype_cxx(d), end != d ? "end" : "weight", wn__dtype_cxx(end != d ? end : w->dtype));
    if (wn__is_float(d)) return WN_OK;
    return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"lerp_kernel_%s\" not implemented for '%s'", w ? "tensor" : "scalar", wn__dtype_word(d));
}

void wn__grad_of_pow(wn__gradctx *c, wn_val x, wn_val power) {
    wn_val zero = wn_val_of_int(0);
    if (c->need & 1) { /* exponent * self^(exponent-1); exactly 0 where the exponent is 0 */
        if (power.kind != WN_VAL_TENSOR) {
            double e = wn__val_f64(power);
            if (e == 0) c->gin[0] = wn_zeros_like(c->g[0]);
            else c->gin[0] = wn_mul(c->g[0], wn_mul(e == 2 ? x : wn_val_of_tensor(wn_pow(x, e - 1)), e));
        } else {
            wn_tensor *e = power.u.t;
            c->gin[0] = wn_mul(c->g[0], wn_where(wn_eq(e, 0), zero, wn_mul(e, wn_pow(x, wn_sub(e, 1)))));
        }
    }
    if (c->need & 2) { /* self^exponent * log(self); 0 where self is 0 and exponent >= 0 */
        wn_tensor *e = power.u.t;
        if (x.kind != WN_VAL_TENSOR) {
            double base = wn__val_f64(x);
            wn_tensor *d = wn_mul(c->y[0], __builtin_log(base));
            c->gin[1] = wn_mul(c->g[0], base == 0 ? wn_where(wn_ge(e, 0), zero, d) : d);
        } else {
            wn_tensor *s = x.u.t;
            wn_tensor *safe = wn_logical_and(wn_eq(s, 0), wn_ge(e, 0));
            c->gin[1] = wn_mul(c->g[0], wn_where(safe, zero, wn_mul(c->y[0], wn_log(s))));
        }
    }
}

wn_status wn__op_clamp(wn__call *c, wn_tensor *self, wn_val min, wn_val max) {
    if (min.kind == WN_VAL_NONE && max.kind == WN_VAL_NONE)
        return wn__fail_op(c, WN_E_RUNTIME, "At least one of 'min' or 'max' must not be None");
    if (max.kind == WN_VAL_NONE) return wn__give(c, 0, c->inplace ? wn_clamp_min_(self, min) : wn_clamp_min(self, min));
    if (min.kind == WN_VAL_NONE) return wn__give(c, 0, c->inplace ? wn_clamp_max_(self, max) : wn_clamp_max(self, max));
    return wn__give(c, 0, c->inplace ? wn_clamp_range_(self, min, max) : wn_clamp_range(self, min, max));
}

/* ------------------------------------------------------------------ one name, several rows */

wn_status wn__op_round_decimals(wn__call *c, wn_tensor *self, int64_t decimals) {
    double up = decimals > 0 ? pow(10, (double)decimals) : 1, down = decimals < 0 ? pow(10, -(double)decimals) : 1;
    return wn__give(c, 0, wn_round_scaled(self, up, down));
}

/* uint8 counts as a mask elsewhere (where, indexing), as in torch. */
static wn_status check_fill_mask(wn__call *c, const wn_tensor *mask) {
    if (mask->dtype == WN_BOOL) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "masked_fill only supports boolean masks, but got mask with dtype %s", wn_dtype_name((wn_dtype)mask->dtype));
}
wn_status wn__op_masked_fill(wn__call *c) { return check_fill_mask(c, ((const wn_masked_fill_args *)c->args)->mask); }

wn_status wn__check_masked_fill_tensor(wn__call *c, wn_tensor *self, wn_tensor *mask_given, wn_tensor *value) {
    if (value->ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "masked_fill only supports a 0-dimensional value tensor, but got tensor with %d dimension(s).", value->ndim);
    wn_status mask = check_fill_mask(c, mask_given);
    if (mask) return mask;
    if (!c->meta && wn__is_integer(self->dtype) && wn__is_integer(value->dtype)) { /* torch takes the number out */
        const void *p = wn__ptr(value);
        return p ? wn__check_number(c, (wn_dtype)self->dtype, wn_val_of_int(wn__load_i64((wn_dtype)value->dtype, p))) : c->th->error;
    }
    return WN_OK;
}
