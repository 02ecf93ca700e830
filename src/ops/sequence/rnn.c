/* lstm, gru and plain recurrent layers: several layers, both directions, padded or packed batches; and single steps. */
#include "base/alloc.h"
#include "ops/sequence/rnn.h"

/* A call of any of the rows. */
typedef struct net {
    int kind;
    wn_tensor *x;            /* [rows of all steps, I] */
    wn_tensor *batch_sizes;  /* NULL: padded */
    wn_tensor *hx, *cx;      /* [layers * directions, N, ..] */
    wn_list params;
    bool biases, train, both;
    int64_t layers, per;     /* per: params of one layer in one direction */
    double dropout;
} net;

static wn_tensor *param(const net *n, int64_t which, int i) { return n->params.v[which * n->per + i]; }

/* One layer in one direction. */
static wn_rnn_layer_out one(const net *n, wn_tensor *x, int64_t which, bool reverse, bool projected) {
    wn_tensor *w_ih = param(n, which, 0), *w_hh = param(n, which, 1), *b_ih = n->biases ? param(n, which, 2) : NULL, *b_hh = n->biases ? param(n, which, 3) : NULL;
    wn_tensor *w_hr = projected ? param(n, which, (int)n->per - 1) : NULL;
    if (n->kind != WN__RNN_GRU && b_ih) b_ih = wn_add(b_ih, b_hh), b_hh = NULL; /* gru's enters behind a gate */
    wn_tensor *gates = wn_linear(x, w_ih, b_ih), *hx = wn_select(n->hx, 0, which), *cx = n->cx ? wn_select(n->cx, 0, which) : NULL;
    return wn_rnn_layer(gates, hx, cx, w_hh, b_hh, w_hr, n->batch_sizes, reverse, n->kind);
}

static wn_status check_rnn(wn__call *c, const net *n) {
    const int64_t directions = n->both ? 2 : 1, states = wn__mul_sat(n->layers, directions), parameters = wn__mul_sat(states, n->per);
    if (n->layers < 1) return wn__fail_op(c, WN_E_RUNTIME, "num_layers must be positive, got %lld", (long long)n->layers);
    if (n->params.n != parameters)
        return wn__fail_op(c, WN_E_RUNTIME, "got an incorrect number of RNN parameters: %lld instead of %lld", (long long)n->params.n, (long long)parameters);
    if (n->hx->ndim != 3 || n->hx->shape[0] != states || (n->cx && (n->cx->ndim != 3 || n->cx->shape[0] != n->hx->shape[0])))
        return wn__fail_op(c, WN_E_RUNTIME, "Expected hidden size [%lld, N, H], got %s", (long long)states, wn__desc(n->hx));
    for (int64_t i = 0; i < n->params.n; i++)
        if (n->params.v[i]->dtype != n->x->dtype)
            return wn__fail_op(c, WN_E_RUNTIME, "input and parameter tensors are not the same dtype, found input tensor %s and parameter tensor %s", wn__desc(n->x), wn__desc(n->params.v[i]));
    if (n->hx->dtype != n->x->dtype || (n->cx && n->cx->dtype != n->x->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "Input and hidden tensors are not the same dtype, found input tensor %s and hidden tensor %s", wn__desc(n->x), wn__desc(n->hx));
    if (!(n->dropout >= 0 && n->dropout <= 1)) return wn__fail_op(c, WN_E_RUNTIME, "dropout probability has to be between 0 and 1, but got %g", n->dropout);
    return WN_OK;
}

/* Output [rows, directions * P] in *out, final states of all layers in *hn and *cn. */
static wn_status run_rnn(wn__call *c, net *n, wn_tensor **out, wn_tensor **hn, wn_tensor **cn) {
    const bool projected = n->cx && n->hx->ndim == 3 && n->cx->ndim == 3 && n->hx->shape[2] != n->cx->shape[2];
    const int64_t directions = n->both ? 2 : 1, all = n->layers > 0 && n->layers < (1 << 20) ? n->layers * directions : 0;
    n->per = 2 + (n->biases ? 2 : 0) + projected;
    wn_status st = check_rnn(c, n);
    if (st) return st;
    wn_tensor **last = wn__calloc((size_t)all * 2, sizeof *last), *x = n->x;
    if (!last) return wn__fail_memory(c->op->name);
    for (int64_t l = 0; l < n->layers; l++) {
        if (l && n->dropout > 0 && n->train) x = wn_dropout(x, n->dropout, true);
        wn_tensor *to[2] = {NULL};
        for (int64_t d = 0; d < directions; d++) {
            const wn_rnn_layer_out r = one(n, x, l * directions + d, d == 1, projected);
            to[d] = r.output;
            last[l * directions + d] = r.h_n;
            last[all + l * directions + d] = r.c_n;
        }
        x = n->both ? wn_cat(WN_LIST(to[0], to[1]), .dim = WN_VAL(1)) : to[0];
    }
    *out = x;
    *hn = wn_stack((wn_list){.n = all, .v = last});
    *cn = n->cx ? wn_stack((wn_list){.n = all, .v = last + all}) : NULL;
    wn__free(last);
    return WN_OK;
}
static wn_status give(wn__call *c, wn_tensor *out, wn_tensor *hn, wn_tensor *cn) {
    wn_status st = wn__give(c, 0, out);
    if (!st) st = wn__give(c, 1, hn);
    return st || !cn ? st : wn__give(c, 2, cn);
}

/* x [T, N, I] or [N, T, I]: as rows of steps; output back in that form. */
static wn_status padded(wn__call *c, net *n, bool batch_first) {
    wn_tensor *x = n->x, *out, *hn, *cn;
    if (x->ndim != 3) return wn__fail_op(c, WN_E_RUNTIME, "input must have 3 dimensions, got %s", wn__desc(x));
    if (batch_first) x = wn_transpose(x, 0, 1);
    if (wn__is_bad(x)) return c->th->error;
    const int64_t steps = x->shape[0], batch = x->shape[1];
    if (steps == 0) return wn__fail_op(c, WN_E_RUNTIME, "Expected sequence length to be larger than 0 in RNN");
    if (n->hx->ndim == 3 && n->hx->shape[1] != batch)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected hidden state of batch size %lld, got %s", (long long)batch, wn__desc(n->hx));
    n->x = wn_reshape(x, WN_DIMS(steps * batch, x->shape[2]));
    wn_status st = run_rnn(c, n, &out, &hn, &cn);
    if (st) return st;
    if (wn__is_bad(out)) return c->th->error;
    out = wn_reshape(out, WN_DIMS(steps, batch, out->shape[1]));
    return give(c, batch_first ? wn_transpose(out, 0, 1) : out, hn, cn);
}
static wn_status packed(wn__call *c, net *n) {
    wn_tensor *out, *hn, *cn;
    if (n->x->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "packed data must have 2 dimensions, got %s", wn__desc(n->x));
    if (n->batch_sizes->numel == 0) return wn__fail_op(c, WN_E_RUNTIME, "Expected sequence length to be larger than 0 in RNN");
    wn_status st = run_rnn(c, n, &out, &hn, &cn);
    return st ? st : give(c, out, hn, cn);
}

/* ------------------------------------------------------------------ rows */

static net net_of(int kind, wn_tensor *x, wn_tensor *sizes, wn_tensor *hx, wn_tensor *cx, const wn_gru_args *a) {
    return (net){.kind = kind, .x = x, .batch_sizes = sizes, .hx = hx, .cx = cx, .params = a->params, .biases = a->has_biases, .layers = a->num_layers, .dropout = a->dropout,
                 .train = a->train, .both = a->bidirectional};
}
/* The options of the rows with other structs, as gru's. */
#define OPTIONS(a) (&(wn_gru_args){.params = (a)->params, .has_biases = (a)->has_biases, .num_layers = (a)->num_layers, .dropout = (a)->dropout, .train = (a)->train, .bidirectional = (a)->bidirectional})

wn_status wn__op_lstm(wn__call *c) {
    const wn_lstm_args *a = c->args;
    if (a->hx.n != 2) return wn__fail_op(c, WN_E_RUNTIME, "lstm expects two hidden states");
    net n = net_of(WN__RNN_LSTM, a->input, NULL, a->hx.v[0], a->hx.v[1], OPTIONS(a));
    return padded(c, &n, a->batch_first);
}
wn_status wn__op_lstm_packed(wn__call *c) {
    const wn_lstm_packed_args *a = c->args;
    if (a->hx.n != 2) return wn__fail_op(c, WN_E_RUNTIME, "lstm expects two hidden states");
    net n = net_of(WN__RNN_LSTM, a->data, a->batch_sizes, a->hx.v[0], a->hx.v[1], OPTIONS(a));
    return packed(c, &n);
}
/* gru, rnn_tanh and rnn_relu. */
wn_status wn__op_rnn(wn__call *c) {
    const wn_gru_args *a = c->args;
    net n = net_of(c->op->which, a->input, NULL, a->hx, NULL, a);
    return padded(c, &n, a->batch_first);
}
wn_status wn__op_rnn_packed(wn__call *c) {
    const wn_gru_packed_args *a = c->args;
    net n = net_of(c->op->which, a->data, a->batch_sizes, a->hx, NULL, OPTIONS(a));
    return packed(c, &n);
}

static wn_status cell(wn__call *c, int kind, wn_tensor *x, wn_tensor *hx, wn_tensor *cx, wn_tensor *w_ih, wn_tensor *w_hh, wn_tensor *b_ih, wn_tensor *b_hh) {
    if (x->ndim != 2 || hx->ndim != 2 || x->shape[0] != hx->shape[0])
        return wn__fail_op(c, WN_E_RUNTIME, "Expected input and hidden state of a step, [N, I] and [N, H], got %s and %s", wn__desc(x), wn__desc(hx));
    WN_SCOPE(s);
    if (kind != WN__RNN_GRU && b_hh) b_ih = b_ih ? wn_add(b_ih, b_hh) : b_hh, b_hh = NULL;
    const wn_rnn_layer_out r = wn_rnn_layer(wn_linear(x, w_ih, b_ih), hx, cx, w_hh, b_hh, NULL, NULL, false, kind);
    wn_status st = wn__give(c, 0, r.output);
    return st || !cx ? st : wn__give(c, 1, r.c_n);
}
wn_status wn__op_lstm_cell(wn__call *c) {
    const wn_lstm_cell_args *a = c->args;
    if (a->hx.n != 2) return wn__fail_op(c, WN_E_RUNTIME, "lstm_cell expects two hidden states");
    return cell(c, WN__RNN_LSTM, a->input, a->hx.v[0], a->hx.v[1], a->w_ih, a->w_hh, a->b_ih, a->b_hh);
}
wn_status wn__op_rnn_cell(wn__call *c) {
    const wn_gru_cell_args *a = c->args;
    return cell(c, c->op->which, a->input, a->hx, NULL, a->w_ih, a->w_hh, a->b_ih, a->b_hh);
}

/* ------------------------------------------------------------------ packing */

/* lengths as i64 numbers; NULL and an error record when they are none. */
static int64_t *numbers(wn__call *c, const wn_tensor *t) {
    int64_t *v = wn__calloc((size_t)t->numel + 1, sizeof *v);
    const char *p = v ? wn__ptr(t) : NULL;
    if (!v || (!p && t->numel)) {
        wn__fail_memory(c->op->name);
        wn__free(v);
        return NULL;
    }
    for (int64_t i = 0; i < t->numel; i++) v[i] = wn__load_i64((wn_dtype)t->dtype, p + i * t->strides[0] * (int64_t)wn__dtype_size(t->dtype));
    return v;
}

/* The places in [T * N] of the elements that count, step by step, as an index; sizes[t]: how many sequences reach step t. */
static wn_tensor *places(const int64_t *sizes, int64_t steps, int64_t batch) {
    int64_t total = 0;
    for (int64_t t = 0; t < steps; t++) total += sizes[t];
    wn_tensor *index = wn_empty(WN_DIMS(total), .dtype = WN_I64);
    if (wn__is_bad(index)) return index;
    int64_t *p = (int64_t *)(void *)wn__ptr(index), at = 0;
    for (int64_t t = 0; t < steps; t++)
        for (int64_t n = 0; n < sizes[t]; n++) p[at++] = t * batch + n;
    return index;
}
/* [a, b, ...] with its first two dimensions joined. */
static wn_tensor *joined(wn_tensor *x) { return wn_flatten(x, 0, .end_dim = wn_val_of_int(1)); }

wn_status wn__op_pack_padded_sequence(wn__call *c, wn_tensor *input, wn_tensor *lengths, bool batch_first) {
    if (input->ndim < 2) return wn__fail_op(c, WN_E_RUNTIME, "input must be [T, N, ...], but is %s", wn__desc(input));
    wn_tensor *x = batch_first ? wn_transpose(input, 0, 1) : input;
    if (wn__is_bad(x)) return c->th->error;
    const int64_t batch = x->shape[1];
    if (x->numel == 0) return wn__fail_op(c, WN_E_RUNTIME, "Cannot pack empty tensors.");
    if (lengths->ndim != 1 || lengths->numel != batch || wn__is_float(lengths->dtype))
        return wn__fail_op(c, WN_E_RUNTIME, "Expected `len(lengths)` to be equal to batch_size, but got %s (batch_size=%lld)", wn__desc(lengths), (long long)batch);
    int64_t *len = numbers(c, lengths);
    if (!len) return c->th->error;
    wn_status st = WN_OK;
    for (int64_t i = 0; i < batch && !st; i++) {
        if (len[i] <= 0) st = wn__fail_op(c, WN_E_RUNTIME, "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0");
        else if (i && len[i] > len[i - 1])
            st = wn__fail_op(c, WN_E_RUNTIME, "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to "
                             "pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability.");
    }
    if (!st && len[0] > x->shape[0]) st = wn__fail_op(c, WN_E_RUNTIME, "start (0) + length (%lld) exceeds dimension size (%lld).", (long long)len[0], (long long)x->shape[0]);
    wn_tensor *sizes = st ? NULL : wn_zeros(WN_DIMS(len[0]), .dtype = WN_I64);
    int64_t *count = sizes && !wn__is_bad(sizes) ? (int64_t *)(void *)wn__ptr(sizes) : NULL;
    if (count)
        for (int64_t i = 0; i < batch; i++)
            for (int64_t t = 0; t < len[i]; t++) count[t]++;
    wn__free(len);
    if (!st) st = wn__give(c, 0, count ? wn_index_select(joined(x), 0, places(count, sizes->shape[0], batch)) : sizes);
    return st ? st : wn__give(c, 1, sizes);
}

wn_status wn__op_pad_packed_sequence(wn__call *c, wn_tensor *data, wn_tensor *batch_sizes, bool batch_first,
                                     wn_val padding_value, int64_t total_length) {
    if (batch_sizes->ndim != 1 || batch_sizes->dtype != WN_I64 || batch_sizes->numel == 0 || data->ndim < 1)
        return wn__fail_op(c, WN_E_RUNTIME, "batch_sizes %s and data %s are not those of a packed sequence", wn__desc(batch_sizes), wn__desc(data));
    wn__steps k;
    int64_t *sizes = numbers(c, batch_sizes), steps = batch_sizes->numel, total = total_length > steps ? total_length : steps;
    if (!sizes) return c->th->error;
    const int64_t batch = sizes[0];
    wn_status st = total_length > 0 && total_length < steps
                       ? wn__fail_op(c, WN_E_RUNTIME, "Expected total_length to be at least the length of the longest sequence in input, but got total_length=%lld and "
                                     "max sequence length being %lld", (long long)total_length, (long long)steps)
                       : wn__steps_read(c->op->name, batch_sizes, data->shape[0], batch, &k);
    if (!st) {
        wn__steps_free(&k);
        wn_dims d = wn_shape(data);
        wn_tensor *index = places(sizes, steps, batch), *lengths = wn_zeros(WN_DIMS(batch), .dtype = WN_I64);
        for (int64_t t = 0; t < steps && !wn__is_bad(lengths); t++)
            for (int64_t n = 0; n < sizes[t]; n++) ((int64_t *)(void *)wn__ptr(lengths))[n]++;
        d.v[0] = wn__mul_sat(total, batch);
        wn_tensor *out = wn_index_copy(wn_full(d, padding_value, .dtype = (wn_dtype)data->dtype), 0, index, data);
        out = wn_unflatten(out, 0, WN_DIMS(total, batch));
        st = wn__give(c, 0, batch_first ? wn_transpose(out, 0, 1) : out);
        if (!st) st = wn__give(c, 1, lengths);
    }
    wn__free(sizes);
    return st;
}
