/* Layers: parameters with PyTorch's names and initialisation, forwards as operations. */
#include <math.h>
#include "core/tensor.h"

static bool fans(const wn_tensor *t, double *in, double *out) {
    if (t->ndim < 2) {
        wn__fail(WN_E_VALUE, "init", "fan in and fan out can not be computed for %s: fewer than 2 dimensions", wn__desc(t));
        return false;
    }
    double field = 1;
    for (int d = 2; d < t->ndim; d++) field *= (double)t->shape[d];
    *in = (double)t->shape[1] * field;
    *out = (double)t->shape[0] * field;
    return true;
}
static wn_tensor *uniform(wn_tensor *t, double bound, wn_generator *g) {
    WN_NO_GRAD();
    return wn_uniform_(t, -bound, bound, .generator = g);
}
wn_tensor *wn_init_kaiming_uniform(wn_tensor *t, double a, wn_generator *g) {
    double in, out;
    if (!wn_ok(t)) return t;
    if (!fans(t, &in, &out)) return &wn__bad_tensor;
    return in > 0 ? uniform(t, sqrt(2 / (1 + a * a)) * sqrt(3 / in), g) : t;
}
wn_tensor *wn_init_xavier_uniform(wn_tensor *t, double gain, wn_generator *g) {
    double in, out;
    if (!wn_ok(t)) return t;
    if (!fans(t, &in, &out)) return &wn__bad_tensor;
    return in + out > 0 ? uniform(t, gain * sqrt(6 / (in + out)), g) : t;
}

/* kaiming_uniform with a = sqrt(5) is U(-1/sqrt(fan_in), 1/sqrt(fan_in)): PyTorch's default for weights; biases alike. */
static void default_init(wn_module *m, wn_dims shape, wn_dtype dtype, bool bias, wn_tensor **weight, wn_tensor **pbias) {
    WN_SCOPE(s);
    double in, out;
    *weight = wn_init_kaiming_uniform(wn_empty(shape, .dtype = dtype), sqrt(5.0), NULL);
    *weight = wn_add_parameter(m, "weight", *weight);
    if (!bias || !wn_ok(*weight)) return;
    fans(*weight, &in, &out);
    *pbias = wn_empty(WN_DIMS(shape.v[0]), .dtype = dtype);
    if (in > 0) *pbias = uniform(*pbias, 1 / sqrt(in), NULL);
    *pbias = wn_add_parameter(m, "bias", *pbias);
}

wn_status wn_nn_linear_init_x(const wn_nn_linear_args *a) {
    wn_nn_linear *l = a->layer;
    default_init(&l->module, WN_DIMS(a->out_features, a->in_features), a->dtype, a->bias != WN_OFF, &l->weight, &l->bias);
    return l->module.status;
}
wn_tensor *wn_nn_linear_forward(wn_nn_linear *l, wn_tensor *x) { return wn_linear(x, l->weight, .bias = l->bias); }

static wn_dims pair(wn_dims d, int64_t fallback) {
    if (d.n <= 0) return WN_DIMS(fallback, fallback);
    return d.n == 1 ? WN_DIMS(d.v[0], d.v[0]) : d;
}
wn_status wn_nn_conv2d_init_x(const wn_nn_conv2d_args *a) {
    wn_nn_conv2d *l = a->layer;
    wn_dims k = pair(a->kernel_sizes, a->kernel_size);
    l->stride = pair(a->stride, 1);
    l->padding = pair(a->padding, 0);
    l->dilation = pair(a->dilation, 1);
    l->groups = a->groups ? a->groups : 1;
    if (l->groups < 0 || a->in_channels % l->groups || a->out_channels % l->groups)
        return l->module.status = wn__fail(WN_E_VALUE, "conv2d", "in_channels %lld and out_channels %lld must be divisible by groups %lld",
                                           (long long)a->in_channels, (long long)a->out_channels, (long long)l->groups);
    default_init(&l->module, WN_DIMS(a->out_channels, a->in_channels / l->groups, k.v[0], k.v[1]), a->dtype, a->bias != WN_OFF, &l->weight, &l->bias);
    return l->module.status;
}
wn_tensor *wn_nn_conv2d_forward(wn_nn_conv2d *l, wn_tensor *x) {
    return wn_conv2d(x, l->weight, .bias = l->bias, .stride = l->stride, .padding = l->padding, .dilation = l->dilation,
                     .groups = wn_val_of_int(l->groups));
}

wn_status wn_nn_batch_norm2d_init_x(const wn_nn_batch_norm2d_args *a) {
    WN_SCOPE(s);
    wn_nn_batch_norm2d *l = a->layer;
    wn_module *m = &l->module;
    wn_dims n = WN_DIMS(a->num_features);
    l->eps = a->eps != 0 ? a->eps : 1e-5;
    l->momentum = a->momentum != 0 ? a->momentum : 0.1;
    l->weight = wn_add_parameter(m, "weight", wn_ones(n, .dtype = a->dtype));
    l->bias = wn_add_parameter(m, "bias", wn_zeros(n, .dtype = a->dtype));
    l->running_mean = wn_add_buffer(m, "running_mean", wn_zeros(n, .dtype = a->dtype));
    l->running_var = wn_add_buffer(m, "running_var", wn_ones(n, .dtype = a->dtype));
    l->num_batches_tracked = wn_add_buffer(m, "num_batches_tracked", wn_zeros(WN_0D, .dtype = WN_I64));
    return m->status;
}
wn_tensor *wn_nn_batch_norm2d_forward(wn_nn_batch_norm2d *l, wn_tensor *x) {
    bool train = !l->module.eval;
    if (wn_ok(x) && x->ndim != 4) return wn__bad(WN_E_VALUE, "batch_norm2d", "expected 4D input (got %dD input, %s)", x->ndim, wn__desc(x));
    if (train) {
        WN_NO_GRAD();
        wn_add_(l->num_batches_tracked, 1);
    }
    return wn_batch_norm(x, .weight = l->weight, .bias = l->bias, .running_mean = l->running_mean, .running_var = l->running_var,
                         .training = train, .momentum = wn_val_of_float(l->momentum), .eps = wn_val_of_float(l->eps));
}

wn_status wn_nn_dropout_init(wn_nn_dropout *l, double p) {
    if (!(p >= 0 && p <= 1))
        return l->module.status = wn__fail(WN_E_VALUE, "dropout", "dropout probability has to be between 0 and 1, but got %g", p);
    l->p = p;
    return WN_OK;
}
wn_tensor *wn_nn_dropout_forward(wn_nn_dropout *l, wn_tensor *x) { return wn_dropout(x, l->p, !l->module.eval); }
