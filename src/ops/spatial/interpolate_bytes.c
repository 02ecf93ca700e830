/* Interpolation of bytes (images): integer weights, and a result rounded to bytes after each dimension, the last one first, so
 * that the bits are PyTorch's. */
#include <math.h>
#include "core/alloc.h"
#include "core/report.h"
#include "cpu/pool.h"
#include "ops/spatial/interpolate.h"

typedef struct job {
    const wn__axis *y, *x;
    int16_t *wy, *wx;
    int shift_y, shift_x;
    const uint8_t *from;
    uint8_t *to;
    _Atomic bool failed;
} job;

/* Weights as numbers of 16 bits with as many binary places as the largest one leaves room for. */
static int16_t *quantise(const wn__axis *a, int *shift) {
    const int64_t n = a->start[a->out];
    int16_t *w = wn__calloc((size_t)n + 1, sizeof *w);
    double most = 0;
    for (int64_t i = 0; i < n; i++) most = a->weight[i] > most ? a->weight[i] : most;
    for (*shift = 0; *shift < 22; ++*shift)
        if ((int)(0.5 + most * (double)(1 << (*shift + 1))) >= 1 << 15) break;
    for (int64_t i = 0; i < n && w; i++) w[i] = (int16_t)(a->weight[i] * (double)(1 << *shift) + (a->weight[i] < 0 ? -0.5 : 0.5));
    return w;
}
static inline uint8_t byte_of(int32_t sum, int shift) {
    const int32_t v = sum >> shift;
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void along_rows(const wn__axis *a, const int16_t *w, int shift, const uint8_t *x, uint8_t *y) {
    for (int64_t i = 0; i < a->out; i++) {
        int32_t sum = shift ? 1 << (shift - 1) : 0;
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) sum += w[k] * x[a->first[i] + k - a->start[i]];
        y[i] = byte_of(sum, shift);
    }
}
/* Output row i from rows `width` long; sums: room for one of them. */
static void down_columns(const wn__axis *a, const int16_t *w, int shift, int64_t i, int64_t width, const uint8_t *x, int32_t *sums, uint8_t *y) {
    for (int64_t o = 0; o < width; o++) sums[o] = shift ? 1 << (shift - 1) : 0;
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
        const uint8_t *row = x + (a->first[i] + k - a->start[i]) * width;
        for (int64_t o = 0; o < width; o++) sums[o] += w[k] * row[o];
    }
    for (int64_t o = 0; o < width; o++) y[o] = byte_of(sums[o], shift);
}

static void planes_task(void *ctx, int64_t begin, int64_t end, int worker) {
    job *j = ctx;
    (void)worker;
    const int64_t h = j->y->in, w = j->x->in, oh = j->y->out, ow = j->x->out;
    const size_t middle = ((size_t)(h * ow) + 63) & ~(size_t)63;
    uint8_t *scratch = wn__scratch(0, middle + (size_t)ow * sizeof(int32_t));
    if (!scratch) {
        j->failed = true;
        return;
    }
    for (int64_t p = begin; p < end; p++) {
        const uint8_t *x = j->from + p * h * w;
        uint8_t *to = j->to + p * oh * ow;
        if (j->wx) {
            uint8_t *rows = j->wy ? scratch : to;
            for (int64_t r = 0; r < h; r++) along_rows(j->x, j->wx, j->shift_x, x + r * w, rows + r * ow);
            x = rows;
        }
        for (int64_t i = 0; i < oh && j->wy; i++) down_columns(j->y, j->wy, j->shift_y, i, ow, x, (int32_t *)(void *)(scratch + middle), to + i * ow);
        if (!j->wx && !j->wy) memcpy(to, x, (size_t)(h * w));
    }
}

wn_status wn__interpolate_bytes(wn__call *c, const wn__axis *axes, const wn_tensor *x) {
    job j = {.y = &axes[0], .x = &axes[1]};
    const int64_t shape[4] = {x->shape[0], x->shape[1], axes[0].out, axes[1].out};
    wn_tensor *y = wn__out(c, 0, WN_U8, 4, shape, NULL);
    if (!y) return c->th->error;
    if (y->numel == 0) return WN_OK;
    wn_tensor *rows = wn__contiguous_raw(x);
    bool ok = rows != NULL;
    if (ok && axes[0].in != axes[0].out) ok = (j.wy = quantise(&axes[0], &j.shift_y)) != NULL;
    if (ok && axes[1].in != axes[1].out) ok = (j.wx = quantise(&axes[1], &j.shift_x)) != NULL;
    if (ok) {
        j.from = (const uint8_t *)wn__ptr(rows);
        j.to = (uint8_t *)wn__ptr(y);
        wn__count(y->numel);
        wn__parallel(shape[0] * shape[1], 1 + 16384 / (shape[2] * shape[3]), planes_task, &j);
    }
    wn__free(j.wy);
    wn__free(j.wx);
    wn__release(rows);
    return ok && !j.failed ? WN_OK : wn__fail_memory(c->op->name);
}
