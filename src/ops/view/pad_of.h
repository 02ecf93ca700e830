/* Rows of elements as wide as T, and sums of T: included by pad.c behind as_TYPE.h. */

/* Rows first .. last - 1 of one plane of the result, which lie behind each other: what is not there yet, neither the fill nor middles that
 * were moved. Most rows are short, so nothing here costs more than the elements do. */
INLINE void OF(rows)(const pad_job *j, const axis *v, const char *plane, int64_t row_step, int64_t first, int64_t last, char *out) {
    const axis *a = &j->axes[j->ndim - 1];
    const how mode = j->mode;
    const int64_t step = j->step[j->ndim - 1], lo = j->lo, hi = j->hi, n = a->out;
    const int64_t wide = j->moved ? 0 : hi - lo, shift = (a->base + lo - a->left) * step;
    const T *from = (const T *)(const void *)plane;
    T *restrict y = (T *)(void *)out;
    for (int64_t r = first; r < last; r++, y += n) {
        const int64_t s = source(mode, v, r);
        if (s < 0) continue;
        const T *restrict x = from + s * row_step, *mid = x + shift;
        for (int64_t i = 0; i < wide; i++) y[lo + i] = mid[i * step];
        if (mode == CONSTANT) continue;
        if (j->listed) {
            const int64_t *edge = j->edge;
            for (int64_t i = 0; i < lo; i++) y[i] = x[*edge++];
            for (int64_t i = hi; i < n; i++) y[i] = x[*edge++];
        } else {
            for (int64_t i = 0; i < lo; i++) y[i] = x[source(mode, a, i) * step];
            for (int64_t i = hi; i < n; i++) y[i] = x[source(mode, a, i) * step];
        }
    }
}

/* x[source(i)] += g[i] over the last dimension. */
INLINE void OF(fold)(const pad_job *j, const T *restrict g, T *restrict x) {
    const axis *a = &j->axes[j->ndim - 1];
    int64_t lo = a->left < 0 ? 0 : a->left, hi = a->left + a->size;
    if (hi > a->out) hi = a->out;
    if (lo > a->out) lo = a->out;
    if (hi < lo) hi = lo;
    const int64_t shift = a->base - a->left;
    for (int64_t i = lo; i < hi; i++) x[i + shift] += g[i];
    if (j->mode == CONSTANT) return;
    for (int64_t i = 0; i < lo; i++) x[source(j->mode, a, i)] += g[i];
    for (int64_t i = hi; i < a->out; i++) x[source(j->mode, a, i)] += g[i];
}
