/* Runs and columns of one integer type: included by engine/level/reduce_kernels.c behind as_i8.h and its kin, with S (a type in which 64 * WN__RUN
 * elements add up without overflow, or with the wrapping that int64_t has anyway), LOADED and, where the level has V_IMIN, X86_OP. Integer
 * arithmetic is exact (modulo 2^64), so the order is the compiler's; accumulators are int64_t. What only some of the types need is `inline`. */

#ifdef V_IMIN
typedef T V __attribute__((vector_size(VB)));
typedef T OF(u) __attribute__((vector_size(VB), aligned(sizeof(T)), may_alias));
#define TILE ((int)(4 * VB / sizeof(T)))
/* The least and the most of n >= TILE elements, those that are asked for, four registers at a time; some elements are looked at twice. */
INLINE void OF(ends)(const T *x, int64_t n, const bool least, const bool most, int64_t *ends) {
    const OF(u) *v = (const OF(u) *)(const void *)x;
    V a0 = v[0], a1 = v[1], a2 = v[2], a3 = v[3], b0 = a0, b1 = a1, b2 = a2, b3 = a3;
    for (int64_t i = TILE; i < n; i += TILE) {
        v = (const OF(u) *)(const void *)(x + (n - i < TILE ? n - TILE : i));
        const V v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
        if (least) a0 = V_IMIN(a0, v0), a1 = V_IMIN(a1, v1), a2 = V_IMIN(a2, v2), a3 = V_IMIN(a3, v3);
        if (most) b0 = V_IMAX(b0, v0), b1 = V_IMAX(b1, v1), b2 = V_IMAX(b2, v2), b3 = V_IMAX(b3, v3);
    }
    a0 = V_IMIN(a0, a1), a2 = V_IMIN(a2, a3), a0 = V_IMIN(a0, a2);
    b0 = V_IMAX(b0, b1), b2 = V_IMAX(b2, b3), b0 = V_IMAX(b0, b2);
    T lo = a0[0], hi = b0[0];
    for (int k = 1; k < (int)(VB / sizeof(T)); k++) lo = a0[k] < lo ? a0[k] : lo, hi = b0[k] > hi ? b0[k] : hi;
    ends[0] = (int64_t)lo, ends[1] = (int64_t)hi;
}
static void OF(run_ends)(const void *data, int64_t n, int64_t *ends) {
    const T *x = data;
    if (n >= TILE) {
        OF(ends)(x, n, true, true, ends);
        return;
    }
    T lo = x[0], hi = x[0];
    for (int64_t i = 1; i < n; i++) lo = x[i] < lo ? x[i] : lo, hi = x[i] > hi ? x[i] : hi;
    ends[0] = (int64_t)lo, ends[1] = (int64_t)hi;
}
/* One end: those of 64 bits are a comparison and a choice each, of which several chains run side by side. */
INLINE bool OF(one_end)(const bool most, const T *x, int64_t n, int64_t *end) {
    int64_t ends[2];
    if (sizeof(T) < 8 || n < 4 * TILE) return false;
    OF(ends)(x, n, !most, most, ends);
    *end = ends[most];
    return true;
}
#else
INLINE bool OF(one_end)(const bool most, const T *x, int64_t n, int64_t *end) { return (void)most, (void)x, (void)n, (void)end, false; }
#endif

static void OF(run_sum)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    S s = 0;
    WN__UNROLL for (int64_t i = 0; i < n; i++) s += (S)x[i];
    *(int64_t *)acc = (int64_t)s;
}
static inline void OF(run_prod)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    uint64_t s = 1;
    WN__UNROLL for (int64_t i = 0; i < n; i++) s *= (uint64_t)(int64_t)x[i];
    *(int64_t *)acc = (int64_t)s;
}
static void OF(run_min)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    T s = x[0];
    if (OF(one_end)(false, x, n, acc)) return;
    WN__UNROLL for (int64_t i = 0; i < n; i++) s = x[i] < s ? x[i] : s; /* from 0: whole vectors of most runs */
    *(int64_t *)acc = (int64_t)s;
}
static void OF(run_max)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    T s = x[0];
    if (OF(one_end)(true, x, n, acc)) return;
    WN__UNROLL for (int64_t i = 0; i < n; i++) s = x[i] > s ? x[i] : s; /* from 0: whole vectors of most runs */
    *(int64_t *)acc = (int64_t)s;
}
static inline void OF(run_nonzero)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    if (sizeof(T) == 1) {
        *(int64_t *)acc = WN_AT_LEVEL(wn__reduce_count)((const uint8_t *)x, 1, n);
        return;
    }
    S s = 0;
    WN__UNROLL for (int64_t i = 0; i < n; i++) s += x[i] != 0;
    *(int64_t *)acc = (int64_t)s;
}

#define ROWS(name, f)                                                                                                  \
    static inline void OF(rows_##name)(const void *data, int64_t step, int64_t rows, int64_t n, const void *param, void *acc) { \
        rows_int(f, OF(run_##name), sizeof(T), data, step, rows, n, param, acc); }
ROWS(sum, WN__FOLD_SUM)
ROWS(prod, WN__FOLD_PROD)
ROWS(min, WN__FOLD_MIN)
ROWS(max, WN__FOLD_MAX)
ROWS(nonzero, WN__FOLD_NONZERO)
#undef ROWS

static inline const T *OF(row_of)(const wn__cols *c, int64_t r, T *buf) {
    const void *x = wn__row_at(c, r);
    if (wn__dtype_bytes(c->dtype) != sizeof(T)) wn__reduce_load(c->dtype, LOADED, x, c->stride, c->width, buf);
    else if (c->stride == 1) return x;
    else wn__reduce_gather(sizeof(T), x, c->stride, c->width, buf);
    return buf;
}

/* ---- columns in tiles: short rows (up to four times as wide), and few: four registers of each, of all rows before the next ones. w >= TILE;
 * some columns are folded twice. */
#ifdef V_IMIN
INLINE bool OF(is_tiled)(const wn__cols *c) {
    return c->width >= TILE && (c->width <= 4 * TILE || c->n <= 16) && c->stride == 1 && wn__dtype_bytes(c->dtype) == sizeof(T);
}
INLINE V OF(tile_first)(const wn__fold f, V x) { return f == WN__FOLD_NONZERO ? (V)(x == 0) : x; }
INLINE V OF(tile_more)(const wn__fold f, V v, V x) {
    switch (f) {
    case WN__FOLD_MIN: return V_IMIN(v, x);
    case WN__FOLD_MAX: return V_IMAX(v, x);
    default: return v + (V)(x == 0);
    }
}
INLINE V OF(tile_end)(const wn__fold f, V v, int64_t n) { return f == WN__FOLD_NONZERO ? v + (T)n : v; }
INLINE bool OF(tiles)(const wn__fold f, const wn__cols *c, T *to) {
    const int64_t w = c->width, n = c->n;
    if (!OF(is_tiled)(c)) return false;
    for (int64_t i = 0; i < w; i += TILE) {
        const int64_t at = (w - i < TILE ? w - TILE : i) * (int64_t)sizeof(T);
        const OF(u) *x = (const OF(u) *)(const void *)(c->rows[0] + at);
        V v0 = OF(tile_first)(f, x[0]), v1 = OF(tile_first)(f, x[1]), v2 = OF(tile_first)(f, x[2]), v3 = OF(tile_first)(f, x[3]);
        for (int64_t r = 1; r < n; r++) {
            x = (const OF(u) *)(const void *)((const char *)wn__row_at(c, r) + at);
            v0 = OF(tile_more)(f, v0, x[0]), v1 = OF(tile_more)(f, v1, x[1]), v2 = OF(tile_more)(f, v2, x[2]), v3 = OF(tile_more)(f, v3, x[3]);
        }
        OF(u) *y = (OF(u) *)(void *)((char *)to + at);
        y[0] = OF(tile_end)(f, v0, n), y[1] = OF(tile_end)(f, v1, n), y[2] = OF(tile_end)(f, v2, n), y[3] = OF(tile_end)(f, v3, n);
    }
    return true;
}
#undef TILE
#else
INLINE bool OF(tiles)(const wn__fold f, const wn__cols *c, T *to) { return (void)f, (void)c, (void)to, false; }
#endif

/* ---- columns in rows: four at a time load and store the accumulators once */

static void OF(four_sum)(void *to, const T *x0, const T *x1, const T *x2, const T *x3, int64_t w) {
    S *a = to;
    WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] = a[i] + (S)x0[i] + (S)x1[i] + (S)x2[i] + (S)x3[i];
}
static inline void OF(four_prod)(void *to, const T *x0, const T *x1, const T *x2, const T *x3, int64_t w) {
    int64_t *a = to;
    WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] = a[i] * (int64_t)x0[i] * (int64_t)x1[i] * (int64_t)x2[i] * (int64_t)x3[i];
}
INLINE T OF(less)(T a, T x) { return x < a ? x : a; }
INLINE T OF(more)(T a, T x) { return x > a ? x : a; }
static void OF(four_min)(void *to, const T *x0, const T *x1, const T *x2, const T *x3, int64_t w) {
    T *a = to;
    WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] = OF(less)(OF(less)(OF(less)(OF(less)(a[i], x0[i]), x1[i]), x2[i]), x3[i]);
}
static void OF(four_max)(void *to, const T *x0, const T *x1, const T *x2, const T *x3, int64_t w) {
    T *a = to;
    WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] = OF(more)(OF(more)(OF(more)(OF(more)(a[i], x0[i]), x1[i]), x2[i]), x3[i]);
}
static inline void OF(four_nonzero)(void *to, const T *x0, const T *x1, const T *x2, const T *x3, int64_t w) {
    S *a = to;
    WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] = a[i] + (x0[i] != 0) + (x1[i] != 0) + (x2[i] != 0) + (x3[i] != 0);
}
/* Of bytes, counts that fit into bytes. */
INLINE uint8_t OF(counted)(uint8_t a, T x) { return (uint8_t)(a + (x != 0)); }
static inline void OF(four_counts)(void *to, const T *x0, const T *x1, const T *x2, const T *x3, int64_t w) {
    uint8_t *a = to;
    WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] = OF(counted)(OF(counted)(OF(counted)(OF(counted)(a[i], x0[i]), x1[i]), x2[i]), x3[i]);
}

typedef void (*OF(four))(void *to, const T *x0, const T *x1, const T *x2, const T *x3, int64_t w);
/* Rows from r on into a; none: a row that changes nothing, where there are less than four. */
INLINE void OF(columns_by)(const OF(four) four, const wn__cols *c, int64_t r, void *a, T *buf, const T *none) {
    for (; r < c->n; r += 4) {
        const T *x[4];
        for (int k = 0; k < 4; k++) x[k] = r + k < c->n ? OF(row_of)(c, r + k, buf + k * WN__COL_MAX) : none;
        four(a, x[0], x[1], x[2], x[3], c->width);
    }
}
static WN__ONCE void OF(columns)(OF(four) four, const wn__cols *c, int64_t r, void *a, T *buf, const T *none) {
    OF(columns_by)(four, c, r, a, buf, none);
}
/* Rows of bytes are short: a call for four of them would be a third of the time. */
static inline void OF(columns_counted)(const wn__cols *c, void *a, T *buf, const T *none) {
    OF(columns_by)(OF(four_counts), c, 0, a, buf, none);
}
/* Sums of `size` bytes, and products. A row of such elements has room in `work` behind the four that row_of may bring there, and behind that. */
static void OF(columns_from)(int first, OF(four) four, const wn__cols *c, size_t size, int64_t *acc, char *work) {
    enum { ROW = WN__COL_MAX * 8 };
    if (c->width < 1) return; /* never; gcc 12 thinks of it */
    T *none = (T *)(void *)(work + 5 * ROW);
    void *a = size == sizeof *acc ? (void *)acc : work + 4 * ROW;
    for (int64_t i = 0; i < c->width; i++) none[i] = (T)first;
    if (first) for (int64_t i = 0; i < c->width; i++) acc[i] = first;
    else memset(a, 0, (size_t)c->width * size);
    if (sizeof(T) == 1 && four == OF(four_counts)) OF(columns_counted)(c, a, (T *)(void *)work, none);
    else OF(columns)(four, c, 0, a, (T *)(void *)work, none);
    if (size < 4) for (int64_t i = 0; i < c->width; i++) acc[i] = ((const uint8_t *)a)[i];
    else if (size < 8) for (int64_t i = 0; i < c->width; i++) acc[i] = ((const int32_t *)a)[i];
}
static void OF(col_sum)(const wn__cols *c, const void *param, void *acc, void *work) { (void)param, OF(columns_from)(0, OF(four_sum), c, sizeof(S), acc, work); }
static inline void OF(col_prod)(const wn__cols *c, const void *param, void *acc, void *work) { (void)param, OF(columns_from)(1, OF(four_prod), c, sizeof(int64_t), acc, work); }

/* Accumulators are as wide as elements. */
INLINE void OF(col_end)(const wn__fold f, OF(four) four, const wn__cols *c, int64_t *acc, char *work) {
    T *a = c->narrow || sizeof(T) == sizeof *acc ? (T *)(void *)acc : (T *)(void *)(work + WN__COL_MAX * 8 * 4);
    if (!OF(tiles)(f, c, a)) {
        const T *x = OF(row_of)(c, 0, (T *)(void *)work);
        memcpy(a, x, (size_t)c->width * sizeof(T));
        OF(columns)(four, c, 1, a, (T *)(void *)work, a);
    }
    if ((void *)a != (void *)acc) for (int64_t i = 0; i < c->width; i++) acc[i] = (int64_t)a[i];
}
static void OF(col_min)(const wn__cols *c, const void *param, void *acc, void *work) { (void)param, OF(col_end)(WN__FOLD_MIN, OF(four_min), c, acc, work); }
static void OF(col_max)(const wn__cols *c, const void *param, void *acc, void *work) { (void)param, OF(col_end)(WN__FOLD_MAX, OF(four_max), c, acc, work); }

/* Bytes are counted in bytes, as many rows at a time as those hold. */
static inline void OF(col_nonzero)(const wn__cols *c, const void *param, void *acc, void *work) {
    enum { MOST = 255 };
    int64_t part[WN__COL_MAX], *const y = acc;
    (void)param;
    if (sizeof(T) > 1) {
        OF(columns_from)(0, OF(four_nonzero), c, sizeof(S), acc, work);
        return;
    }
    for (int64_t r = 0; r < c->n; r += MOST) {
        wn__cols some = *c;
        const char *from = wn__row_at(c, r);
        T *counts = (T *)work + WN__COL_MAX * 8 * 4;
        int64_t *const to = r ? part : y;
        some.rows = c->step ? &from : c->rows + r;
        some.n = c->n - r < MOST ? c->n - r : MOST;
        if (!OF(tiles)(WN__FOLD_NONZERO, &some, counts)) OF(columns_from)(0, OF(four_counts), &some, 1, to, work);
        else for (int64_t i = 0; i < c->width; i++) to[i] = (uint8_t)counts[i];
        for (int64_t i = 0; r && i < c->width; i++) y[i] += part[i];
    }
}

static void OF(col_arg)(const wn__cols *c, bool largest, void *best, int64_t *at, void *work) {
    int64_t w = c->width;
    T *buf = work;
    int64_t *b = best;
    for (int64_t r = 0; r < c->n; r++) {
        const T *x = OF(row_of)(c, r, buf);
        for (int64_t i = 0; i < w; i++) {
            int64_t v = (int64_t)x[i];
            if (r == 0 || (largest ? v > b[i] : v < b[i])) b[i] = v, at[i] = r;
        }
    }
}

static inline int64_t OF(find)(const void *data, int64_t n, const void *value) {
    const T *x = data;
    T v = (T) * (const int64_t *)value;
    int64_t i = 0;
    for (; i + 64 <= n; i += 64) { /* whole blocks vectorise, an early exit does not */
        int hits = 0;
        for (int j = 0; j < 64; j++) hits += x[i + j] == v;
        if (hits) break;
    }
    for (; i < n; i++)
        if (x[i] == v) return i;
    return 0;
}
#undef LOADED
#undef X86_OP
