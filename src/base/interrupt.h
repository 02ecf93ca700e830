/* Interruption: a request that what a thread computes be given up, and who looks at it.
 *
 * Only work that writes fresh memory may be left unfinished. So a thread says what it does (its *way*), and only in the way OPEN
 * does wn__stop, which is asked between units of work, ever say yes. Work that was left unfinished fails as if memory were short;
 * base/error.c makes an interruption of the first such failure, and with that the request is done. */
#ifndef WN_BASE_INTERRUPT_H
#define WN_BASE_INTERRUPT_H
#include <stdbool.h>
#include <stdint.h>

typedef enum wn__way {
    WN__WAY_WHOLE = -1, /* memory that existed before is being changed: all of it is done, whatever is called for it */
    WN__WAY_NEUTRAL,    /* nothing is at work */
    WN__WAY_OPEN        /* all that is written is fresh, and nobody sees it before it is complete */
} wn__way;
extern __thread signed char wn__way_now __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Enters a way; the result is given to wn__way_leave. What lies inside WHOLE is WHOLE. */
static inline wn__way wn__way_enter(wn__way way) {
    const wn__way before = (wn__way)wn__way_now;
    if (before != WN__WAY_WHOLE) wn__way_now = (signed char)way;
    return before;
}
static inline void wn__way_leave(wn__way before) { wn__way_now = (signed char)before; }

/* Is the thread's work such that it may be asked to stop: OPEN, and the thread is the one that requests concern? */
bool wn__may_stop(void);
/* Has it been asked to? now: wn__now_ns(), by which the hook is asked from time to time; 0: it is read where there is a hook. */
enum { WN__NO_CLOCK = 1 }; /* as now: the hook is not asked */
bool wn__stop(int64_t now);
static inline bool wn__stop_now(void) { return __builtin_expect(wn__way_now > 0, 0) && wn__stop(0); }
/* For loops of short turns: looks in every 64th. */
static inline bool wn__stop_often(uint32_t *turn) { return __builtin_expect(!(++*turn & 63), 0) && wn__stop_now(); }

/* A worker of the pool works for the thread whose job it is: it stops when that one has to. */
void wn__stop_serve(wn__way way);

/* The hook is foreign code in the middle of the thread's work: what is pending cannot be touched from there. */
bool wn__in_hook(void);
bool wn__hooked(void); /* There is a hook. */

bool wn__stopped(void);    /* Was work of this thread left unfinished, and no error says so yet? */
void wn__stop_again(void);  /* The error that said so is no more. */
bool wn__take_stop(void);  /* The same, for the error that says so: the request is done. */
int64_t wn__now_ns(void);  /* a clock that only goes on */
void wn__interrupt_in_child(void); /* of a fork: nobody has asked, and its only thread is the one concerned */
#endif
