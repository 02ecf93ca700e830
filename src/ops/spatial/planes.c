/* Elements of planes by their index: the gradient of maximum pooling, its inverse (max_unpool), and the derivative of both. */
#include "base/threads.h"
#include "base/alloc.h"
#include "call/layout.h"
#include "base/counters.h"
#include "base/inline.h"
#include "ops/spatial/spatial.h"

typedef struct planes_job {
    const wn_tensor *x;
    const int64_t *at;
    const char *from;
    char *to;
    int64_t inner, area; /* elements of a plane on the side of the indices, and on the other */
    bool add;
    wn__ct ct;
    _Atomic int64_t wrong; /* position of an index out of range, -1: none */
} planes_job;

#define BODY "ops/spatial/planes_of.h"
#include "base/for_sizes.h"
#define BODY "ops/spatial/planes_of.h"
#include "base/for_floats.h"

static void put_task(void *ctx, int64_t begin, int64_t end) {
    planes_job *j = ctx;
    const int64_t bytes = (int64_t)wn__dtype_size(j->x->dtype), wide = (int64_t)wn__ct_size(j->ct);
    const bool direct = wn__is_register_form(j->x->dtype, j->ct);
    char *scratch = direct ? NULL : wn__scratch(0, (size_t)((j->area + j->inner) * wide) + 64);
    if (!direct && !scratch) {
        j->wrong = -2;
        return;
    }
    for (int64_t p = begin; p < end; p++) {
        const char *x = j->from + p * j->inner * bytes;
        char *to = j->to + p * j->area * bytes, *y = direct ? to : scratch + j->inner * wide;
        if (!direct) {
            wn__kernels_now()->load[j->ct][j->x->dtype](j->inner, scratch, x, bytes);
            x = scratch;
        }
        const int64_t *at = j->at + p * j->inner;
        const bool ok = j->ct == WN__CT_F64 ? put_f64(j, at, (const double *)(const void *)x, (double *)(void *)y)
                                            : put_f32(j, at, (const float *)(const void *)x, (float *)(void *)y);
        if (!ok) j->wrong = p;
        if (!direct) wn__kernels_now()->store[j->ct][j->x->dtype](j->area, to, bytes, y);
    }
}

static void take_task(void *ctx, int64_t begin, int64_t end) {
    planes_job *j = ctx;
    const int64_t bytes = (int64_t)wn__dtype_size(j->x->dtype);
    for (int64_t p = begin; p < end; p++) {
        const void *x = j->from + p * j->area * bytes;
        void *y = j->to + p * j->inner * bytes;
        const int64_t *at = j->at + p * j->inner;
        if (!BY_SIZE(bytes, take, j, at, x, y)) j->wrong = p;
    }
}

/* put of f32 and f64 where x, indices and result lie channels last. Units: (image, some channels), so that no two threads write one plane. */
enum { SOME = 64 };
static int64_t shares_of(const planes_job *j) { return (j->x->shape[1] + SOME - 1) / SOME; }
static void put_pixels_task(void *ctx, int64_t begin, int64_t end) {
    planes_job *j = ctx;
    const int64_t channels = j->x->shape[1], bytes = (int64_t)wn__dtype_size(j->x->dtype);
    for (int64_t u = begin; u < end; u++) {
        const int64_t image = u / shares_of(j), c0 = u % shares_of(j) * SOME, n = channels - c0 < SOME ? channels - c0 : SOME;
        char *y = j->to + (image * j->area * channels + c0) * bytes;
        for (int64_t i = 0; i < j->area; i++) memset(y + i * channels * bytes, 0, (size_t)(n * bytes));
        for (int64_t i = 0; i < j->inner; i++) {
            const int64_t from = (image * j->inner + i) * channels + c0;
            const char *x = j->from + from * bytes;
            const bool ok = j->ct == WN__CT_F64 ? put_pixel_f64(j, n, j->at + from, (const double *)(const void *)x, (double *)(void *)y)
                                                : put_pixel_f32(j, n, j->at + from, (const float *)(const void *)x, (float *)(void *)y);
            if (!ok) j->wrong = image;
        }
    }
}
static bool dense_last(const wn_tensor *t) {
    int64_t strides[4];
    if (t->ndim != 4) return false;
    wn__channels_last_strides(4, t->shape, strides);
    return wn__lies_so(t, strides);
}

static wn_status check_planes(wn__call *c, const wn_tensor *x, const wn_tensor *at, int nd, const int64_t *size) {
    if (at->dtype != WN_I64) return wn__fail_op(c, WN_E_RUNTIME, "elements in indices should be type int64 but got %s", wn__desc(at));
    if (nd < 1 || nd > 3 || x->ndim < nd) return wn__fail_op(c, WN_E_RUNTIME, "size must be that of the last dimensions of self %s, at most 3", wn__desc(x));
    const int64_t area = wn__spatial_product(size, nd);
    if (area < 0 || area > INT64_MAX / 16) return wn__fail_op(c, WN_E_RUNTIME, "invalid output size %s", wn__dims_text(size, nd));
    return WN_OK;
}

/* Are x and its indices read, and the result written, channels last, as they lie? */
static bool lies_last(const wn__call *c, const wn_tensor *x, const wn_tensor *at, int nd, bool take) {
    return !take && nd == 2 && !x->contiguous && dense_last(x) && dense_last(at) && wn__is_register_form(x->dtype, wn__compute_type(x->dtype)) && wn__laid_last(c, 0);
}
/* x and its indices have the same shape (put), or differ only in the last nd dimensions (take). */
wn_status wn__infer_move(wn__call *c, wn_tensor *x, wn_tensor *at, const wn_dims *to, bool take) {
    const int nd = to->n;
    const int64_t *size = to->v;
    wn_status st = check_planes(c, x, at, nd, size);
    if (st) return st;
    const int lead = x->ndim - nd;
    bool fits = x->ndim == at->ndim;
    for (int d = 0; fits && d < x->ndim; d++) fits = d < lead || !take ? x->shape[d] == at->shape[d] : x->shape[d] == size[d - lead];
    if (!fits) return wn__fail_op(c, WN_E_RUNTIME, "Expected shape of indices to be same as that of the input tensor, but got indices %s and input %s", wn__desc(at), wn__desc(x));
    if (!take && !wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", c->op->name, wn__dtype_word(x->dtype));
    const wn_dims from = wn_shape(x), shape = take ? wn_shape(at) : wn__with_spatial(&from, nd, size);
    return wn__result_laid(c, 0, (wn_dtype)x->dtype, &shape, lies_last(c, x, at, nd, take));
}
wn_status wn__run_move(wn__call *c, wn_tensor *x, wn_tensor *at, const wn_dims *to, bool take, bool add) {
    const int nd = to->n;
    const int64_t *size = to->v;
    planes_job j = {.x = x, .add = add, .wrong = -1, .ct = wn__compute_type(x->dtype)};
    const bool last = lies_last(c, x, at, nd, take);
    wn_tensor *y = c->out[0];
    if (y->numel == 0) return WN_OK;
    if (at->numel == 0) return wn__fill_raw(y, wn_val_of_int(0));
    wn_tensor *rows = last ? wn__retain(x) : wn__contiguous_raw(x), *index = !rows ? NULL : last ? wn__retain(at) : wn__contiguous_raw(at);
    j.from = index ? wn__ptr(rows) : NULL;
    j.at = j.from ? (const int64_t *)(const void *)wn__ptr(index) : NULL;
    j.to = wn__ptr(y);
    j.area = wn__spatial_product(size, nd);
    j.inner = wn__spatial_product(at->shape + x->ndim - nd, nd);
    if (!j.at) j.wrong = -2;
    else if (j.area == 0) j.wrong = 0;
    else if (last) {
        wn__count(y->numel);
        wn__parallel(x->shape[0] * shares_of(&j), 1, put_pixels_task, &j);
    } else {
        wn__count(y->numel);
        wn__parallel(at->numel / j.inner, 1 + 16384 / (j.inner + j.area), take ? take_task : put_task, &j);
    }
    wn__release(rows);
    wn__release(index);
    if (j.wrong == -2) return wn__fail_memory(c->op->name);
    if (j.wrong < 0) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "Found an invalid max index: one in %s is outside of output volumes of size %s", wn__desc(at), wn__dims_text(size, nd));
}

wn_status wn__infer_max_unpool(wn__call *c, wn_tensor *x, wn_tensor *at, const wn_dims *to) {
    const int nd = c->op->dims;
    if (to->n != nd)
        return wn__fail_op(c, WN_E_RUNTIME, "There should be exactly %d elements in output_size, but got %d elements.", nd, to->n > 0 ? to->n : 0);
    if (x->ndim != nd + 1 && x->ndim != nd + 2)
        return wn__fail_op(c, WN_E_RUNTIME, "Input to max_unpooling should be a %dd or %dd Tensor, but got %s", nd + 1, nd + 2, wn__desc(x));
    for (int d = x->ndim - nd - 1; d < x->ndim; d++)
        if (x->shape[d] == 0) return wn__fail_op(c, WN_E_RUNTIME, "Expected input to have non-zero size for non-batch dimensions, but got %s", wn__desc(x));
    return wn__infer_move(c, x, at, to, false);
}
