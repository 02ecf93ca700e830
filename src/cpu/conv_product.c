/* Convolution forward and its gradient in the input as one matrix product: weights times windows, whose elements lie at offset(position) +
 * offset(channel, tap) in the image, or in a padded copy of it. The product packs a few windows at a time (cpu/gemm.c), for all output
 * channels; positions of all images follow each other, so that no vector is filled with what lies between rows. For small images with many
 * channels, where that is much of the work along rows (conv.c), and for deep 1x1 kernels (each image a product of its own, in place). */
#include "core/alloc.h"
#include "cpu/conv_plan.h"
#include "cpu/pool.h"
#include <string.h>

enum {
    COPY_BYTES = 16 << 20, /* of all images */
    LEAST_ROWS = 32,       /* output channels for which packing a window pays */
    LEAST_DEPTH = 128,     /* sums of a 1x1 kernel shorter than this are bound by writing the result, which rows do better */
    APART = 128            /* positions that fill the vectors of an image's own product */
};

/* Source coordinates that the windows of dimension d see. */
typedef struct span {
    int64_t low, size;
} span;
static span span_of(const wn__conv_plan *p, int d) {
    const wn__taps *t = &p->taps[d];
    const int64_t last = t->first + (t->n - 1) * t->move, low = t->move < 0 ? last : t->first, high = t->move < 0 ? t->first : last;
    return (span){low, (p->out[d] - 1) * p->step[d] + high - low + 1};
}

static bool padded(const wn__conv_plan *p) {
    for (int d = 0; d < 3; d++) {
        const span s = span_of(p, d);
        if (s.low < 0 || s.low + s.size > p->in[d]) return true;
    }
    return false;
}

bool wn__conv_product_suits(const wn__conv_plan *p) {
    const int64_t positions = p->out[0] * p->out[1] * p->out[2], vector = p->t->nr / 2;
    if (p->cout < LEAST_ROWS || p->cin * p->ntaps == 0 || p->images * positions == 0) return false;
    if (!padded(p)) return p->ntaps == 1 && p->cin >= LEAST_DEPTH && p->step[0] * p->step[1] * p->step[2] == 1;
    if (p->dtype != p->t->dtype || p->in[0] != 1 || p->taps[0].n != 1) return false;
    const int64_t copy = p->images * p->groups * p->cin * span_of(p, 1).size * span_of(p, 2).size;
    const int64_t row = (p->out[1] - 1) * (p->out[2] + p->taps[2].n - 1) + p->out[2], rows = p->images * ((row + vector - 1) / vector) * vector;
    const int64_t all = (p->images * positions + vector - 1) / vector * vector;
    return copy * (int64_t)p->t->size <= COPY_BYTES && rows * 10 > all * 12;
}

typedef struct job {
    const wn__conv_plan *p;
    const wn__conv_call *call;
    int64_t positions; /* of an image */
    bool apart;        /* every image is a product of its own */
    char *copy;
    span y, x;
} job;

/* Units: channels of all groups and images. */
static void copy_task(void *ctx, int64_t begin, int64_t end, int worker) {
    const job *j = ctx;
    const wn__conv_plan *p = j->p;
    const int64_t size = (int64_t)p->t->size, channels = p->groups * p->cin, w = j->x.size;
    const int64_t top = j->y.low < 0 ? -j->y.low : 0, left = j->x.low < 0 ? -j->x.low : 0; /* rows and columns of zeros first */
    const int64_t y0 = j->y.low + top, x0 = j->x.low + left, y1 = j->y.low + j->y.size, x1 = j->x.low + w;
    const int64_t rows = (y1 < p->in[1] ? y1 : p->in[1]) - y0, n = (x1 < p->in[2] ? x1 : p->in[2]) - x0;
    (void)worker;
    for (int64_t u = begin; u < end; u++) {
        const char *from = j->call->in + (u / channels * p->in_stride[0] + u % channels * p->in_stride[1] + y0 * p->in_stride[3] + x0 * p->in_stride[4]) * size;
        char *to = j->copy + u * j->y.size * w * size;
        memset(to, 0, (size_t)(j->y.size * w * size));
        for (int64_t y = 0; y < rows && n > 0; y++)
            p->t->load(to + ((top + y) * w + left) * size, from + y * p->in_stride[3] * size, p->dtype, n, p->in_stride[4]);
    }
}

/* The product's epilogue. Columns are positions: of all images, or of one. */
static void finish(void *ctx, void *acc, int64_t batch, int64_t row, int64_t at, int64_t n) {
    const job *j = ctx;
    const int64_t group = j->apart ? batch / j->p->images : batch;
    if (j->apart) at += batch % j->p->images * j->positions;
    const int64_t channel = group * j->p->cout + row;
    if (j->call->bias) j->p->t->add(acc, j->call->bias + channel * (int64_t)wn_dtype_size(j->p->dtype), j->p->dtype, n, 0);
    while (j->call->e && n > 0) {
        const int64_t position = at % j->positions, left = j->positions - position, m = left < n ? left : n;
        j->call->e->run(j->call->e->ctx, acc, at / j->positions, channel, position, m);
        acc = (char *)acc + m * (int64_t)j->p->t->size;
        at += m, n -= m;
    }
}

bool wn__conv_product(const wn__conv_plan *p, const wn__conv_call *call) {
    job j = {.p = p, .call = call, .positions = p->out[0] * p->out[1] * p->out[2], .y = span_of(p, 1), .x = span_of(p, 2)};
    const wn__epilogue e = {.run = finish, .ctx = &j};
    j.apart = p->ntaps == 1 && j.positions >= APART;
    const char *in = call->in, *w = call->w;
    int64_t from[5];
    memcpy(from, p->in_stride, sizeof from);
    const int64_t isize = (int64_t)wn_dtype_size(p->dtype), channels = p->groups * p->cin;
    if (padded(p)) {
        const int64_t plane = j.y.size * j.x.size;
        j.copy = wn__calloc((size_t)(p->images * channels), (size_t)(plane * isize));
        if (!j.copy) return false;
        wn__parallel(p->images * channels, 1 + 65536 / plane, copy_task, &j);
        in = j.copy - (j.y.low * j.x.size + j.x.low) * isize;
        from[0] = channels * plane, from[1] = plane, from[3] = j.x.size, from[4] = 1;
    }
    wn__contraction c = {.dtype = p->dtype, .out_dtype = p->dtype, .c = call->out, .nbatch = 1, .nm = 1, .nk = 4, .alpha = 1};
    if (call->bias || call->e) c.epilogue = &e;
    c.batch[0] = (wn__axis){p->groups, call->wgroup, p->cin * from[1], p->cout * p->out_stride[1]};
    c.m[0] = (wn__axis){p->cout, call->wm, 0, p->out_stride[1]};
    const wn__axis images = {p->images, 0, from[0], p->out_stride[0]};
    if (j.apart) c.batch[c.nbatch++] = images;
    else c.n[c.nn++] = images;
    c.k[0] = (wn__axis){p->cin, call->wc, from[1], 0};
    for (int d = 0; d < 3; d++) {
        const wn__taps *t = &p->taps[d];
        in += t->first * from[2 + d] * isize;
        w += t->kernel0 * call->wk[d] * isize;
        c.n[c.nn++] = (wn__axis){p->out[d], 0, p->step[d] * from[2 + d], p->out_stride[2 + d]};
        c.k[1 + d] = (wn__axis){t->n, t->kernel_step * call->wk[d], t->move * from[2 + d], 0};
    }
    c.a = w, c.b = in;
    const bool ok = wn__contract(&c);
    wn__free(j.copy);
    return ok;
}
