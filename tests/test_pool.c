/* The thread pool and the instruction set level. */
#include "base/level.h"
#include "base/threads.h"
#include "winnow.h"
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif
#if defined(__SANITIZE_THREAD__)
#define TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TSAN 1
#endif
#endif
#ifndef TSAN
#define TSAN 0 /* it does not support threads in the child of a fork */
#endif

static int passed, failed;
static void check(bool ok, int line, const char *what) {
    if (ok) {
        passed++;
        return;
    }
    failed++;
    printf("%s:%d: failed: %s\n", __FILE__, line, what);
}
#define CHECK(x) check((x), __LINE__, #x)

static void busy_wait(int64_t ns) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    do clock_gettime(CLOCK_MONOTONIC, &b);
    while ((int64_t)(b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec < ns);
}

/* ---------------------------------------------------------------------------------------- coverage */

typedef struct cover {
    unsigned char *hits;
    int64_t n, grain;
    int width;
    int64_t delay;
    _Atomic int inside[WN__MAX_WORKERS]; /* tasks running under a worker number */
    _Atomic int bad, workers_seen;
} cover;

static void cover_task(void *ctx, int64_t begin, int64_t end) {
    cover *c = ctx;
    const int worker = wn__thread_number();
    if (begin < 0 || end > c->n || begin >= end || worker < 0 || worker >= c->width) {
        c->bad++;
        return;
    }
    if (atomic_fetch_add(&c->inside[worker], 1)) c->bad++;
    if (begin % c->grain || (end != c->n && (end - begin) % c->grain)) c->bad++;
    for (int64_t i = begin; i < end; i++) c->hits[i]++;
    if (c->delay) busy_wait(c->delay);
    atomic_fetch_or(&c->workers_seen, worker ? 2 : 1);
    atomic_fetch_sub(&c->inside[worker], 1);
}

static bool covered(int64_t n, int64_t grain, int64_t delay, int *seen) {
    cover *c = calloc(1, sizeof *c);
    unsigned char *hits = calloc(1, (size_t)(n > 0 ? n : 1));
    bool ok = false;
    if (c && hits) {
        c->hits = hits;
        c->n = n;
        c->grain = grain;
        c->width = wn_num_threads();
        c->delay = delay;
        wn__parallel(n, grain, cover_task, c);
        ok = !c->bad;
        for (int64_t i = 0; i < n; i++) ok &= hits[i] == 1;
        if (seen) *seen |= c->workers_seen;
    }
    free(hits);
    free(c);
    return ok;
}

static void test_coverage(void) {
    const int widths[] = {1, 2, 3, 8, 33};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        wn_set_num_threads(widths[w]);
        CHECK(wn_num_threads() == widths[w]);
        bool ok = true;
        for (int64_t n = 0; n < 200; n = n < 20 ? n + 1 : n + 37)
            for (int64_t g = 1; g < 70; g = g * 2 + 1) ok &= covered(n, g, 0, NULL);
        CHECK(ok);
        CHECK(covered(1000003, 1000, 0, NULL));
        CHECK(covered(100000, 1, 0, NULL));
    }
    wn_set_num_threads(2);
    int seen = 0;
    bool all = true;
    for (int i = 0; i < 300 && seen != 3; i++) all &= covered(64, 1, 100000, &seen);
    CHECK(all);
    CHECK(seen == 3); /* the worker does take part */
    wn__parallel(0, 1, cover_task, NULL);
}

static void count_task(void *ctx, int64_t begin, int64_t end) {
    atomic_fetch_add((_Atomic int64_t *)ctx, end - begin);
}

static int64_t count(int64_t n, int64_t grain) {
    _Atomic int64_t sum = 0;
    wn__parallel(n, grain, count_task, &sum);
    return sum;
}

/* Ranges near the ends of the integer range, and no grain. */
static void test_extremes(void) {
    wn_set_num_threads(3);
    CHECK(count(INT64_MAX, INT64_MAX / 5) == INT64_MAX);
    CHECK(count(INT64_MAX, INT64_MAX) == INT64_MAX);
    CHECK(count(INT64_MAX, (int64_t)1 << 55) == INT64_MAX);
    CHECK(count(1000, 0) == 1000);
    CHECK(count(1000, -3) == 1000);
}

/* ---------------------------------------------------------------------------------------- nesting, callers */

static _Atomic int nested_bad;
static void nested_task(void *ctx, int64_t begin, int64_t end) {
    if (!wn__in_parallel()) nested_bad++;
    for (int64_t i = begin; i < end; i++)
        if (count(1000, 10) != 1000) nested_bad++;
    wn__pool_stop(); /* nothing happens inside a task */
    atomic_fetch_add((_Atomic int64_t *)ctx, end - begin);
}

static void test_nested(void) {
    wn_set_num_threads(4);
    CHECK(!wn__in_parallel());
    _Atomic int64_t sum = 0;
    wn__parallel(200, 1, nested_task, &sum);
    CHECK(sum == 200 && nested_bad == 0);
    CHECK(!wn__in_parallel());
}

static void *caller(void *arg) {
    intptr_t bad = 0;
    for (int i = 0; i < 3000; i++)
        if (count(500 + i % 7, 1 + i % 5) != 500 + i % 7) bad++;
    if (arg)
        for (int i = 0; i < 200; i++) {
            wn_set_num_threads(1 + i % 5);
            if (count(1000, 1) != 1000) bad++;
            if (i % 20 == 0) wn__pool_stop();
        }
    return (void *)bad;
}

static void test_callers(void) {
    wn_set_num_threads(3);
    pthread_t t[4];
    for (int i = 0; i < 4; i++) CHECK(!pthread_create(&t[i], NULL, caller, (void *)(intptr_t)(i == 0)));
    for (int i = 0; i < 4; i++) {
        void *bad = NULL;
        pthread_join(t[i], &bad);
        CHECK(bad == NULL);
    }
}

static void test_stop(void) {
    for (int i = 0; i < 100; i++) {
        wn_set_num_threads(1 + i % 4);
        CHECK(count(100, 1) == 100);
        if (i % 3 == 0) wn__pool_stop();
        if (i % 7 == 0) usleep(300); /* the workers fall asleep */
    }
    wn__pool_stop();
    wn__pool_stop();
    wn_set_num_threads(0);
    int n = wn_num_threads();
    CHECK(n >= 1 && n <= WN__MAX_WORKERS);
    wn_set_num_threads(100000);
    CHECK(wn_num_threads() == WN__MAX_WORKERS);
    wn_set_num_threads(-1);
    CHECK(wn_num_threads() == n);
}

/* ---------------------------------------------------------------------------------------- what a worker is like */

typedef struct nature {
    _Atomic int unblocked, misnamed, rounding, workers;
} nature;

static void nature_task(void *ctx, int64_t begin, int64_t end) {
    (void)begin, (void)end;
    nature *k = ctx;
    busy_wait(100000);
    volatile double one = 1, tiny = 1e-30; /* fegetround would ask the x87, which nobody uses */
    if (one + tiny == 1) k->rounding++;
    if (!wn__thread_number()) return;
    k->workers++;
    sigset_t s;
    pthread_sigmask(SIG_BLOCK, NULL, &s);
    if (!sigismember(&s, SIGUSR1) || !sigismember(&s, SIGINT) || !sigismember(&s, SIGALRM)) k->unblocked++;
#if defined(__linux__)
    char name[32] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    if (strcmp(name, "winnow")) k->misnamed++;
#endif
}

static void test_nature(void) {
    wn_set_num_threads(2);
    count(100, 1); /* the workers exist before the rounding mode changes */
    nature k = {0};
    fesetround(FE_UPWARD);
    for (int i = 0; i < 300 && !k.workers; i++) wn__parallel(16, 1, nature_task, &k);
    fesetround(FE_TONEAREST);
    CHECK(k.workers > 0);
    CHECK(k.unblocked == 0);
    CHECK(k.misnamed == 0);
    CHECK(k.rounding == 0);
    sigset_t s;
    pthread_sigmask(SIG_BLOCK, NULL, &s);
    CHECK(!sigismember(&s, SIGUSR1)); /* ours is as it was */
}

/* ---------------------------------------------------------------------------------------- processes */

static bool child_is(pid_t pid, int code) {
    int status = 0;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == code;
}

static _Atomic bool forking;
static void *hammer(void *arg) {
    (void)arg;
    while (forking) count(1000, 10);
    return NULL;
}

static void test_fork(void) {
    if (TSAN) return;
    wn_set_num_threads(3);
    count(1000, 1);
    pthread_t t;
    forking = true;
    CHECK(!pthread_create(&t, NULL, hammer, NULL));
    bool good = true;
    for (int i = 0; i < 60; i++) {
        fflush(stdout);
        pid_t pid = fork();
        if (!pid) {
            alarm(20);
            bool ok = true;
            for (int j = 0; j < 20; j++) ok &= count(1000, 1) == 1000;
            if (i % 2) wn__pool_stop();
            if (i % 3 && !SANITIZED) exit(ok ? 0 : 1); /* there exit looks for leaks, and finds threads missing */
            _exit(ok ? 0 : 1);
        }
        good &= child_is(pid, 0);
    }
    forking = false;
    pthread_join(t, NULL);
    CHECK(good);
    CHECK(count(1000, 1) == 1000);
}

static void exit_task(void *ctx, int64_t begin, int64_t end) {
    (void)begin, (void)end;
    busy_wait(20000);
    static _Atomic int once;
    if ((wn__thread_number() != 0) == *(bool *)ctx && !atomic_exchange(&once, 1)) exit(7);
}

/* exit() with idle workers, from a task on the caller, and from a task on a worker. */
static void test_exit(void) {
    if (SANITIZED) return; /* their own work at exit does not like running threads */
    wn_set_num_threads(2);
    for (int how = 0; how < 4; how++) {
        fflush(stdout);
        pid_t pid = fork();
        if (!pid) {
            alarm(20);
            count(1000, 1);
            bool from_worker = how == 3;
            if (how == 1) usleep(2000); /* asleep */
            if (how >= 2)
                for (int i = 0; i < 1000; i++) wn__parallel(100, 1, exit_task, &from_worker);
            exit(7);
        }
        CHECK(child_is(pid, 7));
    }
}

/* No room for a thread's stack: the caller does the work, and when there is room again threads start after all. */
static void test_no_threads(void) {
    if (SANITIZED) return;
    pid_t pid = fork();
    if (!pid) {
        alarm(60);
        struct rlimit old, r;
        if (getrlimit(RLIMIT_AS, &old)) _exit(2);
        r = old;
        r.rlim_cur = 1 << 20;
        if (setrlimit(RLIMIT_AS, &r)) _exit(3);
        wn_set_num_threads(4);
        for (int i = 0; i < 100; i++)
            if (count(1000, 1) != 1000) _exit(4);
        if (setrlimit(RLIMIT_AS, &old)) _exit(5);
        for (int i = 0; i < 5000; i++) count(10, 1);
        int seen = 0;
        for (int i = 0; i < 300 && seen != 3; i++)
            if (!covered(64, 1, 50000, &seen)) _exit(6);
        _exit(seen == 3 ? 0 : 7);
    }
    CHECK(child_is(pid, 0));
}

static void test_level(void) {
    int max = wn__cpu_level_max(), now = wn__cpu_level();
    CHECK(max >= 0 && max < WN__LEVELS && now >= 0 && now <= max);
    const char *const names[] = {"portable", "avx2", "avx512"};
    for (int i = -1; i <= WN__LEVELS; i++) {
        wn__cpu_level_set(i);
        int want = i < 0 ? 0 : i > max ? max : i;
        CHECK(wn__cpu_level() == want);
        CHECK(!strcmp(wn_level(), names[want]));
    }
    wn__cpu_level_set(now);
    for (int i = 0; i < 4; i++) {
        fflush(stdout);
        pid_t pid = fork();
        if (!pid) {
            setenv("WINNOW_LEVEL", i < 3 ? names[i] : "nonsense", 1);
            execl("/proc/self/exe", "test_pool", "level", (char *)NULL);
            _exit(100);
        }
        CHECK(child_is(pid, i < max ? i : max));
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "level")) return wn__cpu_level();
    test_level();
    test_coverage();
    test_extremes();
    test_nested();
    test_callers();
    test_stop();
    test_nature();
    test_fork();
    test_exit();
    test_no_threads();
    wn_set_num_threads(3);
    count(1000, 1); /* and the process ends with workers idle */
    printf("test_pool: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
