/* Rows of images for the convolutions. A template like gemm_tile.h. Rows are short (14 or 28 elements), so they are moved in
 * whole vectors: what a store leaves past its end, the next store, which lies right behind it, writes again. */

/* Copies n elements, whole vectors while `room` elements may be read and written; adds `add`. */
INLINE void NAME(copy_row)(T *dst, const T *src, int64_t n, int64_t room, T add) {
    int64_t i = 0;
    for (; i < n && i + LANES <= room; i += LANES) STOREV(dst + i, LOADV(src + i) + add);
    for (; i < n; i++) dst[i] = src[i] + add;
}

static void NAME(pad_rows)(void *dst, int64_t width, int64_t lead, int64_t n, int64_t rows, const void *src, wn_dtype in,
                           int64_t row, int64_t step) {
    T *d = dst;
    const V zero = {0};
    const bool plain = in == (sizeof(T) == 4 ? WN_F32 : WN_F64) && step == 1;
    const int64_t isize = in == WN_F64 ? 8 : in == WN_F32 ? 4 : 2;
    for (int64_t r = 0; r < rows; r++, d += width) {
        for (int64_t i = 0; i < lead; i += LANES) STOREV(d + i, zero);
        if (plain) { /* reading past the row is fine while a later row lies behind it */
            const int64_t room = row >= 0 && r + 1 < rows ? n + row * (rows - 1 - r) : n;
            NAME(copy_row)(d + lead, (const T *)src + r * row, n, room, -(T)0);
        } else {
            NAME(load)(d + lead, (const char *)src + r * row * isize, in, n, step);
        }
        for (int64_t i = lead + n; i < width; i += LANES) STOREV(d + i, zero);
    }
}

static void NAME(store_rows)(void *dst, wn_dtype out, int64_t row, int64_t step, int64_t n, int64_t rows, const void *src,
                             int64_t width, double add) {
    const T *s = src;
    const bool same = out == (sizeof(T) == 4 ? WN_F32 : WN_F64);
    if (same && step == 1) {
        for (int64_t r = 0; r < rows; r++, s += width) /* what hangs over lies in the next row, written after this one */
            NAME(copy_row)((T *)dst + r * row, s, n, row == n ? n * (rows - r) : n, (T)add);
        return;
    }
    T buf[256];
    const int64_t osize = out == WN_F64 ? 8 : out == WN_F32 ? 4 : 2;
    for (int64_t r = 0; r < rows; r++, s += width) {
        for (int64_t i = 0; i < n; i += 256) {
            const int64_t m = n - i < 256 ? n - i : 256;
            for (int64_t l = 0; l < m; l++) buf[l] = s[i + l] + (T)add;
            NAME(store)((char *)dst + (r * row + i * step) * osize, out, step, buf, m);
        }
    }
}

/* Rows may be shorter than a vector: whole vectors, then quarters of the widest one, then single elements. */
typedef T NAME(part) __attribute__((vector_size(16)));
typedef T NAME(partu) __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));
static void NAME(dot_runs)(int rows, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const void *bv,
                           void *sums, int64_t step) {
    enum { PART = 16 / (int)sizeof(T) };
    for (int r = 0; r < rows; r++) {
        const T *b = bv;
        V whole = {0};
        NAME(part) part = {0};
        T one = 0;
        for (int64_t q = 0; q < runs; q++, b += len) {
            const T *a = (const T *)arow[r] + aoff[q];
            int64_t i = 0;
            for (; i + LANES <= len; i += LANES) whole += LOADV(a + i) * LOADV(b + i);
            for (; i + PART <= len; i += PART) part += *(const NAME(partu) *)(a + i) * *(const NAME(partu) *)(b + i);
            for (; i < len; i++) one += a[i] * b[i];
        }
        for (int l = 0; l < PART; l++) one += part[l];
        for (int l = 0; l < LANES; l++) one += whole[l];
        ((T *)sums)[r * step] += one;
    }
}
