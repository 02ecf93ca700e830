/* Transposing what lies in memory: part of block.c, so compiled once for each instruction set level. */
#if defined(__AVX__)
#define REGISTER 32 /* bytes */
#else
#define REGISTER 16
#endif
#include "base/as_u16.h"
#define N 8
#include "engine/level/transpose_of.h"
#include "base/as_u32.h"
#define N (REGISTER / 4)
#include "engine/level/transpose_of.h"
#include "base/as_u64.h"
#define N (REGISTER / 8)
#include "engine/level/transpose_of.h"
#include "base/as_none.h"
#undef REGISTER

/* Bytes: one after the other in squares that stay in L1. */
static void transpose_u8(int64_t rows, int64_t n, uint8_t *dst, int64_t to, const uint8_t *src, int64_t from) {
    enum { SQUARE = 32 };
    for (int64_t i = 0; i < n; i += SQUARE)
        for (int64_t r = 0; r < rows; r++)
            for (int64_t k = i; k < n && k < i + SQUARE; k++) dst[r * to + k] = src[k * from + r];
}

static void transpose(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, const void *src, int64_t from) {
    if (size == 1) transpose_u8(rows, n, dst, to, src, from);
    else if (size == 2) transpose_u16(rows, n, dst, to, src, from);
    else if (size == 4) transpose_u32(rows, n, dst, to, src, from);
    else transpose_u64(rows, n, dst, to, src, from);
}
