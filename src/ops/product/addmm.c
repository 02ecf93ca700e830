/* Products with an addend in the same pass: addmm, addmv, baddbmm, linear. The addend is added while the sums are in
 * registers (the engine's epilogue), so that nothing is read or written twice. */
#include "base/half.h"
#include "base/words.h"
#include "engine/gemm_kernels.h"
#include "grad/tape.h"
#include "ops/pointwise/pointwise.h"
#include "ops/product/contract.h"

enum { B = 0, M = 64, K = 65, N = 66 };

/* ------------------------------------------------------------------ the addend */

/* beta = 1, rows or a constant: the kernels' loop, unless the call costs more than the sums. */
static inline bool add_plain(const wn__addend *p, const void *x, void *acc, int64_t n, int64_t step) {
    enum { LEAST = 8 };
    if (n < LEAST || !p->add || (step != 0 && step != 1)) return false;
    p->add(acc, x, p->dtype, n, step);
    return true;
}
/* at: of the piece's first element in the addend; step: to the next. */
static void add_to_f32(const wn__addend *p, float *y, int64_t at, int64_t n, int64_t step) {
    const float *x = (const float *)(const void *)p->base + at, scale = (float)p->scale;
    if (add_plain(p, x, y, n, step)) return;
    for (int64_t l = 0; l < n; l++) y[l] += scale * x[l * step];
}
static void add_to_f64(const wn__addend *p, double *y, int64_t at, int64_t n, int64_t step) {
    const double *x = (const double *)(const void *)p->base + at;
    if (add_plain(p, x, y, n, step)) return;
    for (int64_t l = 0; l < n; l++) y[l] += p->scale * x[l * step];
}
static void add_to_half(const wn__addend *p, float *y, int64_t at, int64_t n, int64_t step) {
    const uint16_t *x = (const uint16_t *)(const void *)p->base + at;
    const float scale = (float)p->scale;
    const bool f16 = p->dtype == WN_F16;
    if (add_plain(p, x, y, n, step)) return;
    for (int64_t l = 0; l < n; l++) y[l] += scale * (f16 ? wn__f16_to_f32(x[l * step]) : wn__bf16_to_f32(x[l * step]));
}
static void add_piece(const wn__addend *p, void *acc, int64_t at, int64_t n, int64_t step) {
    if (p->dtype == WN_F32) add_to_f32(p, acc, at, n, step);
    else if (p->dtype == WN_F64) add_to_f64(p, acc, at, n, step);
    else add_to_half(p, acc, at, n, step);
}
static void add_row(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n) {
    const wn__addend *p = ctx;
    add_piece(p, acc, b * p->sb + i * p->sm + j * p->sn, n, p->sn);
}
static void add_column(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n) {
    const wn__addend *p = ctx;
    add_piece(p, acc, b * p->sb + i * p->sm + j * p->sn, n, p->sm);
}

wn_status wn__addend_plan(wn__call *c, const wn_tensor *t, double beta, wn_tensor *out, bool batch, wn__addend *p) {
    *p = (wn__addend){.beta = 0, .scale = beta};
    if (!t || beta == 0) return WN_OK; /* beta = 0: not even NaN passes */
    const int shift = out->ndim - t->ndim, rows = batch ? 1 : 0, last = out->ndim - 1;
    bool plain = true; /* at most one row dimension that does not broadcast */
    int64_t sm = 0, strides[WN_MAX_DIMS] = {0};
    for (int d = 0; d < t->ndim; d++) {
        if (t->shape[d] == 1) continue;
        strides[d + shift] = t->strides[d];
        if (d + shift >= rows && d + shift < last) {
            plain &= d + shift == last - 1 && last - rows == 1;
            sm = t->strides[d];
        }
    }
    if (out->numel == 0) return WN_OK;
    if (!plain || !wn__is_float(out->dtype)) {
        p->beta = beta;
        return wn__copy(out, t);
    }
    p->base = wn__ptr(t);
    if (!p->base) return wn__fail_memory(c->op->name);
    p->dtype = (wn_dtype)t->dtype;
    p->sb = batch ? strides[0] : 0;
    p->sm = sm;
    p->sn = last >= rows ? strides[last] : 0;
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    if (beta == 1) p->add = (p->dtype == WN_F64 ? kernels->f64 : kernels->f32)->add;
    p->epilogue = (wn__epilogue){.run = add_row, .ctx = p, .down = add_column};
    return WN_OK;
}

/* torch's expand: t must broadcast to shape. */
static wn_status check_addend(wn__call *c, const wn_tensor *t, int ndim, const int64_t *shape) {
    const int shift = ndim - t->ndim;
    if (shift < 0) return wn__fail_expand_dims(c, t, ndim, shape);
    for (int d = 0; d < t->ndim; d++)
        if (t->shape[d] != 1 && t->shape[d] != shape[d + shift]) return wn__fail_expand(c, t, ndim, shape, d + shift);
    return WN_OK;
}

typedef struct operands {
    const wn_tensor *add, *a, *b;
    wn__labels la, lb, lo;
    double alpha, beta;
    bool batch;
} operands;

/* In the words that torch has for each of these products. */
static wn_status check_dtypes(wn__call *c, const operands *x) {
    if (!x->add) return WN_OK; /* wn__check_product says it */
    const int a = x->a->dtype, b = x->b->dtype, add = x->add->dtype;
    if (a == b && add == a) return WN_OK;
    if (x->batch)
        return wn__fail_op(c, WN_E_RUNTIME, "Input dtypes must be the same, got: input %s, batch1: %s, batch2: %s", wn__dtype_cxx(add), wn__dtype_cxx(a), wn__dtype_cxx(b));
    return wn__fail_op(c, WN_E_RUNTIME, "%s and mat2 must have the same dtype, but got %s and %s", a == b ? "self" : "mat1", wn__dtype_word(a == b ? add : a), wn__dtype_word(b));
}

static wn_status infer_sum(wn__call *c, const operands *x, int ndim, const int64_t *shape) {
    wn_status st = check_dtypes(c, x);
    if (!st) st = wn__check_product(c, x->a, x->b);
    if (!st && x->add) st = check_addend(c, x->add, ndim, shape);
    return st ? st : wn__result(c, 0, (wn_dtype)x->a->dtype, ndim, shape, NULL);
}
static wn_status run_sum(wn__call *c, const operands *x) {
    wn__addend p;
    wn_status st = wn__addend_plan(c, x->add, x->beta, c->out[0], x->batch, &p);
    if (st) return st;
    return wn__contract_labelled(c, x->a, &x->la, x->b, &x->lb, c->out[0], &x->lo, x->alpha, p.beta, p.epilogue.run ? &p.epilogue : NULL);
}

static double scalar_or_1(wn_val v, int dtype) {
    if (v.kind == WN_VAL_NONE) return 1;
    return wn__is_float(dtype) ? wn__val_f64(v) : (double)wn__val_i64(v);
}

/* ------------------------------------------------------------------ rows */

wn_status wn__infer_addmm(wn__call *c) {
    const wn_addmm_args *a = c->args;
    const wn_tensor *m1 = a->mat1, *m2 = a->mat2;
    if (m1->ndim != 2 || m2->ndim != 2)
        return wn__fail_op(c, WN_E_RUNTIME, "mat1 and mat2 must be matrices, but they are %s and %s", wn__desc(m1), wn__desc(m2));
    if (m1->shape[1] != m2->shape[0])
        return wn__fail_op(c, WN_E_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (%s and %s)", wn__desc(m1), wn__desc(m2));
    return infer_sum(c, &(operands){.add = a->self, .a = m1, .b = m2}, 2, (int64_t[]){m1->shape[0], m2->shape[1]});
}
wn_status wn__run_addmm(wn__call *c) {
    const wn_addmm_args *a = c->args;
    const int dtype = a->mat1->dtype;
    return run_sum(c, &(operands){.add = a->self, .a = a->mat1, .b = a->mat2, .la = {2, {M, K}}, .lb = {2, {K, N}}, .lo = {2, {M, N}},
                                  .alpha = scalar_or_1(a->alpha, dtype), .beta = scalar_or_1(a->beta, dtype)});
}

wn_status wn__infer_addmv(wn__call *c) {
    const wn_addmv_args *a = c->args;
    const wn_tensor *m = a->mat, *v = a->vec;
    if (m->ndim != 2 || v->ndim != 1 || a->self->ndim > 1)
        return wn__fail_op(c, WN_E_RUNTIME, "vector + matrix @ vector expected, got %s, %s and %s", wn__desc(a->self), wn__desc(m), wn__desc(v));
    if (m->dtype != v->dtype || a->self->dtype != m->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "addmv input tensors must have the same dtype, but got %s, %s, and %s", wn__dtype_word(a->self->dtype),
                           wn__dtype_word(m->dtype), wn__dtype_word(v->dtype));
    if (m->shape[1] != v->shape[0])
        return wn__fail_op(c, WN_E_RUNTIME, "size mismatch, got mat %s and vec %s", wn__desc(m), wn__desc(v));
    return infer_sum(c, &(operands){.add = a->self, .a = v, .b = m}, 1, m->shape);
}
/* The result's one dimension is the columns of vec @ mat^T. */
wn_status wn__run_addmv(wn__call *c) {
    const wn_addmv_args *a = c->args;
    const int dtype = a->mat->dtype;
    return run_sum(c, &(operands){.add = a->self, .a = a->vec, .b = a->mat, .la = {1, {K}}, .lb = {2, {N, K}}, .lo = {1, {N}},
                                  .alpha = scalar_or_1(a->alpha, dtype), .beta = scalar_or_1(a->beta, dtype)});
}

wn_status wn__infer_baddbmm(wn__call *c) {
    const wn_baddbmm_args *a = c->args;
    const wn_tensor *m1 = a->batch1, *m2 = a->batch2;
    if (m1->ndim != 3 || m2->ndim != 3)
        return wn__fail_op(c, WN_E_RUNTIME, "batch1 and batch2 must be 3D tensors, but they are %s and %s", wn__desc(m1), wn__desc(m2));
    if (m1->shape[0] != m2->shape[0] || m1->shape[2] != m2->shape[1])
        return wn__fail_op(c, WN_E_RUNTIME, "Expected size for first two dimensions of batch2 tensor to be: [%lld, %lld] but got: [%lld, "
                           "%lld] (%s and %s)", (long long)m1->shape[0], (long long)m1->shape[2], (long long)m2->shape[0],
                           (long long)m2->shape[1], wn__desc(m1), wn__desc(m2));
    return infer_sum(c, &(operands){.add = a->self, .a = m1, .b = m2, .batch = true}, 3, (int64_t[]){m1->shape[0], m1->shape[1], m2->shape[2]});
}
wn_status wn__run_baddbmm(wn__call *c) {
    const wn_baddbmm_args *a = c->args;
    const int dtype = a->batch1->dtype;
    return run_sum(c, &(operands){.add = a->self, .a = a->batch1, .b = a->batch2, .la = {3, {B, M, K}}, .lb = {3, {B, K, N}}, .lo = {3, {B, M, N}},
                                  .batch = true, .alpha = scalar_or_1(a->alpha, dtype), .beta = scalar_or_1(a->beta, dtype)});
}

wn_status wn__infer_linear(wn__call *c) {
    const wn_linear_args *a = c->args;
    const wn_tensor *in = a->input, *w = a->weight;
    if (in->ndim < 1 || w->ndim < 1)
        return wn__fail_op(c, WN_E_RUNTIME, "both arguments to linear need to be at least 1D, but they are %dD and %dD", in->ndim, w->ndim);
    if (w->ndim > 2) return wn__fail_op(c, WN_E_RUNTIME, "weight must be [out, in] or [in], but it is %s (input is %s)", wn__desc(w), wn__desc(in));
    if (in->shape[in->ndim - 1] != w->shape[w->ndim - 1])
        return wn__fail_op(c, WN_E_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (input %s and weight %s)", wn__desc(in), wn__desc(w));
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, in->shape, sizeof shape);
    if (w->ndim == 2) shape[in->ndim - 1] = w->shape[0];
    return infer_sum(c, &(operands){.add = a->bias, .a = in, .b = w}, in->ndim - (w->ndim == 1), shape);
}
wn_status wn__run_linear(wn__call *c) {
    const wn_linear_args *a = c->args;
    const wn_tensor *in = a->input, *w = a->weight;
    operands x = {.add = a->bias, .a = in, .b = w, .alpha = 1, .beta = 1};
    for (int d = 0; d < in->ndim - 1; d++) x.la.v[d] = x.lo.v[d] = (uint8_t)(B + d);
    x.la.n = in->ndim;
    x.la.v[in->ndim - 1] = K;
    x.lo.n = in->ndim - 1;
    if (w->ndim == 2) {
        x.lo.v[x.lo.n++] = N;
        x.lb = (wn__labels){2, {N, K}};
    } else {
        x.lb = (wn__labels){1, {K}};
    }
    if (w->ndim == 2 || !x.add) return run_sum(c, &x);
    wn_status st = wn__copy(c->out[0], x.add); /* no columns: the addend cannot come through the epilogue */
    return st ? st : wn__contract_labelled(c, in, &x.la, w, &x.lb, c->out[0], &x.lo, 1, 1, NULL);
}

/* As torch's linear: addmm or mm of matrices, of others the view that the product comes back through. */
int wn__title_of_linear(const wn_node *n, char *buf, size_t cap) {
    const int a = n->edges[0].ndim;
    const bool bias = n->nin > 2 && n->edges[2].ndim;
    const char *product = bias ? "AddmmBackward0" : "MmBackward0", *view = bias ? "ViewBackward0" : a == 1 ? "SqueezeBackward4" : "UnsafeViewBackward0";
    return snprintf(buf, cap, "%s", a == 2 ? product : view);
}
