/* Supports: making them. */
#include "support/supports.h"
#include <string.h>
#include "base/alloc.h"
#include "base/assert.h"

wn_support_kind wn_kind_of_support(const wn_support *s) { return s ? s->kind : WN_SUPPORT_ALL; }

static wn_support *make(wn_support_kind kind, const wn_dims *shape, int nboxes, size_t bytes) {
    wn_support *s = wn__calloc(1, sizeof *s + bytes);
    if (!s) return NULL;
    s->kind = kind;
    s->ndim = shape->n > 0 ? shape->n : 0;
    memcpy(s->shape, shape->v, (size_t)s->ndim * sizeof *s->shape);
    s->nboxes = nboxes;
    return s;
}

wn_support *wn__support_none(const wn_dims *shape) { return make(WN_SUPPORT_NONE, shape, 0, 0); }

wn_support *wn__support_band(const wn_dims *shape, int row, int column, int64_t lower, int64_t upper) {
    WN_ASSERT(row >= 0 && row < shape->n && column >= 0 && column < shape->n && row != column);
    wn_support *s = make(WN_SUPPORT_BAND, shape, 0, 0);
    if (!s) return NULL;
    s->row = row, s->column = column;
    /* Beyond the matrix nothing changes, and sums of indices and these cannot overflow. */
    const int64_t rows = s->shape[s->row], columns = s->shape[s->column];
    s->lower = lower < -rows ? -rows : lower > columns ? columns : lower;
    s->upper = upper < -rows ? -rows : upper > columns ? columns : upper;
    return s;
}

wn_support *wn__support_blocks(const wn_dims *shape, int64_t nboxes) {
    if (nboxes > WN__BOXES_MOST) return NULL;
    if (nboxes == 0) return wn__support_none(shape);
    return make(WN_SUPPORT_BLOCKS, shape, (int)nboxes, (size_t)nboxes * sizeof(wn__box));
}

wn_support *wn__support_rows(const wn_dims *shape, int row, int64_t nrows) {
    WN_ASSERT(row >= 0 && row < shape->n && nrows >= 0);
    if (nrows == 0) return wn__support_none(shape);
    wn_support *s = make(WN_SUPPORT_ROWS, shape, 0, wn__array_bytes(nrows, sizeof(int64_t)));
    if (!s) return NULL;
    s->row = row;
    s->nrows = nrows;
    s->rows = (int64_t *)(void *)s->boxes;
    return s;
}
