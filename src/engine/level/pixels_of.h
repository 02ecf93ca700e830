/* Loops over pixels of one type: a template over T (element), I (an integer as wide), LOWEST and whether it is FLOATING: integers have no
 * gradients and no weights. No include guard: included once for each type. */
typedef T NAME(v) __attribute__((vector_size(VB)));
typedef T NAME(vu) __attribute__((vector_size(VB), aligned(sizeof(T)), may_alias));
#define LANES ((int64_t)(VB / sizeof(T)))
#define LOADV(p) ((NAME(v)) * (const NAME(vu) *)(p))
#define STOREV(p, x) (*(NAME(vu) *)(p) = (x))

/* ------------------------------------------------------------------ averages */

/* Four vectors of the sum in registers, or one. */
static void NAME(sum_four)(const wn__pixel_box *b, const T *from, T *y) {
    NAME(v) s0 = {0}, s1 = s0, s2 = s0, s3 = s0;
    for (int64_t r = 0; r < b->rows; r++) {
        const T *x = from + r * b->row;
        for (int64_t c = 0; c < b->cols; c++, x += b->pixel) {
            s0 = s0 + LOADV(x), s1 = s1 + LOADV(x + LANES);
            s2 = s2 + LOADV(x + 2 * LANES), s3 = s3 + LOADV(x + 3 * LANES);
        }
    }
    STOREV(y, s0), STOREV(y + LANES, s1);
    STOREV(y + 2 * LANES, s2), STOREV(y + 3 * LANES, s3);
}
static void NAME(sum_one)(const wn__pixel_box *b, const T *from, T *y) {
    NAME(v) sum = {0};
    for (int64_t r = 0; r < b->rows; r++)
        for (int64_t c = 0; c < b->cols; c++) sum = sum + LOADV(from + r * b->row + c * b->pixel);
    STOREV(y, sum);
}
static void NAME(mean)(int64_t n, const wn__pixel_box *b, int64_t by_a, int64_t by_b, void *result) {
    const T *x = b->x, by = (T)by_a * (T)by_b;
    T *y = result;
    int64_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) NAME(sum_four)(b, x + i, y + i);
    for (; i < n && n >= LANES; i += LANES) {
        if (i + LANES > n) i = n - LANES; /* the last vector overlaps the one before it */
        NAME(sum_one)(b, x + i, y + i);
    }
    if (i < n) memset(y + i, 0, (size_t)(n - i) * sizeof *y);
    for (int64_t k = 0; k < b->rows * b->cols && i < n; k++)
        for (int64_t c = i; c < n; c++) y[c] = y[c] + x[k / b->cols * b->row + k % b->cols * b->pixel + c];
    for (int64_t c = 0; c < n; c++) y[c] = QUOTIENT(y[c], by);
}

#if FLOATING
static void NAME(share)(int64_t n, const void *grad, int64_t by_a, int64_t by_b, int64_t count, void *tmp, void *to) {
    const T *restrict g = grad, by = (T)by_a * (T)by_b;
    T *restrict part = tmp;
    for (int64_t c = 0; c < n; c++) part[c] = QUOTIENT(g[c], by);
    for (int64_t p = 0; p < count; p++) {
        T *restrict x = (T *)to + p * n;
        for (int64_t c = 0; c < n; c++) x[c] = x[c] + part[c];
    }
}

#endif

/* ------------------------------------------------------------------ maxima */

static void NAME(tap)(int64_t n, const T *restrict x, T *restrict best, I *restrict at, I number) {
    for (int64_t c = 0; c < n; c++) {
        const T v = x[c];
        const int take = (v > best[c]) | NO_NUMBER(v);
        best[c] = take ? v : best[c];
        at[c] = take ? number : at[c];
    }
}
static void NAME(most)(int64_t n, const wn__pixel_box *b, void *result, void *numbers) {
    const T *x = b->x;
    T *best = result;
    I *at = numbers;
    const I usual = (I)(b->rows > 0 && b->cols > 0 ? b->first : b->none);
    for (int64_t c = 0; c < n; c++) best[c] = LOWEST, at[c] = usual;
    for (int64_t r = 0; r < b->rows; r++)
        for (int64_t c = 0; c < b->cols; c++)
            NAME(tap)(n, x + r * b->row + c * b->pixel, best, at, (I)(b->first + r * b->by_row + c * b->by_col));
}
static void NAME(narrow)(int64_t n, const void *numbers, int bytes, void *result) {
    const I *restrict at = numbers;
    uint8_t *restrict one = result;
    int32_t *restrict four = result;
    int64_t *restrict eight = result;
    if (bytes == 1) for (int64_t c = 0; c < n; c++) one[c] = (uint8_t)at[c];
    else if (bytes == 4) for (int64_t c = 0; c < n; c++) four[c] = (int32_t)at[c];
    else for (int64_t c = 0; c < n; c++) eight[c] = (int64_t)at[c];
}
#if FLOATING
static void NAME(pick)(int64_t n, const void *grad, const void *numbers, int64_t number, void *to) {
    const T *restrict g = grad;
    const I *restrict at = numbers, wanted = (I)number;
    T *restrict x = to;
    for (int64_t c = 0; c < n; c++) x[c] = x[c] + (at[c] == wanted ? g[c] : 0); /* sums from 0 on are never -0: adding 0 keeps them */
}
static void NAME(widen)(int64_t n, const void *from, int bytes, void *numbers) {
    const uint8_t *restrict one = from;
    const int32_t *restrict four = from;
    I *restrict at = numbers;
    if (bytes == 1) for (int64_t c = 0; c < n; c++) at[c] = (I)one[c];
    else for (int64_t c = 0; c < n; c++) at[c] = (I)four[c];
}

/* ------------------------------------------------------------------ weighted sums */

/* As combine_few has it, four are added in pairs. */
static inline __attribute__((always_inline)) void NAME(sum)(int64_t n, int taps, const T *const *v, const T *w, T *restrict y) {
    const T *a = v[0], *b = v[1], *c = v[2], *d = v[3];
    if (taps == 1 && !w) for (int64_t i = 0; i < n; i++) y[i] = a[i];
    else if (taps == 1) for (int64_t i = 0; i < n; i++) y[i] = a[i] * w[0];
    else if (taps == 2 && !w) for (int64_t i = 0; i < n; i++) y[i] = a[i] + b[i];
    else if (taps == 2) for (int64_t i = 0; i < n; i++) y[i] = a[i] * w[0] + b[i] * w[1];
    else if (!w) for (int64_t i = 0; i < n; i++) y[i] = (a[i] + b[i]) + (c[i] + d[i]);
    else for (int64_t i = 0; i < n; i++) y[i] = (a[i] * w[0] + b[i] * w[1]) + (c[i] * w[2] + d[i] * w[3]);
}
static inline __attribute__((always_inline)) void NAME(mix_of)(int64_t n, int64_t each, int taps, const int64_t *at, const T *w, const I *keep, const T *nothing,
                                                               const T *x, T *restrict y) {
    for (int64_t i = 0; i < n; i++, y += each) {
        const T *v[4] = {x, x, x, x};
        for (int k = 0; k < taps; k++) v[k] = keep && !keep[i * taps + k] ? nothing : x + (at[i] + k) * each;
        NAME(sum)(each, taps, v, w ? w + i * taps : NULL, y);
    }
}
static void NAME(pair)(int64_t n, const void *first, const void *second, double weight_a, double weight_b, void *result) {
    const T *a = first, *b = second, wa = (T)weight_a, wb = (T)weight_b;
    T *restrict y = result;
    for (int64_t i = 0; i < n; i++) y[i] = a[i] * wa + b[i] * wb;
}
/* Pictures of three channels (and what else is shorter than a vector) have loops that know it. */
static void NAME(mix)(int64_t n, int64_t each, int taps, const int64_t *at, const void *weight, const void *keep, const void *nothing, const void *x, void *y) {
    if (each == 3 && taps == 1) NAME(mix_of)(n, 3, 1, at, weight, keep, nothing, x, y);
    else if (each == 3 && taps == 2) NAME(mix_of)(n, 3, 2, at, weight, keep, nothing, x, y);
    else if (each == 3) NAME(mix_of)(n, 3, 4, at, weight, keep, nothing, x, y);
    else if (taps == 1) NAME(mix_of)(n, each, 1, at, weight, keep, nothing, x, y);
    else if (taps == 2) NAME(mix_of)(n, each, 2, at, weight, keep, nothing, x, y);
    else NAME(mix_of)(n, each, 4, at, weight, keep, nothing, x, y);
}
#endif
#undef LANES
#undef LOADV
#undef STOREV
#undef T
#undef I
#undef LOWEST
#undef NAME
