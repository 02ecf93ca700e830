/* Triangles of matrices: tril, triu. */
#include "base/threads.h"
#include "base/counters.h"
#include "engine/block.h"
#include "ops/index/index.h"
#include "ops/which.h"
#include "support/supports.h"

typedef struct triangle {
    const wn_tensor *from; /* NULL: in place, only the zeros are written */
    const wn_tensor *to;
    char *in, *out;
    int64_t size, diagonal;
    bool lower;
} triangle;

static void clear(char *p, int64_t stride, int64_t n, int64_t size) {
    static const char zero[8];
    if (n <= 0) return;
    if (stride == size) memset(p, 0, (size_t)(n * size));
    else wn__block_now()->elements((size_t)size, 1, n, p, 0, stride, zero, 0, 0);
}

static void take(char *out, int64_t ostride, const char *in, int64_t istride, int64_t n, int64_t size) {
    if (n <= 0) return;
    if (ostride == size && istride == size) memcpy(out, in, (size_t)(n * size));
    else wn__block_now()->elements((size_t)size, 1, n, out, 0, ostride, in, 0, istride);
}

/* Rows begin .. end, counted over all matrices. Row i keeps the columns before (lower) or from (upper) the boundary. */
static void cut_rows(void *ctx, int64_t begin, int64_t end) {
    const triangle *t = ctx;
    const wn_tensor *to = t->to;
    int n = to->ndim;
    int64_t rows = to->shape[n - 2], cols = to->shape[n - 1], ostride = to->strides[n - 1] * t->size;
    for (int64_t r = begin; r < end; r++) {
        int64_t rest = r, out = 0, in = 0;
        for (int d = n - 2; d >= 0; d--) {
            int64_t i = rest % to->shape[d];
            rest /= to->shape[d];
            out += i * to->strides[d];
            if (t->from) in += i * t->from->strides[d];
        }
        int64_t edge = r % rows + t->diagonal + (t->lower ? 1 : 0);
        edge = edge < 0 ? 0 : edge > cols ? cols : edge;
        int64_t first = t->lower ? 0 : edge, last = t->lower ? edge : cols; /* what is kept */
        char *o = t->out + out * t->size;
        clear(o, ostride, first, t->size);
        clear(o + last * ostride, ostride, cols - last, t->size);
        if (t->from) {
            int64_t istride = t->from->strides[n - 1] * t->size;
            take(o + first * ostride, ostride, t->in + in * t->size + first * istride, istride, last - first, t->size);
        }
    }
}

wn_status wn__infer_tril(wn__call *c, wn_tensor *t) {
    return t->ndim < 2 ? wn__fail_op(c, WN_E_RUNTIME, "input tensor must have at least 2 dimensions, got %s", wn__desc(t)) : wn__ix_infer(c, t);
}
wn_support *wn__zeros_of_tril(const wn__call *c) {
    const wn_dims shape = wn_shape(c->out[0]);
    const int64_t diagonal = ((const wn_tril_args *)c->args)->diagonal;
    const bool lower = c->op->which == WN__LOWER;
    return wn__support_band(&shape, shape.n - 2, shape.n - 1, lower ? INT64_MIN : diagonal, lower ? diagonal : INT64_MAX);
}
wn_status wn__run_tril(wn__call *c, wn_tensor *t, int64_t diagonal_given) {
    const wn_tensor *r = c->out[0];
    if (r->numel == 0) return WN_OK;
    const int64_t rows = t->shape[t->ndim - 2], cols = t->shape[t->ndim - 1];
    const int64_t diagonal = diagonal_given < -rows ? -rows : diagonal_given > cols ? cols : diagonal_given; /* beyond that nothing changes */
    triangle x = {.from = c->inplace ? NULL : t, .to = r, .in = wn__ptr(t), .out = wn__ptr(r), .size = (int64_t)wn__dtype_size(t->dtype), .diagonal = diagonal,
                  .lower = c->op->which == WN__LOWER};
    wn__parallel(r->numel / cols, cols < 1 << 14 ? (1 << 14) / cols : 1, cut_rows, &x);
    wn__count(r->numel);
    return WN_OK;
}
