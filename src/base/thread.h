/* What a thread owns: its handle stack (scopes), its modes, its error record. */
#ifndef WN_CORE_THREAD_H
#define WN_CORE_THREAD_H
#include "tensor/tensor.h"

enum {
    WN__MODE_NO_GRAD = 1,
    WN__MODE_INFERENCE = 2,
    WN__MODE_SAVED_HOOKS = 4,      /* no scope restores it */
    WN__MODE_AUTOCAST = 8,         /* call/autocast.c; its dtype is in the four bits from WN__MODE_AUTOCAST_SHIFT */
    WN__MODE_AUTOCAST_FRESH = 16,  /* converted leaves are not kept */
    WN__MODE_AUTOCAST_SHIFT = 8
};

typedef struct wn__thread {
    uintptr_t *stack; /* handles; lowest bit set: a memory block for wn_list results */
    uint32_t height, capacity;
    uint32_t modes;
    uint32_t scopes; /* open scopes */
    uint32_t next_serial;
    struct wn__open {
        uint32_t serial, mark, modes;
    } * open; /* one entry for each open scope */
    uint32_t open_capacity;
    bool scope_warned;
    struct wn__casts *casts;           /* leaves that autocast has converted */
    struct wn__saved_hooks *saved_hooks; /* the innermost pair (grad/saved.h) */
    /* error record */
    wn_status error;
    int64_t error_count;
    char error_op[64];
    char error_message[1024];
    char refusal[512]; /* why the last handle asked for cannot be; empty: memory was short */
    char text[6][320]; /* descriptions for messages, in rotation */
    unsigned text_turn;
    int64_t elements; /* computed on the small-tensor path and not yet added to the process's count */
} wn__thread;

extern __thread wn__thread *wn__tls __attribute__((tls_model("initial-exec")));
wn__thread *wn__thread_make(void); /* never NULL: falls back to a static record when memory is short */
static inline wn__thread *wn__self(void) {
    wn__thread *t = wn__tls;
    return __builtin_expect(t != NULL, 1) ? t : wn__thread_make();
}

/* Has a callback left an error? errors: wn_error_count() before it, which may have called wn_clear(). */
static inline bool wn__failed_since(int64_t errors) {
    const wn__thread *t = wn__self();
    return t->error_count != errors && t->error != WN_OK;
}

bool wn__stack_grow(wn__thread *th);
/* Hands an owned reference to the innermost scope: the real reference becomes the scope's. Bad/NULL pass through.
 * When the stack cannot grow the tensor is released and the bad tensor returned. */
wn_tensor *wn__lend(wn__thread *th, wn_tensor *owned);
/* An array of n handles owned by the innermost scope (the handles are lent separately); NULL when memory is short. */
wn_tensor **wn__lend_array(wn__thread *th, int64_t n);
static inline bool wn__recording(const wn__thread *th) { return !(th->modes & WN__MODE_NO_GRAD); }
#endif
