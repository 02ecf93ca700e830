/* torch.autograd.graph.saved_tensors_hooks: Python functions that keep what operations save for backward.
 * SPDX-License-Identifier: Apache-2.0 */
#include "wnpy.h"

/* ctx is the pair (pack, unpack). */
static void *pack(void *ctx, wn_tensor *t) {
    const WnpyGil gil = wnpy_ensure();
    PyObject *tensor = wnpy_wrap_borrowed(t), *packed = tensor ? wnpy_call1(PyTuple_GetItem(ctx, 0), tensor) : NULL;
    if (!packed) {
        wnpy_keep_exception();
        wn_raise(WN_E_RUNTIME, "saved_tensors_hooks", "an exception in Python");
    }
    Py_XDECREF(tensor);
    wnpy_let_go(gil);
    return packed;
}
static wn_tensor *unpack(void *ctx, void *packed) {
    const WnpyGil gil = wnpy_ensure();
    PyObject *tensor = wnpy_call1(PyTuple_GetItem(ctx, 1), packed);
    wn_tensor *t = NULL;
    if (tensor && wnpy_is_tensor(tensor)) {
        wn_scope s = wn_begin();
        t = wn_leave(&s, wnpy_handle(tensor));
    } else {
        if (tensor) PyErr_Format(PyExc_TypeError, "Output of saved tensor unpack_hook expected to be a Tensor but got result of type %S", (PyObject *)Py_TYPE(tensor));
        wnpy_keep_exception();
        wn_raise(WN_E_RUNTIME, "saved_tensors_hooks", "an exception in Python");
    }
    Py_XDECREF(tensor);
    wnpy_let_go(gil);
    return t;
}
static void drop(void *ctx, void *packed) {
    (void)ctx;
    wnpy_decref_later(packed);
}

static PyObject *push(PyObject *self, PyObject *args) { /* (pack, unpack) */
    (void)self;
    if (!PyTuple_Check(args) || PyTuple_Size(args) != 2) return PyErr_Format(PyExc_TypeError, "_push_saved_hooks(pack, unpack)");
    wn_saved_hooks h = {pack, unpack, drop, wnpy_decref_later, Py_NewRef(args)};
    if (!wn_push_saved_hooks(&h)) Py_RETURN_NONE;
    Py_DECREF(args);
    return wnpy_raise();
}
static PyObject *pop(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    wn_pop_saved_hooks();
    wnpy_drain_if_any();
    Py_RETURN_NONE;
}

bool wnpy_saved_init(PyObject *module) {
    static PyMethodDef functions[] = {{"_push_saved_hooks", push, METH_VARARGS, NULL}, {"_pop_saved_hooks", pop, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions) == 0;
}
