/* Backward of rows that compute along lines of their input: softmax, norms, the determinant of each matrix of a batch.
 * If all results of a line are absent, so is the line's gradient, whatever the line holds. The row's .lines says what a
 * line is (table/row.h). */
#include "grad/support.h"
#include "grad/tape.h"

/* kept: the input's sizes, but 1 in the dimensions of a line, `along`; parts: number of lines in dimension 1. */
typedef struct lines {
    wn_dims kept, along;
    int64_t parts;
    bool halves; /* a line is an element of each half of the dimension */
} lines;

static bool member(const wn_dims *d, int i, int ndim) {
    for (int k = 0; k < d->n; k++)
        if (d->v[k] == i || d->v[k] == i - ndim) return true;
    return d->n < 1;
}

/* The dimensions that an argument, a list or a number, names. */
static wn_dims named(const wn__node *n, const char *name) {
    wn_dims d = WN_UNSET;
    for (int i = 0; i < n->op->nfields; i++) {
        const wn_field *f = &n->op->fields[i];
        const void *p = (const char *)n->args + f->offset;
        if (strcmp(f->torch, name)) continue;
        if (f->kind == WN_K_DIMS) d = *(const wn_dims *)p;
        else if (f->kind == WN_K_INT) d = (wn_dims){.n = 1, .v = {*(const int64_t *)p}};
        else if (f->kind == WN_K_SCALAR) d = (wn_dims){.n = 1, .v = {wn__i64_or(*(const wn_val *)p, -1)}};
    }
    return d;
}

static lines lines_of(const wn__node *n) {
    const char *text = wn__moves_texts[n->op->moves_text];
    const wn__edge *e = &n->edges[0];
    lines l = {.parts = 0, .halves = !strcmp(text, "halves")};
    wn_dims d = named(n, l.halves ? "dim" : text);
    int trailing = 0;
    if (!strcmp(text, "matrix")) trailing = 2;
    else if (!strcmp(text, "normalized_shape")) trailing = d.n;
    else if (!strcmp(text, "classes")) d = (wn_dims){.n = 1, .v = {e->ndim > 1}};
    else if (!strcmp(text, "num_groups")) l.parts = d.v[0], trailing = e->ndim - 1;
    for (int i = 0; i < e->ndim; i++) {
        bool in = trailing ? i >= e->ndim - trailing : member(&d, i, e->ndim);
        l.kept.v[l.kept.n++] = in ? 1 : e->shape[i];
        if (in) l.along.v[l.along.n++] = i;
    }
    return l;
}

static wn_dims shape_or_0d(wn_dims d) {
    if (!d.n) d.n = -1;
    return d;
}

/* Is any element of a line true in `on`, which has a result's shape? A mask of sizes `kept`. NULL: shapes differ. */
static wn_tensor *any_along(const wn__edge *e, const lines *l, wn_tensor *on) {
    int64_t count = 1;
    for (int d = 0; d < l->kept.n; d++) count *= l->kept.v[d];
    const int batch = l->along.n ? (int)l->along.v[0] : e->ndim;
    bool trailing = l->along.n && batch + l->along.n == e->ndim && on->ndim > batch;
    for (int d = 0; d < batch && trailing; d++) trailing = on->shape[d] == e->shape[d];
    if (on->numel == 1 || on->numel == count) return wn_reshape(on, shape_or_0d(l->kept));
    if (!l->along.n) return NULL;
    if (trailing) { /* a result may have any sizes along a line */
        wn_dims rest = WN_UNSET;
        for (int d = batch; d < on->ndim; d++) rest.v[rest.n++] = d;
        return wn_reshape(wn_any(on, .dims = rest), shape_or_0d(l->kept));
    }
    if (on->ndim != e->ndim) return NULL;
    for (int d = 0; d < e->ndim; d++)
        if (l->kept.v[d] != 1 && on->shape[d] != e->shape[d]) return NULL;
    return wn_any(on, .dims = l->along, .keepdim = true);
}

/* The same if a line is a channel's group: a mask [batch, channels, 1, ...]. */
static wn_tensor *any_in_group(const wn__edge *e, const lines *l, wn_tensor *on) {
    if (on->ndim != e->ndim || e->ndim < 2 || !on->numel) return NULL;
    const int64_t batch = e->shape[0], each = e->shape[1] / l->parts;
    wn_tensor *groups = wn_any(wn_reshape(on, WN_DIMS(batch, l->parts, -1)), .dims = WN_DIMS(2), .keepdim = true);
    wn_dims sizes = l->kept;
    sizes.v[1] = e->shape[1];
    return wn_reshape(wn_expand(groups, WN_DIMS(batch, l->parts, each)), sizes);
}

static wn_tensor *exist(const wn__node *n, const wn__cotangent *g) {
    const lines l = lines_of(n);
    const wn__edge *e = &n->edges[0];
    wn_tensor *all = NULL;
    for (int i = 0; i < n->nout; i++) {
        if (!g[i].value) continue;
        wn_tensor *on = !g[i].support ? NULL : wn__support_mask(g[i].support, g[i].value);
        if (on && !wn_ok(on)) return on;
        if (on && l.halves) on = l.along.n == 1 ? wn_cat(WN_LIST(on, on), .dim = WN_VAL(l.along.v[0])) : NULL;
        else if (on) on = l.parts ? any_in_group(e, &l, on) : any_along(e, &l, on);
        if (!on || !wn_ok(on)) return on; /* it exists everywhere, or that is unknown */
        all = all ? wn_logical_or(all, on) : on;
    }
    return all;
}

wn_tensor *wn__lines_exist(const wn__node *n, const wn__cotangent *g) {
    wn_scope scope = wn_begin_modes((wn_modes){.grad = WN_OFF});
    wn_tensor *on = exist(n, g);
    wn_status st = WN_OK;
    if (on && wn__true_everywhere(on, &st)) on = NULL; /* the common case */
    if (!on) wn_end(&scope);
    return !on ? NULL : wn_leave(&scope, st ? &wn__bad_tensor : on);
}

bool wn__lines_fit(const wn__node *n, int i, const wn_tensor *on) {
    const wn__edge *e = &n->edges[i];
    bool fits = e->ndim == on->ndim;
    for (int d = 0; d < e->ndim && fits; d++) fits = on->shape[d] == 1 || on->shape[d] == e->shape[d];
    return fits;
}
