/* Arguments for order statistics, sets, histograms, statistics and draws. */
#include "table.h"

static bool big(const sample *s) { return s->spec.mode == BIG; }
static void not_for(sample *s, bool condition) { s->na |= condition; }
static int64_t size_of(sample *s, int64_t most, int64_t at_big) { return s->spec.mode == EMPTY ? 0 : big(s) ? at_big : 1 + below(s, most); }
static wn_tensor *self_of(sample *s, const char *name, wn_dims shape) {
    wn_tensor *t = data(s, shape);
    set_tensor(s, name, t);
    return t;
}
/* A dimension of the main shape, which gets one if it has none; its size to *n. */
static int64_t some_dim(sample *s, int64_t *n) {
    not_for(s, s->spec.mode == SCALAR);
    if (s->shape.n < 1) s->shape = D(3);
    int at = (int)below(s, s->shape.n);
    *n = s->shape.v[at];
    return maybe(s, 2) ? at : at - s->shape.n;
}
/* Distinct ascending numbers along the last dimension. */
static wn_tensor *ascending(sample *s, wn_dims shape, double step) {
    layout how = s->spec.layout;
    if (how == EXPANDED) s->spec.layout = CONTIGUOUS;
    wn_tensor *t = data(s, shape);
    s->spec.layout = how;
    int64_t last = shape.n > 0 ? shape.v[shape.n - 1] : 1;
    for (int64_t i = 0; t && i < wn_numel(t); i++) put(t, i, -3 + step * (double)(i % last), i % last);
    return t;
}

/* ------------------------------------------------------------------ order */

static void s_kthvalue(sample *s) {
    int64_t n, dim = some_dim(s, &n);
    not_for(s, n < 1);
    self_of(s, "self", s->shape);
    set_int(s, "k", 1 + below(s, n));
    set_int(s, "dim", dim);
    set_int(s, "keepdim", maybe(s, 2));
}
static void s_quantile(sample *s) {
    static const char *const ways[] = {"linear", "lower", "higher", "midpoint", "nearest"};
    int64_t n, dim = some_dim(s, &n);
    not_for(s, s->spec.mode == EMPTY);
    self_of(s, "self", s->shape);
    set_tensor(s, "q", fixed_in(s, maybe(s, 2) ? D(3) : dims_of_list(0, NULL), s->spec.dtype, 0, 1));
    if (maybe(s, 2)) set_int(s, "dim", dim);
    set_int(s, "keepdim", maybe(s, 2));
    set_string(s, "interpolation", ways[s->spec.domain == MIXED ? below(s, 5) : 0]);
}
static void s_quantile_at(sample *s) {
    int64_t n, dim = some_dim(s, &n);
    not_for(s, s->spec.mode == EMPTY);
    self_of(s, "self", s->shape);
    set_float(s, "q", .3);
    if (maybe(s, 2)) set_int(s, "dim", dim);
}

/* ------------------------------------------------------------------ sets */

static void s_searchsorted(sample *s) {
    int64_t n = size_of(s, 7, 300), m = size_of(s, 5, 20000);
    not_for(s, s->spec.mode == SCALAR || s->spec.dtype == WN_BOOL);
    bool number = strstr(s->op->cname, "number") != NULL, rows = maybe(s, 2) && !number;
    set_tensor(s, "sorted_sequence", ascending(s, rows ? D(2, n) : D(n), .7));
    if (has_field(s, "sorter") && maybe(s, 3)) set_tensor(s, "sorter", indices(s, rows ? D(2, n) : D(n), n));
    if (number) set_int(s, "self", 1);
    else set_tensor(s, "self", data(s, rows ? D(2, m) : maybe(s, 2) ? D(m) : D(2, m, 1)));
    set_int(s, "right", maybe(s, 2));
    set_int(s, "out_int32", maybe(s, 2));
}
static void s_bucketize(sample *s) {
    not_for(s, s->spec.dtype == WN_BOOL);
    if (strstr(s->op->cname, "number")) set_int(s, "self", 1);
    else self_of(s, "self", s->shape);
    set_tensor(s, "boundaries", ascending(s, D(size_of(s, 7, 300)), .7));
    set_int(s, "right", maybe(s, 2));
    set_int(s, "out_int32", maybe(s, 2));
}
static void s_unique_dim(sample *s) {
    int64_t n, dim = some_dim(s, &n);
    not_for(s, s->spec.mode == EMPTY);
    self_of(s, "self", big(s) ? D(300, 7) : s->shape);
    set_int(s, "dim", big(s) ? 0 : dim);
    set_int(s, "return_inverse", maybe(s, 2));
    set_int(s, "return_counts", maybe(s, 2));
}

/* ------------------------------------------------------------------ statistics */

static void s_diff(sample *s) {
    int64_t n, dim = some_dim(s, &n);
    wn_dims beside = s->shape;
    self_of(s, "self", s->shape);
    set_int(s, "n", below(s, 3));
    set_int(s, "dim", dim);
    beside.v[dim < 0 ? dim + beside.n : dim] = 2;
    if (s->spec.mode == EMPTY) beside = s->shape;
    if (maybe(s, 3)) set_tensor(s, "prepend", data(s, beside));
    if (maybe(s, 3)) set_tensor(s, "append", data(s, beside));
}
static void s_cov(sample *s) {
    int64_t n = size_of(s, 6, 3000) + 2;
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY || s->spec.layout == EXPANDED); /* of equal observations: 0 / 0 */
    self_of(s, "self", maybe(s, 3) ? D(n) : D(3, n));
    if (!has_field(s, "fweights")) return;
    if (maybe(s, 2)) set_tensor(s, "fweights", fixed_in(s, D(n), WN_I64, 1, 3));
    if (maybe(s, 2) && is_float(s->spec.dtype)) set_tensor(s, "aweights", fixed_in(s, D(n), s->spec.dtype, .5, 1.5)); /* its own derivative is not asked for */
    if (maybe(s, 2)) set_int(s, "correction", 0);
}
static void s_dist(sample *s) {
    self_of(s, "self", s->shape);
    set_tensor(s, "other", data(s, s->shape));
    if (maybe(s, 2)) set_float(s, "p", 3);
}
static void s_renorm(sample *s) {
    int64_t n, dim;
    if (s->shape.n < 2) s->shape = D(3, size_of(s, 4, 40000));
    dim = some_dim(s, &n);
    not_for(s, s->spec.mode == EMPTY);
    self_of(s, "self", s->shape);
    set_float(s, "p", maybe(s, 2) ? 2 : 1.5);
    set_int(s, "dim", dim);
    set_float(s, "maxnorm", 1.25);
}
static void s_trapezoid(sample *s) {
    int64_t n, dim = some_dim(s, &n);
    self_of(s, "y", s->shape);
    if (has_field(s, "x")) set_tensor(s, "x", data(s, maybe(s, 2) && s->spec.mode != EMPTY ? D(n) : s->shape));
    else if (maybe(s, 2)) set_float(s, "dx", .5);
    set_int(s, "dim", dim);
}
static void s_gradient(sample *s) {
    int64_t n, dim = some_dim(s, &n), order = 1 + below(s, 2);
    s->shape.v[dim < 0 ? dim + s->shape.n : dim] = n = n > order ? n : order + 1;
    not_for(s, s->spec.mode == EMPTY);
    self_of(s, "self", s->shape);
    set_int(s, "dim", dim);
    if (has_field(s, "points")) set_tensor(s, "points", ascending(s, D(n), .7));
    else set_float(s, "spacing", .5);
    set_int(s, "edge_order", order);
}
static void s_nonzero_static(sample *s) {
    self_of(s, "self", s->shape);
    set_int(s, "size", below(s, 9));
    if (maybe(s, 2)) set_int(s, "fill_value", 7);
}

/* ------------------------------------------------------------------ histograms */

static void s_bincount(sample *s) {
    int64_t n = size_of(s, 9, 100000);
    not_for(s, s->spec.mode == SCALAR || is_float(s->spec.dtype) || s->spec.dtype == WN_BOOL);
    set_tensor(s, "self", data_in(s, D(n), 0, 6));
    if (maybe(s, 2)) set_tensor(s, "weights", fixed_in(s, D(n), maybe(s, 2) ? WN_F64 : WN_F32, -1, 1));
    set_int(s, "minlength", below(s, 12));
}
static void s_histc(sample *s) {
    self_of(s, "self", s->shape);
    if (maybe(s, 2)) set_int(s, "bins", 1 + below(s, 6));
    not_for(s, s->spec.domain == ANY || !is_float(s->spec.dtype));
    if (maybe(s, 2)) {
        set_float(s, "min", -1);
        set_float(s, "max", 2);
    }
}
static void s_histogram(sample *s) {
    not_for(s, s->spec.domain == ANY);
    self_of(s, "self", s->shape);
    if (strcmp(s->op->cname, "histogram")) {
        set_int(s, "bins", 1 + below(s, 6));
        if (maybe(s, 2)) {
            set_float(s, "low", -1);
            set_float(s, "high", 2);
        }
    } else {
        set_tensor(s, "bins", ascending(s, D(2 + below(s, 5)), .7));
    }
    if (maybe(s, 2)) set_tensor(s, "weight", data(s, s->shape));
    set_int(s, "density", maybe(s, 3));
}
static void s_histogram_cells(sample *s) {
    wn_tensor *t[2];
    int64_t n = size_of(s, 9, 60000);
    not_for(s, s->spec.mode == SCALAR);
    self_of(s, "self", D(n, 2));
    for (int i = 0; i < 2; i++) t[i] = ascending(s, D(3 + i), 1.5);
    set_list(s, "bins", 2, t);
    if (maybe(s, 2)) set_tensor(s, "weight", data(s, D(n)));
    set_int(s, "equal", maybe(s, 2));
}

/* ------------------------------------------------------------------ draws */

static void s_draw(sample *s) {
    self_of(s, "self", s->shape);
    if (has_field(s, "p")) set_float(s, "p", .25);
    if (has_field(s, "low")) set_int(s, "low", 0);
    if (has_field(s, "high")) set_int(s, "high", 2);
}
static void s_multinomial(sample *s) {
    int64_t n = 3 + below(s, 5);
    bool again = !has_field(s, "replacement");
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    set_tensor(s, "self", data_in(s, again || maybe(s, 2) ? D(big(s) ? 400 : 3, n) : D(n), .1, .9));
    set_int(s, "num_samples", 1 + below(s, 3));
    if (!again) set_int(s, "replacement", maybe(s, 2));
}

const entry order_entries[] = {
    {"kthvalue", s_kthvalue, 0},
    {"quantile", s_quantile, NO_NARROW}, {"nanquantile", s_quantile, NO_NARROW}, {"quantile_at", s_quantile_at, NO_NARROW}, {"nanquantile_at", s_quantile_at, NO_NARROW}, /* torch has them for f32 and f64 */
    {"searchsorted", s_searchsorted, 0}, {"searchsorted_number", s_searchsorted, 0}, {"bucketize", s_bucketize, 0}, {"bucketize_number", s_bucketize, 0},
    {"unique_dim", s_unique_dim, 0},
    {"diff", s_diff, NO_REFERENCE}, /* bool: xor; uint8 wraps */
    {"cov", s_cov, LOOSE}, {"corrcoef", s_cov, LOOSE}, {"dist", s_dist, 0}, {"renorm", s_renorm, 0},
    {"trapezoid_at", s_trapezoid, NO_REFERENCE}, {"cumulative_trapezoid_at", s_trapezoid, NO_REFERENCE}, {"trapezoid", s_trapezoid, NO_REFERENCE}, {"cumulative_trapezoid", s_trapezoid, NO_REFERENCE}, /* uint8 wraps */
    {"gradient_along", s_gradient, NO_SMALL_INTEGERS}, {"gradient_at", s_gradient, NO_SMALL_INTEGERS}, /* torch refuses uint8 */
    {"nonzero_static", s_nonzero_static, 0}, 
    {"bincount", s_bincount, 0}, {"histc", s_histc, NO_REFERENCE}, /* bins are found in the dtype's precision */
    {"histogram", s_histogram, NO_NARROW | NO_REFERENCE}, {"histogram_count", s_histogram, NO_NARROW | NO_REFERENCE}, {"histogram_cells", s_histogram_cells, NO_NARROW | NO_REFERENCE}, /* torch has them for f32 and f64 */
    {"cauchy", s_draw, NO_VALUES}, {"geometric", s_draw, NO_VALUES}, {"log_normal", s_draw, NO_VALUES}, {"randint_like", s_draw, 0}, {"randint_like_below", s_draw, 0},
    {"multinomial", s_multinomial, NO_VALUES | NO_REFERENCE}, {"multinomial_again", s_multinomial, NO_VALUES | NO_REFERENCE}, /* numbers are drawn in the dtype's precision */
    {NULL, NULL, 0}};
