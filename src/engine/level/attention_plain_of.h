/* Maxima, sums, and scores to weights in plain C: f64, and f32 where no header does it. */

static inline T OF(max)(int64_t n, const T *x) {
    T lane[LANES];
    for (int l = 0; l < LANES; l++) lane[l] = -(T)INFINITY;
    for (int64_t i = 0; i < n; i += LANES)
        for (int l = 0; l < LANES; l++) lane[l] = x[i + l] > lane[l] ? x[i + l] : lane[l];
    for (int h = LANES / 2; h > 0; h /= 2)
        for (int l = 0; l < h; l++) lane[l] = lane[l + h] > lane[l] ? lane[l + h] : lane[l];
    return lane[0];
}

static inline T OF(fold)(T *lane) {
    for (int h = LANES / 2; h > 0; h /= 2)
        for (int l = 0; l < h; l++) lane[l] += lane[l + h];
    return lane[0];
}

static void OF(soften)(int64_t rows, int64_t cols, void *s, int64_t ld, double by, void *max, void *sum, void *acc,
                       int64_t width) {
    T shift[LANES];
    const T f = (T)by;
    OF(shifts)(rows, cols, s, ld, f, max, sum, acc, width, shift);
    for (int64_t i = 0; i < rows; i++) {
        T lane[LANES] = {0}, *restrict x = (T *)s + i * ld;
        for (int64_t j = 0; j < cols; j += LANES)
            for (int l = 0; l < LANES; l++) {
                x[j + l] = OF(wn__weight)(x[j + l] * f - shift[i]);
                lane[l] += x[j + l];
            }
        ((T *)sum)[i] += OF(fold)(lane);
    }
}

static void OF(back)(int64_t rows, int64_t cols, int64_t fill, void *s, void *ds, int64_t ld, double by,
                     const void *lse, const void *delta, double scale, struct wn__attention_pairs pairs) {
    const T k = (T)scale, f = (T)by;
    const int64_t whole = (cols + LANES - 1) / LANES * LANES;
    (void)pairs;
    for (int64_t i = 0; i < rows; i++) {
        T *restrict p = (T *)s + i * ld, *restrict d = (T *)ds + i * ld;
        const T z = ((const T *)lse)[i] * (T)OF(UNIT), of = ((const T *)delta)[i];
        const bool none = z == -(T)INFINITY; /* nothing counted */
        for (int64_t j = 0; j < whole && !none; j++) {
            p[j] = OF(wn__weight)(p[j] * f - z);
            d[j] = p[j] * (d[j] - of) * k;
        }
        for (int64_t j = none ? 0 : cols; j < fill; j++) p[j] = d[j] = 0;
    }
}
