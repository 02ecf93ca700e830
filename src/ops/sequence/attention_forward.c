/* Attention in blocks: for each panel of queries (as many rows as a register tile has) the keys pass by in blocks, their scores become weights
 * relative to the largest score so far, and the sum of weighted values is scaled down when that grows: the scores of a panel and a block stay
 * in L1. Causal panels end with the last key that they see. What is done for a row depends on shapes alone, so the bits are the same for any
 * number of threads. bf16 is multiplied in pairs where the processor does that; weights and the gradients of scores are rounded to bf16 then. */
#include <math.h>
#include "base/alloc.h"
#include "base/level.h"
#include "base/threads.h"
#include "ops/kernel_tables.h"
#include "ops/norm/norm.h"
#include "ops/sequence/attention_absent.h"
#include "ops/sequence/attention_map.h"

enum {
    KEYS = WN__ATTENTION_BLOCK, /* of a forward block at most: a panel's scores fill L1 */
    BLOCK_BYTES = 128 << 10,    /* of its packed keys at most */
    GROUP = 512,                /* queries that share the packed keys, about */
    FEW = WN__GEMM_FEW,         /* queries for which packing keys does not pay */
    PARTS = 16
};

typedef wn__attention job;
typedef wn__rows rows;

/* A task: some panels of queries of a batch, and its scratch. */
typedef struct task_of_panels {
    int64_t b, first, last; /* panels */
    int64_t ld;             /* of the scores */
    rows q, v;              /* all queries of the task, values of the block */
    char *keys, *scores, *sum, *near_q, *near_k, *near_v;
    bool begun[GROUP + 1]; /* has a panel met keys, so that its sums are set? */
    char *acc; /* the task's rows of the result before they are converted, or NULL */
    char *clean; /* careful: room for the block's values */
    wn__unclean unclean;
} task_of_panels;

/* Whole panels of keys, dealt evenly to blocks: a short block would cost as many passes over the queries as a long one. */
static int64_t block_keys(const job *j) {
    const int64_t nr = j->t->nr, room = BLOCK_BYTES / (wn__steps(j, j->width) * j->size + !j->width), most = wn__least(KEYS, room) / nr;
    const int64_t panels = (j->keys + nr - 1) / nr, blocks = most ? (panels + most - 1) / most : panels;
    return blocks < 2 ? j->keys : wn__least(j->keys, (panels + blocks - 1) / blocks * nr);
}
/* Where the sums of a task's query q0 lie. */
static char *sums_at(const job *j, const task_of_panels *w, int64_t q0) {
    if (w->acc) return w->acc + (q0 - wn__attention_panel(j, w->first)) * j->vwidth * j->size;
    return j->out + (w->b * j->queries + q0) * j->vwidth * j->size;
}

/* As soften leaves weights. */
static wn__numbers_kind weights_kind(const job *j) { return j->t->depth == 1 ? WN__WIDE : WN__NARROW; }
/* What of the block of keys k0.. panel p has to look at; what comes with careful counts rows of whole blocks. */
static wn__span keys_met(const job *j, int64_t b, int64_t p, int64_t k0, int64_t see) {
    const wn__span s = wn__map_keys(j, b, p, p + 1, k0, see);
    return j->careful && s.first < s.last ? (wn__span){0, see, false} : s;
}
/* Panel p meets the block of keys k0..; the first one begins its sums. */
static bool meet(const job *j, task_of_panels *w, int64_t p, int64_t block, int64_t nk) {
    const int64_t q0 = wn__attention_panel(j, p), nq = wn__attention_panel(j, p + 1) - q0, z = j->size;
    const int64_t at = q0 - wn__attention_panel(j, w->first);
    const wn__span met = keys_met(j, w->b, p, block, wn__seen(j, q0 + nq, block, nk));
    const int64_t k0 = block + met.first, see = met.last - met.first;
    bool *begun = &w->begun[p - w->first];
    char *acc = sums_at(j, w, q0);
    wn__map_count(j, nq * nk, nq * see, j->width + j->vwidth);
    if (see <= 0) return true;
    const char *keys = w->keys + met.first * wn__steps(j, j->width) * z;
    if (j->queries > FEW) wn__times_packed(j, wn__rows_later(j, w->q, at), nq, see, j->width, keys, w->scores, w->ld);
    else if (!wn__few_product(j, nq, see, j->width, w->q.p, w->q.ld, wn__side_rows(j, &j->kk, w->b, k0), 1, j->kk.row, w->scores, w->ld, 1, 0)) return false;
    wn__restrict_scores(j, w->b, q0, nq, k0, see, met.all, w->scores, w->ld);
    const wn__corner corner = j->careful ? wn__corner_of(j, w->b, q0, nq, k0, see) : (wn__corner){0};
    if (j->careful) wn__set_absent(&corner, (wn__numbers){w->scores, w->ld, WN__WIDE}, -INFINITY);
    j->k->soften(nq, see, w->scores, w->ld, j->by, j->lse + (w->b * j->queries + q0) * z, w->sum + at * z, acc, j->vwidth);
    bool done = true;
    if (j->queries <= FEW) done = wn__few_product(j, nq, j->vwidth, see, w->scores, w->ld, w->v.p, w->v.ld, 1, acc, j->vwidth, 1, *begun);
    else wn__add_product(j, nq, j->vwidth, see, w->scores, w->ld, 1, wn__down_later(j, w->v, met.first), acc, j->vwidth, *begun);
    *begun = true;
    const rows v = {wn__side_rows(j, &j->v, w->b, k0), j->v.row};
    if (j->careful) wn__add_keys(&corner, &w->unclean, (wn__numbers){w->scores, w->ld, weights_kind(j)}, v, j->vwidth, acc);
    return done;
}

/* A block's keys are packed; its values are where products find them. */
static void open_block(const job *j, task_of_panels *w, int64_t k0, int64_t nk) {
    const rows k = {wn__side_rows(j, &j->kk, w->b, k0), j->kk.row}, own = {wn__side_rows(j, &j->v, w->b, k0), j->v.row};
    const rows v = j->careful ? wn__clean_rows(j, own, nk, j->vwidth, w->clean, &w->unclean) : own;
    w->v = v;
    if (j->queries <= FEW) return;
    if (j->t->depth == 1) {
        wn__pack_rows(j, k, nk, j->width, w->keys);
        if (v.p == own.p) w->v = wn__rows_near(j, &j->v, w->b, k0, nk, j->vwidth, w->near_v);
    } else {
        wn__pack_rows(j, wn__rows_near(j, &j->kk, w->b, k0, nk, j->width, w->near_k), nk, j->width, w->keys);
        w->v = wn__rows_down(j, v, nk, j->vwidth, w->near_v);
    }
}

static bool forward_task(job *j, task_of_panels *w) {
    const int64_t q0 = wn__attention_panel(j, w->first), q1 = wn__attention_panel(j, w->last), last = wn__seen(j, q1, 0, j->keys), step = block_keys(j), z = j->size;
    char *max = j->lse + (w->b * j->queries + q0) * z;
    for (int64_t i = 0; i < q1 - q0; i++) wn__store_val(j->dtype, max + i * z, wn_val_of_float(-INFINITY));
    memset(w->sum, 0, (size_t)((q1 - q0) * z));
    memset(w->begun, 0, sizeof w->begun);
    w->q = wn__rows_near(j, &j->q, w->b, q0, q1 - q0, j->width, w->near_q);
    for (int64_t k0 = 0; k0 < last; k0 += step) {
        const int64_t nk = wn__least(step, last - k0);
        if (wn__map_keys(j, w->b, w->first, w->last, k0, nk).last == 0) {
            wn__map_count(j, (q1 - q0) * nk, 0, j->width + j->vwidth);
            continue;
        }
        open_block(j, w, k0, nk);
        for (int64_t p = w->first; p < w->last; p++)
            if (!meet(j, w, p, k0, nk)) return false;
    }
    char *acc = sums_at(j, w, q0);
    for (int64_t p = w->first; p < w->last; p++) {
        const int64_t from = wn__attention_panel(j, p), to = wn__attention_panel(j, p + 1);
        if (!w->begun[p - w->first]) memset(sums_at(j, w, from), 0, (size_t)((to - from) * j->vwidth * z));
    }
    j->k->finish(q1 - q0, max, w->sum, acc, j->vwidth);
    wn__watch(j, acc, (q1 - q0) * j->vwidth);
    if (w->acc) j->t->store(j->out + (w->b * j->queries + q0) * j->vwidth * (int64_t)wn__dtype_size(j->io), j->io, 1, acc, (q1 - q0) * j->vwidth);
    return true;
}

/* Panels of a task: many share packed keys, as long as every thread gets tasks. */
static int64_t group_panels(const job *j) {
    int64_t n = GROUP / j->t->mr;
    while (n > 4 && j->batch * wn__panels(wn__attention_panels(j), (int)n) < 4 * (int64_t)wn_num_threads()) n = (n + 1) / 2;
    return n;
}

static void forward(void *ctx, int64_t begin, int64_t end) {
    job *j = ctx;
    const int64_t n = group_panels(j), panels = wn__attention_panels(j), groups = wn__panels(panels, (int)n), most = n * j->t->mr, keys = block_keys(j), z = j->size;
    const int64_t packed = wn__packed_size(j, keys, j->width), scores = j->t->mr * wn__score_line(keys) * z, q = wn__near_size(j, most, j->width);
    const int64_t k = j->t->depth == 1 ? 0 : wn__near_size(j, keys, j->width), v = j->t->depth == 1 ? keys * j->vwidth * z : wn__packed_size(j, j->vwidth, keys);
    const int64_t acc = j->io == j->dtype ? 0 : most * j->vwidth * z, clean = j->careful ? wn__near_size(j, keys, j->vwidth) : 0;
    task_of_panels w = {.ld = wn__score_line(keys), .keys = wn__scratch(2, (size_t)(packed + scores + q + k + v + clean + most * z + acc))};
    if (!w.keys) {
        j->failed = true;
        return;
    }
    w.scores = w.keys + packed, w.near_q = w.scores + scores, w.near_k = w.near_q + q, w.near_v = w.near_k + k, w.clean = w.near_v + v, w.sum = w.clean + clean;
    w.acc = acc ? w.sum + most * z : NULL;
    for (int64_t u = begin; u < end; u++) {
        w.b = u / groups, w.first = u % groups * n, w.last = wn__least(w.first + n, panels);
        if (!forward_task(j, &w)) j->failed = true;
    }
}

/* ------------------------------------------------------------------ the row */

/* False: interrupted. */
static bool run_forward(job *j) {
    const int64_t tasks = j->batch * wn__panels(wn__attention_panels(j), (int)group_panels(j));
    const bool done = wn__parallel_fresh(tasks, 1, forward, j);
    j->careful = j->nan;
    return done && (!j->careful || wn__parallel_fresh(tasks, 1, forward, j));
}

static wn__ran forward_as(job *j, const wn__call *c, bool pairs) {
    const wn_attention_forward_args *a = c->args;
    wn__attention_choose(j, pairs);
    if (!wn__attention_open(j, a->query, a->key, a->value, a->attn_mask, a->scale)) return WN__NO_MEMORY;
    j->out = wn__ptr(c->out[0]), j->lse = wn__ptr(c->out[1]);
    return wn__ran_if((!c->out[1]->numel || run_forward(j)) && !j->failed);
}
static wn__ran forward_pairs(void *form, const void *call) { return forward_as(form, call, true); }
static wn__ran forward_wide(void *form, const void *call) { return forward_as(form, call, false); }
static const wn__kernel_row forward_rows[] = {
    {"pairs", WN__ONLY(WN_BF16), WN__AVX512_BF16, wn__attention_pairs_suit, forward_pairs, true},
    {"wide", WN__FLOATS, WN__EVERY_LEVEL, NULL, forward_wide, true},
};
WN__KERNEL_TABLE(wn__attention_forward_kernels, "attention_forward", forward_rows, .describe = wn__attention_describe);

static bool rows_dense(const wn_tensor *t) { return t->strides[t->ndim - 1] == 1; }

wn_status wn__infer_attention_forward(wn__call *c) {
    const wn_attention_forward_args *a = c->args;
    job *j = wn__plan(c, sizeof *j);
    wn_status st = j ? wn__attention_check(c, a->query, a->key, a->value, a->attn_mask, j) : c->th->error;
    if (st) return st;
    int64_t shape[WN_MAX_DIMS];
    memcpy(shape, a->query->shape, sizeof shape);
    shape[j->lead + 1] = j->vwidth;
    c->row_major = !rows_dense(a->query) || !rows_dense(a->key) || !rows_dense(a->value); /* as torch, which has its fast kernel only there */
    st = wn__result(c, 0, j->io, j->lead + 2, shape, NULL);
    return st ? st : wn__result(c, 1, j->dtype, j->lead + 1, shape, NULL);
}

wn_status wn__run_attention_forward(wn__call *c) {
    job *j = c->plan;
    j->causal = ((const wn_attention_forward_args *)c->args)->is_causal;
    const bool done = wn__kernel_walk(&wn__attention_forward_kernels, j->io, j, c);
    wn__attention_close(j);
    return done ? WN_OK : wn__fail_memory(c->op->name);
}
