/* What a program computes for others beside what it was asked for: counted, never timed. SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

enum { N = 1000000 };

/* Instructions x elements since the last call, in units of N. */
static double since(void) {
    static int64_t last;
    const int64_t now = wn_get_stats().instr_elements, done = now - last;
    last = now;
    return (double)done / N;
}
static bool about(double have, double want) { return have > want - 0.01 && have < want + 0.01; }
static int64_t stored(void) { return wn_get_stats().stored; }

/* y and z are held, and only a sibling is read: they wait, in each round. */
static void test_held_and_unread(wn_tensor *x) {
    for (int round = 0; round < 4; round++) {
        WN_SCOPE(s);
        wn_tensor *y = wn_keep(wn_exp(x)), *z = wn_keep(wn_tanh(wn_mul(x, 2)));
        const int64_t before = stored();
        (void)since();
        CHECK(wn_item_f64(wn_sum(wn_add(x, 1))) > N);
        CHECK(about(since(), 2) && stored() == before + 1 && wn_is_pending(y) && wn_is_pending(z));
        CHECK(wn_item_f64(wn_sum(wn_sub(x, 1))) < 0 && about(since(), 2));
        wn_drop(y);
        wn_drop(z);
    }
}

/* One that is read later comes along from the second round on, with the same bits. */
static void test_read_in_an_earlier_round(wn_tensor *x) {
    double first = 0;
    for (int round = 0; round < 4; round++) {
        WN_SCOPE(s);
        wn_tensor *y = wn_keep(wn_exp(x)), *unread = wn_keep(wn_sin(x));
        (void)since();
        CHECK(wn_item_f64(wn_sum(wn_mul(x, 3))) > 0);
        CHECK(about(since(), round ? 3 : 2) && wn_is_pending(y) == !round && wn_is_pending(unread));
        double have;
        CHECK(wn_to_memory(wn_narrow(y, 0, 12345, 1), &have, sizeof have, WN_F64) == WN_OK);
        CHECK(about(since(), round ? 0 : 1));
        if (!round) first = have;
        CHECK(have == first);
        wn_drop(y);
        wn_drop(unread);
    }
}

/* What costs no more than reading the shared operands again comes along at once. */
static void test_cheap(void) {
    WN_SCOPE(s);
    wn_tensor *a = wn_rand(WN_DIMS(4 * N)), *b = wn_rand(WN_DIMS(4 * N));
    (void)wn_data(a), (void)wn_data(b);
    wn_tensor *sum = wn_keep(wn_add(a, b)), *difference = wn_keep(wn_sub(a, b)), *dear = wn_keep(wn_pow(a, b));
    (void)wn_data(sum);
    CHECK(!wn_is_pending(difference) && wn_is_pending(dear));
    wn_drop(sum);
    wn_drop(difference);
    wn_drop(dear);
    /* and so does what is made of something that would have to be computed again */
    wn_tensor *heavy = wn_tanh(wn_exp(wn_sin(a))), *mean = wn_keep(wn_sum(heavy)), *most = wn_keep(wn_amax(heavy));
    (void)since();
    CHECK(wn_item_f64(mean) > 0 && !wn_is_pending(most) && about(since(), 4 * 5));
    wn_drop(mean);
    wn_drop(most);
}

/* Two statistics of the rows of what leaves the cache: one pass. */
static void test_statistics(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_rand(WN_DIMS(4 * N / 500, 500));
    (void)wn_data(x);
    wn_tensor *sum = wn_keep(wn_sum(x, .dims = WN_DIMS(1))), *most = wn_keep(wn_amax(x, .dims = WN_DIMS(1)));
    (void)wn_data(sum);
    CHECK(!wn_is_pending(most));
    wn_drop(sum);
    wn_drop(most);
}

/* Gradients that were asked for: all in one pass, whatever they cost. */
static void test_gradients(wn_tensor *x) {
    WN_SCOPE(s);
    wn_tensor *p = wn_keep(wn_requires_grad(wn_clone(x), true)), *q = wn_keep(wn_requires_grad(wn_clone(x), true));
    (void)wn_data(p), (void)wn_data(q);
    CHECK(wn_backward(wn_sum(wn_mul(wn_exp(p), wn_tanh(q)))) == WN_OK);
    wn_tensor *gp = wn_grad_of(p), *gq = wn_grad_of(q);
    CHECK(wn_is_pending(gp) && wn_is_pending(gq) && wn_data(gp) && !wn_is_pending(gq));
    wn_drop(p);
    wn_drop(q);
}

int main(void) {
    wn_set_num_threads(1);
    wn_set_defer_from(8192);
    WN_SCOPE(s);
    wn_tensor *x = wn_keep(wn_rand(WN_DIMS(N)));
    (void)wn_data(x);
    test_held_and_unread(x);
    test_read_in_an_earlier_round(x);
    test_cheap();
    test_statistics();
    test_gradients(x);
    wn_drop(x);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
