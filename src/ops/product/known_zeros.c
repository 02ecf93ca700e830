/* From facts of operands to ranges of k: where a product's terms are zero because one operand is, and the other holds only finite numbers. */
#include "ops/product/known_zeros.h"
#include <math.h>
#include <string.h>
#include "base/words.h"

enum {
    LEAST_TERMS = 1 << 18, /* multiply-adds of a product that is worth the question */
    CHECK_COST = 16,       /* looking whether an element is finite takes as long as so many multiply-adds */
    SAMPLE = 32            /* rows whose ranges are reckoned together */
};

/* The dimension of t with this label; -1: none, or several (a diagonal). */
static int dim_of(const wn__labels *l, int label) {
    int at = -1;
    for (int d = 0; d < l->n; d++) {
        if (l->v[d] != label) continue;
        if (at >= 0) return -1;
        at = d;
    }
    return at;
}

/* The label that is summed over, if there is but one of more than one step; -1: not so. */
static int summed_label(const wn_tensor *a, const wn__labels *la, const wn__labels *lo) {
    int label = -1;
    for (int d = 0; d < la->n; d++) {
        if (a->shape[d] == 1 || dim_of(lo, la->v[d]) >= 0) continue;
        if (label >= 0) return -1;
        label = la->v[d];
    }
    return label;
}

/* t's dimension that runs fastest among its rows: of the result's labels the last one that it has alone; -1: it is one row. */
static int row_dim(const wn_tensor *t, const wn__labels *l, const wn_tensor *other, const wn__labels *lother, const wn__labels *lo) {
    for (int d = lo->n - 1; d >= 0; d--) {
        const int mine = dim_of(l, lo->v[d]), its = dim_of(lother, lo->v[d]);
        if (mine >= 0 && t->shape[mine] != 1 && (its < 0 || other->shape[its] == 1)) return mine;
    }
    return -1;
}

/* A band of the fact's dimensions as one of t's dimensions: row `at` and column `along` (-1: t has one index of it). */
static bool band_reach(const wn_support *s, const wn__seat *seat, int at, int along, wn__reach *r) {
    const int64_t row = seat->start[s->row], column = seat->start[s->column];
    r->band = true;
    if (seat->dim[along] == s->column && at >= 0 && seat->dim[at] == s->row) {
        r->lower = s->lower + row - column;
        r->upper = s->upper + row - column;
        return true;
    }
    if (seat->dim[along] == s->row && at >= 0 && seat->dim[at] == s->column) { /* transposed: k - i with k the fact's row */
        r->lower = column - row - s->upper;
        r->upper = column - row - s->lower;
        return true;
    }
    return false;
}

/* The boxes that t meets, as ranges of its rows and of k; what other dimensions say is left out, so that the ranges hold for all of them. */
static void boxes_reach(const wn_tensor *t, const wn_support *s, const wn__seat *seat, int at, int along, wn__reach *r, wn__reach_box *boxes) {
    int64_t size[WN_MAX_DIMS]; /* of t, along the fact's dimensions */
    for (int e = 0; e < s->ndim; e++) size[e] = 1;
    for (int d = 0; d < t->ndim; d++)
        if (seat->dim[d] >= 0) size[seat->dim[d]] = t->shape[d];
    const int64_t k = t->shape[along];
    for (int i = 0; i < s->nboxes; i++) {
        const wn__box *x = &s->boxes[i];
        wn__reach_box b = {.row1 = r->period, .k1 = k};
        bool meets = true;
        for (int e = 0; e < s->ndim; e++) meets &= x->first[e] < seat->start[e] + size[e] && x->last[e] > seat->start[e];
        if (!meets) continue;
        if (at >= 0 && seat->dim[at] >= 0) {
            const int e = seat->dim[at];
            b.row0 = wn__reach_max(0, x->first[e] - seat->start[e]);
            b.row1 = wn__reach_min(r->period, x->last[e] - seat->start[e]);
        }
        if (seat->dim[along] >= 0) {
            const int e = seat->dim[along];
            b.k0 = wn__reach_max(0, x->first[e] - seat->start[e]);
            b.k1 = wn__reach_min(k, x->last[e] - seat->start[e]);
        }
        boxes[r->nboxes++] = b;
    }
    r->boxes = boxes;
}

/* What t's fact says of its rows along k (its dimension `along`). False: nothing. */
static bool reach_of(const wn_tensor *t, int at, int along, wn__reach *r, wn__reach_box *boxes) {
    const wn__fact *f = wn__fact_of(t);
    wn__seat seat;
    *r = (wn__reach){.period = at >= 0 ? t->shape[at] : 1};
    if (!f || along < 0 || !wn__fact_seat(f, t, &seat)) return false;
    switch (f->support->kind) {
    case WN_SUPPORT_NONE: return true;
    case WN_SUPPORT_BAND: return band_reach(f->support, &seat, at, along, r);
    case WN_SUPPORT_BLOCKS: boxes_reach(t, f->support, &seat, at, along, r, boxes); return true;
    default: return false;
    }
}

/* The share of the terms that r leaves out. */
static double share_left_out(const wn__reach *r, int64_t k) {
    int64_t sum = 0, rows = 0;
    for (int64_t i = 0; i < r->period; i += SAMPLE, rows++) {
        int64_t from, to;
        wn__reach_range(r, i, wn__reach_min(i + SAMPLE, r->period), k, &from, &to);
        sum += to - from;
    }
    return 1 - (double)sum / ((double)rows * (double)k);
}

/* Is what r leaves out worth a look at the other operand, and is that finite? */
static bool may_leave_out(const wn__reach *r, int64_t k, double terms, const wn_tensor *other) {
    const double left_out = share_left_out(r, k) * terms;
    if (left_out < LEAST_TERMS / 8) return false;
    return wn__known_finite(other) || (left_out > CHECK_COST * (double)other->numel && wn__is_finite(other));
}

void wn__tell_zeros(wn__contraction *c, const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb,
                    const wn__labels *lo, wn__known_zeros *room) {
    const int label = summed_label(a, la, lo);
    if (label < 0 || !wn__is_float(a->dtype) || !isfinite(c->alpha)) return;
    const int ka = dim_of(la, label), kb = dim_of(lb, label);
    if (ka < 0 || kb < 0 || a->shape[ka] != b->shape[kb]) return;
    const int64_t k = a->shape[ka];
    double terms = (double)k;
    for (int d = 0; d < c->nbatch; d++) terms *= (double)c->batch[d].size;
    for (int d = 0; d < c->nm; d++) terms *= (double)c->m[d].size;
    for (int d = 0; d < c->nn; d++) terms *= (double)c->n[d].size;
    if (terms < LEAST_TERMS) return;
    if (reach_of(a, row_dim(a, la, b, lb, lo), ka, &room->a, room->boxes_a) && may_leave_out(&room->a, k, terms, b)) c->reach_a = &room->a;
    if (reach_of(b, row_dim(b, lb, a, la, lo), kb, &room->b, room->boxes_b) && may_leave_out(&room->b, k, terms, a)) c->reach_b = &room->b;
}
