/* Matrix product over grouped labels for floating types: what stands between wn__contract, convolutions and kernels.
 * Scratch slots: 0 for what a whole product shares, 1 for a task, 4 for what a thread packs for itself; 2 and 3 are
 * left to epilogues. */
#ifndef WN_ENGINE_GEMM_H
#define WN_ENGINE_GEMM_H
#include "engine/contraction.h"
#include "engine/gemm_kernels.h"
#include "engine/kernel_table.h"
#include "base/assert.h"

/* One group's labels as one operand sees them, last label fastest. */
typedef struct wn__group {
    int n;
    int64_t total;
    int64_t size[WN_MAX_DIMS], stride[WN_MAX_DIMS];
    const int64_t *list; /* element i of the group is element list[i] of the labels; NULL: element i */
} wn__group;

/* Fills out[0..count) with the offsets of elements start.. of the group. */
void wn__group_offsets(const wn__group *g, int64_t start, int64_t count, int64_t *out);
int64_t wn__group_offset(const wn__group *g, int64_t i);
/* Has it at most one label, so that element i lies at i * stride? */
static inline bool wn__group_affine(const wn__group *g) {
    WN_ASSERT(g->n >= 0 && g->n <= WN_MAX_DIMS && g->total >= 0);
    return g->n <= 1 && !g->list;
}
static inline int64_t wn__group_stride(const wn__group *g) { return g->n ? g->stride[g->n - 1] : 0; }

typedef struct wn__gemm {
    const wn__gemm_type *t;
    wn_dtype in, out;
    const void *a, *b;
    void *c;
    wn__group am, ak, bk, bn, cm, cn;
    double alpha, beta;
    const wn__epilogue *epilogue;
    const wn__reach *reach_a, *reach_b; /* as in wn__contraction */
    const wn__kept *kept_m, *kept_n, *kept_k; /* as in wn__contraction; n: columns of B */
    int64_t batch; /* batch index for the epilogue */
    bool swapped;  /* A and B were exchanged: the epilogue's rows are our columns */
} wn__gemm;

/* One product. False: no memory. */
bool wn__gemm_run(const wn__gemm *g);
/* The kernels for one product, which is the rows' form: they look at all of it but addresses. There is no call. */
extern const wn__kernel_table wn__product_kernels;
/* Few rows: B is streamed once, nothing is packed (gemm_vec.c). */
bool wn__gemm_vector_suits(const void *form);
wn__ran wn__gemm_vector(void *form, const void *call);
/* A small C and a long k, shared out to threads; declines if there is one. Bits are the last row's (gemm_split.c). */
bool wn__gemm_split_suits(const void *form);
wn__ran wn__gemm_split(void *form, const void *call);
int wn__gemm_threads(const wn__gemm *g); /* number of threads that share one product */

/* Computes all products of a batch with labels a, b, c, if they are small and suit (*done). False: no memory. */
bool wn__gemm_small(const wn__gemm *g, const wn__group *a, const wn__group *b, const wn__group *c, bool *done);

/* The length of panels, and where each starts, if `total` rows are dealt evenly to ceil(total / most) panels. */
static inline int64_t wn__panels(int64_t total, int most) {
    WN_ASSERT(total >= 0 && most > 0);
    return (total + most - 1) / most;
}
static inline int64_t wn__panel_start(int64_t total, int64_t panels, int64_t p) {
    WN_ASSERT(panels > 0 && p >= 0 && p <= panels);
    const int64_t base = total / panels, more = total % panels;
    return p * base + (p < more ? p : more);
}

/* Runs the epilogue on acc[0..n): elements j..j+n-1 of row i, or of the caller's column i (swapped). */
void wn__gemm_epilogue(const wn__gemm *g, void *acc, int64_t batch, int64_t i, int64_t j, int64_t n);
/* Makes *h the product without rows and steps of k that are all zero (kept_m, kept_k); lists lead to its elements. */
void wn__gemm_keep(const wn__gemm *g, wn__gemm *h);
/* Where the chunks of all k steps, each at most `most` long, begin among the kept ones. Owned; NULL: no memory. */
int64_t *wn__gemm_kept_starts(const wn__kept *kept, int64_t k, int most);
/* epilogue(beta * C) for C's rows outside kept_m, or (K = 0) for all rows. */
void wn__gemm_empty(const wn__gemm *g);
/* Finishes elements j..j+n-1 of row i: epilogue on acc, then conversion to C. */
void wn__gemm_finish(const wn__gemm *g, void *acc, int64_t i, int64_t j, int64_t n);
/* Loads acc[0..n) from C's row i, elements j... */
void wn__gemm_load_row(const wn__gemm *g, void *acc, int64_t i, int64_t j, int64_t n);
#endif
