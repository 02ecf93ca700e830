/* A reduction, prepared: dimensions merged where strides allow it, the fold chosen. Shared by the reduce*.c files. It is
 * the form of the table of kernels (kernel_table.h). Their call is the wn__reduction, which alone holds addresses. */
#ifndef WN_ENGINE_REDUCE_PLAN_H
#define WN_ENGINE_REDUCE_PLAN_H
#include <stdatomic.h>
#include <string.h>
#include "base/dtype.h"
#include "engine/kernel_table.h"
#include "engine/reduction.h"
#include "engine/reduce_kernels.h"

/* What a run or several have come to. Plain folds use v alone. */
typedef struct wn__rstate {
    union {
        float f;
        double d;
        int64_t i;
    } v;      /* accumulator; the extreme value; VAR: mean (d); LSE: largest (d) */
    double w; /* VAR: sum of squared deviations from the mean; LSE: sum of exp(x - largest) */
    int64_t n; /* VAR: elements; ARG: number of the extreme element in the sequence */
} wn__rstate;

typedef enum wn__rshape { WN__RS_FOLD, WN__RS_VAR, WN__RS_LSE, WN__RS_ARG, WN__RS_COUNT } wn__rshape;

typedef struct wn__rplan {
    const wn__reduce_kernels *k;
    wn_dtype dtype; /* in memory */
    wn__elem elem; /* what runs are made of */
    wn__fold fold;
    wn__rshape shape;
    bool largest;    /* ARG */
    bool masked;
    bool direct;     /* memory holds runs as they are (stride 1, no conversion) */
    double param;    /* the fold's: the bytes of an element */
    size_t size;     /* bytes of an element in memory */
    int nkept, nred;
    wn__reduce_dim kept[WN_MAX_DIMS], red[WN_MAX_DIMS];
    int column; /* the kept dimension that vectors should run along, or -1: elements are read one result at a time */
    int64_t outputs, n; /* how many results; positions that each reduces */
    int64_t chunk;      /* runs that one task folds: a power of two */
    atomic_bool no_memory, empty;
} wn__rplan;

void wn__reduce_plan(const wn__reduction *r, wn__rplan *p);
/* How a kind of reduction is folded; param: the fold's, as the bytes of an element. */
wn__rshape wn__choose_fold(wn__reduce_kind kind, double p, wn__elem elem, wn__fold *fold, double *param);

/* Bytes of a plain fold's accumulator. */
static inline size_t wn__rplan_acc(const wn__rplan *p) { return p->elem == WN__E_F32 && p->fold != WN__FOLD_NONZERO ? 4 : 8; }

/* Element i of floats or doubles, as double. */
static inline double wn__elem_at(wn__elem e, const void *v, int64_t i) {
    return e == WN__E_F32 ? (double)((const float *)v)[i] : ((const double *)v)[i];
}
static inline void wn__elem_put(wn__elem e, void *v, int64_t i, double x) {
    const float f = (float)x;
    if (e == WN__E_F32) memcpy((float *)v + i, &f, sizeof f);
    else memcpy((double *)v + i, &x, sizeof x);
}

/* ---- states */
void wn__rstate_of_run(const wn__rplan *p, const void *x, int64_t n, int64_t first, wn__rstate *s);
void wn__rstate_merge(const wn__rplan *p, wn__rstate *a, const wn__rstate *b);
/* Runs merged like a binary counter: slot i holds 2^i runs. */
typedef struct wn__rcounter {
    uint64_t runs;
    wn__rstate slot[48];
} wn__rcounter;
void wn__rcounter_push(const wn__rplan *p, wn__rcounter *c, wn__rstate *s);
bool wn__rcounter_end(const wn__rplan *p, wn__rcounter *c, wn__rstate *s); /* false: nothing was pushed */
/* Writes the results at offset o; count elements were folded into s (not read when count is 0). at: the logical index for
 * ARG. */
void wn__rstate_put(wn__rplan *p, const wn__reduction *r, int64_t o, const wn__rstate *s, int64_t count, int64_t at);
/* The same for w accumulators of plain folds at o, o + step, ... */
void wn__rstates_put(wn__rplan *p, const wn__reduction *r, int64_t o, int64_t step, int64_t w, const void *acc,
                     int64_t count);

/* ---- the sequence of elements that count, for one result */
typedef struct wn__rwalk {
    const wn__rplan *p;
    const char *x; /* start of the current segment (innermost reduced dimension) */
    const uint8_t *m;
    int64_t index[WN_MAX_DIMS];
    int64_t pos;  /* in the segment */
    int64_t left; /* positions */
    int64_t held; /* elements compacted in `raw` and not yet handed out ... */
    int64_t held_at; /* ... starting here */
    int64_t skip; /* counting elements to pass over first */
    char *raw;    /* room for 2 * WN__RUN elements as in memory */
    char *run;    /* room for WN__RUN elements converted */
} wn__rwalk;
#define WN__RWALK_BYTES ((size_t)3 * WN__RUN * 8)
void wn__rwalk_start(wn__rwalk *w, const wn__rplan *p, const char *x, const uint8_t *m, char *room);
void wn__rwalk_seek(wn__rwalk *w, int64_t position);
/* The next run: a pointer to *n elements, valid until the next call; *n = 0 at the end. */
const void *wn__rwalk_next(wn__rwalk *w, int64_t *n);
/* The next elements that follow each other along the innermost reduced dimension, at most `most`. */
const void *wn__rwalk_piece(wn__rwalk *w, int64_t most, int64_t *n);
/* Counting positions among the next `positions` ones (moves on). */
int64_t wn__rwalk_count(wn__rwalk *w, int64_t positions);
/* The logical position of counting element number `which` (from the walker's place). */
int64_t wn__rwalk_locate(wn__rwalk *w, int64_t which);

/* ---- sequences that run across memory (reduce_turned.c): elements first ... first + n of one result that starts at x. room: as many bytes
 * as wn__reduce_turned_bytes says. */
bool wn__reduce_is_turned(const void *form);
size_t wn__reduce_turned_bytes(const wn__rplan *p);
void wn__reduce_turned(const wn__rplan *p, const char *x, int64_t first, int64_t n, char *room, wn__rstate *s);

/* Rows of fewer elements are folded side by side: where there is a kernel for rows as they lie, it needs little more than their elements
 * (halves: whole registers of them). */
static inline int64_t wn__rplan_short(const wn__rplan *p) {
    if (p->shape != WN__RS_FOLD || !wn__rows_of(p->k, p->fold, p->dtype, p->elem)) return 96;
    return wn__elem_is(p->dtype, p->elem) ? 16 : 48;
}

/* ---- the ways through memory, all of which fill all results (reduction.c has their table) */
extern const wn__kernel_table wn__reduction_kernels;
bool wn__reduce_rows_suits(const void *form);
wn__ran wn__reduce_rows(void *form, const void *call);
bool wn__reduce_columns_suit(const void *form);
wn__ran wn__reduce_columns(void *form, const void *call);
bool wn__reduce_short_rows_suit(const void *form);
wn__ran wn__reduce_short_rows(void *form, const void *call);
bool wn__reduce_exact_suits(const void *form);
wn__ran wn__reduce_exact(void *form, const void *call);
bool wn__reduce_segments_suit(const void *form);
wn__ran wn__reduce_segments(void *form, const void *call);
wn__ran wn__reduce_across(void *form, const void *call);
wn__ran wn__reduce_sequence(void *form, const void *call);

/* Runs in a chunk: 64, fewer (not under `least`) while there are less than four tasks for each thread. Powers of two, so that
 * the tree stays the same. Without chunks there would be `tasks`. */
static inline int64_t wn__rplan_chunk(const wn__rplan *p, int64_t tasks, int64_t least) {
    int64_t chunk = 64, enough = 4 * wn_num_threads();
    while (chunk > least && tasks * (p->n / (chunk * WN__RUN)) < enough) chunk /= 2;
    return chunk;
}

static inline const char *wn__rx(const wn__rplan *p, const char *x, int64_t elements) { return x + elements * (int64_t)p->size; }
/* Offsets of result number i (row-major over the kept dimensions). */
static inline void wn__rplan_at(const wn__rplan *p, int64_t i, int64_t *x, int64_t *m, int64_t *o) {
    *x = *m = *o = 0;
    for (int d = p->nkept - 1; d >= 0; d--) {
        int64_t size = p->kept[d].size, j = d ? i % size : i;
        if (d) i /= size;
        *x += j * p->kept[d].x;
        *m += j * p->kept[d].m;
        *o += j * p->kept[d].o;
    }
}
#endif
