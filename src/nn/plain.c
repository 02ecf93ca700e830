/* Layers without parameters: activations, dropout, flatten, pools. */
#include "nn/layers.h"

#define UNARY(name) \
    wn_tensor *wn_nn_##name(wn_tensor *x) { return wn_##name(x); }
UNARY(relu)
UNARY(relu6)
UNARY(leaky_relu)
UNARY(elu)
UNARY(selu)
UNARY(gelu)
UNARY(gelu_tanh)
UNARY(silu)
UNARY(mish)
UNARY(hardswish)
UNARY(softplus)
UNARY(sigmoid)
UNARY(tanh)

static wn_tensor *activation(wn_module *m, wn_tensor *x) { return wn_nn_activation_forward((wn_nn_activation *)m, x); }
wn_status wn_nn_activation_init(wn_nn_activation *l, wn_unary fn) {
    l->module.forward = activation;
    l->fn = fn;
    return fn ? l->module.status : (l->module.status = wn__fail(WN_E_VALUE, "activation", "the function is NULL"));
}
wn_tensor *wn_nn_activation_forward(wn_nn_activation *l, wn_tensor *x) { return l->fn(x); }

static wn_tensor *dropout(wn_module *m, wn_tensor *x) { return wn_nn_dropout_forward((wn_nn_dropout *)m, x); }
wn_status wn_nn_dropout_init(wn_nn_dropout *l, double p) {
    l->module.forward = dropout;
    l->p = p;
    if (p >= 0 && p <= 1) return l->module.status;
    return l->module.status = wn__fail(WN_E_VALUE, "dropout", "dropout probability has to be between 0 and 1, but got %g", p);
}
wn_tensor *wn_nn_dropout_forward(wn_nn_dropout *l, wn_tensor *x) { return wn_dropout(x, l->p, !l->module.eval); }

static wn_tensor *flatten(wn_module *m, wn_tensor *x) { return wn_nn_flatten_forward((wn_nn_flatten *)m, x); }
wn_status wn_nn_flatten_init(wn_nn_flatten *l, int start_dim, int end_dim) {
    l->module.forward = flatten;
    l->start_dim = start_dim;
    l->end_dim = end_dim;
    return l->module.status;
}
wn_tensor *wn_nn_flatten_forward(wn_nn_flatten *l, wn_tensor *x) { return wn_flatten(x, .start_dim = l->start_dim, .end_dim = WN_VAL(l->end_dim)); }

static wn_tensor *max_pool2d(wn_module *m, wn_tensor *x) { return wn_nn_max_pool2d_forward((wn_nn_max_pool2d *)m, x); }
wn_status wn_nn_max_pool2d_init_x(const wn_nn_max_pool2d_args *a) {
    wn_nn_max_pool2d *l = a->layer;
    if (!l) return wn__no_layer();
    l->module.forward = max_pool2d;
    l->kernel_size = a->kernel_size;
    l->stride = a->stride;
    l->padding = a->padding;
    l->dilation = a->dilation;
    l->ceil_mode = a->ceil_mode;
    if (a->kernel_size.n == 1 || a->kernel_size.n == 2) return l->module.status;
    return l->module.status = wn__fail(WN_E_VALUE, "max_pool2d", "kernel_size must be one number or two");
}
wn_tensor *wn_nn_max_pool2d_forward(wn_nn_max_pool2d *l, wn_tensor *x) {
    return wn_max_pool2d(x, l->kernel_size, .stride = l->stride, .padding = l->padding, .dilation = l->dilation, .ceil_mode = l->ceil_mode);
}
