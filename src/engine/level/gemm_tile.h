/* The register tile: R rows x NV vectors of C stay in registers while k runs. A template, included behind as_f32.h or as_f64.h.
 * Rows are named variables guarded by `if (r < R)` with R a constant: both compilers then keep every accumulator in a
 * register, which they do not promise for arrays. No include guard: included once for each type. */

/* A vector where it lies. (By way of vectors.h, copies of bytes, gcc makes more of these tiles.) */
typedef T OF(unaligned) __attribute__((vector_size(VB), aligned(sizeof(T)), may_alias));
#define LOADV(p) (*(const OF(unaligned) *)(p))
#define STOREV(p, v) (*(OF(unaligned) *)(p) = (v))

/* The general way out of a tile: C = alpha * tile + beta * C over the columns that exist. */
static WN__ONCE void OF(merge)(int rows, int nv, int cols, const T *tile, T *c, int64_t ldc, const T *scale) {
    const T alpha = scale[0], beta = scale[1];
    for (int r = 0; r < rows; r++, c += ldc, tile += nv * LANES) {
        if (beta == 0) {
            for (int j = 0; j < cols; j++) c[j] = alpha * tile[j];
        } else if (beta == 1) {
            for (int j = 0; j < cols; j++) c[j] += alpha * tile[j];
        } else {
            for (int j = 0; j < cols; j++) c[j] = beta * c[j] + alpha * tile[j];
        }
    }
}

/* One vector of C's row by one element of A's column; f32 and f64 multiply elements, bf16 pairs of them (gemm_bf16.h). */
#ifndef TILE_MADD
#define TILE_MADD(c, b, x) ((c) += (b) * (x))
#endif

/* What becomes of a row: two registers of sums, of which the second is used where NV is 2. */
typedef struct OF(row) {
    V c0, c1;
} OF(row);
#define TILE_ROW(r) OF(row) row##r;
typedef struct OF(sums) {
    TILE_ROWS(TILE_ROW)
} OF(sums);

INLINE void OF(row_step)(const int NV, T x, V b0, V b1, OF(row) *s) {
    TILE_MADD(s->c0, b0, x);
    if (NV > 1) TILE_MADD(s->c1, b1, x);
}
INLINE void OF(row_out)(const int NV, T *to, OF(row) s) {
    STOREV(to, s.c0);
    if (NV > 1) STOREV(to + LANES, s.c1);
}
INLINE void OF(row_add)(const int NV, T *c, T alpha, OF(row) s) {
    STOREV(c, LOADV(c) + alpha * s.c0);
    if (NV > 1) STOREV(c + LANES, LOADV(c + LANES) + alpha * s.c1);
}
#define TILE_STEP(r) if (r < R) OF(row_step)(NV, TILE_A(r), b0, b1, &s.row##r);
#define TILE_OUT(r) if (r < R) OF(row_out)(NV, to + r * step, s.row##r);
#define TILE_ADD(r) if (r < R) OF(row_add)(NV, c + r * ldc, alpha, s.row##r);

/* A whole tile that replaces C, or that is added to it (or subtracted, as factorisations do), goes straight there, any other through a buffer.
 * scale = {alpha, beta} is in memory so that it takes no register while k runs. sure: it is known to be one of the former. */
INLINE void OF(finish)(const int R, const int NV, const bool sure, OF(sums) s, int cols, T *c, int64_t ldc, const T *scale) {
    T tmp[MR * 2 * LANES];
    const bool whole = sure || cols == NV * LANES;
    if (whole && scale[1] == 1) {
        const T alpha = scale[0];
        TILE_ROWS(TILE_ADD)
        return;
    }
    const bool straight = sure || (whole && scale[0] == 1 && scale[1] == 0);
    T *to = straight ? c : tmp;
    const int64_t step = straight ? ldc : NV * LANES;
    TILE_ROWS(TILE_OUT)
    if (!straight) OF(merge)(R, NV, cols, tmp, c, ldc, scale);
}

/* B at a fixed distance between rows (packed: nr) or by a table of offsets. */
INLINE void OF(tile_body)(const int R, const int NV, const int TABLE, int cols, int64_t kc, const T *a, const T *b,
                          int64_t ldb, const int64_t *boff, T *c, int64_t ldc, const T *scale) {
    OF(sums) s = {0};
    int64_t p = 0;
#if STEPS > 1
    const T *second = b + (NV - 1) * LANES; /* a register of its own: both loads then take the table's entry as an index */
    if (TABLE) __asm__("" : "+r"(second));
    for (; p + STEPS <= kc; p += STEPS, a += STEPS * MR, b += TABLE ? 0 : STEPS * ldb) {
        _Pragma("GCC unroll 4") for (int u = 0; u < STEPS; u++) {
            const T *bp = TABLE ? b + boff[p + u] : b + u * ldb;
            V b0 = LOADV(bp), b1 = LOADV(TABLE ? second + boff[p + u] : bp + (NV - 1) * LANES);
#define TILE_A(r) a[u * MR + r]
            TILE_ROWS(TILE_STEP)
#undef TILE_A
        }
    }
#endif
    NO_UNROLL for (; p < kc; p++) {
        const T *bp = TABLE ? b + boff[p] : b;
        V b0 = LOADV(bp), b1 = LOADV(bp + (NV - 1) * LANES);
#define TILE_A(r) a[r]
        TILE_ROWS(TILE_STEP)
#undef TILE_A
        a += MR;
        if (!TABLE) b += ldb;
    }
    OF(finish)(R, NV, TABLE, s, cols, c, ldc, scale);
}

/* One function for each (rows, vectors) and one switch for each kind. With AVX-512 the tiles are those of gemm_place.h: the four
 * instructions more to a step run beside its 28 fma. */
#if VB < 64
#define TILE_ARGS int cols, int64_t kc, const T *a, const T *b, int64_t ldb, T *c, int64_t ldc, const T *scale
#define TILE_OF(NV, r) \
    static WN__ONCE void OF(tile##NV##_##r)(TILE_ARGS) { OF(tile_body)(r + 1, NV, 0, cols, kc, a, b, ldb, 0, c, ldc, scale); }
#define TILE_INSTANCE(r) TILE_OF(1, r) TILE_OF(2, r)
TILE_ROWS_MR(TILE_INSTANCE)

#define TILE1_NAME(r) OF(tile1_##r),
#define TILE2_NAME(r) OF(tile2_##r),
static void OF(tile)(int rows, int cols, int64_t kc, const void *a, const void *b, int64_t ldb, void *c, int64_t ldc,
                     double alpha, double beta) {
    const T scale[2] = {(T)alpha, (T)beta};
    static void (*const one[])(TILE_ARGS) = {TILE_ROWS_MR(TILE1_NAME)};
    static void (*const two[])(TILE_ARGS) = {TILE_ROWS_MR(TILE2_NAME)};
    (cols <= LANES ? one : two)[rows - 1](cols, kc, a, b, ldb, c, ldc, scale);
}
#endif

/* A read where it lies, through one pointer for each row; B packed. */
INLINE void OF(runs_body)(const int R, const int NV, int cols, int64_t runs, int64_t len, const void *const *arow,
                          const int64_t *aoff, const T *b0p, const int64_t *boff, T *c, int64_t ldc, const T *scale) {
    OF(sums) s = {0};
    for (int64_t q = 0; q < runs; q++) {
        const int64_t o = aoff[q];
        const T *b = b0p + boff[q];
        int64_t p = o;
#if STEPS > 1
        for (; p + STEPS <= o + len; p += STEPS, b += STEPS * 2 * LANES) {
            _Pragma("GCC unroll 4") for (int u = 0; u < STEPS; u++) {
                V b0 = LOADV(b + u * 2 * LANES), b1 = LOADV(b + u * 2 * LANES + (NV - 1) * LANES);
#define TILE_A(r) ((const T *)arow[r])[p + u]
                TILE_ROWS(TILE_STEP)
#undef TILE_A
            }
        }
#endif
        NO_UNROLL for (; p < o + len; p++) {
            V b0 = LOADV(b), b1 = LOADV(b + (NV - 1) * LANES);
#define TILE_A(r) ((const T *)arow[r])[p]
            TILE_ROWS(TILE_STEP)
#undef TILE_A
            b += 2 * LANES;
        }
    }
    OF(finish)(R, NV, false, s, cols, c, ldc, scale);
}

#define RUNS_ARGS                                                                                                      \
    int cols, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const T *b, const int64_t *boff, T *c, int64_t ldc, \
    const T *scale
#define RUNS_OF(NV, r) \
    static WN__ONCE void OF(runs##NV##_##r)(RUNS_ARGS) { OF(runs_body)(r + 1, NV, cols, runs, len, arow, aoff, b, boff, c, ldc, scale); }
#define RUNS_INSTANCE(r) RUNS_OF(1, r) RUNS_OF(2, r)
TILE_ROWS_MR(RUNS_INSTANCE)

#define RUNS1_NAME(r) OF(runs1_##r),
#define RUNS2_NAME(r) OF(runs2_##r),
static void OF(tile_runs)(int rows, int cols, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff,
                          const void *b, const int64_t *boff, void *c, int64_t ldc, double alpha, double beta) {
    const T scale[2] = {(T)alpha, (T)beta};
    static void (*const one[])(RUNS_ARGS) = {TILE_ROWS_MR(RUNS1_NAME)};
    static void (*const two[])(RUNS_ARGS) = {TILE_ROWS_MR(RUNS2_NAME)};
    (cols <= LANES ? one : two)[rows - 1](cols, runs, len, arow, aoff, b, boff, c, ldc, scale);
}

#ifndef TILE_PACKED_ONLY
/* Columns in whole vectors, tile after tile in one call: beside a short k the way in and out of a function would count. What the next tile
 * replaces is fetched meanwhile. */
#define TABLE_ARGS int64_t cols, int64_t kc, const T *a, const T *b, const int64_t *boff, T *c, int64_t ldc, bool add
INLINE void OF(table_tile)(const int R, const int NV, int64_t kc, const T *a, const T *b, const int64_t *boff, T *c, int64_t ldc, bool add) {
    const T scale[2] = {1, add ? 1 : 0};
    for (int r = 0; r < R; r++) __builtin_prefetch(c + r * ldc + NV * LANES, 1);
    OF(tile_body)(R, NV, 1, NV * LANES, kc, a, b, 0, boff, c, ldc, scale);
}
INLINE void OF(table_body)(const int R, TABLE_ARGS) {
    for (; cols >= 2 * LANES; cols -= 2 * LANES, b += 2 * LANES, c += 2 * LANES) OF(table_tile)(R, 2, kc, a, b, boff, c, ldc, add);
    if (cols) OF(table_tile)(R, 1, kc, a, b, boff, c, ldc, add);
}
#define TABLE_INSTANCE(r) static WN__ONCE void OF(table_##r)(TABLE_ARGS) { OF(table_body)(r + 1, cols, kc, a, b, boff, c, ldc, add); }
TILE_ROWS_MR(TABLE_INSTANCE)

#define TABLE_NAME(r) OF(table_##r),
static void OF(tile_table)(int rows, int64_t cols, int64_t kc, const void *a, const void *b, const int64_t *boff, void *c, int64_t ldc, bool add) {
    static void (*const of[])(TABLE_ARGS) = {TILE_ROWS_MR(TABLE_NAME)};
    of[rows - 1](cols, kc, a, b, boff, c, ldc, add);
}
#endif
