/* Attention in blocks. Forward: for each panel of queries (as many rows as a register tile has) the keys pass by in blocks, their scores
 * become weights relative to the largest score so far, and the sum of weighted values is scaled down when that grows: the scores of a panel
 * and a block stay in L1. Backward: weights come again from scores and the saved logsumexp. Causal panels end with the last key that they
 * see. What is done for a row depends on shapes alone, so the bits are the same for any number of threads. */
#include <math.h>
#include "core/alloc.h"
#include "cpu/attention.h"
#include "cpu/contract.h"
#include "cpu/gemm.h"
#include "cpu/level.h"
#include "cpu/pool.h"
#include "ops/loss/losses.h"
#include "ops/norm/norm.h"

WN__DECLARE_LEVELS(wn__attention_kernels, wn__attention_kernels);
const wn__attention_kernels *wn__attention_now(void) { return WN__OF_LEVEL(wn__attention_kernels); }

enum {
    KEYS = 512,             /* of a forward block at most: a panel's scores fill L1 */
    BLOCK_BYTES = 128 << 10,/* of its packed keys at most */
    GROUP = 512,            /* queries that share the packed keys, about */
    SQUARE = 128,           /* keys and queries of a backward block, about */
    FEW = WN__GEMM_FEW,     /* queries for which packing keys does not pay */
    PARTS = 16
};

/* One operand: [leading..., rows, cols] in the compute type, any strides in front, rows of unit stride. */
typedef struct side {
    wn_tensor *t; /* owned */
    const char *p;
    int64_t row;  /* elements between rows */
} side;

/* Some rows, ld elements apart. */
typedef struct rows {
    const char *p;
    int64_t ld;
} rows;

typedef struct job {
    const wn__attention_type *k;
    const wn__gemm_type *t;
    wn_dtype dtype; /* f32 or f64 */
    int64_t size;   /* of its elements */
    int64_t batch, queries, keys, width, vwidth;
    int lead;       /* leading dimensions */
    int64_t shape[WN_MAX_DIMS];
    side q, kk, v, g;
    wn_tensor *mask; /* owned: bool, or of the compute type; NULL: none */
    const char *mp;
    int64_t mstride[WN_MAX_DIMS + 2]; /* of all dimensions, broadcast */
    bool bool_mask, causal;
    double scale;
    char *out, *lse;               /* row-major */
    char *dq, *dk, *dv, *delta, *parts;
    int64_t nparts;                /* backward: tasks that share a batch, each with its own dq */
    _Atomic bool failed;
} job;

/* Where batch b of something with these leading strides begins. */
static int64_t offset_of(const job *j, const int64_t *strides, int64_t b) {
    int64_t at = 0;
    for (int d = j->lead - 1; d >= 0; d--) {
        at += b % j->shape[d] * strides[d];
        b /= j->shape[d];
    }
    return at;
}
static const char *rows_of(const job *j, const side *s, int64_t b, int64_t row) { return s->p + (offset_of(j, s->t->strides, b) + row * s->row) * j->size; }
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* c[m, n] = alpha * sum over k of a[m, k] b[k, n] + beta * c */
static bool product(const job *j, int64_t m, int64_t n, int64_t k, const char *a, int64_t am, int64_t ak, const char *b, int64_t bk, int64_t bn, char *c, int64_t cm,
                    double alpha, double beta) {
    const wn__contraction x = {.dtype = j->dtype, .out_dtype = j->dtype, .a = a, .b = b, .c = c, .nm = 1, .nn = 1, .nk = 1, .m = {{m, am, 0, cm}}, .n = {{n, 0, bn, 1}},
                               .k = {{k, ak, bk, 0}}, .alpha = alpha, .beta = beta};
    return wn__contract(&x);
}

static int64_t panels_of(const job *j) { return wn__panels(j->queries, j->t->mr); }
static int64_t panel(const job *j, int64_t p) { return wn__panel_start(j->queries, panels_of(j), p); }
static int64_t whole(int64_t n) { return (n + WN__ATTENTION_ROOM - 1) / WN__ATTENTION_ROOM * WN__ATTENTION_ROOM; }
static int64_t line(int64_t n) { return whole(n) + 16; } /* between rows of scores: not a power of two */
static int64_t packed_size(const job *j, int64_t n, int64_t width) { return (wn__panels(n, j->t->nr) * j->t->nr * width + 16) * j->size; }

/* n rows of an operand, `width` wide: where they lie, or copied to `to` where their distance would put them on a few lines of the caches. */
static rows rows_near(const job *j, const side *s, int64_t b, int64_t row, int64_t n, int64_t width, char *to) {
    const char *p = rows_of(j, s, b, row);
    if (s->row == width || s->row * j->size % 1024) return (rows){p, s->row};
    for (int64_t i = 0; i < n; i++) memcpy(to + i * width * j->size, p + i * s->row * j->size, (size_t)(width * j->size));
    return (rows){to, width};
}

/* Rows as the other operand of a product along them: panels [width][nr] times alpha. */
static void pack_rows(const job *j, rows r, int64_t n, int64_t width, double alpha, char *to) {
    enum { STEP = 256 };
    const wn__gemm_type *t = j->t;
    int64_t outer[WN__GEMM_MAX_NR], inner[STEP];
    for (int64_t i = 0; i < STEP; i++) inner[i] = i;
    for (int64_t at = 0; at < n; at += t->nr) {
        const int64_t w = least(t->nr, n - at), total = width * t->nr;
        for (int64_t i = at + 2 * t->nr; i < least(n, at + 3 * t->nr); i++) /* the panel after the next is on its way */
            for (int64_t k = 0; k < width * j->size; k += 64) __builtin_prefetch(r.p + i * r.ld * j->size + k);
        for (int64_t i = 0; i < w; i++) outer[i] = (at + i) * r.ld;
        for (int64_t k = 0; k < width; k += STEP)
            t->pack(to + k * t->nr * j->size, t->nr, (int)w, least(STEP, width - k), r.p + k * j->size, j->dtype, outer, inner);
        if (alpha != 1) j->k->times(total, to, alpha);
        to += total * j->size;
    }
}

/* s[0..n)[0..cols) = rows of a times packed rows; whole panels are written. */
static void times_packed(const job *j, rows a, int64_t n, int64_t cols, int64_t width, const char *packed, char *s, int64_t ld) {
    const wn__gemm_type *t = j->t;
    for (int64_t q = 0; q < cols; q += t->nr)
        t->place(n, t->nr, width, a.p, a.ld, 1, packed + q * width * j->size, t->nr, s + q * j->size, ld, 1, 0);
}
static rows later(const job *j, rows r, int64_t n) { return (rows){r.p + n * r.ld * j->size, r.ld}; }

/* What the mask and causality take from the scores of queries q0.. with keys k0.. */
static void restrict_scores(const job *j, int64_t b, int64_t q0, int64_t nq, int64_t k0, int64_t nk, char *s, int64_t ld) {
    if (j->mask) {
        const int64_t rs = j->mstride[j->lead], cs = j->mstride[j->lead + 1], at = offset_of(j, j->mstride, b) + q0 * rs + k0 * cs;
        if (j->bool_mask) j->k->mask(nq, nk, s, ld, (const uint8_t *)j->mp + at, rs, cs);
        else j->k->bias(nq, nk, s, ld, j->mp + at * j->size, rs, cs);
    }
    if (j->causal && k0 + nk > q0 + 1) j->k->causal(nq, nk, s, ld, q0 - k0);
}

/* How many of the nk keys from k0 on do queries before q1 see? */
static int64_t seen(const job *j, int64_t q1, int64_t k0, int64_t nk) { return j->causal && q1 - k0 < nk ? q1 - k0 : nk; }

/* ------------------------------------------------------------------ forward */

/* A task: some panels of queries of a batch, and its scratch. */
typedef struct task {
    int64_t b, first, last; /* panels */
    int64_t ld;             /* of the scores */
    rows q, v;              /* all queries of the task, values of the block */
    char *keys, *scores, *sum, *near_q, *near_v;
} task;

static int64_t block_keys(const job *j) {
    const int64_t fit = BLOCK_BYTES / ((j->width + 1) * j->size) / j->t->nr * j->t->nr;
    return least(j->keys, fit < j->t->nr ? j->t->nr : least(fit, KEYS));
}

/* Panel p meets the block of keys k0..; the first block begins its sums. */
static bool meet(const job *j, const task *w, int64_t p, int64_t k0, int64_t nk) {
    const int64_t q0 = panel(j, p), nq = panel(j, p + 1) - q0, z = j->size, see = seen(j, q0 + nq, k0, nk), at = q0 - panel(j, w->first);
    char *acc = j->out + (w->b * j->queries + q0) * j->vwidth * z;
    if (see <= 0) return true;
    if (j->queries > FEW) times_packed(j, later(j, w->q, at), nq, see, j->width, w->keys, w->scores, w->ld);
    else if (!product(j, nq, see, j->width, w->q.p, w->q.ld, 1, rows_of(j, &j->kk, w->b, k0), 1, j->kk.row, w->scores, w->ld, j->scale, 0)) return false;
    restrict_scores(j, w->b, q0, nq, k0, see, w->scores, w->ld);
    j->k->soften(nq, see, w->scores, w->ld, j->lse + (w->b * j->queries + q0) * z, w->sum + at * z, acc, j->vwidth);
    if (j->queries <= FEW) return product(j, nq, j->vwidth, see, w->scores, w->ld, 1, w->v.p, w->v.ld, 1, acc, j->vwidth, 1, k0 ? 1 : 0);
    j->t->place(nq, j->vwidth, see, w->scores, w->ld, 1, w->v.p, w->v.ld, acc, j->vwidth, 1, k0 ? 1 : 0);
    return true;
}

static bool forward_task(const job *j, task *w) {
    const int64_t q0 = panel(j, w->first), q1 = panel(j, w->last), last = seen(j, q1, 0, j->keys), step = block_keys(j), z = j->size;
    char *max = j->lse + (w->b * j->queries + q0) * z;
    for (int64_t i = 0; i < q1 - q0; i++) wn__store_val(j->dtype, max + i * z, wn_val_of_float(-INFINITY));
    memset(w->sum, 0, (size_t)((q1 - q0) * z));
    w->q = rows_near(j, &j->q, w->b, q0, q1 - q0, j->width, w->near_q);
    for (int64_t k0 = 0; k0 < last; k0 += step) {
        const int64_t nk = least(step, last - k0);
        if (j->queries > FEW) {
            pack_rows(j, (rows){rows_of(j, &j->kk, w->b, k0), j->kk.row}, nk, j->width, j->scale, w->keys);
            w->v = rows_near(j, &j->v, w->b, k0, nk, j->vwidth, w->near_v);
        } else {
            w->v = (rows){rows_of(j, &j->v, w->b, k0), j->v.row};
        }
        for (int64_t p = w->first; p < w->last; p++)
            if (!meet(j, w, p, k0, nk)) return false;
    }
    j->k->finish(q1 - q0, max, w->sum, j->out + (w->b * j->queries + q0) * j->vwidth * z, j->vwidth);
    return true;
}

/* Panels of a task: many share packed keys, as long as every thread gets tasks. */
static int64_t group_panels(const job *j) {
    int64_t n = GROUP / j->t->mr;
    while (n > 4 && j->batch * wn__panels(panels_of(j), (int)n) < 4 * (int64_t)wn_num_threads()) n = (n + 1) / 2;
    return n;
}

static void forward(void *ctx, int64_t begin, int64_t end, int worker) {
    job *j = ctx;
    (void)worker;
    const int64_t n = group_panels(j), groups = wn__panels(panels_of(j), (int)n), most = n * j->t->mr, keys = block_keys(j), z = j->size;
    const int64_t packed = packed_size(j, keys, j->width), scores = j->t->mr * line(keys) * z, q = most * j->width * z, v = keys * j->vwidth * z;
    task w = {.ld = line(keys), .keys = wn__scratch(2, (size_t)(packed + scores + q + v + most * z))};
    if (!w.keys) {
        j->failed = true;
        return;
    }
    w.scores = w.keys + packed, w.near_q = w.scores + scores, w.near_v = w.near_q + q, w.sum = w.near_v + v;
    for (int64_t u = begin; u < end; u++) {
        w.b = u / groups, w.first = u % groups * n, w.last = least(w.first + n, panels_of(j));
        if (!forward_task(j, &w)) j->failed = true;
    }
}

/* ------------------------------------------------------------------ backward */

/* A block of keys of a batch, against blocks of queries. */
typedef struct square {
    int64_t b, k0, nk, q0, nq;
    int64_t ld;
    rows k, q, g;                  /* keys of the block, queries and gradients of theirs */
    char *keys, *values;           /* packed */
    char *s, *ds;                  /* [nq, nk] */
    char *near_k, *near_q, *near_g;
    char *dq;                      /* of the batch */
} square;

/* Weights and the gradients of scores, panel by panel of queries. */
static void square_scores(const job *j, const square *w, int64_t first, int64_t last) {
    const int64_t z = j->size;
    for (int64_t p = first; p < last; p++) {
        const int64_t q0 = panel(j, p), nq = panel(j, p + 1) - q0, at = q0 - w->q0, row = w->b * j->queries + q0;
        int64_t see = seen(j, q0 + nq, w->k0, w->nk);
        if (see < 0) see = 0;
        char *s = w->s + at * w->ld * z, *ds = w->ds + at * w->ld * z;
        times_packed(j, later(j, w->q, at), nq, see, j->width, w->keys, s, w->ld);
        times_packed(j, later(j, w->g, at), nq, see, j->vwidth, w->values, ds, w->ld);
        restrict_scores(j, w->b, q0, nq, w->k0, see, s, w->ld);
        j->k->back(nq, see, w->nk, s, ds, w->ld, j->lse + row * z, j->delta + row * z, j->scale);
    }
}

/* dk and dv: panels of keys, from the first query that sees one of them; dq: panels of queries, up to the last key that they see. */
static void square_products(const job *j, const square *w, int64_t first, int64_t last) {
    const wn__gemm_type *t = j->t;
    const int64_t z = j->size, panels = wn__panels(w->nk, t->mr), key = w->b * j->keys + w->k0;
    for (int64_t p = 0; p < panels; p++) {
        const int64_t r = wn__panel_start(w->nk, panels, p), n = wn__panel_start(w->nk, panels, p + 1) - r, from = j->causal ? w->k0 + r - w->q0 : 0;
        const int64_t q = from > 0 ? from : 0, left = w->nq - q, at = (q * w->ld + r) * z;
        if (left <= 0) continue;
        const rows g = later(j, w->g, q), qs = later(j, w->q, q);
        t->place(n, j->vwidth, left, w->s + at, 1, w->ld, g.p, g.ld, j->dv + (key + r) * j->vwidth * z, j->vwidth, 1, 1);
        t->place(n, j->width, left, w->ds + at, 1, w->ld, qs.p, qs.ld, j->dk + (key + r) * j->width * z, j->width, 1, 1);
    }
    for (int64_t p = first; p < last; p++) {
        const int64_t q0 = panel(j, p), nq = panel(j, p + 1) - q0, see = seen(j, q0 + nq, w->k0, w->nk);
        if (see > 0) t->place(nq, j->width, see, w->ds + (q0 - w->q0) * w->ld * z, w->ld, 1, w->k.p, w->k.ld, w->dq + q0 * j->width * z, j->width, 1, 1);
    }
}

/* One block of keys of a batch against all queries: its rows of dk and dv, and what it adds to dq. */
static void backward_block(const job *j, square *w) {
    const int64_t z = j->size, step = SQUARE / j->t->mr, panels = panels_of(j);
    memset(j->dk + (w->b * j->keys + w->k0) * j->width * z, 0, (size_t)(w->nk * j->width * z));
    memset(j->dv + (w->b * j->keys + w->k0) * j->vwidth * z, 0, (size_t)(w->nk * j->vwidth * z));
    w->k = rows_near(j, &j->kk, w->b, w->k0, w->nk, j->width, w->near_k);
    pack_rows(j, w->k, w->nk, j->width, j->scale, w->keys);
    pack_rows(j, (rows){rows_of(j, &j->v, w->b, w->k0), j->v.row}, w->nk, j->vwidth, 1, w->values);
    for (int64_t p = 0; p < panels; p += step) {
        const int64_t end = least(p + step, panels);
        w->q0 = panel(j, p), w->nq = panel(j, end) - w->q0;
        if (seen(j, w->q0 + w->nq, w->k0, w->nk) <= 0) continue;
        w->q = rows_near(j, &j->q, w->b, w->q0, w->nq, j->width, w->near_q);
        w->g = rows_near(j, &j->g, w->b, w->q0, w->nq, j->vwidth, w->near_g);
        square_scores(j, w, p, end);
        square_products(j, w, p, end);
    }
}

static void backward(void *ctx, int64_t begin, int64_t end, int worker) {
    job *j = ctx;
    (void)worker;
    const int64_t blocks = (j->keys + SQUARE - 1) / SQUARE, z = j->size, bytes = j->queries * j->width * z;
    const int64_t keys = packed_size(j, SQUARE, j->width), values = packed_size(j, SQUARE, j->vwidth), s = SQUARE * line(SQUARE) * z, near = SQUARE * j->width * z;
    square w = {.ld = line(SQUARE), .keys = wn__scratch(2, (size_t)(keys + values + 2 * s + 2 * near + SQUARE * j->vwidth * z))};
    if (!w.keys) {
        j->failed = true;
        return;
    }
    w.values = w.keys + keys, w.s = w.values + values, w.ds = w.s + s, w.near_k = w.ds + s, w.near_q = w.near_k + near, w.near_g = w.near_q + near;
    for (int64_t u = begin; u < end; u++) {
        const int64_t part = u % j->nparts;
        w.b = u / j->nparts;
        w.dq = part ? j->parts + (w.b * (j->nparts - 1) + part - 1) * bytes : j->dq + w.b * bytes;
        memset(w.dq, 0, (size_t)bytes);
        for (int64_t i = part * blocks / j->nparts; i < (part + 1) * blocks / j->nparts; i++) {
            w.k0 = i * SQUARE, w.nk = least(SQUARE, j->keys - w.k0);
            backward_block(j, &w);
        }
    }
}
static void delta_task(void *ctx, int64_t begin, int64_t end, int worker) {
    const job *j = ctx;
    (void)worker;
    for (int64_t b = begin; b < end; b++) {
        const char *g = rows_of(j, &j->g, b, 0), *y = j->out + b * j->queries * j->vwidth * j->size;
        char *d = j->delta + b * j->queries * j->size;
        if (j->g.row == j->vwidth) j->k->dots(j->queries, j->vwidth, g, y, d);
        else
            for (int64_t i = 0; i < j->queries; i++) j->k->dots(1, j->vwidth, g + i * j->g.row * j->size, y + i * j->vwidth * j->size, d + i * j->size);
    }
}
/* dq += the other parts, in order. */
static void join_task(void *ctx, int64_t begin, int64_t end, int worker) {
    const job *j = ctx;
    (void)worker;
    const int64_t n = j->queries * j->width;
    for (int64_t b = begin; b < end; b++)
        for (int64_t p = 0; p < j->nparts - 1; p++) {
            const char *from = j->parts + (b * (j->nparts - 1) + p) * n * j->size;
            char *to = j->dq + b * n * j->size;
            if (j->dtype == WN_F64)
                for (int64_t i = 0; i < n; i++) ((double *)(void *)to)[i] += ((const double *)(const void *)from)[i];
            else
                for (int64_t i = 0; i < n; i++) ((float *)(void *)to)[i] += ((const float *)(const void *)from)[i];
        }
}

/* ------------------------------------------------------------------ arguments */

/* t in the compute type with rows of unit stride: itself where it is so already. */
static bool open_side(const job *j, wn_tensor *t, side *s) {
    const int n = t->ndim;
    const bool fits = t->dtype == j->dtype && (t->shape[n - 1] == 1 || t->strides[n - 1] == 1);
    s->t = fits ? wn__retain(t) : wn__float_line(t, j->dtype);
    s->p = s->t ? wn__ptr(s->t) : NULL;
    s->row = s->t ? s->t->strides[n - 2] : 0;
    return s->t && (s->p || !t->numel);
}
static bool open_mask(job *j, wn_tensor *mask) {
    if (!mask) return true;
    j->bool_mask = mask->dtype == WN_BOOL;
    j->mask = j->bool_mask || mask->dtype == j->dtype ? wn__retain(mask) : wn__float_line(mask, j->dtype);
    if (!j->mask) return false;
    j->mp = wn__ptr(j->mask);
    const int skip = j->lead + 2 - mask->ndim;
    for (int d = 0; d < j->lead + 2; d++) j->mstride[d] = d < skip || j->mask->shape[d - skip] == 1 ? 0 : j->mask->strides[d - skip];
    return j->mp || !mask->numel;
}
static void job_free(job *j) {
    wn__release(j->q.t), wn__release(j->kk.t), wn__release(j->v.t), wn__release(j->g.t), wn__release(j->mask);
    wn__free(j->parts);
    wn__free(j->delta);
}
static wn_status check(wn__call *c, const wn_tensor *q, const wn_tensor *k, const wn_tensor *v, const wn_tensor *mask, job *j) {
    const int n = q->ndim;
    bool fits = n >= 2 && k->ndim == n && v->ndim == n && q->dtype == k->dtype && q->dtype == v->dtype;
    for (int d = 0; fits && d < n - 2; d++) fits = q->shape[d] == k->shape[d] && q->shape[d] == v->shape[d];
    if (!fits || q->shape[n - 1] != k->shape[n - 1] || k->shape[n - 2] != v->shape[n - 2])
        return wn__fail_op(c, WN_E_RUNTIME, "query %s, key %s and value %s do not fit together", wn__desc(q), wn__desc(k), wn__desc(v));
    if (!wn__is_float(q->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "expected scalar type Float but found %s", wn__dtype_word(q->dtype));
    *j = (job){.dtype = q->dtype == WN_F64 ? WN_F64 : WN_F32, .batch = 1, .queries = q->shape[n - 2], .keys = k->shape[n - 2], .width = q->shape[n - 1],
               .vwidth = v->shape[n - 1], .lead = n - 2};
    j->size = (int64_t)wn__dtype_size(j->dtype);
    j->k = j->dtype == WN_F64 ? &wn__attention_now()->f64 : &wn__attention_now()->f32;
    j->t = j->dtype == WN_F64 ? &wn__gemm_kernels_now()->f64 : &wn__gemm_kernels_now()->f32;
    for (int d = 0; d < n - 2; d++) j->batch *= j->shape[d] = q->shape[d];
    if (!mask) return WN_OK;
    fits = mask->ndim <= n && (mask->dtype == WN_BOOL || wn__is_float(mask->dtype));
    for (int d = 0; fits && d < mask->ndim; d++) {
        const int at = n - mask->ndim + d;
        const int64_t want = at == n - 1 ? j->keys : q->shape[at];
        fits = mask->shape[d] == want || mask->shape[d] == 1;
    }
    return fits ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "attn_mask %s does not broadcast to the scores of query %s and key %s", wn__desc(mask), wn__desc(q), wn__desc(k));
}

/* ------------------------------------------------------------------ rows */

wn_status wn__op_attention_forward(wn__call *c) {
    const wn_attention_forward_args *a = c->args;
    job j;
    wn_status st = check(c, a->query, a->key, a->value, a->attn_mask, &j);
    if (st) return st;
    const wn_dtype io = (wn_dtype)a->query->dtype;
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, a->query->shape, sizeof shape);
    shape[j.lead + 1] = j.vwidth;
    wn_tensor *out = wn__out(c, 0, io, j.lead + 2, shape, NULL), *lse = out ? wn__out(c, 1, j.dtype, j.lead + 1, shape, NULL) : NULL;
    wn_tensor *work = !lse ? NULL : io == j.dtype ? wn__retain(out) : wn__tensor_new(j.dtype, j.lead + 2, shape, NULL);
    j.causal = a->is_causal;
    j.scale = a->scale;
    if (!work || !open_side(&j, a->query, &j.q) || !open_side(&j, a->key, &j.kk) || !open_side(&j, a->value, &j.v) || !open_mask(&j, a->attn_mask)) {
        st = lse ? wn__fail_memory(c->op->name) : c->th->error;
    } else {
        j.out = wn__ptr(work), j.lse = wn__ptr(lse);
        if (lse->numel) wn__parallel(j.batch * wn__panels(panels_of(&j), (int)group_panels(&j)), 1, forward, &j);
        st = j.failed ? wn__fail_memory(c->op->name) : work == out ? WN_OK : wn__copy(out, work);
    }
    wn__release(work);
    job_free(&j);
    return st;
}

/* dq, dk, dv of a job that is all set. */
static wn_status run_backward(wn__call *c, job *j) {
    const int64_t blocks = (j->keys + SQUARE - 1) / SQUARE;
    j->nparts = j->batch >= PARTS ? 1 : least(blocks, (PARTS + j->batch - 1) / j->batch);
    if (j->nparts < 1) j->nparts = 1;
    int64_t n;
    if (__builtin_mul_overflow(j->batch * (j->nparts - 1), j->queries * j->width, &n)) return wn__fail_memory(c->op->name);
    j->delta = wn__calloc((size_t)(j->batch * j->queries) + 1, (size_t)j->size);
    j->parts = wn__calloc((size_t)n + 1, (size_t)j->size);
    if (!j->delta || !j->parts) return wn__fail_memory(c->op->name);
    if (j->vwidth && j->queries) wn__parallel(j->batch, 1, delta_task, j);
    wn__parallel(j->batch * j->nparts, 1, backward, j);
    if (j->nparts > 1) wn__parallel(j->batch, 1, join_task, j);
    return j->failed ? wn__fail_memory(c->op->name) : WN_OK;
}

wn_status wn__op_attention_backward(wn__call *c) {
    const wn_attention_backward_args *a = c->args;
    job j;
    wn_status st = check(c, a->query, a->key, a->value, a->attn_mask, &j);
    if (st) return st;
    if (!wn__same_shape(a->grad, a->output) || a->output->ndim != j.lead + 2 || a->output->numel != j.batch * j.queries * j.vwidth || !wn__is_float(a->grad->dtype) ||
        !wn__is_float(a->output->dtype) || a->logsumexp->dtype != j.dtype || a->logsumexp->numel != j.batch * j.queries)
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s, output %s and logsumexp %s are not those of query %s", wn__desc(a->grad), wn__desc(a->output),
                           wn__desc(a->logsumexp), wn__desc(a->query));
    wn_tensor *in[3] = {a->query, a->key, a->value}, *work[3] = {NULL}, *y = wn__float_line(a->output, j.dtype), *lse = wn__contiguous_raw(a->logsumexp);
    bool ok = y && lse && open_side(&j, a->query, &j.q) && open_side(&j, a->key, &j.kk) && open_side(&j, a->value, &j.v) && open_side(&j, a->grad, &j.g) &&
              open_mask(&j, a->attn_mask);
    for (int i = 0; i < 3 && ok; i++) {
        wn_tensor *out = wn__out(c, i, (wn_dtype)in[i]->dtype, in[i]->ndim, in[i]->shape, NULL);
        work[i] = !out ? NULL : in[i]->dtype == j.dtype ? wn__retain(out) : wn__tensor_new(j.dtype, in[i]->ndim, in[i]->shape, NULL);
        ok = work[i] != NULL;
    }
    if (!ok) {
        st = wn__fail_memory(c->op->name);
    } else {
        j.causal = a->is_causal;
        j.scale = a->scale;
        j.out = wn__ptr(y), j.lse = wn__ptr(lse);
        j.dq = wn__ptr(work[0]), j.dk = wn__ptr(work[1]), j.dv = wn__ptr(work[2]);
        st = run_backward(c, &j);
        for (int i = 0; i < 3 && !st; i++)
            if (work[i] != c->out[i]) st = wn__copy(c->out[i], work[i]);
    }
    for (int i = 0; i < 3; i++) wn__release(work[i]);
    wn__release(y);
    wn__release(lse);
    job_free(&j);
    return st;
}
