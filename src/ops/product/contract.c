/* Matrix products: each row says which dimensions of its operands carry the same label; the engine (engine/contraction.h) does the
 * rest, whatever the strides. */
#include <stdio.h>
#include "ops/product/contract.h"
#include "ops/product/known_zeros.h"
#include "base/alloc.h"
#include "base/counters.h"
#include "base/words.h"
#include "base/threads.h"
#include "grad/tape.h"

enum { BATCH0 = 0, M = 64, K = 65, N = 66 }; /* labels of the matrix rows: batch dimensions count up from BATCH0 */

/* ------------------------------------------------------------------ labels to axes */

/* Size and stride of each label in one tensor. A dimension of size 1 may broadcast: its stride is 0. */
typedef struct carried {
    bool has[WN__LABELS];
    int64_t size[WN__LABELS], stride[WN__LABELS];
} carried;

static void carry(const wn_tensor *t, const wn__labels *l, carried *x) {
    memset(x->has, 0, sizeof x->has);
    for (int d = 0; d < l->n; d++) {
        const int i = l->v[d];
        const int64_t stride = t->shape[d] == 1 ? 0 : t->strides[d];
        x->stride[i] = x->has[i] ? x->stride[i] + stride : stride;
        x->size[i] = t->shape[d];
        x->has[i] = true;
    }
}

static void add_axis(wn__contraction *k, int label, const carried *a, const carried *b, const carried *c) {
    wn__axis x = {.a = a->has[label] ? a->stride[label] : 0, .b = b->has[label] ? b->stride[label] : 0,
                  .c = c->has[label] ? c->stride[label] : 0};
    x.size = a->has[label] && a->size[label] != 1 ? a->size[label] : b->has[label] ? b->size[label] : 1;
    const bool in_a = a->has[label] && a->size[label] != 1, in_b = b->has[label] && b->size[label] != 1;
    if (!c->has[label]) k->k[k->nk++] = x;
    else if (in_a && in_b) k->batch[k->nbatch++] = x;
    else if (in_b || (!in_a && !a->has[label])) k->n[k->nn++] = x;
    else k->m[k->nm++] = x;
}

static int64_t place(const wn__axis *x, int n, int64_t i) {
    int64_t at = 0;
    for (int d = n - 1; d >= 0; d--) {
        at += i % x[d].size * x[d].c;
        i /= x[d].size;
    }
    return at;
}

enum { AFTER_BLOCK = 8192 };

/* The epilogue of the row itself (an addend), then what follows the product. */
typedef struct chain {
    const wn__epilogue *first;
    wn__sink *sink;
    const wn__contraction *k;
} chain;

static int64_t place_of(const wn__contraction *k, int64_t b, int64_t i, int64_t j) {
    return place(k->batch, k->nbatch, b) + place(k->m, k->nm, i) + place(k->n, k->nn, j);
}

static void run_chain(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n) {
    const chain *x = ctx;
    if (x->first) x->first->run(x->first->ctx, acc, b, i, j, n);
    x->sink->piece(x->sink, place_of(x->k, b, i, j), n, acc);
}

static void run_chain_down(void *ctx, void *acc, int64_t b, int64_t i, int64_t j, int64_t n) {
    const chain *x = ctx;
    if (x->first) x->first->down(x->first->ctx, acc, b, i, j, n);
    x->sink->piece(x->sink, place_of(x->k, b, i, j), n, acc);
}

static void after_task(void *ctx, int64_t begin, int64_t end) {
    const chain *x = ctx;
    x->sink->piece(x->sink, begin, end - begin, (char *)x->k->c + (size_t)begin * wn_dtype_size(x->k->out_dtype));
}

/* The product, and what follows it: on pieces of rows of C (or columns) as the engine finishes them, or, where those would be short, on C
 * when that is complete. */
static bool run_followed(wn__contraction *k, const wn__epilogue *e, wn__sink *sink, int64_t numel) {
    chain follow = {e && e->run ? e : NULL, sink, k};
    wn__epilogue both = {.run = run_chain, .ctx = &follow, .down = run_chain_down};
    const bool pieces = wn__contract_reach(k) >= WN__PIECE_LEAST && (!follow.first || e->down);
    if (pieces) k->epilogue = &both;
    if (!wn__contract(k)) return false;
    if (!pieces) wn__parallel(numel, AFTER_BLOCK, after_task, &follow);
    return true;
}

static inline bool run(const wn__call *c, wn__contraction *k, const wn__epilogue *e, int64_t numel) {
    return c->sink ? run_followed(k, e, c->sink, numel) : wn__contract(k);
}
/* The same without the terms that are known to be zero. */
static __attribute__((noinline)) bool run_knowing(const wn__call *c, wn__contraction *k, const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb,
                                                  const wn__labels *lo, const wn__epilogue *e, int64_t numel) {
    wn__known_zeros zeros;
    zeros.sa = zeros.sb = NULL;
    wn__tell_zeros(k, a, la, b, lb, lo, &zeros);
    const bool done = run(c, k, e, numel);
    wn__free(zeros.sa);
    wn__free(zeros.sb);
    return done;
}

wn_status wn__contract_labelled(wn__call *c, const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb,
                                wn_tensor *out, const wn__labels *lo, double alpha, double beta, const wn__epilogue *e) {
    if (out->numel == 0) return WN_OK;
    carried xa, xb, xc;
    carry(a, la, &xa);
    carry(b, lb, &xb);
    carry(out, lo, &xc);
    wn__contraction k;
    k.dtype = (wn_dtype)a->dtype;
    k.out_dtype = (wn_dtype)out->dtype;
    k.nbatch = k.nm = k.nn = k.nk = 0;
    k.alpha = alpha;
    k.beta = beta;
    k.epilogue = e;
    k.reach_a = k.reach_b = NULL;
    k.kept_m = k.kept_k = NULL;
    for (int d = 0; d < lo->n; d++) add_axis(&k, lo->v[d], &xa, &xb, &xc);
    bool summed[WN__LABELS] = {false};
    for (int d = 0; d < la->n + lb->n; d++) {
        const int label = d < la->n ? la->v[d] : lb->v[d - la->n];
        if (xc.has[label] || summed[label]) continue;
        if (k.nk == WN_MAX_DIMS)
            return wn__fail_op(c, WN_E_RUNTIME, "more than %d summed dimensions: %s and %s", WN_MAX_DIMS, wn__desc(a), wn__desc(b));
        summed[label] = true;
        add_axis(&k, label, &xa, &xb, &xc);
    }
    k.a = wn__ptr(a);
    k.b = wn__ptr(b);
    k.c = wn__ptr(out);
    if (!k.c || (!k.a && a->numel) || (!k.b && b->numel)) return wn__fail_memory(c->op->name);
    wn__count(out->numel);
    const bool knows = wn__may_know_zeros(a, b);
    const bool done = __builtin_expect(knows, 0) ? run_knowing(c, &k, a, la, b, lb, lo, e, out->numel) : run(c, &k, e, out->numel);
    return done ? WN_OK : wn__fail_memory(c->op->name);
}

wn_status wn__check_product(wn__call *c, const wn_tensor *a, const wn_tensor *b) {
    if (a->dtype != b->dtype)
        return wn__fail_op(c, WN_E_RUNTIME, "expected m1 and m2 to have the same dtype, but got: %s != %s (%s and %s)",
                           wn__dtype_cxx(a->dtype), wn__dtype_cxx(b->dtype), wn__desc(a), wn__desc(b));
    if (a->dtype == WN_BOOL)
        return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for 'Bool' (%s and %s)", c->op->name, wn__desc(a), wn__desc(b));
    return WN_OK;
}

/* The rows' products, of two tensors. */
static wn_status product(wn__call *c, const wn__labels *la, const wn__labels *lb, const wn__labels *lo) {
    return wn__contract_labelled(c, c->in[0], la, c->in[1], lb, c->out[0], lo, 1, 0, NULL);
}

/* ------------------------------------------------------------------ the row behind einsum and all gradients */

static wn_status read_labels(wn__call *c, const wn_tensor *t, const wn_dims *d, const char *what, wn__labels *l) {
    l->n = d->n > 0 ? d->n : 0;
    if (t && l->n != t->ndim)
        return wn__fail_op(c, WN_E_RUNTIME, "%d labels were given for %s, %s", l->n, what, wn__desc(t));
    for (int i = 0; i < l->n; i++) {
        if (d->v[i] < 0 || d->v[i] >= WN__LABELS)
            return wn__fail_op(c, WN_E_RUNTIME, "label %lld of %s is not in [0, %d)", (long long)d->v[i], what, WN__LABELS);
        l->v[i] = (uint8_t)d->v[i];
    }
    return WN_OK;
}

static wn_status all_labels(wn__call *c, wn__labels *la, wn__labels *lb, wn__labels *lo) {
    const wn_contract_args *a = c->args;
    wn_status st = read_labels(c, a->self, &a->self_labels, "self", la);
    if (!st) st = read_labels(c, a->other, &a->other_labels, "other", lb);
    return st ? st : read_labels(c, NULL, &a->labels, "the result", lo);
}

wn_status wn__infer_contract(wn__call *c) {
    const wn_contract_args *a = c->args;
    wn__labels la, lb, lo;
    wn_status st = all_labels(c, &la, &lb, &lo);
    if (!st) st = wn__check_product(c, a->self, a->other);
    if (st) return st;
    int64_t size[WN__LABELS], shape[WN_MAX_DIMS];
    memset(size, -1, sizeof size);
    for (int d = 0; d < la.n + lb.n; d++) {
        const int label = d < la.n ? la.v[d] : lb.v[d - la.n];
        const int64_t s = d < la.n ? a->self->shape[d] : a->other->shape[d - la.n];
        if (size[label] >= 0 && size[label] != s)
            return wn__fail_op(c, WN_E_RUNTIME, "label %d has sizes %lld and %lld (%s and %s)", label, (long long)size[label], (long long)s,
                               wn__desc(a->self), wn__desc(a->other));
        size[label] = s;
    }
    for (int d = 0; d < lo.n; d++) {
        for (int k = 0; k < d; k++)
            if (lo.v[k] == lo.v[d]) return wn__fail_op(c, WN_E_RUNTIME, "label %d appears twice in the result", lo.v[d]);
        if (size[lo.v[d]] < 0) return wn__fail_op(c, WN_E_RUNTIME, "label %d of the result is in no operand", lo.v[d]);
        shape[d] = size[lo.v[d]];
    }
    return wn__result(c, 0, (wn_dtype)a->self->dtype, lo.n, shape, NULL);
}
static wn_support *zeros(const wn__call *c, const wn__labels *la, const wn__labels *lb, const wn__labels *lo) {
    return wn__zeros_of_product(c->in[0], la, c->in[1], lb, c->out[0], lo);
}

wn_support *wn__zeros_of_contract(const wn__call *c) {
    wn__labels la, lb, lo;
    return all_labels((wn__call *)(uintptr_t)c, &la, &lb, &lo) ? NULL : zeros(c, &la, &lb, &lo);
}
wn_status wn__run_contract(wn__call *c) {
    wn__labels la, lb, lo;
    wn_status st = all_labels(c, &la, &lb, &lo);
    return st ? st : product(c, &la, &lb, &lo);
}

/* ------------------------------------------------------------------ mm, bmm, mv, dot */

static const wn__labels mk = {2, {M, K}}, kn = {2, {K, N}}, mn = {2, {M, N}}, just_k = {1, {K}}, just_m = {1, {M}}, none = {0, {0}};
static const wn__labels bmk = {3, {BATCH0, M, K}}, bkn = {3, {BATCH0, K, N}}, bmn = {3, {BATCH0, M, N}};

static wn_status infer_product(wn__call *c, int ndim, const int64_t *shape) {
    const wn_status st = wn__check_product(c, c->in[0], c->in[1]);
    return st ? st : wn__result(c, 0, (wn_dtype)c->in[0]->dtype, ndim, shape, NULL);
}

wn_status wn__infer_mm(wn__call *c) {
    const wn_mm_args *x = c->args;
    const wn_tensor *a = x->self, *b = x->mat2;
    if (a->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "self must be a matrix, but it is %s (mat2 is %s)", wn__desc(a), wn__desc(b));
    if (b->ndim != 2) return wn__fail_op(c, WN_E_RUNTIME, "mat2 must be a matrix, but it is %s (self is %s)", wn__desc(b), wn__desc(a));
    if (a->shape[1] != b->shape[0])
        return wn__fail_op(c, WN_E_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (%s and %s)", wn__desc(a), wn__desc(b));
    return infer_product(c, 2, (int64_t[]){a->shape[0], b->shape[1]});
}
wn_support *wn__zeros_of_mm(const wn__call *c) { return zeros(c, &mk, &kn, &mn); }
wn_status wn__run_mm(wn__call *c) { return product(c, &mk, &kn, &mn); }

wn_status wn__infer_bmm(wn__call *c) {
    const wn_bmm_args *x = c->args;
    const wn_tensor *a = x->self, *b = x->mat2;
    if (a->ndim != 3 || b->ndim != 3)
        return wn__fail_op(c, WN_E_RUNTIME, "both operands must be 3D tensors, but they are %s and %s", wn__desc(a), wn__desc(b));
    if (a->shape[0] != b->shape[0] || a->shape[2] != b->shape[1])
        return wn__fail_op(c, WN_E_RUNTIME, "Expected size for first two dimensions of batch2 tensor to be: [%lld, %lld] but got: [%lld, "
                           "%lld] (%s and %s)", (long long)a->shape[0], (long long)a->shape[2], (long long)b->shape[0],
                           (long long)b->shape[1], wn__desc(a), wn__desc(b));
    return infer_product(c, 3, (int64_t[]){a->shape[0], a->shape[1], b->shape[2]});
}
wn_support *wn__zeros_of_bmm(const wn__call *c) { return zeros(c, &bmk, &bkn, &bmn); }
wn_status wn__run_bmm(wn__call *c) { return product(c, &bmk, &bkn, &bmn); }

wn_status wn__infer_mv(wn__call *c) {
    const wn_mv_args *x = c->args;
    const wn_tensor *a = x->self, *b = x->vec;
    if (a->ndim != 2 || b->ndim != 1)
        return wn__fail_op(c, WN_E_RUNTIME, "matrix @ vector expected, got %s and %s", wn__desc(a), wn__desc(b));
    if (a->shape[1] != b->shape[0])
        return wn__fail_op(c, WN_E_RUNTIME, "size mismatch, got mat %s and vec %s", wn__desc(a), wn__desc(b));
    return infer_product(c, 1, a->shape);
}
wn_status wn__run_mv(wn__call *c) { return product(c, &mk, &just_k, &just_m); }

wn_status wn__infer_dot(wn__call *c) {
    const wn_dot_args *x = c->args;
    const wn_tensor *a = x->self, *b = x->tensor;
    if (a->ndim != 1 || b->ndim != 1)
        return wn__fail_op(c, WN_E_RUNTIME, "1D tensors expected, but got %s and %s", wn__desc(a), wn__desc(b));
    if (a->dtype != b->dtype)
        return wn__fail(WN_E_RUNTIME, "dot ", "expected both vectors to have same dtype, but found %s and %s", wn__dtype_word(a->dtype), wn__dtype_word(b->dtype));
    if (a->shape[0] != b->shape[0])
        return wn__fail_op(c, WN_E_RUNTIME, "inconsistent tensor size, expected %s and %s to have the same number of elements", wn__desc(a),
                           wn__desc(b));
    return infer_product(c, 0, a->shape);
}
wn_status wn__run_dot(wn__call *c) { return product(c, &just_k, &just_k, &none); }

/* ------------------------------------------------------------------ matmul */

/* Labels of matmul's operands: batch dimensions are aligned at the right, BATCH0 being the first of the result's. */
static void matmul_labels(int na, int nb, wn__labels *la, wn__labels *lb, wn__labels *lo) {
    const int ba = na > 2 ? na - 2 : 0, bb = nb > 2 ? nb - 2 : 0, batch = ba > bb ? ba : bb;
    la->n = lb->n = lo->n = 0;
    for (int d = 0; d < batch; d++) {
        if (d >= batch - ba) la->v[la->n++] = (uint8_t)(BATCH0 + d);
        if (d >= batch - bb) lb->v[lb->n++] = (uint8_t)(BATCH0 + d);
        lo->v[lo->n++] = (uint8_t)(BATCH0 + d);
    }
    if (na > 1) la->v[la->n++] = lo->v[lo->n++] = M;
    la->v[la->n++] = K;
    lb->v[lb->n++] = K;
    if (nb > 1) lb->v[lb->n++] = lo->v[lo->n++] = N;
}

wn_status wn__infer_matmul(wn__call *c) {
    const wn_matmul_args *x = c->args;
    const wn_tensor *a = x->self, *b = x->other;
    if (a->ndim == 0 || b->ndim == 0)
        return wn__fail_op(c, WN_E_RUNTIME, "both arguments to matmul need to be at least 1D, but they are %s and %s", wn__desc(a), wn__desc(b));
    const int64_t ka = a->shape[a->ndim - 1], kb = b->shape[b->ndim > 1 ? b->ndim - 2 : 0];
    if (ka != kb) {
        if (a->ndim == 1 && b->ndim == 1)
            return wn__fail_op(c, WN_E_RUNTIME, "inconsistent tensor size, expected %s and %s to have the same number of elements", wn__desc(a),
                               wn__desc(b));
        return wn__fail_op(c, WN_E_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (%s and %s: %lld columns, %lld rows)", wn__desc(a),
                           wn__desc(b), (long long)ka, (long long)kb);
    }
    wn__labels la, lb, lo;
    matmul_labels(a->ndim, b->ndim, &la, &lb, &lo);
    int64_t shape[WN_MAX_DIMS];
    const int batch = lo.n - (a->ndim > 1) - (b->ndim > 1), ba = la.n - 1 - (a->ndim > 1), bb = lb.n - 1 - (b->ndim > 1);
    for (int d = 0; d < batch; d++) {
        const int64_t sa = d < batch - ba ? 1 : a->shape[d - (batch - ba)], sb = d < batch - bb ? 1 : b->shape[d - (batch - bb)];
        if (sa != sb && sa != 1 && sb != 1)
            return wn__fail_op(c, WN_E_RUNTIME, "The size of tensor a (%lld) must match the size of tensor b (%lld) at non-singleton dimension "
                               "%d (%s and %s)", (long long)sa, (long long)sb, d, wn__desc(a), wn__desc(b));
        shape[d] = sa == 1 ? sb : sa;
    }
    if (a->ndim > 1) shape[batch] = a->shape[a->ndim - 2];
    if (b->ndim > 1) shape[lo.n - 1] = b->shape[b->ndim - 1];
    return infer_product(c, lo.n, shape);
}
wn_support *wn__zeros_of_matmul(const wn__call *c) {
    wn__labels la, lb, lo;
    matmul_labels(c->in[0]->ndim, c->in[1]->ndim, &la, &lb, &lo);
    return zeros(c, &la, &lb, &lo);
}
wn_status wn__run_matmul(wn__call *c) {
    wn__labels la, lb, lo;
    matmul_labels(c->in[0]->ndim, c->in[1]->ndim, &la, &lb, &lo);
    return product(c, &la, &lb, &lo);
}

/* ------------------------------------------------------------------ outer, tensordot */

/* Marks dims in at[]: at[d] = its place in the list. */
static wn_status place_dims(wn__call *c, const wn_tensor *t, const wn_dims *dims, int *at) {
    for (int d = 0; d < t->ndim; d++) at[d] = -1;
    for (int i = 0; i < dims->n; i++) {
        const int d = wn__wrap_dim(c->op->name, dims->v[i], t->ndim);
        if (d < 0) return c->th->error;
        if (t->ndim == 0 || at[d] >= 0) return wn__fail_op(c, WN_E_RUNTIME, "dim %d appears multiple times in the list of dims (%s)", d, wn__desc(t));
        at[d] = i;
    }
    return WN_OK;
}

wn_status wn__op_tensordot(wn__call *c, wn_tensor *self, wn_tensor *other, const wn_dims *dims_self,
                           const wn_dims *dims_other) {
    wn_tensor *t[2] = {self, other};
    const wn_dims *dims[2] = {dims_self, dims_other};
    int at[2][WN_MAX_DIMS], free_label = 0;
    const int n = dims[0]->n > 0 ? dims[0]->n : 0;
    if (n != (dims[1]->n > 0 ? dims[1]->n : 0))
        return wn__fail_op(c, WN_E_RUNTIME, "both dimension lists should have same length, but they are %s and %s", wn__dims_text(dims[0]->v, n),
                           wn__dims_text(dims[1]->v, dims[1]->n > 0 ? dims[1]->n : 0));
    wn_status st = place_dims(c, t[0], dims[0], at[0]);
    if (!st) st = place_dims(c, t[1], dims[1], at[1]);
    if (st) return st;
    for (int i = 0; i < n; i++) {
        int d[2];
        for (int k = 0; k < 2; k++) d[k] = (int)(dims[k]->v[i] < 0 ? dims[k]->v[i] + t[k]->ndim : dims[k]->v[i]);
        const int64_t s0 = t[0]->shape[d[0]], s1 = t[1]->shape[d[1]];
        if (s0 == s1) continue;
        if (s0 != 1 && s1 != 1)
            return wn__fail_op(c, WN_E_RUNTIME, "contracted dimensions need to match, but first has size %lld in dim %d and second has size %lld in dim "
                               "%d (%s and %s)", (long long)s0, d[0], (long long)s1, d[1], wn__desc(t[0]), wn__desc(t[1]));
        const int large = s0 == 1; /* the one that does not broadcast is summed first */
        t[large] = wn_sum(t[large], .dims = WN_DIMS(d[large]), .keepdim = true, .dtype = (wn_dtype)t[large]->dtype);
        if (!wn_ok(t[large])) return c->th->error;
    }
    wn_dims labels[2], out = WN_UNSET;
    for (int k = 0; k < 2; k++) {
        labels[k].n = t[k]->ndim ? t[k]->ndim : -1;
        for (int d = 0; d < t[k]->ndim; d++) {
            labels[k].v[d] = at[k][d] >= 0 ? M + at[k][d] : free_label;
            if (at[k][d] >= 0) continue;
            if (out.n == WN_MAX_DIMS) return wn__fail_op(c, WN_E_RUNTIME, "the result would have more than %d dimensions", WN_MAX_DIMS);
            out.v[out.n++] = free_label++;
        }
    }
    if (!out.n) out.n = -1;
    return wn__give(c, 0, wn_contract(t[0], t[1], labels[0], labels[1], out));
}

/* ------------------------------------------------------------------ gradients */

/* t without the dimensions of size 1 that broadcast (whose label is larger), and their labels gone too. */
static wn_tensor *without_broadcast(wn_tensor *t, const int64_t *sizes, const wn__labels *l, wn__labels *kept) {
    wn_dims shape = WN_UNSET;
    wn__labels keep = {0, {0}};
    for (int d = 0; d < l->n; d++) {
        const int64_t have = t ? t->shape[d] : sizes[d];
        if (have == 1 && l->v[d] < M) continue; /* a batch dimension of size 1 needs no label: nothing is there to sum or match */
        shape.v[shape.n++] = have;
        keep.v[keep.n++] = l->v[d];
    }
    *kept = keep;
    if (!t || shape.n == l->n) return t;
    return wn_reshape(t, shape.n ? shape : WN_0D);
}

/* The gradient of matmul in one operand: grad contracted with the other one, summed over the batch dimensions that the operand
 * lacks or broadcasts, in one go. */
wn_status wn__op_matmul_grad(wn__call *c, wn_tensor *g, wn_tensor *other, const wn_dims *sizes, bool second) {
    const int n = sizes->n > 0 ? sizes->n : 0;
    wn__labels la, lb, lo, mine, others, grads;
    matmul_labels(second ? other->ndim : n, second ? n : other->ndim, &la, &lb, &lo);
    (void)without_broadcast(NULL, sizes->v, second ? &lb : &la, &mine);
    other = without_broadcast(other, NULL, second ? &la : &lb, &others);
    g = without_broadcast(g, NULL, &lo, &grads);
    wn_dims gl = wn__labels_dims(&grads), ol = wn__labels_dims(&others), ml = wn__labels_dims(&mine);
    wn_tensor *r = wn_contract(g, other, gl, ol, ml);
    if (mine.n != n) r = wn_reshape(r, *sizes);
    return wn__give(c, 0, r);
}

/* All leading dimensions are summed at once: no reshape, whatever their strides. */
wn_status wn__op_linear_weight_grad(wn__call *c, wn_tensor *grad, wn_tensor *input) {
    if (input->ndim < 1 || grad->ndim > input->ndim || grad->ndim < input->ndim - 1)
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s does not belong to input %s", wn__desc(grad), wn__desc(input));
    wn_dims gl = {.n = -1}, il = {.n = input->ndim}, wl = WN_UNSET;
    for (int d = 0; d < input->ndim - 1; d++) il.v[d] = d;
    il.v[input->ndim - 1] = K;
    if (grad->ndim) gl.n = grad->ndim;
    for (int d = 0; d < grad->ndim; d++) gl.v[d] = d < input->ndim - 1 ? d : N;
    if (grad->ndim == input->ndim) wl.v[wl.n++] = N;
    wl.v[wl.n++] = K;
    return wn__give(c, 0, wn_contract(grad, input, gl, il, wl));
}

/* Products record in torch what they come down to, which the dimensions of the operands decide. */
int wn__title_of_matmul(const wn_node *n, char *buf, size_t cap) {
    const int a = n->edges[0].ndim, b = n->edges[1].ndim;
    if (a == 1 && b == 1) return snprintf(buf, cap, "DotBackward0");
    if (a == 2 && b <= 2) return snprintf(buf, cap, b == 1 ? "MvBackward0" : "MmBackward0");
    return snprintf(buf, cap, a == 1 && b == 2 ? "SqueezeBackward4" : "UnsafeViewBackward0");
}
