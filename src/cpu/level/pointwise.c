/* The loops of the pointwise rows and the conversions, compiled once for each ISA level. */
#include "cpu/kernels.h"
#include "core/half.h"
#include "cpu/level/level.h"
#include "cpu/level/row_math.h"
#include <string.h>

#if defined(__clang__)
#define WN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define WN_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* ivdep and not restrict: the destination may be one of the operands, element for element. */
#define WN_LOOP(name, R, body) \
    static void WN_CAT_(k_##name##_, WN_CT)(int64_t n, void *out, const void *const *in) { body }
#define WN_KERNEL1(name, R, A, expr)                                                               \
    WN_LOOP(name, R, R *o = out; const A *pa = in[0];                                               \
            WN_INDEPENDENT for (int64_t i = 0; i < n; i++) { const A a = pa[i]; (void)a; o[i] = (R)(expr); })
#define WN_KERNEL2(name, R, A, B, expr)                                                            \
    WN_LOOP(name, R, R *o = out; const A *pa = in[0]; const B *pb = in[1];                          \
            WN_INDEPENDENT for (int64_t i = 0; i < n; i++) { const A a = pa[i]; const B b = pb[i]; (void)a; (void)b; o[i] = (R)(expr); })
#define WN_KERNEL3(name, R, A, B, C, expr)                                                         \
    WN_LOOP(name, R, R *o = out; const A *pa = in[0]; const B *pb = in[1]; const C *pc = in[2];     \
            WN_INDEPENDENT for (int64_t i = 0; i < n; i++) {                                        \
                const A a = pa[i]; const B b = pb[i]; const C c = pc[i]; (void)a; (void)b; (void)c; o[i] = (R)(expr); })
#define WN_KERNEL4(name, R, A, B, C, D, expr)                                                      \
    WN_LOOP(name, R, R *o = out; const A *pa = in[0]; const B *pb = in[1]; const C *pc = in[2]; const D *pd = in[3]; \
            WN_INDEPENDENT for (int64_t i = 0; i < n; i++) {                                        \
                const A a = pa[i]; const B b = pb[i]; const C c = pc[i]; const D d = pd[i];         \
                (void)a; (void)b; (void)c; (void)d; o[i] = (R)(expr); })

/* In a row's expression: T is the compute type, K(1.5) a literal of it, FN(exp)(a) a function of the mathematics files. */
#define K(x) ((T)(x))

#define T float
#define WN_CT f32
#define WN_CT_f32
#define FN(f) wn__##f##_f32
#include "kernels.inc"
#undef T
#undef WN_CT
#undef WN_CT_f32
#undef FN

#define T double
#define WN_CT f64
#define WN_CT_f64
#define FN(f) wn__##f##_f64
#include "kernels.inc"
#undef T
#undef WN_CT
#undef WN_CT_f64
#undef FN

#define FN(f) wn__##f##_int_is_no_function
#define T int32_t
#define WN_CT i32
#define WN_CT_i32
#include "kernels.inc"
#undef T
#undef WN_CT
#undef WN_CT_i32

#define T int64_t
#define WN_CT i64
#define WN_CT_i64
#include "kernels.inc"
#undef T
#undef WN_CT
#undef WN_CT_i64

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

/* A comparison and the selection by it in one: no mask of bytes between them (a third of the time of both). */
#define WN_CHOOSE(name, OP, T, ct)                                                                                   \
    static void choose_##name##_##ct(int64_t n, void *out, const void *const *in) {                                  \
        T *o = out;                                                                                                   \
        const T *a = in[0], *b = in[1], *c = in[2], *d = in[3];                                                       \
        WN_INDEPENDENT for (int64_t i = 0; i < n; i++) { const T x = c[i], y = d[i]; o[i] = a[i] OP b[i] ? x : y; }   \
    }
#define WN_CHOICES(T, ct)                                                                                            \
    WN_CHOOSE(eq, ==, T, ct) WN_CHOOSE(ne, !=, T, ct) WN_CHOOSE(lt, <, T, ct)                                         \
    WN_CHOOSE(le, <=, T, ct) WN_CHOOSE(gt, >, T, ct) WN_CHOOSE(ge, >=, T, ct)
WN_CHOICES(float, f32)
WN_CHOICES(double, f64)
WN_CHOICES(int32_t, i32)
WN_CHOICES(int64_t, i64)
#define CHOICE(name) {choose_##name##_f32, choose_##name##_f64, choose_##name##_i32, choose_##name##_i64, 0}

/* ------------------------------------------------------------------ conversions */

/* What cvttss2si gives, without C's undefined behaviour for numbers out of range. */
static inline int32_t to_i32(double x) { return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN; }
static inline int64_t to_i64(double x) {
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (int64_t)x : INT64_MIN;
}
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
#define TO_i32(x, FLT) (FLT ? to_i32((double)(x)) : (int32_t)(x))
#define TO_i64(x, FLT) (FLT ? to_i64((double)(x)) : (int64_t)(x))
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
#define WN_LOADS(ct, C)                                                                              \
    WN_LOAD(ct, C, f32, float, IN_f32, 1)                                                            \
    WN_LOAD(ct, C, f64, double, IN_f64, 1)                                                           \
    WN_LOAD(ct, C, f16, uint16_t, IN_f16, 1)                                                         \
    WN_LOAD(ct, C, bf16, uint16_t, IN_bf16, 1)                                                       \
    WN_LOAD(ct, C, i8, int8_t, IN_int, 0)                                                            \
    WN_LOAD(ct, C, i16, int16_t, IN_int, 0)                                                          \
    WN_LOAD(ct, C, i32, int32_t, IN_int, 0)                                                          \
    WN_LOAD(ct, C, i64, int64_t, IN_int, 0)                                                          \
    WN_LOAD(ct, C, u8, uint8_t, IN_int, 0)                                                           \
    WN_LOAD(ct, C, bool, uint8_t, IN_bool, 0)
WN_LOADS(f32, float)
WN_LOADS(f64, double)
WN_LOADS(i32, int32_t)
WN_LOADS(i64, int64_t)
WN_LOADS(b8, uint8_t)

#define OUT_f32(x, FLT) ((float)(x))
#define OUT_f64(x, FLT) ((double)(x))
#define OUT_f16(x, FLT) wn__f32_to_f16((float)(x))
#define OUT_bf16(x, FLT) wn__f32_to_bf16((float)(x))
#define OUT_i8(x, FLT) ((int8_t)(FLT ? to_i32((double)(x)) : (int32_t)(x)))
#define OUT_i16(x, FLT) ((int16_t)(FLT ? to_i32((double)(x)) : (int32_t)(x)))
#define OUT_i32(x, FLT) (FLT ? to_i32((double)(x)) : (int32_t)(x))
#define OUT_i64(x, FLT) (FLT ? to_i64((double)(x)) : (int64_t)(x))
#define OUT_u8(x, FLT) ((uint8_t)(FLT ? to_i64((double)(x)) : (int64_t)(x)))
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
#define WN_STORES(ct, C, FLT)                                                                         \
    WN_STORE(ct, C, f32, float, FLT)                                                                  \
    WN_STORE(ct, C, f64, double, FLT)                                                                 \
    WN_STORE(ct, C, f16, uint16_t, FLT)                                                               \
    WN_STORE(ct, C, bf16, uint16_t, FLT)                                                              \
    WN_STORE(ct, C, i8, int8_t, FLT)                                                                  \
    WN_STORE(ct, C, i16, int16_t, FLT)                                                                \
    WN_STORE(ct, C, i32, int32_t, FLT)                                                                \
    WN_STORE(ct, C, i64, int64_t, FLT)                                                                \
    WN_STORE(ct, C, u8, uint8_t, FLT)                                                                 \
    WN_STORE(ct, C, bool, uint8_t, FLT)
WN_STORES(f32, float, 1)
WN_STORES(f64, double, 1)
WN_STORES(i32, int32_t, 0)
WN_STORES(i64, int64_t, 0)
WN_STORES(b8, uint8_t, 0)

/* The conversions of f16 that the machine has: measured three times as fast as the branch-free ones. */
#if defined(__F16C__)
#include <immintrin.h>
static void load_f16_fast(int64_t n, void *dst, const char *src, int64_t stride) {
    float *o = dst;
    const uint16_t *s = (const uint16_t *)(const void *)src;
    int64_t i = 0;
    if (stride == (int64_t)sizeof *s)
        for (; i + 8 <= n; i += 8) _mm256_storeu_ps(o + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(s + i))));
    if (i < n) load_f16_f32(n - i, o + i, src + i * stride, stride);
}
static void store_f16_fast(int64_t n, char *dst, int64_t stride, const void *src) {
    const float *s = src;
    uint16_t *o = (uint16_t *)(void *)dst;
    int64_t i = 0;
    if (stride == (int64_t)sizeof *o)
        for (; i + 8 <= n; i += 8)
            _mm_storeu_si128((__m128i *)(void *)(o + i), _mm256_cvtps_ph(_mm256_loadu_ps(s + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    if (i < n) store_f16_f32(n - i, dst + i * stride, stride, s + i);
}
#else
#define load_f16_fast load_f16_f32
#define store_f16_fast store_f16_f32
#endif

#define LOADS(ct) {0, load_f32_##ct, load_f64_##ct, load_f16_##ct, load_bf16_##ct, load_i8_##ct, load_i16_##ct, load_i32_##ct, load_i64_##ct, load_u8_##ct, load_bool_##ct}
#define STORES(ct) {0, store_f32_##ct, store_f64_##ct, store_f16_##ct, store_bf16_##ct, store_i8_##ct, store_i16_##ct, store_i32_##ct, store_i64_##ct, store_u8_##ct, store_bool_##ct}
const wn__kernels WN_AT_LEVEL(wn__kernels) = {
    rows,
    {CHOICE(eq), CHOICE(ne), CHOICE(lt), CHOICE(le), CHOICE(gt), CHOICE(ge)},
    {{0, load_f32_f32, load_f64_f32, load_f16_fast, load_bf16_f32, load_i8_f32, load_i16_f32, load_i32_f32, load_i64_f32, load_u8_f32, load_bool_f32},
     LOADS(f64), LOADS(i32), LOADS(i64), LOADS(b8)},
    {{0, store_f32_f32, store_f64_f32, store_f16_fast, store_bf16_f32, store_i8_f32, store_i16_f32, store_i32_f32, store_i64_f32, store_u8_f32, store_bool_f32},
     STORES(f64), STORES(i32), STORES(i64), STORES(b8)},
};
