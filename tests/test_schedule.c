/* Learning-rate schedules against PyTorch's rates, and what they refuse. */
#include "check.h"
#include "data/schedules_torch.h"

static wn_optim *optim(void) { return wn_sgd_new(WN_LIST(PARAM(1)), .lr = 0.1); }

static void check_rates(wn_scheduler *s, wn_optim *o, const double *want, const char *name) {
    bool ok = s != NULL;
    for (int i = 0; i < RATES && ok; i++) {
        ok = fabs(wn_optim_lr(o) - want[i]) <= 1e-14;
        if (!ok) printf("    %s: step %d has %.17g, not %.17g\n", name, i, wn_optim_lr(o), want[i]);
        if (i + 1 < RATES) ok &= wn_scheduler_step(s) == WN_OK;
    }
    check_(ok, name, __LINE__);
    wn_scheduler_free(s);
    wn_optim_free(o);
}
#define RATES_OF(make, want)                 \
    do {                                     \
        wn_optim *o = optim();               \
        check_rates((make), o, want, #make); \
    } while (0)

static double halved(void *ctx, int64_t t) { return 1.0 / (double)(t + *(int64_t *)ctx); }

static void test_rates(void) {
    WN_SCOPE(s);
    RATES_OF(wn_step_lr(o, 5, .gamma = 0.5), torch_step);
    RATES_OF(wn_multi_step_lr(o, WN_DIMS(3, 3, 10)), torch_multi_step);
    RATES_OF(wn_exponential_lr(o, 0.9), torch_exponential);
    RATES_OF(wn_constant_lr(o, 4), torch_constant);
    RATES_OF(wn_linear_lr(o, 8, .start_factor = 0.25, .end_factor = 0.75), torch_linear);
    RATES_OF(wn_polynomial_lr(o, 10, .power = 2), torch_polynomial);
    RATES_OF(wn_cosine_annealing_lr(o, 9, .eta_min = 0.01), torch_cosine);
    RATES_OF(wn_cosine_annealing_warm_restarts(o, 4, .T_mult = 2, .eta_min = 0.001), torch_restarts);
    RATES_OF(wn_cosine_annealing_warm_restarts(o, 5), torch_restarts_1);
    RATES_OF(wn_one_cycle_lr(o, 1.0, 23), torch_one_cycle);
    RATES_OF(wn_one_cycle_lr(o, 0.5, 23, .pct_start = 0.4, .linear = true, .div_factor = 10, .final_div_factor = 100, .three_phase = true), torch_one_cycle_3);
    RATES_OF(wn_sequential_lr(o, WN_DIMS(5, 17), .parts = {wn_linear_lr(o, 5, .start_factor = 0.1), wn_cosine_annealing_lr(o, 12), wn_exponential_lr(o, 0.5)}),
             torch_sequential);
    double want[RATES];
    int64_t from = 2;
    for (int i = 0; i < RATES; i++) want[i] = 0.1 / (i + 2);
    RATES_OF(wn_lambda_lr(o, halved, &from), want);
}

static void check_plateau(wn_scheduler *s, wn_optim *o, const double *want, int line) {
    bool ok = s != NULL;
    for (int i = 0; i < RATES && ok; i++) ok = wn_scheduler_step_metric(s, metrics[i]) == WN_OK && fabs(wn_optim_lr(o) - want[i]) < 1e-15;
    check_(ok, "reduce_lr_on_plateau", line);
    wn_scheduler_free(s);
    wn_optim_free(o);
}
static void test_plateau(void) {
    WN_SCOPE(s);
    wn_optim *o = optim();
    check_plateau(wn_reduce_lr_on_plateau(o, 0.5, .patience = 2, .cooldown = 1), o, torch_plateau, __LINE__);
    o = optim();
    check_plateau(wn_reduce_lr_on_plateau(o, 0.1, .maximize = true, .patience = 3, .threshold = 0.2, .absolute = true, .min_lr = 0.002), o, torch_plateau_max,
                  __LINE__);
}

static void test_refusals(void) {
    WN_SCOPE(s);
    wn_optim *o = optim(), *other = optim();
    FAILS(wn_step_lr(o, 0), "step_lr", "step_size");
    FAILS(wn_step_lr(NULL, 5), "optimiser", "NULL");
    FAILS(wn_multi_step_lr(o, WN_DIMS(5, 3)), "increasing");
    FAILS(wn_linear_lr(o, 5, .start_factor = 2), "linear_lr", "start_factor");
    FAILS(wn_constant_lr(o, 5, .factor = -1), "constant_lr", "factor");
    FAILS(wn_cosine_annealing_lr(o, 0), "T_max");
    FAILS(wn_cosine_annealing_warm_restarts(o, 0), "T_0");
    FAILS(wn_one_cycle_lr(o, 1.0, 0), "total_steps");
    FAILS(wn_one_cycle_lr(o, 1.0, 10, .pct_start = 1.5), "pct_start");
    FAILS(wn_lambda_lr(o, NULL, NULL), "lambda_lr");
    FAILS(wn_reduce_lr_on_plateau(o, 1.5), "Factor");
    FAILS(wn_sequential_lr(o, WN_DIMS(5), .parts = {wn_exponential_lr(o, 0.5)}), "sequential_lr", "one milestone less"); /* the part is freed */
    FAILS(wn_sequential_lr(o, WN_DIMS(5), .parts = {wn_exponential_lr(o, 0.5), wn_exponential_lr(other, 0.5)}), "same optimiser");
    FAILS(wn_scheduler_new_x(&(wn_scheduler_args){.size_ = sizeof(wn_scheduler_args), .optim = o, .kind = (wn_schedule)99}), "99");
    FAILS(wn_scheduler_step(NULL) == WN_OK, "NULL");
    wn_scheduler *p = wn_reduce_lr_on_plateau(o, 0.5), *c = wn_one_cycle_lr(other, 1.0, 2);
    FAILS(wn_scheduler_step(p) == WN_OK, "metric");
    CHECK(wn_scheduler_step(c) == WN_OK && wn_scheduler_step(c) == WN_OK);
    FAILS(wn_scheduler_step(c) == WN_OK, "3 times", "2");
    wn_scheduler_free(p);
    wn_scheduler_free(c);
    wn_scheduler_free(NULL);
    wn_fail_allocation(0);
    FAILS(wn_step_lr(o, 5), "memory");
    wn_fail_allocation(-1);
    wn_optim_free(o);
    wn_optim_free(other);
}

int main(void) {
    wn_set_error_hook(NULL);
    test_rates();
    test_plateau();
    test_refusals();
    return report();
}
