/* Maximum pooling over volumes, adaptive and fractional maxima. Each plane (volume) is one thread's. max_pool1d is max_pool2d of
 * one row. */
#include "base/alloc.h"
#include "call/layout.h"
#include "base/counters.h"
#include "base/level.h"
#include "base/threads.h"
#include "engine/windows.h"
#include "ops/spatial/pixels.h"
#include "ops/spatial/spatial.h"

WN__DECLARE_LEVELS(wn__windows_table, wn__windows_table);
const wn__windows_table *wn__windows_now(void) { return WN__OF_LEVEL(wn__windows_table); }

typedef struct maxpool_spatial_job {
    int nd, lead;
    wn__grid g;           /* of regular windows; else only out and, of fractional ones, kernel */
    enum { REGULAR, ADAPTIVE, FRACTIONAL } kind;
    int64_t in[3], step[3];
    const wn_tensor *x;
    const wn_tensor *samples; /* contiguous, of a fractional pool */
    int64_t planes_each;  /* planes that the samples' first dimensions stand for */
    const char *from;
    char *out;
    int64_t *at;
    wn__ct ct;
    wn__windows_kernels k;
    _Atomic bool failed;
} maxpool_spatial_job;

/* ------------------------------------------------------------------ volumes */

/* The volume where it lies, or converted into tmp. */
static wn__volume volume(const maxpool_spatial_job *j, int64_t plane, char *tmp) {
    const int64_t size = (int64_t)wn__dtype_size(j->x->dtype), *n = j->in, *step = j->step;
    const char *p = j->from + wn__plane_offset(j->x, j->lead, plane) * size;
    wn__volume v = {p, {n[0], n[1], n[2]}, step[1], step[0]};
    if (wn__is_register_form(j->x->dtype, j->ct) && (step[2] == 1 || n[2] == 1)) return v;
    const wn__load load = wn__kernels_now()->load[j->ct][j->x->dtype];
    const int64_t wide = (int64_t)wn__ct_size(j->ct);
    for (int64_t z = 0; z < n[0]; z++)
        for (int64_t y = 0; y < n[1]; y++)
            load(n[2], tmp + (z * n[1] + y) * n[2] * wide, p + (z * step[0] + y * step[1]) * size, step[2] * size);
    v.data = tmp;
    v.row = n[2];
    v.slice = n[1] * n[2];
    return v;
}

/* Where the windows of a fractional pool begin along one dimension: PyTorch's sequence, in its arithmetic. */
static int64_t interval(int64_t i, double sample, int64_t in, int64_t out, int64_t kernel, bool narrow) {
    if (i == out - 1) return in - kernel;
    if (narrow) {
        const float alpha = (float)(in - kernel) / (float)(out - 1), s = (float)sample;
        return (int64_t)(((float)i + s) * alpha) - (int64_t)(s * alpha);
    }
    const double alpha = (double)(in - kernel) / (double)(out - 1);
    return (int64_t)(((double)i + sample) * alpha) - (int64_t)(sample * alpha);
}

/* Output i of dimension d: which part of the dimension it covers. */
static void span(const maxpool_spatial_job *j, int d, int64_t i, int64_t plane, int64_t *lo, int64_t *hi) {
    const int64_t in = j->in[d], out = j->g.out[d];
    if (j->kind == ADAPTIVE) {
        *lo = i * (in / out) + i * (in % out) / out;
        *hi = (i + 1) * (in / out) + ((i + 1) * (in % out) + out - 1) / out;
        return;
    }
    if (d < 3 - j->nd) {
        *lo = 0, *hi = 1;
        return;
    }
    const wn_dtype type = (wn_dtype)j->samples->dtype;
    const int which = j->nd == 2 ? 2 - d : d; /* of two, x comes first; of three, z */
    const double sample = wn__load_f64(type, wn__ptr(j->samples) + (size_t)(plane * j->nd + which) * wn__dtype_size(type));
    int64_t at = interval(i, sample, in, out, j->g.kernel[d], type != WN_F64);
    if (at < 0) at = 0; /* samples outside [0, 1) */
    if (at > in - j->g.kernel[d]) at = in - j->g.kernel[d];
    *lo = at;
    *hi = at + j->g.kernel[d];
}

/* All of one plane; best: its maxima in the compute type. */
static void boxes(const maxpool_spatial_job *j, const wn__volume *v, int64_t plane, char *best, int64_t *at) {
    const int64_t *out = j->g.out, wide = (int64_t)wn__ct_size(j->ct);
    int64_t lo[3], hi[3];
    for (int64_t z = 0; z < out[0]; z++) {
        span(j, 0, z, plane, &lo[0], &hi[0]);
        for (int64_t y = 0; y < out[1]; y++) {
            span(j, 1, y, plane, &lo[1], &hi[1]);
            for (int64_t x = 0; x < out[2]; x++, best += wide, at++) {
                span(j, 2, x, plane, &lo[2], &hi[2]);
                j->k.box(v, lo, hi, best, at);
            }
        }
    }
}

static void planes_task(void *ctx, int64_t begin, int64_t end) {
    maxpool_spatial_job *j = ctx;
    const int64_t *out = j->g.out, n = out[0] * out[1] * out[2], bytes = (int64_t)wn__dtype_size(j->x->dtype), wide = (int64_t)wn__ct_size(j->ct);
    const bool direct = wn__is_register_form(j->x->dtype, j->ct);
    wn__parts parts = {0};
    (void)wn__part(&parts, out[2], 8); /* what the kernel wants for a row */
    const size_t in = wn__part(&parts, j->in[0] * j->in[1] * j->in[2], (size_t)wide), result = wn__part(&parts, direct ? 0 : n, (size_t)wide);
    char *scratch = wn__task_scratch(&j->failed, 0, parts.bytes);
    if (!scratch) return;
    for (int64_t p = begin; p < end; p++) {
        const wn__volume v = volume(j, p, scratch + in);
        char *to = j->out + p * n * bytes, *best = direct ? to : scratch + result;
        if (j->kind == REGULAR)
            for (int64_t r = 0; r < out[0] * out[1]; r++)
                j->k.row(&j->g, &v, r / out[1], r % out[1], best + r * out[2] * wide, j->at + p * n + r * out[2], scratch);
        else boxes(j, &v, p, best, j->at + p * n);
        if (!direct) wn__kernels_now()->store[j->ct][j->x->dtype](n, to, bytes, best);
    }
}

/* ------------------------------------------------------------------ images that lie channels last */

static bool lies_last(const wn__call *c, const maxpool_spatial_job *j, const wn_tensor *x) {
    return j->kind == ADAPTIVE && j->nd == 2 && x->ndim == 4 && !x->contiguous && wn__channels_last(x) && wn__laid_last(c, 0) && j->in[1] * j->in[2] < INT32_MAX;
}

/* Units: (image, row of the result), of windows that are the same for all channels. */
static void pixels_task(void *ctx, int64_t begin, int64_t end) {
    maxpool_spatial_job *j = ctx;
    const int64_t *out = j->g.out, channels = j->x->shape[1], row = out[2] * channels, bytes = (int64_t)wn__dtype_size(j->x->dtype), wide = (int64_t)wn__ct_size(j->ct);
    const wn__pixels pixels = wn__pixels_of(j->x, j->ct);
    const wn__pixel_kernels *k = &wn__pixels_now()->of[j->ct];
    const bool direct = wn__is_register_form(j->x->dtype, j->ct);
    const int64_t deep = j->in[1] / out[1] + 2 < j->in[1] ? j->in[1] / out[1] + 2 : j->in[1]; /* rows of a window, at most */
    wn__parts parts = {0};
    const size_t numbers = wn__part(&parts, row, (size_t)wide), results = wn__part(&parts, row, (size_t)wide), rows = wn__part(&parts, deep * j->in[2] * channels, (size_t)wide);
    char *room = wn__task_scratch(&j->failed, 0, parts.bytes);
    if (!room) return;
    char *at = room + numbers, *best = room + results, *tmp = room + rows;
    for (int64_t u = begin; u < end; u++) {
        char *to = j->out + u * row * bytes, *result = direct ? to : best;
        int64_t y0, y1, x0, x1;
        span(j, 1, u % out[1], 0, &y0, &y1);
        wn__pixel_box all = {.rows = y1 - y0, .by_row = j->in[2], .by_col = 1, .none = -1};
        wn__pixel_rows(&pixels, u / out[1], y0, y1 - y0, 1, tmp, &all);
        for (int64_t ox = 0; ox < out[2]; ox++) {
            span(j, 2, ox, 0, &x0, &x1);
            wn__pixel_box b = all;
            b.x = (const char *)all.x + x0 * all.pixel * wide;
            b.cols = x1 - x0;
            b.first = y0 * j->in[2] + x0;
            k->most(channels, &b, result + ox * channels * wide, at + ox * channels * wide);
        }
        k->narrow(row, at, 8, j->at + u * row);
        if (!direct) wn__kernels_now()->store[j->ct][j->x->dtype](row, to, bytes, result);
    }
}

/* ------------------------------------------------------------------ running */

/* nd, kind and g (of the last nd dimensions) are set. */
static wn_status infer(wn__call *c, maxpool_spatial_job *j, wn_tensor *x, bool integers) {
    j->x = x;
    j->lead = x->ndim - j->nd;
    const bool known = wn__is_float(x->dtype) || (integers && x->dtype != WN_BOOL);
    if (!known) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", c->op->name, wn__dtype_word(x->dtype));
    j->ct = wn__compute_type(x->dtype);
    j->k = wn__windows_now()->of[j->ct];
    for (int d = 0; d < 3; d++) {
        const bool given = d >= 3 - j->nd;
        j->in[d] = given ? x->shape[j->lead + d - 3 + j->nd] : 1;
        if (!given) j->g.out[d] = j->g.kernel[d] = j->g.stride[d] = j->g.dilation[d] = 1;
    }
    const wn_dims size = wn_shape(x), shape = wn__with_spatial(&size, j->nd, j->g.out + 3 - j->nd);
    const bool last = lies_last(c, j, x);
    const wn_status st = wn__result_laid(c, 0, (wn_dtype)x->dtype, &shape, last);
    return st ? st : wn__result_laid(c, 1, WN_I64, &shape, last);
}
wn_status wn__run_max_pool(wn__call *c) {
    maxpool_spatial_job *j = c->plan;
    const wn_tensor *x = j->x, *y = c->out[0];
    const bool last = lies_last(c, j, x);
    if (y->numel == 0) return WN_OK;
    WN__OWNED wn_tensor *read = last ? wn__retain((wn_tensor *)(uintptr_t)x) : wn__planes_of(x);
    j->x = read;
    j->from = read ? wn__ptr(read) : NULL;
    j->out = wn__ptr(y);
    j->at = (int64_t *)(void *)wn__ptr(c->out[1]);
    for (int d = 3 - j->nd; d < 3 && read; d++) j->step[d] = read->strides[j->lead + d - 3 + j->nd];
    const int64_t n = j->g.out[0] * j->g.out[1] * j->g.out[2], work = j->in[0] * j->in[1] * j->in[2] + n;
    wn__count(y->numel);
    if (j->from && last) wn__parallel(x->shape[0] * j->g.out[1], 1 + 16384 / (j->in[1] * j->in[2] * x->shape[1] / j->g.out[1] + 1), pixels_task, j);
    else if (j->from) wn__parallel(y->numel / n, 1 + 16384 / work, planes_task, j);
    else j->failed = true;
    return j->failed ? wn__fail_memory(c->op->name) : WN_OK;
}

/* ------------------------------------------------------------------ rows */

static maxpool_spatial_job *plan_of(wn__call *c, int nd, int kind) {
    maxpool_spatial_job *j = wn__plan(c, sizeof *j);
    if (j) j->nd = nd, j->kind = kind;
    return j;
}
static void put_last(int64_t *to, const int64_t *from, int nd) {
    for (int d = 0; d < nd; d++) to[3 - nd + d] = from[d];
}

wn_status wn__infer_max_pool3d_with_indices(wn__call *c) {
    const wn_max_pool3d_with_indices_args *a = c->args;
    const wn_dims size = wn_shape(a->self);
    wn__windows w;
    wn_status st = wn__windows_fit(c, 3, &(wn__windows_args){&a->kernel_size, &a->stride, &a->padding, &a->dilation, a->ceil_mode}, &size, &w);
    maxpool_spatial_job *j = st ? NULL : plan_of(c, 3, REGULAR);
    if (!j) return c->th->error;
    put_last(j->g.out, w.out, 3);
    put_last(j->g.kernel, w.kernel, 3);
    put_last(j->g.stride, w.stride, 3);
    put_last(j->g.padding, w.padding, 3);
    put_last(j->g.dilation, w.dilation, 3);
    return infer(c, j, a->self, true);
}

wn_status wn__infer_adaptive_max_pool(wn__call *c, wn_tensor *self, const wn_dims *output_size) {
    const int nd = c->op->dims;
    int64_t out[3];
    wn_status st = wn__spatial_list(c, "output_size", output_size, nd, NULL, out);
    const wn_dims size = wn_shape(self);
    if (!st) st = wn__adaptive_fit(c, nd, &size, 1, out);
    maxpool_spatial_job *j = st ? NULL : plan_of(c, nd, ADAPTIVE);
    if (!j) return c->th->error;
    put_last(j->g.out, out, nd);
    return infer(c, j, self, false);
}

static wn_status check_samples(wn__call *c, const wn_tensor *x, const wn_tensor *samples, int nd) {
    const int64_t batch = x->ndim == nd + 2 ? x->shape[0] : 1, channels = x->shape[x->ndim - nd - 1];
    if (samples->dtype != x->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "Expect _random_samples to have the same dtype as input, but got %s and %s", wn__desc(samples), wn__desc(x));
    if (samples->ndim != 3 || samples->shape[0] < batch || samples->shape[1] != channels || samples->shape[2] != nd)
        return wn__fail_op(c, WN_E_RUNTIME, "Expect _random_samples of shape [%lld, %lld, %d], but got %s", (long long)batch, (long long)channels, nd, wn__desc(samples));
    return WN_OK;
}

wn_status wn__infer_fractional_max_pool(wn__call *c) {
    const wn_fractional_max_pool2d_args *a = c->args;
    const int nd = c->op->dims;
    const wn_dims size = wn_shape(a->self);
    int64_t out[3], kernel[3];
    wn_status st = wn__spatial_list(c, "output_size", &a->output_size, nd, NULL, out);
    if (!st) st = wn__spatial_list(c, "kernel_size", &a->kernel_size, nd, NULL, kernel);
    if (!st) st = wn__spatial_input(c, nd, &size);
    if (st) return st;
    for (int d = 0; d < nd; d++) {
        const int64_t in = size.v[size.n - nd + d];
        if (kernel[d] < 1 || out[d] < 1 || kernel[d] > in || out[d] > in || out[d] + kernel[d] - 1 > in - (nd == 3)) /* PyTorch wants one more in three dimensions */
            return wn__fail_op(c, WN_E_RUNTIME, "pool size %lld and output size %lld do not fit the input's %lld (dimension %d)", (long long)kernel[d],
                               (long long)out[d], (long long)in, d);
    }
    maxpool_spatial_job *j = check_samples(c, a->self, a->_random_samples, nd) ? NULL : plan_of(c, nd, FRACTIONAL);
    if (!j) return c->th->error;
    put_last(j->g.out, out, nd);
    put_last(j->g.kernel, kernel, nd);
    return infer(c, j, a->self, false);
}
wn_status wn__run_fractional_max_pool(wn__call *c, wn_tensor *_random_samples) {
    WN__OWNED wn_tensor *samples = wn__contiguous_raw(_random_samples);
    ((maxpool_spatial_job *)c->plan)->samples = samples;
    return samples && (wn__ptr(samples) || samples->numel == 0) ? wn__run_max_pool(c) : wn__fail_memory(c->op->name);
}

/* ------------------------------------------------------------------ composed */

static wn_tensor *row_of(wn_tensor *x) { return wn_unsqueeze(x, -2); }
/* A list for one dimension as one for two, of which the first is trivial. */
static wn_dims behind(const wn_dims *d, int64_t first) {
    wn_dims r = *d;
    if (d->n != 1) return r;
    r.n = 2;
    r.v[1] = d->v[0];
    r.v[0] = first;
    return r;
}
static wn_status check_1d(wn__call *c, const wn_max_pool1d_args *a) {
    const wn_dims size = wn_shape(a->self), *lists[4] = {&a->kernel_size, &a->stride, &a->padding, &a->dilation};
    static const char *const names[4] = {"kernel_size", "stride", "padding", "dilation"};
    for (int i = 0; i < 4; i++)
        if (lists[i]->n > 1 || (i == 0 && lists[i]->n < 1)) return wn__fail_op(c, WN_E_RUNTIME, "%s must contain 1 element, but got %s", names[i], wn__dims_text(lists[i]->v, lists[i]->n));
    if (size.n != 2 && size.n != 3) return wn__fail_op(c, WN_E_RUNTIME, "Expected 2D or 3D input tensor, but got %s", wn__desc(a->self));
    wn__windows w;
    return wn__windows_fit(c, 1, &(wn__windows_args){&a->kernel_size, &a->stride, &a->padding, &a->dilation, a->ceil_mode}, &size, &w);
}

wn_status wn__op_max_pool1d(wn__call *c) {
    const wn_max_pool1d_args *a = c->args;
    wn_status st = check_1d(c, a);
    if (st) return st;
    wn_tensor *y = wn_max_pool2d(row_of(a->self), behind(&a->kernel_size, 1), .stride = behind(&a->stride, 1), .padding = behind(&a->padding, 0),
                                 .dilation = behind(&a->dilation, 1), .ceil_mode = a->ceil_mode);
    return wn__give(c, 0, wn_squeeze_dim(y, -2));
}
wn_status wn__op_max_pool1d_with_indices(wn__call *c) {
    const wn_max_pool1d_args *a = c->args;
    wn_status st = check_1d(c, a);
    if (st) return st;
    wn_max_pool2d_with_indices_out r =
        wn_max_pool2d_with_indices(row_of(a->self), behind(&a->kernel_size, 1), .stride = behind(&a->stride, 1), .padding = behind(&a->padding, 0),
                                   .dilation = behind(&a->dilation, 1), .ceil_mode = a->ceil_mode);
    st = wn__give(c, 0, wn_squeeze_dim(r.result, -2));
    return st ? st : wn__give(c, 1, wn_squeeze_dim(r.indices, -2));
}

/* The window's p-norm: its mean of x^p times its size, rooted; with p = inf the maximum of |x|. */
static wn_tensor *lp_average(wn_tensor *x, int nd, const wn_dims *kernel, const wn_dims *stride, bool ceil_mode) {
    if (nd == 1) return wn_avg_pool1d(x, *kernel, .stride = *stride, .ceil_mode = ceil_mode);
    if (nd == 2) return wn_avg_pool2d(x, *kernel, .stride = *stride, .ceil_mode = ceil_mode);
    return wn_avg_pool3d(x, *kernel, .stride = *stride, .ceil_mode = ceil_mode);
}
static wn_tensor *lp_maximum(wn_tensor *x, int nd, const wn_dims *kernel, const wn_dims *stride, bool ceil_mode) {
    if (nd == 1) return wn_max_pool1d(x, *kernel, .stride = *stride, .ceil_mode = ceil_mode);
    if (nd == 2) return wn_max_pool2d(x, *kernel, .stride = *stride, .ceil_mode = ceil_mode);
    return wn_max_pool3d(x, *kernel, .stride = *stride, .ceil_mode = ceil_mode);
}
wn_status wn__op_lp_pool(wn__call *c, wn_tensor *self, double norm_type, const wn_dims *kernel_size,
                         const wn_dims *stride, bool ceil_mode) {
    const int nd = c->op->dims;
    int64_t k[3];
    wn_status st = wn__spatial_list(c, "kernel_size", kernel_size, nd, NULL, k);
    if (st) return st;
    const int64_t size = wn__spatial_product(k, nd);
    if (norm_type - norm_type != 0 && norm_type == norm_type) { /* infinite */
        wn_tensor *x = wn_abs(self);
        if (norm_type > 0) return wn__give(c, 0, lp_maximum(x, nd, kernel_size, stride, ceil_mode));
        return wn__give(c, 0, wn_neg(lp_maximum(wn_neg(x), nd, kernel_size, stride, ceil_mode)));
    }
    wn_tensor *mean = lp_average(wn_pow(self, norm_type), nd, kernel_size, stride, ceil_mode);
    wn_tensor *sum = wn_mul(wn_mul(wn_sign(mean), wn_relu(wn_abs(mean))), size);
    return wn__give(c, 0, wn_pow(sum, 1.0 / norm_type));
}
