/* The GIL, and what waits for it: signals while the engine works, and threads that wait for each other's work.
 *
 * A thread that works on pending tensors holds a lock of the engine, and takes the GIL now and then so that Python can
 * handle signals. So no thread may hold the GIL while it waits for that lock. To release it, a thread must know whether
 * it has it.
 * SPDX-License-Identifier: Apache-2.0 */
#include "wnpy.h"

static __thread bool released;       /* between wnpy_release and wnpy_regain, except in callbacks */
static __thread PyThreadState *waits; /* the state of a thread that released the GIL to wait for a lock */

PyThreadState *wnpy_release(void) {
    PyThreadState *state = PyEval_SaveThread();
    released = true;
    return state;
}

void wnpy_regain(PyThreadState *state) {
    released = false;
    PyEval_RestoreThread(state);
}

WnpyGil wnpy_ensure(void) {
    WnpyGil g = {PyGILState_Ensure(), released};
    released = false;
    return g;
}

void wnpy_let_go(WnpyGil g) {
    released = g.released;
    PyGILState_Release(g.state);
}

/* Called by the engine around waiting for a lock. Threads that Python does not know never have the GIL. */
static void while_waiting(bool begins) {
    if (begins) {
        if (!released && PyGILState_GetThisThreadState()) waits = PyEval_SaveThread();
    } else if (waits) {
        PyThreadState *state = waits;
        waits = NULL;
        PyEval_RestoreThread(state);
    }
}

/* The engine's interrupt hook. An exception of a signal's handler waits for the caller of the work given up. */
static bool signals(void *unused) {
    (void)unused;
    const WnpyGil g = wnpy_ensure();
    const bool stop = PyErr_CheckSignals() != 0;
    if (stop) wnpy_keep_exception();
    wnpy_let_go(g);
    return stop;
}

/* Python runs signal handlers on its main thread, nearly always the one that imports us, and the process's first. */
bool wnpy_gil_init(void) {
    PyObject *threading = PyImport_ImportModule("threading"), *main = threading ? PyObject_CallMethod(threading, "main_thread", NULL) : NULL;
    PyObject *ident = main ? PyObject_GetAttrString(main, "ident") : NULL;
    const bool known = ident && ident != Py_None;
    if (known && PyLong_AsUnsignedLong(ident) == PyThread_get_thread_ident()) wn_take_interrupts();
    Py_XDECREF(threading);
    Py_XDECREF(main);
    Py_XDECREF(ident);
    if (PyErr_Occurred()) return false;
    wn_set_wait_hook(while_waiting);
    wn_set_interrupt_hook(signals, NULL);
    return true;
}
