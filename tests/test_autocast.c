/* Autocast from C: what is converted, when, and what is kept. */
#include <stdio.h>
#include "winnow.h"
#include "call/autocast.h"

static long passed, failed;
#define CHECK(x) ((x) ? (void)passed++ : (void)(failed++, printf("FAILED %s:%d: %s\n", __FILE__, __LINE__, #x)))

static void test_scope(void) {
    WN_SCOPE(s);
    wn_tensor *a = wn_ones(WN_DIMS(2, 3)), *b = wn_ones(WN_DIMS(3, 2));
    {
        WN_AUTOCAST(WN_BF16);
        CHECK(wn_autocast_enabled() && wn_autocast_dtype() == WN_BF16);
        CHECK(wn_dtype_of(wn_mm(a, b)) == WN_BF16);
        CHECK(wn_dtype_of(wn_add(a, a)) == WN_F32);
        CHECK(wn_dtype_of(wn_mse_loss(wn_mm(a, b), wn_zeros(WN_DIMS(2, 2)))) == WN_F32);
        {
            WN_AUTOCAST(WN_F16);
            CHECK(wn_dtype_of(wn_matmul(a, b)) == WN_F16);
            WN_MODE(.autocast = WN_OFF);
            CHECK(wn_dtype_of(wn_matmul(a, b)) == WN_F32);
        }
        CHECK(wn_dtype_of(wn_matmul(a, b)) == WN_BF16);
        wn_tensor *out = wn_zeros(WN_DIMS(2, 2));
        CHECK(wn_ok(wn_mm(a, b, .out = out)) && wn_dtype_of(out) == WN_F32);
    }
    CHECK(!wn_autocast_enabled() && wn_dtype_of(wn_matmul(a, b)) == WN_F32);
}

/* A weight is converted once, and again when it has changed; its gradient is its own type's. */
static void test_weights(void) {
    WN_SCOPE(s);
    wn_tensor *w = wn_requires_grad(wn_ones(WN_DIMS(2, 2)), true), *x = wn_ones(WN_DIMS(1, 2));
    {
        WN_AUTOCAST(WN_BF16);
        wn_tensor *y = wn_linear(wn_linear(x, w), w);
        CHECK(wn_item_f64(wn_sum(y)) == 8);
        CHECK(wn_backward(wn_sum(wn_to(y, WN_F32))) == WN_OK);
        CHECK(wn_ok(wn_grad_of(w)) && wn_dtype_of(wn_grad_of(w)) == WN_F32 && wn_item_f64(wn_sum(wn_grad_of(w))) == 16);
        {
            WN_NO_GRAD();
            wn_mul_(w, 3);
        }
        CHECK(wn_item_f64(wn_sum(wn_linear(x, w))) == 12);
    }
    wn_stats before = wn_get_stats();
    for (int i = 0; i < 100; i++) {
        WN_AUTOCAST(WN_BF16);
        wn_linear(x, w);
    }
    CHECK(wn_get_stats().storages == before.storages);
}

static void test_errors(void) {
    WN_SCOPE(s);
    CHECK(wn_set_autocast(true, WN_I64) != WN_OK && !wn_autocast_enabled());
    wn_clear();
    {
        WN_AUTOCAST(WN_BF16);
        CHECK(!wn_ok(wn_mm(wn_ones(WN_DIMS(2, 3)), wn_ones(WN_DIMS(2, 3)))));
        wn_clear();
        CHECK(wn_autocast_enabled()); /* as before the failed call */
        CHECK(!wn_ok(wn_mm(NULL, wn_ones(WN_DIMS(2, 3)))));
        wn_clear();
    }
}

/* Dispatch decides about autocast before it takes a short form: rows that have one are none that autocast converts. */
static void test_short_forms(void) {
    static union {
        size_t size;
        char bytes[4096];
    } args;
    int n = 0;
    for (int i = 0; i < wn_op_count(); i++) {
        const wn_op *op = wn_op_at(i);
        if (!op->small_n) continue;
        CHECK(op->args_size <= sizeof args);
        args.size = op->args_size;
        const wn__call c = {.op = op, .args = &args};
        CHECK(!wn__autocasts(&c));
        n++;
    }
    CHECK(n > 50);
}

int main(void) {
    wn_set_error_hook(NULL);
    test_scope();
    test_weights();
    test_errors();
    test_short_forms();
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
