/* Average pooling of images that lie channels last: windows of whole pixels. Every row of the result is one thread's, of the backward, too, which
 * gathers what the windows over its row have to give, in the order of the windows. */
#include "base/alloc.h"
#include "base/threads.h"
#include "ops/spatial/avgpool.h"
#include "ops/spatial/pixels.h"

static int64_t divisor_a(const wn__avgpool_job *j, const wn__avgpool_span *v) { return j->divisor ? j->divisor : v->extent; }
static int64_t divisor_b(const wn__avgpool_job *j, const wn__avgpool_span *u) { return j->divisor ? 1 : u->extent; }

static int64_t most_rows(const wn__avgpool_job *j) {
    int64_t most = 0;
    for (int64_t i = 0; i < j->oh; i++)
        if (j->ys[i].end - j->ys[i].start > most) most = j->ys[i].end - j->ys[i].start;
    return most;
}

static void forward_task(void *ctx, int64_t begin, int64_t end) {
    wn__avgpool_job *j = ctx;
    const int64_t channels = j->in->shape[1], row = j->ow * channels, size = (int64_t)wn__ct_size(j->ct), bytes = (int64_t)wn__dtype_size(j->dtype);
    const wn__pixels pixels = wn__pixels_of(j->in, j->ct);
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    wn__parts parts = {0};
    const size_t result = wn__part(&parts, row, (size_t)size), rows = wn__part(&parts, most_rows(j) * j->w * channels, (size_t)size);
    char *room = wn__task_scratch(&j->failed, 0, parts.bytes);
    if (!room) return;
    for (int64_t u = begin; u < end; u++) {
        const wn__avgpool_span *v = &j->ys[u % j->oh];
        char *out = j->out + u * row * bytes, *to = direct ? out : room + result;
        wn__pixel_box all, b;
        wn__pixel_rows(&pixels, u / j->oh, v->start, v->end - v->start, 1, room + rows, &all);
        b = all;
        b.rows = v->end - v->start;
        for (int64_t ox = 0; ox < j->ow; ox++) {
            const wn__avgpool_span *s = &j->xs[ox];
            b.x = (const char *)all.x + s->start * b.pixel * size;
            b.cols = s->end - s->start;
            wn__pixels_now()->of[j->ct].mean(channels, &b, divisor_a(j, v), divisor_b(j, s), to + ox * channels * size);
        }
        if (!direct) wn__kernels_now()->store[j->ct][j->dtype](row, out, bytes, to);
    }
}

/* The first output row whose window ends behind row y: windows begin and end in their order. */
static int64_t first_over(const wn__avgpool_job *j, int64_t y) {
    int64_t lo = 0, hi = j->oh;
    while (lo < hi) {
        const int64_t mid = lo + (hi - lo) / 2;
        if (j->ys[mid].end > y) hi = mid;
        else lo = mid + 1;
    }
    return lo;
}

static void backward_task(void *ctx, int64_t begin, int64_t end) {
    wn__avgpool_job *j = ctx;
    const int64_t channels = j->in->shape[1], row = j->w * channels, size = (int64_t)wn__ct_size(j->ct), bytes = (int64_t)wn__dtype_size(j->dtype);
    const wn__pixels pixels = wn__pixels_of(j->in, j->ct);
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    wn__parts parts = {0};
    const size_t sums = wn__part(&parts, row, (size_t)size), part = wn__part(&parts, channels, (size_t)size), grads = wn__part(&parts, j->ow * channels, (size_t)size);
    char *room = wn__task_scratch(&j->failed, 0, parts.bytes);
    if (!room) return;
    for (int64_t u = begin; u < end; u++) {
        const int64_t y = u % j->h;
        char *out = j->out + u * row * bytes, *to = direct ? out : room + sums;
        memset(to, 0, (size_t)(row * size));
        for (int64_t oy = first_over(j, y); oy < j->oh && j->ys[oy].start <= y; oy++) {
            const wn__avgpool_span *v = &j->ys[oy];
            wn__pixel_box g;
            wn__pixel_rows(&pixels, u / j->h, oy, 1, 1, room + grads, &g);
            for (int64_t ox = 0; ox < j->ow; ox++) {
                const wn__avgpool_span *s = &j->xs[ox];
                wn__pixels_now()->of[j->ct].share(channels, (const char *)g.x + ox * g.pixel * size, divisor_a(j, v), divisor_b(j, s), s->end - s->start, room + part,
                                                  to + s->start * channels * size);
            }
        }
        if (!direct) wn__kernels_now()->store[j->ct][j->dtype](row, out, bytes, to);
    }
}

void wn__avgpool_last(wn__avgpool_job *j, bool back) {
    const int64_t rows = j->in->shape[0] * (back ? j->h : j->oh), work = (j->h / (back ? j->h : j->oh) + 1) * j->w * j->in->shape[1];
    if (j->out) wn__parallel(rows, 1 + 16384 / (work + 1), back ? backward_task : forward_task, j);
    else j->failed = true;
}
