/* Rows of f16 or bf16 that are added to rows of a table: each row of the table that an index names is summed up in f32 and rounded once, and no
 * other row is read. */
#include "engine/gemm_kernels.h"
#include "base/threads.h"
#include "ops/index/index.h"

enum {
    PIECE = 1024,   /* elements summed up at a time, */
    SHORT_ROW = 16, /* of a row that is worth it, */
    WORK = 8192,    /* of a worthwhile task */
    AHEAD = 2,
    FETCHED = 512
};

typedef struct adding {
    const wn__gemm_type *f32;
    wn_dtype dtype;
    int64_t n, limit, width;
    const int64_t *first, *next; /* the positions of an index, plus 1, in order; 0: no more */
    uint16_t *table;
    const uint16_t *slices;
    float alpha;
} adding;

/* One piece of a row of the table, and what falls on it, first at position k - 1. */
static void add_piece(const adding *a, uint16_t *to, const uint16_t *from, int64_t k, int64_t m) {
    float sum[PIECE], wide[PIECE];
    a->f32->load(sum, to, a->dtype, m, 1);
    for (; k; k = a->next[k - 1]) {
        const uint16_t *x = from + (k - 1) * a->width;
        if (a->alpha == 1) {
            a->f32->add(sum, x, a->dtype, m, 1);
            continue;
        }
        a->f32->load(wide, x, a->dtype, m, 1);
        for (int64_t j = 0; j < m; j++) sum[j] += wide[j] * a->alpha;
    }
    a->f32->store(to, a->dtype, 1, sum, m);
}

/* In the order of the table, so that a thread writes rows that lie together; what falls on them is fetched AHEAD rows before. */
static void add_rows(void *ctx, int64_t begin, int64_t end) {
    const adding *a = ctx;
    for (int64_t u = begin; u < end; u++) {
        const int64_t v = u % a->limit;
        const uint16_t *from = a->slices + u / a->limit * a->n * a->width;
        if (v + AHEAD < a->limit && a->first[v + AHEAD])
            for (int64_t j = 0; j < a->width && j < FETCHED; j += 32) __builtin_prefetch(from + (a->first[v + AHEAD] - 1) * a->width + j);
        if (!a->first[v]) continue;
        for (int64_t at = 0; at < a->width; at += PIECE)
            add_piece(a, a->table + u * a->width + at, from + at, a->first[v], a->width - at < PIECE ? a->width - at : PIECE);
    }
}

bool wn__ix_add_halves(const wn__ix *x, const wn_tensor *table, const wn_tensor *source, bool *done) {
    int64_t outer = 1, width = 1;
    *done = false;
    if (!table->contiguous || !source->contiguous || table->ndim != x->ndim || source->ndim != x->ndim) return true;
    for (int d = 0; d < x->ndim; d++) {
        if (d != x->along && x->index[d]) return true;
        if (d != x->along) *(d < x->along ? &outer : &width) *= x->shape[d];
    }
    const int64_t n = x->shape[x->along], limit = table->shape[x->along];
    if (width < SHORT_ROW || !outer || !n) return true;
    int64_t *first = wn__scratch_array(0, limit + n, sizeof *first), *next = first + limit;
    if (!first) return false;
    memset(first, 0, (size_t)limit * sizeof *first);
    const int64_t stride = x->index[x->along];
    for (int64_t i = n - 1; i >= 0; i--) {
        const int64_t v = x->index_base[i * stride];
        if ((uint64_t)v >= (uint64_t)limit) continue;
        next[i] = first[v];
        first[v] = i + 1;
    }
    adding a = {.f32 = wn__gemm_kernels_now()->f32, .dtype = (wn_dtype)table->dtype, .n = n, .limit = limit, .width = width,
                .first = first, .next = next, .table = (uint16_t *)(void *)wn__ptr(table), .slices = (const uint16_t *)(const void *)wn__ptr(source),
                .alpha = (float)(x->alpha.kind == WN_VAL_NONE ? 1 : wn__val_f64(x->alpha))};
    wn__parallel(outer * limit, 1 + WORK / width * limit / n, add_rows, &a);
    *done = true;
    return true;
}
