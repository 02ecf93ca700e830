/* Small matrices of T, row by row: included by linalg_small.c for f32 and f64. */

static int OF(lu)(int m, int n, T *a, int ld, int *pivots) {
    int info = 0;
    for (int k = 0; k < m && k < n; k++) {
        T *row = a + (int64_t)k * ld;
        T *with = row, *to = row + ld, most = LIBM(fabs)(row[k]);
        int p = k;
        for (int i = k + 1; i < m; i++, to += ld)
            if (LIBM(fabs)(to[k]) > most) most = LIBM(fabs)(to[k]), with = to, p = i;
        pivots[k] = p + 1;
        if (most == 0) {
            if (!info) info = k + 1;
            continue;
        }
        for (int c = 0; c < n && p != k; c++) {
            const T kept = row[c];
            row[c] = with[c];
            with[c] = kept;
        }
        to = row + ld;
        for (int i = k + 1; i < m; i++, to += ld) {
            const T factor = to[k] /= row[k];
            for (int c = k + 1; c < n; c++) to[c] -= factor * row[c];
        }
    }
    return info;
}

static int OF(cholesky)(int n, T *a, int ld) { /* the upper triangle U of U^T U */
    for (int k = 0; k < n; k++) {
        T *row = a + (int64_t)k * ld;
        if (!(row[k] > 0)) return k + 1;
        row[k] = LIBM(sqrt)(row[k]);
        for (int i = k + 1; i < n; i++) row[i] /= row[k];
        for (int r = k + 1; r < n; r++)
            for (int i = r; i < n; i++) a[i + (int64_t)r * ld] -= row[i] * row[r];
    }
    return 0;
}

/* x = t^-1 x; a lower triangle from the first unknown on, an upper one from the last. */
INLINE void OF(solve_columns)(const wn__triangle *t, int n, int nrhs, T *x, int64_t ldx) {
    const T *a = (const T *)(const void *)t->a.p;
    for (int s = 0; s < n; s++) {
        const int k = t->upper ? n - 1 - s : s, from = t->upper ? 0 : k + 1, to = t->upper ? k : n;
        T *known = x + k * ldx;
        for (int r = 0; r < nrhs && !t->unit; r++) known[r] /= a[k * (t->a.rs + t->a.cs)];
        for (int i = from; i < to; i++) {
            const T factor = a[i * t->a.rs + k * t->a.cs];
            for (int r = 0; r < nrhs; r++) x[i * ldx + r] -= factor * known[r];
        }
    }
}
static void OF(solve)(const wn__triangle *t, int n, int nrhs, T *x, int64_t ldx) {
    if (nrhs == 1 && ldx == 1) OF(solve_columns)(t, n, 1, x, 1);
    else OF(solve_columns)(t, n, nrhs, x, ldx);
}
