/* Products with few rows. Reading B bounds them, so B is read once, in place, and nothing is packed. Threads split the
 * columns; the order of an element's sum depends on k alone. */
#include "engine/gemm.h"
#include "base/alloc.h"
#include "base/threads.h"
#include <stdatomic.h>

enum {
    COLUMNS = 2048,  /* columns whose sums are kept at once */
    SUMS = 16 << 10, /* bytes of sums in L1, when more rows of A pass some columns of B */
    SWEEP_LONGEST = 8192, /* the longest k for that: such sums have no chunks, and get less exact with length */
    STREAMED = 8,    /* rows of A for which B is streamed whatever its size */
    WORK = 65536,    /* multiply-adds that are worth another thread */
    SEGMENT = 1024,  /* elements of k that the kernel adds up before the next ones (VEC_STEP) */
    FEW_COLUMNS = 16 /* up to so many columns threads share out k instead */
};

typedef struct gemm_vec_job {
    const wn__gemm *g;
    int64_t m, n, k, ldx, ldb;
    const char *x;
    bool dots;
    char *partial; /* sums of segments, [segment][m][n] */
    _Atomic bool failed;
} gemm_vec_job;

/* y = alpha * y + beta * C, for columns j.. of row i. */
static void combine(const wn__gemm *g, void *y, int64_t i, int64_t j, int64_t n) {
    if (g->beta == 0 && g->alpha == 1) return;
    const int64_t osize = (int64_t)wn_dtype_size(g->out), row = wn__group_offset(&g->cm, i);
    for (int64_t l = 0; l < n; l++) {
        double old = 0;
        const char *c = (const char *)g->c + (row + wn__group_offset(&g->cn, j + l)) * osize;
        if (g->t->size == 4) {
            float f = 0;
            if (g->beta != 0) g->t->load(&f, c, g->out, 1, 1);
            ((float *)y)[l] = (float)g->alpha * ((float *)y)[l] + (g->beta != 0 ? (float)g->beta * f : 0);
        } else {
            if (g->beta != 0) g->t->load(&old, c, g->out, 1, 1);
            ((double *)y)[l] = g->alpha * ((double *)y)[l] + (g->beta != 0 ? g->beta * old : 0);
        }
    }
}

/* How many columns are computed at a time. */
static int64_t columns(const gemm_vec_job *j) {
    const int64_t fit = SUMS / (j->m * (int64_t)j->g->t->size) / 64 * 64;
    return j->dots || !j->g->t->sweep || fit >= COLUMNS ? COLUMNS : fit;
}

static void gemm_vec_task(void *ctx, int64_t begin, int64_t end) {
    gemm_vec_job *j = ctx;
    const wn__gemm *g = j->g;
    const int64_t isize = (int64_t)wn_dtype_size(g->in), most = columns(j);
    char *y = wn__scratch_array(1, j->m * most, (size_t)g->t->size);
    if (!y) {
        atomic_store(&j->failed, true);
        return;
    }
    for (int64_t c = begin; c < end; c += most) {
        const int64_t n = wn__least(end - c, most);
        const char *b = (const char *)g->b + c * (j->dots ? j->ldb : 1) * isize;
        (j->dots ? g->t->vec_dots : g->t->vec_cols)((int)j->m, n, j->k, j->x, j->ldx, b, g->in, j->ldb, y, most);
        for (int64_t i = 0; i < j->m; i++) {
            char *row = y + i * most * (int64_t)g->t->size;
            combine(g, row, i, c, n);
            wn__gemm_finish(g, row, i, c, n);
        }
    }
}

/* For few long dot products: the sums of each segment, as the kernel makes them within a longer k. */
static void segment_task(void *ctx, int64_t begin, int64_t end) {
    const gemm_vec_job *j = ctx;
    const int64_t isize = (int64_t)wn_dtype_size(j->g->in), size = (int64_t)j->g->t->size;
    for (int64_t s = begin; s < end; s++) {
        const int64_t p = s * SEGMENT, len = j->k - p < SEGMENT ? j->k - p : SEGMENT;
        j->g->t->vec_dots((int)j->m, j->n, len, j->x + p * size, j->ldx, (const char *)j->g->b + p * isize, j->g->in, j->ldb,
                          j->partial + s * j->m * j->n * size, j->n);
    }
}

/* sums[i] = the sums of i's segments, added in order. */
static void add_partials(const wn__gemm_type *t, char *sums, int64_t n, int64_t segments) {
    float *f = (float *)(void *)sums;
    double *d = (double *)(void *)sums;
    for (int64_t i = 0; i < n; i++) {
        if (t->size == 4)
            for (int64_t s = 1; s < segments; s++) f[i] += f[s * n + i];
        else
            for (int64_t s = 1; s < segments; s++) d[i] += d[s * n + i];
    }
}

static bool run_segments(gemm_vec_job *j) {
    const wn__gemm *g = j->g;
    const int64_t size = (int64_t)g->t->size, segments = wn__panels(j->k, SEGMENT), sums = j->m * j->n;
    j->partial = wn__scratch_array(1, segments * sums, (size_t)size);
    if (!j->partial) return false;
    if (!wn__parallel_fresh(segments, WORK / SEGMENT / sums + 1, segment_task, j)) return false;
    add_partials(g->t, j->partial, sums, segments);
    for (int64_t i = 0; i < j->m; i++) {
        char *row = j->partial + i * j->n * size;
        combine(g, row, i, 0, j->n);
        wn__gemm_finish(g, row, i, 0, j->n);
    }
    return true;
}

/* Do rows lie a page apart? They fall on the same lines of L1, which matters when many are used side by side. */
static bool page_apart(int64_t m, int64_t bytes) { return m > WN__GEMM_FEW && bytes % 1024 == 0; }

/* A's rows of bf16 as contiguous pairs, unconverted: in place if they are that already. */
static const char *pairs_of_a(const wn__gemm *g, int64_t m, int64_t k, int64_t *ldx) {
    if (wn__group_affine(&g->am) && wn__group_affine(&g->ak) && wn__group_stride(&g->ak) == 1) return g->a;
    uint16_t *x = wn__scratch_array(0, m * k, sizeof *x);
    if (!x) return NULL;
    for (int64_t i = 0; i < m; i++) {
        const uint16_t *row = (const uint16_t *)g->a + wn__group_offset(&g->am, i);
        for (int64_t p = 0; p < k; p++) x[i * k + p] = row[wn__group_offset(&g->ak, p)];
    }
    *ldx = k;
    return (const char *)x;
}

/* A's rows as contiguous T: in place if they are that already. */
static const char *rows_of_a(const wn__gemm *g, int64_t m, int64_t k, int64_t *ldx) {
    *ldx = wn__group_stride(&g->am);
    if (g->in == g->t->dtype && wn__group_affine(&g->am) && wn__group_affine(&g->ak) && (k == 1 || wn__group_stride(&g->ak) == 1) &&
        !page_apart(m, *ldx * (int64_t)g->t->size))
        return g->a;
    if (g->t->depth > 1) return pairs_of_a(g, m, k, ldx);
    const int64_t size = (int64_t)g->t->size, isize = (int64_t)wn_dtype_size(g->in), len = g->ak.n ? g->ak.size[g->ak.n - 1] : 1;
    const int64_t ld = page_apart(m, k * size) ? k + 64 / size : k;
    char *x = wn__scratch_array(0, m * ld, (size_t)size);
    if (!x) return NULL;
    for (int64_t i = 0; i < m; i++) {
        const char *row = (const char *)g->a + wn__group_offset(&g->am, i) * isize;
        for (int64_t p = 0; p < k; p += len)
            g->t->load(x + (i * ld + p) * size, row + wn__group_offset(&g->ak, p) * isize, g->in, len, wn__group_stride(&g->ak));
    }
    *ldx = ld;
    return x;
}

/* Should more rows of A pass B, since B is too large, or badly laid out, for tiles that read it in place? */
static bool sweeps(const gemm_vec_job *j) {
    const wn__gemm_type *t = j->g->t;
    const int64_t size = (int64_t)t->size;
    return j->m <= t->sweep && j->k <= SWEEP_LONGEST && (j->n * j->k * size > WN__GEMM_BARE || j->ldb * size % 1024 == 0 || j->g->in != t->dtype);
}

static gemm_vec_job begin(const wn__gemm *g) {
    gemm_vec_job j = {.g = g, .m = g->cm.total, .n = g->bn.total, .k = g->bk.total};
    j.dots = wn__group_stride(&g->bk) == 1 || j.k == 1;
    j.ldb = wn__group_stride(j.dots ? &g->bn : &g->bk);
    return j;
}

bool wn__gemm_vector_suits(const void *form) {
    const wn__gemm *g = form;
    const bool paired = g->t->depth > 1;
    if ((g->cm.total > WN__GEMM_DOTS && g->cm.total > g->t->sweep) || !wn__group_affine(&g->bn) || !wn__group_affine(&g->bk)) return false;
    const gemm_vec_job j = begin(g);
    if (!j.dots && j.n != 1 && wn__group_stride(&g->bn) != 1) return false;
    if (paired && (!j.dots || j.k < WN__GEMM_PAIRS_LEAST)) return false;
    if (j.m > 1 && (j.dots ? j.k : j.n) < 128) return false; /* too short: tiles are faster */
    if (j.m > WN__GEMM_FEW && j.dots && (j.m > WN__GEMM_DOTS || (j.k < WN__GEMM_DOTS_LEAST && !paired))) return false;
    return j.m <= STREAMED || j.dots || sweeps(&j);
}

wn__ran wn__gemm_vector(void *form, const void *call) {
    const wn__gemm *g = form;
    gemm_vec_job j = begin(g);
    (void)call;
    j.x = rows_of_a(g, j.m, j.k, &j.ldx);
    if (!j.x) return WN__NO_MEMORY;
    if (j.dots && wn_num_threads() > 1 && j.n <= FEW_COLUMNS && j.k > 4 * SEGMENT && j.m * j.n * j.k >= 4 * WORK) return wn__ran_if(run_segments(&j));
    int64_t grain = WORK / j.k + 1;
    if (!j.dots) grain = (grain + 31) / 32 * 32;
    if (j.m > STREAMED && !j.dots) grain = columns(&j);
    if (grain > COLUMNS) grain = COLUMNS;
    return wn__ran_if(wn__parallel_fresh(j.n, j.m * j.n * j.k < 4 * WORK ? j.n : grain, gemm_vec_task, &j) && !atomic_load(&j.failed));
}
