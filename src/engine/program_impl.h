/* A program made ready to run; shared by the program*.c files.
 *
 * The flat order is walked in blocks. Without rows a block has some 1,024 elements. Short rows are taken whole, several
 * at a time. Of long rows (STAGED) a block is a part, and the work between two folds is a *stage*: all blocks of a row
 * go through a stage before any goes through the next, and only values that later stages read are kept for the whole
 * row.
 *
 * Registers beyond the program's own are other forms of its values: a ROW register repeated along the rows, a register
 * compacted by a guard. Each step knows its registers. A register's place is decided once (a slot of scratch memory,
 * shared if lives do not overlap) or moves with the block (a leaf or an output in place). */
#ifndef WN_ENGINE_PROGRAM_IMPL_H
#define WN_ENGINE_PROGRAM_IMPL_H
#include "base/level.h"
#include "engine/block.h"
#include "engine/program.h"
#include "engine/reduction.h"
#include "engine/reduce_plan.h"

/* The most that a program can need, copies and repeated forms included; compacted registers as many as then fit. */
enum {
    WN__MAX_REGS = 512,
    WN__MAX_STEPS = WN__MAX_INSTRS * (WN__MAX_SRC + 3) + WN__MAX_REGS,
    WN__MAX_MOVING = 2 * WN__MAX_LEAVES + 2 * WN__MAX_OUTPUTS + WN__MAX_INSTRS,
    WN__NO_REG = 0xffff
};

typedef enum wn__op_code {
    WN__OP_KERNEL,
    WN__OP_CONVERT,
    WN__OP_LOAD,   /* of leaf `index` */
    WN__OP_STORE,  /* to output `index` */
    WN__OP_SPLAT,  /* repeats a ROW register along the rows */
    WN__OP_SCAN,   /* counts the mask of guard `index` and decides how to run */
    WN__OP_GATHER, /* compacts by guard `index`; if all elements count, dst is src by another name */
    WN__OP_SELECT, /* its sides are under guards src[3] and src[4] (0: at its own level) */
    WN__OP_RANDOM, /* of instruction `index` */
    WN__OP_FOLD_ROW,  /* folds a block of whole rows; fold `index`, as in the next ones */
    WN__OP_FOLD_PART, /* folds a part of a row */
    WN__OP_FOLD_END,  /* the result of the parts */
    WN__OP_FOLD_COLUMN,
    WN__OP_FOLD_ALL
} wn__op_code;

typedef struct wn__step {
    wn__kernel fn;
    uint8_t op, index;
    uint8_t level; /* the guard whose elements it works on */
    uint8_t when;  /* skipped while this guard, `level` or one inside it, wants nothing */
    bool rows;     /* works on one value for each row */
    uint8_t nsrc, ct;
    uint8_t round; /* a dtype narrower than ct that values are rounded to; 0: none */
    uint8_t key;   /* 2 * stage, + 1 for steps that run block by block (STAGED) */
    uint16_t dst, src[WN__MAX_SRC];
} wn__step;

/* How elements of a leaf or an output are reached. */
typedef enum wn__reach {
    WN__FLAT,   /* base + i * step */
    WN__COLUMN_LIKE, /* in every row the same ones */
    WN__PIECES  /* in runs of the innermost dimension */
} wn__reach;

typedef struct wn__view {
    const wn__leaf *l;
    int64_t step;  /* of the innermost dimension, bytes */
    int ndim;      /* l's, or one less if l repeats along rows and is read as ROW */
    uint8_t reach, size;
    bool rows;     /* indexed by row */
    bool ready;    /* in register form, side by side */
    bool once;     /* loaded once, when a worker starts */
} wn__view;

/* A register whose place moves with the block. */
typedef enum wn__motion { WN__BY_ELEMENT, WN__BY_ROW, WN__IN_ROW, WN__BY_SEEK } wn__motion;
typedef struct wn__moving {
    char *base; /* NULL: at `offset` in the scratch memory */
    size_t offset;
    int64_t step;
    const wn__view *view; /* BY_SEEK */
    const wn__leaf *leaf; /* base is the base of this leaf; NULL: scratch */
    uint16_t reg;
    uint8_t motion;
} wn__moving;

typedef struct wn__fold_plan {
    const wn__instr *in;
    wn__elem elem;
    wn__fold fold;
    wn__rshape shape;
    double param;
    uint16_t reg;    /* result */
    int64_t chunk;   /* ALL: runs of a part; COLUMN: rows of a part */
    int64_t nparts;
    char *parts;     /* ALL: wn__rstate; COLUMN: arrays of `row` accumulators */
    size_t acc;      /* bytes of an accumulator of a column */
    int levels;      /* COLUMN: slots of the counter within a part */
} wn__fold_plan;

typedef enum wn__walk { WN__BLOCKS, WN__TILES, WN__STAGED, WN__PIECEWISE } wn__walk;

typedef struct wn__prepared {
    const wn__program *p;
    const wn__kernels *k;
    const wn__block_kernels *bk;
    const wn__reduce_kernels *rk;
    int walk;
    int data_leaf;    /* PIECEWISE: the leaf that is passed with each piece */
    bool data_direct; /* PIECEWISE: the first output is computed in the piece */
    int nregs, nsteps, nmoving, nonce, nfolds, nstages;
    int64_t row, rows;  /* 0: no rows */
    int64_t tile;       /* rows in a block (TILES) */
    int64_t block;      /* elements of a block, at most */
    int64_t unit;       /* the fewest elements for a worker: whole blocks, whole parts of folds */
    wn__meter *meter; /* NULL: none */
    bool guarded, keeps_rows; /* keeps_rows: some registers have one value for each row */
    bool failed;
    bool decided;     /* the only result, any or all, is known already (program_parts.c): no more units are needed */
    _Atomic int64_t looked_at; /* if it can be decided early: elements of units that were run */
    bool fetch; /* operands exceed the inner caches: prefetch */
    size_t bytes, fold_bytes, round_at, bits_at, bits_step;
    size_t offset[WN__MAX_REGS]; /* of each register's slot; NOWHERE: the register moves */
    uint8_t ct[WN__MAX_REGS];
    bool is_rows[WN__MAX_REGS];
    uint8_t level[WN__MAX_REGS];
    uint8_t guard_of[WN__MAX_GUARDS + 1], parent[WN__MAX_GUARDS + 1]; /* given up: the one around it */
    int64_t guard_cost[WN__MAX_GUARDS + 1];
    int guard_instrs[WN__MAX_GUARDS + 1]; /* number of instructions directly under it */
    wn__view leaf[WN__MAX_LEAVES], out[WN__MAX_OUTPUTS];
    uint8_t once[WN__MAX_LEAVES];
    uint16_t stage_at[WN__MAX_INSTRS * 2 + 3]; /* the first step of each key */
    wn__fold_plan *folds;
    wn__moving moving[WN__MAX_MOVING];
    wn__step steps[WN__MAX_STEPS];
} wn__prepared;
#define WN__NOWHERE SIZE_MAX

/* program_prepare.c. pieces: for wn__pieces. `folds` has room for the program's folds. */
void wn__prepare(wn__prepared *pp, const wn__program *p, bool pieces, wn__fold_plan *folds);
/* program_flat.c: finds a kernel that does all of p, row after row (false: there is none), and runs it. */
typedef struct wn__flat {
    wn__kernel fn;
    int run;     /* elements that fn takes at a time; 0: any number */
    int64_t chunk, period; /* elements of short rows done as one (0: one by one), and of a period of them */
    bool spread; /* fn takes single operands as arrays, too */
    int64_t row; /* length of rows in which operands and result lie side by side or are single */
    int nsrc;
    struct wn__flat_source {
        uint8_t leaf, size; /* size: bytes of an element */
        bool single;        /* one value for a row, or for all */
        bool again, column; /* with chunks: the same in every row; a value for each row, side by side */
        wn__load load;      /* single: converts it to a number for fn; NULL: it is one */
    } src[WN__MAX_SRC];     /* in fn's order */
} wn__flat;
bool wn__flat_of(const wn__program *p, wn__flat *f);
bool wn__flat_run(const wn__program *p, const wn__flat *f);
/* The kernel of fn's row (fn is in f32) for f16 or bf16, the first n operands being tensors; NULL: there is none. */
wn__kernel wn__half_kernel(wn__kernel fn, int dtype, int n);
/* program_chain.c: finds kernels for f16 or bf16 that do p one after the other (false: it cannot), and runs them. */
enum { WN__CHAIN_MOST = 12 };
typedef struct wn__chain {
    int n;
    wn__kernel fn[WN__CHAIN_MOST];
    int8_t out[WN__CHAIN_MOST]; /* the output that is this instruction's result; -1: none */
} wn__chain;
bool wn__chain_of(const wn__program *p, wn__chain *c);
bool wn__chain_run(const wn__program *p, const wn__chain *c);
/* program_steps.c: fn's kernel for operands of which all but the first (exchanged: the second of two) are one value.
 * NULL: none. */
wn__kernel wn__single_of(wn__kernel fn, bool exchanged);
bool wn__flat_fold(const wn__program *p, wn__reduction *r); /* is p one fold of flat memory? Then *r does it */
/* program_copy.c: runs p as a copy of bytes (*ok: as wn__program_run). False: p is no such program. */
bool wn__copy_run(const wn__program *p, bool *ok);
/* Operands of p whose neighbours lie along another dimension than in the flat order, copied in order (up to
 * WN__STRAIGHTEN_MOST bytes each) until the program has run. */
enum { WN__STRAIGHTENED = 3, WN__STRAIGHTEN_MOST = 1 << 25 };
typedef struct wn__straightened {
    int n;
    struct wn__straight {
        int leaf;
        wn__leaf was;
        char *room;
        size_t capacity;
    } of[WN__STRAIGHTENED];
} wn__straightened;
bool wn__has_across(const wn__program *p);
bool wn__straighten(wn__program *p, wn__straightened *s); /* false: no memory; nothing has changed */
void wn__straightened_end(wn__program *p, wn__straightened *s);
/* Runs a large program with such operands by bands, each put in order (*ok: as wn__program_run). False: it cannot. */
bool wn__banded_run(const wn__program *p, bool (*run)(wn__program *), bool *ok);
/* program.c: counts a program of n elements that ran all of its instructions on each. */
void wn__program_count(int64_t n, int ninstrs);
static inline void wn__meter_add(_Atomic int64_t *counter, int64_t n) { atomic_fetch_add_explicit(counter, n, memory_order_relaxed); }
void wn__programs_joined(int64_t n); /* program.c: n programs were parts of one */
/* program_guard.c: finds which guards can be followed, and their costs. */
void wn__prepare_guards(wn__prepared *pp, const uint8_t *stage);
void wn__guards_off(wn__prepared *pp);

/* ------------------------------------------------------------------ running */

typedef enum wn__guard_state { WN__G_NONE, WN__G_STRAIGHT, WN__G_COMPACT } wn__guard_state;
typedef struct wn__folder wn__folder;

typedef struct wn__worker {
    const wn__prepared *pp;
    char *scratch;
    wn__folder *folder; /* one for each fold */
    int64_t begin, n;   /* the block */
    int64_t row0, nrows;
    int64_t n_at[WN__MAX_GUARDS + 1]; /* elements on each level; level 0 is the block */
    uint8_t state[WN__MAX_GUARDS + 1];
    int64_t ran[WN__MAX_GUARDS + 1]; /* elements that guards wanted, in all blocks */
    char *data;         /* PIECEWISE: where the first output is put */
    unsigned turn;      /* number of blocks that the meter has seen */
    char *reg[WN__MAX_REGS];
} wn__worker;

/* program_layout.c: moves n elements of a view, from number `begin` on, with conversion. */
void wn__view_load(const wn__prepared *pp, const wn__view *v, wn__ct ct, int64_t begin, int64_t n, char *to);
void wn__view_store(const wn__prepared *pp, const wn__view *v, wn__ct ct, int64_t begin, int64_t n, const char *from);
char *wn__view_seek(const wn__view *v, int64_t i, int64_t *left); /* element i; *left: evenly spaced ones */

/* program_block.c */
bool wn__worker_start(wn__worker *w, const wn__prepared *pp, int slot);
void wn__block_run(wn__worker *w, const wn__step *s, const wn__step *end); /* runs steps on w's block */
void wn__block_move(wn__worker *w, int64_t in_row);
void wn__load_once(const wn__prepared *pp, char *scratch);

/* program_fold.c */
size_t wn__folds_bytes(const wn__prepared *pp); /* bytes of a worker's folders */
void wn__folds_start(wn__worker *w, char *room);
void wn__folds_unit(wn__worker *w, int64_t begin); /* the worker's next unit begins at this element */
void wn__folds_unit_end(wn__worker *w);
void wn__fold_step(wn__worker *w, const wn__step *s);

/* program_parts.c */
void wn__fold_plan_of(wn__fold_plan *f, const wn__instr *in, wn__ct from);
void wn__fold_describe(const wn__prepared *pp, const wn__fold_plan *f, wn__reduction *r, wn__rplan *p);
static inline wn__rstate *wn__part_of(const wn__fold_plan *f, int64_t i) { return (wn__rstate *)(void *)f->parts + i; }
/* Cuts the work into units of about `want` elements, where folds can be cut; room for parts. False: no memory. */
bool wn__folds_cut(wn__prepared *pp, int64_t want);
/* Is any or all over everything the program's only result? Then each unit ends by asking whether it is known yet. */
bool wn__folds_decidable(const wn__prepared *pp);
bool wn__folds_decided(const wn__prepared *pp, int64_t begin, int64_t n);
void wn__folds_finish(const wn__prepared *pp); /* joins the parts and stores the results */
void wn__folds_free(wn__prepared *pp);
#endif
