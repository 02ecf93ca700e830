/* Loads: elements of a dtype in memory, any distance apart, as a compute type's in a register of a program; stores: the
 * way back. Whole runs of neighbours go by what half_vec.h and int_vec.h have for runs. */
#ifndef WN_ENGINE_LEVEL_CONVERT_H
#define WN_ENGINE_LEVEL_CONVERT_H
#include "base/inline.h"
#include "engine/kernels.h"
#include "engine/level/int_vec.h"

#define TO_INT32(x) _Generic((x), float: wn__float_to_i32, default: wn__to_i32)(x)
/* The low eight bits of wn__to_i64: of floats from 2^31 on they are 0, as wn__to_i32's are. */
#define TO_U8(x) _Generic((x), float: (uint8_t)TO_INT32(x), default: (uint8_t)wn__to_i64((double)(x)))
/* From a C number of any kind to a compute type; FLT says whether it comes from a floating type. */
#define TO_f32(x, FLT) ((float)(x))
#define TO_f64(x, FLT) ((double)(x))
#define TO_i32(x, FLT) (FLT ? TO_INT32(x) : (int32_t)(x))
#define TO_i64(x, FLT) (FLT ? wn__to_i64((double)(x)) : (int64_t)(x))
#define TO_b8(x, FLT) ((uint8_t)((x) != 0))

INLINE int64_t bytes_of(const wn_dtype d) {
    if (d == WN_F64 || d == WN_I64) return 8;
    if (d == WN_F32 || d == WN_I32) return 4;
    return d == WN_F16 || d == WN_BF16 || d == WN_I16 ? 2 : 1;
}

/* ------------------------------------------------------------------ runs of a dtype as a compute type: false, where
 * there is no such way */

INLINE bool floats_of_run(const wn_dtype d, float *to, const void *x) {
    if (d == WN_F16) wn__run_of_f16(to, x);
    if (d == WN_BF16) wn__run_of_bf16(to, x);
    return d == WN_F16 || d == WN_BF16;
}
INLINE bool load_run_f32(const wn_dtype d, float *to, const void *x) {
    if (d == WN_I64) wn__longs_to_f32(to, x);
    return d == WN_I64 || floats_of_run(d, to, x);
}
INLINE bool load_run_f64(const wn_dtype d, double *to, const void *x) {
    float run[WN_HALF_RUN];
    if (d == WN_I64) wn__longs_to_f64(to, x);
    if (d == WN_I64 || !floats_of_run(d, run, x)) return d == WN_I64;
    for (int k = 0; k < WN_HALF_RUN; k++) to[k] = (double)run[k];
    return true;
}
INLINE bool load_run_i32(const wn_dtype d, int32_t *to, const void *x) {
    float run[WN_HALF_RUN];
    if (d == WN_F32) wn__ints_of_f32(to, x);
    if (d == WN_F64) wn__ints_of_f64(to, x);
    if (d == WN_F32 || d == WN_F64 || !floats_of_run(d, run, x)) return d == WN_F32 || d == WN_F64;
    wn__ints_of_f32(to, run);
    return true;
}
INLINE bool load_run_i64(const wn_dtype d, int64_t *to, const void *x) {
    float run[WN_HALF_RUN];
    if (d == WN_F32) wn__longs_of_f32(to, x);
    if (d == WN_F64) wn__longs_of_f64(to, x);
    if (d == WN_F32 || d == WN_F64 || !floats_of_run(d, run, x)) return d == WN_F32 || d == WN_F64;
    wn__longs_of_f32(to, run);
    return true;
}
INLINE bool load_run_b8(const wn_dtype d, uint8_t *to, const void *x) {
#ifdef WN_HAS_TRUTH_RUNS
    if (d == WN_F64) wn__truth_of_f64(to, x);
    if (d == WN_I64) wn__truth_of_i64(to, x);
    return d == WN_F64 || d == WN_I64;
#else
    return (void)d, (void)to, (void)x, false;
#endif
}

/* ------------------------------------------------------------------ and runs of a compute type as a dtype */

INLINE bool run_of_floats(const wn_dtype d, void *to, const float *x) {
    if (d == WN_F16) wn__run_to_f16(to, x);
    if (d == WN_BF16) wn__run_to_bf16(to, x);
    return d == WN_F16 || d == WN_BF16;
}
/* The low bits of int32. */
INLINE bool run_of_ints(const wn_dtype d, void *to, const int32_t *x) {
    int8_t *bytes = to;
    int16_t *halves = to;
    if (d == WN_I16) for (int k = 0; k < WN_HALF_RUN; k++) halves[k] = (int16_t)x[k];
    else for (int k = 0; k < WN_HALF_RUN; k++) bytes[k] = (int8_t)x[k];
    return true;
}
INLINE bool store_run_f32(const wn_dtype d, void *to, const float *x) {
    int32_t run[WN_HALF_RUN];
    if (d == WN_I32) return wn__ints_of_f32(to, x), true;
    if (d == WN_I64) return wn__longs_of_f32(to, x), true;
    if (d != WN_I8 && d != WN_I16 && d != WN_U8) return run_of_floats(d, to, x);
    wn__ints_of_f32(run, x);
    return run_of_ints(d, to, run);
}
INLINE bool store_run_f64(const wn_dtype d, void *to, const double *x) {
    int32_t run[WN_HALF_RUN];
    float floats[WN_HALF_RUN];
    if (d == WN_I32) return wn__ints_of_f64(to, x), true;
    if (d == WN_I64) return wn__longs_of_f64(to, x), true;
    if (d == WN_I8 || d == WN_I16) return wn__ints_of_f64(run, x), run_of_ints(d, to, run);
    if (d != WN_F16 && d != WN_BF16) return false;
    for (int k = 0; k < WN_HALF_RUN; k++) floats[k] = (float)x[k];
    return run_of_floats(d, to, floats);
}
INLINE bool store_run_i32(const wn_dtype d, void *to, const int32_t *x) {
    float floats[WN_HALF_RUN];
    if (d != WN_F16 && d != WN_BF16) return false;
#ifdef WN_INTS_TO_BF16
    if (d == WN_BF16) return WN_INTS_TO_BF16(to, x), true;
#endif
    for (int k = 0; k < WN_HALF_RUN; k++) floats[k] = (float)x[k];
    return run_of_floats(d, to, floats);
}
INLINE bool store_run_i64(const wn_dtype d, void *to, const int64_t *x) {
    float floats[WN_HALF_RUN];
    if (d == WN_F32) return wn__longs_to_f32(to, x), true;
    if (d == WN_F64) return wn__longs_to_f64(to, x), true;
    if (d != WN_F16 && d != WN_BF16) return false;
    wn__longs_to_f32(floats, x);
    return run_of_floats(d, to, floats);
}
INLINE bool store_run_b8(const wn_dtype d, void *to, const uint8_t *x) {
    float floats[WN_HALF_RUN];
    if (d != WN_F16 && d != WN_BF16) return false;
    for (int k = 0; k < WN_HALF_RUN; k++) floats[k] = (float)x[k];
    return run_of_floats(d, to, floats);
}

#include "base/as_f32.h"
#include "engine/level/convert_of.h"
#include "base/as_f64.h"
#include "engine/level/convert_of.h"
#include "base/as_i32.h"
#include "engine/level/convert_of.h"
#include "base/as_i64.h"
#include "engine/level/convert_of.h"
#include "base/as_b8.h"
#include "engine/level/convert_of.h"
#include "base/as_none.h"
#endif
