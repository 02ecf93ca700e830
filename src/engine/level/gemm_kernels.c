/* Contraction kernels at one instruction set level: the templates of gemm_type.h for f32 and f64, gemm_bf16.h.
 * Here products and sums may contract to fma (design, "Same bits": within one level the result is the same). */
#if defined(__clang__)
#pragma clang fp contract(fast)
#else
#pragma GCC optimize("fp-contract=fast", "no-version-loops-for-strides") /* a loop for rows one element apart would be the same: 80 KB */
#endif
#include "base/half.h"
#include "base/inline.h"
#include "engine/gemm_kernels.h"
#include "engine/level/this_level.h"
#include "engine/level/vectors.h"
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define LANES ((int)VN)
#define NO_UNROLL _Pragma("GCC unroll 1") /* a body of 28 fma needs no copies; clang would make a megabyte of them */
/* Loaded once: gcc would fold the load into every fma that uses it. */
#if defined(__AVX512F__) && !defined(WN_EMULATED_AVX512)
#define IN_REGISTER(v) __asm__("" : "+v"(v))
#elif defined(__x86_64__) && !defined(WN_EMULATED_AVX512)
#define IN_REGISTER(v) __asm__("" : "+x"(v))
#else
#define IN_REGISTER(v) (void)(v)
#endif

/* 2 * rows accumulators, two vectors of B and one broadcast must fit the register file. */
#if defined(__AVX512F__)
#define MR 14
#define TILE_ROWS_MR TILE_ROWS
#elif defined(__AVX2__)
#define MR 6
#define VEC_SWEEPS 32 /* rows of A */
/* Steps of k to a round of a tile's loop. Where another thread of the core is busy, half of the dispatch is left: 3 instructions a cycle, and 12 fma with
 * 8 loads and what counts are more than 18. Two steps take 23.5 instead of 26 (Zen 3: 0 to 1% slower on a quiet core, 8 to 12% faster on a
 * shared one; four steps 3 to 8% slower on a quiet one). */
#define STEPS 2
#elif defined(__aarch64__)
#define MR 10
#define TILE_ROWS_MR TILE_ROWS10
#else
#define MR 6
#endif
/* Adds to the accumulator where it is: gcc's own choice of forms moves sums from register to register between two steps, and spills one. */
#if VB == 32
#define MADD(type) "vfmadd231" type " %1, %2, %0"
#endif
#ifndef STEPS
#define STEPS 1
#endif
#ifndef VEC_SWEEPS
#define VEC_SWEEPS 0
#endif
#ifndef TILE_ROWS_MR
#define TILE_ROWS_MR TILE_ROWS6
#endif

#define TILE_ROWS6(X) X(0) X(1) X(2) X(3) X(4) X(5)
#define TILE_ROWS10(X) TILE_ROWS6(X) X(6) X(7) X(8) X(9)
#define TILE_ROWS(X) TILE_ROWS10(X) X(10) X(11) X(12) X(13)

/* How many offsets from the first on follow each other? Eight at a time: rows are long. */
static int64_t run_length(const int64_t *offset, int64_t n) {
    int64_t len = 1;
    for (; len + 8 <= n; len += 8) {
        int64_t apart = 0;
        for (int l = 0; l < 8; l++) apart |= (offset[len + l] - offset[0]) ^ (len + l);
        if (apart) break;
    }
    while (len < n && offset[len] == offset[0] + len) len++;
    return len;
}
static bool is_run(const int64_t *offset, int64_t n) { return n < 1 || run_length(offset, n) == n; }

#include "engine/level/gemm_halves.h"
#include "base/as_f32.h"
#if VB == 64
#define EVENS(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODDS(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif VB == 32
#define DIRECT direct_f32
#define HALVES_LOW(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HALVES_HIGH(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define WITHIN_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define WITHIN_HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define EVENS(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODDS(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define EVENS(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODDS(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#endif
#if VB == 32
#define TILE_MADD(c, b, x) __asm__(MADD("ps") : "+x"(c) : "x"(b), "x"(_mm256_set1_ps(x)))
#endif
#include "engine/level/gemm_type.h"

#include "base/as_f64.h"
#if VB == 64
#define EVENS(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODDS(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif VB == 32
#define HALVES_LOW(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define HALVES_HIGH(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#define WITHIN_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define WITHIN_HIGH(a, b) __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define EVENS(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODDS(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#else
#define EVENS(a, b) __builtin_shufflevector(a, b, 0, 2)
#define ODDS(a, b) __builtin_shufflevector(a, b, 1, 3)
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 2)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif
#if VB == 32
#define TILE_MADD(c, b, x) __asm__(MADD("pd") : "+x"(c) : "x"(b), "x"(_mm256_set1_pd(x)))
#endif
#include "engine/level/gemm_type.h"

#ifdef __AVX512F__
#include "engine/level/gemm_bf16.h"
#define BF16_TYPE &type_bf16
#else
#define BF16_TYPE NULL
#endif
#include "base/as_none.h"

const wn__gemm_kernels WN_AT_LEVEL(wn__gemm_kernels) = {&type_f32, &type_f64, BF16_TYPE};
