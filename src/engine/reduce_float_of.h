/* Runs and columns of one floating type: included by engine/level/reduce_kernels.c behind as_f32.h or as_f64.h, with PER_VECTOR (VB / sizeof(T)),
 * LOADED and STORED (names of the type) and the V_ macros of the level. Lanes live in registers as 1, 2, 4 or 8 vectors named one by one: arrays of
 * vectors stay in memory with gcc 12. */

#define VECTORS ((int)(WN__LANES * sizeof(T) / VB)) /* registers for 16 lanes */

static inline T OF(scalar)(const void *param) {
    T p = 0;
    if (param) memcpy(&p, param, sizeof p);
    return p;
}

/* ---- what the level has no instruction for */

#ifndef V_MAX /* of an accumulator a and an element x; a where they are equal */
#define V_MAX(a, x) OF(pick)((x) > (a), x, a)
#define V_MIN(a, x) OF(pick)((x) < (a), x, a)
#endif
#ifndef ONE_MAX /* of two results, without a branch: which run holds the larger one cannot be foreseen */
#define ONE_MAX(a, x) (((x) > (a)) | ((x) != (x)) ? (x) : (a))
#define ONE_MIN(a, x) (((x) < (a)) | ((x) != (x)) ? (x) : (a))
#endif
/* Smallest and largest: elements are compared as if there were no NaN (one instruction where the machine has it), and where one was
 * seen the answer is NaN. V_SEE(q, x, y) notes in q whether x or y hold one, V_ANY_SEEN(q) says so. */
#ifndef V_SEE
#define V_SEEN OF(m)
#define V_SEE(q, x, y) ((q) |= ((x) != (x)) | ((y) != (y)))
#define V_ANY_SEEN(q) OF(any)(q)
static inline bool OF(any)(OF(m) q) {
    I any = 0;
    for (int k = 0; k < VN; k++) any |= q[k];
    return any != 0;
}
#endif
#ifndef V_MARK /* v, NaN where q saw one */
#define V_MARK(v, q) ((V)((OF(m))(v) | (OF(m))(q)))
#endif
#ifndef V_NUMBERS /* x, NaN as 0 */
#define V_NUMBERS(x) ((V)(((x) == (x)) & (OF(m))(x)))
#endif
INLINE V OF(size)(V x) { return (V)((OF(m))x & ~(OF(m))OF(splat)(-(T)0)); }

/* All bits of the first n elements. */
static inline OF(m) OF(first)(int64_t n) {
    static const I number[WN__LANES] __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return *(const OF(m) *)(const void *)number < (I)n - (OF(m)){0};
}

/* n elements, the others 0. */
static inline V OF(v_part)(const T *x, int64_t n) {
#ifdef V_PART
    return V_PART(x, n);
#else
    T part[VB / sizeof(T)] __attribute__((aligned(VB))) = {0};
    memcpy(part, x, (size_t)(n < VN ? n : VN) * sizeof(T));
    return *(const V *)(const void *)part;
#endif
}
#ifdef V_RANGE
/* Elements lo to hi of a register, the others `none`; those need not be memory. */
static inline V OF(v_fill)(const T *x, int64_t lo, int64_t hi, T none) {
    const OF(m) m = OF(first)(hi) & ~OF(first)(lo);
    return OF(pick)(m, V_RANGE(x, m), OF(splat)(none));
}
#endif
static inline const T *OF(row_of)(const wn__cols *c, int64_t r, T *buf) {
    if (c->dtype == STORED && c->stride == 1) return wn__row_at(c, r);
    WN_AT_LEVEL(wn__reduce_load)(c->dtype, LOADED, wn__row_at(c, r), c->stride, c->width, buf);
    return buf;
}

/* Do rows shorter than a few registers follow each other in memory? Then 16 of them are one row of 16 lanes. size: of an element in memory. */
static inline bool OF(rows_flat)(const wn__cols *c, size_t size) {
    return c->stride == 1 && c->step == c->width * (int64_t)size && (size != sizeof(T) || c->dtype == STORED);
}
#include "engine/reduce_folds_of.h"

#define S T
#define K(x) OF(x)
#define ROW(c, r, buf) OF(row_of)(c, r, buf)
#define FROM(at) OF(load)(at)
#define PART(at, n) OF(v_part)(at, n)
#ifdef V_RANGE
#define FILL(at, lo, hi, none) OF(v_fill)(at, lo, hi, none)
#else
#define AS_STORED(v) (v)
#endif
#include "engine/reduce_run_of.h"
#undef S
#undef K
#undef FROM
#undef PART
#undef FILL
#undef AS_STORED
#undef ROW
#define RUN(name)                                                                                                      \
    static void OF(run_##name)(const void *data, int64_t n, const void *param, void *acc) {                            \
        *(T *)acc = OF(fold_##name)(data, n, OF(scalar)(param)); }
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
static inline T OF(power)(T x, T p) { return OF(wn__pow)(OF(wn__abs)(x), p); }
INLINE T OF(mapped)(const wn__fold f, T x, T p) { return f == WN__FOLD_EXP ? OF(wn__exp)(x - p) : OF(power)(x, p); }
INLINE void OF(run_mapped)(const wn__fold f, const T *x, int64_t n, T p, void *acc) {
    T y[WN__RUN] __attribute__((aligned(64)));
    for (int64_t i = 0; i < n; i++) y[i] = OF(mapped)(f, x[i], p);
    OF(run_sum)(y, n, NULL, acc);
}
static void OF(run_exp)(const void *x, int64_t n, const void *param, void *acc) { OF(run_mapped)(WN__FOLD_EXP, x, n, OF(scalar)(param), acc); }
static void OF(run_pow)(const void *x, int64_t n, const void *param, void *acc) { OF(run_mapped)(WN__FOLD_POW, x, n, OF(scalar)(param), acc); }

static void OF(run_nonzero)(const void *data, int64_t n, const void *param, void *acc) {
    const T *x = data;
    (void)param;
    I count = 0;
    for (int64_t i = 0; i < n; i++) count += x[i] != 0;
    *(int64_t *)acc = count;
}

static void OF(rows_nonzero)(const void *data, int64_t step, int64_t rows, int64_t n, const void *param, void *acc) {
    int64_t *y = acc;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = y[r] = 0, count; i < n; i += WN__RUN, y[r] += count)
            OF(run_nonzero)((const T *)data + r * step + i, n - i < WN__RUN ? n - i : WN__RUN, param, &count);
}

/* ---- columns: 16 rows of accumulators in `work`, row r of the run goes to row r mod 16 */

/* Sums of a function of x: it costs more than loading and storing accumulators. p: the columns' parameters, or one power. */
INLINE void OF(col_mapped)(const wn__fold f, const wn__cols *c, const T *p, T *acc, T *lane) {
    const int64_t w = c->width;
    const T p0 = p[0];
    T *buf = lane + WN__LANES * WN__COL_MAX;
    memset(lane, 0, (size_t)((c->n < WN__LANES ? c->n : WN__LANES) * w) * sizeof(T));
    for (int64_t r = 0; r < c->n; r++) {
        const T *x = OF(row_of)(c, r, buf);
        T *a = lane + r % WN__LANES * w;
        WN__IVDEP for (int64_t i = 0; i < w; i++) a[i] += OF(mapped)(f, x[i], f == WN__FOLD_EXP ? p[i] : p0);
    }
    OF(lanes_add)(lane, c->n, w, acc);
}
static void OF(col_exp)(const wn__cols *c, const void *p, void *acc, void *work) { OF(col_mapped)(WN__FOLD_EXP, c, p, acc, work); }
static void OF(col_pow)(const wn__cols *c, const void *p, void *acc, void *work) { OF(col_mapped)(WN__FOLD_POW, c, p, acc, work); }

static void OF(col_nonzero)(const wn__cols *c, const void *param, void *acc, void *work) {
    int64_t w = c->width;
    T *buf = work;
    I *count = (I *)(buf + WN__COL_MAX);
    (void)param;
    memset(count, 0, (size_t)w * sizeof *count);
    for (int64_t r = 0; r < c->n; r++) {
        const T *x = OF(row_of)(c, r, buf);
        WN__IVDEP for (int64_t i = 0; i < w; i++) count[i] += x[i] != 0;
    }
    for (int64_t i = 0; i < w; i++) ((int64_t *)acc)[i] = count[i];
}

/* The first of the smallest (largest); the first NaN wins over all. */
static void OF(col_arg)(const wn__cols *c, bool largest, void *best, int64_t *at, void *work) {
    int64_t w = c->width;
    T *buf = work, *b = buf + WN__COL_MAX, flip = largest ? 1 : -1;
    I *index = (I *)(b + WN__COL_MAX);
    for (int64_t r = 0; r < c->n; r++) {
        const T *x = OF(row_of)(c, r, buf);
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

static int64_t OF(find)(const void *data, int64_t n, const void *value) {
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

INLINE void OF(merge)(const wn__fold f, T *a, const T *b, int64_t n) {
    WN__IVDEP for (int64_t i = 0; i < n; i++) a[i] = OF(merged)(f, a[i], b[i]);
}
static void OF(merge_add)(void *into, const void *from, int64_t n) { OF(merge)(WN__FOLD_SUM, into, from, n); }
static void OF(merge_mul)(void *into, const void *from, int64_t n) { OF(merge)(WN__FOLD_PROD, into, from, n); }
static void OF(merge_min)(void *into, const void *from, int64_t n) { OF(merge)(WN__FOLD_MIN, into, from, n); }
static void OF(merge_max)(void *into, const void *from, int64_t n) { OF(merge)(WN__FOLD_MAX, into, from, n); }
