/* The form of a row in the .def files of src/ops: an initialiser of this struct, strings only, read by tools/wngen.
 *
 * grad: "self: mul(g, other); other: mul(g, self)": for each tensor argument an expression of rows. Leaves: argument names,
 * g (cotangent of the only result; g0, g1 ... with several), y (the result; y0 ...), k(number), true/false, none.
 * What it names is what is saved. A gradient is summed to the argument's shape and cast to its dtype by the engine.
 * vjp: instead of grad, the name of a C function (wn__builder); `save` then lists what it reads ("self weight y0"),
 * `diff` the arguments it can differentiate. */
#ifndef WN_OPS_ROW_H
#define WN_OPS_ROW_H
#include "table/op.h"

typedef struct wn__row {
    const char *family;  /* no row: the heading of those that follow, for docs/operations.md; beside it only defaults of theirs (tools/wngen/defaults.c) */
    const char *sig;
    const char *cname;   /* C name when it is not the torch name */
    wn__class cls;
    wn__types types;     /* pointwise */
    const char *expr;    /* pointwise: C expression over operands a, b, c, d (T: compute type) */
    const char *iexpr;   /* the same for integer compute types, when different; "-": no integer kernel */
    const char *near;    /* expr (or iexpr) is this function alone, which has a short way for most arguments: FN(near_is_near), FN(near_near) */
    const char *many;    /* expr is this function of one or two operands alone, which runs over blocks of elements: wn__<many>_many (engine/math/lanes.h);
                          * "name f64": in f64 only */
    const char *loop;    /* expr is this function of one operand alone, whose loops are written by themselves: wn__<loop>_row in f32, wn__<loop>_halves on runs of f16 and bf16 (engine/level/<loop>_row.h) */
    const char *bits;    /* expr as an operation on the bits of f16 or bf16 numbers (unsigned a, b) */
    bool seldom;         /* used so rarely that its loops are few: AVX-512 takes AVX2's, whose results are the same, the least level goes element by
                          * element, and there are none for numbers as operands or for elements narrower than those it computes */
    const char *bexpr;   /* a kernel for bool operands that works on bytes 0/1 */
    uint8_t cost;        /* of an element of expr in a program, in tenths of ns, roughly (a sum 1, a division 3, exp 6, a series 13): where expr calls a
                          * function; else it is counted */
    const char *unit;    /* "alpha: a + b": expression used when that scalar is 1 */
    const char *shorter; /* "exponent: 2 square, 3 cube": with that number as its last operand it is that row of the operands before (pointwise) */
    const char *infer;   /* C function that checks the arguments; VIEW: and makes the results; KERNEL: and says them (wn__result), before they have memory; DATA_DEPENDENT or LAZY rows without .run make them there */
    const char *run;     /* KERNEL: C function that fills c->out[0] ...; nothing can be wrong any more but memory and values */
    const char *fn;      /* C function: composite; pointwise: a check run before (optional) */
    const char *formula; /* composite: an expression of rows in the language of grad, "mul(self, pow(k(2), other))"; of several results one call that has
                          * as many, or an expression for each, between ;. fn is then a check before it (optional) */
    const char *args_of; /* its args struct is that row's, of before it: rows that share fn, or a function that reads both */
    int dims;            /* rows that share fn: the number of spatial dimensions, where they differ in it */
    const char *which;   /* rows that share a function, or what it calls: the constant in which they differ, an enumerator of ops/which.h, which it reads from c->op->which */
    const char *grad, *vjp, *save, *diff;
    wn__moves moves;     /* VIEW and KERNEL rows with a derivative that reads no differentiable number: how it moves the cotangents' elements;
                          * KERNEL rows along a dimension: LINES, or NOT */
    const char *product; /* moves = PRODUCT: the dimensions of its two operands and of the result, "...mk,...kn->...mn" ("labels": the row's
                          * own arguments say it, "-": windows of them); a 1-d operand where two letters stand has the summed one */
    const char *lines;   /* moves = LINES: what a line of the first tensor is: the argument with its dimensions ("dim"; none: all), or with as many as the
                          * last ones ("normalized_shape"), or that says how many there are in dimension 1 and what follows ("num_groups");
                          * "matrix": the last two; "halves": of the argument dim, element by element; "classes": dimension 1, of vectors 0. Arguments with the same dimensions have the same lines. */
    const char *layout;  /* how results lie in memory, as PyTorch's: "plain"; "format input weight": channels last if one of these does; "formats": if
                          * all of its list do; "kept self": as this one; "columns": as LAPACK's matrices; "dense input": as batch norm's; "lines self": of lines that torch makes planes of (call/layout.h). Results may be named, too: then it is about those (call/layout.h) */
    const char *title;   /* what torch calls its nodes (grad_fn=<AddBackward0>), where that is not the name and 0: "dim: 1", "!self: Rsub1", "=CopyBackwards" (tools/wngen/titles.c) */
    const char *title_of; /* the C function that says it (wn__title_of), where it goes by operands' dimensions or a mode */
    const char *selects; /* POINTWISE: chooses between two operands: the mask, what is taken where it is true, and where it is false: "condition self other" */
    const char *support; /* its result exists only somewhere (grad/support.h): "above self threshold": it is the first tensor where !(self <= threshold), 0
                          * elsewhere; "clean mask": 0 where mask is false */
    uint8_t zero;        /* KEEPS: a zero of the first tensor operand gives a zero (of either sign), MEETS: a zero of any does, NOT: neither;
                          * POINTWISE rows with one tensor operand must say it, others may */
    uint8_t autocast;    /* wn__policy: KEEP, NARROW, FLOAT32, WIDEST */
    uint8_t results;     /* several results that torch has are a named tuple there, NAMED, or a PLAIN one */
    uint8_t numbers_only; /* where each of several operands may be a number: torch has all of them be numbers, TAKEN, or wants a tensor, REFUSED */
    uint32_t flags;
    int cargs;           /* number of positional arguments of the C macro, when more than the required ones; -1: the last
                          * required one is a list given as loose arguments */
    const char *fewer;   /* with fewer arguments the C macro is that row's: wn_randint(high, size) is wn_randint_below(high, size) */
    const char *numbers; /* tensor arguments that torch lets be a number, too: "self other" (any row; a pointwise row takes numbers for
                          * all of several tensors, this says what bindings should let through) */
    const char *python;  /* where torch has it, when parse.c's rule does not say so: "torch Tensor nn linalg special", "-": nowhere */
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
