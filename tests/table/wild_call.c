/* A call in one of its forms: plain, in place, into an out= that may share memory with an argument, or with a backward after it. */
#include <sys/time.h>
#include "table.h"

/* A sanitizer takes longer to say what it found than a call with wide arguments has time (hostile.c, fuzz/fuzz_call.c). */
static void end_of_time(void) { setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL); }
void __asan_on_error(void);
void __asan_on_error(void) { end_of_time(); }
void __ubsan_on_report(void);
void __ubsan_on_report(void) { end_of_time(); }

/* The first and the last byte of each result: a sanitizer sees where they lie. */
static void touch(wn_tensor *t) {
    static volatile unsigned char sink;
    const unsigned char *p = wn_numel(t) ? wn_data(t) : NULL;
    int64_t low = 0, high = 0;
    for (int d = 0; d < t->ndim && p; d++) {
        const int64_t span = (t->shape[d] - 1) * t->strides[d];
        *(span < 0 ? &low : &high) += span;
    }
    const int64_t size = (int64_t)wn_dtype_size(wn_dtype_of(t));
    if (p) sink = (unsigned char)(p[low * size] + p[high * size + size - 1]);
    (void)sink;
}

static void choose_out(sample *s) {
    wn_tensor **slots[32], *t = NULL;
    const int n = tensor_slots(s, slots, 32);
    if (n && maybe(s, 2)) t = *slots[below(s, n)];
    else t = data(s, maybe(s, 2) ? s->shape : D(below(s, 4), 3));
    if (s->op->out_offset) *(wn_tensor **)(void *)(s->args + s->op->out_offset) = t;
}

static int ask_for_gradients(sample *s) {
    wn_tensor **slots[32];
    int n = tensor_slots(s, slots, 32), asked = 0;
    for (int i = 0; i < n; i++)
        if (is_float(wn_dtype_of(*slots[i])) && (i == 0 || maybe(s, 2))) asked += wn_ok(wn_requires_grad(*slots[i], true));
    return asked;
}

/* With a gradient whose elements are all the same one. */
static wn_status backward(sample *s, wn_tensor *y) {
    static const int64_t none[WN_MAX_DIMS];
    wn_tensor *one = fixed_in(s, D(1), wn_dtype_of(y), 1, 1), *all = one ? wn__tensor_view(one, y->ndim, y->shape, none, one->offset) : NULL;
    wn_status st = all ? wn_backward_x(&(wn_backward_args){.size_ = sizeof(wn_backward_args), .root = y, .gradient = all}) : WN_OK;
    wn__release(all);
    return st;
}
static void look_at_gradients(sample *s) {
    char why[200];
    for (int i = 0; i < s->nmade; i++) {
        const wn_tensor *g = s->made[i]->grad ? s->made[i]->grad->grad : NULL;
        if (g && !sound(g, why, sizeof why)) check(C_SOUND, false, s, "gradient of tensor %d: %s", i, why);
    }
}

/* An operation that makes millions of pieces runs out of memory, and soon. */
enum { ALLOCATIONS = 50000, PIECES = 16 /* whose gradients are asked for: each takes a pass over the whole */ };

result wild_call(sample *s) {
    WN_SCOPE(scope);
    const int form = (int)below(s, 6);
    bool graph = form >= 4 && ask_for_gradients(s);
    if (form == 3) choose_out(s);
    wn_clear();
    wn_fail_allocation(ALLOCATIONS);
    result r = form == 2 ? run_row_inplace(s) : run_row(s);
    for (int64_t i = 0; i < r.outs.n; i++) {
        wn_tensor *y = result_at(&r, i);
        touch(y);
        if (graph && i < PIECES && is_float(wn_dtype_of(y)) && wn_needs_grad(y) && backward(s, y)) wn_clear();
    }
    wn_fail_allocation(-1);
    if (graph) look_at_gradients(s);
    return r;
}
