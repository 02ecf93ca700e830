/* Geometry of pooling, and maximum pooling: forward, backward, and the gather that differentiates the backward. */
#include "ops/spatial/maxpool.h"
#include "base/alloc.h"
#include "call/layout.h"
#include "base/counters.h"
#include "base/level.h"
#include "base/threads.h"
#include "ops/spatial/spatial.h"
#include <stdio.h>

WN__DECLARE_LEVELS(wn__maxpool_kernels, wn__maxpool_kernels);
const wn__maxpool_kernels *wn__maxpool_now(void) { return WN__OF_LEVEL(wn__maxpool_kernels); }

/* ------------------------------------------------------------------ geometry */

bool wn__pool_pair(const wn_dims *d, int64_t *y, int64_t *x) {
    if (d->n != 1 && d->n != 2) return false;
    *y = d->v[0];
    *x = d->v[d->n - 1];
    return true;
}

wn_dims wn__pool_size(const wn_dims *size, int64_t oh, int64_t ow) {
    wn_dims d = *size;
    d.v[d.n - 2] = oh;
    d.v[d.n - 1] = ow;
    return d;
}

wn_status wn__pool_divisor(wn__call *c, wn_val divisor_override, int64_t *divisor) {
    *divisor = 0;
    if (divisor_override.kind == WN_VAL_NONE) return WN_OK;
    if (divisor_override.kind != WN_VAL_INT) return wn__fail_op(c, WN_E_TYPE, "divisor_override must be an integer");
    *divisor = divisor_override.u.i;
    return *divisor ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "divisor must be not zero");
}

wn_status wn__pool_window(wn__call *c, const wn__windows_args *a, const wn_dims *size, wn__window *w) {
    const wn_dims one = {.n = 1, .v = {1}}, zero = {.n = 1, .v = {0}};
    const wn_dims *stride = a->stride->n > 0 ? a->stride : a->kernel, *padding = a->padding->n > 0 ? a->padding : &zero;
    const wn_dims *dilation = a->dilation && a->dilation->n > 0 ? a->dilation : &one;
    if (!wn__pool_pair(a->kernel, &w->kh, &w->kw) || !wn__pool_pair(stride, &w->sh, &w->sw) || !wn__pool_pair(padding, &w->ph, &w->pw) ||
        !wn__pool_pair(dilation, &w->dh, &w->dw))
        return wn__fail_op(c, WN_E_RUNTIME, "kernel_size, stride, padding and dilation must either be a single int, or a tuple of two ints");
    const char *text = wn__dims_text(size->v, size->n > 0 ? size->n : 0);
    if (w->sh == 0 || w->sw == 0) return wn__fail_op(c, WN_E_RUNTIME, "stride should not be zero");
    if (w->kh <= 0 || w->kw <= 0 || w->sh < 0 || w->sw < 0)
        return wn__fail_op(c, WN_E_RUNTIME, "kernel size and stride should be greater than zero, but they are %lld x %lld and %lld x %lld", (long long)w->kh,
                           (long long)w->kw, (long long)w->sh, (long long)w->sw);
    if (w->dh <= 0 || w->dw <= 0)
        return wn__fail_op(c, WN_E_RUNTIME, "dilation should be greater than zero, but got dilationH: %lld dilationW: %lld", (long long)w->dh, (long long)w->dw);
    if (w->kh > INT32_MAX / w->kw || w->dh > INT32_MAX || w->dw > INT32_MAX || w->sh > INT32_MAX || w->sw > INT32_MAX)
        return wn__fail_op(c, WN_E_RUNTIME, "the window is too large");
    if (size->n != 3 && size->n != 4) return wn__fail_op(c, WN_E_RUNTIME, "Expected 3D or 4D (batch mode) tensor for input, but got: %s", text);
    for (int d = size->n - 3; d < size->n; d++)
        if (size->v[d] <= 0) return wn__fail_op(c, WN_E_RUNTIME, "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got: %s", text);
    if (w->ph < 0 || w->pw < 0) return wn__fail_op(c, WN_E_RUNTIME, "pad must be non-negative, but got pad: %lld, %lld", (long long)w->ph, (long long)w->pw);
    if (w->ph > w->kh / 2 || w->pw > w->kw / 2)
        return wn__fail_op(c, WN_E_RUNTIME, "pad should be smaller than or equal to half of kernel size, but got pad=%lld x %lld and kernel_size=%lld x %lld",
                           (long long)w->ph, (long long)w->pw, (long long)w->kh, (long long)w->kw);
    w->h = size->v[size->n - 2];
    w->w = size->v[size->n - 1];
    w->oh = wn__window_outputs(w->h, w->kh, w->sh, w->ph, w->dh, a->ceil_mode);
    w->ow = wn__window_outputs(w->w, w->kw, w->sw, w->pw, w->dw, a->ceil_mode);
    if (w->oh < 1 || w->ow < 1)
        return wn__fail_op(c, WN_E_RUNTIME, "Given input size: %s. Calculated output size: %lld x %lld. Output size is too small", text, (long long)w->oh,
                           (long long)w->ow);
    return WN_OK;
}

static const char *plane_at(const wn_tensor *t, int64_t plane) {
    const int lead = t->ndim - 3;
    int64_t at = plane * t->strides[lead];
    if (lead) at = plane / t->shape[1] * t->strides[0] + plane % t->shape[1] * t->strides[1];
    return wn__ptr(t) + at * (int64_t)wn__dtype_size(t->dtype);
}

const void *wn__plane(const wn_tensor *t, int64_t plane, wn__ct ct, void *tmp, int64_t *ld) {
    const char *p = plane_at(t, plane);
    const int64_t h = t->shape[t->ndim - 2], w = t->shape[t->ndim - 1], sh = t->strides[t->ndim - 2], sw = t->strides[t->ndim - 1];
    const int64_t size = (int64_t)wn__dtype_size(t->dtype);
    if (wn__is_register_form(t->dtype, ct) && (sw == 1 || w == 1)) {
        *ld = sh;
        return p;
    }
    const wn__load load = wn__kernels_now()->load[ct][t->dtype];
    for (int64_t y = 0; y < h; y++) load(w, (char *)tmp + (size_t)(y * w) * wn__ct_size(ct), p + y * sh * size, sw * size);
    *ld = w;
    return tmp;
}

/* ------------------------------------------------------------------ forward */

static void forward_task(void *ctx, int64_t begin, int64_t end) {
    wn__maxpool_job *j = ctx;
    const wn__window *w = &j->w;
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    const int64_t n = w->oh * w->ow, bytes = (int64_t)wn__dtype_size(j->dtype);
    wn__parts parts = {0};
    (void)wn__part(&parts, w->ow, 8); /* what the kernel wants for a row */
    const size_t plane = wn__part(&parts, w->h * w->w, 8), result = wn__part(&parts, direct ? 0 : n, 8);
    char *scratch = wn__task_scratch(&j->failed, 0, parts.bytes);
    if (!scratch) return;
    const wn__maxpool_plane run = wn__maxpool_now()->plane[j->ct];
    for (int64_t p = begin; p < end; p++) {
        int64_t ld;
        const void *x = wn__plane(j->x, p, j->ct, scratch + plane, &ld);
        char *out = j->out + p * n * bytes, *best = direct ? out : scratch + result;
        run(w, x, ld, best, j->at + p * n * j->at_bytes, j->at_bytes, scratch);
        if (!direct) wn__kernels_now()->store[j->ct][j->dtype](n, out, bytes, best);
    }
}

static int64_t grain(const wn__window *w) { return 1 + 32768 / (w->h * w->w + w->oh * w->ow * w->kh * w->kw / 4 + 1); }

typedef struct plan {
    wn__maxpool_job j;
    bool last; /* read and written channels last, as it lies */
} plan;

/* ---- the tables: images that lie channels last are read and written so, others are planes */

static bool lies_last(const void *form) { return ((const plan *)form)->last; }
static bool lies_in_planes(const void *form) { return !lies_last(form); }

static wn__ran forward_last(void *form, const void *call) {
    const wn_max_pool2d_places_args *a = ((const wn__call *)call)->args;
    return wn__ran_if(wn__maxpool_last(&((plan *)form)->j, a->self));
}
static wn__ran forward_planes(void *form, const void *call) {
    const wn_max_pool2d_places_args *a = ((const wn__call *)call)->args;
    const wn_tensor *y = ((const wn__call *)call)->out[0];
    wn__maxpool_job *j = &((plan *)form)->j;
    WN__OWNED wn_tensor *x = wn__planes_of(a->self);
    j->x = x;
    if (x && wn__ptr(x)) wn__parallel(y->numel / (j->w.oh * j->w.ow), grain(&j->w), forward_task, j);
    else j->failed = true;
    return wn__ran_if(!j->failed);
}
static void describe(const void *form, char *text, size_t room) {
    const wn__maxpool_job *j = &((const plan *)form)->j;
    snprintf(text, room, "%s, planes of %lld x %lld, windows of %lld x %lld", wn_dtype_name(j->dtype), (long long)j->w.h, (long long)j->w.w, (long long)j->w.kh, (long long)j->w.kw);
}
static const wn__kernel_row forward_rows[] = {
    {"last", WN__EVERY_DTYPE, WN__EVERY_LEVEL, lies_last, forward_last, true},
    {"planes", WN__EVERY_DTYPE, WN__EVERY_LEVEL, lies_in_planes, forward_planes, true},
};
WN__KERNEL_TABLE(wn__max_pool_kernels, "max_pool", forward_rows, .describe = describe);

wn_status wn__infer_max_pool2d(wn__call *c, wn_tensor *x, const wn_dims *kernel, const wn_dims *stride,
                               const wn_dims *padding, const wn_dims *dilation, bool ceil_mode, bool indices) {
    const wn_dims size = wn_shape(x);
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    wn__maxpool_job *j = &p->j;
    j->dtype = (wn_dtype)x->dtype;
    wn_status st = wn__pool_window(c, &(wn__windows_args){kernel, stride, padding, dilation, ceil_mode}, &size, &j->w);
    if (st) return st;
    if (j->dtype == WN_BOOL) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for 'Bool'", c->op->name);
    j->ct = wn__compute_type(j->dtype);
    j->at_bytes = indices ? 8 : j->w.kh * j->w.kw <= 255 ? 1 : 4;
    const wn_dims out = wn__pool_size(&size, j->w.oh, j->w.ow);
    p->last = wn__maxpool_lies_last(j, x) && wn__laid_last(c, 0);
    st = wn__result_laid(c, 0, j->dtype, &out, p->last);
    return st ? st : wn__result_laid(c, 1, indices ? WN_I64 : j->at_bytes == 1 ? WN_U8 : WN_I32, &out, p->last);
}
wn_status wn__run_max_pool2d(wn__call *c) {
    plan *p = c->plan;
    const wn_tensor *y = c->out[0];
    if (y->numel == 0) return WN_OK;
    p->j.out = wn__ptr(y);
    p->j.at = wn__ptr(c->out[1]);
    wn__count(y->numel);
    return wn__kernel_walk(&wn__max_pool_kernels, p->j.dtype, p, c) ? WN_OK : wn__fail_memory(c->op->name);
}

/* ------------------------------------------------------------------ backward */

/* Windows of a backward: the output size is that of the places. */
static wn_status backward_window(wn__call *c, const wn__windows_args *a, const wn_dims *size, const wn_tensor *places, wn__maxpool_job *j) {
    wn_status st = wn__pool_window(c, a, size, &j->w);
    if (st) return st;
    j->at_bytes = places->dtype == WN_U8 ? 1 : places->dtype == WN_I32 ? 4 : places->dtype == WN_I64 ? 8 : 0;
    bool fits = j->at_bytes && places->ndim == size->n;
    for (int d = 0; fits && d < size->n - 2; d++) fits = places->shape[d] == size->v[d];
    if (!fits)
        return wn__fail_op(c, WN_E_RUNTIME, "places %s do not come from max_pool2d", wn__desc(places));
    j->w.oh = places->shape[size->n - 2]; /* with ceil_mode or without: callers let more sizes pass */
    j->w.ow = places->shape[size->n - 1];
    return WN_OK;
}

static void backward_task(void *ctx, int64_t begin, int64_t end) {
    wn__maxpool_job *j = ctx;
    const wn__window *w = &j->w;
    const size_t in_size = wn__ct_size(j->ct);
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    wn__parts parts = {0};
    (void)wn__part(&parts, w->h * w->w, in_size); /* the result */
    const size_t grads = wn__part(&parts, w->oh * w->ow, in_size);
    char *scratch = wn__task_scratch(&j->failed, 0, parts.bytes);
    if (!scratch) return;
    const wn__maxpool_scatter run = wn__maxpool_now()->scatter[j->ct];
    for (int64_t p = begin; p < end; p++) {
        int64_t ld;
        const void *g = wn__plane(j->g, p, j->ct, scratch + grads, &ld);
        if (ld != w->ow && w->oh > 1) { /* rows with gaps: closed */
            char *to = scratch + grads;
            for (int64_t y = 0; y < w->oh; y++) memcpy(to + (size_t)(y * w->ow) * in_size, (const char *)g + (size_t)(y * ld) * in_size, (size_t)w->ow * in_size);
            g = to;
        }
        char *out = j->out + p * w->h * w->w * (int64_t)wn__dtype_size(j->dtype), *x = direct ? out : scratch;
        run(w, g, j->places + p * w->oh * w->ow * j->at_bytes, j->at_bytes, x);
        if (!direct) wn__kernels_now()->store[j->ct][j->dtype](w->h * w->w, out, (int64_t)wn__dtype_size(j->dtype), x);
    }
}

static wn__ran backward_last(void *form, const void *call) {
    const wn_max_pool2d_backward_args *a = ((const wn__call *)call)->args;
    return wn__ran_if(wn__maxpool_last_backward(&((plan *)form)->j, a->grad, a->places));
}
static wn__ran backward_planes(void *form, const void *call) {
    const wn_max_pool2d_backward_args *a = ((const wn__call *)call)->args;
    const wn_tensor *x = ((const wn__call *)call)->out[0];
    wn__maxpool_job *j = &((plan *)form)->j;
    WN__OWNED wn_tensor *g = wn__planes_of(a->grad), *places = g ? wn__contiguous_raw(a->places) : NULL;
    j->g = g;
    j->places = places ? wn__ptr(places) : NULL;
    if (j->places && g && wn__ptr(g)) wn__parallel(x->numel / (j->w.h * j->w.w), grain(&j->w), backward_task, j);
    else j->failed = true;
    return wn__ran_if(!j->failed);
}
static const wn__kernel_row backward_rows[] = {
    {"last", WN__FLOATS, WN__EVERY_LEVEL, lies_last, backward_last, true},
    {"planes", WN__FLOATS, WN__EVERY_LEVEL, lies_in_planes, backward_planes, true},
};
WN__KERNEL_TABLE(wn__max_pool_back_kernels, "max_pool_back", backward_rows, .describe = describe);

wn_status wn__infer_max_pool2d_backward(wn__call *c) {
    const wn_max_pool2d_backward_args *a = c->args;
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    wn__maxpool_job *j = &p->j;
    j->dtype = (wn_dtype)a->grad->dtype;
    wn_status st = backward_window(c, &(wn__windows_args){&a->kernel_size, &a->stride, &a->padding, &a->dilation, true}, &a->self_size, a->places, j);
    if (st) return st;
    if (!wn__same_shape(a->grad, a->places) || !wn__is_float(a->grad->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s does not fit the places %s", wn__desc(a->grad), wn__desc(a->places));
    j->ct = wn__compute_type(j->dtype);
    int64_t strides[WN_MAX_DIMS];
    if (a->places->ndim == 4) wn__channels_last_strides(4, a->places->shape, strides);
    p->last = a->places->ndim == 4 && j->at_bytes != 8 && wn__lies_so(a->places, strides) && wn__laid_last(c, 0);
    return wn__result_laid(c, 0, j->dtype, &a->self_size, p->last);
}
wn_status wn__run_max_pool2d_backward(wn__call *c) {
    plan *p = c->plan;
    const wn_tensor *x = c->out[0];
    if (x->numel == 0) return WN_OK;
    p->j.out = wn__ptr(x);
    wn__count(x->numel);
    return wn__kernel_walk(&wn__max_pool_back_kernels, p->j.dtype, p, c) ? WN_OK : wn__fail_memory(c->op->name);
}

/* Rarely run (second derivatives): plain loops. */
wn_status wn__infer_max_pool2d_take(wn__call *c) {
    const wn_max_pool2d_take_args *a = c->args;
    const wn_dims size = wn_shape(a->self);
    wn__maxpool_job *j = wn__plan(c, sizeof *j);
    if (!j) return c->th->error;
    wn_status st = backward_window(c, &(wn__windows_args){&a->kernel_size, &a->stride, &a->padding, &a->dilation, true}, &size, a->places, j);
    return st ? st : wn__result(c, 0, (wn_dtype)a->self->dtype, a->places->ndim, a->places->shape, NULL);
}
wn_status wn__run_max_pool2d_take(wn__call *c, wn_tensor *self, wn_tensor *places_given) {
    const wn__maxpool_job *j = c->plan;
    wn_tensor *y = c->out[0], *x = wn__contiguous_raw(self), *at_places = wn__contiguous_raw(places_given);
    if (!x || !at_places) {
        wn__release(x);
        wn__release(at_places);
        return wn__fail_memory(c->op->name);
    }
    const wn__window *w = &j->w;
    const size_t bytes = wn__dtype_size(y->dtype);
    const char *from = wn__ptr(x), *places = wn__ptr(at_places);
    char *to = wn__ptr(y);
    for (int64_t i = 0; i < y->numel; i++) {
        const int64_t ox = i % w->ow, oy = i / w->ow % w->oh, plane = i / w->ow / w->oh;
        const int64_t at = wn__maxpool_place(w, oy, ox, places, j->at_bytes, i);
        if (at < 0) memset(to + (size_t)i * bytes, 0, bytes);
        else memcpy(to + (size_t)i * bytes, from + (size_t)(plane * w->h * w->w + at) * bytes, bytes);
    }
    wn__release(x);
    wn__release(at_places);
    return WN_OK;
}
