/* Convolution layers: one construction for all, a forward for each operation. */
#include "nn/layers.h"

/* One number for each dimension out of none (the fallback), one, or all; n = 0 on failure. */
static wn_dims spread(wn_module *m, const char *name, const char *what, wn_dims given, int dims, int64_t fallback) {
    if (given.n == dims) return given;
    wn_dims d = {.n = dims};
    for (int i = 0; i < dims; i++) d.v[i] = given.n == 1 ? given.v[0] : fallback;
    if (given.n <= 1) return d;
    m->status = wn__fail(WN_E_VALUE, name, "%s %s must be one number or %d", what, wn__dims_text(given.v, given.n), dims);
    return WN_UNSET;
}

static wn_status init(const wn_nn_conv2d_args *a, const char *name, int dims, bool transposed, wn_tensor *(*forward)(wn_module *, wn_tensor *)) {
    struct wn_nn_conv *l = a->layer;
    if (!l) return wn__no_layer();
    wn_module *m = &l->module;
    m->forward = forward;
    wn_dims kernel = spread(m, name, "kernel_sizes", a->kernel_sizes.n ? a->kernel_sizes : WN_DIMS(a->kernel_size), dims, 0);
    l->stride = spread(m, name, "stride", a->stride, dims, 1);
    l->padding = spread(m, name, "padding", a->padding, dims, 0);
    l->dilation = spread(m, name, "dilation", a->dilation, dims, 1);
    l->output_padding = spread(m, name, "output_padding", a->output_padding, dims, 0);
    l->groups = a->groups ? a->groups : 1;
    if (m->status) return m->status;
    if (l->groups < 0 || a->in_channels % l->groups || a->out_channels % l->groups)
        return m->status = wn__fail(WN_E_VALUE, name, "in_channels %lld and out_channels %lld must be divisible by groups %lld",
                                    (long long)a->in_channels, (long long)a->out_channels, (long long)l->groups);
    wn_dims shape = {.n = dims + 2, .v = {transposed ? a->in_channels : a->out_channels, (transposed ? a->out_channels : a->in_channels) / l->groups}};
    for (int i = 0; i < dims; i++) {
        if (kernel.v[i] < 1) return m->status = wn__fail(WN_E_VALUE, name, "kernel size %s must be positive", wn__dims_text(kernel.v, dims));
        shape.v[2 + i] = kernel.v[i];
    }
    wn__add_weight_and_bias(m, shape, !wn_is_on(a->bias, true) ? -1 : a->out_channels, a->dtype, &l->weight, &l->bias);
    return m->status;
}

static wn_tensor *conv1d(wn_module *m, wn_tensor *x) { return wn_nn_conv1d_forward((wn_nn_conv1d *)m, x); }
wn_status wn_nn_conv1d_init_x(const wn_nn_conv1d_args *a) { return init(a, "conv1d", 1, false, conv1d); }
wn_tensor *wn_nn_conv1d_forward(wn_nn_conv1d *l, wn_tensor *x) {
    return wn_conv1d(x, l->weight, .bias = l->bias, .stride = l->stride, .padding = l->padding, .dilation = l->dilation,
                     .groups = wn_val_of_int(l->groups));
}

static wn_tensor *conv2d(wn_module *m, wn_tensor *x) { return wn_nn_conv2d_forward((wn_nn_conv2d *)m, x); }
wn_status wn_nn_conv2d_init_x(const wn_nn_conv2d_args *a) { return init(a, "conv2d", 2, false, conv2d); }
wn_tensor *wn_nn_conv2d_forward(wn_nn_conv2d *l, wn_tensor *x) {
    return wn_conv2d(x, l->weight, .bias = l->bias, .stride = l->stride, .padding = l->padding, .dilation = l->dilation,
                     .groups = wn_val_of_int(l->groups));
}

static wn_tensor *conv_transpose2d(wn_module *m, wn_tensor *x) { return wn_nn_conv_transpose2d_forward((wn_nn_conv_transpose2d *)m, x); }
wn_status wn_nn_conv_transpose2d_init_x(const wn_nn_conv_transpose2d_args *a) { return init(a, "conv_transpose2d", 2, true, conv_transpose2d); }
wn_tensor *wn_nn_conv_transpose2d_forward(wn_nn_conv_transpose2d *l, wn_tensor *x) {
    return wn_conv_transpose2d(x, l->weight, .bias = l->bias, .stride = l->stride, .padding = l->padding, .output_padding = l->output_padding,
                               .dilation = l->dilation, .groups = wn_val_of_int(l->groups));
}
