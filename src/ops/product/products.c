/* Products that are a step around others: inner, vdot, addbmm, addr, cross, kron. */
#include "ops/product/contract.h"
#include "ops/linalg/linalg.h"

wn_status wn__op_inner(wn__call *c, wn_tensor *x, wn_tensor *y) {
    if (x->ndim == 0 || y->ndim == 0) {
        if (x->dtype != y->dtype) return wn__check_product(c, x, y);
        return wn__give(c, 0, wn_mul(x, y));
    }
    if (x->shape[x->ndim - 1] != y->shape[y->ndim - 1])
        return wn__fail_op(c, WN_E_RUNTIME, "inner() the last dimension must match on both input tensors but got shapes %s and %s", wn__desc(x), wn__desc(y));
    return wn__give(c, 0, wn_tensordot(x, y, WN_DIMS(-1), WN_DIMS(-1)));
}

/* ------------------------------------------------------------------ with an addend */

static bool is_number(wn_val v, double x) { return v.kind == WN_VAL_NONE ? x == 1 : wn__val_f64(v) == x; }
static double scale_of(wn_val v, int dtype) {
    if (v.kind == WN_VAL_NONE) return 1;
    return wn__is_float(dtype) ? wn__val_f64(v) : (double)wn__val_i64(v);
}
/* beta * self + y; y is fresh. beta = 0: self is not read. */
static wn_tensor *with_addend(wn_tensor *self, wn_val beta, wn_tensor *y) {
    if (is_number(beta, 0)) return y;
    return wn_add(is_number(beta, 1) ? self : wn_mul(self, beta), y);
}
static wn_status check_expands(wn__call *c, const wn_tensor *t, int64_t rows, int64_t cols) {
    const int64_t want[2] = {rows, cols};
    bool fits = t->ndim <= 2;
    for (int d = 0; fits && d < t->ndim; d++) fits = t->shape[d] == 1 || t->shape[d] == want[2 - t->ndim + d];
    return fits ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "%s does not expand to the result's shape %s", wn__desc(t), wn__dims_text(want, 2));
}

wn_status wn__infer_addbmm(wn__call *c) {
    const wn_addbmm_args *a = c->args;
    const wn_tensor *x = a->batch1, *y = a->batch2;
    if (x->ndim != 3 || y->ndim != 3) return wn__fail_op(c, WN_E_RUNTIME, "batch1 and batch2 must be 3D tensors, but they are %s and %s", wn__desc(x), wn__desc(y));
    if (x->shape[0] != y->shape[0])
        return wn__fail_op(c, WN_E_RUNTIME, "batch1 and batch2 must have same number of batches, got %lld and %lld", (long long)x->shape[0], (long long)y->shape[0]);
    if (x->shape[2] != y->shape[1]) return wn__fail_op(c, WN_E_RUNTIME, "Incompatible matrix sizes for bmm (%s and %s)", wn__desc(x), wn__desc(y));
    wn_status st = wn__check_product(c, x, y);
    if (!st && a->self->dtype != x->dtype)
        st = wn__fail_op(c, WN_E_RUNTIME, "self and mat2 must have the same dtype, but got %s and %s", wn__dtype_word(a->self->dtype), wn__dtype_word(x->dtype));
    if (!st) st = check_expands(c, a->self, x->shape[1], y->shape[2]);
    return st ? st : wn__result(c, 0, (wn_dtype)x->dtype, 2, (int64_t[]){x->shape[1], y->shape[2]}, NULL);
}
wn_status wn__run_addbmm(wn__call *c) {
    enum { B = 0, M = 64, K = 65, N = 66 };
    const wn_addbmm_args *a = c->args;
    const wn_tensor *x = a->batch1, *y = a->batch2;
    wn__addend p;
    wn_status st = wn__addend_plan(c, a->self, scale_of(a->beta, x->dtype), c->out[0], false, &p);
    if (st) return st;
    const wn__labels lx = {3, {B, M, K}}, ly = {3, {B, K, N}}, lo = {2, {M, N}};
    return wn__contract_labelled(c, x, &lx, y, &ly, c->out[0], &lo, scale_of(a->alpha, x->dtype), p.beta, p.epilogue.run ? &p.epilogue : NULL);
}

wn_status wn__op_addr(wn__call *c, wn_tensor *t, wn_tensor *x, wn_tensor *y, wn_val beta, wn_val alpha) {
    if (x->ndim != 1 || y->ndim != 1) return wn__fail_op(c, WN_E_RUNTIME, "Expected 1-D arguments vec1 and vec2, but got %s and %s", wn__desc(x), wn__desc(y));
    wn__tiers tiers = {0};
    wn__tiers_add(&tiers, t);
    wn__tiers_add(&tiers, x);
    wn__tiers_add(&tiers, y);
    const wn_dtype type = wn__tiers_result(&tiers);
    wn_status st = check_expands(c, t, x->shape[0], y->shape[0]);
    if (!st && !wn__is_float(type) && (beta.kind == WN_VAL_FLOAT || alpha.kind == WN_VAL_FLOAT))
        st = wn__fail_op(c, WN_E_RUNTIME, "For integral input tensors, argument %s must not be a floating point number.", beta.kind == WN_VAL_FLOAT ? "beta" : "alpha");
    if (!st && type != WN_BOOL && (beta.kind == WN_VAL_BOOL || alpha.kind == WN_VAL_BOOL))
        st = wn__fail_op(c, WN_E_RUNTIME, "Boolean %s only supported for Boolean results.", beta.kind == WN_VAL_BOOL ? "beta" : "alpha");
    if (!st && c->inplace && (t->ndim != 2 || t->shape[0] != x->shape[0] || t->shape[1] != y->shape[0]))
        st = wn__fail_op(c, WN_E_RUNTIME, "size mismatch, input: %s, v1: %s, v2: %s", wn__desc(t), wn__desc(x), wn__desc(y));
    if (st) return st;
    if (type == WN_F16 || type == WN_BF16) x = wn_to(x, WN_F32), y = wn_to(y, WN_F32), t = wn_to(t, WN_F32); /* rounded once */
    wn_tensor *product = wn_mul(wn_unsqueeze(x, 1), y);
    if (type == WN_BOOL) {
        if (is_number(alpha, 0)) product = wn_zeros_like(product);
        return wn__give(c, 0, is_number(beta, 0) ? product : wn_logical_or(t, product));
    }
    if (!is_number(alpha, 1)) product = wn_mul(product, alpha);
    product = with_addend(t, beta, product);
    return wn__give(c, 0, wn_ok(product) && (wn_dtype)product->dtype != type ? wn_to(product, type) : product);
}

/* ------------------------------------------------------------------ cross */

static wn_status cross(wn__call *c, const char *name, wn_tensor *x, wn_tensor *y, int64_t dim) {
    if (x->ndim != y->ndim) return wn__fail(WN_E_RUNTIME, name, "inputs must have the same number of dimensions (%s and %s)", wn__desc(x), wn__desc(y));
    if (x->ndim == 0) return wn__fail(WN_E_INDEX, name, "a 0-d tensor has no dimension of length 3");
    const int at = wn__wrap_dim(name, dim, x->ndim);
    if (at < 0) return c->th->error;
    if (x->shape[at] != 3 || y->shape[at] != 3)
        return wn__fail(WN_E_RUNTIME, name, "inputs dimension %lld must have length 3. Got %lld and %lld", (long long)dim, (long long)x->shape[at], (long long)y->shape[at]);
    if (x->dtype == WN_BOOL && y->dtype == WN_BOOL) return wn__fail(WN_E_NOT_IMPLEMENTED, name, "\"cross\" not implemented for 'Bool'");
    WN_SCOPE(s);
    wn_tensor *a[3], *b[3], *r[3];
    for (int i = 0; i < 3; i++) a[i] = wn_select(x, at, i), b[i] = wn_select(y, at, i);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] = wn_sub(wn_mul(a[j], b[k]), wn_mul(a[k], b[j]));
    }
    return wn__give(c, 0, wn_stack(((wn_list){.n = 3, .v = r}), .dim = WN_VAL(at)));
}
wn_status wn__op_linalg_cross(wn__call *c, wn_tensor *self, wn_tensor *other, int64_t dim) {
    return cross(c, "linalg.cross", self, other, dim);
}
wn_status wn__op_cross(wn__call *c, wn_tensor *self, wn_tensor *other, wn_val dim_given) {
    int64_t dim = -1;
    if (dim_given.kind != WN_VAL_NONE) {
        dim = wn__val_i64(dim_given);
    } else { /* the first dimension of length 3 */
        for (int d = self->ndim - 1; d >= 0; d--)
            if (self->shape[d] == 3) dim = d;
        if (dim < 0) return wn__fail(WN_E_RUNTIME, "linalg.cross", "no dimension of size 3 in input");
    }
    return cross(c, "linalg.cross", self, other, dim);
}

wn_status wn__op_linalg_vecdot(wn__call *c, wn_tensor *x, wn_tensor *y, int64_t dim) {
    if (!wn__is_float(x->dtype)) return wn__fail(WN_E_RUNTIME, "linalg.vecdot", "Expected a floating point or complex tensor as input. Got %s", wn__dtype_word(x->dtype));
    if (x->dtype != y->dtype) return wn__fail(WN_E_RUNTIME, "linalg.vecdot", "Expected x and y to have the same dtype, but found %s and %s instead", wn__desc(x), wn__desc(y));
    if (x->ndim == 1 && y->ndim == 1) return wn__wrap_dim("linalg.vecdot", dim, 1) < 0 ? c->th->error : wn__give(c, 0, wn_dot(x, y));
    return wn__give(c, 0, wn_sum(wn_mul(x, y), .dims = WN_DIMS(dim)));
}

/* ------------------------------------------------------------------ kron */

/* x of `first`, its last dimension but one and its last (of which one is 1) repeated to the sizes of both: rows of the result. */
static wn_tensor *kron_rows(wn_tensor *x, wn_dims first, int64_t sx, int64_t sy) {
    wn_dims rows = first;
    wn_tensor *all = wn_reshape(x, first);
    first.v[first.n - 2] = sx, first.v[first.n - 1] = sy;
    rows.v[--rows.n - 1] = sx * sy;
    return wn_reshape(wn_contiguous_copy(wn_expand(all, first)), rows);
}

/* Dimension by dimension every element of x beside all of y: x gets a dimension of size 1 behind each of its own, y before. */
wn_status wn__op_kron(wn__call *c, wn_tensor *x, wn_tensor *y) {
    const int n = x->ndim > y->ndim ? x->ndim : y->ndim;
    if (2 * n > WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported, but got %s and %s", WN_MAX_DIMS / 2, wn__desc(x), wn__desc(y));
    wn_dims first = {.n = 2 * n}, second = first, out = {.n = n ? n : -1};
    for (int d = 0; d < n; d++) {
        const int64_t sx = d < n - x->ndim ? 1 : x->shape[d - (n - x->ndim)], sy = d < n - y->ndim ? 1 : y->shape[d - (n - y->ndim)];
        first.v[2 * d] = sx, first.v[2 * d + 1] = 1;
        second.v[2 * d] = 1, second.v[2 * d + 1] = sy;
        if (__builtin_mul_overflow(sx, sy, &out.v[d])) return wn__fail_memory(c->op->name);
    }
    if (!n) return wn__give(c, 0, wn_mul(x, y));
    enum { SHORT = 512, LEAST = 2048, OFTEN = 4 }; /* bytes of y's rows; elements of the result; times that a copy is read */
    const int64_t sx = first.v[2 * n - 2], sy = second.v[2 * n - 1];
    int64_t reads_x = 1, reads_y = 1;
    for (int d = 0; d < 2 * n - 2; d++) reads_y *= first.v[d], reads_x *= second.v[d];
    const bool rows_short = sx > 1 && sy > 0 && sy < SHORT / (int64_t)wn__dtype_size(y->dtype), often = reads_x >= OFTEN && reads_y >= OFTEN;
    if (rows_short && often && reads_y * sx > LEAST / (reads_x * sy)) /* products of whole rows of the result, from copies that repeat what makes up one */
        return wn__give(c, 0, wn_reshape(wn_mul(kron_rows(x, first, sx, sy), kron_rows(y, second, sx, sy)), out));
    return wn__give(c, 0, wn_reshape(wn_mul(wn_reshape(x, first), wn_reshape(y, second)), out));
}
