/* Columns of one floating type, T, as they lie in memory as S: included by reduce_run.h, whose operations and K, FROM and PART it takes, and
 * ROW(c, r, buf) (row r). 16 rows of accumulators in `work`, row r of the run goes to row r mod 16; rows r, r + 16, r + 32 and r + 48 together
 * load and store them once. Rows shorter than a few registers that follow each other in memory are taken 16 at a time, as one row. */

/* n elements, `whole` or what is left of a register, of 1 or 4 rows. What lies behind them in `a` is written back as it was. */
#define COLUMN(part, op, init, see, mark)                                                                                    \
    do {                                                                                                               \
        const NAME(V) was = NAME(v_load)(a + i), pv = p ? NAME(v_load)(p + i) : NAME(v_splat)(0);                      \
        NAME(V) v = fresh ? NAME(v_splat)(init) : was;                                                                 \
        V_SEEN q = {0};                                                                                                \
        (void)pv, (void)q;                                                                                             \
        const NAME(V) e0 = part(x[0] + i);                                                                             \
        v = op(v, e0);                                                                                                 \
        if (rows == 4) {                                                                                               \
            const NAME(V) e1 = part(x[1] + i), e2 = part(x[2] + i), e3 = part(x[3] + i);                               \
            v = op(v, e1);                                                                                             \
            v = op(v, e2);                                                                                             \
            v = op(v, e3);                                                                                             \
            see(q, e0, e1);                                                                                            \
            see(q, e2, e3);                                                                                            \
        } else {                                                                                                       \
            see(q, e0, e0);                                                                                            \
        }                                                                                                              \
        v = mark(v, q);                                                                                                \
        if (w - i < VN) v = NAME(v_pick)(NAME(first)(w - i), v, was);                                                  \
        memcpy(a + i, &v, sizeof v);                                                                                   \
    } while (0)
#define WHOLE(at) FROM(at)
#define REST(at) PART(at, w - i)
/* Few rows, element i of row r being at x[r] + i: no accumulators in memory. Up to 16 rows, a lane each, are folded in registers; up to four for each
 * lane a quarter of the lanes at a time, so that there are no more streams than the machine follows. Only where
 * it is asked for (few): it is much code. */
#define FEW (4 * WN__LANES)
#define FEW_MORE(v, r, op, see)                                                                                        \
    if (n > (r)) {                                                                                                     \
        const S *const at = (const S *)(const void *)x[r] + i;                                                         \
        const NAME(V) e = FROM(at);                                                                                    \
        v = op(v, e);                                                                                                  \
        see(*q, e, e);                                                                                                 \
    }
#define FEW_LANE(v, lane, op, init, see)                                                                               \
    v = NAME(v_splat)(init);                                                                                           \
    FEW_MORE(v, lane, op, see)                                                                                         \
    if (deep) {                                                                                                        \
        FEW_MORE(v, (lane) + 16, op, see)                                                                              \
        FEW_MORE(v, (lane) + 32, op, see)                                                                              \
        FEW_MORE(v, (lane) + 48, op, see)                                                                              \
    }
#define INLINED static inline __attribute__((always_inline))
#define COL(few, name, op, joined, init, see, mark)                                                                               \
    static inline __attribute__((always_inline)) void K(step_##name)(const int rows, const S *const *x, int64_t w, const bool fresh, const T *p, T *a) { \
        int64_t i = 0;                                                                                                 \
        for (; i + VN <= w; i += VN) COLUMN(WHOLE, op, init, see, mark);                                                     \
        if (i < w) COLUMN(REST, op, init, see, mark);                                                                        \
    }                                                                                                                  \
    /* What lanes 0, 4, 8 and 12 come to. */                                                                           \
    INLINED NAME(V) K(quarter_##name)(const char *const *x, int64_t n, const bool deep, int64_t i, NAME(V) pv, V_SEEN *q) { \
        NAME(V) v, t, u;                                                                                               \
        (void)pv, (void)q;                                                                                             \
        FEW_LANE(v, 0, op, init, see)                                                                                  \
        if (n > 8) {                                                                                                   \
            FEW_LANE(u, 8, op, init, see)                                                                              \
            v = NAME(j_##joined)(v, u);                                                                                \
        }                                                                                                              \
        if (n <= 4) return v;                                                                                          \
        FEW_LANE(t, 4, op, init, see)                                                                                  \
        if (n > 12) {                                                                                                  \
            FEW_LANE(u, 12, op, init, see)                                                                             \
            t = NAME(j_##joined)(t, u);                                                                                \
        }                                                                                                              \
        return NAME(j_##joined)(v, t);                                                                                 \
    }                                                                                                                  \
    INLINED void K(few_at_##name)(const char *const *x, int64_t n, const bool deep, int64_t i, const T *p, T *to) { \
        const NAME(V) pv = p ? NAME(v_load)(p + i) : NAME(v_splat)(0);                                                 \
        V_SEEN q = {0};                                                                                                \
        NAME(V) v = K(quarter_##name)(x, n, deep, i, pv, &q), u;                                             \
        if (!deep && n > 2) v = NAME(j_##joined)(v, K(quarter_##name)(x + 2, n - 2, false, i, pv, &q));      \
        if (!deep && n > 1) {                                                                                          \
            u = K(quarter_##name)(x + 1, n - 1, false, i, pv, &q);                                           \
            if (n > 3) u = NAME(j_##joined)(u, K(quarter_##name)(x + 3, n - 3, false, i, pv, &q));           \
            v = NAME(j_##joined)(v, u);                                                                                \
        }                                                                                                              \
        NAME(v_store)(to + i, mark(v, q), VN);                                                                         \
    }                                                                                                                  \
    INLINED void K(few_rows_##name)(const char *const *x, int64_t n, const bool deep, int64_t w, const T *p, T *to) {     \
        int64_t i = 0;                                                                                                 \
        for (; i + VN <= w; i += VN) K(few_at_##name)(x, n, deep, i, p, to);                                           \
        if (i < w) K(few_at_##name)(x, n, deep, w - VN, p, to); /* some of them again: the same values */              \
    }                                                                                                                  \
    static WN__ONCE void K(few_##name)(const wn__cols *c, const T *p, T *acc, T *lane) {                               \
        const int64_t w = c->width;                                                                                    \
        if (c->n <= WN__LANES) {                                                                                       \
            K(few_rows_##name)(c->rows, c->n, false, w, p, acc);                                                       \
            return;                                                                                                    \
        }                                                                                                              \
        for (int64_t j = 0; j < 4; j++) K(few_rows_##name)(c->rows + j, c->n - j, true, w, p, lane + j * w);           \
        NAME(lanes_##joined)(lane, 4, w, acc);                                                                         \
    }                                                                                                                  \
    static void K(col_##name)(const wn__cols *c, const void *param, void *acc, void *work) {                           \
        const int64_t w = c->width;                                                                                    \
        const T *p = param;                                                                                            \
        if (few && c->n <= FEW && w >= 4 * WN__LANES && (sizeof(S) != sizeof(T) || (c->dtype == STORED && c->stride == 1))) { \
            K(few_##name)(c, p, acc, work);                                                                            \
            return;                                                                                                    \
        }                                                                                                              \
        T *lane = work, *buf = lane + WN__LANES * WN__COL_MAX;                                                         \
        const int64_t together = !p && NAME(rows_flat)(c, sizeof(S)) ? WN__LANES : 1; /* rows that one step takes */   \
        (void)buf;                                                                                                     \
        for (int64_t base = 0; base < c->n; base += 4 * WN__LANES) {                                                   \
            for (int64_t r = base; r < c->n && r < base + WN__LANES; r += together) {                                  \
                T *a = lane + (r - base) * w;                                                                          \
                const bool four = r + 3 * WN__LANES + together <= c->n;                                                \
                for (int64_t q = r; q < c->n && q < base + 4 * WN__LANES; q += (four ? 4 : 1) * WN__LANES) {           \
                    const int64_t take = c->n - q < together ? c->n - q : together;                                    \
                    const S *x[4];                                                                                     \
                    for (int k = 0; k < (four ? 4 : 1); k++) x[k] = ROW(c, q + k * WN__LANES, buf + k * WN__COL_MAX);  \
                    if (!four) K(step_##name)(1, x, take * w, q < WN__LANES, p, a);                                    \
                    else if (q < WN__LANES) K(step_##name)(4, x, take * w, true, p, a);                                \
                    else K(step_##name)(4, x, take * w, false, p, a);                                                  \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        NAME(lanes_##joined)(lane, c->n, w, acc);                                                                      \
    }
COL(true, sum, ADD, add, 0, NOTHING, AS_IT_IS)
COL(true, prod, MULTIPLY, mul, 1, NOTHING, AS_IT_IS)
COL(true, min, V_MIN, min, (T)WN__INF_F64, V_SEE, V_MARK)
COL(true, max, V_MAX, max, -(T)WN__INF_F64, V_SEE, V_MARK)
COL(false, nansum, NUMBERS, add, 0, NOTHING, AS_IT_IS)
COL(true, shifted, SHIFTED, add, 0, NOTHING, AS_IT_IS)
COL(true, squares, SQUARE, add, 0, NOTHING, AS_IT_IS)
#ifndef FROM_HALF
COL(false, abs, ABS, add, 0, NOTHING, AS_IT_IS)
COL(false, absmax, ABSMAX, max, -(T)WN__INF_F64, V_SEE, V_MARK)
COL(false, absmin, ABSMIN, min, (T)WN__INF_F64, V_SEE, V_MARK)
#endif
#undef COL
#undef COLUMN
#undef FEW_MORE
#undef FEW_LANE
#undef FEW
#undef INLINED
#undef WHOLE
#undef REST
