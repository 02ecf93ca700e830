/* Contractions of integers. Arithmetic wraps, so sums are kept modulo 2^64 and cut when stored: one loop serves all
 * widths. B is converted once for each block of columns and k; the inner loop runs along columns. */
#include "engine/contract_int.h"
#include "base/alloc.h"
#include "base/checked.h"
#include "engine/gemm.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

enum { COLS = 128, DEPTH = 128 };

typedef struct contract_int_job {
    const wn__contraction *c;
    wn__group ba, bb, bc, am, ak, bk, bn, cm, cn;
    int64_t blocks; /* of columns */
    int64_t alpha, beta;
    _Atomic bool failed;
} contract_int_job;

static wn__group group(const wn__axis *x, int n, int which) {
    wn__group g = {.n = n, .total = 1};
    for (int d = 0; d < n; d++) {
        g.size[d] = x[d].size;
        g.stride[d] = which == 0 ? x[d].a : which == 1 ? x[d].b : x[d].c;
        g.total *= x[d].size;
    }
    return g;
}

/* acc[row][0..cols) += A[row][k0..k0+depth) * b. */
static void add_block(const contract_int_job *j, const void *a, uint64_t *acc, const uint64_t *b, int64_t cols, const int64_t *ka,
                      int64_t depth) {
    for (int64_t i = 0; i < j->cm.total; i++, acc += COLS) {
        const int64_t o = wn__group_offset(&j->am, i);
        for (int64_t p = 0; p < depth; p++) {
            const uint64_t x = wn__int_get(a, j->c->dtype, o + ka[p]);
            for (int64_t l = 0; l < cols; l++) acc[l] += x * b[p * COLS + l];
        }
    }
}

/* Computes all rows of one block of columns of one batch. */
static bool column_block(const contract_int_job *j, int64_t batch, int64_t j0) {
    const wn__contraction *c = j->c;
    const int64_t m = j->cm.total, k = j->ak.total;
    const int64_t cols = j->cn.total - j0 < COLS ? j->cn.total - j0 : COLS;
    const int64_t in = (int64_t)wn_dtype_size(c->dtype), out = (int64_t)wn_dtype_size(c->out_dtype);
    const char *a = (const char *)c->a + wn__group_offset(&j->ba, batch) * in;
    const char *b = (const char *)c->b + wn__group_offset(&j->bb, batch) * in;
    char *to = (char *)c->c + wn__group_offset(&j->bc, batch) * out;
    uint64_t *acc = wn__scratch_array(1, m + DEPTH, COLS * sizeof *acc);
    if (!acc) return false;
    uint64_t *block = acc + m * COLS;
    int64_t no[COLS], ka[DEPTH], kb[DEPTH];
    memset(acc, 0, (size_t)m * COLS * sizeof *acc);
    wn__group_offsets(&j->bn, j0, cols, no);
    for (int64_t p0 = 0; p0 < k; p0 += DEPTH) {
        const int64_t depth = k - p0 < DEPTH ? k - p0 : DEPTH;
        wn__group_offsets(&j->ak, p0, depth, ka);
        wn__group_offsets(&j->bk, p0, depth, kb);
        for (int64_t p = 0; p < depth; p++)
            for (int64_t l = 0; l < cols; l++) block[p * COLS + l] = wn__int_get(b, c->dtype, kb[p] + no[l]);
        add_block(j, a, acc, block, cols, ka, depth);
    }
    wn__group_offsets(&j->cn, j0, cols, no);
    for (int64_t i = 0; i < m; i++) {
        const int64_t o = wn__group_offset(&j->cm, i);
        for (int64_t l = 0; l < cols; l++) {
            uint64_t v = (uint64_t)j->alpha * acc[i * COLS + l];
            if (j->beta) v += (uint64_t)j->beta * wn__int_get(to, c->out_dtype, o + no[l]);
            wn__int_put(to, c->out_dtype, o + no[l], v);
        }
    }
    return true;
}

static void contract_int_task(void *ctx, int64_t begin, int64_t end) {
    contract_int_job *j = ctx;
    for (int64_t u = begin; u < end; u++)
        if (!column_block(j, u / j->blocks, u % j->blocks * COLS)) atomic_store(&j->failed, true);
}

bool wn__contract_int(const wn__contraction *c) {
    contract_int_job j = {.c = c,
             .ba = group(c->batch, c->nbatch, 0),
             .bb = group(c->batch, c->nbatch, 1),
             .bc = group(c->batch, c->nbatch, 2),
             .am = group(c->m, c->nm, 0),
             .ak = group(c->k, c->nk, 0),
             .bk = group(c->k, c->nk, 1),
             .bn = group(c->n, c->nn, 1),
             .cm = group(c->m, c->nm, 2),
             .cn = group(c->n, c->nn, 2),
             .alpha = wn__to_i64(c->alpha),
             .beta = wn__to_i64(c->beta)};
    j.blocks = (j.cn.total + COLS - 1) / COLS;
    const int64_t units = j.blocks * j.ba.total;
    if (units == 0 || j.cm.total == 0) return true;
    const double work = (double)j.cm.total * (double)j.ak.total * COLS;
    return wn__parallel_fresh(units, 1 + (int64_t)(100000 / (work + 1)), contract_int_task, &j) && !atomic_load(&j.failed);
}
