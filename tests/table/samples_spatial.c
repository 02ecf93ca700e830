/* Arguments for the rows over spatial dimensions: pads, pools, interpolation, folds, grids, bags. */
#include "table.h"

static bool big(const sample *s) { return s->spec.mode == BIG; }
static int64_t size_of(sample *s, int64_t most, int64_t at_big) { return big(s) ? at_big : 1 + below(s, most); }
static void not_for(sample *s, bool condition) { s->na |= condition; }
static wn_tensor *put_at(sample *s, const char *name, wn_dims shape) {
    wn_tensor *t = data(s, shape);
    set_tensor(s, name, t);
    return t;
}
static int rank_of(const sample *s) { return strstr(s->op->cname, "1d") ? 1 : strstr(s->op->cname, "3d") ? 3 : 2; }
/* [N, C, ...] with `rank` dimensions of about `side`. */
static wn_dims image(sample *s, int rank, int64_t side) {
    wn_dims d = D(s->spec.mode == EMPTY ? 0 : size_of(s, 2, 4), size_of(s, 3, 4));
    for (int i = 0; i < rank; i++) d.v[d.n++] = big(s) ? (rank == 3 ? 14 : rank == 2 ? 40 : 700) : side + below(s, 3);
    return d;
}
static const char *input_name(const sample *s) { return has_field(s, "self") ? "self" : "input"; }

/* ------------------------------------------------------------------ pads and shuffles */

static const char *const PADS[] = {"constant", "reflect", "replicate", "circular"};
static wn_dims some_pads(sample *s, int rank, bool positive) {
    wn_dims p = WN_UNSET;
    for (int i = 0; i < 2 * rank; i++) p.v[p.n++] = below(s, positive ? 3 : 5) - (positive ? 0 : 1);
    return p;
}
static void s_pad(sample *s) {
    int rank = 1 + (int)below(s, 3), how = (int)below(s, 4);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY || (s->spec.dtype == WN_BOOL && (how == 1 || how == 2)));
    put_at(s, "self", image(s, rank, 4));
    set_string(s, "mode", PADS[how]);
    set_dims(s, "pad", some_pads(s, rank, how == 3));
    if (how == 0 && maybe(s, 2)) set_int(s, "value", 1);
}
static void s_pad_backward(sample *s) {
    int how = (int)below(s, 4);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    wn_dims d = image(s, 2, 4), p = some_pads(s, 2, how == 3), g = d;
    for (int i = 0; i < 2; i++) g.v[3 - i] += p.v[2 * i] + p.v[2 * i + 1];
    put_at(s, "grad", g);
    set_dims(s, "self_size", d);
    set_dims(s, "pad", p);
    set_string(s, "mode", PADS[how]);
}
static void s_shuffle(sample *s) {
    not_for(s, s->spec.mode == SCALAR);
    int64_t r = 1 + below(s, 3), n = s->spec.mode == EMPTY ? 0 : size_of(s, 2, 8);
    bool up = !strcmp(s->op->cname, "pixel_shuffle"), groups = has_field(s, "groups");
    put_at(s, "self", up ? D(n, 2 * r * r, 3, size_of(s, 4, 90)) : groups ? D(n, 2 * r, 3, size_of(s, 4, 90)) : D(n, 2, 3 * r, r * size_of(s, 4, 90)));
    set_int(s, up ? "upscale_factor" : groups ? "groups" : "downscale_factor", r);
}

/* ------------------------------------------------------------------ pools */

static void s_pool(sample *s) {
    int rank = rank_of(s);
    not_for(s, s->spec.mode == SCALAR);
    put_at(s, "self", image(s, rank, 4));
    if (has_field(s, "output_size")) {
        set_dims(s, "output_size", D(2));
        return;
    }
    if (has_field(s, "norm_type")) set_float(s, "norm_type", 1 + (double)below(s, 3));
    set_dims(s, "kernel_size", D(2 + below(s, 2)));
    if (maybe(s, 2)) set_dims(s, "stride", D(1 + below(s, 3)));
    if (has_field(s, "padding") && maybe(s, 2)) set_dims(s, "padding", D(1));
    if (has_field(s, "dilation") && maybe(s, 3)) set_dims(s, "dilation", D(2));
    if (maybe(s, 2)) set_int(s, "ceil_mode", 1);
    if (has_field(s, "count_include_pad") && maybe(s, 2)) set_switch(s, "count_include_pad", false);
    if (has_field(s, "divisor_override") && maybe(s, 3)) set_int(s, "divisor_override", 3);
}
static void s_avg_pool_backward(sample *s) {
    int64_t n = size_of(s, 2, 8), c = size_of(s, 3, 8), side = big(s) ? 12 : 6;
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    put_at(s, "grad", D(n, c, side / 2, side / 2, side / 2));
    set_dims(s, "self_size", D(n, c, side, side, side));
    if (has_field(s, "dims")) {
        set_int(s, "dims", 3);
        return;
    }
    set_dims(s, "kernel_size", D(2, 2, 2));
    set_dims(s, "stride", D(2, 2, 2));
    set_dims(s, "padding", D(0, 0, 0));
}
static void s_fractional(sample *s) {
    int rank = rank_of(s);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    wn_dims d = image(s, rank, 5);
    put_at(s, "self", d);
    set_dims(s, "kernel_size", D(2));
    set_dims(s, "output_size", D(3));
    /* exact in all dtypes, so that all choose the same windows */
    wn_tensor *r = data_in(s, D(d.v[0], d.v[1], rank), 0, 0);
    for (int64_t i = 0; i < wn_numel(r); i++) put(r, i, s->spec.layout == EXPANDED ? 0.5 : (double)(i % 4) / 4, 0);
    set_tensor(s, "_random_samples", r);
}
static void s_planes(sample *s) {
    int64_t n = size_of(s, 2, 8), c = size_of(s, 3, 8), side = size_of(s, 4, 30), k = size_of(s, 3, 20);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    bool take = !strcmp(s->op->cname, "plane_take");
    put_at(s, "self", take ? D(n, c, side, 2) : D(n, c, k, 3));
    set_tensor(s, "indices", indices(s, D(n, c, k, 3), 2 * side));
    set_dims(s, "size", D(side, 2));
}
static void s_unpool(sample *s) {
    int rank = rank_of(s);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    wn_dims d = image(s, rank, 3), size = WN_UNSET;
    layout how = s->spec.layout;
    put_at(s, "self", d);
    for (int i = 0; i < rank; i++) size.v[size.n++] = 2 * d.v[2 + i];
    s->spec.layout = how == EXPANDED ? CONTIGUOUS : how; /* equal indices: the last one counts, its gradient does not know */
    int64_t area = 1;
    for (int i = 0; i < rank; i++) area *= d.v[2 + i];
    wn_tensor *at = indices(s, d, 1);
    for (int64_t i = 0; i < wn_numel(at); i++) put(at, i, 0, (i * 2 + i / area) % (area << rank));
    s->spec.layout = how;
    set_tensor(s, "indices", at);
    set_dims(s, "output_size", size);
}

/* ------------------------------------------------------------------ interpolation and grids */

static void set_mode(sample *s, int rank) {
    static const char *const modes[3][4] = {{"nearest", "linear", "area", "nearest-exact"}, {"bilinear", "bicubic", "nearest", "area"}, {"trilinear", "nearest", "area", "trilinear"}};
    int which = (int)below(s, 4);
    set_string(s, "mode", modes[rank - 1][which]);
    if (strstr(modes[rank - 1][which], "linear") && maybe(s, 2)) set_int(s, "align_corners", 1);
    else if (rank == 2 && which < 2 && maybe(s, 2)) set_int(s, "antialias", 1);
}
static void s_interpolate(sample *s) {
    int rank = 1 + (int)below(s, 3);
    not_for(s, s->spec.mode == SCALAR);
    wn_dims d = image(s, rank, 3), size = WN_UNSET;
    put_at(s, input_name(s), d);
    for (int i = 0; i < rank; i++) size.v[size.n++] = big(s) ? d.v[2 + i] + 3 : 1 + below(s, 6);
    set_mode(s, rank);
    if (!strcmp(s->op->cname, "interpolate") && maybe(s, 2)) set_float(s, "scale_factor", 1.5);
    else set_dims(s, "size", size);
}
static void s_resample_backward(sample *s) {
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    wn_dims d = image(s, 2, 3), g = d;
    for (int i = 2; i < 4; i++) g.v[i] = 1 + below(s, 6);
    put_at(s, "grad", g);
    set_dims(s, "self_size", d);
    set_mode(s, 2);
}
static void s_grid(sample *s) {
    int64_t n = size_of(s, 2, 3), c = size_of(s, 3, 9), h = size_of(s, 3, 30), w = 1 + size_of(s, 3, 40), rank = strstr(s->op->cname, "3d") ? 3 : strstr(s->op->cname, "2d") ? 2 : 2 + below(s, 2);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    wn_dims in = rank == 3 ? D(n, c, 3, 4, 5) : D(n, c, 4, 5), out = rank == 3 ? D(n, c, 2, h, w) : D(n, c, h, w), grid = rank == 3 ? D(n, 2, h, w, 3) : D(n, h, w, 2);
    if (has_field(s, "grad")) put_at(s, "grad", out);
    if (has_field(s, "input")) put_at(s, "input", in);
    if (has_field(s, "input_size")) set_dims(s, "input_size", in);
    set_tensor(s, "grid", data_in(s, grid, -1.2, 1.2));
    if (has_field(s, "along")) put_at(s, "along", grid);
    set_int(s, "interpolation_mode", rank == 3 ? 0 : maybe(s, 2) ? 2 : 0);
    set_int(s, "padding_mode", below(s, 3));
    set_int(s, "align_corners", below(s, 2));
}
static void s_affine_grid(sample *s) {
    bool volume = maybe(s, 2);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    const int64_t wide = size_of(s, 4, 50);
    if (has_field(s, "theta")) put_at(s, "theta", volume ? D(2, 3, 4) : D(2, 2, 3));
    if (has_field(s, "grad")) put_at(s, "grad", volume ? D(2, 2, 3, wide, 3) : D(2, 3, wide, 2));
    set_dims(s, "size", volume ? D(2, 1, 2, 3, wide) : D(2, 1, 3, wide));
    set_int(s, "align_corners", below(s, 2));
}

/* ------------------------------------------------------------------ folds */

static void s_fold(sample *s) {
    bool columns = !strcmp(s->op->cname, "im2col");
    int64_t n = s->spec.mode == EMPTY ? 0 : size_of(s, 2, 4), c = size_of(s, 2, 8), side = big(s) ? 20 : 5, step = 1 + below(s, 2), out = (side + 2 - 3) / step + 1;
    not_for(s, s->spec.mode == SCALAR || wn__is_integer((int)s->spec.dtype) || (!columns && s->spec.dtype == WN_BOOL));
    put_at(s, "self", columns ? D(n, c, side, side) : D(n, c * 9, out * out));
    if (!columns) set_dims(s, "output_size", D(side));
    set_dims(s, "kernel_size", D(3));
    set_dims(s, "padding", D(1));
    set_dims(s, "stride", D(step));
}

/* ------------------------------------------------------------------ bags */

static void bag_positions(sample *s, int64_t bags, int64_t m, bool offsets) {
    wn_tensor *t = indices(s, D(offsets ? bags : m), 1);
    if (s->spec.layout == EXPANDED) s->na |= wn_numel(t) > 1;
    for (int64_t i = 0; i < wn_numel(t); i++) put(t, i, 0, offsets ? i * m / bags : i * bags / m);
    set_tensor(s, offsets ? "offsets" : "offset2bag", t);
}
static void s_bag(sample *s) {
    int64_t n = size_of(s, 5, 300), width = size_of(s, 4, 40), m = 1 + size_of(s, 6, 900), bags = size_of(s, 4, 90);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    int how = (int)below(s, 3);
    put_at(s, "weight", D(n, width));
    set_tensor(s, "indices", indices(s, D(m), n));
    bag_positions(s, bags, m, true);
    set_int(s, "mode", how);
    if (how == 0 && maybe(s, 2)) set_tensor(s, "per_sample_weights", data(s, D(m)));
    if (s->spec.dtype != WN_F64 && maybe(s, 2)) set_int(s, "padding_idx", below(s, n));
}
static void s_bag_grad(sample *s) {
    int64_t n = size_of(s, 5, 300), width = size_of(s, 4, 40), m = 1 + size_of(s, 6, 900), bags = size_of(s, 4, 90);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    put_at(s, "grad", D(bags, width));
    if (has_field(s, "weight")) put_at(s, "weight", D(n, width));
    set_tensor(s, "indices", indices(s, D(m), n));
    bag_positions(s, bags, m, false);
    if (!has_field(s, "num_weights")) return;
    set_int(s, "num_weights", n);
    set_int(s, "mode", below(s, 3));
    set_tensor(s, "bag_size", fixed_in(s, D(bags), WN_I64, 1, 5));
    set_tensor(s, "max_indices", indices(s, D(bags, width), n));
    set_int(s, "scale_grad_by_freq", below(s, 2));
}

/* ------------------------------------------------------------------ layers */

static void s_instance_norm(sample *s) {
    int64_t c = size_of(s, 3, 8);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    put_at(s, "input", D(size_of(s, 2, 4), c, big(s) ? 900 : 5));
    if (maybe(s, 2)) set_tensor(s, "weight", data(s, D(c)));
    if (maybe(s, 2)) set_tensor(s, "bias", data(s, D(c)));
    bool fresh = maybe(s, 2);
    if (!fresh || maybe(s, 2)) {
        layout how = s->spec.layout;
        if (how == EXPANDED) s->spec.layout = CONTIGUOUS; /* they are written */
        set_tensor(s, "running_mean", data_in(s, D(c), -1, 1));
        set_tensor(s, "running_var", data_in(s, D(c), 0.5, 2));
        s->spec.layout = how;
    }
    set_switch(s, "use_input_stats", fresh);
    set_float(s, "momentum", 0.1);
    set_float(s, "eps", 1e-3);
}
static void s_response_norm(sample *s) {
    not_for(s, s->spec.mode == SCALAR);
    put_at(s, "input", image(s, 1 + (int)below(s, 2), 3));
    set_int(s, "size", 1 + below(s, 3));
}
static void s_dropout(sample *s) {
    not_for(s, s->spec.mode == SCALAR);
    put_at(s, "input", image(s, 2, 3));
    set_float(s, "p", 0.4);
    set_int(s, "train", 1);
}
static void s_bilinear(sample *s) {
    int64_t rows = s->spec.mode == EMPTY ? 0 : size_of(s, 4, 60), n1 = size_of(s, 4, 30), n2 = size_of(s, 4, 20), out = size_of(s, 4, 10);
    not_for(s, s->spec.mode == SCALAR);
    put_at(s, "input1", D(2, rows, n1));
    put_at(s, "input2", D(2, rows, n2));
    put_at(s, "weight", D(out, n1, n2));
    if (maybe(s, 2)) put_at(s, "bias", D(out));
}
static void s_conv_tbc(sample *s) {
    int64_t c = size_of(s, 3, 8), out = size_of(s, 3, 8);
    not_for(s, s->spec.mode == SCALAR || s->spec.mode == EMPTY);
    put_at(s, "self", D(size_of(s, 4, 40) + 2, 2, c));
    put_at(s, "weight", D(2, c, out));
    put_at(s, "bias", D(out));
    if (maybe(s, 2)) set_int(s, "pad", 1);
}

const entry spatial_entries[] = {
    {"pad", s_pad, 0}, {"pad_backward", s_pad_backward, 0}, {"pixel_shuffle", s_shuffle, 0}, {"pixel_unshuffle", s_shuffle, 0}, {"channel_shuffle", s_shuffle, 0},
    {"native_channel_shuffle", s_shuffle, 0}, {"im2col", s_fold, NO_REFERENCE}, {"col2im", s_fold, 0},
    {"avg_pool1d", s_pool, NO_SMALL_INTEGERS}, {"avg_pool3d", s_pool, NO_SMALL_INTEGERS}, {"avg_pool_backward", s_avg_pool_backward, 0},
    {"adaptive_avg_pool1d", s_pool, 0}, {"adaptive_avg_pool3d", s_pool, 0}, {"adaptive_avg_pool_backward", s_avg_pool_backward, 0},
    {"max_pool1d", s_pool, 0}, {"max_pool1d_with_indices", s_pool, 0}, {"max_pool3d", s_pool, 0}, {"max_pool3d_with_indices", s_pool, 0},
    {"adaptive_max_pool1d", s_pool, 0}, {"adaptive_max_pool2d", s_pool, 0}, {"adaptive_max_pool3d", s_pool, 0},
    {"fractional_max_pool2d", s_fractional, 0}, {"fractional_max_pool3d", s_fractional, 0},
    {"plane_put", s_planes, 0}, {"plane_take", s_planes, 0}, {"max_unpool1d", s_unpool, 0}, {"max_unpool2d", s_unpool, 0}, {"max_unpool3d", s_unpool, 0},
    {"lp_pool1d", s_pool, LOOSE}, {"lp_pool2d", s_pool, LOOSE}, {"lp_pool3d", s_pool, LOOSE},
    {"interpolate", s_interpolate, NO_REFERENCE | NO_SMALL_INTEGERS}, {"resample", s_interpolate, NO_REFERENCE | NO_SMALL_INTEGERS}, /* places are computed in the elements' dtype; u8 rounds */
    {"resample_backward", s_resample_backward, NO_REFERENCE},
    {"grid_sampler", s_grid, LOOSE}, {"grid_sampler_2d", s_grid, LOOSE}, {"grid_sampler_3d", s_grid, LOOSE}, {"grid_sampler_input_grad", s_grid, LOOSE | NO_GRADGRAD},
    {"grid_sampler_grid_grad", s_grid, LOOSE | NO_GRADGRAD}, {"grid_sampler_along", s_grid, LOOSE}, {"grid_sampler_input_grad_along", s_grid, LOOSE},
    {"grid_sampler_grid_grad_along", s_grid, LOOSE}, {"affine_grid_generator", s_affine_grid, LOOSE},
    {"affine_grid_generator_backward", s_affine_grid, LOOSE},
    {"embedding_bag", s_bag, LOOSE | NO_GRADGRAD}, {"embedding_bag_weight_grad", s_bag_grad, LOOSE | NO_GRADCHECK | NO_GRADGRAD}, {"embedding_bag_samples_grad", s_bag_grad, LOOSE | NO_GRADCHECK | NO_GRADGRAD},
    {"instance_norm", s_instance_norm, LOOSE}, {"local_response_norm", s_response_norm, LOOSE | NO_SMALL_INTEGERS},
    {"dropout", s_dropout, NO_VALUES | NO_GRADCHECK | NO_SMALL_INTEGERS}, {"feature_dropout", s_dropout, NO_VALUES | NO_GRADCHECK}, {"alpha_dropout", s_dropout, NO_VALUES | NO_GRADCHECK}, {"feature_alpha_dropout", s_dropout, NO_VALUES | NO_GRADCHECK},
    {"bilinear", s_bilinear, LOOSE}, {"conv_tbc", s_conv_tbc, LOOSE | NO_SMALL_INTEGERS},
    {NULL, NULL, 0},
};
