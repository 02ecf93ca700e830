/* The innermost loops of indexing: blocks gathered, scattered, and folded (sums, products, extremes). */
#include "base/inline.h"
#include "ops/index/index.h"

/* Rows that lie far apart in a table larger than caches near by are fetched this many ahead: the processor cannot guess them. */
enum { AHEAD = 16, LINE = 64, MAX_LINES = 8, NEAR = 1 << 18 };

static inline bool counts(const wn__ix_block *b, int64_t i) { return (uint64_t)i - (uint64_t)b->lo < b->span; }

/* gcc 12 takes an ordinary function that only fetches for one that does nothing. */
INLINE void fetch_lines(const char *p, size_t bytes) {
    size_t far = bytes < MAX_LINES * LINE ? bytes : MAX_LINES * LINE;
    for (size_t k = 0; k < far; k += LINE) __builtin_prefetch(p + k);
    if (far > 1) __builtin_prefetch(p + far - 1); /* a row need not begin with a line */
}

/* So many rows of a block have one to fetch. */
static inline int64_t fetching(const wn__ix_block *b) { return (int64_t)b->span * b->step < NEAR ? 0 : b->n - AHEAD; }

/* Of a sum the slice, too: threads that have bands of the table skip slices. */
INLINE void fetch_ahead(const wn__ix_block *b, int64_t i, size_t bytes, bool slice) {
    int64_t v = b->index[(i + AHEAD) * b->row_index];
    if (!counts(b, v)) return;
    fetch_lines(b->table + (i + AHEAD) * b->row_table + v * b->step, bytes);
    if (slice) fetch_lines(b->slices + (i + AHEAD) * b->row_slices, bytes);
}

/* ------------------------------------------------------------------ one index for each row */

/* A row whose elements are next to each other on both sides. Short ones without a call: two moves, or four, that may overlap. */
INLINE void two_moves(char *restrict dst, const char *restrict src, size_t bytes, const size_t size) {
    memcpy(dst, src, size);
    memcpy(dst + bytes - size, src + bytes - size, size);
}
static inline void copy_row(char *restrict dst, const char *restrict src, size_t bytes) {
    if (bytes > 128) {
        memcpy(dst, src, bytes);
    } else if (bytes > 32) {
        for (size_t k = 0; k + 32 < bytes; k += 32) memcpy(dst + k, src + k, 32);
        memcpy(dst + bytes - 32, src + bytes - 32, 32);
    } else if (bytes >= 16) {
        two_moves(dst, src, bytes, 16);
    } else if (bytes >= 8) {
        two_moves(dst, src, bytes, 8);
    } else if (bytes >= 4) {
        two_moves(dst, src, bytes, 4);
    } else {
        for (size_t k = 0; k < bytes; k++) dst[k] = src[k];
    }
}

/* A row without gaps becomes one value. */
static void fill_row(size_t size, char *dst, const char *src, int64_t n) {
    char line[LINE];
    size_t bytes = (size_t)n * size, at = 0;
    for (size_t k = 0; k < LINE; k += size) memcpy(line + k, src, size);
    for (; at + LINE <= bytes; at += LINE) memcpy(dst + at, line, LINE);
    memcpy(dst + at, line, bytes - at);
}

INLINE void copy_strided(size_t size, char *dst, int64_t dstride, const char *src, int64_t sstride, int64_t n) {
    if (sstride == 0 && dstride == (int64_t)size) {
        fill_row(size, dst, src, n);
        return;
    }
    for (int64_t j = 0; j < n; j++, dst += dstride, src += sstride) wn__copy_element(dst, src, size);
}

/* bytes: of a row without gaps on either side; 0: there are gaps. */
INLINE bool move_each(const wn__ix_block *block, size_t size, const size_t bytes, const bool gather) {
    const wn__ix_block own = *block, *b = &own; /* in registers: a store might change *block */
    const int64_t fetch = fetching(b);
    bool all = true;
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t v = b->index[i * b->row_index];
        if (i < fetch) fetch_ahead(b, i, bytes ? bytes : 1, false);
        if (__builtin_expect(!counts(b, v), 0)) {
            all = false;
            continue;
        }
        char *s = b->slices + i * b->row_slices, *t = b->table + i * b->row_table + v * b->step;
        if (bytes) copy_row(gather ? s : t, gather ? t : s, bytes);
        else if (gather) copy_strided(size, s, b->in_slices, t, b->in_table, b->length);
        else copy_strided(size, t, b->in_table, s, b->in_slices, b->length);
    }
    return all;
}
/* Rows of a few usual lengths in a dozen instructions each: as many more of them are then on their way at once. */
INLINE bool move_rows(const wn__ix_block *b, size_t size, const bool gather) {
    const bool dense = b->in_table == (int64_t)size && b->in_slices == (int64_t)size;
    const size_t bytes = dense ? (size_t)b->length * size : 0;
    switch (bytes) {
    case 0: return move_each(b, size, 0, gather);
    case 16: return move_each(b, size, 16, gather);
    case 32: return move_each(b, size, 32, gather);
    case 64: return move_each(b, size, 64, gather);
    case 128: return move_each(b, size, 128, gather);
    default: return move_each(b, size, bytes, gather);
    }
}
#define MOVE_ROWS(size)                                                                                                \
    static bool gather_rows_##size(const wn__ix_block *b) { return move_rows(b, size, true); }                         \
    static bool scatter_rows_##size(const wn__ix_block *b) { return move_rows(b, size, false); }
MOVE_ROWS(1)
MOVE_ROWS(2)
MOVE_ROWS(4)
MOVE_ROWS(8)

/* ------------------------------------------------------------------ one index for each element; sums */

/* A row of one index for each element: where it begins, and how many indices count from 0 on. */
typedef struct row {
    const int64_t *index;
    char *slices, *table;
    int64_t length;
    uint64_t span;
} row;

#define BODY "ops/index/index_rows_of.h"
#include "base/for_numbers.h"

#define MOVES(N)                                                                                                       \
    static bool gather_##N(const wn__ix_block *b) { return each_##N(WN__IX_GATHER, b, 0); }                            \
    static bool scatter_##N(const wn__ix_block *b) { return each_##N(WN__IX_SCATTER, b, 0); }
MOVES(i8)
MOVES(i16)
MOVES(i32)
MOVES(i64)

/* 1, or 0 for a factor of 0 */
static uint8_t bool_factor(wn_val alpha) { return alpha.kind == WN_VAL_NONE || wn__val_f64(alpha) != 0; }
static bool add_bool(const wn__ix_block *b) { return each_u8(WN__IX_MAX, b, bool_factor(b->alpha)); }
static bool add_rows_bool(const wn__ix_block *b) { return rows_u8(WN__IX_MAX, b, bool_factor(b->alpha)); }

wn__ix_kernel wn__ix_kernel_for(wn__ix_mode mode, wn_dtype dtype, bool rows) {
    static const wn__ix_kernel move[2][2][4] = {
        {{gather_i8, gather_i16, gather_i32, gather_i64}, {gather_rows_1, gather_rows_2, gather_rows_4, gather_rows_8}},
        {{scatter_i8, scatter_i16, scatter_i32, scatter_i64}, {scatter_rows_1, scatter_rows_2, scatter_rows_4, scatter_rows_8}}};
#define FOLDS(N) {{add_##N, add_rows_##N}, {mul_##N, mul_rows_##N}, {min_##N, min_rows_##N}, {max_##N, max_rows_##N}}
    static const wn__ix_kernel fold[WN__DTYPES][4][2] = {
        [WN_F32] = FOLDS(f32), [WN_F64] = FOLDS(f64), [WN_I8] = FOLDS(i8), [WN_U8] = FOLDS(u8), [WN_I16] = FOLDS(i16), [WN_I32] = FOLDS(i32), [WN_I64] = FOLDS(i64),
        [WN_BOOL] = {{add_bool, add_rows_bool}, {min_u8, min_rows_u8}, {min_u8, min_rows_u8}, {max_u8, max_rows_u8}}}; /* "and" is the smaller one */
    const size_t size = wn__dtype_size(dtype);
    if (mode >= WN__IX_ADD) return fold[dtype][mode - WN__IX_ADD][rows];
    return move[mode == WN__IX_SCATTER][rows][size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
}
