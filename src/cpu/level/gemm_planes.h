/* Depthwise sums over small planes whose rows lie end to end. Position i of the result sees in[i + shift[k]] through tap k where bit
 * i % LANES of mask[i / LANES * taps + k] is set (inside the image, and i < n); what a mask leaves out counts as zero and is not read, so that
 * nothing is padded. A template like gemm_tile.h. */
#if BYTES == 64
#define UNDER_MASK(mask, p) MASKED_LOAD(mask, p)
#else
INLINE V NAME(under_mask)(unsigned mask, const T *p) {
    if (sizeof(T) == 4) {
        const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        return (V)_mm256_maskload_ps((const float *)p, _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)mask), bits), bits));
    }
    const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
    return (V)_mm256_maskload_pd((const double *)p, _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((int64_t)mask), bits), bits));
}
#define UNDER_MASK(mask, p) NAME(under_mask)((mask), (p))
#endif

/* N vectors of the result at a time: their sums are independent. */
INLINE void NAME(plane_vectors)(const int N, int64_t n, int64_t taps, const T *w, const int64_t *shift, const uint16_t *mask, const T *in, T *out, T add) {
    V sum[4];
    _Pragma("GCC unroll 4") for (int v = 0; v < N; v++) sum[v] = (V){0} + add;
    NO_UNROLL for (int64_t k = 0; k < taps; k++) {
        const T *from = in + shift[k], x = w[k];
        _Pragma("GCC unroll 4") for (int v = 0; v < N; v++) sum[v] += UNDER_MASK(mask[v * taps + k], from + v * LANES) * x;
    }
    _Pragma("GCC unroll 4") for (int v = 0; v < N - 1; v++) STOREV(out + v * LANES, sum[v]);
    if (n >= N * LANES) {
        STOREV(out + (N - 1) * LANES, sum[N - 1]);
        return;
    }
    for (int64_t i = (N - 1) * LANES; i < n; i++) out[i] = sum[N - 1][i % LANES];
}

static void NAME(plane)(int64_t n, int64_t taps, const void *w, const int64_t *shift, const uint16_t *mask, const void *in, void *out, double add) {
    const T *x = in;
    T *y = out;
    for (; n > 0; n -= 4 * LANES, x += 4 * LANES, y += 4 * LANES, mask += 4 * taps) {
        if (n > 3 * LANES) NAME(plane_vectors)(4, n, taps, w, shift, mask, x, y, (T)add);
        else if (n > 2 * LANES) NAME(plane_vectors)(3, n, taps, w, shift, mask, x, y, (T)add);
        else if (n > LANES) NAME(plane_vectors)(2, n, taps, w, shift, mask, x, y, (T)add);
        else NAME(plane_vectors)(1, n, taps, w, shift, mask, x, y, (T)add);
    }
}

/* sums[k * LANES + lane] += in * dy over the positions that see tap k. */
static void NAME(plane_dots)(int64_t n, int64_t taps, const int64_t *shift, const uint16_t *mask, const void *in, const void *dy, void *sums) {
    const T *x = in, *g = dy;
    T *to = sums;
    NO_UNROLL for (int64_t k = 0; k < taps; k++, to += LANES) {
        const uint16_t *m = mask + k;
        V sum = LOADV(to);
        NO_UNROLL for (int64_t i = 0; i < n; i += LANES, m += taps) sum += UNDER_MASK(*m, x + i + shift[k]) * UNDER_MASK(*m, g + i);
        STOREV(to, sum);
    }
}

/* y[k] = the sum of the lanes at sums + k * LANES; whole vectors of both. */
static void NAME(plane_totals)(int64_t taps, const void *sums, void *y) {
    for (int64_t k = 0; k < taps; k += LANES) {
        V s[LANES];
        for (int l = 0; l < LANES; l++) s[l] = LOADV((const T *)sums + (k + l) * LANES);
        NAME(lane_sums)(s);
        STOREV((T *)y + k, s[0]);
    }
}
#undef UNDER_MASK
