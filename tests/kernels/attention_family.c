/* Attention whose scores are all 0: weights are then 1 / KEYS, and everything is a sum of multiples of it. A weight that comes back from its
 * logarithm may be one unit of the last place off, so results are rounded to multiples of 2^-20, of which the right ones are some;
 * zeros are positive. */
#include "engine/contract_ref.h"
#include "kernels.h"
#include "ops/kernel_tables.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 2, KEYS = 8, WIDTH = 4, VWIDTH = 2 };
static const int64_t shapes[] = {16, 3}; /* queries */
static const wn__kernel_table *const tables[] = {&wn__attention_forward_kernels, &wn__attention_backward_kernels};

/* 1 and -1. */
static wn_tensor *signs(wn_dtype dtype, int64_t rows, int64_t width, double *values) {
    const int64_t n = BATCH * rows * width;
    char *data = malloc((size_t)n * wn_dtype_size(dtype));
    fill_small(data, dtype, n);
    for (int64_t i = 0; i < n; i++) wn__ref_put(data, dtype, i, values[i] = wn__ref_get(data, dtype, i) > 0 ? 1 : -1);
    wn_tensor *t = wn_from_data(data, WN_DIMS(BATCH, rows, width), dtype);
    free(data);
    return t;
}

/* One query's output, or the gradient in it: scale / KEYS * the sum over keys of (g . v - its mean) * k. */
static void one_query(const double *k, const double *v, const double *g, bool back, double *to) {
    double dot[KEYS], mean = 0;
    for (int i = 0; i < KEYS; i++) mean += (dot[i] = g[0] * v[i * VWIDTH] + g[1] * v[i * VWIDTH + 1]) / KEYS;
    for (int e = 0; e < (back ? WIDTH : VWIDTH); e++) {
        to[e] = 0;
        for (int i = 0; i < KEYS; i++) to[e] += back ? (dot[i] - mean) * k[i * WIDTH + e] / KEYS / 2 : v[i * VWIDTH + e] / KEYS;
    }
}

static bool call(const wn__kernel_table *t, int number, wn_dtype dtype, trial *made) {
    const int64_t queries = shapes[number];
    const bool back = t == &wn__attention_backward_kernels;
    const int64_t width = back ? WIDTH : VWIDTH, n = BATCH * queries * width;
    double k[BATCH * KEYS * WIDTH], v[BATCH * KEYS * VWIDTH], g[BATCH * 16 * VWIDTH], row[WIDTH];
    *made = (trial){.bytes = (size_t)n * wn_dtype_size(dtype)};
    made->got = malloc(made->bytes), made->want = malloc(made->bytes);
    snprintf(made->shape, sizeof made->shape, "%lld queries", (long long)queries);
    wn_tensor *tk = signs(dtype, KEYS, WIDTH, k), *tv = signs(dtype, KEYS, VWIDTH, v), *tg = signs(dtype, queries, VWIDTH, g);
    wn_tensor *q = wn_requires_grad(wn_zeros(WN_DIMS(BATCH, queries, WIDTH), .dtype = dtype), back);
    wn_tensor *y = wn_scaled_dot_product_attention(q, tk, tv);
    if (back) y = wn_grad(WN_LIST(y), WN_LIST(q), .gradients = WN_LIST(tg)).v[0];
    for (int64_t i = 0; i < BATCH * queries; i++) {
        one_query(k + i / queries * KEYS * WIDTH, v + i / queries * KEYS * VWIDTH, g + i * VWIDTH, back, row);
        for (int64_t e = 0; e < width; e++) wn__ref_put(made->want, dtype, i * width + e, row[e]);
    }
    const void *data = wn_data(wn_contiguous(y));
    for (int64_t i = 0; i < n && data; i++) wn__ref_put(made->got, dtype, i, 0 + ldexp(rint(ldexp(wn__ref_get(data, dtype, i), 20)), -20));
    return data != NULL;
}

static void drop(trial *made) { free(made->got), free(made->want); }

const family attention_family = {tables, 2, sizeof shapes / sizeof *shapes, NULL, drop, call};
