/* RMSprop, Adagrad, Adadelta, Adamax, NAdam, RAdam: eight steps from the same start and the same gradients beside PyTorch 2.13 (float64,
 * as default dtype too), resumed training states, refusals. SGD, Adam and AdamW are in test_nn.c. */
#include <stdlib.h>
#include <unistd.h>
#include "check.h"

enum { STEPS = 8 };
static const double start[] = {0.5, -1.25, 2.0, 0.1, 0.0, -0.3}, push[] = {1, -2, 0.5, 0.25, 3, -1};

/* Steps from..STEPS-1 of w. */
static void steps(wn_optim *o, wn_tensor *w, int from, int to) {
    for (int step = from; step < to; step++) {
        WN_SCOPE(s);
        WN_NO_GRAD();
        wn_tensor *p = wn_to(wn_from_data(push, WN_DIMS(2, 3), WN_F64), wn_dtype_of(w));
        CHECK(wn_set_grad(w, wn_add(wn_mul(w, 0.5), wn_mul(p, (step + 1) / 3.0))) == WN_OK && wn_step(o) == WN_OK);
    }
}
static wn_tensor *begin(wn_dtype dtype) { return wn_requires_grad(wn_to(wn_from_data(start, WN_DIMS(2, 3), WN_F64), dtype), true); }

/* Stopped after five steps and gone on with in a new optimiser from the file: the same bits. */
static void resumed(const char *kind, wn_optim *first, wn_optim *second, wn_tensor *w, wn_tensor *v, const double *want) {
    const char *const names[] = {"w"};
    char path[] = "/tmp/winnow_test_optim_XXXXXX";
    const int fd = mkstemp(path);
    if (fd >= 0) close(fd);
    wn_training a = {.optim = {first}, .names = names, .tensors = WN_LIST(w)}, b = {.optim = {second}, .names = names, .tensors = WN_LIST(v)};
    steps(first, w, 0, 5);
    CHECK(wn_save_training(&a, path) == WN_OK && wn_load_training(&b, path) == WN_OK);
    (void)unlink(path);
    steps(first, w, 5, STEPS);
    steps(second, v, 5, STEPS);
    double x[6], y[6];
    CHECK(wn_to_memory(w, x, sizeof x, WN_F64) == WN_OK && wn_to_memory(v, y, sizeof y, WN_F64) == WN_OK);
    check_(memcmp(x, y, sizeof x) == 0, kind, __LINE__);
    tolerance = 1e-12;
    check_(is_(w, want, 6), kind, __LINE__);
}

#define ARGS(...) __VA_ARGS__
#define CASE(kind, args, ...)                                                                                          \
    do {                                                                                                               \
        WN_SCOPE(s_);                                                                                                  \
        const double want_[] = {__VA_ARGS__};                                                                          \
        wn_tensor *w_ = begin(WN_F64), *v_ = begin(WN_F64), *n_ = begin(WN_F32);                                       \
        wn_tensor *idle_ = wn_requires_grad(wn_ones(WN_DIMS(2)), true); /* never gets a gradient: left out */          \
        wn_optim *o_ = wn_##kind##_new(WN_LIST(w_, idle_), args), *p_ = wn_##kind##_new(WN_LIST(v_, idle_), args);     \
        wn_optim *q_ = wn_##kind##_new(WN_LIST(n_), args);                                                             \
        CHECK(o_ && p_ && q_);                                                                                         \
        resumed(#kind " " #args, o_, p_, w_, v_, want_);                                                               \
        steps(q_, n_, 0, STEPS);                                                                                       \
        tolerance = 2e-5;                                                                                              \
        check_(is_(n_, want_, 6), #kind " f32", __LINE__);                                                             \
        tolerance = 0;                                                                                                 \
        IS(idle_, 1, 1);                                                                                               \
        wn_optim_free(o_), wn_optim_free(p_), wn_optim_free(q_);                                                       \
    } while (0)

static void formulas(void) {
    CASE(rmsprop, ARGS(),
         -0.061301399500277208, -0.69094505016562968, 1.5086285315374566, -0.44528073258927142, -0.58894769665674518, 0.2701537012717104);
    CASE(rmsprop, ARGS(.lr = 0.05, .alpha = 0.9, .eps = 0.001, .weight_decay = 0.1),
         -0.40537510281132916, -0.34313895634874891, 1.2032054784991753, -0.72136600494090741, -0.95806677525962658, 0.61978071787719868);
    CASE(rmsprop, ARGS(.momentum = 0.9),
         -1.6273758807448484, 0.89856721072210721, 0.11729479797066544, -1.5435274091769544, -2.2660678680394506, 1.8574042660469425);
    CASE(rmsprop, ARGS(.centered = true),
         -0.071474582957731472, -0.68072578249579929, 1.4991390699740288, -0.45498927027950437, -0.59901838748726022, 0.28030736834999842);
    CASE(rmsprop, ARGS(.momentum = 0.5, .centered = true, .maximize = true),
         1.5505214132839817, -2.2844657494588261, 2.9420573903677911, 1.1903105033092269, 1.0823292940492599, -1.3653344870824122);
    CASE(adagrad, ARGS(),
         0.44363734134603305, -1.1941007640614851, 1.9503643366867434, 0.043362288200947952, -0.058801812315223315, -0.24276917533209763);
    CASE(adagrad, ARGS(.lr = 0.1, .lr_decay = 0.2, .weight_decay = 0.1, .initial_accumulator_value = 0.5, .eps = 1e-06),
         0.17555458381027847, -0.89069102432058911, 1.6843151930785123, -0.080144505467555277, -0.37220739197716879, 0.017653456756373871);
    CASE(adagrad, ARGS(.maximize = true),
         0.55645840409454572, -1.3059483591162901, 2.049800408682982, 0.15701019963435467, 0.058826080627775598, -0.35732045601922757);
    CASE(adadelta, ARGS(),
         0.45626465725558052, -1.207073537120416, 1.966355746485855, 0.055735176409998644, -0.048228667340229132, -0.25472265605264);
    CASE(adadelta, ARGS(.lr = 0.5, .rho = 0.8, .eps = 0.0001, .weight_decay = 0.1, .maximize = true),
         0.66000987257367416, -1.4074256783014254, 2.1285742905424927, 0.2620862753661603, 0.17144897806973119, -0.46419819357020004);
    CASE(adamax, ARGS(),
         0.48802841371175482, -1.2378951294920355, 1.9861024167447532, 0.088136067057523013, -0.011298815565571795, -0.28826816000401745);
    CASE(adamax, ARGS(.lr = 0.05, .beta1 = 0.8, .beta2 = 0.95, .eps = 0.001, .weight_decay = 0.1, .maximize = true),
         0.80876441545374167, -1.5620077922347824, 2.3460894412463449, 0.40289392997004547, 0.29752368668387352, -0.60437086144280705);
    CASE(nadam, ARGS(),
         0.4839773307661917, -1.2340860735805106, 1.9855888662361205, 0.083892554159353802, -0.016551298163295935, -0.28378417944855466);
    CASE(nadam, ARGS(.lr = 0.05, .beta1 = 0.8, .beta2 = 0.95, .eps = 0.001, .weight_decay = 0.1, .momentum_decay = 0.01),
         0.058899253881707983, -0.81034999533026553, 1.603267745899184, -0.33162259654126558, -0.45855168854502049, 0.14667255355416053);
    CASE(nadam, ARGS(.weight_decay = 0.1, .decoupled_weight_decay = true, .maximize = true),
         0.51521831219153769, -1.2639074266891033, 2.0112132309985888, 0.11596047825628888, 0.016541639766332758, -0.3157308172480498);
    CASE(radam, ARGS(),
         0.49517514420783226, -1.2398230184595644, 1.993164317883291, 0.098783248225041628, -0.010529898627273432, -0.29567534914530474);
    CASE(radam, ARGS(.lr = 0.05, .beta1 = 0.8, .beta2 = 0.95, .eps = 0.001, .weight_decay = 0.1),
         0.21347422575225278, -0.67712345389301154, 1.5857715892899618, 0.0048309897529197204, -0.5694715483920485, -0.042479398635607984);
    CASE(radam, ARGS(.weight_decay = 0.1, .decoupled_weight_decay = true, .maximize = true),
         0.50442651519756676, -1.2591806848844467, 2.0052390951793315, 0.1011371180831315, 0.010532693620341024, -0.30408601510908956);
}

/* Parameters that are at different steps: NAdam's product of momenta belongs to each. */
static void late(void) {
    WN_SCOPE(s);
    wn_tensor *w = begin(WN_F64), *v = begin(WN_F64), *alone = begin(WN_F64);
    wn_optim *o = wn_nadam_new(WN_LIST(w, v)), *p = wn_nadam_new(WN_LIST(alone));
    steps(o, w, 0, 3); /* v has no gradient yet */
    for (int step = 0; step < STEPS; step++) steps(o, v, step, step + 1); /* w keeps its last gradient and goes on */
    steps(p, alone, 0, STEPS);
    double x[6], y[6];
    CHECK(wn_to_memory(v, x, sizeof x, WN_F64) == WN_OK && wn_to_memory(alone, y, sizeof y, WN_F64) == WN_OK && memcmp(x, y, sizeof x) == 0);
    wn_optim_free(o), wn_optim_free(p);
}

static void refused(void) {
    WN_SCOPE(s);
    wn_tensor *w = begin(WN_F64);
    FAILS(wn_rmsprop_new(WN_LIST(w), .lr = -1) != NULL, "rmsprop", "Invalid learning rate: -1");
    FAILS(wn_rmsprop_new(WN_LIST(w), .alpha = -0.5) != NULL, "Invalid alpha value: -0.5");
    FAILS(wn_adagrad_new(WN_LIST(w), .lr_decay = -1) != NULL, "adagrad", "Invalid lr_decay value: -1");
    FAILS(wn_adadelta_new(WN_LIST(w), .rho = 1.5) != NULL, "adadelta", "Invalid rho value: 1.5");
    FAILS(wn_nadam_new(WN_LIST(w), .beta2 = 1) != NULL, "nadam", "Invalid beta parameter at index 1: 1");
    FAILS(wn_radam_new(WN_LIST(w), .eps = -1) != NULL, "radam", "Invalid epsilon value: -1");
    FAILS(wn_adamax_new(WN_LIST(w), .decoupled_weight_decay = true) != NULL, "adamax", "decoupled_weight_decay");
    FAILS(wn_adamax_new(WN_NO_LIST) != NULL, "adamax", "empty parameter list");
    FAILS(wn_rmsprop_new(WN_LIST(wn_detach(w))) != NULL, "rmsprop", "no leaf tensor that requires grad");
    wn_optim *o = wn_adadelta_new(WN_LIST(w), .rho = 1, .lr = WN_NO_RATE, .weight_decay = WN_NO_RATE);
    CHECK(o && wn_optim_lr(o) == 0);
    steps(o, w, 0, 2);
    tolerance = 0;
    IS(w, 0.5, -1.25, 2.0, 0.1, 0.0, -0.3);
    wn_optim_free(o);
}

int main(void) {
    wn_set_error_hook(NULL);
    formulas();
    late();
    refused();
    return report();
}
