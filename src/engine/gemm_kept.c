/* Products with rows, or steps of k, that are known to be zero; and rows of C that no term reaches. */
#include <string.h>
#include "base/alloc.h"
#include "base/threads.h"
#include "engine/gemm.h"

static void keep(wn__group *g, const wn__kept *kept) {
    WN_ASSERT(!g->list && kept->n <= g->total);
    g->list = kept->at;
    g->total = kept->n;
}
void wn__gemm_keep(const wn__gemm *g, wn__gemm *h) {
    *h = *g;
    if (g->kept_m) keep(&h->am, g->kept_m), keep(&h->cm, g->kept_m);
    if (g->kept_k) keep(&h->ak, g->kept_k), keep(&h->bk, g->kept_k);
    h->kept_m = h->kept_n = h->kept_k = NULL;
    h->reach_a = h->reach_b = NULL;
}

/* Where the whole product's chunks begin among the steps that are kept. NULL: no memory. */
int64_t *wn__gemm_kept_starts(const wn__kept *kept, int64_t k, int most) {
    const int64_t kn = wn__panels(k, most), kc = (k + kn - 1) / kn;
    int64_t *starts = wn__realloc(NULL, (size_t)kn + 1, sizeof *starts);
    for (int64_t c = 0, i = 0; starts && c <= kn; c++) {
        while (i < kept->n && kept->at[i] < c * kc) i++;
        starts[c] = c < kn ? i : kept->n;
    }
    return starts;
}

static void empty_row(const wn__gemm *g, int64_t i) {
    enum { STEP = 256 };
    const int64_t n = g->cn.total;
    double buf[STEP];
    for (int64_t c = 0; c < n; c += STEP) {
        const int64_t len = wn__least(STEP, n - c);
        memset(buf, 0, sizeof buf);
        if (g->beta != 0) wn__gemm_load_row(g, buf, i, c, len);
        for (int64_t l = 0; l < len && g->beta != 0; l++) {
            if (g->t->size == 4) ((float *)buf)[l] *= (float)g->beta;
            else buf[l] *= g->beta;
        }
        wn__gemm_finish(g, buf, i, c, len);
    }
}

/* Does rows begin .. end - 1 except the kept ones; `next` is the index of the first kept one from there on. */
static void empty_rows(void *ctx, int64_t begin, int64_t end) {
    const wn__gemm *g = ctx;
    const wn__kept *kept = g->kept_m;
    int64_t next = 0;
    while (kept && next < kept->n && kept->at[next] < begin) next++;
    for (int64_t i = begin; i < end; i++) {
        if (kept && next < kept->n && kept->at[next] == i) next++;
        else empty_row(g, i);
    }
}
void wn__gemm_empty(const wn__gemm *g) { wn__parallel(g->cm.total, 1 + (1 << 14) / (g->cn.total + 1), empty_rows, (void *)(uintptr_t)g); }
