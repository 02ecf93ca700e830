/* A template: T (element), LANES, NAME(x), MAGNITUDE. No include guard: included once for each type. */

typedef T NAME(vec) __attribute__((vector_size(LANES * sizeof(T))));
typedef T NAME(vecu) __attribute__((vector_size(LANES * sizeof(T)), aligned(sizeof(T)), may_alias));
#define V NAME(vec)
#define LOADV(p) (*(const NAME(vecu) *)(p))
#define STOREV(p, v) (*(NAME(vecu) *)(p) = (v))

/* ------------------------------------------------------------------ triangular systems */

/* A triangle as the tiles read it: of every group of rows, column after column, its elements left of the diagonal. */
typedef struct NAME(triangle) {
    int n;
    T left[(WN__TRIANGLE + ROWS) * WN__TRIANGLE / 2];
    T diagonal[WN__TRIANGLE], inverse[WN__TRIANGLE]; /* inverse: 0 where the diagonal's is no normal number, and is divided by */
} NAME(triangle);

/* The rows of a group: whole groups first, then one by one. */
static int NAME(group)(int n, int at) { return n - at >= ROWS ? ROWS : 1; }

static void NAME(pack)(NAME(triangle) *t, int n, const T *a, int64_t rs, int64_t cs, bool unit) {
    T *to = t->left;
    t->n = n;
    for (int at = 0, rows; at < n; at += rows) {
        rows = NAME(group)(n, at);
        for (int k = 0; k < at + rows; k++)
            for (int r = 0; r < rows; r++) *to++ = k < at + r ? a[(at + r) * rs + k * cs] : 0;
    }
    for (int i = 0; i < n; i++) {
        const T d = unit ? 1 : a[i * (rs + cs)], inverse = 1 / d;
        t->diagonal[i] = d;
        t->inverse[i] = isnormal(inverse) ? inverse : 0;
    }
}

/* Unknowns at .. at + rows - 1 of `vecs` vectors of columns, given all before them. */
INLINE const T *NAME(unknowns)(const int rows, const int vecs, const NAME(triangle) *t, int at, const T *left, T *b, int64_t ldb) {
    V x[ROWS][VECS];
    T *own = b + at * ldb;
    _Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)
        _Pragma("GCC unroll 4") for (int v = 0; v < vecs; v++) x[r][v] = LOADV(own + r * ldb + v * LANES);
    for (int k = 0; k < at; k++, left += rows, b += ldb) {
        V known[VECS];
        _Pragma("GCC unroll 4") for (int v = 0; v < vecs; v++) known[v] = LOADV(b + v * LANES);
        _Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)
            _Pragma("GCC unroll 4") for (int v = 0; v < vecs; v++) x[r][v] -= left[r] * known[v];
    }
    _Pragma("GCC unroll 8") for (int k = 0; k < rows; k++, left += rows) {
        const T inverse = t->inverse[at + k], d = t->diagonal[at + k];
        _Pragma("GCC unroll 4") for (int v = 0; v < vecs; v++) x[k][v] = inverse != 0 ? x[k][v] * inverse : x[k][v] / d;
        _Pragma("GCC unroll 8") for (int r = k + 1; r < rows; r++)
            _Pragma("GCC unroll 4") for (int v = 0; v < vecs; v++) x[r][v] -= left[r] * x[k][v];
    }
    _Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)
        _Pragma("GCC unroll 4") for (int v = 0; v < vecs; v++) STOREV(own + r * ldb + v * LANES, x[r][v]);
    return left;
}

INLINE void NAME(strip)(const int vecs, const NAME(triangle) *t, T *b, int64_t ldb) {
    const T *left = t->left;
    int at = 0;
    for (; t->n - at >= ROWS; at += ROWS) left = NAME(unknowns)(ROWS, vecs, t, at, left, b, ldb);
    for (; at < t->n; at++) left = NAME(unknowns)(1, vecs, t, at, left, b, ldb);
}
static void NAME(strip_wide)(const NAME(triangle) *t, T *b, int64_t ldb) { NAME(strip)(VECS, t, b, ldb); }
static void NAME(strip_one)(const NAME(triangle) *t, T *b, int64_t ldb) { NAME(strip)(1, t, b, ldb); }

/* Fewer columns than a vector has lanes: in a copy with zeros behind them. */
static void NAME(strip_part)(const NAME(triangle) *t, T *b, int64_t ldb, int64_t cols) {
    T copy[WN__TRIANGLE * LANES];
    for (int i = 0; i < t->n; i++) {
        STOREV(copy + i * LANES, (V){0});
        for (int64_t c = 0; c < cols; c++) copy[i * LANES + c] = b[i * ldb + c];
    }
    NAME(strip_one)(t, copy, LANES);
    for (int i = 0; i < t->n; i++)
        for (int64_t c = 0; c < cols; c++) b[i * ldb + c] = copy[i * LANES + c];
}

static void NAME(solve)(int n, const void *a, int64_t rs, int64_t cs, bool unit, void *b, int64_t ldb, int64_t cols) {
    NAME(triangle) t;
    NAME(pack)(&t, n, a, rs, cs, unit);
    T *at = b;
    for (; cols >= VECS * LANES; cols -= VECS * LANES, at += VECS * LANES) NAME(strip_wide)(&t, at, ldb);
    for (; cols >= LANES; cols -= LANES, at += LANES) NAME(strip_one)(&t, at, ldb);
    if (cols) NAME(strip_part)(&t, at, ldb, cols);
}

/* ------------------------------------------------------------------ panels of LU */

/* The first of the largest elements x[from .. m - 1], as LAPACK finds it: NaN is not larger than anything. */
static int NAME(largest)(const T *x, int from, int m) {
    T most[LANES] = {0}, best = MAGNITUDE(x[from]);
    int i = from;
    for (; i + LANES <= m; i += LANES)
        for (int l = 0; l < LANES; l++) most[l] = MAGNITUDE(x[i + l]) > most[l] ? MAGNITUDE(x[i + l]) : most[l];
    for (int l = 0; l < LANES; l++) best = most[l] > best ? most[l] : best;
    for (; i < m; i++) best = MAGNITUDE(x[i]) > best ? MAGNITUDE(x[i]) : best;
    for (i = from; i < m; i++)
        if (MAGNITUDE(x[i]) == best) return i;
    return from;
}

/* Column k over its pivot, and its multiples from those that follow. Rows k + 1 .. m - 1, and up to a vector behind them. */
static void NAME(eliminate)(int m, int k, int width, T *a, int64_t ld) {
    T *column = a + k * ld, factors[WN__PANEL];
    const T pivot = column[k], inverse = 1 / pivot;
    const bool multiply = isnormal(inverse);
    for (int c = k + 1; c < width; c++) factors[c] = a[k + c * ld];
    for (int i = k + 1; i < m; i += LANES) {
        const V v = LOADV(column + i), x = multiply ? v * inverse : v / pivot;
        STOREV(column + i, x);
        for (int c = k + 1; c < width; c++) STOREV(a + c * ld + i, LOADV(a + c * ld + i) - factors[c] * x);
    }
}

static int NAME(lu)(int m, int width, void *panel, int64_t ld, int *pivots) {
    T *a = panel;
    int info = 0;
    for (int k = 0; k < width && k < m; k++) {
        const int p = NAME(largest)(a + k * ld, k, m);
        pivots[k] = p;
        if (a[p + k * ld] == 0) { /* the whole column is 0, or NaN further down */
            if (!info) info = k + 1;
            continue;
        }
        for (int c = 0; c < width && p != k; c++) {
            const T kept = a[k + c * ld];
            a[k + c * ld] = a[p + c * ld];
            a[p + c * ld] = kept;
        }
        NAME(eliminate)(m, k, width, a, ld);
    }
    return info;
}
#undef V
#undef LOADV
#undef STOREV
