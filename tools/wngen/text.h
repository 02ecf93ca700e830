/* Texts of rows as trees, of gradients (.grad) and of formulas: text.c reads them, calls.c writes them as C, explain.c as words;
 * grad_support.c finds where a gradient exists. */
#ifndef WNGEN_TEXT_H
#define WNGEN_TEXT_H
#include "wngen.h"

typedef enum node_kind {
    NODE_CALL,      /* of row, arg[] by its parameters; its result index */
    NODE_SCALED,    /* scaled(x, number): the product, x itself where the number is 1: arg[0], arg[1] */
    NODE_LIST,      /* [1, dim]: arg[] */
    NODE_ARGUMENT,  /* of the row whose text it is: parameter index */
    NODE_COTANGENT, /* g, of result index */
    NODE_RESULT,    /* y, of result index */
    NODE_CONSTANT,  /* k(value) */
    NODE_NUMBER,    /* a bare number, for integer and number fields */
    NODE_TRUTH,     /* true, false: index */
    NODE_NONE,
    NODE_SHAPE,     /* of the tensor argument index, which is not saved for it */
    NODE_DTYPE,
    NODE_SIZE,      /* size(x, -1): of arg[0], along dimension value */
    NODE_TEXT,      /* 'reduced': text */
    NODE_LOCAL,     /* what the text has named before, the local index: arg[0], of its results the one number result */
    NODE_PICK,      /* pick(condition, x, y): arg[0], and of arg[1] and arg[2] the one that it says */
    NODE_NOT,       /* not(condition): arg[0] */
    NODE_IS,        /* is(number, 2): arg[0] equals value; is(ndim(x), ndim(y)): arg[1];
                     * is(reduction, 'none'), is(dtype(x), 'bool'): text */
    NODE_LESS,      /* less(number, 2): arg[0] is below value */
    NODE_MORE,      /* more(number, 2): it is above */
    NODE_AND,       /* and(one, other): arg[0], arg[1] */
    NODE_OR,
    NODE_ALIKE,     /* alike(x, y): arg[0] and arg[1] have one shape */
    NODE_NDIM,      /* ndim(x): of arg[0], a number */
    NODE_REFUSE,    /* refuse(condition, 'RUNTIME', 'text about %s', x): an error where arg[0] holds */
    NODE_AGAIN,     /* the gradient itself is to be differentiated */
    NODE_RECORDED,  /* recorded(x): somebody may want the gradient of arg[0] */
    NODE_REDUCED,   /* reduced(losses, reduction): arg[0], arg[1] */
    NODE_SOUND,     /* sound(x, info, 'linalg.inv', 'INV'): arg[0], or the error that arg[1] tells */
    NODE_UNKNOWN    /* unknown('igamma: input'): a derivative that is an error: arg[0], a text */
} node_kind;

typedef struct node {
    node_kind kind;
    const op *row;
    const struct node *arg[MAX_PARAMS]; /* NULL: not given */
    uint8_t order[MAX_PARAMS];          /* the parameters that are given, as in the text */
    int nargs, index, result;
    double value;
    const char *text;
    bool integer; /* a number without a point */
    bool inplace; /* the row's form with trailing _ */
    bool from;    /* of a shape the sizes from dimension `value` on */
} node;

/* Where a gradient exists: a condition on elements, outside which there is no such term. */
typedef struct support {
    support_kind kind; /* 0: everywhere */
    bool opposite;     /* TRUE: where the condition is false */
    bool clean;        /* value is 0 elsewhere already */
    const node *by;    /* the call that says so */
    int through;       /* calls around it, through which zero passes */
    const node *condition, *number;
    const node *value; /* the gradient there; anything elsewhere */
    int unless;        /* this argument may be a number, and is then no condition on elements; or -1 */
} support;

void read_gradients(op *o); /* fills o->tree */
void read_formula(op *o);   /* fills o->formula */
void write_expression(FILE *f, const op *o, const node *n, wn_kind want); /* n of o's text, as C */
void write_refusal(FILE *f, const op *o, const node *n);
void write_call(FILE *f, const op *o, const node *n); /* all of its results */
int numbered(const char *name, char letter); /* g, g0, y, y1 ...: an index, or -1 */
const char *word_of(node_kind kind); /* "scaled": of the kinds that are written as calls and are none of a row */
support find_support(const op *o, const node *tree);
bool is_tensor_operand(const op *o, int parameter); /* a tensor (or a number in its place) that is no mask */
#endif
