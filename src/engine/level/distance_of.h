/* Loops over the differences of two rows of T: included by distance.c behind as_f32.h or as_f64.h. A sum runs over LANES partial sums, so
 * that every level adds in the same order. The functions of the rare metrics are COLD: small instead of fast. */

/* What a difference d adds to a distance of metric m. */
INLINE T OF(term)(const wn__metric m, T d, T p) {
    switch (m) {
    case WN__METRIC_COUNT: return d != 0;
    case WN__METRIC_SUM: return LIBM(fabs)(d);
    case WN__METRIC_EUCLID: return d * d;
    default: return LIBM(pow)(d, p); /* of d >= 0 */
    }
}

/* Halves by number: a loop over them would go by way of memory. */
static inline T OF(fold)(T *lane) {
    for (int l = 0; l < 8; l++) lane[l] += lane[l + 8];
    for (int l = 0; l < 4; l++) lane[l] += lane[l + 4];
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

/* Elements behind the last whole LANES, and every element of a rare metric. */
COLD void OF(rest)(wn__metric m, const T *a, const T *b, int64_t n, T p, T *lane) {
    for (int64_t k = 0; k < n; k++) lane[k % LANES] += OF(term)(m, LIBM(fabs)(a[k] - b[k]), p);
}

/* The sum of all terms, m being WN__METRIC_SUM or WN__METRIC_EUCLID. */
INLINE T OF(total)(const wn__metric m, const T *a, const T *b, int64_t n) {
    T lane[LANES] = {0};
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int l = 0; l < LANES; l++) lane[l] += OF(term)(m, a[k + l] - b[k + l], 0);
    if (k < n) OF(rest)(m, a + k, b + k, n - k, 0, lane);
    return OF(fold)(lane);
}
static T OF(sum)(const T *a, const T *b, int64_t n) { return OF(total)(WN__METRIC_SUM, a, b, n); }
static T OF(squares)(const T *a, const T *b, int64_t n) { return OF(total)(WN__METRIC_EUCLID, a, b, n); }

COLD T OF(most)(const T *a, const T *b, int64_t n) {
    T most = 0;
    for (int64_t k = 0; k < n; k++) {
        const T d = LIBM(fabs)(a[k] - b[k]);
        most = d > most || d != d ? d : most;
    }
    return most;
}

COLD T OF(rare)(wn__metric m, const T *a, const T *b, int64_t n, T p) {
    T lane[LANES] = {0};
    if (m == WN__METRIC_MOST) return OF(most)(a, b, n);
    OF(rest)(m, a, b, n, p, lane);
    return m == WN__METRIC_COUNT ? OF(fold)(lane) : LIBM(pow)(OF(fold)(lane), 1 / p);
}

static void OF(from_row)(wn__metric m, double p, const void *ap, const void *bp, int64_t ldb, int64_t rows, int64_t n, void *out) {
    const T *a = ap, *b = bp;
    T *y = out;
    for (int64_t r = 0; r < rows; r++, b += ldb) {
        if (m == WN__METRIC_EUCLID) y[r] = LIBM(sqrt)(OF(squares)(a, b, n));
        else if (m == WN__METRIC_SUM) y[r] = OF(sum)(a, b, n);
        else y[r] = OF(rare)(m, a, b, n, (T)p);
    }
}

/* ---- slopes */

/* By how much a row's differences are scaled: g / distance. */
static __attribute__((noinline)) void OF(scales)(int64_t rows, const T *g, int64_t gs, const T *y, int64_t ds, T *up) {
    for (int64_t r = 0; r < rows; r++) up[r] = y[r * ds] == 0 ? 0 : g[r * gs] / y[r * ds];
}

COLD void OF(euclid_rest)(const T *a, const T *b, int64_t ldb, int64_t rows, int64_t k, int64_t n, const T *up, T *to) {
    for (; k < n; k++) {
        T s = 0;
        for (int64_t r = 0; r < rows; r++) s += (a[k] - b[r * ldb + k]) * up[r];
        to[k] += s;
    }
}

/* Two registers of columns for all rows: what a column adds up stays there. */
INLINE void OF(euclid_pair)(const T *a, const T *b, int64_t ldb, int64_t rows, const T *up, T *to) {
    const V a0 = OF(load)(a), a1 = OF(load)(a + VN);
    V s0 = {0}, s1 = {0};
    for (int64_t r = 0; r < rows; r++, b += ldb) {
        s0 += (a0 - OF(load)(b)) * up[r];
        s1 += (a1 - OF(load)(b + VN)) * up[r];
    }
    OF(store)(to, OF(load)(to) + s0);
    OF(store)(to + VN, OF(load)(to + VN) + s1);
}

static void OF(euclid_slopes)(const T *a, const T *b, int64_t ldb, int64_t rows, int64_t n, const T *g, int64_t gs, const T *y, int64_t ds, T *to) {
    T up[ROWS];
    for (int64_t r0 = 0; r0 < rows; r0 += ROWS, b += ROWS * ldb) {
        const int64_t some = rows - r0 < ROWS ? rows - r0 : ROWS;
        int64_t k = 0;
        OF(scales)(some, g + r0 * gs, gs, y + r0 * ds, ds, up);
        for (; k + 2 * VN <= n; k += 2 * VN) OF(euclid_pair)(a + k, b + k, ldb, some, up, to + k);
        if (k < n) OF(euclid_rest)(a, b, ldb, some, k, n, up, to);
    }
}

/* NaN keeps its own. */
static void OF(sum_slope)(const T *a, const T *b, int64_t n, T up, T *restrict to) {
    for (int64_t k = 0; k < n; k++) {
        const T d = a[k] - b[k], at_0 = d == 0 ? 0 : d;
        to[k] += d > 0 ? up : d < 0 ? -up : at_0;
    }
}

COLD void OF(rare_slope)(wn__metric m, T p, const T *a, const T *b, int64_t n, T y, T up, T *to) {
    for (int64_t k = 0; k < n; k++) {
        const T d = a[k] - b[k], size = LIBM(fabs)(d), signed_up = d < 0 ? -up : up;
        if (m == WN__METRIC_MOST ? size != y : d == 0) continue;
        to[k] += m == WN__METRIC_MOST ? signed_up : LIBM(pow)(size / y, p - 1) * signed_up;
    }
}

static void OF(slopes)(wn__metric m, double p, const void *ap, const void *bp, int64_t ldb, int64_t rows, int64_t n, const void *gp, int64_t gs,
                       const void *dp, int64_t ds, void *to) {
    const T *a = ap, *b = bp, *g = gp, *distance = dp;
    if (m == WN__METRIC_EUCLID) OF(euclid_slopes)(a, b, ldb, rows, n, g, gs, distance, ds, to);
    if (m == WN__METRIC_EUCLID || m == WN__METRIC_COUNT) return;
    for (int64_t r = 0; r < rows; r++, b += ldb, g += gs, distance += ds) {
        if (*distance == 0) continue;
        if (m == WN__METRIC_SUM) OF(sum_slope)(a, b, n, *g, to);
        else OF(rare_slope)(m, (T)p, a, b, n, *distance, *g, to);
    }
}
