/* Folding runs and columns, at one instruction set level. The bodies are in engine/reduce_float_of.h, engine/reduce_half.h and
 * engine/reduce_int_of.h. */
#include "engine/level/this_level.h"
#include "engine/level/vectors.h"
#include "engine/math/math.h"
#include "engine/reduce_parts.h"
#ifdef __SSE2__
#include <immintrin.h>
#endif

/* x86 has x > a ? x : a in one instruction; from vector extensions gcc does not find it. */
#if defined(__AVX512F__)
#define X86(name, a, x) _mm512_##name((x), (a))
#elif defined(__AVX__)
#define X86(name, a, x) _mm256_##name((x), (a))
#elif defined(__SSE2__)
#define X86(name, a, x) _mm_##name((x), (a))
#endif
/* x where it is larger (smaller) or NaN: the instruction gives its second operand where one of them is NaN. */
#ifdef __SSE2__
#define X86_OF(t, a, x, op) t##_first(_mm_or_p##t(op(_mm_set_s##t(x), _mm_set_s##t(a)), _mm_cmpunord_s##t(_mm_set_s##t(x), _mm_set_s##t(x))))
static inline float s_first(__m128 v) { return _mm_cvtss_f32(v); }
static inline double d_first(__m128d v) { return _mm_cvtsd_f64(v); }
#endif
#if defined(__AVX512DQ__)
#define FIRST_BITS(n, all) ((n) < (all) ? (1u << (n)) - 1 : (1u << (all)) - 1)
#endif

#include "base/as_f32.h"
#define PER_VECTOR (VB / 4)
#define LOADED WN__E_F32
#define STORED WN_F32
#ifdef X86
#define V_MAX(a, x) X86(max_ps, a, x)
#define V_MIN(a, x) X86(min_ps, a, x)
#define ONE_MAX(a, x) X86_OF(s, a, x, _mm_max_ss)
#define ONE_MIN(a, x) X86_OF(s, a, x, _mm_min_ss)
#endif
#if defined(__AVX512DQ__)
#define V_SEEN __mmask16
#define V_SEE(q, x, y) ((q) = _kor_mask16(q, _mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q)))
#define V_ANY_SEEN(q) ((q) != 0)
#define V_MARK(v, q) _mm512_mask_mov_ps(v, q, _mm512_set1_ps(WN__NAN_F32))
#define V_PART(x, n) _mm512_maskz_loadu_ps((__mmask16)FIRST_BITS(n, 16), x)
#define V_RANGE(x, m) _mm512_maskz_loadu_ps(_mm512_movepi32_mask((__m512i)(m)), x)
#elif defined(__AVX2__)
#define V_SEEN __m256
#define V_SEE(q, x, y) ((q) = _mm256_or_ps(q, _mm256_cmp_ps(x, y, _CMP_UNORD_Q)))
#define V_ANY_SEEN(q) (_mm256_movemask_ps(q) != 0)
#define V_PART(x, n) _mm256_maskload_ps(x, (__m256i)OF(first)(n))
#define V_RANGE(x, m) _mm256_maskload_ps(x, (__m256i)(m))
#endif
#include "engine/reduce_float_of.h"
#if defined(__F16C__) && defined(__AVX2__)
#include "engine/reduce_half.h"
#define HALVES(f) {f##_f16, f##_bf16}
#else
#define HALVES(f) {NULL, NULL}
#endif
#include "engine/level/reduce_none.h"

#include "base/as_f64.h"
#define PER_VECTOR (VB / 8)
#define LOADED WN__E_F64
#define STORED WN_F64
#ifdef X86
#define V_MAX(a, x) X86(max_pd, a, x)
#define V_MIN(a, x) X86(min_pd, a, x)
#define ONE_MAX(a, x) X86_OF(d, a, x, _mm_max_sd)
#define ONE_MIN(a, x) X86_OF(d, a, x, _mm_min_sd)
#endif
#if defined(__AVX512DQ__)
#define V_SEEN __mmask8
#define V_SEE(q, x, y) ((q) = _kor_mask8(q, _mm512_cmp_pd_mask(x, y, _CMP_UNORD_Q)))
#define V_ANY_SEEN(q) ((q) != 0)
#define V_MARK(v, q) _mm512_mask_mov_pd(v, q, _mm512_set1_pd(WN__NAN_F64))
#define V_PART(x, n) _mm512_maskz_loadu_pd((__mmask8)FIRST_BITS(n, 8), x)
#define V_RANGE(x, m) _mm512_maskz_loadu_pd(_mm512_movepi64_mask((__m512i)(m)), x)
#elif defined(__AVX2__)
#define V_SEEN __m256d
#define V_SEE(q, x, y) ((q) = _mm256_or_pd(q, _mm256_cmp_pd(x, y, _CMP_UNORD_Q)))
#define V_ANY_SEEN(q) (_mm256_movemask_pd(q) != 0)
#define V_PART(x, n) _mm256_maskload_pd(x, (__m256i)OF(first)(n))
#define V_RANGE(x, m) _mm256_maskload_pd(x, (__m256i)(m))
#endif
#include "engine/reduce_float_of.h"
#include "engine/level/reduce_none.h"
#include "base/as_none.h"

/* The smaller and the larger one of vectors of integers: an instruction (X86_OP of its name), or a comparison and a choice. */
#if defined(__AVX2__) && !defined(__AVX512F__)
#define X86_INT_(op, a, x) ((V)_mm256_##op((__m256i)(a), (__m256i)(x)))
#define X86_INT(op, a, x) X86_INT_(op, a, x)
#define V_IMIN(a, x) X86_INT(X86_OP(min), a, x)
#define V_IMAX(a, x) X86_INT(X86_OP(max), a, x)
#endif

INLINE int64_t joined_int(wn__fold f, int64_t a, int64_t b) {
    switch (f) {
    case WN__FOLD_PROD: return a * b;
    case WN__FOLD_MIN: return b < a ? b : a;
    case WN__FOLD_MAX: return b > a ? b : a;
    default: return a + b;
    }
}
/* Rows of integers of any length: pieces in which no sum overflows. size: of an element. */
static WN__ONCE void rows_int(wn__fold f, wn__run_fn run, size_t size, const char *x, int64_t step, int64_t rows, int64_t n, const void *param,
                              int64_t *y) {
    enum { MOST = 64 * WN__RUN };
    for (int64_t r = 0; r < rows; r++, x += step * (int64_t)size) {
        run(x, n < MOST ? n : MOST, param, &y[r]);
        for (int64_t i = MOST, b; i < n; i += MOST) {
            run(x + i * (int64_t)size, n - i < MOST ? n - i : MOST, param, &b);
            y[r] = joined_int(f, y[r], b);
        }
    }
}
INLINE void merge_int(const wn__fold f, int64_t *a, const int64_t *b, int64_t n) {
    for (int64_t i = 0; i < n; i++) a[i] = joined_int(f, a[i], b[i]);
}
static void merge_add_int(void *a, const void *b, int64_t n) { merge_int(WN__FOLD_SUM, a, b, n); }
static void merge_mul_int(void *a, const void *b, int64_t n) { merge_int(WN__FOLD_PROD, a, b, n); }
static void merge_min_int(void *a, const void *b, int64_t n) { merge_int(WN__FOLD_MIN, a, b, n); }
static void merge_max_int(void *a, const void *b, int64_t n) { merge_int(WN__FOLD_MAX, a, b, n); }

#define S int32_t
#include "base/as_i8.h"
#define LOADED WN__E_I8
#define X86_OP(op) op##_epi8
#include "engine/reduce_int_of.h"
#include "base/as_u8.h"
#define LOADED WN__E_U8
#define X86_OP(op) op##_epu8
#include "engine/reduce_int_of.h"
#include "base/as_i16.h"
#define LOADED WN__E_I16
#define X86_OP(op) op##_epi16
#include "engine/reduce_int_of.h"
#undef S
#define S int64_t
#include "base/as_i32.h"
#define LOADED WN__E_I32
#define X86_OP(op) op##_epi32
#include "engine/reduce_int_of.h"
#ifdef V_IMIN
#undef V_IMIN
#undef V_IMAX
#define CHOSEN(take, a, x) ((V)(((x) & (V)(take)) | ((a) & ~(V)(take))))
#define V_IMIN(a, x) CHOSEN((x) < (a), a, x)
#define V_IMAX(a, x) CHOSEN((x) > (a), a, x)
#endif
#include "base/as_i64.h"
#define LOADED WN__E_I64
#include "engine/reduce_int_of.h"
#include "base/as_none.h"

#define FLOATS(f) {f##_f32, f##_f64}
#define ALL(f) {f##_f32, f##_f64, f##_i8, f##_i16, f##_i32, f##_i64, f##_u8}
/* Bytes are 0, or equal, whether they have a sign or not. Narrow integers are multiplied as wide ones, but for 32 bits, which tensors of numbers have. */
#define BYTES(f) {f##_f32, f##_f64, f##_u8, f##_i16, f##_i32, f##_i64, f##_u8}
#define WIDE(f) {[WN__E_F32] = f##_f32, [WN__E_F64] = f##_f64, [WN__E_I32] = f##_i32, [WN__E_I64] = f##_i64}
#define MERGES(f) {f##_f32, f##_f64, f##_int, f##_int, f##_int, f##_int, f##_int}
const wn__reduce_kernels WN_AT_LEVEL(wn__reduce_kernels) = {
    .run = {[WN__FOLD_SUM] = ALL(run_sum), [WN__FOLD_PROD] = WIDE(run_prod), [WN__FOLD_MIN] = ALL(run_min),
            [WN__FOLD_MAX] = ALL(run_max), [WN__FOLD_NONZERO] = BYTES(run_nonzero), [WN__FOLD_SHIFTED] = FLOATS(run_shifted),
            [WN__FOLD_SQUARES] = FLOATS(run_squares), [WN__FOLD_EXP] = FLOATS(run_exp), [WN__FOLD_ABS] = FLOATS(run_abs),
            [WN__FOLD_POW] = FLOATS(run_pow), [WN__FOLD_ABSMAX] = FLOATS(run_absmax), [WN__FOLD_ABSMIN] = FLOATS(run_absmin),
            [WN__FOLD_NANSUM] = FLOATS(run_nansum)},
    .rows = {[WN__FOLD_SUM] = ALL(rows_sum), [WN__FOLD_PROD] = WIDE(rows_prod), [WN__FOLD_MIN] = ALL(rows_min),
             [WN__FOLD_MAX] = ALL(rows_max), [WN__FOLD_NONZERO] = BYTES(rows_nonzero), [WN__FOLD_SQUARES] = FLOATS(rows_squares),
             [WN__FOLD_ABS] = FLOATS(rows_abs), [WN__FOLD_ABSMAX] = FLOATS(rows_absmax), [WN__FOLD_ABSMIN] = FLOATS(rows_absmin),
             [WN__FOLD_NANSUM] = FLOATS(rows_nansum)},
    .half_rows = {[WN__FOLD_SUM] = HALVES(rows_sum), [WN__FOLD_MIN] = HALVES(rows_min), [WN__FOLD_MAX] = HALVES(rows_max),
                  [WN__FOLD_SQUARES] = HALVES(rows_squares)},
    .feed = {[WN__FOLD_SUM] = FLOATS(feed_sum), [WN__FOLD_MIN] = FLOATS(feed_min), [WN__FOLD_MAX] = FLOATS(feed_max),
             [WN__FOLD_SQUARES] = FLOATS(feed_squares)},
    .half_feed = {[WN__FOLD_SUM] = HALVES(feed_sum)},
    .col = {[WN__FOLD_SUM] = ALL(col_sum), [WN__FOLD_PROD] = WIDE(col_prod), [WN__FOLD_MIN] = ALL(col_min),
            [WN__FOLD_MAX] = ALL(col_max), [WN__FOLD_NONZERO] = BYTES(col_nonzero), [WN__FOLD_SHIFTED] = FLOATS(col_shifted),
            [WN__FOLD_SQUARES] = FLOATS(col_squares), [WN__FOLD_EXP] = FLOATS(col_exp), [WN__FOLD_ABS] = FLOATS(col_abs),
            [WN__FOLD_POW] = FLOATS(col_pow), [WN__FOLD_ABSMAX] = FLOATS(col_absmax), [WN__FOLD_ABSMIN] = FLOATS(col_absmin),
            [WN__FOLD_NANSUM] = FLOATS(col_nansum)},
    .merge = {[WN__FOLD_SUM] = MERGES(merge_add), [WN__FOLD_PROD] = MERGES(merge_mul), [WN__FOLD_MIN] = MERGES(merge_min),
              [WN__FOLD_MAX] = MERGES(merge_max),
              [WN__FOLD_NONZERO] = {merge_add_int, merge_add_int, merge_add_int, merge_add_int, merge_add_int, merge_add_int,
                                    merge_add_int},
              [WN__FOLD_SHIFTED] = FLOATS(merge_add), [WN__FOLD_SQUARES] = FLOATS(merge_add),
              [WN__FOLD_EXP] = FLOATS(merge_add), [WN__FOLD_ABS] = FLOATS(merge_add), [WN__FOLD_POW] = FLOATS(merge_add),
              [WN__FOLD_ABSMAX] = FLOATS(merge_max), [WN__FOLD_ABSMIN] = FLOATS(merge_min),
              [WN__FOLD_NANSUM] = FLOATS(merge_add)},
#ifdef V_IMIN
    .run_ends = {[WN__E_I8] = run_ends_i8, [WN__E_I16] = run_ends_i16, [WN__E_I32] = run_ends_i32, [WN__E_I64] = run_ends_i64, [WN__E_U8] = run_ends_u8},
#endif
    .col_arg = ALL(col_arg),
    .find = BYTES(find),
    .load = wn__reduce_load,
    .compact = WN_AT_LEVEL(wn__reduce_compact),
    .count = WN_AT_LEVEL(wn__reduce_count),
    .store = wn__reduce_store,
};
