/* Blocks of T moved and added up at the places of an index: included by index_rows.c behind each as_TYPE.h. */

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
INLINE void OF(row)(const wn__ix_mode m, const row *r, T alpha, const int64_t in_slices, const int64_t in_index, const int64_t in_table, const int64_t step,
                    bool *all) {
    for (int64_t j = 0; j < r->length; j++) OF(place)(m, r, j, alpha, in_slices, in_index, in_table, step, all);
}
/* The same for neighbours in the slices, put anywhere in one line of the table. */
INLINE void OF(row_by_fours)(const wn__ix_mode m, const row *r, T alpha, const int64_t size, bool *all) {
    _Pragma("GCC unroll 4") for (int64_t j = 0; j < r->length; j++) OF(place)(m, r, j, alpha, size, 1, 0, size, all);
}

/* The strides of a row are constants in the usual forms (the indexed dimension is the row's own, or it is another one), so that the compiler
 * sees them. */
INLINE bool OF(each)(const wn__ix_mode m, const wn__ix_block *b, T alpha) {
    const int64_t size = (int64_t)sizeof(T), step = b->step; /* a store might change *b */
    const int64_t in_slices = b->in_slices, in_index = b->in_index, in_table = b->in_table;
    row r = {.length = b->length, .span = b->span}; /* from 0: bands are for rows with one index */
    const bool dense = in_slices == size && in_index == 1;
    bool all = true;
    for (int64_t i = 0; i < b->n; i++) {
        r.index = b->index + i * b->row_index;
        r.slices = b->slices + i * b->row_slices;
        r.table = b->table + i * b->row_table;
        if (dense && in_table == 0 && step == size) OF(row_by_fours)(m, &r, alpha, size, &all);
        else if (in_slices == 0 && in_index == 1 && in_table == 0 && step == size) OF(row)(m, &r, alpha, 0, 1, 0, size, &all); /* a number */
        else if (dense && in_table == size) OF(row)(m, &r, alpha, size, 1, size, step, &all);
        else OF(row)(m, &r, alpha, in_slices, in_index, in_table, step, &all);
    }
    return all;
}

/* ------------------------------------------------------------------ sums with one index for each row */

typedef T OF(vec) __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));

/* t[j] += s[j] * alpha for a row without gaps, 16 bytes at a time: each element is its own sum, so the order stays. */
static inline void OF(add_row)(char *t, const char *s, int64_t n, T alpha) {
    enum { LANES = 16 / sizeof(T) };
    const int64_t size = (int64_t)sizeof(T);
    int64_t j = 0;
    if (alpha == 1)
        for (; j + LANES <= n; j += LANES) *(OF(vec) *)(void *)(t + j * size) += *(const OF(vec) *)(const void *)(s + j * size);
    for (; j < n; j++) {
        T *p = (T *)(void *)(t + j * size);
        *p = (T)(*p + *(const T *)(const void *)(s + j * size) * alpha);
    }
}

INLINE bool OF(sum_rows)(const wn__ix_block *b) {
    const T alpha = OF(factor)(b->alpha);
    const int64_t size = (int64_t)sizeof(T);
    const bool dense = b->in_table == size && b->in_slices == size;
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t v = b->index[i * b->row_index];
        fetch_ahead(b, i, dense ? (size_t)(b->length * size) : 1, true);
        if (!counts(b, v)) continue;
        char *t = b->table + i * b->row_table + v * b->step, *s = b->slices + i * b->row_slices;
        if (dense) {
            OF(add_row)(t, s, b->length, alpha);
            continue;
        }
        for (int64_t j = 0; j < b->length; j++, t += b->in_table, s += b->in_slices)
            *(T *)(void *)t = (T)(*(T *)(void *)t + *(const T *)(void *)s * alpha);
    }
    return true;
}
