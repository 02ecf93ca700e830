/* Reductions whose elements are read one result at a time: the reduced dimension is the fast one, or a mask differs from
 * result to result. Threads take results, or chunks of runs where results are few and long. */
#include "base/alloc.h"
#include "base/threads.h"
#include "engine/reduce_plan.h"

typedef struct rows_job {
    wn__rplan *p;
    const wn__reduction *r;
    int64_t chunks;   /* of each result */
    int64_t elements; /* that a chunk folds */
    wn__rows_fn rows;  /* of whole rows, or else: */
    wn__rows_fn exact; /* of segments that may be folded in any order, or else: */
    wn__feed_fn feed;  /* of segments in their order */
    int64_t together; /* results that plain_rows takes at a time */
    size_t turned;    /* bytes that a task needs to turn what it folds; 0: nothing is turned */
    int64_t blocks;   /* of mask positions whose counts are in `before` */
    int64_t *before;  /* [outputs][blocks + 1]: elements that count before each block; NULL without a mask or chunks */
    struct part {
        wn__rstate s;
        int64_t count;
    } *part; /* [outputs][chunks] */
} rows_job;

static void walker_at(const rows_job *j, int64_t output, char *room, wn__rwalk *w, int64_t *o) {
    int64_t x, m;
    wn__rplan_at(j->p, output, &x, &m, o);
    wn__rwalk_start(w, j->p, wn__rx(j->p, j->r->x, x), j->r->mask ? j->r->mask + m : NULL, room);
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

/* ARG: element number n of the sequence to its logical position. */
static int64_t locate(const rows_job *j, int64_t output, int64_t n) {
    int64_t o;
    wn__rwalk w;
    if (!j->p->masked) return n;
    walker_at(j, output, NULL, &w, &o);
    return wn__rwalk_locate(&w, n);
}

static void put(const rows_job *j, int64_t output, int64_t o, const wn__rstate *s, int64_t count) {
    int64_t at = j->p->shape == WN__RS_ARG && count ? locate(j, output, s->n) : 0;
    wn__rstate_put(j->p, j->r, o, s, count, at);
}

static void whole_rows(void *ctx, int64_t begin, int64_t end) {
    const rows_job *j = ctx;
    const wn__rplan *p = j->p;
    char room[WN__RWALK_BYTES] __attribute__((aligned(64)));
    for (int64_t i = begin; i < end; i++) {
        wn__rwalk w;
        wn__rstate s;
        int64_t o, count;
        walker_at(j, i, room, &w, &o);
        if (p->shape == WN__RS_COUNT) count = wn__rwalk_count(&w, p->n);
        else count = fold(p, &w, INT64_MAX, 0, &s);
        put(j, i, o, &s, count);
    }
}

/* The common case without detours: a plain fold of contiguous rows, or of segments, those along the innermost kept dimension together. */
static void plain_rows(void *ctx, int64_t begin, int64_t end) {
    rows_job *j = ctx;
    wn__rplan *p = j->p;
    static const wn__reduce_dim none = {1, 0, 0, 0};
    const wn__reduce_dim *inner = p->nkept ? &p->kept[p->nkept - 1] : &none;
    double acc[TOGETHER];
    for (int64_t i = begin, rows; i < end; i += rows) {
        int64_t x, m, o, left = inner->size - i % inner->size;
        rows = end - i < left ? end - i : left;
        if (rows > j->together) rows = j->together;
        wn__rplan_at(p, i, &x, &m, &o);
        if (j->rows) {
            j->rows(wn__rx(p, j->r->x, x), inner->x, rows, p->n, &p->param, acc);
        } else {
            wn__rwalk w;
            wn__rwalk_start(&w, p, wn__rx(p, j->r->x, x), NULL, NULL);
            if (j->exact) fold_exact(p, j->exact, &w, inner->x, rows, p->n, acc);
            else fold_segments(p, j->feed, &w, inner->x, rows, p->n, acc);
        }
        wn__rstates_put(p, j->r, o, inner->o, rows, acc, p->n);
    }
}

/* ---- few long results: chunks of whole runs */

static void count_blocks(void *ctx, int64_t begin, int64_t end) {
    rows_job *j = ctx;
    for (int64_t i = begin; i < end; i++) {
        wn__rwalk w;
        int64_t o, output = i / j->blocks, block = i % j->blocks;
        walker_at(j, output, NULL, &w, &o);
        wn__rwalk_seek(&w, block * j->elements);
        j->before[output * (j->blocks + 1) + block + 1] = wn__rwalk_count(&w, j->elements);
    }
}

/* Puts the walker before element `first` of the sequence; false when there are not so many. */
static bool find_element(const rows_job *j, int64_t output, int64_t first, wn__rwalk *w) {
    if (!j->before) {
        if (first >= j->p->n) return false;
        wn__rwalk_seek(w, first);
        return true;
    }
    const int64_t *before = j->before + output * (j->blocks + 1);
    if (first >= before[j->blocks]) return false;
    int64_t lo = 0, hi = j->blocks;
    while (hi - lo > 1) {
        int64_t mid = lo + (hi - lo) / 2;
        if (before[mid] <= first) lo = mid;
        else hi = mid;
    }
    wn__rwalk_seek(w, lo * j->elements);
    w->skip = first - before[lo];
    return true;
}

/* Elements first, first + 1, ... of result i of a job that turns them; false: no memory. */
static bool turned(const rows_job *j, int64_t i, int64_t first, int64_t n, wn__rstate *s) {
    wn__rplan *p = j->p;
    int64_t x, m, o;
    char *room = wn__scratch(1, j->turned);
    if (!room) {
        atomic_store_explicit(&p->no_memory, true, memory_order_relaxed);
        return false;
    }
    wn__rplan_at(p, i, &x, &m, &o);
    wn__reduce_turned(p, wn__rx(p, j->r->x, x), first, n, room, s);
    return true;
}

static void turned_rows(void *ctx, int64_t begin, int64_t end) {
    const rows_job *j = ctx;
    for (int64_t i = begin; i < end; i++) {
        wn__rstate s;
        int64_t x, m, o;
        if (!turned(j, i, 0, j->p->n, &s)) return;
        wn__rplan_at(j->p, i, &x, &m, &o);
        put(j, i, o, &s, j->p->n);
    }
}

static void turned_chunks(void *ctx, int64_t begin, int64_t end) {
    rows_job *j = ctx;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = i % j->chunks * j->elements, left = j->p->n - first;
        j->part[i].count = left < j->elements ? left : j->elements;
        if (!turned(j, i / j->chunks, first, j->part[i].count, &j->part[i].s)) return;
    }
}

static void chunks_of_rows(void *ctx, int64_t begin, int64_t end) {
    rows_job *j = ctx;
    const wn__rplan *p = j->p;
    for (int64_t i = begin; i < end; i++) {
        struct part *part = &j->part[i];
        const int64_t first = i % j->chunks * j->elements, left = p->n - first;
        int64_t x, m, o;
        wn__rplan_at(p, i / j->chunks, &x, &m, &o);
        part->count = left < j->elements ? left : j->elements;
        if (j->rows) {
            j->rows(wn__rx(p, j->r->x, x + first), 0, 1, part->count, &p->param, &part->s.v);
            continue;
        }
        wn__rwalk w;
        wn__rwalk_start(&w, p, wn__rx(p, j->r->x, x), NULL, NULL);
        wn__rwalk_seek(&w, first);
        if (j->exact) fold_exact(p, j->exact, &w, 0, 1, part->count, &part->s.v);
        else fold_segments(p, j->feed, &w, 0, 1, part->count, &part->s.v);
    }
}

static void chunks_of_sequence(void *ctx, int64_t begin, int64_t end) {
    rows_job *j = ctx;
    char room[WN__RWALK_BYTES] __attribute__((aligned(64)));
    for (int64_t i = begin; i < end; i++) {
        wn__rwalk w;
        int64_t o, output = i / j->chunks, first = i % j->chunks * j->elements;
        walker_at(j, output, room, &w, &o);
        j->part[i].count = find_element(j, output, first, &w) ? fold(j->p, &w, j->elements, first, &j->part[i].s) : 0;
    }
}

static void join_chunks(rows_job *j) {
    wn__rplan *p = j->p;
    for (int64_t i = 0; i < p->outputs; i++) {
        wn__rcounter counter;
        wn__rstate s;
        int64_t x, m, o, count = 0;
        counter.runs = 0;
        for (int64_t c = 0; c < j->chunks; c++) {
            struct part *part = &j->part[i * j->chunks + c];
            if (part->count == 0) break;
            count += part->count;
            wn__rcounter_push(p, &counter, &part->s);
        }
        wn__rcounter_end(p, &counter, &s);
        wn__rplan_at(p, i, &x, &m, &o);
        put(j, i, o, &s, count);
    }
}

static bool in_chunks(rows_job *j, wn__task chunks) {
    wn__rplan *p = j->p;
    j->part = wn__new(struct part, (size_t)(p->outputs * j->chunks));
    j->blocks = j->chunks;
    if (p->masked) j->before = wn__new(int64_t, (size_t)(p->outputs * (j->blocks + 1)));
    bool done = j->part && (j->before || !p->masked);
    if (done && j->before) {
        done = wn__parallel_fresh(p->outputs * j->blocks, 1, count_blocks, j);
        for (int64_t i = 0; i < p->outputs && done; i++)
            for (int64_t b = 0, *before = j->before + i * (j->blocks + 1); b < j->blocks; b++) before[b + 1] += before[b];
    }
    done = done && wn__parallel_fresh(p->outputs * j->chunks, 1, chunks, j) && !atomic_load(&p->no_memory);
    if (done) join_chunks(j);
    wn__free(j->part);
    wn__free(j->before);
    return done;
}

static rows_job begin(void *form, const void *call, int64_t chunk) {
    wn__rplan *p = form;
    p->chunk = chunk;
    const int64_t elements = chunk * WN__RUN;
    return (rows_job){.p = p, .r = call, .together = TOGETHER, .elements = elements, .chunks = (p->n + elements - 1) / elements};
}
static int64_t grain_of(const wn__rplan *p) { return 32768 / (p->n + 64) + 1; }
static int64_t chunk_of(const wn__rplan *p) { return wn__rplan_chunk(p, p->outputs, 32); }

/* Shares out whole results, or chunks of them where they are few and long. */
static wn__ran deal(rows_job *j, int64_t grain, wn__task whole, wn__task chunks) {
    wn__rplan *p = j->p;
    if (j->chunks > 1 && p->shape != WN__RS_COUNT && p->outputs < 4 * wn_num_threads()) return wn__ran_if(in_chunks(j, chunks));
    return wn__ran_if(wn__parallel_fresh(p->outputs, grain, whole, j) && !atomic_load(&p->no_memory));
}

/* ---- plain folds of neighbours, all of which count */

static bool neighbours(const wn__rplan *p) { return p->shape == WN__RS_FOLD && !p->masked && p->nred && p->red[p->nred - 1].x == 1; }

bool wn__reduce_rows_suits(const void *form) {
    const wn__rplan *p = form;
    return p->column < 0 && neighbours(p) && p->nred == 1 && wn__rows_of(p->k, p->fold, p->dtype, p->elem);
}
wn__ran wn__reduce_rows(void *form, const void *call) {
    const wn__rplan *p = form;
    rows_job j = begin(form, call, chunk_of(p));
    j.rows = wn__rows_of(p->k, p->fold, p->dtype, p->elem);
    return deal(&j, grain_of(p), plain_rows, chunks_of_rows);
}

static bool lies_inside(const wn__reduce_dim *a, const wn__reduce_dim *b) { return (a->x < 0 ? -a->x : a->x) < (b->x < 0 ? -b->x : b->x); }

static wn__ran in_segments(void *form, const void *call, wn__rows_fn exact, wn__feed_fn feed) {
    const wn__rplan *p = form;
    rows_job j = begin(form, call, chunk_of(p));
    j.exact = exact, j.feed = feed;
    int64_t grain = grain_of(p), share = p->outputs / (4 * wn_num_threads());
    const bool inside = p->nkept && lies_inside(&p->kept[p->nkept - 1], &p->red[0]);
    if (!inside) j.together = 1;
    else if (share > grain) grain = share < TOGETHER ? share : TOGETHER;
    return deal(&j, grain, plain_rows, chunks_of_rows);
}

/* Integers and counts may be added in any order. */
bool wn__reduce_exact_suits(const void *form) {
    const wn__rplan *p = form;
    const bool free_order = p->direct && (!wn__elem_float(p->elem) || p->fold == WN__FOLD_NONZERO);
    return neighbours(p) && p->nred > 1 && p->n && free_order && p->red[p->nred - 1].size >= 16 && wn__rows_of(p->k, p->fold, p->dtype, p->elem);
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
    const wn__rplan *p = form;
    int64_t chunk = chunk_of(p);
    while (chunk < 1024 && p->n / (2 * chunk * WN__RUN) >= 4 * wn_num_threads()) chunk *= 2;
    rows_job j = begin(form, call, chunk);
    j.turned = wn__reduce_turned_bytes(p);
    return deal(&j, grain_of(p), turned_rows, turned_chunks);
}

wn__ran wn__reduce_sequence(void *form, const void *call) {
    rows_job j = begin(form, call, chunk_of(form));
    return deal(&j, grain_of(form), whole_rows, chunks_of_sequence);
}
