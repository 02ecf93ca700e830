/* The C++ overlay, winnow.hpp, as a C++20 program uses it. test_cpp17.cpp holds what C++17 can say. */
#include "winnow.hpp"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

static int passed, failed;
static void check(bool ok, int line, const char *what) {
    if (ok) {
        passed++;
        return;
    }
    failed++;
    std::printf("%s:%d: failed: %s\n", __FILE__, line, what);
}
#define CHECK(...) check((__VA_ARGS__), __LINE__, #__VA_ARGS__)

static bool shaped(const wn_tensor *t, const wn::dims &want) {
    wn_dims have = wn_shape(t);
    if (have.n != want.n) return false;
    for (int i = 0; i < have.n; i++)
        if (have.v[i] != want.v[i]) return false;
    return true;
}

/* Row-major elements, compared exactly. */
static bool holds(wn_tensor *t, std::initializer_list<double> want) {
    std::vector<double> have(want.size() + 1);
    if (wn_numel(t) != static_cast<int64_t>(want.size())) return false;
    if (wn_to_memory(t, have.data(), want.size() * sizeof(double), WN_F64) != WN_OK) return false;
    size_t i = 0;
    for (double w : want)
        if (!(have[i++] == w)) return false;
    return true;
}

static void values() {
    wn::scope s;
    wn_tensor *t = wn::ones({2});
    const char c = 3;
    CHECK(wn::val().kind == WN_VAL_NONE && wn::val(nullptr).kind == WN_VAL_NONE);
    CHECK(wn::val(t).kind == WN_VAL_TENSOR && wn::val(t).u.t == t);
    CHECK(wn::val(true).kind == WN_VAL_BOOL && wn::val(true).u.i == 1);
    CHECK(wn::val(0).kind == WN_VAL_INT && wn::val(c).u.i == 3 && wn::val(-5LL).u.i == -5);
    CHECK(wn::val(UINT64_MAX).kind == WN_VAL_INT && wn::val(UINT64_MAX).u.i == -1);
    CHECK(wn::val(0.5f).kind == WN_VAL_FLOAT && wn::val(0.5).u.f == 0.5);
    enum { SEVEN = 7 };
    CHECK(wn::val(SEVEN).kind == WN_VAL_INT && wn::val(SEVEN).u.i == 7 && wn::dims(SEVEN).v[0] == 7);
    wn_val copy = wn::val(7);
    CHECK(wn::val(copy).u.i == 7);
}

static void shapes() {
    wn::scope s;
    CHECK(wn::dims().n == 0 && wn::dims_0d().n == -1 && wn::dims(3).n == 1 && wn::dims{2, 3}.v[1] == 3);
    CHECK(shaped(wn::zeros({2, 3}), {2, 3}));
    CHECK(shaped(wn::zeros({4}), {4}));
    CHECK(shaped(wn::zeros(4), {4}));
    CHECK(wn_ndim(wn::zeros(wn::dims_0d())) == 0);
    CHECK(shaped(wn::reshape(wn::arange(12), {3, -1}), {3, 4}));
    CHECK(shaped(wn::reshape(wn::zeros({2, 6}), wn_shape(wn::ones({3, 4}))), {3, 4}));
    CHECK(!wn_ok(wn::zeros({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})) && wn_error() == WN_E_VALUE);
    wn_clear();
}

static void operations() {
    wn::scope s;
    wn_tensor *x = wn::reshape(wn::arange(6, {.dtype = WN_F32}), {2, 3});
    CHECK(holds(x, {0, 1, 2, 3, 4, 5}) && wn_dtype_of(x) == WN_F32);
    /* a number or a tensor, on either side */
    CHECK(holds(wn::add(x, 1), {1, 2, 3, 4, 5, 6}));
    CHECK(holds(wn::sub(10, x), {10, 9, 8, 7, 6, 5}));
    CHECK(holds(wn::add(x, x, {.alpha = 2}), {0, 3, 6, 9, 12, 15}));
    CHECK(wn_dtype_of(wn::add(wn::arange(3), 1)) == WN_I64 && wn_dtype_of(wn::add(wn::arange(3), 1.0)) == WN_F32);
    CHECK(wn_dtype_of(wn::full({2}, true)) == WN_BOOL);
    CHECK(holds(wn::clamp(x, 1, {}), {1, 1, 2, 3, 4, 5}));
    /* options */
    wn_tensor *m = wn::gt(x, 1.5);
    CHECK(wn_item_f64(wn::sum(x)) == 15);
    CHECK(wn_item_f64(wn::sum(x, {.where = m})) == 14);
    CHECK(holds(wn::sum(x, {.dims = 1}), {3, 12}));
    CHECK(shaped(wn::sum(x, {.dims = {0, 1}, .keepdim = true}), {1, 1}));
    CHECK(shaped(wn::sum(x, {.dims = -1, .keepdim = true, .where = m}), {2, 1}));
    wn_tensor *out = wn::empty({2, 3});
    CHECK(wn::mul(x, 2, {.out = out}) == out && holds(out, {0, 2, 4, 6, 8, 10}));
    /* several results; a bool whose default is true */
    auto [top, where] = wn::topk(x, 2);
    CHECK(holds(top, {2, 1, 5, 4}) && holds(where, {2, 1, 2, 1}));
    CHECK(holds(wn::topk(x, 1, {.largest = false}).values, {0, 3}));
    CHECK(holds(wn::topk(x, 1, {.dim = 0, .largest = true}).values, {3, 4, 5}));
    /* in place: the target must be a tensor, and is returned */
    wn_tensor *y = wn::clone(x);
    CHECK(wn::add_(y, 1) == y && wn::mul_(y, y) == y && holds(y, {1, 4, 9, 16, 25, 36}));
    CHECK(holds(wn::fill_(wn::select(y, 0, 0), 7), {7, 7, 7}) && holds(y, {7, 7, 7, 16, 25, 36}));
    CHECK(holds(wn::where(m, x, 0), {0, 0, 2, 3, 4, 5}));
    CHECK(holds(wn::masked_select(x, m), {2, 3, 4, 5}));
}

static void lists() {
    wn::scope s;
    wn_tensor *a = wn::zeros({1, 2}), *b = wn::ones({1, 2});
    wn::list named = {a, b, a}; /* outlives the braces */
    std::vector<wn_tensor *> vector = {b, b};
    CHECK(holds(wn::cat({a, b}), {0, 0, 1, 1}));
    CHECK(holds(wn::cat({a, b}, {.dim = 1}), {0, 0, 1, 1}) && shaped(wn::cat({a, b}, {.dim = 1}), {1, 4}));
    CHECK(shaped(wn::stack(named), {3, 1, 2}) && shaped(wn::stack(vector), {2, 1, 2}));
    CHECK(shaped(wn::cat({a}), {1, 2}));
    wn_tensor *last = wn::full({1}, -1); /* an index list may leave dimensions out */
    CHECK(shaped(wn::index(a, {nullptr, last}), {1, 1}) && shaped(wn::index_put(a, {nullptr, last}, wn::full(wn::dims_0d(), 7.0f)), {1, 2}));
    wn_tensor *raw[] = {a, b};
    wn_list view = {2, raw};
    CHECK(shaped(wn::cat(view), {2, 2}));
    wn::list parts = wn::unbind(wn::reshape(wn::arange(4), {2, 2}));
    double total = 0;
    for (wn_tensor *t : parts) total = total * 10 + wn_item_f64(wn::sum(t));
    CHECK(parts.size() == 2 && total == 15 && holds(parts[-1], {2, 3}));
    CHECK(!wn_ok(parts[2]));
    wn_clear();
    CHECK(wn::list().size() == 0 && wn::list().begin() == wn::list().end());
}

static void scopes() {
    int64_t before = wn_get_stats().handles;
    {
        wn::scope s;
        wn::add(wn::ones({2}), 1);
        wn_tensor *kept;
        {
            wn::scope inner;
            wn::zeros({3});
            kept = inner.leave(wn::full({2}, 5));
        }
        CHECK(holds(kept, {5, 5}));
    }
    CHECK(wn_get_stats().handles == before);
    {
        wn::scope s;
        CHECK(wn_grad_enabled());
        {
            wn::no_grad guard;
            CHECK(!wn_grad_enabled() && !wn_inference_enabled());
        }
        {
            wn::inference guard;
            CHECK(!wn_grad_enabled() && wn_inference_enabled());
        }
        CHECK(wn_grad_enabled() && !wn_inference_enabled());
    }
    try { /* an exception ends scopes like everything else */
        wn::no_grad guard;
        wn::ones({2});
        throw 1;
    } catch (int) {
    }
    CHECK(wn_grad_enabled() && wn_get_stats().handles == before);
}

static void gradients() {
    wn::scope s;
    wn_tensor *x = wn_requires_grad(wn::full({2}, 3.0), true);
    CHECK(wn::backward(wn::sum(wn::square(x))) == WN_OK && holds(wn_grad_of(x), {6, 6}));
    CHECK(wn::backward(wn::mul(x, 2), {.gradient = wn::ones({2})}) == WN_OK && holds(wn_grad_of(x), {8, 8}));
    wn_tensor *y = wn::sum(wn::mul(wn::square(x), x));
    wn::list first = wn::grad({y}, {x}, {.create_graph = true});
    CHECK(holds(first[0], {27, 27}));
    CHECK(holds(wn::grad({wn::sum(first[0])}, {x})[0], {18, 18}));
    CHECK(wn::backward(wn::ones({2})) != WN_OK);
    wn_clear();
}

static wn_status sample(void *ctx, const wn_sample *s) {
    static_cast<float *>(s->out[0])[0] = static_cast<float>(s->index) + *static_cast<float *>(ctx);
    return WN_OK;
}

static void training() {
    wn::scope s;
    wn_nn_linear layer = {};
    CHECK(wn::nn_linear_init(&layer, 3, 2, {.bias = false}) == WN_OK && !layer.bias && shaped(layer.weight, {2, 3}));
    wn_nn_linear biased = {};
    CHECK(wn::nn_linear_init(&biased, 3, 2) == WN_OK && biased.bias);
    wn_nn_conv2d conv = {};
    CHECK(wn::nn_conv2d_init(&conv, 1, 4, 3, {.padding = 1}) == WN_OK && shaped(conv.weight, {4, 1, 3, 3}));
    wn_nn_conv2d wide = {};
    CHECK(wn::nn_conv2d_init(&wide, 1, 4, {3, 5}) == WN_OK && shaped(wide.weight, {4, 1, 3, 5}));
    wn_nn_batch_norm2d norm = {};
    CHECK(wn::nn_batch_norm2d_init(&norm, 4, {.momentum = 0.2}) == WN_OK && norm.momentum == 0.2);

    wn_optim *sgd = wn::sgd_new(wn_parameters(&layer.module), {.lr = 0.5, .momentum = 0.9});
    wn_optim *adam = wn::adam_new({biased.weight, biased.bias}), *adamw = wn::adamw_new({conv.weight}, {.lr = 0.1});
    CHECK(sgd && adam && adamw && wn_optim_lr(sgd) == 0.5 && wn_optim_lr(adam) == 1e-3 && wn_optim_lr(adamw) == 0.1);
    wn_tensor *start = wn::clone(wn::detach(layer.weight));
    CHECK(wn::backward(wn::sum(layer.weight)) == WN_OK && wn_step(sgd) == WN_OK);
    CHECK(std::fabs(wn_item_f64(wn::sum(wn::sub(start, wn::detach(layer.weight)))) - 6 * 0.5) < 1e-5);
    wn_optim_free(sgd), wn_optim_free(adam), wn_optim_free(adamw);
    wn_optim *const others[] = {wn::rmsprop_new({biased.weight}, {.lr = 0.5}), wn::adagrad_new({biased.weight}, {.lr = 0.5}),
                                wn::adadelta_new({biased.weight}, {.lr = 0.5}), wn::adamax_new({biased.weight}, {.lr = 0.5}),
                                wn::nadam_new({biased.weight}, {.lr = 0.5}), wn::radam_new({biased.weight}, {.lr = 0.5})};
    for (wn_optim *o : others) {
        CHECK(o && wn_optim_lr(o) == 0.5);
        wn_optim_free(o);
    }
    for (wn_module *m : {&layer.module, &biased.module, &conv.module, &wide.module, &norm.module}) wn_module_free(m);

    float offset = 100;
    wn_dataset *data = wn::dataset_new(5, sample, &offset, {{WN_F32, wn::dims_0d()}});
    wn_loader *loader = wn::loader_new(data, 2, {.drop_last = true});
    wn_batch b;
    CHECK(loader && wn_loader_batches(loader) == 2);
    CHECK(wn_next(loader, &b) && holds(b.x, {100, 101}) && wn_next(loader, &b) && holds(b.x, {102, 103}) && !wn_next(loader, &b));
    wn_loader_free(loader), wn_dataset_free(data);
    CHECK(!wn::idx_dataset("/nonexistent", nullptr, {.floats = true}) && wn_error() != WN_OK);
    wn_clear();
}

static void files() {
    wn::scope s;
    const std::string name = WN_BINARY_DIR "/test_cpp." + std::to_string(getpid()) + ".safetensors"; /* variants run side by side */
    const char *path = name.c_str();
    wn_tensor *w = wn::randn({2, 2});
    CHECK(wn::save_safetensors(path, {"w", "b"}, {w, wn::zeros({2})}) == WN_OK);
    wn_archive *a = wn_load_safetensors(path);
    CHECK(a && wn_archive_count(a) == 2 && wn_item_i64(wn::all(wn::eq(wn_archive_find(a, "w"), w))) == 1);
    wn_archive_free(a);
    std::remove(path);
    CHECK(wn::save_safetensors(path, {"w"}, {w, w}) != WN_OK); /* a name is missing: an error, not a wild read */
    wn_clear();
}

static void errors() {
    wn::scope s;
    wn_tensor *bad = wn::relu(wn::add(wn::ones({2}), wn::ones({3})));
    CHECK(!wn_ok(bad) && std::strstr(wn_error_message(), "add") && wn_error_count() >= 1);
    wn_clear();
    wn_tensor *x = wn::ones({2});
    CHECK(!wn_ok(wn::add_(x, wn::ones({3}))) && holds(x, {1, 1})); /* the target is untouched */
    wn_clear();
}

int main() {
    wn_set_error_hook(nullptr);
    values();
    shapes();
    operations();
    lists();
    scopes();
    gradients();
    training();
    files();
    errors();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
