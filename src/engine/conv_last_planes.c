/* Depthwise convolutions (a channel to a group) of images that lie channels last, in all three directions. The lanes of
 * a vector are neighbouring channels (level/gemm_planes.h). Only taps inside the image are multiplied. */
#include "base/alloc.h"
#include "engine/conv_plan.h"
#include "engine/conv_seen.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

enum { MOST_TAPS = 64, AT_ONCE = 8 /* positions of all channels, whose sources then stay in L1 */ };

typedef struct conv_last_planes_job {
    wn__conv_plan p;
    bool transposed;
    int64_t lanes, blocks, taps; /* if channels are no multiple of the lanes, the last block overlaps the one before */
    int64_t step;                /* distance between the sources of neighbouring positions with the same taps */
    const char *in, *dy;
    char *out, *weights, *bias;  /* weights and bias, in the compute type: by block, then by tap */
    const wn__conv *d;
    wn__seen y, x;
    _Atomic bool failed;
} conv_last_planes_job;

bool wn__conv_last_planes_suits(const void *form) {
    const wn__conv *d = ((const wn__conv_form *)form)->d;
    wn__conv_plan p;
    if (d->nd != 2 || d->groups != d->in_channels || d->groups != d->out_channels || d->xs[1] != 1 || d->ys[1] != 1) return false;
    wn__conv_forward_plan(d, &p);
    return p.dtype == p.t->dtype && p.groups >= p.t->nr / 2 && p.taps[1].n * p.taps[2].n <= MOST_TAPS;
}

static int64_t first_channel(const conv_last_planes_job *j, int64_t block) { return wn__least(block * j->lanes, j->p.groups - j->lanes); }

/* Makes a call's tables in scratch slot 0. The plan is the forward one, or the one seen from dy (transposed). */
static bool prepare(conv_last_planes_job *j, const wn__conv *d, bool transposed) {
    wn__conv_forward_plan(d, &j->p);
    wn__conv_plan *p = &j->p;
    j->d = d, j->transposed = transposed;
    if (transposed) wn__conv_turn(p);
    j->lanes = p->t->nr / 2, j->blocks = (p->groups + j->lanes - 1) / j->lanes, j->taps = p->taps[1].n * p->taps[2].n;
    j->step = transposed ? 1 : p->step[2];
    const int64_t line = j->lanes * (int64_t)p->t->size, seen = (wn__seen_bytes(p, 1) + 63) / 64 * 64;
    char *room = wn__scratch(0, (size_t)(j->blocks * (j->taps + 1) * line + seen + wn__seen_bytes(p, 2)));
    if (!room) return false;
    j->weights = room, j->bias = j->weights + j->blocks * j->taps * line;
    wn__list_seen(p, 1, transposed, j->bias + j->blocks * line, &j->y);
    wn__list_seen(p, 2, transposed, j->bias + j->blocks * line + seen, &j->x);
    return true;
}

static void pack(conv_last_planes_job *j, const char *w, const char *bias) {
    const wn__conv_plan *p = &j->p;
    const int64_t size = (int64_t)p->t->size, line = j->lanes * size, *ws = j->d->ws;
    memset(j->bias, 0, (size_t)(j->blocks * line));
    for (int64_t b = 0; b < j->blocks; b++) {
        const int64_t c = first_channel(j, b);
        for (int64_t k = 0; k < j->taps; k++)
            p->t->load(j->weights + (b * j->taps + k) * line, w + (c * ws[0] + k / p->taps[2].n * ws[2] + k % p->taps[2].n * ws[3]) * size, p->dtype, j->lanes, ws[0]);
        if (bias) memcpy(j->bias + b * line, bias + c * size, (size_t)line);
    }
}

/* Columns of row y that see the same taps: which taps, and where their sources lie, in elements of an image. */
typedef struct conv_last_planes_run {
    int64_t end, taps;
    int64_t tap[MOST_TAPS], shift[MOST_TAPS];
} conv_last_planes_run;
static void find_run(const conv_last_planes_job *j, int64_t y, int64_t x, int64_t most, conv_last_planes_run *r) {
    const wn__conv_plan *p = &j->p;
    r->taps = 0;
    for (r->end = x + 1; r->end < p->out[2] && r->end < x + most && j->x.class[r->end] == j->x.class[x]; r->end++) {}
    for (int64_t ty = j->y.start[y]; ty < j->y.start[y + 1]; ty++)
        for (int64_t tx = j->x.start[x]; tx < j->x.start[x + 1]; tx++, r->taps++) {
            r->tap[r->taps] = j->y.kernel[ty] * p->taps[2].n + j->x.kernel[tx];
            r->shift[r->taps] = j->y.source[ty] * p->in_stride[3] + j->x.source[tx] * p->in_stride[4];
        }
}

/* Units: (image, row of the result). */
static void sum_task(void *ctx, int64_t begin, int64_t end) {
    conv_last_planes_job *j = ctx;
    const wn__conv_plan *p = &j->p;
    const int64_t size = (int64_t)p->t->size, line = j->lanes * size;
    char *some = wn__scratch(1, (size_t)(MOST_TAPS * line));
    conv_last_planes_run r;
    if (!some) {
        atomic_store(&j->failed, true);
        return;
    }
    for (int64_t u = begin; u < end; u++) {
        const int64_t image = u / p->out[1], y = u % p->out[1];
        for (int64_t x = 0; x < p->out[2]; x = r.end) {
            find_run(j, y, x, AT_ONCE, &r);
            for (int64_t b = 0; b < j->blocks; b++) {
                const int64_t c = first_channel(j, b);
                const char *w = j->weights + b * j->taps * line;
                for (int64_t k = 0; k < r.taps && r.taps < j->taps; k++) memcpy(some + k * line, w + r.tap[k] * line, (size_t)line);
                p->t->plane(r.end - x, r.taps, r.taps < j->taps ? some : w, r.shift, j->in + (image * p->in_stride[0] + c) * size, j->step * p->in_stride[4],
                            j->out + (image * p->out_stride[0] + y * p->out_stride[3] + x * p->out_stride[4] + c) * size, p->out_stride[4], j->bias + b * line);
            }
        }
    }
}

static bool sum(conv_last_planes_job *j, const void *w, const void *bias) {
    const wn__conv_plan *p = &j->p;
    pack(j, w, bias);
    const int64_t grain = 1 + 200000 / ((j->taps + 4) * p->out[2] * p->groups + 1);
    return wn__parallel_fresh(p->images * p->out[1], grain, sum_task, j) && !atomic_load(&j->failed);
}

wn__ran wn__conv_last_planes(void *form, const void *call) {
    const wn__conv_form *f = form;
    const wn__conv_call *c = call;
    conv_last_planes_job j = {.in = c->in, .out = c->out};
    return wn__ran_if(prepare(&j, f->d, wn__conv_transposed(f)) && sum(&j, c->w, c->bias));
}

/* Units: blocks of channels, each summed over all images in order, in the place of its weights. */
static void weight_task(void *ctx, int64_t begin, int64_t end) {
    conv_last_planes_job *j = ctx;
    const wn__conv_plan *p = &j->p;
    const int64_t size = (int64_t)p->t->size, line = j->lanes * size;
    conv_last_planes_run r;
    memset(j->weights + begin * j->taps * line, 0, (size_t)((end - begin) * j->taps * line));
    for (int64_t u = 0; u < p->images * p->out[1]; u++) {
        const int64_t image = u / p->out[1], y = u % p->out[1];
        for (int64_t x = 0; x < p->out[2]; x = r.end) {
            find_run(j, y, x, 2 * AT_ONCE, &r);
            for (int64_t k = 0; k < r.taps; k++) r.tap[k] *= j->lanes;
            for (int64_t b = begin; b < end; b++) {
                const int64_t c = first_channel(j, b);
                p->t->plane_dots(r.end - x, r.taps, r.shift, r.tap, j->in + (image * p->in_stride[0] + c) * size, j->step * p->in_stride[4],
                                 j->dy + (image * p->out_stride[0] + y * p->out_stride[3] + x * p->out_stride[4] + c) * size, p->out_stride[4],
                                 j->weights + b * j->taps * line);
            }
        }
    }
}

wn__ran wn__conv_last_planes_weight(void *form, const void *call) {
    const wn__conv *d = ((const wn__conv_form *)form)->d;
    const wn__conv_call *c = call;
    conv_last_planes_job j = {.in = c->in, .dy = c->w};
    if (!prepare(&j, d, false) || !wn__parallel_fresh(j.blocks, 1, weight_task, &j)) return WN__NO_MEMORY;
    const wn__conv_plan *p = &j.p;
    const int64_t size = (int64_t)p->t->size;
    for (int64_t b = 0; b < j.blocks; b++)
        for (int64_t k = 0; k < j.taps; k++)
            p->t->store(c->out + (first_channel(&j, b) * d->ws[0] + k / p->taps[2].n * d->ws[2] + k % p->taps[2].n * d->ws[3]) * size, p->dtype, d->ws[0],
                        j.weights + (b * j.taps + k) * j.lanes * size, j.lanes);
    return WN__RAN;
}
