/* scaled_dot_product_attention: its arguments, and which form it takes. */
#include <math.h>
#include "ops/loss/loss.h"

/* ------------------------------------------------------------------ arguments */

static wn_status check_attention(wn__call *c, const wn_scaled_dot_product_attention_args *a) {
    const wn_tensor *q = a->query, *k = a->key, *v = a->value, *m = a->attn_mask;
    if (q->dtype != k->dtype || q->dtype != v->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected query, key, and value to have the same dtype, but got query %s, key %s and value %s", wn__desc(q), wn__desc(k), wn__desc(v));
    if (q->ndim < 2 || k->ndim < 2 || v->ndim < 2)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected query, key, and value to all be at least 2 dimensional, but got query.dim: %d key.dim: %d and value.dim: %d instead.",
                           q->ndim, k->ndim, v->ndim);
    if (!wn__is_float(q->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "expected scalar type Float but found %s", wn__dtype_word(q->dtype));
    if (m && m->dtype != WN_BOOL && m->dtype != WN_F32 && m->dtype != q->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask %s and query %s", wn__desc(m), wn__desc(q));
    if (m && a->is_causal) return wn__fail_op(c, WN_E_RUNTIME, "Explicit attn_mask should not be set when is_causal=True");
    if (!(a->dropout_p >= 0 && a->dropout_p <= 1)) return wn__fail_op(c, WN_E_RUNTIME, "dropout probability has to be between 0 and 1, but got %g", a->dropout_p);
    if (q->shape[q->ndim - 1] != k->shape[k->ndim - 1] || k->shape[k->ndim - 2] != v->shape[v->ndim - 2])
        return wn__fail_op(c, WN_E_RUNTIME, "query %s, key %s and value %s do not fit together", wn__desc(q), wn__desc(k), wn__desc(v));
    return WN_OK;
}

/* [..., heads, S, E] to [..., heads, group, S, E], for the heads of the query that share one. */
static wn_tensor *grouped(wn_tensor *t, int64_t group) {
    wn_tensor *u = wn_unsqueeze(t, -3);
    wn_dims d = wn_shape(u);
    if (wn__is_bad(u)) return u;
    d.v[d.n - 3] = group;
    return wn_expand(u, d);
}

/* Leading dimensions to which all three broadcast, in lead; an error where they do not. */
static wn_status common_lead(wn__call *c, wn_tensor *const *t, wn_dims *lead) {
    int n = 0;
    for (int i = 0; i < 3; i++) n = t[i]->ndim - 2 > n ? t[i]->ndim - 2 : n;
    lead->n = n;
    for (int d = 0; d < n; d++) {
        lead->v[d] = 1;
        for (int i = 0; i < 3; i++) {
            const int at = d - (n - (t[i]->ndim - 2));
            const int64_t size = at < 0 ? 1 : t[i]->shape[at];
            if (size != 1 && lead->v[d] != 1 && size != lead->v[d])
                return wn__fail_op(c, WN_E_RUNTIME, "the leading dimensions of query %s, key %s and value %s do not broadcast", wn__desc(t[0]), wn__desc(t[1]), wn__desc(t[2]));
            if (size != 1) lead->v[d] = size;
        }
    }
    return WN_OK;
}
static wn_tensor *led(wn_tensor *t, wn_dims lead) {
    lead.v[lead.n] = t->shape[t->ndim - 2];
    lead.v[lead.n + 1] = t->shape[t->ndim - 1];
    lead.n += 2;
    for (int d = 0; d < lead.n; d++)
        if (t->ndim != lead.n || t->shape[d] != lead.v[d]) return wn_expand(t, lead);
    return t;
}

static wn_tensor *attend(wn_tensor *const *t, wn_tensor *mask, const wn_scaled_dot_product_attention_args *a, double scale) {
    const bool mask_grad = mask && wn_grad_enabled() && wn_needs_grad(mask);
    if (a->dropout_p == 0 && !mask_grad) return wn_attention_forward(t[0], t[1], t[2], mask, a->is_causal, scale).output;
    return wn_attention_composed(t[0], t[1], t[2], mask, a->dropout_p, a->is_causal, scale).output;
}

wn_status wn__op_scaled_dot_product_attention(wn__call *c) {
    const wn_scaled_dot_product_attention_args *a = c->args;
    wn_status st = check_attention(c, a);
    if (st) return st;
    wn_tensor *t[3] = {a->query, a->key, a->value}, *mask = a->attn_mask;
    const double scale = wn__f64_or(a->scale, 1 / sqrt((double)t[0]->shape[t[0]->ndim - 1]));
    int64_t group = 0, heads = 0;
    if (a->enable_gqa && t[0]->ndim >= 3 && t[1]->ndim >= 3 && t[2]->ndim >= 3) {
        heads = t[0]->shape[t[0]->ndim - 3];
        const int64_t kh = t[1]->shape[t[1]->ndim - 3], vh = t[2]->shape[t[2]->ndim - 3];
        if (kh == 0 || vh == 0 || heads % kh || heads % vh)
            return wn__fail_op(c, WN_E_RUNTIME, "Number of heads in key and value must divide the number of heads in query: query %s, key %s, value %s", wn__desc(t[0]),
                               wn__desc(t[1]), wn__desc(t[2]));
        if (kh == vh && kh != heads) {
            group = heads / kh;
            t[0] = wn_unflatten(t[0], -3, WN_DIMS(kh, group));
            t[1] = grouped(t[1], group), t[2] = grouped(t[2], group);
            if (mask && mask->ndim >= 3) mask = mask->shape[mask->ndim - 3] == 1 ? wn_unsqueeze(mask, -3) : wn_unflatten(mask, -3, WN_DIMS(kh, group));
        } else if (kh != vh || kh != heads) { /* different numbers for key and value: repeated apart */
            for (int i = 1; i < 3; i++) t[i] = wn_flatten(grouped(t[i], heads / (i == 1 ? kh : vh)), -4, .end_dim = WN_VAL(-3));
        }
    }
    wn_dims lead;
    for (int i = 0; i < 3; i++)
        if (wn__is_bad(t[i])) return c->th->error;
    if ((st = common_lead(c, t, &lead))) return st;
    for (int i = 0; i < 3; i++) t[i] = led(t[i], lead);
    wn_tensor *r = attend(t, mask, a, scale);
    return wn__give(c, 0, group ? wn_flatten(r, -4, .end_dim = WN_VAL(-3)) : r);
}
