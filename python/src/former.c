/* Calls that fit no signature but are accepted by torch: numbers in an older order, None for what is left out.
 * winnow/_former.py sorts the arguments, or returns NotImplemented.
 * SPDX-License-Identifier: Apache-2.0 */
#include "frame.h"

PyObject *wnpy_former_order;

/* Tries the call by former_order. NULL without an exception: it is no such call. */
PyObject *wnpy_in_former_order(const Function *fn, PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    if (PyErr_Occurred() || !wnpy_former_order) return NULL;
    PyObject *all = PyTuple_New(nargs + (self != NULL)), *options = PyDict_New(), *r = NULL;
    for (Py_ssize_t i = 0; all && i < nargs + (self != NULL); i++) {
        PyObject *x = self ? (i ? args[i - 1] : self) : args[i];
        Py_INCREF(x);
        PyTuple_SetItem(all, i, x);
    }
    bool ok = all && options;
    for (Py_ssize_t k = 0; ok && k < (kwnames ? PyTuple_Size(kwnames) : 0); k++) ok = !PyDict_SetItem(options, PyTuple_GetItem(kwnames, k), args[nargs + k]);
    if (ok) r = PyObject_CallFunction(wnpy_former_order, "OsOOO", fn->callable, fn->name, all, options, self ? Py_True : Py_False);
    Py_XDECREF(all);
    Py_XDECREF(options);
    if (r == Py_NotImplemented) Py_CLEAR(r);
    return r;
}
