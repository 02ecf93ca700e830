/* winnow_events.h - what a program did, one event after the other: for profilers.
 *
 * Events are calls (which nest: a composite's operations lie within it), passes over memory, under a pass what it did for each operation that had
 * waited for it, and in backward the turns of nodes, within which lie the calls that make their gradients:
 *     wn_events_begin(false);  ...  for (int64_t i = from; wn_events_at(i, &e); i++) ...  wn_events_end();
 * While events are noted, small calls take the long way, as for a report (winnow.h). Several may ask for them at once; they see the whole process.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef WINNOW_EVENTS_H
#define WINNOW_EVENTS_H
#include "winnow.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wn_event_kind {
    WN_EVENT_CALL,    /* an operation was called: it ran, or its result waits for a reader */
    WN_EVENT_PROGRAM, /* a pass over memory that computed results which waited */
    WN_EVENT_PART,    /* one operation's share of the pass before it: their times stand one after the other, in truth blocks take turns */
    WN_EVENT_TURN,    /* a node's turn in backward: its hooks, its gradients, and where they are added to others. op is wn_node_name's */
    WN_EVENT_NODE     /* ... within it its gradients alone; of a leaf ("AccumulateGrad") what becomes of its gradient */
} wn_event_kind;

typedef struct wn_event {
    wn_event_kind kind;
    int thread;           /* 1, 2, ... in the order in which threads had their first event */
    const char *op;       /* "program" for a pass, a node's name in backward */
    const char *label;    /* wn_report_label's when it was called, or NULL */
    int64_t began, ended; /* ns of the system's monotonic clock; ended is 0 while it goes on */
    int64_t of;           /* a PART's: the number of the call that asked for it, -1 where that was not noted */
    int64_t bytes;        /* by how much the tensors of the whole process grew meanwhile, if that was asked for */
    const int64_t *operands; /* a CALL's noperands numbers, argument after argument: a tensor is its dtype, the number of its dimensions and */
    int64_t noperands;       /* their sizes; a list of n tensors is -2 - n and what stands for each; everything else is -1 */
} wn_event;

WN_API void wn_events_begin(bool bytes);      /* from here on events are noted, until as many wn_events_end */
WN_API int64_t wn_events_first(void);         /* the number that the next event will have; they go on from one use to the next */
WN_API bool wn_events_at(int64_t number, wn_event *e); /* false: there is none. What e points to stays until the last wn_events_end */
WN_API void wn_events_end(void);
WN_API int wn_events_thread(void);            /* the number of the calling thread in events */

/* Which kernels ran: the i-th row (from 0) of the tables by which the families of kernels choose (docs/adding-a-kernel.md). False: there is none.
 * WINNOW_TRACE=kernels in the environment prints every choice on stderr, and why. */
typedef struct wn_kernel_use {
    const char *table, *kernel; /* "conv_forward", "direct" */
    int64_t runs;               /* since the process began */
} wn_kernel_use;
WN_API bool wn_kernel_use_at(int64_t i, wn_kernel_use *use);

#ifdef __cplusplus
}
#endif
#endif
