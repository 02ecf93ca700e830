/* The Tensor type: identity, lifetime, attributes.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>
#include "wnpy.h"
#include <structmember.h>

PyTypeObject *wnpy_Tensor;
static PyObject *new_hook; /* registered by winnow/_construct.py: what Tensor(...) and subclasses' constructors do */

/* ------------------------------------------------------------------ identity */

static PyObject *new_object(PyTypeObject *type, wn_tensor *owned) {
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    TensorObject *o = (TensorObject *)alloc(type, 0);
    if (!o) {
        wn_drop(owned);
        return NULL;
    }
    o->t = owned;
    wn_set_user(owned, 0, o);
    return (PyObject *)o;
}

PyObject *wnpy_wrap(wn_tensor *owned) {
    PyObject *o = wn_user(owned, 0);
    if (!o) return new_object(wnpy_Tensor, owned);
    if (wn_user(owned, 1) == o) { /* so far the handle owned the object; now it is the other way round again */
        wn_set_user(owned, 1, NULL);
        return o;
    }
    Py_INCREF(o);
    wn_drop(owned);
    return o;
}
PyObject *wnpy_wrap_borrowed(wn_tensor *t) {
    if (!t) Py_RETURN_NONE;
    return wnpy_wrap(wn_keep(t));
}

/* owned must be new: no object for its handle exists. */
PyObject *wnpy_wrap_as(PyTypeObject *type, wn_tensor *owned) { return new_object(type, owned); }

PyObject *wnpy_wrap_list(wn_tensor *const *v, int64_t n) {
    PyObject *tuple = PyTuple_New(n);
    for (int64_t i = 0; tuple && i < n; i++) {
        PyObject *x = wnpy_wrap_borrowed(v[i]);
        if (!x || PyTuple_SetItem(tuple, i, x)) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    return tuple;
}

/* ------------------------------------------------------------------ lifetime */

/* The object is about to die. If its handle lives on (in a graph, as a .grad) and the object has something that a new
 * one would lack, the handle preserves it. */
static void finalize(PyObject *self) {
    TensorObject *o = (TensorObject *)self;
    if (!o->t || wn_references(o->t) < 2 || wn_user(o->t, 1) || (Py_IS_TYPE(self, wnpy_Tensor) && !o->dict)) return;
    Py_INCREF(self);
    wn_set_user(o->t, 1, self);
    wn_drop(o->t); /* not the last reference; from now on the handle owns us */
}

/* Called when the handle of a preserved object was freed. */
static void handle_freed(void *object) {
    ((TensorObject *)object)->t = NULL;
    wnpy_decref_later(object);
}

static void dealloc(PyObject *self) {
    TensorObject *o = (TensorObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (o->dict && o->t && wn_references(o->t) > 1 && Py_IS_TYPE(self, wnpy_Tensor)) { /* Python finalizes subclasses */
        Py_SET_REFCNT(self, 1);
        finalize(self);
        Py_SET_REFCNT(self, Py_REFCNT(self) - 1);
        if (Py_REFCNT(self)) return;
    }
    PyObject_GC_UnTrack(self);
    if (o->weak) PyObject_ClearWeakRefs(self);
    Py_CLEAR(o->dict);
    if (o->t) {
        wn_set_user(o->t, 0, NULL);
        wn_drop(o->t);
    }
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
    wnpy_drain_if_any();
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(((TensorObject *)self)->dict);
    Py_VISIT(Py_TYPE(self));
    return 0;
}
static int clear(PyObject *self) {
    Py_CLEAR(((TensorObject *)self)->dict);
    return 0;
}

static PyObject *tensor_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *t = new_hook ? PyObject_Call(new_hook, args, kwargs) : NULL;
    if (!t || (PyTypeObject *)type == wnpy_Tensor) return t;
    wn_tensor *own = wn_keep(wnpy_handle(t));
    wn_detach_args a = {.size_ = sizeof a, .self = own};
    wn_outs outs;
    bool ok = wnpy_run_raw(wn_op_find("detach"), &a, false, 0, &outs);
    wn_drop(own);
    Py_DECREF(t);
    return ok ? wnpy_wrap_as(type, outs.v[0]) : NULL;
}
static int tensor_init(PyObject *self, PyObject *args, PyObject *kwargs) { /* done by tp_new; any arguments will do */
    (void)self, (void)args, (void)kwargs;
    return 0;
}

static Py_hash_t hash(PyObject *self) {
    size_t p = (size_t)self;
    Py_hash_t h = (Py_hash_t)(p >> 4 | p << (8 * sizeof p - 4));
    return h == -1 ? -2 : h;
}

/* ------------------------------------------------------------------ attributes */

#define T(self) wnpy_handle(self)
static PyObject *get_shape(PyObject *self, void *c) { return (void)c, wnpy_size_of(T(self)); }
static PyObject *get_dtype(PyObject *self, void *c) { return (void)c, Py_NewRef(wnpy_dtypes[wn_dtype_of(T(self))]); }
static PyObject *get_ndim(PyObject *self, void *c) { return (void)c, PyLong_FromLong(wn_ndim(T(self))); }
static PyObject *get_requires_grad(PyObject *self, void *c) { return (void)c, PyBool_FromLong(wn_needs_grad(T(self))); }
static PyObject *get_is_leaf(PyObject *self, void *c) { return (void)c, PyBool_FromLong(wn_is_leaf(T(self))); }
static PyObject *get_changes(PyObject *self, void *c) { return (void)c, PyLong_FromUnsignedLong(wn_version(T(self))); }
static PyObject *get_version(PyObject *self, void *c) {
    if (wn_is_inference(T(self))) return PyErr_SetString(PyExc_RuntimeError, "Inference tensors do not track version counter."), NULL;
    return get_changes(self, c);
}
static PyObject *get_retains_grad(PyObject *self, void *c) { return (void)c, PyBool_FromLong(wn_retains_grad(T(self))); }
static PyObject *get_output_nr(PyObject *self, void *c) { return (void)c, PyLong_FromLong(wn_output_nr(T(self))); }

static bool is_float(const wn_tensor *t) { return wn_dtype_of(t) >= WN_F32 && wn_dtype_of(t) <= WN_BF16; }
bool wnpy_may_require_grad(const wn_tensor *t) {
    if (!is_float(t)) PyErr_SetString(PyExc_RuntimeError, "Only Tensors of floating point and complex dtype can require gradients");
    return is_float(t);
}

static int set_requires_grad(PyObject *self, PyObject *value, void *c) {
    (void)c;
    if (!value || !PyBool_Check(value)) {
        PyErr_SetString(PyExc_RuntimeError, "requires_grad must be a bool");
        return -1;
    }
    if (value == Py_True && !is_float(T(self))) {
        PyErr_SetString(PyExc_RuntimeError, "only Tensors of floating point and complex dtype can require gradients");
        return -1;
    }
    if (wn_ok(wn_requires_grad(T(self), value == Py_True))) return 0;
    wnpy_raise();
    return -1;
}

static PyObject *get_grad(PyObject *self, void *c) {
    (void)c;
    wn_tensor *t = T(self);
    wn_scope s = wn_begin();
    wn_tensor *g = wn_grad_of(t);
    PyObject *o = NULL;
    if (g || wn_is_leaf(t) || wn_retains_grad(t) ||
        !PyErr_WarnEx(PyExc_UserWarning,
                      "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during "
                      "autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor.",
                      1))
        o = wnpy_wrap_borrowed(g);
    wn_end(&s);
    return o;
}
static int set_grad(PyObject *self, PyObject *value, void *c) {
    (void)c;
    wn_tensor *g = NULL;
    if (value && value != Py_None) {
        if (!wnpy_is_tensor(value)) {
            PyErr_Format(PyExc_TypeError, "assigned grad expected to be a Tensor or None but got grad of type %S", (PyObject *)Py_TYPE(value));
            return -1;
        }
        g = T(value);
        if (g == T(self)) {
            PyErr_SetString(PyExc_RuntimeError, "can't assign Variable as its own grad");
            return -1;
        }
    }
    if (!wn_set_grad(T(self), g)) return 0;
    wnpy_raise();
    return -1;
}

static PyObject *get_data(PyObject *self, void *c) {
    (void)c;
    wn_scope s = wn_begin();
    wn_tensor *r = wn_get_data(T(self));
    PyObject *o = wn_ok(r) ? wnpy_wrap_as(wnpy_inherits(self) ? Py_TYPE(self) : wnpy_Tensor, wn_keep(r)) : wnpy_raise();
    wn_end(&s);
    return o;
}
/* Is it of a subclass that keeps its elements elsewhere, such as a sparse one? */
static bool has_other_layout(PyObject *tensor) {
    PyObject *layout = PyObject_GetAttrString(tensor, "layout"), *name = layout ? PyObject_Str(layout) : NULL;
    const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    const bool other = text && strcmp(text, "torch.strided") != 0;
    Py_XDECREF(name);
    Py_XDECREF(layout);
    if (PyErr_Occurred()) PyErr_Clear();
    return other;
}
static int set_data(PyObject *self, PyObject *value, void *c) {
    (void)c;
    if (!value) return PyErr_SetString(PyExc_RuntimeError, "Deleting tensor data is not allowed. Delete tensor instead!"), -1;
    if (!wnpy_is_tensor(value)) return PyErr_Format(PyExc_TypeError, "Variable data has to be a tensor, but got %S", (PyObject *)Py_TYPE(value)), -1;
    if (Py_TYPE(value) != wnpy_Tensor && has_other_layout(value)) {
        PyErr_SetString(PyExc_RuntimeError, "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor type.");
        return -1;
    }
    if (!wn_set_data(T(self), T(value))) return 0;
    wnpy_raise();
    return -1;
}

static PyObject *get_base(PyObject *self, void *c) {
    (void)c;
    wn_scope s = wn_begin();
    PyObject *o = wnpy_wrap_borrowed(wn_base_of(T(self)));
    wn_end(&s);
    return o;
}

static PyGetSetDef attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"shape", get_shape, NULL, "The size of each dimension, a Size.", NULL},
    {"dtype", get_dtype, NULL, "The elements' type.", NULL},
    {"ndim", get_ndim, NULL, "The number of dimensions.", NULL},
    {"requires_grad", get_requires_grad, set_requires_grad, "Do operations on it get recorded?", NULL},
    {"grad", get_grad, set_grad, "What backward() has accumulated; None before.", NULL},
    {"_grad", get_grad, set_grad, "grad, under the name that PyTorch's base class has.", NULL},
    {"data", get_data, set_data, "The same memory without history; assigning replaces memory and shape.", NULL},
    {"is_leaf", get_is_leaf, NULL, "Was it made by no recorded operation?", NULL},
    {"grad_fn", wnpy_get_grad_fn, NULL, "The recorded operation that made it; None for a leaf.", NULL},
    {"retains_grad", get_retains_grad, NULL, "Does backward fill .grad although it is no leaf?", NULL},
    {"output_nr", get_output_nr, NULL, "Which result of its grad_fn it is.", NULL},
    {"_version", get_version, NULL, "Counts changes in place of its memory.", NULL},
    {"_changes", get_changes, NULL, "The same, also of what was made in inference mode.", NULL},
    {"_base", get_base, NULL, "The tensor that it is a view of; None.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMemberDef members[] = {{"__dictoffset__", T_PYSSIZET, offsetof(TensorObject, dict), READONLY, NULL},
                                {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weak), READONLY, NULL},
                                {NULL, 0, 0, 0, NULL}};

/* ------------------------------------------------------------------ methods that are no operations */

static PyObject *dim(PyObject *self, PyObject *unused) { return (void)unused, PyLong_FromLong(wn_ndim(T(self))); }
static PyObject *numel(PyObject *self, PyObject *unused) { return (void)unused, PyLong_FromLongLong(wn_numel(T(self))); }
static PyObject *element_size(PyObject *self, PyObject *unused) {
    return (void)unused, PyLong_FromSize_t(wn_dtype_size(wn_dtype_of(T(self))));
}
static PyObject *storage_offset(PyObject *self, PyObject *unused) {
    return (void)unused, PyLong_FromLongLong(wn_storage_offset(T(self)));
}

/* The address can be written to, so this counts as a change in place. */
static PyObject *data_ptr(PyObject *self, PyObject *unused) {
    (void)unused;
    const void *p;
    wn_tensor *t = T(self);
    if (wn_device_of(t) == WN_META) return PyLong_FromLong(0);
    WNPY_BEGIN_WORK;
    p = wn_data(t);
    if (p && !wn_expose(t)) wn_unexpose(t); /* drops what was known of the contents, which may change now */
    WNPY_END_WORK;
    if (!p && wn_error()) return wnpy_raise();
    return PyLong_FromVoidPtr((void *)p);
}

/* size() and stride(): of all dimensions, or of one. */
static PyObject *one_or_all(PyObject *self, PyObject *args, PyObject *kwargs, bool size) {
    static char *names[] = {"dim", NULL};
    PyObject *which = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, size ? "|O:size" : "|O:stride", names, &which)) return NULL;
    wn_tensor *t = T(self);
    if (!which || which == Py_None) {
        if (size) return wnpy_size_of(t);
        wn_dims d = wn_strides(t);
        return wnpy_from_dims(d.v, d.n > 0 ? d.n : 0, false);
    }
    int64_t d;
    int r = wnpy_to_int(which, &d), n = wn_ndim(t);
    if (r < 0) return NULL;
    if (!r) {
        PyObject *name = PyType_GetName(Py_TYPE(which));
        PyErr_Format(PyExc_TypeError, "%s(): argument 'dim' must be int, not %U", size ? "size" : "stride", name);
        Py_XDECREF(name);
        return NULL;
    }
    int low = n ? -n : -1, high = n ? n - 1 : 0;
    if (d < low || d > high)
        return PyErr_Format(PyExc_IndexError, "Dimension out of range (expected to be in range of [%d, %d], but got %lld)", low, high, (long long)d);
    if (!n) return PyErr_Format(PyExc_IndexError, "dimension specified as %lld but tensor has no dimensions", (long long)d);
    return PyLong_FromLongLong(size ? wn_size(t, (int)d) : wn_stride(t, (int)d));
}
static PyObject *size(PyObject *self, PyObject *args, PyObject *kwargs) { return one_or_all(self, args, kwargs, true); }
static PyObject *stride(PyObject *self, PyObject *args, PyObject *kwargs) { return one_or_all(self, args, kwargs, false); }

static PyObject *requires_grad_(PyObject *self, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"requires_grad", NULL};
    PyObject *on = Py_True;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O!:requires_grad_", names, &PyBool_Type, &on)) return NULL;
    return wn_ok(wn_requires_grad(T(self), on == Py_True)) ? Py_NewRef(self) : wnpy_raise();
}
static PyObject *retain_grad(PyObject *self, PyObject *unused) {
    (void)unused;
    if (!wn_ok(wn_retain_grad(T(self)))) return wnpy_raise();
    Py_RETURN_NONE;
}
static PyObject *is_inference(PyObject *self, PyObject *unused) { return (void)unused, PyBool_FromLong(wn_is_inference(T(self))); }
static PyObject *contiguous_now(PyObject *self, PyObject *unused) { return (void)unused, PyBool_FromLong(wn_is_contiguous(T(self))); }

/* _make_subclass(cls, data, require_grad=False) -> data's memory, without history, as an object of a subclass */
static PyObject *make_subclass(PyObject *unused, PyObject *args, PyObject *kwargs) {
    (void)unused;
    static char *names[] = {"cls", "data", "require_grad", NULL};
    PyObject *type, *data;
    int grad = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|p:_make_subclass", names, &type, &data, &grad)) return NULL;
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, wnpy_Tensor) || !wnpy_is_tensor(data))
        return PyErr_Format(PyExc_TypeError, "_make_subclass(): a subclass of Tensor and a Tensor are needed, got %S and %S", type, (PyObject *)Py_TYPE(data));
    wn_detach_args a = {.size_ = sizeof a, .self = T(data)};
    wn_outs outs;
    if (!wnpy_run_raw(wn_op_find("detach"), &a, false, 0, &outs)) return NULL;
    if (grad && !wnpy_may_require_grad(outs.v[0])) return wn_outs_drop(&outs), NULL;
    if (grad && !wn_ok(wn_requires_grad(outs.v[0], true))) {
        wn_outs_drop(&outs);
        return wnpy_raise();
    }
    return wnpy_wrap_as((PyTypeObject *)type, outs.v[0]);
}

/* _become(other): this object takes over other's handle, with its geometry and history (t_, detach_, ...) */
static PyObject *become(PyObject *self, PyObject *other) {
    if (!wnpy_is_tensor(other)) return PyErr_Format(PyExc_TypeError, "a Tensor is needed, not %S", (PyObject *)Py_TYPE(other));
    TensorObject *to = (TensorObject *)self, *from = (TensorObject *)other;
    wn_tensor *old = to->t;
    if (from->t == old) return Py_NewRef(self);
    wn_set_user(old, 0, from); /* other gets the old handle, and is a temporary */
    wn_set_user(from->t, 0, to);
    to->t = from->t;
    from->t = old;
    return Py_NewRef(self);
}

static long basic_size(PyObject *type) {
    PyObject *size = PyObject_GetAttrString(type, "__basicsize__");
    const long n = size ? PyLong_AsLong(size) : -1;
    Py_XDECREF(size);
    return n;
}

/* _swap(other): exchanges class, attributes and handle of two objects; the caller exchanges what is in __slots__ */
static PyObject *swap(PyObject *self, PyObject *other) {
    if (!wnpy_is_tensor(other)) return PyErr_Format(PyExc_TypeError, "a Tensor is needed, not %S", (PyObject *)Py_TYPE(other));
    PyTypeObject *mine = Py_TYPE(self), *theirs = Py_TYPE(other);
    const long n = basic_size((PyObject *)mine), m = basic_size((PyObject *)theirs);
    if (PyErr_Occurred()) return NULL;
    if (n != m) return PyErr_Format(PyExc_RuntimeError, "Cannot swap a %S and a %S: their objects are of different sizes", (PyObject *)mine, (PyObject *)theirs);
    TensorObject *a = (TensorObject *)self, *b = (TensorObject *)other;
    PyObject *dict = a->dict;
    Py_SET_TYPE(self, theirs); /* each object's reference to its class goes along */
    Py_SET_TYPE(other, mine);
    a->dict = b->dict;
    b->dict = dict;
    return become(self, other);
}
/* Number of references to the handle: this object's, views', recorded ones. */
static PyObject *use_count(PyObject *self, PyObject *unused) { return (void)unused, PyLong_FromLong(wn_references(T(self))); }

#define KW METH_VARARGS | METH_KEYWORDS
#define FN(f) ((PyCFunction)(void (*)(void))(f))
#define PLAIN(name, f, text) {name, f, METH_NOARGS, name "($self, /)\n--\n\n" text}
static PyMethodDef methods[] = {
    PLAIN("dim", dim, "The number of dimensions."),
    PLAIN("ndimension", dim, "The number of dimensions."),
    PLAIN("numel", numel, "The number of elements."),
    PLAIN("nelement", numel, "The number of elements."),
    PLAIN("element_size", element_size, "Bytes an element."),
    PLAIN("storage_offset", storage_offset, "Where it begins in its storage, in elements."),
    PLAIN("data_ptr", data_ptr, "The address of the first element."),
    {"size", FN(size), KW, "size($self, /, dim=None)\n--\n\nThe shape, or one dimension's size."},
    {"stride", FN(stride), KW, "stride($self, /, dim=None)\n--\n\nSteps in elements, or one dimension's step."},
    {"requires_grad_", FN(requires_grad_), KW, "requires_grad_($self, /, requires_grad=True)\n--\n\nSets requires_grad, and returns self."},
    PLAIN("retain_grad", retain_grad, "Lets backward() fill .grad of a tensor that is no leaf."),
    PLAIN("is_inference", is_inference, "Was it made in inference mode?"),
    {"_is_contiguous", contiguous_now, METH_NOARGS, "Is it row-major without gaps?"},
    {"_become", become, METH_O, NULL},
    {"_swap", swap, METH_O, NULL},
    {"_use_count", use_count, METH_NOARGS, NULL},
    PLAIN("item", wnpy_item, "The value of a tensor of one element."),
    PLAIN("tolist", wnpy_tolist, "The elements as nested lists of numbers."),
    {"_make_subclass", FN(make_subclass), KW | METH_STATIC, "_make_subclass(cls, data, require_grad=False)"},
};

/* _register_new(f): f does what Tensor(...) does with its arguments */
static PyObject *register_new(PyObject *self, PyObject *f) {
    (void)self;
    Py_XSETREF(new_hook, Py_NewRef(f));
    Py_RETURN_NONE;
}

static int add_slots(PyType_Slot *to, int n, const PyType_Slot *from) {
    for (; from->slot; from++) to[n++] = *from;
    return n;
}

bool wnpy_tensor_init(PyObject *module) {
    int own = sizeof methods / sizeof *methods, n;
    PyMethodDef *rows = wnpy_methods(&n), *all = PyMem_Calloc((size_t)(own + n + 1), sizeof *all);
    if (!rows || !all) return false;
    memcpy(all, rows, (size_t)n * sizeof *all);
    memcpy(all + n, methods, sizeof methods); /* behind them: of two entries with one name the later one counts */
    PyType_Slot slots[96] = {{Py_tp_new, tensor_new},     {Py_tp_init, tensor_init},   {Py_tp_dealloc, dealloc},
                             {Py_tp_finalize, finalize},  {Py_tp_traverse, traverse},  {Py_tp_clear, clear},
                             {Py_tp_hash, hash},          {Py_tp_getset, attributes},  {Py_tp_members, members},
                             {Py_tp_methods, all},        {Py_bf_getbuffer, wnpy_getbuffer}, {Py_bf_releasebuffer, wnpy_releasebuffer},
                             {Py_tp_doc, "A multi-dimensional array of numbers of one dtype, with PyTorch's operations as methods."}};
    int count = 0;
    while (slots[count].slot) count++;
    count = add_slots(slots, count, wnpy_number_slots);
    add_slots(slots, count, wnpy_index_slots);
    PyType_Spec spec = {"torch.Tensor", sizeof(TensorObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
    wnpy_Tensor = (PyTypeObject *)PyType_FromSpec(&spec);
    static PyMethodDef functions[] = {{"_register_new", register_new, METH_O, NULL}, {NULL, NULL, 0, NULL}};
    wn_on_free(handle_freed);
    return wnpy_Tensor && PyModule_AddFunctions(module, functions) == 0 && PyModule_AddObjectRef(module, "Tensor", (PyObject *)wnpy_Tensor) == 0;
}
