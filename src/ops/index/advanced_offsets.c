/* Offsets in a table from index tensors and masks. */
#include "engine/offsets.h"
#include "base/alloc.h"
#include "base/level.h"
#include "base/threads.h"
#include "ops/index/advanced.h"

/* ------------------------------------------------------------------ aiming at a table */

typedef struct marking {
    const wn__mask *m;
    int ndim; /* the mask's dimensions, merged where the table allows it */
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS], low;
    int64_t *to;
} marking;

/* The offsets of the bits that are set, chunk by chunk; a word of 64 bits is taken at once where it lies in one line. */
static void mark_chunks(void *ctx, int64_t begin, int64_t end) {
    const marking *k = ctx;
    const wn__mask *m = k->m;
    int last = k->ndim - 1;
    int64_t width = k->shape[last], stride = k->strides[last];
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t *to = k->to + m->before[chunk], first = 0, past = 0, line = 0; /* the line known: its elements, its offset */
        for (int64_t i = chunk * (WN__MASK_CHUNK / 64), stop = i + WN__MASK_CHUNK / 64; i < stop && i * 64 < m->n; i++) {
            for (uint64_t w = m->bits[i]; w; w &= w - 1) {
                int64_t at = i * 64 + __builtin_ctzll(w);
                if (at >= past) {
                    int64_t rest = at / width;
                    first = rest * width;
                    past = first + width;
                    line = -k->low;
                    for (int d = last - 1; d >= 0; d--) {
                        line += rest % k->shape[d] * k->strides[d];
                        rest /= k->shape[d];
                    }
                }
                *to++ = line + (at - first) * stride;
            }
        }
    }
}

static int64_t lowest(int64_t size, int64_t stride) { return stride < 0 && size > 1 ? (size - 1) * stride : 0; }
static int64_t extent(int64_t size, int64_t stride) { return size > 1 ? (size - 1) * (stride < 0 ? -stride : stride) : 0; }

static bool mark(wn__picker *p, const wn_tensor *table, int64_t low) {
    marking k = {.m = &p->mask, .low = low};
    for (int d = p->dim; d < p->dim + p->taken; d++) {
        int prev = k.ndim - 1;
        bool merge = prev >= 0 && k.strides[prev] == table->strides[d] * table->shape[d];
        int to = merge ? prev : k.ndim++;
        k.shape[to] = merge ? k.shape[to] * table->shape[d] : table->shape[d];
        k.strides[to] = table->strides[d];
    }
    if (!p->offsets) p->offsets = wn__data_array(p->mask.count ? p->mask.count : 1, sizeof *p->offsets, &p->capacity);
    if (!p->offsets) return false;
    k.to = p->offsets;
    if (p->mask.count) wn__parallel(p->mask.chunks, 1, mark_chunks, &k);
    return true;
}

bool wn__choice_aim(wn__choice *x, const wn_tensor *table) {
    x->low = 0;
    x->span = 1;
    x->unit = 1;
    if (x->npickers == 1 && !x->pickers[0].is_mask) { /* a lone index is its own offset, in steps of its dimension */
        wn__picker *p = &x->pickers[0];
        x->unit = table->strides[p->dim];
        x->span = p->size;
        p->step = 1;
        return true;
    }
    for (int i = 0; i < x->npickers; i++) {
        wn__picker *p = &x->pickers[i];
        int64_t low = 0;
        for (int d = p->dim; d < p->dim + p->taken; d++) {
            low += lowest(table->shape[d], table->strides[d]);
            x->span += extent(table->shape[d], table->strides[d]);
        }
        x->low += low;
        p->step = table->strides[p->dim];
        if (p->is_mask && !mark(p, table, low)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------ offsets */

static void copy_offsets(const int64_t *p, int64_t stride, int64_t n, bool first, int64_t *to) {
    if (first)
        for (int64_t j = 0; j < n; j++) to[j] = p[j * stride];
    else
        for (int64_t j = 0; j < n; j++) to[j] += p[j * stride];
}

WN__DECLARE_LEVELS(wn__offset_kernels, wn__offset_kernels);
const wn__offset_kernels *wn__offset_kernels_now(void) { return WN__OF_LEVEL(wn__offset_kernels); }

/* n offsets of one picker from element `at` of its memory. */
static bool run_advanced_offsets(const wn__offset_kernels *f, const wn__picker *k, int64_t at, int64_t stride, int64_t n, bool first, int64_t *to) {
    if (k->is_mask) {
        copy_offsets(k->offsets + at, stride, n, first, to);
        return true;
    }
    bool narrow = k->index->dtype == WN_I32;
    return (first ? f->set : f->add)[narrow](k->base + at * (narrow ? 4 : 8), stride, n, k->size, k->step, -lowest(k->size, k->step), to);
}

const int64_t *wn__choice_offsets(const wn__choice *x, int64_t at, int64_t n, int64_t *to, bool *ok) {
    const wn__offset_kernels *f = wn__offset_kernels_now();
    const int last = x->nruns - 1;
    if (wn__only_mask(x)) return x->pickers[0].offsets + at * x->pickers[0].strides[0];
    int64_t coord[WN_MAX_DIMS], inner = at % x->runs[last], rest = at / x->runs[last], *const made = to;
    for (int d = last - 1; d >= 0; d--) {
        coord[d] = rest % x->runs[d];
        rest /= x->runs[d];
    }
    while (n > 0) {
        int64_t here = x->runs[last] - inner < n ? x->runs[last] - inner : n;
        for (int i = 0; i < x->npickers; i++) {
            const wn__picker *k = &x->pickers[i];
            int64_t from = inner * k->strides[last];
            for (int d = 0; d < last; d++) from += coord[d] * k->strides[d];
            *ok &= run_advanced_offsets(f, k, from, k->strides[last], here, i == 0, to);
        }
        to += here;
        n -= here;
        inner = 0;
        for (int d = last - 1; d >= 0; d--) {
            if (++coord[d] < x->runs[d]) break;
            coord[d] = 0;
        }
    }
    return made;
}

enum { PIECE = 1024 }; /* offsets made at a time, in L1 */

typedef struct listing {
    const wn__choice *x;
    int64_t *to;
    _Atomic bool missed;
} listing;

static void list_part(void *ctx, int64_t begin, int64_t end) {
    listing *k = ctx;
    bool ok = true;
    for (int64_t at = begin; at < end; at += PIECE) {
        int64_t n = end - at < PIECE ? end - at : PIECE;
        const int64_t *from = wn__choice_offsets(k->x, at, n, k->to + at, &ok);
        if (from != k->to + at) memcpy(k->to + at, from, (size_t)n * sizeof *from);
    }
    if (!ok) atomic_store_explicit(&k->missed, true, memory_order_relaxed);
}

bool wn__choice_all_offsets(const wn__choice *x, int64_t *to) {
    listing k = {.x = x, .to = to};
    atomic_init(&k.missed, false);
    wn__parallel(x->n, 1 << 14, list_part, &k);
    return !atomic_load(&k.missed);
}

/* ------------------------------------------------------------------ an index that is its own offset */

const int64_t *wn__choice_plain(const wn__choice *x, int64_t *stride) {
    const wn__picker *k = &x->pickers[0];
    if (x->npickers != 1 || k->is_mask || k->index->dtype != WN_I64 || x->nruns != 1) return NULL;
    *stride = k->strides[0];
    return (const int64_t *)(const void *)k->base;
}

static void range_part(void *ctx, int64_t begin, int64_t end) {
    listing *k = ctx;
    const wn__picker *p = &k->x->pickers[0];
    const int64_t *from = (const int64_t *)(const void *)p->base;
    bool ok = true;
    for (int64_t at = begin; at < end && ok; at += PIECE)
        ok = wn__offset_kernels_now()->in_range(from + at * p->strides[0], p->strides[0], end - at < PIECE ? end - at : PIECE, p->size);
    if (!ok) atomic_store_explicit(&k->missed, true, memory_order_relaxed);
}

bool wn__choice_plain_in_range(const wn__choice *x) {
    listing k = {.x = x};
    atomic_init(&k.missed, false);
    wn__parallel(x->n, 1 << 15, range_part, &k);
    return !atomic_load(&k.missed);
}
