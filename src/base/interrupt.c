/* The request to interrupt, the thread that it concerns, and the hook that may make one. */
#include "base/interrupt.h"
#include "base/alloc.h"
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif
#include "base/api.h"

enum { HOOK_NS = 50000000, HOOK_STALE_NS = 1000000000 };
enum { ASKED = 1, LEFT = 2 /* work was left unfinished because of it */ };

static _Atomic int request;
static _Atomic(uintptr_t) concerned; /* &wn__way_now of the thread that requests concern; 0: that of main() */
static _Atomic(wn_interrupt_hook) hook;
static _Atomic(void *) hook_user;

__thread signed char wn__way_now __attribute__((tls_model("initial-exec"), visibility("hidden")));
static __thread bool serves __attribute__((tls_model("initial-exec")));
static __thread signed char is_first __attribute__((tls_model("initial-exec"))); /* the thread of main(): 1, another: -1, not known yet: 0 */
static __thread int64_t hook_ran __attribute__((tls_model("initial-exec")));
static __thread bool in_hook __attribute__((tls_model("initial-exec")));

int64_t wn__now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Elsewhere than on Linux there is no saying which thread runs main(): wn_take_interrupts has to. */
static bool first_thread(void) {
#if defined(__linux__)
    if (!is_first) is_first = syscall(SYS_gettid) == getpid() ? 1 : -1;
#endif
    return is_first > 0;
}

static bool concerns_us(void) {
    const uintptr_t whom = atomic_load_explicit(&concerned, memory_order_relaxed);
    return serves || (whom ? whom == (uintptr_t)&wn__way_now : first_thread());
}

bool wn__may_stop(void) { return wn__way_now > 0 && concerns_us(); }

bool wn__in_hook(void) { return in_hook; }
bool wn__hooked(void) { return atomic_load_explicit(&hook, memory_order_relaxed) != NULL; }

/* The hook may run a signal handler that calls the library: such calls run whole, with scratch memory of their own. */
static bool call_hook(wn_interrupt_hook ask) {
    wn__scratch_kept scratch;
    const signed char way = wn__way_now;
    wn__scratch_set_aside(&scratch);
    in_hook = true;
    wn__way_now = WN__WAY_WHOLE;
    const bool stop = ask(atomic_load_explicit(&hook_user, memory_order_relaxed));
    wn__way_now = way;
    in_hook = false;
    wn__scratch_take_back(&scratch);
    return stop;
}

/* Asks the hook after 50 ms of work. If it ran over a second ago, there was a pause, and the 50 ms begin anew. */
static bool hook_says(int64_t now) {
    const wn_interrupt_hook ask = atomic_load_explicit(&hook, memory_order_relaxed);
    if (!ask || serves || in_hook || now == WN__NO_CLOCK) return false;
    if (!now) now = wn__now_ns();
    const int64_t since = now - hook_ran;
    if (since < HOOK_NS) return false;
    hook_ran = now;
    return since < HOOK_STALE_NS && call_hook(ask);
}

bool wn__stop(int64_t now) {
    if (!wn__may_stop()) return false;
    if (!(atomic_load_explicit(&request, memory_order_relaxed) & ASKED)) {
        if (!hook_says(now)) return false;
        wn_interrupt();
    }
    atomic_fetch_or_explicit(&request, LEFT, memory_order_relaxed);
    return true;
}

void wn__stop_serve(wn__way way) {
    serves = true;
    wn__way_now = (signed char)way;
}

bool wn__stopped(void) { return atomic_load_explicit(&request, memory_order_relaxed) & LEFT && concerns_us(); }

void wn__stop_again(void) { atomic_store_explicit(&request, ASKED | LEFT, memory_order_relaxed); }

bool wn__take_stop(void) {
    if (!wn__stopped()) return false;
    atomic_store_explicit(&request, 0, memory_order_relaxed);
    return true;
}

void wn__interrupt_in_child(void) {
    atomic_store_explicit(&request, 0, memory_order_relaxed);
    atomic_store_explicit(&concerned, (uintptr_t)&wn__way_now, memory_order_relaxed);
    serves = false;
}

void wn_interrupt(void) { atomic_fetch_or_explicit(&request, ASKED, memory_order_relaxed); }

bool wn_clear_interrupt(void) { return atomic_exchange_explicit(&request, 0, memory_order_relaxed) != 0; }

void wn_take_interrupts(void) { atomic_store_explicit(&concerned, (uintptr_t)&wn__way_now, memory_order_relaxed); }

void wn_set_interrupt_hook(wn_interrupt_hook ask, void *user) {
    atomic_store_explicit(&hook_user, user, memory_order_relaxed);
    atomic_store_explicit(&hook, ask, memory_order_release);
}
