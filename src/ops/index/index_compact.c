/* Compaction: the elements whose bit is set, moved together (masked_select), and the reverse (masked_scatter). */
#include "base/inline.h"
#include "base/level.h"
#include "ops/index/index.h"

#define BODY "ops/index/index_compact_of.h"
#include "base/for_sizes.h"

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
    return BY_SIZE(size, compact, src, stride, bits, at, n, dst);
}
const char *wn__spread(size_t size, char *dst, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, const char *src) {
    return BY_SIZE(size, spread, dst, stride, bits, at, n, src);
}
