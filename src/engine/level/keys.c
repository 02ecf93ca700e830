/* Keys at one instruction set level (engine/keys.h). */
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

/* One loop for elements that lie side by side, which compilers vectorise, and one for others. */
#define EACH(T, to, made)                                                                                              \
    do {                                                                                                               \
        const T *x = from;                                                                                             \
        if (step == 1)                                                                                                 \
            for (int64_t i = 0; i < n; i++) {                                                                          \
                T v = x[i];                                                                                            \
                key[i] = (to)(made);                                                                                   \
            }                                                                                                          \
        else                                                                                                           \
            for (int64_t i = 0; i < n; i++) {                                                                          \
                T v = x[i * step];                                                                                     \
                key[i] = (to)(made);                                                                                   \
            }                                                                                                          \
    } while (0)

static void narrow(wn_dtype d, const void *from, int64_t step, int64_t n, uint32_t *restrict key) {
    switch (d) {
    case WN_F32: EACH(uint32_t, uint32_t, key_f32(v)); break;
    case WN_F16: EACH(uint16_t, uint32_t, key_half(v, 0x7c00)); break;
    case WN_BF16: EACH(uint16_t, uint32_t, key_half(v, 0x7f80)); break;
    case WN_I32: EACH(uint32_t, uint32_t, v ^ 0x80000000u); break;
    case WN_I16: EACH(uint16_t, uint32_t, v ^ 0x8000u); break;
    case WN_I8: EACH(uint8_t, uint32_t, v ^ 0x80u); break;
    case WN_BOOL: EACH(uint8_t, uint32_t, v != 0); break;
    default: EACH(uint8_t, uint32_t, v); break;
    }
}

static void wide(wn_dtype d, const void *from, int64_t step, int64_t n, uint64_t *restrict key) {
    enum { SOME = 256 };
    if (d == WN_F64) EACH(uint64_t, uint64_t, key_f64(v));
    else if (d == WN_I64) EACH(uint64_t, uint64_t, v ^ (uint64_t)1 << 63);
    else
        for (int64_t i = 0; i < n; i += SOME) {
            uint32_t some[SOME];
            const int64_t m = n - i < SOME ? n - i : SOME;
            narrow(d, (const char *)from + i * step * (int64_t)wn_dtype_size(d), step, m, some);
            for (int64_t k = 0; k < m; k++) key[i + k] = some[k];
        }
}

/* Seldom any: the whole, then pieces are passed by at the speed of vectors. */
enum { PIECE = 32 };
#define BELOW(T, name)                                                                                                 \
    static inline T least_##name(const T *key, int n, T flip) {                                                        \
        T low = (T)-1;                                                                                                 \
        for (int k = 0; k < n; k++) {                                                                                  \
            const T v = key[k] ^ flip;                                                                                 \
            low = v < low ? v : low;                                                                                   \
        }                                                                                                              \
        return low;                                                                                                    \
    }                                                                                                                  \
    static int name(const T *key, int n, T flip, T bar, uint16_t *at) {                                                \
        int found = 0;                                                                                                 \
        if (least_##name(key, n, flip) >= bar) return 0;                                                               \
        for (int i = 0; i < n; i += PIECE) {                                                                           \
            const int m = n - i < PIECE ? n - i : PIECE;                                                               \
            if (m == PIECE && least_##name(key + i, PIECE, flip) >= bar) continue;                                     \
            for (int k = 0; k < m; k++) {                                                                              \
                at[found] = (uint16_t)(i + k);                                                                         \
                found += (key[i + k] ^ flip) < bar;                                                                    \
            }                                                                                                          \
        }                                                                                                              \
        return found;                                                                                                  \
    }
BELOW(uint32_t, below32)
BELOW(uint64_t, below64)

const wn__key_kernels WN_AT_LEVEL(wn__key_kernels) = {narrow, wide, below32, below64, network32, network52, network_pairs};
