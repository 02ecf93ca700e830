/* Elements as wide as T to columns, and sums of T back: included by fold.c behind as_TYPE.h. */

/* One row of the matrix: window element (ky, kx) of one plane at all places. */
INLINE void OF(column)(const fold_job *j, const char *plane, int64_t ky, int64_t kx, char *out) {
    int64_t y0, y1, x0, x1;
    inside(j, 0, ky, &y0, &y1);
    inside(j, 1, kx, &x0, &x1);
    const int64_t oh = j->out[0], ow = j->out[1], step = j->stride[1] * j->col_step;
    T *y = (T *)(void *)out;
    memset(y, 0, (size_t)(y0 * ow) * sizeof *y);
    for (int64_t o = y0; o < y1; o++) {
        const int64_t at = (o * j->stride[0] - j->padding[0] + ky * j->dilation[0]) * j->row_step +
                           (x0 * j->stride[1] - j->padding[1] + kx * j->dilation[1]) * j->col_step;
        const T *x = (const T *)(const void *)plane + at;
        T *r = y + o * ow;
        for (int64_t i = 0; i < x0; i++) r[i] = 0;
        if (step == 1) memcpy(r + x0, x, (size_t)(x1 - x0) * sizeof *r);
        else
            for (int64_t i = 0; i < x1 - x0; i++) r[x0 + i] = x[i * step];
        for (int64_t i = x1; i < ow; i++) r[i] = 0;
    }
    memset(y + y1 * ow, 0, (size_t)((oh - y1) * ow) * sizeof *y);
}

/* A plane: windows may overlap, so its sums have one order, that of the window's elements. */
INLINE void OF(add)(const fold_job *j, const T *g, int64_t ky, int64_t kx, T *plane) {
    int64_t y0, y1, x0, x1;
    inside(j, 0, ky, &y0, &y1);
    inside(j, 1, kx, &x0, &x1);
    const int64_t ow = j->out[1], s = j->stride[1];
    for (int64_t o = y0; o < y1; o++) {
        T *restrict x = plane + (o * j->stride[0] - j->padding[0] + ky * j->dilation[0]) * j->in[1] + x0 * s - j->padding[1] + kx * j->dilation[1];
        const T *restrict from = g + o * ow + x0;
        if (s == 1)
            for (int64_t i = 0; i < x1 - x0; i++) x[i] += from[i];
        else
            for (int64_t i = 0; i < x1 - x0; i++) x[i * s] += from[i];
    }
}
