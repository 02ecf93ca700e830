/* DLPack, the protocol by which array libraries pass memory to each other (https://dmlc.github.io/dlpack, version 1): a
 * capsule "dltensor" with a struct that says where the memory is and whom to call when it is no longer needed.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "wnpy.h"

typedef struct DLTensor {
    void *data;
    struct {
        int32_t device_type, device_id; /* 1: CPU */
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits; /* 0 int, 1 uint, 2 float, 4 bfloat, 6 bool */
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides; /* strides in elements; NULL: row-major */
    uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
    DLTensor dl;
    void *ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

static const struct {
    uint8_t code, bits;
} codes[] = {[WN_F32] = {2, 32}, [WN_F64] = {2, 64}, [WN_F16] = {2, 16}, [WN_BF16] = {4, 16}, [WN_I8] = {0, 8}, [WN_I16] = {0, 16},
             [WN_I32] = {0, 32}, [WN_I64] = {0, 64}, [WN_U8] = {1, 8},   [WN_BOOL] = {6, 8}};

typedef struct Export {
    DLManagedTensor managed;
    wn_tensor *alias; /* holds the storage, which counts as exposed */
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
} Export;

static void export_done(DLManagedTensor *m) { /* on any thread, with or without the GIL: gil.c has to know which */
    Export *e = m->ctx;
    const bool running = Py_IsInitialized();
    WnpyGil gil = {0};
    if (running) gil = wnpy_ensure();
    wn_unexpose(e->alias);
    wn_drop(e->alias);
    if (running) wnpy_let_go(gil);
    free(e);
}
static void capsule_done(PyObject *capsule) {
    if (!PyCapsule_IsValid(capsule, "dltensor")) return; /* its consumer has renamed it and will call the deleter */
    DLManagedTensor *m = PyCapsule_GetPointer(capsule, "dltensor");
    if (m && m->deleter) m->deleter(m);
}

/* _to_dlpack(tensor) -> capsule */
static PyObject *to_dlpack(PyObject *self, PyObject *o) {
    (void)self;
    if (!wnpy_is_tensor(o)) return PyErr_Format(PyExc_TypeError, "a Tensor is needed, not %S", (PyObject *)Py_TYPE(o));
    wn_detach_args a = {.size_ = sizeof a, .self = wnpy_handle(o)};
    wn_outs outs;
    Export *e = calloc(1, sizeof *e);
    if (!e) return PyErr_NoMemory();
    if (!wnpy_run_raw(wn_op_find("detach"), &a, false, 0, &outs)) return free(e), NULL;
    wn_tensor *t = e->alias = outs.v[0];
    wn_status st;
    WNPY_BEGIN_WORK;
    st = wn_expose(t);
    WNPY_END_WORK;
    if (st) {
        wn_drop(t);
        free(e);
        return wnpy_raise();
    }
    wn_dtype d = wn_dtype_of(t);
    for (int i = 0; i < wn_ndim(t); i++) {
        e->shape[i] = wn_size(t, i);
        e->strides[i] = wn_stride(t, i);
    }
    e->managed = (DLManagedTensor){{(void *)wn_data(t), {1, 0}, wn_ndim(t), {codes[d].code, codes[d].bits, 1}, e->shape, e->strides, 0}, e, export_done};
    PyObject *capsule = PyCapsule_New(&e->managed, "dltensor", capsule_done);
    if (!capsule) export_done(&e->managed);
    return capsule;
}

static void import_done(void *managed) {
    DLManagedTensor *m = managed;
    if (m->deleter) m->deleter(m);
}
/* The deleter of an unused import: it may need the GIL (NumPy's does), which is held here. */
static void import_capsule_done(PyObject *capsule) { import_done(PyCapsule_GetPointer(capsule, "used")); }

/* _from_dlpack(capsule) -> tensor on the same memory; it consumes the capsule */
static PyObject *from_dlpack(PyObject *self, PyObject *capsule) {
    (void)self;
    DLManagedTensor *m = PyCapsule_GetPointer(capsule, "dltensor");
    if (!m) {
        PyErr_Clear();
        return PyErr_Format(PyExc_RuntimeError, "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once");
    }
    const DLTensor *dl = &m->dl;
    if (dl->device.device_type != 1) return PyErr_Format(PyExc_BufferError, "DLPack device type %d: winnow has tensors in main memory only", dl->device.device_type);
    wn_dtype dtype = WN_DTYPE_DEFAULT;
    for (int d = WN_F32; d <= WN_BOOL; d++)
        if (codes[d].code == dl->dtype.code && codes[d].bits == dl->dtype.bits && dl->dtype.lanes == 1) dtype = (wn_dtype)d;
    if (!dtype) return PyErr_Format(PyExc_BufferError, "DLPack type code %d of %d bits is not supported", dl->dtype.code, dl->dtype.bits);
    if (dl->ndim > WN_MAX_DIMS) return PyErr_Format(PyExc_BufferError, "%d dimensions: winnow's tensors have at most %d", dl->ndim, WN_MAX_DIMS);
    wn_dims shape = WN_0D, strides = WN_0D;
    if (dl->ndim) {
        shape.n = dl->ndim;
        strides.n = dl->strides ? dl->ndim : 0;
    }
    for (int i = 0; i < dl->ndim; i++) {
        shape.v[i] = dl->shape[i];
        if (dl->strides && (strides.v[i] = dl->strides[i]) < 0) return PyErr_Format(PyExc_BufferError, "negative strides are not supported");
    }
    PyObject *owner = PyCapsule_New(m, "used", import_capsule_done);
    if (!owner) return NULL;
    PyCapsule_SetName(capsule, "used_dltensor");
    wn_scope s = wn_begin();
    wn_tensor *t = wn_from_memory((char *)dl->data + dl->byte_offset, shape, strides, dtype, wnpy_decref_later, owner);
    PyObject *r = wn_ok(t) ? wnpy_wrap(wn_keep(t)) : wnpy_raise();
    if (!wn_ok(t)) Py_DECREF(owner);
    wn_end(&s);
    return r;
}

bool wnpy_dlpack_init(PyObject *module) {
    static PyMethodDef functions[] = {{"_to_dlpack", to_dlpack, METH_O, "_to_dlpack(tensor, /)\n--\n\nThe tensor's memory as a DLPack capsule, which one consumer may take."},
                                      {"_from_dlpack", from_dlpack, METH_O, NULL}, {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions) == 0;
}
