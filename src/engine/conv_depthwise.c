/* Depthwise convolution forward and its gradient in the input. A group has one input channel, so nothing is summed over
 * channels and a plane is a stencil. The padded copy of a band (conv_plan.h) stays in L1, the weights in registers.
 * With a stride, the gradient correlates dy once for each remainder modulo the stride, all from one copy, and deals the
 * remainders' elements into the rows of dx. Two dimensions. */
#include "base/alloc.h"
#include "engine/conv_plan.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

enum { COPY_BYTES = 16 << 10, MOST_OUT = 4, MOST_TAPS = 1024, MOST_PHASES = 64 };

/* The taps for one remainder of the result's coordinates. Forward has one remainder. */
typedef struct phase {
    int64_t first, columns; /* a range of job.columns */
} phase;

typedef struct conv_depthwise_job {
    wn__conv_plan p; /* the plan of the copy; its positions are those of remainder 0 */
    const wn__conv_call *call;
    int64_t size[2], step[2]; /* of the result; its stride (forward: 1) */
    wn__column *columns;
    int64_t *weights; /* offsets in w, in the order of the columns */
    int64_t taps;
    phase phases[MOST_PHASES];
    _Atomic bool failed;
} conv_depthwise_job;

bool wn__conv_depthwise_suits(const void *form) {
    const wn__conv_plan *p = &((const wn__conv_form *)form)->p;
    const bool flat = p->taps[0].n == 1 && p->in[0] == 1 && p->out[0] == 1;
    return flat && p->groups > 1 && p->cin == 1 && p->cout <= MOST_OUT && p->taps[1].n * p->taps[2].n <= MOST_TAPS && p->step[1] * p->step[2] <= MOST_PHASES;
}

/* A tap in one dimension for results of remainder r, in rising order within a plane of the copy. */
typedef struct tap {
    int64_t plane, shift, kernel;
} tap;

static int64_t list_taps(const wn__conv_plan *given, const wn__conv_plan *p, int d, bool transposed, int64_t r, tap *out) {
    const wn__taps *t = &given->taps[d];
    int64_t n = 0;
    if (!transposed) {
        for (int64_t plane = 0; plane < p->phases[d]; plane++)
            for (int64_t k = plane; k < t->n; k += p->phases[d]) out[n++] = (tap){plane, k * t->move / p->step[d], k};
        return n;
    }
    for (int64_t k = t->n - 1; k >= 0; k--) {
        const int64_t at = r - t->first - k * t->move;
        if (at % given->step[d] == 0) out[n++] = (tap){0, at / given->step[d] - p->low[d], k};
    }
    return n;
}

/* The gradient's copy reaches from any remainder's lowest source to the highest, as if taps were one element apart. */
static wn__taps spread(const wn__conv_plan *given, int d) {
    const wn__taps *t = &given->taps[d];
    const int64_t s = given->step[d], high = s - 1 - t->first, low = -t->first - (t->n - 1) * t->move;
    const int64_t first = low >= 0 ? low / s : -((-low + s - 1) / s), last = high >= 0 ? high / s : -((-high + s - 1) / s);
    return (wn__taps){last - first + 1, first, 1, 0, 1};
}

static void add_phase(conv_depthwise_job *j, const wn__conv_plan *given, bool transposed, const int64_t *r, phase *out, wn__column *columns, tap *y, tap *x) {
    const wn__conv_plan *p = &j->p;
    const int64_t ny = list_taps(given, p, 1, transposed, r[0], y), nx = list_taps(given, p, 2, transposed, r[1], x);
    out->columns = 0;
    for (int64_t i = 0; i < nx; i++)
        for (int64_t k = 0; k < ny;) {
            wn__column *c = &columns[out->columns++];
            c->offset = ((y[k].plane * p->phases[2] + x[i].plane) * p->height + y[k].shift) * p->width + x[i].shift;
            c->weight = j->taps;
            for (c->n = 0; c->n < 3 && k < ny && (!c->n || (y[k].plane == y[k - 1].plane && y[k].shift == y[k - 1].shift + 1)); c->n++, k++)
                j->weights[j->taps++] = y[k].kernel * j->call->wk[1] + x[i].kernel * j->call->wk[2];
        }
}

/* Scratch of a task. */
typedef struct work {
    char *copy, *weights, *piece;
} work;

static int64_t left(int64_t size, int64_t step, int64_t r, int64_t at, int64_t most) { /* positions of remainder r from `at` on */
    const int64_t n = size > r ? (size - r + step - 1) / step - at : 0;
    return n < 0 ? 0 : n < most ? n : most;
}

/* Writes rows of the result with remainder ry, from their position y0 on; to: the band's first element. */
static void write_rows(const conv_depthwise_job *j, const work *s, int64_t ry, int64_t y0, double add, char *to) {
    const wn__conv_plan *p = &j->p;
    const wn__gemm_type *t = p->t;
    const int64_t size = (int64_t)t->size, osize = (int64_t)wn_dtype_size(p->dtype), rows = left(j->size[0], j->step[0], ry, y0, p->rows);
    const int64_t row = j->step[0] * p->out_stride[3], sx = j->step[1];
    const bool same = p->dtype == t->dtype && p->out_stride[4] == 1;
    char *pieces[2] = {s->piece, s->piece + p->rows * p->out[2] * size};
    to += (y0 * j->step[0] + ry) * p->out_stride[3] * osize;
    for (int64_t rx = 0; rx < sx; rx++) {
        const phase *f = &j->phases[ry * sx + rx];
        const int64_t cols = left(j->size[1], sx, rx, 0, p->out[2]);
        const bool direct = same && sx == 1;
        char *at = direct ? to : pieces[rx % 2];
        if (cols == 0) continue;
        t->stencil(rows, cols, f->columns, j->columns + f->first, s->weights, s->copy, p->width, at, direct ? row : cols, add);
        if (direct || (same && sx == 2)) continue;
        t->store_rows(to + rx * p->out_stride[4] * osize, p->dtype, row, sx * p->out_stride[4], cols, rows, at, cols, -0.0);
    }
    if (same && sx == 2) t->zip_rows(to, row, j->size[1], rows, pieces[0], pieces[1], left(j->size[1], 2, 0, 0, p->out[2]), left(j->size[1], 2, 1, 0, p->out[2]));
}

/* Forward with an epilogue: writes through a buffer, unless the rows lie end to end in the compute type. */
static void write_finished(const conv_depthwise_job *j, const work *s, int64_t image, int64_t channel, int64_t y0, double add, char *to) {
    const wn__conv_plan *p = &j->p;
    const wn__gemm_type *t = p->t;
    const wn__epilogue *e = j->call->e;
    const int64_t rows = left(j->size[0], 1, 0, y0, p->rows), n = p->out[2];
    const bool there = p->dtype == t->dtype && p->out_stride[4] == 1 && p->out_stride[3] == n;
    char *at = there ? to + y0 * n * (int64_t)t->size : s->piece;
    t->stencil(rows, n, j->phases[0].columns, j->columns, s->weights, s->copy, p->width, at, n, add);
    e->run(e->ctx, at, image, channel, y0 * n, rows * n);
    if (!there) t->store_rows(to + y0 * p->out_stride[3] * (int64_t)wn_dtype_size(p->dtype), p->dtype, p->out_stride[3], p->out_stride[4], n, rows, at, n, -0.0);
}

/* Units: (image, group, band). */
static void conv_depthwise_task(void *ctx, int64_t begin, int64_t end) {
    conv_depthwise_job *j = ctx;
    const wn__conv_plan *p = &j->p;
    const int64_t size = (int64_t)p->t->size, osize = (int64_t)wn_dtype_size(p->dtype), none = 0;
    const int64_t copy = (p->channel + WN__CONV_SLACK) * size, weights = (j->taps + 64) * size;
    work s = {.copy = wn__scratch(1, (size_t)(copy + weights + (2 * p->rows * p->out[2] + WN__CONV_SLACK) * size))};
    if (!s.copy) {
        atomic_store(&j->failed, true);
        return;
    }
    s.weights = s.copy + copy, s.piece = s.weights + weights;
    for (int64_t u = begin; u < end; u++) {
        const int64_t y0 = u % p->bands * p->rows, group = u / p->bands % p->groups, image = u / p->bands / p->groups;
        wn__conv_copy(p, j->call->in + (image * p->in_stride[0] + group * p->in_stride[1]) * osize, 0, 1, 0, y0, s.copy);
        for (int64_t m = 0; m < p->cout; m++) {
            const int64_t channel = group * p->cout + m;
            char *to = j->call->out + (image * p->out_stride[0] + channel * p->out_stride[1]) * osize;
            const double add = j->call->bias ? wn__conv_bias(p, j->call, channel) : 0;
            p->t->pack(s.weights, 1, 1, j->taps, j->call->w + (group * j->call->wgroup + m * j->call->wm) * osize, p->dtype, &none, j->weights);
            if (j->call->e) write_finished(j, &s, image, channel, y0, add, to);
            else
                for (int64_t ry = 0; ry < j->step[0]; ry++) write_rows(j, &s, ry, y0, add, to);
        }
    }
}

wn__ran wn__conv_depthwise(void *form, const void *call) {
    const wn__conv_form *f = form;
    const wn__conv_plan *given = &f->p;
    const bool transposed = wn__conv_transposed(f);
    conv_depthwise_job j = {.p = *given, .call = call};
    if (given->images * given->cout * given->out[1] * given->out[2] == 0) return WN__RAN;
    const int64_t taps = given->taps[1].n * given->taps[2].n, most = given->taps[1].n + given->taps[2].n;
    for (int d = 0; d < 2; d++) {
        j.size[d] = given->out[1 + d];
        j.step[d] = transposed ? given->step[1 + d] : 1;
        if (!transposed) continue;
        j.p.out[1 + d] = (given->out[1 + d] + j.step[d] - 1) / j.step[d];
        j.p.taps[1 + d] = spread(given, 1 + d);
        j.p.step[1 + d] = 1;
    }
    wn__conv_geometry(&j.p, COPY_BYTES / (int64_t)j.p.t->size);
    j.columns = wn__scratch(0, (size_t)(taps * (int64_t)(sizeof(wn__column) + 8) + most * (int64_t)sizeof(tap)));
    if (!j.columns) return WN__NO_MEMORY;
    j.weights = (int64_t *)(void *)(j.columns + taps);
    tap *y = (tap *)(void *)(j.weights + taps);
    int64_t n = 0, r[2];
    for (r[0] = 0; r[0] < j.step[0]; r[0]++)
        for (r[1] = 0; r[1] < j.step[1]; r[1]++) {
            phase *one = &j.phases[r[0] * j.step[1] + r[1]];
            one->first = n;
            add_phase(&j, given, transposed, r, one, j.columns + n, y, y + given->taps[1].n);
            n += one->columns;
        }
    const double each = (double)(taps + 4) * (double)(j.p.rows * j.p.width);
    return wn__ran_if(wn__parallel_fresh(j.p.images * j.p.groups * j.p.bands, 1 + (int64_t)(200000 / each), conv_depthwise_task, &j) && !atomic_load(&j.failed));
}
