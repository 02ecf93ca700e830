/* Loops over pixels of type T: included by pixel_kernels.c behind an as_ file. Integers have no gradients and no
 * weights. */
typedef T OF(vec) __attribute__((vector_size(VB)));
typedef T OF(loose) __attribute__((vector_size(VB), aligned(sizeof(T)), may_alias));
INLINE OF(vec) OF(load)(const T *at) { return *(const OF(loose) *)at; }
INLINE void OF(store)(T *at, OF(vec) v) { *(OF(loose) *)at = v; }
/* The smallest integer by -1 would trap. */
INLINE T OF(quotient)(T a, T d) { return !FLOATING && d == -1 ? -a : a / d; }

/* ------------------------------------------------------------------ averages */

/* Four vectors of the sum in registers, or one. */
static void OF(sum_four)(const wn__pixel_box *b, const T *from, T *y) {
    OF(vec) s0 = {0}, s1 = s0, s2 = s0, s3 = s0;
    for (int64_t r = 0; r < b->rows; r++) {
        const T *x = from + r * b->row;
        for (int64_t c = 0; c < b->cols; c++, x += b->pixel) {
            s0 = s0 + OF(load)(x), s1 = s1 + OF(load)(x + VN);
            s2 = s2 + OF(load)(x + 2 * VN), s3 = s3 + OF(load)(x + 3 * VN);
        }
    }
    OF(store)(y, s0), OF(store)(y + VN, s1);
    OF(store)(y + 2 * VN, s2), OF(store)(y + 3 * VN, s3);
}
static void OF(sum_one)(const wn__pixel_box *b, const T *from, T *y) {
    OF(vec) sum = {0};
    for (int64_t r = 0; r < b->rows; r++)
        for (int64_t c = 0; c < b->cols; c++) sum = sum + OF(load)(from + r * b->row + c * b->pixel);
    OF(store)(y, sum);
}
static void OF(mean)(int64_t n, const wn__pixel_box *b, int64_t by_a, int64_t by_b, void *result) {
    const T *x = b->x, by = (T)by_a * (T)by_b;
    T *y = result;
    int64_t i = 0;
    for (; i + 4 * VN <= n; i += 4 * VN) OF(sum_four)(b, x + i, y + i);
    for (; i < n && n >= VN; i += VN) {
        if (i + VN > n) i = n - VN; /* the last vector overlaps the one before it */
        OF(sum_one)(b, x + i, y + i);
    }
    if (i < n) memset(y + i, 0, (size_t)(n - i) * sizeof *y);
    for (int64_t k = 0; k < b->rows * b->cols && i < n; k++)
        for (int64_t c = i; c < n; c++) y[c] = y[c] + x[k / b->cols * b->row + k % b->cols * b->pixel + c];
    for (int64_t c = 0; c < n; c++) y[c] = OF(quotient)(y[c], by);
}

#if FLOATING
static void OF(share)(int64_t n, const void *grad, int64_t by_a, int64_t by_b, int64_t count, void *tmp, void *to) {
    const T *restrict g = grad, by = (T)by_a * (T)by_b;
    T *restrict part = tmp;
    for (int64_t c = 0; c < n; c++) part[c] = OF(quotient)(g[c], by);
    for (int64_t p = 0; p < count; p++) {
        T *restrict x = (T *)to + p * n;
        for (int64_t c = 0; c < n; c++) x[c] = x[c] + part[c];
    }
}

#endif

/* ------------------------------------------------------------------ maxima */

static void OF(tap)(int64_t n, const T *restrict x, T *restrict best, I *restrict at, I number) {
    for (int64_t c = 0; c < n; c++) {
        const T v = x[c];
        const int take = (v > best[c]) | IS_NAN(v);
        best[c] = take ? v : best[c];
        at[c] = take ? number : at[c];
    }
}
static void OF(most)(int64_t n, const wn__pixel_box *b, void *result, void *numbers) {
    const T *x = b->x;
    T *best = result;
    I *at = numbers;
    const I usual = (I)(b->rows > 0 && b->cols > 0 ? b->first : b->none);
    for (int64_t c = 0; c < n; c++) best[c] = OF(LOWEST), at[c] = usual;
    for (int64_t r = 0; r < b->rows; r++)
        for (int64_t c = 0; c < b->cols; c++)
            OF(tap)(n, x + r * b->row + c * b->pixel, best, at, (I)(b->first + r * b->by_row + c * b->by_col));
}
static void OF(narrow)(int64_t n, const void *numbers, int bytes, void *result) {
    const I *restrict at = numbers;
    uint8_t *restrict one = result;
    int32_t *restrict four = result;
    int64_t *restrict eight = result;
    if (bytes == 1) for (int64_t c = 0; c < n; c++) one[c] = (uint8_t)at[c];
    else if (bytes == 4) for (int64_t c = 0; c < n; c++) four[c] = (int32_t)at[c];
    else for (int64_t c = 0; c < n; c++) eight[c] = (int64_t)at[c];
}
#if FLOATING
static void OF(pick)(int64_t n, const void *grad, const void *numbers, int64_t number, void *to) {
    const T *restrict g = grad;
    const I *restrict at = numbers, wanted = (I)number;
    T *restrict x = to;
    for (int64_t c = 0; c < n; c++) x[c] = x[c] + (at[c] == wanted ? g[c] : 0); /* sums from 0 on are never -0: adding 0 keeps them */
}
static void OF(widen)(int64_t n, const void *from, int bytes, void *numbers) {
    const uint8_t *restrict one = from;
    const int32_t *restrict four = from;
    I *restrict at = numbers;
    if (bytes == 1) for (int64_t c = 0; c < n; c++) at[c] = (I)one[c];
    else for (int64_t c = 0; c < n; c++) at[c] = (I)four[c];
}

/* ------------------------------------------------------------------ weighted sums */

/* As combine_few has it, four are added in pairs. */
INLINE void OF(sum)(int64_t n, int taps, const T *const *v, const T *w, T *restrict y) {
    const T *a = v[0], *b = v[1], *c = v[2], *d = v[3];
    if (taps == 1 && !w) for (int64_t i = 0; i < n; i++) y[i] = a[i];
    else if (taps == 1) for (int64_t i = 0; i < n; i++) y[i] = a[i] * w[0];
    else if (taps == 2 && !w) for (int64_t i = 0; i < n; i++) y[i] = a[i] + b[i];
    else if (taps == 2) for (int64_t i = 0; i < n; i++) y[i] = a[i] * w[0] + b[i] * w[1];
    else if (!w) for (int64_t i = 0; i < n; i++) y[i] = (a[i] + b[i]) + (c[i] + d[i]);
    else for (int64_t i = 0; i < n; i++) y[i] = (a[i] * w[0] + b[i] * w[1]) + (c[i] * w[2] + d[i] * w[3]);
}
INLINE void OF(mix_of)(int64_t n, int64_t each, int taps, const int64_t *at, const T *w, const I *keep,
                       const T *nothing, const T *x, T *restrict y) {
    for (int64_t i = 0; i < n; i++, y += each) {
        const T *v[4] = {x, x, x, x};
        for (int k = 0; k < taps; k++) v[k] = keep && !keep[i * taps + k] ? nothing : x + (at[i] + k) * each;
        OF(sum)(each, taps, v, w ? w + i * taps : NULL, y);
    }
}
static void OF(pair)(int64_t n, const void *first, const void *second, double weight_a, double weight_b, void *result) {
    const T *a = first, *b = second, wa = (T)weight_a, wb = (T)weight_b;
    T *restrict y = result;
    for (int64_t i = 0; i < n; i++) y[i] = a[i] * wa + b[i] * wb;
}
/* Pictures of three channels (and what else is shorter than a vector) have loops that know it. */
static void OF(mix)(int64_t n, int64_t each, int taps, const int64_t *at, const void *weight, const void *keep,
                    const void *nothing, const void *x, void *y) {
    if (each == 3 && taps == 1) OF(mix_of)(n, 3, 1, at, weight, keep, nothing, x, y);
    else if (each == 3 && taps == 2) OF(mix_of)(n, 3, 2, at, weight, keep, nothing, x, y);
    else if (each == 3) OF(mix_of)(n, 3, 4, at, weight, keep, nothing, x, y);
    else if (taps == 1) OF(mix_of)(n, each, 1, at, weight, keep, nothing, x, y);
    else if (taps == 2) OF(mix_of)(n, each, 2, at, weight, keep, nothing, x, y);
    else OF(mix_of)(n, each, 4, at, weight, keep, nothing, x, y);
}
#endif
