/* Rows of images for the convolutions. A template like gemm_tile.h. Rows are short (14 or 28 elements), so they are moved in
 * whole vectors: what a store leaves past its end, the next store, which lies right behind it, writes again. */

/* Copies n elements, whole vectors while `room` elements may be read and written; adds `add`. */
INLINE void NAME(copy_row)(T *dst, const T *src, int64_t n, int64_t room, T add) {
    int64_t i = 0;
    for (; i < n && i + LANES <= room; i += LANES) STOREV(dst + i, LOADV(src + i) + add);
    for (; i < n; i++) dst[i] = src[i] + add;
}

/* Every second of 2 n - 1 elements, whole vectors while `room` elements may be read. */
INLINE void NAME(copy_evens)(T *dst, const T *src, int64_t n, int64_t room) {
    int64_t i = 0;
    for (; i < n && 2 * (i + LANES) <= room; i += LANES) STOREV(dst + i, EVENS(LOADV(src + 2 * i), LOADV(src + 2 * i + LANES)));
    for (; i < n; i++) dst[i] = src[2 * i];
}

#ifdef MASKED_LOAD
enum { NAME(MASKED) = 4 }; /* vectors of a row at most */

/* Short rows, zeros and all in whole vectors: what masks leave out is neither read nor kept. step: 1 or 2. */
static void NAME(pad_masked)(T *d, int64_t width, int64_t lead, int64_t n, int64_t rows, const T *src, int64_t row, int64_t step) {
    unsigned keep[NAME(MASKED)][2];
    const int64_t vectors = (width + LANES - 1) / LANES;
    for (int64_t v = 0; v < vectors; v++) {
        uint64_t mask = 0; /* of the elements that make this vector: LANES, or twice as many and every second of them */
        for (int64_t l = 0; l < LANES; l++)
            if (v * LANES + l >= lead && v * LANES + l < lead + n) mask |= UINT64_C(1) << (l * step);
        keep[v][0] = (unsigned)(mask & ((UINT64_C(1) << LANES) - 1)), keep[v][1] = (unsigned)(mask >> LANES);
    }
    const T *from = src - lead * step;
    for (int64_t r = 0; r < rows; r++, d += width, from += row)
        for (int64_t v = 0; v < vectors; v++) {
            const T *at = from + v * LANES * step;
            V x = MASKED_LOAD(keep[v][0], at);
            if (step == 2) x = EVENS(x, (V)MASKED_LOAD(keep[v][1], at + LANES));
            STOREV(d + v * LANES, x);
        }
}

static void NAME(pad_split)(void *planes, int64_t apart, int64_t width, int64_t low, int64_t n, int64_t rows, const void *src, int64_t row) {
    enum { MOST = WN__SPLIT_WIDTH / LANES };
    unsigned keep[MOST][2];
    const int64_t vectors = (width + LANES - 1) / LANES;
    for (int64_t v = 0; v < vectors; v++) {
        uint64_t mask = 0;
        for (int64_t l = 0; l < 2 * LANES; l++)
            if (low + 2 * v * LANES + l >= 0 && low + 2 * v * LANES + l < n) mask |= UINT64_C(1) << l;
        keep[v][0] = (unsigned)(mask & ((UINT64_C(1) << LANES) - 1)), keep[v][1] = (unsigned)(mask >> LANES);
    }
    T *d = planes;
    const T *from = (const T *)src + low;
    for (int64_t r = 0; r < rows; r++, d += width, from += row)
        for (int64_t v = 0; v < vectors; v++) {
            const T *at = from + 2 * v * LANES;
            const V a = MASKED_LOAD(keep[v][0], at), b = MASKED_LOAD(keep[v][1], at + LANES);
            const int64_t left = width - v * LANES, end = r * width + (v + 1) * LANES; /* rows of the odd plane are there already */
            if (end <= apart || left >= LANES) STOREV(d + v * LANES, EVENS(a, b));
            else MASKED_STORE(d + v * LANES, (1u << left) - 1, EVENS(a, b));
            STOREV(d + apart + v * LANES, ODDS(a, b));
        }
}
#endif

static void NAME(pad_rows)(void *dst, int64_t width, int64_t lead, int64_t n, int64_t rows, const void *src, wn_dtype in,
                           int64_t row, int64_t step) {
    T *d = dst;
    const V zero = {0};
    const bool plain = in == (sizeof(T) == 4 ? WN_F32 : WN_F64) && (step == 1 || step == 2);
    const int64_t isize = in == WN_F64 ? 8 : in == WN_F32 ? 4 : 2, tail = width - lead - n;
#ifdef MASKED_LOAD
    if (plain && width <= NAME(MASKED) * LANES) {
        NAME(pad_masked)(d, width, lead, n, rows, src, row, step);
        return;
    }
#endif
    const bool led = tail > 0 && tail + lead <= LANES; /* the zeros behind a row are also those before the next */
    for (int64_t r = 0; r < rows; r++, d += width) {
        for (int64_t i = 0; i < lead && (r == 0 || !led); i += LANES) STOREV(d + i, zero);
        if (plain) { /* reading past the row is fine while a later row lies behind it */
            const T *from = (const T *)src + r * row;
            const int64_t room = (row >= 0 && r + 1 < rows ? row * (rows - 1 - r) : 0) + (n - 1) * step + 1;
            if (step == 1) NAME(copy_row)(d + lead, from, n, room, -(T)0);
            else NAME(copy_evens)(d + lead, from, n, room);
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

/* Rows may be shorter than a vector: the last vector of a run masks what it repeats, or what lies past the end, in both operands. */
typedef __typeof__((NAME(vec)){0} == (NAME(vec)){0}) NAME(bits);
#define DOT_STEP(r) if (r < R) c0_##r += LOADV((const T *)arow[r] + o + i) * x;
#define DOT_LAST(r) if (r < R) c0_##r += (V)((NAME(bits))LOADV((const T *)arow[r] + o + last) & keep) * x;
#define DOT_OUT(r) if (r < R) STOREV(sum[r], c0_##r);
INLINE void NAME(dot_body)(const int R, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const T *b, T *sums, int64_t step) {
    TILE_ROWS(TILE_DECLARE)
    const int64_t whole = len / LANES * LANES, last = len >= LANES ? len - LANES : 0;
    T edge[LANES], sum[MR][LANES];
    for (int64_t l = 0; l < LANES; l++) edge[l] = last + l >= whole && last + l < len;
    const NAME(bits) keep = LOADV(edge) != (V){0};
    for (int64_t q = 0; q < runs; q++, b += len) {
        const int64_t o = aoff[q];
        NO_UNROLL for (int64_t i = 0; i < whole; i += LANES) {
            const V x = LOADV(b + i);
            TILE_ROWS(DOT_STEP)
        }
        if (whole == len) continue;
        const V x = (V)((NAME(bits))LOADV(b + last) & keep);
        TILE_ROWS(DOT_LAST)
    }
    TILE_ROWS(DOT_OUT)
    TILE_ROWS(TILE_USED)
    for (int r = 0; r < R; r++) {
        for (int half = LANES / 2; half > 0; half /= 2)
            for (int l = 0; l < half; l++) sum[r][l] += sum[r][l + half];
        sums[r * step] += sum[r][0];
    }
}

#define DOT_ARGS int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const T *b, T *sums, int64_t step
#define DOT_INSTANCE(r) \
    __attribute__((noinline)) static void NAME(dot_##r)(DOT_ARGS) { NAME(dot_body)(r + 1, runs, len, arow, aoff, b, sums, step); }
TILE_ROWS_MR(DOT_INSTANCE)
#define DOT_NAME(r) NAME(dot_##r),
static void NAME(dot_runs)(int rows, int64_t runs, int64_t len, const void *const *arow, const int64_t *aoff, const void *b, void *sums, int64_t step) {
    static void (*const of[])(DOT_ARGS) = {TILE_ROWS_MR(DOT_NAME)};
    of[rows - 1](runs, len, arow, aoff, b, sums, step);
}
#undef DOT_STEP
#undef DOT_LAST
#undef DOT_OUT
#undef DOT_ARGS
#undef DOT_INSTANCE
#undef DOT_NAME
