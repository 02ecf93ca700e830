/* The counters behind reports (call/report.c; docs/architecture.md, "Reports"). While no report is open they cost a
 * look at one number, and that only where a call or a program is long anyhow.
 *
 * A *site* is an operation together with the label that its thread has set. Whoever does work counts it for its site:
 * programs by instruction (the meter of engine/program.h), kernels by wn__count, unread values when they die. */
#ifndef WN_BASE_COUNTERS_H
#define WN_BASE_COUNTERS_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/api.h"

typedef enum wn__counter {
    WN__N_CALLS,
    WN__N_RECORDED,     /* calls that left a pending value */
    WN__N_RUN,          /* calls that ran at once, and values that were computed for the first time */
    WN__N_AGAIN,        /* values that were computed once more */
    WN__N_UNREAD,       /* values that died without having been computed */
    WN__N_ELEMENTS,     /* elements computed */
    WN__N_SKIPPED,      /* elements not computed, because a mask left them out */
    WN__N_NEVER,        /* elements of the unread values */
    WN__N_SPARED,       /* bytes of results that never got memory */
    WN__N_NS,           /* nanoseconds of this site alone, without the operations that it called */
    WN__N_COUNTERS
} wn__counter;

extern _Atomic int64_t wn__elements_computed, wn__programs_run;
extern _Atomic int wn__reports __attribute__((visibility("hidden"))); /* number of open reports */
void wn__report_open(void); /* one more report is open; wn__report_close ends one */
void wn__report_close(void);
static inline bool wn__reporting(void) { return __builtin_expect(atomic_load_explicit(&wn__reports, memory_order_relaxed) != 0, 0); }

/* Elements up to which dispatch's short way for small tensors is taken (call/small.c): 0 while a report is open. */
extern _Atomic int64_t wn__small_most __attribute__((visibility("hidden")));
void wn__set_small_most(int64_t most); /* sets the number that holds while no report is open */

/* A kernel computed n elements. */
void wn__count_for_site(int64_t n);
static inline void wn__count(int64_t n) {
    atomic_fetch_add_explicit(&wn__elements_computed, n, memory_order_relaxed);
    if (wn__reporting()) wn__count_for_site(n);
}

/* The site of `op` (a string that stays) under the thread's label; 0: no report is open, or there are too many. */
uint32_t wn__site_of(const char *op);
void wn__note(uint32_t site, wn__counter counter, int64_t n); /* does nothing for site 0 */

/* All sites that there are, from 1 on; they are kept until the process ends, since values point to them. */
typedef struct wn__site {
    const char *op, *label; /* label: interned */
    uint32_t next;          /* site in the same hash bucket */
    _Atomic int64_t n[WN__N_COUNTERS];
} wn__site;
uint32_t wn__sites(void);
const wn__site *wn__site_at(uint32_t i);

/* A stretch of the thread's time that belongs to one site; they nest. */
typedef struct wn__stretch {
    struct wn__stretch *outer;
    int64_t began, inner; /* ns: when it began; how much of it inner stretches took */
    uint32_t site;
    bool recorded; /* a pending value was made for it */
} wn__stretch;
void wn__stretch_begin(wn__stretch *s, uint32_t site);
int64_t wn__stretch_end(wn__stretch *s); /* returns its ns without inner stretches; the caller notes them */
const char *wn__label_here(void); /* the thread's label; NULL: none */
uint32_t wn__site_recorded(void); /* called when a pending value is made: the site that it belongs to */
#endif
