/* Deferred equals immediate, bit for bit: random programs of up to 40 steps (rows of all dtypes, views, in-place steps, masks,
 * reductions, contractions, gradients, scopes, reads at random moments) run once with deferral off and once with a threshold
 * drawn from 1, 16, 300, 8192; all that can be seen of both runs must be the same.
 *     test_defer_random [--seed S] [--programs N] [--steps]     --steps prints the program of seed S
 * SPDX-License-Identifier: Apache-2.0 */
#include "defer/machine.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static machine now; /* the one that runs: for the signal handler */
static const int64_t *threshold;

static void clear_history(history *h) {
    for (int i = 0; i < h->n; i++) {
        free(h->v[i].text);
        free(h->v[i].bytes);
    }
    free(h->v);
    *h = (history){0};
}

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#else
static void __lsan_disable(void) {}
static void __lsan_enable(void) {}
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static void crashed(int sig) {
    char text[6000];
    const int n = snprintf(text, sizeof text, "test_defer_random: signal %d in program --seed %llu, step %d of the %s run (threshold %lld): %s\n", sig,
                           (unsigned long long)now.seed, now.step, now.deferred ? "deferred" : "immediate", threshold ? (long long)*threshold : 0LL, now.line);
    if (write(2, text, (size_t)n) < 0) _exit(99);
    signal(sig, SIG_DFL);
    raise(sig);
}
#endif

typedef struct verdict {
    bool same, level; /* level: everything was given back */
    char why[6000];
} verdict;

static void print_steps(const history *h) {
    for (int i = 0; i < h->n; i++)
        if (!h->v[i].bytes || !h->v[i].size) printf("    %2d  %s\n", h->v[i].step, h->v[i].text);
}

static verdict both(uint64_t seed, const bool *active, bool print) {
    verdict v = {.level = true};
    history log = {0};
    int64_t from;
    int threads;
    draw_setting(seed, &from, &threads);
    threshold = &from;
    now.seed = seed;
    now.why = v.why;
    now.why_size = sizeof v.why;
    int64_t left[2][3] = {{0}};
    for (int second = 0; second < 2; second++) {
        const wn_stats before = wn_get_stats();
        const bool cyclic = second ? left[0][0] || left[0][1] : true;
        if (cyclic) __lsan_disable();
        run_program(&now, &log, active, second, from, threads >> second & 1 ? 2 : 1);
        if (cyclic) __lsan_enable();
        const wn_stats after = wn_get_stats();
        left[second][0] = after.handles - before.handles, left[second][1] = after.storages - before.storages;
        left[second][2] = left[second][0] || left[second][1] ? 0 : after.allocated - before.allocated;
        /* Graphs with cycles (a gradient that holds its own history, y.copy_(f(y))) stay, with what is pending behind them. */
        const bool clean = !(left[0][0] || left[0][1]);
        if (!now.different && (second ? clean && (left[1][0] || left[1][1] || left[1][2]) : left[0][2] != 0)) {
            v.level = false;
            snprintf(v.why, sizeof v.why, "the %s run leaves %lld handles, %lld storages, %lld bytes", second ? "deferred" : "immediate",
                     (long long)(after.handles - before.handles), (long long)(after.storages - before.storages), (long long)(after.allocated - before.allocated));
            break;
        }
    }
    v.same = !now.different;
    if (print) print_steps(&log);
    clear_history(&log);
    wn_set_defer_from(-1);
    return v;
}

/* Leaves out steps as long as something remains wrong. */
static void shrink(uint64_t seed, bool *active) {
    for (int pass = 0; pass < 3; pass++) {
        bool smaller = false;
        for (int i = MAX_STEPS - 1; i >= 0; i--) {
            if (!active[i]) continue;
            active[i] = false;
            const verdict v = both(seed, active, false);
            if (v.same && v.level) active[i] = true;
            else smaller = true;
        }
        if (!smaller) return;
    }
}

static void report(uint64_t seed, const verdict *v) {
    bool active[MAX_STEPS];
    int64_t from;
    int threads;
    memset(active, true, sizeof active);
    draw_setting(seed, &from, &threads);
    printf("FAILED: test_defer_random --seed %llu --programs 1 (threshold %lld, threads %d and %d): %s\n", (unsigned long long)seed, (long long)from, (threads & 1) + 1,
           (threads >> 1) + 1, v->why);
    shrink(seed, active);
    const verdict last = both(seed, active, false);
    printf("  shrunk: %s\n", last.why);
    both(seed, active, true);
}

/* Caches and scratch memory come up. */
static void warm_up(void) {
    history log = {0};
    __lsan_disable();
    now.seed = 0;
    run_program(&now, &log, NULL, false, -1, 1);
    __lsan_enable();
    clear_history(&log);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    uint64_t seed = 1;
    int64_t programs = 2000, failed = 0, passed = 0;
    double limit = 8;
    bool steps = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--seed") && i + 1 < argc) seed = strtoull(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--programs") && i + 1 < argc) programs = atoll(argv[++i]), limit = 1e9;
        else if (!strcmp(argv[i], "--steps")) steps = true;
        else return fprintf(stderr, "test_defer_random [--seed S] [--programs N] [--steps]\n"), 2;
    }
    wn_set_error_hook(NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    signal(SIGSEGV, crashed);
    signal(SIGBUS, crashed);
    signal(SIGFPE, crashed);
    signal(SIGABRT, crashed);
#endif
    if (steps) {
        both(seed, NULL, true);
        return 0;
    }
    warm_up();
    const double end = seconds() + limit;
    for (int64_t i = 0; i < programs && failed < 5 && (seconds() < end); i++) {
        const verdict v = both(seed + (uint64_t)i, NULL, false);
        if (v.same && v.level) passed++;
        else failed++, report(seed + (uint64_t)i, &v);
    }
    printf("%lld passed, %lld failed\n", (long long)passed, (long long)failed);
    return failed != 0;
}
