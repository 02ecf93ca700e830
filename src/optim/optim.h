/* An optimiser from inside: what schedules read and training states save. */
#ifndef WN_OPTIM_OPTIM_H
#define WN_OPTIM_OPTIM_H
#include "core/tensor.h"

enum { WN__OPTIM_STATE = 3 }; /* the most tensors of state that a parameter has */

struct wn_optim {
    int kind, nstate;
    double lr, a, b, eps, weight_decay; /* a, b: momentum and dampening, or the betas */
    double initial_lr;                  /* lr when its first schedule was made, where they all start from; NaN: there is none */
    bool nesterov, maximize, amsgrad;
    int64_t n;
    wn_tensor **parameters;
    const char *const *state_names; /* [nstate], torch's */
    wn_tensor **state[WN__OPTIM_STATE]; /* made at a parameter's first step */
    int64_t *steps;                     /* of each parameter */
};

/* Makes the state of parameter i where it is missing: zeros. */
wn_status wn__optim_ensure_state(wn_optim *o, int64_t i);

enum { WN__SCHEDULE_STATE = 4 };
/* A schedule's state as numbers; the optimiser's rates are not among them. */
void wn__scheduler_get_state(const wn_scheduler *s, double *state);
void wn__scheduler_set_state(wn_scheduler *s, const double *state);
#endif
