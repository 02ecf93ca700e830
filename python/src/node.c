/* Nodes of the graph (grad_fn), and the recording of functions written in Python.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include "wnpy.h"
#include "../../src/grad/front.h"
#include <structmember.h>

typedef struct NodeObject {
    PyObject_HEAD
    wn_node *node;   /* owned; NULL: the node that accumulates into a leaf */
    PyObject *leaf;
    PyObject *dict, *weak;
} NodeObject;
static PyTypeObject *node_type;
static PyObject *types; /* name -> subclass of Node: type(y.grad_fn).__name__ is "AddBackward0" */
static PyObject *alive; /* address -> weak reference: `y.grad_fn is y.grad_fn` */

wn_node *wnpy_node(PyObject *o) {
    if (!PyObject_TypeCheck(o, node_type)) return PyErr_Format(PyExc_TypeError, "a node of the graph is needed, not %S", (PyObject *)Py_TYPE(o)), NULL;
    if (!((NodeObject *)o)->node) return PyErr_Format(PyExc_RuntimeError, "AccumulateGrad takes no hooks: register them on the tensor"), NULL;
    return ((NodeObject *)o)->node;
}

static PyTypeObject *type_of(const wn_node *n) {
    char text[128] = "AccumulateGrad";
    if (n) wn_node_name(n, text, sizeof text);
    PyObject *known = PyDict_GetItemString(types, text);
    if (known) return (PyTypeObject *)known;
    PyObject *t = PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){s:s,s:()}", text, (PyObject *)node_type, "__module__", "torch.autograd", "__slots__");
    if (t) PyDict_SetItemString(types, text, t);
    Py_XDECREF(t); /* the dictionary keeps it */
    return (PyTypeObject *)t;
}

static PyObject *new_node(wn_node *owned, wn_tensor *leaf) {
    PyObject *key = PyLong_FromVoidPtr(owned ? (void *)owned : (void *)leaf);
    PyObject *ref = key ? PyDict_GetItemWithError(alive, key) : NULL;
    NodeObject *o = ref ? (NodeObject *)PyObject_CallNoArgs(ref) : NULL;
    if (o && (PyObject *)o != Py_None) {
        Py_DECREF(key);
        wn_node_drop(owned);
        return (PyObject *)o;
    }
    Py_XDECREF((PyObject *)o);
    PyTypeObject *type = key ? type_of(owned) : NULL;
    o = type ? (NodeObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0) : NULL;
    if (!o) {
        Py_XDECREF(key);
        wn_node_drop(owned);
        return NULL;
    }
    o->node = owned;
    if (leaf) o->leaf = wnpy_wrap_borrowed(leaf);
    ref = PyWeakref_NewRef((PyObject *)o, NULL);
    if (!ref || PyDict_SetItem(alive, key, ref)) Py_CLEAR(o);
    Py_XDECREF(ref);
    Py_DECREF(key);
    return (PyObject *)o;
}

static void node_dealloc(PyObject *self) {
    NodeObject *o = (NodeObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (o->weak) PyObject_ClearWeakRefs(self);
    PyObject *key = PyLong_FromVoidPtr(o->node ? (void *)o->node : o->leaf ? (void *)wnpy_handle(o->leaf) : NULL);
    if (key && PyDict_GetItemWithError(alive, key) && PyDict_DelItem(alive, key)) PyErr_Clear();
    Py_XDECREF(key);
    Py_CLEAR(o->dict);
    Py_CLEAR(o->leaf);
    wn_node_drop(o->node);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
    wnpy_drain_if_any();
}
static int node_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(((NodeObject *)self)->dict);
    Py_VISIT(((NodeObject *)self)->leaf);
    Py_VISIT(Py_TYPE(self));
    return 0;
}
static int node_clear(PyObject *self) {
    Py_CLEAR(((NodeObject *)self)->dict);
    return 0;
}

PyObject *wnpy_get_grad_fn(PyObject *tensor, void *unused) {
    (void)unused;
    wn_node *n = wn_node_of(wnpy_handle(tensor));
    if (n) return new_node(n, NULL);
    if (wn_error()) return wnpy_raise();
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ what a node tells */

static PyObject *name(PyObject *self, PyObject *unused) {
    (void)unused;
    NodeObject *o = (NodeObject *)self;
    if (!o->node) return PyUnicode_FromString("torch::autograd::AccumulateGrad");
    char text[128];
    wn_node_name(o->node, text, sizeof text);
    return PyUnicode_FromString(text);
}
static PyObject *repr(PyObject *self) {
    char text[128] = "AccumulateGrad";
    if (((NodeObject *)self)->node) wn_node_name(((NodeObject *)self)->node, text, sizeof text);
    return PyUnicode_FromFormat("<%s object at %p>", text, (void *)self);
}
static PyObject *next_functions(PyObject *self, void *unused) {
    (void)unused;
    wn_node *n = ((NodeObject *)self)->node;
    int count = n ? wn_node_inputs(n) : 0;
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        wn_edge e = wn_node_input(n, i);
        PyObject *next = e.node || e.leaf ? new_node(e.node ? wn_node_keep(e.node) : NULL, e.leaf) : Py_NewRef(Py_None);
        PyObject *pair = next ? Py_BuildValue("(Ni)", next, e.output) : NULL;
        if (!pair || PyTuple_SetItem(tuple, i, pair)) Py_CLEAR(tuple);
    }
    return tuple;
}
/* _saved(name) -> what the node has saved under that name, or None */
static PyObject *saved(PyObject *self, PyObject *name_of) {
    wn_node *n = ((NodeObject *)self)->node;
    const char *text = PyUnicode_AsUTF8AndSize(name_of, NULL);
    if (!text) return NULL;
    const int slot = wn__node_saved_slot(n, text);
    if (slot < 0) return PyErr_SetObject(PyExc_KeyError, name_of), NULL;
    wn_scope s = wn_begin();
    const int64_t errors = wn_error_count();
    wn_tensor *t = wn__node_saved(n, slot);
    PyObject *r = t ? wnpy_wrap_borrowed(t) : wn_error_count() != errors ? wnpy_raise() : Py_NewRef(Py_None);
    wn_end(&s);
    return r;
}
static PyObject *sequence(PyObject *self, PyObject *unused) {
    (void)unused;
    wn_node *n = ((NodeObject *)self)->node;
    return PyLong_FromUnsignedLongLong(n ? wn_node_sequence(n) : UINT64_MAX);
}
static PyObject *variable(PyObject *self, void *unused) {
    (void)unused;
    if (((NodeObject *)self)->leaf) return Py_NewRef(((NodeObject *)self)->leaf);
    PyErr_SetString(PyExc_AttributeError, "only AccumulateGrad has a variable");
    return NULL;
}

/* ------------------------------------------------------------------ functions of Python's: one object for a recorded call */

typedef struct Recorded {
    PyObject *ctx, *backward, *release;
} Recorded;

static wn_status run_backward(void *c, wn_list gout, wn_tensor **gin) {
    Recorded *r = c;
    const WnpyGil gil = wnpy_ensure();
    PyObject *args = wnpy_wrap_list(gout.v, gout.n), *result = args ? PyObject_CallObject(r->backward, args) : NULL;
    if (result && !PyTuple_Check(result)) PyErr_Format(PyExc_TypeError, "backward must return a tuple");
    for (Py_ssize_t i = 0; result && !PyErr_Occurred() && i < PyTuple_Size(result); i++) {
        PyObject *o = PyTuple_GetItem(result, i);
        wn_scope s = wn_begin();
        gin[i] = o == Py_None ? (wn_end(&s), NULL) : wn_leave(&s, wnpy_handle(o));
    }
    wn_status st = WN_OK;
    if (PyErr_Occurred()) {
        wnpy_keep_exception();
        st = wn_raise(WN_E_RUNTIME, "backward", "an exception in Python");
    }
    Py_XDECREF(result);
    Py_XDECREF(args);
    wnpy_let_go(gil);
    return st;
}
static void run_release(void *c) {
    Recorded *r = c;
    const WnpyGil gil = wnpy_ensure();
    PyObject *v = PyObject_CallNoArgs(r->release);
    if (!v) PyErr_WriteUnraisable(r->release);
    Py_XDECREF(v);
    wnpy_let_go(gil);
}
static void recorded_free(void *c) { /* called on any thread, without the GIL */
    Recorded *r = c;
    if (r->ctx) wnpy_decref_later(r->ctx);
    if (r->backward) wnpy_decref_later(r->backward);
    if (r->release) wnpy_decref_later(r->release);
    free(r);
}

static wn_tensor **handles(PyObject *tuple, int64_t *n) {
    *n = PyTuple_Size(tuple);
    wn_tensor **v = PyMem_Calloc((size_t)*n + 1, sizeof *v);
    for (int64_t i = 0; v && i < *n; i++)
        if (wnpy_is_tensor(PyTuple_GetItem(tuple, i))) v[i] = wnpy_handle(PyTuple_GetItem(tuple, i));
    if (!v) PyErr_NoMemory();
    return v;
}
static bool *flags(PyObject *tuple, int64_t n) {
    bool *v = PyMem_Calloc((size_t)n + 1, sizeof *v);
    for (Py_ssize_t i = 0; v && i < PyTuple_Size(tuple); i++) {
        long k = PyLong_AsLong(PyTuple_GetItem(tuple, i));
        if (k >= 0 && k < n) v[k] = true;
    }
    if (!v) PyErr_NoMemory();
    return v;
}

/* _record(name, inputs, outputs, ctx, backward, release, non_differentiable, dirty) */
static PyObject *record(PyObject *self, PyObject *args) {
    (void)self;
    const char *what;
    PyObject *inputs, *outputs, *ctx, *backward, *release, *fixed, *dirty;
    if (!PyArg_ParseTuple(args, "sO!O!OOOO!O!", &what, &PyTuple_Type, &inputs, &PyTuple_Type, &outputs, &ctx, &backward, &release, &PyTuple_Type, &fixed,
                          &PyTuple_Type, &dirty))
        return NULL;
    int64_t nin, nout;
    wn_tensor **in = handles(inputs, &nin), **out = handles(outputs, &nout);
    bool *f = out ? flags(fixed, nout) : NULL, *d = out ? flags(dirty, nout) : NULL;
    Recorded *r = calloc(1, sizeof *r);
    PyObject *result = NULL;
    if (in && f && d && r) {
        *r = (Recorded){Py_NewRef(ctx), Py_NewRef(backward), release == Py_None ? NULL : Py_NewRef(release)};
        wn_record_args a = {.size_ = sizeof a, .name = what, .inputs = {.n = nin, .v = in}, .outputs = {.n = nout, .v = out}, .ctx = r, .backward = run_backward,
                            .release = r->release ? run_release : NULL, .free = recorded_free, .non_differentiable = f, .dirty = d};
        if (wn_record_x(&a)) {
            recorded_free(r);
            wnpy_raise();
        } else {
            result = Py_NewRef(Py_None);
        }
        wnpy_drain_if_any();
    } else {
        free(r);
    }
    PyMem_Free(in);
    PyMem_Free(out);
    PyMem_Free(f);
    PyMem_Free(d);
    return result;
}
static PyObject *get_ctx(PyObject *self, void *unused) {
    (void)unused;
    wn_node *n = ((NodeObject *)self)->node;
    Recorded *r = n ? wn_node_ctx(n, run_backward) : NULL;
    return Py_NewRef(r ? r->ctx : Py_None);
}

/* _reattach(tensor, node, output) -> an alias that has that result's history */
static PyObject *reattach(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *t, *o;
    int output;
    if (!PyArg_ParseTuple(args, "O!Oi", wnpy_Tensor, &t, &o, &output)) return NULL;
    wn_node *n = wnpy_node(o);
    if (!n) return NULL;
    wn_scope s = wn_begin();
    wn_tensor *r = wn_reattach(wnpy_handle(t), n, output);
    PyObject *result = wn_ok(r) ? wnpy_wrap_borrowed(r) : wnpy_raise();
    wn_end(&s);
    return result;
}

bool wnpy_node_init(PyObject *module) {
    static PyMethodDef methods[] = {{"name", name, METH_NOARGS, "The operation's name, as torch prints it."},
                                    {"_saved", saved, METH_O, "What it keeps for its backward: a tensor argument by its name, or \"result\"."},
                                    {"_sequence_nr", sequence, METH_NOARGS, "Order of recording."},
                                    {NULL, NULL, 0, NULL}};
    static PyGetSetDef attributes[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
                                       {"next_functions", next_functions, NULL, "((node, number of its result), ...) of the inputs.", NULL},
                                       {"variable", variable, NULL, "The leaf that AccumulateGrad stands for.", NULL},
                                       {"_ctx", get_ctx, NULL, "The context of a Function written in Python; None.", NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};
    static PyMemberDef members[] = {{"__dictoffset__", T_PYSSIZET, offsetof(NodeObject, dict), READONLY, NULL},
                                    {"__weaklistoffset__", T_PYSSIZET, offsetof(NodeObject, weak), READONLY, NULL},
                                    {NULL, 0, 0, 0, NULL}};
    static PyType_Slot slots[] = {{Py_tp_dealloc, node_dealloc}, {Py_tp_traverse, node_traverse}, {Py_tp_clear, node_clear}, {Py_tp_repr, repr},
                                  {Py_tp_methods, methods},      {Py_tp_getset, attributes},      {Py_tp_members, members},
                                  {Py_tp_doc, "An operation in the graph that backward walks: grad_fn of its results."}, {0, NULL}};
    static PyType_Spec spec = {"torch.autograd.graph.Node", sizeof(NodeObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, slots};
    static PyMethodDef functions[] = {{"_record", record, METH_VARARGS, NULL}, {"_reattach", reattach, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
    node_type = (PyTypeObject *)PyType_FromSpec(&spec);
    alive = PyDict_New();
    types = PyDict_New();
    return node_type && alive && types && PyModule_AddFunctions(module, functions) == 0 && PyModule_AddObjectRef(module, "Node", (PyObject *)node_type) == 0;
}
