/* Dispatch's short form for small tensors: a pointwise row whose operands are a few elements of one dtype that kernels
 * compute in, row-major and of one shape. Most calls of small programs are of this kind, and their bookkeeping costs
 * more than their arithmetic. Only what such a call can get wrong is checked; all else goes the long way. */
#include "call/small.h"
#include "base/counters.h"
#include "engine/program.h"
#include "defer/value.h"
#include "grad/tape.h"

static inline wn_tensor *operand(const wn_op *op, const char *args, int i) {
    const char *p = args + op->small_offset[i];
    if (op->small_values >> i & 1) {
        const wn_val *v = (const wn_val *)(const void *)p;
        return v->kind == WN_VAL_TENSOR ? v->u.t : NULL;
    }
    return *(wn_tensor *const *)(const void *)p;
}

/* The word of a handle without irrelevant flags; equal words: equal dtype and ndim, live, row-major, not weak. */
static inline uint64_t kind_of(const wn_tensor *t) {
    static const wn_tensor mask = {.magic = ~0u, .dtype = 255, .ndim = 255, .flags = WN__T_WEAK, .contiguous = 255};
    return t->word & mask.word;
}
static inline bool usable(const wn_tensor *t) {
    return t->magic == WN__MAGIC && t->contiguous == 1 && !(t->flags & WN__T_WEAK);
}
static inline bool fits(const wn_tensor *t, const wn_tensor *first) {
    if (kind_of(t) != kind_of(first)) return false;
    for (int i = 0; i < t->ndim; i++)
        if (t->shape[i] != first->shape[i]) return false;
    return true;
}

/* May in[0], which has no history, be changed? Others may share its memory only element for element. */
static inline bool may_change(const wn__thread *th, wn_tensor *const *in, int n) {
    if (wn__watched(in[0]->storage) || (in[0]->flags & WN__T_INFERENCE && !(th->modes & WN__MODE_INFERENCE))) return false;
    for (int i = 1; i < n; i++)
        if (in[i] != in[0] && in[i]->storage == in[0]->storage) return false;
    return true;
}

/* Inlined for each number of operands n, so that its loops unroll. */
static inline __attribute__((always_inline)) bool run(const wn_op *op, const void *args, bool inplace, wn_tensor **result, wn_status *st,
                                                      const int n) {
    int kernel = op->kernel;
    const char *a = args;
    if (*(const size_t *)args != op->args_size || (!inplace && *(wn_tensor *const *)(const void *)(a + op->out_offset))) return false;
    if (op->unit_field >= 0) {
        if (((const wn_val *)(const void *)(a + op->small_unit))->kind != WN_VAL_NONE) return false;
        kernel = op->unit_kernel;
    }
    wn_tensor *in[WN__MAX_SRC];
    const void *data[WN__MAX_SRC];
    bool grad = false;
    for (int i = 0; i < n; i++) {
        wn_tensor *t = operand(op, a, i);
        if (!t || !(i ? fits(t, in[0]) : usable(t))) return false;
        in[i] = t;
        grad |= t->grad != NULL;
        if (i == 0 && (uint64_t)t->numel - 1 >= (uint64_t)atomic_load_explicit(&wn__small_most, memory_order_relaxed)) return false;
        wn__storage *s = t->storage;
        if (__builtin_expect(wn__pending(s) != NULL, 0)) return false; /* then the result is pending, too */
        data[i] = (char *)s->data + (size_t)t->offset * wn__dtype_sizes[t->dtype];
    }
    const wn_tensor *t = in[0];
    if (!(op->small_dtypes >> t->dtype & 1)) return false;
    wn__kernel fn = wn__kernels_now()->rows[kernel][op->types == WN__TY_LOGICAL ? WN__CT_B8 : wn__compute_type(t->dtype)];
    uint8_t dtype = op->types == WN__TY_COMPARE || op->types == WN__TY_LOGICAL ? (uint8_t)WN_BOOL : t->dtype;
    wn__thread *th = wn__self();
    if (!fn || (grad && op->args_size > WN__SMALL_ARGS)) return false;
    if (inplace) {
        if (dtype != t->dtype || (grad && wn__is_float(dtype)) || !may_change(th, in, n)) return false; /* integers: no history */
        fn(t->numel, (void *)(uintptr_t)data[0], data);
        wn__bump_version(in[0], op->name);
        *result = in[0]; /* the caller's own tensor: no reference is added */
    } else {
        wn_tensor *out = wn__tensor_like(t, (wn_dtype)dtype);
        if (!out) return false; /* the long way reports it */
        fn(t->numel, out->storage->data, data);
        *result = out;
        if (grad && op->grad && wn__is_float(dtype) && wn__recording(th)) {
            if (__builtin_expect(th->modes & WN__MODE_SAVED_HOOKS, 0)) { /* for the long way */
                wn__release(out);
                return false;
            }
            uint32_t need = 0;
            for (int i = 0; i < n; i++) need |= (uint32_t)wn__needs_grad(in[i]) << i;
            need &= op->diff;
            if (need && (*st = wn__record_small(op, args, in, out, need)) != WN_OK) {
                wn__release(out);
                *result = &wn__bad_tensor;
                return true;
            }
        }
    }
    th->elements += t->numel;
    *st = WN_OK;
    return true;
}

WN__NO_CANARY bool wn__try_small(const wn_op *op, const void *args, bool inplace, wn_tensor **result, wn_status *st) {
    switch (op->small_n) {
    case 1: return run(op, args, inplace, result, st, 1);
    case 2: return run(op, args, inplace, result, st, 2);
    default: return run(op, args, inplace, result, st, op->small_n);
    }
}

/* The short form of recording: operands without history, floating and row-major of one shape, or numbers. */
bool wn__try_record(const wn_op *op, const void *args, wn_tensor **result, wn_status *st) {
    const char *a = args;
    const int n = op->small_n;
    int kernel = op->kernel;
    if (*(const size_t *)args != op->args_size || *(wn_tensor *const *)(const void *)(a + op->out_offset)) return false;
    if (op->unit_field >= 0) {
        if (((const wn_val *)(const void *)(a + op->small_unit))->kind != WN_VAL_NONE) return false;
        kernel = op->unit_kernel;
    }
    wn__operand x[4];
    const wn_tensor *first = operand(op, a, 0);
    if (wn__reporting() || !first || !usable(first) || first->numel < wn__defer_threshold() || first->ndim == 0 || (first->dtype != WN_F32 && first->dtype != WN_F64) ||
        !(op->small_dtypes >> first->dtype & 1))
        return false;
    const wn__ct ct = first->dtype == WN_F32 ? WN__CT_F32 : WN__CT_F64;
    for (int i = 0; i < n; i++) {
        wn_tensor *t = operand(op, a, i);
        x[i].t = t;
        x[i].ct = (uint8_t)ct;
        if (!t) {
            if (!(op->small_values >> i & 1)) return false;
            x[i].v = *(const wn_val *)(const void *)(a + op->small_offset[i]);
            if (x[i].v.kind != WN_VAL_INT && x[i].v.kind != WN_VAL_FLOAT) return false;
        } else if (t->grad || !fits(t, first) || wn__storage_marked(t->storage, WN__MARK_FACT)) {
            return false;
        }
    }
    const bool to_bool = op->types == WN__TY_COMPARE;
    wn__kernel fn = wn__kernels_now()->rows[kernel][ct];
    if (!fn || op->types == WN__TY_LOGICAL) return false;
    wn__call c;
    c.op = op;
    c.th = wn__self();
    c.target = NULL;
    c.inplace = false;
    const wn__deferral d = wn__defer_pointwise(&c, fn, to_bool ? WN_BOOL : (wn_dtype)first->dtype, to_bool ? WN__CT_B8 : ct, x, n, first->ndim, first->shape, NULL);
    if (d == WN__NOT_DEFERRED) return false;
    *result = d == WN__DEFERRED ? c.out[0] : &wn__bad_tensor;
    *st = d == WN__DEFERRED ? WN_OK : c.th->error;
    return true;
}
