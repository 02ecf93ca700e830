/* winnow.hpp as a C++17 program uses it: options structs are filled before the call. */
#include "winnow.hpp"
#include <cstdio>
#if __cplusplus != 201703L
#error "this test is meant to be compiled as C++17"
#endif

static int passed, failed;
#define CHECK(...) ((__VA_ARGS__) ? void(passed++) : void((failed++, std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #__VA_ARGS__))))

int main() {
    wn_set_error_hook(nullptr);
    wn::scope s;
    wn_tensor *x = wn::add(wn::ones({2, 3}), 1);
    wn::sum_opts o;
    o.dims = {1};
    o.keepdim = true;
    o.where = wn::gt(x, 1.5);
    wn_tensor *y = wn::sum(x, o);
    CHECK(wn_ndim(y) == 2 && wn_size(y, 0) == 2 && wn_size(y, 1) == 1 && wn_item_f64(wn::sum(y)) == 12);
    wn::cat_opts c;
    c.dim = 1;
    CHECK(wn_size(wn::cat({x, x}, c), 1) == 6);
    auto [values, indices] = wn::topk(x, 1);
    CHECK(wn_numel(values) == 2 && wn_dtype_of(indices) == WN_I64);
    {
        wn::no_grad guard;
        CHECK(!wn_grad_enabled());
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
