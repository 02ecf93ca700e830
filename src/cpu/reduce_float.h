/* Runs and columns of one floating type: included by cpu/level/reduce.c with T (type), I (integer of the same size), VB
 * (bytes of a register), PER_VECTOR (VB / sizeof(T)), NAME(x), and LOADED, STORED (names of the type). Lanes live in registers as 1, 2, 4 or 8 vectors
 * named one by one: arrays of vectors stay in memory with gcc 12. */

typedef T NAME(V) __attribute__((vector_size(VB)));
typedef I NAME(M) __attribute__((vector_size(VB)));
typedef T NAME(U) __attribute__((vector_size(VB), aligned(sizeof(T)), may_alias)); /* as it lies in memory */

#define VN ((int)(VB / sizeof(T)))                /* elements of a register */
#define VECTORS ((int)(WN__LANES * sizeof(T) / VB)) /* registers for 16 lanes */

static inline NAME(V) NAME(v_splat)(T x) { return x - (NAME(V)){0}; }
static inline NAME(V) NAME(v_load)(const T *x) { return *(const NAME(U) *)x; }
static inline NAME(V) NAME(v_pick)(NAME(M) m, NAME(V) a, NAME(V) b) {
    return (NAME(V))((m & (NAME(M))a) | (~m & (NAME(M))b));
}
static inline T NAME(s_add)(T a, T x, T p) { (void)p; return a + x; }
static inline T NAME(s_mul)(T a, T x, T p) { (void)p; return a * x; }
static inline T NAME(s_min)(T a, T x, T p) { (void)p; return ((x < a) | (x != x)) ? x : a; }
static inline T NAME(s_max)(T a, T x, T p) { (void)p; return ((x > a) | (x != x)) ? x : a; }

static inline T NAME(scalar)(const void *param) {
    T p = 0;
    if (param) memcpy(&p, param, sizeof p);
    return p;
}

/* ---- runs: what reduce_run.h is made of */

#ifndef V_MAX /* of an accumulator a and an element x; a where they are equal */
#define V_MAX(a, x) NAME(v_pick)((x) > (a), x, a)
#define V_MIN(a, x) NAME(v_pick)((x) < (a), x, a)
#endif
/* Smallest and largest: elements are compared as if there were no NaN (one instruction where the machine has it), and where one was
 * seen the answer is NaN. V_SEE(q, x, y) notes in q whether x or y hold one, V_ANY_SEEN(q) says so. */
#ifndef V_SEE
#define V_SEEN NAME(M)
#define V_SEE(q, x, y) ((q) |= ((x) != (x)) | ((y) != (y)))
#define V_ANY_SEEN(q) NAME(any)(q)
static inline bool NAME(any)(NAME(M) q) {
    I any = 0;
    for (int k = 0; k < VN; k++) any |= q[k];
    return any != 0;
}
#endif
#ifndef V_NUMBERS /* x, NaN as 0 */
#define V_NUMBERS(x) ((NAME(V))(((x) == (x)) & (NAME(M))(x)))
#endif
static inline NAME(V) NAME(v_abs)(NAME(V) x) { return (NAME(V))((NAME(M))x & ~(NAME(M))NAME(v_splat)(-(T)0)); }

/* All bits of the first n elements. */
static inline NAME(M) NAME(first)(int64_t n) {
    static const I number[WN__LANES] __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return *(const NAME(M) *)(const void *)number < (I)n - (NAME(M)){0};
}

/* The lanes' tree in one register: 8+8, 4+4, 2+2, 1+1 as far as it has so many elements. */
#if PER_VECTOR == 16
#define SPREAD(a, i, j, k, l) __builtin_shufflevector(a, a, i, j, k, l, i, j, k, l, i, j, k, l, i, j, k, l)
#define UPPER_HALF(op, a) NAME(op)(a, __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15))
#elif PER_VECTOR == 8
#define SPREAD(a, i, j, k, l) __builtin_shufflevector(a, a, i, j, k, l, i, j, k, l)
#elif PER_VECTOR == 4
#define SPREAD(a, i, j, k, l) __builtin_shufflevector(a, a, i, j, k, l)
#else
#define SPREAD(a, i, j, k, l) __builtin_shufflevector(a, a, i, j)
#endif
#ifndef UPPER_HALF
#define UPPER_HALF(op, a) (a)
#endif
#define TREE(op, expr)                                                                                                 \
    static inline NAME(V) NAME(j_##op)(NAME(V) a, NAME(V) b) { return expr; }                                          \
    static inline T NAME(tree_##op)(NAME(V) a) {                                                                       \
        a = UPPER_HALF(j_##op, a);                                                                                         \
        if (PER_VECTOR > 4) a = NAME(j_##op)(a, SPREAD(a, 4 % PER_VECTOR, 5 % PER_VECTOR, 6 % PER_VECTOR, 7 % PER_VECTOR)); \
        if (PER_VECTOR > 2) a = NAME(j_##op)(a, SPREAD(a, 2 % PER_VECTOR, 3 % PER_VECTOR, 2 % PER_VECTOR, 3 % PER_VECTOR)); \
        return NAME(j_##op)(a, SPREAD(a, 1, 1, 1, 1))[0];                                                              \
    }
TREE(add, a + b)
TREE(mul, a * b)
TREE(min, V_MIN(a, b))
TREE(max, V_MAX(a, b))
#undef TREE
#undef UPPER_HALF
#undef SPREAD

/* n elements, the others 0. */
static inline NAME(V) NAME(v_part)(const T *x, int64_t n) {
#ifdef V_PART
    return V_PART(x, n);
#else
    T part[VB / sizeof(T)] __attribute__((aligned(VB))) = {0};
    memcpy(part, x, (size_t)(n < VN ? n : VN) * sizeof(T));
    return *(const NAME(V) *)(const void *)part;
#endif
}
#define S T
#define K(x) NAME(x)
#define FROM(at) NAME(v_load)(at)
#define PART(at, n) NAME(v_part)(at, n)
#include "cpu/reduce_run.h"
#undef S
#undef K
#undef FROM
#undef PART
#define RUN(name)                                                                                                      \
    static void NAME(run_##name)(const void *data, int64_t n, const void *param, void *acc) {                          \
        *(T *)acc = NAME(fold_##name)(data, n, NAME(scalar)(param), NULL, 0);                                                   \
    }
RUN(sum)
RUN(prod)
RUN(shifted)
RUN(squares)
RUN(min)
RUN(max)
RUN(abs)
RUN(absmax)
RUN(absmin)
RUN(nansum)
#undef RUN

/* Folds of a function of x: the run is mapped into a buffer first, a loop that vectorises by itself. */
static inline T NAME(map_exp)(T x, T p) { return NAME(wn__exp)(x - p); }
static inline T NAME(map_abs)(T x, T p) { (void)p; return NAME(wn__abs)(x); }
static inline T NAME(map_pow)(T x, T p) { return NAME(wn__pow)(NAME(wn__abs)(x), p); }

#define MAPPED(name, map, fold)                                                                                        \
    static void NAME(run_##name)(const void *data, int64_t n, const void *param, void *acc) {                          \
        const T *x = data;                                                                                             \
        T p = NAME(scalar)(param), y[WN__RUN] __attribute__((aligned(64)));                                            \
        for (int64_t i = 0; i < n; i++) y[i] = NAME(map_##map)(x[i], p);                                               \
        NAME(run_##fold)(y, n, NULL, acc);                                                                             \
    }
MAPPED(exp, exp, sum)
MAPPED(pow, pow, sum)
#undef MAPPED

static void NAME(run_nonzero)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    I count = 0;
    for (int64_t i = 0; i < n; i++) count += x[i] != 0;
    *(int64_t *)acc = count;
}

static void NAME(rows_nonzero)(const void *data, int64_t step, int64_t rows, int64_t n, const void *param, void *acc) {
    int64_t *y = acc;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = y[r] = 0, count; i < n; i += WN__RUN, y[r] += count)
            NAME(run_nonzero)((const T *)data + r * step + i, n - i < WN__RUN ? n - i : WN__RUN, param, &count);
}

/* ---- columns: 16 rows of accumulators in `work`, row r of the run goes to row r mod 16 */

static inline const T *NAME(row_of)(const wn__cols *c, int64_t r, T *buf) {
    if (c->dtype == STORED && c->stride == 1) return (const T *)c->rows[r];
    WN_AT_LEVEL(wn__reduce_load)(c->dtype, LOADED, c->rows[r], c->stride, c->width, buf);
    return buf;
}

/* Do rows shorter than a few registers follow each other in memory? Then 16 of them are one row of 16 lanes. */
static inline bool NAME(rows_flat)(const wn__cols *c) {
    if (c->dtype != STORED || c->stride != 1 || c->width >= 4 * WN__LANES) return false;
    for (int64_t r = 1; r < c->n; r++)
        if (c->rows[r] - c->rows[r - 1] != c->width * (int64_t)sizeof(T)) return false;
    return true;
}
/* w elements of 1, 2 or 4 rows to their accumulators one after the other, which are loaded and stored once. fresh: they begin here. */
#define COL_STEP(rows, op, init, mapped)                                                                               \
    WN__IVDEP for (int64_t i = 0; i < w; i++) {                                                                        \
        T A = fresh ? init : a[i], P = p ? p[i] : 0, X;                                                                \
        (void)P;                                                                                                       \
        X = x0[i], A = NAME(s_##op)(A, mapped, 0);                                                                     \
        if (rows > 1) X = x1[i], A = NAME(s_##op)(A, mapped, 0);                                                       \
        if (rows > 2) X = x2[i], A = NAME(s_##op)(A, mapped, 0);                                                       \
        if (rows > 2) X = x3[i], A = NAME(s_##op)(A, mapped, 0);                                                       \
        a[i] = A;                                                                                                      \
    }
/* mapped: an expression of X (element), P (the column's parameter) and P0 (the first parameter). Rows r, r + 16, r + 32 and
 * r + 48 go to the same accumulators. */
#define COL(name, op, joined, init, mapped)                                                                            \
    static inline void NAME(steps_##name)(int rows, const T *x0, const T *x1, const T *x2, const T *x3, int64_t w, bool fresh, \
                                   const T *p, T P0, T *a) {                                                           \
        (void)P0;                                                                                                      \
        if (rows == 4) {                                                                                               \
            COL_STEP(4, op, init, mapped)                                                                              \
        } else if (rows == 2) {                                                                                        \
            COL_STEP(2, op, init, mapped)                                                                              \
        } else {                                                                                                       \
            COL_STEP(1, op, init, mapped)                                                                              \
        }                                                                                                              \
    }                                                                                                                  \
    static void NAME(col_##name)(const wn__cols *c, const void *param, void *acc, void *work) {                        \
        int64_t w = c->width, lanes = c->n < WN__LANES ? c->n : WN__LANES;                                             \
        T *lane = work, *buf = lane + WN__LANES * WN__COL_MAX;                                                         \
        const T *p = param, P0 = p ? p[0] : 0;                                                                         \
        const int64_t together = !p && NAME(rows_flat)(c) ? WN__LANES : 1; /* rows that one step takes */              \
        for (int64_t base = 0; base < c->n; base += 4 * WN__LANES) {                                                   \
            for (int64_t r = base; r < c->n && r < base + WN__LANES; r += together) {                                  \
                T *a = lane + (r - base) * w;                                                                          \
                for (int64_t q = r; q < c->n && q < base + 4 * WN__LANES;) {                                           \
                    int64_t whole = (c->n - q + WN__LANES - together) / WN__LANES; /* steps that have all their rows */ \
                    int rows = q == r && whole >= 4 ? 4 : whole >= 2 && q < base + 3 * WN__LANES ? 2 : 1; \
                    int64_t take = c->n - q < together ? c->n - q : together;                                          \
                    const T *x[4];                                                                                     \
                    for (int k = 0; k < rows; k++) x[k] = NAME(row_of)(c, q + k * WN__LANES, buf + k * WN__COL_MAX);   \
                    for (int k = rows; k < 4; k++) x[k] = x[0];                                                        \
                    NAME(steps_##name)(rows, x[0], x[1], x[2], x[3], take * w, q < WN__LANES, p, P0, a);               \
                    q += rows * WN__LANES;                                                                             \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        for (int64_t h = WN__LANES / 2; h; h /= 2)                                                                     \
            for (int64_t j = 0; j < h && j + h < lanes; j++) {                                                         \
                T *a = lane + j * w, *b = lane + (j + h) * w;                                                          \
                WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] = NAME(s_##joined)(a[i], b[i], 0);                      \
            }                                                                                                          \
        memcpy(acc, lane, (size_t)w * sizeof(T));                                                                      \
    }
COL(sum, add, add, 0, X)
COL(prod, mul, mul, 1, X)
COL(min, min, min, (T)WN__INF_F64, X)
COL(max, max, max, -(T)WN__INF_F64, X)
COL(nansum, add, add, 0, (X == X ? X : 0))
COL(shifted, add, add, 0, X - P)
COL(squares, add, add, 0, (X - P) * (X - P))
COL(exp, add, add, 0, NAME(map_exp)(X, P))
COL(abs, add, add, 0, NAME(map_abs)(X, P))
COL(pow, add, add, 0, NAME(map_pow)(X, P0))
COL(absmax, max, max, -(T)WN__INF_F64, NAME(map_abs)(X, P))
COL(absmin, min, min, (T)WN__INF_F64, NAME(map_abs)(X, P))
#undef COL
#undef COL_STEP

static void NAME(col_nonzero)(const wn__cols *c, const void *param, void *acc, void *work) {
    int64_t w = c->width;
    T *buf = work;
    I *count = (I *)(buf + WN__COL_MAX);
    (void)param;
    memset(count, 0, (size_t)w * sizeof *count);
    for (int64_t r = 0; r < c->n; r++) {
        const T *x = NAME(row_of)(c, r, buf);
        WN__IVDEP for (int64_t i = 0; i < w; i++) count[i] += x[i] != 0;
    }
    for (int64_t i = 0; i < w; i++) ((int64_t *)acc)[i] = count[i];
}

/* The first of the smallest (largest); the first NaN wins over all. */
static void NAME(col_arg)(const wn__cols *c, bool largest, void *best, int64_t *at, void *work) {
    int64_t w = c->width;
    T *buf = work, *b = buf + WN__COL_MAX, flip = largest ? 1 : -1;
    I *index = (I *)(b + WN__COL_MAX);
    for (int64_t r = 0; r < c->n; r++) {
        const T *x = NAME(row_of)(c, r, buf);
        if (r == 0) {
            for (int64_t i = 0; i < w; i++) b[i] = x[i] * flip, index[i] = 0;
            continue;
        }
        I row = (I)r;
        WN__IVDEP for (int64_t i = 0; i < w; i++) {
            T v = x[i] * flip, old = b[i];
            I was = index[i];
            bool better = (v > old) | ((v != v) & (old == old));
            b[i] = better ? v : old;
            index[i] = better ? row : was;
        }
    }
    for (int64_t i = 0; i < w; i++) ((T *)best)[i] = b[i] * flip, at[i] = index[i];
}

static int64_t NAME(find)(const void *data, int64_t n, const void *value) {
    const T *x = data;
    T v = *(const T *)value;
    bool nan = v != v;
    int64_t i = 0;
    for (; i + 64 <= n; i += 64) { /* whole blocks vectorise, an early exit does not */
        int hits = 0;
        for (int j = 0; j < 64; j++) hits += (x[i + j] == v) | (nan & (x[i + j] != x[i + j]));
        if (hits) break;
    }
    for (; i < n; i++)
        if (x[i] == v || (nan && x[i] != x[i])) return i;
    return 0;
}

#define MERGE(name, op)                                                                                                \
    static void NAME(merge_##name)(void *into, const void *from, int64_t n) {                                          \
        T *a = into;                                                                                                   \
        const T *b = from;                                                                                             \
        WN__IVDEP for (int64_t i = 0; i < n; i++) a[i] = NAME(s_##op)(a[i], b[i], 0);                                  \
    }
MERGE(add, add)
MERGE(mul, mul)
MERGE(min, min)
MERGE(max, max)
#undef MERGE
