/* Elements under a mask: bringing them together, counting them. */
#include "engine/reduce_parts.h"

enum { BLOCK = 64 };
/* -1: all bytes of a block are set, 0: none, 1: mixed. */
static inline int block_kind(const uint8_t *mask) {
    int zeros = 0;
    for (int i = 0; i < BLOCK; i++) zeros += mask[i] == 0;
    return zeros == 0 ? -1 : zeros == BLOCK ? 0 : 1;
}

/* Element i of x to number k of buf, which moves on only behind one that counts: no branch to mispredict. The store behind the last counting one
 * stays inside the room for n. */
INLINE int64_t placed(const size_t size, const char *x, int64_t i, const uint8_t *counts, char *buf, int64_t k) {
    memcpy(buf + k * (int64_t)size, x + i * (int64_t)size, size);
    return k + (*counts != 0);
}
INLINE int64_t compact(const size_t size, const char *x, int64_t stride, const uint8_t *mask, int64_t mstride, int64_t n, char *buf) {
    int64_t k = 0, i = 0;
    for (; stride == 1 && mstride == 1 && i + BLOCK <= n; i += BLOCK) {
        const int kind = block_kind(mask + i);
        if (kind == 0) continue;
        if (kind < 0) {
            memmove(buf + k * (int64_t)size, x + i * (int64_t)size, BLOCK * size);
            k += BLOCK;
            continue;
        }
        for (int64_t j = i; j < i + BLOCK; j++) k = placed(size, x, j, mask + j, buf, k);
    }
    for (; i < n; i++) k = placed(size, x, i * stride, mask + i * mstride, buf, k);
    return k;
}

int64_t WN_AT_LEVEL(wn__reduce_compact)(size_t size, const void *x, int64_t stride, const uint8_t *mask, int64_t mstride, int64_t n, void *buf) {
    if (mstride == 0) { /* one answer for all */
        if (n == 0 || !mask[0]) return 0;
        wn__reduce_gather(size, x, stride, n, buf);
        return n;
    }
    switch (size) {
    case 1: return compact(1, x, stride, mask, mstride, n, buf);
    case 2: return compact(2, x, stride, mask, mstride, n, buf);
    case 4: return compact(4, x, stride, mask, mstride, n, buf);
    default: return compact(8, x, stride, mask, mstride, n, buf);
    }
}

/* Counts of up to 255 in each byte of a register. */
typedef uint8_t byte_lanes __attribute__((vector_size(VB)));
typedef uint8_t byte_vector __attribute__((vector_size(VB), aligned(1), may_alias));
static inline int64_t sum_of_bytes(byte_lanes v) {
    const uint64_t every_second = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t of[VB / 8], s = 0;
    memcpy(of, &v, sizeof of);
    for (int j = 0; j < VB / 8; j++) s += (of[j] & every_second) + (of[j] >> 8 & every_second); /* four sums of at most 8 * 510 */
    return (int64_t)(s * UINT64_C(0x0001000100010001) >> 48);
}

int64_t WN_AT_LEVEL(wn__reduce_count)(const uint8_t *mask, int64_t mstride, int64_t n) {
    int64_t k = 0, i = 0;
    if (mstride == 0) return n && mask[0] ? n : 0;
    if (mstride == 1)
        for (byte_lanes set = {0}; i + VB <= n; k += sum_of_bytes(set), set = (byte_lanes){0})
            for (int64_t last = n - i < 255 * VB ? n : i + 255 * VB; i + VB <= last; i += VB) set -= (byte_lanes)(*(const byte_vector *)(mask + i) != 0);
    for (; i < n; i++) k += mask[i * mstride] != 0;
    return k;
}
