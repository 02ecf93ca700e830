/* Advanced indexing: what the files advanced*.c share.
 *
 * A list of index tensors is read into a *choice*: which elements of a tensor (the table) belong to which element of the result.
 * All indices broadcast to one shape, whose n positions are numbered in row-major order; position p stands for one offset in the
 * table, and the dimensions that no index takes (the *rest*) are walked as they are. So the result is a gather of n blocks, and
 * no index tensor is ever written out: a walk makes the offsets of a few positions at a time, in L1. */
#ifndef WN_OPS_ADVANCED_H
#define WN_OPS_ADVANCED_H
#include "ops/index/index.h"

/* One index tensor, or one mask. */
typedef struct wn__picker {
    wn_tensor *index;                /* borrowed; read as int64 or int32 */
    const char *base;
    bool is_mask;
    int dim, taken;                  /* the first of the table's dimensions that it takes, and how many (a mask: all of its own) */
    int ndim;                        /* its shape: the index's, or [count] */
    int64_t shape[WN_MAX_DIMS];
    int64_t strides[WN_MAX_DIMS];    /* over the choice's positions, in elements */
    int64_t size, step;              /* of the table's dimension: size, stride in elements */
    wn__mask mask;                   /* of a mask: its bits */
    int64_t *offsets;                /* of a mask, once aimed: count offsets in the table */
    size_t capacity;
} wn__picker;

typedef struct wn__choice {
    int npickers;
    int64_t n;                       /* positions */
    int nruns;                       /* the broadcast shape, neighbouring dimensions merged */
    int64_t runs[WN_MAX_DIMS];
    int ndim;                        /* of the result */
    int64_t shape[WN_MAX_DIMS];
    int at, width;                   /* its dimensions at .. at + width - 1 are the broadcast shape */
    int nrest, rest[WN_MAX_DIMS];    /* the table's dimensions that no index takes; the first `at` of them lie before the indices' */
    int64_t numel;                   /* of the result */
    int64_t low, span, unit;         /* once aimed: offsets are in [0, span), count `unit` elements, and begin at the table's base + low */
    wn__picker pickers[];            /* room for as many as there are indices, but no more than dimensions */
} wn__choice;

/* The call's plan: room for a choice of these indices. NULL + error record. */
wn__choice *wn__choice_room(wn__call *c, const wn_list *indices);
/* Reads the indices of self's dimensions: types, shapes, masks, the result's shape. After an error, too, wn__choice_drop. */
wn_status wn__choice_read(wn__choice *x, wn__call *c, const wn_tensor *self, const wn_list *indices);
/* Once aimed: are all indices in range? Where the result is empty nothing is looked at, as in torch. The first that is not: error record. */
wn_status wn__choice_check(const wn__choice *x, wn__call *c);
/* Gets ready for a table of self's shape with any strides: steps, and the offsets of masks. False: memory is short. */
bool wn__choice_aim(wn__choice *x, const wn_tensor *table);
void wn__choice_drop(wn__choice *x);
/* The offsets of positions at .. at + n - 1: in `to`, or where they lie already. *ok becomes false when an index is out of range;
 * its offset is then nonsense. */
const int64_t *wn__choice_offsets(const wn__choice *x, int64_t at, int64_t n, int64_t *to, bool *ok);
/* All of them, in parallel. */
bool wn__choice_all_offsets(const wn__choice *x, int64_t *to);
/* The memory of a lone int64 index that is evenly strided: it holds the offsets, but for negative indices. Else NULL. */
const int64_t *wn__choice_plain(const wn__choice *x, int64_t *stride);
bool wn__choice_plain_in_range(const wn__choice *x); /* of such a one: are all indices in [0, size)? */
/* The mask, when it is the only index; else NULL. */
static inline const wn__picker *wn__only_mask(const wn__choice *x) { return x->npickers == 1 && x->pickers[0].is_mask ? &x->pickers[0] : NULL; }

/* Moves between the table (aimed at) and slices of the result's shape: strides in elements. Scatters and adds only where no place
 * repeats (a single mask). False: a gather met an index out of range. */
bool wn__choice_walk(const wn__choice *x, wn__ix_mode mode, const wn_tensor *table, const wn_tensor *slices, const int64_t *strides);

/* For gradients: when a mask is the only index, the mask in a shape that broadcasts with a tensor of ndim dimensions; else NULL.
 * Borrowed from the scope (advanced_get.c). */
wn_tensor *wn__mask_of_indices(const wn_list *indices, int ndim);
#endif
