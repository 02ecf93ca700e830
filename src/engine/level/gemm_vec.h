/* Few rows times a matrix, at the speed of memory: B is read once, in order. A template like gemm_tile.h.
 * The order of additions depends on k alone. */

/* One row segment of B as T: in place when it is T already, converted to buf otherwise. */
INLINE const T *OF(segment)(const void *b, wn_dtype in, int64_t at, int64_t n, T *buf) {
    switch (in) {
    case WN_F32:
        if (sizeof(T) == 4) return (const T *)((const float *)b + at);
        OF(read)(buf, (const float *)b + at, in, n, 1);
        return buf;
    case WN_F64:
        if (sizeof(T) == 8) return (const T *)((const double *)b + at);
        OF(read)(buf, (const double *)b + at, in, n, 1);
        return buf;
    default:
        OF(read)(buf, (const uint16_t *)b + at, in, n, 1);
        return buf;
    }
}

/* y[0..n) += four rows of B; n <= VEC_STEP. The tail takes the same operations in the same order. */
enum { OF(VEC_STEP) = 1024, OF(VEC_ROWS) = 4, OF(SWEEP) = 6 };
static void OF(vec_add)(int64_t n, const T *x, const T *const *rows, int nrows, T *y) {
    if (nrows == 4) {
        const T *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
        const T x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
        for (int64_t j = 0; j < n; j++) {
            T s = y[j];
            s += x0 * r0[j];
            s += x1 * r1[j];
            s += x2 * r2[j];
            s += x3 * r3[j];
            y[j] = s;
        }
        return;
    }
    for (int i = 0; i < nrows; i++)
        for (int64_t j = 0; j < n; j++) y[j] += x[i] * rows[i][j];
}

#if VEC_SWEEPS
/* y[i][0..n) += the products of x[i][0..R) and R rows of B, which stay in registers, NV vectors wide, while the rows of A pass: six rows of two
 * vectors, two sums and an element of A fill 16 registers. The lines `ahead` elements further are fetched into L2 meanwhile. */
INLINE void OF(sweep_block)(const int R, const int NV, int m, const T *x, int64_t ldx, const T *const *rows, int64_t ahead, T *y, int64_t ldy) {
    V b0[OF(SWEEP)], b1[OF(SWEEP)];
    _Pragma("GCC unroll 6") for (int r = 0; r < R; r++) {
        b0[r] = LOADV(rows[r]);
        b1[r] = NV > 1 ? (V)LOADV(rows[r] + LANES) : b0[r];
        if (ahead) __builtin_prefetch(rows[r] + ahead, 0, 2);
    }
    NO_UNROLL for (int i = 0; i < m; i++, x += ldx, y += ldy) {
        V s0 = LOADV(y), s1 = NV > 1 ? (V)LOADV(y + LANES) : s0;
        _Pragma("GCC unroll 6") for (int r = 0; r < R; r++) {
            const T a = x[r];
            s0 += a * b0[r];
            if (NV > 1) s1 += a * b1[r];
        }
        STOREV(y, s0);
        if (NV > 1) STOREV(y + LANES, s1);
    }
}
/* An element's sum takes one product after the other, however B's rows are grouped, here as in vec_add. */
INLINE void OF(sweep_rows)(const int R, int m, int64_t n, const T *x, int64_t ldx, const T *const *rows, int64_t ahead, T *y, int64_t ldy) {
    const T *at[OF(SWEEP)];
    int64_t j = 0;
    for (int r = 0; r < R; r++) at[r] = rows[r];
    for (; j + LANES <= n; j += 2 * LANES) {
        if (j + 2 * LANES <= n) OF(sweep_block)(R, 2, m, x, ldx, at, ahead, y + j, ldy);
        else OF(sweep_block)(R, 1, m, x, ldx, at, ahead, y + j, ldy);
        for (int r = 0; r < R; r++) at[r] += 2 * LANES;
    }
    for (j = n / LANES * LANES; j < n; j++)
        for (int i = 0; i < m; i++)
            for (int r = 0; r < R; r++) y[i * ldy + j] += x[i * ldx + r] * rows[r][j];
}
static WN__ONCE void OF(sweep)(int nrows, int m, int64_t n, const T *x, int64_t ldx, const T *const *rows, int64_t ahead, T *y, int64_t ldy) {
    if (nrows == OF(SWEEP)) {
        OF(sweep_rows)(OF(SWEEP), m, n, x, ldx, rows, ahead, y, ldy);
        return;
    }
    for (int r = 0; r < nrows; r++) OF(sweep_rows)(1, m, n, x + r, ldx, rows + r, 0, y, ldy);
}
#endif

static void OF(vec_cols)(int m, int64_t n, int64_t k, const void *xv, int64_t ldx, const void *b, wn_dtype in, int64_t ldb,
                         void *yv, int64_t ldy) {
    const bool sweeps = VEC_SWEEPS && m > 2; /* fewer gain nothing: B comes no faster */
    const T *x = xv;
    T *y = yv, buf[OF(SWEEP)][OF(VEC_STEP)];
    for (int i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) y[i * ldy + j] = 0;
    for (int64_t p = 0, most = sweeps ? OF(SWEEP) : OF(VEC_ROWS); p < k; p += most) {
        const int nrows = (int)(k - p < most ? k - p : most);
        for (int64_t j = 0; j < n; j += OF(VEC_STEP)) {
            const int64_t len = n - j < OF(VEC_STEP) ? n - j : OF(VEC_STEP);
            const T *rows[OF(SWEEP)];
            for (int i = 0; i < nrows; i++) rows[i] = OF(segment)(b, in, (p + i) * ldb + j, len, buf[i]);
#if VEC_SWEEPS
            const bool next = rows[0] != buf[0] && p + 2 * most <= k;
            if (sweeps) OF(sweep)(nrows, m, len, x + p, ldx, rows, next ? most * ldb : 0, y + j, ldy);
#endif
            for (int i = 0; i < m && !sweeps; i++) OF(vec_add)(len, x + i * ldx + p, rows, nrows, y + i * ldy + j);
        }
    }
}

/* Sums of products over a segment for R rows of B at once: several streams keep memory busier than one. A row's sum is
 * built in one way whatever R is: two vectors side by side, then their lanes, then what is left. */
INLINE void OF(vec_dot)(const int R, int64_t n, const T *x, const T *const *z, T *sum) {
    V s0[4], s1[4];
    int64_t i = 0;
    for (int r = 0; r < R; r++) s0[r] = s1[r] = (V){0};
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        const V x0 = LOADV(x + i), x1 = LOADV(x + i + LANES);
        for (int r = 0; r < R; r++) {
            if (R > 1) { /* two lines of each row a round, 1 KiB ahead */
                __builtin_prefetch(z[r] + i + 1024 / (int)sizeof(T));
                __builtin_prefetch(z[r] + i + 1024 / (int)sizeof(T) + LANES);
            }
            s0[r] += x0 * LOADV(z[r] + i);
            s1[r] += x1 * LOADV(z[r] + i + LANES);
        }
    }
    for (int r = 0; r < R; r++) {
        T lane[LANES];
        STOREV(lane, s0[r] + s1[r]);
        for (int h = LANES / 2; h > 0; h /= 2)
            for (int l = 0; l < h; l++) lane[l] += lane[l + h];
        T t = lane[0];
        for (int64_t p = i; p < n; p++) t += x[p] * z[r][p];
        sum[r] += t;
    }
}

/* y[i][0..R) for R rows of B. */
INLINE void OF(vec_rows)(const int R, int m, int64_t k, const T *x, int64_t ldx, const void *b, wn_dtype in, int64_t at,
                         int64_t ldb, T *y, int64_t ldy) {
    T buf[4][OF(VEC_STEP)];
    const T *z[4];
    for (int i = 0; i < m; i++)
        for (int r = 0; r < R; r++) y[i * ldy + r] = 0;
    for (int64_t p = 0; p < k; p += OF(VEC_STEP)) {
        const int64_t len = k - p < OF(VEC_STEP) ? k - p : OF(VEC_STEP);
        for (int r = 0; r < R; r++) z[r] = OF(segment)(b, in, at + r * ldb + p, len, buf[r]);
        for (int i = 0; i < m; i++) OF(vec_dot)(R, len, x + i * ldx + p, z, y + i * ldy);
    }
}

/* More rows of A: a block of them by three of B, all sums in registers (named, as in gemm_tile.h). */
#if VB == 64
#define DOTS_M 8
#define DOTS_ROWS(X) TILE_ROWS6(X) X(6) X(7)
#else
#define DOTS_M 4
#define DOTS_ROWS(X) X(0) X(1) X(2) X(3)
#endif
typedef struct OF(dot) {
    V c0, c1, c2;
} OF(dot);
#define DOTS_ROW(r) OF(dot) row##r;
typedef struct OF(dot_sums) {
    DOTS_ROWS(DOTS_ROW)
} OF(dot_sums);
INLINE void OF(dots_step)(const int R, V a, V b0, V b1, V b2, OF(dot) *s) {
    IN_REGISTER(a);
    s->c0 += a * b0;
    if (R > 1) s->c1 += a * b1;
    if (R > 2) s->c2 += a * b2;
}
INLINE void OF(dots_out)(const int R, OF(dot) s, V *lanes) {
    lanes[0] = s.c0;
    if (R > 1) lanes[DOTS_M] = s.c1;
    if (R > 2) lanes[2 * DOTS_M] = s.c2;
}
#define DOTS_STEP(r) if (r < M) OF(dots_step)(R, LOADV(x + r * ldx + i), b0, b1, b2, &s.row##r);
#define DOTS_OUT(r) if (r < M) OF(dots_out)(R, s.row##r, lanes + r);
/* The sum of each of `LANES` vectors, by halves: s[0] holds them. */
INLINE void OF(lane_sums)(V *s) {
    V t[LANES / 2];
    _Pragma("GCC unroll 8") for (int h = LANES / 2; h > 0; h /= 2) {
        _Pragma("GCC unroll 8") for (int i = 0; i < h; i++) t[i] = ZIP_LOW(s[i], s[i + h]) + ZIP_HIGH(s[i], s[i + h]);
        _Pragma("GCC unroll 8") for (int i = 0; i < h; i++) s[i] = t[i];
    }
}
/* y[r * ldy + q] += the products of row r of x and row q of z, n elements long. */
INLINE void OF(dots_body)(const int M, const int R, int64_t n, const T *x, int64_t ldx, const T *const *z, T *y, int64_t ldy) {
    V lanes[(3 * DOTS_M + LANES - 1) / LANES * LANES];
    for (int f = 0; f < (int)(sizeof lanes / sizeof *lanes); f++) lanes[f] = (V){0};
    int64_t i = 0;
    OF(dot_sums) s = {0};
    NO_UNROLL for (; i + LANES <= n; i += LANES) {
        const V b0 = LOADV(z[0] + i), b1 = LOADV(z[R > 1 ? 1 : 0] + i), b2 = LOADV(z[R > 2 ? 2 : 0] + i);
        for (int q = 0; q < R; q++) __builtin_prefetch(z[q] + i + 1024 / (int)sizeof(T));
        DOTS_ROWS(DOTS_STEP)
    }
    DOTS_ROWS(DOTS_OUT)
    for (int f = 0; f < R * DOTS_M; f += LANES) {
        OF(lane_sums)(lanes + f);
        for (int l = 0; l < LANES; l++) {
            const int r = (f + l) % DOTS_M, q = (f + l) / DOTS_M;
            if (r >= M || q >= R) continue;
            T t = lanes[f][l];
            for (int64_t p = i; p < n; p++) t += x[r * ldx + p] * z[q][p];
            y[r * ldy + q] += t;
        }
    }
}
#define DOTS_ARGS int64_t n, const T *x, int64_t ldx, const T *const *z, T *y, int64_t ldy
#define DOTS_OF(R, r) static WN__ONCE void OF(dots##R##_##r)(DOTS_ARGS) { OF(dots_body)(r + 1, R, n, x, ldx, z, y, ldy); }
#define DOTS_INSTANCE(r) DOTS_OF(1, r) DOTS_OF(3, r)
DOTS_ROWS(DOTS_INSTANCE)
#define DOTS1_NAME(r) OF(dots1_##r),
#define DOTS3_NAME(r) OF(dots3_##r),

/* y[0..m)[0..R) for R = 1 or 3 rows of B, a segment of k after the other; A's rows are dealt evenly to blocks. */
INLINE void OF(vec_blocks)(const int R, int m, int64_t k, const T *x, int64_t ldx, const void *b, wn_dtype in, int64_t at, int64_t ldb, T *y,
                           int64_t ldy) {
    static void (*const one[])(DOTS_ARGS) = {DOTS_ROWS(DOTS1_NAME)};
    static void (*const three[])(DOTS_ARGS) = {DOTS_ROWS(DOTS3_NAME)};
    const int blocks = (m + DOTS_M - 1) / DOTS_M;
    T buf[3][OF(VEC_STEP)];
    const T *z[3];
    for (int i = 0; i < m; i++)
        for (int q = 0; q < R; q++) y[i * ldy + q] = 0;
    for (int64_t p = 0; p < k; p += OF(VEC_STEP)) {
        const int64_t len = k - p < OF(VEC_STEP) ? k - p : OF(VEC_STEP);
        for (int q = 0; q < R; q++) z[q] = OF(segment)(b, in, at + q * ldb + p, len, buf[q]);
        for (int g = 0, r = 0; g < blocks; g++) {
            const int rows = m / blocks + (g < m % blocks);
            (R == 1 ? one : three)[rows - 1](len, x + r * ldx + p, ldx, z, y + r * ldy, ldy);
            r += rows;
        }
    }
}

static void OF(vec_dots)(int m, int64_t n, int64_t k, const void *x, int64_t ldx, const void *b, wn_dtype in, int64_t ldb,
                         void *y, int64_t ldy) {
    int64_t j = 0;
    if (m > WN__GEMM_FEW) {
        for (; j + 3 <= n; j += 3) OF(vec_blocks)(3, m, k, x, ldx, b, in, j * ldb, ldb, (T *)y + j, ldy);
        for (; j < n; j++) OF(vec_blocks)(1, m, k, x, ldx, b, in, j * ldb, ldb, (T *)y + j, ldy);
        return;
    }
    for (; j + 4 <= n; j += 4) OF(vec_rows)(4, m, k, x, ldx, b, in, j * ldb, ldb, (T *)y + j, ldy);
    for (; j < n; j++) OF(vec_rows)(1, m, k, x, ldx, b, in, j * ldb, ldb, (T *)y + j, ldy);
}
#undef DOTS_M
#undef DOTS_ROWS
