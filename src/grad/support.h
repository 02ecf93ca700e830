/* Cotangents with supports. Each element of a cotangent is one of three: it *exists*; it is *absent*, because a mask left it out
 * (`where` and its like): there is no such term, and the value may be anything (0 * inf of a branch not taken) until it is made
 * dense, exactly 0; or it is *zero*: nobody read it (a slice, an index), and it is a number like others, as in PyTorch, only that
 * it adds nothing to what others say of the element. docs/autograd.md explains when the engine keeps them apart. */
#ifndef WN_GRAD_SUPPORT_H
#define WN_GRAD_SUPPORT_H
#include "grad/builder.h"
#include "tensor/tensor.h"

enum { /* an element exists where ... */
    WN__IF_TRUE = 1, /* the mask is true */
    WN__IF_FALSE,    /* the mask is false */
    WN__IF_ABOVE,    /* !(t <= number), as threshold_backward has it */
    WN__CLEAN = 8,   /* or-ed in by builders: the value is already 0 elsewhere */
    WN__OWN = 16     /* ... and: the condition is the row's (the side of a clamp, the largest element), not a mask that a caller gave */
};

/* What a builder says about the gradient of one input. All borrowed. */
typedef struct wn__given {
    int kind; /* 0: nothing */
    wn_tensor *t;
    wn_val number;
} wn__given;
/* Is the condition a mask that a caller gave? */
static inline bool wn__by_mask(const wn__given *g) { return !(g->kind & WN__OWN) && (g->kind & ~WN__CLEAN) != WN__IF_ABOVE; }
/* For builders: the gradient of input i is x where the condition holds, 0 elsewhere. Tells the engine when it asks (then x
 * comes back as it is), else makes x dense. cond NULL: everywhere. */
wn_tensor *wn__grad_support(wn__gradctx *c, int i, int kind, wn_tensor *cond, wn_tensor *x, wn_val number);
static inline wn_tensor *wn__grad_won(wn__gradctx *c, int i, wn_tensor *mask, wn_tensor *x) {
    return wn__grad_support(c, i, WN__IF_TRUE | WN__OWN, mask, x, wn_val_none());
}
static inline wn_tensor *wn__grad_keep(wn__gradctx *c, int i, wn_tensor *mask, wn_tensor *x) {
    return wn__grad_support(c, i, WN__IF_TRUE, mask, x, wn_val_none());
}

/* A list of conditions, shared by the cotangents that follow from one another; the last one set comes first. */
typedef struct wn__support {
    struct wn__support *next;
    int refs;
    int kind;         /* without what is or-ed in */
    bool masks;       /* this condition, or a later one of the list, is a mask that a caller gave */
    uint32_t version; /* of t, when the condition was set */
    wn_tensor *t;     /* owned */
    wn_val number;
} wn__support;

wn__support *wn__support_push(const wn__given *c, wn__support *next); /* owned; NULL: no memory */
/* The elements where mask is true; masks: what it was made of has a mask that a caller gave. Owned; NULL: no memory. */
static inline wn__support *wn__support_where(wn_tensor *mask, bool masks) {
    return wn__support_push(&(wn__given){.kind = WN__IF_TRUE | (masks ? 0 : WN__OWN), .t = mask}, NULL);
}
void wn__support_release(wn__support *s);
static inline wn__support *wn__support_retain(wn__support *s) {
    if (s) s->refs++;
    return s;
}
wn_tensor *wn__given_dense(const wn__given *c, wn_tensor *x);    /* borrowed from the scope, as the next two */
wn_tensor *wn__support_dense(const wn__support *s, wn_tensor *x);
/* A clean x may have been summed already: its elements exist where any of their terms does. */
wn_status wn__given_fit(wn__given *c, wn_tensor *x);
wn_tensor *wn__support_mask(const wn__support *s, const wn_tensor *like); /* all conditions as one mask of like's shape; s NULL: true everywhere */
bool wn__true_everywhere(wn_tensor *mask, wn_status *st); /* *st: it could not be asked */
bool wn__support_fits(const wn__support *s, const wn_tensor *x); /* do all conditions broadcast to exactly x's shape? */

/* Of a cotangent without a support: the nodes that made its terms, while each of them leaves out elements that it does not read.
 * Which, is asked only when the cotangent meets one with a support. */
typedef struct wn__reads {
    struct wn__reads *next;
    struct wn_node *node;
    int input;
    uint8_t dtype;    /* of the node's cotangents */
    bool forget;      /* what the node saved goes with this */
    wn_dims shapes[]; /* of its cotangents; .n -2: there is none */
} wn__reads;
wn__reads *wn__reads_new(struct wn_node *n, int input, wn_tensor *const *g, bool forget); /* owned; NULL: no memory */
void wn__reads_drop(wn__reads *r);
wn_tensor *wn__reads_none(const wn__reads *r); /* a mask of what no node of the list reads; borrowed from the scope */

/* What waits at a result of a node. Zeroed: nothing, which means zero. */
typedef struct wn__cotangent {
    wn_tensor *value;
    wn__support *support; /* its elements are absent elsewhere; NULL: none is absent */
    wn_tensor *zero;      /* only with a support: a mask of the elements in it that are zero (those outside do not count); NULL: none is known */
    wn__reads *reads;     /* only without a support, owned; NULL: every element may be a term */
    wn_tensor *dense;     /* only with a support: value with zeros elsewhere, once somebody has asked; value itself when that is clean */
    bool own;             /* value is a sum made by the engine, unknown to others: it may be added to in place */
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
/* *sum += x, whose parts are borrowed, but for its reads, which may be taken. keep: the node at sum can use a support. */
wn_status wn__cotangent_add(wn__cotangent *sum, wn__cotangent *x, bool keep, bool create);
/* Which elements exist, and which are zero (NULL: none), as masks of like's shape. */
wn_tensor *wn__exists(const wn__cotangent *x, const wn_tensor *like, wn_tensor **zero);

/* ---- through nodes */
enum { WN__FEW = 16 }; /* inputs of a node that need no allocation */
/* How a node can use that elements of its cotangents are absent: a row's .moves; not at all (WN__MOVES_NOT). */
wn__moves wn__support_way(const struct wn_node *n);
/* The same of one support: products and rows with lines take zeros for what no caller's mask left out, at full speed. */
static inline wn__moves wn__support_use(const struct wn_node *n, bool masks) {
    wn__moves way = wn__support_way(n);
    return way >= WN__MOVES_PRODUCT && !masks ? WN__MOVES_NOT : way;
}
bool wn__support_hands_on(const struct wn_node *n, uint64_t need, bool masks); /* are the inputs' gradients of any use with a support? */
/* Of a node that moves elements with cotangents g: the support of input i's gradient, whose value is value, and its zeros (NULL: none). */
typedef struct wn__moved {
    wn_tensor **exists, **absent; /* by input; absent NULL: what does not exist is absent */
} wn__moved;
wn_status wn__support_moved(struct wn_node *n, const wn__cotangent *g, wn__moved *to, uint64_t need);
wn_status wn__moved_support(const wn__moved *m, int i, bool masks, wn__cotangent *x); /* x's support (owned) and zero (borrowed from the scope) */
/* Of a row with lines (lines.c): a mask of those of which some element exists, borrowed from the scope; NULL: all do, or nobody knows. */
wn_tensor *wn__lines_exist(const struct wn_node *n, const wn__cotangent *g);
bool wn__lines_fit(const struct wn_node *n, int i, const wn_tensor *on); /* are they lines of input i, too? */
/* Of a product (product_supports.c). The gradients, of terms that exist only: g is x made dense. */
wn_status wn__product_gradients(struct wn_node *n, const wn__cotangent *x, wn_tensor *g, wn_tensor **gin, uint64_t need);
bool wn__product_operand(const struct wn_node *n, int i); /* is input i multiplied (and not added, as a bias is)? */
/* Where input i's gradient exists, as a mask that broadcasts to it: where any term does. NULL: everywhere, or nobody knows. */
wn_tensor *wn__product_lines(const struct wn_node *n, const wn__cotangent *x, int i);
wn_tensor *wn__fit(const struct wn__edge *e, wn_tensor *g);
wn_status wn__fit_support(const struct wn__edge *e, wn__cotangent *x);
bool wn__support_stays(const struct wn__edge *e, const wn__support *s, const wn_tensor *value); /* will wn__fit_support keep it? */
/* Products of which only what exists was computed, counted: asked about, and done so (product_supports.c). */
extern _Atomic int64_t wn__products_checked, wn__products_apart;
#endif
