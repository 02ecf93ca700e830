/* The gradient of a convolution in its weights: dw[(c, tap)][o] = sum over images and positions of window * dy. The windows
 * are read in the padded copy through one pointer for each (c, tap), dy is packed with output channels side by side. The
 * long sum is dealt to a fixed number of parts (from the shape alone), which are added in order: the same bits for any
 * number of threads. */
#include "core/alloc.h"
#include "cpu/conv_plan.h"
#include "cpu/pool.h"
#include <stdatomic.h>
#include <string.h>

enum { COPY_BYTES = 128 << 10, SUM_BYTES = 512 << 10, PARTS = 16, ALL_SUMS = 64 << 20 };

typedef struct job {
    const wn__conv_plan *p;
    const char *x, *dy;
    int64_t units, parts;       /* bands of all images; shares of them */
    int64_t block, blocks;      /* channels of a task, in whole; blocks of a group */
    int64_t np, ld;             /* panels of output channels; their padded number */
    char *sums;                 /* [part][group][c, tap][o] */
    int64_t *offsets;           /* of (c, tap) in the copy */
    bool dots;                  /* too few output channels to fill a vector: dot products along rows */
    _Atomic bool failed;
} job;

static int64_t rows_all(const job *j) { return j->p->cin * j->p->ntaps; }
static char *sums_at(const job *j, int64_t part, int64_t group, int64_t row) {
    return j->sums + ((part * j->p->groups + group) * rows_all(j) + row) * j->ld * (int64_t)j->p->t->size;
}

/* Scratch of a task. */
typedef struct work {
    char *copy, *packed;
    int64_t *inner, *runs;
} work;

/* dy of one band as [output channel][position], for dot products. */
static void load_dy(const job *j, const work *s, const char *from, int64_t rows) {
    const wn__conv_plan *p = j->p;
    const int64_t isize = (int64_t)wn_dtype_size(p->dtype);
    char *to = s->packed;
    for (int64_t o = 0; o < p->cout; o++)
        for (int64_t y = 0; y < rows; y++, to += p->out[2] * (int64_t)p->t->size)
            p->t->load(to, from + (o * p->out_stride[1] + y * p->out_stride[3]) * isize, p->dtype, p->out[2], p->out_stride[4]);
}

/* dy of one band as panels [position][nr], the positions of a row end to end without gaps. */
static void pack_dy(const job *j, const work *s, int64_t image, int64_t group, int64_t z, int64_t y0, int64_t rows) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const int64_t n = rows * p->out[2];
    int64_t outer[WN__GEMM_MAX_NR];
    const char *from = j->dy + (image * p->out_stride[0] + group * p->cout * p->out_stride[1] + z * p->out_stride[2] +
                                y0 * p->out_stride[3]) * (int64_t)wn_dtype_size(p->dtype);
    if (j->dots) {
        load_dy(j, s, from, rows);
        return;
    }
    for (int64_t y = 0; y < rows; y++)
        for (int64_t x = 0; x < p->out[2]; x++) s->inner[y * p->out[2] + x] = y * p->out_stride[3] + x * p->out_stride[4];
    for (int64_t q = 0; q < j->np; q++) {
        const int64_t o = q * t->nr, w = p->cout - o < t->nr ? p->cout - o : t->nr;
        for (int64_t i = 0; i < w; i++) outer[i] = (o + i) * p->out_stride[1];
        t->pack(s->packed + q * n * t->nr * (int64_t)t->size, t->nr, (int)w, n, from, p->dtype, outer, s->inner);
    }
}

/* The products of one band: rows (c, tap) of channels c0..c1 by panels of output channels. */
static void add_band(const job *j, const work *s, int64_t c0, int64_t c1, int64_t rows, char *sums) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const int64_t size = (int64_t)t->size, total = (c1 - c0) * p->ntaps, panels = wn__panels(total, t->mr), n = rows * p->out[2];
    const void *arow[WN__GEMM_MAX_MR];
    for (int64_t i = 0; i < panels; i++) {
        const int64_t r = wn__panel_start(total, panels, i);
        const int w = (int)(wn__panel_start(total, panels, i + 1) - r);
        for (int l = 0; l < w; l++) arow[l] = s->copy + j->offsets[r + l] * size;
        for (int64_t o = 0; o < p->cout && j->dots; o++)
            t->dot_runs(w, rows, p->out[2], arow, s->runs, s->packed + o * n * size, sums + (r * j->ld + o) * size, j->ld);
        for (int64_t q = 0; q < j->np && !j->dots; q++) {
            const int64_t o = q * t->nr;
            const int cols = (int)(p->cout - o <= t->nr / 2 ? t->nr / 2 : t->nr); /* the sums have room for whole vectors */
            t->tile_runs(w, cols, rows, p->out[2], arow, s->runs, s->packed + q * n * t->nr * size, sums + (r * j->ld + o) * size,
                         j->ld, 1, 1);
        }
    }
}

static bool get_scratch(const job *j, work *s) {
    const wn__conv_plan *p = j->p;
    const int64_t size = (int64_t)p->t->size, n = p->rows * p->out[2];
    const int64_t copy = ((j->block * p->channel + WN__CONV_SLACK) * size + 63) / 64 * 64;
    const int64_t packed = j->np * n * p->t->nr * size + 64;
    s->copy = wn__scratch(1, (size_t)(copy + packed + (n + p->rows) * 8));
    if (!s->copy) return false;
    s->packed = s->copy + copy;
    s->inner = (int64_t *)(void *)(s->packed + packed);
    s->runs = s->inner + n;
    for (int64_t y = 0; y < p->rows; y++) s->runs[y] = y * p->width;
    return true;
}

/* Tasks: (part, group, block of channels). */
static void task(void *ctx, int64_t begin, int64_t end, int worker) {
    job *j = ctx;
    const wn__conv_plan *p = j->p;
    work s;
    (void)worker;
    if (!get_scratch(j, &s)) {
        atomic_store(&j->failed, true);
        return;
    }
    for (int64_t u = begin; u < end; u++) {
        const int64_t c0 = u % j->blocks * j->block, c1 = c0 + j->block < p->cin ? c0 + j->block : p->cin;
        const int64_t group = u / j->blocks % p->groups, part = u / j->blocks / p->groups;
        char *sums = sums_at(j, part, group, c0 * p->ntaps);
        memset(sums, 0, (size_t)((c1 - c0) * p->ntaps * j->ld) * p->t->size);
        for (int64_t v = wn__panel_start(j->units, j->parts, part); v < wn__panel_start(j->units, j->parts, part + 1); v++) {
            const int64_t y0 = v % p->bands * p->rows, z = v / p->bands % p->out[0], image = v / p->bands / p->out[0];
            const int64_t rows = y0 + p->rows < p->out[1] ? p->rows : p->out[1] - y0;
            const char *from = j->x + (image * p->in_stride[0] + group * p->cin * p->in_stride[1]) * (int64_t)wn_dtype_size(p->dtype);
            wn__conv_copy(p, from, c0, c1 - c0, z, y0, s.copy);
            pack_dy(j, &s, image, group, z, y0, rows);
            add_band(j, &s, c0, c1, rows, sums);
        }
    }
}

typedef struct merge {
    const job *j;
    const wn__conv *d;
    char *dw;
} merge;

/* Adds the parts in order and stores dw; units: (group, channel). */
static void merge_task(void *ctx, int64_t begin, int64_t end, int worker) {
    const merge *m = ctx;
    const job *j = m->j;
    const wn__conv_plan *p = j->p;
    const int64_t size = (int64_t)p->t->size, osize = (int64_t)wn_dtype_size(p->dtype);
    (void)worker;
    for (int64_t u = begin; u < end; u++) {
        const int64_t group = u / p->cin, c = u % p->cin;
        char *sum = sums_at(j, 0, group, c * p->ntaps);
        for (int64_t part = 1; part < j->parts; part++) {
            const char *more = sums_at(j, part, group, c * p->ntaps);
            const int64_t n = p->ntaps * j->ld;
            if (size == 4)
                for (int64_t i = 0; i < n; i++) ((float *)(void *)sum)[i] += ((const float *)(const void *)more)[i];
            else
                for (int64_t i = 0; i < n; i++) ((double *)(void *)sum)[i] += ((const double *)(const void *)more)[i];
        }
        int64_t k[3];
        for (k[0] = 0; k[0] < p->taps[0].n; k[0]++)
            for (k[1] = 0; k[1] < p->taps[1].n; k[1]++)
                for (k[2] = 0; k[2] < p->taps[2].n; k[2]++, sum += j->ld * size) {
                    int64_t at = group * p->cout * m->d->ws[0] + c * m->d->ws[1];
                    for (int i = 0; i < m->d->nd; i++) at += k[3 - m->d->nd + i] * m->d->ws[2 + i];
                    p->t->store(m->dw + at * osize, p->dtype, m->d->ws[0], sum, p->cout);
                }
    }
}

/* Parts and blocks from the shape alone. */
static void choose_parts(job *j) {
    const wn__conv_plan *p = j->p;
    const int64_t row = j->ld * (int64_t)p->t->size, all = p->groups * rows_all(j) * row;
    j->units = p->images * p->out[0] * p->bands;
    j->parts = ALL_SUMS / (all ? all : 1) < 1 ? 1 : ALL_SUMS / (all ? all : 1) < PARTS ? ALL_SUMS / all : PARTS;
    if (j->parts > j->units) j->parts = j->units;
    if (j->parts < 1) j->parts = 1;
    j->block = p->chunk;
    while (j->block > 1 && j->block * p->ntaps * row > SUM_BYTES) j->block = (j->block + 1) / 2;
    j->blocks = p->cin ? (p->cin + j->block - 1) / j->block : 0;
}

bool wn__conv_grad_weight(const wn__conv *d, const void *x, const void *dy, void *dw) {
    if (wn__conv_is_whole(d)) return wn__conv_whole_grad_weight(d, x, dy, dw);
    wn__conv_plan p;
    wn__conv_forward_plan(d, &p);
    wn__conv_geometry(&p, COPY_BYTES / (int64_t)p.t->size);
    job j = {.p = &p, .x = x, .dy = dy};
    if (p.groups * p.cin * p.cout * p.ntaps == 0) return true;
    j.np = wn__panels(p.cout, p.t->nr);
    j.ld = j.np * p.t->nr;
    j.dots = p.cout <= 2;
    if (j.dots) j.ld = p.cout;
    choose_parts(&j);
    const int64_t sums = (j.parts * p.groups * rows_all(&j) * j.ld * (int64_t)p.t->size + 63) / 64 * 64;
    j.sums = wn__scratch(0, (size_t)(sums + p.chunk * p.ntaps * 8 + 64));
    if (!j.sums) return false;
    j.offsets = (int64_t *)(void *)(j.sums + sums);
    if (p.out[0] * p.out[1] * p.out[2] > 0) wn__conv_offsets(&p, j.offsets);
    else j.units = 0;
    const int64_t tasks = j.parts * p.groups * j.blocks;
    const double each = (double)j.block * (double)p.ntaps * (double)p.cout * (double)p.out[1] * (double)p.out[2] *
                        (double)(j.units / j.parts + 1);
    wn__parallel(tasks, 1 + (int64_t)(200000 / (each + 1)), task, &j);
    if (atomic_load(&j.failed)) return false;
    merge m = {&j, d, dw};
    wn__parallel(p.groups * p.cin, 1 + 65536 / (p.ntaps * j.ld * j.parts), merge_task, &m);
    return true;
}
