/* The rows of optimiser steps: checks, then one parallel pass over each parameter. */
#include "engine/optim_kernels.h"
#include <math.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "base/level.h"
#include "base/threads.h"
#include "call/dispatch.h"

WN__DECLARE_LEVELS(wn__optim_kernels, wn__optim_kernels);
const wn__optim_kernels *wn__optim_kernels_now(void) { return WN__OF_LEVEL(wn__optim_kernels); }

enum { MAX_STATE = 3 };

/* One parameter with its gradient and state, all row-major and of one type, and what to do with a stretch of it. */
typedef struct pass {
    const wn__optim_kernels *k;
    const wn__sgd *sgd; /* one of the two */
    const wn__adam *adam;
    char *p, *g, *state[MAX_STATE];
    bool f64;
} pass;

static void run_pass(void *ctx, int64_t begin, int64_t end) {
    const pass *x = ctx;
    int64_t n = end - begin;
    size_t at = (size_t)begin * (x->f64 ? 8 : 4);
    void *p = x->p + at, *g = x->g + at, *s[MAX_STATE];
    for (int i = 0; i < MAX_STATE; i++) s[i] = x->state[i] ? x->state[i] + at : NULL;
    if (x->sgd && x->f64) x->k->sgd_f64(x->sgd, n, p, g, s[0]);
    else if (x->sgd) x->k->sgd_f32(x->sgd, n, p, g, s[0]);
    else if (x->f64) x->k->adam_f64(x->adam, n, p, g, s[0], s[1], s[2]);
    else x->k->adam_f32(x->adam, n, p, g, s[0], s[1], s[2]);
}

/* t in the form the loops take: row-major f32 or f64. Owned; t itself when it has the form. */
static wn_tensor *workable(wn_tensor *t) {
    return wn__plain_raw(t, t->dtype == WN_F64 ? WN_F64 : WN_F32);
}

static wn_status one(wn__call *c, pass *x, wn_tensor *const *t, int n) {
    wn_tensor *w[2 + MAX_STATE] = {0};
    wn_status st = WN_OK;
    for (int i = 0; i < n && !st; i++)
        if (!(w[i] = workable(t[i]))) st = wn__fail_memory(c->op->name);
    if (!st) {
        x->f64 = w[0]->dtype == WN_F64;
        x->p = wn__ptr(w[0]);
        x->g = wn__ptr(w[1]);
        for (int i = 0; i < MAX_STATE; i++) x->state[i] = 2 + i < n ? wn__ptr(w[2 + i]) : NULL;
        wn__parallel(t[0]->numel, 1 << 14, run_pass, x);
        wn__count(t[0]->numel);
    }
    for (int i = 0; i < n; i++) {
        if (!st && i != 1) {
            if (w[i] != t[i]) st = wn__copy(t[i], w[i]);
            wn__bump_version(t[i], c->op->name);
        }
        wn__release(w[i]);
    }
    return st;
}

/* All lists as long as the first (or empty, where that means "none"), floating, of the parameter's shape and dtype; and no
 * parameter that the tape would have to know about. */
static wn_status check_lists(wn__call *c, const wn_list *lists, const char *const *names, int n) {
    for (int k = 1; k < n; k++) {
        if (k >= 2 && lists[k].n == 0) continue;
        if (lists[k].n != lists[0].n)
            return wn__fail_op(c, WN_E_VALUE, "'%s' has %lld tensors, 'self' has %lld", names[k], (long long)lists[k].n, (long long)lists[0].n);
        for (int64_t i = 0; i < lists[0].n; i++) {
            const wn_tensor *p = lists[0].v[i], *t = lists[k].v[i];
            if (!wn__is_float(p->dtype) || t->dtype != p->dtype || !wn__same_shape(p, t))
                return wn__fail_op(c, WN_E_RUNTIME, "'%s' %lld, %s, does not fit the parameter %s", names[k], (long long)i, wn__desc(t), wn__desc(p));
        }
    }
    return WN_OK;
}

wn_status wn__infer_fused_sgd(wn__call *c, wn_list self, wn_list grads, wn_list momentum_buffer_list, double momentum) {
    const wn_list lists[] = {self, grads, momentum_buffer_list};
    static const char *const names[] = {"self", "grads", "momentum_buffer_list"};
    wn_status st = check_lists(c, lists, names, 3);
    if (!st && momentum != 0 && self.n && !momentum_buffer_list.n)
        st = wn__fail_op(c, WN_E_VALUE, "momentum needs momentum_buffer_list");
    return st;
}
wn_status wn__run_fused_sgd(wn__call *c) {
    const wn_fused_sgd_args *a = c->args;
    const double decay = wn__f64_or(a->momentum, 0); /* of the momentum buffers */
    const bool momentum = decay != 0;
    wn_status st = WN_OK;
    wn__sgd o = {a->lr, decay, a->dampening, a->weight_decay, a->nesterov, a->maximize, a->is_first_step};
    pass x = {.k = wn__optim_kernels_now(), .sgd = &o};
    for (int64_t i = 0; i < a->self.n && !st; i++) {
        wn_tensor *t[] = {a->self.v[i], a->grads.v[i], momentum ? a->momentum_buffer_list.v[i] : NULL};
        st = one(c, &x, t, momentum ? 3 : 2);
    }
    return st;
}

wn_status wn__infer_fused_adam(wn__call *c, wn_list self, wn_list grads, wn_list exp_avgs, wn_list exp_avg_sqs,
                               wn_list max_exp_avg_sqs, int64_t step, bool amsgrad) {
    const wn_list lists[] = {self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs};
    static const char *const names[] = {"self", "grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs"};
    wn_status st = check_lists(c, lists, names, 5);
    if (!st && (exp_avgs.n != self.n || exp_avg_sqs.n != self.n || (amsgrad && max_exp_avg_sqs.n != self.n)))
        st = wn__fail_op(c, WN_E_VALUE, "a state list is missing");
    return !st && step < 1 ? wn__fail_op(c, WN_E_VALUE, "step counts from 1, got %lld", (long long)step) : st;
}
wn_status wn__run_fused_adam(wn__call *c) {
    const wn_fused_adam_args *a = c->args;
    const double t = (double)wn__i64_or(a->step, 0);
    wn_status st = WN_OK;
    wn__adam o = {a->lr, a->beta1, a->beta2, a->weight_decay, wn__f64_or(a->eps, 0), a->lr / (1 - pow(a->beta1, t)), sqrt(1 - pow(a->beta2, t)),
                  a->maximize, a->decoupled};
    pass x = {.k = wn__optim_kernels_now(), .adam = &o};
    for (int64_t i = 0; i < a->self.n && !st; i++) {
        wn_tensor *ts[] = {a->self.v[i], a->grads.v[i], a->exp_avgs.v[i], a->exp_avg_sqs.v[i], a->amsgrad ? a->max_exp_avg_sqs.v[i] : NULL};
        st = one(c, &x, ts, a->amsgrad ? 5 : 4);
    }
    return st;
}
