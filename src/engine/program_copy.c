/* Programs that only copy, between equal dtypes or between i8, i16, u8 and bool side by side. Rows that lie side by
 * side in both, or backwards in the source, are moved as bytes (slice, cat, roll, flip). If the source's neighbours lie
 * along another dimension, tiles are transposed. If the source is one value, memory is filled. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/threads.h"
#include "engine/program_impl.h"
#include "engine/stream.h"

enum {
    PANEL = 1 << 18,  /* bytes of the destination that stay in cache while their lines are filled piece by piece */
    LEAST = 2,        /* the fewest elements of a row that is moved */
    WORK = 1 << 16,   /* bytes that are worth another thread */
    PIECE = 1 << 15,  /* bytes of a piece of one long row */
    BAND = 1 << 18,   /* bytes of an operand that is put in order before it is read */
    BANDED_LEAST = 4 * BAND
};

/* Two layouts with common sizes; the last dimension is the row. Strides are in bytes. */
typedef struct rows {
    int ndim;
    int64_t shape[WN_MAX_DIMS], to[WN_MAX_DIMS], from[WN_MAX_DIMS];
    char *dst;
    const char *src;
    size_t size;
    bool backwards;
    bool streams; /* stores go past the caches */
} rows;

/* Cuts both layouts into dimensions with common sizes; false: that is impossible. */
static bool arrange(rows *r, const wn__leaf *to, const wn__leaf *from) {
    int i = to->ndim - 1, k = from->ndim - 1, n = WN_MAX_DIMS;
    int64_t left_to = i < 0 ? 1 : to->shape[i], left_from = k < 0 ? 1 : from->shape[k], step_to = i < 0 ? 0 : to->strides[i], step_from = k < 0 ? 0 : from->strides[k];
    while (i >= 0 && k >= 0) {
        const int64_t m = left_to < left_from ? left_to : left_from;
        if (left_to % m || left_from % m || n == 0) return false;
        n--;
        r->shape[n] = m;
        r->to[n] = step_to;
        r->from[n] = step_from;
        step_to *= m;
        step_from *= m;
        if ((left_to /= m) == 1 && --i >= 0) left_to = to->shape[i], step_to = to->strides[i];
        if ((left_from /= m) == 1 && --k >= 0) left_from = from->shape[k], step_from = from->strides[k];
    }
    r->ndim = WN_MAX_DIMS - n;
    memmove(r->shape, r->shape + n, (size_t)r->ndim * sizeof *r->shape);
    memmove(r->to, r->to + n, (size_t)r->ndim * sizeof *r->to);
    memmove(r->from, r->from + n, (size_t)r->ndim * sizeof *r->from);
    return i < 0 && k < 0;
}

static void move_rows(void *ctx, int64_t begin, int64_t end) {
    const rows *r = ctx;
    const wn__block_kernels *kernels = wn__block_now();
    const int row = r->ndim - 1, last = row - 1; /* last: rows along it are evenly spaced */
    const int64_t n = r->shape[row], together = last >= 0 ? r->shape[last] : 1, step_to = last >= 0 ? r->to[last] : 0, step_from = last >= 0 ? r->from[last] : 0;
    for (int64_t i = begin, count; i < end; i += count) {
        const int64_t at = i % together;
        int64_t rest = i / together, to = at * step_to, from = at * step_from;
        for (int d = last - 1; d >= 0; d--) {
            to += rest % r->shape[d] * r->to[d];
            from += rest % r->shape[d] * r->from[d];
            rest /= r->shape[d];
        }
        count = together - at < end - i ? together - at : end - i;
        if (r->streams)
            for (int64_t k = 0; k < count; k++) wn__stream(r->dst + to + k * step_to, r->src + from + k * step_from, (size_t)n * r->size);
        else if (!r->backwards) kernels->move(count, (size_t)n * r->size, r->dst + to, step_to, r->src + from, step_from);
        else kernels->reverse(r->size, count, n, r->dst + to, step_to, r->src + from - (n - 1) * (int64_t)r->size, step_from);
    }
    if (r->streams) wn__stream_end();
}

/* ------------------------------------------------------------------ transposed
 *
 * The source's neighbours lie along another dimension than the destination's. The tensor is cut into bands of that
 * dimension, as long as a panel has room for, by the whole innermost one. */

typedef struct bands {
    rows r;
    int across; /* the dimension along which the source's neighbours lie */
    int64_t band; /* how much of that dimension a band has */
} bands;

static void move_bands(void *ctx, int64_t begin, int64_t end) {
    const bands *b = ctx;
    const rows *r = &b->r;
    const wn__block_kernels *kernels = wn__block_now();
    const int row = r->ndim - 1;
    const int64_t size = (int64_t)r->size, n = r->shape[row], count = r->shape[b->across], parts = (count + b->band - 1) / b->band;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = i % parts * b->band, many = count - first < b->band ? count - first : b->band;
        int64_t rest = i / parts, to = first * r->to[b->across], from = first * size;
        for (int d = row - 1; d >= 0; d--) {
            if (d == b->across) continue;
            to += rest % r->shape[d] * r->to[d];
            from += rest % r->shape[d] * r->from[d];
            rest /= r->shape[d];
        }
        kernels->transpose(r->size, many, n, r->dst + to, r->to[b->across] / size, r->src + from, r->from[row] / size);
    }
}

static bool copy_transposed(const rows *r, bool *ok) {
    enum { LEAST_ROW = 8 };
    bands b = {.r = *r, .across = -1};
    const int row = r->ndim - 1;
    if (r->ndim < 2 || r->size < 2 || r->shape[row] < LEAST_ROW || !r->from[row]) return false;
    for (int d = 0; d < row; d++)
        if (r->from[d] == (int64_t)r->size && r->shape[d] >= LEAST_ROW) b.across = d;
    if (b.across < 0 || r->to[b.across] % (int64_t)r->size || r->from[row] % (int64_t)r->size) return false;
    const int64_t line = 64 / (int64_t)r->size, fit = PANEL / (r->shape[row] * (int64_t)r->size);
    b.band = fit < line ? line : fit - fit % line;
    int64_t count = (r->shape[b.across] + b.band - 1) / b.band;
    for (int d = 0; d < row; d++)
        if (d != b.across) count *= r->shape[d];
    const int64_t bytes = b.band * r->shape[row] * (int64_t)r->size;
    *ok = wn__parallel_fresh(count, count * bytes < 4 * WORK ? count : WORK / bytes + 1, move_bands, &b);
    return true;
}

static bool move_bytes(const rows *r, bool *ok) {
    rows x = *r;
    int last = x.ndim - 1;
    if (!x.backwards && (last == 0 || x.shape[last] * (int64_t)x.size > 4 * WORK) && x.ndim < WN_MAX_DIMS) { /* long rows: piece by piece */
        const int64_t piece = PIECE / (int64_t)x.size, rest = x.shape[last] % piece;
        if (rest && last > 0) return false;
        x.shape[last] -= rest;
        if (rest) memcpy(x.dst + x.shape[0] * (int64_t)x.size, x.src + x.shape[0] * (int64_t)x.size, (size_t)rest * x.size);
        if (!x.shape[last]) return true;
        x.shape[last] /= piece;
        x.to[last] = x.from[last] = PIECE;
        last = x.ndim++;
        x.shape[last] = piece;
    }
    const int64_t bytes = x.shape[last] * (int64_t)x.size;
    if (x.shape[last] < LEAST) return false;
    int64_t count = 1;
    for (int d = 0; d < last; d++) count *= x.shape[d];
    x.streams = !x.backwards && bytes >= WN__STREAM_ROW && wn__streams(count * bytes);
    *ok = wn__parallel_fresh(count, count * bytes < 4 * WORK ? count : WORK / bytes + 1, move_rows, &x);
    return true;
}

/* ------------------------------------------------------------------ element by element
 *
 * For what neither follows its neighbour nor can be transposed: every second element, a repeated column, and so on. */

/* Fills each row of the destination, which has no gaps, with one value. */
static void repeat_values(const wn__block_kernels *k, int64_t size, int64_t count, int64_t n, char *to, int64_t step_to, const char *from, int64_t step_from) {
    enum { WIDEST = 64 }; /* splat may write so many bytes behind a row */
    if (step_to == n * size && step_from == size) {
        const int64_t exact = WIDEST / step_to + 1, most = count > exact ? count - exact : 0;
        k->splat((size_t)size, most, n, to, from);
        to += most * step_to;
        from += most * step_from;
        count -= most;
    }
    const int64_t whole = n - n % (WIDEST / size);
    for (int64_t r = 0; whole && r < count; r++) k->splat((size_t)size, 1, whole, to + r * step_to, from + r * step_from);
    if (n > whole) k->elements((size_t)size, count, n - whole, to + whole * size, step_to, size, from, step_from, 0);
}

static void move_elements(void *ctx, int64_t begin, int64_t end) {
    enum { SHORT = 16 }; /* shorter rows are moved together, if there are more of them */
    const rows *r = ctx;
    const wn__block_kernels *kernels = wn__block_now();
    const int row = r->ndim - 1, last = row - 1;
    const int64_t size = (int64_t)r->size, n = r->shape[row], together = last >= 0 ? r->shape[last] : 1, step_to = last >= 0 ? r->to[last] : 0,
                  step_from = last >= 0 ? r->from[last] : 0;
    for (int64_t i = begin, count; i < end; i += count) {
        const int64_t at = i % together;
        int64_t rest = i / together, to = at * step_to, from = at * step_from;
        for (int d = last - 1; d >= 0; d--) {
            to += rest % r->shape[d] * r->to[d];
            from += rest % r->shape[d] * r->from[d];
            rest /= r->shape[d];
        }
        count = together - at < end - i ? together - at : end - i;
        char *d = r->dst + to;
        const char *s = r->src + from;
        if (r->to[row] == size && !r->from[row]) repeat_values(kernels, size, count, n, d, step_to, s, step_from);
        else if (n < SHORT && count > n) kernels->elements(r->size, n, count, d, r->to[row], step_to, s, r->from[row], step_from);
        else kernels->elements(r->size, count, n, d, step_to, r->to[row], s, step_from, r->from[row]);
    }
}

static bool copy_elements(const rows *r, bool *ok) {
    enum { LEAST_RUN = 8 }; /* fewer elements are not worth a call */
    rows x = *r;
    int last = x.ndim - 1;
    const int64_t piece = PIECE / (int64_t)x.size, rest = x.shape[last] % piece;
    if (!x.to[last]) return false;
    if (x.shape[last] > 4 * piece && (!rest || last == 0) && x.ndim < WN_MAX_DIMS) { /* first what pieces of long rows leave over */
        const int64_t whole = x.shape[last] - rest;
        wn__block_now()->elements(x.size, 1, rest, x.dst + whole * x.to[last], 0, x.to[last], x.src + whole * x.from[last], 0, x.from[last]);
        x.shape[last + 1] = piece;
        x.to[last + 1] = x.to[last];
        x.from[last + 1] = x.from[last];
        x.shape[last] = whole / piece;
        x.to[last] *= piece;
        x.from[last] *= piece;
        last = x.ndim++;
    }
    int64_t count = 1;
    for (int d = 0; d < last; d++) count *= x.shape[d];
    if (x.shape[last] * (last ? x.shape[last - 1] : 1) < LEAST_RUN) return false;
    const int64_t bytes = x.shape[last] * (int64_t)x.size;
    *ok = wn__parallel_fresh(count, count * bytes < 4 * WORK ? count : WORK / bytes + 1, move_elements, &x);
    return true;
}

/* ------------------------------------------------------------------ one value */

typedef struct fill {
    char *dst;
    size_t size;
    uint64_t value; /* the value, repeated */
} fill;

static void fill_part(void *ctx, int64_t begin, int64_t end) {
    const fill *f = ctx;
    const int64_t each = 8 / (int64_t)f->size, n = end - begin, words = n / each;
    char *to = f->dst + begin * (int64_t)f->size;
    for (int64_t i = 0; i < words; i++) memcpy(to + 8 * i, &f->value, 8);
    memcpy(to + 8 * words, &f->value, (size_t)(n - words * each) * f->size);
}

/* Fills an output with the element at x. */
static bool fill_all(const wn__leaf *to, const void *x, int64_t numel, bool *ok) {
    const int64_t size = (int64_t)wn__dtype_size(to->dtype);
    if (to->ndim != 1 || to->strides[0] != size) return false;
    fill f = {.dst = to->base, .size = (size_t)size};
    for (size_t at = 0; at < 8; at += f.size) memcpy((char *)&f.value + at, x, f.size);
    *ok = wn__parallel_fresh(numel, 4 * WORK / size, fill_part, &f);
    return true;
}

static bool same_bytes(int from, int to) { return from == to || (from == WN_I8 && to == WN_U8) || (from == WN_U8 && to == WN_I8); }

/* The kernel that converts one narrow type to the other in one pass; NULL: there is none. */
static wn__kernel narrow_cast(int from, int to) {
    const wn__kernels *k = wn__kernels_now();
    const bool byte = to == WN_I8 || to == WN_U8;
    if (from == WN_I16) return byte ? k->low_byte : NULL;
    if (from == WN_BOOL) return byte ? k->truth : to == WN_I16 ? k->wider_truth : NULL;
    if (to != WN_I16) return NULL;
    return from == WN_I8 ? k->wider : from == WN_U8 ? k->wider_unsigned : NULL;
}

typedef struct cast {
    wn__kernel fn;
    char *to;
    const char *from;
    int64_t to_size, from_size;
} cast;

static void cast_part(void *ctx, int64_t begin, int64_t end) {
    const cast *c = ctx;
    const void *in[] = {c->from + begin * c->from_size};
    c->fn(end - begin, c->to + begin * c->to_size, in);
}

static bool cast_all(const wn__leaf *to, const wn__leaf *x, int64_t numel, bool *ok) {
    cast c = {.fn = narrow_cast(x->dtype, to->dtype), .to = to->base, .from = x->base, .to_size = (int64_t)wn__dtype_size(to->dtype), .from_size = (int64_t)wn__dtype_size(x->dtype)};
    if (to->ndim != 1 || to->strides[0] != c.to_size || x->ndim != 1 || x->strides[0] != c.from_size) return false;
    *ok = wn__parallel_fresh(numel, WORK, cast_part, &c);
    if (*ok) wn__program_count(numel, 1);
    return true;
}

/* Does the program store its leaf, perhaps after a mere conversion to the dtype it has? */
static bool only_copies(const wn__program *p) {
    if (p->nleaves != 1 || p->noutputs != 1 || p->ninstrs > 1 || p->nguards || p->outputs[0].in_place) return false;
    if (p->ninstrs && p->instrs[0].what != WN__DO_CONVERT) return false;
    const wn__leaf *x = &p->leaves[0], *to = &p->outputs[0].to;
    if (p->ninstrs && (p->instrs[0].dtype != to->dtype || p->outputs[0].src != p->nleaves)) return false;
    if (x->constant) return true;
    if (x->dtype != WN_BOOL && x->ct != wn__compute_type(x->dtype)) return false; /* loading as bool, or rounding, changes what is stored */
    return x->base && (same_bytes(x->dtype, to->dtype) || narrow_cast(x->dtype, to->dtype)) && x->space == WN__FULL && to->space == WN__FULL;
}

/* Is the element that is copied the same everywhere? If it is a number, *value gets it as it goes to memory. */
static bool is_one_value(const wn__program *p, int64_t *value) {
    const wn__leaf *x = &p->leaves[0], *to = &p->outputs[0].to;
    if (!x->constant) {
        for (int d = 0; d < x->ndim; d++)
            if (x->strides[d]) return false;
        return true;
    }
    if (to->space != WN__FULL || (p->ninstrs && p->instrs[0].space != WN__FULL)) return false;
    const wn__kernels *k = wn__kernels_now();
    const int ct = p->ninstrs ? p->instrs[0].ct : x->ct;
    int64_t as;
    k->load[ct][wn__form_of(x->ct)](1, &as, x->base, 0);
    k->store[ct][to->dtype](1, (char *)value, (int64_t)wn__dtype_size(to->dtype), &as);
    return true;
}

bool wn__copy_run(const wn__program *p, bool *ok) {
    *ok = true;
    if (!only_copies(p)) return false;
    const wn__leaf *x = &p->leaves[0], *to = &p->outputs[0].to;
    rows r = {.dst = to->base, .src = x->base, .size = wn__dtype_size(to->dtype)};
    const int64_t size = (int64_t)r.size;
    int64_t value;
    if (!x->constant && !same_bytes(x->dtype, to->dtype)) return cast_all(to, x, p->numel, ok);
    if (is_one_value(p, &value) && fill_all(to, x->constant ? (const char *)&value : x->base, p->numel, ok)) {
        if (*ok) wn__program_count(p->numel, p->ninstrs);
        return true;
    }
    if (x->constant) return false;
    if (!arrange(&r, to, x)) return false;
    const int last = r.ndim - 1;
    if (last < 0) return false;
    r.backwards = r.from[last] == -size;
    const bool beside = r.to[last] == size;
    if (!(beside && llabs(r.from[last]) == size ? move_bytes(&r, ok) : (beside && copy_transposed(&r, ok)) || copy_elements(&r, ok))) return false;
    if (*ok) wn__program_count(p->numel, p->ninstrs);
    return true;
}

/* ------------------------------------------------------------------ operands that lie across
 *
 * Operands whose neighbours lie along another dimension: each element comes from a line of its own. Reading them in a
 * program costs several times as much as putting them in order first. */

static bool lies_across(const wn__program *p, const wn__leaf *l) {
    enum { LEAST_NUMEL = 4096, LEAST_ROW = 16 };
    const int64_t size = (int64_t)wn__dtype_size(l->dtype);
    const int last = l->ndim - 1;
    if (l->constant || !l->base || l->space != WN__FULL || l->ndim < 2 || size < 2 || p->numel < LEAST_NUMEL) return false;
    if (l->strides[last] == size || l->shape[last] < LEAST_ROW) return false;
    bool across = false;
    for (int d = 0; d < l->ndim; d++) {
        if (!l->strides[d]) return false; /* it repeats: a copy would be larger */
        across |= l->strides[d] == size && l->shape[d] >= 8;
    }
    return across;
}

bool wn__has_across(const wn__program *p) {
    for (int i = 0; i < p->nleaves; i++)
        if (lies_across(p, &p->leaves[i])) return true;
    return false;
}

/* Copies l, which has n elements, in the flat order to `room`; l then is the copy. */
static bool put_in_order(wn__leaf *l, int64_t n, char *room) {
    const int64_t size = (int64_t)wn__dtype_size(l->dtype);
    wn__leaf flat = *l;
    flat.base = room;
    flat.ndim = 1;
    flat.shape[0] = n;
    flat.strides[0] = size;
    rows r = {.dst = room, .src = l->base, .size = (size_t)size};
    bool ok = true;
    if (!arrange(&r, &flat, l) || r.to[r.ndim - 1] != size || !copy_transposed(&r, &ok) || !ok) return false; /* unfinished: the program will fail, too */
    *l = flat;
    return true;
}

void wn__straightened_end(wn__program *p, wn__straightened *s) {
    for (int i = 0; i < s->n; i++) {
        p->leaves[s->of[i].leaf] = s->of[i].was;
        wn__data_free(s->of[i].room, s->of[i].capacity);
    }
}

bool wn__straighten(wn__program *p, wn__straightened *s) {
    s->n = 0;
    for (int i = 0; i < p->nleaves && s->n < WN__STRAIGHTENED; i++) {
        wn__leaf *l = &p->leaves[i];
        const int64_t size = (int64_t)wn__dtype_size(l->dtype);
        if (!lies_across(p, l) || p->numel * size > WN__STRAIGHTEN_MOST) continue;
        size_t capacity;
        char *room = wn__data_array(p->numel, (size_t)size, &capacity);
        if (!room) {
            wn__straightened_end(p, s);
            return false;
        }
        const wn__leaf was = *l;
        if (!put_in_order(l, p->numel, room)) {
            wn__data_free(room, capacity);
            continue;
        }
        s->of[s->n++] = (struct wn__straight){.leaf = i, .was = was, .room = room, .capacity = capacity};
    }
    return true;
}

/* ------------------------------------------------------------------ the same, band by band
 *
 * Large operands put in order would go to memory and back. Programs that compute each element by itself run on bands of
 * the flat order instead, whose reordered operands stay in a cache. */

typedef struct banded {
    const wn__program *p;
    bool (*run)(wn__program *);
    int64_t inner, count, parts, band; /* elements of a line; the cut dimension's lines and bands; lines of a band */
    int64_t room;                      /* bytes for one operand in order */
    bool failed;
} banded;

/* Are whole lines of l, any number of them within the cut dimension, evenly spaced? */
static bool can_be_cut(const wn__leaf *l, int64_t inner, int64_t count) {
    if (l->constant) return true;
    if (!l->base || l->space != WN__FULL) return false;
    int64_t within = 1;
    for (int d = l->ndim - 1; d >= 0 && inner % within == 0; within *= l->shape[d--])
        if (within * l->shape[d] % (inner * count) == 0) return true;
    return false;
}

static void cut(wn__leaf *to, const wn__leaf *l, int64_t begin, int64_t n) {
    int64_t within = 1;
    int d = l->ndim - 1, kept;
    *to = *l;
    if (l->constant) return;
    for (; within * l->shape[d] < n; d--) within *= l->shape[d];
    kept = d;
    to->ndim = l->ndim - kept;
    for (int k = 0; k < to->ndim; k++) to->shape[k] = l->shape[kept + k], to->strides[k] = l->strides[kept + k];
    to->shape[0] = n / within;
    for (begin /= within; d >= 0; begin /= l->shape[d--]) to->base += begin % l->shape[d] * l->strides[d];
}

static void run_bands(void *ctx, int64_t begin, int64_t end) {
    banded *b = ctx;
    wn__program p = *b->p;
    size_t capacity;
    char *room = wn__data_array(b->room, WN__STRAIGHTENED, &capacity);
    bool ok = room;
    p.row = 0;
    for (int64_t i = begin; ok && i < end; i++) {
        const int64_t first = i % b->parts * b->band, lines = b->count - first < b->band ? b->count - first : b->band;
        const int64_t at = (i / b->parts * b->count + first) * b->inner;
        int across = 0;
        p.numel = lines * b->inner;
        for (int k = 0; k < p.nleaves; k++) {
            cut(&p.leaves[k], &b->p->leaves[k], at, p.numel);
            if (across < WN__STRAIGHTENED && lies_across(b->p, &b->p->leaves[k])) across += put_in_order(&p.leaves[k], p.numel, room + across * b->room);
        }
        for (int k = 0; k < p.noutputs; k++) cut(&p.outputs[k].to, &b->p->outputs[k].to, at, p.numel);
        ok = b->run(&p);
    }
    if (!ok) __atomic_store_n(&b->failed, true, __ATOMIC_RELAXED);
    wn__data_free(room, capacity);
}

bool wn__banded_run(const wn__program *p, bool (*run)(wn__program *), bool *ok) {
    const wn__leaf *l = NULL;
    for (int i = 0; i < p->ninstrs; i++)
        if (p->instrs[i].what == WN__DO_FOLD || p->instrs[i].what == WN__DO_RANDOM || p->instrs[i].space != WN__FULL) return false;
    for (int i = 0; i < p->nleaves && !l; i++)
        if (lies_across(p, &p->leaves[i])) l = &p->leaves[i];
    if (!l || p->numel * 8 < BANDED_LEAST) return false;
    banded b = {.p = p, .run = run, .inner = p->numel / l->shape[0], .count = l->shape[0]};
    for (int d = 1; d < l->ndim && b.inner * 64 > BAND; d++) b.count = l->shape[d], b.inner /= l->shape[d];
    const int64_t fit = BAND / 8 / b.inner;
    b.band = fit - fit % 8;
    if (b.inner * 64 > BAND || b.count < 8) return false;
    for (int i = 0; i < p->nleaves; i++)
        if (!can_be_cut(&p->leaves[i], b.inner, b.count)) return false;
    for (int i = 0; i < p->noutputs; i++)
        if (!can_be_cut(&p->outputs[i].to, b.inner, b.count)) return false;
    b.parts = (b.count + b.band - 1) / b.band;
    b.room = b.band * b.inner * 8;
    const int64_t count = p->numel / (b.inner * b.count) * b.parts;
    *ok = wn__parallel_fresh(count, 1, run_bands, &b) && !b.failed;
    if (*ok) wn__programs_joined(count);
    return true;
}
