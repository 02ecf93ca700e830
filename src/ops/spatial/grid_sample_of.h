/* Sampling in T: included by grid_sample.c behind as_f32.h and as_f64.h. */

/* ------------------------------------------------------------------ places along one dimension */

static T OF(unnormal)(T v, int64_t size, bool align, double *slope) {
    *slope = align ? (double)(size - 1) / 2 : (double)size / 2;
    return align ? (v + 1) / 2 * (T)(size - 1) : ((v + 1) * (T)size - 1) / 2;
}

static T OF(clip)(T v, int64_t size, double *slope) {
    if (v <= 0) *slope = 0;
    else if (v >= (T)(size - 1)) *slope = 0;
    return v > 0 ? (v < (T)(size - 1) ? v : (T)(size - 1)) : 0; /* NaN: 0 */
}

static T OF(mirror)(T v, int64_t size, bool align, double *slope) {
    const T low = align ? 0 : (T)-0.5, span = align ? (T)(size - 1) : (T)size;
    if (span == 0) {
        *slope = 0;
        return 0;
    }
    if (v < low) *slope = -*slope;
    const T far = LIBM(fabs)(v - low), extra = LIBM(fmod)(far, span), flips = LIBM(floor)(far / span);
    if (LIBM(fmod)(flips, 2) == 0) return extra + low;
    *slope = -*slope;
    return span - extra + low;
}

static T OF(pad)(const grid_sample_job *j, T v, int64_t size, double *slope) {
    if (j->padding == WN__REFLECTION) v = OF(mirror)(v, size, j->align, slope);
    return j->padding == WN__ZEROS ? v : OF(clip)(v, size, slope);
}

/* ------------------------------------------------------------------ the three walks */

static void OF(sample)(const grid_sample_job *j, const table *t, int64_t plane, int64_t first, int64_t n) {
    const T *x = (const T *)(const void *)j->x + plane * j->area;
    T *y = (T *)(void *)j->to + plane * j->places + first;
    for (int64_t p = 0; p < n; p++) {
        T sum = 0;
        for (int i = 0; i < j->taps; i++)
            if (t->at[p][i] >= 0) sum += (T)t->w[p][i] * x[t->at[p][i]];
        y[p] = sum;
    }
}

static void OF(spread)(const grid_sample_job *j, const table *t, int64_t plane, int64_t first, int64_t n) {
    const T *g = (const T *)(const void *)j->g + plane * j->places + first;
    T *x = (T *)(void *)j->to + plane * j->area;
    for (int64_t p = 0; p < n; p++)
        for (int i = 0; i < j->taps; i++)
            if (t->at[p][i] >= 0) x[t->at[p][i]] += (T)t->w[p][i] * g[p];
}

static void OF(slopes)(const grid_sample_job *j, const table *t, int64_t image, int64_t first, int64_t n) {
    T *to = (T *)(void *)j->to + (image * j->places + first) * j->nd;
    T sum[BLOCK][3] = {{0}};
    for (int64_t k = image * j->channels; k < (image + 1) * j->channels; k++) {
        const T *x = (const T *)(const void *)j->x + k * j->area, *g = (const T *)(const void *)j->g + k * j->places + first;
        for (int64_t p = 0; p < n; p++)
            for (int i = 0; i < j->taps; i++) {
                if (t->at[p][i] < 0) continue;
                const T v = x[t->at[p][i]] * g[p];
                for (int d = 0; d < j->nd; d++) sum[p][d] += (T)t->dw[p][d][i] * v;
            }
    }
    for (int64_t p = 0; p < n; p++)
        for (int d = 0; d < j->nd; d++) to[p * j->nd + d] = sum[p][d];
}
