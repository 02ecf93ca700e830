/* Saved-tensor hooks: each tensor that a row's recording would save goes to the program's `pack`, and the node keeps
 * what that returns. Before the gradient is built, `unpack` gives the tensors back. Such a node has a wn__packed in
 * `extra` for each slot of `saved` (NULL: nothing is saved there), and its args hold live tensors only between
 * wn__unpack and wn__unpack_end. */
#ifndef WN_GRAD_SAVED_H
#define WN_GRAD_SAVED_H
#include "grad/tape.h"

typedef struct wn__saved_hooks wn__saved_hooks;

typedef struct wn__packed wn__packed; /* what pack made of one tensor */
wn__packed *wn__packed_new(wn__saved_hooks *hooks, const char *op, const wn_tensor *t); /* NULL with an error record */
wn_tensor *wn__unpack_one(const wn__packed *k, const char *op); /* borrowed from the scope; NULL with an error record */
void wn__packed_end(wn__packed *k);                             /* frees it */

wn_status wn__save_packed(wn__saved_hooks *hooks, wn__node *n, int slot, const wn_tensor *t);
void wn__packed_drop(wn__node *n);          /* frees all of n's: n will not run again */
wn_status wn__unpack(wn__node *n);          /* fills n->saved and the args with tensors borrowed from the scope */
void wn__unpack_end(wn__node *n);           /* empties them again */
wn_status wn__patch_args(wn__node *n);      /* puts n->saved into the args (tape.c) */

/* The pair of hooks in force on a thread; NULL: none. */
static inline wn__saved_hooks *wn__saved_hooks_now(const wn__thread *th) {
    return th->modes & WN__MODE_SAVED_HOOKS ? th->saved_hooks : NULL;
}
#endif
