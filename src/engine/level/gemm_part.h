/* The first n elements at p, 1..LANES, the other lanes zero; and back. mask is PART(n). AVX2's masked store is slow: there, and where
 * there are no masks, elements go by halves. */
#if VB == 64
#define PART_T uint16_t
#define PART(n) ((uint16_t)((1u << (n)) - 1))
#define LOAD_PART(p, mask) (sizeof(T) == 4 ? (V)_mm512_maskz_loadu_ps((mask), (p)) : (V)_mm512_maskz_loadu_pd((__mmask8)(mask), (p)))
#define STORE_PART(p, mask, n, v)                                                                                      \
    (sizeof(T) == 4 ? _mm512_mask_storeu_ps((p), (mask), (__m512)(v)) : _mm512_mask_storeu_pd((p), (__mmask8)(mask), (__m512d)(v)))
#else
INLINE void OF(copy_part)(T *to, const T *from, int n) {
    int i = 0;
    for (int h = LANES / 2; h > 0; h /= 2) {
        if (!(n & h)) continue;
        memcpy(to + i, from + i, (size_t)h * sizeof(T));
        i += h;
    }
}
INLINE void OF(store_part)(T *p, int n, V v) {
    if (n == LANES) {
        STOREV(p, v);
        return;
    }
    T x[LANES];
    STOREV(x, v);
    OF(copy_part)(p, x, n);
}
#define STORE_PART(p, mask, n, v) OF(store_part)((p), (n), (v))
#if VB == 32
INLINE __m256i OF(ones)(int n) {
    static const int32_t set[2 * 8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(const void *)(set + 8 - n * (int)(sizeof(T) / 4)));
}
#define PART_T __m256i
#define PART(n) OF(ones)((int)(n))
#define LOAD_PART(p, mask)                                                                                             \
    (sizeof(T) == 4 ? (V)_mm256_maskload_ps((const float *)(p), (mask)) : (V)_mm256_maskload_pd((const double *)(p), (mask)))
#else
INLINE V OF(load_part)(const T *p, int n) {
    if (n == LANES) return LOADV(p);
    T x[LANES] = {0};
    OF(copy_part)(x, p, n);
    return LOADV(x);
}
#define PART_T int
#define PART(n) ((int)(n))
#define LOAD_PART(p, mask) OF(load_part)((p), (mask))
#endif
#endif
