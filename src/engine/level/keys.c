/* Keys at one instruction set level (engine/keys.h). */
#include "base/inline.h"
#include "engine/keys.h"
#include "engine/level/this_level.h"
#include "engine/level/network.h"

static inline uint32_t key_f32(uint32_t u) {
    u = u << 1 ? u : 0; /* -0 is 0 */
    uint32_t up = u ^ (uint32_t)((int32_t)u >> 31 | INT32_MIN);
    return (u & 0x7fffffffu) > 0x7f800000u ? UINT32_MAX : up;
}
static inline uint64_t key_f64(uint64_t u) {
    u = u << 1 ? u : 0;
    uint64_t up = u ^ (uint64_t)((int64_t)u >> 63 | INT64_MIN);
    return (u & INT64_MAX) > 0x7ff0000000000000u ? UINT64_MAX : up;
}
static inline uint32_t key_half(uint16_t u, uint32_t infinity) {
    u = u & 0x7fff ? u : 0;
    uint32_t up = (u ^ (u & 0x8000u ? 0xffffu : 0x8000u)) & 0xffffu;
    return (u & 0x7fffu) > infinity ? 0xffffu : up;
}

/* The key of element i of dtype d, of at most four bytes. */
INLINE uint32_t narrow_key(const wn_dtype d, const void *from, int64_t i) {
    const uint32_t *words = from;
    const uint16_t *halves = from;
    const uint8_t *bytes = from;
    switch (d) {
    case WN_F32: return key_f32(words[i]);
    case WN_F16: return key_half(halves[i], 0x7c00);
    case WN_BF16: return key_half(halves[i], 0x7f80);
    case WN_I32: return words[i] ^ 0x80000000u;
    case WN_I16: return halves[i] ^ 0x8000u;
    case WN_I8: return bytes[i] ^ 0x80u;
    case WN_BOOL: return bytes[i] != 0;
    default: return bytes[i];
    }
}
INLINE uint64_t wide_key(const wn_dtype d, const void *from, int64_t i) {
    const uint64_t *x = from;
    return d == WN_F64 ? key_f64(x[i]) : x[i] ^ (uint64_t)1 << 63;
}

/* One loop for elements that lie side by side, which compilers vectorise, and one for others. */
INLINE void narrow_of(const wn_dtype d, const void *from, int64_t step, int64_t n, uint32_t *restrict key) {
    if (step == 1)
        for (int64_t i = 0; i < n; i++) key[i] = narrow_key(d, from, i);
    else
        for (int64_t i = 0; i < n; i++) key[i] = narrow_key(d, from, i * step);
}
INLINE void wide_of(const wn_dtype d, const void *from, int64_t step, int64_t n, uint64_t *restrict key) {
    if (step == 1)
        for (int64_t i = 0; i < n; i++) key[i] = wide_key(d, from, i);
    else
        for (int64_t i = 0; i < n; i++) key[i] = wide_key(d, from, i * step);
}

static void narrow(wn_dtype d, const void *from, int64_t step, int64_t n, uint32_t *restrict key) {
    switch (d) {
    case WN_F32: narrow_of(WN_F32, from, step, n, key); break;
    case WN_F16: narrow_of(WN_F16, from, step, n, key); break;
    case WN_BF16: narrow_of(WN_BF16, from, step, n, key); break;
    case WN_I32: narrow_of(WN_I32, from, step, n, key); break;
    case WN_I16: narrow_of(WN_I16, from, step, n, key); break;
    case WN_I8: narrow_of(WN_I8, from, step, n, key); break;
    case WN_BOOL: narrow_of(WN_BOOL, from, step, n, key); break;
    default: narrow_of(WN_U8, from, step, n, key); break;
    }
}

static void wide(wn_dtype d, const void *from, int64_t step, int64_t n, uint64_t *restrict key) {
    enum { SOME = 256 };
    if (d == WN_F64) wide_of(WN_F64, from, step, n, key);
    else if (d == WN_I64) wide_of(WN_I64, from, step, n, key);
    else
        for (int64_t i = 0; i < n; i += SOME) {
            uint32_t some[SOME];
            const int64_t m = n - i < SOME ? n - i : SOME;
            narrow(d, (const char *)from + i * step * (int64_t)wn_dtype_size(d), step, m, some);
            for (int64_t k = 0; k < m; k++) key[i + k] = some[k];
        }
}

enum { PIECE = 32 };
#include "base/as_u32.h"
#include "engine/level/below_of.h"
#include "base/as_u64.h"
#include "engine/level/below_of.h"
#include "base/as_none.h"

const wn__key_kernels WN_AT_LEVEL(wn__key_kernels) = {narrow,    wide,      below_u32,    below_u64,
                                                      network32, network52, network_pairs};
