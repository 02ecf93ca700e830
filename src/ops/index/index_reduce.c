/* scatter's other forms: a number in place of a tensor, and reduce="add" or "multiply". */
#include "ops/index/index.h"

/* A number as a source of the index's shape. */
static wn_tensor *as_source(wn__call *c, wn_val value, const wn_tensor *self, const wn_tensor *index) {
    if (wn__check_number(c, (wn_dtype)self->dtype, value)) return &wn__bad_tensor;
    wn_tensor *one = wn_full(WN_0D, value, .dtype = (wn_dtype)self->dtype);
    return wn_expand(one, wn_shape(index));
}

static wn_status reduce_with(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const char *how) {
    if (how && !strcmp(how, "add")) return wn__give(c, 0, wn_scatter_add(self, dim, index, src));
    if (how && !strcmp(how, "multiply")) return wn__give(c, 0, wn_scatter_multiply(self, dim, index, src));
    return wn__fail_op(c, WN_E_RUNTIME, "reduce argument must be either add or multiply, but got %s", how ? how : "nothing");
}

wn_status wn__op_scatter_value(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_val value) {
    return wn__give(c, 0, wn_scatter(self, dim, index, as_source(c, value, self, index)));
}
wn_status wn__op_scatter_reducing(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src,
                                  const char *reduce) {
    return reduce_with(c, self, dim, index, src, reduce);
}
wn_status wn__op_scatter_value_reducing(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_val value,
                                        const char *reduce) {
    return reduce_with(c, self, dim, index, as_source(c, value, self, index), reduce);
}

/* ------------------------------------------------------------------ products */

/* One place of the table becomes its product with one element of the source. */
static void multiply(wn_dtype d, char *to, const char *from) {
    wn_val v;
    if (wn__is_float((int)d)) v = wn_val_of_float(wn__load_f64(d, to) * wn__load_f64(d, from));
    else v = wn_val_of_int((int64_t)((uint64_t)wn__load_i64(d, to) * (uint64_t)wn__load_i64(d, from)));
    wn__store_val(d, to, v);
}

/* In row-major order of the index, one thread: products of many factors per place are rare. */
static void multiply_all(wn_tensor *table, const wn_tensor *index, const wn_tensor *src, int dim) {
    const wn_dtype d = (wn_dtype)table->dtype;
    const int64_t size = (int64_t)wn__dtype_size((int)d), step = table->ndim ? table->strides[dim] : 0;
    const int64_t *ip = (const int64_t *)(const void *)wn__ptr(index);
    char *tp = wn__ptr(table);
    const char *sp = wn__ptr(src);
    for (int64_t i = 0; i < index->numel; i++) {
        int64_t rest = i, at = 0, to = 0, from = 0;
        for (int k = index->ndim - 1; k >= 0; k--) {
            const int64_t x = rest % index->shape[k];
            rest /= index->shape[k];
            at += x * index->strides[k];
            if (k < src->ndim) from += x * src->strides[k];
            if (k != dim && k < table->ndim) to += x * table->strides[k];
        }
        multiply(d, tp + (to + ip[at] * step) * size, sp + from * size);
    }
}

wn_status wn__infer_scatter_multiply(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src) {
    if (c->any_grad && wn_grad_enabled() && (wn_needs_grad(self) || wn_needs_grad(src)))
        return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "the derivative of scatter with reduce=\"multiply\" is not implemented");
    return wn__infer_scatter(c, self, dim, index, src);
}
wn_status wn__run_scatter_multiply(wn__call *c, wn_tensor *self, int64_t dim_given, wn_tensor *index_given,
                                   wn_tensor *src) {
    const int dim = wn__wrap_dim(c->op->name, dim_given, self->ndim);
    WN__OWNED wn_tensor *index = wn__ix_read(c, index_given);
    WN__OWNED wn_tensor *from = index ? wn__ix_source(c, src) : NULL;
    wn_status st = from ? wn__ix_check(c, WN_E_RUNTIME, index, self, dim, wn__size1(self, dim)) : c->th->error;
    wn_tensor *r = st ? NULL : wn__ix_result(c, self);
    if (r) multiply_all(r, index, from, dim);
    else if (!st) st = c->th->error;
    return st;
}
