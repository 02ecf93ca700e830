/* Learning-rate schedules: closed forms of PyTorch's, so that nothing drifts and a rate is a function of t alone. */
#include <math.h>
#include "base/alloc.h"
#include "base/dtype.h"
#include "optim/optim.h"

static const double pi = 3.14159265358979323846;

struct wn_scheduler {
    wn_scheduler_args a; /* defaults filled in; milestones and parts are copies */
    double lr0;          /* where the schedule starts from */
    int64_t t;           /* steps taken */
    double best;         /* plateau */
    int64_t bad, cooling;
};

/* ------------------------------------------------------------------ rates */

static double cosine(double from, double to, double share) { return to + (from - to) * (1 + cos(pi * share)) / 2; }

static double warm_restarts(const wn_scheduler_args *a, double lr0, int64_t t) {
    int64_t length = a->T_0;
    while (t >= length) {
        t -= length;
        if (length > INT64_MAX / a->T_mult) break;
        length *= a->T_mult;
        if (a->T_mult == 1) t %= length;
    }
    return cosine(lr0, a->eta_min, (double)t / (double)length);
}

/* Smith and Topin 2018: up to max_lr, down to where it began and on to nearly nothing. */
static double one_cycle(const wn_scheduler_args *a, int64_t t) {
    double first = a->max_lr / a->div_factor, last = first / a->final_div_factor, n = (double)a->total_steps, x = (double)t;
    double ends[3] = {a->pct_start * n - 1, a->three_phase ? 2 * a->pct_start * n - 2 : n - 1, n - 1};
    double rates[4] = {first, a->max_lr, a->three_phase ? first : last, last};
    double begin = 0;
    int phases = a->three_phase ? 3 : 2;
    for (int i = 0; i < phases; begin = ends[i++]) {
        if (x > ends[i] && i < phases - 1) continue;
        double share = (x - begin) / (ends[i] - begin);
        return a->linear ? rates[i] + (rates[i + 1] - rates[i]) * share : cosine(rates[i], rates[i + 1], share);
    }
    return last;
}

static double rate_at(const wn_scheduler *s, int64_t t) {
    const wn_scheduler_args *a = &s->a;
    double lr0 = s->lr0, share = a->total_iters > 0 && t < a->total_iters ? (double)t / (double)a->total_iters : 1;
    int passed = 0;
    for (; passed < a->milestones.n && t >= a->milestones.v[passed]; passed++) {}
    switch (a->kind) {
    case WN_STEP_LR: return lr0 * pow(a->gamma, (double)(t / a->step_size));
    case WN_MULTI_STEP_LR: return lr0 * pow(a->gamma, passed);
    case WN_EXPONENTIAL_LR: return lr0 * pow(a->gamma, (double)t);
    case WN_CONSTANT_LR: return t < a->total_iters ? lr0 * a->factor : lr0;
    case WN_LINEAR_LR: return lr0 * (a->start_factor + (a->end_factor - a->start_factor) * share);
    case WN_POLYNOMIAL_LR: return lr0 * pow(1 - share, a->power);
    case WN_COSINE_ANNEALING_LR: return cosine(lr0, a->eta_min, (double)t / (double)a->T_max);
    case WN_COSINE_ANNEALING_WARM_RESTARTS: return warm_restarts(a, lr0, t);
    case WN_ONE_CYCLE_LR: return one_cycle(a, t);
    case WN_LAMBDA_LR: return lr0 * a->lambda(a->ctx, t);
    case WN_SEQUENTIAL_LR: return rate_at(a->parts[passed], passed ? t - a->milestones.v[passed - 1] : t);
    default: return lr0;
    }
}

/* ------------------------------------------------------------------ making one */

static const char op[] = "scheduler_new";

static bool wants(bool ok, const char *what) {
    if (!ok) wn__fail(WN_E_VALUE, op, "%s", what);
    return ok;
}

static bool check_milestones(const wn_scheduler_args *a) {
    if (a->milestones.n < 0 || a->milestones.n > WN_MAX_DIMS) return wants(false, "milestones: from 0 to 16 increasing numbers");
    for (int i = 0; i < a->milestones.n; i++)
        if (a->milestones.v[i] < (i ? a->milestones.v[i - 1] : 0)) return wants(false, "milestones should be increasing");
    return true;
}

static bool check_parts(const wn_scheduler_args *a) {
    int n = 0;
    for (; n < WN_MAX_SCHEDULES && a->parts[n]; n++) {
        if (!wants(a->parts[n]->a.optim == a->optim, "sequential_lr: all schedules must be of the same optimiser") ||
            !wants(a->parts[n]->a.kind != WN_REDUCE_LR_ON_PLATEAU, "sequential_lr: reduce_lr_on_plateau is no function of the step"))
            return false;
    }
    return wants(n > 0 && n == a->milestones.n + 1, "sequential_lr: expected one milestone less than schedules");
}

static void defaults(wn_scheduler_args *a) {
    a->gamma = wn__number_or(a->gamma, 0.1);
    a->factor = wn__number_or(a->factor, a->kind == WN_REDUCE_LR_ON_PLATEAU ? 0.1 : 1.0 / 3);
    a->start_factor = wn__number_or(a->start_factor, 1.0 / 3);
    a->end_factor = wn__number_or(a->end_factor, 1);
    a->power = wn__number_or(a->power, 1);
    a->pct_start = wn__number_or(a->pct_start, 0.3);
    a->div_factor = wn__number_or(a->div_factor, 25);
    a->final_div_factor = wn__number_or(a->final_div_factor, 1e4);
    a->threshold = wn__number_or(a->threshold, 1e-4);
    a->eps = wn__number_or(a->eps, 1e-8);
    if (a->total_iters == 0) a->total_iters = 5;
    if (a->T_mult == 0) a->T_mult = 1;
    if (a->patience == 0) a->patience = 10;
    else if (a->patience < 0) a->patience = 0;
}

static bool check_schedule(const wn_scheduler_args *a) {
    if (!a->optim) return wants(false, "the optimiser is absent (NULL)");
    if (!check_milestones(a)) return false;
    switch (a->kind) {
    case WN_STEP_LR: return wants(a->step_size > 0, "step_lr: step_size must be positive");
    case WN_CONSTANT_LR: return wants(a->factor >= 0 && a->factor <= 1, "constant_lr: factor expected to be between 0 and 1");
    case WN_LINEAR_LR:
        return wants(a->start_factor > 0 && a->start_factor <= 1, "linear_lr: start_factor expected to be greater than 0 and at most 1") &&
               wants(a->end_factor >= 0 && a->end_factor <= 1, "linear_lr: end_factor expected to be between 0 and 1");
    case WN_COSINE_ANNEALING_LR: return wants(a->T_max > 0, "cosine_annealing_lr: T_max must be positive");
    case WN_COSINE_ANNEALING_WARM_RESTARTS: return wants(a->T_0 > 0 && a->T_mult >= 1, "cosine_annealing_warm_restarts: T_0 and T_mult must be positive");
    case WN_ONE_CYCLE_LR:
        return wants(a->total_steps > 0, "one_cycle_lr: total_steps must be positive") && wants(a->max_lr > 0, "one_cycle_lr: max_lr must be positive") &&
               wants(a->pct_start > 0 && a->pct_start <= 1, "one_cycle_lr: pct_start expected to be between 0 and 1");
    case WN_LAMBDA_LR: return wants(a->lambda != NULL, "lambda_lr: no function given");
    case WN_SEQUENTIAL_LR: return check_parts(a);
    case WN_REDUCE_LR_ON_PLATEAU: return wants(a->factor < 1, "reduce_lr_on_plateau: Factor should be < 1.0");
    case WN_MULTI_STEP_LR:
    case WN_EXPONENTIAL_LR:
    case WN_POLYNOMIAL_LR: return true;
    }
    wn__fail(WN_E_VALUE, op, "%d is no kind of schedule", (int)a->kind);
    return false;
}

static void free_parts(const wn_scheduler_args *a) {
    for (int i = 0; a->kind == WN_SEQUENTIAL_LR && i < WN_MAX_SCHEDULES; i++) wn_scheduler_free(a->parts[i]);
}

wn_scheduler *wn_scheduler_new_x(const wn_scheduler_args *args) {
    wn_scheduler_args a = *args;
    defaults(&a);
    wn_scheduler *s = check_schedule(&a) ? wn__new(wn_scheduler, 1) : NULL;
    if (!s) {
        if (!wn_error()) wn__fail_memory(op);
        free_parts(&a);
        return NULL;
    }
    s->a = a;
    if (isnan(a.optim->initial_lr)) a.optim->initial_lr = a.optim->lr;
    s->lr0 = a.optim->initial_lr;
    s->best = a.maximize ? -INFINITY : INFINITY;
    if (a.kind != WN_REDUCE_LR_ON_PLATEAU) a.optim->lr = rate_at(s, 0);
    return s;
}

void wn_scheduler_free(wn_scheduler *s) {
    if (!s) return;
    free_parts(&s->a);
    wn__free(s);
}

/* ------------------------------------------------------------------ stepping */

wn_status wn_scheduler_step(wn_scheduler *s) {
    static const char name[] = "scheduler_step";
    if (!s) return wn__fail(WN_E_TYPE, name, "the schedule is absent (NULL)");
    if (s->a.kind == WN_REDUCE_LR_ON_PLATEAU) return wn__fail(WN_E_TYPE, name, "reduce_lr_on_plateau wants a metric: wn_scheduler_step_metric");
    if (s->a.kind == WN_ONE_CYCLE_LR && s->t >= s->a.total_steps)
        return wn__fail(WN_E_VALUE, name, "Tried to step %lld times. The specified number of total steps is %lld", (long long)s->t + 1,
                        (long long)s->a.total_steps);
    s->a.optim->lr = rate_at(s, ++s->t);
    return WN_OK;
}

static bool better(const wn_scheduler *s, double x) {
    double margin = s->a.absolute ? s->a.threshold : s->a.threshold * fabs(s->best);
    if (isinf(s->best)) return s->a.maximize ? x > s->best : x < s->best;
    return s->a.maximize ? x > s->best + margin : x < s->best - margin;
}

wn_status wn_scheduler_step_metric(wn_scheduler *s, double metric) {
    if (!s) return wn__fail(WN_E_TYPE, "scheduler_step_metric", "the schedule is absent (NULL)");
    if (s->a.kind != WN_REDUCE_LR_ON_PLATEAU) return wn_scheduler_step(s);
    s->t++;
    if (better(s, metric)) {
        s->best = metric;
        s->bad = 0;
    } else {
        s->bad++;
    }
    if (s->cooling > 0) {
        s->cooling--;
        s->bad = 0;
    }
    if (s->bad <= s->a.patience) return WN_OK;
    double old = s->a.optim->lr, next = fmax(old * s->a.factor, s->a.min_lr);
    if (old - next > s->a.eps) s->a.optim->lr = next;
    s->cooling = s->a.cooldown;
    s->bad = 0;
    return WN_OK;
}

void wn__scheduler_get_state(const wn_scheduler *s, double *state) {
    state[0] = (double)s->t;
    state[1] = s->best;
    state[2] = (double)s->bad;
    state[3] = (double)s->cooling;
}
void wn__scheduler_set_state(wn_scheduler *s, const double *state) {
    s->t = (int64_t)state[0];
    s->best = state[1];
    s->bad = (int64_t)state[2];
    s->cooling = (int64_t)state[3];
}
