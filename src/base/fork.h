/* The locks of the whole process, and fork().
 *
 * fork() copies a lock as it is at that moment, and the child must not inherit one from a thread that it does not have: the
 * forking thread takes all of them before, both processes release them after. One handler does it for all, since they must
 * be taken in the order in which threads nest them: the system runs handlers in the reverse order of their registration,
 * which would be that of first use. (A program that forks must itself keep generators that it made idle meanwhile.) */
#ifndef WN_BASE_FORK_H
#define WN_BASE_FORK_H

#include <pthread.h>

extern pthread_mutex_t wn__defer_mutex;     /* pending values (defer/value.c) */
extern pthread_mutex_t wn__generator_mutex; /* the default generator (tensor/rng.c) */
extern pthread_mutex_t wn__hooks_mutex;     /* grad/hooks.c */
extern pthread_mutex_t wn__print_mutex;     /* call/print.c */
extern pthread_mutex_t wn__report_mutex;    /* sites and their counters */
extern pthread_mutex_t wn__events_mutex;    /* events for profilers */

void wn__register_fork(void); /* once, before a thread can hold one of them */

#endif
