/* What each fold does with registers of T: included by reduce_float_of.h. The fold is a constant wherever these are used, so that of every
 * switch one case is left. Folds that are not named here are made of these (reduce_float_of.h). */

/* What a fold has come to that has seen nothing. */
INLINE T OF(nothing)(const wn__fold f) {
    switch (wn__joining(f)) {
    case WN__FOLD_PROD: return 1;
    case WN__FOLD_MIN: return (T)WN__INF_F64;
    case WN__FOLD_MAX: return -(T)WN__INF_F64;
    default: return 0;
    }
}
INLINE V OF(empty)(const wn__fold f) { return OF(splat)(OF(nothing)(f)); }

/* Accumulators a, and elements x taken in; p: the fold's parameter. */
INLINE V OF(with)(const wn__fold f, V a, V x, V p) {
    switch (f) {
    case WN__FOLD_PROD: return a * x;
    case WN__FOLD_MIN: return V_MIN(a, x);
    case WN__FOLD_MAX: return V_MAX(a, x);
    case WN__FOLD_SHIFTED: return a + (x - p);
    case WN__FOLD_SQUARES: return a + (x - p) * (x - p);
    default: return a + x;
    }
}

/* Accumulators a and then b, in which NaN need not win: it is seen apart. */
INLINE V OF(join)(const wn__fold f, V a, V b) {
    switch (wn__joining(f)) {
    case WN__FOLD_PROD: return a * b;
    case WN__FOLD_MIN: return V_MIN(a, b);
    case WN__FOLD_MAX: return V_MAX(a, b);
    default: return a + b;
    }
}
/* The same where NaN wins on either side. */
INLINE V OF(join_marked)(const wn__fold f, V a, V b) {
    switch (wn__joining(f)) {
    case WN__FOLD_PROD: return a * b;
    case WN__FOLD_MIN: return OF(pick)((b < a) | (b != b), b, a);
    case WN__FOLD_MAX: return OF(pick)((b > a) | (b != b), b, a);
    default: return a + b;
    }
}
/* Of two results; NaN wins. */
INLINE T OF(two)(const wn__fold f, T a, T x) {
    switch (wn__joining(f)) {
    case WN__FOLD_PROD: return a * x;
    case WN__FOLD_MIN: return ONE_MIN(a, x);
    case WN__FOLD_MAX: return ONE_MAX(a, x);
    default: return a + x;
    }
}
/* The same in a loop that vectorises. */
INLINE T OF(merged)(const wn__fold f, T a, T x) {
    switch (wn__joining(f)) {
    case WN__FOLD_PROD: return a * x;
    case WN__FOLD_MIN: return ((x < a) | (x != x)) ? x : a;
    case WN__FOLD_MAX: return ((x > a) | (x != x)) ? x : a;
    default: return a + x;
    }
}

/* Notes in q whether x or y hold NaN, which `with` does not look for in the folds that compare. */
INLINE void OF(see)(const wn__fold f, V_SEEN *q, V x, V y) {
    if (wn__fold_compares(f)) V_SEE(*q, x, y);
}
/* v, NaN where q saw one. */
INLINE V OF(mark)(const wn__fold f, V v, V_SEEN q) {
    if (wn__fold_compares(f)) v = (V)V_MARK(v, q);
    return v;
}

/* The lanes' tree in one register: 8+8, 4+4, 2+2, 1+1 as far as it has so many elements. */
INLINE T OF(tree)(const wn__fold f, V a) {
#if PER_VECTOR == 16
    a = OF(join)(f, a, __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15));
    a = OF(join)(f, a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7));
    a = OF(join)(f, a, __builtin_shufflevector(a, a, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3));
    return OF(join)(f, a, __builtin_shufflevector(a, a, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))[0];
#elif PER_VECTOR == 8
    a = OF(join)(f, a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 4, 5, 6, 7));
    a = OF(join)(f, a, __builtin_shufflevector(a, a, 2, 3, 2, 3, 2, 3, 2, 3));
    return OF(join)(f, a, __builtin_shufflevector(a, a, 1, 1, 1, 1, 1, 1, 1, 1))[0];
#elif PER_VECTOR == 4
    a = OF(join)(f, a, __builtin_shufflevector(a, a, 2, 3, 2, 3));
    return OF(join)(f, a, __builtin_shufflevector(a, a, 1, 1, 1, 1))[0];
#else
    return OF(join)(f, a, __builtin_shufflevector(a, a, 1, 1))[0];
#endif
}

/* 16 lanes, as many of these registers as that takes, and where NaN was seen. p: the fold's parameter. */
typedef struct OF(lanes) {
    V a0, a1, a2, a3, a4, a5, a6, a7, p;
    V_SEEN q;
} OF(lanes);

INLINE OF(lanes) OF(no_lanes)(const wn__fold f, T p) {
    const V e = OF(empty)(f);
    return (OF(lanes)){.a0 = e, .a1 = e, .a2 = e, .a3 = e, .a4 = e, .a5 = e, .a6 = e, .a7 = e, .p = OF(splat)(p)};
}
INLINE T OF(of_lanes)(const wn__fold f, OF(lanes) *s) {
    if (VECTORS > 4) {
        s->a0 = OF(join)(f, s->a0, s->a4), s->a1 = OF(join)(f, s->a1, s->a5);
        s->a2 = OF(join)(f, s->a2, s->a6), s->a3 = OF(join)(f, s->a3, s->a7);
    }
    if (VECTORS > 2) s->a0 = OF(join)(f, s->a0, s->a2), s->a1 = OF(join)(f, s->a1, s->a3);
    if (VECTORS > 1) s->a0 = OF(join)(f, s->a0, s->a1);
    const T v = OF(tree)(f, s->a0);
    return wn__fold_compares(f) && V_ANY_SEEN(s->q) ? (T)WN__NAN_F64 : v;
}

INLINE V OF(lane)(const T *lanes, const int k) { return k < VECTORS ? OF(load)(lanes + k % VECTORS * VN) : OF(splat)(0); }
INLINE void OF(lanes_from)(OF(lanes) *s, const T *at) {
    s->a0 = OF(lane)(at, 0), s->a1 = OF(lane)(at, 1), s->a2 = OF(lane)(at, 2), s->a3 = OF(lane)(at, 3);
    s->a4 = OF(lane)(at, 4), s->a5 = OF(lane)(at, 5), s->a6 = OF(lane)(at, 6), s->a7 = OF(lane)(at, 7);
}
INLINE void OF(keep)(const wn__fold f, T *lanes, const int k, V v, V_SEEN q) {
    if (k < VECTORS) OF(store)(lanes + k % VECTORS * VN, OF(mark)(f, v, q));
}
INLINE void OF(lanes_to)(const wn__fold f, const OF(lanes) *s, T *at) {
    OF(keep)(f, at, 0, s->a0, s->q), OF(keep)(f, at, 1, s->a1, s->q);
    OF(keep)(f, at, 2, s->a2, s->q), OF(keep)(f, at, 3, s->a3, s->q);
    OF(keep)(f, at, 4, s->a4, s->q), OF(keep)(f, at, 5, s->a5, s->q);
    OF(keep)(f, at, 6, s->a6, s->q), OF(keep)(f, at, 7, s->a7, s->q);
}

/* ---- rows of accumulators */

INLINE void OF(store_some)(T *to, V v, int64_t n) {
    if (n >= VN) memcpy(to, &v, sizeof v);
    else memcpy(to, &v, (size_t)n * sizeof(T));
}
INLINE void OF(join_rows)(const wn__fold f, T *a, const T *b, int64_t w) {
    int64_t i = 0;
    for (; i + VN <= w; i += VN) OF(store)(a + i, OF(join_marked)(f, OF(load)(a + i), OF(load)(b + i)));
    if (i < w) OF(store_some)(a + i, OF(join_marked)(f, OF(load)(a + i), OF(load)(b + i)), w - i);
}
/* The lanes' tree of w columns, `lanes` (from 16 on: 16) rows of accumulators one behind the other. A register at the end of a row reads
 * into what lies behind it. */
INLINE void OF(tree_of_rows)(const wn__fold f, T *lane, int64_t lanes, int64_t w, T *acc) {
    for (int64_t j = 0; j < 8 && j + 8 < lanes; j++) OF(join_rows)(f, lane + j * w, lane + (j + 8) * w, w);
    for (int64_t h = 4; h && lanes < 8; h /= 2)
        for (int64_t j = 0; j < h && j + h < lanes; j++) OF(join_rows)(f, lane + j * w, lane + (j + h) * w, w);
    if (lanes < 8) {
        memcpy(acc, lane, (size_t)w * sizeof(T));
        return;
    }
    for (int64_t i = 0; i < w; i += VN) {
        const T *at = lane + i;
        const V v0 = OF(join_marked)(f, OF(load)(at), OF(load)(at + 4 * w)), v1 = OF(join_marked)(f, OF(load)(at + w), OF(load)(at + 5 * w));
        const V v2 = OF(join_marked)(f, OF(load)(at + 2 * w), OF(load)(at + 6 * w)), v3 = OF(join_marked)(f, OF(load)(at + 3 * w), OF(load)(at + 7 * w));
        OF(store_some)(acc + i, OF(join_marked)(f, OF(join_marked)(f, v0, v2), OF(join_marked)(f, v1, v3)), w - i);
    }
}
static WN__ONCE void OF(lanes_add)(T *lane, int64_t lanes, int64_t w, T *acc) { OF(tree_of_rows)(WN__FOLD_SUM, lane, lanes, w, acc); }
static WN__ONCE void OF(lanes_mul)(T *lane, int64_t lanes, int64_t w, T *acc) { OF(tree_of_rows)(WN__FOLD_PROD, lane, lanes, w, acc); }
static WN__ONCE void OF(lanes_min)(T *lane, int64_t lanes, int64_t w, T *acc) { OF(tree_of_rows)(WN__FOLD_MIN, lane, lanes, w, acc); }
static WN__ONCE void OF(lanes_max)(T *lane, int64_t lanes, int64_t w, T *acc) { OF(tree_of_rows)(WN__FOLD_MAX, lane, lanes, w, acc); }
INLINE void OF(join_lanes)(const wn__fold f, T *lane, int64_t lanes, int64_t w, T *acc) {
    switch (wn__joining(f)) {
    case WN__FOLD_PROD: OF(lanes_mul)(lane, lanes, w, acc); return;
    case WN__FOLD_MIN: OF(lanes_min)(lane, lanes, w, acc); return;
    case WN__FOLD_MAX: OF(lanes_max)(lane, lanes, w, acc); return;
    default: OF(lanes_add)(lane, lanes, w, acc); return;
    }
}

/* Two registers of neighbouring columns: asking where a row lies costs as much as folding one. */
typedef struct OF(pair) {
    V v[2];
} OF(pair);
typedef struct OF(pair_seen) {
    V_SEEN q[2];
} OF(pair_seen);

INLINE OF(pair) OF(pair_empty)(const wn__fold f) { return (OF(pair)){{OF(empty)(f), OF(empty)(f)}}; }
INLINE OF(pair) OF(pair_with)(const wn__fold f, OF(pair) a, OF(pair) x, OF(pair) p) {
    return (OF(pair)){{OF(with)(f, a.v[0], x.v[0], p.v[0]), OF(with)(f, a.v[1], x.v[1], p.v[1])}};
}
INLINE OF(pair) OF(pair_join)(const wn__fold f, OF(pair) a, OF(pair) b) {
    return (OF(pair)){{OF(join)(f, a.v[0], b.v[0]), OF(join)(f, a.v[1], b.v[1])}};
}
INLINE void OF(pair_see)(const wn__fold f, OF(pair_seen) *s, OF(pair) x, OF(pair) y) {
    OF(see)(f, &s->q[0], x.v[0], y.v[0]);
    OF(see)(f, &s->q[1], x.v[1], y.v[1]);
}
