/* Runs of one floating type, T, as they lie in memory as S: included by reduce_float.h with K(x) (names of what is defined here), FROM(at)
 * (a register of elements), PART(at, n) (of which only n are there, the others 0), either FILL(at, lo, hi, none)
 * (those from lo up to hi, the others none) or AS_STORED(v) (0 or an infinity) and ROW (for reduce_columns.h). Lanes stay in registers until a single value is left;
 * one run after the other keeps reading one stream, and their chains overlap: nothing but predictable branches lies between. */

/* One more register of elements into accumulators k; on AVX-512 that is all 16 lanes. */
#define STEP(k, op, see)                                                                                               \
    do {                                                                                                               \
        const NAME(V) x_ = FROM(x + (k) * VN);                                                                         \
        a##k = op(a##k, x_);                                                                                           \
        see(q, x_, x_);                                                                                                \
    } while (0)
/* Where that is all 16 lanes: two in turn, so that one comparison looks for NaN in both. */
#define STEP_TWICE(op, see)                                                                                            \
    do {                                                                                                               \
        const NAME(V) x_ = FROM(x), y_ = FROM(x + VN);                                                                 \
        a0 = op(a0, x_);                                                                                               \
        a0 = op(a0, y_);                                                                                               \
        see(q, x_, y_);                                                                                                \
    } while (0)
#define STEP_PAIR(k, l, op, see)                                                                                       \
    do {                                                                                                               \
        const NAME(V) x_ = FROM(x + (k) * VN), y_ = FROM(x + (l) * VN);                                                \
        a##k = op(a##k, x_);                                                                                           \
        a##l = op(a##l, y_);                                                                                           \
        see(q, x_, y_);                                                                                                \
    } while (0)
#define STEP_LANES(op, see)                                                                                            \
    do {                                                                                                               \
        if (VECTORS == 1) STEP(0, op, see);                                                                            \
        if (VECTORS > 1) STEP_PAIR(0, 1, op, see);                                                                     \
        if (VECTORS > 2) STEP_PAIR(2, 3, op, see);                                                                     \
        if (VECTORS > 4) {                                                                                             \
            STEP_PAIR(4, 5, op, see);                                                                                  \
            STEP_PAIR(6, 7, op, see);                                                                                  \
        }                                                                                                              \
    } while (0)
/* The elements behind the last whole 16 ones: lanes that get none stay as they are. */
#define STEP_PART(k, op, see)                                                                                          \
    do {                                                                                                               \
        const int64_t m_ = n - (k) * VN;                                                                               \
        if (m_ > 0) {                                                                                                  \
            const NAME(V) x_ = PART(x + (k) * VN, m_);                                                                 \
            a##k = NAME(v_pick)(NAME(first)(m_), op(a##k, x_), a##k);                                                  \
            see(q, x_, x_);                                                                                            \
        }                                                                                                              \
    } while (0)

#define WHOLE_LANES(op, see, n)                                                                                        \
    do {                                                                                                               \
        if (VECTORS == 1)                                                                                              \
            for (; n >= 4 * WN__LANES; n -= 4 * WN__LANES, x += 2 * WN__LANES) {                                       \
                STEP_TWICE(op, see);                                                                                   \
                x += 2 * WN__LANES;                                                                                    \
                STEP_TWICE(op, see);                                                                                   \
            }                                                                                                          \
        for (; n >= WN__LANES; n -= WN__LANES, x += WN__LANES) STEP_LANES(op, see);                                    \
    } while (0)
#define LANE(k) ((k) < VECTORS ? NAME(v_load)(lane + (k) % VECTORS * VN) : NAME(v_splat)(0))
#define KEEP_LANE(k, mark)                                                                                             \
    do {                                                                                                               \
        if ((k) < VECTORS) NAME(v_store)(lane + (k) % VECTORS * VN, mark(a##k, q), VN);                                \
    } while (0)
/* Elements for lanes lo to hi, of which the first lies at x, between others that change nothing: in registers where the machine can load
 * some of a register, by way of memory where it cannot. */
#ifndef FILL
static WN__ONCE void K(filled)(S *to, const S *x, int64_t lo, int64_t hi, S none) {
    for (int64_t i = 0; i < WN__LANES; i++) to[i] = none;
    memcpy(to + lo, x, (size_t)((hi < WN__LANES ? hi : WN__LANES) - lo) * sizeof *to);
}
#define STEP_SOME(op, see, lo, hi, none)                                                                               \
    do {                                                                                                               \
        S some_[WN__LANES] __attribute__((aligned(64)));                                                               \
        K(filled)(some_, x, lo, hi, AS_STORED(none));                                                                  \
        const S *from_ = x;                                                                                            \
        x = some_;                                                                                                     \
        STEP_LANES(op, see);                                                                                           \
        x = from_;                                                                                                     \
    } while (0)
#else
#define STEP_FILL(k, op, see, lo, hi, none)                                                                            \
    do {                                                                                                               \
        const NAME(V) x_ = FILL(x - (lo) + (k) * VN, (lo) - (k) * VN, (hi) - (k) * VN, none);                          \
        a##k = op(a##k, x_);                                                                                           \
        see(q, x_, x_);                                                                                                \
    } while (0)
#define STEP_SOME(op, see, lo, hi, none)                                                                               \
    do {                                                                                                               \
        STEP_FILL(0, op, see, lo, hi, none);                                                                           \
        if (VECTORS > 1) STEP_FILL(1, op, see, lo, hi, none);                                                          \
        if (VECTORS > 2) {                                                                                             \
            STEP_FILL(2, op, see, lo, hi, none);                                                                       \
            STEP_FILL(3, op, see, lo, hi, none);                                                                       \
        }                                                                                                              \
    } while (0)
#endif
/* fold: of at most WN__RUN elements. feed: runs of several rows that come in pieces, the lanes kept in memory meanwhile. rows: of rows of any
 * length, `step` elements apart; runs are merged like a binary counter. see: V_SEE where NaN counts; ends: what becomes of a run's result. */
#define FOLD(name, op, joined, init, see, ends)                                                                        \
    static T K(fold_##name)(const S *x, int64_t n, T p) {                                                              \
        const NAME(V) pv = NAME(v_splat)(p);                                                                           \
        NAME(V) a0 = NAME(v_splat)(init), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;               \
        V_SEEN q = {0};                                                                                                \
        (void)pv, (void)q;                                                                                             \
        WHOLE_LANES(op, see, n);                                                                                       \
        if (n > 0) {                                                                                                   \
            STEP_PART(0, op, see);                                                                                     \
            if (VECTORS > 1) STEP_PART(1, op, see);                                                                    \
            if (VECTORS > 2) {                                                                                         \
                STEP_PART(2, op, see);                                                                                 \
                STEP_PART(3, op, see);                                                                                 \
            }                                                                                                          \
            if (VECTORS > 4) {                                                                                         \
                STEP_PART(4, op, see);                                                                                 \
                STEP_PART(5, op, see);                                                                                 \
                STEP_PART(6, op, see);                                                                                 \
                STEP_PART(7, op, see);                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
        if (VECTORS > 4) {                                                                                             \
            a0 = NAME(j_##joined)(a0, a4), a1 = NAME(j_##joined)(a1, a5);                                              \
            a2 = NAME(j_##joined)(a2, a6), a3 = NAME(j_##joined)(a3, a7);                                              \
        }                                                                                                              \
        if (VECTORS > 2) a0 = NAME(j_##joined)(a0, a2), a1 = NAME(j_##joined)(a1, a3);                                 \
        if (VECTORS > 1) a0 = NAME(j_##joined)(a0, a1);                                                                \
        return ends(NAME(tree_##joined)(a0), q);                                                                       \
    }
#define FEED(name, op, all, init, none, see, mark)                                                                     \
    static void K(feed_##name)(const void *data, int64_t step, int64_t rows, int64_t n, int64_t done, const void *param, void *lanes, \
                               void *ends) {                                                                           \
        const NAME(V) pv = NAME(v_splat)(NAME(scalar)(param));                                                         \
        T *lane = lanes;                                                                                               \
        (void)pv;                                                                                                      \
        for (int64_t r = 0; r < rows; r++, lane += WN__LANES) {                                                        \
            const S *x = (const S *)data + r * step;                                                                   \
            T *end = (T *)ends + r;                                                                                    \
            V_SEEN q = {0};                                                                                            \
            (void)q;                                                                                                   \
            for (int64_t rest = n, at = done; rest > 0;) {                                                             \
                NAME(V) a0 = LANE(0), a1 = LANE(1), a2 = LANE(2), a3 = LANE(3);                                        \
                NAME(V) a4 = LANE(4), a5 = LANE(5), a6 = LANE(6), a7 = LANE(7);                                        \
                if (!at) a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = NAME(v_splat)(init);                                  \
                int64_t left = rest < WN__RUN - at ? rest : WN__RUN - at;                                              \
                const int64_t held = at % WN__LANES;                                                                   \
                rest -= left, at += left;                                                                              \
                if (held) {                                                                                            \
                    STEP_SOME(op, see, held, held + left, none);                                                       \
                    x += WN__LANES - held, left -= WN__LANES - held;                                                   \
                }                                                                                                      \
                WHOLE_LANES(op, see, left);                                                                            \
                if (left > 0) {                                                                                        \
                    STEP_SOME(op, see, 0, left, none);                                                                 \
                    x += left;                                                                                         \
                }                                                                                                      \
                KEEP_LANE(0, mark);                                                                                    \
                KEEP_LANE(1, mark);                                                                                    \
                KEEP_LANE(2, mark);                                                                                    \
                KEEP_LANE(3, mark);                                                                                    \
                KEEP_LANE(4, mark);                                                                                    \
                KEEP_LANE(5, mark);                                                                                    \
                KEEP_LANE(6, mark);                                                                                    \
                KEEP_LANE(7, mark);                                                                                    \
                if (at < WN__RUN) break;                                                                               \
                *end = NAME(fold_##all)(lane, WN__LANES, 0);                                                           \
                end += rows, at = 0;                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }
#define ROWS(name, joined)                                                                                             \
    static T K(whole_##name)(const S *x, int64_t n, T p) {                                                             \
        T slot[56], v[8];                                                                                              \
        uint64_t runs = 0;                                                                                             \
        while (n > 0) {                                                                                                \
            int i = 0;                                                                                                 \
            if (n >= 8 * WN__RUN) {                                                                                    \
                for (int k = 0; k < 8; k++) v[k] = K(fold_##name)(x + k * WN__RUN, WN__RUN, p);                        \
                for (int k = 0; k < 8; k += 2) v[k] = NAME(two_##joined)(v[k], v[k + 1]);                              \
                v[0] = NAME(two_##joined)(NAME(two_##joined)(v[0], v[2]), NAME(two_##joined)(v[4], v[6]));             \
                x += 8 * WN__RUN, n -= 8 * WN__RUN, i = 3;                                                             \
            } else {                                                                                                   \
                v[0] = K(fold_##name)(x, n < WN__RUN ? n : WN__RUN, p);                                                \
                x += WN__RUN, n -= WN__RUN;                                                                            \
            }                                                                                                          \
            const uint64_t more = (uint64_t)1 << i;                                                                    \
            for (; runs >> i & 1; i++) v[0] = NAME(two_##joined)(slot[i], v[0]);                                       \
            slot[i] = v[0];                                                                                            \
            runs += more;                                                                                              \
        }                                                                                                              \
        int i = __builtin_ctzll(runs);                                                                                 \
        for (v[0] = slot[i++]; runs >> i; i++)                                                                         \
            if (runs >> i & 1) v[0] = NAME(two_##joined)(slot[i], v[0]);                                               \
        return v[0];                                                                                                   \
    }                                                                                                                  \
    static void K(rows_##name)(const void *data, int64_t step, int64_t rows, int64_t n, const void *param, void *acc) { \
        const S *x = data;                                                                                             \
        T *y = acc;                                                                                                    \
        const T p = NAME(scalar)(param);                                                                               \
        if (n <= WN__RUN)                                                                                              \
            for (int64_t r = 0; r < rows; r++) y[r] = K(fold_##name)(x + r * step, n, p);                              \
        else if (n <= 2 * WN__RUN)                                                                                     \
            for (int64_t r = 0; r < rows; r++) {                                                                       \
                const T first = K(fold_##name)(x + r * step, WN__RUN, p);                                              \
                y[r] = NAME(two_##joined)(first, K(fold_##name)(x + r * step + WN__RUN, n - WN__RUN, p));              \
            }                                                                                                          \
        else                                                                                                           \
            for (int64_t r = 0; r < rows; r++) y[r] = K(whole_##name)(x + r * step, n, p);                             \
    }
#define ADD(a, x) ((a) + (x))
#define MULTIPLY(a, x) ((a) * (x))
#define SHIFTED(a, x) ((a) + ((x)-pv))
#define SQUARE(a, x) ((a) + ((x)-pv) * ((x)-pv))
#define ABS(a, x) ((a) + NAME(v_abs)(x))
#define NUMBERS(a, x) ((a) + V_NUMBERS(x))
#define ABSMAX(a, x) V_MAX(a, NAME(v_abs)(x))
#define ABSMIN(a, x) V_MIN(a, NAME(v_abs)(x))
#define NOTHING(q, x, y) ((void)0)
#define AS_IT_IS(e, q) (e)
#define UNMARKED(v, q) (v)
#define OR_NAN(e, q) (V_ANY_SEEN(q) ? (T)WN__NAN_F64 : (e))
FOLD(sum, ADD, add, 0, NOTHING, AS_IT_IS)
ROWS(sum, add)
FOLD(prod, MULTIPLY, mul, 1, NOTHING, AS_IT_IS)
ROWS(prod, mul)
FOLD(squares, SQUARE, add, 0, NOTHING, AS_IT_IS)
ROWS(squares, add)
FOLD(abs, ABS, add, 0, NOTHING, AS_IT_IS)
ROWS(abs, add)
FOLD(min, V_MIN, min, (T)WN__INF_F64, V_SEE, OR_NAN)
ROWS(min, min)
FOLD(max, V_MAX, max, -(T)WN__INF_F64, V_SEE, OR_NAN)
ROWS(max, max)
FOLD(absmax, ABSMAX, max, -(T)WN__INF_F64, V_SEE, OR_NAN)
ROWS(absmax, max)
FOLD(absmin, ABSMIN, min, (T)WN__INF_F64, V_SEE, OR_NAN)
ROWS(absmin, min)
FOLD(nansum, NUMBERS, add, 0, NOTHING, AS_IT_IS)
ROWS(nansum, add)
FEED(sum, ADD, sum, 0, 0, NOTHING, UNMARKED)
FEED(squares, SQUARE, sum, 0, 0, NOTHING, UNMARKED)
FEED(abs, ABS, sum, 0, 0, NOTHING, UNMARKED)
FEED(min, V_MIN, min, (T)WN__INF_F64, (T)WN__INF_F64, V_SEE, V_MARK)
FEED(max, V_MAX, max, -(T)WN__INF_F64, -(T)WN__INF_F64, V_SEE, V_MARK)
FEED(nansum, NUMBERS, sum, 0, 0, NOTHING, UNMARKED)
#ifndef FROM_HALF
FOLD(shifted, SHIFTED, add, 0, NOTHING, AS_IT_IS)
#endif
#include "engine/reduce_columns.h"
#undef ADD
#undef MULTIPLY
#undef SHIFTED
#undef SQUARE
#undef ABS
#undef NUMBERS
#undef ABSMAX
#undef ABSMIN
#undef NOTHING
#undef AS_IT_IS
#undef UNMARKED
#undef OR_NAN
#undef FOLD
#undef FEED
#undef ROWS
#undef STEP
#undef STEP_TWICE
#undef STEP_PAIR
#undef STEP_LANES
#undef STEP_PART
#undef WHOLE_LANES
#undef LANE
#undef KEEP_LANE
#undef STEP_SOME
#undef STEP_FILL
