/* Convolution forward and its gradient in the input along rows of the image, for whatever no other row of the tables
 * suits: both correlate an image with taps. Weights are packed once into panels of rows. The other operand is the
 * padded copy of a band (conv_plan.h), [row of w] x [position, rows of the band end to end], which the register tile
 * reads through a table of offsets. The few positions between rows are computed and dropped. */
#include "base/alloc.h"
#include "engine/conv_plan.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

/* Bytes of a band's copy and of a task's sums. Both should stay in L2: 512 KB on a Zen 3, with AVX-512 1 MB or more. */
static int64_t copy_bytes(const wn__gemm_type *t) { return (t->nr * (int64_t)t->size == 128 ? 192 : 128) << 10; }
static int64_t sum_bytes(const wn__gemm_type *t) { return (t->nr * (int64_t)t->size == 128 ? 384 : 256) << 10; }

typedef struct conv_rows_job {
    const wn__conv_plan *p;
    const wn__conv_call *call;
    int64_t k, mp;                 /* channels * taps; panels of rows */
    int64_t mblock, mblocks;       /* panels that one task sums; number of such blocks */
    int64_t ld;                    /* distance between rows of sums */
    char *packed;
    int64_t *offsets;
    bool in_place;                 /* the image is read in place: it needs no padding, sorting or conversion */
    bool into_result;              /* tasks of one panel sum into the result itself, then in L1 for its bias */
    _Atomic bool failed;
} conv_rows_job;

static int64_t panel_row(const conv_rows_job *j, int64_t panel) { return wn__panel_start(j->p->cout, j->mp, panel); }

static char *panel_at(const conv_rows_job *j, int64_t group, int64_t panel, int64_t channel) {
    const int64_t before = (group * j->mp + panel) * j->k + channel * j->p->ntaps;
    return j->packed + before * j->p->t->mr * (int64_t)j->p->t->size;
}

/* Units: (group, panel of rows). */
static void pack_task(void *ctx, int64_t begin, int64_t end) {
    const conv_rows_job *j = ctx;
    const wn__conv_plan *p = j->p;
    enum { STEP = 256 };
    int64_t outer[WN__GEMM_MAX_MR], inner[STEP];
    wn__group g = {.n = 4, .total = j->k, .size = {p->cin}, .stride = {j->call->wc}};
    int64_t first = 0;
    for (int d = 0; d < 3; d++) {
        g.size[1 + d] = p->taps[d].n;
        g.stride[1 + d] = p->taps[d].kernel_step * j->call->wk[d];
        first += p->taps[d].kernel0 * j->call->wk[d];
    }
    for (int64_t u = begin; u < end; u++) {
        const int64_t group = u / j->mp, panel = u % j->mp, r0 = panel_row(j, panel), w = panel_row(j, panel + 1) - r0;
        for (int64_t i = 0; i < w; i++) outer[i] = group * j->call->wgroup + first + (r0 + i) * j->call->wm;
        char *to = panel_at(j, group, panel, 0);
        for (int64_t k = 0; k < j->k; k += STEP) {
            const int64_t n = j->k - k < STEP ? j->k - k : STEP;
            wn__group_offsets(&g, k, n, inner);
            p->t->pack(to + k * p->t->mr * (int64_t)p->t->size, p->t->mr, (int)w, n, j->call->w, p->dtype, outer, inner);
        }
    }
}

/* One task: rows of w (panels p0..p1) by the positions of one image's band. */
typedef struct part {
    int64_t image, group, z, y0, rows, p0, p1;
    char *copy, *sum, *row;
} part;

static part part_of(const conv_rows_job *j, int64_t u) {
    const wn__conv_plan *p = j->p;
    part a = {.p0 = u % j->mblocks * j->mblock};
    u /= j->mblocks;
    a.p1 = a.p0 + j->mblock < j->mp ? a.p0 + j->mblock : j->mp;
    a.y0 = u % p->bands * p->rows;
    u /= p->bands;
    a.rows = a.y0 + p->rows < p->out[1] ? p->rows : p->out[1] - a.y0;
    a.z = u % p->out[0];
    u /= p->out[0];
    a.group = u % p->groups;
    a.image = u / p->groups;
    return a;
}

static void sum_up(const conv_rows_job *j, const part *a) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const int64_t size = (int64_t)t->size, positions = (a->rows - 1) * p->width + p->out[2], m0 = panel_row(j, a->p0);
    const int64_t lanes = t->nr / 2, vectors = (positions + lanes - 1) / lanes * lanes; /* whole vectors: the sums have room */
    const char *image = j->call->in + (a->image * p->in_stride[0] + a->group * p->cin * p->in_stride[1]) * (int64_t)wn_dtype_size(p->dtype);
    for (int64_t c = 0; c < p->cin; c += p->chunk) {
        const int64_t n = p->cin - c < p->chunk ? p->cin - c : p->chunk;
        const char *in = a->copy;
        if (j->in_place) in = image + (c * p->in_stride[1] + a->y0 * p->in_stride[3]) * size;
        else wn__conv_copy(p, image, c, n, a->z, a->y0, a->copy);
        for (int64_t i = a->p0; i < a->p1; i++) {
            const int64_t r = panel_row(j, i);
            const int w = (int)(panel_row(j, i + 1) - r);
            const char *wp = panel_at(j, a->group, i, c);
            char *to = a->sum + (r - m0) * j->ld * size;
            t->tile_table(w, vectors, n * p->ntaps, wp, in, j->offsets, to, j->ld, c > 0);
        }
    }
}

/* Bias and epilogue for sums that were made in the result. */
static void finish_result(const conv_rows_job *j, const part *a) {
    const wn__conv_plan *p = j->p;
    const int64_t positions = a->rows * p->out[2], at = a->y0 * p->out[2];
    char *row = a->sum;
    for (int64_t m = panel_row(j, a->p0); m < panel_row(j, a->p1); m++, row += j->ld * (int64_t)p->t->size) {
        const int64_t channel = a->group * p->cout + m;
        if (j->call->bias) p->t->store_rows(row, p->dtype, positions, 1, positions, 1, row, positions, wn__conv_bias(p, j->call, channel));
        if (j->call->e) j->call->e->run(j->call->e->ctx, row, a->image, channel, at, positions);
    }
}

/* Stores sums without the positions between rows, with bias and epilogue. */
static void write_out(const conv_rows_job *j, const part *a) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const int64_t size = (int64_t)t->size, osize = (int64_t)wn_dtype_size(p->dtype), n = p->out[2], m0 = panel_row(j, a->p0);
    /* The epilogue works in the result, if rows lie there in the compute type, else in a buffer; on all channels at
     * once if they follow each other. */
    const bool there = j->call->e && p->dtype == t->dtype && p->out_stride[4] == 1 && p->out_stride[3] == n;
    const bool whole = there && j->call->e->runs_on && p->out[0] == 1 && a->rows == p->out[1] && p->out_stride[1] == a->rows * n;
    char *first = j->call->out + (a->image * p->out_stride[0] + (a->group * p->cout + m0) * p->out_stride[1]) * osize;
    for (int64_t m = m0; m < panel_row(j, a->p1); m++) {
        const int64_t channel = a->group * p->cout + m;
        char *to = j->call->out + (a->image * p->out_stride[0] + channel * p->out_stride[1] + a->z * p->out_stride[2] +
                             a->y0 * p->out_stride[3]) * osize;
        const char *from = a->sum + (m - m0) * j->ld * size;
        int64_t width = p->width;
        for (int64_t y = 0; y < a->rows && p->out_stride[4] > 0; y++)
            wn__fetch(to + (p->out_stride[1] + y * p->out_stride[3]) * osize, ((n - 1) * p->out_stride[4] + 1) * osize);
        if (j->call->even) {
            const int64_t evens = j->call->evens, row = ((a->image * p->groups * p->cout + channel) * p->out[0] + a->z) * p->out[1] + a->y0;
            t->zip_rows(to - size, p->out_stride[3], n + evens, a->rows, j->call->even + row * evens * size, from, evens, width);
            continue;
        }
        double add = wn__conv_bias(p, j->call, channel);
        if (j->call->e && !there) {
            t->store_rows(a->row, t->dtype, n, 1, n, a->rows, from, width, add);
            j->call->e->run(j->call->e->ctx, a->row, a->image, channel, (a->z * p->out[1] + a->y0) * n, a->rows * n);
            from = a->row, width = n, add = -0.0;
        }
        t->store_rows(to, p->dtype, p->out_stride[3], p->out_stride[4], n, a->rows, from, width, add);
        if (there && !whole) j->call->e->run(j->call->e->ctx, to, a->image, channel, (a->z * p->out[1] + a->y0) * n, a->rows * n);
    }
    if (whole) j->call->e->run(j->call->e->ctx, first, a->image, a->group * p->cout + m0, 0, (panel_row(j, a->p1) - m0) * a->rows * n);
}

/* Units as conv_rows_task's, for sums that are made in the result. */
static void result_task(void *ctx, int64_t begin, int64_t end) {
    const conv_rows_job *j = ctx;
    const wn__conv_plan *p = j->p;
    for (int64_t u = begin; u < end; u++) {
        part a = part_of(j, u);
        const int64_t channel = a.group * p->cout + panel_row(j, a.p0);
        a.sum = j->call->out + (a.image * p->out_stride[0] + channel * p->out_stride[1] + a.y0 * p->out_stride[3]) * (int64_t)p->t->size;
        sum_up(j, &a);
        finish_result(j, &a);
    }
}

static void conv_rows_task(void *ctx, int64_t begin, int64_t end) {
    conv_rows_job *j = ctx;
    const wn__conv_plan *p = j->p;
    const int64_t size = (int64_t)p->t->size, most = j->mblock * p->t->mr;
    const int64_t copy = (p->chunk * p->channel + WN__CONV_SLACK) * size, sum = (most * j->ld + WN__CONV_SLACK) * size;
    char *scratch = wn__scratch(1, (size_t)(copy + sum + (p->rows * p->out[2] + WN__CONV_SLACK) * size));
    if (!scratch) {
        atomic_store(&j->failed, true);
        return;
    }
    for (int64_t u = begin; u < end; u++) {
        part a = part_of(j, u);
        a.copy = scratch;
        a.sum = scratch + copy;
        a.row = a.sum + sum;
        if (j->k) sum_up(j, &a);
        else memset(a.sum, 0, (size_t)sum);
        write_out(j, &a);
    }
}

/* Chooses how many panels of rows a task takes: its sums stay in L2, and every thread gets tasks. */
static void choose_blocks(conv_rows_job *j) {
    const wn__conv_plan *p = j->p;
    const int64_t room = sum_bytes(p->t), bytes = j->ld * p->t->mr * (int64_t)p->t->size, units = p->images * p->groups * p->out[0] * p->bands;
    j->mblock = j->into_result ? 1 : room / bytes < 1 ? 1 : room / bytes < j->mp ? room / bytes : j->mp;
    const int64_t want = (2 * (int64_t)wn_num_threads() + units - 1) / units; /* blocks wanted for each band */
    if ((j->mp + j->mblock - 1) / j->mblock < want) j->mblock = (j->mp + want - 1) / want;
    j->mblocks = (j->mp + j->mblock - 1) / j->mblock;
}

double wn__conv_bias(const wn__conv_plan *p, const wn__conv_call *c, int64_t channel) {
    if (!c->bias) return -0.0;
    if (p->t->size == 8) return ((const double *)(const void *)c->bias)[channel];
    float f;
    p->t->load(&f, c->bias + channel * (int64_t)wn_dtype_size(p->dtype), p->dtype, 1, 1);
    return (double)f;
}

/* Is it a 1x1 kernel over rows that lie end to end? Whole vectors are read, so bands must consist of them. */
static bool reads_in_place(const wn__conv_plan *p) {
    const int64_t lanes = p->t->nr / 2;
    if (p->ntaps != 1 || p->dtype != p->t->dtype || p->in[0] != 1 || p->out[0] != 1 || p->in_stride[4] != 1 || p->in_stride[3] != p->out[2]) return false;
    for (int d = 0; d < 3; d++)
        if (p->step[d] != 1 || p->taps[d].first != 0 || p->out[d] > p->in[d]) return false;
    return p->rows * p->out[2] % lanes == 0 && p->out[1] % p->rows * p->out[2] % lanes == 0;
}

wn__ran wn__conv_along_rows(void *form, const void *on) {
    wn__conv_plan *p = &((wn__conv_form *)form)->p;
    const wn__conv_call *call = on;
    wn__conv_geometry(p, copy_bytes(p->t) / (int64_t)p->t->size);
    conv_rows_job all = {.p = p, .call = call}, *j = &all;
    const int64_t size = (int64_t)p->t->size;
    if (p->images * p->groups * p->cout * p->out[0] * p->out[1] * p->out[2] == 0) return WN__RAN;
    j->k = p->cin * p->ntaps;
    j->mp = wn__panels(p->cout, p->t->mr);
    j->ld = ((p->rows - 1) * p->width + p->out[2] + p->t->nr - 1) / p->t->nr * p->t->nr;
    j->in_place = j->k && reads_in_place(p);
    j->into_result = j->in_place && !call->even && p->out_stride[4] == 1 && p->out_stride[3] == p->out[2];
    if (j->into_result) j->ld = p->out_stride[1];
    choose_blocks(j);
    const int64_t packed = (p->groups * j->mp * j->k * p->t->mr * size + 63) / 64 * 64;
    j->packed = wn__scratch(0, (size_t)(packed + p->chunk * p->ntaps * 8 + 64));
    if (!j->packed) return WN__NO_MEMORY;
    j->offsets = (int64_t *)(void *)(j->packed + packed);
    if (j->k) {
        if (!j->in_place) wn__conv_offsets(p, j->offsets);
        for (int64_t c = 0; j->in_place && c < p->chunk; c++) j->offsets[c] = c * p->in_stride[1];
        if (!wn__parallel_fresh(p->groups * j->mp, 1 + 65536 / (j->k * p->t->mr), pack_task, j)) return WN__NO_MEMORY;
    }
    const int64_t units = p->images * p->groups * p->out[0] * p->bands * j->mblocks;
    const double work = (double)(j->k + 4) * (double)(j->mblock * p->t->mr < p->cout ? j->mblock * p->t->mr : p->cout) *
                        (double)(p->rows * p->width);
    return wn__ran_if(wn__parallel_fresh(units, 1 + (int64_t)(200000 / work), j->into_result ? result_task : conv_rows_task, j) && !atomic_load(&j->failed));
}
