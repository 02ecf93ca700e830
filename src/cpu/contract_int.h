#ifndef WN_CPU_CONTRACT_INT_H
#define WN_CPU_CONTRACT_INT_H
#include "cpu/contract.h"

bool wn__contract_int(const wn__contraction *c); /* i8 i16 i32 i64 u8: wrapping; alpha and beta are truncated */
#endif
