/* Depthwise 3x3 over a plane where it lies (AVX2, f32): no copy with padding, so that a plane larger than the caches is read once, as one stream.
 * Up to 4 rows of the result stay in registers while the rows of the image that they see pass. Of a stride of two, even and odd columns are
 * taken apart within halves of vectors, the same way for every tap, and put in order when they are stored. */
#define DIRECT_ROWS 4

/* 8 columns of R rows from column c of the image on; EDGE: lanes outside 0..n are zero. */
INLINE void direct_block_f32(const int R, const int S, const int EDGE, const V *w, const float *const *in, int64_t c, int64_t n, float *out,
                             int64_t ldo, V add) {
    V sum[DIRECT_ROWS];
    __m256i mask[4];
    for (int v = 0; EDGE && v < 4; v++) { /* columns c, c + 8, c + 2, c + 10; of stride one c, c + 1, c + 2 */
        const int64_t at = c + (S == 2 ? v % 2 * 8 + v / 2 * 2 : v);
        const __m256i column = _mm256_add_epi32(_mm256_set1_epi32((int)at), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        mask[v] = _mm256_andnot_si256(_mm256_srai_epi32(column, 31), _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), column));
    }
#define DIRECT_AT(v, ahead) (EDGE ? (V)_mm256_maskload_ps(from + (ahead), mask[v]) : (V)LOADV(from + (ahead)))
    _Pragma("GCC unroll 4") for (int r = 0; r < R; r++) sum[r] = add;
    _Pragma("GCC unroll 9") for (int i = 0; i < S * (R - 1) + 3; i++) {
        const float *from = in[i] + c;
        V x0, x1, x2;
        if (S == 1) x0 = DIRECT_AT(0, 0), x1 = DIRECT_AT(1, 1), x2 = DIRECT_AT(2, 2);
        else {
            const V a = DIRECT_AT(0, 0), b = DIRECT_AT(1, 8), d = DIRECT_AT(2, 2), e = DIRECT_AT(3, 10);
            x0 = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
            x1 = __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
            x2 = __builtin_shufflevector(d, e, 0, 2, 8, 10, 4, 6, 12, 14);
        }
        _Pragma("GCC unroll 4") for (int r = 0; r < R; r++) {
            const int k = i - S * r;
            if (k < 0 || k > 2) continue;
            sum[r] += x0 * w[3 * k];
            sum[r] += x1 * w[3 * k + 1];
            sum[r] += x2 * w[3 * k + 2];
        }
    }
    _Pragma("GCC unroll 4") for (int r = 0; r < R; r++)
        STOREV(out + r * ldo, S == 1 ? sum[r] : __builtin_shufflevector(sum[r], sum[r], 0, 1, 4, 5, 2, 3, 6, 7));
#undef DIRECT_AT
}

#define DIRECT_ARGS const float *w, const float *const *in, int64_t left, int64_t n, const float *next, int64_t row, float *out, int64_t ldo, int64_t cols, float add
INLINE void direct_rows_f32(const int R, const int S, DIRECT_ARGS) {
    V weight[9];
    for (int k = 0; k < 9; k++) weight[k] = (V){0} + w[k];
    const V sum = (V){0} + add;
    for (int64_t x = 0; x < cols; x += 8) {
        const int64_t at = x + 8 <= cols ? x : cols - 8, c = S * at - left; /* the last vector repeats some of the one before */
        /* Of a stride of two each line once, 1.9 -> 1.6 ms for 4x96x112x112; no difference without one. */
        for (int r = 0; S == 2 && r < S * R; r++) __builtin_prefetch(next + r * row + c);
        if (c >= 0 && c + (S == 2 ? 18 : 10) <= n) direct_block_f32(R, S, 0, weight, in, c, n, out + at, ldo, sum);
        else direct_block_f32(R, S, 1, weight, in, c, n, out + at, ldo, sum);
    }
}

#define DIRECT_INSTANCE(R, S) \
    static WN__ONCE void direct_##R##_##S##_f32(DIRECT_ARGS) { direct_rows_f32(R, S, w, in, left, n, next, row, out, ldo, cols, add); }
DIRECT_INSTANCE(1, 1)
DIRECT_INSTANCE(2, 1)
DIRECT_INSTANCE(3, 1)
DIRECT_INSTANCE(4, 1)
DIRECT_INSTANCE(1, 2)
DIRECT_INSTANCE(2, 2)
DIRECT_INSTANCE(3, 2)
DIRECT_INSTANCE(4, 2)

static void direct_f32(const wn__direct *d, const float *src, const float *w, float *out, float add) {
    static void (*const of[2][DIRECT_ROWS])(DIRECT_ARGS) = {{direct_1_1_f32, direct_2_1_f32, direct_3_1_f32, direct_4_1_f32},
                                                            {direct_1_2_f32, direct_2_2_f32, direct_3_2_f32, direct_4_2_f32}};
    for (int64_t y = 0; y < d->rows; y += DIRECT_ROWS) {
        const int64_t rows = d->rows - y < DIRECT_ROWS ? d->rows - y : DIRECT_ROWS, first = y * d->step - d->top, seen = d->step * (rows - 1) + 3;
        const float *in[2 * (DIRECT_ROWS - 1) + 3];
        for (int64_t i = 0; i < seen; i++) in[i] = first + i >= 0 && first + i < d->height ? src + (first + i) * d->row : d->zeros;
        of[d->step - 1][rows - 1](w, in, d->left, d->width, src + (first + seen) * d->row, d->row, out + y * d->out_row, d->out_row, d->cols, add);
    }
}
