/* Rows of a table of S added up as T: included by taps.c behind as_f32.h or as_f64.h, with K(name) as the name of a
 * function of this table. */

/* Adds n registers of each row in the order of the indices; by: each row has a weight. */
INLINE void K(add_registers)(const int n, const bool by, V *sum, const S *table, int64_t step, const int64_t *index,
                             int64_t count, int64_t known, int64_t skip, const T *weight) {
    for (int64_t k = 0; k < count; k++) {
        if (k + ROWS_AHEAD < known)
            fetch((uintptr_t)table + (uintptr_t)index[k + ROWS_AHEAD] * (uintptr_t)step * sizeof *table,
                  (size_t)(n * VN) * sizeof *table);
        if (index[k] == skip) continue;
        const S *row = table + index[k] * step;
        _Pragma("GCC unroll 8") for (int i = 0; i < n; i++) {
            const V x = K(load)(row + i * VN);
            sum[i] = sum[i] + (by ? x * weight[k] : x);
        }
    }
}
INLINE void K(rows)(const int n, T *acc, const S *table, int64_t step, const int64_t *index, int64_t count,
                    int64_t known, int64_t skip, const T *weight) {
    V sum[8];
    _Pragma("GCC unroll 8") for (int i = 0; i < n; i++) sum[i] = (V){0};
    if (weight) K(add_registers)(n, true, sum, table, step, index, count, known, skip, weight);
    else K(add_registers)(n, false, sum, table, step, index, count, known, skip, weight);
    _Pragma("GCC unroll 8") for (int i = 0; i < n; i++) OF(store)(acc + i * VN, sum[i]);
}

/* The last columns are a register that overlaps the one before it; of rows shorter than a register each element is
 * added by itself. */
static int64_t K(add_rows)(int64_t n, void *acc, const void *table, int64_t step, const int64_t *index, int64_t count,
                           int64_t known, int64_t skip, const void *weight) {
    T *a = acc;
    const S *from = table;
    int64_t i = 0, counted = count;
    for (; i + 8 * VN <= n; i += 8 * VN) K(rows)(8, a + i, from + i, step, index, count, known, skip, weight);
    for (; i + 4 * VN <= n; i += 4 * VN) K(rows)(4, a + i, from + i, step, index, count, known, skip, weight);
    for (; i + 2 * VN <= n; i += 2 * VN) K(rows)(2, a + i, from + i, step, index, count, known, skip, weight);
    for (; i < n && n >= VN; i += VN) {
        if (i + VN > n) i = n - VN;
        K(rows)(1, a + i, from + i, step, index, count, known, skip, weight);
    }
    for (; i < n; i++) {
        T sum = 0;
        for (int64_t k = 0; k < count; k++)
            if (index[k] != skip) sum = sum + K(one)(from[index[k] * step + i]) * (weight ? ((const T *)weight)[k] : 1);
        a[i] = sum;
    }
    if (skip >= 0)
        for (int64_t k = 0; k < count; k++) counted -= index[k] == skip;
    return counted;
}
