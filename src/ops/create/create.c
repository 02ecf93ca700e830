/* Rows that make tensors. */
#include <math.h>
#include "base/alloc.h"
#include "base/threads.h"
#include "ops/pointwise/pointwise.h"
#include "support/supports.h"

static wn_status check_dims(wn__call *c, const wn_dims *d, int *ndim) {
    *ndim = d->n > 0 ? d->n : 0;
    for (int i = 0; i < *ndim; i++)
        if (d->v[i] < 0) return wn__fail_negative(c, d);
    return WN_OK; /* sizes that are too large are refused with the handle */
}

wn_status wn__fail_negative(wn__call *c, const wn_dims *size) {
    int i = 0;
    while (size->v[i] >= 0) i++;
    return wn__fail_op(c, WN_E_RUNTIME, "Trying to create tensor with negative dimension %lld: %s", (long long)size->v[i], wn__dims_text(size->v, size->n));
}

wn_dtype wn__factory_dtype(wn__call *c, wn_dtype given, wn_dtype other) {
    const wn_dtype out = c->target ? (wn_dtype)c->target->dtype : WN_DTYPE_DEFAULT, d = given ? given : out ? out : other;
    if (!wn__dtype_valid((int)d)) {
        wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)d);
    } else if (out && d != out) {
        wn__fail_op(c, WN_E_RUNTIME, "dtype %s does not match dtype of out parameter (%s)", wn__dtype_word((int)d), wn__dtype_word((int)out));
    } else {
        return d;
    }
    return WN_DTYPE_DEFAULT;
}

static wn_status dtype_or(wn__call *c, wn_dtype given, wn_dtype other, wn_dtype *out) {
    *out = given ? given : other;
    return wn__dtype_valid((int)*out) ? WN_OK : wn__fail_op(c, WN_E_TYPE, "%d is no dtype", (int)given);
}

/* Can a dtype hold v? The half types round what f32 holds. */
static wn_status check_value(wn__call *c, wn_dtype d, wn_val v) { return wn__check_number(c, d == WN_F16 || d == WN_BF16 ? WN_F32 : d, v); }

typedef struct fill {
    char *to;
    size_t size;
    unsigned char value[8];
    bool same; /* all bytes are */
} fill;

static void fill_part(void *ctx, int64_t begin, int64_t end) {
    const fill *f = ctx;
    char *p = f->to + (size_t)begin * f->size;
    size_t total = (size_t)(end - begin) * f->size, done = f->size;
    if (f->same) {
        memset(p, f->value[0], total);
        return;
    }
    memcpy(p, f->value, f->size); /* doubling copies: memcpy speed for any element size */
    while (done < total) {
        size_t step = done < total - done ? done : total - done;
        if (step > 1 << 15) step = 1 << 15 < total - done ? (size_t)1 << 15 : total - done;
        memcpy(p + done, p, step);
        done += step;
    }
}

wn_status wn__fill_raw(wn_tensor *t, wn_val v) {
    enum { GRAIN = 1 << 18 };
    if (t->numel == 0) return WN_OK;
    fill f = {.to = wn__ptr(t), .size = wn__dtype_size(t->dtype), .same = true};
    wn__store_val((wn_dtype)t->dtype, f.value, v);
    for (size_t i = 1; i < f.size; i++) f.same &= f.value[i] == f.value[0];
    if (t->numel <= GRAIN) fill_part(&f, 0, t->numel);
    else wn__parallel(t->numel, GRAIN, fill_part, &f);
    return WN_OK;
}

/* Says a tensor of that size; v: what is to fill it. */
static wn_status sized(wn__call *c, const wn_dims *size, wn_dtype given, wn_dtype other, const wn_val *v) {
    int ndim;
    wn_status st = check_dims(c, size, &ndim);
    if (st) return st;
    const wn_dtype d = wn__factory_dtype(c, given, other);
    if (!d || (v && check_value(c, d, *v))) return c->th->error;
    return wn__result(c, 0, d, ndim, size->v, NULL);
}

static wn_dtype dtype_of_number(wn_val v) {
    return v.kind == WN_VAL_BOOL ? WN_BOOL : v.kind == WN_VAL_INT ? WN_I64 : wn_default_dtype();
}
/* A number argument; a one-element tensor will do as well. What .infer may know of that is its kind: it stands for a 0. */
static wn_status number_kind(wn__call *c, const char *name, wn_val *v) {
    if (v->kind == WN_VAL_TENSOR) *v = wn__is_float(wn_dtype_of(v->u.t)) ? wn_val_of_float(0) : wn_val_of_int(0);
    return v->kind == WN_VAL_NONE ? wn__fail_op(c, WN_E_TYPE, "argument '%s' is absent", name) : WN_OK;
}
static wn_status number(wn__call *c, const char *name, wn_val *v) {
    wn_tensor *t = v->kind == WN_VAL_TENSOR ? v->u.t : NULL;
    const wn_status st = number_kind(c, name, v);
    if (st || !t) return st;
    *v = v->kind == WN_VAL_FLOAT ? wn_val_of_float(wn_item_f64(t)) : wn_val_of_int(wn_item_i64(t));
    return c->th->error;
}
wn_status wn__run_full(wn__call *c, wn_val v) {
    if (v.kind == WN_VAL_TENSOR && (number(c, "", &v) || check_value(c, (wn_dtype)c->out[0]->dtype, v))) return c->th->error;
    return wn__fill_raw(c->out[0], v);
}

wn_status wn__infer_empty(wn__call *c, const wn_dims *size, wn_dtype dtype) {
    return sized(c, size, dtype, wn_default_dtype(), NULL);
}
wn_status wn__infer_full(wn__call *c, const wn_dims *size, wn_val v, wn_dtype dtype) {
    wn_status st = number_kind(c, "fill_value", &v);
    return st ? st : sized(c, size, dtype, dtype_of_number(v), &v);
}
wn_status wn__run_empty(wn__call *c) { return (void)c, WN_OK; } /* nobody has set the elements */
wn_status wn__run_zeros(wn__call *c) { return wn__fill_raw(c->out[0], wn_val_of_int(0)); }
wn_support *wn__zeros_of_zeros(const wn__call *c) {
    const wn_dims shape = wn_shape(c->out[0]);
    return wn__support_none(&shape);
}
wn_status wn__run_ones(wn__call *c) { return wn__fill_raw(c->out[0], wn_val_of_int(1)); }

wn_status wn__infer_empty_strided(wn__call *c, const wn_dims *size, const wn_dims *stride, wn_dtype dtype) {
    int ndim;
    wn_dtype d;
    wn_status st = check_dims(c, size, &ndim);
    if (!st) st = dtype_or(c, dtype, wn_default_dtype(), &d);
    if (st) return st;
    const int nstride = stride->n > 0 ? stride->n : 0;
    if (ndim != nstride) return wn__fail_op(c, WN_E_RUNTIME, "dimensionality of sizes (%d) must match dimensionality of strides (%d)", ndim, nstride);
    bool over = false, too_far = false;
    for (int i = 0; i < ndim; i++) too_far |= stride->v[i] < 0;
    int64_t span = 1, numel = wn__numel_of(ndim, size->v, &over);
    for (int i = 0; i < ndim && numel; i++) span = wn__add(span, wn__mul(size->v[i] - 1, stride->v[i], &too_far), &too_far);
    if (over || too_far || wn__array_bytes(span, wn__dtype_size((int)d)) > PTRDIFF_MAX)
        return wn__fail_op(c, WN_E_RUNTIME, "Storage size calculation overflowed with sizes=%s and strides=%s", wn__dims_text(size->v, ndim),
                           wn__dims_text(stride->v, ndim));
    /* storage as large as the farthest element needs, then the wanted geometry on it */
    wn_tensor *flat = (c->meta ? wn__tensor_meta : wn__tensor_unfilled)(d, 1, &(int64_t){numel ? span : 0}, NULL);
    c->out[0] = flat ? wn__tensor_view(flat, ndim, size->v, stride->v, 0) : NULL;
    wn__release(flat);
    c->unfilled = true;
    return c->out[0] ? WN_OK : wn__fail_memory(c->op->name);
}

static wn_status like(wn__call *c, const wn_tensor *t, wn_dtype given, const wn_val *v) {
    int64_t strides[WN_MAX_DIMS];
    wn_dtype d;
    wn_status st = dtype_or(c, given, (wn_dtype)t->dtype, &d);
    if (!st && v) st = check_value(c, d, *v);
    if (st) return st;
    wn__preserved_strides(t, strides);
    return wn__result(c, 0, d, t->ndim, t->shape, strides);
}
wn_status wn__infer_empty_like(wn__call *c, wn_tensor *self, wn_dtype dtype) {
    return like(c, self, dtype, NULL);
}
wn_status wn__infer_full_like(wn__call *c, wn_tensor *self, wn_val v, wn_dtype dtype) {
    wn_status st = number_kind(c, "fill_value", &v);
    return st ? st : like(c, self, dtype, &v);
}
wn_status wn__infer_scalar_tensor(wn__call *c, wn_val v, wn_dtype dtype) {
    wn_status st = number_kind(c, "s", &v);
    wn_dims none = WN_0D;
    return st ? st : sized(c, &none, dtype, wn_default_dtype(), &v);
}

/* What n numbers are written into: a vector, or a tensor shaped as out= if that has as many elements, which then keeps its shape. */
static wn_status row(wn__call *c, int64_t n, wn_dtype dtype) {
    const wn_tensor *out = c->target;
    if (out && out->numel == n) return wn__result(c, 0, dtype, out->ndim, out->shape, NULL);
    wn_dims size = {.n = 1, .v = {n}};
    return sized(c, &size, dtype, dtype, NULL);
}

/* b + i*s as torch's kernel rounds it, which multiplies and adds at once (for the half types in f32). It goes in blocks of two registers of
 * 32 bytes, in each of which the first element is rounded and the others are that many steps from it; what is left over goes one by one. */
static void floats_from(wn_dtype dtype, char *p, int64_t n, double b, double s) {
    const size_t bytes = wn__dtype_size((int)dtype);
    const int64_t lanes = (int64_t)(32 / bytes), whole = n - n % (2 * lanes);
    const bool narrow = bytes == 2;
    double first = b;
    for (int64_t i = 0; i < n; i++) {
        const bool inside = i < whole && i % lanes;
        const double from = inside ? first : b, steps = (double)(inside ? i % lanes : i);
        const double v = narrow ? (double)fmaf((float)steps, (float)s, (float)from) : fma(steps, s, from);
        wn__store_val(dtype, p + (size_t)i * bytes, wn_val_of_float(v));
        if (i < whole && i % lanes == 0) first = wn__load_f64(dtype, p + (size_t)i * bytes);
    }
}

/* The numbers between which a ramp goes, and its step. */
typedef struct ramp {
    wn_val start, end, step;
    bool integers;      /* are all three? */
    bool closed;        /* range: the end belongs to it */
} ramp;

static wn_status ramp_numbers(wn__call *c, ramp *r) {
    wn_status st = number(c, "start", &r->start);
    if (!st) st = number(c, "end", &r->end);
    if (!st) st = number(c, "step", &r->step);
    r->integers = r->start.kind != WN_VAL_FLOAT && r->end.kind != WN_VAL_FLOAT && r->step.kind != WN_VAL_FLOAT;
    return st;
}

/* What .run needs of a ramp: where it starts and its step. */
typedef struct stride_of_ramp {
    double b, s;
    int64_t bi, si;
    bool integers;
} stride_of_ramp;

/* start + i*step, for integer dtypes with start and step truncated first. The count is of the numbers as given, but for int64, as in torch. */
static wn_status infer_ramp(wn__call *c, const ramp *r, wn_dtype dtype) {
    if (!dtype) return c->th->error;
    double b = wn__val_f64(r->start), e = wn__val_f64(r->end), s = wn__val_f64(r->step);
    if (!(isfinite(b) && isfinite(e))) return wn__fail_op(c, WN_E_RUNTIME, "unsupported range: %g -> %g", b, e);
    const bool integers = !wn__is_float((int)dtype) && !(isnan(s) || fabs(b) >= 0x1p63 || fabs(e) >= 0x1p63 || fabs(s) >= 0x1p63);
    const int64_t bi = integers ? wn__val_i64(r->start) : 0, ei = integers ? wn__val_i64(r->end) : 0, si = integers ? wn__val_i64(r->step) : 0;
    if (dtype == WN_BOOL) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for 'Bool'", r->closed ? "range_cpu" : "arange");
    if (integers ? si == 0 : s == 0) return wn__fail_op(c, s == 0 ? WN_E_RUNTIME : WN_E_VALUE, "step must be nonzero");
    if ((e - b) / s < 0) return wn__fail_op(c, WN_E_RUNTIME, "upper bound and lower bound inconsistent with step sign (%g to %g by %g)", b, e, s);
    const double count = r->closed ? floor((e - b) / s) + 1 : ceil((e - b) / s);
    if (!(count < 0x1p60)) return wn__fail_op(c, WN_E_RUNTIME, "invalid size, possible overflow? (%g elements)", count);
    int64_t n = (int64_t)count;
    if (integers && !r->closed && (dtype == WN_I64 || r->integers)) n = (ei - bi) / si + ((ei - bi) % si != 0);
    stride_of_ramp *plan = wn__plan_room(c, sizeof *plan);
    if (!plan) return c->th->error;
    *plan = (stride_of_ramp){b, s, bi, si, integers};
    return row(c, n, dtype);
}
wn_status wn__run_ramp(wn__call *c) {
    const stride_of_ramp r = *(const stride_of_ramp *)c->plan;
    const wn_tensor *t = c->out[0];
    const wn_dtype d = (wn_dtype)t->dtype;
    const int64_t n = t->numel;
    char *p = wn__ptr(t);
    if (!r.integers) floats_from(d, p, n, r.b, r.s);
    for (int64_t i = 0; i < n && r.integers; i++) wn__store_val(d, p + (size_t)i * wn__dtype_size((int)d), wn_val_of_int(r.bi + i * r.si));
    return WN_OK;
}

/* Numbers that are tensors are read here already: how many elements there are depends on them. */
static wn_status infer_arange(wn__call *c, ramp r, wn_dtype given) {
    const wn_status st = ramp_numbers(c, &r);
    return st ? st : infer_ramp(c, &r, wn__factory_dtype(c, given, r.integers ? WN_I64 : wn_default_dtype()));
}
wn_status wn__infer_arange(wn__call *c, wn_val end, wn_dtype dtype) {
    return infer_arange(c, (ramp){.start = wn_val_of_int(0), .end = end, .step = wn_val_of_int(1)}, dtype);
}
wn_status wn__infer_arange_from(wn__call *c, wn_val start, wn_val end, wn_val step, wn_dtype dtype) {
    return infer_arange(c, (ramp){.start = start, .end = end, .step = step}, dtype);
}
wn_status wn__infer_range(wn__call *c, wn_val start, wn_val end, wn_val step, wn_dtype dtype) {
    ramp r = {.start = start, .end = end, .step = step, .closed = true};
    const wn_status st = ramp_numbers(c, &r);
    return st ? st : infer_ramp(c, &r, wn__factory_dtype(c, dtype, wn_default_dtype()));
}

/* What linspace goes between: numbers and the step in the precision `in`, in which torch computes. */
typedef struct ends {
    wn_dtype in;
    double start, end, step;
    int64_t steps;
} ends;
static ends ends_of(wn_dtype d, double start, double end, int64_t steps) {
    ends r = {.in = wn__is_float((int)d) ? d : WN_F64, .start = wn__as_element(d, start), .end = wn__as_element(d, end), .steps = steps};
    r.step = steps > 1 ? wn__as_element(r.in, wn__as_element(r.in, r.end - r.start) / wn__as_element(r.in, (double)(steps - 1))) : 0;
    return r;
}
/* Element i, from the nearer end, so that the last one is exact. torch's kernel multiplies and adds at once, but for the half types, which it
 * rounds in between. */
static double linear(const ends *r, int64_t i) {
    const bool low = i < r->steps / 2 || r->steps == 1;
    const double from = low ? r->start : r->end, step = low ? r->step : -r->step, k = (double)(low ? i : r->steps - 1 - i);
    if (r->in == WN_F64) return fma(step, k, from);
    if (r->in == WN_F32) return (double)fmaf((float)step, (float)k, (float)from);
    return from + wn__as_element(r->in, step * wn__as_element(r->in, k));
}

wn_status wn__infer_linspace(wn__call *c, wn_val start, wn_val end, int64_t steps, wn_dtype dtype) {
    wn_status st = number_kind(c, "start", &start);
    if (!st) st = number_kind(c, "end", &end);
    if (!st && steps < 0) st = wn__fail_op(c, WN_E_RUNTIME, "number of steps must be non-negative, got %lld", (long long)steps);
    const wn_dtype d = st ? WN_DTYPE_DEFAULT : wn__factory_dtype(c, dtype, wn_default_dtype());
    if (!d || row(c, steps, d)) return c->th->error;
    if (d == WN_BOOL && steps) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"linspace_cpu\" not implemented for 'Bool'");
    return wn__check_number(c, d, start) || wn__check_number(c, d, end) ? c->th->error : WN_OK;
}
wn_status wn__run_linspace(wn__call *c, wn_val start, wn_val end, int64_t steps) {
    const wn_dtype d = (wn_dtype)c->out[0]->dtype;
    if (number(c, "start", &start) || number(c, "end", &end) || wn__check_number(c, d, start) || wn__check_number(c, d, end)) return c->th->error;
    const ends between = ends_of(d, wn__val_f64(start), wn__val_f64(end), steps);
    char *p = wn__ptr(c->out[0]);
    for (int64_t i = 0; i < steps; i++) wn__store_val(d, p + (size_t)i * wn__dtype_size((int)d), wn_val_of_float(linear(&between, i)));
    return WN_OK;
}

wn_status wn__op_linspace_tensor(wn__call *c, wn_val start, wn_val end, int64_t steps, wn_dtype dtype) {
    for (int i = 0; i < c->nin; i++)
        if (c->in[i] && c->in[i]->ndim)
            return wn__fail_op(c, WN_E_RUNTIME, "linspace only supports 0-dimensional start and end tensors, but got %s with %d dimension(s).",
                               i == 0 && start.kind == WN_VAL_TENSOR ? "start" : "end", c->in[i]->ndim);
    const wn_dtype d = wn__factory_dtype(c, dtype, wn_default_dtype());
    return d ? wn__give(c, 0, wn_linspace(start, end, steps, .dtype = d)) : c->th->error;
}

wn_status wn__infer_eye(wn__call *c, int64_t n_given, wn_val m_given, wn_dtype dtype) {
    int64_t m = m_given.kind == WN_VAL_NONE ? n_given : wn__val_i64(m_given);
    if (n_given < 0 || m < 0)
        return wn__fail_op(c, WN_E_RUNTIME, "%c must be greater or equal to 0, got %lld", n_given < 0 ? 'n' : 'm', (long long)(n_given < 0 ? n_given : m));
    wn_dims size = {.n = 2, .v = {n_given, m}};
    return sized(c, &size, dtype, wn_default_dtype(), NULL);
}
wn_support *wn__zeros_of_eye(const wn__call *c) {
    const wn_dims shape = wn_shape(c->out[0]);
    return wn__support_band(&shape, 0, 1, 0, 0);
}
wn_status wn__run_eye(wn__call *c) {
    wn_tensor *t = c->out[0];
    const int64_t n = t->shape[0], m = t->shape[1];
    const wn_status st = wn__fill_raw(t, wn_val_of_int(0));
    if (st) return st;
    char *p = wn__ptr(t);
    for (int64_t i = 0; i < n && i < m; i++) wn__store_val((wn_dtype)t->dtype, p + (size_t)(i * m + i) * wn__dtype_size(t->dtype), wn_val_of_int(1));
    return WN_OK;
}

/* ------------------------------------------------------------------ C memory */

wn_tensor *wn_from_data(const void *data, wn_dims shape, wn_dtype dtype) {
    wn_tensor *t = wn_empty(shape, .dtype = dtype, .device = WN_CPU);
    if (wn_ok(t) && t->numel) {
        if (!data) return wn__bad(WN_E_VALUE, "from_data", "data is NULL");
        memcpy(wn__ptr(t), data, (size_t)t->numel * wn__dtype_size(t->dtype));
    }
    return t;
}

wn_tensor *wn_from_memory(void *data, wn_dims shape, wn_dims strides, wn_dtype dtype, void (*deleter)(void *), void *ctx) {
    int ndim = shape.n > 0 ? shape.n : 0;
    bool over = ndim > WN_MAX_DIMS;
    int64_t numel = over ? 0 : wn__numel_of(ndim, shape.v, &over);
    if (over) return wn__bad(WN_E_VALUE, "from_memory", "shape %s is not possible", wn__dims_text(shape.v, ndim <= WN_MAX_DIMS ? ndim : 0));
    if (!wn__dtype_valid((int)dtype)) return wn__bad(WN_E_TYPE, "from_memory", "%d is no dtype", (int)dtype);
    if (!data && numel) return wn__bad(WN_E_VALUE, "from_memory", "data is NULL");
    if (strides.n > 0 && strides.n != ndim)
        return wn__bad(WN_E_VALUE, "from_memory", "shape has %d dimensions, strides have %d", ndim, strides.n);
    wn_tensor *t = wn__tensor_wrap(data, dtype, ndim, shape.v, strides.n > 0 ? strides.v : NULL, deleter, ctx);
    if (!t) return wn__bad_memory("from_memory");
    return wn__lend(wn__self(), t);
}

wn_status wn_to_memory(wn_tensor *t, void *dst, size_t bytes, wn_dtype dtype) {
    if (!wn_ok(t)) return wn__fail(WN_E_TYPE, "to_memory", "the tensor is bad or absent");
    wn_dtype d = dtype ? dtype : (wn_dtype)t->dtype;
    if (!wn__dtype_valid((int)d)) return wn__fail(WN_E_TYPE, "to_memory", "%d is no dtype", (int)dtype);
    size_t need = (size_t)t->numel * wn__dtype_size(d);
    if (bytes < need || (need && !dst))
        return wn__fail(WN_E_VALUE, "to_memory", "%s needs %zu bytes as %s, the buffer has %zu", wn__desc(t), need, wn_dtype_name(d), dst ? bytes : 0);
    if (!need) return WN_OK;
    WN__OWNED wn_tensor *view = wn__tensor_wrap(dst, d, t->ndim, t->shape, NULL, NULL, NULL);
    if (!view) return wn__fail_memory("to_memory");
    return wn__copy(view, t);
}
