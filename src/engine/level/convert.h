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

/* ------------------------------------------------------------------ runs of a dtype as a compute type, for those of
 * loads_runs (convert_of.h) */

INLINE void floats_of_run(const wn_dtype d, float *to, const void *x) {
    if (d == WN_F16) wn__run_of_f16(to, x);
    else wn__run_of_bf16(to, x);
}
INLINE void load_run_f32(const wn_dtype d, float *to, const void *x) {
    if (d == WN_I64) wn__longs_to_f32(to, x);
    else floats_of_run(d, to, x);
}
INLINE void load_run_f64(const wn_dtype d, double *to, const void *x) {
    float run[WN_HALF_RUN];
    if (d != WN_I64) floats_of_run(d, run, x);
    if (d == WN_I64) wn__longs_to_f64(to, x);
    else for (int k = 0; k < WN_HALF_RUN; k++) to[k] = (double)run[k];
}
INLINE void load_run_i32(const wn_dtype d, int32_t *to, const void *x) {
    float run[WN_HALF_RUN];
    if (d == WN_F16 || d == WN_BF16) floats_of_run(d, run, x);
    if (d == WN_F64) wn__ints_of_f64(to, x);
    else wn__ints_of_f32(to, d == WN_F32 ? x : run);
}
INLINE void load_run_i64(const wn_dtype d, int64_t *to, const void *x) {
    float run[WN_HALF_RUN];
    if (d == WN_F16 || d == WN_BF16) floats_of_run(d, run, x);
    if (d == WN_F64) wn__longs_of_f64(to, x);
    else wn__longs_of_f32(to, d == WN_F32 ? x : run);
}
#ifdef WN_HAS_TRUTH_RUNS
enum { TRUTH_RUNS = 1 };
INLINE void load_run_b8(const wn_dtype d, uint8_t *to, const void *x) {
    if (d == WN_F64) wn__truth_of_f64(to, x);
    else wn__truth_of_i64(to, x);
}
#else
enum { TRUTH_RUNS = 0 };
INLINE void load_run_b8(const wn_dtype d, uint8_t *to, const void *x) { (void)d, (void)to, (void)x; }
#endif

/* ------------------------------------------------------------------ and the way back, for those of stores_runs */

INLINE void run_of_floats(const wn_dtype d, void *to, const float *x) {
    if (d == WN_F16) wn__run_to_f16(to, x);
    else wn__run_to_bf16(to, x);
}
/* The low bits of int32. */
INLINE void run_of_ints(const wn_dtype d, void *to, const int32_t *x) {
    int8_t *bytes = to;
    int16_t *halves = to;
    if (d == WN_I16) for (int k = 0; k < WN_HALF_RUN; k++) halves[k] = (int16_t)x[k];
    else for (int k = 0; k < WN_HALF_RUN; k++) bytes[k] = (int8_t)x[k];
}
INLINE void store_run_f32(const wn_dtype d, void *to, const float *x) {
    int32_t run[WN_HALF_RUN];
    if (d == WN_I32) wn__ints_of_f32(to, x);
    else if (d == WN_I64) wn__longs_of_f32(to, x);
    else if (d == WN_F16 || d == WN_BF16) run_of_floats(d, to, x);
    else wn__ints_of_f32(run, x), run_of_ints(d, to, run);
}
INLINE void store_run_f64(const wn_dtype d, void *to, const double *x) {
    int32_t run[WN_HALF_RUN];
    float floats[WN_HALF_RUN];
    if (d == WN_I32) wn__ints_of_f64(to, x);
    else if (d == WN_I64) wn__longs_of_f64(to, x);
    else if (d == WN_I8 || d == WN_I16) wn__ints_of_f64(run, x), run_of_ints(d, to, run);
    else {
        for (int k = 0; k < WN_HALF_RUN; k++) floats[k] = (float)x[k];
        run_of_floats(d, to, floats);
    }
}
INLINE void store_run_i32(const wn_dtype d, void *to, const int32_t *x) {
    float floats[WN_HALF_RUN];
#ifdef WN_INTS_TO_BF16
    if (d == WN_BF16) {
        WN_INTS_TO_BF16(to, x);
        return;
    }
#endif
    for (int k = 0; k < WN_HALF_RUN; k++) floats[k] = (float)x[k];
    run_of_floats(d, to, floats);
}
INLINE void store_run_i64(const wn_dtype d, void *to, const int64_t *x) {
    float floats[WN_HALF_RUN];
    if (d == WN_F64) wn__longs_to_f64(to, x);
    else wn__longs_to_f32(d == WN_F32 ? to : floats, x);
    if (d == WN_F16 || d == WN_BF16) run_of_floats(d, to, floats);
}
INLINE void store_run_b8(const wn_dtype d, void *to, const uint8_t *x) {
    float floats[WN_HALF_RUN];
    for (int k = 0; k < WN_HALF_RUN; k++) floats[k] = (float)x[k];
    run_of_floats(d, to, floats);
}

/* ------------------------------------------------------------------ elements that do not lie side by side */

#define BODY "engine/level/apart_of.h"
#include "base/for_sizes.h"

/* Such elements are brought together, some at a time, or taken apart afterwards; in between is the function for those
 * that lie side by side. What is read for every element is converted once. */
enum { TOGETHER = 64 };
static WN__ONCE void load_apart(wn__load load, int64_t size, int64_t width, int64_t n, char *to, const char *x,
                                int64_t stride) {
    _Alignas(64) char room[TOGETHER * sizeof(int64_t)];
    if (stride == 0) {
        load(1, to, x, size);
        BY_SIZE(width, repeat, n, to);
        return;
    }
    for (int64_t m; n > 0; n -= m, x += m * stride, to += m * width) {
        m = n < TOGETHER ? n : TOGETHER;
        BY_SIZE(size, beside, m, room, x, stride);
        load(m, to, room, size);
    }
}
static WN__ONCE void store_apart(wn__store store, int64_t size, int64_t width, int64_t n, char *to, int64_t stride,
                                 const char *x) {
    _Alignas(64) char room[TOGETHER * sizeof(int64_t)];
    for (int64_t m; n > 0; n -= m, x += m * width, to += m * stride) {
        m = n < TOGETHER ? n : TOGETHER;
        store(m, room, size, x);
        BY_SIZE(size, apart, m, to, stride, room);
    }
}
/* The rest of a run, filled up. */
static WN__ONCE void load_rest(wn__load load, int64_t size, size_t width, int64_t n, void *to, const char *x) {
    _Alignas(64) char room[WN_HALF_RUN * sizeof(int64_t)] = {0}, run[WN_HALF_RUN * sizeof(int64_t)];
    memcpy(room, x, (size_t)(n * size));
    load(WN_HALF_RUN, run, room, size);
    memcpy(to, run, (size_t)n * width);
}
static WN__ONCE void store_rest(wn__store store, int64_t size, size_t width, int64_t n, char *to, const void *x) {
    _Alignas(64) char room[WN_HALF_RUN * sizeof(int64_t)] = {0}, run[WN_HALF_RUN * sizeof(int64_t)];
    memcpy(room, x, (size_t)n * width);
    store(WN_HALF_RUN, run, size, room);
    memcpy(to, run, (size_t)(n * size));
}
/* In a loop of a few elements: it is not made one of vectors. */
#define ONE_BY_ONE __asm__ volatile("")
enum { FEW = 4 };

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
