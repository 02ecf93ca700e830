/* Runs and columns of one floating type: included by engine/level/reduce_kernels.c with T (type), I (integer of the same size), VB
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

/* The same of two results, without a branch: which run holds the larger one cannot be foreseen. */
static inline T NAME(two_add)(T a, T x) { return a + x; }
static inline T NAME(two_mul)(T a, T x) { return a * x; }
#ifdef X86_TWO
static inline T NAME(two_min)(T a, T x) { return X86_TWO(min, a, x); }
static inline T NAME(two_max)(T a, T x) { return X86_TWO(max, a, x); }
#else
static inline T NAME(two_min)(T a, T x) { return NAME(s_min)(a, x, 0); }
static inline T NAME(two_max)(T a, T x) { return NAME(s_max)(a, x, 0); }
#endif

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
#ifndef V_MARK /* v, NaN where q saw one */
#define V_MARK(v, q) ((NAME(V))((NAME(M))(v) | (NAME(M))(q)))
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
#ifdef V_RANGE
/* Elements lo to hi of a register, the others `none`; those need not be memory. */
static inline NAME(V) NAME(v_fill)(const T *x, int64_t lo, int64_t hi, T none) {
    const NAME(M) m = NAME(first)(hi) & ~NAME(first)(lo);
    return NAME(v_pick)(m, V_RANGE(x, m), NAME(v_splat)(none));
}
#endif
static inline const T *NAME(row_of)(const wn__cols *c, int64_t r, T *buf) {
    if (c->dtype == STORED && c->stride == 1) return wn__row_at(c, r);
    WN_AT_LEVEL(wn__reduce_load)(c->dtype, LOADED, wn__row_at(c, r), c->stride, c->width, buf);
    return buf;
}

/* Do rows shorter than a few registers follow each other in memory? Then 16 of them are one row of 16 lanes. size: of an element in memory. */
static inline bool NAME(rows_flat)(const wn__cols *c, size_t size) {
    return c->stride == 1 && c->step == c->width * (int64_t)size && (size != sizeof(T) || c->dtype == STORED);
}
/* Rows of accumulators joined; NaN wins on either side. */
static inline NAME(V) NAME(c_add)(NAME(V) a, NAME(V) b) { return a + b; }
static inline NAME(V) NAME(c_mul)(NAME(V) a, NAME(V) b) { return a * b; }
static inline NAME(V) NAME(c_min)(NAME(V) a, NAME(V) b) { return NAME(v_pick)((b < a) | (b != b), b, a); }
static inline NAME(V) NAME(c_max)(NAME(V) a, NAME(V) b) { return NAME(v_pick)((b > a) | (b != b), b, a); }
static inline void NAME(v_store)(T *to, NAME(V) v, int64_t n) {
    if (n >= VN) memcpy(to, &v, sizeof v);
    else memcpy(to, &v, (size_t)n * sizeof(T));
}
/* The lanes' tree of w columns, `lanes` (from 16 on: 16) rows of accumulators one behind the other. A register at the end of a row reads
 * into what lies behind it. */
#define LANES(op)                                                                                                      \
    static void NAME(join_##op)(T *a, const T *b, int64_t w) {                                                         \
        for (int64_t i = 0; i < w; i += VN) NAME(v_store)(a + i, NAME(c_##op)(NAME(v_load)(a + i), NAME(v_load)(b + i)), w - i); \
    }                                                                                                                  \
    static void NAME(lanes_##op)(T *lane, int64_t lanes, int64_t w, T *acc) {                                          \
        for (int64_t j = 0; j < 8 && j + 8 < lanes; j++) NAME(join_##op)(lane + j * w, lane + (j + 8) * w, w);         \
        for (int64_t h = 4; h && lanes < 8; h /= 2)                                                                    \
            for (int64_t j = 0; j < h && j + h < lanes; j++) NAME(join_##op)(lane + j * w, lane + (j + h) * w, w);     \
        if (lanes < 8) {                                                                                               \
            memcpy(acc, lane, (size_t)w * sizeof(T));                                                                  \
            return;                                                                                                    \
        }                                                                                                              \
        for (int64_t i = 0; i < w; i += VN) {                                                                          \
            NAME(V) v[4];                                                                                              \
            for (int j = 0; j < 4; j++) v[j] = NAME(c_##op)(NAME(v_load)(lane + j * w + i), NAME(v_load)(lane + (j + 4) * w + i)); \
            NAME(v_store)(acc + i, NAME(c_##op)(NAME(c_##op)(v[0], v[2]), NAME(c_##op)(v[1], v[3])), w - i);           \
        }                                                                                                              \
    }
LANES(add)
LANES(mul)
LANES(min)
LANES(max)
#undef LANES

#define S T
#define K(x) NAME(x)
#define ROW(c, r, buf) NAME(row_of)(c, r, buf)
#define FROM(at) NAME(v_load)(at)
#define PART(at, n) NAME(v_part)(at, n)
#ifdef V_RANGE
#define FILL(at, lo, hi, none) NAME(v_fill)(at, lo, hi, none)
#else
#define AS_STORED(v) (v)
#endif
#include "engine/reduce_run.h"
#undef S
#undef K
#undef FROM
#undef PART
#undef FILL
#undef AS_STORED
#undef ROW
#define RUN(name)                                                                                                      \
    static void NAME(run_##name)(const void *data, int64_t n, const void *param, void *acc) {                          \
        *(T *)acc = NAME(fold_##name)(data, n, NAME(scalar)(param));                                                   \
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

/* Sums of a function of x (p: the column's parameter; P0: the first one): it costs more than loading and storing accumulators. */
#define COL(name, mapped)                                                                                              \
    static void NAME(col_##name)(const wn__cols *c, const void *param, void *acc, void *work) {                        \
        const int64_t w = c->width;                                                                                    \
        const T *p = param, P0 = p[0];                                                                                 \
        T *lane = work, *buf = lane + WN__LANES * WN__COL_MAX;                                                         \
        (void)P0;                                                                                                      \
        memset(lane, 0, (size_t)((c->n < WN__LANES ? c->n : WN__LANES) * w) * sizeof(T));                              \
        for (int64_t r = 0; r < c->n; r++) {                                                                           \
            const T *x = NAME(row_of)(c, r, buf);                                                                      \
            T *a = lane + r % WN__LANES * w;                                                                           \
            WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] += mapped;                                                  \
        }                                                                                                              \
        NAME(lanes_add)(lane, c->n, w, acc);                                                                           \
    }
COL(exp, NAME(map_exp)(x[i], p[i]))
COL(pow, NAME(map_pow)(x[i], P0))
#undef COL

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
