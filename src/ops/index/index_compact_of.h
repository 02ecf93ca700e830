/* Elements as wide as T moved together and apart: included by index_compact.c behind as_i8.h to as_i64.h. */

/* 64 elements are treated by how many of them count: none, all, or bit by bit. Where the processor can do better with many, it does
 * the whole words (index_compact_x86.c). */
static char *OF(compact)(const char *src, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, char *dst) {
    T *out = (T *)(void *)dst;
    for (int64_t i = 0; i < n; i += 64, src += 64 * stride) {
        uint64_t w = wn__mask_word(bits, at + i, n - i < 64 ? n - i : 64);
        if (w == 0) continue;
        if (stride == (int64_t)sizeof(T)) {
            const T *x = (const T *)(const void *)src;
            if (w == ~(uint64_t)0) {
                memcpy(out, x, 64 * sizeof(T));
                out += 64;
                continue;
            }
            for (; w; w &= w - 1) *out++ = x[__builtin_ctzll(w)];
        } else {
            for (; w; w &= w - 1) *out++ = *(const T *)(const void *)(src + __builtin_ctzll(w) * stride);
        }
    }
    return (char *)out;
}

static const char *OF(spread)(char *dst, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, const char *src) {
    const T *in = (const T *)(const void *)src;
    for (int64_t i = 0; i < n; i += 64, dst += 64 * stride) {
        uint64_t w = wn__mask_word(bits, at + i, n - i < 64 ? n - i : 64);
        if (w == ~(uint64_t)0 && stride == (int64_t)sizeof(T)) {
            memcpy(dst, in, 64 * sizeof(T));
            in += 64;
            continue;
        }
        for (; w; w &= w - 1) *(T *)(void *)(dst + __builtin_ctzll(w) * stride) = *in++;
    }
    return (const char *)in;
}
