/* Events for profilers: calls, programs and their parts, as they nest and as they are numbered. SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "winnow_events.h"

enum { N = 1 << 17 };

static wn_event event_of(int64_t from, wn_event_kind kind, const char *op, int64_t *number) {
    wn_event e;
    for (int64_t i = from; wn_events_at(i, &e); i++) {
        if (e.kind != kind || strcmp(e.op, op)) continue;
        if (number) *number = i;
        return e;
    }
    return (wn_event){.op = "none"};
}

static void test_calls(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(2, 3));
    wn_events_begin(false);
    const int64_t from = wn_events_first();
    wn_report_label("here");
    (void)wn_mm(x, wn_t(x));
    wn_report_label(NULL);
    const wn_event e = event_of(from, WN_EVENT_CALL, "mm", NULL);
    CHECK(e.began > 0 && e.ended >= e.began && e.of == -1 && e.thread == wn_events_thread());
    CHECK(e.label && !strcmp(e.label, "here"));
    CHECK(e.noperands >= 8 && e.operands[0] == WN_F32 && e.operands[1] == 2 && e.operands[2] == 2 && e.operands[3] == 3);
    CHECK(e.operands[4] == WN_F32 && e.operands[5] == 2 && e.operands[6] == 3 && e.operands[7] == 2);
    (void)wn_cat(WN_LIST(x, x));
    const wn_event c = event_of(from, WN_EVENT_CALL, "cat", NULL);
    CHECK(c.noperands >= 9 && c.operands[0] == -4 && c.operands[3] == 2 && c.operands[4] == 3 && c.operands[5] == WN_F32);
    wn_events_end();
    wn_event none;
    CHECK(!wn_events_at(from, &none)); /* forgotten */
    const int64_t next = wn_events_first();
    (void)wn_add(x, 1);
    CHECK(next > from && wn_events_first() == next); /* nothing is noted, numbers go on */
}

static void test_programs(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_full(WN_DIMS(N), 0.5);
    (void)wn_data(x);
    wn_events_begin(false);
    const int64_t from = wn_events_first();
    CHECK(wn_item_f64(wn_sum(wn_tanh(wn_exp(x)))) > 0);
    int64_t call, number, part;
    const wn_event program = event_of(from, WN_EVENT_PROGRAM, "program", &number);
    const wn_event asked = event_of(from, WN_EVENT_CALL, "exp", &call), exp = event_of(from, WN_EVENT_PART, "exp", &part);
    CHECK(program.ended > program.began && asked.ended <= program.began);
    CHECK(exp.of == call && part > number && exp.began >= program.began && exp.ended <= program.ended);
    const wn_event tanh = event_of(from, WN_EVENT_PART, "tanh", NULL), sum = event_of(from, WN_EVENT_PART, "sum", NULL);
    CHECK(tanh.began == exp.ended && sum.began == tanh.ended && sum.ended <= program.ended);
    CHECK(exp.ended > exp.began && tanh.ended > tanh.began);
    wn_events_end();
}

static void test_backward(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(wn_ones(WN_DIMS(3)), true), *y = wn_sum(wn_sin(x));
    wn_events_begin(false);
    const int64_t from = wn_events_first();
    CHECK(wn_backward(y) == WN_OK);
    int64_t turn, own, call;
    const wn_event outer = event_of(from, WN_EVENT_TURN, "SinBackward0", &turn), inner = event_of(from, WN_EVENT_NODE, "SinBackward0", &own);
    const wn_event cos = event_of(from, WN_EVENT_CALL, "cos", &call), leaf = event_of(from, WN_EVENT_TURN, "AccumulateGrad", NULL);
    CHECK(turn < own && own < call && outer.noperands == 0);
    CHECK(outer.began <= inner.began && inner.began <= cos.began && cos.ended <= inner.ended && inner.ended <= outer.ended && outer.ended <= leaf.began);
    CHECK(event_of(from, WN_EVENT_TURN, "SumBackward0", NULL).ended && event_of(from, WN_EVENT_NODE, "AccumulateGrad", NULL).ended);
    wn_events_end();
    const int64_t next = wn_events_first();
    CHECK(wn_backward(wn_sum(wn_sin(x))) == WN_OK && wn_events_first() == next); /* nothing is noted */
}

static void test_bytes_and_readers(void) {
    WN_SCOPE(s);
    wn_events_begin(false);
    wn_events_begin(true);
    const int64_t from = wn_events_first();
    wn_tensor *x = wn_zeros(WN_DIMS(N));
    CHECK(wn_data(x));
    const wn_event e = event_of(from, WN_EVENT_CALL, "zeros", NULL);
    CHECK(e.bytes >= 4 * N && e.bytes < 5 * N);
    wn_events_end();
    wn_event again;
    CHECK(wn_events_at(from, &again)); /* the other reader is there still */
    wn_events_end();
    CHECK(!wn_events_at(from, &again));
    wn_events_end(); /* one too many changes nothing */
    wn_events_begin(false);
    wn_events_end();
}

/* Results that wait over the end and the next beginning: their calls are not in the list. */
static void test_earlier_calls(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_full(WN_DIMS(N), 0.5);
    (void)wn_data(x);
    wn_events_begin(false);
    wn_tensor *y = wn_exp(x);
    wn_events_end();
    wn_tensor *z = wn_cos(x);
    wn_events_begin(false);
    const int64_t from = wn_events_first();
    CHECK(wn_item_f64(wn_sum(y)) > 0 && wn_item_f64(wn_sum(z)) > 0);
    const wn_event exp = event_of(from, WN_EVENT_PART, "exp", NULL), cos = event_of(from, WN_EVENT_PART, "cos", NULL);
    CHECK(exp.ended > 0 && exp.of == -1 && cos.ended > 0 && cos.of == -1);
    wn_events_end();
}

/* More than a chunk of them. */
static void test_many(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(2, 2));
    wn_events_begin(false);
    const int64_t from = wn_events_first();
    for (int i = 0; i < 5000; i++) {
        WN_SCOPE(inner);
        (void)wn_neg(x);
    }
    wn_event e;
    CHECK(wn_events_first() == from + 5000 && wn_events_at(from + 4999, &e) && !strcmp(e.op, "neg") && e.operands[3] == 2 && !wn_events_at(from + 5000, &e));
    wn_events_end();
}

int main(void) {
    wn_set_defer_from(8192);
    test_calls();
    test_programs();
    test_backward();
    test_bytes_and_readers();
    test_earlier_calls();
    test_many();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
