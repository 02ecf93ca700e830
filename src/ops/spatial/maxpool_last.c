/* Maximum pooling of images that lie channels last: windows of whole pixels. Every row of the result is one thread's, of the backward, too, which
 * gathers what the windows over its row have to give, in the order of the windows. */
#include "base/alloc.h"
#include "call/layout.h"
#include "base/threads.h"
#include "ops/spatial/maxpool.h"
#include "ops/spatial/pixels.h"

bool wn__maxpool_lies_last(const wn__maxpool_job *j, const wn_tensor *x) {
    return !x->contiguous && x->ndim == 4 && wn__channels_last(x) && j->w.h * j->w.w < INT32_MAX;
}

/* Numbers of a window's pixels: from its first that is in the image, or indices in the plane. */
static void number(const wn__maxpool_job *j, int64_t oy, int64_t ox, int64_t y0, int64_t x0, wn__pixel_box *b) {
    const wn__window *w = &j->w;
    if (j->at_bytes == 8) {
        b->first = (oy * w->sh - w->ph + y0 * w->dh) * w->w + ox * w->sw - w->pw + x0 * w->dw;
        b->by_row = w->dh * w->w, b->by_col = w->dw, b->none = -1;
    } else {
        b->first = y0 * w->kw + x0;
        b->by_row = w->kw, b->by_col = 1, b->none = w->kh * w->kw;
    }
}

static void forward_task(void *ctx, int64_t begin, int64_t end) {
    wn__maxpool_job *j = ctx;
    const wn__window *w = &j->w;
    const int64_t channels = j->x->shape[1], row = w->ow * channels, size = (int64_t)wn__ct_size(j->ct), bytes = (int64_t)wn__dtype_size(j->dtype);
    const wn__pixels pixels = wn__pixels_of(j->x, j->ct);
    const wn__pixel_kernels *k = &wn__pixels_now()->of[j->ct];
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    const int64_t deep = w->kh < w->h ? w->kh : w->h; /* rows of the image in one window */
    wn__parts parts = {0};
    const size_t numbers = wn__part(&parts, row, (size_t)size), best = wn__part(&parts, row, (size_t)size);
    const size_t rows = wn__part(&parts, deep * w->w * channels, (size_t)size);
    char *room = wn__task_scratch(&j->failed, 0, parts.bytes);
    if (!room) return;
    char *at = room + numbers;
    for (int64_t u = begin; u < end; u++) {
        const int64_t oy = u % w->oh;
        int64_t y0, y1;
        wn__window_part(oy, w->kh, w->sh, w->ph, w->dh, w->h, &y0, &y1);
        char *out = j->out + u * row * bytes, *to = direct ? out : room + best;
        wn__pixel_box all, b;
        wn__pixel_rows(&pixels, u / w->oh, oy * w->sh - w->ph + y0 * w->dh, y1 > y0 ? y1 - y0 : 0, w->dh, room + rows, &all);
        b = all;
        b.rows = y1 > y0 ? y1 - y0 : 0;
        b.pixel = all.pixel * w->dw;
        for (int64_t ox = 0; ox < w->ow; ox++) {
            int64_t x0, x1;
            wn__window_part(ox, w->kw, w->sw, w->pw, w->dw, w->w, &x0, &x1);
            b.x = (const char *)all.x + (x0 < x1 ? ox * w->sw - w->pw + x0 * w->dw : 0) * all.pixel * size;
            b.cols = x1 > x0 ? x1 - x0 : 0;
            number(j, oy, ox, y0, x0, &b);
            k->most(channels, &b, to + ox * channels * size, at + ox * channels * size);
        }
        k->narrow(row, at, j->at_bytes, j->at + u * row * j->at_bytes);
        if (!direct) wn__kernels_now()->store[j->ct][j->dtype](row, out, bytes, to);
    }
}

bool wn__maxpool_last(wn__maxpool_job *j, const wn_tensor *x) {
    const wn__window *w = &j->w;
    j->x = x;
    if (!wn__ptr(x) || !j->out || !j->at) return false;
    wn__parallel(x->shape[0] * w->oh, 1 + 32768 / (w->ow * x->shape[1] * (1 + w->kh * w->kw / 4) + 1), forward_task, j);
    return !j->failed;
}

/* ------------------------------------------------------------------ backward */

/* What the windows of an output row give to a row of the image, which is their row ky. */
static void add_row(const wn__maxpool_job *j, int64_t ky, const wn__pixel_box *g, const char *at, char *x) {
    const wn__window *w = &j->w;
    const int64_t channels = j->g->shape[1], size = (int64_t)wn__ct_size(j->ct);
    const wn__pixel_kernels *k = &wn__pixels_now()->of[j->ct];
    for (int64_t ox = 0; ox < w->ow; ox++) {
        int64_t x0, x1;
        wn__window_part(ox, w->kw, w->sw, w->pw, w->dw, w->w, &x0, &x1);
        for (int64_t kx = x0; kx < x1; kx++)
            k->pick(channels, (const char *)g->x + ox * g->pixel * size, at + ox * channels * size, ky * w->kw + kx,
                    x + (ox * w->sw - w->pw + kx * w->dw) * channels * size);
    }
}

static void backward_task(void *ctx, int64_t begin, int64_t end) {
    wn__maxpool_job *j = ctx;
    const wn__window *w = &j->w;
    const int64_t channels = j->g->shape[1], row = w->w * channels, given = w->ow * channels;
    const int64_t size = (int64_t)wn__ct_size(j->ct), bytes = (int64_t)wn__dtype_size(j->dtype);
    const wn__pixels pixels = wn__pixels_of(j->g, j->ct);
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    wn__parts parts = {0};
    const size_t sums = wn__part(&parts, row, (size_t)size), numbers = wn__part(&parts, given, (size_t)size), grads = wn__part(&parts, given, (size_t)size);
    char *room = wn__task_scratch(&j->failed, 0, parts.bytes);
    if (!room) return;
    char *at = room + numbers;
    for (int64_t u = begin; u < end; u++) {
        const int64_t y = u % w->h, reach = (w->kh - 1) * w->dh, image = u / w->h;
        const int64_t from = y + w->ph - reach > 0 ? (y + w->ph - reach + w->sh - 1) / w->sh : 0;
        char *out = j->out + u * row * bytes, *to = direct ? out : room + sums;
        memset(to, 0, (size_t)(row * size));
        for (int64_t oy = from; oy < w->oh && oy * w->sh - w->ph <= y; oy++) {
            const int64_t inside = y - (oy * w->sh - w->ph);
            if (inside % w->dh) continue;
            wn__pixel_box g;
            wn__pixel_rows(&pixels, image, oy, 1, 1, room + grads, &g);
            wn__pixels_now()->of[j->ct].widen(given, j->places + (image * w->oh + oy) * given * j->at_bytes, j->at_bytes, at);
            add_row(j, inside / w->dh, &g, at, to);
        }
        if (!direct) wn__kernels_now()->store[j->ct][j->dtype](row, out, bytes, to);
    }
}

bool wn__maxpool_last_backward(wn__maxpool_job *j, const wn_tensor *g, const wn_tensor *places) {
    const wn__window *w = &j->w;
    j->g = g;
    j->places = wn__ptr(places);
    if (!j->places || !wn__ptr(g) || !j->out) return false;
    wn__parallel(g->shape[0] * w->h, 1 + 16384 / (w->w * g->shape[1] + 1), backward_task, j);
    return !j->failed;
}
