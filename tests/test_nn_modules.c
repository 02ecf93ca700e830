/* Modules: ownership, names, conversions, files; wrong arguments and shapes of every layer; memory that runs out at every allocation. */
#include <unistd.h>
#include "check.h"

/* ------------------------------------------------------------------ structure */

typedef struct twice { /* a module of one's own: forward, a child, the child's weight under a second name */
    wn_module module;
    wn_nn_linear inner;
} twice;
static wn_tensor *twice_forward(wn_module *m, wn_tensor *x) {
    twice *t = (twice *)m;
    return wn_nn_linear_forward(&t->inner, wn_nn_linear_forward(&t->inner, x));
}
static wn_status twice_init(twice *t, int64_t n) {
    t->module.forward = twice_forward;
    wn_nn_linear_init(&t->inner, n, n);
    wn_add_child(&t->module, "inner", &t->inner.module);
    wn_add_parameter(&t->module, "shared", t->inner.weight);
    wn_add_buffer(&t->module, "steps", wn_zeros(WN_0D, .dtype = WN_I64));
    return wn_module_status(&t->module);
}

static bool join(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)t;
    strcat(ctx, name);
    strcat(ctx, buffer ? "! " : " ");
    return true;
}

static void structure(void) {
    WN_SCOPE(s);
    wn_sequential net = {0};
    CHECK(wn_sequential_init(&net, wn_layer(twice, 3), wn_layer(wn_sequential, wn_layer(wn_nn_activation, wn_nn_relu), wn_layer(wn_nn_linear, 3, 2))) == WN_OK);
    char names[300] = "";
    wn_module_visit(&net.module, join, names);
    CHECK(!strcmp(names, "0.inner.weight 0.inner.bias 0.shared 0.steps! 1.1.weight 1.1.bias "));
    CHECK(wn_parameters(&net.module).n == 4 && wn_count_parameters(&net.module) == 9 + 3 + 6 + 2);

    twice *t = (twice *)wn_sequential_at(&net, 0);
    wn_nn_linear *last = (wn_nn_linear *)wn_module_child(&net.module, "1.1");
    CHECK(wn_sequential_at(&net, -2) == &t->module && !wn_sequential_at(&net, 2) && !wn_sequential_at(&net, -3));
    CHECK(wn_module_child(&net.module, "") == &net.module && wn_module_child(&net.module, "0.inner") == &t->inner.module && !wn_module_child(&net.module, "0.inn") && !wn_module_child(&net.module, "0.inner.weight") && !wn_module_child(&net.module, "2"));
    CHECK(wn_module_find(&net.module, "1.1.bias") == last->bias && wn_module_find(&net.module, "0.steps") && !wn_module_find(&net.module, "1.1"));

    wn_tensor *x = wn_randn(WN_DIMS(4, 3));
    wn_tensor *want = wn_nn_linear_forward(last, wn_relu(twice_forward(&t->module, x)));
    CHECK(wn_item_f64(wn_amax(wn_abs(wn_sub(wn_forward(&net.module, x), want)))) == 0);
    wn_sequential nothing = {0};
    CHECK(wn_sequential_forward(&nothing, x) == x);

    wn_module_requires_grad(&t->module, false);
    CHECK(!wn_needs_grad(t->inner.bias) && wn_needs_grad(last->bias) && !wn_backward(wn_sum(wn_forward(&net.module, x))) && !wn_grad_of(t->inner.weight) && wn_grad_of(last->weight));
    wn_module_requires_grad(&t->module, true);
    wn_module_free(&net.module);
    wn_module_free(&net.module); /* twice is harmless */
}

static void conversions(void) {
    WN_SCOPE(s);
    twice t = {0};
    CHECK(twice_init(&t, 3) == WN_OK);
    wn_optim *o = wn_sgd_new(wn_parameters(&t.module), .lr = 0.5);
    wn_tensor *x = wn_ones(WN_DIMS(2, 3)), *before = wn_to(wn_detach(t.inner.weight), WN_F64);
    CHECK(!wn_backward(wn_sum(wn_forward(&t.module, x))) && !wn_to_dtype(&t.module, WN_F64));
    CHECK(wn_dtype_of(t.inner.weight) == WN_F64 && wn_dtype_of(t.inner.bias) == WN_F64 && wn_dtype_of(wn_grad_of(t.inner.weight)) == WN_F64 && wn_dtype_of(wn_module_find(&t.module, "steps")) == WN_I64 && wn_needs_grad(t.inner.weight) && wn_is_leaf(t.inner.weight));
    wn_tensor *after = wn_sub(before, wn_mul(wn_grad_of(t.inner.weight), 0.5));
    CHECK(!wn_step(o) && wn_item_f64(wn_amax(wn_abs(wn_sub(wn_detach(t.inner.weight), after)))) == 0);
    CHECK(!wn_to_dtype(&t.module, WN_F16) && wn_dtype_of(wn_forward(&t.module, wn_to(x, WN_F16))) == WN_F16);
    FAILS(wn_to_dtype(&t.module, WN_I32) == WN_OK, "floating");
    wn_optim_free(o);
    wn_module_free(&t.module);
}

static void files(void) {
    WN_SCOPE(s);
    wn_sequential small = {0}, large = {0}, other = {0};
    char path[] = "/tmp/winnow_test_nn_modules_XXXXXX";
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
    wn_sequential_init(&small, wn_layer(wn_nn_linear, 3, 2));
    wn_sequential_init(&large, wn_layer(wn_nn_linear, 3, 2), wn_layer(wn_nn_linear, 2, 2));
    wn_sequential_init(&other, wn_layer(wn_nn_linear, 4, 2), wn_layer(wn_nn_linear, 2, 2));
    wn_tensor *kept = wn_clone(wn_module_find(&large.module, "1.weight"));
    CHECK(!wn_save_module(&small.module, path));
    FAILS(!(wn_load_module(&large.module, path)), "missing 1.weight");
    CHECK(!wn_load_module(&large.module, path, .strict = WN_OFF));
    CHECK(wn_item_i64(wn_all(wn_eq(wn_module_find(&large.module, "0.weight"), wn_module_find(&small.module, "0.weight")))) && wn_item_i64(wn_all(wn_eq(wn_module_find(&large.module, "1.weight"), kept))));
    CHECK(!wn_save_module(&large.module, path) && !wn_load_module(&small.module, path, .strict = WN_OFF));
    FAILS(!(wn_load_module(&other.module, path, .strict = WN_OFF)), "size mismatch for 0.weight: the file has f32[2,3], the module f32[2,4]");
    unlink(path);
    wn_module_free(&small.module);
    wn_module_free(&large.module);
    wn_module_free(&other.module);
}

/* ------------------------------------------------------------------ wrong arguments */

#define REFUSED_INIT(text, type, ...)                                                                                  \
    do {                                                                                                               \
        type layer_ = {0};                                                                                             \
        FAILS(!(type##_init(&layer_, __VA_ARGS__) != WN_OK && wn_module_status(&layer_.module) != WN_OK), text);        \
        FAILS(wn_ok(wn_forward(&layer_.module, x)), "");                                                            \
        wn_module_free(&layer_.module);                                                                                \
    } while (0)
#define REFUSED_INPUT(text, input, type, ...)                                                                          \
    do {                                                                                                               \
        type layer_ = {0};                                                                                             \
        CHECK(type##_init(&layer_, __VA_ARGS__) == WN_OK);                                  \
        FAILS(wn_ok(wn_forward(&layer_.module, input)), text);                                                      \
        wn_module_free(&layer_.module);                                                                                \
    } while (0)

static void wrong_arguments(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(2, 3)), *x3 = wn_ones(WN_DIMS(2, 3, 4)), *bad = wn_add(x, x3);
    wn_clear();
    REFUSED_INIT("", wn_nn_linear, -1, 2);
    REFUSED_INIT("", wn_nn_linear, 3, 2, .dtype = WN_I64);
    REFUSED_INIT("padding_idx 5", wn_nn_embedding, 5, 2, .padding_idx = WN_VAL(5));
    REFUSED_INIT("groups 3", wn_nn_conv1d, 4, 6, 3, .groups = 3);
    REFUSED_INIT("groups -1", wn_nn_conv2d, 4, 6, 3, .groups = -1);
    REFUSED_INIT("kernel size", wn_nn_conv2d, 4, 6, 0);
    REFUSED_INIT("kernel_sizes", wn_nn_conv2d, 4, 6, .kernel_sizes = WN_DIMS(1, 2, 3));
    REFUSED_INIT("stride", wn_nn_conv1d, 4, 6, 3, .stride = WN_DIMS(1, 2));
    REFUSED_INIT("output_padding", wn_nn_conv_transpose2d, 4, 6, 3, .output_padding = WN_DIMS(1, 2, 3));
    REFUSED_INIT("", wn_nn_batch_norm2d, -2);
    REFUSED_INIT("normalized_shape", wn_nn_layer_norm, WN_0D);
    REFUSED_INIT("num_groups 3", wn_nn_group_norm, 3, 4);
    REFUSED_INIT("hidden_size 0", wn_nn_rnn, 3, 0);
    REFUSED_INIT("proj_size", wn_nn_gru, 3, 4, .proj_size = 2);
    REFUSED_INIT("proj_size 4", wn_nn_lstm, 3, 4, .proj_size = 4);
    REFUSED_INIT("relu", wn_nn_lstm, 3, 4, .relu = true);
    REFUSED_INIT("dropout", wn_nn_gru, 3, 4, .dropout = 2);
    REFUSED_INIT("num_heads 3", wn_nn_multihead_attention, 8, 3);
    REFUSED_INIT("num_heads 3", wn_nn_transformer_encoder_layer, 8, 3);
    REFUSED_INIT("probability", wn_nn_dropout, -0.5);
    REFUSED_INIT("NULL", wn_nn_activation, NULL);
    REFUSED_INIT("kernel_size", wn_nn_max_pool2d, WN_0D);
    REFUSED_INIT("NULL", wn_sequential, NULL);

    REFUSED_INPUT("linear", x, wn_nn_linear, 4, 2);
    REFUSED_INPUT("", bad, wn_nn_linear, 4, 2);
    REFUSED_INPUT("embedding", x, wn_nn_embedding, 4, 2);
    REFUSED_INPUT("conv1d", x3, wn_nn_conv1d, 4, 2, 1);
    REFUSED_INPUT("conv2d", x, wn_nn_conv2d, 3, 2, 1);
    REFUSED_INPUT("2D or 3D", wn_ones(WN_DIMS(3)), wn_nn_batch_norm1d, 3);
    REFUSED_INPUT("4D", x3, wn_nn_batch_norm2d, 3);
    REFUSED_INPUT("layer_norm", x, wn_nn_layer_norm, WN_DIMS(4));
    REFUSED_INPUT("group_norm", x, wn_nn_group_norm, 2, 4);
    REFUSED_INPUT("input_size 3", x3, wn_nn_lstm, 3, 2);
    REFUSED_INPUT("2D or 3D", wn_ones(WN_DIMS(2, 2, 2, 3)), wn_nn_gru, 3, 2);
    REFUSED_INPUT("absent", NULL, wn_nn_rnn, 3, 2);
    REFUSED_INPUT("embed_dim 8", x3, wn_nn_multihead_attention, 8, 2);
    REFUSED_INPUT("embed_dim 8", x3, wn_nn_transformer_encoder_layer, 8, 2);
    REFUSED_INPUT("max_pool2d", x, wn_nn_max_pool2d, WN_DIMS(2));

    wn_nn_lstm l = {0};
    wn_nn_multihead_attention a = {0};
    CHECK(!wn_nn_lstm_init(&l, 4, 2) && !wn_nn_multihead_attention_init(&a, 4, 2));
    FAILS(wn_ok(wn_nn_lstm_forward(&l, x3, x, NULL).output), "3-D");
    FAILS(wn_ok(wn_nn_lstm_forward(&l, x3, wn_ones(WN_DIMS(1, 5, 2)), NULL).c_n), "");
    FAILS(wn_ok(wn_nn_multihead_attention_forward(&a, x3, wn_ones(WN_DIMS(5, 2, 4))).output), "do not fit");
    FAILS(wn_ok(wn_nn_multihead_attention_forward(&a, x3, .attn_mask = x).output), "attn_mask");
    FAILS(wn_ok(wn_nn_multihead_attention_forward(&a, x3, .key_padding_mask = x).output), "key_padding_mask");
    wn_module_free(&l.module);
    wn_module_free(&a.module);

    wn_module plain = {0};
    FAILS(wn_ok(wn_forward(&plain, x)), "no forward");
    FAILS(wn_ok(wn_init_xavier_normal(wn_ones(WN_DIMS(3)), 1, NULL)), "fan in");
    FAILS(wn_ok(wn_init_orthogonal(wn_ones(WN_DIMS(3)), 1, NULL)), "2 or more");
    FAILS(wn_ok(wn_init_trunc_normal(x, 0, 0, -1, 1, NULL)), "positive");
    FAILS(wn_ok(wn_init_kaiming_normal(NULL, 0, WN_FAN_IN, NULL)), "absent");
    FAILS(wn_ok(wn_clip_grad_norm(WN_LIST(x, bad), 1)), "parameter 1");
    wn_tensor *none = wn_empty(WN_DIMS(0, 3));
    CHECK(wn_init_orthogonal(none, 1, NULL) == none && wn_init_kaiming_normal(none, 0, WN_FAN_IN, NULL) == none && wn_init_trunc_normal(none, 0, 1, -1, 1, NULL) == none);
}

/* ------------------------------------------------------------------ memory */

static wn_status image_net(wn_sequential *n) {
    return wn_sequential_init(n, wn_layer(wn_nn_conv_transpose2d, 1, 2, 2), wn_layer(wn_nn_group_norm, 1, 2), wn_layer(wn_nn_max_pool2d, WN_DIMS(2)),
                              wn_layer(wn_nn_flatten, 1, -1), wn_layer(wn_sequential, wn_layer(wn_nn_batch_norm1d, 2), wn_layer(wn_nn_linear, 2, 4)));
}
static wn_status text_net(wn_sequential *n) {
    return wn_sequential_init(n, wn_layer(wn_nn_embedding, 5, 4, .padding_idx = WN_VAL(0)),
                              wn_layer(wn_nn_transformer_encoder_layer, 4, 2, .dim_feedforward = 4, .norm_first = true),
                              wn_layer(wn_nn_lstm, 4, 4, .bidirectional = true, .proj_size = 2), wn_layer(wn_nn_rms_norm, WN_DIMS(4)));
}
/* One training step with everything around it; its status. */
static wn_status step(bool text) {
    WN_SCOPE(s);
    wn_sequential n = {0};
    wn_status st = text ? text_net(&n) : image_net(&n);
    wn_optim *o = st ? NULL : wn_sgd_new(wn_parameters(&n.module));
    if (!st && !o) st = wn_error();
    if (!st) st = wn_to_dtype(&n.module, WN_F64);
    wn_tensor *x = text ? wn_ones(WN_DIMS(2, 2), .dtype = WN_I64) : wn_ones(WN_DIMS(2, 1, 2, 2), .dtype = WN_F64);
    if (!st) st = wn_backward(wn_sum(wn_forward(&n.module, x)));
    if (!st && !wn_ok(wn_clip_grad_norm(wn_parameters(&n.module), 1))) st = wn_error();
    if (!st) st = wn_step(o);
    wn_tensor *w = wn_empty(WN_DIMS(3, 2));
    if (!st && (!wn_ok(wn_init_trunc_normal(w, 0, 1, -1, 1, NULL)) || !wn_ok(wn_init_orthogonal(w, 1, NULL)))) st = wn_error();
    wn_optim_free(o);
    wn_module_free(&n.module);
    return st;
}
static void allocation_failures(bool text) {
    CHECK(step(text) == WN_OK);
    wn_stats before = wn_get_stats();
    bool reported = true, done = false;
    int64_t n = 0;
    for (; !done && n < 20000; n++) {
        wn_manual_seed(1);
        wn_fail_allocation(n);
        wn_status st = step(text);
        done = !wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        if (st && wn_error() == WN_OK) reported = false;
        wn_clear();
    }
    wn_stats after = wn_get_stats();
    CHECK(n > 50 && done);
    CHECK(reported);
    CHECK(after.handles == before.handles && after.storages == before.storages);
}

/* NULL where a module, a layer or a name should be: an error, no crash. */
static void absent(void) {
    WN_SCOPE(s);
    wn_tensor *w = wn_ones(WN_DIMS(2));
    wn_module m = {0};
    FAILS(wn_ok(wn_add_parameter(NULL, "a", w)), "absent");
    FAILS(wn_ok(wn_add_buffer(NULL, NULL, NULL)), "absent");
    FAILS((wn_add_child(NULL, "a", &m), false), "absent");
    FAILS((wn_add_owned(NULL, "a", wn_layer(wn_nn_linear, 3, 2)), false), "absent");
    FAILS(wn_module_status(NULL) == WN_OK, "absent");
    FAILS(wn_ok(wn_forward(NULL, w)), "absent");
    FAILS((wn_module_visit(NULL, NULL, NULL), false), "absent");
    FAILS(wn_parameters(NULL).n > 0 || wn_count_parameters(NULL) > 0, "absent");
    FAILS(wn_module_find(NULL, "a") != NULL, "absent");
    FAILS((wn_train(NULL, true), false), "absent");
    FAILS((wn_zero_grad(NULL), false), "absent");
    FAILS(wn_to_dtype(NULL, WN_F64) == WN_OK, "absent");
    FAILS(wn_save_module(NULL, "/tmp/x") == WN_OK, "absent");
    FAILS(wn_load_module(NULL, "/tmp/x") == WN_OK, "absent");
    wn_module_free(NULL);
    FAILS(wn_nn_linear_init(NULL, 3, 2) == WN_OK, "absent");
    FAILS(wn_nn_embedding_init(NULL, 3, 2) == WN_OK, "absent");
    FAILS(wn_nn_conv2d_init(NULL, 3, 2, 3) == WN_OK, "absent");
    FAILS(wn_nn_batch_norm1d_init(NULL, 3) == WN_OK, "absent");
    FAILS(wn_nn_layer_norm_init(NULL, WN_DIMS(3)) == WN_OK, "absent");
    FAILS(wn_nn_group_norm_init(NULL, 1, 3) == WN_OK, "absent");
    FAILS(wn_nn_lstm_init(NULL, 3, 2) == WN_OK, "absent");
    FAILS(wn_nn_multihead_attention_init(NULL, 4, 2) == WN_OK, "absent");
    FAILS(wn_nn_transformer_encoder_layer_init(NULL, 4, 2) == WN_OK, "absent");
    FAILS(wn_nn_max_pool2d_init(NULL, WN_DIMS(2)) == WN_OK, "absent");
    FAILS(wn_ok(wn_add_parameter(&m, NULL, w)), "no name");
    CHECK(wn_module_find(&m, NULL) == NULL && wn_module_child(&m, NULL) == &m);
    wn_module_free(&m);
    FAILS(wn_sgd_new((wn_list){.n = 2, .v = NULL}) != NULL, "parameter 0, absent");
}

int main(void) {
    wn_set_error_hook(NULL);
    wn_stats before = wn_get_stats();
    structure();
    conversions();
    files();
    wrong_arguments();
    absent();
    wn_stats after = wn_get_stats();
    CHECK(after.handles == before.handles && after.storages == before.storages);
    allocation_failures(false);
    allocation_failures(true);
    return report();
}
