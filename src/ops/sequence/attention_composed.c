/* The forms of attention that need the scores in memory: dropout, weights that are wanted, a mask with a gradient, second derivatives. What
 * does not count is not read: product_where and scores_where are the two products without those terms, each the other's derivative. */
#include <math.h>
#include "tensor/strides.h"
#include "grad/support.h"
#include "ops/loss/loss.h"

/* ------------------------------------------------------------------ products of what counts */

static bool truth(wn_tensor *t) { return wn_ok(t) && wn_item_i64(t) != 0; }
static wn_tensor *any_of(wn_tensor *t, int dim) { return wn_any(t, .dims = WN_DIMS(dim), .keepdim = true); }
static wn_tensor *number(wn_tensor *truths, wn_dtype dtype) { return wn_to(truths, dtype); }
/* Where sum over k of a[i, k] and b[k, j] has a true pair. */
static wn_tensor *meeting(wn_tensor *a, wn_tensor *b) { return wn_ne(wn_matmul(number(a, WN_F32), number(b, WN_F32)), 0); }

/* y = p v without the terms of v that are not finite; they are added: those of elements that count. */
static wn_tensor *with_unclean(wn_tensor *y, wn_tensor *p, wn_tensor *v, wn_tensor *counts) {
    wn_tensor *finite = wn_isfinite(v), *above = wn_logical_and(counts, wn_gt(p, 0)), *below = wn_logical_and(counts, wn_lt(p, 0));
    y = wn_matmul(p, wn_where(finite, v, 0));
    wn_tensor *met = wn_logical_and(wn_mT(any_of(wn_logical_not(finite), -1)), any_of(counts, -2));
    if (!truth(wn_any(met))) return y;
    wn_tensor *neither = wn_logical_and(counts, wn_logical_not(wn_logical_or(above, below))), *up = wn_eq(v, INFINITY), *down = wn_eq(v, -INFINITY);
    y = wn_where(wn_logical_or(meeting(above, up), meeting(below, down)), wn_add(y, INFINITY), y);
    y = wn_where(wn_logical_or(meeting(above, down), meeting(below, up)), wn_sub(y, INFINITY), y);
    return wn_masked_fill(y, wn_logical_or(meeting(counts, wn_isnan(v)), meeting(neither, wn_isinf(v))), NAN);
}

static wn_status check_where(wn__call *c, const wn_tensor *a, const wn_tensor *b, const wn_tensor *counts, bool scores) {
    const int n = a->ndim;
    bool fits = n >= 2 && b->ndim == n && counts->ndim == n && a->dtype == b->dtype && wn__is_float(a->dtype) && counts->dtype == WN_BOOL;
    for (int d = 0; fits && d < n - 2; d++) fits = a->shape[d] == b->shape[d] && a->shape[d] == counts->shape[d];
    fits = fits && counts->shape[n - 2] == a->shape[n - 2] && (scores ? a->shape[n - 1] == b->shape[n - 1] : a->shape[n - 1] == b->shape[n - 2]);
    if (fits && counts->shape[n - 1] == b->shape[n - 2]) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "%s, %s and where %s do not fit together", wn__desc(a), wn__desc(b), wn__desc(counts));
}

/* The product of a with b or, for scores, with b^T. */
wn_status wn__infer_product_of(wn__call *c, wn_tensor *a, wn_tensor *b, wn_tensor *counts, bool scores) {
    wn_status st = check_where(c, a, b, counts, scores);
    if (st) return st;
    wn_dims shape = wn_shape(a);
    shape.v[shape.n - 1] = b->shape[shape.n - (scores ? 2 : 1)];
    c->may_wait = true;
    st = wn__result(c, 0, wn_dtype_of(a), shape.n, shape.v, NULL);
    if (st || !scores || counts->contiguous) return st;
    wn_tensor *product = c->out[0]; /* of which the mask selects: laid out as `where` lays it */
    int64_t strides[WN_MAX_DIMS];
    wn__result_strides((wn_tensor *const[]){counts, product}, 2, shape.n, shape.v, strides);
    st = wn__result(c, 0, wn_dtype_of(a), shape.n, shape.v, strides);
    wn__release(product);
    return st;
}

wn_status wn__run_product_where(wn__call *c, wn_tensor *self, wn_tensor *other, wn_tensor *where) {
    WN_NO_GRAD();
    wn_tensor *p = wn_where(where, self, 0), *y = wn_matmul(p, other);
    const int64_t errors = c->th->error_count;
    if (truth(wn_any(wn_isnan(y)))) y = with_unclean(y, p, other, where);
    return wn__failed_since(errors) ? c->th->error : wn__give(c, 0, y); /* no memory to look: what y holds is not known */
}
wn_status wn__run_scores_where(wn__call *c, wn_tensor *self, wn_tensor *other, wn_tensor *where) {
    WN_NO_GRAD();
    return wn__give(c, 0, wn_where(where, wn_matmul(self, wn_mT(other)), 0));
}

/* The gradient of input i, one row for each row (across: column) of `counts`: it exists where something in there counts. */
static void give_rows(wn__gradctx *c, int i, wn_tensor *counts, bool across, wn_tensor *x) {
    if (!(c->need >> i & 1)) return;
    WN_NO_GRAD();
    wn_tensor *some = across ? wn_mT(any_of(counts, -2)) : any_of(counts, -1);
    c->gin[i] = wn__grad_support(c, i, WN__IF_TRUE | WN__CLEAN, wn_escape(some), x, wn_val_none());
}
void wn__vjp_product_where(wn__gradctx *c, wn_tensor *self, wn_tensor *other, wn_tensor *where) {
    if (c->need & 1) c->gin[0] = wn__grad_support(c, 0, WN__IF_TRUE | WN__CLEAN, where, wn_scores_where(c->g[0], other, where), wn_val_none());
    if (c->need & 2) give_rows(c, 1, where, true, wn_product_where(wn_mT(self), c->g[0], wn_mT(where)));
}
void wn__vjp_scores_where(wn__gradctx *c, wn_tensor *self, wn_tensor *other, wn_tensor *where) {
    if (c->need & 1) give_rows(c, 0, where, false, wn_product_where(c->g[0], other, where));
    if (c->need & 2) give_rows(c, 1, where, true, wn_product_where(wn_mT(c->g[0]), self, wn_mT(where)));
}

/* ------------------------------------------------------------------ composed */

/* Which pairs count, of the shape of the scores; NULL: all. */
static wn_tensor *counting(const wn_tensor *q, const wn_tensor *k, wn_tensor *mask, bool causal) {
    if (!mask && !causal) return NULL;
    WN_NO_GRAD();
    wn_dims scores = {.n = q->ndim};
    for (int d = 0; d < q->ndim; d++) scores.v[d] = q->shape[d];
    scores.v[q->ndim - 1] = k->shape[k->ndim - 2];
    wn_tensor *counts = !mask ? NULL : mask->dtype == WN_BOOL ? mask : wn_ne(mask, -INFINITY);
    if (causal) {
        wn_tensor *seen = wn_tril(wn_ones(WN_DIMS(q->shape[q->ndim - 2], k->shape[k->ndim - 2]), .dtype = WN_BOOL));
        counts = counts ? wn_logical_and(counts, seen) : seen;
    }
    return wn_escape(wn_expand(counts, scores));
}
static wn_tensor *product(wn_tensor *p, wn_tensor *v, wn_tensor *counts) { return counts ? wn_product_where(p, v, counts) : wn_matmul(p, v); }
static wn_tensor *scores(wn_tensor *q, wn_tensor *k, wn_tensor *counts) { return counts ? wn_scores_where(q, k, counts) : wn_matmul(q, wn_mT(k)); }

/* The weights: softmax of the scores, 0 where a pair does not count and in rows in which nothing does. */
static wn_tensor *weights(wn_tensor *q, wn_tensor *k, wn_tensor *mask, wn_tensor *counts, double scale) {
    wn_tensor *s = scores(q, k, counts);
    if (scale != 1) s = wn_mul(s, scale);
    if (mask && mask->dtype != WN_BOOL) s = wn_add(s, mask);
    if (!counts) return wn_softmax(s, -1);
    wn_tensor *ban = wn_logical_not(counts), *none = NULL;
    s = wn_masked_fill(s, ban, -INFINITY);
    if (mask) {
        WN_NO_GRAD();
        none = wn_escape(wn_all(wn_eq(s, -INFINITY), .dims = WN_DIMS(-1), .keepdim = true));
        ban = wn_escape(wn_logical_or(ban, none));
    }
    wn_tensor *p = wn_softmax(none ? wn_masked_fill(s, none, 0) : s, -1);
    if (wn_ok(p) && p->dtype != q->dtype) p = wn_to(p, (wn_dtype)q->dtype);
    return wn_masked_fill(p, ban, 0);
}

wn_status wn__op_attention_composed(wn__call *c, wn_tensor *query, wn_tensor *key, wn_tensor *value,
                                    wn_tensor *attn_mask, double dropout_p, bool is_causal, double scale) {
    if (query->ndim < 2 || key->ndim != query->ndim || value->ndim != query->ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "query %s, key %s and value %s have not the same number of dimensions, at least 2", wn__desc(query), wn__desc(key), wn__desc(value));
    wn_tensor *counts = counting(query, key, attn_mask, is_causal), *p = weights(query, key, attn_mask, counts, scale);
    if (dropout_p > 0) p = wn_dropout(p, dropout_p, true);
    const wn_status st = wn__give(c, 0, product(p, value, counts));
    return st ? st : wn__give(c, 1, p);
}

/* What the mask alone says, without broadcasting; NULL where all keys count for some query. */
static wn_tensor *said(const wn_attention_forward_args *a) {
    WN_NO_GRAD();
    wn_tensor *m = a->attn_mask;
    if (!m) return a->is_causal && wn_size(a->key, -2) > wn_size(a->query, -2) ? wn_escape(counting(a->query, a->key, NULL, true)) : NULL;
    if (m->dtype != WN_BOOL) m = wn_ne(m, -INFINITY);
    while (wn_ok(m) && m->ndim < 2) m = wn_unsqueeze(m, 0);
    return wn_escape(m);
}
void wn__vjp_attention(wn__gradctx *c) {
    const wn_attention_forward_args *a = c->args;
    wn_tensor *g = c->g[0], *q = a->query, *k = a->key, *v = a->value, *all[3] = {NULL};
    if (!g) return;
    if (!wn_grad_enabled()) {
        wn_attention_backward_out r = wn_attention_backward(g, q, k, v, a->attn_mask, c->y[0], c->y[1], a->is_causal, a->scale);
        all[0] = r.grad_query, all[1] = r.grad_key, all[2] = r.grad_value;
    } else {
        wn_tensor *counts = counting(q, k, a->attn_mask, a->is_causal), *p = weights(q, k, a->attn_mask, counts, a->scale), *dp = scores(g, v, counts);
        wn_tensor *ds = wn_mul(wn_mul(p, wn_sub(dp, wn_sum(wn_mul(dp, p), .dims = WN_DIMS(-1), .keepdim = true))), a->scale);
        wn_tensor *across = counts ? wn_mT(counts) : NULL;
        if (c->need & 1) all[0] = product(ds, k, counts);
        if (c->need >> 1 & 1) all[1] = product(wn_mT(ds), q, across);
        if (c->need >> 2 & 1) all[2] = product(wn_mT(p), g, across);
    }
    wn_tensor *counts = said(a);
    for (int i = 0; i < 3; i++)
        if (counts) give_rows(c, i, counts, i > 0, all[i]);
        else if (c->need >> i & 1) c->gin[i] = all[i];
}
