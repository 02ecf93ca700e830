/* Reports from Python (winnow/_report.py). The engine's labels are lines of the program: file:line of the innermost
 * frame outside this package. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "wnpy.h"

int wnpy_reporting;        /* number of open reports; guarded by the GIL */
static PyObject *codes;    /* address of a code object -> (it, {line: label}); (it, None) in this package */
static PyObject *package;  /* the package's folder, with a separator at its end */
static PyObject *root;     /* left out at the beginning of labels: the folder in which the program was started */

static bool begins_with(PyObject *text, PyObject *start) { return PyUnicode_Tailmatch(text, start, 0, PY_SSIZE_T_MAX, -1) == 1; }

/* The code object's entry in codes. Borrowed; NULL: exception. */
static PyObject *entry_of(PyObject *code) {
    PyObject *key = PyLong_FromVoidPtr(code), *entry = key ? PyDict_GetItemWithError(codes, key) : NULL;
    if (key && !entry && !PyErr_Occurred()) {
        PyObject *name = PyObject_GetAttrString(code, "co_filename");
        PyObject *lines = !name ? NULL : begins_with(name, package) ? Py_NewRef(Py_None) : PyDict_New();
        PyObject *made = lines ? PyTuple_Pack(2, code, lines) : NULL;
        if (made && !PyDict_SetItem(codes, key, made)) entry = made; /* from here on the dictionary owns it */
        Py_XDECREF(made);
        Py_XDECREF(lines);
        Py_XDECREF(name);
    }
    Py_XDECREF(key);
    return entry;
}

/* The label of a line. Borrowed; NULL: exception. */
static PyObject *label_of(PyObject *code, PyObject *lines, int line) {
    PyObject *key = PyLong_FromLong(line), *label = key ? PyDict_GetItemWithError(lines, key) : NULL;
    if (key && !label && !PyErr_Occurred()) {
        PyObject *name = PyObject_GetAttrString(code, "co_filename");
        if (name && begins_with(name, root)) Py_SETREF(name, PyUnicode_Substring(name, PyUnicode_GetLength(root), PyUnicode_GetLength(name)));
        PyObject *made = name ? PyUnicode_FromFormat("%U:%d", name, line) : NULL;
        if (made && !PyDict_SetItem(lines, key, made)) label = made;
        Py_XDECREF(made);
        Py_XDECREF(name);
    }
    Py_XDECREF(key);
    return label;
}

/* The label of the innermost frame outside the package. Borrowed; NULL: there is none. */
static PyObject *find_label(void) {
    PyObject *label = NULL;
    for (PyObject *frame = Py_XNewRef((PyObject *)PyEval_GetFrame()); frame && frame != Py_None;) {
        PyObject *code = (PyObject *)PyFrame_GetCode((PyFrameObject *)frame), *entry = entry_of(code);
        PyObject *lines = entry ? PyTuple_GetItem(entry, 1) : NULL;
        if (lines && lines != Py_None) label = label_of(code, lines, PyFrame_GetLineNumber((PyFrameObject *)frame));
        Py_DECREF(code);
        PyObject *outer = lines == Py_None ? PyObject_GetAttrString(frame, "f_back") : NULL;
        Py_SETREF(frame, outer);
        if (!frame || frame == Py_None) Py_CLEAR(frame);
    }
    return label;
}

void wnpy_note_line(void) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *label = find_label();
    const char *text = label ? PyUnicode_AsUTF8AndSize(label, NULL) : NULL;
    wn_report_label(text);
    PyErr_Restore(type, value, trace);
}

void wnpy_follow_lines(PyObject *folder) {
    if (!wnpy_reporting++) {
        PyDict_Clear(codes);
        Py_XSETREF(root, Py_NewRef(folder));
    }
}
void wnpy_leave_lines(void) {
    if (!--wnpy_reporting) wn_report_label(NULL);
}

/* ------------------------------------------------------------------ functions of the module */

static const char name[] = "winnow.report";

static void capsule_gone(PyObject *capsule) {
    wn_report *r = PyCapsule_GetPointer(capsule, name);
    if (PyCapsule_GetContext(capsule)) wnpy_reporting--;
    wn_report_free(r);
}

/* _report_begin(folder to leave out) */
static PyObject *begin(PyObject *self, PyObject *folder) {
    (void)self;
    if (!PyUnicode_Check(folder)) return PyErr_Format(PyExc_TypeError, "_report_begin expects a folder");
    wn_report *r = wn_report_begin();
    if (!r) return wnpy_raise();
    PyObject *capsule = PyCapsule_New(r, name, capsule_gone);
    if (!capsule) return wn_report_free(r), NULL;
    PyCapsule_SetContext(capsule, capsule); /* marks the report as open */
    wnpy_follow_lines(folder);
    return capsule;
}

static PyObject *end(PyObject *self, PyObject *capsule) {
    (void)self;
    wn_report *r = PyCapsule_GetPointer(capsule, name);
    if (!r) return NULL;
    if (PyCapsule_GetContext(capsule)) {
        PyCapsule_SetContext(capsule, NULL);
        wnpy_leave_lines();
    }
    if (wn_report_end(r)) return wnpy_raise();
    Py_RETURN_NONE;
}

/* The report as `write` writes it. */
static PyObject *written(PyObject *capsule, const char *(*write)(wn_report *)) {
    wn_report *r = PyCapsule_GetPointer(capsule, name);
    if (!r) return NULL;
    const char *t = write(r);
    return t ? PyUnicode_DecodeUTF8(t, (Py_ssize_t)strlen(t), "replace") : wnpy_raise();
}
static PyObject *text(PyObject *self, PyObject *capsule) { return (void)self, written(capsule, wn_report_text); }
static PyObject *json(PyObject *self, PyObject *capsule) { return (void)self, written(capsule, wn_report_json); }

/* _report_setup(the package's folder) */
static PyObject *setup(PyObject *self, PyObject *folder) {
    (void)self;
    Py_XSETREF(package, Py_NewRef(folder));
    if (!codes && !(codes = PyDict_New())) return NULL;
    Py_RETURN_NONE;
}

bool wnpy_report_init(PyObject *module) {
    static PyMethodDef own[] = {{"_report_begin", begin, METH_O, NULL}, {"_report_end", end, METH_O, NULL},     {"_report_text", text, METH_O, NULL},
                                {"_report_json", json, METH_O, NULL},   {"_report_setup", setup, METH_O, NULL}, {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, own) == 0;
}
