/* The thread pool.
 *
 * One job at a time. The thread that holds `owner` publishes a job, works on it itself, and waits only for workers that
 * have entered it: a worker that wakes too late finds the gate closed and goes back to sleep, so a sleeping or descheduled
 * worker never delays a join. The gate is one word (open bit, count of workers inside); the job's fields are written only
 * while it is closed and empty. Every thread has a share, the same one for every job of a size, so that data stay in the
 * caches of one core; it takes pieces from the front of its share, and from the back of others' when its own is done. */
#include "base/threads.h"
#include "base/assert.h"
#include "base/interrupt.h"
#include "base/api.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

enum {
    GATE_OPEN = 1 << 16,    /* workers may enter; below it: how many are inside */
    GATE_ASLEEP = 1 << 17,  /* the owner sleeps until the last worker has left */
    SPIN_NS = 30000,        /* a worker looks out this long for the next job before it sleeps */
    JOIN_SPIN_NS = 50000,
    WAKE_AT_ONCE = 4,       /* the owner wakes this many, each of them as many more: waking costs about 1 us apiece */
    RETRY_JOBS = 4096,      /* jobs between attempts to start threads that the system refused */
    PIECE_SHORT_NS = 500000, /* a piece of interruptible work should take longer than this */
    PIECE_LONG_NS = 4000000  /* and each such piece should be shorter than this */
};

static struct {
    _Alignas(64) _Atomic uint32_t epoch; /* number of the job; workers sleep on it */
    _Atomic uint32_t gate;
    wn__task fn;
    void *ctx;
    int64_t n, unit;    /* pieces are whole units (the last may be shorter) */
    int shares;
    uint32_t fpu;       /* the caller's rounding and denormal modes */
    int spin_ns;
    bool watched, cuttable; /* the caller's thread may be asked to stop; this job may stop */
    _Alignas(64) _Atomic int sleepers;
    _Atomic bool stop;
    _Atomic int width;  /* wanted threads, the caller included; 0: the default */
    /* Only the holder of `owner` reads and writes what follows. */
    pthread_mutex_t owner;
    int started, wanted; /* workers running, workers asked for */
    uint32_t retry;
    pthread_t thread[WN__MAX_WORKERS];
    uint32_t born[WN__MAX_WORKERS]; /* the epoch at which a worker was started */
} pool = {.owner = PTHREAD_MUTEX_INITIALIZER};

/* The unclaimed units of a thread's share, as a range: its begin in the high half of the word, its end in the low
 * half. */
static struct share {
    _Alignas(64) _Atomic uint64_t left;
} share[WN__MAX_WORKERS];

static _Thread_local bool in_task __attribute__((tls_model("initial-exec")));
static _Thread_local int own_number __attribute__((tls_model("initial-exec"))); /* in the current job */

int wn__thread_number(void) { return own_number; }

/* The caller is number 0 of its own job. If it is inside a task of another job, it has its number there back
 * afterwards. */
static void run_as_owner(wn__task fn, void *ctx, int64_t begin, int64_t end) {
    const int outside = own_number;
    own_number = 0;
    fn(ctx, begin, end);
    own_number = outside;
}

/* ---------------------------------------------------------------------------------------- waiting */

#if defined(__linux__)
static void sleep_on(_Atomic uint32_t *word, uint32_t while_value) {
    syscall(SYS_futex, (void *)word, FUTEX_WAIT_PRIVATE, while_value, NULL, NULL, 0);
}
static void wake_on(_Atomic uint32_t *word, int n) { syscall(SYS_futex, (void *)word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0); }
#else
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sleep_cond = PTHREAD_COND_INITIALIZER;
static void sleep_on(_Atomic uint32_t *word, uint32_t while_value) {
    pthread_mutex_lock(&sleep_lock);
    if (atomic_load(word) == while_value) pthread_cond_wait(&sleep_cond, &sleep_lock);
    pthread_mutex_unlock(&sleep_lock);
}
static void wake_on(_Atomic uint32_t *word, int n) {
    (void)word, (void)n;
    pthread_mutex_lock(&sleep_lock);
    pthread_cond_broadcast(&sleep_cond);
    pthread_mutex_unlock(&sleep_lock);
}
#endif

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory"); /* `yield` does nothing on most cores; isb waits some 10 ns */
#endif
}

/* ---------------------------------------------------------------------------------------- floating-point modes */

/* A worker must round and flush as the caller does, or results would depend on the number of threads. */
static uint32_t fpu_get(void) {
#if defined(__x86_64__) || defined(__SSE__)
    return _mm_getcsr() & 0xffc0u; /* without the sticky flags */
#elif defined(__aarch64__)
    uint64_t v;
    __asm__ volatile("mrs %0, fpcr" : "=r"(v));
    return (uint32_t)v;
#else
    return 0;
#endif
}

static void fpu_set(uint32_t v) {
#if defined(__x86_64__) || defined(__SSE__)
    _mm_setcsr(v);
#elif defined(__aarch64__)
    uint64_t w = v;
    __asm__ volatile("msr fpcr, %0" : : "r"(w));
#else
    (void)v;
#endif
}

/* ---------------------------------------------------------------------------------------- work */

static uint64_t units_from_to(int64_t from, int64_t to) { return (uint64_t)from << 32 | (uint64_t)to; }
static int64_t units_left(uint64_t left) { return (int64_t)(left & UINT32_MAX) - (int64_t)(left >> 32); }

/* Deals the job's units to the threads, evenly. Holding owner, the gate closed and empty. */
static void deal(int64_t n, int64_t grain, int shares) {
    enum { MOST = INT32_MAX };
    WN_ASSERT(n > 0 && grain > 0 && shares > 0 && shares <= WN__MAX_WORKERS);
    int64_t units = n / grain + (n % grain != 0);
    pool.n = n;
    pool.unit = grain;
    if (units > MOST) {
        pool.unit *= units / MOST + 1;
        units = n / pool.unit + (n % pool.unit != 0);
    }
    pool.shares = shares;
    for (int i = 0; i < shares; i++) {
        const int64_t from = (units * i + shares - 1) / shares, to = (units * (i + 1) + shares - 1) / shares;
        atomic_store_explicit(&share[i].left, units_from_to(from, to), memory_order_relaxed);
    }
}

static void run_units(int64_t from, int64_t to) {
    const int64_t begin = from * pool.unit, end = to > (pool.n - 1) / pool.unit ? pool.n : to * pool.unit;
    WN_ASSERT(begin >= 0 && begin < end && end <= pool.n);
    pool.fn(pool.ctx, begin, end);
}

/* How many units a thread takes at a time: all it can, or, in a job that may be interrupted, one at first, then by
 * time. */
typedef struct portion {
    int64_t most, since;
} portion;

static portion first_portion(bool cuttable) { return cuttable ? (portion){1, wn__now_ns()} : (portion){INT64_MAX, 0}; }

/* Called after each piece: false when no other is to be begun. */
static bool next_portion(portion *p) {
    if (p->most == INT64_MAX) return true;
    const int64_t now = wn__now_ns(), took = now - p->since;
    p->since = now;
    if (took < PIECE_SHORT_NS && p->most < INT32_MAX) p->most *= 8;
    else if (took > PIECE_LONG_NS && p->most > 1) p->most /= 2;
    return !wn__stop(now);
}

#if !defined(WN_HOSTILE) || !WN_HOSTILE
/* Runs the front half of what is left of the thread's own share; false when that is nothing. */
static bool run_own(int worker, int64_t most) {
    uint64_t left = atomic_load_explicit(&share[worker].left, memory_order_relaxed);
    for (;;) {
        const int64_t n = units_left(left), half = (n + 1) / 2, from = (int64_t)(left >> 32), to = from + (half < most ? half : most);
        if (n <= 0) return false;
        if (!atomic_compare_exchange_weak_explicit(&share[worker].left, &left, left + ((uint64_t)(to - from) << 32), memory_order_relaxed,
                                                   memory_order_relaxed))
            continue;
        run_units(from, to);
        return true;
    }
}

/* Runs the last quarter of what is left of another's share; false when that is nothing. */
static bool run_others(int victim, int64_t most) {
    uint64_t left = atomic_load_explicit(&share[victim].left, memory_order_relaxed);
    for (;;) {
        const int64_t n = units_left(left), part = (n + 3) / 4, to = (int64_t)(left & UINT32_MAX), from = to - (part < most ? part : most);
        if (n <= 0) return false;
        if (!atomic_compare_exchange_weak_explicit(&share[victim].left, &left, left - (uint64_t)(to - from), memory_order_relaxed,
                                                   memory_order_relaxed))
            continue;
        run_units(from, to);
        return true;
    }
}
#endif

#if defined(WN_HOSTILE) && WN_HOSTILE
/* Hostile builds take one unit at a time, from either end of any thread's share. WINNOW_HOSTILE_SEED decides each
 * thread's choices. A worker may be given every unit, or none. */
enum { DEFAULT_WIDTH = 5 };
static uint32_t dice(void) {
    static _Thread_local uint64_t state;
    if (!state) {
        const char *seed = getenv("WINNOW_HOSTILE_SEED");
        state = (seed ? strtoull(seed, NULL, 10) : 0) * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    }
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static bool run_any(int victim) {
    uint64_t left = atomic_load_explicit(&share[victim].left, memory_order_relaxed);
    for (;;) {
        const bool front = dice() & 1;
        const int64_t from = (int64_t)(left >> 32), to = (int64_t)(left & UINT32_MAX);
        if (to <= from) return false;
        const uint64_t then = front ? units_from_to(from + 1, to) : units_from_to(from, to - 1);
        if (!atomic_compare_exchange_weak_explicit(&share[victim].left, &left, then, memory_order_relaxed, memory_order_relaxed)) continue;
        run_units(front ? from : to - 1, front ? from + 1 : to);
        return true;
    }
}

static void work(int worker) {
    (void)worker;
    portion p = first_portion(pool.cuttable);
    for (int idle = 0; idle < pool.shares;) {
        const int first = (int)(dice() % (uint32_t)pool.shares);
        for (idle = 0; idle < pool.shares && !run_any((first + idle) % pool.shares); idle++) {}
        if (idle < pool.shares && !next_portion(&p)) return;
    }
}
#else
enum { DEFAULT_WIDTH = 0 }; /* as many as there are processors */
/* Claims pieces until none is left, or the job is given up. */
static void work(int worker) {
    portion p = first_portion(pool.cuttable);
    while (run_own(worker, p.most))
        if (!next_portion(&p)) return;
    for (int i = 1; i < pool.shares; i++) {
        const int victim = (worker + i) % pool.shares;
        while (run_others(victim, p.most))
            if (!next_portion(&p)) return;
    }
}
#endif

static bool nothing_left(void) {
    for (int i = 0; i < pool.shares; i++)
        if (units_left(atomic_load_explicit(&share[i].left, memory_order_relaxed)) > 0) return false;
    return true;
}

/* A worker's part in the current job, if it is still open. */
static void join_in(int worker, bool was_asleep) {
    uint32_t g = atomic_load_explicit(&pool.gate, memory_order_relaxed);
    do {
        if (!(g & GATE_OPEN)) return;
    } while (!atomic_compare_exchange_weak_explicit(&pool.gate, &g, g + 1, memory_order_acq_rel, memory_order_relaxed));
    if (was_asleep && atomic_load(&pool.sleepers) > 0 && units_left(atomic_load_explicit(&share[worker].left, memory_order_relaxed)) > 0)
        wake_on(&pool.epoch, WAKE_AT_ONCE);
    if (fpu_get() != pool.fpu) fpu_set(pool.fpu);
    wn__stop_serve(pool.watched ? WN__WAY_OPEN : WN__WAY_NEUTRAL);
    work(worker);
    g = atomic_fetch_sub_explicit(&pool.gate, 1, memory_order_acq_rel) - 1;
    if (g == GATE_ASLEEP) wake_on(&pool.gate, 1);
}

/* Waits until the epoch is no longer `seen`; true if it slept. */
static bool await(uint32_t seen) {
    int spin_ns = pool.spin_ns;
    if (spin_ns) {
        int64_t until = wn__now_ns() + spin_ns;
        do {
            for (int i = 0; i < 64; i++) {
                if (atomic_load_explicit(&pool.epoch, memory_order_acquire) != seen) return false;
                relax();
            }
        } while (wn__now_ns() < until);
    }
    /* The owner raises the epoch, then looks for sleepers; we count ourselves, then look at the epoch (in the kernel):
     * one of us sees the other. */
    atomic_fetch_add(&pool.sleepers, 1);
    while (atomic_load(&pool.epoch) == seen) sleep_on(&pool.epoch, seen);
    atomic_fetch_sub(&pool.sleepers, 1);
    return true;
}

static void *worker_main(void *arg) {
    const int worker = own_number = (int)(intptr_t)arg;
    uint32_t seen = pool.born[worker];
    bool slept = false;
    in_task = true;
    for (;;) {
        uint32_t e = atomic_load_explicit(&pool.epoch, memory_order_acquire);
        if (e == seen) {
            slept = await(seen);
            continue;
        }
        seen = e;
        if (atomic_load(&pool.stop)) return NULL;
        join_in(worker, slept);
        slept = false;
    }
}

/* ---------------------------------------------------------------------------------------- starting and stopping */

static int processors(void) {
#if defined(__linux__)
    cpu_set_t set;
    if (!sched_getaffinity(0, sizeof set, &set)) {
        int k = CPU_COUNT(&set);
        return k < 1 ? 1 : k > WN__MAX_WORKERS ? WN__MAX_WORKERS : k;
    }
#endif
    long v = sysconf(_SC_NPROCESSORS_ONLN); /* also where there are more than 1,024 */
    return v < 1 ? 1 : v > WN__MAX_WORKERS ? WN__MAX_WORKERS : (int)v;
}

int wn_num_threads(void) {
    static _Atomic int by_default;
    int v = atomic_load_explicit(&pool.width, memory_order_relaxed);
    if (v) return v;
    v = atomic_load_explicit(&by_default, memory_order_relaxed);
    if (!v) atomic_store_explicit(&by_default, v = DEFAULT_WIDTH ? DEFAULT_WIDTH : processors(), memory_order_relaxed);
    return v;
}

/* Takes effect at the next parallel work. */
void wn_set_num_threads(int n) {
    atomic_store_explicit(&pool.width, n <= 0 ? 0 : n > WN__MAX_WORKERS ? WN__MAX_WORKERS : n, memory_order_relaxed);
}

/* The child of a fork has one thread, and the pool's words in whatever state other threads left them: begin anew. */
static void after_fork_in_child(void) {
    pthread_mutex_init(&pool.owner, NULL);
    atomic_store(&pool.gate, 0);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.stop, false);
    pool.started = pool.wanted = 0;
}

static void register_fork(void) { (void)pthread_atfork(NULL, NULL, after_fork_in_child); }

/* Holding owner, no job open. */
static void stop_workers(void) {
    if (pool.started) {
        atomic_store(&pool.stop, true);
        atomic_fetch_add(&pool.epoch, 1);
        wake_on(&pool.epoch, WN__MAX_WORKERS);
        for (int i = 1; i <= pool.started; i++) pthread_join(pool.thread[i], NULL);
        atomic_store(&pool.stop, false);
    }
    pool.started = pool.wanted = 0;
}

/* Holding owner: brings the number of workers to `want`, or as near as the system lets us. */
static void start_workers(int want) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_fork);
    if (want != pool.wanted) stop_workers();
    pool.wanted = want;
    pool.retry = 0;
    if (!pool.started) /* nobody reads it yet; with too few processors spinning only delays the others */
        pool.spin_ns = want + 1 <= processors() ? SPIN_NS : 0;
    /* The host's signals are for the host's threads. Faults stay deliverable: they belong to the thread that causes them. */
    sigset_t all, before;
    sigfillset(&all);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.started < want) {
        int id = pool.started + 1;
        pool.born[id] = atomic_load(&pool.epoch);
        if (pthread_create(&pool.thread[id], NULL, worker_main, (void *)(intptr_t)id)) break;
#if defined(__linux__)
        (void)pthread_setname_np(pool.thread[id], "winnow");
#endif
        pool.started = id;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void wn__pool_stop(void) {
    if (in_task) return;
    pthread_mutex_lock(&pool.owner);
    stop_workers();
    pthread_mutex_unlock(&pool.owner);
}

/* Unloading the library must not leave threads in its code. When some thread still has the pool, or we are called from a
 * task (exit() there), the process is ending and the workers end with it. */
__attribute__((destructor)) static void stop_at_unload(void) {
    if (in_task || pthread_mutex_trylock(&pool.owner)) return;
    stop_workers();
    pthread_mutex_unlock(&pool.owner);
}

/* ---------------------------------------------------------------------------------------- fork and join */

bool wn__in_parallel(void) { return in_task; }

/* Closes the gate and waits until the workers inside have left. */
static void close_gate(void) {
    uint32_t g = atomic_fetch_and_explicit(&pool.gate, ~(uint32_t)GATE_OPEN, memory_order_acq_rel) & ~(uint32_t)GATE_OPEN;
    if (!g) return;
    int64_t until = pool.spin_ns ? wn__now_ns() + JOIN_SPIN_NS : 0;
    do {
        for (int i = 0; i < 64 && until; i++) {
            if (!atomic_load_explicit(&pool.gate, memory_order_acquire)) return;
            relax();
        }
    } while (until && wn__now_ns() < until);
    g = atomic_fetch_or_explicit(&pool.gate, GATE_ASLEEP, memory_order_acq_rel) | GATE_ASLEEP;
    while (g != GATE_ASLEEP) {
        sleep_on(&pool.gate, g);
        g = atomic_load_explicit(&pool.gate, memory_order_acquire);
    }
    atomic_store_explicit(&pool.gate, 0, memory_order_relaxed);
}

/* The whole job on the calling thread. */
static bool run_alone(int64_t n, int64_t grain, wn__task fn, void *ctx, bool cuttable) {
    portion p = first_portion(cuttable);
    for (int64_t begin = 0, end; begin < n; begin = end) {
        if (begin && !next_portion(&p)) return false;
        end = p.most < (n - begin) / grain ? begin + p.most * grain : n;
        run_as_owner(fn, ctx, begin, end);
    }
    return true;
}

/* The pool is the caller's, and has workers. */
static bool run_shared(int64_t n, int64_t grain, wn__task fn, void *ctx, bool cuttable) {
    WN_ASSERT(!in_task && !(atomic_load(&pool.gate) & GATE_OPEN));
    pool.fn = fn;
    pool.ctx = ctx;
    pool.cuttable = cuttable;
    pool.watched = cuttable || wn__may_stop();
    deal(n, grain, pool.started + 1);
    pool.fpu = fpu_get();
    atomic_store_explicit(&pool.gate, GATE_OPEN, memory_order_release);
    atomic_fetch_add(&pool.epoch, 1);
    if (atomic_load(&pool.sleepers) > 0) {
        int64_t helpers = (n - 1) / grain; /* no more than there are ranges beside ours */
        wake_on(&pool.epoch, helpers < WAKE_AT_ONCE ? (int)helpers : WAKE_AT_ONCE);
    }
    in_task = true;
    work(0);
    in_task = false;
    close_gate();
    return !cuttable || nothing_left();
}

static bool run_threads(int64_t n, int64_t grain, wn__task fn, void *ctx, bool cuttable) {
    int width;
    if (in_task || (width = wn_num_threads()) == 1 || pthread_mutex_trylock(&pool.owner)) return run_alone(n, grain, fn, ctx, cuttable);
    if (pool.wanted != width - 1 || (pool.started < pool.wanted && ++pool.retry >= RETRY_JOBS)) start_workers(width - 1);
    const bool shared = pool.started > 0, done = shared && run_shared(n, grain, fn, ctx, cuttable);
    pthread_mutex_unlock(&pool.owner);
    return shared ? done : run_alone(n, grain, fn, ctx, cuttable);
}

void wn__parallel(int64_t n, int64_t grain, wn__task fn, void *ctx) {
    WN_ASSERT(n >= 0 && fn != NULL);
    if (n <= 0) return;
    if (grain < 1) grain = 1;
    if (n <= grain) run_as_owner(fn, ctx, 0, n);
    else (void)run_threads(n, grain, fn, ctx, false);
}

static bool run_fresh(int64_t n, int64_t grain, wn__task fn, void *ctx, bool shared) {
    WN_ASSERT(n >= 0 && fn != NULL);
    if (n <= 0) return true;
    if (grain < 1) grain = 1;
    const bool cuttable = wn__way_now > 0 && wn__may_stop();
    if (cuttable && wn__stop(WN__NO_CLOCK)) return false;
    if (n > grain) return shared ? run_threads(n, grain, fn, ctx, cuttable) : run_alone(n, grain, fn, ctx, cuttable);
    run_as_owner(fn, ctx, 0, n);
    return true;
}
bool wn__parallel_fresh(int64_t n, int64_t grain, wn__task fn, void *ctx) { return run_fresh(n, grain, fn, ctx, true); }
bool wn__serial_fresh(int64_t n, int64_t grain, wn__task fn, void *ctx) { return run_fresh(n, grain, fn, ctx, false); }
