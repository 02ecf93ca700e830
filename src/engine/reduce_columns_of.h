/* Columns of one floating type: included by reduce_float_of.h behind reduce_folds_of.h, which says what a fold does. 16 rows of accumulators in
 * `work`, row r of the run goes to row r mod 16; rows r, r + 16, r + 32 and r + 48 together load and store them once. Rows shorter than a few
 * registers that follow each other in memory are taken 16 at a time, as one row. */

/* A register of elements, of which only n are there where it is `cut`. */
INLINE V OF(elements)(const bool cut, const T *at, int64_t n) { return cut ? OF(part)(at, n) : OF(load)(at); }

/* One register of accumulators v, n elements of it where it is `cut`, with those of 1 or 4 rows; what becomes of it. */
INLINE V OF(column)(const wn__fold f, const int rows, const bool cut, const T *const *x, int64_t i, int64_t n, V v, V p) {
    const V e0 = OF(elements)(cut, x[0] + i, n);
    V_SEEN q = {0};
    v = OF(with)(f, v, e0, p);
    if (rows == 4) {
        const V e1 = OF(elements)(cut, x[1] + i, n), e2 = OF(elements)(cut, x[2] + i, n), e3 = OF(elements)(cut, x[3] + i, n);
        v = OF(with)(f, v, e1, p);
        v = OF(with)(f, v, e2, p);
        v = OF(with)(f, v, e3, p);
        OF(see)(f, &q, e0, e1);
        OF(see)(f, &q, e2, e3);
    } else {
        OF(see)(f, &q, e0, e0);
    }
    return OF(mark)(f, v, q);
}

/* All w columns of accumulators a; fresh: there is nothing in them yet. p: the columns' parameters, or NULL. What is the same for all columns
 * is read from a register in memory again and again where it is not known beforehand: a loop that knew would be another one. */
INLINE void OF(step)(const wn__fold f, const int rows, const T *const *x, int64_t w, const bool fresh, const T *p, T *a) {
    T empty[VB / sizeof(T)] __attribute__((aligned(VB))), zero[VB / sizeof(T)] __attribute__((aligned(VB))) = {0};
    const T *from = fresh ? empty : a, *param = p ? p : zero;
    const int64_t by = fresh ? 0 : VN, param_by = p ? VN : 0;
    int64_t i = 0;
    OF(store)(empty, OF(empty)(f));
    for (; i + VN <= w; i += VN, from += by, param += param_by) OF(store)(a + i, OF(column)(f, rows, false, x, i, VN, OF(load)(from), OF(load)(param)));
    if (i < w) { /* what lies behind them in `a` is written back as it was */
        const V v = OF(column)(f, rows, true, x, i, w - i, OF(load)(from), OF(load)(param));
        OF(store)(a + i, OF(pick)(OF(first)(w - i), v, OF(load)(a + i)));
    }
}

/* Any number of rows. */
INLINE void OF(columns)(const wn__fold f, const wn__cols *c, const T *p, T *acc, T *lane) {
    const int64_t w = c->width, together = !p && wn__rows_flat(c) ? WN__LANES : 1; /* rows that one step takes */
    T *const buf = lane + WN__LANES * WN__COL_MAX;
    for (int64_t base = 0; base < c->n; base += 4 * WN__LANES)
        for (int64_t r = base; r < c->n && r < base + WN__LANES; r += together) {
            T *a = lane + (r - base) * w;
            const bool four = r + 3 * WN__LANES + together <= c->n;
            for (int64_t q = r; q < c->n && q < base + 4 * WN__LANES; q += (four ? 4 : 1) * WN__LANES) {
                const int64_t take = (c->n - q < together ? c->n - q : together) * w;
                const T *x[4];
                for (int k = 0; k < (four ? 4 : 1); k++) x[k] = OF(row_of)(c, q + k * WN__LANES, take, buf + k * WN__COL_MAX);
                if (!four) OF(step)(f, 1, x, take, q < WN__LANES, p, a);
                else if (q < WN__LANES) OF(step)(f, 4, x, take, true, p, a);
                else OF(step)(f, 4, x, take, false, p, a);
            }
        }
    OF(join_lanes)(f, lane, c->n, w, acc);
}

/* ---- few rows: no accumulators in memory. Up to 16 rows, a lane each, are folded in registers; up to four for each lane a quarter of the lanes
 * at a time, so that there are no more streams than the machine follows. Only where it is asked for (WITH_FEW): it is much code. */
#define FEW (4 * WN__LANES)

/* Columns i to i + 2 * VN of a row. */
INLINE OF(pair) OF(pair_at)(const char *row, int64_t i) {
    const T *const at = (const T *)(const void *)row + i;
    return (OF(pair)){{OF(load)(at), OF(load)(at + VN)}};
}

/* Lane v with row r, where that is there. */
INLINE OF(pair) OF(deep_more)(const wn__fold f, OF(pair) v, const char *const *x, int64_t r, int64_t n, int64_t i, OF(pair) p, OF(pair_seen) *s) {
    if (n <= r) return v;
    const OF(pair) e = OF(pair_at)(x[r], i);
    OF(pair_see)(f, s, e, e);
    return OF(pair_with)(f, v, e, p);
}

/* Of at most 64 rows from x on: what one lane comes to. */
INLINE OF(pair) OF(deep_lane)(const wn__fold f, const char *const *x, int64_t n, int64_t i, OF(pair) p, OF(pair_seen) *s) {
    const OF(pair) e = OF(pair_at)(x[0], i);
    OF(pair) v = OF(pair_with)(f, OF(pair_empty)(f), e, p);
    OF(pair_see)(f, s, e, e);
    v = OF(deep_more)(f, v, x, 16, n, i, p, s);
    v = OF(deep_more)(f, v, x, 32, n, i, p, s);
    return OF(deep_more)(f, v, x, 48, n, i, p, s);
}

/* What lanes 0, 4, 8 and 12 come to, all rows of each. */
INLINE OF(pair) OF(deep_quarter)(const wn__fold f, const char *const *x, int64_t n, int64_t i, OF(pair) p, OF(pair_seen) *s) {
    const OF(pair) v0 = OF(deep_lane)(f, x, n, i, p, s), v8 = OF(deep_lane)(f, x + 8, n - 8, i, p, s);
    const OF(pair) v = OF(pair_join)(f, v0, v8);
    const OF(pair) v4 = OF(deep_lane)(f, x + 4, n - 4, i, p, s), v12 = OF(deep_lane)(f, x + 12, n - 12, i, p, s);
    return OF(pair_join)(f, v, OF(pair_join)(f, v4, v12));
}

/* The same where each lane has one row, or none. */
INLINE OF(pair) OF(quarter)(const wn__fold f, const char *const *x, int64_t n, int64_t i, OF(pair) p, OF(pair_seen) *s) {
    const OF(pair) none = OF(pair_empty)(f), e0 = OF(pair_at)(x[0], i);
    OF(pair) v = OF(pair_with)(f, none, e0, p);
    if (n <= 4) {
        OF(pair_see)(f, s, e0, e0);
        return v;
    }
    const OF(pair) e4 = OF(pair_at)(x[4], i);
    OF(pair) t = OF(pair_with)(f, none, e4, p);
    OF(pair_see)(f, s, e0, e4);
    if (n > 8) {
        const OF(pair) e8 = OF(pair_at)(x[8], i);
        v = OF(pair_join)(f, v, OF(pair_with)(f, none, e8, p));
        if (n > 12) {
            const OF(pair) e12 = OF(pair_at)(x[12], i);
            t = OF(pair_join)(f, t, OF(pair_with)(f, none, e12, p));
            OF(pair_see)(f, s, e8, e12);
        } else {
            OF(pair_see)(f, s, e8, e8);
        }
    }
    return OF(pair_join)(f, v, t);
}

/* Lanes 0 to 3 and those with them: at most 16 rows. */
INLINE OF(pair) OF(quarters)(const wn__fold f, const char *const *x, int64_t n, int64_t i, OF(pair) p, OF(pair_seen) *s) {
    OF(pair) v = OF(quarter)(f, x, n, i, p, s);
    if (n > 2) v = OF(pair_join)(f, v, OF(quarter)(f, x + 2, n - 2, i, p, s));
    if (n > 1) {
        OF(pair) u = OF(quarter)(f, x + 1, n - 1, i, p, s);
        if (n > 3) u = OF(pair_join)(f, u, OF(quarter)(f, x + 3, n - 3, i, p, s));
        v = OF(pair_join)(f, v, u);
    }
    return v;
}

/* deep: of one quarter, all rows; otherwise of all quarters, at most 16 rows. */
INLINE void OF(few_at)(const wn__fold f, const bool deep, const char *const *x, int64_t n, int64_t i, const T *p, T *to) {
    const V none = OF(splat)(0);
    const OF(pair) pv = {{p ? OF(load)(p + i) : none, p ? OF(load)(p + i + VN) : none}};
    OF(pair_seen) s = {0};
    const OF(pair) v = deep ? OF(deep_quarter)(f, x, n, i, pv, &s) : OF(quarters)(f, x, n, i, pv, &s);
    OF(store)(to + i, OF(mark)(f, v.v[0], s.q[0]));
    OF(store)(to + i + VN, OF(mark)(f, v.v[1], s.q[1]));
}

/* The last ones are some of them again: the same values. */
INLINE void OF(few_rows)(const wn__fold f, const bool deep, const char *const *x, int64_t n, int64_t w, const T *p, T *to) {
    for (int64_t i = 0; i < w; i += 2 * VN) OF(few_at)(f, deep, x, n, i + 2 * VN <= w ? i : w - 2 * VN, p, to);
}

INLINE void OF(few)(const wn__fold f, const wn__cols *c, const T *p, T *acc, T *lane) {
    const int64_t w = c->width;
    if (c->n <= WN__LANES) {
        OF(few_rows)(f, false, c->rows, c->n, w, p, acc);
        return;
    }
    for (int64_t j = 0; j < 4; j++) OF(few_rows)(f, true, c->rows + j, c->n - j, w, p, lane + j * w);
    OF(join_lanes)(f, lane, 4, w, acc);
}
INLINE bool OF(are_few)(const wn__cols *c) { return c->n <= FEW && c->width >= 4 * WN__LANES && c->dtype == STORED && c->stride == 1; }

/* ---- the kernels */

#if defined(__x86_64__) && VB == 16 /* the level of few machines */
#define WITH_FEW false
#else
#define WITH_FEW true
#endif
typedef void (*OF(few_fn))(const wn__cols *c, const T *p, T *acc, T *lane);
INLINE void OF(few_or_columns)(const wn__fold f, const OF(few_fn) few, const wn__cols *c, const T *p, T *acc, T *lane) {
    if (WITH_FEW && few && OF(are_few)(c)) few(c, p, acc, lane);
    else OF(columns)(f, c, p, acc, lane);
}
#define FOR_FEW(name, f) static WN__ONCE void OF(few_##name)(const wn__cols *c, const T *p, T *acc, T *lane) { OF(few)(f, c, p, acc, lane); }
#define COL(name, f, few)                                                                                              \
    static void OF(col_##name)(const wn__cols *c, const void *p, void *acc, void *work) { OF(few_or_columns)(f, few, c, p, acc, work); }
FOR_FEW(sum, WN__FOLD_SUM)
FOR_FEW(min, WN__FOLD_MIN)
FOR_FEW(max, WN__FOLD_MAX)
FOR_FEW(shifted, WN__FOLD_SHIFTED)
FOR_FEW(squares, WN__FOLD_SQUARES)
COL(sum, WN__FOLD_SUM, OF(few_sum))
COL(min, WN__FOLD_MIN, OF(few_min))
COL(max, WN__FOLD_MAX, OF(few_max))
COL(shifted, WN__FOLD_SHIFTED, OF(few_shifted))
COL(squares, WN__FOLD_SQUARES, OF(few_squares))
COL(prod, WN__FOLD_PROD, NULL)
#undef FOR_FEW
#undef COL
#undef WITH_FEW
#undef FEW
