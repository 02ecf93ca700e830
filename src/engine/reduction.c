/* Prepares a reduction: which fold, which dimensions belong together, in which order memory is read. And the table of
 * ways through memory (kernel_table.h): each fills all results, with the same bits. */
#include "engine/reduction.h"
#include <math.h>
#include <stdio.h>
#include "engine/reduce_plan.h"

static wn__fold norm_fold(double p) {
    if (p == 0) return WN__FOLD_NONZERO;
    if (p == 1) return WN__FOLD_ABS;
    if (p == 2) return WN__FOLD_SQUARES;
    if (isinf(p)) return p > 0 ? WN__FOLD_ABSMAX : WN__FOLD_ABSMIN;
    return WN__FOLD_POW;
}

wn__rshape wn__choose_fold(wn__reduce_kind kind, double p, wn__elem elem, wn__fold *fold, double *param) {
    double value = 0;
    wn__rshape shape = WN__RS_FOLD;
    *fold = WN__FOLD_SUM;
    switch (kind) {
    case WN__R_SUM:
    case WN__R_MEAN: break;
    case WN__R_PROD: *fold = WN__FOLD_PROD; break;
    case WN__R_ARGMIN: shape = WN__RS_ARG; /* fall through */
    case WN__R_MIN: *fold = WN__FOLD_MIN; break;
    case WN__R_ARGMAX: shape = WN__RS_ARG; /* fall through */
    case WN__R_MAX: *fold = WN__FOLD_MAX; break;
    case WN__R_ANY:
    case WN__R_ALL:
    case WN__R_NONZERO: *fold = WN__FOLD_NONZERO; break;
    case WN__R_COUNT: shape = WN__RS_COUNT; break;
    case WN__R_VAR:
    case WN__R_STD: shape = WN__RS_VAR; break;
    case WN__R_NANSUM: *fold = WN__FOLD_NANSUM; break;
    case WN__R_LSE: shape = WN__RS_LSE; break;
    case WN__R_NORM:
        *fold = norm_fold(p);
        if (*fold == WN__FOLD_POW) value = p;
        break;
    }
    float narrow = (float)value;
    *param = 0;
    if (elem == WN__E_F32) memcpy(param, &narrow, sizeof narrow);
    else *param = value;
    return shape;
}

/* Appends a dimension, or joins it to the last one if they can be walked as one. Size 1 is dropped. */
static int append(wn__reduce_dim *to, int n, const wn__reduce_dim *d, bool with_output) {
    if (d->size == 1) return n;
    if (n) {
        wn__reduce_dim *last = &to[n - 1];
        if (last->x == d->x * d->size && last->m == d->m * d->size && (!with_output || last->o == d->o * d->size)) {
            int64_t size = last->size * d->size;
            *last = *d;
            last->size = size;
            return n;
        }
    }
    to[n] = *d;
    return n + 1;
}

static int64_t magnitude(int64_t v) { return v < 0 ? -v : v; }

/* The kept dimension along which vectors should run, or -1: row by row. */
static int column_of(const wn__rplan *p) {
    int best = -1;
    if (p->shape == WN__RS_COUNT || p->nred == 0) return -1;
    const wn__reduce_dim *inner = &p->red[p->nred - 1];
    const bool folds = p->shape == WN__RS_FOLD && wn__elem_float(p->elem) && (p->fold == WN__FOLD_SUM || p->fold == WN__FOLD_MIN || p->fold == WN__FOLD_MAX);
    for (int d = 0; d < p->nkept; d++) {
        const wn__reduce_dim *k = &p->kept[d];
        if (p->masked && k->m != 0) continue;
        if (k->size < (folds && k->x == 1 && k->size == inner->x ? 2 : 4)) continue; /* 2, 3 if rows are adjacent */
        if (best < 0 || magnitude(k->x) < magnitude(p->kept[best].x)) best = d;
    }
    if (best < 0) return -1;
    const wn__reduce_dim *c = &p->kept[best];
    /* If rows are too short for vectors, columns are gathered, several results at a time. */
    if (inner->x == 1 && inner->size < wn__rplan_short(p) && p->n < wn__rplan_short(p) && c->size >= 16) return best;
    if (inner->x == 1 || inner->x == 0) return -1;
    return magnitude(c->x) < magnitude(inner->x) ? best : -1;
}

/* Sorts the reduced dimensions into the order of the sequence: that of memory, largest stride outermost. They stay as
 * they are if the order must be the logical one (masks, indices) or memory has none (repeated elements). */
static int in_order(const wn__reduction *r, int *order) {
    int n = 0;
    bool keep = r->mask || r->kind == WN__R_ARGMIN || r->kind == WN__R_ARGMAX;
    for (int d = 0; d < r->ndim; d++)
        if (r->reduced >> d & 1 && r->dim[d].size != 1) keep |= r->dim[d].x == 0;
    for (int d = 0; d < r->ndim; d++) {
        if (!(r->reduced >> d & 1) || r->dim[d].size == 1) continue; /* strides of size 1 mean nothing */
        int k = n++;
        for (; !keep && k > 0 && magnitude(r->dim[order[k - 1]].x) < magnitude(r->dim[d].x); k--) order[k] = order[k - 1];
        order[k] = d;
    }
    return n;
}

void wn__reduce_plan(const wn__reduction *r, wn__rplan *p) {
    int order[WN_MAX_DIMS];
    WN_ASSERT(r->ndim >= 0 && r->ndim <= WN_MAX_DIMS && (unsigned)r->kind <= WN__R_NORM);
    WN_ASSERT(!(r->reduced >> r->ndim)); /* only existing dimensions are reduced */
    for (int d = 0; d < r->ndim; d++) WN_ASSERT(r->dim[d].size >= 0);
    p->k = wn__reduce_kernels_now();
    p->dtype = r->dtype;
    p->masked = r->mask != NULL;
    p->outputs = p->n = 1;
    p->nkept = p->nred = 0;
    p->elem = wn__elem_of(r->compute ? r->compute : r->dtype);
    p->size = wn__dtype_size((int)r->dtype);
    atomic_init(&p->no_memory, false);
    atomic_init(&p->empty, false);
    for (int d = 0; d < r->ndim; d++) {
        wn__reduce_dim dim = r->dim[d];
        if (r->reduced >> d & 1) {
            p->n *= dim.size;
            continue;
        }
        p->outputs *= dim.size;
        if (!r->mask) dim.m = 0;
        p->nkept = append(p->kept, p->nkept, &dim, true);
    }
    for (int i = 0, n = in_order(r, order); i < n; i++) {
        wn__reduce_dim dim = r->dim[order[i]];
        if (!r->mask) dim.m = 0;
        p->nred = append(p->red, p->nred, &dim, false);
    }
    p->shape = wn__choose_fold(r->kind, r->p, p->elem, &p->fold, &p->param);
    const bool narrow = !wn__elem_float(p->elem) && p->elem != WN__E_I32;
    if (p->fold == WN__FOLD_PROD && narrow) p->elem = WN__E_I64; /* there are no other kernels */
    p->direct = wn__elem_is(r->dtype, p->elem) && (p->nred == 0 || p->red[p->nred - 1].x == 1);
    p->largest = r->kind == WN__R_ARGMAX;
    p->column = p->n ? column_of(p) : -1;
}

#define EVERYWHERE WN__EVERY_DTYPE, WN__EVERY_LEVEL

static const wn__kernel_row rows[] = {
    {"rows", EVERYWHERE, wn__reduce_rows_suits, wn__reduce_rows, true},
    {"short rows", EVERYWHERE, wn__reduce_short_rows_suit, wn__reduce_short_rows, true},
    {"columns", EVERYWHERE, wn__reduce_columns_suit, wn__reduce_columns, true},
    {"exact segments", EVERYWHERE, wn__reduce_exact_suits, wn__reduce_exact, true},
    {"segments", WN__FLOATS, WN__EVERY_LEVEL, wn__reduce_segments_suit, wn__reduce_segments, true},
    {"across", EVERYWHERE, wn__reduce_is_turned, wn__reduce_across, true},
    {"sequence", EVERYWHERE, NULL, wn__reduce_sequence, true},
};

static void describe(const void *form, char *text, size_t room) {
    const wn__rplan *p = form;
    const wn__reduce_dim last = p->nred ? p->red[p->nred - 1] : (wn__reduce_dim){.size = 1};
    snprintf(text, room, "%s, %lld results of %lld elements%s, %d reduced dimensions, the last of %lld at stride %lld",
             wn_dtype_name(p->dtype), (long long)p->outputs, (long long)p->n, p->masked ? " under a mask" : "", p->nred,
             (long long)last.size, (long long)last.x);
}
WN__KERNEL_TABLE(wn__reduction_kernels, "reduction", rows, .describe = describe);

wn__reduce_status wn__reduce(const wn__reduction *r) {
    wn__rplan p;
    wn__reduce_plan(r, &p);
    if (p.outputs == 0) return WN__REDUCE_OK;
    if (!wn__kernel_walk(&wn__reduction_kernels, r->dtype, &p, (void *)(uintptr_t)r)) return WN__REDUCE_NO_MEMORY;
    return atomic_load(&p.empty) ? WN__REDUCE_EMPTY : WN__REDUCE_OK;
}
