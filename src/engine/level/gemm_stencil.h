/* Sums over the taps of one channel (depthwise convolution), vectors along rows. A template, included for each type and width:
 * WIDTH (elements of a vector; with ONE_LANE 1, no vector), SN(name) (a name for this type and width). Up to 8 rows of the result stay in registers; a loaded
 * row serves the up to 3 taps of a column that see it. */
#ifndef ONE_LANE
typedef T SN(vec) __attribute__((vector_size(WIDTH * sizeof(T))));
typedef T SN(vecu) __attribute__((vector_size(WIDTH * sizeof(T)), aligned(sizeof(T)), may_alias));
#else
typedef T SN(vec);
typedef T SN(vecu);
#endif

/* One column of N taps added to R rows. */
INLINE void SN(column)(const int R, const int N, SN(vec) *sum, const T *w, const T *b, int64_t ldb) {
    _Pragma("GCC unroll 16") for (int i = 0; i < R + N - 1; i++) {
        const SN(vec) v = *(const SN(vecu) *)(b + i * ldb);
        if (i < R) sum[i] += v * w[0];
        if (N > 1 && i >= 1 && i - 1 < R) sum[i - 1 < 0 ? 0 : i - 1] += v * w[1];
        if (N > 2 && i >= 2) sum[i - 2 < 0 ? 0 : i - 2] += v * w[2];
    }
}

INLINE void SN(rows)(const int R, int64_t cols, int64_t columns, const wn__column *col, const T *w, const T *b, int64_t ldb, T *out, int64_t ldo, T add) {
    for (int64_t x = 0; x < cols; x += WIDTH) {
        const int64_t at = x + WIDTH <= cols ? x : cols - WIDTH; /* the last vector repeats some of the one before */
        SN(vec) sum[8]; /* not [R]: both compilers keep it in registers */
        _Pragma("GCC unroll 16") for (int r = 0; r < R; r++) sum[r] = (SN(vec)){0} + add;
        for (int64_t k = 0; k < columns; k++) {
            const T *from = b + col[k].offset + at, *weight = w + col[k].weight;
            if (col[k].n == 3) SN(column)(R, 3, sum, weight, from, ldb);
            else if (col[k].n == 2) SN(column)(R, 2, sum, weight, from, ldb);
            else SN(column)(R, 1, sum, weight, from, ldb);
        }
        _Pragma("GCC unroll 16") for (int r = 0; r < R; r++) *(SN(vecu) *)(out + r * ldo + at) = sum[r];
    }
}

#define STENCIL_ARGS int64_t cols, int64_t columns, const wn__column *col, const T *w, const T *b, int64_t ldb, T *out, int64_t ldo, T add
#define STENCIL_INSTANCE(R) \
    static WN__ONCE void SN(rows##R)(STENCIL_ARGS) { SN(rows)(R, cols, columns, col, w, b, ldb, out, ldo, add); }
STENCIL_INSTANCE(1)
STENCIL_INSTANCE(2)
STENCIL_INSTANCE(3)
STENCIL_INSTANCE(4)
STENCIL_INSTANCE(5)
STENCIL_INSTANCE(6)
STENCIL_INSTANCE(7)
STENCIL_INSTANCE(8)

static void SN(stencil)(int64_t rows, STENCIL_ARGS) {
    static void (*const of[])(STENCIL_ARGS) = {SN(rows1), SN(rows2), SN(rows3), SN(rows4), SN(rows5), SN(rows6), SN(rows7), SN(rows8)};
    for (int64_t blocks = (rows + 7) / 8; rows > 0; blocks--) { /* dealt evenly */
        const int64_t n = (rows + blocks - 1) / blocks;
        of[n - 1](cols, columns, col, w, b, ldb, out, ldo, add);
        rows -= n, b += n * ldb, out += n * ldo;
    }
}
#undef STENCIL_INSTANCE
#undef STENCIL_ARGS
#undef WIDTH
#undef SN
