/* Interruption: a request that what a thread computes be given up, and who looks at it.
 *
 * Only work that writes fresh memory may be left unfinished. So a thread says what it does (its *way*), and wn__stop,
 * which is asked between units of work, may say yes only in the way OPEN. Unfinished work fails as if memory were
 * short;
 * base/error.c reports the first such failure as an interruption, which ends the request. */
#ifndef WN_BASE_INTERRUPT_H
#define WN_BASE_INTERRUPT_H
#include <stdbool.h>
#include <stdint.h>

typedef enum wn__way {
    WN__WAY_WHOLE = -1, /* memory that existed before is being changed: it and all that it calls is completed */
    WN__WAY_NEUTRAL,    /* nothing is at work */
    WN__WAY_OPEN        /* all that is written is fresh, and nobody sees it before it is complete */
} wn__way;
extern __thread signed char wn__way_now __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Enters a way and returns what to give to wn__way_leave. Inside WHOLE, every way is WHOLE. */
static inline wn__way wn__way_enter(wn__way way) {
    const wn__way before = (wn__way)wn__way_now;
    if (before != WN__WAY_WHOLE) wn__way_now = (signed char)way;
    return before;
}
static inline void wn__way_leave(wn__way before) { wn__way_now = (signed char)before; }

/* Is the thread's work such that it may be asked to stop: OPEN, and the thread is the one that requests concern? */
bool wn__may_stop(void);
/* Has it been asked to? now: wn__now_ns(), which tells when the hook is due, or 0, or WN__NO_CLOCK: skip the hook. */
enum { WN__NO_CLOCK = 1 };
bool wn__stop(int64_t now);
static inline bool wn__stop_now(void) { return __builtin_expect(wn__way_now > 0, 0) && wn__stop(0); }
/* For loops with short iterations: looks in every 64th. */
static inline bool wn__stop_often(uint32_t *turn) { return __builtin_expect(!(++*turn & 63), 0) && wn__stop_now(); }

/* A worker of the pool works for the thread whose job it is: it stops when that one has to. */
void wn__stop_serve(wn__way way);

/* Does the thread run the hook? It came in the middle of other work, so pending values must not be touched. */
bool wn__in_hook(void);
bool wn__hooked(void); /* is a hook set? */

bool wn__stopped(void);    /* was work of this thread left unfinished, without an error that says so? */
void wn__stop_again(void);  /* the error that said so was lost: the next failure will say so */
bool wn__take_stop(void);  /* as wn__stopped, for the error that says so: ends the request */
int64_t wn__now_ns(void);  /* a clock that only goes on */
void wn__interrupt_in_child(void); /* after fork(): no request, and the only thread is the one concerned */
#endif
