/* Checkpoints (Chen et al. 2016): what a function's operations would save for backward is not kept but numbered. When
 * backward first asks for one of the numbers, the function runs again, with the same inputs, random numbers and
 * autocast mode. What its operations then save, in the same order, answers the numbers. */
#include "base/alloc.h"
#include "base/thread.h"
#include "tensor/rng.h"
#include "grad/saved.h"

static const char op[] = "checkpoint";

/* An input of the function: the tensor or, inside another checkpoint, what that one packed it as (a number). */
typedef struct input {
    wn_tensor *tensor; /* owned; without history */
    wn__packed *packed;
    uint32_t version;
    bool needs_grad;
} input;

typedef struct frame {
    wn_checkpoint_args a; /* a.inputs is not used any more */
    int64_t nin;
    input *in;
    uint32_t autocast;     /* the bits of autocast in a thread's modes */
    size_t random_size;    /* 0: random numbers are not to be repeated */
    void *random;
    int64_t count;         /* number of tensors that the first run saved */
    int64_t again;         /* number of those that the current rerun has saved; -1: none is running */
    wn_tensor **values;    /* [count]: what the last rerun saved, until fetched; NULL: no rerun yet */
} frame;

static void drop_values(frame *f) {
    for (int64_t i = 0; f->values && i < f->count; i++) wn__release(f->values[i]);
    wn__free(f->values);
    f->values = NULL;
}

static void frame_free(void *ctx) {
    frame *f = ctx;
    drop_values(f);
    for (int64_t i = 0; f->in && i < f->nin; i++) {
        wn__release(f->in[i].tensor);
        if (f->in[i].packed) wn__packed_end(f->in[i].packed);
    }
    wn__free(f->in);
    wn__free(f->random);
    void (*end)(void *) = f->a.free;
    void *user = f->a.ctx;
    wn__free(f);
    if (end) end(user);
}

static bool keep_input(wn__thread *th, input *in, const wn_tensor *t) {
    wn__saved_hooks *outer = wn__saved_hooks_now(th);
    in->needs_grad = wn__needs_grad(t);
    in->version = wn_version(t);
    if (outer) return (in->packed = wn__packed_new(outer, op, t)) != NULL;
    in->tensor = wn__tensor_alias(t);
    return in->tensor || (wn__fail_memory(op), false);
}

static bool keep_random(frame *f) {
    f->random_size = wn_generator_state(NULL, NULL, 0);
    f->random = wn__new(char, f->random_size);
    if (!f->random) return wn__fail_memory(op), false;
    wn_generator_state(NULL, f->random, f->random_size);
    return true;
}

enum { AUTOCAST = WN__MODE_AUTOCAST | 15 << WN__MODE_AUTOCAST_SHIFT };

static frame *frame_new(wn__thread *th, const wn_checkpoint_args *a) {
    frame *f = wn__new(frame, 1);
    size_t n = (size_t)(a->inputs.n ? a->inputs.n : 1);
    if (!f || !(f->in = wn__new(input, n))) {
        wn__free(f);
        wn__fail_memory(op);
        return NULL;
    }
    f->a = *a;
    f->a.free = NULL;
    f->again = -1;
    f->autocast = th->modes & AUTOCAST;
    bool ok = true;
    for (; ok && f->nin < a->inputs.n; f->nin++)
        if (a->inputs.v[f->nin]) ok = keep_input(th, &f->in[f->nin], a->inputs.v[f->nin]);
    if (ok && (!wn_is_on(a->preserve_rng_state, true) || keep_random(f))) {
        f->a.free = a->free; /* from now on the frame frees ctx */
        return f;
    }
    frame_free(f);
    return NULL;
}

static void *rerun_pack(void *ctx, wn_tensor *t) {
    frame *f = ctx;
    if (f->again < f->count) f->values[f->again] = wn__retain(t);
    f->again++;
    return f;
}
static wn_tensor *rerun_unpack(void *ctx, void *packed) {
    (void)ctx, (void)packed;
    wn__fail(WN_E_RUNTIME, op, "the function of a checkpoint goes backward through what it has just computed");
    return NULL;
}

static wn_tensor *input_again(const input *in, int64_t i) {
    wn_tensor *t = in->packed ? wn__unpack_one(in->packed, op) : in->tensor;
    if (!t) return in->packed ? &wn__bad_tensor : NULL; /* NULL: it was NULL in the first run, too */
    if (in->tensor && wn_version(t) != in->version)
        return wn__bad(WN_E_RUNTIME, op, "input %lld, %s, has been changed in place since (it is at version %u; expected %u)", (long long)i, wn__desc(t),
                       wn_version(t), in->version);
    t = wn__lend(wn__self(), wn__tensor_alias(t));
    if (!t) return wn__fail_memory(op), &wn__bad_tensor;
    return in->needs_grad ? wn_requires_grad(t, true) : t;
}

static wn_status call_again(frame *f) {
    int64_t errors = wn_error_count();
    wn_tensor **v = wn__lend_array(wn__self(), f->nin);
    if (!v) return wn__fail_memory(op);
    for (int64_t i = 0; i < f->nin; i++) {
        v[i] = input_again(&f->in[i], i);
        if (v[i] && !wn_ok(v[i])) return wn_error();
    }
    wn_status st = wn_push_saved_hooks(&(wn_saved_hooks){.pack = rerun_pack, .unpack = rerun_unpack, .ctx = f});
    if (st) return st;
    f->again = 0;
    wn_tensor *y = f->a.fn(f->a.ctx, (wn_list){.n = f->nin, .v = v});
    wn_pop_saved_hooks();
    if (wn__failed_since(errors)) return wn_error();
    if (!wn_ok(y)) return wn__fail(WN_E_RUNTIME, op, "the function returned no tensor when it was run again");
    if (f->again != f->count)
        return wn__fail(WN_E_RUNTIME, op, "A different number of tensors was saved during the original forward (%lld) and recomputation (%lld)",
                        (long long)f->count, (long long)f->again);
    return WN_OK;
}

static wn_status call_with_modes(frame *f) {
    wn__thread *th = wn__self();
    wn_scope s = wn_begin_modes((wn_modes){.grad = WN_ON});
    th->modes = (th->modes & ~(uint32_t)AUTOCAST) | f->autocast;
    wn_status st = call_again(f);
    wn_end(&s);
    return st;
}

static wn_status rerun(frame *f) {
    if (f->again >= 0) return wn__fail(WN_E_RUNTIME, op, "the function of a checkpoint asks for what it is about to compute");
    drop_values(f);
    f->values = wn__new(wn_tensor *, (size_t)f->count);
    void *now = f->random_size ? wn__new(char, f->random_size) : NULL;
    if (!f->values || (f->random_size && !now)) {
        wn__free(now);
        return wn__fail_memory(op);
    }
    if (now) {
        wn_generator_state(NULL, now, f->random_size);
        (void)!wn_generator_set_state(NULL, f->random, f->random_size);
    }
    wn_status st = call_with_modes(f);
    f->again = -1;
    if (now) (void)!wn_generator_set_state(NULL, now, f->random_size);
    wn__free(now);
    if (st) drop_values(f);
    return st;
}

static void *number(void *ctx, wn_tensor *t) {
    (void)t;
    return (void *)(uintptr_t)++((frame *)ctx)->count; /* from 1, since NULL means failure */
}

static wn_tensor *answer(void *ctx, void *packed) {
    frame *f = ctx;
    size_t i = (size_t)(uintptr_t)packed - 1;
    if ((!f->values || !f->values[i]) && rerun(f)) return NULL;
    wn_tensor *t = f->values[i];
    f->values[i] = NULL; /* another backward needs another rerun */
    return wn__lend(wn__self(), t);
}

static bool check_args(const wn_checkpoint_args *a) {
    if (!a->fn) return wn__fail(WN_E_TYPE, op, "no function given"), false;
    if (a->inputs.n < 0 || (a->inputs.n && !a->inputs.v))
        return wn__fail(WN_E_VALUE, op, "a list of %lld inputs that is no list", (long long)a->inputs.n), false;
    for (int64_t i = 0; i < a->inputs.n; i++) /* NULL is a valid input */
        if (wn__is_bad(a->inputs.v[i])) return false;
    return true;
}

wn_tensor *wn_checkpoint_x(const wn_checkpoint_args *a) {
    wn__thread *th = wn__self();
    bool ok = check_args(a), records = wn__recording(th);
    frame *f = ok && records ? frame_new(th, a) : NULL;
    if (f && wn_push_saved_hooks(&(wn_saved_hooks){.pack = number, .unpack = answer, .free = frame_free, .ctx = f})) {
        frame_free(f);
        return &wn__bad_tensor;
    }
    wn_tensor *y = f || (ok && !records) ? a->fn(a->ctx, a->inputs) : &wn__bad_tensor;
    if (f) wn_pop_saved_hooks(); /* the frame ends here if nothing was saved */
    else if (a->free) a->free(a->ctx);
    return y ? y : wn__bad(WN_E_RUNTIME, op, "the function returned NULL");
}
