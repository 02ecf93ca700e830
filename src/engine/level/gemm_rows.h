/* Rows of images for the convolutions. A template like gemm_tile.h. Rows are short (14 or 28 elements), so they are moved in
 * whole vectors: what a store leaves past its end, the next store, which lies right behind it, writes again. */

/* Copies n elements, whole vectors while `room` elements may be read and written; adds `add`. */
INLINE void OF(copy_row)(T *dst, const T *src, int64_t n, int64_t room, T add) {
    int64_t i = 0;
    for (; i < n && i + LANES <= room; i += LANES) STOREV(dst + i, LOADV(src + i) + add);
    for (; i < n; i++) dst[i] = src[i] + add;
}

/* Zeros from to + i as far as to + end, in whole vectors. */
INLINE void OF(zeros_from)(T *to, int64_t i, int64_t end) {
    for (; i < end; i += LANES) STOREV(to + i, (V){0});
}

/* Rows of T, unit step: what masks leave out is not read. */
static void OF(pad_plain)(T *d, int64_t width, int64_t lead, int64_t n, int64_t rows, const T *src, int64_t row) {
    const int64_t whole = n / LANES * LANES;
    const PART_T part = PART(n - whole);
    OF(zeros_from)(d, 0, lead);
    d += lead;
    for (int64_t r = 0; r < rows; r++, d += width, src += row) {
        int64_t i = 0;
        for (; i < whole; i += LANES) STOREV(d + i, LOADV(src + i));
        if (i < n) {
            STOREV(d + i, LOAD_PART(src + i, part));
            i += LANES;
        }
        OF(zeros_from)(d, i, r + 1 < rows ? width : width - lead); /* those before the next row, too */
    }
}

/* Two vectors of a row of n elements from i on, and zeros past its end. */
INLINE void OF(load_two)(const T *src, int64_t i, int64_t n, PART_T p0, PART_T p1, V *a, V *b) {
    if (i + 2 * LANES <= n) *a = LOADV(src + i), *b = LOADV(src + i + LANES);
    else *a = LOAD_PART(src + i, p0), *b = LOAD_PART(src + i + LANES, p1);
}
INLINE int64_t OF(clip)(int64_t n) { return n < 0 ? 0 : n > LANES ? LANES : n; }

/* The same of every second element. */
static void OF(pad_evens)(T *d, int64_t width, int64_t lead, int64_t n, int64_t rows, const T *src, int64_t row) {
    const int64_t all = 2 * n - 1, rest = all - all / (2 * LANES) * (2 * LANES);
    const PART_T p0 = PART(OF(clip)(rest)), p1 = PART(OF(clip)(rest - LANES));
    OF(zeros_from)(d, 0, lead);
    d += lead;
    for (int64_t r = 0; r < rows; r++, d += width, src += row) {
        int64_t i = 0;
        for (; i < n; i += LANES) {
            V a, b;
            OF(load_two)(src, 2 * i, all, p0, p1, &a, &b);
            STOREV(d + i, EVENS(a, b));
        }
        OF(zeros_from)(d, i, r + 1 < rows ? width : width - lead);
    }
}

/* A vector at to + i, without what lies at `end` and behind it. */
INLINE void OF(store_until)(T *to, const T *end, V v) {
    if (end - to >= LANES) STOREV(to, v);
    else if (end > to) STORE_PART(to, PART(end - to), (int)(end - to), v);
}

static void OF(pad_split)(void *planes, int64_t apart, int64_t width, int64_t low, int64_t n, int64_t rows, const void *src, int64_t row) {
    const int64_t first = low > 0 ? low : 0, before = first - low, end = n < low + 2 * width ? n : low + 2 * width, all = end > first ? end - first : 0;
    const int64_t rest = all - all / (2 * LANES) * (2 * LANES);
    const PART_T p0 = PART(OF(clip)(rest)), p1 = PART(OF(clip)(rest - LANES));
    T *const second = (T *)planes + apart;
    const int64_t odd = before % 2, lead0 = (before + odd) / 2, lead1 = before / 2;
    const T *from = (const T *)src + first;
    for (int64_t r = 0; r < rows; r++, from += row) {
        T *d0 = (T *)planes + r * width, *d1 = second + r * width;
        for (int64_t i = 0; i < lead0; i += LANES) OF(store_until)(d0 + i, second, (V){0});
        OF(zeros_from)(d1, 0, lead1);
        d0 += lead0, d1 += lead1;
        int64_t i = 0;
        for (; 2 * i < all; i += LANES) {
            V a, b;
            OF(load_two)(from, 2 * i, all, p0, p1, &a, &b);
            const V evens = EVENS(a, b), odds = ODDS(a, b);
            OF(store_until)(d0 + i, second, odd ? odds : evens); /* rows of the second plane are there already */
            STOREV(d1 + i, odd ? evens : odds);
        }
        for (int64_t l = i; l < width - lead0; l += LANES) OF(store_until)(d0 + l, second, (V){0});
        OF(zeros_from)(d1, i, width - lead1);
    }
}

static void OF(pad_rows)(void *dst, int64_t width, int64_t lead, int64_t n, int64_t rows, const void *src, wn_dtype in,
                         int64_t row, int64_t step) {
    T *d = dst;
    if (in == (sizeof(T) == 4 ? WN_F32 : WN_F64) && (step == 1 || step == 2)) {
        (step == 1 ? OF(pad_plain) : OF(pad_evens))(d, width, lead, n, rows, src, row);
        return;
    }
    const int64_t isize = in == WN_F64 ? 8 : in == WN_F32 ? 4 : 2;
    for (int64_t r = 0; r < rows; r++, d += width) {
        OF(zeros_from)(d, 0, lead);
        OF(read)(d + lead, (const char *)src + r * row * isize, in, n, step);
        OF(zeros_from)(d, lead + n, width);
    }
}

static void OF(store_rows)(void *dst, wn_dtype out, int64_t row, int64_t step, int64_t n, int64_t rows, const void *src,
                           int64_t width, double add) {
    const T *s = src;
    const bool same = out == (sizeof(T) == 4 ? WN_F32 : WN_F64);
    if (same && step == 1) {
        for (int64_t r = 0; r < rows; r++, s += width) /* what hangs over lies in the next row, written after this one */
            OF(copy_row)((T *)dst + r * row, s, n, row == n ? n * (rows - r) : n, (T)add);
        return;
    }
    T buf[256];
    const int64_t osize = out == WN_F64 ? 8 : out == WN_F32 ? 4 : 2;
    for (int64_t r = 0; r < rows; r++, s += width) {
        for (int64_t i = 0; i < n; i += 256) {
            const int64_t m = n - i < 256 ? n - i : 256;
            for (int64_t l = 0; l < m; l++) buf[l] = s[i + l] + (T)add;
            OF(write)((char *)dst + (r * row + i * step) * osize, out, step, buf, m);
        }
    }
}

/* Rows may be shorter than a vector: the last vector of a run masks what it repeats, or what lies past the end, in both operands. */
typedef __typeof__((V){0} == (V){0}) OF(bits);
#define DOT_STEP(r) if (r < R) s.row##r.c0 += LOADV((const T *)arow[r] + o + i) * x;
#define DOT_LAST(r) if (r < R) s.row##r.c0 += (V)((OF(bits))LOADV((const T *)arow[r] + o + last) & keep) * x;
#define DOT_OUT(r) if (r < R) STOREV(sum[r], s.row##r.c0);
static WN__ONCE void OF(dot_ends)(int rows, T (*sum)[LANES], T *sums, int64_t step) {
    for (int r = 0; r < rows; r++) {
        for (int half = LANES / 2; half > 0; half /= 2)
            for (int l = 0; l < half; l++) sum[r][l] += sum[r][l + half];
        sums[r * step] += sum[r][0];
    }
}
INLINE void OF(dot_body)(const int R, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const T *b, T *sums, int64_t step) {
    OF(sums) s = {0};
    const int64_t whole = len / LANES * LANES, last = len >= LANES ? len - LANES : 0;
    T edge[LANES], sum[MR][LANES];
    for (int64_t l = 0; l < LANES; l++) edge[l] = last + l >= whole && last + l < len;
    const OF(bits) keep = LOADV(edge) != (V){0};
    for (int64_t q = 0; q < runs; q++, b += len) {
        const int64_t o = aoff[q];
        NO_UNROLL for (int64_t i = 0; i < whole; i += LANES) {
            const V x = LOADV(b + i);
            TILE_ROWS(DOT_STEP)
        }
        if (whole == len) continue;
        const V x = (V)((OF(bits))LOADV(b + last) & keep);
        TILE_ROWS(DOT_LAST)
    }
    TILE_ROWS(DOT_OUT)
    OF(dot_ends)(R, sum, sums, step);
}

#define DOT_ARGS int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const T *b, T *sums, int64_t step
#define DOT_INSTANCE(r) \
    static WN__ONCE void OF(dot_##r)(DOT_ARGS) { OF(dot_body)(r + 1, runs, len, arow, aoff, b, sums, step); }
TILE_ROWS_MR(DOT_INSTANCE)
#define DOT_NAME(r) OF(dot_##r),
static void OF(dot_runs)(int rows, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const void *b, void *sums, int64_t step) {
    static void (*const of[])(DOT_ARGS) = {TILE_ROWS_MR(DOT_NAME)};
    of[rows - 1](runs, len, arow, aoff, b, sums, step);
}
#undef DOT_STEP
#undef DOT_LAST
#undef DOT_OUT
#undef DOT_ARGS
#undef DOT_INSTANCE
#undef DOT_NAME
