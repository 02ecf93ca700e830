/* What optimisers with a fused row do for each parameter: collecting lists, counting steps. It takes some 0.1 us for
 * each instead of the interpreter's microsecond, which matters in a step of a small network.
 * SPDX-License-Identifier: Apache-2.0 */
#include "wnpy.h"

static int is_sparse(PyObject *g) {
    PyObject *answer = PyObject_GetAttrString(g, "is_sparse");
    const int yes = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return yes;
}

/* 1: out's lists have one more entry each, or p has no gradient; 0: something is missing; -1: exception. */
static int gather_one(PyObject *p, PyObject *states, PyObject *names, PyObject *out) {
    static PyObject *k_grad;
    if (!k_grad && !(k_grad = PyUnicode_InternFromString("grad"))) return -1;
    PyObject *g = PyObject_GetAttr(p, k_grad);
    if (!g) return -1;
    int r = -1, sparse = 0;
    if (g == Py_None) r = 1;
    else if (!wnpy_is_exact(g) && (sparse = is_sparse(g))) r = sparse < 0 ? -1 : 0;
    else if (!PyList_Append(PyTuple_GetItem(out, 0), p) && !PyList_Append(PyTuple_GetItem(out, 1), g)) r = 1;
    const bool wanted = r == 1 && g != Py_None;
    Py_DECREF(g);
    if (!wanted || !PyTuple_Size(names)) return r;
    PyObject *state = PyDict_GetItemWithError(states, p);
    if (!state || !PyDict_Check(state)) return PyErr_Occurred() ? -1 : 0;
    for (Py_ssize_t i = 0; i < PyTuple_Size(names); i++) {
        PyObject *entry = PyDict_GetItemWithError(state, PyTuple_GetItem(names, i));
        if (!entry || !wnpy_is_tensor(entry)) return PyErr_Occurred() ? -1 : 0;
        if (PyList_Append(PyTuple_GetItem(out, 2 + i), entry)) return -1;
    }
    return 1;
}

/* _gather(parameters, states, names) -> (parameters with a gradient, gradients, a list of their states' entries for
 * each name); None if an entry is missing or no tensor, or if a gradient is sparse */
static PyObject *gather(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *parameters, *states, *names;
    if (!PyArg_ParseTuple(args, "O!O!O!:_gather", &PyList_Type, &parameters, &PyDict_Type, &states, &PyTuple_Type, &names)) return NULL;
    PyObject *out = PyTuple_New(2 + PyTuple_Size(names));
    int r = out ? 1 : -1;
    for (Py_ssize_t i = 0; r == 1 && i < PyTuple_Size(out); i++) {
        PyObject *list = PyList_New(0);
        if (!list || PyTuple_SetItem(out, i, list)) r = -1;
    }
    for (Py_ssize_t i = 0; r == 1 && i < PyList_Size(parameters); i++) {
        PyObject *p = Py_NewRef(PyList_GetItem(parameters, i));
        r = gather_one(p, states, names, out);
        Py_DECREF(p);
    }
    if (r == 1) return out;
    Py_XDECREF(out);
    if (r < 0) return NULL;
    Py_RETURN_NONE;
}

/* _count(steps) -> adds 1 to each tensor of the list and returns the new numbers as a list of ints */
static PyObject *count(PyObject *self, PyObject *steps) {
    (void)self;
    if (!PyList_Check(steps)) return PyErr_Format(PyExc_TypeError, "_count expects a list");
    PyObject *out = PyList_New(PyList_Size(steps));
    wnpy_here();
    wn_scope s = wn_begin();
    for (Py_ssize_t i = 0; out && i < PyList_Size(out); i++) {
        PyObject *step = PyList_GetItem(steps, i);
        PyObject *now = NULL;
        if (!wnpy_is_tensor(step)) PyErr_Format(PyExc_TypeError, "_count expects tensors");
        else if (!wn_ok(wn_add_(wnpy_handle(step), 1))) wnpy_raise();
        else now = PyLong_FromDouble(wn_item_f64(wnpy_handle(step)));
        if (!now || PyList_SetItem(out, i, now)) Py_CLEAR(out);
    }
    wn_end(&s);
    return out;
}

bool wnpy_optim_init(PyObject *module) {
    static PyMethodDef functions[] = {{"_gather", gather, METH_VARARGS, NULL}, {"_count", count, METH_O, NULL}, {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions) == 0;
}
