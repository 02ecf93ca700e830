/* activation.def: checks of the activations' numbers, and those that are more than one formula: prelu, glu, rrelu. */
#include <math.h>
#include "ops/pointwise/pointwise.h"
#include "ops/random/random.h"

wn_status wn__check_hardtanh(wn__call *c) {
    const wn_hardtanh_args *a = c->args;
    if (a->self->dtype == WN_BOOL) return wn__fail_op(c, WN_E_RUNTIME, "Bool inputs not supported for hardtanh");
    if (a->self->dtype == WN_U8 && (wn__f64_or(a->min_val, -1) <= -1 || wn__f64_or(a->max_val, 1) <= -1))
        return wn__fail_op(c, WN_E_RUNTIME, "cannot do hardtanh on an unsigned type with negative limits");
    return WN_OK;
}
wn_status wn__check_relu6(wn__call *c) {
    const wn_relu6_args *a = c->args;
    return a->self->dtype == WN_BOOL ? wn__fail_op(c, WN_E_RUNTIME, "Bool inputs not supported for hardtanh") : WN_OK;
}
wn_status wn__check_softshrink(wn__call *c) {
    const wn_softshrink_args *a = c->args;
    const double lambd = wn__f64_or(a->lambd, 0.5);
    return lambd >= 0 ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "lambda must be greater or equal to 0, but found to be %g.", lambd);
}
wn_status wn__check_celu(wn__call *c) {
    const wn_celu_args *a = c->args;
    return wn__f64_or(a->alpha, 1) != 0 ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "ZeroDivisionError: alpha cannot be 0 for CELU");
}

/* ------------------------------------------------------------------ prelu */

wn_status wn__op_prelu(wn__call *c, wn_tensor *x, wn_tensor *w) {
    if (x->dtype != w->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "prelu: Type promoting not supported. Got %s and %s", wn_dtype_name((wn_dtype)x->dtype), wn_dtype_name((wn_dtype)w->dtype));
    if (w->ndim > 1) return wn__fail_op(c, WN_E_RUNTIME, "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = %d", w->ndim);
    if (w->numel != 1) {
        if (x->ndim == 0) return wn__fail_op(c, WN_E_RUNTIME, "Not allow zero-dim input tensor.");
        const int64_t channels = x->ndim > 1 ? x->shape[1] : 1;
        if (channels != w->numel)
            return wn__fail_op(c, WN_E_RUNTIME, "Mismatch of parameter numbers and input channel size. Found parameter numbers = %lld and channel size = %lld.",
                               (long long)w->numel, (long long)channels);
    }
    wn_dims shape = {.n = x->ndim ? x->ndim : -1};
    for (int i = 0; i < x->ndim; i++) shape.v[i] = i == 1 ? w->numel : 1;
    return wn__give(c, 0, wn_prelu_kernel(x, wn_reshape(w, shape)));
}

/* ------------------------------------------------------------------ glu */

typedef struct halves {
    wn_tensor *value, *gate;
} halves;
static halves halve(wn_tensor *t, int64_t dim) {
    const int64_t n = wn_size(t, (int)dim) / 2;
    halves h = {wn_narrow(t, dim, 0, n), wn_narrow(t, dim, n, n)};
    return h;
}
static int halved_dim(wn__call *c, const wn_tensor *t, int64_t dim) {
    if (t->ndim == 0) {
        wn__fail_op(c, WN_E_RUNTIME, "glu does not support scalars because halving size must be even");
        return -1;
    }
    const int d = wn__wrap_dim(c->op->name, dim, t->ndim);
    if (d >= 0 && t->shape[d] % 2) {
        wn__fail_op(c, WN_E_RUNTIME, "Halving dimension must be even, but dimension %d is size %lld", d, (long long)t->shape[d]);
        return -1;
    }
    if (d >= 0 && !wn__is_float(t->dtype)) {
        wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"glu\" not implemented for %s: only floating-point tensors are supported", wn_dtype_name((wn_dtype)t->dtype));
        return -1;
    }
    return d;
}

/* No composite: the gradient of two halves would fill two tensors with zeros and add them. */
wn_status wn__infer_glu(wn__call *c) {
    const wn_glu_args *a = c->args;
    const int dim = halved_dim(c, a->self, wn__i64_or(a->dim, -1));
    if (dim < 0) return c->th->error;
    WN_NO_GRAD();
    halves h = halve(a->self, dim);
    if (!wn_ok(h.value) || !wn_ok(h.gate)) return c->th->error;
    int64_t strides[WN_MAX_DIMS];
    wn__result_strides((wn_tensor *const[]){h.value, h.gate}, 2, h.value->ndim, h.value->shape, strides);
    c->may_wait = true;
    return wn__result(c, 0, wn_dtype_of(a->self), h.value->ndim, h.value->shape, strides);
}
wn_status wn__run_glu(wn__call *c) {
    const wn_glu_args *a = c->args;
    WN_NO_GRAD();
    halves h = halve(a->self, wn__i64_or(a->dim, -1));
    return wn__give(c, 0, wn_gated(h.value, h.gate));
}

wn_status wn__infer_glu_backward(wn__call *c) {
    const wn_glu_backward_args *a = c->args;
    const int dim = halved_dim(c, a->self, a->dim);
    if (dim < 0) return c->th->error;
    const wn_tensor *g = a->grad_output, *x = a->self;
    bool fits = g->ndim == x->ndim;
    for (int i = 0; fits && i < g->ndim; i++) fits = g->shape[i] == (i == dim ? x->shape[i] / 2 : x->shape[i]);
    if (!fits || g->dtype != x->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "expected a gradient of half of %s, but got %s", wn__desc(x), wn__desc(g));
    return wn__result(c, 0, (wn_dtype)x->dtype, x->ndim, x->shape, NULL);
}
/* Both halves are written where they belong. */
wn_status wn__run_glu_backward(wn__call *c) {
    const wn_glu_backward_args *a = c->args;
    const int dim = halved_dim(c, a->self, a->dim);
    WN_NO_GRAD();
    halves h = halve(a->self, dim), to = halve(c->out[0], dim);
    wn_tensor *first = wn_gated(a->grad_output, h.gate, .out = to.value);
    wn_tensor *second = wn_gated_slope(a->grad_output, h.value, h.gate, .out = to.gate);
    return wn_ok(first) && wn_ok(second) ? WN_OK : c->th->error;
}
/* With s = sigmoid(b): the gradient is (u s, u a s (1 - s)) for u = grad_output; (p, q) is its cotangent. */
void wn__vjp_glu_backward(wn__gradctx *c, wn_tensor *u, wn_tensor *self, int64_t dim) {
    halves x = halve(self, dim), g = halve(c->g[0], dim);
    wn_tensor *s = wn_sigmoid(x.gate), *ds = wn_mul(s, wn_sub(1, s));
    if (c->need & 1) c->gin[0] = wn_add(wn_mul(g.value, s), wn_mul(g.gate, wn_mul(x.value, ds)));
    if (c->need & 2) {
        wn_tensor *value = wn_mul(g.gate, wn_mul(u, ds));
        wn_tensor *slope = wn_mul(g.gate, wn_mul(x.value, wn_sub(1, wn_mul(2, s))));
        wn_tensor *gate = wn_mul(wn_mul(u, ds), wn_add(g.value, slope));
        c->gin[1] = wn_cat(WN_LIST(value, gate), .dim = WN_VAL(dim));
    }
}

/* ------------------------------------------------------------------ rrelu */

wn_status wn__op_rrelu(wn__call *c, wn_tensor *self, wn_val lower, wn_val upper, bool training,
                       wn_generator *generator) {
    const double low = wn__f64_or(lower, 1.0 / 8), high = wn__f64_or(upper, 1.0 / 3);
    if (!isfinite(low) || !isfinite(high))
        return wn__fail_op(c, WN_E_RUNTIME, "rrelu: %s bound must be finite, but got %g", isfinite(low) ? "upper" : "lower", isfinite(low) ? high : low);
    if (low > high) return wn__fail_op(c, WN_E_RUNTIME, "Lower bound should be less than or equal to the upper bound");
    if (!wn__is_float(self->dtype))
        return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"rrelu\" not implemented for %s: only floating-point tensors are supported", wn_dtype_name((wn_dtype)self->dtype));
    if (!training) {
        const double slope = (low + high) / 2;
        return wn__give(c, 0, c->inplace ? wn_leaky_relu_(self, .negative_slope = wn_val_of_float(slope)) : wn_leaky_relu(self, .negative_slope = wn_val_of_float(slope)));
    }
    wn_tensor *slopes = wn__rrelu_slopes(c, self, low, high, generator);
    if (!slopes) return c->th->error;
    return wn__give(c, 0, wn_to(wn_prelu_kernel(wn_to(self, wn_dtype_of(slopes)), slopes), (wn_dtype)self->dtype));
}
