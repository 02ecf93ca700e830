/* Runs and columns of one integer type: included by engine/level/reduce_kernels.c with T, S (a type in which 64 * WN__RUN elements add up
 * without overflow, or with the wrapping that int64_t has anyway) and NAME(x). Integer arithmetic is exact (modulo 2^64), so
 * the order is the compiler's; accumulators are int64_t. */

#ifdef V_IMIN
typedef T NAME(V) __attribute__((vector_size(VB)));
typedef T NAME(U) __attribute__((vector_size(VB), aligned(sizeof(T)), may_alias));
#define TILE ((int)(4 * VB / sizeof(T)))
/* The least and the most of n >= TILE elements, those that are asked for, four registers at a time; some elements are looked at twice. */
static inline __attribute__((always_inline)) void NAME(ends)(const T *x, int64_t n, const bool least, const bool most, int64_t *ends) {
    const NAME(U) *v = (const NAME(U) *)(const void *)x;
    NAME(V) a0 = v[0], a1 = v[1], a2 = v[2], a3 = v[3], b0 = a0, b1 = a1, b2 = a2, b3 = a3;
    for (int64_t i = TILE; i < n; i += TILE) {
        v = (const NAME(U) *)(const void *)(x + (n - i < TILE ? n - TILE : i));
        const NAME(V) v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
        if (least) a0 = V_IMIN(a0, v0), a1 = V_IMIN(a1, v1), a2 = V_IMIN(a2, v2), a3 = V_IMIN(a3, v3);
        if (most) b0 = V_IMAX(b0, v0), b1 = V_IMAX(b1, v1), b2 = V_IMAX(b2, v2), b3 = V_IMAX(b3, v3);
    }
    a0 = V_IMIN(a0, a1), a2 = V_IMIN(a2, a3), a0 = V_IMIN(a0, a2);
    b0 = V_IMAX(b0, b1), b2 = V_IMAX(b2, b3), b0 = V_IMAX(b0, b2);
    T lo = a0[0], hi = b0[0];
    for (int k = 1; k < (int)(VB / sizeof(T)); k++) lo = a0[k] < lo ? a0[k] : lo, hi = b0[k] > hi ? b0[k] : hi;
    ends[0] = (int64_t)lo, ends[1] = (int64_t)hi;
}
static void NAME(run_ends)(const void *data, int64_t n, int64_t *ends) {
    const T *x = data;
    if (n >= TILE) {
        NAME(ends)(x, n, true, true, ends);
        return;
    }
    T lo = x[0], hi = x[0];
    for (int64_t i = 1; i < n; i++) lo = x[i] < lo ? x[i] : lo, hi = x[i] > hi ? x[i] : hi;
    ends[0] = (int64_t)lo, ends[1] = (int64_t)hi;
}
/* One end: those of 64 bits are a comparison and a choice each, of which several chains run side by side. */
#define END(which, n, least, most)                                                                                     \
    if (sizeof(T) == 8 && (n) >= 4 * TILE) {                                                                           \
        int64_t ends[2];                                                                                               \
        NAME(ends)(data, n, least, most, ends);                                                                        \
        *(int64_t *)acc = ends[which];                                                                                 \
        return;                                                                                                        \
    }
#else
#define END(which, n, least, most)
#endif

static void NAME(run_sum)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    S s = 0;
    WN__UNROLL for (int64_t i = 0; i < n; i++) s += (S)x[i];
    *(int64_t *)acc = (int64_t)s;
}
static void NAME(run_prod)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    uint64_t s = 1;
    WN__UNROLL for (int64_t i = 0; i < n; i++) s *= (uint64_t)(int64_t)x[i];
    *(int64_t *)acc = (int64_t)s;
}
static void NAME(run_min)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    T s = x[0];
    END(0, n, true, false)
    WN__UNROLL for (int64_t i = 0; i < n; i++) s = x[i] < s ? x[i] : s; /* from 0: whole vectors of most runs */
    *(int64_t *)acc = (int64_t)s;
}
static void NAME(run_max)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    T s = x[0];
    END(1, n, false, true)
    WN__UNROLL for (int64_t i = 0; i < n; i++) s = x[i] > s ? x[i] : s; /* from 0: whole vectors of most runs */
    *(int64_t *)acc = (int64_t)s;
}
static void NAME(run_nonzero)(const void *data, int64_t n, const void *param, void *acc) {
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

/* Rows of any length: pieces in which S does not overflow. */
#define ROWS(name, join)                                                                                               \
    static void NAME(rows_##name)(const void *data, int64_t step, int64_t rows, int64_t n, const void *param, void *acc) { \
        enum { MOST = 64 * WN__RUN };                                                                                  \
        int64_t *y = acc;                                                                                              \
        for (int64_t r = 0; r < rows; r++) {                                                                           \
            const T *x = (const T *)data + r * step;                                                                   \
            NAME(run_##name)(x, n < MOST ? n : MOST, param, &y[r]);                                                    \
            for (int64_t i = MOST; i < n; i += MOST) {                                                                 \
                int64_t a = y[r], b;                                                                                   \
                NAME(run_##name)(x + i, n - i < MOST ? n - i : MOST, param, &b);                                       \
                y[r] = join;                                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    }
ROWS(sum, a + b)
ROWS(prod, a * b)
ROWS(min, b < a ? b : a)
ROWS(max, b > a ? b : a)
ROWS(nonzero, a + b)
#undef ROWS

static inline const T *NAME(row_of)(const wn__cols *c, int64_t r, T *buf) {
    if (c->stride == 1 && wn__dtype_bytes(c->dtype) == sizeof(T)) return wn__row_at(c, r);
    WN_AT_LEVEL(wn__reduce_load)(c->dtype, LOADED, wn__row_at(c, r), c->stride, c->width, buf);
    return buf;
}
#ifdef V_IMIN
/* Short rows (up to four times as wide), and few: four registers of each, of all rows before the next ones. w >= TILE; some columns are folded
 * twice. */
#define IS_TILED(c) ((c)->width >= TILE && ((c)->width <= 4 * TILE || (c)->n <= 16))
#define TILES(name, start, op, end)                                                                                    \
    static void NAME(tiles_##name)(const wn__cols *c, T *to) {                                                         \
        const int64_t w = c->width, n = c->n;                                                                          \
        (void)n;                                                                                                       \
        for (int64_t i = 0; i < w; i += TILE) {                                                                        \
            const int64_t at = (w - i < TILE ? w - TILE : i) * (int64_t)sizeof(T);                                     \
            const NAME(U) *x = (const NAME(U) *)(const void *)(c->rows[0] + at);                                       \
            NAME(V) v0 = start(x[0]), v1 = start(x[1]), v2 = start(x[2]), v3 = start(x[3]);                            \
            for (int64_t r = 1; r < n; r++) {                                                                          \
                x = (const NAME(U) *)(const void *)((const char *)wn__row_at(c, r) + at);                                \
                v0 = op(v0, x[0]), v1 = op(v1, x[1]), v2 = op(v2, x[2]), v3 = op(v3, x[3]);                            \
            }                                                                                                          \
            NAME(U) *y = (NAME(U) *)(void *)((char *)to + at);                                                         \
            y[0] = end(v0), y[1] = end(v1), y[2] = end(v2), y[3] = end(v3);                                            \
        }                                                                                                              \
    }
#define ITSELF(v) (v)
#define IS_0(v) (NAME(V))((v) == 0)
#define COUNT_0(v, x) ((v) + IS_0(x))
#define NOT_0(v) ((v) + (T)n)
TILES(min, ITSELF, V_IMIN, ITSELF)
TILES(max, ITSELF, V_IMAX, ITSELF)
TILES(nonzeros, IS_0, COUNT_0, NOT_0)
#undef ITSELF
#undef IS_0
#undef COUNT_0
#undef NOT_0
#undef TILES
#define TILED(name) NAME(tiles_##name)
#else
#define TILED(name) NULL
#define IS_TILED(c) false
#endif

/* Four rows at a time load and store the accumulators once. tiles: of accumulators as wide as elements; NULL: none. */
#define COL(name, A, init, expr, tiles)                                                                                \
    static inline A NAME(one_##name)(A v, T X) { return expr; }                                                        \
    static void NAME(col_##name)(const wn__cols *c, const void *param, void *acc, void *work) {                        \
        int64_t w = c->width, r = 1;                                                                                   \
        T *buf = work;                                                                                                 \
        const bool final = sizeof(A) == sizeof(int64_t) || c->narrow;                                                  \
        A *a = final ? acc : (void *)((char *)work + WN__COL_MAX * 8 * 4);                                             \
        const T *x = NAME(row_of)(c, 0, buf);                                                                          \
        (void)param;                                                                                                   \
        void (*const tiled)(const wn__cols *, T *) = tiles;                                                            \
        if (tiled && x != buf && IS_TILED(c)) {                                                                        \
            tiled(c, (void *)a);                                                                                       \
            r = c->n;                                                                                                  \
        } else {                                                                                                       \
            for (int64_t i = 0; i < w; i++) a[i] = NAME(one_##name)(init, x[i]);                                       \
        }                                                                                                              \
        for (; r + 4 <= c->n; r += 4) {                                                                                \
            const T *x0 = NAME(row_of)(c, r, buf), *x1 = NAME(row_of)(c, r + 1, buf + WN__COL_MAX);                    \
            const T *x2 = NAME(row_of)(c, r + 2, buf + 2 * WN__COL_MAX), *x3 = NAME(row_of)(c, r + 3, buf + 3 * WN__COL_MAX); \
            WN__IVDEP for (int64_t i = 0; i < w; i++) {                                                                \
                A v = NAME(one_##name)(NAME(one_##name)(a[i], x0[i]), x1[i]);                                          \
                a[i] = NAME(one_##name)(NAME(one_##name)(v, x2[i]), x3[i]);                                            \
            }                                                                                                          \
        }                                                                                                              \
        for (; r < c->n; r++) {                                                                                        \
            x = NAME(row_of)(c, r, buf);                                                                               \
            WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] = NAME(one_##name)(a[i], x[i]);                             \
        }                                                                                                              \
        for (int64_t i = 0; !final && i < w; i++) ((int64_t *)acc)[i] = (int64_t)a[i];                                 \
    }
COL(sum, S, 0, v + (S)X, NULL)
COL(prod, int64_t, 1, v * (int64_t)X, NULL)
COL(min, T, x[i], X < v ? X : v, TILED(min))
COL(max, T, x[i], X > v ? X : v, TILED(max))
COL(nonzeros, S, 0, v + (X != 0), NULL)
COL(few_nonzeros, uint8_t, 0, (uint8_t)(v + (X != 0)), TILED(nonzeros))
#undef END
#undef TILE
#undef TILED
#undef IS_TILED
#undef COL
/* Bytes are counted in bytes, as many rows at a time as those hold. */
static void NAME(col_nonzero)(const wn__cols *c, const void *param, void *acc, void *work) {
    enum { MOST = 255 };
    int64_t part[WN__COL_MAX], *y = acc;
    if (sizeof(T) > 1) {
        NAME(col_nonzeros)(c, param, acc, work);
        return;
    }
    for (int64_t r = 0; r < c->n; r += MOST) {
        wn__cols some = *c;
        const char *from = wn__row_at(c, r);
        some.rows = c->step ? &from : c->rows + r;
        some.n = c->n - r < MOST ? c->n - r : MOST;
        NAME(col_few_nonzeros)(&some, param, r ? part : acc, work);
        for (int64_t i = 0; r && i < c->width; i++) y[i] += part[i];
    }
}

static void NAME(col_arg)(const wn__cols *c, bool largest, void *best, int64_t *at, void *work) {
    int64_t w = c->width;
    T *buf = work;
    int64_t *b = best;
    for (int64_t r = 0; r < c->n; r++) {
        const T *x = NAME(row_of)(c, r, buf);
        for (int64_t i = 0; i < w; i++) {
            int64_t v = (int64_t)x[i];
            if (r == 0 || (largest ? v > b[i] : v < b[i])) b[i] = v, at[i] = r;
        }
    }
}

static int64_t NAME(find)(const void *data, int64_t n, const void *value) {
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
#undef T
#undef NAME
#undef LOADED
#undef X86_OP
