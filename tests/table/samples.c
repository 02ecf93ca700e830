/* Arguments for the rows whose arguments must fit together, by C name; and what single rows are excused from, with reasons.
 * A row without an entry here is filled from its field kinds (sample.c: generic). */
#include "table.h"

/* ------------------------------------------------------------------ helpers */

static bool big(const sample *s) { return s->spec.mode == BIG; }
static int64_t size_of(sample *s, int64_t most, int64_t at_big) { return big(s) ? at_big : 1 + below(s, most); }
static void not_for(sample *s, bool condition) { s->na |= condition; }
/* A shape with at least n dimensions (0-d: not applicable). */
static wn_dims at_least(sample *s, int n) {
    if (s->spec.mode == SCALAR) s->na = true;
    while (s->shape.n < n) {
        if (s->shape.n < 0) s->shape.n = 0;
        s->shape.v[s->shape.n++] = 1 + below(s, 4);
    }
    return s->shape;
}
static int64_t some_dim(sample *s, int *at) {
    int n = s->shape.n > 0 ? s->shape.n : 1;
    *at = (int)below(s, n);
    return maybe(s, 2) ? *at : *at - n;
}
static wn_tensor *self_at(sample *s, const char *name, wn_dims shape) {
    wn_tensor *t = data(s, shape);
    set_tensor(s, name, t);
    return t;
}

/* ------------------------------------------------------------------ making, copying, converting */

static void s_empty_strided(sample *s) {
    set_dims(s, "size", D(3, 4));
    set_dims(s, "stride", D(1, 3));
    set_int(s, "dtype", s->spec.dtype);
}
static void s_arange(sample *s) {
    set_int(s, "end", size_of(s, 9, 40000));
    set_int(s, "dtype", s->spec.dtype);
}
static void s_arange_from(sample *s) {
    set_int(s, "start", -below(s, 5));
    set_int(s, "end", 1 + below(s, 9));
    if (maybe(s, 2)) set_int(s, "step", 1 + below(s, 3));
    set_int(s, "dtype", s->spec.dtype == WN_BOOL ? WN_I64 : s->spec.dtype);
}
static void s_linspace(sample *s) {
    set_int(s, "start", 1);
    set_int(s, "end", 7);
    set_int(s, "steps", 1 + below(s, 9));
    set_int(s, "dtype", s->spec.dtype);
}
static void s_to(sample *s) {
    self_at(s, "self", s->shape);
    set_int(s, "dtype", s->spec.domain == UNIT ? WN_F64 : 1 + below(s, 10));
    if (s->spec.dtype == WN_F64 && s->op->diff && maybe(s, 2)) set_int(s, "dtype", WN_F64);
}
static void s_copy(sample *s) {
    wn_dims d = s->shape;
    self_at(s, "self", d);
    if (d.n > 1 && maybe(s, 2)) d.v[below(s, d.n)] = 1;
    if (s->spec.mode == EMPTY) d = s->shape;
    set_tensor(s, "src", data(s, d));
}
static void s_clamp(sample *s) {
    self_at(s, "self", s->shape);
    int which = 1 + (int)below(s, 3);
    if (which & 1) set_int(s, "min", s->spec.dtype == WN_U8 ? 1 : -1);
    if (which & 2) set_int(s, "max", 2);
}

/* ------------------------------------------------------------------ random */

static void s_uniform(sample *s) {
    self_at(s, "self", s->shape);
    set_float(s, "from", -1);
    if (maybe(s, 2)) set_float(s, "to", 2);
}
static void s_normal(sample *s) {
    self_at(s, "self", s->shape);
    set_float(s, "mean", -1);
    if (maybe(s, 2)) set_float(s, "std", 2);
}
static void s_exponential(sample *s) {
    self_at(s, "self", s->shape);
    if (maybe(s, 2)) set_float(s, "lambd", 2);
}
static void s_random(sample *s) {
    self_at(s, "self", s->shape);
    if (has_field(s, "from")) set_int(s, "from", 0);
    if (has_field(s, "to")) set_int(s, "to", 2);
}
static void s_fill_tensor(sample *s) {
    self_at(s, "self", s->shape);
    set_tensor(s, "value", data(s, dims_of_list(0, NULL)));
}
static void s_bernoulli_each(sample *s) {
    wn_dims d = s->shape;
    self_at(s, "self", d);
    if (d.n > 1 && maybe(s, 2)) d.v[0] = 1;
    set_tensor(s, "p", fixed_in(s, s->spec.mode == EMPTY ? s->shape : d, WN_F32, 0.1, 0.9));
}
static void s_randint(sample *s) {
    if (has_field(s, "low")) set_int(s, "low", 0);
    set_int(s, "high", 2);
    set_dims(s, "size", s->shape);
    set_int(s, "dtype", s->spec.dtype);
}
static void s_bernoulli(sample *s) { set_tensor(s, "self", data_in(s, s->shape, 0.1, 0.9)); }
static void s_bernoulli_p(sample *s) {
    self_at(s, "self", s->shape);
    if (maybe(s, 2)) set_float(s, "p", 0.25);
}

/* ------------------------------------------------------------------ views */

static void s_view(sample *s) {
    wn_dims d = s->shape, to = D(1);
    for (int i = 0; i < d.n; i++) to.v[to.n++] = d.v[i];
    self_at(s, "self", d);
    bool flat = s->spec.layout == CONTIGUOUS || strcmp(s->op->cname, "view"); /* only reshape copies */
    if (flat && s->spec.mode != EMPTY) to = maybe(s, 2) ? D(-1) : D(1, product(d));
    set_dims(s, has_field(s, "size") ? "size" : "shape", to);
}
static void s_flatten(sample *s) {
    self_at(s, "self", s->shape);
    int n = s->shape.n > 0 ? s->shape.n : 1, a = (int)below(s, n);
    set_int(s, "start_dim", a);
    if (maybe(s, 2)) set_int(s, "end_dim", a + below(s, n - a));
}
static void s_unflatten(sample *s) {
    not_for(s, s->spec.mode == SCALAR);
    self_at(s, "self", D(2, 6, s->spec.mode == EMPTY ? 0 : 2));
    set_int(s, "dim", maybe(s, 2) ? 1 : -2);
    set_dims(s, "sizes", maybe(s, 2) ? D(2, 3) : D(3, -1));
}
static void s_permute(sample *s) {
    wn_dims d = s->shape;
    int n = d.n > 0 ? d.n : 0;
    self_at(s, "self", d);
    d.n = n ? n : -1;
    for (int i = 0; i < n; i++) d.v[i] = i;
    for (int i = 0; i < n; i++) {
        int k = i + (int)below(s, n - i);
        int64_t v = d.v[i];
        d.v[i] = d.v[k];
        d.v[k] = v;
    }
    set_dims(s, "dims", d);
}
static void s_t(sample *s) {
    if (s->shape.n > 2) s->shape.n = 2;
    self_at(s, "self", s->shape);
}
static void s_matrix(sample *s) { self_at(s, "self", at_least(s, 2)); }
static void s_expand(sample *s) {
    wn_dims d = s->shape, to = D(2);
    if (s->spec.mode == EMPTY) to = D(1);
    for (int i = 0; i < d.n; i++) {
        if (maybe(s, 3) && d.v[i]) d.v[i] = 1;
        to.v[to.n++] = d.v[i] == 1 ? 3 : maybe(s, 2) ? d.v[i] : -1;
    }
    self_at(s, "self", d);
    if (has_field(s, "other")) {
        for (int i = 1; i < to.n; i++)
            if (to.v[i] == -1) to.v[i] = d.v[i - 1];
        set_tensor(s, "other", data(s, to));
    } else {
        set_dims(s, "size", to);
    }
}
static void s_select(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    int64_t dim = some_dim(s, &at);
    not_for(s, d.v[at] == 0);
    self_at(s, "self", d);
    set_int(s, "dim", dim);
    if (!s->na) set_int(s, "index", below(s, 2 * d.v[at]) - d.v[at]);
}
static void s_slice(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    self_at(s, "self", d);
    set_int(s, "dim", some_dim(s, &at));
    if (maybe(s, 2)) set_int(s, "start", below(s, 5) - 2);
    if (maybe(s, 2)) set_int(s, "end", below(s, 7) - 2);
    if (maybe(s, 2)) set_int(s, "step", 1 + below(s, 3));
}
static void s_narrow(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    self_at(s, "self", d);
    set_int(s, "dim", some_dim(s, &at));
    int64_t start = below(s, d.v[at] + 1);
    if (!strcmp(s->op->cname, "narrow")) set_int(s, "start", start);
    else set_tensor(s, "start", fixed_in(s, dims_of_list(0, NULL), WN_I64, (double)start, (double)start));
    set_int(s, "length", below(s, d.v[at] - start + 1));
}
static void s_diagonal(sample *s) {
    wn_dims d = at_least(s, 2);
    int a = (int)below(s, d.n), b = (a + 1 + (int)below(s, d.n - 1)) % d.n;
    self_at(s, "self", d);
    set_int(s, "offset", below(s, 5) - 2);
    set_int(s, "dim1", a);
    set_int(s, "dim2", b - d.n);
}
static void s_as_strided(sample *s) {
    wn_tensor *t = self_at(s, "self", D(4, 5));
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    bool overlap = maybe(s, 2);
    set_dims(s, "size", D(2, 3));
    set_dims(s, "stride", overlap ? D(1, 1) : D(1, 2));
    set_int(s, "storage_offset", wn_storage_offset(t));
    if (has_field(s, "self_stride")) {
        set_dims(s, "self_stride", wn_strides(t));
        set_int(s, "self_offset", wn_storage_offset(t));
    }
}
static void s_split(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    self_at(s, "self", d);
    set_int(s, "dim", some_dim(s, &at));
    set_int(s, has_field(s, "chunks") ? "chunks" : "split_size", 1 + below(s, 3));
}
static void s_split_sizes(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    self_at(s, "self", d);
    set_int(s, "dim", some_dim(s, &at));
    int64_t first = below(s, d.v[at] + 1);
    set_dims(s, "split_sizes", D(first, 0, d.v[at] - first));
}
static void s_select_backward(sample *s) {
    not_for(s, s->spec.mode == SCALAR);
    bool empty = s->spec.mode == EMPTY;
    self_at(s, "grad_output", empty ? D(2, 0) : D(2, 3));
    set_dims(s, "input_sizes", empty ? D(2, 4, 0) : D(2, 4, 3));
    set_int(s, "dim", maybe(s, 2) ? 1 : -2);
    set_int(s, "index", below(s, 8) - 4);
}
static void s_slice_backward(sample *s) {
    not_for(s, s->spec.mode == SCALAR);
    bool empty = s->spec.mode == EMPTY;
    self_at(s, "grad_output", empty ? D(0, 2) : D(3, 2));
    set_dims(s, "input_sizes", empty ? D(0, 4) : D(3, 4));
    set_int(s, "dim", 1);
    set_int(s, "start", maybe(s, 2) ? 0 : -4);
    set_int(s, "end", 4);
    set_int(s, "step", 2);
}
static void s_diagonal_backward(sample *s) {
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "grad_output", D(2, 3));
    set_dims(s, "input_sizes", D(4, 2, 4));
    set_int(s, "offset", maybe(s, 2) ? 1 : -1);
    set_int(s, "dim1", 0);
    set_int(s, "dim2", 2);
}
static void s_cat(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    int64_t dim = some_dim(s, &at);
    wn_tensor *all[3];
    int n = 1 + (int)below(s, 3);
    for (int i = 0; i < n; i++) {
        all[i] = data(s, d);
        if (s->spec.mode != EMPTY && !big(s)) d.v[at] = 1 + below(s, 3);
    }
    set_list(s, "tensors", n, all);
    set_int(s, "dim", dim);
}
static void s_sum_to_size(sample *s) {
    wn_dims d = s->shape;
    self_at(s, "self", d);
    int drop = d.n > 1 ? (int)below(s, 2) : 0;
    wn_dims to = WN_UNSET;
    for (int i = drop; i < d.n; i++) to.v[to.n++] = maybe(s, 2) && s->spec.mode != EMPTY ? 1 : d.v[i];
    if (!to.n) to.n = -1;
    set_dims(s, "size", to);
}

/* ------------------------------------------------------------------ reductions, sorting */

static void s_vector_norm(sample *s) {
    static const double orders[] = {2, 1, 3, 0.5, 0, -1, 2.5};
    generic(s);
    set_float(s, has_field(s, "ord") ? "ord" : "p", orders[below(s, 7)]);
}
static void s_topk(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    int64_t dim = some_dim(s, &at);
    self_at(s, "self", d);
    set_int(s, "k", below(s, d.v[at] + 1));
    set_int(s, "dim", dim);
    set_switch(s, "largest", maybe(s, 2));
}
static void s_kthvalue(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    int64_t dim = some_dim(s, &at);
    not_for(s, d.v[at] == 0);
    self_at(s, "self", d);
    set_int(s, "k", 1 + below(s, d.v[at]));
    set_int(s, "dim", dim);
}

/* ------------------------------------------------------------------ indexing */

static void s_index_select(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    int64_t dim = some_dim(s, &at), n = size_of(s, 5, d.v[at]);
    self_at(s, "self", d);
    set_int(s, "dim", dim);
    set_tensor(s, "index", indices(s, D(n), d.v[at]));
}
static void s_index_select_backward(sample *s) {
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "grad", D(2, 3, 2));
    set_dims(s, "self_sizes", D(2, 4, 2));
    set_int(s, "dim", 1);
    set_tensor(s, "index", indices(s, D(3), 4));
}
/* index_add, index_copy: source's slices go to self's */
static void s_index_put(sample *s) {
    int at;
    wn_dims d = at_least(s, 1), from;
    int64_t dim = some_dim(s, &at);
    bool adds = strstr(s->op->cname, "add") != NULL;
    from = d;
    from.v[at] = adds ? size_of(s, 5, 3) : below(s, d.v[at] + 1);
    self_at(s, "self", d);
    set_int(s, "dim", dim);
    set_tensor(s, "index", adds ? indices(s, D(from.v[at]), d.v[at]) : permutation(s, from.v[at], d.v[at]));
    set_tensor(s, "source", data(s, from));
    if (has_field(s, "alpha") && maybe(s, 2)) set_int(s, "alpha", 2);
}
static void s_gather(sample *s) {
    int at;
    wn_dims d = at_least(s, 1), to = d;
    int64_t dim = some_dim(s, &at);
    to.v[at] = size_of(s, 5, 3);
    self_at(s, "self", d);
    set_int(s, "dim", dim);
    set_tensor(s, "index", indices(s, to, d.v[at]));
}
static void s_gather_backward(sample *s) {
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "grad", D(2, 3));
    set_dims(s, "self_sizes", D(2, 4));
    set_int(s, "dim", 1);
    set_tensor(s, "index", indices(s, D(2, 3), 4));
}
/* scatter wants distinct places for a defined derivative: one slice along dim, or additions */
static void s_scatter(sample *s) {
    int at;
    wn_dims d = at_least(s, 1), from = d;
    int64_t dim = some_dim(s, &at);
    bool adds = strstr(s->op->cname, "add") != NULL;
    from.v[at] = adds ? size_of(s, 5, 3) : d.v[at] ? 1 : 0;
    self_at(s, "self", d);
    set_int(s, "dim", dim);
    set_tensor(s, "index", indices(s, from, d.v[at]));
    if (has_field(s, "src")) set_tensor(s, "src", data(s, from));
    else if (has_field(s, "value")) set_int(s, "value", 2);
    if (has_field(s, "reduce")) set_string(s, "reduce", maybe(s, 2) || s->spec.dtype == WN_F64 ? "add" : "multiply"); /* products have no derivative */
}
static void s_index_fill(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    int64_t dim = some_dim(s, &at);
    self_at(s, "self", d);
    set_int(s, "dim", dim);
    set_tensor(s, "index", permutation(s, below(s, d.v[at] + 1), d.v[at]));
    if (strstr(s->op->cname, "tensor")) set_tensor(s, "value", data(s, dims_of_list(0, NULL)));
    else set_int(s, "value", 2);
}
static void s_masked_fill_tensor(sample *s) {
    generic(s);
    set_tensor(s, "value", data(s, dims_of_list(0, NULL)));
}
static void s_embedding(sample *s) {
    int64_t n = size_of(s, 5, 500), width = size_of(s, 4, 64);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "weight", D(n, width));
    set_tensor(s, "indices", indices(s, D(2, size_of(s, 4, 3000)), n));
    if (s->spec.dtype != WN_F64 && maybe(s, 2)) set_int(s, "padding_idx", below(s, n)); /* its row has no derivative by decree */
}
static void s_embedding_renorm(sample *s) {
    int64_t n = size_of(s, 5, 500);
    static const double orders[] = {2, 1, 3};
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY || s->spec.layout == EXPANDED);
    self_at(s, "self", D(n, size_of(s, 4, 64)));
    set_tensor(s, "indices", indices(s, D(2, 3), n));
    set_float(s, "max_norm", 1.5);
    set_float(s, "norm_type", orders[below(s, 3)]);
}
static void s_embedding_backward(sample *s) {
    int64_t n = size_of(s, 5, 500), width = size_of(s, 4, 64), m = size_of(s, 4, 3000);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "grad", D(2, m, width));
    set_tensor(s, "indices", indices(s, D(2, m), n));
    if (has_field(s, "weight_sizes")) set_dims(s, "weight_sizes", D(n, width));
    if (has_field(s, "num_weights")) set_int(s, "num_weights", n);
    if (maybe(s, 2)) set_int(s, "padding_idx", below(s, n));
    if (is_float(s->spec.dtype) && maybe(s, 3)) set_int(s, "scale_grad_by_freq", 1);
}
static void s_embedding_double_backward(sample *s) {
    int64_t n = size_of(s, 5, 500);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "grad", D(n, 3));
    set_tensor(s, "indices", indices(s, D(2, 3), n));
    if (maybe(s, 2)) set_int(s, "padding_idx", below(s, n));
}
static int64_t count_true(const wn_tensor *m) {
    int64_t n = 0;
    for (int64_t i = 0; i < wn_numel(m); i++) n += get_i(m, i);
    return n;
}
static void s_masked_select_backward(sample *s) {
    not_for(s, s->spec.mode == SCALAR);
    wn_dims d = at_least(s, 1);
    wn_tensor *m = mask(s, d);
    self_at(s, "grad", D(count_true(m)));
    set_tensor(s, "mask", m);
    set_dims(s, "self_sizes", d);
}
/* Index lists of every kind for a tensor of shape d (two dimensions or more): fills "indices", returns the result's shape. */
static wn_dims index_list(sample *s, wn_dims d) {
    wn_tensor *v[3] = {NULL};
    wn_dims r = WN_UNSET;
    int64_t n = size_of(s, 4, d.v[0] > 300 ? d.v[0] : 40), kind = below(s, d.n > 2 ? 6 : 5), m;
    int given = 1, from = 1; /* dimensions that the result keeps */
    switch (kind) {
    case 0: v[0] = indices(s, D(n), d.v[0]), r = D(n); break;
    case 1: given = from = 2, v[1] = indices(s, D(2, n), d.v[1]), r = D(d.v[0], 2, n); break; /* a dimension taken whole before */
    case 2: /* pairs, one of them counting from the end */
        given = from = 2;
        v[0] = indices(s, D(n), d.v[0]);
        not_for(s, d.v[1] == 0);
        v[1] = fixed_in(s, D(3, 1), WN_I64, -(double)d.v[1], -1);
        r = D(3, n);
        break;
    case 3: from = 2, v[0] = mask(s, D(d.v[0], d.v[1])), r = D(count_true(v[0])); break;
    case 4: /* a mask of one dimension, and one index for all that it leaves */
        given = from = 2;
        v[1] = mask(s, D(d.v[1]));
        m = count_true(v[1]);
        not_for(s, d.v[0] == 0);
        v[0] = indices(s, maybe(s, 2) ? dims_of_list(0, NULL) : D(m), d.v[0]);
        r = D(m);
        break;
    default: given = from = 3, v[0] = indices(s, D(n), d.v[0]), v[2] = indices(s, D(1), d.v[2]), r = D(n, d.v[1]); /* others between */
    }
    for (int i = from; i < d.n; i++) r.v[r.n++] = d.v[i];
    set_list(s, "indices", given, v);
    return r;
}
static void s_index(sample *s) {
    wn_dims d = at_least(s, 2);
    if (has_field(s, "self_sizes")) { /* the gradient */
        set_tensor(s, "grad", data(s, index_list(s, d)));
        set_dims(s, "self_sizes", d);
        return;
    }
    self_at(s, "self", d);
    wn_dims r = index_list(s, d);
    if (!has_field(s, "values")) return;
    bool one = maybe(s, 3);
    if (one && r.n > 1) r = D(r.v[r.n - 1]); /* broadcast */
    set_tensor(s, "values", data(s, one && maybe(s, 2) ? dims_of_list(0, NULL) : r));
    set_int(s, "accumulate", maybe(s, 2));
}
static void s_one_hot(sample *s) {
    not_for(s, s->spec.dtype != WN_I64);
    set_tensor(s, "self", indices(s, s->shape, 4));
    set_int(s, "num_classes", 4 + below(s, 2));
}

/* ------------------------------------------------------------------ contractions */

static void s_matmul(sample *s) {
    int64_t m = size_of(s, 5, 130), k = s->spec.mode == EMPTY ? 0 : size_of(s, 6, 200), n = size_of(s, 5, 150);
    not_for(s, s->spec.mode == SCALAR);
    switch (big(s) ? 0 : below(s, 5)) {
    case 0: self_at(s, "self", D(m, k)), set_tensor(s, "other", data(s, D(k, n))); break;
    case 1: self_at(s, "self", D(2, m, k)), set_tensor(s, "other", data(s, D(k, n))); break;
    case 2: self_at(s, "self", D(3, 1, m, k)), set_tensor(s, "other", data(s, D(2, k, n))); break;
    case 3: self_at(s, "self", D(k)), set_tensor(s, "other", data(s, D(2, k, n))); break;
    default: self_at(s, "self", D(m, k)), set_tensor(s, "other", data(s, D(k))); break;
    }
}
static void s_mm(sample *s) {
    int64_t m = size_of(s, 5, 130), k = s->spec.mode == EMPTY ? 0 : size_of(s, 6, 200), n = size_of(s, 5, 150);
    not_for(s, s->spec.mode == SCALAR);
    self_at(s, "self", D(m, k));
    set_tensor(s, "mat2", data(s, D(k, n)));
}
static void s_bmm(sample *s) {
    int64_t b = size_of(s, 3, 7), m = size_of(s, 4, 60), k = s->spec.mode == EMPTY ? 0 : size_of(s, 5, 90), n = size_of(s, 4, 70);
    not_for(s, s->spec.mode == SCALAR);
    bool added = has_field(s, "batch1");
    if (added) self_at(s, "self", s->spec.full_first || maybe(s, 2) ? D(b, m, n) : D(n));
    set_tensor(s, added ? "batch1" : "self", data(s, D(b, m, k)));
    set_tensor(s, added ? "batch2" : "mat2", data(s, D(b, k, n)));
}
static void scale_factors(sample *s) {
    if (has_field(s, "beta") && maybe(s, 2)) set_int(s, "beta", 2);
    if (has_field(s, "alpha") && maybe(s, 2)) set_int(s, "alpha", 3);
}
static void s_addmm(sample *s) {
    int64_t m = size_of(s, 5, 130), k = s->spec.mode == EMPTY ? 0 : size_of(s, 6, 200), n = size_of(s, 5, 150);
    not_for(s, s->spec.mode == SCALAR);
    self_at(s, "self", s->spec.full_first || maybe(s, 2) ? D(m, n) : D(n));
    set_tensor(s, "mat1", data(s, D(m, k)));
    set_tensor(s, "mat2", data(s, D(k, n)));
    scale_factors(s);
}
static void s_mv(sample *s) {
    int64_t m = size_of(s, 5, 1300), k = s->spec.mode == EMPTY ? 0 : size_of(s, 6, 900);
    not_for(s, s->spec.mode == SCALAR);
    self_at(s, "self", has_field(s, "mat") ? D(m) : D(m, k));
    if (has_field(s, "mat")) set_tensor(s, "mat", data(s, D(m, k)));
    set_tensor(s, "vec", data(s, D(k)));
    scale_factors(s);
}
static void s_dot(sample *s) {
    int64_t k = s->spec.mode == EMPTY ? 0 : size_of(s, 6, 100000), n = strcmp(s->op->cname, "outer") ? k : 3;
    not_for(s, s->spec.mode == SCALAR);
    self_at(s, "self", D(k));
    set_tensor(s, has_field(s, "tensor") ? "tensor" : has_field(s, "vec2") ? "vec2" : "other", data(s, D(n)));
}
static void s_linear(sample *s) {
    int64_t k = s->spec.mode == EMPTY ? 0 : size_of(s, 6, 200), n = size_of(s, 5, 150);
    not_for(s, s->spec.mode == SCALAR);
    self_at(s, "input", big(s) ? D(130, k) : maybe(s, 3) ? D(k) : maybe(s, 2) ? D(2, 3, k) : D(4, k));
    set_tensor(s, "weight", data(s, D(n, k)));
    if (maybe(s, 2)) set_tensor(s, "bias", data(s, D(n)));
}
static void s_einsum(sample *s) {
    wn_tensor *t[3];
    int64_t a = size_of(s, 3, 40), b = size_of(s, 4, 60), c = s->spec.mode == EMPTY ? 0 : size_of(s, 4, 50);
    not_for(s, s->spec.mode == SCALAR);
    switch (big(s) ? 0 : below(s, 6)) {
    case 0: set_string(s, "equation", "abc,adc->abd"), t[0] = data(s, D(a, b, c)), t[1] = data(s, D(a, 5, c)), set_list(s, "tensors", 2, t); break;
    case 1: set_string(s, "equation", "ij->ji"), t[0] = data(s, D(a, c)), set_list(s, "tensors", 1, t); break;
    case 2: set_string(s, "equation", "ii->i"), t[0] = data(s, D(b, b)), set_list(s, "tensors", 1, t); break;
    case 3: set_string(s, "equation", "i,j,k->"), t[0] = data(s, D(a)), t[1] = data(s, D(b)), t[2] = data(s, D(c)), set_list(s, "tensors", 3, t); break;
    case 4: set_string(s, "equation", "...ij,...jk->...ik"), t[0] = data(s, D(2, a, c)), t[1] = data(s, D(c, b)), set_list(s, "tensors", 2, t); break;
    default: set_string(s, "equation", "ab,bc"), t[0] = data(s, D(a, c)), t[1] = data(s, D(c, b)), set_list(s, "tensors", 2, t); break;
    }
}
static void s_tensordot(sample *s) {
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    int64_t k = size_of(s, 4, 60);
    self_at(s, "self", D(3, k, 2));
    set_tensor(s, "other", data(s, D(2, 4, k)));
    set_dims(s, "dims_self", D(1, 2));
    set_dims(s, "dims_other", D(-1, 0));
}

/* ------------------------------------------------------------------ convolution and pooling */

static void s_conv(sample *s) {
    int64_t groups = maybe(s, 3) ? 2 : 1, cin = groups * size_of(s, 2, 8), cout = groups * size_of(s, 2, 8), n = s->spec.mode == EMPTY ? 0 : size_of(s, 2, 4);
    int rank = strstr(s->op->cname, "1d") ? 1 : strstr(s->op->cname, "3d") ? 3 : 2;
    int64_t kernel = 1 + below(s, 3);
    not_for(s, s->spec.mode == SCALAR);
    wn_dims in = D(n, cin), w = D(cout, cin / groups);
    if (strstr(s->op->cname, "transpose")) w = D(cin, cout / groups);
    for (int i = 0; i < rank; i++) {
        in.v[in.n++] = big(s) ? 28 : 4 + below(s, 3);
        w.v[w.n++] = i ? kernel : 1 + below(s, 3);
    }
    self_at(s, "input", in);
    set_tensor(s, "weight", data(s, w));
    if (has_field(s, "bias") && maybe(s, 2)) set_tensor(s, "bias", data(s, D(cout)));
    bool named = strstr(s->op->cname, "_padding") != NULL, same = named && maybe(s, 2);
    if (!same && maybe(s, 2)) set_dims(s, "stride", D(2));
    if (named && maybe(s, 2)) set_string(s, "padding", "valid");
    if (same) set_string(s, "padding", "same");
    if (!named && maybe(s, 2)) set_dims(s, "padding", D(1));
    if (kernel == 2 && has_field(s, "dilation") && maybe(s, 2)) set_dims(s, "dilation", D(2));
    set_int(s, "groups", groups);
}
static void s_pool(sample *s) {
    not_for(s, s->spec.mode == SCALAR);
    wn_dims in = D(s->spec.mode == EMPTY ? 0 : size_of(s, 2, 16), size_of(s, 3, 16), 4 + below(s, 3), 4 + below(s, 3));
    if (big(s)) in.v[2] = in.v[3] = 24;
    self_at(s, has_field(s, "self") ? "self" : "input", in);
    if (has_field(s, "output_size")) {
        set_dims(s, "output_size", D(2, 3));
        return;
    }
    set_dims(s, "kernel_size", maybe(s, 2) ? D(2) : D(3, 2));
    if (maybe(s, 2)) set_dims(s, "stride", D(2, 1));
    if (maybe(s, 2)) set_dims(s, "padding", D(1));
}

/* The gradients of linear and convolution, as rows of their own. */
static void s_linear_grad(sample *s) {
    int64_t m = size_of(s, 4, 130), k = size_of(s, 6, 200), n = size_of(s, 5, 150);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "grad", D(2, m, n));
    if (has_field(s, "weight")) set_tensor(s, "weight", data(s, D(n, k)));
    else set_tensor(s, "input", data(s, D(2, m, k)));
}
static void s_contract(sample *s) {
    int64_t a = size_of(s, 3, 40), b = size_of(s, 4, 60), c = size_of(s, 4, 50);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "self", D(a, b, c));
    set_tensor(s, "other", data(s, D(c, a, 3)));
    set_dims(s, "self_labels", D(0, 1, 2));
    set_dims(s, "other_labels", D(2, 0, 3));
    set_dims(s, "labels", maybe(s, 2) ? D(3, 0, 1) : D(1, 3));
}
static void s_conv_grad(sample *s) {
    int64_t n = size_of(s, 2, 4), cin = 2 * size_of(s, 2, 8), cout = 2 * size_of(s, 2, 8), groups = maybe(s, 2) ? 2 : 1, step = 1 + below(s, 2), side = big(s) ? 29 : 5;
    int64_t out = (side + 2 - 3) / step + 1;
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "grad", D(n, cout, out, out));
    if (has_field(s, "weight_dims")) {
        set_int(s, "weight_dims", 2);
        return;
    }
    if (has_field(s, "weight")) set_tensor(s, "weight", data(s, D(cout, cin / groups, 3, 3)));
    if (has_field(s, "input")) set_tensor(s, "input", data(s, D(n, cin, side, side)));
    if (has_field(s, "input_size")) set_dims(s, "input_size", D(n, cin, side, side));
    if (has_field(s, "weight_size")) set_dims(s, "weight_size", D(cout, cin / groups, 3, 3));
    set_dims(s, "stride", D(step, step));
    set_dims(s, "padding", D(1, 1));
    set_dims(s, "dilation", D(1, 1));
    set_int(s, "groups", groups);
}
static void s_pool_backward(sample *s) {
    int64_t n = size_of(s, 2, 16), c = size_of(s, 3, 16), side = big(s) ? 24 : 6;
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    if (has_field(s, "self")) self_at(s, "self", D(n, c, side, side));
    else self_at(s, "grad", D(n, c, side / 2, side / 2));
    layout how = s->spec.layout;
    s->spec.layout = CONTIGUOUS; /* places come from another row, which makes them so */
    if (has_field(s, "places")) set_tensor(s, "places", fixed_in(s, D(n, c, side / 2, side / 2), WN_U8, 0, 3)); /* in windows of 2 x 2 */
    s->spec.layout = how;
    if (has_field(s, "self_size")) set_dims(s, "self_size", D(n, c, side, side));
    if (!has_field(s, "kernel_size")) return;
    set_dims(s, "kernel_size", D(2, 2));
    set_dims(s, "stride", D(2, 2));
    set_dims(s, "padding", D(0, 0));
    if (has_field(s, "dilation")) set_dims(s, "dilation", D(1, 1));
}

/* ------------------------------------------------------------------ normalisation */

static wn_dims normalised(sample *s, wn_dims *shape) {
    wn_dims d = at_least(s, 2), last = WN_UNSET;
    int n = 1 + (int)below(s, 2);
    for (int i = d.n - n; i < d.n; i++) last.v[last.n++] = d.v[i];
    *shape = d;
    return last;
}
static void s_layer_norm(sample *s) {
    wn_dims d, last = normalised(s, &d);
    self_at(s, "input", d);
    set_dims(s, "normalized_shape", last);
    if (maybe(s, 2)) set_tensor(s, "weight", data(s, last));
    if (has_field(s, "bias") && maybe(s, 2)) set_tensor(s, "bias", data(s, last));
    set_float(s, "eps", 1e-3);
    if (has_field(s, "where") && maybe(s, 3)) set_tensor(s, "where", mask(s, d));
}
static void s_layer_norm_backward(sample *s) {
    wn_dims d, last = normalised(s, &d), outer = WN_UNSET;
    not_for(s, s->spec.mode == SCALAR);
    for (int i = 0; i < d.n; i++) outer.v[outer.n++] = i < d.n - last.n ? d.v[i] : 1;
    self_at(s, "grad_out", d);
    set_tensor(s, "input", data(s, d));
    set_dims(s, "normalized_shape", last);
    wn_dtype stats = s->spec.dtype == WN_F64 ? WN_F64 : WN_F32;
    set_tensor(s, "mean", fixed_in(s, outer, stats, -1, 1));
    set_tensor(s, "rstd", fixed_in(s, outer, stats, 0.5, 2));
    if (maybe(s, 2)) set_tensor(s, "weight", data(s, last));
    set_int(s, "need_input", 1);
    set_int(s, "need_weight", 1);
    set_int(s, "need_bias", 1);
}
static void s_group_norm(sample *s) {
    int64_t groups = 1 + below(s, 2), c = groups * size_of(s, 2, 16);
    not_for(s, s->spec.mode == SCALAR);
    self_at(s, "input", D(s->spec.mode == EMPTY ? 0 : size_of(s, 2, 8), c, big(s) ? 900 : maybe(s, 2) ? 2 + below(s, 3) : 16 + below(s, 9)));
    set_int(s, "num_groups", groups);
    if (maybe(s, 2)) set_tensor(s, "weight", data(s, D(c)));
    if (maybe(s, 2)) set_tensor(s, "bias", data(s, D(c)));
    set_float(s, "eps", 1e-3);
}
static void s_group_norm_backward(sample *s) {
    int64_t groups = 1 + below(s, 2), c = groups * size_of(s, 2, 16), n = s->spec.mode == EMPTY ? 0 : size_of(s, 2, 8), spatial = 1 + below(s, 40);
    wn_dtype stats = s->spec.dtype == WN_F64 ? WN_F64 : WN_F32;
    not_for(s, s->spec.mode == SCALAR);
    self_at(s, "grad_out", D(n, c, spatial));
    set_tensor(s, "input", data(s, D(n, c, spatial)));
    set_int(s, "num_groups", groups);
    set_tensor(s, "mean", fixed_in(s, D(n, groups), stats, -1, 1));
    set_tensor(s, "rstd", fixed_in(s, D(n, groups), stats, 0.5, 2));
    if (maybe(s, 2)) set_tensor(s, "weight", data(s, D(c)));
    set_int(s, "need_input", 1);
    set_int(s, "need_weight", 1);
    set_int(s, "need_bias", 1);
}
static void s_batch_norm(sample *s) {
    int64_t c = size_of(s, 3, 16);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    wn_dims d = maybe(s, 2) && !big(s) ? D(4, c) : D(size_of(s, 2, 8) + 1, c, big(s) ? 900 : 3);
    bool training = maybe(s, 2);
    self_at(s, "input", d);
    if (maybe(s, 2)) set_tensor(s, "weight", data(s, D(c)));
    if (maybe(s, 2)) set_tensor(s, "bias", data(s, D(c)));
    if (!training || maybe(s, 2)) {
        layout how = s->spec.layout;
        if (how == EXPANDED) s->spec.layout = CONTIGUOUS; /* they are written */
        set_tensor(s, "running_mean", data_in(s, D(c), -1, 1));
        set_tensor(s, "running_var", data_in(s, D(c), 0.5, 2));
        s->spec.layout = how;
    }
    set_int(s, "training", training);
    set_float(s, "momentum", 0.1);
    set_float(s, "eps", 1e-3);
}
static void s_batch_norm_backward(sample *s) {
    int64_t c = size_of(s, 3, 16);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    wn_dims d = D(3, c, big(s) ? 3000 : 2);
    wn_dtype stats = s->spec.dtype == WN_F64 ? WN_F64 : WN_F32;
    self_at(s, "grad_out", d);
    set_tensor(s, "input", data(s, d));
    set_tensor(s, "save_mean", fixed_in(s, D(c), stats, -1, 1));
    set_tensor(s, "save_invstd", fixed_in(s, D(c), stats, 0.5, 2));
    if (maybe(s, 2)) set_tensor(s, "weight", data(s, D(c)));
    set_int(s, "training", maybe(s, 2));
    set_int(s, "need_input", 1);
}

/* ------------------------------------------------------------------ losses and optimisers */

static void s_loss(sample *s) {
    static const char *const reductions[] = {"mean", "sum", "none"};
    not_for(s, !is_float(s->spec.dtype)); /* differences of unsigned numbers wrap */
    self_at(s, has_field(s, "self") ? "self" : "input", s->shape);
    set_tensor(s, "target", strstr(s->op->cname, "cross_entropy") ? data_in(s, s->shape, 0.1, 0.9) : data(s, s->shape));
    if (has_field(s, "reduction")) set_string(s, "reduction", reductions[below(s, 3)]);
    if (has_field(s, "where") && maybe(s, 3)) set_tensor(s, "where", mask(s, s->shape));
}
static void s_class_loss(sample *s) {
    static const char *const reductions[] = {"mean", "sum", "none"};
    int64_t c = 2 + below(s, 4), n = s->spec.mode == EMPTY ? 0 : size_of(s, 5, 40000);
    not_for(s, s->spec.mode == SCALAR);
    bool image = maybe(s, 3) && !big(s);
    self_at(s, has_field(s, "self") ? "self" : "input", image ? D(n, c, 2) : D(n, c));
    set_tensor(s, "target", indices(s, image ? D(n, 2) : D(n), c));
    if (has_field(s, "weight") && maybe(s, 3)) set_tensor(s, "weight", fixed_in(s, D(c), s->spec.dtype, 1, 2)); /* has no derivative */
    if (has_field(s, "reduction")) set_string(s, "reduction", reductions[below(s, 3)]);
    if (has_field(s, "ignore_index") && maybe(s, 3)) set_int(s, "ignore_index", 1);
    if (has_field(s, "label_smoothing") && maybe(s, 3)) set_float(s, "label_smoothing", 0.1);
}
/* The rows behind cross_entropy and nll_loss: reduction as a number, statistics as results and arguments. */
static void s_class_loss_part(sample *s) {
    int64_t c = 2 + below(s, 4), n = size_of(s, 5, 20000);
    layout how = s->spec.layout;
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    bool back = strstr(s->op->cname, "backward") != NULL;
    wn_dtype stats = s->spec.dtype == WN_F64 ? WN_F64 : WN_F32;
    if (back) set_tensor(s, "grad", data(s, D(n)));
    if (has_field(s, "input")) set_tensor(s, "input", data(s, D(n, c)));
    if (has_field(s, "input_sizes")) set_dims(s, "input_sizes", D(n, c));
    set_tensor(s, "target", indices(s, D(n), c));
    s->spec.layout = CONTIGUOUS; /* statistics come from another row, which makes them so */
    if (back && has_field(s, "lse")) set_tensor(s, "lse", fixed_in(s, D(n), stats, 1, 2));
    if (back && has_field(s, "total")) set_tensor(s, "total", fixed_in(s, dims_of_list(0, NULL), stats, 1, 2));
    s->spec.layout = how;
    set_int(s, "reduction", back ? 0 : below(s, 3));
    set_int(s, "ignore_index", -100);
}
static void s_class_targets(sample *s) {
    int64_t c = 2 + below(s, 4), n = size_of(s, 5, 20000);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    self_at(s, "grad", D(n));
    set_tensor(s, "target", indices(s, D(n), c));
    set_dims(s, "size", D(n, c));
    set_int(s, "ignore_index", -100);
    set_float(s, "label_smoothing", 0.25);
    set_float(s, "scale", -1);
}
static void s_fused(sample *s) {
    static const char *const lists[] = {"self", "grads", "momentum_buffer_list", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs"};
    wn_dims d = s->shape;
    not_for(s, s->spec.layout == EXPANDED); /* all but grads are written */
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        wn_tensor *t[2];
        if (!has_field(s, lists[i])) continue;
        for (int k = 0; k < 2; k++) t[k] = strstr(lists[i], "sqs") ? data_in(s, d, 0.5, 1) : data(s, d);
        set_list(s, lists[i], 2, t);
    }
    set_float(s, "lr", 0.1);
    set_float(s, "weight_decay", 0.01);
    if (has_field(s, "momentum")) set_float(s, "momentum", 0.9);
    if (has_field(s, "beta1")) {
        set_float(s, "beta1", 0.9);
        set_float(s, "beta2", 0.99);
        set_float(s, "eps", 1e-3);
        set_int(s, "step", 3);
        set_int(s, "amsgrad", maybe(s, 2));
        set_int(s, "decoupled", maybe(s, 2));
    }
    set_int(s, "maximize", maybe(s, 2));
}
static void s_trunc_normal(sample *s) {
    not_for(s, s->spec.layout == EXPANDED);
    self_at(s, "self", s->shape);
    set_float(s, "mean", 0);
    set_float(s, "std", 1);
    set_float(s, "low", maybe(s, 2) ? -2 : 1);
    set_float(s, "high", 2);
}
/* One parameter's step; squares and maxima are no less than what is taken from them. */
static void s_adaptive(sample *s) {
    static const char *const squares[] = {"square_avg", "state_sum", "acc_delta", "exp_inf", "exp_avg_sq"};
    not_for(s, s->spec.layout == EXPANDED); /* all but the gradient is written */
    self_at(s, "self", s->shape);
    set_tensor(s, "grad", data(s, s->shape));
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        if (has_field(s, squares[i])) set_tensor(s, squares[i], data_in(s, s->shape, 0.5, 1));
    if (has_field(s, "exp_avg")) set_tensor(s, "exp_avg", data(s, s->shape));
    if (has_field(s, "momentum_buffer") && maybe(s, 2)) set_tensor(s, "momentum_buffer", data(s, s->shape));
    if (has_field(s, "grad_avg") && maybe(s, 2)) set_tensor(s, "grad_avg", data_in(s, s->shape, 0.1, 0.2));
    static const struct {
        const char *name;
        double value;
    } numbers[] = {{"lr", 0.1}, {"weight_decay", 0.01}, {"eps", 1e-3}, {"rho", 0.9}, {"momentum", 0.9}, {"lr_decay", 0.1}, {"beta1", 0.9},
                   {"beta2", 0.99}, {"mu_product", 0.7}, {"momentum_decay", 4e-3}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (has_field(s, numbers[i].name)) set_float(s, numbers[i].name, numbers[i].value);
    if (has_field(s, "step")) set_int(s, "step", 7);
    if (has_field(s, "decoupled")) set_int(s, "decoupled", maybe(s, 2));
    set_int(s, "maximize", maybe(s, 2));
}

/* ------------------------------------------------------------------ the entries */

static const entry entries[] = {
    {"empty", NULL, NO_VALUES}, {"empty_like", NULL, NO_VALUES}, /* uninitialised */
    {"empty_strided", s_empty_strided, NO_VALUES},
    {"arange", s_arange, 0}, {"arange_from", s_arange_from, 0}, {"linspace", s_linspace, NO_REFERENCE}, {"linspace_tensor", s_linspace, NO_REFERENCE},
    {"to", s_to, 0}, {"cast", s_to, 0}, {"copy", s_copy, 0}, {"clamp", s_clamp, 0},
    {"uniform", s_uniform, 0}, {"normal", s_normal, 0}, {"exponential", s_exponential, 0}, {"random", s_random, 0}, {"randint", s_randint, 0}, {"randint_below", s_randint, 0}, {"random_below", s_random, 0}, {"random_all", s_random, 0},
    {"bernoulli", s_bernoulli, NO_GRADCHECK}, /* jumps: its derivative is zero by decree */
    {"bernoulli_p", s_bernoulli_p, 0}, {"bernoulli_like", s_bernoulli_p, 0}, {"bernoulli_each", s_bernoulli_each, 0}, {"fill_tensor", s_fill_tensor, 0},
    {"view", s_view, 0}, {"view_dtype", NULL, NO_VALUES | NO_REFERENCE}, {"reshape", s_view, 0}, {"flatten", s_flatten, 0}, {"unflatten", s_unflatten, 0}, {"permute", s_permute, 0}, {"t", s_t, 0},
    {"mT", s_matrix, 0}, {"expand", s_expand, 0}, {"expand_as", s_expand, 0}, {"select", s_select, 0}, {"slice", s_slice, 0}, {"narrow", s_narrow, 0}, {"narrow_tensor", s_narrow, 0},
    {"diagonal", s_diagonal, 0}, {"as_strided", s_as_strided, NO_VALUES | NO_REFERENCE}, /* looks at the storage */
    {"as_strided_view", s_as_strided, NO_VALUES | NO_REFERENCE},
    {"split", s_split, 0}, {"chunk", s_split, 0}, {"split_with_sizes", s_split_sizes, 0}, {"select_backward", s_select_backward, 0},
    {"slice_backward", s_slice_backward, 0}, {"diagonal_backward", s_diagonal_backward, 0}, {"cat", s_cat, 0}, {"sum_to_size", s_sum_to_size, 0},
    {"vector_norm", s_vector_norm, 0}, {"norm", s_vector_norm, 0}, {"prod", NULL, LOOSE}, {"cumprod", NULL, LOOSE}, {"linear_scan", NULL, LOOSE},
    {"topk", s_topk, 0}, {"kthvalue", s_kthvalue, 0},
    {"index_select", s_index_select, 0}, {"index_select_backward", s_index_select_backward, 0}, {"index_add", s_index_put, 0}, {"index_copy", s_index_put, 0},
    {"gather", s_gather, 0}, {"gather_backward", s_gather_backward, 0}, {"scatter", s_scatter, 0}, {"scatter_add", s_scatter, 0},
    {"scatter_value", s_scatter, 0}, {"scatter_reducing", s_scatter, 0}, {"scatter_value_reducing", s_scatter, 0}, {"scatter_multiply", s_scatter, 0},
    {"index_fill", s_index_fill, 0}, {"index_fill_tensor", s_index_fill, 0}, {"masked_fill_tensor", s_masked_fill_tensor, 0}, {"embedding_renorm", s_embedding_renorm, 0}, {"embedding", s_embedding, 0}, {"embedding_backward", s_embedding_backward, 0},
    {"embedding_double_backward", s_embedding_double_backward, 0}, {"masked_select_backward", s_masked_select_backward, 0}, {"one_hot", s_one_hot, NO_NARROW},
    {"index", s_index, 0}, {"index_put", s_index, 0}, {"index_backward", s_index, 0}, {"tril", s_matrix, 0}, {"triu", s_matrix, 0},
    {"matmul", s_matmul, 0}, {"mm", s_mm, 0}, {"bmm", s_bmm, 0}, {"baddbmm", s_bmm, 0}, {"addmm", s_addmm, 0}, {"mv", s_mv, 0}, {"addmv", s_mv, 0},
    {"dot", s_dot, 0}, {"outer", s_dot, 0}, {"linear", s_linear, 0}, {"einsum", s_einsum, 0}, {"tensordot", s_tensordot, 0},
    {"conv1d", s_conv, NO_SMALL_INTEGERS}, {"conv2d", s_conv, NO_SMALL_INTEGERS}, {"conv3d", s_conv, NO_SMALL_INTEGERS}, {"conv_transpose2d", s_conv, NO_SMALL_INTEGERS},
    {"conv1d_padding", s_conv, NO_SMALL_INTEGERS}, {"conv2d_padding", s_conv, NO_SMALL_INTEGERS}, {"conv3d_padding", s_conv, NO_SMALL_INTEGERS},
    {"max_pool2d", s_pool, 0}, {"max_pool2d_with_indices", s_pool, 0}, {"avg_pool2d", s_pool, NO_SMALL_INTEGERS}, {"adaptive_avg_pool2d", s_pool, 0},
    {"layer_norm", s_layer_norm, LOOSE}, {"native_layer_norm", s_layer_norm, LOOSE | NO_GRADCHECK}, /* the same */ {"rms_norm", s_layer_norm, LOOSE}, {"group_norm", s_group_norm, LOOSE},
    {"batch_norm", s_batch_norm, LOOSE}, {"native_batch_norm", s_batch_norm, LOOSE | NO_GRADCHECK}, /* statistics are results, too: by batch_norm */
    {"native_layer_norm_backward", s_layer_norm_backward, LOOSE | NO_GRADCHECK}, /* takes statistics as arguments that belong to another one: its */
    {"native_group_norm", s_group_norm, LOOSE | NO_GRADCHECK}, {"native_group_norm_backward", s_group_norm_backward, LOOSE | NO_GRADCHECK}, /* so */
    {"native_batch_norm_backward", s_batch_norm_backward, LOOSE | NO_GRADCHECK}, /* derivative is checked as the second one of the norm */
    {"mse_loss", s_loss, 0}, {"l1_loss", s_loss, 0},
    {"binary_cross_entropy_with_logits", s_loss, 0}, {"cross_entropy", s_class_loss, LOOSE}, {"nll_loss", s_class_loss, 0},
    {"linear_input_grad", s_linear_grad, 0}, {"linear_weight_grad", s_linear_grad, 0}, {"contract", s_contract, 0},
    {"conv_input_grad", s_conv_grad, NO_SMALL_INTEGERS}, {"conv_weight_grad", s_conv_grad, LOOSE}, {"conv_bias_grad", s_conv_grad, LOOSE}, {"conv_transpose1d", s_conv, NO_SMALL_INTEGERS}, {"conv_transpose3d", s_conv, NO_SMALL_INTEGERS},
    {"max_pool2d_places", s_pool, 0}, {"max_pool2d_backward", s_pool_backward, 0}, {"max_pool2d_take", s_pool_backward, 0}, {"avg_pool2d_backward", s_pool_backward, 0},
    {"adaptive_avg_pool2d_windows", s_pool, 0}, {"adaptive_avg_pool2d_backward", s_pool_backward, 0},
    {"cross_entropy_forward", s_class_loss_part, LOOSE | NO_GRADCHECK}, {"cross_entropy_backward", s_class_loss_part, LOOSE | NO_GRADCHECK}, /* as the norms' */
    {"class_targets", s_class_targets, 0},
    {"nll_loss_forward", s_class_loss_part, NO_GRADCHECK}, {"nll_loss_backward", s_class_loss_part, NO_GRADCHECK},
    {"gelu_backward", NULL, LOOSE}, {"gelu_tanh_backward", NULL, LOOSE}, {"silu_backward", NULL, LOOSE}, /* sums that nearly vanish near -1 */
    {"fused_sgd", s_fused, LOOSE}, {"fused_adam", s_fused, LOOSE},
    {"trunc_normal", s_trunc_normal, NO_VALUES}, {"fused_rmsprop", s_adaptive, LOOSE}, {"fused_adagrad", s_adaptive, LOOSE}, {"fused_adadelta", s_adaptive, LOOSE}, {"fused_adamax", s_adaptive, LOOSE},
    {"fused_nadam", s_adaptive, LOOSE}, {"fused_radam", s_adaptive, LOOSE},
    {NULL, NULL, 0},
};

/* The families: this file's and those of the other samples_*.c. */
static const entry *const families[] = {entries, point_entries, losses_entries, index_entries, order_entries, spatial_entries, linalg_entries};

static const entry *find(const wn_op *op) {
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const entry *e = families[f]; e->name; e++)
            if (!strcmp(e->name, op->cname)) return e;
    return NULL;
}
bool has_entry(const wn_op *op) { return find(op) && find(op)->fill; }
unsigned excuses(const wn_op *op) { return find(op) ? find(op)->excuses : 0; }

bool sample_entry(sample *s) {
    const entry *e = find(s->op);
    if (!e || !e->fill) return false;
    e->fill(s);
    return true;
}
