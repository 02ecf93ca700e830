/* Pools of both layouts. */
#include "engine/contract_ref.h"
#include "kernels.h"
#include "ops/kernel_tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape {
    int64_t images, channels, size, kernel, stride;
    bool last;
} shape;
static const shape shapes[] = {{2, 3, 8, 2, 2, false}, {1, 5, 9, 4, 3, false}, {2, 3, 8, 2, 2, true}, {1, 20, 9, 4, 3, true}};
static const wn__kernel_table *const tables[] = {&wn__max_pool_kernels, &wn__max_pool_back_kernels, &wn__avg_pool_kernels};

/* One plane by plain loops. Maximum: the first largest element of a window gets the 1 that is its cotangent. */
static void plane(const shape *s, const wn__kernel_table *t, wn_dtype dtype, const char *x, char *to) {
    const int64_t n = s->size, out = (n - s->kernel) / s->stride + 1, area = s->kernel * s->kernel;
    double sums[128] = {0};
    for (int64_t o = 0; o < out * out; o++) {
        const int64_t first = o / out * s->stride * n + o % out * s->stride;
        int64_t best = first;
        double sum = 0;
        for (int64_t i = 0; i < area; i++) {
            const int64_t at = first + i / s->kernel * n + i % s->kernel;
            sum += wn__ref_get(x, dtype, at);
            if (wn__ref_get(x, dtype, at) > wn__ref_get(x, dtype, best)) best = at;
        }
        sums[best]++;
        if (t != &wn__max_pool_back_kernels) wn__ref_put(to, dtype, o, t == &wn__max_pool_kernels ? wn__ref_get(x, dtype, best) : sum / (double)area);
    }
    for (int64_t i = 0; t == &wn__max_pool_back_kernels && i < n * n; i++) wn__ref_put(to, dtype, i, sums[i]);
}

static wn_tensor *pooled(const wn__kernel_table *t, const shape *s, wn_tensor *x) {
    const wn_dims kernel = WN_DIMS(s->kernel), stride = WN_DIMS(s->stride);
    if (t == &wn__avg_pool_kernels) return wn_avg_pool2d(x, kernel, .stride = stride);
    if (t == &wn__max_pool_kernels) return wn_max_pool2d(x, kernel, .stride = stride);
    wn_tensor *leaf = wn_requires_grad(x, true);
    const wn_list g = wn_grad(WN_LIST(wn_sum(wn_max_pool2d(leaf, kernel, .stride = stride))), WN_LIST(leaf));
    return g.n ? g.v[0] : NULL;
}

static bool call(const wn__kernel_table *t, int number, wn_dtype dtype, trial *made) {
    const shape *s = &shapes[number];
    const int64_t n = s->size, out = (n - s->kernel) / s->stride + 1, planes = s->images * s->channels, each = t == &wn__max_pool_back_kernels ? n * n : out * out;
    const size_t size = wn_dtype_size(dtype);
    char *x = malloc((size_t)(planes * n * n) * size);
    *made = (trial){.bytes = (size_t)(planes * each) * size};
    made->got = malloc(made->bytes), made->want = malloc(made->bytes);
    fill_small(x, dtype, planes * n * n);
    for (int64_t p = 0; p < planes; p++) plane(s, t, dtype, x + (size_t)(p * n * n) * size, (char *)made->want + (size_t)(p * each) * size);
    wn_tensor *image = wn_from_data(x, WN_DIMS(s->images, s->channels, n, n), dtype);
    if (s->last) image = wn_permute(wn_contiguous(wn_permute(image, WN_DIMS(0, 2, 3, 1))), WN_DIMS(0, 3, 1, 2));
    wn_tensor *y = pooled(t, s, image);
    const void *data = wn_data(wn_contiguous(y));
    if (data) memcpy(made->got, data, made->bytes);
    snprintf(made->shape, sizeof made->shape, "%lld of %lld%s", (long long)s->kernel, (long long)n, s->last ? ", channels last" : "");
    free(x);
    return data != NULL;
}

static void drop(trial *made) { free(made->got), free(made->want); }

const family pool_family = {tables, 3, sizeof shapes / sizeof *shapes, NULL, drop, call};
