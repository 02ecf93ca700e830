/* Reductions over slow dimensions: neighbouring results are folded side by side, vectors run along them. Threads take
 * blocks of columns and chunks of runs. A mask must be the same for all columns of a block: it then selects rows. */
#include "base/alloc.h"
#include "engine/block.h"
#include "base/threads.h"
#include "engine/reduce_plan.h"

typedef struct cols_job {
    wn__rplan *p;
    const wn__reduction *r;
    const wn__reduce_dim *col; /* the kept dimension along the vectors */
    wn__reduce_dim outer[WN_MAX_DIMS];
    int nouter;
    int64_t outers, blocks, width, chunks;
    bool turned;   /* short rows that lie one behind the other: a block of them is turned, its columns are what is folded */
    size_t bytes;  /* of one column's accumulator: 4 or 8 for plain folds, a state otherwise */
    int levels;    /* of the binary counter in a chunk */
    char *parts;   /* [outers][blocks][chunks][width] accumulators; NULL when there is one chunk */
    int64_t *counts; /* [outers][blocks][chunks] */
} cols_job;

/* Merges columns of accumulators: a = a, then b. */
static void merge(const cols_job *j, char *a, const char *b, int64_t w) {
    const wn__rplan *p = j->p;
    if (p->shape == WN__RS_FOLD) {
        p->k->merge[p->fold][p->elem](a, b, w);
        return;
    }
    for (int64_t i = 0; i < w; i++) wn__rstate_merge(p, (wn__rstate *)a + i, (const wn__rstate *)b + i);
}

typedef struct columns_counter {
    uint64_t runs;
    char *slots;
} columns_counter;

static void push(const cols_job *j, columns_counter *c, char *value, int64_t w) {
    size_t step = (size_t)j->width * j->bytes;
    int i = 0;
    for (; c->runs >> i & 1; i++) {
        merge(j, c->slots + (size_t)i * step, value, w);
        value = c->slots + (size_t)i * step;
    }
    memcpy(c->slots + (size_t)i * step, value, (size_t)w * j->bytes);
    c->runs++;
}

static char *finish(const cols_job *j, columns_counter *c, int64_t w) {
    size_t step = (size_t)j->width * j->bytes;
    char *last = NULL;
    for (int i = 0; c->runs >> i; i++) {
        if (!(c->runs >> i & 1)) continue;
        char *slot = c->slots + (size_t)i * step;
        if (last) merge(j, slot, last, w);
        last = slot;
    }
    return last;
}

/* Scratch of a reduce_cols_task, cut up. */
typedef struct room {
    const char **rows;
    int64_t *where; /* logical positions of the rows (indices) */
    bool narrow;    /* of rows of few columns that are evenly apart the first one and the step do */
    int64_t step;   /* wn__cols.step */
    char *work, *acc, *param, *states, *slots, *turned;
    int64_t *at;
} room;
static size_t room_bytes(const cols_job *j) {
    return WN__RUN * 16 + WN__COL_WORK + WN__COL_MAX * (8 + 8 + 8 + sizeof(wn__rstate)) +
           (size_t)(j->levels + 1) * (size_t)j->width * j->bytes + (j->turned ? 64 + (size_t)(j->p->n * j->width) * j->p->size : 0);
}
static bool room_of(const cols_job *j, room *m) {
    char *s = wn__scratch(1, room_bytes(j));
    if (!s) return false;
    m->work = s, s += WN__COL_WORK;
    m->rows = (const char **)s, s += WN__RUN * 8;
    m->where = (int64_t *)s, s += WN__RUN * 8;
    m->acc = s, s += WN__COL_MAX * 8;
    m->param = s, s += WN__COL_MAX * 8;
    m->at = (int64_t *)s, s += WN__COL_MAX * 8;
    m->states = s, s += WN__COL_MAX * sizeof(wn__rstate);
    m->slots = s;
    s += (size_t)(j->levels + 1) * (size_t)j->width * j->bytes;
    m->turned = s + (64 - (size_t)s % 64) % 64;
    return true;
}

/* ---- one run of rows to accumulators */

static void var_of_cols(const wn__rplan *p, const wn__cols *c, room *m, wn__rstate *s) {
    p->k->load(c->dtype, p->elem, c->rows[0], c->stride, c->width, m->param);
    p->k->col[WN__FOLD_SHIFTED][p->elem](c, m->param, m->acc, m->work);
    for (int64_t i = 0; i < c->width; i++) {
        s[i].v.d = wn__elem_at(p->elem, m->param, i) + wn__elem_at(p->elem, m->acc, i) / (double)c->n;
        wn__elem_put(p->elem, m->param, i, s[i].v.d);
    }
    p->k->col[WN__FOLD_SQUARES][p->elem](c, m->param, m->acc, m->work);
    for (int64_t i = 0; i < c->width; i++) s[i].w = wn__elem_at(p->elem, m->acc, i), s[i].n = c->n;
}

static void lse_of_cols(const wn__rplan *p, const wn__cols *c, room *m, wn__rstate *s) {
    p->k->col[WN__FOLD_MAX][p->elem](c, NULL, m->acc, m->work);
    for (int64_t i = 0; i < c->width; i++) {
        s[i].v.d = wn__elem_at(p->elem, m->acc, i);
        wn__elem_put(p->elem, m->param, i, __builtin_isinf(s[i].v.d) ? 0 : s[i].v.d);
    }
    p->k->col[WN__FOLD_EXP][p->elem](c, m->param, m->acc, m->work);
    for (int64_t i = 0; i < c->width; i++) s[i].w = wn__elem_at(p->elem, m->acc, i);
}

static void arg_of_cols(const wn__rplan *p, const wn__cols *c, room *m, wn__rstate *s) {
    p->k->col_arg[p->elem](c, p->largest, m->acc, m->at, m->work);
    for (int64_t i = 0; i < c->width; i++) {
        s[i].n = m->where[m->at[i]];
        if (p->elem == WN__E_F32) s[i].v.f = ((float *)(void *)m->acc)[i];
        else memcpy(&s[i].v, m->acc + i * 8, 8);
    }
}

static char *run_of_cols(const wn__rplan *p, const wn__cols *c, room *m) {
    wn__rstate *s = (wn__rstate *)(void *)m->states;
    switch (p->shape) {
    case WN__RS_VAR: var_of_cols(p, c, m, s); return m->states;
    case WN__RS_LSE: lse_of_cols(p, c, m, s); return m->states;
    case WN__RS_ARG: arg_of_cols(p, c, m, s); return m->states;
    default: /* the one parameter there is here is the power; the others take one for each column */
        p->k->col[p->fold][p->elem](c, p->fold == WN__FOLD_POW ? &p->param : NULL, m->acc, m->work);
        return m->acc;
    }
}

/* ---- rows: positions of the reduced dimensions, in order, those whose mask byte is set */

typedef struct row_walk {
    const char *x;
    const uint8_t *m;
    int64_t index[WN_MAX_DIMS], position, end;
} row_walk;

static void row_start(const wn__rplan *p, row_walk *w, const char *x, const uint8_t *m, int64_t begin, int64_t end) {
    w->position = begin;
    w->end = end;
    for (int d = p->nred - 1; d >= 0; d--) {
        w->index[d] = begin % p->red[d].size;
        begin /= p->red[d].size;
        x = wn__rx(p, x, w->index[d] * p->red[d].x);
        if (m) m += w->index[d] * p->red[d].m;
    }
    w->x = x;
    w->m = m;
}

/* Without a mask: the positions of the innermost reduced dimension one after the other. */
static int64_t all_rows_of_run(const wn__rplan *p, row_walk *w, room *m) {
    const wn__reduce_dim *inner = &p->red[p->nred - 1];
    int64_t n = 0;
    while (n < WN__RUN && w->position < w->end) {
        int64_t *at = &w->index[p->nred - 1], some = inner->size - *at;
        if (some > WN__RUN - n) some = WN__RUN - n;
        if (some > w->end - w->position) some = w->end - w->position;
        const int64_t step = (int64_t)p->size * inner->x;
        const char *x = w->x, **rows = m->rows + n;
        const bool even = m->narrow && step != 0 && n == 0 && (some == WN__RUN || some == w->end - w->position);
        m->step = even ? step : 0;
        for (int64_t i = 0; i < (even ? 1 : some); i++) rows[i] = x + i * step;
        for (int64_t i = 0; i < some && p->shape == WN__RS_ARG; i++) m->where[n + i] = w->position + i;
        n += some;
        w->position += some;
        w->x = wn__rx(p, w->x, some * inner->x);
        if ((*at += some) < inner->size) continue;
        *at = 0;
        w->x = wn__rx(p, w->x, -inner->size * inner->x);
        for (int d = p->nred - 2; d >= 0; d--) {
            const wn__reduce_dim *r = &p->red[d];
            int64_t by = ++w->index[d] < r->size ? 1 : 1 - r->size;
            w->x = wn__rx(p, w->x, by * r->x);
            if (by == 1) break;
            w->index[d] = 0;
        }
    }
    return n;
}

static int64_t rows_of_run(const wn__rplan *p, row_walk *w, room *m) {
    int64_t n = 0;
    if (!w->m) return all_rows_of_run(p, w, m);
    m->step = 0;
    while (n < WN__RUN && w->position < w->end) {
        m->rows[n] = w->x;
        m->where[n] = w->position;
        n += *w->m != 0;
        w->position++;
        for (int d = p->nred - 1; d >= 0; d--) {
            const wn__reduce_dim *r = &p->red[d];
            int64_t by = ++w->index[d] < r->size ? 1 : 1 - r->size;
            w->x = wn__rx(p, w->x, by * r->x);
            w->m += by * r->m;
            if (by == 1) break;
            w->index[d] = 0;
        }
    }
    return n;
}

/* ---- tasks */

/* Of the w rows from x on, all p->n columns become rows. */
static void turn(const wn__rplan *p, const char *x, int64_t w, room *m) {
    wn__block_now()->transpose(p->size, p->n, w, m->turned, w, x, p->n);
    for (int64_t i = 0; i < p->n; i++) m->rows[i] = m->turned + (size_t)(i * w) * p->size, m->where[i] = i;
}

static void offsets(const cols_job *j, int64_t outer, int64_t *x, int64_t *m, int64_t *o) {
    *x = *m = *o = 0;
    for (int d = j->nouter - 1; d >= 0; d--) {
        int64_t i = outer % j->outer[d].size;
        outer /= j->outer[d].size;
        *x += i * j->outer[d].x;
        *m += i * j->outer[d].m;
        *o += i * j->outer[d].o;
    }
}

static void put_columns(cols_job *j, int64_t o, const char *acc, int64_t w, int64_t count) {
    wn__rplan *p = j->p;
    if (p->shape == WN__RS_FOLD) {
        wn__rstates_put(p, j->r, o, j->col->o, w, acc, count);
        return;
    }
    for (int64_t i = 0; i < w; i++, o += j->col->o) {
        wn__rstate s = {.n = 0};
        if (count) s = ((const wn__rstate *)(const void *)acc)[i];
        wn__rstate_put(p, j->r, o, &s, count, s.n);
    }
}

/* Are accumulators (with narrow: as wide as elements) what the results are, where these lie? */
static bool are_results(const cols_job *j, bool *narrow) {
    const wn__rplan *p = j->p;
    const wn__reduction *r = j->r;
    const bool extreme = r->kind == WN__R_MIN || r->kind == WN__R_MAX;
    *narrow = extreme && !wn__elem_float(p->elem);
    if (j->parts || r->count || (j->col->o != 1 && j->col->size > 1)) return false;
    if (!extreme && r->kind != WN__R_SUM && r->kind != WN__R_PROD && r->kind != WN__R_NANSUM) return false;
    return *narrow ? r->out_dtype == r->dtype : wn__elem_is(r->out_dtype, wn__elem_float(p->elem) ? p->elem : WN__E_I64);
}

static void reduce_cols_task(void *ctx, int64_t begin, int64_t end) {
    cols_job *j = ctx;
    wn__rplan *p = j->p;
    bool narrow;
    const bool results = are_results(j, &narrow);
    room m;
    if (!room_of(j, &m)) {
        atomic_store_explicit(&p->no_memory, true, memory_order_relaxed);
        return;
    }
    for (int64_t t = begin; t < end; t++) {
        int64_t block = t / j->chunks % j->blocks, chunk = t % j->chunks, x, mask, o, first = block * j->width, count = 0, n;
        int64_t w = j->col->size - first < j->width ? j->col->size - first : j->width;
        offsets(j, t / (j->chunks * j->blocks), &x, &mask, &o);
        row_walk rows;
        int64_t length = p->chunk * WN__RUN, from = chunk * length;
        row_start(p, &rows, wn__rx(p, j->r->x, x + first * j->col->x), p->masked ? j->r->mask + mask : NULL, from,
                  j->chunks == 1 || p->n - from < length ? p->n : from + length);
        columns_counter counter = {0, m.slots};
        char *acc = NULL;
        m.narrow = w < 4 * WN__LANES;
        while ((n = rows_of_run(p, &rows, &m))) {
            wn__cols c = {.rows = m.rows, .n = n, .width = w, .stride = j->turned ? 1 : j->col->x, .dtype = p->dtype};
            if (j->turned) turn(p, wn__rx(p, j->r->x, x + first * j->col->x), w, &m);
            c.step = j->turned && m.narrow ? w * (int64_t)p->size : m.step;
            const bool only = !count && rows.position == rows.end;
            count += n;
            if (only && results) {
                c.narrow = narrow;
                acc = (char *)j->r->out + (o + first) * (int64_t)wn__dtype_size((int)j->r->out_dtype);
                p->k->col[p->fold][p->elem](&c, NULL, acc, m.work);
                break;
            }
            acc = run_of_cols(p, &c, &m);
            if (only) break;
            push(j, &counter, acc, w);
        }
        if (counter.runs) acc = finish(j, &counter, w);
        else if (acc && results) continue;
        if (j->parts) {
            memcpy(j->parts + (size_t)t * (size_t)j->width * j->bytes, acc, (size_t)w * j->bytes);
            j->counts[t] = count;
        } else {
            put_columns(j, o + first * j->col->o, acc, w, count);
        }
    }
}

static void join(void *ctx, int64_t begin, int64_t end) {
    cols_job *j = ctx;
    size_t step = (size_t)j->width * j->bytes;
    for (int64_t t = begin; t < end; t++) {
        room m;
        int64_t x, mask, o, first = t % j->blocks * j->width, count = 0;
        int64_t w = j->col->size - first < j->width ? j->col->size - first : j->width;
        if (!room_of(j, &m)) {
            atomic_store_explicit(&j->p->no_memory, true, memory_order_relaxed);
            return;
        }
        offsets(j, t / j->blocks, &x, &mask, &o);
        columns_counter counter = {0, m.slots};
        for (int64_t c = 0; c < j->chunks; c++) {
            push(j, &counter, j->parts + (size_t)(t * j->chunks + c) * step, w);
            count += j->counts[t * j->chunks + c];
        }
        put_columns(j, o + first * j->col->o, finish(j, &counter, w), w, count);
    }
}

/* Columns of a block: as many as may be (memory is read in longer pieces), fewer where threads would have nothing to do. */
static int64_t widest(const cols_job *j) {
    const int64_t runs = j->p->masked ? 1 : (j->p->n + WN__RUN - 1) / WN__RUN, threads = wn_num_threads();
    int64_t wide = WN__COL_MAX;
    while (threads > 1 && wide > 256 && j->outers * ((j->col->size + wide - 1) / wide) * runs < 2 * threads) wide /= 2;
    return wide;
}

static wn__ran by_columns(wn__rplan *p, const wn__reduction *r, bool turned) {
    cols_job j = {.p = p, .r = r, .col = &p->kept[p->column], .outers = 1, .turned = turned};
    for (int d = 0; d < p->nkept; d++)
        if (d != p->column) {
            j.outer[j.nouter++] = p->kept[d];
            j.outers *= p->kept[d].size;
        }
    const int64_t wide = j.turned && widest(&j) > 256 ? 256 : widest(&j);
    j.blocks = (j.col->size + wide - 1) / wide;
    j.width = (j.col->size + j.blocks - 1) / j.blocks;
    if (j.blocks > 1) j.width = (j.width + 15) / 16 * 16;
    j.blocks = (j.col->size + j.width - 1) / j.width;
    j.bytes = p->shape == WN__RS_FOLD ? wn__rplan_acc(p) : sizeof(wn__rstate);
    /* A mask makes chunks of rows depend on counts: then blocks of columns are all there is to share. */
    p->chunk = wn__rplan_chunk(p, j.outers * j.blocks, j.width >= 32 ? 1 : 8);
    int64_t length = p->chunk * WN__RUN;
    j.chunks = p->masked || j.outers * j.blocks >= 4 * wn_num_threads() ? 1 : (p->n + length - 1) / length;
    int64_t runs = p->n / WN__RUN + 1;
    while (runs >> j.levels) j.levels++;
    int64_t tasks = j.outers * j.blocks * j.chunks;
    if (j.chunks > 1) {
        j.parts = wn__calloc((size_t)tasks * (size_t)j.width, j.bytes);
        j.counts = wn__new(int64_t, (size_t)tasks);
    }
    if (j.chunks > 1 && (!j.parts || !j.counts)) {
        atomic_store(&p->no_memory, true);
    } else {
        int64_t cost = (j.chunks > 1 ? length : p->n) * j.width, grain = 32768 / (cost + 64) + 1;
        bool done = wn__parallel_fresh(tasks, grain, reduce_cols_task, &j);
        if (done && j.chunks > 1 && !atomic_load(&p->no_memory)) done = wn__parallel_fresh(j.outers * j.blocks, 16, join, &j);
        if (!done) atomic_store(&p->no_memory, true);
    }
    wn__free(j.parts);
    wn__free(j.counts);
    return wn__ran_if(!atomic_load(&p->no_memory));
}

bool wn__reduce_columns_suit(const void *form) { return ((const wn__rplan *)form)->column >= 0; }
wn__ran wn__reduce_columns(void *form, const void *call) { return by_columns(form, call, false); }

/* Bytes are not turned faster than they are loaded one by one. */
bool wn__reduce_short_rows_suit(const void *form) {
    const wn__rplan *p = form;
    if (p->column < 0 || p->size == 1 || p->masked || p->nred != 1) return false;
    return p->red[0].x == 1 && p->kept[p->column].x == p->n && p->n < wn__rplan_short(p);
}
wn__ran wn__reduce_short_rows(void *form, const void *call) { return by_columns(form, call, true); }
