/* group_norm: statistics of groups of neighbouring channels, weight and bias by channel. Input of shape [N, C, S] (S: all that follows):
 * a group is one line of C / groups planes. */
#include <math.h>
#include "base/alloc.h"
#include "base/threads.h"
#include "engine/reduce_lines.h"
#include "ops/norm/norm.h"

typedef struct gn_job {
    const wn__reduce_kernels *k;
    const wn__line_kernels *lk;
    wn__elem e;
    wn_dtype io; /* of input, result and cotangent */
    int64_t batch, channels, groups, spatial, each; /* each: channels of a group */
    const char *x, *g;
    char *y, *mean, *rstd; /* statistics by image and group, of the compute type */
    double eps, *weight, *bias; /* by channel */
    double *sum, *dot; /* backward, by image and channel: sum g, sum g (x - mean) */
    atomic_bool no_memory;
} gn_job;

/* Group number `line` as the compute type: in place, or converted to buf. */
static const char *group_of(const gn_job *j, const char *p, int64_t line, char *buf) {
    const int64_t n = j->each * j->spatial;
    return wn__piece(j->k, j->io, j->e, p, line * n, n, buf);
}

/* Room for `lines` groups where they must be converted; false: no memory. */
static bool room_for(gn_job *j, int lines, char **room) {
    *room = NULL;
    if (wn__elem_is(j->io, j->e)) return true;
    *room = wn__scratch_array(2, lines * j->each * j->spatial, wn__elem_size(j->e));
    if (!*room) atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
    return *room != NULL;
}

static void forward(void *ctx, int64_t begin, int64_t end) {
    gn_job *j = ctx;
    const int64_t n = j->each * j->spatial, plane = j->spatial * (int64_t)wn__elem_size(j->e);
    char *room;
    if (!room_for(j, 1, &room)) return;
    for (int64_t line = begin; line < end; line++) {
        const char *x = group_of(j, j->x, line, room);
        char *to = j->y + line * n * (int64_t)wn__dtype_size((int)j->io), *y = room ? room : to;
        const void *lines[1] = {x};
        double mean, var;
        j->lk->moments(lines, 1, n, &mean, &var);
        const double rstd = 1 / sqrt(var + j->eps);
        wn__set_stat(j->e, j->mean, line, mean);
        wn__set_stat(j->e, j->rstd, line, rstd);
        for (int64_t c = 0, ch = line % j->groups * j->each; c < j->each; c++, ch++) {
            const double factor = rstd * (j->weight ? j->weight[ch] : 1);
            j->lk->affine(y + c * plane, x + c * plane, j->spatial, factor, (j->bias ? j->bias[ch] : 0) - mean * factor);
        }
        if (room) j->k->store(j->e, j->io, y, n, to, 1);
    }
}

/* dx = rstd (g w - sum(g w)/n - (x - mean) rstd^2 sum(g w (x - mean))/n) = g * a + x * b + c */
static void backward(void *ctx, int64_t begin, int64_t end) {
    gn_job *j = ctx;
    const int64_t n = j->each * j->spatial, plane = j->spatial * (int64_t)wn__elem_size(j->e);
    char *room;
    if (!room_for(j, 2, &room)) return;
    for (int64_t line = begin; line < end; line++) {
        const char *x = group_of(j, j->x, line, room), *g = group_of(j, j->g, line, room ? room + j->each * plane : NULL);
        const double mean = wn__stat(j->e, j->mean, line), rstd = wn__stat(j->e, j->rstd, line);
        const double *w = j->weight ? j->weight + line % j->groups * j->each : NULL;
        double *sum = j->sum + line * j->each, *dot = j->dot + line * j->each, sums = 0, dots = 0;
        for (int64_t c = 0; c < j->each; c++) {
            j->lk->centred_sums(g + c * plane, x + c * plane, j->spatial, mean, &sum[c], &dot[c]);
            sums += sum[c] * (w ? w[c] : 1);
            dots += dot[c] * (w ? w[c] : 1);
            dot[c] *= rstd;
        }
        if (!j->y) continue;
        const double b = -rstd * rstd * rstd * dots / (double)n, shift = -rstd * sums / (double)n - b * mean;
        char *to = j->y + line * n * (int64_t)wn__dtype_size((int)j->io), *y = room ? room : to;
        for (int64_t c = 0; c < j->each; c++)
            j->lk->combine(y + c * plane, g + c * plane, x + c * plane, j->spatial, rstd * (w ? w[c] : 1), b, shift);
        if (room) j->k->store(j->e, j->io, y, n, to, 1);
    }
}

static wn_status shapes(wn__call *c, const wn_tensor *x, int64_t groups, const wn_tensor *weight, const wn_tensor *bias, gn_job *j) {
    if (x->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "Expected at least 2 dimensions for input tensor but received %d", x->ndim);
    if (!wn__is_float(x->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "\"GroupNormKernelImpl\" not implemented for '%s'", wn__dtype_word(x->dtype));
    if (groups < 1 || x->shape[1] % groups)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected number of channels in input to be divisible by num_groups, but got input of shape %s "
                           "and num_groups=%lld", wn__dims_text(x->shape, x->ndim), (long long)groups);
    for (int i = 0; i < 2; i++) {
        const wn_tensor *t = i ? bias : weight;
        if (t && (t->ndim != 1 || t->numel != x->shape[1] || !wn__is_float(t->dtype)))
            return wn__fail_op(c, WN_E_RUNTIME, "Expected %s to be a vector of size equal to the number of channels in input, but got %s of shape %s and input of shape %s",
                               i ? "bias" : "weight", i ? "bias" : "weight", wn__dims_text(t->shape, t->ndim), wn__dims_text(x->shape, x->ndim));
    }
    const wn__elem e = x->dtype == WN_F64 ? WN__E_F64 : WN__E_F32;
    *j = (gn_job){.k = wn__reduce_kernels_now(), .lk = wn__line_kernels_now(e), .e = e, .io = (wn_dtype)x->dtype, .batch = x->shape[0],
                  .channels = x->shape[1], .groups = groups, .spatial = 1, .each = x->shape[1] / groups};
    for (int d = 2; d < x->ndim; d++) j->spatial *= x->shape[d];
    atomic_init(&j->no_memory, false);
    return WN_OK;
}

/* The n elements of a vector as doubles, owned by the caller. */
static double *doubles(wn_tensor *t) {
    double *v = wn__new(double, (size_t)t->numel + 1);
    for (int64_t i = 0; v && i < t->numel; i++)
        v[i] = wn__load_f64((wn_dtype)t->dtype, wn__ptr(t) + i * t->strides[0] * (int64_t)wn__dtype_size(t->dtype));
    return v;
}

static void run_norm_group(gn_job *j, wn__task task) {
    wn__parallel(j->batch * j->groups, 16384 / (j->each * j->spatial + 1) + 1, task, j);
}

wn_status wn__infer_native_group_norm(wn__call *c, wn_tensor *in, wn_tensor *weight, wn_tensor *bias,
                                      int64_t num_groups) {
    gn_job *j = wn__plan(c, sizeof *j);
    wn_status st = j ? shapes(c, in, num_groups, weight, bias, j) : c->th->error;
    if (!st) st = wn__result(c, 0, j->io, in->ndim, in->shape, NULL);
    if (!st) st = wn__result(c, 1, wn__wide_dtype(in), 2, (int64_t[]){j->batch, j->groups}, NULL);
    return st ? st : wn__result(c, 2, wn__wide_dtype(in), 2, c->out[1]->shape, NULL);
}

wn_status wn__run_native_group_norm(wn__call *c, wn_tensor *in, wn_tensor *weight, wn_tensor *bias, double eps) {
    wn_tensor *y = c->out[0], *mean = c->out[1], *rstd = c->out[2];
    gn_job *j = c->plan;
    j->mean = wn__ptr(mean), j->rstd = wn__ptr(rstd);
    if (in->numel == 0) { /* groups of nothing */
        for (int64_t i = 0; i < mean->numel; i++) wn__set_stat(j->e, j->mean, i, (double)NAN), wn__set_stat(j->e, j->rstd, i, (double)NAN);
        return WN_OK;
    }
    wn_tensor *x = wn__contiguous_raw(in);
    j->eps = eps;
    j->weight = weight ? doubles(weight) : NULL;
    j->bias = bias ? doubles(bias) : NULL;
    const bool ok = x && (j->weight || !weight) && (j->bias || !bias);
    if (ok) {
        j->x = wn__ptr(x), j->y = wn__ptr(y);
        run_norm_group(j, forward);
    }
    wn__release(x);
    wn__free(j->weight);
    wn__free(j->bias);
    return !ok || atomic_load(&j->no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}

/* to[ch] = the sum over images of by[image][ch]. */
static void over_images(const gn_job *j, const double *by, char *to) {
    for (int64_t ch = 0; ch < j->channels; ch++) {
        double v = 0;
        for (int64_t b = 0; b < j->batch; b++) v += by[b * j->channels + ch];
        wn__set_stat(j->e, to, ch, v);
    }
}

wn_status wn__infer_native_group_norm_backward(wn__call *c) {
    const wn_native_group_norm_backward_args *a = c->args;
    const wn_tensor *in = a->input;
    gn_job *j = wn__plan(c, sizeof *j);
    wn_status st = j ? shapes(c, in, a->num_groups, a->weight, NULL, j) : c->th->error;
    if (st) return st;
    const wn_dtype stats = wn__wide_dtype(in);
    if (!wn__same_shape(in, a->grad_out) || !wn__is_float(a->grad_out->dtype) || a->mean->dtype != stats || a->rstd->dtype != stats ||
        a->mean->numel != j->batch * j->groups || a->rstd->numel != j->batch * j->groups)
        return wn__fail_op(c, WN_E_RUNTIME, "the arguments are not those of a native_group_norm");
    st = wn__result_if(c, 0, a->need_input, j->io, in->ndim, in->shape);
    if (!st) st = wn__result_if(c, 1, a->need_weight, stats, 1, &j->channels);
    return st ? st : wn__result_if(c, 2, a->need_bias, stats, 1, &j->channels);
}

wn_status wn__run_native_group_norm_backward(wn__call *c) {
    const wn_native_group_norm_backward_args *a = c->args;
    wn_tensor *in = a->input, *dx = c->out[0], *dw = c->out[1], *db = c->out[2];
    gn_job *j = c->plan;
    wn_tensor *x = wn__contiguous_raw(in), *g = wn__plain_raw(a->grad_out, j->io);
    wn_tensor *mean = wn__contiguous_raw(a->mean), *rstd = wn__contiguous_raw(a->rstd);
    const int64_t planes = j->batch * j->channels;
    j->weight = a->weight ? doubles(a->weight) : NULL;
    j->sum = wn__calloc((size_t)planes + 1, 2 * sizeof(double));
    const bool ok = x && g && mean && rstd && j->sum && (j->weight || !a->weight);
    if (ok) {
        j->dot = j->sum + planes;
        j->x = wn__ptr(x), j->g = wn__ptr(g), j->mean = wn__ptr(mean), j->rstd = wn__ptr(rstd);
        j->y = a->need_input ? wn__ptr(dx) : NULL;
        if (in->numel) run_norm_group(j, backward);
        if (a->need_weight) over_images(j, j->dot, wn__ptr(dw));
        if (a->need_bias) over_images(j, j->sum, wn__ptr(db));
    }
    wn__release(x), wn__release(g), wn__release(mean), wn__release(rstd);
    wn__free(j->weight);
    wn__free(j->sum);
    return !ok || atomic_load(&j->no_memory) ? wn__fail_memory(c->op->name) : WN_OK;
}

/* ------------------------------------------------------------------ derivative and composed row */

/* [N, groups, the rest]. */
static wn_dims lines_of(const wn_tensor *x, int64_t groups) {
    return WN_DIMS(x->shape[0], groups, x->shape[0] > 0 ? x->numel / x->shape[0] / groups : 0);
}

void wn__vjp_native_group_norm(wn__gradctx *c, wn_tensor *x, wn_tensor *weight_given, int64_t num_groups, double eps) {
    wn_tensor *g = c->g[0], *mean = c->y[1], *rstd = c->y[2];
    if (!g) return;
    const bool nx = c->need >> 0 & 1, nw = c->need >> 1 & 1, nb = c->need >> 2 & 1;
    if (c->lines) { /* what the others hold must not reach the weight's sums */
        wn_tensor *groups = wn_amax(wn_reshape(c->lines, WN_DIMS(x->shape[0], num_groups, -1)), .dims = WN_DIMS(2));
        x = wn_where(c->lines, x, 0);
        mean = wn_where(groups, mean, 0);
        rstd = wn_where(groups, rstd, 0);
    }
    if (!wn_grad_enabled()) {
        wn_native_group_norm_backward_out r = wn_native_group_norm_backward(g, x, num_groups, mean, rstd, weight_given, nx, nw, nb);
        if (nx) c->gin[0] = r.grad_input;
        if (nw) c->gin[1] = r.grad_weight;
        if (nb) c->gin[2] = r.grad_bias;
        return;
    }
    /* To be differentiated again: the statistics anew, as functions of x. */
    const wn_dims line = WN_DIMS(2), lines = lines_of(x, num_groups);
    wn_dims others = {.n = 0};
    for (int d = 0; d < x->ndim; d++)
        if (d != 1) others.v[others.n++] = d;
    wn_tensor *flat = wn_reshape(x, lines), *centred = wn_sub(flat, wn_mean(flat, .dims = line, .keepdim = true));
    wn_tensor *r = wn_rsqrt(wn_add(wn_mean(wn_mul(centred, centred), .dims = line, .keepdim = true), eps)), *hat = wn_mul(centred, r);
    if (nx) {
        wn_tensor *gw = wn_reshape(weight_given ? wn_mul(g, wn__by_channel(weight_given, x->ndim)) : g, lines);
        wn_tensor *inner = wn_sub(wn_sub(gw, wn_mean(gw, .dims = line, .keepdim = true)),
                                  wn_mul(hat, wn_mean(wn_mul(gw, hat), .dims = line, .keepdim = true)));
        c->gin[0] = wn_reshape(wn_mul(r, inner), wn_shape(x));
    }
    if (nw) c->gin[1] = wn_sum(wn_mul(g, wn_reshape(hat, wn_shape(x))), .dims = others);
    if (nb) c->gin[2] = wn_sum(g, .dims = others);
}

wn_status wn__op_group_norm(wn__call *c) {
    enum { SHORT = 16 }; /* planes of fewer elements are not worth a call of a kernel each */
    const wn_group_norm_args *a = c->args;
    wn_tensor *x = a->input;
    gn_job j;
    wn_status st = shapes(c, x, a->num_groups, a->weight, a->bias, &j);
    if (st) return st;
    if (j.spatial >= SHORT) return wn__give(c, 0, wn_native_group_norm(x, a->weight, a->bias, a->num_groups, wn__eps_of(a->eps)).out);
    const wn_dims lines = lines_of(x, a->num_groups);
    wn_tensor *wide = a->weight || a->bias ? wn__wide(x) : x; /* rounded once, at the end */
    wn_tensor *y = wn_native_layer_norm(wn_reshape(wide, lines), WN_DIMS(lines.v[2]), NULL, NULL, wn__eps_of(a->eps)).out;
    y = wn_reshape(y, wn_shape(x));
    if (a->weight) y = wn_mul(y, wn__by_channel(a->weight, x->ndim));
    if (a->bias) y = wn_add(y, wn__by_channel(a->bias, x->ndim));
    return wn__give(c, 0, wn_to(y, (wn_dtype)x->dtype));
}
