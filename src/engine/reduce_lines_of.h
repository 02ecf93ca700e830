/* The line kernels of one floating type: included by engine/level/reduce_lines.c behind as_f32.h or as_f64.h with E (the type's wn__elem). */

static inline T OF(run)(wn__fold f, const T *x, int64_t n, const T *param) {
    T v;
    WN_AT_LEVEL(wn__reduce_kernels).run[f][E](x, n, param, &v);
    return v;
}

/* Runs' sums, merged like a binary counter. */
typedef struct OF(tree) {
    uint64_t runs;
    T slot[56];
} OF(tree);
static inline void OF(push)(OF(tree) *t, T v) {
    int i = 0;
    for (; t->runs >> i & 1; i++) v = t->slot[i] + v;
    t->slot[i] = v;
    t->runs++;
}
static inline T OF(total)(const OF(tree) *t) {
    T v = 0;
    bool any = false;
    for (int i = 0; t->runs >> i; i++) {
        if (!(t->runs >> i & 1)) continue;
        v = any ? t->slot[i] + v : t->slot[i];
        any = true;
    }
    return v;
}

static void OF(softmax)(void *to, const void *from, int64_t n, bool log) {
    const T *x = from;
    T *y = to, top = -(T)WN__INF_F64, e[WN__RUN] __attribute__((aligned(64)));
    for (int64_t i = 0, k; i < n; i += k) {
        k = run_at(i, n);
        T v = OF(run)(WN__FOLD_MAX, x + i, k, NULL);
        top = ((v > top) | (v != v)) ? v : top;
    }
    OF(tree) tree;
    tree.runs = 0;
    for (int64_t i = 0, k; i < n; i += k) {
        k = run_at(i, n);
        T *z = log ? e : y + i;
        for (int64_t j = 0; j < k; j++) z[j] = OF(wn__exp)(x[i + j] - top);
        OF(push)(&tree, OF(run)(WN__FOLD_SUM, z, k, NULL));
    }
    T sum = OF(total)(&tree);
    if (log) {
        T shift = OF(wn__log)(sum);
        for (int64_t i = 0; i < n; i++) y[i] = x[i] - top - shift;
    } else {
        T factor = 1 / sum;
        for (int64_t i = 0; i < n; i++) y[i] *= factor;
    }
}

static void OF(softmax_grad)(void *to, const void *gp, const void *yp, int64_t n, bool log) {
    const T *g = gp, *y = yp;
    T *dx = to, t[WN__RUN] __attribute__((aligned(64)));
    OF(tree) tree;
    tree.runs = 0;
    for (int64_t i = 0, k; i < n; i += k) {
        k = run_at(i, n);
        if (log) {
            OF(push)(&tree, OF(run)(WN__FOLD_SUM, g + i, k, NULL));
            continue;
        }
        for (int64_t j = 0; j < k; j++) t[j] = g[i + j] * y[i + j];
        OF(push)(&tree, OF(run)(WN__FOLD_SUM, t, k, NULL));
    }
    T sum = OF(total)(&tree);
    if (log)
        for (int64_t i = 0; i < n; i++) dx[i] = g[i] - OF(wn__exp)(y[i]) * sum;
    else
        for (int64_t i = 0; i < n; i++) dx[i] = y[i] * (g[i] - sum);
}

static void OF(exp_minus)(void *to, const void *from, const void *mp, int64_t n) {
    const T *x = from, *m = mp;
    T *y = to;
    for (int64_t i = 0; i < n; i++) y[i] = OF(wn__exp)(x[i] - m[i]);
}
static void OF(times)(void *to, const void *from, const void *mp, int64_t n) {
    const T *x = from, *m = mp;
    T *y = to;
    for (int64_t i = 0; i < n; i++) y[i] = x[i] * m[i];
}
static void OF(minus)(void *to, const void *from, const void *mp, int64_t n) {
    const T *x = from, *m = mp;
    T *y = to;
    for (int64_t i = 0; i < n; i++) y[i] = x[i] - m[i];
}

/* As engine/reduce_state.c does it: deviations from the first element, then from the mean; runs merged in double. */
static void OF(logs)(void *to, const void *from, int64_t n) {
    const T *x = from;
    T *y = to;
    for (int64_t i = 0; i < n; i++) y[i] = OF(wn__log)(x[i]);
}

typedef struct OF(moment) {
    double mean, m2;
    int64_t n;
} OF(moment);
static inline void OF(join)(OF(moment) *a, const OF(moment) *b) {
    double na = (double)a->n, nb = (double)b->n, all = na + nb, delta = b->mean - a->mean;
    a->mean += delta * (nb / all);
    a->m2 += b->m2 + delta * delta * (na * nb / all);
    a->n += b->n;
}
/* Runs' moments, joined like a binary counter. */
typedef struct OF(moments_tree) {
    uint64_t runs;
    OF(moment) slot[56];
} OF(moments_tree);
static inline void OF(push_moment)(OF(moments_tree) *t, OF(moment) v) {
    int s = 0;
    for (; t->runs >> s & 1; s++) OF(join)(&t->slot[s], &v), v = t->slot[s];
    t->slot[s] = v;
    t->runs++;
}
static inline OF(moment) OF(all_moments)(const OF(moments_tree) *t) {
    OF(moment) v = {0, 0, 0}, part;
    for (int s = 0; t->runs >> s; s++) {
        if (!(t->runs >> s & 1)) continue;
        part = t->slot[s];
        if (v.n) OF(join)(&part, &v);
        v = part;
    }
    return v;
}
/* What a line waits for, sums and divisions, it waits for beside others. */
static void OF(moments)(const void *const *lines, int64_t count, int64_t n, double *mean, double *var) {
    OF(moments_tree) tree[WN__MOMENT_LINES];
    for (int64_t l = 0; l < count; l++) tree[l].runs = 0;
    for (int64_t i = 0, k; i < n; i += k) {
        k = run_at(i, n);
        for (int64_t l = 0; l < count; l++) {
            const T *x = (const T *)lines[l] + i;
            mean[l] = (double)OF(run)(WN__FOLD_SHIFTED, x, k, x);
        }
        for (int64_t l = 0; l < count; l++) mean[l] = (double)((const T *)lines[l])[i] + mean[l] / (double)k;
        for (int64_t l = 0; l < count; l++) {
            const T about = (T)mean[l];
            var[l] = (double)OF(run)(WN__FOLD_SQUARES, (const T *)lines[l] + i, k, &about);
        }
        for (int64_t l = 0; l < count && n > k; l++) OF(push_moment)(&tree[l], (OF(moment)){mean[l], var[l], k});
    }
    for (int64_t l = 0; l < count && n > WN__RUN; l++) {
        const OF(moment) all = OF(all_moments)(&tree[l]);
        mean[l] = all.mean, var[l] = all.m2;
    }
    for (int64_t l = 0; l < count; l++) var[l] /= (double)n;
}

static void OF(normalise)(void *to, const void *from, int64_t n, double mean, double rstd, const void *wp, const void *bp) {
    const T *x = from, *w = wp, *b = bp;
    T *y = to, m = (T)mean, r = (T)rstd;
    if (w && b)
        for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) * r * w[i] + b[i];
    else if (w)
        for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) * r * w[i];
    else if (b)
        for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) * r + b[i];
    else
        for (int64_t i = 0; i < n; i++) y[i] = (x[i] - m) * r;
}

/* ---- sums over 64 bytes of lanes, as registers of the level named one by one (arrays of them stay in memory with gcc 12) */
static inline T OF(lane_sum)(V a, V b, V c, V d) { /* by halves; b, c, d: as far as there are so many */
    if (VB == 16) a += c, b += d;
    if (VB < 64) a += b;
    T x[VB / sizeof(T)];
    memcpy(x, &a, sizeof x);
    for (int h = (int)(VB / sizeof(T)) / 2; h; h /= 2)
        for (int i = 0; i < h; i++) x[i] += x[i + h];
    return x[0];
}

/* What a row's gradient is made of: of g and x, from element `at` on. w, and what dw and db get, may be NULL. */
typedef struct OF(grad_of) {
    const T *g, *x, *w;
    T *dw, *db, m, r;
} OF(grad_of);

/* One register, added to sums of g*w and of g*w*xhat; whole: w, dw and db are there. */
INLINE void OF(grad_step)(const bool whole, const OF(grad_of) *p, int64_t at, V *sum, V *dot) {
    const V g = OF(load)(p->g + at), u = (OF(load)(p->x + at) - p->m) * p->r;
    const V t = whole || p->w ? g * OF(load)(p->w + at) : g;
    if (whole || p->dw) OF(store)(p->dw + at, g * u + OF(load)(p->dw + at));
    if (whole || p->db) OF(store)(p->db + at, g + OF(load)(p->db + at));
    *sum += t;
    *dot += u * t;
}
/* The elements behind the last whole lanes, one by one. */
COLD void OF(grad_rest)(const OF(grad_of) *p, int64_t j, int64_t k, T *sum, T *dot) {
    T rest = 0, rest_dot = 0;
    for (; j < k; j++) {
        const T g = p->g[j], u = (p->x[j] - p->m) * p->r, t = p->w ? g * p->w[j] : g;
        if (p->dw) p->dw[j] += g * u;
        if (p->db) p->db[j] += g;
        rest += t;
        rest_dot += u * t;
    }
    *sum += rest;
    *dot += rest_dot;
}
/* One pass over a run of k elements: both sums, and the row's part of dw and db. */
INLINE void OF(grad_run)(const bool whole, const OF(grad_of) *p, int64_t k, T *sum, T *dot) {
    enum { LANES = 64 / sizeof(T) };
    V s0 = {0}, s1 = s0, s2 = s0, s3 = s0, d0 = s0, d1 = s0, d2 = s0, d3 = s0;
    int64_t j = 0;
    for (; j + LANES <= k; j += LANES) {
        OF(grad_step)(whole, p, j, &s0, &d0);
        if (VB < 64) OF(grad_step)(whole, p, j + VN, &s1, &d1);
        if (VB == 16) OF(grad_step)(whole, p, j + 2 * VN, &s2, &d2), OF(grad_step)(whole, p, j + 3 * VN, &s3, &d3);
    }
    *sum = OF(lane_sum)(s0, s1, s2, s3);
    *dot = OF(lane_sum)(d0, d1, d2, d3);
    if (j < k) OF(grad_rest)(p, j, k, sum, dot);
}

static void OF(normalise_grad)(void *to, const void *gp, const void *from, int64_t n, double mean, double rstd, const void *wp,
                                 void *dwp, void *dbp) {
    const T *g = gp, *x = from, *w = wp;
    T *dx = to, *dw = dwp, *db = dbp, m = (T)mean, r = (T)rstd, sum, dot;
    OF(tree) sums, dots;
    sums.runs = dots.runs = 0;
    for (int64_t i = 0, k; i < n; i += k) {
        k = run_at(i, n);
        const OF(grad_of) p = {g + i, x + i, w ? w + i : NULL, dw ? dw + i : NULL, db ? db + i : NULL, m, r};
        if (w && dw && db) OF(grad_run)(true, &p, k, &sum, &dot);
        else OF(grad_run)(false, &p, k, &sum, &dot);
        OF(push)(&sums, sum);
        OF(push)(&dots, dot);
    }
    if (!dx) return;
    T a = OF(total)(&sums) / (T)n, c = OF(total)(&dots) / (T)n;
    if (w)
        WN__IVDEP for (int64_t i = 0; i < n; i++) dx[i] = r * (g[i] * w[i] - a - (x[i] - m) * r * c);
    else
        WN__IVDEP for (int64_t i = 0; i < n; i++) dx[i] = r * (g[i] - a - (x[i] - m) * r * c);
}

static void OF(affine)(void *to, const void *from, int64_t n, double ad, double bd) {
    const T *x = from;
    T *y = to, a = (T)ad, b = (T)bd;
    for (int64_t i = 0; i < n; i++) y[i] = x[i] * a + b;
}
static void OF(affine_each)(void *to, const void *from, int64_t n, const void *ap, const void *bp) {
    const T *x = from, *a = ap, *b = bp;
    T *y = to;
    WN__IVDEP for (int64_t i = 0; i < n; i++) y[i] = x[i] * a[i] + b[i];
}

static void OF(centred_sums)(const void *gp, const void *from, int64_t n, double mean, double *sum, double *dot) {
    const T *g = gp, *x = from;
    T m = (T)mean, t[WN__RUN] __attribute__((aligned(64)));
    OF(tree) sums, dots;
    sums.runs = dots.runs = 0;
    for (int64_t i = 0, k; i < n; i += k) {
        k = run_at(i, n);
        for (int64_t j = 0; j < k; j++) t[j] = g[i + j] * (x[i + j] - m);
        OF(push)(&sums, OF(run)(WN__FOLD_SUM, g + i, k, NULL));
        OF(push)(&dots, OF(run)(WN__FOLD_SUM, t, k, NULL));
    }
    *sum = (double)OF(total)(&sums);
    *dot = (double)OF(total)(&dots);
}
static void OF(centred_sums_each)(const void *gp, const void *from, int64_t n, const void *mp, void *sp, void *dp) {
    const T *g = gp, *x = from, *m = mp;
    T *sum = sp, *dot = dp;
    WN__IVDEP for (int64_t i = 0; i < n; i++) {
        sum[i] += g[i];
        dot[i] += g[i] * (x[i] - m[i]);
    }
}
static void OF(combine)(void *to, const void *gp, const void *from, int64_t n, double ad, double bd, double cd) {
    const T *g = gp, *x = from;
    T *y = to, a = (T)ad, b = (T)bd, c = (T)cd;
    WN__IVDEP for (int64_t i = 0; i < n; i++) y[i] = g[i] * a + x[i] * b + c;
}
static void OF(combine_each)(void *to, const void *gp, const void *from, int64_t n, const void *ap, const void *bp, const void *cp) {
    const T *g = gp, *x = from, *a = ap, *b = bp, *c = cp;
    T *y = to;
    WN__IVDEP for (int64_t i = 0; i < n; i++) y[i] = g[i] * a[i] + x[i] * b[i] + c[i];
}
