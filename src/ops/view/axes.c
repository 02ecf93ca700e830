/* Linear maps along the last dimensions of a tensor: what averages, interpolations and their gradients have in common. A row of
 * the result is made in two steps: the rows it needs are combined whole, then elements of the combined row. Both directions
 * gather (the transposed map is a table of its own), so that a result does not depend on who computes it. */
#include <math.h>
#include "base/alloc.h"
#include "call/layout.h"
#include "base/counters.h"
#include "base/level.h"
#include "base/threads.h"
#include "ops/view/axes.h"

WN__DECLARE_LEVELS(wn__taps_table, wn__taps_table);
const wn__taps_table *wn__taps_now(void) { return WN__OF_LEVEL(wn__taps_table); }

/* ------------------------------------------------------------------ maps */

bool wn__axis_make(wn__axis *a, int64_t in, int64_t out, int64_t taps, bool weights, bool extents) {
    *a = (wn__axis){.in = in, .out = out};
    if (out < 0 || taps < 0 || out > INT64_MAX / 32 || taps > INT64_MAX / 32) return false;
    a->first = wn__calloc((size_t)(2 * out + 1), sizeof *a->first);
    a->weight = weights ? wn__calloc((size_t)taps + 1, sizeof *a->weight) : NULL;
    a->extent = extents ? wn__calloc((size_t)out + 1, sizeof *a->extent) : NULL;
    if (a->first && (a->weight || !weights) && (a->extent || !extents)) {
        a->start = a->first + out;
        return true;
    }
    wn__axis_free(a);
    return false;
}
void wn__axis_free(wn__axis *a) {
    wn__free(a->first);
    wn__free(a->weight);
    wn__free(a->extent);
    a->first = a->start = NULL;
    a->weight = a->extent = NULL;
}

/* Input j of a is output j of t. The outputs whose runs hold j follow one another, since runs begin and end in order. */
static bool transpose(wn__axis *t, const wn__axis *a) {
    if (!a->first) {
        *t = (wn__axis){.in = a->out, .out = a->in};
        return true;
    }
    int64_t total = 0;
    for (int64_t pass = 0; pass < 2; pass++) {
        int64_t lo = 0, hi = 0; /* outputs lo .. hi - 1 may hold j */
        if (pass && !wn__axis_make(t, a->out, a->in, total, true, false)) return false;
        for (int64_t j = 0; j < a->in; j++) {
            while (lo < a->out && wn__axis_end(a, lo) <= j) lo++;
            if (hi < lo) hi = lo;
            while (hi < a->out && a->first[hi] <= j) hi++;
            if (!pass) {
                total += hi - lo;
                continue;
            }
            t->first[j] = lo;
            t->start[j + 1] = t->start[j] + hi - lo;
            for (int64_t i = lo; i < hi; i++) {
                double w = 0;
                if (wn__axis_end(a, i) > j) w = (a->weight ? a->weight[a->start[i] + j - a->first[i]] : 1) / (a->extent ? a->extent[i] : 1);
                t->weight[t->start[j] + i - lo] = w;
            }
        }
    }
    return true;
}

bool wn__axis_adaptive(wn__axis *a, int64_t in, int64_t out) {
    if (in == out) {
        *a = (wn__axis){.in = in, .out = out};
        return true;
    }
    if (!wn__axis_make(a, in, out, 0, false, true)) return false;
    for (int64_t i = 0; i < out; i++) { /* i * in may be large: in parts */
        const int64_t from = i * (in / out) + i * (in % out) / out, to = (i + 1) * (in / out) + ((i + 1) * (in % out) + out - 1) / out;
        a->first[i] = from;
        a->start[i + 1] = a->start[i] + to - from;
        a->extent[i] = (double)(to - from);
    }
    return true;
}

/* ------------------------------------------------------------------ running */

/* n elements of the input row (z, y) from column c0 in the compute type: where they lie, or loaded into tmp. */
static const char *input_row(const wn__axes_job *j, const char *plane, int64_t z, int64_t y, int64_t c0, int64_t n, char *tmp) {
    const int64_t size = (int64_t)wn__dtype_size(j->x->dtype);
    const char *p = plane + (z * j->step[0] + y * j->step[1] + c0 * j->step[2]) * size;
    if (wn__is_register_form(j->x->dtype, j->ct) && (j->step[2] == 1 || n == 1)) return p;
    wn__kernels_now()->load[j->ct][j->x->dtype](n, tmp, p, j->step[2] * size);
    return tmp;
}

/* The rows that output row (oz, oy) needs, combined: columns c0 .. c0 + n - 1. In place where it is one row as it is, else in acc. */
static const char *combined_row(const wn__axes_job *j, const char *plane, int64_t oz, int64_t oy, int64_t c0, int64_t n, char *acc, char *tmp) {
    int64_t z0, y0;
    const char *wz, *wy;
    const int64_t nz = wn__axes_run_of(j, 0, oz, &z0, &wz), ny = wn__axes_run_of(j, 1, oy, &y0, &wy);
    if (nz == 1 && ny == 1 && wn__axes_number(j->ct, wz, 0) == 1 && wn__axes_number(j->ct, wy, 0) == 1) return input_row(j, plane, z0, y0, c0, n, tmp);
    if (nz == 0 || ny == 0) memset(acc, 0, (size_t)n * wn__ct_size(j->ct));
    for (int64_t z = 0; z < nz; z++)
        for (int64_t y = 0; y < ny; y++) {
            const double w = wn__axes_number(j->ct, wz, z) * wn__axes_number(j->ct, wy, y);
            const float narrow = (float)w;
            const void *by = !wz && !wy ? NULL : j->ct == WN__CT_F32 ? (const void *)&narrow : (const void *)&w;
            j->k.add(n, acc, input_row(j, plane, z0 + z, y0 + y, c0, n, tmp), by, z == 0 && y == 0);
        }
    return acc;
}

/* Averages are sums divided once; the extents of z and y are common to the row. */
static void divide_row(const wn__axes_job *j, char *row, int64_t oz, int64_t oy, int64_t o0, int64_t n) {
    double common = j->divisor != 0 ? j->divisor : 1;
    if (j->divisor == 0 && j->axes[0].extent) common *= j->axes[0].extent[oz];
    if (j->divisor == 0 && j->axes[1].extent) common *= j->axes[1].extent[oy];
    const double *extent = j->divisor == 0 && j->axes[2].extent ? j->axes[2].extent + o0 : NULL;
    if (extent || common != 1) j->k.divide(n, row, common, extent);
}
static void rows_task(void *ctx, int64_t begin, int64_t end) {
    wn__axes_job *j = ctx;
    const wn__axis *ax = &j->axes[2];
    const int64_t oh = j->axes[1].out, od = j->axes[0].out, bytes = (int64_t)wn__dtype_size(j->y->dtype);
    const size_t size = wn__ct_size(j->ct), line = ((size_t)ax->in * size + 127) & ~(size_t)63;
    const bool direct = wn__is_register_form(j->y->dtype, j->ct);
    char *acc = wn__task_scratch(&j->failed, 0, 2 * line + WN__AXES_BLOCK * size);
    if (!acc) return;
    const char *last = NULL, *last_to = NULL;
    int64_t last_o0 = 0;
    for (int64_t u = begin; u < end; u++) {
        const int64_t block = u % j->blocks, row = u / j->blocks, oy = row % oh, oz = row / oh % od;
        const int64_t o0 = block * WN__AXES_BLOCK, n = ax->out - o0 < WN__AXES_BLOCK ? ax->out - o0 : WN__AXES_BLOCK;
        int64_t c0 = ax->first ? ax->first[o0] : o0, c1 = ax->first ? wn__axis_end(ax, o0 + n - 1) : o0 + n;
        if (j->few) c0 = j->at[o0], c1 = j->at[o0 + n - 1] + j->few;
        if (c1 > ax->in) c1 = ax->in;
        if (c0 > c1) c0 = c1;
        const char *plane = j->from + wn__plane_offset(j->x, j->lead, row / oh / od) * (int64_t)wn__dtype_size(j->x->dtype);
        char *out = j->to + (row * ax->out + o0) * bytes, *to = direct ? out : acc + 2 * line;
        const char *in = combined_row(j, plane, oz, oy, c0, c1 - c0, ax->first || !direct ? acc : to, acc + line);
        if (direct && j->few && in == last && o0 == last_o0 && !wn__axes_divides(j)) { /* the same row again: nearest elements */
            memcpy(to, last_to, (size_t)n * size);
            continue;
        }
        last = in == acc || in == acc + line ? NULL : in, last_to = to, last_o0 = o0;
        if (j->few) {
            const size_t skip = (size_t)(o0 * j->few) * size;
            j->k.combine_few(n, j->few, j->at + o0, j->few_weight ? j->few_weight + skip : NULL, j->few_keep ? j->few_keep + skip : NULL,
                             in - c0 * (int64_t)size, to);
        } else if (ax->first) j->k.combine(n, ax->first + o0, ax->start + o0, j->weight[2], c0, in, to);
        else if (in != to) memcpy(to, in, (size_t)n * size);
        divide_row(j, to, oz, oy, o0, n);
        if (!direct) wn__kernels_now()->store[j->ct][j->y->dtype](n, out, bytes, to);
    }
}

/* Weights in the compute type. combine takes them with the axis' own numbers, which begin at 0. */
static bool convert_weights(wn__axes_job *j, int axis) {
    const wn__axis *a = &j->axes[axis];
    if (!a->weight) return true;
    const int64_t n = a->start[a->out];
    char *w = wn__calloc((size_t)n + 1, wn__ct_size(j->ct));
    if (!w) return false;
    j->weight[axis] = w;
    if (j->ct == WN__CT_F64) memcpy(w, a->weight, (size_t)n * sizeof(double));
    else
        for (int64_t i = 0; i < n; i++) ((float *)(void *)w)[i] = (float)a->weight[i];
    return true;
}

/* Tables of x's runs where all are short: as many elements of each, those beyond the run masked out. A run that would then go beyond the row
 * begins earlier. (Loops over one, two or no elements ask the branch predictor what it cannot know.) */
static bool find_few(wn__axes_job *j) {
    const wn__axis *a = &j->axes[2];
    int64_t most = 0, least = INT64_MAX;
    for (int64_t i = 0; i < a->out && a->first; i++) {
        const int64_t n = a->start[i + 1] - a->start[i];
        if (n > most) most = n;
        if (n < least) least = n;
    }
    const int few = most == 3 ? 4 : (int)(most > 4 ? 0 : most);
    if (!few || few > a->in || !j->k.combine_few || a->out > INT64_MAX / 64) return true;
    const bool plain = !a->weight && least == few;
    const size_t size = wn__ct_size(j->ct), n = (size_t)a->out * (size_t)few;
    j->at = wn__calloc((size_t)a->out, sizeof *j->at);
    j->few_weight = plain ? NULL : wn__calloc(n, size);
    j->few_keep = plain ? NULL : wn__calloc(n, size);
    if (!j->at || (!plain && (!j->few_weight || !j->few_keep))) return false;
    j->few = few;
    for (int64_t i = 0; i < a->out; i++) {
        j->at[i] = a->first[i] < a->in - few ? a->first[i] : a->in - few;
        for (int64_t k = 0; k < a->start[i + 1] - a->start[i] && !plain; k++) {
            const size_t to = (size_t)(i * few + a->first[i] - j->at[i] + k);
            const double w = a->weight ? a->weight[a->start[i] + k] : 1;
            memset(j->few_keep + to * size, 0xff, size);
            if (j->ct == WN__CT_F64) ((double *)(void *)j->few_weight)[to] = w;
            else ((float *)(void *)j->few_weight)[to] = (float)w;
        }
    }
    return true;
}

/* y = the nd maps applied to the last nd dimensions of x, divided by divisor (0: by nothing). y is fresh and row-major, or with `last` both lie
 * channels last; of a type that kernels compute in f32, f64 or (without weights) i64; u8 may be moved, not computed with. */
static wn_status run_axes(wn__call *c, int nd, const wn__axis *axes, double divisor, const wn_tensor *x, wn_tensor *y, bool last) {
    wn__axes_job j = {.x = x, .y = y, .lead = x->ndim - nd, .divisor = divisor};
    if (y->numel == 0) return WN_OK;
    if (x->numel == 0) return wn__fill_raw(y, wn_val_of_int(0));
    j.ct = x->dtype == WN_U8 ? WN__CT_F32 : wn__compute_type(x->dtype);
    j.k = wn__taps_now()->of[j.ct];
    for (int d = 0; d < 3; d++) {
        j.axes[d] = d < 3 - nd ? (wn__axis){.in = 1, .out = 1} : axes[d - 3 + nd];
        j.step[d] = d < 3 - nd ? 0 : x->strides[j.lead + d - 3 + nd];
    }
    bool ok = j.k.add != NULL;
    ok = ok && find_few(&j);
    for (int d = 0; d < (j.few ? 2 : 3) && ok; d++) ok = convert_weights(&j, d);
    j.from = ok ? wn__ptr(x) : NULL;
    j.to = ok ? wn__ptr(y) : NULL;
    if (j.from && j.to) {
        const int64_t width = j.axes[2].out, work = width + j.axes[2].in * (1 + j.axes[1].in / j.axes[1].out) * (1 + j.axes[0].in / j.axes[0].out);
        j.blocks = (width + WN__AXES_BLOCK - 1) / WN__AXES_BLOCK;
        j.channels = 1;
        if (last) wn__axes_last_plan(&j);
        const int64_t units = y->numel / j.channels / width * j.blocks;
        wn__count(y->numel);
        wn__parallel(units, 1 + 32768 / (wn__mul_sat(work, j.channels) / j.blocks + 1), last ? wn__axes_last_task : rows_task, &j);
    } else {
        ok = false;
    }
    for (int d = 0; d < 3; d++) wn__free(j.weight[d]);
    wn__free(j.at);
    wn__free(j.few_weight);
    wn__free(j.few_keep);
    return ok && !j.failed ? WN_OK : wn__fail_memory(c->op->name);
}

/* Is x read, and the result written, channels last, as it lies? */
static bool lies_last(const wn__call *c, int nd, const wn_tensor *x) {
    return !x->contiguous && x->ndim == nd + 2 && wn__channels_last(x) && wn__laid_last(c, 0);
}
wn_status wn__axes_infer(wn__call *c, int nd, const int64_t *out, const wn_tensor *x) {
    const wn_dims from = wn_shape(x), shape = wn__with_spatial(&from, nd, out);
    return wn__result_laid(c, 0, (wn_dtype)x->dtype, &shape, lies_last(c, nd, x));
}

wn_status wn__axes_apply(wn__call *c, int nd, wn__axis *axes, double divisor, const wn_tensor *x, bool back) {
    wn__axis turned[3] = {0};
    const bool last = lies_last(c, nd, x);
    wn_tensor *y = c->out[0];
    bool ok = true;
    if (back && divisor != 0) /* it stands for the extents */
        for (int d = 0; d < nd; d++) {
            wn__free(axes[d].extent);
            axes[d].extent = NULL;
        }
    for (int d = 0; d < nd && ok && back && y->numel; d++) ok = transpose(&turned[d], &axes[d]);
    wn_tensor *read = !ok ? NULL : last ? wn__retain((wn_tensor *)(uintptr_t)x) : wn__planes_of(x);
    wn_status st = read ? run_axes(c, nd, back ? turned : axes, divisor, read, y, last) : wn__fail_memory(c->op->name);
    wn__release(read);
    for (int d = 0; d < nd; d++) {
        wn__axis_free(&axes[d]);
        wn__axis_free(&turned[d]);
    }
    return st;
}
