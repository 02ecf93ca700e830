/* The walk of a choice over blocks: all gathers, and scatters where no place repeats. */
#include "base/alloc.h"
#include "base/counters.h"
#include "base/threads.h"
#include "ops/index/advanced.h"

enum { PIECE = 1024 }; /* positions of a unit: their offsets stay in L1 */

typedef struct side { /* a dimension that no index takes: size, byte strides */
    int64_t size, table, slices;
} side;

typedef struct walk {
    const wn__choice *x;
    wn__ix_kernel kernel;
    char *table, *slices;
    int64_t step;                  /* of the slices from one position to the next, bytes */
    int64_t unit;                  /* of the offsets, bytes */
    const int64_t *plain;          /* offsets that need not be made, if no index is negative; NULL: there are none */
    int64_t plain_stride;
    int64_t piece, pieces;         /* positions of a unit */
    side inner;                    /* inside a block: one index for a row of it; size 0: a block is a line of positions */
    int64_t part, parts;           /* it is cut into parts */
    int nouter;
    side outer[WN_MAX_DIMS];
    int64_t outs, share, shares;   /* all of outer's combinations; a unit does a share of them with the same offsets */
    _Atomic bool negative, missed; /* plain will not do; an index is out of range */
} walk;

static void walk_units(void *ctx, int64_t begin, int64_t end) {
    walk *w = ctx;
    const wn__choice *x = w->x;
    int64_t made[PIECE], coord[WN_MAX_DIMS];
    bool ok = true;
    for (int64_t u = begin; u < end; u++) {
        int64_t part = u % w->parts, piece = u / w->parts % w->pieces, out = u / w->parts / w->pieces * w->share;
        int64_t first = piece * w->piece, n = x->n - first < w->piece ? x->n - first : w->piece;
        int64_t left = w->outs - out < w->share ? w->outs - out : w->share, rest = out;
        bool plain = w->plain && !atomic_load_explicit(&w->negative, memory_order_relaxed);
        int64_t stride = plain ? w->plain_stride : 1;
        wn__ix_block b = {.table = w->table, .slices = w->slices + first * w->step, .n = 1, .length = n, .in_slices = w->step, .in_index = stride,
                          .step = w->unit, .span = (uint64_t)x->span};
        b.index = plain ? w->plain + first * stride : wn__choice_offsets(x, first, n, made, &ok);
        if (w->inner.size) {
            int64_t from = part * w->part;
            b.n = n;
            b.row_slices = w->step;
            b.row_index = stride;
            b.length = w->inner.size - from < w->part ? w->inner.size - from : w->part;
            b.in_table = w->inner.table;
            b.in_slices = w->inner.slices;
            b.in_index = 0;
            b.table += from * b.in_table;
            b.slices += from * b.in_slices;
        }
        for (int d = w->nouter - 1; d >= 0; d--) {
            coord[d] = rest % w->outer[d].size;
            rest /= w->outer[d].size;
            b.table += coord[d] * w->outer[d].table;
            b.slices += coord[d] * w->outer[d].slices;
        }
        while (left-- > 0) {
            if (!w->kernel(&b) && plain) { /* negative indices, or worse */
                atomic_store_explicit(&w->negative, true, memory_order_relaxed);
                plain = false;
                b.index = wn__choice_offsets(x, first, n, made, &ok);
                if (w->inner.size) b.row_index = 1;
                else b.in_index = 1;
                w->kernel(&b);
            }
            for (int d = w->nouter - 1; d >= 0; d--) {
                const side *s = &w->outer[d];
                b.table += s->table;
                b.slices += s->slices;
                if (++coord[d] < s->size) break;
                b.table -= s->size * s->table;
                b.slices -= s->size * s->slices;
                coord[d] = 0;
            }
        }
    }
    if (!ok) atomic_store_explicit(&w->missed, true, memory_order_relaxed);
}

/* The rest's dimensions with their strides, neighbours merged; returns how many lie behind the indices. */
static int sides_of(const wn__choice *x, const wn_tensor *table, const int64_t *strides, side *all, int *n) {
    int64_t size = (int64_t)wn__dtype_size(table->dtype);
    int behind = 0;
    *n = 0;
    for (int i = 0; i < x->nrest; i++) {
        int d = x->rest[i], at = i < x->at ? i : i + x->width;
        side s = {table->shape[d], table->strides[d] * size, strides[at] * size};
        if (s.size == 1) continue;
        side *last = i == x->at || *n == 0 || (i > x->at && behind == 0) ? NULL : &all[*n - 1];
        if (last && last->table == s.table * s.size && last->slices == s.slices * s.size) {
            last->size *= s.size;
            last->table = s.table;
            last->slices = s.slices;
            continue;
        }
        all[(*n)++] = s;
        behind += i >= x->at;
    }
    return behind;
}

enum { UNIT = 1 << 14, SHORT = 8, FEW = 16, TILE = 1 << 10 }; /* elements of a worthwhile unit; of a row too short; positions too few; in L1 */

/* Which dimension is the inside of a block: the last one, if it lies behind the indices. Where that is too short and there are few
 * positions, the longest: better lines of another dimension than many small blocks. */
static int choose_inner(const wn__choice *x, const side *all, int n, int behind) {
    int best = behind ? n - 1 : -1;
    if (best >= 0 && all[best].size >= SHORT) return best;
    if (x->n >= FEW) return best;
    for (int i = 0; i < n; i++)
        if (best < 0 ? all[i].size > x->n : all[i].size > all[best].size) best = i;
    return best;
}

bool wn__choice_walk(const wn__choice *x, wn__ix_mode mode, const wn_tensor *table, const wn_tensor *slices, const int64_t *strides) {
    if (x->numel == 0) return true;
    side all[WN_MAX_DIMS];
    int n, behind = sides_of(x, table, strides, all, &n), inner = choose_inner(x, all, n, behind);
    int64_t size = (int64_t)wn__dtype_size(table->dtype);
    walk w = {.x = x, .unit = x->unit * size, .table = wn__ptr(table) + x->low * size, .slices = wn__ptr(slices), .outs = 1, .part = 1, .parts = 1};
    for (int d = x->at + x->width - 1; d >= x->at && !w.step; d--)
        if (x->shape[d] != 1) w.step = strides[d] * size;
    w.plain = mode == WN__IX_GATHER ? wn__choice_plain(x, &w.plain_stride) : NULL;
    w.kernel = wn__ix_kernel_for(mode, (wn_dtype)table->dtype, inner >= 0);
    w.piece = x->n < PIECE ? x->n : PIECE;
    w.pieces = (x->n + w.piece - 1) / w.piece;
    if (inner >= 0) {
        w.inner = all[inner];
        bool dense = w.inner.table == size && w.inner.slices == size;
        w.part = w.inner.size < (dense ? UNIT : TILE) ? w.inner.size : dense ? UNIT : TILE;
        w.parts = (w.inner.size + w.part - 1) / w.part;
    }
    for (int i = 0; i < n; i++) {
        if (i == inner) continue;
        w.outer[w.nouter++] = all[i];
        w.outs *= all[i].size;
    }
    int64_t each = w.piece * w.part;
    w.share = each < UNIT ? UNIT / each : 1;
    if (w.share > w.outs) w.share = w.outs;
    w.shares = (w.outs + w.share - 1) / w.share;
    int64_t units = w.shares * w.pieces * w.parts, grain = each * w.share < UNIT ? UNIT / (each * w.share) : 1;
    atomic_init(&w.negative, false);
    atomic_init(&w.missed, false);
    wn__parallel(units, x->numel > UNIT ? grain : units, walk_units, &w);
    wn__count(x->numel);
    return !atomic_load(&w.missed);
}
