/* batch_norm: statistics by channel (dimension 1). Input of shape [N, C, S] (S: all that follows), or [N, C]. */
#include <math.h>
#include <string.h>
#include "base/alloc.h"
#include "call/layout.h"
#include "engine/block.h"
#include "base/threads.h"
#include "engine/reduce_lines.h"
#include "ops/norm/norm.h"

typedef struct bn_job {
    const wn__reduce_kernels *k;
    const wn__line_kernels *lk;
    wn__elem e;
    wn_dtype io;
    int64_t batch, channels, spatial; /* spatial = 1: rows of channels */
    int64_t last[WN_MAX_DIMS];        /* strides with the channels last, ... */
    const int64_t *strides;           /* ... which are those of the results then; NULL: row-major */
    const char *x, *g;
    char *y;
    char *line[4]; /* by channel, of the compute type: forward: factor, offset; backward: mean, then factors of g, x and 1 */
    char *parts;   /* backward, spatial = 1: sums by blocks of rows */
    double *sum, *dot;
    atomic_bool no_memory;
} bn_job;

/* n elements from element `at` on, as the compute type. */
static const void *piece(const bn_job *j, const char *p, int64_t at, int64_t n, char *buf) {
    return wn__piece(j->k, j->io, j->e, p, at, n, buf);
}
/* Lengths of pieces: what fits on the stack as the compute type. */
#define PIECE 1024
#define SMALL_PLANE 64 /* elements of a plane whose sums cost less than adding their lanes */

/* Plane t of [N, C, S] in f16 or bf16. */
static void apply_half(const bn_job *j, int64_t t) {
    const int64_t ch = t % j->channels, at = t * j->spatial * 2;
    const bool bf16 = j->io == WN_BF16;
    char *const *f = j->line;
    const wn__elem e = j->e;
    if (j->g) j->lk->combine_half[bf16](j->y + at, j->g + at, j->x + at, j->spatial, wn__stat(e, f[1], ch), wn__stat(e, f[2], ch), wn__stat(e, f[3], ch));
    else j->lk->affine_half[bf16](j->y + at, j->x + at, j->spatial, wn__stat(e, f[0], ch), wn__stat(e, f[1], ch));
}

/* Plane (n, c) of [N, C, S], or row n of [N, C]; in pieces. */
static void apply(void *ctx, int64_t begin, int64_t end) {
    bn_job *j = ctx;
    bool lands = wn__elem_is(j->io, j->e), planes = j->spatial > 1;
    int64_t length = planes ? j->spatial : j->channels;
    size_t size = wn__elem_size(j->e);
    double xbuf[PIECE], gbuf[PIECE];
    for (int64_t t = begin; t < end; t++) {
        int64_t ch = t % j->channels, most = lands ? length : PIECE;
        if (planes && !lands) {
            apply_half(j, t);
            continue;
        }
        for (int64_t i = 0, n; i < length; i += n) {
            n = length - i < most ? length - i : most;
            int64_t at = t * length + i;
            const void *x = piece(j, j->x, at, n, (char *)xbuf), *g = j->g ? piece(j, j->g, at, n, (char *)gbuf) : NULL;
            char *to = j->y + at * (int64_t)wn__dtype_size((int)j->io), *y = lands ? to : (char *)xbuf;
            if (planes && g) j->lk->combine(y, g, x, n, wn__stat(j->e, j->line[1], ch), wn__stat(j->e, j->line[2], ch), wn__stat(j->e, j->line[3], ch));
            else if (planes) j->lk->affine(y, x, n, wn__stat(j->e, j->line[0], ch), wn__stat(j->e, j->line[1], ch));
            else if (g) j->lk->combine_each(y, g, x, n, j->line[1] + (size_t)i * size, j->line[2] + (size_t)i * size, j->line[3] + (size_t)i * size);
            else j->lk->affine_each(y, x, n, j->line[0] + (size_t)i * size, j->line[1] + (size_t)i * size);
            if (!lands) j->k->store(j->e, j->io, y, n, to, 1);
        }
    }
}
/* Small planes as rows of as many channels as they have elements, each with the factors of its own: a call for a plane costs more than its
 * elements. Those of all channels lie in `each`. */
static void apply_small(bn_job *j, int first, int last, char *each) {
    const int64_t n = j->channels * j->spatial;
    bn_job rows = *j;
    rows.channels = n, rows.spatial = 1;
    for (int q = first; q <= last; q++, each += (size_t)n * wn__elem_size(j->e)) {
        rows.line[q] = each;
        for (int64_t ch = 0, i = 0; ch < j->channels; ch++) {
            const double v = wn__stat(j->e, j->line[q], ch);
            for (const int64_t end = i + j->spatial; i < end; i++) wn__set_stat(j->e, each, i, v);
        }
    }
    wn__parallel(j->batch, 16384 / (n + 1) + 1, apply, &rows);
}
static void apply_all(bn_job *j) {
    const int64_t elements = j->channels * j->spatial;
    const int64_t small = wn__elem_is(j->io, j->e) ? SMALL_PLANE / 2 : SMALL_PLANE;
    if (j->spatial > 1 && j->spatial <= small && j->batch >= 8 && elements <= 1 << 15) {
        const int first = j->g ? 1 : 0, last = j->g ? 3 : 1;
        char *each = wn__calloc((size_t)(last - first + 1) * (size_t)elements, wn__elem_size(j->e));
        if (each) {
            apply_small(j, first, last, each);
            wn__free(each);
            return;
        }
    }
    int64_t lines = j->spatial > 1 ? j->batch * j->channels : j->batch, length = j->spatial > 1 ? j->spatial : j->channels;
    wn__parallel(lines, 16384 / (length + 1) + 1, apply, j);
}

static wn_status shapes(wn__call *c, const wn_tensor *x, bn_job *j) {
    if (x->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "expected at least 2 dimensions for the input, got %s", wn__desc(x));
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "\"batch_norm\" not implemented for '%s'", wn__dtype_word(x->dtype));
    j->k = wn__reduce_kernels_now();
    j->e = x->dtype == WN_F64 ? WN__E_F64 : WN__E_F32;
    j->lk = wn__line_kernels_now(j->e);
    j->io = (wn_dtype)x->dtype;
    j->batch = x->shape[0];
    j->channels = x->shape[1];
    j->spatial = 1;
    for (int d = 2; d < x->ndim; d++) j->spatial *= x->shape[d];
    atomic_init(&j->no_memory, false);
    return WN_OK;
}
/* Channels last, without gaps: rows of channels, as if there were no planes. */
static void as_rows(const wn_tensor *x, bn_job *j) {
    if (j->spatial == 1 || !wn__dense_last(x)) return;
    wn__channels_last_strides(x->ndim, x->shape, j->last);
    if (!wn__lies_so(x, j->last)) return;
    j->strides = j->last;
    j->batch *= j->spatial;
    j->spatial = 1;
}
/* One like the input, where it is needed, and two numbers of each channel. */
static wn_status results(wn__call *c, const wn_tensor *in, bool needed, bn_job *j) {
    as_rows(in, j);
    wn_status st = needed ? wn__result(c, 0, j->io, in->ndim, in->shape, j->strides) : wn__result_if(c, 0, false, j->io, 1, NULL);
    if (!st) st = wn__result(c, 1, wn__wide_dtype(in), 1, &j->channels, NULL);
    return st ? st : wn__result(c, 2, wn__wide_dtype(in), 1, &j->channels, NULL);
}
/* x with the memory that the job reads: rows of channels, or row by row; owned. */
static wn_tensor *in_memory(const wn_tensor *x, const int64_t *strides) {
    return wn__lies_so(x, strides) ? wn__retain((wn_tensor *)(uintptr_t)x) : wn__restrided_raw(x, (wn_dtype)x->dtype, strides);
}
static wn_status check_channels(wn__call *c, const char *name, const wn_tensor *t, int64_t channels) {
    if (!t || (t->numel == channels && wn__is_float(t->dtype))) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "%s should contain %lld elements not %lld", name, (long long)channels, (long long)t->numel);
}
static double element(wn_tensor *t, int64_t i) {
    return wn__load_f64((wn_dtype)t->dtype, wn__ptr(t) + i * (t->ndim ? t->strides[t->ndim - 1] : 0) * (int64_t)wn__dtype_size(t->dtype));
}
static void set_element(wn_tensor *t, int64_t i, double v) {
    wn__store_val((wn_dtype)t->dtype, wn__ptr(t) + i * (t->ndim ? t->strides[t->ndim - 1] : 0) * (int64_t)wn__dtype_size(t->dtype), wn_val_of_float(v));
}

static void move_running(wn_tensor *running, const double *stat, int64_t n, double momentum, const char *op) {
    if (!running) return;
    for (int64_t i = 0; i < n; i++) set_element(running, i, (1 - momentum) * element(running, i) + momentum * stat[i]);
    wn__bump_version(running, op);
}

/* Variance (biased) and mean of every channel, in double. */
static wn__reduce_status channel_stats(const wn_tensor *x, const char *data, double *var, double *mean) {
    wn__reduction r = {.kind = WN__R_VAR, .dtype = (wn_dtype)x->dtype, .x = data, .ndim = x->ndim, .out = var, .also = mean,
                       .out_dtype = WN_F64, .also_dtype = WN_F64, .p = 0};
    for (int d = 0; d < x->ndim; d++) {
        r.dim[d] = (wn__reduce_dim){.size = x->shape[d], .x = x->strides[d], .o = d == 1};
        if (d != 1) r.reduced |= 1u << d;
    }
    return wn__reduce(&r);
}

wn_status wn__infer_native_batch_norm(wn__call *c, wn_tensor *in, wn_tensor *weight, wn_tensor *bias,
                                      wn_tensor *running_mean, wn_tensor *running_var, bool training) {
    bn_job *j = wn__plan(c, sizeof *j);
    wn_status st = j ? shapes(c, in, j) : c->th->error;
    if (!st) st = check_channels(c, "weight", weight, j->channels);
    if (!st) st = check_channels(c, "bias", bias, j->channels);
    if (!st) st = check_channels(c, "running_mean", running_mean, j->channels);
    if (!st) st = check_channels(c, "running_var", running_var, j->channels);
    if (!st && !training && (!running_mean || !running_var))
        st = wn__fail_op(c, WN_E_RUNTIME, "running_mean and running_var must be given in evaluation mode");
    if (!st && training && j->batch * j->spatial == 1)
        st = wn__fail_op(c, WN_E_VALUE, "Expected more than 1 value per channel when training, got input size %s", wn__dims_text(in->shape, in->ndim));
    return st ? st : results(c, in, true, j);
}

wn_status wn__run_native_batch_norm(wn__call *c) {
    const wn_native_batch_norm_args *a = c->args;
    wn_tensor *in = a->input, *y = c->out[0], *save_mean = c->out[1], *save_invstd = c->out[2];
    bn_job *j = c->plan;
    const int64_t m = j->batch * j->spatial;
    WN__OWNED wn_tensor *x = in_memory(in, j->strides);
    double *var = wn__calloc((size_t)j->channels + 1, 2 * sizeof *var), *mean = var ? var + j->channels : NULL;
    char *lines = wn__calloc((size_t)j->channels + 1, 2 * 8);
    bool ok = x && var && lines;
    if (ok && a->training) ok = channel_stats(in, wn__ptr(in), var, mean) == WN__REDUCE_OK;
    if (ok) {
        j->line[0] = lines, j->line[1] = lines + (size_t)j->channels * 8;
        for (int64_t i = 0; i < j->channels; i++) {
            if (!a->training) mean[i] = element(a->running_mean, i), var[i] = element(a->running_var, i);
            double rstd = 1 / sqrt(var[i] + a->eps);
            double factor = rstd * (a->weight ? element(a->weight, i) : 1);
            wn__set_stat(j->e, wn__ptr(save_mean), i, mean[i]);
            wn__set_stat(j->e, wn__ptr(save_invstd), i, rstd);
            wn__set_stat(j->e, j->line[0], i, factor);
            wn__set_stat(j->e, j->line[1], i, (a->bias ? element(a->bias, i) : 0) - mean[i] * factor);
        }
        j->x = wn__ptr(x), j->y = wn__ptr(y);
        if (in->numel) apply_all(j);
        if (a->training && m > 0) {
            for (int64_t i = 0; i < j->channels; i++) var[i] *= (double)m / (double)(m - 1);
            move_running(a->running_mean, mean, j->channels, a->momentum, c->op->name);
            move_running(a->running_var, var, j->channels, a->momentum, c->op->name);
        }
    }
    wn__free(var);
    wn__free(lines);
    return ok ? WN_OK : wn__fail_memory(c->op->name);
}

/* ------------------------------------------------------------------ backward */

/* Planes of a channel, small ones, one behind the other as the compute type; the first one begins with element `at`. */
static const void *gather(const bn_job *j, const char *p, int64_t at, int64_t planes, char *buf) {
    const int64_t size = (int64_t)wn__dtype_size((int)j->io), bytes = j->spatial * size;
    double room[PIECE];
    char *to = wn__elem_is(j->io, j->e) ? buf : (char *)room;
    wn__block_now()->move(planes, (size_t)bytes, to, bytes, p + at * size, bytes * j->channels);
    return piece(j, to, 0, planes * j->spatial, buf);
}

/* sum g and sum g (x - mean) of channels [begin, end): plane after plane, small ones many at a time. */
static void channel_sums(void *ctx, int64_t begin, int64_t end) {
    bn_job *j = ctx;
    double xbuf[PIECE], gbuf[PIECE];
    const bool lands = wn__elem_is(j->io, j->e);
    const int64_t together = j->spatial <= SMALL_PLANE ? PIECE / j->spatial : 1;
    for (int64_t ch = begin; ch < end; ch++) {
        double sum = 0, dot = 0, s, d, mean = wn__stat(j->e, j->line[0], ch);
        for (int64_t b = 0; b < j->batch && together > 1; b += together) {
            const int64_t planes = j->batch - b < together ? j->batch - b : together, at = (b * j->channels + ch) * j->spatial;
            const void *g = gather(j, j->g, at, planes, (char *)gbuf), *x = gather(j, j->x, at, planes, (char *)xbuf);
            j->lk->centred_sums(g, x, planes * j->spatial, mean, &s, &d);
            sum += s, dot += d;
        }
        for (int64_t b = 0; b < j->batch && together == 1; b++)
            for (int64_t i = 0, n; i < j->spatial; i += n) {
                int64_t at = (b * j->channels + ch) * j->spatial + i;
                n = lands || j->spatial - i < PIECE ? j->spatial - i : PIECE;
                j->lk->centred_sums(piece(j, j->g, at, n, (char *)gbuf), piece(j, j->x, at, n, (char *)xbuf), n, mean, &s, &d);
                sum += s;
                dot += d;
            }
        j->sum[ch] = sum;
        j->dot[ch] = dot;
    }
}

#define ROWS 64
static void row_sums(void *ctx, int64_t begin, int64_t end) {
    bn_job *j = ctx;
    double xbuf[PIECE], gbuf[PIECE];
    size_t size = wn__elem_size(j->e);
    for (int64_t block = begin; block < end; block++) {
        char *sum = j->parts + (size_t)(2 * block * j->channels) * size, *dot = sum + (size_t)j->channels * size;
        for (int64_t r = block * ROWS; r < j->batch && r < (block + 1) * ROWS; r++)
            for (int64_t i = 0, n; i < j->channels; i += n) {
                int64_t at = r * j->channels + i;
                n = j->channels - i < PIECE ? j->channels - i : PIECE;
                size_t skip = (size_t)i * size;
                j->lk->centred_sums_each(piece(j, j->g, at, n, (char *)gbuf), piece(j, j->x, at, n, (char *)xbuf), n, j->line[0] + skip, sum + skip, dot + skip);
            }
    }
}

static bool backward_sums(bn_job *j) {
    if (j->spatial > 1) {
        wn__parallel(j->channels, 1, channel_sums, j);
        return true;
    }
    int64_t blocks = (j->batch + ROWS - 1) / ROWS;
    j->parts = wn__calloc((size_t)(blocks * 2), (size_t)j->channels * wn__elem_size(j->e));
    if (!j->parts) return false;
    wn__parallel(blocks, 16384 / (j->channels * ROWS + 1) + 1, row_sums, j);
    wn__add_blocks(j->k, j->e, j->parts, blocks, 2 * j->channels);
    for (int64_t i = 0; i < j->channels; i++) j->sum[i] = wn__stat(j->e, j->parts, i), j->dot[i] = wn__stat(j->e, j->parts, j->channels + i);
    wn__free(j->parts);
    return true;
}

wn_status wn__infer_native_batch_norm_backward(wn__call *c, wn_tensor *grad_out, wn_tensor *in, wn_tensor *save_mean,
                                               wn_tensor *save_invstd, wn_tensor *weight, bool need_input) {
    bn_job *j = wn__plan(c, sizeof *j);
    wn_status st = j ? shapes(c, in, j) : c->th->error;
    if (!st) st = check_channels(c, "weight", weight, j->channels);
    if (!st) st = check_channels(c, "save_mean", save_mean, j->channels);
    if (!st) st = check_channels(c, "save_invstd", save_invstd, j->channels);
    if (!st && (!wn__same_shape(in, grad_out) || !wn__is_float(grad_out->dtype)))
        st = wn__fail_op(c, WN_E_RUNTIME, "grad_out %s does not fit input %s", wn__desc(grad_out), wn__desc(in));
    return st ? st : results(c, in, need_input, j);
}

wn_status wn__run_native_batch_norm_backward(wn__call *c) {
    const wn_native_batch_norm_backward_args *a = c->args;
    wn_tensor *in = a->input, *dx = c->out[0], *dw = c->out[1], *db = c->out[2];
    bn_job *j = c->plan;
    wn_tensor *x = in_memory(in, j->strides), *g0 = wn__to_dtype_raw(a->grad_out, j->io), *g = g0 ? in_memory(g0, j->strides) : NULL;
    char *lines = wn__calloc((size_t)j->channels + 1, 4 * 8);
    j->sum = wn__calloc((size_t)j->channels + 1, 2 * sizeof(double));
    bool ok = x && g && lines && j->sum;
    double m = (double)(j->batch * j->spatial);
    if (ok) {
        for (int q = 0; q < 4; q++) j->line[q] = lines + (size_t)(q * j->channels) * 8;
        j->dot = j->sum + j->channels;
        j->x = wn__ptr(x), j->g = wn__ptr(g);
        for (int64_t i = 0; i < j->channels; i++) wn__set_stat(j->e, j->line[0], i, element(a->save_mean, i));
        ok = in->numel == 0 || backward_sums(j);
    }
    if (ok) {
        /* dx = rstd w (g - sum/m - (x - mean) rstd^2 dot/m) = g * a + x * b + c; with running statistics: g * a */
        for (int64_t i = 0; i < j->channels; i++) {
            double rstd = element(a->save_invstd, i), mean = wn__stat(j->e, j->line[0], i), scale = rstd * (a->weight ? element(a->weight, i) : 1);
            double slope = a->training ? -scale * rstd * rstd * j->dot[i] / m : 0;
            wn__set_stat(j->e, j->line[1], i, scale);
            wn__set_stat(j->e, j->line[2], i, slope);
            wn__set_stat(j->e, j->line[3], i, a->training ? -scale * j->sum[i] / m - slope * mean : 0);
            wn__set_stat(j->e, wn__ptr(dw), i, in->numel ? j->dot[i] * rstd : 0);
            wn__set_stat(j->e, wn__ptr(db), i, j->sum[i]);
        }
        j->y = wn__ptr(dx);
        if (a->need_input && in->numel) apply_all(j);
    }
    wn__release(x), wn__release(g0), wn__release(g);
    wn__free(lines);
    wn__free(j->sum);
    return ok ? WN_OK : wn__fail_memory(c->op->name);
}

/* All dimensions but the channels'. */
static wn_dims all_but_channels(int ndim) {
    wn_dims d = {.n = 0};
    for (int i = 0; i < ndim; i++)
        if (i != 1) d.v[d.n++] = i;
    return d;
}
wn_tensor *wn__by_channel(wn_tensor *t, int ndim) {
    wn_dims d = {.n = ndim};
    for (int i = 0; i < ndim; i++) d.v[i] = i == 1 ? wn_numel(t) : 1;
    return wn_reshape(t, d);
}

void wn__vjp_native_batch_norm(wn__gradctx *c, wn_tensor *x, wn_tensor *weight, bool training, double eps) {
    wn_tensor *g = c->g[0], *mean = c->y[1], *rstd = c->y[2];
    if (!g) return;
    bool nx = c->need >> 0 & 1, nw = c->need >> 1 & 1, nb = c->need >> 2 & 1;
    if (!wn_grad_enabled()) {
        wn_native_batch_norm_backward_out r = wn_native_batch_norm_backward(g, x, mean, rstd, weight, training, nx);
        if (nx) c->gin[0] = r.grad_input;
        if (nw) c->gin[1] = r.grad_weight;
        if (nb) c->gin[2] = r.grad_bias;
        return;
    }
    int nd = wn_ndim(x);
    wn_dims over = all_but_channels(nd);
    wn_tensor *r = wn__by_channel(rstd, nd), *centred = wn_sub(x, wn__by_channel(mean, nd));
    if (training) { /* the statistics anew, as functions of x */
        centred = wn_sub(x, wn_mean(x, .dims = over, .keepdim = true));
        r = wn_rsqrt(wn_add(wn_mean(wn_mul(centred, centred), .dims = over, .keepdim = true), eps));
    }
    wn_tensor *hat = wn_mul(centred, r);
    if (nx) {
        wn_tensor *gw = weight ? wn_mul(g, wn__by_channel(weight, nd)) : g, *inner = gw;
        if (training)
            inner = wn_sub(wn_sub(gw, wn_mean(gw, .dims = over, .keepdim = true)), wn_mul(hat, wn_mean(wn_mul(gw, hat), .dims = over, .keepdim = true)));
        c->gin[0] = wn_mul(r, inner);
    }
    if (nw) c->gin[1] = wn_sum(wn_mul(g, hat), .dims = over);
    if (nb) c->gin[2] = wn_sum(g, .dims = over);
}

/* ------------------------------------------------------------------ the row itself */

/* Under a mask: composed of rows. Running statistics of channels without a valid element stay. */
static wn_tensor *masked_batch_norm(const wn_batch_norm_args *a, double momentum, double eps) {
    wn_tensor *x = wn__wide(a->input), *mask = a->where;
    int nd = x->ndim;
    wn_dims over = all_but_channels(nd);
    wn_tensor *mean, *var;
    if (a->training || !a->running_mean || !a->running_var) {
        wn_var_mean_out v = wn_var_mean(x, .dims = over, .correction = WN_VAL(0), .keepdim = true, .where = mask);
        mean = v.mean, var = v.var;
        WN_NO_GRAD();
        wn_tensor *n = wn_sum(wn_expand(mask, wn_shape(x)), .dims = over), *some = wn_gt(n, 1);
        wn_tensor *unbiased = wn_div(wn_mul(wn_reshape(var, wn_shape(n)), n), wn_clamp_min(wn_sub(n, 1), 1));
        if (a->training && a->running_mean)
            wn_copy_(a->running_mean, wn_where(wn_gt(n, 0), wn_add(wn_mul(a->running_mean, 1 - momentum), wn_mul(wn_reshape(mean, wn_shape(n)), momentum)), a->running_mean));
        if (a->training && a->running_var)
            wn_copy_(a->running_var, wn_where(some, wn_add(wn_mul(a->running_var, 1 - momentum), wn_mul(unbiased, momentum)), a->running_var));
    } else {
        mean = wn__by_channel(wn_to(a->running_mean, wn_dtype_of(x)), nd), var = wn__by_channel(wn_to(a->running_var, wn_dtype_of(x)), nd);
    }
    wn_tensor *y = wn_mul(wn_sub(wn__keep(x, mask), mean), wn_rsqrt(wn_add(var, eps)));
    y = wn__keep(y, mask); /* before the weight: NaN of an empty channel must not reach its gradient */
    if (a->weight) y = wn_mul(y, wn__by_channel(a->weight, nd));
    if (a->bias) y = wn_add(y, wn__by_channel(a->bias, nd));
    return wn_to(wn__keep(y, mask), wn_dtype_of(a->input));
}

wn_status wn__op_batch_norm(wn__call *c) {
    const wn_batch_norm_args *a = c->args;
    double momentum = wn__f64_or(a->momentum, 0.1), eps = wn__eps_of(a->eps);
    bool training = a->training || !a->running_mean;
    if (!a->where && a->input->ndim < 2 && a->input->numel == 0) return wn__give(c, 0, wn_clone(a->input)); /* as in torch */
    if (!a->where) {
        wn_native_batch_norm_out r = wn_native_batch_norm(a->input, a->weight, a->bias, a->running_mean, a->running_var, training, momentum, eps);
        return wn__give(c, 0, r.out);
    }
    if (a->input->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "expected at least 2 dimensions for the input, got %s", wn__desc(a->input));
    wn_status st = wn__check_mask(c->op->name, a->input, a->where);
    return st ? st : wn__give(c, 0, masked_batch_norm(a, momentum, eps));
}
