/* Depthwise convolution of small planes: stride 1, the result as large as the image, one input channel to a group. A plane's rows lie end to end
 * as they are in memory, vectors run across rows, and what a tap sees outside the image is masked: nothing is padded or copied, and no lane
 * is lost at a row's end. The masks depend on the shape alone and are made once a call. (Wider planes: conv_depthwise.c.) */
#include "core/alloc.h"
#include "cpu/conv_plan.h"
#include "cpu/pool.h"
#include <stdatomic.h>
#include <string.h>

enum {
    MOST_ELEMENTS = 256, /* of a plane: beyond, rows fill vectors as well and share what they load */
    MOST_TAPS = 64,
    MOST_OUT = 4 /* channels of a group */
};

typedef struct job {
    const wn__conv_plan *p;
    const wn__conv_call *call;
    int64_t n, taps;
    int64_t shift[MOST_TAPS], weight[MOST_TAPS];
    uint16_t *mask;
    bool plain; /* weights need no packing */
    _Atomic bool failed;
} job;

bool wn__conv_planes_suit(const wn__conv_plan *p) {
    if (!p->t->plane || p->taps[0].n != 1 || p->in[0] != 1 || p->out[0] != 1 || p->groups == 1 || p->cin != 1 || p->cout > MOST_OUT) return false;
    for (int d = 1; d < 3; d++)
        if (p->step[d] != 1 || p->in[d] != p->out[d] || p->in[d] == 0) return false;
    return p->taps[1].n * p->taps[2].n <= MOST_TAPS && p->in[1] * p->in[2] <= MOST_ELEMENTS;
}

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* Shifts and masks of all taps; transposed: the gradient in the input sees them from the other side. */
static bool list_taps(job *j, bool transposed) {
    const wn__conv_plan *p = j->p;
    const int64_t h = p->in[1], w = p->in[2], lanes = p->t->nr / 2, vectors = (j->n + lanes - 1) / lanes;
    j->mask = wn__scratch(0, (size_t)(vectors * j->taps) * sizeof *j->mask);
    if (!j->mask) return false;
    memset(j->mask, 0, (size_t)(vectors * j->taps) * sizeof *j->mask);
    for (int64_t k = 0; k < j->taps; k++) {
        const int64_t ky = k / p->taps[2].n, kx = k % p->taps[2].n;
        const int64_t ahead_y = p->taps[1].first + ky * p->taps[1].move, ahead_x = p->taps[2].first + kx * p->taps[2].move;
        const int64_t dy = transposed ? -ahead_y : ahead_y, dx = transposed ? -ahead_x : ahead_x;
        j->shift[k] = dy * w + dx;
        for (int64_t y = most(0, -dy); y < wn__least(h, h - dy); y++)
            for (int64_t x = most(0, -dx); x < wn__least(w, w - dx); x++) {
                const int64_t i = y * w + x;
                j->mask[i / lanes * j->taps + k] |= (uint16_t)(1u << i % lanes);
            }
    }
    return true;
}

/* A plane as T, its rows end to end: where it lies, or in `room`. */
static const char *plane_at(const job *j, const char *at, const int64_t *stride, char *room) {
    const wn__conv_plan *p = j->p;
    const int64_t w = p->in[2], size = (int64_t)p->t->size;
    if (stride[3] != w * stride[4]) {
        for (int64_t y = 0; y < p->in[1]; y++)
            p->t->load(room + y * w * size, at + y * stride[3] * (int64_t)wn_dtype_size(p->dtype), p->dtype, w, stride[4]);
        return room;
    }
    if (p->dtype == p->t->dtype && stride[4] == 1) return at;
    p->t->load(room, at, p->dtype, j->n, stride[4]);
    return room;
}

static void write_plane(const job *j, int64_t image, int64_t channel, const char *in, const char *weights, char *room) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    char *to = j->call->out + (image * p->out_stride[0] + channel * p->out_stride[1]) * (int64_t)wn_dtype_size(p->dtype);
    const bool there = p->dtype == t->dtype && p->out_stride[4] == 1 && p->out_stride[3] == p->out[2];
    char *at = there ? to : room;
    t->plane(j->n, j->taps, weights, j->shift, j->mask, in, at, j->call->bias ? wn__conv_bias(p, j->call, channel) : 0);
    if (j->call->e) j->call->e->run(j->call->e->ctx, at, image, channel, 0, j->n);
    if (there) return;
    if (p->out_stride[3] == p->out[2] * p->out_stride[4]) t->store(to, p->dtype, p->out_stride[4], at, j->n);
    else t->store_rows(to, p->dtype, p->out_stride[3], p->out_stride[4], p->out[2], p->out[1], at, p->out[2], -0.0);
}

static char *get_scratch(job *j, int64_t elements) {
    char *s = wn__scratch(1, (size_t)elements * j->p->t->size);
    if (!s) atomic_store(&j->failed, true);
    return s;
}

/* Units: (image, group). */
static void task(void *ctx, int64_t begin, int64_t end, int worker) {
    job *j = ctx;
    const wn__conv_plan *p = j->p;
    const int64_t size = (int64_t)p->t->size, isize = (int64_t)wn_dtype_size(p->dtype), plane = MOST_ELEMENTS + WN__CONV_SLACK, none = 0;
    (void)worker;
    char *room = get_scratch(j, 2 * plane + MOST_TAPS);
    if (!room) return;
    char *packed = room + 2 * plane * size;
    for (int64_t u = begin; u < end; u++) {
        const int64_t image = u / p->groups, group = u % p->groups;
        const char *in = plane_at(j, j->call->in + (image * p->in_stride[0] + group * p->in_stride[1]) * isize, p->in_stride, room);
        for (int64_t m = 0; m < p->cout; m++) {
            const char *w = j->call->w + (group * j->call->wgroup + m * j->call->wm) * isize;
            if (!j->plain) p->t->pack(packed, 1, 1, j->taps, w, p->dtype, &none, j->weight);
            write_plane(j, image, group * p->cout + m, in, j->plain ? w : packed, room + plane * size);
        }
    }
}

static int64_t grain(const job *j) { return 1 + 200000 / ((j->taps + 4) * j->n * j->p->cout); }

bool wn__conv_planes(const wn__conv_plan *p, const wn__conv_call *call, bool transposed) {
    job j = {.p = p, .call = call, .n = p->in[1] * p->in[2], .taps = p->taps[1].n * p->taps[2].n};
    if (p->images * p->cout == 0 || j.taps == 0) return true;
    if (!list_taps(&j, transposed)) return false;
    j.plain = p->dtype == p->t->dtype;
    for (int64_t k = 0; k < j.taps; k++) {
        j.weight[k] = k / p->taps[2].n * call->wk[1] + k % p->taps[2].n * call->wk[2];
        j.plain &= j.weight[k] == k;
    }
    wn__parallel(p->images * p->groups, grain(&j), task, &j);
    return !atomic_load(&j.failed);
}

typedef struct gradient {
    job j;
    const wn__conv *d;
    const char *x, *dy;
    char *dw;
} gradient;

/* Units: output channels, each the sum over images in order. */
static void weight_task(void *ctx, int64_t begin, int64_t end, int worker) {
    gradient *g = ctx;
    job *j = &g->j;
    const wn__conv_plan *p = j->p;
    const wn__conv *d = g->d;
    const int64_t size = (int64_t)p->t->size, isize = (int64_t)wn_dtype_size(p->dtype), plane = MOST_ELEMENTS + WN__CONV_SLACK, lanes = p->t->nr / 2;
    (void)worker;
    char *room = get_scratch(j, 2 * plane + (MOST_TAPS + lanes) * (lanes + 1));
    if (!room) return;
    char *sums = room + 2 * plane * size, *totals = sums + (MOST_TAPS + lanes) * lanes * size;
    for (int64_t u = begin; u < end; u++) {
        memset(sums, 0, (size_t)((j->taps + lanes) * lanes * size));
        for (int64_t i = 0; i < p->images; i++) {
            const char *x = plane_at(j, g->x + (i * p->in_stride[0] + u / p->cout * p->in_stride[1]) * isize, p->in_stride, room);
            const char *dy = plane_at(j, g->dy + (i * p->out_stride[0] + u * p->out_stride[1]) * isize, p->out_stride, room + plane * size);
            p->t->plane_dots(j->n, j->taps, j->shift, j->mask, x, dy, sums);
        }
        p->t->plane_totals(j->taps, sums, totals);
        const int64_t stride_y = d->nd > 1 ? d->ws[d->nd] : 0, stride_x = d->ws[d->nd + 1];
        for (int64_t k = 0; k < p->taps[1].n; k++)
            p->t->store(g->dw + (u * d->ws[0] + k * stride_y) * isize, p->dtype, stride_x, totals + k * p->taps[2].n * size, p->taps[2].n);
    }
}

bool wn__conv_planes_grad_weight(const wn__conv_plan *p, const wn__conv *d, const void *x, const void *dy, void *dw) {
    gradient g = {.j = {.p = p, .n = p->in[1] * p->in[2], .taps = p->taps[1].n * p->taps[2].n}, .d = d, .x = x, .dy = dy, .dw = dw};
    if (!list_taps(&g.j, false)) return false;
    wn__parallel(p->groups * p->cout, 1 + grain(&g.j) / (p->images + 1), weight_task, &g);
    return !atomic_load(&g.j.failed);
}
