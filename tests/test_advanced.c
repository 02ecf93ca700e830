/* Advanced indexing (index, index_put) against loops over coordinates: random lists of index tensors, masks and NULLs; gradients;
 * the same bits for any number of threads; errors that leave the target as it was; memory running out at every point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "tensor/tensor.h"
#include "base/level.h"
#include "winnow.h"

static int passed, failed;
static bool check(bool ok, const char *what) {
    if (ok) {
        passed++;
    } else if (++failed <= 40) {
        printf("FAILED %s%s%s\n", what, wn_error() ? ": " : "", wn_error_message());
    }
    wn_clear();
    return ok;
}

static uint64_t seed = 1;
static int64_t below(int64_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return n > 0 ? (int64_t)((seed >> 33) % (uint64_t)n) : 0;
}

/* ------------------------------------------------------------------ tensors */

static wn_dims dims(int n, const int64_t *v) {
    wn_dims d = {.n = n ? n : -1};
    for (int i = 0; i < n; i++) d.v[i] = v[i];
    return d;
}
static double get(const wn_tensor *t, const int64_t *coord) {
    int64_t offset = 0;
    for (int d = 0; d < t->ndim; d++) offset += coord[d] * t->strides[d];
    return wn__load_f64((wn_dtype)t->dtype, wn__ptr(t) + offset * (int64_t)wn__dtype_size(t->dtype));
}
static void coord_of(int ndim, const int64_t *shape, int64_t i, int64_t *coord) {
    for (int d = ndim - 1; d >= 0; d--) {
        coord[d] = i % shape[d];
        i /= shape[d];
    }
}
static double at(const wn_tensor *t, int64_t i) {
    int64_t coord[WN_MAX_DIMS];
    coord_of(t->ndim, t->shape, i, coord);
    return get(t, coord);
}

enum { PLAIN, TRANSPOSED, SLICED, BROADCAST, LAYOUTS };

/* Whole numbers in [low, high), in memory of some order; what does not suit the shape is plain. */
static wn_tensor *make(wn_dtype dtype, wn_dims shape, int layout, int64_t low, int64_t high) {
    int n = shape.n > 0 ? shape.n : 0;
    wn_dims size = shape, order = {.n = n};
    if (n == 0) layout = PLAIN;
    for (int d = 0; d < n; d++) {
        if (layout == TRANSPOSED) size.v[d] = shape.v[n - 1 - d];
        order.v[d] = n - 1 - d;
    }
    if (layout == SLICED) size.v[n - 1] = 2 * shape.v[n - 1] + 1;
    if (layout == BROADCAST && shape.v[0]) size.v[0] = 1;
    wn_tensor *t = wn_empty(size, .dtype = dtype);
    char *p = wn_data_mut(t);
    for (int64_t i = 0; i < wn_numel(t); i++) wn__store_val(dtype, p + (size_t)i * wn__dtype_size(dtype), wn_val_of_int(low + below(high - low)));
    if (layout == TRANSPOSED) return wn_permute(t, order);
    if (layout == SLICED) return wn_slice(t, -1, 1, 2 * shape.v[n - 1] + 1, .step = wn_val_of_int(2));
    return layout == BROADCAST ? wn_expand(t, shape) : t;
}
static wn_tensor *longs(int n, const int64_t *v) { return wn_from_data(v, WN_DIMS(n), WN_I64); }
#define I(...) longs((int)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (int64_t[]){__VA_ARGS__})

/* ------------------------------------------------------------------ the reference */

typedef struct picks { /* which place each element of the result comes from */
    int ndim;
    int64_t shape[WN_MAX_DIMS], numel;
    int64_t *place; /* row-major number of the element of self */
} picks;

static bool masks(const wn_tensor *t) { return t->dtype == WN_BOOL || t->dtype == WN_U8; }

/* By the book: masks become one coordinate vector for each of their dimensions, everything is broadcast, and each element of the
 * result looks for its place by itself. Only for lists that are right. */
static picks reference(const wn_tensor *self, wn_list list) {
    picks r = {0};
    int64_t *coords[WN_MAX_DIMS] = {NULL}, shape[WN_MAX_DIMS], ishape[WN_MAX_DIMS][WN_MAX_DIMS]; /* of self's dimensions */
    int idim[WN_MAX_DIMS], dim = 0, width = 0, first = -1, last = -1, taken = 0;
    for (int64_t k = 0; k < list.n; k++) {
        const wn_tensor *t = list.v[k];
        if (!t) {
            dim++;
            continue;
        }
        int n = masks(t) ? t->ndim : 1;
        int64_t count = 0;
        for (int64_t i = 0; i < t->numel && masks(t); i++) count += at(t, i) != 0;
        for (int j = 0; j < n; j++, dim++) {
            coords[dim] = calloc((size_t)t->numel + 1, sizeof(int64_t));
            idim[dim] = masks(t) ? 1 : t->ndim;
            if (masks(t)) ishape[dim][0] = count;
            else memcpy(ishape[dim], t->shape, sizeof t->shape);
            int64_t to = 0, c[WN_MAX_DIMS];
            for (int64_t i = 0; i < t->numel; i++) {
                double v = at(t, i);
                coord_of(t->ndim, t->shape, i, c);
                if (!masks(t)) coords[dim][i] = (int64_t)v < 0 ? (int64_t)v + self->shape[dim] : (int64_t)v;
                else if (v != 0) coords[dim][to++] = c[j];
            }
            if (first < 0) first = dim;
            last = dim;
            taken++;
            width = idim[dim] > width ? idim[dim] : width;
        }
    }
    for (int d = 0; d < width; d++) {
        shape[d] = 1;
        for (int k = 0; k < self->ndim; k++) {
            int own = d - (width - idim[k]);
            if (coords[k] && own >= 0 && ishape[k][own] != 1) shape[d] = ishape[k][own];
        }
    }
    int begin = last - first + 1 == taken ? first : 0; /* where the indices' dimensions stand */
    for (int k = 0; k < self->ndim; k++)
        if (!coords[k] && k < begin) r.shape[r.ndim++] = self->shape[k];
    for (int d = 0; d < width; d++) r.shape[r.ndim++] = shape[d];
    for (int k = 0; k < self->ndim; k++)
        if (!coords[k] && k >= begin) r.shape[r.ndim++] = self->shape[k];
    r.numel = 1;
    for (int d = 0; d < r.ndim; d++) r.numel *= r.shape[d];
    r.place = calloc((size_t)r.numel + 1, sizeof *r.place);
    for (int64_t i = 0; i < r.numel; i++) {
        int64_t c[WN_MAX_DIMS], place = 0;
        coord_of(r.ndim, r.shape, i, c);
        for (int k = 0, rest = 0; k < self->ndim; k++) {
            int64_t here = 0;
            if (coords[k]) {
                for (int d = 0; d < idim[k]; d++) here = here * ishape[k][d] + (ishape[k][d] == 1 ? 0 : c[begin + width - idim[k] + d]);
                here = coords[k][here];
            } else {
                here = c[rest < begin ? rest : rest + width];
                rest++;
            }
            place = place * self->shape[k] + here;
        }
        r.place[i] = place;
    }
    for (int k = 0; k < self->ndim; k++) free(coords[k]);
    return r;
}

static bool same_shape(const wn_tensor *t, int ndim, const int64_t *shape) {
    bool same = t->ndim == ndim;
    for (int d = 0; same && d < ndim; d++) same = t->shape[d] == shape[d];
    return same;
}
static double as_dtype(wn_dtype d, double x) {
    char buf[8];
    wn__store_val(d, buf, wn__is_float(d) ? wn_val_of_float(x) : wn_val_of_int((int64_t)x));
    return wn__load_f64(d, buf);
}

static bool right_get(wn_tensor *y, const wn_tensor *self, const picks *p) {
    if (!wn_ok(y) || !same_shape(y, p->ndim, p->shape) || y->dtype != self->dtype) return false;
    for (int64_t i = 0; i < p->numel; i++)
        if (at(y, i) != at(self, p->place[i])) return false;
    return true;
}

/* y: what became of values old (row-major, of y's shape) */
static bool right_put(wn_tensor *y, const double *old, const picks *p, const wn_tensor *values, bool accumulate) {
    if (!wn_ok(y)) return false;
    double *want = malloc(((size_t)y->numel + 1) * sizeof *want);
    memcpy(want, old, (size_t)y->numel * sizeof *want);
    for (int64_t i = 0; i < p->numel; i++) {
        int64_t c[WN_MAX_DIMS], vc[WN_MAX_DIMS];
        coord_of(p->ndim, p->shape, i, c);
        for (int d = 0; d < values->ndim; d++) vc[d] = values->shape[d] == 1 ? 0 : c[d + p->ndim - values->ndim];
        double v = get(values, vc);
        want[p->place[i]] = accumulate ? want[p->place[i]] + v : v;
    }
    bool ok = true;
    for (int64_t i = 0; i < y->numel && ok; i++) ok = at(y, i) == as_dtype((wn_dtype)y->dtype, want[i]);
    free(want);
    return ok;
}

/* ------------------------------------------------------------------ random lists */

/* Shapes that broadcast together: each index leaves out or narrows some dimensions of base. */
static wn_dims narrower(wn_dims base) {
    int n = base.n > 0 ? base.n : 0, drop = (int)below(n + 1);
    wn_dims d = WN_UNSET;
    for (int i = below(2) ? drop : 0; i < n; i++) d.v[d.n++] = below(4) ? base.v[i] : 1;
    if (!d.n) d.n = -1;
    return d;
}
/* A mask of exactly `count` places. */
static wn_tensor *mask_of(wn_dims shape, int64_t count) {
    wn_tensor *m = wn_zeros(shape, .dtype = below(8) ? WN_BOOL : WN_U8);
    uint8_t *p = wn_data_mut(m);
    for (int64_t left = count; left > 0;) {
        int64_t i = below(wn_numel(m));
        left -= !p[i];
        p[i] = 1;
    }
    return below(2) || shape.n < 2 ? m : wn_permute(wn_contiguous(wn_permute(m, WN_DIMS(1, 0))), WN_DIMS(1, 0));
}

static wn_list random_list(const wn_tensor *self, wn_tensor **v) {
    int64_t count = below(4), shape[3] = {1 + below(3), count, 0};
    bool with_mask = below(3) == 0, any = false;
    wn_dims base = with_mask ? dims(below(2) ? 1 : 2, shape + 1) : dims((int)below(3), (int64_t[]){1 + below(3), below(8) ? 1 + below(4) : 0});
    if (with_mask && base.n == 2) base = WN_DIMS(shape[0], count);
    int n = 0, dim = 0;
    while (dim < self->ndim && (dim == 0 || below(4) || !any)) {
        int64_t size = self->shape[dim];
        int wide = dim + 1 < self->ndim && below(2) ? 2 : 1;
        int64_t room = size * (wide == 2 ? self->shape[dim + 1] : 1);
        if (with_mask && below(2) && room >= count) {
            v[n++] = mask_of(dims(wide, self->shape + dim), count);
            any = true;
            dim += wide;
            continue;
        }
        wn_dims narrow = narrower(base);
        int64_t numel = 1;
        for (int d = 0; d < narrow.n; d++) numel *= narrow.v[d];
        bool take = below(3) && (size || !numel);
        v[n++] = take ? make(below(2) ? WN_I64 : WN_I32, narrow, (int)below(LAYOUTS), below(3) ? 0 : -size, size ? size : 1) : NULL;
        any |= take;
        dim++;
    }
    return (wn_list){.n = any ? n : 0, .v = v};
}

static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16, WN_I8, WN_I16, WN_I32, WN_I64, WN_U8, WN_BOOL};

static wn_tensor *random_self(wn_dtype d, int layout) {
    int64_t shape[4];
    int n = 1 + (int)below(4);
    for (int i = 0; i < n; i++) shape[i] = below(16) ? 1 + below(5) : 0;
    return make(d, dims(n, shape), layout, 0, d == WN_BOOL ? 2 : 50);
}

static char label[300];
static const char *name(const char *what, const wn_tensor *self, wn_list l) {
    char one[80];
    wn_describe(self, one, sizeof one);
    size_t n = (size_t)snprintf(label, sizeof label, "%s of %s by", what, one);
    for (int64_t i = 0; i < l.n && n < sizeof label - 90; i++) {
        if (l.v[i]) wn_describe(l.v[i], one, sizeof one);
        n += (size_t)snprintf(label + n, sizeof label - n, " %s", l.v[i] ? one : "NULL");
    }
    return label;
}

static void test_random(int rounds) {
    int tried = 0, empty = 0;
    for (int k = 0; k < rounds; k++) {
        WN_SCOPE(s);
        int layout = (int)below(LAYOUTS);
        wn_dtype d = dtypes[below(10)];
        wn_tensor *self = random_self(d, layout), *v[4];
        wn_list l = random_list(self, v);
        if (!l.n) continue;
        tried++;
        picks p = reference(self, l);
        empty += p.numel == 0;
        check(right_get(wn_index(self, l), self, &p), name("index", self, l));
        double *old = malloc(((size_t)self->numel + 1) * sizeof *old);
        for (int64_t i = 0; i < self->numel; i++) old[i] = at(self, i);
        wn_tensor *values = make(d, narrower(dims(p.ndim, p.shape)), (int)below(LAYOUTS), 0, d == WN_BOOL ? 2 : 50);
        for (int accumulate = 0; accumulate < 2; accumulate++) {
            check(right_put(wn_index_put(self, l, values, .accumulate = accumulate), old, &p, values, accumulate), name("index_put", self, l));
            if (layout == BROADCAST) continue;
            wn_tensor *x = wn_empty_strided(wn_shape(self), wn_strides(self), .dtype = d);
            wn_copy_(x, self);
            check(wn_index_put_(x, l, values, .accumulate = accumulate) == x && right_put(x, old, &p, values, accumulate), name("index_put_", self, l));
        }
        free(old);
        free(p.place);
    }
    check(tried > rounds / 2 && empty > rounds / 50, "random lists are of all kinds");
}

/* ------------------------------------------------------------------ by hand: PyTorch 2.13's results */

static bool has_shape(wn_tensor *t, wn_dims d) { return wn_ok(t) && same_shape(t, d.n > 0 ? d.n : 0, d.v); }

static void test_by_hand(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_reshape(wn_arange(60, .dtype = WN_F32), WN_DIMS(3, 4, 5)), *one = wn_ones(WN_0D), *empty = wn_zeros(WN_DIMS(0), .dtype = WN_I64);
    wn_tensor *y = wn_index(x, WN_LIST(I(1, 1), NULL, wn_unsqueeze(I(0, 1), 1)));
    check(has_shape(y, WN_DIMS(2, 2, 4)) && at(y, 0) == 20 && at(y, 8) == 21, "indices apart: their dimensions come first");
    check(has_shape(wn_index(x, WN_LIST(NULL, NULL, wn_unsqueeze(I(0, 1), 0))), WN_DIMS(3, 4, 1, 2)), "together: they stay");
    check(has_shape(wn_index(x, WN_LIST(wn_full(WN_0D, 1))), WN_DIMS(4, 5)), "a 0-d index");
    check(has_shape(wn_index(x, WN_LIST(wn_full(WN_0D, WN_FALSE), I(1, 2))), WN_DIMS(2, 4, 5)), "a 0-d mask beside others takes nothing");
    check(has_shape(wn_index(wn_zeros(WN_DIMS(3, 0, 5)), WN_LIST(I(0, 7))), WN_DIMS(2, 0, 5)), "nothing to fetch: nothing is checked");
    check(has_shape(wn_index(x, WN_LIST(I(9), empty)), WN_DIMS(0, 5)), "no position: nothing is checked");
    check(has_shape(wn_index(wn_zeros(WN_DIMS(0, 3)), WN_LIST(wn_zeros(WN_DIMS(0, 3), .dtype = WN_BOOL))), WN_DIMS(0)), "an empty mask of an empty tensor");
    wn_tensor *z = wn_index_put(x, WN_LIST(wn_gt(x, 50)), wn_full(WN_DIMS(1, 1, 1, 1), -1.0));
    check(at(z, 50) == 50 && at(z, 51) == -1, "filling by a mask: any tensor of one element");
    z = wn_index_put(x, WN_LIST(NULL, wn_gt(wn_select(x, 0, 0), 18)), wn_full(WN_0D, 7));
    check(at(z, 18) == 18 && at(z, 19) == 7 && at(z, 39) == 7 && at(z, 40) == 40, "filling by an inner mask, with an integer");
    check(has_shape(wn_index_put(x, WN_LIST(empty), wn_ones(WN_DIMS(0, 4, 5))), WN_DIMS(3, 4, 5)), "putting nothing");
    wn_tensor *half = wn_zeros(WN_DIMS(1), .dtype = WN_BF16), *many = wn_zeros(WN_DIMS(400), .dtype = WN_I64);
    check(wn_item_f64(wn_index_put(half, WN_LIST(many), wn_ones(WN_DIMS(400), .dtype = WN_BF16), .accumulate = true)) == 400, "sums of bf16 keep growing");
    wn_tensor *self = wn_arange(6), *back = I(5, 4, 3, 2, 1, 0);
    check(at(wn_index_put_(self, WN_LIST(back), self), 0) == 5 && at(self, 5) == 0, "values that are the target itself");
    check(at(wn_index_put_(self, WN_LIST(self), wn_add(self, 1)), 0) == 1 && at(self, 5) == 6, "indices that are the target itself");
    wn_tensor *m = wn_gt(I(1, 0, 1), 0);
    check(at(wn_index_put_(m, WN_LIST(m), wn_full(WN_0D, WN_FALSE)), 0) == 0 && at(m, 2) == 0, "a mask that is the target itself");
    for (size_t k = 0; k < sizeof dtypes / sizeof *dtypes; k++) {
        wn_tensor *t = wn_index_put(wn_zeros(WN_DIMS(2), .dtype = dtypes[k]), WN_LIST(wn_gt(I(1, 0), 0)), wn_full(WN_0D, 7.5));
        check(at(t, 0) == as_dtype(dtypes[k], wn__is_float(dtypes[k]) ? 7.5 : 7) && at(t, 1) == 0, "filling cuts off");
        t = wn_index_put(t, WN_LIST(wn_gt(I(1, 0), 0)), wn_full(WN_0D, -3));
        check(at(t, 0) == as_dtype(dtypes[k], -3) && at(t, 1) == 0, "filling with a negative number");
    }
    wn_tensor *f = wn_arange(4, .dtype = WN_F32);
    check(at(wn_index_put_(f, WN_LIST(wn_lt(f, 3)), wn_select(f, 0, 1)), 2) == 1 && at(f, 1) == 1 && at(f, 3) == 3, "filled with one of its own elements");
    uint32_t version = wn_version(x);
    check(wn_index_put_(x, WN_LIST(I(2)), one) == x && wn_version(x) > version && at(x, 59) == 1, "in place the version counts");
    wn_tensor *out = wn_empty(WN_DIMS(2, 2));
    wn_tensor *got = wn_index_x(&(wn_index_args){.size_ = sizeof(wn_index_args), .self = x, .indices = WN_LIST(I(2, -1)), .out = out});
    check(got == out && has_shape(out, WN_DIMS(2, 4, 5)) && at(out, 0) == 1, "out= is resized and filled");
    /* the owned layer */
    wn_outs outs;
    wn_index_args args = {.size_ = sizeof args, .self = x, .indices = WN_LIST(NULL, I(-1))};
    check(wn_call(wn_op_find("index.Tensor"), &args, &outs) == WN_OK && has_shape(outs.v[0], WN_DIMS(3, 1, 5)), "through the table");
    wn_outs_drop(&outs);
}

/* ------------------------------------------------------------------ errors */

static void fails(wn_tensor *r, wn_status code, const char *message) {
    bool ok = !wn_ok(r) && wn_error() == code && strstr(wn_error_message(), message);
    if (!ok) printf("  status %d (expected %d): %s\n", (int)wn_error(), (int)code, wn_error_message());
    check(ok, message);
}

static void test_errors(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(3, 4, 5)), *i = I(1, 2), *i3 = I(0, 1, 2), *m = wn_ones(WN_DIMS(4, 4), .dtype = WN_BOOL), *one = wn_ones(WN_0D);
    fails(wn_index(x, WN_NO_LIST), WN_E_INDEX, "at least one index must be provided");
    fails(wn_index(x, WN_LIST(NULL, NULL)), WN_E_INDEX, "at least one index must be a tensor");
    fails(wn_index(x, WN_LIST(i, i, i, i)), WN_E_INDEX, "too many indices for tensor of dimension 3 (got 4)");
    fails(wn_index(one, WN_LIST(i)), WN_E_INDEX, "too many indices for tensor of dimension 0 (got 1)");
    fails(wn_index(x, WN_LIST(NULL, NULL, wn_ones(WN_DIMS(5, 2), .dtype = WN_BOOL))), WN_E_INDEX, "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
    fails(wn_index(x, WN_LIST(wn_ones(WN_DIMS(3, 4), .dtype = WN_BOOL), NULL, NULL)), WN_E_INDEX, "Dimension out of range");
    fails(wn_index(x, WN_LIST(wn_ones(WN_DIMS(2)))), WN_E_INDEX, "tensors used as indices must be long, int, byte or bool tensors");
    fails(wn_index(x, WN_LIST(wn_to(i, WN_I16))), WN_E_INDEX, "tensors used as indices must be long, int, byte or bool tensors");
    fails(wn_index(x, WN_LIST(NULL, m)), WN_E_INDEX, "The shape of the mask [4, 4] at index 1 does not match the shape of the indexed tensor [3, 4, 5] at index 2");
    fails(wn_index(x, WN_LIST(i, i3)), WN_E_INDEX, "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]");
    fails(wn_index(x, WN_LIST(NULL, I(1, 7))), WN_E_INDEX, "index 7 is out of bounds for dimension 1 with size 4");
    fails(wn_index(x, WN_LIST(I(1, -4))), WN_E_INDEX, "index -4 is out of bounds for dimension 0 with size 3");
    fails(wn_index(x, WN_LIST(wn_to(I(1, -4), WN_I32))), WN_E_INDEX, "index -4 is out of bounds for dimension 0 with size 3");
    fails(wn_index(x, WN_LIST(I(1, -1), I(0, 9))), WN_E_INDEX, "index 9 is out of bounds for dimension 1 with size 4");
    fails(wn_index(x, WN_LIST(I(1, INT64_MAX, INT64_MIN))), WN_E_INDEX, "index 9223372036854775807 is out of bounds");
    fails(wn_index(wn_zeros(WN_DIMS(3, 0, 5)), WN_LIST(NULL, I(0))), WN_E_INDEX, "index is out of bounds for dimension with size 0");
    wn_dims wide = {.n = WN_MAX_DIMS};
    for (int d = 0; d < WN_MAX_DIMS; d++) wide.v[d] = 1;
    fails(wn_index(x, WN_LIST(wn_zeros(wide, .dtype = WN_I64))), WN_E_RUNTIME, "dimensions");
    fails(wn_index(x, WN_LIST(wn_expand(wn_zeros(WN_DIMS(1), .dtype = WN_I64), WN_DIMS((int64_t)1 << 61)))), WN_E_RUNTIME, "more elements than an operation can visit");
    fails(wn_cat(WN_LIST(x, NULL)), WN_E_TYPE, "element 1 of 'tensors' is absent");
    /* index_put: in place, the bad index comes last, and the target stays as it was */
    fails(wn_index_put_(x, WN_LIST(I(0, 1, 3)), wn_zeros(WN_DIMS(3, 4, 5))), WN_E_INDEX, "index 3 is out of bounds for dimension 0 with size 3");
    fails(wn_index_put_(x, WN_LIST(I(0, -1, 3)), wn_zeros(WN_DIMS(3, 4, 5)), .accumulate = true), WN_E_INDEX, "index 3 is out of bounds for dimension 0 with size 3");
    fails(wn_index_put_(x, WN_LIST(I(0, 1), I(0, 4)), wn_zeros(WN_0D)), WN_E_INDEX, "index 4 is out of bounds for dimension 1 with size 4");
    fails(wn_index_put_(x, WN_LIST(i), wn_zeros(WN_DIMS(1), .dtype = WN_F64)), WN_E_RUNTIME, "Index put requires the source and destination dtypes match");
    fails(wn_index_put_(x, WN_LIST(wn_gt(x, 2)), wn_zeros(WN_DIMS(2))), WN_E_RUNTIME, "shape mismatch: value tensor of shape [2] cannot be broadcast to indexing result of shape [0]");
    fails(wn_index_put_(x, WN_LIST(i), wn_zeros(WN_DIMS(3, 1, 5))), WN_E_RUNTIME, "shape mismatch: value tensor of shape [3, 1, 5] cannot be broadcast to indexing result of shape [2, 4, 5]");
    fails(wn_index_put_(x, WN_LIST(i), wn_zeros(WN_DIMS(1, 2, 4, 5))), WN_E_RUNTIME, "shape mismatch");
    fails(wn_index_put_(wn_zeros(WN_DIMS(3), .dtype = WN_U8), WN_LIST(wn_gt(i3, 0)), wn_full(WN_0D, 300)), WN_E_RUNTIME, "value cannot be converted to type uint8 without overflow");
    fails(wn_index_put_(wn_zeros(WN_DIMS(3), .dtype = WN_U8), WN_LIST(wn_gt(i3, 0)), wn_full(WN_0D, -1.0)), WN_E_RUNTIME, "value cannot be converted to type uint8 without overflow");
    fails(wn_index_put_(wn_zeros(WN_DIMS(3), .dtype = WN_I64), WN_LIST(wn_gt(i3, 0)), wn_full(WN_0D, (double)NAN)), WN_E_RUNTIME, "value cannot be converted");
    fails(wn_index_put_(wn_zeros(WN_DIMS(3), .dtype = WN_F16), WN_LIST(wn_gt(i3, 0)), wn_full(WN_0D, 1e6)), WN_E_RUNTIME, "value cannot be converted");
    fails(wn_index_put_(wn_expand(wn_ones(WN_DIMS(1, 4)), WN_DIMS(3, 4)), WN_LIST(i), one), WN_E_RUNTIME, "single memory location");
    fails(wn_index_put_(wn_slice(wn_reshape(x, WN_DIMS(60)), 0, 0, 6), WN_LIST(I(0, 1)), wn_slice(wn_reshape(x, WN_DIMS(60)), 0, 1, 3)), WN_E_RUNTIME, "share some memory");
    wn_tensor *out = wn_full(WN_DIMS(2, 4, 5), 3.0), *all = wn_full(WN_DIMS(3, 4, 5), 3.0);
    fails(wn_index_x(&(wn_index_args){.size_ = sizeof(wn_index_args), .self = x, .indices = WN_LIST(I(0, 3)), .out = out}), WN_E_INDEX, "out of bounds");
    fails(wn_index_put_x(&(wn_index_put_args){.size_ = sizeof(wn_index_put_args), .self = x, .indices = WN_LIST(I(0, 3)), .values = one, .out = all}), WN_E_INDEX, "out of bounds");
    bool same = wn_version(x) == 0;
    for (int64_t k = 0; k < 60; k++) same &= at(x, k) == 1 && at(all, k) == 3 && (k >= 40 || at(out, k) == 3);
    check(same, "failed calls change nothing");
    wn_tensor *leaf = wn_requires_grad(wn_ones(WN_DIMS(3)), true);
    fails(wn_index_put_(leaf, WN_LIST(i), one), WN_E_RUNTIME, "leaf");
    fails(wn_index_put_(wn_at(wn_unbind(wn_mul(wn_requires_grad(wn_ones(WN_DIMS(3, 3)), true), 2)), 0), WN_LIST(i), one), WN_E_RUNTIME, "inplace");
}

/* ------------------------------------------------------------------ gradients */

typedef struct function {
    wn_list list;
    int form; /* 0 index, 1 index_put, 2 index_put accumulating; 3, 4 the same in place, 5, 6 in place on a view with history */
} function;

static wn_tensor *call(void *ctx, wn_list in) {
    const function *f = ctx;
    bool accumulate = f->form && f->form % 2 == 0;
    if (f->form == 0) return wn_index(in.v[0], f->list);
    if (f->form <= 2) return wn_index_put(in.v[0], f->list, in.v[1], .accumulate = accumulate);
    if (f->form <= 4) return wn_index_put_(wn_mul(in.v[0], in.v[0]), f->list, in.v[1], .accumulate = accumulate);
    wn_tensor *base = wn_stack(WN_LIST(in.v[0], wn_mul(in.v[0], 2), in.v[0])), *view = wn_select(base, 0, 1);
    wn_index_put_(view, f->list, in.v[1], .accumulate = accumulate);
    return wn_mul(base, wn_add(base, wn_unsqueeze(view, 0)));
}

static void test_gradients(int rounds) {
    int tried = 0;
    for (int k = 0; k < rounds; k++) {
        WN_SCOPE(s);
        wn_tensor *self = random_self(WN_F64, (int)below(3)), *v[4], *in[2];
        wn_list l = random_list(self, v);
        wn_tensor *y = l.n ? wn_index(self, l) : NULL;
        if (!y || wn_numel(y) == 0 || wn_numel(y) + wn_numel(self) > 60) continue;
        tried++;
        wn_dims result = wn_shape(y);
        in[0] = wn_requires_grad(wn_clone(wn_mul(self, 0.125)), true);
        in[1] = wn_requires_grad(wn_add(make(WN_F64, below(4) || result.n < 1 ? narrower(result) : WN_DIMS(1), PLAIN, 0, 9), 0.3), true);
        for (int form = 0; form < 7; form++) {
            function f = {l, form};
            wn_list inputs = {.n = form ? 2 : 1, .v = in};
            check(wn_gradcheck(call, &f, inputs, 1e-6, 1e-6, 1e-5, false) == WN_OK, name("gradient", self, l));
            check(wn_gradcheck(call, &f, inputs, 1e-6, 1e-5, 1e-4, true) == WN_OK, name("second gradient", self, l));
        }
    }
    check(tried > rounds / 4, "gradients of many lists");
}

static void test_supports(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(wn_from_data((float[]){0, 1, -1, 2}, WN_DIMS(4), WN_F32), true), *m = wn_gt(x, 0);
    check(wn_backward(wn_sum(wn_index(wn_log(x), WN_LIST(m)))) == WN_OK && at(wn_grad_of(x), 0) == 0 && at(wn_grad_of(x), 1) == 1 && at(wn_grad_of(x), 2) == 0,
          "what a mask left out has no gradient, not even NaN");
    check(wn_set_grad(x, NULL) == WN_OK, "no gradient");
    wn_tensor *y = wn_index_put(wn_log(x), WN_LIST(wn_logical_not(m)), wn_zeros(WN_0D));
    check(wn_backward(wn_sum(y)) == WN_OK && at(wn_grad_of(x), 0) == 0 && at(wn_grad_of(x), 3) == 0.5, "nor what was overwritten");
    wn_tensor *v = wn_requires_grad(wn_ones(WN_DIMS(3)), true);
    check(wn_backward(wn_sum(wn_index_put(wn_zeros(WN_DIMS(4)), WN_LIST(I(1, 1, 2)), v))) == WN_OK && at(wn_grad_of(v), 0) == 0 && at(wn_grad_of(v), 1) == 1 &&
              at(wn_grad_of(v), 2) == 1,
          "of repeats the last has the gradient");
    wn_tensor *i = I(1), *a = wn_requires_grad(wn_ones(WN_DIMS(4)), true), *b = wn_index(wn_mul(a, 2), WN_LIST(i));
    wn_add_(i, 1);
    check(wn_backward(wn_sum(b)) == WN_E_RUNTIME && strstr(wn_error_message(), "modified by an inplace operation"), "an index changed before backward is an error");
}

/* ------------------------------------------------------------------ threads */

static uint64_t hash_of(wn_tensor *t, uint64_t h) {
    t = wn_contiguous(t);
    const unsigned char *p = wn_data(t);
    for (size_t i = 0; i < (size_t)wn_numel(t) * wn_dtype_size(wn_dtype_of(t)); i++) h = (h ^ p[i]) * 1099511628211u;
    return h;
}

/* Every way at sizes where the work is shared out. */
static uint64_t everything(void) {
    WN_SCOPE(s);
    uint64_t h = 1;
    seed = 7;
    enum { N = 200000, ROWS = 3000, WIDTH = 70 };
    wn_tensor *x = wn_mul(make(WN_F32, WN_DIMS(ROWS, WIDTH), PLAIN, -90, 90), 0.37), *line = wn_mul(make(WN_F32, WN_DIMS(N), PLAIN, -90, 90), 0.37);
    wn_tensor *rows = make(WN_I64, WN_DIMS(9000), PLAIN, -ROWS, ROWS), *cols = make(WN_I32, WN_DIMS(9000), PLAIN, 0, WIDTH), *few = make(WN_I64, WN_DIMS(300), PLAIN, 0, WIDTH);
    wn_tensor *any = make(WN_I64, WN_DIMS(N), PLAIN, 0, N), *crowd = make(WN_I64, WN_DIMS(N), PLAIN, -50, 50), *mask = wn_gt(x, 5), *half = wn_gt(wn_select(x, 1, 0), 0);
    wn_tensor *y = wn_index(x, WN_LIST(rows)), *bytes = wn_to(wn_abs(line), WN_U8), *lists[] = {rows, cols};
    h = hash_of(y, h);
    h = hash_of(wn_index(x, WN_LIST(NULL, few)), h);
    h = hash_of(wn_index(wn_transpose(x, 0, 1), WN_LIST(NULL, rows)), h);
    h = hash_of(wn_index(x, WN_LIST(wn_unsqueeze(rows, 1), wn_unsqueeze(few, 0))), h);
    h = hash_of(wn_index(x, ((wn_list){.n = 2, .v = lists})), h);
    h = hash_of(wn_index(x, WN_LIST(mask)), h);
    h = hash_of(wn_index(x, WN_LIST(half)), h);
    h = hash_of(wn_index(x, WN_LIST(NULL, wn_slice(few, 0, 0, 2))), h);
    h = hash_of(wn_index(wn_reshape(line, WN_DIMS(2, N / 2)), WN_LIST(I(1, -1, 0))), h);
    for (int accumulate = 0; accumulate < 2; accumulate++) {
        h = hash_of(wn_index_put(line, WN_LIST(any), line, .accumulate = accumulate), h);
        h = hash_of(wn_index_put(line, WN_LIST(crowd), line, .accumulate = accumulate), h);
        h = hash_of(wn_index_put(bytes, WN_LIST(any), bytes, .accumulate = accumulate), h);
        h = hash_of(wn_index_put(wn_to(line, WN_I16), WN_LIST(crowd), wn_to(line, WN_I16), .accumulate = accumulate), h);
        h = hash_of(wn_index_put(wn_to(line, WN_F64), WN_LIST(any), wn_ones(WN_0D, .dtype = WN_F64), .accumulate = accumulate), h);
        h = hash_of(wn_index_put(x, WN_LIST(rows), y, .accumulate = accumulate), h);
        h = hash_of(wn_index_put(x, ((wn_list){.n = 2, .v = lists}), wn_slice(line, 0, 0, 9000), .accumulate = accumulate), h);
        h = hash_of(wn_index_put(x, WN_LIST(NULL, few), wn_index(x, WN_LIST(NULL, few)), .accumulate = accumulate), h);
        h = hash_of(wn_index_put(x, WN_LIST(mask), wn_index(x, WN_LIST(mask)), .accumulate = accumulate), h);
        h = hash_of(wn_index_put(x, WN_LIST(half), wn_index(x, WN_LIST(half)), .accumulate = accumulate), h);
        h = hash_of(wn_index_put(x, WN_LIST(mask), wn_ones(WN_0D), .accumulate = accumulate), h);
    }
    check(wn_error() == WN_OK, "large sizes");
    return h;
}

/* The large results are right, too. */
static void large(wn_tensor *self, wn_list l, const char *what) {
    picks p = reference(self, l);
    wn_tensor *y = wn_index(self, l);
    check(right_get(y, self, &p), what);
    double *old = malloc(((size_t)self->numel + 1) * sizeof *old);
    for (int64_t i = 0; i < self->numel; i++) old[i] = at(self, i);
    check(right_put(wn_index_put(self, l, y), old, &p, y, false), what);
    check(right_put(wn_index_put(self, l, y, .accumulate = true), old, &p, y, true), what);
    free(old);
    free(p.place);
}
static void test_large(void) {
    WN_SCOPE(s);
    seed = 3;
    enum { N = 150000 };
    wn_tensor *line = make(WN_F32, WN_DIMS(N), PLAIN, 0, 50), *x = make(WN_F32, WN_DIMS(500, 3, 40), PLAIN, 0, 50);
    large(line, WN_LIST(make(WN_I64, WN_DIMS(N), PLAIN, 0, N)), "large: a line");
    large(line, WN_LIST(make(WN_I32, WN_DIMS(N), SLICED, -N, N)), "large: a line, int32, from both ends");
    large(wn_to(line, WN_I64), WN_LIST(wn_gt(line, 20)), "large: a mask");
    large(x, WN_LIST(make(WN_I64, WN_DIMS(70, 30), TRANSPOSED, -500, 500)), "large: blocks");
    large(wn_permute(x, WN_DIMS(2, 0, 1)), WN_LIST(NULL, make(WN_I64, WN_DIMS(2000), PLAIN, -500, 500)), "large: between");
    large(x, WN_LIST(wn_gt(wn_select(x, 2, 0), 20)), "large: a mask of blocks");
    large(x, WN_LIST(NULL, make(WN_I64, WN_DIMS(2), PLAIN, 0, 3)), "large: few");
    large(x, WN_LIST(make(WN_I64, WN_DIMS(3000), PLAIN, 0, 500), NULL, make(WN_I64, WN_DIMS(3000), BROADCAST, 0, 40)), "large: apart");
}

static void test_threads(void) {
    wn_set_num_threads(1);
    uint64_t one = everything();
    for (int n = 2; n <= 9; n += n < 5 ? 3 : 4) {
        wn_set_num_threads(n);
        check(everything() == one, n == 2 ? "2 threads give the bits of 1" : n == 5 ? "5 threads give the bits of 1" : "9 threads give the bits of 1");
        test_large();
    }
    int before = wn__cpu_level();
    for (int level = 0; level < wn__cpu_level_max(); level++) {
        wn__cpu_level_set(level);
        check(everything() == one, "a lower level gives the same bits");
        test_random(300);
    }
    wn__cpu_level_set(before);
    wn_set_num_threads(0);
}

/* ------------------------------------------------------------------ no memory */

static wn_status call_all(wn_tensor *x, wn_tensor *rows, wn_tensor *mask) {
    WN_SCOPE(s);
    wn_tensor *narrow = wn_to(rows, WN_I32), *half = wn_to(x, WN_BF16), *picked = wn_index(x, WN_LIST(mask));
    wn_index(wn_transpose(x, 0, 1), WN_LIST(narrow, wn_unsqueeze(rows, 1)));
    wn_index(x, WN_LIST(NULL, wn_select(mask, 0, 0)));
    wn_index_put_(x, WN_LIST(rows, narrow), wn_clone(wn_select(x, 0, 1)), .accumulate = true);
    wn_index_put_(x, WN_LIST(mask), picked);
    wn_index_put_(x, WN_LIST(mask), wn_ones(WN_0D));
    wn_index_put(half, WN_LIST(rows), half, .accumulate = true);
    wn_index_put(x, WN_LIST(rows, wn_unsqueeze(rows, 1)), wn_select(x, 1, 0));
    wn_tensor *p = wn_requires_grad(wn_clone(x), true), *q = wn_mul(p, 2);
    wn_index_put_(wn_select(q, 0, 1), WN_LIST(rows), wn_select(p, 0, 0));
    wn_tensor *y = wn_index(q, WN_LIST(rows, NULL));
    if (wn_backward(y, .gradient = wn_ones_like(y)) != WN_OK) return wn_error();
    return wn_error();
}

static void test_no_memory(void) {
    WN_SCOPE(s);
    wn_tensor *rows = make(WN_I64, WN_DIMS(40), PLAIN, 0, 40), *x = wn_ones(WN_DIMS(40, 40)), *mask = wn_gt(make(WN_I64, WN_DIMS(40, 40), PLAIN, 0, 9), 4);
    const int64_t from = wn_set_defer_from(-1); /* what is deferred may find a way round, or fail later */
    check(call_all(x, rows, mask) == WN_OK, "with memory");
    int64_t handles = wn_get_stats().handles, bytes = wn_get_stats().allocated, n = 0, reported = 0;
    for (;; n++) {
        wn_fail_allocation(n);
        wn_status st = call_all(x, rows, mask);
        bool hit = wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        if (!hit) break;
        reported += st == WN_E_MEMORY;
        wn_clear();
    }
    wn_set_defer_from(from);
    check(n > 50 && reported * 10 > n * 9, "allocations that fail are reported"); /* a few are recovered from in the dispatcher */
    check(wn_get_stats().handles == handles && wn_get_stats().allocated == bytes, "nothing is lost on the way");
}

int main(void) {
    wn_set_error_hook(NULL);
    const char *full = getenv("WINNOW_TEST_FULL");
    int times = full && *full && *full != '0' ? 20 : 1;
    test_random(4000 * times);
    test_by_hand();
    test_errors();
    test_gradients(150 * times);
    test_supports();
    test_threads();
    test_no_memory();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
