/* Reports: what was computed, skipped and never run, counted by hand. SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include "check.h"

enum { N = 1 << 17 };

static wn_report_row row_of(wn_report *r, const char *op, const char *label) {
    const wn_report_row *rows;
    const int64_t n = wn_report_rows(r, &rows);
    for (int64_t i = 0; i < n; i++)
        if (!strcmp(rows[i].op, op) && (label ? rows[i].label && !strcmp(rows[i].label, label) : !rows[i].label)) return rows[i];
    return (wn_report_row){.op = "none", .calls = -1};
}

/* Values that are computed on the way to another, that nobody reads, and that still wait. */
static void test_values(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_full(WN_DIMS(N), 0.5), *held;
    (void)wn_data(x);
    wn_report *r = wn_report_begin();
    {
        WN_SCOPE(inner);
        wn_report_label("chain");
        CHECK(wn_item_f64(wn_sum(wn_tanh(wn_exp(x)))) > 0);
        wn_report_label("unread");
        (void)wn_sin(x);
        wn_report_label(NULL);
    }
    wn_report_label("held");
    held = wn_cos(x);
    wn_report_label(NULL);
    CHECK(wn_report_end(r) == WN_OK);
    const wn_report_row exp = row_of(r, "exp", "chain"), tanh = row_of(r, "tanh", "chain"), sum = row_of(r, "sum", "chain");
    const wn_report_row sin = row_of(r, "sin", "unread"), cos = row_of(r, "cos", "held");
    CHECK(exp.calls == 1 && exp.recorded == 1 && exp.run == 1 && exp.again == 0 && exp.elements == N && exp.bytes_spared == 4 * N);
    CHECK(tanh.run == 1 && tanh.elements == N && tanh.bytes_spared == 4 * N && sum.run == 1 && sum.elements == N && sum.bytes_spared == 0);
    CHECK(exp.seconds > 0 && tanh.seconds > 0 && exp.seconds + tanh.seconds + sum.seconds <= wn_report_seconds(r));
    CHECK(sin.calls == 1 && sin.recorded == 1 && sin.run == 0 && sin.never_run == 1 && sin.never_computed == N && sin.elements == 0 && sin.bytes_spared == 4 * N);
    CHECK(cos.recorded == 1 && cos.waiting == 1 && cos.run == 0 && cos.never_run == 0 && cos.elements == 0);
    CHECK(wn_item_f64(wn_amax(held)) > 0 && row_of(r, "cos", "held").run == 0); /* it has ended */
    wn_report_free(r);
}

/* A mask's part. */
static void test_mask(void) {
    WN_SCOPE(s);
    const int64_t some = 100;
    wn_tensor *x = wn_arange(N, .dtype = WN_F32);
    (void)wn_data(x);
    wn_report *r = wn_report_begin();
    wn_tensor *m = wn_lt(x, (double)some), *y = wn_where(m, wn_log1p(wn_exp(wn_mul(x, 1e-3))), 0);
    CHECK(wn_item_f64(wn_sum(y)) > 0);
    wn_report_end(r);
    const wn_report_row exp = row_of(r, "exp", NULL), log1p = row_of(r, "log1p", NULL), where = row_of(r, "where", NULL), lt = row_of(r, "lt", NULL);
    CHECK(exp.elements == some && exp.skipped == N - some && log1p.elements == some && log1p.skipped == N - some); /* x rises: they lie in the first block */
    CHECK(where.elements == N && where.skipped == 0 && lt.elements == N && lt.skipped == 0);
    wn_report_free(r);
}

/* What runs at once, small calls, products with what follows them, composites. */
static void test_kernels(void) {
    WN_SCOPE(s);
    wn_tensor *a = wn_randn(WN_DIMS(256, 256)), *few = wn_ones(WN_DIMS(8));
    (void)wn_data(a);
    wn_report *r = wn_report_begin();
    for (int i = 0; i < 10; i++) (void)wn_add(few, few);
    wn_tensor *y = wn_relu(wn_matmul(a, a)), *v = wn_sort(a).values;
    CHECK(wn_data(y) && wn_data(v));
    wn_report_end(r);
    const wn_report_row add = row_of(r, "add", NULL), relu = row_of(r, "relu", NULL), sort = row_of(r, "sort", NULL);
    CHECK(add.calls == 10 && add.recorded == 0 && add.run == 10 && add.elements == 80);
    CHECK(relu.run == 1 && relu.elements == 256 * 256 && sort.run == 1 && sort.elements == 256 * 256);
    const wn_report_row product = row_of(r, "matmul", NULL).elements > 0 ? row_of(r, "matmul", NULL) : row_of(r, "mm", NULL);
    CHECK(product.run == 1 && product.elements == 256 * 256 && product.seconds > relu.seconds);
    wn_report_free(r);
    const wn_stats before = wn_get_stats();
    (void)wn_add(few, few);
    CHECK(wn_get_stats().elements == before.elements + 8); /* the short way is open again */
}

static void test_recomputed(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_full(WN_DIMS(N), 0.5);
    (void)wn_data(x);
    wn_report *r = wn_report_begin();
    {
        WN_SCOPE(inner);
        wn_tensor *y = wn_mul(x, 2); /* the scope's alone: cheaper to make again than to store */
        CHECK(wn_item_f64(wn_sum(y)) == N && wn_item_f64(wn_amax(y)) == 1);
    }
    const wn_report_row mul = row_of(r, "mul", NULL);
    CHECK(mul.run == 1 && mul.again == 1 && mul.elements == 2 * N && mul.never_run == 0);
    wn_report_free(r); /* still open */
}

static void test_nesting(void) {
    WN_SCOPE(s);
    wn_tensor *few = wn_ones(WN_DIMS(4));
    wn_report *outer = wn_report_begin();
    (void)wn_add(few, few);
    wn_report *inner = wn_report_begin();
    (void)wn_add(few, few);
    (void)wn_add(few, few);
    wn_report_end(inner);
    wn_report_end(inner);
    (void)wn_add(few, few);
    CHECK(row_of(inner, "add", NULL).calls == 2 && row_of(outer, "add", NULL).calls == 4);
    wn_report_end(outer);
    (void)wn_add(few, few);
    CHECK(row_of(outer, "add", NULL).calls == 4);
    wn_report_free(inner);
    wn_report_free(outer);
    wn_report_free(NULL);
    CHECK(wn_report_end(NULL) == WN_OK);
}

static void test_texts(void) {
    WN_SCOPE(s);
    wn_tensor *few = wn_ones(WN_DIMS(4));
    wn_report *r = wn_report_begin();
    CHECK(wn_report_label("a \"line\"\\\n") == NULL);
    (void)wn_add(few, few);
    CHECK(!strcmp(wn_report_label(NULL), "a \"line\"\\\n"));
    wn_report_end(r);
    CHECK(strstr(wn_report_text(r), "add") && strstr(wn_report_text(r), "a \"line\""));
    const char *json = wn_report_json(r);
    CHECK(strstr(json, "\"label\": \"a \\\"line\\\"\\\\\\u000a\", \"op\": \"add\", \"calls\": 1, \"recorded\": 0, \"run\": 1"));
    wn_report_free(r);
    r = wn_report_begin(); /* nothing at all */
    CHECK(strstr(wn_report_json(r), "\"rows\": [\n]") && strstr(wn_report_text(r), "0 elements"));
    wn_report_free(r);
    wn_fail_allocation(0);
    CHECK(!wn_report_begin() && wn_error() == WN_E_MEMORY);
    wn_fail_allocation(-1);
    wn_clear();
}

static void *in_thread(void *label) {
    WN_SCOPE(s);
    wn_report_label(label);
    wn_tensor *few = wn_ones(WN_DIMS(4)), *many = wn_ones(WN_DIMS(N));
    for (int i = 0; i < 1000; i++) {
        WN_SCOPE(inner);
        (void)wn_add(few, few);
        if (i % 100 == 0) (void)wn_item_f64(wn_sum(wn_exp(many)));
    }
    return NULL;
}

static void test_threads(void) {
    pthread_t t[3];
    static const char *const label[3] = {"first", "second", "third"};
    wn_report *r = wn_report_begin();
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, in_thread, (void *)(uintptr_t)label[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    wn_report_end(r);
    for (int i = 0; i < 3; i++) {
        const wn_report_row add = row_of(r, "add", label[i]), exp = row_of(r, "exp", label[i]);
        CHECK(add.calls == 1000 && add.elements == 4000 && exp.run == 10 && exp.elements == 10 * N);
    }
    wn_report_free(r);
}

int main(void) {
    wn_set_defer_from(8192);
    test_values();
    test_mask();
    test_kernels();
    test_recomputed();
    test_nesting();
    test_texts();
    test_threads();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
