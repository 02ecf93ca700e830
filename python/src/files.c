/* The engine's file formats for Python: safetensors, npy, npz. Paths come as str, bytes or path-like.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "wnpy.h"

static const char *path_of(PyObject *bytes) { return PyBytes_AsString(bytes); }

static bool put_metadata(PyObject *dict, const wn_archive *a) {
    const char *key, *value;
    for (int64_t i = 0; (key = wn_archive_metadata_at(a, i, &value)); i++) {
        PyObject *text = PyUnicode_FromString(value);
        int st = text ? PyDict_SetItemString(dict, key, text) : -1;
        Py_XDECREF(text);
        if (st) return false;
    }
    return true;
}

static bool put_tensors(PyObject *dict, const wn_archive *a) {
    for (int64_t i = 0; i < wn_archive_count(a); i++) {
        wn_scope s = wn_begin();
        PyObject *x = wnpy_wrap(wn_keep(wn_archive_at(a, i)));
        wn_end(&s);
        int st = x ? PyDict_SetItemString(dict, wn_archive_name(a, i), x) : -1;
        Py_XDECREF(x);
        if (st) return false;
    }
    return true;
}

static PyObject *load_archive(PyObject *args, wn_archive *(*load)(const char *), wn_archive *(*map)(const char *)) {
    PyObject *path;
    int mapped = 0;
    if (!PyArg_ParseTuple(args, "O&|p", PyUnicode_FSConverter, &path, &mapped)) return NULL;
    wn_archive *a;
    WNPY_BEGIN_WORK;
    a = (mapped && map ? map : load)(path_of(path));
    WNPY_END_WORK;
    Py_DECREF(path);
    if (!a) return wnpy_raise();
    PyObject *tensors = PyDict_New(), *metadata = PyDict_New(), *result = NULL;
    if (tensors && metadata && put_tensors(tensors, a) && put_metadata(metadata, a)) result = PyTuple_Pack(2, tensors, metadata);
    Py_XDECREF(tensors);
    Py_XDECREF(metadata);
    wn_archive_free(a);
    return result;
}
/* (path, mapped) -> ({name: tensor}, {key: text}) */
static PyObject *load_safetensors(PyObject *self, PyObject *args) { return (void)self, load_archive(args, wn_load_safetensors, wn_map_safetensors); }
static PyObject *load_npz(PyObject *self, PyObject *args) { return (void)self, load_archive(args, wn_load_npz, NULL); }

static PyObject *load_npy(PyObject *self, PyObject *args) { /* (path, mapped) -> tensor */
    (void)self;
    PyObject *path;
    int mapped = 0;
    if (!PyArg_ParseTuple(args, "O&|p", PyUnicode_FSConverter, &path, &mapped)) return NULL;
    wn_scope s = wn_begin();
    wn_tensor *t;
    WNPY_BEGIN_WORK;
    t = mapped ? wn_map_npy(path_of(path)) : wn_load_npy(path_of(path));
    WNPY_END_WORK;
    PyObject *result = wn_ok(t) ? wnpy_wrap(wn_keep(t)) : wnpy_raise();
    wn_end(&s);
    Py_DECREF(path);
    return result;
}

static PyObject *save_npy(PyObject *self, PyObject *args) { /* (path, tensor) */
    (void)self;
    PyObject *path, *o;
    if (!PyArg_ParseTuple(args, "O&O", PyUnicode_FSConverter, &path, &o)) return NULL;
    wn_status st = WN_OK;
    bool tensor = wnpy_is_tensor(o);
    if (tensor) {
        WNPY_BEGIN_WORK;
        st = wn_save_npy(wnpy_handle(o), path_of(path));
        WNPY_END_WORK;
    }
    Py_DECREF(path);
    if (!tensor) return PyErr_Format(PyExc_TypeError, "save_npy: a Tensor is needed, not %S", (PyObject *)Py_TYPE(o));
    if (st) return wnpy_raise();
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ saving named tensors */

typedef struct Named {
    const char **names, **metadata; /* metadata: key, text, ..., NULL */
    wn_tensor **tensors;
    int64_t n;
} Named;

static bool text_of(PyObject *o, const char **text) {
    Py_ssize_t n;
    if (!PyUnicode_Check(o)) return PyErr_Format(PyExc_TypeError, "save_safetensors: names and metadata are str, not %S", (PyObject *)Py_TYPE(o)), false;
    *text = PyUnicode_AsUTF8AndSize(o, &n);
    if (*text && strlen(*text) != (size_t)n) return PyErr_SetString(PyExc_ValueError, "save_safetensors: a text with a zero byte in it"), false;
    return *text != NULL;
}

static bool read_named(Named *c, PyObject *tensors, PyObject *metadata) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    size_t n = (size_t)PyDict_Size(tensors), m = metadata == Py_None ? 0 : (size_t)PyDict_Size(metadata);
    c->names = PyMem_Calloc(n + 1, sizeof *c->names);
    c->tensors = PyMem_Calloc(n + 1, sizeof *c->tensors);
    c->metadata = PyMem_Calloc(2 * m + 1, sizeof *c->metadata);
    if (!c->names || !c->tensors || !c->metadata) return PyErr_NoMemory(), false;
    for (; PyDict_Next(tensors, &at, &key, &value); c->n++) {
        if (!text_of(key, &c->names[c->n])) return false;
        if (!wnpy_is_tensor(value)) return PyErr_Format(PyExc_TypeError, "save_safetensors: %R is no Tensor but %S", key, (PyObject *)Py_TYPE(value)), false;
        c->tensors[c->n] = wnpy_handle(value);
    }
    at = 0;
    for (const char **p = c->metadata; m && PyDict_Next(metadata, &at, &key, &value); p += 2)
        if (!text_of(key, p) || !text_of(value, p + 1)) return false;
    return true;
}

static PyObject *save_safetensors(PyObject *self, PyObject *args) { /* (path, {name: tensor}, {key: text} or None) */
    (void)self;
    PyObject *path, *tensors, *metadata;
    if (!PyArg_ParseTuple(args, "O&O!O", PyUnicode_FSConverter, &path, &PyDict_Type, &tensors, &metadata)) return NULL;
    Named c = {0};
    PyObject *result = NULL, *kept = PyDict_Copy(tensors); /* a copy: other threads may change theirs */
    if (!kept) return Py_DECREF(path), NULL;
    if (metadata != Py_None && !PyDict_Check(metadata)) {
        PyErr_Format(PyExc_TypeError, "save_safetensors: metadata is a dict of str, not %S", (PyObject *)Py_TYPE(metadata));
    } else if (read_named(&c, kept, metadata)) {
        wn_status st;
        WNPY_BEGIN_WORK;
        st = wn_save_safetensors(path_of(path), c.names, {.n = c.n, .v = c.tensors}, .metadata = c.metadata);
        WNPY_END_WORK;
        result = st ? wnpy_raise() : Py_NewRef(Py_None);
    }
    PyMem_Free(c.names);
    PyMem_Free(c.tensors);
    PyMem_Free(c.metadata);
    Py_DECREF(kept);
    Py_DECREF(path);
    return result;
}

bool wnpy_files_init(PyObject *module) {
    static PyMethodDef functions[] = {{"_load_safetensors", load_safetensors, METH_VARARGS, "(path, mapped) -> ({name: tensor}, {key: text})"},
                                      {"_save_safetensors", save_safetensors, METH_VARARGS, "(path, {name: tensor}, {key: text} or None)"},
                                      {"_load_npz", load_npz, METH_VARARGS, "(path) -> ({name: tensor}, {})"},
                                      {"_load_npy", load_npy, METH_VARARGS, "(path, mapped) -> tensor"},
                                      {"_save_npy", save_npy, METH_VARARGS, "(path, tensor)"},
                                      {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions) == 0;
}
