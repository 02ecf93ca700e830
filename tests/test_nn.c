/* Modules, layers and optimisers: formulas and streams against PyTorch, files, errors, memory failures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "winnow.h"
#include "data/optim_torch.h"

static int passed, failed;
static void check(bool ok, const char *what, const char *detail) {
    if (ok) {
        passed++;
    } else {
        failed++;
        printf("FAILED %s: %s\n", what, detail);
    }
}
static bool near(wn_tensor *t, const double *want, int n, double tolerance) {
    double *have = calloc((size_t)n, sizeof *have);
    bool ok = wn_ok(t) && wn_numel(t) == n && have && wn_to_memory(t, have, (size_t)n * sizeof *have, WN_F64) == WN_OK;
    for (int i = 0; ok && i < n; i++) ok = have[i] - want[i] <= tolerance && want[i] - have[i] <= tolerance;
    free(have);
    return ok;
}
static bool near_f32(wn_tensor *t, const float *want, int n) {
    double *w = calloc((size_t)n, sizeof *w);
    for (int i = 0; w && i < n; i++) w[i] = (double)want[i];
    bool ok = w && near(t, w, n, 1e-7);
    free(w);
    return ok;
}

static wn_optim *make_optim(size_t i, wn_list p) {
    double lr = optim_cases[i].lr, wd = optim_cases[i].weight_decay;
    if (!strcmp(optim_cases[i].kind, "sgd"))
        return wn_sgd_new(p, .lr = lr, .momentum = optim_cases[i].momentum, .dampening = optim_cases[i].dampening, .weight_decay = wd,
                          .nesterov = optim_cases[i].nesterov, .maximize = optim_cases[i].maximize);
    wn_adam_args a = {.size_ = sizeof a, .parameters = p, .lr = lr, .beta1 = optim_cases[i].beta1, .beta2 = optim_cases[i].beta2,
                      .eps = optim_cases[i].eps, .weight_decay = wd, .amsgrad = optim_cases[i].amsgrad, .maximize = optim_cases[i].maximize};
    return !strcmp(optim_cases[i].kind, "adam") ? wn_adam_new_x(&a) : wn_adamw_new_x(&a);
}

static void optimisers(wn_dtype dtype, double tolerance) {
    static const double start[] = {0.5, -1.25, 2.0, 0.1, 0.0, -0.3}, push[] = {1, -2, 0.5, 0.25, 3, -1};
    for (size_t i = 0; i < sizeof optim_cases / sizeof *optim_cases; i++) {
        WN_SCOPE(s);
        wn_tensor *w = wn_requires_grad(wn_to(wn_from_data(start, WN_DIMS(2, 3), WN_F64), dtype), true);
        wn_tensor *idle = wn_requires_grad(wn_ones(WN_DIMS(2)), true); /* never gets a gradient: left out */
        wn_optim *o = make_optim(i, WN_LIST(w, idle));
        for (int step = 0; step < 5; step++) {
            WN_NO_GRAD();
            wn_tensor *g = wn_add(wn_mul(w, 0.5), wn_mul(wn_to(wn_from_data(push, WN_DIMS(2, 3), WN_F64), dtype), (step + 1) / 3.0));
            check(wn_set_grad(w, g) == WN_OK && wn_step(o) == WN_OK, optim_cases[i].kind, wn_error_message());
        }
        char what[64];
        snprintf(what, sizeof what, "%s, case %zu, %s", optim_cases[i].kind, i, wn_dtype_name(dtype));
        check(near(w, optim_cases[i].w, 6, tolerance), what, "differs from PyTorch");
        check(near(idle, (double[]){1, 1}, 2, 0), what, "a parameter without gradient moved");
        wn_optim_free(o);
    }
}

typedef struct net {
    wn_module module;
    wn_nn_conv2d conv;
    wn_nn_batch_norm2d norm;
    wn_nn_dropout drop;
    wn_nn_linear fc;
} net;
static wn_status net_init(net *n) {
    wn_nn_conv2d_init(&n->conv, 1, 2, 3, .padding = WN_DIMS(1));
    wn_nn_batch_norm2d_init(&n->norm, 2);
    wn_nn_dropout_init(&n->drop, 0.5);
    wn_nn_linear_init(&n->fc, 2 * 4 * 4, 3);
    wn_add_child(&n->module, "conv", &n->conv.module);
    wn_add_child(&n->module, "norm", &n->norm.module);
    wn_add_child(&n->module, "drop", &n->drop.module);
    wn_add_child(&n->module, "fc", &n->fc.module);
    return wn_module_status(&n->module);
}
static wn_tensor *net_forward(net *n, wn_tensor *x) {
    x = wn_relu(wn_nn_batch_norm2d_forward(&n->norm, wn_nn_conv2d_forward(&n->conv, x)));
    return wn_nn_linear_forward(&n->fc, wn_flatten(wn_nn_dropout_forward(&n->drop, x), .start_dim = 1));
}

static bool join(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)t;
    strcat(ctx, name);
    strcat(ctx, buffer ? "! " : " ");
    return true;
}

static void modules(void) {
    WN_SCOPE(s);
    net n = {0}, other = {0};
    check(net_init(&n) == WN_OK && net_init(&other) == WN_OK, "init", wn_error_message());
    char names[512] = "";
    wn_module_visit(&n.module, join, names);
    check(!strcmp(names, "conv.weight conv.bias norm.weight norm.bias norm.running_mean! norm.running_var! norm.num_batches_tracked! fc.weight fc.bias "),
          "state_dict names", names);
    check(wn_count_parameters(&n.module) == 18 + 2 + 4 + 96 + 3 && wn_parameters(&n.module).n == 6, "parameters", "wrong number");
    wn_tensor *x = wn_randn(WN_DIMS(5, 1, 4, 4));
    wn_tensor *loss = wn_cross_entropy(net_forward(&n, x), wn_from_data((int64_t[]){0, 1, 2, 1, 0}, WN_DIMS(5), WN_I64));
    check(wn_backward(loss) == WN_OK && wn_ok(wn_grad_of(n.conv.weight)) && wn_item_i64(n.norm.num_batches_tracked) == 1, "training step", wn_error_message());
    wn_zero_grad(&n.module);
    check(wn_grad_of(n.conv.weight) == NULL, "zero_grad", "a gradient is left");

    char path[] = "/tmp/winnow_test_nn_XXXXXX";
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
    check(wn_save_module(&n.module, path) == WN_OK && wn_load_module(&other.module, path) == WN_OK, "save and load", wn_error_message());
    wn_train(&n.module, false);
    wn_train(&other.module, false);
    wn_tensor *difference = wn_amax(wn_abs(wn_sub(net_forward(&n, x), net_forward(&other, x))));
    check(wn_item_f64(difference) == 0, "loaded module", "computes something else");

    wn_set_error_hook(NULL);
    check(wn_load_module(&other.fc.module, path) == WN_E_RUNTIME && strstr(wn_error_message(), "missing weight") && strstr(wn_error_message(), "unexpected conv.weight"),
          "wrong file", wn_error_message());
    wn_clear();
    check(wn_save_module(&n.module, "/nonexistent/x.safetensors") != WN_OK && strstr(wn_error_message(), "/nonexistent"), "unwritable path", wn_error_message());
    wn_clear();
    wn_nn_conv2d bad = {0};
    check(wn_nn_conv2d_init(&bad, 3, 4, 3, .groups = 2) == WN_E_VALUE && wn_nn_dropout_init(&n.drop, 1.5) == WN_E_VALUE, "bad layer", "was accepted");
    wn_clear();
    check(wn_adam_new(WN_LIST(x)) == NULL && wn_sgd_new(wn_parameters(&n.module), .lr = -1) == NULL && wn_sgd_new(WN_NO_LIST) == NULL,
          "bad optimiser", "was accepted");
    wn_clear();
    wn_add_parameter(&n.fc.module, "a.b", wn_ones(WN_DIMS(1)));
    check(wn_module_status(&n.module) == WN_E_VALUE, "bad name", "was accepted");
    wn_clear();
    check(!wn_ok(wn_nn_linear_forward(&other.fc, x)) && strstr(wn_error_message(), "linear"), "wrong shape", wn_error_message());
    wn_clear();
    unlink(path);
    wn_module_free(&n.module);
    wn_module_free(&other.module);
}

/* The seeds of a PyTorch program give the same weights and batches. */
static void torch_streams(void) {
    WN_SCOPE(s);
    wn_manual_seed(7);
    wn_nn_linear l = {0};
    wn_nn_conv2d c = {0};
    check(wn_nn_linear_init(&l, 3, 2) == WN_OK && wn_nn_conv2d_init(&c, 2, 2, 2) == WN_OK, "init", wn_error_message());
    check(near_f32(l.weight, torch_linear_weight, 6) && near_f32(l.bias, torch_linear_bias, 2), "nn.Linear from seed 7", "other weights than PyTorch's");
    check(near_f32(c.weight, torch_conv_weight, 16) && near_f32(c.bias, torch_conv_bias, 2), "nn.Conv2d from seed 7", "other weights than PyTorch's");
    wn_module_free(&l.module);
    wn_module_free(&c.module);

    wn_manual_seed(3);
    wn_dataset *d = wn_tensor_dataset(WN_LIST(wn_arange(10)));
    wn_loader *loader = wn_loader_new(d, 4, .shuffle = true, .workers = 1);
    int at = 0;
    bool same = true;
    for (int epoch = 0; epoch < 2; epoch++)
        for (wn_batch b; wn_next(loader, &b);)
            for (int64_t i = 0; i < b.size; i++) same &= wn_item_i64(wn_select(b.x, 0, i)) == torch_batches[at++];
    same &= at == 20 && wn_item_i64(wn_randint(0, 1000, WN_DIMS(1))) == torch_batches[20];
    check(same, "batches from seed 3", "other than PyTorch's");
    wn_loader_free(loader);
    wn_dataset_free(d);
}

/* PyTorch fills what is contiguous after a permutation in the order of its memory, and draws normals one by one there. */
static void torch_streams_permuted(void) {
    WN_SCOPE(s);
    static const double normals[] = {1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991};
    wn_manual_seed(0);
    wn_tensor *flat = wn_uniform_(wn_empty(WN_DIMS(20, 4)), 0, 1);
    wn_manual_seed(0);
    wn_tensor *turned = wn_uniform_(wn_t(wn_empty(WN_DIMS(20, 4))), 0, 1);
    check(wn_item_i64(wn_all(wn_eq(flat, wn_t(turned)))), "uniform_ of a transposed tensor", "not in the order of memory");
    wn_manual_seed(0);
    turned = wn_normal_(wn_t(wn_empty(WN_DIMS(20, 4))), 0, 1);
    check(near(wn_select(wn_t(turned), 0, 0), normals, 4, 1e-7), "normal_ of a transposed tensor", "other than PyTorch's");
    wn_manual_seed(0);
    turned = wn_rand_like(wn_t(wn_empty(WN_DIMS(20, 4))));
    check(wn_item_i64(wn_all(wn_eq(flat, wn_t(turned)))) && wn_is_contiguous(wn_t(turned)), "rand_like of a transposed tensor", "has another layout");
}

/* Every allocation of a training step fails once: an error is reported, nothing leaks, nothing crashes. */
static void allocation_failures(void) {
    wn_set_error_hook(NULL);
    wn_stats before = wn_get_stats();
    bool reported = true;
    int64_t n = 0;
    for (bool done = false; !done && n < 5000; n++) {
        WN_SCOPE(s);
        net m = {0};
        wn_fail_allocation(n);
        wn_status st = net_init(&m);
        wn_optim *o = st ? NULL : wn_adamw_new(wn_parameters(&m.module));
        if (o) {
            wn_tensor *y = wn_cross_entropy(net_forward(&m, wn_randn(WN_DIMS(2, 1, 4, 4))), wn_zeros(WN_DIMS(2), .dtype = WN_I64));
            st = wn_backward(y);
            if (!st) st = wn_step(o);
        }
        done = !wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        if (!done && (!o || st) && wn_error() == WN_OK) reported = false;
        wn_clear();
        wn_optim_free(o);
        wn_module_free(&m.module);
    }
    wn_stats after = wn_get_stats();
    check(n > 50 && n < 5000, "allocation sweep", "did not end");
    check(reported, "allocation sweep", "a failure was not reported");
    check(after.handles == before.handles && after.storages == before.storages, "allocation sweep", "something leaked");
}

int main(void) {
    setenv("WINNOW_RNG", "torch", 1); /* before the default generator is made */
    torch_streams();
    torch_streams_permuted();
    optimisers(WN_F64, 1e-12);
    optimisers(WN_F32, 2e-5);
    modules();
    allocation_failures();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
