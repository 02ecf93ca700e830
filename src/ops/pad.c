/* constant_pad_nd: each element of the result is written once. */
#include "core/alloc.h"
#include "ops/pointwise.h"

/* What the last dimensions get, in the order of self's dimensions. */
typedef struct borders {
    int64_t before[WN_MAX_DIMS], after[WN_MAX_DIMS];
} borders;

static wn_status read_pad(wn__call *c, const wn_tensor *t, const wn_dims *pad, borders *b, int64_t *shape) {
    const int n = pad->n > 0 ? pad->n : 0;
    if (n % 2) return wn__fail_op(c, WN_E_RUNTIME, "Length of pad must be even but instead it equals %d", n);
    if (n / 2 > t->ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "Length of pad should be no more than twice the number of dimensions of the input. Pad length is %d while the input has %d dimensions.", n, t->ndim);
    memset(b, 0, sizeof *b);
    for (int d = 0; d < t->ndim; d++) {
        const int from_end = t->ndim - 1 - d;
        int64_t size = t->shape[d];
        if (from_end < n / 2) {
            b->before[d] = pad->v[2 * from_end];
            b->after[d] = pad->v[2 * from_end + 1];
            const int64_t cut = (b->before[d] < 0 ? b->before[d] : 0) + (b->after[d] < 0 ? b->after[d] : 0);
            if (b->before[d] < -size || b->after[d] < -size || cut < -size) return wn__fail_op(c, WN_E_RUNTIME, "narrow(): length must be non-negative: pad %s cuts more than there is from %s", wn__dims_text(pad->v, n), wn__desc(t));
            if (__builtin_add_overflow(size, b->before[d], &size) || __builtin_add_overflow(size, b->after[d], &size) || size < 0)
                return wn__fail_op(c, WN_E_RUNTIME, "The input size %lld, plus negative padding %lld and %lld, resulted in a negative output size, which is invalid.", (long long)t->shape[d],
                                   (long long)b->before[d], (long long)b->after[d]);
        }
        shape[d] = size;
    return false;
}

static wn_status fit_axis(wn__call *c, how mode, int d, int64_t in, int64_t left, int64_t right, axis *a) {
    *a = (axis){.in = in, .size = in, .left = left};
    int64_t out;
    if (left < -(INT64_MAX / 4) || right < -(INT64_MAX / 4) || left > INT64_MAX / 4 || right > INT64_MAX / 4 || __builtin_add_overflow(in, left + right, &out))
        return wn__fail_op(c, WN_E_RUNTIME, "padding (%lld, %lld) of dimension %d is too large", (long long)left, (long long)right, d);
    a->out = out;
    if (mode == REFLECT && (left >= in || right >= in) && (left > 0 || right > 0))
        return wn__fail_op(c, WN_E_RUNTIME, "Padding size should be less than the corresponding input dimension, but got: padding (%lld, %lld) at dimension %d of "
                           "size %lld", (long long)left, (long long)right, d, (long long)in);
    if (mode == CIRCULAR) {
        if (left > in || right > in) return wn__fail_op(c, WN_E_RUNTIME, "Padding value causes wrapping around more than once.");
        a->base = left < 0 ? -left : 0;
        a->size = in - a->base + (right < 0 ? right : 0);
        a->left = left > 0 ? left : 0;
        if (a->size < 0) out = -1;
    }
    if (out < 0 || (mode == CONSTANT && in + (left < 0 ? left : 0) + (right < 0 ? right : 0) < 0))
        return wn__fail_op(c, WN_E_RUNTIME, "The input size %lld, plus negative padding %lld and %lld, resulted in a negative output size, which is invalid. "
                           "Check dimension %d of your input.", (long long)in, (long long)left, (long long)right, d);
    if (a->size == 0 && out > 0 && mode != CONSTANT) return wn__fail_op(c, WN_E_RUNTIME, "dimension %d has no elements to pad with", d);
    return WN_OK;
}

static wn_status fit(wn__call *c, const char *mode, const wn_dims *pad, const wn_dims *size, job *j) {
    const int ndim = size->n > 0 ? size->n : 0, n = pad->n > 0 ? pad->n : 0;
    if (n % 2) return wn__fail_op(c, WN_E_RUNTIME, "Padding length must be divisible by 2, but got %s", wn__dims_text(pad->v, n));
    if (n > 2 * ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "Padding length should be less than or equal to two times the input dimension but got padding length %d and input of "
                           "dimension %d", n, ndim);
    if (!read_mode(mode, &j->mode)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "Unrecognised padding mode %s", mode);
    if (j->mode != CONSTANT && !(n && n <= 6 && (ndim == n / 2 + 1 || ndim == n / 2 + 2)))
        return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now");
    for (int d = ndim - n / 2; d < ndim && j->mode != CONSTANT; d++)
        if (size->v[d] == 0) return wn__fail_op(c, WN_E_RUNTIME, "Expected input with possibly 0 batch size and other non-zero dimensions, but got: %s", wn__dims_text(size->v, ndim));
    if (j->mode != CONSTANT && size->v[ndim - n / 2 - 1] == 0 && ndim == n / 2 + 1 && j->mode != CIRCULAR)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected input with possibly 0 batch size and other non-zero dimensions, but got: %s", wn__dims_text(size->v, ndim));
    j->ndim = ndim;
    for (int d = 0; d < ndim; d++) {
        const int k = 2 * (ndim - 1 - d);
        wn_status st = fit_axis(c, j->mode, d, size->v[d], k < n ? pad->v[k] : 0, k < n ? pad->v[k + 1] : 0, &j->axes[d]);
        if (st) return st;
    }
    int64_t most = 1; /* of the padded dimensions' results, torch wants one with an element */
    for (int d = ndim - n / 2; d < ndim && (j->mode == REFLECT || j->mode == REPLICATE); d++)
        most = d == ndim - n / 2 || j->axes[d].out > most ? j->axes[d].out : most;
    return most >= 1 ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "input %s is too small for padding %s: the result would be empty", wn__dims_text(size->v, ndim), wn__dims_text(pad->v, n));
}

/* Fills the border of dimension d, of what the dimensions before it have left; then goes on with the rest. */
static wn_status fill_from(wn__call *c, const wn_tensor *r, const wn_tensor *t, const borders *b, const wn_tensor *one, int d) {
    if (d == r->ndim) return wn__copy((wn_tensor *)(uintptr_t)r, t);
    const int64_t before = b->before[d] > 0 ? b->before[d] : 0, after = b->after[d] > 0 ? b->after[d] : 0, middle = r->shape[d] - before - after;
    const int64_t start[3] = {0, before + middle, before}, length[3] = {before, after, middle};
    wn_status st = WN_OK;
    for (int k = 0; k < 3 && !st; k++) {
        if (k < 2 && !length[k]) continue;
        int64_t shape[WN_MAX_DIMS], from[WN_MAX_DIMS];
        memcpy(shape, r->shape, sizeof shape);
        shape[d] = length[k];
        wn_tensor *x = wn__tensor_view(r, r->ndim, shape, r->strides, r->offset + start[k] * r->strides[d]), *y = NULL;
        if (!x) return wn__fail_memory(c->op->name);
        if (k == 2) {
            const int64_t cut = b->before[d] < 0 ? -b->before[d] : 0;
            memcpy(from, t->shape, sizeof from);
            from[d] = middle;
            y = wn__tensor_view(t, t->ndim, from, t->strides, t->offset + cut * t->strides[d]);
            st = y ? fill_from(c, x, y, b, one, d + 1) : wn__fail_memory(c->op->name);
        } else {
            st = wn__copy(x, one);
        }
        wn__release(x);
        wn__release(y);
    }
    return st;
}

wn_status wn__op_constant_pad_nd(wn__call *c) {
    const wn_constant_pad_nd_args *a = c->args;
    const wn_tensor *t = a->self;
    borders b;
    int64_t shape[WN_MAX_DIMS];
    wn_status st = read_pad(c, t, &a->pad, &b, shape);
    const wn_val value = a->value.kind == WN_VAL_NONE ? wn_val_of_int(0) : a->value;
    if (!st && value.kind == WN_VAL_TENSOR) st = wn__fail_op(c, WN_E_TYPE, "value must be a number");
    if (!st) st = wn__check_number(c, (wn_dtype)t->dtype, value);
    wn_tensor *r = st ? NULL : wn__out(c, 0, (wn_dtype)t->dtype, t->ndim, shape, NULL);
    if (!r) return st ? st : c->th->error;
    wn_tensor *one = wn__tensor_new((wn_dtype)t->dtype, 0, shape, NULL);
    if (!one) return wn__fail_memory(c->op->name);
    wn__store_val((wn_dtype)one->dtype, wn__ptr(one), value);
    if (r->numel) st = fill_from(c, r, t, &b, one, 0);
    wn__release(one);
    return st;
}
void wn__vjp_constant_pad_nd(wn__gradctx *c) {
    const wn_constant_pad_nd_args *a = c->args;
    wn_dims back = a->pad;
    for (int i = 0; i < back.n; i++) back.v[i] = -back.v[i];
    c->gin[0] = wn_constant_pad_nd(c->g[0], back);
}
