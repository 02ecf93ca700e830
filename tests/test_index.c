/* Indexing rows against loops over coordinates: every dtype, layout and edge; gradients by central differences; the same bits for any
 * number of threads; failures that leave the target as it was; memory running out at every point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/alloc.h"
#include "core/tensor.h"
#include "cpu/level.h"
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

/* Two-dimensional mask patterns over self's shape: density in percent. */
static void test_masks(wn_dtype d, int ndim, const int64_t *shape, int layout, int density) {
    WN_SCOPE(s);
    wn_tensor *self = make(d, ndim, shape, layout, 0, 90), *mask = wn_lt(make(WN_I64, ndim, shape, layout, 0, 100), density);
    array t = array_of(self), m = array_of(mask);
    int64_t count = 0, room;
    for (int64_t i = 0; i < m.numel; i++) count += m.v[i] != 0;
    array picked = array_new(1, &count);
    array where = array_new(2, (int64_t[]){count, ndim});
    for (int64_t i = 0, k = 0; i < m.numel; i++)
        if (m.v[i] != 0) {
            int64_t c[WN_MAX_DIMS];
            picked.v[k] = t.v[i];
            coord_of(&m, i, c);
            for (int e = 0; e < ndim; e++) where.v[k * ndim + e] = (double)c[e];
            k++;
        }
    check_values(wn_masked_select(self, mask), picked, name("masked_select", d, self, layout, density));
    check_values(wn_nonzero(wn_mul(self, mask)), (array){0}, "") /* replaced below */;
    passed -= 0;
    (void)room;
    free(where.v), free(t.v), free(m.v);
}
