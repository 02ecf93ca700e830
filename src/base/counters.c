/* Sites and their counters; the label and the stretch of time that a thread is in. */
#include "base/counters.h"
#include <string.h>
#include "base/alloc.h"
#include "base/fork.h"
#include "base/interrupt.h"

_Atomic int64_t wn__elements_computed, wn__programs_run;
_Atomic int wn__reports;
_Atomic int64_t wn__small_most;
static _Atomic int64_t small_wanted;

static void set_small(void) { atomic_store(&wn__small_most, wn__reporting() ? 0 : atomic_load(&small_wanted)); }
void wn__set_small_most(int64_t most) {
    atomic_store(&small_wanted, most);
    set_small();
}
void wn__report_open(void) {
    atomic_fetch_add(&wn__reports, 1);
    set_small();
}
void wn__report_close(void) {
    atomic_fetch_sub(&wn__reports, 1);
    set_small();
}

enum { CHUNK = 256, CHUNKS = 256, BUCKETS = 4096 };

typedef struct label {
    struct label *next;
    char text[];
} label;

static wn__site *chunks[CHUNKS];
static _Atomic uint32_t nsites = 1; /* 0 means no site */
static uint32_t sites[BUCKETS];
static label *labels[BUCKETS];

static wn__site *at(uint32_t i) { return &chunks[i / CHUNK][i % CHUNK]; }

uint32_t wn__sites(void) { return atomic_load_explicit(&nsites, memory_order_acquire); }
const wn__site *wn__site_at(uint32_t i) { return at(i); }

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
    if (i == CHUNK * CHUNKS || (!chunks[i / CHUNK] && !(chunks[i / CHUNK] = wn__calloc(CHUNK, sizeof(wn__site))))) return 0;
    wn__site *s = at(i);
    s->op = op;
    s->label = label_;
    s->next = *slot;
    *slot = i;
    atomic_store_explicit(&nsites, i + 1, memory_order_release);
    return i;
}

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
