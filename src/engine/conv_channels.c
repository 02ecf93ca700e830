/* Convolution forward and its gradient in the input, with vectors along output channels: [positions] x [output channels
 * of a panel], summed over taps and channels. The image is copied once as [chunk of channels][position][channel]. A tap
 * then is a run of channels, which the tile reads through one pointer for each of its rows; rows are any positions that
 * see the same taps, in any image. So nothing is padded, no lane holds a gap between rows, and taps outside the image
 * are not multiplied. A task packs the weights of its panel chunk by chunk, just before their use. It serves deep
 * layers of small planes, in two dimensions at most. */
#include "base/alloc.h"
#include "engine/conv_plan.h"
#include "engine/conv_seen.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

enum {
    POSITIONS = 4096, /* the most in a task: a chunk of their sources and their sums nearly fit L2 */
    STEP = 256,       /* weights packed at a time */
    LEAST_CHANNELS = 16, /* fewer channels do not fill a run */
    MOST_SIZE = 4096, /* the most elements of an image */
    MOST_STEPS = 128, /* the most in a chunk */
    FEW_ROWS = 4,     /* a tile with fewer rows costs as much, by its latency */
    MOVES = 36        /* cost of copying an element, in multiply-adds */
};

typedef struct conv_channels_job {
    const wn__conv_plan *p;
    const wn__conv_call *call;
    const wn__gemm_type *t; /* the type that multiplies; p->t moves elements */
    wn__seen dim[2];                     /* y, x */
    int64_t taps, steps, chunk;          /* elements of the kernel; channels in the multiplier's steps, of all and of a chunk */
    int64_t panels, images, rows, bands; /* panels of output channels; images and rows of a block of positions, bands of an image */
    int64_t blocks, sources;             /* blocks of positions; elements of an image's channel */
    char *copy;
    _Atomic bool failed;
} conv_channels_job;

/* ------------------------------------------------------------------ the copy */

static char *chunk_at(const conv_channels_job *j, int64_t group, int64_t s) {
    return j->copy + (group * j->steps + s) * j->p->images * j->sources * (int64_t)j->t->size;
}

/* Copies steps of the channels at `from`, of positions q..q + m, to [position][step]. */
static void copy_positions(const conv_channels_job *j, const char *from, const int64_t *channels, int64_t n, const int64_t *positions, int64_t m, char *to) {
    const wn__conv_plan *p = j->p;
    float pairs[WN__GEMM_MAX_NR * WN__GEMM_MAX_NR];
    int64_t outer[WN__GEMM_MAX_NR], inner[WN__GEMM_MAX_NR];
    if (j->t->depth == 1) {
        p->t->pack(to, (int)n, (int)n, m, from, p->dtype, channels, positions);
        return;
    }
    for (int64_t i = 0; i < WN__GEMM_MAX_NR; i++) outer[i] = i * WN__GEMM_MAX_NR, inner[i] = i;
    for (int64_t q = 0; q < m; q += WN__GEMM_MAX_NR) { /* paired as [step][position], then transposed */
        const int64_t w = wn__least(WN__GEMM_MAX_NR, m - q);
        j->t->pack(pairs, WN__GEMM_MAX_NR, (int)w, n * j->t->depth, from, p->dtype, positions + q, channels);
        p->t->pack(to + q * n * (int64_t)j->t->size, (int)n, (int)n, w, pairs, WN_F32, outer, inner);
    }
}

/* A task's units are (group, chunk, image). */
static void copy_task(void *ctx, int64_t begin, int64_t end) {
    conv_channels_job *j = ctx;
    const wn__conv_plan *p = j->p;
    const int64_t isize = (int64_t)wn_dtype_size(p->dtype), chunks = (j->steps + j->chunk - 1) / j->chunk, depth = j->t->depth;
    int64_t channels[MOST_STEPS], positions[STEP];
    const wn__group source = {.n = 2, .total = j->sources, .size = {p->in[1], p->in[2]}, .stride = {p->in_stride[3], p->in_stride[4]}};
    for (int64_t c = 0; c < j->chunk * depth; c++) channels[c] = c * p->in_stride[1];
    for (int64_t u = begin; u < end; u++) {
        const int64_t image = u % p->images, s = u / p->images % chunks * j->chunk, group = u / p->images / chunks, n = wn__least(j->chunk, j->steps - s);
        const char *from = j->call->in + (image * p->in_stride[0] + (group * p->cin + s * depth) * p->in_stride[1]) * isize;
        char *to = chunk_at(j, group, s) + image * j->sources * n * (int64_t)j->t->size;
        for (int64_t q = 0; q < j->sources; q += STEP) {
            const int64_t m = wn__least(STEP, j->sources - q);
            wn__group_offsets(&source, q, m, positions);
            copy_positions(j, from, channels, n, positions, m, to + q * n * (int64_t)j->t->size);
        }
    }
}

/* ------------------------------------------------------------------ weights */

/* Turns [channel][tap][nr] into [tap][step][nr]. bf16 comes as f32, whose upper halves make pairs. */
static void exchange(const conv_channels_job *j, const char *from, char *to, int64_t steps) {
    const int64_t line = j->t->nr * (int64_t)j->t->size;
    for (int64_t t = 0; t < j->taps; t++)
        for (int64_t s = 0; s < steps; s++, to += line) {
            const char *at = from + (s * j->t->depth * j->taps + t) * line;
            if (j->t->depth == 1) {
                memcpy(to, at, (size_t)line);
                continue;
            }
            const uint32_t *low = (const uint32_t *)(const void *)at, *high = (const uint32_t *)(const void *)(at + j->taps * line);
            uint32_t *pairs = (uint32_t *)(void *)to;
            for (int64_t l = 0; l < j->t->nr; l++) pairs[l] = low[l] >> 16 | (high[l] & UINT32_C(0xffff0000));
        }
}

/* Packs n steps from s of a panel of weights as [tap][step][nr]; dense weights are first read along their rows. */
static void pack_weights(const conv_channels_job *j, int64_t group, int64_t r0, int64_t w, int64_t s, int64_t n, char *to, char *other) {
    const wn__conv_plan *p = j->p;
    const wn__conv_call *c = j->call;
    int64_t outer[WN__GEMM_MAX_NR], inner[STEP];
    const int64_t depth = j->t->depth, line = j->t->nr * (int64_t)j->t->size;
    const bool along = j->taps > 1 && c->wk[2] == 1 && c->wk[1] == p->taps[2].n && c->wc == j->taps;
    const wn__gemm_type *t = along ? p->t : j->t;
    wn__group k = {.n = 3, .total = j->taps * n * depth, .size = {p->taps[1].n, p->taps[2].n, n * depth}, .stride = {c->wk[1], c->wk[2], c->wc}};
    if (along) k.n = 1, k.size[0] = k.total, k.stride[0] = 1;
    const char *from = c->w + s * depth * c->wc * (int64_t)wn_dtype_size(p->dtype);
    char *first = along ? other : to;
    for (int64_t i = 0; i < w; i++) outer[i] = group * c->wgroup + (r0 + i) * c->wm;
    for (int64_t i = 0; i < k.total; i += STEP) {
        wn__group_offsets(&k, i, wn__least(STEP, k.total - i), inner);
        t->pack(first + i / t->depth * line, t->nr, (int)w, wn__least(STEP, k.total - i), from, p->dtype, outer, inner);
    }
    if (along) exchange(j, other, to, n);
}

/* ------------------------------------------------------------------ positions */

/* One task: a panel of output channels of images image.. and rows y0..y1. */
typedef struct part {
    int64_t image, images, group, y0, y1, positions, r0, w;
    char *weights, *other, *sums, *piece;
    int64_t *order, *source; /* of the positions: sorted by classes; the offset of each one's first tap */
    int64_t *aoff, *boff;
} part;

/* Positions that see the same taps: a class in y times one in x. */
typedef struct class {
    int64_t y, x; /* a member of each */
    int64_t first, n;
} class;

static int64_t list_class(const conv_channels_job *j, part *a, int64_t cy, int64_t cx, int64_t first) {
    const wn__conv_plan *p = j->p;
    const wn__seen *sy = &j->dim[0], *sx = &j->dim[1];
    const int64_t rows = a->y1 - a->y0;
    int64_t n = first;
    for (int64_t i = 0; i < a->images; i++)
        for (int64_t y = a->y0; y < a->y1; y++) {
            if (sy->class[y] != cy) continue;
            for (int64_t x = 0; x < p->out[2]; x++) {
                if (sx->class[x] != cx) continue;
                a->order[(i * rows + y - a->y0) * p->out[2] + x] = n;
                a->source[n++] = ((a->image + i) * p->in[1] + wn__seen_first(sy, y)) * p->in[2] + wn__seen_first(sx, x);
            }
        }
    return n - first;
}

static int64_t list_taps(const conv_channels_job *j, const part *a, int64_t y, int64_t x, int64_t n) {
    const wn__conv_plan *p = j->p;
    const wn__seen *sy = &j->dim[0], *sx = &j->dim[1];
    int64_t taps = 0;
    for (int64_t ty = sy->start[y]; ty < sy->start[y + 1]; ty++)
        for (int64_t tx = sx->start[x]; tx < sx->start[x + 1]; tx++, taps++) {
            a->aoff[taps] = ((sy->source[ty] - wn__seen_first(sy, y)) * p->in[2] + sx->source[tx] - wn__seen_first(sx, x)) * n;
            a->boff[taps] = (sy->kernel[ty] * p->taps[2].n + sx->kernel[tx]) * n * j->t->nr;
        }
    return taps;
}

/* Adds n steps from s to the sums of one class. */
static void add_class(const conv_channels_job *j, const part *a, const class *c, int64_t s, int64_t n) {
    const wn__gemm_type *t = j->t;
    const int64_t size = (int64_t)t->size, taps = list_taps(j, a, c->y, c->x, n), tiles = wn__panels(c->n, t->mr);
    const char *chunk = chunk_at(j, a->group, s);
    const void *rows[WN__GEMM_MAX_MR];
    for (int64_t i = 0; i < tiles; i++) {
        const int64_t r = c->first + wn__panel_start(c->n, tiles, i), w = c->first + wn__panel_start(c->n, tiles, i + 1) - r;
        for (int64_t l = 0; l < w; l++) rows[l] = chunk + a->source[r + l] * n * size;
        t->tile_runs((int)w, a->w > t->nr / 2 ? t->nr : t->nr / 2, taps, n, rows, a->aoff, a->weights, a->boff, a->sums + r * t->nr * size, t->nr, 1, s ? 1 : 0);
    }
}

/* Writes [position][output channel] into rows of images, with bias, epilogue and conversion. */
static void write_out(const conv_channels_job *j, const part *a) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const wn__epilogue *e = j->call->e;
    const int64_t size = (int64_t)t->size, osize = (int64_t)wn_dtype_size(p->dtype), n = p->out[2], rows = a->y1 - a->y0, positions = rows * n;
    const bool end_to_end = p->out_stride[4] == 1 && p->out_stride[3] == n;
    int64_t inner[WN__GEMM_MAX_NR], *outer = a->order;
    for (int64_t i = 0; i < a->w; i++) inner[i] = i;
    for (int64_t q = 0; q < a->positions; q++) outer[q] *= t->nr;
    for (int64_t i = 0; i < a->images; i++) {
        t->pack(a->piece, (int)positions, (int)positions, a->w, a->sums, t->dtype, outer + i * positions, inner);
        for (int64_t m = 0; m < a->w; m++) {
            const int64_t channel = a->group * p->cout + a->r0 + m;
            char *from = a->piece + m * positions * size;
            char *to = j->call->out + ((a->image + i) * p->out_stride[0] + channel * p->out_stride[1] + a->y0 * p->out_stride[3]) * osize;
            double add = wn__conv_bias(p, j->call, channel);
            if (e) {
                t->store_rows(from, t->dtype, positions, 1, positions, 1, from, positions, add);
                e->run(e->ctx, from, a->image + i, channel, a->y0 * n, positions);
                add = -0.0;
            }
            if (end_to_end) t->store_rows(to, p->dtype, positions, 1, positions, 1, from, positions, add);
            else t->store_rows(to, p->dtype, p->out_stride[3], p->out_stride[4], n, rows, from, n, add);
        }
    }
}

static part part_of(const conv_channels_job *j, int64_t u) {
    const wn__conv_plan *p = j->p;
    part a = {.r0 = u % j->panels * j->t->nr};
    a.w = wn__least(j->t->nr, p->cout - a.r0);
    u /= j->panels;
    a.y0 = u % j->bands * j->rows;
    a.y1 = wn__least(a.y0 + j->rows, p->out[1]);
    u /= j->bands;
    a.group = u % p->groups;
    a.image = u / p->groups * j->images;
    a.images = wn__least(j->images, p->images - a.image);
    a.positions = a.images * (a.y1 - a.y0) * p->out[2];
    return a;
}

static void run_part(const conv_channels_job *j, part *a) {
    class *classes = (class *)(void *)a->piece; /* a->piece is free until the sums are written */
    int64_t n = 0, first = 0;
    for (int64_t y = 0; y < j->dim[0].classes; y++)
        for (int64_t x = 0; x < j->dim[1].classes; x++) {
            const int64_t here = list_class(j, a, y, x, first);
            if (here) classes[n++] = (class){j->dim[0].example[y], j->dim[1].example[x], first, here};
            first += here;
        }
    for (int64_t s = 0; s < j->steps; s += j->chunk) {
        const int64_t k = wn__least(j->chunk, j->steps - s);
        pack_weights(j, a->group, a->r0, a->w, s, k, a->weights, a->other);
        for (int64_t i = 0; i < n; i++) add_class(j, a, &classes[i], s, k);
    }
    write_out(j, a);
}

/* Units: (block of images, group, band, panel of output channels). */
static void conv_channels_task(void *ctx, int64_t begin, int64_t end) {
    conv_channels_job *j = ctx;
    const wn__conv_plan *p = j->p;
    const int64_t line = j->t->nr * (int64_t)j->t->size, most = j->images * j->rows * p->out[2], classes = j->dim[0].classes * j->dim[1].classes;
    const int64_t weights = j->chunk * j->taps * line, sums = most * line, piece = j->rows * p->out[2] * line + classes * (int64_t)sizeof(class) + 128;
    char *scratch = wn__scratch(1, (size_t)((1 + j->t->depth) * weights + sums + piece + (2 * most + 2 * j->taps) * 8));
    if (!scratch) {
        atomic_store(&j->failed, true);
        return;
    }
    for (int64_t u = begin; u < end; u++) {
        part a = part_of(j, u);
        a.weights = scratch, a.other = scratch + weights, a.sums = a.other + j->t->depth * weights, a.piece = a.sums + sums;
        a.order = (int64_t *)(void *)(a.piece + piece / 8 * 8);
        a.source = a.order + most, a.aoff = a.source + most, a.boff = a.aoff + j->taps;
        run_part(j, &a);
    }
}

/* Chooses blocks of positions: whole images, or bands of one. No sum depends on them. */
static void choose_blocks(conv_channels_job *j) {
    const wn__conv_plan *p = j->p;
    const int64_t positions = p->out[1] * p->out[2], want = 2 * (int64_t)wn_num_threads();
    j->images = positions >= POSITIONS ? 1 : wn__least(POSITIONS / positions, p->images);
    j->rows = positions <= POSITIONS ? p->out[1] : POSITIONS / p->out[2] < 1 ? 1 : POSITIONS / p->out[2];
    for (;;) {
        j->blocks = (p->images + j->images - 1) / j->images;
        j->bands = (p->out[1] + j->rows - 1) / j->rows;
        const int64_t units = j->blocks * p->groups * j->bands * j->panels;
        if (units >= want || (j->images == 1 && j->rows == 1)) break;
        if (j->images > 1) j->images = (j->images + 1) / 2;
        else j->rows = (j->rows + 1) / 2;
    }
    j->images = (p->images + j->blocks - 1) / j->blocks, j->rows = (p->out[1] + j->bands - 1) / j->bands;
    j->blocks = (p->images + j->images - 1) / j->images, j->bands = (p->out[1] + j->rows - 1) / j->rows;
}

/* The type that multiplies: pairs of channels where the processor has them. */
static const wn__gemm_type *multiplier(const wn__conv_plan *p) {
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    return p->dtype == WN_BF16 && kernels->bf16 && p->cin % 2 == 0 && wn__cpu_has_bf16() ? kernels->bf16 : p->t;
}

static int64_t taps_of(const wn__seen *s, int64_t c) { return s->start[s->example[c] + 1] - s->start[s->example[c]]; }

/* Multiply-adds of positions for one weight. A tile of few rows costs as much as one of FEW_ROWS. */
static double work_of(const wn__conv_plan *p, const wn__seen *dim) {
    double sum = 0;
    for (int64_t y = 0; y < dim[0].classes; y++)
        for (int64_t x = 0; x < dim[1].classes; x++) {
            const int64_t n = p->images * dim[0].members[y] * dim[1].members[x], few = wn__panels(n, p->t->mr) * FEW_ROWS;
            sum += (double)(taps_of(&dim[0], y) * taps_of(&dim[1], x)) * (double)(n > few ? n : few);
        }
    return sum;
}

/* Is it less work than conv_rows.c with its gaps, copies included? The factors are measured. */
static bool pays(const wn__conv_plan *p, bool transposed, double work) {
    const int64_t lanes = p->t->nr / 2, filled = (p->cout + lanes - 1) / lanes * lanes;
    int64_t o[3], reach[3];
    for (int d = 1; d < 3; d++) {
        const int64_t s = p->step[d];
        o[d] = transposed ? (p->out[d] + s - 1) / s : p->out[d];
        reach[d] = (p->taps[d].n - 1) * p->taps[d].move / s;
    }
    const double along_rows = (double)(((o[1] - 1) * (o[2] + (reach[2] + 1) / 2) + o[2] + lanes - 1) / lanes * lanes) * (double)(p->taps[1].n * p->taps[2].n * p->images);
    const bool strided = transposed && p->step[1] * p->step[2] > 1; /* along rows, remainders are stored with gaps */
    const double moves = MOVES * (double)(p->images * p->out[1] * p->out[2]) / (double)p->cout;
    return work * (strided ? 0.95 : 1.05) * (double)filled / (double)p->cout / multiplier(p)->depth + moves < along_rows;
}

bool wn__conv_channels_suits(const void *form) {
    const wn__conv_plan *p = &((const wn__conv_form *)form)->p;
    const int64_t taps = p->taps[1].n * p->taps[2].n;
    return p->taps[0].n == 1 && p->in[0] == 1 && p->out[0] == 1 && p->cin >= LEAST_CHANNELS && p->cout >= p->t->nr / 2 && p->images > 0 && taps > 0 &&
           taps <= p->t->kc && p->out[1] > 0 && p->out[2] > 0 && p->out[1] <= MOST_SIZE && p->out[2] <= MOST_SIZE;
}

/* The most steps of a chunk: whole vectors, if long enough for that; with a conversion, whole panels. */
static int64_t most_steps(const wn__conv_plan *p, const wn__gemm_type *t, int64_t taps) {
    const int64_t n = wn__least(t->kc / taps, p->dtype == p->t->dtype ? MOST_STEPS : WN__GEMM_MAX_NR);
    return n > WN__GEMM_MAX_NR ? n / WN__GEMM_MAX_NR * WN__GEMM_MAX_NR : n;
}

/* Declines if, with the existing taps counted, it does not pay. */
wn__ran wn__conv_channels(void *form, const void *call) {
    const wn__conv_form *f = form;
    const wn__conv_plan *p = &f->p;
    const bool transposed = wn__conv_transposed(f);
    if (!pays(p, transposed, (double)wn__count_seen(p, 1, transposed) * (double)wn__count_seen(p, 2, transposed) * (double)p->images)) return WN__DECLINED;
    conv_channels_job j = {.p = p, .call = call, .t = multiplier(p), .taps = p->taps[1].n * p->taps[2].n, .sources = p->in[1] * p->in[2]};
    j.steps = p->cin / j.t->depth;
    const int64_t most = most_steps(p, j.t, j.taps), chunks = (j.steps + most - 1) / most;
    j.chunk = (j.steps + chunks - 1) / chunks;
    j.panels = (p->cout + j.t->nr - 1) / j.t->nr;
    const int64_t copy = (p->images * p->groups * j.steps * j.sources * (int64_t)j.t->size + 127) / 64 * 64;
    j.copy = wn__scratch(0, (size_t)(copy + wn__seen_bytes(p, 1) + wn__seen_bytes(p, 2)));
    if (!j.copy) return WN__NO_MEMORY;
    wn__list_seen(p, 1, transposed, j.copy + copy, &j.dim[0]);
    wn__list_seen(p, 2, transposed, j.copy + copy + wn__seen_bytes(p, 1), &j.dim[1]);
    if (!pays(p, transposed, work_of(p, j.dim))) return WN__DECLINED;
    choose_blocks(&j);
    if (!wn__parallel_fresh(p->groups * chunks * p->images, 1 + 16384 / (j.sources * j.chunk), copy_task, &j)) return WN__NO_MEMORY;
    const double work = (double)j.steps * (double)j.taps * (double)(j.images * j.rows * p->out[2]) * (double)j.t->nr;
    return wn__ran_if(wn__parallel_fresh(j.blocks * p->groups * j.bands * j.panels, 1 + (int64_t)(200000 / work), conv_channels_task, &j) && !atomic_load(&j.failed));
}
