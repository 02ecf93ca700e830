/* Compaction: the elements whose bit is set, moved together (masked_select), and the reverse (masked_scatter). */
#include "cpu/level.h"
#include "ops/index.h"

/* 64 elements are treated by how many of them count: none, all, few (bit by bit) or many (every element is stored, the place
 * moves on only behind one that counts: no branch to mispredict). */
enum { FEW = 24 };

/* Stores all n elements (at most 64), keeps the marked ones. Each eighth of the word begins at its own place, so that the eighths
 * do not wait for one another. */
#define MANY(T)                                                                                                        \
    static inline T *many_##T(const T *x, uint64_t w, T *out) {                                                        \
        for (int k = 0; k < 64; k += 8, x += 8, w >>= 8) {                                                             \
            T *o = out;                                                                                                \
            for (int i = 0; i < 8; i++) {                                                                              \
                *o = x[i];                                                                                             \
                o += w >> i & 1;                                                                                       \
            }                                                                                                          \
            out = o;                                                                                                   \
        }                                                                                                              \
        return out;                                                                                                    \
    }
MANY(uint8_t)
MANY(uint16_t)
MANY(uint32_t)
MANY(uint64_t)

static inline int ones(uint64_t v) {
    v -= v >> 1 & 0x5555555555555555u;
    v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(v * 0x0101010101010101u >> 56);
}

#define COMPACT(T)                                                                                                     \
    static char *compact_##T(const char *src, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, char *dst, const char *room) { \
        T *out = (T *)(void *)dst;                                                                                     \
        const T *end = (const T *)(const void *)room;                                                                  \
        for (int64_t i = 0; i < n; i += 64, src += 64 * stride) {                                                      \
            uint64_t w = wn__mask_word(bits, at + i, n - i < 64 ? n - i : 64);                                         \
            if (w == 0) continue;                                                                                      \
            if (stride == (int64_t)sizeof(T)) {                                                                        \
                const T *x = (const T *)(const void *)src;                                                             \
                if (w == ~(uint64_t)0) {                                                                               \
                    memcpy(out, x, 64 * sizeof(T));                                                                    \
                    out += 64;                                                                                         \
                    continue;                                                                                          \
                }                                                                                                      \
                if (n - i >= 64 && end - out > 64 && ones(w) > FEW) {                                                  \
                    out = many_##T(x, w, out);                                                                         \
                    continue;                                                                                          \
                }                                                                                                      \
                for (; w; w &= w - 1) *out++ = x[__builtin_ctzll(w)];                                                  \
            } else {                                                                                                   \
                for (; w; w &= w - 1) *out++ = *(const T *)(const void *)(src + __builtin_ctzll(w) * stride);          \
            }                                                                                                          \
        }                                                                                                              \
        return (char *)out;                                                                                            \
    }                                                                                                                  \
    static const char *spread_##T(char *dst, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, const char *src) { \
        const T *in = (const T *)(const void *)src;                                                                    \
        for (int64_t i = 0; i < n; i += 64, dst += 64 * stride) {                                                      \
            uint64_t w = wn__mask_word(bits, at + i, n - i < 64 ? n - i : 64);                                         \
            if (w == ~(uint64_t)0 && stride == (int64_t)sizeof(T)) {                                                   \
                memcpy(dst, in, 64 * sizeof(T));                                                                       \
                in += 64;                                                                                              \
                continue;                                                                                              \
            }                                                                                                          \
            for (; w; w &= w - 1) *(T *)(void *)(dst + __builtin_ctzll(w) * stride) = *in++;                           \
        }                                                                                                              \
        return (const char *)in;                                                                                       \
    }
COMPACT(uint8_t)
COMPACT(uint16_t)
COMPACT(uint32_t)
COMPACT(uint64_t)

char *wn__compact(size_t size, const char *src, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, char *dst, const char *room) {
    switch (size) {
    case 1: return compact_uint8_t(src, stride, bits, at, n, dst, room);
    case 2: return compact_uint16_t(src, stride, bits, at, n, dst, room);
    case 4: return compact_uint32_t(src, stride, bits, at, n, dst, room);
    default: return compact_uint64_t(src, stride, bits, at, n, dst, room);
    }
}
const char *wn__spread(size_t size, char *dst, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, const char *src) {
    switch (size) {
    case 1: return spread_uint8_t(dst, stride, bits, at, n, src);
    case 2: return spread_uint16_t(dst, stride, bits, at, n, src);
    case 4: return spread_uint32_t(dst, stride, bits, at, n, src);
    default: return spread_uint64_t(dst, stride, bits, at, n, src);
    }
}
