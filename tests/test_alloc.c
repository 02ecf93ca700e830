/* The allocator: reuse, alignment, statistics, limits, planned failures, threads, fork. */
#include "base/alloc.h"
#include "winnow.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TSAN 1
#endif
#endif
#ifndef ASAN
#define ASAN 0 /* under ASan nothing is cached: what is about reuse is not tested there */
#endif
#ifndef TSAN
#define TSAN 0
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

static uint64_t random_next(uint64_t *s) {
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

static void test_objects(void) {
    int *p = wn__new(int, 100);
    CHECK(p != NULL);
    bool zero = true;
    for (int i = 0; i < 100; i++) zero &= p[i] == 0;
    CHECK(zero);
    p[99] = 7;
    p = wn__realloc(p, 100000, sizeof *p);
    CHECK(p && p[99] == 7);
    CHECK(wn__realloc(p, SIZE_MAX / 2, 4) == NULL && p[99] == 7);
    wn__free(p);
    CHECK(wn__calloc(SIZE_MAX / 2, 3) == NULL);
    CHECK(wn__calloc(SIZE_MAX, 1) == NULL);
    CHECK(wn__calloc((size_t)1 << 33, (size_t)1 << 31) == NULL);
    void *none = wn__calloc(0, 8);
    CHECK(none != NULL);
    wn__free(none);
    wn__free(NULL);
    void *fresh = wn__realloc(NULL, 3, 5);
    CHECK(fresh != NULL);
    wn__free(fresh);
}

/* Every size: aligned, whole lines, at most 12.5% wasted beyond the first line, usable to the last byte. */
static void test_sizes(void) {
    bool aligned = true, lines = true, tight = true, usable = true, got = true;
    for (size_t n = 0; n < 300000; n = n < 9000 ? n + 1 : n + n / 97) {
        size_t cap = 0;
        unsigned char *p = wn__data_alloc(n, &cap);
        got &= p != NULL;
        if (!p) continue;
        aligned &= (uintptr_t)p % 64 == 0;
        lines &= cap >= n && cap >= 64 && cap % 64 == 0;
        /* a cached block may be a quarter larger than asked for, from 4 KB on */
        tight &= n <= 64 || cap < n + 64 || (double)cap <= (double)n * (n > 4096 ? 1.2501 : 1.1251);
        if (n > 65536) { /* a fresh block is hardly larger: what rounding adds would be counted but never touched */
            wn_empty_cache();
            size_t fresh = 0;
            void *q = wn__data_alloc(n, &fresh);
            tight &= q && (double)fresh <= (double)n * 1.01;
            wn__data_free(q, fresh);
        }
        memset(p, 0xa5, cap);
        usable &= p[cap - 1] == 0xa5;
        wn__data_free(p, cap);
    }
    CHECK(got);
    CHECK(aligned);
    CHECK(lines);
    CHECK(tight);
    CHECK(usable);
    size_t cap = 1;
    CHECK(wn__data_alloc(SIZE_MAX, &cap) == NULL);
    CHECK(wn__data_alloc(SIZE_MAX - 4096, &cap) == NULL);
    CHECK(wn__data_alloc((size_t)PTRDIFF_MAX, &cap) == NULL);
    wn__data_free(NULL, 64);
}

static void test_huge(void) {
    size_t cap;
    for (size_t n = (size_t)1900 << 10; n < (size_t)40 << 20; n = n * 3 / 2) {
        char *p = wn__data_alloc(n, &cap);
        CHECK(p && cap >= n && cap <= n + n / 4);
        if (!p) return;
        if (!ASAN && cap >= (size_t)2 << 20) CHECK((uintptr_t)p % ((size_t)2 << 20) == 0);
        p[0] = p[n - 1] = p[cap - 1] = 1;
        wn__data_free(p, cap);
    }
}

static void test_reuse(void) {
    if (ASAN) return;
    const size_t sizes[] = {1, 64, 100, 1000, 4096, 4097, 70000, 1 << 20, 5 << 20, 64 << 20};
    wn_set_memory_limit((int64_t)1 << 30);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t cap, cap2;
        void *p = wn__data_alloc(sizes[i], &cap);
        wn__data_free(p, cap);
        int64_t before = wn_get_stats().system_allocations;
        void *q = wn__data_alloc(sizes[i], &cap2);
        CHECK(p == q && cap == cap2);
        CHECK(wn_get_stats().system_allocations == before);
        wn__data_free(q, cap2);
    }
    /* one that is up to a quarter larger serves; one that is larger still does not */
    wn_empty_cache();
    size_t cap;
    void *p = wn__data_alloc(1 << 20, &cap);
    wn__data_free(p, cap);
    void *q = wn__data_alloc((1 << 20) * 82 / 100, &cap);
    CHECK(p == q && cap == 1 << 20);
    wn__data_free(q, cap);
    q = wn__data_alloc((1 << 20) * 78 / 100, &cap);
    CHECK(p != q && cap < 1 << 20);
    wn__data_free(q, cap);
    wn_set_memory_limit(-1);
}

static void test_stats(void) {
    wn_empty_cache();
    wn_reset_peaks();
    wn_stats a = wn_get_stats();
    CHECK(a.allocated_peak == a.allocated && a.reserved_peak == a.reserved && a.elements == 0);
    size_t c1, c2, c3;
    void *p = wn__data_alloc(100, &c1), *q = wn__data_alloc(100000, &c2), *r = wn__data_alloc(3 << 20, &c3);
    wn_stats b = wn_get_stats();
    CHECK(b.allocated == a.allocated + (int64_t)(c1 + c2 + c3));
    CHECK(b.allocations == a.allocations + 3 && b.frees == a.frees);
    CHECK(b.reserved >= a.reserved + (int64_t)(c1 + c2 + c3) && b.reserved >= b.allocated);
    CHECK(b.system_allocations <= a.system_allocations + 3 && b.system_allocations > a.system_allocations);
    wn__data_free(p, c1);
    wn__data_free(q, c2);
    wn__data_free(r, c3);
    wn_stats c = wn_get_stats();
    CHECK(c.allocated == a.allocated && c.frees == a.frees + 3);
    CHECK(c.allocated_peak == b.allocated);
    CHECK(c.reserved_peak >= c.allocated_peak);
    wn_empty_cache();
    CHECK(wn_get_stats().reserved == a.reserved);
    wn_reset_peaks();
    CHECK(wn_get_stats().allocated_peak == a.allocated);
    /* the peak of tiny blocks, which never come near the lock, is exact on one thread */
    enum { N = 1000 };
    static void *v[N];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) v[i] = wn__data_alloc(64, &c1);
        for (int i = 0; i < N; i++) wn__data_free(v[i], 64);
    }
    CHECK(wn_get_stats().allocated_peak == a.allocated + N * 64);
    CHECK(wn_get_stats().allocated == a.allocated);
    wn_empty_cache();
    CHECK(wn_get_stats().reserved == a.reserved);
    void *handle = wn__slab_alloc(WN__SLAB_TENSOR, 200);
    CHECK(handle && wn_get_stats().handles == a.handles + 1);
    wn__slab_free(WN__SLAB_TENSOR, handle);
    CHECK(wn_get_stats().handles == a.handles);
}

static void test_limit(void) {
    if (ASAN) return;
    wn_empty_cache();
    int64_t base = wn_get_stats().reserved;
    wn_set_memory_limit(10 << 20);
    void *v[10];
    size_t cap[10];
    for (int i = 0; i < 10; i++) v[i] = wn__data_alloc(3 << 20, &cap[i]);
    for (int i = 0; i < 10; i++) wn__data_free(v[i], cap[i]);
    CHECK(wn_get_stats().reserved <= base + (10 << 20));
    CHECK(wn_get_stats().reserved >= base + (9 << 20));
    /* the oldest went first: the last ones freed are the ones still here */
    size_t c;
    void *p = wn__data_alloc(3 << 20, &c);
    CHECK(p == v[9]);
    wn__data_free(p, c);
    /* a block beyond the limit does not push everything else out */
    p = wn__data_alloc(20 << 20, &c);
    wn__data_free(p, c);
    CHECK(wn_get_stats().reserved >= base + (9 << 20));
    wn_set_memory_limit(4 << 20);
    CHECK(wn_get_stats().reserved <= base + (4 << 20));
    wn_set_memory_limit(0);
    CHECK(wn_get_stats().reserved == base);
    p = wn__data_alloc(100000, &c);
    wn__data_free(p, c);
    CHECK(wn_get_stats().reserved == base);
    /* many small blocks: their chunks are under the limit too, but for what the thread's lists hold */
    enum { N = 20000 };
    void **w = malloc(N * sizeof *w);
    if (w) {
        for (int i = 0; i < N; i++) w[i] = wn__data_alloc(1000, &c);
        CHECK(wn_get_stats().reserved >= base + N * 1024);
        for (int i = 0; i < N; i++) wn__data_free(w[i], 1024);
        CHECK(wn_get_stats().reserved <= base + 4 * 65536);
    }
    free(w);
    wn_empty_cache();
    CHECK(wn_get_stats().reserved == base);
    wn_set_memory_limit(-1);
}

static void test_slabs(void) {
    enum { N = 5000 };
    static char *v[N];
    const size_t sizes[] = {200, 120, 88, 56}; /* the sizes used elsewhere in this file */
    for (int k = 0; k < WN__SLAB_KINDS; k++) {
        const size_t size = sizes[k % 4];
        int64_t live = wn__slab_live((wn__slab)k);
        bool good = true;
        for (int i = 0; i < N; i++) {
            v[i] = wn__slab_alloc((wn__slab)k, size);
            good &= v[i] && (uintptr_t)v[i] % 16 == 0;
            if (v[i]) memset(v[i], i & 127, size);
        }
        for (int i = 0; i < N; i++)
            for (size_t j = 0; j < size; j++) good &= v[i][j] == (i & 127);
        CHECK(good);
        CHECK(wn__slab_live((wn__slab)k) == live + N);
        for (int i = 0; i < N; i++) wn__slab_free((wn__slab)k, v[i]);
        CHECK(wn__slab_live((wn__slab)k) == live);
    }
    wn__slab_free(WN__SLAB_TENSOR, NULL);
}

static void test_scratch(void) {
    wn_stats a = wn_get_stats();
    char *p = wn__scratch(0, 1000), *q = wn__scratch(1, 100000);
    CHECK(p && q && p != q && (uintptr_t)p % 64 == 0 && (uintptr_t)q % 64 == 0);
    if (!p || !q) return;
    memset(p, 1, 1000);
    memset(q, 2, 100000);
    CHECK(wn__scratch(0, 900) == (void *)p && p[999] == 1);
    CHECK(wn__scratch(1, 100000) == (void *)q);
    char *r = wn__scratch(0, 5 << 20);
    CHECK(r != NULL);
    if (r) memset(r, 3, 5 << 20);
    CHECK(wn__scratch(64, 1) == NULL && wn__scratch(-1, 1) == NULL);
    CHECK(wn__scratch(2, SIZE_MAX) == NULL && wn__scratch(2, 64) != NULL);
    wn_stats b = wn_get_stats();
    CHECK(b.allocated == a.allocated && b.allocations == a.allocations);
    wn_empty_cache();
    CHECK(wn_get_stats().reserved < b.reserved);
}

/* ---------------------------------------------------------------------------------------- planned failures */

static bool alloc_calloc(void) { void *p = wn__calloc(1, 8); wn__free(p); return p; }
static bool alloc_realloc(void) { void *p = wn__realloc(NULL, 1, 8); wn__free(p); return p; }
static bool alloc_slab(void) { void *p = wn__slab_alloc(WN__SLAB_NODE, 88); wn__slab_free(WN__SLAB_NODE, p); return p; }
static bool alloc_small(void) { size_t c; void *p = wn__data_alloc(8, &c); if (p) wn__data_free(p, c); return p; }
static bool alloc_large(void) { size_t c; void *p = wn__data_alloc(8 << 20, &c); if (p) wn__data_free(p, c); return p; }
static bool alloc_scratch(void) { return wn__scratch(0, 100) != NULL; }

static void test_failures(void) {
    bool (*const paths[])(void) = {alloc_calloc, alloc_realloc, alloc_slab, alloc_small, alloc_large, alloc_scratch};
    enum { N = sizeof paths / sizeof *paths };
    for (int warm = 0; warm < 2; warm++)
        for (int i = 0; i < N; i++) {
            wn_fail_allocation(0);
            CHECK(!wn_fail_allocation_hit());
            CHECK(!paths[i]());
            CHECK(wn_fail_allocation_hit());
            CHECK(paths[i]()); /* exactly one fails */
        }
    /* the n-th and no other */
    for (int n = 0; n < N + 2; n++) {
        wn_fail_allocation(n);
        for (int i = 0; i < N; i++) CHECK(paths[i]() == (i != n));
        CHECK(wn_fail_allocation_hit() == (n < N));
    }
    wn_fail_allocation(-1);
    CHECK(!wn_fail_allocation_hit());
    for (int i = 0; i < N; i++) CHECK(paths[i]());
    CHECK(!wn_fail_allocation_hit());
}

static _Atomic int failures;
static void *failing_thread(void *arg) {
    (void)arg;
    for (int i = 0; i < 2000; i++)
        if (!alloc_small()) failures++;
    return NULL;
}

static void test_failure_threads(void) {
    pthread_t t[4];
    failures = 0;
    wn_fail_allocation(3000);
    for (int i = 0; i < 4; i++) CHECK(!pthread_create(&t[i], NULL, failing_thread, NULL));
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    CHECK(failures == 1);
    wn_fail_allocation(-1);
}

/* ---------------------------------------------------------------------------------------- threads */

enum { SLOTS = 256, THREADS = 4 };
typedef struct item {
    unsigned char *p;
    size_t cap;
    unsigned char mark;
} item;
static item shared_slots[SLOTS];
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int corrupt;

/* Blocks change hands through a shared table: most are freed on another thread than they came from. */
static void *churn(void *arg) {
    uint64_t s = (uint64_t)(uintptr_t)arg * 77 + 1;
    for (int i = 0; i < (ASAN ? 2000 : 20000); i++) {
        size_t n = random_next(&s) % 8 ? random_next(&s) % 5000 : random_next(&s) % 3000000;
        item mine = {.mark = (unsigned char)random_next(&s)};
        mine.p = wn__data_alloc(n, &mine.cap);
        if (mine.p) mine.p[0] = mine.p[mine.cap / 2] = mine.p[mine.cap - 1] = mine.mark;
        unsigned k = (unsigned)(random_next(&s) % SLOTS);
        pthread_mutex_lock(&slots_lock);
        item old = shared_slots[k];
        shared_slots[k] = mine;
        pthread_mutex_unlock(&slots_lock);
        if (old.p) {
            if (old.p[0] != old.mark || old.p[old.cap / 2] != old.mark || old.p[old.cap - 1] != old.mark) corrupt++;
            wn__data_free(old.p, old.cap);
        }
        void *o = wn__slab_alloc(WN__SLAB_TENSOR, 200);
        if (o) memset(o, i, 200);
        if (i % 3 == 0) wn__scratch(i % 4, (size_t)(i % 50) * 1000);
        wn__slab_free(WN__SLAB_TENSOR, o);
        if (i % 5000 == 0) wn_empty_cache();
        if (i % 1000 == 0) (void)wn_get_stats();
    }
    return NULL;
}

static void test_churn(void) {
    wn_stats a = wn_get_stats();
    int64_t live = wn__slab_live(WN__SLAB_TENSOR);
    wn_set_memory_limit(32 << 20);
    for (int round = 0; round < 3; round++) {
        pthread_t t[THREADS];
        for (int i = 0; i < THREADS; i++) CHECK(!pthread_create(&t[i], NULL, churn, (void *)(uintptr_t)(i + round * 9)));
        for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
    }
    for (int i = 0; i < SLOTS; i++)
        if (shared_slots[i].p) wn__data_free(shared_slots[i].p, shared_slots[i].cap);
    memset(shared_slots, 0, sizeof shared_slots);
    CHECK(corrupt == 0);
    wn_stats b = wn_get_stats();
    CHECK(b.allocated == a.allocated);
    CHECK(b.allocations - a.allocations == b.frees - a.frees);
    CHECK(wn__slab_live(WN__SLAB_TENSOR) == live);
    wn_empty_cache();
    wn_set_memory_limit(-1);
}

/* What ended threads held is there for others and for the system: nothing stays behind. */
static void *hold_and_end(void *arg) {
    (void)arg;
    enum { N = 500 };
    void *v[N];
    size_t c;
    for (int i = 0; i < N; i++) v[i] = wn__data_alloc(512, &c);
    for (int i = 0; i < N; i++) wn__data_free(v[i], 512);
    wn__scratch(0, 1 << 20);
    return NULL;
}

static void test_thread_end(void) {
    wn_empty_cache();
    int64_t base = wn_get_stats().reserved;
    for (int i = 0; i < 50; i++) {
        pthread_t t;
        CHECK(!pthread_create(&t, NULL, hold_and_end, NULL));
        pthread_join(t, NULL);
    }
    CHECK(wn_get_stats().reserved <= base + (4 << 20)); /* reused, not 50 times as much */
    wn_empty_cache();
    CHECK(wn_get_stats().reserved == base);
}

/* A destructor that runs after the allocator's own still works. */
static pthread_key_t late_key;
static void late(void *p) { wn__data_free(p, 64); }
static void *late_thread(void *arg) {
    (void)arg;
    size_t c;
    pthread_setspecific(late_key, wn__data_alloc(64, &c));
    return NULL;
}

static void test_late_free(void) {
    int64_t before = wn_get_stats().allocated;
    CHECK(!pthread_key_create(&late_key, late));
    for (int i = 0; i < 10; i++) {
        pthread_t t;
        CHECK(!pthread_create(&t, NULL, late_thread, NULL));
        pthread_join(t, NULL);
    }
    pthread_key_delete(late_key);
    CHECK(wn_get_stats().allocated == before);
}

/* ---------------------------------------------------------------------------------------- fork, shortage */

static _Atomic bool forking;
static void *busy(void *arg) {
    uint64_t s = (uint64_t)(uintptr_t)arg;
    while (forking) {
        size_t c;
        void *p = wn__data_alloc(random_next(&s) % 20000, &c);
        wn__data_free(p, c);
    }
    return NULL;
}

static bool child_ok(pid_t pid) {
    int status = 0;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_fork(void) {
    if (TSAN) return; /* it does not support threads after fork */
    pthread_t t[2];
    forking = true;
    for (int i = 0; i < 2; i++) CHECK(!pthread_create(&t[i], NULL, busy, (void *)(uintptr_t)(i + 1)));
    bool good = true;
    for (int i = 0; i < (ASAN ? 10 : 100); i++) {
        pid_t pid = fork();
        if (!pid) {
            alarm(20);
            bool ok = true;
            for (int j = 0; j < 100; j++) ok &= alloc_small() && alloc_slab() && alloc_scratch();
            wn_empty_cache();
            (void)wn_get_stats();
            _exit(ok ? 0 : 1);
        }
        good &= child_ok(pid);
    }
    forking = false;
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    CHECK(good);
}

/* When the system refuses, what is cached is given up and the request succeeds; beyond that NULL, and life goes on. */
static void test_shortage(void) {
    if (ASAN || TSAN) return;
    pid_t pid = fork();
    if (!pid) {
        struct rlimit r = {(rlim_t)2 << 30, (rlim_t)2 << 30};
        size_t c, d;
        wn_set_memory_limit((int64_t)1 << 40);
        if (setrlimit(RLIMIT_AS, &r)) _exit(2);
        void *p = wn__data_alloc((size_t)1200 << 20, &c);
        if (!p) _exit(3);
        wn__data_free(p, c); /* cached: 1.2 GB of the 2 GB */
        int64_t before = wn_get_stats().reserved;
        p = wn__data_alloc((size_t)1500 << 20, &d);
        if (!p || before < (int64_t)1200 << 20 || wn_get_stats().reserved < (int64_t)1500 << 20) _exit(4);
        if (wn__data_alloc((size_t)1200 << 20, &c)) _exit(5);
        if (wn__calloc((size_t)1200 << 20, 1)) _exit(6);
        wn__data_free(p, d);
        void *q = wn__calloc((size_t)1200 << 20, 1); /* gives up the cached block */
        if (!q) _exit(7);
        wn__free(q);
        if (!alloc_small() || !alloc_large() || !alloc_slab()) _exit(8);
        _exit(0);
    }
    CHECK(child_ok(pid));
}

int main(void) {
    test_objects();
    test_failures();
    test_sizes();
    test_huge();
    test_reuse();
    test_stats();
    test_limit();
    test_slabs();
    test_scratch();
    test_failure_threads();
    test_churn();
    test_thread_end();
    test_late_free();
    test_fork();
    test_shortage();
    printf("test_alloc: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
