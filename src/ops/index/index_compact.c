/* Compaction: the elements whose bit is set, moved together (masked_select), and the reverse (masked_scatter). */
#include "base/level.h"
#include "ops/index/index.h"

/* 64 elements are treated by how many of them count: none, all, or bit by bit. Where the processor can do better with many, it does
 * the whole words (index_compact_x86.c). */
#define COMPACT(T)                                                                                                     \
    static char *compact_##T(const char *src, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, char *dst) { \
        T *out = (T *)(void *)dst;                                                                                     \
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
    (void)room;
#if defined(__x86_64__)
    if (stride == (int64_t)size && wn__cpu_level() >= WN__LEVEL_AVX2) {
        int64_t done = 0;
        dst = wn__compact_x86(size, src, bits, at, n, dst, room, &done);
        src += (size_t)done * size;
        at += done;
        n -= done;
    }
#endif
    switch (size) {
    case 1: return compact_uint8_t(src, stride, bits, at, n, dst);
    case 2: return compact_uint16_t(src, stride, bits, at, n, dst);
    case 4: return compact_uint32_t(src, stride, bits, at, n, dst);
    default: return compact_uint64_t(src, stride, bits, at, n, dst);
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
