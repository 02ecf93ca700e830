/* Calling a row from Python: arguments are bound to the first overload that they fit, put into its args struct, and wn_call
 * does the rest. Messages are torch's.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "frame.h"

static void frame_done(Frame *f) {
    for (int i = 0; i < f->nlists; i++) PyMem_Free((void *)f->lists[i]);
    f->nlists = 0;
    Py_CLEAR(f->stand_in);
}

/* ------------------------------------------------------------------ one argument */

static int convert_list(PyObject *o, bool holes, Frame *f, wn_list *out) {
    if (!PyTuple_Check(o) && !PyList_Check(o)) return 0;
    Py_ssize_t n = PySequence_Size(o);
    wn_tensor **v = PyMem_Malloc((size_t)(n ? n : 1) * sizeof *v);
    if (!v || f->nlists == (int)(sizeof f->lists / sizeof *f->lists)) {
        PyMem_Free(v);
        PyErr_NoMemory();
        return -1;
    }
    f->lists[f->nlists++] = v;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_Check(o) ? PyTuple_GetItem(o, i) : PyList_GetItem(o, i);
        if (item == Py_None && holes) v[i] = NULL;
        else if (wnpy_is_tensor(item)) wnpy_count(&f->elements, v[i] = wnpy_handle(item));
        else return 0;
        f->byte_masks += holes && v[i] && wn_dtype_of(v[i]) == WN_U8;
    }
    *out = (wn_list){.n = n, .v = v};
    return 1;
}

static int convert_scalar(const Param *p, PyObject *o, wn_val *v) {
    int r = wnpy_to_number(o, v);
    if (!r && wnpy_is_tensor(o)) {
        wn_tensor *t = wnpy_handle(o);
        if (wn_ndim(t) || wn_needs_grad(t)) return 0;
        r = wnpy_item_number(t, v);
    }
    if (r != 1) return r;
    switch (p->base) {
    case 'i':
        if (v->kind == WN_VAL_BOOL || v->kind == WN_VAL_FLOAT) return 0;
        break;
    case 'f':
        if (v->kind != WN_VAL_FLOAT) *v = wn_val_of_float((double)v->u.i);
        break;
    case 'b':
        if (v->kind != WN_VAL_BOOL) return 0;
        break;
    default: break;
    }
    return 1;
}

static PyObject *device_number; /* registered from Python: the number of a device however it is given */
static int to_device(PyObject *o, wn_device *d) {
    PyObject *r = wnpy_call1(device_number, o);
    if (!r) return -1;
    *d = (wn_device)PyLong_AsLong(r);
    Py_DECREF(r);
    return 1;
}

static int convert(const Param *p, PyObject *o, Frame *f) {
    char *slot = f->args + p->offset;
    wn_val v;
    int r;
    if (o == Py_None && p->optional) return 1;
    switch (p->kind) {
    case WN_K_TENSOR:
        if (!wnpy_is_tensor(o)) return 0;
        wnpy_count(&f->elements, *(wn_tensor **)(void *)slot = wnpy_handle(o));
        return 1;
    case WN_K_VALUE:
        if (wnpy_is_tensor(o)) {
            wn_tensor *t = wnpy_handle(o);
            wnpy_count(&f->elements, t);
            *(wn_val *)(void *)slot = wn_val_of_tensor(t);
            return 1;
        }
        return p->number ? wnpy_to_number(o, (wn_val *)(void *)slot) : 0;
    case WN_K_SCALAR: return convert_scalar(p, o, (wn_val *)(void *)slot);
    case WN_K_TENSORS: return convert_list(o, strstr(p->type, "?[") != NULL, f, (wn_list *)(void *)slot);
    case WN_K_DIMS: return wnpy_to_dims(o, p->single, (wn_dims *)(void *)slot);
    case WN_K_INT: return wnpy_to_int(o, (int64_t *)(void *)slot);
    case WN_K_FLOAT:
        r = convert_scalar(&(Param){.base = 'f'}, o, &v);
        if (r == 1) *(double *)(void *)slot = v.u.f;
        return r;
    case WN_K_BOOL:
    case WN_K_SWITCH:
        if (o != Py_True && o != Py_False) {
            if (PyLong_Check(o) || wnpy_to_number(o, &v) != 1 || v.kind != WN_VAL_BOOL) return 0;
            o = v.u.i ? Py_True : Py_False;
        }
        if (p->kind == WN_K_BOOL) *(bool *)slot = o == Py_True;
        else *(wn_switch *)(void *)slot = o == Py_True ? WN_ON : WN_OFF;
        return 1;
    case WN_K_DTYPE: return o == Py_None ? 1 : wnpy_to_dtype(o, (wn_dtype *)(void *)slot);
    case WN_K_STRING:
        if (!PyUnicode_Check(o)) return 0;
        *(const char **)(void *)slot = PyUnicode_AsUTF8AndSize(o, NULL);
        return *(const char **)(void *)slot ? 1 : -1;
    case WN_K_GENERATOR: return o == Py_None ? 1 : wnpy_to_generator(o, (wn_generator **)(void *)slot);
    case WN_K_DEVICE: return o == Py_None ? 1 : to_device(o, (wn_device *)(void *)slot);
    }
    return 0;
}

/* ------------------------------------------------------------------ arguments that torch has everywhere */

static PyObject *k_out, *k_layout, *k_pin, *k_requires_grad, *k_memory_format, *empty_in_format, *layout_type, *format_type;

static bool is(PyObject *a, PyObject *b) { return a == b || PyUnicode_Compare(a, b) == 0; }

/* 1, or -1 with an exception if the keyword's value is neither None nor of the type. */
static int of_class(PyObject *name, PyObject *value, PyObject *type, const char *word) {
    if (value == Py_None || (PyObject *)Py_TYPE(value) == type) return 1;
    int r = PyObject_IsInstance(value, type);
    if (r) return r;
    PyObject *got = PyType_GetName(Py_TYPE(value));
    PyErr_Format(PyExc_TypeError, "argument '%U' must be %s, not %U", name, word, got);
    Py_XDECREF(got);
    return -1;
}

/* 1: it was such a keyword, and is taken; 0: it was not; -1: exception. */
static int common_argument(const Signature *s, PyObject *name, PyObject *value, Frame *f) {
    if (is(name, k_out)) {
        if (value != Py_None) f->out = value;
        return 1;
    }
    if (!s->creates) {
        if (!is(name, k_memory_format)) return 0;
        f->memory_format = value;
        return of_class(name, value, format_type, "torch.memory_format");
    }
    if (is(name, k_requires_grad)) {
        f->requires_grad = value == Py_True;
        return of_class(name, value, (PyObject *)&PyBool_Type, "bool");
    }
    if (is(name, k_layout)) {
        f->layout = value;
        return of_class(name, value, layout_type, "torch.layout");
    }
    if (is(name, k_pin)) return of_class(name, value, (PyObject *)&PyBool_Type, "bool");
    if (is(name, k_memory_format)) {
        f->memory_format = value;
        return of_class(name, value, format_type, "torch.memory_format");
    }
    return 0;
}

/* ------------------------------------------------------------------ binding */

typedef struct Misfit { /* why the arguments do not fit this signature */
    enum { MISSING, TOO_MANY, UNKNOWN, TWICE, WRONG_TYPE } why;
    int param;            /* index of the parameter, or of the argument */
    PyObject *object;     /* the argument, or the keyword */
} Misfit;

static int keyword_index(const Signature *s, PyObject *name) {
    for (int i = 0; i < s->n; i++)
        if (s->p[i].name == name || s->p[i].alias == name) return i;
    for (int i = 0; i < s->n; i++)
        if (PyUnicode_Compare(s->p[i].name, name) == 0 || (s->p[i].alias && PyUnicode_Compare(s->p[i].alias, name) == 0)) return i;
    return -1;
}

static bool all_ints(PyObject *const *v, Py_ssize_t n) {
    int64_t i;
    for (Py_ssize_t k = 0; k < n; k++)
        if (wnpy_to_int(v[k], &i) != 1) {
            PyErr_Clear();
            return false;
        }
    return true;
}

static bool has_tensor(const Signature *s, const Frame *f) {
    for (int i = 0; i < s->n; i++)
        if (s->p[i].kind == WN_K_VALUE && ((const wn_val *)(const void *)(f->args + s->p[i].offset))->kind == WN_VAL_TENSOR) return true;
    return false;
}

/* 1: f->args is filled; 0: *why says why the arguments do not fit; -1: exception. */
static int bind(const Signature *s, PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, Frame *f, Misfit *why) {
    uint32_t given = 0;
    int first = 0;
    f->elements = 0;
    f->byte_masks = 0;
    f->out = f->memory_format = f->layout = f->stand_in = NULL;
    f->requires_grad = false;
    memset(f->args, 0, s->size);
    *(size_t *)(void *)f->args = s->size;
    if (self) {
        int r = convert(&s->p[0], self, f);
        if (r != 1) return *why = (Misfit){WRONG_TYPE, 0, self}, r;
        first = 1;
        given = 1;
    }
    if (s->loose_dims && (nargs > 1 || (nargs == 1 && !PyTuple_Check(args[0]) && !PyList_Check(args[0]))) && all_ints(args, nargs)) {
        wn_dims *d = (wn_dims *)(void *)(f->args + s->p[first].offset);
        if (nargs > WN_MAX_DIMS) return PyErr_Format(PyExc_RuntimeError, "%zd dimensions: winnow's tensors have at most %d", nargs, WN_MAX_DIMS), -1;
        for (Py_ssize_t i = 0; i < nargs; i++)
            if (wnpy_to_int(args[i], &d->v[i]) < 0) return -1;
        d->n = (int)nargs;
        given |= 1u << first;
    } else {
        if (s->loose_dims && nargs > 1) { /* several sizes, one of which is no int */
            Py_ssize_t i = 0;
            while (i + 1 < nargs && all_ints(args + i, 1)) i++;
            return *why = (Misfit){WRONG_TYPE, first, args[i]}, 0;
        }
        if (nargs + first > s->npos) return *why = (Misfit){TOO_MANY, (int)nargs + first, NULL}, 0;
        for (Py_ssize_t i = 0; i < nargs; i++) {
            int r = convert(&s->p[first + i], args[i], f);
            if (r != 1) return *why = (Misfit){WRONG_TYPE, first + (int)i, args[i]}, r;
            given |= 1u << (first + i);
        }
    }
    Py_ssize_t nkw = kwnames ? PyTuple_Size(kwnames) : 0;
    for (Py_ssize_t k = 0; k < nkw; k++) {
        PyObject *name = PyTuple_GetItem(kwnames, k), *value = args[nargs + k];
        int i = keyword_index(s, name), r;
        if (i < 0) {
            r = common_argument(s, name, value, f);
            if (r != 1) return *why = (Misfit){UNKNOWN, 0, name}, r;
            continue;
        }
        if (given >> i & 1) return *why = (Misfit){TWICE, i, name}, 0;
        r = convert(&s->p[i], value, f);
        if (r != 1) return *why = (Misfit){WRONG_TYPE, i, value}, r;
        given |= 1u << i;
    }
    for (int i = 0; i < s->n; i++)
        if (s->p[i].required && !(given >> i & 1)) return *why = (Misfit){MISSING, i, NULL}, 0;
    if (s->wants_tensor && !self && !has_tensor(s, f)) return *why = (Misfit){WRONG_TYPE, 0, nargs ? args[0] : Py_None}, 0;
    return 1;
}

/* ------------------------------------------------------------------ messages */

/* torch's word for a parameter's type. */
static const char *type_word(const Param *p) {
    switch (p->kind) {
    case WN_K_TENSOR:
    case WN_K_VALUE: return "Tensor";
    case WN_K_TENSORS: return "tuple of Tensors";
    case WN_K_SCALAR: return p->base == 'i' ? "int" : p->base == 'f' ? "float" : p->base == 'b' ? "bool" : "Number";
    case WN_K_DIMS: return "tuple of ints";
    case WN_K_INT: return "int";
    case WN_K_FLOAT: return "float";
    case WN_K_BOOL:
    case WN_K_SWITCH: return "bool";
    case WN_K_DTYPE: return "torch.dtype";
    case WN_K_STRING: return "str";
    case WN_K_GENERATOR: return "torch.Generator";
    case WN_K_DEVICE: return "torch.device";
    }
    return "?";
}

static PyObject *type_name(PyObject *o) { return PyType_GetName(Py_TYPE(o)); }

/* Explains which element of a list does not fit. */
static bool explain_element(const Function *f, const Param *p, const Misfit *w, int first) {
    bool tuple = PyTuple_Check(w->object);
    if ((p->kind != WN_K_DIMS && p->kind != WN_K_TENSORS) || (!tuple && !PyList_Check(w->object))) return false;
    for (Py_ssize_t i = 0; i < (tuple ? PyTuple_Size(w->object) : PyList_Size(w->object)); i++) {
        PyObject *o = tuple ? PyTuple_GetItem(w->object, i) : PyList_GetItem(w->object, i);
        if (p->kind == WN_K_DIMS ? all_ints(&o, 1) : wnpy_is_tensor(o)) continue;
        PyObject *got = type_name(o);
        if (p->kind == WN_K_DIMS)
            PyErr_Format(PyExc_TypeError, "%s(): argument '%U' (position %d) must be tuple of ints, but found element of type %U at pos %zd", f->name, p->name,
                         w->param + 1 - first, got, i);
        else
            PyErr_Format(PyExc_TypeError, "%s(): expected Tensor as element %zd in argument %d, but got %U", f->name, i, w->param - first, got);
        Py_XDECREF(got);
        return true;
    }
    return false;
}

static PyObject *explain_one(const Function *f, const Signature *s, const Misfit *w) {
    int first = f->method ? 1 : 0;
    switch (w->why) {
    case MISSING: {
        int missing = 0;
        PyObject *names = PyUnicode_FromString("");
        for (int i = w->param; i < s->n && names; i++)
            if (s->p[i].required) {
                PyObject *more = PyUnicode_FromFormat(missing++ ? "%U, \"%U\"" : "%U\"%U\"", names, s->p[i].name);
                Py_SETREF(names, more);
            }
        PyErr_Format(PyExc_TypeError, "%s() missing %d required positional arguments: %U", f->name, missing, names);
        Py_XDECREF(names);
        return NULL;
    }
    case TOO_MANY:
        return PyErr_Format(PyExc_TypeError, "%s() takes %d positional argument%s but %d %s given", f->name, s->npos - first,
                            s->npos - first == 1 ? "" : "s", w->param - first, w->param - first == 1 ? "was" : "were");
    case UNKNOWN: return PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", f->name, w->object);
    case TWICE: return PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", f->name, w->object);
    case WRONG_TYPE: break;
    }
    if (explain_element(f, &s->p[w->param], w, first)) return NULL;
    PyObject *got = type_name(w->object);
    PyErr_Format(PyExc_TypeError, "%s(): argument '%U' (position %d) must be %s, not %U", f->name, s->p[w->param].name, w->param + 1 - first,
                 type_word(&s->p[w->param]), got);
    Py_XDECREF(got);
    return NULL;
}

static PyObject *explain(const Function *f, const Misfit *why, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    if (PyErr_Occurred()) return NULL;
    if (f->n == 1) return explain_one(f, f->sig[0], why);
    PyObject *text = PyUnicode_FromFormat("%s() received an invalid combination of arguments - got (", f->name);
    Py_ssize_t total = nargs + (kwnames ? PyTuple_Size(kwnames) : 0);
    for (Py_ssize_t i = 0; i < total && text; i++) {
        PyObject *got = type_name(args[i]), *more = NULL;
        const char *comma = i ? ", " : "";
        if (i < nargs) more = PyUnicode_FromFormat("%U%s%U", text, comma, got);
        else more = PyUnicode_FromFormat("%U%s%U=%U", text, comma, PyTuple_GetItem(kwnames, i - nargs), got);
        Py_XDECREF(got);
        Py_SETREF(text, more);
    }
    if (text) Py_SETREF(text, PyUnicode_FromFormat("%U), but expected one of:", text));
    for (int i = 0; i < f->n && text; i++) Py_SETREF(text, PyUnicode_FromFormat("%U\n * %s", text, wn_op_signature(f->sig[i]->op)));
    if (text) PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(text);
    return NULL;
}

/* ------------------------------------------------------------------ running */

bool wnpy_run_raw(const wn_op *op, const void *args, bool inplace, int64_t elements, wn_outs *outs) {
    wn_status st;
    wnpy_here();
    if (elements < WNPY_GIL_ELEMENTS) {
        st = inplace ? wn_call_inplace(op, args, outs) : wn_call(op, args, outs);
    } else {
        PyThreadState *save = wnpy_release();
        st = inplace ? wn_call_inplace(op, args, outs) : wn_call(op, args, outs);
        wnpy_regain(save);
        if (!st && wnpy_kept()) { /* a signal's handler has raised during work that can be done later */
            wn_outs_drop(outs);
            wn_clear_interrupt();
            st = WN_E_INTERRUPTED;
        }
    }
    wnpy_drain_if_any();
    if (!wnpy_warn_if_any(st != WN_OK)) {
        wn_outs_drop(outs);
        return false;
    }
    if (st) wnpy_raise();
    return !st;
}

static PyObject *results(wn_outs *outs, int nresults, PyTypeObject *type) {
    if (nresults == 1) return wnpy_wrap(outs->v[0]);
    if (nresults == 0) {
        wn_outs_drop(outs);
        Py_RETURN_NONE;
    }
    PyObject *tuple = nresults > 1 && type ? PyStructSequence_New(type) : NULL;
    if (nresults > 1 && type) {
        for (int i = 0; tuple && i < nresults; i++) PyStructSequence_SetItem(tuple, i, wnpy_wrap_borrowed(outs->v[i]));
        if (PyErr_Occurred()) Py_CLEAR(tuple);
    } else {
        tuple = wnpy_wrap_list(outs->v, outs->n);
    }
    wn_outs_drop(outs);
    return tuple;
}

PyObject *wnpy_run(const wn_op *op, const void *args, bool inplace, int64_t elements) {
    wn_outs outs;
    return wnpy_run_raw(op, args, inplace, elements, &outs) ? results(&outs, wn_op_results(op), NULL) : NULL;
}

static PyObject *apply_format;
static bool begin_grad(wn_tensor *t) { return wnpy_may_require_grad(t) && (wn_ok(wn_requires_grad(t, true)) || wnpy_raise()); }

/* Random numbers follow the result's memory: a factory "like" a tensor gets one laid out as memory_format= says. */
static bool stand_in_of_format(const Signature *s, Frame *f) {
    if (!wn_op_random(s->op) || s->p[0].kind != WN_K_TENSOR) return true;
    wn_tensor **self = (wn_tensor **)(void *)(f->args + s->p[0].offset);
    PyObject *as = wnpy_wrap_borrowed(*self);
    f->stand_in = as ? PyObject_CallFunctionObjArgs(empty_in_format, as, f->memory_format, NULL) : NULL;
    Py_XDECREF(as);
    if (f->stand_in) *self = wnpy_handle(f->stand_in);
    return f->stand_in != NULL;
}

static PyObject *finish(const Function *fn, const Signature *s, Frame *f, PyTypeObject *subclass) {
    wn_outs outs;
    PyObject *out = f->out;
    bool direct = out && s->out_offset && wnpy_is_tensor(out);
    if (f->byte_masks && !wnpy_warn_of_byte_masks(f->byte_masks)) return NULL;
    if (out && !wnpy_out_allowed(fn, s, f)) return NULL;
    if (f->memory_format && !stand_in_of_format(s, f)) return NULL;
    if (direct) *(wn_tensor **)(void *)(f->args + s->out_offset) = wnpy_handle(out);
    else if (s->creates && out && wnpy_is_tensor(out)) wnpy_take_dtype_of_out(s, f);
    if (s->creates)
        for (int i = 0; i < s->n; i++)
            if (s->p[i].kind == WN_K_DIMS) { /* a call without tensors: its work is the size */
                const wn_dims *d = (const wn_dims *)(const void *)(f->args + s->p[i].offset);
                double size = 1;
                for (int k = 0; k < d->n; k++) size *= (double)d->v[k];
                if (size >= WNPY_GIL_ELEMENTS) f->elements = WNPY_GIL_ELEMENTS;
                break;
            }
    const wn_dims before = direct ? wn_shape(wnpy_handle(out)) : WN_0D;
    if (!wnpy_run_raw(s->op, f->args, fn->inplace, f->elements, &outs)) return NULL;
    if (direct && !wnpy_warn_of_new_shape(s, before, wnpy_handle(out))) return wn_outs_drop(&outs), NULL;
    const bool grad_later = f->requires_grad && out && !direct; /* what is stored in out= must not require a gradient */
    if (f->requires_grad && !grad_later && !begin_grad(outs.v[0])) return wn_outs_drop(&outs), NULL;
    PyObject *r = results(&outs, s->nresults, s->result_type);
    if (r && out && !direct) Py_SETREF(r, wnpy_store_out(fn, s, r, out));
    if (r && grad_later && !begin_grad(wnpy_handle(r))) Py_CLEAR(r);
    if (r && f->memory_format && f->memory_format != Py_None) Py_SETREF(r, PyObject_CallFunctionObjArgs(apply_format, r, f->memory_format, NULL));
    return r && subclass ? wnpy_as_subclass(r, subclass) : r;
}

/* wnpy_overridden, with self as an argument like the others. */
static bool asks_method(const Function *fn, PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, PyObject **result,
                        PyTypeObject **subclass) {
    const Py_ssize_t total = nargs + (kwnames ? PyTuple_Size(kwnames) : 0);
    if (!wnpy_modes && wnpy_is_exact(self) && wnpy_plain(args, total)) return false;
    PyObject *few[16], **all = total < 16 ? few : PyMem_Malloc((size_t)(total + 1) * sizeof *all);
    if (!all) {
        *result = PyErr_NoMemory();
        return true;
    }
    all[0] = self;
    if (total) memcpy(all + 1, args, (size_t)total * sizeof *all);
    const bool asked = wnpy_overridden(fn->callable, all, nargs + 1, kwnames, result, subclass);
    if (all != few) PyMem_Free(all);
    return asked;
}

PyObject *wnpy_call(const Function *fn, PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    Frame f;
    f.nlists = 0;
    PyTypeObject *subclass = NULL;
    PyObject *result;
    if (self ? asks_method(fn, self, args, nargs, kwnames, &result, &subclass) : wnpy_overridden(fn->callable, args, nargs, kwnames, &result, &subclass))
        return result;
    Misfit why = {0};
    for (int i = 0; i < fn->n; i++) {
        int r = bind(fn->sig[i], self, args, nargs, kwnames, &f, &why);
        if (r == 1) {
            result = finish(fn, fn->sig[i], &f, subclass);
            frame_done(&f);
            return result;
        }
        frame_done(&f);
        if (r < 0) return NULL;
    }
    const bool known = why.why == TOO_MANY || (why.why == WRONG_TYPE && why.object == Py_None);
    result = known ? wnpy_in_former_order(fn, self, args, nargs, kwnames) : NULL;
    return result ? result : explain(fn, &why, args, nargs, kwnames);
}

/* _register_helpers(device_number, store_out, apply_format, empty_in_format, former_order, layout, memory_format) */
static PyObject *register_helpers(PyObject *self, PyObject *args) {
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOOO", &device_number, &wnpy_store_out_helper, &apply_format, &empty_in_format, &wnpy_former_order, &layout_type, &format_type)) return NULL;
    Py_INCREF(device_number);
    Py_INCREF(wnpy_store_out_helper);
    Py_INCREF(apply_format);
    Py_INCREF(empty_in_format);
    Py_INCREF(wnpy_former_order);
    Py_INCREF(layout_type);
    Py_INCREF(format_type);
    Py_RETURN_NONE;
}

bool wnpy_bind_init(PyObject *module) {
    static PyMethodDef own[] = {{"_register_helpers", register_helpers, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
    k_out = PyUnicode_InternFromString("out");
    k_layout = PyUnicode_InternFromString("layout");
    k_pin = PyUnicode_InternFromString("pin_memory");
    k_requires_grad = PyUnicode_InternFromString("requires_grad");
    k_memory_format = PyUnicode_InternFromString("memory_format");
    for (int i = 0; i < wn_op_count(); i++)
        if (wn_op_args_size(wn_op_at(i)) > ARGS_BYTES) return PyErr_SetString(PyExc_SystemError, "call.c: args struct too large"), false;
    return k_memory_format && PyModule_AddFunctions(module, own) == 0;
}
