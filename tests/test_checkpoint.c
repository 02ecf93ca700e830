/* Checkpoints: the same bits with and without, less kept, nested, second derivatives, failures, and who frees what. */
#include "check.h"

enum { DEPTH = 4, WIDTH = 32, ROWS = 16 };

typedef struct net {
    wn_tensor *w[DEPTH]; /* parameters that only ctx reaches */
    double p;            /* of dropout */
    int calls, frees, fail_at; /* fail_at: the call that fails */
    bool nested;
} net;

static void make_net(net *n, double p) {
    memset(n, 0, sizeof *n);
    n->p = p;
    wn_manual_seed(1);
    for (int i = 0; i < DEPTH; i++) {
        n->w[i] = wn_requires_grad(wn_mul(wn_randn(WN_DIMS(WIDTH, WIDTH), .dtype = WN_F64), 0.2), true);
        (void)wn_data(n->w[i]); /* computed now, also where everything is deferred */
    }
}

typedef struct part {
    net *n;
    int from, to;
} part;

static wn_tensor *layers(void *ctx, wn_list in) {
    part *k = ctx;
    net *n = k->n;
    wn_tensor *x = wn_at(in, 0);
    if (++n->calls == n->fail_at) return wn_add(x, wn_ones(WN_DIMS(7)));
    for (int i = k->from; i < k->to; i++) x = wn_tanh(wn_matmul(wn_dropout(x, n->p, true), n->w[i]));
    return x;
}
static void freed(void *ctx) { ((part *)ctx)->n->frees++; }

static wn_tensor *both(void *ctx, wn_list in) {
    part *k = ctx; /* k[1] and k[2] are its halves */
    k->n->calls++;
    wn_tensor *x = wn_checkpoint(layers, &k[1], in, .free = freed);
    return wn_checkpoint(layers, &k[2], WN_LIST(x), .free = freed);
}

static void grads(net *n, wn_tensor *x, double *out) {
    for (int i = 0; i < DEPTH; i++, out += WIDTH * WIDTH) {
        wn_tensor *g = wn_grad_of(n->w[i]);
        CHECK(g && wn_to_memory(g, out, WIDTH * WIDTH * sizeof *out, WN_F64) == WN_OK);
        zero_grad(n->w[i]);
    }
    CHECK(wn_to_memory(wn_grad_of(x), out, ROWS * WIDTH * sizeof *out, WN_F64) == WN_OK);
    zero_grad(x);
}

enum { PLAIN, ONE, TWO, NESTED, WAYS };
static wn_tensor *forward(net *n, part *k, wn_tensor *x, int way) {
    k[0] = (part){n, 0, DEPTH};
    k[1] = (part){n, 0, DEPTH / 2};
    k[2] = (part){n, DEPTH / 2, DEPTH};
    wn_manual_seed(5);
    switch (way) {
    case PLAIN: return layers(&k[0], WN_LIST(x));
    case ONE: return wn_checkpoint(layers, &k[0], WN_LIST(x), .free = freed);
    case TWO:
        x = wn_checkpoint(layers, &k[1], WN_LIST(x), .free = freed);
        return wn_checkpoint(layers, &k[2], WN_LIST(x), .free = freed);
    default: return wn_checkpoint(both, &k[0], WN_LIST(x), .free = freed);
    }
}

static void test_same_bits(void) {
    enum { N = DEPTH * WIDTH * WIDTH + ROWS * WIDTH };
    static const int calls[WAYS] = {1, 2, 4, 8}, frees[WAYS] = {0, 1, 2, 5};
    double *want = calloc(N, sizeof *want), *have = calloc(N, sizeof *have);
    for (int leaf = 0; leaf < 2; leaf++)
        for (int way = 0; way < WAYS; way++) {
            WN_SCOPE(s);
            net n;
            part k[3];
            make_net(&n, 0.3);
            wn_tensor *x = wn_requires_grad(wn_randn(WN_DIMS(ROWS, WIDTH), .dtype = WN_F64), true);
            wn_tensor *y = wn_sum(forward(&n, k, leaf ? x : wn_mul(x, 1), way));
            double draw = wn_item_f64(wn_rand(WN_DIMS(1), .dtype = WN_F64));
            CHECK(wn_backward(y) == WN_OK);
            CHECK(wn_item_f64(wn_rand(WN_DIMS(1), .dtype = WN_F64)) != draw); /* the rerun leaves the generator where it was */
            grads(&n, x, way ? have : want);
            CHECK(way == PLAIN || !memcmp(have, want, N * sizeof *have));
            if (n.calls != calls[way] || n.frees != frees[way]) printf("    way %d: %d calls, %d frees\n", way, n.calls, n.frees);
            CHECK(n.calls == calls[way]);
            CHECK(n.frees == frees[way]);
        }
    free(want);
    free(have);
}

/* Between forward and backward only the inputs of the checkpoint are alive. */
static void test_memory(void) {
    int64_t held[WAYS];
    for (int way = 0; way < WAYS; way++) {
        WN_SCOPE(s);
        net n;
        part k[3];
        make_net(&n, 0);
        wn_tensor *x = wn_randn(WN_DIMS(ROWS, WIDTH), .dtype = WN_F64), *y;
        (void)wn_data(x);
        int64_t before = wn_get_stats().allocated;
        {
            WN_SCOPE(inner);
            y = wn_leave(&inner, wn_sum(forward(&n, k, x, way)));
            (void)wn_item_f64(y);
        }
        held[way] = wn_get_stats().allocated - before;
        CHECK(wn_backward(y) == WN_OK);
    }
    const int64_t activation = ROWS * WIDTH * 8;
    CHECK(held[PLAIN] >= DEPTH * activation);
    CHECK(held[ONE] < activation);
    CHECK(held[TWO] >= activation && held[TWO] < 2 * activation);
    CHECK(held[NESTED] < activation); /* the input of the second half is not kept either */
}

static wn_tensor *cube(void *ctx, wn_list in) {
    ++*(int *)ctx;
    wn_tensor *x = wn_at(in, 0);
    return wn_mul(wn_mul(x, x), x);
}

static void test_derivatives(void) {
    WN_SCOPE(s);
    int calls = 0;
    wn_tensor *x = PARAM(1, 2, 3);
    wn_tensor *y = wn_sum(wn_checkpoint(cube, &calls, WN_LIST(x)));
    wn_tensor *g = wn_at(wn_grad(WN_LIST(y), WN_LIST(x), .create_graph = true), 0);
    IS(g, 3, 12, 27);
    IS(wn_at(wn_grad(WN_LIST(wn_sum(g)), WN_LIST(x), .retain_graph = true), 0), 6, 12, 18);
    IS(wn_at(wn_grad(WN_LIST(y), WN_LIST(x), .retain_graph = true), 0), 3, 12, 27); /* again: another rerun */
    CHECK(calls >= 3);
    WN_NO_GRAD();
    int before = calls;
    IS(wn_checkpoint(cube, &calls, WN_LIST(x)), 1, 8, 27);
    CHECK(calls == before + 1);
}

static wn_tensor *with_absent(void *ctx, wn_list in) {
    (void)ctx;
    return in.v[1] ? wn_mul(in.v[0], in.v[1]) : wn_exp(in.v[0]);
}
static wn_tensor *nothing(void *ctx, wn_list in) {
    (void)ctx, (void)in;
    return NULL;
}
static wn_tensor *fickle(void *ctx, wn_list in) {
    return ++*(int *)ctx == 1 ? wn_exp(wn_at(in, 0)) : wn_exp(wn_sin(wn_at(in, 0)));
}

static void test_errors(void) {
    WN_SCOPE(s);
    net n;
    part k[3];
    make_net(&n, 0);
    wn_tensor *x = wn_requires_grad(wn_ones(WN_DIMS(ROWS, WIDTH), .dtype = WN_F64), true);
    n.fail_at = 1;
    FAILS(wn_ok(forward(&n, k, x, ONE)), "add");
    CHECK(n.frees == 1);
    n.fail_at = 3; /* fails when it is run again */
    wn_tensor *y = wn_sum(forward(&n, k, x, ONE));
    FAILS(wn_backward(y) == WN_OK, "add");
    n.fail_at = 0;
    FAILS(wn_ok(wn_checkpoint(nothing, NULL, WN_LIST(x))), "checkpoint", "NULL");
    FAILS(wn_ok(wn_checkpoint(NULL, NULL, WN_LIST(x))), "checkpoint", "function");
    FAILS(wn_ok(wn_checkpoint(cube, NULL, ((wn_list){.n = -1, .v = NULL}))), "checkpoint", "-1");

    wn_tensor *v = PARAM(1, 2);
    y = wn_sum(wn_checkpoint(with_absent, NULL, ((wn_list){.n = 2, .v = (wn_tensor *[]){v, NULL}})));
    CHECK(wn_backward(y) == WN_OK);
    IS(wn_grad_of(v), exp(1), exp(2));
    int calls = 0;
    y = wn_sum(wn_checkpoint(fickle, &calls, WN_LIST(v)));
    FAILS(wn_backward(y) == WN_OK, "checkpoint", "different number", "(1)", "(2)");
    wn_tensor *changed = VEC(1, 2);
    y = wn_sum(wn_checkpoint(with_absent, NULL, WN_LIST(v, changed)));
    wn_add_(changed, 1);
    FAILS(wn_backward(y) == WN_OK, "checkpoint", "input 1", "changed in place");
}

/* Every allocation fails once: an error, nothing leaks, ctx is freed. */
static void test_short_memory(void) {
    wn_stats before = wn_get_stats();
    int64_t i = 0;
    for (bool done = false; !done && i < 5000; i++) {
        WN_SCOPE(s);
        net n;
        part k[3];
        make_net(&n, 0.5);
        wn_tensor *x = wn_requires_grad(wn_ones(WN_DIMS(ROWS, WIDTH), .dtype = WN_F64), true);
        wn_fail_allocation(i);
        wn_tensor *y = wn_sum(forward(&n, k, x, NESTED));
        bool ok = wn_backward(y) == WN_OK;
        done = !wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        if (!ok && wn_error() == WN_OK) CHECK(!"a failure without a record");
        wn_clear();
        if (done) CHECK(ok && n.frees == 5);
    }
    CHECK(i > 50 && i < 5000);
    wn_stats after = wn_get_stats();
    CHECK(after.handles == before.handles && after.storages == before.storages);
}

int main(void) {
    wn_set_error_hook(NULL);
    test_same_bits();
    test_memory();
    test_derivatives();
    test_errors();
    test_short_memory();
    return report();
}
