/* From labels to matrices. Groups of labels are tidied (size 1 dropped, neighbours merged where strides allow), batches
 * are dealt to threads, and each product goes to the kernels for floats or to the integer loops. */
#include "engine/contraction.h"
#include "base/alloc.h"
#include "engine/contract_int.h"
#include "engine/gemm.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <stdlib.h>

enum {
    BATCH_WORK = 400000,  /* multiply-adds that a task of small products should have */
    BATCH_MOST = 1 << 27, /* a larger product is parallel itself: two at once would need too much of L3. So is a smaller
                           * one, if whole products cannot be dealt to threads evenly */
};

/* Drops labels of size 1 and merges label d into d+1 where all three strides step alike. Returns the number left. */
static int tidy(const wn__axis *from, int n, wn__axis *to) {
    int m = 0;
    for (int d = 0; d < n; d++) {
        const wn__axis x = from[d];
        if (x.size == 1) continue;
        if (m > 0) {
            wn__axis *y = &to[m - 1];
            if (y->a == x.a * x.size && y->b == x.b * x.size && y->c == x.c * x.size) {
                *y = (wn__axis){y->size * x.size, x.a, x.b, x.c};
                continue;
            }
        }
        to[m++] = x;
    }
    return m;
}

/* The order of k's labels is free. With the largest strides first more of them merge, and memory is read forwards. */
static int tidy_k(const wn__axis *from, int n, wn__axis *to) {
    wn__axis sorted[WN_MAX_DIMS];
    for (int d = 0; d < n; d++) {
        int at = d;
        while (at > 0 && (llabs(sorted[at - 1].a) < llabs(from[d].a) ||
                          (sorted[at - 1].a == from[d].a && llabs(sorted[at - 1].b) < llabs(from[d].b)))) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = from[d];
    }
    return tidy(sorted, n, to);
}

enum operand { A, B, C };

static wn__group group(const wn__axis *x, int n, enum operand which) {
    wn__group g;
    g.n = n;
    g.total = 1;
    g.list = NULL;
    for (int d = 0; d < n; d++) {
        g.size[d] = x[d].size;
        g.stride[d] = which == A ? x[d].a : which == B ? x[d].b : x[d].c;
        g.total *= x[d].size;
    }
    return g;
}

static bool unit(const wn__group *g) { return wn__group_affine(g) && wn__group_stride(g) == 1; }

/* Computes C^T = B^T A^T instead. */
static void exchange(wn__gemm *g) {
    const void *p = g->a;
    const wn__group m = g->am, k = g->ak, c = g->cm;
    const wn__reach *reach = g->reach_a;
    const wn__kept *kept = g->kept_m;
    g->a = g->b, g->b = p;
    g->am = g->bn, g->bn = m;
    g->ak = g->bk, g->bk = k;
    g->cm = g->cn, g->cn = c;
    g->reach_a = g->reach_b, g->reach_b = reach;
    g->kept_m = g->kept_n, g->kept_n = kept;
    g->swapped = !g->swapped;
}

/* Does exchanging A and B make C's columns contiguous, or one column one row? An epilogue must not matter: how a sum is
 * built depends on the kernel taken, and deferred products have an epilogue where immediate ones have none. */
static bool better_exchanged(const wn__gemm *g) {
    const bool column = g->cn.total == 1 && g->cm.total != 1;
    return column || (unit(&g->cm) && !unit(&g->cn) && g->cm.total != 1);
}

/* Are there few rows of A, and rows of B along a long k? Then B is streamed (wn__gemm_vector). */
static bool streams_b(const wn__gemm *g, int64_t most, int64_t least) {
    return g->cm.total <= most && g->bk.total >= least && unit(&g->bk) && wn__group_affine(&g->bn);
}
/* The same with A and B exchanged. */
static bool streams_a(const wn__gemm *g, int64_t most, int64_t least) {
    return g->cn.total <= most && g->ak.total >= least && unit(&g->ak) && wn__group_affine(&g->am);
}

/* Are there few columns, and rows of A along k? Then A is streamed, as B would be, instead of being packed. But where
 * six rows of A at a time can be read in place (bare_a in gemm.c), tiles with mostly full columns are faster. */
static bool few_columns(const wn__gemm *g) {
    enum { FULL = 12 };
    const bool paired = g->t->depth > 1;
    if (g->t->sweep && g->in == g->t->dtype && g->cn.total > FULL) return false;
    return g->cm.total > WN__GEMM_DOTS &&
           (paired ? streams_a(g, WN__GEMM_PAIRS_COLUMNS, WN__GEMM_PAIRS_LEAST) : streams_a(g, WN__GEMM_DOTS, WN__GEMM_DOTS_LEAST));
}

typedef struct batches {
    const wn__gemm *g;
    wn__group a, b, c; /* offsets of g's operands, which may have been exchanged */
    _Atomic bool failed;
} batches;

static void batch_task(void *ctx, int64_t begin, int64_t end) {
    batches *s = ctx;
    wn__gemm g = *s->g;
    const int64_t in = (int64_t)wn_dtype_size(g.in), out = (int64_t)wn_dtype_size(g.out);
    for (int64_t i = begin; i < end && !atomic_load_explicit(&s->failed, memory_order_relaxed); i++) {
        g.a = (const char *)s->g->a + wn__group_offset(&s->a, i) * in;
        g.b = (const char *)s->g->b + wn__group_offset(&s->b, i) * in;
        g.c = (char *)s->g->c + wn__group_offset(&s->c, i) * out;
        g.batch = i;
        if (!wn__gemm_run(&g)) atomic_store(&s->failed, true);
    }
}

static batches with_batch(const wn__gemm *g, const wn__axis *x, int n) {
    return (batches){.g = g, .a = group(x, n, g->swapped ? B : A), .b = group(x, n, g->swapped ? A : B), .c = group(x, n, C)};
}

/* Does each thread get whole products? Then threads wait for each other once, and read nothing others have packed. */
static bool deals_products(int64_t total, double work) {
    const int64_t threads = wn_num_threads(), rounds = (total + threads - 1) / threads;
    return work <= BATCH_WORK || (work <= BATCH_MOST && threads > 1 && rounds * threads * 8 <= total * 9);
}

static bool run_batches(wn__gemm *g, const wn__axis *x, int n) {
    const bool columns = few_columns(g), stream = g->t->depth > 1 && (columns || streams_b(g, WN__GEMM_DOTS, WN__GEMM_PAIRS_LEAST));
    batches s = with_batch(g, x, n);
    bool done = false;
    const bool ok = stream || wn__gemm_small(g, &s.a, &s.b, &s.c, &done);
    if (done) return ok;
    if (columns) {
        exchange(g);
        s = with_batch(g, x, n);
    }
    const int64_t total = s.c.total;
    const double work = (double)g->cm.total * (double)g->cn.total * (double)(g->ak.total + 1);
    if (total < 2 || !deals_products(total, work)) {
        if (total) batch_task(&s, 0, total);
    } else {
        if (!wn__parallel_fresh(total, 1 + (int64_t)(BATCH_WORK / 2 / (work + 1)), batch_task, &s)) return false;
    }
    return !atomic_load(&s.failed);
}

/* Chooses pairs of bf16 where the processor multiplies them, at twice the rate of f32. Where one operand has few rows
 * or columns, the other is streamed: pairs help there along k, or if all is small. */
static const wn__gemm_type *choose_type(const wn__gemm_kernels *kernels, const wn__gemm *g) {
    enum { SMALL = 4096 };
    if (g->in == WN_F64) return kernels->f64;
    if (g->in != WN_BF16 || !kernels->bf16 || !wn__cpu_has_bf16()) return kernels->f32;
    const int64_t m = g->cm.total, n = g->cn.total, k = g->ak.total;
    const bool many = m > WN__GEMM_FEW && n > WN__GEMM_FEW, small = n * k <= SMALL && m * k <= SMALL;
    const bool stream = streams_b(g, WN__GEMM_DOTS, WN__GEMM_PAIRS_LEAST) || streams_a(g, WN__GEMM_PAIRS_COLUMNS, WN__GEMM_PAIRS_LEAST);
    return many || small || stream ? kernels->bf16 : kernels->f32;
}

/* The product of one batch, with tidied groups and C's rows along memory. *left: number of labels left in batch. */
static wn__gemm plan(const wn__contraction *c, wn__axis *batch, int *left) {
    wn__axis m[WN_MAX_DIMS], n[WN_MAX_DIMS], k[WN_MAX_DIMS];
    const int nm = tidy(c->m, c->nm, m), nn = tidy(c->n, c->nn, n), nk = tidy_k(c->k, c->nk, k);
    *left = tidy(c->batch, c->nbatch, batch);
    wn__gemm g = {.in = c->dtype,
                  .out = c->out_dtype,
                  .a = c->a,
                  .b = c->b,
                  .c = c->c,
                  .am = group(m, nm, A),
                  .ak = group(k, nk, A),
                  .bk = group(k, nk, B),
                  .bn = group(n, nn, B),
                  .cm = group(m, nm, C),
                  .cn = group(n, nn, C),
                  .alpha = c->alpha,
                  .beta = c->beta,
                  .epilogue = c->epilogue && c->epilogue->run ? c->epilogue : NULL,
                  .reach_a = c->reach_a,
                  .reach_b = c->reach_b,
                  .kept_m = c->kept_m,
                  .kept_k = c->kept_k};
    g.t = choose_type(wn__gemm_kernels_now(), &g);
    if (better_exchanged(&g)) exchange(&g);
    return g;
}

#if defined(WN_CHECKED) && WN_CHECKED
static void axes_assert(const wn__axis *x, int n) {
    WN_ASSERT(n >= 0 && n <= WN_MAX_DIMS);
    for (int d = 0; d < n; d++) WN_ASSERT(x[d].size >= 0);
}
static void contraction_assert(const wn__contraction *c) {
    axes_assert(c->batch, c->nbatch);
    axes_assert(c->m, c->nm);
    axes_assert(c->n, c->nn);
    axes_assert(c->k, c->nk);
    for (int d = 0; d < c->nk; d++) WN_ASSERT(c->k[d].c == 0); /* a label that is summed over is not in the result */
    WN_ASSERT(c->dtype < WN_I8 || !c->epilogue);
    WN_ASSERT(c->out_dtype == c->dtype || c->out_dtype == WN_F32);
}
#endif

bool wn__contract(const wn__contraction *c) {
    WN_ASSERT_ALL(contraction_assert(c));
    if (c->dtype >= WN_I8) return wn__contract_int(c);
    wn__axis batch[WN_MAX_DIMS];
    int n;
    wn__gemm g = plan(c, batch, &n);
    return run_batches(&g, batch, n);
}

int64_t wn__contract_reach(const wn__contraction *c) {
    wn__axis batch[WN_MAX_DIMS];
    int n;
    wn__gemm g = plan(c, batch, &n);
    if (few_columns(&g)) exchange(&g);
    int64_t step = 1;
    for (int d = g.cn.n - 1; d >= 0; step *= g.cn.size[d--])
        if (g.cn.stride[d] != step) return 1;
    return step;
}
