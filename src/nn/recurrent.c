/* RNN, GRU and LSTM: the parameters of all layers and directions, around the operations. */
#include <math.h>
#include <stdio.h>
#include "nn/layers.h"

typedef enum kind { RNN, GRU, LSTM } kind;
static const struct {
    const char *name;
    int gates;
} kinds[] = {[RNN] = {"rnn", 1}, [GRU] = {"gru", 3}, [LSTM] = {"lstm", 4}};

static wn_status check_recurrent(const wn_nn_lstm_args *a, kind k) {
    const char *name = kinds[k].name;
    const struct wn_nn_recurrent *l = a->layer;
    if (a->input_size < 0 || a->hidden_size < 1 || l->num_layers < 1)
        return wn__fail(WN_E_VALUE, name, "hidden_size %lld and num_layers %lld must be positive, input_size %lld not negative", (long long)a->hidden_size,
                        (long long)l->num_layers, (long long)a->input_size);
    if (!(a->dropout >= 0 && a->dropout <= 1)) return wn__fail(WN_E_VALUE, name, "dropout should be a number in range [0, 1], not %g", a->dropout);
    if (a->proj_size && (k != LSTM || a->proj_size < 0 || a->proj_size >= a->hidden_size))
        return wn__fail(WN_E_VALUE, name, "proj_size %lld: only lstm has one, positive and smaller than hidden_size", (long long)a->proj_size);
    if (a->relu && k != RNN) return wn__fail(WN_E_VALUE, name, "only rnn takes relu");
    return WN_OK;
}

static void add(struct wn_nn_recurrent *l, const char *what, int64_t layer, bool reverse, wn_dims shape, wn_dtype dtype) {
    WN_SCOPE(s);
    char name[sizeof l->module.entries->name];
    if (l->module.status) return;
    snprintf(name, sizeof name, "%s_l%lld%s", what, (long long)layer, reverse ? "_reverse" : "");
    const double bound = 1 / sqrt((double)l->hidden_size);
    wn_add_parameter(&l->module, name, wn_init_uniform(wn_empty(shape, .dtype = dtype), -bound, bound, NULL));
}

static wn_status init(const wn_nn_lstm_args *a, kind k, wn_tensor *(*forward)(wn_module *, wn_tensor *)) {
    struct wn_nn_recurrent *l = a->layer;
    if (!l) return wn__no_layer();
    l->module.forward = forward;
    l->input_size = a->input_size;
    l->hidden_size = a->hidden_size;
    l->num_layers = a->num_layers ? a->num_layers : 1;
    l->proj_size = a->proj_size;
    l->dropout = a->dropout;
    l->has_biases = wn_is_on(a->bias, true);
    l->batch_first = a->batch_first;
    l->bidirectional = a->bidirectional;
    l->relu = a->relu;
    if ((l->module.status = check_recurrent(a, k))) return l->module.status;
    const int64_t h = l->hidden_size, gates = kinds[k].gates * h, width = l->proj_size ? l->proj_size : h, directions = l->bidirectional ? 2 : 1;
    for (int64_t layer = 0; layer < l->num_layers && !l->module.status; layer++)
        for (int reverse = 0; reverse < directions; reverse++) {
            add(l, "weight_ih", layer, reverse, WN_DIMS(gates, layer ? width * directions : l->input_size), a->dtype);
            add(l, "weight_hh", layer, reverse, WN_DIMS(gates, width), a->dtype);
            if (l->has_biases) {
                add(l, "bias_ih", layer, reverse, WN_DIMS(gates), a->dtype);
                add(l, "bias_hh", layer, reverse, WN_DIMS(gates), a->dtype);
            }
            if (l->proj_size) add(l, "weight_hr", layer, reverse, WN_DIMS(l->proj_size, h), a->dtype);
        }
    return l->module.status;
}

/* ------------------------------------------------------------------ forward */

static const wn_nn_recurrent_out bad = {&wn__bad_tensor, &wn__bad_tensor, &wn__bad_tensor};

/* A state at the start, with a batch dimension: the given one or zeros. */
static wn_tensor *state(const struct wn_nn_recurrent *l, wn_tensor *given, const wn_tensor *x, int batch_dim, bool batched, int64_t width) {
    if (given) return batched ? given : wn_unsqueeze(given, 1);
    return wn_zeros(WN_DIMS(l->num_layers * (l->bidirectional ? 2 : 1), x->shape[batch_dim], width), .dtype = x->dtype, .device = wn_device_of(x));
}

/* With x, h and c batched. The entries are the parameters in the order in which the operations want them. */
static wn_nn_recurrent_out operation(struct wn_nn_recurrent *l, kind k, wn_tensor *x, wn_tensor *h, wn_tensor *c) {
    const wn_list p = wn_parameters(&l->module);
    const bool train = !l->module.eval;
    if (!p.v) return bad;
    if (k == LSTM) {
        wn_lstm_out r = wn_lstm(x, WN_LIST(h, c), p, l->has_biases, l->num_layers, l->dropout, train, l->bidirectional, l->batch_first);
        return (wn_nn_recurrent_out){r.output, r.h_n, r.c_n};
    }
    if (k == GRU) {
        wn_gru_out r = wn_gru(x, h, p, l->has_biases, l->num_layers, l->dropout, train, l->bidirectional, l->batch_first);
        return (wn_nn_recurrent_out){r.output, r.h_n, NULL};
    }
    if (l->relu) {
        wn_rnn_relu_out r = wn_rnn_relu(x, h, p, l->has_biases, l->num_layers, l->dropout, train, l->bidirectional, l->batch_first);
        return (wn_nn_recurrent_out){r.output, r.h_n, NULL};
    }
    wn_rnn_tanh_out r = wn_rnn_tanh(x, h, p, l->has_biases, l->num_layers, l->dropout, train, l->bidirectional, l->batch_first);
    return (wn_nn_recurrent_out){r.output, r.h_n, NULL};
}

static wn_nn_recurrent_out run_recurrent(struct wn_nn_recurrent *l, kind k, wn_tensor *x, wn_tensor *h0, wn_tensor *c0) {
    WN_SCOPE(s);
    const char *name = kinds[k].name;
    if (!wn_ok(x) || (h0 && !wn_ok(h0)) || (c0 && !wn_ok(c0))) return wn__fail(WN_E_TYPE, name, "the input or a state is bad or absent"), bad;
    const bool batched = x->ndim == 3;
    if (x->ndim != 2 && !batched) return wn__fail(WN_E_VALUE, name, "expected input to be 2D or 3D, got %s", wn__desc(x)), bad;
    if (x->shape[x->ndim - 1] != l->input_size)
        return wn__fail(WN_E_RUNTIME, name, "input.size(-1) must be equal to input_size %lld, got %s", (long long)l->input_size, wn__desc(x)), bad;
    const int states = batched ? 3 : 2, batch_dim = l->batch_first ? 0 : 1;
    if ((h0 && h0->ndim != states) || (c0 && c0->ndim != states))
        return wn__fail(WN_E_RUNTIME, name, "for %s input the states should be %d-D, but got %s and %s", wn__desc(x), states, h0 ? wn__desc(h0) : "none",
                        c0 ? wn__desc(c0) : "none"), bad;
    if (!batched && !wn_ok(x = wn_unsqueeze(x, batch_dim))) return bad;
    wn_tensor *h = state(l, h0, x, batch_dim, batched, l->proj_size ? l->proj_size : l->hidden_size);
    wn_tensor *c = k == LSTM ? state(l, c0, x, batch_dim, batched, l->hidden_size) : NULL;
    wn_nn_recurrent_out r = operation(l, k, x, h, c);
    if (!batched) {
        r.output = wn_squeeze_dim(r.output, batch_dim);
        r.h_n = wn_squeeze_dim(r.h_n, 1);
        r.c_n = r.c_n ? wn_squeeze_dim(r.c_n, 1) : NULL;
    }
    if (!wn_ok(r.output) || !wn_ok(r.h_n) || (r.c_n && !wn_ok(r.c_n))) return bad;
    wn_escape(r.output);
    wn_escape(r.h_n);
    if (r.c_n) wn_escape(r.c_n);
    return r;
}

static wn_tensor *rnn(wn_module *m, wn_tensor *x) { return run_recurrent((wn_nn_rnn *)m, RNN, x, NULL, NULL).output; }
wn_status wn_nn_rnn_init_x(const wn_nn_rnn_args *a) { return init(a, RNN, rnn); }
wn_nn_recurrent_out wn_nn_rnn_forward(wn_nn_rnn *l, wn_tensor *x, wn_tensor *h0) { return run_recurrent(l, RNN, x, h0, NULL); }

static wn_tensor *gru(wn_module *m, wn_tensor *x) { return run_recurrent((wn_nn_gru *)m, GRU, x, NULL, NULL).output; }
wn_status wn_nn_gru_init_x(const wn_nn_gru_args *a) { return init(a, GRU, gru); }
wn_nn_recurrent_out wn_nn_gru_forward(wn_nn_gru *l, wn_tensor *x, wn_tensor *h0) { return run_recurrent(l, GRU, x, h0, NULL); }

static wn_tensor *lstm(wn_module *m, wn_tensor *x) { return run_recurrent((wn_nn_lstm *)m, LSTM, x, NULL, NULL).output; }
wn_status wn_nn_lstm_init_x(const wn_nn_lstm_args *a) { return init(a, LSTM, lstm); }
wn_nn_recurrent_out wn_nn_lstm_forward(wn_nn_lstm *l, wn_tensor *x, wn_tensor *h0, wn_tensor *c0) { return run_recurrent(l, LSTM, x, h0, c0); }
