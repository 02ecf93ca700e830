#ifndef WN_ENGINE_CONTRACT_INT_H
#define WN_ENGINE_CONTRACT_INT_H
#include "engine/contraction.h"

bool wn__contract_int(const wn__contraction *c); /* i8 i16 i32 i64 u8: wrapping; alpha and beta are truncated */
/* int64 convolutions, wrapping: as wn__conv_forward and wn__conv_grad_input. */
bool wn__conv_forward_int(const wn__conv *d, const void *x, const void *w, const void *bias, void *y);
bool wn__conv_grad_input_int(const wn__conv *d, const void *dy, const void *w, void *dx);
#endif
