/* Reductions whose elements are read one result at a time: the reduced dimension is the fast one, or a mask differs from
 * result to result. Threads take results, or chunks of runs where results are few and long. */
#include "core/alloc.h"
#include "cpu/pool.h"
#include "cpu/reduce_plan.h"

typedef struct rows_job {
    wn__rplan *p;
    int64_t chunks;   /* of each result */
    int64_t elements; /* that a chunk folds */
    bool plain;       /* rows are contiguous, and all of them counts */
    int64_t blocks;   /* of mask positions whose counts are in `before` */
    int64_t *before;  /* [outputs][blocks + 1]: elements that count before each block; NULL without a mask or chunks */
    struct part {
        wn__rstate s;
        int64_t count;
    } *part; /* [outputs][chunks] */
} rows_job;

static void walker_at(const wn__rplan *p, int64_t output, char *room, wn__rwalk *w, int64_t *o) {
    int64_t x, m;
    wn__rplan_at(p, output, &x, &m, o);
    wn__rwalk_start(w, p, wn__rx(p, p->r->x, x), p->r->mask ? p->r->mask + m : NULL, room);
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

/* ARG: element number n of the sequence to its logical position. */
static int64_t locate(const wn__rplan *p, int64_t output, int64_t n) {
    int64_t o;
    wn__rwalk w;
    if (!p->r->mask) return n;
    walker_at(p, output, NULL, &w, &o);
    return wn__rwalk_locate(&w, n);
}

static void put(wn__rplan *p, int64_t output, int64_t o, const wn__rstate *s, int64_t count) {
    int64_t at = p->shape == WN__RS_ARG && count ? locate(p, output, s->n) : 0;
    wn__rstate_put(p, o, s, count, at);
}

static void whole_rows(void *ctx, int64_t begin, int64_t end, int worker) {
    rows_job *j = ctx;
    wn__rplan *p = j->p;
    (void)worker;
    char room[WN__RWALK_BYTES] __attribute__((aligned(64)));
    for (int64_t i = begin; i < end; i++) {
        wn__rwalk w;
        wn__rstate s;
        int64_t o, count;
        walker_at(p, i, room, &w, &o);
        if (p->shape == WN__RS_COUNT) count = wn__rwalk_count(&w, p->n);
        else count = fold(p, &w, INT64_MAX, 0, &s);
        put(p, i, o, &s, count);
    }
}

/* Runs as they are folded: in memory, or converted into the room of one. */
static const void *run_at(const wn__rplan *p, const char *x, int64_t n, void *room) {
    if (p->direct) return x;
    p->k->load(p->r->dtype, p->elem, x, 1, n, room);
    return room;
}
static void run_one(const wn__rplan *p, const char *x, int64_t n, wn__rstate *s) {
    double room[WN__RUN] __attribute__((aligned(64)));
    p->k->run[p->fold][p->elem](run_at(p, x, n, room), n, &p->param, &s->v);
}

/* Four runs into four states. */
static void run_four(const wn__rplan *p, const char *const x[4], int64_t n, wn__rstate s[4]) {
    wn__run4_fn run4 = p->k->run4[p->fold][p->elem];
    if (!run4) {
        for (int i = 0; i < 4; i++) run_one(p, x[i], n, &s[i]);
        return;
    }
    double acc[4], room[4][WN__RUN] __attribute__((aligned(64)));
    const void *runs[4];
    for (int i = 0; i < 4; i++) runs[i] = run_at(p, x[i], n, room[i]);
    run4(runs, n, &p->param, acc);
    for (int i = 0; i < 4; i++) {
        if (p->elem == WN__E_F32) s[i].v.f = ((const float *)acc)[i];
        else s[i].v.d = acc[i];
    }
}

/* n elements that follow each other in memory, the first of a run first. */
static void fold_plain(const wn__rplan *p, const char *x, int64_t n, wn__rstate *s) {
    const int64_t bytes = WN__RUN * (int64_t)p->size;
    wn__rcounter counter;
    counter.runs = 0;
    for (; n >= 4 * WN__RUN; n -= 4 * WN__RUN, x += 4 * bytes) {
        wn__rstate four[4];
        run_four(p, (const char *const[4]){x, x + bytes, x + 2 * bytes, x + 3 * bytes}, WN__RUN, four);
        wn__rcounter_push4(p, &counter, four);
    }
    for (; n > 0; n -= WN__RUN, x += bytes) {
        run_one(p, x, n < WN__RUN ? n : WN__RUN, s);
        if (n <= WN__RUN && counter.runs == 0) return; /* a single run: the common case of small rows */
        wn__rcounter_push(p, &counter, s);
    }
    wn__rcounter_end(p, &counter, s);
}

/* Four rows, run by run. */
static void four_rows(wn__rplan *p, int64_t first) {
    wn__rcounter counter[4];
    wn__rstate s[4];
    const char *x[4];
    int64_t xo, m, o[4];
    for (int i = 0; i < 4; i++) {
        wn__rplan_at(p, first + i, &xo, &m, &o[i]);
        x[i] = wn__rx(p, p->r->x, xo);
        counter[i].runs = 0;
    }
    for (int64_t left = p->n; left > 0; left -= WN__RUN) {
        run_four(p, x, left < WN__RUN ? left : WN__RUN, s);
        for (int i = 0; i < 4; i++) {
            if (p->n > WN__RUN) wn__rcounter_push(p, &counter[i], &s[i]);
            x[i] += WN__RUN * p->size;
        }
    }
    for (int i = 0; i < 4; i++) {
        if (p->n > WN__RUN) wn__rcounter_end(p, &counter[i], &s[i]);
        wn__rstate_put(p, o[i], &s[i], p->n, 0);
    }
}

/* The common case without detours: a plain fold of contiguous rows. */
static void plain_rows(void *ctx, int64_t begin, int64_t end, int worker) {
    rows_job *j = ctx;
    wn__rplan *p = j->p;
    (void)worker;
    for (; begin + 4 <= end && p->n <= 8 * WN__RUN && p->n >= WN__LANES; begin += 4) four_rows(p, begin);
    for (int64_t i = begin; i < end; i++) {
        int64_t xo, m, o;
        wn__rstate s;
        wn__rplan_at(p, i, &xo, &m, &o);
        fold_plain(p, wn__rx(p, p->r->x, xo), p->n, &s);
        wn__rstate_put(p, o, &s, p->n, 0);
    }
}

/* ---- few long results: chunks of whole runs */

static void count_blocks(void *ctx, int64_t begin, int64_t end, int worker) {
    rows_job *j = ctx;
    (void)worker;
    for (int64_t i = begin; i < end; i++) {
        wn__rwalk w;
        int64_t o, output = i / j->blocks, block = i % j->blocks;
        walker_at(j->p, output, NULL, &w, &o);
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

static void chunks_of_rows(void *ctx, int64_t begin, int64_t end, int worker) {
    rows_job *j = ctx;
    (void)worker;
    char room[WN__RWALK_BYTES] __attribute__((aligned(64)));
    for (int64_t i = begin; i < end; i++) {
        wn__rwalk w;
        int64_t o, output = i / j->chunks, first = i % j->chunks * j->elements;
        if (j->plain) {
            wn__rplan *p = j->p;
            int64_t xo, m, left = p->n - first;
            wn__rplan_at(p, output, &xo, &m, &o);
            j->part[i].count = left < j->elements ? left : j->elements;
            fold_plain(p, wn__rx(p, p->r->x, xo + first), j->part[i].count, &j->part[i].s);
            continue;
        }
        walker_at(j->p, output, room, &w, &o);
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
        put(p, i, o, &s, count);
    }
}

static void in_chunks(rows_job *j) {
    wn__rplan *p = j->p;
    j->part = wn__new(struct part, (size_t)(p->outputs * j->chunks));
    if (p->r->mask) {
        j->blocks = j->chunks;
        j->before = wn__new(int64_t, (size_t)(p->outputs * (j->blocks + 1)));
    }
    if (!j->part || (p->r->mask && !j->before)) {
        atomic_store(&p->no_memory, true);
    } else {
        if (j->before) {
            wn__parallel(p->outputs * j->blocks, 1, count_blocks, j);
            for (int64_t i = 0; i < p->outputs; i++)
                for (int64_t b = 0, *before = j->before + i * (j->blocks + 1); b < j->blocks; b++) before[b + 1] += before[b];
        }
        wn__parallel(p->outputs * j->chunks, 1, chunks_of_rows, j);
        join_chunks(j);
    }
    wn__free(j->part);
    wn__free(j->before);
}

void wn__reduce_by_rows(wn__rplan *p) {
    rows_job j = {.p = p};
    p->chunk = wn__rplan_chunk(p, p->outputs, 32);
    j.elements = p->chunk * WN__RUN;
    j.chunks = (p->n + j.elements - 1) / j.elements;
    j.plain = p->shape == WN__RS_FOLD && !p->r->mask && p->nred == 1 && p->red[0].x == 1;
    if (j.chunks > 1 && p->shape != WN__RS_COUNT && p->outputs < 4 * wn_num_threads()) {
        in_chunks(&j);
    } else {
        int64_t grain = 32768 / (p->n + 64) + 1;
        wn__parallel(p->outputs, grain, j.plain ? plain_rows : whole_rows, &j);
    }
}
