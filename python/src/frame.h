/* A call under way: shared by call.c, out.c (what it does with out=) and former.c (arguments in an older order).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef WNPY_FRAME_H
#define WNPY_FRAME_H
#include "wnpy.h"

enum { ARGS_BYTES = 2048 };

/* What a call under way needs besides its args struct. */
typedef struct Frame {
    _Alignas(16) char args[ARGS_BYTES];
    const void *lists[8];       /* arrays of handles */
    int nlists;
    int byte_masks;             /* number of index tensors of dtype uint8 */
    int64_t elements;           /* of all tensors, and of results that factories make */
    PyObject *out;              /* the argument out=, or NULL */
    bool requires_grad;
    PyObject *layout;           /* the argument, or NULL */
    PyObject *memory_format;    /* the argument, or NULL */
    PyObject *stand_in;         /* owned: a tensor to use instead of self, or NULL */
} Frame;

/* May out= be given here? If not, an exception says why. */
bool wnpy_out_allowed(const Function *fn, const Signature *s, const Frame *f);
void wnpy_take_dtype_of_out(const Signature *s, Frame *f);
bool wnpy_warn_of_new_shape(const Signature *s, wn_dims before, const wn_tensor *out);
extern PyObject *wnpy_store_out_helper;
PyObject *wnpy_store_out(const Function *fn, const Signature *s, PyObject *result, PyObject *out);

extern PyObject *wnpy_former_order; /* former.c */
PyObject *wnpy_in_former_order(const Function *fn, PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
#endif
