/* Python values as C arguments, and back.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include "wnpy.h"

PyObject *wnpy_dtypes[16], *wnpy_Size;
static allocfunc size_alloc;

/* ------------------------------------------------------------------ numbers */

static bool from_numpy(PyObject *o, char *name, size_t cap) { /* is o a NumPy scalar, and of which type? */
    PyObject *module = PyObject_GetAttrString((PyObject *)Py_TYPE(o), "__module__");
    const char *m = module && PyUnicode_Check(module) ? PyUnicode_AsUTF8AndSize(module, NULL) : NULL;
    bool yes = m && !strcmp(m, "numpy");
    if (yes) {
        PyObject *n = PyType_GetName(Py_TYPE(o));
        const char *s = n ? PyUnicode_AsUTF8AndSize(n, NULL) : NULL;
        snprintf(name, cap, "%s", s ? s : "");
        Py_XDECREF(n);
    }
    Py_XDECREF(module);
    PyErr_Clear();
    return yes;
}

static int long_to_number(PyObject *o, wn_val *v) {
    int overflow;
    long long i = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow) {
        PyErr_SetString(wnpy_Overflow, "Overflow when unpacking long long");
        return -1;
    }
    if (i == -1 && PyErr_Occurred()) return -1;
    *v = wn_val_of_int(i);
    return 1;
}

static int slow_number(PyObject *o, wn_val *v) {
    if (PyFloat_Check(o)) { /* a numpy.float64 is one, too */
        *v = wn_val_of_float(PyFloat_AsDouble(o));
        return 1;
    }
    if (PyLong_Check(o)) return long_to_number(o, v);
    char name[32];
    if (!from_numpy(o, name, sizeof name)) return 0;
    if (!strncmp(name, "bool", 4)) {
        int yes = PyObject_IsTrue(o);
        if (yes < 0) return -1;
        *v = wn_val_of_bool(yes);
        return 1;
    }
    if (!strncmp(name, "int", 3) || !strncmp(name, "uint", 4)) {
        PyObject *i = PyNumber_Index(o);
        if (!i) return -1;
        int r = long_to_number(i, v);
        Py_DECREF(i);
        return r;
    }
    if (!strncmp(name, "float", 5) || !strcmp(name, "longdouble")) {
        PyObject *f = PyNumber_Float(o);
        if (!f) return -1;
        *v = wn_val_of_float(PyFloat_AsDouble(f));
        Py_DECREF(f);
        return 1;
    }
    return 0;
}

int wnpy_to_number(PyObject *o, wn_val *v) {
    if (PyFloat_CheckExact(o)) {
        *v = wn_val_of_float(PyFloat_AsDouble(o));
        return 1;
    }
    if (PyBool_Check(o)) {
        *v = wn_val_of_bool(o == Py_True);
        return 1;
    }
    if (PyLong_CheckExact(o)) return long_to_number(o, v);
    return slow_number(o, v);
}

int wnpy_item_number(wn_tensor *t, wn_val *v) {
    wn_dtype d = wn_dtype_of(t);
    if (d >= WN_F32 && d <= WN_BF16) *v = wn_val_of_float(wn_item_f64(t));
    else if (d == WN_BOOL) *v = wn_val_of_bool(wn_item_i64(t) != 0);
    else *v = wn_val_of_int(wn_item_i64(t));
    if (wn_error()) {
        wnpy_raise();
        return -1;
    }
    return 1;
}

int wnpy_to_int(PyObject *o, int64_t *v) {
    if (PyBool_Check(o) || PyFloat_Check(o)) return 0;
    PyObject *i = NULL;
    if (!PyLong_Check(o)) {
        if (wnpy_is_tensor(o)) {
            wn_val n;
            wn_dtype d = wn_dtype_of(wnpy_handle(o));
            if (wn_numel(wnpy_handle(o)) != 1 || d < WN_I8 || d == WN_BOOL) return 0;
            if (wn_ndim(wnpy_handle(o)) != 0 || wn_needs_grad(wnpy_handle(o))) return 0;
            int r = wnpy_item_number(wnpy_handle(o), &n);
            if (r == 1) *v = n.u.i;
            return r;
        }
        if (!PyIndex_Check(o)) return 0;
        i = PyNumber_Index(o);
        if (!i) {
            PyErr_Clear();
            return 0;
        }
        o = i;
    }
    int overflow;
    long long n = PyLong_AsLongLongAndOverflow(o, &overflow);
    Py_XDECREF(i);
    if (overflow) {
        PyErr_SetString(wnpy_Overflow, "Overflow when unpacking long");
        return -1;
    }
    *v = n;
    return 1;
}

/* ------------------------------------------------------------------ shapes */

int wnpy_to_dims(PyObject *o, bool single, wn_dims *v) {
    bool tuple = PyTuple_Check(o);
    if (!tuple && !PyList_Check(o)) {
        int r = single ? wnpy_to_int(o, &v->v[0]) : 0;
        if (r == 1) v->n = 1;
        return r;
    }
    Py_ssize_t n = tuple ? PyTuple_Size(o) : PyList_Size(o);
    if (n > WN_MAX_DIMS) {
        PyErr_Format(PyExc_RuntimeError, "a list of %zd numbers: winnow's tensors have at most %d dimensions", n, WN_MAX_DIMS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        int r = wnpy_to_int(tuple ? PyTuple_GetItem(o, i) : PyList_GetItem(o, i), &v->v[i]);
        if (r != 1) return r;
    }
    v->n = n ? (int)n : -1;
    return 1;
}

PyObject *wnpy_from_dims(const int64_t *v, int n, bool size) {
    PyObject *t = size ? size_alloc((PyTypeObject *)wnpy_Size, n) : PyTuple_New(n);
    for (int i = 0; t && i < n; i++) {
        PyObject *x = PyLong_FromLongLong(v[i]);
        if (!x || PyTuple_SetItem(t, i, x)) {
            Py_DECREF(t);
            return NULL;
        }
    }
    return t;
}
PyObject *wnpy_size_of(const wn_tensor *t) {
    wn_dims d = wn_shape(t);
    return wnpy_from_dims(d.v, d.n > 0 ? d.n : 0, true);
}

PyObject *wnpy_from_val(wn_val v) {
    switch (v.kind) {
    case WN_VAL_BOOL: return PyBool_FromLong((long)v.u.i);
    case WN_VAL_INT: return PyLong_FromLongLong(v.u.i);
    case WN_VAL_FLOAT: return PyFloat_FromDouble(v.u.f);
    case WN_VAL_TENSOR: return wnpy_wrap_borrowed(v.u.t);
    default: Py_RETURN_NONE;
    }
}

/* ------------------------------------------------------------------ dtypes */

int wnpy_to_dtype(PyObject *o, wn_dtype *v) {
    for (int d = WN_F32; d <= WN_BOOL; d++)
        if (wnpy_dtypes[d] == o) {
            *v = (wn_dtype)d;
            return 1;
        }
    if (o == (PyObject *)&PyFloat_Type) *v = WN_F64;
    else if (o == (PyObject *)&PyLong_Type) *v = WN_I64;
    else if (o == (PyObject *)&PyBool_Type) *v = WN_BOOL;
    else {
        int complex = PyObject_HasAttrString(o, "is_complex") && PyObject_HasAttrString(o, "itemsize") && !wnpy_is_tensor(o);
        if (!complex) return 0;
        PyErr_Format(PyExc_NotImplementedError, "winnow has no tensors of dtype %S yet", o);
        return -1;
    }
    return 1;
}

/* _register(dtypes by number, Size): the classes that winnow/_types.py defines */
static PyObject *register_types(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *list, *size;
    if (!PyArg_ParseTuple(args, "OO", &list, &size)) return NULL;
    for (int d = 0; d <= WN_BOOL; d++) {
        wnpy_dtypes[d] = PySequence_GetItem(list, d);
        if (!wnpy_dtypes[d]) return NULL;
    }
    wnpy_Size = Py_NewRef(size);
    size_alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)size, Py_tp_alloc);
    Py_RETURN_NONE;
}

bool wnpy_convert_init(PyObject *module) {
    static PyMethodDef functions[] = {{"_register", register_types, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions) == 0;
}
