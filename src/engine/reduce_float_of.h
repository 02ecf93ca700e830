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
/* All bits of the first n elements. */
static inline OF(m) OF(first)(int64_t n) {
    static const I number[WN__LANES] __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return *(const OF(m) *)(const void *)number < (I)n - (OF(m)){0};
}

/* n elements, the others 0. */
static inline V OF(part)(const T *x, int64_t n) {
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
static inline V OF(fill)(const T *x, int64_t lo, int64_t hi, T none) {
    const OF(m) m = OF(first)(hi) & ~OF(first)(lo);
    return OF(pick)(m, V_RANGE(x, m), OF(splat)(none));
}
#endif
/* n columns of row r. */
static inline const T *OF(row_of)(const wn__cols *c, int64_t r, int64_t n, T *buf) {
    if (c->dtype == STORED && c->stride == 1) return wn__row_at(c, r);
    wn__reduce_load(c->dtype, LOADED, wn__row_at(c, r), c->stride, n, buf);
    return buf;
}

/* A run of n elements at x. */
typedef T (*OF(fold_fn))(const void *x, int64_t n, T p);
#include "engine/reduce_folds_of.h"

#define S T
#define K(x) OF(x)
#define FROM(at) OF(load)(at)
#define PART(at, n) OF(part)(at, n)
#ifdef V_RANGE
#define FILL(at, lo, hi, none) OF(fill)(at, lo, hi, none)
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
#include "engine/reduce_columns_of.h"

/* ---- folds of a function of x: a run, or a row of columns, is mapped into a buffer first, a loop that vectorises by itself */

static WN__ONCE void OF(map)(wn__fold f, const T *x, int64_t n, T p, T *restrict y) {
    if (f == WN__FOLD_EXP)
        for (int64_t i = 0; i < n; i++) y[i] = OF(wn__exp)(x[i] - p);
    else if (f == WN__FOLD_POW)
        for (int64_t i = 0; i < n; i++) y[i] = OF(wn__pow)(OF(wn__abs)(x[i]), p);
    else if (f == WN__FOLD_NANSUM)
        for (int64_t i = 0; i < n; i++) y[i] = x[i] == x[i] ? x[i] : 0;
    else
        for (int64_t i = 0; i < n; i++) y[i] = OF(wn__abs)(x[i]);
}
INLINE T OF(fold_mapped)(const wn__fold f, const OF(fold_fn) joining, const void *x, int64_t n, T p) {
    T y[WN__RUN] __attribute__((aligned(64)));
    OF(map)(f, x, n, p, y);
    return joining(y, n, 0);
}
static T OF(fold_exp)(const void *x, int64_t n, T p) { return OF(fold_mapped)(WN__FOLD_EXP, OF(fold_sum), x, n, p); }
static T OF(fold_pow)(const void *x, int64_t n, T p) { return OF(fold_mapped)(WN__FOLD_POW, OF(fold_sum), x, n, p); }
static T OF(fold_abs)(const void *x, int64_t n, T p) { return OF(fold_mapped)(WN__FOLD_ABS, OF(fold_sum), x, n, p); }
static T OF(fold_absmax)(const void *x, int64_t n, T p) { return OF(fold_mapped)(WN__FOLD_ABSMAX, OF(fold_max), x, n, p); }
static T OF(fold_absmin)(const void *x, int64_t n, T p) { return OF(fold_mapped)(WN__FOLD_ABSMIN, OF(fold_min), x, n, p); }
static T OF(fold_nansum)(const void *x, int64_t n, T p) { return OF(fold_mapped)(WN__FOLD_NANSUM, OF(fold_sum), x, n, p); }

/* p: the columns' parameters, or one power. */
static WN__ONCE void OF(columns_mapped)(wn__fold f, const wn__cols *c, const T *p, T *acc, T *lane) {
    const int64_t w = c->width, lanes = c->n < WN__LANES ? c->n : WN__LANES, together = f != WN__FOLD_EXP && wn__rows_flat(c) ? WN__LANES : 1;
    T *const buf = lane + WN__LANES * WN__COL_MAX, *const y = buf + WN__COL_MAX, *const less = y + WN__COL_MAX;
    for (int64_t i = 0; i < lanes * w; i++) lane[i] = OF(nothing)(f);
    for (int64_t r = 0; r < c->n; r += together) {
        const int64_t take = (c->n - r < together ? c->n - r : together) * w;
        const T *x = OF(row_of)(c, r, take, buf);
        T *a = lane + r % WN__LANES * w;
        if (f == WN__FOLD_EXP) {
            WN__IVDEP for (int64_t i = 0; i < w; i++) less[i] = x[i] - p[i];
            x = less;
        }
        OF(map)(f, x, take, f == WN__FOLD_POW ? *p : 0, y);
        if (f == WN__FOLD_ABSMAX) OF(join_rows)(WN__FOLD_MAX, a, y, take);
        else if (f == WN__FOLD_ABSMIN) OF(join_rows)(WN__FOLD_MIN, a, y, take);
        else OF(join_rows)(WN__FOLD_SUM, a, y, take);
    }
    OF(join_lanes)(f, lane, c->n, w, acc);
}
#define COL(name, f)                                                                                                   \
    static void OF(col_##name)(const wn__cols *c, const void *p, void *acc, void *work) { OF(columns_mapped)(f, c, p, acc, work); }
COL(exp, WN__FOLD_EXP)
COL(pow, WN__FOLD_POW)
COL(abs, WN__FOLD_ABS)
COL(absmax, WN__FOLD_ABSMAX)
COL(absmin, WN__FOLD_ABSMIN)
COL(nansum, WN__FOLD_NANSUM)
#undef COL

/* ---- runs and rows of any length */

#define RUN(name)                                                                                                      \
    static void OF(run_##name)(const void *x, int64_t n, const void *param, void *acc) { *(T *)acc = OF(fold_##name)(x, n, OF(scalar)(param)); }
RUN(sum)
RUN(prod)
RUN(shifted)
RUN(squares)
RUN(min)
RUN(max)
RUN(exp)
RUN(pow)
RUN(abs)
RUN(absmax)
RUN(absmin)
RUN(nansum)
#undef RUN

/* A row of any length, elements of `size` bytes: its runs are merged like a binary counter. */
INLINE T OF(whole)(const wn__fold f, const OF(fold_fn) fold, int64_t size, const char *x, int64_t n, T p) {
    T slot[56], v[8];
    uint64_t runs = 0;
    while (n > 0) {
        int i = 0;
        if (n >= 8 * WN__RUN) {
            for (int k = 0; k < 8; k++) v[k] = fold(x + k * WN__RUN * size, WN__RUN, p);
            for (int k = 0; k < 8; k += 2) v[k] = OF(two)(f, v[k], v[k + 1]);
            v[0] = OF(two)(f, OF(two)(f, v[0], v[2]), OF(two)(f, v[4], v[6]));
            x += 8 * WN__RUN * size, n -= 8 * WN__RUN, i = 3;
        } else {
            v[0] = fold(x, n < WN__RUN ? n : WN__RUN, p);
            x += WN__RUN * size, n -= WN__RUN;
        }
        const uint64_t more = (uint64_t)1 << i;
        for (; runs >> i & 1; i++) v[0] = OF(two)(f, slot[i], v[0]);
        slot[i] = v[0];
        runs += more;
    }
    int i = __builtin_ctzll(runs);
    for (v[0] = slot[i++]; runs >> i; i++)
        if (runs >> i & 1) v[0] = OF(two)(f, slot[i], v[0]);
    return v[0];
}
INLINE void OF(rows)(const wn__fold f, const OF(fold_fn) fold, int64_t size, const char *x, int64_t step,
                    int64_t rows, int64_t n, const void *param, T *y) {
    const T p = OF(scalar)(param);
    const int64_t bytes = step * size;
    if (n <= WN__RUN) {
        for (int64_t r = 0; r < rows; r++) y[r] = fold(x + r * bytes, n, p);
    } else if (n <= 2 * WN__RUN) {
        for (int64_t r = 0; r < rows; r++) {
            const T first = fold(x + r * bytes, WN__RUN, p);
            y[r] = OF(two)(f, first, fold(x + r * bytes + WN__RUN * size, n - WN__RUN, p));
        }
    } else {
        for (int64_t r = 0; r < rows; r++) y[r] = OF(whole)(f, fold, size, x + r * bytes, n, p);
    }
}

static WN__ONCE void OF(rows_joined)(wn__fold f, OF(fold_fn) fold, int64_t size, const char *x, int64_t step, int64_t rows, int64_t n,
                                     const void *param, T *y) {
    switch (wn__joining(f)) {
    case WN__FOLD_PROD: OF(rows)(WN__FOLD_PROD, fold, size, x, step, rows, n, param, y); return;
    case WN__FOLD_MIN: OF(rows)(WN__FOLD_MIN, fold, size, x, step, rows, n, param, y); return;
    case WN__FOLD_MAX: OF(rows)(WN__FOLD_MAX, fold, size, x, step, rows, n, param, y); return;
    default: OF(rows)(WN__FOLD_SUM, fold, size, x, step, rows, n, param, y); return;
    }
}
#define ROWS(name, f)                                                                                                  \
    static void OF(rows_##name)(const void *x, int64_t step, int64_t rows, int64_t n, const void *param, void *acc) {  \
        OF(rows_joined)(f, OF(fold_##name), sizeof(T), x, step, rows, n, param, acc); }
/* What is asked for most knows its fold: a call less for each short row, and runs of a known length. */
#define OFTEN(name, f)                                                                                                 \
    static void OF(rows_##name)(const void *x, int64_t step, int64_t rows, int64_t n, const void *param, void *acc) {  \
        OF(rows)(f, OF(fold_##name), sizeof(T), x, step, rows, n, param, acc); }
OFTEN(sum, WN__FOLD_SUM)
OFTEN(min, WN__FOLD_MIN)
OFTEN(max, WN__FOLD_MAX)
OFTEN(squares, WN__FOLD_SQUARES)
ROWS(prod, WN__FOLD_PROD)
ROWS(abs, WN__FOLD_ABS)
ROWS(absmax, WN__FOLD_ABSMAX)
ROWS(absmin, WN__FOLD_ABSMIN)
ROWS(nansum, WN__FOLD_NANSUM)
#undef OFTEN
#undef ROWS

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

static void OF(col_nonzero)(const wn__cols *c, const void *param, void *acc, void *work) {
    int64_t w = c->width;
    T *buf = work;
    I *count = (I *)(buf + WN__COL_MAX);
    (void)param;
    memset(count, 0, (size_t)w * sizeof *count);
    for (int64_t r = 0; r < c->n; r++) {
        const T *x = OF(row_of)(c, r, c->width, buf);
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
        const T *x = OF(row_of)(c, r, c->width, buf);
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
