/* Binary searches among elements T, compared as C: included by search.c behind each as_TYPE.h. */

/* The first place whose element is not below (not above, for right) the value; `sorter` says where elements lie. Elements are compared
 * in the order of a plain binary search, which is what decides in sequences that are not sorted. */
INLINE void OF(some)(const T *sequence, const int64_t *sorter, int64_t n, const T *values, int m, const bool right,
                     int64_t *low) {
    int64_t length[SIDE_BY_SIDE];
    C v[SIDE_BY_SIDE];
    for (int q = 0; q < m; q++) low[q] = 0, length[q] = n, v[q] = READ(values[q]);
    for (int64_t least = n; n && least >= 0; least = (least - 1) >> 1) /* the least of the lengths */
        _Pragma("GCC unroll 8") for (int q = 0; q < m; q++) {
            const int64_t half = length[q] >> 1, mid = low[q] + half, at = least > 0 || mid < n ? mid : n - 1;
            const C x = READ(sequence[sorter ? sorter[at] : at]);
            int64_t after = right ? !(x > v[q]) : !(x >= v[q]);
            if (least == 0) after &= length[q] != 0;
            low[q] += (half + 1) & -after;
            length[q] = half - (after & ~length[q]); /* of an even number one more half falls away */
        }
}

static void OF(search)(const search_job *j, int64_t begin, int64_t end) {
    const T *values = (const T *)(const void *)j->values, *all = (const T *)(const void *)j->sequence;
    for (int64_t i = begin, m; i < end; i += m) {
        const int64_t row = i / j->each, left = (row + 1 < j->rows ? (row + 1) * j->each : end) - i, most = left < end - i ? left : end - i;
        const T *sequence = all + row * j->n;
        const int64_t *sorter = j->sorter ? j->sorter + row * j->n : NULL;
        int64_t low[SIDE_BY_SIDE];
        m = most < SIDE_BY_SIDE ? most : SIDE_BY_SIDE;
        if (m < SIDE_BY_SIDE || sorter) OF(some)(sequence, sorter, j->n, values + i, (int)m, j->right, low);
        else if (j->right) OF(some)(sequence, NULL, j->n, values + i, SIDE_BY_SIDE, true, low);
        else OF(some)(sequence, NULL, j->n, values + i, SIDE_BY_SIDE, false, low);
        for (int64_t q = 0; q < m; q++) {
            if (j->narrow) ((int32_t *)j->out)[i + q] = (int32_t)low[q];
            else ((int64_t *)j->out)[i + q] = low[q];
        }
    }
}
