/* The thread's error record as a Python exception.
 * SPDX-License-Identifier: Apache-2.0 */
#include "wnpy.h"

static PyObject *linalg_error, *memory_error;
PyObject *wnpy_Overflow;

/* An exception that a callback (a hook, a Function) raised, on its way through the engine to the caller. Meanwhile the
 * engine's error record says only that something failed. */
static __thread PyObject *kept_type, *kept_value, *kept_trace;

void wnpy_keep_exception(void) {
    if (kept_type) { /* the first one counts */
        PyErr_Clear();
        return;
    }
    PyErr_Fetch(&kept_type, &kept_value, &kept_trace);
}

bool wnpy_kept(void) { return kept_type != NULL; }

PyObject *wnpy_raise(void) {
    wn_status code = wn_error();
    if (kept_type) {
        wn_clear();
        PyErr_Restore(kept_type, kept_value, kept_trace);
        kept_type = kept_value = kept_trace = NULL;
        return NULL;
    }
    PyObject *type = PyExc_RuntimeError;
    switch (code) {
    case WN_OK:
        PyErr_SetString(type, "winnow: an operation failed without saying why");
        return NULL;
    case WN_E_INDEX: type = PyExc_IndexError; break;
    case WN_E_VALUE: type = PyExc_ValueError; break;
    case WN_E_TYPE: type = PyExc_TypeError; break;
    case WN_E_NOT_IMPLEMENTED: type = PyExc_NotImplementedError; break;
    case WN_E_LINALG: type = linalg_error; break;
    case WN_E_MEMORY: type = memory_error; break;
    case WN_E_INTERRUPTED: type = PyExc_KeyboardInterrupt; break;
    case WN_E_RUNTIME: break;
    }
    PyErr_SetString(type, wn_error_message());
    wn_clear();
    return NULL;
}

bool wnpy_errors_init(PyObject *module) {
    linalg_error = PyErr_NewExceptionWithDoc("torch._C._LinAlgError", "A matrix that linear algebra cannot do this with: singular, or not positive definite.",
                                             PyExc_RuntimeError, NULL);
    /* torch's class is a RuntimeError; ours is a MemoryError as well. */
    PyObject *both = PyTuple_Pack(2, PyExc_RuntimeError, PyExc_MemoryError), *two = PyTuple_Pack(3, PyExc_OverflowError, PyExc_ValueError, PyExc_RuntimeError);
    memory_error = both ? PyErr_NewExceptionWithDoc("torch.OutOfMemoryError", "There is no memory for a tensor.", both, NULL) : NULL;
    wnpy_Overflow = two ? PyErr_NewException("torch.OverflowError", two, NULL) : NULL;
    Py_XDECREF(both);
    Py_XDECREF(two);
    if (!memory_error || !wnpy_Overflow || PyModule_AddObjectRef(module, "OutOfMemoryError", memory_error)) return false;
    wn_set_error_hook(NULL);
    wnpy_warn_init();
    return linalg_error && PyModule_AddObjectRef(module, "_LinAlgError", linalg_error) == 0;
}
