/* Blocks of T moved and folded at the places of an index: included by index_rows.c for every type. */

#include "ops/index/index_one_of.h"

/* ------------------------------------------------------------------ one index for each element */

/* Element j of a row; an index that does not count clears *all. */
INLINE void OF(place)(const wn__ix_mode m, const row *r, int64_t j, T alpha, const int64_t in_slices, const int64_t in_index, const int64_t in_table,
                      const int64_t step, bool *all) {
    const int64_t v = r->index[j * in_index];
    if (__builtin_expect((uint64_t)v >= r->span, 0)) {
        *all = false;
        return;
    }
    OF(one)(m, (T *)(void *)(r->slices + j * in_slices), (T *)(void *)(r->table + j * in_table + v * step), alpha);
}
INLINE void OF(row)(const wn__ix_mode m, const row *r, T alpha, const int64_t in_slices, const int64_t in_index, const int64_t in_table,
                    const int64_t step, bool *all) {
    for (int64_t j = 0; j < r->length; j++) OF(place)(m, r, j, alpha, in_slices, in_index, in_table, step, all);
}
/* The same for neighbours in the slices, put anywhere in one line of the table. */
INLINE void OF(row_by_fours)(const wn__ix_mode m, const row *r, T alpha, const int64_t size, bool *all) {
    _Pragma("GCC unroll 4") for (int64_t j = 0; j < r->length; j++) OF(place)(m, r, j, alpha, size, 1, 0, size, all);
}

/* The strides of a row are constants in the usual forms (the indexed dimension is the row's own, or, of moves and sums, another one), so that
 * the compiler sees them. */
INLINE bool OF(each)(const wn__ix_mode m, const wn__ix_block *b, T alpha) {
    const int64_t size = (int64_t)sizeof(T), step = b->step; /* a store might change *b */
    const int64_t in_slices = b->in_slices, in_index = b->in_index, in_table = b->in_table;
    row r = {.length = b->length, .span = b->span}; /* from 0: bands are for rows with one index */
    const bool dense = in_slices == size && in_index == 1, often = m <= WN__IX_ADD;
    bool all = true;
    for (int64_t i = 0; i < b->n; i++) {
        r.index = b->index + i * b->row_index;
        r.slices = b->slices + i * b->row_slices;
        r.table = b->table + i * b->row_table;
        if (dense && in_table == 0 && step == size) OF(row_by_fours)(m, &r, alpha, size, &all);
        else if (often && in_slices == 0 && in_index == 1 && in_table == 0 && step == size) OF(row)(m, &r, alpha, 0, 1, 0, size, &all); /* a number */
        else if (often && dense && in_table == size) OF(row)(m, &r, alpha, size, 1, size, step, &all);
        else OF(row)(m, &r, alpha, in_slices, in_index, in_table, step, &all);
    }
    return all;
}

/* ------------------------------------------------------------------ one index for each row */

/* Vectors of 16 bytes, and their elements as integers. */
typedef T OF(vec) __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));
typedef I OF(mask) __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));

/* As OF(folded), without a factor. */
INLINE OF(vec) OF(folded_vec)(const wn__ix_mode m, OF(vec) x, OF(vec) y) {
    if (m == WN__IX_ADD) return x + y;
    if (m == WN__IX_MUL) return x * y;
    const OF(mask) take = (OF(mask))(m == WN__IX_MIN ? y < x : y > x) | (OF(mask))IS_NAN(y);
    return (OF(vec))(((OF(mask))y & take) | ((OF(mask))x & ~take));
}

/* A row without gaps, 16 bytes at a time: each element is its own fold, so the order stays. */
INLINE void OF(line)(const wn__ix_mode m, T *t, const T *s, int64_t n, T alpha) {
    enum { LANES = 16 / sizeof(T) };
    int64_t j = 0;
    for (; alpha == 1 && j + LANES <= n; j += LANES) {
        OF(vec) *const at = (void *)(t + j);
        *at = OF(folded_vec)(m, *at, *(const OF(vec) *)(const void *)(s + j));
    }
    for (; j < n; j++) t[j] = OF(folded)(m, t[j], s[j], alpha);
}

INLINE bool OF(rows)(const wn__ix_mode m, const wn__ix_block *b, T alpha) {
    const int64_t size = (int64_t)sizeof(T), fetch = fetching(b);
    const bool dense = b->in_table == size && b->in_slices == size;
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t v = b->index[i * b->row_index];
        if (i < fetch) fetch_ahead(b, i, dense ? (size_t)(b->length * size) : 1, true);
        if (!counts(b, v)) continue;
        char *t = b->table + i * b->row_table + v * b->step, *s = b->slices + i * b->row_slices;
        if (dense) {
            OF(line)(m, (T *)(void *)t, (const T *)(void *)s, b->length, alpha);
            continue;
        }
        for (int64_t j = 0; j < b->length; j++, t += b->in_table, s += b->in_slices) OF(one)(m, (T *)(void *)s, (T *)(void *)t, alpha);
    }
    return true;
}

static bool OF(add)(const wn__ix_block *b) { return OF(each)(WN__IX_ADD, b, OF(factor)(b->alpha)); }
static bool OF(mul)(const wn__ix_block *b) { return OF(each)(WN__IX_MUL, b, 1); }
static bool OF(min)(const wn__ix_block *b) { return OF(each)(WN__IX_MIN, b, 1); }
static bool OF(max)(const wn__ix_block *b) { return OF(each)(WN__IX_MAX, b, 1); }
static bool OF(add_rows)(const wn__ix_block *b) { return OF(rows)(WN__IX_ADD, b, OF(factor)(b->alpha)); }
static bool OF(mul_rows)(const wn__ix_block *b) { return OF(rows)(WN__IX_MUL, b, 1); }
static bool OF(min_rows)(const wn__ix_block *b) { return OF(rows)(WN__IX_MIN, b, 1); }
static bool OF(max_rows)(const wn__ix_block *b) { return OF(rows)(WN__IX_MAX, b, 1); }
