/* Loops over rows of scores of type T: included by attention_kernels.c behind as_f32.h or as_f64.h. What turns scores
 * into weights stands apart, since f32 has it in vectors. */

/* The largest of n scores, and the sum of LANES partial sums: attention_plain_of.h or attention_vec.h. */
static inline T OF(max)(int64_t n, const T *x);
static inline T OF(fold)(T *lane);

static void OF(times)(int64_t n, void *x, double by) {
    for (int64_t i = 0; i < n; i++) ((T *)x)[i] *= (T)by;
}

static void OF(causal)(int64_t rows, int64_t cols, void *s, int64_t ld, int64_t first) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = first + i + 1 > 0 ? first + i + 1 : 0; j < cols; j++) ((T *)s)[i * ld + j] = -(T)INFINITY;
}

static void OF(mask)(int64_t rows, int64_t cols, void *s, int64_t ld, const uint8_t *mask, int64_t rs, int64_t cs) {
    for (int64_t i = 0; i < rows; i++) {
        T *restrict x = (T *)s + i * ld;
        const uint8_t *restrict m = mask + i * rs;
        if (cs == 1)
            for (int64_t j = 0; j < cols; j++) x[j] = m[j] ? x[j] : -(T)INFINITY;
        else
            for (int64_t j = 0; j < cols; j++) x[j] = m[j * cs] ? x[j] : -(T)INFINITY;
    }
}

static inline T OF(exponent)(T bias) {
    const T t = bias * (T)OF(UNIT);
    return t < (T)OF(LEAST) && bias > -(T)INFINITY ? (T)OF(LEAST) : t;
}

static void OF(bias)(int64_t rows, int64_t cols, void *s, int64_t ld, double by, const void *bias, int64_t rs,
                     int64_t cs) {
    const T f = (T)by;
    for (int64_t i = 0; i < rows; i++) {
        T *restrict x = (T *)s + i * ld;
        const T *restrict b = (const T *)bias + i * rs;
        if (cs == 1)
            for (int64_t j = 0; j < cols; j++) x[j] = x[j] * f + OF(exponent)(b[j]);
        else
            for (int64_t j = 0; j < cols; j++) x[j] = x[j] * f + OF(exponent)(b[j * cs]);
    }
}

/* The rows' new maxima, and by how much the old sums shrink; what lies behind a row is -inf then. The maxima of all
 * rows come first: chains overlap. */
static inline void OF(shifts)(int64_t rows, int64_t cols, T *s, int64_t ld, T by, T *m, T *l, T *acc, int64_t width,
                              T *shift) {
    T now[LANES];
    const int64_t whole = (cols + LANES - 1) / LANES * LANES;
    for (int64_t i = 0; i < rows; i++) {
        T *x = s + i * ld;
        for (int64_t k = cols; k < whole; k++) x[k] = -(T)INFINITY;
        const T top = by * OF(max)(whole, x);
        now[i] = top > m[i] ? top : m[i];
    }
    for (int64_t i = 0; i < rows; i++) {
        shift[i] = now[i] == -(T)INFINITY ? 0 : now[i];
        if (m[i] != now[i] && m[i] != -(T)INFINITY) {
            T *restrict a = acc + i * width;
            const T down = OF(wn__weight)(m[i] - shift[i]);
            l[i] *= down;
            for (int64_t k = 0; k < width; k++) a[k] *= down;
        }
        m[i] = now[i];
    }
}

static void OF(finish)(int64_t rows, void *max, const void *sum, void *acc, int64_t width) {
    T *m = max;
    const T *l = sum;
    for (int64_t i = 0; i < rows; i++) {
        T *restrict a = (T *)acc + i * width;
        const T r = l[i] == 0 ? 0 : 1 / l[i];
        for (int64_t k = 0; k < width; k++) a[k] *= r;
        if (l[i] == 0)
            for (int64_t k = 0; k < width; k++) a[k] = 0;
        m[i] = l[i] == 0 ? -(T)INFINITY : m[i] / (T)OF(UNIT) + OF(wn__log)(l[i]);
    }
}

static void OF(dots)(int64_t rows, int64_t width, const void *a, const void *b, void *delta) {
    for (int64_t i = 0; i < rows; i++) {
        const T *x = (const T *)a + i * width, *y = (const T *)b + i * width;
        T lane[LANES] = {0};
        int64_t k = 0;
        for (; k + LANES <= width; k += LANES)
            for (int l = 0; l < LANES; l++) lane[l] += x[k + l] * y[k + l];
        T s = OF(fold)(lane);
        for (; k < width; k++) s += x[k] * y[k];
        ((T *)delta)[i] = s;
    }
}

static bool OF(nan)(int64_t n, const void *p) {
    const T *x = p;
    T lane[LANES] = {0};
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int l = 0; l < LANES; l++) lane[l] += x[k + l];
    T s = OF(fold)(lane);
    for (; k < n; k++) s += x[k];
    return s != s;
}
