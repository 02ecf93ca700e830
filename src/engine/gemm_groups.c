/* Where the labels of a product lie in memory, and how a row of its result gets there. */
#include "base/odometer.h"
#include "engine/gemm.h"

int64_t wn__group_offset(const wn__group *g, int64_t i) {
    WN_ASSERT(i >= 0);
    if (g->list) i = g->list[i];
    if (g->n <= 1) return i * wn__group_stride(g); /* a division would cost more than a short row */
    int64_t o = 0;
    for (int d = g->n - 1; d >= 0; d--) {
        o += i % g->size[d] * g->stride[d];
        i /= g->size[d];
    }
    return o;
}

void wn__group_offsets(const wn__group *g, int64_t start, int64_t count, int64_t *out) {
    WN_ASSERT(start >= 0 && count >= 0 && start + count <= g->total);
    if (g->list) {
        for (int64_t i = 0; i < count; i++) out[i] = wn__group_offset(g, start + i);
        return;
    }
    if (g->n <= 1) {
        const int64_t s = wn__group_stride(g);
        for (int64_t i = 0; i < count; i++) out[i] = (start + i) * s;
        return;
    }
    const int last = g->n - 1;
    const int64_t len = g->size[last], s = g->stride[last];
    while (count > 0) { /* run by run of the fastest label */
        const int64_t at = start % len, n = len - at < count ? len - at : count, o = wn__group_offset(g, start);
        for (int64_t i = 0; i < n; i++) out[i] = o + i * s;
        out += n, start += n, count -= n;
    }
}

/* A walk over the columns of a row by runs of the fastest label; only its beginning needs divisions. */
typedef struct runs {
    int64_t offset, length; /* of the run */
    int64_t index[WN_MAX_DIMS];
} runs;
static void first_run(const wn__group *g, int64_t j, int64_t n, runs *r) {
    r->offset = 0, r->length = n;
    if (g->n <= 1) {
        r->offset = j * wn__group_stride(g);
        return;
    }
    for (int d = g->n - 1; d >= 0; j /= g->size[d--]) {
        r->index[d] = j % g->size[d];
        r->offset += r->index[d] * g->stride[d];
    }
    r->length = wn__least(n, g->size[g->n - 1] - r->index[g->n - 1]);
}
/* Goes on to the next run, if `left` columns are still wanted. */
static void next_run(const wn__group *g, runs *r, int64_t left) {
    if (!left) return;
    const int last = g->n - 1;
    r->offset += wn__odometer_step(last - 1, g->size, g->stride, r->index) - r->index[last] * g->stride[last];
    r->index[last] = 0;
    r->length = wn__least(left, g->size[last]);
}

void wn__gemm_epilogue(const wn__gemm *g, void *acc, int64_t batch, int64_t i, int64_t j, int64_t n) {
    WN_ASSERT(g->epilogue && batch >= 0 && i >= 0 && j >= 0 && n >= 0);
    const wn__epilogue *e = g->epilogue;
    if (!g->swapped) {
        e->run(e->ctx, acc, batch, i, j, n);
    } else if (e->down) {
        e->down(e->ctx, acc, batch, j, i, n);
    } else {
        for (int64_t l = 0; l < n; l++) e->run(e->ctx, (char *)acc + l * (int64_t)g->t->size, batch, j + l, i, 1);
    }
}

void wn__gemm_finish(const wn__gemm *g, void *acc, int64_t i, int64_t j, int64_t n) {
    WN_ASSERT(i >= 0 && i < g->cm.total && j >= 0 && n >= 0 && j + n <= g->cn.total);
    if (g->epilogue) wn__gemm_epilogue(g, acc, g->batch, g->cm.list ? g->cm.list[i] : i, j, n);
    const size_t size = wn_dtype_size(g->out);
    char *row = (char *)g->c + wn__group_offset(&g->cm, i) * (int64_t)size;
    runs r;
    for (first_run(&g->cn, j, n, &r); n > 0; next_run(&g->cn, &r, n)) {
        char *to = row + r.offset * (int64_t)size;
        if (to != acc) g->t->store(to, g->out, wn__group_stride(&g->cn), acc, r.length);
        acc = (char *)acc + r.length * (int64_t)g->t->size;
        n -= r.length;
    }
}

void wn__gemm_load_row(const wn__gemm *g, void *acc, int64_t i, int64_t j, int64_t n) {
    const size_t size = wn_dtype_size(g->out);
    const char *row = (const char *)g->c + wn__group_offset(&g->cm, i) * (int64_t)size;
    runs r;
    for (first_run(&g->cn, j, n, &r); n > 0; next_run(&g->cn, &r, n)) {
        g->t->load(acc, row + r.offset * (int64_t)size, g->out, r.length, wn__group_stride(&g->cn));
        acc = (char *)acc + r.length * (int64_t)g->t->size;
        n -= r.length;
    }
}
