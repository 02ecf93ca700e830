/* The engine's events, for winnow/profiler. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "winnow_events.h"
#include "wnpy.h"

static int following; /* how many profilers asked for lines as well */

/* _events_begin(bytes, lines) */
static PyObject *begin(PyObject *self, PyObject *args) {
    (void)self;
    int bytes, lines;
    if (!PyArg_ParseTuple(args, "pp:_events_begin", &bytes, &lines)) return NULL;
    if (lines) {
        PyObject *nowhere = PyUnicode_FromString("");
        if (!nowhere) return NULL;
        wnpy_follow_lines(nowhere);
        Py_DECREF(nowhere);
        following++;
    }
    wn_events_begin(bytes);
    Py_RETURN_NONE;
}

/* _events_end(lines) */
static PyObject *end(PyObject *self, PyObject *lines) {
    (void)self;
    const int of_lines = PyObject_IsTrue(lines);
    if (of_lines < 0) return NULL;
    wn_events_end();
    if (of_lines && following) {
        following--;
        wnpy_leave_lines();
    }
    Py_RETURN_NONE;
}

static PyObject *first(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    return PyLong_FromLongLong(wn_events_first());
}

static PyObject *thread(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    return PyLong_FromLong(wn_events_thread());
}

static PyObject *text(const char *t) { return t ? PyUnicode_DecodeUTF8(t, (Py_ssize_t)strlen(t), "replace") : Py_NewRef(Py_None); }

static PyObject *numbers(const wn_event *e) {
    PyObject *v = PyTuple_New((Py_ssize_t)e->noperands);
    for (int64_t i = 0; v && i < e->noperands; i++) {
        PyObject *n = PyLong_FromLongLong(e->operands[i]);
        if (!n) Py_CLEAR(v);
        else PyTuple_SetItem(v, (Py_ssize_t)i, n);
    }
    return v;
}

/* (kind, thread, operation, label, began, ended, of, bytes, operands) */
static PyObject *event(const wn_event *e) {
    PyObject *op = text(e->op), *label = text(e->label), *operands = numbers(e);
    PyObject *made = op && label && operands
        ? Py_BuildValue("iiOOLLLLO", (int)e->kind, e->thread, op, label, (long long)e->began, (long long)e->ended, (long long)e->of, (long long)e->bytes, operands)
        : NULL;
    Py_XDECREF(op);
    Py_XDECREF(label);
    Py_XDECREF(operands);
    return made;
}

/* _events_from(number) -> the events from this number on */
static PyObject *from(PyObject *self, PyObject *number) {
    (void)self;
    wn_event e;
    const long long begins = PyLong_AsLongLong(number);
    if (begins == -1 && PyErr_Occurred()) return NULL;
    PyObject *list = PyList_New(0);
    for (int64_t i = begins; list && wn_events_at(i, &e); i++) {
        PyObject *one = event(&e);
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

bool wnpy_events_init(PyObject *module) {
    static PyMethodDef own[] = {{"_events_begin", begin, METH_VARARGS, NULL}, {"_events_end", end, METH_O, NULL},
                                {"_events_first", first, METH_NOARGS, NULL},  {"_events_from", from, METH_O, NULL},
                                {"_events_thread", thread, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, own) == 0;
}
