/* Words of 64 elements as wide as T compacted: included by index_compact_x86.c behind as_i8.h to as_i64.h. */

AVX2 static inline T *OF(word)(const T *x, uint64_t w, T *out) {
    _Pragma("GCC unroll 16") for (int k = 0; k < 16; k++, x += 4, w >>= 4) {
        const unsigned m = w & 15;
        OF(four)(x, m, out);
        out += _mm_popcnt_u32(m);
    }
    return out;
}
AVX512 static inline T *OF(wide_word)(const T *x, uint64_t w, T *out) {
    enum { LANES = sizeof(T) == 8 ? 8 : 16 };
    for (int k = 0; k < 64 / LANES; k++, x += LANES, w >>= LANES) {
        const __mmask16 m = (__mmask16)(w & ((1u << LANES) - 1));
        OF(some)(x, m, out);
        out += _mm_popcnt_u32(m);
    }
    return out;
}

/* Walks over the words. */
AVX2 INLINE char *OF(words)(const bool wide, ARGS) {
    T *out = (T *)(void *)dst;
    const T *x = (const T *)(const void *)src, *end = (const T *)(const void *)room;
    int64_t i = 0;
    for (; i + 64 <= n && end - out >= 64; i += 64, x += 64) {
        uint64_t w = wn__mask_word(bits, at + i, 64);
        if (_mm_popcnt_u64(w) > FEW) out = wide ? OF(wide_word)(x, w, out) : OF(word)(x, w, out);
        else
            for (; w; w &= w - 1) *out++ = x[__builtin_ctzll(w)];
    }
    *done = i;
    return (char *)out;
}
AVX2 static char *OF(compact)(ARGS) { return OF(words)(false, src, bits, at, n, dst, room, done); }
AVX512 static char *OF(compact_wide)(ARGS) { return OF(words)(true, src, bits, at, n, dst, room, done); }
