/* Columns of one floating type, T, as they lie in memory as S: included by reduce_run.h, whose operations and K, FROM and PART it takes, and
 * ROW(c, r, buf) (row r). 16 rows of accumulators in `work`, row r of the run goes to row r mod 16; rows r, r + 16, r + 32 and r + 48 together
 * load and store them once. Rows shorter than a few registers that follow each other in memory are taken 16 at a time, as one row. */

/* n elements, `whole` or what is left of a register, of 1 or 4 rows. What lies behind them in `a` is written back as it was. */
#define COLUMN(part, cut, op, init, see, mark)                                                                         \
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
        if (cut) v = NAME(v_pick)(NAME(first)(w - i), v, was);                                                         \
        memcpy(a + i, &v, sizeof v);                                                                                   \
    } while (0)
#define WHOLE(at) FROM(at)
#define REST(at) PART(at, w - i)
/* Few rows, element i of row r being at x[r] + i: no accumulators in memory. Up to 16 rows, a lane each, are folded in registers; up to four for each
 * lane a quarter of the lanes at a time, so that there are no more streams than the machine follows. Two registers of each row at a time: asking how
 * many rows there are, and where they lie, costs as much as folding one. Only where it is asked for (few): it is much code. */
#define FEW (4 * WN__LANES)
#define FEW_LOAD(e, r)                                                                                                 \
    const S *const at_##e = (const S *)(const void *)x[r] + i;                                                         \
    const NAME(V) e[2] = {FROM(at_##e), FROM(at_##e + VN)}
#define FEW_FOLD(name, v, old, e)                                                                                      \
    v[0] = K(op_##name)(old[0], e[0], pv[0]), v[1] = K(op_##name)(old[1], e[1], pv[1])
#define FEW_SEE(see, e, f)                                                                                             \
    do {                                                                                                               \
        see(q[0], e[0], f[0]);                                                                                         \
        see(q[1], e[1], f[1]);                                                                                         \
    } while (0)
#define FEW_JOIN(joined, v, u)                                                                                         \
    v[0] = NAME(j_##joined)(v[0], u[0]), v[1] = NAME(j_##joined)(v[1], u[1])
#define FEW_MORE(name, v, r, see)                                                                                      \
    if (n > (r)) {                                                                                                     \
        FEW_LOAD(e, r);                                                                                                \
        FEW_FOLD(name, v, v, e);                                                                                       \
        FEW_SEE(see, e, e);                                                                                            \
    }
#define FEW_LANE(name, v, lane, see)                                                                                   \
    do {                                                                                                               \
        FEW_LOAD(e0, lane);                                                                                            \
        FEW_FOLD(name, v, none, e0);                                                                                   \
        FEW_SEE(see, e0, e0);                                                                                          \
        FEW_MORE(name, v, (lane) + 16, see)                                                                            \
        FEW_MORE(name, v, (lane) + 32, see)                                                                            \
        FEW_MORE(name, v, (lane) + 48, see)                                                                            \
    } while (0)
#define INLINED static inline __attribute__((always_inline))
#define COL(few, name, op, joined, init, see, mark)                                                                    \
    static inline __attribute__((always_inline)) void K(step_##name)(const int rows, const S *const *x, int64_t w, const bool fresh, const T *p, T *a) { \
        int64_t i = 0;                                                                                                 \
        for (; i + VN <= w; i += VN) COLUMN(WHOLE, false, op, init, see, mark);                                        \
        if (i < w) COLUMN(REST, true, op, init, see, mark);                                                            \
    }                                                                                                                  \
    INLINED NAME(V) K(op_##name)(NAME(V) a, NAME(V) x, NAME(V) pv) {                                                   \
        (void)pv;                                                                                                      \
        return op(a, x);                                                                                               \
    }                                                                                                                  \
    /* What lanes 0, 4, 8 and 12 come to: all rows of a lane (deep), or the one row that each has. */                  \
    INLINED void K(deep_quarter_##name)(const char *const *x, int64_t n, int64_t i, const NAME(V) *pv, V_SEEN *q, NAME(V) *v) { \
        const NAME(V) none[2] = {NAME(v_splat)(init), NAME(v_splat)(init)};                                            \
        NAME(V) t[2], u[2];                                                                                            \
        (void)pv, (void)q;                                                                                             \
        FEW_LANE(name, v, 0, see);                                                                                     \
        FEW_LANE(name, u, 8, see);                                                                                     \
        FEW_JOIN(joined, v, u);                                                                                        \
        FEW_LANE(name, t, 4, see);                                                                                     \
        FEW_LANE(name, u, 12, see);                                                                                    \
        FEW_JOIN(joined, t, u);                                                                                        \
        FEW_JOIN(joined, v, t);                                                                                        \
    }                                                                                                                  \
    INLINED void K(quarter_##name)(const char *const *x, int64_t n, int64_t i, const NAME(V) *pv, V_SEEN *q, NAME(V) *v) { \
        const NAME(V) none[2] = {NAME(v_splat)(init), NAME(v_splat)(init)};                                            \
        NAME(V) t[2], u[2];                                                                                            \
        (void)pv, (void)q;                                                                                             \
        FEW_LOAD(e0, 0);                                                                                               \
        FEW_FOLD(name, v, none, e0);                                                                                   \
        if (n <= 4) {                                                                                                  \
            FEW_SEE(see, e0, e0);                                                                                      \
            return;                                                                                                    \
        }                                                                                                              \
        FEW_LOAD(e4, 4);                                                                                               \
        FEW_FOLD(name, t, none, e4);                                                                                   \
        FEW_SEE(see, e0, e4);                                                                                          \
        if (n > 8) {                                                                                                   \
            FEW_LOAD(e8, 8);                                                                                           \
            FEW_FOLD(name, u, none, e8);                                                                               \
            FEW_JOIN(joined, v, u);                                                                                    \
            if (n > 12) {                                                                                              \
                FEW_LOAD(e12, 12);                                                                                     \
                FEW_FOLD(name, u, none, e12);                                                                          \
                FEW_JOIN(joined, t, u);                                                                                \
                FEW_SEE(see, e8, e12);                                                                                 \
            } else {                                                                                                   \
                FEW_SEE(see, e8, e8);                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        FEW_JOIN(joined, v, t);                                                                                        \
    }                                                                                                                  \
    INLINED void K(few_at_##name)(const char *const *x, int64_t n, const bool deep, int64_t i, const T *p, T *to) {    \
        const NAME(V) pv[2] = {p ? NAME(v_load)(p + i) : NAME(v_splat)(0), p ? NAME(v_load)(p + i + VN) : NAME(v_splat)(0)}; \
        V_SEEN q[2] = {0};                                                                                             \
        NAME(V) v[2], u[2], t[2];                                                                                      \
        if (deep) {                                                                                                    \
            K(deep_quarter_##name)(x, n, i, pv, q, v);                                                                 \
        } else {                                                                                                       \
            K(quarter_##name)(x, n, i, pv, q, v);                                                                      \
            if (n > 2) {                                                                                               \
                K(quarter_##name)(x + 2, n - 2, i, pv, q, u);                                                          \
                FEW_JOIN(joined, v, u);                                                                                \
            }                                                                                                          \
            if (n > 1) {                                                                                               \
                K(quarter_##name)(x + 1, n - 1, i, pv, q, u);                                                          \
                if (n > 3) {                                                                                           \
                    K(quarter_##name)(x + 3, n - 3, i, pv, q, t);                                                      \
                    FEW_JOIN(joined, u, t);                                                                            \
                }                                                                                                      \
                FEW_JOIN(joined, v, u);                                                                                \
            }                                                                                                          \
        }                                                                                                              \
        NAME(v_store)(to + i, mark(v[0], q[0]), VN);                                                                   \
        NAME(v_store)(to + i + VN, mark(v[1], q[1]), VN);                                                              \
    }                                                                                                                  \
    INLINED void K(few_rows_##name)(const char *const *x, int64_t n, const bool deep, int64_t w, const T *p, T *to) {  \
        int64_t i = 0;                                                                                                 \
        for (; i + 2 * VN <= w; i += 2 * VN) K(few_at_##name)(x, n, deep, i, p, to);                                   \
        if (i < w) K(few_at_##name)(x, n, deep, w - 2 * VN, p, to); /* some of them again: the same values */          \
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
#undef FEW_LOAD
#undef FEW_FOLD
#undef FEW_SEE
#undef FEW_JOIN
#undef FEW_MORE
#undef FEW_LANE
#undef FEW
#undef INLINED
#undef WHOLE
#undef REST
