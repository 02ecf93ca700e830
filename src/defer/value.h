/* Pending values: what deferred operations leave behind instead of results. docs/deferred.md explains the whole.
 *
 * A value is immutable: one operation and the values that it reads (its uses). A storage has a *current* value while it
 * waits to be computed (storage->pending); a change in place gives the storage another value and leaves the old one to those
 * who read it. A value that is in memory (READY) stands for the contents of a storage as they are now; it exists only while
 * pending values read it (storage->reads), so that a change of the memory finds them.
 *
 * Every value has a flat order: element i of a value lies at element i of its (dense) memory.
 * All of this is guarded by one lock, wn__defer_lock. */
#ifndef WN_DEFER_VALUE_H
#define WN_DEFER_VALUE_H
#include "engine/program.h"
#include "support/fact.h"
#include "table/call.h"
#include "tensor/rng.h"
#include "tensor/scope.h"
#include "tensor/tiers.h"

typedef struct wn__value wn__value;

typedef enum wn__vstate { WN__V_PENDING, WN__V_READY, WN__V_BAD } wn__vstate;
typedef enum wn__vkind {
    WN__V_ROW,     /* an instruction: a pointwise row */
    WN__V_CONVERT, /* its operand in another dtype, or a copy */
    WN__V_FOLD,    /* a reduction: one value a row, a column, or one */
    WN__V_PRODUCT, /* a contraction (defer/product.c) */
    WN__V_RANDOM,  /* draws from a stream; reads nothing */
    WN__V_LEAF     /* made READY: the contents of a storage */
} wn__vkind;

typedef enum wn__ukind {
    WN__U_NUMBER, /* one number for every element */
    WN__U_SAME,   /* element i of the reader takes element i of the source (for folds: element i of what is folded) */
    WN__U_ROW,    /* the source has one value for each row of the reader */
    WN__U_VIEW    /* any other layout: the source must be in memory */
} wn__ukind;

enum { WN__MAX_USES = 4, WN__USE_DIMS = 4, WN__USE_OPAQUE = 255 /* a product's operand: its layout is in the kept call */ };

/* A reader's link to what it reads, also a member of the source's list of readers. */
typedef struct wn__use {
    wn__value *src, *reader;
    struct wn__use *next, **at;
    uint8_t kind, ct; /* ct: the compute type in which the operand is wanted */
    uint8_t dtype;    /* of the source's elements */
    uint8_t ndim;     /* VIEW, ROW: the layout in the source's memory, along the reader's flat order */
    union {
        int64_t number; /* NUMBER: in compute type ct */
        int64_t offset; /* bytes */
    };
    int64_t shape[WN__USE_DIMS], strides[WN__USE_DIMS]; /* strides in bytes */
} wn__use;

struct wn__value {
    int32_t refs;        /* readers' uses, the storage that waits for it, runs in progress */
    uint8_t state, kind;
    uint8_t dtype, ct;
    uint8_t nuses;
    uint8_t fold_space, fold_kind; /* FOLD: wn__space of the result, wn__reduce_kind */
    bool tape;           /* a tape node was given it to read later */
    bool asked;          /* a gradient that was asked for: somebody will read it */
    bool at_once;        /* it runs within the call that recorded it */
    bool wide;           /* computing it walked many elements when it was recorded (a pass over them that small results may join) */
    bool fresh;          /* it would get memory of its own: its storage had none when it was recorded */
    uint8_t runs;        /* how often it was computed without being stored */
    uint8_t depth;       /* longest chain of programs behind it */
    uint16_t cone, leaves; /* upper bounds of the instructions that computing it takes, and of what they read */
    double work;         /* upper bound of its cone's cost, tenths of ns */
    const wn_op *op;
    wn__kernel fn;
    int64_t numel;
    int64_t walked;      /* FOLD: elements that are folded */
    int64_t row;         /* FOLD: length of what one result is folded from (ROW, ALL), or number of columns (COLUMN) */
    double p;            /* FOLD: order of a norm, correction */
    void *product;       /* PRODUCT: what runs it */
    wn__draws *draws;    /* RANDOM */
    wn__storage *home;   /* the storage that waits for this value; NULL: only readers want it */
    wn__storage *store;  /* READY: where it lies (owned) */
    wn__fact *fact;      /* what its storage knew of its zeros (support/fact.h), while it has none; owned */
    wn_tensor *handle;   /* the handle made with it, while that lives (not owned) */
    wn__use *readers;
    wn__value *next, *prev; /* all pending values, in order of recording */
    wn__value *next_dead;
    uint64_t left_by, left_as; /* the program that left it waiting though somebody holds it, and its name there (company.c); 0: none did */
    uint32_t site;       /* who asked for it (base/counters.h); 0: no report was open */
    int64_t event;       /* the call that asked for it (tensor/events.h), where site is not 0 */
    uint32_t mark, seen; /* scratch of the passes that look at it */
    uint16_t index;
    wn__use uses[WN__MAX_USES];
};

/* ---- the lock: recursive, one for the process */
void wn__defer_lock(void);
void wn__defer_unlock(void);

/* ---- statistics and limits; under the lock unless said otherwise */
typedef struct wn__defer_state {
    wn__value *oldest, *newest; /* pending values */
    int64_t count;
    int64_t pinned, pinned_peak; /* bytes of storages that only pending values keep */
    int64_t stored, recomputed, dropped;
    int depth;     /* runs within runs */
    bool stopped;  /* the run that has failed was interrupted: what it was to compute is pending still */
} wn__defer_state;
extern wn__defer_state wn__deferred;
extern _Atomic int64_t wn__short_pieces; /* of products' results (WN__PIECE_LEAST); no lock needed */
extern _Atomic int64_t wn__defer_from; /* elements from which operations are deferred; INT64_MAX: never */
int64_t wn__defer_threshold(void);     /* read from the environment first; no lock needed */

/* ---- how much may be pending (limits.c) */
enum { WN__CONE_MOST = 56, WN__LEAVES_MOST = 28, WN__DEPTH_MOST = 12 };
/* Called with a value whose uses are linked: runs sources until its cone fits into a program. False: a run failed. */
bool wn__limit_cone(wn__value *v);
/* After recording: runs v when it (or everything together) keeps too much memory alive. */
void wn__limit_pinned(wn__value *v);

/* ---- values (value.c) */
wn__value *wn__value_new(wn__vkind kind, wn_dtype dtype, int64_t numel); /* refs 1, not in the list of pending ones; NULL: no memory */
void wn__value_unref(wn__value *v);
void wn__value_link(wn__value *reader, int use, wn__value *src); /* takes a reference of its own */
void wn__value_unlink_all(wn__value *v); /* it reads nothing any more */
/* The value that a storage's contents have now: pending, or a READY one (made if need be). A new reference; NULL: no memory. */
wn__value *wn__value_of(wn__storage *s);
/* v becomes what s waits for; s had memory or had a value. Takes a reference of its own. */
void wn__value_home(wn__value *v, wn__storage *s);
/* The same for the handle of its result, by which it is known; it may run at once when too much memory is pinned. */
void wn__value_publish(wn__value *v, wn_tensor *t);
void wn__value_ready(wn__value *v, wn__storage *s); /* it now lies in s (its home, or one that only it owns; then takes the reference) */
void wn__value_bad(wn__value *v);
bool wn__value_kept(const wn__value *v);  /* somebody other than scopes and the tape owns its handle */
bool wn__value_taped(const wn__value *v); /* a tape node still keeps it */

/* ---- recording (record.c) */
/* Must t be read and written at once? */
static inline bool wn__exposed(const wn_tensor *t) {
    return __builtin_expect(__atomic_load_n(&t->storage->exposed, __ATOMIC_RELAXED) != 0, 0) && !wn__adopt(t->storage);
}
/* Neither bad nor exposed. */
static inline bool wn__may_defer(const wn_tensor *t) { return !wn__exposed(t) && wn__pending(t->storage) != &wn__bad_value && !wn__is_meta(t); }
typedef struct wn__operand {
    wn_tensor *t; /* NULL: the number v */
    wn_val v;
    uint8_t ct;
    bool mask, plain; /* takes no part in promotion: a mask, a number that is no operand of the arithmetic */
} wn__operand;
typedef enum wn__deferral { WN__NOT_DEFERRED, WN__DEFERRED, WN__DEFER_FAILED } wn__deferral;
/* A pointwise row over operands that broadcast to shape; result: dtype and (NULL: row-major) strides, in compute type ct. Leaves
 * the result in c->out[0]: a fresh handle, or c->target changed in place. */
wn__deferral wn__defer_pointwise(wn__call *c, wn__kernel fn, wn_dtype dtype, wn__ct ct, const wn__operand *x, int n, int ndim,
                                 const int64_t *shape, const int64_t *strides);
/* y, which has no memory yet, will be t in y's dtype and strides. False: not deferred. */
bool wn__defer_copy(const wn_op *op, wn_tensor *y, const wn_tensor *t);
/* The same, in place of all that dst holds; src broadcasts. False: not deferred. */
bool wn__defer_overwrite(const wn_op *op, wn_tensor *dst, wn_tensor *src);
/* The fold of t over the dimensions in `set`. */
wn__deferral wn__defer_fold(wn__call *c, wn__reduce_kind kind, wn_tensor *t, uint32_t set, wn_dtype out, double p);
/* c->out[0], row-major and without memory yet, will be draws from g: uniform in [a, b), or normal with mean a and standard deviation b. The stretch
 * of the stream is taken now. */
wn__deferral wn__defer_random(wn__call *c, wn_generator *g, bool normal, double a, double b);
/* Marks that the tape reads t in backward. */
void wn__defer_note_tape(wn_tensor *t);
static inline void wn__defer_taped(wn_tensor *t) {
    if (wn__pending(t->storage)) wn__defer_note_tape(t);
}
bool wn__defer_leaf(wn_tensor *t);   /* t is the gradient of a leaf, complete: runs now when waiting would keep more memory than it takes; false: that failed */
void wn__defer_asked(wn_tensor *t);  /* somebody asked for t */
void wn__defer_follow(wn_tensor *t); /* t is the handle by which its pending value is known from now on */

/* ---- products (product.c) */
bool wn__product_may_wait(const wn__call *c); /* its operands allow it */
bool wn__product_waits(wn_dtype dtype, int ndim, const int64_t *shape); /* its result is worth it */
wn_status wn__product_record(wn__call *c); /* c->out[0] has no memory yet: it gets a value to wait for */
void wn__product_free(wn__value *v);
/* Computes v to memory `to`, its elements passing through the sink (NULL: none). */
wn_status wn__product_run(wn__value *v, void *to, wn__sink *sink);

/* ---- running (run.c) */
/* Afterwards READY (true), or an error is on record (false): BAD, or, interrupted (wn__deferred.stopped), PENDING as before. */
bool wn__value_run(wn__value *v);

#endif
