/* Depthwise convolution of small planes, one input channel to a group. Planes of as many groups as a vector has lanes
 * are transposed to [position][lane] and back, so that rows of any length and any stride fill vectors. Columns outside
 * the image are zeros in a copy; rows outside it are not multiplied; the gradient in the weights multiplies only
 * existing elements. (Wider planes: conv_depthwise.c.) */
#include "base/alloc.h"
#include "engine/conv_plan.h"
#include "engine/conv_seen.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

enum {
    MOST_ELEMENTS = 256,   /* of a result's plane; in larger ones rows fill vectors and share loads */
    MOST_COPY = 64 << 10,  /* bytes of a copy, which should not leave L2 */
    MOST_TAPS = 64,
    MOST_OUT = 4 /* output channels of a group */
};

typedef struct conv_planes_job {
    const wn__conv_plan *p;
    const wn__conv_call *call;
    int64_t lanes, blocks;    /* groups of a block; number of blocks */
    int64_t taps, width, lead; /* width: columns of a row of the copy; lead: zeros before it */
    int64_t *shift, *weight;   /* by tap: distance in the copy from a position's own place; offset in w */
    int64_t *places, *results; /* offsets of positions: in the image's plane; in the result's */
    int64_t numbers[WN__GEMM_MAX_NR];
    wn__seen y, x;             /* taps that exist */
    _Atomic bool failed;
} conv_planes_job;

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* Distance of tap k's source from position o's own place o * step. */
static int64_t ahead(const wn__conv_plan *p, int d, bool transposed, int64_t k) {
    const int64_t at = p->taps[d].first + k * p->taps[d].move;
    return transposed ? -at : at;
}

/* The number of zeros before a row of the copy, and the row's length. */
static void measure(const wn__conv_plan *p, bool transposed, int64_t *lead, int64_t *width) {
    int64_t end = p->in[2];
    *lead = 0;
    for (int64_t k = 0; k < p->taps[2].n; k++) {
        const int64_t at = ahead(p, 2, transposed, k);
        *lead = most(*lead, -at), end = most(end, (p->out[2] - 1) * p->step[2] + at + 1);
    }
    *width = *lead + end;
}

bool wn__conv_planes_suits(const void *form) {
    const wn__conv_form *f = form;
    const wn__conv_plan *p = &f->p;
    const bool transposed = wn__conv_transposed(f);
    const int64_t lanes = p->t->nr / 2;
    if (p->taps[0].n != 1 || p->in[0] != 1 || p->out[0] != 1 || p->groups < lanes || p->cin != 1 || p->cout > MOST_OUT || p->taps[1].n * p->taps[2].n > MOST_TAPS) return false;
    for (int d = 1; d < 3; d++)
        if ((transposed && p->step[d] != 1) || p->in[d] == 0 || p->in[d] > MOST_COPY || p->out[d] == 0 || p->out[d] > MOST_ELEMENTS || p->taps[d].n == 0) return false;
    int64_t lead, width;
    measure(p, transposed, &lead, &width);
    return p->out[1] * p->out[2] <= MOST_ELEMENTS && width <= 2 * p->in[2] + 2 * p->out[2] && p->in[1] * width * lanes * (int64_t)p->t->size <= MOST_COPY;
}

/* Makes a call's tables in scratch slot 0. */
static bool prepare(conv_planes_job *j, bool transposed) {
    const wn__conv_plan *p = j->p;
    const int64_t in = p->in[1] * p->in[2], out = p->out[1] * p->out[2], seen = wn__seen_bytes(p, 1);
    j->lanes = p->t->nr / 2, j->blocks = (p->groups + j->lanes - 1) / j->lanes, j->taps = p->taps[1].n * p->taps[2].n;
    measure(p, transposed, &j->lead, &j->width);
    j->shift = wn__scratch(0, (size_t)((2 * j->taps + in + out) * 8 + seen + wn__seen_bytes(p, 2)));
    if (!j->shift) return false;
    j->weight = j->shift + j->taps, j->places = j->weight + j->taps, j->results = j->places + in;
    wn__list_seen(p, 1, transposed, j->results + out, &j->y);
    wn__list_seen(p, 2, transposed, (char *)(j->results + out) + seen, &j->x);
    for (int64_t k = 0; k < j->taps; k++) {
        const int64_t ky = k / p->taps[2].n, kx = k % p->taps[2].n;
        j->shift[k] = (ahead(p, 1, transposed, ky) * j->width + ahead(p, 2, transposed, kx)) * j->lanes;
        if (j->call) j->weight[k] = ky * j->call->wk[1] + kx * j->call->wk[2];
    }
    for (int64_t i = 0; i < in; i++) j->places[i] = i / p->in[2] * p->in_stride[3] + i % p->in[2] * p->in_stride[4];
    for (int64_t i = 0; i < out; i++) j->results[i] = i * j->lanes;
    for (int64_t i = 0; i < WN__GEMM_MAX_NR; i++) j->numbers[i] = i;
    return true;
}

/* A task's scratch: planes of a block without and with zeros, the result, weights or sums, bias, rows of channels. */
typedef struct work {
    char *plane, *copy, *result, *weights, *bias, *room;
} work;

static bool get_scratch(conv_planes_job *j, work *s) {
    const wn__conv_plan *p = j->p;
    const int64_t line = j->lanes * (int64_t)p->t->size, in = p->in[1] * p->in[2] * line, out = p->out[1] * p->out[2] * line, slack = WN__CONV_SLACK * (int64_t)p->t->size;
    const int64_t copy = p->in[1] * j->width * line + slack, weights = (j->taps + 1) * line;
    if (!(s->plane = wn__scratch(1, (size_t)(in + copy + 2 * out + 2 * weights + 2 * slack)))) {
        atomic_store(&j->failed, true);
        return false;
    }
    s->copy = s->plane + in, s->result = s->copy + copy, s->weights = s->result + out, s->bias = s->weights + j->taps * line, s->room = s->bias + line;
    return true;
}

/* The number of groups of block b, and the offsets of what lies `apart` elements from group to group. */
static int64_t list_groups(const conv_planes_job *j, int64_t b, int64_t apart, int64_t *offsets) {
    const int64_t n = wn__least(j->lanes, j->p->groups - b * j->lanes);
    for (int64_t l = 0; l < n; l++) offsets[l] = (b * j->lanes + l) * apart;
    return n;
}

/* Transposes the planes of block b at `from` to [position][lane]. */
static void turn(const conv_planes_job *j, int64_t b, int64_t apart, const char *from, const int64_t *places, int64_t n, char *to) {
    int64_t groups[WN__GEMM_MAX_NR];
    const int64_t w = list_groups(j, b, apart, groups);
    j->p->t->pack(to, (int)j->lanes, (int)w, n, from, j->p->dtype, groups, places);
}

/* Writes n channels of the result back into rows. They include the bias; epilogue and conversion happen here. */
static void write_block(const conv_planes_job *j, int64_t image, int64_t b, int64_t m, const work *s) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const int64_t w = p->out[2], elements = p->out[1] * w, n = wn__least(j->lanes, p->groups - b * j->lanes), osize = (int64_t)wn_dtype_size(p->dtype);
    char *to = j->call->out + (image * p->out_stride[0] + (b * j->lanes * p->cout + m) * p->out_stride[1]) * osize;
    const int64_t apart = p->cout * p->out_stride[1];
    const bool end_to_end = p->out_stride[3] == w * p->out_stride[4], there = end_to_end && p->dtype == t->dtype && p->out_stride[4] == 1 && apart == elements;
    char *at = there ? to : s->room;
    t->pack(at, (int)elements, (int)elements, n, s->result, t->dtype, j->results, j->numbers);
    for (int64_t l = 0; l < n; l++, at += elements * (int64_t)t->size, to += apart * osize) {
        if (j->call->e) j->call->e->run(j->call->e->ctx, at, image, (b * j->lanes + l) * p->cout + m, 0, elements);
        if (there) continue;
        if (end_to_end) t->store(to, p->dtype, p->out_stride[4], at, elements);
        else t->store_rows(to, p->dtype, p->out_stride[3], p->out_stride[4], w, p->out[1], at, w, -0.0);
    }
}

/* Sums channel m of the groups of block b. */
static void sum_block(const conv_planes_job *j, int64_t b, int64_t m, const work *s) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const int64_t isize = (int64_t)wn_dtype_size(p->dtype), line = j->lanes * (int64_t)t->size, row = j->width * line, first = 0;
    const char *in = s->copy + j->lead * line;
    turn(j, b, j->call->wgroup, j->call->w + m * j->call->wm * isize, j->weight, j->taps, s->weights);
    if (j->call->bias) turn(j, b, p->cout, j->call->bias + m * isize, &first, 1, s->bias);
    else memset(s->bias, 0, (size_t)line);
    for (int64_t y = 0; y < p->out[1]; y++) {
        const int64_t taps = j->y.start[y + 1] - j->y.start[y], k = (taps ? j->y.kernel[j->y.start[y]] : 0) * p->taps[2].n;
        t->plane(p->out[2], taps * p->taps[2].n, s->weights + k * line, j->shift + k, in + y * p->step[1] * row, p->step[2] * j->lanes,
                 s->result + y * p->out[2] * line, j->lanes, s->bias);
    }
}

/* Units: (image, block of groups). */
static void conv_planes_task(void *ctx, int64_t begin, int64_t end) {
    conv_planes_job *j = ctx;
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const int64_t line = j->lanes;
    work s;
    if (!get_scratch(j, &s)) return;
    for (int64_t u = begin; u < end; u++) {
        const int64_t image = u / j->blocks, b = u % j->blocks;
        turn(j, b, p->in_stride[1], j->call->in + image * p->in_stride[0] * (int64_t)wn_dtype_size(p->dtype), j->places, p->in[1] * p->in[2], s.plane);
        t->pad_rows(s.copy, j->width * line, j->lead * line, p->in[2] * line, p->in[1], s.plane, t->dtype, p->in[2] * line, 1);
        for (int64_t m = 0; m < p->cout; m++) {
            sum_block(j, b, m, &s);
            write_block(j, image, b, m, &s);
        }
    }
}

static int64_t grain(const conv_planes_job *j) { return 1 + 200000 / ((j->taps + 4) * j->p->out[1] * j->p->out[2] * j->lanes * j->p->cout); }

wn__ran wn__conv_planes(void *form, const void *call) {
    const wn__conv_form *f = form;
    const wn__conv_plan *p = &f->p;
    conv_planes_job j = {.p = p, .call = call};
    if (p->images * p->cout == 0) return WN__RAN;
    if (!prepare(&j, wn__conv_transposed(f))) return WN__NO_MEMORY;
    return wn__ran_if(wn__parallel_fresh(p->images * j.blocks, grain(&j), conv_planes_task, &j) && !atomic_load(&j.failed));
}

typedef struct gradient {
    conv_planes_job j;
    const wn__conv *d;
    const char *x, *dy;
    char *dw;
    int64_t *places; /* offsets of positions in dy's plane */
} gradient;

/* Do columns a and b see the same taps? */
static bool alike(const wn__seen *s, int64_t a, int64_t b) { return s->class[a] == s->class[b]; }

/* Adds row y of the result, in runs of columns that see the same taps. */
static void add_row(const conv_planes_job *j, int64_t y, const work *s) {
    const wn__conv_plan *p = j->p;
    const int64_t size = (int64_t)p->t->size, lanes = j->lanes, in_row = p->in[2] * lanes;
    int64_t shift[MOST_TAPS], to[MOST_TAPS];
    for (int64_t x = 0, end; x < p->out[2]; x = end) {
        int64_t taps = 0;
        for (end = x + 1; end < p->out[2] && alike(&j->x, x, end); end++) {}
        for (int64_t ty = j->y.start[y]; ty < j->y.start[y + 1]; ty++)
            for (int64_t tx = j->x.start[x]; tx < j->x.start[x + 1]; tx++, taps++) {
                shift[taps] = j->y.source[ty] * in_row + j->x.source[tx] * lanes;
                to[taps] = (j->y.kernel[ty] * p->taps[2].n + j->x.kernel[tx]) * lanes;
            }
        p->t->plane_dots(end - x, taps, shift, to, s->plane, p->step[2] * lanes, s->result + (y * p->out[2] + x) * lanes * size, lanes, s->weights);
    }
}

/* Units: (block of groups, channel of a group), each the sum over images in order. */
static void weight_task(void *ctx, int64_t begin, int64_t end) {
    gradient *g = ctx;
    conv_planes_job *j = &g->j;
    const wn__conv_plan *p = j->p;
    const wn__conv *d = g->d;
    const int64_t size = (int64_t)p->t->size, isize = (int64_t)wn_dtype_size(p->dtype), stride_y = d->nd > 1 ? d->ws[d->nd] : 0, stride_x = d->ws[d->nd + 1];
    work s;
    if (!get_scratch(j, &s)) return;
    for (int64_t u = begin; u < end; u++) {
        const int64_t b = u / p->cout, m = u % p->cout, n = wn__least(j->lanes, p->groups - b * j->lanes);
        memset(s.weights, 0, (size_t)(j->taps * j->lanes * size));
        for (int64_t i = 0; i < p->images; i++) {
            turn(j, b, p->in_stride[1], g->x + i * p->in_stride[0] * isize, j->places, p->in[1] * p->in[2], s.plane);
            turn(j, b, p->cout * p->out_stride[1], g->dy + (i * p->out_stride[0] + m * p->out_stride[1]) * isize, g->places, p->out[1] * p->out[2], s.result);
            for (int64_t y = 0; y < p->out[1]; y++) add_row(j, y, &s);
        }
        for (int64_t l = 0; l < n; l++)
            for (int64_t k = 0; k < j->taps; k++) {
                char *to = g->dw + (((b * j->lanes + l) * p->cout + m) * d->ws[0] + k / p->taps[2].n * stride_y + k % p->taps[2].n * stride_x) * isize;
                p->t->store(to, p->dtype, 1, s.weights + (k * j->lanes + l) * size, 1);
            }
    }
}

wn__ran wn__conv_planes_weight(void *form, const void *call) {
    const wn__conv_form *f = form;
    const wn__conv_call *c = call;
    const wn__conv_plan *p = &f->p;
    const int64_t out = p->out[1] * p->out[2];
    int64_t places[MOST_ELEMENTS];
    gradient g = {.j = {.p = p}, .d = f->d, .x = c->in, .dy = c->w, .dw = c->out, .places = places};
    if (!prepare(&g.j, false)) return WN__NO_MEMORY;
    for (int64_t i = 0; i < out; i++) places[i] = i / p->out[2] * p->out_stride[3] + i % p->out[2] * p->out_stride[4];
    return wn__ran_if(wn__parallel_fresh(g.j.blocks * p->cout, 1 + grain(&g.j) / (p->images + 1), weight_task, &g) && !atomic_load(&g.j.failed));
}
