/* Whatever a row is given, it must return a result or an error, soon: not crash, and not write where it should not (the sanitizer
 * builds look closely). Each row runs in a process of its own, so that a crash is one failure.
 *
 * An operation may look at every element of an argument, which for the widest of them would take years. Which rows do is not
 * written down anywhere: a call with such an argument gets a little processor time; a row whose calls were stopped a few times gets
 * no wide arguments any more. Without them a call that takes 20 seconds is a hang. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "table.h"

enum { WIDE = 1 << 18, NARROW = 1 << 10, STOPPED = 77, HUNG = 78 };
typedef struct shared { /* between the child and its parent */
    int64_t round, wide_calls, widest;
    bool wide;
} shared;
static volatile shared *at;

static void out_of_time(int signal) {
    (void)signal;
    _exit(at->wide ? STOPPED : HUNG);
}
/* Processor time of this process, from now on. */
static void give_time(double seconds) {
    struct itimerval t = {.it_value = {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
    setitimer(ITIMER_PROF, &t, NULL);
}

static bool make_round(sample *s, wild *w, const wn_op *op, int64_t k) {
    spec sp = {.dtype = (wn_dtype)(1 + k % 10), .mode = k % 7 ? NORMAL : EMPTY, .seed = 90000 + (uint64_t)k};
    if (!sample_make(s, op, sp)) return false;
    wild_arguments(s, w);
    return true;
}

static bool one_round(const wn_op *op, int64_t k) {
    sample s;
    wild w = {.widest = at->widest};
    if (!make_round(&s, &w, op, k)) return true;
    at->wide = w.elements > WIDE;
    at->wide_calls += at->wide;
    give_time(!at->wide ? 20 : full ? 0.5 : 0.05);
    int64_t unsound = failed[C_SOUND];
    result r = wild_call(&s);
    give_time(20);
    bool ok = r.status ? r.message[0] && r.outs.n == 0 : true;
    for (int64_t i = 0; i < r.outs.n; i++) ok &= wn_ok(result_at(&r, i));
    ok = check(C_HOSTILE, ok, &s, "status %d, message \"%s\"", (int)r.status, r.message) && failed[C_SOUND] == unsound;
    result_free(&r);
    sample_free(&s);
    return ok;
}

/* Under a limit of address space that is used up the stack cannot grow: what deep calls need is touched before. */
static __attribute__((noinline)) void touch_stack(void) {
    volatile char room[4 << 20];
    for (size_t i = 0; i < sizeof room; i += 4096) room[i] = 0;
}

static void child(const wn_op *op, int64_t rounds) {
    int64_t bad = 0;
    touch_stack();
    signal(SIGPROF, out_of_time);
    wn_set_num_threads(1);
#if !defined(__SANITIZE_ADDRESS__) /* whose shadow is address space, too; it has a limit of its own: test_table.c */
    struct rlimit limit = {3u << 27, 3u << 27}; /* with random sizes a row may make a large result */
    setrlimit(RLIMIT_AS, &limit);
#endif
    for (; at->round < rounds; at->round++) bad += !one_round(op, at->round);
    fflush(stdout);
    _exit(bad ? 1 : 0);
}

static bool ended_well(pid_t pid, int *status) {
    return pid > 0 && waitpid(pid, status, 0) == pid && WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
}

#if defined(__SANITIZE_THREAD__)
enum { FORKS = false }; /* its runtime does not survive one with threads */
#else
enum { FORKS = true };
#endif

void check_hostile(const wn_op *op) {
    if (!FORKS) return;
    if (!at) at = (shared *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const char *wish = getenv("WINNOW_TEST_ROUNDS");
    int64_t rounds = wish ? atoll(wish) : full ? 3000 : 150;
#if defined(__SANITIZE_ADDRESS__)
    if (!wish && rounds < 1000) rounds = 1000;
#endif
    *at = (shared){.widest = INT64_MAX};
    for (int stops = 0; at->round < rounds; at->round++) {
        int status = 0;
        fflush(stdout);
#if defined(__SANITIZE_ADDRESS__)
        usleep(10000); /* a new worker may be in its runtime's allocator, whose lock the child would inherit */
#endif
        pid_t pid = fork();
        if (pid == 0) child(op, rounds);
        if (ended_well(pid, &status)) continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == STOPPED) {
            if (++stops >= (full ? 4 : 1)) at->widest = NARROW;
            continue;
        }
        sample none = {.op = op, .spec = {.dtype = (wn_dtype)(1 + at->round % 10), .seed = 90000 + (uint64_t)at->round}};
        const char *how = WIFSIGNALED(status) ? "crashed" : WEXITSTATUS(status) == HUNG ? "took more than 20 s" : "failed";
        check(C_HOSTILE, false, &none, "with nonsense arguments it %s: test_table --round %lld %lld %s", how, (long long)at->round, (long long)at->widest,
              op->cname);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 1) break; /* said what it had to say, and went through all of them */
    }
    passed[C_HOSTILE] += rounds;
}

/* One of the rounds, in this process, for a debugger. */
void show_round(const wn_op *op, int64_t round, int64_t widest) {
    sample s;
    wild w = {.widest = widest};
    if (!make_round(&s, &w, op, round)) return;
    print_arguments(&s);
    printf("\n");
    fflush(stdout);
    result r = wild_call(&s);
    printf("status %d: %s\n", (int)r.status, r.message);
    result_free(&r);
    sample_free(&s);
}
