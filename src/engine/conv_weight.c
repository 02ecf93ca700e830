/* The gradient of a convolution in its weights: dw[(c, tap)][o] = sum over images and positions of window * dy. Windows
 * are read in the padded copy through one pointer for each (c, tap); dy is packed with output channels side by side.
 * The long sum is dealt to a number of parts that follows from the shape alone, and these are added in order: the same
 * bits for any number of threads. */
#include "base/alloc.h"
#include "engine/conv_plan.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

enum {
    COPY_BYTES = 128 << 10, SUM_BYTES = 512 << 10, PARTS = 16, ALL_SUMS = 64 << 20,
    POSITIONS = 256,      /* summed in a tile before it is stored: as many small images as that takes */
    PART_POSITIONS = 512, /* less work does not deserve sums of its own */
    TASKS = 16,           /* with fewer tasks than this, parts may be shorter than that */
    PAIRS_STEP = 512,     /* positions packed at a time */
    MERGED = 96           /* rows merged and stored at a time, at least the taps of a channel */
};

typedef struct conv_weight_job {
    const wn__conv_plan *p;
    const char *x, *dy;
    int64_t stack;              /* number of images in a unit */
    int64_t units, parts;       /* bands of all stacks; how many parts they are dealt to */
    int64_t block, blocks;      /* channels that a task sums; number of such blocks in a group */
    int64_t np, ld;             /* panels of output channels; number of these, padded */
    char *sums;                 /* [part][group][c, tap][o] */
    int64_t *offsets;           /* of (c, tap) in an image's copy */
    int64_t merged;             /* channels merged at a time */
    bool dots;                  /* too few output channels to fill a vector: dot products along rows */
    const wn__gemm_type *pairs; /* multiplies pairs of neighbouring positions of bf16; NULL: pairs do not suit */
    _Atomic bool failed;
} conv_weight_job;

static int64_t rows_all(const conv_weight_job *j) { return j->p->cin * j->p->ntaps; }
static char *sums_at(const conv_weight_job *j, int64_t part, int64_t group, int64_t row) {
    return j->sums + ((part * j->p->groups + group) * rows_all(j) + row) * j->ld * (int64_t)j->p->t->size;
}

/* Scratch of a task. */
typedef struct work {
    char *copy, *packed;
    int64_t *inner, *runs, *packed_runs;
} work;

/* A band of a stack of images. */
typedef struct unit {
    int64_t image, images, group, z, y0, rows;
} unit;

/* Loads a unit's dy as [output channel][position], for dot products. */
static void load_dy(const conv_weight_job *j, const work *s, const unit *u, const char *from) {
    const wn__conv_plan *p = j->p;
    const int64_t isize = (int64_t)wn_dtype_size(p->dtype);
    char *to = s->packed;
    for (int64_t o = 0; o < p->cout; o++)
        for (int64_t i = 0; i < u->images; i++)
            for (int64_t y = 0; y < u->rows; y++, to += p->out[2] * (int64_t)p->t->size)
                p->t->load(to, from + (i * p->out_stride[0] + o * p->out_stride[1] + y * p->out_stride[3]) * isize, p->dtype, p->out[2], p->out_stride[4]);
}

/* Packs a unit's dy as panels [pair of positions][nr], image after image. */
static void pack_pairs(const conv_weight_job *j, const work *s, const unit *u, const char *from) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = j->pairs;
    const int64_t n = u->rows * p->out[2], isize = (int64_t)wn_dtype_size(p->dtype);
    int64_t outer[WN__GEMM_MAX_NR];
    for (int64_t i = 0; i < PAIRS_STEP; i++) s->inner[i] = i;
    for (int64_t q = 0; q < j->np; q++) {
        const int64_t o = q * t->nr, w = p->cout - o < t->nr ? p->cout - o : t->nr;
        for (int64_t i = 0; i < w; i++) outer[i] = (o + i) * p->out_stride[1];
        for (int64_t i = 0; i < u->images; i++)
            for (int64_t k = 0; k < n; k += PAIRS_STEP)
                t->pack(s->packed + (q * u->images * n + i * n + k) / 2 * t->nr * (int64_t)t->size, t->nr, (int)w, n - k < PAIRS_STEP ? n - k : PAIRS_STEP,
                        from + (i * p->out_stride[0] + k) * isize, p->dtype, outer, s->inner);
    }
}

/* Pairs take two padded copies, the second one element further: taps at odd distances read their pairs there. */
static int64_t pairs_apart(const conv_weight_job *j) { return j->stack * j->block * j->p->channel + WN__CONV_SLACK; }
static void copy_pairs(const conv_weight_job *j, const char *image, int64_t c0, int64_t n, int64_t y0, uint16_t *to) {
    const wn__conv_plan *p = j->p;
    const int64_t low = p->low[2], first = low < 0 ? -low : 0, end = p->in[2] - low < p->width ? p->in[2] - low : p->width;
    for (int64_t c = c0; c < c0 + n; c++)
        for (int64_t y = 0; y < p->height; y++, to += p->width) {
            const int64_t at = y0 + p->low[1] + y;
            for (int64_t shift = 0; shift < 2; shift++) { /* rows of the second copy begin one element later */
                uint16_t *row = to + shift * (pairs_apart(j) - 1);
                memset(row, 0, (size_t)p->width * 2);
                if (at >= 0 && at < p->in[1] && end > first)
                    memcpy(row + first, image + (c * p->in_stride[1] + at * p->in_stride[3] + low + first) * 2, (size_t)(end - first) * 2);
            }
        }
    for (int64_t shift = 0; shift < 2; shift++) memset(to + shift * (pairs_apart(j) - 1), 0, WN__CONV_SLACK / 2 * 2); /* behind the last row */
}

/* The type for pairs, if they suit: bf16 without stride, rows of an even length end to end. NULL: they do not. */
static const wn__gemm_type *suits_pairs(const conv_weight_job *j) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = wn__gemm_kernels_now()->bf16;
    if (p->dtype != WN_BF16 || !t || !wn__cpu_has_bf16() || j->dots || p->out[2] % 2 || p->width % 2 || p->in_stride[4] != 1 || p->in[0] != 1 || p->out[0] != 1) return NULL;
    if (p->out_stride[4] != 1 || p->out_stride[3] != p->out[2] || p->out_stride[0] % 2 || p->out_stride[1] % 2 || p->taps[0].n != 1) return NULL;
    return p->step[1] == 1 && p->step[2] == 1 ? t : NULL;
}

/* Packs a unit's dy as panels [position][nr], with rows and images end to end. */
static void pack_dy(const conv_weight_job *j, const work *s, const unit *u) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const int64_t n = u->images * u->rows * p->out[2];
    int64_t outer[WN__GEMM_MAX_NR], *inner = s->inner;
    const char *from = j->dy + (u->image * p->out_stride[0] + u->group * p->cout * p->out_stride[1] + u->z * p->out_stride[2] +
                                u->y0 * p->out_stride[3]) * (int64_t)wn_dtype_size(p->dtype);
    if (j->dots) {
        load_dy(j, s, u, from);
        return;
    }
    if (j->pairs) {
        pack_pairs(j, s, u, from);
        return;
    }
    for (int64_t i = 0; i < u->images; i++)
        for (int64_t y = 0; y < u->rows; y++)
            for (int64_t x = 0; x < p->out[2]; x++) *inner++ = i * p->out_stride[0] + y * p->out_stride[3] + x * p->out_stride[4];
    for (int64_t q = 0; q < j->np; q++) {
        const int64_t o = q * t->nr, w = p->cout - o < t->nr ? p->cout - o : t->nr;
        for (int64_t i = 0; i < w; i++) outer[i] = (o + i) * p->out_stride[1];
        t->pack(s->packed + q * n * t->nr * (int64_t)t->size, t->nr, (int)w, n, from, p->dtype, outer, s->inner);
    }
}

static int64_t image_elements(const conv_weight_job *j) { return j->block * j->p->channel; } /* of the copy */

/* Adds a unit's products: rows (c, tap) of channels c0..c1 by panels of output channels. fresh: they are the first. */
static void add_unit(const conv_weight_job *j, const work *s, const unit *u, int64_t c0, int64_t c1, bool fresh, char *sums) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = j->pairs ? j->pairs : p->t;
    const int64_t size = (int64_t)t->size, depth = t->depth, total = (c1 - c0) * p->ntaps, panels = wn__panels(total, t->mr), runs = u->images * u->rows, len = p->out[2] / depth, n = runs * len;
    const void *arow[WN__GEMM_MAX_MR];
    for (int64_t i = 0; i < runs; i++) {
        s->runs[i] = (i / u->rows * image_elements(j) + i % u->rows * p->width) / depth;
        s->packed_runs[i] = i * len * t->nr;
    }
    for (int64_t i = 0; i < panels; i++) {
        const int64_t r = wn__panel_start(total, panels, i);
        const int w = (int)(wn__panel_start(total, panels, i + 1) - r);
        for (int l = 0; l < w; l++) {
            const int64_t at = j->offsets[r + l];
            arow[l] = s->copy + (j->pairs ? (at % 2 ? pairs_apart(j) + at - 1 : at) * 2 : at * size);
        }
        for (int64_t o = 0; o < p->cout && j->dots; o++)
            t->dot_runs(w, runs, len, arow, s->runs, s->packed + o * n * size, sums + (r * j->ld + o) * size, j->ld);
        for (int64_t q = 0; q < j->np && !j->dots; q++) {
            const int64_t o = q * t->nr;
            const int cols = (int)(p->cout - o <= t->nr / 2 ? t->nr / 2 : t->nr); /* sums have room for whole vectors */
            t->tile_runs(w, cols, runs, len, arow, s->runs, s->packed + q * n * t->nr * size, s->packed_runs,
                         sums + (r * j->ld + o) * size, j->ld, 1, fresh ? 0 : 1);
        }
    }
}

static bool get_scratch(const conv_weight_job *j, work *s) {
    const wn__conv_plan *p = j->p;
    const int64_t size = (int64_t)p->t->size, runs = j->stack * p->rows, n = runs * p->out[2];
    const int64_t copy = ((j->stack * image_elements(j) + WN__CONV_SLACK) * size + 63) / 64 * 64; /* or two of bf16 */
    const int64_t packed = j->np * n * p->t->nr * size + 64;
    s->copy = wn__scratch(1, (size_t)(copy + packed + (n + PAIRS_STEP + 2 * runs) * 8));
    if (!s->copy) return false;
    s->packed = s->copy + copy;
    s->inner = (int64_t *)(void *)(s->packed + packed);
    s->runs = s->inner + n + PAIRS_STEP;
    s->packed_runs = s->runs + runs;
    return true;
}

static unit unit_of(const conv_weight_job *j, int64_t v, int64_t group) {
    const wn__conv_plan *p = j->p;
    unit u = {.group = group, .y0 = v % p->bands * p->rows, .z = v / p->bands % p->out[0], .image = v / p->bands / p->out[0] * j->stack};
    u.rows = u.y0 + p->rows < p->out[1] ? p->rows : p->out[1] - u.y0;
    u.images = u.image + j->stack < p->images ? j->stack : p->images - u.image;
    return u;
}

/* Tasks: (part, group, block of channels). */
static void conv_weight_task(void *ctx, int64_t begin, int64_t end) {
    conv_weight_job *j = ctx;
    const wn__conv_plan *p = j->p;
    const int64_t size = (int64_t)p->t->size;
    work s;
    if (!get_scratch(j, &s)) {
        atomic_store(&j->failed, true);
        return;
    }
    for (int64_t t = begin; t < end; t++) {
        const int64_t c0 = t % j->blocks * j->block, c1 = c0 + j->block < p->cin ? c0 + j->block : p->cin;
        const int64_t group = t / j->blocks % p->groups, part = t / j->blocks / p->groups;
        const int64_t first = wn__panel_start(j->units, j->parts, part), last = wn__panel_start(j->units, j->parts, part + 1);
        char *sums = sums_at(j, part, group, c0 * p->ntaps);
        if (j->dots || first == last) memset(sums, 0, (size_t)((c1 - c0) * p->ntaps * j->ld * size));
        for (int64_t v = first; v < last; v++) {
            const unit u = unit_of(j, v, group);
            for (int64_t i = 0; i < u.images; i++) {
                const int64_t from = (u.image + i) * p->in_stride[0] + group * p->cin * p->in_stride[1];
                const char *image = j->x + from * (int64_t)wn_dtype_size(p->dtype);
                if (j->pairs) copy_pairs(j, image, c0, c1 - c0, u.y0, (uint16_t *)(void *)s.copy + i * image_elements(j));
                else wn__conv_copy(p, image, c0, c1 - c0, u.z, u.y0, s.copy + i * image_elements(j) * size);
            }
            pack_dy(j, &s, &u);
            add_unit(j, &s, &u, c0, c1, v == first, sums);
        }
    }
}

typedef struct merge {
    conv_weight_job *j;
    const wn__conv *d;
    char *dw;
} merge;

/* sum += the other parts, in order. */
static void add_parts(const conv_weight_job *j, int64_t group, int64_t row, int64_t n, char *sum) {
    for (int64_t part = 1; part < j->parts; part++) {
        const char *more = sums_at(j, part, group, row);
        if (j->p->t->size == 4)
            for (int64_t i = 0; i < n; i++) ((float *)(void *)sum)[i] += ((const float *)(const void *)more)[i];
        else
            for (int64_t i = 0; i < n; i++) ((double *)(void *)sum)[i] += ((const double *)(const void *)more)[i];
    }
}

/* Stores a channel's rows of sums into dw, which may have any strides. */
static void store_channel(const merge *m, int64_t group, int64_t c, const char *sum) {
    const conv_weight_job *j = m->j;
    const wn__conv_plan *p = j->p;
    int64_t k[3];
    for (k[0] = 0; k[0] < p->taps[0].n; k[0]++)
        for (k[1] = 0; k[1] < p->taps[1].n; k[1]++)
            for (k[2] = 0; k[2] < p->taps[2].n; k[2]++, sum += j->ld * (int64_t)p->t->size) {
                int64_t at = group * p->cout * m->d->ws[0] + c * m->d->ws[1];
                for (int i = 0; i < m->d->nd; i++) at += k[3 - m->d->nd + i] * m->d->ws[2 + i];
                p->t->store(m->dw + at * (int64_t)wn_dtype_size(p->dtype), p->dtype, m->d->ws[0], sum, p->cout);
            }
}

/* Do all (c, tap) lie end to end in dw? Then the sums are transposed, not scattered. */
static bool dense(const wn__conv *d) {
    int64_t step = 1;
    for (int i = d->nd; i >= 0; i--) {
        const int64_t size = i ? d->kernel[i - 1] : d->in_channels / d->groups;
        if (size > 1 && d->ws[1 + i] != step) return false;
        step *= size;
    }
    return true;
}

/* Adds the parts in order and stores dw; units: (group, block of channels). */
static void merge_task(void *ctx, int64_t begin, int64_t end) {
    const merge *m = ctx;
    conv_weight_job *j = m->j;
    const wn__conv_plan *p = j->p;
    const int64_t size = (int64_t)p->t->size, blocks = (p->cin + j->merged - 1) / j->merged, most = j->merged * p->ntaps;
    char *piece = wn__scratch(1, (size_t)(most * p->cout * size + (most + p->cout) * 8 + 128));
    if (!piece) {
        atomic_store(&j->failed, true);
        return;
    }
    int64_t *outer = (int64_t *)(void *)piece, *inner = outer + most;
    piece += (most + p->cout) * 8;
    for (int64_t i = 0; i < most; i++) outer[i] = i * j->ld;
    for (int64_t i = 0; i < p->cout; i++) inner[i] = i;
    for (int64_t u = begin; u < end; u++) {
        const int64_t group = u / blocks, c = u % blocks * j->merged, n = c + j->merged < p->cin ? j->merged : p->cin - c, rows = n * p->ntaps;
        char *sum = sums_at(j, 0, group, c * p->ntaps);
        add_parts(j, group, c * p->ntaps, rows * j->ld, sum);
        if (dense(m->d)) {
            p->t->pack(piece, (int)rows, (int)rows, p->cout, sum, p->t->dtype, outer, inner);
            char *to = m->dw + (group * p->cout * m->d->ws[0] + c * p->ntaps) * (int64_t)wn_dtype_size(p->dtype);
            p->t->store_rows(to, p->dtype, m->d->ws[0], 1, rows, p->cout, piece, rows, -0.0);
        } else {
            for (int64_t i = 0; i < n; i++) store_channel(m, group, c + i, sum + i * p->ntaps * j->ld * size);
        }
    }
}

/* Chooses stacks, parts and blocks from the shape alone. */
static void choose_parts(conv_weight_job *j) {
    const wn__conv_plan *p = j->p;
    const int64_t row = j->ld * (int64_t)p->t->size, all = p->groups * rows_all(j) * row, band = p->rows * p->out[2], positions = p->out[0] * p->out[1] * p->out[2];
    j->block = p->chunk;
    while (j->block > 1 && j->block * p->ntaps * row > SUM_BYTES && p->images * positions > PART_POSITIONS) j->block = (j->block + 1) / 2;
    j->blocks = p->cin ? (p->cin + j->block - 1) / j->block : 0;
    j->stack = 1;
    if (p->bands == 1 && band > 0) { /* small images: several copies fit */
        const int64_t bytes = image_elements(j) * (int64_t)p->t->size;
        while (j->stack < p->images && j->stack * band < POSITIONS && (j->stack + 1) * bytes <= 2 * COPY_BYTES) j->stack++;
    }
    j->units = (p->images + j->stack - 1) / j->stack * p->out[0] * p->bands;
    int64_t most = p->images * positions / PART_POSITIONS;
    if (most * p->groups * j->blocks < TASKS) most = TASKS / (p->groups * j->blocks);
    j->parts = ALL_SUMS / (all ? all : 1) < PARTS ? ALL_SUMS / all : PARTS;
    if (j->parts > most) j->parts = most;
    if (j->parts > j->units) j->parts = j->units;
    if (j->parts < 1) j->parts = 1;
    j->merged = MERGED / p->ntaps < 1 ? 1 : MERGED / p->ntaps;
}

wn__ran wn__conv_parts_weight(void *form, const void *call) {
    wn__conv_form *f = form;
    const wn__conv_call *c = call;
    wn__conv_plan *p = &f->p;
    conv_weight_job j = {.p = p, .x = c->in, .dy = c->w};
    wn__conv_geometry(p, COPY_BYTES / (int64_t)p->t->size);
    j.np = wn__panels(p->cout, p->t->nr);
    j.ld = j.np * p->t->nr;
    j.dots = p->cout <= 2;
    if (j.dots) j.ld = p->cout;
    choose_parts(&j);
    j.pairs = suits_pairs(&j);
    const int64_t sums = (j.parts * p->groups * rows_all(&j) * j.ld * (int64_t)p->t->size + 63) / 64 * 64;
    j.sums = wn__scratch(0, (size_t)(sums + p->chunk * p->ntaps * 8 + 64));
    if (!j.sums) return WN__NO_MEMORY;
    j.offsets = (int64_t *)(void *)(j.sums + sums);
    if (p->out[0] * p->out[1] * p->out[2] > 0) wn__conv_offsets(p, j.offsets);
    else j.units = 0;
    const int64_t tasks = j.parts * p->groups * j.blocks;
    const double each = (double)j.block * (double)p->ntaps * (double)p->cout * (double)p->out[1] * (double)p->out[2] *
                        (double)(j.units / j.parts + 1);
    if (!wn__parallel_fresh(tasks, 1 + (int64_t)(200000 / (each + 1)), conv_weight_task, &j) || atomic_load(&j.failed)) return WN__NO_MEMORY;
    merge m = {&j, f->d, c->out};
    return wn__ran_if(wn__parallel_fresh(p->groups * ((p->cin + j.merged - 1) / j.merged), 1 + 65536 / (j.merged * p->ntaps * j.ld * j.parts), merge_task, &m) && !atomic_load(&j.failed));
}
