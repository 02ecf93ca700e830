/* Events for profilers (winnow_events.h): a list of chunks that only grows, and pages with their operands' numbers. */
#include "tensor/events.h"
#include "winnow_events.h"
#include <pthread.h>
#include <string.h>
#include "base/alloc.h"
#include "base/counters.h"
#include "base/error.h"
#include "base/fork.h"
#include "base/interrupt.h"
#include "table/call.h"
#include "tensor/tensor.h"

_Atomic int wn__event_readers;

enum { CHUNK = 1024, NUMBERS = 1 << 14 };

typedef struct page { /* numbers that describe operands (numbers()) */
    struct page *older;
    int64_t used, n[NUMBERS];
} page;

static wn_event **chunks;
static int64_t nchunks, nevents;
static int64_t first; /* number of the first event in the list: numbers go on from one use to the next */
static page *pages;
static bool with_bytes;

static _Atomic int threads;
static __thread int thread;

int wn_events_thread(void) {
    if (!thread) thread = 1 + atomic_fetch_add(&threads, 1);
    return thread;
}

static wn_event *at(int64_t i) { return &chunks[i / CHUNK][i % CHUNK]; }

/* ------------------------------------------------------------------ adding; with the mutex */

static bool more_chunks(void) {
    wn_event **grown = wn__realloc(chunks, (size_t)nchunks + 1, sizeof *chunks);
    if (!grown) return false;
    chunks = grown;
    chunks[nchunks] = wn__new(wn_event, CHUNK);
    return chunks[nchunks] && ++nchunks;
}

static wn_event *add(wn_event_kind kind, const char *op) {
    if (nevents == nchunks * CHUNK && !more_chunks()) return NULL;
    wn_event *e = at(nevents++);
    *e = (wn_event){.kind = kind, .thread = wn_events_thread(), .op = op, .label = wn__label_here(), .of = WN__NO_EVENT};
    return e;
}

/* Room for n numbers in one piece; NULL: they are more than a page holds, or memory is short. */
static int64_t *numbers(int64_t n) {
    if (n > NUMBERS) return NULL;
    if (!pages || pages->used + n > NUMBERS) {
        page *p = wn__calloc(1, sizeof *p);
        if (!p) return NULL;
        p->older = pages;
        pages = p;
    }
    pages->used += n;
    return pages->n + pages->used - n;
}

/* ------------------------------------------------------------------ a call's operands as numbers (to NULL: counted) */

static int64_t put(int64_t *to, int64_t n, int64_t value) {
    if (to) to[n] = value;
    return n + 1;
}

static int64_t put_tensor(int64_t *to, int64_t n, const wn_tensor *t) {
    if (!t || t == &wn__bad_tensor || t->magic != WN__MAGIC) return put(to, n, -1);
    n = put(to, n, t->dtype);
    n = put(to, n, t->ndim);
    for (int i = 0; i < t->ndim; i++) n = put(to, n, t->shape[i]);
    return n;
}

static int64_t put_list(int64_t *to, int64_t n, const wn_list *l) {
    const int64_t most = l->v && l->n > 0 ? l->n : 0;
    n = put(to, n, -2 - most);
    for (int64_t i = 0; i < most; i++) n = put_tensor(to, n, l->v[i]);
    return n;
}

static int64_t put_value(int64_t *to, int64_t n, const wn_val *v) { return put_tensor(to, n, v->kind == WN_VAL_TENSOR ? v->u.t : NULL); }

static int64_t put_operands(int64_t *to, const wn__call *c) {
    int64_t n = 0;
    for (int i = 0; i < c->op->nfields; i++) {
        const wn_field *f = &c->op->fields[i];
        const void *p = (const char *)c->args + f->offset;
        if (f->offset >= *(const size_t *)c->args) break; /* the caller's struct is of an older header, and shorter */
        if (f->kind == WN_K_TENSOR) n = put_tensor(to, n, *(wn_tensor *const *)p);
        else if (f->kind == WN_K_TENSORS) n = put_list(to, n, p);
        else if (f->kind == WN_K_VALUE) n = put_value(to, n, p);
        else n = put(to, n, -1);
    }
    return n;
}

/* ------------------------------------------------------------------ what dispatch and programs note */

static int64_t begin(wn_event *e) {
    if (!e) return WN__NO_EVENT;
    e->began = wn__now_ns();
    return first + nevents - 1;
}

int64_t wn__event_call(const wn__call *c) {
    if (!wn__noting()) return WN__NO_EVENT;
    const int64_t before = with_bytes ? wn__bytes_in_use() : 0;
    pthread_mutex_lock(&wn__events_mutex);
    wn_event *e = wn__noting() ? add(WN_EVENT_CALL, c->op->name) : NULL;
    if (e) {
        const int64_t n = put_operands(NULL, c);
        int64_t *to = numbers(n);
        if (to) e->noperands = put_operands(to, c);
        e->operands = to;
        e->bytes = before;
    }
    const int64_t number = begin(e);
    pthread_mutex_unlock(&wn__events_mutex);
    return number;
}

/* A copy of a name that lives only as long as its node. */
static const char *kept(const char *text) {
    const size_t n = strlen(text) + 1;
    char *to = (char *)numbers((int64_t)(n / sizeof(int64_t) + 1));
    return to ? memcpy(to, text, n) : "?";
}

/* An event without operands. copy: op lives no longer than this call. */
static int64_t note(wn_event_kind kind, const char *op, bool copy) {
    const int64_t before = with_bytes ? wn__bytes_in_use() : 0;
    pthread_mutex_lock(&wn__events_mutex);
    wn_event *e = wn__noting() ? add(kind, copy ? kept(op) : op) : NULL;
    if (e) e->bytes = before;
    const int64_t number = begin(e);
    pthread_mutex_unlock(&wn__events_mutex);
    return number;
}

int64_t wn__event_program(void) { return wn__noting() ? note(WN_EVENT_PROGRAM, "program", false) : WN__NO_EVENT; }

int64_t wn__event_backward(const char *name, bool whole_turn) {
    return wn__noting() ? note(whole_turn ? WN_EVENT_TURN : WN_EVENT_NODE, name, true) : WN__NO_EVENT;
}

/* Call with the mutex held. NULL: the event is of an earlier use, or there is none. */
static wn_event *find(int64_t number) { return number >= first && number < first + nevents ? at(number - first) : NULL; }

void wn__event_end(int64_t number) {
    if (number == WN__NO_EVENT) return;
    const int64_t now = wn__now_ns(), after = with_bytes ? wn__bytes_in_use() : 0;
    pthread_mutex_lock(&wn__events_mutex);
    wn_event *e = find(number);
    if (e) {
        e->ended = now;
        e->bytes = after - e->bytes;
    }
    pthread_mutex_unlock(&wn__events_mutex);
}

void wn__event_part(int64_t program, int64_t of, const char *op, int64_t after, int64_t ns) {
    if (program == WN__NO_EVENT) return;
    pthread_mutex_lock(&wn__events_mutex);
    const wn_event *whole = find(program), *asked = find(of);
    const int64_t last = whole ? whole->ended : 0; /* shares need not fit the program's own clock */
    const int64_t began = whole && whole->began + after < last ? whole->began + after : last;
    wn_event *e = whole ? add(WN_EVENT_PART, op) : NULL;
    if (e) {
        e->began = began;
        e->ended = began + ns < last ? began + ns : last;
        e->label = asked ? asked->label : NULL;
        e->of = asked ? of : WN__NO_EVENT;
    }
    pthread_mutex_unlock(&wn__events_mutex);
}

static __thread int64_t entered = WN__NO_EVENT;

int64_t wn__event_enter(int64_t call) {
    const int64_t before = entered;
    entered = call;
    return before;
}
int64_t wn__event_here(void) { return entered; }

/* ------------------------------------------------------------------ for readers */

void wn_events_begin(bool bytes) {
    wn__report_open();
    pthread_mutex_lock(&wn__events_mutex);
    with_bytes |= bytes;
    atomic_fetch_add(&wn__event_readers, 1);
    pthread_mutex_unlock(&wn__events_mutex);
}

static void forget(void) {
    for (int64_t i = 0; i < nchunks; i++) wn__free(chunks[i]);
    wn__free(chunks);
    for (page *p = pages, *older; p; p = older) {
        older = p->older;
        wn__free(p);
    }
    first += nevents;
    chunks = NULL;
    pages = NULL;
    nchunks = nevents = 0;
    with_bytes = false;
}

void wn_events_end(void) {
    pthread_mutex_lock(&wn__events_mutex);
    const bool open = wn__noting();
    if (open && atomic_fetch_sub(&wn__event_readers, 1) == 1) forget();
    pthread_mutex_unlock(&wn__events_mutex);
    if (open) wn__report_close();
}

int64_t wn_events_first(void) {
    pthread_mutex_lock(&wn__events_mutex);
    const int64_t n = first + nevents;
    pthread_mutex_unlock(&wn__events_mutex);
    return n;
}

bool wn_events_at(int64_t number, wn_event *e) {
    pthread_mutex_lock(&wn__events_mutex);
    const wn_event *found = find(number);
    if (found) *e = *found;
    pthread_mutex_unlock(&wn__events_mutex);
    return found != NULL;
}
