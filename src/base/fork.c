/* Locks held across fork(). */
#include "base/fork.h"
#include "base/alloc_impl.h"
#include "base/interrupt.h"

pthread_mutex_t wn__defer_mutex = PTHREAD_MUTEX_INITIALIZER, wn__generator_mutex = PTHREAD_MUTEX_INITIALIZER, wn__hooks_mutex = PTHREAD_MUTEX_INITIALIZER,
                wn__print_mutex = PTHREAD_MUTEX_INITIALIZER, wn__report_mutex = PTHREAD_MUTEX_INITIALIZER, wn__events_mutex = PTHREAD_MUTEX_INITIALIZER;

/* A thread that holds one of them takes only later ones. */
static pthread_mutex_t *const nested[] = {&wn__defer_mutex, &wn__generator_mutex, &wn__hooks_mutex, &wn__print_mutex, &wn__report_mutex, &wn__events_mutex, &wn__memory.lock};
enum { LOCKS = sizeof nested / sizeof *nested };

static void before_fork(void) {
    for (int i = 0; i < LOCKS; i++) pthread_mutex_lock(nested[i]);
}
static void after_fork(void) {
    for (int i = LOCKS; i-- > 0;) pthread_mutex_unlock(nested[i]);
}
static void after_fork_in_child(void) {
    after_fork();
    wn__interrupt_in_child();
}

void wn__register_fork(void) { (void)pthread_atfork(before_fork, after_fork, after_fork_in_child); }
