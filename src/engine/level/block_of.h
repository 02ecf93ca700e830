/* Moving elements of type T inside a block: included by block.c behind as_u8.h and its kin. */
typedef T OF(vec) __attribute__((vector_size(VB)));
typedef T OF(loose) __attribute__((vector_size(VB), aligned(sizeof(T)), may_alias));

static inline T *OF(gather_bits)(uint64_t b, T *dst, const T *src) {
    for (; b; b &= b - 1) *dst++ = src[__builtin_ctzll(b)];
    return dst;
}
static inline const T *OF(scatter_bits)(uint64_t b, T *dst, const T *src) {
    for (; b; b &= b - 1) dst[__builtin_ctzll(b)] = *src++;
    return src;
}

INLINE void OF(gather)(int64_t words, const uint64_t *bits, T *dst, const T *src) {
    for (int64_t w = 0; w < words; w++, src += 64)
        if (bits[w])
            dst = ones(bits[w]) <= FEW ? OF(gather_bits)(bits[w], dst, src) : OF(gather_word)(bits[w], dst, src);
}
INLINE void OF(scatter)(int64_t words, const uint64_t *bits, T *dst, const T *src) {
    for (int64_t w = 0; w < words; w++, dst += 64)
        if (bits[w])
            src = ones(bits[w]) <= FEW ? OF(scatter_bits)(bits[w], dst, src) : OF(scatter_word)(bits[w], dst, src);
}

/* Whole registers are written, the last of a row reaching into the next row, which is written after it. */
INLINE void OF(splat)(int64_t rows, int64_t row, T *dst, const T *src) {
    const int64_t step = VN;
    if (row * (int64_t)sizeof(T) <= 8) { /* a word will do */
        for (int64_t r = 0; r < rows; r++, dst += row) {
            const uint64_t word = src[r] * (~(uint64_t)0 / (T)~(T)0);
            memcpy(dst, &word, sizeof word);
        }
        return;
    }
    for (int64_t r = 0; r < rows; r++, dst += row) {
        const OF(vec) v = src[r] - (OF(vec)){0};
        for (int64_t i = 0; i < row; i += step) *(OF(loose) *)(void *)(dst + i) = v;
    }
}

/* The source is read upwards: a descending stream is fetched ahead less well than stores wait. */
INLINE void OF(reverse)(int64_t rows, int64_t n, void *dst, int64_t to, const void *src, int64_t from) {
    for (int64_t r = 0; r < rows; r++) {
        const T *x = (const T *)(const void *)((const char *)src + r * from);
        T *restrict y = (T *)(void *)((char *)dst + r * to);
        for (int64_t i = 0; i < n; i++) y[n - 1 - i] = x[i];
    }
}
