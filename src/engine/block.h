/* Moving elements inside a block: counting a mask, compacting, scattering, repeating values along rows. One table for each
 * instruction set level. Rooms that are written need 64 bytes behind what they are to hold. */
#ifndef WN_ENGINE_BLOCK_H
#define WN_ENGINE_BLOCK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wn__block_kernels {
    /* Bit i of bits[] says whether (mask[i] != 0) == polarity; bits from n on are 0. How many are set. */
    int64_t (*scan)(const uint8_t *mask, int64_t n, bool polarity, uint64_t *bits);
    /* The elements of src (of `size` bytes: 1, 4, 8) whose bits are set, in order, to dst. */
    void (*gather)(size_t size, int64_t n, const uint64_t *bits, void *dst, const void *src);
    /* The reverse: consecutive elements of src to the places in dst whose bits are set; reads src up to 64 bytes further. */
    void (*scatter)(size_t size, int64_t n, const uint64_t *bits, void *dst, const void *src);
    /* src[r] to all of dst[r * row .. (r + 1) * row), for each of `rows` rows. */
    void (*splat)(size_t size, int64_t rows, int64_t row, void *dst, const void *src);
    /* Rows of n bytes, at least 1, from src + r * from to dst + r * to; they do not overlap. */
    void (*move)(int64_t rows, size_t n, void *dst, int64_t to, const void *src, int64_t from);
    /* Rows of n elements of 1, 2, 4 or 8 bytes, each backwards, likewise. Writes nothing behind a row. */
    void (*reverse)(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, const void *src, int64_t from);
    /* dst[r * to + i] = src[i * from + r] for rows r and i < n, elements of 1, 2, 4 or 8 bytes; steps count elements. Writes nothing behind dst. */
    void (*transpose)(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, const void *src, int64_t from);
    /* Rows of n elements of 1, 2, 4 or 8 bytes, any distance (in bytes) between rows and between the elements of a row; they do not overlap. */
    void (*elements)(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, int64_t step_to, const void *src, int64_t from, int64_t step_from);
} wn__block_kernels;
const wn__block_kernels *wn__block_now(void);
#endif
