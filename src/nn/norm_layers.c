/* Normalisation layers: batch norm of two kinds, layer and RMS norm, group norm. */
#include "nn/layers.h"

/* ------------------------------------------------------------------ batch norm */

static wn_status batch_init(const wn_nn_batch_norm2d_args *a, wn_tensor *(*forward)(wn_module *, wn_tensor *)) {
    WN_SCOPE(s);
    struct wn_nn_batch_norm *l = a->layer;
    if (!l) return wn__no_layer();
    wn_module *m = &l->module;
    const wn_dims n = WN_DIMS(a->num_features);
    m->forward = forward;
    l->eps = wn__number_or(a->eps, 1e-5);
    l->momentum = wn__number_or(a->momentum, 0.1);
    if (wn_is_on(a->affine, true)) {
        l->weight = wn_add_parameter(m, "weight", wn_ones(n, .dtype = a->dtype));
        l->bias = wn_add_parameter(m, "bias", wn_zeros(n, .dtype = a->dtype));
    }
    if (wn_is_on(a->track_running_stats, true)) {
        l->running_mean = wn_add_buffer(m, "running_mean", wn_zeros(n, .dtype = a->dtype));
        l->running_var = wn_add_buffer(m, "running_var", wn_ones(n, .dtype = a->dtype));
        l->num_batches_tracked = wn_add_buffer(m, "num_batches_tracked", wn_zeros(WN_0D, .dtype = WN_I64));
    }
    return m->status;
}
static wn_tensor *batch_forward(struct wn_nn_batch_norm *l, wn_tensor *x) {
    const bool train = !l->module.eval;
    if (train && l->num_batches_tracked) {
        WN_NO_GRAD();
        if (!wn_ok(wn_add_(l->num_batches_tracked, 1))) return &wn__bad_tensor;
    }
    return wn_batch_norm(x, .weight = l->weight, .bias = l->bias, .running_mean = l->running_mean, .running_var = l->running_var,
                         .training = train || !l->running_mean, .momentum = wn_val_of_float(l->momentum), .eps = wn_val_of_float(l->eps));
}

static wn_tensor *batch1d(wn_module *m, wn_tensor *x) { return wn_nn_batch_norm1d_forward((wn_nn_batch_norm1d *)m, x); }
wn_status wn_nn_batch_norm1d_init_x(const wn_nn_batch_norm1d_args *a) { return batch_init(a, batch1d); }
wn_tensor *wn_nn_batch_norm1d_forward(wn_nn_batch_norm1d *l, wn_tensor *x) {
    if (wn_ok(x) && x->ndim != 2 && x->ndim != 3)
        return wn__bad(WN_E_VALUE, "batch_norm1d", "expected 2D or 3D input (got %dD input, %s)", x->ndim, wn__desc(x));
    return batch_forward(l, x);
}

static wn_tensor *batch2d(wn_module *m, wn_tensor *x) { return wn_nn_batch_norm2d_forward((wn_nn_batch_norm2d *)m, x); }
wn_status wn_nn_batch_norm2d_init_x(const wn_nn_batch_norm2d_args *a) { return batch_init(a, batch2d); }
wn_tensor *wn_nn_batch_norm2d_forward(wn_nn_batch_norm2d *l, wn_tensor *x) {
    if (wn_ok(x) && x->ndim != 4) return wn__bad(WN_E_VALUE, "batch_norm2d", "expected 4D input (got %dD input, %s)", x->ndim, wn__desc(x));
    return batch_forward(l, x);
}

/* ------------------------------------------------------------------ over the last dimensions */

static wn_status shaped_init(const wn_nn_layer_norm_args *a, wn_val eps, bool bias, wn_tensor *(*forward)(wn_module *, wn_tensor *)) {
    WN_SCOPE(s);
    struct wn_nn_layer_norm *l = a->layer;
    if (!l) return wn__no_layer();
    wn_module *m = &l->module;
    m->forward = forward;
    l->normalized_shape = a->normalized_shape;
    l->eps = eps;
    if (a->normalized_shape.n < 1) return m->status = wn__fail(WN_E_VALUE, "layer_norm", "normalized_shape is empty");
    if (!wn_is_on(a->elementwise_affine, true)) return m->status;
    l->weight = wn_add_parameter(m, "weight", wn_ones(l->normalized_shape, .dtype = a->dtype));
    if (bias) l->bias = wn_add_parameter(m, "bias", wn_zeros(l->normalized_shape, .dtype = a->dtype));
    return m->status;
}

static wn_tensor *layer_norm(wn_module *m, wn_tensor *x) { return wn_nn_layer_norm_forward((wn_nn_layer_norm *)m, x); }
wn_status wn_nn_layer_norm_init_x(const wn_nn_layer_norm_args *a) {
    return shaped_init(a, wn_val_of_float(wn__number_or(a->eps, 1e-5)), wn_is_on(a->bias, true), layer_norm);
}
wn_tensor *wn_nn_layer_norm_forward(wn_nn_layer_norm *l, wn_tensor *x) {
    return wn_layer_norm(x, l->normalized_shape, .weight = l->weight, .bias = l->bias, .eps = l->eps);
}

static wn_tensor *rms_norm(wn_module *m, wn_tensor *x) { return wn_nn_rms_norm_forward((wn_nn_rms_norm *)m, x); }
wn_status wn_nn_rms_norm_init_x(const wn_nn_rms_norm_args *a) {
    return shaped_init(a, a->eps == 0 ? WN_NONE : wn_val_of_float(wn__number_or(a->eps, 0)), false, rms_norm);
}
wn_tensor *wn_nn_rms_norm_forward(wn_nn_rms_norm *l, wn_tensor *x) {
    return wn_rms_norm(x, l->normalized_shape, .weight = l->weight, .eps = l->eps);
}

/* ------------------------------------------------------------------ over groups of channels */

static wn_tensor *group_norm(wn_module *m, wn_tensor *x) { return wn_nn_group_norm_forward((wn_nn_group_norm *)m, x); }
wn_status wn_nn_group_norm_init_x(const wn_nn_group_norm_args *a) {
    WN_SCOPE(s);
    wn_nn_group_norm *l = a->layer;
    if (!l) return wn__no_layer();
    wn_module *m = &l->module;
    m->forward = group_norm;
    l->num_groups = a->num_groups;
    l->eps = wn__number_or(a->eps, 1e-5);
    if (a->num_groups < 1 || a->num_channels % a->num_groups)
        return m->status = wn__fail(WN_E_VALUE, "group_norm", "num_channels %lld must be divisible by num_groups %lld, which must be positive",
                                    (long long)a->num_channels, (long long)a->num_groups);
    if (!wn_is_on(a->affine, true)) return m->status;
    l->weight = wn_add_parameter(m, "weight", wn_ones(WN_DIMS(a->num_channels), .dtype = a->dtype));
    l->bias = wn_add_parameter(m, "bias", wn_zeros(WN_DIMS(a->num_channels), .dtype = a->dtype));
    return m->status;
}
wn_tensor *wn_nn_group_norm_forward(wn_nn_group_norm *l, wn_tensor *x) {
    return wn_group_norm(x, l->num_groups, .weight = l->weight, .bias = l->bias, .eps = wn_val_of_float(l->eps));
}
