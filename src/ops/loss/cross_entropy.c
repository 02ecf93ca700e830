/* cross_entropy in one pass: for each block of positions the logits are read once, log(sum(exp)) is taken while they are in
 * cache, and the loss follows from it and two numbers. The backward reads the logits once and writes the gradient once. */
#include "base/alloc.h"
#include "base/counters.h"
#include "base/level.h"
#include "engine/loss_kernels.h"
#include "base/threads.h"
#include "engine/reduce_lines.h"
#include "ops/loss/loss.h"
#include "support/supports.h"

WN__DECLARE_LEVELS(wn__loss_kernels, wn__loss_kernels);
const wn__loss_kernels *wn__loss_now(void) { return WN__OF_LEVEL(wn__loss_kernels); }

typedef struct cross_entropy_job {
    wn__classes k;
    const wn__loss_type *kernel;
    wn_dtype dtype;
    wn__ct ct;
    double smoothing;
    const char *x;     /* row-major */
    char *lse;         /* of each position, compute type */
    double *losses;    /* forward */
    char *out;         /* backward: the gradient */
    const double *g;   /* of each position (divided by the total for mean) */
    int64_t step;      /* positions in a block */
    int64_t blocks;    /* of a sample, when there are inner positions; else of all */
    _Atomic bool failed;
} cross_entropy_job;

/* A block: `n` positions from p on, their logits in compute type at x, class c of position i at x[c * cs + i * ps]. */
typedef struct block {
    int64_t p, n, cs, ps;
    const char *x;
    int64_t offset; /* of the first logit in the tensor */
    char *room;     /* scratch for n * classes numbers of compute type */
    double *extra;  /* scratch for n numbers */
} block;

static double get(wn__ct ct, const char *p, int64_t i) { return ct == WN__CT_F64 ? ((const double *)(const void *)p)[i] : (double)((const float *)(const void *)p)[i]; }
static void put(wn__ct ct, char *p, int64_t i, double v) {
    if (ct == WN__CT_F64) ((double *)(void *)p)[i] = v;
    else ((float *)(void *)p)[i] = (float)v;
}

static bool rows(const cross_entropy_job *j) { return j->k.inner == 1; }

static void open_block(const cross_entropy_job *j, int64_t u, block *b) {
    const int64_t bytes = (int64_t)wn__dtype_size(j->dtype), size = (int64_t)wn__ct_size(j->ct), classes = j->k.classes;
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    const wn__load load = wn__kernels_now()->load[j->ct][j->dtype];
    if (rows(j)) {
        b->p = u * j->step;
        b->n = j->k.positions - b->p < j->step ? j->k.positions - b->p : j->step;
        b->offset = b->p * classes;
        b->cs = 1;
        b->ps = classes;
        b->x = j->x + b->offset * bytes;
        if (direct) return;
        load(b->n * classes, b->room, b->x, bytes);
    } else {
        const int64_t sample = u / j->blocks, first = u % j->blocks * j->step, inner = j->k.inner;
        b->p = sample * inner + first;
        b->n = inner - first < j->step ? inner - first : j->step;
        b->offset = sample * classes * inner + first;
        b->cs = inner;
        b->ps = 1;
        b->x = j->x + b->offset * bytes;
        if (direct) return;
        for (int64_t c = 0; c < classes; c++) load(b->n, b->room + c * b->n * size, b->x + c * inner * bytes, bytes);
        b->cs = b->n;
    }
    b->x = b->room;
}

/* sum over c of weight[c] * x[c], what smoothing needs. Four sums, so that the adds need not wait for each other; rows without weights go
 * by the kernel of sums. */
static double weighted_sum(const cross_entropy_job *j, const block *b, int64_t i) {
    double s[4] = {0};
    if (!j->k.weight && b->cs == 1) {
        const wn__elem e = j->ct == WN__CT_F64 ? WN__E_F64 : WN__E_F32;
        const char *x = b->x + i * b->ps * (int64_t)wn__ct_size(j->ct);
        for (int64_t c = 0; c < j->k.classes; c += WN__RUN) {
            double part[1];
            wn__reduce_kernels_now()->run[WN__FOLD_SUM][e](x + c * (int64_t)wn__ct_size(j->ct), j->k.classes - c < WN__RUN ? j->k.classes - c : WN__RUN, NULL, part);
            s[0] += get(j->ct, (const char *)part, 0);
        }
        return s[0];
    }
    for (int64_t c = 0; c < j->k.classes; c++) s[c & 3] += wn__class_weight(&j->k, c) * get(j->ct, b->x, c * b->cs + i * b->ps);
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* The end of the run of positions, all ignored or all not, that begins at i of n. */
static int64_t run_end(const int64_t *target, int64_t i, int64_t n) {
    const bool ignored = target[i] < 0;
    while (i < n && (target[i] < 0) == ignored) i++;
    return i;
}

/* Rows whose targets are ignored are not looked at; their logarithm is 0, which nobody reads. */
static void forward_rows(const cross_entropy_job *j, const block *b, char *lse) {
    const int64_t size = (int64_t)wn__ct_size(j->ct), *target = j->k.target + b->p;
    for (int64_t i = 0, end; i < b->n; i = end) {
        end = run_end(target, i, b->n);
        if (target[i] < 0) memset(lse + i * size, 0, (size_t)((end - i) * size));
        else j->kernel->rows(end - i, j->k.classes, b->x + i * b->ps * size, lse + i * size);
    }
}
static void backward_rows(const cross_entropy_job *j, const block *b, const char *factor, char *out) {
    const int64_t size = (int64_t)wn__ct_size(j->ct), *target = j->k.target + b->p;
    for (int64_t i = 0, end; i < b->n; i = end) {
        const int64_t at = i * b->ps * size;
        end = run_end(target, i, b->n);
        if (target[i] < 0) memset(out + at, 0, (size_t)((end - i) * b->ps * size)); /* exactly 0, even where the softmax is NaN */
        else j->kernel->rows_back(end - i, j->k.classes, b->x + at, j->lse + (b->p + i) * size, factor + i * size, out + at);
    }
}

static void forward_block(const cross_entropy_job *j, const block *b) {
    const int64_t size = (int64_t)wn__ct_size(j->ct);
    char *lse = j->lse + b->p * size;
    if (rows(j)) forward_rows(j, b, lse);
    else j->kernel->columns(b->n, j->k.classes, b->x, b->cs, lse);
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t t = j->k.target[b->p + i];
        double loss = 0;
        if (t >= 0) {
            const double z = get(j->ct, lse, i);
            loss = (1 - j->smoothing) * wn__class_weight(&j->k, t) * (z - get(j->ct, b->x, t * b->cs + i * b->ps));
            if (j->smoothing != 0) loss += j->smoothing / (double)j->k.classes * (j->k.weight_sum * z - weighted_sum(j, b, i));
        }
        j->losses[b->p + i] = loss;
    }
}

/* d loss / d x[c] = g * ((sharp * w[t] + smooth * sum(w)) * softmax[c] - sharp * w[t] * [c == t] - smooth * w[c]) */
static void backward_block(const cross_entropy_job *j, const block *b) {
    const int64_t size = (int64_t)wn__ct_size(j->ct), bytes = (int64_t)wn__dtype_size(j->dtype), classes = j->k.classes;
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    const double smooth = j->smoothing / (double)classes, sharp = 1 - j->smoothing;
    char *factor = (char *)b->extra, *out = direct ? j->out + b->offset * bytes : b->room;
    const int64_t cs = direct ? b->ps == 1 && !rows(j) ? j->k.inner : 1 : b->cs, ps = b->ps;
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t t = j->k.target[b->p + i];
        put(j->ct, factor, i, t < 0 ? 0 : j->g[b->p + i] * (sharp * wn__class_weight(&j->k, t) + smooth * j->k.weight_sum));
    }
    if (rows(j)) backward_rows(j, b, factor, out);
    else j->kernel->columns_back(b->n, classes, b->x, b->cs, j->lse + b->p * size, factor, out, cs);
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t t = j->k.target[b->p + i], first = i * ps;
        const double g = j->g[b->p + i];
        if (t < 0) {
            if (rows(j)) continue; /* backward_rows has set them */
            for (int64_t c = 0; c < classes; c++) /* exactly 0, even where the softmax is NaN */
                put(j->ct, out, first + c * cs, 0);
            continue;
        }
        if (smooth != 0 && !j->k.weight && cs == 1) {
            char *row = out + first * size;
            wn__line_kernels_now(j->ct == WN__CT_F64 ? WN__E_F64 : WN__E_F32)->affine(row, row, classes, 1, -(g * smooth));
        } else if (smooth != 0)
            for (int64_t c = 0; c < classes; c++) put(j->ct, out, first + c * cs, get(j->ct, out, first + c * cs) - g * smooth * wn__class_weight(&j->k, c));
        put(j->ct, out, first + t * cs, get(j->ct, out, first + t * cs) - g * sharp * wn__class_weight(&j->k, t));
    }
    if (direct) return;
    const wn__store store = wn__kernels_now()->store[j->ct][j->dtype];
    if (rows(j)) store(b->n * classes, j->out + b->offset * bytes, bytes, out);
    else
        for (int64_t c = 0; c < classes; c++) store(b->n, j->out + (b->offset + c * j->k.inner) * bytes, bytes, out + c * cs * size);
}

static void cross_entropy_task(void *ctx, int64_t begin, int64_t end) {
    cross_entropy_job *j = ctx;
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    const size_t extra = (size_t)(j->step * 8 + 63) & ~(size_t)63;
    block b;
    b.extra = wn__scratch(0, extra + (direct ? 0 : (size_t)(j->step * j->k.classes) * wn__ct_size(j->ct)));
    if (!b.extra) {
        j->failed = true;
        return;
    }
    b.room = (char *)b.extra + extra;
    for (int64_t u = begin; u < end; u++) {
        open_block(j, u, &b);
        if (j->out) backward_block(j, &b);
        else forward_block(j, &b);
    }
}

static wn_status run_cross_entropy(wn__call *c, cross_entropy_job *j) {
    if (j->k.positions == 0) return WN_OK;
    const int64_t classes = j->k.classes;
    j->kernel = j->ct == WN__CT_F64 ? &wn__loss_now()->f64 : &wn__loss_now()->f32;
    int64_t units;
    if (rows(j)) {
        j->step = 1 + 8192 / (classes + 1);
        units = j->blocks = (j->k.positions + j->step - 1) / j->step;
    } else {
        j->step = classes < 256 ? WN__LOSS_COLUMNS : WN__LOSS_COLUMNS / 8;
        j->blocks = (j->k.inner + j->step - 1) / j->step;
        units = j->k.n * j->blocks;
    }
    wn__parallel(units, 1 + 8192 / (j->step * classes + 1), cross_entropy_task, j);
    return j->failed ? wn__fail_memory(c->op->name) : WN_OK;
}

/* ------------------------------------------------------------------ rows */

static wn_status check_input(wn__call *c, const wn_tensor *x, double smoothing) {
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"cross_entropy\" not implemented for %s", wn__dtype_word(x->dtype));
    if (!(smoothing >= 0 && smoothing <= 1)) return wn__fail_op(c, WN_E_RUNTIME, "label_smoothing must be between 0.0 and 1.0. Got: %g", smoothing);
    return WN_OK;
}

wn_status wn__infer_cross_entropy_forward(wn__call *c) {
    const wn_cross_entropy_forward_args *a = c->args;
    const wn_dims size = wn_shape(a->input);
    const wn_dtype dtype = (wn_dtype)a->input->dtype, wide = dtype == WN_F64 ? WN_F64 : WN_F32;
    wn__classes k;
    wn_status st = check_input(c, a->input, a->label_smoothing);
    if (!st) st = wn__classes_check(c, &size, dtype, a->target, a->weight, &k);
    if (!st) st = wn__infer_loss(c, a->reduction, dtype, a->target);
    if (!st) st = wn__result(c, 1, wide, 1, &k.positions, NULL);
    return st ? st : wn__result(c, 2, wide, 0, NULL, NULL);
}

wn_status wn__run_cross_entropy_forward(wn__call *c) {
    const wn_cross_entropy_forward_args *a = c->args;
    const wn_dims size = wn_shape(a->input);
    cross_entropy_job j = {.dtype = (wn_dtype)a->input->dtype, .ct = wn__compute_type(a->input->dtype), .smoothing = a->label_smoothing};
    wn_status st = wn__classes_read(c, &size, j.dtype, a->target, a->weight, a->ignore_index, &j.k);
    if (st) return st;
    wn_tensor *x = wn__contiguous_raw(a->input), *lse = c->out[1], *total = c->out[2];
    j.losses = wn__calloc((size_t)j.k.positions + 1, sizeof *j.losses);
    if (!x || !j.losses || (!wn__ptr(x) && x->numel)) {
        st = wn__fail_memory(c->op->name);
    } else {
        j.x = wn__ptr(x);
        j.lse = wn__ptr(lse);
        wn__store_val((wn_dtype)total->dtype, wn__ptr(total), wn_val_of_float(j.k.total));
        wn__count(x->numel);
        st = run_cross_entropy(c, &j);
        if (!st) wn__store_loss(c, &j.k, j.losses, a->reduction);
    }
    wn__release(x);
    wn__free(j.losses);
    wn__classes_free(&j.k);
    return st;
}

/* The cotangent of each position as doubles. */
static double *read_grads(const wn_tensor *g, int64_t reduction, const wn__classes *k) {
    double *v = wn__calloc((size_t)k->positions + 1, sizeof *v);
    WN__OWNED wn_tensor *t = v ? wn__contiguous_raw(g) : NULL;
    const char *p = t ? wn__ptr(t) : NULL;
    if (!p) {
        wn__free(v);
        v = NULL;
    } else {
        const double one = wn__load_f64((wn_dtype)t->dtype, p) / (reduction == WN__REDUCE_MEAN ? k->total : 1);
        for (int64_t i = 0; i < k->positions; i++)
            v[i] = reduction == WN__REDUCE_NONE ? wn__load_f64((wn_dtype)t->dtype, p + i * (int64_t)wn__dtype_size(t->dtype)) : one;
    }
    return v;
}

wn_status wn__infer_cross_entropy_backward(wn__call *c) {
    const wn_cross_entropy_backward_args *a = c->args;
    const wn_dims size = wn_shape(a->input);
    const wn_dtype dtype = (wn_dtype)a->input->dtype;
    wn__classes k;
    wn_status st = check_input(c, a->input, a->label_smoothing);
    if (!st) st = wn__classes_check(c, &size, dtype, a->target, a->weight, &k);
    if (st) return st;
    if (a->lse->numel != k.positions || !wn__is_register_form(a->lse->dtype, wn__compute_type(dtype)) || !a->lse->contiguous ||
        a->grad->numel != (a->reduction == WN__REDUCE_NONE ? k.positions : 1))
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s and lse %s do not fit the input %s", wn__desc(a->grad), wn__desc(a->lse), wn__desc(a->input));
    return wn__result(c, 0, dtype, a->input->ndim, a->input->shape, NULL);
}

/* Rows whose targets are ignored. */
wn_support *wn__zeros_of_cross_entropy_backward(const wn__call *c) {
    const wn_cross_entropy_backward_args *a = c->args;
    const wn_tensor *y = c->out[0], *t = a->target;
    if (y->ndim != 2 || t->ndim != 1 || t->dtype != WN_I64 || wn__pending(t->storage)) return NULL;
    const wn_dims shape = wn_shape(y);
    const int64_t *p = (const int64_t *)(const void *)wn__ptr(t), step = t->strides[0];
    int64_t n = 0;
    for (int64_t i = 0; i < t->shape[0]; i++) n += p[i * step] != a->ignore_index;
    wn_support *s = n < t->shape[0] ? wn__support_rows(&shape, 0, n) : NULL;
    for (int64_t i = 0, at = 0; s && s->rows && i < t->shape[0]; i++)
        if (p[i * step] != a->ignore_index) s->rows[at++] = i;
    return s;
}
wn_status wn__run_cross_entropy_backward(wn__call *c) {
    const wn_cross_entropy_backward_args *a = c->args;
    const wn_dims size = wn_shape(a->input);
    cross_entropy_job j = {.dtype = (wn_dtype)a->input->dtype, .ct = wn__compute_type(a->input->dtype), .smoothing = a->label_smoothing};
    wn_status st = wn__classes_read(c, &size, j.dtype, a->target, a->weight, a->ignore_index, &j.k);
    if (st) return st;
    wn_tensor *out = c->out[0];
    if (out->numel) {
        WN__OWNED wn_tensor *x = wn__contiguous_raw(a->input);
        double *g = read_grads(a->grad, a->reduction, &j.k);
        j.x = x ? wn__ptr(x) : NULL;
        j.lse = wn__ptr(a->lse);
        j.out = wn__ptr(out);
        j.g = g;
        wn__count(out->numel);
        st = g && j.x && j.lse && j.out ? run_cross_entropy(c, &j) : wn__fail_memory(c->op->name);
        wn__free(g);
    }
    wn__classes_free(&j.k);
    return st;
}
