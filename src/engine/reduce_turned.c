/* Sequences that run across memory: the reduced dimension next to the innermost one is the one with neighbours in memory (all of a
 * transposed matrix). Bands of rows are turned into row-major order in scratch memory, then folded as if they lay so. */
#include "base/alloc.h"
#include "engine/block.h"
#include "base/threads.h"
#include "engine/reduce_plan.h"

enum { BAND = 32, LONGEST = 8192 }; /* rows of a band, elements of a row: 1 MB of f32 */

bool wn__reduce_is_turned(const void *form) {
    const wn__rplan *p = form;
    if (p->masked || !p->n || p->nred < 2 || p->shape == WN__RS_COUNT) return false;
    const wn__reduce_dim *row = &p->red[p->nred - 1], *next = &p->red[p->nred - 2];
    return row->x != 1 && next->x == 1 && row->size >= 16 && row->size <= LONGEST && next->size >= 16;
}

/* What a task has: rows row, row + 1, ... of the sequence, one behind the other. */
typedef struct band {
    const wn__rplan *p;
    const char *x;
    char *room, *run; /* what waits for a full run, then the rows; a run converted */
    wn__rcounter counter;
} band;

size_t wn__reduce_turned_bytes(const wn__rplan *p) {
    return (size_t)(BAND * p->red[p->nred - 1].size + WN__RUN) * p->size + WN__RUN * 8 + 128;
}

/* Rows `row` and following, at most `most`, to `to`; how many. */
static int64_t load_rows(const band *b, int64_t row, int64_t most, char *to) {
    const wn__rplan *p = b->p;
    const wn__reduce_dim *next = &p->red[p->nred - 2];
    int64_t within = row % next->size, rows = next->size - within;
    const char *x = wn__rx(p, b->x, within);
    if (rows > most) rows = most;
    row /= next->size;
    for (int d = p->nred - 3; d >= 0; d--, row /= p->red[d + 1].size) x = wn__rx(p, x, row % p->red[d].size * p->red[d].x);
    wn__block_now()->transpose(p->size, rows, p->red[p->nred - 1].size, to, p->red[p->nred - 1].size, x, p->red[p->nred - 1].x);
    return rows;
}

/* n elements of the sequence from number `at` on, all whole runs but the last one. */
static void push_runs(band *b, const char *x, int64_t n, int64_t at) {
    const wn__rplan *p = b->p;
    const wn__rows_fn rows = p->shape == WN__RS_FOLD ? wn__rows_of(p->k, p->fold, p->dtype, p->elem) : NULL;
    const bool as_is = wn__elem_is(p->dtype, p->elem);
    for (int64_t i = 0; i < n; i += WN__RUN, x += WN__RUN * p->size) {
        const int64_t m = n - i < WN__RUN ? n - i : WN__RUN;
        wn__rstate s;
        if (rows) {
            rows(x, 0, 1, m, &p->param, &s.v);
        } else {
            if (!as_is) p->k->load(p->dtype, p->elem, x, 1, m, b->run);
            wn__rstate_of_run(p, as_is ? x : b->run, m, at + i, &s);
        }
        wn__rcounter_push(p, &b->counter, &s);
    }
}

void wn__reduce_turned(const wn__rplan *p, const char *x, int64_t first, int64_t n, char *room, wn__rstate *s) {
    const int64_t length = p->red[p->nred - 1].size, size = (int64_t)p->size;
    band b = {.p = p, .x = x, .room = room + WN__RUN * 8, .run = room};
    int64_t row = first / length, skip = first % length, held = 0; /* elements to pass over; waiting for a full run */
    b.counter.runs = 0;
    for (int64_t at = first, end = first + n; at < end;) {
        int64_t most = (end - at - held + skip + length - 1) / length, rows = load_rows(&b, row, most < BAND ? most : BAND, b.room + held * size);
        int64_t have = held + rows * length - skip;
        if (have > end - at) have = end - at;
        int64_t whole = at + have == end ? have : have / WN__RUN * WN__RUN;
        push_runs(&b, b.room + skip * size, whole, at);
        held = have - whole;
        memmove(b.room, b.room + (skip + whole) * size, (size_t)(held * size));
        at += whole;
        row += rows;
        skip = 0;
    }
    wn__rcounter_end(p, &b.counter, s);
}
