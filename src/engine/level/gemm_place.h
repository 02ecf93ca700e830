/* Small products where they lie: nothing is packed, a tail of columns or of k is loaded and stored under a mask. A template like
 * gemm_tile.h, whose accumulators and ways out it shares. With pairs of bf16 an element is a pair. */

/* ------------------------------------------------------------------ a tile */

INLINE void OF(place_row)(const int NV, T *to, bool add, T alpha, PART_T part, int width, V c0, V c1) {
    (void)width;
    if (add) {
        if (NV > 1) c0 = LOADV(to) + alpha * c0, c1 = LOAD_PART(to + LANES, part) + alpha * c1;
        else c0 = LOAD_PART(to, part) + alpha * c0;
    }
    if (NV > 1) {
        STOREV(to, c0);
        STORE_PART(to + LANES, part, width, c1);
    } else {
        STORE_PART(to, part, width, c0);
    }
}
#define PLACE_OUT(r) if (r < R) OF(place_row)(NV, c + r * ldc, add, alpha, part, width, s.row##r.c0, s.row##r.c1);
/* A row's elements through one of five pointers, three rows apart: as many registers as there are for it. */
#define PLACE_A(r, on) (r < 3 ? a0 : r < 6 ? a3 : r < 9 ? a6 : r < 12 ? a9 : a12)[r % 3 * lda + (on)]
#ifndef PLACE_HALVES
#define PLACE_HALVES false
#endif
INLINE void OF(place_body)(const int R, const int NV, int cols, int64_t kc, const T *a0, int64_t lda, int64_t ska, const T *b,
                           int64_t ldb, T *c, int64_t ldc, const T *scale) {
    const int width = cols - (NV - 1) * LANES;
    const PART_T part = PART(width);
    const bool whole = VB < 64 && width == LANES; /* both compilers make a loop of its own of this */
    const T *a3 = R > 3 ? a0 + 3 * lda : a0, *a6 = R > 6 ? a0 + 6 * lda : a0, *a9 = R > 9 ? a0 + 9 * lda : a0, *a12 = R > 12 ? a0 + 12 * lda : a0;
    OF(sums) s = {0};
    int64_t p = 0;
#if STEPS > 1
    if (whole) {
        const int64_t round = STEPS * ska;
        for (; p + STEPS <= kc; p += STEPS, b += STEPS * ldb, a0 += round, a3 += round, a6 += round, a9 += round, a12 += round) {
            _Pragma("GCC unroll 4") for (int u = 0; u < STEPS; u++) {
                const T *bp = b + u * ldb;
                V b0 = LOADV(bp), b1 = LOADV(bp + (NV - 1) * LANES);
#define TILE_A(r) PLACE_A(r, u * ska)
                TILE_ROWS(TILE_STEP)
#undef TILE_A
                __asm__("" ::: "memory"); /* else the next step's vectors are loaded before these have been used, and sums are spilled */
            }
        }
    }
#endif
    NO_UNROLL for (; p < kc; p++) {
        V b1 = whole ? (V)LOADV(b + (NV - 1) * LANES) : LOAD_PART(b + (NV - 1) * LANES, part), b0 = NV > 1 ? (V)LOADV(b) : b1;
#define TILE_A(r) PLACE_A(r, 0)
        TILE_ROWS(TILE_STEP)
#undef TILE_A
        a0 += ska, a3 += ska, a6 += ska, a9 += ska, a12 += ska;
        b += ldb;
    }
    if (!PLACE_HALVES && (scale[1] == 1 || (scale[0] == 1 && scale[1] == 0))) {
        const bool add = scale[1] == 1;
        const T alpha = scale[0];
        TILE_ROWS(PLACE_OUT)
        return;
    }
    T tmp[MR * 2 * LANES], *to = tmp;
    const int64_t step = NV * LANES;
#ifdef HAS_HALVES_OUT
    if (PLACE_HALVES) {
        if (OF(halves_out)(R, NV, s, cols, (uint16_t *)(void *)c, ldc)) return;
        TILE_ROWS(TILE_OUT)
        OF(merge_halves)(R, NV, cols, tmp, (uint16_t *)(void *)c, ldc);
        return;
    }
#endif
    TILE_ROWS(TILE_OUT)
    OF(merge)(R, NV, cols, tmp, c, ldc, scale);
}

#define PLACE_ARGS                                                                                                     \
    int cols, int64_t kc, const T *a, int64_t lda, int64_t ska, const T *b, int64_t ldb, T *c, int64_t ldc, const T *scale
#define PLACE_OF(NV, r) \
    static WN__ONCE void OF(place##NV##_##r)(PLACE_ARGS) { OF(place_body)(r + 1, NV, cols, kc, a, lda, ska, b, ldb, c, ldc, scale); }
#define PLACE_INSTANCE(r) PLACE_OF(1, r) PLACE_OF(2, r)
TILE_ROWS_MR(PLACE_INSTANCE)

#define PLACE1_NAME(r) OF(place1_##r),
#define PLACE2_NAME(r) OF(place2_##r),
static void (*const OF(places)[2][MR])(PLACE_ARGS) = {{TILE_ROWS_MR(PLACE1_NAME)}, {TILE_ROWS_MR(PLACE2_NAME)}}; /* by vectors, rows */
#if VB == 64
static void OF(tile)(int rows, int cols, int64_t kc, const void *a, const void *b, int64_t ldb, void *c, int64_t ldc,
                     double alpha, double beta) {
    const T scale[3] = {(T)alpha, (T)beta};
    OF(places)[cols > LANES][rows - 1](cols, kc, a, 1, MR, b, ldb, c, ldc, scale);
}
#endif
INLINE void OF(place_all)(int64_t m, int64_t n, int64_t k, const T *a, int64_t lda, int64_t ska, const T *b, int64_t ldb, int64_t next,
                          char *c, int64_t ldc, int64_t size, const T *scale) {
    const int64_t panels = (m + MR - 1) / MR, base = m <= MR ? m : m / panels; /* a division costs as much as a small product */
    for (int64_t p = 0, r = 0; p < panels; p++) { /* rows dealt evenly, as in wn__panel_start */
        const int64_t w = base + (p < m - base * panels);
        const T *at = b;
        for (int64_t j = 0; j < n; j += 2 * LANES, at += next) {
            const int cols = (int)(n - j < 2 * LANES ? n - j : 2 * LANES);
            OF(places)[cols > LANES][w - 1](cols, k, a + r * lda, lda, ska, at, ldb, (T *)(void *)(c + (r * ldc + j) * size), ldc, scale);
        }
        r += w;
    }
}
static void OF(place)(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, int64_t ska, const void *b, int64_t ldb, int64_t next,
                      void *c, int64_t ldc, double alpha, double beta) {
    const T scale[3] = {(T)alpha, (T)beta};
    OF(place_all)(m, n, k, a, lda, ska, b, ldb, next, c, ldc, (int64_t)sizeof(T), scale);
}

#ifndef TILE_PACKED_ONLY
/* ------------------------------------------------------------------ dot products of rows */

/* The products of row r of x and row r of z, summed over lanes; the lanes still to be added. */
INLINE V OF(pair_lanes)(int64_t k, const T *x, const T *z) {
    V s = {0};
    int64_t p = 0;
    for (; p + LANES <= k; p += LANES) s += LOADV(x + p) * LOADV(z + p);
    if (p < k) {
        const PART_T rest = PART(k - p);
        s += LOAD_PART(x + p, rest) * LOAD_PART(z + p, rest);
    }
    return s;
}

/* y[r * step] = sum over p of x[r * ldx + p] * z[r * ldz + p], for LANES rows at a time: the halves of their sums are added in the
 * order in which one row's would be. */
static void OF(pair_dots)(int64_t rows, int64_t k, const void *xv, int64_t ldx, const void *zv, int64_t ldz, void *yv, int64_t step) {
    const T *x = xv, *z = zv;
    T *y = yv;
    if (k == 1) {
        for (int64_t r = 0; r < rows; r++) y[r * step] = 0 + x[r * ldx] * z[r * ldz];
        return;
    }
    for (; rows > 0; rows -= LANES) {
        const int w = rows < LANES ? (int)rows : LANES;
        V s[LANES];
        for (int r = 0; r < LANES; r++) s[r] = r < w ? OF(pair_lanes)(k, x + r * ldx, z + r * ldz) : (V){0};
        OF(lane_sums)(s);
        if (step == 1) {
            STORE_PART(y, PART(w), w, s[0]);
        } else {
            for (int r = 0; r < w; r++) y[r * step] = s[0][r];
        }
        x += w * ldx, z += w * ldz, y += w * step;
    }
}
#endif
#undef PART
#undef PART_T
#undef LOAD_PART
#undef STORE_PART
