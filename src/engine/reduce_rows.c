/* Reductions whose elements are read one result at a time: the reduced dimension is the fast one, or a mask differs from
 * result to result. Threads take results, or chunks of runs where results are few and long. */
#include "base/alloc.h"
#include "base/inline.h"
#include "base/threads.h"
#include "engine/reduce_plan.h"

/* A result: its number and the offsets of its first element, its mask, itself. */
typedef struct place {
    int64_t output, x, m, o;
} place;
INLINE place place_of(const wn__rplan *p, int64_t output) {
    place at;
    at.output = output;
    wn__rplan_at(p, output, &at.x, &at.m, &at.o);
    return at;
}

typedef struct rows_job {
    wn__rplan *p;
    const wn__reduction *r;
    /* Folds elements first, first + 1, ... of a result, at most so many; how many there were, or -1: no memory. */
    int64_t (*piece)(const struct rows_job *j, const place *at, int64_t first, int64_t most, wn__rstate *s);
    wn__rows_fn rows;  /* of whole rows, or else: */
    wn__rows_fn exact; /* of segments that may be folded in any order, or else: */
    wn__feed_fn feed;  /* of segments in their order */
    int64_t together;  /* results that plain_rows takes at a time */
    int64_t chunks;    /* of each result */
    int64_t elements;  /* that a chunk folds */
    int64_t *before;   /* [outputs][chunks + 1]: elements that count before each chunk of mask positions, or NULL */
    struct part {
        wn__rstate s;
        int64_t count;
    } *part; /* [outputs][chunks] */
} rows_job;

static void walker_at(const rows_job *j, const place *at, char *room, wn__rwalk *w) {
    wn__rwalk_start(w, j->p, wn__rx(j->p, j->r->x, at->x), j->r->mask ? j->r->mask + at->m : NULL, room);
}

/* Folds up to `most` elements from the walker's place; they are elements first, first + 1, ... of the sequence. */
static int64_t fold(const wn__rplan *p, wn__rwalk *w, int64_t most, int64_t first, wn__rstate *s) {
    wn__rcounter counter;
    int64_t n, done = 0;
    counter.runs = 0;
    while (done < most) {
        wn__rstate run;
        const void *x = wn__rwalk_next(w, &n);
        if (n == 0) break;
        wn__rstate_of_run(p, x, n, first + done, &run);
        done += n;
        if (counter.runs == 0 && n < WN__RUN) { /* a single short run: the common case of small rows */
            *s = run;
            return done;
        }
        wn__rcounter_push(p, &counter, &run);
    }
    wn__rcounter_end(p, &counter, s);
    return done;
}

/* A plain fold of `rows` results whose elements come in segments, all of which count: read where they lie, a segment of each row in turn,
 * which is the order of memory where rows lie between segments. acc gets `rows` accumulators. */
enum { TOGETHER = 32 };
static void fold_segments(const wn__rplan *p, wn__feed_fn feed, wn__rwalk *w, int64_t step, int64_t rows, int64_t most, void *acc) {
    enum { RUNS = 8 };
    void (*merge)(void *, const void *, int64_t) = p->k->merge[p->fold][p->elem];
    const size_t size = (size_t)rows * wn__rplan_acc(p);
    double lanes[TOGETHER * WN__LANES] __attribute__((aligned(64))), slot[56][TOGETHER];
    char ends[RUNS * sizeof slot[0]] __attribute__((aligned(64)));
    uint64_t runs = 0;
    for (int64_t n, done = 0; most > 0; most -= n) {
        const int64_t room = RUNS * WN__RUN - done;
        const void *x = wn__rwalk_piece(w, most < room ? most : room, &n);
        feed(x, step, rows, n, done, &p->param, lanes, ends);
        done += n;
        int64_t whole = done / WN__RUN;
        done %= WN__RUN;
        if (done && n == most) p->k->rows[wn__joining(p->fold)][p->elem](lanes, WN__LANES, rows, WN__LANES, NULL, ends + (size_t)whole++ * size);
        for (int64_t k = 0; k < whole; k++) {
            const void *v = ends + (size_t)k * size;
            int i = 0;
            for (; runs >> i & 1; v = slot[i++]) merge(slot[i], v, rows);
            memcpy(slot[i], v, size);
            runs++;
        }
    }
    if (!runs) return; /* nothing to fold: what comes of that, wn__rstates_put knows */
    int at = __builtin_ctzll(runs);
    for (int i = at + 1; runs >> i; i++) {
        if (!(runs >> i & 1)) continue;
        merge(slot[i], slot[at], rows);
        at = i;
    }
    memcpy(acc, slot[at], size);
}

/* The same of integers (or of counts), whose order is free: each segment at once. */
static void fold_exact(const wn__rplan *p, wn__rows_fn fold_rows, wn__rwalk *w, int64_t step, int64_t rows, int64_t most, void *acc) {
    int64_t part[TOGETHER];
    for (int64_t n, done = 0; done < most; done += n) {
        const void *x = wn__rwalk_piece(w, most - done, &n);
        fold_rows(x, step, rows, n, &p->param, done ? part : acc);
        if (done) p->k->merge[p->fold][p->elem](acc, part, rows);
    }
}

/* So many rows of neighbours from x on, or one from its element number `first` on. */
INLINE void fold_neighbours(const rows_job *j, int64_t x, int64_t first, int64_t step, int64_t rows, int64_t n,
                            void *acc) {
    const wn__rplan *p = j->p;
    wn__rwalk w;
    if (j->rows) {
        j->rows(wn__rx(p, j->r->x, x + first), step, rows, n, &p->param, acc);
        return;
    }
    wn__rwalk_start(&w, p, wn__rx(p, j->r->x, x), NULL, NULL);
    if (first) wn__rwalk_seek(&w, first);
    if (j->exact) fold_exact(p, j->exact, &w, step, rows, n, acc);
    else fold_segments(p, j->feed, &w, step, rows, n, acc);
}
static int64_t neighbours_piece(const rows_job *j, const place *at, int64_t first, int64_t most, wn__rstate *s) {
    fold_neighbours(j, at->x, first, 0, 1, most, &s->v);
    return most;
}

/* The common case without detours: a plain fold of neighbours, results along the innermost kept dimension together. */
static void plain_rows(void *ctx, int64_t begin, int64_t end) {
    const rows_job *j = ctx;
    wn__rplan *p = j->p;
    static const wn__reduce_dim none = {1, 0, 0, 0};
    const wn__reduce_dim *inner = p->nkept ? &p->kept[p->nkept - 1] : &none;
    double acc[TOGETHER];
    for (int64_t i = begin, rows; i < end; i += rows) {
        const int64_t left = inner->size - i % inner->size;
        rows = end - i < left ? end - i : left;
        if (rows > j->together) rows = j->together;
        const place at = place_of(p, i);
        fold_neighbours(j, at.x, 0, inner->x, rows, p->n, acc);
        wn__rstates_put(p, j->r, at.o, inner->o, rows, acc, p->n);
    }
}

/* Puts the walker before element `first` of the sequence; false when there are not so many. */
static bool find_element(const rows_job *j, int64_t output, int64_t first, wn__rwalk *w) {
    if (!j->before) {
        wn__rwalk_seek(w, first);
        return true;
    }
    const int64_t *before = j->before + output * (j->chunks + 1);
    if (first >= before[j->chunks]) return false;
    int64_t lo = 0, hi = j->chunks;
    while (hi - lo > 1) {
        int64_t mid = lo + (hi - lo) / 2;
        if (before[mid] <= first) lo = mid;
        else hi = mid;
    }
    wn__rwalk_seek(w, lo * j->elements);
    w->skip = first - before[lo];
    return true;
}

static int64_t sequence_piece(const rows_job *j, const place *at, int64_t first, int64_t most, wn__rstate *s) {
    char room[WN__RWALK_BYTES] __attribute__((aligned(64)));
    wn__rwalk w;
    walker_at(j, at, room, &w);
    if (j->p->shape == WN__RS_COUNT) return wn__rwalk_count(&w, most);
    if ((first || j->before) && !find_element(j, at->output, first, &w)) return 0;
    return fold(j->p, &w, most, first, s);
}

static int64_t turned_piece(const rows_job *j, const place *at, int64_t first, int64_t most, wn__rstate *s) {
    char *room = wn__scratch(1, wn__reduce_turned_bytes(j->p));
    if (!room) return -1;
    wn__reduce_turned(j->p, wn__rx(j->p, j->r->x, at->x), first, most, room, s);
    return most;
}

/* Indices: number n of the elements that count to its logical position. */
static void put(const rows_job *j, const place *at, const wn__rstate *s, int64_t count) {
    int64_t position = s->n;
    if (j->p->shape == WN__RS_ARG && count && j->p->masked) {
        wn__rwalk w;
        walker_at(j, at, NULL, &w);
        position = wn__rwalk_locate(&w, s->n);
    }
    wn__rstate_put(j->p, j->r, at->o, s, count, position);
}

static void whole_results(void *ctx, int64_t begin, int64_t end) {
    const rows_job *j = ctx;
    for (int64_t i = begin; i < end; i++) {
        wn__rstate s = {.n = 0};
        const place at = place_of(j->p, i);
        const int64_t count = j->piece(j, &at, 0, j->p->n, &s);
        if (count < 0) atomic_store_explicit(&j->p->no_memory, true, memory_order_relaxed);
        else put(j, &at, &s, count);
    }
}

/* ---- few long results: chunks of whole runs */

static void count_chunks(void *ctx, int64_t begin, int64_t end) {
    const rows_job *j = ctx;
    for (int64_t i = begin; i < end; i++) {
        const place at = place_of(j->p, i / j->chunks);
        wn__rwalk w;
        walker_at(j, &at, NULL, &w);
        wn__rwalk_seek(&w, i % j->chunks * j->elements);
        j->before[i + at.output + 1] = wn__rwalk_count(&w, j->elements);
    }
}

static void chunks_of_results(void *ctx, int64_t begin, int64_t end) {
    const rows_job *j = ctx;
    for (int64_t i = begin; i < end; i++) {
        const place at = place_of(j->p, i / j->chunks);
        const int64_t first = i % j->chunks * j->elements, left = j->p->n - first;
        j->part[i].count = j->piece(j, &at, first, left < j->elements ? left : j->elements, &j->part[i].s);
        if (j->part[i].count < 0) atomic_store_explicit(&j->p->no_memory, true, memory_order_relaxed);
    }
}

static void join_chunks(const rows_job *j) {
    for (int64_t i = 0; i < j->p->outputs; i++) {
        const place at = place_of(j->p, i);
        const struct part *part = j->part + i * j->chunks;
        wn__rcounter counter;
        wn__rstate s = {.n = 0};
        int64_t count = 0;
        counter.runs = 0;
        for (int64_t c = 0; c < j->chunks && part[c].count; c++) {
            wn__rstate one = part[c].s;
            count += part[c].count;
            wn__rcounter_push(j->p, &counter, &one);
        }
        wn__rcounter_end(j->p, &counter, &s);
        put(j, &at, &s, count);
    }
}

static bool in_chunks(rows_job *j) {
    const wn__rplan *p = j->p;
    j->part = wn__new(struct part, (size_t)(p->outputs * j->chunks));
    if (p->masked) j->before = wn__new(int64_t, (size_t)(p->outputs * (j->chunks + 1)));
    bool done = j->part && (j->before || !p->masked);
    if (done && j->before) {
        done = wn__parallel_fresh(p->outputs * j->chunks, 1, count_chunks, j);
        for (int64_t i = 0; i < p->outputs && done; i++)
            for (int64_t c = 0, *b = j->before + i * (j->chunks + 1); c < j->chunks; c++) b[c + 1] += b[c];
    }
    done = done && wn__parallel_fresh(p->outputs * j->chunks, 1, chunks_of_results, j) && !atomic_load(&p->no_memory);
    if (done) join_chunks(j);
    wn__free(j->part);
    wn__free(j->before);
    return done;
}

/* Shares out whole results, or chunks of them where they are few and long. */
static wn__ran deal(rows_job *j, int64_t chunk, int64_t grain) {
    wn__rplan *p = j->p;
    const bool counts = p->shape == WN__RS_COUNT;
    const wn__task whole = j->piece == neighbours_piece ? plain_rows : whole_results;
    j->elements = (p->chunk = chunk) * WN__RUN;
    j->chunks = (p->n + j->elements - 1) / j->elements;
    if (j->chunks > 1 && !counts && p->outputs < 4 * wn_num_threads()) return wn__ran_if(in_chunks(j));
    return wn__ran_if(wn__parallel_fresh(p->outputs, grain, whole, j) && !atomic_load(&p->no_memory));
}
static int64_t grain_of(const wn__rplan *p) { return 32768 / (p->n + 64) + 1; }
static int64_t chunk_of(const wn__rplan *p) { return wn__rplan_chunk(p, p->outputs, 32); }

/* ---- plain folds of neighbours, all of which count */

static bool neighbours(const wn__rplan *p) {
    return p->shape == WN__RS_FOLD && !p->masked && p->nred && p->red[p->nred - 1].x == 1;
}

bool wn__reduce_rows_suits(const void *form) {
    const wn__rplan *p = form;
    return p->column < 0 && neighbours(p) && p->nred == 1 && wn__rows_of(p->k, p->fold, p->dtype, p->elem);
}
wn__ran wn__reduce_rows(void *form, const void *call) {
    wn__rplan *p = form;
    const wn__rows_fn rows = wn__rows_of(p->k, p->fold, p->dtype, p->elem);
    rows_job j = {.p = p, .r = call, .piece = neighbours_piece, .rows = rows, .together = TOGETHER};
    return deal(&j, chunk_of(p), grain_of(p));
}

static bool lies_inside(const wn__reduce_dim *a, const wn__reduce_dim *b) { return (a->x < 0 ? -a->x : a->x) < (b->x < 0 ? -b->x : b->x); }

static wn__ran in_segments(wn__rplan *p, const wn__reduction *r, wn__rows_fn exact, wn__feed_fn feed) {
    rows_job j = {.p = p, .r = r, .piece = neighbours_piece, .exact = exact, .feed = feed, .together = 1};
    int64_t grain = grain_of(p), share = p->outputs / (4 * wn_num_threads());
    if (p->nkept && lies_inside(&p->kept[p->nkept - 1], &p->red[0])) {
        j.together = TOGETHER;
        if (share > grain) grain = share < TOGETHER ? share : TOGETHER;
    }
    return deal(&j, chunk_of(p), grain);
}

/* Integers and counts may be added in any order. */
bool wn__reduce_exact_suits(const void *form) {
    const wn__rplan *p = form;
    if (!neighbours(p) || p->nred < 2 || !p->n || !p->direct || p->red[p->nred - 1].size < 16) return false;
    return (!wn__elem_float(p->elem) || p->fold == WN__FOLD_NONZERO) && wn__rows_of(p->k, p->fold, p->dtype, p->elem);
}
wn__ran wn__reduce_exact(void *form, const void *call) {
    const wn__rplan *p = form;
    return in_segments(form, call, wn__rows_of(p->k, p->fold, p->dtype, p->elem), NULL);
}

bool wn__reduce_segments_suit(const void *form) {
    const wn__rplan *p = form;
    return neighbours(p) && p->nred > 1 && wn__feed_of(p->k, p->fold, p->dtype, p->elem);
}
wn__ran wn__reduce_segments(void *form, const void *call) {
    const wn__rplan *p = form;
    return in_segments(form, call, NULL, wn__feed_of(p->k, p->fold, p->dtype, p->elem));
}

/* ---- all others */

/* The first and the last band of a chunk are turned for a part: few chunks. */
wn__ran wn__reduce_across(void *form, const void *call) {
    wn__rplan *p = form;
    int64_t chunk = chunk_of(p);
    while (chunk < 1024 && p->n / (2 * chunk * WN__RUN) >= 4 * wn_num_threads()) chunk *= 2;
    return deal(&(rows_job){.p = p, .r = call, .piece = turned_piece}, chunk, grain_of(p));
}

wn__ran wn__reduce_sequence(void *form, const void *call) {
    return deal(&(rows_job){.p = form, .r = call, .piece = sequence_piece}, chunk_of(form), grain_of(form));
}
