/* Transposing what lies in memory: part of block.c, so compiled once for each instruction set level. Tiles of N x N elements go through
 * registers, in log2(N) rounds of "interleave the first half of the rows with the second"; those that
 * fill lines of the destination are done one after the other, so that every line is touched once. */

#define WN_ZIPS(T, N, LOW, HIGH)                                                                                                 \
    typedef T zip_##T __attribute__((vector_size(sizeof(T) * N)));                                                               \
    typedef T loose_zip_##T __attribute__((vector_size(sizeof(T) * N), aligned(sizeof(T)), may_alias));                          \
    static inline __attribute__((always_inline)) void tile_##T(T *dst, int64_t to, const T *src, int64_t from) {                  \
        zip_##T x[N], y[N];                                                                                                      \
        _Pragma("GCC unroll 16") for (int i = 0; i < N; i++) x[i] = *(const loose_zip_##T *)(const void *)(src + i * from);      \
        _Pragma("GCC unroll 4") for (int round = 1; round < N; round *= 2) {                                                     \
            _Pragma("GCC unroll 16") for (int i = 0; i < N / 2; i++) {                                                           \
                y[2 * i] = __builtin_shufflevector(x[i], x[i + N / 2], LOW);                                                     \
                y[2 * i + 1] = __builtin_shufflevector(x[i], x[i + N / 2], HIGH);                                                \
            }                                                                                                                    \
            _Pragma("GCC unroll 16") for (int i = 0; i < N; i++) x[i] = y[i];                                                    \
        }                                                                                                                        \
        _Pragma("GCC unroll 16") for (int i = 0; i < N; i++) *(loose_zip_##T *)(void *)(dst + i * to) = x[i];                    \
    }                                                                                                                            \
    static void transpose_##T(int64_t rows, int64_t n, T *dst, int64_t to, const T *src, int64_t from) {                          \
        enum { LINE = 64 / sizeof(T) };                                                                                          \
        int64_t i = 0;                                                                                                           \
        for (int64_t m; i + N <= n; i += m) {                                                                                    \
            m = i + LINE <= n ? LINE : N;                                                                                        \
            for (int64_t k = i + LINE; k < i + 2 * LINE && k < n; k++)                                                           \
                for (int64_t r = 0; r < rows; r += LINE) __builtin_prefetch(src + k * from + r);                                 \
            int64_t r = 0;                                                                                                       \
            for (; r + N <= rows; r += N)                                                                                        \
                for (int64_t k = i; k < i + m; k += N) tile_##T(dst + r * to + k, to, src + k * from + r, from);                  \
            for (; r < rows; r++)                                                                                                \
                for (int64_t k = i; k < i + m; k++) dst[r * to + k] = src[k * from + r];                                         \
        }                                                                                                                        \
        for (; i < n; i++)                                                                                                       \
            for (int64_t r = 0; r < rows; r++) dst[r * to + i] = src[i * from + r];                                              \
    }
#define LOW8 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH8 4, 12, 5, 13, 6, 14, 7, 15
#define LOW4 0, 4, 1, 5
#define HIGH4 2, 6, 3, 7
WN_ZIPS(uint16_t, 8, LOW8, HIGH8)
#if defined(__AVX__)
WN_ZIPS(uint32_t, 8, LOW8, HIGH8)
WN_ZIPS(uint64_t, 4, LOW4, HIGH4)
#else
#define LOW2 0, 2
#define HIGH2 1, 3
WN_ZIPS(uint32_t, 4, LOW4, HIGH4)
WN_ZIPS(uint64_t, 2, LOW2, HIGH2)
#endif

/* Bytes: one after the other in squares that stay in L1. */
static void transpose_uint8_t(int64_t rows, int64_t n, uint8_t *dst, int64_t to, const uint8_t *src, int64_t from) {
    enum { SQUARE = 32 };
    for (int64_t i = 0; i < n; i += SQUARE)
        for (int64_t r = 0; r < rows; r++)
            for (int64_t k = i; k < n && k < i + SQUARE; k++) dst[r * to + k] = src[k * from + r];
}

static void transpose(size_t size, int64_t rows, int64_t n, void *dst, int64_t to, const void *src, int64_t from) {
    if (size == 1) transpose_uint8_t(rows, n, dst, to, src, from);
    else if (size == 2) transpose_uint16_t(rows, n, dst, to, src, from);
    else if (size == 4) transpose_uint32_t(rows, n, dst, to, src, from);
    else transpose_uint64_t(rows, n, dst, to, src, from);
}
