/* The Python front: one extension module over the owned layer of winnow.h (wn_call and the operation table).
 *
 * A Python Tensor owns a reference to a handle, and the handle's user slot 0 points back (not owned): so a handle has
 * at most one Python object, and `w.grad is w.grad`. If the Python object would die before the handle and has something
 * to lose (attributes, a subclass), the handle takes it over: slot 1 owns it (tensor.c).
 *
 * All of this runs with the GIL. Large work releases it. Callbacks (hooks, deleters of foreign memory) come without it
 * and must never wait for it inside the engine's locks: those that only release something are queued (later.c).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef WNPY_H
#define WNPY_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#if PY_VERSION_HEX < 0x030B0000
#error "winnow's Python front needs CPython 3.11 or newer"
#endif
#include <stdbool.h>
#include "winnow.h"

/* Functions that the stable ABI lacks. */
static inline PyObject *wnpy_call1(PyObject *f, PyObject *x) { return PyObject_CallFunctionObjArgs(f, x, NULL); }
#define Py_SETREF(to, from) wnpy_setref((PyObject **)&(to), (PyObject *)(from))
#define Py_XSETREF(to, from) Py_SETREF(to, from)
static inline void wnpy_setref(PyObject **to, PyObject *from) { /* `from` may read *to: as an argument it is evaluated first */
    PyObject *old = *to;
    *to = from;
    Py_XDECREF(old);
}

typedef struct TensorObject {
    PyObject_HEAD
    wn_tensor *t;  /* owned; NULL only if the handle owned the object and was freed first */
    PyObject *dict;
    PyObject *weak;
} TensorObject;

extern PyTypeObject *wnpy_Tensor; /* the class Tensor */
static inline bool wnpy_is_exact(PyObject *o) { return Py_IS_TYPE(o, wnpy_Tensor); }
static inline bool wnpy_is_tensor(PyObject *o) { return wnpy_is_exact(o) || PyType_IsSubtype(Py_TYPE(o), wnpy_Tensor); }
static inline wn_tensor *wnpy_handle(PyObject *o) { return ((TensorObject *)o)->t; }

/* ---- tensor.c */
bool wnpy_tensor_init(PyObject *module);
PyObject *wnpy_wrap(wn_tensor *owned);           /* takes the reference; returns the handle's Python object */
PyObject *wnpy_wrap_borrowed(wn_tensor *t);      /* None for NULL */
PyObject *wnpy_wrap_as(PyTypeObject *type, wn_tensor *owned);
PyObject *wnpy_wrap_list(wn_tensor *const *v, int64_t n); /* a tuple; NULL becomes None */

/* ---- errors.c */
PyObject *wnpy_raise(void);                      /* raises the thread's error record; returns NULL */
void wnpy_keep_exception(void);                  /* in a callback: keeps the exception for wnpy_raise in the caller */
bool wnpy_kept(void);                            /* is there one? */
extern PyObject *wnpy_Overflow; /* OverflowError, ValueError and RuntimeError in one: torch raises any for ints */
bool wnpy_errors_init(PyObject *module);

/* ---- gil.c: everything that releases the GIL or takes it again */
PyThreadState *wnpy_release(void);
void wnpy_regain(PyThreadState *state);
#define WNPY_BEGIN_WORK { PyThreadState *wnpy_state_ = wnpy_release()
#define WNPY_END_WORK wnpy_regain(wnpy_state_); } (void)0
typedef struct WnpyGil {
    PyGILState_STATE state;
    bool released;
} WnpyGil;
WnpyGil wnpy_ensure(void);                       /* for callbacks, whether they have the GIL or not */
void wnpy_let_go(WnpyGil g);
bool wnpy_gil_init(void);

/* ---- later.c: Python objects that the next holder of the GIL releases */
void wnpy_decref_later(void *object);
void wnpy_drain(void);
extern void *wnpy_waiting;
static inline void wnpy_drain_if_any(void) {
    if (__builtin_expect(__atomic_load_n(&wnpy_waiting, __ATOMIC_RELAXED) != NULL, 0)) wnpy_drain();
}

/* ---- warn.c: gives warnings that the engine has noted. False: one is now an exception; a failed call raises its
 * own. */
extern int wnpy_remarks; /* how many wait to be given, in all threads */
bool wnpy_give_remarks(bool failed);
static inline bool wnpy_warn_if_any(bool failed) {
    return __builtin_expect(__atomic_load_n(&wnpy_remarks, __ATOMIC_RELAXED) == 0, 1) || wnpy_give_remarks(failed);
}
void wnpy_warn_init(void);

/* ---- convert.c. Results: 1 converted, 0 not of this type (no exception), -1 exception */
extern PyObject *wnpy_dtypes[16];                /* by wn_dtype */
extern PyObject *wnpy_Size;                      /* torch.Size, a subclass of tuple */
int wnpy_to_number(PyObject *o, wn_val *v);      /* takes Python's and NumPy's numbers */
int wnpy_item_number(wn_tensor *t, wn_val *v);   /* takes a tensor with one element */
int wnpy_to_int(PyObject *o, int64_t *v);        /* no bool, no float */
int wnpy_to_dims(PyObject *o, bool single, wn_dims *v);
int wnpy_to_dtype(PyObject *o, wn_dtype *v);
PyObject *wnpy_size_of(const wn_tensor *t);      /* torch.Size */
PyObject *wnpy_from_dims(const int64_t *v, int n, bool size); /* a tuple, or a Size */
PyObject *wnpy_from_val(wn_val v);
bool wnpy_convert_init(PyObject *module);

/* ---- signature.c, call.c */
typedef struct Param {
    PyObject *name;       /* interned, as callers write it: functions call self "input" */
    PyObject *alias;      /* NumPy's word for it ("axis"), or NULL */
    const char *type;     /* torch's notation */
    wn_kind kind;
    char base;            /* if a SCALAR: 'i', 'f', 'b' or 'n' (any number) */
    bool optional;        /* None may be given */
    bool required, keyword_only, single; /* single: one int may be given for a list */
    bool number;          /* if a VALUE: a number may be given, too */
    uint16_t offset;
} Param;
typedef struct Signature {
    const wn_op *op;
    int n, npos;          /* number of parameters; how many of them may be positional */
    size_t size;
    int nresults;
    size_t out_offset;    /* 0: the row has no out= */
    bool creates;         /* a factory: takes device=, layout=, requires_grad=, ... */
    bool loose_dims;      /* dims may be loose: x.view(2, 3) */
    bool wants_tensor;    /* at least one of several VALUEs must be a tensor */
    Param *p;
    PyTypeObject *result_type; /* a named tuple type, or NULL */
} Signature;
typedef struct Function { /* one Python name, and the rows that it may mean */
    const char *name;
    bool inplace, method;
    int n;
    Signature *sig[8];
    PyObject *callable;   /* passed to __torch_function__; borrowed */
} Function;
bool wnpy_signatures_init(PyObject *module);
char *wnpy_document(const Function *f);          /* owned; NULL: exception */
PyMethodDef *wnpy_methods(int *n);               /* Tensor's; call.c */
PyObject *wnpy_call(const Function *f, PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
/* Runs a row whose args struct is filled, releasing the GIL if there are many elements. NULL: exception. */
PyObject *wnpy_run(const wn_op *op, const void *args, bool inplace, int64_t elements);
bool wnpy_run_raw(const wn_op *op, const void *args, bool inplace, int64_t elements, wn_outs *outs);
extern __thread int wnpy_modes; /* TorchFunctionModes that this thread has entered: they are asked about each call */
/* Does an argument ask to be called instead (__torch_function__)? 1: *result is its answer (NULL: exception); 0: no.
 * Sets *subclass to the type that results take, or NULL. */
int wnpy_overridden(PyObject *callable, PyObject *const *args, Py_ssize_t n, PyObject *kwnames, PyObject **result, PyTypeObject **subclass);
bool wnpy_plain(PyObject *const *args, Py_ssize_t n); /* true if none of them could have a __torch_function__ */
bool wnpy_inherits(PyObject *tensor);            /* is it of a subclass that results inherit? */
PyObject *wnpy_as_subclass(PyObject *result, PyTypeObject *subclass); /* takes a reference and returns one */
bool wnpy_call_init(PyObject *module);
bool wnpy_bind_init(PyObject *module);
enum { WNPY_GIL_ELEMENTS = 16384 }; /* more work takes longer than handing over the GIL */
/* Adds t's elements; an expanded tensor may have any number. */
static inline void wnpy_count(int64_t *elements, const wn_tensor *t) {
    if (__builtin_add_overflow(*elements, wn_numel(t), elements)) *elements = INT64_MAX;
}

/* ---- report.c: while a report is open, each call of the engine first says for which line of the program it is */
extern int wnpy_reporting;
void wnpy_note_line(void);
static inline void wnpy_here(void) {
    if (__builtin_expect(wnpy_reporting, 0)) wnpy_note_line();
}
void wnpy_follow_lines(PyObject *root); /* one more user of labels; these leave out `root` at their beginning */
void wnpy_leave_lines(void);
bool wnpy_report_init(PyObject *module);

/* ---- events.c */
bool wnpy_events_init(PyObject *module);

/* ---- number.c, index.c: slots of the Tensor type */
extern PyType_Slot wnpy_number_slots[], wnpy_index_slots[];
bool wnpy_index_init(PyObject *module);
bool wnpy_may_require_grad(const wn_tensor *t);  /* false: not floating, with an exception in torch's words */
bool wnpy_warn_of_byte_masks(int n); /* n: indices of dtype uint8; false: exception */
PyObject *wnpy_as_index(PyObject *o);            /* a tensor from a list or an array */
bool wnpy_override_init(PyObject *module);

/* ---- data.c, files.c, dlpack.c, grad.c, function.c, random.c, optim.c: functions of the module */
PyObject *wnpy_item(PyObject *self, PyObject *unused);
PyObject *wnpy_tolist(PyObject *self, PyObject *unused);
int wnpy_getbuffer(PyObject *self, Py_buffer *view, int flags);
void wnpy_releasebuffer(PyObject *self, Py_buffer *view);
bool wnpy_data_init(PyObject *module);
bool wnpy_files_init(PyObject *module);
bool wnpy_dlpack_init(PyObject *module);
bool wnpy_grad_init(PyObject *module);
bool wnpy_node_init(PyObject *module);
bool wnpy_saved_init(PyObject *module);
wn_node *wnpy_node(PyObject *o);                 /* borrowed; NULL and an exception if o is no Node */
PyObject *wnpy_get_grad_fn(PyObject *tensor, void *unused);
bool wnpy_random_init(PyObject *module);
bool wnpy_optim_init(PyObject *module);
int wnpy_to_generator(PyObject *o, wn_generator **g);
#endif
