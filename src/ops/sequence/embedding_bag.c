/* embedding_bag: rows of a table summed, averaged or compared as they are read, without the gathered rows. The gradient sorts the
 * indices by row (counting), so that each row is one thread's and sums in the order of its indices. */
#include <math.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "base/threads.h"
#include "engine/taps.h"
#include "ops/index/index.h"
#include "ops/norm/norm.h"
#include "ops/spatial/spatial.h"

enum { SUM, MEAN, MAX };
enum { IN_CACHE = 128 << 10, HALVES = 2048 }; /* bytes of a table that is at hand anyway; elements that are narrowed in one go */

typedef struct embedding_bag_job {
    int64_t rows, width, bags, n; /* of the table; how many indices */
    int mode;
    int64_t padding;              /* -1: none */
    const int64_t *index, *offset, *bag, *counted;
    const wn_tensor *weight;      /* or the cotangent: row-major */
    const char *from, *samples;   /* samples: in the compute type, NULL: 1 */
    char *to;
    int64_t *size, *best;
    int64_t *start, *order;       /* the indices by row */
    bool by_count;
    wn_dtype dtype;
    wn__ct ct;
    wn__taps_kernels k;
    wn__add_rows add_rows;        /* NULL: for maxima, and where a row's elements do not lie side by side */
    int64_t known;                /* indices whose rows may be fetched ahead: 0 where the table is at hand */
    int64_t *bag_of;              /* result: each index's bag */
    _Atomic bool failed;
} embedding_bag_job;

/* ------------------------------------------------------------------ reading */

static int64_t read_padding(wn_val v, int64_t rows) {
    if (v.kind == WN_VAL_NONE) return -1;
    const int64_t p = wn__val_i64(v);
    return p < 0 ? p + rows : p;
}

static wn_status check_line(wn__call *c, const wn_tensor *t, const char *what) {
    if (t->dtype == WN_I64 || t->dtype == WN_I32) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "Expected tensor for argument '%s' to have scalar type Long or Int; but got %s", what, wn__desc(t));
}
/* t (one-dimensional, int32 or int64) as row-major int64: owned; NULL + error record. */
static wn_tensor *read_line(wn__call *c, const wn_tensor *t) {
    wn_tensor *r = wn__plain_raw(t, WN_I64);
    if (!r || (!wn__ptr(r) && r->numel)) {
        wn__fail_memory(c->op->name);
        wn__release(r);
        r = NULL;
    }
    return r;
}
static const int64_t *numbers(const wn_tensor *t) { return (const int64_t *)(const void *)wn__ptr(t); }

static wn_status check_index(wn__call *c, const embedding_bag_job *j) {
    const int64_t i = wn__ix_first_outside(j->index, 1, j->n, j->rows);
    if (i == j->n) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "Expected idx >= 0 && idx < num_embeddings but found idx %lld to be out of range of %lld rows",
                       (long long)j->index[i], (long long)j->rows);
}
static wn_status check_offsets(wn__call *c, const embedding_bag_job *j, int64_t n) {
    if (n && j->offset[0] != 0)
        return wn__fail_op(c, WN_E_RUNTIME, "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got %lld",
                           (long long)j->offset[0]);
    for (int64_t i = 0; i < n; i++)
        if (j->offset[i] > j->n || (i && j->offset[i] < j->offset[i - 1]))
            return wn__fail_op(c, WN_E_RUNTIME, "offsets must not decrease, and none can be greater than input's length (%lld), but offsets[%lld] is %lld",
                               (long long)j->n, (long long)i, (long long)j->offset[i]);
    return WN_OK;
}
/* ------------------------------------------------------------------ forward */

static int64_t end_of(const embedding_bag_job *j, int64_t b) { return j->offset[b + 1]; }

/* Row r of the table: where it lies, or in tmp. */
static const char *row_of(const embedding_bag_job *j, int64_t r, char *tmp) {
    const int64_t bytes = (int64_t)wn__dtype_size(j->dtype), step = j->weight->strides[1];
    const char *p = j->from + r * j->weight->strides[0] * bytes;
    if (wn__is_register_form(j->dtype, j->ct) && (step == 1 || j->width == 1)) return p;
    wn__kernels_now()->load[j->ct][j->dtype](j->width, tmp, p, step * bytes);
    return tmp;
}
static double value(const embedding_bag_job *j, const char *p, int64_t k) { return j->ct == WN__CT_F64 ? ((const double *)(const void *)p)[k] : (double)((const float *)(const void *)p)[k]; }

static void compare(const embedding_bag_job *j, const char *row, int64_t r, char *best, int64_t *which, bool fresh) {
    if (j->ct == WN__CT_F64) {
        const double *x = (const double *)(const void *)row;
        double *b = (double *)(void *)best;
        for (int64_t k = 0; k < j->width; k++)
            if (fresh || x[k] > b[k]) b[k] = x[k], which[k] = r;
    } else {
        const float *x = (const float *)(const void *)row;
        float *b = (float *)(void *)best;
        for (int64_t k = 0; k < j->width; k++)
            if (fresh || x[k] > b[k]) b[k] = x[k], which[k] = r;
    }
}

/* Notes whose bag the indices of bags from begin to end are. */
static void note_bags(const embedding_bag_job *j, int64_t begin, int64_t end) {
    const int64_t *offset = j->offset;
    int64_t *bag_of = j->bag_of;
    for (int64_t b = begin; b < end; b++) {
        const int64_t pair[2] = {b, b}, to = offset[b + 1];
        int64_t i = offset[b];
        for (; i + 2 <= to; i += 2) memcpy(bag_of + i, pair, sizeof pair);
        if (i < to) bag_of[i] = b;
    }
}

/* A bag's rows one by one, as maxima and tables whose rows do not lie as such want it: how many counted. */
static int64_t bag_by_rows(const embedding_bag_job *j, int64_t b, char *acc, char *tmp) {
    const int64_t wide = (int64_t)wn__ct_size(j->ct);
    int64_t counted = 0;
    memset(acc, 0, (size_t)(j->width * wide));
    for (int64_t i = j->offset[b]; i < end_of(j, b); i++) {
        const int64_t r = j->index[i];
        if (r == j->padding) continue;
        const char *row = row_of(j, r, tmp);
        if (j->mode == MAX) compare(j, row, r, acc, j->best + b * j->width, counted == 0);
        else j->k.add(j->width, acc, row, j->samples ? j->samples + i * wide : NULL, counted == 0);
        counted++;
    }
    return counted;
}

/* Bag b into acc, of the compute type. tmp: room for a row. */
static void take_bag(const embedding_bag_job *j, int64_t b, char *acc, char *tmp) {
    const int64_t first = j->offset[b], wide = (int64_t)wn__ct_size(j->ct);
    int64_t counted;
    if (j->add_rows)
        counted = j->add_rows(j->width, acc, j->from, j->weight->strides[0], j->index + first, end_of(j, b) - first, j->known - first, j->padding,
                              j->samples ? j->samples + first * wide : NULL);
    else counted = bag_by_rows(j, b, acc, tmp);
    j->size[b] = counted;
    if (j->mode == MEAN && counted > 1) j->k.divide(j->width, acc, (double)counted, NULL);
}

static void bags_task(void *ctx, int64_t begin, int64_t end) {
    embedding_bag_job *j = ctx;
    const int64_t bytes = (int64_t)wn__dtype_size(j->dtype), row = j->width * (int64_t)wn__ct_size(j->ct);
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    const int64_t many = direct || j->width > HALVES / 2 ? 1 : HALVES / (j->width + !j->width); /* bags whose results are narrowed in one go */
    char *scratch = wn__task_scratch(&j->failed, 0, (size_t)((many + 1) * row) + 64);
    if (!scratch) return;
    note_bags(j, begin, end);
    for (int64_t b = begin; b < end; b += many) {
        const int64_t some = end - b < many ? end - b : many;
        char *to = j->to + b * j->width * bytes, *acc = direct ? to : scratch;
        for (int64_t i = 0; i < some; i++) take_bag(j, b + i, acc + i * row, scratch + many * row);
        if (!direct) wn__kernels_now()->store[j->ct][j->dtype](some * j->width, to, bytes, acc);
    }
}

static wn_status check_arguments(wn__call *c, const wn_embedding_bag_args *a) {
    const wn_tensor *w = a->weight, *s = a->per_sample_weights;
    if (w->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "weight has to be a 2D Tensor, but got %s", wn__desc(w));
    if (!wn__is_float(w->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "expected weight to have a floating dtype, but got %s", wn__desc(w));
    if (a->indices->ndim != 1 || a->offsets->ndim != 1)
        return wn__fail_op(c, WN_E_RUNTIME, "input and offsets have to be 1D Tensors, but got %s and %s", wn__desc(a->indices), wn__desc(a->offsets));
    if (a->mode < 0 || a->mode > 2) return wn__fail_op(c, WN_E_RUNTIME, "mode has to be 0 (sum), 1 (mean) or 2 (max), got %lld", (long long)a->mode);
    if (a->include_last_offset && a->offsets->shape[0] < 1) return wn__fail_op(c, WN_E_RUNTIME, "include_last_offset: numberof offset should be at least 1");
    if (s && a->mode != SUM) return wn__fail_op(c, WN_E_RUNTIME, "per_sample_weights only supported with mode='sum'");
    if (s && s->dtype != w->dtype) return wn__fail_op(c, WN_E_RUNTIME, "expected weight and per_sample_weights to have the same dtype, but got %s and %s", wn__desc(w), wn__desc(s));
    if (s && (s->ndim != 1 || s->shape[0] != a->indices->shape[0]))
        return wn__fail_op(c, WN_E_RUNTIME, "expected per_sample_weights to be 1D and of the same length as indices, but got %s and %s", wn__desc(s), wn__desc(a->indices));
    const int64_t p = read_padding(a->padding_idx, w->shape[0]);
    if (a->padding_idx.kind != WN_VAL_NONE && (p < 0 || p >= w->shape[0]))
        return wn__fail_op(c, WN_E_RUNTIME, "padding_idx must be within the number of embeddings, -%lld through %lld but got %lld", (long long)w->shape[0],
                           (long long)(w->shape[0] - 1), (long long)wn__val_i64(a->padding_idx));
    return WN_OK;
}

/* With the end as last offset: a copy. */
static wn_tensor *with_end(wn__call *c, wn_tensor *offsets, int64_t n, bool given) {
    if (!offsets || given) return offsets;
    const int64_t bags = offsets->shape[0], all = bags + 1;
    wn_tensor *r = wn__tensor_new(WN_I64, 1, &all, NULL);
    if (r) {
        memcpy(wn__ptr(r), wn__ptr(offsets), (size_t)bags * 8);
        ((int64_t *)(void *)wn__ptr(r))[bags] = bags ? n : 0;
    } else {
        wn__fail_memory(c->op->name);
    }
    wn__release(offsets);
    return r;
}

static wn_status forward(wn__call *c, const wn_embedding_bag_args *a, embedding_bag_job *j) {
    wn_status st = check_offsets(c, j, j->bags + (a->include_last_offset ? 1 : 0));
    if (st) return st;
    const int64_t used = j->bags ? end_of(j, j->bags - 1) : 0;
    if ((st = check_index(c, j))) return st;
    wn_tensor *y = c->out[0], *best = c->out[3];
    j->bag_of = (int64_t *)(void *)wn__ptr(c->out[1]);
    for (int64_t i = used; i < j->n; i++) j->bag_of[i] = -1;
    j->to = wn__ptr(y);
    j->size = (int64_t *)(void *)wn__ptr(c->out[2]);
    j->best = (int64_t *)(void *)wn__ptr(best);
    if (j->mode == MAX && best->numel) memset(j->best, 0xff, (size_t)best->numel * 8); /* -1: of no row */
    wn__count(y->numel);
    if (j->mode != MAX && (j->weight->strides[1] == 1 || j->width == 1)) j->add_rows = wn__taps_now()->add_rows[j->dtype];
    if (j->weight->numel * (int64_t)wn__dtype_size(j->dtype) > IN_CACHE) j->known = j->n;
    if (j->bags) wn__parallel(j->bags, 1 + 16384 / (j->width * (1 + j->n / j->bags) + 1), bags_task, j);
    return j->failed ? wn__fail_memory(c->op->name) : WN_OK;
}

static int64_t bags_of(const wn_embedding_bag_args *a) { return a->offsets->shape[0] - (a->include_last_offset ? 1 : 0); }

wn_status wn__infer_embedding_bag(wn__call *c) {
    const wn_embedding_bag_args *a = c->args;
    wn_status st = check_arguments(c, a);
    if (!st) st = check_line(c, a->indices, "indices");
    if (!st) st = check_line(c, a->offsets, "offsets");
    if (st) return st;
    const int64_t bags = bags_of(a), width = a->weight->shape[1];
    st = wn__result(c, 0, (wn_dtype)a->weight->dtype, 2, (int64_t[]){bags, width}, NULL);
    if (!st) st = wn__result(c, 1, WN_I64, 1, a->indices->shape, NULL);
    if (!st) st = wn__result(c, 2, WN_I64, 1, &bags, NULL);
    return st ? st : wn__result(c, 3, WN_I64, 2, (int64_t[]){a->mode == MAX ? bags : 0, width}, NULL);
}

wn_status wn__run_embedding_bag(wn__call *c) {
    const wn_embedding_bag_args *a = c->args;
    const wn_tensor *w = a->weight;
    wn_status st;
    embedding_bag_job j = {.rows = w->shape[0], .width = w->shape[1], .n = a->indices->shape[0], .mode = (int)a->mode, .padding = read_padding(a->padding_idx, w->shape[0]),
             .weight = w, .dtype = (wn_dtype)w->dtype, .ct = wn__compute_type(w->dtype)};
    j.k = wn__taps_now()->of[j.ct];
    j.bags = bags_of(a);
    wn_tensor *index = read_line(c, a->indices), *offsets = index ? with_end(c, read_line(c, a->offsets), j.n, a->include_last_offset) : NULL;
    wn_tensor *samples = offsets && a->per_sample_weights ? wn__plain_raw(a->per_sample_weights, wn__form_of((int)j.ct)) : NULL;
    if (!offsets) st = c->th->error;
    else if (a->per_sample_weights && !samples) st = wn__fail_memory(c->op->name);
    else {
        j.index = numbers(index);
        j.offset = numbers(offsets);
        j.samples = samples ? wn__ptr(samples) : NULL;
        j.from = wn__ptr(w);
        st = forward(c, a, &j);
    }
    wn__release(index), wn__release(offsets), wn__release(samples);
    return st;
}

/* ------------------------------------------------------------------ gradients */

/* order: the positions of the indices, row by row, each row's in their order; start: where a row's begin. */
static bool sort_by_row(embedding_bag_job *j) {
    j->start = wn__calloc((size_t)j->rows + 2, sizeof *j->start);
    j->order = wn__calloc((size_t)j->n + 1, sizeof *j->order);
    if (!j->start || !j->order) return false;
    for (int64_t i = 0; i < j->n; i++) j->start[j->index[i] + 2]++;
    for (int64_t r = 0; r < j->rows; r++) j->start[r + 2] += j->start[r + 1]; /* start[r + 1]: where r begins; then where it ends */
    for (int64_t i = 0; i < j->n; i++) j->order[j->start[j->index[i] + 1]++] = i;
    return true;
}

/* acc[k] += g[k] where the maximum of column k came from row r. */
static void add_chosen(const embedding_bag_job *j, const char *g, int64_t r, const int64_t *best, char *acc) {
    for (int64_t k = 0; k < j->width; k++) {
        if (best[k] != r) continue;
        if (j->ct == WN__CT_F64) ((double *)(void *)acc)[k] += ((const double *)(const void *)g)[k];
        else ((float *)(void *)acc)[k] += ((const float *)(const void *)g)[k];
    }
}

static void rows_task(void *ctx, int64_t begin, int64_t end) {
    embedding_bag_job *j = ctx;
    const int64_t bytes = (int64_t)wn__dtype_size(j->dtype), wide = (int64_t)wn__ct_size(j->ct);
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    char *scratch = wn__task_scratch(&j->failed, 0, (size_t)(2 * j->width * wide) + 64);
    if (!scratch) return;
    for (int64_t r = begin; r < end; r++) {
        char *to = j->to + r * j->width * bytes, *acc = direct ? to : scratch;
        const int64_t *at = j->order + j->start[r], n = j->start[r + 1] - j->start[r];
        memset(acc, 0, (size_t)(j->width * wide));
        for (int64_t k = 0; k < n && r != j->padding; k++) {
            const int64_t bag = j->bag[at[k]];
            if (bag < 0) continue;
            const char *g = row_of(j, bag, scratch + j->width * wide);
            if (j->mode == MAX) {
                if (!k || j->bag[at[k - 1]] != bag) add_chosen(j, g, r, j->best + bag * j->width, acc);
                continue;
            }
            double w = j->samples ? value(j, j->samples, at[k]) : 1;
            if (j->mode == MEAN) w /= (double)j->counted[bag];
            if (j->by_count) w /= (double)n;
            const float narrow = (float)w;
            j->k.add(j->width, acc, g, w == 1 ? NULL : j->ct == WN__CT_F64 ? (const void *)&w : (const void *)&narrow, false);
        }
        if (!direct) wn__kernels_now()->store[j->ct][j->dtype](j->width, to, bytes, acc);
    }
}

/* Bags in [-1, bags), one for each index; bags NULL (.infer): what they are is not looked at. */
static wn_status check_bags(wn__call *c, const wn_tensor *bag, const wn_tensor *index, const int64_t *bags) {
    bool fits = bag->ndim == 1 && index->ndim == 1 && bag->shape[0] == index->shape[0] && bag->dtype == WN_I64;
    const int64_t *b = fits && bags ? numbers(bag) : NULL;
    for (int64_t i = 0; b && fits && i < bag->shape[0]; i++) {
        const int64_t v = b[i * bag->strides[0]];
        fits = v >= -1 && v < *bags;
    }
    return fits ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "offset2bag %s does not come from embedding_bag with indices %s", wn__desc(bag), wn__desc(index));
}

wn_status wn__infer_embedding_bag_weight_grad(wn__call *c) {
    const wn_embedding_bag_weight_grad_args *a = c->args;
    const wn_tensor *g = a->grad, *s = a->per_sample_weights;
    if (g->ndim != 2 || !wn__is_float(g->dtype) || a->num_weights < 0) return wn__fail_op(c, WN_E_RUNTIME, "grad %s must be a floating matrix", wn__desc(g));
    wn_status st = check_bags(c, a->offset2bag, a->indices, NULL);
    if (st) return st;
    const bool max = a->mode == MAX;
    if (a->bag_size->dtype != WN_I64 || a->bag_size->numel != g->shape[0] || a->max_indices->dtype != WN_I64 || (max && !wn__same_shape(a->max_indices, g)))
        return wn__fail_op(c, WN_E_RUNTIME, "bag_size %s and max_indices %s do not fit grad %s", wn__desc(a->bag_size), wn__desc(a->max_indices), wn__desc(g));
    if (s && (s->ndim != 1 || s->shape[0] != a->indices->shape[0] || !wn__is_float(s->dtype)))
        return wn__fail_op(c, WN_E_RUNTIME, "per_sample_weights %s do not fit indices %s", wn__desc(s), wn__desc(a->indices));
    st = check_line(c, a->indices, "indices");
    return st ? st : wn__result(c, 0, (wn_dtype)g->dtype, 2, (int64_t[]){a->num_weights, g->shape[1]}, NULL);
}

wn_status wn__run_embedding_bag_weight_grad(wn__call *c) {
    const wn_embedding_bag_weight_grad_args *a = c->args;
    const wn_tensor *g = a->grad, *s = a->per_sample_weights;
    wn_status st = check_bags(c, a->offset2bag, a->indices, &g->shape[0]);
    if (st) return st;
    embedding_bag_job j = {.rows = a->num_weights, .width = g->shape[1], .bags = g->shape[0], .n = a->indices->shape[0], .mode = (int)a->mode,
             .padding = read_padding(a->padding_idx, a->num_weights), .by_count = a->scale_grad_by_freq, .weight = g, .dtype = (wn_dtype)g->dtype,
             .ct = wn__compute_type(g->dtype)};
    j.k = wn__taps_now()->of[j.ct];
    wn_tensor *index = read_line(c, a->indices), *bag = index ? read_line(c, a->offset2bag) : NULL;
    wn_tensor *size = bag ? wn__contiguous_raw(a->bag_size) : NULL, *best = size ? wn__contiguous_raw(a->max_indices) : NULL;
    wn_tensor *samples = best && s ? wn__plain_raw(a->per_sample_weights, wn__form_of((int)j.ct)) : NULL, *y = c->out[0];
    st = bag ? WN_OK : c->th->error;
    if (!st && (!best || (s && !samples))) st = wn__fail_memory(c->op->name);
    if (!st) {
        j.index = numbers(index);
        j.bag = numbers(bag);
        j.counted = numbers(size);
        j.best = (int64_t *)(void *)wn__ptr(best);
        j.samples = samples ? wn__ptr(samples) : NULL;
        j.from = wn__ptr(g);
        st = check_index(c, &j);
    }
    if (!st && !sort_by_row(&j)) st = wn__fail_memory(c->op->name);
    if (!st && y->numel) {
        j.to = wn__ptr(y);
        wn__count(y->numel);
        wn__parallel(j.rows, 1 + 16384 / (j.width * (1 + j.n / j.rows) + 1), rows_task, &j);
        if (j.failed) st = wn__fail_memory(c->op->name);
    }
    wn__free(j.start);
    wn__free(j.order);
    wn__release(index), wn__release(bag), wn__release(size), wn__release(best), wn__release(samples);
    return st;
}

/* ------------------------------------------------------------------ the samples' gradient */

typedef struct dots {
    const embedding_bag_job *j;
    const wn_tensor *g;
    const char *grad;
    char *to;
} dots;
static void dots_task(void *ctx, int64_t begin, int64_t end) {
    const dots *t = ctx;
    const embedding_bag_job *j = t->j;
    const int64_t bytes = (int64_t)wn__dtype_size(j->dtype);
    for (int64_t i = begin; i < end; i++) {
        double sum = 0;
        const bool counts = j->bag[i] >= 0 && j->index[i] != j->padding;
        const char *g = t->grad + (counts ? j->bag[i] : 0) * t->g->strides[0] * bytes, *w = j->from + j->index[i] * j->weight->strides[0] * bytes;
        for (int64_t k = 0; k < j->width && counts; k++)
            sum += wn__load_f64(j->dtype, g + k * t->g->strides[1] * bytes) * wn__load_f64(j->dtype, w + k * j->weight->strides[1] * bytes);
        wn__store_val(j->dtype, t->to + i * bytes, wn_val_of_float(sum));
    }
}

wn_status wn__infer_embedding_bag_samples_grad(wn__call *c, wn_tensor *g, wn_tensor *w, wn_tensor *indices,
                                               wn_tensor *offset2bag) {
    if (g->ndim != 2 || w->ndim != 2 || g->shape[1] != w->shape[1] || g->dtype != w->dtype || !wn__is_float(g->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s and weight %s must be floating matrices of one dtype with rows of one length", wn__desc(g), wn__desc(w));
    wn_status st = check_bags(c, offset2bag, indices, NULL);
    if (!st) st = check_line(c, indices, "indices");
    return st ? st : wn__result(c, 0, (wn_dtype)w->dtype, 1, indices->shape, NULL);
}

wn_status wn__run_embedding_bag_samples_grad(wn__call *c, wn_tensor *g, wn_tensor *w, wn_tensor *indices,
                                             wn_tensor *offset2bag, wn_val padding_idx) {
    wn_status st = check_bags(c, offset2bag, indices, &g->shape[0]);
    if (st) return st;
    embedding_bag_job j = {.rows = w->shape[0], .width = w->shape[1], .n = indices->shape[0], .padding = read_padding(padding_idx, w->shape[0]), .weight = w,
             .dtype = (wn_dtype)w->dtype, .from = wn__ptr(w)};
    wn_tensor *index = read_line(c, indices), *bag = index ? read_line(c, offset2bag) : NULL, *y = c->out[0];
    st = bag ? WN_OK : c->th->error;
    if (!st) {
        j.index = numbers(index);
        j.bag = numbers(bag);
        st = check_index(c, &j);
    }
    if (!st && y->numel) {
        dots t = {&j, g, wn__ptr(g), wn__ptr(y)};
        wn__count(y->numel);
        wn__parallel(j.n, 1 + 8192 / (j.width + 1), dots_task, &t);
    }
    wn__release(index), wn__release(bag);
    return st;
}

