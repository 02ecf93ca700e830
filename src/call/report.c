/* Sites and their counters; reports as differences between two moments. The text and the JSON of a report are report_text.c's. */
#include "call/report.h"
#include <pthread.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "call/events.h"
#include "base/fork.h"
#include "base/interrupt.h"
#include "call/report_impl.h"
#include "defer/value.h"

_Atomic int wn__reports;
pthread_mutex_t wn__report_mutex = PTHREAD_MUTEX_INITIALIZER;

/* ------------------------------------------------------------------ sites, kept until the process ends: values point to them */

enum { CHUNK = 256, CHUNKS = 256, BUCKETS = 4096 };

typedef struct label {
    struct label *next;
    char text[];
} label;

typedef struct site {
    const char *op, *label; /* label: interned */
    uint32_t next;          /* in its bucket */
    _Atomic int64_t n[WN__N_COUNTERS];
} site;

static site *chunks[CHUNKS];
static _Atomic uint32_t nsites = 1; /* 0 is nobody's */
static uint32_t sites[BUCKETS];
static label *labels[BUCKETS];

static site *at(uint32_t i) { return &chunks[i / CHUNK][i % CHUNK]; }

static uint32_t bucket(uintptr_t a, uintptr_t b) {
    uint64_t h = ((uint64_t)a * 31 + (uint64_t)b) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 40) % BUCKETS;
}

static const char *interned(const char *text) {
    uint64_t h = 0;
    for (const char *c = text; *c; c++) h = h * 131 + (unsigned char)*c;
    label **slot = &labels[h % BUCKETS];
    for (label *l = *slot; l; l = l->next)
        if (!strcmp(l->text, text)) return l->text;
    const size_t bytes = strlen(text) + 1;
    label *l = wn__calloc(1, sizeof *l + bytes);
    if (!l) return NULL;
    memcpy(l->text, text, bytes);
    l->next = *slot;
    *slot = l;
    return l->text;
}

static uint32_t add_site(const char *op, const char *label_, uint32_t *slot) {
    const uint32_t i = atomic_load_explicit(&nsites, memory_order_relaxed);
    if (i == CHUNK * CHUNKS || (!chunks[i / CHUNK] && !(chunks[i / CHUNK] = wn__calloc(CHUNK, sizeof(site))))) return 0;
    site *s = at(i);
    s->op = op;
    s->label = label_;
    s->next = *slot;
    *slot = i;
    atomic_store_explicit(&nsites, i + 1, memory_order_release);
    return i;
}

/* ------------------------------------------------------------------ what a thread is at */

static __thread const char *here; /* its label, interned */
static __thread wn__stretch *innermost;

const char *wn_report_label(const char *text) {
    const char *before = here;
    pthread_mutex_lock(&wn__report_mutex);
    here = text ? interned(text) : NULL;
    pthread_mutex_unlock(&wn__report_mutex);
    return before;
}

uint32_t wn__site_of(const char *op) {
    if (!wn__reporting()) return 0;
    pthread_mutex_lock(&wn__report_mutex);
    uint32_t *slot = &sites[bucket((uintptr_t)op, (uintptr_t)here)], i = *slot;
    while (i && (at(i)->op != op || at(i)->label != here)) i = at(i)->next;
    if (!i) i = add_site(op, here, slot);
    pthread_mutex_unlock(&wn__report_mutex);
    return i;
}

void wn__note(uint32_t i, wn__counter counter, int64_t n) {
    if (i) atomic_fetch_add_explicit(&at(i)->n[counter], n, memory_order_relaxed);
}

void wn__count_for_site(int64_t n) {
    if (innermost) wn__note(innermost->site, WN__N_ELEMENTS, n);
}

void wn__stretch_begin(wn__stretch *s, uint32_t site_) {
    s->outer = innermost;
    s->site = site_;
    s->inner = 0;
    s->recorded = false;
    innermost = s;
    s->began = wn__now_ns();
}

int64_t wn__stretch_end(wn__stretch *s) {
    const int64_t took = wn__now_ns() - s->began;
    innermost = s->outer;
    if (s->outer) s->outer->inner += took;
    return took - s->inner;
}

const char *wn__label_here(void) { return here; }

uint32_t wn__site_recorded(void) {
    if (!innermost) return 0;
    innermost->recorded = true;
    wn__note(innermost->site, WN__N_RECORDED, 1);
    return innermost->site;
}

/* What ran at once is counted here, what waits where it is computed (src/defer/run.c); of composites the operations that they are made of. */
wn_status wn__dispatch_reported(wn__call *c, wn_status (*dispatch)(wn__call *)) {
    const wn_op *op = c->op;
    const uint32_t looks = WN__F_LAZY | WN__F_NODIFF; /* at the geometry alone */
    wn__stretch s;
    wn__stretch_begin(&s, wn__site_of(op->name));
    const int64_t event = wn__event_call(c), outer = wn__event_enter(event);
    const wn_status st = dispatch(c);
    (void)wn__event_enter(outer);
    wn__event_end(event);
    const int64_t own = wn__stretch_end(&s);
    wn__note(s.site, WN__N_CALLS, 1);
    wn__note(s.site, WN__N_NS, own);
    const bool computes = op->cls == WN__POINTWISE || (op->cls == WN__KERNEL && (op->flags & looks) != looks);
    if (st == WN_OK && computes && !s.recorded) wn__note(s.site, WN__N_RUN, 1);
    return st;
}

/* ------------------------------------------------------------------ reports */

void wn__report_open(void) {
    atomic_fetch_add(&wn__reports, 1);
    wn__small_way();
}
void wn__report_close(void) {
    atomic_fetch_sub(&wn__reports, 1);
    wn__small_way();
}

wn_report *wn_report_begin(void) {
    wn_report *r = wn__new(wn_report, 1);
    const uint32_t n = atomic_load_explicit(&nsites, memory_order_acquire);
    if (r) r->before = wn__new(wn__counts, n);
    if (!r || !r->before) {
        wn__free(r);
        wn__fail_memory("report");
        return NULL;
    }
    for (uint32_t i = 1; i < n; i++)
        for (int k = 0; k < WN__N_COUNTERS; k++) r->before[i].n[k] = atomic_load_explicit(&at(i)->n[k], memory_order_relaxed);
    r->nbefore = n;
    r->open = true;
    wn__report_open();
    r->began = wn__now_ns();
    return r;
}

/* Values of each site that wait at this moment. */
static void count_waiting(int64_t *waiting, uint32_t n) {
    wn__defer_lock();
    for (const wn__value *v = wn__deferred.oldest; v; v = v->next)
        if (v->site < n && !v->runs) waiting[v->site]++;
    wn__defer_unlock();
}

static wn_report_row row_of(const wn_report *r, uint32_t i, int64_t waiting) {
    int64_t n[WN__N_COUNTERS];
    for (int k = 0; k < WN__N_COUNTERS; k++)
        n[k] = atomic_load_explicit(&at(i)->n[k], memory_order_relaxed) - (i < r->nbefore ? r->before[i].n[k] : 0);
    return (wn_report_row){.op = at(i)->op, .label = at(i)->label, .calls = n[WN__N_CALLS], .recorded = n[WN__N_RECORDED], .run = n[WN__N_RUN],
                           .again = n[WN__N_AGAIN], .never_run = n[WN__N_UNREAD], .waiting = waiting, .elements = n[WN__N_ELEMENTS],
                           .skipped = n[WN__N_SKIPPED], .never_computed = n[WN__N_NEVER], .bytes_spared = n[WN__N_SPARED],
                           .seconds = (double)n[WN__N_NS] * 1e-9};
}

static bool says_something(const wn_report_row *w) {
    return w->calls || w->recorded || w->run || w->again || w->never_run || w->elements || w->seconds > 0 || w->bytes_spared;
}

/* The rows as they are now. False: no memory, and the old ones stay. */
static bool look(wn_report *r) {
    const uint32_t n = atomic_load_explicit(&nsites, memory_order_acquire);
    int64_t *waiting = wn__new(int64_t, n);
    wn_report_row *rows = wn__new(wn_report_row, n);
    if (!waiting || !rows) {
        wn__free(waiting);
        wn__free(rows);
        wn__fail_memory("report");
        return false;
    }
    count_waiting(waiting, n);
    wn__free(r->rows);
    r->rows = rows;
    r->nrows = 0;
    r->seconds = (double)(wn__now_ns() - r->began) * 1e-9;
    for (uint32_t i = 1; i < n; i++) {
        rows[r->nrows] = row_of(r, i, waiting[i]);
        r->nrows += says_something(&rows[r->nrows]);
    }
    wn__free(waiting);
    wn__report_order(rows, r->nrows);
    return true;
}

wn_status wn_report_end(wn_report *r) {
    if (!r || !r->open) return WN_OK;
    const bool ok = look(r);
    r->open = false;
    wn__report_close();
    return ok ? WN_OK : WN_E_MEMORY;
}

int64_t wn_report_rows(wn_report *r, const wn_report_row **rows) {
    if (r->open && !look(r)) return -1;
    *rows = r->rows;
    return r->nrows;
}

double wn_report_seconds(const wn_report *r) { return r->open ? (double)(wn__now_ns() - r->began) * 1e-9 : r->seconds; }

void wn_report_free(wn_report *r) {
    if (!r) return;
    (void)wn_report_end(r);
    wn__free(r->before);
    wn__free(r->rows);
    wn__free(r->text);
    wn__free(r);
}
