/* Datasets and loaders: what is in the batches, the same for any number of workers; failures, abandoning, resuming, memory. */
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "winnow.h"

static int passed, failed;

__attribute__((format(printf, 2, 3))) static bool check(bool ok, const char *fmt, ...) {
    if (ok) {
        passed++;
        return true;
    }
    failed++;
    va_list ap;
    va_start(ap, fmt);
    printf("FAILED ");
    vprintf(fmt, ap);
    va_end(ap);
    printf(" [record: %d %s]\n", (int)wn_error(), wn_error_message());
    return false;
}

static void expect_error(const char *what, const char *part) {
    check(wn_error() != WN_OK && strstr(wn_error_message(), part), "%s: message lacks \"%s\"", what, part);
    wn_clear();
}

static double now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static uint64_t hash(uint64_t h, const void *p, size_t n) {
    const unsigned char *c = p;
    for (size_t i = 0; i < n; i++) h = (h ^ c[i]) * 0x100000001b3u;
    return h;
}

/* ------------------------------------------------------------------ datasets to try */

enum { N = 103, WIDTH = 7 };

/* Sample i: f32 [7] of i, i + 0.5, ...; i64 i; u8 [3] of i. */
static wn_dataset *in_memory(void) {
    static float x[N][WIDTH];
    static int64_t y[N];
    static uint8_t z[N][3];
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < WIDTH; k++) x[i][k] = (float)i + 0.5f * (float)k;
        y[i] = i;
        for (int k = 0; k < 3; k++) z[i][k] = (uint8_t)i;
    }
    WN_SCOPE(s);
    return wn_tensor_dataset(WN_LIST(wn_from_data(x, WN_DIMS(N, WIDTH), WN_F32), wn_from_data(y, WN_DIMS(N), WN_I64),
                                     wn_from_data(z, WN_DIMS(N, 3), WN_U8)));
}

typedef struct custom {
    int64_t bad1, bad2; /* these samples fail; -1: none */
    bool silently;      /* ... by a failed operation, not by their status */
    int sleep_us;
    atomic_int calls, freed;
} custom;

/* The same samples computed, with noise from the sample's seed in x[6]. */
static wn_status get_custom(void *ctx, const wn_sample *s) {
    custom *c = ctx;
    float *x = s->out[0];
    atomic_fetch_add(&c->calls, 1);
    if (c->sleep_us) usleep((useconds_t)c->sleep_us);
    if (s->index == c->bad1 || s->index == c->bad2) {
        if (c->silently) {
            wn_at(WN_NO_LIST, 5);
            return WN_OK;
        }
        snprintf(s->why, s->why_size, "cannot decode number %lld", (long long)s->index);
        return WN_E_VALUE;
    }
    for (int k = 0; k < WIDTH; k++) x[k] = (float)s->index + 0.5f * (float)k;
    x[6] = (float)(s->seed >> 40);
    *(int64_t *)s->out[1] = s->index;
    memset(s->out[2], (int)s->index, 3);
    return WN_OK;
}

static void count_free(void *ctx) { atomic_fetch_add(&((custom *)ctx)->freed, 1); }

static wn_dataset *computed(custom *c) {
    return wn_dataset_new(N, get_custom, c, .parts = {{WN_F32, WN_DIMS(WIDTH)}, {WN_I64, WN_0D}, {WN_U8, WN_DIMS(3)}},
                          .free = count_free);
}

/* ------------------------------------------------------------------ batches */

static bool sample_right(const wn_batch *b, int64_t row, bool noise) {
    int64_t i = b->indices[row];
    const float *x = (const float *)wn_data(b->x) + row * WIDTH;
    const uint8_t *z = (const uint8_t *)wn_data(b->parts.v[2]) + row * 3;
    bool ok = ((const int64_t *)wn_data(b->y))[row] == i && z[0] == i && z[1] == i && z[2] == i;
    for (int k = 0; k < WIDTH - noise; k++) ok = ok && x[k] == (float)i + 0.5f * (float)k;
    return ok;
}

static bool batch_right(const wn_batch *b, bool noise) {
    bool ok = b->parts.n == 3 && wn_size(b->x, 0) == b->size && wn_size(b->x, 1) == WIDTH && wn_ndim(b->y) == 1;
    for (int64_t r = 0; ok && r < b->size; r++) ok = sample_right(b, r, noise);
    return ok;
}

static void test_sequential(void) {
    wn_dataset *d = in_memory();
    check(wn_dataset_count(d) == N, "count");
    for (int drop = 0; drop < 2; drop++) {
        wn_loader *l = wn_loader_new(d, 10, .drop_last = drop);
        wn_batch b;
        int64_t n = 0, next = 0;
        check(wn_loader_batches(l) == (drop ? 10 : 11), "batches");
        for (int epoch = 0; epoch < 2; epoch++, n = next = 0) {
            while (wn_next(l, &b)) {
                bool order = b.number == n && b.epoch == epoch && b.size == (n == 10 ? 3 : 10);
                for (int64_t r = 0; r < b.size; r++) order = order && b.indices[r] == next++;
                check(order && batch_right(&b, false), "batch %lld of epoch %d", (long long)n, epoch);
                n++;
            }
            check(n == wn_loader_batches(l) && b.parts.n == 0 && !b.x, "end of epoch %d", epoch);
        }
        wn_loader_free(l);
    }
    wn_dataset_free(d);
    check(wn_error() == WN_OK, "no errors");
}

/* Hashes of all batches of three epochs. */
static uint64_t epochs_hash(wn_dataset *d, int64_t batch, int workers, int prefetch, uint64_t seed, bool noise) {
    wn_loader *l = wn_loader_new(d, batch, .shuffle = true, .workers = workers, .prefetch = prefetch, .seed = seed);
    uint64_t h = 0xcbf29ce484222325u;
    wn_batch b;
    bool right = true;
    for (int epoch = 0; epoch < 3; epoch++)
        while (wn_next(l, &b)) {
            right = right && batch_right(&b, noise);
            h = hash(h, &b.number, sizeof b.number);
            for (int64_t p = 0; p < b.parts.n; p++)
                h = hash(h, wn_data(b.parts.v[p]), (size_t)wn_numel(b.parts.v[p]) * wn_dtype_size(wn_dtype_of(b.parts.v[p])));
        }
    wn_loader_free(l);
    check(right && wn_error() == WN_OK, "batches with %d workers", workers);
    return h;
}

static void test_same_bytes(void) {
    static const int workers[] = {0, 1, 2, 5}, prefetch[] = {1, 2, 7, 100};
    custom c = {-1, -1, false, 0, 0, 0};
    wn_dataset *d[2] = {in_memory(), computed(&c)};
    for (int which = 0; which < 2; which++)
        for (int64_t batch = 1; batch <= 200; batch = batch * 3 + 1) {
            uint64_t first = epochs_hash(d[which], batch, 0, 0, 7, which);
            for (int w = 0; w < 4; w++)
                for (int p = 0; p < 4; p++)
                    check(epochs_hash(d[which], batch, workers[w], prefetch[p], 7, which) == first,
                          "dataset %d, batch %lld, %d workers, prefetch %d: other bytes", which, (long long)batch, workers[w],
                          prefetch[p]);
            check(epochs_hash(d[which], batch, 2, 2, 8, which) != first, "another seed, the same bytes");
        }
    wn_dataset_free(d[0]);
    wn_dataset_free(d[1]);
    check(c.freed == 1, "the context is freed once");
}

static void epoch_order(wn_loader *l, int64_t *order, int64_t n) {
    wn_batch b;
    int64_t k = 0;
    while (wn_next(l, &b))
        for (int64_t r = 0; r < b.size && k < n; r++) order[k++] = b.indices[r];
    check(k == n, "an epoch of %lld", (long long)n);
}

static void test_shuffle(void) {
    wn_dataset *d = in_memory();
    int64_t a[N], b[N], c[N], seen[N] = {0};
    wn_manual_seed(5);
    wn_loader *l = wn_loader_new(d, 9, .shuffle = true, .workers = 2);
    epoch_order(l, a, N);
    epoch_order(l, b, N);
    wn_loader_free(l);
    for (int i = 0; i < N; i++) seen[a[i]]++;
    for (int i = 0; i < N; i++) check(seen[i] == 1, "sample %d occurs %lld times", i, (long long)seen[i]);
    check(memcmp(a, b, sizeof a) != 0, "each epoch has its own order");
    wn_manual_seed(5);
    l = wn_loader_new(d, 9, .shuffle = true);
    epoch_order(l, c, N);
    check(memcmp(a, c, sizeof a) == 0, "wn_manual_seed decides");
    wn_loader_free(l);
    wn_generator *g = wn_generator_new(5);
    l = wn_loader_new(d, 4, .shuffle = true, .generator = g);
    epoch_order(l, c, N);
    check(memcmp(a, c, sizeof a) == 0, "a generator with the same seed gives the same order, whatever the batch size");
    wn_loader_free(l);
    wn_generator_free(g);
    wn_dataset_free(d);
}

static void test_indices(void) {
    wn_dataset *d = in_memory();
    static const int64_t some[] = {5, 99, 5, 0, 102, 7}, bad[] = {1, 103}, negative[] = {-1};
    int64_t order[6];
    WN_SCOPE(s);
    wn_loader *l = wn_loader_new(d, 4, .indices = wn_from_data(some, WN_DIMS(6), WN_I64), .workers = 1);
    check(wn_loader_batches(l) == 2, "batches of a subset");
    epoch_order(l, order, 6);
    check(memcmp(order, some, sizeof some) == 0, "the given order");
    wn_loader_free(l);
    l = wn_loader_new(d, 4, .indices = wn_from_data(some, WN_DIMS(6), WN_I64), .shuffle = true, .seed = 3);
    epoch_order(l, order, 6);
    int64_t sum = 0;
    for (int i = 0; i < 6; i++) sum += order[i] * order[i];
    check(sum == 25 + 9801 + 25 + 0 + 10404 + 49, "the same samples shuffled");
    wn_loader_free(l);
    l = wn_loader_new(d, 4, .indices = wn_from_data(some, WN_DIMS(0), WN_I64));
    wn_batch b;
    check(l && wn_loader_batches(l) == 0 && !wn_next(l, &b) && !wn_next(l, &b) && wn_error() == WN_OK, "no samples");
    wn_loader_free(l);
    check(!wn_loader_new(d, 4, .indices = wn_from_data(bad, WN_DIMS(2), WN_I64)), "out of range");
    expect_error("out of range", "indices[1] is 103");
    check(!wn_loader_new(d, 4, .indices = wn_from_data(negative, WN_DIMS(1), WN_I64)), "negative");
    expect_error("negative", "indices[0] is -1");
    check(!wn_loader_new(d, 4, .indices = wn_from_data(some, WN_DIMS(2, 3), WN_I64)), "two dimensions");
    expect_error("two dimensions", "i64 [n]");
    wn_dataset_free(d);
}

static void test_refusals(void) {
    WN_SCOPE(s);
    float x[4] = {0};
    wn_tensor *two = wn_from_data(x, WN_DIMS(2), WN_F32), *three = wn_from_data(x, WN_DIMS(3), WN_F32);
    check(!wn_tensor_dataset(WN_NO_LIST), "no tensors");
    expect_error("no tensors", "no tensors");
    check(!wn_tensor_dataset(WN_LIST(two, three)), "different counts");
    expect_error("different counts", "tensor 1 has 3 samples");
    check(!wn_tensor_dataset(WN_LIST(wn_from_data(x, WN_0D, WN_F32))), "0-d");
    expect_error("0-d", "no dimensions");
    check(!wn_tensor_dataset(WN_LIST(NULL)), "NULL");
    expect_error("NULL", "absent");
    check(!wn_tensor_dataset(WN_LIST(two, two, two, two, two, two, two, two, two)), "nine parts");
    expect_error("nine parts", "at most 8 parts");
    check(!wn_dataset_new(3, get_custom, NULL), "no parts");
    expect_error("no parts", "parts is missing");
    check(!wn_dataset_new(3, NULL, NULL, .parts = {{WN_F32, WN_0D}}), "no get");
    expect_error("no get", "get is missing");
    check(!wn_dataset_new(-1, get_custom, NULL, .parts = {{WN_F32, WN_0D}}), "count");
    expect_error("count", "count is -1");
    check(!wn_dataset_new(1, get_custom, NULL, .parts = {{(wn_dtype)77, WN_0D}}), "dtype");
    expect_error("dtype", "77 is no dtype");
    check(!wn_dataset_new(1, get_custom, NULL, .parts = {{WN_F32, WN_DIMS(INT64_MAX, 8)}}), "size");
    expect_error("size", "too large");
    wn_dataset *d = wn_tensor_dataset(WN_LIST(two));
    check(!wn_loader_new(NULL, 3), "no dataset");
    expect_error("no dataset", "no dataset");
    check(!wn_loader_new(d, 0), "batch 0");
    expect_error("batch 0", "batch_size is 0");
    check(!wn_loader_new(d, 1, .workers = -1), "workers");
    expect_error("workers", "workers is -1");
    check(!wn_loader_new(d, 1, .prefetch = -1), "prefetch");
    expect_error("prefetch", "prefetch is -1");
    wn_batch b;
    check(!wn_next(NULL, &b), "no loader");
    expect_error("no loader", "no loader");
    wn_loader_free(NULL);
    wn_dataset_free(NULL);
    wn_dataset_free(d);
}

static void test_layouts(void) {
    static int32_t data[40 * 6];
    for (int i = 0; i < 40 * 6; i++) data[i] = i;
    WN_SCOPE(s);
    /* column-major; every other column; rows with gaps; one row for all */
    wn_dataset *d = wn_tensor_dataset(WN_LIST(
        wn_from_memory(data, WN_DIMS(40, 6), WN_DIMS(1, 40), WN_I32, NULL, NULL),
        wn_from_memory(data, WN_DIMS(40, 3), WN_DIMS(6, 2), WN_I32, NULL, NULL),
        wn_from_memory(data, WN_DIMS(40, 2), WN_DIMS(6, 1), WN_I32, NULL, NULL),
        wn_from_memory(data, WN_DIMS(40, 6), WN_DIMS(0, 1), WN_I32, NULL, NULL), wn_from_data(NULL, WN_DIMS(40, 0), WN_F32)));
    wn_loader *l = wn_loader_new(d, 7, .shuffle = true, .seed = 1, .workers = 2);
    wn_batch b;
    bool ok = true;
    while (wn_next(l, &b))
        for (int64_t r = 0; r < b.size; r++) {
            int32_t i = (int32_t)b.indices[r];
            const int32_t *p[4];
            for (int k = 0; k < 4; k++) p[k] = wn_data(b.parts.v[k]);
            for (int k = 0; k < 6; k++) ok = ok && p[0][r * 6 + k] == k * 40 + i && p[3][r * 6 + k] == k;
            for (int k = 0; k < 3; k++) ok = ok && p[1][r * 3 + k] == i * 6 + 2 * k;
            for (int k = 0; k < 2; k++) ok = ok && p[2][r * 2 + k] == i * 6 + k;
            ok = ok && wn_size(b.parts.v[4], 0) == b.size && wn_size(b.parts.v[4], 1) == 0;
        }
    check(ok && wn_error() == WN_OK, "rows of strided tensors");
    wn_loader_free(l);
    wn_list one = wn_dataset_at(d, -1);
    check(one.n == 5 && wn_ndim(one.v[0]) == 1 && ((const int32_t *)wn_data(one.v[0]))[5] == 239, "a single sample");
    check(wn_dataset_at(d, 40).n == 0, "no such sample");
    expect_error("no such sample", "sample 40 is out of range");
    wn_dataset_free(d);
}

/* ------------------------------------------------------------------ failures */

static void test_errors(void) {
    static const int workers[] = {0, 1, 2, 5};
    for (int w = 0; w < 4; w++)
        for (int silently = 0; silently < 2; silently++) {
            custom c = {37, 35, silently, 0, 0, 0}; /* both in batch 3: the first one, 35, is reported */
            wn_dataset *d = computed(&c);
            wn_loader *l = wn_loader_new(d, 10, .workers = workers[w], .seed = 1);
            wn_batch b;
            int64_t n = 0, errors = 0;
            for (int epoch = 0; epoch < 2;) {
                if (wn_next(l, &b)) {
                    n += batch_right(&b, true);
                } else if (wn_error() != WN_OK) {
                    errors++;
                    check(b.parts.n == 0 && !wn_next(l, &b), "wn_next stops at a pending error");
                    check(wn_error() == (silently ? WN_E_INDEX : WN_E_VALUE), "the code");
                    char text[100];
                    snprintf(text, sizeof text, "sample 35 (position 5 of batch 3, epoch %d): %s", epoch,
                             silently ? "at: list index 5" : "cannot decode number 35");
                    expect_error("a failing sample", text);
                } else {
                    epoch++;
                }
            }
            check(n == 20 && errors == 2, "%d workers: %lld batches and %lld errors", workers[w], (long long)n, (long long)errors);
            wn_loader_free(l);
            WN_SCOPE(s);
            wn_list one = wn_dataset_at(d, 37);
            check(one.n == 0, "a single failing sample");
            expect_error("a single failing sample", "sample 37: ");
            wn_dataset_free(d);
            check(c.freed == 1, "freed");
        }
}

static int thread_count(void) {
    FILE *f = fopen("/proc/self/status", "r");
    char line[200];
    int n = -1;
    while (f && fgets(line, sizeof line, f)) sscanf(line, "Threads: %d", &n);
    if (f) fclose(f);
    return n;
}

static void test_abandon(void) {
    custom c = {-1, -1, false, 200, 0, 0};
    wn_dataset *d = computed(&c);
    int threads = thread_count();
    for (int stop = 0; stop < 12; stop++) {
        wn_loader *l = wn_loader_new(d, 10, .workers = 3, .prefetch = 1 + stop % 4, .shuffle = true, .seed = 2);
        wn_batch b;
        for (int k = 0; k < stop && wn_next(l, &b); k++) check(batch_right(&b, true), "batch");
        if (stop % 3 == 1) { /* leave the epoch, take one batch of the next */
            wn_loader_reset(l);
            check(wn_next(l, &b) && b.epoch == 1 && b.number == 0 && batch_right(&b, true), "the next epoch");
        }
        wn_loader_free(l);
    }
    usleep(20000); /* a joined thread may be listed a moment longer */
    check(thread_count() == threads, "threads are left: %d, %d before", thread_count(), threads);
    wn_dataset_free(d);
    check(c.freed == 1 && wn_error() == WN_OK, "freed");
}

static void test_lifetimes(void) {
    custom c = {-1, -1, false, 0, 0, 0};
    wn_dataset *d = computed(&c);
    wn_loader *l = wn_loader_new(d, 10, .workers = 2, .seed = 1);
    wn_dataset_free(d); /* the loader holds it */
    wn_batch b;
    check(wn_next(l, &b), "first batch");
    wn_tensor *y = wn_keep(b.y);
    check(wn_next(l, &b) && c.freed == 0, "second batch");
    check(((const int64_t *)wn_data(y))[9] == 9 && ((const int64_t *)wn_data(b.y))[9] == 19, "a kept tensor stays");
    wn_loader_free(l);
    check(c.freed == 1 && ((const int64_t *)wn_data(y))[9] == 9, "after the loader too");
    wn_drop(y);
}

static void test_resume(void) {
    custom c = {-1, -1, false, 0, 0, 0};
    wn_dataset *d = computed(&c);
    wn_loader *l = wn_loader_new(d, 10, .shuffle = true, .workers = 2, .seed = 11);
    wn_batch b;
    wn_position position = {0, 0, 0};
    uint64_t full = 0, resumed = 0;
    for (int epoch = 0; epoch < 3; epoch++)
        while (wn_next(l, &b)) {
            if (epoch == 1 && b.number == 6) position = wn_loader_tell(l);
            else if (epoch == 2 || (epoch == 1 && b.number > 6)) full = hash(full, wn_data(b.x), (size_t)wn_numel(b.x) * 4);
        }
    wn_loader_free(l);
    check(position.seed == 11 && position.epoch == 1 && position.batch == 7, "position");
    l = wn_loader_new(d, 10, .shuffle = true, .workers = 1, .seed = 99);
    check(wn_next(l, &b) && wn_loader_seek(l, position) == WN_OK, "seek");
    for (int epoch = 1; epoch < 3; epoch++)
        while (wn_next(l, &b)) resumed = hash(resumed, wn_data(b.x), (size_t)wn_numel(b.x) * 4);
    check(full == resumed, "the same batches after resuming");
    position.batch = 12;
    check(wn_loader_seek(l, position) != WN_OK, "beyond the epoch");
    expect_error("beyond the epoch", "no batch 12");
    position.batch = 11;
    check(wn_loader_seek(l, position) == WN_OK && !wn_next(l, &b) && wn_next(l, &b) && b.epoch == 2, "the end of an epoch");
    wn_loader_free(l);
    wn_dataset_free(d);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHILD_WORKERS 0
#endif
#endif
#if defined(__SANITIZE_THREAD__) && !defined(CHILD_WORKERS)
#define CHILD_WORKERS 0
#endif
#ifndef CHILD_WORKERS
#define CHILD_WORKERS 2 /* ThreadSanitizer refuses threads in a forked child */
#endif

static void test_fork(void) {
    wn_dataset *d = in_memory();
    wn_loader *l = wn_loader_new(d, 10, .workers = 2);
    wn_batch b;
    check(wn_next(l, &b), "first batch");
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        bool ok = !wn_next(l, &b) && strstr(wn_error_message(), "fork");
        wn_clear();
        wn_loader_free(l);
        l = wn_loader_new(d, 10, .workers = CHILD_WORKERS);
        ok = ok && wn_next(l, &b) && batch_right(&b, false);
        wn_loader_free(l);
        _exit(ok ? 0 : 1);
    }
    int status = 1;
    check(waitpid(pid, &status, 0) == pid && status == 0, "a forked child");
    check(wn_next(l, &b) && b.number == 1, "the parent goes on");
    wn_loader_free(l);
    wn_dataset_free(d);
}

/* ------------------------------------------------------------------ IDX */

static const char *put_idx(const char *name, int ndim, const int64_t *shape, const uint8_t *data) {
    static char path[2][100];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "/tmp/wn-test-data-%ld-%s", (long)getpid(), name);
    FILE *f = fopen(path[turn], "wb");
    size_t n = 1;
    if (!f) exit(1);
    fwrite((unsigned char[]){0, 0, 8, (unsigned char)ndim}, 1, 4, f);
    for (int i = 0; i < ndim; i++) {
        n *= (size_t)shape[i];
        fwrite((unsigned char[]){0, 0, (unsigned char)(shape[i] >> 8), (unsigned char)shape[i]}, 1, 4, f);
    }
    fwrite(data, 1, n, f);
    fclose(f);
    return path[turn];
}

static bool try_idx(const char *images, const char *labels) {
    wn_dataset *d = wn_idx_dataset(images, labels, .floats = true, .mean = 0.25, .std = 0.5);
    bool ok = d != NULL;
    wn_dataset_free(d);
    return ok;
}

static void test_idx(void) {
    static uint8_t pixels[1000 * 28 * 28], numbers[1000];
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)(i * 31 + i / 784);
    for (int i = 0; i < 1000; i++) numbers[i] = (uint8_t)(i % 10);
    const char *images = put_idx("images", 3, (int64_t[]){1000, 28, 28}, pixels);
    const char *labels = put_idx("labels", 1, (int64_t[]){1000}, numbers);
    wn_dataset *d = wn_idx_dataset(images, labels, .floats = true, .mean = 0.25, .std = 0.5, .channel = true);
    wn_loader *l = wn_loader_new(d, 32, .shuffle = true, .workers = 2, .seed = 1);
    wn_batch b;
    bool ok = true;
    while (wn_next(l, &b)) {
        const float *x = wn_data(b.x);
        const int64_t *y = wn_data(b.y);
        ok = ok && wn_ndim(b.x) == 4 && wn_size(b.x, 1) == 1 && wn_dtype_of(b.y) == WN_I64;
        for (int64_t i = 0; ok && i < b.size * 784; i++)
            ok = x[i] == ((float)pixels[b.indices[i / 784] * 784 + i % 784] / 255.0f - 0.25f) / 0.5f;
        for (int64_t i = 0; ok && i < b.size; i++) ok = y[i] == b.indices[i] % 10;
    }
    check(ok && wn_error() == WN_OK, "images as floats");
    wn_loader_free(l);
    wn_dataset_free(d);
    WN_SCOPE(s);
    d = wn_idx_dataset(images, NULL);
    wn_list one = wn_dataset_at(d, 999);
    check(one.n == 1 && wn_ndim(one.v[0]) == 2 && memcmp(wn_data(one.v[0]), pixels + 999 * 784, 784) == 0, "images as they are");
    wn_dataset_free(d);
    check(!try_idx(labels, images), "the wrong way round");
    expect_error("the wrong way round", "labels are integers [n]");
    check(!try_idx(images, images), "labels with dimensions");
    expect_error("labels", "images: labels are");
    check(!try_idx(images, "/nowhere"), "no labels");
    expect_error("no labels", "/nowhere: cannot be opened");
    check(!try_idx(NULL, labels), "no images");
    expect_error("no images", "no path");
    int64_t n = 0;
    int leak = 0, silent = 0;
    int64_t handles = wn_get_stats().handles;
    for (bool hit = true; hit && n < 1000; n++) {
        wn_fail_allocation(n);
        bool made = try_idx(images, labels);
        hit = wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        silent += hit && (made || wn_error() != WN_E_MEMORY);
        leak += wn_get_stats().handles != handles;
        wn_clear();
    }
    check(leak == 0 && silent == 0 && n > 3, "IDX datasets when memory is short");
    unlink(images);
    unlink(labels);
}

/* ------------------------------------------------------------------ memory is short */

static bool whole_run(wn_dataset *d, int workers) {
    wn_loader *l = wn_loader_new(d, 40, .shuffle = true, .workers = workers, .prefetch = 2, .seed = 3);
    wn_batch b;
    int batches = 0;
    for (int epoch = 0; l && epoch < 2; epoch++)
        while (wn_next(l, &b)) batches += batch_right(&b, true);
    wn_loader_free(l);
    return batches == 6;
}

static void test_memory(void) {
    custom c = {-1, -1, false, 0, 0, 0};
    for (int workers = 0; workers < 3; workers++) {
        wn_dataset *d = computed(&c);
        int64_t handles = wn_get_stats().handles, n = 0, silent = 0;
        bool hit = true, ok = false;
        for (; hit && n < 2000; n++) {
            wn_fail_allocation(n);
            ok = whole_run(d, workers);
            hit = wn_fail_allocation_hit();
            wn_fail_allocation(-1);
            silent += hit && (ok || wn_error() != WN_E_MEMORY);
            wn_clear();
        }
        check(ok && n > 3 && silent == 0, "%d workers: %lld of %lld failures silent", workers, (long long)silent, (long long)n);
        check(wn_get_stats().handles == handles, "%d workers leak", workers);
        wn_dataset_free(d);
    }
}

/* ------------------------------------------------------------------ time (generous: machines are shared) */

static void test_latency(void) {
    wn_dataset *d = in_memory();
    double best = 1, start;
    for (int i = 0; i < 20; i++) {
        wn_batch b;
        start = now();
        wn_loader *l = wn_loader_new(d, 64, .shuffle = true, .workers = 2, .seed = 1);
        bool ok = wn_next(l, &b);
        double t = now() - start;
        if (ok && t < best) best = t;
        wn_loader_free(l);
    }
    printf("first batch after %.0f us (64 samples, 2 workers)\n", best * 1e6);
    check(best < 0.005, "the first batch takes %g s", best);
    custom c = {-1, -1, false, 1000, 0, 0};
    wn_dataset *slow = computed(&c);
    wn_loader *l = wn_loader_new(slow, 20, .workers = 3, .prefetch = 2, .seed = 1);
    wn_batch b;
    start = now();
    while (wn_next(l, &b)) continue;
    double t = now() - start;
    wn_loader_stats stats = wn_loader_get_stats(l);
    printf("%d samples of 1 ms with 3 workers: %.0f ms, waited %.0f ms, worked %.0f ms\n", N, t * 1e3, stats.waited * 1e3,
           stats.worked * 1e3);
    check(stats.batches == 6 && stats.samples == N && stats.worked >= 0.1 && stats.waited <= t, "statistics");
    wn_loader_free(l);
    wn_dataset_free(slow);
    wn_dataset_free(d);
}

int main(void) {
    wn_set_error_hook(NULL);
    test_sequential();
    test_same_bytes();
    test_shuffle();
    test_indices();
    test_refusals();
    test_layouts();
    test_errors();
    test_abandon();
    test_lifetimes();
    test_resume();
    test_fork();
    test_idx();
    test_memory();
    test_latency();
    check(wn_get_stats().handles == 0, "%lld handles leaked", (long long)wn_get_stats().handles);
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
