/* Average pooling, regular and adaptive: both are tables of windows, rows and columns apart. One plane is one thread's, so the
 * backward's sums have one order. */
#include "base/alloc.h"
#include "call/layout.h"
#include "base/counters.h"
#include "base/inline.h"
#include "base/threads.h"
#include "ops/spatial/avgpool.h"
#include <stdio.h>

#define BODY "ops/spatial/avgpool_of.h"
#include "base/for_floats.h"
#include "base/as_i64.h"
#include "ops/spatial/avgpool_of.h"
#include "base/as_none.h"

static void run_avgpool(wn__avgpool_job *j, bool back, int64_t begin, int64_t end) {
    const int64_t in = back ? j->oh * j->ow : j->h * j->w, out = back ? j->h * j->w : j->oh * j->ow;
    const size_t size = wn__ct_size(j->ct), bytes = wn__dtype_size(j->dtype);
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    char *scratch = wn__task_scratch(&j->failed, 0, wn__array_bytes((int64_t)(in + out + 16), size));
    if (!scratch) return;
    for (int64_t p = begin; p < end; p++) {
        int64_t ld;
        const void *x = wn__plane(j->in, p, j->ct, scratch, &ld);
        char *to = j->out + (size_t)(p * out) * bytes, *y = direct ? to : scratch + (size_t)in * size;
        if (j->ct == WN__CT_F64) (back ? backward_f64 : forward_f64)(j, (const double *)x, ld, (double *)(void *)y);
        else if (j->ct == WN__CT_I64) (back ? backward_i64 : forward_i64)(j, (const int64_t *)x, ld, (int64_t *)(void *)y);
        else (back ? backward_f32 : forward_f32)(j, (const float *)x, ld, (float *)(void *)y);
        if (!direct) wn__kernels_now()->store[j->ct][j->dtype](out, to, (int64_t)bytes, y);
    }
}
static void forward_task(void *ctx, int64_t begin, int64_t end) {
    run_avgpool(ctx, false, begin, end);
}
static void backward_task(void *ctx, int64_t begin, int64_t end) {
    run_avgpool(ctx, true, begin, end);
}

typedef struct plan {
    wn__avgpool_job j;
    wn__window w; /* of regular windows */
    bool adaptive, count_pad, back;
    bool last; /* read and written channels last, as it lies */
} plan;

/* size: of the larger side; oh, ow: of the other. */
static wn_status infer(wn__call *c, plan *p, const wn_dims *size, int64_t oh, int64_t ow, const wn_tensor *in, bool back) {
    wn__avgpool_job *j = &p->j;
    const wn_dims small = wn__pool_size(size, oh, ow);
    j->h = size->v[size->n - 2];
    j->w = size->v[size->n - 1];
    j->oh = oh;
    j->ow = ow;
    j->in = in;
    j->dtype = (wn_dtype)in->dtype;
    j->ct = wn__compute_type(in->dtype);
    p->back = back;
    if (!wn__is_float(in->dtype) && !(!p->adaptive && !back && in->dtype == WN_I64))
        return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for %s", c->op->name, wn__dtype_word((int)j->dtype));
    if (back && (in->ndim != small.n || memcmp(in->shape, small.v, (size_t)small.n * sizeof *small.v)))
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s should have shape %s", wn__desc(in), wn__dims_text(small.v, small.n));
    p->last = in->ndim == 4 && !in->contiguous && wn__channels_last(in) && wn__laid_last(c, 0);
    return wn__result_laid(c, 0, j->dtype, back ? size : &small, p->last);
}

/* ------------------------------------------------------------------ regular windows */

/* The divisor counts what of the window lies in the padded input (which ends `padding` after the input), or in the input. */
static void regular(wn__avgpool_span *s, int64_t n, int64_t size, int64_t kernel, int64_t stride, int64_t padding, bool count_pad) {
    for (int64_t i = 0; i < n; i++) {
        const int64_t a = i * stride - padding, b = a + kernel < size + padding ? a + kernel : size + padding;
        s[i].start = (int32_t)(a < 0 ? 0 : a);
        s[i].end = (int32_t)(b < size ? b : size);
        if (s[i].end < s[i].start) s[i].end = s[i].start;
        s[i].extent = (int32_t)(count_pad ? b - a : s[i].end - s[i].start);
    }
}

/* Of `in`, or, back, from it to what has the size that is given. */
wn_status wn__infer_avg_pool2d(wn__call *c, wn_tensor *in, const wn_dims *given, const wn_dims *kernel,
                               const wn_dims *stride, const wn_dims *padding, bool ceil_mode, bool count_pad,
                               wn_val divisor, bool back) {
    const wn_dims size = back ? *given : wn_shape(in);
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    wn_status st = wn__pool_window(c, &(wn__windows_args){kernel, stride, padding, NULL, ceil_mode}, &size, &p->w);
    if (st) return st;
    p->count_pad = count_pad;
    st = wn__pool_divisor(c, divisor, &p->j.divisor);
    return st ? st : infer(c, p, &size, p->w.oh, p->w.ow, in, back);
}

/* ------------------------------------------------------------------ adaptive windows */

static void adaptive(wn__avgpool_span *s, int64_t n, int64_t size) {
    for (int64_t i = 0; i < n; i++) {
        s[i].start = (int32_t)(i * size / n);
        s[i].end = (int32_t)(((i + 1) * size + n - 1) / n);
        s[i].extent = s[i].end - s[i].start;
    }
}

static wn_status adapt(wn__call *c, const wn_dims *size, int64_t oh, int64_t ow, const wn_tensor *in, bool back) {
    wn_status st = wn__adaptive_fit(c, 2, size, size->n - 3, (const int64_t[]){oh, ow});
    plan *p = st ? NULL : wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    p->adaptive = true;
    return infer(c, p, size, oh, ow, in, back);
}

wn_status wn__op_adaptive_avg_pool2d(wn__call *c, wn_tensor *self, const wn_dims *output_size) {
    const wn_dims size = wn_shape(self);
    int64_t oh, ow;
    if (!wn__pool_pair(output_size, &oh, &ow)) return wn__fail_op(c, WN_E_RUNTIME, "output_size must be 2");
    if (oh < 0 || ow < 0)
        return wn__fail_op(c, WN_E_RUNTIME, "elements of output_size must be greater than or equal to 0 but received {%lld, %lld}", (long long)oh, (long long)ow);
    wn_status st = wn__adaptive_fit(c, 2, &size, size.n - 3, (const int64_t[]){oh, ow});
    if (st) return st;
    if (oh == 1 && ow == 1) return wn__give(c, 0, wn_mean(self, .dims = WN_DIMS(-2, -1), .keepdim = true));
    return wn__give(c, 0, wn_adaptive_avg_pool2d_windows(self, *output_size));
}
wn_status wn__infer_adaptive_avg_pool2d_windows(wn__call *c, wn_tensor *self, const wn_dims *output_size) {
    const wn_dims size = wn_shape(self);
    int64_t oh, ow;
    if (!wn__pool_pair(output_size, &oh, &ow) || oh < 0 || ow < 0) return wn__fail_op(c, WN_E_RUNTIME, "output_size must be two numbers, not negative");
    return adapt(c, &size, oh, ow, self, false);
}
wn_status wn__infer_adaptive_avg_pool2d_backward(wn__call *c, wn_tensor *grad, const wn_dims *self_size) {
    if (grad->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "grad %s should have 3 or 4 dimensions", wn__desc(grad));
    return adapt(c, self_size, grad->shape[grad->ndim - 2], grad->shape[grad->ndim - 1], grad, true);
}
/* ------------------------------------------------------------------ what all of them run */

static void fill_tables(const plan *p) {
    const wn__avgpool_job *j = &p->j;
    const wn__window *w = &p->w;
    if (p->adaptive) {
        adaptive(j->ys, j->oh, j->h);
        adaptive(j->xs, j->ow, j->w);
    } else {
        regular(j->ys, w->oh, w->h, w->kh, w->sh, w->ph, p->count_pad);
        regular(j->xs, w->ow, w->w, w->kw, w->sw, w->pw, p->count_pad);
    }
}
static bool lies_last(const void *form) { return ((const plan *)form)->last; }
static bool lies_in_planes(const void *form) { return !lies_last(form); }

static wn__ran run_last(void *form, const void *call) {
    plan *p = form;
    (void)call;
    wn__avgpool_last(&p->j, p->back);
    return wn__ran_if(!p->j.failed);
}
static wn__ran run_planes(void *form, const void *call) {
    plan *p = form;
    wn__avgpool_job *j = &p->j;
    const wn_tensor *y = ((const wn__call *)call)->out[0];
    wn__parallel(y->numel / (p->back ? j->h * j->w : j->oh * j->ow), 1 + 16384 / (j->h * j->w + 1), p->back ? backward_task : forward_task, j);
    return wn__ran_if(!j->failed);
}
static void describe(const void *form, char *text, size_t room) {
    const plan *p = form;
    snprintf(text, room, "%s, planes of %lld x %lld, %s%lld x %lld", wn_dtype_name(p->j.dtype), (long long)p->j.h, (long long)p->j.w, p->back ? "back from " : "to ", (long long)p->j.oh, (long long)p->j.ow);
}
static const wn__kernel_row rows[] = {
    {"last", WN__EVERY_DTYPE, WN__EVERY_LEVEL, lies_last, run_last, true},
    {"planes", WN__EVERY_DTYPE, WN__EVERY_LEVEL, lies_in_planes, run_planes, true},
};
WN__KERNEL_TABLE(wn__avg_pool_kernels, "avg_pool", rows, .describe = describe);

wn_status wn__run_avg_pool2d(wn__call *c) {
    plan *p = c->plan;
    wn__avgpool_job *j = &p->j;
    const wn_tensor *in = j->in;
    wn_tensor *y = c->out[0];
    if (y->numel == 0) return WN_OK;
    if (in->numel == 0) return wn__fill_raw(y, wn_val_of_int(0));
    wn_tensor *read = p->last ? wn__retain((wn_tensor *)(uintptr_t)in) : wn__planes_of(in);
    j->in = read;
    j->ys = wn__new(wn__avgpool_span, (size_t)(j->oh + j->ow)); /* both tables */
    j->out = wn__ptr(y);
    wn__count(y->numel);
    bool done = j->ys && read && wn__ptr(read);
    if (done) {
        j->xs = j->ys + j->oh;
        fill_tables(p);
        done = wn__kernel_walk(&wn__avg_pool_kernels, j->dtype, p, c);
    }
    wn__release(read);
    wn__free(j->ys);
    return done ? WN_OK : wn__fail_memory(c->op->name);
}

