/* The class of pointwise rows: promotion, broadcasting, result strides, and the program of one instruction. */
#include "call/dispatch.h"
#include <math.h>
#include <stdio.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "base/threads.h"
#include "call/number.h"
#include "defer/value.h"
#include "tensor/strides.h"

/* ------------------------------------------------------------------ operands and types */

typedef wn__operand operand;

static wn_status read_operands(wn__call *c, operand *x) {
    const wn_op *op = c->op;
    for (int i = 0; i < op->noperands; i++) {
        const wn_field *f = &op->fields[op->operands[i]];
        const char *p = (const char *)c->args + f->offset;
        x[i] = (operand){.mask = op->bool_operands >> i & 1, .plain = op->plain_operands >> i & 1};
        switch (f->kind) {
        case WN_K_TENSOR: x[i].t = *(wn_tensor *const *)(const void *)p; break;
        case WN_K_INT: x[i].v = wn_val_of_int(*(const int64_t *)(const void *)p); break;
        case WN_K_FLOAT: x[i].v = wn_val_of_float(*(const double *)(const void *)p); break;
        default:
            x[i].v = *(const wn_val *)(const void *)p;
            if (x[i].v.kind == WN_VAL_TENSOR) x[i].t = x[i].v.u.t;
            if (x[i].v.kind == WN_VAL_TENSOR && x[i].plain)
                return wn__fail_op(c, WN_E_TYPE, "argument '%s' must be a number, not a tensor", f->name);
            if (x[i].v.kind == WN_VAL_NONE) {
                if (!f->fallback || f->fallback[0] == 'N')
                    return wn__fail_op(c, WN_E_TYPE, "argument '%s' is absent", f->name);
                x[i].v = wn_val_of_float(f->number);
            }
        }
        if (x[i].mask && x[i].t && x[i].t->dtype != WN_BOOL && x[i].t->dtype != WN_U8)
            return wn__fail_op(c, WN_E_RUNTIME, "expected '%s' to be a boolean tensor, but got %s", f->name, wn__desc(x[i].t));
    }
    return WN_OK;
}

/* Does a bool take part in promotion? (torch refuses to subtract a mask, or from a mask.) */
static bool has_bool(const operand *x, int n) {
    for (int i = 0; i < n; i++)
        if (!x[i].plain && (x[i].t ? x[i].t->dtype == WN_BOOL : x[i].v.kind == WN_VAL_BOOL)) return true;
    return false;
}

/* The dtype that the row computes in, by its rule; DEFAULT and an error record if it has none for these operands. */
static wn_dtype common_type(wn__call *c, const operand *x, int n) {
    wn__tiers tiers = {0};
    bool any = false;
    for (int i = 0; i < n; i++) {
        if (x[i].mask || x[i].plain) continue;
        any = true;
        if (x[i].t) wn__tiers_add(&tiers, x[i].t);
        else wn__tiers_add_val(&tiers, x[i].v);
    }
    wn_dtype d = any ? wn__tiers_result(&tiers) : WN_BOOL;
    const char *why = NULL;
    switch (c->op->types) {
    case WN__TY_SAME:
    case WN__TY_COMPARE: break;
    case WN__TY_FLOAT: return wn__is_float((int)d) ? d : wn_default_dtype();
    case WN__TY_LOGICAL: return WN_BOOL;
    case WN__TY_COUNTS: return d == WN_BOOL ? WN_I64 : d;
    case WN__TY_BITS:
        if (wn__is_float((int)d)) why = "only integers and bool have bits";
        else if (d == WN_BOOL && !wn__kernels_now()->rows[c->op->kernel][WN__CT_B8]) why = "only integers are supported";
        break;
    case WN__TY_FLOAT_ONLY:
        if (!wn__is_float((int)d)) why = "only floating-point tensors are supported";
        break;
    case WN__TY_NUMBER:
        if (d == WN_BOOL || (c->op->flags & WN__F_NO_BOOL && has_bool(x, n))) why = "bool tensors are not supported; use logical_not, logical_xor or a cast";
        break;
    }
    if (!why) return d;
    wn__fail_op(c, c->op->types == WN__TY_NUMBER ? WN_E_RUNTIME : WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for %s: %s",
                c->op->name, wn__dtype_word((int)d), why);
    return WN_DTYPE_DEFAULT;
}

/* ------------------------------------------------------------------ shapes */

static wn_status broadcast(wn__call *c, const operand *x, int n, int *ndim, int64_t *shape) {
    *ndim = 0;
    for (int i = 0; i < n; i++)
        if (x[i].t && x[i].t->ndim > *ndim) *ndim = x[i].t->ndim;
    for (int d = 0; d < *ndim; d++) shape[d] = 1;
    for (int i = 0; i < n; i++) {
        const wn_tensor *t = x[i].t;
        if (!t) continue;
        int shift = *ndim - t->ndim;
        for (int d = t->ndim - 1; d >= 0; d--) { /* torch names the last dimension that does not fit */
            int64_t have = shape[d + shift], size = t->shape[d];
            if (have == size || size == 1) continue;
            if (have != 1) {
                char all[512];
                size_t at = 0;
                for (int k = 0; k < n; k++)
                    if (x[k].t && at < sizeof all - 80) {
                        if (at) at += (size_t)snprintf(all + at, sizeof all - at, " and ");
                        wn_describe(x[k].t, all + at, sizeof all - at - 8);
                        at += strlen(all + at);
                    }
                return wn__fail_op(c, WN_E_RUNTIME, "The size of tensor a (%lld) must match the size of tensor b (%lld) at "
                                   "non-singleton dimension %d (%s)", (long long)have, (long long)size, d + shift, all);
            }
            shape[d + shift] = size;
        }
    }
    return WN_OK;
}

/* ------------------------------------------------------------------ numbers beside integers */

/* As in torch, a number or 0-d tensor of another dtype becomes one of the narrow integer dtype before the computation:
 * uint8 < -3 is uint8 < 253. (Wider dtypes convert their constants anyway; narrow ones are computed in int32.) */
static wn_status narrow_operand(wn__call *c, wn_dtype common, operand *x) {
    if (x->t) {
        const wn_dtype d = (wn_dtype)x->t->dtype;
        if (x->t->ndim || d == common || d == WN_BOOL || wn__dtype_sizes[d] < wn__dtype_sizes[common]) return WN_OK;
        const void *p = c->meta ? NULL : wn__ptr(x->t);
        if (!p && !c->meta) return c->th->error;
        x->v = wn_val_of_int(p ? wn__load_i64(d, p) : 0); /* on meta its value does not matter */
        x->t = NULL;
    }
    x->v = wn__wrapped(common, x->v);
    return WN_OK;
}

/* ------------------------------------------------------------------ running */

static void constant_of(wn__ct ct, wn_val v, void *p) {
    wn__store_val(wn__form_of(ct), p, v);
}

typedef struct direct {
    wn__kernel fn;
    char *out;
    const char *in[WN__MAX_SRC];
    uint8_t in_size[WN__MAX_SRC]; /* 0: a constant of splat_size bytes */
    int n, out_size;
} direct;

static void run_direct(void *ctx, int64_t begin, int64_t end) {
    const direct *d = ctx;
    const void *in[WN__MAX_SRC];
    for (int i = 0; i < d->n; i++) in[i] = d->in[i] + (size_t)begin * d->in_size[i];
    d->fn(end - begin, d->out + (size_t)begin * (size_t)d->out_size, in);
}

/* One loop over memory, no program, if all is row-major, of one shape, in the compute type; numbers only if tiny. */
static bool try_direct(wn__kernel fn, wn_tensor *out, wn__ct out_ct, const operand *x, int n, bool *done) {
    enum { TINY = 16 };
    if (!out->contiguous || !wn__is_register_form(out->dtype, out_ct)) return false;
    int64_t splat[WN__MAX_SRC][TINY];
    direct d = {.fn = fn, .n = n, .out_size = (int)wn__dtype_size(out->dtype)};
    for (int i = 0; i < n; i++) {
        if (x[i].t) {
            if (!x[i].t->contiguous || x[i].t->numel != out->numel || x[i].t->ndim > out->ndim ||
                !wn__is_register_form(x[i].t->dtype, (wn__ct)x[i].ct))
                return false;
            d.in[i] = wn__ptr(x[i].t);
            d.in_size[i] = wn__dtype_sizes[x[i].t->dtype];
        } else {
            if (out->numel > TINY) return false;
            size_t size = wn__ct_size((wn__ct)x[i].ct);
            constant_of((wn__ct)x[i].ct, x[i].v, splat[i]);
            for (int64_t k = 1; k < out->numel; k++) memcpy((char *)splat[i] + (size_t)k * size, splat[i], size);
            d.in[i] = (const char *)splat[i];
        }
    }
    d.out = wn__ptr(out);
    if (out->numel <= WN__BLOCK * 16) run_direct(&d, 0, out->numel);
    else *done = wn__parallel_fresh(out->numel, WN__BLOCK * 32, run_direct, &d);
    wn__count(out->numel);
    return true;
}

static wn_status run_program(wn__call *c, wn__kernel fn, wn_tensor *out, wn__ct out_ct, const operand *x, int n) {
    wn__program p;
    int64_t constants[WN__MAX_SRC], strides[WN__MAX_SRC + 1][WN_MAX_DIMS];
    const int64_t *views[WN__MAX_SRC + 1] = {strides[0]};
    int order[WN_MAX_DIMS], nviews = 1;
    wn__broadcast_strides(out, out->ndim, out->shape, strides[0]);
    for (int i = 0; i < n; i++) {
        if (!x[i].t) continue;
        wn__broadcast_strides(x[i].t, out->ndim, out->shape, strides[i + 1]);
        views[nviews++] = strides[i + 1];
    }
    wn__program_order(out->ndim, out->shape, views, nviews, order);
    p.numel = out->numel;
    p.row = p.nguards = 0;
    p.nleaves = n;
    p.ninstrs = p.noutputs = 1;
    p.instrs[0] = (wn__instr){.fn = fn, .nsrc = (uint8_t)n, .ct = (uint8_t)out_ct, .dtype = out->dtype};
    p.instrs[0].cost = wn__is_float(out->dtype) && c->op->types == WN__TY_FLOAT ? 40 : 5;
    p.outputs[0].src = (uint8_t)n;
    p.outputs[0].in_place = false;
    for (int i = 0; i < n; i++) {
        wn__leaf *l = &p.leaves[i];
        p.instrs[0].src[i] = (uint8_t)i;
        l->ct = x[i].ct;
        l->space = WN__FULL;
        l->constant = !x[i].t;
        if (x[i].t) {
            l->base = wn__ptr(x[i].t);
            l->dtype = x[i].t->dtype;
            wn__leaf_layout(l, out->ndim, out->shape, strides[i + 1], order);
            p.outputs[0].in_place |= x[i].t->storage == out->storage;
        } else {
            constant_of((wn__ct)x[i].ct, x[i].v, &constants[i]);
            l->base = (char *)&constants[i];
            l->dtype = WN_F32;
        }
    }
    wn__leaf *to = &p.outputs[0].to;
    to->base = wn__ptr(out);
    to->dtype = out->dtype;
    to->ct = (uint8_t)out_ct;
    to->space = WN__FULL;
    to->constant = false;
    wn__leaf_layout(to, out->ndim, out->shape, strides[0], order);
    return wn__program_run(&p) ? WN_OK : wn__fail_memory(c->op->name);
}

/* The result's shape and, unless it is row-major (*plain), its strides. */
static wn_status geometry(wn__call *c, const operand *x, int n, int *ndim, int64_t *shape, int64_t *strides, bool *plain) {
    wn_tensor *in[WN__MAX_SRC], *first = NULL;
    *plain = true; /* all tensors row-major and of one shape: the usual case */
    for (int i = 0; i < n; i++) {
        in[i] = x[i].t;
        if (!x[i].t) continue;
        if (!first) first = x[i].t;
        *plain &= x[i].t->contiguous && wn__same_shape(x[i].t, first);
    }
    if (*plain && first) {
        *ndim = first->ndim;
        memcpy(shape, first->shape, (size_t)*ndim * sizeof *shape);
    } else if (broadcast(c, x, n, ndim, shape)) {
        return c->th->error;
    }
    if (!*plain && !c->target && c->op->layout == WN__LAYOUT_PLAIN) wn__row_major(*ndim, shape, strides);
    else if (!*plain && !c->target) wn__result_strides(in, n, *ndim, shape, strides);
    return WN_OK;
}

/* Does the result fit the target? Resizes an out= target of another shape. */
static wn_status fit_target(wn__call *c, wn_dtype dtype, int ndim, const int64_t *shape) {
    wn_tensor *t = c->target;
    if (c->op->flags & WN__F_OUT_EXACT && !c->inplace && dtype != (wn_dtype)t->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "Found dtype %s but expected %s", wn__dtype_word(t->dtype), wn__dtype_word((int)dtype));
    if (!wn__can_cast(dtype, (wn_dtype)t->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "result type %s can't be cast to the desired output type %s", wn__dtype_word((int)dtype),
                           wn__dtype_word(t->dtype));
    if (t->ndim == ndim && !memcmp(t->shape, shape, (size_t)ndim * sizeof *shape)) return WN_OK;
    bool read = c->inplace; /* an in-place target is an operand, too: it cannot be resized */
    for (int i = 0; i < c->nin; i++) read |= c->in[i] == t;
    if (read)
        return wn__fail_op(c, WN_E_RUNTIME, "output with shape %s doesn't match the broadcast shape %s", wn__dims_text(t->shape, t->ndim),
                           wn__dims_text(shape, ndim));
    return wn__resize_out(c, t, ndim, shape);
}

/* Does the number, which takes no part in promotion, fit the dtype? alpha must also be no fraction among integers, and
 * bool only among bools. For f16 and bf16 f32 has to hold it, or (flag ELEMENTS) they themselves. */
static wn_status check_plain(wn__call *c, const wn_field *f, wn_dtype common, wn_val v) {
    if (v.kind == WN_VAL_BOOL && common != WN_BOOL && !strcmp(f->name, "alpha"))
        return wn__fail_op(c, WN_E_RUNTIME, "Boolean alpha only supported for Boolean results.");
    if (v.kind == WN_VAL_FLOAT && !wn__is_float((int)common) && !strcmp(f->name, "alpha") && !(v.u.f == trunc(v.u.f) && fabs(v.u.f) < 0x1p63))
        return wn__fail_op(c, WN_E_RUNTIME, "For integral input tensors, argument %s must not be a floating point number.", f->name);
    const bool narrow = common == WN_F16 || common == WN_BF16;
    return wn__check_number(c, narrow && !(c->op->flags & WN__F_ELEMENTS) ? WN_F32 : common, v);
}

/* The kernels of the simpler row that this last number allows (x^2 needs no logarithm); NULL: there is none. */
static const wn__kernel *shorter_row(const wn_op *op, const operand *last) {
    if (!op->nshorter || last->t || (last->v.kind != WN_VAL_INT && last->v.kind != WN_VAL_FLOAT)) return NULL;
    const double number = wn__val_f64(last->v);
    for (int i = 0; i < op->nshorter; i++)
        if (op->shorter[i].number == number) return wn__kernels_now()->rows[op->shorter[i].kernel];
    return NULL;
}

wn_status wn__pointwise(wn__call *c) {
    const wn_op *op = c->op;
    operand x[WN__MAX_SRC];
    wn_status st = read_operands(c, x);
    if (st) return st;
    int n = op->noperands, kernel = op->kernel;
    if (op->unit_field >= 0 && op->operands[n - 1] == op->unit_field && wn__val_f64(x[n - 1].v) == 1.0 && x[n - 1].v.kind != WN_VAL_BOOL) {
        kernel = op->unit_kernel;
        n--;
    }
    if (op->fn && (st = op->fn(c))) return st;
    wn_dtype common = common_type(c, x, n);
    if (common == WN_DTYPE_DEFAULT) return c->th->error;
    wn__ct ct = op->types == WN__TY_LOGICAL ? WN__CT_B8 : wn__compute_type((int)common);
    const wn__kernel *row = wn__kernels_now()->rows[kernel];
    if (common == WN_BOOL && row[WN__CT_B8]) ct = WN__CT_B8;
    if (!row[ct])
        return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for %s", op->name, wn__dtype_word((int)common));
    /* out= of another dtype: the result has its own first (true + true is true, int8 wraps). */
    if (c->target && !c->inplace && c->target->dtype != common && common != WN_F32 && common != WN_F64 && common != WN_I32 && common != WN_I64 &&
        op->types != WN__TY_COMPARE && op->types != WN__TY_LOGICAL) {
        wn_tensor *out = c->target;
        c->target = NULL;
        st = wn__pointwise(c);
        c->target = out;
        return st;
    }
    const wn__kernel *shorter = shorter_row(op, &x[n - 1]);
    if (shorter && shorter[ct]) row = shorter, n--;
    bool to_bool = op->types == WN__TY_COMPARE || op->types == WN__TY_LOGICAL;
    for (int i = 0; i < n; i++) {
        x[i].ct = (uint8_t)(x[i].mask ? WN__CT_B8 : ct);
        if (!x[i].t && op->types == WN__TY_COMPARE && (common == WN_F16 || common == WN_BF16)) { /* rounds as elements do */
            uint16_t half;
            wn__store_val(common, &half, x[i].v);
            x[i].v = wn_val_of_float(wn__load_f64(common, &half));
        }
        if (x[i].plain && (st = check_plain(c, &op->fields[op->operands[i]], common, x[i].v))) return st;
        if (!x[i].t && op->flags & WN__F_NUMBERS_FIT && wn__is_integer((int)common) && (st = wn__check_number(c, common, x[i].v))) return st;
        if (wn__is_narrow_integer(common) && !x[i].mask && (st = narrow_operand(c, common, &x[i]))) return st;
    }
    wn_dtype dtype = to_bool ? WN_BOOL : common;
    wn__ct out_ct = to_bool ? WN__CT_B8 : ct;
    int ndim;
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    bool plain;
    if ((st = geometry(c, x, n, &ndim, shape, strides, &plain))) return st;
    if (c->target && (st = fit_target(c, dtype, ndim, shape))) return st;
    if (__builtin_expect(c->meta, 0)) return c->target ? (c->out[0] = wn__retain(c->target), WN_OK) : wn__result(c, 0, dtype, ndim, shape, plain ? NULL : strides);
    wn__deferral deferred = wn__defer_pointwise(c, row[ct], dtype, out_ct, x, n, ndim, shape, plain ? NULL : strides);
    if (deferred != WN__NOT_DEFERRED) return deferred == WN__DEFERRED ? WN_OK : c->th->error;
    if ((st = wn__run_operands(c))) return st;
    if (c->target && !wn__before_write(c->target)) return c->th->error;
    wn_tensor *out = c->target ? wn__retain(c->target) : wn__tensor_new(dtype, ndim, shape, plain ? NULL : strides);
    if (!out) return wn__fail_memory(c->op->name);
    c->out[0] = out;
    if (out->numel == 0) return WN_OK;
    bool done = true;
    if (try_direct(row[ct], out, out_ct, x, n, &done)) return done ? WN_OK : wn__fail_memory(op->name);
    return run_program(c, row[ct], out, out_ct, x, n);
}
