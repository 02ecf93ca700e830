/* Sampling at places of a grid. Each place becomes a table of elements and weights, once for all channels, a block of places at a time; the
 * three kernels (values, gradient in the input, gradient in the grid) walk such tables. Those of planes are engine/sampling.h; here are volumes, and
 * derivatives along a direction. Weights are products of one factor for each dimension, whose derivatives are known up to the second: so the
 * same tables, moved along a direction, give the derivatives of the gradients. */
#include <math.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "base/level.h"
#include "base/threads.h"
#include "engine/sampling.h"
#include "grad/tape.h"
#include "ops/spatial/spatial.h"

WN__DECLARE_LEVELS(wn__sampling_kernels, wn__sampling_kernels);

enum { BLOCK = WN__PLACES, MOST = 16, GROUP = 8 }; /* places at a time, elements of one, channels of one thread */

typedef struct grid_sample_job {
    int nd, mode, padding;
    bool align, wide;
    int64_t batch, channels, size[3], places; /* size: x, y, z as in the grid; places: of one image */
    int64_t area;
    const char *x, *grid, *along, *g;  /* row-major, of f32 or f64 */
    char *to;
    int taps;
    const wn__sampling_type *quick; /* for planes; or NULL */
} grid_sample_job;

/* For each of a block of places its elements (offset in a plane, -1: outside) and their weights. */
typedef struct table {
    int64_t at[BLOCK][MOST];
    double w[BLOCK][MOST];
    double dw[BLOCK][3][MOST]; /* by x, y, z of the grid; only where asked for */
} table;

/* ------------------------------------------------------------------ places along one dimension */

/* Places are computed in the elements' type (f32 for narrower ones), as in PyTorch: a rounding decides which element is nearest. */
#define BODY "ops/spatial/grid_sample_of.h"
#include "base/for_floats.h"

static double unnormal(const grid_sample_job *j, double v, int64_t size, double *slope) {
    return j->wide ? unnormal_f64(v, size, j->align, slope) : (double)unnormal_f32((float)v, size, j->align, slope);
}
static double padded(const grid_sample_job *j, double v, int64_t size, double *slope) {
    return j->wide ? pad_f64(j, v, size, slope) : (double)pad_f32(j, (float)v, size, slope);
}
static int64_t inside(double v, int64_t size) { return v >= 0 && v < (double)size ? (int64_t)v : -1; }

/* The elements of one dimension, with factors and their first and second derivatives by the grid's number. */
typedef struct line {
    int n;
    int64_t at[4];
    double w[3][4];
} line;

static void cubic(double t, double s, line *l) {
    const double A = -0.75, d[4] = {t + 1, t, 1 - t, 2 - t}, sign[4] = {1, 1, -1, -1};
    for (int k = 0; k < 4; k++) {
        const double x = d[k];
        const bool far = k == 0 || k == 3;
        l->w[0][k] = far ? ((A * x - 5 * A) * x + 8 * A) * x - 4 * A : ((A + 2) * x - (A + 3)) * x * x + 1;
        l->w[1][k] = sign[k] * s * (far ? (3 * A * x - 10 * A) * x + 8 * A : (3 * (A + 2) * x - 2 * (A + 3)) * x);
        l->w[2][k] = s * s * (far ? 6 * A * x - 10 * A : 6 * (A + 2) * x - 2 * (A + 3));
    }
}

static void make_line(const grid_sample_job *j, double v, int64_t size, line *l) {
    double slope;
    double p = unnormal(j, v, size, &slope);
    memset(l, 0, sizeof *l);
    if (j->mode == WN__CUBIC) {
        const double base = floor(p);
        double ignored = 1;
        l->n = 4;
        cubic(p - base, slope, l);
        for (int k = 0; k < 4; k++) l->at[k] = inside(padded(j, base - 1 + k, size, &ignored), size);
        return;
    }
    p = padded(j, p, size, &slope);
    if (j->mode == WN__NEAREST) {
        l->n = 1;
        l->at[0] = inside(nearbyint(p), size);
        l->w[0][0] = 1;
        return;
    }
    const double base = floor(p);
    l->n = 2;
    l->at[0] = inside(base, size);
    l->at[1] = inside(base + 1, size);
    l->w[0][0] = base + 1 - p;
    l->w[0][1] = p - base;
    l->w[1][0] = -slope;
    l->w[1][1] = slope;
}

/* ------------------------------------------------------------------ tables */

static double number(const grid_sample_job *j, const char *p, int64_t i) { return j->wide ? ((const double *)(const void *)p)[i] : (double)((const float *)(const void *)p)[i]; }

/* The product of the dimensions' factors, differentiated order[d] times by d. */
static double product(const grid_sample_job *j, const line *l, const int *k, const int *order) {
    double w = 1;
    for (int d = 0; d < j->nd; d++) w *= l[d].w[order[d]][k[d]];
    return w;
}
/* The weight, or how it changes along h; differentiated by `by`, too (-1: not). */
static double weight(const grid_sample_job *j, const line *l, const int *k, const double *h, int by) {
    int order[3] = {0};
    if (by >= 0) order[by]++;
    if (!h) return product(j, l, k, order);
    double sum = 0;
    for (int d = 0; d < j->nd; d++) {
        order[d]++;
        sum += h[d] * product(j, l, k, order);
        order[d]--;
    }
    return sum;
}

static void fill(const grid_sample_job *j, int64_t image, int64_t first, int64_t n, table *t, bool slopes) {
    for (int64_t p = 0; p < n; p++) {
        const int64_t place = (image * j->places + first + p) * j->nd;
        line l[3];
        double h[3] = {0};
        for (int d = 0; d < j->nd; d++) {
            make_line(j, number(j, j->grid, place + d), j->size[d], &l[d]);
            if (j->along) h[d] = number(j, j->along, place + d);
        }
        int k[3] = {0};
        for (int i = 0; i < j->taps; i++) {
            int64_t at = 0;
            for (int d = j->nd - 1; d >= 0; d--) at = at < 0 || l[d].at[k[d]] < 0 ? -1 : at * j->size[d] + l[d].at[k[d]];
            t->at[p][i] = at;
            t->w[p][i] = weight(j, l, k, j->along ? h : NULL, -1);
            for (int d = 0; d < j->nd && slopes; d++) t->dw[p][d][i] = weight(j, l, k, j->along ? h : NULL, d);
            for (int d = 0; d < j->nd && ++k[d] == l[d].n; d++) k[d] = 0;
        }
    }
}

/* ------------------------------------------------------------------ blocks */

static int64_t blocks_of(const grid_sample_job *j) { return (j->places + BLOCK - 1) / BLOCK; }
static int64_t length(const grid_sample_job *j, int64_t first) { return j->places - first < BLOCK ? j->places - first : BLOCK; }

/* Where element i of p lies. */
static char *later(const grid_sample_job *j, const char *p, int64_t i) { return (char *)(uintptr_t)p + i * (j->wide ? 8 : 4); }
static void quick_table(const grid_sample_job *j, int64_t image, int64_t first, int64_t n, void *t, bool slopes) {
    const wn__sampled_plane plane = {{j->size[0], j->size[1]}, j->mode, j->padding, j->align};
    j->quick->table(&plane, n, later(j, j->grid, (image * j->places + first) * 2), t, slopes);
}

/* A block's table of either kind. */
typedef union any_table {
    table t;
    wn__sampling_f64 f64;
    wn__sampling_f32 f32;
} any_table;

static void sample_task(void *ctx, int64_t begin, int64_t end) {
    const grid_sample_job *j = ctx;
    any_table any;
    for (int64_t u = begin; u < end; u++) {
        const int64_t image = u / blocks_of(j), first = u % blocks_of(j) * BLOCK, n = length(j, first);
        const int64_t k0 = image * j->channels, k1 = k0 + j->channels;
        if (j->quick) {
            quick_table(j, image, first, n, &any, false);
            j->quick->sample(&any, n, j->channels, later(j, j->x, k0 * j->area), j->area, later(j, j->to, k0 * j->places + first), j->places);
            continue;
        }
        fill(j, image, first, n, &any.t, false);
        for (int64_t k = k0; k < k1; k++) (j->wide ? sample_f64 : sample_f32)(j, &any.t, k, first, n);
    }
}
/* A plane's sums run in the order of the places, whichever thread makes them. */
static void spread_task(void *ctx, int64_t begin, int64_t end) {
    const grid_sample_job *j = ctx;
    any_table any;
    const int64_t groups = (j->channels + GROUP - 1) / GROUP;
    for (int64_t u = begin; u < end; u++) {
        const int64_t image = u / groups, c0 = u % groups * GROUP, c1 = c0 + GROUP < j->channels ? c0 + GROUP : j->channels;
        for (int64_t first = 0; first < j->places; first += BLOCK) {
            const int64_t n = length(j, first);
            const int64_t k0 = image * j->channels + c0, k1 = image * j->channels + c1;
            if (j->quick) {
                quick_table(j, image, first, n, &any, false);
                j->quick->spread(&any, n, c1 - c0, later(j, j->to, k0 * j->area), j->area, later(j, j->g, k0 * j->places + first), j->places);
                continue;
            }
            fill(j, image, first, n, &any.t, false);
            for (int64_t k = k0; k < k1; k++) (j->wide ? spread_f64 : spread_f32)(j, &any.t, k, first, n);
        }
    }
}
static void slopes_task(void *ctx, int64_t begin, int64_t end) {
    const grid_sample_job *j = ctx;
    any_table any;
    for (int64_t u = begin; u < end; u++) {
        const int64_t image = u / blocks_of(j), first = u % blocks_of(j) * BLOCK, n = length(j, first);
        if (j->quick) {
            const int64_t k0 = image * j->channels;
            quick_table(j, image, first, n, &any, true);
            j->quick->slopes(&any, n, j->channels, later(j, j->x, k0 * j->area), j->area, later(j, j->g, k0 * j->places + first), j->places,
                             later(j, j->to, (image * j->places + first) * 2));
            continue;
        }
        fill(j, image, first, n, &any.t, true);
        (j->wide ? slopes_f64 : slopes_f32)(j, &any.t, image, first, n);
    }
}

/* ------------------------------------------------------------------ rows */

typedef struct inputs {
    const wn_tensor *x, *g; /* g: cotangent; either may be absent */
    const wn_tensor *grid, *along;
    const wn_dims *size;    /* of the input */
    int64_t mode, padding;
    bool align;
    enum { SAMPLE, SPREAD, SLOPES } kind;
} inputs;

static wn_status check_grid_sample(wn__call *c, const inputs *a) {
    const wn_dims *s = a->size;
    const wn_tensor *grid = a->grid;
    const wn_dtype type = (wn_dtype)grid->dtype;
    const wn_tensor *all[] = {a->x, a->g, a->along};
    for (int i = 0; i < 3; i++)
        if (all[i] && all[i]->dtype != (int)type)
            return wn__fail_op(c, WN_E_RUNTIME, "expected input and grid to have same dtype, but input is %s and grid is %s", wn__desc(all[i]), wn__desc(grid));
    if (!wn__is_float(type)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", c->op->name, wn__dtype_word((int)type));
    if (s->n < 1 || grid->ndim < 1 || grid->shape[0] != s->v[0])
        return wn__fail_op(c, WN_E_RUNTIME, "expected grid and input to have same batch size, but got input with sizes %s and grid %s",
                           wn__dims_text(s->v, s->n > 0 ? s->n : 0), wn__desc(grid));
    if (grid->shape[grid->ndim - 1] != s->n - 2)
        return wn__fail_op(c, WN_E_RUNTIME, "expected grid to have size %d in last dimension, but got grid %s", s->n - 2, wn__desc(grid));
    if (s->n != 4 && s->n != 5) return wn__fail_op(c, WN_E_RUNTIME, "expected 4D or 5D input, but got input with sizes %s", wn__dims_text(s->v, s->n > 0 ? s->n : 0));
    if (grid->ndim != s->n)
        return wn__fail_op(c, WN_E_RUNTIME, "expected %dD input and grid with same number of dimensions, but got input with sizes %s and grid %s", s->n,
                           wn__dims_text(s->v, s->n), wn__desc(grid));
    for (int d = 2; d < s->n; d++)
        if (s->v[d] < 1) return wn__fail_op(c, WN_E_RUNTIME, "expected input to have non-empty spatial dimensions, but input has sizes %s", wn__dims_text(s->v, s->n));
    if (a->mode < 0 || a->mode > 2 || a->padding < 0 || a->padding > 2)
        return wn__fail_op(c, WN_E_RUNTIME, "no interpolation mode %lld with padding mode %lld", (long long)a->mode, (long long)a->padding);
    if (a->mode == WN__CUBIC && s->n != 4) return wn__fail_op(c, WN_E_RUNTIME, "bicubic interpolation only supports 4D input");
    if (a->along && !wn__same_shape(a->along, grid)) return wn__fail_op(c, WN_E_RUNTIME, "direction %s must have the shape of the grid %s", wn__desc(a->along), wn__desc(grid));
    bool fits = !a->g || (a->g->ndim == s->n && a->g->shape[0] == s->v[0] && a->g->shape[1] == s->v[1]);
    for (int d = 2; a->g && fits && d < s->n; d++) fits = a->g->shape[d] == grid->shape[d - 1];
    return fits ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "grad %s does not fit input sizes %s and grid %s", wn__desc(a->g), wn__dims_text(s->v, s->n), wn__desc(grid));
}

/* t in the type of the computation, row-major; owned, NULL when memory is short. */
static wn_tensor *plain(const wn_tensor *t, wn_dtype type) {
    wn_tensor *r = wn__plain_raw(t, type);
    return r && (wn__ptr(r) || r->numel == 0) ? r : (wn__release(r), NULL);
}

static wn_dims result_shape(const inputs *a) {
    if (a->kind == SLOPES) return wn_shape(a->grid);
    wn_dims d = *a->size;
    for (int k = 2; k < d.n && a->kind == SAMPLE; k++) d.v[k] = a->grid->shape[k - 1];
    return d;
}

static void set_up(grid_sample_job *j, const inputs *a) {
    const wn_dims *s = a->size;
    j->nd = s->n - 2;
    j->mode = (int)a->mode;
    j->padding = (int)a->padding;
    j->align = a->align;
    j->wide = a->grid->dtype == WN_F64;
    j->batch = s->v[0];
    j->channels = s->v[1];
    j->area = j->places = j->taps = 1;
    for (int d = 0; d < j->nd; d++) {
        j->size[d] = s->v[s->n - 1 - d];
        j->area *= j->size[d];
        j->places *= a->grid->shape[1 + d];
        j->taps *= a->mode == WN__CUBIC ? 4 : a->mode == WN__NEAREST ? 1 : 2;
    }
    if (j->nd == 2 && !a->along && j->area <= INT32_MAX)
        j->quick = &WN__OF_LEVEL(wn__sampling_kernels)->of[j->wide];
}

typedef struct plan {
    inputs a;
    wn_dims size; /* what a.size points to */
} plan;

/* The values, of x without g; the gradient in x, whose size is given, of g alone; that in the grid, of both. */
wn_status wn__infer_grid_sampler(wn__call *c, wn_tensor *x, wn_tensor *g, wn_tensor *grid, wn_tensor *along,
                                 const wn_dims *size, int64_t mode, int64_t padding, bool align) {
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    p->size = x ? wn_shape(x) : *size;
    p->a = (inputs){x, g, grid, along, &p->size, mode, padding, align, !g ? SAMPLE : x ? SLOPES : SPREAD};
    if (check_grid_sample(c, &p->a)) return c->th->error;
    const wn_dims shape = result_shape(&p->a);
    return wn__result(c, 0, (wn_dtype)grid->dtype, shape.n, shape.v, NULL);
}
wn_status wn__run_grid_sampler(wn__call *c) {
    const inputs *a = &((const plan *)c->plan)->a;
    grid_sample_job j = {0};
    wn_tensor *y = c->out[0];
    const wn_dtype type = (wn_dtype)y->dtype, wide = type == WN_F64 ? WN_F64 : WN_F32;
    if (y->numel == 0) return WN_OK;
    set_up(&j, a);
    wn_tensor *to = type == wide ? wn__retain(y) : wn__tensor_new(wide, y->ndim, y->shape, NULL);
    wn_tensor *x = a->x ? plain(a->x, wide) : NULL, *g = a->g ? plain(a->g, wide) : NULL, *grid = plain(a->grid, wide), *along = a->along ? plain(a->along, wide) : NULL;
    bool ok = to && wn__ptr(to) && (x || !a->x) && (g || !a->g) && grid && (along || !a->along);
    if (ok) {
        j.x = x ? wn__ptr(x) : NULL;
        j.g = g ? wn__ptr(g) : NULL;
        j.grid = wn__ptr(grid);
        j.along = along ? wn__ptr(along) : NULL;
        j.to = wn__ptr(to);
        wn__count(y->numel);
        const int64_t grain = 1 + 64 / (j.channels + 1);
        if (a->kind == SPREAD) {
            memset(j.to, 0, (size_t)to->numel * wn__dtype_size(to->dtype));
            if (j.places) wn__parallel(j.batch * ((j.channels + GROUP - 1) / GROUP), 1 + 4096 / (j.places * j.taps), spread_task, &j);
        } else if (a->kind == SAMPLE) {
            wn__parallel(j.batch * blocks_of(&j), grain, sample_task, &j);
        } else {
            wn__parallel(j.batch * blocks_of(&j), grain, slopes_task, &j);
        }
        if (to != y) ok = wn__copy(y, to) == WN_OK;
    }
    wn__release(to), wn__release(x), wn__release(g), wn__release(grid), wn__release(along);
    return ok ? WN_OK : wn__fail_memory(c->op->name);
}

int wn__title_of_grid_sampler(const wn_node *n, char *buf, size_t cap) { return snprintf(buf, cap, "GridSampler%dDBackward0", n->edges[0].ndim - 2); }
