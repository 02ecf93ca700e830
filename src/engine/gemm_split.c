/* Products with a small C and a long k: threads share out the chunks of k. The chunks' sums are kept apart and added in
 * their order, as one thread does it, so the bits are the same. */
#include "engine/gemm.h"
#include "base/alloc.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

enum { SUMS_MOST = 1 << 20, C_MOST = 64 << 10 /* bytes: a larger C has several tiles for each thread */ };

typedef struct split {
    const wn__gemm *g;
    int64_t chunks, length; /* number of chunks; elements of k in one */
    int64_t m, n;
    char *sums;             /* [chunk][m][n] */
    _Atomic bool failed;
} split;

static wn__group part(const wn__group *k, int64_t total) {
    wn__group r = *k;
    r.total = total;
    if (r.n) r.size[0] = total;
    return r;
}

static wn__group line(int64_t size, int64_t stride) { return (wn__group){.n = 1, .total = size, .size = {size}, .stride = {stride}}; }

static void chunk_task(void *ctx, int64_t begin, int64_t end) {
    split *s = ctx;
    const int64_t in = (int64_t)wn_dtype_size(s->g->in), size = (int64_t)s->g->t->size;
    for (int64_t c = begin; c < end; c++) {
        const int64_t k0 = c * s->length, len = wn__least(s->length, s->g->ak.total - k0);
        wn__gemm g = *s->g;
        g.a = (const char *)g.a + k0 * wn__group_stride(&g.ak) * in;
        g.b = (const char *)g.b + k0 * wn__group_stride(&g.bk) * in;
        g.c = s->sums + c * s->m * s->n * size;
        g.ak = part(&g.ak, len), g.bk = part(&g.bk, len);
        g.cm = line(s->m, s->n), g.cn = line(s->n, 1);
        g.out = g.t->dtype;
        g.epilogue = NULL;
        g.reach_a = g.reach_b = NULL; /* they are about the whole k */
        g.kept_m = g.kept_n = g.kept_k = NULL;
        if (!wn__gemm_run(&g)) atomic_store(&s->failed, true);
    }
}

/* Adds the sums of the other chunks to those of the first. */
static void add_chunks(const split *s) {
    const int64_t numel = s->m * s->n, size = (int64_t)s->g->t->size;
    for (int64_t c = 1; c < s->chunks; c++) s->g->t->add(s->sums, s->sums + c * numel * size, s->g->t->dtype, numel, 1);
    for (int64_t i = 0; i < s->m; i++) wn__gemm_finish(s->g, s->sums + i * s->n * size, i, 0, s->n);
}

bool wn__gemm_split_suits(const void *form) {
    const wn__gemm *g = form;
    const int64_t bytes = g->cm.total * g->cn.total * (int64_t)g->t->size, chunks = wn__panels(g->ak.total, g->t->kc);
    return g->t->depth == 1 && g->alpha == 1 && g->beta == 0 && bytes <= C_MOST && bytes * chunks <= SUMS_MOST && wn__group_affine(&g->ak) && wn__group_affine(&g->bk);
}

wn__ran wn__gemm_split(void *form, const void *call) {
    const wn__gemm *g = form;
    const int64_t k = g->ak.total, numel = g->cm.total * g->cn.total, chunks = wn__panels(k, g->t->kc);
    const int threads = wn__gemm_threads(g);
    (void)call;
    if (threads < 2 || chunks < 2 * threads) return WN__DECLINED;
    split s = {.g = g, .chunks = chunks, .length = (k + chunks - 1) / chunks, .m = g->cm.total, .n = g->cn.total};
    s.sums = wn__realloc(NULL, (size_t)(numel * chunks), g->t->size);
    if (!s.sums) return WN__NO_MEMORY;
    wn__parallel(chunks, 1, chunk_task, &s);
    const bool ok = !atomic_load(&s.failed);
    if (ok) add_chunks(&s);
    wn__free(s.sums);
    return wn__ran_if(ok);
}
