/* Moving elements inside a block: counting a mask, compacting, scattering, repeating values along rows. There is a
 * table for each instruction set level. Buffers that are written need 64 bytes behind their contents. */
#ifndef WN_ENGINE_BLOCK_H
#define WN_ENGINE_BLOCK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wn__block_kernels {
    /* Sets bit i of bits[] to (mask[i] != 0) == polarity, and bits from n on to 0. Returns how many are set. */
    int64_t (*scan)(const uint8_t *mask, int64_t n, bool polarity, uint64_t *bits);
    /* Copies the elements of src (of `size` bytes: 1, 4, 8) whose bits are set to dst, one after the other. */
    void (*gather)(size_t size, int64_t n, const uint64_t *bits, void *dst, const void *src);
    /* The reverse: consecutive elements of src go to places in dst whose bits are set. Reads src 64 bytes further. */
    void (*scatter)(size_t size, int64_t n, const uint64_t *bits, void *dst, const void *src);
    /* Copies src[r] to all of dst[r * row .. (r + 1) * row), for each of `rows` rows. */
    void (*splat)(size_t size, int64_t rows, int64_t row, void *dst, const void *src);
    /* Copies rows of n >= 1 bytes from src + r * from to dst + r * to; they do not overlap. */
    void (*move)(int64_t rows, size_t n, void *dst, int64_t to, const void *src, int64_t from);
    /* The same with the n elements of each row (1, 2, 4 or 8 bytes) in reverse order. Writes nothing behind a row. */
    void (*reverse)(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, const void *src, int64_t from);
    /* Transposes: dst[r * to + i] = src[i * from + r] for r < rows, i < n, in elements of 1, 2, 4 or 8 bytes. Writes
     * only that. */
    void (*transpose)(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, const void *src, int64_t from);
    /* Copies rows of n elements of 1, 2, 4 or 8 bytes, any distances in bytes between rows and elements; no overlap. */
    void (*elements)(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, int64_t step_to, const void *src, int64_t from, int64_t step_from);
} wn__block_kernels;
const wn__block_kernels *wn__block_now(void);
#endif
