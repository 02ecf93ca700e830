/* The dtype of an operation's operands together. */
#ifndef WN_TENSOR_TIERS_H
#define WN_TENSOR_TIERS_H
#include "base/dtype.h"

/* Promotion in three tiers: tensors with dimensions, 0-d tensors, numbers. A lower one counts if of higher category. */
typedef struct wn__tiers {
    wn_dtype dim, zero, weak;
} wn__tiers;
void wn__tiers_add(wn__tiers *t, const wn_tensor *x);
void wn__tiers_add_val(wn__tiers *t, wn_val v);
wn_dtype wn__tiers_result(const wn__tiers *t);
#endif
