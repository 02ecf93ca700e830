/* Supports: which elements of a tensor exist. Where a tensor is known to be exact zero (of either sign) off a support, products leave out
 * what the zeros would have added: it is a *fact* (fact.h), not a layout, and the tensor's memory is dense as always. */
#ifndef WN_SUPPORT_SUPPORTS_H
#define WN_SUPPORT_SUPPORTS_H
#include "base/api.h"
#include "base/geometry.h"

/* Indices first[d] <= i < last[d] of each dimension. */
typedef struct wn__box {
    int64_t first[WN_MAX_DIMS], last[WN_MAX_DIMS];
} wn__box;

enum { WN__BOXES_MOST = 256 }; /* a list of more is of no use to anybody who walks it for each tile of a product */

struct wn_support {
    wn_support_kind kind;
    int ndim;
    int64_t shape[WN_MAX_DIMS];
    int row, column;    /* BAND: these dimensions' indices i and j, where lower <= j - i <= upper; ROWS: `row` has the listed indices */
    int64_t lower, upper;
    int nboxes;         /* BLOCKS: the union of these */
    int64_t nrows;      /* ROWS: sorted, in the memory behind this struct */
    int64_t *rows;
    wn__box boxes[];
};

/* All owned by the caller, who gives them back with wn__free; NULL: there is no memory, or (boxes) there are too many. */
wn_support *wn__support_none(const wn_dims *shape);
/* Of indices i of dimension row and j of dimension column: lower <= j - i <= upper. */
wn_support *wn__support_band(const wn_dims *shape, int row, int column, int64_t lower, int64_t upper);
/* nrows indices of dimension row, which the caller fills in, rising. */
wn_support *wn__support_rows(const wn_dims *shape, int row, int64_t nrows);
/* nboxes boxes, which the caller fills in. */
wn_support *wn__support_blocks(const wn_dims *shape, int64_t nboxes);
#endif
