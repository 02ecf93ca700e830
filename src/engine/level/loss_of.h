/* Log-softmax loops over type T: included by loss_kernels.c behind as_f32.h or as_f64.h. Short rows are taken many at a
 * time, so that exp runs over full vectors whatever the number of classes; sums of long rows run over LANES partial
 * sums in a fixed order. */

static void OF(exp)(int64_t n, T *restrict x) {
    for (int64_t i = 0; i < n; i++) x[i] = OF(wn__exp)(x[i]);
}

static T OF(max)(int64_t n, const T *x) {
    T lane[LANES], m = -(T)INFINITY;
    int64_t i = 0;
    for (int l = 0; l < LANES; l++) lane[l] = m;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) lane[l] = x[i + l] > lane[l] ? x[i + l] : lane[l];
    if (i)
        for (int l = 0; l < LANES; l++) m = lane[l] > m ? lane[l] : m;
    for (; i < n; i++) m = x[i] > m ? x[i] : m;
    return m;
}

static T OF(sum)(int64_t n, const T *x) {
    T lane[LANES] = {0}, s = 0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) lane[l] += x[i + l];
    if (i)
        for (int w = LANES / 2; w; w /= 2)
            for (int l = 0; l < w; l++) lane[l] += lane[l + w];
    s = lane[0];
    for (; i < n; i++) s += x[i];
    return s;
}

static void OF(log)(int64_t n, T *restrict y, const T *restrict m) {
    for (int64_t i = 0; i < n; i++) y[i] = m[i] + OF(wn__log)(y[i]);
}

static void OF(long_row)(int64_t classes, const T *x, T *lse) {
    T e[BLOCK];
    const T m = OF(max)(classes, x);
    T s = 0;
    for (int64_t i = 0; i < classes; i += BLOCK) {
        const int64_t n = classes - i < BLOCK ? classes - i : BLOCK;
        for (int64_t l = 0; l < n; l++) e[l] = x[i + l] - m;
        OF(exp)(n, e);
        s += OF(sum)(n, e);
    }
    *lse = m + OF(wn__log)(s);
}

static void OF(rows)(int64_t rows, int64_t classes, const void *from, void *to) {
    const T *x = from;
    T *lse = to, e[BLOCK], m[BLOCK];
    if (classes > BLOCK / 2) {
        for (int64_t r = 0; r < rows; r++) OF(long_row)(classes, x + r * classes, lse + r);
        return;
    }
    const int64_t many = classes ? BLOCK / classes : BLOCK;
    for (int64_t r0 = 0; r0 < rows; r0 += many, x += many * classes, lse += many) {
        const int64_t n = rows - r0 < many ? rows - r0 : many;
        for (int64_t r = 0; r < n; r++) {
            const T top = m[r] = OF(max)(classes, x + r * classes);
            for (int64_t c = 0; c < classes; c++) e[r * classes + c] = x[r * classes + c] - top;
        }
        OF(exp)(n * classes, e);
        for (int64_t r = 0; r < n; r++) lse[r] = OF(sum)(classes, e + r * classes);
        OF(log)(n, lse, m);
    }
}

static void OF(columns)(int64_t n, int64_t classes, const void *from, int64_t ld, void *to) {
    const T *x = from;
    T *restrict lse = to, m[WN__LOSS_COLUMNS];
    for (int64_t i = 0; i < n; i++) m[i] = -(T)INFINITY, lse[i] = 0;
    for (int64_t c = 0; c < classes; c++)
        for (int64_t i = 0; i < n; i++) m[i] = x[c * ld + i] > m[i] ? x[c * ld + i] : m[i];
    for (int64_t c = 0; c < classes; c++)
        for (int64_t i = 0; i < n; i++) lse[i] += OF(wn__exp)(x[c * ld + i] - m[i]);
    OF(log)(n, lse, m);
}

static void OF(rows_back)(int64_t rows, int64_t classes, const void *from, const void *sums, const void *factors,
                          void *to) {
    const T *x = from, *lse = sums, *k = factors;
    T *out = to, e[BLOCK];
    if (classes > BLOCK / 2) {
        for (int64_t r = 0; r < rows; r++)
            WN__IVDEP for (int64_t i = 0; i < classes; i++)
                out[r * classes + i] = k[r] * OF(wn__exp)(x[r * classes + i] - lse[r]);
        return;
    }
    const int64_t many = classes ? BLOCK / classes : BLOCK;
    for (int64_t r0 = 0; r0 < rows; r0 += many, x += many * classes, out += many * classes) {
        const int64_t n = rows - r0 < many ? rows - r0 : many;
        for (int64_t r = 0; r < n; r++)
            for (int64_t c = 0; c < classes; c++) e[r * classes + c] = x[r * classes + c] - lse[r0 + r];
        OF(exp)(n * classes, e);
        for (int64_t r = 0; r < n; r++)
            for (int64_t c = 0; c < classes; c++) out[r * classes + c] = k[r0 + r] * e[r * classes + c];
    }
}

static void OF(columns_back)(int64_t n, int64_t classes, const void *from, int64_t ld, const void *sums,
                             const void *factors, void *to, int64_t ldo) {
    const T *x = from, *restrict lse = sums, *restrict k = factors;
    T *out = to;
    for (int64_t c = 0; c < classes; c++)
        WN__IVDEP for (int64_t i = 0; i < n; i++) out[c * ldo + i] = k[i] * OF(wn__exp)(x[c * ld + i] - lse[i]);
}
