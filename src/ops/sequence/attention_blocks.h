/* What both directions of attention (attention_forward.c, attention_backward.c) work with: a job, its operands, and products of blocks of them. */
#ifndef WN_OPS_ATTENTION_BLOCKS_H
#define WN_OPS_ATTENTION_BLOCKS_H
#include <stdatomic.h>
#include "engine/attention.h"
#include "engine/gemm.h"
#include "ops/loss/loss.h"

/* One operand: [leading..., rows, cols], any strides in front, rows of unit stride. */
typedef struct wn__side {
    wn_tensor *t; /* owned */
    const char *p;
    int64_t row; /* elements between rows */
    bool whole;  /* rows can be read as pairs where they lie */
} wn__side;

/* Some rows, ld elements apart; or packed panels, ld elements of the accumulators' size apart. */
typedef struct wn__rows {
    const char *p;
    int64_t ld;
} wn__rows;

typedef struct wn__attention {
    const wn__attention_type *k;
    const wn__gemm_type *t;
    wn_dtype in, io;  /* of the operands; of the tensors */
    wn_dtype dtype;   /* f32 or f64: of all sums */
    int64_t size, in_size;
    int64_t batch, queries, keys, width, vwidth;
    int lead; /* leading dimensions */
    int64_t shape[WN_MAX_DIMS];
    wn__side q, kk, v, g;
    wn_tensor *mask; /* owned: bool, or of type dtype; NULL: none */
    const char *mp;
    int64_t mstride[WN_MAX_DIMS + 2]; /* of all dimensions, broadcast */
    bool bool_mask, causal;
    uint8_t *map;     /* attention_map.h; NULL: none */
    double scale, by; /* by: what makes exponents of the scores that soften and back get */
    char *out, *lse;  /* row-major; out of type io */
    char *dq, *dk, *dv, *delta, *parts;
    int64_t nparts; /* backward: tasks that share a batch, each with its own dq */
    bool careful;     /* attention_absent.h */
    _Atomic bool failed, nan;
} wn__attention;

/* ---- operands (attention_operands.c) */
/* Fills *j in from what fits together; else an error. Then kernels are chosen (pairs: those of pairs of bf16), operands opened, which takes
 * memory where they must be copied (false: there is none), and closed. */
wn_status wn__attention_check(wn__call *c, const wn_tensor *q, const wn_tensor *k, const wn_tensor *v, const wn_tensor *mask, wn__attention *j);
bool wn__attention_pairs_suit(const void *form);
void wn__attention_choose(wn__attention *j, bool pairs);
bool wn__attention_open(wn__attention *j, wn_tensor *q, wn_tensor *k, wn_tensor *v, wn_tensor *mask, double scale);
bool wn__attention_open_side(const wn__attention *j, wn_tensor *t, wn__side *s);
void wn__attention_close(wn__attention *j);
void wn__attention_describe(const void *form, char *text, size_t room);

/* n elements of k in steps of the product, which takes pairs of bf16. */
static inline int64_t wn__steps(const wn__attention *j, int64_t n) { return (n + j->t->depth - 1) / j->t->depth; }
/* Where an operand's rows of batch b begin, from row `row` on. */
const char *wn__side_rows(const wn__attention *j, const wn__side *s, int64_t b, int64_t row);
static inline wn__rows wn__rows_later(const wn__attention *j, wn__rows r, int64_t n) { return (wn__rows){r.p + n * r.ld * j->in_size, r.ld}; }

/* Panels of queries, as many rows as a register tile has (whole pairs of rows). */
static inline int64_t wn__attention_panels(const wn__attention *j) { return wn__panels(wn__steps(j, j->queries), j->t->mr / j->t->depth); }
static inline int64_t wn__attention_panel(const wn__attention *j, int64_t p) {
    return wn__least(j->queries, wn__panel_start(wn__steps(j, j->queries), wn__attention_panels(j), p) * j->t->depth);
}
/* How many of the nk keys from k0 on do queries before q1 see? */
static inline int64_t wn__seen(const wn__attention *j, int64_t q1, int64_t k0, int64_t nk) { return j->causal && q1 - k0 < nk ? q1 - k0 : nk; }

/* Elements between rows of scores, and bytes of n rows packed or of rows laid side by side. */
int64_t wn__score_line(int64_t keys);
int64_t wn__packed_size(const wn__attention *j, int64_t n, int64_t width);
static inline int64_t wn__near_size(const wn__attention *j, int64_t n, int64_t width) { return (n * wn__steps(j, width) * j->t->depth * j->in_size + 63) / 64 * 64; }

/* n rows of an operand, `width` wide: where they lie, or copied to `to` where their distance would put them on a few lines of the caches, or
 * where they are not pairs. */
wn__rows wn__rows_near(const wn__attention *j, const wn__side *s, int64_t b, int64_t row, int64_t n, int64_t width, char *to);
/* Rows as the other operand of a product along them: panels [width][nr]. */
void wn__pack_rows(const wn__attention *j, wn__rows r, int64_t n, int64_t width, char *to);
/* Rows as the other operand of a product down them, for wn__add_product: where they lie, or (pairs) packed at `to`. */
wn__rows wn__rows_down(const wn__attention *j, wn__rows r, int64_t n, int64_t width, char *to);
static inline wn__rows wn__down_later(const wn__attention *j, wn__rows r, int64_t n) {
    return j->t->depth == 1 ? wn__rows_later(j, r, n) : (wn__rows){r.p + n / 2 * j->t->nr * j->size, r.ld};
}

/* s[0..n)[0..cols) = rows of a times packed rows; whole panels are written. */
void wn__times_packed(const wn__attention *j, wn__rows a, int64_t n, int64_t cols, int64_t width, const char *packed, char *s, int64_t ld);
/* c[m, n] = beta * c + a[m, k] b[k, n], b from wn__rows_down; a's strides and its steps are of the accumulators' size. */
void wn__add_product(const wn__attention *j, int64_t m, int64_t n, int64_t k, const char *a, int64_t am, int64_t ak, wn__rows b, char *c, int64_t ldc, double beta);
/* c[m, n] = alpha * sum over k of a[m, k] b[k, n] + beta * c for few rows, b where it lies. False: no memory. */
bool wn__few_product(const wn__attention *j, int64_t m, int64_t n, int64_t k, const char *a, int64_t am, const char *b, int64_t bk, int64_t bn, char *c, int64_t cm,
                     double alpha, double beta);
/* Where the mask's element of a query and a key lies. */
const char *wn__mask_at(const wn__attention *j, int64_t b, int64_t q, int64_t k);
/* Has this made NaN? Asked where something is left out, which may have done it. */
static inline void wn__watch(wn__attention *j, const char *made, int64_t n) {
    if ((j->mask || j->causal) && !j->careful && j->k->nan(n, made)) j->nan = true;
}
/* What the mask and causality take from the scores of queries q0.. with keys k0..; all: the mask takes none of them. */
void wn__restrict_scores(const wn__attention *j, int64_t b, int64_t q0, int64_t nq, int64_t k0, int64_t nk, bool all, char *s, int64_t ld);
#endif
