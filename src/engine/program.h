/* Kernel programs: a short list of row instructions over blocks of elements that stay in L1.
 *
 * A program walks `numel` elements in one flat order. Every operand knows by itself where element i of that order lies
 * (its own shape and strides), so operands of different layouts meet without copies. With row > 0 the order is seen as
 * numel/row rows of `row` elements: folds along a row give one value a row, which later instructions use in the same row
 * (softmax, layer norm in one pass), and folds over all rows give one value a column.
 *
 * Registers are the leaves, then the results of the instructions. A register lives in a space:
 *   FULL    one value for each element
 *   ROW     one value for each row; read by a FULL instruction it is repeated along the row
 *   COLUMN  one value for each column, ALL  one value: results of folds that only an output may take
 *
 * A guard is a mask (a bool register) with a polarity: instructions under it are needed only where the mask has that
 * value. In each block: none - not run; all - run straight; some - run on the elements that count, compacted, when that is
 * cheaper. Their results are read by instructions under the same guard (or one inside it) and by SELECT. */
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
    char *base;          /* NULL: handed in with each piece (wn__program_piece) */
    uint8_t dtype;
    uint8_t ct;          /* the compute type it is loaded as (stored from) */
    uint8_t space;       /* FULL or ROW; outputs: any */
    bool constant;       /* base points to one value of compute type ct: the same for every element */
    int ndim;            /* the operand's own view of the flat order; its sizes multiply to the elements of its space */
    int64_t shape[WN_MAX_DIMS];
    int64_t strides[WN_MAX_DIMS]; /* bytes */
} wn__leaf;

typedef enum wn__what {
    WN__DO_KERNEL,  /* dst = fn(src...) */
    WN__DO_CONVERT, /* dst = src[0] in compute type ct, rounded to dtype */
    WN__DO_SELECT,  /* dst = src[0] ? src[1] : src[2]; fn does it when all are there */
    WN__DO_FOLD,    /* dst = fold of src[0] along the row (ROW), over the rows (COLUMN) or over all elements (ALL) */
    WN__DO_RANDOM   /* dst = make(ctx, ...): a function of the element's number; FULL, under no guard, never narrower than ct */
} wn__what;

/* Elements [begin, begin + n) of the flat order; called from any thread, perhaps more than once for the same ones. */
typedef void (*wn__make)(const void *ctx, int64_t begin, int64_t n, void *out);

typedef struct wn__instr {
    wn__kernel fn;      /* KERNEL, SELECT */
    uint8_t what, space; /* of the result */
    uint8_t nsrc, ct;
    uint8_t dtype;      /* of the result: where it is narrower than ct (f16, bf16, i8, i16, u8) every value is rounded to it */
    uint8_t guard;      /* 0: always; g: only where guards[g - 1] wants it */
    uint16_t cost;      /* tenths of ns an element */
    uint8_t src[WN__MAX_SRC];
    uint8_t kind;       /* FOLD: a wn__reduce_kind that needs no index (SUM PROD MIN MAX ANY ALL NONZERO MEAN VAR STD LSE NORM) */
    uint8_t from;       /* FOLD: dtype of the elements */
    double p;           /* FOLD: as in wn__reduction */
    wn__make make;      /* RANDOM */
    const void *ctx;
} wn__instr;

typedef struct wn__output {
    wn__leaf to;
    uint8_t src;
    bool in_place; /* its memory is some leaf's as well, element for element: written when a block's instructions are done */
} wn__output;

typedef struct wn__guard {
    uint8_t mask;     /* register, compute type b8 */
    uint8_t parent;   /* 0: none; g: inside guards[g - 1], of which the mask may be a part */
    bool polarity;
} wn__guard;

typedef struct wn__program {
    int nleaves, ninstrs, noutputs, nguards;
    int64_t numel;
    int64_t row; /* 0: no rows */
    wn__leaf leaves[WN__MAX_LEAVES];
    wn__instr instrs[WN__MAX_INSTRS]; /* in an order in which sources come first */
    wn__output outputs[WN__MAX_OUTPUTS];
    wn__guard guards[WN__MAX_GUARDS];
} wn__program;

/* Layout of an operand: dims of `shape` taken in the order order[0] (outermost) .. (NULL: as they are), those of size 1
 * dropped, neighbours merged where the strides (bytes) allow it. */
void wn__leaf_layout(wn__leaf *l, int ndim, const int64_t *shape, const int64_t *strides, const int *order);
/* The order of dimensions in which the first of n views that tells two dimensions apart has the larger stride outside. */
void wn__program_order(int ndim, const int64_t *shape, const int64_t *const *strides, int n, int *order);

void wn__program_assert(const wn__program *p); /* program_sound.c, for WN_ASSERT_ALL: p is what this file says of it */

/* Longest row that may be given; programs with longer ones must be split by the caller. */
#define WN__MAX_ROW 65536

/* Runs p. False when scratch memory could not be had (outputs are then unspecified; in-place ones possibly untouched). */
bool wn__program_run(wn__program *p);

/* Can the runner fold elements of dtype `from` so, into that space? row: length of a row (ROW), number of columns (COLUMN). */
bool wn__program_can_fold(wn__reduce_kind kind, wn__space space, wn_dtype from, int64_t row);

/* A program kept ready, to run again with other operands of the same layout: without folds, random numbers and operands that are first put in order. Between runs the bases of its leaves
 * and outputs may be changed (also which is NULL may not); nothing else. One run at a time. */
typedef struct wn__ready wn__ready;
wn__ready *wn__ready_new(const wn__program *p); /* NULL: no memory, or it has some */
wn__program *wn__ready_program(wn__ready *r);
bool wn__ready_run(wn__ready *r);
void wn__ready_free(wn__ready *r);

/* Piece by piece, for the epilogue of a contraction: no folds, no guards needed. Elements [begin, begin + n) of the flat
 * order; the leaf whose base is NULL is read from `data` (consecutive, register form), and what the first output would
 * store is written back there in register form instead; other outputs go to memory (no ROW output in place: a row may come in several pieces). Pieces may run on several threads. */
typedef struct wn__pieces wn__pieces;
wn__pieces *wn__pieces_new(const wn__program *p); /* NULL: no memory */
bool wn__program_piece(const wn__pieces *r, int64_t begin, int64_t n, void *data, int scratch_slot);
void wn__pieces_free(wn__pieces *r);

/* What the instructions of the calling thread's next program do, one by one, when somebody wants to know. Programs cut into several add up. */
typedef struct wn__meter {
    _Atomic int64_t ran[WN__MAX_INSTRS], skipped[WN__MAX_INSTRS]; /* elements */
    _Atomic int64_t ns[WN__MAX_INSTRS];                           /* of the blocks that were timed, on all threads together */
    _Atomic int64_t blocks, timed;
} wn__meter;
extern __thread wn__meter *wn__meter_now; /* NULL: nobody does */

/* What programs did since the start, for wn_stats: instructions x elements run, and not run thanks to guards. */
extern _Atomic int64_t wn__instr_elements, wn__instr_elements_skipped;
#endif
