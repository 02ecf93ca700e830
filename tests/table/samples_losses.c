/* Arguments for losses, distances, attention and recurrent layers. */
#include "table.h"

static bool big(const sample *s) { return s->spec.mode == BIG; }
static int64_t size_of(sample *s, int64_t most, int64_t at_big) { return big(s) ? at_big : 1 + below(s, most); }
static void not_for(sample *s, bool condition) { s->na |= condition; }
static bool reduced(const sample *s) { return s->spec.mode == SCALAR || s->spec.mode == EMPTY; }
static void some_reduction(sample *s) {
    static const char *const words[] = {"mean", "sum", "none"};
    set_string(s, "reduction", words[below(s, 3)]);
}

/* ------------------------------------------------------------------ one number for each element */

static void s_pairs(sample *s) { /* input and target of one shape; probabilities where they must be */
    not_for(s, !is_float(s->spec.dtype) || (s->spec.dtype2 && s->spec.dtype2 != s->spec.dtype));
    bool unit = strstr(s->op->cname, "binary_cross_entropy") != NULL, kl = strstr(s->op->cname, "kl_div") != NULL;
    const char *first = has_field(s, "self") ? "self" : "input";
    if (has_field(s, "grad_output")) set_tensor(s, "grad_output", data(s, s->shape));
    set_tensor(s, first, unit ? data_in(s, s->shape, 0.1, 0.9) : data(s, s->shape));
    set_tensor(s, "target", unit || kl ? data_in(s, s->shape, 0.1, 0.9) : data(s, s->shape));
    if (has_field(s, "beta")) set_float(s, "beta", 0.75);
    if (has_field(s, "delta")) set_float(s, "delta", 0.75);
    if (has_field(s, "reduction")) some_reduction(s);
    if (has_field(s, "log_target") && maybe(s, 2)) set_int(s, "log_target", 1);
    if (has_field(s, "full")) set_int(s, "full", maybe(s, 2));
    if (has_field(s, "log_input")) set_int(s, "log_input", 1);
    if (has_field(s, "weight") && maybe(s, 3)) set_tensor(s, "weight", data(s, s->shape));
}
static void s_classes(sample *s) { /* the last dimension holds classes */
    if (s->shape.n < 1) s->shape = D(3);
    s_pairs(s);
}
static void s_gaussian(sample *s) {
    not_for(s, !is_float(s->spec.dtype));
    set_tensor(s, "input", data(s, s->shape));
    set_tensor(s, "target", data(s, s->shape));
    set_tensor(s, "var", data_in(s, s->shape, 0.5, 2));
    some_reduction(s);
}
static wn_tensor *signs(sample *s, wn_dims d) { /* 1 and -1 */
    wn_tensor *t = fixed_in(s, d, WN_F64, -1, 1);
    for (int64_t i = 0; i < wn_numel(t); i++) put(t, i, get_f(t, i) > 0 ? 1 : -1, 1);
    return t;
}
static void s_signed(sample *s) {
    not_for(s, s->spec.dtype != WN_F64 || reduced(s));
    if (has_field(s, "input2")) {
        wn_dims d = strstr(s->op->cname, "cosine") ? D(size_of(s, 4, 3000), 5) : s->shape, each = strstr(s->op->cname, "cosine") ? D(d.v[0]) : d;
        set_tensor(s, "input1", data(s, d));
        set_tensor(s, "input2", data(s, d));
        set_tensor(s, "target", signs(s, each));
    } else {
        set_tensor(s, "input", data(s, s->shape));
        set_tensor(s, "target", signs(s, s->shape));
    }
    set_float(s, "margin", 0.25);
    some_reduction(s);
}
static void s_triplet(sample *s) {
    not_for(s, !is_float(s->spec.dtype) || reduced(s));
    wn_dims d = D(size_of(s, 4, 3000), 5);
    set_tensor(s, "anchor", data(s, d));
    set_tensor(s, "positive", data(s, d));
    set_tensor(s, "negative", data(s, d));
    set_int(s, "swap", maybe(s, 2));
    some_reduction(s);
}
static void s_multi_margin(sample *s) {
    int64_t c = 2 + below(s, 4), n = size_of(s, 5, 5000);
    not_for(s, !is_float(s->spec.dtype) || reduced(s));
    set_tensor(s, "input", data(s, D(n, c)));
    set_tensor(s, "target", indices(s, D(n), c));
    if (maybe(s, 2)) set_int(s, "p", 2);
    some_reduction(s);
}
static void s_multilabel(sample *s) {
    int64_t c = 2 + below(s, 4), n = size_of(s, 5, 5000);
    bool back = has_field(s, "grad_output");
    not_for(s, !is_float(s->spec.dtype) || reduced(s));
    if (back) set_tensor(s, "grad_output", data(s, D(n)));
    set_tensor(s, has_field(s, "self") ? "self" : "input", data(s, D(n, c)));
    set_tensor(s, "target", fixed_in(s, D(n, c), WN_I64, -1, (double)c - 1));
    if (back) set_tensor(s, "is_target", fixed_in(s, D(n, c), s->spec.dtype == WN_F64 ? WN_F64 : WN_F32, 0, 1));
    if (!strcmp(s->op->cname, "multilabel_margin_loss")) some_reduction(s);
    else if (!back) set_int(s, "reduction", below(s, 3));
}

/* ------------------------------------------------------------------ distances */

static void s_two(sample *s) {
    not_for(s, !is_float(s->spec.dtype) || s->spec.mode == SCALAR);
    wn_dims d = D(size_of(s, 4, 700), s->spec.mode == EMPTY ? 0 : 5, 3);
    not_for(s, s->spec.mode == EMPTY);
    set_tensor(s, "x1", data(s, d));
    set_tensor(s, "x2", data(s, maybe(s, 3) ? D(d.v[1], 3) : d));
    if (has_field(s, "dim")) set_int(s, "dim", maybe(s, 2) ? 1 : -1);
    if (has_field(s, "p") && maybe(s, 2)) set_int(s, "p", 3);
}
static void s_normalize(sample *s) {
    not_for(s, !is_float(s->spec.dtype) || s->spec.mode == SCALAR);
    set_tensor(s, "input", data(s, D(s->spec.mode == EMPTY ? 0 : size_of(s, 4, 9000), 5)));
    if (maybe(s, 2)) set_int(s, "dim", -1);
}
static void s_pdist(sample *s) {
    static const double orders[] = {2, 1, 3, 0};
    int64_t n = 1 + size_of(s, 5, 120);
    not_for(s, !is_float(s->spec.dtype) || reduced(s));
    if (has_field(s, "grad")) set_tensor(s, "grad", data(s, D(n * (n - 1) / 2)));
    set_tensor(s, "self", data(s, D(n, 4)));
    set_float(s, "p", orders[below(s, 3)]);
    if (has_field(s, "pdist")) set_tensor(s, "pdist", fixed_in(s, D(n * (n - 1) / 2), s->spec.dtype, 0.5, 3));
}
static void s_ctc(sample *s) {
    int64_t steps = 6, n = size_of(s, 3, 40), c = 4;
    not_for(s, !is_float(s->spec.dtype) || reduced(s));
    bool back = has_field(s, "grad");
    wn_dtype d = s->spec.dtype == WN_F64 ? WN_F64 : WN_F32;
    if (back) set_tensor(s, "grad", data(s, D(n)));
    set_tensor(s, "log_probs", data_in(s, D(steps, n, c), -3, -0.5));
    set_tensor(s, "targets", fixed_in(s, D(n, 3), WN_I64, 1, (double)c - 1));
    set_tensor(s, "input_lengths", fixed_in(s, D(n), WN_I64, 5, 6)); /* 5: three equal symbols fit */
    set_tensor(s, "target_lengths", fixed_in(s, D(n), WN_I64, back ? 3 : 1, 3));
    if (back) {
        set_tensor(s, "neg_log_likelihood", fixed_in(s, D(n), d, 1, 2));
        set_tensor(s, "log_alpha", fixed_in(s, D(n, steps, 7), d, -9, -3));
    }
    if (has_field(s, "reduction")) some_reduction(s);
}

/* ------------------------------------------------------------------ attention */

static void s_attention(sample *s) {
    not_for(s, !is_float(s->spec.dtype) || reduced(s) || (s->spec.dtype2 && s->spec.dtype2 != s->spec.dtype));
    int64_t h = size_of(s, 2, 3), l = size_of(s, 5, 300), n = size_of(s, 6, 200), e = size_of(s, 4, 20), v = size_of(s, 3, 9);
    bool whole = strcmp(s->op->cname, "scaled_dot_product_attention") == 0, back = has_field(s, "grad");
    wn_dtype wide = s->spec.dtype == WN_F64 ? WN_F64 : WN_F32;
    if (back) set_tensor(s, "grad", data(s, D(2, h, l, v)));
    set_tensor(s, "query", data(s, D(2, h, l, e)));
    set_tensor(s, "key", data(s, whole && maybe(s, 2) ? D(h, n, e) : D(2, h, n, e)));
    set_tensor(s, "value", data(s, D(2, h, n, v)));
    if (maybe(s, 3)) set_tensor(s, "attn_mask", mask(s, maybe(s, 2) ? D(l, n) : D(2, 1, l, n)));
    else if (maybe(s, 2)) set_int(s, "is_causal", 1);
    if (!whole || maybe(s, 2)) set_float(s, "scale", 0.5);
    if (!back) return;
    set_tensor(s, "output", data(s, D(2, h, l, v)));
    set_tensor(s, "logsumexp", fixed_in(s, D(2, h, l), wide, 1, 3));
}

static void s_composed(sample *s) {
    s_attention(s);
    if (!has_field(s, "dropout_p")) return;
    set_float(s, "dropout_p", 0);
}
static void s_where_product(sample *s) { /* other: [n, v] of product_where, [n, v] beside self [l, v] of scores_where */
    not_for(s, !is_float(s->spec.dtype) || reduced(s) || (s->spec.dtype2 && s->spec.dtype2 != s->spec.dtype));
    int64_t l = size_of(s, 5, 150), n = size_of(s, 6, 100), v = size_of(s, 3, 9);
    bool scores = strcmp(s->op->cname, "scores_where") == 0;
    set_tensor(s, "self", data(s, D(2, l, scores ? v : n)));
    set_tensor(s, "other", data(s, D(2, n, v)));
    set_tensor(s, "where", mask(s, D(2, l, n)));
}

/* ------------------------------------------------------------------ recurrent layers */

static int64_t gates_of(const char *name) { return strstr(name, "lstm") ? 4 : strstr(name, "gru") ? 3 : 1; }
static void not_recurrent(sample *s) {
    not_for(s, !is_float(s->spec.dtype) || reduced(s) || (s->spec.dtype2 && s->spec.dtype2 != s->spec.dtype));
}
static wn_tensor *step_sizes(sample *s, int64_t n) { /* of three sequences (n: the longest) */
    layout how = s->spec.layout;
    s->spec.layout = CONTIGUOUS;
    wn_tensor *t = fixed_in(s, D(n), WN_I64, 3, 3);
    for (int64_t i = 1; i < n; i++) put(t, i, i == n - 1 ? 1 : 2, i == n - 1 ? 1 : 2);
    s->spec.layout = how;
    return t;
}
static void s_rnn(sample *s) {
    not_recurrent(s);
    const char *name = s->op->cname;
    bool packed = has_field(s, "batch_sizes"), lstm = strstr(name, "lstm") != NULL, both = maybe(s, 2), biases = maybe(s, 2), first = maybe(s, 2);
    int64_t g = gates_of(name), h = size_of(s, 3, 20), in = size_of(s, 3, 9), batch = packed ? 3 : size_of(s, 3, 9), steps = packed ? 4 : size_of(s, 4, 30), layers = maybe(s, 2) ? 2 : 1;
    int64_t p = lstm && maybe(s, 3) ? h + 1 : h, d = both ? 2 : 1;
    set_tensor(s, packed ? "data" : "input", data(s, packed ? D(8, in) : first ? D(batch, steps, in) : D(steps, batch, in)));
    if (packed) set_tensor(s, "batch_sizes", step_sizes(s, steps));
    wn_tensor *hx[2] = {data(s, D(layers * d, batch, p)), lstm ? data(s, D(layers * d, batch, h)) : NULL}, *params[24];
    if (lstm) set_list(s, "hx", 2, hx);
    else set_tensor(s, "hx", hx[0]);
    int n = 0;
    for (int64_t l = 0; l < layers * d; l++) {
        params[n++] = data(s, D(g * h, l < d ? in : p * d));
        params[n++] = data(s, D(g * h, p));
        for (int b = 0; b < (biases ? 2 : 0); b++) params[n++] = data(s, D(g * h));
        if (p != h) params[n++] = data(s, D(p, h));
    }
    set_list(s, "params", n, params);
    set_int(s, "has_biases", biases);
    set_int(s, "num_layers", layers);
    set_int(s, "bidirectional", both);
    if (!packed) set_int(s, "batch_first", first);
}
static void s_cell(sample *s) {
    not_recurrent(s);
    bool lstm = strstr(s->op->cname, "lstm") != NULL;
    int64_t g = gates_of(s->op->cname), h = size_of(s, 4, 60), in = size_of(s, 4, 30), n = size_of(s, 4, 40);
    set_tensor(s, "input", data(s, D(n, in)));
    wn_tensor *hx[2] = {data(s, D(n, h)), lstm ? data(s, D(n, h)) : NULL};
    if (lstm) set_list(s, "hx", 2, hx);
    else set_tensor(s, "hx", hx[0]);
    set_tensor(s, "w_ih", data(s, D(g * h, in)));
    set_tensor(s, "w_hh", data(s, D(g * h, h)));
    if (maybe(s, 2)) return;
    set_tensor(s, "b_ih", data(s, D(g * h)));
    set_tensor(s, "b_hh", data(s, D(g * h)));
}
static void s_rnn_layer(sample *s) {
    not_recurrent(s);
    bool back = has_field(s, "saved");
    int64_t kind = below(s, 4), g = kind == 3 ? 4 : kind == 2 ? 3 : 1, h = size_of(s, 3, 40), steps = size_of(s, 3, 20), n = size_of(s, 3, 20), rows = steps * n;
    int64_t p = kind == 3 && maybe(s, 2) ? h + 1 : h;
    bool packed = maybe(s, 2) && !big(s);
    if (packed) n = 3, rows = 8;
    set_int(s, "kind", kind);
    set_int(s, "reverse", maybe(s, 2));
    if (packed) set_tensor(s, "batch_sizes", step_sizes(s, 4));
    set_tensor(s, "hx", data(s, D(n, p)));
    if (kind == 3) set_tensor(s, "cx", data(s, D(n, h)));
    set_tensor(s, "w_hh", data(s, D(g * h, p)));
    if (p != h) set_tensor(s, "w_hr", data(s, D(p, h)));
    if (!back) {
        set_tensor(s, "gates", data(s, D(rows, g * h)));
        if (kind == 2 && maybe(s, 2)) set_tensor(s, "b_hh", data(s, D(g * h)));
        return;
    }
    set_tensor(s, "grad_output", data(s, D(rows, p)));
    set_tensor(s, "output", data(s, D(rows, p)));
    set_tensor(s, "saved", fixed_in(s, D(rows, kind == 3 ? 5 * h : kind == 2 ? 4 * h : 0), s->spec.dtype == WN_F64 ? WN_F64 : WN_F32, 0.1, 0.9));
}
static void s_pack(sample *s) {
    not_for(s, reduced(s));
    if (has_field(s, "batch_sizes")) {
        set_tensor(s, "data", data(s, D(8, 2)));
        set_tensor(s, "batch_sizes", step_sizes(s, 4));
        set_int(s, "padding_value", maybe(s, 2));
        set_int(s, "total_length", maybe(s, 2) ? 6 : 0);
    } else {
        set_tensor(s, "input", data(s, D(4, 4, 2)));
        layout how = s->spec.layout;
        s->spec.layout = CONTIGUOUS;
        wn_tensor *t = fixed_in(s, D(4), WN_I64, 2, 2);
        put(t, 0, 4, 4), put(t, 3, 1, 1);
        s->spec.layout = how;
        set_tensor(s, "lengths", t);
    }
    set_int(s, "batch_first", maybe(s, 2));
}

const entry losses_entries[] = {
    {"lstm", s_rnn, LOOSE}, {"gru", s_rnn, LOOSE}, {"rnn_tanh", s_rnn, LOOSE}, {"rnn_relu", s_rnn, LOOSE | NO_GRADCHECK | NO_GRADGRAD}, /* corners */
    {"lstm_packed", s_rnn, LOOSE}, {"gru_packed", s_rnn, LOOSE}, {"rnn_tanh_packed", s_rnn, LOOSE}, {"rnn_relu_packed", s_rnn, LOOSE | NO_GRADCHECK | NO_GRADGRAD},
    {"lstm_cell", s_cell, LOOSE}, {"gru_cell", s_cell, LOOSE}, {"rnn_tanh_cell", s_cell, LOOSE}, {"rnn_relu_cell", s_cell, LOOSE | NO_GRADCHECK | NO_GRADGRAD},
    {"rnn_layer", s_rnn_layer, LOOSE | NO_GRADCHECK | NO_GRADGRAD}, /* saved is a result */ {"rnn_layer_backward", s_rnn_layer, LOOSE},
    {"pack_padded_sequence", s_pack, 0}, {"pad_packed_sequence", s_pack, 0},
    {"scaled_dot_product_attention", s_attention, LOOSE}, {"attention_forward", s_attention, LOOSE | NO_GRADCHECK | NO_GRADGRAD}, /* logsumexp is a result */
    {"attention_backward", s_attention, LOOSE}, {"attention_composed", s_composed, LOOSE},
    {"product_where", s_where_product, LOOSE}, {"scores_where", s_where_product, LOOSE},
    {"smooth_l1_loss", s_pairs, 0}, {"smooth_l1_each", s_pairs, 0}, {"smooth_l1_backward", s_pairs, 0},
    {"huber_loss", s_pairs, 0}, {"huber_each", s_pairs, 0}, {"huber_backward", s_pairs, 0},
    {"binary_cross_entropy", s_pairs, LOOSE}, {"binary_cross_entropy_each", s_pairs, LOOSE}, {"binary_cross_entropy_backward", s_pairs, LOOSE},
    {"kl_div", s_pairs, LOOSE}, {"kl_div_each", s_pairs, LOOSE}, {"kl_div_log_each", s_pairs, LOOSE}, /* differences */
    {"soft_margin_loss", s_pairs, 0}, {"soft_margin_each", s_pairs, 0}, {"poisson_nll_loss", s_pairs, LOOSE}, {"gaussian_nll_loss", s_gaussian, LOOSE},
    {"multilabel_soft_margin_loss", s_classes, LOOSE}, {"hinge_embedding_loss", s_signed, NO_NARROW}, {"margin_ranking_loss", s_signed, NO_NARROW},
    {"cosine_embedding_loss", s_signed, NO_NARROW}, {"triplet_margin_loss", s_triplet, LOOSE}, {"multi_margin_loss", s_multi_margin, LOOSE | NO_GRADGRAD}, /* corners */
    {"multilabel_margin_loss", s_multilabel, NO_GRADGRAD}, {"multilabel_margin_loss_forward", s_multilabel, NO_GRADGRAD | NO_GRADCHECK}, /* is_target is a result */
    {"multilabel_margin_loss_backward", s_multilabel, NO_GRADCHECK | NO_GRADGRAD}, {"ctc_loss", s_ctc, LOOSE | NO_GRADCHECK | NO_GRADGRAD}, /* torch's gradient is that behind a softmax */
    {"ctc_loss_forward", s_ctc, LOOSE | NO_GRADCHECK | NO_GRADGRAD}, {"ctc_loss_backward", s_ctc, LOOSE | NO_GRADCHECK | NO_GRADGRAD},
    {"cosine_similarity", s_two, LOOSE}, {"pairwise_distance", s_two, LOOSE}, {"normalize", s_normalize, LOOSE},
    {"pdist", s_pdist, LOOSE | NO_GRADGRAD}, {"pdist_backward", s_pdist, LOOSE | NO_GRADCHECK | NO_GRADGRAD},
    {NULL, NULL, 0},
};
