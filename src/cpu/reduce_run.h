/* Runs of one floating type, T, as they lie in memory as S: included by reduce_float.h with K(x) (names of what is defined here), FROM(at)
 * (a register of elements), PART(at, n) (of which only n are there, the others 0) and ROW (for reduce_columns.h). Lanes stay in registers until a single value is left;
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

/* fold: of at most WN__RUN elements, x[n] and `pieces` more; all but the last are whole lanes. rows: of rows of any length, `step` elements apart; runs are merged like a binary counter.
 * see: V_SEE where NaN counts; ends: what becomes of a run's result. */
#define FOLD(name, op, joined, init, see, ends)                                                                        \
    static T K(fold_##name)(const S *x, int64_t n, T p, const wn__segment *more, int64_t pieces) {                       \
        const NAME(V) pv = NAME(v_splat)(p);                                                                           \
        NAME(V) a0 = NAME(v_splat)(init), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;               \
        V_SEEN q = {0};                                                                                                \
        (void)pv, (void)q;                                                                                             \
        for (;; more++, pieces--) {                                                                                    \
            if (VECTORS == 1)                                                                                          \
                for (; n >= 4 * WN__LANES; n -= 4 * WN__LANES, x += 2 * WN__LANES) {                                   \
                    STEP_TWICE(op, see);                                                                               \
                    x += 2 * WN__LANES;                                                                                \
                    STEP_TWICE(op, see);                                                                               \
                }                                                                                                      \
            for (; n >= WN__LANES; n -= WN__LANES, x += WN__LANES) STEP_LANES(op, see);                                \
            if (!pieces) break;                                                                                        \
            x = more->x;                                                                                               \
            n = more->n;                                                                                               \
        }                                                                                                              \
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
#define ROWS(name, joined)                                                                                             \
    static T K(whole_##name)(const S *x, int64_t n, T p) {                                                             \
        T slot[56], v[8];                                                                                              \
        uint64_t runs = 0;                                                                                             \
        while (n > 0) {                                                                                                \
            int i = 0;                                                                                                 \
            if (n >= 8 * WN__RUN) {                                                                                    \
                for (int k = 0; k < 8; k++) v[k] = K(fold_##name)(x + k * WN__RUN, WN__RUN, p, NULL, 0);                        \
                for (int k = 0; k < 8; k += 2) v[k] = NAME(s_##joined)(v[k], v[k + 1], 0);                             \
                v[0] = NAME(s_##joined)(NAME(s_##joined)(v[0], v[2], 0), NAME(s_##joined)(v[4], v[6], 0), 0);          \
                x += 8 * WN__RUN, n -= 8 * WN__RUN, i = 3;                                                             \
            } else {                                                                                                   \
                v[0] = K(fold_##name)(x, n < WN__RUN ? n : WN__RUN, p, NULL, 0);                                                \
                x += WN__RUN, n -= WN__RUN;                                                                            \
            }                                                                                                          \
            const uint64_t more = (uint64_t)1 << i;                                                                    \
            for (; runs >> i & 1; i++) v[0] = NAME(s_##joined)(slot[i], v[0], 0);                                      \
            slot[i] = v[0];                                                                                            \
            runs += more;                                                                                              \
        }                                                                                                              \
        int i = __builtin_ctzll(runs);                                                                                 \
        for (v[0] = slot[i++]; runs >> i; i++)                                                                         \
            if (runs >> i & 1) v[0] = NAME(s_##joined)(slot[i], v[0], 0);                                              \
        return v[0];                                                                                                   \
    }                                                                                                                  \
    static void K(pieces_##name)(const wn__segment *x, int64_t pieces, const void *param, void *acc) {                   \
        *(T *)acc = K(fold_##name)(x->x, x->n, NAME(scalar)(param), x + 1, pieces - 1);                                \
    }                                                                                                                  \
    static void K(rows_##name)(const void *data, int64_t step, int64_t rows, int64_t n, const void *param, void *acc) { \
        const S *x = data;                                                                                             \
        T *y = acc;                                                                                                    \
        const T p = NAME(scalar)(param);                                                                               \
        if (n <= WN__RUN)                                                                                              \
            for (int64_t r = 0; r < rows; r++) y[r] = K(fold_##name)(x + r * step, n, p, NULL, 0);                              \
        else if (n <= 2 * WN__RUN)                                                                                     \
            for (int64_t r = 0; r < rows; r++) {                                                                       \
                const T first = K(fold_##name)(x + r * step, WN__RUN, p, NULL, 0);                                              \
                y[r] = NAME(s_##joined)(first, K(fold_##name)(x + r * step + WN__RUN, n - WN__RUN, p, NULL, 0), 0);             \
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
#ifndef FROM_HALF
FOLD(shifted, SHIFTED, add, 0, NOTHING, AS_IT_IS)
#endif
#include "cpu/reduce_columns.h"
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
#undef OR_NAN
#undef FOLD
#undef ROWS
#undef STEP
#undef STEP_TWICE
#undef STEP_PAIR
#undef STEP_LANES
#undef STEP_PART
