/* Optimiser steps whose sizes follow the gradients; the formulas stand in optim.def. */
#include <math.h>
#include "call/dispatch.h"

/* The gradient as it counts: with its sign, and with weight_decay p unless p itself decays. */
static wn_tensor *direction(wn_tensor *p, wn_tensor *g, double weight_decay, bool maximize) {
    if (maximize) g = wn_neg(g);
    return weight_decay == 0 ? g : wn_add(g, p, .alpha = WN_VAL(weight_decay));
}
/* v = b v + (1 - b) g g */
static void average_squares(wn_tensor *v, double b, wn_tensor *g) {
    wn_addcmul_(wn_mul_(v, b), g, g, .value = WN_VAL(1 - b));
}

wn_status wn__op_fused_rmsprop(wn__call *c) {
    const wn_fused_rmsprop_args *a = c->args;
    wn_tensor *g = direction(a->self, a->grad, a->weight_decay, a->maximize), *var = a->square_avg;
    average_squares(var, a->rho, g);
    if (a->grad_avg) {
        wn_tensor *mean = wn_lerp_(a->grad_avg, g, 1 - a->rho);
        var = wn_addcmul(var, mean, mean, .value = WN_VAL(-1));
    }
    wn_tensor *root = wn_add(wn_sqrt(var), wn__f64_or(a->eps, 0));
    if (!a->momentum_buffer) return wn__give(c, 0, wn_addcdiv_(a->self, g, root, .value = WN_VAL(-a->lr)));
    wn_tensor *buffer = wn_addcdiv_(wn_mul_(a->momentum_buffer, wn__f64_or(a->momentum, 0)), g, root);
    return wn__give(c, 0, wn_add_(a->self, buffer, .alpha = WN_VAL(-a->lr)));
}

wn_status wn__op_fused_adagrad(wn__call *c, wn_tensor *self, wn_tensor *grad, wn_tensor *state_sum, int64_t step,
                               double lr, double lr_decay, double eps, double weight_decay, bool maximize) {
    wn_tensor *g = direction(self, grad, weight_decay, maximize), *sum = wn_addcmul_(state_sum, g, g);
    const double rate = lr / (1 + ((double)step - 1) * lr_decay);
    return wn__give(c, 0, wn_addcdiv_(self, g, wn_add(wn_sqrt(sum), eps), .value = WN_VAL(-rate)));
}

wn_status wn__op_fused_adadelta(wn__call *c, wn_tensor *self, wn_tensor *grad, wn_tensor *v, wn_tensor *u, double lr,
                                double rho, double eps, double weight_decay, bool maximize) {
    wn_tensor *g = direction(self, grad, weight_decay, maximize);
    average_squares(v, rho, g);
    wn_tensor *delta = wn_mul(wn_div(wn_sqrt(wn_add(u, eps)), wn_sqrt(wn_add(v, eps))), g);
    average_squares(u, rho, delta);
    return wn__give(c, 0, wn_add_(self, delta, .alpha = WN_VAL(-lr)));
}

wn_status wn__op_fused_adamax(wn__call *c) {
    const wn_fused_adamax_args *a = c->args;
    wn_tensor *g = direction(a->self, a->grad, a->weight_decay, a->maximize), *m = wn_lerp_(a->exp_avg, g, 1 - a->beta1);
    wn_copy_(a->exp_inf, wn_maximum(wn_mul(a->exp_inf, a->beta2), wn_add(wn_abs(g), wn__f64_or(a->eps, 0))));
    const double rate = a->lr / (1 - pow(a->beta1, (double)wn__i64_or(a->step, 0)));
    return wn__give(c, 0, wn_addcdiv_(a->self, m, a->exp_inf, .value = WN_VAL(-rate)));
}

/* ------------------------------------------------------------------ with the moments of Adam */

static double nadam_momentum(const wn_fused_nadam_args *a, double step) {
    return a->beta1 * (1 - 0.5 * pow(0.96, step * a->momentum_decay));
}

wn_status wn__op_fused_nadam(wn__call *c) {
    const wn_fused_nadam_args *a = c->args;
    const double step = (double)wn__i64_or(a->step, 0), product = a->mu_product;
    const double now = nadam_momentum(a, step), next = nadam_momentum(a, step + 1);
    wn_tensor *g = direction(a->self, a->grad, a->decoupled ? 0 : a->weight_decay, a->maximize);
    if (a->decoupled && a->weight_decay != 0) wn_mul_(a->self, 1 - a->lr * a->weight_decay);
    wn_lerp_(a->exp_avg, g, 1 - a->beta1);
    average_squares(a->exp_avg_sq, a->beta2, g);
    wn_tensor *root = wn_add(wn_sqrt(wn_div(a->exp_avg_sq, 1 - pow(a->beta2, step))), wn__f64_or(a->eps, 0));
    wn_addcdiv_(a->self, g, root, .value = WN_VAL(-a->lr * (1 - now) / (1 - product)));
    return wn__give(c, 0, wn_addcdiv_(a->self, a->exp_avg, root, .value = WN_VAL(-a->lr * next / (1 - product * next))));
}

wn_status wn__op_fused_radam(wn__call *c) {
    const wn_fused_radam_args *a = c->args;
    const double step = (double)wn__i64_or(a->step, 0), power = pow(a->beta2, step);
    const double correction1 = 1 - pow(a->beta1, step), correction2 = 1 - power;
    /* The length of the averages in the limit, and now. */
    const double longest = 2 / (1 - a->beta2) - 1, length = longest - 2 * step * power / correction2;
    wn_tensor *g = direction(a->self, a->grad, a->decoupled ? 0 : a->weight_decay, a->maximize);
    if (a->decoupled && a->weight_decay != 0) wn_mul_(a->self, 1 - a->lr * a->weight_decay);
    wn_lerp_(a->exp_avg, g, 1 - a->beta1);
    average_squares(a->exp_avg_sq, a->beta2, g);
    if (!(length > 5)) return wn__give(c, 0, wn_add_(a->self, a->exp_avg, .alpha = WN_VAL(-a->lr / correction1)));
    const double rectified = sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
    wn_tensor *root = wn_add(wn_sqrt(a->exp_avg_sq), wn__f64_or(a->eps, 0));
    const double rate = a->lr * rectified * sqrt(correction2) / correction1;
    return wn__give(c, 0, wn_addcdiv_(a->self, a->exp_avg, root, .value = WN_VAL(-rate)));
}
