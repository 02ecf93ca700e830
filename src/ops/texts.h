/* What gradients and formulas that are texts call beside rows (gen/builders.c, written by tools/wngen/calls.c). */
#ifndef WN_OPS_TEXTS_H
#define WN_OPS_TEXTS_H
#include <math.h>
#include "call/dispatch.h"
#include "grad/support.h"
#include "ops/linalg/linalg.h"
#include "ops/loss/loss.h"

/* A number, or its default where none is given. */
static inline wn_val wn__val_or(wn_val v, wn_val fallback) { return v.kind == WN_VAL_NONE ? fallback : v; }

/* shape(x, d): the sizes from dimension d on. */
static inline wn_dims wn__sizes_from(wn_dims shape, int d) {
    wn_dims r = {.n = d < 0 ? -d : shape.n - d};
    for (int i = 0; i < r.n; i++) r.v[i] = shape.v[shape.n - r.n + i];
    return r;
}

/* scaled(x, number): the product, and x itself where the number is 1. */
static inline wn_tensor *wn__scaled(wn_tensor *t, wn_val by) {
    return by.kind == WN_VAL_NONE || (by.kind != WN_VAL_TENSOR && wn__val_f64(by) == 1) ? t : wn_mul(t, by);
}

/* What may be a number, where a row wants a tensor. */
static inline wn_tensor *wn__val_tensor(wn_val v) {
    return v.kind == WN_VAL_TENSOR ? v.u.t : v.kind == WN_VAL_NONE ? NULL : wn_scalar_tensor(v, .dtype = WN_F64);
}
#endif
