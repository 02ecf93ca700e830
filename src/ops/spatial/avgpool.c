/* Average pooling, regular and adaptive: both are tables of windows, rows and columns apart. One plane is one thread's, so the
 * backward's sums have one order. */
#include "base/alloc.h"
#include "call/layout.h"
#include "base/counters.h"
#include "base/threads.h"
#include "ops/spatial/avgpool.h"

static inline float quotient_f32(float a, float d) { return a / d; }
static inline double quotient_f64(double a, double d) { return a / d; }
static inline int64_t quotient_i64(int64_t a, int64_t d) { return d == -1 ? -a : a / d; } /* the smallest by -1 would trap */

#define WN_AVG(T, name)                                                                                \
    static void forward_##name(const wn__avgpool_job *j, const T *x, int64_t ld, T *y) {                           \
        for (int64_t oy = 0; oy < j->oh; oy++) {                                                       \
            const wn__avgpool_span v = j->ys[oy];                                                                  \
            for (int64_t ox = 0; ox < j->ow; ox++) {                                                   \
                const wn__avgpool_span u = j->xs[ox];                                                              \
                T sum = 0;                                                                             \
                for (int64_t a = v.start; a < v.end; a++)                                              \
                    for (int64_t b = u.start; b < u.end; b++) sum += x[a * ld + b];                    \
                *y++ = quotient_##name(sum, j->divisor != 0 ? (T)j->divisor : (T)v.extent * (T)u.extent); \
            }                                                                                          \
        }                                                                                              \
    }                                                                                                  \
    static void backward_##name(const wn__avgpool_job *j, const T *g, int64_t ld, T *x) {                          \
        memset(x, 0, (size_t)(j->h * j->w) * sizeof *x);                                               \
        for (int64_t oy = 0; oy < j->oh; oy++) {                                                       \
            const wn__avgpool_span v = j->ys[oy];                                                                  \
            for (int64_t ox = 0; ox < j->ow; ox++) {                                                   \
                const wn__avgpool_span u = j->xs[ox];                                                              \
                const T part = quotient_##name(g[oy * ld + ox], j->divisor != 0 ? (T)j->divisor : (T)v.extent * (T)u.extent); \
                for (int64_t a = v.start; a < v.end; a++)                                              \
                    for (int64_t b = u.start; b < u.end; b++) x[a * j->w + b] += part;                 \
            }                                                                                          \
        }                                                                                              \
    }
WN_AVG(float, f32)
WN_AVG(double, f64)
WN_AVG(int64_t, i64)

static void run(wn__avgpool_job *j, bool back, int64_t begin, int64_t end) {
    const int64_t in = back ? j->oh * j->ow : j->h * j->w, out = back ? j->h * j->w : j->oh * j->ow;
    const size_t size = wn__ct_size(j->ct), bytes = wn__dtype_size(j->dtype);
    const bool direct = wn__is_register_form(j->dtype, j->ct);
    char *scratch = wn__scratch_array(0, (int64_t)(in + out + 16), size);
    if (!scratch) {
        j->failed = true;
        return;
    }
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
static void forward_task(void *ctx, int64_t begin, int64_t end, int worker) {
    (void)worker;
    run(ctx, false, begin, end);
}
static void backward_task(void *ctx, int64_t begin, int64_t end, int worker) {
    (void)worker;
    run(ctx, true, begin, end);
}

/* Allocates the tables (one block, in ys) and the result, and runs over all planes. size: of the larger side. */
static wn_status start(wn__call *c, wn__avgpool_job *j, const wn_dims *size) {
    j->h = size->v[size->n - 2];
    j->w = size->v[size->n - 1];
    j->ys = wn__new(wn__avgpool_span, (size_t)(j->oh + j->ow));
    if (!j->ys) return wn__fail_memory(c->op->name);
    j->xs = j->ys + j->oh;
    return WN_OK;
}
static wn_status finish(wn__call *c, wn__avgpool_job *j, const wn_dims *size, const wn_tensor *in, bool back) {
    wn_status st = WN_OK;
    const wn_dims out = back ? *size : wn__pool_size(size, j->oh, j->ow);
    j->dtype = (wn_dtype)in->dtype;
    j->ct = wn__compute_type(in->dtype);
    if (!wn__is_float(in->dtype) && !(j->integers && in->dtype == WN_I64)) {
        st = wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for %s", c->op->name, wn__dtype_word((int)j->dtype));
    } else if (back) {
        const wn_dims want = wn__pool_size(size, j->oh, j->ow);
        if (in->ndim != want.n || memcmp(in->shape, want.v, (size_t)want.n * sizeof *want.v))
            st = wn__fail_op(c, WN_E_RUNTIME, "grad %s should have shape %s", wn__desc(in), wn__dims_text(want.v, want.n));
    }
    const bool last = !st && in->ndim == 4 && !in->contiguous && wn__channels_last(in) && wn__laid_last(c, 0); /* read and written as it lies */
    int64_t strides[WN_MAX_DIMS];
    if (last) wn__channels_last_strides(out.n, out.v, strides);
    wn_tensor *y = st ? NULL : wn__out(c, 0, j->dtype, out.n, out.v, last ? strides : NULL);
    if (y && y->numel && back && in->numel == 0) {
        st = wn__fill_raw(y, wn_val_of_int(0));
    } else if (y && y->numel && last) {
        wn__count(y->numel);
        j->in = in;
        j->out = wn__ptr(in) ? wn__ptr(y) : NULL;
        wn__avgpool_last(j, back);
    } else if (y && y->numel) {
        j->out = wn__ptr(y);
        const int64_t planes = y->numel / (out.v[out.n - 1] * out.v[out.n - 2]);
        wn__count(y->numel);
        wn_tensor *read = wn__planes_of(in);
        j->in = read;
        if (read && wn__ptr(read)) wn__parallel(planes, 1 + 16384 / (j->h * j->w + 1), back ? backward_task : forward_task, j);
        else j->failed = true;
        wn__release(read);
    } else if (!y && !st) {
        st = c->th->error;
    }
    wn__free(j->ys);
    return j->failed ? wn__fail_memory(c->op->name) : st;
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

static wn_status average(wn__call *c, const wn__pool_args *a, const wn_dims *size, wn_switch count_pad, wn_val divisor, const wn_tensor *in, bool back) {
    wn__window w;
    wn__avgpool_job j = {0};
    wn_status st = wn__pool_window(c, a, size, &w);
    if (st) return st;
    j.integers = !back;
    if (divisor.kind != WN_VAL_NONE) {
        if (divisor.kind != WN_VAL_INT) return wn__fail_op(c, WN_E_TYPE, "divisor_override must be an integer");
        j.divisor = divisor.u.i;
        if (j.divisor == 0) return wn__fail_op(c, WN_E_RUNTIME, "divisor must be not zero");
    }
    j.oh = w.oh;
    j.ow = w.ow;
    if ((st = start(c, &j, size))) return st;
    regular(j.ys, w.oh, w.h, w.kh, w.sh, w.ph, wn_is_on(count_pad, true));
    regular(j.xs, w.ow, w.w, w.kw, w.sw, w.pw, wn_is_on(count_pad, true));
    return finish(c, &j, size, in, back);
}
wn_status wn__op_avg_pool2d(wn__call *c) {
    const wn_avg_pool2d_args *a = c->args;
    const wn_dims size = wn_shape(a->self);
    return average(c, &(wn__pool_args){&a->kernel_size, &a->stride, &a->padding, NULL, a->ceil_mode}, &size, a->count_include_pad, a->divisor_override,
                   a->self, false);
}
wn_status wn__op_avg_pool2d_backward(wn__call *c) {
    const wn_avg_pool2d_backward_args *a = c->args;
    return average(c, &(wn__pool_args){&a->kernel_size, &a->stride, &a->padding, NULL, a->ceil_mode}, &a->self_size, a->count_include_pad,
                   a->divisor_override, a->grad, true);
}

/* ------------------------------------------------------------------ adaptive windows */

static void adaptive(wn__avgpool_span *s, int64_t n, int64_t size) {
    for (int64_t i = 0; i < n; i++) {
        s[i].start = (int32_t)(i * size / n);
        s[i].end = (int32_t)(((i + 1) * size + n - 1) / n);
        s[i].extent = s[i].end - s[i].start;
    }
}

static wn_status check_adaptive(wn__call *c, const wn_dims *size) {
    if (size->n != 3 && size->n != 4)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected 3D or 4D tensor, but got %s", wn__dims_text(size->v, size->n > 0 ? size->n : 0));
    for (int d = size->n - 3; d < size->n; d++)
        if (size->v[d] == 0)
            return wn__fail_op(c, WN_E_RUNTIME, "Expected input to have non-zero size for non-batch dimensions, but input has sizes %s with dimension %d "
                               "being empty", wn__dims_text(size->v, size->n), d);
    return WN_OK;
}

static wn_status adapt(wn__call *c, const wn_dims *size, int64_t oh, int64_t ow, const wn_tensor *in, bool back) {
    wn__avgpool_job j = {.oh = oh, .ow = ow};
    wn_status st = check_adaptive(c, size);
    if (!st) st = start(c, &j, size);
    if (st) return st;
    adaptive(j.ys, oh, j.h);
    adaptive(j.xs, ow, j.w);
    return finish(c, &j, size, in, back);
}

wn_status wn__op_adaptive_avg_pool2d(wn__call *c) {
    const wn_adaptive_avg_pool2d_args *a = c->args;
    const wn_dims size = wn_shape(a->self);
    int64_t oh, ow;
    if (!wn__pool_pair(&a->output_size, &oh, &ow)) return wn__fail_op(c, WN_E_RUNTIME, "output_size must be 2");
    if (oh < 0 || ow < 0)
        return wn__fail_op(c, WN_E_RUNTIME, "elements of output_size must be greater than or equal to 0 but received {%lld, %lld}", (long long)oh, (long long)ow);
    wn_status st = check_adaptive(c, &size);
    if (st) return st;
    WN_SCOPE(s);
    if (oh == 1 && ow == 1) return wn__give(c, 0, wn_mean(a->self, .dims = WN_DIMS(-2, -1), .keepdim = true));
    return wn__give(c, 0, wn_adaptive_avg_pool2d_windows(a->self, a->output_size));
}
wn_status wn__op_adaptive_avg_pool2d_windows(wn__call *c) {
    const wn_adaptive_avg_pool2d_windows_args *a = c->args;
    const wn_dims size = wn_shape(a->self);
    int64_t oh, ow;
    if (!wn__pool_pair(&a->output_size, &oh, &ow) || oh < 0 || ow < 0) return wn__fail_op(c, WN_E_RUNTIME, "output_size must be two numbers, not negative");
    return adapt(c, &size, oh, ow, a->self, false);
}
wn_status wn__op_adaptive_avg_pool2d_backward(wn__call *c) {
    const wn_adaptive_avg_pool2d_backward_args *a = c->args;
    if (a->grad->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "grad %s should have 3 or 4 dimensions", wn__desc(a->grad));
    return adapt(c, &a->self_size, a->grad->shape[a->grad->ndim - 2], a->grad->shape[a->grad->ndim - 1], a->grad, true);
}
void wn__vjp_adaptive_avg_pool2d_backward(wn__gradctx *c) {
    const wn_dims g = wn__input_shape(c, 0);
    c->gin[0] = wn_adaptive_avg_pool2d_windows(c->g[0], WN_DIMS(g.v[g.n - 2], g.v[g.n - 1]));
}
