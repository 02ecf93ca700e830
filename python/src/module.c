/* The module winnow._C.
 * SPDX-License-Identifier: Apache-2.0 */
#include "wnpy.h"
#ifdef __linux__
#include <sched.h>
#endif

/* ------------------------------------------------------------------ modes and settings */

static PyObject *grad_enabled(PyObject *self, PyObject *unused) { return (void)self, (void)unused, PyBool_FromLong(wn_grad_enabled()); }
static PyObject *set_grad_enabled(PyObject *self, PyObject *on) { /* returns the old mode */
    (void)self;
    bool old = wn_grad_enabled();
    int yes = PyObject_IsTrue(on);
    if (yes < 0) return NULL;
    wn_set_grad_enabled(yes);
    return PyBool_FromLong(old);
}
static PyObject *device_of(PyObject *self, PyObject *t) { /* a wn_device */
    (void)self;
    if (!wnpy_is_tensor(t)) return PyErr_Format(PyExc_TypeError, "_device_of(): a Tensor is needed, not %S", (PyObject *)Py_TYPE(t));
    return PyLong_FromLong((long)wn_device_of(wnpy_handle(t)));
}
static PyObject *default_device(PyObject *self, PyObject *unused) { return (void)self, (void)unused, PyLong_FromLong((long)wn_default_device()); }
static PyObject *set_default_device(PyObject *self, PyObject *number) {
    (void)self;
    const long d = PyLong_AsLong(number);
    if (d == -1 && PyErr_Occurred()) return NULL;
    if (wn_set_default_device((wn_device)d)) return wnpy_raise();
    Py_RETURN_NONE;
}
static PyObject *inference_enabled(PyObject *self, PyObject *unused) {
    return (void)self, (void)unused, PyBool_FromLong(wn_inference_enabled());
}
static PyObject *set_inference(PyObject *self, PyObject *on) { /* returns the old mode */
    (void)self;
    bool old = wn_inference_enabled();
    int yes = PyObject_IsTrue(on);
    if (yes < 0) return NULL;
    wn_set_inference_enabled(yes);
    return PyBool_FromLong(old);
}
static PyObject *autocast_state(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    return Py_BuildValue("(OOO)", wn_autocast_enabled() ? Py_True : Py_False, wnpy_dtypes[wn_autocast_dtype()], wn_autocast_cache_enabled() ? Py_True : Py_False);
}
static PyObject *set_autocast(PyObject *self, PyObject *args) { /* (on, dtype, keep converted leaves) */
    (void)self;
    int on, cache;
    PyObject *dtype;
    wn_dtype d;
    if (!PyArg_ParseTuple(args, "pOp", &on, &dtype, &cache)) return NULL;
    int r = wnpy_to_dtype(dtype, &d);
    if (r <= 0) return r < 0 ? NULL : PyErr_Format(PyExc_TypeError, "autocast: dtype must be a torch.dtype, not %S", (PyObject *)Py_TYPE(dtype));
    if (wn_set_autocast(on, d)) return wnpy_raise();
    wn_set_autocast_cache(cache);
    Py_RETURN_NONE;
}
static PyObject *clear_autocast_cache(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    wn_clear_autocast_cache();
    Py_RETURN_NONE;
}
static PyObject *set_num_threads(PyObject *self, PyObject *n) {
    (void)self;
    int64_t v;
    int r = wnpy_to_int(n, &v);
    if (r < 0) return NULL;
    if (!r) return PyErr_Format(PyExc_TypeError, "set_num_threads expects an int, but got %S", (PyObject *)Py_TYPE(n));
    if (v < 1) return PyErr_Format(PyExc_RuntimeError, "set_num_threads expects a positive number of threads, got %lld", (long long)v);
    wn_set_num_threads(v > 256 ? 256 : (int)v);
    Py_RETURN_NONE;
}
static PyObject *num_threads(PyObject *self, PyObject *unused) { return (void)self, (void)unused, PyLong_FromLong(wn_num_threads()); }
static PyObject *default_dtype(PyObject *self, PyObject *unused) {
    return (void)self, (void)unused, Py_NewRef(wnpy_dtypes[wn_default_dtype()]);
}
static PyObject *set_default_dtype(PyObject *self, PyObject *o) {
    (void)self;
    wn_dtype d;
    int r = wnpy_to_dtype(o, &d);
    if (r < 0) return NULL;
    if (!r) return PyErr_Format(PyExc_TypeError, "invalid dtype object: only floating-point types are supported as the default type");
    if (d > WN_BF16) return PyErr_Format(PyExc_TypeError, "only floating-point types are supported as the default type");
    if (wn_set_default_dtype(d)) return wnpy_raise();
    Py_RETURN_NONE;
}
static PyObject *set_defer_from(PyObject *self, PyObject *n) {
    (void)self;
    int64_t v;
    if (wnpy_to_int(n, &v) != 1) return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "set_defer_from expects an int");
    return PyLong_FromLongLong(wn_set_defer_from(v));
}
static PyObject *set_lapack(PyObject *self, PyObject *path) {
    (void)self;
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const wn_status failed = wn_set_lapack(PyBytes_AsString(bytes));
    Py_DECREF(bytes);
    if (failed) return wnpy_raise();
    Py_RETURN_NONE;
}
static PyObject *level(PyObject *self, PyObject *unused) { return (void)self, (void)unused, PyUnicode_FromString(wn_level()); }

/* The processor that the calling thread runs on; -1: unknown. */
static PyObject *processor(PyObject *self, PyObject *unused) {
#ifdef __linux__
    return (void)self, (void)unused, PyLong_FromLong(sched_getcpu());
#else
    return (void)self, (void)unused, PyLong_FromLong(-1);
#endif
}

static PyObject *stats(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    wn_stats s = wn_get_stats();
    return Py_BuildValue("{s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L}", "allocated", s.allocated, "allocated_peak",
                         s.allocated_peak, "reserved", s.reserved, "reserved_peak", s.reserved_peak, "allocations", s.allocations, "frees", s.frees,
                         "system_allocations", s.system_allocations, "handles", s.handles, "storages", s.storages, "elements", s.elements, "programs",
                         s.programs, "instr_elements", s.instr_elements, "skipped", s.skipped, "stored", s.stored, "recomputed", s.recomputed, "dropped",
                         s.dropped, "pending", s.pending, "pinned", s.pinned, "short_pieces", s.short_pieces, "terms_done",
                         s.terms_done, "terms_skipped", s.terms_skipped);
}
/* The names of those rows with WN_KEEPS_ZERO that are functions and methods of torch. */
static PyObject *keeping_zero(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    PyObject *names = PySet_New(NULL);
    for (int i = 0; names && i < wn_op_count(); i++) {
        const wn_op *op = wn_op_at(i);
        if (!(wn_op_traits(op) & WN_KEEPS_ZERO) || (~wn_op_places(op) & (WN_IN_TORCH | WN_IN_TENSOR))) continue;
        PyObject *name = PyUnicode_FromString(wn_op_name(op));
        if (!name || PySet_Add(names, name)) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}
static PyObject *reset_peaks(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    wn_reset_peaks();
    Py_RETURN_NONE;
}
static PyObject *empty_cache(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    wn_empty_cache();
    Py_RETURN_NONE;
}
static PyObject *set_print_options(PyObject *self, PyObject *args) {
    (void)self;
    wn_print_options o = wn_get_print_options();
    long long threshold;
    if (!PyArg_ParseTuple(args, "iLiii", &o.precision, &threshold, &o.edgeitems, &o.linewidth, &o.sci_mode)) return NULL;
    o.threshold = threshold;
    if (wn_set_print_options(&o)) return wnpy_raise();
    Py_RETURN_NONE;
}

#define PLAIN(name, f, text) {name, f, METH_NOARGS, name "($module, /)\n--\n\n" text}
static PyMethodDef functions[] = {PLAIN("is_grad_enabled", grad_enabled, "Are operations recorded?"),
                                  {"_set_grad_enabled", set_grad_enabled, METH_O, NULL},
                                  {"_device_of", device_of, METH_O, NULL},
                                  {"_default_device", default_device, METH_NOARGS, NULL},
                                  {"_set_default_device", set_default_device, METH_O, NULL},
                                  PLAIN("is_inference_mode_enabled", inference_enabled, "Is inference mode on?"),
                                  {"_set_inference", set_inference, METH_O, NULL},
                                  {"_autocast_state", autocast_state, METH_NOARGS, NULL},
                                  {"_set_autocast", set_autocast, METH_VARARGS, NULL},
                                  PLAIN("clear_autocast_cache", clear_autocast_cache, "Forgets the weights that autocast has converted."),
                                  {"set_num_threads", set_num_threads, METH_O, "set_num_threads(n, /)\n--\n\nThreads for one operation."},
                                  PLAIN("get_num_threads", num_threads, "Threads for one operation."),
                                  PLAIN("get_default_dtype", default_dtype, "The dtype of float results where none is given."),
                                  {"set_default_dtype", set_default_dtype, METH_O, "set_default_dtype(d, /)\n--\n\nSets the dtype of float results where none is given."},
                                  {"set_defer_from", set_defer_from, METH_O, "set_defer_from(n, /)\n--\n\nOperations on that many elements are deferred; -1: none. Returns the old value."},
                                  {"_set_lapack", set_lapack, METH_O, "Where LAPACK is: the path of a library."},
                                  {"_level", level, METH_NOARGS, "The instruction set level in use."},
                                  {"_processor", processor, METH_NOARGS, "The processor that this thread runs on at the moment; -1: unknown."},
                                  {"_stats", stats, METH_NOARGS, "Memory and work, as wn_stats."},
                                  {"_keeping_zero", keeping_zero, METH_NOARGS, "Names of torch's functions and methods of one tensor with f(0) = 0."},
                                  {"_reset_peaks", reset_peaks, METH_NOARGS, NULL},
                                  {"_empty_cache", empty_cache, METH_NOARGS, NULL},
                                  {"_set_print_options", set_print_options, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_C", "winnow's engine.", -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__C(void);
PyMODINIT_FUNC PyInit__C(void) {
    PyObject *m = PyModule_Create(&definition);
    if (m && PyModule_AddStringConstant(m, "_version", WN_VERSION)) Py_CLEAR(m);
    if (m && wnpy_gil_init() && wnpy_errors_init(m) && wnpy_convert_init(m) && wnpy_override_init(m) && wnpy_bind_init(m) && wnpy_signatures_init(m) && wnpy_tensor_init(m) &&
        wnpy_call_init(m) && wnpy_index_init(m) && wnpy_data_init(m) && wnpy_files_init(m) && wnpy_dlpack_init(m) && wnpy_random_init(m) && wnpy_optim_init(m) && wnpy_grad_init(m) && wnpy_node_init(m) && wnpy_saved_init(m) && wnpy_report_init(m) && wnpy_events_init(m))
        return m;
    Py_XDECREF(m);
    return NULL;
}
