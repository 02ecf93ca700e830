/* Where rows' functions put their results. */
#include "base/alloc.h"
#include "call/target.h"
#include "defer/value.h"

wn_status wn__result(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides) {
    if (i == 0 && c->target && wn__target_fits(c, dtype, ndim, shape, strides)) {
        c->out[0] = wn__retain(c->target);
        return WN_OK;
    }
    c->out[i] = wn__tensor_unfilled(dtype, ndim, shape, strides);
    if (!c->out[i]) return wn__fail_memory(c->op->name);
    if (__builtin_expect(c->meta, 0)) wn__tensor_to_meta(c->out[i]);
    return WN_OK;
}

void *wn__plan(wn__call *c, size_t size) {
    if (size <= sizeof c->plan_few) return c->plan = memset(c->plan_few, 0, size);
    if (!(c->plan = wn__calloc(1, size))) wn__fail_memory(c->op->name);
    return c->plan;
}

wn_tensor *wn__out(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides) {
    if (i == 0 && wn__target_fits(c, dtype, ndim, shape, strides)) return c->out[0] = wn__retain(c->target);
    if (__builtin_expect(c->meta, 0)) return wn__result(c, i, dtype, ndim, shape, strides) ? NULL : c->out[i];
    wn_tensor *r = wn__tensor_new(dtype, ndim, shape, strides);
    if (!r) {
        wn__fail_memory(c->op->name);
        return NULL;
    }
    return c->out[i] = r;
}

wn_status wn__give(wn__call *c, int i, wn_tensor *t) {
    if (!wn_ok(t)) return c->th->error ? c->th->error : wn__fail_op(c, WN_E_RUNTIME, "no result");
    if (c->out[i] && c->out[i] == c->target) return wn__copy(c->target, t);
    wn__release(c->out[i]);
    c->out[i] = wn__retain(t);
    return WN_OK;
}

/* More results than anybody reads: each is a handle of half a KB. */
enum { MOST_RESULTS = 1 << 24 };
wn_status wn__give_list(wn__call *c, int64_t n) {
    if (n > MOST_RESULTS) return wn__fail_op(c, WN_E_RUNTIME, "%lld tensors are too many results of one call (at most %d)", (long long)n, MOST_RESULTS);
    c->list = wn__new(wn_tensor *, (size_t)(n > 0 ? n : 1));
    if (!c->list) return wn__fail_memory(c->op->name);
    c->nlist = n;
    return WN_OK;
}
