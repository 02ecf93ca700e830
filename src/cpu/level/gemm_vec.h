/* Few rows times a matrix, at the speed of memory: B is read once, in order. A template like gemm_tile.h.
 * The order of additions depends on k alone. */

/* One row segment of B as T: in place when it is T already, converted to buf otherwise. */
INLINE const T *NAME(segment)(const void *b, wn_dtype in, int64_t at, int64_t n, T *buf) {
    switch (in) {
    case WN_F32:
        if (sizeof(T) == 4) return (const T *)((const float *)b + at);
        NAME(load)(buf, (const float *)b + at, in, n, 1);
        return buf;
    case WN_F64:
        if (sizeof(T) == 8) return (const T *)((const double *)b + at);
        NAME(load)(buf, (const double *)b + at, in, n, 1);
        return buf;
    default:
        NAME(load)(buf, (const uint16_t *)b + at, in, n, 1);
        return buf;
    }
}

/* y[0..n) += four rows of B; n <= VEC_STEP. The tail takes the same operations in the same order. */
enum { NAME(VEC_STEP) = 1024, NAME(VEC_ROWS) = 4 };
static void NAME(vec_add)(int64_t n, const T *x, const T *const *rows, int nrows, T *y) {
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

static void NAME(vec_cols)(int m, int64_t n, int64_t k, const void *xv, int64_t ldx, const void *b, wn_dtype in, int64_t ldb,
                           void *yv, int64_t ldy) {
    const T *x = xv;
    T *y = yv, buf[NAME(VEC_ROWS)][NAME(VEC_STEP)];
    for (int i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) y[i * ldy + j] = 0;
    for (int64_t p = 0; p < k; p += NAME(VEC_ROWS)) {
        const int nrows = (int)(k - p < NAME(VEC_ROWS) ? k - p : NAME(VEC_ROWS));
        for (int64_t j = 0; j < n; j += NAME(VEC_STEP)) {
            const int64_t len = n - j < NAME(VEC_STEP) ? n - j : NAME(VEC_STEP);
            const T *rows[NAME(VEC_ROWS)];
            for (int i = 0; i < nrows; i++) rows[i] = NAME(segment)(b, in, (p + i) * ldb + j, len, buf[i]);
            for (int i = 0; i < m; i++) NAME(vec_add)(len, x + i * ldx + p, rows, nrows, y + i * ldy + j);
        }
    }
}

/* Sums of products over a segment for R rows of B at once: several streams keep memory busier than one. A row's sum is
 * built in one way whatever R is: two vectors side by side, then their lanes, then what is left. */
INLINE void NAME(vec_dot)(const int R, int64_t n, const T *x, const T *const *z, T *sum) {
    V s0[4], s1[4];
    int64_t i = 0;
    for (int r = 0; r < R; r++) s0[r] = s1[r] = (V){0};
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        const V x0 = LOADV(x + i), x1 = LOADV(x + i + LANES);
        for (int r = 0; r < R; r++) {
            __builtin_prefetch(z[r] + i + 1024 / (int)sizeof(T)); /* two lines of each row a round, 1 KiB ahead */
            __builtin_prefetch(z[r] + i + 1024 / (int)sizeof(T) + LANES);
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
INLINE void NAME(vec_rows)(const int R, int m, int64_t k, const T *x, int64_t ldx, const void *b, wn_dtype in, int64_t at,
                           int64_t ldb, T *y, int64_t ldy) {
    T buf[4][NAME(VEC_STEP)];
    const T *z[4];
    for (int i = 0; i < m; i++)
        for (int r = 0; r < R; r++) y[i * ldy + r] = 0;
    for (int64_t p = 0; p < k; p += NAME(VEC_STEP)) {
        const int64_t len = k - p < NAME(VEC_STEP) ? k - p : NAME(VEC_STEP);
        for (int r = 0; r < R; r++) z[r] = NAME(segment)(b, in, at + r * ldb + p, len, buf[r]);
        for (int i = 0; i < m; i++) NAME(vec_dot)(R, len, x + i * ldx + p, z, y + i * ldy);
    }
}

static void NAME(vec_dots)(int m, int64_t n, int64_t k, const void *x, int64_t ldx, const void *b, wn_dtype in, int64_t ldb,
                           void *y, int64_t ldy) {
    int64_t j = 0;
    for (; j + 4 <= n; j += 4) NAME(vec_rows)(4, m, k, x, ldx, b, in, j * ldb, ldb, (T *)y + j, ldy);
    for (; j < n; j++) NAME(vec_rows)(1, m, k, x, ldx, b, in, j * ldb, ldb, (T *)y + j, ldy);
}
