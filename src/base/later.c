/* The queue of callbacks that wait for a thread to hold no lock. */
#include "base/later.h"
#include "base/assert.h"
#include <stdbool.h>
#include <stddef.h>

__thread int wn__locks_held __attribute__((tls_model("initial-exec"), visibility("hidden")));
static __thread wn__later *first __attribute__((tls_model("initial-exec")));
static __thread wn__later **last __attribute__((tls_model("initial-exec")));
static __thread bool busy __attribute__((tls_model("initial-exec")));

void wn__later_drain(void) {
    WN_ASSERT(wn__locks_held == 0);
    if (busy || !first) return;
    busy = true;
    while (first) {
        wn__later *x = first;
        first = x->next;
        x->run(x);
    }
    busy = false;
}

void wn__do_later(wn__later *x, void (*run)(wn__later *)) {
    WN_ASSERT(run != NULL && wn__locks_held >= 0);
    x->next = NULL;
    x->run = run;
    if (first) *last = x;
    else first = x;
    last = &x->next;
    if (!wn__locks_held) wn__later_drain();
}
