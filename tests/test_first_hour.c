/* What a C program meets first: the version, numbers and answers out of tensors, short forms, where LAPACK is. */
#include "check.h"

#if WN_VERSION_NUMBER < 10100 || WN_VERSION_MAJOR != WN_ABI_VERSION
#error the macros of the version do not agree
#endif

static void test_version(void) {
    char text[40];
    snprintf(text, sizeof text, "%d.%d.%d", WN_VERSION_MAJOR, WN_VERSION_MINOR, WN_VERSION_PATCH);
    CHECK(!strcmp(text, WN_VERSION) && !strcmp(wn_library_version(), WN_VERSION) && wn_abi_version() == WN_ABI_VERSION);
}

static void test_item_bool(void) {
    WN_SCOPE(s);
    wn_tensor *x = VEC(1, 2, 3);
    CHECK(wn_item_bool(wn_all(wn_gt(x, 0))) && !wn_item_bool(wn_any(wn_gt(x, 3))));
    CHECK(wn_item_bool(VEC(0.25)) && wn_item_bool(VEC(NAN)) && !wn_item_bool(VEC(-0.0)));
    CHECK(wn_item_bool(wn_full(WN_0D, -3, .dtype = WN_I64)) && !wn_item_bool(wn_zeros(WN_DIMS(1, 1), .dtype = WN_U8)));
    FAILS(wn_item_bool(x), "item", "3 elements");
    FAILS(wn_item_bool(NULL), "item");
}

static void test_randint(void) {
    WN_SCOPE(s);
    wn_manual_seed(5);
    wn_tensor *a = wn_randint(10, WN_DIMS(1000)), *like = wn_randint_like(a, 4);
    wn_manual_seed(5);
    CHECK(wn_item_bool(wn_all(wn_eq(a, wn_randint_below(10, WN_DIMS(1000))))));
    CHECK(wn_item_i64(wn_min(a)) == 0 && wn_item_i64(wn_max(a)) == 9 && wn_dtype_of(a) == WN_I64);
    CHECK(wn_item_i64(wn_max(like)) == 3);
    wn_tensor *b = wn_randint(-2, 3, WN_DIMS(1000), .dtype = WN_I32), *other = wn_randint_like(b, 7, 9);
    CHECK(wn_item_i64(wn_min(b)) == -2 && wn_item_i64(wn_max(b)) == 2 && wn_dtype_of(b) == WN_I32);
    CHECK(wn_item_i64(wn_min(other)) == 7 && wn_item_i64(wn_max(other)) == 8);
}

/* A library that is not there gives way to the usual ones; afterwards it is too late. */
static void test_lapack(void) {
    WN_SCOPE(s);
    CHECK(wn_set_lapack("/nonexistent/liblapack.so") == WN_OK && wn_set_lapack(NULL) == WN_OK && wn_set_lapack("/nonexistent/again.so") == WN_OK);
    wn_linalg_qr_out qr = wn_linalg_qr(wn_eye(3));
    if (wn_ok(qr.Q)) CHECK(wn_item_bool(wn_all(wn_eq(wn_abs(wn_matmul(qr.Q, qr.R)), wn_eye(3)))));
    else FAILS(wn_ok(qr.Q), "LAPACK was not found", "WINNOW_LAPACK");
    FAILS(wn_set_lapack("x") == WN_OK, "before linear algebra");
}

int main(void) {
    wn_set_error_hook(NULL);
    test_version();
    test_item_bool();
    test_randint();
    test_lapack();
    return report();
}
