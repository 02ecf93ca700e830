/* The thread pool: fork-join over index ranges, without touching the host's OpenMP or signals. */
#ifndef WN_BASE_THREADS_H
#define WN_BASE_THREADS_H
#include <stdbool.h>
#include <stdint.h>

/* An upper bound on worker numbers that holds whatever wn_set_num_threads is doing on another thread meanwhile: size
 * arrays that are indexed by worker with this, not with wn_num_threads(). */
#define WN__MAX_WORKERS 256

/* Runs fn(ctx, begin, end) over disjoint ranges that cover [0, n). Ranges are multiples of `grain` long (the last may be
 * shorter); work with n <= grain runs on the calling thread. Calls from inside a task run serially, as do calls while
 * another user thread has the pool. Which worker gets which range is not determined, so results must not depend on it.
 * Workers round and flush denormals as the caller does. Cannot fail: without workers the caller does all. */
typedef void (*wn__task)(void *ctx, int64_t begin, int64_t end);
void wn__parallel(int64_t n, int64_t grain, wn__task fn, void *ctx);

/* The same for a task that writes only fresh memory. If the thread's work may be interrupted (base/interrupt.h), pieces
 * take a few milliseconds, also on one thread, and false says that some of them were not done. */
bool wn__parallel_fresh(int64_t n, int64_t grain, wn__task fn, void *ctx) __attribute__((warn_unused_result));
/* The same, all on the calling thread. */
bool wn__serial_fresh(int64_t n, int64_t grain, wn__task fn, void *ctx) __attribute__((warn_unused_result));

/* Inside a task: the number of the thread that runs it, in [0, wn_num_threads()); the caller's is 0. No two ranges of
 * one call run under the same number at once. */
int wn__thread_number(void);

/* True inside a task that the pool runs (work that stayed on its calling thread may still be split further). */
bool wn__in_parallel(void);

/* Stops the workers (for tests and unloading); the next wn__parallel starts them again. Does nothing inside a task. */
void wn__pool_stop(void);
#endif
