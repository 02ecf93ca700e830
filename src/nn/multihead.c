/* Attention of several heads, and the transformer's encoder layer. */
#include <math.h>
#include "nn/layers.h"

static wn_tensor *attend(wn_module *m, wn_tensor *x) { return wn_nn_multihead_attention_forward((wn_nn_multihead_attention *)m, x).output; }

wn_status wn_nn_multihead_attention_init_x(const wn_nn_multihead_attention_args *a) {
    WN_SCOPE(s);
    wn_nn_multihead_attention *l = a->layer;
    if (!l) return wn__no_layer();
    wn_module *m = &l->module;
    const int64_t e = a->embed_dim, kdim = a->kdim ? a->kdim : e, vdim = a->vdim ? a->vdim : e;
    const char *name = "multihead_attention";
    m->forward = attend;
    l->embed_dim = e;
    l->num_heads = a->num_heads;
    l->dropout = a->dropout;
    l->batch_first = a->batch_first;
    if (e < 1 || a->num_heads < 1 || e % a->num_heads)
        return m->status = wn__fail(WN_E_VALUE, name, "embed_dim %lld and num_heads %lld must be positive, the first divisible by the second", (long long)e,
                                    (long long)a->num_heads);
    if (!(a->dropout >= 0 && a->dropout <= 1))
        return m->status = wn__fail(WN_E_VALUE, name, "dropout probability has to be between 0 and 1, but got %g", a->dropout);
    if (kdim == e && vdim == e) {
        l->in_proj_weight = wn_add_parameter(m, "in_proj_weight", wn_empty(WN_DIMS(3 * e, e), .dtype = a->dtype));
    } else {
        l->q_proj_weight = wn_add_parameter(m, "q_proj_weight", wn_empty(WN_DIMS(e, e), .dtype = a->dtype));
        l->k_proj_weight = wn_add_parameter(m, "k_proj_weight", wn_empty(WN_DIMS(e, kdim), .dtype = a->dtype));
        l->v_proj_weight = wn_add_parameter(m, "v_proj_weight", wn_empty(WN_DIMS(e, vdim), .dtype = a->dtype));
    }
    if (wn_is_on(a->bias, true)) l->in_proj_bias = wn_add_parameter(m, "in_proj_bias", wn_zeros(WN_DIMS(3 * e), .dtype = a->dtype));
    wn_nn_linear_init(&l->out_proj, e, e, .bias = a->bias, .dtype = a->dtype);
    wn_add_child(m, "out_proj", &l->out_proj.module);
    /* Drawn in PyTorch's order: out_proj as a linear layer (whose bias is then 0), the others behind it. */
    wn_tensor *drawn[] = {l->in_proj_weight, l->q_proj_weight, l->k_proj_weight, l->v_proj_weight};
    for (int i = 0; i < 4 && !wn_module_status(m); i++)
        if (drawn[i] && !wn_ok(wn_init_xavier_uniform(drawn[i], 1, NULL))) m->status = wn_error();
    if (!wn_module_status(m) && l->out_proj.bias && !wn_ok(wn_init_constant(l->out_proj.bias, 0))) m->status = wn_error();
    return wn_module_status(m);
}

/* ------------------------------------------------------------------ masks */

/* true (left out) as -inf in numbers to add to the scores. */
static wn_tensor *as_numbers(wn_tensor *mask, wn_dtype dtype) {
    if (mask->dtype != WN_BOOL) return mask;
    return wn_masked_fill(wn_zeros(wn_shape(mask), .dtype = dtype, .device = wn_device_of(mask)), mask, -INFINITY);
}

/* Both masks as one that broadcasts to [N, heads, L, S]; NULL if there is none; a bad tensor on failure. */
static wn_tensor *merged_mask(wn_tensor *mask, wn_tensor *padding, wn_dims scores, wn_dtype dtype) {
    const int64_t n = scores.v[0], heads = scores.v[1], length = scores.v[2], sources = scores.v[3];
    const char *name = "multihead_attention";
    if (mask && wn_ok(mask)) {
        const bool all = mask->ndim == 3;
        if ((mask->ndim != 2 && !all) || (all && mask->shape[0] != n * heads) || mask->shape[mask->ndim - 2] != length || mask->shape[mask->ndim - 1] != sources)
            return wn__bad(WN_E_RUNTIME, name, "attn_mask %s should be [%lld, %lld] or [%lld, %lld, %lld]", wn__desc(mask), (long long)length,
                           (long long)sources, (long long)(n * heads), (long long)length, (long long)sources);
        mask = as_numbers(mask, dtype);
        if (all) mask = wn_reshape(mask, scores);
    }
    if (padding && wn_ok(padding)) {
        if (padding->ndim != 2 || padding->shape[0] != n || padding->shape[1] != sources)
            return wn__bad(WN_E_RUNTIME, name, "key_padding_mask %s should be [%lld, %lld]", wn__desc(padding), (long long)n, (long long)sources);
        padding = wn_reshape(as_numbers(padding, dtype), WN_DIMS(n, 1, 1, sources));
    }
    return mask && padding ? wn_add(mask, padding) : mask ? mask : padding;
}

/* ------------------------------------------------------------------ forward */

/* Query, key and value after their projections, out[3]; one product where they are one tensor. */
static void project(wn_nn_multihead_attention *l, wn_tensor *const in[3], wn_tensor *out[3]) {
    const int64_t e = l->embed_dim;
    wn_tensor *apart[] = {l->q_proj_weight, l->k_proj_weight, l->v_proj_weight};
    if (l->in_proj_weight && in[0] == in[1] && in[1] == in[2]) {
        wn_tensor *all = wn_linear(in[0], l->in_proj_weight, .bias = l->in_proj_bias);
        for (int i = 0; i < 3; i++) out[i] = wn_narrow(all, -1, i * e, e);
        return;
    }
    for (int i = 0; i < 3; i++)
        out[i] = wn_linear(in[i], l->in_proj_weight ? wn_narrow(l->in_proj_weight, 0, i * e, e) : apart[i],
                           .bias = l->in_proj_bias ? wn_narrow(l->in_proj_bias, 0, i * e, e) : NULL);
}

/* [N, L, E] ([L, N, E]) as [N, heads, L, E / heads], and back. */
static wn_tensor *in_heads(const wn_nn_multihead_attention *l, wn_tensor *x) {
    if (!wn_ok(x)) return x;
    x = wn_unflatten(x, -1, WN_DIMS(l->num_heads, l->embed_dim / l->num_heads));
    return l->batch_first ? wn_permute(x, WN_DIMS(0, 2, 1, 3)) : wn_permute(x, WN_DIMS(1, 2, 0, 3));
}
static wn_tensor *out_of_heads(const wn_nn_multihead_attention *l, wn_tensor *x) {
    x = l->batch_first ? wn_permute(x, WN_DIMS(0, 2, 1, 3)) : wn_permute(x, WN_DIMS(2, 0, 1, 3));
    return wn_flatten(x, .start_dim = 2);
}

static const wn_nn_attention_out bad = {&wn__bad_tensor, NULL};

/* Do query, key and value fit the layer? */
static bool fits(const wn_nn_multihead_attention *l, wn_tensor *const in[3]) {
    const wn_tensor *q = in[0], *k = in[1], *v = in[2];
    for (int i = 0; i < 3; i++)
        if (!wn_ok(in[i])) {
            wn__fail(WN_E_TYPE, "multihead_attention", "query, key or value is bad or absent");
            return false;
        }
    const int nd = q->ndim, batch_dim = l->batch_first ? 0 : 1;
    bool ok = (nd == 2 || nd == 3) && k->ndim == nd && v->ndim == nd && q->shape[nd - 1] == l->embed_dim;
    for (int d = 0; ok && d < nd - 1; d++) ok = k->shape[d] == v->shape[d];
    if (ok && nd == 3) ok = q->shape[batch_dim] == k->shape[batch_dim];
    if (!ok)
        wn__fail(WN_E_RUNTIME, "multihead_attention", "query %s, key %s and value %s do not fit each other, or embed_dim %lld", wn__desc(q), wn__desc(k),
                 wn__desc(v), (long long)l->embed_dim);
    return ok;
}

wn_nn_attention_out wn_nn_multihead_attention_forward_x(const wn_nn_multihead_attention_forward_args *a) {
    WN_SCOPE(s);
    wn_nn_multihead_attention *l = a->layer;
    wn_tensor *in[3] = {a->query, a->key ? a->key : a->query, NULL}, *qkv[3], *weights = NULL, *y;
    wn_tensor *padding = a->key_padding_mask;
    in[2] = a->value ? a->value : in[1];
    if (!fits(l, in)) return bad;
    const bool batched = in[0]->ndim == 3;
    const double dropout = l->module.eval ? 0 : l->dropout;
    project(l, in, qkv);
    for (int i = 0; i < 3; i++) qkv[i] = in_heads(l, batched ? qkv[i] : wn_unsqueeze(qkv[i], l->batch_first ? 0 : 1));
    if (!wn_ok(qkv[0]) || !wn_ok(qkv[1]) || !wn_ok(qkv[2])) return bad;
    if (padding && !batched) padding = wn_unsqueeze(padding, 0);
    wn_tensor *mask = merged_mask(a->attn_mask, padding, WN_DIMS(qkv[0]->shape[0], l->num_heads, qkv[0]->shape[2], qkv[1]->shape[2]), qkv[0]->dtype);
    if (mask && !wn_ok(mask)) return bad;
    if (a->need_weights) {
        const wn_attention_composed_out r = wn_attention_composed(wn_mul(qkv[0], sqrt(1 / (double)wn_size(qkv[0], -1))), qkv[1], qkv[2], mask, dropout, a->is_causal, 1);
        y = r.output, weights = r.weights;
    } else {
        const bool both = mask && a->is_causal;
        if (both) mask = wn_masked_fill(mask, wn_triu(wn_ones(WN_DIMS(wn_size(qkv[0], 2), wn_size(qkv[1], 2)), .dtype = WN_BOOL), .diagonal = 1), -INFINITY);
        y = wn_scaled_dot_product_attention(qkv[0], qkv[1], qkv[2], .attn_mask = mask, .dropout_p = dropout, .is_causal = a->is_causal && !both);
    }
    y = out_of_heads(l, y);
    if (!batched) y = wn_squeeze_dim(y, l->batch_first ? 0 : 1);
    y = wn_nn_linear_forward(&l->out_proj, y);
    if (weights && wn_is_on(a->average_attn_weights, true)) weights = wn_mean(weights, .dims = WN_DIMS(1));
    if (weights && !batched) weights = wn_squeeze_dim(weights, 0);
    if (!wn_ok(y) || (weights && !wn_ok(weights))) return bad;
    wn_escape(y);
    if (weights) wn_escape(weights);
    return (wn_nn_attention_out){y, weights};
}

/* ------------------------------------------------------------------ the encoder layer */

static wn_tensor *encode(wn_module *m, wn_tensor *x) { return wn_nn_transformer_encoder_layer_forward((wn_nn_transformer_encoder_layer *)m, x); }

wn_status wn_nn_transformer_encoder_layer_init_x(const wn_nn_transformer_encoder_layer_args *a) {
    wn_nn_transformer_encoder_layer *l = a->layer;
    if (!l) return wn__no_layer();
    wn_module *m = &l->module;
    const int64_t d = a->d_model, wide = a->dim_feedforward ? a->dim_feedforward : 2048;
    const double p = wn__number_or(a->dropout, 0.1);
    const wn_dims shape = WN_DIMS(d);
    m->forward = encode;
    l->activation = a->activation ? a->activation : wn_nn_relu;
    l->norm_first = a->norm_first;
    wn_nn_multihead_attention_init(&l->self_attn, d, a->nhead, .dropout = p, .batch_first = a->batch_first, .bias = a->bias, .dtype = a->dtype);
    wn_nn_linear_init(&l->linear1, d, wide, .bias = a->bias, .dtype = a->dtype);
    wn_nn_dropout_init(&l->dropout, p);
    wn_nn_linear_init(&l->linear2, wide, d, .bias = a->bias, .dtype = a->dtype);
    wn_nn_layer_norm_init(&l->norm1, shape, .eps = a->layer_norm_eps, .bias = a->bias, .dtype = a->dtype);
    wn_nn_layer_norm_init(&l->norm2, shape, .eps = a->layer_norm_eps, .bias = a->bias, .dtype = a->dtype);
    wn_nn_dropout_init(&l->dropout1, p);
    wn_nn_dropout_init(&l->dropout2, p);
    const struct {
        const char *name;
        wn_module *module;
    } children[] = {{"self_attn", &l->self_attn.module}, {"linear1", &l->linear1.module}, {"dropout", &l->dropout.module},
                    {"linear2", &l->linear2.module},     {"norm1", &l->norm1.module},     {"norm2", &l->norm2.module},
                    {"dropout1", &l->dropout1.module},   {"dropout2", &l->dropout2.module}};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++) wn_add_child(m, children[i].name, children[i].module);
    return wn_module_status(m);
}

wn_tensor *wn_nn_transformer_encoder_layer_forward_x(const wn_nn_transformer_encoder_layer_forward_args *a) {
    WN_SCOPE(s);
    wn_nn_transformer_encoder_layer *l = a->layer;
    if (!l) return wn__no_layer(), &wn__bad_tensor;
    wn_tensor *x = a->src;
    wn_tensor *y = l->norm_first ? wn_nn_layer_norm_forward(&l->norm1, x) : x;
    y = wn_nn_multihead_attention_forward(&l->self_attn, y, .attn_mask = a->src_mask, .key_padding_mask = a->src_key_padding_mask,
                                          .is_causal = a->is_causal).output;
    x = wn_add(x, wn_nn_dropout_forward(&l->dropout1, y));
    if (!l->norm_first) x = wn_nn_layer_norm_forward(&l->norm1, x);
    y = l->norm_first ? wn_nn_layer_norm_forward(&l->norm2, x) : x;
    y = wn_nn_dropout_forward(&l->dropout, l->activation(wn_nn_linear_forward(&l->linear1, y)));
    x = wn_add(x, wn_nn_dropout_forward(&l->dropout2, wn_nn_linear_forward(&l->linear2, y)));
    return wn_leave(&s, l->norm_first ? x : wn_nn_layer_norm_forward(&l->norm2, x));
}
