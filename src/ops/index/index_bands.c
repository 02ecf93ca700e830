/* A scatter, or an addition, of one long line, by several threads: each has a band of the table, looks at all indices and does
 * those of its band, in order. So the result is that of one thread, bit by bit, and nobody waits for anybody. */
#include "engine/offsets.h"
#include "base/inline.h"
#include "base/threads.h"
#include "ops/index/index.h"

enum { PIECE = 1024, LEAST = 1 << 16, FAR = 1 << 23 }; /* indices looked at at a time; a line that is worth it; bytes that lie too far for a cache */

/* m elements: slices[at[k]] to table[v[k]]. */
typedef struct listed {
    char *table;
    const char *slices;
    int64_t step, stride, m;
    const int64_t *v, *at;
    wn_val alpha;
} listed;

#define BODY "ops/index/index_bands_of.h"
#include "base/for_numbers.h"

static void add_bool(const listed *l) { listed_u8(WN__IX_MAX, l, l->alpha.kind == WN_VAL_NONE || wn__val_f64(l->alpha) != 0); }
static void do_listed(const wn__ix *x, const listed *l) {
    static void (*const add[WN__DTYPES])(const listed *l) = {BY_NUMBER(add), [WN_BOOL] = add_bool};
    if (x->mode == WN__IX_ADD) add[x->dtype](l);
    else BY_SIZE(wn__dtype_size(x->dtype), put, l);
}

typedef struct bands {
    const wn__ix *x;
    const wn__offset_kernels *f;
    int64_t band;
    _Atomic bool missed;
} bands;

static void do_bands(void *ctx, int64_t begin, int64_t end) {
    bands *b = ctx;
    const wn__ix *x = b->x;
    int64_t v[PIECE + WN__OFFSETS_SLACK], at[PIECE + WN__OFFSETS_SLACK], n = x->shape[0];
    for (int64_t k = begin; k < end; k++) {
        int64_t lo = k * b->band, span = x->limit - lo < b->band ? x->limit - lo : b->band;
        for (int64_t j = 0; j < n; j += PIECE) {
            const int64_t *piece = x->index_base + j * x->index[0], length = n - j < PIECE ? n - j : PIECE;
            if (k == 0 && !b->f->in_range(piece, x->index[0], length, x->limit)) atomic_store_explicit(&b->missed, true, memory_order_relaxed);
            int64_t m = b->f->in_band(piece, x->index[0], length, lo, span, v, at);
            do_listed(x, &(listed){x->table_base, x->slices_base + j * x->slices[0], x->step, x->slices[0], m, v, at, x->alpha});
        }
    }
}

/* All threads read all of the index and the source. In a table that fits a cache this is half of the work: then two threads gain
 * nothing. */
bool wn__ix_in_bands(const wn__ix *x, bool *missed) {
    const wn__offset_kernels *f = wn__offset_kernels_now();
    int64_t bytes = x->limit * (x->step < 0 ? -x->step : x->step);
    int threads = wn_num_threads(), worth = bytes > FAR ? 2 : f->fast_bands ? 4 : 8;
    if (threads < worth || x->shape[0] < LEAST || x->limit < threads || wn__in_parallel()) return false;
    bands b = {.x = x, .f = f, .band = (x->limit + threads - 1) / threads};
    atomic_init(&b.missed, false);
    wn__parallel((x->limit + b.band - 1) / b.band, 1, do_bands, &b);
    *missed = atomic_load(&b.missed);
    return true;
}
