/* The gradient of attention in blocks: weights come again from scores and the saved logsumexp, for a square of queries and keys at a time. Rows
 * of dk and dv belong to one task, dq is summed block by block, in parts that are joined in their order. */
#include <math.h>
#include "base/alloc.h"
#include "base/threads.h"
#include "ops/kernel_tables.h"
#include "ops/norm/norm.h"
#include "ops/sequence/attention_absent.h"
#include "ops/sequence/attention_map.h"

enum {
    SQUARE = 128, /* keys and queries of a block, about */
    PARTS = 16    /* of dq, at most, where there are few batches */
};

typedef wn__attention job;
typedef wn__rows rows;

/* A block of keys of a batch, against blocks of queries. */
typedef struct square {
    int64_t b, k0, nk, q0, nq;
    bool all; /* the mask takes none of its pairs */
    int64_t ld;
    rows k, q, g;              /* keys of the block, queries and gradients of theirs */
    rows k_down, q_down, g_down; /* the same as second operands */
    char *keys, *values;       /* packed */
    char *s, *ds;              /* [nq, nk] */
    struct wn__attention_pairs pairs; /* the same of pairs of queries, for bf16 */
    char *near_k, *near_q, *near_g, *near_v, *down_k, *down_q, *down_g;
    char *clean_k, *clean_q, *clean_g; /* careful */
    wn__unclean unclean_k, unclean_q, unclean_g;
    char *dq;                  /* of the batch */
} square;

/* Weights and the gradients of scores: by rows of queries, and as the products of dk and dv take them. */
typedef struct slopes {
    wn__numbers s, ds, p_down, ds_down;
} slopes;
static slopes slopes_of(const job *j, const square *w) {
    if (j->t->depth == 1) return (slopes){{w->s, w->ld, WN__WIDE}, {w->ds, w->ld, WN__WIDE}, {w->s, w->ld, WN__WIDE}, {w->ds, w->ld, WN__WIDE}};
    return (slopes){{w->s, w->ld, WN__WIDE}, {w->ds, w->ld, WN__NARROW}, {(char *)w->pairs.p, w->ld, WN__ZIPPED}, {(char *)w->pairs.ds, w->ld, WN__ZIPPED}};
}

/* Weights and the gradients of scores, panel by panel of queries. */
static void square_scores(const job *j, const square *w, int64_t first, int64_t last) {
    const int64_t z = j->size;
    for (int64_t p = first; p < last; p++) {
        const int64_t q0 = wn__attention_panel(j, p), nq = wn__attention_panel(j, p + 1) - q0, at = q0 - w->q0, row = w->b * j->queries + q0;
        int64_t see = wn__seen(j, q0 + nq, w->k0, w->nk);
        if (see < 0) see = 0;
        char *s = w->s + at * w->ld * z, *ds = w->ds + at * w->ld * z;
        const struct wn__attention_pairs pairs = {w->pairs.p + at / 2 * w->ld, w->pairs.ds + at / 2 * w->ld};
        wn__times_packed(j, wn__rows_later(j, w->q, at), nq, see, j->width, w->keys, s, w->ld);
        wn__times_packed(j, wn__rows_later(j, w->g, at), nq, see, j->vwidth, w->values, ds, w->ld);
        wn__restrict_scores(j, w->b, q0, nq, w->k0, see, w->all, s, w->ld);
        const wn__corner corner = j->careful ? wn__corner_of(j, w->b, q0, nq, w->k0, see) : (wn__corner){0};
        if (j->careful) wn__set_absent(&corner, (wn__numbers){s, w->ld, WN__WIDE}, -INFINITY);
        j->k->back(nq, see, w->nk, s, ds, w->ld, j->by, j->lse + row * z, j->delta + row * z, j->scale, pairs);
    }
}

/* dk and dv: panels of keys, from the first query (or pair) that sees one of them; dq: panels of queries, up to the last key that they see. */
static void square_products(const job *j, const square *w, int64_t first, int64_t last) {
    const wn__gemm_type *t = j->t;
    const int64_t z = j->size, panels = wn__panels(w->nk, t->mr), key = w->b * j->keys + w->k0;
    const char *ps = t->depth == 1 ? w->s : (const char *)w->pairs.p, *ds = t->depth == 1 ? w->ds : (const char *)w->pairs.ds;
    for (int64_t p = 0; p < panels; p++) {
        const int64_t r = wn__panel_start(w->nk, panels, p), n = wn__panel_start(w->nk, panels, p + 1) - r, from = j->causal ? w->k0 + r - w->q0 : 0;
        const int64_t q = from > 0 ? from / t->depth * t->depth : 0, left = w->nq - q, at = (q / t->depth * w->ld + r) * z;
        if (left <= 0) continue;
        wn__add_product(j, n, j->vwidth, left, ps + at, 1, w->ld, wn__down_later(j, w->g_down, q), j->dv + (key + r) * j->vwidth * z, j->vwidth, 1);
        wn__add_product(j, n, j->width, left, ds + at, 1, w->ld, wn__down_later(j, w->q_down, q), j->dk + (key + r) * j->width * z, j->width, 1);
    }
    for (int64_t p = first; p < last; p++) {
        const int64_t q0 = wn__attention_panel(j, p), nq = wn__attention_panel(j, p + 1) - q0, see = wn__seen(j, q0 + nq, w->k0, w->nk);
        if (see > 0) wn__add_product(j, nq, j->width, see, w->ds + (q0 - w->q0) * w->ld * z, w->ld, 1, w->k_down, w->dq + q0 * j->width * z, j->width, 1);
    }
}

/* careful: before the products, and behind them. */
static void square_absent(const job *j, const square *w) {
    const slopes x = slopes_of(j, w);
    const wn__corner corner = wn__corner_of(j, w->b, w->q0, w->nq, w->k0, w->nk);
    wn__set_absent(&corner, x.ds, 0);
    wn__set_absent(&corner, x.p_down, 0);
    wn__set_absent(&corner, x.ds_down, 0);
}
static void square_unclean(const job *j, const square *w) {
    const slopes x = slopes_of(j, w);
    const wn__corner corner = wn__corner_of(j, w->b, w->q0, w->nq, w->k0, w->nk);
    const int64_t z = j->size, key = w->b * j->keys + w->k0;
    wn__add_keys(&corner, &w->unclean_k, x.ds, w->k, j->width, w->dq + w->q0 * j->width * z);
    wn__add_queries(&corner, &w->unclean_g, x.p_down, w->g, j->vwidth, j->dv + key * j->vwidth * z);
    wn__add_queries(&corner, &w->unclean_q, x.ds_down, w->q, j->width, j->dk + key * j->width * z);
}

/* Panels of queries first .. last - 1 with a block of keys: the rectangle of them in which something counts. */
static void backward_square(job *j, const square *block, int64_t first, int64_t last) {
    const wn__span met = wn__map_keys(j, block->b, first, last, block->k0, block->nk);
    const int64_t pairs = block->nk * (wn__attention_panel(j, last) - wn__attention_panel(j, first)), widths = 3 * j->width + 2 * j->vwidth;
    if (met.first == met.last) {
        wn__map_count(j, pairs, 0, widths);
        return;
    }
    while (wn__map_keys(j, block->b, first, first + 1, block->k0, block->nk).last == 0) first++;
    while (wn__map_keys(j, block->b, last - 1, last, block->k0, block->nk).last == 0) last--;
    square own = *block, *w = &own;
    w->q0 = wn__attention_panel(j, first), w->nq = wn__attention_panel(j, last) - w->q0;
    w->all = met.all;
    wn__map_count(j, pairs, w->nq * (met.last - met.first), widths);
    if (!j->careful) { /* whose lists of rows speak of whole blocks */
        w->k0 += met.first, w->nk = met.last - met.first;
        w->keys += met.first * wn__steps(j, j->width) * j->size, w->values += met.first * wn__steps(j, j->vwidth) * j->size;
        w->k = wn__rows_later(j, w->k, met.first), w->k_down = wn__down_later(j, w->k_down, met.first);
    }
    w->q = wn__rows_near(j, &j->q, w->b, w->q0, w->nq, j->width, w->near_q);
    w->g = wn__rows_near(j, &j->g, w->b, w->q0, w->nq, j->vwidth, w->near_g);
    const rows q = j->careful ? wn__clean_rows(j, w->q, w->nq, j->width, w->clean_q, &w->unclean_q) : w->q;
    const rows g = j->careful ? wn__clean_rows(j, w->g, w->nq, j->vwidth, w->clean_g, &w->unclean_g) : w->g;
    w->q_down = wn__rows_down(j, q, w->nq, j->width, w->down_q);
    w->g_down = wn__rows_down(j, g, w->nq, j->vwidth, w->down_g);
    square_scores(j, w, first, last);
    if (j->careful) square_absent(j, w);
    square_products(j, w, first, last);
    if (j->careful) square_unclean(j, w);
}

/* One block of keys of a batch against all queries: its rows of dk and dv, and what it adds to dq. */
static void backward_block(job *j, square *w) {
    const int64_t z = j->size, step = SQUARE / j->t->mr, panels = wn__attention_panels(j);
    const rows v = {wn__side_rows(j, &j->v, w->b, w->k0), j->v.row};
    memset(j->dk + (w->b * j->keys + w->k0) * j->width * z, 0, (size_t)(w->nk * j->width * z));
    memset(j->dv + (w->b * j->keys + w->k0) * j->vwidth * z, 0, (size_t)(w->nk * j->vwidth * z));
    w->k = wn__rows_near(j, &j->kk, w->b, w->k0, w->nk, j->width, w->near_k);
    w->k_down = wn__rows_down(j, j->careful ? wn__clean_rows(j, w->k, w->nk, j->width, w->clean_k, &w->unclean_k) : w->k, w->nk, j->width, w->down_k);
    wn__pack_rows(j, w->k, w->nk, j->width, w->keys);
    wn__pack_rows(j, j->t->depth == 1 ? v : wn__rows_near(j, &j->v, w->b, w->k0, w->nk, j->vwidth, w->near_v), w->nk, j->vwidth, w->values);
    for (int64_t p = 0; p < panels; p += step) {
        const int64_t end = wn__least(p + step, panels);
        if (wn__seen(j, wn__attention_panel(j, end), w->k0, w->nk) > 0) backward_square(j, w, p, end);
    }
    wn__watch(j, j->dk + (w->b * j->keys + w->k0) * j->width * z, w->nk * j->width);
    wn__watch(j, j->dv + (w->b * j->keys + w->k0) * j->vwidth * z, w->nk * j->vwidth);
}

/* Scratch for squares, cut from one block: the first call with NULL counts. */
static int64_t cut_square(const job *j, square *w, char *at) {
    const bool paired = j->t->depth > 1;
    const int64_t z = j->size, scores = SQUARE * wn__score_line(SQUARE) * z, down = paired ? wn__packed_size(j, wn__least(INT32_MAX, j->width), SQUARE) : 0;
    const int64_t vdown = paired ? wn__packed_size(j, j->vwidth, SQUARE) : 0, near = wn__near_size(j, SQUARE, j->width), vnear = wn__near_size(j, SQUARE, j->vwidth);
    const int64_t sizes[] = {wn__packed_size(j, SQUARE, j->width), wn__packed_size(j, SQUARE, j->vwidth), scores, scores, paired ? scores / 2 : 0, paired ? scores / 2 : 0,
                             near, near, vnear, paired ? vnear : 0, down, down, vdown, j->careful ? near : 0, j->careful ? near : 0, j->careful ? vnear : 0};
    enum { N = sizeof sizes / sizeof *sizes };
    char *place[N];
    int64_t total = 0;
    for (int i = 0; i < N; total += (sizes[i] + 63) / 64 * 64, i++) place[i] = at ? at + total : NULL;
    w->keys = place[0], w->values = place[1], w->s = place[2], w->ds = place[3];
    w->pairs = (struct wn__attention_pairs){(uint32_t *)(void *)place[4], (uint32_t *)(void *)place[5]};
    w->near_k = place[6], w->near_q = place[7], w->near_g = place[8], w->near_v = place[9], w->down_k = place[10], w->down_q = place[11], w->down_g = place[12];
    w->clean_k = place[13], w->clean_q = place[14], w->clean_g = place[15];
    return total;
}

static void backward(void *ctx, int64_t begin, int64_t end) {
    job *j = ctx;
    const int64_t blocks = (j->keys + SQUARE - 1) / SQUARE, bytes = j->queries * j->width * j->size;
    square w = {.ld = wn__score_line(SQUARE)};
    char *scratch = wn__task_scratch(&j->failed, 2, (size_t)cut_square(j, &w, NULL));
    if (!scratch) return;
    cut_square(j, &w, scratch);
    for (int64_t u = begin; u < end; u++) {
        const int64_t part = u % j->nparts;
        w.b = u / j->nparts;
        w.dq = part ? j->parts + (w.b * (j->nparts - 1) + part - 1) * bytes : j->dq + w.b * bytes;
        memset(w.dq, 0, (size_t)bytes);
        for (int64_t i = part * blocks / j->nparts; i < (part + 1) * blocks / j->nparts; i++) {
            w.k0 = i * SQUARE, w.nk = wn__least(SQUARE, j->keys - w.k0);
            backward_block(j, &w);
        }
        wn__watch(j, w.dq, j->queries * j->width);
    }
}
/* delta = the gradient times the result, row by row, converted in pieces where they are narrow. */
static void delta_task(void *ctx, int64_t begin, int64_t end) {
    enum { STEP = 256 };
    const job *j = ctx;
    float x[STEP], y[STEP], part; /* narrow types are summed in f32 */
    const int64_t out_size = (int64_t)wn__dtype_size(j->io), n = j->vwidth;
    for (int64_t b = begin; b < end; b++) {
        const char *g = wn__side_rows(j, &j->g, b, 0), *o = j->out + b * j->queries * n * out_size;
        char *d = j->delta + b * j->queries * j->size;
        for (int64_t i = 0; i < j->queries; i++, g += j->g.row * j->in_size, o += n * out_size, d += j->size) {
            if (j->in == j->dtype && j->io == j->dtype) {
                j->k->dots(1, n, g, o, d);
                continue;
            }
            for (int64_t k = 0; k < n; k += STEP) {
                const int64_t m = wn__least(STEP, n - k);
                j->t->load(x, g + k * j->in_size, j->in, m, 1);
                j->t->load(y, o + k * out_size, j->io, m, 1);
                j->k->dots(1, m, x, y, &part);
                *(float *)(void *)d += part;
            }
        }
    }
}
/* dq += the other parts, in order. */
static void join_task(void *ctx, int64_t begin, int64_t end) {
    const job *j = ctx;
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

/* ------------------------------------------------------------------ the row */

/* dq, dk, dv of a job that is all set. */
static bool run_backward(job *j) {
    const int64_t blocks = (j->keys + SQUARE - 1) / SQUARE;
    j->nparts = j->batch >= PARTS || !j->batch ? 1 : wn__least(blocks, (PARTS + j->batch - 1) / j->batch);
    if (j->nparts < 1) j->nparts = 1;
    int64_t n;
    if (__builtin_mul_overflow(j->batch * (j->nparts - 1), j->queries * j->width, &n)) return false;
    j->delta = wn__calloc((size_t)(j->batch * j->queries) + 1, (size_t)j->size);
    j->parts = wn__calloc((size_t)n + 1, (size_t)j->size);
    if (!j->delta || !j->parts) return false;
    bool done = !j->vwidth || !j->queries || wn__parallel_fresh(j->batch, 1, delta_task, j);
    done = done && wn__parallel_fresh(j->batch * j->nparts, 1, backward, j);
    j->careful = j->nan;
    if (j->careful) done = done && wn__parallel_fresh(j->batch * j->nparts, 1, backward, j);
    if (j->nparts > 1) done = done && wn__parallel_fresh(j->batch, 1, join_task, j);
    return done && !j->failed;
}

static wn__ran backward_as(job *j, const wn__call *c, bool pairs) {
    const wn_attention_backward_args *a = c->args;
    wn__attention_choose(j, pairs);
    const bool open = wn__attention_open(j, a->query, a->key, a->value, a->attn_mask, a->scale) && wn__attention_open_side(j, a->grad, &j->g);
    return wn__ran_if(open && run_backward(j));
}
static wn__ran backward_pairs(void *form, const void *call) { return backward_as(form, call, true); }
static wn__ran backward_wide(void *form, const void *call) { return backward_as(form, call, false); }
static const wn__kernel_row backward_rows[] = {
    {"pairs", WN__ONLY(WN_BF16), WN__AVX512_BF16, wn__attention_pairs_suit, backward_pairs, true},
    {"wide", WN__FLOATS, WN__EVERY_LEVEL, NULL, backward_wide, true},
};
WN__KERNEL_TABLE(wn__attention_backward_kernels, "attention_backward", backward_rows, .describe = wn__attention_describe);

wn_status wn__infer_attention_backward(wn__call *c) {
    const wn_attention_backward_args *a = c->args;
    job *j = wn__plan(c, sizeof *j);
    wn_status st = j ? wn__attention_check(c, a->query, a->key, a->value, a->attn_mask, j) : c->th->error;
    if (st) return st;
    if (!wn__same_shape(a->grad, a->output) || a->output->ndim != j->lead + 2 || a->output->numel != j->batch * j->queries * j->vwidth || !wn__is_float(a->grad->dtype) ||
        !wn__is_float(a->output->dtype) || a->logsumexp->dtype != j->dtype || a->logsumexp->numel != j->batch * j->queries)
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s, output %s and logsumexp %s are not those of query %s", wn__desc(a->grad), wn__desc(a->output),
                           wn__desc(a->logsumexp), wn__desc(a->query));
    const wn_tensor *in[3] = {a->query, a->key, a->value};
    for (int i = 0; i < 3 && !st; i++) st = wn__result(c, i, (wn_dtype)in[i]->dtype, in[i]->ndim, in[i]->shape, NULL);
    return st;
}

wn_status wn__run_attention_backward(wn__call *c) {
    const wn_attention_backward_args *a = c->args;
    job *j = c->plan;
    wn_tensor *work[3] = {NULL}, *y = wn__contiguous_raw(a->output), *lse = wn__contiguous_raw(a->logsumexp);
    bool ok = y && lse;
    for (int i = 0; i < 3 && ok; i++) ok = (work[i] = wn__work_of(c->out[i], j->dtype)) != NULL;
    if (ok) {
        j->causal = a->is_causal;
        j->out = wn__ptr(y), j->lse = wn__ptr(lse);
        j->dq = wn__ptr(work[0]), j->dk = wn__ptr(work[1]), j->dv = wn__ptr(work[2]);
        ok = wn__kernel_walk(&wn__attention_backward_kernels, j->io, j, c);
    }
    wn_status st = ok ? WN_OK : wn__fail_memory(c->op->name);
    for (int i = 0; i < 3 && !st; i++)
        if (work[i] != c->out[i]) st = wn__copy(c->out[i], work[i]);
    for (int i = 0; i < 3; i++) wn__release(work[i]);
    wn__release(y);
    wn__release(lse);
    wn__attention_close(j);
    return st;
}
