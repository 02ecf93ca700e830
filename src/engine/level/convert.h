/* Loads: elements of a dtype in memory, any distance apart, as a compute type's in a register of a program; stores: the way back. */
#ifndef WN_ENGINE_LEVEL_CONVERT_H
#define WN_ENGINE_LEVEL_CONVERT_H
#include "engine/level/int_vec.h"

#define TO_INT32(x) _Generic((x), float: wn__float_to_i32, default: wn__to_i32)(x)
/* The low eight bits of wn__to_i64: of floats from 2^31 on they are 0, as wn__to_i32's are. */
#define TO_U8(x) _Generic((x), float: (uint8_t)TO_INT32(x), default: (uint8_t)wn__to_i64((double)(x)))
/* From memory: the element as a C number. */
#define IN_f32(x) (x)
#define IN_f64(x) (x)
#define IN_f16(x) wn__f16_to_f32(x)
#define IN_bf16(x) wn__bf16_to_f32(x)
#define IN_int(x) (x)
#define IN_bool(x) ((x) != 0)
/* From a C number of any kind to a compute type; FLT says whether it comes from a floating type. */
#define TO_f32(x, FLT) ((float)(x))
#define TO_f64(x, FLT) ((double)(x))
#define TO_i32(x, FLT) (FLT ? TO_INT32(x) : (int32_t)(x))
#define TO_i64(x, FLT) (FLT ? wn__to_i64((double)(x)) : (int64_t)(x))
#define TO_b8(x, FLT) ((uint8_t)((x) != 0))

#define WN_LOAD(ct, C, name, M, IN, FLT)                                                            \
    static void load_##name##_##ct(int64_t n, void *dst, const char *src, int64_t stride) {         \
        C *restrict o = dst;                                                                         \
        if (stride == (int64_t)sizeof(M)) {                                                          \
            const M *restrict s = (const M *)(const void *)src;                                      \
            for (int64_t i = 0; i < n; i++) o[i] = TO_##ct(IN(s[i]), FLT);                           \
        } else if (stride == 0) { /* broadcast along the row */                                      \
            const M x = *(const M *)(const void *)src;                                               \
            const C v = TO_##ct(IN(x), FLT);                                                         \
            for (int64_t i = 0; i < n; i++) o[i] = v;                                                \
        } else if (stride == -(int64_t)sizeof(M) && sizeof(M) == sizeof(C)) { /* flipped */          \
            const M *restrict s = (const M *)(const void *)src;                                      \
            for (int64_t i = 0; i < n; i++) o[i] = TO_##ct(IN(s[-i]), FLT);                          \
        } else {                                                                                     \
            for (int64_t i = 0; i < n; i++) {                                                        \
                const M *s = (const M *)(const void *)(src + i * stride);                            \
                o[i] = TO_##ct(IN(*s), FLT);                                                         \
            }                                                                                        \
        }                                                                                            \
    }
/* What goes by runs of elements: those that lie next to each other, whole runs of them. */
#define WN_LOAD_RUNS(ct, C, name, M, IN, FLT, run)                                                   \
    WN_LOAD(ct, C, any_##name, M, IN, FLT)                                                           \
    static void load_##name##_##ct(int64_t n, void *dst, const char *src, int64_t stride) {          \
        C *o = dst;                                                                                   \
        const M *s = (const M *)(const void *)src;                                                    \
        int64_t i = 0;                                                                                \
        for (; stride == (int64_t)sizeof *s && i + WN_HALF_RUN <= n; i += WN_HALF_RUN) run(o + i, s + i); \
        if (i < n) load_any_##name##_##ct(n - i, o + i, src + i * stride, stride);                    \
    }
/* Halves by way of floats, in registers. */
#define WN_LOAD_HALF(ct, C, H)                                                                       \
    WN_HALF_INLINE void run_##H##_##ct(C *to, const uint16_t *x) {                                    \
        float run[WN_HALF_RUN];                                                                       \
        wn__run_of_##H(run, x);                                                                       \
        FLOATS_TO_##ct(to, run);                                                                      \
    }                                                                                                 \
    WN_LOAD_RUNS(ct, C, H, uint16_t, IN_##H, 1, run_##H##_##ct)
#define EACH(C, to, x) for (int k_ = 0; k_ < WN_HALF_RUN; k_++) (to)[k_] = (C)(x)[k_]
#define FLOATS_TO_f64(to, x) EACH(double, to, x)
#define FLOATS_TO_i32 wn__ints_of_f32
#define FLOATS_TO_i64 wn__longs_of_f32

#define WN_LOADS(ct, C)                                                                              \
    WN_LOAD(ct, C, i8, int8_t, IN_int, 0)                                                            \
    WN_LOAD(ct, C, i16, int16_t, IN_int, 0)                                                          \
    WN_LOAD(ct, C, i32, int32_t, IN_int, 0)                                                          \
    WN_LOAD(ct, C, u8, uint8_t, IN_int, 0)                                                           \
    WN_LOAD(ct, C, bool, uint8_t, IN_bool, 0)
#define WN_LOAD_HALVES(ct, C) WN_LOAD_HALF(ct, C, f16) WN_LOAD_HALF(ct, C, bf16)
WN_LOADS(f32, float)
WN_LOADS(f64, double)
WN_LOADS(i32, int32_t)
WN_LOADS(i64, int64_t)
WN_LOADS(b8, uint8_t)
WN_LOAD_RUNS(f32, float, f16, uint16_t, IN_f16, 1, wn__run_of_f16)
WN_LOAD_RUNS(f32, float, bf16, uint16_t, IN_bf16, 1, wn__run_of_bf16)
WN_LOAD_HALVES(f64, double)
WN_LOAD_HALVES(i32, int32_t)
WN_LOAD_HALVES(i64, int64_t)
WN_LOAD(f32, float, f32, float, IN_f32, 1)
WN_LOAD(f32, float, f64, double, IN_f64, 1)
WN_LOAD_RUNS(f32, float, i64, int64_t, IN_int, 0, wn__longs_to_f32)
WN_LOAD(f64, double, f32, float, IN_f32, 1)
WN_LOAD(f64, double, f64, double, IN_f64, 1)
WN_LOAD_RUNS(f64, double, i64, int64_t, IN_int, 0, wn__longs_to_f64)
WN_LOAD_RUNS(i32, int32_t, f32, float, IN_f32, 1, wn__ints_of_f32)
WN_LOAD_RUNS(i32, int32_t, f64, double, IN_f64, 1, wn__ints_of_f64)
WN_LOAD(i32, int32_t, i64, int64_t, IN_int, 0)
WN_LOAD_RUNS(i64, int64_t, f32, float, IN_f32, 1, wn__longs_of_f32)
WN_LOAD_RUNS(i64, int64_t, f64, double, IN_f64, 1, wn__longs_of_f64)
WN_LOAD(i64, int64_t, i64, int64_t, IN_int, 0)
WN_LOAD(b8, uint8_t, f32, float, IN_f32, 1)
#ifdef WN_HAS_TRUTH_RUNS
WN_LOAD_RUNS(b8, uint8_t, f64, double, IN_f64, 1, wn__truth_of_f64)
WN_LOAD_RUNS(b8, uint8_t, i64, int64_t, IN_int, 0, wn__truth_of_i64)
#else
WN_LOAD(b8, uint8_t, f64, double, IN_f64, 1)
WN_LOAD(b8, uint8_t, i64, int64_t, IN_int, 0)
#endif
#define IN_half_bits(x) ((x) & 0x7fff)
WN_LOAD(b8, uint8_t, f16, uint16_t, IN_half_bits, 0)
WN_LOAD(b8, uint8_t, bf16, uint16_t, IN_half_bits, 0)

#define OUT_f32(x, FLT) ((float)(x))
#define OUT_f64(x, FLT) ((double)(x))
#define OUT_any_f32 OUT_f32
#define OUT_any_f64 OUT_f64
#define OUT_any_f16 OUT_f16
#define OUT_any_bf16 OUT_bf16
#define OUT_any_i8 OUT_i8
#define OUT_any_i16 OUT_i16
#define OUT_any_i32 OUT_i32
#define OUT_any_i64 OUT_i64
#define OUT_any_u8 OUT_u8
#define OUT_f16(x, FLT) wn__f32_to_f16((float)(x))
#define OUT_bf16(x, FLT) wn__f32_to_bf16((float)(x))
#define OUT_i8(x, FLT) ((int8_t)(FLT ? TO_INT32(x) : (int32_t)(x)))
#define OUT_i16(x, FLT) ((int16_t)(FLT ? TO_INT32(x) : (int32_t)(x)))
#define OUT_i32(x, FLT) (FLT ? TO_INT32(x) : (int32_t)(x))
#define OUT_i64(x, FLT) (FLT ? wn__to_i64((double)(x)) : (int64_t)(x))
#define OUT_u8(x, FLT) ((uint8_t)(FLT ? TO_U8(x) : (uint8_t)(x)))
#define OUT_bool(x, FLT) ((uint8_t)((x) != 0))

#define WN_STORE(ct, C, name, M, FLT)                                                                \
    static void store_##name##_##ct(int64_t n, char *dst, int64_t stride, const void *src) {         \
        const C *restrict s = src;                                                                    \
        if (stride == (int64_t)sizeof(M)) {                                                           \
            M *restrict o = (M *)(void *)dst;                                                         \
            for (int64_t i = 0; i < n; i++) o[i] = OUT_##name(s[i], FLT);                             \
        } else {                                                                                      \
            for (int64_t i = 0; i < n; i++) {                                                         \
                M *o = (M *)(void *)(dst + i * stride);                                               \
                *o = OUT_##name(s[i], FLT);                                                           \
            }                                                                                         \
        }                                                                                             \
    }
#define WN_STORE_RUNS(ct, C, name, M, FLT, run)                                                       \
    WN_STORE(ct, C, any_##name, M, FLT)                                                                \
    static void store_##name##_##ct(int64_t n, char *dst, int64_t stride, const void *src) {          \
        const C *s = src;                                                                              \
        M *o = (M *)(void *)dst;                                                                       \
        int64_t i = 0;                                                                                 \
        for (; stride == (int64_t)sizeof *o && i + WN_HALF_RUN <= n; i += WN_HALF_RUN) run(o + i, s + i); \
        if (i < n) store_any_##name##_##ct(n - i, dst + i * stride, stride, s + i);                    \
    }
#define WN_STORE_HALF(ct, C, H, FLT)                                                                  \
    WN_HALF_INLINE void run_##ct##_##H(uint16_t *to, const C *x) {                                     \
        float run[WN_HALF_RUN];                                                                        \
        FLOATS_OF_##ct(run, x);                                                                        \
        wn__run_to_##H(to, run);                                                                       \
    }                                                                                                  \
    WN_STORE_RUNS(ct, C, H, uint16_t, FLT, run_##ct##_##H)
#define FLOATS_OF_f64(to, x) EACH(float, to, x)
#define FLOATS_OF_i32(to, x) EACH(float, to, x)
#define FLOATS_OF_b8(to, x) EACH(float, to, x)
#define FLOATS_OF_i64 wn__longs_to_f32
/* Floats as narrow integers: the low bits of int32. */
#define WN_STORE_NARROW(ct, C, name, M)                                                               \
    WN_HALF_INLINE void run_##ct##_##name(M *to, const C *x) {                                         \
        int32_t run[WN_HALF_RUN];                                                                      \
        wn__ints_of_##ct(run, x);                                                                      \
        EACH(M, to, run);                                                                              \
    }                                                                                                  \
    WN_STORE_RUNS(ct, C, name, M, 1, run_##ct##_##name)
#define WN_STORE_RUNS_INTS(ct, C)                                                                     \
    WN_STORE_NARROW(ct, C, i8, int8_t)                                                                \
    WN_STORE_NARROW(ct, C, i16, int16_t)                                                              \
    WN_STORE_RUNS(ct, C, i32, int32_t, 1, wn__ints_of_##ct)                                           \
    WN_STORE_RUNS(ct, C, i64, int64_t, 1, wn__longs_of_##ct)
WN_STORE_NARROW(f32, float, u8, uint8_t)
WN_STORE(f64, double, u8, uint8_t, 1)

#define WN_STORE_HALVES(ct, C, FLT) WN_STORE_HALF(ct, C, f16, FLT) WN_STORE_HALF(ct, C, bf16, FLT)
#define WN_STORE_INTS(ct, C, FLT)                                                                     \
    WN_STORE(ct, C, i8, int8_t, FLT)                                                                  \
    WN_STORE(ct, C, i16, int16_t, FLT)                                                                \
    WN_STORE(ct, C, i32, int32_t, FLT)                                                                \
    WN_STORE(ct, C, i64, int64_t, FLT)                                                                \
    WN_STORE(ct, C, u8, uint8_t, FLT)
#define WN_STORE_FLOATS(ct, C, FLT)                                                                   \
    WN_STORE(ct, C, f32, float, FLT)                                                                  \
    WN_STORE(ct, C, f64, double, FLT)
WN_STORE_RUNS(f32, float, f16, uint16_t, 1, wn__run_to_f16)
WN_STORE_RUNS(f32, float, bf16, uint16_t, 1, wn__run_to_bf16)
WN_STORE_HALVES(f64, double, 1)
#ifdef WN_INTS_TO_BF16
WN_STORE_HALF(i32, int32_t, f16, 0)
WN_STORE_RUNS(i32, int32_t, bf16, uint16_t, 0, WN_INTS_TO_BF16)
#else
WN_STORE_HALVES(i32, int32_t, 0)
#endif
WN_STORE_HALVES(i64, int64_t, 0)
WN_STORE_HALVES(b8, uint8_t, 0)
WN_STORE_FLOATS(f32, float, 1)
WN_STORE_FLOATS(f64, double, 1)
WN_STORE_FLOATS(i32, int32_t, 0)
WN_STORE_RUNS(i64, int64_t, f32, float, 0, wn__longs_to_f32)
WN_STORE_RUNS(i64, int64_t, f64, double, 0, wn__longs_to_f64)
WN_STORE_FLOATS(b8, uint8_t, 0)
WN_STORE_RUNS_INTS(f32, float)
WN_STORE_RUNS_INTS(f64, double)
WN_STORE_INTS(i32, int32_t, 0)
WN_STORE_INTS(i64, int64_t, 0)
WN_STORE_INTS(b8, uint8_t, 0)
WN_STORE(f32, float, bool, uint8_t, 1)
WN_STORE(f64, double, bool, uint8_t, 1)
WN_STORE(i32, int32_t, bool, uint8_t, 0)
WN_STORE(i64, int64_t, bool, uint8_t, 0)
WN_STORE(b8, uint8_t, bool, uint8_t, 0)
#endif
