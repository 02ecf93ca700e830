/* Layouts of leaves and outputs in the flat order, and moving their elements between memory and registers. */
#include "base/odometer.h"
#include "engine/program_impl.h"

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

/* Should dimension a lie outside b? The first view in which their strides differ decides. */
static bool outside(int a, int b, const int64_t *const *strides, int n) {
    for (int v = 0; v < n; v++) {
        int64_t sa = magnitude(strides[v][a]), sb = magnitude(strides[v][b]);
        if (sa == 0 || sb == 0) continue;
        if (sa != sb) return sa > sb;
    }
    return a < b;
}

void wn__program_order(int ndim, const int64_t *shape, const int64_t *const *strides, int n, int *order) {
    WN_ASSERT(ndim >= 0 && ndim <= WN_MAX_DIMS && n >= 0);
    int used = 0;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 1) continue; /* its stride means nothing */
        int k = used++;
        for (; k > 0 && outside(d, order[k - 1], strides, n); k--) order[k] = order[k - 1];
        order[k] = d;
    }
    for (int d = 0; d < ndim; d++)
        if (shape[d] == 1) order[used++] = d;
}

void wn__leaf_layout(wn__leaf *l, int ndim, const int64_t *shape, const int64_t *strides, const int *order) {
    WN_ASSERT(ndim >= 0 && ndim <= WN_MAX_DIMS);
    int n = 0;
    for (int i = 0; i < ndim; i++) {
        int d = order ? order[i] : i;
        if (shape[d] == 1) continue;
        if (n && l->strides[n - 1] == strides[d] * shape[d]) {
            l->shape[n - 1] *= shape[d];
            l->strides[n - 1] = strides[d];
        } else {
            l->shape[n] = shape[d];
            l->strides[n++] = strides[d];
        }
    }
    l->ndim = n;
}

typedef struct walk {
    const wn__view *v;
    char *at;
    int64_t left; /* elements left in the innermost run */
    int64_t index[WN_MAX_DIMS];
} walk;

static void seek(walk *w, const wn__view *v, int64_t i) {
    w->v = v;
    w->at = v->l->base;
    w->left = 1;
    for (int d = v->ndim - 1; d >= 0; d--) {
        int64_t size = v->l->shape[d], next = d ? i / size : 0;
        w->index[d] = i - next * size;
        w->at += w->index[d] * v->l->strides[d];
        i = next;
        WN_ASSERT(w->index[d] < size);
    }
    if (v->ndim) w->left = v->l->shape[v->ndim - 1] - w->index[v->ndim - 1];
}

/* Goes on by `done` elements of the innermost run. */
static void go_on(walk *w, int64_t done) {
    WN_ASSERT(done > 0 && done <= w->left);
    const wn__leaf *l = w->v->l;
    int d = w->v->ndim - 1;
    w->at += done * l->strides[d];
    w->left -= done;
    if (w->left) return;
    w->at -= l->shape[d] * l->strides[d];
    w->index[d] = 0;
    w->left = l->shape[d];
    w->at += wn__odometer_step(d - 1, l->shape, l->strides, w->index);
}

/* Goes on by `rows` whole runs, within the dimension around them. */
static void go_on_rows(walk *w, int64_t rows) {
    const wn__leaf *l = w->v->l;
    int d = w->v->ndim - 2;
    w->at += rows * l->strides[d];
    if ((w->index[d] += rows) < l->shape[d]) return;
    w->at -= l->shape[d] * l->strides[d];
    w->index[d] = 0;
    w->at += wn__odometer_step(d - 1, l->shape, l->strides, w->index);
}

/* Shorter runs are gathered many at a time (channels into pixels, the transpose of a narrow matrix). */
enum { SHORT = 16 };

#include "base/as_i32.h"
#include "engine/program_gather_of.h"
#include "base/as_i64.h"
#include "engine/program_gather_of.h"
#include "base/as_none.h"

/* Are v's runs short, many, and read without conversion? */
static bool gathers(const wn__view *v, wn__ct ct) {
    const wn__leaf *l = v->l;
    const int d = v->ndim - 1;
    const int64_t size = (int64_t)wn__ct_size(ct);
    return d >= 1 && l->shape[d] < SHORT && l->shape[d - 1] >= 4 && wn__is_register_form(l->dtype, ct) && (size == 4 || size == 8) &&
           l->strides[d] % size == 0 && l->strides[d - 1] % size == 0;
}

char *wn__view_seek(const wn__view *v, int64_t i, int64_t *left) {
    WN_ASSERT(i >= 0);
    walk w;
    seek(&w, v, i);
    *left = w.left;
    return w.at;
}

void wn__view_load(const wn__prepared *pp, const wn__view *v, wn__ct ct, int64_t begin, int64_t n, char *to) {
    WN_ASSERT(begin >= 0 && n > 0);
    wn__load load = pp->k->load[ct][v->l->dtype];
    if (v->reach == WN__FLAT) {
        load(n, to, v->l->base + begin * v->step, v->step);
        return;
    }
    walk w;
    seek(&w, v, begin);
    const bool gather = gathers(v, ct);
    for (;;) {
        const int d = v->ndim - 1;
        if (gather && w.index[d] == 0 && n >= v->l->shape[d]) {
            const int64_t run = v->l->shape[d], left = v->l->shape[d - 1] - w.index[d - 1], rows = n / run < left ? n / run : left, size = (int64_t)wn__ct_size(ct);
            (size == 4 ? gather_i32 : gather_i64)(w.at, rows, v->l->strides[d - 1] / size, run, v->l->strides[d] / size, to);
            if ((n -= rows * run) == 0) return;
            to += rows * run * size;
            go_on_rows(&w, rows);
            continue;
        }
        int64_t m = w.left < n ? w.left : n;
        load(m, to, w.at, v->step);
        if ((n -= m) == 0) return;
        to += m * (int64_t)wn__ct_size(ct);
        go_on(&w, m);
    }
}

void wn__view_store(const wn__prepared *pp, const wn__view *v, wn__ct ct, int64_t begin, int64_t n, const char *from) {
    WN_ASSERT(begin >= 0 && n > 0);
    wn__store store = pp->k->store[ct][v->l->dtype];
    if (v->reach == WN__FLAT) {
        store(n, v->l->base + begin * v->step, v->step, from);
        return;
    }
    walk w;
    seek(&w, v, begin);
    for (;;) {
        int64_t m = w.left < n ? w.left : n;
        store(m, w.at, v->step, from);
        if ((n -= m) == 0) return;
        from += m * (int64_t)wn__ct_size(ct);
        go_on(&w, m);
    }
}
