/* The line kernels of one floating type: included by engine/level/reduce_lines.c with T, E (the type's wn__elem) and NAME(x). */

static inline T NAME(run)(wn__fold f, const T *x, int64_t n, const T *param) {
    T v;
    WN_AT_LEVEL(wn__reduce_kernels).run[f][E](x, n, param, &v);
    return v;
}

/* Runs' sums, merged like a binary counter. */
typedef struct NAME(tree) {
    uint64_t runs;
    T slot[56];
} NAME(tree);
static inline void NAME(push)(NAME(tree) *t, T v) {
    int i = 0;
    for (; t->runs >> i & 1; i++) v = t->slot[i] + v;
    t->slot[i] = v;
    t->runs++;
}
static inline T NAME(total)(const NAME(tree) *t) {
    T v = 0;
    bool any = false;
    for (int i = 0; t->runs >> i; i++) {
        if (!(t->runs >> i & 1)) continue;
        v = any ? t->slot[i] + v : t->slot[i];
        any = true;
    }
    return v;
}
#define EACH_RUN(at, len) for (int64_t at = 0, len; at < n && (len = n - at < WN__RUN ? n - at : WN__RUN, true); at += len)

static void NAME(softmax)(void *to, const void *from, int64_t n, bool log) {
    const T *x = from;
    T *y = to, top = -(T)WN__INF_F64, e[WN__RUN] __attribute__((aligned(64)));
    EACH_RUN(i, k) {
        T v = NAME(run)(WN__FOLD_MAX, x + i, k, NULL);
        top = ((v > top) | (v != v)) ? v : top;
    }
    NAME(tree) tree;
    tree.runs = 0;
    EACH_RUN(i, k) {
        T *z = log ? e : y + i;
        for (int64_t j = 0; j < k; j++) z[j] = NAME(wn__exp)(x[i + j] - top);
        NAME(push)(&tree, NAME(run)(WN__FOLD_SUM, z, k, NULL));
    }
    T sum = NAME(total)(&tree);
    if (log) {
        T shift = NAME(wn__log)(sum);
        for (int64_t i = 0; i < n; i++) y[i] = x[i] - top - shift;
    } else {
        T factor = 1 / sum;
        for (int64_t i = 0; i < n; i++) y[i] *= factor;
    }
}

static void NAME(softmax_grad)(void *to, const void *gp, const void *yp, int64_t n, bool log) {
    const T *g = gp, *y = yp;
    T *dx = to, t[WN__RUN] __attribute__((aligned(64)));
    NAME(tree) tree;
    tree.runs = 0;
    EACH_RUN(i, k) {
        if (log) {
            NAME(push)(&tree, NAME(run)(WN__FOLD_SUM, g + i, k, NULL));
            continue;
        }
        for (int64_t j = 0; j < k; j++) t[j] = g[i + j] * y[i + j];
        NAME(push)(&tree, NAME(run)(WN__FOLD_SUM, t, k, NULL));
    }
    T sum = NAME(total)(&tree);
    if (log)
        for (int64_t i = 0; i < n; i++) dx[i] = g[i] - NAME(wn__exp)(y[i]) * sum;
    else
        for (int64_t i = 0; i < n; i++) dx[i] = y[i] * (g[i] - sum);
}

static void NAME(exp_minus)(void *to, const void *from, const void *mp, int64_t n) {
    const T *x = from, *m = mp;
    T *y = to;
    for (int64_t i = 0; i < n; i++) y[i] = NAME(wn__exp)(x[i] - m[i]);
}
static void NAME(times)(void *to, const void *from, const void *mp, int64_t n) {
    const T *x = from, *m = mp;
    T *y = to;
    for (int64_t i = 0; i < n; i++) y[i] = x[i] * m[i];
}
static void NAME(minus)(void *to, const void *from, const void *mp, int64_t n) {
    const T *x = from, *m = mp;
    T *y = to;
    for (int64_t i = 0; i < n; i++) y[i] = x[i] - m[i];
}

/* As engine/reduce_state.c does it: deviations from the first element, then from the mean; runs merged in double. */
static void NAME(logs)(void *to, const void *from, int64_t n) {
    const T *x = from;
    T *y = to;
    for (int64_t i = 0; i < n; i++) y[i] = NAME(wn__log)(x[i]);
}

typedef struct NAME(moment) {
    double mean, m2;
    int64_t n;
} NAME(moment);
static inline void NAME(join)(NAME(moment) *a, const NAME(moment) *b) {
    double na = (double)a->n, nb = (double)b->n, all = na + nb, delta = b->mean - a->mean;
    a->mean += delta * (nb / all);
    a->m2 += b->m2 + delta * delta * (na * nb / all);
    a->n += b->n;
}
/* Runs' moments, joined like a binary counter. */
typedef struct NAME(moments_tree) {
    uint64_t runs;
    NAME(moment) slot[56];
} NAME(moments_tree);
static inline void NAME(push_moment)(NAME(moments_tree) *t, NAME(moment) v) {
    int s = 0;
    for (; t->runs >> s & 1; s++) NAME(join)(&t->slot[s], &v), v = t->slot[s];
    t->slot[s] = v;
    t->runs++;
}
static inline NAME(moment) NAME(all_moments)(const NAME(moments_tree) *t) {
    NAME(moment) v = {0, 0, 0}, part;
    for (int s = 0; t->runs >> s; s++) {
        if (!(t->runs >> s & 1)) continue;
        part = t->slot[s];
        if (v.n) NAME(join)(&part, &v);
        v = part;
    }
    return v;
}
/* What a line waits for, sums and divisions, it waits for beside others. */
static void NAME(moments)(const void *const *lines, int64_t count, int64_t n, double *mean, double *var) {
    NAME(moments_tree) tree[WN__MOMENT_LINES];
    for (int64_t l = 0; l < count; l++) tree[l].runs = 0;
    EACH_RUN(i, k) {
        for (int64_t l = 0; l < count; l++) {
            const T *x = (const T *)lines[l] + i;
            mean[l] = (double)NAME(run)(WN__FOLD_SHIFTED, x, k, x);
        }
        for (int64_t l = 0; l < count; l++) mean[l] = (double)((const T *)lines[l])[i] + mean[l] / (double)k;
        for (int64_t l = 0; l < count; l++) {
            const T about = (T)mean[l];
            var[l] = (double)NAME(run)(WN__FOLD_SQUARES, (const T *)lines[l] + i, k, &about);
        }
        for (int64_t l = 0; l < count && n > k; l++) NAME(push_moment)(&tree[l], (NAME(moment)){mean[l], var[l], k});
    }
    for (int64_t l = 0; l < count && n > WN__RUN; l++) {
        const NAME(moment) all = NAME(all_moments)(&tree[l]);
        mean[l] = all.mean, var[l] = all.m2;
    }
    for (int64_t l = 0; l < count; l++) var[l] /= (double)n;
}

static void NAME(normalise)(void *to, const void *from, int64_t n, double mean, double rstd, const void *wp, const void *bp) {
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

/* 64 bytes of lanes, as registers of the level named one by one (arrays of them stay in memory with gcc 12). */
typedef T NAME(R) __attribute__((vector_size(VB)));
static inline NAME(R) NAME(r_load)(const T *x) {
    NAME(R) v;
    memcpy(&v, x, sizeof v);
    return v;
}
static inline void NAME(r_add_to)(T *x, NAME(R) by) {
    by += NAME(r_load)(x);
    memcpy(x, &by, sizeof by);
}
static inline T NAME(lane_sum)(NAME(R) a, NAME(R) b, NAME(R) c, NAME(R) d) { /* by halves; b, c, d: as far as there are so many */
    if (VB == 16) a += c, b += d;
    if (VB < 64) a += b;
    T x[VB / sizeof(T)];
    memcpy(x, &a, sizeof x);
    for (int h = (int)(VB / sizeof(T)) / 2; h; h /= 2)
        for (int i = 0; i < h; i++) x[i] += x[i + h];
    return x[0];
}

/* One pass over a run: sums of g*w and of g*w*xhat, and the row's part of dw and db. The last elements are one by one. */
#define STEP(k)                                                                                                        \
    do {                                                                                                               \
        const int64_t at_ = j + (k) * (int64_t)(VB / sizeof(T));                                                       \
        const NAME(R) g_ = NAME(r_load)(g + at_), u_ = (NAME(r_load)(x + at_) - m) * r;                                \
        const NAME(R) t_ = whole || w ? g_ * NAME(r_load)(w + at_) : g_;                                               \
        if (whole || dw) NAME(r_add_to)(dw + at_, g_ * u_);                                                            \
        if (whole || db) NAME(r_add_to)(db + at_, g_);                                                                 \
        s##k += t_;                                                                                                    \
        d##k += u_ * t_;                                                                                               \
    } while (0)
static inline __attribute__((always_inline)) void NAME(grad_run)(const T *g, const T *x, const T *w, T *dw, T *db, int64_t k, T m, T r, T *sum, T *dot,
                                                                 const bool whole) {
    enum { LANES = 64 / sizeof(T) };
    NAME(R) s0 = {0}, s1 = s0, s2 = s0, s3 = s0, d0 = s0, d1 = s0, d2 = s0, d3 = s0;
    T rest = 0, rest_dot = 0;
    int64_t j = 0;
    for (; j + LANES <= k; j += LANES) {
        STEP(0);
        if (VB < 64) STEP(1);
        if (VB == 16) {
            STEP(2);
            STEP(3);
        }
    }
    for (; j < k; j++) {
        T u = (x[j] - m) * r, t = w ? g[j] * w[j] : g[j];
        if (dw) dw[j] += g[j] * u;
        if (db) db[j] += g[j];
        rest += t;
        rest_dot += u * t;
    }
    *sum = NAME(lane_sum)(s0, s1, s2, s3) + rest;
    *dot = NAME(lane_sum)(d0, d1, d2, d3) + rest_dot;
}
#undef STEP

static void NAME(normalise_grad)(void *to, const void *gp, const void *from, int64_t n, double mean, double rstd, const void *wp,
                                 void *dwp, void *dbp) {
    const T *g = gp, *x = from, *w = wp;
    T *dx = to, *dw = dwp, *db = dbp, m = (T)mean, r = (T)rstd, sum, dot;
    NAME(tree) sums, dots;
    sums.runs = dots.runs = 0;
    EACH_RUN(i, k) {
        if (w && dw && db) NAME(grad_run)(g + i, x + i, w + i, dw + i, db + i, k, m, r, &sum, &dot, true);
        else NAME(grad_run)(g + i, x + i, w ? w + i : NULL, dw ? dw + i : NULL, db ? db + i : NULL, k, m, r, &sum, &dot, false);
        NAME(push)(&sums, sum);
        NAME(push)(&dots, dot);
    }
    if (!dx) return;
    T a = NAME(total)(&sums) / (T)n, c = NAME(total)(&dots) / (T)n;
    if (w)
        WN__IVDEP for (int64_t i = 0; i < n; i++) dx[i] = r * (g[i] * w[i] - a - (x[i] - m) * r * c);
    else
        WN__IVDEP for (int64_t i = 0; i < n; i++) dx[i] = r * (g[i] - a - (x[i] - m) * r * c);
}

static void NAME(affine)(void *to, const void *from, int64_t n, double ad, double bd) {
    const T *x = from;
    T *y = to, a = (T)ad, b = (T)bd;
    for (int64_t i = 0; i < n; i++) y[i] = x[i] * a + b;
}
static void NAME(affine_each)(void *to, const void *from, int64_t n, const void *ap, const void *bp) {
    const T *x = from, *a = ap, *b = bp;
    T *y = to;
    WN__IVDEP for (int64_t i = 0; i < n; i++) y[i] = x[i] * a[i] + b[i];
}

static void NAME(centred_sums)(const void *gp, const void *from, int64_t n, double mean, double *sum, double *dot) {
    const T *g = gp, *x = from;
    T m = (T)mean, t[WN__RUN] __attribute__((aligned(64)));
    NAME(tree) sums, dots;
    sums.runs = dots.runs = 0;
    EACH_RUN(i, k) {
        for (int64_t j = 0; j < k; j++) t[j] = g[i + j] * (x[i + j] - m);
        NAME(push)(&sums, NAME(run)(WN__FOLD_SUM, g + i, k, NULL));
        NAME(push)(&dots, NAME(run)(WN__FOLD_SUM, t, k, NULL));
    }
    *sum = (double)NAME(total)(&sums);
    *dot = (double)NAME(total)(&dots);
}
static void NAME(centred_sums_each)(const void *gp, const void *from, int64_t n, const void *mp, void *sp, void *dp) {
    const T *g = gp, *x = from, *m = mp;
    T *sum = sp, *dot = dp;
    WN__IVDEP for (int64_t i = 0; i < n; i++) {
        sum[i] += g[i];
        dot[i] += g[i] * (x[i] - m[i]);
    }
}
static void NAME(combine)(void *to, const void *gp, const void *from, int64_t n, double ad, double bd, double cd) {
    const T *g = gp, *x = from;
    T *y = to, a = (T)ad, b = (T)bd, c = (T)cd;
    WN__IVDEP for (int64_t i = 0; i < n; i++) y[i] = g[i] * a + x[i] * b + c;
}
static void NAME(combine_each)(void *to, const void *gp, const void *from, int64_t n, const void *ap, const void *bp, const void *cp) {
    const T *g = gp, *x = from, *a = ap, *b = bp, *c = cp;
    T *y = to;
    WN__IVDEP for (int64_t i = 0; i < n; i++) y[i] = g[i] * a[i] + x[i] * b[i] + c[i];
}
#undef EACH_RUN
