/* Files in this folder are compiled once for each instruction set level, with WN_LEVEL = portable, avx2 or avx512. */
#ifndef WN_ENGINE_LEVEL_THIS_LEVEL_H
#define WN_ENGINE_LEVEL_THIS_LEVEL_H
#ifndef WN_LEVEL
#define WN_LEVEL portable
#endif
#if defined(__clang__) /* loops marked as independent that cannot be vectorised all the same (integer division, pow) */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
#define WN_LEVEL_CAT1_(a, b) a##_##b
#define WN_LEVEL_CAT_(a, b) WN_LEVEL_CAT1_(a, b)
#define WN_AT_LEVEL(name) WN_LEVEL_CAT_(name, WN_LEVEL) /* wn__x -> wn__x_avx2 */
/* Bytes of a vector register: wider vectors would be split, and then gcc keeps accumulators in memory. */
#if defined(__AVX512F__)
#define VB 64
#elif defined(__AVX__)
#define VB 32
#else
#define VB 16
#endif
#endif
