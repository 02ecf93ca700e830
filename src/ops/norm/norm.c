/* layer_norm and its relatives. The kernel rows take whole tensors; masks go through composed rows. */
#include <float.h>
#include <math.h>
#include "base/alloc.h"
#include "base/threads.h"
#include "engine/reduce_lines.h"
#include "ops/norm/norm.h"

wn_tensor *wn__work_of(wn_tensor *out, wn_dtype d) {
    return (wn_dtype)out->dtype == d ? wn__retain(out) : wn__tensor_new(d, out->ndim, out->shape, NULL);
}

typedef struct ln_job {
    const wn__reduce_kernels *k;
    const wn__line_kernels *lk;
    wn__elem e;
    wn_dtype io;     /* of input, result and cotangent */
    int64_t n, rows; /* normalised elements; lines */
    const char *x, *g;
    char *y;
    const void *w, *b;
    char *mean, *rstd; /* of the compute type */
    double eps;
    char *parts; /* backward: sums for weight and bias by blocks of rows */
    bool need_w, need_b;
    atomic_bool no_memory;
} ln_job;

static const void *line(const ln_job *j, const char *p, int64_t row, char *buf) {
    return wn__piece(j->k, j->io, j->e, p, row * j->n, j->n, buf);
}

/* A few lines together, as long as they stay in L1: a line's mean, variance and root wait for each other, those of several lines do not. */
enum { TOGETHER = WN__MOMENT_LINES, TOGETHER_BYTES = 16 << 10, FROM_MEMORY = 8 << 20 };
static int64_t lines_together(int64_t bytes) {
    const int64_t fit = TOGETHER_BYTES / (bytes + 1);
    return fit < 1 ? 1 : fit < TOGETHER ? fit : TOGETHER;
}

static void ln_forward(void *ctx, int64_t begin, int64_t end) {
    ln_job *j = ctx;
    const bool lands = wn__elem_is(j->io, j->e);
    const int64_t bytes = j->n * (int64_t)wn__elem_size(j->e), most = lines_together(bytes), out = j->n * (int64_t)wn__dtype_size((int)j->io);
    const bool fetch = most > 1 && j->rows * out > FROM_MEMORY; /* the hardware does not foresee a line while another is written */
    char *room = lands ? NULL : wn__scratch_array(2, most, (size_t)bytes);
    if (!lands && !room) {
        atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
        return;
    }
    for (int64_t r = begin, k; r < end; r += k) {
        const void *x[TOGETHER];
        double mean[TOGETHER], rstd[TOGETHER];
        k = end - r < most ? end - r : most;
        for (int64_t i = 0; i < k; i++) x[i] = line(j, j->x, r + i, lands ? NULL : room + i * bytes);
        j->lk->moments(x, k, j->n, mean, rstd);
        for (int64_t i = 0; i < k; i++) {
            rstd[i] = 1 / sqrt(rstd[i] + j->eps);
            wn__set_stat(j->e, j->mean, r + i, mean[i]);
            wn__set_stat(j->e, j->rstd, r + i, rstd[i]);
        }
        for (int64_t i = 0; i < k; i++) {
            char *to = j->y + (r + i) * out;
            for (int64_t at = 0; fetch && at < out && r + k + i < end; at += 64) __builtin_prefetch(j->x + (r + k + i) * out + at);
            j->lk->normalise(lands ? to : room + i * bytes, x[i], j->n, mean[i], rstd[i], j->w, j->b);
            if (!lands) j->k->store(j->e, j->io, room + i * bytes, j->n, to, 1);
        }
    }
}

/* Trailing dimensions of input that are normalised. */
static wn_status tail(wn__call *c, const wn_tensor *x, const wn_dims *shape, int *first) {
    int n = wn__ndim_of(*shape);
    if (n < 1)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element");
    bool fits = x->ndim >= n;
    for (int d = 0; fits && d < n; d++) fits = shape->v[d] == x->shape[x->ndim - n + d];
    if (!fits)
        return wn__fail_op(c, WN_E_RUNTIME, "Given normalized_shape=%s, expected input with shape [*, those], but got input of size %s",
                           wn__dims_text(shape->v, n), wn__dims_text(x->shape, x->ndim));
    *first = x->ndim - n;
    return WN_OK;
}
static wn_status check_affine(wn__call *c, const char *name, const wn_tensor *w, const wn_dims *shape) {
    int n = wn__ndim_of(*shape);
    if (!w || (w->ndim == n && !memcmp(w->shape, shape->v, (size_t)n * sizeof *w->shape))) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "Expected %s to be of same shape as normalized_shape, but got %s of shape %s and normalized_shape = %s",
                       name, name, wn__dims_text(w->shape, w->ndim), wn__dims_text(shape->v, n));
}

wn_status wn__infer_native_layer_norm(wn__call *c, wn_tensor *in, const wn_dims *normalized_shape, wn_tensor *weight,
                                      wn_tensor *bias) {
    int first;
    wn_status st = tail(c, in, normalized_shape, &first);
    if (!st) st = check_affine(c, "weight", weight, normalized_shape);
    if (!st) st = check_affine(c, "bias", bias, normalized_shape);
    if (!st && !wn__is_float(in->dtype))
        st = wn__fail_op(c, WN_E_RUNTIME, "\"LayerNormKernelImpl\" not implemented for '%s'", wn__dtype_word(in->dtype));
    if (st) return st;
    const wn_dtype stats = wn__wide_dtype(in);
    int64_t kept[WN_MAX_DIMS];
    for (int d = 0; d < in->ndim; d++) kept[d] = d < first ? in->shape[d] : 1;
    st = wn__result(c, 0, (wn_dtype)in->dtype, in->ndim, in->shape, NULL);
    if (!st) st = wn__result(c, 1, stats, in->ndim, kept, NULL);
    return st ? st : wn__result(c, 2, stats, in->ndim, kept, NULL);
}

wn_status wn__run_native_layer_norm(wn__call *c) {
    const wn_native_layer_norm_args *a = c->args;
    wn_tensor *in = a->input, *y = c->out[0], *mean = c->out[1], *rstd = c->out[2];
    const wn_dtype stats = wn__wide_dtype(in);
    ln_job j = {.k = wn__reduce_kernels_now(), .e = wn__elem_of(stats), .io = (wn_dtype)in->dtype, .n = 1, .eps = a->eps};
    for (int d = 0; d < a->normalized_shape.n; d++) j.n *= a->normalized_shape.v[d];
    j.rows = mean->numel;
    if (in->numel == 0) { /* lines of nothing */
        for (int64_t i = 0; i < j.rows; i++) wn__set_stat(j.e, wn__ptr(mean), i, (double)NAN), wn__set_stat(j.e, wn__ptr(rstd), i, (double)NAN);
        return WN_OK;
    }
    j.lk = wn__line_kernels_now(j.e);
    atomic_init(&j.no_memory, false);
    WN__OWNED wn_tensor *x = wn__contiguous_raw(in), *w = a->weight ? wn__plain_raw(a->weight, stats) : NULL, *b = a->bias ? wn__plain_raw(a->bias, stats) : NULL;
    bool ok = x && (!a->weight || w) && (!a->bias || b);
    if (ok) {
        j.x = wn__ptr(x), j.y = wn__ptr(y), j.mean = wn__ptr(mean), j.rstd = wn__ptr(rstd);
        j.w = w ? wn__ptr(w) : NULL;
        j.b = b ? wn__ptr(b) : NULL;
        wn__parallel(j.rows, 16384 / (j.n + 1) + 1, ln_forward, &j);
    }
    return !ok || atomic_load(&j.no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}

/* ------------------------------------------------------------------ backward */

#define ROWS 64 /* rows whose sums for weight and bias are added up one after the other; blocks are added pairwise */

static void ln_backward(void *ctx, int64_t begin, int64_t end) {
    ln_job *j = ctx;
    size_t size = wn__elem_size(j->e), bytes = ((size_t)j->n * size + 63) / 64 * 64;
    bool lands = wn__elem_is(j->io, j->e);
    char *room = lands ? NULL : wn__scratch(2, 2 * bytes);
    if (!lands && !room) {
        atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
        return;
    }
    for (int64_t block = begin; block < end; block++) {
        char *dw = j->need_w ? j->parts + (size_t)(2 * block * j->n) * size : NULL;
        char *db = j->need_b ? j->parts + (size_t)((2 * block + 1) * j->n) * size : NULL;
        for (int64_t r = block * ROWS; r < j->rows && r < (block + 1) * ROWS; r++) {
            const void *x = line(j, j->x, r, room), *g = line(j, j->g, r, lands ? NULL : room + bytes);
            char *to = j->y ? j->y + r * j->n * (int64_t)wn__dtype_size((int)j->io) : NULL;
            j->lk->normalise_grad(!to ? NULL : lands ? to : room, g, x, j->n, wn__stat(j->e, j->mean, r), wn__stat(j->e, j->rstd, r), j->w, dw, db);
            if (to && !lands) j->k->store(j->e, j->io, room, j->n, to, 1);
        }
    }
}

void wn__add_blocks(const wn__reduce_kernels *k, wn__elem e, char *parts, int64_t blocks, int64_t n) {
    size_t step = (size_t)n * wn__elem_size(e);
    for (int64_t half = 1; half < blocks; half *= 2)
        for (int64_t b = 0; b + half < blocks; b += 2 * half)
            k->merge[WN__FOLD_SUM][e](parts + (size_t)b * step, parts + (size_t)(b + half) * step, n);
}

wn_status wn__infer_native_layer_norm_backward(wn__call *c) {
    const wn_native_layer_norm_backward_args *a = c->args;
    const wn_tensor *in = a->input;
    const wn_dtype stats = wn__wide_dtype(in);
    int first;
    wn_status st = tail(c, in, &a->normalized_shape, &first);
    if (!st) st = check_affine(c, "weight", a->weight, &a->normalized_shape);
    if (st) return st;
    int64_t lines = 1;
    for (int d = 0; d < first; d++) lines *= in->shape[d];
    if (!wn__is_float(in->dtype) || !wn__same_shape(in, a->grad_out) || a->mean->dtype != stats || a->rstd->dtype != stats ||
        a->mean->numel != lines || a->rstd->numel != lines)
        return wn__fail_op(c, WN_E_RUNTIME, "the arguments are not those of a native_layer_norm");
    const int nd = in->ndim - first;
    st = wn__result_if(c, 0, a->need_input, (wn_dtype)in->dtype, in->ndim, in->shape);
    if (!st) st = wn__result_if(c, 1, a->need_weight, stats, nd, in->shape + first);
    return st ? st : wn__result_if(c, 2, a->need_bias, stats, nd, in->shape + first);
}

wn_status wn__run_native_layer_norm_backward(wn__call *c) {
    const wn_native_layer_norm_backward_args *a = c->args;
    wn_tensor *in = a->input, *dx = c->out[0], *dw = c->out[1], *db = c->out[2];
    const wn_dtype stats = wn__wide_dtype(in), io = (wn_dtype)in->dtype;
    ln_job j = {.k = wn__reduce_kernels_now(), .e = wn__elem_of(stats), .io = io, .n = 1, .rows = a->mean->numel, .need_w = a->need_weight, .need_b = a->need_bias};
    for (int d = 0; d < a->normalized_shape.n; d++) j.n *= a->normalized_shape.v[d];
    size_t size = wn__elem_size(j.e), line_bytes = (size_t)j.n * size;
    if (in->numel == 0) {
        if (a->need_weight) memset(wn__ptr(dw), 0, (size_t)dw->numel * size);
        if (a->need_bias) memset(wn__ptr(db), 0, (size_t)db->numel * size);
        return WN_OK;
    }
    j.lk = wn__line_kernels_now(j.e);
    atomic_init(&j.no_memory, false);
    int64_t blocks = (j.rows + ROWS - 1) / ROWS;
    wn_tensor *x = wn__contiguous_raw(in), *g = wn__plain_raw(a->grad_out, io);
    wn_tensor *m = wn__contiguous_raw(a->mean), *r = wn__contiguous_raw(a->rstd), *w = a->weight ? wn__plain_raw(a->weight, stats) : NULL;
    bool affine = j.need_w || j.need_b, ok = x && g && m && r && (!a->weight || w);
    if (ok && affine) ok = (j.parts = wn__calloc((size_t)blocks * 2, line_bytes)) != NULL;
    if (ok) {
        j.x = wn__ptr(x), j.g = wn__ptr(g), j.mean = wn__ptr(m), j.rstd = wn__ptr(r);
        j.w = w ? wn__ptr(w) : NULL;
        j.y = a->need_input ? wn__ptr(dx) : NULL;
        wn__parallel(blocks, 16384 / (j.n * ROWS + 1) + 1, ln_backward, &j);
        if (affine) wn__add_blocks(j.k, j.e, j.parts, blocks, 2 * j.n);
        if (j.need_w) memcpy(wn__ptr(dw), j.parts, line_bytes);
        if (j.need_b) memcpy(wn__ptr(db), j.parts + line_bytes, line_bytes);
    }
    wn__free(j.parts);
    wn__release(x), wn__release(g), wn__release(m), wn__release(r), wn__release(w);
    return !ok || atomic_load(&j.no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}

void wn__vjp_native_layer_norm(wn__gradctx *c) {
    const wn_native_layer_norm_args *a = c->args;
    wn_tensor *g = c->g[0], *x = a->input, *mean = c->y[1], *rstd = c->y[2];
    if (!g) return;
    bool nx = c->need >> 0 & 1, nw = c->need >> 1 & 1, nb = c->need >> 2 & 1;
    if (c->lines) { /* what the others hold must not reach the weight's sums */
        x = wn_where(c->lines, x, 0);
        mean = wn_where(c->lines, mean, 0);
        rstd = wn_where(c->lines, rstd, 0);
    }
    if (!wn_grad_enabled()) {
        wn_native_layer_norm_backward_out r = wn_native_layer_norm_backward(g, x, a->normalized_shape, mean, rstd, a->weight, nx, nw, nb);
        if (nx) c->gin[0] = r.grad_input;
        if (nw) c->gin[1] = r.grad_weight;
        if (nb) c->gin[2] = r.grad_bias;
        return;
    }
    /* To be differentiated again: the statistics anew, as functions of x. */
    wn_dims over = {.n = wn__ndim_of(a->normalized_shape)};
    for (int i = 0; i < over.n; i++) over.v[i] = i - over.n;
    wn_tensor *m = wn_mean(x, .dims = over, .keepdim = true), *centred = wn_sub(x, m);
    wn_tensor *r = wn_rsqrt(wn_add(wn_mean(wn_mul(centred, centred), .dims = over, .keepdim = true), a->eps)), *hat = wn_mul(centred, r);
    if (nx) {
        wn_tensor *gw = a->weight ? wn_mul(g, a->weight) : g;
        wn_tensor *inner = wn_sub(wn_sub(gw, wn_mean(gw, .dims = over, .keepdim = true)),
                                  wn_mul(hat, wn_mean(wn_mul(gw, hat), .dims = over, .keepdim = true)));
        c->gin[0] = wn_mul(r, inner);
    }
    if (nw) c->gin[1] = wn_sum_to_size(wn_mul(g, hat), a->normalized_shape);
    if (nb) c->gin[2] = wn_sum_to_size(g, a->normalized_shape);
}

/* ------------------------------------------------------------------ composed rows */

double wn__eps_of(wn_val v) { return wn__f64_or(v, 1e-5); }

wn_status wn__op_layer_norm(wn__call *c) {
    const wn_layer_norm_args *a = c->args;
    double eps = wn__eps_of(a->eps);
    if (!a->where) {
        wn_native_layer_norm_out r = wn_native_layer_norm(a->input, a->normalized_shape, a->weight, a->bias, eps);
        return wn__give(c, 0, r.out);
    }
    int first;
    wn_status st = tail(c, a->input, &a->normalized_shape, &first);
    if (!st) st = wn__check_mask(c->op->name, a->input, a->where);
    if (st) return st;
    wn_dims over = {.n = a->input->ndim - first};
    for (int i = 0; i < over.n; i++) over.v[i] = first + i;
    wn_tensor *x = wn__wide(a->input);
    wn_var_mean_out v = wn_var_mean(x, .dims = over, .correction = WN_VAL(0), .keepdim = true, .where = a->where);
    wn_tensor *y = wn_mul(wn_sub(wn__keep(x, a->where), v.mean), wn_rsqrt(wn_add(v.var, eps)));
    y = wn__keep(y, a->where); /* before the weight: NaN of an empty row must not reach its gradient */
    if (a->weight) y = wn_mul(y, a->weight);
    if (a->bias) y = wn_add(y, a->bias);
    return wn__give(c, 0, wn_to(wn__keep(y, a->where), wn_dtype_of(a->input)));
}

wn_status wn__op_rms_norm(wn__call *c, wn_tensor *input, const wn_dims *normalized_shape, wn_tensor *weight,
                          wn_val eps_given, wn_tensor *where) {
    int first;
    wn_status st = tail(c, input, normalized_shape, &first);
    if (!st) st = check_affine(c, "weight", weight, normalized_shape);
    if (!st) st = wn__check_mask(c->op->name, input, where);
    if (st) return st;
    double own = input->dtype == WN_F64 ? DBL_EPSILON : input->dtype == WN_F16 ? 0x1p-10 : input->dtype == WN_BF16 ? 0x1p-7 : (double)FLT_EPSILON;
    double eps = wn__f64_or(eps_given, own);
    wn_dims over = {.n = input->ndim - first};
    for (int i = 0; i < over.n; i++) over.v[i] = first + i;
    wn_tensor *x = wn__wide(wn__keep(input, where));
    wn_tensor *y = wn_mul(x, wn_rsqrt(wn_add(wn_mean(wn_mul(x, x), .dims = over, .keepdim = true, .where = where), eps)));
    y = wn__keep(y, where);
    if (weight) y = wn_mul(y, weight);
    return wn__give(c, 0, wn_to(wn__keep(y, where), wn_dtype_of(input)));
}
