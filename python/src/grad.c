/* Autograd for Python: backward, grad, hooks on tensors.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "wnpy.h"
#include "../../src/grad/front.h"

/* A tuple of tensors (or None, if allowed: NULL) as an array; free it with PyMem_Free. */
static wn_tensor **handles(PyObject *tuple, bool none, int64_t *n, const char *what) {
    if (!PyTuple_Check(tuple)) return PyErr_Format(PyExc_TypeError, "%s must be a tuple of Tensors", what), NULL;
    *n = PyTuple_Size(tuple);
    wn_tensor **v = PyMem_Calloc((size_t)*n + 1, sizeof *v);
    if (!v) return PyErr_NoMemory(), NULL;
    for (int64_t i = 0; i < *n; i++) {
        PyObject *o = PyTuple_GetItem(tuple, i);
        if (none && o == Py_None) continue;
        if (!wnpy_is_tensor(o)) {
            PyErr_Format(PyExc_TypeError, "element %lld of %s is no Tensor but %S", (long long)i, what, (PyObject *)Py_TYPE(o));
            PyMem_Free(v);
            return NULL;
        }
        v[i] = wnpy_handle(o);
    }
    return v;
}

/* ------------------------------------------------------------------ which backward runs */

typedef struct GraphTask {
    long long number;
    bool keeps, plain; /* keeps: the graph stays; plain: it fills .grad of all leaves and nothing else */
    const struct GraphTask *outer;
} GraphTask;
static __thread const GraphTask *running_task __attribute__((tls_model("initial-exec"))); /* the thread's innermost one */
static _Atomic long long tasks;

/* Makes t the running task; it ends when running_task becomes t's outer one. */
static void begin_task(GraphTask *t, bool keeps, bool plain) {
    *t = (GraphTask){atomic_fetch_add_explicit(&tasks, 1, memory_order_relaxed), keeps, plain, running_task};
    running_task = t;
}

static PyObject *graph_task(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    const GraphTask *t = running_task;
    if (!t) Py_RETURN_NONE;
    return Py_BuildValue("(LOO)", t->number, t->keeps ? Py_True : Py_False, t->plain ? Py_True : Py_False);
}

/* ------------------------------------------------------------------ backward and grad */

static PyObject *backward(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *tensors, *grads, *inputs;
    int retain, create;
    if (!PyArg_ParseTuple(args, "OOppO", &tensors, &grads, &retain, &create, &inputs)) return NULL;
    int64_t n, m, k = 0;
    wn_tensor **t = handles(tensors, false, &n, "tensors"), **g = t ? handles(grads, true, &m, "grad_tensors") : NULL, **in = NULL;
    PyObject *result = NULL;
    if (!g || (inputs != Py_None && !(in = handles(inputs, false, &k, "inputs")))) goto done;
    if (m != n) {
        PyErr_Format(PyExc_RuntimeError, "got %lld tensors and %lld gradients", (long long)n, (long long)m);
        goto done;
    }
    GraphTask task;
    begin_task(&task, retain || create, in == NULL);
    wn_backward_all_args a = {.size_ = sizeof a, .roots = {.n = n, .v = t}, .gradients = {.n = m, .v = g}, .inputs = {.n = k, .v = in}, .retain_graph = retain, .create_graph = create};
    wn_status st;
    wnpy_here();
    WNPY_BEGIN_WORK;
    st = wn_backward_all_x(&a);
    WNPY_END_WORK;
    running_task = task.outer;
    wnpy_drain_if_any();
    if (wnpy_warn_if_any(st != WN_OK)) result = st ? wnpy_raise() : Py_NewRef(Py_None);
done:
    PyMem_Free(t);
    PyMem_Free(g);
    PyMem_Free(in);
    return result;
}

static PyObject *grad(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *outputs, *inputs, *grads;
    int retain, create, unused;
    if (!PyArg_ParseTuple(args, "OOOppp", &outputs, &inputs, &grads, &retain, &create, &unused)) return NULL;
    int64_t n, m, k;
    wn_tensor **out = handles(outputs, false, &n, "outputs"), **in = out ? handles(inputs, false, &k, "inputs") : NULL;
    wn_tensor **g = in ? handles(grads, true, &m, "grad_outputs") : NULL;
    PyObject *result = NULL;
    if (g) {
        wn_scope s = wn_begin();
        GraphTask task;
        begin_task(&task, retain || create, false);
        wn_grad_args a = {.size_ = sizeof a, .outputs = {.n = n, .v = out}, .inputs = {.n = k, .v = in}, .gradients = {.n = m, .v = g}, .retain_graph = retain, .create_graph = create, .allow_unused = unused};
        wn_list r;
        wnpy_here();
        WNPY_BEGIN_WORK;
        r = wn_grad_x(&a);
        WNPY_END_WORK;
        running_task = task.outer;
        if (wnpy_warn_if_any(!r.n)) result = r.n ? wnpy_wrap_list(r.v, r.n) : wnpy_raise();
        wn_end(&s);
        wnpy_drain_if_any();
    }
    PyMem_Free(out);
    PyMem_Free(in);
    PyMem_Free(g);
    return result;
}

/* ------------------------------------------------------------------ hooks: called by the engine without the GIL */

/* Lends o's handle to the innermost scope, which is the engine's. */
static wn_tensor *lend(PyObject *o) {
    wn_scope s = wn_begin();
    return wn_leave(&s, wnpy_handle(o));
}

static wn_status failed(const char *what) { /* an exception is set */
    wnpy_keep_exception();
    return wn_raise(WN_E_RUNTIME, what, "an exception in Python");
}

static wn_tensor *call_hook(void *ctx, wn_tensor *g) {
    const WnpyGil gil = wnpy_ensure();
    PyObject *grad = wnpy_wrap_borrowed(g), *r = grad ? wnpy_call1(ctx, grad) : NULL;
    wn_tensor *result = NULL;
    if (r && wnpy_is_tensor(r)) result = lend(r);
    else if (r && r != Py_None) PyErr_Format(PyExc_TypeError, "expected Variable, but hook returned '%S'", (PyObject *)Py_TYPE(r));
    if (PyErr_Occurred()) failed("hook");
    Py_XDECREF(r);
    Py_XDECREF(grad);
    wnpy_let_go(gil);
    return result;
}

static wn_status call_leaf_hook(void *ctx, wn_tensor *leaf) {
    const WnpyGil gil = wnpy_ensure();
    PyObject *t = wnpy_wrap_borrowed(leaf), *r = t ? wnpy_call1(ctx, t) : NULL;
    if (r && r != Py_None) PyErr_SetString(PyExc_RuntimeError, "Tensor post accumulate grad hooks should return None.");
    wn_status st = PyErr_Occurred() ? failed("hook") : WN_OK;
    Py_XDECREF(r);
    Py_XDECREF(t);
    wnpy_let_go(gil);
    return st;
}

/* Puts what a node hook returned (a tuple, a tensor or None) into replace. */
static wn_status take(PyObject *r, wn_list old, wn_tensor **replace) {
    if (r == Py_None) return WN_OK;
    PyObject *tuple = PyTuple_Check(r) ? Py_NewRef(r) : PyTuple_Pack(1, r);
    if (tuple && PyTuple_Size(tuple) != old.n)
        PyErr_Format(PyExc_RuntimeError, "hook has returned an incorrect number of values (got %zd, but expected %lld)", PyTuple_Size(tuple), (long long)old.n);
    for (int64_t i = 0; tuple && !PyErr_Occurred() && i < old.n; i++) {
        PyObject *o = PyTuple_GetItem(tuple, i);
        if (o == Py_None) replace[i] = NULL;
        else if (wnpy_is_tensor(o)) replace[i] = lend(o);
        else PyErr_Format(PyExc_TypeError, "expected Variable, but hook returned '%S'", (PyObject *)Py_TYPE(o));
    }
    Py_XDECREF(tuple);
    return PyErr_Occurred() ? failed("hook") : WN_OK;
}

static wn_status call_node_hook(void *ctx, wn_list grad_inputs, wn_list grad_outputs, wn_tensor **replace) {
    const WnpyGil gil = wnpy_ensure();
    PyObject *in = wnpy_wrap_list(grad_inputs.v, grad_inputs.n), *out = in ? wnpy_wrap_list(grad_outputs.v, grad_outputs.n) : NULL;
    PyObject *r = out ? PyObject_CallFunctionObjArgs(ctx, in, out, NULL) : NULL;
    wn_status st = r ? take(r, grad_inputs, replace) : failed("hook");
    Py_XDECREF(r);
    Py_XDECREF(in);
    Py_XDECREF(out);
    wnpy_let_go(gil);
    return st;
}
static wn_status call_node_prehook(void *ctx, wn_list grad_outputs, wn_tensor **replace) {
    const WnpyGil gil = wnpy_ensure();
    PyObject *out = wnpy_wrap_list(grad_outputs.v, grad_outputs.n), *r = out ? wnpy_call1(ctx, out) : NULL;
    wn_status st = r ? take(r, grad_outputs, replace) : failed("hook");
    Py_XDECREF(r);
    Py_XDECREF(out);
    wnpy_let_go(gil);
    return st;
}

/* _may_change(tensor, name): the error that an unrecorded in-place operation of that name would have */
static PyObject *may_change(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *t;
    const char *name;
    if (!PyArg_ParseTuple(args, "O!s", wnpy_Tensor, &t, &name)) return NULL;
    if (wn__may_change(name, wnpy_handle(t))) return wnpy_raise();
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ what is noted of new nodes */

static PyObject *noter; /* called with each new node's number; its result is hooked onto the node and lives as long */

static void node_made(wn_node *n) {
    const WnpyGil gil = wnpy_ensure();
    PyObject *f = Py_XNewRef(noter), *note = f ? PyObject_CallFunction(f, "K", (unsigned long long)wn_node_sequence(n)) : NULL;
    if (note && !wn_node_register_prehook(n, call_node_prehook, note, wnpy_decref_later)) {
        Py_DECREF(note);
        wnpy_raise();
    }
    if (PyErr_Occurred()) PyErr_WriteUnraisable(f); /* it must not make the operation fail */
    Py_XDECREF(f);
    wnpy_let_go(gil);
}

/* _note_nodes(f): f becomes noter; None: no more notes */
static PyObject *note_nodes(PyObject *self, PyObject *f) {
    (void)self;
    PyObject *before = noter;
    noter = f == Py_None ? NULL : Py_NewRef(f);
    wn__show_nodes(noter ? node_made : NULL);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

/* A leaf's hook often refers to the leaf, a cycle that Python's collector must see. So the leaf's Python object owns
 * the function (by a Keeper in its __dict__). The engine's hook has a Slot, which the Keeper empties at its end. */
typedef struct Slot {
    PyObject *f; /* not owned */
    int refs;    /* the engine's and the keeper's; changed with the GIL, or by the engine at the end */
} Slot;
typedef struct Keeper {
    PyObject_HEAD
    PyObject *f;
    Slot *slot;
} Keeper;
static PyTypeObject *keeper_type;

static void slot_drop(void *p) {
    Slot *s = p;
    if (__atomic_sub_fetch(&s->refs, 1, __ATOMIC_ACQ_REL) == 0) free(s);
}
static int keeper_clear(PyObject *self) {
    Keeper *k = (Keeper *)self;
    if (k->slot) {
        k->slot->f = NULL;
        slot_drop(k->slot);
        k->slot = NULL;
    }
    Py_CLEAR(k->f);
    return 0;
}
static int keeper_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(((Keeper *)self)->f);
    Py_VISIT(Py_TYPE(self));
    return 0;
}
static void keeper_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    keeper_clear(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}
static wn_tensor *call_slot(void *ctx, wn_tensor *g) {
    const WnpyGil gil = wnpy_ensure();
    PyObject *f = ((Slot *)ctx)->f;
    Py_XINCREF(f);
    wn_tensor *r = f ? call_hook(f, g) : NULL;
    Py_XDECREF(f);
    wnpy_let_go(gil);
    return r;
}

/* Registers f on a leaf and puts its Keeper into t.__dict__["_backward_hooks"][id]. */
static PyObject *register_on_leaf(PyObject *t, PyObject *f) {
    PyObject *dict = PyObject_GenericGetDict(t, NULL), *hooks = dict ? PyDict_GetItemString(dict, "_backward_hooks") : NULL, *id = NULL;
    Keeper *k = dict ? (Keeper *)((allocfunc)PyType_GetSlot(keeper_type, Py_tp_alloc))(keeper_type, 0) : NULL;
    Slot *s = k ? malloc(sizeof *s) : NULL;
    if (s) {
        *s = (Slot){f, 1};
        int64_t n = wn_register_hook_owned(wnpy_handle(t), call_slot, s, slot_drop);
        id = n ? PyLong_FromLongLong(n) : (free(s), wnpy_raise());
    }
    if (id) {
        s->refs++;
        k->slot = s;
        k->f = Py_NewRef(f);
        if (!hooks || !PyDict_Check(hooks)) {
            hooks = PyDict_New();
            if (!hooks || PyDict_SetItemString(dict, "_backward_hooks", hooks)) Py_CLEAR(id);
            Py_XDECREF(hooks);
        }
        if (id && PyDict_SetItem(hooks, id, (PyObject *)k)) Py_CLEAR(id);
    }
    Py_XDECREF((PyObject *)k);
    Py_XDECREF(dict);
    return id;
}

/* Returns the id of a hook that now owns f, or drops f if id is 0. */
static PyObject *registered(int64_t id, PyObject *f) {
    if (id) return PyLong_FromLongLong(id);
    Py_DECREF(f);
    return wnpy_raise();
}
static PyObject *register_hook(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *t, *f;
    if (!PyArg_ParseTuple(args, "O!O", wnpy_Tensor, &t, &f)) return NULL;
    if (wn_is_leaf(wnpy_handle(t)) && wn_needs_grad(wnpy_handle(t))) return register_on_leaf(t, f);
    return registered(wn_register_hook_owned(wnpy_handle(t), call_hook, Py_NewRef(f), wnpy_decref_later), f);
}
static PyObject *register_post_hook(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *t, *f;
    if (!PyArg_ParseTuple(args, "O!O", wnpy_Tensor, &t, &f)) return NULL;
    return registered(wn_register_accumulate_hook(wnpy_handle(t), call_leaf_hook, Py_NewRef(f), wnpy_decref_later), f);
}
/* _accumulate_hook(leaf, f, pre) */
static PyObject *accumulate_hook(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *t, *f;
    int pre;
    if (!PyArg_ParseTuple(args, "O!Op", wnpy_Tensor, &t, &f, &pre)) return NULL;
    wn_tensor *leaf = wnpy_handle(t);
    Py_INCREF(f);
    return registered(pre ? wn__accumulate_register_prehook(leaf, call_hook, f, wnpy_decref_later)
                          : wn__accumulate_register_hook(leaf, call_leaf_hook, f, wnpy_decref_later), f);
}
static PyObject *remove_hook(PyObject *self, PyObject *args) { /* from whatever has it; the object is ignored */
    (void)self;
    PyObject *o;
    long long id;
    if (!PyArg_ParseTuple(args, "OL", &o, &id)) return NULL;
    wn_remove_hook(NULL, id);
    if (wnpy_is_tensor(o)) {
        PyObject *dict = PyObject_GenericGetDict(o, NULL), *hooks = dict ? PyDict_GetItemString(dict, "_backward_hooks") : NULL, *key = PyLong_FromLongLong(id);
        if (key && hooks && PyDict_Check(hooks) && PyDict_GetItemWithError(hooks, key) && PyDict_DelItem(hooks, key)) PyErr_Clear();
        Py_XDECREF(key);
        Py_XDECREF(dict);
    }
    wnpy_drain_if_any();
    Py_RETURN_NONE;
}
static PyObject *node_register_hook(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *o, *f;
    int pre;
    if (!PyArg_ParseTuple(args, "OOp", &o, &f, &pre)) return NULL;
    wn_node *n = wnpy_node(o);
    if (!n) return NULL;
    Py_INCREF(f);
    return registered(pre ? wn_node_register_prehook(n, call_node_prehook, f, wnpy_decref_later) : wn_node_register_hook(n, call_node_hook, f, wnpy_decref_later), f);
}

/* ------------------------------------------------------------------ memory and history */

static PyObject *storage(PyObject *self, PyObject *o) { /* -> (address, bytes) of the whole storage */
    (void)self;
    if (!wnpy_is_tensor(o)) return PyErr_Format(PyExc_TypeError, "a Tensor is needed, not %S", (PyObject *)Py_TYPE(o));
    const void *p = wn_storage_data(wnpy_handle(o));
    if (wn_error()) return wnpy_raise();
    return Py_BuildValue("(Nn)", PyLong_FromVoidPtr((void *)p), (Py_ssize_t)wn_storage_bytes(wnpy_handle(o)));
}

bool wnpy_grad_init(PyObject *module) {
    static PyMethodDef functions[] = {{"_backward", backward, METH_VARARGS, NULL},
                                      {"_grad", grad, METH_VARARGS, NULL},
                                      {"_register_hook", register_hook, METH_VARARGS, NULL},
                                      {"_register_post_hook", register_post_hook, METH_VARARGS, NULL},
                                      {"_accumulate_hook", accumulate_hook, METH_VARARGS, NULL},
                                      {"_graph_task", graph_task, METH_NOARGS, "(number, keeps the graph, only accumulates) of the backward that runs here; None."},
                                      {"_remove_hook", remove_hook, METH_VARARGS, NULL},
                                      {"_node_register_hook", node_register_hook, METH_VARARGS, NULL},
                                      {"_note_nodes", note_nodes, METH_O, NULL},
                                      {"_may_change", may_change, METH_VARARGS, NULL},
                                      {"_node_remove_hook", remove_hook, METH_VARARGS, NULL},
                                      {"_storage", storage, METH_O, NULL},
                                      {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {{Py_tp_dealloc, keeper_dealloc}, {Py_tp_traverse, keeper_traverse}, {Py_tp_clear, keeper_clear}, {0, NULL}};
    static PyType_Spec spec = {"torch._HookKeeper", sizeof(Keeper), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
    keeper_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return keeper_type && PyModule_AddFunctions(module, functions) == 0;
}
