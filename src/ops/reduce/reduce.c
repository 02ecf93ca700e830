/* Rows of the reductions: arguments, dtypes and errors as in torch; the work is engine/reduction.c's. */
#include "ops/reduce/reduce.h"
#include <math.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "defer/value.h"

wn_status wn__reduce_dims(const char *op, const wn_dims *dims, int ndim, uint32_t *set) {
    *set = ndim ? (1u << ndim) - 1 : 0;
    if (dims->n <= 0) return WN_OK;
    *set = 0;
    for (int i = 0; i < dims->n; i++) {
        int d = wn__wrap_dim(op, dims->v[i], ndim);
        if (d < 0) return WN_E_INDEX;
        if (*set >> d & 1) return wn__fail(WN_E_RUNTIME, op, "dim %d appears multiple times in the list of dims", d);
        *set |= 1u << d;
    }
    if (ndim == 0) *set = 0;
    return WN_OK;
}

wn_status wn__check_mask(const char *op, const wn_tensor *t, const wn_tensor *where) {
    if (!where) return WN_OK;
    if (where->dtype != WN_BOOL)
        return wn__fail(WN_E_TYPE, op, "where= must be a bool tensor, got %s", wn__desc(where));
    bool fits = where->ndim <= t->ndim;
    for (int m = 0; fits && m < where->ndim; m++)
        fits = where->shape[m] == 1 || where->shape[m] == t->shape[m + t->ndim - where->ndim];
    if (fits) return WN_OK;
    return wn__fail(WN_E_RUNTIME, op, "where= %s does not broadcast to %s", wn__desc(where), wn__desc(t));
}

static int reduced_shape(const wn_tensor *t, uint32_t set, bool keepdim, int64_t *shape) {
    int n = 0;
    for (int d = 0; d < t->ndim; d++) {
        bool gone = set >> d & 1;
        if (!gone) shape[n++] = t->shape[d];
        else if (keepdim) shape[n++] = 1;
    }
    return n;
}

typedef struct folding {
    wn__reduce_kind kind;
    wn_tensor *self, *where;
    uint32_t set;
    wn_dtype out, also, compute;
    double p;
} folding;

wn_status wn__reduce_infer(wn__call *c, wn__reduce_kind kind, wn_tensor *self, uint32_t set, bool keepdim, wn_tensor *where,
                           wn_dtype out, wn_dtype also, wn_dtype compute, double p) {
    int64_t shape[WN_MAX_DIMS];
    const int ndim = reduced_shape(self, set, keepdim, shape);
    wn_status st = wn__check_mask(c->op->name, self, where);
    folding *f = st ? NULL : wn__plan_room(c, sizeof *f);
    if (!f) return c->th->error;
    *f = (folding){kind, self, where, set, out, also, compute, p};
    c->may_wait = !where && out && !also && !compute;
    if (out) st = wn__result(c, 0, out, ndim, shape, NULL);
    return st || !also ? st : wn__result(c, out != 0, also, ndim, shape, NULL);
}

/* torch counts the elements of one result; a mask's are not known. */
static void warn_of_freedom(const wn__call *c, const wn_tensor *self, uint32_t set, double correction) {
    double each = 1, results = 1;
    for (int d = 0; d < self->ndim; d++) *(set >> d & 1 ? &each : &results) *= (double)self->shape[d];
    if ((results > 0 ? each : 0) - correction <= 0)
        wn__warn(c->op->name, false, "%s(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by "
                 "output numel).", c->op->name);
}

wn_status wn__run_reduction(wn__call *c) {
    const folding *f = c->plan;
    const wn_tensor *self = f->self, *where = f->where;
    if ((f->kind == WN__R_VAR || f->kind == WN__R_STD) && !where) warn_of_freedom(c, self, f->set, f->p);
    if (c->may_wait) {
        const wn__deferral d = wn__defer_fold(c, f->kind, f->self, f->set, f->out, f->p);
        if (d != WN__NOT_DEFERRED) return d == WN__DEFERRED ? WN_OK : c->th->error;
    }
    const wn_status st = wn__fill_results(c);
    if (st) return st;
    wn__reduction r; /* of its many dimensions those are set that there are */
    r.kind = f->kind, r.p = f->p;
    r.dtype = (wn_dtype)self->dtype, r.compute = f->compute, r.out_dtype = f->out, r.also_dtype = f->also;
    r.ndim = self->ndim, r.reduced = f->set;
    r.out = f->out ? wn__ptr(c->out[0]) : NULL;
    r.also = f->also ? wn__ptr(c->out[f->out != 0]) : NULL;
    r.count = NULL;
    int64_t step = 1;
    for (int d = self->ndim - 1; d >= 0; d--) {
        bool gone = f->set >> d & 1;
        r.dim[d] = (wn__reduce_dim){.size = self->shape[d], .x = self->strides[d], .m = where ? wn__mask_stride(self, where, d) : 0,
                                    .o = gone ? 0 : step};
        if (!gone) step *= self->shape[d];
    }
    r.x = wn__ptr(self);
    r.mask = where ? (const uint8_t *)wn__ptr(where) : NULL;
    if ((self->numel && !r.x) || (where && where->numel && !r.mask))
        return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    if (where && !r.mask) r.mask = (const uint8_t *)""; /* no elements: not read */
    switch (wn__reduce(&r)) {
    case WN__REDUCE_OK: break;
    case WN__REDUCE_NO_MEMORY: return wn__fail_memory(c->op->name);
    case WN__REDUCE_EMPTY:
        return wn__fail_op(c, WN_E_RUNTIME, "where= leaves nothing for at least one result, and there is no value for that");
    }
    wn__count(self->numel);
    return WN_OK;
}

/* ------------------------------------------------------------------ dtypes */

/* What elements are converted to when the result is to be `out`; 0: folded in their own type. */
static wn_dtype compute_for(wn_dtype in, wn_dtype out) {
    if (wn__is_float((int)out)) {
        wn_dtype want = out == WN_F64 ? WN_F64 : WN_F32, own = in == WN_F64 ? WN_F64 : wn__is_float((int)in) ? WN_F32 : WN_DTYPE_DEFAULT;
        return want == own ? WN_DTYPE_DEFAULT : want;
    }
    return wn__is_float((int)in) ? WN_I64 : WN_DTYPE_DEFAULT;
}

static wn_status dtype_given(wn__call *c, wn_dtype d) {
    return d == WN_DTYPE_DEFAULT || wn__dtype_valid((int)d) ? WN_OK : wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)d);
}

/* Integers and bool go to int64. */
wn_status wn__infer_sum(wn__call *c) {
    const wn_sum_args *a = c->args;
    const wn_dtype in = (wn_dtype)a->self->dtype, out = a->dtype ? a->dtype : wn__is_float((int)in) ? in : WN_I64;
    uint32_t set;
    wn_status st = dtype_given(c, a->dtype);
    if (!st) st = wn__reduce_dims(c->op->name, &a->dims, a->self->ndim, &set);
    return st ? st : wn__reduce_infer(c, c->op->which, a->self, set, a->keepdim, a->where, out, WN_DTYPE_DEFAULT, compute_for(in, out), 0);
}

static wn_status need_float(wn__call *c, wn_dtype d) {
    if (wn__is_float((int)d)) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "%s(): input dtype must be either a floating point or complex dtype. Got: %s", c->op->name,
                       wn__dtype_word((int)d));
}

wn_status wn__infer_mean(wn__call *c) {
    const wn_mean_args *a = c->args;
    wn_dtype in = (wn_dtype)a->self->dtype, out = a->dtype ? a->dtype : in;
    uint32_t set;
    wn_status st = dtype_given(c, a->dtype);
    if (!st && !wn__is_float((int)out))
        st = wn__fail_op(c, WN_E_RUNTIME, "mean(): could not infer output dtype. %s dtype must be either a floating point or complex "
                         "dtype. Got: %s", a->dtype ? "Optional" : "Input", wn__dtype_word((int)out));
    if (!st) st = wn__reduce_dims(c->op->name, &a->dims, a->self->ndim, &set);
    if (st) return st;
    return wn__reduce_infer(c, WN__R_MEAN, a->self, set, a->keepdim, a->where, out, WN_DTYPE_DEFAULT, compute_for(in, out), 0);
}

/* ------------------------------------------------------------------ extremes */

/* A smallest or largest element needs one: an error where a reduced dimension is empty and results are wanted. */
static wn_status not_empty(wn__call *c, const wn_tensor *t, uint32_t set, bool all, wn_status code) {
    if (t->numel) return WN_OK;
    if (all)
        return wn__fail_op(c, code, "%s(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
                           "with the 'dim' argument.", c->op->name);
    for (int d = 0; d < t->ndim; d++)
        if ((set >> d & 1) && t->shape[d] == 0)
            return wn__fail_op(c, WN_E_INDEX, "%s(): Expected reduction dim %d to have non-zero size.", c->op->name, d);
    return WN_OK;
}

wn_status wn__infer_extreme(wn__call *c, wn_tensor *self, const wn_dims *dims, bool keepdim, wn_tensor *where) {
    uint32_t set;
    wn_status st = wn__reduce_dims(c->op->name, dims, self->ndim, &set);
    if (!st) st = not_empty(c, self, set, dims->n <= 0, WN_E_RUNTIME);
    return st ? st : wn__reduce_infer(c, c->op->which, self, set, keepdim, where, (wn_dtype)self->dtype, WN_DTYPE_DEFAULT, WN_DTYPE_DEFAULT, 0);
}

wn_status wn__infer_extreme_at(wn__call *c, wn_tensor *self, const wn_dims *dims, bool keepdim, wn_tensor *where, bool values) {
    uint32_t set;
    wn_status st = wn__reduce_dims(c->op->name, dims, self->ndim, &set);
    if (!st) st = not_empty(c, self, set, dims->n <= 0, WN_E_INDEX);
    wn_dtype dtype = values ? (wn_dtype)self->dtype : WN_DTYPE_DEFAULT;
    return st ? st : wn__reduce_infer(c, c->op->which, self, set, keepdim, where, dtype, WN_I64, WN_DTYPE_DEFAULT, 0);
}

/* ------------------------------------------------------------------ truth and counting */

wn_status wn__infer_truth(wn__call *c, wn_tensor *self, const wn_dims *dims, bool keepdim, wn_tensor *where, int out) {
    uint32_t set;
    const wn_dtype none = WN_DTYPE_DEFAULT;
    wn_status st = wn__reduce_dims(c->op->name, dims, self->ndim, &set);
    return st ? st : wn__reduce_infer(c, c->op->which, self, set, keepdim, where, (wn_dtype)out, none, none, 0);
}
/* bool, uint8 for uint8, or what out= is of the two. */
wn_status wn__infer_any(wn__call *c, wn_tensor *self, const wn_dims *dims, bool keepdim, wn_tensor *where) {
    const wn_tensor *out = c->inplace ? NULL : c->target;
    if (out && out->dtype != WN_U8 && out->dtype != WN_BOOL)
        return wn__fail_op(c, WN_E_RUNTIME, "%s only supports bool tensor for result, got: %s", c->op->name, wn__dtype_word(out->dtype));
    const int dtype = out ? out->dtype : self->dtype == WN_U8 ? (int)WN_U8 : (int)WN_BOOL;
    return wn__infer_truth(c, self, dims, keepdim, where, dtype);
}

/* ------------------------------------------------------------------ variance, norms, logsumexp */

wn_status wn__infer_variance(wn__call *c, wn_tensor *self, const wn_dims *dims, wn_val unbiased, wn_val correction, bool keepdim,
                             wn_tensor *where, bool mean) {
    uint32_t set;
    const wn_dtype d = (wn_dtype)self->dtype;
    wn_status st = wn__is_float((int)d) ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "%s only support floating point and complex dtypes", c->op->name);
    if (!st && unbiased.kind != WN_VAL_NONE && correction.kind != WN_VAL_NONE)
        st = wn__fail_op(c, WN_E_TYPE, "unbiased and correction cannot both be given");
    if (!st) st = wn__reduce_dims(c->op->name, dims, self->ndim, &set);
    return st ? st : wn__reduce_infer(c, c->op->which, self, set, keepdim, where, d, mean ? d : WN_DTYPE_DEFAULT, WN_DTYPE_DEFAULT, wn__correction(unbiased, correction));
}

/* A smallest or largest absolute value needs an element, too. */
static wn_status norm_of_something(wn__call *c, const wn_tensor *t, uint32_t set, bool all, double p) {
    if (all) return wn__fail_op(c, WN_E_RUNTIME, "linalg.vector_norm cannot compute the %g norm on an empty tensor because the operation does not have an identity", p);
    for (int d = 0; d < t->ndim; d++)
        if ((set >> d & 1) && t->shape[d] == 0)
            return wn__fail_op(c, WN_E_RUNTIME, "linalg.vector_norm cannot compute the %g norm on the dimension %d because this dimension is empty and the operation does not have an identity", p, d);
    return WN_OK;
}
wn_status wn__infer_vector_norm(wn__call *c) {
    const wn_vector_norm_args *a = c->args;
    double p = wn__f64_or(a->ord, 2);
    wn_dtype in = (wn_dtype)a->self->dtype, out = a->dtype ? a->dtype : in;
    uint32_t set;
    wn_status st = dtype_given(c, a->dtype);
    if (!st) st = need_float(c, in);
    if (!st) st = need_float(c, out);
    if (!st) st = wn__reduce_dims(c->op->name, &a->dims, a->self->ndim, &set);
    if (st) return st;
    if (a->self->numel == 0 && (p < 0 || isinf(p)) && (st = norm_of_something(c, a->self, set, a->dims.n <= 0, p))) return st;
    return wn__reduce_infer(c, WN__R_NORM, a->self, set, a->keepdim, a->where, out, WN_DTYPE_DEFAULT, compute_for(in, out), p);
}

wn_status wn__infer_logsumexp(wn__call *c) {
    const wn_logsumexp_args *a = c->args;
    wn_dtype in = (wn_dtype)a->self->dtype, out = wn__is_float((int)in) ? in : wn_default_dtype();
    uint32_t set;
    wn_status st = wn__reduce_dims(c->op->name, &a->dims, a->self->ndim, &set);
    return st ? st : wn__reduce_infer(c, WN__R_LSE, a->self, set, a->keepdim, a->where, out, WN_DTYPE_DEFAULT, compute_for(in, out), 0);
}
