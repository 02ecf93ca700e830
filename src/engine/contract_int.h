#ifndef WN_ENGINE_CONTRACT_INT_H
#define WN_ENGINE_CONTRACT_INT_H
#include "engine/contraction.h"

bool wn__contract_int(const wn__contraction *c); /* i8 i16 i32 i64 u8: wrapping; alpha and beta are truncated */
/* Convolutions of int64, wrapping; otherwise as wn__conv_forward and wn__conv_grad_input. */
bool wn__conv_forward_int(const wn__conv *d, const void *x, const void *w, const void *bias, void *y);
bool wn__conv_grad_input_int(const wn__conv *d, const void *dy, const void *w, void *dx);

/* Element i of a buffer of integers, modulo 2^64. */
static inline uint64_t wn__int_get(const void *p, wn_dtype t, int64_t i) {
    switch (t) {
    case WN_I8: return (uint64_t)(int64_t)((const int8_t *)p)[i];
    case WN_I16: return (uint64_t)(int64_t)((const int16_t *)p)[i];
    case WN_I32: return (uint64_t)(int64_t)((const int32_t *)p)[i];
    case WN_I64: return (uint64_t)((const int64_t *)p)[i];
    default: return ((const uint8_t *)p)[i];
    }
}

static inline void wn__int_put(void *p, wn_dtype t, int64_t i, uint64_t v) {
    switch (t) {
    case WN_I8: ((int8_t *)p)[i] = (int8_t)v; break;
    case WN_I16: ((int16_t *)p)[i] = (int16_t)v; break;
    case WN_I32: ((int32_t *)p)[i] = (int32_t)v; break;
    case WN_I64: ((int64_t *)p)[i] = (int64_t)v; break;
    default: ((uint8_t *)p)[i] = (uint8_t)v; break;
    }
}
#endif
