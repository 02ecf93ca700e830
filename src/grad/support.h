/* Cotangents with supports. An element of a cotangent *exists*, or is *absent*, or is *zero*. It is absent if a mask
 * left it out (`where` and its like): there is no such term, and the value may be anything (0 * inf of a branch not
 * taken) until it is made dense, exactly 0. It is zero if nobody read it (a slice, an index): a number like others, as
 * in PyTorch, but it adds nothing to what others say of it. docs/autograd.md explains when the engine tells them
 * apart. */
#ifndef WN_GRAD_SUPPORT_H
#define WN_GRAD_SUPPORT_H
#include "grad/builder.h"
#include "tensor/tensor.h"

enum { /* when an element exists */
    WN__IF_TRUE = 1, /* the mask is true */
    WN__IF_FALSE,    /* the mask is false */
    WN__IF_ABOVE,    /* !(t <= number), as threshold_backward has it */
    WN__CLEAN = 8,   /* a flag that builders add: the value is already 0 elsewhere */
    WN__OWN = 16     /* another: the row's own condition (the side of a clamp), no caller's mask */
};

/* A builder's condition on the gradient of one input. All borrowed. */
typedef struct wn__given {
    int kind; /* WN__IF_TRUE ..., with flags; 0: no condition */
    wn_tensor *t;
    wn_val number;
} wn__given;
/* Is the condition a caller's mask? */
static inline bool wn__by_mask(const wn__given *g) { return !(g->kind & WN__OWN) && (g->kind & ~WN__CLEAN) != WN__IF_ABOVE; }
/* For builders: the gradient of input i is x where the condition holds, else 0; cond NULL: everywhere. If the engine
 * asks for conditions, notes it and returns x as it is; else returns x made dense. */
wn_tensor *wn__grad_support(wn__gradctx *c, int i, int kind, wn_tensor *cond, wn_tensor *x, wn_val number);
static inline wn_tensor *wn__grad_won(wn__gradctx *c, int i, wn_tensor *mask, wn_tensor *x) {
    return wn__grad_support(c, i, WN__IF_TRUE | WN__OWN, mask, x, wn_val_none());
}
static inline wn_tensor *wn__grad_keep(wn__gradctx *c, int i, wn_tensor *mask, wn_tensor *x) {
    return wn__grad_support(c, i, WN__IF_TRUE, mask, x, wn_val_none());
}

/* A list of conditions, the last one set first. Cotangents that follow from one another share its tail. */
typedef struct wn__support {
    struct wn__support *next;
    int refs;
    int kind;         /* without flags */
    bool masks;       /* this condition, or one behind it in the list, is a caller's mask */
    uint32_t version; /* of t when the condition was set */
    wn_tensor *t;     /* owned */
    wn_val number;
} wn__support;

wn__support *wn__support_push(const wn__given *c, wn__support *next); /* owned; NULL: no memory */
/* The elements where mask is true; masks: a caller's mask has a part in it. Owned; NULL: no memory. */
static inline wn__support *wn__support_where(wn_tensor *mask, bool masks) {
    return wn__support_push(&(wn__given){.kind = WN__IF_TRUE | (masks ? 0 : WN__OWN), .t = mask}, NULL);
}
void wn__support_release(wn__support *s);
static inline wn__support *wn__support_retain(wn__support *s) {
    if (s) s->refs++;
    return s;
}
wn_tensor *wn__given_dense(const wn__given *c, wn_tensor *x);    /* borrowed from the scope, as from the next two */
wn_tensor *wn__support_dense(const wn__support *s, wn_tensor *x);
/* Fits the condition to a clean x that was summed over broadcast dimensions: its elements exist where any term does. */
wn_status wn__given_fit(wn__given *c, wn_tensor *x);
wn_tensor *wn__support_mask(const wn__support *s, const wn_tensor *like); /* the conditions as one mask; s NULL: true */
bool wn__true_everywhere(wn_tensor *mask, wn_status *st); /* *st: an error in asking */

/* For a cotangent without a support: the nodes that made its terms, if each of them has elements that it does not read
 * (they are zero). Which those are is computed only when the cotangent meets one with a support. */
typedef struct wn__reads {
    struct wn__reads *next;
    struct wn_node *node;
    int input;
    uint8_t dtype;    /* dtype of the node's cotangents */
    bool forget;      /* drop what the node saved when this ends */
    wn_dims shapes[]; /* of its cotangents; .n -2: it has none */
} wn__reads;
wn__reads *wn__reads_new(struct wn_node *n, int input, wn_tensor *const *g, bool forget); /* owned; NULL: no memory */
void wn__reads_drop(wn__reads *r);
wn_tensor *wn__reads_none(const wn__reads *r); /* a mask of elements that no node of the list reads; borrowed */

/* The sum of what has come to a node's result so far. Zeroed: nothing has, which means zero. */
typedef struct wn__cotangent {
    wn_tensor *value;
    wn__support *support; /* outside it, elements are absent; NULL: none is */
    wn_tensor *zero;      /* if there is a support: a mask of elements that are zero, inside it; NULL: none known */
    wn__reads *reads;     /* if there is none: owned; NULL: every element may be a term */
    wn_tensor *dense;     /* if there is a support: value with 0 elsewhere, once asked for; value if that is clean */
    bool own;             /* value is a sum that only the engine knows: it may be added to in place */
} wn__cotangent;

static inline void wn__cotangent_drop(wn__cotangent *x) {
    wn__release(x->value);
    if (x->support) {
        wn__release(x->zero);
        wn__release(x->dense);
        wn__support_release(x->support);
    } else if (x->reads) {
        wn__reads_drop(x->reads);
    }
    *x = (wn__cotangent){0};
}
wn_tensor *wn__cotangent_dense(wn__cotangent *x); /* borrowed from x, which keeps it */
/* *sum += x. x's parts are borrowed, but its reads may be taken. keep: the node that gets the sum can use a support. */
wn_status wn__cotangent_add(wn__cotangent *sum, wn__cotangent *x, bool keep, bool create);
/* A mask, with like's shape, of elements that exist; *zero: one of those that are zero (NULL: none). */
wn_tensor *wn__exists(const wn__cotangent *x, const wn_tensor *like, wn_tensor **zero);

/* ---- through nodes */
enum { WN__FEW = 16 }; /* nodes with up to so many inputs need no allocation */
/* How a node can use that elements of its cotangents are absent: by its row's .moves, or not (WN__MOVES_NOT). */
wn__moves wn__support_way(const struct wn_node *n);
/* The same for one support. Without a caller's mask, products and rows with lines take plain zeros, which is faster. */
static inline wn__moves wn__support_use(const struct wn_node *n, bool masks) {
    wn__moves way = wn__support_way(n);
    return way >= WN__MOVES_PRODUCT && !masks ? WN__MOVES_NOT : way;
}
bool wn__support_hands_on(const struct wn_node *n, uint64_t need, bool masks); /* is a support of use to inputs? */
/* For a node that moves elements: its cotangents' existing and absent elements, moved to each input. */
typedef struct wn__moved {
    wn_tensor **exists, **absent; /* by input; absent NULL: what does not exist is absent */
} wn__moved;
wn_status wn__support_moved(struct wn_node *n, const wn__cotangent *g, wn__moved *to, uint64_t need);
/* Gives x, the gradient of input i, its support (owned) and its zeros (borrowed from the scope; NULL: none). */
wn_status wn__moved_support(const wn__moved *m, int i, bool masks, wn__cotangent *x);
/* For a row with lines (lines.c): mask of lines of which some element exists, borrowed; NULL: all do, or unknown. */
wn_tensor *wn__lines_exist(const struct wn_node *n, const wn__cotangent *g);
bool wn__lines_fit(const struct wn_node *n, int i, const wn_tensor *on); /* are they lines of input i, too? */
/* For a product (product_supports.c): gradients as sums of terms that exist. g: x made dense. */
wn_status wn__product_gradients(struct wn_node *n, const wn__cotangent *x, wn_tensor *g, wn_tensor **gin, uint64_t need);
bool wn__product_operand(const struct wn_node *n, int i); /* is input i multiplied (and not added, as a bias is)? */
/* A mask that broadcasts to input i: where any term of its gradient exists. NULL: everywhere, or it is unknown. */
wn_tensor *wn__product_lines(const struct wn_node *n, const wn__cotangent *x, int i);
wn_tensor *wn__fit(const struct wn__edge *e, wn_tensor *g);
wn_status wn__fit_support(const struct wn__edge *e, wn__cotangent *x);
bool wn__support_stays(const struct wn__edge *e, const wn__support *s, const wn_tensor *value); /* will wn__fit_support keep it? */
/* Counters of products (product_supports.c): examined for what exists, and summed apart. */
extern _Atomic int64_t wn__products_checked, wn__products_apart;
#endif
