/* What a binding needs beside operations: errors of its own, owners of handles, memory known outside, other storages. */
#include <pthread.h>
#include "base/alloc.h"
#include "tensor/tensor.h"
#include "defer/value.h"
#include "check.h"

/* ------------------------------------------------------------------ errors of callbacks */

static void test_raise(void) {
    CHECK(wn_raise(WN_E_VALUE, "reader", "%d rows too %s", 3, "many") == WN_E_VALUE);
    CHECK(wn_error() == WN_E_VALUE && !strcmp(wn_error_message(), "reader: 3 rows too many") && !strcmp(wn_error_op(), "reader"));
    CHECK(wn_raise(WN_E_TYPE, "second", "unseen") == WN_E_TYPE && wn_error() == WN_E_VALUE && wn_error_count() == 2);
    wn_clear();
    CHECK(wn_raise(WN_OK, NULL, "plain") == WN_E_RUNTIME && !strcmp(wn_error_message(), "plain") && !wn_error_op()[0]);
    wn_clear();
}

static wn_tensor *raising(void *ctx, wn_tensor *g) {
    (void)g;
    wn_raise(WN_E_INDEX, ctx, "the hook says no");
    return NULL;
}
static wn_tensor *returning_bad(void *ctx, wn_tensor *g) {
    wn_tensor *bad = wn_add(g, wn_zeros(WN_DIMS(7)));
    if (ctx) wn_clear();
    return bad;
}
static wn_tensor *recovering(void *ctx, wn_tensor *g) { /* had an error, and dealt with it */
    (void)ctx;
    (void)wn_add(g, wn_zeros(WN_DIMS(7)));
    wn_clear();
    return NULL;
}

/* u = 2a, v = 3b, y = u * v: b's gradient is complete before anything of u runs. */
static void test_failing_hooks(void) {
    WN_SCOPE(s);
    for (int way = 0; way < 6; way++) {
        wn_tensor *a = PARAM(1, 2), *b = PARAM(3, 4);
        wn_tensor *u = wn_mul(a, 2), *v = wn_mul(b, 3), *y = wn_sum(wn_mul(u, v));
        wn_tensor *at = way % 2 ? a : u; /* a leaf, an inner node */
        if (way < 2) CHECK(wn_register_hook(at, raising, (void *)(uintptr_t)"my_hook") > 0);
        else CHECK(wn_register_hook(at, returning_bad, way < 4 ? NULL : at) > 0);
        wn_status st = wn_backward(y);
        if (way < 2) {
            CHECK(st == WN_E_INDEX && wn_error() == WN_E_INDEX);
            FAILS(st == WN_OK, "my_hook: the hook says no");
        } else if (way < 4) {
            FAILS(st == WN_OK, "add");
        } else {
            FAILS(st == WN_OK, "bad tensor");
        }
        CHECK(wn_grad_of(a) == NULL); /* stopped before it, and b's stays, as in torch */
        IS(wn_grad_of(b), 6, 12);
        wn_tensor *z = wn_sum(wn_mul(b, b)); /* all is well afterwards */
        CHECK(wn_backward(z) == WN_OK);
        IS(wn_grad_of(b), 12, 20);
    }
    wn_tensor *x = PARAM(1, 2), *y = wn_sum(wn_mul(x, 5));
    CHECK(wn_register_hook(x, recovering, NULL) > 0 && wn_backward(y) == WN_OK && wn_error() == WN_OK);
    IS(wn_grad_of(x), 5, 5);
    wn_raise(WN_E_VALUE, "older", "an error that nobody cleared"); /* does not make a hook fail that clears it */
    wn_tensor *w = PARAM(1, 2);
    CHECK(wn_register_hook(w, recovering, NULL) > 0 && wn_backward(wn_sum(w)) == WN_OK && wn_error() == WN_OK);
}

static wn_status third_fails(void *ctx, const wn_sample *sample) {
    (void)ctx;
    if (sample->index == 2) return wn_raise(WN_E_TYPE, "reader", "sample %d is torn", 2);
    *(double *)sample->out[0] = (double)sample->index;
    return WN_OK;
}
static void test_failing_dataset(void) {
    WN_SCOPE(s);
    wn_dataset *d = wn_dataset_new(4, third_fails, NULL, .parts = {{.dtype = WN_F64, .shape = WN_0D}});
    CHECK(d && wn_dataset_at(d, 1).n == 1);
    FAILS(wn_dataset_at(d, 2).n == 1, "reader: sample 2 is torn");
    wn_loader *l = wn_loader_new(d, 4, .workers = 2); /* the message comes over from the worker's thread */
    wn_batch batch;
    FAILS(wn_next(l, &batch), "sample 2 (position 2", "reader: sample 2 is torn");
    wn_loader_free(l);
    wn_dataset_free(d);
}

/* ------------------------------------------------------------------ owners */

static void *heard[64];
static int nheard;
static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;
static wn_tensor *next_of[8];
static int depth, deepest;
static void hear(void *value) {
    if (nheard < 64) heard[nheard++] = value;
    pthread_mutex_lock(&other_lock); /* would hang if it were called while a thread that has it waits for us */
    pthread_mutex_unlock(&other_lock);
    deepest = ++depth > deepest ? depth : deepest;
    for (int i = 0; i < 8; i++)
        if (value == &next_of[i] && next_of[i]) { /* owners that own handles */
            wn_drop(next_of[i]);
            next_of[i] = NULL;
        }
    depth--;
}

static void test_owner(void) {
    int a, b;
    wn_on_free(hear);
    {
        WN_SCOPE(s);
        wn_tensor *x = VEC(1, 2), *y = wn_add(x, 1);
        wn_set_user(x, 1, &a);
        wn_set_user(y, 0, &b);
        CHECK(wn_user(x, 1) == &a && wn_user(y, 0) == &b && wn_user(x, 2) == NULL);
        CHECK(wn_references(x) == 0);
        wn_keep(x);
        CHECK(wn_references(x) == 1 && wn_references(&wn__bad_tensor) == 0);
        nheard = 0;
        wn_done(x);
        CHECK(nheard == 0);
        IS(x, 1, 2);
        wn_drop(x);
        CHECK(nheard == 1 && heard[0] == &a);
        wn_tensor *z = VEC(1);
        wn_set_user(z, 1, &a);
        wn_set_user(z, 1, NULL);
        wn_done(z);
        wn_done(y);
        CHECK(nheard == 1);
        /* saved by the tape: goes with the graph */
        wn_tensor *p = PARAM(1, 2), *q = wn_exp(p), *r = wn_mul(q, q);
        wn_set_user(q, 1, &b);
        wn_done(q);
        CHECK(nheard == 1 && wn_ok(r) && wn_references(p) > 0);
        wn_done(r);
        CHECK(nheard == 2 && heard[1] == &b);
    }
    { /* a chain of owners is told one after the other */
        WN_SCOPE(s);
        nheard = deepest = 0;
        wn_tensor *first = VEC(0);
        wn_set_user(first, 1, &next_of[0]);
        for (int i = 0; i < 7; i++) {
            next_of[i] = wn_keep(VEC(i));
            wn_set_user(next_of[i], 1, &next_of[i + 1]);
        }
        wn_end(&s); /* the first goes; the others are owned by it alone */
        CHECK(nheard == 8 && deepest == 1 && heard[7] == &next_of[7]);
    }
    { /* the last reference goes while the lock of deferred values is held: told when it has been given back */
        WN_SCOPE(s);
        nheard = 0;
        wn_tensor *x = wn_keep(VEC(1));
        wn_set_user(x, 1, &a);
        wn__defer_lock();
        wn__defer_lock();
        wn_done(x);
        wn_drop(x);
        wn__defer_unlock();
        CHECK(nheard == 0);
        wn__defer_unlock();
        CHECK(nheard == 1);
    }
    wn_on_free(NULL);
    WN_SCOPE(s);
    nheard = 0;
    wn_tensor *x = VEC(1);
    wn_set_user(x, 1, &a);
    wn_done(x);
    CHECK(nheard == 0);
}

static void count_down(void *ctx) { --*(int *)ctx; }
static void test_deleters(void) { /* as the owners: outside the lock */
    double data[2] = {1, 2};
    int live = 1;
    wn_tensor *x = wn_keep(wn_from_memory(data, WN_DIMS(2), WN_UNSET, WN_F64, count_down, &live));
    wn_done(x);
    CHECK(live == 1);
    wn__defer_lock();
    wn_drop(x);
    CHECK(live == 1);
    wn__defer_unlock();
    CHECK(live == 0);
}

/* ------------------------------------------------------------------ exposed memory */

static bool defers(void) { /* are operations on 20000 elements deferred at all in this run? */
    WN_SCOPE(s);
    return wn_is_pending(wn_add(wn_ones(WN_DIMS(20000)), 1));
}

static void test_expose(void) {
    WN_SCOPE(s);
    bool on = defers();
    wn_tensor *x = wn_ones(WN_DIMS(20000)), *y = wn_add(x, 1);
    CHECK(wn_is_pending(y) == on);
    CHECK(wn_expose(y) == WN_OK && !wn_is_pending(y));
    const float *p = wn_data(y);
    CHECK(p[0] == 2 && p[19999] == 2);
    CHECK(wn_ok(wn_mul_(y, 3)) && p[0] == 6 && p[19999] == 6); /* at once, seen through the old pointer */
    wn_tensor *z = wn_add(y, 1), *part = wn_add(wn_slice(y, 0, 10, 20000), 1);
    CHECK(!wn_is_pending(z) && !wn_is_pending(part));
    ((float *)(uintptr_t)p)[5] = 100; /* z has read the old contents; what comes now reads the new ones */
    CHECK(((const float *)wn_data(z))[5] == 7 && ((const float *)wn_data(wn_add(y, 1)))[5] == 101);
    CHECK(wn_ok(wn_copy_(y, x)) && p[5] == 1);
    CHECK(wn_expose(y) == WN_OK);
    wn_unexpose(y);
    CHECK(!wn_is_pending(wn_add(y, 1))); /* still once */
    wn_unexpose(y);
    CHECK(wn_is_pending(wn_add(y, 1)) == on);
    wn_unexpose(y); /* too often: nothing */
    CHECK(wn_is_pending(wn_add(y, 1)) == on && y->storage->exposed == 0);
    /* pending values that have still to read the memory get the old contents */
    wn_tensor *a = wn_ones(WN_DIMS(20000)), *b = wn_add(a, 1);
    CHECK(wn_is_pending(b) == on && wn_expose(a) == WN_OK);
    ((float *)(uintptr_t)wn_data(a))[0] = 50;
    CHECK(((const float *)wn_data(b))[0] == 2);
    /* an alias carries the count when its tensor gets another storage */
    wn_tensor *alias = wn_detach(a);
    CHECK(wn_expose(alias) == WN_OK && wn_set_data(a, x) == WN_OK);
    wn_unexpose(alias);
    wn_unexpose(alias); /* a's own: its storage is the alias's alone now */
    CHECK(alias->storage->exposed == 0 && x->storage->exposed == 0);
    FAILS(wn_expose(NULL) == WN_OK, "absent");
    /* storages */
    wn_tensor *m = wn_add(wn_ones(WN_DIMS(100, 200)), 1), *row = wn_select(m, 0, 3);
    CHECK(wn_storage_bytes(row) == 80000 && wn_storage_data(row) == wn_data(m) && !wn_is_pending(m));
    CHECK(wn_storage_data(NULL) == NULL && wn_storage_bytes(NULL) == 0);
}

/* ------------------------------------------------------------------ other storages, and what handles know */

/* torch's .data: changes through it and its views do not count, except for itself; others do. */
static void test_get_data(void) {
    WN_SCOPE(s);
    wn_tensor *w = PARAM(1, 2, 3), *half = PARAM(1, 1, 1), *sum = wn_sum(wn_mul(wn_mul(w, w), half)), *d = wn_get_data(w);
    CHECK(wn_same_storage(w, d) && !wn_needs_grad(d) && wn_base_of(d) == NULL && wn_version(d) == 0);
    CHECK(wn_ok(wn_mul_(d, 2)) && wn_ok(wn_add_(wn_slice(d, 0, 0, 1), 5)) && wn_version(w) == 0 && wn_version(d) == 2);
    CHECK(wn_version(wn_get_data(w)) == 0 && wn_backward(sum) == WN_OK);
    IS(wn_grad_of(w), 14, 8, 12);
    sum = wn_sum(wn_mul(half, d)); /* saves d */
    CHECK(wn_ok(wn_add_(d, 1)));
    FAILS(wn_backward(sum) == WN_OK, "version 2", "version 3");
    sum = wn_sum(wn_mul(w, w));
    CHECK(wn_ok(wn_add_(wn_detach(w), 1)) && wn_version(d) == 3);
    FAILS(wn_backward(sum) == WN_OK, "version 0", "version 1");
    /* pending readers get what was there; indices are counted, since backward relies on their range */
    wn_tensor *big = wn_requires_grad(wn_ones(WN_DIMS(20000)), true), *twice = wn_mul(big, 2);
    CHECK(wn_ok(wn_fill_(wn_get_data(big), 7)) && wn_item_f64(wn_select(twice, 0, 9)) == 2 && wn_item_f64(wn_select(big, 0, 9)) == 7);
    wn_tensor *rows = wn_zeros(WN_DIMS(2), .dtype = WN_I64), *table = wn_requires_grad(wn_ones(WN_DIMS(3, 2)), true);
    sum = wn_sum(wn_index_select(table, 0, rows));
    CHECK(wn_ok(wn_fill_(wn_get_data(rows), 9)));
    FAILS(wn_backward(sum) == WN_OK, "version");
    FAILS(wn_ok(wn_get_data(NULL)), "absent");
}

static void test_set_data(void) {
    WN_SCOPE(s);
    wn_tensor *w = PARAM(1, 2), *src = wn_from_data((float[]){4, 5, 6}, WN_DIMS(3), WN_F32);
    CHECK(wn_backward(wn_sum(w)) == WN_OK);
    CHECK(wn_set_data(w, src) == WN_OK && wn_same_storage(w, src) && wn_dtype_of(w) == WN_F32 && wn_numel(w) == 3);
    CHECK(wn_needs_grad(w) && wn_is_leaf(w) && wn_numel(wn_grad_of(w)) == 2); /* .grad is not touched */
    CHECK(wn_set_grad(w, NULL) == WN_OK && wn_backward(wn_sum(wn_mul(w, w))) == WN_OK);
    IS(wn_grad_of(w), 8, 10, 12);
    FAILS(wn_set_data(w, wn_arange(3)) == WN_OK, "floating point");
    FAILS(wn_set_data(w, NULL) == WN_OK, "absent");
    CHECK(wn_set_data(w, w) == WN_OK);
    wn_tensor *n = wn_arange(3);
    CHECK(wn_set_data(n, src) == WN_OK && wn_dtype_of(n) == WN_F32);
    /* pending: the value moves with the storage */
    wn_tensor *big = wn_ones(WN_DIMS(20000)), *other = wn_add(big, 1), *third = wn_add(big, 2);
    CHECK(wn_set_data(other, third) == WN_OK);
    CHECK(wn_ok(wn_add_(third, 1)) && wn_item_f64(wn_select(other, 0, 7)) == 4);
    /* saved before, changed since */
    wn_tensor *p = PARAM(1, 2), *sq = wn_sum(wn_mul(p, p));
    CHECK(wn_set_data(p, VEC(7, 8, 9)) == WN_OK && wn_version(p) == 0); /* it counts as before, and what was saved has another shape */
    FAILS(wn_backward(sq) == WN_OK, "set_", "version", "f64[3]");
    p = PARAM(1, 2);
    sq = wn_sum(wn_mul(p, p));
    CHECK(wn_set_data(p, wn_to(VEC(7, 8), WN_F32)) == WN_OK);
    FAILS(wn_backward(sq) == WN_OK, "f32[2]");
    /* of the same dtype and shape it counts for neither: backward takes what is there */
    p = PARAM(1, 2);
    wn_tensor *q = PARAM(7, 8), *two = wn_sum(wn_add(wn_mul(p, p), wn_mul(q, q)));
    CHECK(wn_set_data(p, q) == WN_OK && wn_same_storage(p, q) && wn_version(p) == 0 && wn_version(q) == 0 && wn_backward(two) == WN_OK);
    IS(wn_grad_of(p), 14, 16);
    IS(wn_grad_of(q), 14, 16);
    sq = wn_sum(wn_mul(p, p));
    CHECK(wn_ok(wn_add_(wn_detach(q), 1)) && wn_version(p) == 0 && wn_version(q) == 1); /* each counts what is done through it */
    CHECK(wn_ok(wn_add_(wn_detach(p), 1)) && wn_version(p) == 1 && wn_version(q) == 1);
    FAILS(wn_backward(sq) == WN_OK, "add", "version");
    /* with its views of before, whose memory it has left; also when that is gone */
    wn_tensor *x = wn_zeros(WN_DIMS(4), .dtype = WN_F64), *before = wn_slice(x, 0, 0, 2);
    CHECK(wn_ok(wn_add_(x, 1)) && wn_set_data(x, VEC(1, 2, 3)) == WN_OK && wn_version(x) == 1 && wn_version(before) == 1);
    CHECK(wn_ok(wn_add_(before, 1)) && wn_version(x) == 2 && wn_ok(wn_add_(x, 1)) && wn_version(before) == 3);
    wn_tensor *after = wn_keep(wn_slice(x, 0, 1, 3));
    CHECK(wn_ok(wn_add_(after, 1)) && wn_version(x) == 4 && wn_version(before) == 4);
    CHECK(wn_set_data(x, VEC(5)) == WN_OK && wn_ok(wn_add_(x, 1)) && wn_version(after) == 5 && wn_version(before) == 5);
    CHECK(wn_version(wn_get_data(x)) == 0 && wn_ok(wn_add_(wn_get_data(x), 1)) && wn_version(x) == 5);
    wn_drop(after);
    wn_tensor *large = wn_keep(wn_zeros(WN_DIMS(1 << 20)));
    CHECK(wn_set_data(large, wn_ones(WN_DIMS(2))) == WN_OK && wn_ok(wn_add_(large, 1)) && wn_version(large) == 1);
    wn_drop(large);
    /* a view that gets another storage is none any more; nor is a view of a base that got one */
    wn_tensor *base = wn_mul(PARAM(1, 2, 3), 2), *view = wn_slice(base, 0, 0, 2);
    CHECK(wn_base_of(view) == base && wn_set_data(view, VEC(9, 9)) == WN_OK && wn_base_of(view) == NULL);
    base = wn_zeros(WN_DIMS(3), .dtype = WN_F64);
    view = wn_slice(base, 0, 0, 2);
    CHECK(wn_set_data(base, VEC(5, 5, 5)) == WN_OK && wn_base_of(view) == NULL);
    wn_tensor *leaf = PARAM(3, 4);
    CHECK(wn_ok(wn_mul_(view, leaf)) && wn_needs_grad(view) && !wn_needs_grad(base));
    wn_tensor *both = PARAM(1, 1);
    CHECK(wn_ok(wn_add_(view, both)) && wn_backward(wn_sum(view)) == WN_OK);
    IS(wn_grad_of(leaf), 0, 0);
    IS(wn_grad_of(both), 1, 1);
}

static void test_known(void) {
    WN_SCOPE(s);
    wn_tensor *p = PARAM(1, 2, 3), *y = wn_mul(p, 2), *v = wn_slice(y, 0, 0, 2), *vv = wn_slice(v, 0, 0, 1);
    CHECK(wn_base_of(y) == NULL && wn_base_of(v) == y && wn_base_of(vv) == y && wn_base_of(wn_detach(y)) == NULL);
    CHECK(!wn_retains_grad(y) && wn_retain_grad(y) == y && wn_retains_grad(y) && !wn_retains_grad(p));
    wn_list parts = wn_unbind(wn_mul(p, 3));
    CHECK(parts.n == 3 && wn_output_nr(parts.v[2]) == 2 && wn_output_nr(p) == 0 && wn_output_nr(NULL) == 0);
    CHECK(!wn_is_inference(p));
    {
        WN_INFERENCE();
        CHECK(wn_is_inference(VEC(1)));
    }
    /* a view made before its base got a history */
    wn_tensor *plain = wn_zeros(WN_DIMS(3), .dtype = WN_F64), *early = wn_slice(plain, 0, 0, 2);
    CHECK(wn_is_leaf(early) && wn_ok(wn_copy_(plain, wn_mul(p, 2))) && !wn_is_leaf(early) && wn_needs_grad(early));
}

/* ------------------------------------------------------------------ generators */

static void test_generators(void) {
    WN_SCOPE(s);
    wn_generator *own = wn_generator_new(11), *both[2] = {own, NULL};
    wn_manual_seed(5);
    CHECK(wn_generator_initial_seed(own) == 11 && wn_generator_initial_seed(NULL) == 5);
    for (int i = 0; i < 2; i++) {
        wn_generator *g = both[i];
        char state[8192], short_of[8] = {0};
        size_t n = wn_generator_state(g, NULL, 0);
        CHECK((n == 24 || n == 5056) && wn_generator_state(g, short_of, sizeof short_of) == n && !short_of[0]);
        (void)wn_rand(WN_DIMS(7), .generator = g);
        CHECK(wn_generator_state(g, state, sizeof state) == n);
        wn_tensor *a = wn_randn(WN_DIMS(9), .generator = g, .dtype = WN_F64);
        CHECK(wn_generator_set_state(g, state, n) == WN_OK);
        wn_tensor *b = wn_randn(WN_DIMS(9), .generator = g, .dtype = WN_F64);
        CHECK(wn_ok(a) && !memcmp(wn_data(a), wn_data(b), 72) && wn_generator_initial_seed(g) == (i ? 5 : 11));
        FAILS(wn_generator_set_state(g, state, n - 1) == WN_OK, "wrong size");
        FAILS(wn_generator_set_state(g, NULL, n) == WN_OK, "wrong size");
        memset(state, 0xee, n);
        FAILS(wn_generator_set_state(g, state, n) == WN_OK, "no state");
        CHECK(wn_ok(wn_rand(WN_DIMS(3), .generator = g)));
    }
    wn_generator_free(own);
}

int main(void) {
    wn_set_error_hook(NULL);
    test_raise();
    test_failing_hooks();
    test_failing_dataset();
    test_owner();
    test_deleters();
    test_expose();
    test_get_data();
    test_set_data();
    test_known();
    test_generators();
    CHECK(wn_error() == WN_OK);
    wn_stats st = wn_get_stats();
    if (st.handles || st.storages) printf("%lld handles and %lld storages are left\n", (long long)st.handles, (long long)st.storages);
    CHECK(st.handles == 0 && st.storages == 0 && wn__slab_live(WN__SLAB_NODE) == 0);
    return report();
}
