/* Linear layers and embeddings; what they share with convolutions. */
#include <math.h>
#include "nn/layers.h"

void wn__add_weight_and_bias(wn_module *m, wn_dims shape, int64_t biases, wn_dtype dtype, wn_tensor **weight, wn_tensor **bias) {
    WN_SCOPE(s);
    wn_tensor *w = wn_empty(shape, .dtype = dtype);
    if (wn_ok(w) && w->numel) w = wn_init_kaiming_uniform(w, sqrt(5.0), WN_FAN_IN, NULL);
    *weight = wn_add_parameter(m, "weight", w);
    if (biases < 0 || m->status) return;
    double in = 1;
    for (int d = 1; d < shape.n; d++) in *= (double)shape.v[d];
    wn_tensor *b = wn_empty(WN_DIMS(biases), .dtype = dtype);
    if (in > 0) b = wn_init_uniform(b, -1 / sqrt(in), 1 / sqrt(in), NULL);
    *bias = wn_add_parameter(m, "bias", b);
}

wn_status wn__no_layer(void) { return wn__fail(WN_E_TYPE, "module", "the layer is absent (NULL)"); }

static wn_tensor *linear(wn_module *m, wn_tensor *x) { return wn_nn_linear_forward((wn_nn_linear *)m, x); }
wn_status wn_nn_linear_init_x(const wn_nn_linear_args *a) {
    wn_nn_linear *l = a->layer;
    if (!l) return wn__no_layer();
    l->module.forward = linear;
    wn__add_weight_and_bias(&l->module, WN_DIMS(a->out_features, a->in_features), !wn_is_on(a->bias, true) ? -1 : a->out_features, a->dtype, &l->weight,
                            &l->bias);
    return l->module.status;
}
wn_tensor *wn_nn_linear_forward(wn_nn_linear *l, wn_tensor *x) { return wn_linear(x, l->weight, .bias = l->bias); }

static wn_tensor *embedding(wn_module *m, wn_tensor *x) { return wn_nn_embedding_forward((wn_nn_embedding *)m, x); }
wn_status wn_nn_embedding_init_x(const wn_nn_embedding_args *a) {
    WN_NO_GRAD();
    wn_nn_embedding *l = a->layer;
    if (!l) return wn__no_layer();
    const int64_t n = a->num_embeddings;
    l->module.forward = embedding;
    l->scale_grad_by_freq = a->scale_grad_by_freq;
    l->padding_idx = a->padding_idx;
    if (a->padding_idx.kind != WN_VAL_NONE) {
        const int64_t given = wn__val_i64(a->padding_idx);
        if (given < -n || given >= n)
            return l->module.status = wn__fail(WN_E_VALUE, "embedding", "padding_idx %lld must be within num_embeddings %lld", (long long)given, (long long)n);
        l->padding_idx = wn_val_of_int(given < 0 ? given + n : given);
    }
    wn_tensor *w = wn_init_normal(wn_empty(WN_DIMS(n, a->embedding_dim), .dtype = a->dtype), 0, 1, NULL);
    if (wn_ok(w) && l->padding_idx.kind != WN_VAL_NONE && !wn_ok(wn_fill_(wn_select(w, 0, l->padding_idx.u.i), 0))) w = &wn__bad_tensor;
    l->weight = wn_add_parameter(&l->module, "weight", w);
    return l->module.status;
}
wn_tensor *wn_nn_embedding_forward(wn_nn_embedding *l, wn_tensor *indices) {
    return wn_embedding(l->weight, indices, .padding_idx = l->padding_idx, .scale_grad_by_freq = l->scale_grad_by_freq);
}
