/* Subclasses of Tensor and __torch_function__. For each type other than Tensor it is determined once whether it has a
 * __torch_function__ of its own, Tensor's (results become instances of the subclass), or the disabled one (Parameter:
 * results are plain Tensors).
 * SPDX-License-Identifier: Apache-2.0 */
#include "wnpy.h"

enum { NONE = 0, DISABLED, INHERITED, OWN };
static PyObject *kinds; /* type -> one of these kinds */
static PyObject *disabled_impl, *attribute;
static __thread int disabled_depth;
static __thread PyObject *modes; /* list of entered TorchFunctionModes, the innermost last, or NULL */
__thread int wnpy_modes;

static int find_kind(PyTypeObject *type) {
    PyObject *mro = PyObject_GetAttrString((PyObject *)type, "__mro__");
    int kind = NONE;
    for (Py_ssize_t i = 0; mro && i < PyTuple_Size(mro) && kind == NONE; i++) {
        PyObject *base = PyTuple_GetItem(mro, i), *dict = PyObject_GetAttrString(base, "__dict__");
        PyObject *f = dict ? PyObject_GetItem(dict, attribute) : NULL;
        if (f) kind = base == (PyObject *)wnpy_Tensor ? INHERITED : f == disabled_impl ? DISABLED : OWN;
        PyErr_Clear();
        Py_XDECREF(f);
        Py_XDECREF(dict);
    }
    Py_XDECREF(mro);
    return kind;
}

static int kind_of(PyTypeObject *type) {
    if (type == wnpy_Tensor || type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type || type == &PyTuple_Type ||
        type == &PyList_Type || type == &PyUnicode_Type || type == &PySlice_Type || type == Py_TYPE(Py_None))
        return NONE;
    PyObject *known = PyDict_GetItemWithError(kinds, (PyObject *)type);
    if (known) return (int)PyLong_AsLong(known);
    int kind = find_kind(type);
    PyObject *number = PyLong_FromLong(kind);
    if (number) PyDict_SetItem(kinds, (PyObject *)type, number);
    Py_XDECREF(number);
    return kind;
}

typedef struct Found {
    PyObject *object[16]; /* arguments that have a __torch_function__, subclasses first */
    int n;
    PyTypeObject *inherited; /* the most derived subclass that only inherits one */
    bool mixed;              /* two of these, neither derived from the other */
} Found;

static void look_at(PyObject *o, Found *f) {
    int kind = kind_of(Py_TYPE(o));
    if (kind == INHERITED) {
        if (!f->inherited || PyType_IsSubtype(Py_TYPE(o), f->inherited)) f->inherited = Py_TYPE(o);
        else if (!PyType_IsSubtype(f->inherited, Py_TYPE(o))) f->mixed = true;
    }
    if (kind != OWN || f->n == 16) return;
    int at = f->n;
    for (int i = 0; i < f->n; i++) {
        if (Py_TYPE(f->object[i]) == Py_TYPE(o)) return;
        if (at == f->n && PyType_IsSubtype(Py_TYPE(o), Py_TYPE(f->object[i]))) at = i;
    }
    for (int i = f->n; i > at; i--) f->object[i] = f->object[i - 1];
    f->object[at] = o;
    f->n++;
}

static PyObject *ask(Found *f, PyObject *callable, PyObject *const *args, Py_ssize_t n, PyObject *kwnames) {
    PyObject *positional = PyTuple_New(n), *keywords = PyDict_New(), *types = PyTuple_New(f->n), *r = NULL;
    if (!positional || !keywords || !types) goto done;
    for (Py_ssize_t i = 0; i < n; i++) PyTuple_SetItem(positional, i, Py_NewRef(args[i]));
    for (Py_ssize_t i = 0; kwnames && i < PyTuple_Size(kwnames); i++)
        if (PyDict_SetItem(keywords, PyTuple_GetItem(kwnames, i), args[n + i])) goto done;
    for (int i = 0; i < f->n; i++) PyTuple_SetItem(types, i, Py_NewRef((PyObject *)Py_TYPE(f->object[i])));
    for (int i = 0; i < f->n; i++) {
        PyObject *m = PyObject_GetAttr((PyObject *)Py_TYPE(f->object[i]), attribute);
        r = m ? PyObject_CallFunctionObjArgs(m, callable ? callable : Py_None, types, positional, keywords, NULL) : NULL;
        Py_XDECREF(m);
        if (r != Py_NotImplemented) goto done;
        Py_CLEAR(r);
    }
    PyErr_Format(PyExc_TypeError, "no implementation found for '%S' on types that implement __torch_function__: %S", callable ? callable : Py_None, types);
done:
    Py_XDECREF(positional);
    Py_XDECREF(keywords);
    Py_XDECREF(types);
    return r;
}

/* Asks the innermost mode; calls that it makes itself ask the modes around it. */
static PyObject *ask_mode(PyObject *callable, PyObject *const *args, Py_ssize_t n, PyObject *kwnames) {
    PyObject *mode = Py_NewRef(PyList_GetItem(modes, wnpy_modes - 1)), *m = PyObject_GetAttr(mode, attribute), *r = NULL;
    PyObject *positional = PyTuple_New(n), *keywords = PyDict_New(), *types = PyTuple_New(0);
    bool ok = m && positional && keywords && types;
    for (Py_ssize_t i = 0; ok && i < n; i++) PyTuple_SetItem(positional, i, Py_NewRef(args[i]));
    for (Py_ssize_t i = 0; ok && kwnames && i < PyTuple_Size(kwnames); i++) ok = !PyDict_SetItem(keywords, PyTuple_GetItem(kwnames, i), args[n + i]);
    wnpy_modes--;
    if (ok) r = PyObject_CallFunctionObjArgs(m, callable ? callable : Py_None, types, positional, keywords, NULL);
    wnpy_modes++;
    if (r == Py_NotImplemented) {
        Py_CLEAR(r);
        PyErr_Format(PyExc_TypeError, "no implementation found for '%S' on %S, which is entered as a TorchFunctionMode", callable ? callable : Py_None, mode);
    }
    Py_XDECREF(m);
    Py_XDECREF(positional);
    Py_XDECREF(keywords);
    Py_XDECREF(types);
    Py_DECREF(mode);
    return r;
}

bool wnpy_plain(PyObject *const *args, Py_ssize_t n) {
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTypeObject *type = Py_TYPE(args[i]);
        if (type != wnpy_Tensor && type != &PyLong_Type && type != &PyFloat_Type && type != Py_TYPE(Py_None) && type != &PyBool_Type) return false;
    }
    return true;
}

int wnpy_overridden(PyObject *callable, PyObject *const *args, Py_ssize_t n, PyObject *kwnames, PyObject **result, PyTypeObject **subclass) {
    Py_ssize_t total = n + (kwnames ? PyTuple_Size(kwnames) : 0);
    if (wnpy_modes && !disabled_depth) {
        *result = ask_mode(callable, args, n, kwnames);
        return 1;
    }
    if (disabled_depth || wnpy_plain(args, total)) return 0;
    Found f = {.n = 0};
    for (Py_ssize_t i = 0; i < total; i++) {
        PyObject *o = args[i];
        bool tuple = PyTuple_Check(o);
        if (tuple || PyList_Check(o)) {
            Py_ssize_t m = tuple ? PyTuple_Size(o) : PyList_Size(o);
            for (Py_ssize_t k = 0; k < m; k++) look_at(tuple ? PyTuple_GetItem(o, k) : PyList_GetItem(o, k), &f);
        } else {
            look_at(o, &f);
        }
    }
    if (f.n) {
        *result = ask(&f, callable, args, n, kwnames);
        return 1;
    }
    *subclass = f.inherited;
    if (f.mixed) {
        PyErr_Format(PyExc_TypeError, "no implementation found for '%S' on types that implement __torch_function__: the arguments are of unrelated subclasses of Tensor",
                     callable ? callable : Py_None);
        *result = NULL;
    }
    return f.mixed;
}

bool wnpy_inherits(PyObject *tensor) { return !wnpy_is_exact(tensor) && kind_of(Py_TYPE(tensor)) == INHERITED; }

PyObject *wnpy_as_subclass(PyObject *result, PyTypeObject *subclass) {
    if (wnpy_is_tensor(result)) {
        if (Py_IS_TYPE(result, subclass)) return result;
        wn_tensor *own = wn_keep(wnpy_handle(result));
        if (Py_REFCNT(result) == 1 && wnpy_is_exact(result) && !((TensorObject *)result)->dict) { /* only its class changes */
            Py_DECREF(result);
            return wnpy_wrap_as(subclass, own);
        }
        wn_view_args a = {.size_ = sizeof a, .self = own, .size = wn_shape(own)};
        wn_outs outs;
        bool ok = wnpy_run_raw(wn_op_find("view"), &a, false, 0, &outs);
        wn_drop(own);
        Py_DECREF(result);
        return ok ? wnpy_wrap_as(subclass, outs.v[0]) : NULL;
    }
    if (PyTuple_Check(result)) {
        Py_ssize_t n = PyTuple_Size(result);
        PyObject *list = PyTuple_New(n);
        for (Py_ssize_t i = 0; list && i < n; i++) {
            PyObject *x = wnpy_as_subclass(Py_NewRef(PyTuple_GetItem(result, i)), subclass);
            if (!x || PyTuple_SetItem(list, i, x)) Py_CLEAR(list);
        }
        if (list && !Py_IS_TYPE(result, &PyTuple_Type)) Py_SETREF(list, wnpy_call1((PyObject *)Py_TYPE(result), list));
        Py_DECREF(result);
        return list;
    }
    return result;
}

/* ------------------------------------------------------------------ module functions */

static PyObject *disabled(PyObject *self, PyObject *args) { /* func, types, args, kwargs */
    (void)self;
    PyObject *func, *types, *positional = NULL, *keywords = NULL;
    if (!PyArg_ParseTuple(args, "OO|OO", &func, &types, &positional, &keywords)) return NULL;
    PyObject *empty = PyTuple_New(0);
    disabled_depth++;
    PyObject *r = empty ? PyObject_Call(func, positional ? positional : empty, keywords == Py_None ? NULL : keywords) : NULL;
    disabled_depth--;
    Py_XDECREF(empty);
    return r;
}
static PyObject *torch_function_off(PyObject *self, PyObject *arg) { /* depth += arg */
    (void)self;
    long by = PyLong_AsLong(arg);
    if (by == -1 && PyErr_Occurred()) return NULL;
    disabled_depth += (int)by;
    Py_RETURN_NONE;
}
static PyObject *push_mode(PyObject *self, PyObject *mode) {
    (void)self;
    if (!modes && !(modes = PyList_New(0))) return NULL;
    if (PyList_SetSlice(modes, wnpy_modes, PyList_Size(modes), NULL) || PyList_Append(modes, mode)) return NULL;
    wnpy_modes++;
    Py_RETURN_NONE;
}
static PyObject *pop_mode(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    if (!wnpy_modes) return PyErr_Format(PyExc_RuntimeError, "no TorchFunctionMode is entered");
    wnpy_modes--;
    if (PyList_SetSlice(modes, wnpy_modes, PyList_Size(modes), NULL)) return NULL;
    Py_RETURN_NONE;
}
static PyObject *inherits(PyObject *self, PyObject *o) { return (void)self, PyBool_FromLong(wnpy_is_tensor(o) && wnpy_inherits(o)); }
static PyObject *as_subclass(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *o, *type;
    if (!PyArg_ParseTuple(args, "OO", &o, &type)) return NULL;
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, wnpy_Tensor))
        return PyErr_Format(PyExc_TypeError, "cls must be a subclass of Tensor but got %S", type);
    return wnpy_as_subclass(Py_NewRef(o), (PyTypeObject *)type);
}
static PyObject *is_enabled(PyObject *self, PyObject *unused) { return (void)self, (void)unused, PyBool_FromLong(!disabled_depth); }

bool wnpy_override_init(PyObject *module) {
    static PyMethodDef own[] = {{"_disabled_torch_function_impl", disabled, METH_VARARGS, "Calls the function as if there were no subclasses."},
                                {"_torch_function_off", torch_function_off, METH_O, NULL},
                                {"_push_mode", push_mode, METH_O, NULL},
                                {"_pop_mode", pop_mode, METH_NOARGS, NULL},
                                {"_inherits", inherits, METH_O, NULL},
                                {"_as_subclass", as_subclass, METH_VARARGS, NULL},
                                {"_is_torch_function_enabled", is_enabled, METH_NOARGS, "Are subclasses and modes asked in this thread?"},
                                {NULL, NULL, 0, NULL}};
    attribute = PyUnicode_InternFromString("__torch_function__");
    kinds = PyDict_New();
    if (!attribute || !kinds || PyModule_AddFunctions(module, own)) return false;
    disabled_impl = PyObject_GetAttrString(module, "_disabled_torch_function_impl");
    return disabled_impl != NULL;
}
