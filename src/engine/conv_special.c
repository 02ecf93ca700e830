/* The gradient in the input when weights hold inf or NaN. The fast kernels see zeros where the output has no element,
 * and 0 * inf would be a NaN where no term exists. So they get the finite weights, and every other weight is added to
 * exactly the elements that it reaches; if dy is not finite either, every term is computed by itself. (Forward, padding
 * is zeros by definition, as in PyTorch.) */
#include "base/alloc.h"
#include "engine/contract_ref.h"
#include "engine/conv_plan.h"
#include "base/threads.h"
#include <math.h>
#include <stdatomic.h>

static double get(const wn__gemm_type *t, wn_dtype type, const void *p, int64_t i) {
    const char *at = (const char *)p + i * (int64_t)wn_dtype_size(type);
    double v;
    float f;
    if (t->size == 8) {
        t->load(&v, at, type, 1, 1);
        return v;
    }
    t->load(&f, at, type, 1, 1);
    return (double)f;
}

static void put(const wn__gemm_type *t, wn_dtype type, void *p, int64_t i, double v) {
    char *at = (char *)p + i * (int64_t)wn_dtype_size(type);
    const float f = (float)v;
    if (t->size == 8) t->store(at, type, 1, &v, 1);
    else t->store(at, type, 1, &f, 1);
}

/* All elements of an operand in order. */
static wn__group elements(int nd, int64_t outer, int64_t inner, const int64_t *sizes, const int64_t *strides) {
    wn__group g = {.n = 2 + nd, .total = 1};
    g.size[0] = outer;
    g.size[1] = inner;
    for (int i = 0; i < nd; i++) g.size[2 + i] = sizes[i];
    for (int i = 0; i < g.n; i++) {
        g.stride[i] = strides[i];
        g.total *= g.size[i];
    }
    return g;
}
static wn__group weights(const wn__conv *d) { return elements(d->nd, d->out_channels, d->in_channels / d->groups, d->kernel, d->ws); }
static wn__group outputs(const wn__conv *d) { return elements(d->nd, d->batch, d->out_channels, d->out, d->ys); }

static bool all_finite(const wn__conv *d, const wn__group *all, const void *w) {
    enum { STEP = 256 };
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    const wn__gemm_type *t = d->dtype == WN_F64 ? kernels->f64 : kernels->f32;
    const wn__group g = *all;
    const int64_t len = g.size[g.n - 1], size = (int64_t)wn_dtype_size(d->dtype);
    const bool dense = g.total && g.stride[g.n - 1] == 1 && wn__group_offset(&g, g.total - 1) == g.total - 1;
    const int64_t run = dense ? STEP : len < STEP ? len : 1;
    double buf[STEP], sum = 0;
    for (int64_t i = 0; i < g.total; i += run) { /* x - x is 0, or NaN if x is not finite */
        const int64_t n = g.total - i < run ? g.total - i : run;
        t->load(buf, (const char *)w + (dense ? i : wn__group_offset(&g, i)) * size, d->dtype, n, g.stride[g.n - 1]);
        if (t->size == 8) {
            for (int64_t l = 0; l < n; l++) sum += buf[l] - buf[l];
        } else {
            const float *f = (const float *)(const void *)buf;
            float s = 0;
            for (int64_t l = 0; l < n; l++) s += f[l] - f[l];
            sum += (double)s;
        }
    }
    return sum == 0;
}

bool wn__conv_finite(const void *form, const void *call) {
    const wn__conv *d = ((const wn__conv_form *)form)->d;
    const wn__group all = weights(d);
    return all_finite(d, &all, ((const wn__conv_call *)call)->w);
}

typedef struct conv_special_job {
    const wn__conv *d;
    const wn__gemm_type *t;
    const void *dy, *w;
    void *dx;
    wn__group all;
} conv_special_job;

/* dx += dy * v in one image, for the weight v at (o, c, kernel position k). */
static void add_weight(const conv_special_job *j, int64_t image, int64_t o, int64_t c, const int64_t *k, double v) {
    const wn__conv *d = j->d;
    const int64_t channel = o / (d->out_channels / d->groups) * (d->in_channels / d->groups) + c;
    wn__group out = {.n = d->nd, .total = 1};
    for (int i = 0; i < d->nd; i++) out.total *= out.size[i] = d->out[i], out.stride[i] = d->ys[2 + i];
    for (int64_t q = 0; q < out.total; q++) {
        int64_t to = image * d->xs[0] + channel * d->xs[1], rest = q;
        bool hit = true;
        for (int i = d->nd - 1; i >= 0; i--) {
            const int64_t at = rest % d->out[i] * d->stride[i] - d->padding[i] + k[i] * d->dilation[i];
            rest /= d->out[i];
            hit &= at >= 0 && at < d->in[i];
            to += at * d->xs[2 + i];
        }
        if (!hit) continue;
        const double g = get(j->t, d->dtype, j->dy, image * d->ys[0] + o * d->ys[1] + wn__group_offset(&out, q));
        put(j->t, d->dtype, j->dx, to, get(j->t, d->dtype, j->dx, to) + g * v);
    }
}

static void conv_special_task(void *ctx, int64_t begin, int64_t end) {
    const conv_special_job *j = ctx;
    for (int64_t i = 0; i < j->all.total; i++) {
        const double v = get(j->t, j->d->dtype, j->w, wn__group_offset(&j->all, i));
        if (isfinite(v)) continue;
        int64_t k[3], rest = i;
        for (int s = j->d->nd - 1; s >= 0; s--) {
            k[s] = rest % j->d->kernel[s];
            rest /= j->d->kernel[s];
        }
        for (int64_t image = begin; image < end; image++) add_weight(j, image, rest / j->all.size[1], rest % j->all.size[1], k, v);
    }
}

static void exact(void *ctx, int64_t begin, int64_t end) {
    const conv_special_job *j = ctx;
    wn__conv one = *j->d;
    const int64_t size = (int64_t)wn_dtype_size(one.dtype);
    one.batch = 1;
    for (int64_t i = begin; i < end; i++)
        wn__conv_grad_input_ref(&one, (const char *)j->dy + i * one.ys[0] * size, j->w, (char *)j->dx + i * one.xs[0] * size);
}

wn__ran wn__conv_special(void *form, const void *call) {
    const wn__conv *d = ((const wn__conv_form *)form)->d;
    const wn__conv_call *c = call;
    const void *dy = c->in, *w = c->w;
    void *dx = c->out;
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    conv_special_job j = {.d = d, .t = d->dtype == WN_F64 ? kernels->f64 : kernels->f32, .dy = dy, .w = w, .dx = dx, .all = weights(d)};
    const wn__group dys = outputs(d);
    if (!all_finite(d, &dys, dy)) return wn__ran_if(wn__parallel_fresh(d->batch, 1, exact, &j));
    void *tame = wn__scratch_array(2, j.all.total, wn_dtype_size(d->dtype)); /* no epilogue here: slot 2 is free */
    if (!tame) return WN__NO_MEMORY;
    for (int64_t i = 0; i < j.all.total; i++) {
        const double v = get(j.t, d->dtype, w, wn__group_offset(&j.all, i));
        put(j.t, d->dtype, tame, i, isfinite(v) ? v : 0);
    }
    wn__conv plain = *d;
    int64_t step = 1;
    for (int i = d->nd + 1; i >= 0; step *= j.all.size[i], i--) plain.ws[i] = step;
    return wn__ran_if(wn__conv_grad_input(&plain, dy, tame, dx) && wn__parallel_fresh(d->batch, 1, conv_special_task, &j));
}
