/* Running sums and products of elements of type T: included by scan_kernels.c behind an as_ file, with VALUE(x), what
 * an element counts as. A is what is accumulated, R a result. */
#if FLOATING
#define A double
#define R T
#else
#define A uint64_t
#define R int64_t
#endif

INLINE A OF(with)(const bool sum, A a, A x) { return sum ? a + x : a * x; }

INLINE void OF(chains_by)(const int64_t step, const bool sum, int64_t n, const void *const *from, void *const *to,
                          A *acc) {
    const T *x0 = from[0], *x1 = from[1], *x2 = from[2], *x3 = from[3];
    R *y0 = to[0], *y1 = to[1], *y2 = to[2], *y3 = to[3];
    A a0 = acc[0], a1 = acc[1], a2 = acc[2], a3 = acc[3];
    for (int64_t i = 0; i < n; i++) {
        a0 = OF(with)(sum, a0, (A)VALUE(x0[i * step]));
        a1 = OF(with)(sum, a1, (A)VALUE(x1[i * step]));
        a2 = OF(with)(sum, a2, (A)VALUE(x2[i * step]));
        a3 = OF(with)(sum, a3, (A)VALUE(x3[i * step]));
        y0[i] = (R)a0;
        y1[i] = (R)a1;
        y2[i] = (R)a2;
        y3[i] = (R)a3;
    }
    acc[0] = a0, acc[1] = a1, acc[2] = a2, acc[3] = a3;
}
INLINE void OF(chains)(const bool sum, int64_t n, const void *const *from, int64_t step, void *const *to, void *acc) {
    if (step == 1) OF(chains_by)(1, sum, n, from, to, acc);
    else OF(chains_by)(step, sum, n, from, to, acc);
}
INLINE void OF(line)(const bool sum, int64_t n, const void *from, int64_t step, void *to, void *acc) {
    const T *x = from;
    R *y = to;
    A a = *(A *)acc;
    for (int64_t i = 0; i < n; i++) {
        a = OF(with)(sum, a, (A)VALUE(x[i * step]));
        y[i] = (R)a;
    }
    *(A *)acc = a;
}
INLINE void OF(columns)(const bool sum, int64_t n, int64_t w, const void *from, int64_t xn, void *to, int64_t yn,
                        A *acc) {
    const T *x = from;
    R *y = to; /* may be x, in place */
    for (int64_t i = 0; i < n; i++, x += xn, y += yn)
        WN__IVDEP for (int64_t k = 0; k < w; k++) {
            acc[k] = OF(with)(sum, acc[k], (A)VALUE(x[k]));
            y[k] = (R)acc[k];
        }
}
/* Short lines one behind the other, from the beginning. */
INLINE void OF(rows)(const bool sum, int64_t lines, int64_t n, const void *from, void *to) {
    const A one = sum ? 0 : 1;
    const T *x = from;
    R *y = to; /* may be x, in place */
    for (; lines >= 4; lines -= 4, x += 4 * n, y += 4 * n) {
        A acc[4] = {one, one, one, one};
        const void *four[] = {x, x + n, x + 2 * n, x + 3 * n};
        void *into[] = {y, y + n, y + 2 * n, y + 3 * n};
        OF(chains_by)(1, sum, n, four, into, acc);
    }
    for (; lines; lines--, x += n, y += n) OF(line)(sum, n, x, 1, y, &(A){one});
}

#if FLOATING
/* Sixteen sums side by side. */
INLINE void OF(total)(const bool sum, int64_t n, const void *from, int64_t step, void *acc) {
    const T *x = from;
    A lane[16];
    for (int k = 0; k < 16; k++) lane[k] = sum ? 0 : 1;
    int64_t i = 0;
    if (step == 1)
        for (; i + 16 <= n; i += 16)
            for (int k = 0; k < 16; k++) lane[k] = OF(with)(sum, lane[k], (A)x[i + k]);
    for (; i < n; i++) lane[i % 16] = OF(with)(sum, lane[i % 16], (A)x[i * step]);
    for (int w = 8; w; w /= 2)
        for (int k = 0; k < w; k++) lane[k] = OF(with)(sum, lane[k], lane[k + w]);
    *(A *)acc = lane[0];
}
#else
/* Of integers in any order, which the compiler chooses. */
INLINE void OF(total)(const bool sum, int64_t n, const void *from, int64_t step, void *acc) {
    const T *x = from;
    A a = sum ? 0 : 1;
    if (step == 1)
        for (int64_t i = 0; i < n; i++) a = OF(with)(sum, a, (A)VALUE(x[i]));
    else
        for (int64_t i = 0; i < n; i++) a = OF(with)(sum, a, (A)VALUE(x[i * step]));
    *(A *)acc = a;
}
#endif

APART static void OF(chains_sum)(int64_t n, const void *const *x, int64_t step, void *const *y, void *acc) {
    OF(chains)(true, n, x, step, y, acc);
}
static void OF(line_sum)(int64_t n, const void *x, int64_t step, void *y, void *a) { OF(line)(true, n, x, step, y, a); }
static void OF(columns_sum)(int64_t n, int64_t w, const void *x, int64_t xn, void *y, int64_t yn, void *acc) {
    OF(columns)(true, n, w, x, xn, y, yn, acc);
}
static void OF(rows_sum)(int64_t lines, int64_t n, const void *x, void *y) { OF(rows)(true, lines, n, x, y); }
static void OF(total_sum)(int64_t n, const void *x, int64_t step, void *acc) { OF(total)(true, n, x, step, acc); }

APART static void OF(chains_prod)(int64_t n, const void *const *x, int64_t step, void *const *y, void *acc) {
    OF(chains)(false, n, x, step, y, acc);
}
static void OF(line_prod)(int64_t n, const void *x, int64_t step, void *y, void *a) {
    OF(line)(false, n, x, step, y, a);
}
static void OF(columns_prod)(int64_t n, int64_t w, const void *x, int64_t xn, void *y, int64_t yn, void *acc) {
    OF(columns)(false, n, w, x, xn, y, yn, acc);
}
static void OF(rows_prod)(int64_t lines, int64_t n, const void *x, void *y) { OF(rows)(false, lines, n, x, y); }
static void OF(total_prod)(int64_t n, const void *x, int64_t step, void *acc) { OF(total)(false, n, x, step, acc); }
#undef A
#undef R
