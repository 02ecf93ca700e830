/* f16 and bf16 as bits, round to nearest even, without _Float16 (clang 14 rejects it on x86). Branch-free so that loops over
 * them vectorise; compiled with -mf16c the compiler is free to do better. */
#ifndef WN_BASE_HALF_H
#define WN_BASE_HALF_H
#include <stdint.h>
#include <string.h>

static inline float wn__f32_from_bits(uint32_t u) {
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static inline uint32_t wn__f32_to_bits(float f) {
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}
static inline float wn__bf16_to_f32(uint16_t h) { return wn__f32_from_bits((uint32_t)h << 16); }
static inline uint16_t wn__f32_to_bf16(float f) {
    uint32_t u = wn__f32_to_bits(f);
    uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    uint32_t nan = 0x7fc0u | ((u >> 16) & 0x8000u);
    return (uint16_t)((u & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}
static inline float wn__f16_to_f32(uint16_t h) {
    /* Normal numbers: move the exponent bias by a multiplication, which also makes subnormals exact. */
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t mag = (uint32_t)(h & 0x7fffu) << 13;
    float scaled = wn__f32_from_bits(mag) * 0x1p112f;
    uint32_t special = mag | 0x7f800000u; /* exponent all ones: inf and NaN keep their mantissa */
    uint32_t bits = mag >= 0x0f800000u ? special : wn__f32_to_bits(scaled);
    return wn__f32_from_bits(sign | bits);
}
static inline uint16_t wn__f32_to_f16(float f) {
    uint32_t u = wn__f32_to_bits(f);
    uint32_t sign = (u >> 16) & 0x8000u;
    uint32_t mag = u & 0x7fffffffu;
    /* Subnormal results: adding 0.5 aligns the mantissa so that the addition itself rounds to even. */
    uint32_t sub = wn__f32_to_bits(wn__f32_from_bits(mag) + 0.5f) - 0x3f000000u;
    uint32_t normal = (mag - 0x38000000u + 0xfffu + ((mag >> 13) & 1u)) >> 13;
    uint32_t r = mag < 0x38800000u ? sub : normal;
    r = mag >= 0x477ff000u ? 0x7c00u : r; /* rounds to 65536 or is inf */
    r = mag > 0x7f800000u ? 0x7e00u : r;
    return (uint16_t)(sign | r);
}
#endif
