/* The fact of a view: what the fact of its storage says in the view's own dimensions. */
#include <string.h>
#include "support/fact.h"

/* Where a tensor lies in the tensor of its storage's fact: like a slice of it, permuted, expanded, with dimensions of size 1 more or less. */
typedef struct seat {
    int of[WN_MAX_DIMS];        /* for each dimension of the view that of the fact; -1: it has one index, or the same elements along it */
    int by[WN_MAX_DIMS];        /* for each dimension of the fact that of the view; -1: the view has one index of it */
    int64_t start[WN_MAX_DIMS]; /* for each dimension of the fact: the first index of the view */
} seat;

/* The indices of an element that lies `rest` elements behind the fact's first. Its tensor is dense, so that the largest step that is no longer
 * than the rest takes as much of it as it can. False: there is no such element. */
static bool find_start(const wn__fact *f, int64_t rest, int64_t *start) {
    const wn_support *s = f->support;
    bool done[WN_MAX_DIMS] = {false};
    if (rest < 0) return false;
    for (int n = 0; n < s->ndim; n++) {
        int largest = -1;
        for (int e = 0; e < s->ndim; e++)
            if (!done[e] && (largest < 0 || f->strides[e] > f->strides[largest])) largest = e;
        done[largest] = true;
        start[largest] = 0;
        if (s->shape[largest] <= 1) continue;
        if (f->strides[largest] <= 0) return false;
        start[largest] = rest / f->strides[largest];
        rest %= f->strides[largest];
    }
    return rest == 0;
}

/* Of the fact's dimensions the one that steps as t's dimension d does; -1: none. */
static int same_step(const wn__fact *f, const wn_tensor *t, int d) {
    for (int e = 0; e < f->support->ndim; e++)
        if (f->support->shape[e] > 1 && f->strides[e] == t->strides[d]) return e;
    return -1;
}

static bool find_seat(const wn__fact *f, const wn_tensor *t, seat *x) {
    const wn_support *s = f->support;
    if (!find_start(f, t->offset - f->offset, x->start)) return false;
    for (int e = 0; e < s->ndim; e++) x->by[e] = -1;
    for (int d = 0; d < t->ndim; d++) {
        x->of[d] = -1;
        if (t->shape[d] == 1 || t->strides[d] == 0) continue;
        const int e = same_step(f, t, d);
        if (e < 0 || x->by[e] >= 0) return false; /* steps over elements, or a diagonal */
        x->of[d] = e;
        x->by[e] = d;
    }
    for (int e = 0; e < s->ndim; e++)
        if (x->start[e] > s->shape[e] - (x->by[e] < 0 ? 1 : t->shape[x->by[e]])) return false; /* it runs on into the next row */
    return true;
}

/* A band whose rows and columns the view has both; one row of a band is a box. */
static wn_support *band_image(const wn_support *s, const wn_tensor *t, const seat *x) {
    const wn_dims shape = wn_shape(t);
    const int row = x->by[s->row], column = x->by[s->column];
    const int64_t i0 = x->start[s->row], j0 = x->start[s->column];
    if (row >= 0 && column >= 0) return wn__support_band(&shape, row, column, s->lower + i0 - j0, s->upper + i0 - j0);
    if (row < 0 && column < 0) return NULL;
    wn_support *r = wn__support_blocks(&shape, 1);
    if (!r) return NULL;
    for (int d = 0; d < t->ndim; d++) r->boxes[0].last[d] = t->shape[d];
    /* lower <= j - i <= upper with i or j fixed */
    const int d = row < 0 ? column : row;
    const int64_t first = row < 0 ? i0 + s->lower - j0 : j0 - s->upper - i0, last = row < 0 ? i0 + s->upper - j0 + 1 : j0 - s->lower - i0 + 1;
    r->boxes[0].first[d] = first < 0 ? 0 : first > t->shape[d] ? t->shape[d] : first;
    r->boxes[0].last[d] = last < r->boxes[0].first[d] ? r->boxes[0].first[d] : last > t->shape[d] ? t->shape[d] : last;
    return r;
}

/* The part of a box that the view has, in its dimensions. False: none. */
static bool box_image(const wn_support *s, const wn__box *b, const wn_tensor *t, const seat *x, wn__box *to) {
    for (int e = 0; e < s->ndim; e++)
        if (x->by[e] < 0 && (x->start[e] < b->first[e] || x->start[e] >= b->last[e])) return false;
    for (int d = 0; d < t->ndim; d++) {
        const int e = x->of[d];
        int64_t first = 0, last = t->shape[d];
        if (e >= 0) {
            first = b->first[e] - x->start[e] < 0 ? 0 : b->first[e] - x->start[e];
            last = b->last[e] - x->start[e] > last ? last : b->last[e] - x->start[e];
        }
        if (first >= last) return false;
        to->first[d] = first;
        to->last[d] = last;
    }
    return true;
}

static wn_support *blocks_image(const wn_support *s, const wn_tensor *t, const seat *x) {
    const wn_dims shape = wn_shape(t);
    wn__box unused;
    int n = 0;
    for (int i = 0; i < s->nboxes; i++) n += box_image(s, &s->boxes[i], t, x, &unused);
    wn_support *r = wn__support_blocks(&shape, n);
    for (int i = 0, at = 0; r && i < s->nboxes; i++)
        if (at < n && box_image(s, &s->boxes[i], t, x, &r->boxes[at])) at++;
    return r;
}

static wn_support *rows_image(const wn_support *s, const wn_tensor *t, const seat *x) {
    const wn_dims shape = wn_shape(t);
    const int d = x->by[s->row];
    const int64_t start = x->start[s->row], end = start + (d < 0 ? 1 : t->shape[d]);
    int64_t first = 0, n = 0;
    while (first < s->nrows && s->rows[first] < start) first++;
    while (first + n < s->nrows && s->rows[first + n] < end) n++;
    if (d < 0) return n ? NULL : wn__support_none(&shape);
    wn_support *r = wn__support_rows(&shape, d, n);
    for (int64_t i = 0; r && i < n; i++) r->rows[i] = s->rows[first + i] - start;
    return r;
}

wn_support *wn__fact_image(const wn_tensor *t) {
    const wn__fact *f = wn__fact_of(t);
    seat x;
    if (!f || !find_seat(f, t, &x)) return NULL;
    const wn_dims shape = wn_shape(t);
    switch (f->support->kind) {
    case WN_SUPPORT_NONE: return wn__support_none(&shape);
    case WN_SUPPORT_BAND: return band_image(f->support, t, &x);
    case WN_SUPPORT_BLOCKS: return blocks_image(f->support, t, &x);
    case WN_SUPPORT_ROWS: return rows_image(f->support, t, &x);
    default: return NULL;
    }
}
