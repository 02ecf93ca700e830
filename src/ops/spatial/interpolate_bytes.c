/* Interpolation of bytes (images): integer weights, and a result rounded to bytes after each dimension, the last one first, so
 * that the bits are PyTorch's. Planes, or images that lie channels last, whose pixels are runs of bytes. */
#include <math.h>
#include "base/alloc.h"
#include "call/layout.h"
#include "base/counters.h"
#include "engine/bytes.h"
#include "base/level.h"
#include "base/threads.h"
#include "ops/spatial/interpolate.h"

WN__DECLARE_LEVELS(wn__bytes_table, wn__bytes_table);
const wn__bytes_table *wn__bytes_now(void) { return WN__OF_LEVEL(wn__bytes_table); }

typedef struct interpolate_bytes_job {
    const wn__axis *y, *x;
    int16_t *wy, *wx;       /* NULL: the dimension stays as it is */
    int shift_y, shift_x;
    int64_t each;           /* bytes of a pixel */
    int64_t band, bands;    /* rows of the result that a task makes, how many such there are in an image */
    const uint8_t *from;
    uint8_t *to;
    _Atomic bool failed;
} interpolate_bytes_job;

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

/* Rows of the input that rows o0 .. o1 - 1 of the result need. */
static void rows_of(const interpolate_bytes_job *j, int64_t o0, int64_t o1, int64_t *r0, int64_t *r1) {
    const wn__axis *a = j->y;
    *r0 = o0, *r1 = o1;
    if (!j->wy) return;
    *r0 = a->first[o0], *r1 = *r0;
    for (int64_t o = o0; o < o1; o++) {
        const int64_t end = a->first[o] + a->start[o + 1] - a->start[o];
        if (end > *r1) *r1 = end;
    }
}

/* Rows o0 .. o1 - 1 of the result; rows: room for as many as they need of the input, as wide as the result. */
static void make_band(const interpolate_bytes_job *j, int64_t o0, int64_t o1, const uint8_t *x, uint8_t *rows, uint8_t *to) {
    const int64_t wide = j->x->in * j->each, width = j->x->out * j->each;
    int64_t r0, r1;
    rows_of(j, o0, o1, &r0, &r1);
    const uint8_t *first = x + r0 * wide;
    if (j->wx) {
        uint8_t *at = j->wy ? rows : to;
        for (int64_t r = r0; r < r1; r++) wn__bytes_now()->along(j->x->out, j->each, j->x->first, j->x->start, j->wx, j->shift_x, x + r * wide, at + (r - r0) * width);
        first = at;
    }
    for (int64_t o = o0; o < o1 && j->wy; o++) {
        const int64_t k = j->y->start[o];
        wn__bytes_now()->down(width, j->y->start[o + 1] - k, width, j->wy + k, j->shift_y, first + (j->y->first[o] - r0) * width, to + (o - o0) * width);
    }
    if (!j->wx && !j->wy) memcpy(to, first, (size_t)((o1 - o0) * width));
}

/* Units: bands of all images (planes). */
static void bands_task(void *ctx, int64_t begin, int64_t end) {
    interpolate_bytes_job *j = ctx;
    const int64_t oh = j->y->out, width = j->x->out * j->each;
    int64_t most = 0;
    for (int64_t o = 0; o < oh; o += j->band) {
        int64_t r0, r1;
        rows_of(j, o, o + j->band < oh ? o + j->band : oh, &r0, &r1);
        if (r1 - r0 > most) most = r1 - r0;
    }
    uint8_t *rows = wn__task_scratch(&j->failed, 0, (size_t)(most * width) + 1);
    if (!rows) return;
    for (int64_t u = begin; u < end; u++) {
        const int64_t p = u / j->bands, o0 = u % j->bands * j->band, o1 = o0 + j->band < oh ? o0 + j->band : oh;
        make_band(j, o0, o1, j->from + p * j->y->in * j->x->in * j->each, rows, j->to + (p * oh + o0) * width);
    }
}

static void run_interpolate_bytes(interpolate_bytes_job *j, int64_t images) {
    enum { BAND_BYTES = 1 << 15, LEAST_ROWS = 16 };
    const int64_t width = j->x->out * j->each;
    j->band = BAND_BYTES / width > LEAST_ROWS ? BAND_BYTES / width : LEAST_ROWS;
    j->bands = (j->y->out + j->band - 1) / j->band;
    wn__parallel(images * j->bands, 1 + 16384 / (j->band * width), bands_task, j);
}

wn_status wn__interpolate_bytes(wn__call *c, const wn__axis *axes, const wn_tensor *x) {
    interpolate_bytes_job j = {.y = &axes[0], .x = &axes[1]};
    int64_t dense[4];
    wn__channels_last_strides(4, x->shape, dense);
    const bool last = !x->contiguous && wn__laid_last(c, 0); /* read and written as it lies */
    const wn_tensor *y = c->out[0];
    if (y->numel == 0) return WN_OK;
    WN__OWNED wn_tensor *rows = !last ? wn__contiguous_raw(x) : wn__lies_so(x, dense) ? wn__retain((wn_tensor *)(uintptr_t)x) : wn__restrided_raw(x, WN_U8, dense);
    bool ok = rows != NULL;
    if (ok && axes[0].in != axes[0].out) ok = (j.wy = quantise(&axes[0], &j.shift_y)) != NULL;
    if (ok && axes[1].in != axes[1].out) ok = (j.wx = quantise(&axes[1], &j.shift_x)) != NULL;
    if (ok) {
        j.each = last ? y->shape[1] : 1;
        j.from = (const uint8_t *)wn__ptr(rows);
        j.to = (uint8_t *)wn__ptr(y);
        wn__count(y->numel);
        run_interpolate_bytes(&j, last ? y->shape[0] : y->shape[0] * y->shape[1]);
    }
    wn__free(j.wy);
    wn__free(j.wx);
    return ok && !j.failed ? WN_OK : wn__fail_memory(c->op->name);
}
