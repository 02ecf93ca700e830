/* Transposing elements of type T: included by transpose.h behind as_u16.h and its kin. Tiles of N x N elements go
 * through registers, in log2(N) rounds of "interleave the first half of the rows with the second"; those that fill
 * lines of the destination are done one after the other, so that every line is touched once. */
#if N == 8
#define LOW 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH 4, 12, 5, 13, 6, 14, 7, 15
#elif N == 4
#define LOW 0, 4, 1, 5
#define HIGH 2, 6, 3, 7
#else
#define LOW 0, 2
#define HIGH 1, 3
#endif
typedef T OF(zip) __attribute__((vector_size(sizeof(T) * N)));
typedef T OF(loose_zip) __attribute__((vector_size(sizeof(T) * N), aligned(sizeof(T)), may_alias));

INLINE void OF(tile)(T *dst, int64_t to, const T *src, int64_t from) {
    OF(zip) x[N], y[N];
    _Pragma("GCC unroll 16") for (int i = 0; i < N; i++) x[i] = *(const OF(loose_zip) *)(const void *)(src + i * from);
    _Pragma("GCC unroll 4") for (int round = 1; round < N; round *= 2) {
        _Pragma("GCC unroll 16") for (int i = 0; i < N / 2; i++) {
            y[2 * i] = __builtin_shufflevector(x[i], x[i + N / 2], LOW);
            y[2 * i + 1] = __builtin_shufflevector(x[i], x[i + N / 2], HIGH);
        }
        _Pragma("GCC unroll 16") for (int i = 0; i < N; i++) x[i] = y[i];
    }
    _Pragma("GCC unroll 16") for (int i = 0; i < N; i++) *(OF(loose_zip) *)(void *)(dst + i * to) = x[i];
}

static void OF(transpose)(int64_t rows, int64_t n, T *dst, int64_t to, const T *src, int64_t from) {
    enum { LINE = 64 / sizeof(T) };
    int64_t i = 0;
    for (int64_t m; i + N <= n; i += m) {
        m = i + LINE <= n ? LINE : N;
        for (int64_t k = i + LINE; k < i + 2 * LINE && k < n; k++)
            for (int64_t r = 0; r < rows; r += LINE) __builtin_prefetch(src + k * from + r);
        int64_t r = 0;
        for (; r + N <= rows; r += N)
            for (int64_t k = i; k < i + m; k += N) OF(tile)(dst + r * to + k, to, src + k * from + r, from);
        for (; r < rows; r++)
            for (int64_t k = i; k < i + m; k++) dst[r * to + k] = src[k * from + r];
    }
    for (; i < n; i++)
        for (int64_t r = 0; r < rows; r++) dst[r * to + i] = src[i * from + r];
}
#undef LOW
#undef HIGH
#undef N
