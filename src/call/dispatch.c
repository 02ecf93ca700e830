/* Dispatch, the one way of every operation: check the operands, infer, allocate, run the kernel, record. */
#include "call/autocast.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/interrupt.h"
#include "call/layout.h"
#include "call/meta.h"
#include "base/counters.h"
#include "call/small.h"
#include "call/target.h"
#include "call/zeros.h"
#include "defer/value.h"
#include "grad/tape.h"

/* ------------------------------------------------------------------ arguments */

wn_status wn__bad_operand(wn__call *c, const wn_tensor *t) {
    if (wn__is_bad(t)) {
        if (c->th->error == WN_OK)
            return wn__fail_op(c, WN_E_RUNTIME, "an operand is a bad tensor (the error that made it was cleared)");
        c->th->error_count++;
        return WN_E_RUNTIME;
    }
    return wn__fail_op(c, WN_E_RUNTIME, "an operand was used after its scope ended");
}

static wn_status grow_inputs(wn__call *c, int64_t n) {
    if (n <= (int64_t)(sizeof c->in_few / sizeof *c->in_few)) return WN_OK;
    wn_tensor **in = wn__new(wn_tensor *, (size_t)n);
    if (!in) return wn__fail_memory(c->op->name);
    memcpy(in, c->in, (size_t)c->nin * sizeof *in);
    if (c->in != c->in_few) wn__free(c->in);
    c->in = in;
    return WN_OK;
}

static wn_status collect_list(wn__call *c, const wn_field *f, const wn_list *l, int rest) {
    if (l->n < 0 || (l->n > 0 && !l->v)) return wn__fail_op(c, WN_E_VALUE, "argument '%s' is not a list", f->name);
    wn_status st = grow_inputs(c, c->nin + l->n + rest);
    if (st) return st;
    for (int64_t k = 0; k < l->n; k++) {
        wn_tensor *t = l->v[k];
        if (!t && !strstr(f->type, "?[")) return wn__fail_op(c, WN_E_TYPE, "element %lld of '%s' is absent (NULL)", (long long)k, f->name);
        if (!t) { /* Tensor?[] */
            c->in[c->nin++] = NULL;
            continue;
        }
        if (t == &wn__bad_tensor || t->magic != WN__MAGIC) return wn__bad_operand(c, t);
        c->any_grad |= t->grad != NULL;
        c->in[c->nin++] = t;
    }
    return WN_OK;
}

/* Refuses, before the row's functions read them, numbers that are tensors (factories take those) and too long lists. */
static wn_status check_given(wn__call *c) {
    for (int i = 0; i < c->op->ngiven; i++) {
        const wn_field *f = &c->op->fields[c->op->given[i]];
        const void *p = (const char *)c->args + f->offset;
        if (f->kind == WN_K_DIMS && ((const wn_dims *)p)->n > WN_MAX_DIMS)
            return wn__fail_op(c, WN_E_VALUE, "argument '%s' has %d entries, at most %d are supported", f->name, ((const wn_dims *)p)->n, WN_MAX_DIMS);
        if (f->kind == WN_K_SCALAR && ((const wn_val *)p)->kind == WN_VAL_TENSOR && !(c->op->flags & WN__F_CREATES))
            return wn__fail_op(c, WN_E_TYPE, "argument '%s' must be a number, not a tensor", f->name);
    }
    return WN_OK;
}

/* Flattens the tensors of the args struct into c->in. */
static wn_status collect(wn__call *c) {
    const wn_op *op = c->op;
    int n = op->ntensors, nin = 0;
    uint8_t rows = 1; /* are all tensors row-major in main memory? Then nobody looks at their storages */
    c->any_grad = false;
    if (n > 8) {
        c->nin = 0; /* nothing has to be moved yet */
        wn_status st = grow_inputs(c, n);
        if (st) return st;
    }
    for (int i = 0; i < n; i++) {
        const wn_field *f = &op->fields[op->tensors[i]];
        const char *p = (const char *)c->args + f->offset;
        wn_tensor *t;
        bool given;
        if (f->kind == WN_K_VALUE) {
            const wn_val *v = (const wn_val *)(const void *)p;
            t = v->kind == WN_VAL_TENSOR ? v->u.t : NULL;
            given = v->kind != WN_VAL_NONE;
        } else if (__builtin_expect(f->kind == WN_K_TENSOR, 1)) {
            t = *(wn_tensor *const *)(const void *)p;
            given = t != NULL;
        } else {
            c->nin = nin;
            wn_status st = collect_list(c, f, (const wn_list *)(const void *)p, n - i);
            if (st) return st;
            nin = c->nin;
            rows = 0;
            continue;
        }
        if (__builtin_expect(!given, 0) && op->required >> i & 1)
            return wn__fail_op(c, WN_E_TYPE, "argument '%s' is absent (NULL)", f->name);
        if (t) {
            /* The bad tensor has a live handle's magic, too. */
            if (__builtin_expect(t->magic != WN__MAGIC || t == &wn__bad_tensor, 0)) return wn__bad_operand(c, t);
            c->any_grad |= t->grad != NULL;
            rows &= t->contiguous;
        }
        c->in[nin++] = t;
    }
    c->nin = nin;
    for (int i = 0; i < nin && rows != 1; i++) c->meta |= c->in[i] && wn__is_meta(c->in[i]);
    return op->ngiven ? check_given(c) : WN_OK;
}

/* ------------------------------------------------------------------ recording decision */

static bool wants_record(const wn__call *c) {
    if (!c->any_grad || !c->op->grad || !wn__recording(c->th)) return false;
    if (c->op->cls == WN__VIEW && c->in[0] && c->in[0]->flags & WN__T_INFERENCE) return false; /* a view of it is one, too */
    for (int i = 0; i < c->nin; i++)
        if (c->in[i] && c->in[i]->grad && wn__needs_grad(c->in[i])) return true;
    return false;
}

wn_status wn__run_operands(wn__call *c) {
    for (int i = 0; i < c->nin; i++)
        if (c->in[i] && wn__pending(c->in[i]->storage) && !wn__storage_run(c->in[i]->storage) && c->in[i]->storage->bytes)
            return c->th->error ? c->th->error : wn__fail_op(c, WN_E_RUNTIME, "an operand could not be computed");
    return WN_OK;
}

/* ------------------------------------------------------------------ dispatch */

static void drop_results(wn__call *c) {
    for (int i = 0; i < WN_MAX_RESULTS; i++) {
        wn__release(c->out[i]);
        c->out[i] = NULL;
    }
    for (int64_t i = 0; i < c->nlist; i++) wn__release(c->list[i]);
    wn__free(c->list);
    c->list = NULL;
    c->nlist = 0;
}

/* An in-place composite runs on a copy: its operations save what it is about to overwrite. */
static wn_status composite_on_copy(wn__call *c) {
    const wn_field *f = &c->op->fields[c->op->tensors[0]];
    char *args = wn__calloc(1, c->op->args_size);
    if (!args) return wn__fail_memory(c->op->name);
    const void *original = c->args;
    memcpy(args, original, c->op->args_size);
    wn_tensor *copy = wn_clone(c->target);
    if (f->kind == WN_K_VALUE) *(wn_val *)(void *)(args + f->offset) = wn_val_of_tensor(copy);
    else *(wn_tensor **)(void *)(args + f->offset) = copy;
    c->in[0] = copy;
    c->args = args;
    wn_status st = wn_ok(copy) ? c->op->fn(c) : c->th->error;
    c->args = original;
    c->in[0] = c->target;
    wn__free(args);
    return st;
}

/* Runs a composite in a scope, in which its intermediate tensors end. */
static wn_status composite(wn__call *c) {
    bool needed = false;
    for (int i = 0; i < c->nin && c->inplace; i++) needed |= c->in[i] && wn__needs_grad(c->in[i]);
    wn_scope s = wn_begin();
    if (!s.serial) return c->th->error;
    if (c->meta) c->th->modes |= WN__MODE_META | WN__MODE_MIXES; /* until the scope ends */
    const int64_t errors = c->th->error_count;
    const bool titled = c->op->flags & WN__F_TITLED && wn__recording(c->th);
    const uint64_t begin = titled ? wn__next_seq() : 0;
    wn_status st = needed && wn__recording(c->th) ? composite_on_copy(c) : c->op->fn(c);
    if (titled && !st) wn__title_results(c, begin);
    wn_end(&s);
    if (st == WN_OK && wn__failed_since(errors)) st = c->th->error; /* fn read from a bad tensor */
    return st;
}

/* Refuses operands with more elements than memory holds, which expanded views may have, as no kernel would ever finish.
 * So whatever kernels compute from one operand's sizes (bytes, scratch memory, offsets) fits. */
static __attribute__((noinline)) wn_status check_size(wn__call *c, const wn_tensor *t) {
    int64_t n = t->numel;
    for (int d = 0; n == 0 && d < t->ndim; d++)
        if (t->shape[d] > WN__MOST_ELEMENTS) n = t->shape[d];
    return n <= WN__MOST_ELEMENTS ? WN_OK : wn__fail_op(c, WN_E_RUNTIME, "the operand %s has more elements than an operation can visit (2^48)", wn__desc(t));
}
static inline __attribute__((always_inline)) wn_status check_sizes(wn__call *c) {
    const uint32_t looks = WN__F_LAZY | WN__F_NODIFF; /* rows that read only the geometry: detach, empty_like */
    if ((c->op->flags & looks) == looks) return WN_OK;
    wn_status st = WN_OK;
    for (int i = 0; !st && i < c->nin; i++) {
        const wn_tensor *t = c->in[i];
        const bool usual = !t || (uint64_t)t->numel - 1 < (uint64_t)WN__MOST_ELEMENTS; /* neither empty (sizes need a look) nor too large */
        if (__builtin_expect(!usual, 0)) st = check_size(c, t);
    }
    return st;
}

/* May the result y wait? It must be row-major by its strides: sizes of 1 do not make it channels last. */
static bool waits(const wn_tensor *y) {
    int64_t rows[WN_MAX_DIMS];
    if (!wn__product_waits((wn_dtype)y->dtype, y->ndim, y->shape)) return false;
    wn__row_major(y->ndim, y->shape, rows);
    return !memcmp(y->strides, rows, (size_t)y->ndim * sizeof *rows);
}

/* Before a kernel reads and writes memory: runs what is pending on its operands, and serves values that have still to
 * read what it will overwrite. */
static __attribute__((noinline)) wn_status settle_all(wn__call *c) {
    const wn_op *op = c->op;
    if (op->flags & WN__F_WAITS) {
        wn__settle_facts(c);
        c->later = !c->target && waits(c->out[0]) && wn__product_may_wait(c);
    }
    if ((!(op->flags & WN__F_LAZY) || (op->flags & WN__F_WAITS && !c->later)) && wn__run_operands(c)) return c->th->error;
    const bool own = op->flags & WN__F_LAZY && op->flags & WN__F_INPLACE_ONLY; /* fn itself handles its target */
    if (c->target && !own && !wn__before_write(c->target)) return c->th->error;
    if (!(op->flags & WN__F_MUTATES)) return WN_OK;
    for (int i = 0, at = 0; i < op->ntensors; i++) {
        const wn_field *f = &op->fields[op->tensors[i]];
        int64_t n = f->kind == WN_K_TENSORS ? ((const wn_list *)(const void *)((const char *)c->args + f->offset))->n : 1;
        for (int64_t k = 0; k < n; k++, at++)
            if (f->mutated && c->in[at] && !wn__before_write(c->in[at])) return c->th->error;
    }
    return WN_OK;
}

/* The same; most calls have operands only. */
static inline __attribute__((always_inline)) wn_status settle(wn__call *c) {
    if (c->target || c->op->flags & (WN__F_WAITS | WN__F_MUTATES)) return settle_all(c);
    return c->op->flags & WN__F_LAZY ? WN_OK : wn__run_operands(c);
}

static inline __attribute__((always_inline)) wn_status infer(wn__call *c) {
    wn_status st = c->op->infer(c);
    return __builtin_expect(!c->target, 1) || st || !c->out[0] || c->out[0] == c->target ? st : wn__check_landing(c, c->out[0]);
}
/* Infers the results before an operand runs or memory is taken; rows whose results depend on values infer later. */
static wn_status prepare(wn__call *c) {
    const bool first = c->op->infer && !(c->op->flags & WN__F_DATA_DEPENDENT);
    wn_status st = check_sizes(c);
    if (!st && first) st = infer(c);
    if (c->meta) return st;
    return st ? st : settle(c);
}

/* Does the row's function write fresh results only, or memory that existed? The operations of a composite answer for
 * themselves, but a composite that changes an argument may do it in several steps. */
static wn__way way_of(const wn__call *c) {
    if (c->op->flags & WN__F_MUTATES) return WN__WAY_WHOLE;
    if (c->op->cls == WN__COMPOSITE) return WN__WAY_NEUTRAL;
    return c->target ? WN__WAY_WHOLE : WN__WAY_OPEN;
}

static wn_status run_class(wn__call *c) {
    const wn_op *op = c->op;
    if (c->meta && op->cls == WN__KERNEL) return op->flags & WN__F_DATA_DEPENDENT ? infer(c) : WN_OK; /* inferred is enough */
    if (op->flags & WN__F_ONE_VALUE && !c->meta && wn__overlaps_itself(c->target)) return wn__fill_overlapping(c);
    if (op->cls != WN__KERNEL) return op->cls == WN__POINTWISE ? wn__pointwise(c) : op->cls == WN__COMPOSITE ? composite(c) : op->infer(c);
    wn_status st = op->infer && op->flags & WN__F_DATA_DEPENDENT ? infer(c) : WN_OK;
    if (st || c->later || !op->fn) return st;
    if (c->unfilled && !c->may_wait) st = wn__fill_results(c);
    return st ? st : op->fn(c);
}

static inline __attribute__((always_inline)) bool has_target(const wn__call *c) {
    return c->inplace || (c->op->out_offset && *(wn_tensor *const *)((const char *)c->args + c->op->out_offset));
}
static inline __attribute__((always_inline)) wn_status find_target(wn__call *c, bool recording) {
    if (!has_target(c)) return WN_OK;
    if (!c->inplace || !c->nin || !c->in[0]) return wn__find_target(c, recording);
    c->target = c->in[0];
    return WN_OK;
}

/* Does a row that creates have its device from its argument or from the scope? */
static inline bool device_said(const wn__call *c) {
    return *(const wn_device *)(const void *)((const char *)c->args + c->op->device_offset) || c->th->modes & WN__MODE_META;
}

static wn_status run_dispatch(wn__call *c) {
    const wn_op *op = c->op;
    bool recording = wants_record(c);
    if (__builtin_expect(c->meta || (op->device_offset && device_said(c)), 0)) {
        const wn_status st = wn__find_device(c);
        if (st) return st;
    }
    if (op->cls == WN__POINTWISE && !has_target(c)) {
        const wn__way way = wn__way_enter(WN__WAY_OPEN);
        wn_status st = wn__pointwise(c);
        wn__way_leave(way);
        if (__builtin_expect(st == WN_OK && wn__may_pass_zeros(c), 0)) wn__pass_zeros(c);
        return st == WN_OK && recording ? wn__record(c) : st;
    }
    wn_status st = find_target(c, recording && op->cls != WN__COMPOSITE);
    if (st) return st;
    if (c->target && (st = wn__check_target(c, recording || (wn__recording(c->th) && wn__needs_grad(c->target))))) return st;
    if (op->cls == WN__KERNEL && (st = prepare(c))) return st;
    wn_tensor *self_copy = NULL; /* in place: a copy for a gradient that needs what is overwritten */
    wn__inplace history = {0};
    if (c->inplace && recording) {
        if (wn__saves_target(c) && !(self_copy = wn__clone_later(c->target))) return wn__fail_memory(op->name);
        if (self_copy && op->cls == WN__KERNEL && !wn__before_write(c->target)) { /* the copy may be pending */
            wn__release(self_copy);
            return c->th->error;
        }
        st = wn__is_float(c->target->dtype) ? wn__record_prepare(c, self_copy, &history) : WN_OK;
        wn__release(self_copy);
        if (st) return st;
    }
    const uint32_t version = c->target ? wn__version(c->target) : 0;
    const wn__way way = wn__way_enter(way_of(c));
    st = run_class(c);
    wn__way_leave(way);
    if (st == WN_OK && c->later) st = wn__product_record(c);
    if (st == WN_OK && op->layout) st = wn__lay_out(c);
    if (st == WN_OK && c->target && c->nlist == 0 && c->out[0]) {
        if (c->out[0] != c->target) st = wn__land(c);
        /* An operation of a composite may have counted the change already. */
        if (st == WN_OK && wn__version(c->target) == version) wn__bump_version(c->target, op->name);
        else if (st == WN_OK) c->target->storage->last_mutator = op->name;
    }
    if (st == WN_OK && op->cls == WN__VIEW) {
        for (int i = 0; i < op->nresults; i++) wn__note_view(c->out[i], c->in[0], op->nresults > 1);
        for (int64_t i = 0; i < c->nlist; i++) wn__note_view(c->list[i], c->in[0], true);
    }
    if (st == WN_OK) wn__say_zeros(c);
    if (history.node && st) wn__record_discard(&history);
    else if (history.node) st = wn__record_commit(c, &history);
    else if (st == WN_OK && recording && !c->inplace) st = wn__record(c);
    return st;
}

/* The caller was built against an older or newer header: takes the fields that both know. */
static __attribute__((noinline)) wn_status run_resized(wn__call *c, size_t given) {
    size_t size = c->op->args_size;
    if (given < sizeof(size_t) || given > 1 << 16)
        return wn__fail_op(c, WN_E_TYPE, "the args struct's size_ is not set (use the macros, or set it to sizeof)");
    char *copy = wn__calloc(1, size);
    if (!copy) return wn__fail_memory(c->op->name);
    const void *original = c->args;
    memcpy(copy, original, given < size ? given : size);
    *(size_t *)(void *)copy = size;
    c->args = copy;
    wn_status st = collect(c);
    if (st == WN_OK) st = run_dispatch(c);
    c->args = original;
    wn__free(copy);
    return st;
}

static inline __attribute__((always_inline)) void begin(wn__call *c) {
    c->th = wn__self();
    c->th->refusal[0] = 0;
    wn__call_begin(c);
}
static __attribute__((noinline)) void end_failed(wn__call *c, wn_status st) {
    drop_results(c);
    if (c->th->error == WN_OK) wn__fail_op(c, st, "failed");
}
static inline __attribute__((always_inline)) wn_status end(wn__call *c, wn_status st) {
    wn__plan_drop(c);
    if (__builtin_expect(c->in != c->in_few, 0)) wn__free(c->in);
    c->in = NULL;
    if (__builtin_expect(st != WN_OK, 0)) end_failed(c, st);
    return c->status = st;
}

static wn_status dispatch(wn__call *c) {
    begin(c);
    wn_status st;
    size_t given = *(const size_t *)c->args;
    if (__builtin_expect(c->th->modes & WN__MODE_AUTOCAST, 0) && given == c->op->args_size && wn__autocasts(c)) {
        if ((st = wn__autocast(c)) && c->th->error == WN_OK) wn__fail_op(c, st, "failed");
        return c->status = st;
    }
    if (__builtin_expect(given != c->op->args_size, 0)) {
        st = run_resized(c, given);
    } else {
        st = collect(c);
        if (st == WN_OK) st = run_dispatch(c);
    }
    return end(c, st);
}

wn_status wn__infer(const wn_op *op, const void *args, wn__call *c) {
    c->op = op;
    c->args = args;
    c->inplace = (op->flags & WN__F_INPLACE_ONLY) != 0;
    begin(c);
    wn_status st = collect(c);
    if (!st) st = wn__find_target(c, false);
    if (!st) st = check_sizes(c);
    if (!st && op->flags & WN__F_DATA_DEPENDENT) st = wn__run_operands(c);
    return end(c, st ? st : infer(c));
}

wn_status wn__dispatch(wn__call *c) { return wn__reporting() ? wn__dispatch_reported(c, dispatch) : dispatch(c); }

static wn_tensor *express1_long(const wn_op *op, const void *args, bool inplace);

/* ------------------------------------------------------------------ entries: results lent to the scope, or owned */

/* Tries a row's short forms, if it has some (rows that autocast converts have none): it is computed at once because it
 * is small, or it is recorded. True: done, as wn__try_small says. False: take the long way. */
static inline __attribute__((always_inline)) bool short_form(const wn_op *op, const void *args, bool inplace, wn_tensor **result, wn_status *st) {
    if (!op->small_n) return false;
    return wn__try_small(op, args, inplace, result, st) || (!inplace && wn__try_record(op, args, result, st));
}

WN__NO_CANARY wn_tensor *wn__express1(const wn_op *op, const void *args, bool inplace) {
    wn_tensor *r;
    wn_status st;
    if (short_form(op, args, inplace, &r, &st)) return inplace ? r : wn__lend(wn__self(), r);
    return express1_long(op, args, inplace);
}

static __attribute__((noinline)) wn_tensor *express1_long(const wn_op *op, const void *args, bool inplace) {
    wn__call c;
    c.op = op;
    c.args = args;
    c.inplace = inplace;
    if (wn__dispatch(&c)) return &wn__bad_tensor;
    if (c.target) { /* the caller owns the target: it gets no second entry in the scope */
        wn_tensor *t = c.out[0];
        atomic_fetch_sub_explicit(&t->refs, WN__REF_REAL, memory_order_acq_rel);
        return t;
    }
    return wn__lend(c.th, c.out[0]);
}

bool wn__express(const wn_op *op, const void *args, bool inplace, wn__call *c) {
    c->op = op;
    c->args = args;
    c->inplace = inplace;
    bool ok = wn__dispatch(c) == WN_OK;
    for (int i = 0; i < WN_MAX_RESULTS; i++) {
        if (!ok || (i < c->op->nresults && !c->out[i])) c->out[i] = &wn__bad_tensor;
        else if (c->out[i]) c->out[i] = wn__lend(c->th, c->out[i]);
    }
    return ok;
}

wn_list wn__express_list(const wn_op *op, const void *args) {
    wn__call c;
    wn_list l = WN_NO_LIST;
    c.op = op;
    c.args = args;
    c.inplace = false;
    if (wn__dispatch(&c)) return l;
    wn_tensor **v = wn__lend_array(c.th, c.nlist);
    if (!v) {
        drop_results(&c);
        wn__fail_memory(c.op->name);
        return l;
    }
    for (int64_t i = 0; i < c.nlist; i++) v[i] = wn__lend(c.th, c.list[i]);
    wn__free(c.list);
    return (wn_list){.n = c.nlist, .v = v};
}

static wn_status call(const wn_op *op, const void *args, wn_outs *outs, bool inplace) {
    outs->n = 0;
    outs->v = outs->few;
    wn_status st;
    if (!op || !args) return wn__fail(WN_E_TYPE, "call", "%s is absent (NULL)", op ? "the args struct" : "the operation");
    if (inplace && !(op->flags & WN__F_INPLACE))
        return wn__fail(WN_E_NOT_IMPLEMENTED, op->name, "there is no in-place form");
    inplace |= (op->flags & WN__F_INPLACE_ONLY) != 0;
    if (short_form(op, args, inplace, &outs->few[0], &st)) {
        outs->n = st == WN_OK;
        if (outs->n && inplace) wn__retain(outs->few[0]);
        return st;
    }
    wn__call c;
    c.op = op;
    c.args = args;
    c.inplace = inplace;
    st = wn__dispatch(&c);
    if (st) return st;
    if (op->nresults < 0) {
        outs->v = c.list;
        outs->n = c.nlist;
    } else {
        for (int i = 0; i < op->nresults; i++) outs->few[outs->n++] = c.out[i];
    }
    return WN_OK;
}
wn_status wn_call(const wn_op *op, const void *args, wn_outs *outs) { return call(op, args, outs, false); }
wn_status wn_call_inplace(const wn_op *op, const void *args, wn_outs *outs) { return call(op, args, outs, true); }

void wn_outs_drop(wn_outs *outs) {
    for (int64_t i = 0; i < outs->n; i++) wn__release(outs->v[i]);
    if (outs->v != outs->few) wn__free(outs->v);
    outs->n = 0;
    outs->v = outs->few;
}
