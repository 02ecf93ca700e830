/* segment_reduce: each result is a fold of neighbouring elements along one axis. */
#include <math.h>
#include "base/alloc.h"
#include "base/inline.h"
#include "base/threads.h"
#include "ops/index/index.h"

typedef enum fold { F_SUM, F_MEAN, F_MAX, F_MIN, F_PROD, F_NONE } fold;
static fold fold_of(const char *how) {
    static const char *const names[] = {"sum", "mean", "max", "min", "prod"};
    for (int i = 0; i < F_NONE; i++)
        if (!strcmp(how, names[i])) return (fold)i;
    return F_NONE;
}

/* ------------------------------------------------------------------ the kernel */

typedef struct segments {
    fold how;
    const void *data;
    void *out;
    const int64_t *offsets;
    int64_t count, inner, length; /* segments of a line, elements beside it, its length */
    bool has_initial;
    double initial;
} segments;

#define BODY "ops/index/segment_of.h"
#include "base/for_floats.h"

static wn_status check_offsets(wn__call *c, const wn_tensor *offsets, int64_t lines, int64_t length) {
    const int64_t *p = (const int64_t *)(const void *)wn__ptr(offsets), width = offsets->shape[offsets->ndim - 1];
    for (int64_t line = 0; line < lines; line++, p += width)
        for (int64_t i = 0; i < width; i++)
            if (p[i] < (i ? p[i - 1] : 0) || p[i] > length)
                return wn__fail_op(c, WN_E_RUNTIME, "segment bounds must rise from 0 to the size of the axis (%lld), but got %lld", (long long)length, (long long)p[i]);
    return WN_OK;
}

wn_status wn__infer_segment_fold(wn__call *c, wn_tensor *data, const char *reduce, wn_tensor *offsets,
                                 int64_t axis_given) {
    const int axis = offsets->ndim - 1;
    if (fold_of(reduce ? reduce : "") == F_NONE) return wn__fail_op(c, WN_E_RUNTIME, "unsupported reduction %s", reduce ? reduce : "");
    if (!wn__is_float(data->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"segment_reduce_cpu\" not implemented for %s", wn__dtype_word(data->dtype));
    bool fits = offsets->dtype == WN_I64 && offsets->contiguous && axis >= 0 && axis < data->ndim && axis_given == axis && offsets->shape[axis] > 0;
    for (int d = 0; d < axis && fits; d++) fits = offsets->shape[d] == data->shape[d];
    if (!fits) return wn__fail_op(c, WN_E_RUNTIME, "offsets %s do not fit data %s", wn__desc(offsets), wn__desc(data));
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, data->shape, sizeof shape);
    shape[axis] = offsets->shape[axis] - 1;
    return wn__result(c, 0, (wn_dtype)data->dtype, data->ndim, shape, NULL);
}
wn_status wn__run_segment_fold(wn__call *c, wn_tensor *data, const char *reduce, wn_tensor *offsets, wn_val initial) {
    const int axis = offsets->ndim - 1;
    const bool narrow = data->dtype == WN_F16 || data->dtype == WN_BF16;
    wn_tensor *r = c->out[0];
    int64_t lines = 1, inner = 1;
    for (int d = 0; d < axis; d++) lines *= data->shape[d];
    for (int d = axis + 1; d < data->ndim; d++) inner *= data->shape[d];
    wn_status st = check_offsets(c, offsets, lines, data->shape[axis]);
    if (st) return st;
    WN__OWNED wn_tensor *line = wn__contiguous_raw(data), *from = line && narrow ? wn__to_dtype_raw(line, WN_F32) : line ? wn__retain(line) : NULL;
    WN__OWNED wn_tensor *to = narrow ? wn__tensor_new(WN_F32, r->ndim, r->shape, NULL) : wn__retain(r);
    if (!from || !to) {
        st = wn__fail_memory(c->op->name);
    } else if (r->numel) {
        segments x = {.how = fold_of(reduce), .data = wn__ptr(from), .out = wn__ptr(to), .offsets = (const int64_t *)(const void *)wn__ptr(offsets), .count = r->shape[axis], .inner = inner,
                      .length = data->shape[axis], .has_initial = initial.kind != WN_VAL_NONE};
        if (x.has_initial) x.initial = wn__val_f64(initial);
        const int64_t each = data->numel / (lines * x.count) + inner;
        wn__parallel(lines * x.count, each < 1 << 13 ? (1 << 13) / each : 1, from->dtype == WN_F64 ? fold_segments_f64 : fold_segments_f32, &x);
        if (narrow) st = wn__copy(r, to);
    }
    return st;
}

/* ------------------------------------------------------------------ the front */

/* Do the lengths of every line add up to the axis? */
static wn_status check_lengths(wn__call *c, wn_tensor *lengths, int64_t size) {
    const int64_t *p = wn_ok(lengths) ? wn_data(lengths) : NULL, width = p ? lengths->shape[lengths->ndim - 1] : 0;
    if (!wn_ok(lengths) || (lengths->numel && !p)) return c->th->error;
    for (int64_t i = 0; i < lengths->numel; i += width) {
        int64_t left = size;
        for (int64_t k = 0; k < width; k++) {
            if (p[i + k] < 0) return wn__fail_op(c, WN_E_RUNTIME, "lengths contains negative value!");
            left = p[i + k] > left ? -1 : left - p[i + k];
            if (left < 0) break;
        }
        if (left) return wn__fail_op(c, WN_E_RUNTIME, "Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe");
    }
    return WN_OK;
}

wn_status wn__op_segment_reduce(wn__call *c) {
    const wn_segment_reduce_args *a = c->args;
    wn_tensor *given = a->offsets ? a->offsets : a->lengths;
    const char *how = a->reduce ? a->reduce : "";
    if (fold_of(how) == F_NONE) return wn__fail_op(c, WN_E_RUNTIME, "reduce argument must be either sum, mean, max, min or prod, got %s", how);
    if (a->indices) return wn__fail_op(c, WN_E_RUNTIME, "segment_reduce(): indices based reduction is not supported yet.");
    if (!given || (a->offsets && a->lengths)) return wn__fail_op(c, WN_E_RUNTIME, "segment_reduce(): Either lengths or offsets must be defined.");
    const int axis = wn__wrap_dim(c->op->name, a->axis, a->data->ndim);
    if (axis < 0) return c->th->error;
    if (given->dtype != WN_I64 && given->dtype != WN_I32) return wn__fail_op(c, WN_E_RUNTIME, "lengths and offsets have to be Long or Int tensors, but got %s", wn__desc(given));
    if (given->ndim != axis + 1 || a->data->ndim == 0)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected %s to have axis + 1 = %d dimensions, but got %d", a->offsets ? "offsets" : "lengths", axis + 1, given->ndim);
    wn_tensor *offsets = wn_contiguous(wn_to(given, WN_I64));
    if (!a->offsets) { /* lengths: their running sum, with a 0 in front */
        wn_status st = a->unsafe ? WN_OK : check_lengths(c, offsets, a->data->shape[axis]);
        if (st) return st;
        offsets = wn_constant_pad_nd(wn_cumsum(offsets, -1), WN_DIMS(1, 0));
    }
    return wn__give(c, 0, wn_segment_fold(a->data, how, offsets, axis, a->initial));
}

/* ------------------------------------------------------------------ gradient */

/* For each position along the axis, the number of its segment (positions in none: the last, and `outside` is set). */
static wn_tensor *numbers_of(const wn_tensor *offsets, int64_t length, int64_t *outside) {
    const int64_t width = offsets->shape[offsets->ndim - 1], lines = width ? offsets->numel / width : 0, *p = (const int64_t *)(const void *)wn__ptr(offsets);
    wn_dims shape = {.n = offsets->ndim};
    for (int d = 0; d < shape.n; d++) shape.v[d] = d == shape.n - 1 ? length : offsets->shape[d];
    wn_tensor *r = wn_empty(shape, .dtype = WN_I64);
    int64_t *q = wn_ok(r) && wn_numel(r) ? wn_data_mut(r) : NULL;
    *outside = 0;
    for (int64_t line = 0; q && line < lines; line++, p += width, q += length)
        for (int64_t i = 0, k = 0; i < length; i++) {
            while (k < width - 1 && i >= p[k + 1]) k++;
            const bool inside = k < width - 1 && i >= p[k];
            q[i] = inside ? k : width - 1;
            *outside += !inside;
        }
    return r;
}

/* By rows that differentiate again: a segment's cotangent goes to its elements by gather. */
void wn__vjp_segment_fold(wn__gradctx *c) {
    const wn_segment_fold_args *a = c->args;
    wn_tensor *g = c->g[0], *y = c->y[0], *data = a->data, *offsets = a->offsets;
    const int axis = offsets->ndim - 1;
    const int64_t length = data->shape[axis], count = offsets->shape[axis] - 1;
    const fold how = fold_of(a->reduce);
    int64_t outside;
    wn_tensor *numbers = numbers_of(offsets, length, &outside);
    if (!wn_ok(numbers) || count == 0 || wn_numel(data) == 0) {
        c->gin[0] = wn_ok(numbers) ? wn_zeros(wn_shape(data), .dtype = wn_dtype_of(g)) : numbers;
        return;
    }
    wn_dims wide = wn_shape(data);
    wn_tensor *index = numbers;
    for (int d = axis + 1; d < wide.n; d++) index = wn_unsqueeze(index, d);
    index = wn_expand(index, wide);
    wn_dims padded = {.n = 2 * (wide.n - axis)}; /* one more segment, for positions in none */
    padded.v[padded.n - 1] = 1;
    if (how == F_SUM || how == F_MEAN) {
        if (how == F_MEAN) {
            wn_tensor *lengths = wn_sub(wn_slice(offsets, axis, 1, count + 1), wn_slice(offsets, axis, 0, count));
            for (int d = axis + 1; d < wide.n; d++) lengths = wn_unsqueeze(lengths, d);
            g = wn_div(g, wn_clamp_min(lengths, 1));
        }
        c->gin[0] = wn_gather(wn_constant_pad_nd(g, padded), axis, index);
        return;
    }
    wn_dims all = wn_shape(y);
    all.v[axis]++;
    if (how == F_PROD) { /* initial is a factor of its own */
        wn_tensor *start = wn_full(all, a->initial.kind == WN_VAL_NONE ? wn_val_of_float(1) : a->initial, .dtype = wn_dtype_of(data));
        c->gin[0] = wn__ix_product_grad(start, axis, index, data, wn_constant_pad_nd(y, padded), wn_constant_pad_nd(g, padded), true);
        return;
    }
    wn_tensor *best = wn_gather(wn_constant_pad_nd(y, padded), axis, index), *own = wn_to(wn_logical_or(wn_eq(data, best), wn_ne(data, data)), wn_dtype_of(g));
    wn_tensor *ties = wn_scatter_add(wn_zeros(all, .dtype = wn_dtype_of(g)), axis, index, own);
    c->gin[0] = wn_mul(own, wn_gather(wn_div(wn_constant_pad_nd(g, padded), wn_clamp_min(ties, 1)), axis, index));
}
