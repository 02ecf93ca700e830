/* Maxima over windows of volumes of type T: included by windows.c behind an as_ file. A row of the result is made tap
 * by tap, as in maxpool_of.h: one loop over the row for each element of the window. A NaN always wins, the last one, as
 * in PyTorch; of equal elements the first. A window without elements (all of them padding) has index -1. */
static void OF(tap)(int64_t n, const T *x, int64_t step, T *restrict best, I *restrict at, I tap) {
    for (int64_t o = 0; o < n; o++) {
        const T v = x[o * step];
        const int take = (v > best[o]) | IS_NAN(v);
        best[o] = take ? v : best[o];
        at[o] = take ? tap : at[o];
    }
}

static void OF(row)(const wn__grid *g, const wn__volume *v, int64_t oz, int64_t oy, void *result, int64_t *places,
                    void *tmp) {
    const int64_t *k = g->kernel, *s = g->stride, *p = g->padding, *dil = g->dilation, n = g->out[2];
    T *best = result;
    I *at = tmp;
    int64_t z0, z1, y0, y1;
    wn__window_part(oz, k[0], s[0], p[0], dil[0], v->in[0], &z0, &z1);
    wn__window_part(oy, k[1], s[1], p[1], dil[1], v->in[1], &y0, &y1);
    for (int64_t o = 0; o < n; o++) {
        int64_t x0, x1;
        wn__window_part(o, k[2], s[2], p[2], dil[2], v->in[2], &x0, &x1);
        best[o] = OF(LOWEST);
        at[o] = z0 < z1 && y0 < y1 && x0 < x1 ? (I)((z0 * k[1] + y0) * k[2] + x0) : -1;
    }
    for (int64_t kz = z0; kz < z1; kz++)
        for (int64_t ky = y0; ky < y1; ky++) {
            const T *r = (const T *)(const void *)v->data + (oz * s[0] - p[0] + kz * dil[0]) * v->slice +
                         (oy * s[1] - p[1] + ky * dil[1]) * v->row;
            for (int64_t kx = 0; kx < k[2]; kx++) {
                const int64_t shift = kx * dil[2] - p[2]; /* o * stride + shift must be in [0, in) */
                const int64_t o0 = shift < 0 ? (-shift + s[2] - 1) / s[2] : 0;
                int64_t o1 = shift < v->in[2] ? (v->in[2] - 1 - shift) / s[2] + 1 : 0;
                if (o1 > n) o1 = n;
                const I tap = (I)((kz * k[1] + ky) * k[2] + kx);
                if (o1 <= o0) continue;
                if (s[2] == 1) OF(tap)(o1 - o0, r + o0 + shift, 1, best + o0, at + o0, tap);
                else if (s[2] == 2) OF(tap)(o1 - o0, r + o0 * 2 + shift, 2, best + o0, at + o0, tap);
                else OF(tap)(o1 - o0, r + o0 * s[2] + shift, s[2], best + o0, at + o0, tap);
            }
        }
    for (int64_t o = 0; o < n; o++) {
        const int64_t i = at[o], z = oz * s[0] - p[0] + i / k[2] / k[1] * dil[0];
        const int64_t y = oy * s[1] - p[1] + i / k[2] % k[1] * dil[1], x = o * s[2] - p[2] + i % k[2] * dil[2];
        places[o] = i < 0 ? -1 : (z * v->in[1] + y) * v->in[2] + x;
    }
}

static void OF(box)(const wn__volume *v, const int64_t lo[3], const int64_t hi[3], void *result, int64_t *place) {
    T best = OF(LOWEST);
    int64_t at = (lo[0] * v->in[1] + lo[1]) * v->in[2] + lo[2];
    for (int64_t z = lo[0]; z < hi[0]; z++)
        for (int64_t y = lo[1]; y < hi[1]; y++) {
            const T *r = (const T *)(const void *)v->data + z * v->slice + y * v->row;
            for (int64_t x = lo[2]; x < hi[2]; x++)
                if (r[x] > best || IS_NAN(r[x])) best = r[x], at = (z * v->in[1] + y) * v->in[2] + x;
        }
    *(T *)result = best;
    *place = at;
}
