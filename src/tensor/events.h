/* Events for profilers (winnow_events.h): calls and programs, in order. They are noted where reports count
 * (base/counters.h), so they cost nothing while nobody asks for them. */
#ifndef WN_TENSOR_EVENTS_H
#define WN_TENSOR_EVENTS_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

extern _Atomic int wn__event_readers __attribute__((visibility("hidden")));
static inline bool wn__noting(void) { return atomic_load_explicit(&wn__event_readers, memory_order_relaxed) != 0; }

enum { WN__NO_EVENT = -1 };

struct wn__call;
/* Each returns the event's number, or WN__NO_EVENT: nobody asks for events, or memory is short. */
int64_t wn__event_call(const struct wn__call *c);
int64_t wn__event_program(void);
void wn__event_end(int64_t number);
/* A node of backward, whose name lives no longer than this call: its whole turn, or what it computes itself. */
int64_t wn__event_backward(const char *name, bool whole_turn);
/* An instruction's share of a program, from `after` ns after the program's beginning. of: the call it belongs to. */
void wn__event_part(int64_t program, int64_t of, const char *op, int64_t after, int64_t ns);

/* The call that the thread is in, to which new pending values belong. Enters another one and returns the one before. */
int64_t wn__event_enter(int64_t call);
int64_t wn__event_here(void);
#endif
