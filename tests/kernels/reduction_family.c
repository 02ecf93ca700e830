/* Reductions of small whole numbers, sums and products of which are exact in every order. */
#include "engine/contract_ref.h"
#include "engine/reduce_plan.h"
#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Three dimensions of x, which lie in memory in the order `order`, outermost first. Named by the row they are for. */
typedef struct shape {
    const char *row;
    wn__reduce_kind kind;
    int64_t size[3];
    int order[3];
    uint32_t reduced;
    bool masked;
} shape;
static const shape shapes[] = {
    {"rows", WN__R_SUM, {1, 5, 70}, {0, 1, 2}, 4, false},
    {"rows: chunks", WN__R_MAX, {1, 1, 20000}, {0, 1, 2}, 4, false},
    {"short rows", WN__R_SUM, {1, 50, 5}, {0, 1, 2}, 4, false},
    {"columns", WN__R_SUM, {3, 20, 37}, {0, 1, 2}, 2, false},
    {"columns: chunks", WN__R_MAX, {1, 5000, 5}, {0, 1, 2}, 2, false},
    {"columns: a mask", WN__R_ARGMAX, {1, 20, 37}, {0, 1, 2}, 2, true},
    {"exact segments", WN__R_NONZERO, {6, 5, 40}, {0, 1, 2}, 5, false},
    {"exact segments: chunks", WN__R_NONZERO, {200, 2, 100}, {0, 1, 2}, 5, false},
    {"segments", WN__R_SUM, {6, 5, 40}, {0, 1, 2}, 5, false},
    {"segments: chunks", WN__R_MIN, {200, 2, 100}, {0, 1, 2}, 5, false},
    {"across", WN__R_ARGMIN, {1, 33, 50}, {0, 2, 1}, 6, false},
    {"across: chunks", WN__R_ARGMAX, {1, 100, 200}, {0, 2, 1}, 6, false},
    {"sequence", WN__R_ARGMIN, {2, 3, 100}, {0, 1, 2}, 6, false},
    {"sequence: a mask", WN__R_SUM, {7, 3, 50}, {0, 1, 2}, 5, true},
    {"sequence: chunks", WN__R_SUM, {1, 1, 20000}, {0, 1, 2}, 4, true},
    {"sequence: how many", WN__R_COUNT, {4, 3, 50}, {0, 1, 2}, 4, true},
};
static const wn__kernel_table *const tables[] = {&wn__reduction_kernels};

typedef struct own {
    wn__rplan plan;
    wn__reduction r;
    char *x;
    uint8_t *mask;
    double *got, *want;
} own;

/* A result on its way: its value, the extreme so far, elements that count and positions passed. */
typedef struct state {
    double y, extreme;
    int64_t n, position;
} state;

static void take(state *s, wn__reduce_kind kind, double v) {
    const bool least = kind == WN__R_MIN || kind == WN__R_ARGMIN, index = kind == WN__R_ARGMIN || kind == WN__R_ARGMAX;
    const bool better = s->n++ == 0 || (least ? v < s->extreme : v > s->extreme);
    if (better) s->extreme = v;
    if (kind == WN__R_SUM) s->y += v;
    else if (kind == WN__R_NONZERO) s->y += v != 0;
    else if (kind == WN__R_COUNT) s->y++;
    else if (!index) s->y = s->extreme;
    else if (better) s->y = (double)s->position;
}

/* All results, by plain loops in row-major order. */
static void all_results(const own *w, int64_t outputs) {
    state *s = calloc((size_t)outputs, sizeof *s);
    const wn__reduce_dim *d = w->r.dim;
    for (int64_t i = 0; i < d[0].size * d[1].size * d[2].size; i++) {
        const int64_t a = i / (d[1].size * d[2].size), b = i / d[2].size % d[1].size, c = i % d[2].size;
        state *to = &s[a * d[0].o + b * d[1].o + c * d[2].o];
        const double v = wn__ref_get(w->x, w->r.dtype, a * d[0].x + b * d[1].x + c * d[2].x);
        if (!w->r.mask || w->mask[a * d[0].m + b * d[1].m + c * d[2].m]) take(to, w->r.kind, v);
        to->position++;
    }
    for (int64_t o = 0; o < outputs; o++) {
        const int64_t at = (int64_t)s[o].y;
        if (w->r.also) memcpy(&w->want[o], &at, sizeof at);
        else w->want[o] = s[o].y;
    }
    free(s);
}

static bool make(const wn__kernel_table *t, int number, wn_dtype dtype, trial *made) {
    const shape *s = &shapes[number];
    const int64_t n = s->size[0] * s->size[1] * s->size[2];
    const bool index = s->kind == WN__R_ARGMIN || s->kind == WN__R_ARGMAX;
    own *w = calloc(1, sizeof *w);
    int64_t outputs = 1, step = 1, places = 1; /* of the mask, which indices by columns share */
    (void)t;
    w->r = (wn__reduction){.kind = s->kind, .dtype = dtype, .ndim = 3, .reduced = s->reduced, .out_dtype = WN_F64};
    for (int d = 2; d >= 0; d--) {
        const bool kept = !(s->reduced >> d & 1);
        w->r.dim[s->order[d]].x = step;
        w->r.dim[d].size = s->size[d], w->r.dim[d].o = kept ? outputs : 0;
        w->r.dim[d].m = !kept || s->kind != WN__R_ARGMAX ? places : 0;
        step *= s->size[s->order[d]];
        if (w->r.dim[d].m) places *= s->size[d];
        if (kept) outputs *= s->size[d];
    }
    w->x = malloc((size_t)n * wn_dtype_size(dtype)), w->mask = malloc((size_t)n);
    w->got = calloc((size_t)outputs, sizeof *w->got), w->want = calloc((size_t)outputs, sizeof *w->want);
    fill_small(w->x, dtype, n);
    for (int64_t i = 0; i < n; i++) w->mask[i] = i % 3 != 1;
    w->r.x = w->x, w->r.mask = s->masked ? w->mask : NULL;
    w->r.out = index ? NULL : w->got, w->r.also = index ? w->got : NULL;
    all_results(w, outputs);
    wn__reduce_plan(&w->r, &w->plan);
    *made = (trial){.form = &w->plan, .call = &w->r, .got = w->got, .want = w->want};
    made->bytes = (size_t)outputs * sizeof *w->got;
    snprintf(made->shape, sizeof made->shape, "%s", s->row);
    return true;
}

static void drop(trial *made) {
    own *w = made->form; /* its first member */
    free(w->x), free(w->mask), free(w->got), free(w->want);
    free(w);
}

const family reduction_family = {tables, 1, sizeof shapes / sizeof *shapes, make, drop, NULL};
