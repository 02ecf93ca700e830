/* The loops of the interpolation of bytes. */
#include <stdbool.h>
#include <string.h>
#include "engine/bytes.h"
#include "engine/level/this_level.h"

static inline uint8_t byte_of(int32_t sum, int shift) {
    const int32_t v = sum >> shift;
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}
static inline int32_t half_of(int shift) { return shift ? 1 << (shift - 1) : 0; }

/* Called with a number for `each`: the sums of a pixel stay in registers. */
static inline __attribute__((always_inline)) void along_pixels(int64_t n, const int64_t each, const int64_t *first, const int64_t *start, const int16_t *weight,
                                                               int shift, const uint8_t *x, uint8_t *restrict y) {
    const int32_t half = half_of(shift);
    for (int64_t i = 0; i < n; i++, y += each) {
        const int64_t taps = start[i + 1] - start[i];
        const int16_t *w = weight + start[i];
        const uint8_t *from = x + first[i] * each;
        for (int64_t c = 0; c < each; c++) {
            int32_t sum = half;
            if (taps == 2) sum += w[0] * from[c] + w[1] * from[each + c];
            else for (int64_t k = 0; k < taps; k++) sum += w[k] * from[k * each + c];
            y[c] = byte_of(sum, shift);
        }
    }
}
/* Pixels of three or four bytes as vectors of four, two taps at a time. A fourth byte that is none of the pixel's is read, and written before the
 * next pixel is: so the outputs that reach the row's last pixel are made by themselves. Returns how many outputs it made. */
#ifdef __AVX2__
#include <immintrin.h>
static inline __m128i load_pixel(const uint8_t *x) {
    int32_t v;
    memcpy(&v, x, sizeof v);
    return _mm_cvtsi32_si128(v);
}
static inline __m128i two_taps(__m128i a, __m128i b, int32_t weights) {
    return _mm_madd_epi16(_mm_cvtepu8_epi16(_mm_unpacklo_epi8(a, b)), _mm_set1_epi32(weights));
}
static int64_t along_fours(int64_t n, int64_t each, const int64_t *first, const int64_t *start, const int16_t *weight, int shift, const uint8_t *x, uint8_t *y) {
    const __m128i half = _mm_set1_epi32(half_of(shift)), count = _mm_cvtsi32_si128(shift);
    const int64_t last = n ? first[n - 1] + start[n] - start[n - 1] : 0;
    while (n > 0 && first[n - 1] + start[n] - start[n - 1] >= last) n--;
    for (int64_t i = 0; i < n; i++, y += each) {
        const int64_t taps = start[i + 1] - start[i];
        const int16_t *w = weight + start[i];
        const uint8_t *from = x + first[i] * each;
        __m128i sum = half;
        for (int64_t k = 0; k + 2 <= taps; k += 2, w += 2, from += 2 * each) {
            int32_t both;
            memcpy(&both, w, sizeof both);
            sum = _mm_add_epi32(sum, two_taps(load_pixel(from), load_pixel(from + each), both));
        }
        if (taps % 2) sum = _mm_add_epi32(sum, two_taps(load_pixel(from), _mm_setzero_si128(), (uint16_t)w[0]));
        sum = _mm_packs_epi32(_mm_sra_epi32(sum, count), sum);
        const int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));
        memcpy(y, &bytes, sizeof bytes);
    }
    return n;
}
/* 32 columns at a time: pairs of rows are interleaved and widened within halves of registers, as packing puts them together again. */
static inline __m256i pairs_of(__m256i both, bool high, int32_t weights) {
    const __m256i zero = _mm256_setzero_si256(), wide = high ? _mm256_unpackhi_epi8(both, zero) : _mm256_unpacklo_epi8(both, zero);
    return _mm256_madd_epi16(wide, _mm256_set1_epi32(weights));
}
static inline __m256i load_bytes(const uint8_t *x) { return _mm256_loadu_si256((const __m256i *)(const void *)x); }
static int64_t down_whole(int64_t n, int64_t taps, int64_t step, const int16_t *weight, int shift, const uint8_t *x, uint8_t *y) {
    const __m256i half = _mm256_set1_epi32(half_of(shift));
    const __m128i count = _mm_cvtsi32_si128(shift);
    int64_t i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i sum[4] = {half, half, half, half};
        for (int64_t k = 0; k < taps; k += 2) {
            const bool two = k + 1 < taps;
            int32_t weights = (uint16_t)weight[k];
            if (two) memcpy(&weights, weight + k, sizeof weights);
            const __m256i a = load_bytes(x + k * step + i), b = two ? load_bytes(x + (k + 1) * step + i) : _mm256_setzero_si256();
            const __m256i low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
            for (int h = 0; h < 2; h++) {
                sum[h] = _mm256_add_epi32(sum[h], pairs_of(low, h, weights));
                sum[2 + h] = _mm256_add_epi32(sum[2 + h], pairs_of(high, h, weights));
            }
        }
        for (int h = 0; h < 4; h++) sum[h] = _mm256_sra_epi32(sum[h], count);
        const __m256i low = _mm256_packs_epi32(sum[0], sum[1]), high = _mm256_packs_epi32(sum[2], sum[3]);
        _mm256_storeu_si256((__m256i *)(void *)(y + i), _mm256_packus_epi16(low, high));
    }
    return i;
}
#else
static int64_t along_fours(int64_t n, int64_t each, const int64_t *first, const int64_t *start, const int16_t *weight, int shift, const uint8_t *x, uint8_t *y) {
    return (void)n, (void)each, (void)first, (void)start, (void)weight, (void)shift, (void)x, (void)y, 0;
}
static int64_t down_whole(int64_t n, int64_t taps, int64_t step, const int16_t *weight, int shift, const uint8_t *x, uint8_t *y) {
    return (void)n, (void)taps, (void)step, (void)weight, (void)shift, (void)x, (void)y, 0;
}
#endif
static void along(int64_t n, int64_t each, const int64_t *first, const int64_t *start, const int16_t *weight, int shift, const uint8_t *x, uint8_t *y) {
    const int64_t done = each == 3 || each == 4 ? along_fours(n, each, first, start, weight, shift, x, y) : 0;
    if (each == 1) along_pixels(n, 1, first, start, weight, shift, x, y);
    else along_pixels(n - done, each, first + done, start + done, weight, shift, x, y + done * each);
}

static void down(int64_t n, int64_t taps, int64_t step, const int16_t *weight, int shift, const uint8_t *x, uint8_t *restrict y) {
    enum { CHUNK = 256 };
    int32_t sums[CHUNK];
    const int32_t half = half_of(shift);
    for (int64_t i = down_whole(n, taps, step, weight, shift, x, y); i < n; i += CHUNK) {
        const int64_t m = n - i < CHUNK ? n - i : CHUNK;
        for (int64_t o = 0; o < m; o++) sums[o] = half;
        for (int64_t k = 0; k < taps; k++) {
            const uint8_t *row = x + k * step + i;
            for (int64_t o = 0; o < m; o++) sums[o] += weight[k] * row[o];
        }
        for (int64_t o = 0; o < m; o++) y[i + o] = byte_of(sums[o], shift);
    }
}

extern const wn__bytes_table WN_AT_LEVEL(wn__bytes_table);
const wn__bytes_table WN_AT_LEVEL(wn__bytes_table) = {along, down};
