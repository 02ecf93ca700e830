/* Index tensors to offsets, compiled once for each ISA level. Written for the vectoriser: no branch, and what is out of range shows
 * in a sign bit: v < 0, or size - 1 - v < 0. */
#include "engine/offsets.h"
#include "base/inline.h"
#include "engine/level/this_level.h"
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

INLINE bool offsets(const bool wide, const bool more, const void *p, const int64_t stride, int64_t n, int64_t size,
                    int64_t step, int64_t add, int64_t *restrict to) {
    const int64_t *restrict longs = p;
    const int32_t *restrict ints = p;
    int64_t far = 0;
    for (int64_t j = 0; j < n; j++) {
        int64_t v = wide ? longs[j * stride] : ints[j * stride];
        v += v < 0 ? size : 0;
        far |= v | (size - 1 - v);
        to[j] = (more ? to[j] : 0) + (v * step + add);
    }
    return far >= 0;
}
#define OFFSETS(name, wide, more)                                                                                      \
    static bool name(const void *p, int64_t by, int64_t n, int64_t size, int64_t step, int64_t add, int64_t *restrict to) { \
        return by == 1 ? offsets(wide, more, p, 1, n, size, step, add, to) : offsets(wide, more, p, by, n, size, step, add, to); }
OFFSETS(set_i64, true, false)
OFFSETS(set_i32, false, false)
OFFSETS(add_i64, true, true)
OFFSETS(add_i32, false, true)

static bool in_range(const int64_t *p, int64_t stride, int64_t n, int64_t size) {
    int64_t far = 0;
    if (stride == 1)
        for (int64_t j = 0; j < n; j++) far |= p[j] | (size - 1 - p[j]);
    else
        for (int64_t j = 0; j < n; j++) far |= p[j * stride] | (size - 1 - p[j * stride]);
    return far >= 0;
}

static int64_t in_band(const int64_t *p, int64_t stride, int64_t n, int64_t lo, int64_t span, int64_t *restrict v, int64_t *restrict at) {
    int64_t m = 0, j = 0;
#if defined(__AVX512F__)
    const __m512i from = _mm512_set1_epi64(lo), width = _mm512_set1_epi64(span), next = _mm512_set1_epi64(8);
    __m512i place = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    for (; stride == 1 && j + 8 <= n; j += 8, place = _mm512_add_epi64(place, next)) {
        __m512i x = _mm512_loadu_si512(p + j);
        __mmask8 in = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(x, from), width);
        _mm512_storeu_si512(v + m, _mm512_maskz_compress_epi64(in, x)); /* in full: compressing to memory is slow */
        _mm512_storeu_si512(at + m, _mm512_maskz_compress_epi64(in, place));
        m += __builtin_popcount(in);
    }
#endif
    for (; j < n; j++) {
        v[m] = p[j * stride];
        at[m] = j;
        m += (uint64_t)(v[m] - lo) < (uint64_t)span;
    }
    return m;
}

#if defined(__AVX512F__)
enum { FAST_BANDS = true };
#else
enum { FAST_BANDS = false };
#endif
const wn__offset_kernels WN_AT_LEVEL(wn__offset_kernels) = {{set_i64, set_i32}, {add_i64, add_i32}, in_range, in_band, FAST_BANDS};
