/* Saved-tensor hooks: what a row's recording would save is given to the caller's pack and kept as what that returns; before the
 * gradient builder runs, unpack gives tensors back. A node with packed tensors has them in `extra`, one for each slot of `saved`
 * (NULL: that slot saves nothing); its args hold no live tensors until wn__unpack has put them there. */
#ifndef WN_GRAD_SAVED_H
#define WN_GRAD_SAVED_H
#include "grad/tape.h"

typedef struct wn__saved_hooks wn__saved_hooks;

typedef struct wn__packed wn__packed; /* one tensor, as pack made it */
wn__packed *wn__packed_new(wn__saved_hooks *hooks, const char *op, const wn_tensor *t); /* NULL with an error record */
wn_tensor *wn__unpack_one(const wn__packed *k, const char *op); /* borrowed from the scope; NULL with an error record */
void wn__packed_end(wn__packed *k);                             /* it is not needed any more */

wn_status wn__save_packed(wn__saved_hooks *hooks, wn__node *n, int slot, const wn_tensor *t);
void wn__packed_drop(wn__node *n);          /* all of them: n will not run again */
wn_status wn__unpack(wn__node *n);          /* fills n->saved and the args with tensors borrowed from the scope, until ... */
void wn__unpack_end(wn__node *n);           /* ... this */
wn_status wn__patch_args(wn__node *n);      /* puts n->saved into the args (tape.c) */
void wn__saved_hooks_clear(wn__thread *th); /* the thread ends */

/* The pair in force on a thread; NULL: none. */
static inline wn__saved_hooks *wn__saved_hooks_now(const wn__thread *th) {
    return th->modes & WN__MODE_SAVED_HOOKS ? th->saved_hooks : NULL;
}
#endif
