/* Data. Element i of operand `seed` is a hash of both, scaled to the operand's range: versus_torch.py computes the same
 * numbers, so the results of both sides can be compared before they are timed. */
#include "bench.h"
#include <math.h>
#include <stdlib.h>

operand tensor_operand(wn_dtype dtype, wn_dims shape, double lo, double hi) {
    operand o = {.dtype = dtype, .shape = shape, .lo = lo, .hi = hi, .given_range = hi > lo};
    return o;
}

int64_t shape_numel(const wn_dims *shape) {
    int64_t n = 1;
    for (int i = 0; i < shape->n; i++) n *= shape->v[i];
    return n;
}

/* In [0, 1), 24 bits. */
static double uniform(int64_t i, int seed) {
    uint32_t h = (uint32_t)(i + 1) * 2654435761u + (uint32_t)(seed + 1) * 0x9E3779B9u;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    return (double)(h >> 8) * 0x1p-24;
}

static bool is_float(wn_dtype dtype) { return dtype >= WN_F32 && dtype <= WN_BF16; }

/* Numbers are made in one of three C types; winnow converts them to the operand's. */
static wn_tensor *fill(const operand *o, const wn_dims *shape, int seed) {
    const int64_t n = shape_numel(shape);
    const wn_dtype dtype = is_float(o->dtype) ? WN_F64 : o->dtype == WN_BOOL ? WN_BOOL : WN_I64;
    void *data = malloc((size_t)(n ? n : 1) * wn_dtype_size(dtype));
    if (!data) return NULL;
    const double dense = o->density > 0 ? o->density : 1;
    for (int64_t i = 0; i < n; i++) {
        const double u = uniform(i, seed), value = u < dense ? o->lo + (o->hi - o->lo) * u : 0;
        if (dtype == WN_F64) ((double *)data)[i] = value;
        else if (dtype == WN_I64) ((int64_t *)data)[i] = (int64_t)floor(value);
        else ((bool *)data)[i] = u < o->hi;
    }
    wn_tensor *t = wn_from_data(data, *shape, dtype);
    free(data);
    if (dtype != o->dtype) t = wn_to(t, o->dtype);
    return t;
}

wn_tensor *make_tensor(const operand *o, int seed) {
    WN_SCOPE(scope);
    wn_dims shape = o->shape;
    if (o->transposed) {
        shape.v[shape.n - 1] = o->shape.v[shape.n - 2];
        shape.v[shape.n - 2] = o->shape.v[shape.n - 1];
    }
    wn_tensor *t = fill(o, &shape, seed);
    if (t && o->sorted) t = wn_sort(t).values;
    if (t && o->transposed) t = wn_transpose(t, -1, -2);
    if (t && o->grad) t = wn_requires_grad(t, true);
    return t && wn_ok(t) ? wn_keep(t) : NULL;
}

void sum_tensor(wn_tensor *t, double sums[2]) {
    const int64_t n = wn_numel(t);
    double *v = malloc((size_t)(n ? n : 1) * sizeof *v);
    if (v && wn_to_memory(t, v, (size_t)n * sizeof *v, WN_F64) == WN_OK)
        for (int64_t i = 0; i < n; i++) sums[0] += v[i], sums[1] += fabs(v[i]);
    else sums[0] = sums[1] = NAN;
    free(v);
}
