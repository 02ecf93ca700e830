/* Places of a grid of type T, their elements and factors, and what channels have there: included by sampling.c behind
 * as_f32.h or as_f64.h. */

/* Where a place behind an edge lies in the plane, mirrored as often as it takes; slope: what its derivative becomes. */
static T OF(mirror)(T v, T size, bool align, T *slope) {
    const T low = align ? 0 : (T)-0.5, span = align ? size - 1 : size;
    if (span == 0) return *slope = 0;
    if (v < low) *slope = -*slope;
    const T far = LIBM(fabs)(v - low), extra = LIBM(fmod)(far, span), flips = LIBM(floor)(far / span);
    if (LIBM(fmod)(flips, 2) == 0) return extra + low;
    *slope = -*slope;
    return span - extra + low;
}

/* The same for a block: less than two spans away, where most are, nothing need be divided. */
static __attribute__((noinline)) void OF(reflect)(int64_t n, T *restrict v, T size, bool align, T *restrict slope) {
    const T low = align ? 0 : (T)-0.5, span = align ? size - 1 : size;
    T away[WN__PLACES];
    int far = 0;
    for (int64_t p = 0; p < n; p++) {
        away[p] = LIBM(fabs)(v[p] - low);
        far |= !(away[p] < 2 * span);
    }
    for (int64_t p = 0; p < n && far; p++)
        if (!(away[p] < 2 * span)) {
            v[p] = OF(mirror)(v[p], size, align, &slope[p]);
            away[p] = -1;
        }
    for (int64_t p = 0; p < n; p++) {
        const T a = away[p], odd = a >= span ? 1 : 0, u = odd > 0 ? span - (a - span) + low : a + low;
        const T s = v[p] < low ? -slope[p] : slope[p], turned = odd > 0 ? -s : s;
        slope[p] = a < 0 ? slope[p] : turned;
        v[p] = a < 0 ? v[p] : u;
    }
}

/* Places outside are moved as the padding says; slope: what their derivative becomes. */
static __attribute__((noinline)) void OF(pad)(const wn__sampled_plane *plane, int64_t n, T size, T *restrict v,
                                              T *restrict slope) {
    const T top = size - 1;
    if (plane->padding == WN__REFLECTION) OF(reflect)(n, v, size, plane->align, slope);
    for (int64_t p = 0; p < n && plane->padding != WN__ZEROS; p++) {
        const T u = v[p];
        slope[p] = ((u <= 0) | (u >= top)) ? 0 : slope[p];
        v[p] = u > 0 ? (u < top ? u : top) : 0; /* NaN: 0 */
    }
}

static void OF(inside)(int64_t n, T size, const T *restrict v, int32_t *restrict at) {
    for (int64_t p = 0; p < n; p++) at[p] = (int32_t)(((v[p] >= 0) & (v[p] < size)) ? v[p] : -1);
}

/* Convolution by cubics with a = -3/4. */
static __attribute__((noinline)) void OF(cubic)(int64_t n, const T *restrict t, const T *restrict slope,
                                                T w[4][WN__PLACES], T dw[4][WN__PLACES]) {
    const T a = (T)-0.75;
    for (int64_t p = 0; p < n; p++)
        for (int k = 0; k < 2; k++) { /* left of the place, and right of it */
            const T x = k ? 1 - t[p] : t[p], s = k ? -slope[p] : slope[p], y = x + 1;
            w[1 + k][p] = ((a + 2) * x - (a + 3)) * x * x + 1;
            w[3 * k][p] = ((a * y - 5 * a) * y + 8 * a) * y - 4 * a;
            dw[1 + k][p] = s * ((3 * (a + 2) * x - 2 * (a + 3)) * x);
            dw[3 * k][p] = s * ((3 * a * y - 10 * a) * y + 8 * a);
        }
}

/* One dimension's elements of each place (-1: outside), their factors and these factors' derivatives by the grid's
 * number. Returns how many. */
static int OF(line)(const wn__sampled_plane *plane, int d, int64_t n, const T *grid, int32_t at[4][WN__PLACES],
                    T w[4][WN__PLACES], T dw[4][WN__PLACES]) {
    const T size = (T)plane->size[d], top = size - 1, steep = plane->align ? top / 2 : size / 2;
    T v[WN__PLACES], slope[WN__PLACES], u[WN__PLACES], ignored[WN__PLACES];
    for (int64_t p = 0; p < n; p++) {
        const T x = grid[2 * p + d];
        v[p] = plane->align ? (x + 1) / 2 * top : ((x + 1) * size - 1) / 2;
        slope[p] = steep, ignored[p] = 1;
    }
    if (plane->mode != WN__CUBIC) OF(pad)(plane, n, size, v, slope);
    if (plane->mode == WN__NEAREST) {
        for (int64_t p = 0; p < n; p++) u[p] = LIBM(rint)(v[p]), w[0][p] = 1, dw[0][p] = 0;
        OF(inside)(n, size, u, at[0]);
        return 1;
    }
    for (int64_t p = 0; p < n; p++) {
        const T low = LIBM(floor)(v[p]);
        w[0][p] = low + 1 - v[p], w[1][p] = v[p] - low;
        dw[0][p] = -slope[p], dw[1][p] = slope[p];
        v[p] = low;
    }
    const int taps = plane->mode == WN__CUBIC ? 4 : 2;
    if (taps == 4) {
        memcpy(u, w[1], sizeof u);
        OF(cubic)(n, u, slope, w, dw);
    }
    for (int k = 0; k < taps; k++) {
        for (int64_t p = 0; p < n; p++) u[p] = v[p] + (T)(taps == 4 ? k - 1 : k);
        if (taps == 4) OF(pad)(plane, n, size, u, ignored);
        OF(inside)(n, size, u, at[k]);
    }
    return taps;
}

static void OF(table)(const wn__sampled_plane *plane, int64_t n, const void *grid, void *table, bool slopes) {
    OF(wn__sampling) *t = table;
    int32_t at[2][4][WN__PLACES];
    T w[2][4][WN__PLACES], dw[2][4][WN__PLACES];
    const int32_t width = (int32_t)plane->size[0];
    const int side = OF(line)(plane, 0, n, grid, at[0], w[0], dw[0]);
    OF(line)(plane, 1, n, grid, at[1], w[1], dw[1]);
    t->taps = side * side;
    for (int i = 0; i < t->taps; i++) {
        const int a = i % side, b = i / side;
        const int32_t *restrict x = at[0][a], *restrict y = at[1][b];
        for (int64_t p = 0; p < n; p++) {
            const int32_t in = ~((x[p] | y[p]) >> 31);
            t->in[i][p] = in;
            t->at[i][p] = (y[p] * width + x[p]) & in;
        }
        for (int64_t p = 0; p < n; p++) t->w[i][p] = OF(keep)(w[0][a][p] * w[1][b][p], t->in[i][p]);
        for (int64_t p = 0; p < n && slopes; p++) {
            t->dw[0][i][p] = OF(keep)(dw[0][a][p] * w[1][b][p], t->in[i][p]);
            t->dw[1][i][p] = OF(keep)(w[0][a][p] * dw[1][b][p], t->in[i][p]);
        }
    }
}

static void OF(sample)(const void *table, int64_t n, int64_t channels, const void *planes, int64_t area, void *to,
                       int64_t places) {
    const OF(wn__sampling) *t = table;
    for (int64_t k = 0; k < channels; k++) {
        const T *restrict x = (const T *)planes + k * area;
        T *restrict y = (T *)to + k * places;
        for (int64_t p = OF(sample_whole)(t, n, x, y); p < n; p++) {
            T sum = 0;
            for (int i = 0; i < t->taps; i++) sum += t->w[i][p] * OF(keep)(x[t->at[i][p]], t->in[i][p]);
            y[p] = sum;
        }
    }
}

static void OF(spread)(const void *table, int64_t n, int64_t channels, void *planes, int64_t area, const void *grad,
                       int64_t places) {
    const OF(wn__sampling) *t = table;
    T part[WN__TAPS][WN__PLACES]; /* by vectors, before elements are added one by one */
    for (int64_t k = 0; k < channels; k++) {
        T *x = (T *)planes + k * area;
        const T *restrict g = (const T *)grad + k * places;
        for (int i = 0; i < t->taps; i++)
            for (int64_t p = 0; p < n; p++) part[i][p] = OF(keep)(t->w[i][p] * g[p], t->in[i][p]);
        for (int64_t p = 0; p < n; p++)
            for (int i = 0; i < t->taps; i++) x[t->at[i][p]] += part[i][p];
    }
}

static void OF(slopes)(const void *table, int64_t n, int64_t channels, const void *planes, int64_t area,
                       const void *grad, int64_t places, void *to) {
    const OF(wn__sampling) *t = table;
    T sx[WN__PLACES] = {0}, sy[WN__PLACES] = {0};
    for (int64_t k = 0; k < channels; k++) {
        const T *restrict x = (const T *)planes + k * area, *restrict g = (const T *)grad + k * places;
        for (int64_t p = OF(slopes_whole)(t, n, x, g, sx, sy); p < n; p++)
            for (int i = 0; i < t->taps; i++) {
                const T v = OF(keep)(x[t->at[i][p]] * g[p], t->in[i][p]);
                sx[p] += t->dw[0][i][p] * v;
                sy[p] += t->dw[1][i][p] * v;
            }
    }
    for (int64_t p = 0; p < n; p++) ((T *)to)[2 * p] = sx[p], ((T *)to)[2 * p + 1] = sy[p];
}
