/* Padding in four modes: one walk over rows with a map from output to input places along each dimension, computed as it goes.
 * The gradient gathers: each row of the input's gradient sums the output rows that pad made of it, in their order. */
#include <limits.h>
#include "base/alloc.h"
#include "call/layout.h"
#include "base/counters.h"
#include "base/inline.h"
#include "engine/block.h"
#include "grad/tape.h"
#include "base/threads.h"
#include "ops/spatial/spatial.h"
#include "support/supports.h"

typedef enum how { CONSTANT, REFLECT, REPLICATE, CIRCULAR } how;

/* One dimension. What mode sees of the input is [base, base + size); it begins at output place left (negative: is cut). */
typedef struct axis {
    int64_t in, out, base, size, left;
} axis;

enum {
    EDGES = 32,
    LEAST_MOVE = 8,  /* bytes of a middle */
    NEAR = 1 << 12   /* bytes of rows that are still near when their second pass begins */
};

typedef struct pad_job {
    how mode;
    int ndim;
    axis axes[WN_MAX_DIMS];
    int64_t step[WN_MAX_DIMS]; /* of the tensor read, in elements */
    const wn_tensor *x;
    const char *from;
    char *to;
    int64_t row;               /* elements of a row of the result */
    int64_t lo, hi;            /* of those: read as they lie */
    bool moved;                /* by the kernel for rows of bytes */
    bool listed;               /* the others' places in a row of x are in edge */
    int64_t edge[EDGES];
    uint64_t fill;
    wn__ct ct;
    _Atomic bool failed;
} pad_job;

/* The input place of output place i; -1: none. */
static inline int64_t source(how mode, const axis *a, int64_t i) {
    const int64_t s = i - a->left;
    if (s >= 0 && s < a->size) return a->base + s;
    switch (mode) {
    case CONSTANT: return -1;
    case REPLICATE: return a->base + (s < 0 ? 0 : a->size - 1);
    case REFLECT: return a->base + (s < 0 ? -s : 2 * (a->size - 1) - s);
    case CIRCULAR: return a->base + (s % a->size + a->size) % a->size;
    }
    return -1;
}

/* ------------------------------------------------------------------ arguments */

static bool read_mode(const char *name, how *mode) {
    static const char *const names[] = {"constant", "reflect", "replicate", "circular"};
    for (int k = 0; k < 4; k++)
        if (!strcmp(name ? name : "constant", names[k])) {
            *mode = (how)k;
            return true;
        }
    return false;
}

static wn_status fit_axis(wn__call *c, how mode, int d, int64_t in, int64_t left, int64_t right, axis *a) {
    *a = (axis){.in = in, .size = in, .left = left};
    int64_t out;
    if (left < -(INT64_MAX / 4) || right < -(INT64_MAX / 4) || left > INT64_MAX / 4 || right > INT64_MAX / 4 || __builtin_add_overflow(in, left + right, &out))
        return wn__fail_op(c, WN_E_RUNTIME, "padding (%lld, %lld) of dimension %d is too large", (long long)left, (long long)right, d);
    a->out = out;
    if (mode == REFLECT && (left >= in || right >= in) && (left > 0 || right > 0))
        return wn__fail_op(c, WN_E_RUNTIME, "Padding size should be less than the corresponding input dimension, but got: padding (%lld, %lld) at dimension %d of "
                           "size %lld", (long long)left, (long long)right, d, (long long)in);
    if (mode == CIRCULAR) {
        if (left > in || right > in) return wn__fail_op(c, WN_E_RUNTIME, "Padding value causes wrapping around more than once.");
        a->base = left < 0 ? -left : 0;
        a->size = in - a->base + (right < 0 ? right : 0);
        a->left = left > 0 ? left : 0;
        if (a->size < 0) out = -1;
    }
    if (out < 0 || (mode == CONSTANT && in + (left < 0 ? left : 0) + (right < 0 ? right : 0) < 0))
        return wn__fail_op(c, WN_E_RUNTIME, "The input size %lld, plus negative padding %lld and %lld, resulted in a negative output size, which is invalid. "
                           "Check dimension %d of your input.", (long long)in, (long long)left, (long long)right, d);
    if (a->size == 0 && out > 0 && mode != CONSTANT) return wn__fail_op(c, WN_E_RUNTIME, "dimension %d has no elements to pad with", d);
    return WN_OK;
}

/* Modes that take what they put there from the input: of its last n dimensions, behind channels and perhaps a batch, which alone may be empty. */
static wn_status check_picture(wn__call *c, int n, const wn_dims *size, bool circular) {
    const int ndim = size->n > 0 ? size->n : 0;
    if (n < 1 || n > 3 || (ndim != n + 1 && ndim != n + 2))
        return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "Padding size %d is not supported for %dD input tensor.\nSupported combinations for non-constant padding:\n"
                           "  - 2D or 3D input: padding size = 2 (pads last dimension)\n  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
                           "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)", 2 * n, ndim);
    for (int d = circular ? ndim - n : ndim - n - 1; d < ndim; d++)
        if (size->v[d] == 0)
            return circular ? wn__fail_op(c, WN_E_RUNTIME, "Padding value causes wrapping around more than once.")
                            : wn__fail_op(c, WN_E_RUNTIME, "Expected %dD or %dD (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
                                          "but got: %s", n + 1, n + 2, wn__dims_text(size->v, ndim));
    return WN_OK;
}

static wn_status fit(wn__call *c, const char *mode, const wn_dims *pad, const wn_dims *size, pad_job *j) {
    const int ndim = size->n > 0 ? size->n : 0, n = pad->n > 0 ? pad->n : 0;
    if (n % 2) return wn__fail_op(c, WN_E_RUNTIME, "Padding length must be divisible by 2, but got %s", wn__dims_text(pad->v, n));
    if (n > 2 * ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "Padding length should be less than or equal to two times the input dimension but got padding length %d and input of "
                           "dimension %d", n, ndim);
    if (!read_mode(mode, &j->mode)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "Unrecognised padding mode %s", mode);
    c->row_major = j->mode == CIRCULAR; /* as in torch */
    wn_status st = j->mode == CONSTANT ? WN_OK : check_picture(c, n / 2, size, j->mode == CIRCULAR);
    if (st) return st;
    j->ndim = ndim;
    for (int d = 0; d < ndim; d++) {
        const int k = 2 * (ndim - 1 - d);
        st = fit_axis(c, j->mode, d, size->v[d], k < n ? pad->v[k] : 0, k < n ? pad->v[k + 1] : 0, &j->axes[d]);
        if (st) return st;
    }
    int64_t most = 1; /* of the padded dimensions' results, torch wants one with an element */
    for (int d = ndim - n / 2; d < ndim && (j->mode == REFLECT || j->mode == REPLICATE); d++)
        most = d == ndim - n / 2 || j->axes[d].out > most ? j->axes[d].out : most;
    return most >= 1 ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "input %s is too small for padding %s: the result would be empty", wn__dims_text(size->v, ndim), wn__dims_text(pad->v, n));
}

/* A tensor without dimensions as one with one of size 1. */
static void at_least_one(pad_job *j) {
    if (j->ndim) return;
    j->ndim = 1;
    j->axes[0] = (axis){1, 1, 0, 1, 0};
    j->step[0] = 1;
}

/* ------------------------------------------------------------------ forward */

/* Where the middle of a row of the result begins and ends: what is read as it lies. */
static void fit_middle(pad_job *j) {
    const axis *a = &j->axes[j->ndim - 1];
    int64_t lo = a->left < 0 ? 0 : a->left, hi = a->left + a->size;
    if (hi > a->out) hi = a->out;
    if (lo > a->out) lo = a->out;
    j->lo = lo;
    j->hi = hi < lo ? lo : hi;
    j->moved = j->step[j->ndim - 1] == 1 && (j->hi - lo) * (int64_t)wn__dtype_size(j->x->dtype) >= LEAST_MOVE;
    j->listed = j->mode != CONSTANT && lo + a->out - j->hi <= EDGES;
    int n = 0;
    for (int64_t i = 0; i < lo && j->listed; i++) j->edge[n++] = source(j->mode, a, i) * j->step[j->ndim - 1];
    for (int64_t i = j->hi; i < a->out && j->listed; i++) j->edge[n++] = source(j->mode, a, i) * j->step[j->ndim - 1];
}

#define BODY "ops/view/pad_of.h"
#include "base/for_sizes.h"
#define BODY "ops/view/pad_of.h"
#include "base/for_floats.h"

/* The middles of these rows, those side by side in x by one call. */
static void move_middles(const pad_job *j, const axis *v, const char *plane, int64_t row_step, int64_t first, int64_t last, char *out) {
    const axis *a = &j->axes[j->ndim - 1];
    const int64_t bytes = (int64_t)wn__dtype_size(j->x->dtype), row = a->out * bytes, shift = a->base + j->lo - a->left;
    for (int64_t r = first, count; r < last; r += count) {
        const int64_t s = source(j->mode, v, r), inside = v->left + v->size;
        count = r < v->left || r >= inside ? 1 : inside < last ? inside - r : last - r;
        if (s < 0) continue;
        wn__block_now()->move(count, (size_t)((j->hi - j->lo) * bytes), out + (r - first) * row + j->lo * bytes, row, plane + (s * row_step + shift) * bytes, row_step * bytes);
    }
}

/* Coordinates of row r (all dimensions but the last), whose sizes are `out` or `in` of the axes. */
static void coordinates(const pad_job *j, int64_t r, bool out, int64_t *at) {
    for (int d = j->ndim - 2; d >= 0; d--) {
        const int64_t n = out ? j->axes[d].out : j->axes[d].in;
        at[d] = r % n;
        r /= n;
    }
}
static void advance(const pad_job *j, bool out, int64_t *at) {
    for (int d = j->ndim - 2; d >= 0; d--) {
        if (++at[d] < (out ? j->axes[d].out : j->axes[d].in)) return;
        at[d] = 0;
    }
}

/* The fill to n elements. */
static void fill_with(const pad_job *j, char *to, int64_t n, int64_t bytes) {
    const size_t all = (size_t)(n * bytes);
    if (j->fill == 0 || n == 0) {
        memset(to, 0, all);
        return;
    }
    memcpy(to, &j->fill, (size_t)bytes);
    for (size_t done = (size_t)bytes; done < all; done *= 2) memcpy(to + done, to, done < all - done ? done : all - done);
}

/* Some rows are all fill and the others have it at their ends: written everywhere first, a few rows at a time, it costs less than looking
 * for its places. Long rows go one by one, and only their ends are written twice. */
static void forward_task(void *ctx, int64_t begin, int64_t end) {
    static const axis single = {1, 1, 0, 1, 0};
    const pad_job *j = ctx;
    const int64_t bytes = (int64_t)wn__dtype_size(j->x->dtype);
    const int rows = j->ndim - 2; /* the dimension of a plane's rows; -1: a plane is one row */
    const axis *v = rows < 0 ? &single : &j->axes[rows];
    int64_t at[WN_MAX_DIMS] = {0};
    coordinates(j, begin, true, at);
    const int64_t fits = NEAR / (j->row * bytes), some = fits > 1 ? fits : 1, row_step = rows < 0 ? 0 : j->step[rows];
    for (int64_t r = begin, near = begin; r < end;) {
        char *to = j->to + r * j->row * bytes;
        const bool next = r == near;
        if (next) near = end - r < some ? end : r + some;
        const int64_t first = rows < 0 ? 0 : at[rows], last = v->out - first < near - r ? v->out : first + near - r;
        const char *plane = j->from;
        for (int d = 0; d < rows && plane; d++) {
            const int64_t s = source(j->mode, &j->axes[d], at[d]);
            plane = s < 0 ? NULL : plane + s * j->step[d] * bytes;
        }
        if (next && j->mode == CONSTANT) {
            const bool ends = some == 1 && plane && source(CONSTANT, v, first) >= 0;
            fill_with(j, to, ends ? j->lo : (near - r) * j->row, bytes);
            if (ends) fill_with(j, to + j->hi * bytes, j->row - j->hi, bytes);
        }
        if (plane && j->moved) move_middles(j, v, plane, row_step, first, last, to);
        if (plane && !(j->moved && j->mode == CONSTANT)) {
            BY_SIZE(bytes, rows, j, v, plane, row_step, first, last, to);
        }
        r += last - first;
        if (rows < 0) continue;
        at[rows] = last - 1;
        advance(j, true, at);
    }
}

/* Channels last goes in and comes out: the dimensions are walked in that order, rows are the channels of one place. strides: the result's. */
static void walk_channels_last(pad_job *j, const int64_t *shape, int64_t *strides) {
    axis axes[5];
    int64_t step[5];
    memcpy(axes, j->axes, sizeof axes);
    memcpy(step, j->step, sizeof step);
    for (int d = 1; d < j->ndim; d++) {
        const int from = d == j->ndim - 1 ? 1 : d + 1;
        j->axes[d] = axes[from];
        j->step[d] = step[from];
    }
    wn__channels_last_strides(j->ndim, shape, strides);
}

wn_status wn__infer_pad(wn__call *c, wn_tensor *x, const wn_dims *pad, const char *mode, wn_val value) {
    const wn_dims size = wn_shape(x);
    pad_job *j = wn__plan(c, sizeof *j);
    if (!j) return c->th->error;
    j->x = x;
    wn_status st = fit(c, mode, pad, &size, j);
    if (st) return st;
    if (j->mode != CONSTANT && value.kind != WN_VAL_NONE && wn__val_f64(value) != 0)
        return wn__fail_op(c, WN_E_RUNTIME, "Padding mode \"%s\" doesn't take in value argument", mode);
    if (j->mode != CONSTANT && j->mode != CIRCULAR && x->dtype == WN_BOOL)
        return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for 'Bool'", mode);
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    for (int d = 0; d < j->ndim; d++) shape[d] = j->axes[d].out;
    if (value.kind != WN_VAL_NONE && (st = wn__check_number(c, (wn_dtype)x->dtype, value))) return st;
    memcpy(j->step, x->strides, sizeof j->step);
    const bool last = !c->target && !c->row_major && wn__channels_last(x);
    if (last) walk_channels_last(j, shape, strides);
    return wn__result(c, 0, (wn_dtype)x->dtype, j->ndim, shape, last ? strides : NULL);
}
wn_status wn__run_pad(wn__call *c, wn_tensor *x, wn_val value_given) {
    pad_job *j = c->plan;
    wn_tensor *y = c->out[0];
    if (y->numel == 0) return WN_OK;
    const wn_val value = value_given.kind == WN_VAL_NONE ? wn_val_of_int(0) : value_given;
    if (x->numel == 0) return wn__fill_raw(y, value);
    wn__store_val((wn_dtype)x->dtype, &j->fill, value); /* little-endian: the low bytes */
    at_least_one(j);
    j->row = j->axes[j->ndim - 1].out;
    fit_middle(j);
    j->from = wn__ptr(x);
    j->to = wn__ptr(y);
    if (!j->from || !j->to) return wn__fail_memory(c->op->name);
    wn__count(y->numel);
    wn__parallel(y->numel / j->row, 1 + 32768 / j->row, forward_task, j);
    return WN_OK;
}

/* Padding with zeros: what was there is the support. */
wn_support *wn__zeros_of_pad(const wn__call *c) {
    const wn_pad_args *a = c->args;
    const pad_job *j = c->plan;
    const wn_dims shape = wn_shape(c->out[0]);
    const bool zeros = a->value.kind == WN_VAL_NONE || wn__val_f64(a->value) == 0;
    wn_support *s = j->mode == CONSTANT && zeros && j->ndim == shape.n ? wn__support_blocks(&shape, 1) : NULL;
    for (int d = 0; s && d < j->ndim; d++) {
        const axis *x = &j->axes[d];
        s->boxes[0].first[d] = x->left < 0 ? 0 : x->left;
        s->boxes[0].last[d] = x->left + x->size < x->out ? x->left + x->size : x->out;
    }
    return s;
}

/* ------------------------------------------------------------------ backward */

/* The output places of input place s: `n` of them. */
typedef struct places {
    int64_t n, v[3], first, step; /* step 0: in v */
} places;
static void add_place(const axis *a, places *p, int64_t i) {
    if (i >= 0 && i < a->out) p->v[p->n++] = i;
}
static places places_of(how mode, const axis *a, int64_t s) {
    places p = {0};
    const int64_t k = s - a->base;
    if (k < 0 || k >= a->size) return p;
    if (mode == REFLECT) {
        if (k > 0) add_place(a, &p, a->left - k);
        add_place(a, &p, a->left + k);
        if (k < a->size - 1) add_place(a, &p, a->left + 2 * (a->size - 1) - k);
        return p;
    }
    int64_t first = a->left + k, last = first, step = 1;
    if (mode == REPLICATE) {
        if (k == 0) first = 0;
        if (k == a->size - 1) last = a->out - 1;
        if (first < 0) first = 0;
        if (last > a->out - 1) last = a->out - 1;
    } else if (mode == CIRCULAR) {
        step = a->size;
        first %= step;
        last = a->out - 1;
    } else if (first < 0 || first >= a->out) {
        return p;
    }
    p.step = step;
    p.first = first;
    p.n = last < first ? 0 : (last - first) / step + 1;
    return p;
}
static int64_t place_at(const places *p, int64_t k) { return p->step ? p->first + k * p->step : p->v[k]; }

/* Adds to acc (a row of the input's gradient, coordinates `at`) all rows of grad that hold it. tmp: room for one of them. */
static void gather_rows(const pad_job *j, const int64_t *at, char *acc, char *tmp) {
    places p[WN_MAX_DIMS];
    int64_t k[WN_MAX_DIMS] = {0};
    const int last = j->ndim - 1;
    const int64_t bytes = (int64_t)wn__dtype_size(j->x->dtype), n = j->axes[last].out, step = j->step[last];
    for (int d = 0; d < last; d++) {
        p[d] = places_of(j->mode, &j->axes[d], at[d]);
        if (p[d].n == 0) return;
    }
    for (;;) {
        const char *g = j->from;
        for (int d = 0; d < last; d++) g += place_at(&p[d], k[d]) * j->step[d] * bytes;
        if (!wn__is_register_form(j->x->dtype, j->ct) || step != 1) {
            wn__kernels_now()->load[j->ct][j->x->dtype](n, tmp, g, step * bytes);
            g = tmp;
        }
        if (j->ct == WN__CT_F64) fold_f64(j, (const double *)(const void *)g, (double *)(void *)acc);
        else fold_f32(j, (const float *)(const void *)g, (float *)(void *)acc);
        int d = last - 1;
        while (d >= 0 && ++k[d] == p[d].n) k[d--] = 0;
        if (d < 0) return;
    }
}

static void backward_task(void *ctx, int64_t begin, int64_t end) {
    pad_job *j = ctx;
    const int64_t bytes = (int64_t)wn__dtype_size(j->x->dtype), wide = (int64_t)wn__ct_size(j->ct);
    const bool direct = wn__is_register_form(j->x->dtype, j->ct);
    char *scratch = wn__task_scratch(&j->failed, 0, (size_t)((j->row + j->axes[j->ndim - 1].out) * wide) + 64);
    if (!scratch) return;
    int64_t at[WN_MAX_DIMS] = {0};
    coordinates(j, begin, false, at);
    for (int64_t r = begin; r < end; r++, advance(j, false, at)) {
        char *to = j->to + r * j->row * bytes, *acc = direct ? to : scratch;
        memset(acc, 0, (size_t)(j->row * wide));
        gather_rows(j, at, acc, scratch + j->row * wide);
        if (!direct) wn__kernels_now()->store[j->ct][j->x->dtype](j->row, to, bytes, acc);
    }
}

/* The part of grad that a constant was put around: a view. NULL with *whole: no memory, else something was cut off. */
static wn_tensor *middle_of(const pad_job *j, const wn_tensor *g, bool *whole) {
    int64_t shape[WN_MAX_DIMS], offset = g->offset;
    *whole = j->mode == CONSTANT;
    for (int d = 0; d < j->ndim && *whole; d++) {
        const axis *a = &j->axes[d];
        *whole = a->left >= 0 && a->left <= a->out - a->in;
        shape[d] = a->in;
        offset += a->left * g->strides[d];
    }
    return *whole ? wn__tensor_view(g, j->ndim, shape, g->strides, offset) : NULL;
}

wn_status wn__infer_pad_backward(wn__call *c, wn_tensor *g, const wn_dims *self_size, const wn_dims *pad,
                                 const char *mode) {
    pad_job *j = wn__plan(c, sizeof *j);
    if (!j) return c->th->error;
    j->x = g;
    wn_status st = fit(c, mode, pad, self_size, j);
    if (st) return st;
    bool fits = g->ndim == j->ndim;
    for (int d = 0; fits && d < j->ndim; d++) fits = g->shape[d] == j->axes[d].out && j->axes[d].in >= 0;
    if (!fits) return wn__fail_op(c, WN_E_RUNTIME, "grad %s does not fit self_size %s", wn__desc(g), wn__dims_text(self_size->v, j->ndim));
    if (!wn__is_float(g->dtype)) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", c->op->name, wn__dtype_word(g->dtype));
    return wn__result(c, 0, (wn_dtype)g->dtype, j->ndim, self_size->v, NULL);
}
wn_status wn__run_pad_backward(wn__call *c) {
    pad_job *j = c->plan;
    const wn_tensor *g = j->x;
    wn_tensor *x = c->out[0];
    if (x->numel == 0) return WN_OK;
    if (g->numel == 0) return wn__fill_raw(x, wn_val_of_int(0));
    bool whole;
    wn_tensor *middle = middle_of(j, g, &whole);
    if (whole) {
        const wn_status st = middle ? wn__copy(x, middle) : wn__fail_memory(c->op->name);
        wn__release(middle);
        return st;
    }
    memcpy(j->step, g->strides, sizeof j->step);
    at_least_one(j);
    j->ct = wn__compute_type(g->dtype);
    j->row = j->axes[j->ndim - 1].in;
    j->from = wn__ptr(g);
    j->to = wn__ptr(x);
    if (!j->from || !j->to) return wn__fail_memory(c->op->name);
    wn__count(x->numel);
    wn__parallel(x->numel / j->row, 1 + 16384 / j->row, backward_task, j);
    return j->failed ? wn__fail_memory(c->op->name) : WN_OK;
}

/* torch has a row for each mode but one, which it writes piece by piece. */
int wn__title_of_pad(const wn_node *n, char *buf, size_t cap) {
    const wn_pad_args *a = n->args;
    if (!a->mode || !strcmp(a->mode, "constant")) return snprintf(buf, cap, "ConstantPadNdBackward0");
    if (!strcmp(a->mode, "circular")) return snprintf(buf, cap, "CopySlices");
    return snprintf(buf, cap, "%sPad%dDBackward0", !strcmp(a->mode, "reflect") ? "Reflection" : "Replication", a->pad.n / 2);
}
