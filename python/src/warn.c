/* The engine's warnings as Python's. They come in the middle of a call, perhaps without the GIL, and one may become an
 * exception. So they are noted, and given when the call is over.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "wnpy.h"

typedef struct Remark {
    struct Remark *next;
    bool once;
    char text[];
} Remark;
static __thread Remark *first, **end; /* those of this thread, in order */
int wnpy_remarks;

static void note(const char *op, const char *message, bool once) {
    (void)op; /* the message names the operation */
    const size_t n = strlen(message) + 1;
    Remark *r = malloc(sizeof *r + n);
    if (!r) return;
    *r = (Remark){.once = once};
    memcpy(r->text, message, n);
    *(first ? end : &first) = r;
    end = &r->next;
    __atomic_add_fetch(&wnpy_remarks, 1, __ATOMIC_RELAXED);
}

/* Gives a warning unless winnow/_warn.py knows that it was given before. */
static bool give_once(const char *text) {
    PyObject *module = PyImport_ImportModule("winnow._warn"), *r = module ? PyObject_CallMethod(module, "warn_once", "si", text, 1) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(r);
    return r != NULL;
}

bool wnpy_give_remarks(bool failed) {
    bool ok = true;
    while (first) {
        Remark *r = first;
        first = r->next;
        __atomic_sub_fetch(&wnpy_remarks, 1, __ATOMIC_RELAXED);
        if (ok) ok = r->once ? give_once(r->text) : !PyErr_WarnEx(PyExc_UserWarning, r->text, 1);
        free(r);
    }
    if (ok || !failed) return ok;
    PyErr_Clear(); /* the call raises its own error */
    return true;
}

void wnpy_warn_init(void) { wn_set_warning_hook(note); }
