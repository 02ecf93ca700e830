/* Tables of vectors, and integers as vectors: embedding, one_hot. */
#include <math.h>
#include "base/threads.h"
#include "ops/index/index.h"

static int64_t padding(wn_val v) { return wn__i64_or(v, -1); }

/* The walk over rows of a table [limit, d]: index row-major, any shape. */
static void space(wn__ix *x, const wn_tensor *index, int64_t width) {
    x->ndim = 2;
    x->along = 0;
    x->shape[0] = index->numel;
    x->shape[1] = width;
    x->index[0] = 1;
    x->index_base = (const int64_t *)(const void *)wn__ptr(index);
}

/* The index as row-major int64, owned. */
static wn_tensor *read_rows(wn__call *c, wn_tensor *indices) {
    wn_tensor *wide = wn__ix_read(c, indices), *r = wide ? wn__contiguous_raw(wide) : NULL;
    if (wide && !r) wn__fail_memory(c->op->name);
    wn__release(wide);
    return r;
}

wn_status wn__infer_embedding(wn__call *c, wn_tensor *t, wn_tensor *indices) {
    if (t->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "'weight' must be 2-D, got %s", wn__desc(t));
    wn_status st = wn__ix_dtype(c, indices, true);
    if (st) return st;
    if (indices->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS);
    int64_t shape[WN_MAX_DIMS];
    int n = indices->ndim;
    memcpy(shape, indices->shape, sizeof shape);
    shape[n] = t->shape[1];
    return wn__result(c, 0, (wn_dtype)t->dtype, n + 1, shape, NULL);
}
wn_status wn__run_embedding(wn__call *c, wn_tensor *t, wn_tensor *indices) {
    const wn_tensor *r = c->out[0];
    WN__OWNED wn_tensor *index = read_rows(c, indices);
    if (!index) return c->th->error;
    wn_status st = c->target || t->numel == 0 ? wn__ix_check(c, WN_E_INDEX, index, t, 0, t->shape[0]) : WN_OK;
    WN__OWNED wn_tensor *flat = st ? NULL : wn__tensor_view(r, 2, (int64_t[]){index->numel, t->shape[1]}, (int64_t[]){t->shape[1], 1}, r->offset);
    if (flat) {
        wn__ix x = {.mode = WN__IX_GATHER};
        space(&x, index, t->shape[1]);
        wn__ix_set(&x, t, flat, NULL, 0);
        if (!wn__ix_run(&x)) st = wn__ix_check(c, WN_E_INDEX, index, t, 0, t->shape[0]);
    } else if (!st) {
        st = wn__fail_memory(c->op->name);
    }
    return st;
}

/* ------------------------------------------------------------------ gradient */

/* Sums the rows of grad (row-major, [n, d]) into zeros. Positions that hold `skip` are made -1, which counts for nothing. */
static wn_status sum_rows(wn__call *c, wn_tensor *r, wn_tensor *grad, wn_tensor *index, int64_t skip) {
    wn_tensor *marked = NULL;
    if (skip >= 0 && skip < r->shape[0]) {
        marked = wn__tensor_new(WN_I64, 1, &index->numel, NULL);
        if (!marked) return wn__fail_memory(c->op->name);
        const int64_t *from = (const int64_t *)(const void *)wn__ptr(index);
        int64_t *to = (int64_t *)(void *)wn__ptr(marked);
        for (int64_t i = 0; i < index->numel; i++) to[i] = from[i] == skip ? -1 : from[i];
        index = marked;
    }
    WN__OWNED wn_tensor *flat = wn__tensor_view(grad, 2, (int64_t[]){index->numel, r->shape[1]}, (int64_t[]){r->shape[1], 1}, grad->offset);
    wn_status st = WN_OK;
    if (flat) {
        wn__ix x = {0};
        space(&x, index, r->shape[1]);
        st = wn__ix_add(c, &x, r, flat, NULL);
    } else {
        st = wn__fail_memory(c->op->name);
    }
    wn__release(marked);
    return st;
}

/* Each row of grad ([n, d], its own memory) divided by how often its index occurs. */
static bool divide_by_counts(wn_tensor *grad, const wn_tensor *index, int64_t rows, int64_t width) {
    int64_t *count = wn__calloc((size_t)rows + 1, sizeof *count);
    if (!count) return false;
    const int64_t *at = (const int64_t *)(const void *)wn__ptr(index);
    const int64_t size = (int64_t)wn__dtype_size(grad->dtype);
    char *p = wn__ptr(grad);
    for (int64_t i = 0; i < index->numel; i++) count[at[i]]++;
    for (int64_t i = 0; i < index->numel; i++)
        for (int64_t k = 0; k < width; k++, p += size)
            wn__store_val((wn_dtype)grad->dtype, p, wn_val_of_float(wn__load_f64((wn_dtype)grad->dtype, p) / (double)count[at[i]]));
    wn__free(count);
    return true;
}

wn_status wn__infer_embedding_backward(wn__call *c) {
    const wn_embedding_backward_args *a = c->args;
    const wn_dims *size = &a->weight_sizes;
    if (size->n != 2 || size->v[0] < 0 || size->v[1] < 0)
        return wn__fail_op(c, WN_E_RUNTIME, "weight_sizes must be the sizes of a matrix, got %s", wn__dims_text(size->v, size->n > 0 ? size->n : 0));
    if (a->scale_grad_by_freq && !wn__is_float(a->grad->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "scale_grad_by_freq needs a floating grad, got %s", wn__desc(a->grad));
    wn_status st = wn__ix_dtype(c, a->indices, true);
    if (st) return st;
    int n = a->indices->ndim;
    bool fits = a->grad->ndim == n + 1 && a->grad->shape[n] == size->v[1];
    for (int d = 0; fits && d < n; d++) fits = a->grad->shape[d] == a->indices->shape[d];
    if (!fits)
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s must have the shape of indices %s followed by the row length %lld", wn__desc(a->grad), wn__desc(a->indices),
                           (long long)size->v[1]);
    return wn__result(c, 0, (wn_dtype)a->grad->dtype, 2, size->v, NULL);
}
wn_status wn__run_embedding_backward(wn__call *c) {
    const wn_embedding_backward_args *a = c->args;
    const int64_t *size = a->weight_sizes.v;
    wn_tensor *index = read_rows(c, a->indices), *grad = index ? wn__contiguous_raw(a->grad) : NULL;
    if (grad == a->grad && a->scale_grad_by_freq) { /* to be changed */
        wn__release(grad);
        grad = wn__clone_raw(a->grad);
    }
    if (index && !grad) wn__fail_memory(c->op->name);
    wn_status st = grad ? wn__ix_check(c, WN_E_INDEX, index, a->grad, 0, size[0]) : c->th->error;
    if (!st && a->scale_grad_by_freq && !divide_by_counts(grad, index, size[0], size[1])) st = wn__fail_memory(c->op->name);
    if (!st) st = wn__fill_raw(c->out[0], wn_val_of_int(0));
    if (!st) st = sum_rows(c, c->out[0], grad, index, padding(a->padding_idx));
    wn__release(index);
    wn__release(grad);
    return st;
}

wn_status wn__op_embedding_double_backward(wn__call *c) {
    const wn_embedding_double_backward_args *a = c->args;
    int64_t skip = padding(a->padding_idx);
    wn_tensor *rows = wn_embedding(a->grad, a->indices);
    if (a->scale_grad_by_freq && wn_ok(rows)) {
        wn_tensor *flat = wn_reshape(a->indices, WN_DIMS(-1)), *ones = wn_ones(WN_DIMS(wn_numel(flat)), .dtype = WN_F64);
        wn_tensor *counts = wn_index_add(wn_zeros(WN_DIMS(wn_size(a->grad, 0)), .dtype = WN_F64), 0, flat, ones);
        wn_dims column = wn_shape(a->indices);
        if (column.n < 0) column.n = 0;
        column.v[column.n++] = 1;
        rows = wn_div(rows, wn_to(wn_reshape(wn_index_select(counts, 0, flat), column), wn_dtype_of(rows)));
    }
    if (skip >= 0) rows = wn_where(wn_unsqueeze(wn_eq(a->indices, skip), -1), 0, rows);
    return wn__give(c, 0, rows);
}

/* ------------------------------------------------------------------ embedding_renorm_ */

static double norm_of(const char *p, int64_t stride, int64_t n, wn_dtype d, double order) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++) {
        const double x = fabs(wn__load_f64(d, p + k * stride));
        if (isinf(order)) sum = x > sum || x != x ? x : sum;
        else sum += order == 2 ? x * x : order == 1 ? x : order == 0 ? x != 0 : pow(x, order);
    }
    return isinf(order) || order == 0 || order == 1 ? sum : order == 2 ? sqrt(sum) : pow(sum, 1 / order);
}

wn_status wn__infer_embedding_renorm(wn__call *c, wn_tensor *indices) {
    const wn_tensor *t = c->target;
    if (t->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "'weight' must be 2-D, got %s", wn__desc(t));
    if (!wn__is_float(t->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for %s", c->op->name, wn__dtype_word(t->dtype));
    c->out[0] = wn__retain(c->target);
    return wn__ix_dtype(c, indices, true);
}
wn_status wn__run_embedding_renorm(wn__call *c, wn_tensor *indices, double max_norm, double norm_type) {
    const wn_tensor *t = c->target;
    WN__OWNED wn_tensor *index = read_rows(c, indices);
    bool *done = index ? wn__calloc((size_t)t->shape[0] + 1, sizeof *done) : NULL;
    wn_status st = !index ? c->th->error : !done ? wn__fail_memory(c->op->name) : wn__ix_check(c, WN_E_INDEX, index, t, 0, t->shape[0]);
    const wn_dtype d = (wn_dtype)t->dtype;
    const int64_t size = (int64_t)wn__dtype_size((int)d), step = t->strides[1] * size;
    const int64_t *at = index ? (const int64_t *)(const void *)wn__ptr(index) : NULL;
    for (int64_t i = 0; !st && i < index->numel; i++) {
        if (done[at[i]]) continue;
        done[at[i]] = true;
        char *row = wn__ptr(t) + at[i] * t->strides[0] * size;
        const double norm = norm_of(row, step, t->shape[1], d, norm_type), scale = max_norm / (norm + 1e-7);
        for (int64_t k = 0; norm > max_norm && k < t->shape[1]; k++)
            wn__store_val(d, row + k * step, wn_val_of_float(wn__load_f64(d, row + k * step) * scale));
    }
    wn__free(done);
    return st;
}

/* ------------------------------------------------------------------ one_hot */

typedef struct hot {
    const int64_t *index;
    int64_t *to, classes;
} hot;
static void heat(void *ctx, int64_t begin, int64_t end) {
    const hot *h = ctx;
    memset(h->to + begin * h->classes, 0, (size_t)((end - begin) * h->classes) * sizeof *h->to);
    for (int64_t i = begin; i < end; i++) h->to[i * h->classes + h->index[i]] = 1;
}

/* How many classes there are may depend on the largest one. */
wn_status wn__infer_one_hot(wn__call *c) {
    const wn_one_hot_args *a = c->args;
    const wn_tensor *t = a->self;
    int64_t classes = padding(a->num_classes), shape[WN_MAX_DIMS];
    if (t->dtype != WN_I64) return wn__fail_op(c, WN_E_RUNTIME, "one_hot is only applicable to index tensor of type int64, got %s", wn__desc(t));
    if (t->ndim == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS);
    if (t->numel == 0 && classes <= 0) return wn__fail_op(c, WN_E_RUNTIME, "can not infer total number of classes from empty tensor %s", wn__desc(t));
    WN__OWNED wn_tensor *index = wn__contiguous_raw(t);
    if (!index) return wn__fail_memory(c->op->name);
    const int64_t *p = (const int64_t *)(const void *)wn__ptr(index);
    int64_t low = 0, high = -1;
    for (int64_t i = 0; i < index->numel; i++) {
        low = p[i] < low ? p[i] : low;
        high = p[i] > high ? p[i] : high;
    }
    wn_status st = WN_OK;
    if (low < 0) st = wn__fail_op(c, WN_E_RUNTIME, "class values must be non-negative, found %lld", (long long)low);
    else if (classes == -1) classes = wn__add_sat(high, 1);
    else if (high >= classes) st = wn__fail_op(c, WN_E_RUNTIME, "class values must be smaller than num_classes (%lld), found %lld", (long long)classes, (long long)high);
    int64_t total;
    if (!st && (high == INT64_MAX || __builtin_mul_overflow(classes, index->numel ? 8 * index->numel : 8, &total)))
        st = wn__fail_op(c, WN_E_MEMORY, "%lld classes are too many", (long long)classes);
    memcpy(shape, t->shape, sizeof shape);
    shape[t->ndim] = classes;
    return st ? st : wn__result(c, 0, WN_I64, t->ndim + 1, shape, NULL);
}
wn_status wn__run_one_hot(wn__call *c, wn_tensor *self) {
    wn_tensor *index = wn__contiguous_raw(self), *r = c->out[0];
    if (!index) return wn__fail_memory(c->op->name);
    if (r->numel) {
        const int64_t classes = r->shape[self->ndim];
        hot h = {(const int64_t *)(const void *)wn__ptr(index), (int64_t *)(void *)wn__ptr(r), classes};
        wn__parallel(index->numel, classes < 1 << 14 ? (1 << 14) / classes : 1, heat, &h);
    }
    wn__release(index);
    return WN_OK;
}
