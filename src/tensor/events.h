/* Events for profilers (winnow_events.h): what was called and what passes over memory did, one after the other. They are noted where reports count
 * (base/counters.h), so that nothing costs anything while nobody asked for them. */
#ifndef WN_TENSOR_EVENTS_H
#define WN_TENSOR_EVENTS_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

extern _Atomic int wn__event_readers __attribute__((visibility("hidden")));
static inline bool wn__noting(void) { return atomic_load_explicit(&wn__event_readers, memory_order_relaxed) != 0; }

enum { WN__NO_EVENT = -1 };

struct wn__call;
/* Each returns the event's number, or WN__NO_EVENT: nobody asked, or there is no memory for it. */
int64_t wn__event_call(const struct wn__call *c);
int64_t wn__event_program(void);
void wn__event_end(int64_t number);
/* Backward's, by a name that lives no longer than this call: a node's whole turn, or what it computes in it. */
int64_t wn__event_backward(const char *name, bool whole_turn);
/* A share of a program, from `after` ns after its beginning. of: the call that asked for it. */
void wn__event_part(int64_t program, int64_t of, const char *op, int64_t after, int64_t ns);

/* The call that the thread is in, which a pending value belongs to. Sets another one and returns the last. */
int64_t wn__event_enter(int64_t call);
int64_t wn__event_here(void);
#endif
