/* The results of rows: declaring them, allocating them, handing them over. */
#include "base/alloc.h"
#include "call/target.h"
#include "defer/value.h"

static inline __attribute__((always_inline)) wn_status say(wn__call *c, wn_tensor **to, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides) {
    wn_tensor *t = *to = __builtin_expect(c->meta, 0) ? wn__tensor_meta(dtype, ndim, shape, strides) : wn__tensor_unfilled(dtype, ndim, shape, strides);
    if (!t) return wn__fail_memory(c->op->name);
    if (__builtin_expect(c->meta, 0)) return WN_OK;
    /* Small results lie in their storage, which takes no memory; those that may be pending have none yet. */
    wn__storage *s = t->storage;
    if (s->bytes <= sizeof s->inline_data && !c->may_wait && !(c->op->flags & WN__F_WAITS)) s->data = s->inline_data;
    else c->unfilled = true;
    return WN_OK;
}
wn_status wn__result(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides) {
    WN_ASSERT(i >= 0 && i < WN_MAX_RESULTS && ndim >= 0 && ndim <= WN_MAX_DIMS && wn__dtype_valid((int)dtype));
    if (i == 0 && __builtin_expect(c->target != NULL, 0) && wn__target_fits(c, dtype, ndim, shape, strides)) {
        c->out[0] = wn__retain(c->target);
        return WN_OK;
    }
    return say(c, &c->out[i], dtype, ndim, shape, strides);
}
wn_status wn__list_result(wn__call *c, int64_t i, wn_dtype dtype, int ndim, const int64_t *shape) { return say(c, &c->list[i], dtype, ndim, shape, NULL); }

/* Allocates t, unless it is the target or pending, like results that .infer took from other operations. */
static inline bool fill_result(const wn__call *c, const wn_tensor *t) {
    return t == c->target || wn__pending(t->storage) || wn__storage_fill(t->storage);
}
wn_status wn__fill_results(wn__call *c) {
    for (int i = 0; i < c->op->nresults; i++)
        if (c->out[i] && !c->out[i]->storage->data && !fill_result(c, c->out[i])) return wn__fail_memory(c->op->name);
    for (int64_t i = 0; i < c->nlist; i++)
        if (c->list[i] && !c->list[i]->storage->data && !fill_result(c, c->list[i])) return wn__fail_memory(c->op->name);
    return WN_OK;
}

void *wn__plan_room(wn__call *c, size_t size) {
    WN_ASSERT(size > 0);
    if (size <= sizeof c->plan_few) return c->plan = c->plan_few;
    if (!(c->plan = wn__data_alloc(size, &c->plan_capacity))) {
        c->plan_capacity = 0;
        wn__fail_memory(c->op->name);
    }
    return c->plan;
}
void *wn__plan(wn__call *c, size_t size) {
    void *plan = wn__plan_room(c, size);
    return plan ? memset(plan, 0, size) : NULL;
}

wn_tensor *wn__out(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides) {
    WN_ASSERT(i >= 0 && i < WN_MAX_RESULTS && ndim >= 0 && ndim <= WN_MAX_DIMS && wn__dtype_valid((int)dtype));
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
    WN_ASSERT(i >= 0 && i < WN_MAX_RESULTS);
    if (!wn_ok(t)) return c->th->error ? c->th->error : wn__fail_op(c, WN_E_RUNTIME, "no result");
    if (c->out[i] && c->out[i] == c->target) return wn__copy(c->target, t);
    wn__release(c->out[i]);
    c->out[i] = wn__retain(t);
    return WN_OK;
}

/* No list needs more; each result is a handle of half a KB. */
enum { MOST_RESULTS = 1 << 24 };
wn_status wn__give_list(wn__call *c, int64_t n) {
    WN_ASSERT(n >= 0);
    if (n > MOST_RESULTS) return wn__fail_op(c, WN_E_RUNTIME, "%lld tensors are too many results of one call (at most %d)", (long long)n, MOST_RESULTS);
    c->list = wn__new(wn_tensor *, (size_t)(n > 0 ? n : 1));
    if (!c->list) return wn__fail_memory(c->op->name);
    c->nlist = n;
    return WN_OK;
}
