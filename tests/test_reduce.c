/* Reductions, scans and sorting against plain double loops: dtypes x layouts x masks; the same bits for any thread count and
 * mask storage, and those of the elements in the order of memory; exact values of masked and zero cases; gradients. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "random.h"
#include "winnow.h"

static int passed, failed;
static void check(bool ok, const char *what, const char *more) {
    if (ok) {
        passed++;
    } else if (failed++ < 40) {
        printf("FAILED: %s %s\n", what, more);
    }
}


/* ------------------------------------------------------------------ inputs */

enum { CONTIGUOUS, TRANSPOSED, SLICED, LAYOUTS };
static const char *const layout_names[] = {"contiguous", "transposed", "sliced"};
enum { NO_MASK, HALF, SPARSE, ALL_SET, BY_ROW, MASKS };

/* The same values in another place: dimensions stored in reverse order, or every second element of a larger tensor. */
static wn_tensor *laid_out(wn_tensor *t, int layout) {
    int n = wn_ndim(t);
    if (layout == CONTIGUOUS || n == 0) return t;
    wn_dims order = {.n = n}, size = wn_shape(t);
    for (int d = 0; d < n; d++) order.v[d] = n - 1 - d;
    if (layout == TRANSPOSED) {
        wn_dims reversed = {.n = n};
        for (int d = 0; d < n; d++) reversed.v[d] = size.v[n - 1 - d];
        wn_tensor *base = wn_permute(wn_empty(reversed, .dtype = wn_dtype_of(t)), order);
        return wn_copy_(base, t);
    }
    wn_dims twice = size;
    for (int d = 0; d < n; d++) twice.v[d] = 2 * size.v[d] + 1;
    wn_tensor *base = wn_empty(twice, .dtype = wn_dtype_of(t));
    for (int d = 0; d < n; d++) base = wn_slice(base, d, 1, WN_NONE, .step = WN_VAL(2));
    return wn_copy_(base, t);
}

static wn_tensor *values(wn_dims shape, wn_dtype dtype, bool zeros) {
    int64_t n = 1;
    for (int d = 0; d < shape.n; d++) n *= shape.v[d];
    double *v = malloc((size_t)(n + 1) * sizeof *v);
    for (int64_t i = 0; i < n; i++) {
        bool integer = dtype >= WN_I8;
        v[i] = integer ? floor(uniform() * 9) - (dtype == WN_U8 || dtype == WN_BOOL ? 0 : 4) : uniform() * 2 - 0.9;
        if (dtype == WN_BOOL) v[i] = uniform() < .8;
        if (zeros && uniform() < .3) v[i] = 0;
    }
    wn_tensor *t = wn_to(wn_from_data(v, shape, WN_F64), dtype);
    free(v);
    return t;
}
static wn_tensor *mask_of(wn_dims shape, int kind) {
    if (kind == NO_MASK) return NULL;
    if (kind == BY_ROW) /* one answer for each index of the first dimension */
        for (int d = 1; d < shape.n; d++) shape.v[d] = 1;
    int64_t n = 1;
    for (int d = 0; d < shape.n; d++) n *= shape.v[d];
    uint8_t *v = malloc((size_t)n + 1);
    for (int64_t i = 0; i < n; i++) v[i] = kind == ALL_SET || uniform() < (kind == SPARSE ? .05 : .5);
    wn_tensor *t = wn_from_data(v, shape, WN_BOOL);
    free(v);
    return t;
}

/* ------------------------------------------------------------------ the plain loop */

enum { SUM, MEAN, PROD, AMAX, AMIN, ARGMAX, ANY, ALL, COUNT, VAR, STD, NORM1, NORM2, NORM3, NORMINF, NORM0, LSE, KINDS };
static const char *const kind_names[] = {"sum", "mean", "prod", "amax", "amin", "max_dim", "any", "all", "count_nonzero", "var", "std",
                                         "norm1", "norm2", "norm3", "norminf", "norm0", "logsumexp"};

static wn_tensor *run(int kind, wn_tensor *x, wn_dims dims, wn_tensor *m) {
    switch (kind) {
    case SUM: return wn_sum(x, .dims = dims, .where = m);
    case MEAN: return wn_mean(x, .dims = dims, .where = m);
    case PROD: return wn_prod(x, .dims = dims, .where = m);
    case AMAX: return wn_amax(x, .dims = dims, .where = m);
    case AMIN: return wn_amin(x, .dims = dims, .where = m);
    case ARGMAX: return dims.n == 1 ? wn_argmax(x, .dim = WN_VAL(dims.v[0]), .where = m) : wn_argmax(x, .where = m);
    case ANY: return wn_any(x, .dims = dims, .where = m);
    case ALL: return wn_all(x, .dims = dims, .where = m);
    case COUNT: return wn_count_nonzero(x, .dims = dims, .where = m);
    case VAR: return wn_var(x, .dims = dims, .where = m);
    case STD: return wn_std(x, .dims = dims, .correction = WN_VAL(0), .where = m);
    case NORM1: return wn_vector_norm(x, .ord = WN_VAL(1), .dims = dims, .where = m);
    case NORM2: return wn_vector_norm(x, .dims = dims, .where = m);
    case NORM3: return wn_vector_norm(x, .ord = WN_VAL(3.0), .dims = dims, .where = m);
    case NORMINF: return wn_vector_norm(x, .ord = WN_VAL((double)INFINITY), .dims = dims, .where = m);
    case NORM0: return wn_vector_norm(x, .ord = WN_VAL(0), .dims = dims, .where = m);
    default: return wn_logsumexp(x, dims, .where = m);
    }
}

/* One result from its n elements; at[i] is the logical position of element i. */
static double plain(int kind, const double *v, const int64_t *at, int64_t n) {
    double s = kind == PROD || kind == ALL ? 1 : kind == AMAX || kind == NORMINF ? -(double)INFINITY : kind == AMIN ? (double)INFINITY : 0, mean = 0;
    int64_t best = -1;
    for (int64_t i = 0; i < n; i++) mean += v[i] / (double)n;
    for (int64_t i = 0; i < n; i++) {
        double x = v[i], a = fabs(x);
        switch (kind) {
        case SUM:
        case MEAN: s += x; break;
        case PROD: s *= x; break;
        case AMAX: s = x > s || x != x ? x : s; break;
        case AMIN: s = x < s || x != x ? x : s; break;
        case ARGMAX:
            if (best < 0 || x > v[best] || (x != x && v[best] == v[best])) best = i;
            break;
        case ANY: s = s != 0 || x != 0; break;
        case ALL: s = s != 0 && x != 0; break;
        case COUNT:
        case NORM0: s += x != 0; break;
        case VAR:
        case STD: s += (x - mean) * (x - mean); break;
        case NORM1: s += a; break;
        case NORM2: s += a * a; break;
        case NORM3: s += a * a * a; break;
        case NORMINF: s = a > s ? a : s; break;
        default: s += exp(x); break;
        }
    }
    switch (kind) {
    case MEAN: return n ? s / (double)n : (double)NAN;
    case ARGMAX: return best < 0 ? -1 : (double)at[best];
    case VAR: return n ? s / (n > 1 ? (double)(n - 1) : 0) : (double)NAN;
    case STD: return n ? sqrt(s / (double)n) : (double)NAN;
    case NORM2: return sqrt(s);
    case NORM3: return cbrt(s);
    case NORMINF: return n ? s : 0;
    case LSE: return log(s);
    default: return s;
    }
}

static bool close_to(double got, double want, double tol) {
    if (want != want) return got != got;
    return got == want || fabs(got - want) <= tol * (1 + fabs(want));
}

/* All results against the plain loop. */
static bool agrees(int kind, wn_tensor *y, wn_tensor *x, wn_dims dims, wn_tensor *m, double tol) {
    int n = wn_ndim(x);
    wn_dims size = wn_shape(x);
    int64_t numel = wn_numel(x), outs = wn_numel(y), per = outs ? numel / outs : 0;
    double *xv = malloc((size_t)(numel + 1) * 8), *yv = malloc((size_t)(outs + 1) * 8), *v = malloc((size_t)(per + 1) * 8);
    uint8_t *mv = malloc((size_t)numel + 1);
    int64_t *at = malloc((size_t)(per + 1) * 8);
    bool ok = wn_to_memory(x, xv, (size_t)numel * 8, WN_F64) == WN_OK && wn_to_memory(y, yv, (size_t)outs * 8, WN_F64) == WN_OK;
    if (m) ok = ok && wn_to_memory(wn_expand(m, size), mv, (size_t)numel, WN_BOOL) == WN_OK;
    bool gone[WN_MAX_DIMS] = {false};
    for (int d = 0; d < n; d++) gone[d] = dims.n <= 0;
    for (int i = 0; i < dims.n; i++) gone[(dims.v[i] + n) % n] = true;
    for (int64_t o = 0; o < outs && ok; o++) {
        int64_t count = 0;
        for (int64_t r = 0; r < per; r++) { /* r-th position of result o */
            int64_t i = 0, step = 1, ro = o, rr = r;
            for (int d = n - 1; d >= 0; d--) {
                int64_t *rest = gone[d] ? &rr : &ro;
                i += *rest % size.v[d] * step;
                *rest /= size.v[d];
                step *= size.v[d];
            }
            if (m && !mv[i]) continue;
            at[count] = r;
            v[count++] = xv[i];
        }
        ok = close_to(yv[o], plain(kind, v, at, count), tol);
    }
    free(xv), free(yv), free(v), free(mv), free(at);
    return ok;
}

static bool same_bits(wn_tensor *a, wn_tensor *b) {
    size_t bytes = (size_t)wn_numel(a) * wn_dtype_size(wn_dtype_of(a));
    char *p = malloc(bytes + 1), *q = malloc(bytes + 1);
    bool ok = wn_numel(a) == wn_numel(b) && wn_dtype_of(a) == wn_dtype_of(b) && wn_to_memory(a, p, bytes, wn_dtype_of(a)) == WN_OK &&
              wn_to_memory(b, q, bytes, wn_dtype_of(a)) == WN_OK && !memcmp(p, q, bytes);
    free(p), free(q);
    return ok;
}

/* The same of x, whose dimensions lie in reverse order: of the matrix as it lies, which has its elements in the same sequence. */
static wn_tensor *run_as_it_lies(int kind, wn_tensor *x, wn_dims dims) {
    wn_dims order = {.n = wn_ndim(x)};
    for (int d = 0; d < order.n; d++) order.v[d] = order.n - 1 - d;
    for (int i = 0; i < dims.n; i++) dims.v[i] = order.n - 1 - (dims.v[i] + order.n) % order.n;
    wn_tensor *y = run(kind, wn_permute(x, order), dims, NULL);
    order.n = wn_ok(y) ? wn_ndim(y) : 0;
    for (int d = 0; d < order.n; d++) order.v[d] = order.n - 1 - d;
    return wn_permute(y, order);
}

static double tolerance(wn_dtype d) { return d == WN_F64 ? 1e-13 : d == WN_F16 ? 2e-3 : d == WN_BF16 ? 1.6e-2 : 3e-6; }

static void sweep(void) {
    static const struct { int n; int64_t v[4]; } shapes[] = {{1, {7}}, {1, {1537}}, {1, {70000}}, {2, {5, 1100}}, {2, {1100, 5}}, {2, {700, 40}}, {3, {3, 70, 41}}, {3, {20, 3, 600}}, {4, {2, 9, 4, 33}}};
    static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16, WN_I8, WN_I16, WN_I32, WN_I64, WN_U8, WN_BOOL};
    static const int threads[] = {1, 2, 5};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int t = 0; t < 10; t++)
            for (int mk = 0; mk < MASKS; mk++) {
                if (t > 1 && (s == 2 || (mk > HALF && t != 2 && t != 6))) continue; /* a slice of the product */
                wn_dims shape = {.n = shapes[s].n};
                memcpy(shape.v, shapes[s].v, sizeof shapes[s].v);
                WN_SCOPE(scope);
                wn_tensor *x = values(shape, dtypes[t], s % 2), *m = mask_of(shape, mk);
                for (int set = 0; set < 1 << shape.n; set++) {
                    wn_dims dims = {.n = 0};
                    for (int d = 0; d < shape.n; d++)
                        if (set >> d & 1) dims.v[dims.n++] = d - (d % 2 ? shape.n : 0);
                    for (int kind = 0; kind < KINDS; kind++) {
                        bool floats = dtypes[t] <= WN_BF16;
                        if (!floats && (kind == MEAN || kind == VAR || kind == STD || (kind >= NORM1 && kind <= NORM0))) continue;
                        if ((kind == ARGMAX || (!floats && (kind == AMAX || kind == AMIN))) && m && mk != ALL_SET) continue; /* may be empty */
                        if (kind == ARGMAX && dims.n > 1) continue;
                        if (kind == PROD && (!floats || s == 2)) continue; /* wraps; tested below */
                        if (kind == LSE && dims.n == 0) continue;
                        WN_SCOPE(inner);
                        wn_tensor *first = NULL;
                        char more[160];
                        for (int layout = 0; layout < LAYOUTS; layout++) {
                            wn_tensor *xl = laid_out(x, layout), *ml = m ? laid_out(m, layout == SLICED ? TRANSPOSED : CONTIGUOUS) : NULL;
                            wn_set_num_threads(threads[layout]);
                            wn_tensor *y = run(kind, xl, dims, ml);
                            snprintf(more, sizeof more, "shape %zu dims %d %s %s mask %d threads %d: %s", s, set, wn_dtype_name(dtypes[t]), layout_names[layout], mk, threads[layout], wn_error_message());
                            const bool by_memory = layout == TRANSPOSED && !m && kind != ARGMAX; /* not in row-major order */
                            if (!first || by_memory) check(wn_ok(y) && agrees(kind, y, x, dims, m, tolerance(kind == LSE && !floats ? WN_F32 : dtypes[t])), kind_names[kind], more);
                            if (!first) first = y;
                            else check(wn_ok(y) && same_bits(by_memory ? run_as_it_lies(kind, xl, dims) : first, y), kind_names[kind], more);
                            wn_clear();
                        }
                    }
                }
            }
    wn_set_num_threads(2);
}

/* A mask and the elements it selects give the same bits; what it leaves out cannot matter. */
static void compaction(void) {
    wn_dims shape = WN_DIMS(300000);
    wn_tensor *x = values(shape, WN_F32, false);
    for (int mk = HALF; mk <= ALL_SET; mk++) {
        WN_SCOPE(s);
        wn_tensor *m = mask_of(shape, mk), *picked = wn_masked_select(x, m), *poisoned = wn_where(m, x, (double)NAN);
        for (int kind = 0; kind < KINDS; kind++) {
            if (kind == ARGMAX) continue;
            for (int threads = 1; threads <= 5; threads += 2) {
                wn_set_num_threads(threads);
                wn_tensor *y = run(kind, poisoned, WN_DIMS(0), m);
                check(same_bits(y, run(kind, picked, WN_DIMS(0), NULL)), "compacted", kind_names[kind]);
            }
        }
    }
    wn_set_num_threads(2);
}

/* Ways through memory that need larger shapes: a transposed matrix in the order of memory, or in bands where indices are asked for, runs that lie
 * in several segments. The bits are those of the same values lying in order, for any number of threads. */
static void ways(void) {
    static const struct { int n; int64_t v[4]; int reduced; } shapes[] = {
        {2, {1000, 530}, 3}, {2, {37, 1000}, 3}, {2, {16, 16}, 3}, {3, {2, 90, 700}, 7}, {3, {5, 64, 333}, 6}, {4, {9, 3, 7, 64}, 13}, {4, {40, 3, 28, 28}, 13}, {3, {33, 2, 16}, 5},
        {4, {70, 45, 3, 11}, 13}, {4, {3, 2, 1, 5000}, 13}, {4, {600, 2, 1, 50}, 13}}; /* segments of any length */
    static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16, WN_U8, WN_I32, WN_I64};
    static const int kinds[] = {SUM, PROD, AMAX, AMIN, NORM2, ARGMAX, VAR, LSE, COUNT};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int t = 0; t < 7; t++)
            for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
                const int kind = kinds[k], n = shapes[s].n;
                if (t >= 4 && (kind == NORM2 || kind == VAR || kind == LSE)) continue;
                if (kind == ARGMAX && shapes[s].reduced != (1 << n) - 1) continue;
                WN_SCOPE(scope);
                wn_dims shape = {.n = n}, dims = {.n = 0}, to = {.n = n};
                memcpy(shape.v, shapes[s].v, sizeof shapes[s].v);
                for (int d = 0; d < n; d++) {
                    if (shapes[s].reduced >> d & 1) dims.v[dims.n++] = d;
                    to.v[d] = d;
                }
                if (kind == ARGMAX) dims.n = 0;
                if (n < 4) to.v[n - 2] = n - 1, to.v[n - 1] = n - 2; /* the last two lie the other way round; or all in order, with segments */
                wn_tensor *x = values(shape, dtypes[t], false), *turned = wn_permute(wn_contiguous(wn_permute(x, to)), to), *rows = wn_contiguous(x);
                wn_dims order = {.n = 0}; /* what is reduced in order, behind what is kept */
                for (int pass = 0; pass < 2; pass++)
                    for (int d = 0; d < n; d++) {
                        const int64_t e = kind == ARGMAX || !pass ? d : to.v[d];
                        if ((shapes[s].reduced >> e & 1) == pass) order.v[order.n++] = e;
                    }
                rows = wn_contiguous(wn_permute(rows, order));
                wn_dims last = {.n = dims.n};
                for (int d = 0; d < dims.n; d++) last.v[d] = n - dims.n + d;
                wn_set_num_threads(1);
                wn_tensor *want = run(kind, rows, last, NULL);
                for (int threads = 1; threads <= 3; threads++) {
                    wn_set_num_threads(threads);
                    check(same_bits(want, run(kind, turned, dims, NULL)), kind_names[kind], wn_dtype_name(dtypes[t]));
                }
            }
    wn_set_num_threads(2);
}

/* A few rows folded column by column: the bits of each column lying alone, with a NaN in one of every row's columns. */
static void few_rows(void) {
    static const int64_t widths[] = {64, 67, 95, 128, 1100};
    static const int kinds[] = {SUM, PROD, AMAX, AMIN, VAR};
    static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16};
    for (int64_t n = 2; n <= 65; n += n < 18 ? 1 : 9)
        for (int t = 0; t < 4; t++)
            for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
                WN_SCOPE(scope);
                const int64_t w = widths[(n + t) % 5];
                wn_tensor *x = values(WN_DIMS(n, w), dtypes[t], false);
                if (k & 1 || kinds[k] == AMAX)
                    for (int64_t r = 0; r < n; r++) wn_fill_(wn_select(wn_select(x, 0, r), 0, r * 7 % w), NAN);
                wn_tensor *want = run(kinds[k], wn_contiguous(wn_transpose(x, 0, 1)), WN_DIMS(1), NULL), *got = run(kinds[k], x, WN_DIMS(0), NULL);
                check(same_bits(wn_eq(want, want), wn_eq(got, got)), "NaN in few rows", kind_names[kinds[k]]); /* which NaN nobody says */
                check(same_bits(wn_where(wn_eq(want, want), want, 0), wn_where(wn_eq(got, got), got, 0)), "few rows", kind_names[kinds[k]]);
            }
}

/* Products of integers, none of which is 0: the same by columns as by rows. */
static void integer_products(void) {
    for (wn_dtype d = WN_I8; d <= WN_U8; d++)
        for (int64_t w = 3; w <= 2000; w = 5 * w + 1) {
            WN_SCOPE(scope);
            wn_tensor *x = wn_to(wn_add(wn_remainder(wn_reshape(wn_arange(5 * w), WN_DIMS(5, w)), 3), 1), d);
            check(same_bits(wn_prod(wn_contiguous(wn_transpose(x, 0, 1)), .dims = WN_DIMS(1)), wn_prod(x, .dims = WN_DIMS(0))), "integer products", wn_dtype_name(d));
        }
}

/* A NaN wins wherever it stands; nansum passes over it. */
static void nan_anywhere(void) {
    static const int64_t lengths[] = {1, 7, 16, 17, 31, 33, 100, 511, 513, 700, 1100, 5000};
    for (int t = 0; t < 3; t++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (int64_t at = 0; at < lengths[l]; at += 1 + lengths[l] / 23) {
                static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16};
                WN_SCOPE(s);
                double *v = malloc((size_t)lengths[l] * sizeof *v);
                for (int64_t i = 0; i < lengths[l]; i++) v[i] = i == at ? (double)NAN : uniform() - .5;
                wn_tensor *x = wn_to(wn_from_data(v, WN_DIMS(lengths[l]), WN_F64), dtypes[t]), *where = wn_eq(x, x);
                free(v);
                (void)wn_data(x); /* not pending: folds of memory */
                check(isnan(wn_item_f64(wn_amax(x))) && isnan(wn_item_f64(wn_amin(x))) && isnan(wn_item_f64(wn_sum(x))), "NaN", wn_dtype_name(dtypes[t]));
                check(same_bits(wn_nansum(x), wn_sum(wn_where(where, x, 0))), "nansum", wn_dtype_name(dtypes[t]));
            }
}

/* ------------------------------------------------------------------ exact values */

static bool is(wn_tensor *t, int n, const double *want, double tol) {
    double got[32];
    if (!wn_ok(t) || wn_numel(t) != n || wn_to_memory(t, got, (size_t)n * 8, WN_F64) != WN_OK) return false;
    for (int i = 0; i < n; i++)
        if (!close_to(got[i], want[i], tol)) {
            printf("element %d: %.9g instead of %.9g\n", i, got[i], want[i]);
            return false;
        }
    return true;
}
#define IS(what, t, ...) check(is((t), (int)(sizeof((double[]){__VA_ARGS__}) / 8), (double[]){__VA_ARGS__}, 1e-4), what, wn_error_message())
#define F(...) ((float[]){__VA_ARGS__})
#define B(...) ((uint8_t[]){__VA_ARGS__})
static wn_tensor *leaf(const float *v, wn_dims shape) { return wn_requires_grad(wn_from_data(v, shape, WN_F32), true); }
static wn_tensor *grad(wn_tensor *loss, wn_tensor *x) {
    if (wn_numel(loss) != 1) loss = wn_sum(loss);
    return wn_backward(loss) == WN_OK ? wn_grad_of(x) : NULL;
}
/* The gradient at x of a loss in which x is set. */
#define GRAD(...) (loss = (__VA_ARGS__), grad(loss, x))
#define NAN_ ((double)NAN)
#define INF_ ((double)INFINITY)

static void masked_values(void) {
    wn_dims shape = WN_DIMS(2, 3), one = WN_DIMS(1);
    wn_tensor *m = wn_from_data(B(1, 0, 1, 0, 0, 0), shape, WN_BOOL);
    static const float v[] = {-3, -2, -1, 0, 1, 2};
#define X leaf(v, shape)
    wn_tensor *x = X, *loss;
    IS("S12 sum", wn_sum(x, .dims = one, .where = m), -4, 0);
    IS("S12 prod", wn_prod(x, .dims = one, .where = m), 3, 1);
    IS("S12 mean", wn_mean(x, .dims = one, .where = m), -2, NAN_);
    IS("S12 amin", wn_amin(x, .dims = one, .where = m), -3, INF_);
    IS("S12 amax", wn_amax(x, .dims = one, .where = m), -1, -INF_);
    IS("S12 count", wn_sum(m, .dims = one), 2, 0);
    IS("S12 var0", wn_var(x, .dims = one, .correction = WN_VAL(0), .where = m), 1, NAN_);
    IS("S12 var1", wn_var(x, .dims = one, .where = m), 2, NAN_);
    IS("S12 sum grad", grad(wn_sum(x, .dims = one, .where = m), x), 1, 0, 1, 0, 0, 0);
    IS("S12 prod grad", GRAD(wn_prod(x = X, .dims = one, .where = m)), -1, 0, -3, 0, 0, 0);
    IS("S12 mean grad", GRAD(wn_mean(x = X, .dims = one, .where = m)), .5, 0, .5, 0, 0, 0);
    IS("S12 amax grad", GRAD(wn_amax(x = X, .dims = one, .where = m)), 0, 0, 1, 0, 0, 0);
    IS("S12 var grad", GRAD(wn_var(x = X, .dims = one, .where = m)), -2, 0, 2, 0, 0, 0);
    IS("S12 norm grad", GRAD(wn_vector_norm(x = X, .dims = one, .where = m)), -.948683, 0, -.316228, 0, 0, 0);
    IS("S13 logsumexp", wn_logsumexp(x, one, .where = m), -.873072, -INF_);
    IS("S13 logsumexp grad", GRAD(wn_logsumexp(x = X, one, .where = m)), .119203, 0, .880797, 0, 0, 0);
    wn_tensor *ints = wn_to(x, WN_I32);
    check(!wn_ok(wn_amax(ints, .dims = one, .where = m)) && wn_error() == WN_E_RUNTIME, "S14 integer amax over nothing", "");
    wn_clear();
    check(!wn_ok(wn_argmax(x, .dim = WN_VAL(1), .where = m)), "S14 argmax over nothing", "");
    wn_clear();
    wn_tensor *n = leaf(F(1, NAN, 3), WN_DIMS(3)), *nm = wn_from_data(B(1, 0, 1), WN_DIMS(3), WN_BOOL);
    IS("S14 NaN", wn_sum(n, .where = nm), 4);
    IS("S14 NaN grad", grad(wn_sum(n, .where = nm), n), 1, 0, 1);
    wn_tensor *l = leaf(F(0, 0, 100), WN_DIMS(3));
    IS("S15", grad(wn_logsumexp(l, WN_DIMS(0), .where = wn_from_data(B(1, 1, 0), WN_DIMS(3), WN_BOOL)), l), .5, .5, 0);
    wn_tensor *e = leaf(F(36, 10000), WN_DIMS(2)), *sum = wn_sum(wn_exp(e), .where = wn_from_data(B(1, 0), WN_DIMS(2), WN_BOOL));
    check(fabs(wn_item_f64(sum) / 4.31123e15 - 1) < 1e-4, "S15 sum of exp", "");
    IS("S16", wn_mean(wn_from_data(F(0, 1, 2, 3), WN_DIMS(2, 2), WN_F32), .where = wn_from_data(B(1, 1, 0, 1), WN_DIMS(2, 2), WN_BOOL)), 4. / 3);
    wn_tensor *padded = wn_from_data(F(1, 2, 3, 4, 5, 0, 0, 0, 0, 0), WN_DIMS(10), WN_F32);
    wn_tensor *pm = wn_from_data(B(1, 1, 1, 1, 1, 0, 0, 0, 0, 0), WN_DIMS(10), WN_BOOL);
    wn_var_mean_out vm = wn_var_mean(padded, .correction = WN_VAL(0), .where = pm);
    IS("S17 mean", vm.mean, 3);
    IS("S17 var", vm.var, 2);
}

static void zeros_in_formulas(void) {
    wn_tensor *x, *loss;
    IS("S36 cumprod", GRAD(wn_cumprod(x = leaf(F(2, 0, 3, 4), WN_DIMS(4)), 0)), 1, 32, 0, 0);
    IS("S36 cumprod", GRAD(wn_cumprod(x = leaf(F(0, 2, 3), WN_DIMS(3)), 0)), 9, 0, 0);
    IS("S36 cumprod", GRAD(wn_cumprod(x = leaf(F(2, 3, 0), WN_DIMS(3)), 0)), 4, 2, 6);
    IS("S36 cumprod", GRAD(wn_cumprod(x = leaf(F(2, 0, 0, 3), WN_DIMS(4)), 0)), 1, 2, 0, 0);
    IS("S36 prod", GRAD(wn_prod(x = leaf(F(2, 0, 3), WN_DIMS(3)))), 0, 6, 0);
    IS("S36 prod", GRAD(wn_prod(x = leaf(F(0, 0, 3), WN_DIMS(3)))), 0, 0, 0);
    IS("S36 prod", GRAD(wn_prod(x = leaf(F(2, 4, 8), WN_DIMS(3)))), 32, 16, 8); /* by division */
    IS("S36 prod", GRAD(wn_prod(x = leaf(F(INFINITY, 2, 3), WN_DIMS(3)))), 6, INFINITY, INFINITY); /* and where that would be NaN */
    IS("S36 prod", GRAD(wn_prod(x = leaf(F(0x1p-80f, 0x1p-80f, 2), WN_DIMS(3)))), 0x1p-79f, 0x1p-79f, 0);
    IS("S36 prod", GRAD(wn_prod(x = leaf(F(0, 2, 3, 4), WN_DIMS(2, 2)), .dims = WN_DIMS(1))), 2, 0, 4, 3);
    IS("S37 norm", GRAD(wn_vector_norm(x = leaf(F(0, 0), WN_DIMS(2)))), 0, 0);
    IS("S37 std", GRAD(wn_std(x = leaf(F(.1f, .1f, .1f), WN_DIMS(3)))), 0, 0, 0);
    IS("S38 logsumexp", GRAD(wn_logsumexp(x = leaf(F(1, INFINITY), WN_DIMS(2)), WN_DIMS(0))), 0, 1);
    IS("S38 logsumexp", GRAD(wn_logsumexp(x = leaf(F(-INFINITY, -INFINITY), WN_DIMS(2)), WN_DIMS(0))), 0, 0);
    IS("S39 amax", GRAD(wn_amax(x = leaf(F(1, 3, 3), WN_DIMS(3)))), 0, .5, .5);
    IS("S39 max", GRAD(wn_max(x = leaf(F(1, 3, 3), WN_DIMS(3)))), 0, .5, .5);
    IS("S39 max_dim", GRAD(wn_max_dim(x = leaf(F(1, 3, 3), WN_DIMS(3)), 0).values), 0, 1, 0);
    IS("cumsum", GRAD(wn_mul(wn_cumsum(x = leaf(F(1, 2, 3), WN_DIMS(3)), 0), wn_from_data(F(1, 10, 100), WN_DIMS(3), WN_F32))), 111, 110, 100);
    IS("topk", GRAD(wn_topk(x = leaf(F(1, 7, 3), WN_DIMS(3)), 2).values), 0, 1, 1);
}

static void errors(void) {
    static const struct { const char *what; wn_status code; } want[] = {
        {"twice the same dim", WN_E_RUNTIME}, {"dim out of range", WN_E_INDEX}, {"mean of integers", WN_E_RUNTIME},
        {"amax of nothing", WN_E_INDEX},      {"max of nothing", WN_E_RUNTIME}, {"argmax of nothing", WN_E_INDEX},
        {"where= not bool", WN_E_TYPE},       {"where= too large", WN_E_RUNTIME}, {"k out of range", WN_E_RUNTIME}};
    for (int i = 0; i < 9; i++) {
        WN_SCOPE(s);
        wn_tensor *x = wn_ones(WN_DIMS(2, 3)), *none = wn_ones(WN_DIMS(0, 3)), *r = NULL;
        switch (i) {
        case 0: r = wn_sum(x, .dims = WN_DIMS(0, -2)); break;
        case 1: r = wn_sum(x, .dims = WN_DIMS(2)); break;
        case 2: r = wn_mean(wn_to(x, WN_I64)); break;
        case 3: r = wn_amax(none, .dims = WN_DIMS(0)); break;
        case 4: r = wn_max(none); break;
        case 5: r = wn_argmax(none); break;
        case 6: r = wn_sum(x, .where = x); break;
        case 7: r = wn_sum(x, .where = wn_ones(WN_DIMS(4, 2, 3), .dtype = WN_BOOL)); break;
        default: r = wn_topk(x, 4).values; break;
        }
        check(!wn_ok(r) && wn_error() == want[i].code, want[i].what, wn_error_message());
        wn_clear();
    }
    WN_SCOPE(s);
    wn_tensor *none = wn_ones(WN_DIMS(0, 3));
    IS("sum of nothing", wn_sum(none), 0);
    IS("prod of nothing", wn_prod(none, .dims = WN_DIMS(0)), 1, 1, 1);
    IS("mean of nothing", wn_mean(none, .dims = WN_DIMS(0)), NAN_, NAN_, NAN_);
    check(wn_numel(wn_amax(none, .dims = WN_DIMS(1))) == 0, "amax without results", wn_error_message());
    IS("0-d", wn_sum(wn_scalar_tensor(WN_VAL(3.0))), 3);
    check(wn_dtype_of(wn_sum(wn_ones(WN_DIMS(3), .dtype = WN_BOOL))) == WN_I64, "sum of bool", "");
    check(wn_dtype_of(wn_sum(wn_ones(WN_DIMS(3)), .dtype = WN_F64)) == WN_F64, "sum with dtype", "");
    check(wn_ndim(wn_sum(wn_ones(WN_DIMS(3, 4)), .dims = WN_DIMS(-1), .keepdim = true)) == 2, "keepdim", "");
    IS("NaN wins", wn_max(wn_from_data(F(1, NAN, 3), WN_DIMS(3), WN_F32)), NAN_);
    IS("first NaN", wn_argmax(wn_from_data(F(1, NAN, 3, NAN), WN_DIMS(4), WN_F32)), 1);
    IS("first of equal", wn_argmin(wn_from_data(F(3, 1, 1), WN_DIMS(3), WN_F32)), 1);
    IS("wrapping prod", wn_prod(wn_from_data(((int32_t[]){65536, 65536, 3}), WN_DIMS(3), WN_I32)), 12884901888.0);
}

static void accuracy(void) {
    int64_t n = 10000000;
    float *v = malloc((size_t)n * 4);
    double exact = 0, square = 0;
    for (int64_t i = 0; i < n; i++) exact += (double)(v[i] = (float)uniform());
    for (int64_t i = 0; i < n; i++) square += ((double)v[i] - exact / (double)n) * ((double)v[i] - exact / (double)n);
    WN_SCOPE(s);
    wn_tensor *x = wn_from_data(v, WN_DIMS(n), WN_F32);
    check(fabs(wn_item_f64(wn_sum(x)) / exact - 1) < 2e-7, "sum of 10^7", "");
    check(fabs(wn_item_f64(wn_var(x)) / (square / (double)(n - 1)) - 1) < 4e-7, "var of 10^7", "");
    wn_tensor *far = wn_add(wn_to(x, WN_F64), 1e6);
    check(fabs(wn_item_f64(wn_var(far)) / (square / (double)(n - 1)) - 1) < 1e-8, "var far from 0", "");
    free(v);
}

/* Lines that are scanned together, across memory or by way of another type, have the bits of a line alone. */
static void scans_of_lines(void) {
    static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16, WN_I32, WN_I64, WN_U8};
    for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; t++)
        for (int layout = 0; layout < LAYOUTS; layout++)
            for (int kind = 0; kind < 3; kind++) {
                WN_SCOPE(s);
                wn_tensor *base = values(WN_DIMS(11, 600), dtypes[t], false), *x = laid_out(base, layout);
                const wn_dtype to = kind == 2 ? WN_F64 : WN_DTYPE_DEFAULT;
                wn_set_num_threads(1 + layout);
                wn_tensor *all = kind == 1 ? wn_cumprod(x, 1) : wn_cumsum(x, 1, .dtype = to);
                for (int line = 0; line < 11; line++) {
                    wn_tensor *one = wn_contiguous(wn_select(base, 0, line)), *y = kind == 1 ? wn_cumprod(one, 0) : wn_cumsum(one, 0, .dtype = to);
                    check(wn_ok(y) && same_bits(wn_select(all, 0, line), y), "lines together", wn_dtype_name(dtypes[t]));
                }
            }
    wn_set_num_threads(2);
}

static void scans_and_order(void) {
    static const struct { int64_t v[3]; } shapes[] = {{{3, 5, 7}}, {{2, 700, 20}}, {{40, 3, 600}}};
    for (int s = 0; s < 3; s++)
        for (int dim = 0; dim < 3; dim++)
            for (int layout = 0; layout < LAYOUTS; layout++)
                for (int masked = 0; masked < 2; masked++) {
                    WN_SCOPE(scope);
                    wn_dims shape = {.n = 3, .v = {shapes[s].v[0], shapes[s].v[1], shapes[s].v[2]}};
                    wn_tensor *base = values(shape, WN_F64, true), *x = laid_out(base, layout), *m = masked ? mask_of(shape, HALF) : NULL;
                    wn_tensor *sum = wn_cumsum(x, dim, .where = m), *prod = wn_cumprod(x, dim, .where = m);
                    wn_sort_out order = wn_sort(x, .dim = WN_VAL(dim));
                    wn_topk_out top = wn_topk(x, 2, .dim = WN_VAL(dim));
                    int64_t numel = wn_numel(x), n = shape.v[dim], inner = 1;
                    for (int d = dim + 1; d < 3; d++) inner *= shape.v[d];
                    double *v = malloc((size_t)numel * 32), *sv = v + numel, *pv = sv + numel, *ov = pv + numel;
                    uint8_t *mv = malloc((size_t)numel);
                    bool ok = !wn_to_memory(x, v, (size_t)numel * 8, WN_F64) && !wn_to_memory(sum, sv, (size_t)numel * 8, WN_F64) &&
                              !wn_to_memory(prod, pv, (size_t)numel * 8, WN_F64) && !wn_to_memory(order.values, ov, (size_t)numel * 8, WN_F64);
                    if (m) ok = ok && !wn_to_memory(m, mv, (size_t)numel, WN_BOOL);
                    for (int64_t i = 0; i < numel && ok; i++) {
                        if (i / inner % n) continue;
                        double a = 0, p = 1;
                        for (int64_t k = i, c = 0; c < n && ok; c++, k += inner) {
                            if (!m || mv[k]) a += v[k], p *= v[k];
                            ok = close_to(sv[k], a, 1e-12) && close_to(pv[k], p, 1e-12) && (c == 0 || ov[k - inner] <= ov[k]);
                        }
                    }
                    check(ok, "scan or sort", wn_error_message());
                    check(same_bits(order.values, wn_gather(x, dim, order.indices)), "sort's indices", wn_error_message());
                    check(same_bits(top.values, wn_narrow(wn_sort(x, .dim = WN_VAL(dim), .descending = true).values, dim, 0, 2)), "topk", wn_error_message());
                    check(same_bits(top.indices, wn_narrow(wn_argsort(x, .dim = WN_VAL(dim), .descending = true), dim, 0, 2)), "topk's indices", wn_error_message());
                    free(v), free(mv);
                }
    IS("NaN is largest", wn_sort(wn_from_data(F(2, NAN, -1), WN_DIMS(3), WN_F32)).values, -1, 2, NAN_);
    IS("stable", wn_argsort(wn_from_data(F(1, 0, 1, -0.f), WN_DIMS(4), WN_F32)), 1, 3, 0, 2);
    IS("stable downwards", wn_argsort(wn_from_data(F(1, 0, 1, -0.f), WN_DIMS(4), WN_F32), .descending = true), 0, 2, 1, 3);
}

/* ------------------------------------------------------------------ gradients by differences */

struct check_case {
    int kind, dims;
    wn_tensor *mask;
};
static wn_tensor *reduce_fn(void *ctx, wn_list in) {
    const struct check_case *c = ctx;
    int kind = c->kind;
    wn_dims dims = c->dims == 0 ? (wn_dims){.n = 0} : c->dims == 1 ? WN_DIMS(1) : WN_DIMS(0, -1);
    wn_tensor *m = c->mask;
    if (kind == KINDS) return wn_cumsum(in.v[0], 1, .where = m);
    if (kind == KINDS + 1) return wn_cumprod(in.v[0], 1, .where = m);
    if (kind == KINDS + 2) return wn_linear_scan(in.v[0], wn_mul(in.v[0], in.v[0]), 1);
    if (kind == KINDS + 3) return wn_sort(in.v[0], .dim = WN_VAL(0)).values;
    if (kind == LSE && dims.n == 0) dims = WN_DIMS(0, 1, 2);
    return run(kind, in.v[0], dims, m);
}
static void gradients(void) {
    static const int kinds[] = {SUM, MEAN, PROD, AMAX, AMIN, VAR, STD, NORM1, NORM2, NORM3, NORMINF, LSE, KINDS, KINDS + 1, KINDS + 2, KINDS + 3};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int dims = 0; dims < 3; dims++)
            for (int masked = 0; masked < 2; masked++) {
                WN_SCOPE(s);
                wn_tensor *x = wn_requires_grad(wn_add(values(WN_DIMS(3, 4, 2), WN_F64, false), 1.5), true);
                x = wn_requires_grad(wn_detach(x), true);
                wn_tensor *m = wn_from_data(B(1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1), WN_DIMS(3, 4, 2), WN_BOOL);
                struct check_case ctx = {kinds[k], dims, masked ? m : NULL};
                char more[256];
                wn_status st = wn_gradcheck(reduce_fn, &ctx, WN_LIST(x), 1e-6, 1e-5, 1e-4, true);
                snprintf(more, sizeof more, "%s dims %d masked %d: %.150s", kinds[k] < KINDS ? kind_names[kinds[k]] : "scan", dims, masked, wn_error_message());
                check(st == WN_OK, "gradcheck", more);
                wn_clear();
            }
}

int main(void) {
    wn_set_error_hook(NULL);
    WN_SCOPE(s);
    masked_values();
    zeros_in_formulas();
    errors();
    gradients();
    scans_and_order();
    scans_of_lines();
    compaction();
    ways();
    few_rows();
    integer_products();
    nan_anywhere();
    accuracy();
    sweep();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
