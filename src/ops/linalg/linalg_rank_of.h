/* Ranks of triangles of T: included by linalg_lstsq_steps.c for f32 and f64. */

/* How many leading columns of the triangle R of a QR factorisation with pivots are so independent that the estimate of their least singular value is
 * above rcond times that of the largest? least, most: room for a vector of n elements each. */
static int OF(rank)(const wn__lapack *lapack, int n, const T *r, int64_t ld, T rcond, T *low, T *high) {
    const int largest = 1, smallest = 2;
    T least = LIBM(fabs)(r[0]), most = least;
    if (!(least > 0)) return 0;
    low[0] = high[0] = 1;
    for (int k = 1; k < n; k++) {
        const T *column = r + k * ld;
        T next_least, next_most, sines[2], cosines[2];
        lapack->laic1(&smallest, &k, low, &least, column, column + k, &next_least, &sines[0], &cosines[0]);
        lapack->laic1(&largest, &k, high, &most, column, column + k, &next_most, &sines[1], &cosines[1]);
        if (!(next_most * rcond <= next_least)) return k;
        for (int i = 0; i < k; i++) low[i] *= sines[0], high[i] *= sines[1];
        low[k] = cosines[0], high[k] = cosines[1];
        least = next_least, most = next_most;
    }
    return n;
}
