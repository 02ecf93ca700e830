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
typedef void (*listed_kernel)(const listed *l);

#define BODY "ops/index/index_bands_of.h"
#include "base/for_numbers.h"

static void put_i8(const listed *l) { listed_i8(WN__IX_SCATTER, l, 0); }
static void put_i16(const listed *l) { listed_i16(WN__IX_SCATTER, l, 0); }
static void put_i32(const listed *l) { listed_i32(WN__IX_SCATTER, l, 0); }
static void put_i64(const listed *l) { listed_i64(WN__IX_SCATTER, l, 0); }
static void add_f32(const listed *l) { listed_f32(WN__IX_ADD, l, factor_f32(l->alpha)); }
static void add_f64(const listed *l) { listed_f64(WN__IX_ADD, l, factor_f64(l->alpha)); }
static void add_i8(const listed *l) { listed_i8(WN__IX_ADD, l, factor_i8(l->alpha)); } /* integers wrap, so signs do not matter */
static void add_i16(const listed *l) { listed_i16(WN__IX_ADD, l, factor_i16(l->alpha)); }
static void add_i32(const listed *l) { listed_i32(WN__IX_ADD, l, factor_i32(l->alpha)); }
static void add_i64(const listed *l) { listed_i64(WN__IX_ADD, l, factor_i64(l->alpha)); }
static void add_bool(const listed *l) { listed_u8(WN__IX_MAX, l, l->alpha.kind == WN_VAL_NONE || wn__val_f64(l->alpha) != 0); }

static listed_kernel kernel_of(wn__ix_mode mode, wn_dtype dtype) {
    static const listed_kernel add[WN__DTYPES] = {[WN_F32] = add_f32, [WN_F64] = add_f64, [WN_I8] = add_i8,   [WN_U8] = add_i8,
                                           [WN_I16] = add_i16, [WN_I32] = add_i32, [WN_I64] = add_i64, [WN_BOOL] = add_bool};
    if (mode == WN__IX_ADD) return add[dtype];
    size_t size = wn__dtype_size(dtype);
    return size == 1 ? put_i8 : size == 2 ? put_i16 : size == 4 ? put_i32 : put_i64;
}

typedef struct bands {
    const wn__ix *x;
    const wn__offset_kernels *f;
    listed_kernel kernel;
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
            b->kernel(&(listed){x->table_base, x->slices_base + j * x->slices[0], x->step, x->slices[0], m, v, at, x->alpha});
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
    bands b = {.x = x, .f = f, .kernel = kernel_of(x->mode, x->dtype), .band = (x->limit + threads - 1) / threads};
    atomic_init(&b.missed, false);
    wn__parallel((x->limit + b.band - 1) / b.band, 1, do_bands, &b);
    *missed = atomic_load(&b.missed);
    return true;
}
