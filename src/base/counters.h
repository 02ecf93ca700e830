/* What becomes of the work that is asked for: the counters behind wn_report_begin (docs/architecture.md, "Reports"), which is call/report.c. As long as no report is open, nothing of
 * this costs more than a look at one number, and that only where a call or a program is long anyhow.
 *
 * Work is asked for at a *site*, an operation under the label that its thread has, and counted for it by who does it: programs instruction by
 * instruction (engine/program.h's meter), kernels by wn__count, values that nobody read where they die. */
#ifndef WN_BASE_COUNTERS_H
#define WN_BASE_COUNTERS_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/api.h"

typedef enum wn__counter {
    WN__N_CALLS,
    WN__N_RECORDED,     /* calls that left a pending value */
    WN__N_RUN,          /* calls that ran at once, values that were computed for the first time ... */
    WN__N_AGAIN,        /* ... and once more */
    WN__N_UNREAD,       /* values that died without having been computed */
    WN__N_ELEMENTS,     /* computed */
    WN__N_SKIPPED,      /* not computed, because a mask left them out */
    WN__N_NEVER,        /* elements of the unread values */
    WN__N_SPARED,       /* bytes of results that never got memory */
    WN__N_NS,           /* of this site alone, without what it called */
    WN__N_COUNTERS
} wn__counter;

extern _Atomic int64_t wn__elements_computed, wn__programs_run;
extern _Atomic int wn__reports __attribute__((visibility("hidden"))); /* open ones */
void wn__report_open(void); /* counting begins and ends, besides what is open */
void wn__report_close(void);
static inline bool wn__reporting(void) { return __builtin_expect(atomic_load_explicit(&wn__reports, memory_order_relaxed) != 0, 0); }

/* Elements up to which dispatch's short way for small tensors is taken (call/small.c): 0 while a report is open. */
extern _Atomic int64_t wn__small_most __attribute__((visibility("hidden")));
void wn__set_small_most(int64_t most); /* what it is while none is */

/* A kernel computed n elements. */
void wn__count_for_site(int64_t n);
static inline void wn__count(int64_t n) {
    atomic_fetch_add_explicit(&wn__elements_computed, n, memory_order_relaxed);
    if (wn__reporting()) wn__count_for_site(n);
}

/* The site of `op` (a string that stays) under the thread's label; 0: no report is open, or there are too many. */
uint32_t wn__site_of(const char *op);
void wn__note(uint32_t site, wn__counter counter, int64_t n); /* site 0: nothing */

/* All sites that there are, from 1 on; they are kept until the process ends, since values point to them. */
typedef struct wn__site {
    const char *op, *label; /* label: interned */
    uint32_t next;          /* in its bucket */
    _Atomic int64_t n[WN__N_COUNTERS];
} wn__site;
uint32_t wn__sites(void);
const wn__site *wn__site_at(uint32_t i);

/* A stretch of the thread's time that belongs to one site; they nest. */
typedef struct wn__stretch {
    struct wn__stretch *outer;
    int64_t began, inner; /* ns; of those, spent in stretches inside */
    uint32_t site;
    bool recorded; /* a pending value was made for it */
} wn__stretch;
void wn__stretch_begin(wn__stretch *s, uint32_t site);
int64_t wn__stretch_end(wn__stretch *s); /* returns the ns that were its own; noting them is the caller's */
const char *wn__label_here(void); /* the thread's label; NULL: none */
uint32_t wn__site_recorded(void); /* a pending value is made: the site that it belongs to */
#endif
