/* Python objects that the engine releases (owners of foreign memory, objects preserved by a handle). It may do so on
 * any thread, inside its locks and without the GIL, and waiting for the GIL there could deadlock with a thread that has
 * it and waits for the lock. So they are queued, and the next call of ours that has the GIL releases them.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "wnpy.h"

typedef struct waiting {
    struct waiting *next;
    PyObject *object;
} waiting;
void *wnpy_waiting;

static int drain_pending(void *unused) {
    (void)unused;
    wnpy_drain();
    return 0;
}

void wnpy_decref_later(void *object) {
    waiting *w = malloc(sizeof *w);
    if (!w) return; /* the object leaks: nothing else can be done without the GIL */
    w->object = object;
    void *head = __atomic_load_n(&wnpy_waiting, __ATOMIC_RELAXED);
    do w->next = head;
    while (!__atomic_compare_exchange_n(&wnpy_waiting, &head, w, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
    if (!head) Py_AddPendingCall(drain_pending, NULL); /* in case nobody calls us (if its queue is full, a call does) */
}

void wnpy_drain(void) {
    waiting *w = __atomic_exchange_n(&wnpy_waiting, NULL, __ATOMIC_ACQUIRE);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace); /* finalizers may run */
    while (w) {
        waiting *next = w->next;
        Py_DECREF(w->object);
        free(w);
        w = next;
    }
    PyErr_Restore(type, value, trace);
}
