/* Interruption: what is given up, what is finished, and how a program goes on. The requests come from the hook, from a timer's signal and
 * from another thread; nothing here depends on how long anything takes.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"
#include "base/interrupt.h"
#include "base/threads.h"

/* Asks to stop when it has been asked itself for the `after`-th time. */
static int asked_times, after;
static bool ask(void *user) {
    (void)user;
    return ++asked_times >= after;
}


static wn_tensor *filled(wn_dims shape) { return wn_mul(wn_sub(wn_rand(shape), 0.5), 0.1); }
static bool same(wn_tensor *a, wn_tensor *b) {
    return wn_ok(a) && wn_ok(b) && wn_numel(a) == wn_numel(b) && wn_item_i64(wn_all(wn_eq(a, b))) == 1;
}

/* A request that was there before: the call fails, the next one does not, and gives what it would have given. */
#define GIVEN_UP(expression)                                                                                                                     \
    do {                                                                                                                                         \
        WN_SCOPE(s_);                                                                                                                            \
        wn_tensor *want_ = (expression);                                                                                                         \
        CHECK(wn_ok(want_) && wn_data(want_));                                                                                                   \
        wn_interrupt();                                                                                                                          \
        wn_tensor *got_ = (expression);                                                                                                          \
        const void *data_ = wn_data(got_);                                                                                                       \
        check_(!data_ && wn_error() == WN_E_INTERRUPTED, #expression " is given up", __LINE__);                                                  \
        check_(!wn_clear_interrupt(), "the request is done", __LINE__);                                                                          \
        wn_clear();                                                                                                                              \
        check_(same((expression), want_), #expression " again", __LINE__);                                                                       \
    } while (0)

static void every_kind(void) {
    WN_SCOPE(s);
    wn_tensor *a = filled(WN_DIMS(300, 400)), *b = filled(WN_DIMS(400, 500)), *x = filled(WN_DIMS(600000));
    wn_tensor *image = filled(WN_DIMS(4, 16, 40, 40)), *kernel = filled(WN_DIMS(32, 16, 3, 3)), *q = filled(WN_DIMS(2, 4, 300, 32));
    (void)wn_data(a), (void)wn_data(b), (void)wn_data(x), (void)wn_data(image), (void)wn_data(kernel), (void)wn_data(q);
    for (int threads = 1; threads <= 2; threads++) {
        wn_set_num_threads(threads);
        GIVEN_UP(wn_matmul(a, b));
        GIVEN_UP(wn_relu(wn_add(wn_matmul(a, b), 1)));
        GIVEN_UP(wn_tanh(wn_mul(wn_exp(x), x)));
        GIVEN_UP(wn_exp(wn_reshape(x, WN_DIMS(600, 1000))));
        GIVEN_UP(wn_sum(wn_exp(x)));
        GIVEN_UP(wn_sum(x));
        GIVEN_UP(wn_sum(wn_reshape(x, WN_DIMS(600, 1000)), .dims = WN_DIMS(0)));
        GIVEN_UP(wn_contiguous(wn_t(wn_reshape(x, WN_DIMS(600, 1000)))));
        GIVEN_UP(wn_conv2d(image, kernel, NULL));
        GIVEN_UP(wn_sort(x).values);
        GIVEN_UP(wn_cdist(wn_t(a), wn_t(a), .p = WN_VAL(1.0)));
        GIVEN_UP(wn_scaled_dot_product_attention(q, q, q));
    }
    wn_set_num_threads(0);
}

/* A value that is pending stays so, nothing that was taken for it stays taken, and its operands are as they were. */
static void pending_again(void) {
    WN_SCOPE(s);
    wn_tensor *a = filled(WN_DIMS(500, 500));
    (void)wn_data(a);
    wn_tensor *want = wn_sum(wn_matmul(wn_matmul(a, a), a));
    const double sum = wn_item_f64(want);
    wn_tensor *one = wn_matmul(a, a), *two = wn_matmul(one, a), *chain = wn_sum(two);
    const int64_t before = wn_get_stats().allocated;
    wn_interrupt();
    CHECK(isnan(wn_item_f64(chain)) && wn_error() == WN_E_INTERRUPTED);
    CHECK(strstr(wn_error_message(), "interrupted"));
    CHECK(wn_get_stats().allocated == before);
    wn_clear();
    CHECK(wn_ok(chain) && wn_ok(two) && wn_ok(one));
    CHECK(wn_item_f64(chain) == sum);
    CHECK(wn_error() == WN_OK);
}

/* Written in place: whole, whether it waits, is done at once, or goes to memory of the caller's. */
static void in_place(bool deferred) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(1000000)), *y = wn_ones(WN_DIMS(1000000));
    (void)wn_data(x), (void)wn_data(y);
    wn_interrupt();
    wn_tensor *r = wn_add_(x, 1);
    const float *v = wn_data(x);
    CHECK(wn_ok(r) && v && v[0] == 2 && v[999999] == 2);
    CHECK(wn_clear_interrupt() && !wn_clear_interrupt());
    wn_interrupt();
    CHECK(wn_ok(wn_copy_(y, x)) && wn_data(y));
    CHECK(wn_clear_interrupt());
    wn_tensor *a = filled(WN_DIMS(200, 200)), *out = wn_empty(WN_DIMS(200, 200));
    (void)wn_data(a);
    wn_interrupt();
    CHECK(wn_ok(wn_matmul(a, a, .out = out)) && wn_clear_interrupt());
    CHECK(same(out, wn_matmul(a, a)));
    /* what it reads may be given up, and then it has not begun */
    if (!deferred) return;
    wn_tensor *waits = wn_exp(y), *indices = wn_arange(1000000);
    (void)wn_data(indices);
    wn_interrupt();
    wn_index_add_(x, 0, indices, waits);
    CHECK(wn_error() == WN_E_INTERRUPTED);
    wn_clear();
    v = wn_data(x);
    CHECK(v && v[0] == 2 && v[999999] == 2);
}

static void backward(int64_t nodes) {
    WN_SCOPE(s);
    wn_tensor *w = wn_requires_grad(wn_ones(WN_DIMS(1)), true), *old = wn_ones(WN_DIMS(1)), *y = w;
    CHECK(wn_set_grad(w, old) == WN_OK);
    wn_keep(y);
    for (int64_t i = 0; i < nodes; i++) {
        WN_SCOPE(turn);
        wn_tensor *next = wn_keep(wn_mul(y, 1.0));
        wn_drop(y);
        y = next;
    }
    wn_interrupt();
    CHECK(wn_backward(y, .retain_graph = true) == WN_E_INTERRUPTED);
    CHECK(strstr(wn_error_message(), "backward"));
    wn_clear();
    CHECK(wn_grad_of(w) == old && wn_item_f64(old) == 1);
    CHECK(wn_backward(y) == WN_OK);
    CHECK(wn_item_f64(wn_grad_of(w)) == 2);
    wn_drop(y);
}

/* The step of an optimiser is a whole: of many parameters all have moved. */
static void step(void) {
    WN_SCOPE(s);
    enum { PARAMETERS = 3 };
    wn_tensor *p[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) {
        p[i] = wn_requires_grad(wn_ones(WN_DIMS(300000)), true);
        CHECK(wn_backward(wn_sum(wn_mul(p[i], p[i]))) == WN_OK);
    }
    wn_optim *o = wn_rmsprop_new(((wn_list){.n = PARAMETERS, .v = p}), .lr = 0.1);
    wn_interrupt();
    const wn_status st = wn_step(o);
    wn_clear_interrupt(); /* what the step left to be computed is computed now */
    bool moved = true, still = true;
    for (int i = 0; i < PARAMETERS; i++) {
        const float *v = wn_data(p[i]);
        moved = moved && v && v[0] != 1 && v[299999] == v[0];
        still = still && v && v[0] == 1 && v[299999] == 1;
    }
    CHECK(st == WN_OK ? moved : still);
    wn_clear();
    wn_optim_free(o);
}

/* ------------------------------------------------------------------ how soon */

/* Units long enough to be handed out one by one; the request comes in the middle. How many are begun after it? */
enum { UNITS = 200, REQUEST_AT = 20 };
static atomic_int begun, late;
static atomic_bool requested;
static unsigned char made[UNITS];
static void unit(void *ctx, int64_t begin, int64_t end) {
    (void)ctx;
    for (int64_t u = begin; u < end; u++) {
        if (atomic_load(&requested)) atomic_fetch_add(&late, 1);
        if (atomic_fetch_add(&begun, 1) == REQUEST_AT) wn_interrupt(), atomic_store(&requested, true);
        usleep(1000);
        made[u]++;
    }
}

static void pieces(void) {
    for (int n = 1; n <= 4; n++)
        for (int whole = 0; whole < 2; whole++) {
            wn_set_num_threads(n);
            atomic_store(&begun, 0), atomic_store(&late, 0), atomic_store(&requested, false);
            memset(made, 0, sizeof made);
            const wn__way way = wn__way_enter(whole ? WN__WAY_WHOLE : WN__WAY_OPEN);
            const bool done = wn__parallel_fresh(UNITS, 1, unit, NULL);
            const bool stopped = wn__stopped();
            wn__way_leave(way);
            CHECK(done == whole && stopped == !whole);
            CHECK(whole || atomic_load(&late) <= n);
            int twice = 0, never = 0;
            for (int i = 0; i < UNITS; i++) twice += made[i] > 1, never += !made[i];
            CHECK(!twice && (never > 0) == !whole);
            CHECK(wn_clear_interrupt());
        }
    wn_set_num_threads(0);
}

/* ------------------------------------------------------------------ who asks */

/* Work begins, the hook is asked while it goes on, says yes, and after that at most a piece for each thread is begun. */
static void hook(void) {
    WN_SCOPE(s);
    wn_tensor *x = filled(WN_DIMS(3000000));
    (void)wn_data(x);
    for (int threads = 1; threads <= 2; threads++) {
        wn_set_num_threads(threads);
        asked_times = 0, after = 1;
        wn_set_interrupt_hook(ask, NULL);
        wn_status st = WN_OK;
        for (int i = 0; i < 100000 && !st; i++) {
            WN_SCOPE(turn);
            (void)wn_data(wn_exp(wn_exp(x)));
            st = wn_error();
        }
        wn_set_interrupt_hook(NULL, NULL);
        CHECK(st == WN_E_INTERRUPTED && asked_times == 1);
        wn_clear();
    }
    wn_set_num_threads(0);
}

static void on_alarm(int number) {
    (void)number;
    wn_interrupt();
}

static void timer(void) {
    WN_SCOPE(s);
    wn_tensor *a = filled(WN_DIMS(400, 400)), *want = wn_matmul(wn_matmul(a, a), a);
    (void)wn_data(a), (void)wn_data(want);
    signal(SIGALRM, on_alarm);
    for (int round = 0; round < 20; round++) {
        WN_SCOPE(r);
        wn_tensor *x = wn_ones(WN_DIMS(3000000)), *got = wn_matmul(wn_matmul(a, a), a);
        (void)wn_data(x);
        struct itimerval when = {.it_value = {0, 1 + round * 997 % 7001}};
        setitimer(ITIMER_REAL, &when, NULL);
        for (int i = 1; i < 12; i++) {
            wn_add_(x, 1);
            const float *v = wn_data(x);
            bool whole = true;
            for (int64_t k = 1; v && k < 3000000; k += 999) whole &= v[k] == v[0];
            if (!v) v = (wn_clear(), wn_data(x));
            CHECK(v && whole && v[0] == (float)(i + 1) && v[2999999] == v[0]);
        }
        if (!wn_data(got)) {
            CHECK(wn_error() == WN_E_INTERRUPTED);
            wn_clear();
        }
        when = (struct itimerval){0};
        setitimer(ITIMER_REAL, &when, NULL);
        wn_clear_interrupt();
        CHECK(same(got, want));
    }
    signal(SIGALRM, SIG_DFL);
}

/* A request from another thread concerns the one that takes them; the other's work goes on. */
static atomic_bool go, ready, stop;
static wn_status of_thread;
static void *other(void *takes) {
    WN_SCOPE(s);
    wn_tensor *x = filled(WN_DIMS(1000000));
    (void)wn_data(x);
    if (takes) wn_take_interrupts();
    atomic_store(&ready, true);
    while (!atomic_load(&go)) usleep(100);
    do {
        WN_SCOPE(turn);
        if (!wn_data(wn_exp(x))) break;
    } while (!atomic_load(&stop));
    of_thread = wn_error();
    wn_clear();
    return NULL;
}

static void threads(void) {
    for (int takes = 0; takes < 2; takes++) {
        WN_SCOPE(s);
        pthread_t t;
        wn_tensor *x = filled(WN_DIMS(1000000));
        (void)wn_data(x);
        atomic_store(&go, false), atomic_store(&ready, false), atomic_store(&stop, !takes);
        CHECK(!pthread_create(&t, NULL, other, takes ? &takes : NULL));
        while (!atomic_load(&ready)) usleep(100);
        wn_interrupt();
        if (takes) CHECK(wn_data(wn_exp(x)) != NULL); /* it is not for us */
        atomic_store(&go, true);
        pthread_join(t, NULL);
        CHECK(of_thread == (takes ? WN_E_INTERRUPTED : WN_OK));
        CHECK(wn_clear_interrupt() == !takes);
        wn_take_interrupts();
    }
}

static void child(void) {
    wn_interrupt();
    pid_t id = fork();
    if (id == 0) {
        WN_SCOPE(s);
#if defined(__SANITIZE_THREAD__)
        wn_set_num_threads(1); /* its runtime starts no threads after a fork with some */
#endif
        wn_tensor *x = wn_ones(WN_DIMS(1000000));
        bool ok = wn_data(wn_exp(x)) != NULL;
        wn_interrupt();
        ok = ok && !wn_data(wn_exp(x)) && wn_error() == WN_E_INTERRUPTED;
        _exit(ok ? 0 : 1);
    }
    int status = 1;
    CHECK(id > 0 && waitpid(id, &status, 0) == id && status == 0);
    CHECK(wn_clear_interrupt());
}

int main(void) {
    wn_set_error_hook(NULL);
    wn_manual_seed(7);
    for (int deferred = 0; deferred < 2; deferred++) {
        const int64_t from = wn_set_defer_from(deferred ? 8192 : -1);
        every_kind();
        in_place(deferred);
        step();
        timer();
        hook();
        if (deferred) pending_again();
        wn_set_defer_from(from);
    }
    backward(300);
    backward(1000000);
    pieces();
    threads();
    child();
    return report();
}
