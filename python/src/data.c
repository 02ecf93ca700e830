/* Data in and out of tensors: numbers and nested lists, buffers of other libraries, our memory as a buffer.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "wnpy.h"

static bool is_float(wn_dtype d) { return d >= WN_F32 && d <= WN_BF16; }

/* ------------------------------------------------------------------ out: item, tolist */

PyObject *wnpy_item(PyObject *self, PyObject *unused) {
    (void)unused;
    wn_tensor *t = wnpy_handle(self);
    if (wn_numel(t) != 1)
        return PyErr_Format(PyExc_RuntimeError, "a Tensor with %lld elements cannot be converted to Scalar", (long long)wn_numel(t));
    wn_dtype d = wn_dtype_of(t);
    double f = 0;
    int64_t i = 0;
    PyThreadState *save = wn_is_pending(t) ? wnpy_release() : NULL; /* a whole program may have to run */
    if (is_float(d)) f = wn_item_f64(t);
    else i = wn_item_i64(t);
    if (save) wnpy_regain(save);
    if (wn_error()) return wnpy_raise();
    return is_float(d) ? PyFloat_FromDouble(f) : d == WN_BOOL ? PyBool_FromLong(i != 0) : PyLong_FromLongLong(i);
}

typedef struct Reader {
    const char *at;
    wn_dtype dtype;
    const wn_dims *shape;
} Reader;
static PyObject *read_list(Reader *r, int dim) {
    if (dim >= r->shape->n) {
        const char *p = r->at;
        r->at += 8;
        if (is_float(r->dtype)) return PyFloat_FromDouble(*(const double *)(const void *)p);
        int64_t i = *(const int64_t *)(const void *)p;
        return r->dtype == WN_BOOL ? PyBool_FromLong(i != 0) : PyLong_FromLongLong(i);
    }
    PyObject *list = PyList_New(r->shape->v[dim]);
    for (int64_t i = 0; list && i < r->shape->v[dim]; i++) {
        PyObject *x = read_list(r, dim + 1);
        if (!x || PyList_SetItem(list, i, x)) Py_CLEAR(list);
    }
    return list;
}

PyObject *wnpy_tolist(PyObject *self, PyObject *unused) {
    wn_tensor *t = wnpy_handle(self);
    wn_dims shape = wn_shape(t);
    if (shape.n <= 0) return wnpy_item(self, unused);
    int64_t n = wn_numel(t);
    double *all = PyMem_Malloc((size_t)(n ? n : 1) * sizeof *all);
    if (!all) return PyErr_NoMemory();
    wn_dtype d = wn_dtype_of(t);
    wn_status st;
    WNPY_BEGIN_WORK;
    st = wn_to_memory(t, all, (size_t)n * sizeof *all, is_float(d) ? WN_F64 : WN_I64);
    WNPY_END_WORK;
    Reader r = {(const char *)all, d, &shape};
    PyObject *list = st ? wnpy_raise() : read_list(&r, 0);
    PyMem_Free(all);
    return list;
}

/* ------------------------------------------------------------------ in: numbers and nested sequences */

typedef struct Builder {
    wn_dims shape;     /* n: the dimensions found so far */
    int kind;          /* highest so far: 0 none, 1 bool, 2 int, 3 float */
    wn_dtype dtype;    /* what the data's types promote to; Python's count as bool, int64 and the default dtype */
    double *values;    /* doubles, or the bits of int64 until a float is seen */
    int64_t n, capacity;
    bool floats;       /* values are doubles */
    bool huge;         /* one is an int that 64 bits do not hold; it is stored as a double */
} Builder;

static bool push(Builder *b, wn_val v) {
    if (b->n == b->capacity) {
        int64_t more = b->capacity ? 2 * b->capacity : 64;
        double *p = PyMem_Realloc(b->values, (size_t)more * sizeof *p);
        if (!p) return PyErr_NoMemory(), false;
        b->values = p;
        b->capacity = more;
    }
    if (v.kind == WN_VAL_FLOAT && !b->floats) {
        for (int64_t i = 0; i < b->n; i++) {
            int64_t whole;
            memcpy(&whole, &b->values[i], sizeof whole);
            b->values[i] = (double)whole;
        }
        b->floats = true;
    }
    if (b->floats) b->values[b->n++] = v.kind == WN_VAL_FLOAT ? v.u.f : (double)v.u.i;
    else memcpy(&b->values[b->n++], &v.u.i, sizeof(int64_t));
    int kind = v.kind == WN_VAL_BOOL ? 1 : v.kind == WN_VAL_INT ? 2 : 3;
    if (kind > b->kind) b->kind = kind;
    return true;
}

/* Adds an int beyond 64 bits, which floating dtypes and bool can take. wnpy_to_number has set an exception. */
static bool push_huge(Builder *b, PyObject *o) {
    PyErr_Clear();
    PyObject *f = PyNumber_Float(o); /* raises its own exception if even a double is too small */
    if (!f) return false;
    const int kind = b->kind > 2 ? b->kind : 2;
    const bool ok = push(b, wn_val_of_float(PyFloat_AsDouble(f)));
    Py_DECREF(f);
    b->kind = kind;
    b->huge = true;
    return ok;
}

/* As torch does, finds the shape by first elements alone, where a string counts as a sequence. */
static bool no_number(const Builder *b, PyObject *o, int dim) {
    PyErr_Clear();
    PyObject *name = PyType_GetName(Py_TYPE(o));
    if (PyUnicode_Check(o) && dim && !b->n && dim == b->shape.n) PyErr_Format(PyExc_ValueError, "too many dimensions '%U'", name);
    else if (PyUnicode_Check(o) || PyBytes_Check(o)) PyErr_Format(PyExc_TypeError, "new(): invalid data type '%U'", name);
    else PyErr_Format(PyExc_RuntimeError, "Could not infer dtype of %U", name);
    Py_XDECREF(name);
    return false;
}

/* The exception for a sequence whose first element cannot be had. */
static bool no_shape(PyObject *o) {
    PyErr_Clear();
    PyObject *name = PyType_GetName(Py_TYPE(o));
    PyErr_Format(PyExc_ValueError, "could not determine the shape of object type '%U'", name);
    Py_XDECREF(name);
    return false;
}

static wn_dtype dtype_of_format(const char *f, Py_ssize_t size) {
    if (!f) return WN_U8;
    if (*f == '@' || *f == '=' || *f == '<' || *f == '|') f++; /* this machine is little-endian */
    if (f[0] && f[1]) return WN_DTYPE_DEFAULT;
    switch (*f) {
    case '?': return WN_BOOL;
    case 'e': return WN_F16;
    case 'f': return WN_F32;
    case 'd': return WN_F64;
    case 'b': return WN_I8;
    case 'B': return WN_U8;
    case 'h': case 'i': case 'l': case 'q': case 'n': return size == 2 ? WN_I16 : size == 4 ? WN_I32 : size == 8 ? WN_I64 : WN_DTYPE_DEFAULT;
    default: return WN_DTYPE_DEFAULT;
    }
}

/* The dtype of a NumPy number, whose dtype.char is a buffer format; DEFAULT: o is none. */
static wn_dtype numpy_dtype(PyObject *o) {
    if (PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) || wnpy_is_tensor(o)) return WN_DTYPE_DEFAULT;
    PyObject *type = PyObject_GetAttrString(o, "dtype"), *format = type ? PyObject_GetAttrString(type, "char") : NULL;
    PyObject *size = format ? PyObject_GetAttrString(type, "itemsize") : NULL, *text = size && PyUnicode_Check(format) ? PyUnicode_AsASCIIString(format) : NULL;
    const long bytes = text ? PyLong_AsLong(size) : -1;
    const wn_dtype d = bytes > 0 ? dtype_of_format(PyBytes_AsString(text), bytes) : WN_DTYPE_DEFAULT;
    Py_XDECREF(type), Py_XDECREF(format), Py_XDECREF(size), Py_XDECREF(text);
    PyErr_Clear();
    return d;
}

/* Reads a number that is no tensor. 1: *v is set; 0: o is none; -1: exception. */
static int read_number(Builder *b, PyObject *o, wn_val *v) {
    const wn_dtype numpy = numpy_dtype(o);
    int r = 1;
    if (numpy == WN_BOOL) *v = wn_val_of_bool(PyObject_IsTrue(o) > 0); /* unlike Python's bool it has no __index__ */
    else r = wnpy_to_number(o, v);
    if (r == 1) b->dtype = wn_promote_types(b->dtype, numpy ? numpy : v->kind == WN_VAL_BOOL ? WN_BOOL : v->kind == WN_VAL_INT ? WN_I64 : wn_default_dtype());
    return r;
}

static bool is_sequence(PyObject *o) {
    return PyList_Check(o) || PyTuple_Check(o) ||
           (PySequence_Check(o) && !PyUnicode_Check(o) && !PyBytes_Check(o) && !wnpy_is_tensor(o) && PySequence_Size(o) >= 0);
}

static bool build(Builder *b, PyObject *o, int dim) {
    wn_val v;
    if (wnpy_is_tensor(o) && wn_ndim(wnpy_handle(o)) == 0) {
        wn_dtype d = wn_dtype_of(wnpy_handle(o));
        if (wnpy_item_number(wnpy_handle(o), &v) < 0) return false;
        b->dtype = wn_promote_types(b->dtype, d);
    } else {
        int r = read_number(b, o, &v);
        if (r < 0 && (!PyErr_ExceptionMatches(wnpy_Overflow) || dim != b->shape.n)) return false;
        if (r < 0) return push_huge(b, o);
        if (!r) {
            if (wnpy_is_tensor(o)) {
                if (wn_numel(wnpy_handle(o)) != 1) return PyErr_SetString(PyExc_ValueError, "only one element tensors can be converted to Python scalars"), false;
                PyObject *number = wnpy_item(o, NULL);
                bool ok = number && build(b, number, dim);
                Py_XDECREF(number);
                return ok;
            }
            if (!is_sequence(o)) return no_number(b, o, dim);
            Py_ssize_t n = PySequence_Size(o);
            if (dim == WN_MAX_DIMS) return PyErr_SetString(PyExc_ValueError, "too many dimensions: winnow's tensors have at most 16"), false;
            if (dim == b->shape.n) {
                if (b->n) return PyErr_Format(PyExc_TypeError, "a sequence stands where numbers are expected"), false;
                b->shape.v[b->shape.n++] = n;
            } else if (b->shape.v[dim] != n) {
                return PyErr_Format(PyExc_ValueError, "expected sequence of length %lld at dim %d (got %zd)", (long long)b->shape.v[dim], dim, n), false;
            }
            for (Py_ssize_t i = 0; i < n; i++) {
                PyObject *item = PySequence_GetItem(o, i);
                if (!item && !i && !b->n) return no_shape(o);
                if (item == o && b->n) {
                    Py_DECREF(item);
                    return PyErr_SetString(PyExc_TypeError, "new(): self-referential lists are incompatible"), false;
                }
                bool ok = item && build(b, item, dim + 1);
                Py_XDECREF(item);
                if (!ok) return false;
            }
            return true;
        }
    }
    if (dim != b->shape.n) return PyErr_Format(PyExc_TypeError, "only numbers of one depth make a tensor: a number stands where a list of %lld is expected", (long long)b->shape.v[dim]), false;
    return push(b, v);
}

static bool floats_in_range(const Builder *b, wn_dtype dtype, int64_t low, int64_t high) {
    for (int64_t i = 0; i < b->n; i++) {
        double v = b->values[i];
        if (!(v >= (double)low && (dtype == WN_I64 ? v < 0x1p63 : v <= (double)high)))
            return PyErr_Format(PyExc_RuntimeError, "value cannot be converted to type %s without overflow", wn_dtype_name(dtype)), false;
    }
    return true;
}

/* Do all numbers fit the integer dtype? As in torch, unsigned ones also take negative integers. */
static bool in_range(const Builder *b, wn_dtype dtype) {
    const bool whole = dtype >= WN_I8 && dtype != WN_BOOL;
    if (b->huge && (whole || (!dtype && b->kind < 3))) return PyErr_SetString(wnpy_Overflow, "Overflow when unpacking long long"), false;
    if (!whole) return true;
    int bits = 8 * (int)wn_dtype_size(dtype);
    int64_t high = dtype == WN_U8 ? 255 : (int64_t)(((uint64_t)1 << (bits - 1)) - 1), low = dtype == WN_U8 ? -255 : -high - 1;
    if (b->floats) return floats_in_range(b, dtype, dtype == WN_U8 ? 0 : low, high);
    for (int64_t i = 0; i < b->n; i++) {
        int64_t v;
        memcpy(&v, &b->values[i], sizeof v);
        if (v < low || v > high) {
            PyErr_Format(PyExc_RuntimeError, "value cannot be converted to type %s without overflow: %lld", wn_dtype_name(dtype), (long long)v);
            return false;
        }
    }
    return true;
}

/* _tensor(data, dtype or None) -> a fresh tensor of numbers and nested sequences */
static PyObject *from_numbers(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *data, *type;
    if (!PyArg_ParseTuple(args, "OO", &data, &type)) return NULL;
    wn_dtype dtype = WN_DTYPE_DEFAULT;
    if (type != Py_None) {
        int r = wnpy_to_dtype(type, &dtype);
        if (r < 0) return NULL;
        if (!r) {
            PyObject *got = PyType_GetName(Py_TYPE(type));
            PyErr_Format(PyExc_TypeError, "tensor(): argument 'dtype' must be torch.dtype, not %U", got);
            Py_XDECREF(got);
            return NULL;
        }
    }
    Builder b = {.shape.n = 0};
    PyObject *result = NULL;
    if (build(&b, data, 0) && in_range(&b, dtype)) {
        wn_scope s = wn_begin();
        wn_dims shape = b.shape;
        if (!shape.n) shape = WN_0D;
        if (!dtype) dtype = b.dtype ? b.dtype : wn_default_dtype();
        wn_tensor *t = wn_from_data(b.values ? (void *)b.values : (void *)&b, shape, b.floats ? WN_F64 : WN_I64);
        t = wn_to(t, dtype);
        result = wn_ok(t) ? wnpy_wrap(wn_keep(t)) : wnpy_raise();
        wn_end(&s);
    }
    PyMem_Free(b.values);
    return result;
}

/* ------------------------------------------------------------------ other people's memory */

typedef struct Owner { /* keeps a buffer alive for a tensor */
    PyObject_HEAD
    Py_buffer view;
    PyObject *memory[2]; /* the array and the owner of its memory, if only these can know that; else NULL */
} Owner;
static PyTypeObject *owner_type;
enum { LEAST_ALONE = 4096 }; /* bytes: operations on fewer are not deferred anyway */
static void owner_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyBuffer_Release(&((Owner *)self)->view);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* ---- arrays that nobody else has. While others can write an array's memory, operations must read it before they
 * return. When only the tensor is left to hold the array, its memory is like ours. */

static PyTypeObject *ndarray;  /* NumPy's type, once an array was seen */
static Py_ssize_t ndarray_weak; /* offset of its list of weak references; 0: unknown */

static bool is_ndarray(PyObject *o) {
    if (ndarray) return Py_TYPE(o) == ndarray;
    PyObject *name = PyUnicode_FromString("numpy"), *numpy = name ? PyImport_GetModule(name) : NULL;
    PyObject *type = numpy ? PyObject_GetAttrString(numpy, "ndarray") : NULL, *at = type ? PyObject_GetAttrString(type, "__weakrefoffset__") : NULL;
    if (at && PyType_Check(type)) {
        ndarray_weak = PyLong_AsSsize_t(at);
        ndarray = (PyTypeObject *)Py_NewRef(type);
    }
    Py_XDECREF(name);
    Py_XDECREF(numpy);
    Py_XDECREF(type);
    Py_XDECREF(at);
    PyErr_Clear();
    return ndarray && Py_TYPE(o) == ndarray;
}

static bool owns_memory(PyObject *array) {
    PyObject *flags = PyObject_GetAttrString(array, "flags"), *owns = flags ? PyObject_GetAttrString(flags, "owndata") : NULL;
    const bool yes = owns == Py_True;
    Py_XDECREF(flags);
    Py_XDECREF(owns);
    return yes;
}

/* Notes an array that owns its memory, or shows that of one that does. */
static void note_array(Owner *owner, PyObject *o) {
    if (!is_ndarray(o) || ndarray_weak <= 0) return;
    PyObject *base = PyObject_GetAttrString(o, "base"), *root = base == Py_None ? o : base, *beyond = base ? PyObject_GetAttrString(root, "base") : NULL;
    if (base && is_ndarray(root) && beyond == Py_None && owns_memory(root)) {
        owner->memory[0] = o;
        owner->memory[1] = root; /* o holds a reference to it */
    }
    Py_XDECREF(base);
    Py_XDECREF(beyond);
    PyErr_Clear();
}

/* Is the buffer's (for the root: the array's) the only reference, with no weak one that could become another? Called
 * without the GIL: once this is true it stays so, since nobody is left to make a reference. */
static bool has_one_holder(PyObject *array) {
    PyObject *const *weak = (PyObject *const *)(const void *)((const char *)array + ndarray_weak);
    return (uint32_t)__atomic_load_n(&array->ob_refcnt, __ATOMIC_ACQUIRE) == 1 && !__atomic_load_n(weak, __ATOMIC_ACQUIRE);
}
static bool owner_alone(void *ctx) {
    const Owner *owner = ctx;
    return has_one_holder(owner->memory[0]) && has_one_holder(owner->memory[1]);
}

/* _from_buffer(object) -> (tensor on its memory, whether it is read-only) */
static PyObject *from_buffer(PyObject *self, PyObject *o) {
    (void)self;
    Owner *owner = (Owner *)((allocfunc)PyType_GetSlot(owner_type, Py_tp_alloc))(owner_type, 0);
    if (!owner) return NULL;
    Py_buffer *v = &owner->view;
    bool readonly = false;
    if (PyObject_GetBuffer(o, v, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE)) {
        PyErr_Clear();
        readonly = true;
        if (PyObject_GetBuffer(o, v, PyBUF_STRIDES | PyBUF_FORMAT)) {
            Py_DECREF(owner);
            return NULL;
        }
    }
    wn_dtype dtype = dtype_of_format(v->format, v->itemsize);
    wn_dims shape = WN_0D, strides = WN_0D;
    PyObject *result = NULL;
    if (!dtype) {
        PyErr_Format(PyExc_TypeError, "can't convert memory of format '%s' to a tensor: float64, float32, float16, int64, int32, int16, int8, uint8 and bool are supported", v->format);
        goto done;
    }
    if (v->ndim > WN_MAX_DIMS) {
        PyErr_Format(PyExc_ValueError, "%d dimensions: winnow's tensors have at most %d", v->ndim, WN_MAX_DIMS);
        goto done;
    }
    if (v->ndim) shape.n = strides.n = v->ndim;
    for (int i = 0; i < v->ndim; i++) {
        shape.v[i] = v->shape[i];
        if (v->strides[i] < 0) {
            PyErr_SetString(PyExc_ValueError, "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
                                              "currently supported. (You can probably work around this by making a copy of your array with array.copy().)");
            goto done;
        }
        if (v->strides[i] % v->itemsize) {
            PyErr_SetString(PyExc_ValueError, "given numpy array strides not a multiple of the element byte size. Copy the numpy array to reallocate the memory.");
            goto done;
        }
        strides.v[i] = v->strides[i] / v->itemsize;
    }
    wn_scope s = wn_begin();
    wn_tensor *t = wn_from_memory(v->buf, shape, strides, dtype, wnpy_decref_later, Py_NewRef((PyObject *)owner));
    if (wn_ok(t)) {
        if (v->len >= LEAST_ALONE && v->obj == o) note_array(owner, o);
        if (owner->memory[0]) wn_exposed_until(t, owner_alone);
        PyObject *x = wnpy_wrap(wn_keep(t));
        result = x ? Py_BuildValue("(NO)", x, readonly ? Py_True : Py_False) : NULL;
    } else {
        Py_DECREF(owner);
        wnpy_raise();
    }
    wn_end(&s);
done:
    Py_DECREF(owner);
    return result;
}

/* ------------------------------------------------------------------ our memory as a buffer */

typedef struct Export {
    wn_tensor *alias;
    Py_ssize_t dims[]; /* shape, then strides in bytes */
} Export;

static const char *format_of(wn_dtype d) {
    /* "l" is numpy.int64; "q" is another type with the same size */
    static const char *const format[] = {NULL, "f", "d", "e", NULL, "b", "h", "i", sizeof(long) == 8 ? "l" : "q", "B", "?"};
    return format[d];
}

/* Exposes t's memory, *p, until the export ends. NULL: exception. */
static Export *export_new(wn_tensor *t, const void **p) {
    int n = wn_ndim(t);
    wn_detach_args detach = {.size_ = sizeof detach, .self = t};
    wn_outs alias; /* exposed instead of t, which may get another storage before the buffer is released */
    if (!wnpy_run_raw(wn_op_find("detach"), &detach, false, 0, &alias)) return NULL;
    Export *e = PyMem_Malloc(sizeof *e + (size_t)(2 * n + 2) * sizeof *e->dims);
    if (!e) {
        wn_outs_drop(&alias);
        PyErr_NoMemory();
        return NULL;
    }
    t = e->alias = alias.v[0];
    wn_status st;
    *p = NULL;
    WNPY_BEGIN_WORK;
    st = wn_expose(t);
    if (!st) *p = wn_data(t);
    WNPY_END_WORK;
    if (!st && (*p || !wn_numel(t))) {
        static char nothing[8];
        if (!*p) *p = nothing;
        return e;
    }
    if (!st) wn_unexpose(t);
    wn_drop(t);
    PyMem_Free(e);
    wnpy_raise();
    return NULL;
}

int wnpy_getbuffer(PyObject *self, Py_buffer *view, int flags) {
    wn_tensor *t = wnpy_handle(self);
    wn_dtype d = wn_dtype_of(t);
    view->obj = NULL;
    if (wn_needs_grad(t))
        return PyErr_SetString(PyExc_RuntimeError, "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."), -1;
    if (!format_of(d)) return PyErr_Format(PyExc_TypeError, "Got unsupported ScalarType %s: NumPy and the buffer protocol have no such type", wn_dtype_name(d)), -1;
    int n = wn_ndim(t);
    if (!(flags & PyBUF_STRIDES) && !wn_is_contiguous(t)) return PyErr_SetString(PyExc_BufferError, "the tensor is not contiguous"), -1;
    if (wn_numel(t) > PY_SSIZE_T_MAX / (Py_ssize_t)wn_dtype_size(d)) /* an expanded tensor: consumers count bytes */
        return PyErr_SetString(PyExc_BufferError, "the tensor has more elements than a buffer can have"), -1;
    const void *p;
    Export *e = export_new(t, &p);
    if (!e) return -1;
    t = e->alias;
    Py_ssize_t size = (Py_ssize_t)wn_dtype_size(d);
    for (int i = 0; i < n; i++) {
        e->dims[i] = wn_size(t, i);
        e->dims[n + i] = wn_stride(t, i) * size;
    }
    view->buf = (void *)p;
    view->obj = Py_NewRef(self);
    view->len = wn_numel(t) * size;
    view->itemsize = size;
    view->readonly = 0;
    view->ndim = n;
    view->format = flags & PyBUF_FORMAT ? (char *)format_of(d) : NULL;
    view->shape = flags & PyBUF_ND ? e->dims : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? e->dims + n : NULL;
    view->suboffsets = NULL;
    view->internal = e;
    return 0;
}
void wnpy_releasebuffer(PyObject *self, Py_buffer *view) {
    (void)self;
    Export *e = view->internal;
    wn_unexpose(e->alias);
    wn_drop(e->alias);
    PyMem_Free(e);
    wnpy_drain_if_any();
}

/* The memory of a row-major tensor of any dtype as plain bytes, which files are written from and read into. */
typedef struct Raw {
    PyObject_HEAD
    PyObject *tensor;
} Raw;
static PyTypeObject *raw_type;

static int raw_getbuffer(PyObject *self, Py_buffer *view, int flags) {
    wn_tensor *t = wnpy_handle(((Raw *)self)->tensor);
    const void *p;
    view->obj = NULL;
    if (!wn_is_contiguous(t)) return PyErr_SetString(PyExc_BufferError, "the tensor is not contiguous"), -1;
    Export *e = export_new(t, &p);
    if (!e) return -1;
    int st = PyBuffer_FillInfo(view, self, (void *)p, wn_numel(t) * (Py_ssize_t)wn_dtype_size(wn_dtype_of(t)), 0, flags);
    view->internal = e; /* PyBuffer_FillInfo clears it; for writable memory it cannot fail */
    return st;
}
static void raw_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((Raw *)self)->tensor);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}
/* _bytes(tensor) -> a writable memoryview of its bytes */
static PyObject *raw_bytes(PyObject *self, PyObject *o) {
    (void)self;
    if (!wnpy_is_tensor(o) || !wn_is_contiguous(wnpy_handle(o))) return PyErr_Format(PyExc_TypeError, "_bytes(): a contiguous Tensor is needed");
    Raw *raw = (Raw *)((allocfunc)PyType_GetSlot(raw_type, Py_tp_alloc))(raw_type, 0);
    if (!raw) return NULL;
    raw->tensor = Py_NewRef(o);
    PyObject *view = PyMemoryView_FromObject((PyObject *)raw);
    Py_DECREF(raw);
    return view;
}

/* _repr(tensor, prefix) -> its text */
static PyObject *repr(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *o;
    const char *prefix;
    if (!PyArg_ParseTuple(args, "Os", &o, &prefix)) return NULL;
    if (!wnpy_is_tensor(o)) return PyErr_Format(PyExc_TypeError, "_repr(): a Tensor is needed, not %S", (PyObject *)Py_TYPE(o));
    wn_tensor *t = wnpy_handle(o);
    size_t n;
    WNPY_BEGIN_WORK;
    n = wn_repr_as(t, prefix, NULL, 0);
    WNPY_END_WORK;
    if (wn_error()) return wnpy_raise();
    char *text = PyMem_Malloc(n + 1);
    if (!text) return PyErr_NoMemory();
    wn_repr_as(t, prefix, text, n + 1);
    PyObject *r = PyUnicode_FromStringAndSize(text, (Py_ssize_t)n);
    PyMem_Free(text);
    return r;
}

static PyMethodDef functions[] = {{"_tensor", from_numbers, METH_VARARGS, "_tensor(data, dtype) of numbers and nested sequences"},
                                     {"_from_buffer", from_buffer, METH_O, "_from_buffer(object) -> (tensor on its memory, read-only?)"},
                                     {"_bytes", raw_bytes, METH_O, "_bytes(tensor) -> a writable memoryview of its bytes, for any dtype"},
                                     {"_repr", repr, METH_VARARGS, NULL},
                                     {NULL, NULL, 0, NULL}};

bool wnpy_data_init(PyObject *module) {
    static PyType_Slot slots[] = {{Py_tp_dealloc, owner_dealloc}, {0, NULL}};
    static PyType_Spec spec = {"torch._BufferOwner", sizeof(Owner), 0, Py_TPFLAGS_DEFAULT, slots};
    owner_type = (PyTypeObject *)PyType_FromSpec(&spec);
    static PyType_Slot raw_slots[] = {{Py_tp_dealloc, raw_dealloc}, {Py_bf_getbuffer, raw_getbuffer}, {Py_bf_releasebuffer, wnpy_releasebuffer}, {0, NULL}};
    static PyType_Spec raw_spec = {"torch._Bytes", sizeof(Raw), 0, Py_TPFLAGS_DEFAULT, raw_slots};
    raw_type = (PyTypeObject *)PyType_FromSpec(&raw_spec);
    return owner_type && raw_type && PyModule_AddFunctions(module, functions) == 0;
}
