/* From facts of operands to ranges of k: where a product's terms are zero because one operand is, and the other holds only finite numbers. */
#include "ops/product/known_zeros.h"
#include <math.h>
#include <string.h>
#include "base/alloc.h"

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

/* The dimension of t with this label if it is t's alone, of more than one index: its rows; -1: not so. */
static int own_dim(const wn_tensor *t, const wn__labels *l, const wn_tensor *other, const wn__labels *lother, int label) {
    const int mine = dim_of(l, label), its = dim_of(lother, label);
    return mine >= 0 && t->shape[mine] != 1 && (its < 0 || other->shape[its] == 1) ? mine : -1;
}

/* t's dimension that runs fastest among its rows: of the result's labels the last one that it has alone; -1: it is one row. */
static int row_dim(const wn_tensor *t, const wn__labels *l, const wn_tensor *other, const wn__labels *lother, const wn__labels *lo) {
    for (int d = lo->n - 1; d >= 0; d--) {
        const int mine = own_dim(t, l, other, lother, lo->v[d]);
        if (mine >= 0) return mine;
    }
    return -1;
}

/* What a support says of t's rows (its dimension `at`; -1: it has one) along k (its dimension `along`). What it says of other dimensions is left
 * out: the ranges hold for all of their indices. False: nothing. */
static bool reach_of(const wn_support *s, const wn_tensor *t, int at, int along, wn__reach *r, wn__reach_box *boxes) {
    *r = (wn__reach){.period = at >= 0 ? t->shape[at] : 1, .boxes = boxes};
    if (!s) return false;
    switch (s->kind) {
    case WN_SUPPORT_NONE: return true;
    case WN_SUPPORT_BAND:
        if (at < 0 || (s->row != at && s->column != at) || (s->row != along && s->column != along)) return false;
        r->band = true;
        r->lower = s->column == along ? s->lower : -s->upper;
        r->upper = s->column == along ? s->upper : -s->lower;
        return true;
    case WN_SUPPORT_BLOCKS:
        for (int i = 0; i < s->nboxes; i++) {
            const wn__box *b = &s->boxes[i];
            boxes[r->nboxes++] = (wn__reach_box){at < 0 ? 0 : b->first[at], at < 0 ? 1 : b->last[at], b->first[along], b->last[along]};
        }
        return true;
    default: return false;
    }
}

/* Are the rows of t along dimension `at` the only ones of the product that it has alone? Then a row's number is its index. */
static bool only_rows(const wn_tensor *t, const wn__labels *l, const wn_tensor *other, const wn__labels *lother, const wn__labels *lo, int at) {
    for (int d = 0; d < lo->n; d++) {
        const int mine = own_dim(t, l, other, lother, lo->v[d]);
        if (mine >= 0 && mine != at) return false;
    }
    return true;
}

/* The share of the terms that r leaves out. */
static double share_left_out(const wn__reach *r, int64_t k) {
    int64_t sum = 0, rows = 0;
    for (int64_t i = 0; i < r->period; i += SAMPLE, rows++) {
        int64_t from, to;
        wn__reach_range(r, i, wn__least(i + SAMPLE, r->period), k, &from, &to);
        sum += to - from;
    }
    return 1 - (double)sum / ((double)rows * (double)k);
}

static bool finite_if_worth(double left_out, const wn_tensor *other) {
    if (left_out < LEAST_TERMS / 8) return false;
    return wn__known_finite(other) || (left_out > CHECK_COST * (double)other->numel && wn__is_finite(other));
}

/* Is what r leaves out worth a look at the other operand, and is that finite? */
static bool may_leave_out(const wn__reach *r, int64_t k, double terms, const wn_tensor *other) { return finite_if_worth(share_left_out(r, k) * terms, other); }

/* A list of t's rows, or of steps of k: what c is told. False: it is neither, or too much is left. */
static bool tell_rows(wn__contraction *c, const wn_support *s, int at, int along, bool rows_alone, double terms, const wn_tensor *other, wn__kept *kept) {
    const double most = 0.75;
    if (!s || s->kind != WN_SUPPORT_ROWS || (double)s->nrows > most * (double)s->shape[s->row]) return false;
    const bool rows = s->row == at && rows_alone;
    if ((!rows && s->row != along) || !finite_if_worth(terms * (1 - (double)s->nrows / (double)s->shape[s->row]), other)) return false;
    *kept = (wn__kept){s->nrows, s->rows};
    if (rows) c->kept_m = kept;
    else c->kept_k = kept;
    return true;
}

void wn__tell_zeros(wn__contraction *c, const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb,
                    const wn__labels *lo, wn__known_zeros *room) {
    const int label = summed_label(a, la, lo);
    if (label < 0 || !wn__is_float(a->dtype) || !isfinite(a->dtype == WN_F64 ? c->alpha : (double)(float)c->alpha)) return;
    const int ka = dim_of(la, label), kb = dim_of(lb, label);
    if (ka < 0 || kb < 0 || a->shape[ka] != b->shape[kb]) return;
    const int64_t k = a->shape[ka];
    double terms = (double)k;
    for (int d = 0; d < c->nbatch; d++) terms *= (double)c->batch[d].size;
    for (int d = 0; d < c->nm; d++) terms *= (double)c->m[d].size;
    for (int d = 0; d < c->nn; d++) terms *= (double)c->n[d].size;
    if (terms < LEAST_TERMS) return;
    wn_support *sa = room->sa = wn__fact_image(a), *sb = room->sb = wn__fact_image(b);
    const int ra = row_dim(a, la, b, lb, lo), rb = row_dim(b, lb, a, la, lo);
    if (tell_rows(c, sa, ra, ka, only_rows(a, la, b, lb, lo, ra), terms, b, &room->kept) || tell_rows(c, sb, -2, kb, false, terms, a, &room->kept)) return;
    if (reach_of(sa, a, ra, ka, &room->a, room->boxes_a) && may_leave_out(&room->a, k, terms, b)) c->reach_a = &room->a;
    if (reach_of(sb, b, rb, kb, &room->b, room->boxes_b) && may_leave_out(&room->b, k, terms, a)) c->reach_b = &room->b;
}

/* ------------------------------------------------------------------ the result */

/* May it be looked at now, without making anything run, and is it finite? */
static bool finite_now(const wn_tensor *t) { return !wn__is_meta(t) && !wn__pending(t->storage) && wn__is_finite(t); }

/* Where the product can differ from zero: at the rows (columns) of t's boxes, whatever the sums hold. */
static wn_support *rows_of(const wn_support *s, const wn__labels *l, const wn_tensor *y, const wn__labels *lo) {
    const wn_dims shape = wn_shape(y);
    if (s->kind == WN_SUPPORT_ROWS) {
        const int d = dim_of(lo, l->v[s->row]);
        wn_support *r = d < 0 ? NULL : wn__support_rows(&shape, d, s->nrows);
        if (r && r->kind == WN_SUPPORT_ROWS) memcpy(r->rows, s->rows, (size_t)s->nrows * sizeof *s->rows);
        return r;
    }
    wn_support *r = wn__support_blocks(&shape, s->nboxes);
    double inside = 0;
    for (int i = 0; r && i < s->nboxes; i++) {
        double elements = 1;
        for (int d = 0; d < lo->n; d++) {
            const int own = dim_of(l, lo->v[d]);
            const bool whole = own < 0 || s->shape[own] == 1;
            r->boxes[i].first[d] = whole ? 0 : s->boxes[i].first[own];
            r->boxes[i].last[d] = whole ? y->shape[d] : s->boxes[i].last[own];
            elements *= (double)(r->boxes[i].last[d] - r->boxes[i].first[d]);
        }
        inside += elements;
    }
    if (inside < 0.9 * (double)y->numel) return r;
    wn__free(r);
    return NULL;
}

wn_support *wn__zeros_of_product(const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb, const wn_tensor *y, const wn__labels *lo) {
    if (!wn__may_know_zeros(a, b) || !wn__is_float(a->dtype)) return NULL;
    for (int side = 0; side < 2; side++) {
        const wn_tensor *t = side ? b : a, *other = side ? a : b;
        wn_support *s = wn__fact_image(t);
        const bool boxes = s && (s->kind == WN_SUPPORT_NONE || s->kind == WN_SUPPORT_BLOCKS || s->kind == WN_SUPPORT_ROWS);
        wn_support *r = boxes ? rows_of(s, side ? lb : la, y, lo) : NULL;
        wn__free(s);
        if (r && finite_now(other)) return r;
        wn__free(r);
    }
    return NULL;
}
