/* The kernels that reductions are made of, one table for each instruction set level.
 *
 * A *run* is at most 512 consecutive counting elements. Inside a run element i goes to lane i mod 16; the lanes are then
 * combined 8+8, 4+4, 2+2, 1+1. A run kernel folds one run that lies in memory as T[n]; a column kernel folds `width` runs
 * at once, element r of each being in rows[r]: the same tree, so the same bits.
 *
 * Element types: f16 and bf16 are loaded as f32; integers are folded as they are into int64_t, products loaded as such. */
#ifndef WN_ENGINE_REDUCE_KERNELS_H
#define WN_ENGINE_REDUCE_KERNELS_H
#include "base/level.h"
#include "base/api.h"

#define WN__RUN 512
#define WN__LANES 16
#define WN__COL_MAX 1024 /* columns of one column kernel call */

typedef enum wn__elem { WN__E_F32, WN__E_F64, WN__E_I8, WN__E_I16, WN__E_I32, WN__E_I64, WN__E_U8, WN__ELEMS } wn__elem;

typedef enum wn__fold {
    WN__FOLD_SUM,      /* x */
    WN__FOLD_PROD,
    WN__FOLD_MIN,      /* NaN wins */
    WN__FOLD_MAX,
    WN__FOLD_NONZERO,  /* how many x != 0; the accumulator is int64_t for every type */
    /* floating types only, with a parameter (one for a run, one for each column) */
    WN__FOLD_SHIFTED,  /* x - p */
    WN__FOLD_SQUARES,  /* (x - p)^2 */
    WN__FOLD_EXP,      /* exp(x - p) */
    WN__FOLD_ABS,      /* |x| */
    WN__FOLD_POW,      /* |x|^p; column kernels, too, read one p */
    WN__FOLD_ABSMAX,
    WN__FOLD_ABSMIN,
    WN__FOLD_NANSUM,   /* x, NaN as 0 */
    WN__FOLDS
} wn__fold;

typedef struct wn__cols {
    const char *const *rows; /* address of the first column in each row; where step is not 0, of the first row alone */
    int64_t step;            /* bytes from row to row, or 0; not with rows of 64 columns or more */
    int64_t n;               /* rows, 1 .. WN__RUN */
    int64_t width;           /* columns, 1 .. WN__COL_MAX */
    int64_t stride;          /* between columns, in elements of dtype */
    wn_dtype dtype;          /* what lies in memory; converted to the kernel's type */
    bool narrow;             /* MIN and MAX of integers: accumulators are as wide as elements */
} wn__cols;
static inline const void *wn__row_at(const wn__cols *c, int64_t r) { return c->step ? c->rows[0] + r * c->step : c->rows[r]; }

/* acc gets one accumulator: T, or int64_t for integers and NONZERO. 1 <= n <= WN__RUN. */
typedef void (*wn__run_fn)(const void *x, int64_t n, const void *param, void *acc);
/* Rows of any length n >= 1, `step` elements apart, run after run: acc gets `rows` accumulators. */
typedef void (*wn__rows_fn)(const void *x, int64_t step, int64_t rows, int64_t n, const void *param, void *acc);
/* n more elements of several rows, `step` elements apart, that come in pieces. Each row's run has `done` of them so far, its lanes are
 * WN__LANES accumulators of `lanes` (set when done is 0). ends[k * rows + row]: what run k that becomes whole comes to; of the last one
 * wn__joining makes it of the lanes. */
typedef void (*wn__feed_fn)(const void *x, int64_t step, int64_t rows, int64_t n, int64_t done, const void *param, void *lanes, void *ends);
/* acc gets `width` accumulators. work: WN__COL_WORK bytes, 64-byte aligned. */
typedef void (*wn__col_fn)(const wn__cols *c, const void *param, void *acc, void *work);
#define WN__COL_WORK ((size_t)(WN__LANES + 5) * WN__COL_MAX * 8)

typedef struct wn__reduce_kernels {
    wn__run_fn run[WN__FOLDS][WN__ELEMS]; /* NULL: none */
    void (*run_ends[WN__ELEMS])(const void *x, int64_t n, int64_t *ends); /* least and most of n >= 1 integers; NULL: none */
    wn__rows_fn rows[WN__FOLDS][WN__ELEMS]; /* NULL: none */
    wn__feed_fn feed[WN__FOLDS][WN__ELEMS]; /* NULL: none */
    wn__rows_fn half_rows[WN__FOLDS][2]; /* the same of f16 and bf16 in memory, as F32, where that is worth a loop of its own */
    wn__feed_fn half_feed[WN__FOLDS][2];
    wn__col_fn col[WN__FOLDS][WN__ELEMS];
    /* a[i] = a[i] combined with b[i], accumulators of type T (or int64_t); the same for all folds that add. */
    void (*merge[WN__FOLDS][WN__ELEMS])(void *a, const void *b, int64_t n);
    /* Smallest or largest of each column with its row (the first; the first NaN). best: T or int64_t; at: row numbers. */
    void (*col_arg[WN__ELEMS])(const wn__cols *c, bool largest, void *best, int64_t *at, void *work);
    /* The first element equal to *value (an accumulator); NaN is equal to NaN. It must be there. */
    int64_t (*find[WN__ELEMS])(const void *x, int64_t n, const void *value);
    /* n elements of dtype `from`, `stride` apart, as consecutive elements of type `to`. Conversions to F32, F64, I64; other
     * types only from the dtype that is stored so. */
    void (*load)(wn_dtype from, wn__elem to, const void *x, int64_t stride, int64_t n, void *buf);
    /* The elements of `size` bytes whose mask byte is not 0, in order, to buf (room for n); their number. */
    int64_t (*compact)(size_t size, const void *x, int64_t stride, const uint8_t *mask, int64_t mstride, int64_t n, void *buf);
    int64_t (*count)(const uint8_t *mask, int64_t mstride, int64_t n); /* bytes that are not 0 */
    /* The reverse of load: from F32, F64, I64 to any dtype, n elements `stride` apart. */
    void (*store)(wn__elem from, wn_dtype to, const void *buf, int64_t n, void *y, int64_t stride);
} wn__reduce_kernels;

/* What .load and .store are, at every level; n elements of `size` bytes, `stride` apart, next to each other. */
void wn__reduce_load(wn_dtype from, wn__elem to, const void *x, int64_t stride, int64_t n, void *buf);
void wn__reduce_store(wn__elem from, wn_dtype to, const void *buf, int64_t n, void *y, int64_t stride);
void wn__reduce_gather(size_t size, const void *x, int64_t stride, int64_t n, void *buf);

WN__DECLARE_LEVELS(wn__reduce_kernels, wn__reduce_kernels);
static inline const wn__reduce_kernels *wn__reduce_kernels_now(void) { return WN__OF_LEVEL(wn__reduce_kernels); }

/* The type that a dtype is folded in when nothing else is asked for, and the bytes of an element. */
static inline wn__elem wn__elem_of(wn_dtype d) {
    static const uint8_t of[] = {WN__E_F32, WN__E_F32, WN__E_F64, WN__E_F32, WN__E_F32, WN__E_I8,
                                 WN__E_I16, WN__E_I32, WN__E_I64, WN__E_U8,  WN__E_U8};
    return (wn__elem)of[d];
}
static inline bool wn__elem_float(wn__elem e) { return e <= WN__E_F64; }
static inline size_t wn__elem_size(wn__elem e) {
    static const uint8_t size[] = {4, 8, 1, 2, 4, 8, 1};
    return size[e];
}
/* NULL: there is none, runs are brought to wn__run_fn. */
static inline wn__rows_fn wn__rows_of(const wn__reduce_kernels *k, wn__fold fold, wn_dtype d, wn__elem e) {
    if ((d == WN_F16 || d == WN_BF16) && e == WN__E_F32) return k->half_rows[fold][d == WN_BF16];
    return wn__elem_of(d) == e ? k->rows[fold][e] : NULL;
}
static inline wn__feed_fn wn__feed_of(const wn__reduce_kernels *k, wn__fold fold, wn_dtype d, wn__elem e) {
    if ((d == WN_F16 || d == WN_BF16) && e == WN__E_F32) return k->half_feed[fold][d == WN_BF16];
    return wn__elem_of(d) == e ? k->feed[fold][e] : NULL;
}
/* The fold that combines what two folds, or the lanes of one, have come to. */
static inline wn__fold wn__joining(wn__fold fold) {
    switch (fold) {
    case WN__FOLD_PROD: return WN__FOLD_PROD;
    case WN__FOLD_MIN:
    case WN__FOLD_ABSMIN: return WN__FOLD_MIN;
    case WN__FOLD_MAX:
    case WN__FOLD_ABSMAX: return WN__FOLD_MAX;
    default: return WN__FOLD_SUM;
    }
}
/* Is it the least or the most of something? Those look for NaN apart. */
static inline bool wn__fold_compares(wn__fold fold) { return wn__joining(fold) == WN__FOLD_MIN || wn__joining(fold) == WN__FOLD_MAX; }
/* Does an array of dtype d, read as it lies, hold elements of type e? */
static inline bool wn__elem_is(wn_dtype d, wn__elem e) { return wn__elem_of(d) == e && d != WN_F16 && d != WN_BF16; }
#endif
