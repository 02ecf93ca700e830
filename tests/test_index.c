/* Indexing rows against loops over coordinates: every dtype, layout and edge; gradients by central differences; the same bits for any
 * number of threads; failures that leave the target as it was; memory running out at every point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "tensor/tensor.h"
#include "base/level.h"
#include "winnow.h"

static int passed, failed;
static void check(bool ok, const char *what) {
    if (ok) {
        passed++;
        return;
    }
    if (++failed <= 40) printf("FAILED %s%s%s\n", what, wn_error() ? ": " : "", wn_error_message());
    wn_clear();
}

/* ------------------------------------------------------------------ tensors as arrays of doubles */

static uint64_t seed = 1;
static int64_t below(int64_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((seed >> 33) % (uint64_t)n);
}

static void *must(void *p) {
    if (p) return p;
    puts("out of memory");
    exit(1);
}

typedef struct array { /* row-major values of a tensor; freed by hand */
    int ndim;
    int64_t shape[WN_MAX_DIMS], numel;
    double *v;
} array;

static array array_new(int ndim, const int64_t *shape) {
    array a = {.ndim = ndim, .numel = 1};
    for (int d = 0; d < ndim; d++) a.numel *= a.shape[d] = shape[d];
    a.v = must(calloc((size_t)a.numel + 1, sizeof(double)));
    return a;
}
static int64_t at(const array *a, const int64_t *coord) {
    int64_t i = 0;
    for (int d = 0; d < a->ndim; d++) i = i * a->shape[d] + coord[d];
    return i;
}
static void coord_of(const array *a, int64_t i, int64_t *coord) {
    for (int d = a->ndim - 1; d >= 0; d--) {
        coord[d] = i % a->shape[d];
        i /= a->shape[d];
    }
}
static array array_of(wn_tensor *t) {
    array a = array_new(t->ndim, t->shape);
    const char *p = wn_data(t);
    int64_t coord[WN_MAX_DIMS];
    for (int64_t i = 0; i < a.numel; i++) {
        int64_t offset = 0;
        coord_of(&a, i, coord);
        for (int d = 0; d < a.ndim; d++) offset += coord[d] * t->strides[d];
        a.v[i] = wn__load_f64((wn_dtype)t->dtype, p + offset * (int64_t)wn__dtype_size(t->dtype));
    }
    return a;
}

static double as_dtype(wn_dtype d, double x) {
    char buf[8];
    wn__store_val(d, buf, wn__is_float(d) ? wn_val_of_float(x) : wn_val_of_int((int64_t)x));
    return wn__load_f64(d, buf);
}

/* t holds exactly the expected values; frees them. */
static void check_values(wn_tensor *t, array want, const char *what) {
    bool ok = wn_ok(t) && t->ndim == want.ndim && !memcmp(t->shape, want.shape, (size_t)want.ndim * sizeof(int64_t));
    if (ok) {
        array got = array_of(t);
        for (int64_t i = 0; i < want.numel && ok; i++) {
            double w = as_dtype((wn_dtype)t->dtype, want.v[i]);
            ok = got.v[i] == w || (isnan(w) && isnan(got.v[i]));
            if (!ok) printf("  [%lld] %g, expected %g\n", (long long)i, got.v[i], w);
        }
        free(got.v);
    }
    free(want.v);
    check(ok, what);
}

enum { PLAIN, TRANSPOSED, SLICED, BROADCAST, LAYOUTS };
static const char *const layout_names[] = {"plain", "transposed", "sliced", "broadcast"};

/* Small whole numbers from `low` up (negative ones only where the dtype has them). Layouts that do not suit the shape become plain. */
static wn_tensor *make(wn_dtype dtype, int ndim, const int64_t *shape, int layout, int64_t low, int64_t high) {
    wn_dims size = {.n = ndim ? ndim : -1}, order = {.n = ndim};
    if (ndim == 0) layout = PLAIN;
    for (int d = 0; d < ndim; d++) {
        size.v[d] = layout == TRANSPOSED ? shape[ndim - 1 - d] : shape[d];
        if (layout == SLICED && d == ndim - 1) size.v[d] = 2 * shape[d] + 1;
        if (layout == BROADCAST && d == 0 && shape[0]) size.v[d] = 1;
        order.v[d] = ndim - 1 - d;
    }
    wn_tensor *t = wn_empty(size, .dtype = dtype);
    char *p = wn_data_mut(t);
    for (int64_t i = 0; i < wn_numel(t); i++)
        wn__store_val(dtype, p + (size_t)i * wn__dtype_size(dtype), wn_val_of_int(low + below(high - low)));
    if (layout == TRANSPOSED) t = wn_permute(t, order);
    if (layout == SLICED) t = wn_slice(t, -1, 1, 2 * shape[ndim - 1] + 1, .step = wn_val_of_int(2));
    if (layout == BROADCAST) {
        wn_dims wide = {.n = ndim};
        memcpy(wide.v, shape, (size_t)ndim * sizeof *shape);
        t = wn_expand(t, wide);
    }
    return t;
}

static char label[200];
static const char *name(const char *row, wn_dtype d, const wn_tensor *t, int layout, int dim) {
    char desc[80];
    wn_describe(t, desc, sizeof desc);
    snprintf(label, sizeof label, "%s %s %s %s dim %d", row, wn_dtype_name(d), desc, layout_names[layout], dim);
    return label;
}

/* ------------------------------------------------------------------ references */

/* gather, scatter and scatter_add over the index's coordinates; mode 'g', 's', 'a' */
static array reference(char mode, const array *table, int dim, const array *index, const array *src, double alpha) {
    array r = mode == 'g' ? array_new(index->ndim, index->shape) : array_new(table->ndim, table->shape);
    if (mode != 'g') memcpy(r.v, table->v, (size_t)r.numel * sizeof(double));
    for (int64_t i = 0; i < index->numel; i++) {
        int64_t c[WN_MAX_DIMS] = {0}, here[WN_MAX_DIMS] = {0};
        coord_of(index, i, c);
        memcpy(here, c, sizeof here);
        here[dim] = (int64_t)index->v[i];
        if (mode == 'g') r.v[i] = table->v[at(table, here)];
        else if (mode == 's') r.v[at(&r, here)] = src->v[at(src, c)];
        else r.v[at(&r, here)] += alpha * src->v[at(src, c)];
    }
    return r;
}

/* A vector of indices spread over the shape of table with its length along dim. */
static array widen(const array *table, int dim, const array *vector) {
    int64_t shape[WN_MAX_DIMS], c[WN_MAX_DIMS] = {0};
    memcpy(shape, table->shape, sizeof shape);
    if (table->ndim) shape[dim] = vector->numel;
    array r = array_new(table->ndim, shape);
    for (int64_t i = 0; i < r.numel; i++) {
        coord_of(&r, i, c);
        r.v[i] = vector->v[table->ndim ? c[dim] : 0];
    }
    return r;
}

static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16, WN_I8, WN_I16, WN_I32, WN_I64, WN_U8, WN_BOOL};
static const struct {
    int ndim;
    int64_t shape[4];
} shapes[] = {{0, {0}}, {1, {7}}, {2, {5, 6}}, {2, {3, 40}}, {3, {4, 3, 5}}, {4, {2, 3, 1, 4}}, {1, {1}}, {2, {3, 0}}};
enum { NDTYPES = 10, NSHAPES = 8 };

/* bool sums are "or": expected values are cut to 0 and 1 by as_dtype. Integers wrap there as well. */
static void test_vectors(wn_dtype d, int ndim, const int64_t *shape, int layout) {
    for (int dim = 0; dim < (ndim ? ndim : 1); dim++) {
        WN_SCOPE(s);
        int64_t size = ndim ? shape[dim] : 1, n = ndim ? (size ? 6 : 0) : 1, wide[WN_MAX_DIMS] = {0};
        memcpy(wide, shape, (size_t)ndim * sizeof *shape);
        if (ndim) wide[dim] = n;
        wn_tensor *self = make(d, ndim, shape, layout, 0, 90), *source = make(d, ndim, wide, layout, 0, 90);
        wn_tensor *index = make(layout & 1 ? WN_I32 : WN_I64, 1, &n, layout == SLICED ? SLICED : PLAIN, 0, size ? size : 1);
        array t = array_of(self), v = array_of(index), w = widen(&t, dim, &v), src = array_of(source);
        check_values(wn_index_select(self, dim, index), reference('g', &t, dim, &w, NULL, 1), name("index_select", d, self, layout, dim));
        check_values(wn_index_add(self, dim - (ndim ? ndim : 1), index, source), reference('a', &t, dim, &w, &src, 1), name("index_add", d, self, layout, dim));
        check_values(wn_index_add(self, dim, index, source, .alpha = wn_val_of_int(3)), reference('a', &t, dim, &w, &src, 3), name("index_add alpha", d, self, layout, dim));
        check_values(wn_index_copy(self, dim, wn_to(index, WN_I64), source), reference('s', &t, dim, &w, &src, 1), name("index_copy", d, self, layout, dim));
        if (layout != BROADCAST) { /* in place, in memory of any order */
            wn_tensor *x = make(d, ndim, shape, layout, 0, 90);
            array before = array_of(x);
            check(wn_index_add_(x, dim, index, source) == x, "index_add_ returns its target");
            check_values(x, reference('a', &before, dim, &w, &src, 1), name("index_add_", d, self, layout, dim));
            free(before.v);
            before = array_of(x);
            wn_index_copy_(x, dim, wn_to(index, WN_I64), source);
            check_values(x, reference('s', &before, dim, &w, &src, 1), name("index_copy_", d, self, layout, dim));
            free(before.v);
        }
        free(t.v), free(v.v), free(w.v), free(src.v);
    }
}

static void test_full(wn_dtype d, int ndim, const int64_t *shape, int layout) {
    for (int dim = 0; dim < (ndim ? ndim : 1); dim++) {
        WN_SCOPE(s);
        int64_t ishape[WN_MAX_DIMS], wide[WN_MAX_DIMS], size = ndim ? shape[dim] : 1;
        for (int k = 0; k < ndim; k++) {
            ishape[k] = k == dim ? (size ? size + 2 : 0) : shape[k] > 2 ? shape[k] - 1 : shape[k];
            wide[k] = ishape[k] + (k & 1);
        }
        wn_tensor *self = make(d, ndim, shape, layout, 0, 90), *src = make(d, ndim, wide, layout, 0, 90);
        wn_tensor *index = make(layout & 1 ? WN_I32 : WN_I64, ndim, ishape, layout, 0, size ? size : 1);
        array t = array_of(self), w = array_of(index), v = array_of(src);
        check_values(wn_gather(self, dim, index), reference('g', &t, dim, &w, NULL, 1), name("gather", d, self, layout, dim));
        check_values(wn_scatter(self, dim, index, src), reference('s', &t, dim, &w, &v, 1), name("scatter", d, self, layout, dim));
        check_values(wn_scatter_add(self, dim, index, src), reference('a', &t, dim, &w, &v, 1), name("scatter_add", d, self, layout, dim));
        if (layout != BROADCAST) {
            wn_tensor *x = wn_clone(self), *y = make(d, ndim, shape, layout, 0, 90);
            wn_scatter_(x, dim, index, src);
            check_values(x, reference('s', &t, dim, &w, &v, 1), name("scatter_", d, self, layout, dim));
            array before = array_of(y);
            wn_scatter_add_(y, dim, index, src);
            check_values(y, reference('a', &before, dim, &w, &v, 1), name("scatter_add_", d, self, layout, dim));
            free(before.v);
        }
        free(t.v), free(w.v), free(v.v);
    }
}

/* Masks of a density in percent, of self's shape or broadcast against it. */
static void test_masks(wn_dtype d, int ndim, const int64_t *shape, int layout, int density) {
    WN_SCOPE(s);
    wn_tensor *self = make(d, ndim, shape, layout, 0, 90), *mask = wn_lt(make(WN_I64, ndim, shape, layout, 0, 100), density);
    array t = array_of(self), m = array_of(mask);
    int64_t count = 0, k = 0, c[WN_MAX_DIMS];
    for (int64_t i = 0; i < m.numel; i++) count += m.v[i] != 0;
    wn_tensor *source = make(d, 1, &(int64_t){count + 3}, layout, 0, 90);
    array picked = array_new(1, &count), where = array_new(2, (int64_t[]){count, ndim}), src = array_of(source);
    array spread = array_new(ndim, shape), spread_in_place = array_new(ndim, shape);
    wn_tensor *x = wn_clone(self);
    memcpy(spread.v, t.v, (size_t)t.numel * sizeof(double));
    for (int64_t i = 0; i < m.numel; i++) {
        if (m.v[i] == 0) continue;
        coord_of(&m, i, c);
        for (int e = 0; e < ndim; e++) where.v[k * ndim + e] = (double)c[e];
        spread.v[i] = src.v[k];
        picked.v[k++] = t.v[i];
    }
    memcpy(spread_in_place.v, spread.v, (size_t)t.numel * sizeof(double));
    check_values(wn_masked_select(self, mask), picked, name("masked_select", d, self, layout, density));
    check_values(wn_nonzero(wn_mul(wn_to(mask, d), 1)), where, name("nonzero", d, mask, layout, density));
    check_values(wn_masked_scatter(self, mask, source), spread, name("masked_scatter", d, self, layout, density));
    wn_masked_scatter_(x, mask, source);
    check_values(x, spread_in_place, name("masked_scatter_", d, self, layout, density));
    free(t.v), free(m.v), free(src.v);
}

static void test_broadcast_masks(void) {
    WN_SCOPE(s);
    wn_tensor *x = make(WN_F32, 2, (int64_t[]){50, 7}, PLAIN, 0, 90), *row = wn_lt(make(WN_I64, 1, (int64_t[]){7}, PLAIN, 0, 9), 5);
    wn_tensor *col = wn_lt(make(WN_I64, 2, (int64_t[]){50, 1}, PLAIN, 0, 9), 3), *cube = wn_lt(make(WN_I64, 3, (int64_t[]){3, 1, 7}, PLAIN, 0, 9), 3);
    wn_tensor *masks[] = {row, col, cube, wn_full(WN_0D, WN_TRUE), wn_full(WN_0D, WN_FALSE)};
    for (int i = 0; i < 5; i++) {
        WN_SCOPE(inner);
        wn_dims all = wn_shape(wn_mul(x, masks[i]));
        wn_tensor *wx = wn_contiguous(wn_expand(x, all)), *wm = wn_contiguous(wn_expand(masks[i], all));
        check_values(wn_masked_select(x, masks[i]), array_of(wn_masked_select(wx, wm)), "masked_select, broadcast mask");
        check_values(wn_masked_scatter(x, masks[i], wx), array_of(wn_masked_scatter(wx, wm, wx)), "masked_scatter, broadcast mask");
    }
    wn_tensor *small = wn_slice(x, 0, 0, 1);
    check_values(wn_masked_select(small, col), array_of(wn_masked_select(wn_contiguous(wn_expand(small, WN_DIMS(50, 7))), wn_contiguous(wn_expand(col, WN_DIMS(50, 7))))),
                 "masked_select, broadcast self");
}

static void test_triangles(wn_dtype d, int ndim, const int64_t *shape, int layout) {
    if (ndim < 2) return;
    const int64_t diagonals[] = {0, 1, -2, 3, INT64_MAX, INT64_MIN};
    for (int k = 0; k < 12; k++) {
        WN_SCOPE(s);
        bool lower = k & 1;
        int64_t diagonal = diagonals[k / 2], c[WN_MAX_DIMS];
        wn_tensor *self = make(d, ndim, shape, layout, 1, 90), *x = wn_clone(self);
        array want = array_of(self), again = array_of(self);
        for (int64_t i = 0; i < want.numel; i++) {
            coord_of(&want, i, c);
            int64_t off = c[ndim - 1] - c[ndim - 2];
            if (lower ? off > diagonal : off < diagonal) want.v[i] = again.v[i] = 0;
        }
        check_values(lower ? wn_tril(self, .diagonal = diagonal) : wn_triu(self, .diagonal = diagonal), want, name("triangle", d, self, layout, k));
        if (lower) wn_tril_(x, .diagonal = diagonal);
        else wn_triu_(x, .diagonal = diagonal);
        check_values(x, again, name("triangle in place", d, self, layout, k));
    }
}

static void test_embedding(wn_dtype d, int ndim, const int64_t *shape, int layout) {
    WN_SCOPE(s);
    int64_t wide[WN_MAX_DIMS], c[WN_MAX_DIMS];
    memcpy(wide, shape, (size_t)ndim * sizeof *shape);
    wide[ndim] = 5;
    wn_tensor *weight = make(d, 2, (int64_t[]){9, 5}, layout, 0, 90), *indices = make(layout & 1 ? WN_I32 : WN_I64, ndim, shape, layout, 0, 9);
    wn_tensor *grad = make(d, ndim + 1, wide, layout, 0, 90);
    array w = array_of(weight), i = array_of(indices), g = array_of(grad), y = array_new(ndim + 1, wide), gw = array_new(2, w.shape), gpad = array_new(2, w.shape);
    for (int64_t k = 0; k < y.numel; k++) {
        coord_of(&y, k, c);
        int64_t row = (int64_t)i.v[k / 5];
        y.v[k] = w.v[row * 5 + c[ndim]];
        gw.v[row * 5 + c[ndim]] += g.v[k];
        if (row != 3) gpad.v[row * 5 + c[ndim]] += g.v[k];
    }
    check_values(wn_embedding(weight, indices), y, name("embedding", d, weight, layout, ndim));
    check_values(wn_embedding_backward(grad, indices, WN_DIMS(9, 5), WN_NONE), gw, name("embedding_backward", d, weight, layout, ndim));
    check_values(wn_embedding_backward(grad, indices, WN_DIMS(9, 5), 3), gpad, name("embedding_backward padding", d, weight, layout, ndim));
    free(w.v), free(i.v), free(g.v);
}

static void test_one_hot(void) {
    WN_SCOPE(s);
    for (int layout = 0; layout < LAYOUTS; layout++)
        for (int classes = -1; classes < 12; classes += 12) {
            wn_tensor *t = make(WN_I64, 2, (int64_t[]){3, 4}, layout, 0, 9);
            array a = array_of(t);
            int64_t n = classes < 0 ? 0 : classes;
            for (int64_t i = 0; i < a.numel && classes < 0; i++) n = a.v[i] + 1 > (double)n ? (int64_t)a.v[i] + 1 : n;
            array want = array_new(3, (int64_t[]){3, 4, n});
            for (int64_t i = 0; i < a.numel; i++) want.v[i * n + (int64_t)a.v[i]] = 1;
            check_values(wn_one_hot(t, .num_classes = wn_val_of_int(classes)), want, "one_hot");
            free(a.v);
        }
    check(wn_size(wn_one_hot(wn_zeros(WN_DIMS(0, 2), .dtype = WN_I64), .num_classes = wn_val_of_int(3)), -1) == 3, "one_hot of nothing");
}

/* Rows of f16 and bf16 (long ones go a way of their own) are the sums of f32, rounded once: for repeats, bands of threads, layouts. */
static void test_rows_of_halves(void) {
    static const int64_t sizes[][3] = {{37, 40, 1}, {5, 11, 37}, {1, 300, 1100}, {3, 4, 16}};
    for (int threads = 1; threads <= 2; threads++) {
        wn_set_num_threads(threads);
        for (int i = 0; i < 16; i++) {
            WN_SCOPE(s);
            const int64_t *n = sizes[i / 2 % 4], count = i % 3 ? 70 : 3;
            const wn_dtype dtype = i % 2 ? WN_BF16 : WN_F16;
            wn_tensor *self = wn_to(wn_randn(WN_DIMS(n[0], n[1], n[2])), dtype), *source = wn_to(wn_randn(WN_DIMS(n[0], count, n[2])), dtype);
            wn_tensor *index = wn_randint(0, n[1], WN_DIMS(count)), *wide = wn_to(self, WN_F32), *from = wn_to(source, WN_F32);
            if (i & 8) source = wn_contiguous(wn_transpose(source, 0, 2)), source = wn_transpose(source, 0, 2);
            const wn_val alpha = i & 4 ? wn_val_of_float(0.7f) : wn_val_of_int(1);
            wn_tensor *want = wn_to(wn_index_add(wide, 1, index, from, .alpha = alpha), dtype);
            check_values(wn_index_add(self, 1, index, source, .alpha = alpha), array_of(want), "rows of halves are rounded once");
            wn_index_add_(self, 1, index, source, .alpha = alpha);
            check_values(self, array_of(want), "rows of halves in place");
        }
    }
}

/* ------------------------------------------------------------------ results by hand: PyTorch 2.13's */

static void test_by_hand(void) {
    WN_SCOPE(s);
    wn_tensor *nan = wn_from_data((float[]){NAN, -0.0f, 0.5f}, WN_DIMS(3), WN_F32), *bf = wn_to(nan, WN_BF16);
    check_values(wn_nonzero(nan), array_of(wn_from_data((int64_t[]){0, 2}, WN_DIMS(2, 1), WN_I64)), "nonzero: NaN counts, -0 does not");
    check_values(wn_nonzero(bf), array_of(wn_from_data((int64_t[]){0, 2}, WN_DIMS(2, 1), WN_I64)), "nonzero of bf16");
    wn_tensor *nz = wn_nonzero(wn_ones(WN_DIMS(2, 3)));
    check(wn_stride(nz, 0) == 1 && wn_stride(nz, 1) == 6, "nonzero has torch's strides");
    nz = wn_nonzero(wn_ones(WN_0D));
    check(wn_size(nz, 0) == 1 && wn_size(nz, 1) == 0, "nonzero of a 0-d tensor");
    wn_tensor *ones = wn_ones(WN_DIMS(400), .dtype = WN_BF16), *zeros = wn_zeros(WN_DIMS(400), .dtype = WN_I64);
    check(wn_item_f64(wn_index_add(wn_zeros(WN_DIMS(1), .dtype = WN_BF16), 0, zeros, ones)) == 400, "sums of bf16 keep growing");
    check(wn_item_f64(wn_scatter_add(wn_zeros(WN_DIMS(1), .dtype = WN_BF16), 0, zeros, ones)) == 400, "scattered sums of bf16 keep growing");
    wn_tensor *scalar = wn_full(WN_0D, 5.0), *i0 = wn_zeros(WN_0D, .dtype = WN_I64), *i2 = wn_zeros(WN_DIMS(2), .dtype = WN_I64);
    check(wn_ndim(wn_index_select(scalar, 0, i0)) == 0, "index_select of a 0-d tensor");
    check(wn_numel(wn_gather(scalar, 0, i2)) == 2, "gather from a 0-d tensor");
    check(wn_ndim(wn_gather(wn_ones(WN_DIMS(3)), 0, i0)) == 0, "gather with a 0-d index");
    check(wn_numel(wn_gather(wn_ones(WN_DIMS(3, 4)), 0, wn_zeros(WN_DIMS(0), .dtype = WN_I64))) == 0, "gather with an empty index of any rank");
    check(wn_item_f64(wn_index_copy(scalar, 0, wn_zeros(WN_DIMS(1), .dtype = WN_I64), wn_full(WN_DIMS(1), 7.0))) == 7, "index_copy to a 0-d tensor");
    check(wn_item_f64(wn_index_add(scalar, 0, i0, scalar)) == 10, "index_add to a 0-d tensor");
    /* a mask's dropped side never leaks, not even NaN */
    wn_tensor *m = wn_full(WN_DIMS(3, 3), (double)NAN);
    check(wn_item_f64(wn_select(wn_select(wn_tril(m), 0, 0), 0, 2)) == 0, "tril clears NaN");
    /* sources that are the target itself */
    wn_tensor *x = wn_arange(4, .dtype = WN_F32), *back = wn_from_data((int64_t[]){3, 2, 1, 0}, WN_DIMS(4), WN_I64);
    check_values(wn_index_add_(x, 0, back, x), array_of(wn_full(WN_DIMS(4), 3.0)), "index_add_ of itself");
    wn_tensor *k = wn_arange(4);
    wn_scatter_(k, 0, k, back);
    check_values(k, array_of(back), "scatter_ by its own index");
    wn_tensor *out = wn_empty(WN_DIMS(2, 2));
    wn_tensor *got = wn_gather_x(&(wn_gather_args){.size_ = sizeof(wn_gather_args), .self = wn_ones(WN_DIMS(4)), .index = back, .out = out});
    check(got == out && wn_numel(out) == 4 && wn_item_f64(wn_select(out, 0, 3)) == 1, "out= is resized and filled");
}

/* ------------------------------------------------------------------ errors */

static void fails(wn_tensor *r, wn_status code, const char *what) {
    bool ok = !wn_ok(r) && wn_error() == code && wn_error_message()[0];
    if (!ok) printf("  status %d, expected %d: %s\n", (int)wn_error(), (int)code, wn_error_message());
    check(ok, what);
    wn_clear();
}

static void test_errors(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(3, 4)), *good = wn_from_data((int64_t[]){0, 2}, WN_DIMS(2), WN_I64);
    wn_tensor *bad = wn_from_data((int64_t[]){0, 3}, WN_DIMS(2), WN_I64), *minus = wn_from_data((int64_t[]){0, -1}, WN_DIMS(2), WN_I64);
    wn_tensor *real = wn_ones(WN_DIMS(2)), *square = wn_zeros(WN_DIMS(1, 4), .dtype = WN_I64), *src = wn_full(WN_DIMS(2, 4), 9.0);
    wn_tensor *badsq = wn_full(WN_DIMS(1, 4), 7), *src1 = wn_slice(src, 0, 0, 1), *doubles = wn_to(src, WN_F64);
    fails(wn_index_select(x, 0, bad), WN_E_INDEX, "index_select out of range");
    fails(wn_index_select(x, 0, minus), WN_E_INDEX, "index_select takes no negative index");
    fails(wn_index_select(x, 2, good), WN_E_INDEX, "index_select dim");
    fails(wn_index_select(x, 0, real), WN_E_RUNTIME, "index_select by floats");
    fails(wn_index_select(x, 0, square), WN_E_INDEX, "index_select by a matrix");
    fails(wn_index_select(wn_ones(WN_DIMS(0, 3)), 0, good), WN_E_INDEX, "index_select from nothing");
    fails(wn_index_select(wn_ones(WN_0D), 0, good), WN_E_RUNTIME, "two of a 0-d tensor");
    fails(wn_index_add(x, 0, bad, src), WN_E_RUNTIME, "index_add out of range"); /* as torch, which knows two kinds of error here */
    fails(wn_index_add(wn_zeros(WN_DIMS(3)), 0, bad, wn_ones(WN_DIMS(2))), WN_E_INDEX, "index_add out of range, one dimension");
    fails(wn_index_add(x, 0, good, doubles), WN_E_RUNTIME, "index_add dtype");
    fails(wn_index_add(x, 1, good, src), WN_E_RUNTIME, "index_add shape");
    fails(wn_index_add(x, 0, wn_slice(good, 0, 0, 1), src), WN_E_RUNTIME, "index_add length");
    fails(wn_index_copy(x, 0, bad, src), WN_E_INDEX, "index_copy out of range");
    fails(wn_index_copy(x, 0, wn_to(good, WN_I32), src), WN_E_RUNTIME, "index_copy by int32");
    fails(wn_index_copy(x, 0, good, doubles), WN_E_RUNTIME, "index_copy dtype");
    fails(wn_index_copy(x, 0, wn_slice(good, 0, 0, 1), src), WN_E_INDEX, "index_copy length");
    fails(wn_gather(x, 0, badsq), WN_E_RUNTIME, "gather out of range");
    fails(wn_gather(x, 0, good), WN_E_RUNTIME, "gather rank");
    fails(wn_gather(x, 0, wn_zeros(WN_DIMS(1, 5), .dtype = WN_I64)), WN_E_RUNTIME, "gather with too large an index");
    fails(wn_gather(x, 0, wn_to(square, WN_I16)), WN_E_RUNTIME, "gather by int16");
    fails(wn_scatter(x, 0, badsq, src1), WN_E_RUNTIME, "scatter out of range");
    fails(wn_scatter(x, 0, square, wn_slice(src1, 1, 0, 3)), WN_E_RUNTIME, "scatter with too small a source");
    fails(wn_scatter_add(x, 0, square, doubles), WN_E_RUNTIME, "scatter_add dtype");
    fails(wn_embedding(x, bad), WN_E_INDEX, "embedding out of range");
    fails(wn_embedding(real, good), WN_E_RUNTIME, "embedding in a vector");
    fails(wn_embedding_backward(src, bad, WN_DIMS(3, 4), WN_NONE), WN_E_INDEX, "embedding_backward out of range");
    fails(wn_embedding_backward(src, good, WN_DIMS(3, 5), WN_NONE), WN_E_RUNTIME, "embedding_backward shape");
    fails(wn_masked_select(x, x), WN_E_RUNTIME, "masked_select by floats");
    fails(wn_masked_select(x, wn_gt(real, 0)), WN_E_RUNTIME, "masked_select shape");
    fails(wn_masked_scatter(x, wn_gt(x, 0), real), WN_E_RUNTIME, "masked_scatter with too few");
    fails(wn_masked_scatter(x, wn_gt(x, 0), wn_to(x, WN_F64)), WN_E_RUNTIME, "masked_scatter dtype");
    fails(wn_one_hot(wn_to(good, WN_I32)), WN_E_RUNTIME, "one_hot of int32");
    fails(wn_one_hot(minus), WN_E_RUNTIME, "one_hot of a negative number");
    fails(wn_one_hot(good, .num_classes = wn_val_of_int(2)), WN_E_RUNTIME, "one_hot with too few classes");
    fails(wn_one_hot(wn_zeros(WN_DIMS(0), .dtype = WN_I64)), WN_E_RUNTIME, "one_hot of nothing, nothing known");
    fails(wn_tril(real), WN_E_RUNTIME, "tril of a vector");
    /* in place: the bad index comes last, the target stays as it was */
    fails(wn_index_add_(x, 0, bad, src), WN_E_RUNTIME, "index_add_ out of range");
    fails(wn_index_copy_(x, 0, minus, src), WN_E_INDEX, "index_copy_ out of range");
    fails(wn_scatter_(x, 0, wn_cat(WN_LIST(square, badsq)), src), WN_E_RUNTIME, "scatter_ out of range");
    fails(wn_scatter_add_(x, 0, wn_cat(WN_LIST(square, badsq)), src), WN_E_RUNTIME, "scatter_add_ out of range");
    fails(wn_masked_scatter_(x, wn_gt(x, 0), real), WN_E_RUNTIME, "masked_scatter_ with too few");
    fails(wn_masked_scatter_(wn_slice(x, 0, 0, 1), wn_gt(x, 0), x), WN_E_RUNTIME, "masked_scatter_ does not grow");
    fails(wn_index_add_(wn_expand(wn_ones(WN_DIMS(1, 4)), WN_DIMS(3, 4)), 0, good, src), WN_E_RUNTIME, "index_add_ to an expanded tensor");
    check_values(x, array_of(wn_ones(WN_DIMS(3, 4))), "failed in-place calls change nothing");
}

/* ------------------------------------------------------------------ gradients */

typedef wn_tensor *(*function)(wn_tensor **in, const wn_tensor *unused);
static wn_tensor *ix, *ix2, *mk; /* what the functions below index by */
#define FUNCTION(f, expr) static wn_tensor *f(wn_tensor **in, const wn_tensor *unused) { (void)unused; return expr; }
FUNCTION(f_select0, wn_index_select(in[0], 0, ix))
FUNCTION(f_select1, wn_index_select(in[0], -1, ix))
FUNCTION(f_add, wn_index_add(in[0], 1, ix, in[1], .alpha = wn_val_of_float(0.5)))
FUNCTION(f_copy, wn_index_copy(in[0], 1, ix, in[1]))
FUNCTION(f_gather, wn_gather(in[0], 1, ix2))
FUNCTION(f_gather0, wn_gather(in[0], 0, wn_transpose(ix2, 0, 1)))
FUNCTION(f_scatter, wn_scatter(in[0], 1, ix2, in[1]))
FUNCTION(f_scatter_add, wn_scatter_add(in[0], 1, ix2, in[1]))
FUNCTION(f_embedding, wn_embedding(in[0], ix2))
FUNCTION(f_mselect, wn_masked_select(in[0], mk))
FUNCTION(f_mselect_b, wn_masked_select(wn_select(in[0], 0, 1), mk))
FUNCTION(f_mscatter, wn_masked_scatter(in[0], mk, in[1]))
FUNCTION(f_tril, wn_tril(in[0], .diagonal = 1))
FUNCTION(f_triu, wn_triu(in[0]))
FUNCTION(f_add_, wn_index_add_(wn_mul(in[0], 2), 1, ix, in[1]))
FUNCTION(f_copy_, wn_index_copy_(wn_mul(in[0], 2), 1, ix, in[1]))
FUNCTION(f_scatter_, wn_scatter_(wn_mul(in[0], 2), 1, ix2, in[1]))
FUNCTION(f_mscatter_, wn_masked_scatter_(wn_mul(in[0], 2), mk, in[1]))
FUNCTION(f_tril_, wn_tril_(wn_mul(in[0], 2)))

static double dot(wn_tensor *a, wn_tensor *b) {
    array x = array_of(a), y = array_of(b);
    double r = 0;
    for (int64_t i = 0; i < x.numel; i++) r += x.v[i] * y.v[i];
    free(x.v), free(y.v);
    return r;
}

static wn_tensor *noise(wn_dims shape) {
    wn_tensor *t = wn_empty(shape, .dtype = WN_F64);
    double *p = wn_data_mut(t);
    for (int64_t i = 0; i < wn_numel(t); i++) p[i] = (double)below(2000) / 1000 - 1;
    return t;
}

/* First derivatives against differences of <f(in), w>; then of those, as functions of w, against differences. All functions are linear
 * in their inputs, so the gradient's own gradient is f again. */
static void grad_check(function f, int n, const wn_dims *shapes_in, const char *what) {
    WN_SCOPE(s);
    wn_tensor *in[2];
    for (int i = 0; i < n; i++) in[i] = wn_requires_grad(noise(shapes_in[i]), true);
    wn_tensor *y = f(in, NULL), *w = wn_ok(y) ? wn_requires_grad(noise(wn_shape(y)), true) : y;
    if (!wn_ok(y)) {
        check(false, what);
        return;
    }
    wn_list grads = wn_grad(WN_LIST(y), ((wn_list){.n = n, .v = in}), .gradients = WN_LIST(w), .create_graph = true);
    bool ok = grads.n == n;
    for (int i = 0; i < n && ok; i++) {
        WN_NO_GRAD();
        const double *g = wn_data(wn_contiguous(wn_at(grads, i)));
        double *x = wn_data_mut(in[i]);
        for (int64_t k = 0; k < wn_numel(in[i]) && ok; k++) {
            WN_SCOPE(inner);
            double old = x[k], up, down;
            x[k] = old + 0.5;
            up = dot(f(in, NULL), w);
            x[k] = old - 0.5;
            down = dot(f(in, NULL), w);
            x[k] = old;
            ok = fabs(up - down - g[k]) < 1e-9;
            if (!ok) printf("  input %d [%lld]: %g, expected %g\n", i, (long long)k, g[k], up - down);
        }
        if (!ok) break;
    }
    check(ok, what);
    if (!ok) return;
    for (int i = 0; i < n && ok; i++) { /* d<grad_i, v>/dw = f'(v) */
        wn_tensor *v = noise(shapes_in[i]), *zero[2];
        wn_list second = wn_grad(WN_LIST(wn_at(grads, i)), WN_LIST(w), .gradients = WN_LIST(v), .retain_graph = true);
        for (int k = 0; k < n; k++) zero[k] = k == i ? v : wn_zeros(shapes_in[k], .dtype = WN_F64);
        wn_tensor *want = f(zero, NULL);
        ok = second.n == 1 && wn_ok(want);
        if (ok) ok = fabs(dot(wn_sub(wn_at(second, 0), want), wn_sub(wn_at(second, 0), want))) < 1e-18;
    }
    check(ok, what);
}

static void test_gradients(void) {
    WN_SCOPE(s);
    wn_dims m = WN_DIMS(3, 4), wide = WN_DIMS(3, 5);
    ix = wn_from_data((int64_t[]){2, 0, 2}, WN_DIMS(3), WN_I64);
    ix2 = wn_from_data((int64_t[]){1, 1, 0, 2, 0, 2}, WN_DIMS(2, 3), WN_I64);
    mk = wn_gt(make(WN_I64, 2, (int64_t[]){3, 4}, PLAIN, 0, 9), 4);
    grad_check(f_select0, 1, &m, "gradient of index_select");
    grad_check(f_select1, 1, &m, "gradient of index_select in the last dim");
    grad_check(f_add, 2, (wn_dims[]){m, WN_DIMS(3, 3)}, "gradient of index_add");
    grad_check(f_copy, 2, (wn_dims[]){m, WN_DIMS(3, 3)}, "gradient of index_copy with repeats");
    grad_check(f_gather, 1, &m, "gradient of gather");
    grad_check(f_gather0, 1, &m, "gradient of gather in dim 0");
    grad_check(f_scatter, 2, (wn_dims[]){m, wide}, "gradient of scatter with repeats and a larger source");
    grad_check(f_scatter_add, 2, (wn_dims[]){m, wide}, "gradient of scatter_add");
    grad_check(f_embedding, 1, &m, "gradient of embedding");
    grad_check(f_mselect, 1, &m, "gradient of masked_select");
    grad_check(f_mselect_b, 1, &m, "gradient of masked_select, broadcast");
    grad_check(f_mscatter, 2, (wn_dims[]){m, WN_DIMS(2, 7)}, "gradient of masked_scatter");
    grad_check(f_tril, 1, &m, "gradient of tril");
    grad_check(f_triu, 1, &m, "gradient of triu");
    grad_check(f_add_, 2, (wn_dims[]){m, WN_DIMS(3, 3)}, "gradient of index_add_");
    grad_check(f_copy_, 2, (wn_dims[]){m, WN_DIMS(3, 3)}, "gradient of index_copy_");
    grad_check(f_scatter_, 2, (wn_dims[]){m, wide}, "gradient of scatter_");
    grad_check(f_mscatter_, 2, (wn_dims[]){m, WN_DIMS(2, 7)}, "gradient of masked_scatter_");
    grad_check(f_tril_, 1, &m, "gradient of tril_");
    /* a row of padding gets nothing; a NaN cotangent stays on its side of the mask */
    wn_tensor *w = wn_requires_grad(wn_ones(WN_DIMS(3, 2)), true), *x = wn_requires_grad(wn_ones(WN_DIMS(3, 4)), true);
    check(wn_backward(wn_embedding(w, ix, .padding_idx = wn_val_of_int(2)), .gradient = wn_ones(WN_DIMS(3, 2))) == WN_OK, "backward of embedding");
    check_values(wn_select(wn_grad_of(w), 1, 0), array_of(wn_from_data((float[]){1, 0, 0}, WN_DIMS(3), WN_F32)), "padding gets no gradient");
    check(wn_backward(wn_masked_scatter(x, mk, wn_detach(x)), .gradient = wn_masked_fill(wn_zeros(m), mk, (double)NAN)) == WN_OK, "backward of masked_scatter");
    check_values(wn_grad_of(x), array_of(wn_zeros(m)), "NaN does not cross a mask");
}

/* ------------------------------------------------------------------ threads */

/* Everything at sizes where the work is shared out; the results one after the other as bytes. */
static uint64_t hash_of(wn_tensor *t, uint64_t h) {
    t = wn_contiguous(t);
    const unsigned char *p = wn_data(t);
    for (size_t i = 0; i < (size_t)wn_numel(t) * wn_dtype_size(wn_dtype_of(t)); i++) h = (h ^ p[i]) * 1099511628211u;
    return h;
}
static uint64_t everything(void) {
    WN_SCOPE(s);
    uint64_t h = 1;
    seed = 99;
    const int64_t big[] = {8000, 70}, tall[] = {40000};
    wn_tensor *x = wn_mul(make(WN_F32, 2, big, PLAIN, -90, 90), 0.37), *rows = make(WN_I64, 1, tall, PLAIN, 0, 8000), *few = make(WN_I64, 1, (int64_t[]){100}, PLAIN, 0, 64);
    wn_tensor *y = wn_index_select(x, 0, rows), *full = make(WN_I64, 2, big, PLAIN, 0, 70), *mask = wn_gt(x, 20), *flat = wn_reshape(y, WN_DIMS(100, 28000));
    h = hash_of(y, h);
    h = hash_of(wn_index_select(x, 1, few), h);
    h = hash_of(wn_index_add(x, 0, rows, y), h);
    h = hash_of(wn_index_add(wn_transpose(x, 0, 1), 1, rows, wn_transpose(y, 0, 1)), h);
    h = hash_of(wn_index_add(wn_zeros(WN_DIMS(8000)), 0, rows, wn_select(y, 1, 3)), h);
    h = hash_of(wn_index_add(wn_zeros(WN_DIMS(64, 28000)), 0, few, flat), h);
    h = hash_of(wn_index_copy(x, 0, rows, y), h);
    h = hash_of(wn_gather(x, 1, full), h);
    h = hash_of(wn_gather(x, 0, full), h);
    h = hash_of(wn_scatter(x, 0, full, x), h);
    h = hash_of(wn_scatter_add(x, 1, full, x), h);
    h = hash_of(wn_scatter_add(x, 0, full, x), h);
    h = hash_of(wn_embedding_backward(y, rows, WN_DIMS(8000, 70), 5), h);
    h = hash_of(wn_masked_select(x, mask), h);
    h = hash_of(wn_masked_select(wn_transpose(x, 0, 1), wn_transpose(mask, 0, 1)), h);
    h = hash_of(wn_masked_scatter(x, mask, x), h);
    h = hash_of(wn_nonzero(mask), h);
    h = hash_of(wn_tril(x), h);
    check(wn_error() == WN_OK, "large sizes");
    return h;
}

/* The large results are right, too: the same sums in another way. */
static void test_large(void) {
    WN_SCOPE(s);
    const int64_t big[] = {3000, 70}, n[] = {20000};
    wn_tensor *x = make(WN_F32, 2, big, PLAIN, 0, 90), *rows = make(WN_I64, 1, n, PLAIN, 0, 3000), *y = wn_index_select(x, 0, rows);
    array t = array_of(x), v = array_of(rows), w = widen(&t, 0, &v), src = array_of(y);
    check_values(y, reference('g', &t, 0, &w, NULL, 1), "index_select, large");
    check_values(wn_index_add(x, 0, rows, y), reference('a', &t, 0, &w, &src, 1), "index_add, large");
    check_values(wn_index_add(wn_transpose(x, 0, 1), 1, rows, wn_transpose(y, 0, 1)), array_of(wn_transpose(wn_index_add(x, 0, rows, y), 0, 1)), "index_add, large, transposed");
    wn_tensor *wide = wn_expand(wn_unsqueeze(rows, 1), WN_DIMS(20000, 70));
    check_values(wn_gather(x, 0, wide), array_of(y), "gather, large, expanded index");
    check_values(wn_scatter_add(x, 0, wide, y), array_of(wn_index_add(x, 0, rows, y)), "scatter_add, large, expanded index");
    check_values(wn_scatter(x, 0, wn_contiguous(wide), y), array_of(wn_index_copy(x, 0, rows, y)), "scatter, large");
    wn_tensor *few = wn_eq(y, 3), *none = wn_zeros(wn_shape(x), .dtype = WN_BOOL), *counted = wn_index_add(wn_to(none, WN_I32), 0, rows, wn_to(few, WN_I32));
    check_values(wn_index_add(none, 0, rows, few), array_of(wn_gt(counted, 0)), "index_add of bool, large");
    free(t.v), free(v.v), free(w.v), free(src.v);
}

static void test_threads(void) {
    wn_set_num_threads(1);
    uint64_t one = everything();
    wn_set_num_threads(2);
    check(everything() == one, "2 threads give the bits of 1");
    wn_set_num_threads(5);
    check(everything() == one, "5 threads give the bits of 1");
    test_large();
    for (int level = 0; level < wn__cpu_level_max(); level++) {
        int before = wn__cpu_level();
        wn__cpu_level_set(level);
        check(everything() == one, "a lower level gives the same bits");
        for (int density = 0; density <= 100; density += 20) test_masks(WN_F32, 2, (int64_t[]){300, 130}, PLAIN, density);
        wn__cpu_level_set(before);
    }
    wn_set_num_threads(0);
}

/* ------------------------------------------------------------------ no memory */

static wn_status call_all(wn_tensor *x, wn_tensor *rows, wn_tensor *full, wn_tensor *src, wn_tensor *mask) {
    WN_SCOPE(s);
    wn_tensor *narrow = wn_to(rows, WN_I32), *half = wn_to(x, WN_BF16), *t = wn_transpose(x, 0, 1);
    wn_index_select(t, 0, narrow);
    wn_index_add(half, 0, narrow, wn_index_select(half, 0, rows));
    wn_index_add_(x, 0, rows, src);
    wn_index_copy_(x, 0, rows, src);
    wn_gather(x, 1, full);
    wn_scatter_(x, 0, full, x);
    wn_scatter_add_(x, 1, full, x);
    wn_embedding_backward(wn_embedding(x, narrow), rows, wn_shape(x), 1);
    wn_masked_select(x, wn_select(mask, 0, 0));
    wn_masked_scatter_(t, wn_transpose(mask, 0, 1), wn_clone(x));
    wn_nonzero(mask);
    wn_one_hot(rows);
    wn_tril(x);
    wn_triu_(x);
    wn_tensor *p = wn_requires_grad(wn_clone(x), true);
    wn_tensor *y = wn_masked_select(wn_scatter(wn_index_copy(p, 0, rows, src), 1, full, p), mask);
    if (wn_backward(y, .gradient = wn_ones_like(y)) != WN_OK) return wn_error();
    return wn_error();
}

static void test_no_memory(void) {
    WN_SCOPE(s);
    wn_tensor *rows = wn_from_data((int64_t[]){3, 1, 3}, WN_DIMS(3), WN_I64), *full = make(WN_I64, 2, (int64_t[]){40, 40}, PLAIN, 0, 40);
    wn_tensor *x = wn_ones(WN_DIMS(40, 40)), *src = wn_ones(WN_DIMS(3, 40)), *mask = wn_gt(full, 20);
    check(call_all(x, rows, full, src, mask) == WN_OK, "with memory");
    int64_t handles = wn_get_stats().handles, n = 0;
    int64_t reported = 0;
    const int64_t from = wn_set_defer_from(-1); /* what is deferred may find a way round, or fail later */
    for (;; n++) {
        wn_fail_allocation(n);
        wn_status st = call_all(x, rows, full, src, mask);
        bool hit = wn_fail_allocation_hit();
        wn_fail_allocation(-1);
        if (!hit) break;
        reported += st != WN_OK;
        wn_clear();
    }
    wn_set_defer_from(from);
    check(n > 50 && reported * 10 > n * 9, "allocations that fail are reported"); /* a few are recovered from in the dispatcher */
    check(wn_get_stats().handles == handles, "nothing is lost on the way");
}

/* ------------------------------------------------------------------ copies of any strides */

/* `dst` of random strides gets `src` of others (0: repeated), all bytes of its memory against a loop's. */
static void test_copy(wn_dtype d, int ndim, const int64_t *shape) {
    WN_SCOPE(s);
    const int64_t size = (int64_t)wn__dtype_size(d);
    wn_dims dims = {.n = ndim}, from = {.n = ndim}, to = {.n = ndim};
    int64_t nfrom = 1, nto = 1, numel = 1;
    bool done[WN_MAX_DIMS] = {false};
    for (int k = 0; k < ndim; k++) dims.v[k] = shape[k], numel *= shape[k];
    for (int side = 0; side < 2; side++, memset(done, 0, sizeof done)) /* dimensions in any order, with gaps */
        for (int left = ndim; left; left--) {
            int k = below(3) ? ndim - 1 : (int)below(ndim);
            while (done[k]) k = (k + ndim - 1) % ndim;
            done[k] = true;
            int64_t *n = side ? &nto : &nfrom;
            (side ? &to : &from)->v[k] = !side && !below(4) ? 0 : *n * (below(2) ? 1 : 1 + below(3));
            if (side || from.v[k]) *n = (side ? &to : &from)->v[k] * (shape[k] ? shape[k] : 1);
        }
    char *x = must(malloc((size_t)(nfrom * size))), *y = must(malloc((size_t)(nto * size)));
    for (int64_t i = 0; i < nfrom * size; i++) x[i] = (char)(d == WN_BOOL ? below(2) : below(63)); /* no NaN, whose bits may change */
    memset(y, d == WN_BOOL, (size_t)(nto * size));
    wn_tensor *src = wn_from_data(x, WN_DIMS(nfrom), d), *dst = wn_from_data(y, WN_DIMS(nto), d);
    check(wn_copy_(wn_as_strided(dst, dims, to), wn_as_strided(src, dims, from)) && wn_ok(dst), "copy_ of any strides");
    for (int64_t i = 0; i < numel; i++) {
        int64_t rest = i, of = 0, at_to = 0;
        for (int k = ndim - 1; k >= 0; rest /= shape[k--]) of += rest % shape[k] * from.v[k], at_to += rest % shape[k] * to.v[k];
        memcpy(y + at_to * size, x + of * size, (size_t)size);
    }
    check(!memcmp(y, wn_data(dst), (size_t)(nto * size)), "copy_ of any strides: bytes");
    free(x);
    free(y);
}

static void test_copies(void) {
    static const int64_t sizes[] = {1, 2, 3, 5, 8, 10, 31, 33, 64, 100, 1};
    static const wn_dtype kinds[] = {WN_U8, WN_BOOL, WN_BF16, WN_F16, WN_I16, WN_F32, WN_I32, WN_F64, WN_I64};
    for (int i = 0; i < 2000; i++) {
        int64_t shape[4];
        const int ndim = (int)below(5);
        for (int k = 0; k < ndim; k++) shape[k] = below(40) ? sizes[below(ndim == 4 ? 7 : 10)] : 0;
        wn_set_num_threads(1 + (int)below(3));
        test_copy(kinds[below(9)], ndim, shape);
    }
    for (int i = 0; i < 9; i++) /* long rows, cut in pieces */
        test_copy(kinds[i], 1, (int64_t[]){300001}), test_copy(kinds[i], 2, (int64_t[]){3, 1 << 17}), test_copy(kinds[i], 2, (int64_t[]){20011, 3});
    wn_set_num_threads(1);
}

/* Each element so many times in a row, against a loop. */
static void test_repeats(void) {
    enum { N = 30000 };
    static int64_t times[N], wanted[N * 12];
    for (int most = 1; most <= 12; most++)
        for (int n = most % 2 ? N : (int)below(20), threads = 1; threads <= 3; threads++) {
            WN_SCOPE(s);
            int64_t total = 0;
            for (int i = 0; i < n; i++) {
                times[i] = below(most);
                for (int64_t k = 0; k < times[i]; k++) wanted[total++] = i;
            }
            wn_set_num_threads(threads);
            wn_tensor *repeats = wn_from_data(times, WN_DIMS(n), WN_I64), *got = wn_repeat_interleave_positions(repeats);
            check(wn_ok(got) && wn_numel(got) == total && !memcmp(wn_data(got), wanted, (size_t)total * sizeof *wanted), "repeat_interleave");
            got = wn_cast(wn_repeat_interleave_positions(wn_cast(repeats, WN_I32)), WN_I64);
            check(wn_ok(got) && wn_numel(got) == total && !memcmp(wn_data(got), wanted, (size_t)total * sizeof *wanted), "repeat_interleave i32");
        }
    WN_SCOPE(s);
    check(!wn_ok(wn_repeat_interleave_positions(wn_from_data((int64_t[]){3, -1, 2}, WN_DIMS(3), WN_I64))), "negative repeats");
    wn_clear();
    check(!wn_ok(wn_repeat_interleave_positions(wn_from_data((int64_t[]){INT64_MAX, 1}, WN_DIMS(2), WN_I64))), "too many repeats");
    wn_clear();
    wn_set_num_threads(1);
}

int main(void) {
    wn_set_error_hook(NULL);
    for (int k = 0; k < NSHAPES; k++)
        for (int i = 0; i < NDTYPES; i++)
            for (int layout = 0; layout < LAYOUTS; layout++) {
                wn_dtype d = dtypes[i];
                test_vectors(d, shapes[k].ndim, shapes[k].shape, layout);
                test_full(d, shapes[k].ndim, shapes[k].shape, layout);
                test_triangles(d, shapes[k].ndim, shapes[k].shape, layout);
                test_embedding(d, shapes[k].ndim, shapes[k].shape, layout);
                for (int density = 0; density <= 100; density += 50) test_masks(d, shapes[k].ndim, shapes[k].shape, layout, density);
            }
    for (int i = 0; i < NDTYPES; i++)
        for (int density = 0; density <= 100; density += 10) test_masks(dtypes[i], 2, (int64_t[]){300, 130}, density % 3, density);
    test_broadcast_masks();
    test_one_hot();
    test_rows_of_halves();
    test_by_hand();
    test_errors();
    test_gradients();
    test_threads();
    test_copies();
    test_repeats();
    test_no_memory();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
