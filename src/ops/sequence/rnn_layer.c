/* One recurrent layer in one direction. The state is [batch, hidden]; step t works on its first rows[t] rows, so that a packed batch
 * costs what it holds: going forwards the rows of sequences that have ended keep their last state, going backwards rows join with
 * their first one. Each step is one product with the recurrent weights and one pass over the gates. */
#include "base/alloc.h"
#include "base/interrupt.h"
#include "engine/contraction.h"
#include "engine/gemm.h"
#include "base/level.h"
#include "base/threads.h"
#include "engine/rnn_kernels.h"
#include "ops/norm/norm.h"
#include "ops/sequence/rnn.h"
#include <stdatomic.h>

WN__DECLARE_LEVELS(wn__rnn_kernels, wn__rnn_kernels);
const wn__rnn_kernels *wn__rnn_now(void) { return WN__OF_LEVEL(wn__rnn_kernels); }

/* ------------------------------------------------------------------ steps */

static wn_status unfit_steps(const char *op, int64_t total, int64_t batch) {
    return wn__fail(WN_E_RUNTIME, op, "the steps of %lld rows do not fit a hidden state of %lld", (long long)total, (long long)batch);
}
/* What there is to say without looking at the sizes. */
static wn_status check_steps(const char *op, const wn_tensor *batch_sizes, int64_t total, int64_t batch) {
    if (batch_sizes && (batch_sizes->dtype != WN_I64 || batch_sizes->ndim != 1))
        return wn__fail(WN_E_RUNTIME, op, "batch_sizes should be a 1-d int64 tensor, but is %s", wn__desc(batch_sizes));
    return !batch_sizes && (batch ? total % batch : total) ? unfit_steps(op, total, batch) : WN_OK;
}
wn_status wn__steps_read(const char *op, const wn_tensor *batch_sizes, int64_t total, int64_t batch, wn__steps *s) {
    *s = (wn__steps){.total = total, .batch = batch};
    const wn_status st = check_steps(op, batch_sizes, total, batch);
    if (st) return st;
    s->n = batch_sizes ? batch_sizes->shape[0] : batch ? total / batch : 0;
    s->rows = wn__calloc((size_t)s->n * 2 + 1, sizeof *s->rows);
    if (!s->rows) return wn__fail_memory(op);
    s->at = s->rows + s->n;
    const int64_t *given = batch_sizes ? (const int64_t *)(const void *)wn__ptr(batch_sizes) : NULL;
    int64_t at = 0, before = batch;
    for (int64_t t = 0; t < s->n; t++) {
        const int64_t rows = given ? given[t * batch_sizes->strides[0]] : batch;
        if (rows < 1 || rows > before || at > total - rows) {
            wn__steps_free(s);
            return wn__fail(WN_E_RUNTIME, op, "batch_sizes must be positive, not increasing, at most the %lld rows of the hidden state, and sum up to %lld",
                            (long long)batch, (long long)total);
        }
        s->rows[t] = before = rows;
        s->at[t] = at;
        at += rows;
    }
    if (at == total && (!given || s->n == 0 || s->rows[0] == batch)) return WN_OK;
    wn__steps_free(s);
    return unfit_steps(op, total, batch);
}
void wn__steps_free(wn__steps *s) {
    wn__free(s->rows);
    s->rows = NULL;
}

/* ------------------------------------------------------------------ a layer's job */

typedef struct layer {
    const wn__rnn_type *k;
    wn_dtype dtype;        /* f32 or f64, in which it computes */
    int64_t size;          /* of its elements */
    int64_t kind, h, p, g; /* hidden units; what a step puts out (h, or fewer where projected); gates */
    int64_t saved_width;   /* of a row of saved */
    bool reverse;
    wn__steps s;
    wn_tensor *held[10];   /* owned: operands in the compute type */
    int nheld;
    const char *gates, *hx, *cx, *w, *b, *wr; /* operands; NULL: none */
    char *out, *hn, *cn, *saved;
    int64_t block;         /* rows of every step of this part of the batch; 0: s.rows says */
    char *room, *wt;       /* memory for one step; w transposed, `wstep` elements between rows */
    char *scratch, *units; /* in room: the hidden state's part of a step (backward: what enters it), what is to be projected */
    const char *before;    /* the hidden state before the step under way */
    int64_t wstep;
    /* backward */
    const char *gout, *y, *kept; /* cotangent of the output; output and saved of the forward */
    char *dgates, *dh, *dc, *dhid, *hprev, *dproj, *hfull;
    int64_t step;          /* the one under way */
} layer;

static const char *hold(layer *l, wn_tensor *t, bool *ok) {
    if (!t) return NULL;
    wn_tensor *line = wn__plain_raw(t, l->dtype);
    l->held[l->nheld++] = line;
    const char *p = line ? wn__ptr(line) : NULL;
    if (!line || (!p && line->numel)) *ok = false;
    return p;
}
static void layer_free(layer *l) {
    for (int i = 0; i < l->nheld; i++) wn__release(l->held[i]);
    wn__steps_free(&l->s);
    wn__free(l->room);
    wn__free(l->wt);
}

/* c[m, n] = a[m, k] b[k, n] + beta * c; the strides of b are free. */
static bool product(const layer *l, int64_t m, int64_t n, int64_t k, const char *a, int64_t am, int64_t ak, const char *b, int64_t bk, int64_t bn, char *c, int64_t cm,
                    double beta) {
    const wn__contraction x = {.dtype = l->dtype, .out_dtype = l->dtype, .a = a, .b = b, .c = c, .nm = 1, .nn = 1, .nk = 1, .m = {{m, am, 0, cm}}, .n = {{n, 0, bn, 1}},
                               .k = {{k, ak, bk, 0}}, .alpha = 1, .beta = beta};
    return wn__contract(&x);
}
static int64_t grain(const layer *l) { return 1 + 4096 / (l->g * l->h + 1); }
static int64_t step_at(const layer *l, int64_t i) { return l->reverse ? l->s.n - 1 - i : i; }
static int64_t rows_of(const layer *l, int64_t t) { return l->block ? l->block : l->s.rows[t]; }
/* How many of the first n rows had a step before step t? It is *before then. */
static int64_t rows_before(const layer *l, int64_t t, int64_t n, int64_t *before) {
    *before = l->reverse ? t + 1 : t - 1;
    if (*before < 0 || *before >= l->s.n) return 0;
    return rows_of(l, *before) < n ? rows_of(l, *before) : n;
}
/* The cell of row r before step t: in the saved rows of the step before, or the first one. */
static const char *cell_before(const layer *l, const char *saved, int64_t t, int64_t r) {
    int64_t before;
    if (r >= rows_before(l, t, r + 1, &before)) return l->cx + r * l->h * l->size;
    return saved + ((l->s.at[before] + r) * l->saved_width + 4 * l->h) * l->size;
}

/* Is this a layer? Fills the sizes. */
static wn_status check_rnn_layer(wn__call *c, layer *l, int64_t kind, bool reverse, const wn_tensor *hx, const wn_tensor *cx, const wn_tensor *w, const wn_tensor *wr) {
    *l = (layer){.kind = kind, .reverse = reverse};
    if (kind < 0 || kind > 3) return wn__fail_op(c, WN_E_RUNTIME, "there is no kind %lld of recurrent layer", (long long)kind);
    l->g = wn__rnn_gates(kind);
    if (!wn__is_float(w->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "recurrent layers need floating point weights, got %s", wn__desc(w));
    l->dtype = w->dtype == WN_F64 ? WN_F64 : WN_F32;
    l->size = (int64_t)wn__dtype_size(l->dtype);
    l->k = l->dtype == WN_F64 ? &wn__rnn_now()->f64 : &wn__rnn_now()->f32;
    if (w->ndim != 2 || hx->ndim != 2 || w->shape[0] % l->g)
        return wn__fail_op(c, WN_E_RUNTIME, "hidden state %s and recurrent weight %s do not fit together", wn__desc(hx), wn__desc(w));
    l->h = w->shape[0] / l->g;
    l->p = w->shape[1];
    if (hx->shape[1] != l->p) return wn__fail_op(c, WN_E_RUNTIME, "hidden state %s does not fit the recurrent weight %s", wn__desc(hx), wn__desc(w));
    if ((kind == WN__RNN_LSTM) != (cx != NULL) || (cx && (cx->ndim != 2 || cx->shape[0] != hx->shape[0] || cx->shape[1] != l->h)))
        return wn__fail_op(c, WN_E_RUNTIME, "the cell state does not fit a recurrent weight %s and hidden state %s", wn__desc(w), wn__desc(hx));
    if (wr ? kind != WN__RNN_LSTM || wr->ndim != 2 || wr->shape[0] != l->p || wr->shape[1] != l->h : l->p != l->h)
        return wn__fail_op(c, WN_E_RUNTIME, "the recurrent weight %s does not fit %lld hidden units and their projection", wn__desc(w), (long long)l->h);
    l->saved_width = kind == WN__RNN_LSTM ? 5 * l->h : kind == WN__RNN_GRU ? 4 * l->h : 0;
    return WN_OK;
}

/* ------------------------------------------------------------------ forward */

static void forward_rows(void *ctx, int64_t begin, int64_t end) {
    const layer *l = ctx;
    const int64_t z = l->size, h = l->h, t = l->step, at = l->s.at[t];
    for (int64_t r = begin; r < end; r++) {
        char *saved = l->saved + (at + r) * l->saved_width * z, *out = l->out + (at + r) * l->p * z;
        if (l->kind == WN__RNN_LSTM) {
            l->k->lstm(h, l->gates + (at + r) * 4 * h * z, l->scratch + r * 4 * h * z, cell_before(l, l->saved, t, r), saved,
                       l->wr ? l->units + r * h * z : out);
        } else if (l->kind == WN__RNN_GRU) {
            memcpy(saved, l->gates + (at + r) * 3 * h * z, (size_t)(3 * h * z));
            l->k->gru(h, saved, l->scratch + r * 3 * h * z, l->before + r * h * z, out);
        } else {
            l->k->plain(h, out, l->kind == WN__RNN_RELU);
        }
    }
}

/* The rows for which step t is the last one leave their states. */
static void last_states(const layer *l, int64_t t) {
    const int64_t z = l->size, n = rows_of(l, t), at = l->s.at[t], next = l->reverse ? t - 1 : t + 1;
    const int64_t first = next < 0 || next >= l->s.n ? 0 : rows_of(l, next) < n ? rows_of(l, next) : n;
    memcpy(l->hn + first * l->p * z, l->out + (at + first) * l->p * z, (size_t)((n - first) * l->p * z));
    for (int64_t r = first; r < n && l->kind == WN__RNN_LSTM; r++)
        memcpy(l->cn + r * l->h * z, l->saved + ((at + r) * l->saved_width + 4 * l->h) * z, (size_t)(l->h * z));
}

enum { SQUARE = 16, FEW = 64, IN_PLACE = 400 << 10 };

/* Squares at a time: one side of a large transposition misses the cache at every element. */
static void transpose(const layer *l) {
    const int64_t rows = l->g * l->h;
    for (int64_t i0 = 0; i0 < rows; i0 += SQUARE)
        for (int64_t k0 = 0; k0 < l->p; k0 += SQUARE)
            for (int64_t k = k0; k < l->p && k < k0 + SQUARE; k++)
                for (int64_t i = i0; i < rows && i < i0 + SQUARE; i++)
                    if (l->dtype == WN_F64) ((double *)(void *)l->wt)[k * l->wstep + i] = ((const double *)(const void *)l->w)[i * l->p + k];
                    else ((float *)(void *)l->wt)[k * l->wstep + i] = ((const float *)(const void *)l->w)[i * l->p + k];
}
/* The state's rows times the transposed weights. Few rows: in pieces of columns that the engine reads where they lie, since packing
 * all weights at every step would cost as much as the product. */
static bool recurrent(const layer *l, int64_t n, char *to, int64_t step, double beta) {
    const int64_t width = l->g * l->h, fit = IN_PLACE / (l->p * l->size + 1) / 64 * 64, piece = n > FEW || fit < 64 ? width : fit;
    for (int64_t j = 0; j < width; j += piece) {
        const int64_t cols = width - j < piece ? width - j : piece;
        if (!product(l, n, cols, l->p, l->before, l->p, 1, l->wt + j * l->size, l->wstep, 1, to + j * l->size, step, beta)) return false;
    }
    return true;
}
/* Rows of the step before, or, where some have none (hn begins as the first states), those in hn. */
static const char *hidden_before(const layer *l, int64_t t) {
    int64_t before;
    const int64_t z = l->size, n = rows_of(l, t), old = rows_before(l, t, n, &before);
    if (old == n) return l->out + l->s.at[before] * l->p * z;
    if (old) memcpy(l->hn, l->out + l->s.at[before] * l->p * z, (size_t)(old * l->p * z));
    return l->hn;
}
/* hidden state times weights, beside what the input contributes; plain layers and gru's bias are added to by the product */
static bool forward_step(layer *l, int64_t t) {
    const int64_t z = l->size, n = rows_of(l, t), at = l->s.at[t], width = l->g * l->h;
    const bool plain = l->kind != WN__RNN_LSTM && l->kind != WN__RNN_GRU;
    char *to = plain ? l->out + at * l->h * z : l->scratch;
    const char *from = plain ? l->gates + at * width * z : l->b;
    for (int64_t r = 0; r < n && from; r++) memcpy(to + r * width * z, from + (plain ? r * width * z : 0), (size_t)(width * z));
    l->before = hidden_before(l, t);
    if (!recurrent(l, n, to, width, from ? 1 : 0)) return false;
    l->step = t;
    wn__parallel(n, grain(l), forward_rows, l);
    if (l->wr && !product(l, n, l->p, l->h, l->units, l->h, 1, l->wr, 1, l->h, l->out + at * l->p * z, l->p, 0)) return false;
    last_states(l, t);
    return true;
}

/* ------------------------------------------------------------------ all steps */

enum { LEAST_ROWS = 9, KEPT = 768 << 10 };

typedef struct walk {
    const layer *l;
    bool (*step)(layer *l, int64_t t);
    bool back;
    int64_t blocks;
    _Atomic bool failed;
} walk;

static void move_by(char **p, int64_t bytes) { *p = *p ? *p + bytes : NULL; }
static void look_from(const char **p, int64_t bytes) { *p = *p ? *p + bytes : NULL; }
/* The layer of n rows of the batch from row r on, where all steps have all rows. */
static layer part_of(const layer *l, int64_t r, int64_t n) {
    layer x = *l;
    const int64_t z = l->size, gates = r * l->g * l->h * z, h = r * l->h * z, p = r * l->p * z;
    x.block = n;
    look_from(&x.gates, gates), look_from(&x.hx, p), look_from(&x.cx, h), look_from(&x.gout, p), look_from(&x.y, p), look_from(&x.kept, r * l->saved_width * z);
    move_by(&x.out, p), move_by(&x.hn, p), move_by(&x.cn, h), move_by(&x.saved, r * l->saved_width * z), move_by(&x.scratch, l->kept ? h : gates);
    move_by(&x.dgates, gates), move_by(&x.dh, p), move_by(&x.dc, h), move_by(&x.dhid, gates), move_by(&x.hprev, p);
    return x;
}
static void walk_task(void *ctx, int64_t begin, int64_t end) {
    walk *w = ctx;
    for (int64_t u = begin; u < end; u++) {
        const int64_t r = wn__panel_start(w->l->s.batch, w->blocks, u), n = wn__panel_start(w->l->s.batch, w->blocks, u + 1) - r, steps = w->l->s.n;
        layer x = w->blocks > 1 ? part_of(w->l, r, n) : *w->l;
        for (int64_t i = 0; i < steps; i++) {
            if (!wn__stop_now() && w->step(&x, step_at(&x, w->back ? steps - 1 - i : i))) continue;
            atomic_store(&w->failed, true);
            return;
        }
    }
}
/* One step after the other. Threads take rows of the batch for all steps, where every step has all rows and the weights stay in each
 * one's L2: they meet once. So many rows at least that all products go the same way, with the same bits; else threads share each step. */
static bool sweep(const layer *l, bool (*step)(layer *l, int64_t t), bool back) {
    walk w = {.l = l, .step = step, .back = back, .blocks = wn_num_threads()};
    const bool even = l->s.n > 0 && l->s.rows[l->s.n - 1] == l->s.batch, kept = l->g * l->h * l->p * l->size <= KEPT;
    if (w.blocks > l->s.batch / LEAST_ROWS) w.blocks = l->s.batch / LEAST_ROWS;
    if (!even || !kept || l->wr || l->p < 2 || w.blocks < 2) w.blocks = 1;
    atomic_init(&w.failed, false);
    if (w.blocks > 1) wn__parallel(w.blocks, 1, walk_task, &w);
    else walk_task(&w, 0, 1);
    return !atomic_load(&w.failed);
}

static bool forward(layer *l) {
    const int64_t width = l->g * l->h;
    l->wstep = width + (width * l->size % 1024 ? 0 : 16); /* rows a multiple of 1 KiB apart share L1's sets */
    l->wt = wn__calloc((size_t)(l->wstep * l->p) + 1, (size_t)l->size);
    l->scratch = l->room = wn__calloc((size_t)(l->s.batch * (width + (l->wr ? l->h : 0))) + 1, (size_t)l->size);
    if (!l->wt || !l->room) return false;
    l->units = l->scratch + l->s.batch * width * l->size;
    transpose(l);
    memcpy(l->hn, l->hx, (size_t)(l->s.batch * l->p * l->size));
    if (l->cx) memcpy(l->cn, l->cx, (size_t)(l->s.batch * l->h * l->size));
    return sweep(l, forward_step, false);
}

static wn_status check_gates(wn__call *c, const layer *l, const wn_tensor *gates, const wn_tensor *b) {
    if (gates->ndim != 2 || gates->shape[1] != l->g * l->h || !wn__is_float(gates->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "the input's part %s does not fit %lld gates of %lld units", wn__desc(gates), (long long)l->g, (long long)l->h);
    if (b && (l->kind != WN__RNN_GRU || b->ndim != 1 || b->shape[0] != l->g * l->h)) return wn__fail_op(c, WN_E_RUNTIME, "the bias %s does not fit", wn__desc(b));
    return WN_OK;
}

wn_status wn__infer_rnn_layer(wn__call *c) {
    const wn_rnn_layer_args *a = c->args;
    layer l;
    const wn_dtype io = (wn_dtype)a->hx->dtype;
    wn_status st = check_rnn_layer(c, &l, a->kind, a->reverse, a->hx, a->cx, a->w_hh, a->w_hr);
    if (!st) st = check_gates(c, &l, a->gates, a->b_hh);
    if (st) return st;
    const int64_t total = a->gates->shape[0], batch = a->hx->shape[0];
    st = check_steps(c->op->name, a->batch_sizes, total, batch);
    if (!st) st = wn__result(c, 0, io, 2, (int64_t[]){total, l.p}, NULL);
    if (!st) st = wn__result(c, 1, io, 2, (int64_t[]){batch, l.p}, NULL);
    if (!st) st = wn__result(c, 2, io, 2, (int64_t[]){a->cx ? batch : 0, l.h}, NULL);
    return st ? st : wn__result(c, 3, l.dtype, 2, (int64_t[]){total, l.saved_width}, NULL);
}

wn_status wn__run_rnn_layer(wn__call *c) {
    const wn_rnn_layer_args *a = c->args;
    layer l;
    wn_status st = check_rnn_layer(c, &l, a->kind, a->reverse, a->hx, a->cx, a->w_hh, a->w_hr);
    if (!st) st = wn__steps_read(c->op->name, a->batch_sizes, a->gates->shape[0], a->hx->shape[0], &l.s);
    if (st) return st;
    bool ok = true;
    l.gates = hold(&l, a->gates, &ok), l.hx = hold(&l, a->hx, &ok), l.cx = hold(&l, a->cx, &ok);
    l.w = hold(&l, a->w_hh, &ok), l.b = hold(&l, a->b_hh, &ok), l.wr = hold(&l, a->w_hr, &ok);
    wn_tensor *w[3] = {NULL};
    for (int i = 0; i < 3 && ok; i++) ok = (w[i] = wn__work_of(c->out[i], l.dtype)) != NULL;
    if (ok) l.out = wn__ptr(w[0]), l.hn = wn__ptr(w[1]), l.cn = wn__ptr(w[2]), l.saved = wn__ptr(c->out[3]);
    if (!(ok && forward(&l))) st = wn__fail_memory(c->op->name);
    for (int i = 0; i < 3 && !st; i++)
        if (w[i] != c->out[i]) st = wn__copy(c->out[i], w[i]);
    for (int i = 0; i < 3; i++) wn__release(w[i]);
    layer_free(&l);
    return st;
}

/* ------------------------------------------------------------------ backward */

/* The hidden states before step t: rows of the outputs of the step before, or the first ones. */
static void states_before(const layer *l, int64_t t, char *to) {
    int64_t before;
    const int64_t row = l->p * l->size, n = rows_of(l, t), old = rows_before(l, t, n, &before);
    if (old) memcpy(to, l->y + l->s.at[before] * row, (size_t)(old * row));
    memcpy(to + old * row, l->hx + old * row, (size_t)((n - old) * row));
}

static void backward_rows(void *ctx, int64_t begin, int64_t end) {
    const layer *l = ctx;
    const int64_t z = l->size, h = l->h, t = l->step, at = l->s.at[t];
    for (int64_t r = begin; r < end; r++) {
        const char *kept = l->kept + (at + r) * l->saved_width * z, *y = l->y + (at + r) * l->p * z;
        char *dh = l->dh + r * l->p * z, *d = l->dgates + (at + r) * l->g * h * z;
        if (l->kind == WN__RNN_LSTM)
            l->k->lstm_back(h, kept, cell_before(l, l->kept, t, r), kept + 4 * h * z, l->wr ? l->scratch + r * h * z : dh, l->dc + r * h * z, d,
                            l->wr ? l->hfull + (at + r) * h * z : NULL);
        else if (l->kind == WN__RNN_GRU)
            l->k->gru_back(h, kept, l->hprev + (at + r) * h * z, dh, d, l->dhid + (at + r) * 3 * h * z, l->scratch + r * h * z);
        else l->k->plain_back(h, y, dh, d, l->kind == WN__RNN_RELU);
    }
}
static bool backward_step(layer *l, int64_t t) {
    const int64_t z = l->size, n = rows_of(l, t), at = l->s.at[t], width = l->g * l->h;
    if (l->gout) l->k->add(n * l->p, l->dh, l->gout + at * l->p * z);
    states_before(l, t, l->hprev + at * l->p * z);
    if (l->wr) {
        memcpy(l->dproj + at * l->p * z, l->dh, (size_t)(n * l->p * z));
        if (!product(l, n, l->h, l->p, l->dh, l->p, 1, l->wr, l->h, 1, l->scratch, l->h, 0)) return false;
    }
    l->step = t;
    wn__parallel(n, grain(l), backward_rows, l);
    const char *d = (l->kind == WN__RNN_GRU ? l->dhid : l->dgates) + at * width * z;
    if (l->kind == WN__RNN_GRU) memcpy(l->dh, l->scratch, (size_t)(n * l->h * z));
    return product(l, n, l->p, width, d, width, 1, l->w, l->p, 1, l->dh, l->p, l->kind == WN__RNN_GRU ? 1 : 0);
}

/* The weights' gradients: sums over all steps. */
static bool weight_grads(layer *l, char *dw, char *db, char *dwr) {
    const int64_t width = l->g * l->h, n = l->s.total;
    const char *d = l->kind == WN__RNN_GRU ? l->dhid : l->dgates;
    if (!product(l, width, l->p, n, d, 1, width, l->hprev, l->p, 1, dw, l->p, 0)) return false;
    if (dwr && !product(l, l->p, l->h, n, l->dproj, 1, l->p, l->hfull, l->h, 1, dwr, l->h, 0)) return false;
    for (int64_t i = 0; db && i < n; i++) l->k->add(width, db, d + i * width * l->size);
    return true;
}

static wn_status check_backward(wn__call *c, const layer *l, const wn_rnn_layer_backward_args *a) {
    const wn_tensor *y = a->output, *s = a->saved;
    bool fits = y->ndim == 2 && y->shape[1] == l->p && s->ndim == 2 && s->shape[0] == y->shape[0] && s->shape[1] == l->saved_width && s->dtype == l->dtype &&
                wn__is_float(y->dtype);
    if (a->grad_output) fits = fits && wn__same_shape(a->grad_output, y);
    if (a->grad_h) fits = fits && wn__same_shape(a->grad_h, a->hx);
    if (a->grad_c) fits = fits && a->cx && wn__same_shape(a->grad_c, a->cx);
    return fits ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "output %s and saved %s are not those of a layer with the recurrent weight %s", wn__desc(y), wn__desc(s), wn__desc(a->w_hh));
}

enum { GATES, HX, CX, W_HH, B_HH, W_HR, GRADS };

/* Memory for the sweep, in one piece; sets the pointers. */
static bool backward_room(layer *l) {
    const int64_t n = l->s.total, width = l->g * l->h, sizes[] = {n * l->p, l->kind == WN__RNN_GRU ? n * width : 0, l->wr ? n * l->p : 0, l->wr ? n * l->h : 0,
                                                                  l->s.batch * l->h};
    char **const to[] = {&l->hprev, &l->dhid, &l->dproj, &l->hfull};
    int64_t all = 0;
    for (int i = 0; i < 5; i++) all += sizes[i];
    l->scratch = l->room = wn__calloc((size_t)all + 1, (size_t)l->size);
    if (!l->room) return false;
    char *p = l->scratch + sizes[4] * l->size; /* the step's room comes first */
    for (int i = 0; i < 4; i++) {
        *to[i] = p;
        p += sizes[i] * l->size;
    }
    return true;
}

wn_status wn__infer_rnn_layer_backward(wn__call *c) {
    const wn_rnn_layer_backward_args *a = c->args;
    layer l;
    wn_status st = check_rnn_layer(c, &l, a->kind, a->reverse, a->hx, a->cx, a->w_hh, a->w_hr);
    if (!st) st = check_backward(c, &l, a);
    if (st) return st;
    const int64_t total = a->output->shape[0], batch = a->hx->shape[0], width = l.g * l.h;
    const int64_t shapes[GRADS][2] = {{total, width}, {batch, l.p}, {a->cx ? batch : 0, l.h}, {width, l.p}, {l.kind == WN__RNN_GRU ? width : 0, 0}, {a->w_hr ? l.p : 0, l.h}};
    st = check_steps(c->op->name, a->batch_sizes, total, batch);
    if (!st) st = wn__give_list(c, GRADS);
    for (int i = 0; i < GRADS && !st; i++) st = wn__list_result(c, i, l.dtype, i == B_HH ? 1 : 2, shapes[i]);
    return st;
}

wn_status wn__run_rnn_layer_backward(wn__call *c) {
    const wn_rnn_layer_backward_args *a = c->args;
    layer l;
    wn_status st = check_rnn_layer(c, &l, a->kind, a->reverse, a->hx, a->cx, a->w_hh, a->w_hr);
    if (!st) st = wn__steps_read(c->op->name, a->batch_sizes, a->output->shape[0], a->hx->shape[0], &l.s);
    if (st) return st;
    bool ok = true;
    const char *gh = hold(&l, a->grad_h, &ok), *gc = hold(&l, a->grad_c, &ok);
    l.gout = hold(&l, a->grad_output, &ok), l.hx = hold(&l, a->hx, &ok), l.cx = hold(&l, a->cx, &ok);
    l.w = hold(&l, a->w_hh, &ok), l.wr = hold(&l, a->w_hr, &ok), l.y = hold(&l, a->output, &ok), l.kept = hold(&l, a->saved, &ok);
    if (ok && backward_room(&l)) {
        l.dgates = wn__ptr(c->list[GATES]), l.dh = wn__ptr(c->list[HX]), l.dc = wn__ptr(c->list[CX]);
        if (gh) memcpy(l.dh, gh, (size_t)(l.s.batch * l.p * l.size));
        else memset(l.dh, 0, (size_t)(l.s.batch * l.p * l.size));
        if (l.cx && gc) memcpy(l.dc, gc, (size_t)(l.s.batch * l.h * l.size));
        else if (l.cx) memset(l.dc, 0, (size_t)(l.s.batch * l.h * l.size));
        if (l.kind == WN__RNN_GRU) memset(wn__ptr(c->list[B_HH]), 0, (size_t)(l.g * l.h * l.size));
        ok = sweep(&l, backward_step, true) && weight_grads(&l, wn__ptr(c->list[W_HH]), l.kind == WN__RNN_GRU ? wn__ptr(c->list[B_HH]) : NULL, l.wr ? wn__ptr(c->list[W_HR]) : NULL);
        if (!ok) st = wn__fail_memory(c->op->name);
    } else {
        st = wn__fail_memory(c->op->name);
    }
    layer_free(&l);
    return st;
}

void wn__vjp_rnn_layer(wn__gradctx *c) {
    const wn_rnn_layer_args *a = c->args;
    if (!c->g[0] && !c->g[1] && !c->g[2]) return;
    if (wn_grad_enabled()) {
        wn__steps s;
        if (wn__steps_read("rnn_layer_backward", a->batch_sizes, a->gates->shape[0], a->hx->shape[0], &s)) return;
        wn__rnn_composed_grad(c, &s);
        wn__steps_free(&s);
        return;
    }
    wn_list r = wn_rnn_layer_backward(c->g[0], c->g[1], a->cx ? c->g[2] : NULL, c->y[0], c->y[3], a->hx, a->cx, a->w_hh, a->w_hr, a->batch_sizes, a->reverse, a->kind);
    for (int i = 0; i < GRADS && i < r.n; i++)
        if (wn__grad_wanted(c, i) && (i != B_HH || a->b_hh) && (i != CX || a->cx) && (i != W_HR || a->w_hr)) c->gin[i] = r.v[i];
}
