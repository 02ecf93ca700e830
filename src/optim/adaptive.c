/* Optimisers whose step sizes follow the gradients: a row each does the step (src/ops/optim/optim.def). */
#include <math.h>
#include "base/alloc.h"
#include "base/dtype.h"
#include "optim/optim.h"

static wn_status done(const wn_tensor *p) { return wn_ok(p) ? WN_OK : wn_error(); }

static bool bad_options(const char *name, double lr, double eps, double weight_decay) {
    const double inf = __builtin_inf();
    return wn__optim_bad_number(name, "learning rate", lr, 0, inf) || wn__optim_bad_number(name, "epsilon value", eps, 0, inf) ||
           wn__optim_bad_number(name, "weight_decay value", weight_decay, 0, inf);
}

/* ------------------------------------------------------------------ RMSprop, Adagrad, Adadelta */

enum { SQUARES, SECOND, THIRD }; /* of the state: the squares; then what an optimiser has beside them */

static wn_status rmsprop_update(wn_optim *o, int64_t i, wn_tensor *p, wn_tensor *g) {
    WN_SCOPE(s);
    wn_tensor *buffer = o->b == 0 ? NULL : o->state[SECOND][i], *mean = o->centered ? o->state[o->nstate - 1][i] : NULL;
    return done(wn_fused_rmsprop_(p, g, o->state[SQUARES][i], buffer, mean, .lr = o->lr, .rho = o->a, .eps = WN_VAL(o->eps),
                                  .momentum = WN_VAL(o->b), .weight_decay = o->weight_decay, .maximize = o->maximize));
}

wn_optim *wn_rmsprop_new_x(const wn_rmsprop_args *a) {
    static const char *const state[] = {"square_avg", "momentum_buffer", "grad_avg"}, *const centered[] = {"square_avg", "grad_avg"};
    const double lr = wn__number_or(a->lr, 1e-2), alpha = wn__number_or(a->alpha, 0.99), eps = wn__number_or(a->eps, 1e-8), inf = __builtin_inf();
    if (bad_options("rmsprop", lr, eps, wn__number_or(a->weight_decay, 0)) || wn__optim_bad_number("rmsprop", "alpha value", alpha, 0, inf) ||
        wn__optim_bad_number("rmsprop", "momentum value", a->momentum, 0, inf))
        return NULL;
    const bool momentum = a->momentum != 0;
    const wn_optim o = {.update = rmsprop_update, .nstate = 1 + momentum + a->centered, .lr = lr, .a = alpha,
                        .b = a->momentum, .state_names = momentum || !a->centered ? state : centered, .eps = eps,
                        .centered = a->centered, .weight_decay = wn__number_or(a->weight_decay, 0),
                        .maximize = a->maximize};
    return wn__optim_make("rmsprop", a->parameters, &o);
}

static wn_status adagrad_update(wn_optim *o, int64_t i, wn_tensor *p, wn_tensor *g) {
    WN_SCOPE(s);
    return done(wn_fused_adagrad_(p, g, o->state[SQUARES][i], .step = WN_VAL(o->steps[i] + 1), .lr = o->lr, .lr_decay = o->decay,
                                  .eps = WN_VAL(o->eps), .weight_decay = o->weight_decay, .maximize = o->maximize));
}

wn_optim *wn_adagrad_new_x(const wn_adagrad_args *a) {
    static const char *const state[] = {"sum"};
    const double lr = wn__number_or(a->lr, 1e-2), eps = wn__number_or(a->eps, 1e-10), inf = __builtin_inf();
    if (bad_options("adagrad", lr, eps, wn__number_or(a->weight_decay, 0)) || wn__optim_bad_number("adagrad", "lr_decay value", a->lr_decay, 0, inf) ||
        wn__optim_bad_number("adagrad", "initial_accumulator_value value", a->initial_accumulator_value, 0, inf))
        return NULL;
    const wn_optim o = {.update = adagrad_update, .nstate = 1, .state_names = state, .lr = lr, .eps = eps,
                        .decay = a->lr_decay, .fill = a->initial_accumulator_value, .maximize = a->maximize,
                        .weight_decay = wn__number_or(a->weight_decay, 0)};
    return wn__optim_make("adagrad", a->parameters, &o);
}

static wn_status adadelta_update(wn_optim *o, int64_t i, wn_tensor *p, wn_tensor *g) {
    WN_SCOPE(s);
    return done(wn_fused_adadelta_(p, g, o->state[SQUARES][i], o->state[SECOND][i], .lr = o->lr, .rho = o->a, .eps = WN_VAL(o->eps),
                                   .weight_decay = o->weight_decay, .maximize = o->maximize));
}

wn_optim *wn_adadelta_new_x(const wn_adadelta_args *a) {
    static const char *const state[] = {"square_avg", "acc_delta"};
    const double lr = wn__number_or(a->lr, 1), rho = wn__number_or(a->rho, 0.9), eps = wn__number_or(a->eps, 1e-6);
    if (bad_options("adadelta", lr, eps, wn__number_or(a->weight_decay, 0)) || wn__optim_bad_number("adadelta", "rho value", rho, 0, nextafter(1, 2))) return NULL;
    const wn_optim o = {.update = adadelta_update, .nstate = 2, .state_names = state, .lr = lr, .a = rho, .eps = eps,
                        .weight_decay = wn__number_or(a->weight_decay, 0), .maximize = a->maximize};
    return wn__optim_make("adadelta", a->parameters, &o);
}

/* ------------------------------------------------------------------ Adamax, NAdam, RAdam */

enum { MEAN, MOMENT }; /* of the state: exp_avg; exp_inf or exp_avg_sq */

static wn_status adamax_update(wn_optim *o, int64_t i, wn_tensor *p, wn_tensor *g) {
    WN_SCOPE(s);
    return done(wn_fused_adamax_(p, g, o->state[MEAN][i], o->state[MOMENT][i], .step = WN_VAL(o->steps[i] + 1), .lr = o->lr, .beta1 = o->a,
                                 .beta2 = o->b, .eps = WN_VAL(o->eps), .weight_decay = o->weight_decay, .maximize = o->maximize));
}

static double nadam_momentum(const wn_optim *o, int64_t step) { return o->a * (1 - 0.5 * pow(0.96, (double)step * o->decay)); }
/* The product of the momenta of steps 1 to `step`: of the step before times one more, unless a state was read from a file. */
static double nadam_product(const wn_optim *o, int64_t i, int64_t step) {
    struct wn__product *p = &o->products[i];
    if (p->steps >= step || p->steps == 0) *p = (struct wn__product){1, 0};
    while (p->steps < step) p->value *= nadam_momentum(o, ++p->steps);
    return p->value;
}
static wn_status nadam_update(wn_optim *o, int64_t i, wn_tensor *p, wn_tensor *g) {
    WN_SCOPE(s);
    const int64_t step = o->steps[i] + 1;
    return done(wn_fused_nadam_(p, g, o->state[MEAN][i], o->state[MOMENT][i], .step = WN_VAL(step), .mu_product = nadam_product(o, i, step),
                                .lr = o->lr, .beta1 = o->a, .beta2 = o->b, .eps = WN_VAL(o->eps), .momentum_decay = o->decay,
                                .weight_decay = o->weight_decay, .maximize = o->maximize, .decoupled = o->decoupled));
}

static wn_status radam_update(wn_optim *o, int64_t i, wn_tensor *p, wn_tensor *g) {
    WN_SCOPE(s);
    return done(wn_fused_radam_(p, g, o->state[MEAN][i], o->state[MOMENT][i], .step = WN_VAL(o->steps[i] + 1), .lr = o->lr, .beta1 = o->a,
                                .beta2 = o->b, .eps = WN_VAL(o->eps), .weight_decay = o->weight_decay, .maximize = o->maximize,
                                .decoupled = o->decoupled));
}

static wn_optim *of_adam(const wn_nadam_args *a, const char *name, wn__optim_update update, double rate) {
    static const char *const squares[] = {"exp_avg", "exp_avg_sq"}, *const maxima[] = {"exp_avg", "exp_inf"};
    const double lr = wn__number_or(a->lr, rate), b1 = wn__number_or(a->beta1, 0.9), b2 = wn__number_or(a->beta2, 0.999);
    const double eps = wn__number_or(a->eps, 1e-8), decay = wn__number_or(a->momentum_decay, 4e-3), inf = __builtin_inf();
    if (bad_options(name, lr, eps, wn__number_or(a->weight_decay, 0)) || wn__optim_bad_number(name, "beta parameter at index 0", b1, 0, 1) ||
        wn__optim_bad_number(name, "beta parameter at index 1", b2, 0, 1) || wn__optim_bad_number(name, "momentum_decay value", decay, 0, inf))
        return NULL;
    if (a->decoupled_weight_decay && update == adamax_update) {
        wn__fail(WN_E_VALUE, name, "decoupled_weight_decay is nadam's and radam's");
        return NULL;
    }
    const wn_optim o = {.update = update, .nstate = 2, .state_names = update == adamax_update ? maxima : squares,
                        .lr = lr, .a = b1, .b = b2, .eps = eps, .decay = decay,
                        .weight_decay = wn__number_or(a->weight_decay, 0), .decoupled = a->decoupled_weight_decay,
                        .maximize = a->maximize};
    return wn__optim_make(name, a->parameters, &o);
}
wn_optim *wn_adamax_new_x(const wn_adamax_args *a) { return of_adam(a, "adamax", adamax_update, 2e-3); }
wn_optim *wn_nadam_new_x(const wn_nadam_args *a) {
    wn_optim *o = of_adam(a, "nadam", nadam_update, 2e-3);
    if (!o || (o->products = wn__new(struct wn__product, (size_t)o->n))) return o;
    wn_optim_free(o);
    wn__fail_memory("nadam");
    return NULL;
}
wn_optim *wn_radam_new_x(const wn_radam_args *a) { return of_adam(a, "radam", radam_update, 1e-3); }
