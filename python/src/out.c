/* out=: what torch refuses, its warnings, and results of rows that have no out= of their own.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "frame.h"

static bool same_dims(wn_dims a, wn_dims b) { return a.n == b.n && (a.n <= 0 || !memcmp(a.v, b.v, (size_t)a.n * sizeof *a.v)); }

static bool out_needs_grad(const Signature *s, const Frame *f) {
    if (wnpy_is_tensor(f->out) && wn_needs_grad(wnpy_handle(f->out))) return true;
    for (int i = 0; i < s->n; i++) {
        const void *slot = f->args + s->p[i].offset;
        wn_tensor *t = s->p[i].kind == WN_K_TENSOR ? *(wn_tensor *const *)slot
                       : s->p[i].kind == WN_K_VALUE && ((const wn_val *)slot)->kind == WN_VAL_TENSOR ? ((const wn_val *)slot)->u.t : NULL;
        if (t && wn_needs_grad(t)) return true;
        const wn_list *list = slot;
        for (int64_t k = 0; s->p[i].kind == WN_K_TENSORS && k < list->n; k++)
            if (list->v[k] && wn_needs_grad(list->v[k])) return true;
    }
    return false;
}

/* A layout that is given beside out= must be the one that all tensors here have. */
static bool layout_of_out(const Frame *f) {
    if (!f->layout || f->layout == Py_None) return true;
    PyObject *name = PyObject_GetAttrString(f->layout, "_name");
    const bool strided = name && PyUnicode_CompareWithASCIIString(name, "strided") == 0;
    if (name && !strided) PyErr_Format(PyExc_RuntimeError, "layout %U does not match layout of out parameter (strided)", name);
    Py_XDECREF(name);
    return strided;
}

bool wnpy_out_allowed(const Function *fn, const Signature *s, const Frame *f) {
    if (wn_grad_enabled() && out_needs_grad(s, f)) {
        PyErr_Format(PyExc_RuntimeError, "%s(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.",
                     fn->name);
        return false;
    }
    return layout_of_out(f);
}

/* A factory without out= in its row makes tensors of out's dtype, unless another one is given. */
void wnpy_take_dtype_of_out(const Signature *s, Frame *f) {
    for (int i = 0; i < s->n; i++) {
        wn_dtype *d = (wn_dtype *)(void *)(f->args + s->p[i].offset);
        if (s->p[i].kind == WN_K_DTYPE && !*d) *d = wn_dtype_of(wnpy_handle(f->out));
    }
}

/* Gives torch's warning about an out= whose shape was another one. Among factories only those rows warn whose number of
 * elements depends on rounding. False: it became an exception. */
bool wnpy_warn_of_new_shape(const Signature *s, wn_dims before, const wn_tensor *out) {
    int64_t had = 1;
    for (int i = 0; i < before.n; i++) had *= before.v[i];
    if (!had || same_dims(before, wn_shape(out))) return true;
    if (!s->creates)
        return !PyErr_WarnEx(PyExc_UserWarning, "An output with one or more elements was resized since its shape does not match the required output shape. "
                                                "This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero "
                                                "elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).", 1);
    if (!(wn_op_traits(s->op) & WN_SIZE_ROUNDS)) return true;
    PyObject *old = wnpy_from_dims(before.v, before.n > 0 ? before.n : 0, false), *list = old ? PySequence_List(old) : NULL;
    const int r = !list ? -1 : PyErr_WarnFormat(PyExc_UserWarning, 1,
                                    "The number of elements in the out tensor of shape %S is %lld which does not match the computed number of elements %lld. Note "
                                    "that this may occur as a result of rounding error. The out tensor will be resized to a tensor of shape (%lld,).",
                                    list, (long long)had, (long long)wn_numel(out), (long long)wn_numel(out));
    Py_XDECREF(old);
    Py_XDECREF(list);
    return r == 0;
}

/* For out= of a row that has none: store_out (winnow/_construct.py) gets the result, and checks, resizes, copies. */
PyObject *wnpy_store_out_helper;

PyObject *wnpy_store_out(const Function *fn, const Signature *s, PyObject *result, PyObject *out) {
    const uint32_t traits = wn_op_traits(s->op);
    return PyObject_CallFunction(wnpy_store_out_helper, "sOOOO", fn->name, result, out, traits & WN_OUT_EXACT ? Py_True : Py_False,
                                 traits & WN_LEAVES_UNSET ? Py_True : Py_False);
}
