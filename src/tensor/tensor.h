/* Handles and storages. */
#ifndef WN_TENSOR_TENSOR_H
#define WN_TENSOR_TENSOR_H
#include <stdatomic.h>
#include <string.h>
#include "base/checked.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/geometry.h"
#include "base/api.h"

typedef struct wn__storage {
    _Atomic int32_t refs;
    _Atomic uint32_t version; /* counts in-place changes */
    void *data;               /* NULL: no memory yet (pending), or zero bytes; old contents while a change in place is pending */
    size_t bytes;             /* what its tensors may address */
    size_t capacity;          /* what the allocator gave; 0: inline or foreign memory */
    void (*deleter)(void *);  /* foreign memory */
    void *deleter_ctx;
    struct wn__value *pending; /* what computes data (src/defer/value.h); NULL: nothing to run. Read it with wn__pending. */
    struct wn__value *reads;   /* stands for the contents as they are, while pending values read them; NULL: nobody does */
    const char *last_mutator;    /* name of the operation that changed it last, for autograd's messages */
    uint32_t exposed;            /* how many outside know its address: while there are any, operations run at once */
    bool pinned;                 /* only pending values keep it (counted) */
    uint8_t device;              /* 0: main memory; WN_META: none at all, and pending is wn__meta_value for ever */
    uint8_t finite_as;           /* WN__MARK_FINITE: all its memory, as elements of this dtype, is finite ... */
    uint8_t unused;              /* zero: the five are set by one store */
    bool (*alone)(void *ctx);    /* foreign memory: does nobody outside know the address any more? (wn_exposed_until; else not in use) */
    _Atomic uint32_t uncounted;  /* changes through handles that count elsewhere (WN__T_SHIFTED), which are not in version */
    _Atomic int32_t counters;    /* handles on other storages that count here (WN__T_SHIFTED), and 1 for its own; 0: there never were any; and marks (below) */
    struct wn__fact *fact;       /* WN__MARK_FACT: what is known of its zeros (support/fact.h), owned; else not in use */
    void (*free_fact)(struct wn__fact *f);
    uint32_t finite_at;          /* ... since this number of changes */
    unsigned char inline_data[64] __attribute__((aligned(64))); /* tiny tensors live here */
} wn__storage;

/* Of storage.counters: what is rare, so that a storage without any of it goes away after one question. */
enum {
    WN__MARK_FOREIGN = 1 << 30, /* its memory is not the allocator's */
    WN__MARK_GIVEN = 1 << 29,   /* somebody was given its address to write there (wn_data_mut), and may do so again later */
    WN__MARK_FACT = 1 << 28,
    WN__MARK_FINITE = 1 << 27,
    WN__MARKS = WN__MARK_FOREIGN | WN__MARK_GIVEN | WN__MARK_FACT | WN__MARK_FINITE
};
static inline bool wn__storage_marked(const wn__storage *s, int32_t mark) { return atomic_load_explicit(&s->counters, memory_order_acquire) & mark; }
static inline void wn__storage_mark(wn__storage *s, int32_t mark) { atomic_fetch_or_explicit(&s->counters, mark, memory_order_acq_rel); }

#define WN__MAGIC 0x574e5431u /* "WNT1": a live handle */
#define WN__DEAD 0xdeadbeefu

enum {
    WN__T_REQUIRES_GRAD = 1,  /* a leaf that wants a gradient */
    WN__T_INFERENCE = 2,      /* made in inference mode */
    WN__T_RETAINS_GRAD = 4,
    WN__T_WEAK = 8,           /* made from a number: promotes like one */
    WN__T_OWNED = 16,         /* slot 1 holds a value: its owner hears of the handle's end */
    WN__T_UNCOUNTED = 32,     /* torch's `.data`: changes through it and its views are not held against what autograd saved. SHIFTED, too */
    WN__T_SHIFTED = 64        /* its changes are counted elsewhere: its storage is not the one that it began with, or it is uncounted */
};

/* refs holds two counts, so that "does anybody but a scope want this?" is one load: the low half counts real references
 * (kept, tape, lists, bindings), the high half scopes'. */
#define WN__REF_REAL ((uint64_t)1)
#define WN__REF_SCOPE ((uint64_t)1 << 32)

/* What was on when a view was made: its history, and what may be changed through it, depend on it. */
enum { WN__VIEW_RECORDED, WN__VIEW_NO_GRAD, WN__VIEW_INFERENCE };
/* Autograd state of a handle (src/grad). */
typedef struct wn__grad_meta {
    void (*free)(wn_tensor *t); /* gives all of it back when the handle ends (grad/tape.c) */
    struct wn_node *node; /* what made the handle; NULL: a leaf or untracked */
    uint32_t out_nr;
    uint32_t view_version; /* storage version for which node is right (views) */
    wn_tensor *grad;   /* .grad */
    wn_tensor *base;   /* views: the tensor that owns the history of the storage (retained) */
    uint8_t view_of;   /* views: one of those */
    bool multi_view;   /* one of several views made by one call (split, unbind): in place is an error */
    struct wn__hook *hooks;   /* of a leaf */
} wn__grad_meta;

struct wn_tensor {
    _Atomic uint64_t refs;
    union { /* call/small.c compares the five as one word */
        struct {
            uint32_t magic;
            uint8_t dtype;
            uint8_t ndim;
            uint8_t flags;
            uint8_t contiguous; /* row-major without gaps; kept up to date. 1 in main memory, 2 elsewhere: who asks for 1 asks both */
        };
        uint64_t word;
    };
    wn__storage *storage;
    int64_t offset; /* elements */
    int64_t numel;
    wn__grad_meta *grad; /* NULL: none, or grad_state */
    wn__grad_meta grad_state;
    void *user[2];
    union {                  /* WN__T_SHIFTED */
        wn__storage *counter;   /* the storage that it began with, which counts its changes and those of its views of then: its memory may be gone */
        uint32_t version_shift; /* WN__T_UNCOUNTED: what to add to the storage's number of uncounted changes */
    };
    int64_t shape[WN_MAX_DIMS];
    int64_t strides[WN_MAX_DIMS]; /* elements */
};

/* ---- what is asked of deferral, which stands above (defer/value.c, defer/settle.c): no other call goes upwards */
extern struct wn__value wn__bad_value; /* what a storage waits for whose computation failed: for ever */
extern struct wn__value wn__meta_value; /* what one on the meta device waits for: for ever, too */
void *wn__storage_run(wn__storage *s); /* runs what is pending; NULL and an error record after a failure */
bool wn__settle_slow(wn__storage *s);  /* wn__before_write, where pending values have to do with s */
/* Where pending values have to do with s: the handle by which its value is known goes away or gets another storage (NULL: no handle does),
 * and a reference to s is dropped. */
void wn__storage_drop(wn__storage *s, const wn_tensor *handle, bool reference);

/* ---- data: the one way to memory */
static inline struct wn__value *wn__pending(const wn__storage *s) { return __atomic_load_n(&s->pending, __ATOMIC_ACQUIRE); }
/* Do pending values have to do with s: does it wait for one, or does one read it? */
static inline bool wn__watched(const wn__storage *s) {
    return ((uintptr_t)__atomic_load_n(&s->pending, __ATOMIC_ACQUIRE) | (uintptr_t)__atomic_load_n(&s->reads, __ATOMIC_ACQUIRE)) != 0;
}
/* Is it on the meta device? The storage is looked at only where the handle's byte leaves that open. */
static inline bool wn__is_meta(const wn_tensor *t) { return __builtin_expect(t->contiguous != 1, 0) && t->storage->device == WN_META; }
static inline char *wn__ptr(const wn_tensor *t) {
    WN_ASSERT(t->magic == WN__MAGIC);
    wn__storage *s = t->storage;
    void *data = __builtin_expect(wn__pending(s) != NULL, 0) ? wn__storage_run(s) : s->data;
    return data ? (char *)data + (size_t)t->offset * wn__dtype_size(t->dtype) : NULL;
}

/* ---- the bad tensor, which stands for a result that could not be had */
extern wn_tensor wn__bad_tensor;
static inline bool wn__is_bad(const wn_tensor *t) { return t == &wn__bad_tensor; }
wn_tensor *wn__bad_memory(const char *op); /* wn__fail_memory, returning it */
/* The same, of any failure: `return wn__bad(WN_E_VALUE, "stack", "...")`. */
#define wn__bad(...) (wn__fail(__VA_ARGS__), &wn__bad_tensor)
const char *wn__desc(const wn_tensor *t); /* a short description for messages, in wn__text_buffer */
void wn__tensor_assert(const wn_tensor *t); /* tensor/sound.c, for WN_ASSERT_ALL: a handle is what this file says of it */

/* ---- making handles; all return an owned reference (+1 real), or NULL when memory is short or what was asked for cannot be: a negative
 * size, more elements, bytes or strides than 63 bits can say, an element outside the storage. No error is recorded: wn__fail_memory
 * reports either. So of every handle numel is exact, the product of any of its sizes fits, and its elements lie in its storage. */
wn_tensor *wn__tensor_new(wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides /* NULL: row-major */);
/* Same storage, other geometry; no autograd state. */
wn_tensor *wn__tensor_view(const wn_tensor *base, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset);
/* The same, its elements read as another dtype's; strides and offset are in those. */
wn_tensor *wn__tensor_view_as(const wn_tensor *base, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset);
/* A row-major or dense tensor without memory yet: its storage is to wait for a value. */
wn_tensor *wn__tensor_unfilled(wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides);
wn_tensor *wn__tensor_meta(wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides); /* the same, on the meta device: it never gets any */
bool wn__storage_fill(wn__storage *s); /* gives an unfilled storage its memory; false: none to be had */
void wn__storage_unfill(wn__storage *s); /* takes that memory back */
wn__storage *wn__storage_unfilled(size_t bytes);
wn_tensor *wn__tensor_like(const wn_tensor *t, wn_dtype dtype); /* fresh, of the shape of t, which is small and row-major */
wn_tensor *wn__tensor_alias(const wn_tensor *t); /* a view with the same geometry (detach) */
wn_tensor *wn__tensor_wrap(void *data, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides,
                           void (*deleter)(void *), void *ctx);
/* Replaces t's storage and geometry by src's. Its changes are counted where they were before, this one if `counts`. */
void wn__tensor_assign(wn_tensor *t, const wn_tensor *src, bool counts);
void wn__uncount(wn_tensor *t); /* its changes, and those of views made of it, are counted apart from here on, from 0 */

static inline wn_tensor *wn__retain(wn_tensor *t) {
    WN_ASSERT(t->magic == WN__MAGIC);
    atomic_fetch_add_explicit(&t->refs, WN__REF_REAL, memory_order_relaxed);
    return t;
}
void wn__tensor_free(wn_tensor *t);
void wn__tell_owner(wn_tensor *t);   /* of a dead handle, which it gives back with wn__handle_give */
void wn__handle_give(wn_tensor *t);
wn_status wn__expose(const char *op, wn_tensor *t); /* wn_expose for `op` */
bool wn__adopt(wn__storage *s); /* s is exposed: has that ended by what wn_exposed_until was told? */
static inline void wn__release(wn_tensor *t) {
    WN_ASSERT(!t || (t->magic == WN__MAGIC && (uint32_t)t->refs > 0)); /* of a live handle, by somebody who has a reference */
    if (t && atomic_fetch_sub_explicit(&t->refs, WN__REF_REAL, memory_order_acq_rel) == WN__REF_REAL) wn__tensor_free(t);
}
static inline uint32_t wn__real_refs(const wn_tensor *t) { return (uint32_t)atomic_load_explicit(&t->refs, memory_order_relaxed); }
void wn__storage_release(wn__storage *s);
void wn__storage_free(wn__storage *s); /* the last reference went */
/* Before t's memory is changed by anything but a deferred operation: runs what is pending on it and sees to it that values
 * which have still to read the old contents get them. False and an error record when that fails. */
static inline bool wn__before_write(const wn_tensor *t) {
    WN_ASSERT(t->magic == WN__MAGIC);
    wn__storage *s = t->storage;
    return __builtin_expect(!wn__watched(s), 1) || wn__settle_slow(s);
}

/* The fields of an args struct (which begin with size_) that a caller built against another header and we both know; others are
 * zero. False: size_ is not set. */
bool wn__take_args(void *to, size_t size, const void *from);

static inline uint32_t wn__version(const wn_tensor *t) {
    const wn__storage *s = t->storage;
    if (__builtin_expect(!(t->flags & WN__T_SHIFTED), 1)) return atomic_load_explicit(&s->version, memory_order_relaxed);
    if (t->flags & WN__T_UNCOUNTED) return atomic_load_explicit(&s->uncounted, memory_order_relaxed) + t->version_shift;
    return atomic_load_explicit(&t->counter->version, memory_order_relaxed);
}
/* Of all changes of the memory, through whatever handle: for those that must not miss one. */
static inline uint32_t wn__changes(const wn_tensor *t) {
    const wn__storage *s = t->storage;
    return atomic_load_explicit(&s->version, memory_order_relaxed) + atomic_load_explicit(&s->uncounted, memory_order_relaxed);
}
static inline void wn__bump_version(wn_tensor *t, const char *op) {
    wn__storage *s = t->storage;
    const bool elsewhere = __builtin_expect(t->flags & WN__T_SHIFTED, 0);
    atomic_fetch_add_explicit(elsewhere ? &s->uncounted : &s->version, 1, memory_order_relaxed);
    if (elsewhere && !(t->flags & WN__T_UNCOUNTED)) atomic_fetch_add_explicit(&t->counter->version, 1, memory_order_relaxed);
    s->last_mutator = op;
}

/* ---- geometry */
/* Views may have any number of elements; what an operation visits, and what is pending, has at most as many: more than memory holds. */
#define WN__MOST_ELEMENTS ((int64_t)1 << 48)
/* Writes to t could touch one element twice (expanded or self-overlapping); torch's has_internal_overlap, exact. */
bool wn__overlaps_itself(const wn_tensor *t);
/* 0: disjoint, 1: some memory is shared but not element for element, 2: the very same elements. */
int wn__overlap_slow(const wn_tensor *a, const wn_tensor *b);
static inline int wn__overlap(const wn_tensor *a, const wn_tensor *b) {
    return a->storage == b->storage ? wn__overlap_slow(a, b) : 0;
}
/* The offset of t's i-th part along dim; t's own where that is no number (t has no elements then). */
static inline int64_t wn__offset_at(const wn_tensor *t, int dim, int64_t i) {
    WN_ASSERT(dim >= 0 && dim < t->ndim);
    bool over = false;
    const int64_t at = wn__add(t->offset, wn__mul(i, t->strides[dim], &over), &over);
    return over || at < 0 ? t->offset : at;
}
static inline bool wn__same_shape(const wn_tensor *a, const wn_tensor *b) {
    if (a->ndim != b->ndim) return false;
    for (int i = 0; i < a->ndim; i++)
        if (a->shape[i] != b->shape[i]) return false;
    return true;
}
/* Do t's elements lie as strides say (NULL: row by row)? Those of dimensions of size 1 do not count. */
static inline bool wn__lies_so(const wn_tensor *t, const int64_t *strides) {
    if (!strides) return t->contiguous;
    for (int i = 0; i < t->ndim; i++)
        if (t->shape[i] != 1 && t->strides[i] != strides[i]) return false;
    return true;
}
#endif
