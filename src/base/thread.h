/* What a thread owns: its handle stack (scopes), its modes, its error record. */
#ifndef WN_BASE_THREAD_H
#define WN_BASE_THREAD_H
#include "base/error.h"

enum {
    WN__MODE_NO_GRAD = 1,
    WN__MODE_INFERENCE = 2,
    WN__MODE_SAVED_HOOKS = 4,      /* no scope restores it */
    WN__MODE_AUTOCAST = 8,         /* call/autocast.c; its dtype is in the four bits from WN__MODE_AUTOCAST_SHIFT */
    WN__MODE_AUTOCAST_FRESH = 16,  /* converted leaves are not kept */
    WN__MODE_AUTOCAST_SHIFT = 8,
    WN__MODE_META = 1 << 12,       /* rows that create make tensors on the meta device */
    WN__MODE_MIXES = 1 << 13       /* in a composite or a gradient on meta: what it makes may be on the CPU */
};

/* Indices of give_back, whose functions release what the record keeps, in this order: each may need what follows. */
enum { WN__GIVES_HOOKS, WN__GIVES_CASTS, WN__GIVES_HANDLES, WN__GIVERS };

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
    bool shared; /* memory was short: threads share this record, which can keep an error only */
    struct wn__casts *casts;           /* leaves that autocast has converted (call/autocast.c) */
    struct wn__saved_hooks *saved_hooks; /* the innermost pair (grad/saved.h) */
    void (*give_back[WN__GIVERS])(struct wn__thread *th); /* when the thread ends; set by who keeps something in the record */
    /* error record */
    wn_status error;
    int64_t error_count;
    char error_op[64];
    char error_message[1024];
    char refusal[512]; /* why the handle that was asked for last was refused; empty: memory was short */
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

/* Has a callback left an error? errors: wn_error_count() before the callback, which may itself have called
 * wn_clear(). */
static inline bool wn__failed_since(int64_t errors) {
    const wn__thread *t = wn__self();
    return t->error_count != errors && t->error != WN_OK;
}

static inline wn_dtype wn__autocast_dtype(const wn__thread *th) { return (wn_dtype)(th->modes >> WN__MODE_AUTOCAST_SHIFT & 15); }
static inline uint32_t wn__autocast_mode(wn_dtype d) { return WN__MODE_AUTOCAST | (uint32_t)d << WN__MODE_AUTOCAST_SHIFT; }
static inline bool wn__recording(const wn__thread *th) { return !(th->modes & WN__MODE_NO_GRAD); }
#endif
