/* Windows as columns and back (nn.functional.unfold, fold), and elements between channels and space (pixel_shuffle and kin). */
#include "base/alloc.h"
#include "base/counters.h"
#include "base/inline.h"
#include "engine/maxpool_kernels.h"
#include "base/threads.h"
#include "ops/spatial/spatial.h"

typedef struct fold_job {
    int64_t in[2], out[2], kernel[2], dilation[2], padding[2], stride[2];
    int64_t channels;
    const wn_tensor *x;
    const char *from;
    char *to;
    int64_t batch_step, plane_step, row_step, col_step; /* of x, in elements */
    wn__ct ct;
    _Atomic bool failed;
} fold_job;

/* ------------------------------------------------------------------ arguments */

typedef struct lists {
    const wn_dims *kernel, *dilation, *padding, *stride;
} lists;

static wn_status fit(wn__call *c, const lists *l, int64_t h, int64_t w, fold_job *j) {
    static const int64_t zero[2] = {0, 0}, one[2] = {1, 1};
    wn_status st = wn__spatial_list(c, "kernel_size", l->kernel, 2, NULL, j->kernel);
    if (!st) st = wn__spatial_list(c, "dilation", l->dilation, 2, one, j->dilation);
    if (!st) st = wn__spatial_list(c, "padding", l->padding, 2, zero, j->padding);
    if (!st) st = wn__spatial_list(c, "stride", l->stride, 2, one, j->stride);
    j->in[0] = h;
    j->in[1] = w;
    for (int d = 0; d < 2 && !st; d++) {
        static const char *const names[] = {"kernel size", "dilation", "stride"};
        const int64_t *const v[] = {j->kernel, j->dilation, j->stride};
        for (int k = 0; k < 3 && !st; k++) {
            if (v[k][d] <= 0) st = wn__fail_op(c, WN_E_RUNTIME, "%s should be greater than zero, but got %s", names[k], wn__dims_text(v[k], 2));
            else if (v[k][d] > INT32_MAX) st = wn__fail_op(c, WN_E_RUNTIME, "%s is too large: %s", names[k], wn__dims_text(v[k], 2));
        }
        if (!st && j->padding[d] < 0) st = wn__fail_op(c, WN_E_RUNTIME, "padding should be non-negative, but got %s", wn__dims_text(j->padding, 2));
        if (!st && j->padding[d] > INT32_MAX) st = wn__fail_op(c, WN_E_RUNTIME, "padding is too large: %s", wn__dims_text(j->padding, 2));
        if (!st && (j->in[d] < 0 || j->in[d] > INT64_MAX / 4)) st = wn__fail_op(c, WN_E_RUNTIME, "a plane of %lld x %lld is no plane", (long long)h, (long long)w);
        if (st) return st;
        const int64_t room = j->in[d] + 2 * j->padding[d] - (j->dilation[d] * (j->kernel[d] - 1) + 1);
        j->out[d] = room < 0 ? 0 : room / j->stride[d] + 1;
    }
    if (!st && (j->out[0] < 1 || j->out[1] < 1))
        st = wn__fail_op(c, WN_E_RUNTIME, "Given spatial size (%lld, %lld), kernel_size=%s, dilation=%s, padding=%s, stride=%s, calculated shape of the array of "
                         "sliding blocks as %s, but its components must be at least one.", (long long)h, (long long)w, wn__dims_text(j->kernel, 2),
                         wn__dims_text(j->dilation, 2), wn__dims_text(j->padding, 2), wn__dims_text(j->stride, 2), wn__dims_text(j->out, 2));
    return st;
}

/* ------------------------------------------------------------------ windows to columns */

/* Where outputs o of a window element have their input inside: [o0, o1). */
static void inside(const fold_job *j, int d, int64_t k, int64_t *o0, int64_t *o1) {
    const int64_t shift = k * j->dilation[d] - j->padding[d], s = j->stride[d];
    *o0 = shift < 0 ? (-shift + s - 1) / s : 0;
    *o1 = shift < j->in[d] ? (j->in[d] - 1 - shift) / s + 1 : 0;
    if (*o1 > j->out[d]) *o1 = j->out[d];
    if (*o0 > *o1) *o0 = *o1;
}

#define BODY "ops/spatial/fold_of.h"
#include "base/for_sizes.h"
#define BODY "ops/spatial/fold_of.h"
#include "base/for_floats.h"

static void im2col_task(void *ctx, int64_t begin, int64_t end) {
    const fold_job *j = ctx;
    const int64_t bytes = (int64_t)wn__dtype_size(j->x->dtype), window = j->kernel[0] * j->kernel[1];
    for (int64_t r = begin; r < end; r++) {
        const int64_t k = r % window, ky = k / j->kernel[1], kx = k % j->kernel[1], plane = r / window;
        const char *from = j->from + (plane / j->channels * j->batch_step + plane % j->channels * j->plane_step) * bytes;
        char *to = j->to + r * j->out[0] * j->out[1] * bytes;
        BY_SIZE(bytes, column, j, from, ky, kx, to);
    }
}

wn_status wn__infer_im2col(wn__call *c, wn_tensor *x, const wn_dims *kernel_size, const wn_dims *dilation,
                           const wn_dims *padding, const wn_dims *stride) {
    const int n = x->ndim, lead = n - 3;
    fold_job *j = wn__plan(c, sizeof *j);
    if (!j) return c->th->error;
    if ((n != 3 && n != 4) || x->shape[n - 1] == 0 || x->shape[n - 2] == 0 || x->shape[n - 3] == 0)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: %s",
                           wn__desc(x));
    wn_status st = fit(c, &(lists){kernel_size, dilation, padding, stride}, x->shape[n - 2], x->shape[n - 1], j);
    if (st) return st;
    if (wn__is_integer(x->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"im2col\" not implemented for '%s'", wn__dtype_word(x->dtype));
    j->channels = x->shape[lead];
    const int64_t rows = wn__spatial_product((int64_t[]){j->channels, j->kernel[0], j->kernel[1]}, 3), columns = wn__spatial_product(j->out, 2);
    if (rows < 0 || columns < 0) return wn__fail_op(c, WN_E_MEMORY, "the result is too large");
    wn_dims shape = {.n = n - 1};
    if (lead) shape.v[0] = x->shape[0];
    shape.v[lead] = rows;
    shape.v[lead + 1] = columns;
    return wn__result(c, 0, (wn_dtype)x->dtype, shape.n, shape.v, NULL);
}
wn_status wn__run_im2col(wn__call *c, wn_tensor *x) {
    fold_job *j = c->plan;
    const wn_tensor *y = c->out[0];
    const int n = x->ndim, lead = n - 3;
    const int64_t columns = j->out[0] * j->out[1];
    if (y->numel == 0) return WN_OK;
    j->x = x;
    j->batch_step = lead ? x->strides[0] : 0;
    j->plane_step = x->strides[lead];
    j->row_step = x->strides[n - 2];
    j->col_step = x->strides[n - 1];
    j->from = wn__ptr(x);
    j->to = wn__ptr(y);
    if (!j->from || !j->to) return wn__fail_memory(c->op->name);
    wn__count(y->numel);
    wn__parallel(y->numel / columns, 1 + 32768 / columns, im2col_task, j);
    return WN_OK;
}

/* ------------------------------------------------------------------ columns to windows */


static void col2im_task(void *ctx, int64_t begin, int64_t end) {
    fold_job *j = ctx;
    const int64_t bytes = (int64_t)wn__dtype_size(j->x->dtype), wide = (int64_t)wn__ct_size(j->ct);
    const int64_t window = j->kernel[0] * j->kernel[1], columns = j->out[0] * j->out[1], area = j->in[0] * j->in[1];
    const bool direct = wn__is_register_form(j->x->dtype, j->ct), load = !direct || j->col_step != 1;
    char *scratch = wn__task_scratch(&j->failed, 0, (size_t)((area + columns) * wide) + 64);
    if (!scratch) return;
    for (int64_t p = begin; p < end; p++) {
        char *to = j->to + p * area * bytes, *plane = direct ? to : scratch;
        memset(plane, 0, (size_t)(area * wide));
        for (int64_t k = 0; k < window; k++) {
            const char *g = j->from + (p / j->channels * j->batch_step + (p % j->channels * window + k) * j->row_step) * bytes;
            if (load) {
                wn__kernels_now()->load[j->ct][j->x->dtype](columns, scratch + area * wide, g, j->col_step * bytes);
                g = scratch + area * wide;
            }
            if (j->ct == WN__CT_F64) add_f64(j, (const double *)(const void *)g, k / j->kernel[1], k % j->kernel[1], (double *)(void *)plane);
            else add_f32(j, (const float *)(const void *)g, k / j->kernel[1], k % j->kernel[1], (float *)(void *)plane);
        }
        if (!direct) wn__kernels_now()->store[j->ct][j->x->dtype](area, to, bytes, plane);
    }
}

wn_status wn__infer_col2im(wn__call *c, wn_tensor *x, const wn_dims *output_size, const wn_dims *kernel_size,
                           const wn_dims *dilation, const wn_dims *padding, const wn_dims *stride) {
    const int n = x->ndim, lead = n - 2;
    int64_t size[2];
    fold_job *j = wn__plan(c, sizeof *j);
    if (!j) return c->th->error;
    wn_status st = wn__spatial_list(c, "output_size", output_size, 2, NULL, size);
    if (st) return st;
    if ((n != 2 && n != 3) || x->shape[n - 1] == 0 || x->shape[n - 2] == 0)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: %s",
                           wn__desc(x));
    if (size[0] < 1 || size[1] < 1) return wn__fail_op(c, WN_E_RUNTIME, "output_size should be greater than zero, but got %s", wn__dims_text(size, 2));
    if ((st = fit(c, &(lists){kernel_size, dilation, padding, stride}, size[0], size[1], j))) return st;
    if (!wn__is_float(x->dtype) && x->dtype != WN_BOOL) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"col2im\" not implemented for '%s'", wn__dtype_word(x->dtype));
    const int64_t window = wn__spatial_product(j->kernel, 2), columns = wn__spatial_product(j->out, 2);
    if (window < 0 || x->shape[lead] % window)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input %s and kernel_size=%s",
                           wn__desc(x), wn__dims_text(j->kernel, 2));
    if (x->shape[lead + 1] != columns)
        return wn__fail_op(c, WN_E_RUNTIME, "Given output_size=%s and kernel_size=%s, expected size of input's dimension 2 to match the calculated number of sliding "
                           "blocks %s = %lld, but got %s", wn__dims_text(size, 2), wn__dims_text(j->kernel, 2), wn__dims_text(j->out, 2), (long long)columns, wn__desc(x));
    j->channels = x->shape[lead] / window;
    wn_dims shape = {.n = n + 1};
    if (lead) shape.v[0] = x->shape[0];
    shape.v[lead] = j->channels;
    shape.v[lead + 1] = size[0];
    shape.v[lead + 2] = size[1];
    return wn__result(c, 0, (wn_dtype)x->dtype, shape.n, shape.v, NULL);
}
wn_status wn__run_col2im(wn__call *c, wn_tensor *x) {
    fold_job *j = c->plan;
    const wn_tensor *y = c->out[0];
    const int lead = x->ndim - 2;
    const int64_t blocks = j->kernel[0] * j->kernel[1] * j->out[0] * j->out[1];
    if (y->numel == 0) return WN_OK;
    j->x = x;
    j->ct = x->dtype == WN_BOOL ? WN__CT_F32 : wn__compute_type(x->dtype); /* sums of bool: true where any is */
    j->batch_step = lead ? x->strides[0] : 0;
    j->row_step = x->strides[lead];
    j->col_step = x->strides[lead + 1];
    j->from = wn__ptr(x);
    j->to = wn__ptr(y);
    if (!j->from || !j->to) return wn__fail_memory(c->op->name);
    wn__count(y->numel);
    wn__parallel(y->numel / (j->in[0] * j->in[1]), 1 + 16384 / (blocks + 1), col2im_task, j);
    return j->failed ? wn__fail_memory(c->op->name) : WN_OK;
}

/* ------------------------------------------------------------------ channels and space */

/* t, row-major and never in the memory of what it was made from, even where nothing moves. */
static wn_tensor *moved(wn_tensor *t, const wn_tensor *from) {
    t = wn_contiguous(t);
    return wn_ok(t) && t->storage == from->storage ? wn_clone(t) : t;
}

wn_status wn__op_pixel_shuffle(wn__call *c, wn_tensor *self, int64_t r) {
    const wn_dims d = wn_shape(self);
    const int n = d.n;
    if (n < 3) return wn__fail_op(c, WN_E_RUNTIME, "pixel_shuffle expects input to have at least 3 dimensions, but got input with %d dimension(s)", n > 0 ? n : 0);
    if (r <= 0) return wn__fail_op(c, WN_E_RUNTIME, "pixel_shuffle expects a positive upscale_factor, but got %lld", (long long)r);
    if (r > INT32_MAX || d.v[n - 3] % (r * r))
        return wn__fail_op(c, WN_E_RUNTIME, "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=%lld "
                           "is not divisible by the square of %lld", (long long)d.v[n - 3], (long long)r);
    if (n + 2 > WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS - 2);
    wn_dims split = {.n = n + 2}, order = {.n = n + 2}, whole = d;
    for (int i = 0; i < n - 3; i++) split.v[i] = d.v[i], order.v[i] = i;
    const int64_t pieces[5] = {d.v[n - 3] / (r * r), r, r, d.v[n - 2], d.v[n - 1]};
    const int places[5] = {0, 3, 1, 4, 2};
    for (int i = 0; i < 5; i++) split.v[n - 3 + i] = pieces[i], order.v[n - 3 + i] = n - 3 + places[i];
    whole.v[n - 3] = pieces[0];
    whole.v[n - 2] = d.v[n - 2] * r;
    whole.v[n - 1] = d.v[n - 1] * r;
    return wn__give(c, 0, moved(wn_reshape(wn_permute(wn_reshape(self, split), order), whole), self));
}

wn_status wn__op_pixel_unshuffle(wn__call *c, wn_tensor *self, int64_t r) {
    const wn_dims d = wn_shape(self);
    const int n = d.n;
    if (n < 3) return wn__fail_op(c, WN_E_RUNTIME, "pixel_unshuffle expects input to have at least 3 dimensions, but got input with %d dimension(s)", n > 0 ? n : 0);
    if (r <= 0) return wn__fail_op(c, WN_E_RUNTIME, "pixel_unshuffle expects a positive downscale_factor, but got %lld", (long long)r);
    if (r > INT32_MAX || d.v[n - 2] % r || d.v[n - 1] % r)
        return wn__fail_op(c, WN_E_RUNTIME, "pixel_unshuffle expects height and width to be divisible by downscale_factor, but input.size(-2)=%lld and input.size(-1)=%lld "
                           "are not by %lld", (long long)d.v[n - 2], (long long)d.v[n - 1], (long long)r);
    if (n + 2 > WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS - 2);
    wn_dims split = {.n = n + 2}, order = {.n = n + 2}, whole = d;
    int64_t all;
    if (__builtin_mul_overflow(d.v[n - 3], r * r, &all)) return wn__fail_op(c, WN_E_RUNTIME, "downscale_factor %lld is too large", (long long)r);
    for (int i = 0; i < n - 3; i++) split.v[i] = d.v[i], order.v[i] = i;
    const int64_t pieces[5] = {d.v[n - 3], d.v[n - 2] / r, r, d.v[n - 1] / r, r};
    const int places[5] = {0, 2, 4, 1, 3};
    for (int i = 0; i < 5; i++) split.v[n - 3 + i] = pieces[i], order.v[n - 3 + i] = n - 3 + places[i];
    whole.v[n - 3] = all;
    whole.v[n - 2] = pieces[1];
    whole.v[n - 1] = pieces[3];
    return wn__give(c, 0, moved(wn_reshape(wn_permute(wn_reshape(self, split), order), whole), self));
}

wn_status wn__op_channel_shuffle(wn__call *c, wn_tensor *self, int64_t groups) {
    const wn_dims d = wn_shape(self);
    if (d.n < 3) return wn__fail_op(c, WN_E_RUNTIME, "channel_shuffle expects input with > 2 dims, but got input with sizes %s", wn__dims_text(d.v, d.n > 0 ? d.n : 0));
    if (groups <= 0) return wn__fail_op(c, WN_E_RUNTIME, "Number of groups to divide channels in must be positive. Value of groups:%lld", (long long)groups);
    if (d.v[1] % groups)
        return wn__fail_op(c, WN_E_RUNTIME, "Number of channels must be divisible by groups. Got %lld channels and %lld groups.", (long long)d.v[1], (long long)groups);
    if (d.n == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "at most %d dimensions are supported", WN_MAX_DIMS - 1);
    wn_dims split = {.n = d.n + 1};
    for (int i = 0; i < split.n; i++) split.v[i] = i == 0 ? d.v[0] : i == 1 ? groups : i == 2 ? d.v[1] / groups : d.v[i - 1];
    return wn__give(c, 0, moved(wn_reshape(wn_transpose(wn_reshape(self, split), 1, 2), d), self));
}
