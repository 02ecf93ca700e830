/* Walks over an index space: index tensors, the order of the loops, and who does what in parallel.
 *
 * Elements can only meet in the table when they differ along the indexed dimension alone, so threads share out the other
 * dimensions, and each goes through the indexed one in order: no two threads ever write to one place, and the result does not
 * depend on how the work was shared out. Where the other dimensions are too small for all threads, each takes a band of the
 * table instead and skips the indices outside it: still in order. */
#include "ops/index/index.h"
#include "base/counters.h"
#include "engine/offsets.h"
#include "base/threads.h"

/* ------------------------------------------------------------------ index tensors */

wn_status wn__ix_dtype(wn__call *c, const wn_tensor *index, bool narrow) {
    if (index->dtype == WN_I64 || (narrow && index->dtype == WN_I32)) return WN_OK;
    return wn__fail_op(c, WN_E_RUNTIME, "Expected dtype %s for index but got %s", narrow ? "int32 or int64" : "int64", wn__desc(index));
}

wn_tensor *wn__ix_source(wn__call *c, wn_tensor *source) {
    if (!c->inplace || !wn__overlap(source, c->target)) return wn__retain(source);
    wn_tensor *copy = wn__clone_raw(source);
    if (!copy) wn__fail_memory(c->op->name);
    return copy;
}

wn_tensor *wn__ix_read(wn__call *c, wn_tensor *index) {
    if (index->dtype == WN_I64) return wn__ix_source(c, index);
    wn_tensor *wide = wn__to_dtype_raw(index, WN_I64);
    if (!wide) wn__fail_memory(c->op->name);
    return wide;
}

typedef struct scan {
    const wn__offset_kernels *f;
    const int64_t *p;
    int64_t stride, n;
    uint64_t limit;
    _Atomic int64_t first; /* the first index out of range; n: none */
} scan;

static void scan_part(void *ctx, int64_t begin, int64_t end) {
    scan *s = ctx;
    enum { STEP = 1024 };
    for (int64_t at = begin; at < end; at += STEP) {
        int64_t stop = end - at < STEP ? end : at + STEP;
        if (s->f->in_range(s->p + at * s->stride, s->stride, stop - at, (int64_t)s->limit)) continue;
        int64_t i = at;
        while ((uint64_t)s->p[i * s->stride] < s->limit) i++;
        int64_t seen = atomic_load(&s->first);
        while (i < seen && !atomic_compare_exchange_weak(&s->first, &seen, i)) continue;
        return;
    }
}

int64_t wn__ix_first_outside(const int64_t *p, int64_t stride, int64_t n, int64_t limit) {
    scan s = {.f = wn__offset_kernels_now(), .p = p, .stride = stride, .n = n, .limit = (uint64_t)limit};
    atomic_init(&s.first, n);
    wn__parallel(n, 1 << 15, scan_part, &s);
    return atomic_load(&s.first);
}

wn_status wn__ix_check(wn__call *c, wn_status code, const wn_tensor *index, const wn_tensor *table, int dim, int64_t limit) {
    if (index->numel == 0 || c->meta) return WN_OK; /* no values, no bounds to check */
    const int64_t *base = (const int64_t *)(const void *)wn__ptr(index);
    int64_t shape[WN_MAX_DIMS] = {1}, strides[WN_MAX_DIMS] = {1}, at[WN_MAX_DIMS] = {0};
    int n = 0;
    for (int d = 0; d < index->ndim; d++) { /* each element once, neighbours in one run */
        if (index->shape[d] == 1 || index->strides[d] == 0) continue;
        if (n && strides[n - 1] == index->strides[d] * index->shape[d]) {
            shape[n - 1] *= index->shape[d];
            strides[n - 1] = index->strides[d];
        } else {
            shape[n] = index->shape[d];
            strides[n++] = index->strides[d];
        }
    }
    if (n == 0) n = 1;
    for (;;) {
        const int64_t *p = base;
        for (int d = 0; d < n - 1; d++) p += at[d] * strides[d];
        int64_t first = wn__ix_first_outside(p, strides[n - 1], shape[n - 1], limit);
        if (first < shape[n - 1])
            return wn__fail_op(c, code, "index %lld is out of bounds for dimension %d with size %lld of %s (index: %s)", (long long)p[first * strides[n - 1]], dim,
                               (long long)limit, wn__desc(table), wn__desc(index));
        int d = n - 2;
        for (; d >= 0; d--) {
            if (++at[d] < shape[d]) break;
            at[d] = 0;
        }
        if (d < 0) return WN_OK;
    }
}

/* ------------------------------------------------------------------ setting up */

void wn__ix_set(wn__ix *x, const wn_tensor *table, const wn_tensor *slices, const wn_tensor *index, int dim) {
    int64_t size = (int64_t)wn__dtype_size(table->dtype);
    x->dtype = (wn_dtype)table->dtype;
    x->along = dim;
    x->step = table->ndim ? table->strides[dim] * size : 0;
    x->limit = wn__size1(table, dim);
    for (int d = 0; d < x->ndim; d++) {
        x->table[d] = d == dim || d >= table->ndim ? 0 : table->strides[d] * size;
        x->slices[d] = d < slices->ndim ? slices->strides[d] * size : 0;
        if (index) x->index[d] = d < index->ndim ? index->strides[d] : 0;
    }
    x->table_base = wn__ptr(table);
    x->slices_base = wn__ptr(slices);
    if (index) x->index_base = (const int64_t *)(const void *)wn__ptr(index);
}

wn_status wn__ix_infer(wn__call *c, const wn_tensor *self) {
    if (!c->inplace) return wn__result(c, 0, (wn_dtype)self->dtype, self->ndim, self->shape, NULL);
    c->out[0] = wn__retain(c->target);
    return WN_OK;
}

wn_tensor *wn__ix_result(wn__call *c, const wn_tensor *self) { return c->inplace || wn__copy(c->out[0], self) == WN_OK ? c->out[0] : NULL; }

bool wn__ix_walk_checks(const wn__call *c, const wn_tensor *index) {
    for (int d = 0; d < index->ndim; d++)
        if (index->strides[d] == 0 && index->shape[d] > 1) return false;
    return !c->target;
}

/* Does the index name each place of the table's other dimensions once, so that parts of the walk are parts of the table? */
static bool covers(const wn_tensor *index, const wn_tensor *table, int dim) {
    if (index->numel == 0 || index->ndim != table->ndim || table->ndim == 0) return false;
    for (int d = 0; d < table->ndim; d++)
        if (d != dim && index->shape[d] != table->shape[d]) return false;
    return true;
}

wn_tensor *wn__ix_begin(wn__call *c, wn__ix *x, wn_tensor *self, const wn_tensor *slices, const wn_tensor *index, int dim) {
    const bool later = !c->target && self->contiguous && covers(index, self, dim);
    wn_tensor *r = later ? c->out[0] : wn__ix_result(c, self);
    if (!r) return NULL;
    wn__ix_set(x, r, slices, index, dim);
    x->start = later ? wn__ptr(self) : NULL; /* both row-major */
    return r;
}

wn_status wn__ix_add(wn__call *c, wn__ix *x, wn_tensor *table, wn_tensor *source, const wn_tensor *index) {
    x->mode = WN__IX_ADD;
    if (table->dtype != WN_F16 && table->dtype != WN_BF16) {
        wn__ix_set(x, table, source, index, x->along);
        wn__ix_run(x);
        return WN_OK;
    }
    /* narrow floats: a long sum would stop growing, so it is kept in f32 and rounded once */
    bool done = false;
    if (!index && !wn__ix_add_halves(x, table, source, &done)) return wn__fail_memory(c->op->name);
    if (done) return WN_OK;
    WN__OWNED wn_tensor *sum = wn__to_dtype_raw(table, WN_F32), *wide = wn__to_dtype_raw(source, WN_F32);
    wn_status st = sum && wide ? WN_OK : wn__fail_memory(c->op->name);
    if (!st) {
        wn__ix_set(x, sum, wide, index, x->along);
        wn__ix_run(x);
        st = wn__copy(table, sum);
    }
    return st;
}

enum { PART = 1 << 14, LINE = 64 }; /* elements of a worthwhile task; bytes of a cache line */

/* ------------------------------------------------------------------ the order of the loops */

static int64_t magnitude(int64_t v) { return v < 0 ? -v : v; }

/* Should dimension a lie outside b? By the strides of the slices, then of the table. */
static bool outside(const wn__ix *x, int a, int b) {
    int64_t sa = magnitude(x->slices[a]), sb = magnitude(x->slices[b]);
    if (sa && sb && sa != sb) return sa > sb;
    sa = magnitude(x->table[a]), sb = magnitude(x->table[b]);
    if (sa && sb && sa != sb) return sa > sb;
    return a < b;
}

/* Without dimensions of size 1, ordered by strides, neighbours merged where all strides agree. */
static void arrange(wn__ix *x) {
    wn__ix old = *x;
    int order[WN_MAX_DIMS], n = 0;
    for (int d = 0; d < x->ndim; d++) {
        if (x->shape[d] == 1) continue;
        int k = n++;
        for (; k > 0 && outside(x, d, order[k - 1]); k--) order[k] = order[k - 1];
        order[k] = d;
    }
    x->along = -1;
    x->ndim = 0;
    for (int i = 0; i < n; i++) {
        int d = order[i], last = x->ndim - 1;
        bool merge = last >= 0 && last != x->along && d != old.along && x->table[last] == old.table[d] * old.shape[d] &&
                     x->slices[last] == old.slices[d] * old.shape[d] && x->index[last] == old.index[d] * old.shape[d];
        int64_t size = old.shape[d];
        if (merge) size *= x->shape[last];
        else last = x->ndim++;
        x->shape[last] = size;
        x->table[last] = old.table[d];
        x->slices[last] = old.slices[d];
        x->index[last] = old.index[d];
        if (d == old.along) x->along = last;
    }
}

typedef struct walk {
    const wn__ix *x;
    wn__ix_kernel kernel;
    int nouter, outer[WN_MAX_DIMS]; /* dimensions outside the blocks */
    int row, inner;                 /* those of a block; -1: none left */
    int64_t row_parts, row_part;    /* the rows are cut into parts of row_part, */
    int64_t col_parts, col_part;    /* the columns likewise, */
    int64_t bands, band;            /* the table into bands */
    _Atomic bool missed;
} walk;

/* The part of the table that a block writes to begins as `start` has it. */
static void begin_block(const wn__ix *x, const wn__ix_block *b, bool across) {
    const char *from = x->start + (b->table - x->table_base);
    if (across)
        for (int64_t v = b->lo; v < b->lo + (int64_t)b->span; v++) memcpy(b->table + v * b->step, from + v * b->step, (size_t)(b->length * b->in_table));
    else
        for (int64_t i = 0; i < b->n; i++) memcpy(b->table + i * b->row_table, from + i * b->row_table, (size_t)(x->limit * b->step));
}

static void walk_part(void *ctx, int64_t begin, int64_t end) {
    walk *w = ctx;
    const wn__ix *x = w->x;
    for (int64_t u = begin; u < end; u++) {
        int64_t rest = u, part = rest % w->row_parts;
        wn__ix_block b = {.table = x->table_base, .slices = x->slices_base, .index = x->index_base, .n = 1, .length = 1,
                          .step = x->step, .span = (uint64_t)x->limit, .alpha = x->alpha};
        rest /= w->row_parts;
        if (w->row >= 0) {
            int64_t first = part * w->row_part, left = x->shape[w->row] - first;
            b.n = left < w->row_part ? left : w->row_part;
            b.row_table = x->table[w->row];
            b.row_slices = x->slices[w->row];
            b.row_index = x->index[w->row];
            b.table += first * b.row_table;
            b.slices += first * b.row_slices;
            b.index += first * b.row_index;
        }
        part = rest % w->col_parts;
        rest /= w->col_parts;
        if (w->inner >= 0) {
            int64_t first = part * w->col_part, left = x->shape[w->inner] - first;
            b.length = left < w->col_part ? left : w->col_part;
            b.in_table = x->table[w->inner];
            b.in_slices = x->slices[w->inner];
            b.in_index = x->index[w->inner];
            b.table += first * b.in_table;
            b.slices += first * b.in_slices;
            b.index += first * b.in_index;
        }
        if (w->bands > 1) {
            b.lo = rest % w->bands * w->band;
            b.span = (uint64_t)(x->limit - b.lo < w->band ? x->limit - b.lo : w->band);
            rest /= w->bands;
        }
        for (int k = w->nouter - 1; k >= 0; k--) {
            int d = w->outer[k];
            int64_t i = rest % x->shape[d];
            rest /= x->shape[d];
            b.table += i * x->table[d];
            b.slices += i * x->slices[d];
            b.index += i * x->index[d];
        }
        if (x->start) begin_block(x, &b, w->row == x->along);
        if (!w->kernel(&b)) atomic_store_explicit(&w->missed, true, memory_order_relaxed);
    }
}

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Do the indices, by a sample of them, fall into bands of the table so evenly that no band has more than a thread's share? */
static bool even_bands(const wn__ix *x, int64_t bands, int64_t band, int64_t shares) {
    enum { SAMPLE = 256, MOST_BANDS = 64 };
    const int64_t n = x->shape[x->along], step = n > SAMPLE ? n / SAMPLE : 1;
    int64_t count[MOST_BANDS] = {0}, total = 0, most = 0;
    if (bands > MOST_BANDS) return false;
    for (int64_t i = 0; i < n; i += step) {
        const int64_t v = x->index_base[i * x->index[x->along]];
        if ((uint64_t)v >= (uint64_t)x->limit) continue;
        total++;
        if (++count[v / band] > most) most = count[v / band];
    }
    return most * shares <= total + total / 8;
}

/* Rows that several threads write to, each its own columns, move between the cores' caches, and what is fetched ahead runs on into the
 * other's columns: unless the columns are pages wide, threads have rows of their own. */
static bool share_rows(walk *w, int64_t shares, int64_t bytes) {
    enum { LEAST_BYTES = 256, PAGES = 8192, BANDS = 2 };
    const int64_t limit = w->x->limit, band = ceil_div(limit, BANDS * shares);
    if (bytes < LEAST_BYTES || bytes >= PAGES * shares || limit < 4 * BANDS * shares) return false;
    if (!even_bands(w->x, ceil_div(limit, band), band, shares)) return false;
    w->band = band;
    w->bands = ceil_div(limit, band);
    return true;
}

/* Rows of a scatter that run along the indexed dimension stay whole. Each thread takes some bands of the table or a share of the
 * columns; where the columns do not go round, a band of them. */
static void share_out(walk *w, int64_t outer, int64_t width, bool one_index) {
    int64_t size = (int64_t)wn__dtype_size(w->x->dtype), limit = w->x->limit;
    int64_t shares = ceil_div(wn_num_threads(), outer), lines = ceil_div(width * size, LINE), parts = shares < lines ? shares : lines;
    if (one_index && shares > 1 && share_rows(w, shares, width * size)) return;
    if (parts > 1) w->col_part = ceil_div(ceil_div(width, parts) * size, LINE) * LINE / size;
    shares = ceil_div(shares, ceil_div(width, w->col_part));
    if (!one_index || shares < 2 || width * size < LINE || limit < shares) return; /* skipping would cost as much as adding */
    w->band = ceil_div(limit, shares);
    w->bands = ceil_div(limit, w->band);
}

typedef struct beginning {
    char *to;
    const char *from;
} beginning;
static void begin_bytes(void *ctx, int64_t begin, int64_t end) {
    const beginning *b = ctx;
    memcpy(b->to + begin, b->from + begin, (size_t)(end - begin));
}

/* Where blocks do not share the table out, it begins as a whole. */
static void begin_table(wn__ix *x, int64_t bytes) {
    wn__parallel(bytes, 1 << 18, begin_bytes, &(beginning){x->table_base, x->start});
    x->start = NULL;
}

bool wn__ix_run(wn__ix *x) {
    int64_t total = 1, outer = 1, beside = 1;
    for (int d = 0; d < x->ndim; d++) {
        total *= x->shape[d];
        if (d != x->along) beside *= x->shape[d];
    }
    if (total == 0) return true;
    const int64_t size = (int64_t)wn__dtype_size(x->dtype);
    arrange(x);
    const bool line = x->ndim == 1 && x->along == 0, gaps = x->along == x->ndim - 1 ? x->step != size : x->table[x->ndim - 1] != size;
    if (x->start && (line || x->along < 0 || gaps)) begin_table(x, x->limit * beside * size);
    bool missed = false;
    if (line && (x->mode == WN__IX_SCATTER || x->mode == WN__IX_ADD) && total > PART && wn__ix_in_bands(x, &missed)) {
        wn__count(total);
        return !missed;
    }
    walk w = {.x = x, .inner = x->ndim - 1, .row_parts = 1, .col_parts = 1, .bands = 1};
    w.row = x->along >= 0 && x->along != w.inner ? x->along : x->ndim - 2;
    if (w.row < 0) w.row = -1;
    for (int d = 0; d < x->ndim; d++) {
        if (d == w.inner || d == w.row) continue;
        w.outer[w.nouter++] = d;
        outer *= x->shape[d];
    }
    int64_t width = w.inner < 0 ? 1 : x->shape[w.inner], height = w.row < 0 ? 1 : x->shape[w.row];
    bool one_index = w.inner >= 0 && w.inner != x->along && x->index[w.inner] == 0;
    bool meet = x->mode != WN__IX_GATHER && x->along >= 0; /* may two elements meet in the table? */
    w.kernel = wn__ix_kernel_for(x->mode, x->dtype, one_index);
    w.row_part = height;
    w.col_part = width;
    if (meet && w.row == x->along) {
        if (total > PART) share_out(&w, outer, width, one_index);
    } else {
        if (height > 1) w.row_part = width < PART ? PART / width : 1;
        if (!meet && width > PART) w.col_part = PART;
    }
    w.row_parts = ceil_div(height, w.row_part);
    w.col_parts = ceil_div(width, w.col_part);
    int64_t units = outer * w.row_parts * w.col_parts * w.bands, each = total / units, grain = each >= PART ? 1 : PART / (each ? each : 1);
    atomic_init(&w.missed, false);
    wn__parallel(units, total > PART ? grain : units, walk_part, &w);
    wn__count(total);
    return !atomic_load(&w.missed);
}
