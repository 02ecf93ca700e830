/* Norms of matrices, powers and exponentials, products of chains, and tensors as matrices. */
#include <math.h>
#include "base/words.h"
#include "ops/linalg/linalg.h"

/* ------------------------------------------------------------------ norms */

static wn_status norm_dims(const char *name, const wn_tensor *t, const wn_dims *given, int dim[2]) {
    if (t->ndim < 2) return wn__need_matrix(name, t, "A");
    dim[0] = t->ndim - 2, dim[1] = t->ndim - 1;
    if (given->n == 0) return WN_OK;
    if (given->n != 2) return wn__fail(WN_E_RUNTIME, name, "dim must be a 2-tuple. Got %s", wn__dims_text(given->v, given->n < 0 ? 0 : given->n));
    for (int i = 0; i < 2; i++)
        if ((dim[i] = wn__wrap_dim(name, given->v[i], t->ndim)) < 0) return WN_E_INDEX;
    if (dim[0] == dim[1]) return wn__fail(WN_E_RUNTIME, name, "dims must be different. Got (%lld, %lld)", (long long)given->v[0], (long long)given->v[1]);
    return WN_OK;
}
static wn_status norm_types(const char *name, const wn_tensor *t, wn_dtype dtype, bool narrow) {
    if (!wn__is_float(t->dtype)) return wn__fail(WN_E_RUNTIME, name, "Expected a floating point or complex tensor as input. Got %s", wn__dtype_word(t->dtype));
    if (!narrow) return wn__need_float(name, t);
    if (dtype && !wn__is_float(dtype)) return wn__fail(WN_E_RUNTIME, name, "dtype should be floating point or complex, but got %s", wn_dtype_name(dtype));
    if (dtype && wn__promote((wn_dtype)t->dtype, dtype) != dtype)
        return wn__fail(WN_E_RUNTIME, name, "the dtype of the input (%s) should be convertible without narrowing to the specified dtype (%s)",
                        wn_dtype_name((wn_dtype)t->dtype), wn_dtype_name(dtype));
    return WN_OK;
}
static wn_tensor *singular_values(wn_tensor *t, const int dim[2], wn_dtype dtype) {
    if (dtype && dtype != (wn_dtype)t->dtype) t = wn_to(t, dtype);
    if (wn_ok(t) && (dim[0] != t->ndim - 2 || dim[1] != t->ndim - 1)) t = wn_movedim_list(t, WN_DIMS(dim[0], dim[1]), WN_DIMS(-2, -1));
    return wn_linalg_svdvals(t);
}
static wn_tensor *put_back(wn_tensor *t, const int dim[2], bool keepdim) {
    if (!keepdim) return t;
    const int first = dim[0] < dim[1] ? dim[0] : dim[1], second = dim[0] < dim[1] ? dim[1] : dim[0];
    return wn_unsqueeze(wn_unsqueeze(t, first), second);
}

/* Of nothing: 0 is the largest, there is no least. */
static wn_tensor *largest(wn_tensor *t, int dim, bool most, bool keepdim) {
    if (!most) return wn_amin(t, .dims = WN_DIMS(dim), .keepdim = keepdim);
    if (wn_ok(t) && wn_size(t, dim) == 0) return wn_sum(t, .dims = WN_DIMS(dim), .keepdim = keepdim);
    return wn_amax(t, .dims = WN_DIMS(dim), .keepdim = keepdim);
}

wn_status wn__op_linalg_matrix_norm(wn__call *c, wn_tensor *t, wn_val ord_given, const wn_dims *dims, bool keepdim,
                                    wn_dtype dtype) {
    const char *name = "linalg.matrix_norm";
    const double ord = wn__val_f64(ord_given), size = fabs(ord);
    int dim[2];
    wn_status st = norm_types(name, t, dtype, size != 2);
    if (!st) st = norm_dims(name, t, dims, dim);
    if (!st && size != 1 && size != 2 && !isinf(ord)) st = wn__fail(WN_E_RUNTIME, name, "Order %g not supported.", ord);
    if (st) return c->th->error ? c->th->error : st;
    wn_tensor *y;
    if (size == 2) {
        wn_tensor *v = singular_values(t, dim, dtype);
        y = put_back(largest(v, -1, ord > 0, false), dim, keepdim);
    } else { /* sums over one dimension, the largest or least of them over the other */
        const int sum = size == 1 ? dim[0] : dim[1], over = size == 1 ? dim[1] : dim[0];
        y = wn_vector_norm(t, .ord = wn_val_of_float(1), .dims = WN_DIMS(sum), .keepdim = true, .dtype = dtype);
        y = largest(y, over, ord > 0, true);
        if (!keepdim) y = wn_squeeze_dims(y, WN_DIMS(sum, over));
    }
    return wn__give(c, 0, y);
}
wn_status wn__op_linalg_matrix_norm_named(wn__call *c, wn_tensor *t, const char *ord, const wn_dims *dims, bool keepdim,
                                          wn_dtype dtype) {
    const char *name = "linalg.matrix_norm";
    const bool nuclear = ord && !strcmp(ord, "nuc");
    int dim[2];
    if (ord && !nuclear && strcmp(ord, "fro")) return wn__fail(WN_E_RUNTIME, name, "Order %.40s not supported.", ord);
    wn_status st = norm_types(name, t, dtype, !nuclear);
    if (!st) st = norm_dims(name, t, dims, dim);
    if (st) return c->th->error ? c->th->error : st;
    if (nuclear) return wn__give(c, 0, put_back(wn_sum(singular_values(t, dim, dtype), .dims = WN_DIMS(-1)), dim, keepdim));
    return wn__give(c, 0, wn_vector_norm(t, .ord = wn_val_of_float(2), .dims = WN_DIMS(dim[0], dim[1]), .keepdim = keepdim, .dtype = dtype));
}

/* Where an order is given. */
wn_status wn__check_linalg_norm(wn__call *c, wn_tensor *t, const wn_dims *dims) {
    const char *name = "linalg.norm";
    const int n = dims->n > 0 ? dims->n : 0;
    (void)c;
    if (dims->n && n != 1 && n != 2) return wn__fail(WN_E_RUNTIME, name, "If dim is specified, it must be of length 1 or 2. Got %s", wn__dims_text(dims->v, n));
    if (dims->n || t->ndim == 1 || t->ndim == 2) return WN_OK;
    return wn__fail(WN_E_RUNTIME, name, "If dim is not specified but ord is, the input must be 1D or 2D. Got %dD.", t->ndim);
}
wn_status wn__op_linalg_norm(wn__call *c, wn_tensor *t, wn_val ord_given, const wn_dims *dims, bool keepdim,
                             wn_dtype dtype) {
    const int n = dims->n > 0 ? dims->n : 0;
    if (ord_given.kind != WN_VAL_NONE && wn__check_linalg_norm(c, t, dims)) return c->th->error;
    if (ord_given.kind != WN_VAL_NONE && (n == 2 || (!n && t->ndim == 2)))
        return wn__give(c, 0, wn_linalg_matrix_norm(t, ord_given, .dims = *dims, .keepdim = keepdim, .dtype = dtype));
    wn_val ord = ord_given.kind == WN_VAL_NONE ? wn_val_of_float(2) : ord_given;
    return wn__give(c, 0, wn_vector_norm(t, .ord = ord, .dims = *dims, .keepdim = keepdim, .dtype = dtype));
}

/* ------------------------------------------------------------------ powers */

wn_status wn__op_linalg_matrix_power(wn__call *c, wn_tensor *t, int64_t n) {
    wn_status st = wn__need_square("linalg.matrix_power", t, "A");
    if (st) return st;
    if (n == 0) return wn__give(c, 0, wn_where(wn_zeros(WN_0D, .dtype = WN_BOOL), t, wn__eye_like(t))); /* with a history, as in torch */
    if (n == 1) return wn__give(c, 0, wn_clone(t));
    wn_tensor *z = t, *y = NULL;
    uint64_t k = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    if (n < 0) z = wn_linalg_inv(t);
    for (; k && wn_ok(z); k >>= 1) {
        if (k & 1) y = y ? wn_matmul(y, z) : z;
        if (k > 1) z = wn_matmul(z, z);
    }
    return wn_ok(z) ? wn__give(c, 0, y) : c->th->error;
}

/* ------------------------------------------------------------------ the exponential */

/* sum of x^k / k! for k = 0 .. 16, four powers at a time: six products. */
static wn_tensor *taylor(wn_tensor *x) {
    double c[17] = {1};
    for (int k = 1; k <= 16; k++) c[k] = c[k - 1] / k;
    wn_tensor *x2 = wn_matmul(x, x), *x3 = wn_matmul(x2, x), *x4 = wn_matmul(x2, x2), *eye = wn__eye_like(x);
    wn_tensor *y = wn_mul(x4, c[16]);
    for (int k = 12; k >= 0; k -= 4) {
        if (k < 12) y = wn_matmul(y, x4);
        y = wn_add(wn_add(y, wn_mul(eye, c[k])), wn_add(wn_add(wn_mul(x, c[k + 1]), wn_mul(x2, c[k + 2])), wn_mul(x3, c[k + 3])));
    }
    return y;
}

/* Scaled by a power of 2 for each matrix until its norm is small, then squared as often. */
wn_status wn__op_linalg_matrix_exp(wn__call *c, wn_tensor *t) {
    const char *name = "linalg.matrix_exp";
    wn_status st = wn__need_square(name, t, "A");
    if (!st && !wn__is_float(t->dtype)) st = wn__fail(WN_E_RUNTIME, name, "Expected a floating point or complex tensor as input. Got %s", wn__dtype_word(t->dtype));
    if (st) return st;
    if (t->numel == 0) return wn__give(c, 0, wn_clone(t));
    if (t->shape[t->ndim - 1] == 1) return wn__give(c, 0, wn_exp(t));
    wn_tensor *x = wn_to(t, t->dtype == WN_F32 ? WN_F64 : t->dtype == WN_F64 ? WN_F64 : WN_F32), *times; /* every squaring doubles the error */
    double most;
    {
        WN_NO_GRAD();
        wn_tensor *norm = wn_amax(wn_sum(wn_abs(x), .dims = WN_DIMS(-2), .keepdim = true), .dims = WN_DIMS(-1), .keepdim = true);
        times = wn_clamp_min(wn_ceil(wn_log2(wn_div(norm, 0.75))), 0);
        most = wn_item_f64(wn_max(times));
        if (!wn_ok(times)) return c->th->error;
        times = wn_escape(times);
    }
    x = taylor(wn_mul(x, wn_exp2(wn_neg(times))));
    for (int k = 0; k < most && k < 1100 && wn_ok(x); k++) x = wn_where(wn_gt(times, k), wn_matmul(x, x), x);
    return wn__give(c, 0, wn_to(x, (wn_dtype)t->dtype));
}

/* ------------------------------------------------------------------ chains */

/* The cheapest order of a chain of n matrices (of equal ones torch's) of sizes p[i] x p[i+1]: cut[i n + j] is where i .. j is split. */
static void plan_chain(int64_t n, const double *p, double *cost, int32_t *cut) {
    for (int64_t length = 2; length <= n; length++)
        for (int64_t i = 0, j = length - 1; j < n; i++, j++) {
            double best = INFINITY;
            cut[i * n + j] = (int32_t)i;
            for (int64_t k = i; k < j; k++) {
                const double here = cost[i * n + k] + cost[(k + 1) * n + j] + p[i] * p[k + 1] * p[j + 1];
                if (here < best || (n == 3 && here == best)) best = here, cut[i * n + j] = (int32_t)k;
            }
            cost[i * n + j] = best;
        }
}
static wn_tensor *run_chain(wn_tensor **t, const int32_t *cut, int64_t n, int64_t i, int64_t j) {
    if (i == j) return t[i];
    const int64_t k = cut[i * n + j];
    return wn_mm(run_chain(t, cut, n, i, k), run_chain(t, cut, n, k + 1, j));
}

static wn_status chain(wn__call *c, const char *name, wn_list x, bool vectors) {
    const int64_t n = x.n;
    for (int64_t i = 0; i < n; i++) {
        const bool end = vectors && (i == 0 || i == n - 1);
        if (end && x.v[i]->ndim != 1 && x.v[i]->ndim != 2)
            return wn__fail(WN_E_RUNTIME, name, "the %s tensor must be 1D or 2D but got %dD", i ? "last" : "first", x.v[i]->ndim);
        if (!vectors && x.v[i]->ndim != 2) return wn__fail(WN_E_RUNTIME, name, "Tensor dimension is %d, expected 2 instead (tensor %lld)", x.v[i]->ndim, (long long)i);
        if (!end && x.v[i]->ndim != 2)
            return wn__fail(WN_E_RUNTIME, name, "tensor %lld must be 2D but got %dD", (long long)i, x.v[i]->ndim);
        if (x.v[i]->dtype != x.v[0]->dtype)
            return wn__fail(WN_E_RUNTIME, name, "all tensors must have be the same dtype but tensor 0 is %s and tensor %lld %s", wn__dtype_cxx(x.v[0]->dtype), (long long)i,
                            wn__dtype_cxx(x.v[i]->dtype));
    }
    WN_SCOPE(s);
    wn_tensor **t = wn__new(wn_tensor *, (size_t)n);
    double *p = wn__new(double, (size_t)n + 1), *cost = wn__new(double, (size_t)n * (size_t)n);
    int32_t *cut = wn__new(int32_t, (size_t)n * (size_t)n);
    wn_status st = t && p && cost && cut ? WN_OK : wn__fail_memory(c->op->name);
    for (int64_t i = 0; i < n && !st; i++) {
        t[i] = x.v[i]->ndim == 2 ? x.v[i] : wn_unsqueeze(x.v[i], i == 0 ? 0 : 1);
        if (!wn_ok(t[i])) st = c->th->error;
        else if (i && t[i - 1]->shape[1] != t[i]->shape[0])
            st = wn__fail(WN_E_RUNTIME, name, "tensors %lld and %lld with shapes %s and %s cannot be multiplied", (long long)i - 1, (long long)i,
                          wn__dims_text(x.v[i - 1]->shape, x.v[i - 1]->ndim), wn__dims_text(x.v[i]->shape, x.v[i]->ndim));
        if (st) break;
        p[i] = (double)t[i]->shape[0];
        p[i + 1] = (double)t[i]->shape[1];
    }
    if (!st) {
        plan_chain(n, p, cost, cut);
        wn_tensor *y = run_chain(t, cut, n, 0, n - 1);
        if (x.v[n - 1]->ndim == 1) y = wn_squeeze_dim(y, 1);
        if (x.v[0]->ndim == 1) y = wn_squeeze_dim(y, 0);
        st = wn__give(c, 0, y);
    }
    wn__free(t);
    wn__free(p);
    wn__free(cost);
    wn__free(cut);
    return st;
}
wn_status wn__op_linalg_multi_dot(wn__call *c) {
    const wn_linalg_multi_dot_args *a = c->args;
    if (a->tensors.n < 2) return wn__fail(WN_E_RUNTIME, "multi_dot()", "expected at least 2 tensors but got %lld", (long long)a->tensors.n);
    if (a->tensors.n > 4096) return wn__fail(WN_E_RUNTIME, "multi_dot()", "at most 4096 tensors, not %lld", (long long)a->tensors.n);
    if (a->out && a->out->dtype != a->tensors.v[0]->dtype)
        return wn__fail(WN_E_RUNTIME, "multi_dot()", "expected out tensor to have dtype %s but got %s", wn__dtype_cxx(a->tensors.v[0]->dtype), wn__dtype_cxx(a->out->dtype));
    return chain(c, "multi_dot()", a->tensors, true);
}
wn_status wn__op_chain_matmul(wn__call *c, wn_list matrices) {
    if (matrices.n < 1) return wn__fail(WN_E_RUNTIME, "chain_matmul()", "Expected one or more matrices");
    if (matrices.n > 4096) return wn__fail_op(c, WN_E_RUNTIME, "at most 4096 matrices, not %lld", (long long)matrices.n);
    if (matrices.n > 1) return chain(c, "chain_matmul()", matrices, false);
    if (matrices.v[0]->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "tensor 0 must be 2D but got %dD", matrices.v[0]->ndim);
    return wn__give(c, 0, wn_clone(matrices.v[0]));
}

/* ------------------------------------------------------------------ tensors as matrices */

wn_status wn__op_linalg_tensorinv(wn__call *c, wn_tensor *t, int64_t ind) {
    if (ind <= 0) return wn__fail(WN_E_RUNTIME, "linalg.tensorinv", "Expected a strictly positive integer for 'ind', but got %lld", (long long)ind);
    int64_t rows = 1, cols = 1;
    wn_dims shape = WN_UNSET;
    for (int d = 0; d < t->ndim; d++)
        if (__builtin_mul_overflow(d < ind ? rows : cols, t->shape[d], d < ind ? &rows : &cols)) return wn__fail_memory(c->op->name);
    for (int d = 0; d < t->ndim; d++) shape.v[shape.n++] = t->shape[(d + ind % t->ndim) % t->ndim];
    if (rows != cols)
        return wn__fail(WN_E_RUNTIME, "linalg.tensorinv", "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got %lld != %lld",
                        (long long)cols, (long long)rows);
    if (!shape.n) shape.n = -1;
    return wn__give(c, 0, wn_reshape(wn_linalg_inv(wn_reshape(t, WN_DIMS(rows, rows))), shape));
}

wn_status wn__op_linalg_tensorsolve(wn__call *c, wn_tensor *t, wn_tensor *b, const wn_dims *dims) {
    if (dims->n > 0) { /* to the end, in the order given */
        wn_dims to = {.n = dims->n};
        for (int i = 0; i < to.n; i++) to.v[i] = t->ndim - to.n + i;
        t = wn_movedim_list(t, *dims, to);
        if (!wn_ok(t)) return c->th->error;
    }
    int64_t left = 1;
    wn_dims shape = WN_UNSET;
    if (t->ndim < b->ndim) return wn__fail(WN_E_RUNTIME, "linalg.tensorsolve", "self %s has fewer dimensions than other %s", wn__desc(t), wn__desc(b));
    for (int d = b->ndim; d < t->ndim; d++) {
        if (__builtin_mul_overflow(left, t->shape[d], &left)) return wn__fail_memory(c->op->name);
        shape.v[shape.n++] = t->shape[d];
    }
    if (left != b->numel)
        return wn__fail(WN_E_RUNTIME, "linalg.tensorsolve", "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but "
                        "got %lld != %lld", (long long)left, (long long)b->numel);
    if (t->numel != left * left) return wn__fail(WN_E_RUNTIME, "linalg.tensorsolve", "%s cannot be taken for a square matrix of %lld rows", wn__desc(t), (long long)left);
    if (!shape.n) shape.n = -1;
    wn_tensor *x = wn_linalg_solve(wn_reshape(t, WN_DIMS(left, left)), wn_reshape(b, WN_DIMS(left)));
    return wn__give(c, 0, wn_reshape(x, shape));
}

/* ------------------------------------------------------------------ Vandermonde's matrix */

static wn_tensor *powers(wn_tensor *x, int64_t n) { /* [..., n] : x^0 .. x^(n-1) */
    wn_dims shape = wn_shape(x);
    if (shape.n < 0) shape.n = 0;
    shape.v[shape.n++] = n - 1;
    wn_tensor *column = wn_unsqueeze(x, -1), *parts[2] = {wn_ones_like(column), wn_cumprod(wn_expand(column, shape), -1)};
    return wn_cat(((wn_list){.n = 2, .v = parts}), .dim = WN_VAL(-1));
}
wn_status wn__op_linalg_vander(wn__call *c, wn_tensor *x, wn_val N) {
    const int64_t n = N.kind != WN_VAL_NONE ? wn__val_i64(N) : x->ndim ? x->shape[x->ndim - 1] : 1;
    if (n < 2) return wn__fail(WN_E_RUNTIME, "linalg.vander", "N must be greater than 1.");
    if (x->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "too many dimensions: %s", wn__desc(x));
    if (x->dtype == WN_BOOL) return wn__fail(WN_E_RUNTIME, "linalg.vander", "bool is not supported");
    return wn__give(c, 0, powers(x->ndim ? x : wn_unsqueeze(x, 0), n));
}
wn_status wn__op_vander(wn__call *c, wn_tensor *x, wn_val N, bool increasing) {
    if (x->ndim != 1) return wn__fail_op(c, WN_E_RUNTIME, "x must be a one-dimensional tensor, but it is %s", wn__desc(x));
    const int64_t n = N.kind == WN_VAL_NONE ? x->shape[0] : wn__val_i64(N);
    if (n < 0) return wn__fail_op(c, WN_E_RUNTIME, "N must be non-negative.");
    if (!wn__is_float(x->dtype)) x = wn_to(x, WN_I64);
    wn_tensor *y = n > 1 ? powers(x, n) : wn_ones(WN_DIMS(x->shape[0], n), .dtype = wn_dtype_of(x));
    return wn__give(c, 0, increasing ? y : wn_flip(y, WN_DIMS(1)));
}
