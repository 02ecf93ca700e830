/* The sequence of elements that count, cut into runs: the one place where masks, strides and conversions meet. */
#include "engine/block.h"
#include "engine/reduce_plan.h"

void wn__rwalk_start(wn__rwalk *w, const wn__rplan *p, const char *x, const uint8_t *m, char *room) {
    w->p = p;
    w->x = x;
    w->m = m;
    memset(w->index, 0, (size_t)p->nred * sizeof *w->index);
    w->pos = w->held = w->held_at = w->skip = 0;
    w->left = p->n;
    w->raw = room;
    w->run = room + (size_t)2 * WN__RUN * 8;
}

/* The innermost reduced dimension; without any a single position. */
static const wn__reduce_dim single = {1, 1, 0, 0};
static inline const wn__reduce_dim *inner(const wn__rplan *p) { return p->nred ? &p->red[p->nred - 1] : &single; }

void wn__rwalk_seek(wn__rwalk *w, int64_t position) {
    const wn__rplan *p = w->p;
    WN_ASSERT(position >= 0 && position <= p->n);
    w->left = p->n - position;
    if (!p->nred) return;
    w->pos = position % inner(p)->size;
    position /= inner(p)->size;
    for (int d = p->nred - 2; d >= 0; d--) {
        w->index[d] = position % p->red[d].size;
        position /= p->red[d].size;
        w->x = wn__rx(p, w->x, w->index[d] * p->red[d].x);
        w->m += w->m ? w->index[d] * p->red[d].m : 0;
    }
}

/* To the next segment. */
static void step(wn__rwalk *w) {
    const wn__rplan *p = w->p;
    w->pos = 0;
    for (int d = p->nred - 2; d >= 0; d--) {
        const wn__reduce_dim *r = &p->red[d];
        int64_t by = ++w->index[d] < r->size ? 1 : 1 - r->size;
        w->x = wn__rx(p, w->x, by * r->x);
        if (w->m) w->m += by * r->m;
        if (by == 1) return;
        w->index[d] = 0;
    }
}

/* Positions of the current segment, at most `most`; moves to the next segment when this one is used up. */
static int64_t piece(wn__rwalk *w, int64_t most, const char **x, const uint8_t **m) {
    const wn__rplan *p = w->p;
    const wn__reduce_dim *r = inner(p);
    if (w->pos == r->size) step(w);
    int64_t n = r->size - w->pos;
    if (n > most) n = most;
    if (n > w->left) n = w->left;
    *x = wn__rx(p, w->x, w->pos * r->x);
    *m = w->m ? w->m + w->pos * r->m : NULL;
    w->pos += n;
    w->left -= n;
    return n;
}

const void *wn__rwalk_piece(wn__rwalk *w, int64_t most, int64_t *n) {
    const char *x;
    const uint8_t *m;
    *n = piece(w, most, &x, &m);
    return x;
}

/* Whole segments, from the beginning of one on, that one dimension has left, up to `most` elements of them, one behind the other to `to`;
 * how many elements. A conversion for each costs more than its elements. */
enum { SHORT_SEGMENT = 64 };
static int64_t segments(wn__rwalk *w, int64_t most, char *to) {
    const wn__rplan *p = w->p;
    const wn__reduce_dim *r = inner(p), *outer = r - 1;
    if (w->pos == r->size) step(w);
    int64_t *at = &w->index[p->nred - 2], n = outer->size - 1 - *at; /* the last one is for step */
    if (n > most / r->size) n = most / r->size;
    if (w->pos || n < 2) return 0;
    const int64_t bytes = r->size * (int64_t)p->size;
    wn__block_now()->move(n, (size_t)bytes, to, bytes, w->x, outer->x * (int64_t)p->size);
    *at += n;
    w->x = wn__rx(p, w->x, n * outer->x);
    w->left -= n * r->size;
    return n * r->size;
}

static const void *next_plain(wn__rwalk *w, int64_t *n) {
    const wn__rplan *p = w->p;
    const wn__reduce_dim *r = inner(p);
    const char *x;
    const uint8_t *m;
    int64_t k = 0, want = w->left < WN__RUN ? w->left : WN__RUN;
    size_t size = wn__elem_size(p->elem);
    const bool as_is = wn__elem_is(p->dtype, p->elem);
    *n = want;
    if (want == 0) return NULL;
    while (k < want) {
        int64_t got = p->nred > 1 && r->x == 1 && r->size <= SHORT_SEGMENT ? segments(w, want - k, as_is ? w->run + (size_t)k * size : w->raw) : 0;
        if (got) {
            if (!as_is) p->k->load(p->dtype, p->elem, w->raw, 1, got, w->run + (size_t)k * size);
            k += got;
            continue;
        }
        got = piece(w, want - k, &x, &m);
        if (got == want && p->direct) return x;
        p->k->load(p->dtype, p->elem, x, r->x, got, w->run + (size_t)k * size);
        k += got;
    }
    return w->run;
}

/* Of n elements those that count, side by side to `to`, behind which there are 64 bytes of room; how many. */
static int64_t compact(const wn__rplan *p, const char *x, const uint8_t *m, int64_t n, char *to) {
    const wn__reduce_dim *r = inner(p);
    const wn__block_kernels *k = wn__block_now();
    uint64_t bits[WN__RUN / 64];
    if (r->x != 1 || r->m != 1 || (p->size != 4 && p->size != 8)) return p->k->compact(p->size, x, r->x, m, r->m, n, to);
    const int64_t set = k->scan(m, n, true, bits);
    if (set) k->gather(p->size, n, bits, to, x);
    return set;
}

/* Compacts piece after piece behind what is held until a run is full. */
static const void *next_masked(wn__rwalk *w, int64_t *n) {
    const wn__rplan *p = w->p;
    const wn__reduce_dim *r = inner(p);
    size_t size = p->size;
    if (w->held && w->held_at) memmove(w->raw, w->raw + (size_t)w->held_at * size, (size_t)w->held * size);
    w->held_at = 0;
    while (w->held < WN__RUN && w->left) {
        const char *x;
        const uint8_t *m;
        int64_t got = piece(w, WN__RUN, &x, &m);
        if (p->direct && w->held == 0 && w->skip == 0 && got == WN__RUN) { /* a whole run, or none of it, needs no copy */
            int64_t set = p->k->count(m, r->m, got);
            if (set == 0) continue;
            if (set == got) {
                *n = got;
                return x;
            }
        }
        int64_t k = compact(p, x, m, got, w->raw + (size_t)w->held * size);
        if (w->skip && k) { /* skipping happens only before anything is held */
            int64_t drop = w->skip < k ? w->skip : k;
            memmove(w->raw, w->raw + (size_t)drop * size, (size_t)(k - drop) * size);
            w->skip -= drop;
            k -= drop;
        }
        w->held += k;
    }
    *n = w->held < WN__RUN ? w->held : WN__RUN;
    w->held -= *n;
    w->held_at = *n;
    if (wn__elem_is(p->dtype, p->elem)) return w->raw;
    p->k->load(p->dtype, p->elem, w->raw, 1, *n, w->run);
    return w->run;
}

const void *wn__rwalk_next(wn__rwalk *w, int64_t *n) { return w->m ? next_masked(w, n) : next_plain(w, n); }

int64_t wn__rwalk_count(wn__rwalk *w, int64_t positions) {
    const char *x;
    const uint8_t *m;
    int64_t k = 0, mstride = inner(w->p)->m;
    if (positions > w->left) positions = w->left;
    for (int64_t end = w->left - positions; w->left > end;) {
        int64_t got = piece(w, w->left - end, &x, &m);
        k += m ? w->p->k->count(m, mstride, got) : got;
    }
    return k;
}

int64_t wn__rwalk_locate(wn__rwalk *w, int64_t which) {
    const char *x;
    const uint8_t *m;
    int64_t position = w->p->n - w->left, mstride = inner(w->p)->m;
    if (!w->m) return position + which;
    while (w->left) {
        int64_t got = piece(w, WN__RUN, &x, &m), set = w->p->k->count(m, mstride, got);
        if (which < set)
            for (int64_t i = 0; i < got; i++)
                if (m[i * mstride] && which-- == 0) return position + i;
        which -= set;
        position += got;
    }
    return position;
}
