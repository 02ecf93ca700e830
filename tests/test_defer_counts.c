/* What deferral computes, counted: nothing that nobody reads, nothing twice needlessly, little of a branch that a mask does not
 * take, and never much memory. SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "winnow.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SLOW = 20 };
#else
enum { SLOW = 1 };
#endif

static int passed, failed;
static bool check_(bool ok, int line, const char *what) {
    if (ok) passed++;
    else failed++, printf("FAILED %s:%d: %s (record: %s)\n", __FILE__, line, what, wn_error_message());
    return ok;
}
#define CHECK(x) check_((x), __LINE__, #x)

static int64_t counted(void) { return wn_get_stats().instr_elements; }
/* Instructions x elements since the last call, in units of n elements. */
static double since(int64_t n) {
    static int64_t last;
    const int64_t now = counted(), done = now - last;
    last = now;
    return (double)done / (double)n;
}
static bool about(double have, double least, double most, int line, const char *what) {
    const bool ok = have >= least && have <= most;
    if (!ok) printf("    line %d: %s: %.3f instructions an element, expected %.3f to %.3f\n", line, what, have, least, most);
    return ok;
}
#define COUNT(n, least, most, what) check_(about(since(n), least, most, __LINE__, what), __LINE__, what)

/* ------------------------------------------------------------------ memory */

enum { ACCUMULATORS = 7 };
/* Steps of something that nobody reads until the end. */
static double accumulate(int kind, int64_t n, int64_t steps, int64_t *peak) {
    WN_SCOPE(scope);
    wn_manual_seed(1);
    wn_tensor *x = wn_rand(WN_DIMS(n)), *acc = wn_keep(wn_zeros(WN_DIMS(kind == 3 || kind == 5 ? 1 : n)));
    (void)wn_data(x), (void)wn_data(acc);
    wn_reset_peaks();
    const int64_t before = wn_get_stats().allocated;
    for (int64_t i = 0; i < steps; i++) {
        WN_SCOPE(s);
        wn_tensor *next = acc, *fresh;
        switch (kind) {
        case 0: next = wn_add(wn_mul(acc, 0.5), x); break; /* a new tensor each time */
        case 1: wn_add_(acc, x); break;                    /* in place */
        case 2:                                            /* an operand of its own each time: it must stay alive, or the sum be run */
            fresh = wn_rand_like(x);
            (void)wn_data(fresh);
            next = wn_add(acc, fresh);
            break;
        case 3: next = wn_add(acc, wn_mean(wn_square(wn_mul(x, (double)(i % 7))))); break; /* the loss of every step, summed */
        case 4: wn_mul_(acc, 0.9), wn_add_(acc, wn_mul(x, 0.1)); break;                     /* a running average */
        case 5:                                                                             /* reductions of fresh tensors */
            fresh = wn_rand_like(x);
            (void)wn_data(fresh);
            next = wn_add(acc, wn_sum(wn_add(fresh, x)));
            break;
        default: next = wn_add(acc, wn_rand_like(x)); break; /* draws that are made when they are needed */
        }
        if (next != acc) {
            wn_keep(next);
            wn_drop(acc);
            acc = next;
        }
    }
    *peak = wn_get_stats().allocated_peak - before;
    const double v = wn_item_f64(wn_sum(acc));
    wn_drop(acc);
    return v;
}

static void test_flat_memory(void) {
    static const char *const what[] = {"y = y*.5 + x", "y += x", "y = y + fresh", "loss accumulator", "running average", "sum of sums", "y = y + draws"};
    for (int kind = 0; kind < ACCUMULATORS; kind++) {
        const bool costly = kind == 2 || kind == 3 || kind >= 5;
        const int64_t n = 30000, steps = (costly ? 20000 : 100000) / SLOW;
        int64_t peak, peak_off;
        wn_set_defer_from(8192);
        const double v = accumulate(kind, n, steps, &peak);
        wn_set_defer_from(-1);
        accumulate(kind, n, steps < 50 ? steps : 50, &peak_off);
        if (!CHECK(isfinite(v) && peak <= 200 << 20)) printf("    %s: peak %.1f MB, immediate %.1f MB\n", what[kind], (double)peak / 1e6, (double)peak_off / 1e6);
        const double few = accumulate(kind, n, 200, &peak_off);
        wn_set_defer_from(8192);
        CHECK(accumulate(kind, n, 200, &peak) == few); /* and the sums are right */
    }
    { /* kept results, each of which alone holds an operand of 1 MB */
        WN_SCOPE(s);
        wn_set_defer_from(8192);
        static wn_tensor *kept[1500];
        wn_reset_peaks();
        const int64_t count = 1500 / SLOW;
        for (int64_t i = 0; i < count; i++) {
            WN_SCOPE(inner);
            kept[i] = wn_keep(wn_sum(wn_square(wn_full(WN_DIMS(262144), (double)i))));
        }
        CHECK(wn_get_stats().allocated_peak <= (int64_t)1300 << 20 && wn_get_stats().pinned <= (int64_t)1100 << 20);
        CHECK(wn_item_f64(kept[3]) == 9.0 * 262144);
        for (int64_t i = 0; i < count; i++) wn_drop(kept[i]);
    }
    CHECK(wn_get_stats().pinned == 0);
}

/* ------------------------------------------------------------------ draws */

static void test_draws(void) {
    WN_SCOPE(scope);
    const int64_t n = 100000;
    wn_set_defer_from(8192);
    since(n);
    wn_reset_peaks();
    const wn_stats before = wn_get_stats();
    {
        WN_SCOPE(s);
        (void)wn_rand(WN_DIMS(n)), (void)wn_randn_like(wn_tanh(wn_rand(WN_DIMS(n))));
    }
    COUNT(n, 0, 0, "draws that nobody reads");
    CHECK(wn_item_f64(wn_sum(wn_mul(wn_rand(WN_DIMS(n)), wn_randn(WN_DIMS(n))))) < (double)n);
    COUNT(n, 4, 4, "sum(rand * randn)");
    CHECK(wn_get_stats().allocated_peak - before.allocated_peak < 100000); /* none of them was in memory */
    wn_tensor *u = wn_rand(WN_DIMS(n)), *a = wn_add(u, 1), *b = wn_add(u, 2);
    (void)wn_data(a), (void)wn_data(b);
    COUNT(n, 4, 4, "uniform draws with two readers: made again");
    u = wn_randn(WN_DIMS(n)), a = wn_add(u, 1), b = wn_add(u, 2);
    (void)wn_data(a), (void)wn_data(b);
    COUNT(n, 3, 3, "normal ones: stored");
    u = wn_keep(wn_rand(WN_DIMS(n)));
    (void)wn_data(wn_add(u, 1)), (void)wn_data(wn_add(u, 2)), (void)wn_data(u);
    COUNT(n, 3, 3, "kept ones");
    wn_drop(u);
}

/* ------------------------------------------------------------------ loops over elements */

enum { LOOPS = 9, LOOP = 600 };
/* Steps that read or write a few elements of x (100 rows of 100) each; the accumulator is read at the end. */
static double loop_over(int kind, wn_tensor *x) {
    wn_tensor *acc = wn_zeros(kind == 2 || kind == 4 ? WN_DIMS(100) : WN_0D), *flat = wn_flatten(x), *sums = wn_sum(x, .dims = WN_DIMS(1));
    if (kind == 6) acc = wn_sum(x);
    wn_keep(acc);
    for (int64_t i = 0; i < LOOP; i++) {
        WN_SCOPE(s);
        const int64_t k = i % 100;
        wn_tensor *next = acc;
        switch (kind) {
        case 0: next = wn_add(acc, wn_select(flat, 0, i)); break;
        case 1: wn_add_(acc, wn_select(wn_select(x, 0, k), 0, i / 100)); break;
        case 2: next = wn_add(acc, wn_mul(wn_select(x, 0, k), 2)); break; /* rows */
        case 3: next = wn_add(acc, wn_sum(wn_select(x, 0, k))); break;
        case 4: next = wn_maximum(acc, wn_clone(wn_narrow(flat, 0, i, 100))); break;
        case 5: wn_copy_(wn_select(flat, 0, i + 1), wn_add(wn_select(flat, 0, i), 1)); break; /* a recurrence in place */
        case 6: next = wn_add(acc, 1); break;                            /* a chain behind the sum of all */
        case 7: next = wn_add(acc, wn_select(sums, 0, k)); break;         /* elements of a statistic */
        default: next = wn_where(wn_gt(wn_select(flat, 0, i), acc), wn_select(flat, 0, i), acc); break;
        }
        if (next == acc) continue;
        wn_keep(next);
        wn_drop(acc);
        acc = next;
    }
    const double v = wn_item_f64(wn_sum(kind == 5 ? flat : acc));
    wn_drop(acc);
    return v;
}

/* What a loop over the elements of a pending tensor records, runs and leaves pending beyond what it does over one in memory. */
static void test_loops(void) {
    for (int kind = 0; kind < LOOPS; kind++) {
        double value[2];
        int64_t programs[2], instructions[2], stored[2];
        for (int ready = 0; ready < 2; ready++) {
            WN_SCOPE(s);
            wn_manual_seed(1);
            wn_tensor *x = wn_rand(WN_DIMS(100, 100));
            if (ready) (void)wn_data(x);
            const wn_stats before = wn_get_stats();
            value[ready] = loop_over(kind, x);
            const wn_stats after = wn_get_stats();
            programs[ready] = after.programs - before.programs;
            instructions[ready] = after.instr_elements - before.instr_elements;
            stored[ready] = after.stored - before.stored;
        }
        const int64_t few = 64; /* values of one element may join a pass over all before it runs */
        if (!CHECK(value[0] == value[1] && programs[0] - programs[1] <= 3 && stored[0] <= 6 &&
                   instructions[0] - instructions[1] <= 2 * 10000 + few))
            printf("    loop %d: %g and %g; pending: %lld programs, %lld instructions, %lld stored; in memory: %lld, %lld, %lld\n", kind, value[0], value[1],
                   (long long)programs[0], (long long)instructions[0], (long long)stored[0], (long long)programs[1], (long long)instructions[1], (long long)stored[1]);
    }
}

/* What is folded from many elements stays in their pass: three folds of rows and what is made of them, in one program. */
static void test_statistics(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_mul(wn_rand(WN_DIMS(200, 50)), 3), *mean = wn_mean(x, .dims = WN_DIMS(1), .keepdim = true), *d = wn_sub(x, mean);
    wn_tensor *scale = wn_rsqrt(wn_add(wn_mean(wn_square(d), .dims = WN_DIMS(1), .keepdim = true), 1e-5)), *y = wn_mul(d, wn_mul(scale, 2));
    const int64_t programs = wn_get_stats().programs;
    CHECK(wn_is_pending(mean) && wn_is_pending(scale) && wn_is_pending(wn_mean(x)) && wn_is_pending(wn_sqrt(wn_mean(y))));
    CHECK(wn_data(y) && wn_get_stats().programs == programs + 1);
}

/* ------------------------------------------------------------------ nothing for nobody */

static void test_unread(void) {
    WN_SCOPE(scope);
    const int64_t n = 100000;
    wn_set_defer_from(8192);
    wn_tensor *x = wn_rand(WN_DIMS(n));
    (void)wn_data(x);
    since(n);
    const wn_stats before = wn_get_stats();
    {
        WN_SCOPE(s);
        wn_tensor *t = wn_tanh(wn_exp(x)), *u = wn_mul(t, 2), *v = wn_slice(u, 0, 5, 50);
        wn_sum(u);
        wn_add_(u, 1);
        CHECK(wn_numel(v) == 45 && wn_version(u) == 1 && wn_dtype_of(u) == WN_F32 && wn_is_contiguous(u)); /* asking is not reading */
    }
    const wn_stats after = wn_get_stats();
    COUNT(n, 0, 0, "temporaries that nobody reads");
    CHECK(after.allocated == before.allocated && after.dropped - before.dropped >= 3 && after.programs == before.programs);
    wn_tensor *y = wn_exp(x), *z = wn_add(y, 1);
    (void)wn_data(z);
    COUNT(n, 2, 2, "y = exp(x); z = y + 1 read");
    (void)wn_data(z);
    COUNT(n, 0, 0, "read again");
    /* what was asked for, what is kept: stored when it is first computed */
    wn_tensor *k = wn_keep(wn_exp(x));
    (void)wn_data(wn_add(k, 1)), (void)wn_data(wn_add(k, 2)), (void)wn_data(k);
    COUNT(n, 3, 3, "a kept value with two readers");
    wn_drop(k);
    /* one pass for many results, and a long chain in few programs */
    const int64_t programs = wn_get_stats().programs;
    wn_tensor *t = x;
    for (int i = 0; i < 24; i++) t = wn_add(wn_mul(t, 0.5), 1);
    (void)wn_data(t);
    COUNT(n, 24, 24, "a chain of 48: each product and sum in one instruction");
    CHECK(wn_get_stats().programs - programs <= 4);
    /* every value read twice: recomputing without end would be 2^20 */
    t = x;
    for (int i = 0; i < 20; i++) t = wn_mul(wn_add(t, wn_tanh(t)), 0.5);
    (void)wn_data(t);
    COUNT(n, 40, 90, "twenty values with two readers each");
    /* a random graph of 300 operations, all of it wanted */
    uint32_t h = 7;
    wn_tensor *pool[8] = {x, x, x, x, x, x, x, x};
    for (int i = 0; i < 300; i++) {
        h = h * 1664525u + 1013904223u;
        wn_tensor *a = pool[h >> 8 & 7], *b = pool[h >> 12 & 7];
        pool[h >> 16 & 7] = h >> 20 & 1 ? wn_mul(wn_add(a, b), 0.5) : h >> 21 & 1 ? wn_tanh(a) : wn_sub(a, wn_mul(b, 0.25));
    }
    for (int i = 0; i < 8; i++) (void)wn_data(pool[i]);
    const double deferred = since(n);
    CHECK(deferred > 100 && deferred < 540 * 1.4); /* 300 steps are about 530 instructions; cheap ones are computed again rather than stored */
    if (deferred >= 540 * 1.4) printf("    a random graph: %.1f instructions an element\n", deferred);
}

/* ------------------------------------------------------------------ training */

/* Recomputing is allowed where it is cheaper than storing: at most this much more than without deferral. */
static const double recompute_factor = 1.25;
enum { STEPS = 4 };

typedef struct result {
    double losses[STEPS], sums[8];
    double elements; /* computed in a step (stats.elements: by all kernels, an instruction of a program counting as one), the first left out */
} result;

static result train(bool conv, bool adam, int64_t from) {
    WN_SCOPE(scope);
    result r = {0};
    wn_set_defer_from(from);
    wn_manual_seed(5);
    wn_nn_linear l1 = {0}, l2 = {0}, l3 = {0};
    wn_nn_conv2d c1 = {0}, c2 = {0};
    wn_module net = {0};
    const int64_t batch = conv ? 16 : 128, inside = conv ? 8 * 7 * 7 : 196;
    if (conv) {
        wn_nn_conv2d_init(&c1, 1, 8, 3, .padding = WN_DIMS(1)), wn_nn_conv2d_init(&c2, 8, 8, 3, .padding = WN_DIMS(1));
        wn_add_child(&net, "c1", &c1.module), wn_add_child(&net, "c2", &c2.module);
    }
    wn_nn_linear_init(&l1, inside, 256), wn_nn_linear_init(&l2, 256, 128), wn_nn_linear_init(&l3, 128, 10);
    wn_add_child(&net, "l1", &l1.module), wn_add_child(&net, "l2", &l2.module), wn_add_child(&net, "l3", &l3.module);
    wn_optim *o = adam ? wn_adam_new(wn_parameters(&net), .lr = 1e-3) : wn_sgd_new(wn_parameters(&net), .lr = 0.05, .momentum = 0.9);
    wn_tensor *x = wn_randn(conv ? WN_DIMS(batch, 1, 14, 14) : WN_DIMS(batch, 196)), *target = wn_randint(0, 10, WN_DIMS(batch));
    (void)wn_data(x), (void)wn_data(target);
    wn_tensor *losses[STEPS];
    int64_t start = 0;
    for (int i = 0; i < STEPS; i++) { /* temporaries live to the end of the function's scope */
        if (i == 1) start = wn_get_stats().elements;
        wn_optim_zero_grad(o);
        wn_tensor *t = x;
        if (conv) {
            t = wn_gelu(wn_mul(wn_nn_conv2d_forward(&c1, t), 1.5));
            t = wn_flatten(wn_max_pool2d(wn_relu(wn_nn_conv2d_forward(&c2, t)), WN_DIMS(2)), 1);
        }
        t = wn_tanh(wn_add(wn_nn_linear_forward(&l1, t), 0.125));
        t = wn_relu(wn_nn_linear_forward(&l2, t));
        losses[i] = wn_cross_entropy(wn_nn_linear_forward(&l3, wn_dropout(t, 0.1, true)), target);
        CHECK(wn_backward(losses[i]) == WN_OK && wn_step(o) == WN_OK);
    }
    const wn_list p = wn_parameters(&net);
    for (int64_t i = 0; i < p.n; i++) (void)wn_data(p.v[i]);
    r.elements = (double)(wn_get_stats().elements - start) / (STEPS - 1);
    for (int i = 0; i < STEPS; i++) r.losses[i] = wn_item_f64(losses[i]);
    for (int64_t i = 0; i < p.n && i < 8; i++) r.sums[i] = wn_item_f64(wn_sum(p.v[i]));
    wn_optim_free(o);
    wn_module_free(&net);
    return r;
}

static void test_training(void) {
    for (int kind = 0; kind < 4; kind++) {
        const bool conv = kind & 1, adam = kind >> 1;
        const result off = train(conv, adam, -1), on = train(conv, adam, 8192);
        CHECK(!memcmp(off.losses, on.losses, sizeof off.losses) && !memcmp(off.sums, on.sums, sizeof off.sums));
        CHECK(off.elements > 0 && on.elements > 0);
        if (!CHECK(on.elements <= recompute_factor * off.elements))
            printf("    %s, %s: %.0f elements computed in a step, %.0f without deferral\n", conv ? "conv net" : "mlp", adam ? "Adam" : "SGD", on.elements, off.elements);
    }
    wn_set_defer_from(8192);
}

/* ------------------------------------------------------------------ memory outside */

static bool says(void *ctx) { return *(const bool *)ctx; }
static void let_go(void *ctx) { (void)ctx; }
static wn_tensor *outside(void *data, wn_dtype dtype, bool *alone) {
    wn_tensor *t = wn_from_memory(data, WN_DIMS(100000), WN_UNSET, dtype, let_go, alone);
    wn_exposed_until(t, says);
    return t;
}

/* Memory that somebody outside may write: what is recorded with it has run when the call returns, under its mask. When nobody is left
 * who knows the address it is like our own. */
static void test_outside(void) {
    enum { N = 100000 };
    static float memory[N];
    static unsigned char bits[N];
    for (int64_t i = 0; i < N; i++) memory[i] = (float)(i % 100) / 25 - 2, bits[i] = i % 100 == 0;
    for (int known = 0; known < 3; known++) { /* our own, alone, known outside */
        WN_SCOPE(s);
        bool alone = known == 1;
        wn_tensor *x = known ? outside(memory, WN_F32, &alone) : wn_from_data(memory, WN_DIMS(N), WN_F32);
        wn_tensor *m = known ? outside(bits, WN_BOOL, &alone) : wn_from_data(bits, WN_DIMS(N), WN_BOOL);
        since(N);
        wn_tensor *y = wn_where(m, wn_tanh(wn_log1p(wn_exp(x))), x);
        CHECK(wn_is_pending(y) == (known < 2));
        if (known == 2) memory[0] = 1e6f; /* nobody reads it any more */
        CHECK(wn_data(y) && fabs((double)((const float *)wn_data(y))[0] - tanh(log1p(exp(-2)))) < 1e-6 && ((const float *)wn_data(y))[1] == memory[1]);
        memory[0] = -2;
        if (known < 2) COUNT(N, 1, 1.04, "tanh(log1p(exp(x))) of one in a hundred");
        else COUNT(N, 1, 1.03, "tanh(log1p()) of one in a hundred"); /* exp ran by itself */
        /* small beside the result: copied, so that nothing runs; as large and beside something that waits: within its pass */
        wn_tensor *h = wn_mul(wn_rand(WN_DIMS(N)), 2), *z = wn_where(m, wn_exp(h), h);
        const int64_t programs = wn_get_stats().programs;
        CHECK(wn_is_pending(z));
        wn_tensor *w = wn_add(wn_mul(h, 3), x);
        CHECK(wn_is_pending(w) == (known < 2) && wn_get_stats().programs == programs + (known == 2));
        CHECK(wn_data(z) && wn_data(w));
        since(N);
        if (known != 1) continue;
        CHECK(wn_expose(x) == WN_OK && !wn_is_pending(wn_add(x, 1))); /* exported: as before, until that ends */
        wn_unexpose(x);
        CHECK(wn_is_pending(wn_add(x, 1)));
        alone = false; /* said once, it holds */
        CHECK(wn_is_pending(wn_add(x, 1)));
    }
}

/* ------------------------------------------------------------------ masks */

static wn_tensor *sparse_mask(int64_t n, int64_t every, int64_t run) { /* runs of true elements */
    unsigned char *m = calloc((size_t)n, 1);
    if (!m) abort();
    uint32_t h = 3;
    for (int64_t i = 0; every && i < n / every; i++) {
        h = h * 1664525u + 1013904223u;
        const int64_t at = h % (uint32_t)(n - run);
        memset(m + at, 1, (size_t)run);
    }
    wn_tensor *t = wn_from_data(m, WN_DIMS(n), WN_BOOL);
    free(m);
    return t;
}

/* Instructions an element of the forward and of the backward run. */
static void run_masked(wn_tensor *x, wn_tensor *m, double cost[2]) {
    WN_SCOPE(s);
    const int64_t n = wn_numel(x);
    if (wn_set_grad(x, NULL) != WN_OK) return;
    since(n);
    wn_tensor *y = wn_sum(wn_where(m, wn_tanh(wn_log1p(wn_exp(x))), x));
    {
        WN_NO_GRAD();
        (void)wn_item_f64(wn_sum(wn_where(m, wn_tanh(wn_log1p(wn_exp(x))), x)));
    }
    cost[0] = since(n);
    CHECK(wn_backward(y) == WN_OK);
    (void)wn_item_f64(y), (void)wn_data(wn_grad_of(x));
    cost[1] = since(n);
}

static void test_masks(void) {
    WN_SCOPE(scope);
    const int64_t n = 1000000;
    wn_set_defer_from(8192);
    wn_tensor *x = wn_requires_grad(wn_randn(WN_DIMS(n)), true), *none = sparse_mask(n, 0, 1), *all = wn_logical_not(none);
    wn_tensor *single = sparse_mask(n, 100, 1), *runs = sparse_mask(n, 5000, 50);
    (void)wn_data(x), (void)wn_data(none), (void)wn_data(all), (void)wn_data(single), (void)wn_data(runs);
    double empty[2], full[2], one[2], clustered[2];
    run_masked(x, none, empty), run_masked(x, all, full);
    const int64_t skipped = wn_get_stats().skipped;
    run_masked(x, single, one), run_masked(x, runs, clustered);
    CHECK(wn_get_stats().skipped - skipped >= (int64_t)(0.97 * 2 * 3 * (double)n));
    CHECK(full[0] - empty[0] >= 3); /* the branch: exp, log1p, tanh ... */
    CHECK(full[1] - empty[1] >= 3);
    const bool few = CHECK(one[0] - empty[0] < 0.03 * (full[0] - empty[0]) && one[1] - empty[1] < 0.03 * (full[1] - empty[1]));
    const bool fewer = CHECK(clustered[0] - empty[0] < 0.03 * (full[0] - empty[0]) && clustered[1] - empty[1] < 0.03 * (full[1] - empty[1]));
    if (!few || !fewer)
        printf("    instructions an element, forward / backward: empty mask %.3f / %.3f, full %.3f / %.3f, 1%% single %.3f / %.3f, 1%% in runs %.3f / %.3f\n", empty[0], empty[1],
               full[0], full[1], one[0], one[1], clustered[0], clustered[1]);
    /* sum(x[mask]) does not build x[mask], nor compute what the mask leaves out */
    since(n);
    (void)wn_item_f64(wn_sum(wn_masked_select(wn_exp(wn_sin(wn_exp(wn_detach(x)))), single)));
    CHECK(since(n) < 3.5);
}

/* The side not taken: exact zeros, whatever the derivative is there. */
static void test_zero_gradients(void) {
    static const int64_t froms[] = {-1, 8192};
    for (int k = 0; k < 2; k++) {
        WN_SCOPE(scope);
        const int64_t n = 20000;
        wn_set_defer_from(froms[k]);
        float *v = malloc((size_t)n * sizeof *v);
        if (!v) abort();
        for (int64_t i = 0; i < n; i++) v[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? -1.0f : 2.0f;
        wn_tensor *x = wn_requires_grad(wn_from_data(v, WN_DIMS(n), WN_F32), true), *m = wn_gt(x, 0);
        free(v);
        wn_tensor *inf = wn_full(WN_DIMS(n), INFINITY), *ys[] = {wn_where(m, wn_sqrt(x), 0), wn_where(m, wn_reciprocal(x), x), wn_where(m, wn_log(x), wn_mul(x, 0.5)),
                                                                wn_where(wn_logical_not(m), 1, wn_rsqrt(x)), wn_where(m, x, wn_mul(wn_mul(x, 0), inf)), wn_masked_fill(wn_log(x), wn_le(x, 0), 0)};
        for (size_t i = 0; i < sizeof ys / sizeof *ys; i++) {
            if (!CHECK(wn_set_grad(x, NULL) == WN_OK && wn_backward(wn_sum(ys[i])) == WN_OK)) continue;
            const float *g = wn_data(wn_grad_of(x));
            bool exact = true, finite = true;
            for (int64_t e = 0; g && e < n; e++) {
                const bool taken = e % 3 == 2, other = i == 1 || i == 2; /* the other side is x, or x/2 */
                finite &= isfinite(g[e]) || (i == 4 && !taken);          /* there 0*inf is the side that is taken */
                exact &= taken || i == 4 || g[e] == (other ? i == 1 ? 1.0f : 0.5f : 0.0f);
            }
            if (!CHECK(g && exact && finite)) printf("    function %zu, threshold %lld\n", i, (long long)froms[k]);
        }
        wn_tensor *untouched = wn_where(m, x, wn_mul(inf, wn_mul(x, 0))); /* nothing but NaN on the other side, which is summed over the mask only */
        CHECK(wn_set_grad(x, NULL) == WN_OK && wn_backward(wn_sum(untouched, .where = m)) == WN_OK);
        const float *g = wn_data(wn_grad_of(x));
        bool exact = g != NULL;
        for (int64_t e = 0; exact && e < n; e++) exact = g[e] == (e % 3 == 2 ? 1.0f : 0.0f);
        if (!CHECK(exact)) printf("    threshold %lld\n", (long long)froms[k]);
    }
    wn_set_defer_from(8192);
}

/* Every row that selects takes a comparison into its instruction: the mask between is never made. */
static void test_choices(void) {
    WN_SCOPE(scope);
    const int64_t n = 20000;
    wn_tensor *x = wn_rand(WN_DIMS(n)), *y = wn_rand(WN_DIMS(n));
    (void)wn_data(x), (void)wn_data(y);
    since(n);
    wn_tensor *chosen = wn_where(wn_gt(x, y), 5, x);
    const float *a = wn_data(chosen);
    const double once = since(n);
    wn_tensor *filled = wn_masked_fill(x, wn_gt(x, y), 5);
    const float *b = wn_data(filled);
    COUNT(n, once, once, "masked_fill by a comparison");
    CHECK(once > 0 && once <= 1 && a && b && !memcmp(a, b, (size_t)n * sizeof *a));
}

int main(void) {
    wn_set_error_hook(NULL);
    wn_set_num_threads(1);
    wn_set_defer_from(8192);
    test_flat_memory();
    test_unread();
    test_loops();
    test_statistics();
    test_draws();
    test_training();
    test_masks();
    test_outside();
    test_zero_gradients();
    test_choices();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
