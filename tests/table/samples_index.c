/* Arguments for the rows of indexing, views, joins and splits. */
#include "table.h"

static bool big(const sample *s) { return s->spec.mode == BIG; }
static int64_t size_of(sample *s, int64_t most, int64_t at_big) { return big(s) ? at_big : 1 + below(s, most); }
static void not_for(sample *s, bool condition) { s->na |= condition; }
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
static void set_self(sample *s, wn_dims shape) { set_tensor(s, "self", data(s, shape)); }

/* ------------------------------------------------------------------ scatter_reduce, index_reduce */

static const char *how(sample *s, bool sum, bool fold_only) {
    static const char *const all[] = {"prod", "amin", "amax", "mean", "sum"};
    return all[below(s, fold_only || s->spec.dtype == WN_BOOL ? 3 : sum ? 5 : 4)]; /* bool has no mean */
}
static void s_scatter_reduce(sample *s) {
    int at;
    wn_dims d = at_least(s, 1), from = d, src = d;
    int64_t dim = some_dim(s, &at);
    src.v[at] = from.v[at] = size_of(s, 5, 3);
    if (maybe(s, 2)) src.v[at] += 2; /* a source larger than the index */
    set_self(s, d);
    set_int(s, "dim", dim);
    set_tensor(s, "index", indices(s, from, d.v[at]));
    set_tensor(s, "src", data(s, src));
    if (has_field(s, "reduce")) set_string(s, "reduce", how(s, true, strstr(s->op->cname, "fold") != NULL));
    if (has_field(s, "mean")) set_int(s, "mean", s->spec.dtype != WN_BOOL && maybe(s, 2));
    bool own = maybe(s, 2);
    if (!strcmp(s->op->cname, "scatter_reduce")) set_switch(s, "include_self", own);
    else set_int(s, "include_self", own);
}
static void s_index_reduce(sample *s) {
    int at;
    wn_dims d = at_least(s, 1), from = d;
    int64_t dim = some_dim(s, &at);
    from.v[at] = size_of(s, 5, 3);
    set_self(s, d);
    set_int(s, "dim", dim);
    set_tensor(s, "index", indices(s, D(from.v[at]), d.v[at]));
    set_tensor(s, "source", data(s, from));
    set_string(s, "reduce", how(s, false, false));
    set_switch(s, "include_self", maybe(s, 2));
}

/* ------------------------------------------------------------------ take, put, positions */

static wn_tensor *positions(sample *s, wn_dims shape, int64_t n) { return maybe(s, 2) && n ? fixed_in(s, shape, WN_I64, -(double)n, (double)n - 1) : indices(s, shape, n); }
static void s_take(sample *s) {
    wn_dims d = s->shape;
    set_self(s, d);
    set_tensor(s, "index", positions(s, maybe(s, 2) ? D(size_of(s, 5, 60000)) : D(2, size_of(s, 3, 20000)), product(d)));
}
static void s_take_backward(sample *s) {
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    set_tensor(s, "grad", data(s, D(2, 3)));
    set_dims(s, "self_sizes", D(2, 4));
    set_tensor(s, "index", positions(s, D(2, 3), 8));
}
static void s_put(sample *s) {
    wn_dims d = s->shape;
    int64_t n = size_of(s, 5, 60000);
    set_self(s, d);
    set_tensor(s, "index", positions(s, D(2, n), product(d)));
    set_tensor(s, "source", data(s, maybe(s, 2) ? D(2 * n) : D(n, 2)));
    set_int(s, "accumulate", maybe(s, 2));
}
static void s_take_along_dim(sample *s) {
    int at;
    wn_dims d = at_least(s, 1), to = d;
    int64_t dim = some_dim(s, &at), n = d.v[at];
    to.v[at] = size_of(s, 5, 3);
    int other = (at + 1) % d.n;
    if (d.n > 1 && s->spec.mode == NORMAL && maybe(s, 2)) *(maybe(s, 2) ? &d.v[other] : &to.v[other]) = 1; /* broadcast */
    set_self(s, d);
    if (maybe(s, 4)) {
        set_tensor(s, "indices", positions(s, D(size_of(s, 5, 40000)), product(d)));
    } else {
        set_int(s, "dim", dim);
        set_tensor(s, "indices", positions(s, to, n));
    }
}
static void s_triangle(sample *s) {
    set_int(s, "row", s->spec.mode == EMPTY ? 0 : size_of(s, 5, 300));
    set_int(s, "col", size_of(s, 5, 200));
    set_int(s, "offset", below(s, 7) - 3);
    set_int(s, "dtype", maybe(s, 2) ? WN_I64 : WN_I32);
    not_for(s, s->spec.dtype != WN_I64);
}
static void s_unravel(sample *s) {
    not_for(s, s->spec.dtype != WN_I64);
    set_tensor(s, "indices", indices(s, s->shape, 24));
    set_dims(s, "shape", maybe(s, 2) ? D(2, 3, 4) : D(24));
}
static void s_repeat_positions(sample *s) {
    not_for(s, s->spec.dtype != WN_I64);
    set_tensor(s, "repeats", indices(s, D(size_of(s, 6, 20000)), 4));
}
static void s_repeat_each(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    int64_t dim = some_dim(s, &at);
    set_self(s, d);
    bool flat = maybe(s, 3);
    if (!flat) set_int(s, "dim", dim);
    if (has_field(s, "repeats") && strstr(s->op->cname, "each")) set_tensor(s, "repeats", indices(s, maybe(s, 3) ? D(1) : D(flat ? product(d) : d.v[at]), 4));
    else set_int(s, "repeats", below(s, 4));
}
static void s_filled(sample *s) {
    set_self(s, s->shape);
    if (strstr(s->op->cname, "tensor")) set_tensor(s, "value", data(s, dims_of_list(0, NULL)));
    else set_int(s, "value", 1);
}

/* ------------------------------------------------------------------ diagonals, windows, turns */

static void s_diag(sample *s) {
    if (s->spec.mode == SCALAR) s->na = true;
    if (s->shape.n > 2) s->shape.n = 2;
    if (big(s)) s->shape = maybe(s, 2) ? D(300) : D(300, 200);
    set_self(s, s->shape);
    set_int(s, "diagonal", below(s, 5) - 2);
}
static void s_diag_embed(sample *s) {
    wn_dims d = at_least(s, 1);
    if (big(s)) d = D(3, 200);
    set_self(s, d);
    set_int(s, "offset", below(s, 5) - 2);
    if (maybe(s, 2)) {
        set_int(s, "dim1", d.n);
        set_int(s, "dim2", d.n - 1);
    }
}
static void s_diagflat(sample *s) {
    if (big(s)) s->shape = D(3, 100);
    set_self(s, s->shape);
    set_int(s, "offset", below(s, 5) - 2);
}
static void s_linalg_diagonal(sample *s) {
    set_tensor(s, "A", data(s, at_least(s, 2)));
    set_int(s, "offset", below(s, 5) - 2);
}
static void s_two(sample *s) { set_self(s, at_least(s, 2)); }
static void s_one(sample *s) { set_self(s, at_least(s, 1)); }
static void s_trace(sample *s) {
    not_for(s, s->spec.dtype == WN_BOOL);
    set_self(s, s->spec.mode == EMPTY ? D(0, 3) : D(size_of(s, 5, 300), size_of(s, 5, 200)));
    not_for(s, s->spec.mode == SCALAR);
}
static void s_unfold(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    set_int(s, "dimension", some_dim(s, &at));
    set_self(s, d);
    set_int(s, "size", below(s, (d.v[at] < 40 ? d.v[at] : 40) + 1));
    set_int(s, "step", 1 + below(s, 3));
}
static void s_unfold_backward(sample *s) {
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    int64_t n = size_of(s, 4, 9000), size = 1 + below(s, 4), step = 1 + below(s, 3), rest = below(s, step);
    set_tensor(s, "grad_in", data(s, D(2, n, 3, size)));
    set_dims(s, "input_sizes", D(2, (n - 1) * step + size + rest, 3));
    set_int(s, "dim", maybe(s, 2) ? 1 : -2);
    set_int(s, "size", size);
    set_int(s, "step", step);
}
static void s_roll(sample *s) {
    wn_dims d = s->shape, shifts = WN_UNSET, dims = WN_UNSET;
    set_self(s, d);
    for (int i = 0; i < d.n; i++)
        if (maybe(s, 2)) {
            shifts.v[shifts.n++] = below(s, 9) - 4;
            dims.v[dims.n++] = maybe(s, 2) ? i : i - d.n;
        }
    if (!shifts.n) shifts = D(below(s, 30) - 15);
    set_dims(s, "shifts", shifts);
    set_dims(s, "dims", dims);
}
static void s_rot90(sample *s) {
    wn_dims d = at_least(s, 2);
    int a = (int)below(s, d.n), b = (a + 1 + (int)below(s, d.n - 1)) % d.n;
    set_self(s, d);
    set_int(s, "k", below(s, 9) - 4);
    set_dims(s, "dims", D(a, b - d.n));
}
static void s_pad(sample *s) {
    wn_dims d = s->shape, pad = WN_UNSET;
    set_self(s, d);
    int n = d.n > 0 ? 1 + (int)below(s, d.n) : 0;
    for (int i = 0; i < n; i++) {
        int64_t size = d.v[d.n - 1 - i];
        pad.v[pad.n++] = below(s, 4) - (size > 1);
        pad.v[pad.n++] = below(s, 4) - (size > 2);
    }
    if (!pad.n) pad.n = -1;
    set_dims(s, "pad", pad);
    if (maybe(s, 2)) set_int(s, "value", 1);
}
static void s_repeat(sample *s) {
    wn_dims d = s->shape, r = WN_UNSET;
    int n = d.n > 0 ? d.n : 0;
    set_self(s, d);
    bool tile = has_field(s, "dims");
    int entries = tile ? (int)below(s, n + 2) : n + (int)below(s, 2);
    for (int i = 0; i < entries; i++) r.v[r.n++] = big(s) ? 1 + below(s, 2) : below(s, 4);
    if (!r.n) r.n = -1;
    set_dims(s, tile ? "dims" : "repeats", r);
}

/* ------------------------------------------------------------------ splits and parts */

static void s_tensor_split(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    set_self(s, d);
    set_int(s, "dim", some_dim(s, &at));
    if (has_field(s, "sections")) set_int(s, "sections", 1 + below(s, 5));
    else if (has_field(s, "indices")) set_dims(s, "indices", maybe(s, 4) ? dims_of_list(0, NULL) : D(below(s, 4), below(s, 7) - 3));
    else set_tensor(s, "tensor_indices_or_sections", maybe(s, 2) ? fixed_in(s, dims_of_list(0, NULL), WN_I64, 1, 4) : fixed_in(s, D(3), WN_I64, -3, 5));
}
static void s_named_split(sample *s) {
    char which = s->op->cname[0];
    wn_dims d = at_least(s, which == 'h' ? 1 : which == 'v' ? 2 : 3);
    int at = which == 'h' ? d.n > 1 : which == 'v' ? 0 : 2;
    if (s->spec.mode == NORMAL) d.v[at] = 6;
    set_self(s, d);
    if (has_field(s, "indices")) set_dims(s, "indices", D(below(s, 4), below(s, 7) - 3));
    else set_int(s, "sections", s->spec.mode == NORMAL ? 1 + below(s, 3) : 1);
}
static void s_part(sample *s) { /* select_scatter, slice_scatter, diagonal_scatter */
    int at;
    not_for(s, s->spec.mode == EMPTY);
    wn_dims d = at_least(s, 2), part = WN_UNSET;
    int64_t dim = some_dim(s, &at);
    set_self(s, d);
    if (has_field(s, "index")) {
        for (int i = 0; i < d.n; i++)
            if (i != at) part.v[part.n++] = d.v[i];
        set_int(s, "dim", dim);
        if (!s->na) set_int(s, "index", below(s, 2 * d.v[at]) - d.v[at]);
    } else if (has_field(s, "start")) {
        part = d;
        int64_t start = below(s, d.v[at] + 1), step = 1 + below(s, 3);
        part.v[at] = (d.v[at] - start + step - 1) / step;
        set_int(s, "dim", dim);
        set_int(s, "start", start);
        set_int(s, "step", step);
    } else {
        for (int i = 2; i < d.n; i++) part.v[part.n++] = d.v[i];
        part.v[part.n++] = d.v[0] < d.v[1] ? d.v[0] : d.v[1];
    }
    if (!part.n) part.n = -1;
    set_tensor(s, "src", data(s, part));
}
static void s_as_strided_scatter(sample *s) {
    wn_tensor *t = data(s, D(4, 5));
    set_tensor(s, "self", t);
    set_tensor(s, "src", data(s, D(2, 3)));
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    set_dims(s, "size", D(2, 3));
    set_dims(s, "stride", D(1, 2));
    set_int(s, "storage_offset", wn_storage_offset(t));
}
static void s_empty_permuted(sample *s) {
    set_dims(s, "size", D(2, 3, 4));
    set_dims(s, "physical_layout", D(1, 2, 0));
    set_int(s, "dtype", s->spec.dtype);
}

/* ------------------------------------------------------------------ joins */

static void s_stack(sample *s) {
    wn_tensor *all[3];
    wn_dims d = s->shape;
    int n = 1 + (int)below(s, 3);
    if (!strcmp(s->op->cname, "block_diag") || strstr(s->op->cname, "cartesian") || strstr(s->op->cname, "meshgrid")) {
        int most = strcmp(s->op->cname, "block_diag") ? 1 : 2;
        for (int i = 0; i < n; i++) {
            wn_dims each = {.n = (int)below(s, most + 1)};
            for (int k = 0; k < each.n; k++) each.v[k] = s->spec.mode == EMPTY && maybe(s, 2) ? 0 : size_of(s, 4, 40);
            if (most == 1 && strstr(s->op->cname, "cartesian")) each.n = 1, each.v[0] = size_of(s, 4, 40);
            if (!each.n) each.n = -1;
            all[i] = data(s, each);
        }
    } else {
        for (int i = 0; i < n; i++) all[i] = data(s, d);
    }
    set_list(s, "tensors", n, all);
    if (has_field(s, "indexing") && maybe(s, 2)) set_string(s, "indexing", maybe(s, 2) ? "xy" : "ij");
}
static void s_combinations(sample *s) {
    not_for(s, s->spec.mode == SCALAR);
    set_self(s, D(s->spec.mode == EMPTY ? 0 : size_of(s, 5, 100)));
    set_int(s, "r", 1 + below(s, 3));
    set_int(s, "with_replacement", maybe(s, 2));
}

/* ------------------------------------------------------------------ copies of views: as their views */

static void s_expand_copy(sample *s) {
    wn_dims d = s->shape, to = D(2);
    for (int i = 0; i < d.n; i++) to.v[to.n++] = d.v[i];
    set_self(s, d);
    set_dims(s, "size", to);
}
static void s_permute_copy(sample *s) {
    wn_dims d = s->shape;
    int n = d.n > 0 ? d.n : 0;
    set_self(s, d);
    d.n = n ? n : -1;
    for (int i = 0; i < n; i++) d.v[i] = n - 1 - i;
    set_dims(s, "dims", d);
}
static void s_t_copy(sample *s) {
    if (s->shape.n > 2) s->shape.n = 2;
    set_self(s, s->shape);
}
static void s_select_copy(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    int64_t dim = some_dim(s, &at);
    not_for(s, d.v[at] == 0);
    set_self(s, d);
    set_int(s, "dim", dim);
    if (has_field(s, "index")) set_int(s, "index", 0);
    if (has_field(s, "length")) set_int(s, "length", d.v[at] > 0);
}
static void s_view_copy(sample *s) {
    not_for(s, s->spec.layout != CONTIGUOUS || s->spec.mode == EMPTY);
    set_self(s, s->shape);
    set_dims(s, "size", D(-1));
}
static void s_as_strided_copy(sample *s) {
    wn_tensor *t = data(s, D(4, 5));
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    set_tensor(s, "self", t);
    set_dims(s, "size", D(2, 3));
    set_dims(s, "stride", D(1, 2));
    set_int(s, "storage_offset", wn_storage_offset(t));
}
static void s_pieces(sample *s) {
    int at;
    wn_dims d = at_least(s, 1);
    set_self(s, d);
    set_int(s, "dim", some_dim(s, &at));
    if (has_field(s, "chunks")) set_int(s, "chunks", 1 + below(s, 3));
    if (has_field(s, "split_size")) set_int(s, "split_size", big(s) ? d.v[at] / 3 + 1 : 1 + below(s, 3));
    int64_t first = below(s, d.v[at] + 1);
    if (has_field(s, "split_sizes")) set_dims(s, "split_sizes", D(first, 0, d.v[at] - first));
}

/* ------------------------------------------------------------------ segments */

static void s_segments(sample *s) {
    static const char *const folds[] = {"sum", "mean", "max", "min", "prod"};
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY || !is_float(s->spec.dtype));
    layout how_laid = s->spec.layout;
    int64_t n = size_of(s, 9, 20000), cut = below(s, n + 1);
    bool rows = maybe(s, 2);
    set_tensor(s, "data", data(s, rows ? D(1, n, 2) : maybe(s, 2) ? D(n) : D(n, 3)));
    s->spec.layout = CONTIGUOUS;
    bool offsets = strstr(s->op->cname, "fold") != NULL;
    wn_tensor *t = fixed_in(s, rows ? D(1, 4) : D(4), WN_I64, 0, 0);
    const int64_t ends[] = {0, cut, cut, n}, lengths[] = {cut, 0, n - cut, 0};
    for (int i = 0; i < 4; i++) put(t, i, 0, offsets ? ends[i] : lengths[i]);
    s->spec.layout = how_laid;
    set_tensor(s, offsets ? "offsets" : "lengths", t);
    set_int(s, "axis", rows);
    set_string(s, "reduce", folds[below(s, 5)]);
    set_float(s, "initial", 0.5); /* or empty segments are not finite */
}

const entry index_entries[] = {
    {"segment_reduce", s_segments, LOOSE}, {"segment_fold", s_segments, LOOSE},
    {"scatter_reduce", s_scatter_reduce, LOOSE}, {"scatter_sum", s_scatter_reduce, LOOSE}, {"scatter_fold", s_scatter_reduce, LOOSE}, {"index_reduce", s_index_reduce, LOOSE},
    {"no_second_derivative", NULL, NO_GRADCHECK}, /* as it says */
    {"take", s_take, 0}, {"take_backward", s_take_backward, 0}, {"put", s_put, 0}, {"take_along_dim", s_take_along_dim, 0},
    {"triu_indices", s_triangle, NO_SMALL_INTEGERS}, {"tril_indices", s_triangle, NO_SMALL_INTEGERS}, {"unravel_index", s_unravel, NO_SMALL_INTEGERS},
    {"repeat_interleave_positions", s_repeat_positions, NO_SMALL_INTEGERS}, {"repeat_interleave_each", s_repeat_each, 0}, {"repeat_interleave", s_repeat_each, 0},
    {"filled", s_filled, 0}, {"filled_tensor", s_filled, 0},
    {"diag", s_diag, 0}, {"diag_embed", s_diag_embed, 0}, {"diagflat", s_diagflat, 0}, {"linalg_diagonal", s_linalg_diagonal, 0}, {"trace", s_trace, 0},
    {"adjoint", s_two, 0}, {"fliplr", s_two, 0}, {"flipud", s_one, 0}, {"unfold", s_unfold, 0}, {"unfold_backward", s_unfold_backward, 0},
    {"roll", s_roll, 0}, {"rot90", s_rot90, 0}, {"constant_pad_nd", s_pad, 0}, {"repeat", s_repeat, 0}, {"tile", s_repeat, 0},
    {"tensor_split", s_tensor_split, 0}, {"tensor_split_at", s_tensor_split, 0}, {"tensor_split_tensor", s_tensor_split, 0},
    {"hsplit", s_named_split, 0}, {"hsplit_at", s_named_split, 0}, {"vsplit", s_named_split, 0}, {"vsplit_at", s_named_split, 0},
    {"dsplit", s_named_split, 0}, {"dsplit_at", s_named_split, 0},
    {"select_scatter", s_part, 0}, {"slice_scatter", s_part, 0}, {"diagonal_scatter", s_part, 0},
    {"as_strided_scatter", s_as_strided_scatter, NO_VALUES | NO_REFERENCE}, /* looks at the storage */
    {"empty_permuted", s_empty_permuted, NO_VALUES}, /* uninitialised */
    {"hstack", s_stack, 0}, {"vstack", s_stack, 0}, {"dstack", s_stack, 0}, {"column_stack", s_stack, 0}, {"block_diag", s_stack, 0}, {"meshgrid", s_stack, 0},
    {"cartesian_prod", s_stack, 0}, {"combinations", s_combinations, 0},
    {"as_strided_copy", s_as_strided_copy, NO_VALUES | NO_REFERENCE}, {"expand_copy", s_expand_copy, 0}, {"permute_copy", s_permute_copy, 0}, {"select_copy", s_select_copy, 0},
    {"narrow_copy", s_select_copy, 0}, {"slice_copy", s_select_copy, 0}, {"diagonal_copy", s_two, 0}, {"t_copy", s_t_copy, 0}, {"view_copy", s_view_copy, 0}, {"view_dtype_copy", NULL, NO_VALUES | NO_REFERENCE},
    {"unfold_copy", s_unfold, 0}, {"unbind_copy", s_pieces, 0}, {"split_copy", s_pieces, 0}, {"split_with_sizes_copy", s_pieces, 0},
    {"unsafe_split", s_pieces, 0}, {"unsafe_split_with_sizes", s_pieces, 0}, {"unsafe_chunk", s_pieces, 0},
    {NULL, NULL, 0},
};
