/* Folds of T at the places of an index: included by index_fold.c behind each as_TYPE.h. m is WN__IX_MUL, WN__IX_MIN or WN__IX_MAX. */

/* Vectors of 16 bytes, and their elements as integers. */
typedef T OF(vec) __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));
typedef I OF(mask) __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));

/* y if `take` is 1, x if it is 0, without a branch: which of two numbers is larger cannot be guessed. */
INLINE T OF(choose)(int take, T y, T x) {
    I a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    a = (I)(a ^ ((a ^ b) & (I)-take));
    memcpy(&x, &a, sizeof x);
    return x;
}

/* The table's element x and the source's y, folded. A new NaN comes in, an old one stays: it compares false. */
INLINE T OF(fold)(const wn__ix_mode m, T x, T y) {
    switch (m) {
    case WN__IX_MIN: return OF(choose)((y < x) | IS_NAN(y), y, x);
    case WN__IX_MAX: return OF(choose)((y > x) | IS_NAN(y), y, x);
    default: return (T)(x * y);
    }
}
INLINE OF(vec) OF(fold_wide)(const wn__ix_mode m, OF(vec) x, OF(vec) y) {
    if (m == WN__IX_MUL) return x * y;
    const OF(mask) take = (OF(mask))(m == WN__IX_MIN ? y < x : y > x) | (OF(mask))IS_NAN(y);
    return (OF(vec))(((OF(mask))y & take) | ((OF(mask))x & ~take));
}

/* One place for each element, all without gaps: steps that the compiler knows. */
INLINE bool OF(plain)(const wn__ix_mode m, T *to, const T *from, const int64_t *index, int64_t n, int64_t lo, uint64_t span) {
    bool all = true;
    for (int64_t j = 0; j < n; j++) {
        const int64_t v = index[j];
        if ((uint64_t)v - (uint64_t)lo >= span) {
            all = false;
            continue;
        }
        to[v] = OF(fold)(m, to[v], from[j]);
    }
    return all;
}

/* One index for each element. */
INLINE bool OF(each)(const wn__ix_mode m, const wn__ix_block *b) {
    const int64_t size = (int64_t)sizeof(T);
    const bool plain = b->in_table == 0 && b->in_index == 1 && b->in_slices == size && b->step == size;
    bool all = true;
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t *index = b->index + i * b->row_index;
        char *table = b->table + i * b->row_table;
        const char *from = b->slices + i * b->row_slices;
        if (plain) {
            all &= OF(plain)(m, (T *)(void *)table, (const T *)(const void *)from, index, b->length, b->lo, b->span);
            continue;
        }
        for (int64_t j = 0; j < b->length; j++) {
            const int64_t v = index[j * b->in_index];
            if ((uint64_t)v - (uint64_t)b->lo >= b->span) {
                all = false;
                continue;
            }
            T *to = (T *)(void *)(table + j * b->in_table + v * b->step);
            *to = OF(fold)(m, *to, *(const T *)(const void *)(from + j * b->in_slices));
        }
    }
    return all;
}

/* A row without gaps: each element is its own fold, so vectors keep the order. */
INLINE void OF(line)(const wn__ix_mode m, T *to, const T *from, int64_t n) {
    enum { LANES = 16 / sizeof(T) };
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        OF(vec) *const at = (void *)(to + j);
        *at = OF(fold_wide)(m, *at, *(const OF(vec) *)(const void *)(from + j));
    }
    for (; j < n; j++) to[j] = OF(fold)(m, to[j], from[j]);
}

/* One index for each row. */
INLINE bool OF(rows)(const wn__ix_mode m, const wn__ix_block *b) {
    const bool dense = b->in_table == (int64_t)sizeof(T) && b->in_slices == (int64_t)sizeof(T);
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t v = b->index[i * b->row_index];
        if ((uint64_t)v - (uint64_t)b->lo >= b->span) continue;
        char *to = b->table + i * b->row_table + v * b->step;
        const char *from = b->slices + i * b->row_slices;
        if (dense) {
            OF(line)(m, (T *)(void *)to, (const T *)(const void *)from, b->length);
            continue;
        }
        for (int64_t j = 0; j < b->length; j++, to += b->in_table, from += b->in_slices)
            *(T *)(void *)to = OF(fold)(m, *(const T *)(const void *)to, *(const T *)(const void *)from);
    }
    return true;
}

static bool OF(mul_each)(const wn__ix_block *b) { return OF(each)(WN__IX_MUL, b); }
static bool OF(min_each)(const wn__ix_block *b) { return OF(each)(WN__IX_MIN, b); }
static bool OF(max_each)(const wn__ix_block *b) { return OF(each)(WN__IX_MAX, b); }
static bool OF(mul_rows)(const wn__ix_block *b) { return OF(rows)(WN__IX_MUL, b); }
static bool OF(min_rows)(const wn__ix_block *b) { return OF(rows)(WN__IX_MIN, b); }
static bool OF(max_rows)(const wn__ix_block *b) { return OF(rows)(WN__IX_MAX, b); }
