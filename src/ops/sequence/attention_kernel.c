/* Attention in blocks. Forward: for each block of queries the keys pass by in blocks, their scores become weights relative to the
 * largest score so far, and the sum of weighted values is scaled down when that grows. Backward: weights come again from scores and
 * the saved logsumexp. What a task does depends on shapes alone, so the bits are the same for any number of threads. */
#include <math.h>
#include "core/alloc.h"
#include "cpu/attention.h"
#include "cpu/contract.h"
#include "cpu/level.h"
#include "cpu/pool.h"
#include "ops/loss/losses.h"
#include "ops/norm/norm.h"

WN__DECLARE_LEVELS(wn__attention_kernels, wn__attention_kernels);
const wn__attention_kernels *wn__attention_now(void) { return WN__OF_LEVEL(wn__attention_kernels); }

enum { QUERIES = 128, KEYS = 128, PARTS = 16 };

/* One operand: [leading..., rows, cols] in the compute type, any strides in front, rows of unit stride. */
typedef struct side {
    wn_tensor *t; /* owned */
    const char *p;
    int64_t row;  /* elements between rows */
} side;

typedef struct job {
    const wn__attention_type *k;
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

/* The scores of queries q0.. with keys k0.., masked, to s [nq, KEYS]. */
static bool scores(const job *j, int64_t b, int64_t q0, int64_t nq, int64_t k0, int64_t nk, char *s) {
    if (!product(j, nq, nk, j->width, rows_of(j, &j->q, b, q0), j->q.row, 1, rows_of(j, &j->kk, b, k0), 1, j->kk.row, s, KEYS, j->scale, 0)) return false;
    if (j->mask) {
        const int64_t rs = j->mstride[j->lead], cs = j->mstride[j->lead + 1], at = offset_of(j, j->mstride, b) + q0 * rs + k0 * cs;
        if (j->bool_mask) j->k->mask(nq, nk, s, KEYS, (const uint8_t *)j->mp + at, rs, cs);
        else j->k->bias(nq, nk, s, KEYS, j->mp + at * j->size, rs, cs);
    }
    if (j->causal && k0 + nk > q0 + 1) j->k->causal(nq, nk, s, KEYS, q0 - k0);
    return true;
}

/* ------------------------------------------------------------------ forward */

static bool forward_block(const job *j, int64_t b, int64_t q0, char *room) {
    const int64_t nq = least(QUERIES, j->queries - q0), last = j->causal ? least(j->keys, q0 + nq) : j->keys;
    char *s = room, *sum = s + QUERIES * KEYS * j->size, *max = j->lse + (b * j->queries + q0) * j->size;
    char *acc = j->out + (b * j->queries + q0) * j->vwidth * j->size;
    memset(acc, 0, (size_t)(nq * j->vwidth * j->size));
    memset(sum, 0, (size_t)(nq * j->size));
    for (int64_t i = 0; i < nq; i++) wn__store_val(j->dtype, max + i * j->size, wn_val_of_float(-INFINITY));
    for (int64_t k0 = 0; k0 < last; k0 += KEYS) {
        const int64_t nk = least(KEYS, last - k0);
        if (!scores(j, b, q0, nq, k0, nk, s)) return false;
        j->k->soften(nq, nk, s, KEYS, max, sum, acc, j->vwidth);
        if (!product(j, nq, j->vwidth, nk, s, KEYS, 1, rows_of(j, &j->v, b, k0), j->v.row, 1, acc, j->vwidth, 1, 1)) return false;
    }
    j->k->finish(nq, max, sum, acc, j->vwidth);
    return true;
}
static void forward(void *ctx, int64_t begin, int64_t end, int worker) {
    job *j = ctx;
    (void)worker;
    const int64_t blocks = (j->queries + QUERIES - 1) / QUERIES;
    char *room = wn__scratch(2, (size_t)(QUERIES * (KEYS + 1) * j->size));
    if (!room) j->failed = true;
    for (int64_t u = begin; u < end && room; u++)
        if (!forward_block(j, u / blocks, u % blocks * QUERIES, room)) j->failed = true;
}

/* ------------------------------------------------------------------ backward */

/* One block of keys of a batch against all queries: its rows of dk and dv, and what it adds to dq. */
static bool backward_block(const job *j, int64_t b, int64_t k0, char *dq, char *room) {
    const int64_t nk = least(KEYS, j->keys - k0), z = j->size;
    char *s = room, *ds = s + QUERIES * KEYS * z;
    char *dk = j->dk + (b * j->keys + k0) * j->width * z, *dv = j->dv + (b * j->keys + k0) * j->vwidth * z;
    memset(dk, 0, (size_t)(nk * j->width * z));
    memset(dv, 0, (size_t)(nk * j->vwidth * z));
    for (int64_t q0 = j->causal ? k0 / QUERIES * QUERIES : 0; q0 < j->queries; q0 += QUERIES) {
        const int64_t nq = least(QUERIES, j->queries - q0), at = b * j->queries + q0;
        const char *g = rows_of(j, &j->g, b, q0), *v = rows_of(j, &j->v, b, k0);
        bool ok = scores(j, b, q0, nq, k0, nk, s) && product(j, nq, nk, j->vwidth, g, j->g.row, 1, v, 1, j->v.row, ds, KEYS, 1, 0);
        if (!ok) return false;
        j->k->back(nq, nk, s, ds, KEYS, j->lse + at * z, j->delta + at * z, j->scale);
        ok = product(j, nk, j->vwidth, nq, s, 1, KEYS, g, j->g.row, 1, dv, j->vwidth, 1, 1) &&
             product(j, nk, j->width, nq, ds, 1, KEYS, rows_of(j, &j->q, b, q0), j->q.row, 1, dk, j->width, 1, 1) &&
             product(j, nq, j->width, nk, ds, KEYS, 1, rows_of(j, &j->kk, b, k0), j->kk.row, 1, dq + q0 * j->width * z, j->width, 1, 1);
        if (!ok) return false;
    }
    return true;
}
static void backward(void *ctx, int64_t begin, int64_t end, int worker) {
    job *j = ctx;
    (void)worker;
    const int64_t blocks = (j->keys + KEYS - 1) / KEYS, bytes = j->queries * j->width * j->size;
    char *room = wn__scratch(2, (size_t)(2 * QUERIES * KEYS * j->size));
    if (!room) j->failed = true;
    for (int64_t u = begin; u < end && room; u++) {
        const int64_t b = u / j->nparts, part = u % j->nparts;
        char *dq = part ? j->parts + (b * (j->nparts - 1) + part - 1) * bytes : j->dq + b * bytes;
        memset(dq, 0, (size_t)bytes);
        for (int64_t i = part * blocks / j->nparts; i < (part + 1) * blocks / j->nparts; i++)
            if (!backward_block(j, b, i * KEYS, dq, room)) j->failed = true;
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
        if (lse->numel) wn__parallel(j.batch * ((j.queries + QUERIES - 1) / QUERIES), 1, forward, &j);
        st = j.failed ? wn__fail_memory(c->op->name) : work == out ? WN_OK : wn__copy(out, work);
    }
    wn__release(work);
    job_free(&j);
    return st;
}

/* dq, dk, dv of a job that is all set. */
static wn_status run_backward(wn__call *c, job *j) {
    const int64_t blocks = (j->keys + KEYS - 1) / KEYS;
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
