/* Pending values: what deferred operations leave behind instead of results. docs/deferred.md explains the whole.
 *
 * A value is immutable: one operation and links to what it reads (its *uses*). Its *cone* is all that is pending behind
 * it, itself included. A storage that waits to be computed has a current value (storage->pending), whose *home* it is.
 * A change in place gives the storage another value and leaves the old one to its readers. A READY value stands for the
 * contents of a storage as they are now. It exists only while pending values read it (storage->reads), so that a change
 * of the memory finds them. Element i of a value lies at element i of its (dense) memory: its flat order. One lock,
 * wn__defer_lock, guards all of this. */
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
    WN__V_FOLD,    /* a reduction: one value for each row, for each column, or for all */
    WN__V_PRODUCT, /* a contraction (defer/product.c) */
    WN__V_RANDOM,  /* draws from a stream; reads nothing */
    WN__V_LEAF     /* the contents of a storage: READY from the beginning */
} wn__vkind;

typedef enum wn__ukind {
    WN__U_NUMBER, /* one number for every element */
    WN__U_SAME,   /* element i of the reader (of what a fold folds) takes element i of the source */
    WN__U_ROW,    /* the source has one value for each row of the reader */
    WN__U_VIEW    /* any other layout: the source must be in memory */
} wn__ukind;

enum { WN__MAX_USES = 4, WN__USE_DIMS = 4, WN__USE_OPAQUE = 255 /* a product's operand: its layout is in the kept call */ };

/* A reader's link to what it reads; also an element of the source's list of readers. */
typedef struct wn__use {
    wn__value *src, *reader;
    struct wn__use *next, **at;
    uint8_t kind, ct; /* ct: the compute type that the reader wants */
    uint8_t dtype;    /* of the source's elements */
    uint8_t ndim;     /* VIEW, ROW: layout of the source's memory along the reader's flat order */
    union {
        int64_t number; /* NUMBER: in compute type ct */
        int64_t offset; /* bytes */
    };
    int64_t shape[WN__USE_DIMS], strides[WN__USE_DIMS]; /* strides in bytes */
} wn__use;

struct wn__value {
    int32_t refs;        /* by uses of readers, the storage that is its home, and runs in progress */
    uint8_t state, kind;
    uint8_t dtype, ct;
    uint8_t nuses;
    uint8_t fold_space, fold_kind; /* FOLD: wn__space of the result, wn__reduce_kind */
    bool tape;           /* a tape node may read it later */
    bool asked;          /* a gradient that was asked for: somebody will read it */
    bool at_once;        /* the call that recorded it runs it, too */
    bool wide;           /* when recorded, it took a pass over many elements, which small results may join */
    bool fresh;          /* its storage had no memory when it was recorded */
    uint8_t runs;        /* how often it was computed without being stored */
    uint8_t depth;       /* longest chain of programs behind it */
    uint16_t cone, leaves; /* upper bounds for its cone: instructions, and operands in memory */
    double work;         /* upper bound for its cone: cost, tenths of ns */
    const wn_op *op;
    wn__kernel fn;
    int64_t numel;
    int64_t walked;      /* FOLD: elements that are folded */
    int64_t row;         /* FOLD: elements per result (ROW, ALL), or number of columns (COLUMN) */
    double p;            /* FOLD: order of a norm, correction */
    void *product;       /* PRODUCT: what runs it */
    wn__draws *draws;    /* RANDOM */
    wn__storage *home;   /* the storage that waits for it; NULL: only readers want it */
    wn__storage *store;  /* READY: where it lies; owns a reference */
    wn__fact *fact;      /* its storage's fact (support/fact.h) while it has no storage; owned */
    wn_tensor *handle;   /* the handle it is known by, while that lives (not owned) */
    wn__use *readers;
    wn__value *next, *prev; /* all pending values, in order of recording */
    wn__value *next_dead;
    uint64_t left_by, left_as; /* hashes (company.c): the program that left it out, and its name there; 0: none */
    uint32_t site;       /* where its work is counted (base/counters.h); 0: no report was open */
    int64_t event;       /* if site is not 0: the call that recorded it (tensor/events.h) */
    uint32_t mark, seen; /* scratch for passes over values */
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
    bool stopped;  /* the last failed run was interrupted: its root is still pending */
} wn__defer_state;
extern wn__defer_state wn__deferred;
extern _Atomic int64_t wn__short_pieces; /* pieces of products shorter than WN__PIECE_LEAST; no lock needed */
extern _Atomic int64_t wn__defer_from; /* operations on fewer elements are not deferred; INT64_MAX: none is */
int64_t wn__defer_threshold(void);     /* the same, reading the environment first; no lock needed */

/* ---- how much may be pending (limits.c) */
enum { WN__CONE_MOST = 56, WN__LEAVES_MOST = 28, WN__DEPTH_MOST = 12 };
/* For a value whose uses are linked: runs sources until its cone fits into a program. False: a run failed. */
bool wn__limit_cone(wn__value *v);
/* After recording: runs v when v, or all values together, keep too much memory alive. */
void wn__limit_pinned(wn__value *v);

/* ---- values (value.c) */
wn__value *wn__value_new(wn__vkind kind, wn_dtype dtype, int64_t numel); /* refs 1, in no list; NULL: no memory */
void wn__value_unref(wn__value *v);
void wn__value_link(wn__value *reader, int use, wn__value *src); /* takes a reference to src */
void wn__value_unlink_all(wn__value *v); /* v reads nothing any more */
/* A new reference to the value that s has now: pending, or READY (made if need be). NULL: no memory. */
wn__value *wn__value_of(wn__storage *s);
/* Makes s, which had memory or another value, the home of v. Takes a reference to v. */
void wn__value_home(wn__value *v, wn__storage *s);
/* The same for the storage of the result t, by which v is then known. May run v when too much memory is pinned. */
void wn__value_publish(wn__value *v, wn_tensor *t);
void wn__value_ready(wn__value *v, wn__storage *s); /* v lies in s: its home, or its own (takes that reference) */
void wn__value_bad(wn__value *v);
bool wn__value_kept(const wn__value *v);  /* is its handle owned by others than scopes and the tape? */
bool wn__value_taped(const wn__value *v); /* does a tape node still keep it? */

/* ---- recording (record.c) */
/* Must t be read and written at once, since outsiders know its address? */
static inline bool wn__exposed(const wn_tensor *t) {
    return __builtin_expect(__atomic_load_n(&t->storage->exposed, __ATOMIC_RELAXED) != 0, 0) && !wn__adopt(t->storage);
}
/* May operations on t be deferred: is it neither bad nor exposed nor on the meta device? */
static inline bool wn__may_defer(const wn_tensor *t) { return !wn__exposed(t) && wn__pending(t->storage) != &wn__bad_value && !wn__is_meta(t); }
typedef struct wn__operand {
    wn_tensor *t; /* NULL: the number v */
    wn_val v;
    uint8_t ct;
    bool mask, plain; /* outside promotion: a mask; a number that the row takes as it is */
} wn__operand;
typedef enum wn__deferral { WN__NOT_DEFERRED, WN__DEFERRED, WN__DEFER_FAILED } wn__deferral;
/* A pointwise row over operands that broadcast to `shape`. Result: dtype and strides (NULL: row-major), computed in ct.
 * It is left in c->out[0]: a fresh handle, or c->target changed in place. */
wn__deferral wn__defer_pointwise(wn__call *c, wn__kernel fn, wn_dtype dtype, wn__ct ct, const wn__operand *x, int n, int ndim,
                                 const int64_t *shape, const int64_t *strides);
/* Makes y, which has no memory yet, t in y's dtype and strides. False: not deferred. */
bool wn__defer_copy(const wn_op *op, wn_tensor *y, const wn_tensor *t);
/* Replaces all of dst by src, which is broadcast. False: not deferred. */
bool wn__defer_overwrite(const wn_op *op, wn_tensor *dst, wn_tensor *src);
/* The fold of t over the dimensions in `set`. */
wn__deferral wn__defer_fold(wn__call *c, wn__reduce_kind kind, wn_tensor *t, uint32_t set, wn_dtype out, double p);
/* Makes c->out[0], row-major and without memory yet, draws from g: uniform in [a, b), or normal with mean a and
 * standard deviation b. Their stretch of the stream is taken now. */
wn__deferral wn__defer_random(wn__call *c, wn_generator *g, bool normal, double a, double b);
/* Notes that the tape reads t in backward. */
void wn__defer_note_tape(wn_tensor *t);
static inline void wn__defer_taped(wn_tensor *t) {
    if (wn__pending(t->storage)) wn__defer_note_tape(t);
}
/* t is a leaf's complete gradient: runs it now if waiting keeps more memory than it takes. False: that failed. */
bool wn__defer_leaf(wn_tensor *t);
void wn__defer_asked(wn_tensor *t);  /* somebody asked for t */
void wn__defer_follow(wn_tensor *t); /* t is the handle that its pending value is known by from now on */

/* ---- products (product.c) */
bool wn__product_may_wait(const wn__call *c); /* do its operands allow it? */
bool wn__product_waits(wn_dtype dtype, int ndim, const int64_t *shape); /* is the result worth it? */
wn_status wn__product_record(wn__call *c); /* gives c->out[0], which has no memory yet, its value */
void wn__product_free(wn__value *v);
/* Computes v into the memory `to`; its elements pass through the sink (NULL: none). */
wn_status wn__product_run(wn__value *v, void *to, wn__sink *sink);

/* ---- running (run.c) */
/* Runs v. True: READY. False: an error is on record; v is BAD or, if interrupted (wn__deferred.stopped), pending. */
bool wn__value_run(wn__value *v);

#endif
