/* A call under way (call.c), what it does with out= (out.c) and with arguments in an older form (former.c).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef WNPY_FRAME_H
#define WNPY_FRAME_H
#include "wnpy.h"

enum { ARGS_BYTES = 2048 };

/* What a call under way needs beside its args struct. */
typedef struct Frame {
    _Alignas(16) char args[ARGS_BYTES];
    const void *lists[8];       /* arrays of handles */
    int nlists;
    int byte_masks;             /* of dtype uint8, among the indices */
    int64_t elements;           /* of all tensors, and of results that are made */
    PyObject *out;              /* out=; NULL */
    bool requires_grad;
    PyObject *layout;           /* NULL, or what was given */
    PyObject *memory_format;    /* NULL, or what was given */
    PyObject *stand_in;         /* owned: a tensor in self's place; NULL */
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
