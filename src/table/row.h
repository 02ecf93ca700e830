/* The form of a row in the .def files of src/ops: an initialiser of this struct, strings only, read by tools/wngen.
 *
 * grad: "self: mul(g, other); other: mul(g, self)", an expression of rows for each tensor argument. Leaves: argument
 * names, g (the result's cotangent; g0, g1 ... of several), y (the result; y0 ...), k(number), true, false, none. What
 * it names is saved. The engine sums a gradient to the argument's shape and casts it to the argument's dtype.
 * vjp: instead of grad, the name of a C function (wn__builder); `save` then lists what it reads ("self weight y0"), and
 * `diff` the arguments that it can differentiate. */
#ifndef WN_OPS_ROW_H
#define WN_OPS_ROW_H
#include "table/op.h"

typedef struct wn__row {
    const char *family;  /* the heading of the rows that follow, in docs/operations.md, and defaults for them
                          * (tools/wngen/defaults.c); no row */
    const char *sig;
    const char *cname;   /* the C name where it is not torch's */
    wn__class cls;
    wn__types types;     /* POINTWISE */
    const char *expr;    /* POINTWISE: a C expression over the operands a, b, c, d; T is the compute type */
    const char *iexpr;   /* the same for integer compute types, where it differs; "-": no integer kernel */
    const char *near;    /* expr (or iexpr) is one call of this function, which has a fast path for most arguments:
                          * FN(near_is_near) tests for it, FN(near_near) computes it */
    const char *many;    /* expr is one call of this function of one or two operands, which wn__<many>_many computes for
                          * blocks of elements (engine/math/lanes.h); "name f64": in f64 only */
    const char *loop;    /* expr is one call of this function of one operand, whose loops are written by hand
                          * (engine/level/<loop>_row.h): wn__<loop>_row in f32, wn__<loop>_halves for f16 and bf16 */
    const char *bits;    /* expr on the bits of f16 or bf16 numbers (unsigned a, b) */
    bool seldom;         /* so rarely used that its loops are few: AVX-512 takes AVX2's, whose results are the same; the
                          * portable level goes element by element; none for numbers as operands or narrower elements */
    const char *bexpr;   /* an expression for bool operands, on bytes 0 and 1 */
    uint8_t cost;        /* time of an element of expr in a program, in tenths of ns, roughly: a sum 1, a division 3,
                          * exp 6. Needed where expr calls a function; else it is counted */
    const char *unit;    /* "alpha: a + b": the expression for when that number is 1 */
    const char *shorter; /* POINTWISE, "exponent: 2 square": with 2 as its last operand, exponent, it is the row
                          * square */
    const char *infer;   /* infer, run, fn and vjp name a C function, or one with arguments, "wn__infer_sort(self, dim)"
                          * (tools/wngen/functions.c). infer: C function that checks the arguments. VIEW: makes the results. KERNEL: declares them without
                          * memory (wn__result); DATA_DEPENDENT or LAZY rows without .run make them in it */
    const char *run;     /* KERNEL: C function that fills c->out[0] ...; only memory and values can still be wrong */
    const char *fn;      /* COMPOSITE: the C function. POINTWISE: a check that runs before (optional) */
    const char *formula; /* COMPOSITE: an expression in the language of grad, "mul(self, pow(k(2), other))". For several
                          * results: one call that has as many, or an expression for each, separated by ;. fn is then a
                          * check before it (optional) */
    const char *args_of; /* it has this earlier row's args struct: they share fn, or a function reads both */
    int dims;            /* rows that share fn: their number of spatial dimensions, where they differ in it */
    const char *which;   /* the constant of ops/which.h in which rows that share a function differ: c->op->which */
    const char *grad, *vjp, *save, *diff;
    wn__moves moves;     /* VIEW and KERNEL rows whose gradient reads no differentiable number: how it moves elements of
                          * the cotangents. KERNEL rows along a dimension: LINES, or NOT */
    const char *product; /* moves = PRODUCT: the dimensions of its two operands and of the result, "...mk,...kn->...mn";
                          * a 1-d operand under two letters has the summed one. "labels": the row's own arguments say
                          * it; "-": windows of the operands */
    const char *lines;   /* moves = LINES: what makes a line of the first tensor. "dim": the argument that gives its
                          * dimensions (left out: all); "normalized_shape": one with as many entries as there are last
                          * dimensions; "num_groups": one that says how many lines dimension 1 and what follows make;
                          * "matrix": the last two dimensions; "halves": an element of each half of dim; "classes":
                          * dimension 1 (of vectors 0). Arguments with equal dimensions have equal lines */
    const char *layout;  /* how results lie in memory, as PyTorch's (call/layout.h). "plain": row by row; "format input
                          * weight": channels last if one of these is; "formats": if all of its list are; "kept self":
                          * as self; "columns": as LAPACK's matrices; "dense input": as batch norm's; "lines self": of
                          * lines that torch makes planes of. Where results are named, too, it is about those only */
    const char *title;   /* what torch calls its nodes (grad_fn=<AddBackward0>), where that is not made of the name and
                          * 0: "dim: 1", "!self: Rsub1", "=CopyBackwards" (tools/wngen/titles.c) */
    const char *title_of; /* instead, where it depends on dimensions or a mode: a C function (wn__title_of) */
    const char *selects; /* POINTWISE, "condition self other": a row that chooses between two operands: the mask, the
                          * operand taken where it is true, the one where it is false */
    const char *support; /* where its result exists (grad/support.h). "above self threshold": where !(self <=
                          * threshold), and is self there, else 0; "clean mask": where mask is true, else 0 */
    uint8_t zero;        /* KEEPS: a zero of the first tensor operand gives a zero (of either sign); MEETS: a zero of
                          * any does; NOT: neither. POINTWISE rows with one tensor operand must say it, others may */
    const char *fact;    /* the C function that says off which support its only result is zero (support/fact.h; owned, NULL:
                          * nothing is known): rows that write zeros whose places follow from their arguments */
    uint8_t autocast;    /* wn__policy: KEEP, NARROW, FLOAT32, WIDEST */
    uint8_t results;     /* in torch, several results are a named tuple (NAMED) or a plain one (PLAIN) */
    uint8_t numbers_only; /* where each of several operands may be a number: torch takes calls with numbers only (TAKEN)
                          * or wants a tensor (REFUSED) */
    uint32_t flags;
    int cargs;           /* number of positional arguments of the C macro, where it is more than the required ones; -1:
                          * the last required one is a list given as loose arguments */
    const char *fewer;   /* the C macro with fewer arguments is this row's: wn_randint(high, size) is
                          * wn_randint_below */
    const char *numbers; /* "self other": tensor arguments that may be numbers, too, as in torch. (A POINTWISE row takes
                          * numbers for all of several tensors; this says which ones bindings let through) */
    const char *python;  /* the places where torch has it, "torch Tensor nn linalg special", where the rule of
                          * tools/wngen/parse.c does not find them; "-": nowhere */
    const char *doc;
} wn__row;

#define POINTWISE WN__POINTWISE
#define VIEW WN__VIEW
#define KERNEL WN__KERNEL
#define COMPOSITE WN__COMPOSITE
#define NOT WN__MOVES_NOT
#define STRAIGHT WN__MOVES_STRAIGHT
#define ONE WN__MOVES_ONE
#define SOME WN__MOVES_SOME
#define PRODUCT WN__MOVES_PRODUCT
#define LINES WN__MOVES_LINES
#define KEEPS WN__ZERO_KEEPS
#define MEETS WN__ZERO_MEETS
#define KEEP WN__AUTOCAST_KEEP
#define NARROW WN__AUTOCAST_NARROW
#define FLOAT32 WN__AUTOCAST_FLOAT32
#define WIDEST WN__AUTOCAST_WIDEST
#define NAMED 1
#define PLAIN 2
#define TAKEN 1
#define REFUSED 2
#define INPLACE WN__F_INPLACE
#define NODIFF WN__F_NODIFF
#define RANDOM WN__F_RANDOM
#define MAY_RAISE WN__F_MAY_RAISE
#define MUTATES WN__F_MUTATES
#define DATA_DEPENDENT WN__F_DATA_DEPENDENT
#define INPLACE_ONLY WN__F_INPLACE_ONLY
#define NO_OUT WN__F_NO_OUT
#define OUT_EXACT WN__F_OUT_EXACT
#define NUMBERS_FIT WN__F_NUMBERS_FIT
#define ONE_VALUE WN__F_ONE_VALUE
#define NO_BOOL WN__F_NO_BOOL
#define ELEMENTS WN__F_ELEMENTS
#define CREATES WN__F_CREATES
#define LIKE WN__F_LIKE
#define UNSET WN__F_UNSET
#define SIZE_ROUNDS WN__F_SIZE_ROUNDS
#define TITLED WN__F_TITLED
#define MIXES WN__F_MIXES
#define VALUES WN__F_VALUES
#define STEPS WN__F_STEPS
#define SOMETIMES WN__F_SOMETIMES
#define LAZY WN__F_LAZY
#define SHARES WN__F_SHARES
#define WAITS (WN__F_WAITS | WN__F_LAZY)
#define SAME WN__TY_SAME
#define FLOAT WN__TY_FLOAT
#define COMPARE WN__TY_COMPARE
#define LOGICAL WN__TY_LOGICAL
#define BITS WN__TY_BITS
#define FLOAT_ONLY WN__TY_FLOAT_ONLY
#define NUMBER WN__TY_NUMBER
#define COUNTS WN__TY_COUNTS
#endif
