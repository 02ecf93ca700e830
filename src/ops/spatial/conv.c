/* Convolutions over 1, 2 or 3 dimensions on the engine of engine/contraction.h. Three rows close under differentiation: the
 * convolution and its gradients in input and weight, for each is linear in both of its operands and the derivatives are the
 * other two. */
#include <stdio.h>
#include "base/alloc.h"
#include "call/layout.h"
#include "base/counters.h"
#include "engine/contraction.h"
#include "engine/contract_int.h"
#include "ops/pointwise/pointwise.h"

/* ------------------------------------------------------------------ arguments */

/* One number for each spatial dimension: a list of one stands for all, none for the default. */
static wn_status read_list(wn__call *c, const char *what, const wn_dims *d, int nd, int64_t fallback, int64_t least, int64_t *v) {
    if (d->n > 1 && d->n != nd)
        return wn__fail_op(c, WN_E_RUNTIME, "expected %s to be a single integer value or a list of %d values to match the convolution dimensions, "
                           "but got %s", what, nd, wn__dims_text(d->v, d->n));
    for (int i = 0; i < nd; i++) {
        v[i] = d->n <= 0 ? fallback : d->v[d->n == 1 ? 0 : i];
        if (v[i] < least)
            return wn__fail_op(c, WN_E_RUNTIME, "%s %s is not supported: %s", least ? "non-positive" : "negative", what, wn__dims_text(d->v, d->n));
        if (v[i] > INT32_MAX) return wn__fail_op(c, WN_E_RUNTIME, "%s is too large: %s", what, wn__dims_text(d->v, d->n));
    }
    return WN_OK;
}

typedef struct lists {
    const wn_dims *stride, *padding, *dilation;
    wn_val groups;
} lists;

/* Fills everything but channels, sizes and strides. */
static wn_status read_lists(wn__call *c, const lists *l, int nd, wn__conv *v) {
    memset(v, 0, sizeof *v);
    v->nd = nd;
    wn_status st = read_list(c, "stride", l->stride, nd, 1, 1, v->stride);
    if (!st) st = read_list(c, "padding", l->padding, nd, 0, 0, v->padding);
    if (!st) st = read_list(c, "dilation", l->dilation, nd, 1, 1, v->dilation);
    v->groups = wn__i64_or(l->groups, 1);
    if (!st && v->groups <= 0) st = wn__fail_op(c, WN_E_RUNTIME, "non-positive groups is not supported: %lld", (long long)v->groups);
    return st;
}

/* A side of the convolution: input or output. Without a batch dimension it is a batch of one. */
static void image_of(const wn_dims *size, int nd, int64_t *batch, int64_t *channels, int64_t *spatial) {
    const int lead = size->n - nd;
    *batch = lead == 2 ? size->v[0] : 1;
    *channels = size->v[lead - 1];
    for (int i = 0; i < nd; i++) spatial[i] = size->v[lead + i];
}
static void image_strides(const wn_tensor *t, int nd, int64_t *s) {
    const int lead = t->ndim - nd;
    s[0] = lead == 2 ? t->strides[0] : 0;
    s[1] = t->strides[lead - 1];
    for (int i = 0; i < nd; i++) s[2 + i] = t->strides[lead + i];
}

/* Input and weight sizes into the descriptor; the output size follows. */
static wn_status fit(wn__call *c, const wn_dims *in, const wn_dims *w, wn__conv *v) {
    const int nd = v->nd;
    if (in->n != nd + 1 && in->n != nd + 2)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected %dD (unbatched) or %dD (batched) input, but got input of size %s (weight %s)", nd + 1, nd + 2,
                           wn__dims_text(in->v, in->n > 0 ? in->n : 0), wn__dims_text(w->v, w->n));
    image_of(in, nd, &v->batch, &v->in_channels, v->in);
    v->out_channels = w->v[0];
    for (int i = 0; i < nd; i++) v->kernel[i] = w->v[2 + i];
    if (v->out_channels < v->groups || v->out_channels % v->groups)
        return wn__fail_op(c, WN_E_RUNTIME, "Given groups=%lld, expected weight to be divisible by %lld at dimension 0, but got weight of size %s instead",
                           (long long)v->groups, (long long)v->groups, wn__dims_text(w->v, w->n));
    const int64_t channels = wn__mul_sat(w->v[1], v->groups);
    if (v->in_channels != channels)
        return wn__fail_op(c, WN_E_RUNTIME, "Given groups=%lld, weight of size %s, expected input %s to have %lld channels, but got %lld channels instead",
                           (long long)v->groups, wn__dims_text(w->v, w->n), wn__dims_text(in->v, in->n), (long long)channels,
                           (long long)v->in_channels);
    int64_t padded[3], visited = 1; /* of the padded image, which drivers copy in bands */
    for (int i = 0; i < nd; i++) {
        padded[i] = wn__add_sat(v->in[i], 2 * v->padding[i]);
        visited = wn__mul_sat(visited, padded[i]);
    }
    if (visited > WN__MOST_ELEMENTS)
        return wn__fail_op(c, WN_E_RUNTIME, "the padded input would have more elements than an operation can visit (2^48): input %s, padding %s",
                           wn__dims_text(in->v, in->n), wn__dims_text(v->padding, nd));
    for (int i = 0; i < nd; i++) {
        const int64_t window = wn__add_sat(wn__mul_sat(v->dilation[i], wn__sub_sat(v->kernel[i], 1)), 1);
        if (v->kernel[i] < 1) return wn__fail_op(c, WN_E_RUNTIME, "the kernel has no elements: weight %s", wn__dims_text(w->v, w->n));
        if (padded[i] < window)
            return wn__fail_op(c, WN_E_RUNTIME, "Kernel size can't be greater than actual input size: in spatial dimension %d the padded input has size "
                               "%lld, the (dilated) kernel %lld (input %s, weight %s)", i, (long long)padded[i], (long long)window,
                               wn__dims_text(in->v, in->n), wn__dims_text(w->v, w->n));
        v->out[i] = wn__add_sat((padded[i] - window) / v->stride[i], 1);
    }
    return WN_OK;
}

static wn_dims output_size(const wn__conv *v, int ndim) {
    wn_dims d = WN_UNSET;
    if (ndim == v->nd + 2) d.v[d.n++] = v->batch;
    d.v[d.n++] = v->out_channels;
    for (int i = 0; i < v->nd; i++) d.v[d.n++] = v->out[i];
    return d;
}

/* integers: int64 will do, too. */
static wn_status check_types(wn__call *c, const wn_tensor *a, const wn_tensor *b, bool integers, wn__conv *v) {
    v->dtype = (wn_dtype)a->dtype;
    if (a->dtype != b->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "expected scalar type %s but found %s: Input type and weight type should be the same, but they are "
                           "%s and %s", wn__dtype_word(a->dtype), wn__dtype_word(b->dtype), wn__desc(a), wn__desc(b));
    if (!wn__is_float(a->dtype) && !(integers && a->dtype == WN_I64))
        return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for %s", c->op->name, wn__dtype_word(a->dtype));
    return WN_OK;
}

/* ------------------------------------------------------------------ the convolution */

/* What follows the convolution: pieces are runs of one channel of one image. */
typedef struct follow {
    wn__sink *sink;
    int64_t channels, positions;
} follow;
static void hand_on(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n) {
    const follow *f = ctx;
    f->sink->piece(f->sink, (b * f->channels + i) * f->positions + j, n, acc);
}

typedef struct plan {
    wn__conv v;
    bool last; /* operand and result are read and written channels last, as they lie */
} plan;

/* Strides of x and y, of which y will lie channels last as x does: may the convolution read and write them so? */
static bool direct_last(wn__call *c, wn__conv *v, const wn_tensor *x, const wn_dims *size, bool back) {
    if (x->contiguous || v->dtype == WN_I64 || x->ndim != v->nd + 2 || !wn__channels_last(x) || !wn__laid_last(c, 0)) return false;
    int64_t *read = back ? v->ys : v->xs, *written = back ? v->xs : v->ys, strides[WN_MAX_DIMS];
    wn__channels_last_strides(size->n, size->v, strides);
    image_strides(x, v->nd, read);
    memcpy(written, strides, (size_t)size->n * sizeof *strides);
    return wn__conv_last_suits(v, back);
}

wn_status wn__infer_conv(wn__call *c) {
    const wn_conv2d_args *a = c->args;
    const wn_tensor *x = a->input, *w = a->weight, *b = a->bias;
    const int nd = c->op->dims;
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    wn__conv *v = &p->v;
    wn_status st = read_lists(c, &(lists){&a->stride, &a->padding, &a->dilation, a->groups}, nd, v);
    if (st) return st;
    if (w->ndim != nd + 2) return wn__fail_op(c, WN_E_RUNTIME, "Expected %dD weight, but got %s (input %s)", nd + 2, wn__desc(w), wn__desc(x));
    if ((st = check_types(c, x, w, true, v))) return st;
    const wn_dims in = wn_shape(x), ws = wn_shape(w);
    if ((st = fit(c, &in, &ws, v))) return st;
    if (b && (b->ndim != 1 || b->shape[0] != v->out_channels))
        return wn__fail_op(c, WN_E_RUNTIME, "Given weight %s, expected bias to be 1-dimensional with %lld elements, but got bias %s instead", wn__desc(w),
                           (long long)v->out_channels, wn__desc(b));
    if (b && b->dtype != x->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "Input type and bias type should be the same, but they are %s and %s", wn__desc(x), wn__desc(b));
    const wn_dims size = output_size(v, x->ndim);
    p->last = direct_last(c, v, x, &size, false);
    return wn__result_laid(c, 0, v->dtype, &size, p->last);
}
wn_status wn__run_conv(wn__call *c, wn_tensor *x, wn_tensor *w, wn_tensor *b) {
    const wn_tensor *y = c->out[0];
    const bool last = ((const plan *)c->plan)->last;
    wn__conv v = ((const plan *)c->plan)->v;
    const int nd = v.nd;
    WN__OWNED wn_tensor *bias = b ? wn__contiguous_raw(b) : NULL, *read = last ? wn__retain((wn_tensor *)(uintptr_t)x) : wn__planes_of(x);
    if (!read || (b && !bias)) return wn__fail_memory(c->op->name);
    image_strides(read, nd, v.xs);
    image_strides(y, nd, v.ys);
    memcpy(v.ws, w->strides, sizeof v.ws);
    wn__count(y->numel);
    follow f = {c->sink, v.out_channels, 1};
    for (int i = 0; i < nd; i++) f.positions *= v.out[i];
    const wn__epilogue e = {.run = hand_on, .ctx = &f, .runs_on = true};
    const void *by = bias ? wn__ptr(bias) : NULL;
    const bool done = y->numel == 0 || (last                 ? wn__conv_last_forward(&v, wn__ptr(read), wn__ptr(w), by, wn__ptr(y))
                                        : v.dtype == WN_I64 ? wn__conv_forward_int(&v, wn__ptr(read), wn__ptr(w), by, wn__ptr(y))
                                                            : wn__conv_forward(&v, wn__ptr(read), wn__ptr(w), by, wn__ptr(y), c->sink ? &e : NULL));
    return done ? WN_OK : wn__fail_memory(c->op->name);
}

/* ------------------------------------------------------------------ its gradients */

/* Does grad have the convolution's output size? It may be smaller: what lacks counts as zeros. (Where stride skips elements at the
 * end, several input sizes share an output size: the transposed convolution with output_padding.) */
static wn_status check_grad(wn__call *c, wn__conv *v, const wn_tensor *g, int ndim) {
    const wn_dims want = output_size(v, ndim);
    const int lead = want.n - v->nd;
    bool fits = g->ndim == want.n;
    for (int d = 0; fits && d < want.n; d++) fits = d < lead ? g->shape[d] == want.v[d] : g->shape[d] <= want.v[d];
    if (!fits) return wn__fail_op(c, WN_E_RUNTIME, "grad %s should have shape %s", wn__desc(g), wn__dims_text(want.v, want.n));
    for (int i = 0; i < v->nd; i++) v->out[i] = g->shape[lead + i];
    return WN_OK;
}

wn_status wn__infer_conv_input_grad(wn__call *c) {
    const wn_conv_input_grad_args *a = c->args;
    const wn_tensor *g = a->grad, *w = a->weight;
    const int nd = w->ndim - 2;
    if (nd < 1 || nd > 3) return wn__fail_op(c, WN_E_RUNTIME, "Expected 3D to 5D weight, but got %s", wn__desc(w));
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    wn_status st = read_lists(c, &(lists){&a->stride, &a->padding, &a->dilation, a->groups}, nd, &p->v);
    const wn_dims ws = wn_shape(w);
    if (!st) st = check_types(c, g, w, true, &p->v);
    if (!st) st = fit(c, &a->input_size, &ws, &p->v);
    if (!st) st = check_grad(c, &p->v, g, a->input_size.n);
    if (st) return st;
    p->last = direct_last(c, &p->v, g, &a->input_size, true);
    return wn__result_laid(c, 0, p->v.dtype, &a->input_size, p->last);
}
wn_status wn__run_conv_input_grad(wn__call *c, wn_tensor *g, wn_tensor *w) {
    const wn_tensor *x = c->out[0];
    const bool last = ((const plan *)c->plan)->last;
    wn__conv v = ((const plan *)c->plan)->v;
    const int nd = v.nd;
    wn__count(x->numel);
    if (x->numel == 0) return WN_OK;
    if (g->numel == 0) return wn__fill_raw(c->out[0], wn_val_of_int(0));
    WN__OWNED wn_tensor *read = last ? wn__retain((wn_tensor *)(uintptr_t)g) : wn__planes_of(g);
    if (!read) return wn__fail_memory(c->op->name);
    image_strides(x, nd, v.xs);
    image_strides(read, nd, v.ys);
    memcpy(v.ws, w->strides, sizeof v.ws);
    const bool done = last                ? wn__conv_last_grad_input(&v, wn__ptr(read), wn__ptr(w), wn__ptr(x))
                      : v.dtype == WN_I64 ? wn__conv_grad_input_int(&v, wn__ptr(read), wn__ptr(w), wn__ptr(x))
                                          : wn__conv_grad_input(&v, wn__ptr(read), wn__ptr(w), wn__ptr(x));
    return done ? WN_OK : wn__fail_memory(c->op->name);
}

wn_status wn__infer_conv_weight_grad(wn__call *c) {
    const wn_conv_weight_grad_args *a = c->args;
    const wn_tensor *g = a->grad, *x = a->input;
    const int nd = a->weight_size.n - 2;
    if (nd < 1 || nd > 3) return wn__fail_op(c, WN_E_RUNTIME, "Expected 3 to 5 sizes of the weight, but got %s", wn__dims_text(a->weight_size.v, nd + 2 > 0 ? nd + 2 : 0));
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    wn_status st = read_lists(c, &(lists){&a->stride, &a->padding, &a->dilation, a->groups}, nd, &p->v);
    const wn_dims in = wn_shape(x);
    if (!st) st = check_types(c, g, x, false, &p->v);
    if (!st) st = fit(c, &in, &a->weight_size, &p->v);
    if (!st) st = check_grad(c, &p->v, g, x->ndim);
    if (st) return st;
    image_strides(x, nd, p->v.xs);
    image_strides(g, nd, p->v.ys);
    p->last = !x->contiguous && x->ndim == nd + 2 && wn__channels_last(x) && wn__laid_last(c, 0) && wn__channels_last(g) && wn__conv_last_suits(&p->v, false);
    return wn__result_laid(c, 0, p->v.dtype, &a->weight_size, p->last);
}
wn_status wn__run_conv_weight_grad(wn__call *c, wn_tensor *g, wn_tensor *x) {
    const bool last = ((const plan *)c->plan)->last;
    wn__conv v = ((const plan *)c->plan)->v;
    const int nd = v.nd;
    wn_tensor *w = c->out[0];
    wn__count(w->numel);
    if (w->numel == 0) return WN_OK;
    if (g->numel == 0 || x->numel == 0) return wn__fill_raw(w, wn_val_of_int(0));
    memcpy(v.ws, w->strides, sizeof v.ws);
    if (last) return wn__conv_last_grad_weight(&v, wn__ptr(x), wn__ptr(g), wn__ptr(w)) ? WN_OK : wn__fail_memory(c->op->name);
    WN__OWNED wn_tensor *image = wn__planes_of(x), *grad = image ? wn__planes_of(g) : NULL;
    if (grad) {
        image_strides(image, nd, v.xs);
        image_strides(grad, nd, v.ys);
    }
    const bool done = grad && wn__conv_grad_weight(&v, wn__ptr(image), wn__ptr(grad), wn__ptr(w));
    return done ? WN_OK : wn__fail_memory(c->op->name);
}

wn_status wn__op_conv_bias_grad(wn__call *c, wn_tensor *grad, int64_t weight_dims) {
    const int n = grad->ndim, channels = weight_dims < 0 || weight_dims >= n ? -1 : n - (int)weight_dims - 1;
    if (channels < 0 || channels > 1) return wn__fail_op(c, WN_E_RUNTIME, "grad %s does not have %lld spatial dimensions", wn__desc(grad), (long long)weight_dims);
    wn_dims dims = WN_UNSET;
    for (int d = 0; d < n; d++)
        if (d != channels) dims.v[dims.n++] = d;
    return wn__give(c, 0, wn_sum(grad, .dims = dims));
}

/* ------------------------------------------------------------------ derivatives of the gradients */

/* The convolution, as much of it as `size` says (check_grad). */
static wn_tensor *convolve(wn_tensor *x, wn_tensor *w, wn_dims size, wn_dims stride, wn_dims padding, wn_dims dilation, wn_val groups) {
    wn_tensor *y;
    if (w->ndim == 3) y = wn_conv1d(x, w, .stride = stride, .padding = padding, .dilation = dilation, .groups = groups);
    else if (w->ndim == 4) y = wn_conv2d(x, w, .stride = stride, .padding = padding, .dilation = dilation, .groups = groups);
    else y = wn_conv3d(x, w, .stride = stride, .padding = padding, .dilation = dilation, .groups = groups);
    for (int d = 0; d < size.n && wn_ok(y); d++)
        if (wn_size(y, d) != size.v[d]) y = wn_slice(y, d, 0, size.v[d]);
    return y;
}

void wn__vjp_conv_input_grad(wn__gradctx *c) {
    const wn_conv_input_grad_args *a = c->args;
    if (c->need & 1) c->gin[0] = convolve(c->g[0], a->weight, wn__input_shape(c, 0), a->stride, a->padding, a->dilation, a->groups);
    if (c->need & 2) c->gin[1] = wn_conv_weight_grad(a->grad, c->g[0], wn__input_shape(c, 1), a->stride, a->padding, a->dilation, a->groups);
}
void wn__vjp_conv_weight_grad(wn__gradctx *c) {
    const wn_conv_weight_grad_args *a = c->args;
    if (c->need & 1) c->gin[0] = convolve(a->input, c->g[0], wn__input_shape(c, 0), a->stride, a->padding, a->dilation, a->groups);
    if (c->need & 2) c->gin[1] = wn_conv_input_grad(a->grad, c->g[0], wn__input_shape(c, 1), a->stride, a->padding, a->dilation, a->groups);
}

/* ------------------------------------------------------------------ padding by name */

/* t with n zeros behind it in dimension dim. */
static wn_tensor *with_zeros(wn_tensor *t, int dim, int64_t n) {
    if (n == 0 || !wn_ok(t)) return t;
    wn_dims zeros = wn_shape(t);
    zeros.v[dim] = n;
    wn_tensor *parts[2] = {t, wn_zeros(zeros, .dtype = wn_dtype_of(t))};
    return wn_cat(((wn_list){.n = 2, .v = parts}), .dim = WN_VAL(dim));
}

wn_status wn__op_conv_padding(wn__call *c) {
    const wn_conv2d_padding_args *a = c->args;
    const char *how = a->padding ? a->padding : "valid";
    const int nd = c->op->dims, lead = a->input->ndim - nd;
    wn_dims padding = {.n = nd};
    wn_tensor *x = a->input;
    if (a->weight->ndim != nd + 2 || lead < 1 || lead > 2)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected %dD (unbatched) or %dD (batched) input and %dD weight, but got input %s and weight %s", nd + 1, nd + 2, nd + 2,
                           wn__desc(x), wn__desc(a->weight));
    if (!strcmp(how, "same")) {
        int64_t step[3], dilation[3];
        wn_status st = read_list(c, "stride", &a->stride, nd, 1, 1, step);
        if (!st) st = read_list(c, "dilation", &a->dilation, nd, 1, 1, dilation);
        for (int i = 0; i < nd && !st; i++) {
            const int64_t all = wn__mul_sat(dilation[i], a->weight->shape[2 + i] - 1);
            if (step[i] != 1) st = wn__fail_op(c, WN_E_RUNTIME, "padding='same' is not supported for strided convolutions");
            padding.v[i] = all / 2;
            if (!st) x = with_zeros(x, lead + i, all % 2); /* an odd one goes behind */
        }
        if (st) return st;
    } else if (strcmp(how, "valid")) {
        return wn__fail_op(c, WN_E_RUNTIME, "Invalid padding string: '%s'", how);
    }
    if (nd == 1) x = wn_conv1d(x, a->weight, .bias = a->bias, .stride = a->stride, .padding = padding, .dilation = a->dilation, .groups = a->groups);
    else if (nd == 2) x = wn_conv2d(x, a->weight, .bias = a->bias, .stride = a->stride, .padding = padding, .dilation = a->dilation, .groups = a->groups);
    else x = wn_conv3d(x, a->weight, .bias = a->bias, .stride = a->stride, .padding = padding, .dilation = a->dilation, .groups = a->groups);
    return wn__give(c, 0, x);
}

/* ------------------------------------------------------------------ transposed convolutions */

wn_status wn__op_conv_transpose(wn__call *c) {
    const wn_conv_transpose2d_args *a = c->args;
    const wn_tensor *x = a->input, *w = a->weight;
    const int nd = c->op->dims, lead = x->ndim - nd;
    wn__conv v;
    int64_t more[3];
    wn_status st = read_lists(c, &(lists){&a->stride, &a->padding, &a->dilation, a->groups}, nd, &v);
    if (!st) st = read_list(c, "output_padding", &a->output_padding, nd, 0, 0, more);
    if (st) return st;
    if (w->ndim != nd + 2 || lead < 1 || lead > 2)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected %dD (unbatched) or %dD (batched) input and %dD weight, but got input %s and weight %s", nd + 1, nd + 2, nd + 2,
                           wn__desc(x), wn__desc(w));
    if (x->shape[lead - 1] != w->shape[0])
        return wn__fail_op(c, WN_E_RUNTIME, "Given transposed=1, weight %s, expected input %s to have %lld channels", wn__desc(w), wn__desc(x), (long long)w->shape[0]);
    wn_dims size = {.n = x->ndim};
    if (lead == 2) size.v[0] = x->shape[0];
    bool over = false;
    size.v[lead - 1] = wn__mul(w->shape[1], v.groups, &over);
    for (int i = 0; i < nd; i++) {
        if (more[i] >= v.stride[i] && more[i] >= v.dilation[i])
            return wn__fail_op(c, WN_E_RUNTIME, "output padding must be smaller than either stride or dilation, but it is %lld", (long long)more[i]);
        const int64_t first = wn__mul(x->shape[lead + i] - 1, v.stride[i], &over), window = wn__mul(v.dilation[i], w->shape[2 + i] - 1, &over);
        size.v[lead + i] = wn__add(wn__add(first, window, &over), more[i] + 1 - 2 * v.padding[i], &over);
        if (over) return wn__fail_op(c, WN_E_RUNTIME, "the output would be too large: input %s, weight %s", wn__desc(x), wn__desc(w));
        if (size.v[lead + i] < 1) return wn__fail_op(c, WN_E_RUNTIME, "the output would be empty: input %s, weight %s", wn__desc(x), wn__desc(w));
    }
    const bool narrow = a->bias && (x->dtype == WN_F16 || x->dtype == WN_BF16); /* rounded once, after the bias */
    wn_tensor *in = narrow ? wn_to(a->input, WN_F32) : a->input, *by = narrow ? wn_to(a->weight, WN_F32) : a->weight;
    wn_tensor *y = wn_conv_input_grad(in, by, size, a->stride, a->padding, a->dilation, a->groups);
    if (a->bias) {
        if (a->bias->ndim != 1 || a->bias->shape[0] != size.v[lead - 1])
            return wn__fail_op(c, WN_E_RUNTIME, "expected bias to be 1-dimensional with %lld elements, but got bias %s instead (weight %s)",
                               (long long)size.v[lead - 1], wn__desc(a->bias), wn__desc(w));
        wn_dims column = {.n = nd + 1, .v = {-1, 1, 1, 1}};
        y = wn_add(y, wn_reshape(a->bias, column));
    }
    return wn__give(c, 0, narrow ? wn_to(y, (wn_dtype)x->dtype) : y);
}
