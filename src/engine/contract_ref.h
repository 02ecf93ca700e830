/* The reference that the fast engine is tested against: the same descriptors, plain loops, sums in double (or wrapping
 * 64-bit integers), one rounding at the end. Elements of a convolution's padding are skipped, not multiplied by zero. */
#ifndef WN_ENGINE_CONTRACT_REF_H
#define WN_ENGINE_CONTRACT_REF_H
#include "engine/contraction.h"

void wn__contract_ref(const wn__contraction *c);
void wn__conv_forward_ref(const wn__conv *d, const void *x, const void *w, const void *bias, void *y, const wn__epilogue *e);
void wn__conv_grad_input_ref(const wn__conv *d, const void *dy, const void *w, void *dx);
void wn__conv_grad_weight_ref(const wn__conv *d, const void *x, const void *dy, void *dw);

/* Read element i of a buffer as a double, and write it with one rounding; tests use them, too. */
double wn__ref_get(const void *p, wn_dtype t, int64_t i);
void wn__ref_put(void *p, wn_dtype t, int64_t i, double v);
#endif
