/* The operands of attention: what they must be, how they are opened for the kernels, and which kernels there are. */
#include <stdio.h>
#include "base/alloc.h"
#include "ops/norm/norm.h"
#include "ops/sequence/attention_map.h"

WN__DECLARE_LEVELS(wn__attention_kernels, wn__attention_kernels);
const wn__attention_kernels *wn__attention_now(void) { return WN__OF_LEVEL(wn__attention_kernels); }

typedef wn__attention job;

/* t in the type of the operands with rows of unit stride: itself where it is so already. */
bool wn__attention_open_side(const job *j, wn_tensor *t, wn__side *s) {
    const int n = t->ndim;
    const bool fits = t->dtype == j->in && (t->shape[n - 1] == 1 || t->strides[n - 1] == 1);
    s->t = fits ? wn__retain(t) : t->dtype == j->in ? wn__contiguous_raw(t) : wn__plain_raw(t, j->in);
    if (!s->t) return false;
    s->p = wn__ptr(s->t);
    s->row = s->t->strides[n - 2];
    int64_t odd = t->shape[n - 1];
    for (int d = 0; d < n - 1; d++) odd |= s->t->strides[d];
    s->whole = j->t->depth == 1 || (odd % 2 == 0 && (uintptr_t)s->p % (2 * (uintptr_t)j->in_size) == 0);
    return s->p || !t->numel;
}
static bool open_mask(job *j, wn_tensor *mask) {
    if (!mask) return true;
    j->bool_mask = mask->dtype == WN_BOOL;
    j->mask = j->bool_mask || mask->dtype == j->dtype ? wn__retain(mask) : wn__plain_raw(mask, j->dtype);
    if (!j->mask) return false;
    j->mp = wn__ptr(j->mask);
    const int skip = j->lead + 2 - mask->ndim;
    for (int d = 0; d < j->lead + 2; d++) j->mstride[d] = d < skip || j->mask->shape[d - skip] == 1 ? 0 : j->mask->strides[d - skip];
    return j->mp || !mask->numel;
}
void wn__attention_close(job *j) {
    wn__release(j->q.t), wn__release(j->kk.t), wn__release(j->v.t), wn__release(j->g.t), wn__release(j->mask);
    wn__map_free(j);
    wn__free(j->parts);
    wn__free(j->delta);
}
bool wn__attention_pairs_suit(const void *form) {
    const job *j = form;
    return wn__attention_now()->bf16 && wn__gemm_kernels_now()->bf16 && wn__cpu_has_bf16() && j->queries > WN__GEMM_FEW;
}
void wn__attention_choose(job *j, bool pairs) {
    const wn__attention_kernels *k = wn__attention_now();
    const wn__gemm_kernels *t = wn__gemm_kernels_now();
    j->k = pairs ? k->bf16 : j->dtype == WN_F64 ? &k->f64 : &k->f32;
    j->t = pairs ? t->bf16 : j->dtype == WN_F64 ? t->f64 : t->f32;
    j->in = pairs ? WN_BF16 : j->dtype;
    j->size = (int64_t)wn__dtype_size(j->dtype);
    j->in_size = (int64_t)wn__dtype_size(j->in);
}
/* Scores are scaled where they become exponents, but by what adds a bias or by a pass of their own where that would not do. */
static void set_scale(job *j, double scale) {
    j->scale = scale;
    j->by = scale > 0 && (!j->mask || j->bool_mask) ? scale * j->k->unit : 1;
}
wn_status wn__attention_check(wn__call *c, const wn_tensor *q, const wn_tensor *k, const wn_tensor *v, const wn_tensor *mask, job *j) {
    const int n = q->ndim;
    bool fits = n >= 2 && k->ndim == n && v->ndim == n && q->dtype == k->dtype && q->dtype == v->dtype;
    for (int d = 0; fits && d < n - 2; d++) fits = q->shape[d] == k->shape[d] && q->shape[d] == v->shape[d];
    if (!fits || q->shape[n - 1] != k->shape[n - 1] || k->shape[n - 2] != v->shape[n - 2])
        return wn__fail_op(c, WN_E_RUNTIME, "query %s, key %s and value %s do not fit together", wn__desc(q), wn__desc(k), wn__desc(v));
    if (!wn__is_float(q->dtype)) return wn__fail_op(c, WN_E_RUNTIME, "expected scalar type Float but found %s", wn__dtype_word(q->dtype));
    *j = (job){.io = (wn_dtype)q->dtype, .dtype = q->dtype == WN_F64 ? WN_F64 : WN_F32, .batch = 1, .queries = q->shape[n - 2], .keys = k->shape[n - 2], .width = q->shape[n - 1],
               .vwidth = v->shape[n - 1], .lead = n - 2};
    for (int d = 0; d < n - 2; d++) j->batch *= j->shape[d] = q->shape[d];
    if (!mask) return WN_OK;
    fits = mask->ndim <= n && (mask->dtype == WN_BOOL || wn__is_float(mask->dtype));
    for (int d = 0; fits && d < mask->ndim; d++) {
        const int at = n - mask->ndim + d;
        const int64_t want = at == n - 1 ? j->keys : q->shape[at];
        fits = mask->shape[d] == want || mask->shape[d] == 1;
    }
    return fits ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "attn_mask %s does not broadcast to the scores of query %s and key %s", wn__desc(mask), wn__desc(q), wn__desc(k));
}

bool wn__attention_open(job *j, wn_tensor *q, wn_tensor *k, wn_tensor *v, wn_tensor *mask, double scale) {
    if (!wn__attention_open_side(j, q, &j->q) || !wn__attention_open_side(j, k, &j->kk) || !wn__attention_open_side(j, v, &j->v) || !open_mask(j, mask)) return false;
    wn__map_make(j);
    set_scale(j, scale);
    return true;
}

void wn__attention_describe(const void *form, char *text, size_t room) {
    const job *j = form;
    snprintf(text, room, "%s, %lld of %lld queries by %lld keys, width %lld and %lld", wn_dtype_name(j->io), (long long)j->batch, (long long)j->queries, (long long)j->keys,
             (long long)j->width, (long long)j->vwidth);
}
