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
    size_t bytes;             /* the size in which all elements of its tensors lie */
    size_t capacity;          /* what the allocator gave; 0: inline or foreign memory */
    void (*deleter)(void *);  /* foreign memory */
    void *deleter_ctx;
    struct wn__value *pending; /* what computes data (src/defer/value.h); NULL: nothing to run. Read it with wn__pending. */
    struct wn__value *reads;   /* the contents as they are, as a value that pending values read; NULL: none does */
    const char *last_mutator;    /* name of the operation that changed it last, for autograd's messages */
    uint32_t exposed;            /* number of outsiders that know its address: while > 0, operations run at once */
    bool pinned;                 /* only pending values refer to it; limits.c has counted it */
    uint8_t device;              /* 0: main memory; WN_META: no memory, and pending is wn__meta_value for ever */
    uint8_t finite_as;           /* WN__MARK_FINITE: the dtype as which all its memory is finite */
    uint8_t unused;              /* zero: one store sets exposed, pinned, device, finite_as and this */
    bool (*alone)(void *ctx);    /* foreign memory (wn_exposed_until): is the address unknown outside by now? */
    _Atomic uint32_t uncounted;  /* changes through WN__T_SHIFTED handles, which version does not count */
    _Atomic int32_t counters;    /* SHIFTED handles that count here, plus 1 for itself (0: never any), and marks (below) */
    struct wn__fact *fact;       /* WN__MARK_FACT: what is known of its zeros (support/fact.h), owned; else unused */
    void (*free_fact)(struct wn__fact *f);
    _Atomic uint32_t finite_at;  /* WN__MARK_FINITE: the number of changes for which that holds */
    unsigned char inline_data[64] __attribute__((aligned(64))); /* the data of tiny tensors */
} wn__storage;

/* Bits of storage.counters for what is rare, so that one test finds all storages that are not freed the usual way. */
enum {
    WN__MARK_FOREIGN = 1 << 30, /* its memory is not the allocator's */
    WN__MARK_GIVEN = 1 << 29,   /* somebody got its address to write to it (wn_data_mut), perhaps again later */
    WN__MARK_FACT = 1 << 28,
    WN__MARK_FINITE = 1 << 27,
    WN__MARKS = WN__MARK_FOREIGN | WN__MARK_GIVEN | WN__MARK_FACT | WN__MARK_FINITE
};
static inline bool wn__storage_marked(const wn__storage *s, int32_t mark) { return atomic_load_explicit(&s->counters, memory_order_acquire) & mark; }
static inline void wn__storage_mark(wn__storage *s, int32_t mark) {
    if (!wn__storage_marked(s, mark)) atomic_fetch_or_explicit(&s->counters, mark, memory_order_acq_rel);
}

#define WN__MAGIC 0x574e5431u /* in every live handle: "WNT1" */
#define WN__DEAD 0xdeadbeefu

enum {
    WN__T_REQUIRES_GRAD = 1,  /* a leaf that wants a gradient */
    WN__T_INFERENCE = 2,      /* made in inference mode */
    WN__T_RETAINS_GRAD = 4,
    WN__T_WEAK = 8,           /* made from a number: promotes like one */
    WN__T_OWNED = 16,         /* slot 1 holds a value: the owner is told when the handle ends */
    WN__T_UNCOUNTED = 32,     /* torch's `.data`, and views of it: autograd ignores changes through it. Also SHIFTED */
    WN__T_SHIFTED = 64        /* its changes count elsewhere: it was moved to another storage, or is uncounted */
};

/* refs holds two counts, so that "does anybody but a scope want this?" is one load: in the low half real references
 * (kept handles, the tape, lists, bindings), in the high half those of scopes. */
#define WN__REF_REAL ((uint64_t)1)
#define WN__REF_SCOPE ((uint64_t)1 << 32)

/* The mode in which a view was made: its history, and whether it may be changed in place, depend on it. */
enum { WN__VIEW_RECORDED, WN__VIEW_NO_GRAD, WN__VIEW_INFERENCE };
/* Autograd state of a handle (src/grad). */
typedef struct wn__grad_meta {
    void (*free)(wn_tensor *t); /* frees all of it when the handle ends (grad/tape.c) */
    struct wn_node *node; /* what made the handle; NULL: a leaf or untracked */
    uint32_t out_nr;
    uint32_t view_version; /* views: the version of the storage that node belongs to */
    wn_tensor *grad;   /* .grad */
    wn_tensor *base;   /* views: the tensor that owns the history of the storage (retained) */
    uint8_t view_of;   /* views: WN__VIEW_RECORDED ... */
    bool multi_view;   /* one of several views that one call made (split, unbind): not to be changed in place */
    struct wn__hook *hooks;   /* of a leaf */
} wn__grad_meta;

struct wn_tensor {
    _Atomic uint64_t refs;
    union { /* call/small.c compares all fields as one word */
        struct {
            uint32_t magic;
            uint8_t dtype;
            uint8_t ndim;
            uint8_t flags;
            uint8_t contiguous; /* row-major without gaps: 1 in main memory, 2 on another device; else 0 */
        };
        uint64_t word;
    };
    wn__storage *storage;
    int64_t offset; /* elements */
    int64_t numel;
    wn__grad_meta *grad; /* NULL: no state; else grad_state */
    wn__grad_meta grad_state;
    void *user[2];
    union {                  /* WN__T_SHIFTED */
        wn__storage *counter;   /* SHIFTED: the first storage, which counts its and its older views' changes */
        uint32_t version_shift; /* UNCOUNTED: what to add to the storage's `uncounted` */
    };
    int64_t shape[WN_MAX_DIMS];
    int64_t strides[WN_MAX_DIMS]; /* elements */
};

/* ---- what this folder calls in src/defer (value.c, settle.c), which stands above it; there are no other such calls */
extern struct wn__value wn__bad_value; /* pending for ever: the value of a storage whose computation failed */
extern struct wn__value wn__meta_value; /* pending for ever: the value of storages on the meta device */
void *wn__storage_run(wn__storage *s); /* runs what is pending; NULL and an error record after a failure */
bool wn__settle_slow(wn__storage *s);  /* the slow path of wn__before_write, where s is watched */
/* For a watched s: a handle that its value is known by ends or gets another storage (NULL: none does), and, if
 * `reference`, a reference to s is dropped. */
void wn__storage_drop(wn__storage *s, const wn_tensor *handle, bool reference);

/* ---- data: wn__ptr is the only way to memory */
static inline struct wn__value *wn__pending(const wn__storage *s) { return __atomic_load_n(&s->pending, __ATOMIC_ACQUIRE); }
/* Is s watched: does it wait for a pending value, or does one read it? */
static inline bool wn__watched(const wn__storage *s) {
    return ((uintptr_t)__atomic_load_n(&s->pending, __ATOMIC_ACQUIRE) | (uintptr_t)__atomic_load_n(&s->reads, __ATOMIC_ACQUIRE)) != 0;
}
/* Is t on the meta device? The storage is read only if `contiguous` does not tell. */
static inline bool wn__is_meta(const wn_tensor *t) { return __builtin_expect(t->contiguous != 1, 0) && t->storage->device == WN_META; }
static inline char *wn__ptr(const wn_tensor *t) {
    WN_ASSERT(t->magic == WN__MAGIC);
    wn__storage *s = t->storage;
    void *data = __builtin_expect(wn__pending(s) != NULL, 0) ? wn__storage_run(s) : s->data;
    return data ? (char *)data + (size_t)t->offset * wn__dtype_size(t->dtype) : NULL;
}

/* ---- the bad tensor, which stands for the result of a failed operation */
extern wn_tensor wn__bad_tensor;
static inline bool wn__is_bad(const wn_tensor *t) { return t == &wn__bad_tensor; }
wn_tensor *wn__bad_memory(const char *op); /* wn__fail_memory; returns the bad tensor */
/* Records any failure and is the bad tensor: `return wn__bad(WN_E_VALUE, "stack", "...")`. */
#define wn__bad(...) (wn__fail(__VA_ARGS__), &wn__bad_tensor)
const char *wn__desc(const wn_tensor *t); /* a short description for messages, in wn__text_buffer */
void wn__tensor_assert(const wn_tensor *t); /* tensor/sound.c, for WN_ASSERT_ALL: checks the invariants of a handle */

/* ---- making handles. All return an owned reference (+1 real), or NULL when memory is short or the handle cannot
 * exist: it has a negative size, more elements, bytes or strides than fit 63 bits, or an element outside the storage.
 * They record no error: wn__fail_memory reports which it was. So numel of a handle is exact, the product of any of its
 * sizes fits, and its elements lie in its storage. */
wn_tensor *wn__tensor_new(wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides /* NULL: row-major */);
/* Same storage, other geometry; no autograd state. */
wn_tensor *wn__tensor_view(const wn_tensor *base, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset);
/* The same, with the bytes read as elements of another dtype; strides and offset count those. */
wn_tensor *wn__tensor_view_as(const wn_tensor *base, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset);
/* A row-major or dense tensor without memory yet, whose storage is about to get a pending value. */
wn_tensor *wn__tensor_unfilled(wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides);
wn_tensor *wn__tensor_meta(wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides); /* on the meta device */
bool wn__storage_fill(wn__storage *s); /* gives an unfilled storage its memory; false: memory is short */
void wn__storage_unfill(wn__storage *s); /* takes that memory back */
wn__storage *wn__storage_unfilled(size_t bytes);
wn_tensor *wn__tensor_like(const wn_tensor *t, wn_dtype dtype); /* new, of t's shape; t is small and row-major */
wn_tensor *wn__tensor_alias(const wn_tensor *t); /* a view with the same geometry (detach) */
wn_tensor *wn__tensor_wrap(void *data, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides,
                           void (*deleter)(void *), void *ctx);
/* Replaces t's storage and geometry by src's. t's changes count where they did; this one if `counts`. */
void wn__tensor_assign(wn_tensor *t, const wn_tensor *src, bool counts);
void wn__uncount(wn_tensor *t); /* counts changes of t and of its later views apart (WN__T_UNCOUNTED), from 0 */

static inline wn_tensor *wn__retain(wn_tensor *t) {
    WN_ASSERT(t->magic == WN__MAGIC);
    atomic_fetch_add_explicit(&t->refs, WN__REF_REAL, memory_order_relaxed);
    return t;
}
void wn__tensor_free(wn_tensor *t);
void wn__tell_owner(wn_tensor *t);   /* of a dead handle; frees it by wn__handle_give */
void wn__handle_give(wn_tensor *t);
wn_status wn__expose(const char *op, wn_tensor *t); /* wn_expose on behalf of `op` */
bool wn__adopt(wn__storage *s); /* has the exposure of s ended (wn_exposed_until)? */
static inline void wn__release(wn_tensor *t) {
    WN_ASSERT(!t || (t->magic == WN__MAGIC && (uint32_t)t->refs > 0)); /* alive, and the caller has a reference */
    if (t && atomic_fetch_sub_explicit(&t->refs, WN__REF_REAL, memory_order_acq_rel) == WN__REF_REAL) wn__tensor_free(t);
}
/* WN__OWNED wn_tensor *t = ...: a reference that ends with the block, whichever way that is left. */
static inline void wn__release_owned(wn_tensor **t) { wn__release(*t); }
#define WN__OWNED __attribute__((cleanup(wn__release_owned)))
static inline uint32_t wn__real_refs(const wn_tensor *t) { return (uint32_t)atomic_load_explicit(&t->refs, memory_order_relaxed); }
void wn__storage_release(wn__storage *s);
void wn__storage_free(wn__storage *s); /* after the last reference was dropped */
/* To be called before anything but a deferred operation changes t's memory: runs what is pending on it, and runs or
 * gives copies to values that have still to read the old contents. False and an error record when that fails. */
static inline bool wn__before_write(const wn_tensor *t) {
    WN_ASSERT(t->magic == WN__MAGIC);
    wn__storage *s = t->storage;
    return __builtin_expect(!wn__watched(s), 1) || wn__settle_slow(s);
}

/* Copies the fields of an args struct that both the caller's header and ours have, and zeroes the others. False: the
 * struct's first field, size_, is not set. */
bool wn__take_args(void *to, size_t size, const void *from);

static inline uint32_t wn__version(const wn_tensor *t) {
    const wn__storage *s = t->storage;
    if (__builtin_expect(!(t->flags & WN__T_SHIFTED), 1)) return atomic_load_explicit(&s->version, memory_order_relaxed);
    if (t->flags & WN__T_UNCOUNTED) return atomic_load_explicit(&s->uncounted, memory_order_relaxed) + t->version_shift;
    return atomic_load_explicit(&t->counter->version, memory_order_relaxed);
}
/* Counts all changes of the memory, whichever handle made them. */
static inline uint32_t wn__storage_changes(const wn__storage *s) {
    return atomic_load_explicit(&s->version, memory_order_relaxed) + atomic_load_explicit(&s->uncounted, memory_order_relaxed);
}
static inline uint32_t wn__changes(const wn_tensor *t) { return wn__storage_changes(t->storage); }
static inline void wn__bump_version(wn_tensor *t, const char *op) {
    wn__storage *s = t->storage;
    const bool elsewhere = __builtin_expect(t->flags & WN__T_SHIFTED, 0);
    atomic_fetch_add_explicit(elsewhere ? &s->uncounted : &s->version, 1, memory_order_relaxed);
    if (elsewhere && !(t->flags & WN__T_UNCOUNTED)) atomic_fetch_add_explicit(&t->counter->version, 1, memory_order_relaxed);
    s->last_mutator = op;
}

/* ---- geometry */
/* The most elements that an operation visits, or a pending value has: more than memory holds. Views may have more. */
#define WN__MOST_ELEMENTS ((int64_t)1 << 48)
/* May a write to t touch an element twice (expanded or self-overlapping)? torch's has_internal_overlap, exact. */
bool wn__overlaps_itself(const wn_tensor *t);
/* 0: disjoint, 1: some memory is shared but not element for element, 2: the very same elements. */
int wn__overlap_slow(const wn_tensor *a, const wn_tensor *b);
static inline int wn__overlap(const wn_tensor *a, const wn_tensor *b) {
    return a->storage == b->storage ? wn__overlap_slow(a, b) : 0;
}
/* The offset of t's i-th part along dim; t's own where it overflows (t has no elements then). */
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
/* Do t's elements lie as `strides` say (NULL: row by row)? Strides of dimensions of size 1 do not count. */
static inline bool wn__lies_so(const wn_tensor *t, const int64_t *strides) {
    if (!strides) return t->contiguous;
    for (int i = 0; i < t->ndim; i++)
        if (t->shape[i] != 1 && t->strides[i] != strides[i]) return false;
    return true;
}
#endif
