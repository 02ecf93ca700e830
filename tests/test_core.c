/* The core: scopes, errors, promotion, broadcasting and result strides (against PyTorch's answers), views, overlap, and that
 * wrong shapes and dimensions are errors. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/dtype.h"
#include "tensor/tensor.h"
#include "winnow.h"

typedef struct geometry {
    int n;
    int64_t shape[6], strides[6];
} geometry;
#include "data/stride_cases.h"
static const unsigned char promoted[11][11] = {
#include "data/promote.h"
};

static int passed, failed;
static bool check_(bool ok, const char *what, int line, int item) {
    if (ok) passed++;
    else {
        failed++;
        printf("FAILED line %d (%d): %s (record: %s)\n", line, item, what, wn_error_message());
    }
    return ok;
}
#define CHECK(x) check_((x), #x, __LINE__, 0)
#define CHECK_AT(x, i) check_((x), #x, __LINE__, (i))
static void error_(wn_tensor *t, wn_status code, const char *op, const char *what, int line) {
    bool ok = t != NULL && !wn_ok(t) && wn_error() == code && !strcmp(wn_error_op(), op) && strlen(wn_error_message()) > strlen(op) + 2;
    check_(ok, what, line, (int)wn_error());
    wn_clear();
}
/* The expression gives a bad tensor, and the record holds this code and operation. */
#define ERROR(code, op, x) error_((x), WN_E_##code, op, #x, __LINE__)

/* ------------------------------------------------------------------ scopes */

static wn_tensor *inner_result(void) {
    WN_SCOPE(s);
    wn_tensor *t = wn_add(wn_ones(WN_DIMS(2)), 1);
    return wn_leave(&s, t);
}
static wn_tensor *early(int which) {
    WN_SCOPE(s);
    wn_tensor *t = wn_ones(WN_DIMS(3));
    if (which) return wn_leave(&s, t);
    wn_tensor *u = wn_add(t, 1);
    return wn_leave(&s, u);
}
static int64_t handles(void) { return wn_get_stats().handles; }

static void *in_thread(void *arg) {
    bool *ok = arg;
    *ok = wn_error() == WN_OK && wn_grad_enabled();
    WN_SCOPE(s);
    for (int i = 0; i < 1000; i++) *ok &= wn_ok(wn_add(wn_ones(WN_DIMS(3)), i));
    wn_tensor *bad = wn_add(wn_ones(WN_DIMS(3)), wn_ones(WN_DIMS(4)));
    *ok &= !wn_ok(bad) && wn_error_count() == 1;
    wn_set_grad_enabled(false);
    (void)wn_begin(); /* left open: the thread's end sweeps it */
    *ok &= wn_ok(wn_ones(WN_DIMS(5)));
    return NULL;
}

static void test_scopes(void) {
    int64_t start = handles();
    {
        WN_SCOPE(s);
        wn_tensor *t = inner_result();
        CHECK(handles() == start + 1 && wn_item_f64(wn_sum(t)) == 4);
        CHECK(wn_ok(early(0)) && wn_ok(early(1)));
        wn_tensor *e;
        {
            WN_SCOPE(in);
            e = wn_escape(wn_ones(WN_DIMS(2)));
            wn_tensor *dies = wn_zeros(WN_DIMS(2));
            CHECK(wn_ok(dies));
        }
        CHECK(wn_item_f64(wn_sum(e)) == 2);
        int64_t before = handles();
        wn_tensor *early_release = wn_ones(WN_DIMS(4));
        wn_done(early_release);
        CHECK(handles() == before);
        wn_tensor *kept = wn_keep(wn_ones(WN_DIMS(4)));
        wn_done(kept);
        CHECK(handles() == before + 1 && wn_numel(kept) == 4);
        wn_drop(kept);
        CHECK(handles() == before);
        wn_drop(NULL);
        wn_done(NULL);
        CHECK(wn_escape(NULL) == NULL && wn_keep(NULL) == NULL);
    }
    CHECK(handles() == start);
    /* an outer scope's end sweeps inner ones; ends out of order and ending twice */
    wn_scope a = wn_begin(), b = wn_begin_modes((wn_modes){.grad = WN_OFF}), c = wn_begin();
    wn_tensor *t = wn_ones(WN_DIMS(2));
    CHECK(wn_ok(t) && !wn_grad_enabled());
    wn_end(&a);
    CHECK(handles() == start && wn_grad_enabled() && wn_error() == WN_OK);
    wn_end(&a);
    CHECK(wn_error() == WN_OK);
    wn_end(&c); /* was swept: harmless, but told */
    CHECK(wn_error() == WN_E_RUNTIME && handles() == start);
    wn_clear();
    wn_end(&b);
    wn_clear();
    wn_end(NULL);
    /* many scopes and many handles */
    wn_scope many[200];
    for (int i = 0; i < 200; i++) {
        many[i] = wn_begin();
        CHECK_AT(many[i].serial != 0, i);
        for (int k = 0; k < 10; k++) (void)wn_ones(WN_DIMS(1));
    }
    CHECK(handles() == start + 2000);
    for (int i = 199; i >= 0; i--) wn_end(&many[i]);
    CHECK(handles() == start);
    pthread_t threads[4];
    bool ok[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, in_thread, &ok[i]) == 0);
    for (int i = 0; i < 4; i++) CHECK_AT(pthread_join(threads[i], NULL) == 0 && ok[i], i);
    CHECK(handles() == start && wn_error() == WN_OK && wn_grad_enabled());
    /* handles from another thread's scope: kept ones travel */
    WN_SCOPE(s);
    wn_list l = wn_split(wn_arange(6), 2);
    CHECK(l.n == 3 && wn_item_i64(wn_select(wn_at(l, -1), 0, 1)) == 5);
    ERROR(INDEX, "at", wn_at(l, 3));
    ERROR(INDEX, "at", wn_at(l, -4));
}

/* ------------------------------------------------------------------ errors */

static int hook_calls;
static wn_status hook_code;
static void count_hook(wn_status code, const char *message) {
    hook_calls++;
    hook_code = code;
    CHECK(message && message[0]);
}

static void test_errors(void) {
    WN_SCOPE(s);
    wn_set_error_hook(count_hook);
    wn_tensor *x = wn_ones(WN_DIMS(2, 3)), *y = wn_ones(WN_DIMS(4));
    wn_tensor *bad = wn_add(x, y);
    CHECK(bad && !wn_ok(bad) && wn_error() == WN_E_RUNTIME && wn_error_count() == 1 && hook_calls == 1 && hook_code == WN_E_RUNTIME);
    CHECK(!strcmp(wn_error_op(), "add") && strstr(wn_error_message(), "f32[2,3]") && strstr(wn_error_message(), "f32[4]"));
    char first[1024];
    snprintf(first, sizeof first, "%s", wn_error_message());
    wn_tensor *later = wn_relu(wn_mul(bad, 2)); /* passes on */
    CHECK(!wn_ok(later) && wn_error_count() >= 2 && hook_calls == 1 && !strcmp(first, wn_error_message()));
    CHECK(!wn_ok(wn_reshape(x, WN_DIMS(7))) && !strcmp(first, wn_error_message())); /* the first error explains the rest */
    wn_clear();
    CHECK(wn_error() == WN_OK && wn_error_count() == 0 && !wn_error_message()[0] && !wn_error_op()[0]);
    CHECK(!wn_ok(wn_relu(bad)) && strstr(wn_error_message(), "bad tensor")); /* the record was cleared: a new one */
    CHECK(hook_calls == 2);
    wn_clear();
    wn_set_error_hook(NULL);
    /* NULL means absent */
    ERROR(TYPE, "relu", wn_relu(NULL));
    ERROR(TYPE, "add", wn_add(x, (wn_tensor *)NULL));
    ERROR(TYPE, "sum", wn_sum(NULL));
    ERROR(TYPE, "cat", wn_cat(((wn_list){.n = 2, .v = (wn_tensor *[]){x, NULL}})));
    /* a bad operand anywhere, in lists and options too */
    CHECK(!wn_ok(wn_cat(WN_LIST(x, bad))));
    wn_clear();
    CHECK(!wn_ok(wn_sum(x, .where = bad)));
    wn_clear();
    /* a failed in-place operation leaves its target alone */
    wn_tensor *target = wn_zeros(WN_DIMS(3));
    uint32_t version = wn_version(target);
    CHECK(!wn_ok(wn_add_(target, wn_ones(WN_DIMS(2, 3)))) && !wn_ok(wn_copy_(target, y)) && !wn_ok(wn_add_(wn_arange(3), 0.5)));
    wn_clear();
    CHECK(wn_version(target) == version && wn_item_f64(wn_sum(target)) == 0);
    /* what is asked of a bad tensor or NULL is harmless */
    CHECK(wn_data(bad) == NULL && wn_data(NULL) == NULL && wn_numel(NULL) == 0 && wn_ndim(NULL) == 0 && wn_size(NULL, 0) == -1);
    CHECK(wn_item_f64(bad) != wn_item_f64(bad));
    wn_clear();
    CHECK(wn_item_i64(wn_ones(WN_DIMS(2))) == 0 && wn_error() == WN_E_RUNTIME);
    wn_clear();
    char text[64];
    CHECK(wn_describe(NULL, text, sizeof text) == 6 && !strcmp(text, "absent") && wn_describe(x, text, 4) == 8 && !strcmp(text, "f32"));
    /* the owned layer */
    wn_outs outs;
    CHECK(wn_call(NULL, NULL, &outs) == WN_E_TYPE && outs.n == 0);
    wn_clear();
    CHECK(wn_call(wn_op_find("relu"), &(wn_relu_args){.self = x}, &outs) == WN_E_TYPE); /* size_ not set */
    wn_clear();
    CHECK(wn_call_inplace(wn_op_find("eye"), &(wn_eye_args){.size_ = sizeof(wn_eye_args)}, &outs) == WN_E_NOT_IMPLEMENTED);
    wn_clear();
    CHECK(wn_op_find("no_such_row") == NULL && wn_op_find(NULL) == NULL && wn_op_at(-1) == NULL && wn_op_at(wn_op_count()) == NULL);
    CHECK(wn_set_default_dtype(WN_I32) == WN_E_TYPE && wn_default_dtype() == WN_F32);
    wn_clear();
}

/* ------------------------------------------------------------------ promotion */

static wn_dtype sum_type(wn_tensor *a, wn_val b) { return wn_dtype_of(wn_add_x(&(wn_add_args){.size_ = sizeof(wn_add_args), .self = wn_val_of_tensor(a), .other = b})); }

static void test_promotion(void) {
    WN_SCOPE(s);
    for (int a = 1; a <= 10; a++) {
        for (int b = 1; b <= 10; b++) {
            CHECK_AT(wn__promote((wn_dtype)a, (wn_dtype)b) == promoted[a][b], 100 * a + b);
            CHECK_AT(wn__can_cast((wn_dtype)a, (wn_dtype)b) == castable[a][b], 100 * a + b);
            wn_tensor *x = wn_ones(WN_DIMS(2), .dtype = (wn_dtype)a), *zero = wn_ones(WN_0D, .dtype = (wn_dtype)b);
            CHECK_AT(sum_type(x, wn_val_of_tensor(wn_ones(WN_DIMS(2), .dtype = (wn_dtype)b))) == promoted[a][b], 100 * a + b);
            CHECK_AT(sum_type(x, wn_val_of_tensor(zero)) == with_zero_dim[a][b], 100 * a + b);
            CHECK_AT(sum_type(zero, wn_val_of_tensor(x)) == with_zero_dim[a][b], 100 * a + b);
        }
        const wn_val numbers[] = {wn_val_of_bool(true), wn_val_of_int(1), wn_val_of_float(1.5)};
        for (int k = 0; k < 3; k++) {
            CHECK_AT(sum_type(wn_ones(WN_DIMS(2), .dtype = (wn_dtype)a), numbers[k]) == with_number[a][k], 10 * a + k);
            CHECK_AT(sum_type(wn_ones(WN_0D, .dtype = (wn_dtype)a), numbers[k]) == zero_dim_with_number[a][k], 10 * a + k);
        }
    }
    CHECK(wn_set_default_dtype(WN_F64) == WN_OK);
    CHECK(sum_type(wn_arange(2), wn_val_of_float(1.5)) == WN_F64 && wn_dtype_of(wn_ones(WN_DIMS(1))) == WN_F64);
    CHECK(wn_set_default_dtype(WN_F32) == WN_OK);
    /* a number meets a half tensor as a half: 0.1 is 0.1 */
    wn_tensor *h = wn_full(WN_DIMS(1), 0.1, .dtype = WN_F16);
    CHECK(wn_item_i64(wn_eq(h, 0.1)) == 1 && wn_item_i64(wn_lt(h, 0.1)) == 0);
}

/* ------------------------------------------------------------------ geometry */

static wn_dims dims(int n, const int64_t *v) {
    wn_dims d = {.n = n > 0 ? n : -1};
    for (int i = 0; i < n; i++) d.v[i] = v[i];
    return d;
}
static wn_tensor *shaped(const geometry *g) {
    return wn_as_strided(wn_zeros(WN_DIMS(100000)), dims(g->n, g->shape), dims(g->n, g->strides));
}
static bool is(const wn_tensor *t, const geometry *g) {
    bool ok = wn_ok(t) && wn_ndim(t) == g->n;
    for (int i = 0; i < g->n && ok; i++) ok = wn_size(t, i) == g->shape[i] && wn_stride(t, i) == g->strides[i];
    if (!ok && wn_ok(t)) printf("    got %s with strides %s\n", wn__dims_text(t->shape, t->ndim), wn__dims_text(t->strides, t->ndim));
    return ok;
}

static void test_geometry(void) {
    for (int i = 0; i < (int)(sizeof binary_cases / sizeof *binary_cases); i++) {
        WN_SCOPE(s);
        CHECK_AT(is(wn_add(shaped(&binary_cases[i].a), shaped(&binary_cases[i].b)), &binary_cases[i].sum), i);
    }
    for (int i = 0; i < (int)(sizeof unary_cases / sizeof *unary_cases); i++) {
        WN_SCOPE(s);
        wn_tensor *a = shaped(&unary_cases[i].a);
        CHECK_AT(wn_is_contiguous(a) == unary_cases[i].contiguous, i);
        CHECK_AT(is(wn_clone(a), &unary_cases[i].clone) && is(wn_empty_like(a), &unary_cases[i].clone), i);
        CHECK_AT(wn_is_contiguous(wn_contiguous(a)), i);
    }
    for (int i = 0; i < (int)(sizeof view_cases / sizeof *view_cases); i++) {
        WN_SCOPE(s);
        int n = view_cases[i].n;
        wn_dims size = dims(n < 0 ? -n : n, view_cases[i].size);
        wn_tensor *a = shaped(&view_cases[i].a), *v = wn_view(a, size);
        if (n > 0) CHECK_AT(is(v, &view_cases[i].view) && wn_same_storage(a, v), i);
        else CHECK_AT(!wn_ok(v) && wn_error() == WN_E_RUNTIME, i);
        wn_clear();
        wn_tensor *r = wn_reshape(a, size);
        CHECK_AT(wn_ok(r) && wn_same_storage(a, r) == (n > 0), i);
    }
}

static void test_views(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_reshape(wn_arange(24), WN_DIMS(2, 3, 4));
    CHECK(wn_item_i64(wn_sum(wn_select(x, 1, -1))) == 8 + 9 + 10 + 11 + 20 + 21 + 22 + 23);
    wn_tensor *p = wn_permute(x, WN_DIMS(2, 0, -2));
    CHECK(wn_size(p, 0) == 4 && wn_stride(p, 1) == 12 && wn_size(p, -1) == 3 && !wn_is_contiguous(p));
    wn_tensor *sl = wn_slice(x, 2, 1, WN_NONE, .step = WN_VAL(2));
    CHECK(wn_size(sl, 2) == 2 && wn_stride(sl, 2) == 2 && wn_storage_offset(sl) == 1);
    CHECK(wn_size(wn_slice(x, 2, -100, 100), 2) == 4 && wn_size(wn_slice(x, 2, 3, 1), 2) == 0 && wn_size(wn_slice(x, 2, -2, -1), 2) == 1);
    wn_fill_(sl, 7);
    CHECK(wn_item_i64(wn_select(wn_select(wn_select(x, 0, 0), 0, 0), 0, 3)) == 7 && wn_version(x) == wn_version(sl) && wn_version(x) == 1);
    wn_tensor *e = wn_expand(wn_reshape(wn_arange(3), WN_DIMS(3, 1)), WN_DIMS(2, -1, 4));
    CHECK(wn_numel(e) == 24 && wn_stride(e, 0) == 0 && wn_stride(e, 2) == 0 && wn_item_i64(wn_sum(e)) == 24);
    CHECK(wn_numel(wn_diagonal(x, .dim1 = WN_VAL(1), .dim2 = WN_VAL(2))) == 6 && wn_item_i64(wn_sum(wn_diagonal(wn_eye(4)))) == 4);
    CHECK(wn_ndim(wn_squeeze(wn_ones(WN_DIMS(1, 2, 1)))) == 1 && wn_ndim(wn_unsqueeze(x, -1)) == 4 && wn_ndim(wn_squeeze_dim(x, 1)) == 3);
    CHECK(wn_item_i64(wn_sum(wn_movedim(x, 0, 2))) == wn_item_i64(wn_sum(x)) && wn_size(wn_movedim(x, 0, 2), 0) == 3);
    wn_list l = wn_chunk(x, 3, .dim = WN_VAL(-1));
    CHECK(l.n == 2 && wn_size(wn_at(l, 1), 2) == 2 && wn_unbind(x).n == 2 && wn_split(x, 2, .dim = WN_VAL(1)).n == 2);
    wn_dims d = wn_shape(wn_ones(WN_0D));
    CHECK(d.n == -1 && wn_numel(wn_ones(d)) == 1 && wn_item_f64(wn_ones(d)) == 1);
    /* C memory */
    int32_t raw[6] = {1, 2, 3, 4, 5, 6};
    wn_tensor *m = wn_from_memory(raw, WN_DIMS(3, 2), WN_DIMS(1, 3), WN_I32, NULL, NULL);
    CHECK(wn_item_i64(wn_select(wn_select(m, 0, 0), 0, 1)) == 4);
    wn_mul_(m, 10);
    CHECK(raw[5] == 60 && raw[0] == 10);
    float out[6];
    CHECK(wn_to_memory(m, out, sizeof out, WN_F32) == WN_OK && out[1] == 40 && wn_to_memory(m, out, 5, WN_F32) == WN_E_VALUE);
    wn_clear();
}

static void test_overlap(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_reshape(wn_arange(40), WN_DIMS(5, 8));
    wn_tensor *even = wn_slice(x, 1, 0, WN_NONE, .step = WN_VAL(2)), *odd = wn_slice(x, 1, 1, WN_NONE, .step = WN_VAL(2));
    CHECK(wn__overlap(even, odd) == 0 && wn__overlap(even, even) == 2 && wn__overlap(even, x) == 1);
    CHECK(wn__overlap(wn_slice(x, 1, 0, 4), wn_slice(x, 1, 4, 8)) == 0 && wn__overlap(wn_slice(x, 1, 0, 5), wn_slice(x, 1, 4, 8)) == 1);
    CHECK(wn__overlap(wn_slice(x, 0, 0, 2), wn_slice(x, 0, 2, 5)) == 0 && wn__overlap(wn_slice(x, 0, 0, 3), wn_slice(x, 0, 2, 5)) == 1);
    CHECK(wn__overlap(x, wn_clone(x)) == 0 && wn__overlap(x, wn_detach(x)) == 2 && wn__overlap(x, wn_view(x, WN_DIMS(40))) == 1);
    CHECK(wn__overlap(wn_slice(x, 0, 0, 0), x) == 0);
    CHECK(!wn__overlaps_itself(x) && !wn__overlaps_itself(wn_t(even)) && wn__overlaps_itself(wn_expand(wn_ones(WN_DIMS(1)), WN_DIMS(2))));
    CHECK(wn__overlaps_itself(wn_as_strided(x, WN_DIMS(3, 3), WN_DIMS(1, 1))) && !wn__overlaps_itself(wn_as_strided(x, WN_DIMS(3, 3), WN_DIMS(4, 1))));
    CHECK(!wn__overlaps_itself(wn_expand(wn_ones(WN_DIMS(1)), WN_DIMS(1, 1))));
    wn_add_(even, odd);
    CHECK(wn_ok(even) && wn_item_i64(wn_select(wn_select(x, 0, 0), 0, 0)) == 1 && wn_error() == WN_OK);
}

/* ------------------------------------------------------------------ wrong shapes and dimensions */

static void test_wrong(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(2, 3, 4)), *zero = wn_ones(WN_0D), *m = wn_ones(WN_DIMS(2, 3)), *i = wn_arange(3), *b = wn_ones(WN_DIMS(2), .dtype = WN_BOOL);
    static const int64_t out_of[] = {3, 4, -4, -5, 100, INT64_MAX, INT64_MIN};
    for (int k = 0; k < 7; k++) { /* dimensions that x does not have */
        int64_t d = out_of[k];
        ERROR(INDEX, "sum", wn_sum(x, .dims = WN_DIMS(d)));
        ERROR(INDEX, "mean", wn_mean(x, .dims = WN_DIMS(0, d)));
        ERROR(INDEX, "select", wn_select(x, d, 0));
        ERROR(INDEX, "slice", wn_slice(x, d, 0, 1));
        ERROR(INDEX, "transpose", wn_transpose(x, 0, d));
        ERROR(INDEX, "transpose", wn_transpose(x, d, 0));
        ERROR(INDEX, "movedim", wn_movedim(x, d, 0));
        ERROR(INDEX, "movedim", wn_movedim(x, 0, d));
        ERROR(INDEX, "squeeze", wn_squeeze_dim(x, d));
        ERROR(INDEX, "narrow", wn_narrow(x, d, 0, 1));
        ERROR(INDEX, "flip", wn_flip(x, WN_DIMS(d)));
        ERROR(INDEX, "permute", wn_permute(x, WN_DIMS(0, 1, d)));
        ERROR(INDEX, "cat", wn_cat(WN_LIST(x, x), .dim = WN_VAL(d)));
        ERROR(INDEX, "diagonal", wn_diagonal(x, .dim1 = WN_VAL(d)));
        ERROR(INDEX, "argmax", wn_argmax(x, .dim = WN_VAL(d)));
        ERROR(INDEX, "max", wn_max_dim(x, d).values);
        ERROR(INDEX, "flatten", wn_flatten(x, .start_dim = d));
        ERROR(INDEX, "unflatten", wn_unflatten(x, d, WN_DIMS(2, 1)));
    }
    ERROR(INDEX, "unsqueeze", wn_unsqueeze(x, 4));
    ERROR(INDEX, "unsqueeze", wn_unsqueeze(x, -5));
    ERROR(INDEX, "stack", wn_stack(WN_LIST(x, x), .dim = WN_VAL(4)));
    ERROR(INDEX, "select", wn_select(x, 1, 3));
    ERROR(INDEX, "select", wn_select(x, 1, -4));
    ERROR(INDEX, "select", wn_select(zero, 0, 0));
    ERROR(INDEX, "sum", wn_sum(zero, .dims = WN_DIMS(1)));
    ERROR(RUNTIME, "narrow", wn_narrow(x, 1, 2, 2));
    ERROR(RUNTIME, "narrow", wn_narrow(x, 1, 0, -1));
    ERROR(INDEX, "narrow", wn_narrow(x, 1, INT64_MAX, 1));
    ERROR(RUNTIME, "slice", wn_slice(x, 0, 0, 2, .step = WN_VAL(0)));
    ERROR(RUNTIME, "slice", wn_slice(x, 0, 0, 2, .step = WN_VAL(-1)));
    ERROR(RUNTIME, "slice", wn_slice(zero, 0, 0, 1));
    ERROR(RUNTIME, "sum", wn_sum(x, .dims = WN_DIMS(0, 0)));
    ERROR(RUNTIME, "sum", wn_sum(x, .dims = WN_DIMS(0, -3)));
    ERROR(RUNTIME, "permute", wn_permute(x, WN_DIMS(0, 1)));
    ERROR(RUNTIME, "permute", wn_permute(x, WN_DIMS(0, 1, 1)));
    ERROR(RUNTIME, "flip", wn_flip(x, WN_DIMS(0, -3)));
    ERROR(RUNTIME, "diagonal", wn_diagonal(x, .dim1 = WN_VAL(1)));
    /* sizes */
    ERROR(RUNTIME, "view", wn_view(x, WN_DIMS(5, 5)));
    ERROR(RUNTIME, "view", wn_view(x, WN_DIMS(-1, -1)));
    ERROR(RUNTIME, "view", wn_view(x, WN_DIMS(-2, 12)));
    ERROR(RUNTIME, "view", wn_view(x, WN_DIMS(-1, 5)));
    ERROR(RUNTIME, "view", wn_view(x, WN_DIMS(-1, 0)));
    ERROR(RUNTIME, "view", wn_view(x, WN_0D));
    ERROR(RUNTIME, "view", wn_view(wn_permute(x, WN_DIMS(2, 1, 0)), WN_DIMS(24)));
    ERROR(RUNTIME, "view", wn_view(x, WN_DIMS(INT64_MAX, INT64_MAX)));
    ERROR(RUNTIME, "reshape", wn_reshape(x, WN_DIMS(7, -1)));
    ERROR(RUNTIME, "reshape", wn_reshape(wn_ones(WN_DIMS(0, 3)), WN_DIMS(0, -1)));
    ERROR(RUNTIME, "unflatten", wn_unflatten(x, 2, WN_DIMS(3, 2)));
    ERROR(RUNTIME, "unflatten", wn_unflatten(x, 2, WN_DIMS(-1, 3)));
    ERROR(RUNTIME, "flatten", wn_flatten(x, .start_dim = 2, .end_dim = WN_VAL(1)));
    ERROR(RUNTIME, "expand", wn_expand(x, WN_DIMS(2, 3, 5)));
    ERROR(RUNTIME, "expand", wn_expand(x, WN_DIMS(3, 4)));
    ERROR(RUNTIME, "expand", wn_expand(x, WN_DIMS(-1, 2, 3, 4)));
    ERROR(RUNTIME, "expand", wn_expand(x, WN_DIMS(2, 3, -2)));
    ERROR(RUNTIME, "t", wn_t(x));
    ERROR(RUNTIME, "mT", wn_mT(i));
    ERROR(RUNTIME, "as_strided", wn_as_strided(x, WN_DIMS(5, 5), WN_DIMS(5, 1)));
    ERROR(RUNTIME, "as_strided", wn_as_strided(x, WN_DIMS(2), WN_DIMS(-1)));
    ERROR(RUNTIME, "as_strided", wn_as_strided(x, WN_DIMS(2), WN_DIMS(1, 1)));
    ERROR(RUNTIME, "as_strided", wn_as_strided(x, WN_DIMS(1), WN_DIMS(1), .storage_offset = WN_VAL(24)));
    ERROR(RUNTIME, "as_strided", wn_as_strided(x, WN_DIMS(2), WN_DIMS(INT64_MAX)));
    ERROR(RUNTIME, "sum_to_size", wn_sum_to_size(x, WN_DIMS(3, 3)));
    ERROR(RUNTIME, "sum_to_size", wn_sum_to_size(m, WN_DIMS(1, 2, 3)));
    ERROR(VALUE, "cat", wn_cat(WN_NO_LIST));
    ERROR(RUNTIME, "cat", wn_cat(WN_LIST(x, m)));
    ERROR(RUNTIME, "cat", wn_cat(WN_LIST(m, wn_ones(WN_DIMS(2, 4))), .dim = WN_VAL(0)));
    ERROR(RUNTIME, "cat", wn_cat(WN_LIST(zero, zero)));
    ERROR(RUNTIME, "stack", wn_stack(WN_LIST(m, x)));
    ERROR(RUNTIME, "stack", wn_stack(WN_NO_LIST));
    CHECK(wn_split(x, -1).n == 0 && wn_error() == WN_E_RUNTIME);
    wn_clear();
    CHECK(wn_split(zero, 1).n == 0 && wn_error() == WN_E_RUNTIME);
    wn_clear();
    CHECK(wn_split_with_sizes(x, WN_DIMS(1, 2)).n == 0 && wn_error() == WN_E_RUNTIME);
    wn_clear();
    CHECK(wn_chunk(x, 0).n == 0 && wn_error() == WN_E_RUNTIME);
    wn_clear();
    CHECK(wn_unbind(x, .dim = WN_VAL(3)).n == 0 && wn_error() == WN_E_INDEX);
    wn_clear();
    /* broadcasting */
    ERROR(RUNTIME, "add", wn_add(m, i = wn_arange(4)));
    ERROR(RUNTIME, "mul", wn_mul(x, m));
    ERROR(RUNTIME, "where", wn_where(b, m, m));
    ERROR(RUNTIME, "masked_fill", wn_masked_fill(m, b, 1));
    ERROR(RUNTIME, "masked_fill", wn_masked_fill(m, m, 1));
    ERROR(RUNTIME, "add", wn_add_(wn_ones(WN_DIMS(3)), m));
    ERROR(RUNTIME, "copy_", wn_copy_(wn_ones(WN_DIMS(3)), m));
    ERROR(RUNTIME, "eq", wn_eq(x, wn_ones(WN_DIMS(5))));
    ERROR(RUNTIME, "add", wn_add_(i, 0.5));
    ERROR(RUNTIME, "add", wn_add(wn_arange(3), 1, .alpha = WN_VAL(0.5)));
    /* making tensors */
    ERROR(RUNTIME, "empty", wn_empty(WN_DIMS(2, -1)));
    ERROR(RUNTIME, "zeros", wn_zeros(WN_DIMS(INT64_MAX, 2)));
    ERROR(RUNTIME, "ones", wn_ones(WN_DIMS(1 << 30, 1 << 30, 8)));
    ERROR(MEMORY, "empty", wn_empty(WN_DIMS((int64_t)1 << 56)));
    ERROR(TYPE, "zeros", wn_zeros(WN_DIMS(1), .dtype = (wn_dtype)77));
    ERROR(RUNTIME, "arange", wn_arange(-3));
    ERROR(RUNTIME, "arange", wn_arange_from(0, 5, .step = WN_VAL(0)));
    ERROR(RUNTIME, "arange", wn_arange_from(0, 5, .step = WN_VAL(-1)));
    ERROR(RUNTIME, "linspace", wn_linspace(0, 1, -2));
    ERROR(RUNTIME, "empty_strided", wn_empty_strided(WN_DIMS(2), WN_DIMS(1, 1)));
    ERROR(RUNTIME, "eye", wn_eye(-1));
    ERROR(TYPE, "to", wn_to(x, (wn_dtype)0));
    ERROR(TYPE, "to", wn_to(x, (wn_dtype)-3));
    ERROR(VALUE, "from_data", wn_from_data(NULL, WN_DIMS(2), WN_F32));
    ERROR(TYPE, "from_memory", wn_from_memory(&passed, WN_DIMS(1), WN_UNSET, (wn_dtype)99, NULL, NULL));
    ERROR(VALUE, "from_memory", wn_from_memory(&passed, WN_DIMS(1), WN_DIMS(1, 1), WN_I32, NULL, NULL));
    ERROR(RUNTIME, "clamp", wn_clamp(x, WN_NONE, WN_NONE));
    /* dtypes that a row does not take */
    ERROR(NOT_IMPLEMENTED, "bitwise_and", wn_bitwise_and(x, x));
    ERROR(RUNTIME, "neg", wn_neg(b));
    ERROR(RUNTIME, "sub", wn_sub(b, b));
    ERROR(NOT_IMPLEMENTED, "gelu", wn_gelu(i));
    ERROR(RUNTIME, "floor_divide", wn_floor_divide(i, 0));
    ERROR(RUNTIME, "remainder", wn_remainder(wn_arange(3), wn_zeros(WN_DIMS(3), .dtype = WN_I64)));
    ERROR(RUNTIME, "pow", wn_pow(i, -1));
    wn_dims wide = {.n = WN_MAX_DIMS};
    for (int d = 0; d < WN_MAX_DIMS; d++) wide.v[d] = 1;
    wn_tensor *deep = wn_ones(wide);
    CHECK(wn_ndim(deep) == WN_MAX_DIMS);
    ERROR(RUNTIME, "unsqueeze", wn_unsqueeze(deep, 0));
    ERROR(RUNTIME, "stack", wn_stack(WN_LIST(deep, deep)));
    wide.n = WN_MAX_DIMS + 1;
    ERROR(VALUE, "zeros", wn_zeros(wide));
    ERROR(VALUE, "view", wn_view(deep, wide));
    ERROR(VALUE, "expand", wn_expand(deep, wide));
    ERROR(VALUE, "sum", wn_sum(deep, .dims = wide));
    wide.n = INT32_MAX;
    ERROR(VALUE, "permute", wn_permute(deep, wide));
    ERROR(TYPE, "add", wn_add(wn_ones(WN_DIMS(2)), 1, .alpha = wn_val_of_tensor(deep)));
}

int main(void) {
    wn_set_error_hook(NULL);
    static void (*const tests[])(void) = {test_scopes, test_errors, test_promotion, test_geometry, test_views, test_overlap, test_wrong};
    wn_stats before = wn_get_stats();
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        tests[i]();
        wn_stats now = wn_get_stats();
        CHECK_AT(now.handles == before.handles && now.storages == before.storages && now.allocated == before.allocated && wn_error() == WN_OK, (int)i);
        wn_clear();
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
