/* Average pooling over one and three dimensions, regular and adaptive: linear maps, one for each dimension. */
#include "base/alloc.h"
#include "ops/spatial/pool.h"
#include "ops/spatial/spatial.h"

/* The divisor counts what of the window lies in the padded input (which ends `padding` after the input), or in the input. */
static bool windows_axis(wn__axis *a, const wn__windows *w, int d, bool count_pad) {
    const int64_t size = w->in[d], padding = w->padding[d];
    if (!wn__axis_make(a, size, w->out[d], 0, false, true)) return false;
    for (int64_t i = 0; i < w->out[d]; i++) {
        const int64_t at = i * w->stride[d] - padding, past = at + w->kernel[d] < size + padding ? at + w->kernel[d] : size + padding;
        int64_t first = at < 0 ? 0 : at, end = past < size ? past : size;
        if (first > size) first = size;
        if (end < first) end = first;
        a->first[i] = first;
        a->start[i + 1] = a->start[i] + end - first;
        a->extent[i] = (double)(count_pad ? past - at : end - first);
    }
    return true;
}

static wn_status check_type(wn__call *c, const wn_tensor *x, bool integers) {
    if (wn__is_float(x->dtype) || (integers && x->dtype == WN_I64)) return WN_OK;
    return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", c->op->name, wn__dtype_word(x->dtype));
}
/* Has grad the shape `size` with the windows' outputs at the end? */
static wn_status check_grad(wn__call *c, const wn_tensor *grad, const wn_dims *size, int nd, const int64_t *out) {
    const wn_dims want = wn__with_spatial(size, nd, out);
    if (grad->ndim == want.n && !memcmp(grad->shape, want.v, (size_t)want.n * sizeof *want.v)) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "grad %s should have shape %s", wn__desc(grad), wn__dims_text(want.v, want.n));
}

typedef struct plan {
    wn__windows w; /* of adaptive ones the sizes alone */
    bool adaptive, count_pad, back;
    double divisor;
    const wn_tensor *in;
} plan;

static wn_status infer(wn__call *c, plan *p, const wn_tensor *in, bool back) {
    p->in = in;
    p->back = back;
    return wn__axes_infer(c, p->w.nd, back ? p->w.in : p->w.out, in);
}
/* Of how many dimensions: a list of several numbers says so, and else the input's shape (one or three). */
static int dims_of(const wn_dims *kernel, const wn_dims *size) { return kernel->n > 1 ? kernel->n : size->n >= 4 ? 3 : 1; }
/* Of `in`, or, back, from it to what has the size that is given. */
wn_status wn__infer_avg_pool(wn__call *c, wn_tensor *in, const wn_dims *given, const wn_dims *kernel,
                             const wn_dims *stride, const wn_dims *padding, bool ceil_mode, bool count_pad,
                             wn_val override, bool back) {
    const int nd = back ? dims_of(kernel, given) : c->op->dims;
    const wn_dims size = back ? *given : wn_shape(in);
    if (nd > 3) return wn__fail_op(c, WN_E_RUNTIME, "kernel_size %s has more than 3 dimensions", wn__dims_text(kernel->v, nd));
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    const wn__windows *w = &p->w;
    wn_status st = wn__windows_fit(c, nd, &(wn__windows_args){kernel, stride, padding, NULL, ceil_mode}, &size, &p->w);
    if (!st) st = check_type(c, in, !back);
    for (int d = 0; d < 3 && nd == 3 && !st; d++)
        if (w->in[d] < w->kernel[d])
            st = wn__fail_op(c, WN_E_RUNTIME, "input image %s smaller than kernel size %s", wn__dims_text(w->in, 3), wn__dims_text(w->kernel, 3));
    if (!st && back) st = check_grad(c, in, &size, nd, w->out);
    int64_t divisor = 0;
    if (!st) st = wn__pool_divisor(c, override, &divisor);
    p->divisor = (double)divisor;
    p->count_pad = count_pad;
    return st ? st : infer(c, p, in, back);
}
wn_status wn__run_avg_pool(wn__call *c) {
    const plan *p = c->plan;
    const wn__windows *w = &p->w;
    wn__axis axes[3] = {0};
    for (int d = 0; d < w->nd; d++)
        if (!(p->adaptive ? wn__axis_adaptive(&axes[d], w->in[d], w->out[d]) : windows_axis(&axes[d], w, d, p->count_pad))) {
            for (int k = 0; k < d; k++) wn__axis_free(&axes[k]);
            return wn__fail_memory(c->op->name);
        }
    return wn__axes_apply(c, w->nd, axes, p->divisor, p->in, p->back);
}

void wn__vjp_avg_pool_backward(wn__gradctx *c) {
    const wn_avg_pool_backward_args *a = c->args;
    const int nd = dims_of(&a->kernel_size, &a->self_size);
    if (nd == 2)
        c->gin[0] = wn_avg_pool2d(c->g[0], a->kernel_size, .stride = a->stride, .padding = a->padding, .ceil_mode = a->ceil_mode,
                                  .count_include_pad = a->count_include_pad, .divisor_override = a->divisor_override);
    else if (nd == 3)
        c->gin[0] = wn_avg_pool3d(c->g[0], a->kernel_size, .stride = a->stride, .padding = a->padding, .ceil_mode = a->ceil_mode,
                                  .count_include_pad = a->count_include_pad, .divisor_override = a->divisor_override);
    else
        c->gin[0] = wn_avg_pool1d(c->g[0], a->kernel_size, .stride = a->stride, .padding = a->padding, .ceil_mode = a->ceil_mode,
                                  .count_include_pad = a->count_include_pad);
}

/* ------------------------------------------------------------------ adaptive windows */

static wn_status adapt(wn__call *c, int nd, const wn_dims *size, const int64_t *out, const wn_tensor *in, bool back) {
    wn_status st = wn__adaptive_fit(c, nd, size, size->n - nd, out);
    if (!st) st = check_type(c, in, false);
    if (!st && back) st = check_grad(c, in, size, nd, out);
    plan *p = st ? NULL : wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    p->adaptive = true;
    p->w.nd = nd;
    for (int d = 0; d < nd; d++) p->w.in[d] = size->v[size->n - nd + d], p->w.out[d] = out[d];
    return infer(c, p, in, back);
}

wn_status wn__infer_adaptive_avg_pool(wn__call *c, wn_tensor *self, const wn_dims *output_size) {
    const int nd = c->op->dims;
    const wn_dims size = wn_shape(self);
    int64_t out[3];
    wn_status st = wn__spatial_list(c, "output_size", output_size, nd, NULL, out);
    for (int i = 0; i < nd && !st; i++) c->row_major |= nd == 3 && out[i] != 1; /* as in torch: a mean keeps the format, windows of volumes do not */
    return st ? st : adapt(c, nd, &size, out, self, false);
}
wn_status wn__infer_adaptive_avg_pool_backward(wn__call *c, wn_tensor *grad, const wn_dims *self_size, int64_t dims) {
    const int nd = (int)dims;
    if (dims < 1 || dims > 3 || grad->ndim < nd)
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s does not have %lld spatial dimensions", wn__desc(grad), (long long)dims);
    return adapt(c, nd, self_size, grad->shape + grad->ndim - nd, grad, true);
}
void wn__vjp_adaptive_avg_pool_backward_nd(wn__gradctx *c, int64_t dims) {
    const wn_dims g = wn__input_shape(c, 0);
    wn_dims out = {.n = (int)dims};
    for (int d = 0; d < out.n; d++) out.v[d] = g.v[g.n - out.n + d];
    c->gin[0] = out.n == 1   ? wn_adaptive_avg_pool1d(c->g[0], out)
                : out.n == 2 ? wn_adaptive_avg_pool2d_windows(c->g[0], out)
                             : wn_adaptive_avg_pool3d(c->g[0], out);
}
