/* Optimiser steps on raw memory; a table for each instruction set level. As in torch, state has the parameter's dtype:
 * keeping it in f32 for f16 or bf16 would not round it. Arithmetic is in f32 (f64 for f64). */
#ifndef WN_ENGINE_OPTIM_KERNELS_H
#define WN_ENGINE_OPTIM_KERNELS_H
#include "base/api.h"

typedef struct wn__sgd {
    double lr, momentum, dampening, weight_decay;
    bool nesterov, maximize, first;
} wn__sgd;
typedef struct wn__adam {
    double lr, beta1, beta2, weight_decay, eps;
    double step_size, root_correction2; /* lr / (1 - beta1^t), sqrt(1 - beta2^t) */
    bool maximize, decoupled;
} wn__adam;

typedef struct wn__optim_kernels {
    void (*sgd_f32)(const wn__sgd *o, int64_t n, float *p, const float *g, float *buf);
    void (*sgd_f64)(const wn__sgd *o, int64_t n, double *p, const double *g, double *buf);
    void (*adam_f32)(const wn__adam *o, int64_t n, float *p, const float *g, float *m, float *v, float *vmax);
    void (*adam_f64)(const wn__adam *o, int64_t n, double *p, const double *g, double *m, double *v, double *vmax);
} wn__optim_kernels;
const wn__optim_kernels *wn__optim_kernels_now(void);
#endif
