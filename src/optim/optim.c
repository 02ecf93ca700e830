/* Optimisers: the parameters and their state, around the rows that do the arithmetic. */
#include "optim/optim.h"
#include "base/alloc.h"
#include "base/dtype.h"
#include "base/interrupt.h"

void wn_optim_free(wn_optim *o) {
    if (!o) return;
    for (int64_t i = 0; i < o->n; i++) {
        if (o->parameters) wn_drop(o->parameters[i]);
        for (int k = 0; k < WN__OPTIM_STATE; k++)
            if (o->state[k]) wn_drop(o->state[k][i]);
    }
    wn__free(o->parameters);
    for (int k = 0; k < WN__OPTIM_STATE; k++) wn__free(o->state[k]);
    wn__free(o->steps);
    wn__free(o->products);
    wn__free(o);
}

wn_optim *wn__optim_make(const char *name, wn_list parameters, const wn_optim *as) {
    for (int64_t i = 0; i < parameters.n; i++) {
        const wn_tensor *p = parameters.v ? parameters.v[i] : NULL;
        if (wn_ok(p) && wn_is_leaf(p) && wn_needs_grad(p)) continue;
        wn__fail(WN_E_VALUE, name, "parameter %lld, %s, is no leaf tensor that requires grad", (long long)i, wn__desc(p));
        return NULL;
    }
    if (parameters.n < 1) {
        wn__fail(WN_E_VALUE, name, "optimizer got an empty parameter list");
        return NULL;
    }
    wn_optim *o = wn__new(wn_optim, 1);
    size_t n = (size_t)parameters.n;
    if (o) *o = *as;
    bool ok = o && (o->parameters = wn__new(wn_tensor *, n)) && (o->steps = wn__new(int64_t, n));
    for (int k = 0; ok && k < as->nstate; k++) ok = (o->state[k] = wn__new(wn_tensor *, n)) != NULL;
    if (!ok) {
        wn_optim_free(o);
        wn__fail_memory(name);
        return NULL;
    }
    o->n = parameters.n;
    o->initial_lr = __builtin_nan("");
    for (int64_t i = 0; i < o->n; i++) o->parameters[i] = wn_keep(parameters.v[i]);
    return o;
}

bool wn__optim_bad_number(const char *name, const char *what, double x, double low, double high) {
    if (x >= low && x < high) return false;
    wn__fail(WN_E_VALUE, name, "Invalid %s: %g", what, x);
    return true;
}

wn_status wn__optim_ensure_state(wn_optim *o, int64_t i) {
    WN_ASSERT(i >= 0);
    for (int k = 0; k < o->nstate; k++) {
        if (o->state[k][i]) continue;
        wn_tensor *t = o->fill == 0 ? wn_zeros_like(o->parameters[i]) : wn_full_like(o->parameters[i], o->fill);
        if (!wn_ok(t)) return wn_error();
        o->state[k][i] = wn_keep(t);
    }
    return WN_OK;
}

/* ------------------------------------------------------------------ SGD, Adam, AdamW: one row does the step */

static wn_list list_of(wn_tensor **t) { return (wn_list){.n = 1, .v = t}; }

static wn_status sgd_update(wn_optim *o, int64_t i, wn_tensor *p, wn_tensor *g) {
    return wn_fused_sgd(list_of(&p), list_of(&g), o->nstate ? list_of(&o->state[0][i]) : WN_NO_LIST, .lr = o->lr, .momentum = WN_VAL(o->a),
                        .dampening = o->b, .weight_decay = o->weight_decay, .nesterov = o->nesterov, .maximize = o->maximize,
                        .is_first_step = o->steps[i] == 0);
}

wn_optim *wn_sgd_new_x(const wn_sgd_args *a) {
    static const char *const state[] = {"momentum_buffer"};
    double lr = wn__number_or(a->lr, 1e-3), inf = __builtin_inf();
    if (wn__optim_bad_number("sgd", "learning rate", lr, 0, inf) || wn__optim_bad_number("sgd", "momentum value", a->momentum, 0, inf) ||
        wn__optim_bad_number("sgd", "weight_decay value", a->weight_decay, 0, inf))
        return NULL;
    if (a->nesterov && (a->momentum <= 0 || a->dampening != 0)) {
        wn__fail(WN_E_VALUE, "sgd", "Nesterov momentum requires a momentum and zero dampening");
        return NULL;
    }
    const wn_optim o = {.update = sgd_update, .nstate = a->momentum != 0, .state_names = state, .lr = lr,
                        .a = a->momentum, .b = a->dampening, .weight_decay = a->weight_decay, .nesterov = a->nesterov,
                        .maximize = a->maximize};
    return wn__optim_make("sgd", a->parameters, &o);
}

static wn_status adam_update(wn_optim *o, int64_t i, wn_tensor *p, wn_tensor *g) {
    return wn_fused_adam(list_of(&p), list_of(&g), list_of(&o->state[0][i]), list_of(&o->state[1][i]),
                         o->amsgrad ? list_of(&o->state[2][i]) : WN_NO_LIST, .step = WN_VAL(o->steps[i] + 1), .lr = o->lr, .beta1 = o->a,
                         .beta2 = o->b, .weight_decay = o->weight_decay, .eps = WN_VAL(o->eps), .amsgrad = o->amsgrad, .maximize = o->maximize,
                         .decoupled = o->decoupled);
}

static wn_optim *adam(const wn_adam_args *a, const char *name, bool decoupled, double decay) {
    static const char *const state[] = {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"};
    double lr = wn__number_or(a->lr, 1e-3), b1 = wn__number_or(a->beta1, 0.9), b2 = wn__number_or(a->beta2, 0.999), inf = __builtin_inf();
    double eps = wn__number_or(a->eps, 1e-8), wd = wn__number_or(a->weight_decay, decay);
    if (wn__optim_bad_number(name, "learning rate", lr, 0, inf) || wn__optim_bad_number(name, "beta parameter at index 0", b1, 0, 1) ||
        wn__optim_bad_number(name, "beta parameter at index 1", b2, 0, 1) || wn__optim_bad_number(name, "epsilon value", eps, 0, inf) ||
        wn__optim_bad_number(name, "weight_decay value", wd, 0, inf))
        return NULL;
    const wn_optim o = {.update = adam_update, .nstate = a->amsgrad ? 3 : 2, .state_names = state, .lr = lr, .a = b1,
                        .b = b2, .eps = eps, .weight_decay = wd, .amsgrad = a->amsgrad, .maximize = a->maximize,
                        .decoupled = decoupled};
    return wn__optim_make(name, a->parameters, &o);
}
wn_optim *wn_adam_new_x(const wn_adam_args *a) { return adam(a, "adam", false, 0); }
wn_optim *wn_adamw_new_x(const wn_adam_args *a) { return adam(a, "adamw", true, 1e-2); }

/* ------------------------------------------------------------------ what all have */

static wn_status step_all(wn_optim *o) {
    for (int64_t i = 0; i < o->n; i++) {
        WN_NO_GRAD();
        wn_tensor *p = o->parameters[i], *g = wn_grad_of(p);
        if (!g) continue;
        wn_status st = wn__optim_ensure_state(o, i);
        if (!st) st = o->update(o, i, p, g);
        if (st) return st;
        o->steps[i]++;
    }
    return WN_OK;
}

/* A step is whole: it is not interrupted between two parameters. */
wn_status wn_step(wn_optim *o) {
    if (!o) return wn__fail(WN_E_TYPE, "step", "the optimiser is absent (NULL)");
    const wn__way way = wn__way_enter(WN__WAY_WHOLE);
    const wn_status st = step_all(o);
    wn__way_leave(way);
    return st;
}

void wn_optim_zero_grad(wn_optim *o) {
    for (int64_t i = 0; o && i < o->n; i++) (void)!wn_set_grad(o->parameters[i], NULL);
}
double wn_optim_lr(const wn_optim *o) { return o ? o->lr : 0; }
void wn_optim_set_lr(wn_optim *o, double lr) {
    if (o) o->lr = lr;
}
