/* Programs: short lists of row instructions over blocks of elements that stay in L1.
 *
 * A program walks `numel` elements in one flat order. Each operand has a shape and strides of its own that say where
 * element i of that order lies, so operands of different layouts meet without copies. With row > 0 the order consists
 * of numel/row rows of `row` elements. A fold along rows gives a value for each row, which later instructions use in
 * the same row (softmax, layer norm in one pass); a fold over all rows gives a value for each column.
 *
 * Registers are the leaves, then the results of instructions. A register lives in a *space*: FULL: a value for each
 * element. ROW: a value for each row; a FULL instruction reads it repeated along the row. COLUMN: a value for each
 * column; ALL: one value. These two are results of folds, which only outputs may take.
 *
 * A guard is a mask (a bool register) with a polarity. Instructions under it are needed only where the mask has that
 * value. In each block they are not run if no element counts, run straight if all do, and otherwise run on the
 * compacted elements that count, if that is cheaper. Instructions under the same guard (or one inside it) and SELECT
 * read the results. */
#ifndef WN_ENGINE_PROGRAM_H
#define WN_ENGINE_PROGRAM_H
#include "engine/kernels.h"
#include "engine/reduction.h"

enum {
#if defined(WN_HOSTILE) && WN_HOSTILE
    WN__BLOCK = 48, /* ends in the middle of vectors, of words of bits and of runs */
#else
    WN__BLOCK = 512,
#endif
    WN__MAX_LEAVES = 32,
    WN__MAX_INSTRS = 96,
    WN__MAX_OUTPUTS = 16,
    WN__MAX_GUARDS = 8,
    WN__MAX_SRC = 6
};

typedef enum wn__space { WN__FULL, WN__ROW, WN__COLUMN, WN__ALL } wn__space;

typedef struct wn__leaf {
    char *base;          /* NULL: passed with each piece (wn__program_piece) */
    uint8_t dtype;
    uint8_t ct;          /* compute type that it is loaded as, or stored from */
    uint8_t space;       /* FULL or ROW; for outputs any */
    bool constant;       /* base points to one value of compute type ct, for every element */
    int ndim;            /* its view of the flat order; the sizes multiply to the elements of its space */
    int64_t shape[WN_MAX_DIMS];
    int64_t strides[WN_MAX_DIMS]; /* bytes */
} wn__leaf;

typedef enum wn__what {
    WN__DO_KERNEL,  /* dst = fn(src...) */
    WN__DO_CONVERT, /* dst = src[0] in compute type ct, rounded to dtype */
    WN__DO_SELECT,  /* dst = src[0] ? src[1] : src[2]; fn does it if all sides are computed */
    WN__DO_FOLD,    /* dst = fold of src[0] along the row (ROW), over the rows (COLUMN) or over all elements (ALL) */
    WN__DO_RANDOM   /* dst = make(ctx, ...), a function of the element's number; FULL, no guard, not narrower than ct */
} wn__what;

/* Makes elements [begin, begin + n) of the flat order, on any thread and perhaps more than once. */
typedef void (*wn__make)(const void *ctx, int64_t begin, int64_t n, void *out);

typedef struct wn__instr {
    wn__kernel fn;      /* KERNEL, SELECT */
    uint8_t what, space; /* of the result */
    uint8_t nsrc, ct;
    uint8_t dtype;      /* of the result; if narrower than ct (f16, bf16, i8, i16, u8) values are rounded to it */
    uint8_t guard;      /* 0: always needed; g: only where guards[g - 1] wants it */
    uint16_t cost;      /* tenths of ns an element */
    uint8_t src[WN__MAX_SRC];
    uint8_t kind;       /* FOLD: a wn__reduce_kind, not NANSUM, COUNT or one with indices */
    uint8_t from;       /* FOLD: dtype of the elements */
    double p;           /* FOLD: as in wn__reduction */
    wn__make make;      /* RANDOM */
    const void *ctx;
} wn__instr;

typedef struct wn__output {
    wn__leaf to;
    uint8_t src;
    bool in_place; /* a leaf has the same memory, element for element: stored at the end of each block */
} wn__output;

typedef struct wn__guard {
    uint8_t mask;     /* a register of compute type b8 */
    uint8_t parent;   /* 0: none; g: it lies inside guards[g - 1], and the mask may be computed under that */
    bool polarity;
} wn__guard;

typedef struct wn__program {
    int nleaves, ninstrs, noutputs, nguards;
    int64_t numel;
    int64_t row; /* 0: no rows */
    wn__leaf leaves[WN__MAX_LEAVES];
    wn__instr instrs[WN__MAX_INSTRS]; /* sources come before their readers */
    wn__output outputs[WN__MAX_OUTPUTS];
    wn__guard guards[WN__MAX_GUARDS];
} wn__program;

/* Fills a leaf's layout with the dimensions of `shape`, in the order order[0] (outermost) .. (NULL: as they are). Size
 * 1 is dropped; neighbours are merged where strides (bytes) allow it. */
void wn__leaf_layout(wn__leaf *l, int ndim, const int64_t *shape, const int64_t *strides, const int *order);
/* An order of dimensions: the outer of two has the larger stride in the first of n views that tells them apart. */
void wn__program_order(int ndim, const int64_t *shape, const int64_t *const *strides, int n, int *order);

void wn__program_assert(const wn__program *p); /* program_sound.c, for WN_ASSERT_ALL: checks the invariants of p */

/* The longest row; the caller must split programs with longer ones. */
#define WN__MAX_ROW 65536

/* Runs p. False: scratch memory was short; outputs are then unspecified (in-place ones possibly untouched). */
bool wn__program_run(wn__program *p);

/* Can the runner do this fold of elements of dtype `from`? row: length of a row (ROW), number of columns (COLUMN). */
bool wn__program_can_fold(wn__reduce_kind kind, wn__space space, wn_dtype from, int64_t row);

/* A program that is kept ready, to run again with other operands of the same layout. It has no folds, random numbers or
 * operands that are first put in order. Between runs only the bases of its leaves and outputs may change, and not which
 * of them are NULL. One run at a time. */
typedef struct wn__ready wn__ready;
wn__ready *wn__ready_new(const wn__program *p); /* NULL: no memory, or p has some of those */
wn__program *wn__ready_program(wn__ready *r);
bool wn__ready_run(wn__ready *r);
void wn__ready_free(wn__ready *r);

/* A program without folds that runs piece by piece, as the epilogue of a contraction. A piece is the elements [begin,
 * begin + n) of the flat order. The leaf whose base is NULL is read from `data` (consecutive, register form), and the
 * first output is written back there in register form instead of being stored; other outputs go to memory. No ROW
 * output may be in place, since a row may come in several pieces. Pieces may run on several threads. */
typedef struct wn__pieces wn__pieces;
wn__pieces *wn__pieces_new(const wn__program *p); /* NULL: no memory */
bool wn__program_piece(const wn__pieces *r, int64_t begin, int64_t n, void *data, int scratch_slot);
void wn__pieces_free(wn__pieces *r);

/* Measures instructions of the calling thread's next program, if somebody asks. Parts of a program add up. */
typedef struct wn__meter {
    _Atomic int64_t ran[WN__MAX_INSTRS], skipped[WN__MAX_INSTRS]; /* elements */
    _Atomic int64_t ns[WN__MAX_INSTRS];                           /* of blocks that were timed, in all threads */
    _Atomic int64_t blocks, timed;
} wn__meter;
extern __thread wn__meter *wn__meter_now; /* NULL: nobody asks */

/* For wn_stats: instructions x elements that programs have run, and not run thanks to guards. */
extern _Atomic int64_t wn__instr_elements, wn__instr_elements_skipped;
#endif
