/* Deferral when things are hard: memory runs out anywhere, threads hand pending tensors over, the process forks.
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "winnow.h"

#if defined(__SANITIZE_THREAD__)
#define TSAN 1
#else
#define TSAN 0
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#else
#define ASAN 0
#endif

static int passed, failed;
static bool check_(bool ok, int line, const char *what) {
    if (ok) passed++;
    else failed++, printf("FAILED %s:%d: %s (record: %s)\n", __FILE__, line, what, wn_error_message());
    return ok;
}
#define CHECK(x) check_((x), __LINE__, #x)

static int64_t N = 16000;
static wn_tensor *vec(int seed) { /* -1 .. 1 */
    float *v = malloc((size_t)N * sizeof *v);
    if (!v) abort();
    uint32_t h = (uint32_t)seed * 2654435761u + 12345;
    for (int64_t i = 0; i < N; i++) {
        h = h * 1664525u + 1013904223u;
        v[i] = (float)(int32_t)h * 0x1p-31f;
    }
    wn_tensor *t = wn_from_data(v, WN_DIMS(N), WN_F32);
    free(v);
    return t;
}
static wn_tensor *leaf(int seed) { return wn_requires_grad(vec(seed), true); }

/* ------------------------------------------------------------------ memory runs out */

/* What the sweep does; everything is read at the end. The result, or a status. */
static wn_status sweep_script(double *result) {
    WN_SCOPE(s);
    wn_tensor *x = leaf(1), *y = vec(2);
    if (!wn_ok(x) || !wn_ok(y)) return wn_error();
    wn_tensor *t = wn_add(wn_mul(x, y), 1), *m = wn_gt(t, 0.5), *u = wn_where(m, wn_mul(t, 2), wn_tanh(t)), *view = wn_slice(wn_exp(y), 0, 1, WN_NONE);
    wn_add_(view, 1);
    wn_tensor *kept = wn_keep(wn_exp(wn_detach(u))); /* bad tensors may be kept and dropped too */
    wn_tensor *z = vec(3);
    wn_copy_(z, wn_mul(z, 0.5));
    wn_tensor *loss = wn_sum(wn_add(wn_square(u), wn_view(wn_softmax(wn_view(x, WN_DIMS(8, N / 8)), 1), WN_DIMS(N))));
    wn_status st = wn_backward(loss);
    result[0] = wn_item_f64(loss);
    result[1] = wn_item_f64(wn_sum(kept));
    result[2] = wn_item_f64(wn_sum(view));
    wn_tensor *g = wn_grad_of(x);
    result[3] = g ? wn_item_f64(wn_sum(g)) : 0;
    result[4] = wn_item_f64(wn_sum(wn_mul(z, z)));
    wn_drop(kept);
    return st ? st : wn_error();
}

static void test_memory(void) {
    double right[5], now[5];
    bool clean = true, level = true, memory = true, same = true;
    int64_t n = 0;
    wn_set_defer_from(8192);
    CHECK(sweep_script(right) == WN_OK);
    CHECK(sweep_script(right) == WN_OK); /* caches are warm */
    for (bool hit = true; hit && n < 3000; n++) {
        wn_clear();
        const wn_stats before = wn_get_stats();
        wn_fail_allocation(n);
        const wn_status st = sweep_script(now);
        hit = wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        clean &= st ? wn_error() != WN_OK && *wn_error_message() : wn_error() == WN_OK;
        memory &= !st || wn_error() == WN_E_MEMORY;
        if (st && wn_error() != WN_E_MEMORY) printf("    allocation %lld: %s\n", (long long)n, wn_error_message());
        if (!st) same &= !memcmp(now, right, sizeof now);
        wn_clear();
        const wn_stats after = wn_get_stats();
        if (before.handles != after.handles || before.storages != after.storages || before.allocated != after.allocated) {
            if (level)
                printf("    allocation %lld: %lld handles, %lld storages, %lld bytes more\n", (long long)n, (long long)(after.handles - before.handles),
                       (long long)(after.storages - before.storages), (long long)(after.allocated - before.allocated));
            level = false;
        }
    }
    CHECK(n > 10 && n < 3000);
    CHECK(clean); /* an error exactly when the status says so */
    CHECK(memory);
    CHECK(level); /* nothing is left behind */
    CHECK(same);  /* and what works is right */
    CHECK(sweep_script(now) == WN_OK && !memcmp(now, right, sizeof now));
    /* a pending tensor that cannot be computed is bad from then on, and says why */
    WN_SCOPE(s);
    wn_tensor *t = wn_exp(wn_add(vec(1), 1));
    wn_fail_allocation(0);
    const void *p = wn_data(t);
    const bool hit = wn_fail_allocation_hit();
    wn_fail_allocation(-1);
    CHECK(!hit || p || (wn_error() == WN_E_MEMORY && strstr(wn_error_message(), "exp")));
    wn_clear();
    CHECK(p || !wn_ok(wn_add(t, 1)) || wn_data(wn_add(t, 1)) == NULL);
    wn_clear();
}

/* ------------------------------------------------------------------ threads, fork */

typedef struct crew {
    wn_tensor *shared, *pending;
    double want, got;
    int rounds, wrong;
} crew;

static void *record_and_read(void *p) {
    crew *c = p;
    wn_set_error_hook(NULL);
    for (int i = 0; i < c->rounds; i++) {
        WN_SCOPE(s);
        wn_tensor *t = wn_tanh(wn_add(wn_mul(c->shared, 2), 1)), *u = wn_where(wn_gt(t, 0), t, wn_exp(t));
        wn_tensor *again = wn_sum(wn_add(u, c->shared));
        c->got = wn_item_f64(again);
        c->wrong += c->got != c->want;
    }
    return NULL;
}
static void *read_pending(void *p) {
    crew *c = p;
    WN_SCOPE(s);
    c->got = wn_item_f64(wn_sum(wn_mul(c->pending, 2)));
    return NULL;
}

static void test_threads(void) {
    WN_SCOPE(s);
    wn_set_defer_from(8192);
    const int rounds = TSAN ? 20 : 200;
    crew one = {.shared = vec(1), .rounds = 1}, two;
    wn_set_defer_from(-1);
    record_and_read(&one);
    wn_set_defer_from(8192);
    one.want = one.got, one.wrong = 0, one.rounds = rounds;
    two = one;
    pthread_t a, b;
    pthread_create(&a, NULL, record_and_read, &one);
    pthread_create(&b, NULL, record_and_read, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    CHECK(!one.wrong && !two.wrong);
    /* recorded here, read there; read by both at once; recorded on by another thread while this one reads */
    for (int i = 0; i < rounds / 4; i++) {
        WN_SCOPE(inner);
        wn_tensor *base = vec(i), *t = wn_keep(wn_exp(wn_add(base, i))), *twin = wn_mul(t, 3);
        crew c = {.pending = t}, d = {.pending = t};
        pthread_create(&a, NULL, read_pending, &c);
        if (i % 3) pthread_create(&b, NULL, read_pending, &d);
        const double mine = i % 2 ? wn_item_f64(wn_sum(wn_mul(t, 2))) : wn_item_f64(wn_sum(twin));
        pthread_join(a, NULL);
        if (i % 3) pthread_join(b, NULL);
        wn_set_defer_from(-1);
        const double want = wn_item_f64(wn_sum(wn_mul(wn_exp(wn_add(vec(i), i)), 2)));
        const double want3 = wn_item_f64(wn_sum(wn_mul(wn_exp(wn_add(vec(i), i)), 3)));
        wn_set_defer_from(8192);
        one.wrong += c.got != want || (i % 3 && d.got != want) || mine != (i % 2 ? want : want3);
        wn_drop(t);
    }
    CHECK(!one.wrong);
}

static void test_fork(void) {
    WN_SCOPE(s);
    wn_set_defer_from(8192);
    wn_set_num_threads(2);
    wn_tensor *x = vec(1), *done = wn_exp(x), *t = wn_mul(wn_add(x, 1), 2);
    CHECK(wn_data(done) != NULL); /* the pool has threads now */
    const double want = 2 * (wn_item_f64(wn_sum(wn_to(x, WN_F64))) + (double)N);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const double sum = wn_item_f64(wn_sum(wn_to(t, WN_F64)));
        wn_add_(t, wn_exp(x));
        _exit(fabs(sum - want) < 1e-3 && wn_data(t) && wn_error() == WN_OK ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(fabs(wn_item_f64(wn_sum(wn_to(t, WN_F64))) - want) < 1e-3);
    wn_set_num_threads(1);
}

static wn_tensor *no_change(void *ctx, wn_tensor *g) {
    (void)ctx, (void)g;
    return NULL;
}
/* Everything that takes a lock of the whole process: pending values, memory, draws, hooks, how tensors are printed. */
static bool take_locks(wn_tensor *shared) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(wn_rand(WN_DIMS(N)), true), *y = wn_exp(wn_add(wn_mul(x, shared), 1));
    const int64_t hook = wn_register_hook(y, no_change, NULL);
    const wn_status st = wn_backward(wn_sum(y));
    wn_remove_hook(y, hook);
    const wn_print_options o = wn_get_print_options();
    return !st && !wn_set_print_options(&o) && wn_data(wn_grad_of(x));
}
static _Atomic bool forking;
static void *take_locks_on(void *p) {
    wn_set_error_hook(NULL);
    bool ok = true;
    while (atomic_load(&forking)) ok &= take_locks(p);
    return ok ? p : NULL;
}

/* The child inherits no lock of a thread that it does not have, and the locks are taken in one order. */
static void test_fork_beside_threads(void) {
    WN_SCOPE(s);
    wn_tensor *shared = vec(1);
    pthread_t t[3];
    atomic_store(&forking, true);
    for (int i = 0; i < 3; i++) CHECK(!pthread_create(&t[i], NULL, take_locks_on, shared));
    int good = 0;
    const int forks = ASAN ? 10 : 100; /* gcc 12's AddressSanitizer has a lock of its own that the child may inherit */
    for (int i = 0; i < forks; i++) {
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            _exit(ASAN || take_locks(shared) ? 0 : 1);
        }
        int status = -1;
        good += child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    atomic_store(&forking, false);
    CHECK(good == forks);
    for (int i = 0; i < 3; i++) {
        void *ok = NULL;
        CHECK(!pthread_join(t[i], &ok) && ok);
    }
}

int main(void) {
    wn_set_error_hook(NULL);
    wn_set_defer_from(8192); /* before anything is allocated */
    wn_set_num_threads(1);
    test_memory();
    test_threads();
    if (!TSAN) {
        test_fork();
        test_fork_beside_threads();
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
