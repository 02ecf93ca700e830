/* searchsorted and bucketize: binary searches, on several threads. The comparisons are torch's, so that NaN goes where it does
 * there: behind everything. */
#include "base/alloc.h"
#include "base/half.h"
#include "base/counters.h"
#include "base/inline.h"
#include "base/threads.h"
#include "call/dispatch.h"

typedef struct search_job {
    wn_dtype dtype;
    const char *sequence, *values;
    const int64_t *sorter;
    void *out;
    bool narrow, right;
    int64_t n, each, rows; /* of a sequence; values for each of `rows` sequences, all of them for the only one */
} search_job;

/* Searches that go on side by side: each waits for memory and for its own comparisons only. */
enum { SIDE_BY_SIDE = 8 };

/* Elements are compared as C, which halves are read as. */
#define C T
#define READ(x) (x)
#define BODY "ops/order/search_of.h"
#include "base/for_numbers.h"
#undef C
#undef READ
#define C float
#define READ wn__f16_to_f32
#include "base/as_f16.h"
#include "ops/order/search_of.h"
#undef READ
#define READ wn__bf16_to_f32
#include "base/as_bf16.h"
#include "ops/order/search_of.h"
#include "base/as_none.h"

static void search_some(void *ctx, int64_t begin, int64_t end) {
    static void (*const of[WN__DTYPES])(const search_job *, int64_t, int64_t) = {BY_NUMBER(search), [WN_F16] = search_f16, [WN_BF16] = search_bf16};
    const search_job *j = ctx;
    of[j->dtype](j, begin, end);
}

static wn_status check_shapes(wn__call *c, const wn_tensor *s, const wn_tensor *v, bool number) {
    if (s->ndim == 0) return wn__fail_op(c, WN_E_RUNTIME, "boundaries tensor should have positive dimension, but got 0 dimension");
    if (number && s->ndim != 1)
        return wn__fail_op(c, WN_E_RUNTIME, "input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim(%d)", s->ndim);
    bool fits = s->ndim == 1 || (s->ndim == v->ndim && !memcmp(s->shape, v->shape, (size_t)(s->ndim - 1) * sizeof *s->shape));
    if (v->ndim == 0 && s->ndim != 1) fits = false;
    if (fits) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must "
                       "match, but we got boundaries tensor %s and input value tensor %s", wn__desc(s), wn__desc(v));
}
static wn_status check_sorter(wn__call *c, const wn_tensor *s, const wn_tensor *sorter) {
    if (!sorter) return WN_OK;
    if (!wn__same_shape(s, sorter))
        return wn__fail_op(c, WN_E_RUNTIME, "boundary and sorter must have the same size, but got boundary tensor %s and got sorter tensor %s", wn__desc(s), wn__desc(sorter));
    if (sorter->dtype != WN_I64) return wn__fail_op(c, WN_E_RUNTIME, "sorter must be a tensor of long dtype but got dtype %s", wn__dtype_word(sorter->dtype));
    return WN_OK;
}

static wn_status search(wn__call *c, search_job *j, wn_tensor *s, wn_tensor *v, wn_tensor *sorter) {
    wn_tensor *y = c->out[0];
    if (v->numel == 0) return WN_OK;
    j->n = s->shape[s->ndim - 1];
    j->each = s->ndim == 1 ? v->numel : v->shape[v->ndim - 1];
    j->rows = v->numel / j->each;
    j->sequence = wn__ptr(s);
    j->values = wn__ptr(v);
    j->sorter = sorter ? (const int64_t *)(const void *)wn__ptr(sorter) : NULL;
    j->out = wn__ptr(y);
    if (!j->values || !j->out || (s->numel && !j->sequence) || (sorter && sorter->numel && !j->sorter)) return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    for (int64_t i = 0; sorter && i < sorter->numel; i++)
        if (j->sorter[i] < 0 || j->sorter[i] >= j->n) return wn__fail_op(c, WN_E_RUNTIME, "sorter index out of range");
    wn__parallel(v->numel, 512, search_some, j);
    wn__count(v->numel);
    return WN_OK;
}

static wn_status check_out(wn__call *c, bool narrow) {
    const wn_tensor *out = c->target;
    if (!out || out->dtype == (narrow ? WN_I32 : WN_I64)) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on whether out_int32 flag is True, but we "
                       "got output tensor's dtype %s and out_int32 flag is %s", wn__dtype_word(out->dtype), narrow ? "True" : "False");
}

static void warn_of_copy(const wn__call *c, const wn_tensor *t, const char *what) {
    if (!t || t->contiguous) return;
    wn__warn(c->op->name, true, "torch.searchsorted(): %s tensor is non-contiguous, this will lower the performance due to extra data copy when converting "
             "non-contiguous tensor to contiguous, please use contiguous %s tensor if possible. This message will only appear once per program.", what, what);
}

static wn_dtype compared_as(const wn_searchsorted_args *a) {
    wn__tiers t = {0};
    wn__tiers_add(&t, a->sorted_sequence);
    wn__tiers_add(&t, a->self);
    return wn__tiers_result(&t);
}

wn_status wn__infer_searchsorted(wn__call *c) {
    const wn_searchsorted_args *a = c->args;
    wn_status st = check_shapes(c, a->sorted_sequence, a->self, false);
    if (!st) st = check_sorter(c, a->sorted_sequence, a->sorter);
    if (!st) st = check_out(c, a->out_int32);
    if (st) return st;
    bool left = a->side && !strcmp(a->side, "left"), right = a->side && !strcmp(a->side, "right");
    if (a->side && !left && !right) return wn__fail_op(c, WN_E_RUNTIME, "side can only be 'left' or 'right' but got %s", a->side);
    if (left && a->right) return wn__fail_op(c, WN_E_RUNTIME, "side and right can't be set to opposites, got side of left while right was True");
    if (a->out_int32 && a->sorted_sequence->shape[a->sorted_sequence->ndim - 1] >= INT32_MAX)
        return wn__fail_op(c, WN_E_RUNTIME, "the size of boundaries' last dimension should be less than %d, but we got %s", INT32_MAX, wn__desc(a->sorted_sequence));
    if (compared_as(a) == WN_BOOL) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for Bool", c->op->name);
    return wn__result(c, 0, a->out_int32 ? WN_I32 : WN_I64, a->self->ndim, a->self->shape, NULL);
}
wn_status wn__run_searchsorted(wn__call *c) {
    const wn_searchsorted_args *a = c->args;
    const wn_dtype d = compared_as(a);
    warn_of_copy(c, a->self, "input value");
    warn_of_copy(c, a->sorted_sequence, "boundary");
    warn_of_copy(c, a->sorter, "sorter");
    search_job j = {.dtype = d, .narrow = a->out_int32, .right = a->right || (a->side && !strcmp(a->side, "right"))};
    WN__OWNED wn_tensor *s = wn__plain_raw(a->sorted_sequence, d), *v = wn__plain_raw(a->self, d), *sorter = a->sorter ? wn__contiguous_raw(a->sorter) : NULL;
    return s && v && (sorter || !a->sorter) ? search(c, &j, s, v, sorter) : wn__fail_memory(c->op->name);
}

static wn_status a_number(wn__call *c, wn_val v) {
    return v.kind == WN_VAL_TENSOR || v.kind == WN_VAL_NONE ? wn__fail_op(c, WN_E_TYPE, "a number is needed") : WN_OK;
}
/* A number as a 0-d tensor that promotes like one. */
static wn_tensor *of_number(wn_val v) {
    wn_dtype d = v.kind == WN_VAL_FLOAT ? wn_default_dtype() : v.kind == WN_VAL_BOOL ? WN_BOOL : WN_I64;
    return wn_full(WN_0D, v, .dtype = d);
}
wn_status wn__op_searchsorted_number(wn__call *c, wn_tensor *sorted_sequence, wn_val self, bool out_int32, bool right,
                                     const char *side, wn_tensor *sorter) {
    wn_status st = a_number(c, self);
    if (!st) st = check_shapes(c, sorted_sequence, sorted_sequence, true);
    if (st) return st;
    return wn__give(c, 0, wn_searchsorted(sorted_sequence, of_number(self), .out_int32 = out_int32, .right = right, .side = side, .sorter = sorter));
}

wn_status wn__op_bucketize_number(wn__call *c, wn_val self, wn_tensor *boundaries, bool out_int32, bool right) {
    wn_status st = a_number(c, self);
    if (!st && boundaries->ndim != 1) st = wn__fail_op(c, WN_E_RUNTIME, "boundaries tensor must be 1 dimension, but got dim(%d)", boundaries->ndim);
    return st ? st : wn__give(c, 0, wn_searchsorted(boundaries, of_number(self), .out_int32 = out_int32, .right = right));
}
