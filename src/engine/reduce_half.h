/* Runs of f16 and bf16 as f32, converted in registers: included by engine/level/reduce_kernels.c behind reduce_float_of.h for float. */
typedef uint16_t half_lanes __attribute__((vector_size(VB / 2)));

static inline half_lanes half_load(const uint16_t *x) {
    half_lanes h;
    memcpy(&h, x, sizeof h);
    return h;
}
static inline half_lanes half_part(const uint16_t *x, int64_t n) {
#if defined(__AVX512BW__)
    return (half_lanes)_mm256_maskz_loadu_epi16((__mmask16)FIRST_BITS(n, 16), x);
#else
    half_lanes h = {0};
    memcpy(&h, x, (size_t)(n < VN ? n : VN) * sizeof *x);
    return h;
#endif
}
#if defined(__AVX512BW__)
static inline v_f32 v_of_f16(half_lanes h) { return _mm512_cvtph_ps((__m256i)h); }
static inline v_f32 v_of_bf16(half_lanes h) { return (v_f32)_mm512_slli_epi32(_mm512_cvtepu16_epi32((__m256i)h), 16); }
#else
static inline v_f32 v_of_f16(half_lanes h) { return _mm256_cvtph_ps((__m128i)h); }
static inline v_f32 v_of_bf16(half_lanes h) { return (v_f32)_mm256_slli_epi32(_mm256_cvtepu16_epi32((__m128i)h), 16); }
#endif

/* The folds that are asked for most; others, and columns, are of elements that the load table has made floats. */
#define FROM_HALF
#define S uint16_t
#define K(x) x##_f16
#define AS_STORED(v) (uint16_t)((v) == 0 ? 0 : (v) > 0 ? 0x7c00 : 0xfc00)
#define FROM(at) v_of_f16(half_load(at))
#define PART(at, n) v_of_f16(half_part(at, n))
#include "engine/reduce_run_of.h"
#undef K
#undef FROM
#undef PART
#undef AS_STORED
#define K(x) x##_bf16
#define AS_STORED(v) (uint16_t)((v) == 0 ? 0 : (v) > 0 ? 0x7f80 : 0xff80)
#define FROM(at) v_of_bf16(half_load(at))
#define PART(at, n) v_of_bf16(half_part(at, n))
#include "engine/reduce_run_of.h"
#undef S
#undef K
#undef FROM
#undef PART
#undef AS_STORED
#undef FROM_HALF

#define ROWS(name, half, f)                                                                                            \
    static void rows_##name##_##half(const void *x, int64_t step, int64_t rows, int64_t n, const void *param, void *acc) { \
        rows_joined_f32(f, fold_##name##_##half, sizeof(uint16_t), x, step, rows, n, param, acc); }
ROWS(sum, f16, WN__FOLD_SUM)
ROWS(sum, bf16, WN__FOLD_SUM)
ROWS(squares, f16, WN__FOLD_SQUARES)
ROWS(squares, bf16, WN__FOLD_SQUARES)
ROWS(min, f16, WN__FOLD_MIN)
ROWS(min, bf16, WN__FOLD_MIN)
ROWS(max, f16, WN__FOLD_MAX)
ROWS(max, bf16, WN__FOLD_MAX)
#undef ROWS
