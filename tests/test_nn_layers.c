/* Layers, activations, initialisers and clipping against PyTorch: parameters bit for bit, forward and backward in float64
 * (tests/data/nn_torch.h, made by oracle/nn_reference.py, which says what its numbers are). */
#include "check.h"
#include "data/nn_torch.h"

enum { SEED = 11 };
static void check(bool ok, const char *name, const char *detail) {
    char text[300];
    snprintf(text, sizeof text, "%s: %s", name, detail);
    check_(ok, text, 0);
}

/* The sum of the elements times sin(1), sin(2), ...; NAN on failure. */
static double number(wn_tensor *t) {
    const int64_t n = wn_ok(t) ? wn_numel(t) : -1;
    double *v = n < 0 ? NULL : calloc((size_t)n + 1, sizeof *v), sum = 0;
    if (!v || wn_to_memory(t, v, (size_t)n * sizeof *v, WN_F64)) sum = NAN;
    for (int64_t i = 0; v && i < n; i++) sum += v[i] * sin((double)(i + 1));
    free(v);
    return sum;
}
static bool near(double have, double want, double off) { return fabs(have - want) <= off * (1 + fabs(want)); }

/* sin(0.37 i + 0.5) */
static wn_tensor *pattern(wn_dims shape) {
    int64_t n = 1;
    for (int d = 0; d < shape.n; d++) n *= shape.v[d];
    return wn_reshape(wn_sin(wn_add(wn_mul(wn_arange(n, .dtype = WN_F64), 0.37), 0.5)), shape);
}
static wn_tensor *joined(wn_tensor *a, wn_tensor *b, wn_tensor *c) {
    if (!b) return wn_flatten(a);
    if (!c) return wn_cat(WN_LIST(wn_flatten(a), wn_flatten(b)));
    return wn_cat(WN_LIST(wn_flatten(a), wn_flatten(b), wn_flatten(c)));
}
static wn_tensor *causal(int64_t n) { return wn_triu(wn_ones(WN_DIMS(n, n), .dtype = WN_BOOL), .diagonal = 1); }

/* ------------------------------------------------------------------ the layers: how each is made, and its forward if not wn_forward's */

#define MAKE(name, ...) \
    static wn_module *make_##name(void) { return wn_layer(__VA_ARGS__); }
MAKE(linear, wn_nn_linear, 5, 3)
MAKE(linear_plain, wn_nn_linear, 5, 3, .bias = WN_OFF)
MAKE(embedding, wn_nn_embedding, 7, 4, .padding_idx = WN_VAL(-2), .scale_grad_by_freq = true)
MAKE(conv1d, wn_nn_conv1d, 4, 6, 3, .stride = WN_DIMS(2), .padding = WN_DIMS(1), .groups = 2)
MAKE(conv2d, wn_nn_conv2d, 3, 4, .kernel_sizes = WN_DIMS(3, 2), .dilation = WN_DIMS(1, 2), .padding = WN_DIMS(1))
MAKE(conv_transpose2d, wn_nn_conv_transpose2d, 4, 6, 3, .stride = WN_DIMS(2), .padding = WN_DIMS(1), .output_padding = WN_DIMS(1), .groups = 2)
MAKE(batch_norm1d, wn_nn_batch_norm1d, 3)
MAKE(batch_norm1d_3d, wn_nn_batch_norm1d, 3, .eps = 1e-2, .momentum = 0.3)
MAKE(batch_norm2d, wn_nn_batch_norm2d, 2, .momentum = WN_NO_RATE)
MAKE(batch_norm2d_plain, wn_nn_batch_norm2d, 2, .affine = WN_OFF, .track_running_stats = WN_OFF)
MAKE(layer_norm, wn_nn_layer_norm, WN_DIMS(2, 3), .eps = 1e-3)
MAKE(layer_norm_no_bias, wn_nn_layer_norm, WN_DIMS(5), .bias = WN_OFF)
MAKE(rms_norm, wn_nn_rms_norm, WN_DIMS(5))
MAKE(rms_norm_eps, wn_nn_rms_norm, WN_DIMS(2, 3), .eps = 0.1)
MAKE(group_norm, wn_nn_group_norm, 2, 4)
MAKE(rnn, wn_nn_rnn, 3, 4, .num_layers = 2, .bidirectional = true)
MAKE(rnn_relu, wn_nn_rnn, 3, 4, .relu = true, .batch_first = true)
MAKE(gru, wn_nn_gru, 3, 4, .num_layers = 2, .bidirectional = true, .batch_first = true)
MAKE(lstm, wn_nn_lstm, 4, 5, .num_layers = 2, .bidirectional = true, .proj_size = 3)
MAKE(lstm_unbatched, wn_nn_lstm, 4, 5, .bias = WN_OFF)
MAKE(attention, wn_nn_multihead_attention, 8, 2)
MAKE(attention_causal, wn_nn_multihead_attention, 8, 2, .batch_first = true)
MAKE(attention_cross, wn_nn_multihead_attention, 8, 2, .kdim = 6, .vdim = 10, .batch_first = true)
MAKE(attention_unbatched, wn_nn_multihead_attention, 8, 4, .bias = WN_OFF)
MAKE(encoder, wn_nn_transformer_encoder_layer, 8, 2, .dim_feedforward = 12, .dropout = WN_NO_RATE)
MAKE(encoder_norm_first, wn_nn_transformer_encoder_layer, 8, 2, .dim_feedforward = 12, .dropout = WN_NO_RATE, .activation = wn_nn_gelu,
     .layer_norm_eps = 1e-3, .batch_first = true, .norm_first = true)
MAKE(encoder_dropout, wn_nn_transformer_encoder_layer, 8, 2, .dim_feedforward = 12, .dropout = 0.3)
MAKE(lstm_dropout, wn_nn_lstm, 4, 5, .num_layers = 3, .dropout = 0.4)
MAKE(sequential, wn_sequential, wn_layer(wn_nn_conv2d, 1, 3, 3),
     wn_layer(wn_sequential, wn_layer(wn_nn_activation, wn_nn_relu), wn_layer(wn_nn_max_pool2d, WN_DIMS(2), .stride = WN_DIMS(1))),
     wn_layer(wn_nn_flatten, 1, -1), wn_layer(wn_nn_activation, wn_nn_tanh), wn_layer(wn_nn_linear, 12, 2))

static wn_tensor *run_rnn(wn_module *m, wn_tensor *x) {
    wn_nn_recurrent_out r = wn_nn_rnn_forward((wn_nn_rnn *)m, x, NULL);
    return joined(r.output, r.h_n, NULL);
}
static wn_tensor *run_gru(wn_module *m, wn_tensor *x) {
    wn_nn_recurrent_out r = wn_nn_gru_forward((wn_nn_gru *)m, x, pattern(WN_DIMS(4, 2, 4)));
    return joined(r.output, r.h_n, NULL);
}
static wn_tensor *run_lstm(wn_module *m, wn_tensor *x) {
    wn_nn_recurrent_out r = wn_nn_lstm_forward((wn_nn_lstm *)m, x, pattern(WN_DIMS(4, 3, 3)), wn_mul(pattern(WN_DIMS(4, 3, 5)), 2));
    return joined(r.output, r.h_n, r.c_n);
}
static wn_tensor *run_lstm_unbatched(wn_module *m, wn_tensor *x) {
    wn_nn_recurrent_out r = wn_nn_lstm_forward((wn_nn_lstm *)m, x, NULL, NULL);
    check(wn_ndim(r.output) == 2 && wn_ndim(r.h_n) == 2 && wn_ndim(r.c_n) == 2, "lstm without a batch", "the outputs have one");
    return joined(r.output, r.h_n, r.c_n);
}
static wn_tensor *run_attention(wn_module *m, wn_tensor *x) {
    wn_nn_attention_out r = wn_nn_multihead_attention_forward((wn_nn_multihead_attention *)m, x, .is_causal = true, .need_weights = true);
    return joined(r.output, r.weights, NULL);
}
static wn_tensor *run_attention_causal(wn_module *m, wn_tensor *x) {
    return wn_nn_multihead_attention_forward((wn_nn_multihead_attention *)m, x, .is_causal = true).output;
}
static wn_tensor *run_attention_cross(wn_module *m, wn_tensor *x) {
    wn_tensor *padding = wn_zeros(WN_DIMS(2, 5), .dtype = WN_BOOL);
    wn_fill_(wn_narrow(wn_select(padding, 0, 1), 0, 3, 2), 1);
    wn_nn_attention_out r = wn_nn_multihead_attention_forward(
        (wn_nn_multihead_attention *)m, x, pattern(WN_DIMS(2, 5, 6)), wn_mul(pattern(WN_DIMS(2, 5, 10)), 0.5), .key_padding_mask = padding,
        .attn_mask = pattern(WN_DIMS(4, 3, 5)), .need_weights = true, .average_attn_weights = WN_OFF);
    return joined(r.output, r.weights, NULL);
}
static wn_tensor *run_attention_unbatched(wn_module *m, wn_tensor *x) {
    return wn_nn_multihead_attention_forward((wn_nn_multihead_attention *)m, x, x, wn_mul(pattern(WN_DIMS(4, 8)), 2), .attn_mask = causal(4)).output;
}
static wn_tensor *run_encoder_norm_first(wn_module *m, wn_tensor *x) {
    return wn_nn_transformer_encoder_layer_forward((wn_nn_transformer_encoder_layer *)m, x, .is_causal = true);
}

static const struct {
    const char *name;
    wn_module *(*make)(void);
    wn_dims shape; /* of the input; n = 0: indices */
    wn_tensor *(*run)(wn_module *m, wn_tensor *x);
} layers[] = {
    {"linear", make_linear, {.n = 2, .v = {4, 5}}, wn_forward},
    {"linear_plain", make_linear_plain, {.n = 3, .v = {2, 2, 5}}, wn_forward},
    {"embedding", make_embedding, {.n = 0}, wn_forward},
    {"conv1d", make_conv1d, {.n = 3, .v = {2, 4, 9}}, wn_forward},
    {"conv2d", make_conv2d, {.n = 4, .v = {2, 3, 6, 7}}, wn_forward},
    {"conv_transpose2d", make_conv_transpose2d, {.n = 4, .v = {2, 4, 3, 4}}, wn_forward},
    {"batch_norm1d", make_batch_norm1d, {.n = 2, .v = {5, 3}}, wn_forward},
    {"batch_norm1d_3d", make_batch_norm1d_3d, {.n = 3, .v = {2, 3, 4}}, wn_forward},
    {"batch_norm2d", make_batch_norm2d, {.n = 4, .v = {3, 2, 2, 3}}, wn_forward},
    {"batch_norm2d_plain", make_batch_norm2d_plain, {.n = 4, .v = {3, 2, 2, 3}}, wn_forward},
    {"layer_norm", make_layer_norm, {.n = 3, .v = {4, 2, 3}}, wn_forward},
    {"layer_norm_no_bias", make_layer_norm_no_bias, {.n = 2, .v = {4, 5}}, wn_forward},
    {"rms_norm", make_rms_norm, {.n = 2, .v = {4, 5}}, wn_forward},
    {"rms_norm_eps", make_rms_norm_eps, {.n = 3, .v = {4, 2, 3}}, wn_forward},
    {"group_norm", make_group_norm, {.n = 3, .v = {3, 4, 5}}, wn_forward},
    {"rnn", make_rnn, {.n = 3, .v = {5, 2, 3}}, run_rnn},
    {"rnn_relu", make_rnn_relu, {.n = 3, .v = {2, 5, 3}}, run_rnn},
    {"gru", make_gru, {.n = 3, .v = {2, 5, 3}}, run_gru},
    {"lstm", make_lstm, {.n = 3, .v = {6, 3, 4}}, run_lstm},
    {"lstm_unbatched", make_lstm_unbatched, {.n = 2, .v = {6, 4}}, run_lstm_unbatched},
    {"attention", make_attention, {.n = 3, .v = {4, 3, 8}}, run_attention},
    {"attention_causal", make_attention_causal, {.n = 3, .v = {3, 4, 8}}, run_attention_causal},
    {"attention_cross", make_attention_cross, {.n = 3, .v = {2, 3, 8}}, run_attention_cross},
    {"attention_unbatched", make_attention_unbatched, {.n = 2, .v = {4, 8}}, run_attention_unbatched},
    {"encoder", make_encoder, {.n = 3, .v = {3, 2, 8}}, wn_forward},
    {"encoder_norm_first", make_encoder_norm_first, {.n = 3, .v = {2, 3, 8}}, run_encoder_norm_first},
    {"encoder_dropout", make_encoder_dropout, {.n = 3, .v = {3, 2, 8}}, wn_forward},
    {"lstm_dropout", make_lstm_dropout, {.n = 3, .v = {6, 3, 4}}, wn_forward},
    {"sequential", make_sequential, {.n = 4, .v = {2, 1, 5, 5}}, wn_forward},
};

/* ------------------------------------------------------------------ the comparison */

typedef struct collection {
    char names[1200];
    double numbers[64];
    int n;
    enum { VALUES, GRADS, BUFFERS } what;
} collection;
static void take(collection *c, wn_tensor *t) {
    if (c->n < 64) c->numbers[c->n++] = number(t);
}
static bool gather(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    collection *c = ctx;
    if (c->what == VALUES) {
        snprintf(c->names + strlen(c->names), sizeof c->names - strlen(c->names), "%s%s", c->n ? " " : "", name);
        take(c, t);
    } else if (c->what == GRADS && !buffer) {
        take(c, wn_grad_of(t));
    } else if (c->what == BUFFERS && buffer) {
        take(c, t);
    }
    return true;
}

static void layer(size_t i) {
    WN_SCOPE(s);
    const char *name = layer_cases[i].name;
    collection c = {.what = VALUES};
    wn_sequential box = {0};
    check(!strcmp(layers[i].name, name), name, "the tables are not in step");
    wn_manual_seed(SEED);
    check(wn_sequential_init(&box, layers[i].make()) == WN_OK, name, wn_error_message());
    wn_module *m = wn_sequential_at(&box, 0);
    wn_module_visit(&box.module, gather, &c);
    const int made = c.n;
    wn_manual_seed(SEED);
    check(wn_to_dtype(&box.module, WN_F64) == WN_OK, name, wn_error_message());

    const bool indices = layers[i].shape.n == 0;
    wn_tensor *x = indices ? wn_from_data((int64_t[]){1, 5, 2, 5, 0, 1}, WN_DIMS(2, 3), WN_I64) : wn_requires_grad(pattern(layers[i].shape), true);
    wn_tensor *y = layers[i].run(m, x);
    take(&c, y);
    wn_tensor *weights = wn_reshape(wn_cos(wn_arange(wn_ok(y) ? wn_numel(y) : 0, .dtype = WN_F64)), wn_shape(y));
    check(wn_backward(wn_sum(wn_mul(y, weights))) == WN_OK, name, wn_error_message());
    if (!indices) take(&c, wn_grad_of(x));
    c.what = GRADS;
    wn_module_visit(&box.module, gather, &c);
    c.what = BUFFERS;
    wn_module_visit(&box.module, gather, &c);
    wn_train(&box.module, false);
    {
        WN_NO_GRAD();
        take(&c, layers[i].run(m, x));
    }
    check(!strcmp(c.names, layer_cases[i].names), name, c.names);
    check(c.n == layer_cases[i].n, name, "not as many tensors as in PyTorch");
    for (int k = 0; k < c.n && k < layer_cases[i].n; k++) {
        char detail[120];
        snprintf(detail, sizeof detail, "number %d of %d (%d parameters and buffers) is %.17g, not %.17g", k, c.n, made, c.numbers[k],
                 layer_cases[i].numbers[k]);
        check(near(c.numbers[k], layer_cases[i].numbers[k], k < made ? 1e-13 : 1e-10), name, detail);
    }
    wn_module_free(&box.module);
}

static void activations(void) {
    static const struct {
        const char *name;
        wn_unary fn;
    } all[] = {{"relu", wn_nn_relu}, {"relu6", wn_nn_relu6}, {"leaky_relu", wn_nn_leaky_relu}, {"elu", wn_nn_elu}, {"selu", wn_nn_selu},
               {"gelu", wn_nn_gelu}, {"gelu_tanh", wn_nn_gelu_tanh}, {"silu", wn_nn_silu}, {"mish", wn_nn_mish}, {"hardswish", wn_nn_hardswish},
               {"softplus", wn_nn_softplus}, {"sigmoid", wn_nn_sigmoid}, {"tanh", wn_nn_tanh}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        WN_SCOPE(s);
        wn_nn_activation a = {0};
        wn_tensor *x = wn_requires_grad(wn_detach(wn_mul(pattern(WN_DIMS(3, 7)), 8)), true);
        check(wn_nn_activation_init(&a, all[i].fn) == WN_OK && !strcmp(all[i].name, activation_cases[i].name), all[i].name, "the tables are not in step");
        wn_tensor *y = wn_forward(&a.module, x);
        check(wn_backward(wn_sum(y)) == WN_OK, all[i].name, wn_error_message());
        check(near(number(y), activation_cases[i].value, 1e-10) && near(number(wn_grad_of(x)), activation_cases[i].grad, 1e-10), all[i].name,
              "differs from PyTorch");
        wn_module_free(&a.module);
    }
}

static wn_tensor *initialise(size_t i, wn_tensor *t) {
    switch (i) {
    case 0: return wn_init_constant(t, 0.3);
    case 1: return wn_init_uniform(t, -1, 3, NULL);
    case 2: return wn_init_normal(t, 1, 2, NULL);
    case 3: return wn_init_trunc_normal(t, 0, 1, -0.5, 1, NULL);
    case 4: return wn_init_trunc_normal(t, 0, 1, 1.5, 3, NULL);
    case 5: return wn_init_kaiming_uniform(t, 0.5, WN_FAN_IN, NULL);
    case 6: return wn_init_kaiming_uniform(t, 0, WN_FAN_OUT, NULL);
    case 7: return wn_init_kaiming_normal(t, 0, WN_FAN_OUT, NULL);
    case 8: return wn_init_xavier_uniform(t, 5.0 / 3, NULL);
    case 9: return wn_init_xavier_normal(t, 1, NULL);
    default: return wn_init_orthogonal(t, 2, NULL);
    }
}
static void initialisers(void) {
    for (size_t i = 0; i < sizeof init_cases / sizeof *init_cases; i++) {
        WN_SCOPE(s);
        wn_manual_seed(SEED);
        wn_tensor *wide = wn_requires_grad(wn_empty(WN_DIMS(3, 2, 3, 2)), true), *tall = wn_empty(WN_DIMS(9, 4));
        check(initialise(i, wide) == wide && initialise(i, tall) == tall && wn_is_leaf(wide), init_cases[i].name, wn_error_message());
        const double off = !strcmp(init_cases[i].name, "orthogonal") ? 1e-5 : 1e-13; /* LAPACK's order of sums is its own */
        check(near(number(wide), init_cases[i].wide, off) && near(number(tall), init_cases[i].tall, off), init_cases[i].name,
              "differs from PyTorch");
    }
}

static void clipping(void) {
    for (size_t i = 0; i < sizeof clip_cases / sizeof *clip_cases; i++) {
        WN_SCOPE(s);
        wn_tensor *a = wn_requires_grad(wn_zeros(WN_DIMS(6), .dtype = WN_F64), true), *b = wn_requires_grad(wn_zeros(WN_DIMS(3), .dtype = WN_F64), true);
        wn_tensor *idle = wn_requires_grad(wn_zeros(WN_DIMS(3)), true);
        check(!wn_set_grad(a, pattern(WN_DIMS(6))) && !wn_set_grad(b, wn_mul(pattern(WN_DIMS(3)), 4)), "clip", wn_error_message());
        wn_tensor *norm = wn_clip_grad_norm(WN_LIST(a, idle, b), clip_cases[i].limit, .norm_type = clip_cases[i].norm_type);
        check(wn_ndim(norm) == 0 && near(wn_item_f64(norm), clip_cases[i].norm, 1e-12) && near(number(wn_grad_of(a)), clip_cases[i].a, 1e-12) &&
                  near(number(wn_grad_of(b)), clip_cases[i].b, 1e-12), "clip_grad_norm", "differs from PyTorch");
        check(wn_clip_grad_value(WN_LIST(a, idle, b), 0.01) == WN_OK && wn_item_f64(wn_amax(wn_abs(wn_grad_of(b)))) == 0.01, "clip_grad_value",
              "an element is outside");
        check(wn_item_f64(wn_clip_grad_norm(WN_LIST(idle), 1)) == 0, "clip_grad_norm", "of nothing is not 0");

        check(!wn_set_grad(a, wn_div(wn_ones(WN_DIMS(6), .dtype = WN_F64), 0)) && !wn_ok(wn_clip_grad_norm(WN_LIST(a), 1, .error_if_nonfinite = true)) &&
                  wn_error() == WN_E_RUNTIME, "clip_grad_norm", "an infinite norm was accepted");
        wn_clear();
    }
}

/* Threads that take parts of the batch for all steps leave the bits of one thread: outputs, last states, all gradients. */
static wn_tensor *swept(wn_module *m, bool lstm) {
    wn_tensor *x = wn_requires_grad(wn_to(pattern(WN_DIMS(5, 37, 20)), WN_F32), true);
    const wn_nn_recurrent_out r = lstm ? wn_nn_lstm_forward((wn_nn_lstm *)m, x, NULL, NULL) : wn_nn_gru_forward((wn_nn_gru *)m, x, NULL);
    wn_tensor *all = joined(r.output, r.h_n, r.c_n);
    wn_zero_grad(m);
    check(wn_backward(wn_sum(wn_mul(all, all))) == WN_OK, "recurrent", wn_error_message());
    all = joined(all, wn_grad_of(x), NULL);
    const wn_list p = wn_parameters(m);
    for (int64_t i = 0; i < p.n; i++) all = joined(all, wn_grad_of(p.v[i]), NULL);
    return all;
}
static void recurrent_threads(bool lstm) {
    WN_SCOPE(s);
    wn_module *m = lstm ? wn_layer(wn_nn_lstm, 20, 40, .num_layers = 2, .bidirectional = true) : wn_layer(wn_nn_gru, 20, 40, .bidirectional = true);
    wn_module root = {0};
    wn_add_owned(&root, "net", m);
    check(wn_module_status(&root) == WN_OK, "recurrent", wn_error_message());
    wn_set_num_threads(1);
    wn_tensor *one = swept(m, lstm);
    for (int threads = 2; threads <= 5; threads++) {
        wn_set_num_threads(threads);
        check(!wn_item_f64(wn_sum(wn_ne(swept(m, lstm), one))), lstm ? "lstm" : "gru", "other bits with more threads");
    }
    wn_set_num_threads(0);
    wn_module_free(&root);
}

int main(void) {
    setenv("WINNOW_RNG", "torch", 1); /* before the default generator is made */
    wn_set_error_hook(NULL);
    wn_stats before = wn_get_stats();
    for (size_t i = 0; i < sizeof layer_cases / sizeof *layer_cases; i++) layer(i);
    activations();
    initialisers();
    clipping();
    recurrent_threads(true);
    recurrent_threads(false);
    wn_stats after = wn_get_stats();
    check(after.handles == before.handles && after.storages == before.storages, "handles and storages", "something leaked");
    return report();
}
