/* Walking a table of kernels, tracing the walk (WINNOW_TRACE=kernels), and counting (kernel_table.h). */
#include "engine/kernel_table.h"
#include "base/assert.h"
#include "base/inline.h"
#include "base/watch.h"
#include <stdio.h>

/* Does anybody watch the walks? TRACED and PREFERRED are bits. */
enum { UNKNOWN = -1, NOBODY = 0, TRACED = 1, PREFERRED = 2 };
static _Atomic int watched = UNKNOWN;
static const wn__kernel_row *_Atomic preferred;

static int who_watches(void) {
    int v = atomic_load_explicit(&watched, memory_order_relaxed);
    if (v == UNKNOWN) atomic_store_explicit(&watched, v = wn__trace_wanted("kernels") ? TRACED : NOBODY, memory_order_relaxed);
    return v;
}

void wn__kernel_prefer(const wn__kernel_row *row) {
    const int traced = who_watches() & TRACED;
    atomic_store(&preferred, row);
    atomic_store(&watched, row ? traced | PREFERRED : traced);
}

/* Which rows did not run, and why: the end of a trace's line. */
typedef struct reasons {
    char text[768];
    size_t n;
} reasons;

static wn__ran note(reasons *r, const char *name, const char *why) {
    if (r->n < sizeof r->text) r->n += (size_t)snprintf(r->text + r->n, sizeof r->text - r->n, "; %s %s", name, why);
    return WN__DECLINED;
}
static inline wn__ran add(reasons *r, const char *name, const char *why) { return r ? note(r, name, why) : WN__DECLINED; }

static void say(const wn__kernel_table *t, const wn__kernel_row *k, const void *form, const reasons *r) {
    char what[512] = "";
    if (t->describe) t->describe(form, what, sizeof what);
    fprintf(stderr, "kernel: %s/%s: %s%s\n", t->name, k->name, what, r->text);
}

/* One walk. */
typedef struct walk {
    const wn__kernel_table *t;
    uint32_t dtype, level; /* as bits */
    bool known, finite;    /* known: t->finite was asked, and said `finite` */
    void *form, *call;
} walk;

INLINE walk begin(const wn__kernel_table *t, wn_dtype dtype, void *form, void *call) {
    return (walk){t, WN__ONLY(dtype), WN__ONLY(wn__cpu_level()), !t->finite, true, form, call};
}

/* Asks one row. r: notes for the trace, or NULL. */
INLINE wn__ran ask(walk *w, const wn__kernel_row *k, reasons *r) {
    if (!(k->dtypes & w->dtype)) return add(r, k->name, "is not of this dtype");
    if (!(k->levels & w->level)) return add(r, k->name, "is not of this level");
    if (k->suits && !k->suits(w->form)) return add(r, k->name, "does not suit");
    if (!k->any_weights && !w->known) w->finite = w->t->finite(w->form, w->call), w->known = true;
    if (!k->any_weights && !w->finite) return add(r, k->name, "wants finite numbers");
    const wn__ran ran = k->run(w->form, w->call);
    if (ran == WN__DECLINED) return add(r, k->name, "declined");
    atomic_fetch_add_explicit(&w->t->ran[k - w->t->rows], 1, memory_order_relaxed);
    if (r) say(w->t, k, w->form, r);
    return ran;
}

INLINE bool all_rows(walk *w, reasons *r) {
    const wn__kernel_row *k = w->t->rows, *const planned = k + w->t->bare, *const end = k + w->t->n;
    wn__ran ran = WN__DECLINED;
    for (; k < planned && ran == WN__DECLINED; k++) ran = ask(w, k, r);
    if (ran == WN__DECLINED && w->t->prepare) w->t->prepare(w->form, w->call);
    for (; k < end && ran == WN__DECLINED; k++) ran = ask(w, k, r);
    WN_ASSERT(ran != WN__DECLINED); /* every table ends with a row that suits */
    return ran == WN__RAN;
}

/* A walk with a trace or a preferred row, which is not preferred in walks within this one. */
static __attribute__((noinline)) bool watched_walk(const wn__kernel_table *t, wn_dtype dtype, void *form, void *call) {
    static __thread bool inside;
    reasons room = {.n = 0}, *r = who_watches() & TRACED ? &room : NULL;
    const wn__kernel_row *k = atomic_load(&preferred);
    const bool first = !inside && k && k >= t->rows && k < t->rows + t->n;
    walk w = begin(t, dtype, form, call);
    inside |= first;
    if (first && t->prepare) t->prepare(form, call);
    const wn__ran ran = first ? ask(&w, k, r) : WN__DECLINED;
    const bool ok = ran == WN__DECLINED ? all_rows(&w, r) : ran == WN__RAN;
    inside &= !first;
    return ok;
}

bool wn__kernel_walk(const wn__kernel_table *t, wn_dtype dtype, void *form, void *call) {
    if (__builtin_expect(who_watches() != NOBODY, 0)) return watched_walk(t, dtype, form, call);
    walk w = begin(t, dtype, form, call);
    return all_rows(&w, NULL);
}
