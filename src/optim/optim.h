/* An optimiser from inside: what schedules read and training states save. */
#ifndef WN_OPTIM_OPTIM_H
#define WN_OPTIM_OPTIM_H
#include "tensor/tensor.h"

enum { WN__OPTIM_STATE = 3 }; /* the most tensors of state that a parameter has */

/* One step of parameter i = p from its gradient g; the state is there, o->steps[i] counts the steps before this one. */
typedef wn_status (*wn__optim_update)(wn_optim *o, int64_t i, wn_tensor *p, wn_tensor *g);

struct wn_optim {
    wn__optim_update update;
    int nstate;
    double lr, a, b, eps, weight_decay; /* a, b: momentum and dampening, the betas, or what the formula has in their place */
    double decay;                       /* of the rate (Adagrad) or of the momentum (NAdam) */
    double fill;                        /* what new state is filled with */
    struct wn__product {
        double value;
        int64_t steps;
    } *products;                        /* NAdam, of each parameter: of the momenta of that many steps; else NULL */
    double initial_lr;                  /* lr when its first schedule was made, where they all start from; NaN: there is none */
    bool nesterov, maximize, amsgrad, decoupled, centered;
    int64_t n;
    wn_tensor **parameters;
    const char *const *state_names; /* [nstate], torch's */
    wn_tensor **state[WN__OPTIM_STATE]; /* made at a parameter's first step */
    int64_t *steps;                     /* of each parameter */
};

/* An optimiser of these parameters with the update, the state's names and the numbers of `as`. NULL + error record. */
wn_optim *wn__optim_make(const char *name, wn_list parameters, const wn_optim *as);
/* Is x outside [low, high)? Then the error is on record. */
bool wn__optim_bad_number(const char *name, const char *what, double x, double low, double high);
/* Makes the state of parameter i where it is missing. */
wn_status wn__optim_ensure_state(wn_optim *o, int64_t i);

enum { WN__SCHEDULE_STATE = 4 };
/* A schedule's state as numbers; the optimiser's rates are not among them. */
void wn__scheduler_get_state(const wn_scheduler *s, double *state);
void wn__scheduler_set_state(wn_scheduler *s, const double *state);
#endif
