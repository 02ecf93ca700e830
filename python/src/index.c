/* x[...] and x[...] = v. An index is read from left to right: numbers, slices, None and Ellipsis make views (select, slice,
 * unsqueeze); tensors, lists and arrays are collected, one place for each dimension, for the rows index and index_put.
 * SPDX-License-Identifier: Apache-2.0 */
#include "wnpy.h"

static const wn_op *op_select, *op_slice, *op_unsqueeze, *op_view, *op_index, *op_index_put, *op_copy, *op_fill, *op_masked_fill, *op_unbind;
static PyObject *as_index;      /* registered by winnow/_construct.py: makes an index tensor of a list or an array */
static PyObject *getitem, *setitem;

typedef struct Walk {
    wn_tensor *t;               /* owned: the view so far */
    int dim;                    /* dimension of t that is indexed next */
    int gone;                   /* dimensions that numbers removed, less those that None added */
    wn_tensor *at[WN_MAX_DIMS]; /* owned index tensors, one for each dimension or mask; NULL: all of it */
    int n;                      /* entries of `at` in use */
    int hidden;                 /* dimensions before dim that share the entry of their mask */
    bool advanced;
} Walk;

static bool step(Walk *w, const wn_op *op, const void *args) {
    wn_outs outs;
    wnpy_here();
    wn_status st = wn_call(op, args, &outs);
    if (st) return wnpy_raise(), false;
    wn_drop(w->t);
    w->t = outs.v[0];
    return true;
}
static bool select_at(Walk *w, int64_t i) {
    int64_t size = wn_size(w->t, w->dim);
    if (i < -size || i >= size)
        return PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for dimension %d with size %lld", (long long)i, w->dim + w->gone, (long long)size), false;
    w->gone++;
    wn_select_args a = {.size_ = sizeof a, .self = w->t, .dim = w->dim, .index = i};
    return step(w, op_select, &a);
}
static bool slice_at(Walk *w, PyObject *slice, bool *whole) {
    Py_ssize_t start, stop, by;
    if (PySlice_Unpack(slice, &start, &stop, &by)) return false;
    if (by <= 0) return PyErr_SetString(PyExc_ValueError, by ? "step must be greater than zero" : "slice step cannot be zero"), false;
    *whole = start == 0 && by == 1 && stop >= wn_size(w->t, w->dim);
    if (!*whole) {
        wn_slice_args a = {.size_ = sizeof a, .self = w->t, .dim = w->dim, .start = wn_val_of_int(start), .end = wn_val_of_int(stop), .step = wn_val_of_int(by)};
        if (!step(w, op_slice, &a)) return false;
    }
    w->dim++;
    return true;
}
static bool unsqueeze_at(Walk *w) {
    wn_unsqueeze_args a = {.size_ = sizeof a, .self = w->t, .dim = w->dim};
    w->gone--;
    return step(w, op_unsqueeze, &a);
}

/* An index tensor takes one dimension, a mask as many as it has. */
static bool tensor_at(Walk *w, wn_tensor *index) {
    wn_dtype d = wn_dtype_of(index);
    int takes = d == WN_BOOL || d == WN_U8 ? wn_ndim(index) : 1;
    if (w->dim + takes > WN_MAX_DIMS || w->dim + takes > wn_ndim(w->t))
        return PyErr_Format(PyExc_IndexError, "too many indices for tensor of dimension %d", wn_ndim(w->t)), false;
    while (w->n < w->dim - w->hidden) w->at[w->n++] = NULL;
    w->at[w->n++] = wn_keep(index);
    w->dim += takes;
    w->hidden += takes - 1;
    w->advanced = true;
    return true;
}

/* A scalar bool: a new dimension of size 1 or 0. */
static bool bool_at(Walk *w, bool yes) {
    if (!unsqueeze_at(w)) return false;
    wn_scope s = wn_begin();
    wn_tensor *mask = wn_full(WN_DIMS(1), WN_VAL(yes), .dtype = WN_BOOL);
    bool ok = wn_ok(mask) && tensor_at(w, mask);
    wn_end(&s);
    if (!ok && !PyErr_Occurred()) wnpy_raise();
    return ok;
}

/* How many dimensions an item of the index takes; -1: exception. */
static int takes(PyObject *o) {
    if (o == Py_None || o == Py_Ellipsis || PyBool_Check(o)) return 0;
    if (wnpy_is_tensor(o)) {
        wn_dtype d = wn_dtype_of(wnpy_handle(o));
        return d == WN_BOOL || d == WN_U8 ? wn_ndim(wnpy_handle(o)) : 1;
    }
    return 1;
}

static bool item(Walk *w, PyObject *o, int rest) {
    int64_t i;
    bool whole;
    if (o == Py_None) {
        if (!unsqueeze_at(w)) return false;
        w->dim++;
        return true;
    }
    if (o == Py_Ellipsis) {
        int skip = wn_ndim(w->t) - w->dim - rest;
        if (skip > 0) w->dim += skip;
        return true;
    }
    if (PyBool_Check(o)) return bool_at(w, o == Py_True);
    if (wnpy_is_tensor(o)) {
        wn_tensor *t = wnpy_handle(o);
        wn_dtype d = wn_dtype_of(t);
        if (d <= WN_BF16)
            return PyErr_SetString(PyExc_IndexError, "tensors used as indices must be long, int, byte or bool tensors"), false;
        if (wn_ndim(t) == 0 && (d == WN_BOOL || d == WN_U8)) {
            i = wn_item_i64(t);
            return wn_error() ? wnpy_raise(), false : bool_at(w, i != 0);
        }
        if (wn_ndim(t) != 0) return tensor_at(w, t);
    }
    if (w->dim >= wn_ndim(w->t)) {
        if (wn_ndim(w->t) == 0)
            PyErr_SetString(PyExc_IndexError, "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number");
        else
            PyErr_Format(PyExc_IndexError, "too many indices for tensor of dimension %d", wn_ndim(w->t));
        return false;
    }
    if (PySlice_Check(o)) return slice_at(w, o, &whole);
    int r = PyFloat_Check(o) || PyUnicode_Check(o) ? 0 : wnpy_to_int(o, &i);
    if (r < 0) return false;
    if (r) return select_at(w, i);
    PyObject *index = as_index ? wnpy_call1(as_index, o) : NULL;
    if (!index) return false;
    bool ok = item(w, index, rest);
    Py_DECREF(index);
    return ok;
}

/* Does torch read the list as a tuple, since it holds other than numbers? 1: yes, with a warning; -1: exception. */
static int stands_for_tuple(PyObject *index) {
    if (!PyList_Check(index) || PyList_Size(index) >= 32) return 0;
    for (Py_ssize_t i = 0; i < PyList_Size(index); i++) {
        PyObject *o = PyList_GetItem(index, i);
        if (!wnpy_is_tensor(o) && !PySequence_Check(o) && !PySlice_Check(o) && o != Py_None && o != Py_Ellipsis) continue;
        return PyErr_WarnEx(PyExc_UserWarning, "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
                            "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], which will "
                            "result either in an error or a different result", 1) ? -1 : 1;
    }
    return 0;
}

static bool walk_tuple(Walk *w, wn_tensor *t, PyObject *index) {
    Py_ssize_t n = PyTuple_Size(index);
    int rest = 0, ellipses = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *o = PyTuple_GetItem(index, i);
        rest += takes(o);
        ellipses += o == Py_Ellipsis;
    }
    if (ellipses > 1) return PyErr_SetString(PyExc_IndexError, "an index can only have a single ellipsis ('...')"), false;
    if (rest > wn_ndim(t) && wn_ndim(t))
        return PyErr_Format(PyExc_IndexError, "too many indices for tensor of dimension %d", wn_ndim(t)), false;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *o = PyTuple_GetItem(index, i);
        if (o == Py_Ellipsis) { /* what comes after it decides how many dimensions it is */
            int after = 0;
            for (Py_ssize_t k = i + 1; k < n; k++) after += takes(PyTuple_GetItem(index, k));
            if (!item(w, o, after)) return false;
        } else if (!item(w, o, 0)) {
            return false;
        }
    }
    return true;
}

/* Applies an index to t. On success w->t is the view, and w->at has the index tensors that remain to be applied. */
static bool walk(Walk *w, wn_tensor *t, PyObject *index) {
    *w = (Walk){.t = wn_keep(t)};
    if (PyTuple_Check(index)) return walk_tuple(w, t, index);
    const int tuple = stands_for_tuple(index);
    if (tuple <= 0) return !tuple && item(w, index, 0);
    PyObject *places = PyList_AsTuple(index);
    const bool ok = places && walk_tuple(w, t, places);
    Py_XDECREF(places);
    return ok;
}
static void walk_done(Walk *w) {
    wn_drop(w->t);
    for (int i = 0; i < w->n; i++) wn_drop(w->at[i]);
}

/* ------------------------------------------------------------------ reading */

/* Gives torch's warning as often as torch does. False: it became an exception. */
bool wnpy_warn_of_byte_masks(int n) {
    while (n-- > 0)
        if (PyErr_WarnEx(PyExc_UserWarning, "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.", 1)) return false;
    return true;
}
static bool masks_pass(const Walk *w) {
    int n = 0;
    for (int i = 0; i < w->n; i++) n += w->at[i] && wn_dtype_of(w->at[i]) == WN_U8;
    return wnpy_warn_of_byte_masks(n);
}

static PyObject *advanced(Walk *w) {
    if (!masks_pass(w)) return NULL;
    wn_index_args a = {.size_ = sizeof a, .self = w->t, .indices = {.n = w->n, .v = w->at}};
    return wnpy_run(op_index, &a, false, wn_numel(w->t));
}

static PyObject *whole(Walk *w) { /* x[...], x[:]: the same elements as another tensor */
    wn_view_args a = {.size_ = sizeof a, .self = w->t, .size = wn_shape(w->t)};
    return wnpy_run(op_view, &a, false, 0);
}

static PyObject *subscript(PyObject *self, PyObject *index) {
    PyTypeObject *subclass = NULL;
    PyObject *result;
    if (wnpy_modes || !wnpy_is_exact(self)) {
        PyObject *both[2] = {self, index};
        if (wnpy_overridden(getitem, both, 2, NULL, &result, &subclass)) return result;
    }
    Walk w;
    wn_tensor *t = wnpy_handle(self);
    result = NULL;
    if (walk(&w, t, index)) {
        if (w.advanced) result = advanced(&w);
        else if (w.t == t) result = whole(&w);
        else result = wnpy_wrap(wn_keep(w.t));
    }
    walk_done(&w);
    return result && subclass ? wnpy_as_subclass(result, subclass) : result;
}

/* ------------------------------------------------------------------ writing */

/* A value's leading dimensions of size 1 are ignored: x[0] = torch.ones(1, 1, 3). */
static wn_tensor *without_leading_ones(wn_tensor *value) {
    wn_dims d = wn_shape(value);
    int skip = 0;
    while (skip < d.n && d.v[skip] == 1) skip++;
    if (!skip) return value;
    wn_dims to = {.n = d.n - skip > 0 ? d.n - skip : -1};
    for (int i = 0; i < to.n; i++) to.v[i] = d.v[skip + i];
    return wn_reshape(value, to);
}

static int run_inplace(const wn_op *op, const void *args, int64_t elements) {
    wn_outs outs;
    if (!wnpy_run_raw(op, args, true, elements, &outs)) return -1;
    wn_outs_drop(&outs);
    return 0;
}

static int assign(Walk *w, PyObject *value) {
    if (w->advanced && !masks_pass(w)) return -1;
    int64_t elements = wn_numel(w->t);
    wn_val number;
    int is_number = wnpy_is_tensor(value) ? 0 : wnpy_to_number(value, &number);
    if (is_number < 0) return -1;
    PyObject *made = NULL;
    if (!is_number && !wnpy_is_tensor(value)) {
        PyObject *type = wnpy_dtypes[wn_dtype_of(w->t)];
        if (!PyObject_HasAttrString(value, "__array_interface__")) {
            PyObject *name = PyType_GetName(Py_TYPE(value));
            PyErr_Format(PyExc_TypeError, "can't assign a %U to a tensor of dtype %S", name, type);
            Py_XDECREF(name);
            return -1;
        }
        made = as_index ? PyObject_CallFunctionObjArgs(as_index, value, type, NULL) : NULL;
        if (!made) return -1;
        value = made;
    }
    wn_scope s = wn_begin();
    int r = -1;
    if (!w->advanced) {
        if (is_number) {
            wn_fill_args a = {.size_ = sizeof a, .self = w->t, .value = number};
            r = run_inplace(op_fill, &a, elements);
        } else {
            wn_copy_args a = {.size_ = sizeof a, .self = w->t, .src = without_leading_ones(wnpy_handle(value))};
            r = run_inplace(op_copy, &a, elements);
        }
    } else if (is_number && w->n >= 1 && wn_dtype_of(w->at[0]) == WN_BOOL && wn_ndim(w->at[0]) == wn_ndim(w->t)) {
        wn_dims a = wn_shape(w->at[0]), b = wn_shape(w->t);
        bool same = a.n == b.n;
        for (int i = 0; same && i < a.n; i++) same = a.v[i] == b.v[i];
        wn_masked_fill_args m = {.size_ = sizeof m, .self = w->t, .mask = w->at[0], .value = number};
        if (same) r = run_inplace(op_masked_fill, &m, elements);
        else PyErr_Format(PyExc_IndexError, "The shape of the mask does not match the shape of the indexed tensor");
    } else {
        wn_tensor *v = is_number ? wn_scalar_tensor(number, .dtype = wn_dtype_of(w->t)) : without_leading_ones(wnpy_handle(value));
        wn_index_put_args a = {.size_ = sizeof a, .self = w->t, .indices = {.n = w->n, .v = w->at}, .values = v};
        r = wn_ok(v) ? run_inplace(op_index_put, &a, elements) : (wnpy_raise(), -1);
    }
    wn_end(&s);
    Py_XDECREF(made);
    return r;
}

static int ass_subscript(PyObject *self, PyObject *index, PyObject *value) {
    if (!value) return PyErr_SetString(PyExc_TypeError, "Tensor does not support deleting items"), -1;
    PyTypeObject *subclass = NULL;
    if (wnpy_modes || !wnpy_is_exact(self)) {
        PyObject *three[3] = {self, index, value}, *result;
        if (wnpy_overridden(setitem, three, 3, NULL, &result, &subclass)) {
            Py_XDECREF(result);
            return result ? 0 : -1;
        }
    }
    Walk w;
    int r = walk(&w, wnpy_handle(self), index) ? assign(&w, value) : -1;
    walk_done(&w);
    return r;
}

/* ------------------------------------------------------------------ a tensor as a sequence of its rows */

static Py_ssize_t length(PyObject *self) {
    wn_tensor *t = wnpy_handle(self);
    if (wn_ndim(t)) return wn_size(t, 0);
    PyErr_SetString(PyExc_TypeError, "len() of a 0-d tensor");
    return -1;
}
static PyObject *iterate(PyObject *self) {
    wn_unbind_args a = {.size_ = sizeof a, .self = wnpy_handle(self)};
    if (!wn_ndim(a.self)) return PyErr_SetString(PyExc_TypeError, "iteration over a 0-d tensor"), NULL;
    PyObject *rows = wnpy_run(op_unbind, &a, false, 0);
    PyObject *it = rows ? PyObject_GetIter(rows) : NULL;
    Py_XDECREF(rows);
    return it;
}

PyType_Slot wnpy_index_slots[] = {{Py_mp_subscript, subscript}, {Py_mp_ass_subscript, ass_subscript}, {Py_mp_length, length},
                                  {Py_sq_length, length},       {Py_tp_iter, iterate},                {0, NULL}};

PyObject *wnpy_as_index(PyObject *o) { return as_index ? wnpy_call1(as_index, o) : NULL; }

static PyObject *register_index(PyObject *self, PyObject *f) {
    (void)self;
    Py_XSETREF(as_index, Py_NewRef(f));
    getitem = PyObject_GetAttrString((PyObject *)wnpy_Tensor, "__getitem__");
    setitem = PyObject_GetAttrString((PyObject *)wnpy_Tensor, "__setitem__");
    Py_RETURN_NONE;
}

bool wnpy_index_init(PyObject *module) {
    static PyMethodDef own[] = {{"_register_index", register_index, METH_O, NULL}, {NULL, NULL, 0, NULL}};
    struct {
        const wn_op **op;
        const char *name;
    } all[] = {{&op_select, "select.int"}, {&op_slice, "slice.Tensor"},   {&op_unsqueeze, "unsqueeze"},    {&op_view, "view"},
               {&op_index, "index.Tensor"}, {&op_index_put, "index_put"}, {&op_copy, "copy_"},             {&op_fill, "fill_.Scalar"},
               {&op_unbind, "unbind.int"}, {&op_masked_fill, "masked_fill"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i].op = wn_op_find(all[i].name);
        if (!*all[i].op) return PyErr_Format(PyExc_SystemError, "index.c: no row %s", all[i].name), false;
    }
    return PyModule_AddFunctions(module, own) == 0;
}
