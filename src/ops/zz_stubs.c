/* TEMPORARY: weak stand-ins until the families land. */
#include "ops/ops.h"
#include <stdlib.h>
#define STUB(f) __attribute__((weak)) wn_status f(wn__call *c) { return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "not yet"); }
#define VSTUB(f) __attribute__((weak)) void f(wn__gradctx *c) { (void)c; }
STUB(wn__op_index_select) STUB(wn__op_index_select_backward) STUB(wn__op_index_add) STUB(wn__op_index_copy) STUB(wn__op_gather) STUB(wn__op_gather_backward)
STUB(wn__op_scatter) STUB(wn__op_scatter_add) STUB(wn__op_embedding) STUB(wn__op_embedding_backward) STUB(wn__op_embedding_double_backward)
STUB(wn__op_masked_select) STUB(wn__op_masked_select_backward) STUB(wn__op_masked_scatter) STUB(wn__op_nonzero) STUB(wn__op_one_hot) STUB(wn__op_tril) STUB(wn__op_triu)
VSTUB(wn__vjp_index_add) VSTUB(wn__vjp_index_copy) VSTUB(wn__vjp_scatter) VSTUB(wn__vjp_scatter_add) VSTUB(wn__vjp_masked_scatter)
wn_status wn__op_sum(wn__call *c);
__attribute__((weak)) wn_status wn__op_sum(wn__call *c) {
    const wn_sum_args *a = c->args;
    wn_tensor *t = a->self;
    int64_t shape[16];
    uint32_t red = a->dims.n ? 0 : 0xffff;
    for (int i = 0; i < a->dims.n; i++) red |= 1u << ((a->dims.v[i] + t->ndim) % (t->ndim ? t->ndim : 1));
    int n = 0;
    for (int d = 0; d < t->ndim; d++) if (!(red >> d & 1)) shape[n++] = t->shape[d]; else if (a->keepdim) shape[n++] = 1;
    wn_tensor *r = wn__out(c, 0, wn__is_float(t->dtype) ? (wn_dtype)t->dtype : WN_I64, n, shape, NULL);
    if (!r) return WN_E_MEMORY;
    double *acc = calloc((size_t)r->numel + 1, 8);
    int64_t idx[16] = {0};
    for (int64_t i = 0; i < t->numel; i++) {
        int64_t o = 0, off = t->offset, rest = i;
        for (int d = t->ndim - 1; d >= 0; d--) { idx[d] = rest % t->shape[d]; rest /= t->shape[d]; off += idx[d] * t->strides[d]; }
        for (int d = 0; d < t->ndim; d++) if (!(red >> d & 1)) o = o * t->shape[d] + idx[d];
        acc[o] += wn__load_f64((wn_dtype)t->dtype, (char *)t->storage->data + (size_t)off * wn__dtype_size(t->dtype));
    }
    for (int64_t i = 0; i < r->numel; i++) wn__store_val((wn_dtype)r->dtype, wn__ptr(r) + (size_t)i * wn__dtype_size(r->dtype), wn_val_of_float(acc[i]));
    free(acc);
    return WN_OK;
}
