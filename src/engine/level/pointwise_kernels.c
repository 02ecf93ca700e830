/* The loops of the pointwise rows and the conversions, compiled once for each ISA level. */
#include "engine/kernels.h"
#include "base/half.h"
#include "base/inline.h"
#include "engine/level/convert.h"
#include "engine/level/half_vec.h"
#include "engine/level/this_level.h"
#include "engine/level/row_math.h"
/* What is used seldom (WN_SELDOM): AVX-512 takes AVX2's loops, the same results. Where there is neither, they go element by element. */
#if defined(__x86_64__) && !defined(__AVX2__) && !defined(__clang__)
#define WN_SELDOM_FROM _Pragma("GCC push_options") _Pragma("GCC optimize(\"no-tree-vectorize\")")
#define WN_SELDOM_TO _Pragma("GCC pop_options")
#else
#define WN_SELDOM_FROM
#define WN_SELDOM_TO
#endif
#ifndef __AVX512F__
WN_SELDOM_FROM
#include "engine/math/bessel_j.h"
#include "engine/math/igamma.h"
#include "engine/math/lanes.h"
#include "engine/math/polynomial.h"
#include "engine/math/quantile.h"
#include "engine/math/zeta.h"
WN_SELDOM_TO
#endif
#include <string.h>

/* ivdep and not restrict: the destination may be one of the operands, element for element. */
#define WN_LOOP(name, R, body) \
    static void WN_CAT_(k_##name##_, WN_CT)(int64_t n, void *out, const void *const *in) { body }
#ifdef __AVX512F__
WN__DECLARE_LEVELS(wn__kernels, wn__kernels);
#define WN_SELDOM(name, where) WN_LOOP(name, T, wn__kernels_avx2.where(n, out, in);)
#endif
#define WN_KERNEL1(name, R, A, expr)                                                               \
    WN_LOOP(name, R, R *o = out; const A *pa = in[0];                                               \
            WN__IVDEP for (int64_t i = 0; i < n; i++) { const A a = pa[i]; (void)a; o[i] = (R)(expr); })
#define WN_KERNEL2(name, R, A, B, expr)                                                            \
    WN_LOOP(name, R, R *o = out; const A *pa = in[0]; const B *pb = in[1];                          \
            WN__IVDEP for (int64_t i = 0; i < n; i++) { const A a = pa[i]; const B b = pb[i]; (void)a; (void)b; o[i] = (R)(expr); })
#define WN_KERNEL3(name, R, A, B, C, expr)                                                         \
    WN_LOOP(name, R, R *o = out; const A *pa = in[0]; const B *pb = in[1]; const C *pc = in[2];     \
            WN__IVDEP for (int64_t i = 0; i < n; i++) {                                        \
                const A a = pa[i]; const B b = pb[i]; const C c = pc[i]; (void)a; (void)b; (void)c; o[i] = (R)(expr); })
#define WN_KERNEL4(name, R, A, B, C, D, expr)                                                      \
    WN_LOOP(name, R, R *o = out; const A *pa = in[0]; const B *pb = in[1]; const C *pc = in[2]; const D *pd = in[3]; \
            WN__IVDEP for (int64_t i = 0; i < n; i++) {                                        \
                const A a = pa[i]; const B b = pb[i]; const C c = pc[i]; const D d = pd[i];         \
                (void)a; (void)b; (void)c; (void)d; o[i] = (R)(expr); })

/* The same where all operands but the first are one value each: nothing is read for them. */
#define WN_SINGLE_LOOP(name, R, values, expr)                                                                         \
    WN_LOOP(name##__single, R, R *o = out; const T *pa = in[0]; values                                                 \
            WN__IVDEP for (int64_t i = 0; i < n; i++) { const T a = pa[i]; (void)a; o[i] = (R)(expr); })
#define WN_SINGLE_VALUE(x, k) const T x = *(const T *)in[k]; (void)x;
#define WN_SINGLE2(name, R, expr) WN_SINGLE_LOOP(name, R, WN_SINGLE_VALUE(b, 1), expr)
#define WN_SINGLE3(name, R, expr) WN_SINGLE_LOOP(name, R, WN_SINGLE_VALUE(b, 1) WN_SINGLE_VALUE(c, 2), expr)
#define WN_SINGLE4(name, R, expr) WN_SINGLE_LOOP(name, R, WN_SINGLE_VALUE(b, 1) WN_SINGLE_VALUE(c, 2) WN_SINGLE_VALUE(d, 3), expr)

/* Functions with a short way for most arguments: runs of elements all of which may go it do, with the same results. The loops are of
 * whole vectors, so each is compiled once (these functions are large): a run that ends within one is filled up in a buffer. */
enum { WN_RUN = 128 };
#define WN_NEAR_LOOP(name, nargs, args, is_near, near, any)                                                         \
    WN_LOOP(name, T, enum { LANES = VB / (int)sizeof(T) };                                                          \
            T rest[nargs + 1][WN_RUN];                                                                              \
            for (int64_t at = 0; at < n; at += WN_RUN) {                                                            \
                const int64_t end = n - at < WN_RUN ? n - at : WN_RUN;                                              \
                const int64_t whole = (end + LANES - 1) & -LANES;                                                   \
                T *o = end < whole ? rest[nargs] : (T *)out + at;                                                   \
                const T *x[nargs];                                                                                  \
                for (int k = 0; k < nargs; k++) {                                                                   \
                    x[k] = (const T *)in[k] + at;                                                                   \
                    if (end == whole) continue;                                                                     \
                    memcpy(rest[k], x[k], (size_t)end * sizeof(T));                                                 \
                    for (int64_t i = end; i < whole; i++) rest[k][i] = rest[k][0];                                  \
                    x[k] = rest[k];                                                                                 \
                }                                                                                                   \
                args                                                                                                \
                WN_UT some = 0; /* as wide as T: the loop vectorises */                                             \
                for (int64_t i = 0; i < whole; i++) some |= is_near ? (WN_UT)0 : (WN_UT)1;                          \
                if (some) {                                                                                         \
                    WN__IVDEP for (int64_t i = 0; i < whole; i++) o[i] = any;                                       \
                } else {                                                                                            \
                    WN__IVDEP for (int64_t i = 0; i < whole; i++) o[i] = near;                                      \
                }                                                                                                   \
                if (end < whole) memcpy((T *)out + at, o, (size_t)end * sizeof(T));                                 \
            })
#define WN_NEAR1(name, f)                                                                                          \
    WN_NEAR_LOOP(name, 1, const T *a = x[0];, FN(f##_is_near)(a[i]), FN(f##_near)(a[i]), FN(f)(a[i]))
#define WN_NEAR2(name, f)                                                                                          \
    WN_NEAR_LOOP(name, 2, const T *a = x[0]; const T *b = x[1];, FN(f##_is_near)(a[i], b[i]), FN(f##_near)(a[i], b[i]), FN(f)(a[i], b[i]))

/* A row whose loop in f32 is written by itself. */
#include "engine/level/gelu_row.h"
#define WN_ROW1(name, f) WN_LOOP(name, T, wn__##f##_row(n, out, in[0]);)

/* Functions of blocks of elements (math/lanes.h). */
#define WN_MANY1(name, f) WN_LOOP(name, T, FN(run_many)(n, out, in[0], in[0], wn__##f##_many);)
#define WN_MANY2(name, f) WN_LOOP(name, T, FN(run_many)(n, out, in[0], in[1], wn__##f##_many);)

/* In a row's expression: T is the compute type, K(1.5) a literal of it, FN(exp)(a) a function of the mathematics files. */
#define K(x) ((T)(x))

#define T float
#define WN_UT uint32_t
#define WN_CT f32
#define WN_CT_f32
#define FN(f) wn__##f##_f32
#include "kernels.inc"
#undef T
#undef WN_UT
#undef WN_CT
#undef WN_CT_f32
#undef FN

#define T double
#define WN_UT uint64_t
#define WN_CT f64
#define WN_CT_f64
#define FN(f) wn__##f##_f64
#include "kernels.inc"
#undef T
#undef WN_UT
#undef WN_CT
#undef WN_CT_f64
#undef FN

#define FN(f) wn__##f##_i32
#define T int32_t
#define WN_UT uint32_t
#define WN_CT i32
#define WN_CT_i32
#include "kernels.inc"
#undef T
#undef WN_UT
#undef WN_CT
#undef WN_CT_i32
#undef FN

#define FN(f) wn__##f##_i64
#define T int64_t
#define WN_UT uint64_t
#define WN_CT i64
#define WN_CT_i64
#include "kernels.inc"
#undef T
#undef WN_UT
#undef WN_CT
#undef WN_CT_i64
#undef FN

#define FN(f) wn__##f##_bool_is_no_function
#define T uint8_t
#define WN_CT b8
#define WN_CT_b8
#include "kernels.inc"
#undef T
#undef WN_CT
#undef WN_CT_b8

static const wn__kernel rows[][WN__CTS] = {
#define WN_KERNEL_TABLE
#include "kernels.inc"
#undef WN_KERNEL_TABLE
};

static const wn__single_kernels singles[] = {
#define WN_SINGLE_TABLE
#include "kernels.inc"
#undef WN_SINGLE_TABLE
};

static const wn__kernel constants[] = {
#define WN_CONSTANT_TABLE
#include "kernels.inc"
#undef WN_CONSTANT_TABLE
};

/* ------------------------------------------------------------------ f16 and bf16 in one go
 * Runs of elements are floats only in registers. The last run is short: it is padded, and what the padding gives dropped. */

/* The operands behind the first `ntensors` are numbers: one float each. `run` makes y of x, `length` elements, whole runs. */
#define WN_HALF_LOOP(name, nin, ntensors, length, run)                                                                \
    static void WN_CAT_(k_##name##_##ntensors##_, WN_HALF)(int64_t n, void *out, const void *const *in) {             \
        uint16_t rest[ntensors + 1][length], *to = out;                                                               \
        const uint16_t *from[ntensors];                                                                               \
        const int64_t left = n % length;                                                                              \
        float number[nin];                                                                                            \
        for (int k = 0; k < ntensors; k++) from[k] = in[k];                                                           \
        for (int k = ntensors; k < nin; k++) number[k] = *(const float *)in[k];                                       \
        for (int64_t end = n - left;;) {                                                                              \
            for (int64_t i = 0; i < end; i += length) {                                                               \
                float x[nin][length], y[length];                                                                      \
                for (int k = 0; k < ntensors; k++)                                                                    \
                    for (int r = 0; r < length; r += WN_HALF_RUN) WN_CAT_(wn__apart_of_, WN_HALF)(x[k] + r, from[k] + i + r); \
                run                                                                                                   \
                for (int r = 0; r < length; r += WN_HALF_RUN) WN_CAT_(wn__apart_to_, WN_HALF)(to + i + r, y + r);     \
            }                                                                                                         \
            if (to == rest[ntensors]) memcpy((uint16_t *)out + n - left, to, (size_t)left * sizeof *to);              \
            if (!left || to == rest[ntensors]) return;                                                                \
            for (int k = 0; k < ntensors; k++)                                                                        \
                from[k] = memcpy(memset(rest[k], 0, sizeof rest[k]), from[k] + end, (size_t)left * sizeof *to);       \
            to = rest[ntensors];                                                                                      \
            end = length;                                                                                             \
        }                                                                                                             \
    }
#define WN_HALF_EACH(set, expr) for (int k = 0; k < WN_HALF_RUN; k++) { set y[k] = (expr); }
#define WN_HALF_OPERAND(name, at, ntensors) const float name = at < ntensors ? x[at][k] : number[at]; (void)name;
#define WN_HALF_KERNEL1(name, nt, expr) WN_HALF_LOOP(name, 1, nt, WN_HALF_RUN, WN_HALF_EACH(WN_HALF_OPERAND(a, 0, nt), expr))
#define WN_HALF_KERNEL2(name, nt, expr) WN_HALF_LOOP(name, 2, nt, WN_HALF_RUN, WN_HALF_EACH(WN_HALF_OPERAND(a, 0, nt) WN_HALF_OPERAND(b, 1, nt), expr))
#define WN_HALF_KERNEL3(name, nt, expr) \
    WN_HALF_LOOP(name, 3, nt, WN_HALF_RUN, WN_HALF_EACH(WN_HALF_OPERAND(a, 0, nt) WN_HALF_OPERAND(b, 1, nt) WN_HALF_OPERAND(c, 2, nt), expr))
#define WN_HALF_KERNEL4(name, nt, expr) \
    WN_HALF_LOOP(name, 4, nt, WN_HALF_RUN, WN_HALF_EACH(WN_HALF_OPERAND(a, 0, nt) WN_HALF_OPERAND(b, 1, nt) WN_HALF_OPERAND(c, 2, nt) WN_HALF_OPERAND(d, 3, nt), expr))
/* Rows whose f32 loop is written by itself, two runs at a time. */
#define WN_HALF_ROW1(name, f) WN_HALF_LOOP(name, 1, 1, (2 * WN_HALF_RUN), (void)number; wn__##f##_halves(2 * WN_HALF_RUN, x[0], y);)

/* Rows that are operations on bits; where there is only one operand, b is it too. */
#define WN_HALF_BITS(name, nin, expr)                                                                                \
    static void WN_CAT_(k_##name##_##nin##_, WN_HALF)(int64_t n, void *out, const void *const *in) {                  \
        uint16_t *o = out;                                                                                            \
        const uint16_t *pa = in[0], *pb = in[nin - 1];                                                                \
        WN__IVDEP for (int64_t i = 0; i < n; i++) { const unsigned a = pa[i], b = pb[i]; (void)b; o[i] = (uint16_t)(expr); } \
    }

#if defined(__x86_64__) && !defined(__F16C__) /* nothing converts fast: programs of blocks do as well, in a third of a megabyte less */
static const wn__half_kernels halves[sizeof rows / sizeof *rows];
#else
#undef FN
#define FN(f) wn__##f##_f32
#define T float
#define WN_HALF f16
#include "kernels.inc"
#undef WN_HALF
#define WN_HALF bf16
#include "kernels.inc"
#undef WN_HALF
#undef T
#undef FN

static const wn__half_kernels halves[] = {
#define WN_HALF_TABLE
#include "kernels.inc"
#undef WN_HALF_TABLE
};
#endif

/* ------------------------------------------------------------------ i8, i16 and u8 in their own width
 * The expressions are those of int32, and so are the results, of which the low bits are kept: the compiler finds the narrow operation where there is
 * one. n counts whole runs: whoever calls pads the last one. */

#define WN_ELEMENT_value WN_NARROW
#define WN_READ_value(x) (x)
#define WN_ELEMENT_truth WN_NARROW
#define WN_READ_truth(x) ((x) != 0)
#define WN_ELEMENT_mask uint8_t
#define WN_READ_mask(x) ((x) != 0)
/* The operands behind the first `nt` are numbers: one int32 each. */
#define WN_NARROW_SOURCE(x, at, nt, kind) \
    const WN_ELEMENT_##kind *p##x = in[at];  \
    const WN_NARROW number_##x = at < nt ? 0 : (WN_NARROW)*(const int32_t *)in[at];
#define WN_NARROW_READ(x, at, nt, kind) const WN_ELEMENT_##kind x = at < nt ? WN_READ_##kind(p##x[i]) : number_##x; (void)x;
#define WN_NARROW_LOOP(name, nt, R, sources, reads, expr)                                                             \
    static void WN_CAT_(k_##name##_##nt##_, WN_NARROW_NAME)(int64_t n, void *out, const void *const *in) {            \
        R *o = out;                                                                                                    \
        sources                                                                                                        \
        WN__IVDEP for (int64_t i = 0; i < (n & -WN__NARROW_RUN); i++) { reads o[i] = (R)(expr); }                 \
    }
#define WN_NARROW1(name, nt, R, A, expr) \
    WN_NARROW_LOOP(name, nt, R, WN_NARROW_SOURCE(a, 0, nt, A), WN_NARROW_READ(a, 0, nt, A), expr)
#define WN_NARROW2(name, nt, R, A, B, expr) \
    WN_NARROW_LOOP(name, nt, R, WN_NARROW_SOURCE(a, 0, nt, A) WN_NARROW_SOURCE(b, 1, nt, B), \
                   WN_NARROW_READ(a, 0, nt, A) WN_NARROW_READ(b, 1, nt, B), expr)
#define WN_NARROW3(name, nt, R, A, B, C, expr) \
    WN_NARROW_LOOP(name, nt, R, WN_NARROW_SOURCE(a, 0, nt, A) WN_NARROW_SOURCE(b, 1, nt, B) WN_NARROW_SOURCE(c, 2, nt, C), \
                   WN_NARROW_READ(a, 0, nt, A) WN_NARROW_READ(b, 1, nt, B) WN_NARROW_READ(c, 2, nt, C), expr)

#if defined(__x86_64__) && !defined(__AVX2__) /* the programs of blocks must do: room */
static const wn__narrow_kernels narrows[1];
enum { NNARROWS = 0 };
#else
#undef FN
#define FN(f) wn__##f##_narrow
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits" /* u8 below 0 */
#define T int32_t
#define WN_NARROW int8_t
#define WN_NARROW_NAME i8
#define WN_NARROW_i8
#include "kernels.inc"
#undef WN_NARROW_i8
#undef WN_NARROW
#undef WN_NARROW_NAME
#define WN_NARROW int16_t
#define WN_NARROW_NAME i16
#define WN_NARROW_i16
#include "kernels.inc"
#undef WN_NARROW_i16
#undef WN_NARROW
#undef WN_NARROW_NAME
#define WN_NARROW uint8_t
#define WN_NARROW_NAME u8
#define WN_NARROW_u8
#include "kernels.inc"
#undef WN_NARROW_u8
#undef WN_NARROW
#undef WN_NARROW_NAME
#undef T
#undef FN
#pragma GCC diagnostic pop

static const wn__narrow_kernels narrows[] = {
#define WN_NARROW_TABLE
#include "kernels.inc"
#undef WN_NARROW_TABLE
};
enum { NNARROWS = sizeof narrows / sizeof *narrows };
#endif

#include "base/as_f32.h"
#include "engine/level/choose_of.h"
#include "base/as_f64.h"
#include "engine/level/choose_of.h"
#include "base/as_i32.h"
#include "engine/level/choose_of.h"
#include "base/as_i64.h"
#include "engine/level/choose_of.h"
#include "base/as_none.h"
#define CHOICE(name) {choose_##name##_f32, choose_##name##_f64, choose_##name##_i32, choose_##name##_i64, 0}

/* Narrow integers as each other. */
static void narrow_low_byte(int64_t n, void *out, const void *const *in) {
    uint8_t *restrict o = out;
    const uint16_t *restrict a = in[0];
    for (int64_t i = 0; i < n; i++) o[i] = (uint8_t)a[i];
}
static void narrow_wider(int64_t n, void *out, const void *const *in) {
    int16_t *restrict o = out;
    const int8_t *restrict a = in[0];
    for (int64_t i = 0; i < n; i++) o[i] = a[i];
}
static void narrow_wider_unsigned(int64_t n, void *out, const void *const *in) {
    uint16_t *restrict o = out;
    const uint8_t *restrict a = in[0];
    for (int64_t i = 0; i < n; i++) o[i] = a[i];
}
static void narrow_truth(int64_t n, void *out, const void *const *in) {
    uint8_t *restrict o = out;
    const uint8_t *restrict a = in[0];
    for (int64_t i = 0; i < n; i++) o[i] = a[i] != 0;
}
static void narrow_wider_truth(int64_t n, void *out, const void *const *in) {
    uint16_t *restrict o = out;
    const uint8_t *restrict a = in[0];
    for (int64_t i = 0; i < n; i++) o[i] = a[i] != 0;
}

#define LOADS(ct) {0, load_f32_##ct, load_f64_##ct, load_f16_##ct, load_bf16_##ct, load_i8_##ct, load_i16_##ct, load_i32_##ct, load_i64_##ct, load_u8_##ct, load_bool_##ct}
#define STORES(ct) {0, store_f32_##ct, store_f64_##ct, store_f16_##ct, store_bf16_##ct, store_i8_##ct, store_i16_##ct, store_i32_##ct, store_i64_##ct, store_u8_##ct, store_bool_##ct}
const wn__kernels WN_AT_LEVEL(wn__kernels) = {
    rows,
    singles,
    halves,
    narrows,
    constants,
    (int)(sizeof rows / sizeof *rows),
    NNARROWS,
    (int)(sizeof constants / sizeof *constants),
    narrow_low_byte, narrow_wider, narrow_wider_unsigned, narrow_truth, narrow_wider_truth,
    {[WN__CHOOSE_EQ] = CHOICE(eq), [WN__CHOOSE_NE] = CHOICE(ne), [WN__CHOOSE_LT] = CHOICE(lt), [WN__CHOOSE_LE] = CHOICE(le), [WN__CHOOSE_GT] = CHOICE(gt), [WN__CHOOSE_GE] = CHOICE(ge)},
    {LOADS(f32), LOADS(f64), LOADS(i32), LOADS(i64), LOADS(b8)},
    {STORES(f32), STORES(f64), STORES(i32), STORES(i64), STORES(b8)},
};
