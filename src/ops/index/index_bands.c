/* A scatter, or an addition, of one long line, by several threads: each has a band of the table, looks at all indices and does
 * those of its band, in order. So the result is that of one thread, bit by bit, and nobody waits for anybody. */
#include "engine/offsets.h"
#include "base/threads.h"
#include "ops/index/index.h"

enum { PIECE = 1024, LEAST = 1 << 16, FAR = 1 << 23 }; /* indices looked at at a time; a line that is worth it; bytes that lie too far for a cache */

/* m elements: slices[at[k]] to table[v[k]]. */
typedef void (*listed)(char *table, int64_t step, const char *slices, int64_t stride, int64_t m, const int64_t *v, const int64_t *at, wn_val alpha);

#define LISTED(name, T, prepare, body)                                                                                 \
    static void name(char *table, int64_t step, const char *slices, int64_t stride, int64_t m, const int64_t *v, const int64_t *at, wn_val alpha) { \
        prepare;                                                                                                       \
        for (int64_t k = 0; k < m; k++) {                                                                              \
            T *to = (T *)(void *)(table + v[k] * step);                                                                \
            T s = *(const T *)(const void *)(slices + at[k] * stride);                                                 \
            body;                                                                                                      \
        }                                                                                                              \
    }
LISTED(put_8, uint8_t, (void)alpha, *to = s)
LISTED(put_16, uint16_t, (void)alpha, *to = s)
LISTED(put_32, uint32_t, (void)alpha, *to = s)
LISTED(put_64, uint64_t, (void)alpha, *to = s)
#define FACTOR(T, of) T factor = (T)(alpha.kind == WN_VAL_NONE ? 1 : of(alpha))
LISTED(add_f32, float, FACTOR(float, wn__val_f64), *to += s * factor)
LISTED(add_f64, double, FACTOR(double, wn__val_f64), *to += s * factor)
LISTED(add_i8, uint8_t, FACTOR(uint8_t, wn__val_i64), *to = (uint8_t)(*to + s * factor)) /* integers wrap, so signs do not matter */
LISTED(add_i16, uint16_t, FACTOR(uint16_t, wn__val_i64), *to = (uint16_t)(*to + s * factor))
LISTED(add_i32, uint32_t, FACTOR(uint32_t, wn__val_i64), *to += s * factor)
LISTED(add_i64, uint64_t, FACTOR(uint64_t, wn__val_i64), *to += s * factor)
LISTED(add_bool, uint8_t, bool on = alpha.kind == WN_VAL_NONE || wn__val_f64(alpha) != 0, *to = *to || (s && on))

static listed kernel_of(wn__ix_mode mode, wn_dtype dtype) {
    static const listed add[WN__DTYPES] = {[WN_F32] = add_f32, [WN_F64] = add_f64, [WN_I8] = add_i8,   [WN_U8] = add_i8,
                                           [WN_I16] = add_i16, [WN_I32] = add_i32, [WN_I64] = add_i64, [WN_BOOL] = add_bool};
    if (mode == WN__IX_ADD) return add[dtype];
    size_t size = wn__dtype_size(dtype);
    return size == 1 ? put_8 : size == 2 ? put_16 : size == 4 ? put_32 : put_64;
}

typedef struct bands {
    const wn__ix *x;
    const wn__offset_kernels *f;
    listed kernel;
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
            b->kernel(x->table_base, x->step, x->slices_base + j * x->slices[0], x->slices[0], m, v, at, x->alpha);
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
